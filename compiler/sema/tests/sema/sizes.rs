//! Labels and sizes: solved over the whole function, in any order.

use insta::assert_snapshot;

use crate::{checked, errors, errors_in};

/// Guards that a fill may stand before the read that sizes it.
#[test]
fn read_after_use() {
    assert_snapshot!(checked(
        r"
def main() {
  IndexLabel [i, j] = [?];
  Tensor<double> x([j], Dense); Tensor<double> y([i], Dense); Tensor<double> A([?, ?], CSR);
  x[q] = 1.0;
  y[i] = A[i,j] * x[j];
  A[p, q] = comet_read(0);
}
"
    ), @r"
    def main()
      size i = A mode 0 from comet_read(0)
      size j = A mode 1 from comet_read(0)
      tensor x: double [j] (0 : D) I32
      tensor y: double [i] (0 : D) I32
      tensor A: double [i, j] (0 : D, 1 : CU) I32
      fill x 1.0
      y[i] = Σ{j} (A[i,j] * x[j])
      read A comet_read(0) All
    ");
}

/// Guards the extents of ranges.
#[test]
fn ranges() {
    assert_snapshot!(checked(
        r"
def main() {
  IndexLabel [a] = [8]; IndexLabel b = [2:8]; IndexLabel [c d] = [1:8:3]; IndexLabel [e] = [0:?]; IndexLabel f;
  Tensor<double> A([a, b, c, d], Dense); Tensor<double> B([e, f, 5], Dense);
  A[a,b,c,d] = 1; B[x,y,z] = comet_read();
}
"
    ), @r"
    def main()
      size a = 8
      size b = 6
      size c = 3
      size d = 3
      size e = B mode 0 from comet_read()
      size f = B mode 1 from comet_read()
      size mode 2 of B = 5, B mode 2 from comet_read()
      tensor A: double [a, b, c, d] (0 : D, 1 : D, 2 : D, 3 : D) I32
      tensor B: double [e, f, mode 2 of B] (0 : D, 1 : D, 2 : D) I32
      fill A 1
      read B comet_read() All
    ");
}

/// Guards that an access with other labels unifies.
#[test]
fn labels_other_than_declared() {
    assert_snapshot!(checked(
        r"
def main() {
  IndexLabel [i, j] = [?]; IndexLabel [k, l] = [3];
  Tensor<double> A([i, j], Dense); Tensor<double> B([l, k], Dense);
  A[k,l] = B[l,k] + B[k,k];
}
"
    ), @r"
    def main()
      size i = 3
      tensor A: double [i, i] (0 : D, 1 : D) I32
      tensor B: double [i, i] (0 : D, 1 : D) I32
      A[k,l] = (B[l,k] + B[k,k])
    ");
}

/// Guards that what nothing uses does not have to be solvable.
#[test]
fn unused_names_need_no_size() {
    assert_snapshot!(checked(
        r"
def main() {
  IndexLabel [i, j] = [?];
  Tensor<double> A([i, j], CSR);
}
"
    ), @"def main()");
}

/// Guards that a file the program writes is sized by its tensor.
#[test]
fn a_file_written_earlier() {
    assert_snapshot!(checked(
        r#"
def main() {
  Tensor<double> A([3, 4], CSR); Tensor<double> B([?, ?], Dense);
  A[i,j] = random();
  comet_write(A[i,j], "a.tns");
  B[i,j] = comet_read("a.tns");
}
"#
    ), @r#"
    def main()
      size mode 0 of A = 3
      size mode 1 of A = 4
      tensor A: double [mode 0 of A, mode 1 of A] (0 : D, 1 : CU) I32
      tensor B: double [mode 0 of A, mode 1 of A] (0 : D, 1 : D) I32
      random A density 1 seed 0
      write A "a.tns"
      read B comet_read("a.tns") All
    "#);
}

/// Guards the rank of such a file.
#[test]
fn a_file_of_another_rank() {
    assert_snapshot!(errors_in(
        r#"
  Tensor<double> A([3, 4], CSR); Tensor<double> B([?], Dense);
  A[i,j] = random();
  comet_write(A[i,j], "a.tns");
  B[i] = comet_read("a.tns");
"#
    ), @r#"
    error: `B` has rank 1, but the file was written from rank 2
     --> a.ta:5:10
      |
    2 |   Tensor<double> A([3, 4], CSR); Tensor<double> B([?], Dense);
      |   ----------------------------- the tensor written is declared here
    ...
    5 |   B[i] = comet_read("a.tns");
      |          ^^^^^^^^^^^^^^^^^^^
      |
      = help: read it into a tensor of the same rank
    "#);
}

/// Guards both places of a contradiction.
#[test]
fn conflict_of_labels() {
    assert_snapshot!(errors_in(
        r"
  IndexLabel [i] = [8]; IndexLabel [j] = [16];
  Tensor<double> A([i], Dense); Tensor<double> B([j], Dense);
  A[i] = B[i];
"
    ), @r"
    error: label `i` has size 8, but mode 0 of `B` has size 16
     --> a.ta:4:12
      |
    2 |   IndexLabel [i] = [8]; IndexLabel [j] = [16];
      |                    ---                   ---- size 16 is stated here
      |                    |
      |                    size 8 is stated here
    3 |   Tensor<double> A([i], Dense); Tensor<double> B([j], Dense);
    4 |   A[i] = B[i];
      |            ^ one size is needed here
      |
      = help: a label has one size in a function; use another label, or make the two sizes equal
    ");
}

/// Guards static dimensions.
#[test]
fn conflict_with_a_number() {
    assert_snapshot!(errors_in(
        r"
  IndexLabel [i] = [?];
  Tensor<double> A([4], Dense); Tensor<double> B([5], Dense);
  B[i] = 1; A[i] = 2; A[i] = B[i]; B[i] = A[i];
"
    ), @r"
    error: label `i` has size 4, but mode 0 of `B` has size 5
     --> a.ta:4:32
      |
    3 |   Tensor<double> A([4], Dense); Tensor<double> B([5], Dense);
      |                     - size 4 is stated here       - size 5 is stated here
    4 |   B[i] = 1; A[i] = 2; A[i] = B[i]; B[i] = A[i];
      |                                ^ one size is needed here
      |
      = help: a label has one size in a function; use another label, or make the two sizes equal
    ");
}

/// Guards the extents of literals.
#[test]
fn conflict_with_an_array() {
    assert_snapshot!(errors_in(
        r"
  Tensor<double> A([4], Dense);
  A[i] = [1, 2, 3];
"
    ), @r"
    error: mode 0 of `A` has size 4 and size 3
     --> a.ta:3:10
      |
    2 |   Tensor<double> A([4], Dense);
      |                     - size 4 is stated here
    3 |   A[i] = [1, 2, 3];
      |          ^^^^^^^^^
      |          |
      |          one size is needed here
      |          size 3 is stated here
      |
      = help: a label has one size in a function; use another label, or make the two sizes equal
    ");
}

/// Guards that masks take part.
#[test]
fn conflict_through_a_mask() {
    assert_snapshot!(errors_in(
        r"
  IndexLabel [i] = [4]; IndexLabel [j] = [5];
  Tensor<double> A([i], Dense); Tensor<int> M([j], SparseVector);
  M[j] = random(); A[i]<M> = 1;
"
    ), @r"
    error: label `i` has size 4, but mode 0 of `M` has size 5
     --> a.ta:4:24
      |
    2 |   IndexLabel [i] = [4]; IndexLabel [j] = [5];
      |                    ---                   --- size 5 is stated here
      |                    |
      |                    size 4 is stated here
    3 |   Tensor<double> A([i], Dense); Tensor<int> M([j], SparseVector);
    4 |   M[j] = random(); A[i]<M> = 1;
      |                        ^^^ one size is needed here
      |
      = help: a label has one size in a function; use another label, or make the two sizes equal
    ");
}

/// Guards sizes that nothing gives, reported once for each class.
#[test]
fn never_fixed() {
    assert_snapshot!(errors_in(
        r"
  IndexLabel [i, j] = [?];
  Tensor<double> A([i, j], Dense); Tensor<double> B([i, ?], Dense);
  A[i,j] = 1; B[i,k] = 1;
"
    ), @r"
    error: the size of label `i` is never fixed
     --> a.ta:2:15
      |
    2 |   IndexLabel [i, j] = [?];
      |               ^
    3 |   Tensor<double> A([i, j], Dense); Tensor<double> B([i, ?], Dense);
      |                     - mode 0 of `A` needs it
      |
      = help: give it a size, `IndexLabel [i] = [8]`, or let a tensor have it whose size is declared or read

    error: the size of label `j` is never fixed
     --> a.ta:2:18
      |
    2 |   IndexLabel [i, j] = [?];
      |                  ^
    3 |   Tensor<double> A([i, j], Dense); Tensor<double> B([i, ?], Dense);
      |                        - mode 1 of `A` needs it
      |
      = help: give it a size, `IndexLabel [j] = [8]`, or let a tensor have it whose size is declared or read

    error: the size of mode 1 of `B` is never fixed
     --> a.ta:3:57
      |
    3 |   Tensor<double> A([i, j], Dense); Tensor<double> B([i, ?], Dense);
      |                                                         ^
      |
      = help: write a number or a label instead of `?`, or read a file into `B`
    ");
}

/// Guards that a size is not called open where the statement that fixes it has an error.
#[test]
fn an_error_hides_no_size() {
    assert_snapshot!(errors_in(
        r"
  IndexLabel [i, j] = [?];
  Tensor<double> A([i, j], Dense);
  A[i,j] = comet_read(0, 7);
"
    ), @r"
    error: the mode of a read is a number from 1 to 5
     --> a.ta:4:26
      |
    4 |   A[i,j] = comet_read(0, 7);
      |                          ^
      |
      = help: 1 is all, 2 strictly lower, 3 lower, 4 strictly upper, 5 upper triangle
    ");
}

/// Guards ranges that end before they begin.
#[test]
fn wrong_range() {
    assert_snapshot!(errors_in(
        r"
  IndexLabel [i] = [8:2]; IndexLabel [j] = [0:4:0]; IndexLabel [k] = [1.5];
  Tensor<double> A([i, j, k], Dense); A[i,j,k] = 1;
"
    ), @r"
    error: a range is a size, or whole numbers `lo:hi:step` with `lo` up to `hi` and a step of 1 or more
     --> a.ta:2:20
      |
    2 |   IndexLabel [i] = [8:2]; IndexLabel [j] = [0:4:0]; IndexLabel [k] = [1.5];
      |                    ^^^^^
      |
      = help: write for example `[8]`, `[0:8]`, `[0:8:2]` or `[?]`

    error: a range is a size, or whole numbers `lo:hi:step` with `lo` up to `hi` and a step of 1 or more
     --> a.ta:2:44
      |
    2 |   IndexLabel [i] = [8:2]; IndexLabel [j] = [0:4:0]; IndexLabel [k] = [1.5];
      |                                            ^^^^^^^
      |
      = help: write for example `[8]`, `[0:8]`, `[0:8:2]` or `[?]`

    error: a range is a size, or whole numbers `lo:hi:step` with `lo` up to `hi` and a step of 1 or more
     --> a.ta:2:70
      |
    2 |   IndexLabel [i] = [8:2]; IndexLabel [j] = [0:4:0]; IndexLabel [k] = [1.5];
      |                                                                      ^^^^^
      |
      = help: write for example `[8]`, `[0:8]`, `[0:8:2]` or `[?]`
    ");
}

/// Guards dimensions that are no whole numbers.
#[test]
fn wrong_dimension() {
    assert_snapshot!(errors_in("Tensor<double> A([1.5], Dense); A[i] = 1;"), @r"
    error: a dimension is a whole number, found 1.5
     --> a.ta:2:19
      |
    2 | Tensor<double> A([1.5], Dense); A[i] = 1;
      |                   ^^^
      |
      = help: write a label, a whole number or `?`
    ");
}

/// Guards the result of a kernel that nothing sizes.
#[test]
fn result_without_a_size() {
    assert_snapshot!(errors("def f() -> Tensor<double> y([i], Dense) { y[i] = 1; }"), @r"
    error: the size of label `i` is never fixed
     --> a.ta:1:30
      |
    1 | def f() -> Tensor<double> y([i], Dense) { y[i] = 1; }
      |                              ^
      |
      = help: give it a size, `IndexLabel [i] = [8]`, or let a tensor have it whose size is declared or read
    ");
}

/// Guards that messages about slices without labels show them as they are written.
#[test]
fn slices_of_different_sizes() {
    assert_snapshot!(errors(
        r"
def main() {
  IndexLabel [i, j] = [6];
  Tensor<double> A([i, j], Dense); Tensor<double> B([2, j], Dense); Tensor<double> C([?, j], Dense);
  B[:,j] = A[0:3,j];
  B[i in 0:2,j] = A[i in 0:3,j];
  C[:,j] = A[i,j];
}
"
    ), @r"
    error: the size of mode 0 of `C` is never fixed
     --> a.ta:4:87
      |
    4 |   Tensor<double> A([i, j], Dense); Tensor<double> B([2, j], Dense); Tensor<double> C([?, j], Dense);
      |                                                                                       ^
      |
      = help: write a number or a label instead of `?`, or read a file into `C`

    error: the slice `:` of `B` has size 2, but the slice `0:3` of `A` has size 3
     --> a.ta:5:12
      |
    4 |   Tensor<double> A([i, j], Dense); Tensor<double> B([2, j], Dense); Tensor<double> C([?, j], Dense);
      |                                                      - size 2 is stated here
    5 |   B[:,j] = A[0:3,j];
      |            ^^---^^^
      |            | |
      |            | size 3 is stated here
      |            one size is needed here
      |
      = help: slices that are computed together have one size; make the two sizes equal

    error: label `i` has size 6, but the slice `i in 0:2` of `B` has size 2
     --> a.ta:6:3
      |
    3 |   IndexLabel [i, j] = [6];
      |                       --- size 6 is stated here
    ...
    6 |   B[i in 0:2,j] = A[i in 0:3,j];
      |   ^^--------^^^
      |   | |
      |   | size 2 is stated here
      |   one size is needed here
      |
      = help: a label has the size of its slices; use another label, or make the two sizes equal

    error: label `i` has size 6, but the slice `i in 0:3` of `A` has size 3
     --> a.ta:6:19
      |
    3 |   IndexLabel [i, j] = [6];
      |                       --- size 6 is stated here
    ...
    6 |   B[i in 0:2,j] = A[i in 0:3,j];
      |                   ^^--------^^^
      |                   | |
      |                   | size 3 is stated here
      |                   one size is needed here
      |
      = help: a label has the size of its slices; use another label, or make the two sizes equal
    ");
}
