//! The words and signs of TACO's notation.

use std::fmt;

use logos::Logos;

/// Declares the tokens. The rows are those whose text is fixed.
macro_rules! tokens {
    ($($name:ident = $text:tt,)*) => {
        /// A token; names and numbers keep the text they were written with. A `_` is no part of a name:
        /// `A_{i,j}` and `x_i` are accesses.
        #[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
        #[logos(skip r"[ \t\r\n\x0B\x0C\u{A0}\u{FEFF}]+")]
        pub(crate) enum NotationToken<'source> {
            #[regex(r"[A-Za-z][A-Za-z0-9]*")]
            Name(&'source str),
            #[regex(r"([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")]
            Number(&'source str),
            $(#[token($text)] $name,)*
        }

        impl fmt::Display for NotationToken<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self {
                    Self::Name(text) | Self::Number(text) => text,
                    $(Self::$name => $text,)*
                })
            }
        }
    };
}

tokens! {
    LeftParen = "(",
    RightParen = ")",
    LeftBrace = "{",
    RightBrace = "}",
    Comma = ",",
    Semicolon = ";",
    Underscore = "_",
    Assign = "=",
    Plus = "+",
    Minus = "-",
    Star = "*",
    Slash = "/",
}
