//! `order`: puts loops in another order.
//!
//! A loop in which something is computed for the statements of a loop around it goes outside of that one too.
//! The outer loop is distributed then: all that is computed for them in its rounds is computed first, into a
//! workspace with an element for each round (the scalar expansion of Allen and Kennedy 1987, *Automatic
//! translation of FORTRAN programs to vector form*, section 5).

use super::loops::{around, chain_at, chains, copy_marks, open, rearrange};
use super::place::is_only_split;
use super::taken_out::TakenOut;
use super::{Schedule, conflict};
use crate::nest::{self, Relations, WorkspaceKind, point};
use crate::schedule::{Command, merged, reordered};
use comet_ir::{Block, Builder, Op, Result, Val, cin, types};
use melior::ir::ValueLike;

/// The place of a loop among those that a command names.
type Rank<'a, 'c> = dyn Fn(&Op<'c>) -> Option<usize> + 'a;

impl<'c> Schedule<'c> {
    pub(super) fn order(&mut self, command: &Command<'c>, names: &[String]) -> Result<'c, ()> {
        for name in names {
            self.uncut_loops(command, name)?;
        }
        let wanted: Vec<Val<'c>> = names.iter().filter_map(|name| self.var(name)).collect();
        let rank = |forall: &Op<'c>| wanted.iter().position(|var| *var == forall.operand(0));
        for chain in chains(self.compute.body(0)) {
            rearrange(&chain, &reordered(&chain, rank))?;
        }
        while let Some((inner, outer)) = self.out_of_order(&rank) {
            if !self.take_out(command, [outer, inner], &rank)? {
                return Err(conflict(command, inner, outer));
            }
        }
        Ok(())
    }

    /// A loop that is to go outside of another one around it, the outermost such.
    fn out_of_order(&self, rank: &Rank<'_, 'c>) -> Option<(Op<'c>, Op<'c>)> {
        self.compute.descendants::<cin::Forall>().into_iter().find_map(|forall| {
            let own = rank(&forall)?;
            let outer = around(forall).filter(|outer| rank(outer).is_some_and(|other| other > own)).last()?;
            Some((forall, outer))
        })
    }

    /// What stands between two loops, the second inside of the first, is computed in front of the first; says
    /// whether that can be.
    pub(super) fn take_out(
        &mut self,
        command: &Command<'c>,
        [outer, inner]: [Op<'c>; 2],
        rank: &Rank<'_, 'c>,
    ) -> Result<'c, bool> {
        let Some(sum) = Sum::between(outer, inner) else { return Ok(false) };
        let inner = nest::name(inner.operand(0));
        let (relations, old) = (Relations::of(self.compute), sum.temporary.result(0));
        let loops = sum.loops.iter().map(|forall| nest::name(forall.operand(0))).collect();
        let b = Builder::before(sum.loops[0]).with_location(command.location());
        let (workspace, where_op) = sum.in_front(b, &relations, rank)?;
        for producer in self.producers.values_mut().filter(|producer| **producer == sum.where_op) {
            *producer = where_op;
        }
        sum.loops[0].erase();
        self.taken_out.retain(|other| other.workspace != old);
        self.taken_out.push(TakenOut { workspace, location: command.location(), inner, loops });
        Ok(true)
    }
}

/// What is computed into a temporary inside of loops, for the rest of what these do.
struct Sum<'c> {
    /// The loops, outermost first, with nothing else in them.
    loops: Vec<Op<'c>>,
    temporary: Op<'c>,
    where_op: Op<'c>,
}

impl<'c> Sum<'c> {
    /// What stands between two loops, the second somewhere inside of the first; `None` where that is not a
    /// temporary that can have more indices and its where-statement, alone.
    fn between(outer: Op<'c>, inner: Op<'c>) -> Option<Self> {
        let parents = inner.ancestors().take_while(|op| *op != outer);
        let where_op = parents.filter(|op| op.is::<cin::Where>()).last()?;
        let loops = chain_at(outer);
        let [temporary, only] = loops.last()?.body(0).ops()[..] else { return None };
        let is_expandable = temporary.is::<cin::Temporary>()
            && matches!(WorkspaceKind::of(temporary), WorkspaceKind::Scalar | WorkspaceKind::Dense);
        (is_expandable && only == where_op).then_some(Self { loops, temporary, where_op })
    }

    /// Writes the where-statement with the loops in its consumer and those that what is computed depends on
    /// in its producer, too. Gives it and the workspace, which has an index for each of these.
    fn in_front(
        &self,
        b: Builder<'c>,
        relations: &Relations<'c>,
        rank: &Rank<'_, 'c>,
    ) -> Result<'c, (Val<'c>, Op<'c>)> {
        let used = self.used(relations);
        let mut vars: Vec<Val<'c>> = Vec::new();
        for var in used.iter().flat_map(|forall| indices_for(relations, forall.operand(0))) {
            if !vars.contains(&var) {
                vars.push(var);
            }
        }
        let workspace = self.workspace(b, &vars)?;
        let where_op = b.op_with_regions("cin.where", &[], &[], &[], vec![b.region(&[]), b.region(&[])])?;
        for (region, loops) in [(0, &self.loops), (1, &used)] {
            let inside = reopen(b.inside(where_op.body(region)), loops)?;
            for op in self.where_op.body(region).ops() {
                op.move_to_end(inside);
            }
            let chain = where_op.body(region).ops().first().map_or(Vec::new(), |first| chain_at(*first));
            let (outer, inner) = chain.split_at(loops.len());
            rearrange(&chain, &merged(outer, inner, rank))?;
        }
        for op in uses_of(where_op, self.temporary.result(0)) {
            add_indices(op, workspace, &vars)?;
        }
        Ok((workspace, where_op))
    }

    /// The loops that what is computed depends on.
    fn used(&self, relations: &Relations<'c>) -> Vec<Op<'c>> {
        let roots: Vec<Val<'c>> = points_in(self.where_op.body(1))
            .into_iter()
            .flat_map(|op| point(op).1)
            .flat_map(|var| relations.roots(var))
            .collect();
        let depends =
            |forall: &Op<'c>| relations.roots(forall.operand(0)).iter().any(|root| roots.contains(root));
        self.loops.iter().copied().filter(depends).collect()
    }

    /// A temporary with those indices in front of its own.
    fn workspace(&self, b: Builder<'c>, vars: &[Val<'c>]) -> Result<'c, Val<'c>> {
        let old = self.temporary.result(0).r#type();
        let rank = types::rank(old) + vars.len();
        let kind = if rank == 0 { WorkspaceKind::Scalar } else { WorkspaceKind::Dense };
        let ty = types::tensor(&vec![None; rank], types::element(old), None);
        let name = self.temporary.attribute("name").expect("the verifier demands a name");
        let attributes = [("name", name), ("kind", b.enum_attribute(kind as i32))];
        Ok(b.op("cin.temporary", &[], &[ty], &attributes)?.result(0))
    }
}

