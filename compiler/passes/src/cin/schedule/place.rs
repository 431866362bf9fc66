//! Where `precompute` puts its where-statement.
//!
//! It takes the place of the outermost loop over the workspace's variables, or of the loops that only reduce
//! where it has none. Everything that is in these loops goes to the consumer, whatever stands beside what is
//! computed first; but a loop that reduces, and that nothing but the part depends on, goes to the producer
//! altogether.

use super::loops::{around, statements, statements_of};
use super::part::ComputedPart;
use crate::nest::{self, Relations, point};
use crate::schedule::Command;
use comet_ir::{IrError, Result, Val, cin};

/// The loops around a part that the where-statement takes the place of.
pub(super) struct Place<'c> {
    /// Outermost first.
    pub(super) loops: Vec<cin::Forall<'c>>,
    /// Those in the producer only.
    pub(super) reducing: Vec<cin::Forall<'c>>,
}

impl<'c> Place<'c> {
    pub(super) fn of(
        command: &Command<'c>,
        part: &ComputedPart<'c>,
        vars: &[Val<'c>],
        relations: &Relations<'c>,
    ) -> Result<'c, Self> {
        let search = Search { command, part, vars, relations };
        let loops = search.loops()?;
        search.check_workspaces(&loops)?;
        let reducing = search.reducing(&loops)?;
        Ok(Self { loops, reducing })
    }
}

struct Search<'a, 'c> {
    command: &'a Command<'c>,
    part: &'a ComputedPart<'c>,
    vars: &'a [Val<'c>],
    relations: &'a Relations<'c>,
}

impl<'c> Search<'_, 'c> {
    fn loops(&self) -> Result<'c, Vec<cin::Forall<'c>>> {
        let mut outside: Vec<cin::Forall<'c>> = around(self.part.assign).collect();
        outside.reverse();
        let first = match self.vars.is_empty() {
            true => outside.iter().rposition(|forall| self.moves(*forall)).map_or(0, |last| last + 1),
            false => outside.iter().position(|forall| self.is_kept(*forall)).unwrap_or(outside.len()),
        };
        let loops = outside.split_off(first);
        let is_over =
            |forall: &cin::Forall<'c>, var: Val<'c>| self.unbounded(forall.var()) == self.unbounded(var);
        match self.vars.iter().find(|var| !loops.iter().any(|forall| is_over(forall, **var))) {
            Some(missing) => Err(out_of_reach(self.command, self.unbounded(*missing))),
            None => Ok(loops),
        }
    }

    fn unbounded(&self, var: Val<'c>) -> Val<'c> {
        self.relations.unbounded(var)
    }

    /// Whether a loop is over one of the workspace's variables.
    fn is_kept(&self, forall: cin::Forall<'c>) -> bool {
        let var = self.unbounded(forall.var());
        self.vars.iter().any(|own| self.unbounded(*own) == var)
    }

    /// Whether each iteration of a loop assigns to another element. A workspace is another one in each
    /// iteration of the loops around it.
    fn moves(&self, forall: cin::Forall<'c>) -> bool {
        let (target, indices) = point(self.part.assign);
        nest::temporary(target).is_some_and(|temporary| temporary.is_inside(*forall))
            || self.has_root_in(forall, &indices)
    }

    /// Whether a loop has a part in the values of some variables, which may be parts themselves.
    fn has_root_in(&self, forall: cin::Forall<'c>, vars: &[Val<'c>]) -> bool {
        let roots: Vec<Val<'c>> = vars.iter().flat_map(|var| self.relations.roots(*var)).collect();
        self.relations.roots(forall.var()).iter().any(|root| roots.contains(root))
    }

    /// What is computed first must not be made of what is computed in the loops, scalars aside.
    fn check_workspaces(&self, loops: &[cin::Forall<'c>]) -> Result<'c, ()> {
        let Some(first) = loops.first() else { return Ok(()) };
        match self.part.workspaces().into_iter().any(|workspace| workspace.is_inside(**first)) {
            true => Err(self.refuse("where the expression reads a workspace of the same loops")),
            false => Ok(()),
        }
    }

    /// The loops that the producer has instead of the consumer.
    fn reducing(&self, loops: &[cin::Forall<'c>]) -> Result<'c, Vec<cin::Forall<'c>>> {
        let (used, rest) = (self.part.vars(), self.part.vars_of_rest());
        let is_reducing =
            |forall: &&cin::Forall<'c>| !self.is_kept(**forall) && self.has_root_in(**forall, &used);
        let mut reducing = Vec::new();
        for forall in loops.iter().filter(is_reducing) {
            if self.moves(*forall) || self.has_root_in(*forall, &rest) {
                return Err(depends(self.command, *forall));
            }
            if !is_only_split(self.relations, forall.var()) {
                let what = "inside of fused loops and loops over positions";
                return Err(self.refuse(what).hint("write `precompute` before `fuse` and `pos`"));
            }
            if !self.is_alone_in(*forall) {
                return Err(self.refuse("where a loop of the expression has other statements in it"));
            }
            reducing.push(*forall);
        }
        match reducing.first() {
            Some(forall) if !self.part.distributes() => Err(no_factor(self.command, *forall)),
            _ => Ok(reducing),
        }
    }

    /// Whether a loop has nothing in it but the assignment, in other loops and beside workspaces.
    fn is_alone_in(&self, forall: cin::Forall<'c>) -> bool {
        let mut inside = statements(forall);
        loop {
            inside = match inside[..] {
                [only] if only == self.part.assign => return true,
                [only] if self.part.assign.is_inside(only) => statements_of(only.body(0)),
                [workspace, where_op] if workspace.is::<cin::Temporary>() => {
                    let where_op = where_op.cast::<cin::Where>().expect("it follows its workspace");
                    statements_of(where_op.consumer())
                }
                _ => return false,
            };
        }
    }

    fn refuse(&self, what: &str) -> IrError<'c> {
        IrError::not_supported(self.command.location(), format!("`precompute` {what}"))
    }
}

fn out_of_reach<'c>(command: &Command<'c>, var: Val<'c>) -> IrError<'c> {
    let message = format!("no loop over `{}` is around the expression", nest::name(var));
    IrError::at(command.location(), message).hint("name loops around it, or `{}`")
}

fn depends<'c>(command: &Command<'c>, forall: cin::Forall<'c>) -> IrError<'c> {
    let name = nest::name(forall.var());
    let message =
        format!("the expression depends on `{name}`, which other parts of the statement do as well");
    let hint = format!("give the workspace an index for `{name}`, or put its loop outside with `order`");
    IrError::at(command.location(), message).hint(hint)
}

fn no_factor<'c>(command: &Command<'c>, forall: cin::Forall<'c>) -> IrError<'c> {
    let name = nest::name(forall.var());
    let message = format!(
        "what is reduced over `{name}` is more than the expression, and does not follow from what that is reduced to"
    );
    let hint = format!("give the workspace an index for `{name}`");
    IrError::at(command.location(), message).hint(hint)
}

/// Whether a variable is one of the expression, or a part of one that is cut.
pub(super) fn is_only_split<'c>(relations: &Relations<'c>, var: Val<'c>) -> bool {
    let var = relations.unbounded(var);
    match relations.split_into(var) {
        Some(split) => is_only_split(relations, split.var),
        None => relations.positions_at(var).is_none() && relations.fusion_into(var).is_none(),
    }
}
