//! Statements in queues of a limited depth.

use super::{by_name, observed, run, run_with};
use comet_sam::graph::{BlockKind, Graph};
use comet_sam::lower::Lowered;
use comet_sam::simulate::{RunReport, SimulationOptions};
use comet_sam::storage::StoredTensor;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;

/// What came of a run in bounded queues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Run {
    /// It has computed what it does in unbounded ones.
    Ended,
    /// The queues were too shallow.
    Stuck,
}

/// Queues so deep are enough for all graphs but those that [`needs_deep_queues`] finds, on fibers that are no
/// longer.
const ENOUGH: usize = 8;

/// In queues of this depth the same comes out, unless they are too shallow, and it does so in whichever order
/// the blocks come.
pub(crate) fn compare_queues(
    lowered: &Lowered,
    shuffled: &Lowered,
    tensors: &BTreeMap<String, StoredTensor>,
    extent: &dyn Fn(&str) -> usize,
    depth: usize,
) -> Result<Run, String> {
    let options = SimulationOptions { queue_depth: NonZeroUsize::new(depth), ..SimulationOptions::default() };
    let free = run(lowered, tensors, extent, SimulationOptions::default())?;
    let bounded = run(lowered, tensors, extent, options);
    let shuffled = run(shuffled, tensors, extent, options);
    let may_be_stuck = depth < ENOUGH || lowered.graphs.iter().any(needs_deep_queues);
    match (bounded, shuffled) {
        (Ok(bounded), Ok(shuffled)) => {
            let results = |outcomes: &[RunReport]| -> Vec<StoredTensor> {
                outcomes.iter().map(|outcome| outcome.result.clone()).collect()
            };
            if results(&bounded) != results(&free) {
                return Err(format!("in queues of {depth} {bounded:?}, in others {free:?}"));
            }
            run_with(lowered, tensors, extent, &mut |graph, tensors| {
                observed::compare(graph, tensors, options)
            })?;
            let (bounded, shuffled) = (by_name(bounded), by_name(shuffled));
            if bounded == shuffled {
                return Ok(Run::Ended);
            }
            Err(format!("in one order of the blocks {bounded:?}, in another one {shuffled:?}"))
        }
        (Err(fault), Err(other)) if may_be_stuck && is_deadlock(&fault) && is_deadlock(&other) => {
            Ok(Run::Stuck)
        }
        (bounded, shuffled) => {
            Err(format!("in queues of {depth} {bounded:?}, in another order of the blocks {shuffled:?}"))
        }
    }
}

/// Whether deeper queues help.
fn is_deadlock(fault: &str) -> bool {
    fault.starts_with("deadlock") && fault.contains("deepen the queues")
}

/// Whether an outer coordinate comes behind its fiber, which a dropper gives so, and is needed for the tokens
/// of the fiber, by a reducer of two levels or a hold.
fn needs_deep_queues(graph: &Graph) -> bool {
    let is_dropper = |block: &usize| matches!(graph.blocks[*block].kind, BlockKind::Drop { .. });
    let mut behind: Vec<usize> = (0..graph.blocks.len()).filter(is_dropper).collect();
    let mut next = 0;
    while let Some(&block) = behind.get(next) {
        let streams = graph.streams.iter().filter(|stream| stream.from.0.0 == block);
        for (reader, _) in streams.flat_map(|stream| &stream.to) {
            if !behind.contains(&reader.0) {
                behind.push(reader.0);
            }
        }
        next += 1;
    }
    behind.into_iter().any(|block| match &graph.blocks[block].kind {
        BlockKind::Accumulate(accumulate) => accumulate.order > 1,
        kind => matches!(kind, BlockKind::Hold { .. }),
    })
}
