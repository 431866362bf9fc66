//! `R`: all coordinates from the first to the last one under each parent. Position and coordinate differ by a
//! number that is the same in a whole fiber, so that nothing is loaded in the loop, and a coordinate is found
//! by arithmetic.

use super::{LevelAt, LevelIterator, Segment, State};
use crate::cin_to_scf::emit::env::Descent;
use comet_ir::{Builder, Result, Val};

pub(super) struct Range;

impl LevelIterator for Range {
    fn coordinate<'c>(&self, at: LevelAt<'_, 'c>, parent: Val<'c>, position: Val<'c>) -> Result<'c, Val<'c>> {
        let b = at.b;
        let first = b.load_index(at.positions()?, parent)?;
        b.addi(position, b.subi(b.load_index(at.coordinates()?, parent)?, first)?)
    }

    /// What stays the same is by how much coordinates are greater than positions.
    fn open<'c>(
        &self,
        at: LevelAt<'_, 'c>,
        descent: &Descent<'c>,
        segment: Segment<'c>,
    ) -> Result<'c, State<'c>> {
        let b = at.b;
        let zero = at.emitter.constant(0)?;
        let parent = descent.last.unwrap_or(zero);
        let start = at.coordinates()?;
        let start = match descent.present {
            None => b.load_index(start, parent)?,
            // There may be no parent to load that of.
            Some(present) => {
                let load = |b: Builder<'c>| Ok(vec![b.load_index(start, parent)?]);
                b.if_else(present, &b.types_of(&[zero]), load, |_| Ok(vec![zero]))?[0]
            }
        };
        Ok(State { moving: vec![segment[0]], fixed: vec![b.subi(start, segment[0])?] })
    }

    fn read<'c>(&self, at: LevelAt<'_, 'c>, state: &State<'c>) -> Result<'c, Val<'c>> {
        at.b.addi(state.position(), state.fixed[0])
    }

    fn seek<'c>(
        &self,
        at: LevelAt<'_, 'c>,
        state: &State<'c>,
        end: Val<'c>,
        coordinate: Val<'c>,
    ) -> Result<'c, Option<State<'c>>> {
        let b = at.b;
        let position = b.subi(coordinate, state.fixed[0])?;
        Ok(Some(state.moved(&[b.maxi(b.mini(position, end)?, state.position())?])))
    }
}
