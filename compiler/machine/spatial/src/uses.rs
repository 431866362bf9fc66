//! What statements do with names, and how many operations values take.

use crate::app::{Block, Domain, Expr, ExprKind, Kind, Modify, Statement};

/// A use of a name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Use<'a> {
    pub(crate) name: &'a str,
    pub(crate) what: What,
    /// Which element of a memory, of those with addresses.
    pub(crate) at: Option<&'a Expr>,
}

/// What is done with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    Declare,
    Read,
    Write,
    /// Told besides reading and writing, where that is one access.
    Modify,
}

/// Tells the uses of a statement, and where `is_deep` those of the blocks in it.
pub(crate) fn of_statement<'a>(statement: &'a Statement, is_deep: bool, tell: &mut impl FnMut(Use<'a>)) {
    let mut one = |name: &'a str, what, at| tell(Use { name, what, at });
    match &statement.kind {
        Kind::Val(name, value) => {
            of_value(value, &mut one);
            one(name, What::Declare, None);
        }
        Kind::Memory(memory) => one(&memory.name, What::Declare, None),
        Kind::Alias { .. } => {}
        Kind::Barrier { name, init } => {
            of_value(init, &mut one);
            one(name, What::Declare, None);
        }
        Kind::Write { memory, index, value } | Kind::BarrierWrite { memory, index, value, .. } => {
            of_value(index, &mut one);
            of_value(value, &mut one);
            one(memory, What::Write, Some(index));
        }
        Kind::Set { register, value } => {
            of_value(value, &mut one);
            one(register, What::Write, None);
        }
        Kind::Enqueue { fifo, value, enable } => {
            of_value(value, &mut one);
            enable.iter().for_each(|enable| of_value(enable, &mut one));
            one(fifo, What::Write, None);
        }
        Kind::Modify(modify) => of_modify(modify, &mut one),
        Kind::Load { memory, part } => {
            [&part.from, &part.to].into_iter().for_each(|value| of_value(value, &mut one));
            one(&part.dram, What::Read, Some(&part.from));
            one(memory, What::Write, None);
        }
        Kind::Store { memory, part } => {
            [&part.from, &part.to].into_iter().for_each(|value| of_value(value, &mut one));
            one(memory, What::Read, None);
            one(&part.dram, What::Write, Some(&part.from));
        }
        Kind::StreamLoad(stream) => {
            [&stream.base, &stream.len].into_iter().for_each(|value| of_value(value, &mut one));
            one(&stream.dram, What::Read, Some(&stream.base));
            one(&stream.fifo, What::Write, None);
        }
        Kind::StreamStore(stream) => {
            [&stream.base, &stream.len].into_iter().for_each(|value| of_value(value, &mut one));
            one(&stream.fifo, What::Read, None);
            one(&stream.dram, What::Write, Some(&stream.base));
        }
        Kind::GenBitVector { shift, max, len, crd, bits } => {
            [shift, max, len].into_iter().for_each(|value| of_value(value, &mut one));
            one(crd, What::Read, None);
            one(bits, What::Write, None);
        }
        Kind::Foreach { domain, .. } => of_domain(domain, &mut one),
        Kind::Reduce { register, domain, value, .. } => {
            of_domain(domain, &mut one);
            if is_deep {
                of_value(value, &mut one);
            }
            one(register, What::Write, None);
        }
        Kind::MemReduce { memory, domain, value, .. } => {
            of_domain(domain, &mut one);
            [(value, What::Read), (memory, What::Read), (memory, What::Write)]
                .into_iter()
                .for_each(|(name, what)| one(name, what, None));
        }
        Kind::If { condition, .. } => of_value(condition, &mut one),
    }
    if is_deep {
        bodies(statement).into_iter().flatten().for_each(|inner| of_statement(inner, true, tell));
    }
}

/// The blocks in a statement.
pub(crate) fn bodies(statement: &Statement) -> Vec<&Block> {
    match &statement.kind {
        Kind::Foreach { body, .. } | Kind::Reduce { body, .. } | Kind::MemReduce { body, .. } => vec![body],
        Kind::If { then, otherwise, .. } => vec![then, otherwise],
        _ => Vec::new(),
    }
}

/// Tells the uses of a value.
pub(crate) fn of_value<'a>(value: &'a Expr, one: &mut impl FnMut(&'a str, What, Option<&'a Expr>)) {
    match &value.kind {
        ExprKind::Name(name) | ExprKind::Dequeue(name) => one(name, What::Read, None),
        ExprKind::Read(memory, index) | ExprKind::BarrierRead { memory, index, .. } => {
            of_value(index, one);
            one(memory, What::Read, Some(index));
        }
        ExprKind::Modify(modify) => of_modify(modify, one),
        _ => parts(value).into_iter().for_each(|part| of_value(part, one)),
    }
}

fn of_modify<'a>(modify: &'a Modify, one: &mut impl FnMut(&'a str, What, Option<&'a Expr>)) {
    of_value(&modify.index, one);
    of_value(&modify.value, one);
    one(&modify.memory, What::Read, Some(&modify.index));
    one(&modify.memory, What::Write, Some(&modify.index));
    one(&modify.memory, What::Modify, Some(&modify.index));
}

