//! What the grammar's reductions do beyond building a node: words whose meaning depends on their place.

use comet_diag::{Diagnostic, Span};
use comet_format::LEVEL_FORMATS;
use lalrpop_util::{ErrorRecovery, ParseError};
use std::str::FromStr;

use crate::ast::{
    BinaryOp, ByteUnit, Element, Expr, ExprKind, FormatKind, FormatOptionKind, Function, FunctionName, Ident,
    Identity, IdentityValue, Index, IndexWidth, LevelKind, MaskMethod, MemoryRegion, Module, Number,
    Operator, OperatorName, OperatorProperties, ProcessPlacement, Stmt, StmtKind, WrittenLevel,
};
use crate::token::Token;

/// The word of the level format that takes an argument.
const BIT_VECTOR: &str = "BV";

pub(crate) type SyntaxError<'source> = ParseError<usize, Token<'source>, &'static str>;

/// What one run of the parser collects beside the tree.
#[derive(Default)]
pub(crate) struct Actions<'source> {
    /// Where the tokens did not fit the grammar.
    pub(crate) syntax_errors: Vec<SyntaxError<'source>>,
    /// Words that mean nothing in their place.
    pub(crate) word_errors: Vec<Diagnostic>,
    /// The operators of each `@(…)` with a word that has to be a function of the file.
    named_operators: Vec<Vec<WrittenOperator>>,
}

/// An operator as it stands in `@(…)`, or a word that is none of the language.
type WrittenOperator = Result<Operator, Ident>;

/// What stands between the parentheses of `operator(…)`.
pub(crate) enum Property {
    /// `associative`.
    Word(Ident),
    /// `identity=0`.
    Setting(Ident, Identity),
}

/// `CSR`, `BCSR<4,4>`, `D`, `BV<64>` before it is known whether it names a format or a level.
pub(crate) struct FormatItem {
    pub(crate) name: Ident,
    pub(crate) args: Option<Vec<(Number, Span)>>,
    pub(crate) span: Span,
}

/// What stands behind the `=` of an option.
pub(crate) enum OptionValue {
    /// `{1,0}`.
    Numbers(Vec<Number>),
    /// `onchip`.
    Word(Ident),
}

impl<'source> Actions<'source> {
    /// Records the error of a recovery; what was dropped is not needed.
    pub(crate) fn syntax_error(&mut self, recovery: ErrorRecovery<usize, Token<'source>, &'static str>) {
        self.syntax_errors.push(recovery.error);
    }

    fn word_error(&mut self, word: &Ident, expected: &str, hint: &str) {
        let message = format!("expected {expected}, found `{}`", word.name);
        self.word_errors.push(Diagnostic::error(word.span, message).hint(hint));
    }

    /// `range` takes a stop, a start and a stop, or these and a step.
    pub(crate) fn check_bounds(&mut self, bounds: &[Expr], span: Span) {
        if bounds.len() > 3 {
            let message = format!("`range` takes one to three bounds, found {}", bounds.len());
            let hint = "write `range(stop)`, `range(start, stop)` or `range(start, stop, step)`";
            self.word_errors.push(Diagnostic::error(span, message).hint(hint));
        }
    }

    /// `{CSR}` names a format; anything else in braces is a list of levels, also `{D}`.
    pub(crate) fn braced_format(&mut self, mut items: Vec<FormatItem>) -> FormatKind {
        match items.pop() {
            Some(only) if items.is_empty() && !is_level(&only.name.name) => format_name(only),
            last => FormatKind::Levels(items.into_iter().chain(last).map(|item| self.level(item)).collect()),
        }
    }

    /// A level; one that is none is reported and read as dense.
    pub(crate) fn level(&mut self, item: FormatItem) -> WrittenLevel {
        let kind = match (item.name.name.as_str(), &item.args) {
            (BIT_VECTOR, args) => self.bit_vector(args.as_deref().unwrap_or_default(), item.span),
            (word, None) => word.parse().unwrap_or_else(|_| self.not_a_level(&item)),
            _ => self.not_a_level(&item),
        };
        WrittenLevel { kind, span: item.span }
    }

