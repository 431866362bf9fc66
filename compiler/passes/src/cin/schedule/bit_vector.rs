//! Positions of bit vectors: words hold no coordinates that a position would lead to, so that loops go over
//! those of a copy that has them.

use super::Schedule;
use crate::copies::Copies;
use crate::schedule::Command;
use comet_format::{Format, Level, LevelKind};
use comet_ir::{Builder, Op, Result, Val, cin, format};
use std::ops::Range;

impl<'c> Schedule<'c> {
    /// The operand, or the copy that the compute reads instead where one of the levels is a bit vector.
    pub(super) fn with_positions(
        &self,
        command: &Command<'c>,
        operand: Val<'c>,
        levels: &Range<usize>,
    ) -> Result<'c, Val<'c>> {
        let format = format::of(operand);
        if !format.levels[levels.clone()].iter().any(|level| is_bit_vector(level.kind)) {
            return Ok(operand);
        }
        let compressed = without_bit_vectors(format);
        let b = Builder::before(self.compute).with_location(command.location());
        let mut copies = Copies::default();
        let why = ": positions of a bit vector have no coordinates";
        let copy = copies.of(b, operand, &compressed, why)?;
        copies.release(self.behind().with_location(command.location()))?;
        self.compute.for_each_inside(&mut |op| reads_instead(op, operand, copy));
        Ok(copy)
    }

    /// Right behind the compute.
    fn behind(&self) -> Builder<'c> {
        let block = self.compute.block().expect("a compute stands in a function");
        let end = Builder::at_end(self.compute.context(), block, self.compute.location());
        self.compute.next().map_or(end, Builder::before)
    }
}

fn is_bit_vector(kind: LevelKind) -> bool {
    kind.word_bits().is_some()
}

/// The same levels, with the coordinates of those that are bit vectors one by one.
fn without_bit_vectors(format: Format) -> Format {
    let levels = format.levels.into_iter().map(|level| match is_bit_vector(level.kind) {
        true => Level { kind: LevelKind::CompressedUnique, ..level },
        false => level,
    });
    Format { levels: levels.collect(), ..format }
}

/// What an operation reads from one tensor it reads from the other; what it writes stays where it is.
fn reads_instead<'c>(op: Op<'c>, tensor: Val<'c>, other: Val<'c>) {
    let is_read = |(_, operand): &(usize, Val<'c>)| !op.is::<cin::Assign>() && *operand == tensor;
    for (number, _) in op.operands().into_iter().enumerate().filter(is_read) {
        op.set_operand(number, other);
    }
}
