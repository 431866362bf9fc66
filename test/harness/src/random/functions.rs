//! Functions, comparisons, `select`, `stored` and `drop` around parts of an expression.

use super::kernel::Value;
use super::rng::Rng;

/// Functions whose values are exact, so that comparisons of them agree.
const EXACT: &[&str] = &["abs", "abs", "relu", "sign", "floor", "ceil", "isnan"];

/// Functions whose values are rounded.
const ROUNDED: &[&str] = &["sqrt", "exp", "sin", "cos", "tanh", "sigmoid", "log"];

/// What applications of parallel patterns lack.
const PRECISE: &[&str] = &["expm1", "log1p", "round"];

const COMPARISONS: &[&str] = &["<", "<=", ">", ">=", "==", "!="];

/// Which functions are drawn.
#[derive(Clone, Copy)]
pub(super) struct Functions {
    /// Whether programs are for applications of parallel patterns.
    pub(super) patterns: bool,
    /// Whether values may be rounded: nothing is compared with them, and they are not cut off.
    pub(super) rounded: bool,
}

impl Functions {
    /// A function of a value.
    pub(super) fn around(self, rng: &mut Rng, value: Value) -> Value {
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
    pub(super) fn between(rng: &mut Rng, left: Value, right: Value) -> Value {
        match rng.below(4) {
            0 => call(rng.pick(&["min", "max"]), vec![left, right]),
            1 => {
                let condition = Value::binary(rng.pick(COMPARISONS), left.clone(), right.clone());
                call("select", vec![condition, left, right])
            }
            2 => call("stored", vec![call(rng.pick(&["min", "max"]), vec![left, right])]),
            _ => Value::binary(rng.pick(COMPARISONS), left, right),
        }
    }
}

fn call(name: &'static str, arguments: Vec<Value>) -> Value {
    Value::Call(name, arguments)
}
