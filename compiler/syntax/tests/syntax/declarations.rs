//! Functions, parameters, labels, tensors and their formats.

use comet_diag::Source;
use comet_syntax::{dump, parse};
use insta::assert_snapshot;

use crate::{errors_in, tree, without_spans};

/// Spans are those of the nodes, without comments and semicolons.
#[test]
fn listing_1_of_the_paper() {
    let source = Source::new("listing1.ta", include_str!("listing1.ta"));
    assert_snapshot!(parse(&source).map(|module| dump(&module)).unwrap_or_default(), @r"
    def main @0..500
      label a = [?] @40..60
      label b = [?] @64..84
      label c = [32] @88..109
      Tensor<double> A([a, b], CSR) @135..162
      Tensor<double> B([b, c], Dense) @199..228
      Tensor<double> C([a, c], Dense) @264..293
      assign A[a,b] = @359..388
        call space_read @368..388
          name filename @379..387
      assign B[b,c] = @418..430
        number 1.0 @427..430
      assign C[a,c] = @434..446
        number 0.0 @443..446
      assign C[a,c] = @473..497
        binary * @482..497
          access A[a,b] @482..488
          access B[b,c] @491..497
    ");
}

/// Parameters of both kinds, a result, several functions.
#[test]
fn functions() {
    let text = "def spmv(Tensor<double> A([i, j], CSR), Tensor<float> x([j], {D}), double alpha, int n)
                  -> Tensor<double> y([i], Dense) { y[i] = A[i,j] * x[j]; }
                def f() -> double schedule { return; }
                def main() { }";
    let module = parse(&Source::new("a.ta", text)).unwrap_or_default();
    assert_snapshot!(without_spans(&dump(&module)), @r"
    def spmv
      param Tensor<double> A([i, j], CSR)
      param Tensor<float> x([j], {D})
      param double alpha
      param int n
      result Tensor<double> y([i], Dense)
      assign y[i] =
        binary *
          access A[i,j]
          access x[j]
    def f
      result double schedule
      return
    def main
    ");
}

/// Every form of a label declaration.
#[test]
fn labels() {
    assert_snapshot!(
        tree("IndexLabel [i, j] = [?]; IndexLabel [i j k]; IndexLabel i = [8]; IndexLabel j; \
              IndexLabel [a] = [0:8]; IndexLabel [b] = [1:?]; IndexLabel [c] = [2:10:3]; IndexLabel d = [0:?:2];"),
        @r"
    label i j = [?]
    label i j k
    label i = [8]
    label j
    label a = [0:8]
    label b = [1:?]
    label c = [2:10:3]
    label d = [0:?:2]
    "
    );
}

/// Every form of a format: names with and without braces and arguments, level lists with and without commas.
#[test]
fn formats() {
    assert_snapshot!(
        tree("Tensor<double> A([i, j], CSR); Tensor<float> B([i j], {CSR}); Tensor<int> C([4, ?], BCSR<4,4>); \
              Tensor<int> C([4 ?], {CSB<2,2>}); Tensor<double> E([i,j], {D, CU}); Tensor<double> F([i,j], {CN S}); \
              Tensor<double> G([i], {D}); Tensor<double> H([i], {S}); Tensor<double> K([i, j], {D BV<64>}); \
              Tensor<double> L([i], {BV<32>}); Tensor<double> s([], Dense);"),
        @r"
    Tensor<double> A([i, j], CSR)
    Tensor<float> B([i, j], CSR)
    Tensor<int> C([4, ?], BCSR<4,4>)
    Tensor<int> C([4, ?], CSB<2,2>)
    Tensor<double> E([i, j], {D, CU})
    Tensor<double> F([i, j], {CN, S})
    Tensor<double> G([i], {D})
    Tensor<double> H([i], {S})
    Tensor<double> K([i, j], {D, BV<64>})
    Tensor<double> L([i], {BV<32>})
    Tensor<double> s([], Dense)
    "
    );
}

/// The map form with whole, divided and remaining indices.
#[test]
fn maps() {
    assert_snapshot!(
        tree("Tensor<double> A([i, j], { (i, j) -> (i/4 : D, j/4 : CU, i%4 : D, j : BV<8>) });"),
        @"Tensor<double> A([i, j], { (i, j) -> (i/4 : D, j/4 : CU, i%4 : D, j : BV<8>) })"
    );
}

/// Options in any order, repetitions kept.
#[test]
fn options() {
    assert_snapshot!(
        tree("Tensor<double> A([i,j], {D, CU}, order={1,0}, memory=onchip, index=i64); \
              Tensor<double> B([i], Dense, index=i32, memory=offchip, index=i64);"),
        @r"
    Tensor<double> A([i, j], {D, CU}, order={1,0}, memory=onchip, index=i64)
    Tensor<double> B([i], Dense, index=i32, memory=offchip, index=i64)
    "
    );
}

/// Words that are no level, no option and no value of one are all reported in one run.
#[test]
fn unknown_words_in_declarations() {
    assert_snapshot!(
        errors_in("Tensor<double> A([i,j], {D, CSR});\n\
                   Tensor<double> B([i,j], {D<2>, BV});\n\
                   Tensor<double> C([i,j], CSR, order=onchip, memory=near, index=i16, size={1});"),
        @r"
    error: expected a level, found `CSR`
     --> a.ta:2:29
      |
    2 | Tensor<double> A([i,j], {D, CSR});
      |                             ^^^
      |
      = help: the levels are `D`, `CU`, `CN`, `S`, `BV<b>`, `R` and `H`
    error: the level `D` takes no argument
     --> a.ta:3:26
      |
    3 | Tensor<double> B([i,j], {D<2>, BV});
      |                          ^^^^
      |
      = help: only `BV<b>` has one, the bits of its words
    error: expected the word size of the level `BV` as one integer
     --> a.ta:3:32
      |
    3 | Tensor<double> B([i,j], {D<2>, BV});
      |                                ^^
      |
      = help: write `BV<64>`
    error: malformed value of the option `order`
     --> a.ta:4:30
      |
    4 | Tensor<double> C([i,j], CSR, order=onchip, memory=near, index=i16, size={1});
      |                              ^^^^^^^^^^^^
      |
      = help: write the order as numbers in braces: `order={1,0}`
    error: expected a memory region, found `near`
     --> a.ta:4:51
      |
    4 | Tensor<double> C([i,j], CSR, order=onchip, memory=near, index=i16, size={1});
      |                                                   ^^^^
      |
      = help: write `memory=onchip` or `memory=offchip`
    error: expected an index width, found `i16`
     --> a.ta:4:63
      |
    4 | Tensor<double> C([i,j], CSR, order=onchip, memory=near, index=i16, size={1});
      |                                                               ^^^
      |
      = help: write `index=i32` or `index=i64`
    error: unknown option `size`
     --> a.ta:4:68
      |
    4 | Tensor<double> C([i,j], CSR, order=onchip, memory=near, index=i16, size={1});
      |                                                                    ^^^^^^^^
      |
      = help: the options are `order={…}`, `memory=…`, `index=…` and `on=…`
    "
    );
}
