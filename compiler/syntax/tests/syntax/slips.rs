//! Slips that are recognized: the message says what to write instead.

use insta::assert_snapshot;

use crate::{errors, errors_in};

/// `=` for `==` in a condition; the rest of the statement is still read.
#[test]
fn assignment_in_a_condition() {
    assert_snapshot!(errors_in("if x = 3:\n  y = ;\nend;"), @r"
    error: expected `:` or an operator, found `=`
     --> a.ta:2:6
      |
    2 | if x = 3:
      |      ^
      |
      = help: `=` assigns; compare with `==`
    error: expected an expression, found `;`
     --> a.ta:3:7
      |
    3 |   y = ;
      |       ^
    ");
}

/// The left-hand side as TACO writes it.
#[test]
fn parentheses_on_the_left() {
    assert_snapshot!(errors_in("A(i,j) = B(i,k) * C(k,j);"), @r"
    error: expected `;` or an operator, found `=`
     --> a.ta:2:8
      |
    2 | A(i,j) = B(i,k) * C(k,j);
      |        ^
      |
      = help: a tensor is indexed with brackets: `A[i,j]`
    ");
}

/// Brackets of other languages.
#[test]
fn accesses() {
    assert_snapshot!(errors_in("x = A[i][j];\nx = A[0,j];\nx = A[i+1];\nx = A[i j];"), @r"
    error: expected `;` or an operator, found `[`
     --> a.ta:2:9
      |
    2 | x = A[i][j];
      |         ^
      |
      = help: all labels of an access stand in one pair of brackets: `A[i,j]`
    error: expected `]`, `,` or an operator, found `j`
     --> a.ta:5:9
      |
    5 | x = A[i j];
      |         ^
      |
      = help: separate them with `,`
    ");
}

/// A declaration's brackets without what stands between them.
#[test]
fn sizes() {
    assert_snapshot!(errors_in("IndexLabel [k] [4];"), @r"
    error: expected `;` or `=`, found `[`
     --> a.ta:2:16
      |
    2 | IndexLabel [k] [4];
      |                ^
      |
      = help: sizes stand behind `=`: `IndexLabel [i, j] = [4, ?]`
    ");
}

/// Words of other languages, and misspelled ones.
#[test]
fn words() {
    assert_snapshot!(errors_in("let x = 1;\ntensor<double> A([i], Dense);\nretrun x;\nIndexlabel [i] = [?];"), @r"
    error: expected `;`, an operator or an assignment, found `x`
     --> a.ta:2:1
      |
    2 | let x = 1;
      | ^^^
      |
      = help: did you mean `var`?
    error: expected `(`, found `>`
     --> a.ta:3:1
      |
    3 | tensor<double> A([i], Dense);
      | ^^^^^^
      |
      = help: did you mean `Tensor`?
    error: expected `;`, an operator or an assignment, found `x`
     --> a.ta:4:1
      |
    4 | retrun x;
      | ^^^^^^
      |
      = help: did you mean `return`?
    error: expected an expression or `]`, found `?`
     --> a.ta:5:1
      |
    5 | Indexlabel [i] = [?];
      | ^^^^^^^^^^
      |
      = help: did you mean `IndexLabel`?
    ");
    assert_snapshot!(errors("func main() {\n}\n"), @r"
    error: expected `def`, found `func`
     --> a.ta:1:1
      |
    1 | func main() {
      | ^^^^
      |
      = help: did you mean `def`?
    ");
    assert_snapshot!(errors_in("var end = 1;\nA[in] = 2;"), @r"
    error: expected a name, found `end`
     --> a.ta:2:5
      |
    2 | var end = 1;
      |     ^^^
      |
      = help: `end` is a keyword and cannot be a name
    error: expected an index or `]`, found `in`
     --> a.ta:3:3
      |
    3 | A[in] = 2;
      |   ^^
      |
      = help: `in` is a keyword and cannot be a name
    ");
}

/// Statements outside of functions, and one brace too many.
#[test]
fn outside_of_functions() {
    assert_snapshot!(errors("IndexLabel [i] = [?];\ndef main() {\n}\n}\n"), @r"
    error: expected `def`, found `IndexLabel`
     --> a.ta:1:1
      |
    1 | IndexLabel [i] = [?];
      | ^^^^^^^^^^
      |
      = help: statements stand in a function: `def main() { … }`
    error: expected `def`, found `}`
     --> a.ta:4:1
      |
    4 | }
      | ^
      |
      = help: this `}` closes nothing; the function has ended before it
    ");
}

/// Blocks of other languages.
#[test]
fn blocks() {
    assert_snapshot!(errors_in("if x {\n  y = 1;\n}"), @r"
    error: expected `:` or an operator, found `{`
     --> a.ta:2:6
      |
    2 | if x {
      |      ^
      |
      = help: the statements of a `for`, `while` or `if` stand between `:` and `end`
    ");
    assert_snapshot!(errors_in("while x < 3\n  y = 1;\nend;\nend;\nelse: x = 1;"), @r"
    error: expected `:` or an operator, found `y`
     --> a.ta:2:12
      |
    2 | while x < 3
      |            ^
      |
      = help: a `:` stands in front of the statements of the `while`
    error: expected a statement or `}`, found `end`
     --> a.ta:5:1
      |
    5 | end;
      | ^^^
      |
      = help: this `end` closes nothing: it has no `for`, `while` or `if`
    error: expected a statement or `}`, found `else`
     --> a.ta:6:1
      |
    6 | else: x = 1;
      | ^^^^
      |
      = help: this `else` has no `if`
    ");
    assert_snapshot!(errors_in("if x == 1: y = 1;\nelseif x == 2: y = 2;\nelse if x == 3: y = 3; end;\nelif y: end;"), @r"
    error: expected `;`, an operator or an assignment, found `x`
     --> a.ta:3:1
      |
    3 | elseif x == 2: y = 2;
      | ^^^^^^
      |
      = help: did you mean `elif`?
    error: expected `:`, found `if`
     --> a.ta:4:6
      |
    4 | else if x == 3: y = 3; end;
      |      ^^
      |
      = help: another condition is written `elif c:`
    error: expected a statement or `}`, found `elif`
     --> a.ta:5:1
      |
    5 | elif y: end;
      | ^^^^
      |
      = help: this `elif` has no `if`
    ");
}

/// Operators of other languages.
#[test]
fn operators() {
    assert_snapshot!(
        errors_in("x = a && b;\nx = a || b;\nx = a ** b;\nx++;\nx = !a;\nx = 5 % 2;\nA[i] *= 2;"),
        @r"
    error: expected an expression, found `&`
     --> a.ta:2:8
      |
    2 | x = a && b;
      |        ^
      |
      = help: the logical and is written `&`
    error: expected an expression, found `|`
     --> a.ta:3:8
      |
    3 | x = a || b;
      |        ^
      |
      = help: the logical or is written `|`
    error: expected an expression, found `*`
     --> a.ta:4:8
      |
    4 | x = a ** b;
      |        ^
      |
      = help: a power is written `pow(x, 2)`
    error: expected an expression, found `+`
     --> a.ta:5:3
      |
    5 | x++;
      |   ^
      |
      = help: add one with `x += 1`
    error: expected an expression, found `!`
     --> a.ta:6:5
      |
    6 | x = !a;
      |     ^
      |
      = help: there is no operator `!`; compare with `== 0`
    error: expected `;` or an operator, found `%`
     --> a.ta:7:7
      |
    7 | x = 5 % 2;
      |       ^
      |
      = help: there is no remainder operator
    "
    );
}

/// A mask in the wrong place or with too much in it.
#[test]
fn masks() {
    assert_snapshot!(errors_in("C[i]<M push pull> = 1;\nC<M>[i] = 1;\nC[i]<5> = 2;"), @r"
    error: expected `>`, found `pull`
     --> a.ta:2:13
      |
    2 | C[i]<M push pull> = 1;
      |             ^^^^
      |
      = help: a mask stands behind the labels: `C[i,j]<M>`, `C[i,j]<!M>` or `C[i,j]<M, push>`
    error: expected `;` or an operator, found `=`
     --> a.ta:3:9
      |
    3 | C<M>[i] = 1;
      |         ^
      |
      = help: a mask stands behind the labels: `C[i,j]<M>`, `C[i,j]<!M>` or `C[i,j]<M, push>`
    error: expected a name or `!`, found `5`
     --> a.ta:4:6
      |
    4 | C[i]<5> = 2;
      |      ^
      |
      = help: a mask stands behind the labels: `C[i,j]<M>`, `C[i,j]<!M>` or `C[i,j]<M, push>`
    ");
}

/// `else` with braces is read to its end.
#[test]
fn braces() {
    assert_snapshot!(errors_in("if x {\n  y = 1;\n} else {\n  y = ;\n}\nz = ;"), @r"
    error: expected `:` or an operator, found `{`
     --> a.ta:2:6
      |
    2 | if x {
      |      ^
      |
      = help: the statements of a `for`, `while` or `if` stand between `:` and `end`
    error: expected `:`, found `{`
     --> a.ta:4:8
      |
    4 | } else {
      |        ^
      |
      = help: the statements of a `for`, `while` or `if` stand between `:` and `end`
    error: expected an expression, found `;`
     --> a.ta:5:7
      |
    5 |   y = ;
      |       ^
    error: expected an expression, found `;`
     --> a.ta:7:5
      |
    7 | z = ;
      |     ^
    ");
}

/// Comments of other languages.
#[test]
fn comments() {
    assert_snapshot!(errors_in("x = 1; // one\nz = 2;\n/* two */"), @r"
    error: expected a statement or `}`, found `/`
     --> a.ta:2:8
      |
    2 | x = 1; // one
      |        ^
      |
      = help: a comment begins with `#`
    error: expected a statement or `}`, found `/`
     --> a.ta:4:1
      |
    4 | /* two */
      | ^
      |
      = help: a comment begins with `#`
    ");
}

/// Parts of a declaration that are missing.
#[test]
fn declarations() {
    assert_snapshot!(
        errors_in("Tensor<double> A([i,j]);\nTensor A([i], Dense);\nTensor<real> A([i], Dense);\nIndexLabel i = 8;\n\
                   for i in 0:8:\nend;\nA[i] = \"a.mtx\";\nx = a @ b;\nx = a @(plus) b;"),
        @r#"
    error: expected `,`, found `)`
     --> a.ta:2:23
      |
    2 | Tensor<double> A([i,j]);
      |                       ^
      |
      = help: name the format behind the dimensions, `Dense` or `CSR` for example
    error: expected `<`, found `A`
     --> a.ta:3:8
      |
    3 | Tensor A([i], Dense);
      |        ^
      |
      = help: a tensor names the type of its elements: `Tensor<double>`, `Tensor<int8>` for example
    error: expected an element type, found `real`
     --> a.ta:4:8
      |
    4 | Tensor<real> A([i], Dense);
      |        ^^^^
      |
      = help: the element types are `double`, `float`, `int`, `bool`, `int8`, `int16`, `int32`, `uint8`, `uint32`, `float16`, `bfloat16`, `complex64` and `complex128`
    error: expected `[`, found `8`
     --> a.ta:5:16
      |
    5 | IndexLabel i = 8;
      |                ^
      |
      = help: a label is declared as `IndexLabel [i, j] = [8];` or `… = [?];`
    error: expected `range`, found `0`
     --> a.ta:6:10
      |
    6 | for i in 0:8:
      |          ^
      |
      = help: a loop is written `for i in range(0, 8): … end;`
    error: expected `;`, found `:`
     --> a.ta:6:13
      |
    6 | for i in 0:8:
      |             ^
    error: expected an expression, found `"a.mtx"`
     --> a.ta:8:8
      |
    8 | A[i] = "a.mtx";
      |        ^^^^^^^
      |
      = help: a string stands only as an argument, as in `comet_read("a.mtx")` and `print("text")`
    error: expected `(`, found `b`
     --> a.ta:9:9
      |
    9 | x = a @ b;
      |         ^
      |
      = help: a semiring is written `@(+,*)`, a monoid `@(max)`
    error: expected an operator of a monoid, found `plus`
      --> a.ta:10:9
       |
    10 | x = a @(plus) b;
       |         ^^^^
       |
       = help: did you mean `@(+)`?
    "#
    );
}

/// Words for operators, results and parameters of other languages.
#[test]
fn words_of_other_languages() {
    let hints = |text: &str| -> Vec<String> {
        let (_, errors) = comet_syntax::parse_with_recovery(&comet_diag::Source::new("a.ta", text));
        errors.into_iter().map(|error| error.hint.unwrap_or_default()).collect()
    };
    assert_eq!(
        hints("def f(A, x) { }"),
        ["a parameter is declared: `Tensor<double> A([i, j], CSR)` or `double a`"]
    );
    assert_eq!(hints("def main() { if a and b: end; }"), ["the logical and is written `&`"]);
    assert_eq!(hints("def main() { if a or b: end; }"), ["the logical or is written `|`"]);
    assert_eq!(hints("def main() { if not b: end; }"), ["there is no operator `not`; compare with `== 0`"]);
    assert_eq!(
        hints("def main() { y[i] = A[i,j] @ x[j]; }"),
        ["a semiring is written `@(+,*)`, a monoid `@(max)`"]
    );
    assert_eq!(hints("def main() { y[i] = A[i,j] @(plus, times) x[j]; }"), ["did you mean `@(+,*)`?"]);
    let complex = |text| format!("a complex number is written `{text}`");
    assert_eq!(hints("def main() { z = 1+2i; }"), [complex("complex(1, 2)") + ", a product `2 * i`"]);
    assert_eq!(
        hints("def main() { z = 0.5 - 2.5j; }"),
        [complex("complex(0.5, -2.5)") + ", a product `2.5 * j`"]
    );
    assert_eq!(hints("def main() { z = x + 3i; }"), [complex("complex(0, 3)") + ", a product `3 * i`"]);
    assert_eq!(
        hints(
            "def best(double a, double b) -> double { return max(a, b); } def f(double a) -> double { return a; } \
               def main() { y[i] = A[i,j] @(bst,*) x[j]; }"
        ),
        [
            "the operators are `+ - * / min max any first second pair | &`, and of this file `best`, as in `@(min,+)`"
        ]
    );
}

/// Guards that words for the operators of a semiring make one message, whose hint has the whole semiring.
#[test]
fn words_for_semirings() {
    assert_snapshot!(
        errors_in("x = a @(plus, times) b;\nx = a @(min, plus) b;\nx = a @(LOR, land) b;\nx = a @(plus, foo) b;"),
        @r"
    error: expected operators of a semiring, found `plus` and `times`
     --> a.ta:2:9
      |
    2 | x = a @(plus, times) b;
      |         ^^^^^^^^^^^
      |
      = help: did you mean `@(+,*)`?
    error: expected an operator of a semiring, found `plus`
     --> a.ta:3:14
      |
    3 | x = a @(min, plus) b;
      |              ^^^^
      |
      = help: did you mean `@(min,+)`?
    error: expected operators of a semiring, found `LOR` and `land`
     --> a.ta:4:9
      |
    4 | x = a @(LOR, land) b;
      |         ^^^^^^^^^
      |
      = help: did you mean `@(|,&)`?
    error: expected operators of a semiring, found `plus` and `foo`
     --> a.ta:5:9
      |
    5 | x = a @(plus, foo) b;
      |         ^^^^^^^^^
      |
      = help: the operators are `+ - * / min max any first second pair | &`, as in `@(min,+)`
    "
    );
}

/// Guards that a transpose without its new order shows how one is written, with the labels that are there.
#[test]
fn transposes_without_an_order() {
    assert_snapshot!(
        errors_in("x = transpose(A[i,k]);\nx = transpose(A);\nx = transpose(A[i,k], k, i);\nx = transpose(A[i,k], [k,i]);"),
        @r"
    error: expected `,`, found `)`
     --> a.ta:2:21
      |
    2 | x = transpose(A[i,k]);
      |                     ^
      |
      = help: `transpose` takes the new order of the labels, too: `transpose(A[i,k], {k,i})`
    error: expected `[`, found `)`
     --> a.ta:3:16
      |
    3 | x = transpose(A);
      |                ^
      |
      = help: `transpose` takes the new order of the labels, too: `transpose(A[i,j], {j,i})`
    error: expected `{`, found `k`
     --> a.ta:4:23
      |
    4 | x = transpose(A[i,k], k, i);
      |                       ^
      |
      = help: `transpose` takes the new order of the labels, too: `transpose(A[i,k], {k,i})`
    error: expected `{`, found `[`
     --> a.ta:5:23
      |
    5 | x = transpose(A[i,k], [k,i]);
      |                       ^
      |
      = help: `transpose` takes the new order of the labels, too: `transpose(A[i,k], {k,i})`
    "
    );
}

/// Guards that the name of a file without quotes is one error, over the whole name, and is read as a string.
#[test]
fn names_of_files_without_quotes() {
    assert_snapshot!(
        errors_in("A[i] = comet_read(a.mtx);\nA[i] = comet_read(../d-1/b_2.mtx.gz, 2);\ncomet_write(A, c.tns);\nx = a.mtx;"),
        @r#"
    error: found the name of a file without quotes, `a.mtx`
     --> a.ta:2:19
      |
    2 | A[i] = comet_read(a.mtx);
      |                   ^^^^^
      |
      = help: the name of a file is quoted: `comet_read("a.mtx")`
    error: found the name of a file without quotes, `../d-1/b_2.mtx.gz`
     --> a.ta:3:19
      |
    3 | A[i] = comet_read(../d-1/b_2.mtx.gz, 2);
      |                   ^^^^^^^^^^^^^^^^^
      |
      = help: the name of a file is quoted: `comet_read("../d-1/b_2.mtx.gz")`
    error: found the name of a file without quotes, `c.tns`
     --> a.ta:4:16
      |
    4 | comet_write(A, c.tns);
      |                ^^^^^
      |
      = help: the name of a file is quoted: `"c.tns"`
    error: `.` belongs to no token of the language
     --> a.ta:5:6
      |
    5 | x = a.mtx;
      |      ^
      |
      = help: a dot stands in a number (`0.5`) or in the operator `.*`
    "#
    );
}
