//! `Scan` and `ScanRed`: iterations over the bits of vectors that are 1.

use comet_diag::Diagnostic;

use super::arguments::Signature;
use super::call::Call;
use super::domain::Rounds;
use super::reader::TextReader;
use super::sparse::one_of;
use crate::app::{Domain, ScanMode};
use crate::names::in_pattern;
use crate::text::tree::{Binders, Word};

const SCAN: Signature = Signature {
    shown: "Scan(p, n, \"or\", a.deq)` or `Scan(p, n, \"or\", a.deq, b.deq)",
    names: &["par", "count", "mode", "bvA", "bvB"],
    required: 4,
};

impl TextReader {
    pub(super) fn scan(&self, call: &Call<'_>, binders: &Binders) -> Result<Rounds, Diagnostic> {
        let list = call.list(SCAN.shown)?;
        if list.len() == SCAN.required - 1 && list.iter().all(|argument| argument.name.is_none()) {
            let error = "a scan of three arguments, expected how many at once, how many bits, which ones, and the vectors [scan]";
            return Err(Diagnostic::error(call.span, error).hint("write `Scan(1, n, \"or\", a.deq)`"));
        }
        let arguments = SCAN.fill(list, call.span)?;
        let [Some(par), Some(len), Some(mode), Some(first), second] = arguments[..] else {
            unreachable!("the signature requires them");
        };
        let (par, len) = (self.integer(par)?, self.integer(len)?);
        let mode = if one_of(mode, &["or", "and"])? == "or" { ScanMode::Or } else { ScanMode::And };
        let first = self.bit_vector(first)?;
        let Some(second) = second else {
            // All bits of one vector count, whichever mode it is.
            let [coordinate, position] = one_vector(binders)?;
            let names = [coordinate.text.clone(), position.text.clone()];
            let domain = Domain::Scan { par, len, bits: first, binders: names };
            return Ok(Rounds { domain, binders: vec![coordinate, position] });
        };
        let words = two_vectors(binders)?;
        let names = words.clone().map(|word| word.text);
        let bits = [first, self.bit_vector(second)?];
        Ok(Rounds { domain: Domain::ScanTwo { par, len, mode, bits, binders: names }, binders: words.into() })
    }
}

/// Coordinate and position: `case List(i, a) =>`.
fn one_vector(binders: &Binders) -> Result<[Word; 2], Diagnostic> {
    check_pattern(binders)?;
    match &binders.names[..] {
        [coordinate, position] if binders.is_list => Ok([coordinate, position].map(Clone::clone)),
        _ => {
            Err(Diagnostic::error(binders.span, "a scan of one bit vector gives a coordinate and a position")
                .hint("name them `{ case List(i, a) => … }`"))
        }
    }
}

/// Coordinate, and positions in the first, the result and the second: `case List(i, a, out, b) =>`.
fn two_vectors(binders: &Binders) -> Result<[Word; 4], Diagnostic> {
    check_pattern(binders)?;
    match &binders.names[..] {
        [coordinate, first, result, second] if binders.is_list => {
            Ok([coordinate, first, result, second].map(Clone::clone))
        }
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
