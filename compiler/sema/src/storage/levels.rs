//! `{D, CU}`: one level for each mode.

use comet_diag::{Diagnostic, Span, refuse};
use comet_syntax::ast;

use super::{Owner, WrittenLevels};
use crate::names::counted;
use crate::program::{Level, LevelExpr, LevelKind};

/// One level for each mode, the first of which has a parent of its own and so cannot be S.
pub(super) fn layout(
    owner: Owner<'_>,
    levels: &[ast::WrittenLevel],
    span: Span,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<WrittenLevels> {
    let before = diagnostics.len();
    let kinds: Vec<Option<LevelKind>> = levels.iter().map(|level| kind(level, diagnostics)).collect();
    check_first(levels.first(), diagnostics);
    check_count(owner, levels.len(), span, diagnostics);
    if diagnostics.len() > before {
        return None;
    }
    let numbered = kinds.into_iter().flatten().enumerate();
    let levels = numbered.map(|(mode, kind)| Level { expr: LevelExpr::Mode(mode), kind }).collect();
    Some(WrittenLevels { levels, fixed: None })
}

/// The level format; an error where a bit vector's word has no such width.
pub(super) fn kind(level: &ast::WrittenLevel, diagnostics: &mut Vec<Diagnostic>) -> Option<LevelKind> {
    let Some(bits) = level.kind.word_bits() else { return Some(level.kind) };
    if [8, 16, 32, 64].contains(&bits) {
        return Some(level.kind);
    }
    let message = format!("a bit vector's words have 8, 16, 32 or 64 bits, found {bits}");
    let hint = "write `BV<64>`, or the width your target has";
    refuse(diagnostics, Diagnostic::error(level.span, message).hint(hint))
}

/// S continues the positions of the level above it, so there must be one.
pub(super) fn check_first(first: Option<&ast::WrittenLevel>, diagnostics: &mut Vec<Diagnostic>) {
    let Some(level) = first.filter(|level| level.kind.is_branchless()) else { return };
    let message = "the first level is `S`, expected one of `D`, `CU`, `CN`, `BV`";
    let hint =
        "`S` holds one coordinate under each position of the level above it; begin with `CN` for coordinates";
    diagnostics.push(Diagnostic::error(level.span, message).hint(hint));
}

fn check_count(owner: Owner<'_>, found: usize, span: Span, diagnostics: &mut Vec<Diagnostic>) {
    if found == owner.rank {
        return;
    }
    let message = format!(
        "`{}` has {}, but its format has {}",
        owner.name,
        counted(owner.rank, "mode"),
        counted(found, "level")
    );
    diagnostics.push(
        Diagnostic::error(span, message)
            .label(format!("expected {} here", counted(owner.rank, "level")))
            .also(owner.modes, counted(owner.rank, "mode"))
            .hint("list one level for each mode, outermost first"),
    );
}
