//! An application laid out: its controllers, how often each is there and what it did in a run, and its
//! memories on chip.

use super::turns;
use crate::app::visit::{Use, UseKind};
use crate::app::{
    App, AppExpr, AppStatement, BURST_BYTES, Block, Kind, Memory, MemoryKind, Pattern, PatternResult,
    Schedule, has_controllers,
};
use crate::interpret::{Outcome, PatternReport};
use crate::names::Scope;
use comet_diag::Span;
use std::collections::BTreeMap;

#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub(super) accel: Controller,
    pub(super) memories: Vec<OnChip>,
    /// How many places read or write single elements of DRAM, and how many bursts these take.
    pub(super) random: Random,
}

/// Something that runs by itself: a pattern, a transfer, the making of bit vectors.
#[derive(Clone, Debug)]
pub(super) struct Controller {
    /// How often it is laid out: the product of the factors of the patterns around it.
    pub(super) copies: u64,
    /// How many of these work at a time, on average over all iterations of the patterns around.
    pub(super) working: f64,
    /// How often it was launched, all copies together.
    pub(super) launches: u64,
    pub(super) work: Work,
    /// The controllers of its block in front of it, by their numbers there, that it waits for.
    pub(super) waits_for: Vec<usize>,
}

#[derive(Clone, Debug)]
pub(super) enum Work {
    /// A pattern without controllers inside: lanes of vectors.
    Lanes { steps: u64, stages: u64, is_random: bool },
    /// A block with controllers inside, and how many operations it does besides.
    Block { steps: u64, operations: u64, body: Vec<Controller>, is_in_turn: bool },
    /// Between DRAM and a FIFO, or an SRAM.
    Transfer { steps: u64, bursts: u64, is_fifo: bool },
    /// `gen_bitvector`.
    BitVector { steps: u64, lines: u64 },
}

