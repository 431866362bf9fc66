//! The kernels: what each computes of what, and the ratios to the fastest peer that are wanted.

use super::inputs::{Input, InputKind, InputOperand};

/// A statement of `peers/run/operations.ta`.
pub(super) struct Kernel {
    pub(super) title: &'static str,
    pub(super) operation: &'static str,
    of: Of,
    pub(super) operands: &'static [InputOperand],
    pub(super) result: Shape,
    goals: Goals,
}

#[derive(PartialEq)]
enum Of {
    Matrices,
    Products,
    Tensors,
}

/// What a result is.
pub(super) enum Shape {
    Sparse,
    /// Dense, with these extents.
    Dense(&'static [Extent]),
}

pub(super) enum Extent {
    /// That of a mode of the input.
    Of(usize),
    Is(usize),
}

/// The largest ratios that are wanted.
struct Goals {
    one_thread: f64,
    /// And on some inputs, with one thread.
    on: &'static [(&'static str, f64)],
    more_threads: f64,
}

/// The columns of dense operands.
const RANK: usize = 32;
/// Dense results with more elements are left out.
const MOST_ELEMENTS: usize = 1 << 27;
/// And products of matrices with more entries.
const MOST_ENTRIES: usize = 1 << 26;

const fn goals(one_thread: f64, on: &'static [(&'static str, f64)], more_threads: f64) -> Goals {
    Goals { one_thread, on, more_threads }
}

use Extent::{Is, Of as ExtentOf};
use InputOperand::{Coo, Dense, Factor, Moved, Stored};

pub(super) const KERNELS: [Kernel; 16] = [
    Kernel {
        title: "SpMV",
        operation: "spmv",
        of: Of::Matrices,
        operands: &[Stored, Dense { mode: 1, width: 1 }],
        result: Shape::Dense(&[ExtentOf(0)]),
        goals: goals(1.05, &[("rmat18", 0.9)], 1.0),
    },
    Kernel {
        title: "SpMM, 32 columns",
        operation: "spmm32",
        of: Of::Matrices,
        operands: &[Stored, Dense { mode: 1, width: RANK }],
        result: Shape::Dense(&[ExtentOf(0), Is(RANK)]),
        goals: goals(0.8, &[("rmat18", 0.6)], 0.7),
    },
    Kernel {
        title: "SpMM, 64 columns",
        operation: "spmm64",
        of: Of::Matrices,
        operands: &[Stored, Dense { mode: 1, width: 64 }],
        result: Shape::Dense(&[ExtentOf(0), Is(64)]),
        goals: goals(0.8, &[("rmat18", 0.6)], 0.7),
    },
    Kernel {
        title: "SDDMM, 32",
        operation: "sddmm",
        of: Of::Matrices,
        operands: &[Stored, Dense { mode: 0, width: RANK }, Dense { mode: 1, width: RANK }],
        result: Shape::Sparse,
        goals: goals(1.0, &[("rmat18", 0.7)], 0.7),
    },
    Kernel {
        title: "SpGEMM",
        operation: "spgemm",
        of: Of::Products,
        operands: &[Stored, Factor],
        result: Shape::Sparse,
        goals: goals(1.0, &[("ca-AstroPh", 0.6), ("memplus", 0.6)], 0.6),
    },
    Kernel {
        title: "SpGEMM into CSC",
        operation: "spgemm_to_csc",
        of: Of::Products,
        operands: &[Stored, Factor],
        result: Shape::Sparse,
        goals: goals(0.77, &[], 0.77),
    },
    Kernel {
        title: "sum of 2",
        operation: "add2",
        of: Of::Matrices,
        operands: &[Stored, Moved(1)],
        result: Shape::Sparse,
        goals: goals(0.8, &[], 0.7),
    },
    Kernel {
        title: "sum of 3",
        operation: "add3",
        of: Of::Matrices,
        operands: &[Stored, Moved(1), Moved(2)],
        result: Shape::Sparse,
        goals: goals(0.8, &[], 0.7),
    },
    Kernel {
        title: "elementwise product",
        operation: "multiply",
        of: Of::Matrices,
        operands: &[Stored, Moved(1)],
        result: Shape::Sparse,
        goals: goals(1.2, &[], 1.2),
    },
    Kernel {
        title: "CSR to CSC",
        operation: "csr_to_csc",
        of: Of::Matrices,
        operands: &[Stored],
        result: Shape::Sparse,
        goals: goals(1.0, &[], 0.75),
    },
    Kernel {
        title: "COO to CSR",
        operation: "coo_to_csr",
        of: Of::Matrices,
        operands: &[Coo],
        result: Shape::Sparse,
        goals: goals(1.0, &[], 0.75),
    },
    Kernel {
        title: "TTV",
        operation: "ttv",
        of: Of::Tensors,
        operands: &[Stored, Dense { mode: 2, width: 1 }],
        result: Shape::Dense(&[ExtentOf(0), ExtentOf(1)]),
        goals: goals(1.0, &[], 0.7),
    },
    Kernel {
        title: "TTV, sparse result",
        operation: "ttv_sparse",
        of: Of::Tensors,
        operands: &[Stored, Dense { mode: 2, width: 1 }],
        result: Shape::Sparse,
        goals: goals(1.0, &[], 0.7),
    },
    Kernel {
        title: "TTM",
        operation: "ttm",
        of: Of::Tensors,
        operands: &[Stored, Dense { mode: 2, width: RANK }],
        result: Shape::Dense(&[ExtentOf(0), ExtentOf(1), Is(RANK)]),
        goals: goals(0.6, &[], 0.35),
    },
    Kernel {
        title: "TTM, sparse result",
        operation: "ttm_sparse",
        of: Of::Tensors,
        operands: &[Stored, Dense { mode: 2, width: RANK }],
        result: Shape::Sparse,
        goals: goals(0.6, &[], 0.35),
    },
    Kernel {
        title: "MTTKRP",
        operation: "mttkrp",
        of: Of::Tensors,
        operands: &[Stored, Dense { mode: 1, width: RANK }, Dense { mode: 2, width: RANK }],
        result: Shape::Dense(&[ExtentOf(0), Is(RANK)]),
        goals: goals(0.75, &[], 0.5),
    },
];

