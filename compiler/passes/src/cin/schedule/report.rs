//! What a schedule has made of a statement, for `--explain`.

use crate::nest::{self, optional_integer};
use comet_ir::Op;
use comet_ir::cin;

/// The loops of a compute, from the outermost to the innermost, with how each runs:
/// `io` parallel, `ii`, `j` unrolled 4 times. A workspace stands with the loops that fill it in front of
/// those that read it: `i`, (`W` by `k`, then `j`).
pub(super) fn loops(compute: Op<'_>) -> String {
    block(&compute.body(0).ops())
}

fn block(ops: &[Op<'_>]) -> String {
    let parts: Vec<String> = ops.iter().map(|op| statement(*op)).filter(|text| !text.is_empty()).collect();
    parts.join(", then ")
}

fn statement(op: Op<'_>) -> String {
    if op.is::<cin::Where>() {
        let [producer, consumer] = [op.body(1), op.body(0)].map(|region| block(&region.ops()));
        let by = if producer.is_empty() { String::new() } else { format!(" by {producer}") };
        let then = if consumer.is_empty() { String::new() } else { format!(", then {consumer}") };
        return format!("(`{}`{by}{then})", filled(op));
    }
    if !op.is::<cin::Forall>() {
        return String::new();
    }
    let inside = block(&op.body(0).ops());
    let own = format!("`{}`{}", nest::name(op.operand(0)), manner(op));
    if inside.is_empty() { own } else { format!("{own}, {inside}") }
}

/// What the producer of a where-statement is for.
fn filled(where_op: Op<'_>) -> String {
    // Producers come behind their consumers.
    let assigns = where_op.descendants::<cin::Assign>();
    assigns.last().map_or_else(String::new, |assign| nest::name(nest::point(*assign).0))
}

fn manner(forall: Op<'_>) -> String {
    let number = |name| optional_integer(forall, name);
    let tasks = number("tasks").map_or_else(String::new, |tasks| format!(" in {tasks} tasks"));
    let parallel = forall.attribute("parallel").map(|_| format!(" parallel{tasks}"));
    let unrolled = number("unroll").map(|count| format!(" unrolled {count} times"));
    let vectors = number("vectorize").map(|lanes| format!(" in vectors of {lanes}"));
    [parallel, unrolled, vectors].into_iter().flatten().collect()
}
