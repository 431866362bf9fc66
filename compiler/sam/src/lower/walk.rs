//! The walk over the variables.

use super::build::{Build, Out};
use super::merge::Coordinates;
use super::names::Names;
use super::node::{Leaf, Node, Rest, Values};
use super::statement::Statement;
use crate::graph::{
    Accumulate, Alu, Apply, Dropped, Element, EmptyFiber, Form, Kept, Kind, Level, Mask, Reduce, Reduction,
};

/// The streams of a value.
#[derive(Debug)]
pub(super) struct Streams {
    /// The coordinates that come with the value, the outermost first. Behind a reduction they are the
    /// reducer's.
    pub(super) crds: Vec<Coordinates>,
    pub(super) value: Out,
    pub(super) element: Element,
    /// For each of the coordinates whether its level can be written dense, as was asked for.
    pub(super) are_dense: Vec<bool>,
}

/// What the variables that are walked are inside of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scope {
    /// The statement.
    Statement,
    /// A sum, whose variable is the first. `is_inside`: coordinates outside of it are used.
    Sum { is_inside: bool },
}

impl Scope {
    /// Whether coordinates outside of a sum are used that is inside of these.
    fn is_inside(self, crds: &[Coordinates]) -> bool {
        match self {
            Self::Statement => !crds.is_empty(),
            Self::Sum { is_inside } => is_inside || crds.len() > 1,
        }
    }
}

/// What is reduced, as it is closed.
#[derive(Clone, Copy)]
struct Closing<'o> {
    /// The variables that are left, its own first.
    order: &'o [String],
    /// Whether it has something wherever coordinates have come together.
    is_there: bool,
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

/// What has been made, and for which statement.
pub(super) struct Walk<'s> {
    pub(super) build: Build,
    pub(super) statement: &'s Statement,
    pub(super) names: &'s mut Names,
    /// The coordinates that have come together so far, as they did: those of the statement, then those of the
    /// sums that are walked.
    pub(super) around: Vec<Coordinates>,
}

impl<'s> Walk<'s> {
    pub(super) fn new(statement: &'s Statement, names: &'s mut Names) -> Self {
        Self { build: Build::default(), statement, names, around: Vec::new() }
    }

    pub(super) fn statement(&mut self) -> Streams {
        let node = Node::new(self.statement, &self.statement.value);
        self.streams(node, &self.statement.order, Scope::Statement, true)
    }

    /// Walks the variables that are left. `is_exact`: the coordinates around are those of the pattern.
    fn streams(&mut self, mut node: Node, order: &[String], scope: Scope, mut is_exact: bool) -> Streams {
        let depth = self.around.len();
        let (mut crds, mut below, mut outside) = (Vec::<Coordinates>::new(), None, None);
        for (place, var) in order.iter().enumerate() {
            let is_own = scope != Scope::Statement && place == 0;
            if !is_own && !self.is_needed(&node, var, scope) {
                continue;
            }
            let sums = node.sums_mut(var, is_exact);
            if sums.is_empty() {
                crds.push(self.merge(&mut node, var, &mut is_exact));
                continue;
            }
            let order = &order[place..];
            if node.is_sum_over(var) && !self.keeps_pace(&node, order, scope, &crds) {
                let is_there = node.is_there(is_exact);
                outside = Some(crds.len());
                below = self.sum(&mut node, Closing { order, is_there }, scope.is_inside(&crds));
                is_exact = true;
            } else {
                let is_whole = scope == Scope::Statement && node.is_sum_over(var);
                for (sum, is_there) in node.sums_mut(var, is_exact) {
                    self.operand(sum, Closing { order, is_there }, is_whole);
                }
            }
        }
        self.around.truncate(depth);
        self.clean(node, crds, scope, Behind { below, outside, is_exact })
    }

    /// Whether a variable that has come is one of what is walked, or of the result.
    fn is_needed(&self, node: &Node, var: &str, scope: Scope) -> bool {
        let is_result = || self.statement.result.indices.iter().any(|index| index == var);
        node.uses(var) || scope == Scope::Statement && is_result()
    }

