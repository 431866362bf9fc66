//! Cuts an assignment into pieces, one loop nest each, and orders their loops.
//!
//! A dense output is the sum of its additive terms, so a statement with a sparse operand is cut at the top:
//! the dense terms that reduce nothing make one piece, every other term one of its own, all but the first
//! accumulating. For sparse outputs see `sparse.rs`.

use super::expr::{Assignment, Expr, Operand, Terms};
use super::order::{self, Conflict, Constraints, Loop};
use super::scheduled::{self, Needs, Planned};
use super::sparse;
use comet_format::{Format, Level, LevelExpr, LevelKind};
use comet_ir::Result;
use comet_ir::cin::Reduction;
use comet_notation::distinct;

pub(super) enum Piece<'c> {
    /// `target = ` what a reduction starts from: 0 in front of a nest that does not assign every element.
    Clear(Reduction),
    /// `target = value` or `target += value`.
    Compute(Compute<'c>),
}

impl Piece<'_> {
    /// Whether the schedule puts the loops of sums outside of others.
    pub(super) fn takes_sums_out(&self) -> bool {
        matches!(self, Piece::Compute(compute) if compute.nests.iter().any(|nest| nest.takes_sums_out))
    }
}

/// Loops around one nest or several.
pub(super) struct Compute<'c> {
    /// The loops around all, outermost first.
    pub(super) outer: Vec<Loop>,
    pub(super) nests: Vec<Nest<'c>>,
}

/// Loops around one assignment.
#[derive(Clone)]
pub(super) struct Nest<'c> {
    /// Outermost first.
    pub(super) loops: Vec<Loop>,
    /// Without the reduction that the loops and the accumulation stand for.
    pub(super) value: Expr<'c>,
    /// How values that come to one element combine.
    pub(super) reduction: Reduction,
    /// The storage orders that the loops follow.
    pub(super) constraints: Constraints,
    /// Operands that are copied into another format first.
    pub(super) conversions: Vec<Conversion<'c>>,
    /// Whether the schedule puts the loops of sums outside of others, so that these go into workspaces.
    pub(super) takes_sums_out: bool,
}

impl Nest<'_> {
    /// Whether values come to the target in any order, and several to one element.
    pub(super) fn collects(&self) -> bool {
        self.reduction != Reduction::Set
    }
}

/// A copy of an operand in a format whose levels are in the order of the loops.
#[derive(Clone)]
pub(super) struct Conversion<'c> {
    pub(super) access: Operand<'c>,
    pub(super) format: Format,
    pub(super) conflict: Conflict,
}

/// An operand whose levels do not agree with those of others, or with the loops.
pub(super) struct Discordant<'c> {
    pub(super) access: Operand<'c>,
    pub(super) conflict: Conflict,
}

/// What a term is to its target.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum TermRole {
    /// All that it gets.
    Only,
    /// Something that is added to the old values or to other terms.
    Summand,
}

impl TermRole {
    pub(super) fn of<T>(terms: &[T]) -> Self {
        if terms.len() == 1 { Self::Only } else { Self::Summand }
    }
}

/// The pieces of a statement, in the order in which they run.
pub(super) fn pieces<'c>(statement: &Assignment<'c>) -> Result<'c, Vec<Piece<'c>>> {
    let is_sparse = statement.target.is_sparse();
    let terms = match statement.terms {
        Terms::Whole if is_sparse => return Ok(vec![Piece::Compute(sparse::whole(statement)?)]),
        Terms::Whole => vec![statement.value.clone()],
        Terms::Split if is_sparse => return Ok(vec![Piece::Compute(sparse::compute(statement)?)]),
        Terms::Split => terms(&statement.value),
    };
    let role = if statement.overwrite { TermRole::of(&terms) } else { TermRole::Summand };
    let (plain, others): (Vec<Expr<'c>>, Vec<Expr<'c>>) =
        terms.into_iter().partition(|term| !term.is_sparse() && !term.reduces());
    let sum = plain.into_iter().reduce(|left, right| Expr::Add(Box::new(left), Box::new(right)));
    let mut pieces = Vec::new();
    let mut is_first = statement.overwrite;
    for term in sum.into_iter().chain(others) {
        let converted = converted_reduction(&term).filter(|_| role == TermRole::Only);
        let nest = nest(statement, term, role)?;
        let reduction = match nest.reduction {
            Reduction::Set if !is_first || may_find_nothing(&nest, role) => Reduction::Add,
            other => other,
        };
        if is_first && (reduction != Reduction::Set || leaves_elements(&nest, statement)) {
            pieces.push(Piece::Clear(converted.unwrap_or(reduction)));
        }
        let nests = vec![Nest { reduction, ..nest }];
        pieces.push(Piece::Compute(Compute { outer: Vec::new(), nests }));
        is_first = false;
    }
    Ok(pieces)
}

/// The additive terms: a value cut at `+`, `-` and unary minus.
pub(super) fn terms<'c>(value: &Expr<'c>) -> Vec<Expr<'c>> {
    let mut terms = Vec::new();
    split(value, &mut terms);
    terms
}

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

