//! Loops and branches over scalars: `scf` operations that carry the scalars assigned in them.

use crate::function::{Lowered, Lowering, internal};
use crate::{jumps, scalar};
use comet_diag::Span;
use comet_ir::{Builder, Compare, Val, location, ta, types};
use comet_sema::program::{Element, ScalarExpr, ScalarId, Stmt, StmtKind, statements};
use melior::ir::ValueLike;
use std::cell::RefCell;

/// `if condition: … else: … end`.
pub(crate) fn branch(
    lowering: &mut Lowering<'_, '_>,
    condition: &ScalarExpr,
    then_body: &[Stmt],
    else_body: &[Stmt],
    span: Span,
) -> Lowered<()> {
    let condition = scalar::truth(lowering, condition)?;
    let carried = assigned(&[then_body, else_body]);
    let before = initial(lowering, &carried, span)?;
    let b = at(lowering, span);
    let steps = Steps::new(lowering, &carried);
    let values = b.if_else(
        condition,
        &b.types_of(&before),
        |b| Ok(steps.run(b, &before, then_body)),
        |b| Ok(steps.run(b, &before, else_body)),
    );
    let values = steps.finish(values, span)?;
    bind(lowering, &carried, &values);
    Ok(())
}

/// `while condition: … end`.
pub(crate) fn repeat(
    lowering: &mut Lowering<'_, '_>,
    condition: &ScalarExpr,
    body: &[Stmt],
    span: Span,
) -> Lowered<()> {
    let carried = assigned(&[body]);
    let before = initial(lowering, &carried, span)?;
    let jump = jump(lowering, &carried);
    let b = at(lowering, span);
    let steps = Steps::new(lowering, &carried);
    let values = b.while_loop(
        &before,
        |b, values| unless_jumped(b, jump, values, |b| steps.test(b, values, condition)),
        |b, values| {
            ta::Iteration::build(b)?;
            Ok(steps.run(b, values, body))
        },
    );
    let values = steps.finish(values, span)?;
    bind(lowering, &carried, &values);
    Ok(())
}

pub(crate) struct Range<'a> {
    pub(crate) var: ScalarId,
    pub(crate) start: &'a ScalarExpr,
    pub(crate) stop: &'a ScalarExpr,
    pub(crate) step: &'a ScalarExpr,
}

/// `for var in range(start, stop, step): … end`: the bounds are computed once; a negative step counts down.
pub(crate) fn count(
    lowering: &mut Lowering<'_, '_>,
    range: &Range<'_>,
    body: &[Stmt],
    span: Span,
) -> Lowered<()> {
    let start = scalar::lower(lowering, range.start, Element::I64)?;
    let stop = scalar::lower(lowering, range.stop, Element::I64)?;
    let step = scalar::lower(lowering, range.step, Element::I64)?;
    let step = lowering.at(range.step.span, |b| Ok(ta::CheckedStep::build(b, step)?.result()))?;
    let mut carried = assigned(&[body]);
    carried.retain(|scalar| *scalar != range.var);
    let mut before = vec![start];
    before.extend(initial(lowering, &carried, span)?);
    carried.insert(0, range.var);
    let jump = jump(lowering, &carried);
    let b = at(lowering, span);
    let steps = Steps::new(lowering, &carried);
    let values = b.while_loop(
        &before,
        |b, values| unless_jumped(b, jump, values, |b| goes_on(b, values[0], stop, step)),
        |b, values| {
            let mut next = steps.run(b, values, body);
            if let Some(first) = next.first_mut() {
                *first = step_on(b, values[0], stop, step)?;
            }
            Ok(next)
        },
    );
    let values = steps.finish(values, span)?;
    bind(lowering, &carried[1..], &values[1..]);
    Ok(())
}

/// The place among the carried scalars of the one that says that the body has come to a jump.
fn jump(lowering: &Lowering<'_, '_>, carried: &[ScalarId]) -> Option<usize> {
    let flag = jumps::flag(lowering.function)?;
    carried.iter().position(|scalar| *scalar == flag)
}

/// The condition of a loop, which is not asked any more where the body has come to a jump.
fn unless_jumped<'c>(
    b: Builder<'c>,
    jump: Option<usize>,
    values: &[Val<'c>],
    condition: impl FnOnce(Builder<'c>) -> comet_ir::Result<'c, Val<'c>>,
) -> comet_ir::Result<'c, Val<'c>> {
    let Some(flag) = jump.map(|position| values[position]) else { return condition(b) };
    let zero = b.int(flag.r#type(), 0)?;
    let goes_on = b.cmpi(Compare::Eq, flag, zero)?;
    b.both(goes_on, condition)
}

fn step_type<'c>(b: Builder<'c>) -> comet_ir::Ty<'c> {
    comet_ir::types::int(b.context(), 64)
}

