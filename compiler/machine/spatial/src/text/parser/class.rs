//! Files and classes: what stands outside of statements.

use super::Parser;
use crate::text::Result;
use crate::text::token::Token;
use crate::text::tree::{Class, ClassParameter, Item, ItemKind, TermArgument, TypeName, Word};

impl Parser<'_> {
    pub(super) fn file(&mut self) -> Result<Vec<Item>> {
        let mut items = Vec::new();
        self.skip_lines();
        while self.peek().is_some() {
            items.extend(self.definition()?);
            self.skip_lines();
        }
        Ok(items)
    }

    /// A class; imports are nothing.
    fn definition(&mut self) -> Result<Option<Item>> {
        let start = self.span();
        self.modifiers()?;
        match self.peek() {
            Some(Token::Import | Token::Package) => {
                self.skip_line();
                Ok(None)
            }
            Some(token @ (Token::Class | Token::Object | Token::Trait)) => {
                self.at += 1;
                let kind = ItemKind::Class(self.class(token)?);
                Ok(Some(Item { kind, span: self.since(start) }))
            }
            _ => Err(self
                .expected("a class")
                .hint("an application is written as `@spatial class K extends SpatialApp { … }`")),
        }
    }

    /// `@spatial`, `abstract`, `override`, …, with ends of lines between them.
    pub(super) fn modifiers(&mut self) -> Result<()> {
        loop {
            match self.peek() {
                Some(Token::At) => {
                    self.at += 1;
                    self.name()?;
                    self.skip_lines();
                }
                Some(Token::Modifier(_)) => self.at += 1,
                // `case class`
                Some(Token::Case) if self.ahead(1) == Some(Token::Class) => self.at += 1,
                _ => return Ok(()),
            }
        }
    }

    /// An import holds nothing that ends lines early but braces.
    pub(super) fn skip_line(&mut self) {
        let mut open = 0_usize;
        while let Some(token) = self.peek() {
            match token {
                Token::LeftBrace => open += 1,
                Token::RightBrace if open == 0 => return,
                Token::RightBrace => open -= 1,
                Token::Newline | Token::Blank | Token::Semicolon if open == 0 => return,
                _ => {}
            }
            self.at += 1;
        }
    }

    /// Behind the word `class` or `object`.
    fn class(&mut self, word: Token<'_>) -> Result<Class> {
        let name = self.name()?;
        let mut parameters = Vec::new();
        while self.eat("(") {
            parameters.extend(self.list(")", Self::class_parameter)?);
        }
        let parent = if self.eat("extends") { Some(self.parent()?) } else { None };
        while self.eat("with") {
            self.type_name()?;
        }
        let body = if self.braces_follow() { self.statements()? } else { Vec::new() };
        Ok(Class { name, is_object: word == Token::Object, parameters, parent, body })
    }

    fn class_parameter(&mut self) -> Result<ClassParameter> {
        self.modifiers()?;
        self.eat("val");
        let name = self.name()?;
        self.expect(":")?;
        let of = self.type_name()?;
        let value = if self.eat("=") { Some(self.term()?) } else { None };
        Ok(ClassParameter { name, of, value })
    }

    fn parent(&mut self) -> Result<(Word, Vec<TermArgument>)> {
        let of = self.type_name()?;
        let mut arguments = Vec::new();
        while self.eat("(") {
            arguments.extend(self.list(")", Self::argument)?);
        }
        Ok((Word { text: of.name, span: of.span }, arguments))
    }

    /// `T`, `scala.Int`, `Array[String]`.
    pub(super) fn type_name(&mut self) -> Result<TypeName> {
        let start = self.span();
        let mut name = self.name()?.text;
        while self.eat(".") {
            name.push('.');
            name.push_str(&self.name()?.text);
        }
        let arguments = if self.eat("[") { self.type_names()? } else { Vec::new() };
        Ok(TypeName { name, arguments, span: self.since(start) })
    }

    /// Behind a `[`.
    pub(super) fn type_names(&mut self) -> Result<Vec<TypeName>> {
        self.list("]", Self::type_name)
    }
}
