//! The equations of d2t2.txt, derived for its example, and their statistics on small tensors worked by hand.

use crate::support::{access, statement};
use comet_tiling::{
    Assumption, Derivation, Expr, Factor, Machine, Nest, Pattern, Points, Quantity, Sample, Statement,
    Statistics, TiledOperands, Tiles, Var,
};
use std::sync::Arc;

/// `Corrs` of all tiles.
const ALL: Sample = Sample { rate: 1.0, seed: 1 };

/// A machine that counts values only.
const VALUES: Machine = Machine { buffer: 16, value_bytes: 1, word_bytes: 0, is_apart: false, outside: 0 };

const LOOPS: &dyn Fn(Var) -> bool = &|_| true;

fn points(extents: [u64; 2], all: &[(i64, i64)]) -> Pattern {
    let (rows, columns) = all.iter().copied().unzip();
    Pattern::Points(Arc::new(Points::new(&extents, &[rows, columns]).expect("inside")))
}

/// `C[i,j] = A[i,k] * B[k,j]` in the order i, k, j, on matrices of 4 by 4.
fn gustavson(a: &[(i64, i64)], b: &[(i64, i64)]) -> Statement {
    let order = [('i', 4), ('k', 4), ('j', 4)];
    let product = Expr::All(vec![access(0), access(1)]);
    statement(&order, "ij", &[("ik", points([4, 4], a)), ("kj", points([4, 4], b))], product)
}

fn derived<'a>(statement: &'a Statement, nest: &'a Nest) -> Derivation<'a> {
    Derivation { statement, nest, assumption: Assumption::Independent, is_loop: LOOPS }
}

/// Under the assumption of independence, equations 16, 17 and 20 come out.
#[test]
fn gustavson_reduces_to_the_equations() {
    let product = gustavson(&[(0, 0)], &[(0, 0)]);
    let nests = product.nests();
    let derivation = derived(&product, &nests[0]);
    assert_eq!(derivation.constraint(0), "A[i',k'] ≠ 0 ∧ ∃j' B[k',j'] ≠ 0");
    assert_eq!(derivation.constraint(1), "B[k',j'] ≠ 0 ∧ A[i',k'] ≠ 0");
    let text = |access| derivation.loads(access).text(&product);
    assert_eq!(text(0), "SizeTile(A) · |i'| · |k'| · P(A[i',k']) · P(∃j' B[k',j'])");
    assert_eq!(text(1), "SizeTile(B) · E|i'| · |k'| · |j'| · P(B[k',j']) · P(A[i',k'])");
    assert_eq!(
        derivation.stores().text(&product),
        "size of an entry of X · T_i · T_k · T_j · Pr(A[i,k]) · Pr(B[k,j]) / (ΣCorrs(B)_k) \
         · |i'| · |k'| · |j'| · P(A[i',k']) · P(B[k',j'])"
    );
}

/// Equations 3 to 6: `D[i,j] = (A[i] + B[i]) * C[i,j]`.
#[test]
fn sums_do_not_filter() {
    let order = [('i', 4), ('j', 4)];
    let vector = || Pattern::Points(Arc::new(Points::new(&[4], &[vec![1]]).expect("inside")));
    let value = Expr::All(vec![Expr::Any(vec![access(0), access(1)]), access(2)]);
    let sum = statement(
        &order,
        "ij",
        &[("i", vector()), ("i", vector()), ("ij", points([4, 4], &[(1, 1)]))],
        value,
    );
    let nests = sum.nests();
    let derivation = derived(&sum, &nests[0]);
    assert_eq!(derivation.constraint(0), "A[i'] ≠ 0 ∧ ∃j' C[i',j'] ≠ 0");
    assert_eq!(derivation.constraint(2), "C[i',j'] ≠ 0 ∧ (A[i'] ≠ 0 ∨ B[i'] ≠ 0)");
    assert_eq!(derivation.loads(0).text(&sum), "SizeTile(A) · |i'| · P(A[i']) · P(∃j' C[i',j'])");
}

