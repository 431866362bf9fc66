//! An application to a program: names become numbers, types are settled, and what cannot be right whatever
//! the data is refused. What names stand for and how their types fit, [`crate::read`] has checked.

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
use crate::app::{App, Scalar, Type};
use crate::names::Scope;
use comet_diag::{Diagnostic, Span};
use literal::Literal;
use names::{Binding, Name};
use parallel::Parallel;

/// What a step of this module comes to.
type Result<T> = std::result::Result<T, Box<Diagnostic>>;

/// How deep statements and expressions may be in each other.
const DEEPEST: usize = 200;

pub(super) fn resolve<'a>(app: &'a App, inputs: &'a Inputs) -> Result<ExecutableProgram> {
    let mut resolver = Resolver {
        app,
        inputs,
        arguments: if inputs.arguments.is_empty() { &app.arguments } else { &inputs.arguments },
        names: Scope::default(),
        program: ExecutableProgram::default(),
        parallel: Parallel::default(),
        is_accelerator: false,
        barriers: Vec::new(),
        depth: 0,
    };
    resolver.parameters()?;
    resolver.host(&app.before)?;
    resolver.accelerator(&app.accel)?;
    resolver.host(&app.after)?;
    Ok(resolver.program)
}

struct Resolver<'a> {
    app: &'a App,
    inputs: &'a Inputs,
    /// What `args` holds.
    arguments: &'a [String],
    names: Scope<Name>,
    program: ExecutableProgram,
    parallel: Parallel,
    /// Whether this is inside of `Accel`.
    is_accelerator: bool,
    /// The barriers of the patterns around, the innermost last.
    barriers: Vec<Barriers>,
    depth: usize,
}

impl Resolver<'_> {
    fn parameters(&mut self) -> Result<()> {
        let app = self.app;
        let mut given = self.inputs.parameters.clone();
        for parameter in &app.parameters {
            let value = given.remove(&parameter.name).unwrap_or(parameter.value);
            let binding = Binding::Constant(Literal::Integer(value));
            self.declare(&parameter.name, binding, parameter.span);
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

    fn scalar(&self, of: &Type) -> Scalar {
        of.resolved(&self.app.types)
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
