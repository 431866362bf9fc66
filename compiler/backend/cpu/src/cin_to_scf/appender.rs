//! The variables of a result that is appended to: how many coordinates its compressed levels have got, and
//! their arrays, which are asked for again when they have grown.

use comet_format::LevelGroup;
use comet_ir::{Attr, Builder, Compare, Result, Ty, Val, types};
use melior::ir::ValueLike;
use std::ops::Range;

/// How a result that is appended to gets the coordinates of its last compressed level, and its values.
#[derive(Clone, Copy)]
pub(super) enum Filling {
    /// As they come, in arrays that grow.
    Grow,
    /// They are counted, and the positions of the level are completed.
    Count,
    /// Each fiber where its position says, in arrays of the right size.
    Place,
}

/// The variables of a result that is appended to.
#[derive(Clone)]
pub(super) struct Appender<'c> {
    pub(super) filling: Filling,
    /// How many coordinates of the last compressed level have been counted.
    pub(super) total: Option<Val<'c>>,
    pub(super) levels: Vec<Appended<'c>>,
    pub(super) values: Val<'c>,
    /// Whether something was stored under the last compressed coordinate.
    pub(super) stored: Val<'c>,
    /// The dense levels below it, where elements may be left out that others stand beside.
    pub(super) gaps: Option<Range<usize>>,
}

/// A CU level, or a CN level with the S levels below it.
#[derive(Clone)]
pub(super) struct Appended<'c> {
    pub(super) group: LevelGroup,
    /// The number of coordinates so far.
    pub(super) count: Val<'c>,
    pub(super) pos: Val<'c>,
    /// One array a level of the group.
    pub(super) crd: Vec<Val<'c>>,
}

impl<'c> Appended<'c> {
    pub(super) fn view_pos(&self, b: Builder<'c>, tensor: Val<'c>) -> Result<'c, ()> {
        let level = self.group.levels.start;
        view(b, "ta.positions", tensor, self.pos, &[("level", b.i64_attribute(level as i64))])
    }

    pub(super) fn view_crd(&self, b: Builder<'c>, tensor: Val<'c>) -> Result<'c, ()> {
        let mut levels = self.group.levels.clone().zip(&self.crd);
        levels.try_for_each(|(level, crd)| {
            view(b, "ta.coordinates", tensor, *crd, &[("level", b.i64_attribute(level as i64))])
        })
    }
}

impl<'c> Appender<'c> {
    /// Whether the arrays of a level grow when they are full.
    pub(super) fn grows(&self, number: usize) -> bool {
        number + 1 < self.levels.len() || matches!(self.filling, Filling::Grow)
    }

    /// Room for so many more coordinates of a level, and for what may come below them.
    pub(super) fn make_room(
        &self,
        b: Builder<'c>,
        tensor: Val<'c>,
        number: usize,
        more: Val<'c>,
    ) -> Result<'c, ()> {
        let level = &self.levels[number];
        let wanted = b.addi(b.get(level.count)?, more)?;
        let room = b.length(b.get(level.crd[0])?)?;
        let is_too_small = b.cmpi(Compare::Gt, wanted, room)?;
        b.if_then(is_too_small, |b| {
            grow(b, tensor, &level.group, wanted)?;
            level.view_crd(b, tensor)?;
            match self.levels.get(number + 1) {
                Some(next) => next.view_pos(b, tensor),
                None => self.view_values(b, tensor),
            }
        })
    }

    pub(super) fn view_values(&self, b: Builder<'c>, tensor: Val<'c>) -> Result<'c, ()> {
        view(b, "ta.values", tensor, self.values, &[])
    }
}

/// Makes room for more coordinates than `count`.
fn grow<'c>(b: Builder<'c>, tensor: Val<'c>, group: &LevelGroup, count: Val<'c>) -> Result<'c, ()> {
    let level = [("level", b.i64_attribute(group.levels.start as i64))];
    b.op("ta.append_grow", &[tensor, count], &[], &level).map(|_| ())
}

/// Asks for an array of the tensor and keeps it in a variable.
fn view<'c>(
    b: Builder<'c>,
    name: &str,
    tensor: Val<'c>,
    variable: Val<'c>,
    attributes: &[(&str, Attr<'c>)],
) -> Result<'c, ()> {
    let ty: Ty<'c> = types::element(variable.r#type());
    let array = b.op(name, &[tensor], &[ty], attributes)?.result(0);
    b.set(variable, array)
}
