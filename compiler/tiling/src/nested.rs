//! A statement inside of tiles: with two variables in place of each, the number of the tile and the place in
//! it, or with more of them where tiles are inside of tiles. `C[i,j] = A[i,k] * B[k,j]` in the order i, k, j
//! becomes `C[i',j',i,j] = A[i',k',i,k] * B[k',j',k,j]` in the order i', k', j', i, k, j.
//!
//! What moves between two levels of memory is the traffic of that statement in tiles of the inner level, with
//! tiles of one coordinate along the variables of the loops around. Levels of these coordinates take nothing:
//! a tile takes what the same points take as a tile of the plain statement.

use crate::statement::{Access, Pattern, Statement, Target, Tiles, Var, Variable, position};
use std::sync::Arc;

/// The tiles of the levels around.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Around {
    extents: Vec<u64>,
    tiles: Vec<Tiles>,
}

impl Around {
    pub(crate) fn new(statement: &Statement, tiles: &[Tiles]) -> Self {
        let extents: Vec<u64> = statement.variables.iter().map(|variable| variable.extent).collect();
        Self { extents, tiles: tiles.to_vec() }
    }

    /// How many of the variables are of loops around: the first ones.
    pub(crate) fn variables(&self) -> usize {
        self.tiles.len() * self.extents.len()
    }

    /// How many of some variables are of loops around. They come first in dataflow order.
    pub(crate) fn outside(&self, vars: &[Var]) -> usize {
        vars.iter().filter(|var| var.0 < self.variables()).count()
    }

    /// With one coordinate along the variables of the loops around.
    pub(crate) fn with_single(&self, mut tiles: Tiles) -> Tiles {
        tiles.0[..self.variables()].fill(1);
        tiles
    }

    /// Tiles of the statement inside, of these sizes along the variables of the plain statement.
    pub(crate) fn tiles(&self, plain: &Tiles) -> Tiles {
        Tiles(std::iter::repeat_n(1, self.variables()).chain(plain.0.iter().copied()).collect())
    }

    /// The sizes along the variables of the plain statement.
    pub(crate) fn plain(&self, tiles: &Tiles) -> Tiles {
        Tiles(tiles.0[self.variables()..].to_vec())
    }

    /// How many coordinates a variable has inside of the tiles around at some place of their loops, which
    /// are over the `loops`: the last tile along a variable ends where that does.
    pub(crate) fn extent(&self, var: Var, loops: &[Var], path: &[u32]) -> Option<u64> {
        let plain = var.0.checked_sub(self.variables()).filter(|_| !self.tiles.is_empty())?;
        let mut extent = self.extents[plain];
        for (level, tiles) in self.tiles.iter().enumerate() {
            let at = path[position(loops, Var(level * self.extents.len() + plain))];
            let size = tiles.0[plain];
            extent = extent.saturating_sub(u64::from(at) * size).min(size);
        }
        Some(extent)
    }

    /// The coordinates of a point of the loops over some variables of the plain statement, in the loops of
    /// the statement inside.
    pub(crate) fn point(&self, loops: &[Var], point: &[u32], nested: &mut Vec<u32>) {
        let begin = nested.len();
        let mut rest = point.to_vec();
        for tiles in &self.tiles {
            for (at, var) in rest.iter_mut().zip(loops) {
                let size = tiles.of(*var).min(u64::from(u32::MAX)) as u32;
                nested.push(*at / size);
                *at %= size;
            }
        }
        nested.extend(rest);
        debug_assert_eq!(nested.len() - begin, (self.tiles.len() + 1) * loops.len());
    }

    pub(crate) fn statement(&self, plain: &Statement) -> Statement {
        let (count, levels) = (plain.variables.len(), self.tiles.len());
        let again = |indices: &[Var]| -> Vec<Var> {
            let of = |level: usize| indices.iter().map(move |var| Var(level * count + var.0));
            (0..=levels).flat_map(of).collect()
        };
        let access = |access: &Access| Access {
            name: access.name.clone(),
            indices: again(&access.indices),
            pattern: match &access.pattern {
                Pattern::Dense => Pattern::Dense,
                Pattern::Points(points) => {
                    let sizes: Vec<_> =
                        self.tiles.iter().map(|tiles| tiles.of_all(&access.indices)).collect();
                    Pattern::Points(Arc::new(points.nested(&sizes)))
                }
            },
        };
        Statement {
            variables: self.variables_of(plain),
            accesses: plain.accesses.iter().map(access).collect(),
            target: Target { indices: again(&plain.target.indices), ..plain.target.clone() },
            value: plain.value.clone(),
        }
    }

    fn variables_of(&self, plain: &Statement) -> Vec<Variable> {
        let mut within = self.extents.clone();
        let mut variables = Vec::new();
        for (level, tiles) in self.tiles.iter().enumerate() {
            let mark = "'".repeat(self.tiles.len() - level);
            for ((variable, extent), size) in plain.variables.iter().zip(&mut within).zip(&tiles.0) {
                let name = format!("{}{mark}", variable.name);
                variables.push(Variable { name, extent: extent.div_ceil(*size) });
                *extent = *size;
            }
        }
        let inner = plain.variables.iter().zip(within);
        variables.extend(inner.map(|(variable, extent)| Variable { name: variable.name.clone(), extent }));
        variables
    }
}
