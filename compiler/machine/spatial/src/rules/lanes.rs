//! What the lanes of a vector can do: `burst`, `store-base`, `register-lanes`, `sram-lanes`.
//!
//! A transfer moves one burst of 512 bits at a time at most: 16 values of 32 bits, 8 of 64. Lanes that set a
//! register meet. So do lanes in a bank of a dense SRAM, where nothing is known of how far apart their
//! addresses are: data decides them, or they are products of a lane's counter and what is no constant. A
//! store that several lanes feed from a dense SRAM reads it at addresses that follow those in DRAM. Nothing
//! is known either of addresses with a product of what data decides and what is no constant.

use super::scope::MemoryScope;
use super::{constant, iterations_at_once};
use crate::app::visit::UseKind;
use crate::app::{
    App, BURST_BYTES, Block, Domain, DramPart, Expr, ExprKind, Kind, Memory, MemoryKind, Operator, Pattern,
    Statement, has_controllers,
};
use comet_diag::{Diagnostic, Span};
use std::collections::{BTreeMap, BTreeSet};

const BURST_BITS: i64 = 8 * BURST_BYTES as i64;

pub(super) fn check(app: &App, constants: &BTreeMap<String, i64>) -> Vec<Diagnostic> {
    let mut walk = LaneCheck::new(app, constants);
    walk.block(&app.accel, 1);
    walk.broken
}

/// The dense SRAMs in whose banks lanes may meet.
pub(super) fn unbanked(app: &App, constants: &BTreeMap<String, i64>) -> BTreeSet<usize> {
    let mut walk = LaneCheck::new(app, constants);
    walk.block(&app.accel, 1);
    walk.unbanked
}

/// What differs between iterations that run at once.
#[derive(Clone, Default)]
struct Differing<'a> {
    /// The names of what may differ.
    names: Vec<&'a str>,
    /// Those among them of which nothing more is known.
    unknown: Vec<&'a str>,
}

struct LaneCheck<'a> {
    constants: &'a BTreeMap<String, i64>,
    app: &'a App,
    scope: MemoryScope,
    memories: Vec<(&'a Memory, Span)>,
    /// The values that data decides, among those that are declared around, and the products of these.
    decided: Vec<&'a str>,
    products: Vec<&'a str>,
    /// What differs from lane to lane in the body of a vector, and from copy to copy in those of the patterns
    /// around.
    lanes: Differing<'a>,
    copies: Differing<'a>,
    /// Likewise from copy to copy, where these do not keep step: one may be in a later iteration of a pattern
    /// inside than another.
    drifting: Differing<'a>,
    /// Whether the copies are in different iterations of a pattern around.
    is_adrift: bool,
    /// How many memories are declared outside of the copies.
    shared: usize,
    unbanked: BTreeSet<usize>,
    broken: Vec<Diagnostic>,
}

impl<'a> LaneCheck<'a> {
    fn new(app: &'a App, constants: &'a BTreeMap<String, i64>) -> Self {
        Self {
            constants,
            app,
            scope: MemoryScope::default(),
            memories: Vec::new(),
            decided: Vec::new(),
            products: Vec::new(),
            lanes: Differing::default(),
            copies: Differing::default(),
            drifting: Differing::default(),
            is_adrift: false,
            shared: 0,
            unbanked: BTreeSet::new(),
            broken: Vec::new(),
        }
    }

    fn block(&mut self, block: &'a Block, lanes: i64) {
        self.scope.names.enter();
        let (decided, products) = (self.decided.len(), self.products.len());
        for statement in block {
            self.statement(statement, lanes);
            if let Kind::Val(name, value) = &statement.kind {
                self.name_value(name, value);
            }
            match &statement.kind {
                Kind::Memory(memory) => self.memories.push((memory, statement.span)),
                Kind::Val(name, value) if self.is_decided(value) => {
                    if self.has_product(value) {
                        self.products.push(name);
                    }
                    self.decided.push(name);
                }
                _ => {}
            }
            self.scope.declare(statement);
        }
        self.scope.names.leave();
        self.decided.truncate(decided);
        self.products.truncate(products);
    }

    fn statement(&mut self, statement: &'a Statement, lanes: i64) {
        let span = statement.span;
        statement.values().into_iter().for_each(|value| self.reads(value, lanes, span));
        match &statement.kind {
            Kind::Load { memory, part } => self.burst(memory, part, span),
            Kind::Store { memory, part } => {
                self.burst(memory, part, span);
                self.store(memory, part, span);
            }
            Kind::Set { register, .. } if lanes > 1 => {
                let error =
                    format!("`{register}` is a register, and {lanes} lanes set it at once [register-lanes]");
                self.broken.push(
                    Diagnostic::error(span, error).hint(
                        "combine their values by a `Reduce`, or let one iteration run at a time: `par 1`",
                    ),
                );
            }
            Kind::Write { memory, index, .. } => self.use_at(memory, index, lanes, UseKind::Write, span),
            Kind::Pattern(pattern) => self.pattern(&pattern.domain, &pattern.body, pattern.value()),
            Kind::If { then, otherwise, .. } => {
                self.block(then, lanes);
                self.block(otherwise, lanes);
            }
            _ => {}
        }
    }

