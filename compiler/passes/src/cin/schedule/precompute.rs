//! `precompute`: a part of a value is computed into a workspace before the loops that use it (Kjolstad 2019;
//! stardust.txt Table 1).
//!
//! The where-statement takes the place of the outermost loop over the workspace's variables, or of the
//! loops that only reduce where it has none. The loops over these variables are in the producer and in the
//! consumer; one that reduces, and that nothing but the part depends on, goes to the producer altogether.

use super::Schedule;
use super::copy::Copier;
use super::loops::{around, open, statements, statements_of};
use crate::nest::{self, Relations, WorkspaceKind, point};
use crate::operator::{Operator, Reduction};
use crate::schedule::{Command, Precompute, is_value};
use comet_dialects::cin::{
    AccessOperation, AssignOperation, BoundOperation, CombineOperation, IndexVarOperation, NegOperation,
    TemporaryOperation, WhereOperation,
};
use comet_ir::{Block, Builder, IrError, Op, Result, Val, format, types};
use comet_runtime::format::LevelKind;
use melior::ir::ValueLike;

/// What is computed first.
struct Part<'c> {
    /// Its values: the same expression may stand in several places.
    values: Vec<Val<'c>>,
    /// The assignment whose value it is a part of.
    assign: Op<'c>,
}

/// The loops around a part that the where-statement takes the place of.
struct Place<'c> {
    /// Outermost first.
    loops: Vec<Op<'c>>,
    /// Those in the producer only.
    reducing: Vec<Op<'c>>,
}

impl<'c> Schedule<'c> {
    pub(super) fn precompute(&mut self, command: &Command<'c>, what: &Precompute) -> Result<'c, ()> {
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
        if let Some(error) = stores_more(command, what) {
            return Err(error);
        }
        let relations = Relations::of(self.compute);
        if let Some(cut) = vars.iter().find(|var| relations.roots(**var) != [relations.unbounded(**var)]) {
            let what = format!("`precompute` over `{}`, which is a part of an index", nest::name(*cut));
            let hint = "give `precompute` before the commands that cut the loop";
            return Err(IrError::not_supported(command.location(), what).hint(hint));
        }
        let place = place(command, &part, &vars, &relations)?;
        let inner = self.inner_vars(command, what, &vars)?;
        let workspace = put_in_front(command, what, &part, &place, &vars, &inner)?;
        consume(&part, &place, workspace, &vars)
    }

    /// Whether an assignment's value has the expression in it.
    pub(super) fn has_part(&self, what: &Precompute) -> bool {
        self.part(what).is_some()
    }

    /// The first assignment whose value has the expression in it.
    fn part(&self, what: &Precompute) -> Option<Part<'c>> {
        let original = |tensor: Val<'c>| self.original(tensor);
        let assigns = self.compute.descendants::<AssignOperation>();
        assigns.into_iter().find_map(|assign| {
            let mut values = Vec::new();
            find(assign.operand(0), &|value| what.expression.is(value, &original), &mut values);
            let first = *values.first()?;
            values.retain(|value| are_alike(first, *value));
            Some(Part { values, assign })
        })
    }

    /// The variables of the producer's loops: new ones over the same extents.
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
            let declaration = Op::defining(var).filter(|op| op.is::<IndexVarOperation>());
            let declaration = declaration.expect("a variable that no command has cut is declared");
            let b = self.declarations(command);
            let attributes = [("name", b.string_attribute(name))];
            let ty = types::cin_index(b.context());
            let own = b.op("cin.index_var", &[declaration.operand(0)], &[ty], &attributes)?.result(0);
            // Stardust's examples keep the names: they go on meaning the loops around what is computed.
            self.vars.entry(name.clone()).or_insert(own);
            inner.push((var, own));
        }
        Ok(inner)
    }
}

/// Below a compressed level a dense one stores zeros, which would count as computed.
fn stores_more<'c>(command: &Command<'c>, what: &Precompute) -> Option<IrError<'c>> {
    let levels = &what.format.levels;
    let is_sparse = levels.iter().any(|level| level.kind != LevelKind::Dense);
    let ends_dense = levels.last().is_some_and(|level| level.kind == LevelKind::Dense);
    (is_sparse && ends_dense).then(|| {
        let message = format!("`{}` in a format that stores blocks, zeros among them", what.workspace);
        IrError::not_supported(command.location(), message)
            .hint("end its levels with a compressed one, or use `Dense`")
    })
}

/// The values in a tree for which something holds, outermost ones.
fn find<'c>(value: Val<'c>, is_it: &dyn Fn(Val<'c>) -> bool, found: &mut Vec<Val<'c>>) {
    let Some(op) = Op::defining(value).filter(|op| is_value(*op)) else { return };
    if is_it(value) {
        found.push(value);
        return;
    }
    if !op.is::<AccessOperation>() {
        op.operands().into_iter().for_each(|operand| find(operand, is_it, found));
    }
}

