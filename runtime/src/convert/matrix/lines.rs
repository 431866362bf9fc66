//! The lines of a matrix, as they are stored.

use super::{LineKind, LineLayout};
use crate::memory::counted::Lines;
use crate::tensor::{Index, Tensor};
use std::ops::Range;

/// Lines that follow each other.
pub(super) enum StoredLines<'a, I> {
    /// The pos array of all lines, from a number on.
    All {
        first: usize,
        pos: &'a [I],
    },
    Stored {
        numbers: &'a [I],
        pos: &'a [I],
    },
    /// The number of the line of each entry, from an entry on.
    ByEntry {
        start: usize,
        numbers: &'a [I],
    },
}

impl<'a, I: Index> StoredLines<'a, I> {
    /// Nothing where there is no storage yet.
    pub(super) fn of(source: &'a Tensor, layout: LineLayout) -> Option<Self> {
        let [outer, inner] = source.levels.as_slice() else { return None };
        let (numbers, pos) = (I::elements(&outer.crd)?, I::elements(&inner.pos)?);
        Some(match layout.lines {
            LineKind::All => Self::All { first: 0, pos },
            LineKind::Stored => Self::Stored { numbers, pos },
            LineKind::ByEntry => Self::ByEntry { start: 0, numbers },
        })
    }

    /// The same lines in parts of about as many entries; fewer where lines are long.
    pub(super) fn in_parts(&self, parts: usize) -> Vec<Self> {
        let Range { start, end } = self.entries();
        let bounds = (1..parts).map(|part| start + (end - start) * part / parts);
        let mut rest = self.all();
        let mut found = Vec::new();
        for bound in bounds {
            let (before, behind) = rest.split(bound);
            found.push(before);
            rest = behind;
        }
        found.push(rest);
        found
    }

    fn all(&self) -> Self {
        match *self {
            Self::All { first, pos } => Self::All { first, pos },
            Self::Stored { numbers, pos } => Self::Stored { numbers, pos },
            Self::ByEntry { start, numbers } => Self::ByEntry { start, numbers },
        }
    }

    /// The lines that end up to an entry, and the others.
    fn split(self, entry: usize) -> (Self, Self) {
        let ended = |pos: &[I]| {
            let ends = pos.get(1..).unwrap_or_default();
            ends.partition_point(|end| end.number() as usize <= entry)
        };
        match self {
            Self::All { first, pos } => {
                let lines = ended(pos);
                (
                    Self::All { first, pos: &pos[..=lines] },
                    Self::All { first: first + lines, pos: &pos[lines..] },
                )
            }
            Self::Stored { numbers, pos } => {
                let lines = ended(pos);
                (
                    Self::Stored { numbers: &numbers[..lines], pos: &pos[..=lines] },
                    Self::Stored { numbers: &numbers[lines..], pos: &pos[lines..] },
                )
            }
            Self::ByEntry { start, numbers } => {
                let inside = entry.saturating_sub(start).min(numbers.len());
                // The line that goes on behind the entry belongs to the others.
                let ended = match numbers.get(inside) {
                    Some(next) => numbers[..inside].partition_point(|number| number < next),
                    None => numbers.len(),
                };
                let (before, behind) = numbers.split_at(ended);
                (
                    Self::ByEntry { start, numbers: before },
                    Self::ByEntry { start: start + ended, numbers: behind },
                )
            }
        }
    }
}

impl<I: Index> Lines for StoredLines<'_, I> {
    fn entries(&self) -> Range<usize> {
        match self {
            Self::All { pos, .. } | Self::Stored { pos, .. } => match pos {
                [first, .., last] => first.number() as usize..last.number() as usize,
                [only] => only.number() as usize..only.number() as usize,
                [] => 0..0,
            },
            Self::ByEntry { start, numbers } => *start..start + numbers.len(),
        }
    }

    /// The lines with entries.
    fn for_each(&self, mut visit: impl FnMut(usize, Range<usize>)) {
        let mut line = |number: usize, ends: &[I]| {
            let entries = ends[0].number() as usize..ends[1].number() as usize;
            if !entries.is_empty() {
                visit(number, entries);
            }
        };
        match self {
            Self::All { first, pos } => {
                pos.windows(2).enumerate().for_each(|(number, ends)| line(first + number, ends));
            }
            Self::Stored { numbers, pos } => {
                let numbered = numbers.iter().zip(pos.windows(2));
                numbered.for_each(|(number, ends)| line(number.number() as usize, ends));
            }
            Self::ByEntry { start, numbers } => {
                let mut start = *start;
                for run in numbers.chunk_by(|a, b| a == b) {
                    visit(run[0].number() as usize, start..start + run.len());
                    start += run.len();
                }
            }
        }
    }
}
