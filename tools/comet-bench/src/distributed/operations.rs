//! What is measured on several processes: a program of `peers/distributed` each.

use crate::agree::TOLERANCE;

/// An operation on a square matrix.
#[derive(Debug)]
pub(super) struct Operation {
    pub(super) name: &'static str,
    /// The program, and what peers call it.
    pub(super) program: &'static str,
    /// The columns of the dense operand that is read, if one is.
    pub(super) columns: Option<usize>,
    /// How many times the program prints, and of how many repetitions each.
    pub(super) blocks: usize,
    pub(super) repetitions: usize,
    /// The largest ratio that meets the goal; nothing where no peer is asked.
    pub(super) goal: Option<f64>,
    /// How far the sums of runs may be apart, relative to one.
    pub(super) tolerance: f64,
    /// Whether the result is sparse, and may have too many entries.
    pub(super) has_sparse_result: bool,
}

pub(super) const SPMV: Operation = Operation {
    name: "SpMV",
    program: "spmv",
    columns: Some(1),
    blocks: 5,
    repetitions: 100,
    goal: Some(1.0),
    tolerance: TOLERANCE,
    has_sparse_result: false,
};

pub(super) const SPMM: Operation = Operation {
    name: "SpMM 32",
    program: "spmm",
    columns: Some(32),
    blocks: 5,
    repetitions: 10,
    goal: Some(0.7),
    tolerance: TOLERANCE,
    has_sparse_result: false,
};

pub(super) const SPGEMM: Operation = Operation {
    name: "SpGEMM",
    program: "spgemm",
    columns: None,
    blocks: 4,
    repetitions: 1,
    goal: Some(0.5),
    tolerance: TOLERANCE,
    has_sparse_result: true,
};

/// Fifty iterations of conjugate gradients.
pub(super) const CG: Operation = Operation {
    name: "CG",
    program: "cg",
    columns: None,
    blocks: 3,
    repetitions: 50,
    goal: None,
    // Each iteration enlarges what the order of additions changes.
    tolerance: 1e-6,
    has_sparse_result: false,
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::peers::sources;

    /// Peers get the number of repetitions; the programs of comet state it.
    #[test]
    fn programs_repeat_as_often_as_the_table_says() {
        for operation in [SPMV, SPMM, SPGEMM, CG] {
            let path = sources().join("distributed").join(operation.program).with_extension("ta");
            let text = std::fs::read_to_string(path).unwrap();
            for (label, count) in [("block", operation.blocks), ("repetition", operation.repetitions)] {
                let wanted = format!("for {label} in range({count}):");
                assert!(text.contains(&wanted), "{}: {wanted}", operation.name);
            }
        }
    }
}