/// Whether two values are made of the same operations on the same operands.
fn are_alike<'c>(one: Val<'c>, other: Val<'c>) -> bool {
    if one == other {
        return true;
    }
    let (Some(first), Some(second)) = (Op::defining(one), Op::defining(other)) else { return false };
    let (left, right) = (first.operands(), second.operands());
    is_value(first)
        && is_value(second)
        && first.name() == second.name()
        && first.attribute("op") == second.attribute("op")
        && left.len() == right.len()
        && left.into_iter().zip(right).all(|(left, right)| are_alike(left, right))
}

/// The loops that the where-statement takes the place of.
fn place<'c>(
    command: &Command<'c>,
    part: &Part<'c>,
    vars: &[Val<'c>],
    relations: &Relations<'c>,
) -> Result<'c, Place<'c>> {
    let unbounded: Vec<Val<'c>> = vars.iter().map(|var| relations.unbounded(*var)).collect();
    let mut outside: Vec<Op<'c>> = around(part.assign).collect();
    outside.reverse();
    let is_kept = |forall: &Op<'c>| unbounded.contains(&relations.unbounded(forall.operand(0)));
    let target = point(part.assign).1;
    let moves = |forall: &Op<'c>| relations.roots(forall.operand(0)).iter().any(|root| target.contains(root));
    let first = match vars.is_empty() {
        true => outside.iter().rposition(moves).map_or(0, |last| last + 1),
        false => outside.iter().position(is_kept).unwrap_or(outside.len()),
    };
    let loops = outside.split_off(first);
    if let Some(missing) = unbounded
        .iter()
        .find(|var| !loops.iter().any(|forall| relations.unbounded(forall.operand(0)) == **var))
    {
        return Err(out_of_reach(command, *missing));
    }
    check_chain(command, &loops, part)?;
    let (used, rest) = (vars_of(part.values[0]), vars_of_rest(part));
    let mut reducing = Vec::new();
    for forall in loops.iter().filter(|forall| !is_kept(forall)) {
        let roots = relations.roots(forall.operand(0));
        if !roots.iter().any(|root| used.contains(root)) {
            continue;
        }
        if roots.iter().any(|root| target.contains(root) || rest.contains(root)) {
            return Err(depends(command, *forall));
        }
        if !is_only_split(relations, forall.operand(0)) {
            let hint = "give `precompute` before `fuse` and `pos`";
            let what = "`precompute` inside of fused loops and loops over positions";
            return Err(IrError::not_supported(command.location(), what).hint(hint));
        }
        reducing.push(*forall);
    }
    if !reducing.is_empty() && !distributes(part) {
        return Err(depends(command, reducing[0]));
    }
    Ok(Place { loops, reducing })
}

/// The loops are inside each other with nothing beside them but workspaces, down to the assignment. What is
/// computed first must not be made of these, scalars aside.
fn check_chain<'c>(command: &Command<'c>, loops: &[Op<'c>], part: &Part<'c>) -> Result<'c, ()> {
    let refuse = |what: &str| {
        let what = format!("`precompute` where {what}");
        Err(IrError::not_supported(command.location(), what))
    };
    let Some(first) = loops.first() else { return Ok(()) };
    let mut inside = statements(*first);
    loop {
        match inside[..] {
            [only] if only == part.assign => return Ok(()),
            [only] if loops.contains(&only) => inside = statements(only),
            [workspace, where_op] if workspace.is::<TemporaryOperation>() => {
                let is_scalar = WorkspaceKind::of(workspace) == WorkspaceKind::Scalar;
                if !is_scalar && tensors_of(part.values[0]).contains(&workspace.result(0)) {
                    return refuse("the expression reads a workspace of the same loops");
                }
                inside = statements_of(where_op.body(0));
            }
            _ => return refuse("the loops around the expression have other statements beside them"),
        }
    }
}

/// The tensors that a value is made of.
fn tensors_of(value: Val<'_>) -> Vec<Val<'_>> {
    let Some(op) = Op::defining(value).filter(|op| is_value(*op)) else { return Vec::new() };
    match op.is::<AccessOperation>() {
        true => vec![op.operand(0)],
        false => op.operands().into_iter().flat_map(tensors_of).collect(),
    }
}

fn out_of_reach<'c>(command: &Command<'c>, var: Val<'c>) -> IrError<'c> {
    let message = format!("no loop over `{}` is around the expression", nest::name(var));
    IrError::at(command.location(), message).hint("name loops around it, or `{}`")
}

fn depends<'c>(command: &Command<'c>, forall: Op<'c>) -> IrError<'c> {
    let name = nest::name(forall.operand(0));
    let message =
        format!("the expression depends on `{name}`, which other parts of the statement do as well");
    let hint = format!("give the workspace an index for `{name}`, or put its loop outside with `order`");
    IrError::at(command.location(), message).hint(hint)
}

/// Whether a variable is one of the expression, or a part of one that is cut.
fn is_only_split<'c>(relations: &Relations<'c>, var: Val<'c>) -> bool {
    let var = relations.unbounded(var);
    match relations.quotient_of(var).or_else(|| relations.remainder_of(var)) {
        Some(split) => is_only_split(relations, split.var),
        None => relations.positions_at(var).is_none() && relations.fusion_into(var).is_none(),
    }
}

