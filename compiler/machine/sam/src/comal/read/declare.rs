//! What each operation is: its blocks, what comes out of them, and what they want to read.

use super::branches::BranchMerge;
use super::{ComalReader, ComalSource, Key};
use crate::comal::ComalError;
use crate::comal::message::{
    ArrayVals, Branches, Branching, Bundle, Carried, CoordPair, FiberLookup, FiberWrite, Intrinsic, JoinType,
    Joiner, Locate, Op, Operation, Reduce, ReduceType, Repeat, RepeatInput, RepeatOutput, RepeatOver,
    RepeatSig, SparseAccumulator, Stream, ValWrite,
};
use crate::graph::{
    self, Accumulate, Apply, BlockId, BlockKind, CoordinateForm, Dropped, Element, EmptyFiber, FiberNesting,
    Function, GraphLevel, Join, JoinOperand, Merge, Parallelize, Port, Reduction, Scanner, StreamKind,
    ValuePlacement, WriteLevel, WriteValues,
};

/// What is computed with: files do not say.
pub(super) const ELEMENT: Element = Element::F64;

impl ComalReader {
    /// Declares an operation, whose number messages name.
    pub(super) fn declare(&mut self, number: usize, operation: Operation) -> Result<(), ComalError> {
        let name = operation.name;
        let Some(op) = operation.op else {
            let hint = "the file may be of a later version of the format";
            return Err(ComalError::new(format!("operation {number} (`{name}`) is of no known kind"), hint));
        };
        let unsupported = |what: &str| {
            let message = format!("operation {number} (`{name}`): {what} are not supported yet");
            Err(ComalError::new(message, "express it by other operations"))
        };
        match op {
            Op::Root(root) => self.produce(StreamKind::Ref, root.output_ref.as_ref(), ComalSource::Root),
            Op::Broadcast(broadcast) => self.broadcast(broadcast),
            Op::FiberLookup(lookup) => self.lookup(number, &lookup)?,
            Op::Repeat(repeat) => self.repeat(number, &repeat),
            Op::RepeatSig(RepeatSig { index, input_crd, output, .. }) => {
                self.pass(number, BlockKind::RepeatSignal { index }, input_crd.as_ref(), output.as_ref());
            }
            Op::Joiner(joiner) => self.joiner(number, &joiner)?,
            Op::Array(array) if array.blocked => return unsupported("values that are blocks"),
            Op::Array(ArrayVals { tensor, input_ref, output_val, .. }) => {
                let kind = BlockKind::Array { tensor, root: false };
                self.pass(number, kind, input_ref.as_ref(), output_val.as_ref());
            }
            Op::Locate(locate) => self.locate(number, &locate),
            Op::Alu(alu) if alu.blocked => return unsupported("values that are blocks"),
            Op::Alu(alu) => self.alu(number, &alu)?,
            Op::Intrinsic(intrinsic) => self.intrinsic(number, &intrinsic)?,
            Op::Reduce(reduce) if reduce.blocked => return unsupported("values that are blocks"),
            Op::Reduce(reduce) => self.reduce(number, &reduce)?,
            Op::SparseAccumulator(spacc) if spacc.blocked => return unsupported("values that are blocks"),
            Op::SparseAccumulator(accumulator) => self.accumulator(number, &accumulator)?,
            Op::CoordDrop(drop) => {
                let (outer, inner) = (drop.outer_crd.clone(), drop.inner_crd.clone());
                self.pair(number, BlockKind::Drop { outer, inner, what: Dropped::EmptyFibers }, &drop);
            }
            Op::CoordHold(hold) => {
                let (outer, inner) = (hold.outer_crd.clone(), hold.inner_crd.clone());
                self.pair(number, BlockKind::Hold { outer, inner }, &hold);
            }
            Op::FiberWrite(write) => self.write_level(number, &write)?,
            Op::ValWrite(write) => self.write_values(number, &write),
            Op::Fork(fork) => self.fork(number, fork)?,
            Op::Join(join) => self.merge(number, join)?,
            Op::CoordMask(_) => return unsupported("coordinate maskers"),
            Op::GenRef(_) => return unsupported("generated references"),
            Op::Concat(_) => return unsupported("concatenations"),
        }
        Ok(())
    }

    fn produce(&mut self, kind: StreamKind, stream: Option<&Stream>, source: ComalSource) {
        if let Some(id) = stream.and_then(Stream::id) {
            self.produced.insert((kind, id), source);
        }
    }

    pub(super) fn output(&mut self, block: BlockId, port: Port, stream: Option<&Stream>) {
        let kind = self.kinds[block.0].outputs()[port.0];
        self.produce(kind, stream, ComalSource::Output((block, port)));
    }

