//! Signatures: what a call of a function needs to know, before any body is looked at.

use std::collections::HashMap;

use comet_diag::{Diagnostic, Span};
use comet_syntax::ast::{self, Element, Ident, Param};

use crate::names::NameKind;
use crate::storage::{self, TensorStorage};

#[derive(Debug, Default)]
pub(crate) struct Signatures {
    /// One for each function, those with a name that is taken included.
    pub(crate) functions: Vec<Signature>,
    by_name: HashMap<String, usize>,
}

#[derive(Debug)]
pub(crate) struct Signature {
    pub(crate) name: Ident,
    pub(crate) params: Vec<Parameter>,
    pub(crate) result: Option<Parameter>,
}

#[derive(Debug)]
pub(crate) struct Parameter {
    pub(crate) name: Ident,
    /// `double`, `float`, `int`.
    pub(crate) element: Element,
    pub(crate) shape: ParameterShape,
    pub(crate) span: Span,
}

#[derive(Debug)]
pub(crate) enum ParameterShape {
    Scalar,
    /// A tensor of this rank; no storage where its format has an error.
    Tensor {
        rank: usize,
        storage: Option<TensorStorage>,
    },
}

impl Parameter {
    pub(crate) fn kind(&self) -> NameKind {
        match self.shape {
            ParameterShape::Scalar => NameKind::Scalar,
            ParameterShape::Tensor { .. } => NameKind::Tensor,
        }
    }
}

impl Signatures {
    /// The place of the function in the file.
    pub(crate) fn index(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.functions.iter().map(|function| function.name.name.as_str())
    }
}

/// Collects the signatures; a name that is taken keeps its first function.
pub(crate) fn collect(module: &ast::Module, diagnostics: &mut Vec<Diagnostic>) -> Signatures {
    let mut signatures = Signatures::default();
    for (index, function) in module.functions.iter().enumerate() {
        match signatures.index(&function.name.name) {
            Some(first) => {
                let first = signatures.functions[first].name.span;
                diagnostics.push(defined_twice(&function.name, first));
            }
            None => {
                signatures.by_name.insert(function.name.name.clone(), index);
            }
        }
        check_main(function, diagnostics);
        signatures.functions.push(signature(function, diagnostics));
    }
    signatures
}

fn defined_twice(name: &Ident, first: Span) -> Diagnostic {
    Diagnostic::error(name.span, format!("function `{}` is defined twice", name.name))
        .also(first, "defined here first")
        .hint("rename one of the two")
}

fn check_main(function: &ast::Function, diagnostics: &mut Vec<Diagnostic>) {
    if function.name.name != "main" {
        return;
    }
    if let (Some(first), Some(last)) = (function.params.first(), function.params.last()) {
        let span = parameter_span(first).to(parameter_span(last));
        let found = function.params.len();
        let message = format!("`main` takes no parameters, found {found}");
        diagnostics.push(
            Diagnostic::error(span, message).hint(
                "write `def main()` and read inputs with `comet_read`, or give the kernel another name",
            ),
        );
    }
    if let Some(result) = &function.result {
        diagnostics.push(
            Diagnostic::error(parameter_span(result), "`main` has no result, found one")
                .hint("print it, write it with `comet_write`, or give the kernel another name"),
        );
    }
}

fn signature(function: &ast::Function, diagnostics: &mut Vec<Diagnostic>) -> Signature {
    let params = function.params.iter().map(|param| parameter(param, diagnostics)).collect();
    let result = function.result.as_ref().map(|result| parameter(result, diagnostics));
    Signature { name: function.name.clone(), params, result }
}

fn parameter(param: &Param, diagnostics: &mut Vec<Diagnostic>) -> Parameter {
    let span = parameter_span(param);
    match param {
        Param::Scalar { element, name, .. } => {
            Parameter { name: name.clone(), element: *element, shape: ParameterShape::Scalar, span }
        }
        Param::Tensor(decl) => {
            let storage = storage::resolve_declaration(decl, diagnostics);
            let shape = ParameterShape::Tensor { rank: decl.dims.len(), storage };
            Parameter { name: decl.name.clone(), element: decl.element, shape, span }
        }
    }
}

fn parameter_span(param: &Param) -> Span {
    match param {
        Param::Tensor(decl) => decl.span,
        Param::Scalar { span, .. } => *span,
    }
}
