//! The comments in front of the class: what is computed, and how tensors are stored.

use super::typed::builtin;
use crate::app::{LEVEL_KINDS, Role, Tensor, mode_of};
use crate::text::tree::Word;
use comet_diag::{Diagnostic, Span};
use comet_format::{Level, LevelExpr};

/// What comments in front of `end` say.
pub(super) struct Header {
    pub(super) comment: Vec<String>,
    pub(super) tensors: Vec<Tensor>,
}

pub(super) fn header(comments: &[Word], end: Span, errors: &mut Vec<Diagnostic>) -> Header {
    let mut header = Header { comment: Vec::new(), tensors: Vec::new() };
    for comment in comments.iter().filter(|comment| comment.span.start < end.start) {
        let text = comment.text.strip_prefix(' ').unwrap_or(&comment.text);
        match text.strip_prefix("tensor ").filter(|rest| rest.contains(':')) {
            None => header.comment.push(text.to_owned()),
            Some(rest) => match tensor(rest) {
                Ok(tensor) if header.tensors.iter().any(|other| other.name == tensor.name) => {
                    let message = format!("the tensor `{}` is described twice", tensor.name);
                    errors
                        .push(Diagnostic::error(comment.span, message).hint("leave one of the comments out"));
                }
                Ok(tensor) => header.tensors.push(tensor),
                Err(what) => errors.push(
                    Diagnostic::error(comment.span, format!("this says nothing of a tensor: {what}"))
                        .hint("it is written `// tensor A: Double [i0: D, i1: CU] operand`"),
                ),
            },
        }
    }
    header
}

/// `A: Double [i0: D, i1: CU] operand`
fn tensor(text: &str) -> Result<Tensor, String> {
    let parts = || {
        let (name, rest) = text.split_once(':')?;
        let (element, rest) = rest.split_once('[')?;
        let (levels, role) = rest.split_once(']')?;
        Some([name.trim(), element.trim(), levels.trim(), role.trim()])
    };
    let [name, of, levels, as_what] = parts().ok_or("expected a name, a type, levels, and what it is for")?;
    let levels = levels.split(',').map(str::trim).filter(|level| !level.is_empty()).map(level);
    let levels = levels.collect::<Result<Vec<Level>, String>>()?;
    check_modes(&levels)?;
    let element = builtin(of).ok_or_else(|| format!("`{of}` is no type of elements"))?;
    let role = Role::of_word(as_what)
        .ok_or_else(|| format!("found `{as_what}`, expected `operand`, `result` or `updated`"))?;
    Ok(Tensor { name: name.to_owned(), element, levels, role })
}

/// Each mode from 0 on has a level, or two: the quotient by a number, and behind it the remainder.
fn check_modes(levels: &[Level]) -> Result<(), String> {
    let mut modes: Vec<usize> = levels.iter().map(mode_of).collect();
    modes.sort_unstable();
    let found = format!("{modes:?}");
    modes.dedup();
    let is_complete = |mode: usize| {
        let of_mode: Vec<LevelExpr> =
            levels.iter().map(|level| level.expr).filter(|expr| expr.mode() == Some(mode)).collect();
        match of_mode[..] {
            [LevelExpr::Mode(_)] => true,
            [LevelExpr::Div(_, size), LevelExpr::Mod(_, other)] => size == other,
            _ => false,
        }
    };
    if modes.iter().copied().eq(0..modes.len()) && modes.into_iter().all(is_complete) {
        return Ok(());
    }
    Err(format!(
        "its levels have the modes {found}, expected each from 0 on once, or as `i0/16` and behind it `i0%16`"
    ))
}

/// `i1: CU`
fn level(text: &str) -> Result<Level, String> {
    let expected = || format!("found `{text}`, expected a level such as `i0: D` or `i1: CU`");
    let (mode, kind) = text.split_once(':').ok_or_else(expected)?;
    let mode = mode.trim().strip_prefix('i').ok_or_else(expected)?;
    let number = |digits: &str| digits.parse().map_err(|_| expected());
    let size = |digits: &str| {
        digits.parse().ok().filter(|size| (1..=i64::MAX as u64).contains(size)).ok_or_else(expected)
    };
    let expr = match (mode.split_once('/'), mode.split_once('%')) {
        (Some((mode, digits)), _) => LevelExpr::Div(number(mode)?, size(digits)?),
        (_, Some((mode, digits))) => LevelExpr::Mod(number(mode)?, size(digits)?),
        _ => LevelExpr::Mode(number(mode)?),
    };
    let kind = LEVEL_KINDS.into_iter().find(|known| known.word() == kind.trim()).ok_or_else(expected)?;
    Ok(Level { expr, kind })
}
