//! `workspace(T, dense)`, `workspace(T, hash, n)`, `workspace(T, list, n)`: what comes to a sparse tensor in
//! any order is accumulated in a dense array, a hash table or a list of points first.

use super::Schedule;
use super::loops::statements_of;
use super::part::where_of;
use crate::cin::sparse_workspace::SparseWorkspace;
use crate::cin::workspace;
use crate::nest::{self, WorkspaceKind, point};
use crate::schedule::Command;
use comet_ir::cin::Reduction;
use comet_ir::{Block, Builder, IrError, Op, Result, Val, cin, format, types};
use melior::ir::ValueLike;

impl<'c> Schedule<'c> {
    pub(super) fn assigns_to(&self, tensor: &str) -> Vec<cin::Assign<'c>> {
        let assigns = self.compute.walk::<cin::Assign>();
        assigns.into_iter().filter(|assign| nest::name(assign.tensor()) == tensor).collect()
    }

    /// A dense tensor is its own workspace, and what comes once to each element, in order, needs none. Rows
    /// that are scattered into, and slices of several levels, get theirs from `cin-workspace`.
    pub(super) fn dense_workspace(&mut self, command: &Command<'c>, tensor: &str) -> Result<'c, ()> {
        let assigns = self.assigns_to(tensor);
        let Some(first) = assigns.first().copied() else { return Ok(()) };
        let (target, indices) = point(first);
        let reduction = first.reduction();
        if format::of(target).is_dense() || reduction == Reduction::Set {
            return Ok(());
        }
        let is_temporary = nest::is_temporary(target);
        if !is_temporary && workspace::demand_dense_rows(self.compute) {
            return Ok(());
        }
        let is_alike = |assign: &cin::Assign<'c>| {
            point(*assign) == (target, indices.clone()) && assign.reduction() == reduction
        };
        if !assigns.iter().all(is_alike) {
            let what = "a dense workspace for several kinds of assignments to one tensor";
            return Err(IrError::not_supported(command.location(), what));
        }
        let body =
            if is_temporary { where_of(target).map(|op| op.producer()) } else { Some(self.compute.body()) };
        let Some(body) = body else { return Ok(()) };
        self.accumulate(command, body, &assigns)
    }

    /// What comes to a sparse tensor in any order is collected as points first; a dense tensor is its own
    /// workspace.
    pub(super) fn sparse_workspace(&mut self, tensor: &str, workspace: SparseWorkspace) -> Result<'c, ()> {
        let assigns = self.assigns_to(tensor);
        let Some(first) = assigns.first().copied() else { return Ok(()) };
        let target = first.tensor();
        if format::of(target).is_dense() {
            return Ok(());
        }
        match nest::temporary(target) {
            Some(temporary) => workspace.become_of(temporary),
            None => workspace.insert(self.compute.body(), &assigns)?,
        }
        Ok(())
    }

    /// Moves a block into the producer of a workspace over all elements of what it assigns to.
    fn accumulate(
        &mut self,
        command: &Command<'c>,
        body: Block<'c>,
        assigns: &[cin::Assign<'c>],
    ) -> Result<'c, ()> {
        let (target, indices) = point(assigns[0]);
        let vars = nest::in_storage_order(target, &indices);
        let own = self.over_same_extents(command, &vars)?;
        let moved: Vec<Op<'c>> = statements_of(body);
        let b = Builder::before(moved[0]).with_location(command.location());
        let element = assigns[0].value().r#type();
        let name = format!("{}_workspace", nest::name(target));
        let ty = types::tensor(&vec![None; vars.len()], element, None);
        let (workspace, where_op) = cin::temporary(b, &name, WorkspaceKind::Dense, ty)?;
        for op in moved {
            op.move_to_end(where_op.producer());
        }
        for assign in assigns {
            let at = Builder::before(*assign);
            cin::Assign::build(at, assign.value(), workspace, &vars, assign.reduction())?;
            assign.erase();
        }
        let stored = indices.iter().map(|index| own_of(&vars, &own, *index)).collect::<Vec<_>>();
        drain(b.inside(where_op.consumer()), workspace, target, &own, &stored)
    }

    fn over_same_extents(&self, command: &Command<'c>, vars: &[Val<'c>]) -> Result<'c, Vec<Val<'c>>> {
        let declare = |var: &Val<'c>| {
            let Some(declaration) = cin::IndexVar::defining(*var) else {
                let what =
                    format!("a dense workspace over `{}`, which is a part of an index", nest::name(*var));
                return Err(IrError::not_supported(command.location(), what));
            };
            let (b, name) = (self.declarations(command), format!("{}w", nest::name(*var)));
            Ok(cin::IndexVar::build(b, &name, declaration.size())?.var())
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
    let b = cin::loops(b, vars)?;
    let value = cin::access(b, workspace, vars)?;
    cin::Assign::build(b, value, target, indices, Reduction::Set).map(|_| ())
}