    fn pattern(&mut self, domain: &'a Domain, body: &'a Block, value: Option<&'a Expr>) {
        self.scope.names.enter();
        let decided = self.decided.len();
        for binder in domain.binders() {
            self.scope.names.declare(binder, None);
            // The coordinates of a scan are those of data.
            if !matches!(domain, Domain::Counters(_)) {
                self.decided.push(binder);
            }
        }
        let is_scan = !matches!(domain, Domain::Counters(_));
        let at_once = iterations_at_once(domain, self.constants);
        let is_outer = has_controllers(body);
        let around = (self.lanes.clone(), self.copies.clone(), self.drifting.clone());
        let is_adrift = self.is_adrift;
        if is_outer && !self.copies.names.is_empty() {
            self.is_adrift |= self.is_uneven(body, &mut self.drifting.names.clone());
        }
        if self.is_adrift {
            self.drifting.names.extend(domain.binders());
        }
        if at_once > 1 {
            if is_outer && self.copies.names.is_empty() {
                self.shared = self.memories.len();
            }
            let differing =
                if is_outer { vec![&mut self.copies, &mut self.drifting] } else { vec![&mut self.lanes] };
            for differing in differing {
                differing.names.extend(domain.binders());
                if is_scan {
                    differing.unknown.extend(domain.binders());
                }
            }
        }
        let lanes = if is_outer { 1 } else { at_once };
        self.block(body, lanes);
        if let (true, Some(value)) = (lanes > 1, value) {
            self.reads(value, lanes, value.span);
        }
        (self.lanes, self.copies, self.drifting) = around;
        self.is_adrift = is_adrift;
        self.scope.names.leave();
        self.decided.truncate(decided);
    }

    /// Whether the iterations of a body take longer in one copy than in another: it moves data from or to
    /// DRAM, scans, or has patterns whose bounds differ. `names` are the values that differ, around the body
    /// and in it.
    fn is_uneven(&self, body: &'a Block, names: &mut Vec<&'a str>) -> bool {
        let count = names.len();
        let is_uneven = body.iter().any(|statement| {
            let is_uneven = match &statement.kind {
                Kind::Memory(memory) => {
                    names.push(&memory.name);
                    false
                }
                Kind::Val(name, value) => {
                    if self.differs(value, names) {
                        names.push(name);
                    }
                    false
                }
                Kind::Pattern(Pattern { domain, .. }) => {
                    !matches!(domain, Domain::Counters(_))
                        || domain.bounds().into_iter().any(|bound| self.differs(bound, names))
                }
                Kind::If { condition, .. } => self.differs(condition, names),
                Kind::Load { .. } | Kind::Store { .. } | Kind::StreamLoad(_) | Kind::StreamStore(_) => true,
                _ => false,
            };
            is_uneven || statement.bodies().into_iter().any(|body| self.is_uneven(body, names))
        });
        names.truncate(count);
        is_uneven
    }

    /// The elements of memories that a value reads in several lanes or copies.
    fn reads(&mut self, value: &'a Expr, lanes: i64, span: Span) {
        if let ExprKind::Read(memory, index) = &value.kind {
            self.use_at(memory, index, lanes, UseKind::Read, span);
        }
        value.parts().into_iter().for_each(|part| self.reads(part, lanes, span));
    }

    /// Lanes read a memory or write it, or copies of a pattern's body do that share it.
    fn use_at(&mut self, memory: &str, index: &Expr, lanes: i64, what: UseKind, span: Span) {
        let Some(number) = self.scope.memory(memory) else { return };
        let lanes_meet = lanes > 1 && (self.is_unknown(index, &self.lanes) || self.has_product(index));
        // An element that all lanes of a vector use is one access.
        let is_single = lanes > 1 && !self.differs(index, &self.lanes.names);
        let copies_meet = number < self.shared && !is_single && self.is_unknown(index, &self.copies);
        // What is only read can be there several times, once for each copy.
        let copies_drift =
            what == UseKind::Write && number < self.shared && self.is_unknown(index, &self.drifting);
        let (of, declared) = self.memories[number];
        if !matches!(of.kind, MemoryKind::Sram { .. }) || !(lanes_meet || copies_meet || copies_drift) {
            return;
        }
        self.unbanked.insert(number);
        // There may be banks for lanes that go along where copies do not, but looking for them can take
        // minutes: such a memory is avoided, and no error.
        if lanes > 1 && copies_meet && !lanes_meet {
            return;
        }
        let users = if lanes_meet { format!("{lanes} lanes") } else { "copies".to_string() };
        let error = format!(
            "`{memory}` is a dense SRAM, and {users} use it at addresses of which nothing is known [sram-lanes]"
        );
        self.broken.push(
            Diagnostic::error(span, error)
                .also(declared, "declared here")
                .hint("declare it as `SparseSRAM[T](n)`, which keeps apart what meets in a bank"),
        );
    }

