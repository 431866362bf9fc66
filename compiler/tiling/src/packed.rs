//! Packed tiles (d2t2.txt section 6.7): what has been cut into small tiles is not cut again. Small tiles that
//! a chosen one is made of are brought together, each found by levels of its own: `A[i', k', i, k]` becomes
//! `A[i'', k'', i', k', i, k]`.
//!
//! It is the same statement with two variables in place of each, the number of the small tile and the place
//! in it, and tiles that are cut along the first: `C[i,j] = A[i,k] * B[k,j]` in the order i, k, j is
//! `C[i',j',i,j] = A[i',k',i,k] * B[k',j',k,j]` in the order i', k', j', i, k, j.

use crate::machine::Machine;
use crate::nested::Around;
use crate::optimize::fullest_of;
use crate::statement::{Statement, Tiles, Var};

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
