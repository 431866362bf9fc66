//! A point as generated code sees it: [`comet_abi::points`] has the rest.

use crate::memory::Plain;
use comet_abi::points::EMPTY;

/// A coordinate path, of W words, and a value.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct PointWords<V, const W: usize> {
    pub(crate) key: [u64; W],
    pub(crate) value: V,
}

// SAFETY: words and a value, each of which may have any bits; generated code sees them as whole words.
unsafe impl<V: Plain, const W: usize> Plain for PointWords<V, W> {}

impl<V: Plain, const W: usize> Default for PointWords<V, W> {
    fn default() -> Self {
        Self { key: [0; W], value: V::default() }
    }
}

impl<V: Plain, const W: usize> PointWords<V, W> {
    /// The words of a point, in the last of which a narrow value has the low bits.
    pub(crate) const WORDS: usize = size_of::<Self>() / size_of::<u64>();

    pub(crate) fn nothing() -> Self {
        Self { key: [EMPTY; W], value: V::default() }
    }

    pub(crate) fn is_there(&self) -> bool {
        self.key[0] != EMPTY
    }
}
