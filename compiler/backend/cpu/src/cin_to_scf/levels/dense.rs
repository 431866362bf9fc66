//! `D`: a position for every coordinate under each parent.

use super::{LevelAt, LevelIterator, Segment};
use crate::cin_to_scf::emit::env::Descent;
use comet_ir::{Result, Val};

pub(super) struct Dense;

impl LevelIterator for Dense {
    fn first_below<'c>(&self, at: LevelAt<'_, 'c>, above: Val<'c>) -> Result<'c, Val<'c>> {
        at.b.muli(above, at.size()?)
    }

    fn children<'c>(&self, _at: LevelAt<'_, 'c>, _descent: &Descent<'c>) -> Result<'c, Segment<'c>> {
        unreachable!("full levels do not drive loops")
    }

    fn coordinate<'c>(
        &self,
        at: LevelAt<'_, 'c>,
        _parent: Val<'c>,
        position: Val<'c>,
    ) -> Result<'c, Val<'c>> {
        at.b.remi(position, at.size()?)
    }

    fn parent<'c>(&self, at: LevelAt<'_, 'c>, position: Val<'c>, _above: Segment<'c>) -> Result<'c, Val<'c>> {
        at.b.divi(position, at.size()?)
    }
}
