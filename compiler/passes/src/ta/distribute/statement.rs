//! What a statement uses, and how it can be divided.

use crate::nest;
use crate::sums::Sums;
use crate::ta::operand::Operand;
use comet_abi::distribution::{LabelBound, LabeledTensor, OuterReduction, StatementDescription};
use comet_ir::ta::{self, Ta};
use comet_ir::{Op, Result, Val, format, types};
use comet_notation::Operator;

/// What a statement uses.
pub(super) struct StatementUses<'c> {
    op: Op<'c>,
    /// The tensors, the one that is assigned last.
    pub(super) uses: Vec<TensorUse<'c>>,
    /// The range of each label. In a contraction, two labels may have one.
    pub(super) ranges: Vec<Val<'c>>,
    /// The operations of an expression.
    pub(super) tree: Vec<Op<'c>>,
}

/// Where a statement uses a tensor: an operand of an operation, with the label of each mode.
pub(super) struct TensorUse<'c> {
    pub(super) op: Op<'c>,
    pub(super) operand: usize,
    pub(super) labels: Vec<usize>,
}

/// What combines the values along labels.
struct Reduction {
    operator: Operator,
    labels: Vec<usize>,
}

/// The ways to name the coordinates of a label: the places of tensors, which do so together. None where every
/// coordinate matters.
type Alternatives = Vec<Vec<usize>>;

/// So many ways are worth a look.
const MOST_ALTERNATIVES: usize = 4;

impl<'c> TensorUse<'c> {
    pub(super) fn tensor(&self) -> Val<'c> {
        self.op.operands()[self.operand]
    }
}

