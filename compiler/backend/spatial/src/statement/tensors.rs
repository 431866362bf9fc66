//! The tensors of a compute, with the levels that they have on the way.

use super::{ComputeReader, Entry, Source, format, value};
use comet_format::{Format, Level, LevelExpr, LevelKind};
use comet_ir::cin::WorkspaceKind;
use comet_ir::format::{Memory, memory_of_type};
use comet_ir::{IrError, Op, Result, Val, cin, pass};
use comet_passes::nest;
use comet_spatial::app::{Role, whole};
use comet_spatial::lower::{Home, NestAccess, NestTensor};
use melior::ir::ValueLike;

impl<'c> ComputeReader<'c> {
    /// A tensor at a point, over variables of the expression.
    pub(super) fn access(&mut self, op: Op<'c>, role: Role) -> Result<'c, NestAccess> {
        let (tensor, indices) = nest::point(op);
        let mut roots = Vec::new();
        for index in indices {
            let index = self.relations.unbounded(index);
            match self.relations.roots(index)[..] {
                [root] if root == index => roots.push(root),
                // A temporary of what one tile needs.
                _ if self.part_of(index).is_some() => roots.push(index),
                // The loop over tiles goes over all of a variable that is not divided, one value at a time.
                [root] if self.relations.remainder_of(index).is_some_and(|split| split.var == root) => {
                    roots.push(root);
                }
                _ => {
                    let what = format!("`{}` under a part of a variable, as a pattern", nest::name(tensor));
                    return Err(IrError::not_supported(op.location(), what));
                }
            }
        }
        let number = self.tensor(op, tensor, &roots, role)?;
        let indices = self.indices(&roots).into_iter().map(|index| self.var(index.var)).collect();
        Ok(NestAccess { tensor: number, indices })
    }

    /// A tensor may be there several times, in the orders of several nests of loops.
    fn tensor(&mut self, op: Op<'c>, tensor: Val<'c>, roots: &[Val<'c>], role: Role) -> Result<'c, usize> {
        let own = comet_ir::format::of_type(tensor.r#type());
        let wanted = self.wanted(op, tensor, roots, &own)?;
        let temporary = nest::temporary(tensor);
        let home = temporary.map_or(Home::OffChip, |temporary| home(temporary));
        if home != Home::OffChip && memory_of_type(tensor.r#type()) == Memory::OffChip {
            pass::decided(op.location(), || {
                format!(
                    "`{}` is on chip: only sparse workspaces around all loops are off",
                    nest::name(tensor)
                )
            });
        }
        let indices = self.indices(roots);
        let parts: Vec<LevelExpr> = indices.iter().map(|index| index.part).collect();
        let levels = match home {
            Home::OffChip => format::levels(wanted.as_ref().unwrap_or(&own), &parts),
            Home::OnChip | Home::Scalar => dense_levels(indices.len()),
        };
        let entries = || self.tensors.iter().filter(|entry| entry.value == tensor);
        let known =
            self.tensors.iter().position(|entry| entry.value == tensor && entry.tensor.levels == levels);
        if let Some(place) = known {
            return Ok(place);
        }
        let others = entries().count();
        let is_written =
            role == Role::Result || temporary.is_some() || entries().any(|entry| !entry.is_operand());
        if others > 0 && is_written {
            let what = format!("`{}` in two orders of its modes, as a pattern", nest::name(tensor));
            return Err(IrError::not_supported(op.location(), what));
        }
        let source = match (temporary, role == Role::Result) {
            (Some(_), _) => Source::Temporary,
            (None, true) => Source::Result(tensor, wanted),
            (None, false) => Source::Operand(tensor, wanted),
        };
        let own = self.names.of(tensor);
        let name = if others == 0 { own } else { self.names.fresh(&format!("{own}_order{}", others + 1)) };
        let entry = NestTensor {
            name,
            element: value::element(comet_ir::types::element(tensor.r#type())),
            levels,
            modes: parts.iter().map(|part| part.mode().expect("an index is of a mode")).collect(),
            home,
            is_resident: memory_of_type(tensor.r#type()) == Memory::OnChip,
            is_temporary: temporary.is_some(),
        };
        self.tensors.push(Entry { value: tensor, tensor: entry, source });
        Ok(self.tensors.len() - 1)
    }

    /// The format to copy a tensor to, or from, if its own is not what applications have there.
    fn wanted(
        &self,
        op: Op<'c>,
        tensor: Val<'c>,
        roots: &[Val<'c>],
        own: &Format,
    ) -> Result<'c, Option<Format>> {
        let around = self.loops_around(op);
        let place = |var| around.iter().position(|other| *other == var).unwrap_or(usize::MAX);
        let indices = self.indices(roots).into_iter();
        let places: Vec<(LevelExpr, usize)> = indices.map(|index| (index.part, place(index.var))).collect();
        let repeats = (1..roots.len()).any(|mode| roots[..mode].contains(&roots[mode]));
        if !repeats || own.is_dense() {
            return Ok(format::in_order(own, &places));
        }
        // In a dense copy, coordinates that are equal lie at places that are known.
        if op.is::<cin::Assign>() || !self.has_dense_result() || !format::is_arithmetic(self.compute) {
            let what = format!("`{}` with one variable for several modes, as a pattern", nest::name(tensor));
            let error = IrError::not_supported(op.location(), what);
            return Err(error.hint("store it, and what is computed, as `Dense`"));
        }
        let dense = comet_ir::format::dense(roots.len());
        // Modes that tiles divide have two levels each.
        Ok(format::in_order(&dense, &places).or(Some(dense)))
    }

    /// Whether an access reads a dense copy of a tensor that is sparse.
    pub(super) fn is_copied_dense(&self, access: &NestAccess) -> bool {
        let entry = &self.tensors[access.tensor];
        let own = comet_ir::format::of_type(entry.value.r#type());
        matches!(&entry.source, Source::Operand(_, Some(copy)) if copy.is_dense() && !own.is_dense())
    }

    fn has_dense_result(&self) -> bool {
        let targets = self.compute.descendants::<cin::Assign>().into_iter();
        let mut targets =
            targets.map(|assign| nest::point(assign).0).filter(|target| !nest::is_temporary(*target));
        targets.all(|target| comet_ir::format::of_type(target.r#type()).is_dense())
    }

    /// The variables of the loops around an operation, the outermost first.
    fn loops_around(&self, op: Op<'c>) -> Vec<Val<'c>> {
        let around = nest::loops_around(op, self.compute).into_iter();
        around.flat_map(|var| self.looped(var)).collect()
    }

    /// The variables under which a tensor is accessed, mode by mode: two of a mode that tiles divide.
    fn indices(&self, roots: &[Val<'c>]) -> Vec<Index<'c>> {
        let mut indices = Vec::new();
        for (mode, root) in roots.iter().enumerate() {
            let Some(tiled) = self.tiles_of(*root) else {
                indices.push(Index { var: *root, part: LevelExpr::Mode(mode) });
                continue;
            };
            indices.push(Index { var: tiled.tile, part: LevelExpr::Div(mode, tiled.size) });
            indices.push(Index { var: tiled.within, part: LevelExpr::Mod(mode, tiled.size) });
        }
        indices
    }
}

/// A variable under which a tensor is accessed, and which part of which mode it stands for.
struct Index<'c> {
    var: Val<'c>,
    part: LevelExpr,
}

impl Entry<'_> {
    fn is_operand(&self) -> bool {
        matches!(self.source, Source::Operand(..))
    }
}

fn dense_levels(rank: usize) -> Vec<Level> {
    (0..rank).map(|mode| whole(mode, LevelKind::Dense)).collect()
}

/// Where a temporary is. One that is computed anew in the iterations of a loop is a dense array on chip.
fn home(temporary: cin::Temporary<'_>) -> Home {
    match temporary.kind() {
        WorkspaceKind::Scalar => Home::Scalar,
        _ if temporary.ancestors().any(|around| around.is::<cin::Forall>()) => Home::OnChip,
        WorkspaceKind::Dense | WorkspaceKind::Registers => Home::OnChip,
        WorkspaceKind::Hash | WorkspaceKind::List | WorkspaceKind::Levels => Home::OffChip,
    }
}
