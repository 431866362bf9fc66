//! Representative programs.

use insta::assert_snapshot;

use crate::{checked, errors_in};

/// Guards the program of comet.txt, Listing 1.
#[test]
fn listing_1() {
    assert_snapshot!(checked(
        r"
def main() {
  #IndexLabel Definition
  IndexLabel [a] = [?];
  IndexLabel [b] = [?];
  IndexLabel [c] = [32];

  #Tensor Definition
  Tensor<double> A([a,b],CSR); #Tensor<double> A([a,b],{D,CU});
  Tensor<double> B([b,c],Dense); #Tensor<double> B([b,c],{D,D});
  Tensor<double> C([a,c],Dense); #Tensor<double> C([a,c],{D,D});

  #Tensor Readfile Operation
  A[a,b] = space_read(filename);

  #Tensor Fill Operation
  B[b,c] = 1.0;
  C[a,c] = 0.0;

  #Tensor Contraction
  C[a,c] = A[a,b] * B[b,c];
}
"
    ), @r"
    def main()
      size a = A mode 0 from comet_read()
      size b = A mode 1 from comet_read()
      size c = 32
      tensor A: double [a, b] (0 : D, 1 : CU) I32
      tensor B: double [b, c] (0 : D, 1 : D) I32
      tensor C: double [a, c] (0 : D, 1 : D) I32
      read A comet_read() All
      fill B 1.0
      fill C 0.0
      C[a,c] = Σ{b} (A[a,b] * B[b,c])
    ");
}

/// Guards that all independent errors of a file are reported, and nothing that follows from them.
#[test]
fn independent_errors() {
    assert_snapshot!(errors_in(
        r"
  IndexLabel [i, j] = [?]; Tensor<double> A([i, j], CSX); Tensor<double> x([j], Dense); Tensor<double> y([i], Dense);
  A[i,j] = comet_read(0); x[j] = 1; A[i,j] = 1.0;
  y[i] = A[i,j] * z[j];
  y[i] = A[i] * x[j];
  var s = SUM(y[i]) + q;
  print(s);
"
    ), @r"
    error: unknown format `CSX`
     --> a.ta:2:53
      |
    2 |   IndexLabel [i, j] = [?]; Tensor<double> A([i, j], CSX); Tensor<double> x([j], Dense); Tensor<double> y([i], Dense);
      |                                                     ^^^
      |
      = help: did you mean `CSB`?

    error: undeclared tensor `z`
     --> a.ta:4:19
      |
    4 |   y[i] = A[i,j] * z[j];
      |                   ^
      |
      = help: declare it: `Tensor<double> z([i, j], Dense)`

    error: `A` has 2 modes, found 1 label
     --> a.ta:5:10
      |
    2 |   IndexLabel [i, j] = [?]; Tensor<double> A([i, j], CSX); Tensor<double> x([j], Dense); Tensor<double> y([i], Dense);
      |                            ----------------------------- declared here
    ...
    5 |   y[i] = A[i] * x[j];
      |          ^^^^
      |
      = help: write one label for each mode, in the order of the declaration

    error: undeclared scalar `q`
     --> a.ta:6:23
      |
    6 |   var s = SUM(y[i]) + q;
      |                       ^
      |
      = help: declare it: `var q = 0`
    ");
}
