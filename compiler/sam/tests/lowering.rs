//! Lowered statements compute what their expressions say, in every dataflow order.

use comet_sam::graph::{Level, Operator, TensorFormat};
use comet_sam::lower::{Access, Expression, Statement, lower};
use comet_sam::simulate::{Options, simulate};
use comet_sam::storage::{Entry, Storage};
use std::collections::{BTreeMap, BTreeSet};

/// Sums of products of accesses; variables that are not on the left are summed over around each product.
const EXPRESSIONS: [&str; 16] = [
    "x(i) = b(i)",
    "X(i,j) = B(i,j)",
    "X(i,j,k) = B(i,j,k)",
    "x(i) = B(i,j) * c(j)",
    "X(i,j) = B(i,k) * C(k,j)",
    "X(i,j) = B(i,j) * C(i,k) * D(k,j)",
    "x() = B(i,j,k) * C(i,j,k)",
    "X(i,j) = B(i,j,k) * c(k)",
    "X(i,j,k) = B(i,j,l) * C(k,l)",
    "X(i,j) = B(i,k,l) * C(j,k) * D(j,l)",
    "X(i,j) = B(i,j) + C(i,j)",
    "X(i,j) = B(i,j) + C(i,j) - D(i,j)",
    "X(i,j,k) = B(i,j,k) + C(i,j,k)",
    "X(i,j) = B(i,j) * C(i,j) + D(i,j)",
    "x(i) = a() * b(i)",
    "X(j,i) = B(i,j) * B(i,k)",
];

