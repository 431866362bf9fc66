//! The walk over the variables.

use super::build::{Build, Out};
use super::merge::{Coordinates, merge};
use super::node::{Leaf, Node, Rest, Values};
use super::statement::{Refusal, Statement};
use crate::graph::{Accumulate, Alu, Apply, Dropped, Element, EmptyFiber, Form, Kind, Reduce, Reduction};

/// The streams of a value.
#[derive(Debug)]
pub(super) struct Streams {
    /// The coordinates that come with the value, the outermost first. Behind a reduction they are the
    /// reducer's.
    pub(super) crds: Vec<Coordinates>,
    pub(super) value: Out,
    pub(super) element: Element,
}

/// What the variables that are walked are inside of.
#[derive(Clone, Copy, Debug)]
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

/// A stream of values.
struct Value {
    out: Out,
    element: Element,
    /// Whether there is a value wherever the coordinates have come together.
    is_exact: bool,
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
    statement: &'s Statement,
}

impl<'s> Walk<'s> {
    pub(super) fn new(statement: &'s Statement) -> Self {
        Self { build: Build::default(), statement }
    }

    pub(super) fn statement(&mut self) -> Result<Streams, Refusal> {
        let node = Node::new(self.statement, &self.statement.value)?;
        self.streams(node, &self.statement.order, Scope::Statement)
    }

    /// Walks the variables that are left.
    fn streams(&mut self, mut node: Node, order: &[String], scope: Scope) -> Result<Streams, Refusal> {
        let (mut crds, mut below, mut outside) = (Vec::new(), None, None);
        for (place, var) in order.iter().enumerate() {
            if !node.uses(var) {
                continue;
            }
            if node.is_sum_over(var) {
                let is_inside = scope.is_inside(&crds);
                outside = Some(crds.len());
                below = self.sum(&mut node, &order[place..], is_inside)?;
                continue;
            }
            let sums = node.sums_mut(var);
            if !sums.is_empty() {
                sums.into_iter().try_for_each(|sum| self.operand(sum, &order[place..], crds.last()))?;
                continue;
            }
            let coordinates = merge(&mut self.build, self.statement, &mut node, var)?;
            crds.push(coordinates.ok_or_else(|| no_operand(var))?);
        }
        let mut value = self.value(node)?;
        // Behind a reduction nothing is empty.
        let outside = outside.unwrap_or(crds.len());
        if let Some(innermost) = crds[..outside].last_mut()
            && !value.is_exact
        {
            self.drop_absent(innermost, &mut value);
        }
        self.drop_empty(&mut crds[..outside], below, scope);
        Ok(Streams { crds, value: value.out, element: value.element })
    }

    /// Coordinates that have come together without a value go.
    fn drop_absent(&mut self, innermost: &mut Coordinates, value: &mut Value) {
        let (outer, inner) = (innermost.var.clone(), "value".to_owned());
        let kind = Kind::Drop { outer, inner, what: Dropped::Absent };
        let left = self.build.block(kind, &[Some(innermost.crd), Some(value.out)]);
        innermost.crd = left[0];
        innermost.may_be_empty = true;
        value.out = left[1];
    }

    /// From the innermost coordinates whose fibers may be empty outwards, all lose those under which
    /// nothing is left (sam.txt definition 3.9). Those of a sum's variable are of use only to what is
    /// outside of it.
    fn drop_empty(&mut self, crds: &mut [Coordinates], mut below: Option<Coordinates>, scope: Scope) {
        for outer in (0..crds.len()).rev() {
            let is_used = outer > 0 || !matches!(scope, Scope::Sum { is_inside: false });
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
            if crds[outer].may_be_empty {
                below = Some(crds[outer].clone());
            }
        }
    }

    /// Replaces a sum that is the whole value by its streams: what is empty is left out. The result are the
    /// coordinates of its variable, if they may be none.
    fn sum(
        &mut self,
        sum: &mut Node,
        order: &[String],
        is_inside: bool,
    ) -> Result<Option<Coordinates>, Refusal> {
        let Reduced { over, crds, value, reduction } = self.reduced(sum, order, is_inside)?;
        let (crds, out) = match crds.is_empty() {
            true => (Vec::new(), self.reduce(reduction, EmptyFiber::Removed, value, None)),
            false => self.accumulate(reduction, crds, value, EmptyFiber::Removed),
        };
        *sum = Node::reduced(crds, Values { out, ..value }, false);
        Ok(Some(over).filter(|over| over.may_be_empty))
    }

    /// Replaces a sum among other operands by its streams, which go with the coordinates around.
    fn operand(
        &mut self,
        sum: &mut Node,
        order: &[String],
        around: Option<&Coordinates>,
    ) -> Result<(), Refusal> {
        let Reduced { over, crds, value, reduction } = self.reduced(sum, order, false)?;
        let may_be_empty = over.may_be_empty || crds.iter().any(|level| level.may_be_empty);
        let (crds, out) = match (crds.is_empty(), around) {
            (false, _) => self.accumulate(reduction, crds, value, EmptyFiber::Absent),
            (true, Some(around)) => {
                (Vec::new(), self.reduce(reduction, EmptyFiber::Absent, value, Some(around.crd)))
            }
            (true, None) => (Vec::new(), self.reduce(reduction, EmptyFiber::Zero, value, None)),
        };
        *sum = Node::reduced(crds, Values { out, ..value }, may_be_empty);
        Ok(())
    }

    /// What a reduction is made of.
    fn reduced(&mut self, sum: &mut Node, order: &[String], is_inside: bool) -> Result<Reduced, Refusal> {
        let (reduction, body) = sum.take_body();
        let Streams { mut crds, value, element } = self.streams(body, order, Scope::Sum { is_inside })?;
        let over = crds.remove(0);
        Ok(Reduced { over, crds, value: Values { out: value, element }, reduction })
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
    fn value(&mut self, node: Node) -> Result<Value, Refusal> {
        match node {
            Node::Leaf(leaf) => self.leaf_value(leaf),
            Node::Apply(function, value) => {
                let Value { out, element, is_exact } = self.value(*value)?;
                let out = self.build.value(Kind::Apply(Apply { function, element }), &[out]);
                Ok(Value { out, element: function.result(element), is_exact })
            }
            Node::Combine(how, operator, a, b) => {
                let (a, b) = (self.value(*a)?, self.value(*b)?);
                let element = a.element;
                let out = self.build.value(Kind::Alu(Alu { operator, element, how }), &[a.out, b.out]);
                Ok(Value { out, element, is_exact: a.is_exact && b.is_exact })
            }
            Node::Sum(_, var, _) => Err(no_operand(&var)),
        }
    }

    fn leaf_value(&mut self, leaf: Leaf) -> Result<Value, Refusal> {
        let element = leaf.element;
        match (leaf.rest, leaf.stream) {
            (Rest::Reduced { may_be_empty, .. }, Some(out)) => {
                Ok(Value { out, element, is_exact: !may_be_empty })
            }
            (Rest::Levels { .. }, Some(reference)) => {
                let out = self.build.value(Kind::Array { tensor: leaf.name, root: false }, &[reference]);
                Ok(Value { out, element, is_exact: true })
            }
            (_, None) => Err(Refusal::new("not supported yet: a statement without an index variable")),
        }
    }
}

fn no_operand(var: &str) -> Refusal {
    Refusal::new(format!("not supported yet: no operand has the index variable `{var}`"))
}
