//! Expressions of complex values, and the imaginary parts of their data.

use super::kernel::{Operand, Value};
use super::rng::Rng;
use super::value::access;

/// The functions that all kernels of a run may apply.
pub(super) const NAMES: &[&str] =
    &["conj", "real", "imag", "complex", "isnan", "select", "stored", "==", "!=", "abs", "sqrt", "exp"];

/// The imaginary part of an element whose real part is `re`: a small multiple of a quarter, 0 of 0.
pub(super) fn imaginary(re: f64) -> f64 {
    if re == 0.0 || re.is_nan() {
        return re;
    }
    (re * 4.0 * 7.0).rem_euclid(9.0).floor() / 4.0 - 1.0
}

/// The expression: every operand once, in products, sums, or products of sums. Values stay exact.
pub(super) fn value(rng: &mut Rng, sources: &[Operand], only: Option<&'static str>) -> Value {
    let operators = operators(rng);
    let operators = if only.is_some() && operators == ["@(any,pair)"] { &["*"] } else { operators };
    let has_functions = only.is_none() && operators != ["@(any,pair)"] && rng.percent(60);
    let accesses = (1..=sources.len()).map(|operand| {
        let access = access(rng, operand, &sources[operand - 1]);
        match only {
            Some(name) if !is_rounded(name) && rng.percent(50) => named(rng, name, access),
            None if has_functions && rng.percent(50) => around(rng, access),
            _ => access,
        }
    });
    let mut parts = accesses.collect::<Vec<_>>();
    while parts.len() > 1 {
        let at = rng.below(parts.len() - 1);
        let right = parts.remove(at + 1);
        let left = parts[at].clone();
        parts[at] = match has_functions && rng.percent(15) {
            true => between(rng, left, right),
            false => Value::binary(rng.pick(operators), left, right),
        };
    }
    let value = parts.remove(0);
    if let Some(name) = only.filter(|name| !value.applies(name)) {
        return named(rng, name, value);
    }
    match rng.below(12) {
        0 => Value::Neg(Box::new(value)),
        1 => Value::binary("*", Value::Number("complex(0, 2)"), value),
        2 => Value::binary("/", value, Value::Number("complex(0, 2)")),
        3 => Value::binary("/", value, Value::Number("4.0")),
        4 if has_functions => around(rng, value),
        _ => value,
    }
}

fn operators(rng: &mut Rng) -> &'static [&'static str] {
    rng.pick(&[
        &["*"][..],
        &["*"],
        &["+", "-"],
        &["*", "*", "+", "-", ".*"],
        &["@(first)", "@(second)"],
        &["@(pair)"],
        &["@(any,pair)"],
        &["@(+,second)", "*"],
        &["@(+,pair)", "+"],
        &["@(+,-)"],
    ])
}

/// Whether values of a function are rounded, so that nothing is compared with them.
pub(super) fn is_rounded(name: &str) -> bool {
    matches!(name, "abs" | "sqrt" | "exp")
}

/// One function of a value. Roots are of values in the right half-plane: the sign of a zero, which sums
/// leave open, would decide on which side of the cut others lie.
fn named(rng: &mut Rng, name: &'static str, value: Value) -> Value {
    let number = Value::Number(rng.pick(&["0", "1", "2", "complex(1, -1)"]));
    let part = |name| call(name, vec![value.clone()]);
    match name {
        "complex" => call(name, vec![part("imag"), part("real")]),
        "sqrt" => call(name, vec![call("complex", vec![call("abs", vec![part("real")]), part("imag")])]),
        "==" | "!=" => Value::binary(name, value, number),
        "select" => call(name, vec![Value::binary("!=", value.clone(), number), part("conj"), value]),
        "stored" => call(name, vec![Value::binary("+", value, number)]),
        _ => call(name, vec![value]),
    }
}

fn around(rng: &mut Rng, value: Value) -> Value {
    let part = |name, value: &Value| call(name, vec![value.clone()]);
    let number = Value::Number(rng.pick(&["0", "1", "2", "complex(1, -1)"]));
    match rng.below(10) {
        0..3 => part("conj", &value),
        3 => Value::binary("*", value, Value::Number("complex(0, 1)")),
        4 => call("complex", vec![part("imag", &value), part("real", &value)]),
        5 => call("complex", vec![part("real", &value), Value::Number("0.5")]),
        6 => part(rng.pick(&["real", "imag", "isnan"]), &value),
        7 => Value::binary(rng.pick(&["==", "!="]), value, number),
        8 => call("select", vec![Value::binary("!=", value.clone(), number), part("conj", &value), value]),
        _ => call("stored", vec![Value::binary("+", value, number)]),
    }
}

fn between(rng: &mut Rng, left: Value, right: Value) -> Value {
    match rng.below(3) {
        0 => Value::binary(rng.pick(&["==", "!="]), left, right),
        1 => call("complex", vec![call("real", vec![left]), call("imag", vec![right])]),
        _ => {
            let condition = Value::binary("!=", left.clone(), right.clone());
            call("select", vec![condition, left, right])
        }
    }
}

fn call(name: &'static str, arguments: Vec<Value>) -> Value {
    Value::Call(name, arguments)
}
