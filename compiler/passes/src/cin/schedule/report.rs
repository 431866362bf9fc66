//! What a schedule has made of a statement, for `--explain`.

use crate::nest;
use comet_ir::Op;
use comet_ir::cin::{self, Cin};

/// The loops of a compute, from the outermost to the innermost, with how each runs:
/// `io` parallel, `ii`, `j` unrolled 4 times. A workspace stands with the loops that fill it in front of
/// those that read it: `i`, (`W` by `k`, then `j`).
pub(super) fn loops(compute: cin::Compute<'_>) -> String {
    block(&compute.body().ops())
}

fn block(ops: &[Op<'_>]) -> String {
    let parts: Vec<String> = ops.iter().map(|op| statement(*op)).filter(|text| !text.is_empty()).collect();
    parts.join(", then ")
}

fn statement(op: Op<'_>) -> String {
    match Cin::of(op) {
        Some(Cin::Where(where_op)) => {
            let [producer, consumer] =
                [where_op.producer(), where_op.consumer()].map(|region| block(&region.ops()));
            let by = if producer.is_empty() { String::new() } else { format!(" by {producer}") };
            let then = if consumer.is_empty() { String::new() } else { format!(", then {consumer}") };
            format!("(`{}`{by}{then})", filled(where_op))
        }
        Some(Cin::Forall(forall)) => {
            let inside = block(&forall.body().ops());
            let own = format!("`{}`{}", nest::name(forall.var()), manner(forall));
            if inside.is_empty() { own } else { format!("{own}, {inside}") }
        }
        _ => String::new(),
    }
}

/// What the producer of a where-statement is for.
fn filled(where_op: cin::Where<'_>) -> String {
    // Producers come behind their consumers.
    let assigns = where_op.walk::<cin::Assign>();
    assigns.last().map_or_else(String::new, |assign| nest::name(assign.tensor()))
}

fn manner(forall: cin::Forall<'_>) -> String {
    let tasks = forall.tasks().map_or_else(String::new, |tasks| format!(" in {tasks} tasks"));
    let parallel = forall.parallel().map(|_| format!(" parallel{tasks}"));
    let unrolled = forall.unroll().map(|count| format!(" unrolled {count} times"));
    let vectors = forall.vectorize().map(|lanes| format!(" in vectors of {lanes}"));
    [parallel, unrolled, vectors].into_iter().flatten().collect()
}
