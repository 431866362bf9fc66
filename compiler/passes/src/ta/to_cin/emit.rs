//! Writes pieces as `cin.compute`.

use super::expr::{Assignment, Expr, Operand};
use super::order::{Constraints, Loop};
use super::plan::{Compute, Conversion, Nest, Piece};
use super::remarks;
use crate::concrete;
use crate::copies::Copies;
use crate::nest;
use comet_ir::cin::{self, Operator, Reduction, WorkspaceKind};
use comet_ir::{Builder, Op, Result, Val, types};
use comet_notation::distinct;
use std::collections::HashMap;

/// Writes one piece before the assignment that it comes from.
pub(super) fn piece<'c>(before: Op<'c>, statement: &Assignment<'c>, piece: &Piece<'c>) -> Result<'c, ()> {
    match piece {
        Piece::Clear(reduction) => clear(before, statement, *reduction),
        Piece::Compute(compute) => self::compute(before, statement, compute),
    }
}

fn clear<'c>(before: Op<'c>, statement: &Assignment<'c>, reduction: Reduction) -> Result<'c, ()> {
    let b = Builder::before(before);
    let compute = cin::Compute::build(b)?;
    let identity = concrete::identity(reduction);
    let element = types::element_of(statement.target.tensor);
    let stored = types::value_of(element);
    let computed = types::of_value(b.context(), stored.computed());
    let number = stored.nearest(identity.integer);
    let mut identity = Builder::before(*compute).number(computed, identity.float, number)?;
    if !stored.is_computed() {
        identity = cin::Cast::build(b.inside(compute.body()), identity, element)?.result();
    }
    Writer::new(statement, b.inside(compute.body())).clear(identity)
}

fn compute<'c>(before: Op<'c>, statement: &Assignment<'c>, plan: &Compute<'c>) -> Result<'c, ()> {
    let b = Builder::before(before);
    let mut copies = Copies::default();
    let mut copied = |conversion: &Conversion<'c>| {
        let (access, why) = (conversion.access.clone(), format!(": {}", conversion.conflict.reason()));
        let copy = copies.of(b, access.tensor, &conversion.format, &why)?;
        Ok((access, copy))
    };
    let copied = plan.nests.iter().map(|nest| nest.conversions.iter().map(&mut copied).collect());
    let copied = copied.collect::<Result<'c, Vec<_>>>()?;
    // Commands may put the loops in another order.
    if statement.commands.is_empty() {
        remarks::orders(statement, plan);
    }
    let compute = cin::Compute::build(b)?;
    let mut writer = Writer::new(statement, b.inside(compute.body()));
    let inside = writer.open(&plan.outer, writer.head)?;
    for (nest, copied) in plan.nests.iter().zip(copied) {
        writer.constraints = nest.constraints.clone();
        writer.copies = copied;
        writer.nest(inside, nest)?;
    }
    writer.commands()?;
    copies.release(b)
}

struct Writer<'a, 'c> {
    statement: &'a Assignment<'c>,
    /// At the end of the compute's block, where index variables are declared.
    head: Builder<'c>,
    labels: HashMap<usize, Val<'c>>,
    /// Outer and inner variables of the splits, by label and factor.
    halves: HashMap<(usize, u64), (Val<'c>, Val<'c>)>,
    /// The storage orders that nested reductions follow.
    constraints: Constraints,
    /// Operands and their copies in other formats.
    copies: Vec<(Operand<'c>, Val<'c>)>,
}

impl<'a, 'c> Writer<'a, 'c> {
    fn new(statement: &'a Assignment<'c>, head: Builder<'c>) -> Self {
        let (labels, halves) = (HashMap::new(), HashMap::new());
        Self { statement, head, labels, halves, constraints: Constraints::default(), copies: Vec::new() }
    }

    fn clear(&mut self, identity: Val<'c>) -> Result<'c, ()> {
        let target = self.statement.target.clone();
        let loops = distinct(target.labels.iter().map(|label| Loop::Label(*label)));
        let b = self.open(&loops, self.head)?;
        self.assign(b, identity, &target, Reduction::Set)
    }

    fn nest(&mut self, b: Builder<'c>, nest: &Nest<'c>) -> Result<'c, ()> {
        let b = self.open(&nest.loops, b)?;
        let target = self.statement.target.clone();
        self.statement(b, &nest.value, &target, nest.reduction)
    }

