//! `order=`, `memory=`, `index=`, `on=`: each at most once.

use comet_diag::{Diagnostic, Span, refuse};
use comet_format::IndexWidth;
use comet_syntax::ast::{FormatOption, FormatOptionKind, Number};

use super::Owner;
use crate::names::counted;
use crate::program::{MemoryRegion, ProcessPlacement};

pub(super) struct FormatOptions {
    /// Storage level l stores mode `order[l]`; with its place.
    pub(super) order: Option<(Vec<usize>, Span)>,
    pub(super) memory: Option<MemoryRegion>,
    pub(super) on: Option<ProcessPlacement>,
    /// 32 bits where nothing is said.
    pub(super) index_width: IndexWidth,
}

/// Reads the options; `None` where an error was reported.
pub(super) fn collect(
    owner: Owner<'_>,
    options: &[FormatOption],
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<FormatOptions> {
    let before = diagnostics.len();
    check_repetitions(options, diagnostics);
    let mut collected = FormatOptions { order: None, memory: None, on: None, index_width: IndexWidth::I32 };
    for option in options {
        match &option.kind {
            FormatOptionKind::Order(order) => {
                let order = permutation(owner, order, option.span, diagnostics);
                collected.order = order.map(|order| (order, option.span));
            }
            FormatOptionKind::Memory(region) => collected.memory = Some(*region),
            FormatOptionKind::On(placement) => collected.on = Some(*placement),
            FormatOptionKind::Index(width) => collected.index_width = *width,
        }
    }
    (diagnostics.len() == before).then_some(collected)
}

fn check_repetitions(options: &[FormatOption], diagnostics: &mut Vec<Diagnostic>) {
    for (at, option) in options.iter().enumerate() {
        let word = word(option);
        let Some(first) = options[..at].iter().find(|earlier| self::word(earlier) == word) else { continue };
        diagnostics.push(
            Diagnostic::error(option.span, format!("`{word}` is given twice, expected it once"))
                .also(first.span, "given here first")
                .hint("keep one of the two"),
        );
    }
}

fn word(option: &FormatOption) -> &'static str {
    match option.kind {
        FormatOptionKind::Order(_) => "order",
        FormatOptionKind::Memory(_) => "memory",
        FormatOptionKind::Index(_) => "index",
        FormatOptionKind::On(_) => "on",
    }
}

fn permutation(
    owner: Owner<'_>,
    order: &[Number],
    span: Span,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Vec<usize>> {
    let entries: Vec<usize> =
        order.iter().filter_map(|entry| entry.integer.and_then(|mode| usize::try_from(mode).ok())).collect();
    let mut sorted = entries.clone();
    sorted.sort_unstable();
    if order.len() == owner.rank && sorted.iter().copied().eq(0..owner.rank) {
        return Some(entries);
    }
    let identity: Vec<String> = (0..owner.rank).map(|mode| mode.to_string()).collect();
    let identity = identity.join(",");
    let message = format!("`order` of `{}` is no permutation of `{{{identity}}}`", owner.name);
    refuse(
        diagnostics,
        Diagnostic::error(span, message)
            .also(owner.modes, counted(owner.rank, "mode"))
            .hint("name every mode once, the outermost storage level's first; modes count from 0"),
    )
}
