//! Blocks, and what is in them.

use comet_diag::Diagnostic;

use super::Parser;
use crate::text::Result;
use crate::text::token::Token;
use crate::text::tree::{Binders, Braces, Def, Item, ItemKind, Term, TermKind, Word};

impl Parser<'_> {
    /// Whether a block comes next; one line may end in front of it, which is taken.
    pub(super) fn braces_follow(&mut self) -> bool {
        if self.peek() == Some(Token::Newline) && self.ahead(1) == Some(Token::LeftBrace) {
            self.at += 1;
        }
        self.peek() == Some(Token::LeftBrace)
    }

    /// `{ i => … }`
    pub(super) fn braces(&mut self) -> Result<Term> {
        let start = self.span();
        self.expect("{")?;
        self.skip_lines();
        let binders = if self.binders_follow() { Some(self.binders()?) } else { None };
        let items = self.items()?;
        Ok(Term { kind: TermKind::Braces(Braces { binders, items }), span: self.since(start) })
    }

    /// `{ … }`
    pub(super) fn statements(&mut self) -> Result<Vec<Item>> {
        self.expect("{")?;
        self.items()
    }

    fn items(&mut self) -> Result<Vec<Item>> {
        let mut items = Vec::new();
        loop {
            self.skip_lines();
            if self.eat("}") {
                return Ok(items);
            }
            if self.peek() == Some(Token::Import) {
                self.skip_line();
                continue;
            }
            items.push(self.item()?);
            let is_end = matches!(
                self.peek(),
                Some(Token::Newline | Token::Blank | Token::Semicolon | Token::RightBrace)
            );
            if !is_end {
                return Err(self.expected("the end of the statement"));
            }
        }
    }

    pub(super) fn item(&mut self) -> Result<Item> {
        let start = self.span();
        self.modifiers()?;
        let kind = match self.peek() {
            Some(Token::Val) => self.val()?,
            Some(Token::Def) => self.def()?,
            Some(Token::Type) => {
                self.at += 1;
                let name = self.name()?;
                self.expect("=")?;
                ItemKind::Type(name, self.type_name()?)
            }
            Some(Token::Var) => {
                return Err(Diagnostic::error(start, "`var` has no place in an application")
                    .hint("on the accelerator a `Reg` is what changes: `val r = Reg[T](0)`, `r := x`"));
            }
            Some(Token::Class | Token::Object | Token::Trait) => {
                return Err(Diagnostic::not_supported(start, "classes inside of others"));
            }
            _ => self.statement()?,
        };
        Ok(Item { kind, span: self.since(start) })
    }

    fn val(&mut self) -> Result<ItemKind> {
        self.expect("val")?;
        if self.peek() == Some(Token::LeftParen) {
            return Err(Diagnostic::not_supported(self.span(), "several values by one `val`")
                .hint("write a `val` for each"));
        }
        let name = self.name()?;
        let of = if self.eat(":") { Some(self.type_name()?) } else { None };
        self.expect("=")?;
        Ok(ItemKind::Val(name, of, self.term()?))
    }

    fn def(&mut self) -> Result<ItemKind> {
        self.expect("def")?;
        let name = self.name()?;
        let mut parameters = Vec::new();
        while self.eat("(") {
            parameters.extend(self.list(")", Self::typed_name)?);
        }
        if self.eat(":") {
            self.type_name()?;
        }
        let body = if self.braces_follow() {
            self.braces()?
        } else {
            self.expect("=")?;
            self.term()?
        };
        Ok(ItemKind::Def(Def { name, parameters, body }))
    }

    fn statement(&mut self) -> Result<ItemKind> {
        let term = self.term()?;
        if !self.eat("=") {
            return Ok(ItemKind::Term(term));
        }
        Ok(ItemKind::Assign(term, self.term()?))
    }

    /// Whether names and `=>` come next.
    pub(super) fn binders_follow(&self) -> bool {
        match self.peek() {
            Some(Token::Case) => true,
            Some(Token::Name(_)) => matches!(self.ahead(1), Some(Token::Arrow | Token::Colon)),
            Some(Token::LeftParen) => {
                let inside = |token: &Token<'_>| {
                    matches!(token, Token::Name(_) | Token::Comma | Token::Colon | Token::Dot)
                };
                let behind = (1..).find(|&at| !self.ahead(at).as_ref().is_some_and(inside));
                behind.is_some_and(|at| {
                    self.ahead(at) == Some(Token::RightParen) && self.ahead(at + 1) == Some(Token::Arrow)
                })
            }
            _ => false,
        }
    }

    /// `i =>`, `(i, j) =>`, `case List(i, a) =>`, `case (i, j) =>`.
    pub(super) fn binders(&mut self) -> Result<Binders> {
        let start = self.span();
        let is_case = self.eat("case");
        let is_list = is_case && self.peek() == Some(Token::Name("List"));
        if is_list {
            self.at += 1;
        }
        let names = if self.eat("(") { self.list(")", Self::typed_name)? } else { vec![self.typed_name()?] };
        let span = self.since(start);
        self.expect("=>")?;
        Ok(Binders { is_list, names, span })
    }

    /// `i`, `i: Int`
    fn typed_name(&mut self) -> Result<Word> {
        let name = self.name()?;
        if self.eat(":") {
            self.type_name()?;
        }
        Ok(name)
    }
}
