//! `D`: a position for every coordinate under each parent.

use super::{LevelAt, LevelIterator, Segment, State};
use crate::cin_to_scf::emit::env::Descent;
use comet_ir::{Builder, Result, Val};

pub(super) struct Dense;

impl LevelIterator for Dense {
    fn first_below<'c>(
        &self,
        at: LevelAt<'_, '_, 'c>,
        b: Builder<'c>,
        above: Val<'c>,
    ) -> Result<'c, Val<'c>> {
        b.muli(above, at.size()?)
    }

    fn children<'c>(
        &self,
        _at: LevelAt<'_, '_, 'c>,
        _b: Builder<'c>,
        _descent: &Descent<'c>,
    ) -> Result<'c, Segment<'c>> {
        unreachable!("full levels do not drive loops")
    }

    fn coordinate<'c>(
        &self,
        at: LevelAt<'_, '_, 'c>,
        b: Builder<'c>,
        _parent: Val<'c>,
        position: Val<'c>,
    ) -> Result<'c, Val<'c>> {
        b.remi(position, at.size()?)
    }

    fn parent<'c>(
        &self,
        at: LevelAt<'_, '_, 'c>,
        b: Builder<'c>,
        position: Val<'c>,
        _above: Segment<'c>,
    ) -> Result<'c, Val<'c>> {
        b.divi(position, at.size()?)
    }

    fn seek<'c>(
        &self,
        _at: LevelAt<'_, '_, 'c>,
        _b: Builder<'c>,
        _state: &State<'c>,
        _end: Val<'c>,
        _coordinate: Val<'c>,
    ) -> Result<'c, Option<State<'c>>> {
        unreachable!("full levels do not drive loops")
    }
}
