//! The types of the sam dialect: tensors of graphs, and streams.

use crate::Ty;
use comet_dialects::ffi::{self, CometSamLevel, CometSamStream};
use comet_format::LevelKind;
use melior::Context;
use melior::ir::TypeLike;
use mlir_sys::MlirType;

#[allow(missing_docs, clippy::all, reason = "it is generated")]
mod generated {
    include!(concat!(env!("OUT_DIR"), "/sam.rs"));
}

pub use generated::*;

/// `!sam.tensor`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fibertree<'c> {
    pub levels: Vec<Level>,
    pub element: Ty<'c>,
}

/// One storage level of a graph's tensor: dense, compressed or a bit vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    pub kind: LevelKind,
    /// The mode that it stores.
    pub mode: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stream<'c> {
    pub tokens: Tokens<'c>,
    /// How many fibers are inside of each other.
    pub depth: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tokens<'c> {
    Crd,
    Ref,
    Val(Ty<'c>),
    Repsig,
    /// Bit vectors, each of that number of bits.
    Bv(u32),
}

impl<'c> Fibertree<'c> {
    pub fn to_type(&self, context: &'c Context) -> Ty<'c> {
        let levels: Vec<CometSamLevel> = self.levels.iter().map(|level| level.to_ffi()).collect();
        let (count, element) = (levels.len() as isize, self.element.to_raw());
        // SAFETY: the array lives through the call, and the context has the dialect registered.
        unsafe { Ty::from_raw(ffi::cometSamTensorTypeGet(context.to_raw(), count, levels.as_ptr(), element)) }
    }

    /// What a type is, where it is a tensor of a graph.
    pub fn of_type(ty: Ty<'c>) -> Option<Self> {
        let raw = ty.to_raw();
        // SAFETY: the type lives.
        if !unsafe { ffi::cometTypeIsSamTensor(raw) } {
            return None;
        }
        // SAFETY: it is a tensor of a graph, and the numbers are below the count.
        let levels = unsafe {
            (0..ffi::cometSamTensorTypeGetNumLevels(raw))
                .map(|number| Level::of_ffi(ffi::cometSamTensorTypeGetLevel(raw, number)))
                .collect()
        };
        // SAFETY: it is a tensor of a graph.
        let element = unsafe { Ty::from_raw(ffi::cometSamTensorTypeGetElement(raw)) };
        Some(Self { levels, element })
    }
}

impl Level {
    fn to_ffi(self) -> CometSamLevel {
        let (kind, word_bits) = match self.kind.word_bits() {
            Some(bits) => (2, bits as i32),
            None => (i32::from(!self.kind.is_full()), 0),
        };
        CometSamLevel { kind, word_bits, mode: self.mode as i64 }
    }

    fn of_ffi(level: CometSamLevel) -> Self {
        let kind = match level.kind {
            0 => LevelKind::Dense,
            1 => LevelKind::CompressedUnique,
            _ => LevelKind::BitVector(level.word_bits as u32),
        };
        Self { kind, mode: level.mode as usize }
    }
}

impl<'c> Stream<'c> {
    pub fn to_type(self, context: &'c Context) -> Ty<'c> {
        let none = MlirType { ptr: std::ptr::null() };
        let (kind, width, element) = match self.tokens {
            Tokens::Crd => (0, 0, none),
            Tokens::Ref => (1, 0, none),
            Tokens::Val(element) => (2, 0, element.to_raw()),
            Tokens::Repsig => (3, 0, none),
            Tokens::Bv(width) => (4, width, none),
        };
        let stream = CometSamStream { kind, depth: self.depth, width, element };
        // SAFETY: the kind is one of the header's, and the context has the dialect registered.
        unsafe { Ty::from_raw(ffi::cometSamStreamTypeGet(context.to_raw(), stream)) }
    }

    /// What a type is, where it is one of a stream.
    pub fn of_type(ty: Ty<'c>) -> Option<Self> {
        // SAFETY: the type lives.
        let stream = unsafe { ffi::cometSamStreamOfType(ty.to_raw()) };
        let tokens = match stream.kind {
            0 => Tokens::Crd,
            1 => Tokens::Ref,
            // SAFETY: values have an element type.
            2 => Tokens::Val(unsafe { Ty::from_raw(stream.element) }),
            3 => Tokens::Repsig,
            4 => Tokens::Bv(stream.width),
            _ => return None,
        };
        Some(Self { tokens, depth: stream.depth })
    }
}
