//! Loops over parts of a variable whose coordinates a sparse level stores: the loop over one half of a split
//! inside that over the other visits those of the stored coordinates that are in the block.

use super::Lowering;
use super::cursor::{Cursor, is_sorted};
use super::point::{Point, Positions};
use comet_ir::{Builder, Compare, Op, Result, Val};
use comet_passes::nest::Split;

/// A part of the values of a variable.
#[derive(Clone, Copy)]
pub(super) struct Part<'c> {
    /// The variable.
    pub(super) whole: Val<'c>,
    /// All values are from here on.
    pub(super) start: Val<'c>,
    /// And below this.
    pub(super) stop: Val<'c>,
    /// Whether every value in between is one of the part.
    is_contiguous: bool,
}

impl<'c> Lowering<'c> {
    /// Whether the value of `whole`, which is not known, is where that of `var` is.
    pub(super) fn completes(&self, var: Val<'c>, whole: Val<'c>) -> bool {
        whole == var
            || self.relations.splits_of(whole).any(|split| {
                (self.is_known(split.outer) && self.completes(var, split.inner))
                    || (self.is_known(split.inner) && self.completes(var, split.outer))
            })
    }

    /// The values of `whole` that a loop over `var` comes to, which completes it.
    pub(super) fn part_of(&mut self, b: Builder<'c>, whole: Val<'c>, var: Val<'c>) -> Result<'c, Part<'c>> {
        if whole == var {
            let (start, stop) = (self.storage.constant(0)?, self.extent(b, var)?);
            return Ok(Part { whole, start, stop, is_contiguous: true });
        }
        let splits: Vec<Split<'c>> = self.relations.splits_of(whole).collect();
        for split in splits {
            if self.is_known(split.outer) && self.completes(var, split.inner) {
                let factor = self.factor(b, split)?;
                let outer = self.coordinate(b, split.outer)?.expect("it is known");
                let inner = self.part_of(b, split.inner, var)?;
                let first = b.muli(outer, factor)?;
                let (start, stop) = (b.addi(first, inner.start)?, b.addi(first, inner.stop)?);
                return Ok(Part { whole, start, stop, ..inner });
            }
            if self.is_known(split.inner) && self.completes(var, split.outer) {
                let factor = self.factor(b, split)?;
                let outer = self.part_of(b, split.outer, var)?;
                let (start, end) = (b.muli(outer.start, factor)?, b.muli(outer.stop, factor)?);
                let stop = b.mini(end, self.extent(b, whole)?)?;
                return Ok(Part { whole, start, stop, is_contiguous: false });
            }
        }
        unreachable!("the variable completes the other")
    }

    /// Whether a loop over the positions of the point's next level can begin and end in the middle.
    pub(super) fn is_cut_easily(&self, point: &Point<'c>) -> bool {
        let level = self.positions(point).levels;
        self.part.is_none() || is_sorted(point, level)
    }

    /// The positions of the coordinates in the part that is visited.
    pub(super) fn part_of_segment(
        &mut self,
        b: Builder<'c>,
        point: &Point<'c>,
        at: &Positions<'c>,
        [start, stop]: [Val<'c>; 2],
    ) -> Result<'c, [Val<'c>; 2]> {
        let Some(part) = self.part else { return Ok([start, stop]) };
        let crd = self.storage.coordinates(point.tensor, at.levels)?;
        let first = self.first_from(b, crd, [start, stop], part.start)?;
        Ok([first, self.first_from(b, crd, [first, stop], part.stop)?])
    }

    /// The cursor over the coordinates in the part that is visited.
    pub(super) fn part_of_cursor(&mut self, b: Builder<'c>, cursor: Cursor<'c>) -> Result<'c, Cursor<'c>> {
        let Some(part) = self.part else { return Ok(cursor) };
        let first = self.seek(b, &cursor, part.start)?;
        let end = self.seek(b, &first, part.stop)?.position;
        Ok(first.until(end))
    }

    /// The first position whose coordinate is not below the given one, by bisection.
    pub(super) fn first_from(
        &mut self,
        b: Builder<'c>,
        crd: Val<'c>,
        range: [Val<'c>; 2],
        coordinate: Val<'c>,
    ) -> Result<'c, Val<'c>> {
        let (one, two) = (self.storage.constant(1)?, self.storage.constant(2)?);
        let results = b.while_loop(
            &range,
            |b, range| b.cmpi(Compare::Lt, range[0], range[1]),
            |b, range| {
                let middle = b.divi(b.addi(range[0], range[1])?, two)?;
                let is_below = b.cmpi(Compare::Lt, b.load_index(crd, middle)?, coordinate)?;
                let next = b.addi(middle, one)?;
                Ok(vec![b.select(is_below, next, range[0])?, b.select(is_below, range[1], middle)?])
            },
        )?;
        Ok(results[0])
    }

    /// The body of a loop, whose variable follows from the coordinate where a part is visited.
    pub(super) fn body_at_part(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<'c, ()> {
        let Some(part) = self.part.take() else { return self.body(b, op) };
        let whole = self.bound(part.whole).expect("the loops around visit its coordinates");
        let mut halves = Vec::new();
        self.halves_of(b, part.whole, whole, &mut halves)?;
        let mut is_inside = None;
        for (half, value) in halves {
            // A half may be known without being bound: as a part of a pair.
            let known = if self.is_known(half) { self.coordinate(b, half)? } else { None };
            match known {
                Some(_) if part.is_contiguous => {}
                Some(bound) => {
                    let same = b.cmpi(Compare::Eq, bound, value)?;
                    is_inside = Some(b.and_others(is_inside, same)?);
                }
                None => self.coordinates.push((half, value)),
            }
        }
        // Levels of blocks beside the level of whole coordinates are searched now that the halves are known.
        let result = match is_inside {
            Some(condition) => self.only_if(b, op, condition, |this, b| this.iterate(b, op, part.whole)),
            None => self.iterate(b, op, part.whole),
        };
        self.part = Some(part);
        result
    }

    /// The values of what a variable is split into, on all ways down.
    fn halves_of(
        &mut self,
        b: Builder<'c>,
        var: Val<'c>,
        value: Val<'c>,
        found: &mut Vec<(Val<'c>, Val<'c>)>,
    ) -> Result<'c, ()> {
        let splits: Vec<Split<'c>> = self.relations.splits_of(var).collect();
        for split in splits {
            let factor = self.factor(b, split)?;
            for (half, value) in
                [(split.outer, b.divi(value, factor)?), (split.inner, b.remi(value, factor)?)]
            {
                found.push((half, value));
                self.halves_of(b, half, value, found)?;
            }
        }
        Ok(())
    }
}
