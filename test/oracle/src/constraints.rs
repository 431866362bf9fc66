//! Collects what a function says about extents, before anything runs: LANGUAGE.md, "Labels and sizes".
//!
//! A called function is looked through: its labels get a scope of their own for every call.

use std::collections::BTreeMap;

use comet_syntax::ast::{
    Assign, DimKind, Expr, ExprKind, Function, Ident, Index, Module, Param, Range, Stmt, StmtKind,
    TensorDecl, Window,
};

use crate::Inputs;
use crate::action::{self, Action};
use crate::declarations::{coordinates, declarations, passed_tensor, range_size};
use crate::error::{OracleError, Result};
use crate::files::{self, Request};
use crate::number::TypedNumber;
use crate::sizes::{ExtentClasses, SizedThing};

/// The sizes of a function, whose own scope is 0, when its parameters have these extents.
pub(crate) fn solve(
    module: &Module,
    inputs: &Inputs,
    function: &Function,
    params: &BTreeMap<String, Vec<usize>>,
) -> Result<ExtentClasses> {
    let mut sizes = ExtentClasses::default();
    for (name, dims) in params {
        for (mode, &extent) in dims.iter().enumerate() {
            sizes.fix(SizedThing::Mode(0, name.clone(), mode), extent)?;
        }
    }
    let mut collector = Collector {
        target: None,
        module,
        inputs,
        sizes,
        scopes: 1,
        calling: Vec::new(),
        statement: 0,
        suggested: Vec::new(),
    };
    collector.function(function, 0)?;
    collector.follow_suggestions()?;
    Ok(collector.sizes)
}

struct Collector<'a> {
    /// The tensor on the left of the statement: a call's tensor inside of it has its extents.
    target: Option<&'a Ident>,
    module: &'a Module,
    inputs: &'a Inputs,
    sizes: ExtentClasses,
    scopes: usize,
    calling: Vec<&'a str>,
    /// The number of a statement, in which slices without labels are numbered.
    statement: usize,
    suggested: Vec<(SizedThing, SizedThing)>,
}

/// A function with the number of its scope.
#[derive(Clone, Copy)]
struct ConstraintScope<'a> {
    function: &'a Function,
    number: usize,
}

impl<'a> ConstraintScope<'a> {
    fn label(self, label: &str) -> SizedThing {
        SizedThing::Label(self.number, label.to_string())
    }

    fn mode(self, tensor: &str, mode: usize) -> SizedThing {
        SizedThing::Mode(self.number, tensor.to_string(), mode)
    }

    fn declaration(self, tensor: &Ident) -> Result<&'a TensorDecl> {
        let found = declarations(self.function).into_iter().find(|decl| decl.name.name == tensor.name);
        found.ok_or_else(|| OracleError::at(tensor.span, format!("`{}` is no tensor", tensor.name)))
    }
}

impl<'a> Collector<'a> {
    fn function(&mut self, function: &'a Function, number: usize) -> Result<()> {
        let scope = ConstraintScope { function, number };
        self.calling.push(&function.name.name);
        for decl in declarations(function) {
            self.tensor(scope, decl)?;
        }
        self.body(scope, &function.body)?;
        self.calling.pop();
        Ok(())
    }

    fn tensor(&mut self, scope: ConstraintScope<'a>, decl: &TensorDecl) -> Result<()> {
        for (mode, dim) in decl.dims.iter().enumerate() {
            let extent = scope.mode(&decl.name.name, mode);
            let learned = match &dim.kind {
                DimKind::Label(label) => self.sizes.unify(extent, scope.label(label)),
                DimKind::Size(size) => self.sizes.fix(extent, size.value as usize),
                DimKind::Open => Ok(()),
            };
            learned.map_err(|error| error.placed(dim.span))?;
        }
        Ok(())
    }

    fn body(&mut self, scope: ConstraintScope<'a>, body: &'a [Stmt]) -> Result<()> {
        body.iter().try_for_each(|stmt| self.stmt(scope, stmt).map_err(|error| error.placed(stmt.span)))
    }

    fn stmt(&mut self, scope: ConstraintScope<'a>, stmt: &'a Stmt) -> Result<()> {
        match &stmt.kind {
            StmtKind::Label { names, range } => self.labels(scope, names, range.as_ref())?,
            StmtKind::Var { value, .. } | StmtKind::SetScalar { value, .. } => self.expr(scope, value)?,
            StmtKind::Assign(assign) => self.assign(scope, assign)?,
            StmtKind::For { bounds, .. } => bounds.iter().try_for_each(|bound| self.expr(scope, bound))?,
            StmtKind::While { condition, .. } => self.expr(scope, condition)?,
            StmtKind::If { branches, .. } => {
                branches.iter().try_for_each(|branch| self.expr(scope, &branch.condition))?
            }
            StmtKind::Return(Some(value)) | StmtKind::Expr(value) => self.effect(scope, value)?,
            StmtKind::Tensor(_) | StmtKind::Return(None) | StmtKind::Break | StmtKind::Continue => {}
        }
        stmt.blocks().into_iter().try_for_each(|body| self.body(scope, body))
    }

