//! Builder, views and the pass layer over MLIR.
//!
//! Everything that passes do with MLIR goes through this crate: [`Op`], [`Block`] and [`Val`] are plain
//! copies of references into the module that a pass works on, `view` looks at an operation as its typed
//! self, [`Builder`] makes new ones, [`pass`] turns a function into a registered pass.
//!
//! A reference is good until its operation is erased; passes collect first and erase last.

pub mod attribute;
mod block;
mod builder;
pub mod cin;
mod context;
pub mod debug_info;
mod error;
pub mod file_mode;
pub mod format;
pub mod indexing;
pub mod lanes;
pub mod location;
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
pub use op::{Effects, Op};
pub use view::OpView;

use melior::dialect::ods::complex::CreateOperation;
use melior::ir::attribute::FloatAttribute;

/// A value: a result of an operation or an argument of a block.
pub type Val<'c> = melior::ir::Value<'c, 'c>;
pub type Ty<'c> = melior::ir::Type<'c>;
pub type Attr<'c> = melior::ir::Attribute<'c>;
pub type Loc<'c> = melior::ir::Location<'c>;

/// The same value without the borrow of the handle that it was asked of.
pub fn detach<'c>(value: melior::ir::Value<'c, '_>) -> Val<'c> {
    use melior::ir::ValueLike;
    // SAFETY: a value belongs to the module, not to the handle; the module outlives the pass that holds both.
    unsafe { Val::from_raw(value.to_raw()) }
}

/// Returns the number that a value is a constant of; a complex constant is one if its imaginary part is 0.
pub fn number(value: Val<'_>) -> Option<Attr<'_>> {
    let op = Op::defining(value)?;
    if !op.is::<CreateOperation>() {
        return op.attribute("value");
    }
    let [re, im] = op.operands().try_into().ok()?;
    let im = FloatAttribute::try_from(Op::defining(im)?.attribute("value")?).ok()?.value();
    number(re).filter(|_| im == 0.0 && im.is_sign_positive())
}

/// Returns the name that a tensor, a label or an index variable is declared under.
pub fn declared_name(value: Val<'_>) -> Option<&str> {
    let op = Op::defining(value)?;
    let of_half = |outer, inner| if op.result(0) == value { outer } else { inner };
    match cin::Cin::of(op) {
        Some(cin::Cin::IndexVar(var)) => return Some(var.name()),
        Some(cin::Cin::Split(split)) => return Some(of_half(split.outer_name(), split.inner_name())),
        Some(cin::Cin::Divide(divide)) => return Some(of_half(divide.outer_name(), divide.inner_name())),
        Some(cin::Cin::Fuse(fuse)) => return Some(fuse.name()),
        Some(cin::Cin::Pos(pos)) => return Some(pos.name()),
        Some(cin::Cin::Bound(bound)) => return Some(bound.name()),
        Some(cin::Cin::Temporary(temporary)) => return Some(temporary.name()),
        _ => {}
    }
    match ta::Ta::of(op)? {
        ta::Ta::TensorDecl(tensor) => Some(tensor.name()),
        ta::Ta::IndexLabelStatic(label) => Some(label.name()),
        ta::Ta::IndexLabelDynamic(label) => Some(label.name()),
        _ => None,
    }
}

/// The number that a value is, where it is a constant.
pub fn constant(value: Val<'_>) -> Option<i64> {
    let constant = Op::defining(value)?.attribute("value")?;
    melior::ir::attribute::IntegerAttribute::try_from(constant).ok().map(|number| number.value())
}
