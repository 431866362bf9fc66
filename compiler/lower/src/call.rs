//! Calls of functions of the file: the callee's body in the place of the call.
//!
//! Tensor parameters are the caller's variables; a declared result is a variable of its own, whose storage moves to the
//! caller's when the body is done.

use crate::function::{Lowered, Lowering};
use crate::scalar;
use comet_diag::Span;
use comet_ir::{Val, pass};
use comet_sema::program::{CallArg, Function, ParamId, SizeId, TensorId};

/// A call as the program has it.
pub(crate) struct Call<'p> {
    pub(crate) callee: &'p str,
    pub(crate) args: &'p [CallArg],
    pub(crate) span: Span,
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
    lowering.emit(call.span, "ta.move", &[fresh, lowering.tensor(target)], &[])?;
    lowering.emit(call.span, "ta.release", &[fresh], &[])
}

/// A call that gives a scalar.
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
