//! The sparse SRAMs that are filled once and that several copies of a pattern's body read: each copy has a
//! port of its own, `SparseParSRAMSwizzle[T](copies)(n, true)`.

use super::scope::MemoryScope;
use super::{constant, iterations_at_once};
use crate::app::visit::{Use, UseKind};
use crate::app::{
    Block, Expr, ExprKind, Kind, MemoryKind, Operator, Pattern, PatternResult, SparseVariant, Statement,
    has_controllers,
};
use std::collections::{BTreeMap, BTreeSet};

/// The numbers of these memories, with how many copies there are of what reads them.
pub(super) fn find(accel: &Block, constants: &BTreeMap<String, i64>) -> BTreeMap<usize, Expr> {
    let mut walk = PortSearch {
        constants,
        scope: MemoryScope::default(),
        outside: BTreeMap::new(),
        copied: Vec::new(),
        shared: BTreeMap::new(),
        written: BTreeSet::new(),
    };
    walk.block(accel, None);
    walk.shared.retain(|number, _| !walk.written.contains(number));
    walk.shared
}

struct PortSearch<'a> {
    constants: &'a BTreeMap<String, i64>,
    scope: MemoryScope,
    /// How many of the copied patterns around are also around the declaration of a sparse SRAM, by its
    /// number.
    outside: BTreeMap<usize, usize>,
    /// The factors of the patterns around whose bodies are there several times.
    copied: Vec<Expr>,
    shared: BTreeMap<usize, Expr>,
    /// What is written by anything but a transfer.
    written: BTreeSet<usize>,
}

impl<'a> PortSearch<'a> {
    /// A block, and what comes of an iteration of it.
    fn block(&mut self, block: &'a Block, value: Option<&'a Expr>) {
        self.scope.names.enter();
        block.iter().for_each(|statement| self.statement(statement));
        if let Some(value) = value {
            value.uses().into_iter().for_each(|used| self.access(used));
        }
        self.scope.names.leave();
    }

    fn statement(&mut self, statement: &'a Statement) {
        if !matches!(statement.kind, Kind::Load { .. }) {
            statement.uses().into_iter().for_each(|used| self.access(used));
        }
        self.scope.declare(statement);
        if let Kind::Memory(memory) = &statement.kind
            && matches!(memory.kind, MemoryKind::SparseSram { variant: SparseVariant::Plain, .. })
            && let Some(number) = self.scope.memory(&memory.name)
        {
            self.outside.insert(number, self.copied.len());
        }
        let count = self.copied.len();
        self.copied.extend(factor(statement, self.constants));
        let value = statement.iteration_value();
        statement.bodies().into_iter().for_each(|body| self.block(body, value));
        self.copied.truncate(count);
    }

    fn access(&mut self, Use { name, what, at }: Use<'_>) {
        match what {
            UseKind::Read if at.is_some() => self.read(name),
            UseKind::Write | UseKind::Modify => self.written.extend(self.scope.memory(name)),
            _ => {}
        }
    }

    fn read(&mut self, name: &str) {
        let Some(number) = self.scope.memory(name) else { return };
        let Some(outside) = self.outside.get(&number) else { return };
        let product = |one: Expr, other: Expr| {
            let span = one.span;
            Expr { kind: ExprKind::Binary(Operator::Multiply, Box::new(one), Box::new(other)), span }
        };
        let Some(copies) = self.copied[*outside..].iter().cloned().reduce(product) else { return };
        let many = |copies: &Expr| constant(copies, self.constants);
        if self.shared.get(&number).is_none_or(|others| many(others) < many(&copies)) {
            self.shared.insert(number, copies);
        }
    }
}

/// How many copies there are of a pattern's body, if there are several.
fn factor(statement: &Statement, constants: &BTreeMap<String, i64>) -> Option<Expr> {
    let Kind::Pattern(Pattern { domain, body, result, .. }) = &statement.kind else { return None };
    let is_copied = !matches!(result, PatternResult::Memory { .. });
    if !is_copied || !has_controllers(body) || iterations_at_once(domain, constants) == 1 {
        return None;
    }
    domain.factors().into_iter().find(|factor| constant(factor, constants) != Some(1)).cloned()
}
