//! The kernels of d2t2.txt, table 3, on the data of a file.

use crate::data;
use crate::setting::Outcome;
use comet_gen::Coordinates;
use comet_runtime::{CoordinateTensor, ReadOptions, read_file};
use comet_tiling::{Access, Expr, Pattern, Points, Statement, Target, Var, Variable};
use std::path::Path;
use std::sync::Arc;

/// What is computed, and in which order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TiledKernel {
    /// `C[i,j] = A[i,k] * A[j,k]` by inner products.
    Ijk,
    /// The same by Gustavson's algorithm.
    Ikj,
    /// `X[i,j,k] = C[i,j,l] * B[k,l]`.
    Ttm,
    /// `D[i,j] = A[i,k,l] * B[j,k] * C[j,l]`.
    Mttkrp,
}

/// The share of the entries of random factors, and the one of those that would be large.
const DENSITIES: [f64; 2] = [0.01, 0.001];
const LARGE: f64 = 4e6;

/// An operand: its name, its indices in dataflow order, and its entries.
type Operand = (&'static str, &'static str, Points);

impl TiledKernel {
    pub(crate) const ALL: [Self; 4] = [Self::Ikj, Self::Ijk, Self::Ttm, Self::Mttkrp];

    /// Those for the rank of a tensor.
    pub(crate) fn of_rank(rank: usize) -> &'static [Self] {
        if rank == 2 { &[Self::Ikj, Self::Ijk] } else { &[Self::Ttm, Self::Mttkrp] }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Ijk => "ijk",
            Self::Ikj => "ikj",
            Self::Ttm => "TTM",
            Self::Mttkrp => "MTTKRP-3",
        }
    }

    /// On the data of a file.
    pub(crate) fn statement(self, data: &Points) -> Outcome<Statement> {
        let extents = data.extents();
        let (first, second) = (extents[0], extents[1]);
        let third = extents.get(2).copied().unwrap_or(1);
        let data = data.clone();
        match self {
            Self::Ikj => {
                let turned = data.permuted(&[1, 0]);
                Ok(gustavson(data, turned))
            }
            Self::Ijk => {
                let other = data.clone();
                Ok(product(
                    &[("i", first), ("j", first), ("k", second)],
                    "C",
                    "ij",
                    vec![("A", "ik", data), ("B", "jk", other)],
                ))
            }
            Self::Ttm => {
                let wide = first.max(second);
                let factor = random(&[third, wide], 1)?;
                let order = [("i", first), ("j", second), ("l", third), ("k", wide)];
                Ok(product(&order, "X", "ijk", vec![("C", "ijl", data), ("B", "lk", factor)]))
            }
            Self::Mttkrp => {
                let (b, c) = (random(&[second, first], 1)?, random(&[third, first], 2)?);
                let order = [("i", first), ("k", second), ("l", third), ("j", first)];
                Ok(product(&order, "D", "ij", vec![("A", "ikl", data), ("B", "kj", b), ("C", "lj", c)]))
            }
        }
    }
}

/// `C[i,j] = A[i,k] * B[k,j]` by Gustavson's algorithm.
pub(crate) fn gustavson(first: Points, second: Points) -> Statement {
    let (rows, inner, columns) = (first.extents()[0], first.extents()[1], second.extents()[1]);
    product(
        &[("i", rows), ("k", inner), ("j", columns)],
        "C",
        "ij",
        vec![("A", "ik", first), ("B", "kj", second)],
    )
}

/// The points of a file; of a tensor of more modes, without the last ones.
pub(crate) fn points(file: &Path) -> Outcome<Points> {
    let entries = read_file(file, &ReadOptions::default()).map_err(|error| error.to_string())?;
    let CoordinateTensor { mut dims, mut coords, .. } = entries;
    dims.truncate(3);
    coords.truncate(3);
    let extents: Vec<u64> = dims.iter().map(|extent| extent.unsigned_abs()).collect();
    Points::new(&extents, &coords).map_err(|error| error.to_string())
}

fn random(extents: &[u64], seed: u64) -> Outcome<Points> {
    let all: f64 = extents.iter().map(|&extent| extent as f64).product();
    let density = if all * DENSITIES[0] <= LARGE { DENSITIES[0] } else { DENSITIES[1] };
    let dims: Vec<usize> = extents.iter().map(|&extent| extent as usize).collect();
    located(data::uniform(&dims, (all * density) as u64, seed)?)
}

/// Where generated entries are.
pub(crate) fn located(drawn: Coordinates) -> Outcome<Points> {
    let coords: Vec<Vec<i64>> =
        drawn.coords.into_iter().map(|column| column.into_iter().map(u64::cast_signed).collect()).collect();
    Points::new(&drawn.dims, &coords).map_err(|error| error.to_string())
}

/// A product of all operands, over variables in dataflow order.
fn product(order: &[(&str, u64)], target: &str, indices: &str, operands: Vec<Operand>) -> Statement {
    let var = |name: char| {
        let place = order.iter().position(|(other, _)| other.starts_with(name));
        Var(place.expect("an index is a variable"))
    };
    let vars = |indices: &str| indices.chars().map(var).collect::<Vec<_>>();
    let factors = (0..operands.len()).map(Expr::Access).collect();
    Statement {
        variables: order.iter().map(|&(name, extent)| Variable { name: name.to_owned(), extent }).collect(),
        accesses: operands
            .into_iter()
            .map(|(name, indices, points)| Access {
                name: name.to_owned(),
                indices: vars(indices),
                pattern: Pattern::Points(Arc::new(points)),
            })
            .collect(),
        target: Target { name: target.to_owned(), indices: vars(indices), is_dense: false },
        value: Expr::All(factors),
    }
}
