//! Calls that are values: elements of memories, functions, what stands behind a dot.

use comet_diag::Diagnostic;

use super::arguments::single;
use super::call::Call;
use super::name::{unknown_method, word};
use super::reader::{Side, TextReader};
use super::scope::What;
use super::typed::{Typed, Valued};
use crate::app::{Expr, ExprKind, Function, Operator, Type};
use crate::text::tree::{Term, TermKind, Word};

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
    pub(super) fn called(&self, call: &Call<'_>) -> Result<Valued, Diagnostic> {
        match call.receiver {
            Some(receiver) => self.method(call, receiver),
            None if call.is_bare() => match self.scopes.find(&call.name.text) {
                None => Err(unknown_word(call)),
                Some(_) => self.name_value(&call.name),
            },
            None => self.function(call),
        }
    }

    /// `f(x)`, `m(i)`
    fn function(&self, call: &Call<'_>) -> Result<Valued, Diagnostic> {
        if self.scopes.find(&call.name.text).is_some() {
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
    fn element(&self, call: &Call<'_>) -> Result<Valued, Diagnostic> {
        let name = &call.name;
        let what = &self.find(name)?.what;
        let typed = match what {
            What::Unknown => Typed::Unknown,
            What::Sram(of) | What::SparseSram(of) | What::SparseDram(of) if self.side == Side::Accel => {
                Typed::Is(of.clone())
            }
            What::HostArray(of) if self.side == Side::Host => of.clone(),
            What::Arguments if self.side == Side::Host => Typed::Text,
            other => return Err(no_elements(name, other)),
        };
        let is_argument = matches!(what, What::Arguments);
        let index = match call.lists[..] {
            [list] if call.types.is_empty() => single(list).ok_or_else(|| dimensions(call))?,
            _ => return Err(call.not_as("m(i)")),
        };
        let index = Box::new(self.integer(index)?);
        let kind =
            if is_argument { ExprKind::Argument(index) } else { ExprKind::Read(name.text.clone(), index) };
        Ok(Valued { expr: Expr { kind, span: call.span }, typed })
    }

    fn extreme(&self, call: &Call<'_>, operator: Operator) -> Result<Valued, Diagnostic> {
        let [left, right] = call.exactly("min(a, b)")?;
        self.combined(operator, self.expression(left)?, self.expression(right)?, call.span)
    }

    fn unary(&self, call: &Call<'_>, function: Function) -> Result<Valued, Diagnostic> {
        let [of] = call.exactly("exp(x)")?;
        let of = self.expression(of)?;
        of.number()?;
        if function != Function::Abs && of.clone().stored_as(&Type::Double).is_err() {
            let is_float = of.typed == Typed::Is(Type::Float);
            if !is_float {
                let message = format!("found {}, expected a floating-point number", of.typed.phrase());
                return Err(Diagnostic::error(of.span(), message).hint("convert it: `x.to[Double]`"));
            }
        }
        Ok(Valued {
            expr: Expr { kind: ExprKind::Call(function, Box::new(of.expr)), span: call.span },
            typed: of.typed,
        })
    }

    fn get_arg(&self, call: &Call<'_>) -> Result<Valued, Diagnostic> {
        let [name] = call.exactly("getArg(n)")?;
        let name = word(name, "an argument")?;
        let typed = match &self.find(&name)?.what {
            What::ArgIn(of) | What::ArgOut(of) => Typed::Is(of.clone()),
            What::Unknown => Typed::Unknown,
            _ => {
                return Err(self
                    .unexpected(&name, "an `ArgOut`")
                    .hint("an array of the accelerator is read by `getMem(d)`"));
            }
        };
        Ok(Valued { expr: Expr { kind: ExprKind::GetArg(name.text), span: call.span }, typed })
    }

    /// `x.f(y)`
    fn method(&self, call: &Call<'_>, receiver: &Term) -> Result<Valued, Diagnostic> {
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
            "RMW" => self.modified(call),
            "barrierRead" => self.barrier_read(call),
            _ => Err(self.no_method(call, receiver)),
        }
    }

    fn converted(&self, call: &Call<'_>, receiver: &Term) -> Result<Valued, Diagnostic> {
        let ([to], true) = (call.types, call.lists.is_empty()) else { return Err(call.not_as("x.to[T]")) };
        let to = self.types.read(to)?;
        let typed = Typed::Is(self.types.resolve(&to));
        let of = self.expression(receiver)?;
        Ok(Valued { expr: Expr { kind: ExprKind::To(Box::new(of.expr), to), span: call.span }, typed })
    }

    fn dequeued(&self, call: &Call<'_>, receiver: &Term) -> Result<Valued, Diagnostic> {
        if !call.types.is_empty() || call.lists.iter().any(|list| !list.is_empty()) {
            return Err(call.not_as("f.deq"));
        }
        let (name, element) = self.fifo(receiver)?;
        let typed = element.map_or(Typed::Unknown, Typed::Is);
        Ok(Valued { expr: Expr { kind: ExprKind::Dequeue(name), span: call.span }, typed })
    }

    fn register_value(&self, call: &Call<'_>, receiver: &Term) -> Result<Valued, Diagnostic> {
        if !call.types.is_empty() || !call.lists.is_empty() {
            return Err(call.not_as("r.value"));
        }
        let name = word(receiver, "a register")?;
        match &self.find(&name)?.what {
            What::Register(_) | What::ArgIn(_) | What::Unknown => {
                let valued = self.name_value(&name)?;
                Ok(Valued { expr: Expr { span: call.span, ..valued.expr }, ..valued })
            }
            other => Err(unknown_method(&name.text, other, &call.name)),
        }
    }

    fn length(&self, call: &Call<'_>, receiver: &Term) -> Result<Valued, Diagnostic> {
        let name = word(receiver, "an array")?;
        match &self.find(&name)?.what {
            What::HostArray(_) | What::Unknown if call.lists.is_empty() && self.side == Side::Host => {
                let kind = ExprKind::Length(name.text);
                Ok(Valued { expr: Expr { kind, span: call.span }, typed: Typed::Is(Type::Int) })
            }
            other => Err(unknown_method(&name.text, other, &call.name)),
        }
    }

    /// What stands in front of the dot is looked at first: that may be the error.
    pub(super) fn no_method(&self, call: &Call<'_>, receiver: &Term) -> Diagnostic {
        match word(receiver, "a memory") {
            Ok(name) => match self.find(&name) {
                Ok(declared) => unknown_method(&name.text, &declared.what, &call.name),
                Err(error) => error,
            },
            Err(_) => match self.expression(receiver) {
                Ok(_) => unknown_method("this", &What::Value(Typed::Unknown), &call.name),
                Err(error) => error,
            },
        }
    }
}

