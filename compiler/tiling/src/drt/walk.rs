//! The loops over tiles that are grown on the way, and what their iterations move.

use super::growth::Growth;
use super::micro::Micro;
use super::region::{Region, RegionEntries, RegionParts, Tile};
use super::{Dynamic, Loops};
use crate::join::{Join, JoinOperand};
use crate::machine::{Footprint, Machine};
use crate::measure::{Moved, Traffic, depths};
use crate::result::{Counter, written};
use crate::statement::{Statement, Var};
use std::ops::Range;
use std::rc::Rc;

pub(crate) struct TileWalk<'a> {
    statement: &'a Statement,
    loops: &'a Loops,
    machine: Machine,
    entries: &'a [RegionEntries],
    /// The loops in which a result is counted.
    counting: Vec<Var>,
    counter: Counter,
    at: Vec<Range<u64>>,
    /// What is in the buffer of each operand.
    buffers: Vec<Vec<Range<u64>>>,
    outcome: Dynamic,
}

impl<'a> TileWalk<'a> {
    pub(crate) fn new(
        statement: &'a Statement,
        loops: &'a Loops,
        machine: Machine,
        entries: &'a [RegionEntries],
        counting: Vec<Var>,
    ) -> Self {
        let result = &statement.target.indices;
        let coordinates = result.last().map_or(1, |&var| statement.extent(var) as usize);
        let inputs = vec![Moved::default(); statement.accesses.len()];
        Self {
            statement,
            loops,
            machine,
            entries,
            counting,
            counter: Counter::new(&statement.target, coordinates, 0),
            at: vec![0..0; loops.variables.len()],
            buffers: vec![Vec::new(); entries.len()],
            outcome: Dynamic { traffic: Traffic { inputs, ..Traffic::default() }, iterations: Vec::new() },
        }
    }

    pub(crate) fn run(mut self, whole: Vec<Micro>) -> Dynamic {
        let entries: Vec<Vec<u32>> = self.entries.iter().map(RegionEntries::all).collect();
        let regions = whole.into_iter().zip(&entries).map(|(micro, all)| Region::new(Rc::new(micro), all));
        self.step(0, &regions.collect::<Vec<_>>());
        self.outcome
    }

    /// The iterations of the loop at a depth, in regions of the operands that the loops around it leave.
    fn step(&mut self, depth: usize, regions: &[Region<'_>]) {
        if depth == self.loops.variables.len() {
            return self.leaf(regions);
        }
        let grids: Vec<&Micro> = regions.iter().map(|region| &*region.micro).collect();
        let ranges = Growth::new(self.loops, depth, &self.at, &grids, self.machine).ranges();
        let parts: Vec<Option<RegionParts>> = (0..regions.len())
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
    fn parts(
        &self,
        operand: usize,
        depth: usize,
        of: &Region<'_>,
        ranges: &[Range<u32>],
    ) -> Option<RegionParts> {
        let mode = self.loops.depths[operand].iter().position(|other| *other == depth)?;
        Some(self.entries[operand].parts(of, mode, ranges, self.loops.micro[depth]))
    }

    /// What all operands have in an iteration of the loop at a depth.
    fn entered<'p>(
        &self,
        depth: usize,
        around: &[Region<'p>],
        parts: &'p [Option<RegionParts>],
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

    /// An iteration in which all factors have a tile.
    fn leaf(&mut self, regions: &[Region<'_>]) {
        let tiles: Vec<&Tile> = regions
            .iter()
            .map(|region| region.tile.as_deref().expect("all loops have been entered"))
            .collect();
        self.outcome.iterations.push(self.at.clone());
        self.outcome.traffic.iterations += 1;
        for (operand, tile) in tiles.iter().enumerate() {
            self.load(operand, tile);
        }
        let result = self.result(&tiles);
        if result != Footprint::default() {
            let target = &self.statement.target;
            let target = (target, target.indices.len());
            self.outcome.traffic.output.add(written(&self.machine, target, result));
        }
    }

    fn load(&mut self, operand: usize, tile: &Tile) {
        let at = || self.loops.depths[operand].iter().map(|&depth| self.at[depth].clone());
        if !at().eq(self.buffers[operand].iter().cloned()) {
            self.buffers[operand] = at().collect();
            let bytes = self.machine.bytes(tile.footprint);
            self.outcome.traffic.inputs[self.loops.accesses[operand]].add(bytes);
        }
    }

    fn result(&mut self, tiles: &[&Tile]) -> Footprint {
        let operands = tiles.iter().zip(self.entries).map(|(tile, entries)| JoinOperand {
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
