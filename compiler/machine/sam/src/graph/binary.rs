//! Joiners of many operands as joiners of two, for tools that have no others.
//!
//! ```text
//! crd, a, b, c = join A, B, C      becomes      crd1, a1, b1 = join A, B
//!                                                crd, a, c = join (crd1, a1), C
//!                                                  _, b, _ = join (crd1, b1), C
//! ```
//! Each operand in turn meets what has come of those before it. A joiner of two takes one reference from
//! either side, so that there is one for each of the references so far; they all find the same coordinates.
//! Words of bits are taken apart first, each operand for itself.

use super::{BlockId, BlockKind, Graph, GraphBlock, Join, JoinOperand, Port, Stream, StreamKind};
use std::collections::{HashMap, HashSet};

type End = (BlockId, Port);

impl Graph {
    /// The same graph with joiners of two operands at most. Scanners that several of them read skip no more,
    /// since these need other coordinates. Blocks are named anew.
    #[must_use]
    pub fn with_binary_joiners(&self) -> Self {
        let mut chains = Chains::default();
        for (id, block) in self.blocks.iter().enumerate() {
            match &block.kind {
                BlockKind::Join(join) if join.operands.len() > 2 => chains.expand(BlockId(id), block, join),
                _ => chains.keep(BlockId(id), block),
            }
        }
        let streams: Vec<Stream> = self.streams.iter().filter_map(|stream| chains.stream(stream)).collect();
        chains.streams.extend(streams);
        chains.finish(self)
    }
}

#[derive(Default)]
struct Chains {
    blocks: Vec<GraphBlock>,
    streams: Vec<Stream>,
    /// What an output of a joiner has become, and where what has entered it goes now.
    outputs: HashMap<End, End>,
    inputs: HashMap<End, Vec<End>>,
    kept: HashMap<BlockId, BlockId>,
}

#[derive(Clone)]
struct MergedOperand {
    operand: JoinOperand,
    crd: JoinInput,
    carried: JoinInput,
}

/// Whether the operands of a new joiner still skip.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Skips {
    Kept,
    Dropped,
}

#[derive(Clone, Copy)]
enum JoinInput {
    Old(End),
    New(End),
}

impl Chains {
    fn keep(&mut self, id: BlockId, block: &GraphBlock) {
        self.kept.insert(id, BlockId(self.blocks.len()));
        self.blocks.push(block.clone());
    }

    fn expand(&mut self, id: BlockId, block: &GraphBlock, join: &Join) {
        let sides: Vec<MergedOperand> =
            (0..join.operands.len()).map(|number| self.side(id, block, join, number)).collect();
        let mut joined = vec![sides[0].clone()];
        for side in &sides[1..] {
            // Several joiners that read one scanner would send it different coordinates to skip to.
            let skips = if joined.len() == 1 { Skips::Kept } else { Skips::Dropped };
            let meets: Vec<[MergedOperand; 2]> =
                joined.iter().map(|left| self.meet(block, join, [left, side], skips)).collect();
            if skips == Skips::Kept && join.width.is_none() {
                self.tell(id, join, &meets[0]);
            }
            let crd = meets[0][0].crd;
            joined = meets.iter().map(|[left, _]| MergedOperand { crd, ..left.clone() }).collect();
            joined.push(MergedOperand { crd, ..meets[0][1].clone() });
        }
        for (number, side) in joined.iter().enumerate() {
            self.becomes((id, Port::joined_ref(number)), side.carried);
        }
        self.becomes((id, Port::FIRST), joined[0].crd);
    }

    fn side(&mut self, id: BlockId, block: &GraphBlock, join: &Join, number: usize) -> MergedOperand {
        let [crd, carried] =
            [Port::operand_crd(number), Port::operand_ref(number)].map(|port| JoinInput::Old((id, port)));
        let side = MergedOperand { operand: join.operands[number].clone(), crd, carried };
        if join.width.is_none() {
            return side;
        }
        let apart = Join { operands: vec![side.operand.clone()], ..join.clone() };
        let new = self.block(GraphBlock { kind: BlockKind::Join(apart), ..block.clone() }, &[crd, carried]);
        MergedOperand { crd: JoinInput::New((new, Port(0))), carried: JoinInput::New((new, Port(1))), ..side }
    }

