//! Measured traffic: the tiled computation is gone through on the data, and what moves is counted.
//!
//! The machine is that of d2t2.txt section 6. Tiles are pushed to it: a tile comes in each round of the loops
//! over tiles around the last of its indices, if it is not empty and some product of that round has tiles of
//! all its factors. Sums over tiles are made in main memory, so that every round in which a product has a
//! value writes the tile of the result that it gives; what does not fit in the buffer for results is written
//! in several parts. What does not fit of a tile of an input comes again with each of the rounds in which it
//! is used, as Tailors has it.

use crate::join::{Cursor, Join, Operand, Terms, Visitor};
use crate::machine::{Footprint, Machine};
use crate::statement::{Access, Nest, Pattern, Statement, Target, Tiles, Var};
use crate::tiled::Tiled;
use std::collections::HashMap;
use std::sync::Arc;

/// What has moved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Of each access.
    pub inputs: Vec<Moved>,
    /// Of the result.
    pub output: Moved,
    /// Rounds of the loops over tiles in which all factors of a product had a tile.
    pub iterations: u64,
}

/// Tiles that were moved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moved {
    /// How many, each as often as it was moved.
    pub tiles: u64,
    /// Their values and what says where these are, in bytes.
    pub bytes: u64,
}

impl Moved {
    pub(crate) fn add(&mut self, bytes: u64) {
        self.tiles += 1;
        self.bytes += bytes;
    }
}

impl Traffic {
    /// Of all accesses, in bytes.
    pub fn input(&self) -> u64 {
        self.inputs.iter().map(|input| input.bytes).sum()
    }

    /// In bytes.
    pub fn total(&self) -> u64 {
        self.input() + self.output.bytes
    }
}

/// Which part of the traffic is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// All.
    All,
    /// Inputs only, which takes no look into tiles.
    Inputs,
}

/// Goes through a statement in tiles.
pub fn measure(statement: &Statement, tiles: &Tiles, machine: &Machine, count: Count) -> Traffic {
    let mut traffic =
        Traffic { inputs: vec![Moved::default(); statement.accesses.len()], ..Traffic::default() };
    let mut cut = Cut::default();
    for nest in statement.nests() {
        let order = counting_order(&nest.variables, &statement.target.indices);
        let inputs: Vec<Input> =
            statement.accesses.iter().map(|access| cut.input(access, tiles, machine, &order)).collect();
        Round::new(statement, &nest, tiles, &inputs, machine).run(&order, count, &mut traffic);
    }
    traffic
}

/// Where points are kept, the sizes of tiles, and the orders of the modes inside of tiles and of tiles.
type Way = (usize, Vec<u64>, Vec<usize>, Vec<usize>);

/// Tensors that were cut into tiles; a tensor that is read twice in the same way is cut once.
#[derive(Default)]
struct Cut {
    known: HashMap<Way, Arc<Tiled>>,
}

/// An access in tiles.
struct Input {
    /// Levels of tiles and what is in them in dataflow order; none is dense.
    tiled: Option<Arc<Tiled>>,
    /// The same tiles, what is in them in the order in which results are counted.
    counted: Option<Arc<Tiled>>,
    /// Bytes of each tile.
    bytes: Vec<u64>,
    counting: Vec<Var>,
}

impl Cut {
    fn input(&mut self, access: &Access, tiles: &Tiles, machine: &Machine, order: &[Var]) -> Input {
        let place = |var: &Var| order.iter().position(|other| other == var).unwrap_or(usize::MAX);
        let mut counting = access.indices.clone();
        counting.sort_by_key(place);
        if access.pattern == Pattern::Dense {
            return Input { tiled: None, counted: None, bytes: Vec::new(), counting };
        }
        let tiled = self.tiled(access, &access.indices, tiles);
        let counted = self.tiled(access, &counting, tiles);
        let bytes = tiled.footprints().into_iter().map(|tile| machine.bytes(tile)).collect();
        Input { tiled: Some(tiled), counted: Some(counted), bytes, counting }
    }

