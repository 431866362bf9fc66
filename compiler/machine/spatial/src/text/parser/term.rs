//! Values and calls, with Scala's precedence: an infix word or sign has that of its first character.

use comet_diag::{Diagnostic, Span};

use super::Parser;
use crate::text::Result;
use crate::text::token::Token;
use crate::text::tree::{Braces, ItemKind, Term, TermArgument, TermKind, Word};

/// The precedence of assignments such as `:=`, which is that of no other operator.
const ASSIGNMENT: u8 = 0;

/// Returns the precedence of an infix operator: Scala takes it from the first character.
pub(crate) fn precedence(operator: &str) -> u8 {
    let is_comparison = matches!(operator, "==" | "!=" | "<=" | ">=" | "===" | "=!=");
    if operator.ends_with('=') && !is_comparison {
        return ASSIGNMENT;
    }
    match operator.chars().next() {
        Some('|') => 2,
        Some('^') => 3,
        Some('&') => 4,
        Some('=' | '!') => 5,
        Some('<' | '>') => 6,
        Some(':') => 7,
        Some('+' | '-') => 8,
        Some('*' | '/' | '%') => 9,
        // Letters.
        _ => 1,
    }
}

impl Parser<'_> {
    pub(super) fn term(&mut self) -> Result<Term> {
        self.binary(ASSIGNMENT)
    }

    /// A term whose infix operators have at least that precedence.
    fn binary(&mut self, lowest: u8) -> Result<Term> {
        let mut left = self.prefix()?;
        while let Some(Token::Name(operator) | Token::Operator(operator)) = self.peek() {
            let precedence = precedence(operator);
            if precedence < lowest || matches!(operator, "~" | "<-") {
                break;
            }
            let is_word = matches!(self.peek(), Some(Token::Name(_)));
            let operator = Word { text: operator.to_owned(), span: self.span() };
            self.at += 1;
            if self.peek() == Some(Token::Newline) {
                self.at += 1;
            }
            // What ends in `:` associates to the right.
            let right = self.binary(if operator.text == "::" { precedence } else { precedence + 1 })?;
            left = if is_word { infix_call(left, operator, right) } else { binary(left, operator, right) };
        }
        Ok(left)
    }

    fn prefix(&mut self) -> Result<Term> {
        let start = self.span();
        let Some(Token::Operator(sign @ ("-" | "!" | "+" | "~"))) = self.peek() else {
            return self.simple();
        };
        self.at += 1;
        let touches = self.span().start == start.end;
        if let (Some(Token::Number(text)), "-", true) = (self.peek(), sign, touches) {
            let span = start.to(self.span());
            self.at += 1;
            let number = number(&format!("-{text}"), span)?;
            return self.behind(number, start);
        }
        let operand = self.simple()?;
        let kind = TermKind::Prefix(Word { text: sign.to_owned(), span: start }, Box::new(operand));
        Ok(Term { kind, span: self.since(start) })
    }

    fn simple(&mut self) -> Result<Term> {
        let start = self.span();
        let first = match self.peek() {
            Some(Token::If) => return self.if_term(),
            Some(Token::LeftBrace) => self.braces()?,
            Some(Token::LeftParen) => self.parentheses()?,
            _ => self.leaf()?,
        };
        self.behind(first, start)
    }

    fn leaf(&mut self) -> Result<Term> {
        let span = self.span();
        let kind = match self.peek() {
            Some(Token::Name(name)) => TermKind::Name(name.to_owned()),
            Some(Token::Number(text)) => number(text, span)?.kind,
            Some(Token::Quoted(text)) => TermKind::Text(unquoted(text, span)?),
            Some(Token::True) => TermKind::Bool(true),
            Some(Token::False) => TermKind::Bool(false),
            _ => return Err(self.expected("a value")),
        };
        self.at += 1;
        Ok(Term { kind, span })
    }

    /// Selections, types, arguments and blocks behind a term.
    fn behind(&mut self, first: Term, start: Span) -> Result<Term> {
        let mut term = first;
        loop {
            let kind = match self.peek() {
                Some(Token::Dot) => {
                    self.at += 1;
                    TermKind::Select(Box::new(term), self.name()?)
                }
                Some(Token::LeftBracket) => {
                    self.at += 1;
                    TermKind::Types(Box::new(term), self.type_names()?)
                }
                Some(Token::LeftParen) => {
                    self.at += 1;
                    TermKind::Apply(Box::new(term), self.list(")", Self::argument)?)
                }
                _ if self.braces_follow() => {
                    let block = TermArgument { name: None, value: self.braces()? };
                    TermKind::Apply(Box::new(term), vec![block])
                }
                _ => return Ok(term),
            };
            term = Term { kind, span: self.since(start) };
        }
    }

    /// `x`, `par = x`, `i => x`
    pub(super) fn argument(&mut self) -> Result<TermArgument> {
        if let (Some(Token::Name(_)), Some(Token::Assign)) = (self.peek(), self.ahead(1)) {
            let name = self.name()?;
            self.expect("=")?;
            return Ok(TermArgument { name: Some(name), value: self.term()? });
        }
        let value = if self.binders_follow() { self.function()? } else { self.term()? };
        Ok(TermArgument { name: None, value })
    }

    /// `i => x`, which is `{ i => x }`.
    fn function(&mut self) -> Result<Term> {
        let start = self.span();
        let binders = Some(self.binders()?);
        let item = self.item()?;
        let braces = Braces { binders, items: vec![item] };
        Ok(Term { kind: TermKind::Braces(braces), span: self.since(start) })
    }

    /// `(a)` is `a`, with the place of the parentheses.
    fn parentheses(&mut self) -> Result<Term> {
        let start = self.span();
        self.expect("(")?;
        let mut items = self.list(")", Self::argument)?;
        let span = self.since(start);
        match (items.pop(), items.is_empty()) {
            (Some(TermArgument { name: None, value }), true) => Ok(Term { span, ..value }),
            (last, _) => {
                items.extend(last);
                Ok(Term { kind: TermKind::Tuple(items), span })
            }
        }
    }

    fn if_term(&mut self) -> Result<Term> {
        let start = self.span();
        self.expect("if")?;
        self.expect("(")?;
        let condition = Box::new(self.term()?);
        self.expect(")")?;
        let then = Box::new(self.branch()?);
        let otherwise = if self.eat("else") { Some(Box::new(self.branch()?)) } else { None };
        Ok(Term { kind: TermKind::If(condition, then, otherwise), span: self.since(start) })
    }

    /// A block or a statement.
    fn branch(&mut self) -> Result<Term> {
        if self.peek() == Some(Token::Newline) {
            self.at += 1;
        }
        if self.peek() == Some(Token::LeftBrace) {
            return self.braces();
        }
        let start = self.span();
        let item = self.item()?;
        match item.kind {
            ItemKind::Term(term) => Ok(term),
            _ => {
                let braces = Braces { binders: None, items: vec![item] };
                Ok(Term { kind: TermKind::Braces(braces), span: self.since(start) })
            }
        }
    }
}

