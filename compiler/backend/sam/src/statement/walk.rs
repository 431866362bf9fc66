//! From the loops and where-statements of a `cin.compute` to one expression: what is read of a temporary is
//! what was assigned to it.

use super::loops::Loops;
use super::term::{self, TermAccess, ValueTerm};
use comet_ir::cin::{self, Cin};
use comet_ir::{Block, IrError, Op, Result, Val, types};
use comet_passes::nest::{self, Relations};
use comet_passes::simulated;
use comet_sam::arithmetic::{Function, NumberFunction, Operator, Reduction};
use comet_sam::graph::{Kept, Merge};
use melior::ir::ValueLike;

#[derive(Clone)]
pub(super) struct Assigned<'c> {
    pub(super) target: TermAccess<'c>,
    /// Reduced over the loops that the target lacks.
    pub(super) value: ValueTerm<'c>,
    /// How values that come to one element become one; `None` where the last one stays.
    pub(super) reduction: Option<Reduction>,
}

pub(super) struct Walked<'c> {
    pub(super) loops: Loops<'c>,
    pub(super) result: Assigned<'c>,
}

pub(super) fn walk<'c>(compute: Op<'c>) -> Result<'c, Walked<'c>> {
    let loops = Loops::new(nest::relations(compute));
    let mut walk = ComputeReader { compute, loops, temporaries: Vec::new(), result: None };
    let compute = compute.cast::<cin::Compute<'_>>().expect("the caller has a compute");
    walk.block(compute.body())?;
    match walk.result {
        Some(result) => Ok(Walked { loops: walk.loops, result }),
        None => Err(IrError::at(compute.location(), "expected an assignment to a tensor")),
    }
}

/// A variable, and all that it is a part of.
fn wholes<'c>(relations: &Relations<'c>, part: Val<'c>) -> impl Iterator<Item = Val<'c>> {
    std::iter::successors(Some(part), |part| {
        let split = relations.quotient_of(*part).or_else(|| relations.remainder_of(*part));
        split.map(|split| split.var)
    })
}

struct ComputeReader<'c> {
    compute: Op<'c>,
    loops: Loops<'c>,
    temporaries: Vec<Assigned<'c>>,
    result: Option<Assigned<'c>>,
}

