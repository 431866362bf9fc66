//! The statements of a program that take a schedule.

use comet_format::{Format, LevelKind};
use comet_sema::program::{Function, Program};
use comet_sema::{has_parts, read_by_assignment};
use comet_syntax::ast::{self, Assign, BinaryOp, ExprKind, Index};
use comet_tiling::Expr;
use itertools::Itertools as _;

/// A statement, as far as candidates are made of it.
#[derive(Clone, Debug)]
pub(crate) struct Statement {
    /// Its place among the assignments of the file that read something, by which times are reported.
    pub(crate) number: usize,
    pub(crate) function: String,
    pub(crate) target: Operand,
    /// What is read, each tensor once for each list of labels.
    pub(crate) read: Vec<Operand>,
    /// How what is read is put together.
    pub(crate) value: Expr,
    /// All labels: the target's, then the others in the order of the text.
    pub(crate) labels: Vec<String>,
    /// The extents of the labels, where the text fixes them.
    pub(crate) extents: Vec<Option<u64>>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Operand {
    pub(crate) tensor: String,
    pub(crate) labels: Vec<String>,
    pub(crate) format: Format,
}

impl Operand {
    /// The labels of the levels in storage order, each once, with the kind of the first level that has it.
    pub(crate) fn levels(&self) -> Vec<(&str, LevelKind)> {
        let mut levels: Vec<(&str, LevelKind)> = Vec::new();
        for level in &self.format.levels {
            let Some(label) = level.expr.mode().map(|mode| self.labels[mode].as_str()) else { continue };
            if !levels.iter().any(|(other, _)| *other == label) {
                levels.push((label, level.kind));
            }
        }
        levels
    }

    /// `A[i,k]`.
    pub(crate) fn text(&self) -> String {
        format!("{}[{}]", self.tensor, self.labels.join(","))
    }
}

impl Statement {
    /// Whether no operand decides by its entries which of the label's values are visited.
    pub(crate) fn is_dense_along(&self, label: &str) -> bool {
        let all = self.read.iter().chain([&self.target]);
        let mut levels = all.flat_map(Operand::levels);
        levels.all(|(other, kind)| other != label || kind.is_full())
    }

    /// The number of values that a label has, where the text fixes it.
    pub(crate) fn extent(&self, label: &str) -> Option<u64> {
        self.labels.iter().position(|other| other == label).and_then(|place| self.extents[place])
    }
}

/// The statements that compute something over labels, in the order of the file: only those can be given
/// another order.
pub(crate) fn statements(module: &ast::Module, program: &Program) -> Vec<Statement> {
    let mut assignments = Vec::new();
    for function in &module.functions {
        let checked = program.functions.iter().find(|other| other.name == function.name.name);
        let checked = checked.expect("a checked program has the functions of its tree");
        let computing = ast::assignments(&function.body).filter(|assign| takes_schedule(assign));
        assignments.extend(computing.map(|assign| (assign, checked)));
    }
    let numbered = assignments.into_iter().enumerate();
    numbered.filter_map(|(number, (assign, function))| of_assignment(number, assign, function)).collect()
}

pub(super) fn takes_schedule(assign: &Assign) -> bool {
    !has_parts(assign) && !read_by_assignment(assign).is_empty()
}

fn of_assignment(number: usize, assign: &Assign, function: &Function) -> Option<Statement> {
    let operand = |tensor: &str, labels: Vec<String>| {
        let found = function.tensors.iter().find(|other| other.name == tensor)?;
        Some(Operand { tensor: tensor.to_owned(), labels, format: found.format.clone() })
    };
    let labels = assign.indices.iter().filter_map(Index::name).map(|label| label.name.clone()).collect();
    let target = operand(&assign.tensor.name, labels)?;
    let mut read: Vec<Operand> = Vec::new();
    for (tensor, labels) in read_by_assignment(assign) {
        let found = operand(tensor, labels)?;
        if !read.contains(&found) {
            read.push(found);
        }
    }
    let all = target.labels.iter().chain(read.iter().flat_map(|operand| &operand.labels));
    let labels: Vec<String> = all.unique().cloned().collect();
    // A word in brackets may also be a scalar.
    let is_label = |name: &String| function.labels.iter().any(|label| label.name == *name);
    if labels.is_empty() || !labels.iter().all(is_label) {
        return None;
    }
    let extent = |label: &String| {
        let found = function.labels.iter().find(|other| other.name == *label)?;
        function.sizes[found.size.0].known
    };
    let extents = labels.iter().map(extent).collect();
    let value = of_expression(&assign.value, &read);
    Some(Statement { number, function: function.name.clone(), target, read, value, labels, extents })
}

/// Which points a value has, with the operands by their numbers.
fn of_expression(expr: &ast::Expr, read: &[Operand]) -> Expr {
    match &expr.kind {
        ExprKind::Access { tensor, indices } | ExprKind::Transpose { tensor, indices, .. } => {
            let is_read = |operand: &Operand| {
                operand.tensor == tensor.name
                    && operand
                        .labels
                        .iter()
                        .eq(indices.iter().filter_map(Index::name).map(|label| &label.name))
            };
            read.iter().position(is_read).map_or(Expr::Everywhere, Expr::Access)
        }
        ExprKind::Neg(inner) => of_expression(inner, read),
        ExprKind::Binary { op, left, right, .. } => {
            let parts = vec![of_expression(left, read), of_expression(right, read)];
            if matches!(op, BinaryOp::Add | BinaryOp::Sub) { Expr::Any(parts) } else { Expr::All(parts) }
        }
        _ => Expr::Everywhere,
    }
}