fn of_domain<'a>(domain: &'a Domain, one: &mut impl FnMut(&'a str, What, Option<&'a Expr>)) {
    bounds(domain).into_iter().for_each(|value| of_value(value, one));
    match domain {
        Domain::Counters(_) => {}
        Domain::Scan { bits, .. } => one(bits, What::Read, None),
        Domain::ScanTwo { bits, .. } => bits.iter().for_each(|bits| one(bits, What::Read, None)),
    }
}

/// How many rounds of each counter, or of a scan, run at once.
pub(crate) fn factors(domain: &Domain) -> Vec<&Expr> {
    match domain {
        Domain::Counters(counters) => counters.iter().filter_map(|counter| counter.par.as_ref()).collect(),
        Domain::Scan { par, .. } | Domain::ScanTwo { par, .. } => vec![par],
    }
}

/// The values that a domain is computed from.
pub(crate) fn bounds(domain: &Domain) -> Vec<&Expr> {
    match domain {
        Domain::Counters(counters) => counters
            .iter()
            .flat_map(|counter| counter.from.iter().chain([&counter.to, &counter.step]))
            .collect(),
        Domain::Scan { len, .. } | Domain::ScanTwo { len, .. } => vec![len],
    }
}

/// How many operations a statement takes by itself, without the blocks in it.
pub(crate) fn operations(statement: &Statement) -> u64 {
    values(statement).into_iter().map(operations_of).sum()
}

/// The values of a statement by itself, without the blocks in it and what comes of their rounds.
pub(crate) fn values(statement: &Statement) -> Vec<&Expr> {
    match &statement.kind {
        Kind::Val(_, value) | Kind::Set { value, .. } => vec![value],
        Kind::Memory(_) | Kind::Alias { .. } | Kind::Barrier { .. } => Vec::new(),
        Kind::Write { index, value, .. } | Kind::BarrierWrite { index, value, .. } => vec![index, value],
        Kind::Enqueue { value, enable, .. } => [value].into_iter().chain(enable).collect(),
        Kind::Modify(modify) => vec![&modify.index, &modify.value],
        Kind::Load { part, .. } | Kind::Store { part, .. } => vec![&part.from, &part.to],
        Kind::StreamLoad(stream) | Kind::StreamStore(stream) => vec![&stream.base, &stream.len],
        Kind::GenBitVector { shift, max, len, .. } => vec![shift, max, len],
        Kind::Foreach { domain, .. } | Kind::Reduce { domain, .. } | Kind::MemReduce { domain, .. } => {
            bounds(domain)
        }
        Kind::If { condition, .. } => vec![condition],
    }
}

/// How many operations a value takes. A memory's own (reading, combining in place) are none.
pub(crate) fn operations_of(value: &Expr) -> u64 {
    let own = match &value.kind {
        ExprKind::Negate(_)
        | ExprKind::Not(_)
        | ExprKind::Binary(..)
        | ExprKind::Mux(..)
        | ExprKind::Call(..) => 1,
        _ => 0,
    };
    own + parts(value).into_iter().map(operations_of).sum::<u64>()
}

/// The values in a value.
pub(crate) fn parts(value: &Expr) -> Vec<&Expr> {
    match &value.kind {
        ExprKind::To(inner, _)
        | ExprKind::Read(_, inner)
        | ExprKind::Negate(inner)
        | ExprKind::Not(inner)
        | ExprKind::Call(_, inner)
        | ExprKind::Argument(inner)
        | ExprKind::BarrierRead { index: inner, .. } => vec![inner],
        ExprKind::Binary(_, left, right) => vec![left, right],
        ExprKind::Mux(condition, then, otherwise) => vec![condition, then, otherwise],
        ExprKind::Modify(modify) => vec![&modify.index, &modify.value],
        ExprKind::Tabulate { size, value, .. } => vec![size, value],
        ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::Text(_)
        | ExprKind::Bool(_)
        | ExprKind::Name(_)
        | ExprKind::Dequeue(_)
        | ExprKind::Length(_)
        | ExprKind::GetArg(_) => Vec::new(),
    }
}

/// The FIFOs that a statement takes from or gives to by itself, each as often as it does.
pub(crate) fn fifos(statement: &Statement) -> Vec<&str> {
    let mut found = Vec::new();
    let named: Vec<&String> = match &statement.kind {
        Kind::Enqueue { fifo, .. } => vec![fifo],
        Kind::Load { memory, .. } | Kind::Store { memory, .. } => vec![memory],
        Kind::StreamLoad(stream) | Kind::StreamStore(stream) => vec![&stream.fifo],
        Kind::GenBitVector { crd, bits, .. } => vec![crd, bits],
        Kind::Foreach { domain, .. } | Kind::Reduce { domain, .. } | Kind::MemReduce { domain, .. } => {
            match domain {
                Domain::Counters(_) => Vec::new(),
                Domain::Scan { bits, .. } => vec![bits],
                Domain::ScanTwo { bits, .. } => bits.iter().collect(),
            }
        }
        _ => Vec::new(),
    };
    found.extend(named.into_iter().map(String::as_str));
    dequeued(values(statement), &mut found);
    found
}

fn dequeued<'a>(values: Vec<&'a Expr>, found: &mut Vec<&'a str>) {
    for value in values {
        if let ExprKind::Dequeue(fifo) = &value.kind {
            found.push(fifo);
        }
        dequeued(parts(value), found);
    }
}
