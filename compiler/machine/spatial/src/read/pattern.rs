//! Patterns as statements, and blocks.

use comet_diag::Diagnostic;

use super::arguments::block;
use super::call::Call;
use super::reader::TextReader;
use crate::app::{Block, Kind, Pattern, PatternResult, Statement};
use crate::text::tree::{Item, ItemKind, Term, TermKind};

const FOREACH: &str = "Foreach (n by 1 par p) { i => … }";

impl TextReader {
    /// The statements of a block. A mistake in one is noted, and the others are read.
    pub(super) fn statements(&mut self, items: &[Item]) -> Block {
        let mut block = Vec::new();
        for item in items {
            let read = self.statement(item, &mut block);
            if self.keep(read).is_none()
                && let ItemKind::Val(name, ..) = &item.kind
            {
                self.declare_unknown(name);
            }
        }
        block
    }

    /// The statements of a block with names of its own.
    pub(super) fn block(&mut self, items: &[Item]) -> Block {
        self.scopes.enter();
        let block = self.statements(items);
        self.scopes.leave();
        block
    }

    /// A pattern whose result, if it has one, nobody uses.
    pub(super) fn pattern(&mut self, call: &Call<'_>, into: &mut Block) -> Result<(), Diagnostic> {
        match call.pattern() {
            Some("Foreach") => self.foreach(call, into),
            Some("Reduce") => self.reduce(call, None, into).map(drop),
            _ => self.mem_reduce(call, None, into).map(drop),
        }
    }

    fn foreach(&mut self, call: &Call<'_>, into: &mut Block) -> Result<(), Diagnostic> {
        let [domain, body] = call.lists[..] else { return Err(call.not_as(FOREACH)) };
        let body = block(body).ok_or_else(|| call.not_as(FOREACH))?;
        let rounds = self.rounds(domain, body, call.span)?;
        self.scopes.enter();
        rounds.declarations().for_each(|(binder, what)| self.declare(binder, what));
        let body = self.statements(&body.items);
        self.scopes.leave();
        into.push(Statement {
            kind: Kind::Pattern(Pattern {
                schedule: call.schedule(),
                domain: rounds.domain,
                body,
                result: PatternResult::None,
            }),
            span: call.span,
        });
        Ok(())
    }

    pub(super) fn if_statement(
        &mut self,
        condition: &Term,
        then: &Term,
        otherwise: Option<&Term>,
    ) -> Result<Kind, Diagnostic> {
        let condition = self.expression(condition)?.condition()?;
        let then = self.branch(then);
        let otherwise = otherwise.map_or_else(Vec::new, |otherwise| self.branch(otherwise));
        Ok(Kind::If { condition, then, otherwise })
    }

    fn branch(&mut self, term: &Term) -> Block {
        match &term.kind {
            TermKind::Braces(braces) if braces.binders.is_none() => self.block(&braces.items),
            _ => self.block(&[Item { kind: ItemKind::Term(term.clone()), span: term.span }]),
        }
    }
}
