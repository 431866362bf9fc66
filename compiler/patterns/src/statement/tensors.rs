//! The tensors of a compute, with the levels that they have on the way.

use super::{Entry, Reader, Source, format, value};
use comet_dialects::cin::{AssignOperation, CombineOperation, ForallOperation, MaskOperation};
use comet_ir::format::{Memory, memory_of_type};
use comet_ir::{IrError, Op, Result, Val, pass};
use comet_passes::nest::{self, WorkspaceKind};
use comet_passes::operator;
use comet_runtime::format::Format;
use comet_spatial::app::{Level, LevelKind};
use comet_spatial::lower::{Access, Home, Tensor};
use melior::ir::ValueLike;

impl<'c> Reader<'c> {
    /// A tensor at a point, over variables of the expression.
    pub(super) fn access(&mut self, op: Op<'c>, is_target: bool) -> Result<'c, Access> {
        let (tensor, indices) = nest::point(op);
        let mut roots = Vec::new();
        for index in indices {
            let index = self.relations.unbounded(index);
            match self.relations.roots(index)[..] {
                [root] if root == index => roots.push(root),
                _ => {
                    let what = format!("`{}` under a part of a variable, as a pattern", nest::name(tensor));
                    return Err(IrError::not_supported(op.location(), what));
                }
            }
        }
        let number = self.tensor(op, tensor, &roots, is_target)?;
        let indices = roots.into_iter().map(|root| self.var(root)).collect();
        Ok(Access { tensor: number, indices })
    }

    /// A tensor may be there several times, in the orders of several nests of loops.
    fn tensor(
        &mut self,
        op: Op<'c>,
        tensor: Val<'c>,
        roots: &[Val<'c>],
        is_target: bool,
    ) -> Result<'c, usize> {
        let own = comet_ir::format::of_type(tensor.r#type());
        let wanted = self.wanted(op, tensor, roots, &own)?;
        let temporary = nest::temporary(tensor);
        let home = temporary.map_or(Home::OffChip, home);
        if home != Home::OffChip && memory_of_type(tensor.r#type()) == Memory::OffChip {
            pass::decided(op.location(), || {
                format!(
                    "`{}` is on chip: only sparse workspaces around all loops are off",
                    nest::name(tensor)
                )
            });
        }
        let levels = match home {
            Home::OffChip => format::levels(wanted.as_ref().unwrap_or(&own)),
            Home::OnChip | Home::Scalar => dense_levels(roots.len()),
        };
        let entries = || self.tensors.iter().filter(|entry| entry.value == tensor);
        let known =
            self.tensors.iter().position(|entry| entry.value == tensor && entry.tensor.levels == levels);
        if let Some(place) = known {
            return Ok(place);
        }
        let others = entries().count();
        let is_written = is_target || temporary.is_some() || entries().any(|entry| !entry.is_operand());
        if others > 0 && is_written {
            let what = format!("`{}` in two orders of its modes, as a pattern", nest::name(tensor));
            return Err(IrError::not_supported(op.location(), what));
        }
        let source = match (temporary, is_target) {
            (Some(_), _) => Source::Temporary,
            (None, true) => Source::Result(tensor, wanted),
            (None, false) => Source::Operand(tensor, wanted),
        };
        let own = self.names.of(tensor);
        let name = if others == 0 { own } else { self.names.fresh(&format!("{own}_order{}", others + 1)) };
        let entry = Tensor {
            name,
            element: value::element(comet_ir::types::element(tensor.r#type())),
            levels,
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
        let repeats = (1..roots.len()).any(|mode| roots[..mode].contains(&roots[mode]));
        if !repeats || own.is_dense() {
            return Ok(format::in_order(own, &self.places(op, roots)));
        }
        // In a dense copy, coordinates that are equal lie at places that are known.
        if op.is::<AssignOperation>() || !self.has_dense_result() || !self.is_arithmetic() {
            let what = format!("`{}` with one variable for several modes, as a pattern", nest::name(tensor));
            let error = IrError::not_supported(op.location(), what);
            return Err(error.hint("store it, and what is computed, as `Dense`"));
        }
        Ok(Some(comet_ir::format::dense(roots.len())))
    }

    /// Whether an access reads a dense copy of a tensor that is sparse.
    pub(super) fn is_copied_dense(&self, access: &Access) -> bool {
        let entry = &self.tensors[access.tensor];
        let own = comet_ir::format::of_type(entry.value.r#type());
        matches!(&entry.source, Source::Operand(_, Some(copy)) if copy.is_dense() && !own.is_dense())
    }

    fn has_dense_result(&self) -> bool {
        let targets = self.compute.descendants::<AssignOperation>().into_iter();
        let mut targets =
            targets.map(|assign| nest::point(assign).0).filter(|target| !nest::is_temporary(*target));
        targets.all(|target| comet_ir::format::of_type(target.r#type()).is_dense())
    }

    /// Whether what is not stored counts as 0 and nothing else: sums and products, added up.
    fn is_arithmetic(&self) -> bool {
        use operator::{Operator, Reduction};
        let has_masks = !self.compute.descendants::<MaskOperation>().is_empty();
        let mut combines = self.compute.descendants::<CombineOperation>().into_iter();
        let mut assigns = self.compute.descendants::<AssignOperation>().into_iter();
        !has_masks
            && combines.all(|combine| Operator::of(combine) == Operator::Mul)
            && assigns.all(|assign| matches!(Reduction::of(assign), Reduction::Set | Reduction::Add))
    }

    /// Where the loops around an operation come to variables.
    fn places(&self, op: Op<'c>, roots: &[Val<'c>]) -> Vec<usize> {
        let around = nest::loops_around(op, self.compute).into_iter();
        let around: Vec<Val<'c>> =
            around.flat_map(|var| self.relations.roots(self.relations.unbounded(var))).collect();
        let place = |root: &Val<'c>| around.iter().position(|other| other == root).unwrap_or(usize::MAX);
        roots.iter().map(place).collect()
    }
}

impl Entry<'_> {
    fn is_operand(&self) -> bool {
        matches!(self.source, Source::Operand(..))
    }
}

fn dense_levels(rank: usize) -> Vec<Level> {
    (0..rank).map(|mode| Level { mode, kind: LevelKind::Dense }).collect()
}

/// Where a temporary is. One that is computed anew in the rounds of a loop is a dense array on chip.
fn home(temporary: Op<'_>) -> Home {
    match WorkspaceKind::of(temporary) {
        WorkspaceKind::Scalar => Home::Scalar,
        _ if temporary.ancestors().any(|around| around.is::<ForallOperation>()) => Home::OnChip,
        WorkspaceKind::Dense | WorkspaceKind::Registers => Home::OnChip,
        WorkspaceKind::Hash | WorkspaceKind::List | WorkspaceKind::Levels => Home::OffChip,
    }
}
