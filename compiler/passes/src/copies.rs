//! Copies of operands in other formats, in front of what reads them.

pub mod of_program;

use crate::nest;
use comet_format::Format;
use comet_ir::{Builder, IrError, Result, Val, format, pass, ta, types};
use melior::ir::ValueLike;

/// Copies of tensors, one for each format that is wanted of a tensor.
#[derive(Default)]
pub struct Copies<'c>(Vec<(Val<'c>, Format, Val<'c>)>);

impl<'c> Copies<'c> {
    /// Returns the copy of a tensor in a format; makes it, with a remark that ends in the reason, where there
    /// is none yet.
    pub fn of(&mut self, b: Builder<'c>, tensor: Val<'c>, format: &Format, why: &str) -> Result<'c, Val<'c>> {
        if let Some((.., copy)) = self.0.iter().find(|(of, own, _)| (*of, own) == (tensor, format)) {
            return Ok(*copy);
        }
        let copy = copy_of(b, tensor, format)?;
        pass::decided(b.location(), || {
            format!("`{}` is copied to `{format}` first{why}", nest::name(tensor))
        });
        self.0.push((tensor, format.clone(), copy));
        Ok(copy)
    }

    /// Returns each tensor that has been copied, with the copy.
    pub fn pairs(&self) -> Vec<(Val<'c>, Val<'c>)> {
        self.0.iter().map(|(tensor, _, copy)| (*tensor, *copy)).collect()
    }

    pub fn release(self, b: Builder<'c>) -> Result<'c, ()> {
        self.0.into_iter().try_for_each(|(.., copy)| ta::Release::build(b, copy).map(|_| ()))
    }
}

/// Declares a tensor of an operand's name and extents, in another format, and fills it with what the operand
/// holds.
pub fn copy_of<'c>(b: Builder<'c>, operand: Val<'c>, format: &Format) -> Result<'c, Val<'c>> {
    let copy = declare(b, operand, format)?;
    convert(b, operand, copy)?;
    Ok(copy)
}

/// Copies into a tensor what another one of its extents holds.
pub fn convert<'c>(b: Builder<'c>, from: Val<'c>, to: Val<'c>) -> Result<'c, ()> {
    let modes: Vec<i64> = (0..types::rank(from.r#type()) as i64).collect();
    ta::Convert::build(b, from, to, &modes).map(|_| ())
}

/// Declares a tensor of another one's name and extents, in another format.
pub fn declare<'c>(b: Builder<'c>, tensor: Val<'c>, format: &Format) -> Result<'c, Val<'c>> {
    let ty = tensor.r#type();
    let Some(decl) = ta::TensorDecl::defining(tensor) else {
        let what = "a copy of an operand that is no variable of the function";
        return Err(IrError::not_supported(b.location(), what));
    };
    let dims: Vec<Option<u64>> = (0..types::rank(ty)).map(|mode| types::static_dim(ty, mode)).collect();
    let encoding = format::to_attribute(b.context(), format, format::Memory::Unspecified);
    let copied = types::tensor(&dims, types::element(ty), encoding);
    Ok(ta::TensorDecl::build(b, decl.name(), &decl.labels(), copied)?.set_copy(true).tensor())
}
