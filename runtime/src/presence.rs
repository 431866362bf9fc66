//! Which positions of a tensor are entries, where its blocks hold others as well.
//!
//! An entry is what was put there, of any value. A block has a place for each of its positions, and those
//! that nothing was put at are padding: their values are 0, and they are no entries.

use crate::error::Error;
use crate::memory::Array;
use crate::tensor::{ArrayName, Tensor};

/// Which positions of the last level are entries, as far as they lie inside of the extents.
#[derive(Debug, Default)]
pub(crate) enum Presence {
    /// Every position is an entry.
    #[default]
    Every,
    /// The positions whose values are not 0: blocks of a caller, who says nothing else of them.
    NonZero,
    /// The positions with a 1; padding has a 0.
    Marked(Array<i8>),
}

impl Presence {
    /// The number of bytes that it takes.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Every | Self::NonZero => 0,
            Self::Marked(marks) => marks.len(),
        }
    }
}

impl Tensor {
    /// Whether the position of a value is an entry's, if it lies inside of the extents.
    pub(crate) fn is_present(&self, position: usize) -> bool {
        match &self.present {
            Presence::Every => true,
            Presence::NonZero => !self.values.is_zero(position),
            Presence::Marked(marks) => marks[position] != 0,
        }
    }

    /// A copy of the presence, which no longer depends on the values.
    pub(crate) fn present_copied(&self) -> Result<Presence, Error> {
        let name = ArrayName { tensor: &self.name, part: "presence" };
        Ok(match &self.present {
            Presence::Every => Presence::Every,
            Presence::NonZero => {
                let mut marks = Array::<i8>::zeroed(self.values.len(), &name)?;
                let marked = marks.iter_mut().enumerate();
                marked.for_each(|(position, mark)| *mark = i8::from(!self.values.is_zero(position)));
                Presence::Marked(marks)
            }
            Presence::Marked(marks) => Presence::Marked(Array::copied(marks, &name)?),
        })
    }
}
