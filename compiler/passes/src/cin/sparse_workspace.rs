//! Puts a sparse workspace between what comes to a sparse tensor in any order and the tensor: the
//! where-statement of sparse-workspace.txt section 5, whose consumer is the paper's Pack.

use crate::nest::{self, WorkspaceKind, is_statement, point};
use crate::order::Class;
use comet_ir::cin::Claim;
use comet_ir::cin::Reduction;
use comet_ir::{Block, Builder, Op, Result, Val, cin};
use melior::ir::ValueLike;

/// A sparse workspace, as a user or a rule wants it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SparseWorkspace {
    pub kind: WorkspaceKind,
    /// Room for so many points; as many as the result has where none is given.
    pub capacity: Option<i64>,
}

impl SparseWorkspace {
    /// Makes a temporary that is stored in levels one of this kind.
    pub(super) fn become_of(self, temporary: cin::Temporary<'_>) {
        temporary.set_kind(self.kind);
        if self.capacity.is_some() {
            temporary.set_capacity(self.capacity);
        }
    }

    /// Moves the statements of a block into the producer of a workspace that has the target's format, and so
    /// its order; `assigns` are all assignments to the target, which become those to the workspace.
    pub(super) fn insert<'c>(self, body: Block<'c>, assigns: &[cin::Assign<'c>]) -> Result<'c, ()> {
        let (target, indices) = point(assigns[0]);
        let moved: Vec<Op<'c>> = body.ops().into_iter().filter(is_statement).collect();
        let b = Builder::before(moved[0]).with_location(assigns[0].location());
        let temporary = cin::Temporary::build(b, "points", self.kind, target.r#type())?;
        let workspace = temporary.set_capacity(self.capacity).tensor();
        let where_op = cin::Where::build(b)?;
        for op in moved {
            op.move_to_end(where_op.producer());
        }
        for assign in assigns {
            let at = Builder::before(*assign);
            let (value, indices) = (assign.value(), assign.indices());
            let arriving = cin::Assign::build(at, value, workspace, &indices, assign.reduction())?;
            if assign.claim().is_some() {
                Class::of(arriving).claim(arriving);
            }
            assign.erase();
        }
        pack(b.inside(where_op.consumer()), workspace, target, &indices)
    }
}

/// Everything that came to a workspace goes on into the tensor.
fn pack<'c>(b: Builder<'c>, workspace: Val<'c>, target: Val<'c>, indices: &[Val<'c>]) -> Result<'c, ()> {
    let b = cin::loops(b, &nest::in_storage_order(target, indices))?;
    let value = cin::access(b, workspace, indices)?;
    let assign = cin::Assign::build(b, value, target, indices, Reduction::Set)?;
    assign.set_claim(Some(Claim::Concordant));
    Ok(())
}

/// The tensor that everything in a hash or list workspace goes on into as it is, where the consumer of its
/// where-statement is that and nothing else.
pub fn packed_into(temporary: cin::Temporary<'_>) -> Option<Val<'_>> {
    if !matches!(temporary.kind(), WorkspaceKind::Hash | WorkspaceKind::List) {
        return None;
    }
    let where_op = temporary.next().and_then(|op| op.cast::<cin::Where>())?;
    let assign = only_assign(where_op.consumer())?;
    let (target, indices) = point(assign);
    let access = cin::Access::defining(assign.value())?;
    let workspace = temporary.tensor();
    let is_pack = assign.reduction() == Reduction::Set
        && point(access) == (workspace, indices)
        && target.r#type() == workspace.r#type()
        && !nest::is_temporary(target);
    is_pack.then_some(target)
}

/// The assignment in loops that have nothing else in them but the access to what it assigns.
fn only_assign(block: Block<'_>) -> Option<cin::Assign<'_>> {
    match block.ops()[..] {
        [forall] => only_assign(forall.cast::<cin::Forall>()?.body()),
        [access, assign] if access.is::<cin::Access>() => assign.cast::<cin::Assign>(),
        _ => None,
    }
}

/// Whether an assignment is the consumer that packs a workspace.
pub fn is_pack(assign: cin::Assign<'_>) -> bool {
    let temporary = cin::Access::defining(assign.value()).and_then(|access| nest::temporary(access.tensor()));
    temporary.and_then(packed_into).is_some_and(|target| target == assign.tensor())
}
