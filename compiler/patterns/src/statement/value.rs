//! Values of a compute.

use super::Reader;
use comet_dialects::cin::{
    AccessOperation, AddOperation, CastOperation, CombineOperation, MaskOperation, NegOperation, SubOperation,
};
use comet_ir::{IrError, Op, Result, Ty, Val};
use comet_passes::operator;
use comet_spatial::app::{Operator, Type};
use comet_spatial::lower::{How, Value};
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

/// The text of an attribute.
pub(super) fn text(op: Op<'_>, name: &str) -> String {
    let attribute = op.attribute(name).and_then(|attribute| StringAttribute::try_from(attribute).ok());
    attribute.expect("the verifier demands the attribute").value().to_owned()
}

impl<'c> Reader<'c> {
    pub(super) fn value(&mut self, value: Val<'c>) -> Result<'c, Value> {
        let Some(op) = Op::defining(value) else { return Ok(self.number(value)) };
        if op.is::<AccessOperation>() {
            return Ok(Value::Access(self.access(op, false)?));
        }
        if op.is::<AddOperation>() {
            return self.pair(op, How::Union, Operator::Add);
        }
        if op.is::<SubOperation>() {
            return self.pair(op, How::Union, Operator::Subtract);
        }
        if op.is::<CombineOperation>() {
            return self.pair(op, How::Intersect, operator_of(op)?);
        }
        if op.is::<NegOperation>() {
            return Ok(Value::Negate(Box::new(self.value(op.operand(0))?)));
        }
        if op.is::<CastOperation>() {
            let inner = self.value(op.operand(0))?;
            return Ok(Value::To(element(value.r#type()), Box::new(inner)));
        }
        if op.is::<MaskOperation>() {
            return Err(IrError::not_supported(op.location(), "a mask, as a pattern"));
        }
        Ok(constant_value(value).unwrap_or_else(|| self.number(value)))
    }

    fn pair(&mut self, op: Op<'c>, how: How, operator: Operator) -> Result<'c, Value> {
        let (left, right) = (self.value(op.operand(0))?, self.value(op.operand(1))?);
        Ok(Value::Combine(how, operator, Box::new(left), Box::new(right)))
    }

    /// A number that is known only when the program runs.
    fn number(&mut self, value: Val<'c>) -> Value {
        let place = self.numbers.iter().position(|(.., other)| *other == value);
        let place = place.unwrap_or_else(|| {
            let name = format!("s{}", self.numbers.len());
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

fn operator_of<'c>(combine: Op<'c>) -> Result<'c, Operator> {
    use operator::Operator as Cin;
    Ok(match Cin::of(combine) {
        Cin::Mul => Operator::Multiply,
        Cin::Div => Operator::Divide,
        Cin::Add => Operator::Add,
        Cin::Sub => Operator::Subtract,
        Cin::Min => Operator::Min,
        Cin::Max => Operator::Max,
        _ => {
            return Err(IrError::not_supported(
                combine.location(),
                "this operator of a semiring, as a pattern",
            ));
        }
    })
}
