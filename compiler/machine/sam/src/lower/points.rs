//! Reductions of SAM's own blocks: its reducer makes a zero of a fiber in which there is nothing, and its
//! accumulators take points, for which outer coordinates are held over inner ones.

use super::Dialect;
use super::build::Out;
use super::close::Reduced;
use super::node::ValueNode;
use super::statement::Refusal;
use super::walk::{VariableWalk, WalkScope};
use crate::graph::{Accumulate, BlockKind, CoordinateForm, EmptyFiber};

/// The coordinates that an accumulator puts out, the outermost first; those around, if it has
/// them; the values.
type Points = (Vec<(String, Out)>, Option<Out>, Out);

impl VariableWalk<'_> {
    /// Records what the blocks of the dialect cannot do, if it is the first such thing.
    pub(super) fn refuse(&mut self, what: &str) {
        let (message, dialect) = match self.choices.dialect {
            Dialect::Comal => (format!("Comal has no {what}"), "`--dialect=comal` and `--emit=comal`"),
            _ => (format!("SAM's own blocks have no {what}"), "`--dialect=sam`"),
        };
        let hint = format!(
            "leave {dialect} out, or the commands that ask for this, or choose another order of the loops"
        );
        self.refusal.get_or_insert_with(|| Refusal::new(message).hint(hint));
    }

    /// Makes a value of each innermost fiber, a zero of those in which there is nothing. It makes one too
    /// where a fiber around is empty, to which no coordinate belongs.
    pub(super) fn reduce_to_zeros(&mut self, reduced: &Reduced) -> Out {
        let result = &self.statement.result.indices;
        let may_miss =
            self.around.iter().any(|around| around.may_miss_fibers && result.contains(&around.var));
        if may_miss {
            self.refuse("reducers that distinguish an empty fiber from none");
        }
        self.makes_zeros = true;
        self.reduce(reduced, EmptyFiber::Zero, None)
    }

    /// Whether a reduction right inside of another one of its kind is left to the accumulator of that:
    /// variables of the result are still to come.
    pub(super) fn is_left_to_points(&self, node: &ValueNode, order: &[String]) -> bool {
        let result = &self.statement.result.indices;
        let is_kept = |var: &String| result.contains(var) && node.uses(var);
        let is_of_kind =
            matches!(node, ValueNode::Reduce(reduction, ..) if self.closing.last() == Some(reduction));
        let is_sams = self.choices.dialect == Dialect::Sam;
        is_sams && is_of_kind && node.is_sum_over(&order[0]) && order.iter().any(is_kept)
    }

    /// Adds up points of the result's variables inside of a reduction. Those of order 1 belong to one
    /// coordinate around them, those of order 2 to none.
    pub(super) fn accumulate_points(&mut self, reduced: &Reduced, scope: WalkScope) -> Points {
        let (levels, value) = &reduced.copies[0];
        let kept: Vec<usize> =
            (0..levels.len()).filter(|at| !self.summed.contains(&levels[*at].var)).collect();
        if scope != WalkScope::Statement || kept.len() + self.around.len() != 2 || kept.is_empty() {
            let around = self.around.len();
            self.refuse(&format!("accumulators of order {} inside of {around} other variables", kept.len()));
        }
        let all: Vec<_> = self.around.iter().chain([&reduced.over]).chain(levels).cloned().collect();
        let inside = self.around.len() + 1;
        let taken: Vec<usize> = (0..self.around.len()).chain(kept.iter().map(|at| at + inside)).collect();
        let held = |walk: &mut Self, at: usize| {
            let (var, mut held) = (all[at].var.clone(), all[at].crd);
            for inner in &all[at + 1..] {
                held = walk.build.hold((&var, held), (&inner.var, inner.crd));
            }
            held
        };
        let mut inputs: Vec<Option<Out>> = taken.iter().rev().map(|at| Some(held(self, *at))).collect();
        inputs.push(Some(*value));
        let accumulate = Accumulate {
            order: kept.len(),
            indices: taken.iter().rev().map(|at| all[*at].var.clone()).collect(),
            form: CoordinateForm::Points,
            empty: EmptyFiber::Removed,
            reduction: reduced.reduction,
            element: reduced.element,
            inputs: 1,
        };
        let mut outputs = self.build.block(BlockKind::Accumulate(accumulate), &inputs);
        let value = outputs.pop().expect("an accumulator has a value");
        let outer = (!self.around.is_empty()).then(|| outputs.pop()).flatten();
        let own = taken.iter().rev().map(|at| all[*at].var.clone()).zip(outputs);
        (own.rev().collect(), outer, value)
    }
}
