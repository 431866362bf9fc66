//! What passes and back ends ask of a `cin.compute`: how its index variables are related, which levels an
//! access has at a variable.

use crate::operator::Operator;
use comet_format::{Level, LevelExpr};
pub use comet_ir::cin::WorkspaceKind;
use comet_ir::cin::{self, Cin};
use comet_ir::{Block, Op, Val, format, types};
use melior::ir::ValueLike;
use melior::ir::attribute::IntegerAttribute;

/// How long the blocks of a variable are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blocks {
    /// So many values each.
    OfSize(u64),
    /// As long as so many blocks need to be for all values.
    InNumber(u64),
}

/// `var = outer * size of the blocks + inner`.
#[derive(Clone, Copy)]
pub struct Split<'c> {
    /// The variable that is split.
    pub var: Val<'c>,
    /// What fixes the extent of `inner`.
    pub blocks: Blocks,
    /// The quotient.
    pub outer: Val<'c>,
    /// The remainder.
    pub inner: Val<'c>,
}

/// `fused = outer * extent of inner + inner`.
#[derive(Clone, Copy)]
pub struct Fusion<'c> {
    /// The quotient.
    pub outer: Val<'c>,
    /// The remainder.
    pub inner: Val<'c>,
    /// The variable over all pairs.
    pub fused: Val<'c>,
}

/// A variable over the positions of a level.
#[derive(Clone)]
pub struct Positions<'c> {
    /// What declares it.
    pub op: Op<'c>,
    /// The variable whose values the positions are those of.
    pub var: Val<'c>,
    /// The tensor under its index variables.
    pub tensor: Val<'c>,
    /// Those.
    pub indices: Vec<Val<'c>>,
    /// The number of the level.
    pub level: usize,
    /// The variable over the positions.
    pub position: Val<'c>,
}

/// The relations between the index variables of a `cin.compute`.
pub struct Relations<'c> {
    splits: Vec<Split<'c>>,
    fusions: Vec<Fusion<'c>>,
    positions: Vec<Positions<'c>>,
    /// Variables with a known range, and what they stand for.
    bounds: Vec<(Val<'c>, Val<'c>)>,
}

impl Split<'_> {
    /// The size of the blocks, where it is a number.
    pub fn factor(&self) -> Option<u64> {
        match self.blocks {
            Blocks::OfSize(factor) => Some(factor),
            Blocks::InNumber(_) => None,
        }
    }
}