impl<'c> ComputeReader<'c> {
    fn block(&mut self, block: Block<'c>) -> Result<'c, ()> {
        block.ops().into_iter().try_for_each(|op| self.op(op))
    }

    fn op(&mut self, op: Op<'c>) -> Result<'c, ()> {
        match Cin::of(op) {
            Some(Cin::Forall(forall)) => {
                self.loops.add(forall);
                self.block(forall.body())
            }
            Some(Cin::Where(inner)) => {
                self.block(inner.producer())?;
                self.block(inner.consumer())
            }
            Some(Cin::Map(map)) => self.block(map.body()),
            Some(Cin::Assign(assign)) => self.assign(assign),
            _ => Ok(()),
        }
    }

    fn assign(&mut self, assign: cin::Assign<'c>) -> Result<'c, ()> {
        let target = self.point(*assign);
        let temporary = nest::temporary(target.tensor);
        let scope = temporary.and_then(|temporary| temporary.parent()).unwrap_or(self.compute);
        let reduced = self.reduced(*assign, scope, &target)?;
        let value = self.value(assign.value())?;
        let reduction = match assign.reduction() {
            cin::Reduction::Set => None,
            cin::Reduction::Own(own) => {
                return Err(simulated::own_reduction(assign, own, "in a dataflow graph"));
            }
            other => Some(operator(other.word())),
        };
        let value = match reduction {
            Some(reduction) => term::reduced(value, reduction, &reduced),
            None if reduced.is_empty() => value,
            None => {
                let what = "a value that is set anew in each round of a loop, in a dataflow graph";
                return Err(IrError::not_supported(assign.location(), what));
            }
        };
        let assigned = Assigned { target, value, reduction };
        match temporary {
            Some(_) if self.producer(assigned.target.tensor).is_none() => self.temporaries.push(assigned),
            None if self.result.is_none() => self.result = Some(assigned),
            _ => {
                let name = nest::name(assigned.target.tensor);
                let what = format!("several assignments to `{name}` in one dataflow graph");
                return Err(IrError::not_supported(assign.location(), what));
            }
        }
        Ok(())
    }

    /// The index variables that an assignment reduces over: those of the loops in its target's scope that the
    /// target lacks. Of one that is cut into parts, all parts or none.
    fn reduced(&self, assign: Op<'c>, scope: Op<'c>, target: &TermAccess<'c>) -> Result<'c, Vec<Val<'c>>> {
        let relations = self.loops.relations();
        let loops = nest::loops_around(assign, scope);
        let outside = &nest::loops_around(assign, self.compute)[..];
        let outside = &outside[..outside.len() - loops.len()];
        let parts =
            |vars: &[Val<'c>], root: Val<'c>| vars.iter().any(|var| relations.roots(*var).contains(&root));
        let mut reduced: Vec<Val<'c>> = Vec::new();
        for part in loops.iter().flat_map(|var| relations.components(*var)) {
            for root in relations.roots(part) {
                let is_kept = parts(&target.indices, root);
                let is_index = |var: Val<'c>| target.indices.contains(&var);
                let is_whole = !is_kept || is_index(root) || wholes(relations, part).any(is_index);
                if !is_whole || (!is_kept && parts(outside, root)) {
                    let name = nest::name(root);
                    let what = format!("a sum over a part of `{name}` in a dataflow graph");
                    return Err(IrError::not_supported(assign.location(), what)
                        .hint("leave out the command that cuts its loop"));
                }
                if !is_kept && !reduced.contains(&root) {
                    reduced.push(root);
                }
            }
        }
        Ok(reduced)
    }

    fn point(&self, op: Op<'c>) -> TermAccess<'c> {
        let (tensor, indices) = nest::point(op);
        TermAccess {
            tensor,
            indices: indices.into_iter().map(|var| self.loops.relations().unbounded(var)).collect(),
        }
    }

    fn producer(&self, temporary: Val<'c>) -> Option<&Assigned<'c>> {
        self.temporaries.iter().find(|assigned| assigned.target.tensor == temporary)
    }

    fn value(&mut self, value: Val<'c>) -> Result<'c, ValueTerm<'c>> {
        match Op::defining(value).and_then(Cin::of) {
            Some(Cin::Access(access)) => self.access(*access),
            Some(Cin::Unite(unite)) => {
                self.pair(Merge::Union, operator(unite.op().word()), [unite.left(), unite.right()])
            }
            Some(Cin::Combine(combine)) => {
                self.pair(Merge::Intersect, operator(combine.op().word()), [combine.left(), combine.right()])
            }
            Some(Cin::Neg(neg)) => Ok(ValueTerm::Apply(Function::Negate, Box::new(self.value(neg.value())?))),
            Some(Cin::Cast(cast)) => {
                let function = Function::Convert(types::value_of(value.r#type()));
                Ok(ValueTerm::Apply(function, Box::new(self.value(cast.value())?)))
            }
            Some(Cin::Apply(apply)) => {
                let function = NumberFunction::named(apply.function().word());
                let function = function.expect("the dialect has the words of the table of functions");
                Ok(ValueTerm::Apply(Function::Of(function), Box::new(self.value(apply.value())?)))
            }
            Some(Cin::Drop(drop)) => {
                let (value, condition) = (self.value(drop.value())?, self.value(drop.condition())?);
                Ok(ValueTerm::Drop(Box::new(value), Box::new(condition)))
            }
            Some(Cin::Mask(mask)) => self.mask(mask),
            _ => Ok(ValueTerm::Access(TermAccess { tensor: value, indices: Vec::new() })),
        }
    }

    fn pair(&mut self, how: Merge, operator: Operator, [a, b]: [Val<'c>; 2]) -> Result<'c, ValueTerm<'c>> {
        Ok(term::combined(how, operator, self.value(a)?, self.value(b)?))
    }

    /// What is read of a temporary is what was assigned to it, under the variables of the access.
    fn access(&mut self, op: Op<'c>) -> Result<'c, ValueTerm<'c>> {
        let access = self.point(op);
        if !nest::is_temporary(access.tensor) {
            return Ok(ValueTerm::Access(access));
        }
        let Some(producer) = self.producer(access.tensor).cloned() else {
            let name = nest::name(access.tensor);
            return Err(IrError::at(op.location(), format!("`{name}` is read before it is assigned")));
        };
        let (from, to) = (producer.target.indices, access.indices);
        let rename = |var: Val<'c>| from.iter().position(|other| *other == var).map_or(var, |mode| to[mode]);
        self.loops.rename(&rename);
        Ok(term::renamed(&producer.value, &rename))
    }

    fn mask(&mut self, op: cin::Mask<'c>) -> Result<'c, ValueTerm<'c>> {
        let mask = Op::defining(op.mask()).filter(|mask| mask.is::<cin::Access<'_>>());
        let mask = mask.map(|mask| self.point(mask));
        let Some(mask) = mask.filter(|mask| !nest::is_temporary(mask.tensor)) else {
            return Err(IrError::not_supported(op.location(), "a computed mask in a dataflow graph"));
        };
        let kept = if op.complement() { Kept::NotStored } else { Kept::Stored };
        Ok(term::masked(self.value(op.value())?, kept, &mask))
    }
}

pub(super) fn operator(word: &str) -> Operator {
    Operator::named(word).expect("the dialect has the words of the table of operators")
}
