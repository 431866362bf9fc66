//! Calls of functions of the file: arguments, and what the callee says of their extents.

use std::collections::HashMap;

use comet_diag::{Diagnostic, Span};
use comet_syntax::ast::{Expr, ExprKind, Ident};

use crate::builtin;
use crate::function::Checker;
use crate::names::{Kind, did_you_mean};
use crate::program::{CallArg, Function, ParamId, SizeId, StmtKind, TensorId};
use crate::scalar_expr::{element_name, widest};
use crate::signature::{Parameter, Shape};
use crate::sizes::{Known, NodeId};

impl Checker<'_> {
    /// No function has that name.
    pub(crate) fn unknown_function(&mut self, callee: &Ident) {
        let known = self.file.signatures.names().chain(builtin::names());
        let hint = did_you_mean(&callee.name, known, format!("define it: `def {}(…) {{ … }}`", callee.name));
        let message = format!("undeclared function `{}`", callee.name);
        self.diagnostics.push(Diagnostic::error(callee.span, message).hint(hint));
    }

    /// A call as a statement, or whose tensor result goes into `result`.
    pub(crate) fn call_statement(
        &mut self,
        index: usize,
        callee: &Ident,
        args: &[Expr],
        result: Option<TensorId>,
    ) -> Option<StmtKind> {
        let checked = self.arguments(index, callee, args);
        let fits = result.is_none_or(|tensor| self.result_fits(index, callee, tensor));
        let args = checked.filter(|_| fits)?;
        self.unify_call(index, callee.span, &args, result)?;
        Some(StmtKind::Call { callee: callee.name.clone(), args, result })
    }

    /// The arguments of a call whose scalar result is used, or none.
    pub(crate) fn scalar_call(
        &mut self,
        index: usize,
        callee: &Ident,
        args: &[Expr],
    ) -> Option<Vec<CallArg>> {
        let args = self.arguments(index, callee, args)?;
        self.unify_call(index, callee.span, &args, None)?;
        Some(args)
    }

    fn arguments(&mut self, index: usize, callee: &Ident, args: &[Expr]) -> Option<Vec<CallArg>> {
        let signature = &self.file.signatures.functions[index];
        if callee.name == "main" {
            let message = "`main` is the program and cannot be called";
            let hint = "move what is shared into another function";
            self.diagnostics.push(Diagnostic::error(callee.span, message).hint(hint));
            return None;
        }
        if args.len() != signature.params.len() {
            let (expected, found) = (signature.params.len(), args.len());
            let message = format!("`{}` takes {expected} arguments, found {found}", callee.name);
            let names: Vec<&str> = signature.params.iter().map(|param| param.name.name.as_str()).collect();
            self.diagnostics.push(
                Diagnostic::error(callee.span, message)
                    .also(signature.name.span, "defined here")
                    .hint(format!("write `{}({})`", callee.name, names.join(", "))),
            );
            return None;
        }
        let checked: Vec<Option<CallArg>> =
            args.iter().zip(&signature.params).map(|(arg, param)| self.argument(arg, param)).collect();
        checked.into_iter().collect()
    }

    fn argument(&mut self, arg: &Expr, param: &Parameter) -> Option<CallArg> {
        match param.shape {
            Shape::Scalar => self.scalar_argument(arg, param),
            Shape::Tensor { .. } => self.tensor_argument(arg, param).map(CallArg::Tensor),
        }
    }

    fn scalar_argument(&mut self, arg: &Expr, param: &Parameter) -> Option<CallArg> {
        let value = self.scalar_expr(arg)?;
        if widest(value.element, param.element) == param.element {
            return Some(CallArg::Scalar(value));
        }
        let (expected, found) = (element_name(param.element), element_name(value.element));
        let message = format!("parameter `{}` is `{expected}`, found a `{found}`", param.name.name);
        self.diagnostics.push(
            Diagnostic::error(arg.span, message)
                .also(param.span, "declared here")
                .hint(format!("declare the parameter `{found}`, or pass a value that fits")),
        );
        None
    }

    fn tensor_argument(&mut self, arg: &Expr, param: &Parameter) -> Option<TensorId> {
        let name = match &arg.kind {
            ExprKind::Name(name) => Ident { name: name.clone(), span: arg.span },
            ExprKind::Call { callee, .. } => {
                let what = format!("a call as the argument `{}` of another", param.name.name);
                let hint = format!("give the result of `{}` to a tensor first, and pass that", callee.name);
                self.diagnostics.push(Diagnostic::not_supported(arg.span, what).hint(hint));
                return None;
            }
            _ => {
                let message =
                    format!("parameter `{}` is a tensor, expected the name of one", param.name.name);
                let hint = match &arg.kind {
                    ExprKind::Access { tensor, .. } => format!("pass it without labels: `{}`", tensor.name),
                    _ => "compute it into a tensor first, and pass that".to_owned(),
                };
                let error = Diagnostic::error(arg.span, message).also(param.span, "declared here");
                self.diagnostics.push(error.hint(hint));
                return None;
            }
        };
        let tensor = self.scope.tensor(&name, &mut self.diagnostics)?;
        // A tensor is passed by reference, so the callee may write it.
        self.assigned.insert(tensor);
        self.matches(tensor, param, arg.span).then_some(tensor)
    }

    fn result_fits(&mut self, index: usize, callee: &Ident, tensor: TensorId) -> bool {
        let signature = &self.file.signatures.functions[index];
        signature.result.as_ref().is_some_and(|result| self.matches(tensor, result, callee.span))
    }

    /// Whether a tensor can be passed as a parameter, or take a result: the kernel is compiled for one format.
    fn matches(&mut self, tensor: TensorId, param: &Parameter, place: Span) -> bool {
        let Shape::Tensor { rank, storage } = &param.shape else { return false };
        let info = &self.scope.tensors[tensor.0];
        let (name, wanted) = (&info.name.name, &param.name.name);
        let mismatch = if info.rank() != *rank {
            Some(format!("`{name}` has rank {}, but `{wanted}` has rank {rank}", info.rank()))
        } else if info.element != param.element {
            let (found, expected) = (element_name(info.element), element_name(param.element));
            Some(format!("`{name}` holds `{found}`, but `{wanted}` holds `{expected}`"))
        } else {
            let formats = info.storage.as_ref().zip(storage.as_ref());
            let differ = formats.is_some_and(|(found, expected)| found.format != expected.format);
            differ.then(|| format!("`{name}` and `{wanted}` have different formats"))
        };
        let Some(message) = mismatch else { return true };
        self.diagnostics.push(
            Diagnostic::error(place, message)
                .also(info.span, format!("`{name}` is declared here"))
                .also(param.span, format!("`{wanted}` is declared here"))
                .hint(format!("copy `{name}` into a tensor declared like `{wanted}`, and use that")),
        );
        false
    }

    /// Extents that are equal in the callee are equal in its arguments, and numbers hold for both.
    fn unify_call(
        &mut self,
        index: usize,
        place: Span,
        args: &[CallArg],
        result: Option<TensorId>,
    ) -> Option<()> {
        // A callee with errors of its own says nothing of its extents.
        let callee = self.file.checked[index].as_ref()?;
        let given = args.iter().map(|arg| match arg {
            CallArg::Tensor(tensor) => Some(*tensor),
            CallArg::Scalar(_) => None,
        });
        let declared = callee.params.iter().copied().chain(callee.result);
        let mut classes: HashMap<SizeId, NodeId> = HashMap::new();
        for (param, tensor) in declared.zip(given.chain([result])) {
            let (ParamId::Tensor(param), Some(tensor)) = (param, tensor) else { continue };
            let modes = self.scope.tensors[tensor.0].modes.clone();
            for (&size, node) in callee.tensors[param.0].dims.iter().zip(modes) {
                self.unify_with_class(callee, size, node, &mut classes, place);
            }
        }
        Some(())
    }

    fn unify_with_class(
        &mut self,
        callee: &Function,
        size: SizeId,
        node: NodeId,
        classes: &mut HashMap<SizeId, NodeId>,
        place: Span,
    ) {
        if let Some(&first) = classes.get(&size) {
            self.sizes.unify(first, node, place, &mut self.diagnostics);
            return;
        }
        classes.insert(size, node);
        let Some(value) = callee.sizes[size.0].known else { return };
        let known = Known { value, span: callee.sizes[size.0].span };
        self.sizes.fix(node, known, place, &mut self.diagnostics);
    }

    /// Whether a function of the file returns a tensor.
    pub(crate) fn returns_tensor(&self, index: usize) -> bool {
        let result = &self.file.signatures.functions[index].result;
        result.as_ref().is_some_and(|result| result.kind() == Kind::Tensor)
    }
}
