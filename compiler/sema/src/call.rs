//! Calls of functions of the file, and their arguments.

use comet_diag::{Diagnostic, Span};
use comet_syntax::ast::{Element, Expr, ExprKind, Ident};

use crate::builtin::{self, Callee};
use crate::element::number_element;
use crate::function::Checker;
use crate::literal::literal;
use crate::names::{NameKind, counted, did_you_mean};
use crate::program::{CallArg, Number, ScalarExpr, ScalarExprKind, StmtKind, TensorId};
use crate::signature::{Parameter, ParameterShape};

/// What a function of another language is called here.
fn foreign(name: &str) -> Option<&'static str> {
    Some(match name {
        "minimum" | "fmin" => "did you mean `min`?",
        "maximum" | "fmax" => "did you mean `max`?",
        "where" | "ifelse" | "choose" => "did you mean `select(condition, x, y)`?",
        "ln" => "did you mean `log`?",
        "fabs" => "did you mean `abs`?",
        "rint" => "did you mean `round`?",
        "read" | "load" | "readFile" => "did you mean `comet_read`?",
        "write" | "save" | "store" => "did you mean `comet_write`?",
        "time" | "clock" | "now" => "did you mean `getTime`?",
        "rand" => "did you mean `random`?",
        _ => return None,
    })
}

impl Checker<'_> {
    pub(crate) fn unknown_function(&mut self, callee: &Ident) {
        let known = self.file.signatures.names().chain(builtin::names());
        let name = callee.name.as_str();
        let hint = match foreign(name) {
            Some(meant) => meant.to_owned(),
            None => did_you_mean(name, known, format!("define it: `def {name}(…) {{ … }}`")),
        };
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
            return self.refuse(Diagnostic::error(callee.span, message).hint(hint));
        }
        if args.len() != signature.params.len() {
            let (expected, found) = (signature.params.len(), args.len());
            let message = format!("`{}` takes {}, found {found}", callee.name, counted(expected, "argument"));
            let names: Vec<&str> = signature.params.iter().map(|param| param.name.name.as_str()).collect();
            return self.refuse(
                Diagnostic::error(callee.span, message)
                    .also(signature.name.span, "defined here")
                    .hint(format!("write `{}({})`", callee.name, names.join(", "))),
            );
        }
        let checked: Vec<Option<CallArg>> =
            args.iter().zip(&signature.params).map(|(arg, param)| self.argument(arg, param)).collect();
        checked.into_iter().collect()
    }

    fn argument(&mut self, arg: &Expr, param: &Parameter) -> Option<CallArg> {
        match param.shape {
            ParameterShape::Scalar => self.scalar_argument(arg, param),
            ParameterShape::Tensor { .. } => self.tensor_argument(arg, param).map(CallArg::Tensor),
        }
    }

    fn scalar_argument(&mut self, arg: &Expr, param: &Parameter) -> Option<CallArg> {
        if let Some(number) = literal(arg) {
            return self.number_argument(number, arg.span, param).map(CallArg::Scalar);
        }
        let value = self.scalar_expr(arg)?;
        if value.element.widest(param.element) == param.element.computed() {
            return Some(CallArg::Scalar(value));
        }
        let (expected, found) = (param.element.word(), value.element.word());
        let message = format!("parameter `{}` is `{expected}`, found a `{found}`", param.name.name);
        let error = Diagnostic::error(arg.span, message).also(param.span, "declared here");
        self.refuse(error.hint(narrowing_hint(param.element, value.element)))
    }

    /// A number of the text takes the type of its parameter.
    fn number_argument(&mut self, value: Number, span: Span, param: &Parameter) -> Option<ScalarExpr> {
        let value = self.passed_number(value, span, param.element, (&param.name, param.span))?;
        let element = match number_element(value) {
            Element::F64 if param.element.is_float() => param.element.computed(),
            element => element,
        };
        Some(ScalarExpr { kind: ScalarExprKind::Number(value), element, span })
    }

    fn tensor_argument(&mut self, arg: &Expr, param: &Parameter) -> Option<TensorId> {
        let name = match &arg.kind {
            ExprKind::Name(name) => Ident { name: name.clone(), span: arg.span },
            ExprKind::Call { callee, args } if self.tensor_function(callee).is_some() => {
                let index = self.tensor_function(callee)?;
                let tensor = self.call_into_temporary(index, callee, args, arg.span)?;
                return self.matches(tensor, param, "parameter", arg.span).then_some(tensor);
            }
            _ => {
                let message =
                    format!("parameter `{}` is a tensor, expected the name of one", param.name.name);
                let hint = match &arg.kind {
                    ExprKind::Access { tensor, .. } => format!("pass it without labels: `{}`", tensor.name),
                    _ => "compute it into a tensor first, and pass that".to_owned(),
                };
                let error = Diagnostic::error(arg.span, message).also(param.span, "declared here");
                return self.refuse(error.hint(hint));
            }
        };
        let tensor = self.scope.tensor(&name, &mut self.diagnostics)?;
        // A tensor is passed by reference, so the callee may write it.
        self.assigned.insert(tensor);
        self.matches(tensor, param, "parameter", arg.span).then_some(tensor)
    }

    /// The function of the file that the word names, where it returns a tensor.
    fn tensor_function(&self, callee: &Ident) -> Option<usize> {
        match builtin::resolve(callee, self.file.signatures) {
            Some(Callee::Function(index)) if self.returns_tensor(index) => Some(index),
            _ => None,
        }
    }

    pub(crate) fn returns_tensor(&self, index: usize) -> bool {
        let result = &self.file.signatures.functions[index].result;
        result.as_ref().is_some_and(|result| result.kind() == NameKind::Tensor)
    }
}

/// What to do where a parameter does not take a value of a wider type.
pub(crate) fn narrowing_hint(parameter: Element, found: Element) -> String {
    let declared = format!("declare the parameter `{}`", found.word());
    match found.is_complex() && !parameter.is_complex() {
        true => format!("{declared}, or take a part: `real(…)`, `imag(…)` or `abs(…)`"),
        false => format!("{declared}, or convert the argument: `{}(…)`", parameter.word()),
    }
}
