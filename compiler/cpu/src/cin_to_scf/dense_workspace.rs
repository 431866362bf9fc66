//! Dense workspaces of one dimension: values, a mark for each coordinate that something has come to, and the
//! list of those (Gustavson 1978; sparse-workspace.txt section 1).

use super::Lowering;
use super::operator::{begin, reduce};
use super::point::Point;
use super::value::Presence;
use super::workspace::{DENSE, kind};
use comet_dialects::cin::{AccessOperation, AssignOperation, TemporaryOperation};
use comet_ir::{Bounds, Builder, Compare, IrError, Op, Result, Val, types};
use comet_passes::operator::Reduction;
use melior::ir::ValueLike;

/// The arrays of a workspace; marks are 0 wherever it is not in use.
#[derive(Clone, Copy)]
pub(super) struct DenseWorkspace<'c> {
    temporary: Val<'c>,
    values: Val<'c>,
    marks: Val<'c>,
    touched: Val<'c>,
    /// The variable that counts what is in `touched`.
    count: Val<'c>,
}

impl<'c> Lowering<'c> {
    /// Makes the dense workspaces of a compute, in front of its loops; they live as long as its result is
    /// computed.
    pub(super) fn begin_workspaces(&mut self, b: Builder<'c>, compute: Op<'c>) -> Result<'c, ()> {
        for temporary in compute.descendants::<TemporaryOperation>() {
            if kind(temporary) != DENSE {
                continue;
            }
            let Some(result) = self.result_tensor() else {
                return Err(IrError::not_supported(
                    temporary.location(),
                    "a dense workspace in front of a dense result",
                ));
            };
            let size = self.workspace_size(compute, temporary)?;
            let element = types::element(temporary.result(0).r#type());
            let coordinate = Point { tensor: result, indices: Vec::new() }.index_type(b.context());
            let array = |element| b.value("ta.workspace", &[result, size], types::memref(element));
            let workspace = DenseWorkspace {
                temporary: temporary.result(0),
                values: array(element)?,
                marks: array(types::int(b.context(), 8))?,
                touched: array(coordinate)?,
                count: b.variable(types::index(b.context()))?,
            };
            self.dense_workspaces.push(workspace);
        }
        Ok(())
    }

    /// The extent of the variable that a workspace is indexed by.
    fn workspace_size(&mut self, compute: Op<'c>, temporary: Op<'c>) -> Result<'c, Val<'c>> {
        let tensor = temporary.result(0);
        let assigns = compute.descendants::<AssignOperation>().into_iter().map(Point::of);
        let vars: Vec<Vec<Val<'c>>> =
            assigns.filter(|point| point.tensor == tensor).map(|point| point.indices).collect();
        match vars.first().map(Vec::as_slice) {
            Some([var]) => self.extent(Builder::before(compute), *var),
            _ => {
                Err(IrError::not_supported(temporary.location(), "a dense workspace of another rank than 1"))
            }
        }
    }

    /// The workspace that a temporary stands for.
    pub(super) fn dense_workspace(&self, temporary: Val<'c>) -> Option<DenseWorkspace<'c>> {
        self.dense_workspaces.iter().copied().find(|workspace| workspace.temporary == temporary)
    }

    /// The workspace whose coordinates a loop over `var` visits.
    pub(super) fn workspace_at(&self, op: Op<'c>, var: Val<'c>) -> Option<DenseWorkspace<'c>> {
        let points = op.descendants::<AccessOperation>().into_iter().map(Point::of);
        points.filter(|point| point.indices == [var]).find_map(|point| self.dense_workspace(point.tensor))
    }

    /// Before the producer: nothing has come.
    pub(super) fn empty_workspace(
        &mut self,
        b: Builder<'c>,
        workspace: DenseWorkspace<'c>,
    ) -> Result<'c, ()> {
        b.set(workspace.count, self.storage.constant(0)?)
    }

    /// Visits the coordinates that something came to, in order, and leaves the workspace empty.
    pub(super) fn drain_workspace(
        &mut self,
        b: Builder<'c>,
        op: Op<'c>,
        workspace: DenseWorkspace<'c>,
    ) -> Result<'c, ()> {
        let count = b.get(workspace.count)?;
        b.op("ta.sort_touched", &[workspace.touched, count, workspace.marks], &[], &[])?;
        let bounds =
            Bounds { start: self.storage.constant(0)?, stop: count, step: self.storage.constant(1)? };
        b.for_step(bounds, &[], |b, number, _| {
            let coordinate = b.load_index(workspace.touched, number)?;
            let unmarked = b.int(types::int(b.context(), 8), 0)?;
            b.store(unmarked, workspace.marks, coordinate)?;
            self.scoped(|this| {
                this.coordinates.push((op.operand(0), coordinate));
                this.body(b, op)
            })?;
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// What a workspace holds at a coordinate that something has come to.
    pub(super) fn load_workspace(
        &mut self,
        b: Builder<'c>,
        workspace: DenseWorkspace<'c>,
        point: &Point<'c>,
    ) -> Result<'c, Presence<'c>> {
        let coordinate = self.workspace_coordinate(b, point)?;
        Ok(Presence::Present(b.load(workspace.values, coordinate)?))
    }

    /// A value comes to a workspace.
    pub(super) fn assign_dense_workspace(
        &mut self,
        b: Builder<'c>,
        workspace: DenseWorkspace<'c>,
        point: &Point<'c>,
        presence: Presence<'c>,
        reduction: Reduction,
    ) -> Result<'c, ()> {
        let coordinate = self.workspace_coordinate(b, point)?;
        match presence {
            Presence::Absent => Ok(()),
            Presence::Present(value) => self.touch(b, workspace, coordinate, value, reduction),
            Presence::Maybe { value, reached } => {
                b.if_then(reached, |b| self.touch(b, workspace, coordinate, value, reduction))
            }
        }
    }

    fn workspace_coordinate(&mut self, b: Builder<'c>, point: &Point<'c>) -> Result<'c, Val<'c>> {
        let unbound = || IrError::at(b.location(), "expected a loop over the workspace's variable");
        self.coordinate(b, point.indices[0])?.ok_or_else(unbound)
    }

    fn touch(
        &mut self,
        b: Builder<'c>,
        workspace: DenseWorkspace<'c>,
        coordinate: Val<'c>,
        value: Val<'c>,
        reduction: Reduction,
    ) -> Result<'c, ()> {
        let DenseWorkspace { values, marks, touched, count, .. } = workspace;
        let byte = types::int(b.context(), 8);
        let (unmarked, marked) = (b.int(byte, 0)?, b.int(byte, 1)?);
        let is_new = b.cmpi(Compare::Eq, b.load(marks, coordinate)?, unmarked)?;
        let one = self.storage.constant(1)?;
        b.if_else(
            is_new,
            &[],
            |b| {
                b.store(marked, marks, coordinate)?;
                let number = b.get(count)?;
                let stored = b.index_cast(coordinate, types::element(touched.r#type()))?;
                b.store(stored, touched, number)?;
                b.set(count, b.addi(number, one)?)?;
                b.store(begin(b, reduction, value)?, values, coordinate)?;
                Ok(Vec::new())
            },
            |b| {
                let sum = reduce(b, reduction, b.load(values, coordinate)?, value)?;
                b.store(sum, values, coordinate)?;
                Ok(Vec::new())
            },
        )?;
        Ok(())
    }
}
