//! Calls of functions of the file.

use insta::assert_snapshot;

use crate::{checked, errors};

/// Guards calls as statements, in scalar expressions and as whole right-hand sides, and their sizes.
#[test]
fn all_forms() {
    assert_snapshot!(checked(
        r"
def spmv(Tensor<double> A([i, j], CSR), Tensor<double> x([j], Dense)) -> Tensor<double> y([i], Dense) { y[i] = A[i,j] * x[j]; }
def norm(Tensor<double> x([i], Dense), double p) -> double s { s = SUM(x[i]) * p; }

def main() {
  IndexLabel [r] = [?];
  Tensor<double> B([8, ?], CSR); Tensor<double> u([?], Dense); Tensor<double> v([?], Dense);
  B[i,j] = comet_read(0); u[i] = 1;
  v[r] = spmv(B, u);
  v[r] = v[r] * norm(v, 2);
  var s = norm(u, 1.5) + 1;
  spmv(B, u); norm(v, s);
}
"
    ), @r"
    def spmv(A, x) -> y
      size i = A mode 0
      size j = A mode 1, x mode 0
      tensor A: double [i, j] (0 : D, 1 : CU) I32
      tensor x: double [j] (0 : D) I32
      tensor y: double [i] (0 : D) I32
      y[i] = Σ{j} (A[i,j] * x[j])
    def norm(x, p) -> s
      size i = x mode 0
      tensor x: double [i] (0 : D) I32
      scalar p: double
      scalar s: double
      s = (reduction(Σ{i} x[i]) * p)
    def main()
      size r = 8, B mode 0 from comet_read(0)
      size mode 1 of B = B mode 1 from comet_read(0)
      tensor B: double [r, mode 1 of B] (0 : D, 1 : CU) I32
      tensor u: double [mode 1 of B] (0 : D) I32
      tensor v: double [r] (0 : D) I32
      scalar $0: double
      scalar s: double
      read B comet_read(0) All
      fill u 1
      v = call spmv(B, u)
      $0 = norm(v, 2)
      v[r] = (v[r] * $0)
      s = (norm(u, 1.5) + 1)
      call spmv(B, u)
      call norm(v, s)
    ");
}

/// Guards rank, element, format, kind and number of arguments.
#[test]
fn mismatches() {
    assert_snapshot!(errors(
        r"
def spmv(Tensor<double> A([i, j], CSR), Tensor<double> x([j], Dense)) -> Tensor<double> y([i], Dense) { y[i] = A[i,j] * x[j]; }
def norm(Tensor<double> x([i], Dense), double p) -> double s { s = SUM(x[i]) * p; }

def main() {
  IndexLabel [r, c] = [4]; Tensor<double> B([r, c], CSC); Tensor<double> u([r], Dense); Tensor<float> f([r], Dense); Tensor<double> D([r, c], CSR);
  u[r] = spmv(B, u); u[r] = spmv(u, u); f[r] = spmv(D, u); u[r] = spmv(D, f); u[r] = spmv(D);
  u[r] = spmv(D[r,c], 2); var s = norm(u, u) + spmv(D, u); s = norm(s, 1); u[r] = spmv(D, spmv(D, u));
}
"
    ), @r"
    error: `B` and the parameter `A` have different formats
     --> a.ta:7:15
      |
    2 | def spmv(Tensor<double> A([i, j], CSR), Tensor<double> x([j], Dense)) -> Tensor<double> y([i], Dense) { y[i] = A[i,j] * x[j]; }
      |          ----------------------------- the parameter `A` is declared here
    ...
    6 |   IndexLabel [r, c] = [4]; Tensor<double> B([r, c], CSC); Tensor<double> u([r], Dense); Tensor<float> f([r], Dense); Tensor<double> D...
      |                            ----------------------------- `B` is declared here
    7 |   u[r] = spmv(B, u); u[r] = spmv(u, u); f[r] = spmv(D, u); u[r] = spmv(D, f); u[r] = spmv(D);
      |               ^
      |
      = help: copy `B` into a tensor declared like the parameter `A`, and use that

    error: `u` has rank 1, but the parameter `A` has rank 2
     --> a.ta:7:34
      |
    2 | def spmv(Tensor<double> A([i, j], CSR), Tensor<double> x([j], Dense)) -> Tensor<double> y([i], Dense) { y[i] = A[i,j] * x[j]; }
      |          ----------------------------- the parameter `A` is declared here
    ...
    6 |   IndexLabel [r, c] = [4]; Tensor<double> B([r, c], CSC); Tensor<double> u([r], Dense); Tensor<float> f([r], Dense); Tensor<double> D...
      |                                                           ---------------------------- `u` is declared here
    7 |   u[r] = spmv(B, u); u[r] = spmv(u, u); f[r] = spmv(D, u); u[r] = spmv(D, f); u[r] = spmv(D);
      |                                  ^
      |
      = help: use a tensor of rank 2 here

    error: `f` holds `float`, but the result `y` holds `double`
     --> a.ta:7:48
      |
    2 | ...i, j], CSR), Tensor<double> x([j], Dense)) -> Tensor<double> y([i], Dense) { y[i] = A[i,j] * x[j]; }
      |                                                  ---------------------------- the result `y` is declared here
    ...
    6 | ...Tensor<double> B([r, c], CSC); Tensor<double> u([r], Dense); Tensor<float> f([r], Dense); Tensor<double> D([r, c], CSR);
      |                                                                 --------------------------- `f` is declared here
    7 | ... spmv(u, u); f[r] = spmv(D, u); u[r] = spmv(D, f); u[r] = spmv(D);
      |                        ^^^^
      |
      = help: copy `f` into a tensor declared like the result `y`, and use that

    error: `f` holds `float`, but the parameter `x` holds `double`
     --> a.ta:7:75
      |
    2 | ... A([i, j], CSR), Tensor<double> x([j], Dense)) -> Tensor<double> y([i], Dense) { y[i] = A[i,j] * x[j]; }
      |                     ---------------------------- the parameter `x` is declared here
    ...
    6 | ...4]; Tensor<double> B([r, c], CSC); Tensor<double> u([r], Dense); Tensor<float> f([r], Dense); Tensor<double> D([r, c], CSR);
      |                                                                     --------------------------- `f` is declared here
    7 | ...r] = spmv(u, u); f[r] = spmv(D, u); u[r] = spmv(D, f); u[r] = spmv(D);
      |                                                       ^
      |
      = help: copy `f` into a tensor declared like the parameter `x`, and use that

    error: `spmv` takes 2 arguments, found 1
     --> a.ta:7:86
      |
    2 | def spmv(Tensor<double> A([i, j], CSR), Tensor<double> x([j], Dense)) -> Tensor<double> y([i], Dense) { y[i] = A[i,j] * x[j]; }
      |     ---- defined here
    ...
    7 |   u[r] = spmv(B, u); u[r] = spmv(u, u); f[r] = spmv(D, u); u[r] = spmv(D, f); u[r] = spmv(D);
      |                                                                                      ^^^^
      |
      = help: write `spmv(A, x)`

    error: parameter `A` is a tensor, expected the name of one
     --> a.ta:8:15
      |
    2 | def spmv(Tensor<double> A([i, j], CSR), Tensor<double> x([j], Dense)) -> Tensor<double> y([i], Dense) { y[i] = A[i,j] * x[j]; }
      |          ----------------------------- declared here
    ...
    8 |   u[r] = spmv(D[r,c], 2); var s = norm(u, u) + spmv(D, u); s = norm(s, 1); u[r] = spmv(D, spmv(D, u));
      |               ^^^^^^
      |
      = help: pass it without labels: `D`

    error: parameter `x` is a tensor, expected the name of one
     --> a.ta:8:23
      |
    2 | def spmv(Tensor<double> A([i, j], CSR), Tensor<double> x([j], Dense)) -> Tensor<double> y([i], Dense) { y[i] = A[i,j] * x[j]; }
      |                                         ---------------------------- declared here
    ...
    8 |   u[r] = spmv(D[r,c], 2); var s = norm(u, u) + spmv(D, u); s = norm(s, 1); u[r] = spmv(D, spmv(D, u));
      |                       ^
      |
      = help: compute it into a tensor first, and pass that

    error: expected a scalar, found the tensor `u`
     --> a.ta:8:43
      |
    6 |   IndexLabel [r, c] = [4]; Tensor<double> B([r, c], CSC); Tensor<double> u([r], Dense); Tensor<float> f([r], Dense); Tensor<double> D...
      |                                                                          - declared here
    7 |   u[r] = spmv(B, u); u[r] = spmv(u, u); f[r] = spmv(D, u); u[r] = spmv(D, f); u[r] = spmv(D);
    8 |   u[r] = spmv(D[r,c], 2); var s = norm(u, u) + spmv(D, u); s = norm(s, 1); u[r] = spmv(D, spmv(D, u));
      |                                           ^
      |
      = help: in a scalar expression, reduce it: `SUM(u[…])`

    error: `spmv` returns a tensor, expected a scalar
     --> a.ta:8:48
      |
    2 | def spmv(Tensor<double> A([i, j], CSR), Tensor<double> x([j], Dense)) -> Tensor<double> y([i], Dense) { y[i] = A[i,j] * x[j]; }
      |     ---- defined here
    ...
    8 |   u[r] = spmv(D[r,c], 2); var s = norm(u, u) + spmv(D, u); s = norm(s, 1); u[r] = spmv(D, spmv(D, u));
      |                                                ^^^^
      |
      = help: take a tensor whole: `y[i] = spmv(…)`, and reduce it with `SUM(y[i])`

    error: expected a tensor, found the scalar `s`
     --> a.ta:8:69
      |
    8 |   u[r] = spmv(D[r,c], 2); var s = norm(u, u) + spmv(D, u); s = norm(s, 1); u[r] = spmv(D, spmv(D, u));
      |                               - declared here                       ^
      |
      = help: a scalar has no labels: write `s`
    ");
}

