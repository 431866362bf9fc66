//! Dynamic reflexive tiling (DRT; Odemuyiwa et al., ASPLOS 2023; d2t2.txt sections 2.3 and 6.2), a scheme to
//! compare with: operands are cut into small tiles, micro-tiles, and larger ones are put together of them
//! while the computation runs, as large as the buffers take.
//!
//! Loops over tiles are those of the dataflow order, but where a tile of an index ends is found out for each
//! iteration of the loops around it (`growth`). The machine is that of `measure`, and so is what counts: a
//! tile is moved when an iteration needs it, unless it is what the iteration before has left in that buffer;
//! every iteration in which a product has a value writes the tile of the result that it computes. Whether
//! tiles fit is asked of sums over micro-tiles, which count some nodes above the values more than once, so
//! that tiles stay a bit smaller than they could be; what moves are the exact bytes of the tiles in
//! compressed sparse fibers.
//!
//! What the sources at hand leave open is decided here in favour of the scheme: tiles begin and end with
//! micro-tiles that all operands have, and grow in turn along their indices. Growing along reduced indices to
//! the end first moves a bit less on bcsstk16, and 1.06 to 10 times as much on memplus, soc-slashdot0902 and
//! ship_001.

mod gauge;
mod growth;
mod micro;
mod region;
mod walk;

use crate::grid::Grid;
use crate::machine::Machine;
use crate::measure::{Traffic, counting_order, depths};
use crate::statement::{Access, Pattern, Statement, Term, Tiles, Var};
use crate::tiled::Tiled;
use micro::Micro;
use region::RegionEntries;
use std::ops::Range;
use walk::TileWalk;

/// A statement gone through in tiles that are put together as it runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dynamic {
    pub traffic: Traffic,
    /// The iterations in which all factors had a tile, as they follow: the coordinates along each variable.
    pub iterations: Vec<Vec<Range<u64>>>,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsupported {
    /// It is a sum of so many products, and tiles are grown for one.
    #[error("dynamic tiles are grown for one product, and the statement has {0}")]
    Products(usize),
    /// This operand is dense or has no indices: all of its micro-tiles are full.
    #[error("dynamic tiles are grown in sparse operands, and `{0}` is not one")]
    Dense(String),
    #[error("no operand has the variable `{0}`")]
    Unbounded(String),
    #[error("a micro-tile of `{0}` is beyond the buffer")]
    MicroTile(String),
}

/// Goes through a statement in tiles that are grown from micro-tiles of these sizes.
///
/// # Errors
/// Statements that are not one product of sparse operands, and micro-tiles that do not fit.
pub fn drt(statement: &Statement, micro: &Tiles, machine: &Machine) -> Result<Dynamic, Unsupported> {
    let (variables, term) = product(statement)?;
    let loops = Loops::new(statement, variables, &term, micro);
    let counting = counting_order(&loops.variables, &statement.target.indices);
    let (mut whole, mut entries) = (Vec::new(), Vec::new());
    for (place, &access) in term.iter().enumerate() {
        let Access { indices, pattern: Pattern::Points(points), .. } = &statement.accesses[access] else {
            unreachable!("dense operands are refused")
        };
        let tiled = Tiled::new(points, &loops.sizes(place));
        if !tiled.footprints().into_iter().all(|tile| machine.fits(tile)) {
            return Err(Unsupported::MicroTile(statement.access_name(access)));
        }
        whole.push(Micro::new(Grid::new(&tiled, points.extents(), &vec![1; points.rank()])));
        entries.push(RegionEntries::new(points, indices, &counting));
    }
    Ok(TileWalk::new(statement, &loops, *machine, &entries, counting).run(whole))
}

fn product(statement: &Statement) -> Result<(Vec<Var>, Term), Unsupported> {
    let nests = statement.nests();
    let count = nests.iter().map(|nest| nest.terms.len()).sum();
    let mut products = nests
        .into_iter()
        .flat_map(|nest| nest.terms.into_iter().map(move |term| (nest.variables.clone(), term)));
    let (Some((variables, term)), None) = (products.next(), products.next()) else {
        return Err(Unsupported::Products(count));
    };
    let accesses = || term.iter().map(|&access| &statement.accesses[access]);
    let is_dense = |access: &&usize| {
        let access = &statement.accesses[**access];
        access.pattern == Pattern::Dense || access.indices.is_empty()
    };
    if let Some(&access) = term.iter().find(is_dense) {
        return Err(Unsupported::Dense(statement.access_name(access)));
    }
    let is_bound = |var: &&Var| accesses().any(|access| access.indices.contains(var));
    match variables.iter().find(|var| !is_bound(var)) {
        Some(var) => Err(Unsupported::Unbounded(statement.name(*var).to_owned())),
        None => Ok((variables, term)),
    }
}

/// The loops over tiles, from the outermost in, and the operands in them.
pub(crate) struct Loops {
    pub(crate) variables: Vec<Var>,
    pub(crate) extents: Vec<u64>,
    /// How far a micro-tile reaches.
    pub(crate) micro: Vec<u64>,
    pub(crate) is_reduced: Vec<bool>,
    /// The number of each operand's access.
    pub(crate) accesses: Vec<usize>,
    /// The depth of the loop of each index of each operand, ascending.
    pub(crate) depths: Vec<Vec<usize>>,
}

impl Loops {
    fn new(statement: &Statement, variables: Vec<Var>, term: &Term, micro: &Tiles) -> Self {
        let extents = statement.extents(&variables);
        let sizes = variables.iter().zip(&extents).map(|(&var, &extent)| micro.of(var).min(extent).max(1));
        Self {
            micro: sizes.collect(),
            is_reduced: variables.iter().map(|var| !statement.target.indices.contains(var)).collect(),
            accesses: term.clone(),
            depths: term
                .iter()
                .map(|&access| depths(&statement.accesses[access].indices, &variables))
                .collect(),
            extents,
            variables,
        }
    }

    /// The size of micro-tiles along each index of an operand.
    fn sizes(&self, operand: usize) -> Vec<u64> {
        self.depths[operand].iter().map(|&depth| self.micro[depth]).collect()
    }

    pub(crate) fn coordinates(&self, depth: usize, range: &Range<u32>) -> Range<u64> {
        let of = |place: u32| (u64::from(place) * self.micro[depth]).min(self.extents[depth]);
        of(range.start)..of(range.end)
    }
}
