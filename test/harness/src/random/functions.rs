//! Functions, comparisons, `select`, `stored` and `drop` around parts of an expression.

use super::focus::small_number;
use super::kernel::Value;
use super::rng::Rng;

/// Functions whose values are exact, so that comparisons of them agree.
const EXACT: &[&str] = &["abs", "abs", "relu", "sign", "floor", "ceil", "isnan"];

/// Functions whose values are rounded.
const ROUNDED: &[&str] = &["sqrt", "exp", "sin", "cos", "tanh", "sigmoid", "log"];

/// What applications of parallel patterns lack.
const PRECISE: &[&str] = &["expm1", "log1p", "round"];

const COMPARISONS: &[&str] = &["<", "<=", ">", ">=", "==", "!="];

/// The functions that all kernels of a run may apply. The first ones have exact values of exact arguments.
pub(super) const NAMES: &[&str] = &[
    "abs", "relu", "sign", "floor", "ceil", "round", "isnan", "min", "max", "select", "stored", "drop", "<",
    "<=", ">", ">=", "==", "!=", "bool", "int8", "int16", "int32", "int", "uint8", "uint32", "float16",
    "bfloat16", "float", "double", "sqrt", "rsqrt", "exp", "expm1", "log", "log1p", "sin", "cos", "tanh",
    "sigmoid", "pow",
];

/// How many of [`NAMES`] are exact.
const EXACT_NAMES: usize = 29;

/// Whether values of a function are rounded, so that nothing is compared with them.
pub(super) fn is_rounded(name: &str) -> bool {
    NAMES[EXACT_NAMES..].contains(&name)
}

/// Which functions are drawn.
#[derive(Clone, Copy)]
pub(super) struct Functions {
    /// Whether programs are for applications of parallel patterns.
    pub(super) patterns: bool,
    /// Whether values may be rounded: nothing is compared with them, and they are not cut off.
    pub(super) rounded: bool,
    /// The only function, if there is one.
    pub(super) only: Option<&'static str>,
}

impl Functions {
    /// Those that may be arguments of others: the values of the others are rounded.
    pub(super) fn inner(self) -> Option<Self> {
        let is_exact = self.only.is_none_or(|name| !is_rounded(name));
        is_exact.then_some(Self { rounded: false, ..self })
    }

    /// A function of a value.
    pub(super) fn around(self, rng: &mut Rng, value: Value) -> Value {
        match self.only {
            Some(name) => named(rng, name, value),
            None => self.any_around(rng, value),
        }
    }

    fn any_around(self, rng: &mut Rng, value: Value) -> Value {
        let number = Value::Number(rng.pick(&["0", "1", "2", "3"]));
        let condition = |rng: &mut Rng, value: &Value, number: &Value| {
            let condition = Value::binary(rng.pick(COMPARISONS), value.clone(), number.clone());
            match rng.below(6) {
                0 => Value::binary(
                    rng.pick(&["&", "|"]),
                    condition,
                    Value::binary("!=", value.clone(), Value::Number("1")),
                ),
                _ => condition,
            }
        };
        match rng.below(10) {
            0 | 1 => call(rng.pick(EXACT), vec![value]),
            2 => condition(rng, &value, &number),
            3 => {
                let condition = condition(rng, &value, &number);
                let other = if rng.percent(50) { Value::Number("0") } else { number };
                let values = if rng.percent(50) { [value, other] } else { [other, value] };
                call("select", [vec![condition], values.to_vec()].concat())
            }
            4 => call(rng.pick(&["min", "max"]), vec![value, number]),
            5 => call("stored", vec![Value::binary(rng.pick(COMPARISONS), value, number)]),
            6 if rng.percent(30) => call("stored", vec![Value::binary("+", value, number)]),
            6 if !self.patterns => {
                let condition = condition(rng, &value, &number);
                call("drop", vec![value, condition])
            }
            7 if self.rounded => {
                let inner = call("abs", vec![value]);
                let rounded = call(rng.pick(ROUNDED), vec![inner]);
                if rng.percent(40) { call("stored", vec![rounded]) } else { rounded }
            }
            8 if self.rounded && !self.patterns => call(rng.pick(PRECISE), vec![call("abs", vec![value])]),
            _ => call("abs", vec![value]),
        }
    }

    /// A function of two values.
    pub(super) fn between(self, rng: &mut Rng, left: Value, right: Value) -> Value {
        match (self.only, rng.below(4)) {
            (Some(name), _) if COMPARISONS.contains(&name) => Value::binary(name, left, right),
            (Some(name @ ("min" | "max")), _) => call(name, vec![left, right]),
            (Some(name @ ("select" | "stored")), _) => named_between(rng, name, left, right),
            (Some(name), _) => Value::binary("*", named(rng, name, left), right),
            (None, case) => any_between(rng, case, left, right),
        }
    }
}

fn any_between(rng: &mut Rng, case: usize, left: Value, right: Value) -> Value {
    match case {
        0 => call(rng.pick(&["min", "max"]), vec![left, right]),
        1 => named_between(rng, "select", left, right),
        2 => named_between(rng, "stored", left, right),
        _ => Value::binary(rng.pick(COMPARISONS), left, right),
    }
}

fn named_between(rng: &mut Rng, name: &'static str, left: Value, right: Value) -> Value {
    if name == "stored" {
        return call("stored", vec![call(rng.pick(&["min", "max"]), vec![left, right])]);
    }
    let condition = Value::binary(rng.pick(COMPARISONS), left.clone(), right.clone());
    call("select", vec![condition, left, right])
}

/// One function of a value, of any sign where it is defined for all and otherwise of its magnitude.
fn named(rng: &mut Rng, name: &'static str, value: Value) -> Value {
    let number = small_number(rng);
    match name {
        "sqrt" | "rsqrt" | "log" | "log1p" => call(name, vec![call("abs", vec![value])]),
        "min" | "max" if rng.percent(50) => call(name, vec![number, value]),
        "min" | "max" => call(name, vec![value, number]),
        "pow" if rng.percent(50) => call(name, vec![value, number]),
        "pow" => {
            call(name, vec![call("abs", vec![value]), Value::Number(rng.pick(&["0.5", "1.5", "-0.25"]))])
        }
        "select" | "drop" => {
            let condition = Value::binary(rng.pick(COMPARISONS), value.clone(), number.clone());
            let choice = if rng.percent(50) { [value.clone(), number] } else { [number, value.clone()] };
            let rest =
                if name == "drop" { vec![value, condition] } else { [&[condition][..], &choice].concat() };
            call(name, rest)
        }
        "stored" => call(name, vec![Value::binary(rng.pick(&["+", "-", "<", "=="]), value, number)]),
        _ if COMPARISONS.contains(&name) && rng.percent(50) => Value::binary(name, number, value),
        _ if COMPARISONS.contains(&name) => Value::binary(name, value, number),
        _ => call(name, vec![value]),
    }
}

fn call(name: &'static str, arguments: Vec<Value>) -> Value {
    Value::Call(name, arguments)
}