    /// With what is in tiles in an order of the indices.
    fn tiled(&mut self, access: &Access, inner: &[Var], tiles: &Tiles) -> Arc<Tiled> {
        let Pattern::Points(points) = &access.pattern else { unreachable!("dense operands are not cut") };
        let mode = |var: &Var| {
            access.indices.iter().position(|other| other == var).expect("an order of its indices")
        };
        let modes: Vec<usize> = inner.iter().map(mode).collect();
        let outer = |var: &Var| inner.iter().position(|other| other == var).expect("an order of its indices");
        let outer: Vec<usize> = access.indices.iter().map(outer).collect();
        let key = (Arc::as_ptr(points) as usize, tiles.of_all(inner), modes.clone(), outer.clone());
        let make = || {
            let sizes = tiles.of_all(inner);
            let is_same = modes.iter().copied().eq(0..modes.len());
            Arc::new(if is_same {
                Tiled::new(points, &sizes)
            } else {
                Tiled::in_order(&points.permuted(&modes), &sizes, &outer)
            })
        };
        Arc::clone(self.known.entry(key).or_insert_with(make))
    }
}

/// The indices of the result but the last, what is reduced, and the last index: so that the values of a fiber
/// of the result are counted by what has been seen of that index.
pub(crate) fn counting_order(loops: &[Var], result: &[Var]) -> Vec<Var> {
    let (last, before) = result.split_last().map_or((None, &[][..]), |(last, before)| (Some(*last), before));
    let reduced = loops.iter().filter(|var| !result.contains(var));
    before.iter().chain(reduced).copied().chain(last).collect()
}

/// The loops over tiles.
struct Round<'a> {
    statement: &'a Statement,
    nest: &'a Nest,
    tiles: &'a Tiles,
    inputs: &'a [Input],
    machine: &'a Machine,
    /// The products that each access is in.
    terms: Vec<Terms>,
}

impl<'a> Round<'a> {
    fn new(
        statement: &'a Statement,
        nest: &'a Nest,
        tiles: &'a Tiles,
        inputs: &'a [Input],
        machine: &'a Machine,
    ) -> Self {
        let is_in = |access: usize| {
            let with = nest.terms.iter().enumerate().filter(|(_, term)| term.contains(&access));
            with.fold(0, |terms, (place, _)| terms | 1 << place)
        };
        let terms = (0..inputs.len()).map(is_in).collect();
        Self { statement, nest, tiles, inputs, machine, terms }
    }

    fn run(&self, order: &[Var], count: Count, traffic: &mut Traffic) {
        let variables = &self.nest.variables;
        let operands = self.inputs.iter().zip(&self.terms).zip(&self.statement.accesses).map(
            |((input, &terms), access)| {
                let levels = input.tiled.as_ref().map(|tiled| &tiled.levels()[..tiled.rank()]);
                Operand {
                    levels: levels.filter(|_| terms != 0),
                    depths: depths(&access.indices, variables),
                    terms,
                }
            },
        );
        let counts = variables.iter().map(|&var| self.tiles.count(self.statement, var) as u32).collect();
        let mut join = Join::new(operands.collect(), counts);
        let all = self.nest.terms.iter().enumerate().fold(0, |all, (place, _)| all | 1 << place);
        let mut loads = Loads {
            round: self,
            at: vec![Vec::new(); variables.len()],
            uses: vec![0; self.inputs.len()],
            result: (count == Count::All).then(|| Product::new(self, order)),
            traffic,
        };
        let mut outermost = Vec::new();
        for (access, input) in
            self.statement.accesses.iter().enumerate().filter(|(access, _)| self.terms[*access] != 0)
        {
            // A loop of one round is no loop.
            let moves = |var: &&Var| self.tiles.count(self.statement, **var) > 1;
            let last = input.indices.iter().rev().find(moves);
            match last.and_then(|last| variables.iter().position(|var| var == last)) {
                Some(depth) => loads.at[depth].push(access),
                None => outermost.push(access),
            }
        }
        let reached = join.walk(vec![0; self.inputs.len()], all, &mut loads);
        let start = Cursor { path: vec![0; variables.len()], nodes: vec![0; self.inputs.len()] };
        for access in outermost.into_iter().filter(|&access| self.terms[access] & reached != 0) {
            loads.load(access, 0, &start);
        }
    }

