//! Calls that are values: elements of memories, functions, what stands behind a dot.

use super::call::{Call, single};
use super::name::{unknown_method, word};
use super::scope::{Side, TextReader, What};
use super::typed::{Typed, Valued};
use crate::app::{ExprKind, Function, Operator, Scalar};
use crate::text::Result;
use crate::text::tree::{Term, TermKind, Word};
use comet_diag::Diagnostic;

const MEMORIES: &[&str] = &[
    "SRAM",
    "SparseSRAM",
    "SparseParSRAM",
    "SparseParSRAMSwizzle",
    "FIFO",
    "Reg",
    "Barrier",
    "DRAM",
    "SparseDRAM",
    "ArgIn",
    "ArgOut",
];

const STATEMENTS: &[&str] = &["Foreach", "MemReduce", "MemFold", "gen_bitvector", "Scan", "ScanRed", "Accel"];

/// Words of Spatial that this crate does not know, and what to write in their place.
const CONTROL: &[(&str, &str)] = &[
    ("Fold", "a `Reduce` forgets what the register held; add that behind it"),
    ("Pipe", "write its statements without it"),
    ("Sequential", "write its statements without it"),
    ("Parallel", "write its statements without it"),
    ("Stream", "write its statements without it"),
    ("FSM", "write it as a `Foreach`, with its state in registers"),
];

impl TextReader {
    pub(super) fn called(&self, call: &Call<'_>) -> Result<Valued> {
        match call.receiver {
            Some(receiver) => self.method(call, receiver),
            None if call.is_bare() => match self.scope.find(&call.name.text) {
                None => Err(unknown_word(call)),
                Some(_) => self.name_value(&call.name),
            },
            None => self.function(call),
        }
    }

    /// `f(x)`, `m(i)`
    fn function(&self, call: &Call<'_>) -> Result<Valued> {
        if self.scope.find(&call.name.text).is_some() {
            return self.element(call);
        }
        match call.name.text.as_str() {
            "mux" => {
                let [condition, then, otherwise] = call.exactly("mux(condition, a, b)")?;
                let condition = self.expression(condition)?;
                self.mux(condition, self.expression(then)?, self.expression(otherwise)?, call.span)
            }
            "min" => self.extreme(call, Operator::Min),
            "max" => self.extreme(call, Operator::Max),
            "getArg" => self.get_arg(call),
            word => match Function::of_word(word) {
                Some(function) => self.unary(call, function),
                None => Err(unknown_word(call)),
            },
        }
    }

    /// `m(i)`
    fn element(&self, call: &Call<'_>) -> Result<Valued> {
        let name = &call.name;
        let found = self.find(name)?;
        match (found.what, self.side) {
            (What::Unknown, _)
            | (What::Sram | What::SparseSram | What::SparseDram, Side::Accel)
            | (What::HostArray | What::Arguments, Side::Host) => {}
            (other, _) => return Err(no_elements(name, other)),
        }
        let index = match call.lists[..] {
            [list] if call.types.is_empty() => single(list).ok_or_else(|| dimensions(call))?,
            _ => return Err(call.not_as("m(i)")),
        };
        let index = Box::new(self.integer(index)?);
        let kind = match found.what {
            What::Arguments => ExprKind::Argument(index),
            _ => ExprKind::Read(name.text.clone(), index),
        };
        Ok(Valued::new(kind, call.span, found.typed))
    }

    fn extreme(&self, call: &Call<'_>, operator: Operator) -> Result<Valued> {
        let [left, right] = call.exactly("min(a, b)")?;
        self.combined(operator, self.expression(left)?, self.expression(right)?, call.span)
    }

    fn unary(&self, call: &Call<'_>, function: Function) -> Result<Valued> {
        let [of] = call.exactly("exp(x)")?;
        let of = self.expression(of)?;
        of.number()?;
        let is_real = of.typed.fits(Scalar::Double) || of.typed.fits(Scalar::Float);
        if function != Function::Abs && !is_real {
            let message = format!("found {}, expected a floating-point number", of.typed.phrase());
            return Err(Diagnostic::error(of.expr.span, message).hint("convert it: `x.to[Double]`"));
        }
        Ok(Valued::new(ExprKind::Call(function, Box::new(of.expr)), call.span, of.typed))
    }

    fn get_arg(&self, call: &Call<'_>) -> Result<Valued> {
        let [name] = call.exactly("getArg(n)")?;
        let name = word(name, "an argument")?;
        let hint = "an array of the accelerator is read by `getMem(d)`";
        let typed = self.one_of(&name, &[What::ArgIn, What::ArgOut], "an `ArgOut`", |_| hint)?;
        Ok(Valued::new(ExprKind::GetArg(name.text), call.span, typed))
    }

    /// `x.f(y)`
    fn method(&self, call: &Call<'_>, receiver: &Term) -> Result<Valued> {
        match call.name.text.as_str() {
            "PositiveInfinity" => infinity(call, receiver, f64::INFINITY),
            "NegativeInfinity" => infinity(call, receiver, f64::NEG_INFINITY),
            "to" => self.converted(call, receiver),
            "min" | "max" => {
                let [right] = call.exactly("a.min(b)")?;
                let operator = if call.name.text == "min" { Operator::Min } else { Operator::Max };
                self.combined(operator, self.expression(receiver)?, self.expression(right)?, call.span)
            }
            "deq" => self.dequeued(call, receiver),
            "value" => self.register_value(call, receiver),
            "length" | "size" => self.length(call, receiver),
            "RMW" => {
                let (modify, typed) = self.modify(call)?;
                Ok(Valued::new(ExprKind::Modify(Box::new(modify)), call.span, typed))
            }
            "barrierRead" => self.barrier_read(call),
            _ => Err(self.no_method(call, receiver)),
        }
    }

