//! Formats: what every shorthand stands for, and every way to write one wrong.

use insta::assert_snapshot;

use crate::{checked, errors_in, main};

/// Guards the levels of every shorthand against the table of LANGUAGE.md.
#[test]
fn every_name() {
    assert_snapshot!(names(), @r"
    Dense tensor A: double [mode 0 of A, mode 1 of A] (0 : D, 1 : D) I32
    CSR tensor A: double [mode 0 of A, mode 1 of A] (0 : D, 1 : CU) I32
    CSC tensor A: double [mode 0 of A, mode 1 of A] (1 : D, 0 : CU) I32
    DCSR tensor A: double [mode 0 of A, mode 1 of A] (0 : CU, 1 : CU) I32
    DCSC tensor A: double [mode 0 of A, mode 1 of A] (1 : CU, 0 : CU) I32
    COO tensor A: double [mode 0 of A, mode 1 of A] (0 : CN, 1 : S) I32
    CSF tensor A: double [mode 0 of A, mode 1 of A] (0 : CU, 1 : CU) I32
    ELL tensor A: double [mode 0 of A, mode 1 of A] (0 : D, slot : D, 1 : S) I32
    BCSR<2,3> tensor A: double [mode 0 of A, mode 1 of A] (0/2 : D, 1/3 : CU, 0%2 : D, 1%3 : D) I32
    CSB<2,3> tensor A: double [mode 0 of A, mode 1 of A] (0/2 : D, 1/3 : D, 0%2 : CN, 1%3 : S) I32
    Dense tensor A: double [mode 0 of A, mode 1 of A, mode 2 of A] (0 : D, 1 : D, 2 : D) I32
    COO tensor A: double [mode 0 of A, mode 1 of A, mode 2 of A] (0 : CN, 1 : S, 2 : S) I32
    CSF tensor A: double [mode 0 of A, mode 1 of A, mode 2 of A] (0 : CU, 1 : CU, 2 : CU) I32
    ModeGeneric tensor A: double [mode 0 of A, mode 1 of A, mode 2 of A] (0 : CN, 1 : S, 2 : D) I32
    Dense tensor A: double [mode 0 of A] (0 : D) I32
    COO tensor A: double [mode 0 of A] (0 : CN) I32
    SparseVector tensor A: double [mode 0 of A] (0 : CU) I32
    ");
}

/// Guards that maps, orders, regions and widths arrive in the program.
#[test]
fn maps_orders_and_options() {
    assert_snapshot!(tables(
        r"
  Tensor<double> A([4, 6], { (i, j) -> (i/4 : D, j/3 : CU, i%4 : D, j%3 : D) }); A[i,j] = random();
  Tensor<float> B([4, 6, 2], {CU, D, BV<16>}, order={2,0,1}, memory=onchip); B[i,j,k] = random();
  Tensor<int> C([4, 6], COO, index=i64, order={1,0}, memory=offchip); C[i,j] = random();
  Tensor<double> x([4], {D}); x[i] = random();
"
    ), @r"
    tensor A: double [mode 0 of A, mode 1 of A] (0/4 : D, 1/3 : CU, 0%4 : D, 1%3 : D) I32
    tensor B: float [mode 0 of B, mode 1 of B, mode 2 of B] (2 : CU, 0 : D, 1 : BV<16>) I32 OnChip
    tensor C: int [mode 0 of C, mode 1 of C] (1 : CN, 0 : S) I64 OffChip
    tensor x: double [mode 0 of x] (0 : D) I32
    ");
}

/// Guards the hint for a misspelt format.
#[test]
fn unknown() {
    assert_snapshot!(errors_in("Tensor<double> A([4, 4], CRS);"), @r"
    error: unknown format `CRS`
     --> a.ta:2:26
      |
    2 | Tensor<double> A([4, 4], CRS);
      |                          ^^^
      |
      = help: did you mean `CSR`?
    ");
}

/// Guards the list of formats.
#[test]
fn unknown_without_a_close_one() {
    assert_snapshot!(errors_in("Tensor<double> A([4, 4], Sparse);"), @r"
    error: unknown format `Sparse`
     --> a.ta:2:26
      |
    2 | Tensor<double> A([4, 4], Sparse);
      |                          ^^^^^^
      |
      = help: the formats are `Dense`, `scalar`, `CSR`, `CSC`, `DCSR`, `DCSC`, `COO`, `CSF`, `ELL`, `BCSR`, `CSB`, `ModeGeneric`, `SparseVector`, or levels such as `{D, CU}`
    ");
}

/// Guards that a matrix format on another rank is refused.
#[test]
fn rank_of_a_name() {
    assert_snapshot!(errors_in("Tensor<double> A([4, 4, 4], CSR);"), @r"
    error: `CSR` needs 2 modes, but `A` has 3
     --> a.ta:2:29
      |
    2 | Tensor<double> A([4, 4, 4], CSR);
      |                   -------   ^^^
      |                   |
      |                   3 modes
      |
      = help: use `CSF` or `COO`, or list the levels
    ");
}

/// Guards the lower bound of `CSF`.
#[test]
fn least_rank_of_a_name() {
    assert_snapshot!(errors_in("Tensor<double> A([4], CSF);"), @r"
    error: `CSF` needs at least 2 modes, but `A` has 1
     --> a.ta:2:23
      |
    2 | Tensor<double> A([4], CSF);
      |                   -   ^^^
      |                   |
      |                   1 mode
      |
      = help: use `Dense` or `SparseVector`, or list the levels
    ");
}

/// Guards that block formats state their block.
#[test]
fn missing_block() {
    assert_snapshot!(errors_in("Tensor<double> A([4, 4], BCSR);"), @r"
    error: `BCSR` takes 2 numbers in `<>`, found 0
     --> a.ta:2:26
      |
    2 | Tensor<double> A([4, 4], BCSR);
      |                          ^^^^
      |
      = help: give rows and columns of a block: `BCSR<4,4>`
    ");
}

/// Guards that other formats do not.
#[test]
fn superfluous_block() {
    assert_snapshot!(errors_in("Tensor<double> A([4, 4], CSR<2,2>);"), @r"
    error: `CSR` takes no numbers in `<>`, found 2
     --> a.ta:2:26
      |
    2 | Tensor<double> A([4, 4], CSR<2,2>);
      |                          ^^^
      |
      = help: write `CSR`
    ");
}

/// Guards that a block has elements.
#[test]
fn empty_block() {
    assert_snapshot!(errors_in("Tensor<double> A([4, 4], CSB<0,1.5>);"), @r"
    error: a block's size is a whole number of at least 1, found 0
     --> a.ta:2:30
      |
    2 | Tensor<double> A([4, 4], CSB<0,1.5>);
      |                              ^
      |
      = help: write for example `4`

    error: a block's size is a whole number of at least 1, found 1.5
     --> a.ta:2:32
      |
    2 | Tensor<double> A([4, 4], CSB<0,1.5>);
      |                                ^^^
      |
      = help: write for example `4`
    ");
}

/// Guards one level for each mode.
#[test]
fn level_count() {
    assert_snapshot!(errors_in("Tensor<double> A([4, 4], {D, CU, CU});"), @r"
    error: `A` has 2 modes, but its format has 3 levels
     --> a.ta:2:26
      |
    2 | Tensor<double> A([4, 4], {D, CU, CU});
      |                   ----   ^^^^^^^^^^^ expected 2 levels here
      |                   |
      |                   2 modes
      |
      = help: list one level for each mode, outermost first
    ");
}

/// Guards that a singleton has a parent.
#[test]
fn first_level() {
    assert_snapshot!(errors_in("Tensor<double> A([4, 4], {S, D});"), @r"
    error: the first level is `S`, expected one of `D`, `CU`, `CN`, `BV`, `R`, `H`
     --> a.ta:2:27
      |
    2 | Tensor<double> A([4, 4], {S, D});
      |                           ^
      |
      = help: `S` holds one coordinate under each position of the level above it; begin with `CN` for coordinates
    ");
}

/// Guards the widths of words.
#[test]
fn bit_vector_width() {
    assert_snapshot!(errors_in("Tensor<double> A([4, 4], {D, BV<12>});"), @r"
    error: a bit vector's words have 8, 16, 32 or 64 bits, found 12
     --> a.ta:2:30
      |
    2 | Tensor<double> A([4, 4], {D, BV<12>});
      |                              ^^^^^^
      |
      = help: write `BV<64>`, or the width your target has
    ");
}

/// Guards `order` against gaps and repetitions.
#[test]
fn order_is_a_permutation() {
    assert_snapshot!(errors_in("Tensor<double> A([4, 4], {D, CU}, order={0,2});"), @r"
    error: `order` of `A` is no permutation of `{0,1}`
     --> a.ta:2:35
      |
    2 | Tensor<double> A([4, 4], {D, CU}, order={0,2});
      |                   ---- 2 modes    ^^^^^^^^^^^
      |
      = help: name every mode once, the outermost storage level's first; modes count from 0
    ");
}

/// Guards that a map and `order` exclude each other.
#[test]
fn order_with_a_map() {
    assert_snapshot!(errors_in("Tensor<double> A([4, 4], { (i, j) -> (i : D, j : CU) }, order={1,0});"), @r"
    error: `order` was found, but the format is a map, which states what each level stores
     --> a.ta:2:57
      |
    2 | Tensor<double> A([4, 4], { (i, j) -> (i : D, j : CU) }, order={1,0});
      |                                                         ^^^^^^^^^^^
      |
      = help: leave `order` out, or list the levels instead
    ");
}

/// Guards that `CSC` has one order.
#[test]
fn order_with_an_ordered_name() {
    assert_snapshot!(errors_in("Tensor<double> A([4, 4], CSC, order={0,1});"), @r"
    error: `order` was found, but this format has `order={1,0}` already
     --> a.ta:2:31
      |
    2 | Tensor<double> A([4, 4], CSC, order={0,1});
      |                               ^^^^^^^^^^^
      |
      = help: leave `order` out, or list the levels instead
    ");
}

/// Guards that `ELL` has no order.
#[test]
fn order_with_a_slot() {
    assert_snapshot!(errors_in("Tensor<double> A([4, 4], ELL, order={1,0});"), @r"
    error: `order` was found, but this format has a slot level, which stores no mode
     --> a.ta:2:31
      |
    2 | Tensor<double> A([4, 4], ELL, order={1,0});
      |                               ^^^^^^^^^^^
      |
      = help: leave `order` out, or list the levels instead
    ");
}

/// Guards that options contradict each other nowhere.
#[test]
fn repeated_option() {
    assert_snapshot!(errors_in("Tensor<double> A([4, 4], CSR, index=i64, index=i32);"), @r"
    error: `index` is given twice, expected it once
     --> a.ta:2:42
      |
    2 | Tensor<double> A([4, 4], CSR, index=i64, index=i32);
      |                               ---------  ^^^^^^^^^
      |                               |
      |                               given here first
      |
      = help: keep one of the two
    ");
}

/// Guards the modes of a map.
#[test]
fn map_rank() {
    assert_snapshot!(errors_in("Tensor<double> A([4, 4], { (i) -> (i : D) });"), @r"
    error: `A` has 2 modes, but its map has 1
     --> a.ta:2:29
      |
    2 | Tensor<double> A([4, 4], { (i) -> (i : D) });
      |                   ----      ^
      |                   |
      |                   2 modes
      |
      = help: name one mode on the left of `->` for each mode of the tensor
    ");
}

/// Guards the names of a map.
#[test]
fn map_repeats_a_mode() {
    assert_snapshot!(errors_in("Tensor<double> A([4, 4], { (i, i) -> (i : D, i : CU) });"), @r"
    error: mode `i` is named twice
     --> a.ta:2:32
      |
    2 | Tensor<double> A([4, 4], { (i, i) -> (i : D, i : CU) });
      |                             -  ^
      |                             |
      |                             named here first
      |
      = help: give each mode of the map a name of its own
    ");
}

/// Guards the names in the levels.
#[test]
fn map_unknown_mode() {
    assert_snapshot!(errors_in("Tensor<double> A([4, 4], { (row, col) -> (row : D, cal : CU) });"), @r"
    error: `cal` is no mode of this map
     --> a.ta:2:52
      |
    2 | Tensor<double> A([4, 4], { (row, col) -> (row : D, cal : CU) });
      |                                                    ^^^
      |
      = help: did you mean `col`?
    ");
}

/// Guards that every mode is stored once and in full.
#[test]
fn map_cover() {
    assert_snapshot!(errors_in(
        r"
  Tensor<double> A([4, 4], { (i, j) -> (i/4 : D, i%2 : D, j : CU) });
  Tensor<double> B([4, 4], { (i, j) -> (i/4 : D, j : CU) });
  Tensor<double> C([4, 4], { (i, j) -> (i%4 : D, j : CU) });
  Tensor<double> D([4, 4], { (i, j) -> (j : D) });
  Tensor<double> E([4, 4], { (i, j) -> (i : D, i : CU, j : CU) });
"
    ), @r"
    error: mode `i` needs one level `i`, or `i/n` and `i%n`, but it is divided by 4 and taken modulo 2
     --> a.ta:2:31
      |
    2 |   Tensor<double> A([4, 4], { (i, j) -> (i/4 : D, i%2 : D, j : CU) });
      |                               ^
      |
      = help: write `i/4 : D` and `i%4 : D`, with one number for both

    error: mode `i` needs one level `i`, or `i/n` and `i%n`, but its remainder is not stored
     --> a.ta:3:31
      |
    3 |   Tensor<double> B([4, 4], { (i, j) -> (i/4 : D, j : CU) });
      |                               ^
      |
      = help: write `i/4 : D` and `i%4 : D`, with one number for both

    error: mode `i` needs one level `i`, or `i/n` and `i%n`, but its quotient is not stored
     --> a.ta:4:31
      |
    4 |   Tensor<double> C([4, 4], { (i, j) -> (i%4 : D, j : CU) });
      |                               ^
      |
      = help: write `i/4 : D` and `i%4 : D`, with one number for both

    error: mode `i` needs one level `i`, or `i/n` and `i%n`, but it is not stored
     --> a.ta:5:31
      |
    5 |   Tensor<double> D([4, 4], { (i, j) -> (j : D) });
      |                               ^
      |
      = help: write `i/4 : D` and `i%4 : D`, with one number for both

    error: mode `i` needs one level `i`, or `i/n` and `i%n`, but more levels than that store it
     --> a.ta:6:31
      |
    6 |   Tensor<double> E([4, 4], { (i, j) -> (i : D, i : CU, j : CU) });
      |                               ^
      |
      = help: write `i/4 : D` and `i%4 : D`, with one number for both
    ");
}

/// Guards divisions by nothing.
#[test]
fn map_zero_divisor() {
    assert_snapshot!(errors_in("Tensor<double> A([4, 4], { (i, j) -> (i/0 : D, i%0 : D, j : CU) });"), @r"
    error: a block's size is a whole number of at least 1, found 0
     --> a.ta:2:39
      |
    2 | Tensor<double> A([4, 4], { (i, j) -> (i/0 : D, i%0 : D, j : CU) });
      |                                       ^
      |
      = help: write for example `4`

    error: a block's size is a whole number of at least 1, found 0
     --> a.ta:2:48
      |
    2 | Tensor<double> A([4, 4], { (i, j) -> (i/0 : D, i%0 : D, j : CU) });
      |                                                ^
      |
      = help: write for example `4`
    ");
}

/// Only the tensors of the program.
fn tables(text: &str) -> String {
    let dumped = checked(&main(text));
    dumped
        .lines()
        .filter(|line| line.starts_with("  tensor"))
        .map(|line| format!("{}\n", line.trim()))
        .collect()
}

fn names() -> String {
    let matrices = ["Dense", "CSR", "CSC", "DCSR", "DCSC", "COO", "CSF", "ELL", "BCSR<2,3>", "CSB<2,3>"];
    let cubes = ["Dense", "COO", "CSF", "ModeGeneric"];
    let vectors = ["Dense", "COO", "SparseVector"];
    let of = |dims: &'static str, names: &[&'static str]| -> String {
        let one = |name| format!("Tensor<double> A([{dims}], {name}); print(A);");
        names.iter().map(|name| format!("{name} {}", tables(&one(name)))).collect()
    };
    of("6, 6", &matrices) + &of("6, 6, 6", &cubes) + &of("6", &vectors)
}