    /// Whether a sum that is the whole value gives something for each of the coordinates around, as other
    /// operands need it: these may not be dropped, or other variables are still to come.
    fn keeps_pace(&self, node: &Node, order: &[String], scope: Scope, crds: &[Coordinates]) -> bool {
        if scope != Scope::Statement {
            return false;
        }
        let is_lacking = |var: &String| self.is_needed(node, var, scope) && !node.uses(var);
        let kept = self.dense_ones(crds);
        self.is_dense() || kept > 0 && kept == crds.len() || order.iter().any(is_lacking)
    }

    /// Whether all levels of the result are to be dense, so that a scalar is one.
    pub(super) fn is_dense(&self) -> bool {
        let format = &self.statement.tensors[self.statement.result.tensor];
        format.levels.iter().all(|level| *level == Level::Dense)
    }

    /// Whether the level of a variable is to be dense, and can be: of one that the result repeats no more than
    /// one coordinate is there.
    fn is_asked_dense(&self, var: &str) -> bool {
        let result = &self.statement.result;
        let format = &self.statement.tensors[result.tensor];
        let mut levels =
            format.order.iter().zip(&format.levels).filter(|(mode, _)| result.indices[**mode] == var);
        levels.next().is_some_and(|(_, level)| *level == Level::Dense) && levels.next().is_none()
    }

    /// How many of the outermost coordinates are all there are and are to be written to dense levels, so that
    /// none is dropped.
    fn dense_ones(&self, crds: &[Coordinates]) -> usize {
        let is_dense = |crd: &&Coordinates| crd.is_full && !crd.may_be_empty && self.is_asked_dense(&crd.var);
        crds.iter().take_while(is_dense).count()
    }

    /// Leaves out coordinates under which there is nothing, unless values are scattered.
    fn clean(&mut self, node: Node, mut crds: Vec<Coordinates>, scope: Scope, behind: Behind) -> Streams {
        let is_there = node.is_there(behind.is_exact);
        let mut value = self.value(node, behind.is_exact);
        let outermost = if scope == Scope::Statement { self.dense_ones(&crds) } else { 0 };
        let mut are_dense: Vec<bool> = (0..crds.len()).map(|level| level < outermost).collect();
        if scope == Scope::Statement && self.is_dense() {
            return Streams { crds, value: value.out, element: value.element, are_dense };
        }
        // Behind a reduction nothing is empty.
        let outside = behind.outside.unwrap_or(crds.len());
        if let Some(innermost) = crds[..outside].last_mut()
            && !is_there
        {
            innermost.may_be_empty = true;
            // A reducer has no need for coordinates.
            if outside > 1 || scope != (Scope::Sum { is_inside: false }) {
                self.drop_absent(innermost, &mut value);
            }
        }
        if scope == Scope::Statement && outside == crds.len() && is_there && behind.below.is_none() {
            self.find_dense(&crds, &mut are_dense);
        }
        self.drop_empty(&mut crds[..outside], outermost, behind.below, scope);
        Streams { crds, value: value.out, element: value.element, are_dense }
    }

    /// Innermost coordinates that are all there are, unless there are none, have levels that are filled.
    fn find_dense(&self, crds: &[Coordinates], are_dense: &mut [bool]) {
        for level in (0..crds.len()).rev() {
            let crd = &crds[level];
            let is_outermost = level == 0 || are_dense[level - 1];
            if !crd.is_full || !self.is_asked_dense(&crd.var) || crd.may_be_empty && is_outermost {
                return;
            }
            are_dense[level] = true;
            if crd.may_be_empty {
                return;
            }
        }
    }

    /// Coordinates that have come together without a value go.
    fn drop_absent(&mut self, innermost: &mut Coordinates, value: &mut Values) {
        let (outer, inner) = (innermost.var.clone(), "value".to_owned());
        let kind = Kind::Drop { outer, inner, what: Dropped::Absent };
        let left = self.build.block(kind, &[Some(innermost.crd), Some(value.out)]);
        innermost.crd = left[0];
        value.out = left[1];
    }

