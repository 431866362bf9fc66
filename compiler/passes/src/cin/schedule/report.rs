//! What a schedule has made of a statement, for `--explain`.

use crate::nest::{self, optional_integer};
use comet_dialects::cin::{ForallOperation, WhereOperation};
use comet_ir::Op;

/// The loops of a compute, from the outermost to the innermost, with how each runs:
/// `io` parallel, `ii`, `j` unrolled 4 times. What a workspace is filled by stands in front of what reads it.
pub(super) fn loops(compute: Op<'_>) -> String {
    block(&compute.body(0).ops())
}

fn block(ops: &[Op<'_>]) -> String {
    let parts: Vec<String> = ops.iter().map(|op| statement(*op)).filter(|text| !text.is_empty()).collect();
    parts.join(", then ")
}

fn statement(op: Op<'_>) -> String {
    if op.is::<WhereOperation>() {
        let parts = [op.body(1), op.body(0)].map(|region| block(&region.ops()));
        let parts: Vec<String> = parts.into_iter().filter(|text| !text.is_empty()).collect();
        return if parts.len() > 1 { format!("({})", parts.join(", then ")) } else { parts.concat() };
    }
    if !op.is::<ForallOperation>() {
        return String::new();
    }
    let inside = block(&op.body(0).ops());
    let own = format!("`{}`{}", nest::name(op.operand(0)), manner(op));
    if inside.is_empty() { own } else { format!("{own}, {inside}") }
}

fn manner(forall: Op<'_>) -> String {
    let number = |name| optional_integer(forall, name);
    let tasks = number("tasks").map_or_else(String::new, |tasks| format!(" in {tasks} tasks"));
    let parallel = forall.attribute("parallel").map(|_| format!(" parallel{tasks}"));
    let unrolled = number("unroll").map(|count| format!(" unrolled {count} times"));
    let vectors = number("vectorize").map(|lanes| format!(" in vectors of {lanes}"));
    [parallel, unrolled, vectors].into_iter().flatten().collect()
}
