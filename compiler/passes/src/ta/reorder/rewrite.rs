//! Puts what a plan says into the program: the tensors that get new numbers have twins, which stand in their
//! places from some operation on.

use super::classes::{Class, Classes, key};
use super::plan::Plan;
use super::uses::{Body, Use, uses};
use comet_abi::reorder::Method;
use comet_ir::{Block, Builder, Op, Result, Val, ta, types};
use melior::ir::ValueLike;
use melior::ir::operation::OperationLike;
use std::collections::{HashMap, HashSet};

/// A tensor with new numbers, in the place of another one.
#[derive(Clone)]
struct Twin<'c> {
    tensor: Val<'c>,
    /// The modes with new numbers, and these.
    modes: Vec<i64>,
    permutations: Vec<Val<'c>>,
    /// Whether the other tensor holds something else than the twin once that is written.
    is_written: bool,
}

pub(super) struct Rewrite<'a, 'c> {
    body: &'a Body<'c>,
    classes: &'a Classes,
    plan: &'a Plan<'c>,
    permutations: HashMap<Class, Val<'c>>,
    twins: HashMap<usize, Twin<'c>>,
    /// What lives to the end of the function.
    made: Vec<Val<'c>>,
}

impl<'a, 'c> Rewrite<'a, 'c> {
    pub(super) fn run(body: &'a Body<'c>, classes: &'a Classes, plan: &'a Plan<'c>) -> Result<'c, ()> {
        let (permutations, twins) = (HashMap::new(), HashMap::new());
        let mut rewrite = Self { body, classes, plan, permutations, twins, made: Vec::new() };
        let behind = rewrite.behind();
        rewrite.find_numbers(behind)?;
        for variable in body.variables() {
            rewrite.declare(variable, behind)?;
        }
        let ops = &body.ops[plan.place + 1..];
        rewrite.replace(ops, &mut HashSet::new())?;
        rewrite.release()
    }

    /// In front of what the new numbers are for.
    fn behind(&self) -> Op<'c> {
        self.body.ops[self.plan.place + 1]
    }

