//! The kernels of stardust.txt, and what it found of them.

/// A kernel of Table 4, in `test/spatial/kernels`.
#[derive(Debug)]
pub(super) struct CapstanKernel {
    pub(super) name: &'static str,
    /// What it runs on.
    pub(super) data: Data,
    /// Its operands and its result: names and indices.
    pub(super) operands: &'static [CapstanOperand],
    pub(super) result: (&'static str, &'static str),
    /// What of its program is written otherwise.
    pub(super) edits: &'static [(&'static str, &'static str)],
    /// The settings that say how many copies of the outermost loop there are, and how many lanes.
    pub(super) settings: [&'static str; 2],
    /// What the paper has.
    pub(super) paper: Paper,
}

/// An operand.
#[derive(Debug)]
pub(super) struct CapstanOperand {
    pub(super) name: &'static str,
    pub(super) indices: &'static str,
    pub(super) filling: Filling,
}

/// Which entries an operand has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Filling {
    /// Those that are drawn.
    Drawn,
    /// The drawn ones with their last coordinates moved on by so many.
    Moved(u64),
    /// The drawn ones with their even last coordinates moved on to the next even one.
    MovedEven,
    /// All.
    Dense,
}

/// The kinds of data of Table 8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Data {
    /// Large sparse matrices.
    Matrices,
    /// Denser, smaller ones.
    DenseMatrices,
    /// A large tensor with a few entries in each fiber.
    Tensor,
    /// Denser, smaller ones.
    DenseTensors,
}

/// Rows of Tables 6 and 7.
#[derive(Debug)]
pub(super) struct Paper {
    /// Copies of the outermost loop.
    pub(super) par: u64,
    /// PCUs, PMUs, memory controllers, shuffle networks.
    pub(super) resources: [u64; 4],
    /// Cycles with DDR4 over those with HBM-2E.
    pub(super) ddr4: f64,
}

/// The schedule has 16 copies of the outermost loop, which do not fit the machine: a setting in their place.
const OUTERMOST_BY_SETTING: &[(&str, &str)] = &[
    ("environment(bp, 2);", ""),
    ("parallelize(k, reduction, 16);", "environment(bp, 2); parallelize(k, reduction, 16);"),
    ("parallelize(j, reduction, 16);", ""),
    ("parallelize(i, reduction, 16);", "parallelize(i, reduction, bp);"),
];

const USUAL: [&str; 2] = ["bp", "ip"];

const fn operand(name: &'static str, indices: &'static str, filling: Filling) -> CapstanOperand {
    CapstanOperand { name, indices, filling }
}

pub(super) const KERNELS: [CapstanKernel; 10] = [
    CapstanKernel {
        name: "spmv",
        data: Data::Matrices,
        operands: &[operand("A", "ij", Filling::Drawn), operand("x", "j", Filling::Dense)],
        result: ("y", "i"),
        edits: &[],
        settings: USUAL,
        paper: Paper { par: 16, resources: [44, 41, 35, 16], ddr4: 12.13 },
    },
    CapstanKernel {
        name: "plus3",
        data: Data::DenseMatrices,
        operands: &[
            operand("B", "ij", Filling::Drawn),
            operand("C", "ij", Filling::Moved(1)),
            operand("D", "ij", Filling::Moved(2)),
        ],
        result: ("A", "ij"),
        edits: &[],
        settings: USUAL,
        paper: Paper { par: 8, resources: [55, 100, 58, 8], ddr4: 10.07 },
    },
    CapstanKernel {
        name: "sddmm",
        data: Data::Matrices,
        operands: &[
            operand("B", "ij", Filling::Drawn),
            operand("C", "ik", Filling::Dense),
            operand("D", "kj", Filling::Dense),
        ],
        result: ("A", "ij"),
        edits: &[],
        settings: ["outerPar", "innerPar"],
        paper: Paper { par: 12, resources: [163, 90, 61, 0], ddr4: 8.33 },
    },
    CapstanKernel {
        name: "mattransmul",
        data: Data::Matrices,
        operands: &[
            operand("A", "ji", Filling::Drawn),
            operand("x", "j", Filling::Dense),
            operand("z", "i", Filling::Dense),
        ],
        result: ("y", "i"),
        edits: &[],
        settings: USUAL,
        paper: Paper { par: 16, resources: [47, 66, 36, 16], ddr4: 12.31 },
    },
    CapstanKernel {
        name: "residual",
        data: Data::Matrices,
        operands: &[
            operand("A", "ij", Filling::Drawn),
            operand("x", "j", Filling::Dense),
            operand("b", "i", Filling::Dense),
        ],
        result: ("y", "i"),
        edits: &[],
        settings: USUAL,
        paper: Paper { par: 16, resources: [43, 65, 36, 16], ddr4: 12.06 },
    },
    CapstanKernel {
        name: "ttv",
        data: Data::Tensor,
        operands: &[operand("B", "ijk", Filling::Drawn), operand("c", "k", Filling::Dense)],
        result: ("A", "ij"),
        edits: &[],
        settings: USUAL,
        paper: Paper { par: 16, resources: [93, 91, 67, 16], ddr4: 4.92 },
    },
    CapstanKernel {
        name: "ttm",
        data: Data::Tensor,
        operands: &[operand("B", "ijk", Filling::Drawn), operand("C", "rk", Filling::Dense)],
        result: ("A", "ijr"),
        edits: &[],
        settings: USUAL,
        paper: Paper { par: 12, resources: [161, 89, 70, 0], ddr4: 9.80 },
    },
    CapstanKernel {
        name: "mttkrp",
        data: Data::Tensor,
        operands: &[
            operand("B", "ijk", Filling::Drawn),
            operand("C", "rj", Filling::Dense),
            operand("D", "rk", Filling::Dense),
        ],
        result: ("A", "ir"),
        edits: &[],
        settings: USUAL,
        paper: Paper { par: 8, resources: [140, 70, 58, 0], ddr4: 7.76 },
    },
    CapstanKernel {
        name: "innerprod",
        data: Data::DenseTensors,
        operands: &[operand("B", "ijk", Filling::Drawn), operand("C", "ijk", Filling::MovedEven)],
        result: ("alpha", ""),
        edits: OUTERMOST_BY_SETTING,
        settings: USUAL,
        paper: Paper { par: 8, resources: [53, 155, 80, 0], ddr4: 3.28 },
    },
    CapstanKernel {
        name: "plus2",
        data: Data::DenseTensors,
        operands: &[operand("B", "ijk", Filling::Drawn), operand("C", "ijk", Filling::MovedEven)],
        result: ("A", "ijk"),
        edits: &[],
        settings: USUAL,
        paper: Paper { par: 1, resources: [10, 23, 14, 2], ddr4: 1.72 },
    },
];
