//! Dense workspaces: values, a mark for each element that something has come to, and the list of those
//! (Gustavson 1978; sparse-workspace.txt section 1).
//!
//! One that only goes on into a result is drained (`drain.rs`): its marks (`marks.rs`) give the list, in
//! order, and it is empty then. Any other is looked up, element by element, and emptied by its list before it
//! is computed again.
//!
//! Where all that comes to a drained one is added, elements that nothing has come to are zero, and there is
//! no branch on whether a value is the first one.

use super::Lowering;
use super::drain::Drain;
use super::marks::Stretches;
use super::operator::{begin, reduce, zero};
use super::point::Point;
use super::value::Presence;
use crate::instrument::Instrument;
use comet_dialects::cin::{AssignOperation, TemporaryOperation};
use comet_ir::{Attr, Bounds, Builder, Compare, IrError, Op, Result, Val, types};
use comet_passes::drain::drained;
use comet_passes::nest::{self, WorkspaceKind};
use comet_passes::operator::Reduction;
use melior::ir::ValueLike;

/// The arrays of a workspace; marks are 0 wherever it is not in use.
#[derive(Clone)]
pub(super) struct DenseWorkspace<'c> {
    temporary: Val<'c>,
    pub(super) values: Val<'c>,
    pub(super) marks: Val<'c>,
    /// The list of elements that something has come to: of one that is drained, once it is collected.
    pub(super) touched: Val<'c>,
    /// The variable that counts what is in `touched`.
    pub(super) count: Val<'c>,
    /// The extents.
    pub(super) sizes: Vec<Val<'c>>,
    pub(super) drain: Option<Drain<'c>>,
    /// Whether values are zero wherever the workspace is not in use, since all that comes is added.
    pub(super) adds: bool,
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

    fn begin_workspace(&mut self, b: Builder<'c>, temporary: Op<'c>) -> Result<'c, DenseWorkspace<'c>> {
        let workspace = temporary.result(0);
        let mut sizes = Vec::new();
        for var in vars_of(temporary) {
            sizes.push(self.extent(b, var)?);
        }
        let size = self.product(b, &sizes)?;
        let (drain, all_marks) = match drained(temporary.typed()) {
            Some(drained) => {
                let (stretches, all_marks) = Stretches::of(self, b, size)?;
                let next = b.variable(types::index(b.context()))?;
                (Some(Drain::of(drained, stretches, next)), all_marks)
            }
            None => (None, size),
        };
        let [values, marks, touched] = self.workspace_arrays(b, workspace, &sizes, all_marks)?;
        let count = b.variable(types::index(b.context()))?;
        b.set(count, self.storage.constant(0)?)?;
        let counted = match self.instrument {
            Instrument::Nothing => None,
            Instrument::Workspaces => Some(self.begin_counting(b, &[values, marks, touched], &sizes)?),
        };
        let adds = drain.is_some() && !self.is_kept(workspace) && is_added_to(temporary);
        Ok(DenseWorkspace {
            temporary: workspace,
            values,
            marks,
            touched,
            count,
            sizes,
            drain,
            adds,
            counted,
        })
    }

    /// The values, so many marks and the list of a workspace. They belong to the tensor that the workspace is
    /// kept in, or to the result while it is computed.
    fn workspace_arrays(
        &mut self,
        b: Builder<'c>,
        workspace: Val<'c>,
        sizes: &[Val<'c>],
        all_marks: Val<'c>,
    ) -> Result<'c, [Val<'c>; 3]> {
        let is_kept = self.is_kept(workspace);
        let kept = self.storage.kept_in(workspace);
        let owner = match self.result_tensor() {
            _ if is_kept => kept,
            Some(result) => self.stored_in(result),
            None => unreachable!("a workspace without a sparse result is kept in a tensor"),
        };
        let array = |element, sizes: &[Val<'c>]| {
            b.value("ta.workspace", &[&[owner], sizes].concat(), types::memref(element))
        };
        let element = types::element(workspace.r#type());
        let values = match is_kept {
            true => b.value("ta.values", &[kept], types::memref(element))?,
            false => array(element, sizes)?,
        };
        // Places may be beyond what an index of the result can be.
        let coordinate = match is_kept || sizes.len() > 1 {
            true => types::int(b.context(), 64),
            false => Point { tensor: owner, indices: Vec::new() }.index_type(b.context()),
        };
        let marks = array(types::int(b.context(), 8), &[all_marks])?;
        Ok([values, marks, array(coordinate, sizes)?])
    }

    /// Whether the values of a workspace are those of a tensor.
    fn is_kept(&self, workspace: Val<'c>) -> bool {
        self.storage.kept_in(workspace) != workspace
    }

    /// The bytes of arrays of those sizes, and a count.
    fn begin_counting(
        &mut self,
        b: Builder<'c>,
        arrays: &[Val<'c>],
        sizes: &[Val<'c>],
    ) -> Result<'c, Counted<'c>> {
        let bits: u32 = arrays.iter().map(|array| types::width(types::element(array.r#type()))).sum();
        let (size, each) = (self.product(b, sizes)?, self.storage.constant(i64::from(bits / 8))?);
        let (bytes, inserts) = (b.muli(size, each)?, b.variable(types::index(b.context()))?);
        b.set(inserts, self.storage.constant(0)?)?;
        Ok(Counted { bytes, inserts })
    }

    /// Has a use of a workspace counted that ends here.
    pub(super) fn count_use(&mut self, b: Builder<'c>, workspace: &DenseWorkspace<'c>) -> Result<'c, ()> {
        let Some(Counted { bytes, inserts }) = workspace.counted else { return Ok(()) };
        let operands = [bytes, b.get(inserts)?, b.get(workspace.count)?];
        let mut attributes = vec![("name", b.string_attribute(&nest::name(workspace.temporary)))];
        if workspace.drain.is_some() {
            attributes.push(("sorted", Attr::unit(b.context())));
        }
        let place = Op::defining(workspace.temporary).map_or(b.location(), |op| op.location());
        b.with_location(place).op("ta.count_dense", &operands, &[], &attributes)?;
        b.set(inserts, self.storage.constant(0)?)
    }

    /// After the loops: the last use of a workspace that is only emptied before the next.
    pub(super) fn count_last_uses(&mut self, b: Builder<'c>) -> Result<'c, ()> {
        let workspaces = self.dense_workspaces.clone();
        let mut looked_up = workspaces.iter().filter(|workspace| workspace.drain.is_none());
        looked_up.try_for_each(|workspace| self.count_use(b, workspace))
    }

    /// The workspace that a temporary stands for.
    pub(super) fn dense_workspace(&self, temporary: Val<'c>) -> Option<DenseWorkspace<'c>> {
        self.dense_workspaces.iter().find(|workspace| workspace.temporary == temporary).cloned()
    }

    /// Before the producer: nothing has come.
    pub(super) fn empty_workspace(
        &mut self,
        b: Builder<'c>,
        workspace: DenseWorkspace<'c>,
    ) -> Result<'c, ()> {
        if workspace.drain.is_some() {
            return Ok(());
        }
        let zero = self.storage.constant(0)?;
        self.count_use(b, &workspace)?;
        let bounds = Bounds { start: zero, stop: b.get(workspace.count)?, step: self.storage.constant(1)? };
        b.for_step(bounds, &[], |b, number, _| {
            let place = b.load_index(workspace.touched, number)?;
            let unmarked = b.int(types::int(b.context(), 8), 0)?;
            b.store(unmarked, workspace.marks, place)?;
            Ok(Vec::new())
        })?;
        b.set(workspace.count, zero)
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
        if workspace.drain.is_some() {
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

    /// The product of some sizes.
    pub(super) fn product(&mut self, b: Builder<'c>, sizes: &[Val<'c>]) -> Result<'c, Val<'c>> {
        let one = self.storage.constant(1)?;
        sizes.iter().try_fold(one, |product, size| b.muli(product, *size))
    }

    /// A value comes to an element; one that goes on into a result is not looked at there before that is
    /// counted.
    fn touch(
        &mut self,
        b: Builder<'c>,
        workspace: DenseWorkspace<'c>,
        coordinate: Val<'c>,
        value: Val<'c>,
        reduction: Reduction,
    ) -> Result<'c, ()> {
        let needs_values = workspace.drain.is_none() || !self.is_counting();
        workspace.count_insert(b)?;
        let values = workspace.values;
        if workspace.adds {
            workspace.mark(b, coordinate)?;
            if needs_values {
                let sum = reduce(b, reduction, b.load(values, coordinate)?, value)?;
                b.store(sum, values, coordinate)?;
            }
            return Ok(());
        }
        let unmarked = b.int(types::int(b.context(), 8), 0)?;
        let is_new = b.cmpi(Compare::Eq, b.load(workspace.marks, coordinate)?, unmarked)?;
        b.if_else(
            is_new,
            &[],
            |b| {
                workspace.mark(b, coordinate)?;
                if needs_values {
                    b.store(begin(b, reduction, value)?, values, coordinate)?;
                }
                Ok(Vec::new())
            },
            |b| {
                if needs_values {
                    let combined = reduce(b, reduction, b.load(values, coordinate)?, value)?;
                    b.store(combined, values, coordinate)?;
                }
                Ok(Vec::new())
            },
        )?;
        Ok(())
    }
}

impl<'c> DenseWorkspace<'c> {
    /// Notes that something has come to an element, which is new where the workspace is looked up.
    fn mark(&self, b: Builder<'c>, element: Val<'c>) -> Result<'c, ()> {
        b.store(b.int(types::int(b.context(), 8), 1)?, self.marks, element)?;
        if let Some(drain) = &self.drain {
            return drain.stretches.mark(b, self.marks, element);
        }
        let number = b.get(self.count)?;
        let stored = b.index_cast(element, types::element(self.touched.r#type()))?;
        b.store(stored, self.touched, number)?;
        b.set(self.count, b.addi(number, b.index(1)?)?)
    }

    fn count_insert(&self, b: Builder<'c>) -> Result<'c, ()> {
        let Some(Counted { inserts, .. }) = self.counted else { return Ok(()) };
        b.set(inserts, b.addi(b.get(inserts)?, b.index(1)?)?)
    }
}

/// The variables that a workspace is assigned under.
pub(super) fn vars_of(temporary: Op<'_>) -> Vec<Val<'_>> {
    let first = assigns_to(temporary).next();
    Point::of(first.expect("a where-statement assigns to a workspace")).indices
}

/// Whether all that comes to a workspace is added.
fn is_added_to(temporary: Op<'_>) -> bool {
    assigns_to(temporary).all(|assign| Reduction::of(assign) == Reduction::Add)
}

fn assigns_to(temporary: Op<'_>) -> impl Iterator<Item = Op<'_>> {
    let block = temporary.block().map_or(Vec::new(), |block| block.ops());
    let assigns = block.into_iter().flat_map(|op| op.descendants::<AssignOperation>());
    assigns.filter(move |assign| Point::of(*assign).tensor == temporary.result(0))
}
