//! Which arrays the operations of loops write, and whose they are.

use comet_ir::{Op, Val, ta};
use melior::dialect::ods::memref::StoreOperation as StoreElement;
use melior::dialect::ods::scf::ParallelOperation;
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

/// Checks that the functions of tasks, whose arrays LLVM takes to share no memory, get each array once.
///
/// # Panics
/// Where tasks have an array of a tensor from two operations.
pub(crate) fn check_distinct(module: Op<'_>) {
    module.descendants::<ParallelOperation>().into_iter().for_each(check_distinct_in);
}

fn check_distinct_in(tasks: Op<'_>) {
    let mut used = Vec::new();
    tasks.for_each_inside(&mut |op| used.extend(op.operands()));
    used.retain(|value| !tasks.makes(*value));
    let mut asked: Vec<Op<'_>> = Vec::new();
    for op in used.into_iter().filter_map(Op::defining) {
        let is_array = op.is::<ta::Values>() || op.is::<ta::Positions>() || op.is::<ta::Coordinates>();
        if is_array && !asked.contains(&op) {
            assert!(
                !asked.iter().any(|other| is_same_array(*other, op)),
                "tasks have the array of `{}` twice",
                op.name()
            );
            asked.push(op);
        }
    }
}

fn is_same_array(a: Op<'_>, b: Op<'_>) -> bool {
    a.name() == b.name() && a.operands() == b.operands() && a.attribute("level") == b.attribute("level")
}
