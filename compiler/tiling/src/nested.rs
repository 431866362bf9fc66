//! A statement inside of tiles: with two variables in place of each, the number of the tile and the place in
//! it, or with more of them where tiles are inside of tiles. `C[i,j] = A[i,k] * B[k,j]` in the order i, k, j
//! becomes `C[i',j',i,j] = A[i',k',i,k] * B[k',j',k,j]` in the order i', k', j', i, k, j.
//!
//! What moves between two levels of memory is the traffic of that statement in tiles of the inner level, with
//! tiles of one coordinate along the variables of the loops around. Levels of these coordinates take nothing:
//! a tile takes what the same points take as a tile of the plain statement.

use crate::machine::Machine;
use crate::optimize::fullest_of;
use crate::statement::{Access, Statement, Target, Tiles, Var, Variable, position};

/// The tiles of the levels around.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Around {
    extents: Vec<u64>,
    tiles: Vec<Tiles>,
}

impl Around {
    pub(crate) fn new(statement: &Statement, tiles: &[Tiles]) -> Self {
        Self { extents: statement.whole().0, tiles: tiles.to_vec() }
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
            pattern: access.with_points(|points| {
                points
                    .nested(&self.tiles.iter().map(|tiles| tiles.of_all(&access.indices)).collect::<Vec<_>>())
            }),
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

/// A statement over small tiles, with how many of these make a tile.
#[derive(Clone, Debug)]
pub struct Packed {
    /// Twice as many variables: the small tiles in dataflow order, then what is in them.
    pub statement: Statement,
    /// In small tiles along the first half; all of what is in them along the second.
    pub tiles: Tiles,
}

impl Packed {
    /// Tiles of about these sizes, each the nearest multiple of the small ones, and smaller where that would
    /// not fit: small tiles take coordinates of their own.
    pub fn new(statement: &Statement, small: &Tiles, tiles: &Tiles, machine: &Machine) -> Self {
        let all: Vec<Var> = (0..statement.variables.len()).map(Var).collect();
        let counts = all.iter().map(|&var| {
            let side = small.of(var);
            let nearest = (tiles.of(var) + side / 2) / side;
            nearest.clamp(1, small.count(statement, var))
        });
        let own = Self {
            statement: Around::new(statement, std::slice::from_ref(small)).statement(statement),
            tiles: Tiles(counts.chain(small.0.iter().copied()).collect()),
        };
        own.fitting(machine)
    }

    /// How far the tiles reach along the variables of the statement that this is made of.
    pub fn sizes(&self) -> Tiles {
        let (outer, small) = self.tiles.0.split_at(self.tiles.0.len() / 2);
        Tiles(outer.iter().zip(small).map(|(count, side)| count * side).collect())
    }

    /// Halves the longest side of tiles that do not fit.
    fn fitting(mut self, machine: &Machine) -> Self {
        let count = self.tiles.0.len() / 2;
        loop {
            let mut accesses = self.statement.accesses.iter();
            let beyond = accesses.find(|access| fullest_of(access, &self.tiles, machine) > 1.0);
            let Some(beyond) = beyond else { return self };
            let outer = beyond.indices.iter().filter(|var| var.0 < count);
            let longest = outer.max_by_key(|&&var| self.tiles.of(var));
            match longest.filter(|&&var| self.tiles.of(var) > 1) {
                Some(&Var(place)) => self.tiles.0[place] /= 2,
                None => return self,
            }
        }
    }
}
