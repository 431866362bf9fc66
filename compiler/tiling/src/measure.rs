//! Measured traffic: the tiled computation is gone through on the data, and what moves is counted.
//!
//! The machine is that of d2t2.txt section 6. Tiles are pushed to it: a tile comes in each iteration of the
//! loops over tiles around the last of its indices, if it is not empty and some product of that iteration has
//! tiles of all its factors. Sums over tiles are made in main memory, so that every iteration in which a
//! product has a value writes the tile of the result that it computes, as [`crate::result`] has it. What does
//! not fit of a tile of an input comes again with each of the iterations in which it is used, as Tailors has
//! it.

use crate::join::{Cursor, Join, JoinOperand, Terms, Visitor};
use crate::machine::{Footprint, Machine};
use crate::memory::Memory;
use crate::operands::{TiledInput, TiledTensors};
use crate::result::{Counter, ResultTile, finished, written};
use crate::statement::{Access, Nest, Statement, Tiles, Var, position};
use crate::tiled::Tiled;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    pub inputs: Vec<Moved>,
    pub output: Moved,
    /// Iterations of the loops over tiles in which all factors of a product had a tile.
    pub iterations: u64,
}

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
    pub fn input(&self) -> u64 {
        self.inputs.iter().map(|input| input.bytes).sum()
    }

    pub fn total(&self) -> u64 {
        self.input() + self.output.bytes
    }
}

/// Goes through a statement in tiles.
pub fn measure(statement: &Statement, tiles: &Tiles, machine: &Machine) -> Traffic {
    measure_in(statement, tiles, &Memory::of(*machine, statement))
}

/// The same in a level of memory: what moves into it.
pub(crate) fn measure_in(statement: &Statement, tiles: &Tiles, memory: &Memory) -> Traffic {
    let mut traffic =
        Traffic { inputs: vec![Moved::default(); statement.accesses.len()], ..Traffic::default() };
    let mut cut = TiledTensors::default();
    for nest in statement.nests() {
        let order = counting_order(&nest.variables, &statement.target.indices);
        let inputs: Vec<TiledInput> =
            statement.accesses.iter().map(|access| cut.input(access, tiles, &order)).collect();
        TileIteration::new(statement, &nest, tiles, &inputs, memory).run(&order, &mut traffic);
    }
    traffic
}

/// The indices of the result but the last, what is reduced, and the last index: so that the values of a fiber
/// of the result are counted by what has been seen of that index.
pub(crate) fn counting_order(loops: &[Var], result: &[Var]) -> Vec<Var> {
    let (last, before) = result.split_last().map_or((None, &[][..]), |(last, before)| (Some(*last), before));
    let reduced = loops.iter().filter(|var| !result.contains(var));
    before.iter().chain(reduced).copied().chain(last).collect()
}

/// The loops over tiles.
struct TileIteration<'a> {
    statement: &'a Statement,
    nest: &'a Nest,
    tiles: &'a Tiles,
    inputs: &'a [TiledInput],
    memory: &'a Memory,
    /// The products that each access is in.
    terms: Vec<Terms>,
}

impl<'a> TileIteration<'a> {
    fn new(
        statement: &'a Statement,
        nest: &'a Nest,
        tiles: &'a Tiles,
        inputs: &'a [TiledInput],
        memory: &'a Memory,
    ) -> Self {
        let terms = (0..inputs.len()).map(|access| nest.terms_with(access)).collect();
        Self { statement, nest, tiles, inputs, memory, terms }
    }

    fn run(&self, order: &[Var], traffic: &mut Traffic) {
        let variables = &self.nest.variables;
        let counts = variables.iter().map(|&var| self.tiles.count(self.statement, var) as u32).collect();
        let mut join = Join::new(self.operands(), counts);
        let (at, outermost) = self.places();
        let result = CountedResult::new(self, order);
        let mut loads = Loads { iteration: self, at, uses: vec![0; self.inputs.len()], result, traffic };
        let reached = join.walk(vec![0; self.inputs.len()], self.nest.terms_where(|_| true), &mut loads);
        let start = Cursor { path: vec![0; variables.len()], nodes: vec![0; self.inputs.len()] };
        for access in outermost.into_iter().filter(|&access| self.terms[access] & reached != 0) {
            loads.load(access, 0, &start);
        }
    }

    fn operands(&self) -> Vec<JoinOperand<'a>> {
        let of = |((input, &terms), access): ((&'a TiledInput, &Terms), &Access)| {
            let levels = input.tiled.as_ref().map(|tiled| &tiled.levels()[..tiled.rank()]);
            let depths = depths(&access.indices, &self.nest.variables);
            JoinOperand { levels: levels.filter(|_| terms != 0), depths, terms }
        };
        self.inputs.iter().zip(&self.terms).zip(&self.statement.accesses).map(of).collect()
    }

