//! A statement of `ta` as `ta-compact` reads it: its operands, and what padding does where they stand.

use super::{Operands, bound};
use crate::schedule::commands_before;
use comet_format::LevelExpr;
use comet_ir::cin::{Operator, Reduction};
use comet_ir::indexing::IndexingMaps;
use comet_ir::ta::{self, Ta};
use comet_ir::{Op, Result, Val, format};
use comet_notation::Function;

/// An operand of an operation that reads a tensor under labels.
#[derive(Clone)]
pub(super) struct ReadOperand<'c> {
    /// The operation that reads it, and the number of its operand there.
    pub(super) op: Op<'c>,
    pub(super) operand: usize,
    labels: Vec<OperandLabel<'c>>,
    presence: Presence,
    /// What it is multiplied by: tensors of a contraction, or expressions.
    pub(super) factors: Vec<Val<'c>>,
}

/// A label of a tree, or a dimension of a contraction.
#[derive(Clone, Copy, PartialEq)]
enum OperandLabel<'c> {
    Range(Val<'c>),
    Dimension(usize),
}

/// What presence means where an operand stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Presence {
    /// A zero is no different from nothing in a dense result.
    Linear,
    /// A zero is a value like others.
    Matters,
    /// The values themselves decide what is present.
    Mask,
}

impl<'c> ReadOperand<'c> {
    pub(super) fn tensor(&self) -> Val<'c> {
        self.op.operands()[self.operand]
    }

    pub(super) fn pads(&self) -> bool {
        format::of(self.tensor()).pads()
    }

    fn is_ordered(&self) -> bool {
        format::of(self.tensor()).is_ordered()
    }

    fn is_compact(&self) -> bool {
        format::of(self.tensor()).is_compact()
    }
}

pub(super) struct PaddedStatement<'c> {
    pub(super) op: Op<'c>,
    pub(super) target: ReadOperand<'c>,
    operands: Vec<ReadOperand<'c>>,
    /// Whether it has a schedule.
    is_scheduled: bool,
    tree: Vec<Op<'c>>,
}