    /// What the tile takes that an access has where the loops are, in which it has entered so many levels.
    fn bytes(&self, access: usize, entered: usize, at: &Cursor) -> u64 {
        let Some(tiled) = &self.inputs[access].tiled else {
            return self.machine.bytes(self.dense(access, at));
        };
        let mut node = at.nodes[access] as usize;
        for level in &tiled.levels()[entered..tiled.rank()] {
            node = level.segments[node] as usize;
        }
        self.inputs[access].bytes[node]
    }

    /// A tile of a dense operand: the last one along a variable is cut off.
    fn dense(&self, access: usize, at: &Cursor) -> Footprint {
        Footprint::dense(self.extent(&self.statement.accesses[access].indices, at))
    }

    fn extent(&self, indices: &[Var], at: &Cursor) -> u64 {
        let of = |var: &Var| {
            let depth =
                self.nest.variables.iter().position(|other| other == var).expect("loops have all indices");
            let size = self.tiles.of(*var);
            (self.statement.extent(*var) - u64::from(at.path[depth]) * size).min(size)
        };
        indices.iter().map(of).product()
    }
}

/// The depths of the loops over indices.
pub(crate) fn depths(indices: &[Var], loops: &[Var]) -> Vec<usize> {
    let depth = |var: &Var| loops.iter().position(|other| other == var).unwrap_or(usize::MAX);
    indices.iter().map(depth).collect()
}

struct Loads<'a, 'r> {
    round: &'r Round<'a>,
    /// The accesses whose last index is that of the loop at a depth.
    at: Vec<Vec<usize>>,
    /// In how many rounds each access's tile has been used.
    uses: Vec<u64>,
    result: Option<Product<'r>>,
    traffic: &'r mut Traffic,
}

impl Loads<'_, '_> {
    /// A tile comes, of which so many levels have been entered, and goes.
    fn load(&mut self, access: usize, entered: usize, at: &Cursor) {
        let bytes = self.round.bytes(access, entered, at);
        let again = std::mem::take(&mut self.uses[access]).saturating_sub(1);
        let beyond = bytes.saturating_sub(self.round.machine.capacity());
        self.traffic.inputs[access].add(bytes + again * beyond);
    }
}

impl Visitor for Loads<'_, '_> {
    fn leaf(&mut self, terms: Terms, at: &Cursor) -> Terms {
        self.traffic.iterations += 1;
        for (uses, own) in self.uses.iter_mut().zip(&self.round.terms) {
            *uses += u64::from(own & terms != 0);
        }
        if let Some(result) = &mut self.result {
            let tile = result.count(terms, at);
            if tile != Footprint::default() {
                self.traffic.output.add(written(self.round.machine, tile));
            }
        }
        terms
    }

    fn leave(&mut self, depth: usize, reached: Terms, at: &Cursor) {
        for place in 0..self.at[depth].len() {
            let access = self.at[depth][place];
            if self.round.terms[access] & reached == 0 {
                continue;
            }
            let indices = &self.round.statement.accesses[access].indices;
            let var = self.round.nest.variables[depth];
            let entered = indices.iter().position(|other| *other == var).map_or(0, |level| level + 1);
            self.load(access, entered, at);
        }
    }
}

