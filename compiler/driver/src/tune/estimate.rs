//! What an order of loops is expected to cost, as an exponent of an extent n, so that orders which cannot pay
//! are not run: loops one inside the other multiply, so their exponents add up. For loops and copies the rule
//! is the one that `ta-to-cin` plans by, for an order that is given; that a result is scattered and that
//! tensors are strided through is counted here alone.

use super::statement::{Operand, Statement};
use comet_passes::exponent::{DENSE, POINTS, of_copy, of_level};
use comet_tiling::Expr;

/// An innermost loop that strides through a tensor: chosen so that it decides only between orders that are
/// alike otherwise.
const STRIDED: f64 = 0.02;

/// The exponent of an order of all labels of a statement, outermost first.
pub(super) fn of(statement: &Statement, order: &[&str]) -> f64 {
    let loops: f64 = order.iter().map(|label| iterations(statement, &statement.value, label, order)).sum();
    let copied = statement.read.iter().filter(|operand| is_copied(operand, order));
    let copies: f64 = copied.map(|operand| of_copy(operand.format.rank)).sum();
    let strided = order.last().map_or(0.0, |label| strides(statement, label));
    loops + copies + strided + if scatters(&statement.target, order) { POINTS } else { 0.0 }
}

/// How often a loop runs for a value: what is combined intersects, what is added unites.
fn iterations(statement: &Statement, value: &Expr, label: &str, order: &[&str]) -> f64 {
    let of = |value: &Expr| iterations(statement, value, label, order);
    match value {
        Expr::Access(place) => stored(&statement.read[*place], label, order),
        Expr::Everywhere => DENSE,
        Expr::All(parts) => parts.iter().map(of).fold(f64::INFINITY, f64::min),
        Expr::Any(parts) => parts.iter().map(of).fold(0.0, f64::max),
    }
}

/// The operand is stored, or copied, so that its levels come in the order of the loops.
fn stored(operand: &Operand, label: &str, order: &[&str]) -> f64 {
    let levels = operand.levels();
    let mut labels: Vec<&str> = levels.iter().map(|(label, _)| *label).collect();
    labels.sort_by_key(|label| place(order, label));
    let Some(level) = labels.iter().position(|other| *other == label) else { return DENSE };
    of_level(level, levels[level].1)
}

fn place(order: &[&str], label: &str) -> usize {
    order.iter().position(|other| *other == label).unwrap_or(order.len())
}

/// Whether the levels come in another order than the loops.
fn is_against(operand: &Operand, order: &[&str]) -> bool {
    !operand.levels().iter().map(|(label, _)| place(order, label)).is_sorted()
}

fn is_copied(operand: &Operand, order: &[&str]) -> bool {
    !operand.format.is_dense() && is_against(operand, order)
}

/// Whether the points of a sparse result come in an order that no workspace of one row brings right.
fn scatters(target: &Operand, order: &[&str]) -> bool {
    let levels = target.levels();
    let Some((_, rows)) = levels.split_last() else { return false };
    let goes_by_rows = rows.iter().map(|(label, _)| *label).eq(order.iter().copied().take(rows.len()));
    let reduces = levels.len() < order.len();
    !target.format.is_dense() && (is_against(target, order) || reduces && !goes_by_rows)
}

/// The result counts twice, because stores cost more.
fn strides(statement: &Statement, label: &str) -> f64 {
    let strided = |operand: &Operand| {
        let levels = operand.levels();
        let is_last = levels.last().is_some_and(|(last, _)| *last == label);
        levels.iter().any(|(other, _)| *other == label) && !is_last
    };
    let read = statement.read.iter().filter(|operand| strided(operand)).count();
    STRIDED * (read + 2 * usize::from(strided(&statement.target))) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tune::candidates::tests::statement;

    /// Gustavson's order of a product of sparse matrices is the cheapest, and the inner product the dearest.
    #[test]
    fn rows_are_cheapest() {
        let product = statement("C[i,j] = A[i,k] * B[k,j]", ["CSR", "CSR", "CSR"]);
        let cost = |order: [&str; 3]| of(&product, &order);
        assert!(cost(["i", "k", "j"]) < cost(["k", "i", "j"]), "points are sorted");
        assert!(cost(["k", "i", "j"]) < cost(["i", "j", "k"]), "all pairs are visited");
    }

    /// Contiguous columns are best innermost.
    #[test]
    fn columns_are_innermost() {
        let product = statement("C[i,j] = A[i,k] * B[k,j]", ["CSR", "Dense", "Dense"]);
        let cost = |order: [&str; 3]| of(&product, &order);
        assert!(cost(["i", "k", "j"]) < cost(["j", "i", "k"]));
        assert!(cost(["i", "k", "j"]) < cost(["k", "i", "j"]), "A is copied for columns");
    }
}