    fn bit_vector(&mut self, args: &[(Number, Span)], span: Span) -> LevelKind {
        if let [(Number { integer: Some(bits), .. }, _)] = args {
            return self.words_of_bits(bits.unsigned_abs(), span);
        }
        let error = Diagnostic::error(span, "expected the word size of the level `BV` as one integer");
        self.word_errors.push(error.hint("write `BV<64>`"));
        LevelKind::BitVector(64)
    }

    /// Widths that a level cannot even hold are reported here, other wrong ones by semantic analysis.
    fn words_of_bits(&mut self, bits: u64, span: Span) -> LevelKind {
        u32::try_from(bits).map(LevelKind::BitVector).unwrap_or_else(|_| {
            let message = format!("a bit vector's words have 8, 16, 32 or 64 bits, found {bits}");
            let hint = "write `BV<64>`, or the width your target has";
            self.word_errors.push(Diagnostic::error(span, message).hint(hint));
            LevelKind::BitVector(64)
        })
    }

    fn not_a_level(&mut self, item: &FormatItem) -> LevelKind {
        if is_level(&item.name.name) {
            let error =
                Diagnostic::error(item.span, format!("the level `{}` takes no argument", item.name.name));
            self.word_errors.push(error.hint("only `BV<b>` has one, the bits of its words"));
        } else {
            let hint = format!("the levels are {}", comet_format::level_words(|_| true, " and ", "<b>"));
            self.word_error(&item.name, "a level", &hint);
        }
        LevelKind::Dense
    }

    /// An option; one that is none is reported and read as the default.
    pub(crate) fn format_option(&mut self, name: Ident, value: OptionValue, span: Span) -> FormatOptionKind {
        match (name.name.as_str(), value) {
            ("order", OptionValue::Numbers(numbers)) => FormatOptionKind::Order(numbers),
            ("memory", OptionValue::Word(word)) => FormatOptionKind::Memory(self.memory(&word)),
            ("index", OptionValue::Word(word)) => FormatOptionKind::Index(self.index_width(&word)),
            ("on", OptionValue::Word(word)) => FormatOptionKind::On(self.process_placement(&word)),
            _ => self.not_an_option(&name, span),
        }
    }

    /// The type of elements; a word that is none is reported and read as `double`.
    pub(crate) fn element(&mut self, word: &Ident) -> Element {
        if let Some(element) = Element::named(&word.name) {
            return element;
        }
        self.word_error(word, "an element type", &element_hint());
        Element::F64
    }

    fn memory(&mut self, word: &Ident) -> MemoryRegion {
        self.region_of(word, "write `memory=onchip` or `memory=offchip`")
    }

    /// The region in front of the format of a workspace.
    pub(crate) fn region(&mut self, word: Ident) -> MemoryRegion {
        self.region_of(&word, "write `W : onchip {D}` or `W : offchip {D}`")
    }

    fn region_of(&mut self, word: &Ident, hint: &str) -> MemoryRegion {
        self.word_of(word, "a memory region", hint).unwrap_or(MemoryRegion::OffChip)
    }

    fn index_width(&mut self, word: &Ident) -> IndexWidth {
        let hint = "write `index=i32` or `index=i64`";
        self.word_of(word, "an index width", hint).unwrap_or(IndexWidth::I32)
    }

    fn process_placement(&mut self, word: &Ident) -> ProcessPlacement {
        let hint = "write `on=rows` or `on=replicated`";
        self.word_of(word, "what each process has", hint).unwrap_or(ProcessPlacement::Rows)
    }

    fn not_an_option(&mut self, name: &Ident, span: Span) -> FormatOptionKind {
        let hint = match name.name.as_str() {
            "order" => "write the order as numbers in braces: `order={1,0}`",
            "memory" => "write `memory=onchip` or `memory=offchip`",
            "index" => "write `index=i32` or `index=i64`",
            "on" => "write `on=rows` or `on=replicated`",
            _ => "the options are `order={…}`, `memory=…`, `index=…` and `on=…`",
        };
        let known = matches!(name.name.as_str(), "order" | "memory" | "index" | "on");
        let what = if known { "malformed value of the option" } else { "unknown option" };
        let error = Diagnostic::error(span, format!("{what} `{}`", name.name));
        self.word_errors.push(error.hint(hint));
        FormatOptionKind::Index(IndexWidth::I32)
    }

