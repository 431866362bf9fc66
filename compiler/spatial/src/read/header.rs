//! The comments in front of the class: what is computed, and how tensors are stored.

use comet_diag::{Diagnostic, Span};

use crate::app::{Level, LevelKind, Role, Tensor, Type};
use crate::text::tree::Word;

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
    let mut modes: Vec<usize> = levels.iter().map(|level| level.mode).collect();
    modes.sort_unstable();
    if !modes.iter().copied().eq(0..levels.len()) {
        return Err(format!("its levels have the modes {modes:?}, expected each from 0 on once"));
    }
    Ok(Tensor { name: name.to_owned(), element: element(of)?, levels, role: role(as_what)? })
}

fn element(text: &str) -> Result<Type, String> {
    super::types::builtin(text).ok_or_else(|| format!("`{text}` is no type of elements"))
}

fn role(text: &str) -> Result<Role, String> {
    Ok(match text {
        "operand" => Role::Operand,
        "result" => Role::Result,
        "updated" => Role::Updated,
        _ => return Err(format!("found `{text}`, expected `operand`, `result` or `updated`")),
    })
}

/// `i1: CU`
fn level(text: &str) -> Result<Level, String> {
    let expected = || format!("found `{text}`, expected a level such as `i0: D` or `i1: CU`");
    let (mode, kind) = text.split_once(':').ok_or_else(expected)?;
    let mode = mode.trim().strip_prefix('i').and_then(|digits| digits.parse().ok()).ok_or_else(expected)?;
    let kind = match kind.trim() {
        "D" => LevelKind::Dense,
        "CU" => LevelKind::Compressed,
        _ => return Err(expected()),
    };
    Ok(Level { mode, kind })
}
