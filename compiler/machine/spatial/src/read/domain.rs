//! The iterations of patterns.

use comet_diag::{Diagnostic, Span};

use super::arguments::counted;
use super::call::Call;
use super::reader::TextReader;
use super::scope::What;
use super::transfer::{ends, method};
use super::typed::Typed;
use crate::app::{Counter, Domain, Expr, ExprKind, Type};
use crate::text::tree::{Binders, Braces, Term, TermArgument, Word};

/// The iterations of a pattern, and what its body calls their numbers.
pub(super) struct Rounds {
    pub(super) domain: Domain,
    pub(super) binders: Vec<Word>,
}

impl Rounds {
    /// What to declare for the body.
    pub(super) fn declarations(&self) -> impl Iterator<Item = (&Word, What)> {
        self.binders.iter().map(|binder| (binder, What::Value(Typed::Is(Type::Int))))
    }
}

impl TextReader {
    /// `(n by 1 par p) { i => …`, `(Scan(…)) { case List(i, a) => …`
    pub(super) fn rounds(
        &self,
        list: &[TermArgument],
        body: &Braces,
        span: Span,
    ) -> Result<Rounds, Diagnostic> {
        let binders = body.binders.as_ref().ok_or_else(|| {
            Diagnostic::error(span, "the body does not say what it calls its counters")
                .hint("begin it with a name: `{ i => … }`, with `_` if nothing depends on it")
        })?;
        if let [TermArgument { name: None, value }] = list
            && let Some(call) = Call::of(value).filter(is_scan)
        {
            return self.scan(&call, binders);
        }
        self.counters(list, binders, span)
    }

    fn counters(&self, list: &[TermArgument], binders: &Binders, span: Span) -> Result<Rounds, Diagnostic> {
        if list.is_empty() {
            return Err(Diagnostic::error(span, "no counters, expected one or more")
                .hint("they are written `Foreach (n by 1 par p) { i => … }`"));
        }
        if binders.is_list || binders.names.len() != list.len() {
            let names = counted(binders.names.len(), "name");
            let message = format!("found {names} for {}", counted(list.len(), "counter"));
            return Err(Diagnostic::error(binders.span, message)
                .also(list[0].value.span, "the first of these")
                .hint("several are named `{ (i, j) => … }`; `case List(…)` names what a scan gives"));
        }
        let counters = list.iter().zip(&binders.names).map(|(argument, name)| match &argument.name {
            Some(name) => Err(Diagnostic::error(name.span, "counters have no names here")
                .hint("they are named in front of the body: `{ i => … }`")),
            None => self.counter(&argument.value, name),
        });
        let counters = counters.collect::<Result<Vec<Counter>, Diagnostic>>()?;
        Ok(Rounds { domain: Domain::Counters(counters), binders: binders.names.clone() })
    }

    /// `a until b by s par p`, each but `b` where it is needed.
    fn counter(&self, term: &Term, name: &Word) -> Result<Counter, Diagnostic> {
        let (mut range, mut step, mut par) = (term, None, None);
        loop {
            let given = [("by", &mut step), ("par", &mut par)].into_iter().find_map(|(word, slot)| {
                let (of, value) = method(range, word)?;
                Some((of, slot.replace(value)))
            });
            match given {
                None => break,
                Some((of, None)) => range = of,
                Some((_, Some(other))) => {
                    return Err(Diagnostic::error(
                        other.span,
                        "a counter's step or parallelism is given twice",
                    )
                    .hint("it is written `a until b by s par p`"));
                }
            }
        }
        let (from, to) = ends(range).map_or((None, range), |[from, to]| (Some(from), to));
        let step = step.map(|step| self.integer(step)).transpose()?;
        let one = || Expr { kind: ExprKind::Int(1), span: range.span };
        Ok(Counter {
            binder: name.text.clone(),
            from: from.map(|from| self.integer(from)).transpose()?,
            to: self.integer(to)?,
            step: step.unwrap_or_else(one),
            par: par.map(|par| self.integer(par)).transpose()?,
        })
    }
}

fn is_scan(call: &Call<'_>) -> bool {
    call.receiver.is_none() && matches!(call.name.text.as_str(), "Scan" | "ScanRed")
}
