//! Values of a compute.

use super::Reader;
use comet_dialects::cin::{
    AccessOperation, AddOperation, CastOperation, CombineOperation, MaskOperation, NegOperation, SubOperation,
};
use comet_ir::{IrError, Op, Result, Ty, Val};
use comet_passes::{nest, operator};
use comet_spatial::app::Type;
use comet_spatial::lower::{Access, How, Operation, Value};
use melior::ir::attribute::{FloatAttribute, IntegerAttribute, StringAttribute};
use melior::ir::{TypeLike, ValueLike};

/// What an element type of the language is.
pub(crate) fn element(ty: Ty<'_>) -> Type {
    if ty.is_f64() {
        Type::Double
    } else if ty.is_f32() {
        Type::Float
    } else {
        Type::Long
    }
}

/// What a dense copy of a sparse tensor has at a point where there is an entry. At others it has a 0, whose
/// product with what is infinite or NaN would not be 0.
fn entries(copy: Access) -> Value {
    Value::Mask { value: Box::new(Value::Access(copy.clone())), mask: copy, complement: false }
}

/// The text of an attribute.
pub(super) fn text(op: Op<'_>, name: &str) -> String {
    let attribute = op.attribute(name).and_then(|attribute| StringAttribute::try_from(attribute).ok());
    attribute.expect("the verifier demands the attribute").value().to_owned()
}

impl<'c> Reader<'c> {
    pub(super) fn value(&mut self, value: Val<'c>) -> Result<'c, Value> {
        let Some(op) = Op::defining(value) else { return Ok(self.number(value)) };
        if op.is::<AccessOperation>() {
            let access = self.access(op, false)?;
            return Ok(if self.is_copied_dense(&access) { entries(access) } else { Value::Access(access) });
        }
        if op.is::<AddOperation>() {
            return self.pair(op, How::Union, Operation::Add);
        }
        if op.is::<SubOperation>() {
            return self.pair(op, How::Union, Operation::Subtract);
        }
        if op.is::<CombineOperation>() {
            return self.pair(op, How::Intersect, operation_of(op));
        }
        if op.is::<NegOperation>() {
            return Ok(Value::Negate(Box::new(self.value(op.operand(0))?)));
        }
        if op.is::<CastOperation>() {
            let inner = self.value(op.operand(0))?;
            return Ok(Value::To(element(value.r#type()), Box::new(inner)));
        }
        if op.is::<MaskOperation>() {
            return self.mask(op);
        }
        Ok(constant_value(value).unwrap_or_else(|| self.number(value)))
    }

    fn pair(&mut self, op: Op<'c>, how: How, operation: Operation) -> Result<'c, Value> {
        let (left, right) = (self.value(op.operand(0))?, self.value(op.operand(1))?);
        Ok(Value::Combine(how, operation, Box::new(left), Box::new(right)))
    }

    fn mask(&mut self, op: Op<'c>) -> Result<'c, Value> {
        let mask = Op::defining(op.operand(1)).filter(|mask| mask.is::<AccessOperation>());
        let mask = mask.filter(|mask| !nest::is_temporary(nest::point(*mask).0));
        let Some(mask) = mask else {
            return Err(IrError::not_supported(op.location(), "a computed mask, as a pattern"));
        };
        let value = Box::new(self.value(op.operand(0))?);
        let complement = op.attribute("complement").is_some();
        Ok(Value::Mask { value, mask: self.access(mask, false)?, complement })
    }

    /// A number that is known only when the program runs.
    fn number(&mut self, value: Val<'c>) -> Value {
        let place = self.numbers.iter().position(|(.., other)| *other == value);
        let place = place.unwrap_or_else(|| {
            let name = self.names.fresh(&format!("s{}", self.numbers.len()));
            self.numbers.push((name, element(value.r#type()), value));
            self.numbers.len() - 1
        });
        Value::Number(place)
    }
}

/// A number that the text of the program has. What has no sign of its own in a text, such as an infinity, is
/// given when it runs.
fn constant_value(value: Val<'_>) -> Option<Value> {
    let attribute = Op::defining(value)?.attribute("value")?;
    let ty = element(value.r#type());
    if ty == Type::Long {
        return IntegerAttribute::try_from(attribute).ok().map(|number| Value::Int(number.value(), ty));
    }
    let number = FloatAttribute::try_from(attribute).ok()?.value();
    number.is_finite().then_some(Value::Float(number, ty))
}

fn operation_of(combine: Op<'_>) -> Operation {
    use operator::Operator as Cin;
    match Cin::of(combine) {
        Cin::Mul => Operation::Multiply,
        Cin::Div => Operation::Divide,
        Cin::Add => Operation::Add,
        Cin::Sub => Operation::Subtract,
        Cin::Min => Operation::Min,
        Cin::Max => Operation::Max,
        // Which one is kept is open.
        Cin::Any | Cin::First => Operation::First,
        Cin::Second => Operation::Second,
        Cin::Pair => Operation::Pair,
        Cin::Or => Operation::Or,
        Cin::And => Operation::And,
    }
}
