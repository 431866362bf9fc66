//! What each kind of block does in a cycle.
//!
//! A block is a state machine that looks at the tokens in front of its inputs, takes some of them, and puts
//! at most one token on each output. What it does depends on which tokens come, not on when: a block that
//! waits does so until the next token of a certain input is there. `../../README.md` has the rules with
//! their sources.

mod accumulate;
mod compute;
mod drop;
mod fetch;
mod hold;
mod join;
mod locate;
mod parallel;
mod reduce;
mod repeat;
mod scanner;
mod words;
mod write;

use super::fault::SimulationFault;
use super::memory::{StoredTiles, Untiled};
use super::network::Io;
use super::outcome::{extent, result_dims};
use super::token::Token;
use super::{EmptyCoordinates, Tensors};
use crate::graph::sources::Sources;
use crate::graph::{BlockId, BlockKind, CoordinateForm, EmptyFiber, Graph, GraphBlock, Port};
use crate::storage::StoredTensor;
use std::collections::BTreeMap;

pub(super) use write::WrittenPart;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// A token was taken or put; the block may do more in the next cycle.
    Moved,
    Waits,
    /// The block has ended its outputs, or has stored all.
    Ends,
}

impl Step {
    fn behind(token: Token) -> Self {
        if token == Token::Done { Self::Ends } else { Self::Moved }
    }
}

pub(super) type Stepped = Result<Step, SimulationFault>;

pub(super) trait Behaviour {
    fn step(&mut self, io: &mut Io<'_>) -> Stepped;

    /// Whether it moves as many tokens in a step as its bus has wires. The others move one in a step, and
    /// take several steps in a cycle.
    fn is_wide(&self) -> bool {
        false
    }

    fn lacks(&self, _input: usize) -> bool {
        true
    }

    fn written(&mut self) -> Option<WrittenPart> {
        None
    }
}

/// Returns a block that takes a token of each of its inputs in a step, and ends with them.
fn lockstep<'a, const INPUTS: usize>(
    put: impl FnMut(&mut Io<'_>, [Token; INPUTS]) -> Result<(), SimulationFault> + 'a,
) -> Box<dyn Behaviour + 'a> {
    Box::new(Lockstep(put))
}

struct Lockstep<const INPUTS: usize, F>(F);

impl<const INPUTS: usize, F> Behaviour for Lockstep<INPUTS, F>
where
    F: FnMut(&mut Io<'_>, [Token; INPUTS]) -> Result<(), SimulationFault>,
{
    fn step(&mut self, io: &mut Io<'_>) -> Stepped {
        let mut tokens = [Token::Done; INPUTS];
        for (input, token) in tokens.iter_mut().enumerate() {
            let Some(front) = io.front(input) else { return Ok(Step::Waits) };
            *token = front;
        }
        (self.0)(io, tokens)?;
        io.take_all(0..INPUTS);
        Ok(Step::behind(tokens[0]))
    }
}

fn not_ascending(before: Token, found: Token) -> SimulationFault {
    fault!("found the coordinate {found} behind {before}, expected them to ascend in a fiber")
        .hint("a tensor is not sorted, or a stream comes from the wrong block")
}

pub(super) struct RunInputs<'a> {
    graph: &'a Graph,
    pub(super) tensors: &'a BTreeMap<String, StoredTensor>,
    untiled: &'a Untiled,
    sources: Sources<'a>,
    pub(super) result: Vec<usize>,
    empty_coordinates: EmptyCoordinates,
}

impl<'a> RunInputs<'a> {
    pub(super) fn new(
        graph: &'a Graph,
        Tensors { stored: tensors, untiled }: Tensors<'a>,
        empty_coordinates: EmptyCoordinates,
    ) -> Self {
        let (sources, result) = (Sources::new(graph), result_dims(graph, tensors));
        Self { graph, tensors, untiled, sources, result, empty_coordinates }
    }

    /// The extent of a mode of the result, where something that is scanned says it.
    fn extent(&self, mode: usize) -> Option<usize> {
        self.result.get(mode).copied().filter(|extent| *extent > 0)
    }

    /// Where the level that a writer stores is among those of the result.
    fn place(&self, mode: usize) -> Option<usize> {
        self.graph.tensors.first()?.order.iter().position(|other| *other == mode)
    }
}

pub(super) fn start<'a>(
    id: BlockId,
    given: &RunInputs<'a>,
) -> Result<Box<dyn Behaviour + 'a>, SimulationFault> {
    let (block, tensors): (&GraphBlock, _) = (&given.graph.blocks[id.0], given.tensors);
    let stored = |name: &str| {
        tensors.get(name).ok_or_else(|| fault!("tensor `{name}` of block `{}` is not given", block.name))
    };
    Ok(match &block.kind {
        BlockKind::Scanner(scanner) => scanner::start(scanner, stored(&scanner.tensor)?)?,
        BlockKind::Repeat(_) => Box::new(repeat::Repeater::default()),
        BlockKind::RepeatSignal { .. } => repeat::signals(given.empty_coordinates),
        BlockKind::Join(join) => match join.width {
            None => join::start(join, given.empty_coordinates),
            Some(width) => Box::new(words::WordJoiner::new(join, width, block.lanes)),
        },
        BlockKind::ToWords(to_words) => {
            let extent = extent(given.graph, tensors, &to_words.index);
            Box::new(words::Converter::new(to_words, extent, block.lanes))
        }
        BlockKind::Parallelize(_) => Box::new(parallel::Parallelizer::default()),
        BlockKind::Serialize(serialize) => parallel::serializer(serialize),
        BlockKind::Array { tensor, .. } => compute::loads(&stored(tensor)?.values.bits),
        BlockKind::Alu(alu) => compute::alu(*alu),
        BlockKind::Apply(apply) => compute::apply(*apply),
        BlockKind::Locate(locate) => {
            Box::new(locate::Locator::new(locate, tensors.get(&locate.tensor), &given.result)?)
        }
        BlockKind::Fetch(fetch) => {
            let tiles = StoredTiles::new(&fetch.tensor, stored(&fetch.tensor)?, given.untiled);
            let around = given.sources.source((id, Port::FIRST)).map(|from| given.sources.loops(from));
            Box::new(fetch::Fetcher::new(fetch, tiles, &around.unwrap_or_default())?)
        }
        BlockKind::Mask(mask) => compute::mask(*mask),
        BlockKind::Reduce(reduce) if reduce.empty == EmptyFiber::Absent => {
            Box::new(reduce::GuidedReducer::new(*reduce))
        }
        BlockKind::Reduce(reduce) => Box::new(reduce::Reducer::new(*reduce)),
        BlockKind::Accumulate(accumulate) => match accumulate.form {
            CoordinateForm::Levels => Box::new(accumulate::FiberAccumulator::new(accumulate)),
            CoordinateForm::Points => Box::new(accumulate::PointAccumulator::new(accumulate)),
        },
        BlockKind::Drop { what, .. } => drop::start(*what),
        BlockKind::Hold { .. } => Box::new(hold::Holder::default()),
        BlockKind::WriteLevel(level) => {
            let (place, extent) = (given.place(level.mode), given.extent(level.mode));
            Box::new(write::LevelWriter::new(level, place, extent, given.empty_coordinates))
        }
        BlockKind::WriteValues(write) => write::values(write, tensors.get(&write.tensor), &given.result)?,
    })
}
