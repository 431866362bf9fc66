//! Statements from text: sums of products of accesses; variables that are not on the left are summed over
//! around each product.

#![allow(dead_code, reason = "each test uses some of it")]

pub(crate) mod dense;

use comet_sam::graph::{Element, GraphLevel, Kept, Merge, Operator, Reduction, TensorFormat};
use comet_sam::lower::{IndexAccess, IndexExpression, IndexStatement};
use std::collections::BTreeSet;

/// Each access's name and index variables; the result's first.
pub(crate) fn accesses(text: &str) -> Vec<(String, Vec<String>)> {
    let part = |part: &str| {
        let (name, indices) = part.trim().split_once('(').unwrap_or((part.trim(), ""));
        let indices = indices.trim_end_matches(')').split(',').filter(|index| !index.is_empty());
        (name.to_owned(), indices.map(str::to_owned).collect())
    };
    text.split(['=', '*', '+', '-']).map(part).collect()
}

/// The index variables, sorted.
pub(crate) fn variables(text: &str) -> Vec<String> {
    let used: BTreeSet<String> = accesses(text).into_iter().flat_map(|(_, indices)| indices).collect();
    used.into_iter().collect()
}

/// All orders of the variables.
pub(crate) fn permutations(variables: &[String]) -> Vec<Vec<String>> {
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

/// Each name is a tensor whose format is given.
pub(crate) fn with_formats(
    text: &str,
    order: &[String],
    format: &dyn Fn(&str) -> TensorFormat,
) -> IndexStatement {
    let accesses = accesses(text);
    let tensors = accesses.iter().map(|(name, _)| format(name)).collect();
    let result = IndexAccess { tensor: 0, indices: accesses[0].1.clone() };
    IndexStatement {
        tensors,
        order: order.to_vec(),
        result,
        value: value(text, &accesses),
        fill: Reduction::Add,
        keeps: false,
    }
}

/// Every use is a tensor of its own; its levels are compressed, in the order of the variables.
pub(crate) fn statement(text: &str, order: &[String]) -> IndexStatement {
    let accesses = accesses(text);
    let format = |(number, (name, indices)): (usize, &(String, Vec<String>))| {
        let name = if number == 0 { name.clone() } else { format!("{name}{number}") };
        let place = |mode: &usize| order.iter().position(|var| *var == indices[*mode]);
        let mut modes: Vec<usize> = (0..indices.len()).collect();
        modes.sort_by_key(place);
        let levels = vec![GraphLevel::Compressed; indices.len()];
        TensorFormat { name, levels, order: modes, element: Element::F64 }
    };
    let tensors = accesses.iter().enumerate().map(format).collect();
    let result = IndexAccess { tensor: 0, indices: accesses[0].1.clone() };
    IndexStatement {
        tensors,
        order: order.to_vec(),
        result,
        value: value(text, &accesses),
        fill: Reduction::Add,
        keeps: false,
    }
}

fn value(text: &str, accesses: &[(String, Vec<String>)]) -> IndexExpression {
    let (_, right) = text.split_once('=').expect("a statement assigns");
    let signs = right.chars().filter(|sign| ['+', '-'].contains(sign));
    let mut number = 0;
    let mut terms = right.split(['+', '-']).map(|term| {
        let factors = term.split('*').map(|_| {
            number += 1;
            IndexExpression::Access(IndexAccess { tensor: number, indices: accesses[number].1.clone() })
        });
        let multiply =
            |a, b| IndexExpression::Combine(Merge::Intersect, Operator::Mul, Box::new(a), Box::new(b));
        let product = factors.reduce(multiply).expect("a product has factors");
        let used: BTreeSet<String> =
            product.accesses().into_iter().flat_map(|access| access.indices.clone()).collect();
        let summed = used.into_iter().filter(|index| !accesses[0].1.contains(index));
        summed.fold(product, |body, index| IndexExpression::Reduce(Reduction::Add, index, Box::new(body)))
    });
    let first = terms.next().expect("a sum has terms");
    let terms: Vec<IndexExpression> = terms.collect();
    signs.zip(terms).fold(first, |left, (sign, right)| {
        let operator = if sign == '+' { Operator::Add } else { Operator::Sub };
        IndexExpression::Combine(Merge::Union, operator, Box::new(left), Box::new(right))
    })
}

/// A statement as text.
pub(crate) struct Text<'s>(pub(crate) &'s IndexStatement);

impl Text<'_> {
    pub(crate) fn access(&self, access: &IndexAccess) -> String {
        format!("{}({})", self.0.tensors[access.tensor].name, access.indices.join(","))
    }

    pub(crate) fn expression(&self, expression: &IndexExpression) -> String {
        match expression {
            IndexExpression::Access(access) => self.access(access),
            IndexExpression::Apply(function, value) => {
                format!("{}({})", function.name(), self.expression(value))
            }
            IndexExpression::Combine(how, operator, a, b) => {
                let (a, b) = (self.expression(a), self.expression(b));
                format!("({a} {}-{} {b})", how.name(), operator.name())
            }
            IndexExpression::Reduce(reduction, index, body) => {
                format!("{}[{index}]{{{}}}", reduction.name(), self.expression(body))
            }
            IndexExpression::Mask(kept, value, mask) => {
                let not = if *kept == Kept::Stored { "" } else { "!" };
                format!("{}<{not}{}>", self.expression(value), self.access(mask))
            }
            IndexExpression::Drop(value, condition) => {
                format!("drop({}, {})", self.expression(value), self.expression(condition))
            }
        }
    }
}
