//! The ports of each kind of block, and what moves through them.

use crate::arithmetic::block_type;

use super::{
    Accumulate, BlockKind, CoordinateForm, Dropped, EmptyFiber, GraphLevel, Join, Reduce, Serialize,
    StreamKind, ValuePlacement,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Port(pub usize);

impl Port {
    /// The first coordinates: of a scanner, a joiner; the outer ones of a dropper and of a hold.
    pub const FIRST: Self = Self(0);
    /// The references of a scanner and of a locator; the signals of a repeater; the inner stream of a dropper
    /// and of a hold.
    pub const SECOND: Self = Self(1);

    pub const fn operand_crd(operand: usize) -> Self {
        Self(2 * operand)
    }

    pub const fn operand_ref(operand: usize) -> Self {
        Self(2 * operand + 1)
    }

    pub const fn joined_ref(operand: usize) -> Self {
        Self(1 + operand)
    }

    pub const SKIP: Self = Self(1);
}

impl BlockKind {
    /// What enters, input by input. A root's scanner has its references built in, so has a root's repeater.
    pub fn inputs(&self) -> Vec<StreamKind> {
        use StreamKind::{Bv, Crd, Ref, Repsig, Val};
        match self {
            Self::Scanner(scanner) => [vec![Ref], vec![Crd; usize::from(scanner.skips)]].concat(),
            Self::Repeat(repeat) => vec![repeat.carries, Repsig],
            Self::RepeatSignal { .. } => vec![Crd],
            Self::WriteLevel(write) => vec![coordinates(write.level)],
            Self::Join(join) => {
                let crd = join.width.map_or(Crd, |_| Bv);
                join.operands.iter().flat_map(|operand| [crd, operand.carries]).collect()
            }
            Self::ToWords(words) => [vec![Crd], vec![Ref; usize::from(words.refs)]].concat(),
            Self::Parallelize(parallelize) => vec![parallelize.carries],
            Self::Serialize(Serialize { factor, carries: None, .. }) => vec![Crd; *factor],
            Self::Serialize(Serialize { factor, carries: Some(carried), .. }) => {
                [Crd, carried.kind].repeat(*factor)
            }
            Self::Array { .. } | Self::Fetch(_) => vec![Ref],
            Self::Locate(_) => vec![Crd, Ref],
            Self::Alu(_) | Self::Mask(_) => vec![Val, Val],
            Self::Reduce(Reduce { empty, inputs, .. }) => {
                [vec![Val; *inputs], vec![Crd; usize::from(*empty == EmptyFiber::Absent)]].concat()
            }
            Self::WriteValues(write) if write.places != ValuePlacement::InOrder => vec![Ref, Val],
            Self::Apply(_) | Self::WriteValues(_) => vec![Val],
            Self::Accumulate(accumulate) => points(accumulate.indices.len()).repeat(accumulate.inputs),
            Self::Drop { what, .. } => vec![Crd, what.inner()],
            Self::Hold { .. } => vec![Crd, Crd],
        }
    }

    pub fn outputs(&self) -> Vec<StreamKind> {
        use StreamKind::{Bv, Crd, Ref, Repsig, Val};
        match self {
            Self::Scanner(scanner) => vec![coordinates(scanner.level), Ref],
            Self::Locate(_) => vec![Crd, Ref],
            Self::Fetch(_) => vec![Ref],
            Self::ToWords(words) => [vec![Bv], vec![Ref; usize::from(words.refs)]].concat(),
            Self::Parallelize(parallelize) => vec![parallelize.carries; parallelize.factor],
            Self::Serialize(serialize) => vec![serialize.carries.map_or(Crd, |carried| carried.kind)],
            Self::Repeat(repeat) => vec![repeat.carries],
            Self::RepeatSignal { .. } => vec![Repsig],
            Self::Join(join) => {
                let carried = join.operands.iter().map(|operand| operand.carries);
                let skips = join.operands.iter().filter(|operand| operand.skips).map(|_| Crd);
                [Crd].into_iter().chain(carried).chain(skips).collect()
            }
            Self::Array { .. } | Self::Alu(_) | Self::Apply(_) | Self::Mask(_) | Self::Reduce(_) => {
                vec![Val]
            }
            Self::Accumulate(accumulate) => points(accumulate.indices.len()),
            Self::Drop { what, .. } => vec![Crd, what.inner()],
            Self::Hold { .. } => vec![Crd, Crd],
            Self::WriteLevel(_) | Self::WriteValues(_) => vec![],
        }
    }

    /// Whether the block works without a stream at this input: the root is built into those that begin with
    /// it.
    pub fn is_optional(&self, input: Port) -> bool {
        match self {
            Self::Scanner(scanner) => scanner.root && input == Port::FIRST,
            Self::Array { root, .. } => *root,
            Self::Locate(locate) => locate.root && input == Port::SECOND,
            Self::Repeat(repeat) => repeat.root && input == Port::FIRST,
            _ => false,
        }
    }

    /// The name of the block's type in the files of graphs.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Scanner(_) => "fiberlookup",
            Self::Repeat(_) => "repeat",
            Self::RepeatSignal { .. } => "repsiggen",
            Self::Join(join) => join.how.name(),
            Self::Array { .. } => "arrayvals",
            Self::Locate(_) => "locate",
            Self::ToWords(_) => "towords",
            Self::Parallelize(_) => "parallelize",
            Self::Serialize(_) => "serialize",
            Self::Fetch(_) => "fetch",
            Self::Mask(_) => "mask",
            Self::Alu(alu) => block_type(alu.operator),
            Self::Apply(apply) => apply.function.name(),
            Self::Reduce(_) => "reduce",
            Self::Accumulate(accumulate) if accumulate.is_vector_reducer() => "vectorreducer",
            Self::Accumulate(_) => "spaccumulator",
            Self::Drop { .. } => "crddrop",
            Self::Hold { .. } => "crdhold",
            Self::WriteLevel(_) | Self::WriteValues(_) => "fiberwrite",
        }
    }
}

impl Accumulate {
    /// Whether it is the one of order 1 that takes levels, which has a type of its own in the files of
    /// graphs.
    pub fn is_vector_reducer(&self) -> bool {
        self.form == CoordinateForm::Levels && self.indices.len() == 1
    }
}

impl Dropped {
    pub fn inner(self) -> StreamKind {
        match self {
            Self::EmptyFibers => StreamKind::Crd,
            Self::EmptyFibersOfValues | Self::Absent | Self::Zeros(_) => StreamKind::Val,
        }
    }
}

impl Join {
    /// How wide the words are that it takes apart, if it does nothing else: those of one operand meet no
    /// others.
    pub fn taken_apart(&self) -> Option<u32> {
        self.width.filter(|_| self.operands.len() == 1)
    }

    pub fn skip(&self, operand: usize) -> Option<Port> {
        let before = self.operands[..operand].iter().filter(|operand| operand.skips).count();
        self.operands[operand].skips.then_some(Port(1 + self.operands.len() + before))
    }
}

fn coordinates(level: GraphLevel) -> StreamKind {
    match level {
        GraphLevel::BitVector(_) => StreamKind::Bv,
        GraphLevel::Dense | GraphLevel::Compressed => StreamKind::Crd,
    }
}

/// Coordinates, the innermost first, and a value.
fn points(indices: usize) -> Vec<StreamKind> {
    [vec![StreamKind::Crd; indices], vec![StreamKind::Val]].concat()
}
