//! A reference to an operation.

use crate::{Attr, Block, Loc, OpView, Val};
use comet_dialects::{TypedOp, ffi};
use melior::Context;
use melior::StringRef;
use melior::ir::block::BlockArgument;
use melior::ir::operation::{OperationLike, OperationRef};
use melior::ir::{AttributeLike, Identifier, Module, ValueLike};
use mlir_sys::{
    MlirAttribute, MlirOperation, mlirBlockAppendOwnedOperation, mlirIdentifierStr, mlirOpResultGetOwner,
    mlirOperationDestroy, mlirOperationGetName, mlirOperationGetNextInBlock, mlirOperationMoveBefore,
    mlirOperationRemoveAttributeByName, mlirOperationRemoveFromParent, mlirOperationSetAttributeByName,
    mlirOperationSetLocation, mlirOperationSetOperand, mlirValueGetFirstUse, mlirValueReplaceAllUsesOfWith,
};
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

/// What an operation does to memory: the cases of `CometEffects`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effects {
    None,
    Reads,
    /// It writes, or its effects are not known.
    Other,
}

/// A reference to an operation of the module that is worked on.
#[derive(Clone, Copy)]
pub struct Op<'c> {
    raw: MlirOperation,
    context: PhantomData<&'c ()>,
}

impl<'c> Op<'c> {
    /// # Safety
    ///
    /// The operation must live as long as the reference is used.
    pub unsafe fn from_raw(raw: MlirOperation) -> Self {
        Self { raw, context: PhantomData }
    }

    pub fn to_raw(self) -> MlirOperation {
        self.raw
    }

    pub fn as_ref(self) -> OperationRef<'c, 'c> {
        // SAFETY: whoever made this reference promised that the operation lives.
        unsafe { OperationRef::from_raw(self.raw) }
    }

