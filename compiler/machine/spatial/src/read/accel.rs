//! Statements of the accelerator.

use super::call::{Call, Signature, single};
use super::function::dimensions;
use super::name::{receiver, word};
use super::scope::{TextReader, What};
use crate::app::{Block, Kind, Statement};
use crate::text::Result;
use crate::text::tree::{Item, ItemKind, Term, TermKind, TypeName, Word};
use comet_diag::{Diagnostic, Span};

const ENQUEUE: Signature<1, 1> = Signature { shown: "f.enq(x)", required: ["data"], optional: ["en"] };

impl TextReader {
    /// A statement, behind what has to be done in front of it.
    pub(super) fn statement(&mut self, item: &Item, into: &mut Block) -> Result<()> {
        match &item.kind {
            ItemKind::Val(name, of, term) => self.val(name, of.as_ref(), term, into),
            ItemKind::Assign(target, value) => self.write(target, value, item.span, into),
            ItemKind::Term(term) => self.action(term, into),
            ItemKind::Def(def) => {
                Err(Diagnostic::not_supported(def.name.span, "functions on the accelerator")
                    .hint("write what it does where it is called"))
            }
            ItemKind::Type(name, _) => {
                Err(Diagnostic::error(name.span, "a type is declared inside of `Accel`")
                    .hint("declare it in the class: `type T = Int`"))
            }
            ItemKind::Class(class) => {
                Err(Diagnostic::error(class.name.span, "a class is declared inside of `Accel`")
                    .hint("declare it on its own"))
            }
        }
    }

    fn val(&mut self, name: &Word, of: Option<&TypeName>, term: &Term, into: &mut Block) -> Result<()> {
        let span = name.span.to(term.span);
        if let Some(call) = Call::of(term) {
            match call.pattern() {
                Some("Reduce") => return self.reduced_value(&call, name, into),
                Some("MemReduce" | "MemFold") => return self.reduced_memory(&call, name, into),
                Some(pattern) => {
                    return Err(Diagnostic::error(call.span, format!("a `{pattern}` gives no value"))
                        .hint("write it as a statement, without `val`"));
                }
                None => {}
            }
            if let Some((kind, declared)) = self.memory(name, &call)? {
                self.declare_as(name, declared);
                into.push(Statement { kind, span });
                return Ok(());
            }
        }
        let valued = self.value(term, into)?;
        let valued = self.annotated(valued, of)?;
        self.declare(name, What::Value, valued.typed);
        into.push(Statement { kind: Kind::Val(name.text.clone(), valued.expr), span });
        Ok(())
    }

    /// `val m = MemReduce(SRAM[T](n))(…)…`
    fn reduced_memory(&mut self, call: &Call<'_>, name: &Word, into: &mut Block) -> Result<()> {
        let memory = self.mem_reduce(call, Some(name), into)?;
        if memory == name.text {
            return Ok(());
        }
        Err(Diagnostic::not_supported(name.span, "another name for a memory")
            .hint(format!("use `{memory}`, and leave the `val` out")))
    }

    /// `m(i) = x`, `m.alias = d`
    fn write(&mut self, target: &Term, value: &Term, span: Span, into: &mut Block) -> Result<()> {
        if let TermKind::Select(of, name) = &target.kind
            && name.text == "alias"
        {
            into.push(Statement { kind: self.alias(of, value)?, span });
            return Ok(());
        }
        let call = Call::of(target).filter(|call| call.receiver.is_none() && call.types.is_empty());
        let call = call.ok_or_else(|| {
            Diagnostic::error(target.span, "expected an element of an SRAM").hint("it is written `m(i) = x`")
        })?;
        if call.is_bare() {
            return Err(self.no_assignment(&call.name));
        }
        let element = self.sram(&call.name)?;
        let [list] = call.lists[..] else { return Err(call.not_as("m(i) = x")) };
        let index = self.integer(single(list).ok_or_else(|| dimensions(&call))?)?;
        let value = self.value(value, into)?.stored_as(element)?;
        into.push(Statement { kind: Kind::Write { memory: call.name.text, index, value }, span });
        Ok(())
    }

