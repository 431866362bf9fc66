//! Functions of the file as operators of semirings and monoids.

use insta::assert_snapshot;

use crate::{checked, errors};

/// Guards the order in which labels are reduced, and the types of what is reduced.
#[test]
fn reductions_by_operators() {
    assert_snapshot!(checked(
        r"
def less(double a, double b) -> double operator(identity=0) { return a - b; }
def most(double a, double b) -> double operator(identity=-inf, associative, commutative) { return max(a, b); }
def main() {
  IndexLabel [i, j, k] = [3]; Tensor<double> A([i, j], CSR); Tensor<int> n([j], Dense); Tensor<double> y([i], Dense);
  y[i] = n[i] * (A[k,j] @(less,*) n[j]);
  y[i] = A[j,k] @(most,less) A[k,j] - 2;
  y[i] = n[i] @(less) 2 + A[i,j] @(most) y[j];
  y[i] = (A[i,j] @(less,*) A[j,k]) @(less,+) n[k];
}
"
    ), @r"
    def less(a, b) -> 
      scalar a: double
      scalar b: double
      scalar : double
      return (a - b)
    def most(a, b) -> 
      scalar a: double
      scalar b: double
      scalar : double
      return point((a ∪max b))
    def main()
      size i = 3
      tensor A: double [i, i] (0 : D, 1 : CU) I32
      tensor n: int [i] (0 : D) I32
      tensor y: double [i] (0 : D) I32
      y[i] = less{k,j} (n[i] * (A[k,j] @(*) n[j]))
      y[i] = (most{j,k} (A[j,k] @(less) A[k,j]) - 2)
      y[i] = ((n[i] @(less) 2) + Σ{j} (A[i,j] @(most) y[j]))
      y[i] = less{k} less{j} ((A[i,j] @(*) A[j,k]) @(+) n[k])
    ");
}

/// Guards what a function has to be to stand in `@(…)`.
#[test]
fn operators_take_two_numbers_of_one_type() {
    assert_snapshot!(errors(
        r"
def one(double a) -> double { return a; }
def mixed(double a, int b) -> double { return a + b; }
def truth(double a, double b) -> int { return a > b; }
def tensor(Tensor<double> a([i], Dense), double b) -> double { return b; }
def nothing(double a, double b) { print(a); }
def main() {
  IndexLabel [i, j, k] = [3]; Tensor<double> A([i, j], CSR); Tensor<double> x([j], Dense); Tensor<double> y([i], Dense); Tensor<int> n([i], Dense);
  y[i] = A[i,j] @(+,one) x[j];
  y[i] = A[i,j] @(mixed) x[j];
  y[i] = A[i,j] @(+,truth) x[j];
  y[i] = A[i,j] @(tensor,*) x[j];
  y[i] = A[i,j] @(nothing) x[j];
}
"
    ), @r"
    error: `one` is no operator: it has 1 parameter, expected 2
     --> a.ta:9:17
      |
    2 | def one(double a) -> double { return a; }
      |     --- defined here
    ...
    9 |   y[i] = A[i,j] @(+,one) x[j];
      |                 ^^^^^^^^
      |
      = help: an operator takes two numbers

    error: `mixed` is no operator: it is of `double` and `int`
      --> a.ta:10:17
       |
     3 | def mixed(double a, int b) -> double { return a + b; }
       |     -----           ----- of another type
       |     |
       |     defined here
    ...
    10 |   y[i] = A[i,j] @(mixed) x[j];
       |                 ^^^^^^^^
       |
       = help: the operands and the value of an operator have one type

    error: `truth` is no operator: it is of `double` and `int`
      --> a.ta:11:17
       |
     4 | def truth(double a, double b) -> int { return a > b; }
       |     ----- defined here           --- of another type
    ...
    11 |   y[i] = A[i,j] @(+,truth) x[j];
       |                 ^^^^^^^^^^
       |
       = help: the operands and the value of an operator have one type

    error: `tensor` is no operator: it is not of scalars alone
      --> a.ta:12:17
       |
     5 | def tensor(Tensor<double> a([i], Dense), double b) -> double { return b; }
       |     ------ defined here
    ...
    12 |   y[i] = A[i,j] @(tensor,*) x[j];
       |                 ^^^^^^^^^^^
       |
       = help: an operator takes two numbers of one type and returns one: `def f(double x, double y) -> double`

    error: `nothing` is no operator: it is not of scalars alone
      --> a.ta:13:17
       |
     6 | def nothing(double a, double b) { print(a); }
       |     ------- defined here
    ...
    13 |   y[i] = A[i,j] @(nothing) x[j];
       |                 ^^^^^^^^^^
       |
       = help: an operator takes two numbers of one type and returns one: `def f(double x, double y) -> double`
    ");
}

/// Guards that what a reduction begins with is stated, and can be a number of the type.
#[test]
fn reducing_needs_an_identity() {
    assert_snapshot!(errors(
        r"
def plus(double a, double b) -> double { return a + b; }
def half(int a, int b) -> int operator(identity=0.5) { return a + b; }
def quotient(int a, int b) -> int operator(identity=1) { return a / b; }
def main() {
  IndexLabel [i, j, k] = [3]; Tensor<double> A([i, j], CSR); Tensor<double> x([j], Dense); Tensor<double> y([i], Dense); Tensor<int> n([i], Dense);
  y[i] = A[i,j] @(plus,*) x[j];
  n[i] = n[i] @(half) n[i];
  n[i] = n[i] @(quotient,*) n[k];
}
"
    ), @r"
    error: the identity of an operator on `int` has a fraction
     --> a.ta:3:40
      |
    3 | def half(int a, int b) -> int operator(identity=0.5) { return a + b; }
      |                                        ^^^^^^^^^^^^
      |
      = help: write an integer, or declare the parameters `double`

    error: `plus` cannot reduce: it states no identity
     --> a.ta:7:17
      |
    2 | def plus(double a, double b) -> double { return a + b; }
      |     ---- defined here
    ...
    7 |   y[i] = A[i,j] @(plus,*) x[j];
      |                 ^^^^^^^^^
      |
      = help: state what a reduction begins with behind the result of the function: `operator(identity=0)`, and `associative, commutative` if it is so

    error: not supported yet: `quotient` reduces by a division of integers
     --> a.ta:9:15
      |
    4 | def quotient(int a, int b) -> int operator(identity=1) { return a / b; }
      |     -------- defined here
    ...
    9 |   n[i] = n[i] @(quotient,*) n[k];
      |               ^^^^^^^^^^^^^
      |
      = help: divide as `double`, or reduce by another operator
    ");
}

/// Guards the examples that properties are tried on.
#[test]
fn properties_are_tried() {
    assert_snapshot!(errors(
        r"
def less(double a, double b) -> double operator(identity=0, commutative) { return a - b; }
def plus(double a, double b) -> double operator(identity=1, associative) { return a + b; }
def hypot2(double a, double b) -> double operator(identity=0, associative, commutative) { return sqrt(a * a + b * b); }
def mean(double a, double b) -> double operator(identity=0, commutative) { return 0.5 * (a + b); }
def main() {
  IndexLabel [i, j, k] = [3]; Tensor<double> A([i, j], CSR); Tensor<double> x([j], Dense); Tensor<double> y([i], Dense); Tensor<int> n([i], Dense);
  y[i] = A[i,j] @(hypot2,less) x[j];
  y[i] = A[i,j] @(mean,plus) x[j];
}
"
    ), @r"
    error: `less` is not commutative: `less(1, 2)` is -1, and `less(2, 1)` is 1
     --> a.ta:2:40
      |
    2 | def less(double a, double b) -> double operator(identity=0, commutative) { return a - b; }
      |                                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      |
      = help: leave `commutative` out

    error: 1 is no identity of `plus`: `plus(1, 2)` is 3, expected 2
     --> a.ta:3:40
      |
    3 | def plus(double a, double b) -> double operator(identity=1, associative) { return a + b; }
      |                                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      |
      = help: state the number that leaves others alone, or leave `associative` out
    ");
}

/// Guards operands that are wider than an operator.
#[test]
fn operators_have_their_type() {
    assert_snapshot!(errors(
        r"
def plus(int a, int b) -> int operator(identity=0) { return a + b; }
def main() {
  IndexLabel [i, j, k] = [3]; Tensor<double> A([i, j], CSR); Tensor<double> x([j], Dense); Tensor<double> y([i], Dense); Tensor<int> n([i], Dense);
  y[i] = A[i,j] @(plus,*) x[j];
  y[i] = A[i,j] @(+,plus) x[j];
  y[i] = n[i] @(plus) 2.5;
  y[i] = 2.5 * (n[j] @(plus,*) n[i]);
}
"
    ), @r"
    error: `plus` reduces values of `int`, found a `double`
     --> a.ta:5:10
      |
    5 |   y[i] = A[i,j] @(plus,*) x[j];
      |          ^^^^^^^^^^^^^^^^^^^^^
      |
      = help: declare its parameters and result `double`, or convert: `int(…)`

    error: `plus` combines values of `int`, found a `double`
     --> a.ta:6:10
      |
    6 |   y[i] = A[i,j] @(+,plus) x[j];
      |          ^^^^^^
      |
      = help: declare its parameters and result `double`, or convert: `int(…)`

    error: `plus` combines values of `int`, found a `double`
     --> a.ta:7:23
      |
    7 |   y[i] = n[i] @(plus) 2.5;
      |                       ^^^
      |
      = help: declare its parameters and result `double`, or convert: `int(…)`

    error: `plus` reduces values of `int`, found a `double`
     --> a.ta:8:10
      |
    8 |   y[i] = 2.5 * (n[j] @(plus,*) n[i]);
      |          ^^^^^^^^^^^^^^^^^^^^^^^^^^^
      |
      = help: declare its parameters and result `double`, or convert: `int(…)`
    ");
}

/// Guards recursion through operators, also of functions of elements.
#[test]
fn operators_do_not_call_themselves() {
    assert_snapshot!(errors(
        r"
def f(double a, double b) -> double operator(identity=0) { return a @(g) b; }
def g(double a, double b) -> double { return f(a, b); }
def h(double a) -> double { return h(a); }
def main() {
  IndexLabel [i, j, k] = [3]; Tensor<double> A([i, j], CSR); Tensor<double> x([j], Dense); Tensor<double> y([i], Dense); Tensor<int> n([i], Dense);
  y[i] = A[i,j] @(f,*) x[j];
  y[i] = h(x[i]);
}
"
    ), @r"
    error: not supported yet: recursion: `f` calls `g`, which leads back to `f`
     --> a.ta:2:69
      |
    2 | def f(double a, double b) -> double operator(identity=0) { return a @(g) b; }
      |                                                                     ^^^^
    3 | def g(double a, double b) -> double { return f(a, b); }
      |     - `g` is defined here
      |
      = help: write a loop instead: `for` or `while`

    error: not supported yet: recursion: `g` calls `f`, which leads back to `g`
     --> a.ta:3:46
      |
    2 | def f(double a, double b) -> double operator(identity=0) { return a @(g) b; }
      |     - `f` is defined here
    3 | def g(double a, double b) -> double { return f(a, b); }
      |                                              ^
      |
      = help: write a loop instead: `for` or `while`

    error: not supported yet: recursion: `h` calls itself
     --> a.ta:4:36
      |
    4 | def h(double a) -> double { return h(a); }
      |     - `h` is defined here          ^
      |
      = help: write a loop instead: `for` or `while`
    ");
}

/// Guards the commands that reductions in order refuse, and those that they take.
#[test]
fn commands_keep_the_order_of_reductions() {
    assert_snapshot!(errors(
        r"
def less(double a, double b) -> double operator(identity=0) { return a - b; }
def main() {
  IndexLabel [i, j, k] = [3]; Tensor<double> A([i, j], CSR); Tensor<double> x([j], Dense); Tensor<double> y([i], Dense); Tensor<int> n([i], Dense);
  y[i] = A[i,j] @(less,*) A[j,k] schedule { order(j, i); };
  y[i] = A[i,j] @(less,*) A[j,k] schedule { order(k, j); };
  y[i] = A[i,j] @(less,*) x[j] schedule { parallelize(i, cpu); };
  y[i] = A[i,j] @(less,*) x[j] schedule { parallelize(j, reduction, 2); };
  y[i] = A[i,j] @(less,*) x[j] schedule { split(j, jo, ji, 2); };
}
"
    ), @r"
    error: `order` would change the order in which `less` reduces values
     --> a.ta:6:45
      |
    6 |   y[i] = A[i,j] @(less,*) A[j,k] schedule { order(k, j); };
      |                                             ^^^^^^^^^^^
      |
      = help: state `associative` and `commutative` in the definition of `less` if it is so, or leave the command out

    error: `parallelize` would change the order in which `less` reduces values
     --> a.ta:8:43
      |
    8 |   y[i] = A[i,j] @(less,*) x[j] schedule { parallelize(j, reduction, 2); };
      |                                           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      |
      = help: state `associative` and `commutative` in the definition of `less` if it is so, or leave the command out

    error: `split` would change the order in which `less` reduces values
     --> a.ta:9:43
      |
    9 |   y[i] = A[i,j] @(less,*) x[j] schedule { split(j, jo, ji, 2); };
      |                                           ^^^^^^^^^^^^^^^^^^^
      |
      = help: state `associative` and `commutative` in the definition of `less` if it is so, or leave the command out
    ");
}

/// Guards that operators of the file are of real values.
#[test]
fn operators_of_the_file_are_real() {
    assert_snapshot!(errors(
        r"
def size(double a, double b) -> double operator(identity=0) { return abs(complex(a, b)); }
def sum(double a, double b) -> double operator(identity=0, associative, commutative) { return a + b; }
def pair(complex128 a, complex128 b) -> complex128 { return a * conj(b); }
def main() {
  IndexLabel [i, j] = [3]; Tensor<complex128> z([i, j], CSR); Tensor<double> y([i], Dense);
  y[i] = y[j] @(size,*) y[i];
  y[i] = z[i,j] @(+,sum) y[j];
  y[i] = z[i,j] @(sum,*) y[j];
  y[i] = abs(z[i,j] @(+,pair) z[i,j]);
}
"
    ), @r"
    error: not supported yet: `size` as an operator, which computes complex values
     --> a.ta:2:40
      |
    2 | def size(double a, double b) -> double operator(identity=0) { return abs(complex(a, b)); }
      |     ---- defined here                  ^^^^^^^^^^^^^^^^^^^^
      |
      = help: compute the real and the imaginary part in statements of their own

    error: `sum` combines values of `double`, found a `complex128`
     --> a.ta:8:10
      |
    8 |   y[i] = z[i,j] @(+,sum) y[j];
      |          ^^^^^^
      |
      = help: take the `real`, `imag` or `abs` of complex values

    error: `sum` is not defined for complex values
     --> a.ta:9:17
      |
    9 |   y[i] = z[i,j] @(sum,*) y[j];
      |                 ^^^^^^^^
      |
      = help: operators of the file compute real values
    ");
}

/// Guards that `main` is refused as an operator, and not as a recursion.
#[test]
fn the_program_is_no_operator() {
    assert_snapshot!(errors(
        r"
def main() { IndexLabel i; Tensor<double> x([3], Dense); x[i] = 1; x[i] = x[i] @(+,main) x[i]; }
"
    ), @r"
    error: `main` is the program and no operator
     --> a.ta:2:80
      |
    2 | def main() { IndexLabel i; Tensor<double> x([3], Dense); x[i] = 1; x[i] = x[i] @(+,main) x[i]; }
      |     ---- defined here                                                          ^^^^^^^^^
      |
      = help: move what is shared into another function
    ");
}
