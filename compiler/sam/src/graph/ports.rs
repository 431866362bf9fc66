//! The ports of each kind of block, and what moves through them.

use super::{Accumulate, Dropped, EmptyFiber, Form, Kind, Places, Reduce, StreamKind};

/// The position of an input among a block's inputs, or of an output among its outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Port(pub usize);

impl Port {
    /// The first coordinates: of a scanner, a joiner; the outer ones of a dropper and of a hold.
    pub const FIRST: Self = Self(0);
    /// The references of a scanner and of a locator; the signals of a repeater; the inner stream of a dropper
    /// and of a hold.
    pub const SECOND: Self = Self(1);

    /// The coordinates of a joiner's operand.
    pub const fn operand_crd(operand: usize) -> Self {
        Self(2 * operand)
    }

    /// The references of a joiner's operand.
    pub const fn operand_ref(operand: usize) -> Self {
        Self(2 * operand + 1)
    }

    /// The references of an operand that come out of a joiner.
    pub const fn joined_ref(operand: usize) -> Self {
        Self(1 + operand)
    }
}

impl Kind {
    /// What enters, input by input. A root's scanner has its references built in, so has a root's repeater.
    pub fn inputs(&self) -> Vec<StreamKind> {
        use StreamKind::{Crd, Ref, Repsig, Val};
        match self {
            Self::Scanner(_) => vec![Ref],
            Self::Repeat(repeat) => vec![repeat.carries, Repsig],
            Self::RepeatSignal { .. } | Self::WriteLevel(_) => vec![Crd],
            Self::Join(join) => join.operands.iter().flat_map(|operand| [Crd, operand.carries]).collect(),
            Self::Array { .. } => vec![Ref],
            Self::Locate(_) => vec![Crd, Ref],
            Self::Alu(_) | Self::Mask(_) => vec![Val, Val],
            Self::Reduce(Reduce { empty: EmptyFiber::Absent, .. }) => vec![Val, Crd],
            Self::WriteValues(write) if write.places != Places::InOrder => vec![Ref, Val],
            Self::Apply(_) | Self::Reduce(_) | Self::WriteValues(_) => vec![Val],
            Self::Accumulate(accumulate) => points(accumulate.indices.len()),
            Self::Drop { what, .. } => vec![Crd, what.inner()],
            Self::Hold { .. } => vec![Crd, Crd],
        }
    }

    /// What comes out, output by output.
    pub fn outputs(&self) -> Vec<StreamKind> {
        use StreamKind::{Crd, Ref, Repsig, Val};
        match self {
            Self::Scanner(_) | Self::Locate(_) => vec![Crd, Ref],
            Self::Repeat(repeat) => vec![repeat.carries],
            Self::RepeatSignal { .. } => vec![Repsig],
            Self::Join(join) => {
                [Crd].into_iter().chain(join.operands.iter().map(|operand| operand.carries)).collect()
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
            Self::Scanner(scanner) => scanner.root,
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
            Self::Mask(_) => "mask",
            Self::Alu(alu) => alu.type_name(),
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
        self.form == Form::Levels && self.indices.len() == 1
    }
}

impl Dropped {
    /// What the inner stream of a dropper carries.
    pub fn inner(self) -> StreamKind {
        match self {
            Self::EmptyFibers => StreamKind::Crd,
            Self::Absent | Self::Zeros(_) => StreamKind::Val,
        }
    }
}

/// Coordinates, the innermost first, and a value.
fn points(indices: usize) -> Vec<StreamKind> {
    [vec![StreamKind::Crd; indices], vec![StreamKind::Val]].concat()
}
