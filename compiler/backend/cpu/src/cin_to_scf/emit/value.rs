//! Values and assignments at a point: scalars, or vectors inside of a loop over lanes.

use super::Emitter;
use super::env::Env;
use super::lanes::Lanes;
use super::operator::{apply, combine, identity, negate, reduce, truth, zero};
use crate::cin_to_scf::plan::{AssignTarget, Slot};
use comet_format::ValueType;
use comet_ir::{Builder, IrError, Result, Ty, Val, types};
use comet_notation::Operator;
use comet_notation::concrete::{Access, AssignId, Kept, TensorId, Value, ValueId};
use comet_passes::sums::Sums;
use melior::ir::{TypeLike, ValueLike};

/// Whether an expression has a value at a point, and which.
#[derive(Clone, Copy)]
pub(in crate::cin_to_scf) enum Presence<'c> {
    /// Nothing that makes it up is stored.
    Absent,
    /// It has.
    Present(Val<'c>),
    /// It has where `reached`, which is known at run time: it comes from a workspace.
    Maybe { value: Val<'c>, reached: Val<'c> },
}
use Presence::{Absent, Maybe, Present};

impl<'c> Presence<'c> {
    fn parts(self) -> Option<(Val<'c>, Option<Val<'c>>)> {
        match self {
            Absent => None,
            Present(value) => Some((value, None)),
            Maybe { value, reached } => Some((value, Some(reached))),
        }
    }

    pub(super) fn of(value: Val<'c>, reached: Option<Val<'c>>) -> Self {
        reached.map_or(Present(value), |reached| Maybe { value, reached })
    }
}

/// What a mask leaves at a point.
enum Leaves<'c> {
    All,
    None,
    /// What it masks, where this holds.
    Where(Val<'c>),
}

