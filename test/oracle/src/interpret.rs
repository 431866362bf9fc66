//! Runs statements.

use std::collections::BTreeMap;

use comet_diag::Span;
use comet_syntax::ast::{BinaryOp, Expr, ExprKind, Function, Ident, Module, Stmt, StmtKind};

use crate::Inputs;
use crate::action;
use crate::constraints::solve;
use crate::declarations::passed_tensor;
use crate::error::{OracleError, Result};
use crate::frame::{Scalar, Variables};
use crate::number::TypedNumber;
use crate::part;
use crate::print::{PrintForm, Printed, PrintedLine, StoredArray};
use crate::scalar;
use crate::tensor::DenseTensor;

/// A loop that runs longer than this many statements is taken for endless.
const MOST_STATEMENTS: usize = 5_000_000;

/// Calls nested deeper than this are taken for endless.
const MOST_CALLS: usize = 200;

/// A program while it runs.
pub(crate) struct Interpreter<'a> {
    pub(crate) module: &'a Module,
    pub(crate) inputs: &'a Inputs,
    pub(crate) printed: Vec<Printed>,
    pub(crate) calls: usize,
    statements: usize,
}

/// What comes after a statement.
pub(crate) enum Flow {
    Next,
    /// The end of the innermost loop.
    Break,
    /// The end of an iteration of it.
    Continue,
    /// The end of the function, with its scalar result if it has one.
    Return(Option<TypedNumber>),
}

/// Runs `main`; returns what it printed and its tensors as they were at its end.
pub(crate) fn run_main(
    module: &Module,
    inputs: &Inputs,
) -> Result<(Vec<Printed>, BTreeMap<String, DenseTensor>)> {
    let main = action::function(module, "main").ok_or_else(|| OracleError::new("no function `main`"))?;
    let sizes = solve(module, inputs, main, &BTreeMap::new())?;
    let mut frame = Variables::new(main, BTreeMap::new(), &sizes)?;
    let mut machine = Interpreter::new(module, inputs);
    machine.run(&mut frame, main)?;
    let tensors = frame.tensors.into_iter().map(|(name, tensor)| (name, tensor.borrow().clone()));
    Ok((machine.printed, tensors.collect()))
}

impl<'a> Interpreter<'a> {
    pub(crate) fn new(module: &'a Module, inputs: &'a Inputs) -> Self {
        Self { module, inputs, printed: Vec::new(), calls: 0, statements: 0 }
    }
}

