//! Builder, views and the pass layer over MLIR.
//!
//! Everything that passes do with MLIR goes through this crate: [`Op`], [`Block`] and [`Val`] are plain
//! copies of references into the module that a pass works on, [`view`] looks at an operation as its typed
//! self, [`Builder`] makes new ones, [`pass`] turns a function into a registered pass.
//!
//! A reference is good until its operation is erased; passes collect first and erase last.

pub mod attribute;
mod block;
mod builder;
pub mod cin;
mod context;
mod error;
pub mod file_mode;
pub mod format;
pub mod indexing;
pub mod location;
mod old_view;
mod op;
pub mod pass;
pub mod pipeline;
pub mod sam;
pub mod spatial;
pub mod ta;
pub mod types;
mod view;

pub use block::Block;
pub use builder::{Builder, arith::Compare, scf::Bounds};
pub use error::{IrError, Result};
pub use old_view::{View, view_sam, view_spatial, view_ta};
pub use op::{Effects, Op};
pub use view::OpView;

/// A value: a result of an operation or an argument of a block.
pub type Val<'c> = melior::ir::Value<'c, 'c>;
/// A type.
pub type Ty<'c> = melior::ir::Type<'c>;
/// An attribute.
pub type Attr<'c> = melior::ir::Attribute<'c>;
/// A location.
pub type Loc<'c> = melior::ir::Location<'c>;

/// The same value without the borrow of the handle that it was asked of.
pub fn detach<'c>(value: melior::ir::Value<'c, '_>) -> Val<'c> {
    use melior::ir::ValueLike;
    // SAFETY: a value belongs to the module, not to the handle; the module outlives the pass that holds both.
    unsafe { Val::from_raw(value.to_raw()) }
}

/// The number that a value is, where it is a constant.
pub fn constant(value: Val<'_>) -> Option<i64> {
    let constant = Op::defining(value)?.attribute("value")?;
    melior::ir::attribute::IntegerAttribute::try_from(constant).ok().map(|number| number.value())
}
