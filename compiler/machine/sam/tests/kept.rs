//! Results that keep the elements that nothing is written to.

use crate::notation::statement;
use crate::pack::pack;
use crate::run;
use comet_sam::graph::{GraphLevel, Reduction};
use comet_sam::lower::lower;
use comet_sam::storage::Entry;
use std::collections::BTreeMap;

/// A reduction of nothing, outside of the variables of the result, writes nothing.
#[test]
fn a_reduction_of_nothing_keeps_elements() {
    let mut statement = statement("X(i,i) = B(k)", &["k", "i"].map(str::to_owned));
    (statement.keeps, statement.fill) = (true, Reduction::Add);
    statement.tensors[0].levels.fill(GraphLevel::Dense);
    let before: Vec<Entry> = (0..4).map(|place| (vec![place / 2, place % 2], 5.0.into())).collect();
    let [result, operand] = [0, 1].map(|number| &statement.tensors[number]);
    let stored = BTreeMap::from([
        (result.name.clone(), pack(result, &[2, 2], &before)),
        (operand.name.clone(), pack(operand, &[3], &[])),
    ]);
    let lowered = lower(&statement).expect("it can be lowered");
    let extent = |index: &str| if index == "k" { 3 } else { 2 };
    run::compare(&statement, &lowered, &stored, &extent).expect("elements are kept");
}