impl<'c> Emitter<'_, 'c> {
    /// Computes a value of the expression. Sums leave out what is absent, everything else is absent with any
    /// of its operands.
    pub(super) fn compute_value(&self, env: &mut Env<'c>, id: ValueId) -> Result<'c, ()> {
        let b = env.b;
        let new = |id: &ValueId| self.value(env, *id);
        let value = match self.compute.value(id) {
            Value::Outside => self.value(env, id),
            Value::Access(access) => self.access(env, access)?,
            Value::Neg(value) => unary(b, new(value), negate)?,
            Value::Cast(value) => {
                let to = types::value_of(self.handles.values[id.0].r#type());
                unary(b, new(value), |b, value| b.rounded_to(value, to))?
            }
            Value::Apply(function, value) => unary(b, new(value), |b, value| apply(b, *function, value))?,
            Value::Drop { value, condition } => {
                let leaves = match new(condition).parts() {
                    None => Leaves::All,
                    Some((condition, reached)) => {
                        let dropped = truth(b, or_zero(b, condition, reached)?)?;
                        Leaves::Where(negated(b, dropped)?)
                    }
                };
                masked(b, new(value), leaves)?
            }
            Value::Unite(operator, [left, right]) => union(b, *operator, new(left), new(right))?,
            Value::Intersect(operator, [left, right]) => {
                self.intersection(env, (id, *operator), [new(left), new(right)])?
            }
            Value::Mask { value, mask, kept } => {
                let leaves = self.leaves(b, (*mask, *kept), new(mask))?;
                masked(b, new(value), leaves)?
            }
        };
        env.values.insert(id, value);
        Ok(())
    }

    /// What a value of the compute is in the code; a value from outside is itself.
    fn value(&self, env: &Env<'c>, id: ValueId) -> Presence<'c> {
        env.values.get(&id).copied().unwrap_or(Present(self.handles.values[id.0]))
    }

    fn access(&self, env: &mut Env<'c>, access: &Access) -> Result<'c, Presence<'c>> {
        let b = env.b;
        if let Some(workspace) = env.dense_workspace(access.tensor) {
            return self.load_workspace(env, &workspace, access);
        }
        if self.compute.tensor(access.tensor).is_unstored_workspace() {
            return Ok(self.workspace(env, access.tensor));
        }
        if env.absent.contains(access) {
            return Ok(Absent);
        }
        let (position, present) = self.position(env, access)?;
        let values = self.values(env, access.tensor)?;
        let (ty, of) = (self.value_type(env, access), self.of(access.tensor));
        let load = |b: Builder<'c>| Self::load(b, lanes_of(env, access), (values, of), position);
        let Some(reached) = present else { return load(b).map(Present) };
        let value = b.choose(reached, ty, load, |b| zero(b, ty))?;
        Ok(Maybe { value, reached })
    }

    /// The type of what an access reads: an element, or as many lanes as are computed at once.
    fn value_type(&self, env: &Env<'c>, access: &Access) -> Ty<'c> {
        let element = self.element(access.tensor);
        lanes_of(env, access).map_or(element, |lanes| types::vector(lanes.count, element))
    }

    /// Loads an element, or as many lanes as are computed at once, of an array that stores such elements.
    fn load(
        b: Builder<'c>,
        lanes: Option<Lanes<'c>>,
        (values, of): (Val<'c>, ValueType),
        position: Val<'c>,
    ) -> Result<'c, Val<'c>> {
        match lanes {
            None => b.load_element(values, of, position),
            Some(Lanes { mask, count, .. }) => b.load_lanes((values, of), position, count, mask),
        }
    }

    /// The position in the array of values, and whether it is one where only the running program knows.
    pub(super) fn position(
        &self,
        env: &mut Env<'c>,
        access: &Access,
    ) -> Result<'c, (Val<'c>, Option<Val<'c>>)> {
        let descent = self.locate(env, access)?;
        if descent.levels < self.levels(access).len() {
            return Err(Self::conflicting_order(env.b));
        }
        match descent.last {
            Some(position) => Ok((position, descent.present)),
            None => Ok((self.constant(0)?, None)),
        }
    }

    /// `target reduction= value`.
    pub(super) fn assign(&self, env: &mut Env<'c>, id: AssignId, target: AssignTarget) -> Result<'c, ()> {
        let assign = self.compute.assign(id);
        let (access, reduction) = (&assign.target, assign.reduction);
        let presence = self.value(env, assign.value);
        match target {
            AssignTarget::DenseWorkspace => self.assign_dense_workspace(env, access, presence, reduction),
            AssignTarget::Appended | AssignTarget::Collected => self.assign_result(env, access, presence),
            AssignTarget::SamePattern => self.assign_same_pattern(env, id, presence),
            AssignTarget::Carried => self.assign_carried(env, access.tensor, presence, reduction),
            AssignTarget::Dense => self.assign_dense(env, access, presence, reduction),
        }
    }

    fn assign_dense(
        &self,
        env: &mut Env<'c>,
        access: &Access,
        presence: Presence<'c>,
        reduction: Option<Operator>,
    ) -> Result<'c, ()> {
        let b = env.b;
        if matches!(presence, Absent) && reduction.is_some() {
            return Ok(());
        }
        let (position, _) = self.position(env, access)?;
        let values = (self.values(env, access.tensor)?, self.of(access.tensor));
        let value = match presence.parts() {
            None => zero(b, self.element(access.tensor))?,
            Some((value, None)) => value,
            // What is not there changes nothing, and is stored as 0.
            Some((value, Some(reached))) => {
                let nothing = match reduction {
                    Some(Operator::Any) => Self::load(b, lanes_of(env, access), values, position)?,
                    _ => identity(b, reduction, value.r#type())?,
                };
                let value = b.broadcast(value, nothing.r#type())?;
                b.select(reached, value, nothing)?
            }
        };
        if let Some(lanes) = lanes_of(env, access) {
            return Self::store_lanes(b, lanes, value, (values, position), reduction);
        }
        let value = match reduction {
            None => value,
            Some(_) => reduce(b, reduction, Self::load(b, None, values, position)?, value)?,
        };
        Self::store(b, value, values, position)
    }

    fn assign_carried(
        &self,
        env: &mut Env<'c>,
        workspace: TensorId,
        presence: Presence<'c>,
        reduction: Option<Operator>,
    ) -> Result<'c, ()> {
        let b = env.b;
        let Some((value, reached)) = presence.parts() else { return Ok(()) };
        let refuse = || IrError::not_supported(b.location(), "a workspace outside a where-statement");
        let old = env.slot(Slot::Value(workspace)).ok_or_else(refuse)?;
        let mut value = b.broadcast(value, old.r#type())?;
        if let Some(Lanes { mask: Some(mask), are_added_up: true, .. }) = env.lanes {
            value = b.select(mask, value, zero(b, value.r#type())?)?;
        }
        let mut new = match reduction {
            Some(Operator::Add)
                if self.options.sums == Sums::AnyOrder && types::is_complex(types::scalar(old.r#type())) =>
            {
                b.add_product(old, value)?
            }
            Some(Operator::Add) if env.is_innermost && self.options.sums == Sums::AnyOrder => {
                b.add_reassociable(old, value)?
            }
            _ => reduce(b, reduction, old, value)?,
        };
        if let Some(reached) = reached {
            new = b.select(reached, new, old)?;
        }
        env.set_slot(Slot::Value(workspace), new);
        let slot = Slot::Reached(workspace);
        let Some(before) = env.slot(slot) else { return Ok(()) };
        let now = match reached {
            Some(reached) => b.value_op("or", before, reached)?,
            None => b.int(before.r#type(), 1)?,
        };
        env.set_slot(slot, now);
        Ok(())
    }

    /// Present where both sides are.
    fn intersection(
        &self,
        env: &mut Env<'c>,
        (id, operator): (ValueId, Operator),
        [left, right]: [Presence<'c>; 2],
    ) -> Result<'c, Presence<'c>> {
        let b = env.b;
        let (Some((first, first_reached)), Some((second, second_reached))) = (left.parts(), right.parts())
        else {
            return Ok(Absent);
        };
        let second = match operator {
            Operator::Div => self.divisor(env, id, second, [first_reached, second_reached])?,
            _ => second,
        };
        let (first, second) = same_shape(b, first, second)?;
        let value = combine(b, operator, first, second)?;
        let reached = match (first_reached, second_reached) {
            (Some(first), Some(second)) => Some(b.value_op("and", first, second)?),
            (one, other) => one.or(other),
        };
        Ok(Presence::of(value, reached))
    }

    /// A divisor, or 1 where the quotient is not there: an integer is not divided by 0 where nothing asks for
    /// it.
    fn divisor(
        &self,
        env: &mut Env<'c>,
        quotient: ValueId,
        mut divisor: Val<'c>,
        reached: [Option<Val<'c>>; 2],
    ) -> Result<'c, Val<'c>> {
        let b = env.b;
        for reached in reached.into_iter().flatten() {
            divisor = or_one(b, divisor, reached)?;
        }
        if !types::is_integer(types::scalar(divisor.r#type())) {
            return Ok(divisor);
        }
        for (mask, kept) in self.masks_of(quotient) {
            let Value::Access(access) = self.compute.value(mask) else { unreachable!("a mask is an access") };
            let stored = self.access(env, access)?;
            match self.leaves(b, (mask, kept), stored)? {
                Leaves::All => {}
                Leaves::None => divisor = identity(b, Some(Operator::Mul), divisor.r#type())?,
                Leaves::Where(condition) => divisor = or_one(b, divisor, condition)?,
            }
        }
        Ok(divisor)
    }

    /// The masks that decide whether a value is used, which come after it.
    fn masks_of(&self, value: ValueId) -> Vec<(ValueId, Kept)> {
        let mut made_from_it = vec![value];
        let mut masks = Vec::new();
        for later in value.0 + 1..self.compute.values.len() {
            let row = &self.compute.values[later];
            if row.operands().iter().any(|operand| made_from_it.contains(operand)) {
                made_from_it.push(ValueId(later));
                if let Value::Mask { mask, kept, .. } = row {
                    masks.push((*mask, *kept));
                }
            }
        }
        masks
    }

    fn leaves(
        &self,
        b: Builder<'c>,
        (mask, kept): (ValueId, Kept),
        presence: Presence<'c>,
    ) -> Result<'c, Leaves<'c>> {
        let is_complement = kept == Kept::Complement;
        let Some((stored, reached)) = presence.parts() else {
            return Ok(if is_complement { Leaves::All } else { Leaves::None });
        };
        let is_dense = matches!(self.compute.value(mask), Value::Access(access) if self.compute.format(access).is_dense());
        let reached = if is_dense { Some(truth(b, stored)?) } else { reached };
        let Some(condition) = reached else {
            return Ok(if is_complement { Leaves::None } else { Leaves::All });
        };
        if !is_complement {
            return Ok(Leaves::Where(condition));
        }
        negated(b, condition).map(Leaves::Where)
    }

    /// Stores a value in an array of such elements.
    pub(super) fn store(
        b: Builder<'c>,
        value: Val<'c>,
        values: (Val<'c>, ValueType),
        position: Val<'c>,
    ) -> Result<'c, ()> {
        b.store_element(value, values, position)
    }

    /// Stores a block of lanes.
    pub(super) fn store_lanes(
        b: Builder<'c>,
        lanes: Lanes<'c>,
        value: Val<'c>,
        ((values, of), position): ((Val<'c>, ValueType), Val<'c>),
        reduction: Option<Operator>,
    ) -> Result<'c, ()> {
        let ty: Ty<'c> = types::vector(lanes.count, types::scalar(value.r#type()));
        let mut value = b.broadcast(value, ty)?;
        if reduction.is_some() {
            let old = Self::load(b, Some(lanes), (values, of), position)?;
            value = reduce(b, reduction, old, value)?;
        }
        b.store_lanes(value, (values, of), position, lanes.mask)
    }
}

/// The lanes that an access has at once, inside of a loop over them.
pub(super) fn lanes_of<'c>(env: &Env<'c>, access: &Access) -> Option<Lanes<'c>> {
    env.lanes.filter(|lanes| access.indices.contains(&lanes.var))
}

/// A scalar next to a vector goes into every lane.
fn same_shape<'c>(b: Builder<'c>, left: Val<'c>, right: Val<'c>) -> Result<'c, (Val<'c>, Val<'c>)> {
    if left.r#type().is_vector() {
        return Ok((left, b.broadcast(right, left.r#type())?));
    }
    Ok((b.broadcast(left, right.r#type())?, right))
}

fn unary<'c>(
    b: Builder<'c>,
    operand: Presence<'c>,
    apply: impl FnOnce(Builder<'c>, Val<'c>) -> Result<'c, Val<'c>>,
) -> Result<'c, Presence<'c>> {
    let Some((value, reached)) = operand.parts() else { return Ok(Absent) };
    Ok(Presence::of(apply(b, value)?, reached))
}

/// Present where a side is; a side that is missing counts as 0.
fn union<'c>(
    b: Builder<'c>,
    operator: Operator,
    left: Presence<'c>,
    right: Presence<'c>,
) -> Result<'c, Presence<'c>> {
    let ((first, first_reached), (second, second_reached)) = match (left.parts(), right.parts()) {
        (None, None) => return Ok(Absent),
        (Some(left), Some(right)) => (left, right),
        (Some(_), None) if matches!(operator, Operator::Add | Operator::Sub) => return Ok(left),
        (None, Some(_)) if operator == Operator::Add => return Ok(right),
        (None, Some((value, reached))) if operator == Operator::Sub => {
            return Ok(Presence::of(negate(b, value)?, reached));
        }
        (Some((value, reached)), None) => {
            return Ok(Presence::of(combine(b, operator, value, zero(b, value.r#type())?)?, reached));
        }
        (None, Some((value, reached))) => {
            return Ok(Presence::of(combine(b, operator, zero(b, value.r#type())?, value)?, reached));
        }
    };
    let (first, second) = (or_zero(b, first, first_reached)?, or_zero(b, second, second_reached)?);
    let (first, second) = same_shape(b, first, second)?;
    let value = combine(b, operator, first, second)?;
    Ok(match (first_reached, second_reached) {
        (Some(first), Some(second)) => Maybe { value, reached: b.value_op("or", first, second)? },
        _ => Present(value),
    })
}

/// The condition that another one does not hold.
fn negated<'c>(b: Builder<'c>, condition: Val<'c>) -> Result<'c, Val<'c>> {
    let always = b.int(condition.r#type(), 1)?;
    b.value_op("xor", condition, always)
}

fn or_zero<'c>(b: Builder<'c>, value: Val<'c>, reached: Option<Val<'c>>) -> Result<'c, Val<'c>> {
    let Some(reached) = reached else { return Ok(value) };
    let zero = zero(b, value.r#type())?;
    b.select(reached, value, zero)
}

/// Present where the value is and the mask leaves it.
fn masked<'c>(b: Builder<'c>, value: Presence<'c>, leaves: Leaves<'c>) -> Result<'c, Presence<'c>> {
    let leaves = match leaves {
        Leaves::All => return Ok(value),
        Leaves::None => return Ok(Absent),
        Leaves::Where(condition) => condition,
    };
    let Some((value, reached)) = value.parts() else { return Ok(Absent) };
    let reached = match reached {
        Some(reached) => b.value_op("and", reached, leaves)?,
        None => leaves,
    };
    Ok(Maybe { value, reached })
}

/// A divisor that is not there must not be 0.
fn or_one<'c>(b: Builder<'c>, value: Val<'c>, reached: Val<'c>) -> Result<'c, Val<'c>> {
    let one = identity(b, Some(Operator::Mul), value.r#type())?;
    b.select(reached, value, one)
}
