//! Loop orders: the levels of the sparse operands in storage order as far as they agree, the other labels
//! inside.

use super::expr::{Assignment, Expr, Operand};
use crate::sums::keeps_order;
use comet_format::LevelExpr;
use comet_ir::cin::Reduction;
use comet_notation::distinct;

/// What a loop runs over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Loop {
    Label(usize),
    /// The quotient of a label by the number: the outer half of a split.
    Quotient(usize, u64),
    Remainder(usize, u64),
}

impl Loop {
    /// The label that the loop has a part in.
    pub(super) fn label(self) -> usize {
        match self {
            Loop::Label(label) | Loop::Quotient(label, _) | Loop::Remainder(label, _) => label,
        }
    }

    /// What a label is divided by, where it is.
    fn factor(self) -> Option<u64> {
        match self {
            Loop::Label(_) => None,
            Loop::Quotient(_, factor) | Loop::Remainder(_, factor) => Some(factor),
        }
    }
}

/// What the levels of an operand and the loops disagree about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Conflict {
    Order,
    /// The levels cut a label into blocks, and the loops do not, or into others.
    Blocks,
    /// The loops cut a label into blocks, and the levels do not.
    NoBlocks,
}

impl Conflict {
    /// Why the operand has to be copied.
    pub(super) fn reason(self) -> &'static str {
        match self {
            Self::Order => "the order of its levels conflicts with that of the loops",
            Self::Blocks => "its levels cut indices into blocks that the loops do not have",
            Self::NoBlocks => "the loops cut indices into blocks, and its levels do not",
        }
    }
}

/// The storage orders that the loops of a nest follow: one list of levels for each operand that takes part.
#[derive(Clone, Default)]
pub(super) struct Constraints {
    chains: Vec<Vec<Loop>>,
    /// The labels that no format cuts.
    whole: Vec<usize>,
}

impl Constraints {
    /// One list of levels, which come first.
    pub(super) fn of(levels: &[Loop]) -> Self {
        Self { chains: vec![levels.to_vec()], whole: Vec::new() }
    }

    /// The same with loops over these labels that are not cut along the blocks of a format.
    pub(super) fn with_whole(self, labels: Vec<usize>) -> Self {
        Self { whole: labels, ..self }
    }

    /// The same with the loops over labels that are reduced together in the order of the labels, where the
    /// order of the values matters.
    pub(super) fn with_ordered_reductions(mut self, ordered: Vec<Vec<usize>>) -> Self {
        let chain = |labels: Vec<usize>| labels.into_iter().map(Loop::Label).collect();
        self.chains.extend(ordered.into_iter().map(chain));
        self
    }

    /// Takes the levels of an operand in, where they agree with those that are in already: no label is
    /// whole in one and split in another, no two levels come in opposite orders, and no reduction binds a
    /// level above one that is bound further out: `depth` returns how far in a label is bound. Otherwise says
    /// what they disagree about.
    pub(super) fn admit(
        &mut self,
        access: &Operand<'_>,
        depth: &dyn Fn(usize) -> usize,
    ) -> Result<(), Conflict> {
        let chain = levels(access);
        let depths: Vec<usize> = chain.iter().map(|item| depth(item.label())).collect();
        let others: Vec<Loop> = self.chains.iter().flatten().copied().chain(chain.iter().copied()).collect();
        let one_way = |item: &Loop| {
            others.iter().all(|other| other.label() != item.label() || other.factor() == item.factor())
        };
        let is_cut = |item: &Loop| item.factor().is_some() && self.whole.contains(&item.label());
        if !chain.iter().all(one_way) || chain.iter().any(is_cut) {
            let cuts = chain.iter().any(|item| item.factor().is_some());
            return Err(if cuts { Conflict::Blocks } else { Conflict::NoBlocks });
        }
        if !depths.is_sorted() {
            return Err(Conflict::Order);
        }
        self.chains.push(chain);
        if self.sorted(&|_| true).is_some() {
            return Ok(());
        }
        self.chains.pop();
        Err(Conflict::Order)
    }

    /// The loops over some labels: the levels of the operands, then the labels that are none's.
    pub(super) fn loops(&self, labels: &[usize]) -> Vec<Loop> {
        let wanted = |item: Loop| labels.contains(&item.label());
        let mut loops = self.sorted(&wanted).expect("chains that cannot be sorted are not admitted");
        for label in labels {
            if !loops.iter().any(|item| item.label() == *label) {
                loops.push(Loop::Label(*label));
            }
        }
        loops
    }

