//! How what `order` has taken out of loops is kept: densely where there is memory for that, in a hash table
//! of points elsewhere.

use super::Schedule;
use super::order::{add_indices, uses_of};
use super::part::where_of;
use crate::nest::{self, Relations, WorkspaceKind, loops_around, point};
use comet_format::{Format, IndexWidth, Level, LevelExpr, LevelKind};
use comet_ir::{Builder, Loc, Op, Result, Val, cin, format, pass, types};

/// A workspace for what was computed in a scalar, or in a dense workspace with fewer indices.
pub(super) struct TakenOut<'c> {
    pub(super) workspace: Val<'c>,
    /// The command's.
    pub(super) location: Loc<'c>,
    /// The loop that went outside.
    pub(super) inner: String,
    /// The loops that it went outside of, and those inside of them.
    pub(super) loops: Vec<String>,
}

impl<'c> Schedule<'c> {
    /// After the commands: what other loops there are is known now.
    pub(super) fn settle_workspaces(&self) -> Result<'c, ()> {
        self.taken_out.iter().try_for_each(|taken_out| self.settle(taken_out))
    }

    fn settle(&self, taken_out: &TakenOut<'c>) -> Result<'c, ()> {
        let workspace = taken_out.workspace;
        let Some(place) = Place::of(self.compute, workspace) else { return Ok(()) };
        pass::decided(taken_out.location, || place.remark(taken_out));
        if place.fits_densely() { Ok(()) } else { place.keep_as_points(workspace) }
    }
}

/// Where a workspace is read.
struct Place<'c> {
    compute: cin::Compute<'c>,
    relations: Relations<'c>,
    where_op: cin::Where<'c>,
    /// What it is read under.
    indices: Vec<Val<'c>>,
    /// The variables of the loops there.
    loops: Vec<Val<'c>>,
}

impl<'c> Place<'c> {
    fn of(compute: cin::Compute<'c>, workspace: Val<'c>) -> Option<Self> {
        let where_op = where_of(workspace)?;
        let access = uses_of(where_op, workspace).into_iter().find_map(Op::cast::<cin::Access>)?;
        let (indices, loops) = (access.indices(), loops_around(access, compute));
        Some(Self { compute, relations: nest::relations(compute), where_op, indices, loops })
    }

    /// Whether there is memory for all elements: they are few, or as many as those of a dense tensor. Where
    /// no tensor stores any index densely, extents may be beyond it.
    fn fits_densely(&self) -> bool {
        /// An array of so many elements is nothing to any machine.
        const ALWAYS: i64 = 1 << 20;
        let roots: Vec<Val<'c>> =
            self.indices.iter().flat_map(|index| self.relations.roots(*index)).collect();
        let extents = roots.iter().copied().map(nest::constant_extent).collect::<Option<Vec<_>>>();
        let size = extents.and_then(|extents| extents.into_iter().try_fold(1, i64::checked_mul));
        let is_dense = |level: &Level| level.kind.is_full();
        self.indices.is_empty()
            || size.is_some_and(|size| size <= ALWAYS)
            || self.tensors().into_iter().any(|(format, indices)| {
                let own: Vec<Val<'c>> =
                    indices.iter().flat_map(|index| self.relations.roots(*index)).collect();
                let has_all = roots.iter().all(|root| own.contains(root));
                (format.is_dense() && has_all) || (roots.len() == 1 && format.levels.iter().any(is_dense))
            })
    }

    /// The tensors of the compute, workspaces aside, with what they are read and assigned under.
    fn tensors(&self) -> Vec<(Format, Vec<Val<'c>>)> {
        let reads = self.compute.walk::<cin::Access>();
        let assigns = self.compute.walk::<cin::Assign>().into_iter().map(point);
        let points = reads.into_iter().map(point).chain(assigns);
        let points = points.filter(|(tensor, _)| where_of(*tensor).is_none());
        points.map(|(tensor, indices)| (format::of(tensor), indices)).collect()
    }

    fn remark(&self, taken_out: &TakenOut<'c>) -> String {
        let TakenOut { workspace, inner, loops, .. } = taken_out;
        let (name, loops) = (nest::name(*workspace), loops.join("`, `"));
        let what =
            format!("what the loop over `{inner}` computes for each `{loops}` goes into `{name}` first");
        let indices: Vec<String> = self.indices.iter().map(|index| nest::name(*index)).collect();
        let indices = indices.join("`, `");
        match self.fits_densely() {
            _ if indices.is_empty() => format!("{what}, a scalar: it is always the same"),
            true => format!("{what}, a dense workspace over `{indices}`"),
            false => {
                format!("{what}, a hash table of points over `{indices}`: not all elements may have room")
            }
        }
    }

    /// Points are stored in the order of the loops that read them.
    fn keep_as_points(&self, workspace: Val<'c>) -> Result<'c, ()> {
        let temporary = nest::temporary(workspace).expect("a workspace is declared");
        let mut modes: Vec<usize> = (0..self.indices.len()).collect();
        modes.sort_by_key(|mode| self.depth(self.indices[*mode]));
        let level = |mode| Level { expr: LevelExpr::Mode(mode), kind: LevelKind::CompressedUnique };
        let levels = modes.into_iter().map(level).collect();
        let format = Format { rank: self.indices.len(), levels, index_width: IndexWidth::I64 };
        let b = Builder::before(temporary).with_location(temporary.location());
        let encoding = format::to_attribute(b.context(), &format, format::Memory::Unspecified);
        let ty = types::tensor(&vec![None; format.rank], types::element_of(workspace), encoding);
        let points = cin::Temporary::build(b, temporary.name(), WorkspaceKind::Hash, ty)?.tensor();
        uses_of(self.where_op, workspace).into_iter().try_for_each(|op| add_indices(op, points, &[]))?;
        temporary.erase();
        Ok(())
    }

    /// How far inside the loop is that decides an index.
    fn depth(&self, index: Val<'c>) -> Option<usize> {
        let (relations, roots) = (&self.relations, self.relations.roots(index));
        let has_part = |var: &Val<'c>| relations.roots(*var).iter().any(|root| roots.contains(root));
        let own = self.loops.iter().position(|var| relations.unbounded(*var) == index);
        own.or_else(|| self.loops.iter().rposition(has_part))
    }
}
