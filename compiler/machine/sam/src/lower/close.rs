//! Reductions are closed: their values go through reducers (sam.txt definition 3.7).

use super::Dialect;
use super::build::Out;
use super::merge::Coordinates;
use super::node::{Coverage, Leaf, ValueNode};
use super::walk::{Streams, VariableWalk, WalkScope};
use crate::graph::{Accumulate, BlockKind, CoordinateForm, Element, EmptyFiber, Reduce, Reduction};

#[derive(Clone, Copy)]
pub(super) struct Closing<'o> {
    pub(super) order: &'o [String],
    pub(super) coverage: Coverage,
    /// Whether it is the whole value of the statement, among no other operands.
    pub(super) is_whole: bool,
}

#[derive(Default)]
pub(super) struct Closed {
    pub(super) below: Option<Coordinates>,
    /// What the coordinates around have become, if its accumulator puts them out as well.
    pub(super) outer: Option<Out>,
}

pub(super) struct Reduced {
    pub(super) over: Coordinates,
    /// Those inside of it and its values; several, if those of the variable were dealt out.
    pub(super) copies: Vec<(Vec<Coordinates>, Out)>,
    pub(super) element: Element,
    pub(super) reduction: Reduction,
}

impl Reduced {
    pub(super) fn is_scalar(&self) -> bool {
        self.copies[0].0.is_empty()
    }
}

impl VariableWalk<'_> {
    /// Replaces a sum that is the whole value by its streams: what is empty is left out.
    pub(super) fn sum(
        &mut self,
        sum: &mut ValueNode,
        closing: Closing<'_>,
        (scope, is_inside): (WalkScope, bool),
    ) -> Closed {
        let reduced = self.reduced(sum, closing, WalkScope::Sum { is_inside });
        let dialect = self.choices.dialect;
        let mut closed = Closed::default();
        let (crds, out) = match (reduced.is_scalar(), dialect) {
            (true, Dialect::Comet) => (Vec::new(), self.reduce(&reduced, EmptyFiber::Removed, None)),
            (true, Dialect::Sam | Dialect::Comal) => (Vec::new(), self.reduce_to_zeros(&reduced)),
            (false, Dialect::Comet) => self.accumulate(&reduced, EmptyFiber::Removed),
            (false, Dialect::Comal) => self.accumulate(&reduced, EmptyFiber::Absent),
            (false, Dialect::Sam) => {
                let (crds, outer, out) = self.accumulate_points(&reduced, scope);
                closed.outer = outer;
                (crds, out)
            }
        };
        let may_lack = dialect == Dialect::Comal && !crds.is_empty();
        *sum = ValueNode::Access(Leaf { may_lack, ..Leaf::reduced(crds, reduced.element, out) });
        let tells_empty = !dialect.makes_zeros();
        closed.below = Some(reduced.over).filter(|over| tells_empty && (over.may_be_empty || over.has_dense));
        closed
    }

    /// Replaces a sum among other operands by its streams, which go with the coordinates around. One that is
    /// the whole value of a scalar need not distinguish nothing from what fills the result.
    pub(super) fn operand(&mut self, sum: &mut ValueNode, closing: Closing<'_>) {
        let around = self.around.last().map(|around| around.crd);
        let reduced = self.reduced(sum, closing, WalkScope::Sum { is_inside: false });
        if self.choices.dialect == Dialect::Sam && !reduced.is_scalar() {
            self.refuse("accumulators among other operands");
        }
        if self.choices.dialect.makes_zeros() && reduced.is_scalar() {
            let out = self.reduce_to_zeros(&reduced);
            *sum = ValueNode::Access(Leaf::reduced(Vec::new(), reduced.element, out));
            return;
        }
        let levels = [&reduced.over].into_iter().chain(&reduced.copies[0].0);
        let may_lack = levels.into_iter().any(|level| level.may_be_empty || level.has_dense);
        let (crds, out) = match (reduced.is_scalar(), around) {
            (false, _) => self.accumulate(&reduced, EmptyFiber::Absent),
            (true, Some(_)) => (Vec::new(), self.reduce(&reduced, EmptyFiber::Absent, around)),
            (true, None) => {
                let is_filled = closing.is_whole
                    && self.is_dense()
                    && !self.statement.keeps
                    && reduced.reduction == self.statement.fill;
                let empty = if is_filled { EmptyFiber::Zero } else { EmptyFiber::Token };
                (Vec::new(), self.reduce(&reduced, empty, None))
            }
        };
        *sum = ValueNode::Access(Leaf { may_lack, ..Leaf::reduced(crds, reduced.element, out) });
    }

    fn reduced(&mut self, sum: &mut ValueNode, closing: Closing<'_>, scope: WalkScope) -> Reduced {
        let (reduction, body) = sum.take_body();
        self.closing.push(reduction);
        let copies = self.copies(body, closing.order, scope, closing.coverage);
        self.closing.pop();
        let element = copies[0].value.element;
        let over = copies[0].crds[0].clone();
        let inside = |Streams { mut crds, value, .. }: Streams| (crds.split_off(1), value.out);
        Reduced { over, copies: copies.into_iter().map(inside).collect(), element, reduction }
    }

    pub(super) fn reduce(&mut self, reduced: &Reduced, empty: EmptyFiber, around: Option<Out>) -> Out {
        let values: Vec<Out> = reduced.copies.iter().map(|(_, value)| *value).chain(around).collect();
        let (reduction, element, inputs) = (reduced.reduction, reduced.element, reduced.copies.len());
        self.build.value(BlockKind::Reduce(Reduce { reduction, element, empty, inputs }), &values)
    }

    /// Makes values of points over the variable around these.
    fn accumulate(&mut self, reduced: &Reduced, empty: EmptyFiber) -> (Vec<(String, Out)>, Out) {
        let indices: Vec<String> = reduced.copies[0].0.iter().rev().map(|level| level.var.clone()).collect();
        let streams = |(crds, value): &(Vec<Coordinates>, Out)| -> Vec<Option<Out>> {
            crds.iter().rev().map(|level| level.crd).chain([*value]).map(Some).collect()
        };
        let streams: Vec<Option<Out>> = reduced.copies.iter().flat_map(streams).collect();
        let accumulate = Accumulate {
            order: indices.len(),
            indices: indices.clone(),
            form: CoordinateForm::Levels,
            empty,
            reduction: reduced.reduction,
            element: reduced.element,
            inputs: reduced.copies.len(),
        };
        let mut outputs = self.build.block(BlockKind::Accumulate(accumulate), &streams);
        let value = outputs.pop().expect("a reducer has a value");
        (indices.into_iter().zip(outputs).rev().collect(), value)
    }
}
