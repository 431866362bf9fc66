//! Lanes of complex values become vectors of one dimension.

use crate::{Block, Op, Val, types};
use melior::ir::operation::OperationLike;
use melior::ir::{TypeLike, ValueLike};
use mlir_sys::mlirValueSetType;

/// Makes each `vector<nx2xT>` in an operation a `vector<2nxT>`, in which the same numbers are in the same
/// order: LLVM keeps vectors of one dimension in registers. Operations on them apply to each number, or are
/// casts between both, which are then casts of a type to itself.
pub fn flatten_lanes(root: Op<'_>) {
    root.for_each_inside(&mut |op| {
        op.results().into_iter().for_each(flatten);
        let op = op.as_ref();
        for region in op.regions() {
            let blocks = std::iter::successors(Block::first_of(region), |block| block.next());
            blocks.flat_map(Block::arguments).for_each(flatten);
        }
    });
}

fn flatten(value: Val<'_>) {
    let ty = value.r#type();
    if types::has_complex_lanes(ty) {
        let flat = types::vector(2 * types::lanes(ty), types::element(ty));
        // SAFETY: the value and the type are of one context, and all values of such a type change theirs.
        unsafe { mlirValueSetType(value.to_raw(), flat.to_raw()) };
    }
}