    pub(crate) fn mask_method(&mut self, word: Ident) -> Option<MaskMethod> {
        let hint = "a mask is written `<M>`, `<!M>` or `<M, push>`";
        self.word_of(&word, "`push`, `pull` or `auto`", hint)
    }

    pub(crate) fn byte_unit(&mut self, word: Ident) -> Option<ByteUnit> {
        self.word_of(&word, "a unit", "the units are `B`, `KiB` and `MiB`")
    }

    fn word_of<T: FromStr>(&mut self, word: &Ident, expected: &str, hint: &str) -> Option<T> {
        let found = word.name.parse().ok();
        if found.is_none() {
            self.word_error(word, expected, hint);
        }
        found
    }

    /// The operator of a monoid.
    pub(crate) fn monoid(&mut self, operator: WrittenOperator) -> OperatorName {
        let [operator] = self.semiring([operator]);
        operator
    }

    /// The operators in the parentheses of `@(…)`; words are functions, which [`Self::finish`] looks for.
    pub(crate) fn semiring<const N: usize>(&mut self, operators: [WrittenOperator; N]) -> [OperatorName; N] {
        if operators.iter().any(Result::is_err) {
            self.named_operators.push(operators.to_vec());
        }
        operators.map(|operator| match operator {
            Ok(operator) => OperatorName::Operator(operator),
            Err(word) => OperatorName::Function(FunctionName::of(&word.name)),
        })
    }

    /// Reports the words of `@(…)` that are no functions of the file, in one message for each. `functions`
    /// has the names behind `def`, also of functions that cannot be read.
    pub(crate) fn finish(&mut self, functions: &[&str], module: &Module) {
        let of_two = module.functions.iter().filter(|function| function.is_of_two_numbers());
        let names =
            FileNames { functions, of_two: of_two.map(|function| function.name.name.as_str()).collect() };
        for operators in std::mem::take(&mut self.named_operators) {
            self.word_errors.extend(unknown_operators(&operators, &names));
        }
    }

    /// What a function states of itself as an operator.
    pub(crate) fn properties(&mut self, properties: Vec<Property>, span: Span) -> OperatorProperties {
        let mut stated =
            OperatorProperties { identity: None, is_associative: false, is_commutative: false, span };
        for property in properties {
            let (word, is_repeated) = match property {
                Property::Word(word) if word.name == "associative" => {
                    (word, std::mem::replace(&mut stated.is_associative, true))
                }
                Property::Word(word) if word.name == "commutative" => {
                    (word, std::mem::replace(&mut stated.is_commutative, true))
                }
                Property::Setting(word, identity) if word.name == "identity" => {
                    (word, stated.identity.replace(identity).is_some())
                }
                Property::Word(word) | Property::Setting(word, _) => {
                    let expected = "`identity=…`, `associative` or `commutative`";
                    self.word_error(
                        &word,
                        expected,
                        "write `operator(identity=0, associative, commutative)`",
                    );
                    continue;
                }
            };
            if is_repeated {
                let message = format!("`{}` is stated twice", word.name);
                self.word_errors.push(Diagnostic::error(word.span, message).hint("leave one out"));
            }
        }
        stated
    }

    pub(crate) fn identity_word(&mut self, word: Ident) -> IdentityValue {
        if word.name != "inf" {
            let hint = "`inf` is infinity, and of integers the largest one";
            self.word_error(&word, "a number or `inf`", hint);
        }
        IdentityValue::Infinite
    }
}

/// The names of the functions of a file, and of those that can be operators.
struct FileNames<'a> {
    functions: &'a [&'a str],
    of_two: Vec<&'a str>,
}

impl FileNames<'_> {
    fn has(&self, word: &Ident) -> bool {
        self.functions.contains(&word.name.as_str())
    }
}

