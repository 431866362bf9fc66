//! The parts of statements and values, and what they do with names.

use super::{AppExpr, AppStatement, Block, Domain, ExprKind, Kind, Modify, Operator, Pattern, PatternResult};

#[derive(Clone, Copy, Debug)]
pub(crate) struct Use<'a> {
    pub(crate) name: &'a str,
    pub(crate) what: UseKind,
    /// The element of a memory, if it has addresses.
    pub(crate) at: Option<&'a AppExpr>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UseKind {
    Declare,
    Read,
    Write,
    /// Besides a read and a write, where these are one access.
    Modify,
}

impl<'a> Use<'a> {
    fn new(name: &'a str, what: UseKind, at: Option<&'a AppExpr>) -> Self {
        Self { name, what, at }
    }

    fn declare(name: &'a str) -> Self {
        Self::new(name, UseKind::Declare, None)
    }

    fn read(name: &'a str, at: Option<&'a AppExpr>) -> Self {
        Self::new(name, UseKind::Read, at)
    }

    fn write(name: &'a str, at: Option<&'a AppExpr>) -> Self {
        Self::new(name, UseKind::Write, at)
    }
}

impl AppExpr {
    pub(crate) fn parts(&self) -> Vec<&Self> {
        match &self.kind {
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

    /// Returns whether something holds of a value or of one in it.
    pub(crate) fn any(&self, holds: &mut impl FnMut(&Self) -> bool) -> bool {
        holds(self) || self.parts().into_iter().any(|part| part.any(holds))
    }

    /// Returns the value, if all of its names have one and it is made of sums, products and quotients.
    pub(crate) fn constant(&self, of: &impl Fn(&str) -> Option<i64>) -> Option<i64> {
        match &self.kind {
            ExprKind::Int(number) => Some(*number),
            ExprKind::Name(name) => of(name),
            ExprKind::Binary(operator, left, right) => {
                let (left, right) = (left.constant(of)?, right.constant(of)?);
                match operator {
                    Operator::Add => left.checked_add(right),
                    Operator::Subtract => left.checked_sub(right),
                    Operator::Multiply => left.checked_mul(right),
                    Operator::Divide => left.checked_div(right),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Returns the uses of names, in the order of evaluation.
    pub(crate) fn uses(&self) -> Vec<Use<'_>> {
        let mut uses: Vec<Use<'_>> = self.parts().into_iter().flat_map(Self::uses).collect();
        match &self.kind {
            ExprKind::Name(name) | ExprKind::Dequeue(name) => uses.push(Use::read(name, None)),
            ExprKind::Read(memory, index) | ExprKind::BarrierRead { memory, index, .. } => {
                uses.push(Use::read(memory, Some(index)));
            }
            ExprKind::Modify(modify) => uses.extend(modify.own_uses()),
            _ => {}
        }
        uses
    }

    /// Returns the number of operations. A memory's own, reading and combining in place, are none.
    pub(crate) fn operations(&self) -> u64 {
        use ExprKind::{Binary, Call, Mux, Negate, Not};
        let own = matches!(self.kind, Negate(_) | Not(_) | Binary(..) | Mux(..) | Call(..));
        u64::from(own) + self.parts().into_iter().map(Self::operations).sum::<u64>()
    }
}

impl Modify {
    fn own_uses(&self) -> [Use<'_>; 3] {
        let kinds = [UseKind::Read, UseKind::Write, UseKind::Modify];
        kinds.map(|kind| Use::new(&self.memory, kind, Some(&self.index)))
    }
}

impl Domain {
    /// Returns the names of what it counts.
    pub fn binders(&self) -> Vec<&str> {
        match self {
            Self::Counters(counters) => counters.iter().map(|counter| counter.binder.as_str()).collect(),
            Self::Scan { binders, .. } => binders.iter().map(String::as_str).collect(),
            Self::ScanTwo { binders, .. } => binders.iter().map(String::as_str).collect(),
        }
    }

    /// Returns the factors: of each counter, or of a scan, the number of iterations at once.
    pub(crate) fn factors(&self) -> Vec<&AppExpr> {
        match self {
            Self::Counters(counters) => counters.iter().filter_map(|counter| counter.par.as_ref()).collect(),
            Self::Scan { par, .. } | Self::ScanTwo { par, .. } => vec![par],
        }
    }

    pub(crate) fn bounds(&self) -> Vec<&AppExpr> {
        match self {
            Self::Counters(counters) => counters
                .iter()
                .flat_map(|counter| counter.from.iter().chain([&counter.to, &counter.step]))
                .collect(),
            Self::Scan { len, .. } | Self::ScanTwo { len, .. } => vec![len],
        }
    }

    fn bits(&self) -> &[String] {
        match self {
            Self::Counters(_) => &[],
            Self::Scan { bits, .. } => std::slice::from_ref(bits),
            Self::ScanTwo { bits, .. } => bits,
        }
    }
}

impl PatternResult {
    fn uses(&self) -> Vec<Use<'_>> {
        match self {
            Self::None => Vec::new(),
            Self::Register { register, .. } => vec![Use::write(register, None)],
            Self::Memory { memory, value, .. } => {
                vec![Use::read(value, None), Use::read(memory, None), Use::write(memory, None)]
            }
        }
    }
}

impl Pattern {
    /// Returns what an iteration of a reduction into a register computes after its statements.
    pub(crate) fn value(&self) -> Option<&AppExpr> {
        match &self.result {
            PatternResult::Register { value, .. } => Some(value),
            PatternResult::None | PatternResult::Memory { .. } => None,
        }
    }
}

impl AppStatement {
    /// See [`Pattern::value`].
    pub(crate) fn iteration_value(&self) -> Option<&AppExpr> {
        if let Kind::Pattern(pattern) = &self.kind { pattern.value() } else { None }
    }

    pub(crate) fn bodies(&self) -> Vec<&Block> {
        match &self.kind {
            Kind::Pattern(pattern) => vec![&pattern.body],
            Kind::If { then, otherwise, .. } => vec![then, otherwise],
            _ => Vec::new(),
        }
    }

    pub(crate) fn bodies_mut(&mut self) -> Vec<&mut Block> {
        match &mut self.kind {
            Kind::Pattern(pattern) => vec![&mut pattern.body],
            Kind::If { then, otherwise, .. } => vec![then, otherwise],
            _ => Vec::new(),
        }
    }

    /// Whether it takes a controller of its own: a pattern, a transfer, the making of bit vectors.
    pub(crate) fn is_controller(&self) -> bool {
        matches!(
            self.kind,
            Kind::Pattern(_)
                | Kind::Load { .. }
                | Kind::Store { .. }
                | Kind::StreamLoad(_)
                | Kind::StreamStore(_)
                | Kind::GenBitVector { .. }
        )
    }

    /// Returns the values of a statement by itself: not of the blocks in it, and not what they compute.
    pub(crate) fn values(&self) -> Vec<&AppExpr> {
        match &self.kind {
            Kind::Val(_, value) | Kind::Set { value, .. } | Kind::Barrier { init: value, .. } => vec![value],
            Kind::Memory(_) | Kind::Alias { .. } => Vec::new(),
            Kind::Write { index, value, .. } | Kind::BarrierWrite { index, value, .. } => vec![index, value],
            Kind::Enqueue { value, enable, .. } => [value].into_iter().chain(enable).collect(),
            Kind::Modify(modify) => vec![&modify.index, &modify.value],
            Kind::Load { part, .. } | Kind::Store { part, .. } => vec![&part.from, &part.to],
            Kind::StreamLoad(stream) | Kind::StreamStore(stream) => vec![&stream.base, &stream.len],
            Kind::GenBitVector { shift, max, len, .. } => vec![shift, max, len],
            Kind::Pattern(pattern) => pattern.domain.bounds(),
            Kind::If { condition, .. } => vec![condition],
        }
    }

    /// Returns the uses of names by a statement itself, without the blocks in it.
    pub(crate) fn uses(&self) -> Vec<Use<'_>> {
        let mut uses: Vec<Use<'_>> = self.values().into_iter().flat_map(AppExpr::uses).collect();
        match &self.kind {
            Kind::Val(name, _) | Kind::Barrier { name, .. } => uses.push(Use::declare(name)),
            Kind::Memory(memory) => uses.push(Use::declare(&memory.name)),
            Kind::Write { memory, index, .. } | Kind::BarrierWrite { memory, index, .. } => {
                uses.push(Use::write(memory, Some(index)));
            }
            Kind::Set { register: name, .. } | Kind::Enqueue { fifo: name, .. } => {
                uses.push(Use::write(name, None));
            }
            Kind::Modify(modify) => uses.extend(modify.own_uses()),
            Kind::Load { memory, part } => {
                uses.extend([Use::read(&part.dram, Some(&part.from)), Use::write(memory, None)]);
            }
            Kind::Store { memory, part } => {
                uses.extend([Use::read(memory, None), Use::write(&part.dram, Some(&part.from))]);
            }
            Kind::StreamLoad(stream) => {
                uses.extend([Use::read(&stream.dram, Some(&stream.base)), Use::write(&stream.fifo, None)]);
            }
            Kind::StreamStore(stream) => {
                uses.extend([Use::read(&stream.fifo, None), Use::write(&stream.dram, Some(&stream.base))]);
            }
            Kind::GenBitVector { crd, bits, .. } => {
                uses.extend([Use::read(crd, None), Use::write(bits, None)]);
            }
            Kind::Pattern(pattern) => {
                uses.extend(pattern.domain.bits().iter().map(|bits| Use::read(bits, None)));
                uses.extend(pattern.result.uses());
            }
            Kind::Alias { .. } | Kind::If { .. } => {}
        }
        uses
    }

    /// Returns the uses of names by a statement and the blocks in it.
    pub(crate) fn uses_inside(&self) -> Vec<Use<'_>> {
        let mut uses = self.uses();
        uses.extend(self.iteration_value().into_iter().flat_map(AppExpr::uses));
        uses.extend(self.bodies().into_iter().flatten().flat_map(Self::uses_inside));
        uses
    }

    /// Returns the number of operations of a statement by itself, without the blocks in it.
    pub(crate) fn operations(&self) -> u64 {
        self.values().into_iter().map(AppExpr::operations).sum()
    }

    /// Returns the FIFOs that a statement takes from or adds to by itself, each as often as it does.
    pub(crate) fn fifos(&self) -> Vec<&str> {
        let own: Vec<&String> = match &self.kind {
            Kind::Enqueue { fifo, .. } => vec![fifo],
            Kind::Load { memory, .. } | Kind::Store { memory, .. } => vec![memory],
            Kind::StreamLoad(stream) | Kind::StreamStore(stream) => vec![&stream.fifo],
            Kind::GenBitVector { crd, bits, .. } => vec![crd, bits],
            Kind::Pattern(pattern) => pattern.domain.bits().iter().collect(),
            _ => Vec::new(),
        };
        let mut fifos: Vec<&str> = own.into_iter().map(String::as_str).collect();
        self.values().into_iter().for_each(|value| dequeued(value, &mut fifos));
        fifos
    }
}

fn dequeued<'a>(value: &'a AppExpr, found: &mut Vec<&'a str>) {
    if let ExprKind::Dequeue(fifo) = &value.kind {
        found.push(fifo);
    }
    value.parts().into_iter().for_each(|part| dequeued(part, found));
}

/// Calls a function with every statement of a block, those inside of others too.
pub(crate) fn each<'a>(body: &'a [AppStatement], visit: &mut impl FnMut(&'a AppStatement)) {
    for statement in body {
        visit(statement);
        statement.bodies().into_iter().for_each(|inner| each(inner, visit));
    }
}

/// Whether something in a block takes a controller of its own. The iterations of a pattern whose body has
/// none are the lanes of a vector.
pub fn has_controllers(block: &[AppStatement]) -> bool {
    let inside = |statement: &AppStatement| statement.bodies().into_iter().any(|body| has_controllers(body));
    block.iter().any(|statement| statement.is_controller() || inside(statement))
}
