//! Dynamic reflexive tiling (DRT; Odemuyiwa et al., ASPLOS 2023; d2t2.txt sections 2.3 and 6.2), a scheme to compare
//! with: operands are cut into small tiles, micro-tiles, and larger ones are put together of them while the
//! computation runs, as large as the buffers take.
//!
//! Loops over tiles are those of the dataflow order, but where a tile of an index ends is found out for each round of
//! the loops around it (`growth`). The machine is that of `measure`, and so is what counts: a tile is moved when a
//! round needs it, unless it is what the round before has left in that buffer; every round in which a product has a
//! value writes the tile of the result that it gives. Whether tiles fit is asked of sums over micro-tiles, which
//! tell of a bit too many nodes above the values, as the original's hardware does; what moves are the exact bytes of
//! the tiles in compressed sparse fibers.

mod gauge;
mod growth;
mod micro;
mod region;

use crate::grid::Grid;
use crate::join::{Join, Operand};
use crate::machine::{Footprint, Machine};
use crate::measure::{Counter, Moved, Traffic, counting_order, depths, written};
use crate::statement::{Access, Pattern, Statement, Term, Tiles, Var};
use crate::tiled::Tiled;
use gauge::Room;
use growth::Growth;
use micro::Micro;
use region::{Entries, Parts, Region, Tile};
use std::fmt;
use std::ops::Range;
use std::rc::Rc;

/// A statement gone through in tiles that are put together as it runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dynamic {
    /// What has moved.
    pub traffic: Traffic,
    /// The rounds in which all factors had a tile, as they follow: the coordinates along each variable.
    pub rounds: Vec<Vec<Range<u64>>>,
}

/// Why a statement is not gone through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unsupported {
    /// It is a sum of so many products, and tiles are grown for one.
    Products(usize),
    /// This operand is dense or has no indices: all of its micro-tiles are full.
    Dense(String),
    /// No operand has this variable of the result.
    Unbounded(String),
    /// A micro-tile of this operand does not fit in the buffer.
    MicroTile(String),
}

impl fmt::Display for Unsupported {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Products(count) => {
                write!(formatter, "dynamic tiles are grown for one product, and the statement has {count}")
            }
            Self::Dense(access) => {
                write!(formatter, "dynamic tiles are grown in sparse operands, and `{access}` is not one")
            }
            Self::Unbounded(variable) => write!(formatter, "no operand has the variable `{variable}`"),
            Self::MicroTile(access) => write!(formatter, "a micro-tile of `{access}` is beyond the buffer"),
        }
    }
}

impl std::error::Error for Unsupported {}

/// Goes through a statement in tiles that are grown from micro-tiles of these sizes.
///
/// # Errors
/// Statements that are not one product of sparse operands, and micro-tiles that do not fit.
pub fn drt(statement: &Statement, micro: &Tiles, machine: &Machine) -> Result<Dynamic, Unsupported> {
    let (variables, term) = product(statement)?;
    let loops = Loops::new(statement, variables, &term, micro);
    let room = Room::of(machine);
    let counting = counting_order(&loops.variables, &statement.target.indices);
    let (mut whole, mut entries) = (Vec::new(), Vec::new());
    for &access in &term {
        let Access { indices, pattern: Pattern::Points(points), .. } = &statement.accesses[access] else {
            unreachable!("dense operands are refused")
        };
        let tiled = Tiled::new(points, &micro.of_all(indices));
        if !tiled.footprints().into_iter().all(|tile| room.fits(tile)) {
            return Err(Unsupported::MicroTile(statement.access_name(access)));
        }
        whole.push(Micro::new(Grid::new(&tiled, points.extents())));
        entries.push(Entries::new(points, indices, &counting));
    }
    let inputs = vec![Moved::default(); statement.accesses.len()];
    let last = statement.target.indices.last();
    let walk = Walk {
        statement,
        loops: &loops,
        machine,
        room,
        entries: &entries,
        counter: Counter::new(
            statement.target.indices.len(),
            last.map_or(1, |&var| statement.extent(var) as usize),
        ),
        counting,
        at: vec![0..0; loops.variables.len()],
        buffers: vec![Vec::new(); term.len()],
        told: Dynamic { traffic: Traffic { inputs, ..Traffic::default() }, rounds: Vec::new() },
    };
    Ok(walk.run(whole))
}

/// The loops and the one product in them.
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
    /// What is not in the result.
    pub(crate) is_reduced: Vec<bool>,
    /// The number of each operand's access.
    pub(crate) accesses: Vec<usize>,
    /// The depth of the loop of each index of each operand, ascending.
    pub(crate) depths: Vec<Vec<usize>>,
}

