//! What a run would count, from the text and from statistics of its data: nothing is run.
//!
//! One walk over the patterns. A counter to an extent has as many iterations as that; one to the length of a
//! segment has as many as segments of that array have on average, and takes as many steps as they take on
//! average. The bits of two vectors are taken to be set independently of each other. Values that data decides
//! otherwise, such as whether a coordinate is kept, are taken to hold.

mod expected;
mod iterations;

use super::statistics::Statistics;
use crate::app::visit::{Use, UseKind};
use crate::app::{
    App, BURST_BYTES, Block, DramPart, Expr, ExprKind, HostKind, Kind, Memory, MemoryKind, Operator, Pattern,
    PatternResult, Statement, Type,
};
use crate::interpret::{
    BitVectorCounts, BitVectorReport, Inputs, MemoryReport, Outcome, PatternCounts, PatternReport,
    SramReport, Traffic, TransferCounts, TransferReport,
};
use crate::names::Scope;
use comet_diag::Span;
use expected::Expected;
use std::collections::BTreeMap;

/// The bits that a scan looks at in a step.
const LINE: f64 = 512.0;

const BURST: f64 = BURST_BYTES as f64;

/// The counts of a run that does not happen, and for each pattern how much longer its copies take than if all
/// of them had equally much to do.
pub(super) struct Predicted {
    pub(super) outcome: Outcome,
    pub(super) imbalance: BTreeMap<usize, f64>,
}

pub(super) fn predict(app: &App, inputs: &Inputs) -> Predicted {
    let statistics = Statistics::of(app, inputs);
    let mut walk = Predictor {
        app,
        names: Scope::default(),
        drams: drams(app),
        outcome: Outcome::default(),
        imbalance: BTreeMap::new(),
        random: BTreeMap::new(),
        taken: Vec::new(),
        statistics,
    };
    walk.block(&app.accel, 1.0);
    walk.finish()
}

fn drams(app: &App) -> BTreeMap<&str, Type> {
    let drams = app.before.iter().filter_map(|statement| match &statement.kind {
        HostKind::Dram { name, element, .. } => Some((name.as_str(), element.clone())),
        _ => None,
    });
    drams.collect()
}

#[derive(Clone, Debug)]
enum Known {
    Value(Expected),
    /// A memory, with the array that it was loaded from, and the bits that are set in it on average.
    Memory {
        array: Option<String>,
        bits: Expected,
        is_dram: bool,
    },
}

struct Predictor<'a> {
    app: &'a App,
    names: Scope<Known>,
    drams: BTreeMap<&'a str, Type>,
    statistics: Statistics,
    outcome: Outcome,
    imbalance: BTreeMap<usize, f64>,
    /// Elements of DRAMs that are accessed one by one: reads, writes, and the bursts that these take.
    random: BTreeMap<&'a str, [f64; 3]>,
    /// The values that patterns around take from FIFOs.
    taken: Vec<&'a str>,
}

impl<'a> Predictor<'a> {
    fn block(&mut self, block: &'a Block, times: f64) {
        self.names.enter();
        block.iter().for_each(|statement| self.statement(statement, times));
        // What is known of memories outside stays so.
        self.names.leave();
    }

    fn statement(&mut self, statement: &'a Statement, times: f64) {
        let span = statement.span;
        self.note_accesses(statement.uses(), times);
        match &statement.kind {
            Kind::Val(name, value) => {
                // What is taken from a FIFO of words goes on as such.
                let taken = match &value.kind {
                    ExprKind::Dequeue(fifo) => self.known(fifo).cloned(),
                    _ => None,
                };
                let known = taken.unwrap_or_else(|| Known::Value(self.value(value)));
                self.names.declare(name, known);
            }
            Kind::Memory(memory) => self.memory(memory, span),
            Kind::Alias { memory, dram } => self.loaded(memory, dram),
            Kind::Load { memory, part } => {
                self.transfer(part, span, times);
                self.loaded(memory, &part.dram);
            }
            Kind::Store { part, .. } => self.transfer(part, span, times),
            Kind::StreamLoad(stream) | Kind::StreamStore(stream) => {
                let len = self.value(&stream.len);
                self.moved(&stream.dram, &len, 16, span, times);
            }
            Kind::GenBitVector { max, len, bits, .. } => self.bit_vector(max, len, bits, span, times),
            Kind::Set { register, value } => {
                let value = self.value(value);
                self.change(register, |known| *known = Known::Value(value));
            }
            Kind::Enqueue { fifo, value, .. } => self.copied(fifo, value),
            Kind::Pattern(pattern) => self.result(pattern, span, times),
            Kind::If { then, otherwise, .. } => {
                self.block(then, times / 2.0);
                self.block(otherwise, times / 2.0);
            }
            _ => {}
        }
    }

