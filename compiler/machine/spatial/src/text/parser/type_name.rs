//! Names of types.

use comet_diag::Diagnostic;

use super::Parser;
use crate::text::token::Token;
use crate::text::tree::TypeName;

impl Parser<'_> {
    /// `T`, `scala.Int`, `Array[String]`.
    pub(super) fn type_name(&mut self) -> Result<TypeName, Diagnostic> {
        let start = self.span();
        let mut name = self.name()?.text;
        while self.eat(Token::Dot) {
            name.push('.');
            name.push_str(&self.name()?.text);
        }
        let arguments = if self.eat(Token::LeftBracket) { self.type_names()? } else { Vec::new() };
        Ok(TypeName { name, arguments, span: self.since(start) })
    }

    /// Behind a `[`.
    pub(super) fn type_names(&mut self) -> Result<Vec<TypeName>, Diagnostic> {
        self.list(Token::RightBracket, Self::type_name)
    }
}
