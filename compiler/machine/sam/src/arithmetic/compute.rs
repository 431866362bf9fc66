//! Operators, functions and reductions on the bits of values. Which function it is is chosen once for a
//! block, and not for each of its tokens.

use super::{Element, Function, Operator, Reduction, Value};

/// What an operator makes of two values; nothing where an integer is divided by 0.
pub type Binary = fn(u64, u64) -> Option<u64>;

/// What a function makes of a value.
pub type Unary = Box<dyn Fn(u64) -> u64>;

/// How a value comes to those before it.
pub type Combine = fn(u64, u64) -> u64;

/// A value of a type that is known here.
trait Arithmetic: Copy + PartialEq {
    const ZERO: Self;
    const ONE: Self;
    const LEAST: Self;
    const LARGEST: Self;

    fn of(bits: u64) -> Self;
    fn bits(self) -> u64;
    fn plus(self, other: Self) -> Self;
    fn minus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    fn over(self, other: Self) -> Option<Self>;
    fn smaller(self, other: Self) -> Self;
    fn larger(self, other: Self) -> Self;
    fn negative(self) -> Self;
    fn exponential(self) -> Self;
    fn absolute(self) -> Self;

    fn truth(truth: bool) -> Self {
        if truth { Self::ONE } else { Self::ZERO }
    }

    fn is_true(self) -> bool {
        self != Self::ZERO
    }
}

macro_rules! float {
    ($float:ty, $bits:ty) => {
        impl Arithmetic for $float {
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;
            const LEAST: Self = Self::NEG_INFINITY;
            const LARGEST: Self = Self::INFINITY;

            fn of(bits: u64) -> Self {
                Self::from_bits(bits as $bits)
            }
            fn bits(self) -> u64 {
                u64::from(self.to_bits())
            }
            fn plus(self, other: Self) -> Self {
                self + other
            }
            fn minus(self, other: Self) -> Self {
                self - other
            }
            fn times(self, other: Self) -> Self {
                self * other
            }
            fn over(self, other: Self) -> Option<Self> {
                Some(self / other)
            }
            fn smaller(self, other: Self) -> Self {
                self.min(other)
            }
            fn larger(self, other: Self) -> Self {
                self.max(other)
            }
            fn negative(self) -> Self {
                -self
            }
            fn exponential(self) -> Self {
                self.exp()
            }
            fn absolute(self) -> Self {
                self.abs()
            }
        }
    };
}

float!(f64, u64);
float!(f32, u32);

impl Arithmetic for i64 {
    const ZERO: Self = 0;
    const ONE: Self = 1;
    const LEAST: Self = Self::MIN;
    const LARGEST: Self = Self::MAX;

    fn of(bits: u64) -> Self {
        bits.cast_signed()
    }
    fn bits(self) -> u64 {
        self.cast_unsigned()
    }
    fn plus(self, other: Self) -> Self {
        self.wrapping_add(other)
    }
    fn minus(self, other: Self) -> Self {
        self.wrapping_sub(other)
    }
    fn times(self, other: Self) -> Self {
        self.wrapping_mul(other)
    }
    fn over(self, other: Self) -> Option<Self> {
        (other != 0).then(|| self.wrapping_div(other))
    }
    fn smaller(self, other: Self) -> Self {
        self.min(other)
    }
    fn larger(self, other: Self) -> Self {
        self.max(other)
    }
    fn negative(self) -> Self {
        self.wrapping_neg()
    }
    fn absolute(self) -> Self {
        self.wrapping_abs()
    }
    fn exponential(self) -> Self {
        (self as f64).exp() as Self
    }
}

impl Operator {
    /// What it does to values of a type.
    pub fn on(self, element: Element) -> Binary {
        match element {
            Element::F64 => operator::<f64>(self),
            Element::F32 => operator::<f32>(self),
            Element::I64 => operator::<i64>(self),
        }
    }
}

