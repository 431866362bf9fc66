//! Names of types.

use comet_diag::Diagnostic;

use crate::app::Type;
use crate::text::tree::{TypeName, Word};

/// The type aliases, in the order of the text.
#[derive(Debug, Default)]
pub(super) struct Aliases {
    pub(super) known: Vec<(String, Type)>,
}

impl Aliases {
    /// `type T = Int`
    pub(super) fn declare(&mut self, name: &Word, of: &TypeName) -> Result<(), Diagnostic> {
        if builtin(&name.text).is_some() || self.known.iter().any(|(known, _)| *known == name.text) {
            return Err(Diagnostic::error(name.span, format!("the type `{}` is there already", name.text))
                .hint("give it another name"));
        }
        let of = self.read(of)?;
        self.known.push((name.text.clone(), of));
        Ok(())
    }

    pub(super) fn read(&self, of: &TypeName) -> Result<Type, Diagnostic> {
        let is_plain = of.arguments.is_empty();
        if let Some(found) = builtin(&of.name).filter(|_| is_plain) {
            return Ok(found);
        }
        if is_plain && self.known.iter().any(|(name, _)| *name == of.name) {
            return Ok(Type::Named(of.name.clone()));
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

    pub(super) fn resolve(&self, of: &Type) -> Type {
        let Type::Named(name) = of else { return of.clone() };
        // Aliases stand for what is declared in front of them, so this ends.
        let meant = self.known.iter().find(|(known, _)| known == name);
        meant.map_or_else(|| of.clone(), |(_, meant)| self.resolve(meant))
    }
}

pub(super) fn builtin(name: &str) -> Option<Type> {
    Some(match name {
        "Int" | "I32" | "scala.Int" => Type::Int,
        "Long" | "I64" | "scala.Long" => Type::Long,
        "U32" => Type::U32,
        "Float" | "scala.Float" => Type::Float,
        "Double" | "scala.Double" => Type::Double,
        "Bit" | "Boolean" => Type::Bit,
        _ => return None,
    })
}
