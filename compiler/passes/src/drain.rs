//! Which dense workspaces only go on into a result: what has come to them is drained, in order.

use crate::nest::point;
use comet_format::{Level, LevelExpr};
use comet_ir::{Op, Val, cin, format};

/// The element that a workspace is drained into, by loops over all of the workspace's indices.
pub struct Drained<'c> {
    pub vars: Vec<Val<'c>>,
    /// The tensor that the element is of.
    pub target: Val<'c>,
    indices: Vec<Val<'c>>,
}

/// Where everything that comes to a workspace goes on to, if that is all that the consumer does, in loops
/// that are over the workspace's indices in their order, and the last levels of the target.
pub fn drained(temporary: cin::Temporary<'_>) -> Option<Drained<'_>> {
    let where_op = temporary.next().and_then(|op| op.cast::<cin::Where>())?;
    let (mut block, mut vars) = (where_op.consumer(), Vec::new());
    while let [only] = block.ops()[..]
        && let Some(forall) = only.cast::<cin::Forall>()
    {
        vars.push(forall.var());
        block = forall.body();
    }
    let [access, assign] = block.ops()[..] else { return None };
    let (access, assign) = (access.cast::<cin::Access>()?, assign.cast::<cin::Assign>()?);
    let is_all =
        point(access) == (temporary.tensor(), vars.clone()) && Op::defining(assign.value()) == Some(*access);
    let (target, indices) = point(assign);
    let drained = Drained { vars, target, indices };
    (is_all && drained.is_in_order()).then_some(drained)
}

impl Drained<'_> {
    /// Whether the loops are those of the target's last levels; a single one may be over anything. A loop
    /// over all of a dense level does not go with the coordinates that something came to, so that it may not
    /// be the innermost.
    fn is_in_order(&self) -> bool {
        let levels = self.levels();
        if self.vars.len() > 1 && levels.last().is_some_and(|level| level.kind.is_full()) {
            return false;
        }
        let is_of = |(level, var): (&Level, &Val<'_>)| match level.expr {
            LevelExpr::Mode(mode) => self.indices[mode] == *var,
            _ => false,
        };
        let agree = levels.len() == self.vars.len() && levels.iter().zip(&self.vars).all(is_of);
        self.vars.len() == 1 || (self.vars.len() > 1 && agree)
    }

    /// The last levels of the target, as many as there are loops.
    pub fn levels(&self) -> Vec<Level> {
        let mut levels = format::of(self.target).levels;
        levels.split_off(levels.len().saturating_sub(self.vars.len()))
    }
}
