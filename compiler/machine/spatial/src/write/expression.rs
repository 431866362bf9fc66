//! Values, with as few parentheses as Scala's precedence allows.

use crate::app::{BarrierUse, Expr, ExprKind, Modify};
use crate::text;
use std::collections::BTreeSet;

/// How tightly prefixes bind.
const PREFIX: u8 = 10;

/// How tightly names, calls and what has a dot behind it bind.
const SIMPLE: u8 = 11;

pub(super) fn expression(expr: &Expr) -> String {
    spelled(expr, &BTreeSet::new())
}

/// A value in which registers say `.value` where Scala does not read them by itself: it does where a value of
/// their type is expected, and not where it is to find that type from the arguments of a function, or where the
/// value's own methods are asked for.
pub(super) fn spelled(expr: &Expr, registers: &BTreeSet<String>) -> String {
    let spell = |of: &Expr| spelled(of, registers);
    let own = |of: &Expr| argument(of, registers);
    match &expr.kind {
        ExprKind::Int(value) => integer(*value),
        ExprKind::Float(value) => float(*value),
        ExprKind::Text(text) => quoted(text),
        ExprKind::Bool(value) => value.to_string(),
        ExprKind::Name(name) => name.clone(),
        ExprKind::To(of, to) => format!("{}.to[{}]", enclosed(own(of), of, SIMPLE), to.name()),
        ExprKind::Read(memory, index) => format!("{memory}({})", spell(index)),
        ExprKind::Dequeue(fifo) => format!("{fifo}.deq"),
        ExprKind::Length(array) => format!("{array}.length"),
        ExprKind::Argument(index) => format!("args({})", expression(index)),
        ExprKind::GetArg(name) => format!("getArg({name})"),
        ExprKind::Negate(of) => prefixed('-', enclosed(spell(of), of, SIMPLE)),
        ExprKind::Not(of) => prefixed('!', enclosed(spell(of), of, SIMPLE)),
        ExprKind::Binary(operator, left, right) if operator.is_function() => {
            format!("{}({}, {})", operator.word(), own(left), own(right))
        }
        ExprKind::Binary(operator, left, right) => {
            // Operators of one precedence associate to the left.
            let precedence = precedence(expr);
            let left = enclosed(spell(left), left, precedence);
            format!("{left} {} {}", operator.word(), enclosed(spell(right), right, precedence + 1))
        }
        ExprKind::Mux(condition, then, otherwise) => {
            format!("mux({}, {}, {})", spell(condition), own(then), own(otherwise))
        }
        ExprKind::Call(function, of) => format!("{}({})", function.word(), own(of)),
        ExprKind::Modify(of) => modify(of, registers),
        ExprKind::BarrierRead { memory, index, barriers: uses } => {
            format!("{memory}.barrierRead({}, {})", spell(index), barriers(uses))
        }
        ExprKind::Tabulate { element, size, binder, value } => {
            let element =
                element.as_ref().map_or_else(String::new, |element| format!("[{}]", element.name()));
            format!("Array.tabulate{element}({}) {{ {binder} => {} }}", expression(size), expression(value))
        }
    }
}

/// What a function takes, or what has a method called.
pub(super) fn argument(expr: &Expr, registers: &BTreeSet<String>) -> String {
    match &expr.kind {
        ExprKind::Name(name) if registers.contains(name) => format!("{name}.value"),
        _ => spelled(expr, registers),
    }
}

/// The end of a range: sums in parentheses.
pub(super) fn parenthesized(expr: &Expr) -> String {
    enclosed(expression(expr), expr, 9)
}

/// `m.RMW(i, x, "add", "ordered", Seq())`
pub(super) fn modify(modify: &Modify, registers: &BTreeSet<String>) -> String {
    let Modify { memory, index, value, with, order, barriers: uses } = modify;
    let with = with.word();
    let (index, value) = (spelled(index, registers), spelled(value, registers));
    let barriers = barriers(uses);
    format!("{memory}.RMW({index}, {value}, \"{with}\", {}, {barriers})", quoted(order.word()))
}

/// `Seq(b.push, c.pop)`
pub(super) fn barriers(uses: &[BarrierUse]) -> String {
    let uses: Vec<String> = uses.iter().map(|of| format!("{}.{}", of.barrier, of.action.word())).collect();
    format!("Seq({})", uses.join(", "))
}

pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            '\r' => quoted.push_str("\\r"),
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}

/// The text of an operand of what binds that tightly.
fn enclosed(text: String, expr: &Expr, least: u8) -> String {
    if precedence(expr) < least { format!("({text})") } else { text }
}

/// Scala takes signs in a row for one operator, and a minus in front of digits for a part of the number.
fn prefixed(sign: char, text: String) -> String {
    let stands_alone = text.starts_with(|first: char| first.is_ascii_alphabetic() || "_$(\"".contains(first));
    if stands_alone { format!("{sign}{text}") } else { format!("{sign}({text})") }
}

fn precedence(expr: &Expr) -> u8 {
    match &expr.kind {
        ExprKind::Binary(operator, ..) if operator.is_function() => SIMPLE,
        ExprKind::Binary(operator, ..) => text::precedence(operator.word()),
        ExprKind::Negate(_) | ExprKind::Not(_) => PREFIX,
        _ => SIMPLE,
    }
}

/// Scala's literals are of 32 bits unless they say otherwise.
fn integer(value: i64) -> String {
    let suffix = if i32::try_from(value).is_ok() { "" } else { "L" };
    format!("{value}{suffix}")
}

fn float(value: f64) -> String {
    if value.is_infinite() {
        let sign = if value > 0.0 { "Positive" } else { "Negative" };
        return format!("scala.Double.{sign}Infinity");
    }
    format!("{value:?}")
}
