//! `precompute`: a part of a value is computed into a workspace before the loops that use it (Kjolstad 2019;
//! stardust.txt Table 1).
//!
//! The loops over the workspace's variables are in the producer and in the consumer.

use super::Schedule;
use super::copy::Copier;
use super::loops::{around, open};
use super::part::{Part, where_of};
use super::place::{Place, is_only_split};
use super::product::Product;
use crate::nest::{self, Relations, WorkspaceKind};
use crate::operator::Reduction;
use crate::schedule::{Command, Precompute, is_value};
use comet_format::{Format, Level, LevelKind};
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
        let relations = Relations::of(self.compute);
        if let Some(derived) = vars.iter().find(|var| !is_only_split(&relations, **var)) {
            let what =
                format!("`precompute` over `{}`, which goes over pairs or positions", nest::name(*derived));
            let hint = "give `precompute` before `fuse` and `pos`";
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
    fn drop_unread_sums(&mut self, assign: Op<'c>) {
        let mut around = assign.parent();
        while let Some(op) = around {
            around = op.parent();
            let Some(scalar) = scalar_of(op) else { continue };
            let is_read = op.body(0).ops().into_iter().any(|op| reads(op, scalar.result(0)));
            if !is_read {
                for inside in op.body(0).ops() {
                    inside.move_before(op);
                }
                self.producers.retain(|_, where_op| *where_op != op);
                self.taken_out.retain(|taken_out| taken_out.workspace != scalar.result(0));
                op.erase();
                scalar.erase();
            }
        }
    }

    /// Whether an assignment's value has the expression in it.
    pub(super) fn has_part(&self, what: &Precompute) -> bool {
        self.part(what).is_some() || self.product(what).is_some()
    }

    /// The first product that has all factors of the expression, and others.
    fn product<'a>(&self, what: &'a Precompute) -> Option<Product<'a, 'c>> {
        let original = |tensor: Val<'c>| self.original(tensor);
        let mut assigns = self.compute.descendants::<cin::Assign>().into_iter();
        assigns.find_map(|assign| Product::of(assign.operand(0), &what.expression, &original))
    }

    /// The first assignment whose value has the expression in it and that all loops are around which are
    /// named: a sum that goes into a scalar first is an expression where it is computed and where it is used.
    fn part(&self, what: &Precompute) -> Option<Part<'c>> {
        let original = |tensor: Val<'c>| self.original(tensor);
        let is_it = |value| what.expression.is(value, &original);
        let assigns = self.compute.descendants::<cin::Assign>();
        let mut parts: Vec<Part<'c>> =
            assigns.into_iter().filter_map(|assign| Part::of(assign, &is_it)).collect();
        let is_around = |name: &String, assign: Op<'c>| {
            around(assign).any(|forall| Some(forall.operand(0)) == self.var(name))
        };
        let is_in_all = |part: &Part<'c>| what.vars.iter().all(|name| is_around(name, part.assign));
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
        let relations = Relations::of(self.compute);
        let mut inner = Vec::new();
        for (var, name) in vars.iter().zip(&what.inner) {
            let var = relations.unbounded(*var);
            let Some(declaration) = Op::defining(var).filter(|op| op.is::<cin::IndexVar>()) else {
                inner.push((var, var));
                continue;
            };
            let b = self.declarations(command);
            let attributes = [("name", b.string_attribute(name))];
            let ty = types::cin_index(b.context());
            let own = b.op("cin.index_var", &[declaration.operand(0)], &[ty], &attributes)?.result(0);
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
    let is_dense = |level: &Level| level.kind == LevelKind::Dense;
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
    part: &Part<'c>,
    place: &Place<'c>,
    vars: &[Val<'c>],
    inner: &[(Val<'c>, Val<'c>)],
) -> Result<'c, Val<'c>> {
    let b = Builder::before(replaced(part, place)).with_location(command.location());
    let value = part.values[0];
    let format = stored_format(command, what);
    let is_dense = format.levels.iter().all(|level| level.kind == LevelKind::Dense);
    let kind = match (vars.is_empty(), is_dense) {
        (true, _) => WorkspaceKind::Scalar,
        (false, true) => WorkspaceKind::Dense,
        (false, false) => WorkspaceKind::Levels,
    };
    let encoding = format::to_attribute(b.context(), &format, what.memory);
    let dims = vec![None; vars.len()];
    let ty = types::tensor(&dims, value.r#type(), encoding);
    let attributes = [("name", b.string_attribute(&what.workspace)), ("kind", b.enum_attribute(kind as i32))];
    let workspace = b.op("cin.temporary", &[], &[ty], &attributes)?.result(0);
    let regions = vec![b.region(&[]), b.region(&[])];
    let where_op = b.op_with_regions("cin.where", &[], &[], &[], regions)?;
    let mut inside = b.inside(where_op.body(1));
    for forall in producing(place, inner) {
        let own = inner.iter().find(|(var, _)| *var == unbounded(forall.operand(0)));
        let opened = open(inside, own.map_or(forall.operand(0), |(_, own)| *own))?;
        inside = inside.inside(opened.body(0));
    }
    let mut copier = Copier::of(inner);
    let (inside, copy) = copier.value_with_sums(inside, value)?;
    let reduction = if place.reducing.is_empty() { Reduction::Set } else { Reduction::of(part.assign) };
    let mut operands = vec![copy, workspace];
    operands.extend(inner.iter().map(|(_, own)| *own));
    inside.op("cin.assign", &operands, &[], &[("reduction", b.enum_attribute(reduction as i32))])?;
    Ok(workspace)
}

/// The statement that the where-statement takes the place of.
fn replaced<'c>(part: &Part<'c>, place: &Place<'c>) -> Op<'c> {
    place.loops.first().copied().unwrap_or(part.assign)
}

/// The loops that the producer has, too.
fn producing<'c>(place: &Place<'c>, inner: &[(Val<'c>, Val<'c>)]) -> Vec<Op<'c>> {
    let is_own = |forall: &Op<'c>| inner.iter().any(|(var, _)| *var == unbounded(forall.operand(0)));
    place.loops.iter().copied().filter(|forall| is_own(forall) || place.reducing.contains(forall)).collect()
}