    pub(super) fn want(&mut self, block: BlockId, port: Port, stream: Option<&Stream>) {
        let kind = self.kinds[block.0].inputs()[port.0];
        if let Some(id) = stream.and_then(Stream::id) {
            self.wanted.push(((block, port), (kind, id)));
        }
    }

    fn broadcast(&mut self, broadcast: Branching) {
        let Some((kind, bundle)) = bundle(broadcast) else { return };
        let Some(trunk) = bundle.trunk.as_ref().and_then(Stream::id) else { return };
        for branch in &bundle.branches {
            self.produce(kind, Some(branch), ComalSource::Copy((kind, trunk)));
        }
    }

    fn lookup(&mut self, number: usize, lookup: &FiberLookup) -> Result<(), ComalError> {
        let scanner = Scanner {
            index: lookup.index.clone(),
            tensor: lookup.tensor.clone(),
            mode: mode(lookup.mode)?,
            level: level(number, &lookup.format)?,
            root: lookup.root,
            skips: false,
        };
        let block = self.block(number, BlockKind::Scanner(scanner));
        self.want(block, Port::FIRST, lookup.input_ref.as_ref());
        self.output(block, Port::FIRST, lookup.output_crd.as_ref());
        self.output(block, Port::SECOND, lookup.output_ref.as_ref());
        Ok(())
    }

    fn repeat(&mut self, number: usize, repeat: &Repeat) {
        let carries = match repeat.output {
            Some(RepeatOutput::Val(_)) => StreamKind::Val,
            _ => StreamKind::Ref,
        };
        let (index, tensor) = (repeat.index.clone(), repeat.tensor.clone());
        let kind = BlockKind::Repeat(graph::Repeat { index, tensor, root: repeat.root, carries });
        let block = self.block(number, kind);
        if let Some(RepeatInput::Ref(stream) | RepeatInput::Val(stream)) = &repeat.input {
            self.want(block, Port::FIRST, Some(stream));
        }
        if let Some(RepeatOutput::Ref(stream) | RepeatOutput::Val(stream)) = &repeat.output {
            self.output(block, Port::FIRST, Some(stream));
        }
        let over = match &repeat.over {
            Some(RepeatOver::Ref(stream)) => stream.id().map(|id| (StreamKind::Ref, id)),
            Some(RepeatOver::Val(stream)) => stream.id().map(|id| (StreamKind::Val, id)),
            None => None,
        };
        self.repeated.extend(over.map(|over| (block, over)));
    }

    fn joiner(&mut self, number: usize, joiner: &Joiner) -> Result<(), ComalError> {
        if joiner.input_pairs.len() != joiner.output_refs.len() || joiner.input_pairs.is_empty() {
            let (pairs, refs) = (joiner.input_pairs.len(), joiner.output_refs.len());
            let found = format!("operation {number} joins {pairs} operands and has {refs} outputs for them");
            return Err(ComalError::new(
                found,
                "a joiner has an output in `output_refs` for each of `input_pairs`",
            ));
        }
        let inputs = || joiner.input_pairs.iter().map(|pair| pair.in_ref.as_ref()?.stream.as_ref());
        let operand = |(place, carried): (usize, Option<&Carried>)| JoinOperand {
            name: format!("operand{place}"),
            carries: carried.map_or(StreamKind::Ref, |carried| split(carried).0),
            skips: false,
        };
        let join_type = JoinType::try_from(joiner.join_type);
        let how = match join_type.map_err(|_| unknown(number, "joiner", joiner.join_type))? {
            JoinType::Intersect => Merge::Intersect,
            JoinType::Union => Merge::Union,
        };
        let operands = inputs().enumerate().map(operand).collect();
        let join = Join { how, index: joiner.index.clone(), operands, width: None };
        let block = self.block(number, BlockKind::Join(join));
        for (place, (pair, carried)) in joiner.input_pairs.iter().zip(inputs()).enumerate() {
            self.want(block, Port::operand_crd(place), pair.crd.as_ref());
            self.want(block, Port::operand_ref(place), carried.map(|carried| split(carried).1));
        }
        self.output(block, Port::FIRST, joiner.output_crd.as_ref());
        for (place, output) in joiner.output_refs.iter().enumerate() {
            let stream = output.stream.as_ref().map(|carried| split(carried).1);
            self.output(block, Port::joined_ref(place), stream);
        }
        Ok(())
    }

    /// Declares a block of one input and one output.
    fn pass(&mut self, number: usize, kind: BlockKind, input: Option<&Stream>, output: Option<&Stream>) {
        let block = self.block(number, kind);
        self.want(block, Port::FIRST, input);
        self.output(block, Port::FIRST, output);
    }

