//! Numbers, the dot, comments, strings, white space, and characters that belong to nothing.

use insta::assert_snapshot;

use crate::{errors_in, expr, tree};

/// Guards every way to write a number: the value, and whether it is an integer.
#[test]
fn numbers() {
    assert_snapshot!(expr("[5, .5, 5., 1e-3, 1E3, 5.e2, .5e+1, 0.25, 9223372036854775807]"), @r"
    array
      number 5
      number 0.5
      number 5.0
      number 0.001
      number 1000.0
      number 500.0
      number 5.0
      number 0.25
      number 9223372036854775807
    ");
}

/// A dot directly before `*` belongs to the operator, whatever stands before it.
#[test]
fn dot_before_star_is_the_operator() {
    assert_snapshot!(expr("5.*x"), @r"
    binary .*
      number 5
      name x
    ");
    assert_snapshot!(expr("2.5.*x"), @r"
    binary .*
      number 2.5
      name x
    ");
    assert_snapshot!(expr("5..*x"), @r"
    binary .*
      number 5.0
      name x
    ");
    assert_snapshot!(expr("5. *x"), @r"
    binary *
      number 5.0
      name x
    ");
    assert_snapshot!(expr(".5.*.5"), @r"
    binary .*
      number 0.5
      number 0.5
    ");
    assert_snapshot!(expr("1e3.*x"), @r"
    binary .*
      number 1000.0
      name x
    ");
    assert_snapshot!(expr("A[i].*x"), @r"
    binary .*
      access A[i]
      name x
    ");
}

/// An exponent needs digits; without them its letter begins the next word.
#[test]
fn an_exponent_needs_digits() {
    assert_snapshot!(errors_in("x = 1e;\ny = 2e+;"), @r"
    error: expected `;` or an operator, found `e`
     --> a.ta:2:6
      |
    2 | x = 1e;
      |      ^
      |
      = help: an exponent has digits, as in `1e3`
    error: expected `;` or an operator, found `e`
     --> a.ta:3:6
      |
    3 | y = 2e+;
      |      ^
      |
      = help: an exponent has digits, as in `2e3`
    ");
}

/// Comments run to the end of the line, also the last one without a newline, and white space is free.
#[test]
fn comments_and_white_space() {
    assert_snapshot!(tree("x # one\r\n\t=\u{a0}# two ; }\n1\n#three\n;"), @r"
    set x
      number 1
    ");
}

/// Strings have no escapes: a backslash is a character of a path.
#[test]
fn strings() {
    assert_snapshot!(tree(r#"comet_write(A[i,j], "a\b # c.mtx"); f("");"#), @r#"
    expr
      call comet_write
        access A[i,j]
        string "a\\b # c.mtx"
    expr
      call f
        string ""
    "#);
}

/// A string ends on its line; the rest of its statement is not complained about again.
#[test]
fn an_open_string_is_one_error() {
    assert_snapshot!(errors_in("A[i] = comet_read(\"a.mtx);\nx = ;"), @r#"
    error: the string is not closed on its line
     --> a.ta:2:19
      |
    2 | A[i] = comet_read("a.mtx);
      |                   ^^^^^^^^ begins here
      |
      = help: close it with `"`
    error: expected an expression, found `;`
     --> a.ta:3:5
      |
    3 | x = ;
      |     ^
    "#);
}

/// Characters of no token are reported where they are, and the next statement is read.
#[test]
fn bad_characters() {
    assert_snapshot!(errors_in("x = 3 − 1;\ny = 1 ¤¤¤ 2;\nz = 2 ^ 3;\nw = 1.5.2. ;\nv = ;"), @r"
    error: `−` belongs to no token of the language
     --> a.ta:2:7
      |
    2 | x = 3 − 1;
      |       ^
      |
      = help: minus is written `-`
    error: these characters belong to no token of the language
     --> a.ta:3:7
      |
    3 | y = 1 ¤¤¤ 2;
      |       ^^^
    error: `^` belongs to no token of the language
     --> a.ta:4:7
      |
    4 | z = 2 ^ 3;
      |       ^
      |
      = help: there is no power operator; write the product
    error: expected `;` or an operator, found `.2`
     --> a.ta:5:8
      |
    5 | w = 1.5.2. ;
      |        ^^
    error: `.` belongs to no token of the language
     --> a.ta:5:10
      |
    5 | w = 1.5.2. ;
      |          ^
      |
      = help: a dot stands in a number (`0.5`) or in the operator `.*`
    error: expected an expression, found `;`
     --> a.ta:6:5
      |
    6 | v = ;
      |     ^
    ");
}

/// A number that its type cannot hold is no silent infinity and no wrapped integer.
#[test]
fn numbers_out_of_range() {
    assert_snapshot!(errors_in("x = 1e999;\ny = 9223372036854775808;"), @r"
    error: the number `1e999` is too large for a double
     --> a.ta:2:5
      |
    2 | x = 1e999;
      |     ^^^^^
      |
      = help: the largest double is `1.7976931348623157e308`
    error: the integer `9223372036854775808` does not fit 64 bits
     --> a.ta:3:5
      |
    3 | y = 9223372036854775808;
      |     ^^^^^^^^^^^^^^^^^^^
      |
      = help: the largest integer is `9223372036854775807`; `1e20` and `1.0` are doubles
    ");
}

/// The words of the grammar that are no keywords can be names of everything.
#[test]
fn contextual_words_are_names() {
    assert_snapshot!(
        tree("var push = order; memory = index; schedule[D,CU]<auto, auto> = BV[min,max] @(any) CSR[D,CU]; \
              IndexLabel [schedule, i32]; schedule(print, KiB); Tensor<int> order([index], order, order={0}); \
              schedule = 1;"),
        @r"
    var push
      name order
    set memory
      name index
    assign schedule[D,CU]<auto, auto> =
      binary @(any)
        access BV[min,max]
        access CSR[D,CU]
    label schedule i32
    expr
      call schedule
        name print
        name KiB
    Tensor<int> order([index], order, order={0})
    set schedule
      number 1
    "
    );
}