    /// The accesses that are loaded in each loop, and those that are outside of all loops. A loop of one
    /// iteration is no loop.
    fn places(&self) -> (Vec<Vec<usize>>, Vec<usize>) {
        let variables = &self.nest.variables;
        let (mut at, mut outermost) = (vec![Vec::new(); variables.len()], Vec::new());
        let moves = |var: &&Var| self.tiles.count(self.statement, **var) > 1;
        for (access, own) in self.statement.accesses.iter().enumerate() {
            if self.terms[access] == 0 {
                continue;
            }
            match own.indices.iter().rev().find(moves) {
                Some(&last) => at[position(variables, last)].push(access),
                None => outermost.push(access),
            }
        }
        (at, outermost)
    }

    /// What the tile takes that an access has where the loops are, in which it has entered so many levels.
    fn footprint(&self, access: usize, entered: usize, at: &Cursor) -> Footprint {
        let Some(tiled) = &self.inputs[access].tiled else { return self.dense(access, at) };
        let mut node = at.nodes[access] as usize;
        for level in &tiled.levels()[entered..tiled.rank()] {
            node = level.segments[node] as usize;
        }
        self.inputs[access].footprints[node]
    }

    /// A tile of a dense operand: the last one along a variable is cut off.
    fn dense(&self, access: usize, at: &Cursor) -> Footprint {
        Footprint::dense(self.extent(&self.statement.accesses[access].indices, at))
    }

    /// How many coordinates a tile has along a variable at most.
    fn longest(&self, var: Var) -> u32 {
        self.tiles.of(var).min(self.statement.extent(var)) as u32
    }

    /// Lets loops inside of tiles end where the variables do.
    fn limit(&self, join: &mut Join<'_>, order: &[Var], at: &Cursor) {
        for (depth, &var) in order.iter().enumerate() {
            join.limit(depth, self.extent(&[var], at) as u32);
        }
    }

    fn extent(&self, indices: &[Var], at: &Cursor) -> u64 {
        let of = |var: &Var| {
            let loops = &self.nest.variables;
            let size = self.tiles.of(*var);
            let extent = self.memory.around.extent(*var, loops, &at.path);
            let extent = extent.unwrap_or_else(|| self.statement.extent(*var));
            extent.saturating_sub(u64::from(at.path[position(loops, *var)]) * size).min(size)
        };
        indices.iter().map(of).fold(1, u64::saturating_mul)
    }

    /// The indices of the result that are not of loops around.
    fn kept(&self) -> Vec<Var> {
        let indices = &self.statement.target.indices;
        indices[self.memory.around.outside(indices)..].to_vec()
    }
}

pub(crate) fn depths(indices: &[Var], loops: &[Var]) -> Vec<usize> {
    let depth = |var: &Var| loops.iter().position(|other| other == var).unwrap_or(usize::MAX);
    indices.iter().map(depth).collect()
}

struct Loads<'a, 'r> {
    iteration: &'r TileIteration<'a>,
    /// The accesses whose last index is that of the loop at a depth.
    at: Vec<Vec<usize>>,
    /// In how many iterations each access's tile has been used.
    uses: Vec<u64>,
    result: CountedResult<'r>,
    traffic: &'r mut Traffic,
}

impl Loads<'_, '_> {
    /// A tile comes, of which so many levels have been entered, and goes.
    fn load(&mut self, access: usize, entered: usize, at: &Cursor) {
        let tile = self.iteration.footprint(access, entered, at);
        let again = std::mem::take(&mut self.uses[access]).saturating_sub(1);
        let machine = &self.iteration.memory.inputs[access];
        let bytes = machine.bytes(tile) + again * machine.beyond(tile);
        self.traffic.inputs[access].add(bytes);
    }
}

impl Visitor for Loads<'_, '_> {
    fn leaf(&mut self, terms: Terms, at: &Cursor) -> Terms {
        // Tiles around end where variables do; dense operands have nothing beyond.
        if self.iteration.extent(&self.iteration.nest.variables, at) == 0 {
            return 0;
        }
        self.traffic.iterations += 1;
        for (uses, own) in self.uses.iter_mut().zip(&self.iteration.terms) {
            *uses += u64::from(own & terms != 0);
        }
        let bytes = self.result.written(terms, at);
        if bytes > 0 {
            self.traffic.output.add(bytes);
        }
        terms
    }

    fn leave(&mut self, depth: usize, reached: Terms, at: &Cursor) {
        for place in 0..self.at[depth].len() {
            let access = self.at[depth][place];
            if self.iteration.terms[access] & reached == 0 {
                continue;
            }
            let indices = &self.iteration.statement.accesses[access].indices;
            let var = self.iteration.nest.variables[depth];
            let entered = indices.iter().position(|other| *other == var).map_or(0, |level| level + 1);
            self.load(access, entered, at);
        }
    }
}

