//! `CU` and `CN`: the coordinates of each parent are a segment of crd, in ascending order, from one entry of
//! pos to the next.

use super::{LevelAt, LevelIterator, Segment, State};
use crate::cin_to_scf::emit::env::Descent;
use comet_ir::{Builder, Result, Val};

pub(super) struct Compressed;

impl LevelIterator for Compressed {
    fn children<'c>(
        &self,
        at: LevelAt<'_, '_, 'c>,
        b: Builder<'c>,
        descent: &Descent<'c>,
    ) -> Result<'c, Segment<'c>> {
        at.stored_segment(b, descent)
    }

    fn parent<'c>(
        &self,
        at: LevelAt<'_, '_, 'c>,
        b: Builder<'c>,
        position: Val<'c>,
        above: Segment<'c>,
    ) -> Result<'c, Val<'c>> {
        at.parent_by_pos(b, position, above)
    }

    fn seek<'c>(
        &self,
        at: LevelAt<'_, '_, 'c>,
        b: Builder<'c>,
        state: &State<'c>,
        end: Val<'c>,
        coordinate: Val<'c>,
    ) -> Result<'c, Option<State<'c>>> {
        let position = at.emitter.first_from(b, state.fixed[0], [state.position(), end], coordinate)?;
        Ok(Some(state.moved(&[position])))
    }
}
