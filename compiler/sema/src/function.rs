//! Checks one function: its signature's names, its statements, then its extents.

use std::collections::{HashMap, HashSet};

use comet_diag::{Diagnostic, Source, refuse};
use comet_syntax::ast::{self, Element, Param};

use crate::call_order::CallOrder;
use crate::mentions::{self, Mentions};
use crate::names::NameKind;
use crate::part::Slices;
use crate::program::{Function, Label, LabelId, ParamId, Scalar, SizeSource, Stmt, Tensor, TensorId};
use crate::scope::{FunctionScope, Origin, ScalarInfo, TensorInfo};
use crate::signature::{Parameter, ParameterShape, Signature, Signatures};
use crate::sizes::{NodeId, SizeClasses, Solved};

/// Checks every function, in an order that has callees first. The result is in the order of the file, and
/// complete where no error was reported.
pub(crate) fn check_all(
    module: &ast::Module,
    source: &Source,
    signatures: &Signatures,
    order: &CallOrder,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Function> {
    let mut checked: Vec<Option<Function>> = vec![None; module.functions.len()];
    for &index in &order.order {
        let file = FileScope { source, signatures, functions: &module.functions, checked: &checked };
        let function = check(file, &module.functions[index], &signatures.functions[index], diagnostics);
        // Nothing is to follow calls that have no end.
        checked[index] = function.filter(|_| !order.recursive.contains(&index));
    }
    checked.into_iter().flatten().collect()
}

/// What a function sees of the rest of the file.
#[derive(Clone, Copy)]
pub(crate) struct FileScope<'a> {
    pub(crate) source: &'a Source,
    pub(crate) signatures: &'a Signatures,
    /// The functions as they are written, in the order of the signatures.
    pub(crate) functions: &'a [ast::Function],
    /// The functions checked before this one; none where one has an error.
    pub(crate) checked: &'a [Option<Function>],
}

/// A scalar has the widest type of the values it is given, so that `var x = 0` can count halves. A value's
/// type depends on those of the scalars in it: the function is checked again until no scalar grows.
fn check(
    file: FileScope<'_>,
    function: &ast::Function,
    signature: &Signature,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Function> {
    let mut widened = Vec::new();
    loop {
        let mut checker = Checker::new(file, function, signature, widened);
        let checked = checker.function();
        let grew = checker.grew;
        widened = checker.scope.scalars.iter().map(|scalar| scalar.element).collect();
        if grew && checker.diagnostics.is_empty() {
            continue;
        }
        let is_good = checker.diagnostics.is_empty();
        diagnostics.extend(checker.diagnostics);
        return checked.filter(|_| is_good);
    }
}

pub(crate) struct Checker<'a> {
    pub(crate) file: FileScope<'a>,
    pub(crate) ast: &'a ast::Function,
    pub(crate) signature: &'a Signature,
    pub(crate) scope: FunctionScope,
    pub(crate) sizes: SizeClasses,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) result: Option<ParamId>,
    /// Tensors that a statement writes or a call may write.
    pub(crate) assigned: HashSet<TensorId>,
    /// Files that earlier statements write, by path.
    pub(crate) written: HashMap<String, TensorId>,
    /// Statements that must run before the one under check.
    pub(crate) hoisted: Vec<Stmt>,
    /// Statements that must run after it.
    pub(crate) deferred: Vec<Stmt>,
    /// The labels of slices that have none.
    pub(crate) slices: Slices,
    /// The labels of each part of a tensor that is read.
    pub(crate) labels_of_parts: HashMap<TensorId, Vec<LabelId>>,
    /// The labels on the left of the statement under check, where it has a tensor there.
    pub(crate) target_labels: Option<Vec<LabelId>>,
    /// Whether the expression under check is an argument of `stored`.
    pub(crate) is_stored: bool,
    /// The types that the scalars turned out to need, from the last time.
    pub(crate) widened: Vec<Element>,
    /// Whether a scalar was given a wider value than it had a type for.
    pub(crate) grew: bool,
    /// Whether some `return` has a value.
    pub(crate) returns_value: bool,
    /// How many loops are around the statement under check.
    pub(crate) loops: usize,
}

impl<'a> Checker<'a> {
    fn new(
        file: FileScope<'a>,
        ast: &'a ast::Function,
        signature: &'a Signature,
        widened: Vec<Element>,
    ) -> Self {
        Self {
            file,
            ast,
            signature,
            scope: FunctionScope::new(Mentions::of(&ast.body)),
            sizes: SizeClasses::default(),
            diagnostics: Vec::new(),
            result: None,
            assigned: HashSet::new(),
            written: HashMap::new(),
            hoisted: Vec::new(),
            deferred: Vec::new(),
            slices: Slices::default(),
            labels_of_parts: HashMap::new(),
            target_labels: None,
            is_stored: false,
            widened,
            grew: false,
            returns_value: false,
            loops: 0,
        }
    }

    /// Reports an error, and returns nothing in the place of what it is about.
    pub(crate) fn refuse<T>(&mut self, error: Diagnostic) -> Option<T> {
        refuse(&mut self.diagnostics, error)
    }