/// The kernel of that operation.
pub(super) fn kernel(operation: &str) -> &'static Kernel {
    KERNELS.iter().find(|kernel| kernel.operation == operation).expect("the operation is in the table")
}

impl Kernel {
    pub(super) fn takes(&self, kind: InputKind) -> bool {
        match self.of {
            Of::Matrices => kind == InputKind::Matrix,
            Of::Products => kind != InputKind::Tensor,
            Of::Tensors => kind == InputKind::Tensor,
        }
    }

    /// The largest ratio that is wanted.
    pub(super) fn goal(&self, input: &str, threads: u32) -> f64 {
        let on = self.goals.on.iter().find(|(name, _)| *name == input);
        match (threads, on) {
            (1, Some((_, goal))) => *goal,
            (1, None) => self.goals.one_thread,
            _ => self.goals.more_threads,
        }
    }

    /// Why an input is left out, where its result is too large.
    pub(super) fn left_out(&self, input: &Input) -> Option<String> {
        if self.of == Of::Products {
            let too_many = input.entries_of_product(MOST_ENTRIES) > MOST_ENTRIES;
            return too_many.then(|| format!("its result has more than {MOST_ENTRIES} entries"));
        }
        let elements = self.dense_extents(input)?.iter().product::<usize>();
        (elements > MOST_ELEMENTS).then(|| format!("its result has {elements} elements"))
    }

    /// The extents of a dense result.
    fn dense_extents(&self, input: &Input) -> Option<Vec<usize>> {
        let Shape::Dense(extents) = &self.result else { return None };
        let extent = |extent: &Extent| match extent {
            ExtentOf(mode) => input.extent(*mode),
            Is(extent) => *extent,
        };
        Some(extents.iter().map(extent).collect())
    }

    /// The result as the programs take it: `sparse`, or extents as `3x4`.
    pub(super) fn result(&self, input: &Input) -> String {
        match self.dense_extents(input) {
            None => "sparse".to_owned(),
            Some(extents) => extents.iter().map(usize::to_string).collect::<Vec<_>>().join("x"),
        }
    }
}
