//! Applications without places, to compare what was read with what was made.

use comet_diag::Span;

use crate::app::{
    App, BarrierUse, Block, Copies, Counter, Domain, Expr, ExprKind, Host, HostKind, Kind, Memory,
    MemoryKind, Modify, Part, SparseVariant, Statement,
};

impl App {
    /// The same with all spans empty.
    #[must_use]
    pub fn without_spans(mut self) -> Self {
        self.parameters.iter_mut().for_each(|parameter| parameter.span = Span::default());
        self.before.iter_mut().for_each(host);
        block(&mut self.accel);
        self.after.iter_mut().for_each(host);
        self
    }
}

impl Expr {
    /// The same with all spans empty.
    #[must_use]
    pub(crate) fn without_spans(mut self) -> Self {
        expr(&mut self);
        self
    }
}

fn host(host: &mut Host) {
    host.span = Span::default();
    match &mut host.kind {
        HostKind::Dram { size: value, .. }
        | HostKind::Val(_, value)
        | HostKind::SetArg(_, value)
        | HostKind::Print(value)
        | HostKind::Assert(value) => {
            expr(value);
        }
        HostKind::ArgIn(..)
        | HostKind::ArgOut(..)
        | HostKind::LoadCsv(..)
        | HostKind::GetMem(..)
        | HostKind::SetMem(..)
        | HostKind::WriteCsv(..)
        | HostKind::PrintArray(..) => {}
    }
}

fn block(block: &mut Block) {
    block.iter_mut().for_each(statement);
}

fn statement(statement: &mut Statement) {
    statement.span = Span::default();
    match &mut statement.kind {
        Kind::Val(_, value) | Kind::Set { value, .. } | Kind::Barrier { init: value, .. } => expr(value),
        Kind::Memory(Memory { kind, .. }) => memory(kind),
        Kind::Alias { .. } => {}
        Kind::Write { index, value, .. } => [index, value].into_iter().for_each(expr),
        Kind::Enqueue { value, enable, .. } => {
            expr(value);
            enable.iter_mut().for_each(expr);
        }
        Kind::BarrierWrite { index, value, barriers, .. } => {
            [index, value].into_iter().for_each(expr);
            uses(barriers);
        }
        Kind::Modify(of) => modify(of),
        Kind::Load { part: of, .. } | Kind::Store { part: of, .. } => part(of),
        Kind::StreamLoad(stream) | Kind::StreamStore(stream) => {
            [&mut stream.base, &mut stream.len].into_iter().for_each(expr);
        }
        Kind::GenBitVector { shift, max, len, .. } => [shift, max, len].into_iter().for_each(expr),
        Kind::Foreach { domain: of, body, .. } => {
            domain(of);
            block(body);
        }
        Kind::Reduce { domain: of, body, value, .. } => {
            domain(of);
            block(body);
            expr(value);
        }
        Kind::MemReduce { par, domain: of, body, .. } => {
            expr(par);
            domain(of);
            block(body);
        }
        Kind::If { condition, then, otherwise } => {
            expr(condition);
            block(then);
            block(otherwise);
        }
    }
}

fn memory(kind: &mut MemoryKind) {
    match kind {
        MemoryKind::Sram { size } | MemoryKind::Fifo { depth: size } => expr(size),
        MemoryKind::SparseSram { variant, size } => {
            expr(size);
            match variant {
                SparseVariant::Plain => {}
                SparseVariant::Par(Copies { par, .. }) | SparseVariant::ParSwizzle(Copies { par, .. }) => {
                    expr(par);
                }
            }
        }
        MemoryKind::SparseDram { par, size } => [par, size].into_iter().for_each(expr),
        MemoryKind::Register { init } => init.iter_mut().for_each(expr),
    }
}

fn uses(barriers: &mut [BarrierUse]) {
    barriers.iter_mut().for_each(|barrier| barrier.span = Span::default());
}

fn modify(modify: &mut Modify) {
    [&mut modify.index, &mut modify.value].into_iter().for_each(expr);
    uses(&mut modify.barriers);
}

fn part(part: &mut Part) {
    [&mut part.from, &mut part.to].into_iter().chain(&mut part.par).for_each(expr);
}

fn domain(domain: &mut Domain) {
    match domain {
        Domain::Counters(counters) => counters.iter_mut().for_each(counter),
        Domain::Scan { par, len, .. } | Domain::ScanTwo { par, len, .. } => {
            [par, len].into_iter().for_each(expr);
        }
    }
}

fn counter(counter: &mut Counter) {
    let bounds = [&mut counter.to, &mut counter.step];
    bounds.into_iter().chain(&mut counter.from).chain(&mut counter.par).for_each(expr);
}

fn expr(of: &mut Expr) {
    of.span = Span::default();
    match &mut of.kind {
        ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::Text(_)
        | ExprKind::Bool(_)
        | ExprKind::Name(_)
        | ExprKind::Dequeue(_)
        | ExprKind::Length(_)
        | ExprKind::GetArg(_) => {}
        ExprKind::To(inner, _)
        | ExprKind::Read(_, inner)
        | ExprKind::Argument(inner)
        | ExprKind::Negate(inner)
        | ExprKind::Not(inner)
        | ExprKind::Call(_, inner) => expr(inner),
        ExprKind::Binary(_, left, right) => [left, right].into_iter().for_each(|of| expr(of)),
        ExprKind::Mux(condition, then, otherwise) => {
            [condition, then, otherwise].into_iter().for_each(|of| expr(of));
        }
        ExprKind::Modify(of) => modify(of),
        ExprKind::BarrierRead { index, barriers, .. } => {
            expr(index);
            uses(barriers);
        }
        ExprKind::Tabulate { size, value, .. } => [size, value].into_iter().for_each(|of| expr(of)),
    }
}