impl<'c> PaddedStatement<'c> {
    pub(super) fn of(op: Op<'c>) -> Result<'c, Self> {
        match Ta::of(op) {
            Some(Ta::Tc(contraction)) => Self::of_contraction(contraction),
            Some(Ta::Set(set)) => Self::of_tree(set),
            _ => unreachable!("`{}` is no assignment", op.name()),
        }
    }

    fn of_contraction(op: ta::Tc<'c>) -> Result<'c, Self> {
        let maps = IndexingMaps::of_attribute(op.indexing_maps())?.operands.into_iter().enumerate();
        let (inputs, op) = (op.inputs(), *op);
        let access = |(operand, labels): (usize, Vec<usize>)| {
            let labels = labels.into_iter().map(OperandLabel::Dimension).collect();
            let others = inputs.iter().enumerate().filter(|(other, _)| *other != operand);
            let factors = others.map(|(_, tensor)| *tensor).collect();
            ReadOperand { op, operand, labels, presence: Presence::Linear, factors }
        };
        let mut operands: Vec<ReadOperand<'c>> = maps.map(access).collect();
        let target = operands.pop().expect("the verifier demands an output");
        Ok(Self { op, target, operands, is_scheduled: !commands_before(op)?.is_empty(), tree: Vec::new() })
    }

    fn of_tree(set: ta::Set<'c>) -> Result<'c, Self> {
        let (op, labels) = (*set, set.labels().into_iter().map(OperandLabel::Range).collect());
        let target = ReadOperand { op, operand: 1, labels, presence: Presence::Linear, factors: Vec::new() };
        let is_scheduled = !commands_before(op)?.is_empty();
        let mut statement = Self { op, target, operands: Vec::new(), is_scheduled, tree: Vec::new() };
        statement.visit(set.value(), Presence::Linear, &[]);
        Ok(statement)
    }

    fn visit(&mut self, value: Val<'c>, presence: Presence, factors: &[Val<'c>]) {
        let Some(op) = Op::defining(value) else { return };
        self.tree.push(op);
        let below = if is_linear(op) { presence } else { presence.max_with(Presence::Matters) };
        match Ta::of(op) {
            Some(Ta::LabeledTensor(access)) => {
                let labels = access.labels().into_iter().map(OperandLabel::Range).collect();
                self.operands.push(ReadOperand {
                    op,
                    operand: 0,
                    labels,
                    presence,
                    factors: factors.to_vec(),
                });
            }
            Some(Ta::Scalar(_)) => {}
            Some(Ta::Mask(mask)) => {
                self.visit(mask.value(), presence, factors);
                self.visit(mask.mask(), Presence::Mask, &[]);
            }
            Some(Ta::Elementwise(product)) => {
                let (left, right) = (product.left(), product.right());
                self.visit(left, below, &[factors, &[right]].concat());
                self.visit(right, below, &[factors, &[left]].concat());
            }
            Some(Ta::Reduce(reduce)) => self.visit(reduce.value(), below, factors),
            _ => op.operands().into_iter().for_each(|child| self.visit(child, below, factors)),
        }
    }

    /// The operands that are copied in any case.
    pub(super) fn copied(&self, operands: Operands) -> Vec<&ReadOperand<'c>> {
        if operands == Operands::All {
            return self.operands.iter().filter(|access| !access.is_compact()).collect();
        }
        let is_dense = format::of(self.target.tensor()).is_dense();
        let is_plain_sum = |access: &ReadOperand<'c>| is_dense && access.presence == Presence::Linear;
        let may_spoil = |access: &ReadOperand<'c>| {
            let mut factors = access.factors.iter();
            factors.any(|factor| bound::may_be_infinite(*factor) && !bound::exists(*factor))
        };
        // Schedules may want loops in an order that only levels in order have.
        let needs_order = |access: &ReadOperand<'c>| !is_plain_sum(access) || self.is_scheduled;
        let is_copied = |access: &&ReadOperand<'c>| {
            (access.pads() && (!is_plain_sum(access) || may_spoil(access)))
                || (!access.is_ordered() && needs_order(access))
        };
        self.operands.iter().filter(is_copied).collect()
    }

    /// The operands whose padding makes no difference as long as their factors are finite.
    pub(super) fn copied_unless_finite(&self, operands: Operands) -> Vec<&ReadOperand<'c>> {
        let copied = self.copied(operands);
        let is_copied = |access: &ReadOperand<'c>| {
            copied.iter().any(|other| (other.op, other.operand) == (access.op, access.operand))
        };
        let is_guarded = |access: &&ReadOperand<'c>| {
            access.pads()
                && !is_copied(access)
                && access.factors.iter().any(|factor| bound::may_be_infinite(*factor))
        };
        self.operands.iter().filter(is_guarded).collect()
    }

    /// Whether the target is computed in its compact format: if back ends write no other, and where its
    /// blocks may get padding. They get none along labels that only dense operands have: what is present does
    /// not depend on these.
    pub(super) fn is_computed_in_copy(&self, operands: Operands) -> bool {
        if operands == Operands::All && !format::of(self.target.tensor()).is_plain() {
            return true;
        }
        if !self.target.pads() {
            return false;
        }
        let labels = &self.target.labels;
        let repeats = labels.iter().enumerate().any(|(mode, label)| labels[..mode].contains(label));
        let decides = |access: &ReadOperand<'c>| {
            access.presence == Presence::Mask || !format::of(access.tensor()).is_dense()
        };
        let deciding: Vec<&ReadOperand<'c>> = self.operands.iter().filter(|access| decides(access)).collect();
        let format = format::of(self.target.tensor());
        let has_every = |level: usize| match format.levels[level].expr {
            LevelExpr::Mode(mode) => !deciding.iter().any(|access| access.labels.contains(&labels[mode])),
            _ => false,
        };
        repeats || !format.padded_levels().all(has_every)
    }

    /// Its operations in the order of the block: expression, commands of its schedule, assignment.
    pub(super) fn ops(&self) -> Result<'c, Vec<Op<'c>>> {
        let commands = commands_before(self.op)?;
        let mut own: Vec<Op<'c>> =
            commands.iter().map(|command| *command.op).chain(self.tree.iter().copied()).collect();
        own.push(self.op);
        let ops = self.op.block().map_or(Vec::new(), |block| block.ops());
        Ok(ops.into_iter().filter(|op| own.contains(op)).collect())
    }
}

impl Presence {
    fn max_with(self, other: Self) -> Self {
        if self == Self::Linear { other } else { self }
    }
}

/// Whether a zero below an operation comes to nothing in a sum.
fn is_linear(op: Op<'_>) -> bool {
    match Ta::of(op) {
        Some(Ta::Elementwise(op)) => op.op().parse() == Ok(Operator::Mul),
        Some(Ta::Reduce(op)) => op.op().parse() == Ok(Reduction::Add),
        Some(Ta::Apply(op)) => Function::named(op.function()).is_some_and(Function::keeps_zero),
        _ => true,
    }
}
