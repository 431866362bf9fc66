//! Operators that random programs define: their values are exact, so that only the order of a reduction
//! shows.

use super::rng::Rng;

/// What stands in front of `main` in programs that use one of them.
pub(super) const DEFINITIONS: &str = "\
def own_largest(double a, double b) -> double operator(identity=0, associative, commutative) {
    return max(abs(a), abs(b));
}
def own_highest(int a, int b) -> int operator(identity=-inf, associative, commutative) {
    if a > b: return a; end
    return b;
}
def own_less(double a, double b) -> double operator(identity=0) {
    return a - b;
}
def own_mean(double a, double b) -> double operator(identity=1) {
    return 0.5 * (a + b);
}
def own_later(double a, double b) -> double operator(identity=-1, associative) {
    return b;
}
def own_apart(int a, int b) -> int operator(identity=3, commutative) {
    return abs(a - b);
}
def own_rest(int a, int b) -> int operator(identity=0) {
    return 2 * b - a;
}
def own_between(double a, double b) -> double {
    if a > b: return a - b; end
    return 2 * b + 1;
}
";

/// Those that reduce in the order of coordinates.
const ORDERED: [&str; 5] = ["own_less,", "own_mean,", "own_later,", "own_apart,", "own_rest,"];

/// Operators of a value; on integers only where all operands are.
pub(super) fn drawn(rng: &mut Rng, is_integer: bool) -> &'static [&'static str] {
    if is_integer && rng.percent(60) {
        return rng.pick(&[
            &["@(own_highest,*)"][..],
            &["@(own_highest)", "+"],
            &["@(own_apart,*)"],
            &["@(own_rest,*)"],
            &["@(+,own_rest)"],
            &["@(own_rest,own_apart)", "-"],
        ]);
    }
    rng.pick(&[
        &["@(own_largest,*)"][..],
        &["@(own_largest,own_between)"],
        &["@(own_between)", "*"],
        &["@(+,own_between)", "+"],
        &["@(own_less,*)"],
        &["@(own_less,first)", "-"],
        &["@(own_mean,*)"],
        &["@(own_mean,own_between)"],
        &["@(own_later,*)", "*"],
    ])
}

/// Whether an operator reduces in the order of coordinates.
pub(super) fn keeps_order(operator: &str) -> bool {
    ORDERED.iter().any(|name| operator.contains(name))
}

/// Whether it reduces by an operator of the file.
pub(super) fn reduces(operator: &str) -> bool {
    operator.starts_with("@(own_") && operator.contains(',')
}

/// The definitions that a program needs.
pub(super) fn definitions(body: &str) -> &'static str {
    if body.contains("@(own_") || body.contains(",own_") { DEFINITIONS } else { "" }
}