/// Guards where the tensor that a call gives goes when it is an operand or an argument.
#[test]
fn inside_expressions() {
    assert_snapshot!(checked(
        r"
def spmv(Tensor<double> A([i, j], CSR), Tensor<double> x([j], Dense)) -> Tensor<double> y([i], Dense) { y[i] = A[i,j] * x[j]; }

def main() {
  IndexLabel [r, c] = [4]; Tensor<double> u([r], Dense); Tensor<double> D([r, c], CSR);
  u[r] = 2 * spmv(D, spmv(D, u)); u[r] += spmv(D, u);
}
"
    ), @r"
    def spmv(A, x) -> y
      size i = A mode 0
      size j = A mode 1, x mode 0
      tensor A: double [i, j] (0 : D, 1 : CU) I32
      tensor x: double [j] (0 : D) I32
      tensor y: double [i] (0 : D) I32
      y[i] = Σ{j} (A[i,j] * x[j])
    def main()
      size r = 4
      tensor u: double [r] (0 : D) I32
      tensor D: double [r, r] (0 : D, 1 : CU) I32
      tensor spmv.y: double [r] (0 : D) I32
      tensor spmv.y: double [r] (0 : D) I32
      tensor spmv.y: double [r] (0 : D) I32
      spmv.y = call spmv(D, u)
      spmv.y = call spmv(D, spmv.y)
      u[r] = (2 * spmv.y[r])
      spmv.y = call spmv(D, u)
      u[r] += spmv.y[r]
    ");
}

/// Guards that the tensor of a call has the labels of the left-hand side, or none.
#[test]
fn without_labels() {
    assert_snapshot!(errors(
        r"
def spmv(Tensor<double> A([i, j], CSR), Tensor<double> x([j], Dense)) -> Tensor<double> y([i], Dense) { y[i] = A[i,j] * x[j]; }

def main() {
  IndexLabel [r, c] = [4]; Tensor<double> u([r], Dense); Tensor<double> D([r, c], CSR);
  D[r,c] = D[r,c] * spmv(D, u); u[r] = u[r] * SUM(spmv(D, u)); var s = SUM(2 * spmv(D, u));
}
"
    ), @r"
    error: `spmv` gives a tensor of rank 1, but the left-hand side has rank 2
     --> a.ta:6:21
      |
    6 |   D[r,c] = D[r,c] * spmv(D, u); u[r] = u[r] * SUM(spmv(D, u)); var s = SUM(2 * spmv(D, u));
      |                     ^^^^^^^^^^
      |
      = help: take it whole first: `T[…] = spmv(…)`, then use `T[…]`

    error: the tensor that `spmv` gives has no labels here
     --> a.ta:6:51
      |
    6 |   D[r,c] = D[r,c] * spmv(D, u); u[r] = u[r] * SUM(spmv(D, u)); var s = SUM(2 * spmv(D, u));
      |                                                   ^^^^^^^^^^
      |
      = help: take it whole first: `T[…] = spmv(…)`, then use `T[…]`

    error: the tensor that `spmv` gives has no labels here
     --> a.ta:6:80
      |
    6 |   D[r,c] = D[r,c] * spmv(D, u); u[r] = u[r] * SUM(spmv(D, u)); var s = SUM(2 * spmv(D, u));
      |                                                                                ^^^^^^^^^^
      |
      = help: take it whole first: `T[…] = spmv(…)`, then use `T[…]`
    ");
}

/// Guards that sizes equal in the callee are equal in the arguments.
#[test]
fn sizes() {
    assert_snapshot!(errors(
        r"
def spmv(Tensor<double> A([i, j], CSR), Tensor<double> x([j], Dense)) -> Tensor<double> y([i], Dense) { y[i] = A[i,j] * x[j]; }
def norm(Tensor<double> x([i], Dense), double p) -> double s { s = SUM(x[i]) * p; }

def square(Tensor<double> A([4, i], CSR)) { print(A); }
def main() {
  Tensor<double> u([5], Dense); Tensor<double> v([6], Dense); Tensor<double> D([6, 4], CSR);
  v[i] = 1; D[i,j] = random(); IndexLabel [r] = [?];
  v[r] = spmv(D, u); square(D);
}
"
    ), @r"
    error: mode 1 of `D` has size 4, but mode 0 of `u` has size 5
     --> a.ta:9:10
      |
    7 |   Tensor<double> u([5], Dense); Tensor<double> v([6], Dense); Tensor<double> D([6, 4], CSR);
      |                     - size 5 is stated here                                        - size 4 is stated here
    8 |   v[i] = 1; D[i,j] = random(); IndexLabel [r] = [?];
    9 |   v[r] = spmv(D, u); square(D);
      |          ^^^^ one size is needed here
      |
      = help: a label has one size in a function; use another label, or make the two sizes equal

    error: mode 0 of `D` has size 6 and size 4
     --> a.ta:9:22
      |
    5 | def square(Tensor<double> A([4, i], CSR)) { print(A); }
      |                              - size 4 is stated here
    6 | def main() {
    7 |   Tensor<double> u([5], Dense); Tensor<double> v([6], Dense); Tensor<double> D([6, 4], CSR);
      |                                                   - size 6 is stated here
    8 |   v[i] = 1; D[i,j] = random(); IndexLabel [r] = [?];
    9 |   v[r] = spmv(D, u); square(D);
      |                      ^^^^^^ one size is needed here
      |
      = help: a label has one size in a function; use another label, or make the two sizes equal
    ");
}

/// Guards the program from being called.
#[test]
fn call_of_main() {
    assert_snapshot!(errors("def f() { main(); }\ndef main() { f(); main(); }"), @r"
    error: `main` is the program and cannot be called
     --> a.ta:1:11
      |
    1 | def f() { main(); }
      |           ^^^^
      |
      = help: move what is shared into another function

    error: `main` is the program and cannot be called
     --> a.ta:2:19
      |
    2 | def main() { f(); main(); }
      |                   ^^^^
      |
      = help: move what is shared into another function
    ");
}

/// Guards loops of calls.
#[test]
fn recursion() {
    assert_snapshot!(errors(
        r"
def f(double x) -> double s { s = f(x) + g(x); }
def g(double x) -> double s { s = h(x); }
def h(double x) -> double s { s = g(x); }
"
    ), @r"
    error: not supported yet: recursion: `f` calls itself
     --> a.ta:2:35
      |
    2 | def f(double x) -> double s { s = f(x) + g(x); }
      |     - `f` is defined here         ^
      |
      = help: write a loop instead: `for` or `while`

    error: not supported yet: recursion: `g` calls `h`, which leads back to `g`
     --> a.ta:3:35
      |
    3 | def g(double x) -> double s { s = h(x); }
      |                                   ^
    4 | def h(double x) -> double s { s = g(x); }
      |     - `h` is defined here
      |
      = help: write a loop instead: `for` or `while`

    error: not supported yet: recursion: `h` calls `g`, which leads back to `h`
     --> a.ta:4:35
      |
    3 | def g(double x) -> double s { s = h(x); }
      |     - `g` is defined here
    4 | def h(double x) -> double s { s = g(x); }
      |                                   ^
      |
      = help: write a loop instead: `for` or `while`
    ");
}

/// Guards that a function of the file hides a built-in.
#[test]
fn shadowed_builtins() {
    assert_snapshot!(checked(
        r"
def random() -> double s { s = 4; }
def main() { Tensor<double> y([2], Dense); IndexLabel i; y[i] = random(); print(random()); }
"
    ), @r"
    def random() -> s
      scalar s: double
      s = 4
    def main()
      size i = 2
      tensor y: double [i] (0 : D) I32
      scalar $0: double
      $0 = random()
      y[i] = $0
      print scalar random()
    ");
}

/// Guards that an error in a callee is not followed by others in its callers.
#[test]
fn a_callee_with_errors() {
    assert_snapshot!(errors(
        r"
def f(Tensor<double> x([n], Dense)) -> Tensor<double> y([n], Dense) { y[n] = z[n]; }
def main() { IndexLabel i; Tensor<double> a([i], Dense); Tensor<double> b([i], Dense); a[i] = 1; b[i] = f(a); }
"
    ), @r"
    error: undeclared tensor `z`
     --> a.ta:2:78
      |
    2 | def f(Tensor<double> x([n], Dense)) -> Tensor<double> y([n], Dense) { y[n] = z[n]; }
      |                                                                              ^
      |
      = help: declare it: `Tensor<double> z([i, j], Dense)`
    ");
}

/// Guards that a number of the text takes the type of its parameter, and is refused where that cannot store
/// it, also where the function is applied to elements.
#[test]
fn numbers_of_narrow_parameters() {
    assert_snapshot!(errors(
        r"
def f(int8 x) -> int { return 2 * x; }
def g(double x, int8 n) -> double { return x + n; }
def h(double x) -> double { return g(x, -300); }
def main() {
  IndexLabel i; Tensor<double> z([3], Dense); z[i] = 1;
  var w = f(0.5) + f(300.0) + f(1e30) + f(z[0]);
  z[i] = g(z[i], 4.5) + g(z[i], z[i]);
  z[i] = h(z[i]);
}
"
    ), @r"
    error: `n` is `int8`, expected a number from -128 to 127
     --> a.ta:4:41
      |
    3 | def g(double x, int8 n) -> double { return x + n; }
      |                 ------ declared here
    4 | def h(double x) -> double { return g(x, -300); }
      |                                         ^^^^
      |
      = help: write a number in that range, or declare a wider type

    error: parameter `x` is `int8`, expected a whole number
     --> a.ta:7:13
      |
    2 | def f(int8 x) -> int { return 2 * x; }
      |       ------ declared here
    ...
    7 |   var w = f(0.5) + f(300.0) + f(1e30) + f(z[0]);
      |             ^^^
      |
      = help: leave out the fraction, or declare the parameter `double`

    error: `x` is `int8`, expected a number from -128 to 127
     --> a.ta:7:22
      |
    2 | def f(int8 x) -> int { return 2 * x; }
      |       ------ declared here
    ...
    7 |   var w = f(0.5) + f(300.0) + f(1e30) + f(z[0]);
      |                      ^^^^^
      |
      = help: write a number in that range, or declare a wider type

    error: `x` is `int8`, expected a number from -128 to 127
     --> a.ta:7:33
      |
    2 | def f(int8 x) -> int { return 2 * x; }
      |       ------ declared here
    ...
    7 |   var w = f(0.5) + f(300.0) + f(1e30) + f(z[0]);
      |                                 ^^^^
      |
      = help: write a number in that range, or declare a wider type

    error: parameter `x` is `int8`, found a `double`
     --> a.ta:7:43
      |
    2 | def f(int8 x) -> int { return 2 * x; }
      |       ------ declared here
    ...
    7 |   var w = f(0.5) + f(300.0) + f(1e30) + f(z[0]);
      |                                           ^^^^
      |
      = help: declare the parameter `double`, or convert the argument: `int8(…)`

    error: parameter `n` is `int8`, expected a whole number
     --> a.ta:8:18
      |
    3 | def g(double x, int8 n) -> double { return x + n; }
      |                 ------ declared here
    ...
    8 |   z[i] = g(z[i], 4.5) + g(z[i], z[i]);
      |                  ^^^
      |
      = help: leave out the fraction, or declare the parameter `double`

    error: parameter `n` is `int8`, found a `double`
     --> a.ta:8:25
      |
    3 | def g(double x, int8 n) -> double { return x + n; }
      |                 ------ declared here
    ...
    8 |   z[i] = g(z[i], 4.5) + g(z[i], z[i]);
      |                         ^
      |
      = help: declare the parameter `double`, or convert the argument: `int8(…)`
    ");
    assert_snapshot!(checked(
        r"
def f(int8 x) -> int { return 2 * x; }
def g(bool x) -> int { return 2 * x; }
def main() { var w = f(3.0) + f(-128) + g(-0.5) + g(0.0); }
"
    ), @r"
    def f(x) -> 
      scalar x: int8
      scalar : int
      return (2 * x)
    def g(x) -> 
      scalar x: bool
      scalar : int
      return (2 * x)
    def main()
      scalar w: int
      w = (((f(3) + f(-128)) + g(1)) + g(0))
    ");
}

/// Guards what is said of a result without a name that nothing returns.
#[test]
fn nothing_is_returned() {
    assert_snapshot!(errors(
        r"
def f(double x) -> double { var y = x; }
def g(double x) -> double s { var y = x; }
def main() { }
"
    ), @r"
    error: `f` returns no value, expected a `double`
     --> a.ta:2:20
      |
    2 | def f(double x) -> double { var y = x; }
      |                    ^^^^^^
      |
      = help: write `return …`, or leave the result out

    error: the result `s` is never assigned
     --> a.ta:3:20
      |
    3 | def g(double x) -> double s { var y = x; }
      |                    ^^^^^^^^
      |
      = help: assign it by name, `s = …`, or write `return …`
    ");
}
