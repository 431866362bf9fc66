//! Copies of operands in other formats, in front of what reads them.

pub mod of_program;

use comet_format::Format;
use comet_ir::{Builder, IrError, Result, Val, format, ta, types};
use melior::ir::ValueLike;

/// Declares a tensor of an operand's name and extents, in another format, and fills it with what the operand
/// holds.
pub fn copy_of<'c>(b: Builder<'c>, operand: Val<'c>, format: &Format) -> Result<'c, Val<'c>> {
    let copy = declare(b, operand, format)?;
    convert(b, operand, copy)?;
    Ok(copy)
}

/// Gives a tensor what another one of its extents holds.
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