#[derive(Clone, Debug)]
pub(super) struct OnChip {
    pub(super) kind: Kept,
    /// Of one copy.
    pub(super) bytes: u64,
    pub(super) copies: u64,
    /// Elements that are read, and that are written, of one copy in a cycle.
    pub(super) traffic: [u64; 2],
    /// How many copies of what is inside of its block go to one copy of it, at any place.
    pub(super) shared_by: u64,
    /// What the iterations of the pattern around that are under way from its first use to its last hold in
    /// it, in bytes: each has a copy of its own, and these share units.
    pub(super) held: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kept {
    Fifo,
    Sram,
    SparseSram,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Random {
    pub(super) places: u64,
    pub(super) bursts: u64,
}

/// Lays an application out, with the counts of a run, and how much longer the copies of patterns take as they
/// have unequal work.
pub(super) fn lay_out(app: &App, outcome: &Outcome, imbalance: &BTreeMap<usize, f64>) -> Layout {
    let mut floor = Floor {
        app,
        outcome,
        imbalance,
        patterns: at_start(&outcome.patterns, |pattern| pattern.span),
        memories: Vec::new(),
        scope: Scope::default(),
        random: BTreeMap::new(),
    };
    let around = Around { copies: 1, lanes: 1, working: 1.0 };
    let body = floor.block(&app.accel, around, Schedule::Sequential);
    let operations = app.accel.iter().map(AppStatement::operations).sum();
    let work = Work::Block { steps: 1, operations, body, is_in_turn: true };
    let bursts = outcome.traffic().random_bursts;
    Layout {
        accel: around.controller(1, work),
        random: Random { places: floor.random.values().sum(), bursts },
        memories: floor.memories,
    }
}

/// How many iterations of a pipeline are under way from the first of its controllers that uses a memory to
/// the last one: the statements of its body behind the declaration.
fn under_way(behind: &[AppStatement], memory: &str) -> u64 {
    let uses = |statement: &AppStatement| statement.uses_inside().iter().any(|used| used.name == memory);
    let controllers = behind.iter().filter(|statement| has_controllers(std::slice::from_ref(*statement)));
    let used: Vec<bool> = controllers.map(uses).collect();
    match (used.iter().position(|used| *used), used.iter().rposition(|used| *used)) {
        (Some(first), Some(last)) => (last - first + 1) as u64,
        _ => 1,
    }
}

fn writes(body: &Block, memory: &str) -> bool {
    let is_write = |statement: &AppStatement| matches!(&statement.kind, Kind::Write { memory: own, .. } if own == memory);
    body.iter().any(is_write)
}

/// Reports by the places that they are about.
fn at_start<T>(reports: &[T], span: impl Fn(&T) -> Span) -> BTreeMap<usize, &T> {
    reports.iter().map(|report| (span(report).start, report)).collect()
}

/// The patterns around a place: how many copies of it there are, of how many lanes, and how many work.
#[derive(Clone, Copy)]
struct Around {
    copies: u64,
    lanes: u64,
    working: f64,
}

impl Around {
    fn controller(self, launches: u64, work: Work) -> Controller {
        let Self { copies, working, .. } = self;
        Controller { copies, working, launches, work, waits_for: Vec::new() }
    }
}

#[derive(Clone, Copy)]
enum Declared {
    OnChip(usize),
    SparseDram,
    Other,
}

/// A layout while it is made.
struct Floor<'a> {
    app: &'a App,
    outcome: &'a Outcome,
    imbalance: &'a BTreeMap<usize, f64>,
    patterns: BTreeMap<usize, &'a PatternReport>,
    memories: Vec<OnChip>,
    scope: Scope<Declared>,
    /// The copies that access elements of each DRAM.
    random: BTreeMap<&'a str, u64>,
}

impl<'a> Floor<'a> {
    /// A block. Unless its iterations are sequential, its statements work on several of them at a time.
    fn block(&mut self, block: &'a Block, around: Around, schedule: Schedule) -> Vec<Controller> {
        self.scope.enter();
        let mut controllers: Vec<Controller> = Vec::new();
        let needed_by = turns::needed_by(block);
        // The statement that each controller is of.
        let mut of: Vec<usize> = Vec::new();
        for (place, statement) in block.iter().enumerate() {
            let first = controllers.len();
            self.account(statement, around);
            match &statement.kind {
                Kind::Memory(memory) => {
                    let behind = &block[place + 1..];
                    let overlaps = schedule != Schedule::Sequential;
                    let iterations = if overlaps { under_way(behind, &memory.name) } else { 1 };
                    let held = iterations.saturating_mul(self.held(behind, memory));
                    self.declare(memory, statement.span, around.copies, held);
                }
                Kind::Val(name, _) | Kind::Barrier { name, .. } => self.scope.declare(name, Declared::Other),
                Kind::If { then, otherwise, .. } => {
                    controllers.extend(self.block(then, around, Schedule::Sequential));
                    controllers.extend(self.block(otherwise, around, Schedule::Sequential));
                }
                _ => controllers.extend(self.controller(statement, around)),
            }
            for controller in &mut controllers[first..] {
                let earlier = (0..first).filter(|earlier| needed_by[of[*earlier]].contains(&place));
                controller.waits_for = earlier.collect();
            }
            of.resize(controllers.len(), place);
        }
        self.scope.leave();
        controllers
    }

    fn controller(&mut self, statement: &'a AppStatement, around: Around) -> Option<Controller> {
        let (launches, work) = match &statement.kind {
            Kind::Load { memory, .. } | Kind::Store { memory, .. } => {
                self.transfer(memory, statement.span)?
            }
            Kind::StreamLoad(stream) | Kind::StreamStore(stream) => {
                self.transfer(&stream.fifo, statement.span)?
            }
            Kind::GenBitVector { .. } => {
                let made = self.outcome.bit_vectors.iter().find(|made| made.span == statement.span)?;
                (made.counts.launches, Work::BitVector { steps: made.counts.steps, lines: made.counts.lines })
            }
            Kind::Pattern(pattern) if matches!(pattern.result, PatternResult::Memory { .. }) => {
                self.mem_reduce(statement.span, pattern, around)?
            }
            Kind::Pattern(pattern) => self.pattern(statement.span, pattern, around)?,
            _ => return None,
        };
        Some(around.controller(launches, work))
    }