    /// `x = 3`
    fn no_assignment(&self, name: &Word) -> Diagnostic {
        match self.find(name) {
            Err(error) => error,
            Ok(declared) => {
                let message =
                    format!("`{}` is {}, and cannot be written with `=`", name.text, declared.what.phrase());
                let error = Diagnostic::error(name.span, message).also(declared.span, "declared here");
                match declared.what {
                    What::Register | What::ArgOut => {
                        error.hint(format!("a register is set by `{} := x`", name.text))
                    }
                    What::Sram | What::SparseSram => {
                        error.hint(format!("its elements are written: `{}(i) = x`", name.text))
                    }
                    _ => error
                        .hint("a value stays what it is; a register is what changes: `val r = Reg[T](0)`"),
                }
            }
        }
    }

    /// What is done for what it changes.
    fn action(&mut self, term: &Term, into: &mut Block) -> Result<()> {
        let span = term.span;
        let kind = match &term.kind {
            TermKind::If(condition, then, otherwise) => {
                self.if_statement(condition, then, otherwise.as_deref())?
            }
            TermKind::Binary(sign, register, value) if sign.text == ":=" => {
                self.set(register, value, into)?
            }
            _ => {
                let Some(call) = Call::of(term) else { return Err(self.unused(term)) };
                if call.pattern().is_some() {
                    return self.pattern(&call, into);
                }
                self.access(&call, term, into)?
            }
        };
        into.push(Statement { kind, span });
        Ok(())
    }

    /// `r := x`
    fn set(&mut self, register: &Term, value: &Term, into: &mut Block) -> Result<Kind> {
        let name = word(register, "a register")?;
        let element = self.register(&name)?;
        let value = self.value(value, into)?.stored_as(element)?;
        Ok(Kind::Set { register: name.text, value })
    }

    /// Transfers and accesses of memories.
    fn access(&mut self, call: &Call<'_>, term: &Term, into: &mut Block) -> Result<Kind> {
        match (call.name.text.as_str(), call.receiver.is_some()) {
            ("gen_bitvector", false) => self.bit_vector_of_coordinates(call),
            ("load", true) => self.load(call),
            ("store", true) => self.store(call),
            ("stream_load_vec", true) => self.stream_load(call),
            ("stream_store_vec", true) => self.stream_store(call),
            ("enq", true) => self.enqueue(call, into),
            ("RMW", true) => Ok(Kind::Modify(self.modify(call)?.0)),
            ("barrierWrite", true) => self.barrier_write(call),
            // An element that nobody needs.
            ("deq", true) => Ok(Kind::Val("_".to_owned(), self.expression(term)?.expr)),
            _ => Err(self.unused(term)),
        }
    }

    /// `f.enq(x)`, `f.enq(x, condition)`
    fn enqueue(&mut self, call: &Call<'_>, into: &mut Block) -> Result<Kind> {
        let (memory, _) = receiver(call)?;
        let (fifo, element) = self.fifo(memory)?;
        let ([value], [enable]) = ENQUEUE.fill(call)?;
        let value = self.value(value, into)?.stored_as(element)?;
        let enable = enable.map(|enable| self.expression(enable)?.condition()).transpose()?;
        Ok(Kind::Enqueue { fifo, value, enable })
    }

    /// A value that stands where a statement does; what is wrong with the value itself is said first.
    fn unused(&self, term: &Term) -> Diagnostic {
        match self.expression(term) {
            Err(error) => error,
            Ok(_) => Diagnostic::error(term.span, "a value that nobody uses")
                .hint("give it a name by `val`, or store it: `m(i) = x`, `r := x`, `f.enq(x)`"),
        }
    }
}