/// The error about the words in `@(…)` that are neither operators nor functions.
fn unknown_operators(operators: &[WrittenOperator], names: &FileNames<'_>) -> Option<Diagnostic> {
    let words = operators.iter().filter_map(|operator| operator.as_ref().err());
    let unknown: Vec<&Ident> = words.filter(|word| !names.has(word)).collect();
    let expected = match (operators.len(), unknown.len()) {
        (1, _) => "an operator of a monoid",
        (_, 1) => "an operator of a semiring",
        _ => "operators of a semiring",
    };
    let found: Vec<String> = unknown.iter().map(|word| format!("`{}`", word.name)).collect();
    let message = format!("expected {expected}, found {}", found.join(" and "));
    let error = Diagnostic::error(unknown.first()?.span.to(unknown.last()?.span), message);
    Some(error.hint(semiring_hint(operators, names)))
}

/// The element types, for messages.
pub(crate) fn element_hint() -> String {
    let words: Vec<String> = Element::ALL.iter().map(|element| format!("`{}`", element.word())).collect();
    let (last, others) = words.split_last().expect("there are element types");
    format!("the element types are {} and {last}", others.join(", "))
}

/// The operators as the language writes them, where each word is another name of one.
fn semiring_hint(operators: &[WrittenOperator], names: &FileNames<'_>) -> String {
    let operators = operators.iter().map(|operator| match operator {
        Ok(operator) => Some(operator.symbol()),
        Err(word) if names.has(word) => Some(word.name.as_str()),
        Err(word) => Operator::of_alias(&word.name).map(Operator::symbol),
    });
    match operators.collect::<Option<Vec<&str>>>() {
        Some(operators) => format!("did you mean `@({})`?", operators.join(",")),
        None => {
            let monoids = Operator::ALL.iter().copied().filter(|operator| operator.is_monoid());
            let own = match names.of_two.as_slice() {
                [] => String::new(),
                own => format!(", and of this file `{}`", own.join(" ")),
            };
            format!(
                "the operators are `{}`{own}, as in `@(min,+)`",
                symbols(&monoids.collect::<Vec<_>>(), " ")
            )
        }
    }
}

fn symbols(operators: &[Operator], separator: &str) -> String {
    operators.iter().map(|operator| operator.symbol()).collect::<Vec<_>>().join(separator)
}

fn is_level(name: &str) -> bool {
    LEVEL_FORMATS.iter().any(|format| format.word == name)
}

/// A format outside of braces is always a name.
pub(crate) fn format_name(item: FormatItem) -> FormatKind {
    FormatKind::Name { name: item.name, args: item.args.unwrap_or_default() }
}

pub(crate) fn binary(op: BinaryOp, op_span: Span, left: Expr, right: Expr) -> ExprKind {
    ExprKind::Binary { op, op_span, left: Box::new(left), right: Box::new(right) }
}

/// A bare word may be a label.
pub(crate) fn index(expr: Expr) -> Index {
    match expr.kind {
        ExprKind::Name(name) => Index::Name(Ident { name, span: expr.span }),
        _ => Index::At(expr),
    }
}

/// The text between the quotes; the second one is missing where the lexer has reported it.
pub(crate) fn string(quoted: &str) -> ExprKind {
    let text = quoted.strip_prefix('"').unwrap_or(quoted);
    ExprKind::Str(text.strip_suffix('"').unwrap_or(text).to_owned())
}

pub(crate) fn broken_expr(span: Span) -> Expr {
    Expr { kind: ExprKind::Error, span }
}

pub(crate) fn broken_statement(span: Span) -> Stmt {
    Stmt { kind: StmtKind::Expr(broken_expr(span)), span }
}

pub(crate) fn broken_header(span: Span) -> (Ident, Vec<Expr>) {
    (Ident { name: String::new(), span }, vec![broken_expr(span)])
}

/// A function whose header could not be read keeps its body, so that errors there are found too.
pub(crate) fn broken_function(body: Vec<Stmt>, span: Span) -> Function {
    let name = Ident { name: String::new(), span };
    Function { name, params: Vec::new(), result: None, properties: None, body, span }
}