    /// From the innermost coordinates whose fibers may be empty outwards to those that are kept, all lose
    /// those under which nothing is left (sam.txt definition 3.9). Those of a sum's variable are of use only
    /// to what is outside of it.
    fn drop_empty(
        &mut self,
        crds: &mut [Coordinates],
        kept: usize,
        mut below: Option<Coordinates>,
        scope: Scope,
    ) {
        // Nothing is reduced to nothing, and extents may be 0.
        let is_reduced = scope != Scope::Statement;
        for outer in (kept..crds.len()).rev() {
            let is_used = outer > 0 || scope != (Scope::Sum { is_inside: false });
            if let Some(inner) = below.take() {
                crds[outer].may_be_empty = true;
                if is_used {
                    let kind = Kind::Drop {
                        outer: crds[outer].var.clone(),
                        inner: inner.var,
                        what: Dropped::EmptyFibers,
                    };
                    let cleaned = self.build.block(kind, &[Some(crds[outer].crd), Some(inner.crd)]);
                    crds[outer].crd = cleaned[0];
                    if let Some(inner) = crds.get_mut(outer + 1) {
                        inner.crd = cleaned[1];
                    }
                }
            }
            below = Some(&crds[outer]).filter(|crd| crd.may_be_empty || is_reduced && crd.has_dense).cloned();
        }
    }

    /// Replaces a sum that is the whole value by its streams: what is empty is left out. The result are the
    /// coordinates of its variable, if they may be none.
    fn sum(&mut self, sum: &mut Node, closing: Closing<'_>, is_inside: bool) -> Option<Coordinates> {
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
    fn operand(&mut self, sum: &mut Node, closing: Closing<'_>, is_whole: bool) {
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
        self.build.value(Kind::Reduce(Reduce { reduction, element: value.element, empty }), &inputs)
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
        let accumulate = Accumulate { order, indices: indices.clone(), form, empty, reduction, element };
        let mut outputs = self.build.block(Kind::Accumulate(accumulate), &inputs);
        let value = outputs.pop().expect("a reducer has a value");
        (indices.into_iter().zip(outputs).rev().collect(), value)
    }

    /// The values, when all variables have come.
    fn value(&mut self, node: Node, is_there: bool) -> Values {
        match node {
            Node::Leaf(leaf) => self.leaf_value(leaf),
            Node::Apply(function, value) => {
                let Values { out, element } = self.value(*value, is_there);
                let out = self.build.value(Kind::Apply(Apply { function, element }), &[out]);
                Values { out, element: function.result(element) }
            }
            Node::Combine(how, operator, a, b) => {
                let is_there = is_there && how == crate::graph::How::Intersect;
                let (a, b) = (self.value(*a, is_there), self.value(*b, is_there));
                let element = a.element;
                let out = self.build.value(Kind::Alu(Alu { operator, element, how }), &[a.out, b.out]);
                Values { out, element }
            }
            Node::Mask(kept, value, mask) => {
                let value = self.value(*value, is_there);
                if kept == Kept::Stored && mask.is_there(is_there) {
                    return value;
                }
                let element = mask.element;
                let mask = self.leaf_value(mask);
                let out = self.build.value(Kind::Mask(Mask { kept, element }), &[value.out, mask.out]);
                Values { out, ..value }
            }
            Node::Sum(..) => unreachable!("all variables have come"),
        }
    }

    fn leaf_value(&mut self, leaf: Leaf) -> Values {
        let element = leaf.element;
        let out = match (leaf.rest, leaf.stream) {
            (Rest::Reduced { .. }, Some(out)) => out,
            (_, stream) => {
                let kind = Kind::Array { tensor: leaf.name, root: stream.is_none() };
                self.build.block(kind, &[stream])[0]
            }
        };
        Values { out, element }
    }
}

/// What the walk has found behind the coordinates.
struct Behind {
    /// The coordinates of a sum that was the whole value, if they may be none.
    below: Option<Coordinates>,
    /// How many coordinates are outside of that sum.
    outside: Option<usize>,
    /// Whether coordinates have come together only where the pattern has them.
    is_exact: bool,
}
