//! Dense workspaces: values, a mark for each element that something has come to, and the list of those
//! (Gustavson 1978; sparse-workspace.txt section 1).
//!
//! One of a row that only goes on into a result is drained: its list gives the coordinates in order, and it
//! is empty then. Any other is looked up, element by element, and emptied before it is computed again.

use super::operator::{begin, reduce, zero};
use super::point::Point;
use super::value::Presence;
use super::{Lowering, room};
use crate::instrument::Instrument;
use comet_dialects::cin::{
    AccessOperation, AssignOperation, ForallOperation, TemporaryOperation, WhereOperation,
};
use comet_ir::{Attr, Bounds, Builder, Compare, IrError, Op, Result, Val, types};
use comet_passes::cin::sparse_workspace::{is_pack, packed_into};
use comet_passes::nest::{self, Relations, WorkspaceKind};
use comet_passes::operator::Reduction;
use melior::ir::ValueLike;

/// The arrays of a workspace; marks are 0 wherever it is not in use.
#[derive(Clone)]
pub(super) struct DenseWorkspace<'c> {
    temporary: Val<'c>,
    values: Val<'c>,
    marks: Val<'c>,
    touched: Val<'c>,
    /// The variable that counts what is in `touched`.
    count: Val<'c>,
    /// The extents.
    sizes: Vec<Val<'c>>,
    drains: bool,
    counted: Option<Counted<'c>>,
}

/// What a workspace that is counted has besides.
#[derive(Clone, Copy)]
struct Counted<'c> {
    /// The bytes of all arrays.
    bytes: Val<'c>,
    /// The variable that counts the values that have come since it was emptied.
    inserts: Val<'c>,
}

