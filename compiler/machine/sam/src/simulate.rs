//! Runs a graph, token by token.
//!
//! Time goes in cycles. At the start of each, what blocks have put in the last one comes to its readers;
//! then every block that can takes one step (`block`). Blocks that wait are not looked at until a token
//! comes, so that the time a simulation takes depends on the number of tokens, not on that of blocks and
//! cycles.

#[macro_use]
mod fault;

mod advice;
mod block;
mod deadlock;
mod engine;
mod extents;
mod memory;
mod network;
mod observe;
mod outcome;
mod points;
mod report;
mod result_tiles;
mod token;
mod trace;

pub use fault::{Cause, SimulationFault};
pub use memory::{Cut, MemoryModel, MemoryReport, Pages, Untiled};
pub use observe::{Observe, Phase, Profile, Profiled, QueueReport, Timeline};
pub use outcome::{BlockReport, RunReport, StreamReport};
pub use points::PointReport;
pub use report::{Picture, ResultJson, RunJson, Shown, page};
pub use token::{Token, TokenCounts};
pub use trace::{Trace, TraceFormat};

use crate::graph::Graph;
use crate::machine::Timings;
use crate::storage::StoredTensor;
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SimulationOptions {
    /// How many tokens wait in a queue before its writer does. The writer knows of a token that is put or
    /// taken two cycles later, as in SAM's own simulator. Without it queues are unbounded.
    pub queue_depth: Option<NonZeroUsize>,
    /// Like `queue_depth`, of the queues behind scanners that skip alone; the smaller of the two applies. It
    /// bounds how far such a scanner runs ahead of its intersecter.
    pub skip_depth: Option<NonZeroUsize>,
    pub empty_coordinates: EmptyCoordinates,
    /// The memory that tensors come from. Without one everything is there in a cycle.
    pub memory: Option<MemoryModel>,
    pub timings: Timings,
}

/// What becomes of an empty token that comes to a unioner as a coordinate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EmptyCoordinates {
    /// It is dropped, as in Comal.
    #[default]
    Dropped,
    /// It goes on as a coordinate behind all others of its fiber, as in SAM's own simulator: lower levels
    /// have fibers for it, and what is written has phantom entries.
    Kept,
}

/// Runs a graph on the tensors that it reads, until all that it writes is stored.
///
/// # Errors
/// The graph's ports do not fit together, a tensor is missing or stored in another way than the graph reads
/// it, tensors disagree about an extent, a stream is not well formed, or all blocks wait for each other.
pub fn simulate(
    graph: &Graph,
    tensors: &BTreeMap<String, StoredTensor>,
    options: SimulationOptions,
) -> Result<RunReport, SimulationFault> {
    simulate_observed(graph, tensors, options, &mut |_| {}, Observe::default())
}

/// The same cycles and the same result, observed on the way, which takes longer.
///
/// # Errors
/// Those of [`simulate`], and a trace that cannot be written.
pub fn simulate_observed<'a>(
    graph: &'a Graph,
    tensors: impl Into<Tensors<'a>>,
    options: SimulationOptions,
    watch: &mut Watch<'_>,
    observe: Observe<'_, '_>,
) -> Result<RunReport, SimulationFault> {
    let tensors = tensors.into();
    graph.check_wiring().map_err(|error| SimulationFault::new(error.message).hint(error.hint))?;
    extents::check(graph, tensors.stored)?;
    options.memory.map_or(Ok(()), |memory| memory.check())?;
    let engine = engine::Engine::new(graph, tensors, options)?;
    if observe.is_nothing() { engine.run(watch) } else { engine.run_observed(watch, observe) }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The last cycle in which a block has done something.
    pub cycles: u64,
    pub tokens: u64,
}

/// Receives now and then how far a run has come: after the same steps of the same graph, some tens of
/// times a second.
pub type Watch<'w> = dyn FnMut(Progress) + 'w;

#[derive(Clone, Copy, Debug)]
pub struct Tensors<'a> {
    pub stored: &'a BTreeMap<String, StoredTensor>,
    /// What a memory that moves tiles has to know besides.
    pub untiled: &'a Untiled,
}

impl Tensors<'_> {
    /// Whether a graph is one of a statement in tiles, which may only add up what others have computed.
    pub(super) fn are_tiled(&self, graph: &Graph) -> bool {
        graph.has_tiles() || !self.untiled.sums.is_empty()
    }
}

impl<'a> From<&'a BTreeMap<String, StoredTensor>> for Tensors<'a> {
    fn from(stored: &'a BTreeMap<String, StoredTensor>) -> Self {
        const NOTHING: &Untiled =
            &Untiled { dense: BTreeSet::new(), sums: BTreeSet::new(), cuts: BTreeMap::new() };
        Self { stored, untiled: NOTHING }
    }
}