/// Counts the result of an iteration: which of its points the products have in their tiles.
struct CountedResult<'a> {
    join: Join<'a>,
    iteration: &'a TileIteration<'a>,
    order: Vec<Var>,
    counter: Counter,
    /// The loops in dataflow order, where some of the result is not finished before the last of what is
    /// reduced.
    streamed: Option<Streamed<'a>>,
}

/// The points of an iteration in dataflow order, and the buffer that they wait in.
struct Streamed<'a> {
    join: Join<'a>,
    /// Whether what is finished in turn is one fiber of the result.
    is_by_fibers: bool,
    waiting: Waiting,
}

struct Waiting {
    /// The depths of the loops over the indices of the result.
    depths: Vec<usize>,
    tile: ResultTile,
    point: Vec<u32>,
}

impl Visitor for Waiting {
    fn leaf(&mut self, terms: Terms, at: &Cursor) -> Terms {
        self.point.clear();
        self.point.extend(self.depths.iter().map(|&depth| at.path[depth]));
        self.tile.add(&self.point);
        terms
    }
}

impl<'a> CountedResult<'a> {
    fn new(iteration: &'a TileIteration<'a>, order: &[Var]) -> Self {
        let join = inside(iteration, order, |input, _| (input.counted.as_deref(), &input.counting));
        let coordinates = order.last().map_or(1, |&var| iteration.longest(var) as usize);
        let target = &iteration.statement.target;
        let counter = Counter::new(target, coordinates, iteration.memory.around.outside(&target.indices));
        Self { join, iteration, order: order.to_vec(), counter, streamed: Streamed::new(iteration) }
    }

    fn written(&mut self, terms: Terms, at: &Cursor) -> u64 {
        let tile = self.count(terms, at);
        let (machine, levels) = (&self.iteration.memory.result, self.iteration.kept().len());
        match &mut self.streamed {
            _ if tile == Footprint::default() => 0,
            Some(streamed) if !machine.fits(tile) && !streamed.fits(machine, self.counter.longest()) => {
                streamed.written(self.iteration, terms, at)
            }
            _ => written(machine, (&self.iteration.statement.target, levels), tile),
        }
    }

    fn count(&mut self, terms: Terms, at: &Cursor) -> Footprint {
        self.counter.start();
        self.iteration.limit(&mut self.join, &self.order, at);
        self.join.walk(at.nodes.iter().copied(), terms, &mut self.counter);
        let target = &self.iteration.statement.target;
        self.counter.footprint(target, self.iteration.extent(&target.indices, at))
    }
}

impl<'a> Streamed<'a> {
    /// None where all of a result is finished in turn, and of dense ones, which are written whole.
    fn new(iteration: &'a TileIteration<'a>) -> Option<Self> {
        let (loops, kept) = (&iteration.nest.variables, iteration.kept());
        let (rank, finished) =
            (kept.len(), finished(&loops[iteration.memory.around.outside(loops)..], &kept));
        if iteration.statement.target.is_dense || rank == finished {
            return None;
        }
        let indices = &iteration.statement.accesses;
        let of = |input: &'a TiledInput, access: usize| (input.tiled.as_deref(), &indices[access].indices);
        let waiting = Waiting {
            depths: depths(&kept, loops),
            tile: ResultTile::new(iteration.memory.result, rank, finished),
            point: Vec::new(),
        };
        Some(Self { join: inside(iteration, loops, of), is_by_fibers: finished + 1 == rank, waiting })
    }

    /// Whether it is known that what is finished in turn fits, where the longest fiber has so many values.
    fn fits(&self, machine: &Machine, longest: u64) -> bool {
        let ones = std::iter::repeat_n(1, self.waiting.depths.len() - 1);
        self.is_by_fibers && machine.fits(Footprint::of_levels(ones.chain([longest])))
    }

    fn written(&mut self, iteration: &TileIteration<'_>, terms: Terms, at: &Cursor) -> u64 {
        iteration.limit(&mut self.join, &iteration.nest.variables, at);
        self.join.walk(at.nodes.iter().copied(), terms, &mut self.waiting);
        self.waiting.tile.end()
    }
}

/// Loops inside of tiles, in an order: over the tiles of each access with its indices.
fn inside<'a>(
    iteration: &'a TileIteration<'a>,
    order: &[Var],
    of: impl Fn(&'a TiledInput, usize) -> (Option<&'a Tiled>, &'a Vec<Var>),
) -> Join<'a> {
    let operands =
        iteration.inputs.iter().zip(&iteration.terms).enumerate().map(|(access, (input, &terms))| {
            let (tiled, indices) = of(input, access);
            let levels = tiled.map(|tiled| &tiled.levels()[tiled.rank()..]);
            JoinOperand { levels: levels.filter(|_| terms != 0), depths: depths(indices, order), terms }
        });
    Join::new(operands.collect(), order.iter().map(|&var| iteration.longest(var)).collect())
}
