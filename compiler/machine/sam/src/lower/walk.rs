//! The walk over the variables.

use super::Choices;
use super::build::Build;
use super::close::Closing;
use super::merge::Coordinates;
use super::names::FreshNames;
use super::node::{Coverage, ValueNode, ValueStream};
use super::statement::{IndexStatement, Refusal};
use crate::graph::Reduction;
use std::collections::HashSet;

#[derive(Debug)]
pub(super) struct Streams {
    /// The coordinates that come with the value, the outermost first. Behind a reduction they are the
    /// reducer's.
    pub(super) crds: Vec<Coordinates>,
    pub(super) value: ValueStream,
    /// For each of the coordinates whether its level can be written dense, as was asked for.
    pub(super) are_dense: Vec<bool>,
    /// Whether there may be no value at the innermost coordinates, which were dealt out: these are left out
    /// behind the copies.
    pub(super) may_be_absent: bool,
}

#[derive(Clone)]
pub(super) struct Walked {
    pub(super) node: ValueNode,
    pub(super) crds: Vec<Coordinates>,
    /// How many of them are left as they are, since they are those of the copy that this is: the coordinates
    /// that were dealt out, and those around.
    pub(super) outer: usize,
    pub(super) scope: WalkScope,
    pub(super) behind: Behind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WalkScope {
    Statement,
    /// A sum, whose variable is the first. `is_inside`: coordinates outside of it are used.
    Sum {
        is_inside: bool,
    },
}

impl WalkScope {
    /// Whether coordinates outside of a sum are used that is inside of these.
    fn is_inside(self, crds: &[Coordinates]) -> bool {
        match self {
            Self::Statement => !crds.is_empty(),
            Self::Sum { is_inside } => is_inside || crds.len() > 1,
        }
    }
}

pub(super) struct VariableWalk<'s> {
    pub(super) build: Build,
    pub(super) statement: &'s IndexStatement,
    pub(super) names: &'s mut FreshNames,
    pub(super) choices: &'s Choices,
    /// How many tensors the program's statement has; the others are temporaries.
    pub(super) given: usize,
    /// The coordinates that have come together so far, as they did: those of the statement, then those of the
    /// sums that are walked.
    pub(super) around: Vec<Coordinates>,
    /// What SAM's blocks cannot do of the statement, if they are asked for.
    pub(super) refusal: Option<Refusal>,
    pub(super) closing: Vec<Reduction>,
    /// Variables whose reduction is left to the accumulator of one that is outside of them.
    pub(super) summed: HashSet<String>,
    /// Whether SAM's reducers have made zeros of fibers in which there was nothing.
    pub(super) makes_zeros: bool,
}

#[derive(Clone, Default)]
pub(super) struct Behind {
    /// The coordinates of a sum that was the whole value, if they may be none.
    pub(super) below: Option<Coordinates>,
    pub(super) outside: Option<usize>,
    pub(super) coverage: Coverage,
}

impl<'s> VariableWalk<'s> {
    pub(super) fn new(
        statement: &'s IndexStatement,
        names: &'s mut FreshNames,
        choices: &'s Choices,
        given: usize,
    ) -> Self {
        Self {
            build: Build::default(),
            statement,
            names,
            choices,
            given,
            around: Vec::new(),
            refusal: None,
            closing: Vec::new(),
            summed: HashSet::new(),
            makes_zeros: false,
        }
    }

    pub(super) fn statement(&mut self) -> Streams {
        let node = ValueNode::new(self.statement);
        let mut copies = self.copies(node, &self.statement.order, WalkScope::Statement, Coverage::Exact);
        copies.pop().expect("copies of a statement's streams are made one")
    }

    /// Walks the variables that are left.
    /// The result are several streams, if those of a sum's own variable are dealt out.
    pub(super) fn copies(
        &mut self,
        node: ValueNode,
        order: &[String],
        scope: WalkScope,
        coverage: Coverage,
    ) -> Vec<Streams> {
        let depth = self.around.len();
        let behind = Behind { coverage, ..Behind::default() };
        let walked = Walked { node, crds: Vec::new(), outer: 0, scope, behind };
        let streams = self.rest(walked, order);
        self.around.truncate(depth);
        streams
    }

    pub(super) fn rest(&mut self, walked: Walked, order: &[String]) -> Vec<Streams> {
        let Walked { mut node, mut crds, outer, scope, mut behind } = walked;
        for (place, var) in order.iter().enumerate() {
            let is_own = scope != WalkScope::Statement && crds.is_empty();
            if !is_own && !self.is_needed(&node, var, scope) {
                continue;
            }
            let sums = node.sums_mut(var, behind.coverage);
            if sums.is_empty() {
                crds.push(self.merge(&mut node, var, &mut behind.coverage));
                if let Some(factor) = self.factor(var, &mut node) {
                    let walked = Walked { node, crds, outer, scope, behind };
                    return self.parallel(walked, &order[place + 1..], factor);
                }
                continue;
            }
            let order = &order[place..];
            if scope != WalkScope::Statement && self.is_left_to_points(&node, order) {
                self.summed.insert(var.clone());
                node = node.take_body().1;
                crds.push(self.merge(&mut node, var, &mut behind.coverage));
                continue;
            }
            let is_inside = scope.is_inside(&crds);
            let is_parallel = outer > 0 || is_inside && self.chosen_copies(var).is_some();
            if node.is_sum_over(var) && !is_parallel && !self.keeps_pace(&node, order, scope, &crds) {
                let coverage = node.coverage(behind.coverage);
                behind.outside = Some(crds.len());
                let closed =
                    self.sum(&mut node, Closing { order, coverage, is_whole: false }, (scope, is_inside));
                behind.below = closed.below;
                if let (Some(crd), Some(outer)) = (closed.outer, crds.last_mut()) {
                    (outer.crd, outer.may_be_empty) = (crd, false);
                }
                behind.coverage = Coverage::Exact;
            } else {
                let is_whole = scope == WalkScope::Statement && node.is_sum_over(var);
                for (sum, coverage) in node.sums_mut(var, behind.coverage) {
                    self.operand(sum, Closing { order, coverage, is_whole });
                }
            }
        }
        vec![self.clean(Walked { node, crds, outer, scope, behind })]
    }

    /// Whether a variable that has come is one of what is walked, or of the result.
    fn is_needed(&self, node: &ValueNode, var: &str, scope: WalkScope) -> bool {
        let is_result = || self.statement.result.indices.iter().any(|index| index == var);
        node.uses(var) || scope == WalkScope::Statement && is_result()
    }

    /// Returns whether a sum that is the whole value has something for each of the coordinates around, as
    /// other operands need it: these may not be dropped, or other variables are still to come.
    fn keeps_pace(&self, node: &ValueNode, order: &[String], scope: WalkScope, crds: &[Coordinates]) -> bool {
        if scope != WalkScope::Statement {
            return false;
        }
        let is_lacking = |var: &String| self.is_needed(node, var, scope) && !node.uses(var);
        let kept = self.dense_ones(crds);
        self.is_dense() || kept > 0 && kept == crds.len() || order.iter().any(is_lacking)
    }
}
