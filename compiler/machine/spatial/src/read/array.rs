//! Arrays of the host: read from files, computed element by element, read back from the accelerator.

use super::call::{Call, Signature, block, single};
use super::name::word;
use super::scope::{TextReader, What};
use super::typed::Typed;
use crate::app::{AppExpr, ExprKind, Host, HostKind, Scalar};
use crate::text::Result;
use crate::text::tree::{ItemKind, Term, TermArgument, TermKind, TypeName, Word};
use comet_diag::{Diagnostic, Span};

/// Arrays of what is computed from the index, and of what is not.
const TABULATE: &str = "Array.tabulate[T](n) { i => … }";
const FILL: &str = "Array.fill[T](n) { … }";

const LOAD: Signature<1, 1> =
    Signature { shown: "loadCSV1D[T](\"x.csv\", \"\\n\")", required: ["filename"], optional: ["delim"] };

impl TextReader {
    /// The array that a call returns, under a name, and the type of its elements.
    pub(super) fn array(&mut self, name: &str, call: &Call<'_>) -> Result<Option<(HostKind, Typed)>> {
        let receiver = call.receiver.map(|receiver| &receiver.kind);
        let is_array = matches!(receiver, Some(TermKind::Name(receiver)) if receiver == "Array");
        match (call.name.text.as_str(), call.receiver) {
            ("loadCSV1D", None) => self.loaded(name, call).map(Some),
            ("getMem", None) => self.read_back(name, call).map(Some),
            ("tabulate" | "fill", Some(_)) if is_array => self.tabulated(name, call).map(Some),
            ("until", Some(from)) if call.lists.len() == 2 => self.ranged(name, call, from).map(Some),
            _ => Ok(None),
        }
    }

    /// The name of an array; one that stands where a name does gets one, by a statement in front.
    pub(super) fn array_name(&mut self, term: &Term, into: &mut Vec<Host>) -> Result<(String, Typed)> {
        if let Some(call) = Call::of(term).filter(|call| !call.is_bare()) {
            let name = self.fresh("array");
            if let Some((kind, typed)) = self.array(&name, &call)? {
                self.declare(&Word { text: name.clone(), span: term.span }, What::HostArray, typed);
                into.push(Host { kind, span: term.span });
                return Ok((name, typed));
            }
        }
        let name = word(term, "an array of the host")?;
        let hint = "arrays of the host come from `loadCSV1D`, `Array.tabulate` and `getMem`";
        let typed = self.one_of(&name, &[What::HostArray], "an array of the host", |_| hint)?;
        Ok((name.text, typed))
    }

    fn loaded(&self, name: &str, call: &Call<'_>) -> Result<(HostKind, Typed)> {
        let [of] = call.types else { return Err(call.not_as(LOAD.shown)) };
        let ([file], [delimiter]) = LOAD.fill(call)?;
        let file = text(file)?;
        delimiter.map_or(Ok(()), check_delimiter)?;
        let of = self.types.read(of)?;
        let typed = self.types.resolve(&of).into();
        Ok((HostKind::LoadCsv { name: name.to_owned(), element: of, file }, typed))
    }

    fn read_back(&self, name: &str, call: &Call<'_>) -> Result<(HostKind, Typed)> {
        let [dram] = call.exactly("getMem(d)")?;
        let dram = word(dram, "a DRAM")?;
        let typed = self.dram(&dram)?;
        Ok((HostKind::GetMem { name: name.to_owned(), dram: dram.text }, typed))
    }

    /// `Array.tabulate[T](n) { i => … }`, `Array.fill[T](n) { … }`
    fn tabulated(&mut self, name: &str, call: &Call<'_>) -> Result<(HostKind, Typed)> {
        let shown = TABULATE;
        let ([size, of], [] | [_]) = (&call.lists[..], call.types) else { return Err(call.not_as(shown)) };
        let size = single(size).ok_or_else(|| call.not_as(shown))?;
        let size = self.integer(size)?;
        let shape = if call.name.text == "tabulate" { TABULATE } else { FILL };
        self.each(name, call, size, of, shape)
    }

    /// `(0 until n) { i => … }`
    fn ranged(&mut self, name: &str, call: &Call<'_>, from: &Term) -> Result<(HostKind, Typed)> {
        let shown = "(0 until n) { i => … }";
        let [size, of] = call.lists[..] else { return Err(call.not_as(shown)) };
        if matches!(from.kind, TermKind::Int(0)) {
            let size = self.integer(single(size).ok_or_else(|| call.not_as(shown))?)?;
            return self.each(name, call, size, of, TABULATE);
        }
        Err(Diagnostic::not_supported(from.span, "arrays over ranges that do not begin at 0")
            .hint("add to the index: `(0 until n) { i => f(i + 2) }`"))
    }

    fn each(
        &mut self,
        name: &str,
        call: &Call<'_>,
        size: AppExpr,
        of: &[TermArgument],
        shown: &'static str,
    ) -> Result<(HostKind, Typed)> {
        let (binder, value) = function(of, shown).ok_or_else(|| call.not_as(shown))?;
        self.scope.enter();
        self.declare(&binder, What::Value, Scalar::Int);
        let valued = self.expression(value);
        self.scope.leave();
        let valued = valued?;
        let element = call.types.first().map(|of: &TypeName| self.types.read(of)).transpose()?;
        let (value, typed) = match &element {
            Some(element) => {
                let element = self.types.resolve(element);
                (valued.stored_as(element)?, element.into())
            }
            None => (valued.expr, valued.typed),
        };
        let kind =
            ExprKind::Tabulate { element, size: Box::new(size), binder: binder.text, value: Box::new(value) };
        Ok((HostKind::Val(name.to_owned(), kind.at(call.span)), typed))
    }
}

/// What a function of one value calls it, `_` where it has none, and what it returns.
fn function<'tree>(list: &'tree [TermArgument], shown: &str) -> Option<(Word, &'tree Term)> {
    let binds = shown == TABULATE;
    let Some(braces) = block(list) else {
        // `Array.fill(n)(0)`
        let nobody = Word { text: "_".to_owned(), span: Span::default() };
        return single(list).filter(|_| !binds).map(|value| (nobody, value));
    };
    let [item] = &braces.items[..] else { return None };
    let ItemKind::Term(value) = &item.kind else { return None };
    match (&braces.binders, binds) {
        (Some(binders), true) if binders.names.len() == 1 && !binders.is_list => {
            Some((binders.names[0].clone(), value))
        }
        (None, false) => Some((Word { text: "_".to_owned(), span: item.span }, value)),
        _ => None,
    }
}

pub(super) fn text(term: &Term) -> Result<String> {
    match &term.kind {
        TermKind::Text(text) => Ok(text.clone()),
        _ => {
            Err(Diagnostic::error(term.span, "expected a text").hint("it is written in quotes: `\"x.csv\"`"))
        }
    }
}

/// Files have numbers between commas or line ends, whichever the text says.
pub(super) fn check_delimiter(term: &Term) -> Result<()> {
    let delimiter = text(term)?;
    if matches!(delimiter.as_str(), "\n" | ",") {
        return Ok(());
    }
    let message = format!("files with `{}` between numbers", delimiter.escape_debug());
    Err(Diagnostic::not_supported(term.span, message).hint("write `\"\\n\"` or `\",\"`"))
}
