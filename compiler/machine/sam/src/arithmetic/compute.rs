//! Operators, functions and reductions on the bits of values. Which function it is is chosen once for a
//! block, and not for each of its tokens.

use super::{Element, Function, NumberFunction, Operator, Reduction, TypedValue};
use comet_notation::Arithmetic;

/// What an operator makes of two values; nothing where an integer is divided by 0.
pub type Binary = fn(u64, u64) -> Option<u64>;

pub type Unary = Box<dyn Fn(u64) -> u64>;

trait Bits: Arithmetic {
    fn of(bits: u64) -> Self;
    fn bits(self) -> u64;
    fn negative(self) -> Self;
    fn applied(self, function: NumberFunction) -> Self;
}

macro_rules! float {
    ($float:ty, $bits:ty) => {
        impl Bits for $float {
            fn of(bits: u64) -> Self {
                Self::from_bits(bits as $bits)
            }
            fn bits(self) -> u64 {
                u64::from(self.to_bits())
            }
            fn negative(self) -> Self {
                -self
            }
            fn applied(self, function: NumberFunction) -> Self {
                function.of_double(self.into()) as Self
            }
        }
    };
}

float!(f64, u64);
float!(f32, u32);

impl Bits for i64 {
    fn of(bits: u64) -> Self {
        bits.cast_signed()
    }
    fn bits(self) -> u64 {
        self.cast_unsigned()
    }
    fn negative(self) -> Self {
        self.wrapping_neg()
    }
    fn applied(self, function: NumberFunction) -> Self {
        function.of_integer(self).unwrap_or_else(|| function.of_double(self as f64) as Self)
    }
}

pub fn binary(operator: Operator, element: Element) -> Binary {
    match element.computed() {
        Element::F64 => binary_of::<f64>(operator),
        Element::F32 => binary_of::<f32>(operator),
        _ => binary_of::<i64>(operator),
    }
}

fn binary_of<N: Bits>(operator: Operator) -> Binary {
    macro_rules! choose {
        ($($case:ident)*) => {
            match operator {
                $(Operator::$case => |a, b| Operator::$case.apply(N::of(a), N::of(b)).map(N::bits),)*
                Operator::Own(_) => unreachable!("graphs with operators of the file are refused"),
            }
        };
    }
    choose!(Add Sub Mul Div Min Max Any First Second Pair Or And Eq Ne Lt Le Gt Ge Pow If Else Either Complex)
}

pub fn unary(function: Function, element: Element) -> Unary {
    match element.computed() {
        Element::F64 => unary_of::<f64>(function, element),
        Element::F32 => unary_of::<f32>(function, element),
        _ => unary_of::<i64>(function, element),
    }
}

fn unary_of<N: Bits>(function: Function, element: Element) -> Unary {
    match function {
        Function::Negate => Box::new(|bits| N::of(bits).negative().bits()),
        Function::Convert(to) => Box::new(move |bits| TypedValue::from_bits(bits, element).to(to).bits()),
        Function::Of(function) => Box::new(move |bits| N::of(bits).applied(function).bits()),
        Function::With(operator, constant) => {
            let (operator, constant) = (binary(operator, element), constant.value(element).bits());
            Box::new(move |bits| operator(bits, constant).expect("no constant of a graph is a divisor 0"))
        }
    }
}

/// How a value of a type comes to those before it.
#[derive(Clone, Copy, Debug)]
pub struct Combine {
    combine: Binary,
    identity: u64,
}

impl Combine {
    pub fn new(reduction: Reduction, element: Element) -> Self {
        let last = if reduction == Reduction::Any { Operator::Second } else { reduction };
        Self { combine: binary(last, element), identity: Self::nothing(reduction, element).bits() }
    }

    /// Returns what a reduction makes of nothing: what leaves other values as they are, and 0 where any of
    /// them would do.
    pub fn nothing(reduction: Reduction, element: Element) -> TypedValue {
        let identity = reduction.identity().expect("an operator that reduces has an identity");
        match element.computed() {
            Element::F64 => TypedValue::F64(identity.float),
            Element::F32 => TypedValue::F32(identity.float as f32),
            _ => TypedValue::I64(identity.integer),
        }
    }

    pub fn identity(self) -> u64 {
        self.identity
    }

