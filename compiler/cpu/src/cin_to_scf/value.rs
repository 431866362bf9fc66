//! Values and assignments at a point: scalars, or vectors inside a loop over lanes.

use super::Lowering;
use super::point::Point;
use super::workspace::{is_workspace, zero};
use comet_dialects::cin::{AccessOperation, AddOperation, CastOperation, SubOperation};
use comet_ir::{Builder, IrError, Op, Result, Ty, Val, types};
use comet_passes::nest::integer;
use comet_passes::nest::{self, ADD, SET};
use melior::ir::{TypeLike, ValueLike};

/// What tells a value of the compute from the others.
pub(super) fn key(value: Val<'_>) -> usize {
    value.to_raw().ptr as usize
}

/// The numbers of `cin`'s `Operator` that are lowered.
const MUL: i64 = 0;
const DIV: i64 = 1;

/// The value of an expression where it has one; `None` where everything that makes it up is absent.
pub(super) type Presence<'c> = Option<Val<'c>>;

impl<'c> Lowering<'c> {
    /// The value of an operation of the expression. Sums leave out what is absent, everything else is absent with any of its operands.
    pub(super) fn value(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<'c, Presence<'c>> {
        if op.is::<AccessOperation>() {
            return self.access(b, op);
        }
        let operands: Vec<Presence<'c>> =
            op.operands().into_iter().map(|operand| self.new_value(operand)).collect();
        match operands[..] {
            [Some(value)] if op.is::<CastOperation>() => b.convert(value, op.result(0).r#type()).map(Some),
            [Some(value)] => negate(b, value).map(Some),
            [Some(left), Some(right)] => binary(b, op, left, right).map(Some),
            [Some(value), None] if is_sum(op) => Ok(Some(value)),
            [None, Some(value)] if op.is::<AddOperation>() => Ok(Some(value)),
            [None, Some(value)] if op.is::<SubOperation>() => negate(b, value).map(Some),
            _ => Ok(None),
        }
    }

    /// What a value of the compute is in the new code; a value from outside is itself.
    fn new_value(&self, value: Val<'c>) -> Presence<'c> {
        self.values.get(&key(value)).copied().unwrap_or(Some(value))
    }

    fn access(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<'c, Presence<'c>> {
        let point = Point::of(op);
        if is_workspace(point.tensor) {
            return Ok(Some(
                self.workspace(point.tensor).expect("the verifier has put the access after the producer"),
            ));
        }
        if self.absent.contains(&point) {
            return Ok(None);
        }
        self.load(b, &point, op).map(Some)
    }

    fn load(&mut self, b: Builder<'c>, point: &Point<'c>, op: Op<'c>) -> Result<'c, Val<'c>> {
        let position = self.position(b, point, op)?;
        let values = self.storage.values(point.tensor)?;
        match self.lanes {
            Some(lanes) if point.indices.contains(&lanes.var) => {
                let ty = types::vector(lanes.count, types::element(point.tensor.r#type()));
                let Some(mask) = lanes.mask else { return b.vector_load(values, position, ty) };
                let rest = zero(b, ty)?;
                b.masked_load(values, position, mask, rest)
            }
            _ => b.load(values, position),
        }
    }

    /// The position in the array of values.
    fn position(&mut self, b: Builder<'c>, point: &Point<'c>, op: Op<'c>) -> Result<'c, Val<'c>> {
        let positions = self.locate(b, point)?;
        if positions.levels < point.format().levels.len() {
            return Err(IrError::not_supported(
                op.location(),
                "an operand whose storage order conflicts with the loop order",
            ));
        }
        match positions.last {
            Some(position) => Ok(position),
            None => self.storage.constant(0),
        }
    }

    /// `target reduction= value`.
    pub(super) fn assign(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<'c, ()> {
        let point = Point::of(op);
        let reduction = integer(op, "reduction");
        let value = match self.new_value(op.operand(0)) {
            Some(value) => value,
            None if reduction == ADD => return Ok(()),
            None => zero(b, types::element(point.tensor.r#type()))?,
        };
        if reduction != SET && reduction != ADD {
            return Err(IrError::not_supported(op.location(), "reductions other than sums"));
        }
        if is_workspace(point.tensor) {
            return self.assign_workspace(b, point.tensor, value, reduction);
        }
        let position = self.position(b, &point, op)?;
        let values = self.storage.values(point.tensor)?;
        if self.lanes.is_some_and(|lanes| point.indices.contains(&lanes.var)) {
            return self.store_lanes(b, value, [values, position], reduction);
        }
        let value = match reduction {
            ADD => {
                let old = b.load(values, position)?;
                b.value_op("add", old, value)?
            }
            _ => value,
        };
        b.store(value, values, position)
    }

    fn assign_workspace(
        &mut self,
        b: Builder<'c>,
        workspace: Val<'c>,
        value: Val<'c>,
        reduction: i64,
    ) -> Result<'c, ()> {
        let old = self.workspace(workspace).expect("a where-statement has begun the workspace");
        let value = b.broadcast(value, old.r#type())?;
        let new = match reduction {
            ADD if self.reassociates => b.add_reassociable(old, value)?,
            ADD => b.value_op("add", old, value)?,
            _ => value,
        };
        self.set_workspace(workspace, new);
        Ok(())
    }

    fn store_lanes(
        &mut self,
        b: Builder<'c>,
        value: Val<'c>,
        [values, position]: [Val<'c>; 2],
        reduction: i64,
    ) -> Result<'c, ()> {
        let lanes = self.lanes.expect("callers are inside a loop over lanes");
        let ty: Ty<'c> = types::vector(lanes.count, types::scalar(value.r#type()));
        let mut value = b.broadcast(value, ty)?;
        if reduction == ADD {
            let old = match lanes.mask {
                None => b.vector_load(values, position, ty)?,
                Some(mask) => {
                    let rest = zero(b, ty)?;
                    b.masked_load(values, position, mask, rest)?
                }
            };
            value = b.value_op("add", old, value)?;
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

fn is_sum(op: Op<'_>) -> bool {
    op.is::<AddOperation>() || op.is::<SubOperation>()
}

fn binary<'c>(b: Builder<'c>, op: Op<'c>, left: Val<'c>, right: Val<'c>) -> Result<'c, Val<'c>> {
    let (left, right) = same_shape(b, left, right)?;
    if op.is::<AddOperation>() {
        b.value_op("add", left, right)
    } else if op.is::<SubOperation>() {
        b.value_op("sub", left, right)
    } else {
        combine(b, op, left, right)
    }
}

fn negate<'c>(b: Builder<'c>, value: Val<'c>) -> Result<'c, Val<'c>> {
    if types::is_float(types::scalar(value.r#type())) {
        return b.value("arith.negf", &[value], value.r#type());
    }
    let zero = zero(b, value.r#type())?;
    b.subi(zero, value)
}

fn combine<'c>(b: Builder<'c>, op: Op<'c>, left: Val<'c>, right: Val<'c>) -> Result<'c, Val<'c>> {
    match nest::integer(op, "op") {
        MUL => b.value_op("mul", left, right),
        DIV if types::is_float(types::scalar(left.r#type())) => {
            b.value("arith.divf", &[left, right], left.r#type())
        }
        DIV => b.value("ta.checked_div", &[left, right], left.r#type()),
        _ => Err(IrError::not_supported(op.location(), "the operators of semirings")),
    }
}
