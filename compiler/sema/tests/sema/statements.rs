//! Updates of scalars, `elif`, `break` and `continue`, `print` in a line.

use insta::assert_snapshot;

use crate::{errors_in, statements};

/// Guards that an update is the operator around the whole right-hand side, and widens its scalar.
#[test]
fn updates() {
    assert_snapshot!(statements("var s = 1; s += 2 - s; s /= 2.0; print(s);"), @r"
    s = 1
    s = (s + (2 - s))
    s = (s / 2.0)
    print scalar s
    ");
    assert_snapshot!(
        errors_in(
            "Tensor<double> A([2], Dense); Tensor<double> r([], Dense); A[i] = 1; r[] = 1;\n\
             u += 1;\nA *= 2;\nr += 1;"
        ),
        @r"
    error: undeclared scalar `u`
     --> a.ta:3:1
      |
    3 | u += 1;
      | ^
      |
      = help: declare it: `var u = 0`

    error: `A` is a tensor, expected a scalar on the left of `*=`
     --> a.ta:4:1
      |
    4 | A *= 2;
      | ^
      |
      = help: give it its labels: `A[…] = …`

    error: `r` is a tensor, expected a scalar on the left of `+=`
     --> a.ta:5:1
      |
    5 | r += 1;
      | ^
      |
      = help: the element of a tensor of rank 0 is written with brackets: `r[] += …`
    "
    );
}

/// Guards that an `elif` is an `if` in the `else` before it, with what its condition needs.
#[test]
fn conditions() {
    assert_snapshot!(
        statements(
            "IndexLabel [i, j] = [2]; Tensor<double> x([2], Dense); x[i] = 1; var s = 0;
             if s: s = 1; elif SUM(x[i] * SUM(x[j])) > 1: s = 2; elif s > 2: else: s = 3; end;"
        ),
        @r"
    fill x 1
    s = 0
    if s
      s = 1
    else
      $1 = reduction(Σ{j} x[j])
      if (reduction(Σ{i} (x[i] * $1)) > 1)
        s = 2
      else
        if (s > 2)
        else
          s = 3
    "
    );
}

/// Guards that jumps stand in a loop.
#[test]
fn jumps() {
    assert_snapshot!(statements("for n in range(2): if n: break; else: continue; end; end;"), @r"
    for n in 0, 2, 1
      if n
        break
      else
        continue
    ");
    assert_snapshot!(errors_in("break;\nwhile 1: break; end;\nif 1: continue; end;"), @r"
    error: `break` stands outside of a loop
     --> a.ta:2:1
      |
    2 | break;
      | ^^^^^
      |
      = help: write it in a `for` or a `while`; `return` ends the function

    error: `continue` stands outside of a loop
     --> a.ta:4:7
      |
    4 | if 1: continue; end;
      |       ^^^^^^^^
      |
      = help: write it in a `for` or a `while`; `return` ends the function
    ");
}

/// Guards the items of a line.
#[test]
fn printed_lines() {
    assert_snapshot!(
        statements(
            "Tensor<double> x([2], Dense); Tensor<double> r([], Dense); x[i] = 1; r[] = 2; var s = 3;
             print(\"a\"); print(s, \"b c\", s + 1, x, r, x[k]); print(r); print(s);"
        ),
        @r#"
    fill x 1
    fill r 2
    s = 3
    print line "a"
    print line s, "b c", (s + 1), x, r[], x
    print tensor r
    print scalar s
    "#
    );
    assert_snapshot!(errors_in("Tensor<double> x([2], Dense); x[i] = 1;\nprint();\nprint(\"a\", u, x[i,j], x[i] * 2);"), @r#"
    error: `print` takes at least 1 argument, found 0
     --> a.ta:3:1
      |
    3 | print();
      | ^^^^^
      |
      = help: write `print(A)` or `print("text")`

    error: undeclared scalar `u`
     --> a.ta:4:12
      |
    4 | print("a", u, x[i,j], x[i] * 2);
      |            ^
      |
      = help: declare it: `var u = 0`

    error: `x` has 1 mode, found 2 labels
     --> a.ta:4:15
      |
    2 | Tensor<double> x([2], Dense); x[i] = 1;
      | ---------------------------- declared here
    3 | print();
    4 | print("a", u, x[i,j], x[i] * 2);
      |               ^^^^^^
      |
      = help: write one label for each mode, in the order of the declaration

    error: found a tensor expression, expected a scalar expression
     --> a.ta:4:23
      |
    4 | print("a", u, x[i,j], x[i] * 2);
      |                       ^^^^^^^^
      |
      = help: reduce it: `SUM(x[i] * 2)`
    "#);
}