fn unbounded(var: Val<'_>) -> Val<'_> {
    match Op::defining(var).filter(|op| op.is::<cin::Bound>()) {
        Some(bound) => unbounded(bound.operand(0)),
        None => var,
    }
}

/// Moves the loops into the consumer, but for those that only reduce; the workspace takes the place of the
/// part there.
fn consume<'c>(part: &Part<'c>, place: &Place<'c>, workspace: Val<'c>, vars: &[Val<'c>]) -> Result<'c, ()> {
    let where_op = where_of(workspace).expect("it was written right behind the workspace");
    match place.loops.first() {
        Some(first) => first.move_to_end(where_op.body(0)),
        None => move_with_operands(part.assign, where_op.body(0)),
    }
    for forall in &place.reducing {
        for op in forall.body(0).ops() {
            op.move_before(*forall);
        }
        forall.erase();
    }
    for value in &part.values {
        let op = Op::defining(*value).expect("a part is computed");
        let mut operands = vec![workspace];
        operands.extend(vars.iter().map(|var| unbounded(*var)));
        let b = Builder::before(op);
        let access = b.value("cin.access", &operands, value.r#type())?;
        let parts = op.operands();
        op.replace(&[access]);
        parts.into_iter().for_each(erase_unused);
    }
    Ok(())
}

/// The scalar that a where-statement is about.
fn scalar_of(where_op: Op<'_>) -> Option<Op<'_>> {
    let block = where_op.block().filter(|_| where_op.is::<cin::Where>())?;
    let before = block.ops().into_iter().find(|op| op.next() == Some(where_op))?;
    let is_scalar = before.is::<cin::Temporary>() && WorkspaceKind::of(before) == WorkspaceKind::Scalar;
    is_scalar.then_some(before)
}

fn reads<'c>(op: Op<'c>, tensor: Val<'c>) -> bool {
    let is_it = |op: &Op<'c>| op.is::<cin::Access>() && op.operand(0) == tensor;
    is_it(&op) || op.descendants::<cin::Access>().iter().any(is_it)
}

/// Moves an assignment with what it is computed from, which stands in front of it.
fn move_with_operands<'c>(assign: Op<'c>, block: Block<'c>) {
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

/// Erases a value that nothing uses any more, and what only it was made of; a sum in a scalar goes with it.
fn erase_unused(value: Val<'_>) {
    let Some(op) = Op::defining(value).filter(|op| is_value(*op) && !op.is_used()) else { return };
    let operands = op.operands();
    op.erase();
    operands.into_iter().for_each(erase_unused);
}
