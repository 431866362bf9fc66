//! `S`: one coordinate under each position of the level above, at that position; −1 where there is none.

use super::{LevelAt, LevelIterator, Segment};
use crate::cin_to_scf::emit::env::Descent;
use comet_ir::{Result, Val};

pub(super) struct Singleton;

impl LevelIterator for Singleton {
    fn first_below<'c>(&self, _at: LevelAt<'_, 'c>, above: Val<'c>) -> Result<'c, Val<'c>> {
        Ok(above)
    }

    /// The positions that the level above has left together, or its only one.
    fn children<'c>(&self, at: LevelAt<'_, 'c>, descent: &Descent<'c>) -> Result<'c, Segment<'c>> {
        let b = at.b;
        let start = descent.last.expect("the verifier refuses S as the first level");
        let end = match descent.end {
            Some(end) => end,
            None => {
                let end = b.addi(start, at.emitter.constant(1)?)?;
                match descent.present {
                    Some(present) => b.select(present, end, start)?,
                    None => end,
                }
            }
        };
        Ok([start, end])
    }

    fn parent<'c>(
        &self,
        _at: LevelAt<'_, 'c>,
        position: Val<'c>,
        _above: Segment<'c>,
    ) -> Result<'c, Val<'c>> {
        Ok(position)
    }
}
