//! Which words a function uses, and what it declares anywhere: a tensor that nothing mentions takes no part
//! in the program, and a use before its declaration can say where the declaration is.

use std::collections::{HashMap, HashSet};

use comet_diag::Span;
use comet_syntax::ast::{self, Assign, BinaryOp, ExprKind, Index, Operator, OperatorName, Stmt, StmtKind};

use crate::names::NameKind;
use crate::walk;

#[derive(Debug, Default)]
pub(crate) struct Mentions {
    used: HashSet<String>,
    declared: HashMap<(NameKind, String), Span>,
}

impl Mentions {
    pub(crate) fn of(body: &[Stmt]) -> Self {
        let mut mentions = Self::default();
        for stmt in ast::statements(body) {
            mentions.used.extend(used_by(stmt).into_iter().map(str::to_owned));
            for (kind, name, span) in declared_by(stmt) {
                mentions.declared.entry((kind, name.to_owned())).or_insert(span);
            }
        }
        mentions
    }

    pub(crate) fn uses(&self, name: &str) -> bool {
        self.used.contains(name)
    }

    /// The first declaration of that kind anywhere in the body.
    pub(crate) fn declaration(&self, kind: NameKind, name: &str) -> Option<Span> {
        self.declared.get(&(kind, name.to_owned())).copied()
    }
}

/// Every tensor, scalar and label that a statement uses itself, its blocks left out.
pub(crate) fn used_by(stmt: &Stmt) -> Vec<&str> {
    let expressions = walk::expressions(stmt).into_iter().flat_map(walk::words).map(|(word, _)| word);
    let mut words: Vec<&str> = expressions.collect();
    match &stmt.kind {
        StmtKind::Assign(assign) => words.extend(written_by(assign)),
        StmtKind::SetScalar { name, .. } => words.push(&name.name),
        _ => {}
    }
    words
}

/// The words of an assignment, its schedule left out.
pub(crate) fn used_by_assignment(assign: &Assign) -> Vec<&str> {
    let expressions = assign.indices.iter().flat_map(Index::exprs).chain([&assign.value]);
    let read = expressions.flat_map(walk::words).map(|(word, _)| word);
    written_by(assign).into_iter().chain(read).collect()
}

/// The tensors that an assignment reads, with their labels. One that reads none computes nothing, and takes
/// no schedule.
pub fn read_by_assignment(assign: &Assign) -> Vec<(&str, Vec<String>)> {
    fn names(indices: &[Index]) -> Vec<String> {
        indices.iter().filter_map(Index::label).map(|label| label.name).collect()
    }
    let mask = assign.mask.iter().map(|mask| (mask.tensor.name.as_str(), names(&assign.indices)));
    let read = walk::all_expressions(&assign.value).into_iter().filter_map(|expr| match &expr.kind {
        ExprKind::Access { tensor, indices } | ExprKind::Transpose { tensor, indices, .. } => {
            Some((tensor.name.as_str(), names(indices)))
        }
        _ => None,
    });
    mask.chain(read).collect()
}

/// Whether an assignment has an index that is more than a word.
pub fn has_parts(assign: &Assign) -> bool {
    let read = walk::all_expressions(&assign.value).into_iter().filter_map(|expr| match &expr.kind {
        ExprKind::Access { indices, .. } => Some(indices),
        _ => None,
    });
    read.chain([&assign.indices]).flatten().any(|index| index.name().is_none())
}

/// Whether a statement may keep any of several values.
pub fn uses_any(body: &[Stmt]) -> bool {
    let expressions = ast::statements(body).into_iter().flat_map(walk::expressions);
    expressions.flat_map(walk::all_expressions).any(|expr| match &expr.kind {
        ExprKind::Binary { op: BinaryOp::Semiring(reduce, _) | BinaryOp::Monoid(reduce), .. } => {
            *reduce == OperatorName::Operator(Operator::Any)
        }
        _ => false,
    })
}

fn written_by(assign: &Assign) -> Vec<&str> {
    let mask = assign.mask.iter().map(|mask| &mask.tensor);
    let indices = assign.indices.iter().filter_map(walk::bare_word);
    let words = std::iter::once(&assign.tensor).chain(indices).chain(mask);
    words.map(|word| word.name.as_str()).collect()
}

fn declared_by(stmt: &Stmt) -> Vec<(NameKind, &str, Span)> {
    match &stmt.kind {
        StmtKind::Label { names, .. } => {
            names.iter().map(|name| (NameKind::Label, name.name.as_str(), name.span)).collect()
        }
        StmtKind::Tensor(decl) => vec![(NameKind::Tensor, &decl.name.name, decl.name.span)],
        StmtKind::Var { name, .. } | StmtKind::For { var: name, .. } => {
            vec![(NameKind::Scalar, &name.name, name.span)]
        }
        _ => Vec::new(),
    }
}