impl<'c> Lowering<'c> {
    /// Makes the dense workspaces of a compute, in front of its loops.
    pub(super) fn begin_workspaces(&mut self, b: Builder<'c>, compute: Op<'c>) -> Result<'c, ()> {
        for temporary in compute.descendants::<TemporaryOperation>() {
            if WorkspaceKind::of(temporary) == WorkspaceKind::Dense {
                let workspace = self.begin_workspace(b, temporary)?;
                self.dense_workspaces.push(workspace);
            }
        }
        Ok(())
    }

    /// The arrays belong to the tensor that the workspace is kept in, or to the result while it is computed.
    fn begin_workspace(&mut self, b: Builder<'c>, temporary: Op<'c>) -> Result<'c, DenseWorkspace<'c>> {
        let workspace = temporary.result(0);
        let mut sizes = Vec::new();
        for var in vars_of(temporary) {
            sizes.push(self.extent(b, var)?);
        }
        let mut size = self.storage.constant(1)?;
        for extent in &sizes {
            size = b.muli(size, *extent)?;
        }
        let element = types::element(workspace.r#type());
        let kept = self.storage.kept_in(workspace);
        let is_kept = kept != workspace;
        let owner = match self.result_tensor() {
            _ if is_kept => kept,
            Some(result) => result,
            None => unreachable!("a workspace without a sparse result is kept in a tensor"),
        };
        let array = |element| b.value("ta.workspace", &[owner, size], types::memref(element));
        let values = match is_kept {
            true => b.value("ta.values", &[kept], types::memref(element))?,
            false => array(element)?,
        };
        let coordinate = match is_kept {
            true => types::int(b.context(), 64),
            false => Point { tensor: owner, indices: Vec::new() }.index_type(b.context()),
        };
        let marks = array(types::int(b.context(), 8))?;
        let (touched, count) = (array(coordinate)?, b.variable(types::index(b.context()))?);
        b.set(count, self.storage.constant(0)?)?;
        let drains = drains(temporary);
        let counted = match self.instrument {
            Instrument::Nothing => None,
            Instrument::Workspaces => {
                let bits = types::width(element) + types::width(coordinate);
                let each = self.storage.constant(i64::from(bits / 8) + 1)?;
                let (bytes, inserts) = (b.muli(size, each)?, b.variable(types::index(b.context()))?);
                b.set(inserts, self.storage.constant(0)?)?;
                Some(Counted { bytes, inserts })
            }
        };
        Ok(DenseWorkspace { temporary: workspace, values, marks, touched, count, sizes, drains, counted })
    }

    /// Has a use of a workspace counted that ends here.
    fn count_use(&mut self, b: Builder<'c>, workspace: &DenseWorkspace<'c>) -> Result<'c, ()> {
        let Some(Counted { bytes, inserts }) = workspace.counted else { return Ok(()) };
        let operands = [bytes, b.get(inserts)?, b.get(workspace.count)?];
        let mut attributes = vec![("name", b.string_attribute(&nest::name(workspace.temporary)))];
        if workspace.drains {
            attributes.push(("sorted", Attr::unit(b.context())));
        }
        let place = Op::defining(workspace.temporary).map_or(b.location(), |op| op.location());
        b.with_location(place).op("ta.count_dense", &operands, &[], &attributes)?;
        b.set(inserts, self.storage.constant(0)?)
    }

    /// After the loops: the last use of a workspace that is only emptied before the next.
    pub(super) fn count_last_uses(&mut self, b: Builder<'c>) -> Result<'c, ()> {
        let workspaces = self.dense_workspaces.clone();
        let mut looked_up = workspaces.iter().filter(|workspace| !workspace.drains);
        looked_up.try_for_each(|workspace| self.count_use(b, workspace))
    }

    /// The workspace that a temporary stands for.
    pub(super) fn dense_workspace(&self, temporary: Val<'c>) -> Option<DenseWorkspace<'c>> {
        self.dense_workspaces.iter().find(|workspace| workspace.temporary == temporary).cloned()
    }

    /// The workspace that a loop over `var` drains.
    pub(super) fn workspace_at(&self, op: Op<'c>, var: Val<'c>) -> Option<DenseWorkspace<'c>> {
        let points = op.descendants::<AccessOperation>().into_iter().map(Point::of);
        let of_var = points.filter(|point| point.indices == [var]);
        let mut workspaces = of_var.filter_map(|point| self.dense_workspace(point.tensor));
        workspaces.find(|workspace| workspace.drains)
    }

    /// Before the producer: nothing has come.
    pub(super) fn empty_workspace(
        &mut self,
        b: Builder<'c>,
        workspace: DenseWorkspace<'c>,
    ) -> Result<'c, ()> {
        let zero = self.storage.constant(0)?;
        if !workspace.drains {
            self.count_use(b, &workspace)?;
            let bounds =
                Bounds { start: zero, stop: b.get(workspace.count)?, step: self.storage.constant(1)? };
            b.for_step(bounds, &[], |b, number, _| {
                let place = b.load_index(workspace.touched, number)?;
                let unmarked = b.int(types::int(b.context(), 8), 0)?;
                b.store(unmarked, workspace.marks, place)?;
                Ok(Vec::new())
            })?;
        }
        b.set(workspace.count, zero)
    }

    /// Visits the coordinates that something came to, in order, and leaves the workspace empty.
    pub(super) fn drain_workspace(
        &mut self,
        b: Builder<'c>,
        op: Op<'c>,
        workspace: DenseWorkspace<'c>,
    ) -> Result<'c, ()> {
        let count = b.get(workspace.count)?;
        self.count_use(b, &workspace)?;
        b.op("ta.sort_touched", &[workspace.touched, count, workspace.marks], &[], &[])?;
        let bounds =
            Bounds { start: self.storage.constant(0)?, stop: count, step: self.storage.constant(1)? };
        let others = self.carried(op);
        let results = b.for_step(bounds, &self.contents(&others), |b, number, contents| {
            self.set_contents(&others, contents);
            let coordinate = b.load_index(workspace.touched, number)?;
            let unmarked = b.int(types::int(b.context(), 8), 0)?;
            b.store(unmarked, workspace.marks, coordinate)?;
            self.scoped(|this| {
                this.coordinates.push((op.operand(0), coordinate));
                this.body(b, op)
            })?;
            Ok(self.contents(&others))
        })?;
        self.set_contents(&others, &results);
        Ok(())
    }

    /// What a workspace holds at a point; while it is drained, only those come that something has come to.
    pub(super) fn load_workspace(
        &mut self,
        b: Builder<'c>,
        workspace: DenseWorkspace<'c>,
        point: &Point<'c>,
    ) -> Result<'c, Presence<'c>> {
        let place = self.workspace_place(b, &workspace, point)?;
        let value = b.load(workspace.values, place)?;
        if workspace.drains {
            return Ok(Presence::Present(value));
        }
        let unmarked = b.int(types::int(b.context(), 8), 0)?;
        let reached = b.cmpi(Compare::Ne, b.load(workspace.marks, place)?, unmarked)?;
        let nothing = zero(b, value.r#type())?;
        Ok(Presence::Maybe { value: b.select(reached, value, nothing)?, reached })
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
        let coordinate = self.workspace_place(b, &workspace, point)?;
        match presence {
            Presence::Absent => Ok(()),
            Presence::Present(value) => self.touch(b, workspace, coordinate, value, reduction),
            Presence::Maybe { value, reached } => {
                b.if_then(reached, |b| self.touch(b, workspace, coordinate, value, reduction))
            }
        }
    }

    /// Where an element is in the arrays.
    fn workspace_place(
        &mut self,
        b: Builder<'c>,
        workspace: &DenseWorkspace<'c>,
        point: &Point<'c>,
    ) -> Result<'c, Val<'c>> {
        let unbound = || IrError::at(b.location(), "expected a loop over the workspace's variable");
        let mut place = None;
        for (var, size) in point.indices.iter().zip(&workspace.sizes) {
            let coordinate = self.coordinate(b, *var)?.ok_or_else(unbound)?;
            place = Some(match place {
                Some(outer) => b.addi(b.muli(outer, *size)?, coordinate)?,
                None => coordinate,
            });
        }
        Ok(place.expect("a dense workspace has indices"))
    }

    fn touch(
        &mut self,
        b: Builder<'c>,
        workspace: DenseWorkspace<'c>,
        coordinate: Val<'c>,
        value: Val<'c>,
        reduction: Reduction,
    ) -> Result<'c, ()> {
        // What goes on into a result is not looked at there before that is counted.
        let is_counted = workspace.drains && self.counts();
        let DenseWorkspace { values, marks, touched, count, .. } = workspace;
        let byte = types::int(b.context(), 8);
        let (unmarked, marked) = (b.int(byte, 0)?, b.int(byte, 1)?);
        let is_new = b.cmpi(Compare::Eq, b.load(marks, coordinate)?, unmarked)?;
        let one = self.storage.constant(1)?;
        if let Some(Counted { inserts, .. }) = workspace.counted {
            b.set(inserts, b.addi(b.get(inserts)?, one)?)?;
        }
        b.if_else(
            is_new,
            &[],
            |b| {
                b.store(marked, marks, coordinate)?;
                let number = b.get(count)?;
                let stored = b.index_cast(coordinate, types::element(touched.r#type()))?;
                b.store(stored, touched, number)?;
                b.set(count, b.addi(number, one)?)?;
                if !is_counted {
                    b.store(begin(b, reduction, value)?, values, coordinate)?;
                }
                Ok(Vec::new())
            },
            |b| {
                if is_counted {
                    return Ok(Vec::new());
                }
                let sum = reduce(b, reduction, b.load(values, coordinate)?, value)?;
                b.store(sum, values, coordinate)?;
                Ok(Vec::new())
            },
        )?;
        Ok(())
    }
}

/// The variables that a workspace is assigned under.
fn vars_of(temporary: Op<'_>) -> Vec<Val<'_>> {
    let block = temporary.block().map_or(Vec::new(), |block| block.ops());
    let assigns = block.into_iter().flat_map(|op| op.descendants::<AssignOperation>());
    let mut points = assigns.map(Point::of).filter(|point| point.tensor == temporary.result(0));
    points.next().expect("a where-statement assigns to a workspace").indices
}

/// Whether everything that comes to a workspace goes on from one loop over it, in which nothing else is.
fn drains(temporary: Op<'_>) -> bool {
    let Some(where_op) = temporary.next().filter(|op| op.is::<WhereOperation>()) else { return false };
    let ops = where_op.body(0).ops();
    let [forall] = ops[..] else { return false };
    if !forall.is::<ForallOperation>() {
        return false;
    }
    let inside = forall.body(0).ops();
    let [access, assign] = inside[..] else { return false };
    assign.is::<AssignOperation>()
        && access.is::<AccessOperation>()
        && Point::of(access) == Point { tensor: temporary.result(0), indices: vec![forall.operand(0)] }
        && Op::defining(assign.operand(0)) == Some(access)
}

/// Declares tensors in front of a compute for the workspaces that are kept in some: those in the levels of a
/// format, and dense ones that no sparse result of the compute keeps.
pub(super) fn declare_tensors(compute: Op<'_>) -> Result<'_, Vec<(Val<'_>, Val<'_>)>> {
    let assigns = compute.descendants::<AssignOperation>().into_iter().filter(|assign| !is_pack(*assign));
    let has_result = assigns
        .map(Point::of)
        .any(|point| !super::workspace::is_temporary(point.tensor) && !point.format().is_dense());
    let is_kept = |temporary: &Op<'_>| match WorkspaceKind::of(*temporary) {
        WorkspaceKind::Levels => true,
        WorkspaceKind::Hash | WorkspaceKind::List => packed_into(*temporary).is_none(),
        WorkspaceKind::Dense => !has_result || !drains(*temporary),
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
        let bounds = [zero, room::for_values(b, &relations, var)?, one];
        labels.push(b.op("ta.index_label_static", &bounds, &[types::range(b.context())], &name)?.result(0));
    }
    let name = [("name", b.string_attribute(&nest::name(temporary.result(0))))];
    let ty = temporary.result(0).r#type();
    Ok(b.op("ta.tensor_decl", &labels, &[ty], &name)?.result(0))
}
