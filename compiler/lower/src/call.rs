//! Calls of functions of the file: the callee's body in the place of the call.
//!
//! Tensor parameters are the caller's variables; a declared result is a variable of its own, whose storage
//! moves to the caller's when the body is done.

use crate::function::{Lowered, Lowering};
use crate::scalar;
use comet_diag::{Diagnostic, Span};
use comet_ir::{Val, pass, ta};
use comet_sema::MAX_DEPTH;
use comet_sema::program::{CallArg, Function, ParamId, SizeId, TensorId};
use std::cell::Cell;
use std::rc::Rc;

pub(crate) struct Call<'p> {
    pub(crate) callee: &'p str,
    pub(crate) args: &'p [CallArg],
    pub(crate) span: Span,
}

/// The most calls that a program may come to; each puts its function's statements in its place.
const MOST_CALLS: usize = 10_000;

/// How many calls there have been, and how many of them, of loops and of branches are around this place.
#[derive(Clone, Default)]
pub(crate) struct Calls {
    count: Rc<Cell<usize>>,
    pub(crate) depth: usize,
}

impl Calls {
    /// Those inside of one more call.
    fn enter(&self, call: &Call<'_>) -> Lowered<Self> {
        self.count.set(self.count.get() + 1);
        let refuse = |what: String| {
            Err(Diagnostic::error(call.span, format!("this call of `{}` is {what}", call.callee))
                .hint("calls are put in the place of the call: write a loop, or call fewer functions"))
        };
        if self.depth >= MAX_DEPTH {
            return refuse(format!("too deep: the limit is {MAX_DEPTH} calls, loops and branches around it"));
        }
        if self.count.get() > MOST_CALLS {
            return refuse(format!("one too many: the limit is {MOST_CALLS} calls in all"));
        }
        Ok(Self { count: Rc::clone(&self.count), depth: self.depth + 1 })
    }
}

/// A call for its effect, or whose tensor result is assigned to `target`.
pub(crate) fn statement(
    lowering: &mut Lowering<'_, '_>,
    call: &Call<'_>,
    target: Option<TensorId>,
) -> Lowered<()> {
    let callee = callee(lowering, call);
    let mut inner = enter(lowering, callee, call)?;
    let Some((ParamId::Tensor(result), target)) = callee.result.zip(target) else {
        return inner.run_body(&[]);
    };
    bind_sizes(lowering, &mut inner, result, target);
    let info = lowering.tensor_info(target);
    let fresh = lowering.variable_like(lowering.tensor(target), info)?;
    inner.bind_tensor(result, fresh);
    inner.run_body(&[result])?;
    lowering.at(call.span, |b| ta::move_and_release(b, fresh, lowering.tensor(target)))
}

/// A call that returns a scalar.
pub(crate) fn value<'c>(lowering: &mut Lowering<'_, 'c>, call: &Call<'_>) -> Lowered<Val<'c>> {
    let callee = callee(lowering, call);
    let mut inner = enter(lowering, callee, call)?;
    inner.run_body(&[])?;
    let Some(ParamId::Scalar(result)) = callee.result else {
        unreachable!("semantic analysis takes only functions with a scalar result for a scalar");
    };
    Ok(inner.scalars[&result])
}

fn callee<'a>(lowering: &Lowering<'a, '_>, call: &Call<'_>) -> &'a Function {
    let found = lowering.program.functions.iter().find(|function| function.name == call.callee);
    found.expect("semantic analysis has resolved the callee")
}

/// The callee with its parameters bound to the arguments.
fn enter<'a, 'c>(
    lowering: &mut Lowering<'a, 'c>,
    callee: &'a Function,
    call: &Call<'_>,
) -> Lowered<Lowering<'a, 'c>> {
    pass::decided(lowering.location(call.span), || {
        format!(
            "`{}` is put in the place of its call: its loops then see the caller's formats and extents",
            callee.name
        )
    });
    let mut inner = Lowering::new(lowering.b, lowering.program, callee, lowering.source);
    inner.calls = lowering.calls.enter(call)?;
    for (param, arg) in callee.params.iter().zip(call.args) {
        match (param, arg) {
            (ParamId::Tensor(param), CallArg::Tensor(arg)) => {
                bind_sizes(lowering, &mut inner, *param, *arg);
                inner.bind_tensor(*param, lowering.tensor(*arg));
            }
            (ParamId::Scalar(param), CallArg::Scalar(arg)) => {
                let value = scalar::lower(lowering, arg, callee.scalars[param.0].element)?;
                inner.scalars.insert(*param, value);
            }
            _ => unreachable!("semantic analysis has matched arguments and parameters"),
        }
    }
    Ok(inner)
}

/// The callee's extents of a tensor are the caller's.
fn bind_sizes<'c>(lowering: &Lowering<'_, 'c>, inner: &mut Lowering<'_, 'c>, own: TensorId, outer: TensorId) {
    let own: Vec<SizeId> = inner.tensor_info(own).dims.clone();
    for (own, outer) in own.into_iter().zip(&lowering.tensor_info(outer).dims) {
        inner.ranges.insert(own, lowering.ranges[outer]);
    }
}
