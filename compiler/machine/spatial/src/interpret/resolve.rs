//! An application to a program: names become numbers, types are settled, and what cannot be right whatever
//! the data is refused.

mod accelerator;
mod expression;
mod host;
mod literal;
mod memory;
mod names;
mod parallel;
mod pattern;
mod sparse;

use super::Inputs;
use super::program::{Barriers, ExecutableProgram};
use super::scalar::Scalar;
use crate::app::{App, AppParameter, Type};
use comet_diag::{Diagnostic, Span};
use literal::Literal;
use names::{Binding, NameScopes};
use parallel::Parallel;
use std::collections::BTreeMap;

/// What a step of this module comes to.
type Result<T> = std::result::Result<T, Box<Diagnostic>>;

/// How deep statements and expressions may be in each other.
const DEEPEST: usize = 200;

pub(super) fn resolve<'a>(app: &'a App, inputs: &'a Inputs) -> Result<ExecutableProgram> {
    let given = match inputs.arguments.is_empty() {
        true => &app.arguments,
        false => &inputs.arguments,
    };
    let mut resolver = Resolver {
        inputs,
        parameters: &app.parameters,
        arguments: given,
        types: BTreeMap::new(),
        names: NameScopes::default(),
        program: ExecutableProgram::default(),
        parallel: Parallel::default(),
        is_accelerator: false,
        barriers: Vec::new(),
        depth: 0,
    };
    resolver.parameters(app)?;
    resolver.types(app)?;
    resolver.host(&app.before)?;
    resolver.accelerator(&app.accel)?;
    resolver.host(&app.after)?;
    Ok(resolver.program)
}

struct Resolver<'a> {
    inputs: &'a Inputs,
    parameters: &'a [AppParameter],
    /// What `args` holds.
    arguments: &'a [String],
    types: BTreeMap<&'a str, Scalar>,
    names: NameScopes,
    program: ExecutableProgram,
    parallel: Parallel,
    /// Whether this is inside of `Accel`.
    is_accelerator: bool,
    /// The barriers of the patterns around, the innermost last.
    barriers: Vec<Barriers>,
    depth: usize,
}

impl<'a> Resolver<'a> {
    fn parameters(&mut self, app: &App) -> Result<()> {
        let mut given = self.inputs.parameters.clone();
        for parameter in &app.parameters {
            let value = given.remove(&parameter.name).unwrap_or(parameter.value);
            let binding = Binding::Constant(Literal::Integer(value));
            self.declare(&parameter.name, binding, parameter.span)?;
        }
        match given.into_keys().next() {
            None => Ok(()),
            Some(unknown) => {
                let names: Vec<_> = app.parameters.iter().map(|known| format!("`{}`", known.name)).collect();
                let error = format!("`{}` has no parameter `{unknown}`", app.name);
                let hint = match names.is_empty() {
                    true => "it has none".to_owned(),
                    false => format!("its parameters are {}", names.join(", ")),
                };
                Err(Diagnostic::error_without_place(error).hint(hint).into())
            }
        }
    }

    fn types(&mut self, app: &'a App) -> Result<()> {
        for (name, meaning) in &app.types {
            let scalar = self.scalar(meaning, Span::default())?;
            self.types.insert(name, scalar);
        }
        Ok(())
    }

    fn scalar(&self, of: &Type, span: Span) -> Result<Scalar> {
        match of {
            Type::Int => Ok(Scalar::Int),
            Type::Long => Ok(Scalar::Long),
            Type::U32 => Ok(Scalar::U32),
            Type::Float => Ok(Scalar::Float),
            Type::Double => Ok(Scalar::Double),
            Type::Bit => Ok(Scalar::Bit),
            Type::Named(name) => self.types.get(name.as_str()).copied().ok_or_else(|| {
                let error = Diagnostic::error(span, format!("unknown type `{name}`"));
                error.hint(format!("`type {name} = …` says what it is")).into()
            }),
        }
    }

    fn slot(&mut self) -> usize {
        self.program.slots += 1;
        self.program.slots - 1
    }

    /// Does something one level deeper, if that is not too deep.
    fn deeper<T>(&mut self, span: Span, inner: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth == DEEPEST {
            let error = format!("this is nested more than {DEEPEST} levels deep");
            return Err(Diagnostic::error(span, error).hint("name a part of it: `val x = …`").into());
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }
}
