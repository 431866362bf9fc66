//! A point as generated code sees it: [`comet_abi::points`] has the rest.

use crate::memory::Plain;
use comet_abi::points::EMPTY;

/// A coordinate path, of W words, and the bits of a value.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct PointWords<const W: usize> {
    pub(crate) key: [u64; W],
    pub(crate) bits: u64,
}

// SAFETY: nothing but words, without padding between them; generated code sees them as such.
unsafe impl<const W: usize> Plain for PointWords<W> {}

impl<const W: usize> Default for PointWords<W> {
    fn default() -> Self {
        Self { key: [0; W], bits: 0 }
    }
}

impl<const W: usize> PointWords<W> {
    pub(crate) const NOTHING: Self = Self { key: [EMPTY; W], bits: 0 };

    pub(crate) fn is_there(&self) -> bool {
        self.key[0] != EMPTY
    }
}
