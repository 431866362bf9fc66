//! `CU` and `CN`: the coordinates of each parent are a segment of crd, in ascending order, from one entry of
//! pos to the next.

use super::{LevelAt, LevelIterator, Segment, State};
use crate::cin_to_scf::emit::env::Descent;
use comet_ir::{Builder, Compare, Result, Val, types};

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

    /// The last position whose entries begin at the given one or before it. Mostly it is the one found
    /// before, or a little further on.
    fn parent<'c>(
        &self,
        at: LevelAt<'_, '_, 'c>,
        b: Builder<'c>,
        position: Val<'c>,
        [first, end]: Segment<'c>,
    ) -> Result<'c, Val<'c>> {
        let (pos, one) = (at.positions()?, at.emitter.constant(1)?);
        let variable = at.emitter.last_parent(b, at.access, at.number)?;
        let last = b.get(variable)?;
        let is_before = b.cmpi(Compare::Lt, last, first)?;
        let is_behind = b.cmpi(Compare::Ge, last, end)?;
        let is_outside = b.value_op("or", is_before, is_behind)?;
        let is_usable = b.if_else(
            is_outside,
            &[types::int(b.context(), 1)],
            |b| Ok(vec![b.int(types::int(b.context(), 1), 0)?]),
            |b| Ok(vec![b.cmpi(Compare::Le, b.load_index(pos, last)?, position)?]),
        )?[0];
        let next = b.addi(position, one)?;
        let start = b.if_else(
            is_usable,
            &[types::index(b.context())],
            |_| Ok(vec![last]),
            |b| {
                let above = at.emitter.first_from(b, pos, [first, end], next)?;
                Ok(vec![b.subi(above, one)?])
            },
        )?[0];
        let found = b.while_loop(
            &[start],
            |b, parent| {
                let end = b.load_index(pos, b.addi(parent[0], one)?)?;
                b.cmpi(Compare::Le, end, position)
            },
            |b, parent| Ok(vec![b.addi(parent[0], one)?]),
        )?[0];
        b.set(variable, found)?;
        Ok(found)
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
