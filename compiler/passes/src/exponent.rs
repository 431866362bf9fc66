//! What loops, copies and sorting cost, as exponents of an extent n: loops one inside the other multiply, so
//! their exponents add up. The numbers are chosen, not fitted to times: what counts is which sum is less.

use comet_format::LevelKind;

/// A loop over every coordinate: n iterations.
pub const DENSE: f64 = 1.0;
/// A loop over the coordinates stored in the outermost level of an operand: up to n of them.
const ROOT: f64 = 0.9;
/// A loop over those stored under one parent: far fewer.
const CHILD: f64 = 0.5;
/// A copy of a matrix in another order takes time linear in its entries.
const TURNED_MATRIX: f64 = 0.05;
/// Points are sorted, and take more memory than entries.
pub const POINTS: f64 = 0.3;
/// So are the entries of a copy of higher rank, but they are in no table that finds a point again.
const SORTED_COPY: f64 = POINTS - 0.05;

/// A loop over a level of an operand, which is the first one or stands under others.
pub fn of_level(number: usize, kind: LevelKind) -> f64 {
    match number {
        _ if kind.is_full() => DENSE,
        0 => ROOT,
        _ => CHILD,
    }
}

/// What stands for an extent that is not known, as in `ta-factorize`, where a number of iterations is known.
const EXTENT: f64 = 10_000.0;

/// The share of a loop over the remainders of a division by a number in the exponent of a loop over all that
/// is divided; the quotients have the rest.
pub fn share_of_remainder(factor: u64) -> f64 {
    (factor.max(1) as f64).min(EXTENT).log(EXTENT)
}

/// A copy of an operand in another order.
pub fn of_copy(rank: usize) -> f64 {
    if rank > 2 { SORTED_COPY } else { TURNED_MATRIX }
}
