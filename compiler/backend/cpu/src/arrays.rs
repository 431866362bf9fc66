//! Which arrays the operations of loops write, and whose they are.

use comet_ir::{Op, Val};
use melior::dialect::ods::memref::StoreOperation as StoreElement;
use melior::dialect::ods::vector::{MaskedStoreOperation, StoreOperation as StoreVector};

/// The array that an operation writes to.
pub(crate) fn written_by<'c>(op: Op<'c>) -> Option<Val<'c>> {
    match () {
        () if op.is::<StoreElement>() || op.is::<StoreVector>() => Some(op.operand(1)),
        () if op.is::<MaskedStoreOperation>() => Some(op.operand(0)),
        () => None,
    }
}

/// The tensor that an array belongs to, or the array itself where it comes from elsewhere.
pub(crate) fn owner(array: Val<'_>) -> Val<'_> {
    Op::defining(array).and_then(|op| op.operands().first().copied()).unwrap_or(array)
}
