//! Expressions of real values: every operand once, in products, sums and functions.

use super::complex;
use super::functions::Functions;
use super::generate::Shape;
use super::kernel::{Content, FileKind, Operand, Value};
use super::own_operators;
use super::rng::Rng;

/// The expression of a kernel; the data of a divisor changes.
pub(super) fn drawn(rng: &mut Rng, element: &str, sources: &mut [Operand], shape: Shape) -> Value {
    let only = shape.focus.function;
    let functions = (rng.percent(25) || only.is_some()).then(|| Functions {
        patterns: shape.patterns,
        rounded: element == "double" && rng.percent(40),
        only,
    });
    if shape.complex {
        return complex::value(rng, sources, only);
    }
    let quotient = if only.is_none() { quotient(rng, element, sources) } else { None };
    quotient.unwrap_or_else(|| value(rng, element, sources, functions))
}

/// What the operators of an expression are chosen from.
fn operators(rng: &mut Rng) -> &'static [&'static str] {
    match rng.below(10) {
        0..3 => &["*"],
        3 => &["+", "-"],
        4..6 => &["*", "*", "+", "-", ".*"],
        // The values of `any` are all the same, because which it keeps is open.
        6 => &["@(any,pair)"],
        7 => rng.pick(&[
            &["@(min)"][..],
            &["@(max)"],
            &["@(first)", "@(second)"],
            &["@(pair)"],
            &["@(|)", "@(&)"],
        ]),
        8 => rng.pick(&[
            &["@(min,+)"][..],
            &["@(max,*)"],
            &["@(|,&)"],
            &["@(|,*)"],
            &["@(&,*)"],
            &["@(&,|)"],
            &["@(min,max)"],
            &["@(max,-)"],
        ]),
        _ => rng.pick(&[
            &["@(+,second)", "*"][..],
            &["@(+,pair)", "+"],
            &["@(max,first)", "*", "+"],
            &["@(+,min)"],
        ]),
    }
}

/// Seldom a quotient of two operands, the second of which is not 0 where it is stored. Powers of two keep
/// sums exact.
fn quotient(rng: &mut Rng, element: &str, sources: &mut [Operand]) -> Option<Value> {
    let [_, divisor] = sources else { return None };
    if !rng.percent(25) {
        return None;
    }
    match &mut divisor.content {
        Content::Fill(value) => *value = power_of_two(rng),
        Content::File(_, entries) => {
            entries.sort_by(|(left, _), (right, _)| left.cmp(right));
            entries.dedup_by(|(left, _), (right, _)| left == right && !left.is_empty());
            entries.iter_mut().for_each(|(_, value)| *value = power_of_two(rng));
        }
        Content::Nothing => {}
    }
    if let Content::File(FileKind::MarketArray, entries) = &mut divisor.content {
        entries.sort_by_key(|(at, _)| at.iter().rev().copied().collect::<Vec<_>>());
    }
    let quotient = Value::binary("/", Value::Operand(1), Value::Operand(2));
    let is_exact = element == "int" && rng.percent(30);
    Some(if is_exact { Value::binary("+", quotient, Value::Number("3")) } else { quotient })
}

fn is_integer(element: &str) -> bool {
    element == "bool" || element.starts_with("int")
}

fn power_of_two(rng: &mut Rng) -> f64 {
    rng.pick(&[1.0, 2.0, 4.0, -1.0, -2.0])
}

/// The expression: every operand once, in products, sums, or products of sums.
fn value(rng: &mut Rng, element: &str, sources: &[Operand], functions: Option<Functions>) -> Value {
    let only = functions.and_then(|functions| functions.only);
    let is_integer = functions.is_none() && sources.iter().all(|source| is_integer(source.element));
    let operators = if rng.percent(12) { own_operators::drawn(rng, is_integer) } else { operators(rng) };
    // A function may have several values where `any` keeps one.
    let operators = if only.is_some() && operators == ["@(any,pair)"] { &["*"] } else { operators };
    let functions = functions.filter(|_| operators != ["@(any,pair)"]);
    // Only what is outermost may be rounded.
    let exact = functions.and_then(Functions::inner);
    let accesses = (1..=sources.len()).map(|operand| {
        let access = access(rng, operand, &sources[operand - 1]);
        match exact.filter(|_| rng.percent(35)) {
            Some(functions) => functions.around(rng, access),
            None => access,
        }
    });
    let mut parts = accesses.collect::<Vec<_>>();
    while parts.len() > 1 {
        let at = rng.below(parts.len() - 1);
        let right = parts.remove(at + 1);
        let left = parts[at].clone();
        parts[at] = match exact.filter(|_| rng.percent(25)) {
            Some(functions) => functions.between(rng, left, right),
            None => Value::binary(rng.pick(operators), left, right),
        };
    }
    let value = parts.remove(0);
    let is_missing = only.is_some_and(|name| !value.applies(name));
    if let Some(functions) = functions.filter(|_| is_missing || rng.percent(40)) {
        return functions.around(rng, value);
    }
    match rng.below(20) {
        0 => Value::Neg(Box::new(value)),
        1 => Value::binary("*", Value::Number("2"), value),
        2 if element != "int" => Value::binary("/", value, Value::Number("4.0")),
        3 if element != "int" => Value::binary("*", value, Value::Number("0.5")),
        _ => value,
    }
}

pub(super) fn access(rng: &mut Rng, operand: usize, info: &Operand) -> Value {
    match info.labels.len() > 1 && rng.percent(5) {
        true => Value::Transposed(operand),
        false => Value::Operand(operand),
    }
}
