//! Statements as text, for who reads an application.

use super::nest::{Nest, NestAccess, NestAssign, Tiles, Value, Var};
use comet_notation::Operator;

/// A line for each assignment, producers first: `y[i] += A[i, j] * x[j]`.
pub(super) fn lines(nest: &Nest) -> Vec<String> {
    nest.assigns().map(|assign| line(nest, assign)).collect()
}

pub(super) fn line(nest: &Nest, assign: &NestAssign) -> String {
    let equals = assign.reduction.map_or_else(|| "=".to_owned(), |with| format!("{}=", sign(with)));
    format!("{} {equals} {}", access(nest, &assign.target), value(nest, &assign.value, 0))
}

pub(super) fn access(nest: &Nest, access: &NestAccess) -> String {
    let name = &nest.tensors[access.tensor].name;
    let var = |var: &Var| nest.vars[*var].as_str();
    // The number of a tile is written with what is in it: `16 * i0 + i1`.
    let index = |at: &Var| match nest.tiles.iter().find(|tiles| tiles.within == *at) {
        Some(Tiles { tile, size, .. }) if access.indices.contains(tile) => {
            Some(format!("{size} * {} + {}", var(tile), var(at)))
        }
        _ if nest.tiles.iter().any(|tiles| tiles.tile == *at) => None,
        _ => Some(var(at).to_owned()),
    };
    let indices: Vec<String> = access.indices.iter().filter_map(index).collect();
    if indices.is_empty() { name.clone() } else { format!("{name}[{}]", indices.join(", ")) }
}

/// `around`: how tightly what is around binds.
fn value(nest: &Nest, of: &Value, around: u8) -> String {
    match of {
        Value::Access(at) => access(nest, at),
        Value::Int(number, _) => number.to_string(),
        Value::Float(number, _) => number.to_string(),
        Value::Number(number) => nest.numbers[*number].0.clone(),
        Value::Negate(inner) => format!("-{}", value(nest, inner, 3)),
        Value::To(_, inner) => value(nest, inner, around),
        Value::Apply(function, inner) => format!("{}({})", function.name(), value(nest, inner, 0)),
        Value::Mask { value: inner, mask, complement } => {
            let bang = if *complement { "!" } else { "" };
            format!("{}<{bang}{}>", value(nest, inner, 3), access(nest, mask))
        }
        Value::Combine(_, operation, left, right) => {
            let own = match operation {
                Operator::Add | Operator::Sub => 1,
                Operator::Mul | Operator::Div => 2,
                _ => {
                    let (left, right) = (value(nest, left, 0), value(nest, right, 0));
                    return format!("{}({left}, {right})", sign(*operation));
                }
            };
            let (left, right) = (value(nest, left, own), value(nest, right, own + 1));
            let text = format!("{left} {} {right}", sign(*operation));
            if own < around { format!("({text})") } else { text }
        }
    }
}

/// Words for what is written as a function.
fn sign(operator: Operator) -> &'static str {
    match operator {
        Operator::Or | Operator::And => operator.name(),
        _ => operator.symbol(),
    }
}
