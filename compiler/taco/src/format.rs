//! `-f=A:ds:0,1`: letters to levels.

use std::collections::HashMap;

use comet_diag::{Diagnostic, Span, refuse};
use comet_syntax::ast::{
    FormatKind, FormatOption, FormatOptionKind, FormatSpec, Ident, LevelKind, Number, WrittenLevel,
};

use crate::command_line::{CommandLine, Flag};
use crate::expression::{ExpressionNames, ExpressionTensor, counted};
use crate::flags::{self, FlagPart};
use crate::names;

/// A format of the `.ta` language.
#[derive(Clone)]
pub(crate) struct TensorFormat {
    pub(crate) spec: FormatSpec,
    pub(crate) options: Vec<FormatOption>,
    pub(crate) is_dense: bool,
}

impl TensorFormat {
    /// That of a tensor without `-f`.
    pub(crate) fn dense(span: Span) -> Self {
        let kind = FormatKind::Name { name: Ident { name: "Dense".to_owned(), span }, args: Vec::new() };
        Self { spec: FormatSpec { kind, span }, options: Vec::new(), is_dense: true }
    }
}

/// The formats that flags state, by the tensors' names.
pub(crate) fn formats(
    line: &CommandLine,
    expression: &ExpressionNames<'_>,
    errors: &mut Vec<Diagnostic>,
) -> HashMap<String, TensorFormat> {
    let flags = flags::about_tensors(line, Flag::Format, expression, errors);
    let mut formats = HashMap::new();
    for (name, value) in flags {
        let tensor = expression.tensor(&name).expect("the flag is about a tensor of the expression");
        if let Some(format) = format(value, tensor, errors) {
            formats.insert(name, format);
        }
    }
    formats
}

fn format(
    value: FlagPart<'_>,
    tensor: &ExpressionTensor<'_>,
    errors: &mut Vec<Diagnostic>,
) -> Option<TensorFormat> {
    let (letters, order) = match value.split_once(':') {
        Some((letters, order)) => (letters, Some(order)),
        None => (value, None),
    };
    let before = errors.len();
    let levels = levels(letters, errors);
    check_rank(letters, tensor, errors);
    check_first(&levels, errors);
    let order = order.and_then(|order| option(order, tensor.rank(), errors));
    if errors.len() > before {
        return None;
    }
    let is_dense = levels.iter().all(|level| level.kind.is_full());
    if is_dense {
        return Some(TensorFormat {
            options: order.into_iter().collect(),
            ..TensorFormat::dense(letters.span)
        });
    }
    let spec = FormatSpec { kind: FormatKind::Levels(levels), span: letters.span };
    Some(TensorFormat { spec, options: order.into_iter().collect(), is_dense })
}

fn levels(letters: FlagPart<'_>, errors: &mut Vec<Diagnostic>) -> Vec<WrittenLevel> {
    let mut levels = Vec::new();
    for (letter, span) in letters.characters() {
        match level(letter) {
            Some(kind) => levels.push(WrittenLevel { kind, span }),
            None => errors.push(
                Diagnostic::error(span, format!("`{}` is no level", letter.escape_debug()))
                    .hint("the levels are `d` dense, `s` compressed, `u` compressed with repetitions, `q` and `c` singleton"),
            ),
        }
    }
    levels
}

/// Whether the coordinates of a singleton repeat follows from the level above it, so `q` and `c` are one
/// level.
fn level(letter: char) -> Option<LevelKind> {
    Some(match letter {
        'd' => LevelKind::Dense,
        's' => LevelKind::CompressedUnique,
        'u' => LevelKind::CompressedNonUnique,
        'q' | 'c' => LevelKind::Singleton,
        _ => return None,
    })
}

fn check_rank(letters: FlagPart<'_>, tensor: &ExpressionTensor<'_>, errors: &mut Vec<Diagnostic>) {
    let levels = letters.text.chars().count();
    if levels == tensor.rank() {
        return;
    }
    let indices = counted(tensor.rank(), "index", "indices");
    let name = names::written(&tensor.name.name);
    let message = format!(
        "the format of `{name}` has {}, expected {}",
        counted(levels, "level", "levels"),
        tensor.rank()
    );
    errors.push(
        Diagnostic::error(letters.span, message)
            .also(tensor.span, format!("it has {indices} here"))
            .hint("a format has one level for each index"),
    );
}

fn check_first(levels: &[WrittenLevel], errors: &mut Vec<Diagnostic>) {
    if let Some(level) = levels.first().filter(|level| level.kind.is_branchless()) {
        errors.push(
            Diagnostic::error(level.span, "the first level of a format cannot be a singleton").hint(
                "a singleton has one coordinate under each position of the level above it: `uq`, `ucq`",
            ),
        );
    }
}

/// What an order has to be, in words that fit the number of levels.
fn expected_order(rank: usize, found: &str) -> String {
    match rank {
        0 => format!("expected no order for a tensor without levels, found `{found}`"),
        1 => format!("expected the order `0` of the only level, found `{found}`"),
        _ => format!("expected each of the numbers from 0 to {} once, found `{found}`", rank - 1),
    }
}

/// `1,0`; nothing where levels and indices are in the same order.
fn option(order: FlagPart<'_>, rank: usize, errors: &mut Vec<Diagnostic>) -> Option<FormatOption> {
    let parts = if order.text.is_empty() { Vec::new() } else { order.split(',') };
    let modes: Vec<Option<usize>> = parts.iter().map(|part| part.text.parse().ok()).collect();
    let mut sorted = modes.clone();
    sorted.sort_unstable();
    let identity: Vec<Option<usize>> = (0..rank).map(Some).collect();
    if sorted != identity {
        let message = expected_order(rank, order.text);
        return refuse(
            errors,
            Diagnostic::error(order.span, message)
                .hint("the order says which index each level stores: `ds:1,0` stores the second index first"),
        );
    }
    let number = |mode: usize| Number { value: mode as f64, integer: Some(mode as i64) };
    let numbers = modes.iter().flatten().map(|&mode| number(mode)).collect();
    let option = FormatOption { kind: FormatOptionKind::Order(numbers), span: order.span };
    (modes != identity).then_some(option)
}
