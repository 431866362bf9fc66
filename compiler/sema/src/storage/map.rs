//! `{ (i, j) -> (i/4 : D, j/4 : CU, i%4 : D, j%4 : D) }`: levels that store parts of modes.

use comet_diag::{Diagnostic, Span};
use comet_syntax::ast::{self, Ident, LevelIndex};

use super::levels::{check_first, kind};
use super::named::positive;
use super::{Owner, WrittenLevels};
use crate::names::{counted, did_you_mean};
use crate::program::{Level, LevelExpr};

/// The levels of a map, where they store every mode once and in full.
pub(super) fn layout(
    owner: Owner<'_>,
    modes: &[Ident],
    levels: &[(LevelIndex, ast::WrittenLevel)],
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<WrittenLevels> {
    let before = diagnostics.len();
    check_modes(owner, modes, diagnostics);
    check_first(levels.first().map(|(_, level)| level), diagnostics);
    let mapped: Vec<Option<Level>> =
        levels.iter().map(|(index, level)| mapped_level(modes, index, level, diagnostics)).collect();
    // A level that is wrong by itself would only make its mode look incomplete as well.
    if diagnostics.len() > before {
        return None;
    }
    let mapped: Vec<Level> = mapped.into_iter().flatten().collect();
    for (mode, name) in modes.iter().enumerate() {
        check_cover(mode, name, &mapped, diagnostics);
    }
    let fixed = Some("the format is a map, which states what each level stores".to_owned());
    (diagnostics.len() == before).then_some(WrittenLevels { levels: mapped, fixed })
}

fn check_modes(owner: Owner<'_>, modes: &[Ident], diagnostics: &mut Vec<Diagnostic>) {
    for (at, mode) in modes.iter().enumerate() {
        let Some(first) = modes[..at].iter().find(|earlier| earlier.name == mode.name) else { continue };
        diagnostics.push(
            Diagnostic::error(mode.span, format!("mode `{}` is named twice", mode.name))
                .also(first.span, "named here first")
                .hint("give each mode of the map a name of its own"),
        );
    }
    if modes.len() != owner.rank {
        let span = modes.iter().map(|mode| mode.span).reduce(Span::to).unwrap_or(owner.modes);
        let message =
            format!("`{}` has {}, but its map has {}", owner.name, counted(owner.rank, "mode"), modes.len());
        diagnostics.push(
            Diagnostic::error(span, message)
                .also(owner.modes, counted(owner.rank, "mode"))
                .hint("name one mode on the left of `->` for each mode of the tensor"),
        );
    }
}

fn mapped_level(
    modes: &[Ident],
    index: &LevelIndex,
    level: &ast::WrittenLevel,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Level> {
    let kind = kind(level, diagnostics);
    let expr = match index {
        LevelIndex::Whole(name) => mode(modes, name, diagnostics).map(LevelExpr::Mode),
        LevelIndex::Div(name, size) => {
            let size = positive(*size, name.span, diagnostics);
            mode(modes, name, diagnostics).zip(size).map(|(mode, size)| LevelExpr::Div(mode, size))
        }
        LevelIndex::Mod(name, size) => {
            let size = positive(*size, name.span, diagnostics);
            mode(modes, name, diagnostics).zip(size).map(|(mode, size)| LevelExpr::Mod(mode, size))
        }
    };
    expr.zip(kind).map(|(expr, kind)| Level { expr, kind })
}

fn mode(modes: &[Ident], name: &Ident, diagnostics: &mut Vec<Diagnostic>) -> Option<usize> {
    let found = modes.iter().position(|mode| mode.name == name.name);
    if found.is_none() {
        let message = format!("`{}` is no mode of this map", name.name);
        let names = modes.iter().map(|mode| mode.name.as_str());
        let hint = did_you_mean(&name.name, names, "use the names on the left of `->`");
        diagnostics.push(Diagnostic::error(name.span, message).hint(hint));
    }
    found
}

/// A mode is stored whole by one level, or by a quotient and the remainder of the same division.
fn check_cover(mode: usize, name: &Ident, levels: &[Level], diagnostics: &mut Vec<Diagnostic>) {
    let (mut whole, mut quotients, mut remainders) = (0, Vec::new(), Vec::new());
    for level in levels {
        match level.expr {
            LevelExpr::Mode(stored) if stored == mode => whole += 1,
            LevelExpr::Div(stored, size) if stored == mode => quotients.push(size),
            LevelExpr::Mod(stored, size) if stored == mode => remainders.push(size),
            _ => {}
        }
    }
    let found = match (whole, quotients.as_slice(), remainders.as_slice()) {
        (1, [], []) => return,
        (0, [quotient], [remainder]) if quotient == remainder => return,
        (0, [], []) => "it is not stored".to_owned(),
        (0, [quotient], [remainder]) => format!("it is divided by {quotient} and taken modulo {remainder}"),
        (0, [_], []) => "its remainder is not stored".to_owned(),
        (0, [], [_]) => "its quotient is not stored".to_owned(),
        _ => "more levels than that store it".to_owned(),
    };
    let message = format!("mode `{0}` needs one level `{0}`, or `{0}/n` and `{0}%n`, but {found}", name.name);
    diagnostics.push(
        Diagnostic::error(name.span, message)
            .hint(format!("write `{0}/4 : D` and `{0}%4 : D`, with one number for both", name.name)),
    );
}
