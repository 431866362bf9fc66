//! The kernels of d2t2.txt, table 3.

use crate::setting::Outcome;
use comet_runtime::{ReadOptions, read_file};
use comet_tiling::{Access, Expr, Pattern, Points, Statement, Target, Var, Variable};
use std::path::Path;
use std::sync::Arc;

/// What is computed, and in which order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kernel {
    /// `C[i,j] = A[i,k] * A[j,k]`, inner products.
    Ijk,
    /// The same by Gustavson's algorithm.
    Ikj,
}

impl Kernel {
    /// On the data of a file.
    pub(crate) fn statement(self, file: &Path) -> Outcome<Statement> {
        let entries = read_file(file, &ReadOptions::default()).map_err(|error| error.to_string())?;
        let extents: Vec<u64> = entries.dims.iter().map(|extent| extent.unsigned_abs()).collect();
        let points = Points::new(&extents, &entries.coords).map_err(|error| error.to_string())?;
        Ok(self.product(points))
    }

    fn product(self, points: Points) -> Statement {
        let [rows, columns] = *points.extents() else { unreachable!("a matrix") };
        let turned = points.permuted(&[1, 0]);
        let variable = |name: &str, extent| Variable { name: name.to_owned(), extent };
        let (variables, i, j, k) = match self {
            Self::Ijk => (
                vec![variable("i", rows), variable("j", rows), variable("k", columns)],
                Var(0),
                Var(1),
                Var(2),
            ),
            Self::Ikj => (
                vec![variable("i", rows), variable("k", columns), variable("j", rows)],
                Var(0),
                Var(2),
                Var(1),
            ),
        };
        let points = Arc::new(points);
        let second = if self == Self::Ijk { Arc::clone(&points) } else { Arc::new(turned) };
        let mut of_second = vec![j, k];
        of_second.sort_unstable();
        Statement {
            variables,
            accesses: vec![
                Access { name: "A".to_owned(), indices: vec![i, k], pattern: Pattern::Points(points) },
                Access { name: "B".to_owned(), indices: of_second, pattern: Pattern::Points(second) },
            ],
            target: Target { name: "C".to_owned(), indices: vec![i, j], is_dense: false },
            value: Expr::Exists(vec![k], Box::new(Expr::All(vec![Expr::Access(0), Expr::Access(1)]))),
        }
    }
}
