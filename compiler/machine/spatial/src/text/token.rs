//! The words and signs of Scala, as far as applications use them.

use logos::{FilterResult, Lexer, Logos};

/// A token; names, numbers, strings and operators keep the text they were written with.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r\x0B\x0C\u{A0}\u{FEFF}]+")]
pub(crate) enum Token<'source> {
    #[regex(r"[A-Za-z_$][A-Za-z0-9_$]*")]
    Name(&'source str),
    #[regex(r"0[xX][0-9A-Fa-f]+[lL]?")]
    #[regex(r"([0-9]+(\.[0-9]+)?|\.[0-9]+)([eE][+-]?[0-9]+)?[lLfFdD]?")]
    Number(&'source str),
    /// With its quotes.
    #[regex(r#""([^"\\\n]|\\[^\n])*""#)]
    Quoted(&'source str),
    /// `// …`, without the end of the line.
    #[regex(r"//[^\n]*", allow_greedy = true)]
    Comment(&'source str),
    #[token("/*", block_comment)]
    BlockComment,
    /// The end of a line, and of a statement where [`super::lexer::end_statements`] leaves it.
    #[token("\n")]
    Newline,
    /// Several ends of lines; the lexer itself returns none.
    Blank,
    #[token("val")]
    Val,
    #[token("var")]
    Var,
    #[token("def")]
    Def,
    #[token("type")]
    Type,
    #[token("class")]
    Class,
    #[token("object")]
    Object,
    #[token("trait")]
    Trait,
    #[token("extends")]
    Extends,
    #[token("with")]
    With,
    #[token("import")]
    Import,
    #[token("package")]
    Package,
    #[token("if")]
    If,
    #[token("else")]
    Else,
    #[token("case")]
    Case,
    #[token("true")]
    True,
    #[token("false")]
    False,
    /// Words that have their meaning in Scala and none in an application.
    #[token("match")]
    #[token("for")]
    #[token("while")]
    #[token("do")]
    #[token("yield")]
    #[token("new")]
    #[token("return")]
    #[token("this")]
    #[token("super")]
    #[token("null")]
    #[token("try")]
    #[token("catch")]
    #[token("finally")]
    #[token("throw")]
    Unused(&'source str),
    /// What stands in front of a definition.
    #[token("abstract")]
    #[token("final")]
    #[token("sealed")]
    #[token("implicit")]
    #[token("lazy")]
    #[token("private")]
    #[token("protected")]
    #[token("override")]
    Modifier(&'source str),
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
    #[token(".")]
    Dot,
    #[token(":")]
    Colon,
    #[token("=")]
    Assign,
    #[token("=>")]
    Arrow,
    #[token("@")]
    At,
    #[token("+")]
    #[token("-")]
    #[token("*")]
    #[token("/")]
    #[token("%")]
    #[token("==")]
    #[token("!=")]
    #[token("===")]
    #[token("=!=")]
    #[token("<")]
    #[token("<=")]
    #[token(">")]
    #[token(">=")]
    #[token("&&")]
    #[token("||")]
    #[token("&")]
    #[token("|")]
    #[token("^")]
    #[token("<<")]
    #[token(">>")]
    #[token("!")]
    #[token("~")]
    #[token("::")]
    #[token(":=")]
    #[token("+=")]
    #[token("-=")]
    #[token("*=")]
    #[token("/=")]
    #[token("<-")]
    Operator(&'source str),
}

/// Skips to the end of a comment, which may hold others. One without an end is an error.
fn block_comment<'source>(lexer: &mut Lexer<'source, Token<'source>>) -> FilterResult<(), ()> {
    let rest = lexer.remainder().as_bytes();
    let (mut open, mut at) = (1, 0);
    while open > 0 {
        match rest.get(at..at + 2) {
            Some(b"*/") => (open, at) = (open - 1, at + 2),
            Some(b"/*") => (open, at) = (open + 1, at + 2),
            Some(_) => at += 1,
            None => return FilterResult::Error(()),
        }
    }
    lexer.bump(at);
    FilterResult::Skip
}

impl Token<'_> {
    pub(crate) fn can_end(self) -> bool {
        use Token::{False, Name, Number, Quoted, RightBrace, RightBracket, RightParen, True, Type, Unused};
        matches!(
            self,
            Name(_)
                | Number(_)
                | Quoted(_)
                | True
                | False
                | Type
                | RightParen
                | RightBracket
                | RightBrace
                | Unused("return" | "this" | "null")
        )
    }

    pub(crate) fn can_begin(self) -> bool {
        use Token::{
            Arrow, Assign, Case, Colon, Comma, Dot, Else, Extends, LeftBracket, RightBrace, RightBracket,
            RightParen, Semicolon, Unused, With,
        };
        !matches!(
            self,
            Case | Else
                | Extends
                | With
                | Unused("catch" | "finally" | "match" | "yield")
                | Comma
                | Dot
                | Semicolon
                | Colon
                | Assign
                | Arrow
                | LeftBracket
                | RightParen
                | RightBracket
                | RightBrace
        )
    }
}
