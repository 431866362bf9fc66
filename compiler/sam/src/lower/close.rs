//! Reductions are closed: their values go through reducers (sam.txt definition 3.7).

use super::build::Out;
use super::merge::Coordinates;
use super::node::{Node, Values};
use super::walk::{Scope, Streams, Walk};
use crate::graph::{Accumulate, EmptyFiber, Form, Kind, Reduce, Reduction};

/// What is reduced, as it is closed.
#[derive(Clone, Copy)]
pub(super) struct Closing<'o> {
    /// The variables that are left, its own first.
    pub(super) order: &'o [String],
    /// Whether it has something wherever coordinates have come together.
    pub(super) is_there: bool,
}

/// What a reduction is made of.
struct Reduced {
    /// The coordinates of its variable.
    over: Coordinates,
    /// Those inside of it.
    crds: Vec<Coordinates>,
    value: Values,
    reduction: Reduction,
}

impl Walk<'_> {
    /// Replaces a sum that is the whole value by its streams: what is empty is left out. The result are the
    /// coordinates of its variable, if they may be none.
    pub(super) fn sum(
        &mut self,
        sum: &mut Node,
        closing: Closing<'_>,
        is_inside: bool,
    ) -> Option<Coordinates> {
        let Reduced { over, crds, value, reduction } = self.reduced(sum, closing, is_inside);
        let (crds, out) = match crds.is_empty() {
            true => (Vec::new(), self.reduce(reduction, EmptyFiber::Removed, value, None)),
            false => self.accumulate(reduction, crds, value, EmptyFiber::Removed),
        };
        *sum = Node::reduced(crds, Values { out, ..value }, false);
        Some(over).filter(|over| over.may_be_empty || over.has_dense)
    }

    /// Replaces a sum among other operands by its streams, which go with the coordinates around. One that is
    /// the whole value of a scalar need not tell nothing from what fills the result.
    pub(super) fn operand(&mut self, sum: &mut Node, closing: Closing<'_>, is_whole: bool) {
        let around = self.around.last().map(|around| around.crd);
        let Reduced { over, crds, value, reduction } = self.reduced(sum, closing, false);
        let may_lack = [&over].into_iter().chain(&crds).any(|level| level.may_be_empty || level.has_dense);
        let (crds, out) = match (crds.is_empty(), around) {
            (false, _) => self.accumulate(reduction, crds, value, EmptyFiber::Absent),
            (true, Some(_)) => (Vec::new(), self.reduce(reduction, EmptyFiber::Absent, value, around)),
            (true, None) => {
                let is_filled = is_whole && self.is_dense() && reduction == self.statement.fill;
                let empty = if is_filled { EmptyFiber::Zero } else { EmptyFiber::Token };
                (Vec::new(), self.reduce(reduction, empty, value, None))
            }
        };
        *sum = Node::reduced(crds, Values { out, ..value }, may_lack);
    }

    /// What a reduction is made of.
    fn reduced(&mut self, sum: &mut Node, closing: Closing<'_>, is_inside: bool) -> Reduced {
        let (reduction, body) = sum.take_body();
        let scope = Scope::Sum { is_inside };
        let Streams { mut crds, value, element, .. } =
            self.streams(body, closing.order, scope, closing.is_there);
        let over = crds.remove(0);
        Reduced { over, crds, value: Values { out: value, element }, reduction }
    }

    /// Makes a value of the innermost fibers.
    fn reduce(&mut self, reduction: Reduction, empty: EmptyFiber, value: Values, around: Option<Out>) -> Out {
        let inputs: Vec<Out> = [value.out].into_iter().chain(around).collect();
        self.build
            .value(Kind::Reduce(Reduce { reduction, element: value.element, empty, inputs: 1 }), &inputs)
    }

    /// Makes values of points over the variable around these.
    fn accumulate(
        &mut self,
        reduction: Reduction,
        crds: Vec<Coordinates>,
        value: Values,
        empty: EmptyFiber,
    ) -> (Vec<(String, Out)>, Out) {
        let Values { out, element } = value;
        let indices: Vec<String> = crds.iter().rev().map(|level| level.var.clone()).collect();
        let inputs = crds.iter().rev().map(|level| Some(level.crd)).chain([Some(out)]);
        let inputs: Vec<Option<Out>> = inputs.collect();
        let form = Form::Levels;
        let order = indices.len();
        let accumulate =
            Accumulate { order, indices: indices.clone(), form, empty, reduction, element, inputs: 1 };
        let mut outputs = self.build.block(Kind::Accumulate(accumulate), &inputs);
        let value = outputs.pop().expect("a reducer has a value");
        (indices.into_iter().zip(outputs).rev().collect(), value)
    }
}
