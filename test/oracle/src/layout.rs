//! Formats as lists of storage levels: the table of LANGUAGE.md, "Formats", and the explicit forms.

use comet_syntax::ast::{self, FormatKind, FormatOptionKind, Ident, LevelKind, TensorDecl};

use crate::error::{OracleError, Result};

/// What the coordinate of a level is, of a position of the tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LevelIndex {
    /// The coordinate in a mode.
    Mode(usize),
    Div(usize, usize),
    Mod(usize, usize),
    /// The number of the entry within its row: the middle level of ELL.
    Slot,
}

/// One storage level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StorageLevel {
    pub index: LevelIndex,
    pub kind: LevelKind,
}

/// Storage levels, outermost first.
pub type Layout = Vec<StorageLevel>;

use LevelKind::{CompressedNonUnique as CN, CompressedUnique as CU, Dense as D, Singleton as S};

/// Whether every position is stored.
pub(crate) fn is_dense(layout: &Layout) -> bool {
    layout.iter().all(|level| level.kind == D && level.index != LevelIndex::Slot)
}

/// How a part of a tensor of that layout is stored, with so many modes.
pub(crate) fn of_part(whole: &Layout, rank: usize) -> Layout {
    in_order(vec![if is_dense(whole) { D } else { CU }; rank], None)
}

/// The levels of a declaration.
pub(crate) fn of_declaration(decl: &TensorDecl) -> Result<Layout> {
    let order = declared_order(decl);
    let layout = match &decl.format.kind {
        FormatKind::Name { name, args } => named(name, &numbers(args), decl.dims.len(), order),
        FormatKind::Levels(levels) => Some(in_order(levels.iter().map(|level| level.kind).collect(), order)),
        FormatKind::Map { modes, levels } => mapped(modes, levels),
    };
    let layout = layout.filter(|layout| covers(layout, decl.dims.len()));
    layout.ok_or_else(|| OracleError::at(decl.format.span, "the format does not fit the tensor"))
}

fn declared_order(decl: &TensorDecl) -> Option<Vec<usize>> {
    decl.options.iter().find_map(|option| match &option.kind {
        FormatOptionKind::Order(order) => Some(order.iter().map(|number| number.value as usize).collect()),
        _ => None,
    })
}

fn numbers(args: &[(ast::Number, comet_diag::Span)]) -> Vec<usize> {
    args.iter().map(|(number, _)| number.value as usize).collect()
}

fn named(name: &Ident, args: &[usize], rank: usize, order: Option<Vec<usize>>) -> Option<Layout> {
    let repeated = |first, rest| [vec![first], vec![rest; rank.saturating_sub(1)]].concat();
    let kinds = match name.name.as_str() {
        "Dense" => vec![D; rank],
        "CSR" => vec![D, CU],
        "CSC" => return Some(in_order(vec![D, CU], order.or(Some(vec![1, 0])))),
        "DCSR" => vec![CU, CU],
        "DCSC" => return Some(in_order(vec![CU, CU], order.or(Some(vec![1, 0])))),
        "COO" => repeated(CN, S),
        "CSF" => vec![CU; rank],
        "ModeGeneric" => vec![CN, S, D],
        "SparseVector" => vec![CU],
        "ELL" => return Some(ell(order.unwrap_or(vec![0, 1]))),
        "BCSR" => return blocked(args, [D, CU, D, D]),
        "CSB" => return blocked(args, [D, D, CN, S]),
        _ => return None,
    };
    Some(in_order(kinds, order))
}

/// Storage level l stores mode `order[l]`.
fn in_order(kinds: Vec<LevelKind>, order: Option<Vec<usize>>) -> Layout {
    let order = order.unwrap_or((0..kinds.len()).collect());
    order
        .iter()
        .zip(kinds)
        .map(|(&mode, kind)| StorageLevel { index: LevelIndex::Mode(mode), kind })
        .collect()
}

fn ell(order: Vec<usize>) -> Layout {
    let mode = |at: usize| LevelIndex::Mode(order.get(at).copied().unwrap_or(at));
    let levels = [(mode(0), D), (LevelIndex::Slot, D), (mode(1), S)];
    levels.map(|(index, kind)| StorageLevel { index, kind }).to_vec()
}

fn blocked(args: &[usize], kinds: [LevelKind; 4]) -> Option<Layout> {
    let &[rows, columns] = args else { return None };
    let indices = [
        LevelIndex::Div(0, rows),
        LevelIndex::Div(1, columns),
        LevelIndex::Mod(0, rows),
        LevelIndex::Mod(1, columns),
    ];
    Some(indices.into_iter().zip(kinds).map(|(index, kind)| StorageLevel { index, kind }).collect())
}

fn mapped(modes: &[Ident], levels: &[(ast::LevelIndex, ast::WrittenLevel)]) -> Option<Layout> {
    let mode = |name: &Ident| modes.iter().position(|mode| mode.name == name.name);
    let index = |index: &ast::LevelIndex| {
        Some(match index {
            ast::LevelIndex::Whole(name) => LevelIndex::Mode(mode(name)?),
            ast::LevelIndex::Div(name, size) => LevelIndex::Div(mode(name)?, size.value as usize),
            ast::LevelIndex::Mod(name, size) => LevelIndex::Mod(mode(name)?, size.value as usize),
        })
    };
    levels.iter().map(|(part, level)| Some(StorageLevel { index: index(part)?, kind: level.kind })).collect()
}

/// Whether the levels determine every mode and no other.
fn covers(layout: &Layout, rank: usize) -> bool {
    let known = |mode: usize| {
        let whole = layout.iter().any(|level| level.index == LevelIndex::Mode(mode));
        let quotient =
            layout.iter().any(|level| matches!(level.index, LevelIndex::Div(m, n) if m == mode && n > 0));
        let remainder =
            layout.iter().any(|level| matches!(level.index, LevelIndex::Mod(m, n) if m == mode && n > 0));
        whole || (quotient && remainder)
    };
    let inside = |level: &StorageLevel| match level.index {
        LevelIndex::Mode(mode) | LevelIndex::Div(mode, _) | LevelIndex::Mod(mode, _) => mode < rank,
        LevelIndex::Slot => true,
    };
    (0..rank).all(known) && layout.iter().all(inside)
}
