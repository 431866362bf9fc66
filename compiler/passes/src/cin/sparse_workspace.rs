//! Puts a sparse workspace between what comes to a sparse tensor in any order and the tensor: the
//! where-statement of sparse-workspace.txt section 5, whose consumer is the paper's Pack.

use crate::nest::{self, WorkspaceKind, is_statement, point};
use crate::operator::Reduction;
use crate::order::Class;
use comet_ir::cin::Claim;
use comet_ir::{Block, Builder, Op, Result, Val, cin, types};
use melior::ir::ValueLike;

/// A sparse workspace, as a user or a rule wants it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SparseWorkspace {
    /// How points are kept.
    pub kind: WorkspaceKind,
    /// Room for so many points; as many as the result has where none is given.
    pub capacity: Option<i64>,
}

impl SparseWorkspace {
    /// Makes a temporary that is stored in levels one of this kind.
    pub(super) fn become_of(self, temporary: Op<'_>) {
        let b = Builder::before(temporary);
        temporary.set_attribute("kind", b.enum_attribute(self.kind as i32));
        if let Some(points) = self.capacity {
            temporary.set_attribute("capacity", b.i64_attribute(points));
        }
    }

    /// Moves the statements of a block into the producer of a workspace that has the target's format, and so
    /// its order; `assigns` are all assignments to the target, which become those to the workspace.
    pub(super) fn insert<'c>(self, body: Block<'c>, assigns: &[Op<'c>]) -> Result<'c, ()> {
        let (target, indices) = point(assigns[0]);
        let moved: Vec<Op<'c>> = body.ops().into_iter().filter(is_statement).collect();
        let b = Builder::before(moved[0]).with_location(assigns[0].location());
        let mut attributes =
            vec![("name", b.string_attribute("points")), ("kind", b.enum_attribute(self.kind as i32))];
        attributes.extend(self.capacity.map(|points| ("capacity", b.i64_attribute(points))));
        let workspace = b.op("cin.temporary", &[], &[target.r#type()], &attributes)?.result(0);
        let where_op = b.op_with_regions("cin.where", &[], &[], &[], vec![b.region(&[]), b.region(&[])])?;
        for op in moved {
            op.move_to_end(where_op.body(1));
        }
        for assign in assigns {
            let at = Builder::before(*assign);
            let (_, own) = point(*assign);
            let operands = [vec![assign.operand(0), workspace], own].concat();
            let reduction = at.enum_attribute(Reduction::of(*assign) as i32);
            let arriving = at.op("cin.assign", &operands, &[], &[("reduction", reduction)])?;
            if assign.attribute("claim").is_some() {
                Class::of(arriving).claim(arriving);
            }
            assign.erase();
        }
        pack(b.inside(where_op.body(0)), workspace, target, &indices)
    }
}

/// Everything that came to a workspace goes on into the tensor.
fn pack<'c>(b: Builder<'c>, workspace: Val<'c>, target: Val<'c>, indices: &[Val<'c>]) -> Result<'c, ()> {
    let mut b = b;
    for var in nest::in_storage_order(target, indices) {
        let region = b.region(&[]);
        let forall = b.op_with_regions("cin.forall", &[var], &[], &[], vec![region])?;
        b = b.inside(forall.body(0));
    }
    let operands = [vec![workspace], indices.to_vec()].concat();
    let value = b.value("cin.access", &operands, types::element(workspace.r#type()))?;
    let operands = [vec![value, target], indices.to_vec()].concat();
    let set = [
        ("reduction", b.enum_attribute(Reduction::Set as i32)),
        ("claim", b.enum_attribute(Claim::Concordant as i32)),
    ];
    b.op("cin.assign", &operands, &[], &set).map(|_| ())
}

/// The tensor that everything in a hash or list workspace goes on into as it is, where the consumer of its
/// where-statement is that and nothing else.
pub fn packed_into(temporary: Op<'_>) -> Option<Val<'_>> {
    if !matches!(WorkspaceKind::of(temporary), WorkspaceKind::Hash | WorkspaceKind::List) {
        return None;
    }
    let where_op = temporary.next().filter(|op| op.is::<cin::Where>())?;
    let assign = only_assign(where_op.body(0))?;
    let (target, indices) = point(assign);
    let access = Op::defining(assign.operand(0)).filter(|op| op.is::<cin::Access>())?;
    let workspace = temporary.result(0);
    let is_pack = Reduction::of(assign) == Reduction::Set
        && point(access) == (workspace, indices)
        && target.r#type() == workspace.r#type()
        && !nest::is_temporary(target);
    is_pack.then_some(target)
}

/// The assignment in loops that have nothing else in them but the access to what it assigns.
fn only_assign(block: Block<'_>) -> Option<Op<'_>> {
    match block.ops()[..] {
        [forall] if forall.is::<cin::Forall>() => only_assign(forall.body(0)),
        [access, assign] if access.is::<cin::Access>() && assign.is::<cin::Assign>() => Some(assign),
        _ => None,
    }
}

/// Whether an assignment is the consumer that packs a workspace.
pub fn is_pack(assign: Op<'_>) -> bool {
    let value = Op::defining(assign.operand(0)).filter(|op| op.is::<cin::Access>());
    let temporary = value.and_then(|access| nest::temporary(point(access).0));
    temporary.and_then(packed_into).is_some_and(|target| target == point(assign).0)
}
