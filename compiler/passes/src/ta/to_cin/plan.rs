//! Cuts an assignment into pieces, one loop nest each, and orders their loops.
//!
//! A dense output is the sum of its additive terms, so a statement with a sparse operand is cut at the top: the dense terms that reduce nothing make one piece,
//! every other term one of its own, all but the first accumulating. Each nest then has at most one sparse operand, whose stored positions drive its loops.

use super::expr::{Access, Expr, Statement};
use comet_ir::{IrError, Result, Val};
use comet_runtime::format::{Format, Level, LevelExpr, LevelKind};

/// What a loop runs over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Loop {
    /// A label.
    Label(usize),
    /// The quotient of a label by the number: the outer half of a split.
    Quotient(usize, u64),
    /// Its remainder.
    Remainder(usize, u64),
}

/// One loop nest.
pub(super) enum Piece<'c> {
    /// `target = 0`.
    Clear,
    /// `target = value` or `target += value`.
    Compute(Nest<'c>),
}

/// Loops around one assignment.
pub(super) struct Nest<'c> {
    /// Outermost first.
    pub(super) loops: Vec<Loop>,
    /// Without the reduction that the loops and the accumulation stand for.
    pub(super) value: Expr<'c>,
    pub(super) accumulate: bool,
    /// An operand that is copied into another format first.
    pub(super) conversion: Option<Conversion<'c>>,
}

/// A copy of a tensor in a format whose levels are in the order of the loops.
pub(super) struct Conversion<'c> {
    pub(super) tensor: Val<'c>,
    pub(super) format: Format,
}

/// The pieces of a statement, in the order in which they run.
pub(super) fn pieces<'c>(statement: &Statement<'c>) -> Result<'c, Vec<Piece<'c>>> {
    let mut terms = Vec::new();
    split(&statement.value, &mut terms);
    let (plain, others): (Vec<Expr<'c>>, Vec<Expr<'c>>) =
        terms.into_iter().partition(|term| !term.is_sparse() && !term.reduces());
    let sum = plain.into_iter().reduce(|left, right| Expr::Add(Box::new(left), Box::new(right)));
    let mut pieces = Vec::new();
    let mut accumulate = !statement.overwrite;
    for term in sum.into_iter().chain(others) {
        let nest = nest(statement, term)?;
        if !accumulate && needs_clear(&nest, statement) {
            pieces.push(Piece::Clear);
            accumulate = true;
        }
        pieces.push(Piece::Compute(Nest { accumulate: accumulate || nest.accumulate, ..nest }));
        accumulate = true;
    }
    Ok(pieces)
}

/// Cuts at `+`, `-` and unary minus.
fn split<'c>(value: &Expr<'c>, terms: &mut Vec<Expr<'c>>) {
    match value {
        Expr::Add(left, right) => {
            split(left, terms);
            split(right, terms);
        }
        Expr::Sub(left, right) => {
            split(left, terms);
            split_negated(right, terms);
        }
        Expr::Neg(value) => split_negated(value, terms),
        term => terms.push(term.clone()),
    }
}

fn split_negated<'c>(value: &Expr<'c>, terms: &mut Vec<Expr<'c>>) {
    let start = terms.len();
    split(value, terms);
    let negated: Vec<Expr<'c>> = terms.drain(start..).map(Expr::negated).collect();
    terms.extend(negated);
}

/// Whether some elements of the target are not assigned by the nest, or more than once.
fn needs_clear(nest: &Nest<'_>, statement: &Statement<'_>) -> bool {
    nest.accumulate || nest.value.is_sparse() || !repeats_no_label(&statement.target)
}

fn repeats_no_label(access: &Access<'_>) -> bool {
    access.labels.iter().enumerate().all(|(mode, label)| !access.labels[..mode].contains(label))
}

/// The nest of a term: a reduction at its top becomes accumulation.
fn nest<'c>(statement: &Statement<'c>, term: Expr<'c>) -> Result<'c, Nest<'c>> {
    let (value, reduced) = match term {
        Expr::Reduce { op, labels, body } if op == "add" => (*body, labels),
        other => (other, Vec::new()),
    };
    let sparse = sparse_access(statement, &value)?.cloned();
    let loops = order(statement, &value, &reduced, sparse.as_ref());
    let accumulate = !reduced.is_empty();
    match sparse.filter(|access| !is_concordant(&loops, &value, access)) {
        None => Ok(Nest { loops, value, accumulate, conversion: None }),
        Some(access) => {
            let loops = order(statement, &value, &reduced, None);
            let conversion = Some(conversion(&loops, &value, &access));
            Ok(Nest { loops, value, accumulate, conversion })
        }
    }
}

/// Every level compressed, in the order in which the loops, then those of the nested reductions, bind the labels.
fn conversion<'c>(loops: &[Loop], value: &Expr<'c>, access: &Access<'c>) -> Conversion<'c> {
    let mut order: Vec<usize> = loops.iter().map(|item| label_of(*item)).collect();
    order.extend(value.reduced_labels());
    let mut modes: Vec<usize> = (0..access.labels.len()).collect();
    modes.sort_by_key(|mode| order.iter().position(|label| *label == access.labels[*mode]));
    let level = |mode| Level { expr: LevelExpr::Mode(mode), kind: LevelKind::CompressedUnique };
    let levels = modes.into_iter().map(level).collect();
    Conversion {
        tensor: access.tensor,
        format: Format { rank: access.labels.len(), levels, index_width: access.format().index_width },
    }
}

