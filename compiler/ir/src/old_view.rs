//! Operations as their typed selves.

use crate::Op;
use comet_dialects::sam::SamDialectOperation;
use comet_dialects::spatial::SpatialDialectOperation;
use comet_dialects::ta::TaDialectOperation;
use melior::ir::operation::Operation;
use std::mem::ManuallyDrop;
use std::ops::Deref;

/// A typed operation, borrowed: the types that `dialect!` generates own theirs and would destroy it.
pub struct View<T>(ManuallyDrop<T>);

impl<T> Deref for View<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

/// `op` as one of the operations of the ta dialect, where it is one: for matches that treat many of them.
pub fn view_ta<'c>(op: Op<'c>) -> Option<View<TaDialectOperation<'c>>> {
    // SAFETY: the operation lives as long as `op` is used; neither outcome drops what it holds.
    match TaDialectOperation::try_new(unsafe { Operation::from_raw(op.to_raw()) }) {
        Ok(typed) => Some(View(ManuallyDrop::new(typed))),
        Err(other) => {
            std::mem::forget(other);
            None
        }
    }
}

/// The same for the sam dialect.
pub fn view_sam<'c>(op: Op<'c>) -> Option<View<SamDialectOperation<'c>>> {
    // SAFETY: as above.
    match SamDialectOperation::try_new(unsafe { Operation::from_raw(op.to_raw()) }) {
        Ok(typed) => Some(View(ManuallyDrop::new(typed))),
        Err(other) => {
            std::mem::forget(other);
            None
        }
    }
}

/// The same for the spatial dialect.
pub fn view_spatial<'c>(op: Op<'c>) -> Option<View<SpatialDialectOperation<'c>>> {
    // SAFETY: as above.
    match SpatialDialectOperation::try_new(unsafe { Operation::from_raw(op.to_raw()) }) {
        Ok(typed) => Some(View(ManuallyDrop::new(typed))),
        Err(other) => {
            std::mem::forget(other);
            None
        }
    }
}
