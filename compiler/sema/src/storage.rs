//! Formats: from what was written to levels in storage order, or to located errors.

mod levels;
mod map;
mod named;
mod options;

use comet_diag::{Diagnostic, Span, refuse};
use comet_syntax::ast::{self, FormatKind, FormatOption, FormatSpec};

use comet_format::MAX_RANK;

use crate::program::{Format, Level, LevelExpr, MemoryRegion, ProcessPlacement};

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TensorStorage {
    pub(crate) format: Format,
    pub(crate) memory: Option<MemoryRegion>,
    /// What each process has of it, where that is stated.
    pub(crate) on: Option<ProcessPlacement>,
}

/// Whose format is resolved: messages name it.
#[derive(Clone, Copy)]
pub(crate) struct Owner<'a> {
    pub(crate) name: &'a str,
    /// Where its modes are written.
    pub(crate) modes: Span,
    pub(crate) rank: usize,
}

/// Levels as written, before `order` is applied: level l stores mode l unless a map says otherwise.
struct WrittenLevels {
    levels: Vec<Level>,
    /// Why `order` cannot be given, where it cannot.
    fixed: Option<String>,
}

/// The storage of a declaration; `None` where an error was reported.
pub(crate) fn resolve_declaration(
    decl: &ast::TensorDecl,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<TensorStorage> {
    let modes = decl.dims.iter().map(|dim| dim.span).reduce(Span::to).unwrap_or(decl.name.span);
    if decl.dims.len() > MAX_RANK {
        return refuse(diagnostics, too_many_modes(&decl.name.name, decl.dims.len(), modes));
    }
    let owner = Owner { name: &decl.name.name, modes, rank: decl.dims.len() };
    resolve(owner, &decl.format, &decl.options, diagnostics)
}

/// The storage that `spec` and `options` describe for `owner`; `None` where an error was reported.
pub(crate) fn resolve(
    owner: Owner<'_>,
    spec: &FormatSpec,
    options: &[FormatOption],
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<TensorStorage> {
    let layout = layout(owner, spec, diagnostics);
    let options = options::collect(owner, options, diagnostics);
    let (layout, options) = (layout?, options?);
    let levels = match options.order {
        Some((order, span)) => reorder(layout, &order, span, diagnostics)?,
        None => layout.levels,
    };
    let format = Format { rank: owner.rank, levels, index_width: options.index_width };
    Some(TensorStorage { format, memory: options.memory, on: options.on })
}

fn too_many_modes(name: &str, rank: usize, modes: Span) -> Diagnostic {
    let message = format!("`{name}` has {rank} modes, expected at most {MAX_RANK}");
    Diagnostic::error(modes, message).hint("combine some of the modes into one")
}

fn layout(owner: Owner<'_>, spec: &FormatSpec, diagnostics: &mut Vec<Diagnostic>) -> Option<WrittenLevels> {
    match &spec.kind {
        FormatKind::Name { name, args } => named::layout(owner, name, args, diagnostics),
        FormatKind::Levels(levels) => levels::layout(owner, levels, spec.span, diagnostics),
        FormatKind::Map { modes, levels } => map::layout(owner, modes, levels, diagnostics),
    }
}

fn reorder(
    layout: WrittenLevels,
    order: &[usize],
    span: Span,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Vec<Level>> {
    if let Some(reason) = layout.fixed {
        let message = format!("`order` was found, but {reason}");
        return refuse(
            diagnostics,
            Diagnostic::error(span, message).hint("leave `order` out, or list the levels instead"),
        );
    }
    let stores = |&mode: &usize| LevelExpr::Mode(mode);
    let levels = layout.levels.iter().zip(order);
    Some(levels.map(|(level, mode)| Level { expr: stores(mode), kind: level.kind }).collect())
}