/// Whether a reduction inside of a term beside others may find nothing: it is no summand then, so that its
/// identity must not be stored.
fn may_find_nothing(nest: &Nest<'_>, role: TermRole) -> bool {
    role == TermRole::Summand && nest.value.reduces()
}

/// Whether some elements of the target are not assigned by a nest that reduces nothing.
fn leaves_elements(nest: &Nest<'_>, statement: &Assignment<'_>) -> bool {
    let is_partial = nest.value.is_sparse() && !nest.value.is_everywhere();
    is_partial || !repeats_no_label(&statement.target)
}

pub(super) fn repeats_no_label(access: &Operand<'_>) -> bool {
    access.labels.iter().enumerate().all(|(mode, label)| !access.labels[..mode].contains(label))
}

/// The nest of a term. A sum at its top becomes accumulation in the target, and so does another reduction
/// where it is the only term and the old values go; others are nested. Operands whose storage order does
/// not agree with the others' are copied first.
pub(super) fn nest<'c>(statement: &Assignment<'c>, term: Expr<'c>, role: TermRole) -> Result<'c, Nest<'c>> {
    let (value, reduced, reduction) = open(term, role);
    let depth = |label: usize| order::depth(&value, label);
    let ordered = order::ordered_reductions(&value, &reduced, reduction);
    let whole = Constraints::default().with_whole(statement.uncut_labels());
    let whole = whole.with_ordered_reductions(ordered);
    let (constraints, discordant) = admitted(value.accesses(), whole, &depth);
    let loops = constraints.loops(&order::outer_labels(statement, &value, &reduced));
    let planned = Planned { loops: &loops, value: &value, constraints: &constraints, discordant };
    let Needs { conversions, takes_sums_out } = scheduled::needs(statement, planned);
    Ok(Nest { loops, value, reduction, constraints, conversions, takes_sums_out })
}

/// The value of a term, the labels that the loops around it reduce, and how what they find combines.
pub(super) fn open<'c>(term: Expr<'c>, role: TermRole) -> (Expr<'c>, Vec<usize>, Reduction) {
    match term {
        Expr::Reduce { op, labels, body } if op == Reduction::Add || role == TermRole::Only => {
            (*body, labels, op)
        }
        other => {
            let converted = converted_reduction(&other).filter(|_| role == TermRole::Only);
            let reduction = match converted {
                // It is not of the target's type, and one value comes to each element.
                Some(Reduction::Own(_)) => Reduction::Any,
                other => other.unwrap_or(Reduction::Set),
            };
            (other, Vec::new(), reduction)
        }
    }
}

/// Takes the sparse ones of some operands in; returns those that do not agree with what is in already.
pub(super) fn admitted<'c>(
    accesses: Vec<&Operand<'c>>,
    mut constraints: Constraints,
    depth: &dyn Fn(usize) -> usize,
) -> (Constraints, Vec<Discordant<'c>>) {
    let mut discordant = Vec::new();
    for access in sparse_accesses(accesses) {
        if let Err(conflict) = constraints.admit(&access, depth) {
            discordant.push(Discordant { access, conflict });
        }
    }
    (constraints, discordant)
}

/// The operator of a reduction whose value is converted to the target's type: where nothing is reached, the
/// target holds what that starts from.
fn converted_reduction(term: &Expr<'_>) -> Option<Reduction> {
    match term {
        Expr::Cast(value, _) => match &**value {
            Expr::Reduce { op, .. } if *op != Reduction::Add => Some(*op),
            inner => converted_reduction(inner),
        },
        _ => None,
    }
}

/// The labels in the order in which they are bound: by the loops, then by the nested reductions from the
/// outside in.
pub(super) fn binding_order(loops: &[Loop], value: &Expr<'_>, constraints: &Constraints) -> Vec<usize> {
    let nested = value.reductions().into_iter().flat_map(|labels| constraints.loops(labels));
    loops.iter().copied().chain(nested).map(Loop::label).collect()
}

/// Levels in the order in which the labels are bound; a split label is known when both halves are. All are
/// compressed but for the first, which stays dense where that of the operand is: another one must be below
/// it, or coordinates would be stored that the operand does not store.
pub(super) fn conversion<'c>(binding: &[usize], discordant: Discordant<'c>) -> Conversion<'c> {
    let Discordant { access, conflict } = discordant;
    let mut modes: Vec<usize> = (0..access.labels.len()).collect();
    modes.sort_by_key(|mode| binding.iter().rposition(|label| *label == access.labels[*mode]));
    let level = |mode| Level { expr: LevelExpr::Mode(mode), kind: LevelKind::CompressedUnique };
    let mut levels: Vec<Level> = modes.into_iter().map(level).collect();
    if let ([first, _, ..], [own, ..]) = (levels.as_mut_slice(), access.format().levels.as_slice())
        && own.kind.is_full()
    {
        first.kind = LevelKind::Dense;
    }
    let format = Format { rank: access.labels.len(), levels, index_width: access.format().index_width };
    Conversion { access, format, conflict }
}

/// The sparse operands, each once.
fn sparse_accesses<'c>(accesses: Vec<&Operand<'c>>) -> Vec<Operand<'c>> {
    distinct(accesses.into_iter().filter(|access| access.is_sparse()).cloned())
}
