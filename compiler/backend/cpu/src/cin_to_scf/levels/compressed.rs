//! `CU` and `CN`: the coordinates of each parent are a segment of crd, in ascending order, from one entry of
//! pos to the next.

use super::{LevelAt, LevelIterator, State};
use comet_ir::{Result, Val};

pub(super) struct Compressed;

impl LevelIterator for Compressed {
    fn seek<'c>(
        &self,
        at: LevelAt<'_, 'c>,
        state: &State<'c>,
        end: Val<'c>,
        coordinate: Val<'c>,
    ) -> Result<'c, Option<State<'c>>> {
        let position = at.emitter.first_from(at.b, state.fixed[0], [state.position(), end], coordinate)?;
        Ok(Some(state.moved(&[position])))
    }
}
