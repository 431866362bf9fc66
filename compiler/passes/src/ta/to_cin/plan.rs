//! Cuts an assignment into pieces, one loop nest each, and orders their loops.
//!
//! A dense output is the sum of its additive terms, so a statement with a sparse operand is cut at the top: the dense terms that reduce nothing make one piece,
//! every other term one of its own, all but the first accumulating. Each nest then has at most one sparse operand, whose stored positions drive its loops.

use super::expr::{Access, Expr, Statement};
use comet_ir::{IrError, Result};
use comet_runtime::format::{LevelExpr, LevelKind};

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
}

/// The pieces of a statement, in the order in which they run.
pub(super) fn pieces<'c>(statement: &Statement<'c>) -> Result<'c, Vec<Piece<'c>>> {
    let mut terms = Vec::new();
    split(&statement.value, &mut terms);
    let (plain, others): (Vec<Expr<'c>>, Vec<Expr<'c>>) = terms.into_iter().partition(|term| !term.is_sparse() && !term.reduces());
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
    if let Some(access) = &sparse {
        check_concordant(statement, &loops, access)?;
    }
    Ok(Nest { loops, accumulate: !reduced.is_empty(), value })
}

/// The only sparse operand, where there is one.
fn sparse_access<'a, 'c>(statement: &Statement<'c>, value: &'a Expr<'c>) -> Result<'c, Option<&'a Access<'c>>> {
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
fn order(statement: &Statement<'_>, value: &Expr<'_>, reduced: &[usize], sparse: Option<&Access<'_>>) -> Vec<Loop> {
    let free = value.free_labels();
    let levels = sparse.map_or_else(Vec::new, level_loops);
    let mut loops: Vec<Loop> = levels.into_iter().take_while(|item| free.contains(&label_of(*item))).collect();
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

/// A nested reduction runs inside the loops of what is around it, so its labels must be the innermost levels of its operand.
fn check_concordant<'c>(statement: &Statement<'c>, loops: &[Loop], access: &Access<'c>) -> Result<'c, ()> {
    let levels = level_loops(access);
    let outer = levels.iter().take_while(|item| loops.contains(item)).count();
    let inner_is_bound = |item: &Loop| loops.iter().any(|other| label_of(*other) == label_of(*item));
    if !levels[outer..].iter().any(inner_is_bound) {
        return Ok(());
    }
    Err(IrError::not_supported(statement.location, "a sparse operand whose storage order conflicts with the loop order of a nested sum"))
}