#[test]
fn graphs_compute_what_expressions_say() {
    let mut wrong = Vec::new();
    for text in EXPRESSIONS {
        for order in permutations(&variables(text)) {
            for seed in 0..6 {
                if let Err(fault) = compare(text, &order, seed) {
                    wrong.push(format!("{text} in the order {}, data {seed}: {fault}", order.concat()));
                    break;
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} fail\n{}", wrong.len(), wrong.join("\n"));
}

fn compare(text: &str, order: &[String], seed: u64) -> Result<(), String> {
    let (statement, tensors) = statement(text, order, seed);
    let graph = lower(&statement).map_err(|refusal| refusal.to_string())?;
    let outcome = simulate(&graph, &tensors, Options::default()).map_err(|fault| fault.to_string())?;
    let found = outcome.result.entries();
    let expected = expected(&statement, &tensors);
    match found == expected {
        true => Ok(()),
        false => Err(format!("expected {expected:?}, found {found:?}")),
    }
}

fn accesses(text: &str) -> Vec<(String, Vec<String>)> {
    let part = |part: &str| {
        let (name, indices) = part.trim().split_once('(').expect("an access has indices");
        let indices = indices.trim_end_matches(')').split(',').filter(|index| !index.is_empty());
        (name.to_owned(), indices.map(str::to_owned).collect())
    };
    text.split(['=', '*', '+', '-']).map(part).collect()
}

fn variables(text: &str) -> Vec<String> {
    let used: BTreeSet<String> = accesses(text).into_iter().flat_map(|(_, indices)| indices).collect();
    used.into_iter().collect()
}

fn permutations(variables: &[String]) -> Vec<Vec<String>> {
    if variables.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (place, first) in variables.iter().enumerate() {
        let rest = [&variables[..place], &variables[place + 1..]].concat();
        all.extend(permutations(&rest).into_iter().map(|rest| [vec![first.clone()], rest].concat()));
    }
    all
}

/// Every use is a tensor of its own; its levels are compressed, in the order of the variables.
fn statement(text: &str, order: &[String], seed: u64) -> (Statement, BTreeMap<String, Storage>) {
    let accesses = accesses(text);
    let (mut formats, mut tensors) = (Vec::new(), BTreeMap::new());
    for (number, (name, indices)) in accesses.iter().enumerate() {
        let name = if number == 0 { name.clone() } else { format!("{name}{number}") };
        let place = |mode: &usize| order.iter().position(|var| *var == indices[*mode]);
        let mut modes: Vec<usize> = (0..indices.len()).collect();
        modes.sort_by_key(place);
        let format =
            TensorFormat { name: name.clone(), levels: vec![Level::Compressed; indices.len()], order: modes };
        let dims: Vec<usize> = indices.iter().map(|index| extent(index)).collect();
        if number > 0 {
            tensors.insert(name, Storage::pack(&format, &dims, &entries(&dims, seed * 7 + number as u64)));
        }
        formats.push(format);
    }
    let access = |tensor: usize| Access { tensor, indices: accesses[tensor].1.clone() };
    let value = value(text, &accesses);
    (Statement { tensors: formats, order: order.to_vec(), result: access(0), value }, tensors)
}

fn value(text: &str, accesses: &[(String, Vec<String>)]) -> Expression {
    let (_, right) = text.split_once('=').expect("a statement assigns");
    let signs = right.chars().filter(|sign| ['+', '-'].contains(sign));
    let mut number = 0;
    let mut terms = right.split(['+', '-']).map(|term| {
        let factors = term.split('*').map(|_| {
            number += 1;
            Expression::Access(Access { tensor: number, indices: accesses[number].1.clone() })
        });
        let multiply = |a, b| Expression::Combine(Operator::Multiply, Box::new(a), Box::new(b));
        let product = factors.reduce(multiply).expect("a product has factors");
        let used: BTreeSet<String> =
            product.accesses().into_iter().flat_map(|access| access.indices.clone()).collect();
        let summed = used.into_iter().filter(|index| !accesses[0].1.contains(index));
        summed.fold(product, |body, index| Expression::Sum(index, Box::new(body)))
    });
    let first = terms.next().expect("a sum has terms");
    let terms: Vec<Expression> = terms.collect();
    signs.zip(terms).fold(first, |left, (sign, right)| {
        let operator = if sign == '+' { Operator::Add } else { Operator::Subtract };
        Expression::Combine(operator, Box::new(left), Box::new(right))
    })
}

fn extent(index: &str) -> usize {
    match index {
        "i" => 4,
        "j" => 5,
        "k" => 3,
        _ => 6,
    }
}

/// About a third of the points, fewer for some seeds, with values that differ.
fn entries(dims: &[usize], seed: u64) -> Vec<Entry> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut entries = Vec::new();
    for mut place in 0..dims.iter().product() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let drawn = (state >> 33) % 100;
        let mut point = vec![0; dims.len()];
        for (mode, dim) in dims.iter().enumerate().rev() {
            point[mode] = place % dim;
            place /= dim;
        }
        if drawn < [35, 60, 15, 35, 5, 90][(seed % 6) as usize] || dims.is_empty() {
            entries.push((point, (1 + drawn % 7) as f64));
        }
    }
    entries
}

/// The result by loops over all points: what has no value is not stored.
fn expected(statement: &Statement, tensors: &BTreeMap<String, Storage>) -> Vec<Entry> {
    let stored: Vec<BTreeMap<Vec<usize>, f64>> = statement
        .tensors
        .iter()
        .map(|format| {
            tensors.get(&format.name).map_or(BTreeMap::new(), |tensor| tensor.entries().into_iter().collect())
        })
        .collect();
    let indices = &statement.result.indices;
    let mut found = Vec::new();
    for point in points(&indices.iter().map(|index| extent(index)).collect::<Vec<_>>()) {
        let bound: BTreeMap<&str, usize> =
            indices.iter().map(String::as_str).zip(point.iter().copied()).collect();
        let value = evaluate(&statement.value, &stored, &bound);
        if value.is_some() || point.is_empty() {
            found.push((point, value.unwrap_or(0.0)));
        }
    }
    found
}

fn points(dims: &[usize]) -> Vec<Vec<usize>> {
    let Some((last, outer)) = dims.split_last() else { return vec![Vec::new()] };
    let outer = points(outer);
    outer
        .iter()
        .flat_map(|point| (0..*last).map(move |inner| [point.as_slice(), &[inner]].concat()))
        .collect()
}

fn evaluate(
    expression: &Expression,
    stored: &[BTreeMap<Vec<usize>, f64>],
    bound: &BTreeMap<&str, usize>,
) -> Option<f64> {
    match expression {
        Expression::Access(access) => {
            let point: Vec<usize> = access.indices.iter().map(|index| bound[index.as_str()]).collect();
            stored[access.tensor].get(&point).copied()
        }
        Expression::Combine(Operator::Multiply, a, b) => {
            Some(evaluate(a, stored, bound)? * evaluate(b, stored, bound)?)
        }
        Expression::Combine(operator, a, b) => {
            let sign = if *operator == Operator::Subtract { -1.0 } else { 1.0 };
            match (evaluate(a, stored, bound), evaluate(b, stored, bound)) {
                (None, None) => None,
                (a, b) => Some(a.unwrap_or(0.0) + sign * b.unwrap_or(0.0)),
            }
        }
        Expression::Sum(index, body) => {
            let values = (0..extent(index)).filter_map(|value| {
                let mut inner = bound.clone();
                inner.insert(index, value);
                evaluate(body, stored, &inner)
            });
            values.reduce(|a, b| a + b)
        }
    }
}