impl<'c> StatementUses<'c> {
    pub(super) fn tensors(&self) -> Vec<Val<'c>> {
        self.uses.iter().map(TensorUse::tensor).collect()
    }

    /// The operations of the expression, in their order.
    pub(super) fn expression(&self) -> Vec<Op<'c>> {
        let ops = self.op.block().map_or(Vec::new(), |block| block.ops());
        ops.into_iter().filter(|other| self.tree.contains(other)).collect()
    }

    /// Of a contraction, whose labels have the ranges that its tensors are declared with; `None` where one is
    /// no variable.
    pub(super) fn of_contraction(op: ta::Tc<'c>) -> Result<'c, Option<Self>> {
        let (operands, count) = Operand::of_contraction(op)?;
        let mut ranges = vec![None; count];
        for Operand { tensor, labels } in &operands {
            let declared = ta::TensorDecl::defining(*tensor).map_or(Vec::new(), |decl| decl.labels());
            for (label, range) in labels.iter().zip(declared) {
                ranges[*label].get_or_insert(range);
            }
        }
        let of_operand =
            |(operand, Operand { labels, .. }): (usize, Operand<'c>)| TensorUse { op: *op, operand, labels };
        let uses = operands.into_iter().enumerate().map(of_operand).collect();
        let ranges: Option<Vec<Val<'c>>> = ranges.into_iter().collect();
        Ok(ranges.map(|ranges| Self { op: *op, uses, ranges, tree: Vec::new() }))
    }

    /// Of an assignment.
    pub(super) fn of_tree(set: ta::Set<'c>) -> Self {
        let mut found = Self { op: *set, uses: Vec::new(), ranges: Vec::new(), tree: Vec::new() };
        let mut values = vec![set.value()];
        while let Some(value) = values.pop() {
            let Some(op) = Op::defining(value).filter(|op| ta::is_expression(*op)) else { continue };
            if found.tree.contains(&op) {
                continue;
            }
            found.tree.push(op);
            match Ta::of(op) {
                Some(Ta::LabeledTensor(access)) => found.add_use(op, 0, &access.labels()),
                _ => values.extend(op.operands()),
            }
        }
        found.add_use(*set, 1, &set.labels());
        found
    }

    fn add_use(&mut self, op: Op<'c>, operand: usize, labels: &[Val<'c>]) {
        let labels = labels.iter().map(|label| {
            let known = self.label(*label);
            known.unwrap_or_else(|| {
                self.ranges.push(*label);
                self.ranges.len() - 1
            })
        });
        let labels = labels.collect();
        self.uses.push(TensorUse { op, operand, labels });
    }

    fn label(&self, range: Val<'c>) -> Option<usize> {
        self.ranges.iter().position(|other| *other == range)
    }

    /// The last place at which the tensor of a place has the same labels.
    pub(super) fn last_of(&self, place: usize) -> usize {
        let this = &self.uses[place];
        let is_same = |other: &TensorUse<'c>| other.tensor() == this.tensor() && other.labels == this.labels;
        self.uses.iter().rposition(is_same).unwrap_or(place)
    }

    /// Describes how the statement can be divided, along labels with so many coordinates.
    pub(super) fn describe(&self, sums: Sums, from: u64) -> StatementDescription {
        let labeled = |tensor_use: &TensorUse<'c>| LabeledTensor {
            name: nest::program_name(tensor_use.tensor()),
            labels: tensor_use.labels.clone(),
        };
        let tensors: Vec<LabeledTensor> = self.uses.iter().map(labeled).collect();
        let result = tensors.last().map_or(&[][..], |result| &result.labels);
        let (outer, inner) = (self.outer_reduction(), self.inner_reductions());
        let is_inner = |label: &usize| inner.iter().any(|reduction| reduction.labels.contains(label));
        let is_outer = |label: &usize| outer.iter().any(|reduction| reduction.labels.contains(label));
        let divides = result.iter().copied().filter(|label| !is_inner(label) && !is_outer(label)).collect();
        let reduction = outer.as_ref().filter(|outer| self.can_be_combined(outer.operator, sums));
        let reduction = reduction.map(|outer| OuterReduction {
            operator: outer.operator.name().to_owned(),
            labels: outer.labels.iter().copied().filter(|label| !is_inner(label)).collect(),
        });
        let bound = |label| {
            let mut alternatives = self.named_by(label);
            alternatives.truncate(MOST_ALTERNATIVES);
            (!alternatives.is_empty()).then_some(LabelBound { label, alternatives })
        };
        StatementDescription {
            tensors,
            names: self.names(),
            shortest: i64::try_from(from).unwrap_or(i64::MAX),
            divides,
            reduction,
            bounds: (0..self.ranges.len()).filter_map(bound).collect(),
            accumulates: self.accumulates(),
            chosen: None,
            replicated: self.placed("replicated"),
            rows: self.placed("rows"),
            pieces: None,
        }
    }

    /// The places of tensors that are declared to be on processes in a way.
    fn placed(&self, on: &str) -> Vec<usize> {
        let is_placed = |tensor_use: &TensorUse<'c>| {
            ta::TensorDecl::defining(tensor_use.tensor()).is_some_and(|decl| decl.on() == Some(on))
        };
        (0..self.uses.len()).filter(|place| is_placed(&self.uses[*place])).collect()
    }

    /// The labels that are divided however few coordinates they have: those of the outermost levels of
    /// tensors that are declared to be divided.
    pub(super) fn always_divided(&self) -> Vec<usize> {
        let outermost = |place: usize| {
            let tensor_use = &self.uses[place];
            let levels = format::of(tensor_use.tensor()).levels;
            Some(tensor_use.labels[levels.first()?.expr.mode()?])
        };
        self.placed("rows").into_iter().filter_map(outermost).collect()
    }

    /// The program's names of the labels.
    fn names(&self) -> Vec<String> {
        if let Some(names) = self.op.cast::<ta::Tc<'c>>().and_then(|contraction| contraction.labels()) {
            return names;
        }
        let name =
            |range: &Val<'c>| ta::IndexLabelStatic::defining(*range).map(|range| range.name().to_owned());
        self.ranges.iter().map(|range| name(range).unwrap_or_default()).collect()
    }

    fn accumulates(&self) -> bool {
        match Ta::of(self.op) {
            Some(Ta::Tc(contraction)) => contraction.beta() != 0.0,
            Some(Ta::Set(set)) => set.beta() != 0.0,
            _ => false,
        }
    }

    /// Whether the results of parts of a reduction can be combined with the same result: the order of what an
    /// operator of the file combines may matter, and that of sums of floating-point numbers does.
    fn can_be_combined(&self, operator: Operator, sums: Sums) -> bool {
        let element = types::element_of(self.uses[self.uses.len() - 1].tensor());
        let rounds = matches!(operator, Operator::Add | Operator::Mul) && types::is_inexact(element);
        let is_known = operator.identity().is_some() && !matches!(operator, Operator::Own(_) | Operator::Any);
        is_known && !(rounds && sums == Sums::Ordered) && (operator == Operator::Add || !self.accumulates())
    }

    /// The reduction that the statement ends with: one operation, or sums that are added up.
    fn outer_reduction(&self) -> Option<Reduction> {
        if self.op.is::<ta::Set>() {
            let outer = self.outer_operations().into_iter().filter_map(|op| self.reduction(op));
            return outer.reduce(|left, right| Reduction {
                labels: left.labels.into_iter().filter(|label| right.labels.contains(label)).collect(),
                ..right
            });
        }
        let result = &self.uses[self.uses.len() - 1].labels;
        let labels = (0..self.ranges.len()).filter(|label| !result.contains(label)).collect();
        Some(Reduction { operator: Operator::Add, labels })
    }

    /// The reductions inside of it, and labels that not all of the outer sums have.
    fn inner_reductions(&self) -> Vec<Reduction> {
        let outer = self.outer_operations();
        let common = self.outer_reduction().map_or(Vec::new(), |reduction| reduction.labels);
        let inner = self.tree.iter().filter_map(|op| {
            let mut reduction = self.reduction(*op)?;
            if outer.contains(op) {
                reduction.labels.retain(|label| !common.contains(label));
            }
            Some(reduction)
        });
        inner.collect()
    }

    /// The reductions after which there are only masks: one, or several whose sum the statement computes.
    fn outer_operations(&self) -> Vec<Op<'c>> {
        let outer = || {
            let mut op = Op::defining(self.op.cast::<ta::Set<'c>>()?.value())?;
            while let Some(Ta::Mask(mask)) = Ta::of(op) {
                op = Op::defining(mask.value())?;
            }
            if op.is::<ta::Reduce>() { Some(vec![op]) } else { sums_of(op) }
        };
        outer().unwrap_or_default()
    }

    fn reduction(&self, op: Op<'c>) -> Option<Reduction> {
        let reduce: ta::Reduce<'c> = op.cast()?;
        // The labels count, whatever the operator is.
        let operator = Operator::named(reduce.op()).unwrap_or(Operator::Any);
        let labels = reduce.labels().into_iter().filter_map(|range| self.label(range)).collect();
        Some(Reduction { operator, labels })
    }

    /// What names the coordinates of a label that matter. A label that is reduced is that of its reductions.
    fn named_by(&self, label: usize) -> Alternatives {
        let Some(set) = self.op.cast::<ta::Set<'c>>() else {
            let inputs = 0..self.uses.len() - 1;
            return inputs.filter_map(|place| self.named_by_tensor(place, label)).collect();
        };
        let reduces = |op: &Op<'c>| {
            let reduce: ta::Reduce<'c> = op.cast()?;
            let labels =
                reduce.labels().into_iter().filter_map(|range| self.label(range)).collect::<Vec<_>>();
            labels.contains(&label).then(|| self.named_by_value(reduce.value(), label))
        };
        let reduced = self.tree.iter().filter_map(reduces).reduce(|left, right| together(&left, &right));
        reduced.unwrap_or_else(|| self.named_by_value(set.value(), label))
    }

    fn named_by_value(&self, value: Val<'c>, label: usize) -> Alternatives {
        let Some(op) = Op::defining(value) else { return Vec::new() };
        let of = |value| self.named_by_value(value, label);
        match Ta::of(op) {
            Some(Ta::LabeledTensor(_)) => {
                let place = self.uses.iter().position(|tensor_use| tensor_use.op == op);
                place.and_then(|place| self.named_by_tensor(place, label)).into_iter().collect()
            }
            Some(Ta::Cast(cast)) => of(cast.value()),
            Some(Ta::Neg(neg)) => of(neg.value()),
            Some(Ta::Apply(apply)) => of(apply.value()),
            Some(Ta::Reduce(reduce)) => of(reduce.value()),
            Some(Ta::Drop(drop)) => of(drop.value()),
            Some(Ta::Mask(mask)) if mask.complement() => of(mask.value()),
            Some(Ta::Mask(mask)) => [of(mask.value()), of(mask.mask())].concat(),
            Some(Ta::Elementwise(both)) => [of(both.left()), of(both.right())].concat(),
            Some(Ta::Unite(either)) => together(&of(either.left()), &of(either.right())),
            _ => Vec::new(),
        }
    }

    /// A tensor names the coordinates of a label where it does not store all.
    fn named_by_tensor(&self, place: usize, label: usize) -> Option<Vec<usize>> {
        let tensor_use = &self.uses[place];
        let mode = tensor_use.labels.iter().position(|other| *other == label)?;
        let levels = format::of(tensor_use.tensor()).levels;
        let stores_all =
            levels.iter().filter(|level| level.expr.mode() == Some(mode)).all(|level| level.is_full());
        (!stores_all).then(|| vec![place])
    }
}