/// `scala.Double.PositiveInfinity`
fn infinity(call: &Call<'_>, of: &Term, value: f64) -> Result<Valued, Diagnostic> {
    let is_scala = |term: &Term| matches!(&term.kind, TermKind::Name(name) if name == "scala");
    let is_double = match &of.kind {
        TermKind::Name(name) => name == "Double",
        TermKind::Select(package, name) => is_scala(package) && name.text == "Double",
        _ => false,
    };
    if !is_double || !call.types.is_empty() || !call.lists.is_empty() {
        return Err(call.not_as("scala.Double.PositiveInfinity"));
    }
    Ok(Valued { expr: Expr { kind: ExprKind::Float(value), span: call.span }, typed: Typed::Fraction })
}

fn no_elements(name: &Word, what: &What) -> Diagnostic {
    let error = Diagnostic::error(
        name.span,
        format!("`{}` is {}, which has no elements here", name.text, what.phrase()),
    );
    match what {
        What::Fifo(_) => error.hint(format!("`{}.deq` takes the next one", name.text)),
        What::Dram { .. } => {
            error.hint(format!("load a part of it to an SRAM: `m load {}(0::n)`", name.text))
        }
        What::HostArray(_) | What::Arguments => {
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

pub(super) fn unknown_word(call: &Call<'_>) -> Diagnostic {
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
