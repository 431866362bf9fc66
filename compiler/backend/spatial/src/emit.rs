//! Applications as operations of spatial.

mod statements;
mod values;

use crate::element::element_type;
use crate::words::SameWords;
use comet_ir::spatial::{self as ops, Place};
use comet_ir::{Block, Builder, IrError, Result, Ty, Val, types};
use comet_spatial::app::{App, Type};
use melior::ir::ValueLike;
use std::collections::{BTreeMap, HashMap};

/// The values of the tensors and the numbers of an application around it, by their names.
pub type Sources<'c> = BTreeMap<String, Val<'c>>;

/// Writes an application as a `spatial.app`. Every operation has the location of the builder.
///
/// # Errors
/// A name is not known, or a tensor has no source. What is wrong with types is left to the verifier.
pub fn emit<'c>(b: Builder<'c>, app: &App, sources: &Sources<'c>) -> Result<'c, ops::App<'c>> {
    let list = |list: &'_ [String]| (!list.is_empty()).then(|| list.to_vec());
    let op = ops::App::build(b, &app.name)?
        .set_comment(list(&app.comment).as_deref())
        .set_arguments(list(&app.arguments).as_deref());
    let mut writer = AppWriter { b: b.inside(op.body()), aliases: HashMap::new(), names: Vec::new() };
    writer.declarations(app, sources)?;
    app.before.iter().try_for_each(|host| writer.host(&host.kind))?;
    let accel = ops::Accel::build(writer.b)?;
    writer.inside(accel.body(), &[], |writer| writer.block(&app.accel))?;
    app.after.iter().try_for_each(|host| writer.host(&host.kind))?;
    Ok(op)
}

/// An application while it is written.
struct AppWriter<'a, 'c> {
    /// At the end of the block that is written.
    b: Builder<'c>,
    /// What other names of types stand for.
    aliases: HashMap<&'a str, Ty<'c>>,
    /// The names that are known, inner ones last.
    names: Vec<(&'a str, Val<'c>)>,
}

impl<'a, 'c> AppWriter<'a, 'c> {
    /// Writes tensors, numbers, parameters and names of types. How tensors are stored is in the types of what
    /// they are around the application. What is no tensor there is a number.
    fn declarations(&mut self, app: &'a App, sources: &Sources<'c>) -> Result<'c, ()> {
        for tensor in &app.tensors {
            let name = &tensor.name;
            let source = sources.get(name).copied();
            let source =
                source.ok_or_else(|| self.error(format!("nothing stands for the tensor `{name}`")))?;
            ops::Tensor::build(self.b, name, tensor.role.same_word(), source)?;
        }
        for (name, source) in sources.iter().filter(|(_, source)| !types::is_tensor(source.r#type())) {
            ops::Number::build(self.b, name, *source)?;
        }
        for parameter in &app.parameters {
            let op = ops::Parameter::build(self.b, &parameter.name, parameter.value)?;
            self.names.push((&parameter.name, op.result()));
        }
        for (name, meant) in &app.types {
            let ty = self.element(meant)?;
            ops::Alias::build(self.b, name, ty)?.set_alias(alias(meant));
            self.aliases.insert(name, ty);
        }
        Ok(())
    }

    /// Writes what is inside of an operation; the names of that are not known after it.
    fn inside(
        &mut self,
        block: Block<'c>,
        binders: &[&'a str],
        body: impl FnOnce(&mut Self) -> Result<'c, ()>,
    ) -> Result<'c, ()> {
        let (outside, known) = (self.b, self.names.len());
        self.b = outside.inside(block);
        for (number, binder) in binders.iter().enumerate() {
            self.names.push((binder, block.argument(number)));
        }
        body(self)?;
        self.names.truncate(known);
        self.b = outside;
        Ok(())
    }

    /// The value of a name.
    fn named(&self, name: &str) -> Result<'c, Val<'c>> {
        self.find(name).ok_or_else(|| self.error(format!("the application has no `{name}` here")))
    }

    fn find(&self, name: &str) -> Option<Val<'c>> {
        self.names.iter().rev().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }

    /// A memory and the type of its elements.
    fn memory(&self, name: &str) -> Result<'c, (Val<'c>, Ty<'c>)> {
        let memory = self.named(name)?;
        let element = ops::element(memory.r#type());
        let element = element.ok_or_else(|| self.error(format!("expected `{name}` to have elements")))?;
        Ok((memory, element))
    }

    /// A type of elements.
    fn element(&self, element: &Type) -> Result<'c, Ty<'c>> {
        let alias = || self.aliases.get(alias(element)?).copied();
        let found = element_type(self.b.context(), element).or_else(alias);
        found.ok_or_else(|| self.error(format!("the application has no type {element:?}")))
    }

    /// The type of numbers that count and address.
    fn int(&self) -> Ty<'c> {
        types::int(self.b.context(), 32)
    }

    fn bit(&self) -> Ty<'c> {
        types::int(self.b.context(), 1)
    }

    /// A type of the dialect.
    fn place(&self, place: Place<'c>) -> Ty<'c> {
        place.to_type(self.b.context())
    }

    fn error(&self, message: String) -> IrError<'c> {
        IrError::at(self.b.location(), message)
    }
}

/// The name of a type, where the text has another one.
fn alias(element: &Type) -> Option<&str> {
    match element {
        Type::Named(alias) => Some(alias),
        _ => None,
    }
}
