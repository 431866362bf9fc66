//! Fills, reads, random numbers, arrays, writes.

use insta::assert_snapshot;

use crate::{errors, errors_in, statements};

/// Guards that each form is distinguished, and that labels are only counted.
#[test]
fn all_forms() {
    assert_snapshot!(statements(
        r#"
  Tensor<double> A([2, 3], Dense); Tensor<double> S([2, 3], CSR); Tensor<int> n([2], Dense);
  A[x,x] = -1.5; A[p,q] = --2; A[p,q] = comet_read(0012); A[p,q] = comet_read(3, 5); A[p,q] = space_read(filename);
  S[p,q] = comet_read("m.mtx"); S[p,q] = comet_read(); S[p,q] = random(); S[p,q] = random(1e-1, 3);
  A[p,q] = [[1, -2.5, 3], [4, 5, 6e1]]; n[p] = [7, 8]; n[p] = 2.0;
  comet_write(A[p,q], "a.npy"); comet_write(S, "s.mtx.gz");
"#
    ), @r#"
    fill A -1.5
    fill A 2
    read A comet_read(0012) All
    read A comet_read(3) Upper
    read A comet_read() All
    read S comet_read("m.mtx") All
    read S comet_read() All
    random S density 1 seed 0
    random S density 0.1 seed 3
    literal A 1 -2.5 3 4 5 60.0
    literal n 7 8
    fill n 2.0
    write A "a.npy"
    write S "s.mtx.gz"
    "#);
}

/// Guards that `+=`, masks and schedules make an expression of a number.
#[test]
fn expressions_that_look_like_fills() {
    assert_snapshot!(statements(
        r"
  IndexLabel [i, j] = [4]; Tensor<double> A([i, j], CSR); Tensor<int> M([i, j], CSR);
  M[i,j] = random(); A[i,j] += 1.0; A[i,j]<!M> = 2; M[i,j] = 3 + 0 schedule { order(i, j); };
"
    ), @r"
    random M density 1 seed 0
    A[i,j] += 1.0
    A[i,j]<!M, Auto> = 2
    M[i,j] = (3 + 0) schedule of 1
    ");
}

/// Guards that a fill is for dense tensors.
#[test]
fn fill_of_a_sparse_tensor() {
    assert_snapshot!(errors_in(
        r"
  Tensor<double> A([4, 4], CSR);
  A[i,j] = 1.0;
"
    ), @r"
    error: `A` is sparse, but a number fills dense tensors only
     --> a.ta:3:12
      |
    2 |   Tensor<double> A([4, 4], CSR);
      |   ----------------------------- declared here
    3 |   A[i,j] = 1.0;
      |            ^^^
      |
      = help: read a file, or use `random(density, seed)`
    ");
}

/// Guards that a schedule makes no difference to what is legal.
#[test]
fn scheduled_fill_of_a_sparse_tensor() {
    assert_snapshot!(errors_in(
        r"
  Tensor<double> A([4, 4], CSR);
  A[i,j] = 1.0 schedule { split(i, io, ii, 2); };
"
    ), @r"
    error: `A` is sparse, but a number fills dense tensors only
     --> a.ta:3:12
      |
    2 |   Tensor<double> A([4, 4], CSR);
      |   ----------------------------- declared here
    3 |   A[i,j] = 1.0 schedule { split(i, io, ii, 2); };
      |            ^^^
      |
      = help: read a file, or use `random(density, seed)`
    ");
}

/// Guards whole numbers in `int` tensors.
#[test]
fn fraction_in_an_int() {
    assert_snapshot!(errors_in(
        r"
  Tensor<int> A([2], Dense);
  A[i] = 1.5; A[i] = [1, 2.5];
"
    ), @r"
    error: `A` holds `int`, expected a whole number
     --> a.ta:3:10
      |
    2 |   Tensor<int> A([2], Dense);
      |   ------------------------- declared here
    3 |   A[i] = 1.5; A[i] = [1, 2.5];
      |          ^^^
      |
      = help: leave out the fraction, or declare the tensor `double`

    error: `A` holds `int`, expected a whole number
     --> a.ta:3:26
      |
    2 |   Tensor<int> A([2], Dense);
      |   ------------------------- declared here
    3 |   A[i] = 1.5; A[i] = [1, 2.5];
      |                          ^^^
      |
      = help: leave out the fraction, or declare the tensor `double`
    ");
}

/// Guards the number of labels of a fill.
#[test]
fn label_count() {
    assert_snapshot!(errors_in(
        r#"
  Tensor<double> A([4, 4], Dense);
  A[i] = 1; A[i,j,k] = comet_read(0); comet_write(A[i], "a.tns");
"#
    ), @r#"
    error: `A` has 2 modes, found 1 label
     --> a.ta:3:3
      |
    2 |   Tensor<double> A([4, 4], Dense);
      |   ------------------------------- declared here
    3 |   A[i] = 1; A[i,j,k] = comet_read(0); comet_write(A[i], "a.tns");
      |   ^^^^
      |
      = help: write one label for each mode, in the order of the declaration

    error: `A` has 2 modes, found 3 labels
     --> a.ta:3:13
      |
    2 |   Tensor<double> A([4, 4], Dense);
      |   ------------------------------- declared here
    3 |   A[i] = 1; A[i,j,k] = comet_read(0); comet_write(A[i], "a.tns");
      |             ^^^^^^^^
      |
      = help: write one label for each mode, in the order of the declaration

    error: `A` has 2 modes, found 1 label
     --> a.ta:3:51
      |
    2 |   Tensor<double> A([4, 4], Dense);
      |   ------------------------------- declared here
    3 |   A[i] = 1; A[i,j,k] = comet_read(0); comet_write(A[i], "a.tns");
      |                                                   ^^^^
      |
      = help: write one label for each mode, in the order of the declaration
    "#);
}

/// Guards what a read names.
#[test]
fn read_arguments() {
    assert_snapshot!(errors_in(
        r"
  Tensor<double> A([4, 4], Dense); Tensor<double> B([4, 4, 4], Dense);
  A[i,j] = comet_read(1.5); A[i,j] = comet_read(0, 1, 2); A[i,j] = comet_read(-1); A[i,j] = comet_read(0, 6);
  B[i,j,k] = comet_read(0, 2);
"
    ), @r#"
    error: `comet_read` takes the number of a file, a path or nothing
     --> a.ta:3:23
      |
    3 |   A[i,j] = comet_read(1.5); A[i,j] = comet_read(0, 1, 2); A[i,j] = comet_read(-1); A[i,j] = comet_read(0, 6);
      |                       ^^^
      |
      = help: write `comet_read(0)`, `comet_read(0, 2)`, `comet_read("a.mtx")` or `comet_read()`

    error: `comet_read` takes at most 2 arguments, found 3
     --> a.ta:3:38
      |
    3 |   A[i,j] = comet_read(1.5); A[i,j] = comet_read(0, 1, 2); A[i,j] = comet_read(-1); A[i,j] = comet_read(0, 6);
      |                                      ^^^^^^^^^^
      |
      = help: write `comet_read(0)`, `comet_read(0, 2)`, `comet_read("a.mtx")` or `comet_read()`

    error: `comet_read` takes the number of a file, a path or nothing
     --> a.ta:3:79
      |
    3 |   A[i,j] = comet_read(1.5); A[i,j] = comet_read(0, 1, 2); A[i,j] = comet_read(-1); A[i,j] = comet_read(0, 6);
      |                                                                               ^^
      |
      = help: write `comet_read(0)`, `comet_read(0, 2)`, `comet_read("a.mtx")` or `comet_read()`

    error: the mode of a read is a number from 1 to 5
     --> a.ta:3:107
      |
    3 |   A[i,j] = comet_read(1.5); A[i,j] = comet_read(0, 1, 2); A[i,j] = comet_read(-1); A[i,j] = comet_read(0, 6);
      |                                                                                                           ^
      |
      = help: 1 is all, 2 strictly lower, 3 lower, 4 strictly upper, 5 upper triangle

    error: a triangle needs 2 modes, but `B` has 3
     --> a.ta:4:28
      |
    2 |   Tensor<double> A([4, 4], Dense); Tensor<double> B([4, 4, 4], Dense);
      |                                    ---------------------------------- declared here
    3 |   A[i,j] = comet_read(1.5); A[i,j] = comet_read(0, 1, 2); A[i,j] = comet_read(-1); A[i,j] = comet_read(0, 6);
    4 |   B[i,j,k] = comet_read(0, 2);
      |                            ^
      |
      = help: leave the mode out, or read into a matrix
    "#);
}

/// Guards densities and seeds.
#[test]
fn random_arguments() {
    assert_snapshot!(errors_in(
        r"
  Tensor<double> A([4, 4], Dense);
  A[i,j] = random(0.5); A[i,j] = random(1.5, 1); A[i,j] = random(0.5, -1);
"
    ), @r"
    error: `random` takes 0 or 2 arguments, found 1
     --> a.ta:3:12
      |
    3 |   A[i,j] = random(0.5); A[i,j] = random(1.5, 1); A[i,j] = random(0.5, -1);
      |            ^^^^^^
      |
      = help: write `random()` or `random(0.1, 42)`, a density and a seed

    error: a density is a number from 0 to 1, the share of positions that are stored
     --> a.ta:3:41
      |
    3 |   A[i,j] = random(0.5); A[i,j] = random(1.5, 1); A[i,j] = random(0.5, -1);
      |                                         ^^^
      |
      = help: write for example `0.1`

    error: a seed is a whole number of at least 0
     --> a.ta:3:71
      |
    3 |   A[i,j] = random(0.5); A[i,j] = random(1.5, 1); A[i,j] = random(0.5, -1);
      |                                                                       ^^
      |
      = help: write for example `42`
    ");
}

/// Guards the shape of arrays.
#[test]
fn arrays() {
    assert_snapshot!(errors_in(
        r"
  Tensor<double> A([2, 2], Dense); Tensor<double> S([2], SparseVector); var s = 1;
  A[i,j] = [1, 2]; A[i,j] = [[1, 2], [3]]; A[i,j] = [[1, 2], 3]; A[i,j] = [[1, s], [2, 3]];
  S[i] = [1, 2]; print([1]); A[i,j] = A[i,j] + [1];
"
    ), @r"
    error: `A` has rank 2, but the array has rank 1
     --> a.ta:3:12
      |
    2 |   Tensor<double> A([2, 2], Dense); Tensor<double> S([2], SparseVector); var s = 1;
      |   ------------------------------- declared here
    3 |   A[i,j] = [1, 2]; A[i,j] = [[1, 2], [3]]; A[i,j] = [[1, 2], 3]; A[i,j] = [[1, s], [2, 3]];
      |            ^^^^^^
      |
      = help: nest the brackets as deep as the tensor has modes

    error: this row has 1 element, the first one has 2
     --> a.ta:3:38
      |
    3 |   A[i,j] = [1, 2]; A[i,j] = [[1, 2], [3]]; A[i,j] = [[1, 2], 3]; A[i,j] = [[1, s], [2, 3]];
      |                                      ^^^
      |
      = help: make all rows equally long

    error: an array holds numbers, or rows that are all equally deep
     --> a.ta:3:62
      |
    3 |   A[i,j] = [1, 2]; A[i,j] = [[1, 2], [3]]; A[i,j] = [[1, 2], 3]; A[i,j] = [[1, s], [2, 3]];
      |                                                              ^
      |
      = help: write numbers, or `complex(1, 2)`; assign what is computed by a statement of its own

    error: an array holds numbers, or rows that are all equally deep
     --> a.ta:3:80
      |
    3 |   A[i,j] = [1, 2]; A[i,j] = [[1, 2], [3]]; A[i,j] = [[1, 2], 3]; A[i,j] = [[1, s], [2, 3]];
      |                                                                                ^
      |
      = help: write numbers, or `complex(1, 2)`; assign what is computed by a statement of its own

    error: found an array, expected a scalar expression
     --> a.ta:4:24
      |
    4 |   S[i] = [1, 2]; print([1]); A[i,j] = A[i,j] + [1];
      |                        ^^^
      |
      = help: assign it to a tensor: `A[i] = [1, 2]`

    error: undeclared label `i`
     --> a.ta:4:32
      |
    4 |   S[i] = [1, 2]; print([1]); A[i,j] = A[i,j] + [1];
      |                                ^
      |
      = help: declare it: `IndexLabel [i] = [?]`

    error: undeclared label `j`
     --> a.ta:4:34
      |
    4 |   S[i] = [1, 2]; print([1]); A[i,j] = A[i,j] + [1];
      |                                  ^
      |
      = help: declare it: `IndexLabel [j] = [?]`

    error: found an array, expected a tensor expression
     --> a.ta:4:48
      |
    4 |   S[i] = [1, 2]; print([1]); A[i,j] = A[i,j] + [1];
      |                                                ^^^
      |
      = help: assign it to a dense tensor first
    ");
}

/// Guards `+=` and masks on what gives a whole tensor: it goes into a tensor of its own first.
#[test]
fn joined_content() {
    assert_snapshot!(statements(
        r"
  IndexLabel [i] = [2]; Tensor<double> A([i], Dense); Tensor<double> M([i], Dense);
  M[i] = 1; A[i] += comet_read(0); A[i]<M> = random(); A[p] -= [1, 2];
"
    ), @r"
    fill M 1
    read A comet_read(0) All
    A[d0] += A[d0]
    random A density 1 seed 0
    A[d0]<M, Auto> = A[d0]
    literal A 1 2
    A[d0] -= A[d0]
    ");
}

/// Guards schedules on what is no expression.
#[test]
fn whole_tensors_only() {
    assert_snapshot!(errors_in(
        r"
  IndexLabel [i] = [2]; Tensor<double> A([i], Dense); Tensor<double> M([i], Dense);
  A[i] = comet_read(1) schedule { order(i); };
"
    ), @r"
    error: nothing to schedule: `comet_read` is no tensor expression
     --> a.ta:3:24
      |
    3 |   A[i] = comet_read(1) schedule { order(i); };
      |                        ^^^^^^^^^^^^^^^^^^^^^^
      |
      = help: remove the schedule
    ");
}

/// Guards that a file is read into a tensor first.
#[test]
fn reads_inside_expressions() {
    assert_snapshot!(errors_in(
        r"
  IndexLabel [i] = [2]; Tensor<double> A([i], Dense);
  A[i] = 2 * comet_read(0); random(); print(comet_read(0));
"
    ), @r"
    error: `comet_read` fills a whole tensor, found it inside an expression
     --> a.ta:3:14
      |
    3 |   A[i] = 2 * comet_read(0); random(); print(comet_read(0));
      |              ^^^^^^^^^^^^^
      |
      = help: write `T[…] = comet_read(…)`, then use `T[…]`

    error: `random` fills a tensor, but none is given
     --> a.ta:3:29
      |
    3 |   A[i] = 2 * comet_read(0); random(); print(comet_read(0));
      |                             ^^^^^^^^
      |
      = help: write `A[…] = random(…)`

    error: `comet_read` has no value, expected a scalar expression
     --> a.ta:3:45
      |
    3 |   A[i] = 2 * comet_read(0); random(); print(comet_read(0));
      |                                             ^^^^^^^^^^^^^
      |
      = help: write `comet_read` as a statement of its own
    ");
}

/// Guards the endings of written files.
#[test]
fn file_kinds() {
    assert_snapshot!(errors_in(
        r#"
  Tensor<double> A([4, 4, 4], CSF); Tensor<double> B([2], Dense);
  comet_write(A, "a.csv"); comet_write(A, "a.mtx"); comet_write(A, "a.npy.gz");
  comet_write(B, path); comet_write(B[i] + 1, "b.tns"); comet_write(B);
"#
    ), @r#"
    error: `a.csv` has none of the endings `.mtx`, `.tns`, `.npy`, `.npz`
     --> a.ta:3:18
      |
    3 |   comet_write(A, "a.csv"); comet_write(A, "a.mtx"); comet_write(A, "a.npy.gz");
      |                  ^^^^^^^
      |
      = help: write to a path that ends in `.mtx`

    error: `.mtx` holds rank 1 and 2, but `A` has rank 3
     --> a.ta:3:43
      |
    2 |   Tensor<double> A([4, 4, 4], CSF); Tensor<double> B([2], Dense);
      |   -------------------------------- declared here
    3 |   comet_write(A, "a.csv"); comet_write(A, "a.mtx"); comet_write(A, "a.npy.gz");
      |                                           ^^^^^^^
      |
      = help: write to a path that ends in `.tns`

    error: `.npy` holds dense tensors, but `A` is sparse
     --> a.ta:3:68
      |
    2 |   Tensor<double> A([4, 4, 4], CSF); Tensor<double> B([2], Dense);
      |   -------------------------------- declared here
    3 |   comet_write(A, "a.csv"); comet_write(A, "a.mtx"); comet_write(A, "a.npy.gz");
      |                                                                    ^^^^^^^^^^
      |
      = help: write to a path that ends in `.tns`

    error: `comet_write` takes the path as a string
     --> a.ta:4:18
      |
    4 |   comet_write(B, path); comet_write(B[i] + 1, "b.tns"); comet_write(B);
      |                  ^^^^
      |
      = help: write it in double quotes: `"a.mtx"`

    error: `comet_write` takes a tensor, found an expression
     --> a.ta:4:37
      |
    4 |   comet_write(B, path); comet_write(B[i] + 1, "b.tns"); comet_write(B);
      |                                     ^^^^^^^^
      |
      = help: assign it to a tensor first, and write that

    error: `comet_write` takes 2 arguments, found 1
     --> a.ta:4:57
      |
    4 |   comet_write(B, path); comet_write(B[i] + 1, "b.tns"); comet_write(B);
      |                                                         ^^^^^^^^^^^
      |
      = help: write `comet_write(A[i, j], "a.mtx")`
    "#);
}

/// Guards that hints name files that hold complex values.
#[test]
fn files_of_complex_tensors() {
    assert_snapshot!(errors(
        r#"
def main() {
  IndexLabel [i, j, k] = [3];
  Tensor<complex128> A([i, j], CSR); Tensor<complex128> B([i, j, k], CSF); Tensor<complex64> x([i], SparseVector);
  Tensor<complex64> D([i, j, k], Dense);
  comet_write(A, "a.npy"); comet_write(A, "a.tns"); comet_write(B, "b.npy"); comet_write(x, "x.npz");
  comet_write(D, "d.mtx");
}
"#
    ), @r#"
    error: `.npy` holds dense tensors, but `A` is sparse
     --> a.ta:6:18
      |
    4 |   Tensor<complex128> A([i, j], CSR); Tensor<complex128> B([i, j, k], CSF); Tensor<complex64> x([i], SparseVector);
      |   --------------------------------- declared here
    5 |   Tensor<complex64> D([i, j, k], Dense);
    6 |   comet_write(A, "a.npy"); comet_write(A, "a.tns"); comet_write(B, "b.npy"); comet_write(x, "x.npz");
      |                  ^^^^^^^
      |
      = help: write to a path that ends in `.mtx` or `.npz`

    error: `.tns` has one number for each entry, but `A` is complex
     --> a.ta:6:43
      |
    4 |   Tensor<complex128> A([i, j], CSR); Tensor<complex128> B([i, j, k], CSF); Tensor<complex64> x([i], SparseVector);
      |   --------------------------------- declared here
    5 |   Tensor<complex64> D([i, j, k], Dense);
    6 |   comet_write(A, "a.npy"); comet_write(A, "a.tns"); comet_write(B, "b.npy"); comet_write(x, "x.npz");
      |                                           ^^^^^^^
      |
      = help: write to a path that ends in `.mtx` or `.npz`

    error: `.npy` holds dense tensors, but `B` is sparse
     --> a.ta:6:68
      |
    4 |   Tensor<complex128> A([i, j], CSR); Tensor<complex128> B([i, j, k], CSF); Tensor<complex64> x([i], SparseVector);
      |                                      ------------------------------------ declared here
    5 |   Tensor<complex64> D([i, j, k], Dense);
    6 |   comet_write(A, "a.npy"); comet_write(A, "a.tns"); comet_write(B, "b.npy"); comet_write(x, "x.npz");
      |                                                                    ^^^^^^^
      |
      = help: copy it to a dense tensor, and write that to a path that ends in `.npy`

    error: `.npz` holds matrices, but `x` has rank 1
     --> a.ta:6:93
      |
    4 |   Tensor<complex128> A([i, j], CSR); Tensor<complex128> B([i, j, k], CSF); Tensor<complex64> x([i], SparseVector);
      |                                                                            -------------------------------------- declared here
    5 |   Tensor<complex64> D([i, j, k], Dense);
    6 |   comet_write(A, "a.npy"); comet_write(A, "a.tns"); comet_write(B, "b.npy"); comet_write(x, "x.npz");
      |                                                                                             ^^^^^^^
      |
      = help: write to a path that ends in `.mtx`

    error: `.mtx` holds rank 1 and 2, but `D` has rank 3
     --> a.ta:7:18
      |
    5 |   Tensor<complex64> D([i, j, k], Dense);
      |   ------------------------------------- declared here
    6 |   comet_write(A, "a.npy"); comet_write(A, "a.tns"); comet_write(B, "b.npy"); comet_write(x, "x.npz");
    7 |   comet_write(D, "d.mtx");
      |                  ^^^^^^^
      |
      = help: write to a path that ends in `.npy`
    "#);
}

/// Guards that a number on a part of a sparse tensor is refused with what can be written, and integers beyond
/// 64 bits are refused.
#[test]
fn numbers_on_parts() {
    assert_snapshot!(errors(
        r"
def main() {
  IndexLabel [i, j] = [3];
  Tensor<double> S([i, j], CSR); Tensor<int> n([i], Dense);
  S[:,0] = 0; S[1,j] = 2.5; n[i] = 1e30;
}
"
    ), @r"
    error: `S` is sparse, but a number fills dense tensors only
     --> a.ta:5:12
      |
    4 |   Tensor<double> S([i, j], CSR); Tensor<int> n([i], Dense);
      |   ----------------------------- declared here
    5 |   S[:,0] = 0; S[1,j] = 2.5; n[i] = 1e30;
      |            ^
      |
      = help: write `S[:,0] *= 0`, which keeps the entries, or assign an array of zeros

    error: `S` is sparse, but a number fills dense tensors only
     --> a.ta:5:24
      |
    4 |   Tensor<double> S([i, j], CSR); Tensor<int> n([i], Dense);
      |   ----------------------------- declared here
    5 |   S[:,0] = 0; S[1,j] = 2.5; n[i] = 1e30;
      |                        ^^^
      |
      = help: scale its entries, `S[1,j] *= 2`, or assign an array

    error: `n` is `int`, expected a number from -9223372036854775808 to 9223372036854775807
     --> a.ta:5:36
      |
    4 |   Tensor<double> S([i, j], CSR); Tensor<int> n([i], Dense);
      |                                  ------------------------- declared here
    5 |   S[:,0] = 0; S[1,j] = 2.5; n[i] = 1e30;
      |                                    ^^^^
      |
      = help: write a number in that range, or declare a wider type
    ");
}
