//! Loops over the entries of a row that become one: the first computes the values of a sparse result, and the
//! second reads them.
//!
//! Before:
//! ```text
//! cin.forall %j {
//!   %0 = cin.access %A[%i, %j]
//!   %1 = cin.apply exp %0
//!   cin.assign %1 to %S[%i, %j] set
//! }
//! cin.where { … } producer {
//!   cin.forall %j {
//!     %2 = cin.access %S[%i, %j]
//!     cin.assign %2 to %t[] add
//!   }
//! }
//! ```
//! After:
//! ```text
//! cin.where { … } producer {
//!   cin.forall %j {
//!     %0 = cin.access %A[%i, %j]
//!     %1 = cin.apply exp %0
//!     cin.assign %1 to %S[%i, %j] set
//!     cin.assign %1 to %t[] add
//!   }
//! }
//! ```
//! The result must have the same coordinates in the joined loop as it had in its own: nothing else there may
//! need coordinates that it lacks, or be left out.

use super::{Point, is_scheduled};
use crate::assembly::appended_groups;
use crate::concrete::{self, Handles};
use crate::nest::{self, point};
use crate::patterns::{SharedPattern, Surrounding};
use comet_ir::cin::{self, Reduction};
use comet_ir::{Op, format};
use comet_notation::concrete::{AssignId, Compute, LoopId, Stmt, Value};
use melior::ir::ValueLike;

/// Makes one loop of each two that come one after the other in the body of a loop.
pub(super) fn share_loops(compute: cin::Compute<'_>, outermost: cin::Forall<'_>) {
    let is_step = |op: &Op<'_>| op.is::<cin::Forall>() || op.is::<cin::Where>() || op.is::<cin::Assign>();
    let steps: Vec<Op<'_>> = outermost.body().ops().into_iter().filter(is_step).collect();
    for pair in steps.windows(2) {
        if let (Some(first), Some(second)) = (EntryLoop::of(pair[0]), only_loop(pair[1]))
            && first.may_begin(second)
            && first.keeps_pattern(compute, second)
        {
            first.move_into(second);
        }
    }
}

/// A loop over the entries of a row that assigns a value to each.
struct EntryLoop<'c> {
    forall: cin::Forall<'c>,
    assign: cin::Assign<'c>,
}

impl<'c> EntryLoop<'c> {
    fn of(op: Op<'c>) -> Option<Self> {
        let forall = op.cast::<cin::Forall>().filter(|forall| !is_scheduled(forall))?;
        let ops = forall.body().ops();
        let (last, values) = ops.split_last()?;
        let assign = last.cast::<cin::Assign>()?;
        let tensor = assign.tensor();
        let is_whole = format::value_type(tensor.r#type()).is_computed();
        let is_fit = assign.reduction() == Reduction::Set && !format::of(tensor).is_dense() && is_whole;
        (is_fit && values.iter().all(|op| cin::is_value(*op))).then_some(Self { forall, assign })
    }

    /// Returns whether another loop visits the same entries, and needs nothing of this one but the value
    /// that is assigned in the same iteration.
    fn may_begin(&self, second: cin::Forall<'c>) -> bool {
        let target = point(self.assign);
        let own: Vec<Point<'c>> = self.forall.walk::<cin::Access>().into_iter().map(point).collect();
        let reads: Vec<Point<'c>> = second.walk::<cin::Access>().into_iter().map(point).collect();
        let is_known = |read: &Point<'c>| {
            *read == target || read.0 != target.0 && (format::of(read.0).is_dense() || own.contains(read))
        };
        let mut writes = second.walk::<cin::Assign>().into_iter().map(point);
        second.var() == self.forall.var()
            && !is_scheduled(&second)
            && reads.contains(&target)
            && reads.iter().all(is_known)
            && writes.all(|(tensor, _)| tensor != target.0 && own.iter().all(|(read, _)| *read != tensor))
    }

    /// Returns whether the result has the same coordinates in the joined loop, which is tried on plain data.
    fn keeps_pattern(&self, compute: cin::Compute<'c>, second: cin::Forall<'c>) -> bool {
        let (data, handles, _) = concrete::read(*compute);
        let Some(assign) = handles.assign(*self.assign) else { return false };
        let Some(joined) = self.joined((&data, &handles), assign, second) else { return false };
        if self.assign.in_place() {
            return Surrounding::of(&joined, assign).replaces(data.assign(assign).target.tensor);
        }
        let groups = appended_groups(compute, self.assign.tensor(), &nest::relations(compute));
        let pattern = |data: &Compute| -> Option<SharedPattern> {
            Surrounding::of(data, assign).pattern(groups.as_deref()?)
        };
        pattern(&data).is_some_and(|own| pattern(&joined) == Some(own))
    }

    /// Returns the compute as it is with both loops in one.
    fn joined(
        &self,
        (data, handles): (&Compute, &Handles<'c>),
        assign: AssignId,
        second: cin::Forall<'c>,
    ) -> Option<Compute> {
        let id = |forall: Op<'c>| handles.loops.iter().position(|other| *other == forall).map(LoopId);
        let (own, second) = (id(*self.forall)?, id(*second)?);
        let mut joined = data.clone();
        let assigned = data.value(data.assign(assign).value);
        for value in data.values_in(&[Stmt::Forall(second)]) {
            if matches!(data.value(value), Value::Access(access) if *access == data.assign(assign).target) {
                joined.values[value.0] = assigned.clone();
            }
        }
        let body = std::mem::take(&mut joined.loops[own.0].body);
        joined.loops[second.0].body.splice(0..0, body);
        let [Stmt::Forall(outermost)] = joined.body[..] else { return None };
        joined.loops[outermost.0].body.retain(|stmt| *stmt != Stmt::Forall(own));
        Some(joined)
    }

    fn move_into(self, second: cin::Forall<'c>) {
        let (target, value) = (point(self.assign), self.assign.value());
        let own = self.forall.body().ops();
        let first = second.body().ops()[0];
        own.iter().for_each(|op| op.move_before(first));
        self.forall.erase();
        let reads = second.walk::<cin::Access>().into_iter().filter(|access| point(*access) == target);
        for access in reads.filter(|access| own.iter().all(|op| *op != **access)) {
            access.replace(&[value]);
        }
    }
}

/// Returns a loop, or the one that a where-statement's producer consists of.
fn only_loop(op: Op<'_>) -> Option<cin::Forall<'_>> {
    let Some(statement) = op.cast::<cin::Where>() else { return op.cast() };
    let [only] = statement.producer().ops()[..] else { return None };
    only.cast()
}