    fn transfer(&self, on_chip: &str, span: Span) -> Option<(u64, Work)> {
        let moved = self.outcome.transfers.iter().find(|moved| moved.span == span)?;
        let is_fifo = self.memory(on_chip).is_some_and(|number| self.memories[number].kind == Kept::Fifo);
        let (steps, bursts) = (moved.counts.steps, moved.counts.bursts);
        Some((moved.counts.launches, Work::Transfer { steps, bursts, is_fifo }))
    }

    fn pattern(&mut self, span: Span, pattern: &'a Pattern, around: Around) -> Option<(u64, Work)> {
        let Pattern { schedule, domain, body, .. } = pattern;
        let value = pattern.value();
        let report = *self.patterns.get(&span.start)?;
        let (par, counts) = (report.par, report.counts);
        let operations = body.iter().map(AppStatement::operations).sum::<u64>();
        let operations = operations + value.map_or(0, AppExpr::operations);
        let work = if has_controllers(body) {
            let iterations_a_step = counts.iterations as f64 / counts.steps.max(1) as f64;
            let imbalance = self.imbalance.get(&span.start).copied().unwrap_or(1.0);
            let working = around.working * (iterations_a_step / imbalance).max(1.0);
            let inside = Around { copies: around.copies.saturating_mul(par), lanes: 1, working };
            let body_of = self.block(body, inside, *schedule);
            self.account_value(value, inside);
            let is_in_turn = turns::are_in_turn(domain, body);
            Work::Block { steps: counts.steps, operations, body: body_of, is_in_turn }
        } else {
            let inside = Around { lanes: par, ..around };
            self.block(body, inside, Schedule::Sequential);
            self.account_value(value, inside);
            let tree = value.map_or(0, |_| 1 + u64::from(par.max(1).next_power_of_two().ilog2()));
            // Random accesses of the lanes of a vector.
            let is_random = par > 1 && self.uses_sparse(body, value);
            Work::Lanes { steps: counts.steps, stages: (operations + tree).max(1), is_random }
        };
        Some((counts.launches, work))
    }

    /// A pattern whose last step, in each iteration, combines two memories.
    fn mem_reduce(&mut self, span: Span, pattern: &'a Pattern, around: Around) -> Option<(u64, Work)> {
        let (launches, work) = self.pattern(span, pattern, around)?;
        let counts = self.patterns.get(&span.start)?.counts;
        let (steps, operations, mut inside, is_in_turn) = match work {
            Work::Block { steps, operations, body, is_in_turn } => (steps, operations, body, is_in_turn),
            lanes => (counts.steps, 0, vec![around.controller(launches, lanes)], false),
        };
        let combine = Work::Lanes { steps: counts.combined, stages: 1, is_random: false };
        let waits_for = (0..inside.len()).collect();
        inside.push(Controller { waits_for, ..around.controller(counts.iterations, combine) });
        Some((launches, Work::Block { steps, operations, body: inside, is_in_turn }))
    }

    /// Whether elements of a sparse SRAM are used in a block or a value.
    fn uses_sparse(&self, body: &'a Block, value: Option<&'a AppExpr>) -> bool {
        let is_sparse = |used: Use<'_>| {
            self.memory(used.name).is_some_and(|at| self.memories[at].kind == Kept::SparseSram)
        };
        let uses = body.iter().flat_map(AppStatement::uses_inside);
        uses.chain(value.into_iter().flat_map(AppExpr::uses)).any(is_sparse)
    }