    fn result(&mut self, pattern: &'a Pattern, span: Span, times: f64) {
        let kind = match &pattern.result {
            PatternResult::None => "Foreach",
            PatternResult::Register { .. } => "Reduce",
            PatternResult::Memory { .. } => "MemReduce",
        };
        let iterations = self.pattern(kind, pattern, span, times);
        if let PatternResult::Register { register, value, with } = &pattern.result {
            let is_count =
                *with == Operator::Add && matches!(value.kind, ExprKind::Mux(..) | ExprKind::Int(1));
            let counted = if is_count { iterations } else { Expected::Number(1.0) };
            self.change(register, |known| *known = Known::Value(counted));
        }
    }

    fn memory(&mut self, memory: &'a Memory, span: Span) {
        let is_dram = matches!(memory.kind, MemoryKind::SparseDram { .. });
        if let MemoryKind::Sram { size } | MemoryKind::SparseSram { size, .. } = &memory.kind {
            let size = self.value(size);
            let bytes = (self.number(&size) * self.bytes(&memory.element)) as u64;
            self.outcome.srams.push(SramReport { name: memory.name.clone(), span, bytes });
        }
        let known = match memory.kind {
            MemoryKind::Register { .. } => Known::Value(Expected::Number(0.0)),
            _ => Known::Memory { array: None, bits: Expected::Number(0.0), is_dram },
        };
        self.names.declare(&memory.name, known);
    }

    /// A FIFO gets what another one has: so many bits, where these are words of bit vectors.
    fn copied(&mut self, fifo: &'a str, value: &Expr) {
        let ExprKind::Name(name) = &value.kind else { return };
        if let Some(Known::Memory { bits, .. }) = self.known(name).cloned() {
            self.set_bits(fifo, bits);
        }
    }

    fn transfer(&mut self, part: &'a DramPart, span: Span, times: f64) {
        let (from, to) = (self.value(&part.from), self.value(&part.to));
        let len = self.difference(&to, &from);
        let par = part.par.as_ref().map_or(1, |par| self.factor(par));
        self.moved(&part.dram, &len, par, span, times);
    }

    fn moved(&mut self, dram: &'a str, len: &Expected, par: u64, span: Span, times: f64) {
        let element_bytes = self.drams.get(dram).map_or(4.0, |element| self.bytes(element));
        let elements = self.number(len);
        let steps = self.steps(len, par);
        // What begins and ends anywhere touches a part of one more burst.
        let bursts = match len {
            Expected::Segment { array, often } => {
                often
                    * self.mean(
                        array,
                        |len| if len == 0 { 0.0 } else { len as f64 * element_bytes / BURST + 1.0 },
                    )
            }
            _ if elements > 0.0 => (elements * element_bytes / BURST).max(1.0),
            _ => 0.0,
        };
        let counts = TransferCounts {
            launches: whole(times),
            elements: whole(times * elements),
            steps: whole(times * steps),
            bursts: whole(times * bursts),
        };
        let (dram, element_bytes) = (dram.to_owned(), element_bytes as u64);
        self.outcome.transfers.push(TransferReport { dram, element_bytes, span, par, counts });
    }

    fn bit_vector(&mut self, max: &'a Expr, len: &'a Expr, bits: &'a str, span: Span, times: f64) {
        let (max, len) = (self.value(max), self.value(len));
        let lines = (self.number(&max) / LINE).ceil();
        let coordinates = self.number(&len);
        let steps = self.steps(&len, 16).max(lines);
        let counts = BitVectorCounts {
            launches: whole(times),
            coordinates: whole(times * coordinates),
            steps: whole(times * steps),
            lines: whole(times * lines),
        };
        self.outcome.bit_vectors.push(BitVectorReport { span, counts });
        self.set_bits(bits, len);
    }

