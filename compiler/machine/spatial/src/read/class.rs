//! Which class is the application, and what its parameters are.

use super::scope::{TextReader, What};
use super::typed::{Typed, builtin};
use crate::app::{AppParameter, Scalar};
use crate::text::Result;
use crate::text::tree::{Class, ClassParameter, Def, File, ItemKind, TermArgument, TermKind};
use comet_diag::Diagnostic;

pub(super) struct Classes<'tree> {
    pub(super) main: &'tree Class,
    /// The one that sets parameters to other values.
    instance: Option<&'tree Class>,
}

pub(super) fn main_of(class: &Class) -> Option<&Def> {
    class.body.iter().find_map(|item| match &item.kind {
        ItemKind::Def(def) if def.name.text == "main" => Some(def),
        _ => None,
    })
}

/// The class with a `main`, and the one that extends it.
pub(super) fn classes(file: &File) -> Result<Classes<'_>> {
    let all = || {
        file.items.iter().filter_map(|item| match &item.kind {
            ItemKind::Class(class) => Some(class),
            _ => None,
        })
    };
    let mut mains = all().filter(|class| main_of(class).is_some());
    let Some(main) = mains.next() else {
        return Err(Diagnostic::error(file.end, "no class has a `main`")
            .hint("it is written `def main(args: Array[String]): Unit = { … }`"));
    };
    if let Some(other) = mains.next() {
        return Err(Diagnostic::not_supported(other.name.span, "two applications in one text")
            .also(main.name.span, "the first")
            .hint("write each to a file of its own"));
    }
    let mut instance = None;
    for class in all().filter(|class| !std::ptr::eq(*class, main)) {
        let extends_main = class.parent.as_ref().is_some_and(|(parent, _)| parent.text == main.name.text);
        if !extends_main || instance.is_some() || !class.body.is_empty() {
            let message = format!("classes such as `{}` beside an application", class.name.text);
            return Err(Diagnostic::not_supported(class.name.span, message)
                .hint(format!("one may extend it: `object {0}_0 extends {0}()`", main.name.text)));
        }
        instance = Some(class);
    }
    check_launched(main, instance)?;
    Ok(Classes { main, instance })
}

/// What is launched is an object: the `main` of a class is not static. Test classes are launched by what they
/// extend.
fn check_launched(main: &Class, instance: Option<&Class>) -> Result<()> {
    let launched = instance.unwrap_or(main);
    let is_app = main.parent.as_ref().is_some_and(|(parent, _)| parent.text == "SpatialApp");
    if !is_app || launched.is_object {
        return Ok(());
    }
    let error = format!("`{}` is a class, and only an object can be launched [launch]", launched.name.text);
    let hint = match instance {
        Some(_) => format!("write `object {} extends {}()`", launched.name.text, main.name.text),
        None if main.parameters.is_empty() => format!("write `@spatial object {}`", main.name.text),
        None => format!("add `object {0}_0 extends {0}()`", main.name.text),
    };
    Err(Diagnostic::error(launched.name.span, error).hint(hint))
}

impl TextReader {
    /// The parameters, with the values that the extending class passes, all declared.
    pub(super) fn parameters(&mut self, classes: &Classes<'_>) -> Vec<AppParameter> {
        let given = classes.instance.and_then(|instance| instance.parent.as_ref());
        let given = given.map_or(&[][..], |(_, arguments)| arguments);
        let known = &classes.main.parameters;
        for (place, argument) in given.iter().enumerate() {
            let checked = check_given(place, argument, known);
            self.keep(checked);
        }
        let mut parameters = Vec::new();
        for (place, parameter) in known.iter().enumerate() {
            let read = parameter_value(place, parameter, given);
            parameters.extend(self.keep(read));
            self.declare(&parameter.name, What::Value, Typed::Whole);
        }
        parameters
    }
}

fn check_given(place: usize, argument: &TermArgument, known: &[ClassParameter]) -> Result<()> {
    let is_known = match &argument.name {
        Some(name) => known.iter().any(|parameter| parameter.name.text == name.text),
        None => place < known.len(),
    };
    if is_known {
        return Ok(());
    }
    let names: Vec<String> = known.iter().map(|parameter| format!("`{}`", parameter.name.text)).collect();
    Err(Diagnostic::error(argument.value.span, "the class has no such parameter")
        .hint(format!("it has {}", if names.is_empty() { "none".to_owned() } else { names.join(", ") })))
}

fn parameter_value(place: usize, parameter: &ClassParameter, given: &[TermArgument]) -> Result<AppParameter> {
    if !matches!(builtin(&parameter.of.name), Some(Scalar::Int | Scalar::Long)) {
        return Err(Diagnostic::not_supported(parameter.of.span, "parameters that are no integers")
            .hint("write `scala.Int`"));
    }
    let is_named = |argument: &&TermArgument| {
        argument.name.as_ref().is_some_and(|name| name.text == parameter.name.text)
    };
    let by_place = || given.get(place).filter(|argument| argument.name.is_none());
    let given = given.iter().find(is_named).or_else(by_place).map(|argument| &argument.value);
    let value = given.or(parameter.value.as_ref()).ok_or_else(|| {
        Diagnostic::error(
            parameter.name.span,
            format!("the parameter `{}` has no value", parameter.name.text),
        )
        .hint(format!("give it one: `{}: scala.Int = 16`", parameter.name.text))
    })?;
    let TermKind::Int(value) = value.kind else {
        return Err(Diagnostic::not_supported(value.span, "parameters that are computed")
            .hint("write the number itself"));
    };
    Ok(AppParameter { name: parameter.name.text.clone(), value, span: parameter.name.span })
}