    /// A value gets a name, in lanes or copies that it may differ in.
    fn name_value(&mut self, name: &'a str, value: &Expr) {
        let among = |around: &Differing<'a>| {
            let is_among = !around.names.is_empty();
            (is_among && self.differs(value, &around.names), is_among && self.is_unknown(value, around))
        };
        let found = [among(&self.lanes), among(&self.copies), among(&self.drifting)];
        let around = [&mut self.lanes, &mut self.copies, &mut self.drifting];
        for (around, (differs, is_unknown)) in around.into_iter().zip(found) {
            around.names.extend(differs.then_some(name));
            around.unknown.extend(is_unknown.then_some(name));
        }
    }

    /// Whether a value may differ from one to the next.
    fn differs(&self, value: &Expr, names: &[&str]) -> bool {
        let mut uses = value.uses().into_iter();
        uses.any(|used| names.contains(&used.name) || used.at.is_none() && self.is_fifo(used.name))
    }

    /// Whether nothing is known of how a value differs from one to the next.
    fn is_unknown(&self, value: &Expr, around: &Differing<'_>) -> bool {
        match &value.kind {
            ExprKind::Name(name) => around.unknown.contains(&name.as_str()),
            ExprKind::Dequeue(_) | ExprKind::Modify(_) => !around.names.is_empty(),
            ExprKind::Read(_, index) => self.differs(index, &around.names),
            ExprKind::Binary(Operator::Multiply, left, right)
                if [(left, right), (right, left)].into_iter().any(|(one, other)| {
                    self.differs(one, &around.names) && constant(other, self.constants).is_none()
                }) =>
            {
                true
            }
            _ => value.parts().into_iter().any(|part| self.is_unknown(part, around)),
        }
    }

    fn is_fifo(&self, name: &str) -> bool {
        self.memory(name).is_some_and(|(memory, _)| matches!(memory.kind, MemoryKind::Fifo { .. }))
    }

    fn memory(&self, name: &str) -> Option<(&'a Memory, Span)> {
        self.scope.memory(name).map(|number| self.memories[number])
    }

    fn burst(&mut self, memory: &str, part: &DramPart, span: Span) {
        let Some((declared, at)) = self.memory(memory) else { return };
        let par = part.par.as_ref().and_then(|par| constant(par, self.constants)).unwrap_or(1);
        let bits = i64::from(self.app.bits(&declared.element));
        if par.saturating_mul(bits) <= BURST_BITS {
            return;
        }
        let error = format!(
            "{par} values of {bits} bits are moved at once, and a burst has {BURST_BITS} bits [burst]"
        );
        let most = BURST_BITS / bits;
        let hint = match bits > 32 {
            true => format!("lanes are of 32 bits: move {most} at once, or compute in `Float`"),
            false => format!("move {most} at once"),
        };
        self.broken.push(
            Diagnostic::error(span, error)
                .also(at, format!("elements of type `{}`", declared.element.name()))
                .hint(hint),
        );
    }

    fn store(&mut self, memory: &str, part: &DramPart, span: Span) {
        let par = part.par.as_ref().and_then(|par| constant(par, self.constants)).unwrap_or(1);
        let Some(number) = self.scope.memory(memory) else { return };
        let (declared, at) = self.memories[number];
        if par <= 1 || !matches!(declared.kind, MemoryKind::Sram { .. }) || !self.has_product(&part.from) {
            return;
        }
        self.unbanked.insert(number);
        let error = format!(
            "`{memory}` is a dense SRAM, and {par} lanes store it behind a product of what data decides [store-base]"
        );
        self.broken.push(Diagnostic::error(span, error).also(at, "declared here").hint(format!(
            "declare it as `SparseSRAM[T](n)`, or as a FIFO that is stored by `{} stream_store_vec(…)`",
            part.dram
        )));
    }

    /// Whether there is a product in a value of what data decides and what is no constant.
    fn has_product(&self, value: &Expr) -> bool {
        match &value.kind {
            ExprKind::Name(name) => self.products.contains(&name.as_str()),
            ExprKind::Binary(Operator::Multiply, left, right)
                if [(left, right), (right, left)].into_iter().any(|(one, other)| {
                    self.is_decided(one) && constant(other, self.constants).is_none()
                }) =>
            {
                true
            }
            _ => value.parts().into_iter().any(|part| self.has_product(part)),
        }
    }

    fn is_decided(&self, value: &Expr) -> bool {
        value.uses().into_iter().any(|used| {
            let is_memory = self.scope.memory(used.name).is_some() || used.at.is_some();
            is_memory || self.decided.contains(&used.name)
        })
    }
}