    fn converted(&self, call: &Call<'_>, receiver: &Term) -> Result<Valued> {
        let ([to], true) = (call.types, call.lists.is_empty()) else { return Err(call.not_as("x.to[T]")) };
        let to = self.types.read(to)?;
        let typed = self.types.resolve(&to);
        let of = self.expression(receiver)?;
        Ok(Valued::new(ExprKind::To(Box::new(of.expr), to), call.span, typed))
    }

    fn dequeued(&self, call: &Call<'_>, receiver: &Term) -> Result<Valued> {
        if !call.types.is_empty() || call.lists.iter().any(|list| !list.is_empty()) {
            return Err(call.not_as("f.deq"));
        }
        let (name, typed) = self.fifo(receiver)?;
        Ok(Valued::new(ExprKind::Dequeue(name), call.span, typed))
    }

    fn register_value(&self, call: &Call<'_>, receiver: &Term) -> Result<Valued> {
        if !call.types.is_empty() || !call.lists.is_empty() {
            return Err(call.not_as("r.value"));
        }
        let name = word(receiver, "a register")?;
        match self.find(&name)?.what {
            What::Register | What::ArgIn | What::Unknown => {
                let valued = self.name_value(&name)?;
                Ok(Valued::new(valued.expr.kind, call.span, valued.typed))
            }
            other => Err(unknown_method(&name.text, other, &call.name)),
        }
    }

    fn length(&self, call: &Call<'_>, receiver: &Term) -> Result<Valued> {
        let name = word(receiver, "an array")?;
        match self.find(&name)?.what {
            What::HostArray | What::Unknown if call.lists.is_empty() && self.side == Side::Host => {
                Ok(Valued::new(ExprKind::Length(name.text), call.span, Scalar::Int))
            }
            other => Err(unknown_method(&name.text, other, &call.name)),
        }
    }

    /// What stands in front of the dot is looked at first: that may be the error.
    fn no_method(&self, call: &Call<'_>, receiver: &Term) -> Diagnostic {
        match word(receiver, "a memory") {
            Ok(name) => match self.find(&name) {
                Ok(declared) => unknown_method(&name.text, declared.what, &call.name),
                Err(error) => error,
            },
            Err(_) => match self.expression(receiver) {
                Ok(_) => unknown_method("this", What::Value, &call.name),
                Err(error) => error,
            },
        }
    }
}

/// `scala.Double.PositiveInfinity`
fn infinity(call: &Call<'_>, of: &Term, value: f64) -> Result<Valued> {
    let is_scala = |term: &Term| matches!(&term.kind, TermKind::Name(name) if name == "scala");
    let is_double = match &of.kind {
        TermKind::Name(name) => name == "Double",
        TermKind::Select(package, name) => is_scala(package) && name.text == "Double",
        _ => false,
    };
    if !is_double || !call.types.is_empty() || !call.lists.is_empty() {
        return Err(call.not_as("scala.Double.PositiveInfinity"));
    }
    Ok(Valued::new(ExprKind::Float(value), call.span, Typed::Fraction))
}

fn no_elements(name: &Word, what: What) -> Diagnostic {
    let error = Diagnostic::error(
        name.span,
        format!("`{}` is {}, which has no elements here", name.text, what.phrase()),
    );
    match what {
        What::Fifo => error.hint(format!("`{}.deq` takes the next one", name.text)),
        What::Dram => error.hint(format!("load a part of it to an SRAM: `m load {}(0::n)`", name.text)),
        What::HostArray | What::Arguments => {
            error.hint("pass it to the accelerator: `DRAM` and `setMem`, or `ArgIn` and `setArg`")
        }
        _ => error.hint("`m(i)` is an element of an SRAM"),
    }
}

/// An error for several indices.
pub(super) fn dimensions(call: &Call<'_>) -> Diagnostic {
    Diagnostic::not_supported(call.span, "memories of several dimensions")
        .hint("use one of one dimension: `m(i * n + j)`")
}

fn unknown_word(call: &Call<'_>) -> Diagnostic {
    let name = &call.name.text;
    if MEMORIES.contains(&name.as_str()) {
        return Diagnostic::error(call.span, format!("`{name}` is no value"))
            .hint(format!("declare it by a `val` of its own: `val m = {name}…`"));
    }
    if STATEMENTS.contains(&name.as_str()) {
        return Diagnostic::error(call.span, format!("`{name}` is no value"))
            .hint("it stands where a statement does");
    }
    if let Some((_, instead)) =
        CONTROL.iter().find(|(control, _)| control == name).filter(|_| !call.is_bare())
    {
        return Diagnostic::not_supported(call.name.span, format!("`{name}`")).hint(*instead);
    }
    let error = Diagnostic::error(call.name.span, format!("`{name}` is not declared"));
    if call.is_bare() {
        error.hint("declare it in front, in this block or in one around it")
    } else {
        error.hint("it is no memory that is declared in front, and no function such as `mux` or `min`")
    }
}
