//! The iterations of patterns.

use super::call::{Call, Signature, counted};
use super::scope::{TextReader, What};
use super::sparse::case;
use super::transfer::{ends, method};
use crate::app::{Counter, Domain, ExprKind, Scalar, ScanMode};
use crate::names::in_pattern;
use crate::text::Result;
use crate::text::tree::{Binders, Braces, Term, TermArgument, Word};
use comet_diag::{Diagnostic, Span};

const SCAN: Signature<4, 1> = Signature {
    shown: "Scan(p, n, \"or\", a.deq)` or `Scan(p, n, \"or\", a.deq, b.deq)",
    required: ["par", "count", "mode", "bvA"],
    optional: ["bvB"],
};

/// The iterations of a pattern, and what its body calls their numbers.
pub(super) struct Iterations {
    pub(super) domain: Domain,
    pub(super) binders: Vec<Word>,
}

impl TextReader {
    /// Reads the body of a pattern, in which the numbers of its iterations have names.
    pub(super) fn within<T>(&mut self, iterations: &Iterations, body: impl FnOnce(&mut Self) -> T) -> T {
        self.scope.enter();
        iterations.binders.iter().for_each(|binder| self.declare(binder, What::Value, Scalar::Int));
        let body = body(self);
        self.scope.leave();
        body
    }

    /// `(n by 1 par p) { i => …`, `(Scan(…)) { case List(i, a) => …`
    pub(super) fn iterations(&self, list: &[TermArgument], body: &Braces, span: Span) -> Result<Iterations> {
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

    fn counters(&self, list: &[TermArgument], binders: &Binders, span: Span) -> Result<Iterations> {
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
        let counters = counters.collect::<Result<Vec<Counter>>>()?;
        Ok(Iterations { domain: Domain::Counters(counters), binders: binders.names.clone() })
    }

    /// `a until b by s par p`, each but `b` where it is needed.
    fn counter(&self, term: &Term, name: &Word) -> Result<Counter> {
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
        let one = || ExprKind::Int(1).at(range.span);
        Ok(Counter {
            binder: name.text.clone(),
            from: from.map(|from| self.integer(from)).transpose()?,
            to: self.integer(to)?,
            step: step.unwrap_or_else(one),
            par: par.map(|par| self.integer(par)).transpose()?,
        })
    }

    fn scan(&self, call: &Call<'_>, binders: &Binders) -> Result<Iterations> {
        let list = call.list(SCAN.shown)?;
        if list.len() == SCAN.required.len() - 1 && list.iter().all(|argument| argument.name.is_none()) {
            let error = "a scan of three arguments, expected how many at once, how many bits, which ones, and the vectors [scan]";
            return Err(Diagnostic::error(call.span, error).hint("write `Scan(1, n, \"or\", a.deq)`"));
        }
        let ([par, len, mode, first], [second]) = SCAN.fill(call)?;
        let (par, len) = (self.integer(par)?, self.integer(len)?);
        let mode = case(mode, ScanMode::ALL, ScanMode::word)?;
        let first = self.bit_vector(first)?;
        let Some(second) = second else {
            // All bits of one vector count, whichever mode it is.
            let words = in_list(
                binders,
                "a scan of one bit vector gives a coordinate and a position",
                "name them `{ case List(i, a) => … }`",
            )?;
            let names = words.clone().map(|word| word.text);
            let domain = Domain::Scan { par, len, bits: first, binders: names };
            return Ok(Iterations { domain, binders: words.into() });
        };
        let words = in_list(
            binders,
            "a scan of two bit vectors gives a coordinate and three positions",
            "name them `{ case List(i, a, out, b) => … }`",
        )?;
        let names = words.clone().map(|word| word.text);
        let bits = [first, self.bit_vector(second)?];
        Ok(Iterations {
            domain: Domain::ScanTwo { par, len, mode, bits, binders: names },
            binders: words.into(),
        })
    }
}

fn is_scan(call: &Call<'_>) -> bool {
    call.receiver.is_none() && matches!(call.name.text.as_str(), "Scan" | "ScanRed")
}

/// The names of `case List(…) =>`: a coordinate, and positions in the first vector, the result and the second.
fn in_list<const COUNT: usize>(binders: &Binders, message: &str, hint: &str) -> Result<[Word; COUNT]> {
    check_pattern(binders)?;
    let names = binders.names.clone().try_into().ok().filter(|_| binders.is_list);
    names.ok_or_else(|| Diagnostic::error(binders.span, message).hint(hint))
}

/// Scala takes a capitalised name in `case List(…)` for a value that is there already.
fn check_pattern(binders: &Binders) -> Result<()> {
    let names = if binders.is_list { &binders.names[..] } else { &[] };
    match names.iter().find(|name| in_pattern(&name.text) != name.text) {
        Some(name) => Err(Diagnostic::error(
            name.span,
            format!(
                "`{}` begins with a capital, so that it stands for a value that is there already",
                name.text
            ),
        )
        .hint(format!("names of a scan begin with a small letter: `{}`", in_pattern(&name.text)))),
        None => Ok(()),
    }
}
