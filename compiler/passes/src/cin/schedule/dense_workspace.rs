//! `workspace(T, dense)`, `workspace(T, hash, n)`, `workspace(T, list, n)`: what comes to a sparse tensor in
//! any order is accumulated in a dense array, a hash table or a list of points first.

use super::Schedule;
use super::loops::{open, statements_of};
use super::part::where_of;
use crate::cin::sparse_workspace::SparseWorkspace;
use crate::cin::workspace;
use crate::nest::{self, WorkspaceKind, point};
use crate::operator::Reduction;
use crate::schedule::Command;
use comet_ir::{Block, Builder, IrError, Op, Result, Val, cin, format, types};
use melior::ir::ValueLike;

impl<'c> Schedule<'c> {
    /// The assignments to a tensor of that name.
    pub(super) fn assigns_to(&self, tensor: &str) -> Vec<Op<'c>> {
        let assigns = self.compute.descendants::<cin::Assign>();
        assigns.into_iter().filter(|assign| nest::name(point(*assign).0) == tensor).collect()
    }

    /// A dense tensor is its own workspace, and what comes once to each element, in order, needs none. Rows
    /// that are scattered into, and slices of several levels, get theirs from `cin-workspace`.
    pub(super) fn dense_workspace(&mut self, command: &Command<'c>, tensor: &str) -> Result<'c, ()> {
        let assigns = self.assigns_to(tensor);
        let Some(first) = assigns.first().copied() else { return Ok(()) };
        let (target, indices) = point(first);
        let reduction = Reduction::of(first);
        if format::of_type(target.r#type()).is_dense() || reduction == Reduction::Set {
            return Ok(());
        }
        let is_temporary = nest::is_temporary(target);
        if !is_temporary && workspace::demand_dense_rows(self.compute) {
            return Ok(());
        }
        let is_alike = |assign: &Op<'c>| {
            point(*assign) == (target, indices.clone()) && Reduction::of(*assign) == reduction
        };
        if !assigns.iter().all(is_alike) {
            let what = "a dense workspace for several kinds of assignments to one tensor";
            return Err(IrError::not_supported(command.location(), what));
        }
        let body =
            if is_temporary { where_of(target).map(|op| op.body(1)) } else { Some(self.compute.body(0)) };
        let Some(body) = body else { return Ok(()) };
        self.accumulate(command, body, &assigns)
    }

    /// What comes to a sparse tensor in any order is collected as points first; a dense tensor is its own
    /// workspace.
    pub(super) fn sparse_workspace(&mut self, tensor: &str, workspace: SparseWorkspace) -> Result<'c, ()> {
        let assigns = self.assigns_to(tensor);
        let Some(first) = assigns.first().copied() else { return Ok(()) };
        let (target, _) = point(first);
        if format::of_type(target.r#type()).is_dense() {
            return Ok(());
        }
        match nest::temporary(target) {
            Some(temporary) => workspace.become_of(temporary),
            None => workspace.insert(self.compute.body(0), &assigns)?,
        }
        Ok(())
    }

    /// Moves a block into the producer of a workspace over all elements of what it assigns to.
    fn accumulate(&mut self, command: &Command<'c>, body: Block<'c>, assigns: &[Op<'c>]) -> Result<'c, ()> {
        let (target, indices) = point(assigns[0]);
        let vars = nest::in_storage_order(target, &indices);
        let own = self.over_same_extents(command, &vars)?;
        let moved: Vec<Op<'c>> = statements_of(body);
        let b = Builder::before(moved[0]).with_location(command.location());
        let element = assigns[0].operand(0).r#type();
        let name = format!("{}_workspace", nest::name(target));
        let attributes =
            [("name", b.string_attribute(&name)), ("kind", b.enum_attribute(WorkspaceKind::Dense as i32))];
        let ty = types::tensor(&vec![None; vars.len()], element, None);
        let workspace = b.op("cin.temporary", &[], &[ty], &attributes)?.result(0);
        let regions = vec![b.region(&[]), b.region(&[])];
        let where_op = b.op_with_regions("cin.where", &[], &[], &[], regions)?;
        for op in moved {
            op.move_to_end(where_op.body(1));
        }
        for assign in assigns {
            let at = Builder::before(*assign);
            let operands = [vec![assign.operand(0), workspace], vars.clone()].concat();
            let reduction = at.enum_attribute(Reduction::of(*assign) as i32);
            at.op("cin.assign", &operands, &[], &[("reduction", reduction)])?;
            assign.erase();
        }
        let stored = indices.iter().map(|index| own_of(&vars, &own, *index)).collect::<Vec<_>>();
        drain(b.inside(where_op.body(0)), workspace, target, &own, &stored)
    }

    fn over_same_extents(&self, command: &Command<'c>, vars: &[Val<'c>]) -> Result<'c, Vec<Val<'c>>> {
        let declare = |var: &Val<'c>| {
            let Some(declaration) = Op::defining(*var).filter(|op| op.is::<cin::IndexVar>()) else {
                let what =
                    format!("a dense workspace over `{}`, which is a part of an index", nest::name(*var));
                return Err(IrError::not_supported(command.location(), what));
            };
            let b = self.declarations(command);
            let name = [("name", b.string_attribute(&format!("{}w", nest::name(*var))))];
            let ty = types::cin_index(b.context());
            Ok(b.op("cin.index_var", &[declaration.operand(0)], &[ty], &name)?.result(0))
        };
        vars.iter().map(declare).collect()
    }
}

fn own_of<'c>(vars: &[Val<'c>], own: &[Val<'c>], var: Val<'c>) -> Val<'c> {
    let place = vars.iter().position(|other| *other == var).expect("the levels store every index");
    own[place]
}

/// Moves what came to a workspace into the tensor.
fn drain<'c>(
    b: Builder<'c>,
    workspace: Val<'c>,
    target: Val<'c>,
    vars: &[Val<'c>],
    indices: &[Val<'c>],
) -> Result<'c, ()> {
    let mut b = b;
    for var in vars {
        b = b.inside(open(b, *var)?.body(0));
    }
    let operands = [vec![workspace], vars.to_vec()].concat();
    let value = b.value("cin.access", &operands, types::element(workspace.r#type()))?;
    let operands = [vec![value, target], indices.to_vec()].concat();
    let set = [("reduction", b.enum_attribute(Reduction::Set as i32))];
    b.op("cin.assign", &operands, &[], &set).map(|_| ())
}
