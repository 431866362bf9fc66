//! Kernels and `main`.

use insta::assert_snapshot;

use crate::{checked, errors};

/// Guards that parameters declare labels and size them.
#[test]
fn kernel() {
    assert_snapshot!(checked(
        r"
def scale(Tensor<double> A([i, j], CSR), double alpha, Tensor<double> x([j], Dense)) -> Tensor<double> y([i], Dense) {
  y[i] = alpha * A[i,j] * x[j];
  return;
}
"
    ), @r"
    def scale(A, alpha, x) -> y
      size i = A mode 0
      size j = A mode 1, x mode 0
      tensor A: double [i, j] (0 : D, 1 : CU) I32
      tensor x: double [j] (0 : D) I32
      tensor y: double [i] (0 : D) I32
      scalar alpha: double
      y[i] = Σ{j} ((alpha * A[i,j]) * x[j])
      return
    ");
}

/// Guards the form of `main`.
#[test]
fn main_with_parameters() {
    assert_snapshot!(errors("def main(double x, int n) -> double s { s = x; }"), @r"
    error: `main` takes no parameters, found 2
     --> a.ta:1:10
      |
    1 | def main(double x, int n) -> double s { s = x; }
      |          ^^^^^^^^^^^^^^^
      |
      = help: write `def main()` and read inputs with `comet_read`, or give the kernel another name

    error: `main` has no result, found one
     --> a.ta:1:30
      |
    1 | def main(double x, int n) -> double s { s = x; }
      |                              ^^^^^^^^
      |
      = help: print it, write it with `comet_write`, or give the kernel another name
    ");
}

/// Guards that results are assigned.
#[test]
fn unassigned_result() {
    assert_snapshot!(errors(
        r"
def f(double x) -> Tensor<double> y([3], Dense) { print(x); }
def g(double x) -> double s { print(x); }
def h(double x) -> double s { return x; }
"
    ), @r"
    error: the result `y` is never assigned
     --> a.ta:2:20
      |
    2 | def f(double x) -> Tensor<double> y([3], Dense) { print(x); }
      |                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      |
      = help: assign it by name: `y[…] = …`

    error: the result `s` is never assigned
     --> a.ta:3:20
      |
    3 | def g(double x) -> double s { print(x); }
      |                    ^^^^^^^^
      |
      = help: assign it by name, `s = …`, or write `return …`
    ");
}

/// Guards what `return` can return.
#[test]
fn returned_values() {
    assert_snapshot!(errors(
        r"
def f(double x) -> Tensor<double> y([3], Dense) { y[i] = 1; return x; }
def main() { return 1; }
"
    ), @r"
    error: `f` has no scalar result, found a value after `return`
     --> a.ta:2:61
      |
    2 | def f(double x) -> Tensor<double> y([3], Dense) { y[i] = 1; return x; }
      |     - declared here                                         ^^^^^^^^
      |
      = help: assign `y` by name and write `return`

    error: `main` has no scalar result, found a value after `return`
     --> a.ta:3:14
      |
    3 | def main() { return 1; }
      |     ----     ^^^^^^^^
      |     |
      |     declared here
      |
      = help: write `return`; `print` shows a value
    ");
}

/// Guards that a parameter declares its label.
#[test]
fn labels_declared_by_parameters() {
    assert_snapshot!(errors("def f(Tensor<double> x([i], Dense)) { IndexLabel [i] = [4]; print(x); }"), @r"
    error: label `i` is declared already
     --> a.ta:1:51
      |
    1 | def f(Tensor<double> x([i], Dense)) { IndexLabel [i] = [4]; print(x); }
      |                         - declared here first     ^
      |
      = help: rename one of the two, or remove this one
    ");
}

/// Guards that an error in a signature is reported once.
#[test]
fn formats_of_parameters() {
    assert_snapshot!(errors("def f(Tensor<double> x([i], CSR)) { print(x); x[i] = 1; }"), @r"
    error: `CSR` needs 2 modes, but `x` has 1
     --> a.ta:1:29
      |
    1 | def f(Tensor<double> x([i], CSR)) { print(x); x[i] = 1; }
      |                         -   ^^^
      |                         |
      |                         1 mode
      |
      = help: use `Dense` or `SparseVector`, or list the levels
    ");
}
