//! What loops without tiles move between main memory and a cache: what tiles have to be better than where a
//! cache keeps what was used last by itself.
//!
//! A part of the loops, some consecutive slices of the outermost one, is gone through with a cache of lines
//! that forgets what was not used for the longest time. Every line comes once; of the touches besides, as
//! large a share is missed in all loops as in that part once the cache is full. What fits in it comes once.

use crate::draw::Draw;
use crate::join::{Cursor, Terms, Visitor};
use crate::machine::Machine;
use crate::observed::Observed;
use crate::parts::Parts;
use crate::statement::{Nest, Pattern, Statement, Var};
use lru::LruCache;

/// Of a line, in bytes.
const LINE: u64 = 64;

/// How many entries the slices have, about, and how many products are gone through at most.
const ENTRIES: usize = 500_000;
const PRODUCTS: u64 = 6_000_000;

impl Observed<'_> {
    /// What the loops of the statement as it stands are expected to move through a cache of so many bytes,
    /// in bytes.
    pub fn untiled(&self, cache: u64) -> f64 {
        let of = |(nest, products): &(Nest, crate::sample::Products)| {
            let Some(&first) = nest.variables.first() else { return 0.0 };
            let nest = &vectorized(self.statement, nest);
            let draw = Draw::window(self.statement, nest, first, ENTRIES);
            let mut seen = Touches::new(self.statement, nest, &self.machine, cache);
            let parts = Parts::new(self.statement, nest, &draw, &nest.variables);
            parts.walk(self.statement, nest, &nest.variables, &mut seen);
            seen.bytes(products.all())
        };
        self.nests().iter().map(of).sum()
    }
}

/// The loops as vectors have them: the last index of a dense result innermost, unless it is the outermost.
fn vectorized(statement: &Statement, nest: &Nest) -> Nest {
    let mut nest = nest.clone();
    let last = statement.target.indices.last().filter(|_| statement.target.is_dense);
    if let Some(place) = nest.variables.iter().position(|var| Some(var) == last).filter(|&place| place > 0) {
        let last = nest.variables.remove(place);
        nest.variables.push(last);
    }
    nest
}

/// Of a value and its coordinate.
fn entry_bytes(machine: &Machine) -> u64 {
    machine.value_bytes + machine.word_bytes
}

/// The lines that a part of the loops touches.
struct Touches<'a> {
    statement: &'a Statement,
    machine: Machine,
    /// Of the loops.
    order: Vec<Var>,
    /// The products that each operand is in.
    terms: Vec<Terms>,
    cache: LruCache<u64, ()>,
    /// How many it keeps.
    lines: usize,
    /// Of each operand, and of the result.
    operands: Vec<Touched>,
    products: u64,
}

/// The touches of an operand.
#[derive(Clone, Copy, Debug, Default)]
struct Touched {
    /// The line that was touched last.
    last: Option<u64>,
    /// Touches of another line than the last.
    lines: u64,
    /// Those since the cache is full, and those of them that are not in it.
    late: u64,
    missed: u64,
}

impl Touched {
    /// What comes of an operand of so many bytes in loops with so many times as many products.
    fn bytes(&self, times: f64, whole: f64, cache: f64) -> f64 {
        let touched = self.lines as f64 * times * LINE as f64;
        let missed = if self.late > 0 { self.missed as f64 / self.late as f64 } else { 0.0 };
        let again = if whole > cache { (touched - whole).max(0.0) * missed } else { 0.0 };
        whole.min(touched) + again
    }
}

impl<'a> Touches<'a> {
    fn new(statement: &'a Statement, nest: &Nest, machine: &Machine, cache: u64) -> Self {
        let products_of = |access: usize| {
            let with = nest.terms.iter().enumerate().filter(|(_, term)| term.contains(&access));
            with.fold(0, |terms, (place, _)| terms | 1 << place)
        };
        Self {
            statement,
            machine: *machine,
            order: nest.variables.clone(),
            terms: (0..statement.accesses.len()).map(products_of).collect(),
            cache: LruCache::unbounded(),
            lines: (cache / LINE).max(1) as usize,
            operands: vec![Touched::default(); statement.accesses.len() + 1],
            products: 0,
        }
    }

    fn touch(&mut self, operand: usize, byte: u64) {
        let line = (byte / LINE) << 6 | operand as u64;
        let own = &mut self.operands[operand];
        if own.last == Some(line) {
            return;
        }
        own.last = Some(line);
        own.lines += 1;
        let is_full = self.cache.len() == self.lines;
        let is_kept = self.cache.put(line, ()).is_some();
        if is_full && !is_kept {
            self.cache.pop_lru();
        }
        if is_full {
            own.late += 1;
            own.missed += u64::from(!is_kept);
        }
    }

    /// Where a dense tensor with these indices has the value of the current coordinates, in bytes. It is
    /// taken to be stored as the loops go through it.
    fn place(&self, indices: &[Var], at: &Cursor) -> u64 {
        let loops = self.order.iter().zip(&at.path).filter(|(var, _)| indices.contains(var));
        let place = loops.fold(0u64, |place, (&var, &own)| {
            place.wrapping_mul(self.statement.extent(var)).wrapping_add(u64::from(own))
        });
        place.wrapping_mul(self.machine.value_bytes)
    }

    /// Of loops with so many products. A sparse result is written once, and not counted.
    fn bytes(&self, products: f64) -> f64 {
        let times = products / self.products.max(1) as f64;
        let dense = |indices: &[Var]| {
            let values: f64 = indices.iter().map(|&var| self.statement.extent(var) as f64).product();
            values * self.machine.value_bytes as f64
        };
        let read = self.statement.accesses.iter().map(|access| match &access.pattern {
            Pattern::Points(points) => points.len() as f64 * entry_bytes(&self.machine) as f64,
            Pattern::Dense => dense(&access.indices),
        });
        let whole = read.chain([dense(&self.statement.target.indices)]);
        let cache = self.lines as f64 * LINE as f64;
        self.operands.iter().zip(whole).map(|(own, whole)| own.bytes(times, whole, cache)).sum()
    }
}

impl Visitor for Touches<'_> {
    fn leaf(&mut self, terms: Terms, at: &Cursor) -> Terms {
        let statement = self.statement;
        self.products += 1;
        for (access, own) in statement.accesses.iter().enumerate() {
            if self.terms[access] & terms == 0 {
                continue;
            }
            let byte = match own.pattern {
                Pattern::Points(_) => u64::from(at.nodes[access]) * entry_bytes(&self.machine),
                Pattern::Dense => self.place(&own.indices, at),
            };
            self.touch(access, byte);
        }
        if statement.target.is_dense {
            self.touch(statement.accesses.len(), self.place(&statement.target.indices, at));
        }
        terms
    }

    fn is_done(&self) -> bool {
        self.products >= PRODUCTS
    }
}
