//! Patterns and their rounds.

use super::{Attributes, Writer};
use crate::cases::Case;
use comet_ir::{Op, Result, Ty, Val, spatial::Place};
use comet_spatial::app::{Counter, Domain, Expr, Operator, Schedule, Statement};

impl<'a, 'c> Writer<'a, 'c> {
    pub(super) fn foreach(
        &mut self,
        schedule: Schedule,
        domain: &'a Domain,
        body: &'a [Statement],
    ) -> Result<'c, ()> {
        let rounds = self.rounds(domain)?;
        let op = self.pattern("spatial.foreach", &rounds, domain, self.scheduled(schedule))?;
        self.inside(op.body(0), &binders(domain), |writer| writer.block(body))
    }

    pub(super) fn reduce(
        &mut self,
        register: &str,
        domain: &'a Domain,
        body: &'a [Statement],
        value: &'a Expr,
        attributes: Attributes<'c>,
    ) -> Result<'c, ()> {
        let (register, element) = self.memory(register)?;
        let operands = [vec![register], self.rounds(domain)?].concat();
        let op = self.pattern("spatial.reduce", &operands, domain, attributes)?;
        self.inside(op.body(0), &binders(domain), |writer| {
            writer.block(body)?;
            let value = writer.expr(value, element)?;
            writer.statement("spatial.yield", &[value], Vec::new())
        })
    }

    pub(super) fn mem_reduce(
        &mut self,
        [memory, value]: [&'a str; 2],
        par: Val<'c>,
        domain: &'a Domain,
        body: &'a [Statement],
        attributes: Attributes<'c>,
    ) -> Result<'c, ()> {
        let operands = [vec![self.named(memory)?, par], self.rounds(domain)?].concat();
        let op = self.pattern("spatial.mem_reduce", &operands, domain, attributes)?;
        self.inside(op.body(0), &binders(domain), |writer| {
            writer.block(body)?;
            writer.statement("spatial.yield", &[writer.named(value)?], Vec::new())
        })
    }

    /// How a reduction makes one of two values, and how its rounds overlap.
    pub(super) fn reducing(&self, with: Operator, schedule: Schedule) -> Attributes<'c> {
        let mut attributes = self.scheduled(schedule);
        attributes.push(("with", self.b.enum_attribute(with.number())));
        attributes
    }

    fn scheduled(&self, schedule: Schedule) -> Attributes<'c> {
        match schedule {
            Schedule::Pipelined => Vec::new(),
            Schedule::Sequential => vec![("sequential", self.unit())],
            Schedule::Streaming => vec![("streaming", self.unit())],
        }
    }

    /// Writes a pattern with an empty body.
    fn pattern(
        &self,
        operation: &str,
        operands: &[Val<'c>],
        domain: &'a Domain,
        mut attributes: Attributes<'c>,
    ) -> Result<'c, Op<'c>> {
        let (region, binders) = self.body(&binders(domain));
        attributes.push(binders);
        self.b.op_with_regions(operation, operands, &[], &attributes, vec![region])
    }

    /// Writes what a pattern goes over.
    fn rounds(&mut self, domain: &'a Domain) -> Result<'c, Vec<Val<'c>>> {
        let ty = self.place(Place::Rounds);
        match domain {
            Domain::Counters(counters) => counters.iter().map(|counter| self.counter(counter, ty)).collect(),
            Domain::Scan { par, len, bits, .. } => {
                let mut operands = self.ints([par, len])?;
                operands.push(self.named(bits)?);
                Ok(vec![self.value("spatial.scan", &operands, ty, Vec::new())?])
            }
            Domain::ScanTwo { par, len, mode, bits: [first, second], .. } => {
                let mut operands = self.ints([par, len])?;
                operands.extend([self.named(first)?, self.named(second)?]);
                let mode = vec![("mode", self.b.enum_attribute(mode.number()))];
                Ok(vec![self.value("spatial.scan_two", &operands, ty, mode)?])
            }
        }
    }

    fn counter(&mut self, counter: &'a Counter, ty: Ty<'c>) -> Result<'c, Val<'c>> {
        let Counter { from, to, step, par, .. } = counter;
        let operands = self.ints(from.iter().chain([to, step]).chain(par))?;
        let segments = self.segments(&[usize::from(from.is_some()), 1, 1, usize::from(par.is_some())]);
        self.value("spatial.counter", &operands, ty, vec![segments])
    }
}

/// The names of what a round has.
fn binders(domain: &Domain) -> Vec<&String> {
    match domain {
        Domain::Counters(counters) => counters.iter().map(|counter| &counter.binder).collect(),
        Domain::Scan { binders, .. } => binders.iter().collect(),
        Domain::ScanTwo { binders, .. } => binders.iter().collect(),
    }
}
