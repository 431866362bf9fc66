//! Names of types.

use crate::app::{Scalar, Type};
use crate::text::tree::{TypeName, Word};
use comet_diag::Diagnostic;

/// The type aliases, in the order of the text.
#[derive(Debug, Default)]
pub(super) struct Aliases {
    pub(super) known: Vec<(String, Type)>,
}

impl Aliases {
    /// `type T = Int`
    pub(super) fn declare(&mut self, name: &Word, of: &TypeName) -> Result<(), Diagnostic> {
        if builtin(&name.text).is_some() || self.has(&name.text) {
            return Err(Diagnostic::error(name.span, format!("the type `{}` is there already", name.text))
                .hint("give it another name"));
        }
        let of = self.read(of)?;
        self.known.push((name.text.clone(), of));
        Ok(())
    }

    fn has(&self, name: &str) -> bool {
        self.known.iter().any(|(known, _)| known == name)
    }

    pub(super) fn read(&self, of: &TypeName) -> Result<Type, Diagnostic> {
        let is_plain = of.arguments.is_empty();
        match builtin(&of.name) {
            Some(found) if is_plain => return Ok(found.into()),
            _ if is_plain && self.has(&of.name) => return Ok(Type::Named(of.name.clone())),
            _ => {}
        }
        if matches!(
            of.name.as_str(),
            "FixPt" | "FltPt" | "I8" | "I16" | "U8" | "U16" | "U64" | "Vec" | "Half"
        ) {
            return Err(Diagnostic::not_supported(of.span, format!("elements of type `{}`", of.name))
                .hint("there are `Int`, `Long`, `U32`, `Float`, `Double` and `Bit`"));
        }
        Err(Diagnostic::error(of.span, format!("`{}` is no type of elements", of.name))
            .hint("there are `Int`, `Long`, `U32`, `Float`, `Double`, `Bit`, and what `type T = …` declares"))
    }

    pub(super) fn resolve(&self, of: &Type) -> Scalar {
        of.resolved(&self.known)
    }
}

pub(super) fn builtin(name: &str) -> Option<Scalar> {
    Scalar::of_word(match name {
        "I32" => "Int",
        "I64" => "Long",
        "Boolean" => "Bit",
        "scala.Int" | "scala.Long" | "scala.Float" | "scala.Double" => &name["scala.".len()..],
        other => other,
    })
}
