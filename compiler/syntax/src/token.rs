//! The words and signs of the language.

use std::fmt;

use logos::{Lexer, Logos};

/// A token; words keep the text they were written with.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\x0B\x0C\u{A0}\u{FEFF}]+")]
pub(crate) enum Token<'source> {
    #[token("def")]
    Def,
    #[token("var")]
    Var,
    #[token("return")]
    Return,
    #[token("IndexLabel")]
    IndexLabel,
    #[token("Tensor")]
    Tensor,
    #[token("double")]
    Double,
    #[token("float")]
    Float,
    #[token("int")]
    Int,
    #[token("for")]
    For,
    #[token("in")]
    In,
    #[token("range")]
    Range,
    #[token("end")]
    End,
    #[token("if")]
    If,
    #[token("else")]
    Else,
    #[token("while")]
    While,
    #[token("transpose")]
    Transpose,

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

    #[token("(")]
    LeftParen,
    #[token(")")]
    RightParen,
    #[token("[")]
    LeftBracket,
    #[token("]")]
    RightBracket,
    #[token("{")]
    LeftBrace,
    #[token("}")]
    RightBrace,
    #[token(",")]
    Comma,
    #[token(";")]
    Semicolon,
    #[token(":")]
    Colon,
    #[token("?")]
    Question,
    #[token("!")]
    Bang,
    #[token("@")]
    At,
    #[token("%")]
    Percent,
    #[token("->")]
    Arrow,
    #[token("=")]
    Assign,
    #[token("+=")]
    AddAssign,
    #[token("-=")]
    SubAssign,
    #[token("==")]
    Equal,
    #[token("!=")]
    NotEqual,
    #[token("<")]
    Less,
    #[token("<=")]
    LessEqual,
    #[token(">")]
    Greater,
    #[token(">=")]
    GreaterEqual,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    #[token(".*")]
    DotStar,
    #[token("/")]
    Slash,
    #[token("&")]
    And,
    #[token("|")]
    Or,

    /// The word `schedule` where a schedule begins; see the module `context`.
    Schedule,
    /// The `{` of a function's body.
    BodyBrace,
    /// The `<` of a mask.
    MaskOpen,
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

impl<'source> Token<'source> {
    /// The text of the token, as a message quotes it.
    pub(crate) fn text(self) -> &'source str {
        match self {
            Token::Ident(text)
            | Token::Number(text)
            | Token::Str(text)
            | Token::OpenStr(text)
            | Token::Comment(text) => text,
            keyword_or_sign => fixed_text(keyword_or_sign),
        }
    }
}

impl fmt::Display for Token<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

fn fixed_text(token: Token<'_>) -> &'static str {
    match token {
        Token::Def => "def",
        Token::Var => "var",
        Token::Return => "return",
        Token::IndexLabel => "IndexLabel",
        Token::Tensor => "Tensor",
        Token::Double => "double",
        Token::Float => "float",
        Token::Int => "int",
        Token::For => "for",
        Token::In => "in",
        Token::Range => "range",
        Token::End => "end",
        Token::If => "if",
        Token::Else => "else",
        Token::While => "while",
        Token::Transpose => "transpose",
        Token::Schedule => "schedule",
        sign => sign_text(sign),
    }
}

fn sign_text(token: Token<'_>) -> &'static str {
    match token {
        Token::LeftParen => "(",
        Token::RightParen => ")",
        Token::LeftBracket => "[",
        Token::RightBracket => "]",
        Token::LeftBrace | Token::BodyBrace => "{",
        Token::RightBrace => "}",
        Token::Comma => ",",
        Token::Semicolon => ";",
        Token::Colon => ":",
        Token::Question => "?",
        Token::Bang => "!",
        Token::At => "@",
        Token::Percent => "%",
        Token::Arrow => "->",
        other => operator_text(other),
    }
}

fn operator_text(token: Token<'_>) -> &'static str {
    match token {
        Token::Assign => "=",
        Token::AddAssign => "+=",
        Token::SubAssign => "-=",
        Token::Equal => "==",
        Token::NotEqual => "!=",
        Token::Less | Token::MaskOpen => "<",
        Token::LessEqual => "<=",
        Token::Greater => ">",
        Token::GreaterEqual => ">=",
        Token::Plus => "+",
        Token::Minus => "-",
        Token::Star => "*",
        Token::DotStar => ".*",
        Token::Slash => "/",
        Token::And => "&",
        Token::Or => "|",
        other => unreachable!("`{other:?}` has no fixed text"),
    }
}
