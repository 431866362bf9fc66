//! Tensors, numbers, parameters and names of types.

use super::{Sources, Writer};
use crate::cases::Case;
use comet_ir::{Result, types};
use comet_spatial::app::{Parameter, Tensor, Type};
use melior::ir::ValueLike;
use melior::ir::attribute::TypeAttribute;

impl<'a, 'c> Writer<'a, 'c> {
    /// How tensors are stored is in the types of what they are around the application. What is no tensor
    /// there is a number.
    pub(super) fn sources(&mut self, tensors: &'a [Tensor], sources: &Sources<'c>) -> Result<'c, ()> {
        for Tensor { name, role, .. } in tensors {
            let lacks = || self.error(format!("nothing stands for the tensor `{name}`"));
            let source = *sources.get(name).ok_or_else(lacks)?;
            let role = self.b.enum_attribute(role.number());
            let attributes = vec![("name", self.b.string_attribute(name)), ("role", role)];
            self.statement("spatial.tensor", &[source], attributes)?;
        }
        for (name, source) in sources.iter().filter(|(_, source)| !types::is_tensor(source.r#type())) {
            let name = vec![("name", self.b.string_attribute(name))];
            self.statement("spatial.number", &[*source], name)?;
        }
        Ok(())
    }

    pub(super) fn parameters(&mut self, parameters: &'a [Parameter]) -> Result<'c, ()> {
        for Parameter { name, value, .. } in parameters {
            let value = vec![("value", self.b.i64_attribute(*value))];
            self.declare("spatial.parameter", name, &[], self.int(), value)?;
        }
        Ok(())
    }

    pub(super) fn aliases(&mut self, types: &'a [(String, Type)]) -> Result<'c, ()> {
        for (name, meant) in types {
            let ty = self.element(meant)?;
            let mut attributes =
                vec![("name", self.b.string_attribute(name)), ("type", TypeAttribute::new(ty).into())];
            attributes.extend(self.alias(meant));
            self.statement("spatial.alias", &[], attributes)?;
            self.aliases.insert(name, ty);
        }
        Ok(())
    }
}