    #[inline]
    pub fn add(self, before: u64, next: u64) -> u64 {
        (self.combine)(before, next).expect("an operator that reduces has a value for all operands")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn apply(operator: Operator, a: TypedValue, b: TypedValue) -> Option<TypedValue> {
        let element = a.element();
        binary(operator, element)(a.bits(), b.bits()).map(|bits| TypedValue::from_bits(bits, element))
    }

    #[test]
    fn integers_wrap_and_are_not_divided_by_zero() {
        let least = TypedValue::I64(i64::MIN);
        assert_eq!(apply(Operator::Sub, least, TypedValue::I64(1)), Some(TypedValue::I64(i64::MAX)));
        assert_eq!(apply(Operator::Div, least, TypedValue::I64(-1)), Some(least));
        assert_eq!(apply(Operator::Div, TypedValue::I64(-7), TypedValue::I64(2)), Some(TypedValue::I64(-3)));
        assert_eq!(apply(Operator::Div, least, TypedValue::I64(0)), None);
        assert_eq!(unary(Function::Negate, Element::I64)(least.bits()), least.bits());
        assert_eq!(
            apply(Operator::Div, TypedValue::F32(1.0), TypedValue::F32(0.0)),
            Some(TypedValue::F32(f32::INFINITY))
        );
    }

    #[test]
    fn functions_of_all_types() {
        let apply = |function: Function, value: TypedValue| {
            TypedValue::from_bits(unary(function, value.element())(value.bits()), value.element())
        };
        for value in [TypedValue::F64(2.5), TypedValue::F32(2.5), TypedValue::I64(2)] {
            assert_eq!(apply(Function::Of(NumberFunction::Relu), value), value);
            assert_eq!(
                apply(Function::Of(NumberFunction::Relu), apply(Function::Negate, value)),
                TypedValue::zero(value.element())
            );
        }
        assert_eq!(
            apply(Function::Of(NumberFunction::Exp), TypedValue::F64(1.0)),
            TypedValue::F64(std::f64::consts::E)
        );
        assert_eq!(apply(Function::Of(NumberFunction::Exp), TypedValue::F32(0.0)), TypedValue::F32(1.0));
        assert_eq!(apply(Function::Of(NumberFunction::Exp), TypedValue::I64(2)), TypedValue::I64(7));
        assert_eq!(apply(Function::Of(NumberFunction::Exp), TypedValue::I64(99)), TypedValue::I64(i64::MAX));
    }

    /// 2^53 + 1 is no f64.
    #[test]
    fn integers_keep_all_their_bits() {
        let large = TypedValue::I64((1 << 53) + 1);
        assert_eq!(apply(Operator::Mul, large, TypedValue::I64(3)), Some(TypedValue::I64((3 << 53) + 3)));
        assert_eq!(large.to(Element::F64), TypedValue::F64(9_007_199_254_740_992.0));
    }

    #[test]
    fn a_number_is_the_extremum_of_it_and_nan() {
        for operator in [Operator::Min, Operator::Max] {
            assert_eq!(
                apply(operator, TypedValue::F64(f64::NAN), TypedValue::F64(2.0)),
                Some(TypedValue::F64(2.0))
            );
            assert_eq!(
                apply(operator, TypedValue::F32(-2.0), TypedValue::F32(f32::NAN)),
                Some(TypedValue::F32(-2.0))
            );
        }
    }

    #[test]
    fn identities_leave_values_as_they_are() {
        for element in Element::ALL {
            for (_, reduction) in crate::arithmetic::reductions() {
                let value = TypedValue::I64(if reduction == Reduction::And { 1 } else { 5 }).to(element);
                let left = {
                    let combine = Combine::new(reduction, element);
                    combine.add(combine.identity(), value.bits())
                };
                let expected =
                    if reduction == Reduction::Or { TypedValue::I64(1).to(element) } else { value };
                assert_eq!(TypedValue::from_bits(left, element), expected, "{reduction:?} of {element:?}");
            }
        }
    }

    #[test]
    fn conversions_cut_off_and_saturate() {
        let convert = |value: TypedValue, to: Element| {
            TypedValue::from_bits(unary(Function::Convert(to), value.element())(value.bits()), to)
        };
        assert_eq!(convert(TypedValue::F64(-2.75), Element::I64), TypedValue::I64(-2));
        assert_eq!(convert(TypedValue::F32(f32::NAN), Element::I64), TypedValue::I64(0));
        assert_eq!(convert(TypedValue::F64(1e300), Element::I64), TypedValue::I64(i64::MAX));
        assert_eq!(convert(TypedValue::F64(0.1), Element::F32), TypedValue::F32(0.1));
    }
}
