//! `precompute`: a part of a value is computed into a workspace before the loops that use it (Kjolstad 2019;
//! stardust.txt Table 1).
//!
//! The loops over the workspace's variables are in the producer and in the consumer.

use super::Schedule;
use super::copy::Copier;
use super::loops::around;
use super::part::{ComputedPart, where_of};
use super::place::{Place, is_only_split};
use super::product::Product;
use crate::nest::{self, WorkspaceKind};
use crate::schedule::{Command, Precompute, is_value};
use comet_format::{Format, Level, LevelKind};
use comet_ir::cin::Reduction;
use comet_ir::{Block, Builder, IrError, Op, Result, Val, cin, format, pass, types};
use melior::ir::ValueLike;

impl<'c> Schedule<'c> {
    pub(super) fn precompute(&mut self, command: &Command<'c>, what: &Precompute) -> Result<'c, ()> {
        if self.part(what).is_none()
            && let Some(product) = self.product(what)
        {
            product.regroup()?;
        }
        let Some(part) = self.part(what) else { return Ok(()) };
        let mut vars = Vec::new();
        for name in &what.vars {
            // The part is broadcast along a variable that the loops do not have.
            self.uncut_loops(command, name)?;
            vars.extend(self.var(name));
        }
        if vars.len() != what.vars.len() {
            return Ok(());
        }
        let relations = nest::relations(self.compute);
        if let Some(derived) = vars.iter().find(|var| !is_only_split(&relations, **var)) {
            let what =
                format!("`precompute` over `{}`, which goes over pairs or positions", nest::name(*derived));
            let hint = "write `precompute` before `fuse` and `pos`";
            return Err(IrError::not_supported(command.location(), what).hint(hint));
        }
        let place = Place::of(command, &part, &vars, &relations)?;
        let inner = self.inner_vars(command, what, &vars)?;
        let workspace = put_in_front(command, what, &part, &place, &vars, &inner)?;
        self.name_inner(what, workspace, &inner);
        consume(&part, &place, workspace, &vars)?;
        self.drop_unread_sums(part.assign);
        Ok(())
    }

    /// Where-statements around an assignment that compute a scalar which it does not read any more go.
    fn drop_unread_sums(&mut self, assign: cin::Assign<'c>) {
        let mut around = assign.parent();
        while let Some(op) = around {
            around = op.parent();
            let Some(where_op) = op.cast::<cin::Where>() else { continue };
            let Some(scalar) = scalar_of(where_op) else { continue };
            let is_read = where_op.consumer().ops().into_iter().any(|op| reads(op, scalar.tensor()));
            if !is_read {
                for inside in where_op.consumer().ops() {
                    inside.move_before(op);
                }
                self.producers.retain(|_, producer| *producer != where_op);
                self.taken_out.retain(|taken_out| taken_out.workspace != scalar.tensor());
                op.erase();
                scalar.erase();
            }
        }
    }

    pub(super) fn has_part(&self, what: &Precompute) -> bool {
        self.part(what).is_some() || self.product(what).is_some()
    }

    /// The first product that has all factors of the expression, and others.
    fn product<'a>(&self, what: &'a Precompute) -> Option<Product<'a, 'c>> {
        let original = |tensor: Val<'c>| self.original(tensor);
        let mut assigns = self.compute.walk::<cin::Assign>().into_iter();
        assigns.find_map(|assign| Product::of(assign.value(), &what.expression, &original))
    }

    /// The first assignment whose value has the expression in it and that all loops are around which are
    /// named: a sum that goes into a scalar first is an expression where it is computed and where it is used.
    fn part(&self, what: &Precompute) -> Option<ComputedPart<'c>> {
        let original = |tensor: Val<'c>| self.original(tensor);
        let is_it = |value| what.expression.is(value, &original);
        let assigns = self.compute.walk::<cin::Assign>();
        let mut parts: Vec<ComputedPart<'c>> =
            assigns.into_iter().filter_map(|assign| ComputedPart::of(assign, &is_it)).collect();
        let is_around = |name: &String, assign: cin::Assign<'c>| {
            around(assign).any(|forall| Some(forall.var()) == self.var(name))
        };
        let is_in_all = |part: &ComputedPart<'c>| what.vars.iter().all(|name| is_around(name, part.assign));
        let place = parts.iter().position(is_in_all).unwrap_or(0);
        (place < parts.len()).then(|| parts.swap_remove(place))
    }

    /// The variables of the producer's loops: new ones over the same extents; for a part of a variable that
    /// part itself, which is tied to the loops over the other parts.
    fn inner_vars(
        &mut self,
        command: &Command<'c>,
        what: &Precompute,
        vars: &[Val<'c>],
    ) -> Result<'c, Vec<(Val<'c>, Val<'c>)>> {
        let relations = nest::relations(self.compute);
        let mut inner = Vec::new();
        for (var, name) in vars.iter().zip(&what.inner) {
            let var = relations.unbounded(*var);
            let Some(declaration) = cin::IndexVar::defining(var) else {
                inner.push((var, var));
                continue;
            };
            let b = self.declarations(command);
            let own = cin::IndexVar::build(b, name, declaration.size())?.var();
            inner.push((var, own));
        }
        Ok(inner)
    }

    /// Stardust's examples keep the names: they go on meaning the loops around what is computed.
    fn name_inner(&mut self, what: &Precompute, workspace: Val<'c>, inner: &[(Val<'c>, Val<'c>)]) {
        let where_op = where_of(workspace).expect("it was written right behind the workspace");
        for (name, (_, own)) in what.inner.iter().zip(inner) {
            if !self.vars.contains_key(name) {
                self.vars.insert(name.clone(), *own);
                self.producers.insert(name.clone(), where_op);
            }
        }
    }
}

