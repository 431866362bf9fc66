//! What the host does before the accelerator, and behind it.

use super::expression::Typed;
use super::literal::Literal;
use super::names::{ArgumentSlot, Binding, misread};
use super::{Resolver, Result};
use crate::app::{Expr, ExprKind, Host, HostKind, Operator, Scalar, Type};
use crate::interpret::program::{ArrayKind, Instruction, Node, Piece};
use comet_diag::{Diagnostic, Span};

impl Resolver<'_> {
    pub(super) fn host(&mut self, statements: &[Host]) -> Result<()> {
        for statement in statements {
            if let Some(step) = self.host_statement(statement)? {
                self.program.block.steps.push(step);
            }
        }
        Ok(())
    }

    /// What a statement does, if it does more than to declare a name.
    fn host_statement(&mut self, statement: &Host) -> Result<Option<Instruction>> {
        let span = statement.span;
        match &statement.kind {
            HostKind::ArgIn(name, of) => {
                let argument = self.argument_slot(of);
                self.declare(name, Binding::ArgIn(argument), span);
                Ok(None)
            }
            HostKind::ArgOut(name, of) => {
                let argument = self.argument_slot(of);
                self.program.arg_outs.push((name.to_owned(), argument.slot, argument.of));
                self.declare(name, Binding::ArgOut(argument), span);
                Ok(None)
            }
            HostKind::Dram { name, element, size } => {
                let elements = self.integer(size)?;
                let array = self.array(name, ArrayKind::Dram, self.scalar(element), span);
                self.note_size(array, size);
                Ok(Some(Instruction::Allocate { array, size: elements, span }))
            }
            HostKind::LoadCsv { name, element: of, file } => {
                let array = self.array(name, ArrayKind::Host, self.scalar(of), span);
                Ok(Some(Instruction::Read { array, file: file.clone(), span }))
            }
            HostKind::GetMem { name, dram } => {
                let (from, of) = self.array_named(dram);
                let to = self.array(name, ArrayKind::Host, of, span);
                Ok(Some(Instruction::Copy { from, to, span }))
            }
            HostKind::SetMem { dram, array } => self.set_mem(dram, array, span).map(Some),
            HostKind::Val(name, value) => match &value.kind {
                ExprKind::Tabulate { .. } => self.tabulate(name, value).map(Some),
                _ => self.val(name, value, span),
            },
            HostKind::SetArg(name, value) => self.set_arg(name, value).map(Some),
            HostKind::WriteCsv { array, file } => {
                let (array, _) = self.array_named(array);
                Ok(Some(Instruction::WriteFile { array, file: file.clone(), span }))
            }
            HostKind::Print(value) => {
                let mut pieces = Vec::new();
                self.pieces(value, &mut pieces)?;
                Ok(Some(Instruction::Print(pieces)))
            }
            HostKind::PrintArray { array, title: heading } => {
                let (array, _) = self.array_named(array);
                Ok(Some(Instruction::PrintArray { array, heading: heading.clone(), span }))
            }
            HostKind::Assert(condition) => {
                let condition = self.value(condition, Scalar::Bit)?;
                Ok(Some(Instruction::Assert(condition, span)))
            }
        }
    }

    fn argument_slot(&mut self, of: &Type) -> ArgumentSlot {
        ArgumentSlot { slot: self.slot(), of: self.scalar(of), is_set: false }
    }

    pub(super) fn val(&mut self, name: &str, value: &Expr, span: Span) -> Result<Option<Instruction>> {
        match self.expression(value)? {
            Typed::Literal(literal) => {
                self.declare(name, Binding::Constant(literal), span);
                Ok(None)
            }
            Typed::Value(Node::Constant(word), of) => {
                self.declare(name, Binding::Word(word, of), span);
                Ok(None)
            }
            Typed::Value(value, of) => {
                let slot = self.slot();
                self.declare(name, Binding::Value(slot, of), span);
                Ok(Some(Instruction::Assign { slot, value }))
            }
        }
    }

    /// `val h = Array.tabulate[T](n) { i => … }`.
    fn tabulate(&mut self, name: &str, array: &Expr) -> Result<Instruction> {
        let ExprKind::Tabulate { element, size, binder, value } = &array.kind else {
            unreachable!("this is called for arrays that are made of their elements");
        };
        let span = array.span;
        let size = self.integer(size)?;
        let slot = self.slot();
        self.names.enter();
        if binder != "_" {
            self.declare(binder, Binding::Value(slot, Scalar::Int), span);
        }
        let (value, of) = match element {
            None => self.any(value)?,
            Some(element) => {
                let of = self.scalar(element);
                (self.value(value, of)?, of)
            }
        };
        self.names.leave();
        let array = self.array(name, ArrayKind::Host, of, span);
        Ok(Instruction::Tabulate { array, size, binder: slot, value, span })
    }

    fn set_arg(&mut self, name: &str, value: &Expr) -> Result<Instruction> {
        let Binding::ArgIn(ArgumentSlot { slot, of, .. }) = self.name(name).binding else { misread(name) };
        let value = self.value(value, of)?;
        self.is_set(name);
        Ok(Instruction::Assign { slot, value })
    }

    /// Notes that an argument has a value from here on.
    pub(super) fn is_set(&mut self, name: &str) {
        if let Some(Binding::ArgIn(argument) | Binding::ArgOut(argument)) =
            self.names.find_mut(name).map(|found| &mut found.binding)
        {
            argument.is_set = true;
        }
    }

    /// `getArg(n)`: what the host has set, or what the accelerator has.
    pub(super) fn get_arg(&mut self, name: &str, span: Span) -> Result<Typed> {
        let found = self.name(name);
        let (Binding::ArgIn(argument) | Binding::ArgOut(argument)) = found.binding else { misread(name) };
        if argument.is_set && !self.is_accelerator {
            return Ok(Typed::Value(Node::Slot(argument.slot), argument.of));
        }
        let error = match self.is_accelerator {
            true => "the accelerator has its arguments by name: leave out `getArg`".to_owned(),
            false => format!("`{name}` is fetched, and nothing has set it"),
        };
        Err(Diagnostic::error(span, error).also(found.span, "declared here").into())
    }

    fn set_mem(&mut self, dram: &str, array: &str, span: Span) -> Result<Instruction> {
        let ((to, of), (from, found)) = (self.array_named(dram), self.array_named(array));
        if of == found {
            return Ok(Instruction::Copy { from, to, span });
        }
        let error = format!("`{array}` has elements of type `{}`, and `{dram}`", found.word());
        Err(Diagnostic::error(span, format!("{error} of type `{}`", of.word())).into())
    }

    /// A DRAM, or an array of the host.
    pub(super) fn array_named(&self, name: &str) -> (usize, Scalar) {
        match self.name(name).binding {
            Binding::Array(array, _, of) => (array, of),
            _ => misread(name),
        }
    }

    pub(super) fn argument(&mut self, number: &Expr, span: Span) -> Result<Typed> {
        let known = self.constant(number)?.and_then(|number| usize::try_from(number).ok());
        let Some(text) = known.and_then(|number| self.arguments.get(number)) else {
            let error = format!("this argument is not given: there are {}", self.arguments.len());
            return Err(Diagnostic::error(span, error).into());
        };
        let integer = text.parse().map(Literal::Integer);
        let number = integer.or_else(|_| text.parse().map(Literal::Real));
        number.map(Typed::Literal).map_err(|_| {
            Diagnostic::error(span, format!("this argument is `{text}`, which is no number")).into()
        })
    }

    /// The texts and values of a sum that begins with a text.
    fn pieces(&mut self, value: &Expr, pieces: &mut Vec<Piece>) -> Result<()> {
        match &value.kind {
            ExprKind::Text(text) => pieces.push(Piece::Text(text.clone())),
            ExprKind::Binary(Operator::Add, left, right) if has_text(left) || has_text(right) => {
                self.deeper(value.span, |resolver| {
                    resolver.pieces(left, pieces)?;
                    resolver.pieces(right, pieces)
                })?;
            }
            _ => {
                let (node, of) = self.any(value)?;
                pieces.push(Piece::Value(node, of));
            }
        }
        Ok(())
    }
}

fn has_text(value: &Expr) -> bool {
    let mut rest = vec![value];
    while let Some(value) = rest.pop() {
        match &value.kind {
            ExprKind::Text(_) => return true,
            ExprKind::Binary(Operator::Add, left, right) => rest.extend([left.as_ref(), right.as_ref()]),
            _ => {}
        }
    }
    false
}