/// `a f b` and `a f (b, c)`
fn infix_call(left: Term, operator: Word, right: Term) -> Term {
    let span = left.span.to(right.span);
    let callee_span = left.span.to(operator.span);
    let callee = Term { kind: TermKind::Select(Box::new(left), operator), span: callee_span };
    let arguments = match right.kind {
        TermKind::Tuple(arguments) => arguments,
        _ => vec![TermArgument { name: None, value: right }],
    };
    Term { kind: TermKind::Apply(Box::new(callee), arguments), span }
}

fn binary(left: Term, operator: Word, right: Term) -> Term {
    let span = left.span.to(right.span);
    Term { kind: TermKind::Binary(operator, Box::new(left), Box::new(right)), span }
}

/// A number as it is written, maybe with a minus in front.
fn number(text: &str, span: Span) -> Result<Term> {
    let hexadecimal = text.strip_prefix("-0x").or(text.strip_prefix("-0X")).map(|digits| (-1, digits));
    let hexadecimal =
        hexadecimal.or(text.strip_prefix("0x").or(text.strip_prefix("0X")).map(|digits| (1, digits)));
    if let Some((sign, digits)) = hexadecimal {
        let value = i64::from_str_radix(digits.trim_end_matches(['l', 'L']), 16);
        let value = value.map_err(|_| too_large(text, span))?;
        return Ok(Term { kind: TermKind::Int(sign * value), span });
    }
    let digits = text.trim_end_matches(['l', 'L', 'f', 'F', 'd', 'D']);
    let is_float = text.contains(['.', 'e', 'E', 'f', 'F', 'd', 'D']);
    let kind = if is_float {
        let value: f64 = digits.parse().map_err(|_| too_large(text, span))?;
        TermKind::Float(Some(value).filter(|value| value.is_finite()).ok_or_else(|| too_large(text, span))?)
    } else {
        TermKind::Int(digits.parse().map_err(|_| too_large(text, span))?)
    };
    Ok(Term { kind, span })
}

fn too_large(text: &str, span: Span) -> Diagnostic {
    Diagnostic::error(span, format!("`{text}` is no number of 64 bits"))
}

/// What stands between quotes, with escapes carried out.
fn unquoted(text: &str, span: Span) -> Result<String> {
    let mut value = String::with_capacity(text.len());
    let mut characters = text[1..text.len() - 1].chars();
    while let Some(character) = characters.next() {
        if character != '\\' {
            value.push(character);
            continue;
        }
        value.push(match characters.next() {
            Some('n') => '\n',
            Some('t') => '\t',
            Some('r') => '\r',
            Some(sign @ ('"' | '\\' | '\'')) => sign,
            other => {
                let other = other.map_or(String::new(), |other| other.escape_debug().to_string());
                return Err(Diagnostic::error(span, format!("`\\{other}` is no escape"))
                    .hint("those are `\\n`, `\\t`, `\\r`, `\\\"` and `\\\\`"));
            }
        });
    }
    Ok(value)
}
