//! Statements of the host.

use super::array::{check_delimiter, text};
use super::call::{Call, Signature, counted};
use super::name::word;
use super::scope::{TextReader, What};
use super::typed::Typed;
use crate::app::{Host, HostKind};
use crate::text::Result;
use crate::text::tree::{Item, ItemKind, Term, TermKind, TypeName, Word};
use comet_diag::{Diagnostic, Span};

const WRITE: Signature<2, 1> = Signature {
    shown: "writeCSV1D(h, \"y.csv\", \"\\n\")",
    required: ["array", "filename"],
    optional: ["delim"],
};

impl TextReader {
    /// A statement, behind what has to be done in front of it.
    pub(super) fn host_statement(&mut self, item: &Item, into: &mut Vec<Host>) -> Result<()> {
        match &item.kind {
            ItemKind::Type(name, of) => self.types.declare(name, of),
            ItemKind::Val(name, of, term) => self.host_val(name, of.as_ref(), term, into),
            ItemKind::Term(term) => self.host_action(term, into),
            ItemKind::Assign(target, _) => {
                Err(Diagnostic::error(target.span, "the host changes no values and arrays")
                    .hint("compute an array by `Array.tabulate[T](n) { i => … }`"))
            }
            ItemKind::Def(def) => Err(Diagnostic::not_supported(
                def.name.span,
                format!("functions such as `{}`", def.name.text),
            )
            .hint("write what it does where it is called")),
            ItemKind::Class(class) => {
                Err(Diagnostic::not_supported(class.name.span, "classes inside of others"))
            }
        }
    }

