//! Where the tensors that a program computes have entries, so that statements which read them can be tiled:
//! worked out from the entries of what they are computed from, statement by statement.

use super::operands::{Content, Operands, StoredEntries};
use super::statement::{StatementReader, Which};
use comet_diag::{Diagnostic, Span};
use comet_sema::program::{Access, Assign, AssignOp, LabelId, Stmt, TensorId, assignments};
use comet_tiling::{Pattern, Points, Statement, TooManyProducts, entries_of_result};
use std::collections::HashSet;
use std::sync::Arc;

/// How many iterations of the loops over products are gone through at most.
const MOST_PRODUCTS: u64 = 1 << 26;

/// A tensor that a statement computes, of which it is not known where it has entries.
#[derive(Clone, Debug)]
pub(crate) struct Unknown {
    pub(crate) span: Span,
    pub(crate) why: Why,
}

/// Why it is not known where a tensor has entries.
#[derive(Clone, Debug)]
pub(crate) enum Why {
    /// It depends on how a loop or a branch goes.
    Control,
    Function,
    /// More products than are gone through; how many, where that is known.
    Products(Option<u64>),
    /// The statement is none that patterns are worked out for.
    Refused(String),
    /// No statement that is tiled depends on it.
    Unused,
}

impl Unknown {
    pub(crate) fn error(&self, access: &Access, name: &str) -> Diagnostic {
        let what = format!("tiles from entries of `{name}`, which the program computes");
        let label = match &self.why {
            Why::Control => {
                "here: which entries it has depends on how the loop or the branch goes".to_owned()
            }
            Why::Function => "here, by a function".to_owned(),
            Why::Products(Some(products)) => {
                format!(
                    "here, from {products} products; its entries are worked out from up to {MOST_PRODUCTS}"
                )
            }
            Why::Products(None) => {
                format!(
                    "here, from more than the {MOST_PRODUCTS} products that its entries are worked out from"
                )
            }
            Why::Refused(message) => format!("here: {message}"),
            Why::Unused => "here".to_owned(),
        };
        let hint = "write it to a file with `comet_write`, and read that in a program of its own";
        Diagnostic::not_supported(access.span, what).also(self.span, label).hint(hint)
    }
}

/// The tensors that tiled statements read, and those that these are computed from.
pub(super) fn needed(body: &[Stmt], which: Which) -> HashSet<TensorId> {
    let mut needed = HashSet::new();
    loop {
        let before = needed.len();
        add_needed(body, which, &mut needed);
        if needed.len() == before {
            return needed;
        }
    }
}

fn add_needed(body: &[Stmt], which: Which, needed: &mut HashSet<TensorId>) {
    for assign in assignments(body) {
        if which.takes(assign) || needed.contains(&assign.target.tensor) {
            needed.extend(assign.value.accesses().into_iter().map(|access| access.tensor));
            needed.extend(assign.mask.iter().map(|mask| mask.tensor));
        }
    }
}

/// What is known of the target of an assignment behind it.
pub(super) fn content(operands: &Operands<'_>, assign: &Assign, span: Span) -> Content {
    let known = match operands.content(assign.target.tensor) {
        _ if assign.op == AssignOp::Set => new_entries(operands, assign, span).map(Arc::new),
        Content::Entries(old) => {
            new_entries(operands, assign, span).map(|new| Arc::new(old.points.united(&new)))
        }
        Content::Nothing => new_entries(operands, assign, span).map(Arc::new),
        unknown @ (Content::Computed(_) | Content::Dense) => return unknown,
    };
    match known {
        Ok(points) => Content::Entries(StoredEntries { points, list: None }),
        Err(why) => Content::Computed(Unknown { span, why }),
    }
}

/// Where the assigned value has entries; the modes are those of the target.
fn new_entries(operands: &Operands<'_>, assign: &Assign, span: Span) -> Result<Points, Why> {
    let Some(mask) = assign.mask.as_ref() else { return value_entries(operands, assign, span) };
    match operands.content(mask.tensor) {
        Content::Dense => Err(Why::Refused("a dense mask counts where it is not 0".to_owned())),
        Content::Entries(masked) if mask.complement => {
            let whole = Assign { mask: None, ..assign.clone() };
            let entries = value_entries(operands, &whole, span)?;
            Ok(entries.without(&masked.points))
        }
        _ => value_entries(operands, assign, span),
    }
}

fn value_entries(operands: &Operands<'_>, assign: &Assign, span: Span) -> Result<Points, Why> {
    let labels = assign.labels();
    let extent = |label: &LabelId| operands.extent(operands.function().labels[label.0].size);
    let has_none = |label: &LabelId| extent(label) == Some(0);
    if assign.target.labels.iter().any(has_none) {
        let extents: Vec<u64> = assign.target.labels.iter().map(|label| extent(label).unwrap_or(0)).collect();
        let nothing = vec![Vec::new(); extents.len()];
        return Points::new(&extents, &nothing).map_err(|error| Why::Refused(error.to_string()));
    }
    let empty: Vec<bool> = labels.iter().map(has_none).collect();
    let statement = StatementReader::new(operands)
        .over(labels)
        .statement(assign, span)
        .map_err(|failure| Why::Refused(failure.first_message()))?;
    entries_of_result(&with_empty(statement, &empty), MOST_PRODUCTS)
        .map_err(|TooManyProducts { products }| Why::Products(products))
}

/// A dense operand without coordinates along a variable has no entries.
fn with_empty(mut statement: Statement, empty: &[bool]) -> Statement {
    for access in &mut statement.accesses {
        if access.pattern == Pattern::Dense && access.indices.iter().any(|var| empty[var.0]) {
            let extents = vec![1; access.indices.len()];
            let nothing = vec![Vec::new(); access.indices.len()];
            let points = Points::new(&extents, &nothing).expect("there is nothing outside");
            access.pattern = Pattern::Points(Arc::new(points));
        }
    }
    statement
}
