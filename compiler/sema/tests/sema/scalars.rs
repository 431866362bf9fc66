//! Scalars, control flow, effects.

use insta::assert_snapshot;

use crate::{checked, errors, errors_in};

/// Guards the types of scalars: the widest of their values, comparisons `int`.
#[test]
fn types() {
    assert_snapshot!(checked(
        r"
def main() {
  Tensor<float> f([3], Dense); Tensor<int> n([3], Dense); f[i] = 1; n[i] = 2;
  IndexLabel [i] = [?];
  var a = 1; var b = 2.0; var c = SUM(f[i]); var d = SUM(n[i]); var e = c < b; var g = c & d; var h = c + d;
  var x = 0; var y = 0;
  for r in range(2): y = x; x = x + 0.5; end
  while x < 3: x = x + a; end
  if x == y: print(x); else: print(-y); end
  print(a | 2); return;
}
"
    ), @r"
    def main()
      size i = 3
      tensor f: float [i] (0 : D) I32
      tensor n: int [i] (0 : D) I32
      scalar a: int
      scalar b: double
      scalar c: float prints bare
      scalar d: int prints bare
      scalar e: int
      scalar g: int
      scalar h: float
      scalar x: double
      scalar y: double
      scalar r: int
      fill f 1
      fill n 2
      a = 1
      b = 2.0
      c = reduction(Σ{i} f[i])
      d = reduction(Σ{i} n[i])
      e = (c < b)
      g = (c & d)
      h = (c + d)
      x = 0
      y = 0
      for r in 0, 2, 1
        y = x
        x = (x + 0.5)
      while (x < 3)
        x = (x + a)
      if (x == y)
        print scalar x
      else
        print scalar -y
      print scalar (a | 2)
      return
    ");
}

/// Guards the bounds of `range`.
#[test]
fn loops() {
    assert_snapshot!(errors_in(
        r"
  var s = 1.5;
  for r in range(s): r = 2.5; end
  for r in range(1, 5, 0): print(r); end
  for r in range(t): print(r); end
"
    ), @r"
    error: a bound of `range` is an `int`, found a `double`
     --> a.ta:3:18
      |
    3 |   for r in range(s): r = 2.5; end
      |                  ^
      |
      = help: leave out the fraction, or count in a `while` loop

    error: `r`, the variable of a `for`, is an `int`, found a `double`
     --> a.ta:3:26
      |
    3 |   for r in range(s): r = 2.5; end
      |       - declared here    ^^^
      |
      = help: give the value to a `var` of its own

    error: the step of `range` is 0, which never reaches the end
     --> a.ta:4:24
      |
    4 |   for r in range(1, 5, 0): print(r); end
      |                        ^
      |
      = help: step by 1 or more, or by -1

    error: undeclared scalar `t`
     --> a.ta:5:18
      |
    5 |   for r in range(t): print(r); end
      |                  ^
      |
      = help: declare it: `var t = 0`
    ");
}

/// Guards that a monoid which is added up into a scalar, where a reduction was meant, is refused.
#[test]
fn summed_monoids() {
    assert_snapshot!(errors_in(
        r"
  IndexLabel [i, j] = [4]; Tensor<double> A([i, j], CSR); Tensor<double> s([], Dense); var n = 2;
  s[] = A[i,j] @(max) 0;
  s[] += s[] @(min) A[i,j] + 1;
  s[] = A[i,j] @(*) 1;
  print(SUM(A[i,j] @(any) A[i,j]));
  print(MAX(A[i,j], 1));
  s[] = max(A[i,j]);
"
    ), @r"
    error: `@(max)` combines two operands, and the values are added up
     --> a.ta:3:9
      |
    3 |   s[] = A[i,j] @(max) 0;
      |         ^^^^^^^^^^^^^^^
      |
      = help: the maximum is `MAX(A[i,j])`; a sum is written `SUM(A[i,j] @(max) 0)`

    error: `@(min)` combines two operands, and the values are added up
     --> a.ta:4:10
      |
    4 |   s[] += s[] @(min) A[i,j] + 1;
      |          ^^^^^^^^^^^^^^^^^
      |
      = help: the minimum is `MIN(A[i,j])`; a sum is written `SUM(s[] @(min) A[i,j])`

    error: `@(*)` changes nothing here, and the values are added up
     --> a.ta:5:9
      |
    5 |   s[] = A[i,j] @(*) 1;
      |         ^^^^^^^^^^^^^
      |
      = help: to reduce by `*`, write `A[i,j] @(*,first) 1`; a sum is written `SUM(A[i,j])`

    error: `@(any)` changes nothing here, and the values are added up
     --> a.ta:6:13
      |
    6 |   print(SUM(A[i,j] @(any) A[i,j]));
      |             ^^^^^^^^^^^^^^^^^^^^
      |
      = help: to reduce by `any`, write `A[i,j] @(any,first) 1`; a sum is written `SUM(A[i,j])`

    error: `MAX` takes 1 argument, found 2
     --> a.ta:7:9
      |
    7 |   print(MAX(A[i,j], 1));
      |         ^^^
      |
      = help: write `MAX(A[i, j])`

    error: `max` takes 2 arguments, found 1
     --> a.ta:8:9
      |
    8 |   s[] = max(A[i,j]);
      |         ^^^
      |
      = help: write `max(x, y)`, or `MAX(A[i,j])` for all elements
    ");
}

/// Guards what is accepted beside monoids that look like reductions: an explicit `SUM`, two operands, a
/// semiring, a function, and a tensor as the target.
#[test]
fn summed_combinations() {
    for statement in [
        "print(SUM(x[i] @(max) 0));",
        "s[] = max(x[i], 0);",
        "s[] = x[i] @(max) y[i];",
        "s[] = x[i] @(max,first) 1;",
        "s[] = x[i] @(second) 1;",
        "s[] = x[i] @(*) 2;",
        "y[i] = x[i] @(max) 0;",
    ] {
        crate::statements(&format!(
            "IndexLabel [i] = [4]; Tensor<double> x([i], Dense); Tensor<double> y([i], Dense); \
             Tensor<double> s([], Dense); {statement}"
        ));
    }
}

/// Guards what is no scalar.
#[test]
fn scalar_places() {
    assert_snapshot!(errors_in(
        r#"
  IndexLabel [i, j, k] = [4]; Tensor<double> A([i, j], CSR); Tensor<double> x([j], Dense); Tensor<double> y([i], Dense);
  print("text"); var s = A[i,j]; print(A[i,j]); print(transpose(A[i,j], {j,i})); 1 + 2; getTime(); print(x, y);
  var t = SUM(A); var u = print(s); printElapsedTime(s); var w = getTime(1); var v = SUM(A[i,j], 2); print(x[i] @(min) 2);
"#
    ), @r#"
    error: found a tensor, expected a scalar expression
     --> a.ta:3:26
      |
    3 |   print("text"); var s = A[i,j]; print(A[i,j]); print(transpose(A[i,j], {j,i})); 1 + 2; getTime(); print(x, y);
      |                          ^^^^^^
      |
      = help: reduce it: `SUM(A[i,j])`

    error: found a tensor, expected a scalar expression
     --> a.ta:3:55
      |
    3 |   print("text"); var s = A[i,j]; print(A[i,j]); print(transpose(A[i,j], {j,i})); 1 + 2; getTime(); print(x, y);
      |                                                       ^^^^^^^^^^^^^^^^^^^^^^^^
      |
      = help: reduce it with `SUM(…)`

    error: this expression has no effect as a statement
     --> a.ta:3:82
      |
    3 |   print("text"); var s = A[i,j]; print(A[i,j]); print(transpose(A[i,j], {j,i})); 1 + 2; getTime(); print(x, y);
      |                                                                                  ^^^^^
      |
      = help: print it, `print(…)`, or keep it, `var s = …`

    error: this expression has no effect as a statement
     --> a.ta:3:89
      |
    3 |   print("text"); var s = A[i,j]; print(A[i,j]); print(transpose(A[i,j], {j,i})); 1 + 2; getTime(); print(x, y);
      |                                                                                         ^^^^^^^^^
      |
      = help: print it, `print(…)`, or keep it, `var s = …`

    error: tensor `A` stands without labels
     --> a.ta:4:15
      |
    4 |   var t = SUM(A); var u = print(s); printElapsedTime(s); var w = getTime(1); var v = SUM(A[i,j], 2); print(x[i] @(min) 2);
      |               ^
      |
      = help: say which elements are meant: `A[…]`

    error: `print` has no value, expected a scalar expression
     --> a.ta:4:27
      |
    4 |   var t = SUM(A); var u = print(s); printElapsedTime(s); var w = getTime(1); var v = SUM(A[i,j], 2); print(x[i] @(min) 2);
      |                           ^^^^^^^^
      |
      = help: write `print` as a statement of its own

    error: `printElapsedTime` takes 2 arguments, found 1
     --> a.ta:4:37
      |
    4 |   var t = SUM(A); var u = print(s); printElapsedTime(s); var w = getTime(1); var v = SUM(A[i,j], 2); print(x[i] @(min) 2);
      |                                     ^^^^^^^^^^^^^^^^
      |
      = help: write `printElapsedTime(start, stop)`

    error: `getTime` takes no arguments, found 1
     --> a.ta:4:66
      |
    4 |   var t = SUM(A); var u = print(s); printElapsedTime(s); var w = getTime(1); var v = SUM(A[i,j], 2); print(x[i] @(min) 2);
      |                                                                  ^^^^^^^
      |
      = help: write `getTime()`

    error: `SUM` takes 1 argument, found 2
     --> a.ta:4:86
      |
    4 |   var t = SUM(A); var u = print(s); printElapsedTime(s); var w = getTime(1); var v = SUM(A[i,j], 2); print(x[i] @(min) 2);
      |                                                                                      ^^^
      |
      = help: write `SUM(A[i, j])`

    error: found a tensor, expected a scalar expression
     --> a.ta:4:108
      |
    4 |   var t = SUM(A); var u = print(s); printElapsedTime(s); var w = getTime(1); var v = SUM(A[i,j], 2); print(x[i] @(min) 2);
      |                                                                                                            ^^^^
      |
      = help: reduce it: `SUM(x[i])`
    "#);
}

/// Guards that a scalar has a value before it is used.
#[test]
fn an_unassigned_result() {
    assert_snapshot!(errors("def f() -> double s { print(s); s = 1; }"), @r"
    error: scalar `s` is used before it has a value
     --> a.ta:1:29
      |
    1 | def f() -> double s { print(s); s = 1; }
      |            --------         ^
      |            |
      |            declared here
      |
      = help: assign it first: `s = 0`
    ");
}

/// Guards that uses of a scalar with an error report nothing more.
#[test]
fn a_variable_with_an_error() {
    assert_snapshot!(errors_in("var s = t; for r in range(s): print(s); end"), @r"
    error: undeclared scalar `t`
     --> a.ta:2:9
      |
    2 | var s = t; for r in range(s): print(s); end
      |         ^
      |
      = help: declare it: `var t = 0`
    ");
}

/// Guards that a product of tensors without `SUM` is one error.
#[test]
fn a_tensor_expression() {
    assert_snapshot!(errors_in(
        r"
  IndexLabel [i] = [4]; Tensor<double> x([i], Dense); x[i] = 1; var t = 1;
  var s = x[i] * x[i] + 1; x = x * t; if t < x[i]: print(t); end
"
    ), @r"
    error: found a tensor expression, expected a scalar expression
     --> a.ta:3:11
      |
    3 |   var s = x[i] * x[i] + 1; x = x * t; if t < x[i]: print(t); end
      |           ^^^^^^^^^^^^^^^
      |
      = help: reduce it: `SUM(x[i] * x[i] + 1)`

    error: `x` is a tensor, expected a scalar on the left of `=`
     --> a.ta:3:28
      |
    3 |   var s = x[i] * x[i] + 1; x = x * t; if t < x[i]: print(t); end
      |                            ^
      |
      = help: give it its labels: `x[…] = …`

    error: found a tensor, expected a scalar expression
     --> a.ta:3:46
      |
    3 |   var s = x[i] * x[i] + 1; x = x * t; if t < x[i]: print(t); end
      |                                              ^^^^
      |
      = help: reduce it: `SUM(x[i])`
    ");
}

/// Guards that each branch has scalars of its own.
#[test]
fn scalars_of_branches() {
    assert_snapshot!(checked(
        r"
def main() {
  if 1: var t = 2; print(t); else: var t = 0.5; print(t); end
}
"
    ), @r"
    def main()
      scalar t: int
      scalar t: double
      if 1
        t = 2
        print scalar t
      else
        t = 0.5
        print scalar t
    ");
}

/// Guards that a tensor of rank 0 without its brackets gets the hint to take them, not to be reduced,
/// wherever it stands.
#[test]
fn rank_0_without_brackets() {
    let hints = |statement: &str| -> Vec<String> {
        let declarations =
            "IndexLabel [i] = [4]; Tensor<double> s([], Dense); Tensor<double> x([i], Dense); s[] = 2;";
        let errors = errors_in(&format!("{declarations} x[i] = 1; {statement}"));
        errors.lines().filter_map(|line| Some(line.split_once("help: ")?.1.to_owned())).collect()
    };
    let written =
        |how: &str| [format!("the element of a tensor of rank 0 is written with brackets: `{how}`")];
    for statement in [
        "print(s + 1);",
        "var t = 2 * s;",
        "var t = -s;",
        "if s > 1: print(x); end;",
        "for k in range(0, s): print(x); end;",
        "x[i] = s * x[i];",
        "s[] = s;",
        "var t = SUM(s);",
    ] {
        assert_eq!(hints(statement), written("s[]"), "{statement}");
    }
    assert_eq!(hints("s = 1;"), written("s[] = …"));
    assert_eq!(hints("print(x + 1);"), ["in a scalar expression, reduce it: `SUM(x[…])`"]);
}
