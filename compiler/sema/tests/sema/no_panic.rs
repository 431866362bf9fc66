//! Whatever parses is checked without a panic, and an error has a place.

use comet_diag::Source;
use comet_sema::check;
use proptest::prelude::*;

use crate::dump::dump;
use crate::invariants;

/// Words that often make something that parses.
const WORDS: &[&str] = &[
    "A",
    "B",
    "x",
    "y",
    "s",
    "t",
    "i",
    "j",
    "k",
    "f",
    "g",
    "main",
    "0",
    "1",
    "2.5",
    "4",
    "\"a.tns\"",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<",
    ">",
    ",",
    ";",
    ":",
    "=",
    "+=",
    "-=",
    "+",
    "-",
    "*",
    ".*",
    "/",
    "@(min,+)",
    "@(max)",
    "@(first,any)",
    "==",
    "&",
    "|",
    "!",
    "?",
    "var",
    "if",
    "else",
    "end",
    "while",
    "for i in range(",
    "return",
    "IndexLabel",
    "Tensor<double>",
    "Tensor<int>",
    "CSR",
    "Dense",
    "COO",
    "{D, CU}",
    "{S}",
    "order={1,0}",
    "comet_read(",
    "random(",
    "SUM(",
    "print(",
    "getTime()",
    "transpose(A[i,j], {j,i})",
    "comet_write(",
    "schedule {",
    "split(i, io, ii, 4)",
    "order(i, j)",
];

/// Declarations, some of which contradict each other.
const DECLARATIONS: &[&str] = &[
    "IndexLabel [i, j, k] = [?];",
    "IndexLabel [i] = [4];",
    "IndexLabel [j] = [0:9:2];",
    "Tensor<double> A([i, j], CSR);",
    "Tensor<double> B([j, k], COO);",
    "Tensor<float> x([j], Dense);",
    "Tensor<int> y([?], Dense);",
    "Tensor<double> C([4, 4], ELL);",
    "var s = 1;",
    "var t = SUM(A[i,j] * s);",
];

/// Declarations that go together.
const GOOD_DECLARATIONS: &str =
    "IndexLabel [i, j, k] = [4]; Tensor<double> A([i, j], CSR); Tensor<double> B([j, k], COO);
    Tensor<float> x([j], Dense); Tensor<int> y([?], Dense); Tensor<double> C([4, 4], ELL); var s = 1;";

/// Statements that check after those, or nearly do.
const STATEMENTS: &[&str] = &[
    "A[i,j] = comet_read(0);",
    "B[i,j] = random(0.5, 1);",
    "x[i] = 1.5;",
    "y[i] = [1, 2, 3, 4];",
    "y[i] = A[i,j] * x[j];",
    "y[i] = (A[i,j] + x[i]) * x[j] - SUM(B[i,k]);",
    "C[i,j]<!A, push> += A[i,k] @(min,+) B[k,j];",
    "s = s + 0.5;",
    "y[i] = ((x[j] + y[j]) + x[k]) @(max,*) B[i,k];",
    "C[i,j] = -(A[i,k] + B[i,j]) / (A[k,j] - (x[i] + y[k]) * 2);",
    "print(s);",
    "print(A);",
    "comet_write(A, \"a.tns\");",
    "C[i,j] = comet_read(\"a.tns\");",
    "print(s @(min) 2);",
    "if s > 1: var t = 2; x[i] = t; else: s = 3; end",
    "for r in range(0, 4): s = r * s; y[i] = r; end",
    "while s < 3: s = s + 1; end",
    "y[i] = f(A, x);",
    "s = g(s);",
    "f(A, x);",
    "return;",
    "return s;",
    "x[i] = A[i];",
    "A[i,j] = B[i,k] * B[k,j] schedule { split(i, io, ii, 4); order(io, ii, k, j); };",
];

const KERNELS: &str = "def f(Tensor<double> A([i, j], CSR), Tensor<float> x([j], Dense)) -> Tensor<int> y([i], Dense) { y[i] = A[i,j] * x[j]; }
def g(double s) -> double t { t = s * 2; }
";

/// Checks what can be read of the text: the gaps of what cannot are in the tree.
fn survives(text: &str) {
    let source = Source::new("a.ta", text);
    let (module, _) = comet_syntax::parse_with_recovery(&source);
    match check(&module, &source) {
        Ok(program) => {
            assert_eq!(dump(&program).is_empty(), module.functions.is_empty());
            program.functions.iter().for_each(invariants::check);
        }
        Err(errors) => assert!(!errors.is_empty() && errors.iter().all(|error| error.span().is_some())),
    }
    // A tree need not come from the text.
    let other = check(&module, &Source::new("b.ta", ""));
    assert_eq!(other.is_ok(), check(&module, &source).is_ok());
}

proptest! {
    #[test]
    fn token_soups(words in prop::collection::vec(prop::sample::select(WORDS), 0..60)) {
        survives(&format!("def main() {{ {} }}", words.join(" ")));
        survives(&words.join(" "));
    }

    #[test]
    fn statement_soups(
        declarations in prop::collection::vec(prop::sample::select(DECLARATIONS), 0..8),
        statements in prop::collection::vec(prop::sample::select(STATEMENTS), 0..8),
    ) {
        let statements = statements.join("\n");
        survives(&format!("{KERNELS}def main() {{ {} {statements} }}", declarations.join("\n")));
        survives(&format!("{KERNELS}def main() {{ {GOOD_DECLARATIONS} {statements} }}"));
    }
}

/// The deepest tree that the limit lets through fits the stack of a thread; a deeper one is an error.
#[test]
fn deep_trees() {
    for depth in [100, 250, 300, 5000] {
        let sum = vec!["y[i]"; depth].join(" + ");
        let negated = "-".repeat(depth);
        survives(&format!(
            "def main() {{ IndexLabel i = [4]; Tensor<double> y([i], Dense); y[i] = {sum}; y[i] = {negated}2; }}"
        ));
        let blocks = "if 1: ".repeat(depth) + "print(1);" + &" end;".repeat(depth);
        survives(&format!("def main() {{ {blocks} }}"));
    }
}