    /// A locator looks coordinates up in an outermost dense level; whose it is, shows in who reads the
    /// references. Those that come along go on as they are.
    fn locate(&mut self, number: usize, locate: &Locate) {
        let located = graph::Locate {
            index: String::new(),
            tensor: String::new(),
            mode: 0,
            level: GraphLevel::Dense,
            root: true,
        };
        let block = self.block(number, BlockKind::Locate(located));
        self.want(block, Port::FIRST, locate.input_crd.as_ref());
        self.output(block, Port::FIRST, locate.output_crd.as_ref());
        self.output(block, Port::SECOND, locate.output_ref1.as_ref());
        if let Some(along) = locate.input_ref.as_ref().and_then(Stream::id) {
            let source = ComalSource::Copy((StreamKind::Ref, along));
            self.produce(StreamKind::Ref, locate.output_ref2.as_ref(), source);
        }
    }

    fn intrinsic(&mut self, number: usize, intrinsic: &Intrinsic) -> Result<(), ComalError> {
        let name = intrinsic.name.to_ascii_lowercase();
        let Some(function) = Function::plain().find(|function| function.name() == name) else {
            let names: Vec<&str> = Function::plain().map(|function| function.name()).collect();
            let message = format!("operation {number}: `{name}` is no function");
            return Err(ComalError::new(message, format!("expected one of {}", names.join(", "))));
        };
        let kind = BlockKind::Apply(Apply { function, element: ELEMENT });
        self.pass(number, kind, intrinsic.input_val.as_ref(), intrinsic.output_val.as_ref());
        Ok(())
    }

    fn reduce(&mut self, number: usize, reduce: &Reduce) -> Result<(), ComalError> {
        let reduce_type = ReduceType::try_from(reduce.reduce_type);
        let reduction = match reduce_type.map_err(|_| unknown(number, "reducer", reduce.reduce_type))? {
            ReduceType::Add | ReduceType::AddSum => Reduction::Add,
            ReduceType::Max => Reduction::Max,
        };
        let kind = graph::Reduce { reduction, element: ELEMENT, empty: EmptyFiber::Zero, inputs: 1 };
        self.pass(number, BlockKind::Reduce(kind), reduce.input_val.as_ref(), reduce.output_val.as_ref());
        Ok(())
    }

    /// An accumulator keeps the innermost coordinates; that of what it reduces over comes last, and its
    /// fibers follow from those inside.
    fn accumulator(&mut self, number: usize, accumulator: &SparseAccumulator) -> Result<(), ComalError> {
        let order = usize::try_from(accumulator.order).unwrap_or(usize::MAX);
        let outer = accumulator.input_outer_crds.len();
        if order == 0 || order > outer + 1 || accumulator.output_outer_crds.len() + 1 < order {
            let message =
                format!("operation {number} accumulates order {order} with {outer} outer coordinates");
            let hint = "expected coordinates for each of its order, and outputs for all but the innermost";
            return Err(ComalError::new(message, hint));
        }
        let name = |at: usize| accumulator.outer_crds.get(at).cloned().unwrap_or_else(|| format!("o{at}"));
        let inner = accumulator.inner_crd.clone();
        let kind = Accumulate {
            order,
            indices: std::iter::once(inner).chain((0..order - 1).map(name)).collect(),
            form: CoordinateForm::Levels,
            empty: EmptyFiber::Absent,
            reduction: Reduction::Add,
            element: ELEMENT,
            inputs: 1,
        };
        let block = self.block(number, BlockKind::Accumulate(kind));
        self.want(block, Port::FIRST, accumulator.input_inner_crd.as_ref());
        self.output(block, Port::FIRST, accumulator.output_inner_crd.as_ref());
        for at in 1..order {
            self.want(block, Port(at), accumulator.input_outer_crds.get(at - 1));
            self.output(block, Port(at), accumulator.output_outer_crds.get(at - 1));
        }
        self.want(block, Port(order), accumulator.input_val.as_ref());
        self.output(block, Port(order), accumulator.output_val.as_ref());
        Ok(())
    }

    fn pair(&mut self, number: usize, kind: BlockKind, pair: &CoordPair) {
        let block = self.block(number, kind);
        self.want(block, Port::FIRST, pair.input_outer_crd.as_ref());
        self.want(block, Port::SECOND, pair.input_inner_crd.as_ref());
        self.output(block, Port::FIRST, pair.output_outer_crd.as_ref());
        self.output(block, Port::SECOND, pair.output_inner_crd.as_ref());
    }