    fn declare(&mut self, memory: &'a Memory, span: Span, copies: u64, held: u64) {
        let kind = match memory.kind {
            MemoryKind::Sram { .. } => Kept::Sram,
            MemoryKind::SparseSram { .. } => Kept::SparseSram,
            MemoryKind::Fifo { .. } => Kept::Fifo,
            MemoryKind::Register { .. } => return self.scope.declare(&memory.name, Declared::Other),
            MemoryKind::SparseDram { .. } => return self.scope.declare(&memory.name, Declared::SparseDram),
        };
        let sram = self.outcome.srams.iter().find(|sram| sram.span == span);
        let bytes = sram.map_or(0, |sram| sram.bytes);
        self.scope.declare(&memory.name, Declared::OnChip(self.memories.len()));
        self.memories.push(OnChip { kind, bytes, copies, traffic: [0, 0], shared_by: 1, held });
    }

    /// The bytes that an iteration puts into a memory, as far as it follows from transfers and plain loops.
    fn held(&self, behind: &[AppStatement], memory: &Memory) -> u64 {
        let (name, bytes) = (&memory.name, u64::from(self.app.bits(&memory.element).div_ceil(8)));
        let in_a_launch = |count: u64, launches: u64| count.div_ceil(launches.max(1));
        let held = behind.iter().filter_map(|statement| match &statement.kind {
            Kind::Load { memory: filled, .. } if filled == name => {
                let moved = self.outcome.transfers.iter().find(|moved| moved.span == statement.span)?;
                Some(in_a_launch(moved.counts.bursts, moved.counts.launches) * BURST_BYTES)
            }
            Kind::Pattern(Pattern { body, result: PatternResult::None, .. }) if writes(body, name) => {
                let report = self.patterns.get(&statement.span.start)?;
                Some(in_a_launch(report.counts.iterations, report.counts.launches) * bytes)
            }
            _ => None,
        });
        held.max().unwrap_or(0)
    }

    fn declared(&self, name: &str) -> Declared {
        self.scope.find(name).copied().unwrap_or(Declared::Other)
    }

    fn memory(&self, name: &str) -> Option<usize> {
        match self.declared(name) {
            Declared::OnChip(number) => Some(number),
            Declared::SparseDram | Declared::Other => None,
        }
    }

    fn account(&mut self, statement: &'a AppStatement, mut around: Around) {
        let lanes = self.outcome.transfers.iter().find(|moved| moved.span == statement.span);
        around.lanes = lanes.map_or(around.lanes, |moved| moved.par);
        for used in statement.uses() {
            if lanes.is_none() {
                self.share(used, around);
            }
            self.account_use(used, around);
        }
    }

    /// The same for what an iteration of a reduction yields.
    fn account_value(&mut self, value: Option<&'a AppExpr>, around: Around) {
        for used in value.into_iter().flat_map(AppExpr::uses) {
            self.share(used, around);
            self.account_use(used, around);
        }
    }

    fn account_use(&mut self, Use { name, what, .. }: Use<'a>, around: Around) {
        let direction = match what {
            UseKind::Declare | UseKind::Modify => return,
            UseKind::Read => 0,
            UseKind::Write => 1,
        };
        let number = match self.declared(name) {
            Declared::OnChip(number) => number,
            Declared::SparseDram => {
                let copies = self.random.entry(name).or_default();
                *copies = around.copies.max(*copies);
                return;
            }
            Declared::Other => return,
        };
        let memory = &mut self.memories[number];
        let sharing = around.copies / memory.copies.max(1);
        memory.traffic[direction] =
            memory.traffic[direction].saturating_add(sharing.saturating_mul(around.lanes));
    }

    /// Notes how many copies of a place use a copy of a memory at any of its elements.
    fn share(&mut self, used: Use<'a>, around: Around) {
        if let (UseKind::Read | UseKind::Write, Some(number)) = (used.what, self.memory(used.name)) {
            let memory = &mut self.memories[number];
            memory.shared_by = memory.shared_by.max(around.copies / memory.copies.max(1));
        }
    }
}
