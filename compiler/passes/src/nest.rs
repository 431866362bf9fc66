//! What passes and back ends ask of a `cin.compute`: how its index variables are related, which levels an
//! access has at a variable.

use comet_format::LevelExpr;
use comet_ir::cin::Operator;
pub use comet_ir::cin::WorkspaceKind;
use comet_ir::cin::{self, Cin, is_value};
use comet_ir::{Block, Op, Val, format, types};
use comet_notation::distinct;
pub use comet_notation::relations::Blocks;
use comet_notation::relations::{self, Bound, Fusion, PositionVar};
use melior::ir::ValueLike;

/// `var = outer * size of the blocks + inner`.
pub type Split<'c> = relations::Split<Val<'c>>;

/// The relations between the index variables of a `cin.compute`.
pub type Relations<'c> = relations::Relations<Val<'c>, Val<'c>>;

/// Reads the relations that are declared in a compute.
pub fn relations<'c>(compute: impl Into<Op<'c>>) -> Relations<'c> {
    let compute = compute.into();
    let bounds = compute.walk::<cin::Bound>().into_iter();
    let bounds = bounds.map(|bound| Bound { bounded: bound.bounded(), whole: bound.var() }).collect();
    let mut relations = Relations { bounds, ..Relations::default() };
    for split in compute.walk::<cin::Split>() {
        let blocks = Blocks::OfSize(split.factor().unsigned_abs());
        let var = relations.unbounded(split.var());
        relations.splits.push(Split { var, blocks, outer: split.outer(), inner: split.inner() });
    }
    for divide in compute.walk::<cin::Divide>() {
        let blocks = Blocks::InNumber(divide.parts().unsigned_abs());
        let var = relations.unbounded(divide.var());
        relations.splits.push(Split { var, blocks, outer: divide.outer(), inner: divide.inner() });
    }
    for fuse in compute.walk::<cin::Fuse>() {
        let (outer, inner) = (relations.unbounded(fuse.outer()), relations.unbounded(fuse.inner()));
        relations.fusions.push(Fusion { outer, inner, fused: fuse.fused() });
    }
    for pos in compute.walk::<cin::Pos>() {
        let level = usize::try_from(pos.level()).expect("the verifier demands a level");
        let (var, tensor, position) = (relations.unbounded(pos.var()), pos.tensor(), pos.position());
        let indices = pos.indices();
        relations.positions.push(PositionVar { var, tensor, indices, level, position });
    }
    relations
}

/// Whether some access inside `op` has a level at `var` that stores only some coordinates.
pub fn is_sparse_at<'c>(relations: &Relations<'c>, op: impl Into<Op<'c>>, var: Val<'c>) -> bool {
    op.into().walk::<cin::Access>().into_iter().any(|access| {
        let (indices, levels) = (access.indices(), format::of(access.tensor()).levels);
        levels
            .into_iter()
            .any(|level| !level.kind.is_full() && relations.level_var(level, &indices) == Some(var))
    })
}

