//! Tensor expressions: ranks, labels, operators, masks.

use insta::assert_snapshot;

use crate::{errors_in, statements};

/// Guards the number of labels of an access.
#[test]
fn rank() {
    assert_snapshot!(errors_in(
        r"
  IndexLabel [i, j, k] = [4]; Tensor<double> A([i, j], CSR); Tensor<double> x([j], Dense); Tensor<double> y([i], Dense);
  y[i] = A[i] * x[j];
"
    ), @r"
    error: `A` has 2 modes, found 1 label
     --> a.ta:3:10
      |
    2 |   IndexLabel [i, j, k] = [4]; Tensor<double> A([i, j], CSR); Tensor<double> x([j], Dense); Tensor<double> y([i], Dense);
      |                               ----------------------------- declared here
    3 |   y[i] = A[i] * x[j];
      |          ^^^^
      |
      = help: write one label for each mode, in the order of the declaration
    ");
}

/// Guards that the listed labels permute those of the access.
#[test]
fn transposes() {
    assert_snapshot!(errors_in(
        r"
  IndexLabel [i, j, k] = [4]; Tensor<double> A([i, j], CSR); Tensor<double> x([j], Dense); Tensor<double> y([i], Dense);
  A[i,j] = transpose(A[j,i], {i, j}) + transpose(A[i,j], {i, k}) + transpose(A[i,j], {i, i});
"
    ), @r"
    error: the labels of a transposed tensor are those it is accessed with, in any order
     --> a.ta:3:59
      |
    3 |   A[i,j] = transpose(A[j,i], {i, j}) + transpose(A[i,j], {i, k}) + transpose(A[i,j], {i, i});
      |                                                    ---    ^^^^
      |                                                    |
      |                                                    accessed with these labels
      |
      = help: list each of them once: `transpose(A[i, j], {j, i})`

    error: the labels of a transposed tensor are those it is accessed with, in any order
     --> a.ta:3:87
      |
    3 |   A[i,j] = transpose(A[j,i], {i, j}) + transpose(A[i,j], {i, k}) + transpose(A[i,j], {i, i});
      |                                                                                ---    ^^^^
      |                                                                                |
      |                                                                                accessed with these labels
      |
      = help: list each of them once: `transpose(A[i, j], {j, i})`
    ");
}

/// Guards the hint for a bare tensor.
#[test]
fn a_tensor_without_labels() {
    assert_snapshot!(errors_in(
        r"
  IndexLabel [i, j, k] = [4]; Tensor<double> A([i, j], CSR); Tensor<double> x([j], Dense); Tensor<double> y([i], Dense);
  y[i] = A * x;
"
    ), @r"
    error: tensor `A` stands without labels
     --> a.ta:3:10
      |
    3 |   y[i] = A * x;
      |          ^
      |
      = help: say which elements are meant: `A[…]`

    error: tensor `x` stands without labels
     --> a.ta:3:14
      |
    3 |   y[i] = A * x;
      |              ^
      |
      = help: say which elements are meant: `x[…]`
    ");
}

/// Guards that tensors are not compared.
#[test]
fn functions() {
    assert_snapshot!(statements(
        r"
  IndexLabel [i, j, k] = [4]; Tensor<double> A([i, j], CSR); Tensor<double> B([i, j], CSR); Tensor<double> x([j], Dense);
  Tensor<double> y([i], Dense); var t = 2.5;
  y[i] = x[i] < 2; y[i] = x[i] < 1 | y[i] > 2;
  A[i,j] = sin(A[i,j]); A[i,j] = cos(A[i,j]); A[i,j] = stored(cos(A[i,j]));
  A[i,j] = A[i,j] > 0.5; A[i,j] = A[i,j] > t; A[i,j] = min(exp(A[i,j]), B[i,j]); A[i,j] = A[i,j] == B[i,j];
  A[i,j] = select(A[i,j] < t, A[i,j], 0); A[i,j] = drop(A[i,j], B[i,j] < 1);
  y[i] = exp(A[i,j] - x[j]);
"
    ), @r"
    t = 2.5
    y[i] = (x[i] ∪< 2)
    y[i] = ((x[i] ∪< 1) ∪| (y[i] ∪> 2))
    A[i,j] = sin(A[i,j])
    A[i,j] = cos((A[i,j] ∪first 0.0))
    A[i,j] = cos(A[i,j])
    A[i,j] = (A[i,j] @(>) 0.5)
    A[i,j] = (A[i,j] ∪> t)
    A[i,j] = ((exp((A[i,j] ∪first 0.0)) ∪min B[i,j]) @(first) (A[i,j] + B[i,j]))
    A[i,j] = ((A[i,j] ∪first 0.0) ∪== B[i,j])
    A[i,j] = (((A[i,j] @(<) t) @(if) A[i,j]) @(either) ((A[i,j] @(<) t) @(else) 0))
    A[i,j] = drop(A[i,j], (B[i,j] ∪< 1))
    y[i] = Σ{j} exp((A[i,j] - x[j]))
    ");
}

/// Guards what functions refuse.
#[test]
fn functions_refused() {
    assert_snapshot!(errors_in(
        r"
  IndexLabel [i, j, k] = [4]; Tensor<double> A([i, j], CSR); Tensor<double> x([j], Dense); Tensor<double> y([i], Dense);
  y[i] = exp(x[i], 2); y[i] = select(x[i] > 0, x[i]); A[i,j] = drop(A[i,j], x[k] > 0); y[i] = expp(x[i]);
"
    ), @r"
    error: `exp` takes 1 argument, found 2
     --> a.ta:3:10
      |
    3 |   y[i] = exp(x[i], 2); y[i] = select(x[i] > 0, x[i]); A[i,j] = drop(A[i,j], x[k] > 0); y[i] = expp(x[i]);
      |          ^^^
      |
      = help: write `exp(x)`

    error: `select` takes 3 arguments, found 2
     --> a.ta:3:31
      |
    3 |   y[i] = exp(x[i], 2); y[i] = select(x[i] > 0, x[i]); A[i,j] = drop(A[i,j], x[k] > 0); y[i] = expp(x[i]);
      |                               ^^^^^^
      |
      = help: write `select(condition, x, y)`

    error: the condition of `drop` has the label `k`, which its value lacks
     --> a.ta:3:64
      |
    3 |   y[i] = exp(x[i], 2); y[i] = select(x[i] > 0, x[i]); A[i,j] = drop(A[i,j], x[k] > 0); y[i] = expp(x[i]);
      |                                                                ^^^^^^^^^^^^^^^^^^^^^^
      |
      = help: assign the condition to a tensor under the labels of the value first

    error: undeclared function `expp`
     --> a.ta:3:95
      |
    3 |   y[i] = exp(x[i], 2); y[i] = select(x[i] > 0, x[i]); A[i,j] = drop(A[i,j], x[k] > 0); y[i] = expp(x[i]);
      |                                                                                               ^^^^
      |
      = help: did you mean `exp`?
    ");
}

/// Guards which operators reduce and which combine.
#[test]
fn semirings() {
    assert_snapshot!(errors_in(
        r"
  IndexLabel [i, j, k] = [4]; Tensor<double> A([i, j], CSR); Tensor<double> x([j], Dense); Tensor<double> y([i], Dense);
  y[i] = A[i,j] @(first, +) x[j]; y[i] = A[i,j] @(-, any) x[j];
"
    ), @r"
    error: `first` cannot reduce a semiring
     --> a.ta:3:17
      |
    3 |   y[i] = A[i,j] @(first, +) x[j]; y[i] = A[i,j] @(-, any) x[j];
      |                 ^^^^^^^^^^^
      |
      = help: reduce with one of `+`, `*`, `min`, `max`, `any`, `|`, `&`

    error: `-` cannot reduce a semiring
     --> a.ta:3:49
      |
    3 |   y[i] = A[i,j] @(first, +) x[j]; y[i] = A[i,j] @(-, any) x[j];
      |                                                 ^^^^^^^^^
      |
      = help: reduce with one of `+`, `*`, `min`, `max`, `any`, `|`, `&`

    error: `any` cannot combine in a semiring
     --> a.ta:3:49
      |
    3 |   y[i] = A[i,j] @(first, +) x[j]; y[i] = A[i,j] @(-, any) x[j];
      |                                                 ^^^^^^^^^
      |
      = help: combine with one of `+`, `-`, `*`, `/`, `min`, `max`, `first`, `second`, `pair`, `|`, `&`
    ");
}

/// Guards that every operator is a monoid, also between scalars.
#[test]
fn monoids() {
    assert_snapshot!(statements(
        r"
  IndexLabel [i, j, k] = [4]; Tensor<double> A([i, j], CSR); Tensor<double> x([j], Dense); Tensor<double> y([i], Dense);
  var s = 1; var t = 2 + s @(min) 3;
  y[i] = x[i] @(any) y[i] @(first) s; y[i] = x[i] @(-) 1;
"
    ), @r"
    s = 1
    t = (2 + point((s @(min) 3)))
    y[i] = ((x[i] @(any) y[i]) @(first) s)
    y[i] = (x[i] @(-) 1)
    ");
}

/// Guards the shape of a mask.
#[test]
fn mask_rank() {
    assert_snapshot!(errors_in(
        r"
  IndexLabel [i, j, k] = [4]; Tensor<double> A([i, j], CSR); Tensor<double> x([j], Dense); Tensor<double> y([i], Dense);
  y[i]<A> = x[i];
"
    ), @r"
    error: mask `A` has rank 2, but `y` has rank 1
     --> a.ta:3:7
      |
    2 |   IndexLabel [i, j, k] = [4]; Tensor<double> A([i, j], CSR); Tensor<double> x([j], Dense); Tensor<double> y([i], Dense);
      |                               ----------------------------- the mask is declared here      ---------------------------- the tensor it masks is declared here
    3 |   y[i]<A> = x[i];
      |       ^^^
      |
      = help: a mask has the shape of the tensor that is assigned
    ");
}

/// Guards methods and complements.
#[test]
fn masks() {
    assert_snapshot!(statements(
        r"
  IndexLabel [i, j, k] = [4]; Tensor<double> A([i, j], CSR); Tensor<double> x([j], Dense); Tensor<double> y([i], Dense);
  Tensor<int> m([i], SparseVector); m[i] = random();
  y[i]<m> = x[i]; y[i]<!m, push> += A[i,j]*x[j]; y[i]<y, pull> -= 1;
"
    ), @r"
    random m density 1 seed 0
    y[i]<m, Auto> = x[i]
    y[i]<!m, Push> += Σ{j} (A[i,j] * x[j])
    y[i]<y, Pull> -= 1
    ");
}

/// Guards what is no operand.
#[test]
fn strings_and_arrays() {
    assert_snapshot!(errors_in(
        r"
  IndexLabel [i, j, k] = [4]; Tensor<double> A([i, j], CSR); Tensor<double> x([j], Dense); Tensor<double> y([i], Dense);
  y[i] = x[i] + [1, 2];
"
    ), @r"
    error: found an array, expected a tensor expression
     --> a.ta:3:17
      |
    3 |   y[i] = x[i] + [1, 2];
      |                 ^^^^^^
      |
      = help: assign it to a dense tensor first
    ");
}

/// Guards that sums, times and calls inside a tensor expression are computed before it.
#[test]
fn hoisted() {
    assert_snapshot!(statements(
        r"
  IndexLabel [i, j, k] = [4]; Tensor<double> A([i, j], CSR); Tensor<double> x([j], Dense); Tensor<double> y([i], Dense);
  y[i] = x[i] * SUM(A[i,j]) - getTime() * SUM(SUM(x[i]) * y[j]);
"
    ), @r"
    $0 = reduction(Σ{i,j} A[i,j])
    $1 = getTime()
    $2 = reduction(Σ{i} x[i])
    $3 = reduction(Σ{j} ($2 * y[j]))
    y[i] = ((x[i] * $0) - ($1 * $3))
    ");
}

/// Guards the condition of a loop, which is computed again and again.
#[test]
fn hoisted_in_a_condition() {
    assert_snapshot!(statements(
        r"
  IndexLabel [i] = [4]; Tensor<double> x([i], Dense);
  while SUM(x[i] * getTime()) > 0: x[i] = 1; end
"
    ), @r"
    $1 = 1
    while $1
      $0 = getTime()
      $1 = (reduction(Σ{i} (x[i] * $0)) > 0)
      if $1
        fill x 1
      else
    ");
}

/// Guards diagonals.
#[test]
fn repeated_labels() {
    assert_snapshot!(statements(
        r"
  IndexLabel [i, j, k] = [4]; Tensor<double> A([i, j], CSR); Tensor<double> x([j], Dense); Tensor<double> y([i], Dense);
  A[i,i] = A[i,i] + A[j,j]; y[i] = A[j,j];
"
    ), @r"
    A[i,i] = (A[i,i] + Σ{j} A[j,j])
    y[i] = Σ{j} A[j,j]
    ");
}

/// Guards tensors without modes, as operands, results and scalars.
#[test]
fn rank_0() {
    assert_snapshot!(statements(
        r"
  IndexLabel [i] = [4]; Tensor<double> x([i], Dense); Tensor<float> a([], Dense); Tensor<double> b([], Dense);
  a[] = 2; b[] = comet_read((007)); x[i] = a[] * x[i]; a[] += x[i] * x[i]; a[] = b[] - a[];
  var s = a[] + 1; print(a[]); print(a);
"
    ), @r"
    fill a 2
    read b comet_read(007) All
    x[i] = (a[] * x[i])
    a[] += Σ{i} (x[i] * x[i])
    a[] = (b[] - a[])
    s = (a[] + 1)
    print tensor a
    print tensor a
    ");
}

/// Guards the rank of an array for a tensor without modes.
#[test]
fn rank_0_with_labels() {
    assert_snapshot!(errors_in("IndexLabel [i] = [4]; Tensor<double> a([], CSR); Tensor<double> b([], Dense); b[i] = a[] + 1;"), @r"
    error: `CSR` needs 2 modes, but `a` has 0
     --> a.ta:2:44
      |
    2 | IndexLabel [i] = [4]; Tensor<double> a([], CSR); Tensor<double> b([], Dense); b[i] = a[] + 1;
      |                                      -     ^^^
      |                                      |
      |                                      no modes
      |
      = help: use `Dense`, the only format without modes, or list the levels

    error: `b` has no modes, found 1 label
     --> a.ta:2:79
      |
    2 | IndexLabel [i] = [4]; Tensor<double> a([], CSR); Tensor<double> b([], Dense); b[i] = a[] + 1;
      |                                                  ---------------------------  ^^^^
      |                                                  |
      |                                                  declared here
      |
      = help: write one label for each mode, in the order of the declaration
    ");
}
