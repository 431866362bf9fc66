//! Tensors that workspaces are kept in: those in the levels of a format, and dense ones without a sparse
//! result that would keep their arrays.

use super::dense_workspace::vars_of;
use super::point::Point;
use super::workspace::is_temporary;
use comet_dialects::cin::{AssignOperation, IndexVarOperation, TemporaryOperation};
use comet_ir::{Builder, Op, Result, Val, types};
use comet_passes::cin::sparse_workspace::{is_pack, packed_into};
use comet_passes::drain::drained;
use comet_passes::nest::{self, Blocks, Relations, WorkspaceKind};
use melior::ir::ValueLike;

/// Declares tensors in front of a compute for the workspaces that are kept in some: those in the levels of a
/// format, and dense ones that no sparse result of the compute keeps.
pub(super) fn declare_tensors(compute: Op<'_>) -> Result<'_, Vec<(Val<'_>, Val<'_>)>> {
    let assigns =
        compute.descendants::<AssignOperation>().into_iter().filter(|assign| !is_pack(assign.typed()));
    let has_result =
        assigns.map(Point::of).any(|point| !is_temporary(point.tensor) && !point.format().is_dense());
    let is_kept = |temporary: &Op<'_>| match WorkspaceKind::of(*temporary) {
        WorkspaceKind::Levels => true,
        WorkspaceKind::Hash | WorkspaceKind::List => packed_into(temporary.typed()).is_none(),
        WorkspaceKind::Dense => !has_result || drained(temporary.typed()).is_none(),
        _ => false,
    };
    let temporaries = compute.descendants::<TemporaryOperation>().into_iter().filter(is_kept);
    temporaries.map(|temporary| Ok((temporary.result(0), declare(compute, temporary)?))).collect()
}

fn declare<'c>(compute: Op<'c>, temporary: Op<'c>) -> Result<'c, Val<'c>> {
    let b = Builder::before(compute).with_location(temporary.location());
    let (zero, one) = (b.index(0)?, b.index(1)?);
    let mut labels = Vec::new();
    let relations = Relations::of(compute);
    for var in vars_of(temporary) {
        let name = [("name", b.string_attribute(&nest::name(var)))];
        let bounds = [zero, most_values(b, &relations, var)?, one];
        labels.push(b.op("ta.index_label_static", &bounds, &[types::range(b.context())], &name)?.result(0));
    }
    let name = [("name", b.string_attribute(&nest::name(temporary.result(0))))];
    let ty = temporary.result(0).r#type();
    Ok(b.op("ta.tensor_decl", &labels, &[ty], &name)?.result(0))
}

/// At least as many as a variable of the expression, or a part of one, has in any round of the loops around.
fn most_values<'c>(b: Builder<'c>, relations: &Relations<'c>, var: Val<'c>) -> Result<'c, Val<'c>> {
    let var = relations.unbounded(var);
    if let Some(declaration) = Op::defining(var).filter(|op| op.is::<IndexVarOperation>()) {
        return Ok(declaration.operand(0));
    }
    let quotient = relations.quotient_of(var);
    let split = quotient.or_else(|| relations.remainder_of(var));
    let split = split.expect("a workspace has variables of the expression, or parts of them");
    match (split.blocks, quotient.is_some()) {
        (Blocks::OfSize(number), false) | (Blocks::InNumber(number), true) => b.index(number as i64),
        (Blocks::OfSize(number), true) | (Blocks::InNumber(number), false) => {
            let whole = most_values(b, relations, split.var)?;
            let (number, last) = (b.index(number as i64)?, b.index(number as i64 - 1)?);
            let blocks = b.divi(b.addi(whole, last)?, number)?;
            b.maxi(blocks, b.index(1)?)
        }
    }
}