    /// The wanted levels so that every chain's order is kept, in the order of their first mention
    /// otherwise; `None` where chains contradict each other.
    fn sorted(&self, wanted: &dyn Fn(Loop) -> bool) -> Option<Vec<Loop>> {
        let mut waiting = distinct(self.chains.iter().flatten().copied().filter(|item| wanted(*item)));
        let mut sorted: Vec<Loop> = Vec::new();
        while !waiting.is_empty() {
            let ready = waiting
                .iter()
                .position(|item| self.predecessors(*item, wanted).all(|before| sorted.contains(&before)))?;
            sorted.push(waiting.remove(ready));
        }
        Some(sorted)
    }

    /// The wanted level right before `item` in each chain.
    fn predecessors<'a>(
        &'a self,
        item: Loop,
        wanted: &'a dyn Fn(Loop) -> bool,
    ) -> impl Iterator<Item = Loop> + 'a {
        self.chains.iter().filter_map(move |chain| {
            let position = chain.iter().position(|other| *other == item)?;
            chain[..position].iter().rev().copied().find(|before| wanted(*before))
        })
    }
}

/// One loop for each level of an operand that stores an index, once each.
pub(super) fn levels(access: &Operand<'_>) -> Vec<Loop> {
    let levels = access.format().levels.into_iter();
    distinct(levels.filter_map(|level| match level.expr {
        LevelExpr::Mode(mode) => Some(Loop::Label(access.labels[mode])),
        LevelExpr::Div(mode, factor) => Some(Loop::Quotient(access.labels[mode], factor)),
        LevelExpr::Mod(mode, factor) => Some(Loop::Remainder(access.labels[mode], factor)),
        LevelExpr::Slot => None,
    }))
}

/// How deep the reduction that binds a label is nested; 0 for the labels that the loops around all bind.
pub(super) fn depth(value: &Expr<'_>, label: usize) -> usize {
    let below = value.children().into_iter().map(|child| depth(child, label)).find(|depth| *depth > 0);
    match value {
        Expr::Reduce { labels, .. } if labels.contains(&label) => 1,
        Expr::Reduce { .. } => below.map_or(0, |depth| depth + 1),
        _ => below.unwrap_or(0),
    }
}

/// The labels of each reduction in a value, and of the one around it, whose values come in the order of their
/// coordinates.
pub(super) fn ordered_reductions(
    value: &Expr<'_>,
    reduced: &[usize],
    reduction: Reduction,
) -> Vec<Vec<usize>> {
    let own = Some(reduced.to_vec()).filter(|_| keeps_order(reduction));
    let chains = own.into_iter().chain(value.ordered_reductions());
    chains.filter(|labels| labels.len() > 1).collect()
}

/// The labels that the loops around a value bind: the target's, the reduced ones and its own, the most
/// contiguous last.
pub(super) fn outer_labels(statement: &Assignment<'_>, value: &Expr<'_>, reduced: &[usize]) -> Vec<usize> {
    let free = value.free_labels();
    let mut labels = distinct(statement.target.labels.iter().chain(reduced).chain(&free).copied());
    move_most_contiguous_last(statement, value, &mut labels);
    labels
}

/// Moves the label along which the most dense accesses are contiguous to the end; the target counts twice,
/// because stores cost more. Ties go to the later label. Labels of sparse operands come before all others
/// whatever their place here.
fn move_most_contiguous_last(statement: &Assignment<'_>, value: &Expr<'_>, labels: &mut Vec<usize>) {
    let accesses = value.accesses();
    let is_free =
        |label: usize| !accesses.iter().any(|access| access.is_sparse() && access.labels.contains(&label));
    let score = |label: usize| {
        let reads = accesses.iter().filter(|access| access.is_contiguous(label)).count();
        reads + 2 * usize::from(statement.target.is_contiguous(label))
    };
    let best = (0..labels.len())
        .filter(|position| is_free(labels[*position]))
        .max_by_key(|position| (score(labels[*position]), *position));
    if let Some(position) = best {
        let label = labels.remove(position);
        labels.push(label);
    }
}
