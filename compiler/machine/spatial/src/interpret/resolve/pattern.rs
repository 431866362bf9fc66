//! Patterns: their iterations, and what comes of these.

use super::expression::has_no;
use super::names::Binding;
use super::{Resolver, Result};
use crate::app::{self, Operator, PatternResult, Scalar, ScanMode};
use crate::interpret::outcome::{PatternCounts, PatternReport};
use crate::interpret::program::{
    Barriers, Counter, Domain, Instruction, MemReduce, Node, PatternSteps, Reduce, Scan,
};
use crate::interpret::scalar;
use comet_diag::Span;

struct Iterations<'a> {
    kind: &'static str,
    pattern: &'a app::Pattern,
    /// From its first word to the end of its domain.
    header: Span,
}

impl Resolver<'_> {
    pub(super) fn pattern(&mut self, pattern: &app::Pattern, span: Span) -> Result<Instruction> {
        let span = header(&pattern.domain, span);
        let iterations = |kind| Iterations { kind, pattern, header: span };
        match &pattern.result {
            PatternResult::None => {
                let (pattern, ()) = self.iterations(&iterations("Foreach"), |_| Ok(()))?;
                Ok(Instruction::Foreach(Box::new(pattern)))
            }
            PatternResult::Register { register, value, with } => {
                let (register, of) = self.register(register, "reduced into", span)?;
                let with = reducing(*with, of, span)?;
                let (pattern, value) =
                    self.iterations(&iterations("Reduce"), |resolver| resolver.value(value, of))?;
                Ok(Instruction::Reduce(Box::new(Reduce { pattern, register, value, with })))
            }
            PatternResult::Memory { .. } => self.mem_reduce(pattern, span),
        }
    }

    fn mem_reduce(&mut self, pattern: &app::Pattern, span: Span) -> Result<Instruction> {
        let PatternResult::Memory { is_fold, memory, par, value, with } = &pattern.result else {
            unreachable!("this is called for reductions of memories");
        };
        let kind = if *is_fold { "MemFold" } else { "MemReduce" };
        let par = self.lanes(par)?;
        let (target, of) = self.on_chip(memory, self.name(memory), span)?;
        let with = reducing(*with, of, span)?;
        let (pattern, (value, _)) = self
            .iterations(&Iterations { kind, pattern, header: span }, |resolver| {
                resolver.on_chip(value, resolver.name(value), span)
            })?;
        let reduce = MemReduce { pattern, is_fold: *is_fold, target, value, with, par, span };
        Ok(Instruction::MemReduce(Box::new(reduce)))
    }

    /// The iterations of a pattern, its body, and what is resolved at the end of that.
    fn iterations<T>(
        &mut self,
        iterations: &Iterations<'_>,
        end: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<(PatternSteps, T)> {
        let number = self.program.patterns.len();
        let par = self.iterations_at_once(&iterations.pattern.domain)?.0.unsigned_abs();
        let (kind, span, counts) = (iterations.kind, iterations.header, PatternCounts::default());
        self.program.patterns.push(PatternReport { kind, span, par, counts });
        let (domain, binders) = self.domain(&iterations.pattern.domain, iterations.header)?;
        let guard = self.enter(&iterations.pattern.domain, &iterations.pattern.body, iterations.header)?;
        self.names.enter();
        self.barriers.push(Barriers::default());
        for (name, slot) in binders.iter().filter(|(name, _)| name != "_") {
            self.declare(name, Binding::Value(*slot, Scalar::Int), iterations.header);
        }
        let (body, end) = self.block_with(&iterations.pattern.body, end)?;
        let barriers = self.barriers.pop().unwrap_or_default();
        self.names.leave();
        self.leave(guard);
        Ok((PatternSteps { number, domain, binders, body, guard, barriers }, end))
    }

    /// The iterations, and a slot for each of what the domain binds.
    fn domain(&mut self, domain: &app::Domain, span: Span) -> Result<(Domain, Vec<(String, usize)>)> {
        match domain {
            app::Domain::Counters(counters) => {
                let counters = counters.iter().map(|counter| {
                    let resolved = self.counter(counter)?;
                    let binder = (counter.binder.clone(), resolved.binder);
                    Ok((resolved, binder))
                });
                let (counters, binders) = counters.collect::<Result<Vec<_>>>()?.into_iter().unzip();
                Ok((Domain::Counters(counters), binders))
            }
            app::Domain::Scan { par, len, bits, binders: [coordinate, number] } => {
                let par = self.at_once(Some(par))?;
                let bits = [self.fifo(bits, "dequeued from", span)?.0];
                let len = self.value(len, Scalar::Int)?;
                let slots = [self.slot(), self.slot()];
                let binders = vec![(coordinate.clone(), slots[0]), (number.clone(), slots[1])];
                let (coordinate, numbers) = (slots[0], [slots[1]]);
                let scan = Scan { len, bits, coordinate, numbers, number: None, par, span };
                Ok((Domain::Scan(scan), binders))
            }
            app::Domain::ScanTwo { par, len, mode, bits: [first, second], binders } => {
                let par = self.at_once(Some(par))?;
                let bits =
                    [self.fifo(first, "dequeued from", span)?.0, self.fifo(second, "dequeued from", span)?.0];
                let len = self.value(len, Scalar::Int)?;
                let named: Vec<_> = binders.iter().map(|name| (name.clone(), self.slot())).collect();
                let (coordinate, number) = (named[0].1, Some(named[2].1));
                let numbers = [named[1].1, named[3].1];
                let scan = Scan { len, bits, coordinate, numbers, number, par, span };
                let domain = match mode {
                    ScanMode::Or => Domain::ScanOr(scan),
                    ScanMode::And => Domain::ScanAnd(scan),
                };
                Ok((domain, named))
            }
        }
    }

    fn counter(&mut self, counter: &app::Counter) -> Result<Counter> {
        let from =
            counter.from.as_ref().map_or(Ok(Node::Constant(0)), |from| self.value(from, Scalar::Int))?;
        let to = self.value(&counter.to, Scalar::Int)?;
        let step = self.value(&counter.step, Scalar::Int)?;
        let par = self.at_once(counter.par.as_ref())?;
        let binder = self.slot();
        let bounds = [self.slot(), self.slot(), self.slot()];
        Ok(Counter { binder, from, to, step, bounds, par, span: counter.to.span.to(counter.step.span) })
    }
}

/// A pattern from its first word to the end of its domain.
fn header(domain: &app::Domain, span: Span) -> Span {
    let ends = match domain {
        app::Domain::Counters(counters) => counters
            .iter()
            .flat_map(|counter| {
                let par = counter.par.as_ref().map_or(0, |par| par.span.end);
                [counter.to.span.end, counter.step.span.end, par]
            })
            .max(),
        app::Domain::Scan { len, .. } | app::Domain::ScanTwo { len, .. } => Some(len.span.end),
    };
    Span { start: span.start, end: ends.unwrap_or(span.end).max(span.start) }
}

/// What makes one of two, in whatever order they come.
fn reducing(with: Operator, of: Scalar, span: Span) -> Result<scalar::Binary> {
    scalar::binary(with, of).ok_or_else(|| has_no(with.word(), of, span))
}
