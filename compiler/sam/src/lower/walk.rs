//! The walk over the variables.

use super::build::{Build, Out};
use super::merge::{Coordinates, merge};
use super::node::{Leaf, Node, Rest};
use super::statement::{Refusal, Statement};
use crate::graph::{Accumulate, EmptyFiber, Form, Kind};
use std::collections::VecDeque;

/// The streams of a value.
#[derive(Debug)]
pub(super) struct Streams {
    /// The coordinates that come with the value, the outermost first. Behind a reduction they are the reducer's.
    pub(super) crds: Vec<(String, Out)>,
    pub(super) value: Out,
    /// The coordinates of all variables that were walked, the outermost first, as they were merged.
    pub(super) nest: Vec<Coordinates>,
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
        let name = |tensor: usize| self.statement.tensors[tensor].name.clone();
        let node = Node::new(&self.statement.value, &name);
        self.streams(node, &self.statement.order)
    }

    /// Walks the variables that are left.
    fn streams(&mut self, mut node: Node, order: &[String]) -> Result<Streams, Refusal> {
        let (mut crds, mut nest) = (Vec::new(), Vec::new());
        for (place, var) in order.iter().enumerate() {
            if !node.uses(var) {
                continue;
            }
            let sums = node.sums_mut(var);
            if sums.is_empty() {
                let coordinates = merge(&mut self.build, self.statement, &mut node, var)?;
                let coordinates = coordinates.ok_or_else(|| no_operand(var))?;
                crds.push((var.clone(), coordinates.crd));
                if !nest.iter().any(|outer: &Coordinates| outer.var == *var) {
                    nest.push(coordinates);
                }
                continue;
            }
            for sum in sums {
                nest.extend(self.sum(sum, &order[place..])?);
            }
        }
        Ok(Streams { crds, value: self.value(node)?, nest })
    }

    /// Replaces a sum by its streams. The result are the coordinates that were walked inside of it.
    fn sum(&mut self, sum: &mut Node, order: &[String]) -> Result<Vec<Coordinates>, Refusal> {
        let Node::Sum(_, body) = sum else { unreachable!("only sums are closed") };
        let placeholder = Leaf { name: String::new(), stream: None, rest: Rest::Reduced(VecDeque::new()) };
        let body = std::mem::replace(body.as_mut(), Node::Leaf(placeholder));
        let Streams { mut crds, value, nest } = self.streams(body, order)?;
        crds.remove(0);
        let (crds, value) = self.reduce(crds, value);
        *sum = Node::Leaf(Leaf {
            name: "sum".to_owned(),
            stream: Some(value),
            rest: Rest::Reduced(crds.into()),
        });
        Ok(nest)
    }

    /// Adds up over the variable around these.
    fn reduce(&mut self, crds: Vec<(String, Out)>, value: Out) -> (Vec<(String, Out)>, Out) {
        let empty = EmptyFiber::Removed;
        if crds.is_empty() {
            return (crds, self.build.value(Kind::Reduce { empty }, &[value]));
        }
        let indices: Vec<String> = crds.iter().rev().map(|(var, _)| var.clone()).collect();
        let inputs: Vec<Option<Out>> =
            crds.iter().rev().map(|(_, crd)| Some(*crd)).chain([Some(value)]).collect();
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
