//! Random trees are printed and read again; random texts are read without a panic.

mod generate;

use comet_diag::{Diagnostic, Source, render};
use comet_syntax::ast::{BinaryOp, Expr, ExprKind, Module, StmtKind};
use comet_syntax::{dump, format_module, parse, parse_with_recovery, print_module};
use proptest::prelude::*;

use generate::module;

/// The tree without its places, as a text that can be compared.
fn without_places(module: &Module) -> String {
    let debug = format!("{module:?}");
    let mut parts = debug.split("Span {");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + "Span" + part.split_once('}').map_or("", |(_, behind)| behind))
}

fn read(text: &str) -> Result<Module, Vec<Diagnostic>> {
    parse(&Source::new("a.ta", text))
}

/// Everything that can be done with a text; places are inside of it and messages can be shown.
fn read_anything(text: &str) -> Result<(), TestCaseError> {
    let source = Source::new("a.ta", text);
    let (module, errors) = parse_with_recovery(&source);
    for error in &errors {
        let span = error.span().expect("a syntax error has a place");
        prop_assert!(span.start <= span.end && span.end <= text.len(), "{error:?}");
        prop_assert!(render(error, &source, comet_diag::Color::Never).contains(&error.message[..1]));
    }
    prop_assert_eq!(format_module(&source).is_ok(), errors.is_empty());
    dump(&module);
    print_module(&module);
    Ok(())
}

/// Words and signs, the likely ones more than once.
const SOUP: [&str; 74] = [
    "def",
    "def main() {",
    "}",
    "{",
    "(",
    ")",
    "[",
    "]",
    ";",
    ";",
    ";",
    ",",
    ",",
    ":",
    "?",
    "!",
    "@",
    "@(+,*)",
    "%",
    "->",
    "=",
    "=",
    "+=",
    "-=",
    "==",
    "!=",
    "<",
    "<=",
    ">",
    ">=",
    ">=",
    "+",
    "-",
    "*",
    ".*",
    "/",
    "&",
    "|",
    "var",
    "return",
    "IndexLabel",
    "Tensor",
    "Tensor<double>",
    "double",
    "float",
    "int",
    "for",
    "for i in range(3):",
    "in",
    "range",
    "end",
    "end",
    "if",
    "if x:",
    "else",
    "else:",
    "while",
    "transpose",
    "schedule",
    "schedule {",
    "push",
    "A",
    "A[i]",
    "A[i]<M>",
    "i",
    "j",
    "5",
    "1.5",
    ".",
    "\"s\"",
    "\"",
    "#",
    "\u{2212}",
    "BV<64>",
];

fn soup() -> impl Strategy<Value = String> {
    let separators = prop::sample::select(vec!["", " ", " ", "\n"]);
    let words = prop::collection::vec((prop::sample::select(SOUP.to_vec()), separators), 0..60);
    words.prop_map(|words| words.into_iter().flat_map(|(word, separator)| [word, separator]).collect())
}

/// A printed program in which some words are missing.
fn damaged() -> impl Strategy<Value = String> {
    (module(), any::<prop::sample::Index>(), 0..4usize).prop_map(|(module, at, count)| {
        let text = print_module(&module);
        let mut words: Vec<&str> = text.split_inclusive([' ', ',', '(', '\n']).collect();
        let from = at.index(words.len() + 1);
        let to = words.len().min(from + count);
        words.drain(from..to);
        words.concat()
    })
}

/// A sum with parentheses anywhere, also where they say nothing.
fn sum() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec!["a", "b[i]", "-c", "2"]).prop_map(str::to_owned);
    leaf.prop_recursive(4, 24, 2, |inner| {
        let operator = prop::sample::select(vec!["+", "-", "*", "/"]);
        prop_oneof![
            3 => (inner.clone(), operator, inner.clone()).prop_map(|(left, sign, right)| format!("{left} {sign} {right}")),
            2 => inner.prop_map(|inner| format!("({inner})")),
        ]
    })
}