/// The sums whose sum a value is, each perhaps times a scalar. `None` where it is anything else.
fn sums_of(op: Op<'_>) -> Option<Vec<Op<'_>>> {
    let of = |value| sums_of(Op::defining(value)?);
    match Ta::of(op)? {
        Ta::Reduce(reduce) => (Operator::named(reduce.op()) == Some(Operator::Add)).then(|| vec![op]),
        Ta::Neg(neg) => of(neg.value()),
        Ta::Unite(both) if matches!(Operator::named(both.op())?, Operator::Add | Operator::Sub) => {
            Some([of(both.left())?, of(both.right())?].concat())
        }
        Ta::Elementwise(product) if Operator::named(product.op())? == Operator::Mul => {
            let is_scalar = |value| Op::defining(value).is_some_and(|op| op.is::<ta::Scalar>());
            match (is_scalar(product.left()), is_scalar(product.right())) {
                (true, _) => of(product.right()),
                (_, true) => of(product.left()),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The ways to name what both of two values have.
fn together(left: &Alternatives, right: &Alternatives) -> Alternatives {
    let with_right = |left: &Vec<usize>| {
        let left = left.clone();
        right.iter().map(move |right| [left.as_slice(), right].concat()).collect::<Vec<_>>()
    };
    left.iter().flat_map(with_right).take(MOST_ALTERNATIVES).collect()
}