/// The indices that stand for the rounds of a loop: its variable or, as pairs and positions are none, what
/// these are made of.
fn indices_for<'c>(relations: &Relations<'c>, var: Val<'c>) -> Vec<Val<'c>> {
    if is_only_split(relations, var) { vec![relations.unbounded(var)] } else { relations.roots(var) }
}

/// Loops like others, one inside the other; gives the block inside of all.
fn reopen<'c>(b: Builder<'c>, loops: &[Op<'c>]) -> Result<'c, Block<'c>> {
    let mut b = b;
    for forall in loops {
        let copy = open(b, forall.operand(0))?;
        copy_marks(*forall, copy);
        b = b.inside(copy.body(0));
    }
    Ok(b.block())
}

/// The accesses and assignments in a block.
fn points_in(block: Block<'_>) -> Vec<Op<'_>> {
    let mut found = Vec::new();
    for op in block.ops() {
        if op.is::<cin::Access>() || op.is::<cin::Assign>() {
            found.push(op);
        }
        found.extend(op.descendants::<cin::Access>());
        found.extend(op.descendants::<cin::Assign>());
    }
    found
}

/// The accesses and assignments to a tensor.
pub(super) fn uses_of<'c>(inside: Op<'c>, tensor: Val<'c>) -> Vec<Op<'c>> {
    let points = [0, 1].into_iter().flat_map(|region| points_in(inside.body(region)));
    points.filter(|op| point(*op).0 == tensor).collect()
}

/// Replaces an access or assignment to a temporary by one to another that has more indices.
pub(super) fn add_indices<'c>(op: Op<'c>, tensor: Val<'c>, vars: &[Val<'c>]) -> Result<'c, ()> {
    let b = Builder::before(op);
    let (_, own) = point(op);
    let indices = [vec![tensor], vars.to_vec(), own].concat();
    if op.is::<cin::Access>() {
        let access = b.value("cin.access", &indices, op.result(0).r#type())?;
        op.replace(&[access]);
        return Ok(());
    }
    let operands = [vec![op.operand(0)], indices].concat();
    let reduction = op.attribute("reduction").expect("the verifier demands a reduction");
    b.op("cin.assign", &operands, &[], &[("reduction", reduction)])?;
    op.erase();
    Ok(())
}
