//! A statement of a program as the traffic model takes it.

use super::auto::is_automatic;
use super::computed::needed;
use super::operands::{Content, Operands, StoredEntries};
use super::order::Orders;
use crate::failure::{Failure, Result};
use comet_diag::{Diagnostic, Span};
use comet_runtime::CoordinateTensor;
use comet_sema::program::{
    Access, Assign, Command, LabelId, Stmt, StmtKind, TensorExpr, TensorExprKind, TensorOp, assignments,
};
use comet_tiling::{self as tiling, Expr, MOST, Pattern, Points, Statement, Target, Var, Variable};
use itertools::Itertools as _;
use std::sync::Arc;

pub(crate) struct Tileable {
    pub(crate) statement: Statement,
    /// From its first letter to its last.
    pub(crate) span: Span,
    /// What each access reads, and the variable of each mode; none is dense or computed by the program.
    pub(crate) entries: Vec<Option<(Arc<CoordinateTensor>, Vec<Var>)>>,
    /// The indices of each access, and last those of the result, as they are written, each where it stands
    /// first.
    pub(crate) as_written: Vec<Vec<Var>>,
    pub(crate) commands: Vec<Command>,
}

/// The statements that read something sparse and combine or reduce it, with what they read there.
pub(crate) fn statements(
    operands: &mut Operands<'_>,
    orders: &Orders,
    (body, which): (&[Stmt], Which),
) -> Result<Vec<Tileable>> {
    operands.need(needed(body, which));
    statements_of(operands, orders, (body, which))
}

fn statements_of(
    operands: &mut Operands<'_>,
    orders: &Orders,
    (body, which): (&[Stmt], Which),
) -> Result<Vec<Tileable>> {
    let mut found = Vec::new();
    for statement in body {
        match &statement.kind {
            StmtKind::Assign(assign) if which.takes(assign) && computes(assign, operands) => {
                found.push(StatementReader::new(operands).read(assign, statement, orders)?);
            }
            StmtKind::For { body, .. } | StmtKind::While { body, .. } => {
                let before = operands.known();
                operands.forget(body, statement.span);
                found.extend(statements_of(operands, orders, (body, which))?);
                operands.either(before, statement.span);
            }
            StmtKind::If { then_body, else_body, .. } => {
                let before = operands.known();
                found.extend(statements_of(operands, orders, (then_body, which))?);
                let after = operands.back(before);
                found.extend(statements_of(operands, orders, (else_body, which))?);
                operands.either(after, statement.span);
            }
            _ => {}
        }
        operands.step(statement)?;
    }
    Ok(found)
}

fn computes(assign: &Assign, operands: &Operands<'_>) -> bool {
    // What is on a diagonal is no copy.
    let is_copy = matches!(&assign.value.kind, TensorExprKind::Access(read)
        if read.labels.len() == assign.target.labels.len());
    let is_sparse = |access: &Access| !operands.function().tensors[access.tensor.0].format.is_dense();
    !is_copy && assign.value.accesses().into_iter().any(is_sparse)
}

/// Statistics have a number for each coordinate.
pub(super) const MOST_COORDINATES: u64 = 100_000_000;

pub(super) struct StatementReader<'a, 'o> {
    operands: &'o Operands<'a>,
    labels: Vec<LabelId>,
    accesses: Vec<tiling::Access>,
    entries: Vec<Option<(Arc<CoordinateTensor>, Vec<Var>)>>,
    as_written: Vec<Vec<Var>>,
}

impl<'a, 'o> StatementReader<'a, 'o> {
    pub(super) fn new(operands: &'o Operands<'a>) -> Self {
        let (labels, accesses) = (Vec::new(), Vec::new());
        Self { operands, labels, accesses, entries: Vec::new(), as_written: Vec::new() }
    }

    fn read(mut self, assign: &Assign, statement: &Stmt, orders: &Orders) -> Result<Tileable> {
        self.labels = self.order(assign, statement.span, orders)?;
        let read = self.statement(assign, statement.span)?;
        let span = assign.target.span.to(assign.value.span);
        let commands = assign.schedule.as_ref().map_or_else(Vec::new, |schedule| schedule.commands.clone());
        let Self { entries, as_written, .. } = self;
        Ok(Tileable { statement: read, span, entries, as_written, commands })
    }

    pub(super) fn over(self, labels: Vec<LabelId>) -> Self {
        Self { labels, ..self }
    }

