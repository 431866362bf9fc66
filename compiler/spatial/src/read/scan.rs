//! `Scan` and `ScanRed`: rounds over the bits of vectors that are 1.

use comet_diag::Diagnostic;

use super::arguments::Signature;
use super::call::Call;
use super::domain::Rounds;
use super::reader::Reader;
use super::sparse::one_of;
use crate::app::{Domain, ScanMode};
use crate::names::in_pattern;
use crate::text::tree::{Argument, Binders, Term, TermKind, Word};

const SCAN: Signature = Signature {
    shown: "Scan(par=p, len=n, a.deq)` or `Scan(p, n, \"or\", a.deq, b.deq)",
    names: &["par", "len", "a", "b"],
    required: 3,
};

impl Reader {
    pub(super) fn scan(&self, call: &Call<'_>, binders: &Binders) -> Result<Rounds, Diagnostic> {
        let (mode, others) = mode(call.list(SCAN.shown)?)?;
        let arguments = SCAN.fill(&others, call.span)?;
        let [Some(par), Some(len), Some(first), second] = arguments[..] else {
            unreachable!("the signature requires them");
        };
        let (par, len) = (self.integer(par)?, self.integer(len)?);
        let first = self.bit_vector(first)?;
        let Some(second) = second else {
            let [position, coordinate] = one_vector(binders)?;
            let names = [position.text.clone(), coordinate.text.clone()];
            let domain = Domain::Scan { par, len, bits: first, binders: names };
            return Ok(Rounds { domain, binders: vec![position, coordinate] });
        };
        let Some(mode) = mode else {
            return Err(Diagnostic::error(call.span, "two bit vectors, and nothing says which bits count")
                .hint("write `\"or\"` or `\"and\"` in front of them"));
        };
        let words = two_vectors(binders)?;
        let names = words.clone().map(|word| word.text);
        let bits = [first, self.bit_vector(second)?];
        Ok(Rounds { domain: Domain::ScanTwo { par, len, mode, bits, binders: names }, binders: words.into() })
    }
}

/// How vectors are scanned together, and the other arguments. Of one vector it makes no difference.
fn mode(arguments: &[Argument]) -> Result<(Option<ScanMode>, Vec<Argument>), Diagnostic> {
    let is_mode = |argument: &Argument| match &argument.name {
        Some(name) => name.text == "mode",
        None => matches!(argument.value.kind, TermKind::Text(_)),
    };
    let mut mode = None;
    let mut others = Vec::new();
    for argument in arguments {
        if is_mode(argument) && mode.is_none() {
            mode = Some(scan_mode(&argument.value)?);
        } else {
            others.push(argument.clone());
        }
    }
    Ok((mode, others))
}

fn scan_mode(term: &Term) -> Result<ScanMode, Diagnostic> {
    Ok(if one_of(term, &["or", "and"])? == "or" { ScanMode::Or } else { ScanMode::And })
}

/// Position and coordinate: `(a, i) =>`, `case List(i, a) =>`, or the coordinate alone.
fn one_vector(binders: &Binders) -> Result<[Word; 2], Diagnostic> {
    check_pattern(binders)?;
    match &binders.names[..] {
        [coordinate] => {
            let nobody = Word { text: "_".to_owned(), span: coordinate.span };
            Ok([nobody, coordinate.clone()])
        }
        [coordinate, position] if binders.is_list => Ok([position.clone(), coordinate.clone()]),
        [position, coordinate] => Ok([position.clone(), coordinate.clone()]),
        _ => {
            Err(Diagnostic::error(binders.span, "a scan of one bit vector gives a position and a coordinate")
                .hint("name them `{ (a, i) => … }` or `{ case List(i, a) => … }`"))
        }
    }
}

/// Coordinate, and positions in the first, the result and the second: `case List(i, a, out, b) =>`; without
/// `List` they are in the order of stardust.txt, figure 9.
fn two_vectors(binders: &Binders) -> Result<[Word; 4], Diagnostic> {
    check_pattern(binders)?;
    match &binders.names[..] {
        [coordinate, first, result, second] if binders.is_list => {
            Ok([coordinate, first, result, second].map(Clone::clone))
        }
        [first, second, result, coordinate] => Ok([coordinate, first, result, second].map(Clone::clone)),
        _ => Err(Diagnostic::error(
            binders.span,
            "a scan of two bit vectors gives a coordinate and three positions",
        )
        .hint("name them `{ case List(i, a, out, b) => … }`")),
    }
}

/// Scala takes a capitalised name in `case List(…)` for a value that is there already.
fn check_pattern(binders: &Binders) -> Result<(), Diagnostic> {
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