    fn labels(&mut self, scope: ConstraintScope<'a>, names: &[Ident], range: Option<&Range>) -> Result<()> {
        let Some(size) = range.and_then(|range| range_size(&range.kind)) else { return Ok(()) };
        names.iter().try_for_each(|name| self.sizes.fix(scope.label(&name.name), size))
    }

    fn assign(&mut self, scope: ConstraintScope<'a>, assign: &'a Assign) -> Result<()> {
        let target = &assign.tensor;
        if !is_whole(scope, assign) {
            return self.part(scope, assign);
        }
        match action::of(self.module, assign) {
            Action::Fill(_) | Action::Random(_) => Ok(()),
            Action::Read(args) => self.read(scope, target, &args),
            Action::Literal(value) => self.literal(scope, assign, value),
            Action::Call(..) if action::joins(assign) => self.compute(scope, assign),
            Action::Call(function, args) => self.call(scope, function, args, Some(target)).map(drop),
            Action::Compute => self.compute(scope, assign),
        }
    }

    /// What is assigned to a part says nothing of the extents of the whole tensor.
    fn part(&mut self, scope: ConstraintScope<'a>, assign: &'a Assign) -> Result<()> {
        match action::of(self.module, assign) {
            Action::Call(function, args) if !action::joins(assign) => {
                self.call(scope, function, args, None).map(drop)
            }
            Action::Call(..) | Action::Compute => self.compute(scope, assign),
            _ => {
                self.statement += 1;
                self.access(scope, &assign.tensor, &assign.indices)
            }
        }
    }

    fn read(&mut self, scope: ConstraintScope<'a>, target: &Ident, args: &[&Expr]) -> Result<()> {
        let path = action::file(self.inputs, target, args)?;
        let decl = scope.declaration(target)?;
        let request = Request { rank: decl.dims.len(), element: decl.element, form: self.inputs.tns };
        let data = files::read(&path, request)?;
        for (mode, &size) in data.dims.iter().enumerate() {
            let extent = scope.mode(&target.name, mode);
            if data.exact { self.sizes.fix(extent, size)? } else { self.sizes.bound(extent, size)? }
        }
        Ok(())
    }

    /// A literal that is nested as deeply as the tensor has modes states its extents.
    fn literal(&mut self, scope: ConstraintScope<'a>, assign: &Assign, value: &Expr) -> Result<()> {
        let dims = action::literal_dims(value);
        if dims.len() != assign.indices.len() {
            return Ok(());
        }
        let mut modes = dims.into_iter().enumerate();
        modes.try_for_each(|(mode, size)| self.sizes.fix(scope.mode(&assign.tensor.name, mode), size))
    }

    fn compute(&mut self, scope: ConstraintScope<'a>, assign: &'a Assign) -> Result<()> {
        self.statement += 1;
        self.access(scope, &assign.tensor, &assign.indices)?;
        if let Some(mask) = &assign.mask {
            for mode in 0..assign.indices.len() {
                self.sizes
                    .unify(scope.mode(&mask.tensor.name, mode), scope.mode(&assign.tensor.name, mode))?;
            }
        }
        self.target = is_whole(scope, assign).then_some(&assign.tensor);
        self.expr(scope, &assign.value)?;
        self.target = None;
        Ok(())
    }

    fn access(&mut self, scope: ConstraintScope<'a>, tensor: &Ident, indices: &[Index]) -> Result<()> {
        scope.declaration(tensor)?;
        let coordinates = coordinates(scope.function);
        let mut slices = 0;
        for (mode, index) in indices.iter().enumerate() {
            let mode = scope.mode(&tensor.name, mode);
            match index {
                Index::Name(name) if coordinates.contains(&name.name) => {}
                Index::Name(label) => self.sizes.unify(mode, scope.label(&label.name))?,
                Index::At(_) => {
                    let label = index.shifted().map(|(label, _)| label.name);
                    let label = label.filter(|label| !coordinates.contains(label));
                    self.suggested.extend(label.map(|label| (scope.label(&label), mode)));
                }
                Index::Window(window) => {
                    let slice = format!("#{}.{slices}", self.statement);
                    slices += usize::from(window.label.is_none());
                    let name = window.label.as_ref().map_or(&slice, |label| &label.name);
                    match window_size(window) {
                        Some(size) => self.sizes.fix(scope.label(name), size)?,
                        None => self.sizes.unify(mode, scope.label(name))?,
                    }
                }
            }
        }
        Ok(())
    }

