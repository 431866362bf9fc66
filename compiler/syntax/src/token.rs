//! The words and signs of the language.

use std::fmt;

use logos::{Lexer, Logos};

/// Declares the tokens. The rows are those whose text is fixed.
macro_rules! tokens {
    ($($name:ident = $text:tt,)*) => {
        /// A token; words keep the text they were written with.
        #[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
        #[logos(skip r"[ \t\r\n\x0B\x0C\u{A0}\u{FEFF}]+")]
        pub(crate) enum Token<'source> {
            $(#[token($text)] $name,)*
            #[regex("[A-Za-z_][A-Za-z0-9_]*")]
            Ident(&'source str),
            #[regex(r"[0-9]+", with_final_dot)]
            #[regex(r"[0-9]+[eE][+-]?[0-9]+")]
            #[regex(r"[0-9]*\.[0-9]+([eE][+-]?[0-9]+)?")]
            #[regex(r"[0-9]+\.[eE][+-]?[0-9]+")]
            Number(&'source str),
            /// With its quotes.
            #[regex(r#""[^"\n]*""#)]
            Str(&'source str),
            /// A string that the line ends; the lexer reports it and makes it a [`Token::Str`].
            #[regex(r#""[^"\n]*"#)]
            OpenStr(&'source str),
            /// Never reaches the parser.
            #[regex(r"#[^\n]*", allow_greedy = true)]
            Comment(&'source str),
            /// The word `schedule` where a schedule begins; see the module `context`.
            Schedule,
            /// The words `elif`, `break` and `continue` where they are statements or a part of one.
            Elif,
            Break,
            Continue,
            /// The word `operator` behind the result of a function.
            Operator,
            /// The `{` of a function's body.
            BodyBrace,
            /// The `<` of a mask.
            MaskOpen,
        }

        impl<'source> Token<'source> {
            /// Returns the text of the token, as a message quotes it.
            pub(crate) fn text(self) -> &'source str {
                match self {
                    $(Self::$name => $text,)*
                    Self::Ident(text)
                    | Self::Number(text)
                    | Self::Str(text)
                    | Self::OpenStr(text)
                    | Self::Comment(text) => text,
                    Self::Schedule => "schedule",
                    Self::Elif => "elif",
                    Self::Break => "break",
                    Self::Continue => "continue",
                    Self::Operator => "operator",
                    Self::BodyBrace => "{",
                    Self::MaskOpen => "<",
                }
            }
        }
    };
}

tokens! {
    Def = "def",
    Var = "var",
    Return = "return",
    IndexLabel = "IndexLabel",
    Tensor = "Tensor",
    Double = "double",
    Float = "float",
    Int = "int",
    For = "for",
    In = "in",
    Range = "range",
    End = "end",
    If = "if",
    Else = "else",
    While = "while",
    Transpose = "transpose",
    LeftParen = "(",
    RightParen = ")",
    LeftBracket = "[",
    RightBracket = "]",
    LeftBrace = "{",
    RightBrace = "}",
    Comma = ",",
    Semicolon = ";",
    Colon = ":",
    Question = "?",
    Bang = "!",
    At = "@",
    Percent = "%",
    Arrow = "->",
    Assign = "=",
    AddAssign = "+=",
    SubAssign = "-=",
    MulAssign = "*=",
    DivAssign = "/=",
    Equal = "==",
    NotEqual = "!=",
    Less = "<",
    LessEqual = "<=",
    Greater = ">",
    GreaterEqual = ">=",
    Plus = "+",
    Minus = "-",
    Star = "*",
    DotStar = ".*",
    Slash = "/",
    And = "&",
    Or = "|",
}

/// A number ends with a dot unless a `*` follows it: `5.*x` is `5 .* x`, a rule that looks one character
/// further than a regular expression of the lexer can.
fn with_final_dot<'source>(lexer: &mut Lexer<'source, Token<'source>>) -> &'source str {
    let rest = lexer.remainder();
    if rest.starts_with('.') && !rest.starts_with(".*") {
        lexer.bump(1);
    }
    lexer.slice()
}

impl fmt::Display for Token<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}
