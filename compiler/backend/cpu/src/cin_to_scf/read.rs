//! What a plan is made of: the compute as plain data, and what the analyses of the passes know of it.

use super::plan::{Assembly, Drained, Facts, LoopFacts, TensorFacts};
use comet_format::Level;
use comet_ir::{IrError, Op, Result, cin};
use comet_notation::concrete::{AssignId, Compute, TensorId, WhereId};
use comet_passes::assembly::appended_groups;
use comet_passes::cin::parallelize::{obstacle, shared_sum};
use comet_passes::cin::sparse_workspace::{is_pack, packed_into};
use comet_passes::cin::vectorize_sums::sums_lanes;
use comet_passes::concrete::{self, Handles};
use comet_passes::drain::drained;
use comet_passes::nest::{self, Relations, divides_integers};

/// Reads a `cin.compute`.
///
/// # Errors
/// An operation that the CPU back end does not know.
pub(super) fn read(op: Op<'_>) -> Result<'_, (Compute, Handles<'_>, Facts)> {
    let (compute, handles, others) = concrete::read(op);
    if let Some(other) = others.first() {
        return Err(IrError::not_supported(other.location(), format!("`{}` on the CPU", other.name())));
    }
    let reader = Reader { op, relations: nest::relations(op), compute: &compute, handles: &handles };
    let facts = reader.facts();
    Ok((compute, handles, facts))
}

struct Reader<'a, 'c> {
    op: Op<'c>,
    relations: Relations<'c>,
    compute: &'a Compute,
    handles: &'a Handles<'c>,
}

impl<'c> Reader<'_, 'c> {
    fn facts(&self) -> Facts {
        let compute = self.op.typed::<cin::Compute>();
        let assembly = match (compute.counted(), compute.appended()) {
            (true, _) => Assembly::Counted,
            (false, true) => Assembly::Appended,
            (false, false) => Assembly::Unspecified,
        };
        let packs = (0..self.handles.assigns.len()).map(AssignId);
        Facts {
            assembly,
            tensors: (0..self.compute.tensors.len()).map(|tensor| self.tensor(TensorId(tensor))).collect(),
            loops: self.handles.loops.iter().map(|forall| self.forall(forall.typed())).collect(),
            packs: packs.filter(|assign| is_pack(self.handles.assigns[assign.0].typed())).collect(),
        }
    }

    fn tensor(&self, id: TensorId) -> TensorFacts {
        let tensor = self.handles.tensors[id.0];
        let scope = self.where_of(id).map_or(self.op, |statement| self.handles.wheres[statement.0]);
        let is_dense = self.compute.tensor(id).format.is_dense();
        let appended = if is_dense { None } else { appended_groups(scope, tensor, &self.relations) };
        let Some(temporary) = cin::Temporary::defining(tensor) else {
            return TensorFacts { appended, ..TensorFacts::default() };
        };
        TensorFacts {
            appended,
            drained: self.drained(temporary),
            packed_into: packed_into(temporary).and_then(|target| self.handles.tensor(target)),
            capacity: temporary.capacity().and_then(|points| u64::try_from(points).ok()),
        }
    }

    /// The where-statement that computes a workspace.
    fn where_of(&self, tensor: TensorId) -> Option<WhereId> {
        let is_it = |assign: &AssignId| self.compute.assign(*assign).target.tensor == tensor;
        self.compute.wheres.iter().position(|statement| statement.produced.iter().any(is_it)).map(WhereId)
    }

    fn drained(&self, temporary: cin::Temporary<'c>) -> Option<Drained> {
        let drained = drained(temporary)?;
        let visits_all = match drained.vars.len() {
            1 => vec![false],
            _ => drained.levels().iter().map(|level: &Level| level.kind.is_full()).collect(),
        };
        let vars = drained.vars.iter().map(|var| self.handles.var(*var)).collect::<Option<_>>()?;
        Some(Drained { vars, visits_all })
    }

    fn forall(&self, forall: cin::Forall<'c>) -> LoopFacts {
        let tensor = |tensor| self.handles.tensor(tensor);
        LoopFacts {
            has_obstacle: obstacle(&self.relations, forall).is_some(),
            shared_sum: shared_sum(&self.relations, forall).and_then(tensor),
            lane_sum: sums_lanes(forall, &self.relations).and_then(tensor),
            divides_integers: divides_integers(*forall),
        }
    }
}