    /// A joiner of two; what each side carries comes with the coordinates of both.
    fn meet(
        &mut self,
        block: &GraphBlock,
        join: &Join,
        sides: [&MergedOperand; 2],
        skips: Skips,
    ) -> [MergedOperand; 2] {
        let operand = |side: &MergedOperand| JoinOperand {
            skips: side.operand.skips && skips == Skips::Kept,
            ..side.operand.clone()
        };
        let operands = sides.iter().map(|side| operand(side)).collect();
        let kind = BlockKind::Join(Join { operands, width: None, ..join.clone() });
        let inputs: Vec<JoinInput> = sides.iter().flat_map(|side| [side.crd, side.carried]).collect();
        let new = self.block(GraphBlock { kind, ..block.clone() }, &inputs);
        let crd = JoinInput::New((new, Port::FIRST));
        // What has been joined comes from no scanner.
        let side = |number: usize| MergedOperand {
            operand: JoinOperand { skips: false, ..sides[number].operand.clone() },
            crd,
            carried: JoinInput::New((new, Port::joined_ref(number))),
        };
        [side(0), side(1)]
    }

    /// Connects the skip streams to the scanners of the first two operands.
    fn tell(&mut self, id: BlockId, join: &Join, meet: &[MergedOperand; 2]) {
        let JoinInput::New((new, _)) = meet[0].crd else { return };
        let BlockKind::Join(pair) = &self.blocks[new.0].kind else { return };
        for operand in 0..2 {
            if let (Some(now), Some(before)) = (pair.skip(operand), join.skip(operand)) {
                self.outputs.insert((id, before), (new, now));
            }
        }
    }

    fn block(&mut self, block: GraphBlock, inputs: &[JoinInput]) -> BlockId {
        let id = BlockId(self.blocks.len());
        let kinds = block.kind.inputs();
        self.blocks.push(block);
        for (number, source) in inputs.iter().enumerate() {
            let to = (id, Port(number));
            match source {
                JoinInput::Old(input) => self.inputs.entry(*input).or_default().push(to),
                JoinInput::New(from) => self.connect(kinds[number], *from, to),
            }
        }
        id
    }

    fn connect(&mut self, kind: StreamKind, from: End, to: End) {
        match self.streams.iter_mut().find(|stream| stream.from == from) {
            Some(stream) => stream.to.push(to),
            None => self.streams.push(Stream { kind, from, to: vec![to] }),
        }
    }

    fn becomes(&mut self, output: End, source: JoinInput) {
        if let JoinInput::New(from) = source {
            self.outputs.insert(output, from);
        }
    }

    /// Returns a stream of the graph as it was; none where it led to a scanner that skips no more.
    fn stream(&self, stream: &Stream) -> Option<Stream> {
        let kept = |(block, port): End| self.kept.get(&block).map(|block| (*block, port));
        let from = kept(stream.from).or_else(|| self.outputs.get(&stream.from).copied())?;
        let to = |end: &End| match kept(*end) {
            Some(end) => vec![end],
            None => self.inputs.get(end).cloned().unwrap_or_default(),
        };
        Some(Stream { kind: stream.kind, from, to: stream.to.iter().flat_map(to).collect() })
    }

    fn finish(mut self, graph: &Graph) -> Graph {
        let ends = self.streams.iter().flat_map(|stream| stream.to.iter().copied());
        let told: HashSet<End> = ends.collect();
        for (id, block) in self.blocks.iter_mut().enumerate() {
            if let BlockKind::Scanner(scanner) = &mut block.kind {
                scanner.skips &= told.contains(&(BlockId(id), Port::SKIP));
            }
            block.name = GraphBlock::numbered(block.kind.clone(), id).name;
        }
        Graph { tensors: graph.tensors.clone(), blocks: self.blocks, streams: self.streams }
    }
}
