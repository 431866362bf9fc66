//! Names: declared once, before their use, used as what they are.

use insta::assert_snapshot;

use crate::{errors, errors_in, statements};

/// Guards the hint for a misspelt tensor, and that one name is reported once.
#[test]
fn undeclared_tensor() {
    assert_snapshot!(errors_in(
        r"
  IndexLabel [i] = [4]; Tensor<double> result([i], Dense);
  result[i] = 1; resutl[i] = result[i]; resutl[i] = 2;
"
    ), @r"
    error: undeclared tensor `resutl`
     --> a.ta:3:18
      |
    3 |   result[i] = 1; resutl[i] = result[i]; resutl[i] = 2;
      |                  ^^^^^^
      |
      = help: did you mean `result`?
    ");
}

/// Guards labels in expressions.
#[test]
fn undeclared_label() {
    assert_snapshot!(errors_in(
        r"
  IndexLabel [i, j, k] = [4]; Tensor<double> A([i, j], CSR); Tensor<double> x([j], Dense); Tensor<double> y([i], Dense);
  y[i] = A[i,row] * x[row];
"
    ), @r"
    error: undeclared label `row`
     --> a.ta:3:14
      |
    3 |   y[i] = A[i,row] * x[row];
      |              ^^^
      |
      = help: declare it: `IndexLabel [row] = [?]`
    ");
}

/// Guards labels in declarations.
#[test]
fn undeclared_label_in_a_declaration() {
    assert_snapshot!(errors_in("Tensor<double> A([i], Dense);"), @r"
    error: undeclared label `i`
     --> a.ta:2:19
      |
    2 | Tensor<double> A([i], Dense);
      |                   ^
      |
      = help: declare it: `IndexLabel [i] = [?]`
    ");
}

/// Guards scalars in scalar expressions.
#[test]
fn undeclared_scalar() {
    assert_snapshot!(errors_in("var total = 1; print(totel); rest = 2;"), @r"
    error: undeclared scalar `totel`
     --> a.ta:2:22
      |
    2 | var total = 1; print(totel); rest = 2;
      |                      ^^^^^
      |
      = help: did you mean `total`?

    error: undeclared scalar `rest`
     --> a.ta:2:30
      |
    2 | var total = 1; print(totel); rest = 2;
      |                              ^^^^
      |
      = help: declare it: `var rest = 0`
    ");
}

/// Guards calls, and that built-ins are suggested.
#[test]
fn undeclared_function() {
    assert_snapshot!(errors_in(
        r"
  IndexLabel [i, j, k] = [4]; Tensor<double> A([i, j], CSR); Tensor<double> x([j], Dense); Tensor<double> y([i], Dense);
  y[i] = comet_raed(0); solve(y);
"
    ), @r"
    error: undeclared function `comet_raed`
     --> a.ta:3:10
      |
    3 |   y[i] = comet_raed(0); solve(y);
      |          ^^^^^^^^^^
      |
      = help: did you mean `comet_read`?

    error: undeclared function `solve`
     --> a.ta:3:25
      |
    3 |   y[i] = comet_raed(0); solve(y);
      |                         ^^^^^
      |
      = help: define it: `def solve(…) { … }`
    ");
}

/// Guards every kind of repetition.
#[test]
fn declared_twice() {
    assert_snapshot!(errors_in(
        r"
  IndexLabel [i, i] = [4];
  Tensor<double> A([i], Dense); Tensor<double> A([i], Dense);
  var s = 1; var s = 2; var A = 3;
"
    ), @r"
    error: label `i` is declared already
     --> a.ta:2:18
      |
    2 |   IndexLabel [i, i] = [4];
      |               -  ^
      |               |
      |               declared here first
      |
      = help: rename one of the two, or remove this one

    error: tensor `A` is declared already
     --> a.ta:3:48
      |
    3 |   Tensor<double> A([i], Dense); Tensor<double> A([i], Dense);
      |                  - declared here first         ^
      |
      = help: rename one of the two, or remove this one

    error: scalar `s` is declared already
     --> a.ta:4:18
      |
    4 |   var s = 1; var s = 2; var A = 3;
      |       -          ^
      |       |
      |       declared here first
      |
      = help: rename one of the two, or remove this one

    error: scalar `A` is declared already, as a tensor
     --> a.ta:4:29
      |
    3 |   Tensor<double> A([i], Dense); Tensor<double> A([i], Dense);
      |                  - declared here first
    4 |   var s = 1; var s = 2; var A = 3;
      |                             ^
      |
      = help: rename one of the two, or remove this one
    ");
}

/// Guards the functions of a file.
#[test]
fn function_twice() {
    assert_snapshot!(errors(
        r"
def f() { }
def f() { }
def main() { }
"
    ), @r"
    error: function `f` is defined twice
     --> a.ta:3:5
      |
    2 | def f() { }
      |     - defined here first
    3 | def f() { }
      |     ^
      |
      = help: rename one of the two
    ");
}

/// Guards the order of declarations.
#[test]
fn used_before_its_declaration() {
    assert_snapshot!(errors_in(
        r"
  y[i] = 1; print(s);
  IndexLabel [i] = [4]; Tensor<double> y([i], Dense);
  var s = 1;
"
    ), @r"
    error: tensor `y` is used before its declaration
     --> a.ta:2:3
      |
    2 |   y[i] = 1; print(s);
      |   ^
    3 |   IndexLabel [i] = [4]; Tensor<double> y([i], Dense);
      |                                        - declared here
      |
      = help: move the declaration up

    error: scalar `s` is used before its declaration
     --> a.ta:2:19
      |
    2 |   y[i] = 1; print(s);
      |                   ^
    3 |   IndexLabel [i] = [4]; Tensor<double> y([i], Dense);
    4 |   var s = 1;
      |       - declared here
      |
      = help: move the declaration up
    ");
}

/// Guards that a scalar ends with its block.
#[test]
fn a_scalar_of_a_block() {
    assert_snapshot!(errors_in(
        r"
  var s = 1;
  if s > 0: var t = 2; end
  print(t);
"
    ), @r"
    error: scalar `t` is not visible here
     --> a.ta:4:9
      |
    3 |   if s > 0: var t = 2; end
      |                 - declared inside a block, which has ended
    4 |   print(t);
      |         ^
      |
      = help: declare it before the block and assign it inside
    ");
}

/// Guards what is said of a name that is something else.
#[test]
fn wrong_kinds() {
    assert_snapshot!(errors_in(
        r"
  IndexLabel [i, j, k] = [4]; Tensor<double> A([i, j], CSR); Tensor<double> x([j], Dense); Tensor<double> y([i], Dense);
  var s = 1;
  y[i] = x; y[i] = s[i]; print(x + 1); y[i] = i * x[i]; y[s] = x[s]; x = 1;
"
    ), @r"
    error: tensor `x` stands without labels
     --> a.ta:4:10
      |
    4 |   y[i] = x; y[i] = s[i]; print(x + 1); y[i] = i * x[i]; y[s] = x[s]; x = 1;
      |          ^
      |
      = help: say which elements are meant: `x[…]`

    error: expected a tensor, found the scalar `s`
     --> a.ta:4:20
      |
    3 |   var s = 1;
      |       - declared here
    4 |   y[i] = x; y[i] = s[i]; print(x + 1); y[i] = i * x[i]; y[s] = x[s]; x = 1;
      |                    ^
      |
      = help: a scalar has no labels: write `s`

    error: expected a scalar, found the tensor `x`
     --> a.ta:4:32
      |
    2 |   IndexLabel [i, j, k] = [4]; Tensor<double> A([i, j], CSR); Tensor<double> x([j], Dense); Tensor<double> y([i], Dense);
      |                                                                             - declared here
    3 |   var s = 1;
    4 |   y[i] = x; y[i] = s[i]; print(x + 1); y[i] = i * x[i]; y[s] = x[s]; x = 1;
      |                                ^
      |
      = help: in a scalar expression, reduce it: `SUM(x[…])`

    error: expected a scalar, found the label `i`
     --> a.ta:4:47
      |
    2 |   IndexLabel [i, j, k] = [4]; Tensor<double> A([i, j], CSR); Tensor<double> x([j], Dense); Tensor<double> y([i], Dense);
      |               - declared here
    3 |   var s = 1;
    4 |   y[i] = x; y[i] = s[i]; print(x + 1); y[i] = i * x[i]; y[s] = x[s]; x = 1;
      |                                               ^
      |
      = help: a label has no value; it only says which elements are meant

    error: `x` is a tensor, expected a scalar on the left of `=`
     --> a.ta:4:70
      |
    4 |   y[i] = x; y[i] = s[i]; print(x + 1); y[i] = i * x[i]; y[s] = x[s]; x = 1;
      |                                                                      ^
      |
      = help: give it its labels: `x[…] = …`
    ");
}

/// Guards that labels have a name space of their own.
#[test]
fn a_label_and_a_scalar_of_one_name() {
    assert_snapshot!(statements(
        r"
  IndexLabel [i] = [4]; Tensor<double> y([i], Dense);
  for i in range(3): y[i] = y[i] * i; end
"
    ), @r"
    for i in 0, 3, 1
      y[i] = (y[i] * i)
    ");
}

/// Guards that words of other languages lead to those of this one.
#[test]
fn words_of_other_languages() {
    let found = errors_in(
        r"
  IndexLabel [i] = [4]; Tensor<double> x([i], Dense); x[i] = read(0); var b = true; Indexlabel [j] = [8];
",
    );
    for hint in ["did you mean `comet_read`?", "whatever is not 0 is true", "did you mean `IndexLabel`?"] {
        assert!(found.contains(hint), "{hint}:\n{found}");
    }
}