    /// The statements that a list of items is, each mistake noted.
    pub(super) fn host_statements<'tree>(
        &mut self,
        items: impl Iterator<Item = &'tree Item>,
        into: &mut Vec<Host>,
    ) {
        for item in items {
            let read = self.host_statement(item, into);
            if self.keep(read).is_none()
                && let ItemKind::Val(name, ..) = &item.kind
            {
                self.declare_unknown(name);
            }
        }
    }

    fn host_val(
        &mut self,
        name: &Word,
        of: Option<&TypeName>,
        term: &Term,
        into: &mut Vec<Host>,
    ) -> Result<()> {
        let span = name.span.to(term.span);
        if let Some(call) = Call::of(term) {
            if let Some((kind, declared)) = self.host_memory(name, &call)? {
                self.declare_as(name, declared);
                into.push(Host { kind, span });
                return Ok(());
            }
            if let Some((kind, typed)) = self.array(&name.text, &call)? {
                self.declare(name, What::HostArray, typed);
                into.push(Host { kind, span });
                return Ok(());
            }
        }
        let valued = self.annotated(self.expression(term)?, of)?;
        let is_constant = self.is_constant(&valued.expr);
        let what = if is_constant { What::Value } else { What::HostValue };
        self.declare(name, what, valued.typed);
        into.push(Host { kind: HostKind::Val(name.text.clone(), valued.expr), span });
        Ok(())
    }

    fn host_action(&mut self, term: &Term, into: &mut Vec<Host>) -> Result<()> {
        let call = match &term.kind {
            TermKind::If(..) => {
                return Err(Diagnostic::not_supported(term.span, "`if` of the host")
                    .hint("choose between values: `val x = if (c) a else b`"));
            }
            _ => Call::of(term).filter(|call| call.receiver.is_none()),
        };
        let Some(call) = call else { return Err(self.no_action(term)) };
        let kind = match call.name.text.as_str() {
            "setArg" => self.set_arg(&call)?,
            "setMem" => self.set_mem(&call, into)?,
            "writeCSV1D" => self.write_csv(&call, into)?,
            "println" | "print" => self.print(&call)?,
            "printArray" => self.print_array(&call, into)?,
            "assert" => self.assert(&call)?,
            _ => return Err(self.no_action(term)),
        };
        into.push(Host { kind, span: term.span });
        Ok(())
    }

    fn set_arg(&self, call: &Call<'_>) -> Result<HostKind> {
        let [name, value] = call.exactly("setArg(n, x)")?;
        let name = word(name, "an argument")?;
        let hint = "an argument is declared by `val n = ArgIn[T]`, an array is passed by `setMem(d, h)`";
        let of = self.one_of(&name, &[What::ArgIn], "an `ArgIn`", |_| hint)?;
        Ok(HostKind::SetArg(name.text, self.expression(value)?.stored_as(of)?))
    }

    fn set_mem(&mut self, call: &Call<'_>, into: &mut Vec<Host>) -> Result<HostKind> {
        let [dram, array] = call.exactly("setMem(d, h)")?;
        let dram = word(dram, "a DRAM")?;
        let element = self.dram(&dram)?;
        let (name, typed) = self.array_name(array, into)?;
        if let (Typed::Is(element), Typed::Is(found)) = (element, typed)
            && element != found
        {
            let message = format!("`{name}` and `{}` have elements of different types", dram.text);
            return Err(Diagnostic::error(array.span, message).hint("declare both with one type"));
        }
        Ok(HostKind::SetMem { dram: dram.text, array: name })
    }

    fn write_csv(&mut self, call: &Call<'_>, into: &mut Vec<Host>) -> Result<HostKind> {
        let ([array, file], [delimiter]) = WRITE.fill(call)?;
        let file = text(file)?;
        delimiter.map_or(Ok(()), check_delimiter)?;
        let (name, _) = self.array_name(array, into)?;
        Ok(HostKind::WriteCsv { array: name, file })
    }

    fn print(&self, call: &Call<'_>) -> Result<HostKind> {
        let [value] = call.exactly("println(x)")?;
        Ok(HostKind::Print(self.expression(value)?.expr))
    }

    fn print_array(&mut self, call: &Call<'_>, into: &mut Vec<Host>) -> Result<HostKind> {
        let shown = "printArray(h, \"…\")";
        let (array, title) = match call.list(shown)? {
            [array] => (array, None),
            [array, title] => (array, Some(text(&title.value)?)),
            list => {
                let message = format!("found {}, expected 1 or 2", counted(list.len(), "argument"));
                return Err(Diagnostic::error(call.span, message).hint(format!("it is written `{shown}`")));
            }
        };
        let (name, _) = self.array_name(&array.value, into)?;
        Ok(HostKind::PrintArray { array: name, title })
    }

    /// What is said of a failure is not kept: the interpreter names the place.
    fn assert(&self, call: &Call<'_>) -> Result<HostKind> {
        let shown = "assert(condition)";
        let condition = match call.list(shown)? {
            [condition] | [condition, _] => &condition.value,
            _ => return Err(call.not_as(shown)),
        };
        Ok(HostKind::Assert(self.expression(condition)?.condition()?))
    }

    fn no_action(&self, term: &Term) -> Diagnostic {
        if let Some(call) = Call::of(term)
            && call.pattern().is_some()
        {
            return outside(&call.name.text, call.span);
        }
        if let TermKind::Binary(sign, ..) = &term.kind
            && sign.text == ":="
        {
            return Diagnostic::error(sign.span, "a register is set outside of `Accel`")
                .hint("the host sets arguments by `setArg(n, x)`");
        }
        if let Some(call) = Call::of(term)
            && matches!(
                call.name.text.as_str(),
                "load" | "store" | "enq" | "stream_load_vec" | "stream_store_vec"
            )
        {
            return outside(&call.name.text, call.span);
        }
        match self.expression(term) {
            Err(error) => error,
            Ok(_) => Diagnostic::error(term.span, "a value that nobody uses")
                .hint("give it a name by `val`, or print it"),
        }
    }
}

fn outside(name: &str, span: Span) -> Diagnostic {
    Diagnostic::error(span, format!("`{name}` is of the accelerator, and found outside of `Accel`"))
        .hint("write it inside of `Accel { … }`")
}
