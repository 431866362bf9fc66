//! Applications as operations of spatial.

mod accelerator;
mod declarations;
mod expressions;
mod host;
mod names;
mod patterns;

use crate::element::element_type;
use comet_ir::spatial::{self, Place};
use comet_ir::{Attr, Block, Builder, IrError, Op, Result, Ty, Val};
use comet_spatial::app::{App, Type};
use melior::ir::{Region, ValueLike};
use names::Names;
use std::collections::{BTreeMap, HashMap};

/// What the tensors and the numbers of an application are around it, by their names.
pub type Sources<'c> = BTreeMap<String, Val<'c>>;

/// Writes an application as a `spatial.app`. Every operation has the location of the builder.
///
/// # Errors
/// A name is not known, or a tensor has no source. What is wrong with types is left to the verifier.
pub fn emit<'c>(b: Builder<'c>, app: &App, sources: &Sources<'c>) -> Result<'c, Op<'c>> {
    let mut attributes = vec![("name", b.string_attribute(&app.name))];
    let lists = [("comment", &app.comment), ("arguments", &app.arguments)];
    let lists = lists.into_iter().filter(|(_, list)| !list.is_empty());
    attributes.extend(lists.map(|(name, list)| (name, b.strings_attribute(list))));
    let op = b.op_with_regions("spatial.app", &[], &[], &attributes, vec![b.region(&[])])?;
    let b = b.inside(op.body(0));
    let mut writer = Writer { b, aliases: HashMap::new(), names: Names::default() };
    writer.sources(&app.tensors, sources)?;
    writer.parameters(&app.parameters)?;
    writer.aliases(&app.types)?;
    app.before.iter().try_for_each(|host| writer.host(&host.kind))?;
    writer.accel(&app.accel)?;
    app.after.iter().try_for_each(|host| writer.host(&host.kind))?;
    Ok(op)
}

/// The attributes of an operation.
type Attributes<'c> = Vec<(&'static str, Attr<'c>)>;

/// An application while it is written.
struct Writer<'a, 'c> {
    /// At the end of the block that is written.
    b: Builder<'c>,
    /// What other names of types stand for.
    aliases: HashMap<&'a str, Ty<'c>>,
    names: Names<'a, 'c>,
}

impl<'a, 'c> Writer<'a, 'c> {
    /// Writes an operation without results.
    fn statement(&self, name: &str, operands: &[Val<'c>], attributes: Attributes<'c>) -> Result<'c, ()> {
        self.b.op(name, operands, &[], &attributes).map(|_| ())
    }

    /// Writes an operation with one result.
    fn value(
        &self,
        name: &str,
        operands: &[Val<'c>],
        result: Ty<'c>,
        attributes: Attributes<'c>,
    ) -> Result<'c, Val<'c>> {
        Ok(self.b.op(name, operands, &[result], &attributes)?.result(0))
    }

    /// The same for what has a name in the text.
    fn declare(
        &mut self,
        operation: &str,
        name: &'a str,
        operands: &[Val<'c>],
        result: Ty<'c>,
        more: Attributes<'c>,
    ) -> Result<'c, ()> {
        let mut attributes = vec![("name", self.b.string_attribute(name))];
        attributes.extend(more);
        let value = self.value(operation, operands, result, attributes)?;
        self.names.add(name, value);
        Ok(())
    }

    /// The same for what has elements of a type that the text names.
    fn declare_of(
        &mut self,
        operation: &str,
        name: &'a str,
        operands: &[Val<'c>],
        place: fn(Ty<'c>) -> Place<'c>,
        element: &Type,
    ) -> Result<'c, ()> {
        let ty = place(self.element(element)?).to_type(self.b.context());
        self.declare(operation, name, operands, ty, self.alias(element))
    }

    /// Writes what is inside of an operation; the names of that are not known behind it.
    fn inside(
        &mut self,
        block: Block<'c>,
        binders: &[&'a String],
        body: impl FnOnce(&mut Self) -> Result<'c, ()>,
    ) -> Result<'c, ()> {
        let (outside, known) = (self.b, self.names.count());
        self.b = outside.inside(block);
        for (number, binder) in binders.iter().enumerate() {
            self.names.add(binder, block.argument(number));
        }
        body(self)?;
        self.names.keep(known);
        self.b = outside;
        Ok(())
    }

    /// A region whose arguments are numbers, one for each name, and the attribute that has the names.
    fn body(&self, binders: &[&'a String]) -> (Region<'c>, (&'static str, Attr<'c>)) {
        let names: Vec<String> = binders.iter().map(|binder| (*binder).clone()).collect();
        let region = self.b.region(&vec![self.int(); names.len()]);
        (region, ("binders", self.b.strings_attribute(&names)))
    }

    /// What a name stands for.
    fn named(&self, name: &str) -> Result<'c, Val<'c>> {
        self.names.find(name).ok_or_else(|| self.error(format!("the application has no `{name}` here")))
    }

    /// A memory and the type of its elements.
    fn memory(&self, name: &str) -> Result<'c, (Val<'c>, Ty<'c>)> {
        let memory = self.named(name)?;
        let element = spatial::element(memory.r#type());
        let element = element.ok_or_else(|| self.error(format!("expected `{name}` to have elements")))?;
        Ok((memory, element))
    }

    /// A type of elements.
    fn element(&self, element: &Type) -> Result<'c, Ty<'c>> {
        let alias = || match element {
            Type::Named(alias) => self.aliases.get(alias.as_str()).copied(),
            _ => None,
        };
        let found = element_type(self.b.context(), element).or_else(alias);
        found.ok_or_else(|| self.error(format!("the application has no type {element:?}")))
    }

    /// The name of a type, where the text has another one.
    fn alias(&self, element: &Type) -> Attributes<'c> {
        match element {
            Type::Named(alias) => vec![("alias", self.b.string_attribute(alias))],
            _ => Vec::new(),
        }
    }

    /// The type of numbers that count and address.
    fn int(&self) -> Ty<'c> {
        comet_ir::types::int(self.b.context(), 32)
    }

    fn bit(&self) -> Ty<'c> {
        comet_ir::types::int(self.b.context(), 1)
    }

    fn error(&self, message: String) -> IrError<'c> {
        IrError::at(self.b.location(), message)
    }
}
