//! Blocks, and patterns: `Foreach`, `Reduce`, `MemReduce` and `MemFold`, reductions also where values stand.

use super::call::{Call, block, single};
use super::domain::Iterations;
use super::name::word;
use super::operator::combination;
use super::scope::{TextReader, What};
use super::transfer::parallel;
use super::typed::{Typed, Valued};
use crate::app::{AppStatement, Block, ExprKind, Kind, Operator, Pattern, PatternResult};
use crate::text::Result;
use crate::text::tree::{Braces, Item, ItemKind, Term, TermArgument, TermKind, Word};
use comet_diag::{Diagnostic, Span};

const FOREACH: &str = "Foreach (n by 1 par p) { i => … }";
const REDUCE: &str = "Reduce(r)(n by 1 par p) { i => … } { _ + _ }";
const MEM_REDUCE: &str = "MemReduce(m par p)(n by 1) { i => … } { _ + _ }";

struct Parts<'tree> {
    target: &'tree Term,
    domain: &'tree [TermArgument],
    body: &'tree Braces,
    with: Operator,
}

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
        self.scope.enter();
        let block = self.statements(items);
        self.scope.leave();
        block
    }

    /// A pattern whose result, if it has one, nobody uses.
    pub(super) fn pattern(&mut self, call: &Call<'_>, into: &mut Block) -> Result<()> {
        match call.pattern() {
            Some("Foreach") => self.foreach(call, into),
            Some("Reduce") => self.reduce(call, None, into).map(drop),
            _ => self.mem_reduce(call, None, into).map(drop),
        }
    }

    fn foreach(&mut self, call: &Call<'_>, into: &mut Block) -> Result<()> {
        let [domain, body] = call.lists[..] else { return Err(call.not_as(FOREACH)) };
        let body = block(body).ok_or_else(|| call.not_as(FOREACH))?;
        let iterations = self.iterations(domain, body, call.span)?;
        let body = self.within(&iterations, |reader| reader.statements(&body.items));
        into.push(pattern(call, iterations, body, PatternResult::None));
        Ok(())
    }

    pub(super) fn if_statement(
        &mut self,
        condition: &Term,
        then: &Term,
        otherwise: Option<&Term>,
    ) -> Result<Kind> {
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

    /// A value, or what a reduction yields: that one becomes a statement in front.
    pub(super) fn value(&mut self, term: &Term, into: &mut Block) -> Result<Valued> {
        let term = match &term.kind {
            TermKind::Select(of, name) if name.text == "value" && is_reduction(of) => of,
            _ => term,
        };
        let Some(call) = Call::of(term).filter(|call| call.pattern() == Some("Reduce")) else {
            return self.expression(term);
        };
        let register = self.reduce(&call, None, into)?;
        self.name_value(&Word { text: register, span: call.span })
    }

    /// `Reduce(r)(…) { … } { _ + _ }`, of a register that is declared, or of one that is declared right there
    /// and is called `name`. Returns the register.
    pub(super) fn reduce(
        &mut self,
        call: &Call<'_>,
        name: Option<&Word>,
        into: &mut Block,
    ) -> Result<String> {
        let parts = parts(call, REDUCE)?;
        let (register, element) = self.reduced_register(parts.target, name, into)?;
        let iterations = self.iterations(parts.domain, parts.body, call.span)?;
        let (body, value) =
            self.within(&iterations, |reader| reader.body_and_value(parts.body, call.span))?;
        let value = value.stored_as(element)?;
        let result = PatternResult::Register { register: register.clone(), value, with: parts.with };
        into.push(pattern(call, iterations, body, result));
        Ok(register)
    }

    /// `val s = Reduce(r)(…)…` of a register that has a name already: `s` is its value.
    pub(super) fn reduced_value(&mut self, call: &Call<'_>, name: &Word, into: &mut Block) -> Result<()> {
        let register = self.reduce(call, Some(name), into)?;
        if register == name.text {
            return Ok(());
        }
        let valued = self.name_value(&Word { text: register, span: call.span })?;
        self.declare(name, What::Value, valued.typed);
        into.push(AppStatement { kind: Kind::Val(name.text.clone(), valued.expr), span: call.span });
        Ok(())
    }

    fn reduced_register(
        &mut self,
        target: &Term,
        name: Option<&Word>,
        into: &mut Block,
    ) -> Result<(String, Typed)> {
        let register = match Call::of(target).filter(|call| call.name.text == "Reg") {
            Some(call) => self.memory_in_place(&call, name, into)?,
            None => word(target, "a register")?,
        };
        let element = self.register(&register)?;
        Ok((register.text, element))
    }

    /// A memory that is declared where its name could stand.
    fn memory_in_place(&mut self, call: &Call<'_>, name: Option<&Word>, into: &mut Block) -> Result<Word> {
        let fresh = || Word { text: self.fresh("reduced"), span: call.span };
        let word = name.cloned().unwrap_or_else(fresh);
        let Some((kind, declared)) = self.memory(&word, call)? else {
            return Err(call.not_as("Reg[T](0)"));
        };
        self.declare_as(&word, declared);
        into.push(AppStatement { kind, span: call.span });
        Ok(word)
    }

    /// `MemReduce(m par p)(…) { … } { _ + _ }`, or `MemFold`. Returns the SRAM.
    pub(super) fn mem_reduce(
        &mut self,
        call: &Call<'_>,
        name: Option<&Word>,
        into: &mut Block,
    ) -> Result<String> {
        let parts = parts(call, MEM_REDUCE)?;
        let (target, par) = parallel(parts.target);
        let par = match par {
            Some(par) => self.integer(par)?,
            None => ExprKind::Int(1).at(target.span),
        };
        let is_new = |call: &Call<'_>| call.name.text.ends_with("SRAM") && !call.is_bare();
        let memory = match Call::of(target).filter(is_new) {
            Some(call) => self.memory_in_place(&call, name, into)?,
            None => word(target, "an SRAM")?,
        };
        let element = self.sram(&memory)?;
        let iterations = self.iterations(parts.domain, parts.body, call.span)?;
        let (body, value) =
            self.within(&iterations, |reader| reader.body_and_memory(parts.body, element, call.span))?;
        let result = PatternResult::Memory {
            is_fold: call.pattern() == Some("MemFold"),
            memory: memory.text.clone(),
            par,
            value,
            with: parts.with,
        };
        into.push(pattern(call, iterations, body, result));
        Ok(memory.text)
    }

    /// The statements of a body, and what stands behind them.
    fn body_and_value(&mut self, braces: &Braces, span: Span) -> Result<(Block, Valued)> {
        let (last, items) = braces.items.split_last().ok_or_else(|| no_value(span))?;
        let mut body = self.statements(items);
        let ItemKind::Term(term) = &last.kind else { return Err(no_value(last.span)) };
        let value = self.value(term, &mut body)?;
        Ok((body, value))
    }

    fn body_and_memory(&mut self, braces: &Braces, element: Typed, span: Span) -> Result<(Block, String)> {
        let no_memory = |span| {
            Diagnostic::error(span, "the body of a `MemReduce` ends with an SRAM, which its iteration gives")
                .hint(format!("it is written `{MEM_REDUCE}`, with the SRAM's name in the last line"))
        };
        let (last, items) = braces.items.split_last().ok_or_else(|| no_memory(span))?;
        let body = self.statements(items);
        let ItemKind::Term(Term { kind: TermKind::Name(name), span }) = &last.kind else {
            return Err(no_memory(last.span));
        };
        let name = Word { text: name.clone(), span: *span };
        if let (Typed::Is(found), Typed::Is(element)) = (self.sram(&name)?, element)
            && found != element
        {
            let message =
                format!("`{}` has elements of another type than what it is reduced into", name.text);
            return Err(Diagnostic::error(name.span, message).hint("declare both with one type"));
        }
        Ok((body, name.text))
    }
}

fn pattern(call: &Call<'_>, iterations: Iterations, body: Block, result: PatternResult) -> AppStatement {
    let pattern = Pattern { schedule: call.schedule(), domain: iterations.domain, body, result };
    AppStatement { kind: Kind::Pattern(pattern), span: call.span }
}

fn parts<'tree>(call: &Call<'tree>, shown: &str) -> Result<Parts<'tree>> {
    let [target, domain, body, with] = call.lists[..] else { return Err(call.not_as(shown)) };
    let target = single(target).ok_or_else(|| call.not_as(shown))?;
    let body = block(body).ok_or_else(|| call.not_as(shown))?;
    let span = single(with).map_or(call.span, |with| with.span);
    Ok(Parts { target, domain, body, with: combination(with, span)? })
}

fn is_reduction(term: &Term) -> bool {
    Call::of(term).is_some_and(|call| call.pattern() == Some("Reduce"))
}

fn no_value(span: Span) -> Diagnostic {
    Diagnostic::error(span, "the body of a `Reduce` ends with a value, which its iteration gives")
        .hint(format!("it is written `{REDUCE}`, with the value in the last line"))
}