fn operator<N: Arithmetic>(operator: Operator) -> Binary {
    match operator {
        Operator::Multiply => |a, b| Some(N::of(a).times(N::of(b)).bits()),
        Operator::Divide => |a, b| N::of(a).over(N::of(b)).map(N::bits),
        Operator::Add => |a, b| Some(N::of(a).plus(N::of(b)).bits()),
        Operator::Subtract => |a, b| Some(N::of(a).minus(N::of(b)).bits()),
        Operator::Min => |a, b| Some(N::of(a).smaller(N::of(b)).bits()),
        Operator::Max => |a, b| Some(N::of(a).larger(N::of(b)).bits()),
        Operator::Any | Operator::First => |a, _| Some(a),
        Operator::Second => |_, b| Some(b),
        Operator::Pair => |_, _| Some(N::ONE.bits()),
        Operator::Or => |a, b| Some(or::<N>(a, b)),
        Operator::And => |a, b| Some(and::<N>(a, b)),
    }
}

fn or<N: Arithmetic>(a: u64, b: u64) -> u64 {
    N::truth(N::of(a).is_true() || N::of(b).is_true()).bits()
}

fn and<N: Arithmetic>(a: u64, b: u64) -> u64 {
    N::truth(N::of(a).is_true() && N::of(b).is_true()).bits()
}

impl Function {
    /// What it does to values of a type.
    pub fn on(self, element: Element) -> Unary {
        match element {
            Element::F64 => function::<f64>(self, element),
            Element::F32 => function::<f32>(self, element),
            Element::I64 => function::<i64>(self, element),
        }
    }
}

fn function<N: Arithmetic>(function: Function, element: Element) -> Unary {
    // In double precision, and back to the type.
    let real = |of: fn(f64) -> f64| -> Unary {
        Box::new(move |bits| match Value::from_bits(bits, element).to(Element::F64) {
            Value::F64(value) => Value::F64(of(value)).to(element).bits(),
            other => unreachable!("{other:?} is no f64"),
        })
    };
    match function {
        Function::Negate => Box::new(|bits| N::of(bits).negative().bits()),
        Function::Convert(to) => Box::new(move |bits| Value::from_bits(bits, element).to(to).bits()),
        Function::Relu => Box::new(|bits| N::of(bits).larger(N::ZERO).bits()),
        Function::Exp => Box::new(|bits| N::of(bits).exponential().bits()),
        Function::Log => real(f64::ln),
        Function::Sqrt => real(f64::sqrt),
        Function::ReciprocalSqrt => real(|value| value.sqrt().recip()),
        Function::Sigmoid => real(|value| (1.0 + (-value).exp()).recip()),
        Function::Tanh => real(f64::tanh),
        Function::Sine => real(f64::sin),
        Function::Cosine => real(f64::cos),
        Function::Absolute => Box::new(|bits| N::of(bits).absolute().bits()),
        Function::With(operator, constant) => {
            let (operator, constant) = (operator.on(element), constant.value(element).bits());
            Box::new(move |bits| operator(bits, constant).expect("no constant of a graph is a divisor 0"))
        }
    }
}

impl Reduction {
    /// What it makes of the values of a type so far and the next one.
    pub fn on(self, element: Element) -> Combine {
        match element {
            Element::F64 => reduction::<f64>(self),
            Element::F32 => reduction::<f32>(self),
            Element::I64 => reduction::<i64>(self),
        }
    }

    /// What it makes of nothing: what leaves other values as they are, and 0 where any of them would do.
    pub fn identity(self, element: Element) -> Value {
        let bits = match element {
            Element::F64 => identity::<f64>(self),
            Element::F32 => identity::<f32>(self),
            Element::I64 => identity::<i64>(self),
        };
        Value::from_bits(bits, element)
    }
}

fn reduction<N: Arithmetic>(reduction: Reduction) -> Combine {
    match reduction {
        Reduction::Add => |a, b| N::of(a).plus(N::of(b)).bits(),
        Reduction::Multiply => |a, b| N::of(a).times(N::of(b)).bits(),
        Reduction::Min => |a, b| N::of(a).smaller(N::of(b)).bits(),
        Reduction::Max => |a, b| N::of(a).larger(N::of(b)).bits(),
        Reduction::Any => |_, b| b,
        Reduction::Or => or::<N>,
        Reduction::And => and::<N>,
    }
}