    /// The statement as the traffic model takes it.
    pub(super) fn statement(&mut self, assign: &Assign, span: Span) -> Result<Statement> {
        self.refuse_complex(assign)?;
        let mut value = self.expr(&assign.value)?;
        if let Some(mask) = &assign.mask {
            if mask.complement {
                return Err(self.refused(mask.span, "tiles of a statement with a complemented mask"));
            }
            let access =
                Access { tensor: mask.tensor, labels: assign.target.labels.clone(), span: mask.span };
            value = Expr::All(vec![value, self.access(&access)?]);
        }
        let variables =
            self.labels.iter().map(|&label| self.variable(label, span)).collect::<Result<Vec<Variable>>>()?;
        let mut indices: Vec<Var> = assign.target.labels.iter().map(|&label| self.var(label)).collect();
        self.as_written.push(indices.clone());
        indices.sort_unstable();
        if indices.windows(2).any(|two| two[0] == two[1]) {
            return Err(
                self.refused(assign.target.span, "tiles of a result with one index for several modes")
            );
        }
        let declared = &self.operands.function().tensors[assign.target.tensor.0];
        let target = Target { name: declared.name.clone(), indices, is_dense: declared.format.is_dense() };
        if self.accesses.len() > MOST {
            let what = format!("tiles of a statement that reads more than {MOST} tensors");
            return Err(self.refused(span, &what));
        }
        let too_many = self.refused(span, &format!("tiles of a sum of more than {MOST} products"));
        let accesses = std::mem::take(&mut self.accesses)
            .into_iter()
            .map(|access| reaching(access, &variables))
            .collect();
        let statement = Statement { variables, accesses, target, value };
        if statement.products() > MOST as u64 {
            return Err(too_many);
        }
        Ok(statement)
    }

    fn order(&self, assign: &Assign, span: Span, orders: &Orders) -> Result<Vec<LabelId>> {
        let function = self.operands.function();
        let mut labels = assign.labels();
        let order = orders.of(span, self.operands.source()).unwrap_or(&[]);
        let place = |label: &LabelId| order.iter().position(|name| *name == function.labels[label.0].name);
        if let Some(without) = labels.iter().find(|label| place(label).is_none()) {
            let what = format!(
                "tiles of a statement whose loops are cut otherwise along `{}`, by a schedule or by the format of an operand",
                function.labels[without.0].name
            );
            return Err(self.refused(span, &what));
        }
        labels.sort_by_key(|label| place(label));
        Ok(labels)
    }

    /// The model of traffic has values of one size.
    fn refuse_complex(&self, assign: &Assign) -> Result<()> {
        let accesses = std::iter::once(&assign.target).chain(assign.value.accesses());
        let element = |access: &Access| self.operands.function().tensors[access.tensor.0].element;
        let Some(complex) = accesses.into_iter().find(|access| element(access).is_complex()) else {
            return Ok(());
        };
        let what = format!("tiles of a tensor of `{}`", element(complex).word());
        let hint = "choose them with real tensors of the same patterns, and write them as a schedule";
        let error = Diagnostic::not_supported(complex.span, what).hint(hint);
        Err(Failure::in_source(vec![error], self.operands.source()))
    }

    fn refused(&self, span: Span, what: &str) -> Failure {
        let hint = "`comet tile` takes products, sums and reductions of tensors";
        Failure::in_source(vec![Diagnostic::not_supported(span, what).hint(hint)], self.operands.source())
    }

    fn var(&self, label: LabelId) -> Var {
        Var(self.labels.iter().position(|other| *other == label).expect("all labels have a loop"))
    }

    fn variable(&self, label: LabelId, span: Span) -> Result<Variable> {
        let label = &self.operands.function().labels[label.0];
        match self.operands.extent(label.size) {
            Some(extent) if extent > MOST_COORDINATES => {
                let what = format!(
                    "tiles along `{}`, which has more than {MOST_COORDINATES} coordinates",
                    label.name
                );
                Err(self.refused(span, &what))
            }
            // What is empty has a tile of nothing.
            Some(extent) => Ok(Variable { name: label.name.clone(), extent: extent.max(1) }),
            None => {
                Err(self.refused(span, &format!("tiles along `{}`, whose extent no file states", label.name)))
            }
        }
    }

    fn expr(&mut self, expr: &TensorExpr) -> Result<Expr> {
        Ok(match &expr.kind {
            TensorExprKind::Access(access) => self.access(access)?,
            TensorExprKind::Number(_) | TensorExprKind::Scalar(_) => Expr::Everywhere,
            TensorExprKind::Neg(inner)
            | TensorExprKind::Apply { operand: inner, .. }
            | TensorExprKind::Convert { value: inner, .. }
            | TensorExprKind::Elementwise(inner)
            | TensorExprKind::Drop { value: inner, .. } => self.expr(inner)?,
            TensorExprKind::Binary {
                op: TensorOp::Add | TensorOp::Sub | TensorOp::Unite(_),
                left,
                right,
                ..
            } => Expr::Any(vec![self.expr(left)?, self.expr(right)?]),
            TensorExprKind::Binary { left, right, .. } => {
                self.reduced_once(left, right)?;
                Expr::All(vec![self.expr(left)?, self.expr(right)?])
            }
            TensorExprKind::Reduce { body, .. } => self.expr(body)?,
        })
    }

