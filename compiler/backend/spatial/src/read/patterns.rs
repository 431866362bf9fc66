//! Patterns and their rounds.

use super::accelerator::block;
use super::attributes::{binders, name, texts};
use super::expressions::{expr, optional_expr};
use crate::cases::Case;
use comet_dialects::spatial::SpatialDialectOperation as Spatial;
use comet_ir::{Op, Val, view_spatial};
use comet_spatial::app::{Counter, Domain, Kind, Schedule};
use melior::ir::attribute::DenseI32ArrayAttribute;

pub(super) fn foreach(op: Op<'_>) -> Kind {
    Kind::Foreach { schedule: schedule(op), domain: domain(op, 0), body: block(op.body(0)) }
}

pub(super) fn reduce(op: Op<'_>) -> Kind {
    let body = op.body(0);
    Kind::Reduce {
        schedule: schedule(op),
        register: name(op.operand(0)),
        domain: domain(op, 1),
        body: block(body),
        value: expr(body.terminator().operand(0)),
        with: Case::of(op, "with"),
    }
}

pub(super) fn mem_reduce(op: Op<'_>) -> Kind {
    let body = op.body(0);
    Kind::MemReduce {
        schedule: schedule(op),
        is_fold: op.attribute("fold").is_some(),
        memory: name(op.operand(0)),
        par: expr(op.operand(1)),
        domain: domain(op, 2),
        body: block(body),
        value: name(body.terminator().operand(0)),
        with: Case::of(op, "with"),
    }
}

/// How the rounds of a pattern overlap.
fn schedule(pattern: Op<'_>) -> Schedule {
    let has = |name| pattern.attribute(name).is_some();
    match (has("sequential"), has("streaming")) {
        (true, _) => Schedule::Sequential,
        (_, true) => Schedule::Streaming,
        _ => Schedule::Pipelined,
    }
}

/// What a pattern goes over: its operands from one on.
fn domain(pattern: Op<'_>, first: usize) -> Domain {
    let rounds: Vec<Op<'_>> = pattern.operands().split_off(first).into_iter().map(maker).collect();
    let view = view_spatial(rounds[0]).expect("the verifier demands counters or a scan");
    match &*view {
        Spatial::Scan(_) => Domain::Scan {
            par: expr(rounds[0].operand(0)),
            len: expr(rounds[0].operand(1)),
            bits: name(rounds[0].operand(2)),
            binders: binders(pattern),
        },
        Spatial::ScanTwo(_) => Domain::ScanTwo {
            par: expr(rounds[0].operand(0)),
            len: expr(rounds[0].operand(1)),
            mode: Case::of(rounds[0], "mode"),
            bits: [name(rounds[0].operand(2)), name(rounds[0].operand(3))],
            binders: binders(pattern),
        },
        _ => {
            let names = texts(pattern, "binders");
            Domain::Counters(rounds.into_iter().zip(names).map(|(op, binder)| counter(op, binder)).collect())
        }
    }
}

fn maker(rounds: Val<'_>) -> Op<'_> {
    Op::defining(rounds).expect("the verifier demands counters or a scan")
}

fn counter(op: Op<'_>, binder: String) -> Counter {
    let sizes = op.attribute("operandSegmentSizes");
    let sizes = sizes.and_then(|attribute| DenseI32ArrayAttribute::try_from(attribute).ok());
    let sizes = sizes.expect("the verifier demands the numbers of operands");
    let mut operands = op.operands().into_iter();
    let mut next = |number| match sizes.element(number) {
        Ok(1) => operands.next(),
        _ => None,
    };
    let [from, to, step, par] = [next(0), next(1), next(2), next(3)];
    Counter {
        binder,
        from: optional_expr(from),
        to: expr(to.expect("the verifier demands it")),
        step: expr(step.expect("the verifier demands it")),
        par: optional_expr(par),
    }
}