    fn function(&mut self) -> Option<Function> {
        let (ast, signature) = (self.ast, self.signature);
        let params: Vec<ParamId> =
            ast.params.iter().zip(&signature.params).map(|(param, known)| self.input(param, known)).collect();
        let result = ast.result.as_ref().zip(signature.result.as_ref());
        self.result = result.map(|(result, known)| self.parameter(result, known));
        let mut body = Vec::new();
        self.block(&ast.body, &mut body);
        self.check_result();
        self.check_properties();
        let solved = self.solve();
        // The tables of a function with errors may have holes.
        self.diagnostics.is_empty().then(|| self.finish(params, &solved, body))?
    }

    fn input(&mut self, param: &Param, known: &Parameter) -> ParamId {
        let id = self.parameter(param, known);
        match id {
            ParamId::Scalar(scalar) => self.scope.scalars[scalar.0].assigned = true,
            ParamId::Tensor(tensor) => {
                let modes = self.scope.tensors[tensor.0].modes.clone();
                for (mode, node) in modes.into_iter().enumerate() {
                    self.sizes.add_source(node, SizeSource::Param { tensor, mode });
                }
            }
        }
        id
    }

    fn parameter(&mut self, param: &Param, known: &Parameter) -> ParamId {
        match (param, &known.shape) {
            (Param::Tensor(decl), ParameterShape::Tensor { storage, .. }) => {
                self.declare_missing_labels(decl);
                ParamId::Tensor(self.add_tensor(decl, storage.clone()))
            }
            _ => {
                let info = ScalarInfo {
                    name: known.name.name.clone(),
                    element: known.element,
                    origin: Origin::Declared,
                    prints_bare: false,
                    assigned: false,
                    span: known.span,
                };
                ParamId::Scalar(self.scope.declare_scalar(&known.name, info, &mut self.diagnostics))
            }
        }
    }

    fn check_result(&mut self) {
        let (Some(id), Some(result)) = (self.result, &self.signature.result) else { return };
        let is_assigned = match id {
            ParamId::Tensor(tensor) => self.assigned.contains(&tensor),
            ParamId::Scalar(scalar) => self.scope.scalars[scalar.0].assigned || self.returns_value,
        };
        if is_assigned {
            return;
        }
        let name = &result.name.name;
        let error = if name.is_empty() {
            let message =
                format!("`{}` returns no value, expected a `{}`", self.ast.name.name, result.element.word());
            Diagnostic::error(result.span, message).hint("write `return …`, or leave the result out")
        } else {
            let hint = match result.kind() {
                NameKind::Tensor => format!("assign it by name: `{name}[…] = …`"),
                _ => format!("assign it by name, `{name} = …`, or write `return …`"),
            };
            Diagnostic::error(result.span, format!("the result `{name}` is never assigned")).hint(hint)
        };
        self.diagnostics.push(error);
    }

    fn solve(&mut self) -> Solved {
        self.sizes.settle(&mut self.diagnostics);
        let modes = self.scope.tensors.iter().flat_map(|tensor| tensor.modes.iter().copied());
        let labels = self.scope.labels.iter().map(|label| label.size);
        let wanted: Vec<NodeId> = modes.chain(labels).collect();
        self.sizes.solve(&wanted, &mut self.diagnostics)
    }

    fn finish(&self, params: Vec<ParamId>, solved: &Solved, body: Vec<Stmt>) -> Option<Function> {
        let tensors: Option<Vec<Tensor>> =
            self.scope.tensors.iter().map(|tensor| finished_tensor(tensor, solved)).collect();
        let labels = self.scope.labels.iter();
        let labels = labels.map(|label| Label {
            name: label.name.clone(),
            size: solved.id(label.size),
            span: label.span,
        });
        Some(Function {
            name: self.ast.name.name.clone(),
            params,
            result: self.result,
            tensors: tensors?,
            scalars: self.scope.scalars.iter().map(finished_scalar).collect(),
            sizes: solved.sizes.clone(),
            labels: labels.collect(),
            body,
            span: self.ast.span,
        })
    }

    /// Nothing more is said of the extents of anything that `stmt` uses, for it has an error; nor of the
    /// tensors from `first` on, which it has made.
    pub(crate) fn poison(&mut self, stmt: &ast::Stmt, first: usize) {
        for node in self.scope.tensors[first..].iter().flat_map(|tensor| &tensor.modes) {
            self.sizes.poison(*node);
        }
        for word in mentions::used_by(stmt) {
            for node in self.scope.sizes_of(word) {
                self.sizes.poison(node);
            }
        }
    }
}

fn finished_tensor(tensor: &TensorInfo, solved: &Solved) -> Option<Tensor> {
    let storage = tensor.storage.clone()?;
    Some(Tensor {
        name: tensor.name.name.clone(),
        element: tensor.element,
        format: storage.format,
        memory: storage.memory,
        on: storage.on,
        dims: tensor.modes.iter().map(|&mode| solved.id(mode)).collect(),
        span: tensor.span,
    })
}

fn finished_scalar(scalar: &ScalarInfo) -> Scalar {
    Scalar {
        name: scalar.name.clone(),
        element: scalar.element,
        prints_bare: scalar.prints_bare,
        span: scalar.span,
    }
}