    fn write_level(&mut self, number: usize, write: &FiberWrite) -> Result<(), ComalError> {
        let stated = match write.mode.as_str() {
            "" => Ok(None),
            text => text.parse().map(Some).map_err(|_| {
                let message = format!("operation {number} writes mode `{text}`, expected a number");
                ComalError::new(
                    message,
                    "number the modes of a tensor from 0 on in `mode_val`, or leave it out",
                )
            }),
        };
        let kind = WriteLevel {
            index: write.index.clone(),
            tensor: write.tensor.clone(),
            mode: stated?.unwrap_or(super::tensors::UNSTATED),
            level: level(number, &write.format)?,
            fibers: FiberNesting::Nested,
        };
        let block = self.block(number, BlockKind::WriteLevel(kind));
        self.want(block, Port::FIRST, write.input_crd.as_ref());
        Ok(())
    }

    fn write_values(&mut self, number: usize, write: &ValWrite) {
        let (tensor, fill) = (write.tensor.clone(), Reduction::Add);
        let kind = WriteValues { tensor, fill, element: ELEMENT, places: ValuePlacement::InOrder };
        let block = self.block(number, BlockKind::WriteValues(kind));
        self.want(block, Port::FIRST, write.input_val.as_ref());
    }

    fn fork(&mut self, number: usize, fork: Branching) -> Result<(), ComalError> {
        let (carries, bundle) = branches(number, fork)?;
        let (index, factor) = (String::new(), bundle.branches.len());
        let block = self.block(number, BlockKind::Parallelize(Parallelize { index, factor, carries }));
        self.want(block, Port::FIRST, bundle.trunk.as_ref());
        for (place, branch) in bundle.branches.iter().enumerate() {
            self.output(block, Port(place), Some(branch));
        }
        Ok(())
    }

    fn merge(&mut self, number: usize, join: Branching) -> Result<(), ComalError> {
        let (kind, bundle) = branches(number, join)?;
        let inputs: Vec<Key> =
            bundle.branches.iter().filter_map(|branch| Some((kind, branch.id()?))).collect();
        if inputs.len() < bundle.branches.len() {
            let message = format!("operation {number} joins a branch without a stream");
            return Err(ComalError::new(message, "number the streams of all branches from 1 on"));
        }
        let block = self.block(number, super::branches::unmerged(kind, inputs.len()));
        self.output(block, Port::FIRST, bundle.trunk.as_ref());
        self.merged.push(BranchMerge { block, inputs });
        Ok(())
    }
}

/// What a kind of operation is that the format's definition does not have.
pub(super) fn unknown(number: usize, what: &str, found: i32) -> ComalError {
    let message = format!("operation {number} has a {what} of type {found}, which is not known");
    ComalError::new(message, "the file may be of a later version of the format")
}

/// What a fork deals out or a join merges, of which there are one or more.
fn branches(number: usize, branching: Branching) -> Result<(StreamKind, Bundle), ComalError> {
    let bundle = bundle(branching).filter(|(_, bundle)| {
        !bundle.branches.is_empty() && bundle.branches.iter().all(|branch| branch.id().is_some())
    });
    bundle.ok_or_else(|| {
        let message = format!("operation {number} has no branches, or branches without streams");
        ComalError::new(message, "a fork or a join has a stream for each of its branches")
    })
}

fn bundle(branching: Branching) -> Option<(StreamKind, Bundle)> {
    Some(match branching.conn? {
        Branches::Crd(bundle) => (StreamKind::Crd, bundle),
        Branches::Ref(bundle) => (StreamKind::Ref, bundle),
        Branches::Val(bundle) => (StreamKind::Val, bundle),
        Branches::RepSig(bundle) => (StreamKind::Repsig, bundle),
    })
}

fn split(carried: &Carried) -> (StreamKind, &Stream) {
    match carried {
        Carried::Ref(stream) => (StreamKind::Ref, stream),
        Carried::Val(stream) => (StreamKind::Val, stream),
    }
}

fn mode(mode: u64) -> Result<usize, ComalError> {
    let mode = usize::try_from(mode).ok().filter(|mode| *mode < super::tensors::UNSTATED);
    mode.ok_or_else(|| ComalError::new("a tensor has too many modes", "number its modes from 0 on"))
}

fn level(number: usize, format: &str) -> Result<GraphLevel, ComalError> {
    match format {
        "compressed" => Ok(GraphLevel::Compressed),
        "dense" | "uncompressed" => Ok(GraphLevel::Dense),
        other => {
            let message = format!("operation {number} has a level in format `{other}`");
            Err(ComalError::new(message, "expected `compressed` or `dense`"))
        }
    }
}