    /// The iterations of a pattern, on average over its launches.
    fn pattern(&mut self, kind: &'static str, pattern: &'a Pattern, span: Span, times: f64) -> Expected {
        let Pattern { domain, body, .. } = pattern;
        self.names.enter();
        let (iterations, steps, par) = self.iterations(domain);
        let number = self.number(&iterations);
        let counts = PatternCounts {
            launches: whole(times),
            iterations: whole(times * number),
            steps: whole(times * steps),
            combined: 0,
        };
        self.outcome.patterns.push(PatternReport { kind, span, par, counts });
        let around = self.taken.len();
        self.taken.extend(body.iter().filter_map(|statement| match &statement.kind {
            Kind::Val(name, value) if matches!(value.kind, ExprKind::Dequeue(_)) => Some(name.as_str()),
            _ => None,
        }));
        self.block(body, times * number);
        if let Some(value) = pattern.value() {
            self.note_accesses(value.uses(), times * number);
        }
        self.taken.truncate(around);
        self.names.leave();
        if par > 1 {
            let imbalance = self.imbalance_of(body, par);
            self.imbalance.insert(span.start, imbalance);
        }
        iterations
    }

    /// How unequal the iterations of a pattern are: as unequal as the longest segments that are moved in
    /// them.
    fn imbalance_of(&self, body: &'a Block, par: u64) -> f64 {
        let mut most = 1.0_f64;
        for statement in body {
            if let Kind::Val(_, Expr { kind: ExprKind::Read(memory, _), .. }) = &statement.kind
                && let Some(Known::Memory { array: Some(array), .. }) = self.known(memory)
                && let Some(array) = self.statistics.arrays.get(array)
            {
                most = most.max(array.imbalance(par as usize));
            }
        }
        most
    }

    /// Counts the elements of DRAMs that are accessed by themselves.
    fn note_accesses(&mut self, found: Vec<Use<'a>>, times: f64) {
        for Use { name, what, at } in found {
            if let Some(Known::Memory { array: Some(array), is_dram: true, .. }) = self.known(name).cloned()
                && let Some((dram, _)) = self.drams.get_key_value(array.as_str())
            {
                // Iterations and lanes at places behind each other share bursts.
                let is_anywhere = at.is_some_and(|at| self.is_taken(at));
                let bytes = self.drams.get(dram).map_or(4.0, |element| self.bytes(element));
                let shared = if is_anywhere { 1.0 } else { BURST / bytes };
                // Where a vector has no bit, nothing is fetched.
                let times = times * at.map_or(1.0, |at| self.how_often(at));
                let counts = self.random.entry(dram).or_default();
                match what {
                    UseKind::Read => counts[0] += times,
                    UseKind::Write => counts[1] += times,
                    UseKind::Declare | UseKind::Modify => continue,
                }
                counts[2] += times / shared;
            }
        }
    }

    /// Whether a value has parts that are taken from FIFOs or memories: nothing is known of it.
    fn is_taken(&self, value: &Expr) -> bool {
        value.uses().into_iter().any(|used| used.at.is_some() || self.taken.contains(&used.name))
    }

    /// How often the places that a value is made of are there.
    fn how_often(&self, value: &Expr) -> f64 {
        let parts = value.uses().into_iter().filter_map(|used| match self.known(used.name) {
            Some(Known::Value(Expected::Condition(part))) => Some(*part),
            _ => None,
        });
        parts.fold(1.0_f64, f64::min)
    }

    fn known(&self, name: &str) -> Option<&Known> {
        self.names.find(name)
    }

    fn change(&mut self, name: &str, change: impl FnOnce(&mut Known)) {
        self.names.find_mut(name).map(change);
    }

    fn loaded(&mut self, memory: &str, dram: &str) {
        self.change(memory, |known| {
            if let Known::Memory { array, .. } = known {
                *array = Some(dram.to_owned());
            }
        });
    }

    fn set_bits(&mut self, fifo: &str, set: Expected) {
        self.change(fifo, |known| {
            if let Known::Memory { bits, .. } = known {
                *bits = set;
            }
        });
    }

    fn finish(mut self) -> Predicted {
        for (dram, element) in &self.drams {
            let [reads, writes, bursts] = self.random.get(dram).copied().unwrap_or_default();
            let element_bytes = self.bytes(element) as u64;
            let traffic = Traffic {
                random_reads: whole(reads),
                random_writes: whole(writes),
                random_bursts: whole(bursts),
                ..Traffic::default()
            };
            self.outcome.drams.push(MemoryReport { name: (*dram).to_owned(), element_bytes, traffic });
        }
        Predicted { outcome: self.outcome, imbalance: self.imbalance }
    }
}

fn whole(count: f64) -> u64 {
    count.round().max(0.0) as u64
}