fn identity<N: Arithmetic>(reduction: Reduction) -> u64 {
    let identity = match reduction {
        Reduction::Add | Reduction::Any | Reduction::Or => N::ZERO,
        Reduction::Multiply | Reduction::And => N::ONE,
        Reduction::Min => N::LARGEST,
        Reduction::Max => N::LEAST,
    };
    identity.bits()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn apply(operator: Operator, a: Value, b: Value) -> Option<Value> {
        let element = a.element();
        operator.on(element)(a.bits(), b.bits()).map(|bits| Value::from_bits(bits, element))
    }

    #[test]
    fn integers_wrap_and_are_not_divided_by_zero() {
        let least = Value::I64(i64::MIN);
        assert_eq!(apply(Operator::Subtract, least, Value::I64(1)), Some(Value::I64(i64::MAX)));
        assert_eq!(apply(Operator::Divide, least, Value::I64(-1)), Some(least));
        assert_eq!(apply(Operator::Divide, Value::I64(-7), Value::I64(2)), Some(Value::I64(-3)));
        assert_eq!(apply(Operator::Divide, least, Value::I64(0)), None);
        assert_eq!(Function::Negate.on(Element::I64)(least.bits()), least.bits());
        assert_eq!(
            apply(Operator::Divide, Value::F32(1.0), Value::F32(0.0)),
            Some(Value::F32(f32::INFINITY))
        );
    }

    #[test]
    fn functions_of_all_types() {
        let apply = |function: Function, value: Value| {
            Value::from_bits(function.on(value.element())(value.bits()), value.element())
        };
        for value in [Value::F64(2.5), Value::F32(2.5), Value::I64(2)] {
            assert_eq!(apply(Function::Relu, value), value);
            assert_eq!(apply(Function::Relu, apply(Function::Negate, value)), Value::zero(value.element()));
        }
        assert_eq!(apply(Function::Exp, Value::F64(1.0)), Value::F64(std::f64::consts::E));
        assert_eq!(apply(Function::Exp, Value::F32(0.0)), Value::F32(1.0));
        assert_eq!(apply(Function::Exp, Value::I64(2)), Value::I64(7));
        assert_eq!(apply(Function::Exp, Value::I64(99)), Value::I64(i64::MAX));
    }

    /// 2^53 + 1 is no f64.
    #[test]
    fn integers_keep_all_their_bits() {
        let large = Value::I64((1 << 53) + 1);
        assert_eq!(apply(Operator::Multiply, large, Value::I64(3)), Some(Value::I64((3 << 53) + 3)));
        assert_eq!(large.to(Element::F64), Value::F64(9_007_199_254_740_992.0));
    }

    #[test]
    fn a_number_is_the_extremum_of_it_and_nan() {
        for operator in [Operator::Min, Operator::Max] {
            assert_eq!(apply(operator, Value::F64(f64::NAN), Value::F64(2.0)), Some(Value::F64(2.0)));
            assert_eq!(apply(operator, Value::F32(-2.0), Value::F32(f32::NAN)), Some(Value::F32(-2.0)));
        }
    }

    #[test]
    fn identities_leave_values_as_they_are() {
        for element in Element::ALL {
            for reduction in Reduction::ALL {
                let value = Value::I64(if reduction == Reduction::And { 1 } else { 5 }).to(element);
                let left = reduction.on(element)(reduction.identity(element).bits(), value.bits());
                let expected = if reduction == Reduction::Or { Value::I64(1).to(element) } else { value };
                assert_eq!(Value::from_bits(left, element), expected, "{reduction:?} of {element:?}");
            }
        }
    }

    #[test]
    fn conversions_cut_off_and_saturate() {
        let convert = |value: Value, to: Element| {
            Value::from_bits(Function::Convert(to).on(value.element())(value.bits()), to)
        };
        assert_eq!(convert(Value::F64(-2.75), Element::I64), Value::I64(-2));
        assert_eq!(convert(Value::F32(f32::NAN), Element::I64), Value::I64(0));
        assert_eq!(convert(Value::F64(1e300), Element::I64), Value::I64(i64::MAX));
        assert_eq!(convert(Value::F64(0.1), Element::F32), Value::F32(0.1));
    }
}
