//! A run reports how far it has come.

use crate::notation::statement;
use crate::pack::pack;
use comet_sam::lower::lower;
use comet_sam::simulate::{Observe, Progress, RunReport, SimulationOptions, simulate_observed};
use comet_sam::storage::Entry;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;

/// The sum of two vectors, of so many elements each, and what was reported on the way.
fn watched(elements: usize, options: SimulationOptions) -> (RunReport, Vec<Progress>) {
    let statement = statement("x(i) = b(i) + c(i)", &["i".to_owned()]);
    let entries: Vec<Entry> = (0..elements).map(|place| (vec![place], (place as f64).into())).collect();
    let stored = (1..3).map(|tensor| {
        let format = &statement.tensors[tensor];
        (format.name.clone(), pack(format, &[elements], &entries))
    });
    let tensors: BTreeMap<_, _> = stored.collect();
    let lowered = lower(&statement).expect("it can be lowered");
    let mut told = Vec::new();
    let outcome = simulate_observed(
        lowered.last(),
        &tensors,
        options,
        &mut |progress| told.push(progress),
        Observe::default(),
    );
    (outcome.expect("it runs"), told)
}

/// Blocks in their own time, and all of them together.
#[test]
fn counts_grow() {
    for queue_depth in [None, NonZeroUsize::new(8)] {
        let (outcome, told) =
            watched(140_000, SimulationOptions { queue_depth, ..SimulationOptions::default() });
        assert!(told.len() > 1, "{told:?}");
        assert!(
            told.windows(2).all(|pair| pair[0].cycles < pair[1].cycles && pair[0].tokens < pair[1].tokens),
            "{told:?}"
        );
        let last = told[told.len() - 1];
        let tokens: u64 = outcome.streams.iter().map(|stream| stream.counts.total()).sum();
        assert!(last.cycles <= outcome.cycles && last.tokens <= tokens, "{last:?} of {}", outcome.cycles);
    }
}

#[test]
fn short_runs_tell_nothing() {
    assert_eq!(watched(3, SimulationOptions::default()).1, []);
}
