//! Sums that are converted to the type of the result, as all are whose elements are narrower than what they
//! are computed in, become a statement of their own: `T = SUM_j(…)`, then `C = cast(T)`, with T in the format
//! of C.
//!
//! A conversion around a sum has the loops of the sum inside of those over the result, so that operands that
//! are stored otherwise are copied in each execution of the statement, and a product of two sparse matrices
//! goes over pairs of rows and columns. A sum at the top of a statement may scatter into its result. T costs
//! one pass over what is computed, so it is made where the loops of its statement, with their copies, cost
//! less by `cost.rs`. A dense T of rank 2 or more may be larger than all that is copied otherwise, and there
//! is none; elements of a dense T that nothing comes to are 0, so that only sums from 0 have one.

use super::cost;
use super::expr::{Assignment, Expr, Operand, Terms};
use super::plan::{self, Piece};
use super::sparse;
use crate::{concrete, nest};
use comet_format::{Level, LevelExpr};
use comet_ir::cin::Reduction;
use comet_ir::{Builder, Op, Result, Val, format, pass, ta, types};
use comet_notation::Constant;
use melior::ir::ValueLike;

/// The statement of the sums, and that of their conversion.
pub(super) struct SumsFirst<'c> {
    pub(super) statements: [Assignment<'c>; 2],
    /// What the sums are stored in between.
    pub(super) sums: Val<'c>,
}

/// The two statements that stand for one, in front of `before`; `None` where one is as good.
pub(super) fn of<'c>(before: Op<'c>, statement: &Assignment<'c>) -> Result<'c, Option<SumsFirst<'c>>> {
    let (Expr::Cast(sum, ty), Terms::Split, []) =
        (&statement.value, statement.terms, statement.commands.as_slice())
    else {
        return Ok(None);
    };
    let Expr::Reduce { op, .. } = **sum else { return Ok(None) };
    let Some(declared) = ta::TensorDecl::defining(statement.target.tensor) else { return Ok(None) };
    let computed =
        Assignment { overwrite: true, ..statement.with(statement.target.clone(), (**sum).clone()) };
    if !may_hold(&statement.target, op) || statement.reads_target() || !is_cheaper(&computed, statement)? {
        return Ok(None);
    }
    let b = Builder::before(before);
    let target = declared.tensor().r#type();
    let dims: Vec<Option<u64>> =
        (0..types::rank(target)).map(|mode| types::static_dim(target, mode)).collect();
    let encoding = statement
        .target
        .is_sparse()
        .then(|| format::to_attribute(b.context(), &statement.target.format(), format::Memory::Unspecified));
    let wide = types::tensor(&dims, sum.element(), encoding.flatten());
    let name = format!("{}.sums", nest::name(statement.target.tensor));
    let sums = ta::TensorDecl::build(b, &name, &declared.labels(), wide)?.tensor();
    pass::decided(statement.location, || remark(statement, &name));
    let target = Operand { tensor: sums, labels: statement.target.labels.clone() };
    let value = Expr::Cast(Box::new(Expr::Access(target.clone())), *ty);
    let converted = statement.with(statement.target.clone(), value);
    let computed = Assignment { target, ..computed };
    Ok(Some(SumsFirst { statements: [computed, converted], sums }))
}

/// Whether a tensor like the target can hold the sums, and what it holds elsewhere converts to what the
/// target does.
fn may_hold(target: &Operand<'_>, op: Reduction) -> bool {
    let format = target.format();
    let is_whole = |level: &Level| matches!(level.expr, LevelExpr::Mode(_));
    let fits = match target.is_sparse() {
        true => {
            format.appended_groups().is_some() && format.is_compact() && format.levels.iter().all(is_whole)
        }
        false => target.labels.len() == 1 && concrete::identity(op) == Constant::ZERO,
    };
    fits && plan::repeats_no_label(target)
}

/// Whether sums that are computed first are cheaper.
fn is_cheaper<'c>(computed: &Assignment<'c>, statement: &Assignment<'c>) -> Result<'c, bool> {
    Ok(least(computed)? < least(statement)?)
}

/// The cost of a statement, without remarks.
fn least<'c>(statement: &Assignment<'c>) -> Result<'c, f64> {
    if statement.target.is_sparse() {
        return sparse::least(statement);
    }
    let costs = plan::pieces(statement)?.into_iter().map(|piece| match piece {
        Piece::Compute(compute) => cost::of(&compute),
        Piece::Clear(_) => 0.0,
    });
    Ok(costs.fold(0.0, f64::max))
}

fn remark(statement: &Assignment<'_>, name: &str) -> String {
    let target = nest::name(statement.target.tensor);
    format!(
        "the sums are computed first, into `{name}`, and converted into `{target}` then: a sum inside of the \
         conversion would have the loops of `{target}` around it"
    )
}
