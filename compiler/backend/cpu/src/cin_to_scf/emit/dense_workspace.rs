//! Dense workspaces: values, a mark for each element that something has come to, and the list of those
//! (Gustavson 1978; sparse-workspace.txt section 1).
//!
//! One that only goes on into a result is drained (`drain.rs`): its marks (`marks.rs`) lead to the list, in
//! order, and it is empty then. Any other is looked up, element by element, and emptied by its list before it
//! is computed again.
//!
//! Where all that comes to a drained one is added, elements that nothing has come to are zero, and there is
//! no branch on whether a value is the first one.

use super::Emitter;
use super::env::Env;
use super::marks::Stretches;
use super::operator::{self, reduce, zero};
use super::value::Presence;
use crate::cin_to_scf::plan::{DenseWorkspacePlan, Drained};
use crate::instrument::Instrument;
use comet_format::ValueType;
use comet_ir::{Bounds, Builder, Compare, IrError, Op, Result, Val, ta, types};
use comet_notation::Operator;
use comet_notation::concrete::{Access, TensorId};
use melior::ir::ValueLike;

/// The arrays of a workspace; marks are 0 wherever it is not in use.
#[derive(Clone)]
pub(in crate::cin_to_scf) struct DenseWorkspace<'c> {
    tensor: TensorId,
    pub(super) values: Val<'c>,
    /// What the values are stored as.
    pub(super) of: ValueType,
    marks: Val<'c>,
    /// The list of elements that something has come to: of one that is drained, once it is collected.
    pub(super) touched: Val<'c>,
    /// The variable that counts what is in `touched`.
    pub(super) count: Val<'c>,
    pub(super) sizes: Vec<Val<'c>>,
    pub(super) drain: Option<Drain<'c>>,
    /// Whether values are zero wherever the workspace is not in use, since all that comes is added.
    pub(super) adds: bool,
    counted: Option<Counted<'c>>,
}

/// What a workspace that is drained has besides.
#[derive(Clone)]
pub(super) struct Drain<'c> {
    pub(super) drained: Drained,
    /// Where the marks of stretches of elements are.
    stretches: Stretches<'c>,
    /// The variable that counts what has been drained.
    pub(super) next: Val<'c>,
}

/// What a workspace that is counted has besides.
#[derive(Clone, Copy)]
struct Counted<'c> {
    /// The bytes of all arrays.
    bytes: Val<'c>,
    /// The variable that counts the values that have come since it was emptied.
    inserts: Val<'c>,
}

impl<'c> Env<'c> {
    pub(super) fn dense_workspace(&self, tensor: TensorId) -> Option<DenseWorkspace<'c>> {
        self.dense_workspaces.iter().find(|workspace| workspace.tensor == tensor).cloned()
    }
}

