//! Values of a compute.

use super::ComputeReader;
use comet_format::ValueType;
use comet_ir::cin::{self as ops, Cin};
use comet_ir::{IrError, Op, Result, Ty, Val, types};
use comet_notation::{Function, Operator, Patterns};
use comet_passes::nest;
use comet_spatial::app::{Role, Scalar};
use comet_spatial::lower::{NestAccess, Value};
use melior::ir::ValueLike;
use melior::ir::attribute::{FloatAttribute, IntegerAttribute};

pub(crate) fn element(ty: Ty<'_>) -> Scalar {
    match types::value_of(ty).computed() {
        ValueType::F64 => Scalar::Double,
        ValueType::F32 => Scalar::Float,
        _ => Scalar::Long,
    }
}

/// What a dense copy of a sparse tensor has at a point where there is an entry. At others it has a 0, whose
/// product with what is infinite or NaN would not be 0.
fn entries(copy: NestAccess) -> Value {
    Value::Mask { value: Box::new(Value::Access(copy.clone())), mask: copy, complement: false }
}

impl<'c> ComputeReader<'c> {
    pub(super) fn value(&mut self, value: Val<'c>) -> Result<'c, Value> {
        let Some(op) = Op::defining(value) else { return Ok(self.number(value)) };
        match Cin::of(op) {
            Some(Cin::Access(_)) => {
                let access = self.access(op, Role::Operand)?;
                Ok(if self.is_copied_dense(&access) { entries(access) } else { Value::Access(access) })
            }
            Some(Cin::Unite(pair)) => {
                self.pair(Patterns::Union, named(pair.op().word()), [pair.left(), pair.right()])
            }
            Some(Cin::Combine(pair)) => {
                self.pair(Patterns::Intersection, operator_of(pair), [pair.left(), pair.right()])
            }
            Some(Cin::Apply(apply)) => {
                let function = Function::named(apply.function().word());
                let function = function.expect("the dialect has the names of the table");
                Ok(Value::Apply(function, Box::new(self.value(apply.value())?)))
            }
            Some(Cin::Drop(drop)) => {
                Err(IrError::not_supported(drop.location(), "`drop`, in an application of parallel patterns"))
            }
            Some(Cin::Neg(negated)) => Ok(Value::Negate(Box::new(self.value(negated.value())?))),
            Some(Cin::Cast(cast)) => {
                let to = types::value_of(value.r#type());
                if !to.is_computed() {
                    let what =
                        format!("a conversion to `{}` in an application of parallel patterns", to.word());
                    let hint = "compute into a tensor of `int`, `float` or `double`, or leave `--target` out";
                    return Err(IrError::not_supported(op.location(), what).hint(hint));
                }
                let inner = self.value(cast.value())?;
                Ok(Value::To(element(value.r#type()), Box::new(inner)))
            }
            Some(Cin::Mask(mask)) => self.mask(mask),
            _ => Ok(constant_value(value).unwrap_or_else(|| self.number(value))),
        }
    }

    fn pair(&mut self, how: Patterns, operator: Operator, operands: [Val<'c>; 2]) -> Result<'c, Value> {
        let (left, right) = (self.value(operands[0])?, self.value(operands[1])?);
        Ok(Value::Combine(how, operator, Box::new(left), Box::new(right)))
    }

    fn mask(&mut self, op: ops::Mask<'c>) -> Result<'c, Value> {
        let mask = Op::defining(op.mask()).and_then(|mask| mask.cast::<ops::Access<'c>>());
        let mask = mask.filter(|mask| !nest::is_temporary(mask.tensor()));
        let Some(mask) = mask else {
            return Err(IrError::not_supported(op.location(), "a computed mask, as a pattern"));
        };
        let value = Box::new(self.value(op.value())?);
        Ok(Value::Mask { value, mask: self.access(*mask, Role::Operand)?, complement: op.complement() })
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
    if ty == Scalar::Long {
        return IntegerAttribute::try_from(attribute).ok().map(|number| Value::Int(number.value(), ty));
    }
    let number = FloatAttribute::try_from(attribute).ok()?.value();
    number.is_finite().then_some(Value::Float(number, ty))
}

/// Which value `any` keeps is open.
fn operator_of(combine: ops::Combine<'_>) -> Operator {
    match named(combine.op().word()) {
        Operator::Any => Operator::First,
        operator => operator,
    }
}

/// The operator of a word of the dialect.
pub(super) fn named(word: &str) -> Operator {
    Operator::named(word).expect("the dialect has the names of the table")
}
