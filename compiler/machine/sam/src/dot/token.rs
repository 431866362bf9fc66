//! The words and signs of DOT.

use logos::Logos;

/// A token; identifiers keep the text they were written with. Comments and the lines of a C preprocessor are
/// skipped.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\x0B\x0C\u{FEFF}]+")]
#[logos(skip(r"(//|#)[^\n]*", allow_greedy = true))]
#[logos(skip r"/\*([^*]|\*+[^*/])*\*+/")]
pub(crate) enum DotToken<'source> {
    #[token("digraph", ignore(case))]
    Digraph,
    #[token("graph", ignore(case))]
    Graph,
    #[token("node", ignore(case))]
    Node,
    #[token("edge", ignore(case))]
    Edge,
    #[token("subgraph", ignore(case))]
    Subgraph,
    #[token("strict", ignore(case))]
    Strict,
    #[regex(r"[A-Za-z_\u{80}-\u{FEFE}\u{FF00}-\u{10FFFF}][A-Za-z0-9_\u{80}-\u{FEFE}\u{FF00}-\u{10FFFF}]*")]
    Name(&'source str),
    #[regex(r"-?(\.[0-9]+|[0-9]+(\.[0-9]*)?)")]
    Number(&'source str),
    /// With its quotes.
    #[regex(r#""([^"\\]|\\(.|\n))*""#)]
    Quoted(&'source str),
    #[token("{")]
    LeftBrace,
    #[token("}")]
    RightBrace,
    #[token("[")]
    LeftBracket,
    #[token("]")]
    RightBracket,
    #[token("=")]
    Equals,
    #[token("->")]
    Arrow,
    #[token("--")]
    Line,
    #[token(",")]
    Comma,
    #[token(";")]
    Semicolon,
    #[token(":")]
    Colon,
    #[token("<")]
    Less,
    #[token("+")]
    Plus,
}
