//! `order`: puts loops in another order.
//!
//! A loop in which something is computed for the statements of a loop around it goes outside of that one too.
//! The outer loop is distributed then: all that is computed for them in its iterations is computed first,
//! into a workspace with an element for each iteration (the scalar expansion of Allen and Kennedy 1987,
//! *Automatic translation of FORTRAN programs to vector form*, section 5).

use super::loops::{around, chain_at, chains, move_body, rearrange, reopen};
use super::place::is_only_split;
use super::taken_out::TakenOut;
use super::{Schedule, conflict};
use crate::nest::{self, Relations, WorkspaceKind, point};
use crate::schedule::{Command, merged, reordered};
use comet_ir::{Block, Builder, Op, Result, Val, cin, types};
use comet_notation::distinct;
use melior::ir::ValueLike;

/// The place of a loop among those that a command names.
type Rank<'a, 'c> = dyn Fn(&cin::Forall<'c>) -> Option<usize> + 'a;

impl<'c> Schedule<'c> {
    pub(super) fn order(&mut self, command: &Command<'c>, names: &[String]) -> Result<'c, ()> {
        for name in names {
            self.uncut_loops(command, name)?;
        }
        let wanted: Vec<Val<'c>> = names.iter().filter_map(|name| self.var(name)).collect();
        let rank = |forall: &cin::Forall<'c>| wanted.iter().position(|var| *var == forall.var());
        for chain in chains(self.compute.body()) {
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
    fn out_of_order(&self, rank: &Rank<'_, 'c>) -> Option<(cin::Forall<'c>, cin::Forall<'c>)> {
        self.compute.walk::<cin::Forall>().into_iter().find_map(|forall| {
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
        [outer, inner]: [cin::Forall<'c>; 2],
        rank: &Rank<'_, 'c>,
    ) -> Result<'c, bool> {
        let Some(sum) = Sum::between(outer, inner) else { return Ok(false) };
        let inner = nest::name(inner.var());
        let (relations, old) = (nest::relations(self.compute), sum.temporary.tensor());
        let loops = sum.loops.iter().map(|forall| nest::name(forall.var())).collect();
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
    loops: Vec<cin::Forall<'c>>,
    temporary: cin::Temporary<'c>,
    where_op: cin::Where<'c>,
}

impl<'c> Sum<'c> {
    /// What stands between two loops, the second somewhere inside of the first; `None` where that is not a
    /// temporary that can have more indices and its where-statement, alone.
    fn between(outer: cin::Forall<'c>, inner: cin::Forall<'c>) -> Option<Self> {
        let parents = inner.ancestors().take_while(|op| *op != *outer);
        let where_op = parents.filter_map(|op| op.cast::<cin::Where>()).last()?;
        let loops = chain_at(outer);
        let [temporary, only] = loops.last()?.body().ops()[..] else { return None };
        let temporary = temporary.cast::<cin::Temporary>()?;
        let is_expandable = matches!(temporary.kind(), WorkspaceKind::Scalar | WorkspaceKind::Dense);
        (is_expandable && only == *where_op).then_some(Self { loops, temporary, where_op })
    }

    /// Writes the where-statement with the loops in its consumer and those that what is computed depends on
    /// in its producer, too. Returns it and the workspace, which has an index for each of these.
    fn in_front(
        &self,
        b: Builder<'c>,
        relations: &Relations<'c>,
        rank: &Rank<'_, 'c>,
    ) -> Result<'c, (Val<'c>, cin::Where<'c>)> {
        let used = self.used(relations);
        let vars = distinct(used.iter().flat_map(|forall| indices_for(relations, forall.var())));
        let workspace = self.workspace(b, &vars)?;
        let where_op = cin::Where::build(b)?;
        let (old, new) = (self.where_op, where_op);
        let consumer = (old.consumer(), new.consumer(), &self.loops);
        for (from, to, loops) in [consumer, (old.producer(), new.producer(), &used)] {
            move_body(from, reopen(b.inside(to), loops)?);
            let chain = to.ops().first().map_or(Vec::new(), |first| chain_at(*first));
            let (outer, inner) = chain.split_at(loops.len());
            rearrange(&chain, &merged(outer, inner, rank))?;
        }
        for op in uses_of(where_op, self.temporary.tensor()) {
            add_indices(op, workspace, &vars)?;
        }
        Ok((workspace, where_op))
    }

    /// The loops that what is computed depends on.
    fn used(&self, relations: &Relations<'c>) -> Vec<cin::Forall<'c>> {
        let roots: Vec<Val<'c>> = points_in(self.where_op.producer())
            .into_iter()
            .flat_map(|op| point(op).1)
            .flat_map(|var| relations.roots(var))
            .collect();
        let depends =
            |forall: &cin::Forall<'c>| relations.roots(forall.var()).iter().any(|root| roots.contains(root));
        self.loops.iter().copied().filter(depends).collect()
    }

    /// A temporary with those indices in front of its own.
    fn workspace(&self, b: Builder<'c>, vars: &[Val<'c>]) -> Result<'c, Val<'c>> {
        let old = self.temporary.tensor().r#type();
        let rank = types::rank(old) + vars.len();
        let kind = if rank == 0 { WorkspaceKind::Scalar } else { WorkspaceKind::Dense };
        let ty = types::tensor(&vec![None; rank], types::element(old), None);
        Ok(cin::Temporary::build(b, self.temporary.name(), kind, ty)?.tensor())
    }
}

/// The indices that stand for the iterations of a loop: its variable or, as pairs and positions are none,
/// what these are made of.
fn indices_for<'c>(relations: &Relations<'c>, var: Val<'c>) -> Vec<Val<'c>> {
    if is_only_split(relations, var) { vec![relations.unbounded(var)] } else { relations.roots(var) }
}

/// The accesses and assignments in a block.
fn points_in(block: Block<'_>) -> Vec<Op<'_>> {
    let mut found = Vec::new();
    for op in block.ops() {
        if op.is::<cin::Access>() || op.is::<cin::Assign>() {
            found.push(op);
        }
        found.extend(op.walk::<cin::Access>().into_iter().map(Op::from));
        found.extend(op.walk::<cin::Assign>().into_iter().map(Op::from));
    }
    found
}

pub(super) fn uses_of<'c>(inside: cin::Where<'c>, tensor: Val<'c>) -> Vec<Op<'c>> {
    let points = [inside.consumer(), inside.producer()].into_iter().flat_map(points_in);
    points.filter(|op| point(*op).0 == tensor).collect()
}

/// Replaces an access or assignment to a temporary by one to another that has more indices.
pub(super) fn add_indices<'c>(op: Op<'c>, tensor: Val<'c>, vars: &[Val<'c>]) -> Result<'c, ()> {
    let b = Builder::before(op);
    let (_, own) = point(op);
    let indices = [vars.to_vec(), own].concat();
    match op.cast::<cin::Assign>() {
        Some(assign) => {
            cin::Assign::build(b, assign.value(), tensor, &indices, assign.reduction())?;
            op.erase();
        }
        None => op.replace(&[cin::access(b, tensor, &indices)?]),
    }
    Ok(())
}
