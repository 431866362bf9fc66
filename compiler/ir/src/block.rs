//! A reference to a block.

use crate::{Op, Val};
use melior::ir::BlockRef;
use melior::ir::RegionLike;
use melior::ir::block::BlockLike;
use melior::ir::operation::Operation;
use mlir_sys::{
    MlirBlock, mlirBlockAppendOwnedOperation, mlirBlockGetArgument, mlirBlockGetFirstOperation,
    mlirBlockGetNextInRegion, mlirBlockGetNumArguments, mlirBlockGetParentOperation, mlirBlockGetTerminator,
    mlirBlockInsertOwnedOperationBefore, mlirRegionGetFirstBlock,
};
use std::marker::PhantomData;

/// A reference to a block of the module that is worked on.
#[derive(Clone, Copy)]
pub struct Block<'c> {
    raw: MlirBlock,
    context: PhantomData<&'c ()>,
}

impl<'c> Block<'c> {
    fn from_raw(raw: MlirBlock) -> Option<Self> {
        (!raw.ptr.is_null()).then_some(Self { raw, context: PhantomData })
    }

    pub fn from_ref(block: BlockRef<'c, '_>) -> Self {
        Self { raw: block.to_raw(), context: PhantomData }
    }

    pub(crate) fn to_raw(self) -> MlirBlock {
        self.raw
    }

    pub fn first_of<'a>(region: impl RegionLike<'c, 'a>) -> Option<Self>
    where
        'c: 'a,
    {
        // SAFETY: the region lives; null says that it has no block.
        Self::from_raw(unsafe { mlirRegionGetFirstBlock(region.to_raw()) })
    }

    pub fn next(self) -> Option<Self> {
        // SAFETY: the block lives; null says that it is the last one.
        Self::from_raw(unsafe { mlirBlockGetNextInRegion(self.raw) })
    }

    /// Its operations; a copy of the list, so that they may be moved and erased on the way.
    pub fn ops(self) -> Vec<Op<'c>> {
        // SAFETY: the block lives; null says that it is empty.
        let first = unsafe { mlirBlockGetFirstOperation(self.raw) };
        // SAFETY: as above.
        let first = (!first.ptr.is_null()).then(|| unsafe { Op::from_raw(first) });
        std::iter::successors(first, |op| op.next()).collect()
    }

    /// The terminator. Panics where there is none: the verifier demands it.
    pub fn terminator(self) -> Op<'c> {
        // SAFETY: the block lives, and has a terminator.
        unsafe { Op::from_raw(mlirBlockGetTerminator(self.raw)) }
    }

    pub fn parent(self) -> Op<'c> {
        // SAFETY: a block of a module has a parent.
        unsafe { Op::from_raw(mlirBlockGetParentOperation(self.raw)) }
    }

    pub fn arguments(self) -> Vec<Val<'c>> {
        // SAFETY: the block lives.
        let count = unsafe { mlirBlockGetNumArguments(self.raw) } as usize;
        (0..count).map(|index| self.argument(index)).collect()
    }

    /// The argument at `index`. Panics where there is none.
    pub fn argument(self, index: usize) -> Val<'c> {
        // SAFETY: the block lives; MLIR asserts the index.
        unsafe { Val::from_raw(mlirBlockGetArgument(self.raw, index as isize)) }
    }

    pub(crate) fn append(self, op: Operation<'c>) -> Op<'c> {
        let raw = op.into_raw();
        // SAFETY: the block takes the operation over.
        unsafe {
            mlirBlockAppendOwnedOperation(self.raw, raw);
            Op::from_raw(raw)
        }
    }

    pub(crate) fn insert_before(self, other: Op<'c>, op: Operation<'c>) -> Op<'c> {
        let raw = op.into_raw();
        // SAFETY: the block takes the operation over.
        unsafe {
            mlirBlockInsertOwnedOperationBefore(self.raw, other.to_raw(), raw);
            Op::from_raw(raw)
        }
    }
}

impl PartialEq for Block<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.raw.ptr == other.raw.ptr
    }
}

impl Eq for Block<'_> {}
