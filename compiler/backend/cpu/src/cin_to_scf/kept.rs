//! Declares the tensors that workspaces are kept in, in front of a compute.

use super::plan::ComputePlan;
use comet_ir::{Builder, Op, Result, Val, ta};
use comet_notation::concrete::{Compute, Origin, TensorId, Var};
use comet_notation::relations::Blocks;
use comet_passes::concrete::Handles;
use melior::ir::ValueLike;
use std::collections::HashMap;

/// Declares a tensor for each workspace that is kept in one of its own.
pub(super) fn declare_tensors<'c>(
    op: Op<'c>,
    (compute, handles): (&Compute, &Handles<'c>),
    plan: &ComputePlan,
) -> Result<'c, HashMap<TensorId, Val<'c>>> {
    let declare = |workspace: &TensorId| {
        let value = handles.tensors[workspace.0];
        let location = Op::defining(value).map_or(op.location(), |op| op.location());
        let b = Builder::before(op).with_location(location);
        let (zero, one) = (b.index(0)?, b.index(1)?);
        let assigned = compute.assigns.iter().find(|assign| assign.target.tensor == *workspace);
        let mut labels = Vec::new();
        for var in &assigned.expect("a where-statement assigns to a workspace").target.indices {
            let most = most_values(b, (compute, handles), *var)?;
            labels.push(ta::IndexLabelStatic::build(b, &compute.var(*var).name, zero, most, one)?.label());
        }
        let name = &compute.tensor(*workspace).name;
        Ok((*workspace, ta::TensorDecl::build(b, name, &labels, value.r#type())?.tensor()))
    };
    plan.kept.iter().map(declare).collect()
}

/// At least as many values as a variable of the expression, or a part of one, has in any iteration of the
/// loops around.
fn most_values<'c>(
    b: Builder<'c>,
    (compute, handles): (&Compute, &Handles<'c>),
    var: Var,
) -> Result<'c, Val<'c>> {
    let relations = &compute.relations;
    let var = relations.unbounded(var);
    if compute.var(var).origin == Origin::Expression {
        return Ok(handles.extent(var));
    }
    let split =
        relations.split_into(var).expect("a workspace has variables of the expression, or parts of them");
    match (split.blocks, split.outer == var) {
        (Blocks::OfSize(number), false) | (Blocks::InNumber(number), true) => b.index(number as i64),
        (Blocks::OfSize(number), true) | (Blocks::InNumber(number), false) => {
            let whole = most_values(b, (compute, handles), split.var)?;
            let (number, last) = (b.index(number as i64)?, b.index(number as i64 - 1)?);
            let blocks = b.divi(b.addi(whole, last)?, number)?;
            b.maxi(blocks, b.index(1)?)
        }
    }
}