/// In the order i, j, k both operands are loaded in every iteration that both have tiles in.
#[test]
fn inner_products_load_in_all_loops() {
    let order = [('i', 4), ('j', 4), ('k', 4)];
    let operand = || points([4, 4], &[(0, 0)]);
    let product = Expr::All(vec![access(0), access(1)]);
    let product = statement(&order, "ij", &[("ik", operand()), ("jk", operand())], product);
    let nests = product.nests();
    let text = derived(&product, &nests[0]).loads(0).text(&product);
    assert_eq!(text, "SizeTile(A) · |i'| · E|j'| · |k'| · P(A[i',k']) · P(B[j',k'])");
    // With one tile along k, A stays while j goes on.
    let is_loop = |var: Var| var != Var(2);
    let derivation = Derivation { is_loop: &is_loop, ..derived(&product, &nests[0]) };
    assert_eq!(
        derivation.loads(0).text(&product),
        "SizeTile(A) · |i'| · P(∃k' A[i',k']) · P(∃j',k' B[j',k'])"
    );
}

/// Statistics of a matrix of 4 by 4 in tiles of 2 by 2:
/// ```text
/// a b | . .
/// . c | . .
/// ----+----
/// . . | . .
/// d . | . .
/// ```
#[test]
fn statistics_are_those_worked_by_hand() {
    let product = gustavson(&[(0, 0), (0, 1), (1, 1), (3, 0)], &[(0, 0), (1, 0), (1, 1), (3, 3)]);
    let cut = TiledOperands::new(&product, Tiles(vec![2, 2, 2]));
    let statistics = Statistics::new(&product, VALUES, &cut, ALL);
    let a = statistics.of(0).expect("A is sparse");
    // Two tiles, of three values and one.
    assert_eq!((a.size_tile, a.max_tile), (2.0, 3.0 / 16.0));
    // Both rows of tiles, and in each one column of two.
    assert_eq!(a.tile_index, [1.0, 0.5]);
    // Three rows in two tiles of two rows; four entries in three rows of two columns.
    assert_eq!(a.inner_index, [0.75, 4.0 / 6.0]);
    // Along k: of column 0 with rows {0} and column 1 with rows {0, 1} one row is common; of four entries in
    // all.
    assert_eq!(a.corrs[1], [1.0, 0.25]);
    // Along i: of rows {0, 1} and {1} one column.
    assert_eq!(a.corrs[0], [1.0, 0.25]);
    // Both rows of tiles are there, one column is.
    assert_eq!((a.tile_corrs[0].clone(), a.tile_corrs[1].clone()), (vec![1.0, 0.5], vec![1.0, 0.0]));
}

/// Equations 16 to 18 and 20 with numbers.
#[test]
fn traffic_is_that_worked_by_hand() {
    let product = gustavson(&[(0, 0), (0, 1), (1, 1), (3, 0)], &[(0, 0), (1, 0), (1, 1), (3, 3)]);
    let cut = TiledOperands::new(&product, Tiles(vec![2, 2, 2]));
    let statistics = Statistics::new(&product, VALUES, &cut, ALL);
    let nests = product.nests();
    let derivation = derived(&product, &nests[0]);
    let of = |tiles: &Tiles, quantity: &Quantity| statistics.quantity(quantity, tiles);
    // A has two tiles of two values, and all rows of tiles of B are there.
    assert_eq!(derivation.loads(0).value(&|quantity| of(&cut.tiles, quantity)), 4.0);
    // B has two tiles of two values, 2 iterations of i' and half of the tiles of A.
    assert_eq!(derivation.loads(1).value(&|quantity| of(&cut.tiles, quantity)), 4.0);
    // 8 iterations, half of them with A and half with B; 8 points with probabilities 1/2 and 1/2, over Corrs of
    // B along k: row 0 with {0} and row 1 with {0, 1} have one in common.
    assert_eq!(
        derivation.stores().value(&|quantity| of(&cut.tiles, quantity)),
        8.0 / 4.0 * (8.0 / 4.0) / 1.25
    );
    // Equation 18: two tiles along i as one; of both rows of tiles one has the other behind it.
    let tall = Tiles(vec![4, 2, 2]);
    assert_eq!(of(&tall, &Quantity::Iterations(Var(0))), 2.0 / 1.5);
    assert_eq!(of(&cut.tiles, &Quantity::Iterations(Var(0))), 2.0);
    let seen = Quantity::Tile(Factor { access: 1, seen: vec![Var(1)] });
    assert_eq!(of(&cut.tiles, &seen), 1.0);
}
