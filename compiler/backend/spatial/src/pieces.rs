//! Takes the applications out of a module: `ta.launch` runs them.

use crate::device::Loaded;
use comet_ir::{Builder, Op, spatial, ta, types};
use melior::ir::{TypeLike, ValueLike};
use std::cell::OnceCell;

/// An application of a program, and what its launches are given.
#[derive(Debug)]
pub struct Piece {
    pub name: String,
    pub text: String,
    /// The arguments in their order: the tensor that is computed first.
    pub arguments: Vec<Role>,
    /// Whether values have 64 bits, of which a vector holds half as many as of those of 32.
    pub has_wide_values: bool,
    loaded: OnceCell<Loaded>,
}

impl Piece {
    /// Returns what is run, which is read at the first launch.
    pub(crate) fn loaded(&self) -> Result<&Loaded, comet_runtime::Error> {
        if let Some(loaded) = self.loaded.get() {
            return Ok(loaded);
        }
        let loaded = Loaded::new(&self.text)?;
        Ok(self.loaded.get_or_init(|| loaded))
    }
}

/// An argument of a launch, by its name in the application.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Role {
    Tensor(String),
    Number(String),
}

/// Replaces every application by a launch; the pieces are in the order of their numbers, which is that of the
/// program.
///
/// # Errors
/// A launch cannot be built.
pub fn take<'c>(module: Op<'c>) -> comet_ir::Result<'c, Vec<Piece>> {
    let apps = module.walk::<spatial::App<'_>>();
    apps.into_iter().enumerate().map(|(number, app)| launch(number, app)).collect()
}

fn launch<'c>(number: usize, op: spatial::App<'c>) -> comet_ir::Result<'c, Piece> {
    let values = op.values();
    let roles = values.iter().zip(op.names()).map(|(value, name)| {
        let is_tensor = types::is_tensor(value.r#type());
        if is_tensor { Role::Tensor(name) } else { Role::Number(name) }
    });
    let mut tensors = values.iter().map(|value| value.r#type()).filter(|ty| types::is_tensor(*ty));
    let piece = Piece {
        name: op.name().to_owned(),
        text: op.text().to_owned(),
        arguments: roles.collect(),
        has_wide_values: tensors.any(|tensor| !types::element(tensor).is_f32()),
        loaded: OnceCell::new(),
    };
    ta::Launch::build(Builder::before(*op), number as i64, &values)?;
    op.erase();
    Ok(piece)
}