    /// A product of two reductions over one label has two loops over it.
    fn reduced_once(&self, left: &TensorExpr, right: &TensorExpr) -> Result<()> {
        let (one, other) = (reduced(left), reduced(right));
        match one.iter().find(|label| other.contains(label)) {
            Some(label) => {
                let name = &self.operands.function().labels[label.0].name;
                let what = format!("tiles of a product of two reductions over `{name}`");
                Err(self.refused(left.span.to(right.span), &what))
            }
            None => Ok(()),
        }
    }

    fn access(&mut self, access: &Access) -> Result<Expr> {
        let declared = &self.operands.function().tensors[access.tensor.0];
        let mut vars: Vec<Var> = access.labels.iter().map(|&label| self.var(label)).collect();
        self.as_written.push(vars.iter().copied().unique().collect());
        let mut entries = None;
        let pattern = match self.operands.content(access.tensor) {
            Content::Dense => {
                vars.sort_unstable();
                vars.dedup();
                Pattern::Dense
            }
            Content::Entries(StoredEntries { points, list }) => {
                entries = list.map(|list| (list, vars.clone()));
                Pattern::Points(in_order(points, &mut vars))
            }
            Content::Nothing => {
                let message = format!("`{}` has no entries yet", declared.name);
                let error =
                    Diagnostic::error(access.span, message).hint("read it from a file or compute it before");
                return Err(Failure::in_source(vec![error], self.operands.source()));
            }
            Content::Computed(unknown) => {
                let error = unknown.error(access, &declared.name);
                return Err(Failure::in_source(vec![error], self.operands.source()));
            }
        };
        self.entries.push(entries);
        self.accesses.push(tiling::Access { name: declared.name.clone(), indices: vars, pattern });
        Ok(Expr::Access(self.accesses.len() - 1))
    }
}

/// An access whose points reach as far as its variables, which have a coordinate even where nothing is.
fn reaching(access: tiling::Access, variables: &[Variable]) -> tiling::Access {
    let extents: Vec<u64> = access.indices.iter().map(|&var| variables[var.0].extent).collect();
    let pattern = match access.pattern {
        Pattern::Points(points) if points.extents() != extents => {
            Pattern::Points(Arc::new(points.within(&extents)))
        }
        pattern => pattern,
    };
    tiling::Access { pattern, ..access }
}

fn reduced(expr: &TensorExpr) -> Vec<LabelId> {
    let own = match &expr.kind {
        TensorExprKind::Reduce { labels, .. } => labels.clone(),
        _ => Vec::new(),
    };
    own.into_iter().chain(expr.operands().into_iter().flat_map(reduced)).collect()
}

/// Points with the modes in the order of the variables, each once.
fn in_order(points: Arc<Points>, vars: &mut Vec<Var>) -> Arc<Points> {
    let mut points = points;
    while let Some((first, second)) = repeated(vars) {
        points = Arc::new(points.diagonal(first, second));
        vars.remove(second);
    }
    let mut order: Vec<usize> = (0..vars.len()).collect();
    order.sort_by_key(|&mode| vars[mode]);
    vars.sort_unstable();
    if order.is_sorted() { points } else { Arc::new(points.permuted(&order)) }
}

fn repeated(vars: &[Var]) -> Option<(usize, usize)> {
    vars.iter().enumerate().find_map(|(second, var)| {
        let first = vars[..second].iter().position(|other| other == var)?;
        Some((first, second))
    })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Which {
    /// All that can have tiles.
    All,
    /// Those with a `tile` in their schedules.
    Scheduled,
    /// Those with a `tile` that leaves sizes open.
    Automatic,
}

impl Which {
    pub(super) fn takes(self, assign: &Assign) -> bool {
        match self {
            Self::All => true,
            Self::Scheduled => has_tile(assign),
            Self::Automatic => is_automatic(assign),
        }
    }

    /// Those with a `tile`, if there are some.
    pub(crate) fn of(body: &[Stmt]) -> Self {
        if assignments(body).any(has_tile) { Self::Scheduled } else { Self::All }
    }
}

fn has_tile(assign: &Assign) -> bool {
    assign.commands().iter().any(|command| command.name.name == "tile")
}
