//! Values and assignments at a point: scalars, or vectors inside a loop over lanes.

use super::operator::{combine, identity, negate, reduce, truth, zero};
use super::point::Point;
use super::workspace::{Slot, is_workspace};
use super::{Lanes, Lowering};
use comet_dialects::cin::{AccessOperation, AddOperation, CastOperation, MaskOperation, SubOperation};
use comet_ir::{Builder, IrError, Op, Result, Ty, Val, types};
use comet_passes::operator::{Operator, Reduction};
use comet_passes::sums::Sums;
use melior::ir::{TypeLike, ValueLike};

/// What tells a value of the compute from the others.
pub(super) fn key(value: Val<'_>) -> usize {
    value.to_raw().ptr as usize
}

/// Whether an expression has a value at a point, and which.
#[derive(Clone, Copy)]
pub(super) enum Presence<'c> {
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

    fn of(value: Val<'c>, reached: Option<Val<'c>>) -> Self {
        reached.map_or(Present(value), |reached| Maybe { value, reached })
    }
}

impl<'c> Lowering<'c> {
    /// The value of an operation of the expression. Sums leave out what is absent, everything else is
    /// absent with any of its operands.
    pub(super) fn value(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<'c, Presence<'c>> {
        if op.is::<AccessOperation>() {
            return self.access(b, op);
        }
        let operands: Vec<Presence<'c>> =
            op.operands().into_iter().map(|operand| self.new_value(operand)).collect();
        match operands[..] {
            [only] => unary(b, op, only),
            [value, mask] if op.is::<MaskOperation>() => masked(b, op, value, mask),
            [left, right] if op.is::<AddOperation>() || op.is::<SubOperation>() => sum(b, op, left, right),
            [left, right] => self.intersection(b, op, left, right),
            _ => unreachable!("expressions have one or two operands"),
        }
    }

    /// What a value of the compute is in the new code; a value from outside is itself.
    fn new_value(&self, value: Val<'c>) -> Presence<'c> {
        self.values.get(&key(value)).copied().unwrap_or(Present(value))
    }

    fn access(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<'c, Presence<'c>> {
        let point = Point::of(op);
        if let Some(workspace) = self.dense_workspace(point.tensor) {
            return self.load_workspace(b, workspace, &point);
        }
        if is_workspace(point.tensor) {
            return Ok(self.workspace(point.tensor));
        }
        if self.absent.contains(&point) {
            return Ok(Absent);
        }
        let (position, present) = self.position(b, &point, op)?;
        let values = self.storage.values(point.tensor)?;
        let Some(reached) = present else { return self.load(b, &point, values, position).map(Present) };
        let ty = self.value_type(&point);
        let load = |b: Builder<'c>| Ok(vec![self.load(b, &point, values, position)?]);
        let value = b.if_else(reached, &[ty], load, |b| Ok(vec![zero(b, ty)?]))?[0];
        Ok(Maybe { value, reached })
    }

    /// What an access gives: an element, or as many lanes as are computed at once.
    fn value_type(&self, point: &Point<'c>) -> Ty<'c> {
        let element = types::element(point.tensor.r#type());
        match self.lanes {
            Some(lanes) if point.indices.contains(&lanes.var) => types::vector(lanes.count, element),
            _ => element,
        }
    }

    fn load(
        &self,
        b: Builder<'c>,
        point: &Point<'c>,
        values: Val<'c>,
        position: Val<'c>,
    ) -> Result<'c, Val<'c>> {
        match self.lanes {
            Some(lanes) if point.indices.contains(&lanes.var) => {
                let ty = self.value_type(point);
                let Some(mask) = lanes.mask else { return b.vector_load(values, position, ty) };
                let rest = zero(b, ty)?;
                b.masked_load(values, position, mask, rest)
            }
            _ => b.load(values, position),
        }
    }

    /// The position in the array of values, and whether it is one where only the running program knows.
    pub(super) fn position(
        &mut self,
        b: Builder<'c>,
        point: &Point<'c>,
        op: Op<'c>,
    ) -> Result<'c, (Val<'c>, Option<Val<'c>>)> {
        let positions = self.locate(b, point)?;
        if positions.levels < point.format().levels.len() {
            return Err(IrError::not_supported(
                op.location(),
                "an operand whose storage order conflicts with the loop order",
            ));
        }
        match positions.last {
            Some(position) => Ok((position, positions.present)),
            None => Ok((self.storage.constant(0)?, None)),
        }
    }

    /// `target reduction= value`.
    pub(super) fn assign(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<'c, ()> {
        let point = Point::of(op);
        let reduction = Reduction::of(op);
        let presence = self.new_value(op.operand(0));
        if let Some(workspace) = self.dense_workspace(point.tensor) {
            return self.assign_dense_workspace(b, workspace, &point, presence, reduction);
        }
        if self.assign_result(b, &point, presence)? {
            return Ok(());
        }
        if is_workspace(point.tensor) {
            return self.assign_workspace(b, point.tensor, presence, reduction);
        }
        let element = types::element(point.tensor.r#type());
        if matches!(presence, Absent) && reduction != Reduction::Set {
            return Ok(());
        }
        let (position, _) = self.position(b, &point, op)?;
        let values = self.storage.values(point.tensor)?;
        let value = match presence.parts() {
            None => zero(b, element)?,
            Some((value, None)) => value,
            // What is not there changes nothing, and is stored as 0.
            Some((value, Some(reached))) => {
                let nothing = match reduction {
                    Reduction::Any => self.load(b, &point, values, position)?,
                    _ => identity(b, reduction, value.r#type())?,
                };
                let value = b.broadcast(value, nothing.r#type())?;
                b.select(reached, value, nothing)?
            }
        };
        if self.lanes.is_some_and(|lanes| point.indices.contains(&lanes.var)) {
            return self.store_lanes(b, value, [values, position], reduction);
        }
        let value = match reduction {
            Reduction::Set => value,
            _ => {
                let old = b.load(values, position)?;
                reduce(b, reduction, old, value)?
            }
        };
        b.store(value, values, position)
    }

    fn assign_workspace(
        &mut self,
        b: Builder<'c>,
        workspace: Val<'c>,
        presence: Presence<'c>,
        reduction: Reduction,
    ) -> Result<'c, ()> {
        let Some((value, reached)) = presence.parts() else { return Ok(()) };
        let refuse = || IrError::not_supported(b.location(), "a workspace outside a where-statement");
        let old = self.slot(Slot::Value(workspace)).ok_or_else(refuse)?;
        let mut value = b.broadcast(value, old.r#type())?;
        if let Some(Lanes { mask: Some(mask), are_added_up: true, .. }) = self.lanes {
            let nothing = zero(b, value.r#type())?;
            value = b.select(mask, value, nothing)?;
        }
        let mut new = match reduction {
            Reduction::Add if self.reassociates && self.sums == Sums::AnyOrder => {
                b.add_reassociable(old, value)?
            }
            _ => reduce(b, reduction, old, value)?,
        };
        if let Some(reached) = reached {
            new = b.select(reached, new, old)?;
        }
        self.set_slot(Slot::Value(workspace), new);
        let slot = Slot::Reached(workspace);
        let Some(before) = self.slot(slot) else { return Ok(()) };
        let now = match reached {
            Some(reached) => b.value("arith.ori", &[before, reached], before.r#type())?,
            None => b.int(before.r#type(), 1)?,
        };
        self.set_slot(slot, now);
        Ok(())
    }

    /// Present where both sides are.
    fn intersection(
        &mut self,
        b: Builder<'c>,
        op: Op<'c>,
        left: Presence<'c>,
        right: Presence<'c>,
    ) -> Result<'c, Presence<'c>> {
        let (Some((first, first_reached)), Some((second, second_reached))) = (left.parts(), right.parts())
        else {
            return Ok(Absent);
        };
        let second = match Operator::of(op) {
            Operator::Div => self.divisor(b, op, second, [first_reached, second_reached])?,
            _ => second,
        };
        let (first, second) = same_shape(b, first, second)?;
        let value = combine(b, op, first, second)?;
        let reached = match (first_reached, second_reached) {
            (Some(first), Some(second)) => Some(b.value("arith.andi", &[first, second], first.r#type())?),
            (one, other) => one.or(other),
        };
        Ok(Presence::of(value, reached))
    }

    /// A divisor, or 1 where the quotient is not there: an integer is not divided by 0 where nothing asks for
    /// it.
    fn divisor(
        &mut self,
        b: Builder<'c>,
        op: Op<'c>,
        mut divisor: Val<'c>,
        reached: [Option<Val<'c>>; 2],
    ) -> Result<'c, Val<'c>> {
        for reached in reached.into_iter().flatten() {
            divisor = or_one(b, divisor, reached)?;
        }
        if types::is_float(types::scalar(divisor.r#type())) {
            return Ok(divisor);
        }
        for mask in masks_around(op) {
            let stored = Op::defining(mask.operand(1)).expect("a mask is an access");
            let stored = self.access(b, stored)?;
            match leaves(b, mask, stored)? {
                Leaves::All => {}
                Leaves::None => divisor = identity(b, Reduction::Mul, divisor.r#type())?,
                Leaves::Where(condition) => divisor = or_one(b, divisor, condition)?,
            }
        }
        Ok(divisor)
    }

    /// Stores a block of lanes.
    pub(super) fn store_lanes(
        &self,
        b: Builder<'c>,
        value: Val<'c>,
        [values, position]: [Val<'c>; 2],
        reduction: Reduction,
    ) -> Result<'c, ()> {
        let lanes = self.lanes.expect("callers are inside a loop over lanes");
        let ty: Ty<'c> = types::vector(lanes.count, types::scalar(value.r#type()));
        let mut value = b.broadcast(value, ty)?;
        if reduction != Reduction::Set {
            let old = match lanes.mask {
                None => b.vector_load(values, position, ty)?,
                Some(mask) => {
                    let rest = zero(b, ty)?;
                    b.masked_load(values, position, mask, rest)?
                }
            };
            value = reduce(b, reduction, old, value)?;
        }
        match lanes.mask {
            None => b.vector_store(value, values, position),
            Some(mask) => b.masked_store(value, values, position, mask),
        }
    }
}

/// A scalar next to a vector goes into every lane.
fn same_shape<'c>(b: Builder<'c>, left: Val<'c>, right: Val<'c>) -> Result<'c, (Val<'c>, Val<'c>)> {
    if left.r#type().is_vector() {
        return Ok((left, b.broadcast(right, left.r#type())?));
    }
    Ok((b.broadcast(left, right.r#type())?, right))
}

fn unary<'c>(b: Builder<'c>, op: Op<'c>, operand: Presence<'c>) -> Result<'c, Presence<'c>> {
    let Some((value, reached)) = operand.parts() else { return Ok(Absent) };
    let value =
        if op.is::<CastOperation>() { b.convert(value, op.result(0).r#type())? } else { negate(b, value)? };
    Ok(Presence::of(value, reached))
}

/// Present where a side is; a side that is missing counts as 0.
fn sum<'c>(b: Builder<'c>, op: Op<'c>, left: Presence<'c>, right: Presence<'c>) -> Result<'c, Presence<'c>> {
    let is_difference = op.is::<SubOperation>();
    let ((first, first_reached), (second, second_reached)) = match (left.parts(), right.parts()) {
        (None, None) => return Ok(Absent),
        (Some(_), None) => return Ok(left),
        (None, Some((value, reached))) if is_difference => {
            return Ok(Presence::of(negate(b, value)?, reached));
        }
        (None, Some(_)) => return Ok(right),
        (Some(left), Some(right)) => (left, right),
    };
    let (first, second) = (or_zero(b, first, first_reached)?, or_zero(b, second, second_reached)?);
    let (first, second) = same_shape(b, first, second)?;
    let value = b.value_op(if is_difference { "sub" } else { "add" }, first, second)?;
    Ok(match (first_reached, second_reached) {
        (Some(first), Some(second)) => {
            Maybe { value, reached: b.value("arith.ori", &[first, second], first.r#type())? }
        }
        _ => Present(value),
    })
}

fn or_zero<'c>(b: Builder<'c>, value: Val<'c>, reached: Option<Val<'c>>) -> Result<'c, Val<'c>> {
    let Some(reached) = reached else { return Ok(value) };
    let zero = zero(b, value.r#type())?;
    b.select(reached, value, zero)
}

/// Present where the value is and the mask is stored, or is not.
fn masked<'c>(
    b: Builder<'c>,
    op: Op<'c>,
    value: Presence<'c>,
    mask: Presence<'c>,
) -> Result<'c, Presence<'c>> {
    let leaves = match leaves(b, op, mask)? {
        Leaves::All => return Ok(value),
        Leaves::None => return Ok(Absent),
        Leaves::Where(condition) => condition,
    };
    let Some((value, reached)) = value.parts() else { return Ok(Absent) };
    let reached = match reached {
        Some(reached) => b.value("arith.andi", &[reached, leaves], leaves.r#type())?,
        None => leaves,
    };
    Ok(Maybe { value, reached })
}

/// What a mask leaves at a point.
enum Leaves<'c> {
    All,
    None,
    /// What it masks, where this holds.
    Where(Val<'c>),
}

fn leaves<'c>(b: Builder<'c>, op: Op<'c>, mask: Presence<'c>) -> Result<'c, Leaves<'c>> {
    let is_complement = op.attribute("complement").is_some();
    let Some((stored, reached)) = mask.parts() else {
        return Ok(if is_complement { Leaves::All } else { Leaves::None });
    };
    let reached = if is_dense_access(op.operand(1)) { Some(truth(b, stored)?) } else { reached };
    let Some(condition) = reached else {
        return Ok(if is_complement { Leaves::None } else { Leaves::All });
    };
    if !is_complement {
        return Ok(Leaves::Where(condition));
    }
    let always = b.int(condition.r#type(), 1)?;
    b.value("arith.xori", &[condition, always], condition.r#type()).map(Leaves::Where)
}

/// The masks that decide whether the value of an operation is used, which stand behind it.
fn masks_around(op: Op<'_>) -> Vec<Op<'_>> {
    let mut made_from_it = vec![key(op.result(0))];
    let mut masks = Vec::new();
    for next in std::iter::successors(op.next(), |op| op.next()) {
        let uses_it = next.operands().into_iter().any(|operand| made_from_it.contains(&key(operand)));
        if uses_it && next.is::<MaskOperation>() {
            masks.push(next);
        }
        if uses_it && next.result_count() == 1 {
            made_from_it.push(key(next.result(0)));
        }
    }
    masks
}

fn is_dense_access(value: Val<'_>) -> bool {
    Op::defining(value).is_some_and(|access| Point::of(access).format().is_dense())
}

/// A divisor that is not there must not be 0.
fn or_one<'c>(b: Builder<'c>, value: Val<'c>, reached: Val<'c>) -> Result<'c, Val<'c>> {
    let one = identity(b, Reduction::Mul, value.r#type())?;
    b.select(reached, value, one)
}