    /// A label that is shifted has the extent of the mode where nothing else is known of it.
    fn follow_suggestions(&mut self) -> Result<()> {
        for (label, mode) in std::mem::take(&mut self.suggested) {
            if self.sizes.get(&label)?.is_none() {
                self.sizes.unify(mode, label)?;
            }
        }
        Ok(())
    }

    /// A call for its effect; the labels in `print(A[i,j])` and `comet_write(A[i,j], …)` mean nothing.
    fn effect(&mut self, scope: ConstraintScope<'a>, expr: &'a Expr) -> Result<()> {
        match &expr.kind {
            ExprKind::Call { callee, .. } if callee.name == "comet_write" => Ok(()),
            _ => self.expr(scope, expr),
        }
    }

    fn expr(&mut self, scope: ConstraintScope<'a>, expr: &'a Expr) -> Result<()> {
        match &expr.kind {
            ExprKind::Access { tensor, indices } | ExprKind::Transpose { tensor, indices, .. } => {
                self.access(scope, tensor, indices).map_err(|error| error.placed(expr.span))
            }
            ExprKind::Neg(inner) => self.expr(scope, inner),
            ExprKind::Binary { left, right, .. } => {
                self.expr(scope, left)?;
                self.expr(scope, right)
            }
            ExprKind::Call { callee, args } => match action::function(self.module, &callee.name) {
                Some(function) => {
                    let result = self.target.filter(|_| action::tensor_call(self.module, expr).is_some());
                    self.call(scope, function, args, result).map(drop)
                }
                None if action::reduction(callee).is_some() => {
                    let outside = self.target.take();
                    self.statement += 1;
                    args.iter().try_for_each(|arg| self.expr(scope, arg))?;
                    self.target = outside;
                    Ok(())
                }
                None => args.iter().try_for_each(|arg| self.expr(scope, arg)),
            },
            _ => Ok(()),
        }
    }

    /// Parameters have the extents of the arguments, and the result those of what takes it.
    fn call(
        &mut self,
        scope: ConstraintScope<'a>,
        function: &'a Function,
        args: &'a [Expr],
        result: Option<&Ident>,
    ) -> Result<ConstraintScope<'a>> {
        let callee = ConstraintScope { function, number: self.scopes };
        self.scopes += 1;
        if self.calling.contains(&function.name.name.as_str()) {
            return Ok(callee);
        }
        for (param, arg) in function.params.iter().zip(args) {
            self.pass_call(scope, callee, param, arg)?;
        }
        let passed = function.params.iter().zip(args).map(|(param, arg)| (param, passed_tensor(arg)));
        let given = function.result.iter().map(|param| (param, result.map(|result| result.name.as_str())));
        for (param, tensor) in passed.chain(given) {
            self.pass(scope, callee, param, tensor)?;
        }
        let outside = self.target.take();
        self.function(function, callee.number)?;
        self.target = outside;
        Ok(callee)
    }

    /// What another call returns has the parameter's extents.
    fn pass_call(
        &mut self,
        scope: ConstraintScope<'a>,
        callee: ConstraintScope<'a>,
        param: &Param,
        arg: &'a Expr,
    ) -> Result<()> {
        let (Param::Tensor(decl), Some((inner, args))) = (param, action::tensor_call(self.module, arg))
        else {
            return Ok(());
        };
        let inner = self.call(scope, inner, args, None)?;
        let Some(Param::Tensor(result)) = &inner.function.result else { return Ok(()) };
        let mut modes = 0..decl.dims.len();
        modes.try_for_each(|mode| {
            self.sizes.unify(callee.mode(&decl.name.name, mode), inner.mode(&result.name.name, mode))
        })
    }

    fn pass(
        &mut self,
        scope: ConstraintScope<'a>,
        callee: ConstraintScope<'a>,
        param: &Param,
        tensor: Option<&str>,
    ) -> Result<()> {
        let (Param::Tensor(decl), Some(tensor)) = (param, tensor) else { return Ok(()) };
        let mut modes = 0..decl.dims.len();
        modes.try_for_each(|mode| {
            self.sizes.unify(callee.mode(&decl.name.name, mode), scope.mode(tensor, mode))
        })
    }
}

/// Whether an assignment is to a whole tensor.
fn is_whole(scope: ConstraintScope<'_>, assign: &Assign) -> bool {
    let coordinates = coordinates(scope.function);
    let is_label = |index: &Index| index.name().is_some_and(|name| !coordinates.contains(&name.name));
    assign.indices.iter().all(is_label)
}

/// How many coordinates a slice with an end has.
fn window_size(window: &Window) -> Option<usize> {
    let number = |expr: &Option<Expr>| expr.as_ref().and_then(action::literal).map(TypedNumber::to_f64);
    let length = number(&window.hi)? - number(&window.lo).unwrap_or(0.0);
    Some((length / number(&window.step).unwrap_or(1.0)).ceil().max(0.0) as usize)
}
