//! Loops over all coordinates that sparse operands have a part in, such as the sum of a sparse and a dense
//! matrix.
//!
//! The loop carries a cursor into each sparse operand's level. At every coordinate each operand is present
//! or absent; the body is generated once for each case, with the absent operands left out of its sums: the
//! points of a merge lattice (Kjolstad 2017, section 5).

use super::Lowering;
use super::lattice::LatticePoint;
use super::point::{Point, Positions};
use super::workspace::Slot;
use comet_ir::{Bounds, Builder, Compare, IrError, Op, Result, Val, types};
use comet_runtime::format::{Level, LevelExpr, LevelKind};

/// Where a sparse operand stands in the level that a loop visits.
#[derive(Clone)]
struct Cursor<'c> {
    point: Point<'c>,
    at: Positions<'c>,
    crd: Val<'c>,
    position: Val<'c>,
    end: Val<'c>,
    /// The coordinate at the position, where it is known to be inside.
    stored: Option<Val<'c>>,
}

/// The loop that is generated.
struct Merge<'c> {
    op: Op<'c>,
    var: Val<'c>,
    coordinate: Val<'c>,
    workspaces: Vec<Slot<'c>>,
}

/// Whether a level stores a coordinate once for each of the entries below it.
fn repeats(levels: &[Level], level: usize) -> bool {
    let below = levels.get(level + 1);
    below.is_some_and(|level| level.kind == LevelKind::Singleton)
        && levels[level].kind != LevelKind::CompressedUnique
}

impl<'c> Lowering<'c> {
    /// Whether the level that a loop over the point visits next stores coordinates more than once.
    pub(super) fn next_repeats(&self, point: &Point<'c>) -> bool {
        repeats(&point.format().levels, self.positions(point).levels)
    }

    /// Visits every coordinate, with a cursor into each driver.
    pub(super) fn merge(
        &mut self,
        b: Builder<'c>,
        op: Op<'c>,
        var: Val<'c>,
        drivers: &[Point<'c>],
    ) -> Result<'c, ()> {
        let cursors =
            drivers.iter().map(|driver| self.cursor(b, op, driver)).collect::<Result<'c, Vec<_>>>()?;
        let workspaces = self.carried(op);
        let mut initial: Vec<Val<'c>> = cursors.iter().map(|cursor| cursor.position).collect();
        initial.extend(self.contents(&workspaces));
        let bounds = Bounds {
            start: self.storage.constant(0)?,
            stop: self.extent(b, var)?,
            step: self.storage.constant(1)?,
        };
        let results = b.for_step(bounds, &initial, |b, coordinate, carried| {
            let (positions, contents) = carried.split_at(cursors.len());
            self.set_contents(&workspaces, contents);
            let here = |(cursor, position): (&Cursor<'c>, &Val<'c>)| Cursor {
                position: *position,
                ..cursor.clone()
            };
            let cursors: Vec<Cursor<'c>> = cursors.iter().zip(positions).map(here).collect();
            let merge = Merge { op, var, coordinate, workspaces: workspaces.clone() };
            let mut next = self.scoped(|this| {
                this.coordinates.push((var, coordinate));
                this.present_or_absent(b, &merge, &cursors)
            })?;
            next.extend(self.contents(&workspaces));
            Ok(next)
        })?;
        self.set_contents(&workspaces, &results[cursors.len()..]);
        Ok(())
    }

    /// Visits the coordinates that the drivers store, as far as something is assigned at them: one loop for
    /// each point of the lattice, which runs while all its operands have coordinates left and goes on at
    /// the least of them.
    pub(super) fn co_iterate(
        &mut self,
        b: Builder<'c>,
        op: Op<'c>,
        var: Val<'c>,
        drivers: &[Point<'c>],
    ) -> Result<'c, ()> {
        let mut cursors = Vec::new();
        for driver in drivers {
            let cursor = self.cursor(b, op, driver)?;
            cursors.push(self.without_padding(b, cursor)?);
        }
        for point in self.lattice(op, drivers) {
            self.lattice_loop(b, op, var, &mut cursors, &point)?;
        }
        Ok(())
    }

    /// Ends the range before the entries that stand for nothing.
    fn without_padding(&mut self, b: Builder<'c>, cursor: Cursor<'c>) -> Result<'c, Cursor<'c>> {
        let level = cursor.at.levels;
        let pads = level > 0 && cursor.point.format().levels[level - 1].kind == LevelKind::Dense;
        if !pads || cursor.point.format().levels[level].kind != LevelKind::Singleton {
            return Ok(cursor);
        }
        let zero = self.storage.constant(0)?;
        let end = self.skip(b, &cursor, cursor.position, Compare::Ge, zero)?;
        Ok(Cursor { end, ..cursor })
    }