impl<'c> Emitter<'_, 'c> {
    /// Makes the dense workspaces of a compute, in front of its loops.
    pub(super) fn begin_workspaces(&self, env: &mut Env<'c>) -> Result<'c, ()> {
        for planned in &self.plan.dense_workspaces {
            let workspace = self.begin_workspace(env, planned)?;
            env.dense_workspaces.push(workspace);
        }
        Ok(())
    }

    fn begin_workspace(&self, env: &Env<'c>, planned: &DenseWorkspacePlan) -> Result<'c, DenseWorkspace<'c>> {
        let b = env.b;
        let sizes = planned.vars.iter().map(|var| self.extent(env, *var)).collect::<Result<'c, Vec<_>>>()?;
        let size = self.product(b, &sizes)?;
        let (drain, all_marks) = match &planned.drained {
            Some(drained) => {
                let (stretches, all_marks) = Stretches::of(self, b, size)?;
                let next = b.variable(types::index(b.context()))?;
                (Some(Drain { drained: drained.clone(), stretches, next }), all_marks)
            }
            None => (None, size),
        };
        let own = self.of(planned.tensor);
        let of = planned.adds.unwrap_or(if planned.is_kept { own } else { own.computed() });
        let [values, marks, touched] = self.workspace_arrays(env, (planned, of), (&sizes, all_marks))?;
        let count = b.variable(types::index(b.context()))?;
        b.set(count, self.constant(0)?)?;
        let counted = match self.options.instrument {
            Instrument::Nothing => None,
            Instrument::Workspaces => {
                Some(self.begin_counting(b, &[values, marks, touched], (&sizes, of))?)
            }
        };
        let (tensor, adds) = (planned.tensor, planned.adds.is_some());
        Ok(DenseWorkspace { tensor, values, of, marks, touched, count, sizes, drain, adds, counted })
    }

    /// The values, the marks and the list of a workspace. They belong to the tensor that the workspace is
    /// kept in, or to the result while it is computed.
    fn workspace_arrays(
        &self,
        env: &Env<'c>,
        (planned, of): (&DenseWorkspacePlan, ValueType),
        (sizes, all_marks): (&[Val<'c>], Val<'c>),
    ) -> Result<'c, [Val<'c>; 3]> {
        let b = env.b;
        let kept = self.kept_in(planned.tensor);
        let (owner, index) = match env.result_tensor() {
            _ if planned.is_kept => (kept, types::int(b.context(), 64)),
            Some(result) => (self.stored_in(env, result), self.index_type(b, result)),
            None => unreachable!("a workspace without a sparse result is kept in a tensor"),
        };
        let array = |element, sizes: &[Val<'c>]| {
            ta::Workspace::build(b, owner, sizes, types::memref(element)).map(|workspace| workspace.array())
        };
        let values = match planned.is_kept {
            true => ta::Values::build(b, kept, self.values_type(planned.tensor))?.values(),
            false => self.zeros(b, owner, sizes, of)?,
        };
        // Places may be beyond what an index of the result can be.
        let coordinate = if sizes.len() > 1 { types::int(b.context(), 64) } else { index };
        let marks = array(types::int(b.context(), 8), &[all_marks])?;
        Ok([values, marks, array(coordinate, sizes)?])
    }

    /// Zeros of a type, as many as the product of the sizes.
    pub(super) fn zeros(
        &self,
        b: Builder<'c>,
        owner: Val<'c>,
        sizes: &[Val<'c>],
        of: ValueType,
    ) -> Result<'c, Val<'c>> {
        let mut sizes = sizes.to_vec();
        if of.is_complex() {
            sizes.push(self.constant(2)?);
        }
        let array = types::memref(types::stored(b.context(), of));
        ta::Workspace::build(b, owner, &sizes, array).map(|workspace| workspace.array())
    }

    /// The bytes of arrays of those sizes, and a count.
    fn begin_counting(
        &self,
        b: Builder<'c>,
        arrays: &[Val<'c>],
        (sizes, of): (&[Val<'c>], ValueType),
    ) -> Result<'c, Counted<'c>> {
        let bits: u32 = arrays.iter().map(|array| types::width(types::element_of(*array))).sum();
        let bits = if of.is_complex() { bits + 8 * of.part().bytes() as u32 } else { bits };
        let (size, each) = (self.product(b, sizes)?, self.constant(i64::from(bits / 8))?);
        let (bytes, inserts) = (b.muli(size, each)?, b.variable(types::index(b.context()))?);
        b.set(inserts, self.constant(0)?)?;
        Ok(Counted { bytes, inserts })
    }

    /// Has a use of a workspace counted that ends here.
    pub(super) fn count_use(&self, b: Builder<'c>, workspace: &DenseWorkspace<'c>) -> Result<'c, ()> {
        let Some(Counted { bytes, inserts }) = workspace.counted else { return Ok(()) };
        let (name, declared) =
            (&self.compute.tensor(workspace.tensor).name, self.handles.tensors[workspace.tensor.0]);
        let place = Op::defining(declared).map_or(b.location(), |op| op.location());
        let (arrived, touched) = (b.get(inserts)?, b.get(workspace.count)?);
        ta::CountDense::build(b.with_location(place), name, bytes, arrived, touched)?
            .set_sorted(workspace.drain.is_some());
        b.set(inserts, self.constant(0)?)
    }

    /// After the loops: the last use of a workspace that is only emptied before the next.
    pub(super) fn count_last_uses(&self, env: &Env<'c>) -> Result<'c, ()> {
        let mut looked_up = env.dense_workspaces.iter().filter(|workspace| workspace.drain.is_none());
        looked_up.try_for_each(|workspace| self.count_use(env.b, workspace))
    }

    /// Before the producer: nothing has come.
    pub(super) fn empty_workspace(&self, b: Builder<'c>, workspace: &DenseWorkspace<'c>) -> Result<'c, ()> {
        if workspace.drain.is_some() {
            return Ok(());
        }
        let zero = self.constant(0)?;
        self.count_use(b, workspace)?;
        let bounds = Bounds { start: zero, stop: b.get(workspace.count)?, step: self.constant(1)? };
        b.repeat(bounds, |b, number| {
            let place = b.load_index(workspace.touched, number)?;
            let unmarked = b.int(types::int(b.context(), 8), 0)?;
            b.store(unmarked, workspace.marks, place)
        })?;
        b.set(workspace.count, zero)
    }

    /// What a workspace holds at a point; while it is drained, only those elements come that something has
    /// come to.
    pub(super) fn load_workspace(
        &self,
        env: &Env<'c>,
        workspace: &DenseWorkspace<'c>,
        access: &Access,
    ) -> Result<'c, Presence<'c>> {
        let b = env.b;
        let place = self.workspace_place(env, workspace, access)?;
        let value = b.load_element(workspace.values, workspace.of, place)?;
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
        &self,
        env: &Env<'c>,
        access: &Access,
        presence: Presence<'c>,
        reduction: Option<Operator>,
    ) -> Result<'c, ()> {
        let b = env.b;
        let workspace = env.dense_workspace(access.tensor).expect("the compute has made its workspaces");
        let place = self.workspace_place(env, &workspace, access)?;
        // What goes on into a result is not looked at there before that is counted.
        let is_looked_at = workspace.drain.is_none() || !env.is_counting();
        let touch =
            |b: Builder<'c>, value| workspace.touch(b, place, is_looked_at.then_some((value, reduction)));
        match presence {
            Presence::Absent => Ok(()),
            Presence::Present(value) => touch(b, value),
            Presence::Maybe { value, reached } => b.if_then(reached, |b| touch(b, value)),
        }
    }

    /// Where an element is in the arrays.
    fn workspace_place(
        &self,
        env: &Env<'c>,
        workspace: &DenseWorkspace<'c>,
        access: &Access,
    ) -> Result<'c, Val<'c>> {
        let b = env.b;
        let unbound = || IrError::at(b.location(), "expected a loop over the workspace's variable");
        let mut place = None;
        for (var, size) in access.indices.iter().zip(&workspace.sizes) {
            let coordinate = self.coordinate(env, *var)?.ok_or_else(unbound)?;
            place = Some(match place {
                Some(outer) => b.addi(b.muli(outer, *size)?, coordinate)?,
                None => coordinate,
            });
        }
        Ok(place.expect("a dense workspace has indices"))
    }

    /// Lists what has come to a workspace that is drained, in order, and takes the marks away; returns how
    /// many elements that are.
    pub(super) fn collect(&self, b: Builder<'c>, workspace: &DenseWorkspace<'c>) -> Result<'c, Val<'c>> {
        let drain = workspace.drain.as_ref().expect("only what is drained is collected");
        let size = self.product(b, &workspace.sizes)?;
        let shift = drain.stretches.shift;
        let count = ta::CollectMarked::build(b, workspace.marks, size, shift, workspace.touched)?.count();
        b.set(workspace.count, count)?;
        self.count_use(b, workspace)?;
        Ok(count)
    }
}

impl<'c> DenseWorkspace<'c> {
    /// A value comes to an element; `None` where it is not looked at.
    fn touch(
        &self,
        b: Builder<'c>,
        place: Val<'c>,
        value: Option<(Val<'c>, Option<Operator>)>,
    ) -> Result<'c, ()> {
        self.count_insert(b)?;
        let combine = |b: Builder<'c>| {
            let Some((value, reduction)) = value else { return Ok(()) };
            let old = b.load_element(self.values, self.of, place)?;
            let combined = reduce(b, reduction, old, value)?;
            b.store_element(combined, (self.values, self.of), place)
        };
        if self.adds {
            self.mark(b, place)?;
            return combine(b);
        }
        let unmarked = b.int(types::int(b.context(), 8), 0)?;
        let is_new = b.cmpi(Compare::Eq, b.load(self.marks, place)?, unmarked)?;
        let begin = |b: Builder<'c>| {
            self.mark(b, place)?;
            let Some((value, reduction)) = value else { return Ok(()) };
            b.store_element(operator::begin(b, reduction, value)?, (self.values, self.of), place)
        };
        b.branch(is_new, begin, combine)
    }

    /// Notes that something has come to an element, which is new where the workspace is looked up.
    fn mark(&self, b: Builder<'c>, element: Val<'c>) -> Result<'c, ()> {
        b.store(b.int(types::int(b.context(), 8), 1)?, self.marks, element)?;
        if let Some(drain) = &self.drain {
            return drain.stretches.mark(b, self.marks, element);
        }
        let number = b.get(self.count)?;
        let stored = b.index_cast(element, types::element_of(self.touched))?;
        b.store(stored, self.touched, number)?;
        b.set(self.count, b.addi(number, b.index(1)?)?)
    }

    fn count_insert(&self, b: Builder<'c>) -> Result<'c, ()> {
        let Some(Counted { inserts, .. }) = self.counted else { return Ok(()) };
        b.set(inserts, b.addi(b.get(inserts)?, b.index(1)?)?)
    }
}