/// `value + step`, or `stop` where 64 bits do not hold that: the loop is at its end then.
fn step_on<'c>(
    b: Builder<'c>,
    value: Val<'c>,
    stop: Val<'c>,
    step: Val<'c>,
) -> comet_ir::Result<'c, Val<'c>> {
    let zero = b.int(step_type(b), 0)?;
    let next = b.addi(value, step)?;
    let upwards = b.cmpi(Compare::Gt, step, zero)?;
    let (below, above) = (b.cmpi(Compare::Lt, next, value)?, b.cmpi(Compare::Gt, next, value)?);
    let wrapped = b.select(upwards, below, above)?;
    b.select(wrapped, stop, next)
}

/// `step > 0 ? value < stop : value > stop`.
fn goes_on<'c>(
    b: Builder<'c>,
    value: Val<'c>,
    stop: Val<'c>,
    step: Val<'c>,
) -> comet_ir::Result<'c, Val<'c>> {
    let zero = b.int(step_type(b), 0)?;
    let upwards = b.cmpi(Compare::Gt, step, zero)?;
    let (below, above) = (b.cmpi(Compare::Lt, value, stop)?, b.cmpi(Compare::Gt, value, stop)?);
    b.select(upwards, below, above)
}

/// The bodies of a loop or branch. A body's own failure must get out of a closure that can only fail with
/// the IR's, so it is kept here.
struct Steps<'l, 'a, 'c> {
    lowering: RefCell<&'l mut Lowering<'a, 'c>>,
    carried: &'l [ScalarId],
    failure: RefCell<Option<comet_diag::Diagnostic>>,
}

impl<'l, 'a, 'c> Steps<'l, 'a, 'c> {
    fn new(lowering: &'l mut Lowering<'a, 'c>, carried: &'l [ScalarId]) -> Self {
        Self { lowering: RefCell::new(lowering), carried, failure: RefCell::new(None) }
    }

    /// Runs statements inside; returns what the carried scalars are afterwards.
    fn run(&self, b: Builder<'c>, values: &[Val<'c>], body: &[Stmt]) -> Vec<Val<'c>> {
        self.inside(b, values, |lowering| {
            body.iter().try_for_each(|stmt| lowering.stmt(stmt))?;
            Ok(self.carried.iter().map(|scalar| lowering.scalars[scalar]).collect())
        })
        .unwrap_or_else(|| values.to_vec())
    }

    /// The condition of a loop, with the scalars as they are at its head.
    fn test(
        &self,
        b: Builder<'c>,
        values: &[Val<'c>],
        condition: &ScalarExpr,
    ) -> comet_ir::Result<'c, Val<'c>> {
        match self.inside(b, values, |lowering| scalar::truth(lowering, condition)) {
            Some(truth) => Ok(truth),
            // The failure is reported at the end of the loop; until then anything of the type will do.
            None => b.int(types::int(b.context(), 1), 0),
        }
    }

    fn inside<T>(
        &self,
        b: Builder<'c>,
        values: &[Val<'c>],
        body: impl FnOnce(&mut Lowering<'a, 'c>) -> Lowered<T>,
    ) -> Option<T> {
        let lowering = &mut **self.lowering.borrow_mut();
        let (outer, scalars) = (std::mem::replace(&mut lowering.b, b), lowering.scalars.clone());
        bind(lowering, self.carried, values);
        lowering.calls.depth += 1;
        let result = body(lowering);
        lowering.calls.depth -= 1;
        lowering.b = outer;
        lowering.scalars = scalars;
        result.map_err(|failure| self.failure.replace(Some(failure))).ok()
    }

    fn finish(self, values: comet_ir::Result<'c, Vec<Val<'c>>>, span: Span) -> Lowered<Vec<Val<'c>>> {
        match self.failure.into_inner() {
            Some(failure) => Err(failure),
            None => values.map_err(|error| internal(span, &error)),
        }
    }
}

/// The scalars that statements assign, each once.
fn assigned(bodies: &[&[Stmt]]) -> Vec<ScalarId> {
    let all = bodies.iter().flat_map(|body| statements(body));
    let mut found: Vec<ScalarId> = all
        .filter_map(|stmt| match &stmt.kind {
            StmtKind::SetScalar { scalar, .. } => Some(*scalar),
            _ => None,
        })
        .collect();
    found.sort();
    found.dedup();
    found
}

/// What the scalars are before; those that are not set yet start as 0, which nothing reads.
fn initial<'c>(lowering: &Lowering<'_, 'c>, carried: &[ScalarId], span: Span) -> Lowered<Vec<Val<'c>>> {
    let value = |scalar: &ScalarId| match lowering.scalars.get(scalar) {
        Some(value) => Ok(*value),
        None => {
            let ty = lowering.element(lowering.function.scalars[scalar.0].element.computed());
            lowering.at(span, |b| b.number(ty, 0.0, 0))
        }
    };
    carried.iter().map(value).collect()
}

fn bind<'c>(lowering: &mut Lowering<'_, 'c>, scalars: &[ScalarId], values: &[Val<'c>]) {
    lowering.scalars.extend(scalars.iter().copied().zip(values.iter().copied()));
}

fn at<'c>(lowering: &Lowering<'_, 'c>, span: Span) -> Builder<'c> {
    lowering.b.with_location(location::of_span(lowering.b.context(), lowering.source, span))
}