impl Interpreter<'_> {
    /// Runs the body of a function.
    pub(crate) fn run(&mut self, frame: &mut Variables, function: &Function) -> Result<Option<TypedNumber>> {
        if self.calls >= MOST_CALLS {
            return Err(OracleError::at(function.span, "calls nested too deeply"));
        }
        self.calls += 1;
        let flow = self.body(frame, &function.body)?;
        self.calls -= 1;
        match flow {
            Flow::Return(value) => Ok(value),
            Flow::Next => Ok(None),
            Flow::Break | Flow::Continue => Err(OracleError::at(function.span, "a jump outside of a loop")),
        }
    }

    fn body(&mut self, frame: &mut Variables, body: &[Stmt]) -> Result<Flow> {
        for stmt in body {
            let flow = self.stmt(frame, stmt).map_err(|error| error.placed(stmt.span))?;
            if !matches!(flow, Flow::Next) {
                return Ok(flow);
            }
        }
        Ok(Flow::Next)
    }

    /// An iteration of a loop: what the loop is to return, where it ends with this one.
    fn iteration(&mut self, frame: &mut Variables, body: &[Stmt]) -> Result<Option<Flow>> {
        Ok(match self.body(frame, body)? {
            Flow::Next | Flow::Continue => None,
            Flow::Break => Some(Flow::Next),
            Flow::Return(value) => Some(Flow::Return(value)),
        })
    }

    fn stmt(&mut self, frame: &mut Variables, stmt: &Stmt) -> Result<Flow> {
        self.statements += 1;
        if self.statements > MOST_STATEMENTS {
            return Err(OracleError::new("the program runs for too long"));
        }
        match &stmt.kind {
            StmtKind::Label { .. } | StmtKind::Tensor(_) => {}
            StmtKind::Var { name, value } => {
                let number = self.scalar(frame, value)?;
                frame.declare(&name.name, Scalar { value: number, bare: is_reduction(value) });
            }
            StmtKind::SetScalar { name, op, value } => self.set_scalar(frame, name, *op, value)?,
            StmtKind::Assign(assign) => self.assign(frame, assign)?,
            StmtKind::For { var, bounds, body } => return self.for_loop(frame, var, bounds, body),
            StmtKind::While { condition, body } => return self.while_loop(frame, condition, body),
            StmtKind::If { branches, else_body } => {
                for branch in branches {
                    if !self.scalar(frame, &branch.condition)?.is_zero() {
                        return self.body(frame, &branch.body);
                    }
                }
                return else_body.as_ref().map_or(Ok(Flow::Next), |body| self.body(frame, body));
            }
            StmtKind::Break => return Ok(Flow::Break),
            StmtKind::Continue => return Ok(Flow::Continue),
            StmtKind::Return(value) => return self.returned(frame, value.as_ref()),
            StmtKind::Expr(expr) => self.effect(frame, expr)?,
        }
        Ok(Flow::Next)
    }

    /// `s op= value` computes from what the scalar is before.
    fn set_scalar(
        &mut self,
        frame: &mut Variables,
        name: &Ident,
        op: Option<BinaryOp>,
        value: &Expr,
    ) -> Result<()> {
        let number = match (op, frame.scalars.get(&name.name).map(|scalar| scalar.value)) {
            (None, _) => self.scalar(frame, value)?,
            (Some(op), Some(before)) => scalar::binary(op, before, self.scalar(frame, value)?)?,
            (Some(_), None) => return Err(OracleError::at(name.span, "no such scalar")),
        };
        frame.set(&name.name, Scalar { value: number, bare: is_reduction(value) });
        Ok(())
    }

    /// Python's `range`, of which the bounds are taken once.
    fn for_loop(
        &mut self,
        frame: &mut Variables,
        var: &Ident,
        bounds: &[Expr],
        body: &[Stmt],
    ) -> Result<Flow> {
        let bounds = bounds.iter().map(|bound| self.integer(frame, bound)).collect::<Result<Vec<_>>>()?;
        let (mut at, stop, step) = match bounds[..] {
            [stop] => (0, stop, 1),
            [start, stop] => (start, stop, 1),
            [start, stop, step] if step != 0 => (start, stop, step),
            _ => return Err(OracleError::at(var.span, "a step of 0, or too many bounds")),
        };
        while if step > 0 { at < stop } else { at > stop } {
            frame.declare(&var.name, Scalar { value: TypedNumber::I64(at), bare: false });
            if let Some(end) = self.iteration(frame, body)? {
                return Ok(end);
            }
            // What 64 bits do not hold is beyond any stop.
            let Some(next) = at.checked_add(step) else { break };
            at = next;
        }
        Ok(Flow::Next)
    }

    pub(crate) fn integer(&mut self, frame: &Variables, expr: &Expr) -> Result<i64> {
        match self.scalar(frame, expr)? {
            TypedNumber::I64(value) => Ok(value),
            other => Ok(other.to_f64() as i64),
        }
    }

    fn while_loop(&mut self, frame: &mut Variables, condition: &Expr, body: &[Stmt]) -> Result<Flow> {
        while !self.scalar(frame, condition)?.is_zero() {
            if let Some(end) = self.iteration(frame, body)? {
                return Ok(end);
            }
            self.statements += 1;
        }
        Ok(Flow::Next)
    }

    /// A tensor that is returned is the declared result, which has its value by name.
    fn returned(&mut self, frame: &Variables, value: Option<&Expr>) -> Result<Flow> {
        match value {
            Some(value) if passed_tensor(value).is_some_and(|name| frame.tensors.contains_key(name)) => {
                Ok(Flow::Return(None))
            }
            Some(value) => Ok(Flow::Return(Some(self.scalar(frame, value)?))),
            None => Ok(Flow::Return(None)),
        }
    }

    /// An expression for its effect.
    fn effect(&mut self, frame: &mut Variables, expr: &Expr) -> Result<()> {
        let ExprKind::Call { callee, args } = &expr.kind else { return self.scalar(frame, expr).map(drop) };
        if let Some(function) = action::function(self.module, &callee.name) {
            return self.call(frame, function, args, None).map(drop);
        }
        match (callee.name.as_str(), &args[..]) {
            ("print", [arg]) if !matches!(arg.kind, ExprKind::Str(_)) => self.print(frame, arg),
            ("print", args) => self.print_line(frame, args),
            ("printElapsedTime", [_, _]) => {
                self.printed.push(Printed::elapsed());
                Ok(())
            }
            // What a program writes is nothing that it prints.
            ("comet_write", _) => Ok(()),
            _ => self.scalar(frame, expr).map(drop),
        }
    }

    fn print(&mut self, frame: &Variables, arg: &Expr) -> Result<()> {
        let tensor = passed_tensor(arg).and_then(|name| frame.tensors.get(name).map(|tensor| (name, tensor)));
        let tensor = tensor.filter(|_| !is_element(frame, arg));
        let printed = match tensor {
            Some((name, tensor)) => Printed::tensor(name, &tensor.borrow()),
            None => Printed::scalar(self.scalar(frame, arg)?, scalar_form(frame, arg)),
        };
        self.printed.push(printed);
        Ok(())
    }

    /// Everything is computed before anything is printed.
    fn print_line(&mut self, frame: &Variables, args: &[Expr]) -> Result<()> {
        let mut line = PrintedLine::default();
        for arg in args {
            let tensor = passed_tensor(arg).and_then(|name| frame.tensors.get(name));
            let tensor = tensor.filter(|_| !is_element(frame, arg));
            match (&arg.kind, tensor) {
                (ExprKind::Str(text), _) => line.add(StoredArray::Text(text.clone())),
                (_, Some(tensor)) => line.add_tensor(&tensor.borrow()),
                (_, None) => line.add(StoredArray::Numbers(vec![self.scalar(frame, arg)?])),
            }
        }
        self.printed.push(line.end());
        Ok(())
    }

    /// An error for a place without an expression.
    pub(crate) fn refuse<T>(span: Span, message: &str) -> Result<T> {
        Err(OracleError::at(span, message))
    }
}

fn is_element(frame: &Variables, expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Access { indices, .. }
        if !indices.is_empty() && part::is_element(frame, indices))
}

fn is_reduction(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Call { callee, .. } if action::reduction(callee).is_some())
}

fn scalar_form(frame: &Variables, expr: &Expr) -> PrintForm {
    let is_bare = match &expr.kind {
        ExprKind::Name(name) => frame.scalars.get(name).is_some_and(|scalar| scalar.bare),
        _ => is_reduction(expr),
    };
    if is_bare { PrintForm::Bare } else { PrintForm::Arrays }
}