/// How a workspace is stored. Below a compressed level a dense one would also store zeros that nothing has
/// computed, so that the coordinates of what was computed are stored instead.
fn stored_format<'c>(command: &Command<'c>, what: &Precompute) -> Format {
    let mut format = what.format.clone();
    let is_dense = |level: &Level| level.kind.is_full();
    let Some(last) = format.levels.iter().rposition(|level| !is_dense(level)) else { return format };
    for level in &mut format.levels[last + 1..] {
        level.kind = LevelKind::CompressedUnique;
    }
    if format != what.format {
        pass::decided(command.location(), || {
            format!(
                "`{}` is stored as `{format}`: blocks would hold zeros that nothing has computed",
                what.workspace
            )
        });
    }
    format
}

/// Writes the workspace and the where-statement with its producer in front of the loops; the consumer is
/// empty yet.
fn put_in_front<'c>(
    command: &Command<'c>,
    what: &Precompute,
    part: &ComputedPart<'c>,
    place: &Place<'c>,
    vars: &[Val<'c>],
    inner: &[(Val<'c>, Val<'c>)],
) -> Result<'c, Val<'c>> {
    let b = Builder::before(replaced(part, place)).with_location(command.location());
    let value = part.values[0];
    let format = stored_format(command, what);
    let is_dense = format.levels.iter().all(|level| level.kind.is_full());
    let kind = match (vars.is_empty(), is_dense) {
        (true, _) => WorkspaceKind::Scalar,
        (false, true) => WorkspaceKind::Dense,
        (false, false) => WorkspaceKind::Levels,
    };
    let encoding = format::to_attribute(b.context(), &format, what.memory);
    let dims = vec![None; vars.len()];
    let ty = types::tensor(&dims, value.r#type(), encoding);
    let (workspace, where_op) = cin::temporary(b, &what.workspace, kind, ty)?;
    let mut inside = b.inside(where_op.producer());
    for forall in producing(place, inner) {
        let own = inner.iter().find(|(var, _)| *var == unbounded(forall.var()));
        let opened = cin::Forall::build(inside, own.map_or(forall.var(), |(_, own)| *own))?;
        inside = inside.inside(opened.body());
    }
    let mut copier = Copier::of(inner);
    let (inside, copy) = copier.value_with_sums(inside, value)?;
    let reduction = if place.reducing.is_empty() { Reduction::Set } else { part.assign.reduction() };
    let indices: Vec<Val<'c>> = inner.iter().map(|(_, own)| *own).collect();
    cin::Assign::build(inside, copy, workspace, &indices, reduction)?;
    Ok(workspace)
}

/// The statement that the where-statement takes the place of.
fn replaced<'c>(part: &ComputedPart<'c>, place: &Place<'c>) -> Op<'c> {
    place.loops.first().map_or(*part.assign, |forall| **forall)
}

/// The loops that the producer has, too.
fn producing<'c>(place: &Place<'c>, inner: &[(Val<'c>, Val<'c>)]) -> Vec<cin::Forall<'c>> {
    let is_own = |forall: &cin::Forall<'c>| inner.iter().any(|(var, _)| *var == unbounded(forall.var()));
    place.loops.iter().copied().filter(|forall| is_own(forall) || place.reducing.contains(forall)).collect()
}

fn unbounded(var: Val<'_>) -> Val<'_> {
    match cin::Bound::defining(var) {
        Some(bound) => unbounded(bound.var()),
        None => var,
    }
}

/// Moves the loops into the consumer, but for those that only reduce; the workspace takes the place of the
/// part there.
fn consume<'c>(
    part: &ComputedPart<'c>,
    place: &Place<'c>,
    workspace: Val<'c>,
    vars: &[Val<'c>],
) -> Result<'c, ()> {
    let where_op = where_of(workspace).expect("it was written right behind the workspace");
    match place.loops.first() {
        Some(first) => first.move_to_end(where_op.consumer()),
        None => move_with_operands(part.assign, where_op.consumer()),
    }
    for forall in &place.reducing {
        for op in forall.body().ops() {
            op.move_before(**forall);
        }
        forall.erase();
    }
    for value in &part.values {
        let op = Op::defining(*value).expect("a part is computed");
        let indices: Vec<Val<'c>> = vars.iter().map(|var| unbounded(*var)).collect();
        let access = cin::access(Builder::before(op), workspace, &indices)?;
        let parts = op.operands();
        op.replace(&[access]);
        parts.into_iter().for_each(nest::erase_unused);
    }
    Ok(())
}

/// The scalar that a where-statement is about.
fn scalar_of(where_op: cin::Where<'_>) -> Option<cin::Temporary<'_>> {
    let before = where_op.block()?.ops().into_iter().find(|op| op.next() == Some(*where_op))?;
    before.cast::<cin::Temporary>().filter(|temporary| temporary.kind() == WorkspaceKind::Scalar)
}

fn reads<'c>(op: Op<'c>, tensor: Val<'c>) -> bool {
    let is_it = |access: cin::Access<'c>| access.tensor() == tensor;
    op.cast::<cin::Access>().is_some_and(is_it) || op.walk::<cin::Access>().into_iter().any(is_it)
}

/// Moves an assignment with what it is computed from, which stands in front of it.
fn move_with_operands<'c>(assign: cin::Assign<'c>, block: Block<'c>) {
    for operand in assign.operands() {
        move_value(operand, block);
    }
    assign.move_to_end(block);
}

fn move_value<'c>(value: Val<'c>, block: Block<'c>) {
    let Some(op) = Op::defining(value).filter(|op| is_value(*op) && op.block() != Some(block)) else {
        return;
    };
    op.operands().into_iter().for_each(|operand| move_value(operand, block));
    op.move_to_end(block);
}