/// The only sparse operand, where there is one.
fn sparse_access<'a, 'c>(
    statement: &Statement<'c>,
    value: &'a Expr<'c>,
) -> Result<'c, Option<&'a Access<'c>>> {
    let sparse: Vec<&Access<'c>> = value.accesses().into_iter().filter(|access| access.is_sparse()).collect();
    if sparse.len() > 1 {
        return Err(IrError::not_supported(statement.location, "more than one sparse operand in a term"));
    }
    let Some(access) = sparse.first() else { return Ok(None) };
    if access.format().levels.iter().any(|level| matches!(level.kind, LevelKind::BitVector(_))) {
        return Err(IrError::not_supported(statement.location, "bit-vector levels in loops"));
    }
    Ok(Some(access))
}

/// The loop order: the levels of the sparse operand in storage order, up to the first one that a nested reduction binds; then the labels of the target and the
/// reduced ones, the most contiguous last.
fn order(
    statement: &Statement<'_>,
    value: &Expr<'_>,
    reduced: &[usize],
    sparse: Option<&Access<'_>>,
) -> Vec<Loop> {
    let free = value.free_labels();
    let levels = sparse.map_or_else(Vec::new, level_loops);
    let mut loops: Vec<Loop> =
        levels.into_iter().take_while(|item| free.contains(&label_of(*item))).collect();
    let mut rest: Vec<usize> = Vec::new();
    for label in statement.target.labels.iter().chain(reduced).chain(&free) {
        let taken = loops.iter().any(|item| label_of(*item) == *label);
        if !taken && !rest.contains(label) {
            rest.push(*label);
        }
    }
    move_most_contiguous_last(statement, value, &mut rest);
    loops.extend(rest.into_iter().map(Loop::Label));
    loops
}

/// The loops of a nested reduction: the levels of its sparse operand in storage order, then the other labels.
pub(super) fn nested_loops(labels: &[usize], body: &Expr<'_>) -> Vec<Loop> {
    let sparse = body.accesses().into_iter().find(|access| access.is_sparse());
    let levels = sparse.map_or_else(Vec::new, level_loops);
    let mut loops: Vec<Loop> = levels.into_iter().filter(|item| labels.contains(&label_of(*item))).collect();
    let rest = labels.iter().filter(|label| !loops.iter().any(|item| label_of(*item) == **label)).copied();
    let rest: Vec<usize> = rest.collect();
    loops.extend(rest.into_iter().map(Loop::Label));
    loops
}

pub(super) fn label_of(item: Loop) -> usize {
    match item {
        Loop::Label(label) | Loop::Quotient(label, _) | Loop::Remainder(label, _) => label,
    }
}

/// One loop for each level that stores an index, once each.
fn level_loops(access: &Access<'_>) -> Vec<Loop> {
    let mut loops = Vec::new();
    for level in access.format().levels {
        let item = match level.expr {
            LevelExpr::Mode(mode) => Loop::Label(access.labels[mode]),
            LevelExpr::Div(mode, factor) => Loop::Quotient(access.labels[mode], factor),
            LevelExpr::Mod(mode, factor) => Loop::Remainder(access.labels[mode], factor),
            LevelExpr::Slot => continue,
        };
        if !loops.contains(&item) {
            loops.push(item);
        }
    }
    loops
}

/// Moves the label along which the most accesses are contiguous to the end; the target counts twice, because stores cost more. Ties go to the later label.
fn move_most_contiguous_last(statement: &Statement<'_>, value: &Expr<'_>, labels: &mut Vec<usize>) {
    let accesses = value.accesses();
    let score = |label: usize| {
        let reads = accesses.iter().filter(|access| access.is_contiguous(label)).count();
        reads + 2 * usize::from(statement.target.is_contiguous(label))
    };
    let best = (0..labels.len()).max_by_key(|position| (score(labels[*position]), *position));
    if let Some(position) = best {
        let label = labels.remove(position);
        labels.push(label);
    }
}

/// Whether the loops meet the levels of an operand from the outermost inwards, each label in one way only.
fn is_concordant(loops: &[Loop], value: &Expr<'_>, access: &Access<'_>) -> bool {
    let levels = level_loops(access);
    let is_whole = |item: &Loop| matches!(item, Loop::Label(_));
    let one_way = |item: &Loop| {
        levels.iter().all(|other| {
            label_of(*other) != label_of(*item)
                || is_whole(other) == is_whole(item) && same_factor(item, other)
        })
    };
    let depths: Vec<usize> = levels.iter().map(|item| depth(loops, value, label_of(*item))).collect();
    levels.iter().all(one_way) && depths.is_sorted()
}

/// How deep the reduction that binds a label is nested; 0 for the loops around all.
fn depth(loops: &[Loop], value: &Expr<'_>, label: usize) -> usize {
    if loops.iter().any(|item| label_of(*item) == label) {
        return 0;
    }
    let below = value.children().into_iter().map(|child| depth(&[], child, label)).find(|depth| *depth > 0);
    match value {
        Expr::Reduce { labels, .. } if labels.contains(&label) => 1,
        Expr::Reduce { .. } => below.map_or(0, |depth| depth + 1),
        _ => below.unwrap_or(0),
    }
}

fn same_factor(left: &Loop, right: &Loop) -> bool {
    let factor = |item: &Loop| match item {
        Loop::Label(_) => None,
        Loop::Quotient(_, factor) | Loop::Remainder(_, factor) => Some(*factor),
    };
    factor(left) == factor(right)
}