    /// `target reduction= value`; sums inside the value are computed into scalar workspaces first.
    fn statement(
        &mut self,
        b: Builder<'c>,
        value: &Expr<'c>,
        target: &Operand<'c>,
        reduction: Reduction,
    ) -> Result<'c, ()> {
        let mut sums = Vec::new();
        collect_sums(value, &mut sums);
        let mut b = b;
        let mut temporaries = Vec::new();
        for sum in sums {
            let (consumer, temporary) = self.where_sum(b, sum)?;
            b = consumer;
            temporaries.push((std::ptr::from_ref(sum), temporary));
        }
        let value = self.value(b, value, &temporaries)?;
        self.assign(b, value, target, reduction)
    }

    /// A where-statement whose producer leaves a sum in a scalar; returns the place of the consumer.
    fn where_sum(&mut self, b: Builder<'c>, sum: &Expr<'c>) -> Result<'c, (Builder<'c>, Val<'c>)> {
        let Expr::Reduce { op: reduction, labels, body } = sum else {
            unreachable!("only sums are collected")
        };
        let ty = types::tensor(&[], body.element(), None);
        let (temporary, where_op) = cin::temporary(b, "t", WorkspaceKind::Scalar, ty)?;
        let loops = self.constraints.loops(labels);
        let producer = self.open(&loops, b.inside(where_op.producer()))?;
        let target = Operand { tensor: temporary, labels: Vec::new() };
        self.statement(producer, body, &target, *reduction)?;
        Ok((b.inside(where_op.consumer()), temporary))
    }

    /// Nested loops; returns the place inside the innermost one.
    fn open(&mut self, loops: &[Loop], b: Builder<'c>) -> Result<'c, Builder<'c>> {
        // Variables are declared before the first loop, so that they stand in front of it in the block.
        let variables = loops.iter().map(|item| self.variable(*item)).collect::<Result<'c, Vec<_>>>()?;
        cin::loops(b, &variables)
    }

    fn variable(&mut self, item: Loop) -> Result<'c, Val<'c>> {
        match item {
            Loop::Label(label) => self.label(label),
            Loop::Quotient(label, factor) => Ok(self.split(label, factor)?.0),
            Loop::Remainder(label, factor) => Ok(self.split(label, factor)?.1),
        }
    }

    /// Where the next index variable goes: before the first statement of the compute.
    fn declarations(&self) -> Builder<'c> {
        let first = self.head.block().ops().into_iter().find(nest::is_statement);
        first.map_or(self.head, Builder::before)
    }

    /// The commands that are left for `cin-schedule`.
    fn commands(&self) -> Result<'c, ()> {
        let b = self.declarations();
        self.statement.commands.iter().try_for_each(|command| {
            let (b, op) = (b.with_location(command.location()), command.op);
            cin::Command::build(b, op.name(), op.arguments()).map(|_| ())
        })
    }

    fn label(&mut self, label: usize) -> Result<'c, Val<'c>> {
        if let Some(variable) = self.labels.get(&label) {
            return Ok(*variable);
        }
        let b = self.declarations();
        let info = &self.statement.labels[label];
        let variable = cin::IndexVar::build(b, &info.name, info.size)?.var();
        self.labels.insert(label, variable);
        Ok(variable)
    }

    fn split(&mut self, label: usize, factor: u64) -> Result<'c, (Val<'c>, Val<'c>)> {
        if let Some(halves) = self.halves.get(&(label, factor)) {
            return Ok(*halves);
        }
        let variable = self.label(label)?;
        let b = self.declarations();
        let name = &self.statement.labels[label].name;
        let (outer, inner) = (format!("{name}o"), format!("{name}i"));
        let split = cin::Split::build(b, variable, factor as i64, &outer, &inner)?;
        let halves = (split.outer(), split.inner());
        self.halves.insert((label, factor), halves);
        Ok(halves)
    }

    fn assign(
        &mut self,
        b: Builder<'c>,
        value: Val<'c>,
        target: &Operand<'c>,
        reduction: Reduction,
    ) -> Result<'c, ()> {
        let indices = self.indices(target)?;
        cin::Assign::build(b, value, target.tensor, &indices, reduction).map(|_| ())
    }

    /// Writes an expression; `temporaries` are the scalars that hold its sums.
    fn value(
        &mut self,
        b: Builder<'c>,
        expr: &Expr<'c>,
        temporaries: &[(*const Expr<'c>, Val<'c>)],
    ) -> Result<'c, Val<'c>> {
        match expr {
            Expr::Access(access) => self.access(b, access),
            Expr::Scalar(value) => Ok(*value),
            Expr::Cast(value, ty) => {
                let value = self.value(b, value, temporaries)?;
                Ok(cin::Cast::build(b, value, *ty)?.result())
            }
            Expr::Neg(value) => {
                let value = self.value(b, value, temporaries)?;
                Ok(cin::Neg::build(b, value)?.result())
            }
            Expr::Apply(function, value) => {
                let value = self.value(b, value, temporaries)?;
                Ok(cin::Apply::build(b, *function, value)?.result())
            }
            Expr::Drop { value, condition } => {
                let [value, condition] = self.values(b, [value, condition], temporaries)?;
                Ok(cin::Drop::build(b, value, condition)?.result())
            }
            Expr::Add(left, right) => self.unite(b, Operator::Add, [left, right], temporaries),
            Expr::Sub(left, right) => self.unite(b, Operator::Sub, [left, right], temporaries),
            Expr::Unite(op, left, right) => self.unite(b, *op, [left, right], temporaries),
            Expr::Combine(op, left, right) => {
                let [left, right] = self.values(b, [left, right], temporaries)?;
                Ok(cin::Combine::build(b, *op, left, right)?.result())
            }
            Expr::Mask { value, mask, complement } => {
                let [value, mask] = self.values(b, [value, mask], temporaries)?;
                Ok(cin::Mask::build(b, value, mask)?.set_complement(*complement).result())
            }
            Expr::Reduce { .. } => {
                let found = temporaries.iter().find(|(sum, _)| std::ptr::eq(*sum, expr));
                let temporary = found.expect("every sum was computed before its use").1;
                cin::access(b, temporary, &[])
            }
        }
    }

    fn unite(
        &mut self,
        b: Builder<'c>,
        operator: Operator,
        operands: [&Expr<'c>; 2],
        temporaries: &[(*const Expr<'c>, Val<'c>)],
    ) -> Result<'c, Val<'c>> {
        let [left, right] = self.values(b, operands, temporaries)?;
        Ok(cin::Unite::build(b, operator, left, right)?.result())
    }

    fn access(&mut self, b: Builder<'c>, access: &Operand<'c>) -> Result<'c, Val<'c>> {
        let copy = self.copies.iter().find(|(original, _)| original == access);
        let tensor = copy.map_or(access.tensor, |(_, copy)| *copy);
        let indices = self.indices(access)?;
        cin::access(b, tensor, &indices)
    }

    fn indices(&mut self, access: &Operand<'c>) -> Result<'c, Vec<Val<'c>>> {
        access.labels.iter().map(|label| self.label(*label)).collect()
    }

    fn values(
        &mut self,
        b: Builder<'c>,
        [left, right]: [&Expr<'c>; 2],
        temporaries: &[(*const Expr<'c>, Val<'c>)],
    ) -> Result<'c, [Val<'c>; 2]> {
        Ok([self.value(b, left, temporaries)?, self.value(b, right, temporaries)?])
    }
}

/// The outermost sums of an expression.
fn collect_sums<'a, 'c>(expr: &'a Expr<'c>, sums: &mut Vec<&'a Expr<'c>>) {
    if matches!(expr, Expr::Reduce { .. }) {
        sums.push(expr);
        return;
    }
    for child in expr.children() {
        collect_sums(child, sums);
    }
}
