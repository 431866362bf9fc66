//! The statements of a program that no loop is around, one after the other: what computes a temporary off
//! chip stands in front of what reads it.
//!
//! Before: `y = t where (t += ∀i ws[i] where ∀i' ws[i'] = A[i'])`, with `ws` off chip. After: `∀i' ws[i'] =
//! A[i']`, and `y = t where t += ∀i ws[i]`.

use super::nest::{Home, Nest, NestStmt};

pub(super) fn of(nest: &Nest, stmt: &NestStmt) -> Vec<NestStmt> {
    let mut units = Vec::new();
    let rest = without_producers(nest, stmt, &mut units);
    units.extend(rest);
    units
}

/// The same without the producers of temporaries off chip, which are given away.
fn without_producers(nest: &Nest, stmt: &NestStmt, ahead: &mut Vec<NestStmt>) -> Vec<NestStmt> {
    let NestStmt::Where { consumer, producer, temporary } = stmt else { return vec![stmt.clone()] };
    let producer: Vec<NestStmt> =
        producer.iter().flat_map(|stmt| without_producers(nest, stmt, ahead)).collect();
    let mut of_consumer = Vec::new();
    let rest: Vec<NestStmt> =
        consumer.iter().flat_map(|stmt| without_producers(nest, stmt, &mut of_consumer)).collect();
    if nest.tensors[*temporary].home == Home::OffChip {
        ahead.extend(producer);
        ahead.extend(of_consumer);
        return rest;
    }
    let reads = |stmt: &NestStmt| {
        let mut values = stmt.assigns().into_iter().flat_map(|assign| assign.value.accesses());
        values.any(|access| access.tensor == *temporary)
    };
    // What needs the temporary cannot come first.
    let consumer = if of_consumer.iter().any(reads) {
        consumer.clone()
    } else {
        ahead.extend(of_consumer);
        rest
    };
    vec![NestStmt::Where { consumer, producer, temporary: *temporary }]
}