impl<'c> Relations<'c> {
    /// Those declared in a compute.
    pub fn of(compute: impl Into<Op<'c>>) -> Self {
        let compute = compute.into();
        let bounds = compute.walk::<cin::Bound>().into_iter();
        let bounds = bounds.map(|bound| (bound.bounded(), bound.var())).collect();
        let relations = Self { splits: Vec::new(), fusions: Vec::new(), positions: Vec::new(), bounds };
        let blocks_of_size = compute.walk::<cin::Split>().into_iter();
        let blocks_in_number = compute.walk::<cin::Divide>().into_iter();
        let of_size = |split: cin::Split<'c>| Split {
            var: relations.unbounded(split.var()),
            blocks: Blocks::OfSize(split.factor().unsigned_abs()),
            outer: split.outer(),
            inner: split.inner(),
        };
        let in_number = |divide: cin::Divide<'c>| Split {
            var: relations.unbounded(divide.var()),
            blocks: Blocks::InNumber(divide.parts().unsigned_abs()),
            outer: divide.outer(),
            inner: divide.inner(),
        };
        let splits = blocks_of_size.map(of_size).chain(blocks_in_number.map(in_number)).collect();
        let fusions = compute.walk::<cin::Fuse>().into_iter();
        let fusions = fusions.map(|op| relations.fusion(op)).collect();
        let positions = compute.walk::<cin::Pos>().into_iter();
        let positions = positions.map(|op| relations.positions_of_level(op)).collect();
        Self { splits, fusions, positions, ..relations }
    }

    fn fusion(&self, fuse: cin::Fuse<'c>) -> Fusion<'c> {
        let (outer, inner) = (self.unbounded(fuse.outer()), self.unbounded(fuse.inner()));
        Fusion { outer, inner, fused: fuse.fused() }
    }

    fn positions_of_level(&self, pos: cin::Pos<'c>) -> Positions<'c> {
        let level = usize::try_from(pos.level()).expect("the verifier demands a level");
        let (var, position) = (self.unbounded(pos.var()), pos.position());
        Positions { op: *pos, var, tensor: pos.tensor(), indices: pos.indices(), level, position }
    }

    /// Returns the variable that stands for the same without a known range.
    pub fn unbounded(&self, var: Val<'c>) -> Val<'c> {
        let bound = self.bounds.iter().find(|(bounded, _)| *bounded == var);
        bound.map_or(var, |(_, whole)| self.unbounded(*whole))
    }

    /// The split of a variable by that factor.
    pub fn split_of(&self, var: Val<'c>, factor: u64) -> Option<Split<'c>> {
        let var = self.unbounded(var);
        self.splits.iter().copied().find(|split| split.var == var && split.factor() == Some(factor))
    }

    /// The split that a variable is the quotient of.
    pub fn quotient_of(&self, var: Val<'c>) -> Option<Split<'c>> {
        self.splits.iter().copied().find(|split| split.outer == var)
    }

    /// The split that a variable is the remainder of.
    pub fn remainder_of(&self, var: Val<'c>) -> Option<Split<'c>> {
        self.splits.iter().copied().find(|split| split.inner == var)
    }

    /// All splits of a variable.
    pub fn splits_of(&self, var: Val<'c>) -> impl Iterator<Item = Split<'c>> {
        self.splits.iter().copied().filter(move |split| split.var == var)
    }

    /// The variable over pairs that `var` is.
    pub fn fusion_into(&self, var: Val<'c>) -> Option<Fusion<'c>> {
        self.fusions.iter().copied().find(|fusion| fusion.fused == var)
    }

    /// The variables over pairs that `var` has a part in.
    pub fn fusions_of(&self, var: Val<'c>) -> impl Iterator<Item = Fusion<'c>> {
        self.fusions.iter().copied().filter(move |fusion| fusion.outer == var || fusion.inner == var)
    }

    /// Whether there are variables over pairs.
    pub fn has_pairs(&self) -> bool {
        !self.fusions.is_empty()
    }

    /// The level whose positions `var` goes over.
    pub fn positions_at(&self, var: Val<'c>) -> Option<&Positions<'c>> {
        self.positions.iter().find(|positions| positions.position == var)
    }

    /// All variables over positions.
    pub fn positions(&self) -> &[Positions<'c>] {
        &self.positions
    }

    /// All variables over pairs.
    pub fn fusions(&self) -> &[Fusion<'c>] {
        &self.fusions
    }

    /// The variables with a range that the compiler was told, and what they stand for.
    pub fn bounds(&self) -> &[(Val<'c>, Val<'c>)] {
        &self.bounds
    }

    /// All splits.
    pub fn splits(&self) -> &[Split<'c>] {
        &self.splits
    }

    /// What a variable over pairs is made of, from the outside in; every other variable is made of itself.
    pub fn components(&self, var: Val<'c>) -> Vec<Val<'c>> {
        match self.fusion_into(var) {
            Some(fusion) => [self.components(fusion.outer), self.components(fusion.inner)].concat(),
            None => vec![var],
        }
    }

    /// The variables of the expression that `var` is, or is derived from.
    pub fn roots(&self, var: Val<'c>) -> Vec<Val<'c>> {
        let var = self.unbounded(var);
        if let Some(split) = self.quotient_of(var).or_else(|| self.remainder_of(var)) {
            return self.roots(split.var);
        }
        if let Some(positions) = self.positions_at(var) {
            return self.roots(positions.var);
        }
        match self.fusion_into(var) {
            Some(fusion) => [self.roots(fusion.outer), self.roots(fusion.inner)].concat(),
            None => vec![var],
        }
    }

    /// The variable whose loop gives a level its coordinates; `None` for a slot, and for a part of a mode
    /// that no variable stands for.
    pub fn level_var(&self, level: Level, indices: &[Val<'c>]) -> Option<Val<'c>> {
        match level.expr {
            LevelExpr::Mode(mode) => Some(indices[mode]),
            LevelExpr::Div(mode, factor) => self.split_of(indices[mode], factor).map(|split| split.outer),
            LevelExpr::Mod(mode, factor) => self.split_of(indices[mode], factor).map(|split| split.inner),
            LevelExpr::Slot => None,
        }
    }

    /// Whether some access inside `op` has a level at `var` that stores only some coordinates.
    pub fn is_sparse_at(&self, op: impl Into<Op<'c>>, var: Val<'c>) -> bool {
        op.into().walk::<cin::Access>().into_iter().any(|access| {
            let (tensor, indices) = point(access);
            let levels = format::of_type(tensor.r#type()).levels;
            levels
                .into_iter()
                .any(|level| !level.kind.is_full() && self.level_var(level, &indices) == Some(var))
        })
    }
}

/// The variables of an access, each once, in the order in which the levels store them.
pub fn in_storage_order<'c>(tensor: Val<'c>, indices: &[Val<'c>]) -> Vec<Val<'c>> {
    let mut vars = Vec::new();
    for level in format::of_type(tensor.r#type()).levels {
        let (LevelExpr::Mode(mode) | LevelExpr::Div(mode, _) | LevelExpr::Mod(mode, _)) = level.expr else {
            continue;
        };
        if !vars.contains(&indices[mode]) {
            vars.push(indices[mode]);
        }
    }
    vars
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
    Op::defining(tensor).and_then(|op| op.cast::<cin::Temporary>())
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

/// The name of a tensor variable or an index variable, for messages.
pub fn name(value: Val<'_>) -> String {
    comet_ir::declared_name(value).unwrap_or("?").to_owned()
}

/// An integer attribute that the verifier demands.
pub fn integer(op: Op<'_>, name: &str) -> i64 {
    optional_integer(op, name).expect("the verifier demands the attribute")
}

/// An integer attribute.
pub fn optional_integer(op: Op<'_>, name: &str) -> Option<i64> {
    op.attribute(name)
        .and_then(|attribute| IntegerAttribute::try_from(attribute).ok())
        .map(|number| number.value())
}

/// The extent of a variable of the expression, where it is a constant.
pub fn constant_extent(var: Val<'_>) -> Option<i64> {
    let declaration = Op::defining(var).and_then(|op| op.cast::<cin::IndexVar>())?;
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
    let innermost = format::of_type(tensor.r#type()).levels.last().copied();
    let by_one = innermost.is_some_and(|level| match level.expr {
        LevelExpr::Mode(mode) => level.kind.is_full() && indices[mode] == var,
        _ => false,
    });
    uses == 0 || (uses == 1 && by_one)
}

/// Whether integers are divided inside of `op`. That is done one by one: it may fail, at the first quotient
/// that the program comes to.
pub fn divides_integers<'c>(op: impl Into<Op<'c>>) -> bool {
    let is_integer = |combine: &cin::Combine<'_>| !types::is_float(combine.result().r#type());
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
