//! The text to a tree: the part of Scala's grammar that applications use, and nothing of what it means.
//!
//! Scala ends statements at line ends, except where a line cannot end one or the next cannot begin one; that
//! is settled between lexer and parser, in [`lexer::end_statements`]. Infix calls are calls: `m load d` and
//! `m.load(d)` are one tree, and so are `d f (a, b)` and `d.f(a, b)`.

mod depth;
mod lexer;
mod parser;
pub(crate) mod token;
pub(crate) mod tree;

pub(crate) use parser::{parse, precedence};

/// What a step of the parser or the reader comes to: a part of the application, or the first mistake in it.
pub(crate) type Result<T> = std::result::Result<T, comet_diag::Diagnostic>;