/// What a tile of the result takes when it is written: each part that the buffer is full of is a tile of its
/// own, which says again on which path its first value is.
pub(crate) fn written(machine: &Machine, tile: Footprint) -> u64 {
    let bytes = machine.bytes(tile);
    let parts = bytes.div_ceil(machine.capacity()).max(1);
    bytes + (parts - 1) * 4 * machine.word_bytes
}

/// Counts the result of a round: which of its points the products have in their tiles.
struct Product<'a> {
    join: Join<'a>,
    round: &'a Round<'a>,
    /// Of the loops.
    order: Vec<Var>,
    counter: Counter,
}

/// The nodes of a tile of the result.
pub(crate) struct Counter {
    /// Of each level.
    nodes: Vec<u64>,
    /// For each coordinate of the last index, the fiber in which it was seen last.
    seen: Vec<u32>,
    fiber: u32,
}

impl<'a> Product<'a> {
    fn new(round: &'a Round<'a>, order: &[Var]) -> Self {
        let operands = round.inputs.iter().zip(&round.terms).map(|(input, &terms)| {
            let levels = input.counted.as_ref().map(|tiled| &tiled.levels()[tiled.rank()..]);
            Operand { levels: levels.filter(|_| terms != 0), depths: depths(&input.counting, order), terms }
        });
        let counts: Vec<u32> =
            order.iter().map(|&var| round.tiles.of(var).min(round.statement.extent(var)) as u32).collect();
        let rank = round.statement.target.indices.len();
        let counter = Counter::new(rank, counts.last().map_or(1, |&count| count as usize));
        Self { join: Join::new(operands.collect(), counts), round, order: order.to_vec(), counter }
    }

    fn count(&mut self, terms: Terms, at: &Cursor) -> Footprint {
        self.counter.start();
        // The last tile along a variable ends where the variable does.
        for (depth, &var) in self.order.iter().enumerate() {
            self.join.limit(depth, self.round.extent(&[var], at) as u32);
        }
        self.join.walk(at.nodes.iter().copied(), terms, &mut self.counter);
        let target = &self.round.statement.target;
        self.counter.footprint(target, self.round.extent(&target.indices, at))
    }
}

impl Counter {
    /// Of a result of a rank, whose last index has so many coordinates.
    pub(crate) fn new(rank: usize, coordinates: usize) -> Self {
        let seen = vec![0; if rank == 0 { 1 } else { coordinates }];
        Self { nodes: vec![0; rank.max(1)], seen, fiber: 0 }
    }

    /// Begins another tile.
    pub(crate) fn start(&mut self) {
        self.nodes.fill(0);
        self.next_fiber();
    }

    /// What has been counted, in a tile of so many coordinates.
    pub(crate) fn footprint(&self, target: &Target, extent: u64) -> Footprint {
        match self.nodes.last() {
            Some(0) | None => Footprint::default(),
            Some(_) if target.is_dense => Footprint::dense(extent),
            Some(_) if target.indices.is_empty() => Footprint::dense(1),
            Some(_) => Footprint::of_nodes(&self.nodes),
        }
    }

    fn next_fiber(&mut self) {
        self.fiber = self.fiber.wrapping_add(1);
        if self.fiber == 0 {
            self.seen.fill(0);
            self.fiber = 1;
        }
    }
}

impl Visitor for Counter {
    fn leaf(&mut self, terms: Terms, at: &Cursor) -> Terms {
        let place = if self.seen.len() == 1 { 0 } else { at.path.last().map_or(0, |&last| last as usize) };
        if self.seen[place] != self.fiber {
            self.seen[place] = self.fiber;
            *self.nodes.last_mut().expect("a result has a level of values") += 1;
        }
        terms
    }

    fn leave(&mut self, depth: usize, reached: Terms, _at: &Cursor) {
        // The loops over the indices of the result but the last are outermost.
        if depth + 1 >= self.nodes.len() {
            return;
        }
        if reached != 0 {
            self.nodes[depth] += 1;
        }
        if depth + 2 == self.nodes.len() {
            self.next_fiber();
        }
    }
}
