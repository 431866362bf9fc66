//! The walk over the variables.

use super::build::{Build, Out};
use super::merge::{Coordinates, merge};
use super::node::{Leaf, Node, Rest};
use super::statement::{Refusal, Statement};
use crate::graph::{Accumulate, EmptyFiber, Form, Kind, StreamKind};
use std::collections::VecDeque;

/// The streams of a value.
#[derive(Debug)]
pub(super) struct Streams {
    /// The coordinates that come with the value, the outermost first. Behind a reduction they are the reducer's.
    pub(super) crds: Vec<Coordinates>,
    pub(super) value: Out,
}

/// What the variables that are walked are inside of.
#[derive(Clone, Copy, Debug)]
enum Scope {
    /// The statement.
    Statement,
    /// A sum, whose variable is the first. `is_inside`: coordinates outside of it are used.
    Sum { is_inside: bool },
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
        let node = Node::new(self.statement, &self.statement.value);
        self.streams(node, &self.statement.order, Scope::Statement)
    }

    /// Walks the variables that are left.
    fn streams(&mut self, mut node: Node, order: &[String], scope: Scope) -> Result<Streams, Refusal> {
        let (mut crds, mut below, mut outside) = (Vec::new(), None, None);
        for (place, var) in order.iter().enumerate() {
            if !node.uses(var) {
                continue;
            }
            let sums = node.sums_mut(var);
            if sums.is_empty() {
                let coordinates = merge(&mut self.build, self.statement, &mut node, var)?;
                crds.push(coordinates.ok_or_else(|| no_operand(var))?);
                continue;
            }
            let is_inside = match scope {
                Scope::Statement => !crds.is_empty(),
                Scope::Sum { is_inside } => is_inside || crds.len() > 1,
            };
            outside = Some(crds.len());
            for sum in sums {
                below = self.sum(sum, &order[place..], Scope::Sum { is_inside })?;
            }
        }
        let value = self.value(node)?;
        // Behind a reduction nothing is empty.
        let outside = outside.unwrap_or(crds.len());
        self.drop_empty(&mut crds[..outside], below, scope);
        Ok(Streams { crds, value })
    }

    /// From the innermost coordinates whose fibers may be empty outwards, all lose those under which nothing is
    /// left (sam.txt definition 3.9). Those of a sum's variable are of use only to what is outside of it.
    fn drop_empty(&mut self, crds: &mut [Coordinates], mut below: Option<Coordinates>, scope: Scope) {
        for outer in (0..crds.len()).rev() {
            let is_used = outer > 0 || !matches!(scope, Scope::Sum { is_inside: false });
            if let Some(inner) = below.take() {
                crds[outer].may_be_empty = true;
                if is_used {
                    let kind = Kind::Drop {
                        outer: crds[outer].var.clone(),
                        inner: inner.var,
                        over: StreamKind::Crd,
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

    /// Replaces a sum by its streams. The result are the coordinates of its variable, if they may be none.
    fn sum(
        &mut self,
        sum: &mut Node,
        order: &[String],
        scope: Scope,
    ) -> Result<Option<Coordinates>, Refusal> {
        let Node::Sum(_, body) = sum else { unreachable!("only sums are closed") };
        let placeholder = Leaf { name: String::new(), stream: None, rest: Rest::Reduced(VecDeque::new()) };
        let body = std::mem::replace(body.as_mut(), Node::Leaf(placeholder));
        let Streams { mut crds, value } = self.streams(body, order, scope)?;
        let summed = crds.remove(0);
        let (crds, value) = self.reduce(crds, value);
        *sum = Node::Leaf(Leaf {
            name: "sum".to_owned(),
            stream: Some(value),
            rest: Rest::Reduced(crds.into()),
        });
        Ok(Some(summed).filter(|summed| summed.may_be_empty))
    }

    /// Adds up over the variable around these.
    fn reduce(&mut self, crds: Vec<Coordinates>, value: Out) -> (Vec<(String, Out)>, Out) {
        let empty = EmptyFiber::Removed;
        if crds.is_empty() {
            return (Vec::new(), self.build.value(Kind::Reduce { empty }, &[value]));
        }
        let indices: Vec<String> = crds.iter().rev().map(|level| level.var.clone()).collect();
        let inputs: Vec<Option<Out>> =
            crds.iter().rev().map(|level| Some(level.crd)).chain([Some(value)]).collect();
        let accumulate = Accumulate { order: indices.len(), indices: indices.clone(), form: Form::Levels };
        let mut outputs = self.build.block(Kind::Accumulate(accumulate), &inputs);
        let value = outputs.pop().expect("a reducer has a value");
        (indices.into_iter().zip(outputs).rev().collect(), value)
    }

    /// The values, when all variables have come.
    fn value(&mut self, node: Node) -> Result<Out, Refusal> {
        match node {
            Node::Leaf(leaf) => self.leaf_value(leaf),
            Node::Combine(operator, a, b) => {
                let operands = [self.value(*a)?, self.value(*b)?];
                Ok(self.build.value(Kind::Alu(operator), &operands))
            }
            Node::Sum(var, _) => Err(no_operand(&var)),
        }
    }

    fn leaf_value(&mut self, leaf: Leaf) -> Result<Out, Refusal> {
        let array = Kind::Array { tensor: leaf.name };
        match (leaf.rest, leaf.stream) {
            (Rest::Reduced(_), Some(value)) => Ok(value),
            (Rest::Levels { .. }, Some(reference)) => Ok(self.build.value(array, &[reference])),
            (_, None) => Err(Refusal::new("not supported yet: a statement without an index variable")),
        }
    }
}

fn no_operand(var: &str) -> Refusal {
    Refusal::new(format!("not supported yet: no operand has the index variable `{var}`"))
}