    pub fn context(self) -> &'c Context {
        crate::context::of_ref(self.as_ref().context())
    }

    pub fn location(self) -> Loc<'c> {
        self.as_ref().location()
    }

    /// Moves it to another place of the program.
    pub fn set_location(self, location: Loc<'c>) {
        // SAFETY: the operation and the location live, in one context.
        unsafe { mlirOperationSetLocation(self.raw, location.to_raw()) }
    }

    pub fn is<T: TypedOp>(self) -> bool {
        self.name_in_context() == T::op_name()
    }

    pub fn cast<T: OpView<'c>>(self) -> Option<T> {
        self.is::<T>().then(|| T::of_op_unchecked(self))
    }

    /// Views it as an operation of type `T`. Panics where it is another one.
    pub fn typed<T: OpView<'c>>(self) -> T {
        self.cast().unwrap_or_else(|| panic!("`{}` is no `{}`", self.name(), T::op_name()))
    }

    /// Returns its name, which the context keeps.
    pub(crate) fn name_in_context(self) -> &'c str {
        // SAFETY: the operation lives, and the names of operations live as long as their context.
        unsafe { StringRef::from_raw(mlirIdentifierStr(mlirOperationGetName(self.raw))) }
            .as_str()
            .unwrap_or("?")
    }

    /// Its name, for messages; passes match on types.
    pub fn name(self) -> String {
        self.name_in_context().to_owned()
    }

    /// The operand at `index`. Panics where there is none: the verifier has counted them.
    pub fn operand(self, index: usize) -> Val<'c> {
        self.as_ref().operand(index).expect("the verifier counts operands")
    }

    /// Makes another value the operand at `index`. Panics where there is none.
    pub fn set_operand(self, index: usize, value: Val<'c>) {
        assert!(index < self.as_ref().operand_count(), "`{}` has no operand {index}", self.name());
        // SAFETY: the operation and the value live, and the operation has that operand.
        unsafe { mlirOperationSetOperand(self.raw, index as isize, value.to_raw()) }
    }

    pub fn operands(self) -> Vec<Val<'c>> {
        (0..self.operand_count()).map(|index| self.operand(index)).collect()
    }

    pub fn operand_count(self) -> usize {
        self.as_ref().operand_count()
    }

    /// The result at `index`. Panics where there is none: the verifier has counted them.
    pub fn result(self, index: usize) -> Val<'c> {
        crate::detach(self.as_ref().result(index).expect("the verifier counts results").into())
    }

    pub fn results(self) -> Vec<Val<'c>> {
        (0..self.result_count()).map(|index| self.result(index)).collect()
    }

    /// That of a module, which must outlive all that is done with it.
    pub fn of_module(module: &Module<'c>) -> Self {
        // SAFETY: the module lives, and its operation as long as it.
        unsafe { Self::from_raw(module.as_operation().to_raw()) }
    }

    pub fn result_count(self) -> usize {
        self.as_ref().result_count()
    }

    pub fn attribute(self, name: &str) -> Option<Attr<'c>> {
        self.as_ref().attribute(name).ok()
    }

    pub fn set_attribute(self, name: &str, value: Attr<'c>) {
        self.set_raw_attribute(name, value.to_raw());
    }

    pub fn remove_attribute(self, name: &str) {
        let name = StringRef::new(name);
        // SAFETY: the operation and the name live.
        unsafe { mlirOperationRemoveAttributeByName(self.raw, name.to_raw()) };
    }

    /// Makes LLVM leave a loop as it is. The LLVM dialect must be loaded.
    pub fn never_unroll(self) {
        // SAFETY: the context lives.
        let annotation = unsafe { ffi::cometLoopNeverUnrolledGet(self.context().to_raw()) };
        self.set_raw_attribute("loop_annotation", annotation);
    }

    /// Makes LLVM compute one vector of a loop at a time. The LLVM dialect must be loaded.
    pub fn never_interleave(self) {
        // SAFETY: the context lives.
        let annotation = unsafe { ffi::cometLoopNotInterleavedGet(self.context().to_raw()) };
        self.set_raw_attribute("loop_annotation", annotation);
    }

    /// Makes LLVM unroll a loop by a positive factor. The LLVM dialect must be loaded.
    pub fn unroll(self, iterations: i64) {
        let iterations = i32::try_from(iterations).unwrap_or(i32::MAX);
        // SAFETY: the context lives.
        let annotation = unsafe { ffi::cometLoopUnrolledGet(self.context().to_raw(), iterations) };
        self.set_raw_attribute("loop_annotation", annotation);
    }

    fn set_raw_attribute(self, name: &str, value: MlirAttribute) {
        let name = Identifier::new(self.context(), name);
        // SAFETY: the operation, the name and the attribute live, in one context.
        unsafe { mlirOperationSetAttributeByName(self.raw, name.as_string_ref().to_raw(), value) }
    }

    /// The only block of a region. Panics where there is none: the verifier demands it.
    pub fn body(self, region: usize) -> Block<'c> {
        let raw = self.as_ref().region(region).expect("the verifier counts regions");
        Block::first_of(raw).expect("the verifier demands a block")
    }

    pub fn region_count(self) -> usize {
        self.as_ref().region_count()
    }

    pub fn parent(self) -> Option<Self> {
        let parent = self.as_ref().parent_operation()?;
        // SAFETY: a parent lives as long as its children.
        Some(unsafe { Self::from_raw(parent.to_raw()) })
    }

    pub fn block(self) -> Option<Block<'c>> {
        self.as_ref().block().map(Block::from_ref)
    }

    /// Returns whether it, or an operation inside of it, has a value as an operand.
    pub fn names(self, value: Val<'c>) -> bool {
        let mut found = self.operands().contains(&value);
        self.for_each_inside(&mut |inner| found |= inner.operands().contains(&value));
        found
    }

    /// Returns the operations behind it in its block.
    pub fn following(self) -> impl Iterator<Item = Self> {
        std::iter::successors(self.next(), |op| op.next())
    }

    pub fn next(self) -> Option<Self> {
        // SAFETY: the operation lives; null says that it is the last one.
        let next = unsafe { mlirOperationGetNextInBlock(self.raw) };
        // SAFETY: as above.
        (!next.ptr.is_null()).then(|| unsafe { Self::from_raw(next) })
    }

    /// The operations of that type inside this one, outer before inner, in the order of the text.
    pub fn descendants<T: TypedOp>(self) -> Vec<Self> {
        let mut found = Vec::new();
        self.for_each_inside(&mut |op| {
            if op.is::<T>() {
                found.push(op);
            }
        });
        found
    }

    /// Returns views of the operations of that type inside this one, outer before inner, in the order of the
    /// text.
    pub fn walk<T: OpView<'c>>(self) -> Vec<T> {
        self.descendants::<T>().into_iter().map(T::of_op_unchecked).collect()
    }

    /// Calls `visit` for every operation inside this one, outer before inner, in the order of the text.
    pub fn for_each_inside(self, visit: &mut dyn FnMut(Self)) {
        for region in self.as_ref().regions() {
            let mut block = Block::first_of(region);
            while let Some(current) = block {
                for op in current.ops() {
                    visit(op);
                    op.for_each_inside(visit);
                }
                block = current.next();
            }
        }
    }

    /// The operations around it, innermost first.
    pub fn ancestors(self) -> impl Iterator<Item = Self> {
        std::iter::successors(self.parent(), |op| op.parent())
    }

    pub fn is_inside(self, outer: Self) -> bool {
        self.ancestors().any(|parent| parent == outer)
    }

    /// Whether a value is that of an operation inside of it, or of a block.
    pub fn makes(self, value: Val<'c>) -> bool {
        if let Some(op) = Self::defining(value) {
            return op.is_inside(self);
        }
        BlockArgument::try_from(value).is_ok_and(|argument| {
            let around = Block::from_ref(argument.owner()).parent();
            around == self || around.is_inside(self)
        })
    }

    /// What it, and what is inside of it, does to memory.
    pub fn effects(self) -> Effects {
        // SAFETY: the operation lives.
        match unsafe { ffi::cometOperationEffects(self.raw) } {
            0 => Effects::None,
            1 => Effects::Reads,
            _ => Effects::Other,
        }
    }

    /// The operation that defines `value`; `None` for an argument of a block.
    pub fn defining(value: Val<'c>) -> Option<Self> {
        if !value.is_operation_result() {
            return None;
        }
        // SAFETY: an operation result has an owner that lives as long as it.
        Some(unsafe { Self::from_raw(mlirOpResultGetOwner(value.to_raw())) })
    }

    pub fn move_before(self, other: Self) {
        // SAFETY: both operations live.
        unsafe { mlirOperationMoveBefore(self.raw, other.raw) }
    }

    pub fn move_to_end(self, block: Block<'c>) {
        // SAFETY: the operation and the block live.
        unsafe {
            mlirOperationRemoveFromParent(self.raw);
            mlirBlockAppendOwnedOperation(block.to_raw(), self.raw);
        }
    }

    pub fn is_used(self) -> bool {
        (0..self.result_count()).any(|index| {
            // SAFETY: the result lives as long as the operation; null says that it has no use.
            let first = unsafe { mlirValueGetFirstUse(self.result(index).to_raw()) };
            !first.ptr.is_null()
        })
    }

    /// Removes and destroys it. Every copy of the reference is dead afterwards. Panics where its results have
    /// uses left, because MLIR would end the process.
    pub fn erase(self) {
        assert!(!self.is_used(), "`{}` is erased although its results are used", self.name());
        // SAFETY: the operation lives until here, and the caller does not use it again.
        unsafe {
            mlirOperationRemoveFromParent(self.raw);
            mlirOperationDestroy(self.raw);
        }
    }

    /// Makes every use of its results use `values` instead, then erases it.
    pub fn replace(self, values: &[Val<'c>]) {
        for (index, value) in values.iter().enumerate() {
            // SAFETY: both values live.
            unsafe { mlirValueReplaceAllUsesOfWith(self.result(index).to_raw(), value.to_raw()) }
        }
        self.erase();
    }
}

impl PartialEq for Op<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.raw.ptr == other.raw.ptr
    }
}

impl Eq for Op<'_> {}

impl Hash for Op<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.raw.ptr.hash(state);
    }
}

impl std::fmt::Debug for Op<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name_in_context())
    }
}

impl std::fmt::Display for Op<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.as_ref().fmt(f)
    }
}