    fn lattice_loop(
        &mut self,
        b: Builder<'c>,
        op: Op<'c>,
        var: Val<'c>,
        cursors: &mut [Cursor<'c>],
        point: &LatticePoint,
    ) -> Result<'c, ()> {
        let workspaces = self.carried(op);
        let mut initial: Vec<Val<'c>> = point.iter().map(|number| cursors[*number].position).collect();
        initial.extend(self.contents(&workspaces));
        let at = |position: Val<'c>, number: usize| Cursor { position, ..cursors[number].clone() };
        let here = |carried: &[Val<'c>]| -> Vec<Cursor<'c>> {
            point.iter().zip(carried).map(|(number, position)| at(*position, *number)).collect()
        };
        let absent = cursors
            .iter()
            .enumerate()
            .filter(|(number, _)| !point.contains(number))
            .map(|(_, cursor)| cursor.point.clone());
        let absent: Vec<Point<'c>> = absent.collect();
        let results = b.while_loop(
            &initial,
            |b, carried| all_inside(b, &here(carried)),
            |b, carried| {
                self.set_contents(&workspaces, &carried[point.len()..]);
                let mut next = self.scoped(|this| {
                    this.absent.extend(absent);
                    this.at_least_coordinate(b, op, var, here(carried))
                })?;
                next.extend(self.contents(&workspaces));
                Ok(next)
            },
        )?;
        for (number, position) in point.iter().zip(&results) {
            cursors[*number].position = *position;
        }
        self.set_contents(&workspaces, &results[point.len()..]);
        Ok(())
    }

    /// The body at the least of the cursors' coordinates; gives where they stand next.
    fn at_least_coordinate(
        &mut self,
        b: Builder<'c>,
        op: Op<'c>,
        var: Val<'c>,
        cursors: Vec<Cursor<'c>>,
    ) -> Result<'c, Vec<Val<'c>>> {
        let mut known = Vec::new();
        for cursor in cursors {
            let stored = b.load_index(cursor.crd, cursor.position)?;
            known.push(Cursor { stored: Some(stored), ..cursor });
        }
        let mut stored = known.iter().filter_map(|cursor| cursor.stored);
        let first = stored.next().expect("a lattice point has an operand");
        let coordinate = stored.try_fold(first, |least, stored| b.mini(least, stored))?;
        self.coordinates.push((var, coordinate));
        let merge = Merge { op, var, coordinate, workspaces: self.carried(op) };
        self.present_or_absent(b, &merge, &known)
    }

    /// Looks for one coordinate in the next level of a point.
    pub(super) fn search(
        &mut self,
        b: Builder<'c>,
        op: Op<'c>,
        var: Val<'c>,
        point: &Point<'c>,
        coordinate: Val<'c>,
    ) -> Result<'c, ()> {
        let mut cursor = self.cursor(b, op, point)?;
        cursor.position = self.skip(b, &cursor, cursor.position, Compare::Lt, coordinate)?;
        let merge = Merge { op, var, coordinate, workspaces: self.carried(op) };
        self.present_or_absent(b, &merge, &[cursor]).map(|_| ())
    }

    fn cursor(&mut self, b: Builder<'c>, op: Op<'c>, point: &Point<'c>) -> Result<'c, Cursor<'c>> {
        let at = self.positions(point);
        let levels = point.format().levels;
        let level = levels[at.levels];
        let (number, [position, end]) = if level.expr == LevelExpr::Slot {
            (at.levels + 1, self.slot_range(b, point, &at)?)
        } else {
            (at.levels, self.level_range(b, op, point, &at, level)?)
        };
        let crd = self.storage.coordinates(point.tensor, number)?;
        let at = Positions { levels: number, ..at };
        Ok(Cursor { point: point.clone(), at, crd, position, end, stored: None })
    }

