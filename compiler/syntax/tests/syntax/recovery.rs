//! One run reports every error of a file, and no error twice.

use comet_diag::Source;
use comet_syntax::{dump, format_module, parse, parse_with_recovery};
use insta::assert_snapshot;

use crate::{errors, errors_in};

/// Errors in several statements, blocks and functions, each once.
#[test]
fn all_errors_of_a_file() {
    assert_snapshot!(
        errors("def f(Tensor<double> A([i j] CSR), {D}) {\n  x = + ;\n}\n\
                def main() {\n  A[i = 1;\n  for i in rang(3):\n    y = * 2;\n  end;\n  if x y: z = ; else: w = ; end;\n}\n\
                def def() { }\ndef g() { return 1 2; }\n"),
        @r"
    error: expected `,`, found `CSR`
     --> a.ta:1:30
      |
    1 | def f(Tensor<double> A([i j] CSR), {D}) {
      |                              ^^^
    error: expected an expression, found `+`
     --> a.ta:2:7
      |
    2 |   x = + ;
      |       ^
    error: expected `]`, `,` or an operator, found `=`
     --> a.ta:5:7
      |
    5 |   A[i = 1;
      |       ^
    error: expected `range`, found `rang`
     --> a.ta:6:12
      |
    6 |   for i in rang(3):
      |            ^^^^
      |
      = help: a loop is written `for i in range(0, 8): … end;`
    error: expected an expression, found `*`
     --> a.ta:7:9
      |
    7 |     y = * 2;
      |         ^
    error: expected `:` or an operator, found `y`
     --> a.ta:9:8
      |
    9 |   if x y: z = ; else: w = ; end;
      |        ^
    error: expected an expression, found `;`
     --> a.ta:9:15
      |
    9 |   if x y: z = ; else: w = ; end;
      |               ^
    error: expected an expression, found `;`
     --> a.ta:9:27
      |
    9 |   if x y: z = ; else: w = ; end;
      |                           ^
    error: expected a name, found `def`
      --> a.ta:11:5
       |
    11 | def def() { }
       |     ^^^
       |
       = help: `def` is a keyword and cannot be a name
    error: expected `;` or an operator, found `2`
      --> a.ta:12:20
       |
    12 | def g() { return 1 2; }
       |                    ^
    "
    );
}

/// What could be read is in the tree, with a gap where an error was.
#[test]
fn the_tree_keeps_what_could_be_read() {
    let source = Source::new("a.ta", "def main() { x = 1; y = ; z = 3; }");
    assert_snapshot!(dump(&parse_with_recovery(&source).0), @r"
    def main @0..34
      set x @13..18
        number 1 @17..18
      expr @20..23
        error @20..23
      set z @26..31
        number 3 @30..31
    ");
}

/// Every missing semicolon is reported, and the statements around it are still read.
#[test]
fn missing_semicolons() {
    assert_snapshot!(errors_in("x = 1\ny = 2\nfor i in range(3):\n  z = 3\nend\nA[i] = 1.0 B[i] = 2.0;\nw = )"), @r"
    error: expected `;` or an operator, found `y`
     --> a.ta:2:6
      |
    2 | x = 1
      |      ^
    3 | y = 2
      | -
      |
      = help: end the statement with `;`
    error: expected `;` or an operator, found `for`
     --> a.ta:3:6
      |
    3 | y = 2
      |      ^
    4 | for i in range(3):
      | ---
      |
      = help: end the statement with `;`
    error: expected `;` or an operator, found `end`
     --> a.ta:5:8
      |
    5 |   z = 3
      |        ^
      |
      = help: end the statement with `;`
    error: expected `;` or an operator, found `B`
     --> a.ta:7:11
      |
    7 | A[i] = 1.0 B[i] = 2.0;
      |           ^
      |
      = help: end the statement with `;`
    error: expected an expression, found `)`
     --> a.ta:8:5
      |
    8 | w = )
      |     ^
      |
      = help: this `)` closes nothing
    ");
}

/// A missing `end` is reported at the place where it was missed, with the word it belongs to.
#[test]
fn missing_ends() {
    assert_snapshot!(errors_in("while x < 3:\n  if x == 1:\n    x = 2;"), @r"
    error: expected a statement, `end`, `else` or `elif`, found `}`
     --> a.ta:5:1
      |
    3 |   if x == 1:
      |   -- this `if` has no `end`
    4 |     x = 2;
    5 | }
      | ^
      |
      = help: close the `if` with `end;`
    error: expected a statement or `end`, found `}`
     --> a.ta:5:1
      |
    2 | while x < 3:
      | ----- this `while` has no `end`
    ...
    5 | }
      | ^
      |
      = help: close the `while` with `end;`
    ");
}

/// An `end` or an `else` too many hides nothing in front of it or behind it.
#[test]
fn stray_ends() {
    let source = Source::new("a.ta", "def main() { x = 1; end; else: y = 2; }");
    assert_snapshot!(dump(&parse_with_recovery(&source).0), @r"
    def main @0..39
      set x @13..18
        number 1 @17..18
      expr @20..23
        error @20..23
      expr @25..36
        error @25..36
    ");
    assert_snapshot!(errors_in("x = ;\nend;\nelse: y = 1;\nz = ;"), @r"
    error: expected an expression, found `;`
     --> a.ta:2:5
      |
    2 | x = ;
      |     ^
    error: expected a statement or `}`, found `end`
     --> a.ta:3:1
      |
    3 | end;
      | ^^^
      |
      = help: this `end` closes nothing: it has no `for`, `while` or `if`
    error: expected a statement or `}`, found `else`
     --> a.ta:4:1
      |
    4 | else: y = 1;
      | ^^^^
      |
      = help: this `else` has no `if`
    error: expected an expression, found `;`
     --> a.ta:5:5
      |
    5 | z = ;
      |     ^
    ");
}

/// A function that is not closed does not swallow the next one.
#[test]
fn missing_brace() {
    assert_snapshot!(errors("def f() {\n  x = 1;\ndef g() {\n  y = ;\n}\n"), @r"
    error: expected a statement or `}`, found `def`
     --> a.ta:3:1
      |
    1 | def f() {
      |         - this `{` is not closed
    2 |   x = 1;
    3 | def g() {
      | ^^^
      |
      = help: close the function with `}`
    error: expected an expression, found `;`
     --> a.ta:4:7
      |
    4 |   y = ;
      |       ^
    ");
    assert_snapshot!(errors("def f() {\n  x = 1;\n"), @r"
    error: expected a statement or `}`, found the end of the file
     --> a.ta:2:10
      |
    1 | def f() {
      |         - this `{` is not closed
    2 |   x = 1;
      |         ^
      |
      = help: close the function with `}`
    ");
}

/// Unclosed and mismatched brackets point at the bracket they are about.
#[test]
fn brackets() {
    assert_snapshot!(errors_in("A[i] = (b[i] + c[i];\nprint(A\nx = 1;\nB[i) = 2;\nf([1, 2);"), @r"
    error: expected `)`, found `;`
     --> a.ta:2:20
      |
    2 | A[i] = (b[i] + c[i];
      |        -           ^
      |        |
      |        this `(` is not closed
      |
      = help: close the bracket with `)`
    error: expected `)`, `,` or an operator, found `x`
     --> a.ta:3:8
      |
    3 | print(A
      |      - ^
      |      |
      |      this `(` is not closed
      |
      = help: close the bracket with `)`
    error: expected `]`, `,` or an operator, found `)`
     --> a.ta:5:4
      |
    5 | B[i) = 2;
      |  - ^
      |  |
      |  this `[` is not closed
      |
      = help: write `]` instead of `)`
    error: expected `]` or `,`, found `)`
     --> a.ta:6:8
      |
    6 | f([1, 2);
      |   -    ^
      |   |
      |   this `[` is not closed
      |
      = help: close the bracket with `]`
    ");
    assert_snapshot!(errors_in("x = 1);\n}"), @r"
    error: expected `;`, found `)`
     --> a.ta:2:6
      |
    2 | x = 1);
      |      ^
      |
      = help: this `)` closes nothing
    error: expected `def`, found `}`
     --> a.ta:4:1
      |
    4 | }
      | ^
      |
      = help: this `}` closes nothing; the function has ended before it
    ");
}

/// Neither an empty file nor a truncated one is a panic.
#[test]
fn truncated_files() {
    assert_snapshot!(errors(""), @"");
    assert_snapshot!(errors("def"), @r"
    error: expected a name, found the end of the file
     --> a.ta:1:4
      |
    1 | def
      |    ^
    ");
    assert_snapshot!(errors("def main() { A[i] = b["), @r"
    error: expected an index or `]`, found the end of the file
     --> a.ta:1:23
      |
    1 | def main() { A[i] = b[
      |                      -^
      |                      |
      |                      this `[` is not closed
      |
      = help: close the bracket with `]`
    error: expected `;` or an operator, found the end of the file
     --> a.ta:1:23
      |
    1 | def main() { A[i] = b[
      |                       ^
      |
      = help: end the statement with `;`
    ");
}

/// Nesting is limited where recursion would end the process: brackets, signs, chains, blocks.
#[test]
fn nesting_is_limited() {
    let deep = |open: &str, close: &str| {
        errors_in(&format!("x = {}1{};", open.repeat(100_000), close.repeat(100_000)))
    };
    for (open, close) in [("(", ")"), ("-", ""), ("1+", ""), ("f(", ")"), ("[", "]"), ("(", "")] {
        assert!(deep(open, close).starts_with("error: nested too deeply"), "{open}");
    }
    let blocks = format!("{}{}", "if x:\n".repeat(10_000), "end;".repeat(10_000));
    assert!(errors_in(&blocks).starts_with("error: nested too deeply"));
}

/// What the limit lets through can be walked by recursion on the stack of a test's thread.
#[test]
fn the_deepest_trees_can_be_walked() {
    let walk = |statement: String| {
        let source = Source::new("a.ta", format!("def main() {{ {statement} }}"));
        let module = parse(&source).expect("the nesting is below the limit");
        assert_eq!(module.clone(), module);
        assert!(!dump(&module).is_empty() && !format!("{module:?}").is_empty());
        format_module(&source).expect("what is parsed can be laid out");
    };
    walk(format!("x = {}1;", "-".repeat(250)));
    walk(format!("x = {}1;", "f(x) + ".repeat(250)));
    walk(format!("x = {}1{};", "2 * (".repeat(120), ")".repeat(120)));
    walk(format!("{}x = 1;{}", "if x: ".repeat(250), "end;".repeat(250)));
}

/// The limit is on depth, not on size: long arrays, long files and long argument lists are fine.
#[test]
fn size_is_not_limited() {
    assert_eq!(errors_in(&format!("x = [{}[1]];", "[-1, (2 + 3)],".repeat(5_000))), "");
    assert_eq!(errors_in(&"for i in range(3): x = f(-1, 2 + 3); end;\n".repeat(2_000)), "");
    assert_eq!(errors_in(&format!("x = {}1;", "1+".repeat(250))), "");
}

/// Long files of nothing but mistakes are answered in good time: no search goes back further than a
/// statement.
#[test]
fn many_errors_do_not_take_long() {
    let words = [
        "x = 1\n",
        "def ",
        "def f() { ",
        "]<",
        "x[i] < ",
        "¤ ) ;",
        "( ;",
        "if x: ) else ) end ",
        "else ",
        "end ",
        "} ",
        "x = (\n",
        "schedule { ",
        "A[i] = 1 schedule { ( ; } ",
        "\"\n",
        "for ) : end ",
        "= ",
        "1 ",
    ];
    for word in words {
        assert!(!parse_with_recovery(&Source::new("a.ta", word.repeat(1_000))).1.is_empty(), "{word}");
        assert!(
            !parse_with_recovery(&Source::new("a.ta", format!("def f() {{ {}", word.repeat(1_000))))
                .1
                .is_empty()
        );
    }
}
