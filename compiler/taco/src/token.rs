//! The words and signs of TACO's notation.

use std::fmt;

use logos::Logos;

/// A token; names and numbers keep the text they were written with. A `_` is no part of a name: `A_{i,j}` and
/// `x_i` are accesses.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\x0B\x0C\u{A0}\u{FEFF}]+")]
pub(crate) enum NotationToken<'source> {
    #[regex(r"[A-Za-z][A-Za-z0-9]*")]
    Name(&'source str),
    #[regex(r"([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")]
    Number(&'source str),
    #[token("(")]
    LeftParen,
    #[token(")")]
    RightParen,
    #[token("{")]
    LeftBrace,
    #[token("}")]
    RightBrace,
    #[token(",")]
    Comma,
    #[token(";")]
    Semicolon,
    #[token("_")]
    Underscore,
    #[token("=")]
    Assign,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    #[token("/")]
    Slash,
}

impl fmt::Display for NotationToken<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NotationToken::Name(text) | NotationToken::Number(text) => text,
            NotationToken::LeftParen => "(",
            NotationToken::RightParen => ")",
            NotationToken::LeftBrace => "{",
            NotationToken::RightBrace => "}",
            NotationToken::Comma => ",",
            NotationToken::Semicolon => ";",
            NotationToken::Underscore => "_",
            NotationToken::Assign => "=",
            NotationToken::Plus => "+",
            NotationToken::Minus => "-",
            NotationToken::Star => "*",
            NotationToken::Slash => "/",
        })
    }
}
