//! The canonical layout of a program: `comet fmt`.
//!
//! Two spaces for each block, one statement on a line, at most one blank line in a row, one between
//! functions. Comments keep their order; one inside of a statement moves in front of it.

pub(crate) mod expr;
pub(crate) mod pieces;
mod stmt;
mod trivia;

use comet_diag::{Diagnostic, Source};

use crate::ast::{Function, Module, Param};
use crate::parser::parse;
use crate::token::Token;
use expr::ExprPrinter;
pub use pieces::print_format;
use pieces::{joined, properties, tensor};
use trivia::Trivia;

/// The text of a program in its canonical layout, with its comments.
///
/// # Errors
/// Every syntax error of the program.
pub fn format_module(source: &Source) -> Result<String, Vec<Diagnostic>> {
    let module = parse(source)?;
    Ok(Printer::new(Trivia::of(source.text())).module(&module))
}

/// The text of a tree that has none; its spans are not looked at. Trees deeper than the parser allows can be
/// printed but not read again.
pub fn print_module(module: &Module) -> String {
    Printer::new(Trivia::default()).module(module)
}

/// Writes lines and keeps track of the place in the source they come from.
struct Printer<'source> {
    out: String,
    indent: usize,
    trivia: Trivia<'source>,
    exprs: ExprPrinter<'source>,
    /// Where in the source that ends which was printed last.
    last_end: usize,
    gap: Gap,
}

/// What may stand in front of the next line.
#[derive(Clone, Copy, PartialEq)]
enum Gap {
    /// The beginning of a block.
    Never,
    /// A blank line if the source has one.
    AsWritten,
    /// The end of a function.
    Always,
}

impl<'source> Printer<'source> {
    fn new(trivia: Trivia<'source>) -> Self {
        let exprs = ExprPrinter { text: trivia.text };
        Self { out: String::new(), indent: 0, trivia, exprs, last_end: 0, gap: Gap::Never }
    }

    fn module(mut self, module: &Module) -> String {
        for function in &module.functions {
            self.function(function);
        }
        self.comments_before(usize::MAX);
        self.out
    }

    fn function(&mut self, function: &Function) {
        let open = self.trivia.find(Token::BodyBrace, function.span.start);
        self.begin(function.span.start, open.end);
        let params = joined(&function.params, ", ", param);
        let result =
            function.result.as_ref().map(|result| format!(" -> {}", param(result))).unwrap_or_default();
        let properties =
            function.properties.as_ref().map(|stated| format!(" {}", properties(stated))).unwrap_or_default();
        self.line(&format!("def {}({params}){result}{properties} {{", function.name.name), open.end);
        self.block(&function.body, function.span.end.saturating_sub(1));
        self.line("}", function.span.end);
        self.gap = Gap::Always;
    }

    /// The comments in front of something and those in the middle of its first line, which ends at
    /// `head_end`.
    fn begin(&mut self, start: usize, head_end: usize) {
        self.comments_before(start);
        self.separate(start);
        while let Some((_, comment)) = self.trivia.comment_before(head_end) {
            self.write_line(comment);
        }
    }

    fn comments_before(&mut self, limit: usize) {
        while let Some((span, comment)) = self.trivia.comment_before(limit) {
            self.separate(span.start);
            self.write_line(comment);
            self.last_end = span.end;
        }
    }

    /// The blank line in front of what begins at `start`.
    fn separate(&mut self, start: usize) {
        let blank = match self.gap {
            Gap::Never => false,
            Gap::AsWritten => self.trivia.has_blank_line(self.last_end, start),
            Gap::Always => true,
        };
        if blank {
            self.out.push('\n');
        }
        self.gap = Gap::AsWritten;
    }

    /// A line that ends at `end` in the source, with the comment behind it.
    fn line(&mut self, text: &str, end: usize) {
        self.last_end = end;
        match self.trivia.comment_behind(end) {
            Some((span, comment)) => {
                self.last_end = span.end;
                self.write_line(&format!("{text} {comment}"));
            }
            None => self.write_line(text),
        }
    }

    fn write_line(&mut self, text: &str) {
        self.out.extend(std::iter::repeat_n("  ", self.indent));
        self.out.push_str(text);
        self.out.push('\n');
    }
}

fn param(param: &Param) -> String {
    match param {
        Param::Tensor(decl) => tensor(decl),
        Param::Scalar { element: kind, name, .. } => {
            format!("{} {}", kind.word(), name.name).trim_end().to_owned()
        }
    }
}
