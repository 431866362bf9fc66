//! A text to its tree, or the first syntax error. By recursive descent: a tree is no deeper than
//! [`super::depth`] lets through.

mod block;
mod class;
mod term;

pub(crate) use term::precedence;

use comet_diag::{Diagnostic, Span};

use super::depth;
use super::lexer::{self, Spanned};
use super::token::Token;
use super::tree::{File, Word};
use crate::read::ReadError;
use crate::text::Result;

pub(crate) fn parse(text: &str) -> std::result::Result<File, ReadError> {
    let lexed = lexer::lex(text)?;
    let tokens = lexer::end_statements(lexed.tokens);
    depth::check(&tokens).map_err(ReadError::TooDeep)?;
    let end = Span::new(text.len(), text.len());
    let names = tokens.iter().filter_map(|spanned| match spanned.token {
        Token::Name(name) => Some(name.to_owned()),
        _ => None,
    });
    let names = names.collect();
    let mut parser = Parser { text, tokens, at: 0, end };
    let items = parser.file()?;
    Ok(File { items, comments: lexed.comments, names, end })
}

struct Parser<'source> {
    text: &'source str,
    tokens: Vec<Spanned<'source>>,
    at: usize,
    end: Span,
}

impl<'source> Parser<'source> {
    fn peek(&self) -> Option<Token<'source>> {
        self.ahead(0)
    }

    /// The token that many behind the next one.
    fn ahead(&self, distance: usize) -> Option<Token<'source>> {
        self.tokens.get(self.at + distance).map(|spanned| spanned.token)
    }

    fn span(&self) -> Span {
        self.tokens.get(self.at).map_or(self.end, |spanned| spanned.span)
    }

    /// From `start` to the last token that was taken.
    fn since(&self, start: Span) -> Span {
        let last = self.at.checked_sub(1).and_then(|last| self.tokens.get(last));
        last.map_or(start, |last| start.to(last.span))
    }

    /// The text of the next token, none at the end.
    fn next_text(&self) -> &'source str {
        &self.text[self.span().start..self.span().end]
    }

    /// Takes the next token if it is a sign or a word of Scala.
    fn eat(&mut self, token: &str) -> bool {
        let is_next = self.next_text() == token;
        self.at += usize::from(is_next);
        is_next
    }

    fn expect(&mut self, token: &str) -> Result<()> {
        if self.eat(token) { Ok(()) } else { Err(self.expected(&format!("`{token}`"))) }
    }

    fn name(&mut self) -> Result<Word> {
        let Some(Token::Name(text)) = self.peek() else {
            return Err(self.expected("a name"));
        };
        let word = Word { text: text.to_owned(), span: self.span() };
        self.at += 1;
        Ok(word)
    }

    fn skip_lines(&mut self) {
        while matches!(self.peek(), Some(Token::Newline | Token::Blank | Token::Semicolon)) {
            self.at += 1;
        }
    }

    /// An error at the next token.
    fn expected(&self, what: &str) -> Diagnostic {
        let found = match self.peek() {
            None => "the end of the text".to_owned(),
            Some(Token::Newline | Token::Blank) => "the end of the line".to_owned(),
            Some(_) => format!("`{}`", self.next_text()),
        };
        let error = Diagnostic::error(self.span(), format!("expected {what}, found {found}"));
        match hint(self.peek()) {
            Some(hint) => error.hint(hint),
            None => error,
        }
    }

    /// Items between commas, up to a closing token.
    fn list<Item>(&mut self, close: &str, item: impl Fn(&mut Self) -> Result<Item>) -> Result<Vec<Item>> {
        let mut items = Vec::new();
        while !self.eat(close) {
            items.push(item(self)?);
            if !self.eat(",") && self.next_text() != close {
                return Err(self.expected(&format!("`,` or `{close}`")));
            }
        }
        Ok(items)
    }
}

fn hint(found: Option<Token<'_>>) -> Option<&'static str> {
    let Some(found) = found else { return Some("every bracket and brace that is opened is closed") };
    Some(match found {
        Token::Unused("match" | "for" | "while" | "do" | "yield") => {
            "an application has `Foreach`, `Reduce`, `MemReduce`, `MemFold` and `if`"
        }
        Token::Unused("try" | "catch" | "finally" | "throw" | "return") => {
            "what does not go well is said by `assert`"
        }
        Token::Unused("new") => "memories are declared without `new`: `val m = SRAM[T](16)`",
        Token::Unused(_) => "applications have no objects",
        Token::Quoted(_) => "texts are put together by `+`, and none is interpolated",
        _ => return None,
    })
}