    /// The slots of a row; the unused ones come last, and their coordinate is −1.
    fn slot_range(
        &mut self,
        b: Builder<'c>,
        point: &Point<'c>,
        at: &Positions<'c>,
    ) -> Result<'c, [Val<'c>; 2]> {
        let (zero, size) = (self.storage.constant(0)?, self.storage.size(point.tensor, at.levels)?);
        let start = self.child(b, point, at, zero)?;
        Ok([start, b.addi(start, size)?])
    }

    fn level_range(
        &mut self,
        b: Builder<'c>,
        op: Op<'c>,
        point: &Point<'c>,
        at: &Positions<'c>,
        level: Level,
    ) -> Result<'c, [Val<'c>; 2]> {
        match level.kind {
            LevelKind::CompressedUnique | LevelKind::CompressedNonUnique => self.segment(b, point, at),
            LevelKind::Singleton => self.singleton_range(b, at),
            _ => Err(IrError::not_supported(op.location(), "bit-vector levels in loops")),
        }
    }

    /// The positions that the level above has left together, or the only one that it has given.
    fn singleton_range(&mut self, b: Builder<'c>, at: &Positions<'c>) -> Result<'c, [Val<'c>; 2]> {
        let start = at.last.expect("the verifier refuses S as the first level");
        let end = match at.end {
            Some(end) => end,
            None => {
                let one = self.storage.constant(1)?;
                b.addi(start, one)?
            }
        };
        Ok([start, end])
    }

    /// Generates the body for every case of the cursors' points; gives where the cursors stand afterwards.
    fn present_or_absent(
        &mut self,
        b: Builder<'c>,
        merge: &Merge<'c>,
        cursors: &[Cursor<'c>],
    ) -> Result<'c, Vec<Val<'c>>> {
        let Some((cursor, others)) = cursors.split_first() else {
            if self.is_live_without(merge.op, &[]) {
                self.iterate(b, merge.op, merge.var)?;
            }
            return Ok(Vec::new());
        };
        let present = self.stands(b, cursor, Compare::Eq, merge.coordinate)?;
        let before = self.contents(&merge.workspaces);
        let index = types::index(b.context());
        let mut results = vec![index; cursors.len()];
        results.extend(b.types_of(&before));
        // Both branches start from the same workspaces, so they are put back in between.
        let this = std::cell::RefCell::new(&mut *self);
        let branch = |b: Builder<'c>, is_present: bool| {
            let this = &mut **this.borrow_mut();
            this.set_contents(&merge.workspaces, &before);
            let mut values = this.scoped(|this| this.branch(b, merge, cursor, others, is_present))?;
            values.extend(this.contents(&merge.workspaces));
            Ok(values)
        };
        let values = b.if_else(present, &results, |b| branch(b, true), |b| branch(b, false))?;
        let (next, contents) = values.split_at(cursors.len());
        self.set_contents(&merge.workspaces, contents);
        Ok(next.to_vec())
    }

    fn branch(
        &mut self,
        b: Builder<'c>,
        merge: &Merge<'c>,
        cursor: &Cursor<'c>,
        others: &[Cursor<'c>],
        is_present: bool,
    ) -> Result<'c, Vec<Val<'c>>> {
        if is_present {
            let mut positions = vec![self.take(b, cursor, merge.coordinate)?];
            positions.extend(self.present_or_absent(b, merge, others)?);
            return Ok(positions);
        }
        self.absent.push(cursor.point.clone());
        let mut positions = vec![cursor.position];
        positions.extend(self.present_or_absent(b, merge, others)?);
        Ok(positions)
    }

    /// Whether the cursor stands inside its range, at a coordinate that compares so with the given one.
    fn stands(
        &self,
        b: Builder<'c>,
        cursor: &Cursor<'c>,
        compare: Compare,
        coordinate: Val<'c>,
    ) -> Result<'c, Val<'c>> {
        if let Some(stored) = cursor.stored {
            return b.cmpi(compare, stored, coordinate);
        }
        let inside = b.cmpi(Compare::Lt, cursor.position, cursor.end)?;
        let bit = types::int(b.context(), 1);
        let compares = |b: Builder<'c>| {
            let stored = b.load_index(cursor.crd, cursor.position)?;
            Ok(vec![b.cmpi(compare, stored, coordinate)?])
        };
        let results = b.if_else(inside, &[bit], compares, |b| Ok(vec![b.int(bit, 0)?]))?;
        Ok(results[0])
    }

    /// Goes down to what the cursor stands at; gives where it stands next. Below a level that stores a
    /// coordinate once for each entry, that is all of them.
    fn take(&mut self, b: Builder<'c>, cursor: &Cursor<'c>, coordinate: Val<'c>) -> Result<'c, Val<'c>> {
        let repeats = repeats(&cursor.point.format().levels, cursor.at.levels);
        let one = self.storage.constant(1)?;
        let mut next = b.addi(cursor.position, one)?;
        if repeats {
            next = self.skip(b, cursor, next, Compare::Eq, coordinate)?;
        }
        let at = Positions {
            levels: cursor.at.levels + 1,
            last: Some(cursor.position),
            end: repeats.then_some(next),
        };
        self.positions.push((cursor.point.clone(), at));
        Ok(next)
    }

    /// The first position from `start` on whose coordinate does not compare so with the given one.
    fn skip(
        &mut self,
        b: Builder<'c>,
        cursor: &Cursor<'c>,
        start: Val<'c>,
        compare: Compare,
        coordinate: Val<'c>,
    ) -> Result<'c, Val<'c>> {
        let one = self.storage.constant(1)?;
        let at = |position: Val<'c>| Cursor { position, stored: None, ..cursor.clone() };
        let results = b.while_loop(
            &[start],
            |b, carried| self.stands(b, &at(carried[0]), compare, coordinate),
            |b, carried| Ok(vec![b.addi(carried[0], one)?]),
        )?;
        Ok(results[0])
    }
}

/// Whether every cursor has a coordinate left.
fn all_inside<'c>(b: Builder<'c>, cursors: &[Cursor<'c>]) -> Result<'c, Val<'c>> {
    let inside = cursors.iter().map(|cursor| b.cmpi(Compare::Lt, cursor.position, cursor.end));
    let inside = inside.collect::<Result<'c, Vec<_>>>()?;
    let (first, rest) = inside.split_first().expect("a lattice point has an operand");
    rest.iter().try_fold(*first, |all, next| b.value("arith.andi", &[all, *next], types::int(b.context(), 1)))
}
