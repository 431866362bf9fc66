//! The types of the spatial dialect: memories, arrays and arguments, texts, rounds, barriers.

use crate::Ty;
use comet_dialects::ffi::{self, CometSpatialType};
use melior::Context;
use melior::ir::TypeLike;
use mlir_sys::MlirType;

#[allow(missing_docs, clippy::all, reason = "it is generated")]
mod generated {
    include!(concat!(env!("OUT_DIR"), "/spatial.rs"));
}

pub use generated::*;

/// A type of the spatial dialect; those that hold something have the type of its elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place<'c> {
    /// `!spatial.dram`.
    Dram(Ty<'c>),
    /// `!spatial.sparse_dram`.
    SparseDram(Ty<'c>),
    /// `!spatial.sram`.
    Sram(Ty<'c>),
    /// `!spatial.sparse_sram`.
    SparseSram(Ty<'c>),
    /// `!spatial.fifo`.
    Fifo(Ty<'c>),
    /// `!spatial.bits`.
    Bits,
    /// `!spatial.reg`.
    Reg(Ty<'c>),
    /// `!spatial.array`.
    Array(Ty<'c>),
    /// `!spatial.arg_in`.
    ArgIn(Ty<'c>),
    /// `!spatial.arg_out`.
    ArgOut(Ty<'c>),
    /// `!spatial.text`.
    Text,
    /// `!spatial.rounds`.
    Rounds,
    /// `!spatial.barrier`.
    Barrier,
}

impl<'c> Place<'c> {
    /// As a type.
    pub fn to_type(self, context: &'c Context) -> Ty<'c> {
        let none = MlirType { ptr: std::ptr::null() };
        let (kind, element) = match self {
            Self::Dram(element) => (0, element.to_raw()),
            Self::SparseDram(element) => (1, element.to_raw()),
            Self::Sram(element) => (2, element.to_raw()),
            Self::SparseSram(element) => (3, element.to_raw()),
            Self::Fifo(element) => (4, element.to_raw()),
            Self::Bits => (5, none),
            Self::Reg(element) => (6, element.to_raw()),
            Self::Array(element) => (7, element.to_raw()),
            Self::ArgIn(element) => (8, element.to_raw()),
            Self::ArgOut(element) => (9, element.to_raw()),
            Self::Text => (10, none),
            Self::Rounds => (11, none),
            Self::Barrier => (12, none),
        };
        let ty = CometSpatialType { kind, element };
        // SAFETY: the kind is one of the header's, and the context has the dialect registered.
        unsafe { Ty::from_raw(ffi::cometSpatialTypeGet(context.to_raw(), ty)) }
    }

    /// What a type is, where it is one of the dialect.
    pub fn of_type(ty: Ty<'c>) -> Option<Self> {
        // SAFETY: the type lives.
        let CometSpatialType { kind, element } = unsafe { ffi::cometSpatialTypeOf(ty.to_raw()) };
        // SAFETY: the kinds below that ask for it have an element type.
        let element = || unsafe { Ty::from_raw(element) };
        Some(match kind {
            0 => Self::Dram(element()),
            1 => Self::SparseDram(element()),
            2 => Self::Sram(element()),
            3 => Self::SparseSram(element()),
            4 => Self::Fifo(element()),
            5 => Self::Bits,
            6 => Self::Reg(element()),
            7 => Self::Array(element()),
            8 => Self::ArgIn(element()),
            9 => Self::ArgOut(element()),
            10 => Self::Text,
            11 => Self::Rounds,
            12 => Self::Barrier,
            _ => return None,
        })
    }
}

/// The type of what a memory, an array or an argument holds; of bit vectors that of their words.
pub fn element(ty: Ty<'_>) -> Option<Ty<'_>> {
    // SAFETY: the type lives.
    let raw = unsafe { ffi::cometSpatialTypeOf(ty.to_raw()) }.element;
    // SAFETY: it is not null.
    (!raw.ptr.is_null()).then(|| unsafe { Ty::from_raw(raw) })
}
