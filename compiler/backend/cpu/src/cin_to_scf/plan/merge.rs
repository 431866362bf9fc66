//! Loops over the coordinates of several operands: which cases of present and absent operands get code.

use super::loops::repeats;
use super::{
    Access, Cases, Depth, LatticeLoop, LoopId, MergeKind, MergePlan, MergesInCases, Planner, Presences,
    Result, Scope, VisitKind,
};
use comet_format::LevelExpr;
use comet_notation::concrete::Var;
use comet_notation::lattice::{Lattice, LatticePoint};
use std::collections::HashSet;
use std::slice;

/// The most operands whose lattice is looked at: its points are among all their sets.
const MOST_OPERANDS: usize = 8;
/// The most points that get loops of their own: those of a sum of 3 operands, which have 19 bodies.
const MOST_POINTS: usize = 7;
/// The most operands, each of which may be present or absent at a coordinate, that there is a body for each
/// case of.
const MOST_IN_CASES: usize = 3;

impl Planner<'_> {
    /// Visits every coordinate, with a cursor into each operand.
    pub(super) fn merge_all(
        &mut self,
        scope: &Scope<'_>,
        id: LoopId,
        var: Var,
        operands: &[Access],
    ) -> Result<VisitKind> {
        let mut inside = scope.clone();
        inside.bind(var);
        let presences = match operands.len() > MOST_IN_CASES || self.has_too_many_cases(scope) {
            true => Presences::AtRunTime(Box::new(self.at_run_time(inside, id, var, operands)?)),
            false => {
                inside.is_case = true;
                Presences::Cases(self.cases(&inside, id, var, operands)?)
            }
        };
        Ok(merge(scope, var, operands, None, MergeKind::All(presences)))
    }

    /// Visits the coordinates that the operands store, as far as something is assigned at them: one loop for
    /// each point of the lattice, which runs while all its operands have coordinates left and goes on at the
    /// least of them.
    pub(super) fn merge_stored(
        &mut self,
        scope: &Scope<'_>,
        id: LoopId,
        var: Var,
        operands: &[Access],
    ) -> Result<VisitKind> {
        let mut scope = scope.clone();
        let reserve = self.reserve(&mut scope, id);
        let mut inside = scope.clone();
        inside.bind(var);
        let points = self.lattice(&scope, id, operands);
        let kind = match &points[..] {
            points
                if points.is_empty()
                    || points.len() > MOST_POINTS
                    || (points.len() > 1 && self.has_too_many_cases(&scope)) =>
            {
                MergeKind::Any(self.at_run_time(inside, id, var, operands)?)
            }
            [only] if only.len() == operands.len() && operands.len() > 1 => {
                operands.iter().for_each(|operand| take(&mut inside, operand, Certainty::Certain));
                MergeKind::Intersect(self.visit(&inside, id, var)?)
            }
            points => {
                inside.is_case = true;
                let loops = points.iter().map(|point| self.lattice_loop(&inside, id, var, (operands, point)));
                MergeKind::Lattice(loops.collect::<Result<_>>()?)
            }
        };
        Ok(merge(&scope, var, operands, reserve, kind))
    }

    /// Whether a body for each case would be there for each of too many cases around.
    fn has_too_many_cases(&self, scope: &Scope<'_>) -> bool {
        scope.is_case && self.merges_in_cases == MergesInCases::AtRunTime
    }

    fn lattice(&self, scope: &Scope<'_>, id: LoopId, operands: &[Access]) -> Vec<LatticePoint> {
        let body = &self.compute.forall(id).body;
        match operands.len() <= MOST_OPERANDS {
            true => Lattice::of(self.compute, body, &scope.absent).points(operands),
            false => Vec::new(),
        }
    }

    fn lattice_loop(
        &mut self,
        scope: &Scope<'_>,
        id: LoopId,
        var: Var,
        (operands, point): (&[Access], &LatticePoint),
    ) -> Result<LatticeLoop> {
        let mut inside = scope.clone();
        let lacking = (0..operands.len()).filter(|number| !point.contains(number));
        let absent: Vec<Access> = lacking.map(|number| operands[number].clone()).collect();
        inside.absent.extend(absent.iter().cloned());
        let own: Vec<Access> = point.iter().map(|number| operands[*number].clone()).collect();
        Ok(LatticeLoop { point: point.clone(), absent, cases: self.cases(&inside, id, var, &own)? })
    }

    /// How the presence of an operand at a known coordinate is distinguished. A body for each case would be
    /// there for every case of the other operands that may be absent: those that have come to a position only
    /// the running program knows of, and the `sparse` ones, which have levels left.
    pub(super) fn presence_of_one(
        &mut self,
        scope: &Scope<'_>,
        (id, var): (LoopId, Var),
        operand: &Access,
        sparse: &[Access],
    ) -> Result<Presences> {
        let may_lack = |operand: &Access| self.is_live_without(scope, id, slice::from_ref(operand));
        let reads = self.compute.reads(&self.compute.forall(id).body);
        let mut others: Vec<&Access> =
            reads.into_iter().filter(|access| scope.depth(access).is_uncertain).collect();
        others.extend(sparse);
        let others: HashSet<&Access> = others.into_iter().filter(|access| may_lack(access)).collect();
        let are_many = others.len() > MOST_IN_CASES || self.has_too_many_cases(scope);
        if are_many && may_lack(operand) {
            let then = self.at_run_time(scope.clone(), id, var, slice::from_ref(operand))?;
            return Ok(Presences::AtRunTime(Box::new(then)));
        }
        Ok(Presences::Cases(self.cases(scope, id, var, slice::from_ref(operand))?))
    }

    /// One body, in which each operand is present or absent at run time.
    fn at_run_time(
        &mut self,
        mut scope: Scope<'_>,
        id: LoopId,
        var: Var,
        operands: &[Access],
    ) -> Result<super::Visit> {
        operands.iter().for_each(|operand| take(&mut scope, operand, Certainty::AtRunTime));
        self.visit(&scope, id, var)
    }

    /// A body for every case of the operands.
    fn cases(&mut self, scope: &Scope<'_>, id: LoopId, var: Var, operands: &[Access]) -> Result<Cases> {
        if !self.is_live_without(scope, id, &[]) {
            return Ok(Cases::Dead);
        }
        let Some((operand, others)) = operands.split_first() else {
            return Ok(Cases::Visit(Box::new(self.visit(scope, id, var)?)));
        };
        let (mut with, mut without) = (scope.clone(), scope.clone());
        take(&mut with, operand, Certainty::Certain);
        without.absent.push(operand.clone());
        let present = Box::new(self.cases(&with, id, var, others)?);
        Ok(Cases::Test { present, absent: Box::new(self.cases(&without, id, var, others)?) })
    }
}

fn merge(
    scope: &Scope<'_>,
    var: Var,
    operands: &[Access],
    reserve: Option<super::ResultLevel>,
    kind: MergeKind,
) -> VisitKind {
    let part = scope.part;
    VisitKind::Merge(Box::new(MergePlan { var, operands: operands.to_vec(), part, reserve, kind }))
}

/// Whether an operand is known to store a coordinate.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Certainty {
    Certain,
    AtRunTime,
}

/// Goes down to the coordinate that a cursor into an access's next level has come to.
fn take(scope: &mut Scope<'_>, access: &Access, certainty: Certainty) {
    let (depth, levels) = (scope.depth(access), scope.levels(access));
    let own = if levels[depth.levels].expr == LevelExpr::Slot { depth.levels + 1 } else { depth.levels };
    let is_uncertain = certainty == Certainty::AtRunTime;
    scope.set_depth(access, Depth { levels: own + 1, is_range: repeats(levels, own), is_uncertain });
}