/// The terms of the sums in the only expression of a program: what Einstein notation reduces around.
fn terms(text: &str) -> Result<String, TestCaseError> {
    let module = read(text).map_err(|errors| TestCaseError::fail(format!("{text}\n{errors:?}")))?;
    let StmtKind::Assign(assign) = &module.functions[0].body[0].kind else {
        panic!("the program is an assignment")
    };
    Ok(grouping(&assign.value))
}

fn grouping(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Binary { op, left, right, .. } => {
            let is_sum = |op: &BinaryOp| matches!(op, BinaryOp::Add | BinaryOp::Sub);
            let left_is_sum = matches!(&left.kind, ExprKind::Binary { op, .. } if is_sum(op));
            let is_term = is_sum(op) && left_is_sum && left.is_grouped();
            format!("({}{} {op:?} {})", if is_term { "term " } else { "" }, grouping(left), grouping(right))
        }
        ExprKind::Neg(operand) => format!("-{}", grouping(operand)),
        ExprKind::Name(name) => name.clone(),
        ExprKind::Access { tensor, .. } => tensor.name.clone(),
        _ => "2".to_owned(),
    }
}

/// A printed program with other white space and with comments.
fn commented() -> impl Strategy<Value = (Module, String)> {
    let space = prop::sample::select(vec![" ", " ", "\n", "\n\n\n", " # c\n", "\n# c\n", "\n\n #c \r\n\n"]);
    (module(), prop::collection::vec(space, 1..40)).prop_map(|(module, spaces)| {
        let printed = print_module(&module);
        let words = printed.split_whitespace().zip(spaces.iter().cycle());
        let text = words.flat_map(|(word, space)| [word, space]).collect();
        (module, text)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// The printer writes what the parser reads.
    #[test]
    fn printed_trees_are_read_again(module in module()) {
        let text = print_module(&module);
        let again = read(&text).map_err(|errors| TestCaseError::fail(format!("{text}\n{errors:?}")))?;
        prop_assert_eq!(without_places(&again), without_places(&module), "{}", text);
        prop_assert_eq!(print_module(&again), text);
    }

    /// Laying a text out keeps its meaning and its comments, and does nothing the second time.
    #[test]
    fn layout_keeps_trees_and_comments((module, text) in commented()) {
        let layout = |text: &str| format_module(&Source::new("a.ta", text));
        let once = layout(&text).map_err(|errors| TestCaseError::fail(format!("{text}\n{errors:?}")))?;
        let again = read(&once).map_err(|errors| TestCaseError::fail(format!("{once}\n{errors:?}")))?;
        prop_assert_eq!(without_places(&again), without_places(&module));
        prop_assert_eq!(once.matches('#').count(), text.matches('#').count());
        prop_assert_eq!(layout(&once), Ok(once));
    }

    /// Laying a text out keeps what is one term of a sum.
    #[test]
    fn layout_keeps_terms(sum in sum()) {
        let text = format!("def main() {{ y[i] = {sum}; }}");
        let laid_out = format_module(&Source::new("a.ta", &text)).expect("the sum is well formed");
        prop_assert_eq!(terms(&laid_out)?, terms(&text)?, "{}", laid_out);
    }

    /// Any characters can be read.
    #[test]
    fn any_text_can_be_read(text in "(\\PC|[ \r\n\"#.;{}<>=@\\[\\]0-9]){0,80}") {
        read_anything(&text)?;
    }

    /// Any tokens can be read.
    #[test]
    fn any_tokens_can_be_read(text in soup()) {
        read_anything(&text)?;
        read_anything(&format!("def main() {{ {text}; }}"))?;
    }

    /// Programs with a gap can be read.
    #[test]
    fn damaged_programs_can_be_read(text in damaged()) {
        read_anything(&text)?;
    }
}