impl Loops {
    fn new(statement: &Statement, variables: Vec<Var>, term: &Term, micro: &Tiles) -> Self {
        let extents: Vec<u64> = variables.iter().map(|&var| statement.extent(var)).collect();
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

    /// The coordinates in a range of micro-tiles.
    pub(crate) fn coordinates(&self, depth: usize, range: &Range<u32>) -> Range<u64> {
        let of = |place: u32| (u64::from(place) * self.micro[depth]).min(self.extents[depth]);
        of(range.start)..of(range.end)
    }
}

/// Goes through the loops.
struct Walk<'a> {
    statement: &'a Statement,
    loops: &'a Loops,
    machine: &'a Machine,
    room: Room,
    entries: &'a [Entries],
    /// The loops in which a result is counted.
    counting: Vec<Var>,
    counter: Counter,
    /// The coordinates of the round of each loop.
    at: Vec<Range<u64>>,
    /// What is in the buffer of each operand.
    buffers: Vec<Vec<Range<u64>>>,
    told: Dynamic,
}

impl Walk<'_> {
    fn run(mut self, whole: Vec<Micro>) -> Dynamic {
        let entries: Vec<Vec<u32>> = self.entries.iter().map(Entries::all).collect();
        let regions = whole.into_iter().zip(&entries).map(|(micro, all)| Region::new(Rc::new(micro), all));
        self.step(0, &regions.collect::<Vec<_>>());
        self.told
    }

    /// The rounds of the loop at a depth, in regions of the operands that the loops around it leave.
    fn step(&mut self, depth: usize, regions: &[Region<'_>]) {
        if depth == self.loops.variables.len() {
            return self.leaf(regions);
        }
        let grids: Vec<&Micro> = regions.iter().map(|region| &*region.micro).collect();
        let ranges = Growth::new(self.loops, depth, &self.at, &grids, self.room).ranges();
        let parts: Vec<Option<Parts>> = (0..regions.len())
            .map(|operand| self.parts(operand, depth, &regions[operand], &ranges))
            .collect();
        for (place, range) in ranges.iter().enumerate() {
            if parts.iter().flatten().any(|parts| parts.is_empty(place)) {
                continue;
            }
            self.at[depth] = self.loops.coordinates(depth, range);
            let inner = self.entered(depth, regions, &parts, (place, range));
            self.step(depth + 1, &inner);
        }
    }

    /// What an operand with the loop's index has in each range of it.
    fn parts(&self, operand: usize, depth: usize, of: &Region<'_>, ranges: &[Range<u32>]) -> Option<Parts> {
        let mode = self.loops.depths[operand].iter().position(|other| *other == depth)?;
        Some(self.entries[operand].parts(of, mode, ranges, self.loops.micro[depth]))
    }

    /// What all operands have in a round of the loop at a depth.
    fn entered<'p>(
        &self,
        depth: usize,
        around: &[Region<'p>],
        parts: &'p [Option<Parts>],
        (place, range): (usize, &Range<u32>),
    ) -> Vec<Region<'p>> {
        let of = |operand: usize| {
            let Some(parts) = &parts[operand] else { return around[operand].clone() };
            let mut region = parts.region(place, around[operand].micro.entered(range));
            if self.loops.depths[operand].last() == Some(&depth) {
                region.tile = Some(Rc::new(self.entries[operand].tile(&region)));
            }
            region
        };
        (0..around.len()).map(of).collect()
    }

    /// A round in which all factors have a tile.
    fn leaf(&mut self, regions: &[Region<'_>]) {
        let tiles: Vec<&Tile> = regions
            .iter()
            .map(|region| region.tile.as_deref().expect("all loops have been entered"))
            .collect();
        self.told.rounds.push(self.at.clone());
        self.told.traffic.iterations += 1;
        for (operand, tile) in tiles.iter().enumerate() {
            self.load(operand, tile);
        }
        let result = self.result(&tiles);
        if result != Footprint::default() {
            self.told.traffic.output.add(written(self.machine, result));
        }
    }

    /// Moves a tile that is not in the buffer.
    fn load(&mut self, operand: usize, tile: &Tile) {
        let at = || self.loops.depths[operand].iter().map(|&depth| self.at[depth].clone());
        if !at().eq(self.buffers[operand].iter().cloned()) {
            self.buffers[operand] = at().collect();
            let bytes = self.machine.bytes(tile.footprint);
            self.told.traffic.inputs[self.loops.accesses[operand]].add(bytes);
        }
    }

    /// What a round gives.
    fn result(&mut self, tiles: &[&Tile]) -> Footprint {
        let operands = tiles.iter().zip(self.entries).map(|(tile, entries)| Operand {
            levels: Some(&tile.levels),
            depths: depths(&entries.counting, &self.counting),
            terms: 1,
        });
        let counts = self.counting.iter().map(|&var| self.statement.extent(var) as u32).collect();
        let mut join = Join::new(operands.collect(), counts);
        self.counter.start();
        join.walk(vec![0; tiles.len()], 1, &mut self.counter);
        let target = &self.statement.target;
        let lengths = depths(&target.indices, &self.loops.variables).into_iter().map(|depth| {
            let range = &self.at[depth];
            range.end - range.start
        });
        self.counter.footprint(target, lengths.product())
    }
}