/// The variables of an access, each once, in the order in which the levels store them.
pub fn in_storage_order<'c>(tensor: Val<'c>, indices: &[Val<'c>]) -> Vec<Val<'c>> {
    let modes = format::of(tensor).levels.into_iter().filter_map(|level| level.expr.mode());
    distinct(modes.map(|mode| indices[mode]))
}

/// The variables of the loops around an operation and inside of `scope`, outermost first.
pub fn loops_around<'c>(op: impl Into<Op<'c>>, scope: impl Into<Op<'c>>) -> Vec<Val<'c>> {
    let (op, scope) = (op.into(), scope.into());
    let parents = op.ancestors().take_while(|op| *op != scope);
    let loops = parents.filter_map(|op| op.cast::<cin::Forall>()).map(|forall| forall.var());
    let mut loops: Vec<Val<'_>> = loops.collect();
    loops.reverse();
    loops
}

/// The workspace that a tensor is; `None` of those of the program.
pub fn temporary(tensor: Val<'_>) -> Option<cin::Temporary<'_>> {
    cin::Temporary::defining(tensor)
}

/// Whether a tensor is a workspace.
pub fn is_temporary(tensor: Val<'_>) -> bool {
    temporary(tensor).is_some()
}

/// Whether an operation does something: loops, assignments and temporary storage, but no index variable and
/// no value.
pub fn is_statement(op: &Op<'_>) -> bool {
    op.region_count() > 0 || op.is::<cin::Assign>() || op.is::<cin::Temporary>()
}

/// Returns the operations that a value is made of, each before those of its operands.
pub fn operations_of(value: Val<'_>) -> Vec<Op<'_>> {
    let Some(op) = Op::defining(value).filter(|op| is_value(*op)) else { return Vec::new() };
    std::iter::once(op).chain(op.operands().into_iter().flat_map(operations_of)).collect()
}

/// Returns the accesses that a value is made of, from left to right.
pub fn accesses_of(value: Val<'_>) -> impl Iterator<Item = cin::Access<'_>> {
    operations_of(value).into_iter().filter_map(|op| op.cast::<cin::Access>())
}

/// Erases a value that nothing uses any more, and what only it was made of.
pub fn erase_unused(value: Val<'_>) {
    let Some(op) = Op::defining(value).filter(|op| is_value(*op) && !op.is_used()) else { return };
    let operands = op.operands();
    op.erase();
    operands.into_iter().for_each(erase_unused);
}

/// The name of a tensor variable or an index variable, for messages.
pub fn name(value: Val<'_>) -> String {
    comet_ir::declared_name(value).unwrap_or("?").to_owned()
}

/// The name of the program's variable that a tensor is, or whose place it takes when it is complete.
pub fn program_name(tensor: Val<'_>) -> String {
    name(tensor).trim_end_matches(".new").to_owned()
}

/// The extent of a variable of the expression, where it is a constant.
pub fn constant_extent(var: Val<'_>) -> Option<i64> {
    let declaration = cin::IndexVar::defining(var)?;
    comet_ir::constant(declaration.size())
}

/// The tensor and the index variables of a `cin.access` or `cin.assign`.
pub fn point<'c>(op: impl Into<Op<'c>>) -> (Val<'c>, Vec<Val<'c>>) {
    let op = op.into();
    match Cin::of(op) {
        Some(Cin::Access(access)) => (access.tensor(), access.indices()),
        Some(Cin::Assign(assign)) => (assign.tensor(), assign.indices()),
        _ => unreachable!("`{}` has no tensor at index variables", op.name()),
    }
}

/// Whether a variable does not move a `cin.access` or `cin.assign`, or moves it by one value: it is that of
/// the innermost level, which is dense.
pub fn is_contiguous<'c>(op: impl Into<Op<'c>>, var: Val<'c>) -> bool {
    let (tensor, indices) = point(op);
    let uses = indices.iter().filter(|index| **index == var).count();
    let innermost = format::of(tensor).levels.last().copied();
    let by_one = innermost.is_some_and(|level| match level.expr {
        LevelExpr::Mode(mode) => level.kind.is_full() && indices[mode] == var,
        _ => false,
    });
    uses == 0 || (uses == 1 && by_one)
}

/// Whether integers are divided inside of `op`. That is done one by one: it may fail, at the first quotient
/// that the program comes to.
pub fn divides_integers<'c>(op: impl Into<Op<'c>>) -> bool {
    let is_integer = |combine: &cin::Combine<'_>| !types::is_inexact(combine.result().r#type());
    let mut combines = op.into().walk::<cin::Combine>().into_iter().filter(is_integer);
    combines.any(|combine| combine.op() == Operator::Div)
}

/// A nest of loops around one assignment, with nothing else in it but what the assignment's value is made of.
pub struct Chain<'c> {
    /// The loops, outermost first.
    pub loops: Vec<cin::Forall<'c>>,
    /// The assignment.
    pub assign: cin::Assign<'c>,
}

impl<'c> Chain<'c> {
    /// The nest of a compute, where it is one.
    pub fn of(compute: impl Into<Op<'c>>) -> Option<Self> {
        let statements = |block: Block<'c>| -> Vec<Op<'c>> {
            block.ops().into_iter().filter(|op| op.region_count() > 0 || op.is::<cin::Assign>()).collect()
        };
        let mut loops = Vec::new();
        let mut inside = statements(compute.into().cast::<cin::Compute>()?.body());
        while let [only] = inside[..] {
            match Cin::of(only)? {
                Cin::Assign(assign) => return Some(Self { loops, assign }),
                Cin::Forall(forall) => {
                    loops.push(forall);
                    inside = statements(forall.body());
                }
                _ => return None,
            }
        }
        None
    }

    /// The variables of the loops.
    pub fn vars(&self) -> Vec<Val<'c>> {
        self.loops.iter().map(|forall| forall.var()).collect()
    }

    /// Whether a loop moves the target's element.
    pub fn moves_target(&self, forall: cin::Forall<'c>, relations: &Relations<'c>) -> bool {
        let (_, indices) = point(self.assign);
        relations.roots(forall.var()).iter().any(|root| indices.contains(root))
    }

    /// Whether one of so many outermost loops comes to the target's elements again and again.
    pub fn reduces(&self, outermost: usize, relations: &Relations<'c>) -> bool {
        self.loops[..outermost].iter().any(|forall| !self.moves_target(*forall, relations))
    }

    /// Whether the assignment's value is made of what the target holds, so that it makes a difference when
    /// the target gets which value.
    pub fn reads_target(&self) -> bool {
        let (target, _) = point(self.assign);
        let outermost = self.loops.first().and_then(|forall| forall.parent());
        let reads = outermost.map_or(Vec::new(), |op| op.walk::<cin::Access>());
        reads.into_iter().any(|access| point(access).0 == target)
    }
}
