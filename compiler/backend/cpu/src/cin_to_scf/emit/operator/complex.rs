//! Functions of complex values, from real arithmetic on their parts.

use comet_ir::{Builder, Compare, Result, Val, types};
use comet_notation::Function;
use melior::ir::ValueLike;

/// A function of a complex value, as one; of a real function the imaginary part is 0.
pub(super) fn apply<'c>(b: Builder<'c>, function: Function, value: Val<'c>) -> Result<'c, Val<'c>> {
    let [re, im] = b.complex_parts(value)?;
    let real = |re| b.complex_of([re, number(b, 0.0, re)?]);
    match function {
        Function::Conj => b.complex_of([re, of(b, "arith.negf", im)?]),
        Function::Real => real(re),
        Function::Imag => real(im),
        Function::Abs => real(magnitude(b, [re, im])?),
        Function::IsNan => {
            let is_nan = |part| b.cmpf(Compare::Ne, part, part);
            let either = b.value_op("or", is_nan(re)?, is_nan(im)?)?;
            real(b.select(either, number(b, 1.0, re)?, number(b, 0.0, re)?)?)
        }
        Function::Sqrt => root(b, [re, im]),
        Function::Exp => {
            let scale = of(b, "math.exp", re)?;
            let [cos, sin] = [of(b, "math.cos", im)?, of(b, "math.sin", im)?];
            b.complex_of([b.value_op("mul", scale, cos)?, b.value_op("mul", scale, sin)?])
        }
        _ => unreachable!("functions of real numbers alone are refused by sema"),
    }
}

/// √(re² + im²) without overflow: both parts are scaled by a power of two where the larger one is far from 1.
/// Powers of two change no digit.
fn magnitude<'c>(b: Builder<'c>, [re, im]: [Val<'c>; 2]) -> Result<'c, Val<'c>> {
    let largest =
        b.value("arith.maximumf", &[of(b, "math.absf", re)?, of(b, "math.absf", im)?], re.r#type())?;
    let is_narrow = types::width(types::scalar(re.r#type())) == 32;
    // Exponents from which on squares overflow, or lose digits, and by how much parts are scaled there.
    let (far, large, small) = if is_narrow { (34, 64, 90) } else { (482, 512, 750) };
    let power = |exponent: i32| number(b, 2f64.powi(exponent), re);
    let is_large = b.cmpf(Compare::Gt, largest, power(far)?)?;
    let is_small = b.cmpf(Compare::Lt, largest, power(-far)?)?;
    let scale = |large, small| b.select(is_large, large, b.select(is_small, small, number(b, 1.0, re)?)?);
    let down = scale(power(-large)?, power(small)?)?;
    let up = scale(power(large)?, power(-small)?)?;
    let square = |part| {
        let scaled = b.value_op("mul", part, down)?;
        b.value_op("mul", scaled, scaled)
    };
    let root = of(b, "math.sqrt", b.value_op("add", square(re)?, square(im)?)?)?;
    let found = b.value_op("mul", root, up)?;
    // Infinite parts are scaled to infinity, beside NaN as well.
    let infinity = number(b, f64::INFINITY, re)?;
    let is_infinite = |part| b.cmpf(Compare::Eq, of(b, "math.absf", part)?, infinity);
    b.select(b.value_op("or", is_infinite(re)?, is_infinite(im)?)?, infinity, found)
}

/// The root whose real part is not negative; the imaginary part has the sign of the value's. The larger part
/// of the root is √((|re| + |z|) / 2), the other one is half of the imaginary part over it.
fn root<'c>(b: Builder<'c>, [re, im]: [Val<'c>; 2]) -> Result<'c, Val<'c>> {
    let zero = number(b, 0.0, re)?;
    let half = number(b, 0.5, re)?;
    let halved = |value| b.value_op("mul", value, half);
    let size = of(b, "math.absf", re)?;
    let sum = b.value_op("add", halved(size)?, halved(magnitude(b, [re, im])?)?)?;
    let larger = of(b, "math.sqrt", sum)?;
    let smaller = b.value("arith.divf", &[halved(of(b, "math.absf", im)?)?, larger], re.r#type())?;
    let is_zero = b.cmpf(Compare::Eq, larger, zero)?;
    let smaller = b.select(is_zero, zero, smaller)?;
    let is_negative = b.cmpf(Compare::Lt, re, zero)?;
    let real = b.select(is_negative, smaller, larger)?;
    let imaginary = b.select(is_negative, larger, smaller)?;
    let signed = b.value("math.copysign", &[imaginary, im], re.r#type())?;
    b.complex_of([real, signed])
}

fn of<'c>(b: Builder<'c>, name: &str, value: Val<'c>) -> Result<'c, Val<'c>> {
    b.value(name, &[value], value.r#type())
}

/// A number in as many lanes as a value has.
fn number<'c>(b: Builder<'c>, number: f64, like: Val<'c>) -> Result<'c, Val<'c>> {
    let scalar = b.number(types::scalar(like.r#type()), number, 0)?;
    b.broadcast(scalar, like.r#type())
}
