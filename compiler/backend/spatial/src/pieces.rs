//! Takes the applications out of a module: `ta.launch` runs them.

use crate::device::Loaded;
use crate::read::read;
use comet_ir::{Builder, IrError, Op, Val, spatial, ta, types};
use comet_spatial::app::{self, App, Tensor};
use melior::ir::ValueLike;
use std::cell::OnceCell;

/// An application of a program, and what its launches are given.
#[derive(Debug)]
pub struct Piece {
    /// The application.
    pub app: App,
    /// What the arguments are, in their order: the tensor that is computed first.
    pub arguments: Vec<Role>,
    /// What is run, from the first launch on.
    loaded: OnceCell<Loaded>,
}

impl Piece {
    /// Returns what is run, which is read at the first launch.
    pub(crate) fn loaded(&self) -> Result<&Loaded, comet_runtime::Error> {
        if let Some(loaded) = self.loaded.get() {
            return Ok(loaded);
        }
        let loaded = Loaded::new(&self.app)?;
        Ok(self.loaded.get_or_init(|| loaded))
    }
}

/// What an argument of a launch is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Role {
    /// The tensor of that name, stored as the application says.
    Tensor(String),
    /// The number of that name.
    Number(String),
}

impl Role {
    /// The name of what it is.
    pub fn name(&self) -> &str {
        match self {
            Self::Tensor(name) | Self::Number(name) => name,
        }
    }
}

/// Replaces every application by a launch; the pieces are in the order of their numbers, which is that of the
/// program.
///
/// # Errors
/// An application does not compute one tensor.
pub fn take<'c>(module: Op<'c>) -> comet_ir::Result<'c, Vec<Piece>> {
    let apps = module.walk::<spatial::App<'_>>();
    apps.into_iter().enumerate().map(|(number, app)| launch(number, app)).collect()
}

fn launch<'c>(number: usize, op: spatial::App<'c>) -> comet_ir::Result<'c, Piece> {
    let read = read(op);
    let (results, operands): (Vec<&Tensor>, Vec<&Tensor>) =
        read.app.tensors.iter().partition(|tensor| tensor.role != app::Role::Operand);
    if results.len() != 1 {
        let message = format!("expected one tensor that is computed, found {}", results.len());
        return Err(IrError::at(op.location(), message));
    }
    let tensors = results.into_iter().chain(operands).map(|tensor| Role::Tensor(tensor.name.clone()));
    let numbers = read.sources.iter().filter(|(_, source)| !types::is_tensor(source.r#type()));
    let numbers = numbers.map(|(name, _)| Role::Number(name.clone()));
    let arguments: Vec<Role> = tensors.chain(numbers).collect();
    let values: Vec<Val<'c>> = arguments.iter().map(|argument| read.sources[argument.name()]).collect();
    ta::Launch::build(Builder::before(*op), number as i64, &values)?;
    op.erase();
    Ok(Piece { app: read.app, arguments, loaded: OnceCell::new() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use comet_dialects::registration::dialects;
    use melior::Context;
    use melior::ir::Module;

    /// An application of those declarations in a function that has what they are of.
    fn module<'c>(context: &'c Context, declarations: &str) -> Module<'c> {
        for name in ["func", "spatial", "ta"] {
            context.get_or_load_dialect(name);
        }
        let text = format!(
            "func.func @f(%alpha: f64, %x: tensor<?xf64>, %y: tensor<?xf64>) {{
               spatial.app \"A\" {{ {declarations} spatial.accel {{ }} }}
               return
             }}"
        );
        Module::parse(context, &text).expect("it is well formed")
    }

    #[test]
    fn what_is_computed_comes_first_and_numbers_last() {
        let context = Context::new_with_registry(&dialects(), false);
        let declarations = "spatial.number \"alpha\" of %alpha : f64
            spatial.tensor \"x\" operand of %x : tensor<?xf64>
            spatial.tensor \"y\" updated of %y : tensor<?xf64>";
        let module = module(&context, declarations);
        let pieces = take(Op::of_module(&module)).expect("it computes one tensor");
        let arguments = [Role::Tensor("y".into()), Role::Tensor("x".into()), Role::Number("alpha".into())];
        assert_eq!(pieces[0].arguments, arguments);
        let launches = Op::of_module(&module).walk::<ta::Launch<'_>>();
        let block = launches[0].block().expect("it stands in a function");
        assert_eq!(launches[0].operands(), [2, 1, 0].map(|number| block.argument(number)));
    }

    #[test]
    fn two_results_are_refused() {
        let context = Context::new_with_registry(&dialects(), false);
        let declarations = "spatial.tensor \"x\" result of %x : tensor<?xf64>
            spatial.tensor \"y\" result of %y : tensor<?xf64>";
        let module = module(&context, declarations);
        let error = take(Op::of_module(&module)).expect_err("it computes two");
        assert_eq!(error.message, "expected one tensor that is computed, found 2");
    }
}