    fn find_numbers(&mut self, behind: Op<'c>) -> Result<'c, ()> {
        for chosen in &self.plan.chosen {
            let b = Builder::before(behind).with_location(chosen.location);
            let rank = types::rank(chosen.tensor.r#type());
            let iterations = match self.plan.reordering.method {
                Method::Lexi { iterations } => Some(i64::from(iterations)),
                _ => None,
            };
            let results = vec![types::permutation(b.context()); rank];
            let reorder = ta::Reorder::build(b, chosen.tensor, self.plan.reordering.method.name(), &results)?;
            reorder.set_iterations(iterations).set_told(self.plan.reordering.is_reported);
            for (mode, permutation) in reorder.permutations().into_iter().enumerate() {
                self.permutations.entry(self.classes.class(chosen.tensor, mode)).or_insert(permutation);
                self.made.push(permutation);
            }
        }
        Ok(())
    }

    /// The modes of a tensor that get new numbers, with these.
    fn new_numbers(&self, tensor: Val<'c>) -> (Vec<i64>, Vec<Val<'c>>) {
        let modes = 0..types::rank(tensor.r#type());
        let of = |mode| Some((mode as i64, *self.permutations.get(&self.classes.class(tensor, mode))?));
        modes.filter_map(of).unzip()
    }

    /// Makes the twin of a variable, where it needs one: one that begins empty behind the new numbers, and is
    /// never given or shown anything, has only those.
    fn declare(&mut self, variable: ta::TensorDecl<'c>, behind: Op<'c>) -> Result<'c, ()> {
        let (tensor, place) = (variable.tensor(), self.plan.place);
        let (modes, permutations) = self.new_numbers(tensor);
        let later =
            |is_meant: &dyn Fn(Use) -> bool| self.body.places(tensor, is_meant).any(|(at, _)| at > place);
        if modes.is_empty() || !later(&|found| found != Use::Released) {
            return Ok(());
        }
        let is_there = self.body.ops[..=place].contains(&*variable);
        if !is_there && !later(&|found| matches!(found, Use::Given | Use::Shown)) {
            return Ok(());
        }
        let b = match is_there {
            true => Builder::before(behind).with_location(variable.location()),
            false => Builder::before(variable.next().expect("a block ends with a terminator")),
        };
        let twin = ta::TensorDecl::build(b, variable.name(), &variable.labels(), tensor.r#type())?;
        twin.set_on(variable.on());
        let twin = twin.tensor();
        let is_written = later(&|found| found.writes() && found != Use::Given);
        let twin = Twin { tensor: twin, modes, permutations, is_written };
        let has_content = self.body.places(tensor, Use::writes).any(|(at, _)| at <= place);
        if has_content {
            permute(b, tensor, &twin, Direction::There)?;
        }
        self.twins.insert(key(tensor), twin);
        Ok(())
    }

    /// Lets operations of a block work on twins. `shown` are the tensors that hold what their twins hold.
    fn replace(&self, ops: &[Op<'c>], shown: &mut HashSet<usize>) -> Result<'c, ()> {
        for op in ops {
            for (place, tensor, found) in uses(*op) {
                if let Some(twin) = self.twins.get(&key(tensor)) {
                    self.replace_use(*op, (place, tensor, found), twin, shown)?;
                }
            }
            if op.region_count() > 0 {
                shown.clear();
                for region in 0..op.region_count() {
                    self.replace_in(op.as_ref().region(region).ok().and_then(Block::first_of))?;
                }
            }
        }
        Ok(())
    }

    fn replace_in(&self, mut block: Option<Block<'c>>) -> Result<'c, ()> {
        while let Some(current) = block {
            self.replace(&current.ops(), &mut HashSet::new())?;
            block = current.next();
        }
        Ok(())
    }

    fn replace_use(
        &self,
        op: Op<'c>,
        (place, tensor, found): (usize, Val<'c>, Use),
        twin: &Twin<'c>,
        shown: &mut HashSet<usize>,
    ) -> Result<'c, ()> {
        match found {
            Use::Shown => {
                if twin.is_written && shown.insert(key(tensor)) {
                    permute(Builder::before(op), tensor, twin, Direction::Back)?;
                }
            }
            Use::Given => {
                let next = op.next().expect("a block ends with a terminator");
                permute(Builder::before(next).with_location(op.location()), tensor, twin, Direction::There)?;
                shown.insert(key(tensor));
            }
            Use::Released => {
                if self.is_inner(tensor) {
                    ta::Release::build(Builder::before(op), twin.tensor)?;
                }
            }
            Use::Computed | Use::Assigned | Use::Filled | Use::Copied | Use::Other => {
                op.set_operand(place, twin.tensor);
                if found.writes() {
                    shown.remove(&key(tensor));
                }
            }
        }
        Ok(())
    }

    /// Whether a variable is declared, and so its twin, behind the new numbers.
    fn is_inner(&self, tensor: Val<'c>) -> bool {
        Op::defining(tensor).is_some_and(|op| !self.body.ops[..=self.plan.place].contains(&op))
    }

    fn release(&self) -> Result<'c, ()> {
        let terminator = *self.body.ops.last().expect("a function ends with a terminator");
        let b = Builder::before(terminator);
        let variables = self.body.variables().into_iter().map(|variable| variable.tensor());
        let outer = variables.filter(|tensor| !self.is_inner(*tensor));
        let twins = outer.filter_map(|tensor| Some(self.twins.get(&key(tensor))?.tensor));
        for value in twins.chain(self.made.iter().copied()) {
            ta::Release::build(b, value)?;
        }
        Ok(())
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    /// To the twin.
    There,
    /// From the twin.
    Back,
}

fn permute<'c>(b: Builder<'c>, tensor: Val<'c>, twin: &Twin<'c>, direction: Direction) -> Result<'c, ()> {
    let (source, target) = match direction {
        Direction::There => (tensor, twin.tensor),
        Direction::Back => (twin.tensor, tensor),
    };
    let permute = ta::Permute::build(b, source, target, &twin.modes, &twin.permutations)?;
    permute.set_undone(direction == Direction::Back);
    Ok(())
}