/// The index variables that a value depends on.
fn vars_of(value: Val<'_>) -> Vec<Val<'_>> {
    let Some(op) = Op::defining(value).filter(|op| is_value(*op)) else { return Vec::new() };
    if op.is::<AccessOperation>() {
        let (tensor, indices) = point(op);
        let produced = where_of(tensor).map_or(Vec::new(), |where_op| assigns_in(where_op.body(1)));
        let summed = produced.into_iter().flat_map(|assign| vars_of(assign.operand(0)));
        return indices.into_iter().chain(summed).collect();
    }
    op.operands().into_iter().flat_map(vars_of).collect()
}

fn assigns_in(block: Block<'_>) -> Vec<Op<'_>> {
    let mut found = Vec::new();
    for op in block.ops() {
        match op.is::<AssignOperation>() {
            true => found.push(op),
            false => found.extend(op.descendants::<AssignOperation>()),
        }
    }
    found
}

/// The where-statement that leaves its result in a workspace.
pub(super) fn where_of(tensor: Val<'_>) -> Option<Op<'_>> {
    let temporary = Op::defining(tensor).filter(|op| op.is::<TemporaryOperation>())?;
    temporary.next().filter(|next| next.is::<WhereOperation>())
}

/// The index variables that the value of the assignment depends on, the part left out.
fn vars_of_rest<'c>(part: &Part<'c>) -> Vec<Val<'c>> {
    fn rest<'c>(value: Val<'c>, part: &Part<'c>) -> Vec<Val<'c>> {
        if part.values.contains(&value) {
            return Vec::new();
        }
        match Op::defining(value).filter(|op| is_value(*op)) {
            Some(op) if !op.is::<AccessOperation>() => {
                op.operands().into_iter().flat_map(|operand| rest(operand, part)).collect()
            }
            _ => vars_of(value),
        }
    }
    rest(part.assign.operand(0), part)
}

/// Whether a sum of what is made of the part is made of the sum of the part in the same way; whatever the
/// reduction is, where the part is the whole.
fn distributes(part: &Part<'_>) -> bool {
    let value = part.assign.operand(0);
    if part.values == [value] {
        return true;
    }
    Reduction::of(part.assign) == Reduction::Add && part.values.len() == 1 && is_factor(value, part)
}

fn is_factor<'c>(value: Val<'c>, part: &Part<'c>) -> bool {
    if part.values.contains(&value) {
        return true;
    }
    let Some(op) = Op::defining(value).filter(|op| is_value(*op)) else { return false };
    let is_product = op.is::<CombineOperation>() && Operator::of(op) == Operator::Mul;
    let is_linear = is_product || op.is::<NegOperation>();
    is_linear && op.operands().into_iter().any(|operand| is_factor(operand, part))
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
    let is_dense = what.format.levels.iter().all(|level| level.kind == LevelKind::Dense);
    let kind = match (vars.is_empty(), is_dense) {
        (true, _) => WorkspaceKind::Scalar,
        (false, true) => WorkspaceKind::Dense,
        (false, false) => WorkspaceKind::Levels,
    };
    let encoding = format::to_attribute(b.context(), &what.format, format::Memory::Unspecified);
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
    match Op::defining(var).filter(|op| op.is::<BoundOperation>()) {
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
    drop_unread_sums(part.assign);
    Ok(())
}

/// Where-statements around an assignment that compute a scalar which it does not read any more go.
fn drop_unread_sums(assign: Op<'_>) {
    let mut around = assign.parent();
    while let Some(op) = around {
        around = op.parent();
        let Some(scalar) = scalar_of(op) else { continue };
        let is_read = op.body(0).ops().into_iter().any(|op| reads(op, scalar.result(0)));
        if !is_read {
            for inside in op.body(0).ops() {
                inside.move_before(op);
            }
            op.erase();
            scalar.erase();
        }
    }
}

/// The scalar that a where-statement is about.
fn scalar_of(where_op: Op<'_>) -> Option<Op<'_>> {
    let block = where_op.block().filter(|_| where_op.is::<WhereOperation>())?;
    let before = block.ops().into_iter().find(|op| op.next() == Some(where_op))?;
    let is_scalar = before.is::<TemporaryOperation>() && WorkspaceKind::of(before) == WorkspaceKind::Scalar;
    is_scalar.then_some(before)
}

fn reads<'c>(op: Op<'c>, tensor: Val<'c>) -> bool {
    let is_it = |op: &Op<'c>| op.is::<AccessOperation>() && op.operand(0) == tensor;
    is_it(&op) || op.descendants::<AccessOperation>().iter().any(is_it)
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
