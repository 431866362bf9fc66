//! Loops over all coordinates that sparse operands have a part in, such as the sum of a sparse and a dense
//! matrix.
//!
//! The loop carries a cursor into each sparse operand's level. At every coordinate each operand is present
//! or absent; the body is generated once for each case, with the absent operands left out of its sums: the
//! points of a merge lattice (Kjolstad 2017, section 5). Their number grows exponentially, so that for many
//! operands there is one body instead, in which each of them is present or absent at run time.

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

/// The most operands whose lattice is looked at: its points are among all their sets.
const MOST_OPERANDS: usize = 8;
/// The most points that get loops of their own: those of a sum of 3 operands, which have 19 bodies.
const MOST_POINTS: usize = 7;
/// The most operands that a loop over all coordinates has a body for each case of.
const MOST_IN_CASES: usize = 3;
/// Above the coordinates of every tensor.
const BEYOND: i64 = i64::MAX;

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
                this.at_coordinate(b, &merge, &cursors)
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
        let points = if drivers.len() <= MOST_OPERANDS { self.lattice(op, drivers) } else { Vec::new() };
        if points.is_empty() || points.len() > MOST_POINTS {
            return self.co_iterate_many(b, op, var, &cursors);
        }
        for point in points {
            self.lattice_loop(b, op, var, &mut cursors, &point)?;
        }
        Ok(())
    }

    /// One loop over the coordinates that any of the operands stores.
    fn co_iterate_many(
        &mut self,
        b: Builder<'c>,
        op: Op<'c>,
        var: Val<'c>,
        cursors: &[Cursor<'c>],
    ) -> Result<'c, ()> {
        let workspaces = self.carried(op);
        let mut initial: Vec<Val<'c>> = cursors.iter().map(|cursor| cursor.position).collect();
        initial.extend(self.contents(&workspaces));
        let here = |carried: &[Val<'c>]| -> Vec<Cursor<'c>> {
            let at = |(cursor, position): (&Cursor<'c>, &Val<'c>)| Cursor {
                position: *position,
                ..cursor.clone()
            };
            cursors.iter().zip(carried).map(at).collect()
        };
        let results = b.while_loop(
            &initial,
            |b, carried| any_inside(b, &here(carried)),
            |b, carried| {
                self.set_contents(&workspaces, &carried[cursors.len()..]);
                let mut next = self.scoped(|this| {
                    let cursors = this.look(b, here(carried))?;
                    let coordinate = least(b, &cursors)?;
                    this.coordinates.push((var, coordinate));
                    let merge = Merge { op, var, coordinate, workspaces: workspaces.clone() };
                    this.present_at_run_time(b, &merge, &cursors)
                })?;
                next.extend(self.contents(&workspaces));
                Ok(next)
            },
        )?;
        self.set_contents(&workspaces, &results[cursors.len()..]);
        Ok(())
    }

    /// The coordinates that the cursors stand at; behind their ends it is beyond all others.
    fn look(&mut self, b: Builder<'c>, cursors: Vec<Cursor<'c>>) -> Result<'c, Vec<Cursor<'c>>> {
        let beyond = self.storage.constant(BEYOND)?;
        let index = types::index(b.context());
        let seen = |cursor: Cursor<'c>| {
            let inside = b.cmpi(Compare::Lt, cursor.position, cursor.end)?;
            let load = |b: Builder<'c>| Ok(vec![b.load_index(cursor.crd, cursor.position)?]);
            let stored = b.if_else(inside, &[index], load, |_| Ok(vec![beyond]))?[0];
            Ok(Cursor { stored: Some(stored), ..cursor })
        };
        cursors.into_iter().map(seen).collect()
    }

    /// The body at a coordinate, once for each case of the cursors or once for all.
    fn at_coordinate(
        &mut self,
        b: Builder<'c>,
        merge: &Merge<'c>,
        cursors: &[Cursor<'c>],
    ) -> Result<'c, Vec<Val<'c>>> {
        if cursors.len() > MOST_IN_CASES {
            let cursors = self.look(b, cursors.to_vec())?;
            return self.present_at_run_time(b, merge, &cursors);
        }
        self.present_or_absent(b, merge, cursors)
    }

    /// Generates the body once; gives where the cursors stand afterwards.
    fn present_at_run_time(
        &mut self,
        b: Builder<'c>,
        merge: &Merge<'c>,
        cursors: &[Cursor<'c>],
    ) -> Result<'c, Vec<Val<'c>>> {
        let mut positions = Vec::new();
        for cursor in cursors {
            let present = self.stands(b, cursor, Compare::Eq, merge.coordinate)?;
            positions.push(self.take_if(b, cursor, merge.coordinate, present)?);
        }
        self.iterate(b, merge.op, merge.var)?;
        Ok(positions)
    }

    /// Goes down to what the cursor stands at if it is there; gives where it stands next.
    fn take_if(
        &mut self,
        b: Builder<'c>,
        cursor: &Cursor<'c>,
        coordinate: Val<'c>,
        present: Val<'c>,
    ) -> Result<'c, Val<'c>> {
        let next = self.next_if(b, cursor, coordinate, present)?;
        let repeats = repeats(&cursor.point.format().levels, cursor.at.levels);
        let at = Positions {
            levels: cursor.at.levels + 1,
            last: Some(cursor.position),
            end: repeats.then_some(next),
            present: Some(present),
        };
        self.positions.push((cursor.point.clone(), at));
        Ok(next)
    }

    /// Where a cursor stands next at whose coordinate nothing is assigned.
    fn pass(&mut self, b: Builder<'c>, cursor: &Cursor<'c>, coordinate: Val<'c>) -> Result<'c, Val<'c>> {
        let present = self.stands(b, cursor, Compare::Eq, coordinate)?;
        self.next_if(b, cursor, coordinate, present)
    }

    /// Behind the coordinate if the cursor stands at it, else where it is.
    fn next_if(
        &mut self,
        b: Builder<'c>,
        cursor: &Cursor<'c>,
        coordinate: Val<'c>,
        present: Val<'c>,
    ) -> Result<'c, Val<'c>> {
        let one = self.storage.constant(1)?;
        let following = b.addi(cursor.position, one)?;
        let next = b.select(present, following, cursor.position)?;
        if repeats(&cursor.point.format().levels, cursor.at.levels) {
            return self.skip(b, cursor, next, Compare::Eq, coordinate);
        }
        Ok(next)
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
        let coordinate = least(b, &known)?;
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
        // Under a parent that is not there the range is empty, so that what is found in it is there.
        let at = Positions { levels: number, present: None, ..at };
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
        let end = b.addi(start, size)?;
        Ok([start, if_present(b, at, end, start)?])
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
                if_present(b, at, b.addi(start, one)?, start)?
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
        if !self.is_live_without(merge.op, &[]) {
            return cursors.iter().map(|cursor| self.pass(b, cursor, merge.coordinate)).collect();
        }
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
            present: None,
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

/// Whether some cursor has a coordinate left.
fn any_inside<'c>(b: Builder<'c>, cursors: &[Cursor<'c>]) -> Result<'c, Val<'c>> {
    let inside = cursors.iter().map(|cursor| b.cmpi(Compare::Lt, cursor.position, cursor.end));
    let inside = inside.collect::<Result<'c, Vec<_>>>()?;
    let (first, rest) = inside.split_first().expect("there are operands to merge");
    rest.iter().try_fold(*first, |any, next| b.value("arith.ori", &[any, *next], types::int(b.context(), 1)))
}

/// The least of the coordinates that the cursors stand at.
fn least<'c>(b: Builder<'c>, cursors: &[Cursor<'c>]) -> Result<'c, Val<'c>> {
    let mut stored = cursors.iter().filter_map(|cursor| cursor.stored);
    let first = stored.next().expect("there are operands to merge");
    stored.try_fold(first, |least, stored| b.mini(least, stored))
}

/// The first value where the parent is there, the other one where it is not.
fn if_present<'c>(
    b: Builder<'c>,
    at: &Positions<'c>,
    then: Val<'c>,
    otherwise: Val<'c>,
) -> Result<'c, Val<'c>> {
    match at.present {
        Some(present) => b.select(present, then, otherwise),
        None => Ok(then),
    }
}
