//! Functions as kernels that other programs call: what a caller has to pass.

use crate::program::{
    CallArg, Function, ParamId, Program, Scalar, ScalarExpr, ScalarExprKind, SizeId, SizeSource, StmtKind,
    Tensor, TensorId, statements,
};
use comet_abi::kernel::MOST_MODES;
pub use comet_abi::kernel::{Extent, Parameter, ParameterKind, Role, Signature, Size};
use comet_diag::Diagnostic;
use comet_format::TypedFormat;

/// The functions that become kernels of a library: all but `main`.
pub fn functions(program: &Program) -> impl Iterator<Item = &Function> {
    program.functions.iter().filter(|function| function.name != "main")
}

/// What the caller of a function passes.
///
/// # Errors
/// A function that cannot be called from outside yet.
pub fn signature(program: &Program, function: &Function) -> Result<Signature, Diagnostic> {
    let sizes = function.sizes.iter().map(|size| {
        let is_parameter = |source: &SizeSource| matches!(source, SizeSource::Param { .. });
        let extent = match size.known {
            Some(extent) => Extent::Known(extent),
            None if size.sources.iter().any(is_parameter) => Extent::Parameters,
            None => Extent::Files,
        };
        Size { name: size.name.clone(), extent }
    });
    let written = written(program, function);
    let role = |id: &ParamId| match id {
        ParamId::Tensor(tensor) if written.contains(tensor) => Role::InOut,
        _ => Role::In,
    };
    let params = function.params.iter().map(|id| parameter(function, *id, role(id)));
    let result = function.result.iter().map(|id| parameter(function, *id, Role::Out));
    Ok(Signature {
        name: function.name.clone(),
        sizes: sizes.collect(),
        parameters: params.chain(result).collect::<Result<_, _>>()?,
    })
}

/// The size is an argument of the generated function.
pub fn is_argument(function: &Function, id: SizeId) -> bool {
    let size = &function.sizes[id.0];
    size.known.is_none() && size.sources.iter().any(|source| matches!(source, SizeSource::Param { .. }))
}

fn parameter(function: &Function, id: ParamId, role: Role) -> Result<Parameter, Diagnostic> {
    match id {
        ParamId::Tensor(id) => tensor(&function.tensors[id.0], role),
        ParamId::Scalar(id) => scalar(&function.scalars[id.0], role),
    }
}

fn tensor(tensor: &Tensor, role: Role) -> Result<Parameter, Diagnostic> {
    let refused = |what: String, hint: &str| Err(Diagnostic::not_supported(tensor.span, what).hint(hint));
    let levels = tensor.format.levels.len();
    if levels.max(tensor.dims.len()) > MOST_MODES {
        let what =
            format!("a parameter of a kernel in a library with more than {MOST_MODES} modes or levels");
        return refused(what, "use fewer modes, or call it from a `main`");
    }
    let format = TypedFormat { value: tensor.element, format: tensor.format.clone() };
    let sizes = tensor.dims.iter().map(|size| size.0).collect();
    Ok(Parameter { name: tensor.name.clone(), role, kind: ParameterKind::Tensor { format, sizes } })
}

fn scalar(scalar: &Scalar, role: Role) -> Result<Parameter, Diagnostic> {
    let element = scalar.element;
    if element.is_float() && !element.is_computed() {
        let what = format!("a number of type `{}` as a parameter of a kernel in a library", element.word());
        return Err(Diagnostic::not_supported(scalar.span, what).hint("declare it `float`"));
    }
    let kind = ParameterKind::Scalar(element);
    Ok(Parameter { name: scalar.name.clone(), role, kind })
}

/// The tensors that a function's statements, or those of functions it calls, write to.
fn written(program: &Program, function: &Function) -> Vec<TensorId> {
    let mut found = Vec::new();
    for stmt in statements(&function.body) {
        found.extend(stmt.written());
        match &stmt.kind {
            StmtKind::Call { callee, args, .. } => found.extend(written_arguments(program, callee, args)),
            _ => stmt.scalars().into_iter().for_each(|value| collect_calls(program, value, &mut found)),
        }
    }
    found
}

/// What the calls in an expression write to.
fn collect_calls(program: &Program, value: &ScalarExpr, found: &mut Vec<TensorId>) {
    match &value.kind {
        ScalarExprKind::Call { callee, args } => found.extend(written_arguments(program, callee, args)),
        ScalarExprKind::Neg(inner) | ScalarExprKind::Convert { value: inner, .. } => {
            collect_calls(program, inner, found);
        }
        ScalarExprKind::Binary { left, right, .. } => {
            collect_calls(program, left, found);
            collect_calls(program, right, found);
        }
        ScalarExprKind::Number(_)
        | ScalarExprKind::Scalar(_)
        | ScalarExprKind::Reduction(_)
        | ScalarExprKind::Point(_)
        | ScalarExprKind::Element(_)
        | ScalarExprKind::Time => {}
    }
}

/// The arguments of a call that its function writes to.
fn written_arguments(program: &Program, callee: &str, args: &[CallArg]) -> Vec<TensorId> {
    let Some(callee) = program.functions.iter().find(|function| function.name == callee) else {
        return Vec::new();
    };
    let written = written(program, callee);
    // Also those of the scalars that it is given, in calls of their own.
    let inner =
        args.iter().filter_map(|arg| if let CallArg::Scalar(value) = arg { Some(value) } else { None });
    let mut found = Vec::new();
    inner.for_each(|value| collect_calls(program, value, &mut found));
    let both = callee.params.iter().zip(args);
    found.extend(both.filter_map(|(param, arg)| match (param, arg) {
        (ParamId::Tensor(param), CallArg::Tensor(arg)) if written.contains(param) => Some(*arg),
        _ => None,
    }));
    found
}
