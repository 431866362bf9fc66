//! Loops over all coordinates that sparse operands have a part in, such as the sum of a sparse and a dense
//! matrix.
//!
//! The loop carries a cursor into each sparse operand's level. At every coordinate each operand is present
//! or absent; the body is generated once for each case, with the absent operands left out of its sums: the
//! points of a merge lattice (Kjolstad 2017, section 5). Their number grows exponentially, so that for many
//! operands there is one body instead, in which each of them is present or absent at run time.

use super::Lowering;
use super::cursor::{Cursor, all_inside, any_inside, are_together, greatest, least, left, stand_at, states};
use super::lattice::LatticePoint;
use super::point::Point;
use super::workspace::Slot;
use comet_ir::{Bounds, Builder, Compare, Op, Result, Val};

/// The most operands whose lattice is looked at: its points are among all their sets.
const MOST_OPERANDS: usize = 8;
/// The most points that get loops of their own: those of a sum of 3 operands, which have 19 bodies.
const MOST_POINTS: usize = 7;
/// The most operands that a loop over all coordinates has a body for each case of.
const MOST_IN_CASES: usize = 3;

/// From so many times as many coordinates on, searching for one is less work than passing over the others.
const WORTH_SEARCHING: i64 = 16;

/// The loop that is generated.
struct Merge<'c> {
    op: Op<'c>,
    var: Val<'c>,
    coordinate: Val<'c>,
    workspaces: Vec<Slot<'c>>,
}

impl<'c> Lowering<'c> {
    /// Visits every coordinate, with a cursor into each driver.
    pub(super) fn merge(
        &mut self,
        b: Builder<'c>,
        op: Op<'c>,
        var: Val<'c>,
        drivers: &[Point<'c>],
    ) -> Result<'c, ()> {
        let mut cursors = Vec::new();
        for driver in drivers {
            let cursor = self.cursor(b, driver)?;
            cursors.push(self.part_of_cursor(b, cursor)?);
        }
        let workspaces = self.carried(op);
        let mut initial = states(&cursors);
        initial.extend(self.contents(&workspaces));
        let (start, stop) = match self.part {
            Some(part) => (part.start, part.stop),
            None => (self.storage.constant(0)?, self.extent(b, var)?),
        };
        let bounds = Bounds { start, stop, step: self.storage.constant(1)? };
        let results = b.for_step(bounds, &initial, |b, coordinate, carried| {
            let (cursors, contents) = stand_at(&cursors, carried);
            self.set_contents(&workspaces, contents);
            let merge = Merge { op, var, coordinate, workspaces: workspaces.clone() };
            let mut next = self.scoped(|this| {
                this.coordinates.push((var, coordinate));
                this.at_coordinate(b, &merge, &cursors)
            })?;
            next.extend(self.contents(&workspaces));
            Ok(next)
        })?;
        self.set_contents(&workspaces, stand_at(&cursors, &results).1);
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
            let cursor = self.cursor(b, driver)?;
            let cursor = self.without_padding(b, cursor)?;
            cursors.push(self.part_of_cursor(b, cursor)?);
        }
        self.make_room_for_rounds(b, op, |_| left(b, &cursors))?;
        let points = if drivers.len() <= MOST_OPERANDS { self.lattice(op, drivers) } else { Vec::new() };
        if points.is_empty() || points.len() > MOST_POINTS {
            return self.co_iterate_many(b, op, var, &cursors);
        }
        if points.len() == 1 && points[0].len() == cursors.len() && cursors.len() > 1 {
            return self.intersect(b, op, var, &cursors);
        }
        for point in points {
            self.lattice_loop(b, op, var, &mut cursors, &point)?;
        }
        Ok(())
    }

    /// A loop that carries cursors, and the contents of the workspaces that change in it. It runs while
    /// `goes_on`; `body` gives where the cursors stand next. Gives where they stand in the end.
    fn carry(
        &mut self,
        b: Builder<'c>,
        op: Op<'c>,
        cursors: &[Cursor<'c>],
        goes_on: fn(Builder<'c>, &[Cursor<'c>]) -> Result<'c, Val<'c>>,
        body: impl FnOnce(&mut Self, Builder<'c>, Vec<Cursor<'c>>) -> Result<'c, Vec<Val<'c>>>,
    ) -> Result<'c, Vec<Cursor<'c>>> {
        let workspaces = self.carried(op);
        let mut initial = states(cursors);
        initial.extend(self.contents(&workspaces));
        let results = b.while_loop(
            &initial,
            |b, carried| goes_on(b, &stand_at(cursors, carried).0),
            |b, carried| {
                let (here, contents) = stand_at(cursors, carried);
                self.set_contents(&workspaces, contents);
                let mut next = self.scoped(|this| body(this, b, here))?;
                next.extend(self.contents(&workspaces));
                Ok(next)
            },
        )?;
        let (behind, contents) = stand_at(cursors, &results);
        self.set_contents(&workspaces, contents);
        Ok(behind)
    }

    /// The coordinates that all of the operands store. One that is behind the furthest goes on by one
    /// position, or where one operand stores far more than another, to the furthest's coordinate.
    fn intersect(
        &mut self,
        b: Builder<'c>,
        op: Op<'c>,
        var: Val<'c>,
        cursors: &[Cursor<'c>],
    ) -> Result<'c, ()> {
        let is_lopsided = self.is_lopsided(b, cursors)?;
        self.carry(b, op, cursors, all_inside, |this, b, here| {
            let here = this.read_all(b, here)?;
            this.meet(b, op, var, &here, is_lopsided)
        })?;
        Ok(())
    }

    /// The body if all cursors stand at one coordinate; gives where they stand next.
    fn meet(
        &mut self,
        b: Builder<'c>,
        op: Op<'c>,
        var: Val<'c>,
        cursors: &[Cursor<'c>],
        is_lopsided: Val<'c>,
    ) -> Result<'c, Vec<Val<'c>>> {
        let workspaces = self.carried(op);
        let before = self.contents(&workspaces);
        let here = states(cursors);
        let mut results = b.types_of(&here);
        results.extend(b.types_of(&before));
        let furthest = greatest(b, cursors)?;
        let together = are_together(b, cursors)?;
        let this = std::cell::RefCell::new(&mut *self);
        let body = |b: Builder<'c>| {
            let this = &mut **this.borrow_mut();
            let mut next = this.at_common(b, op, var, cursors)?;
            next.extend(this.contents(&workspaces));
            Ok(next)
        };
        let others = |b: Builder<'c>| {
            let mut next = this.borrow_mut().catch_up(b, cursors, furthest, is_lopsided)?;
            next.extend(&before);
            Ok(next)
        };
        let values = b.if_else(together, &results, body, others)?;
        let (next, contents) = values.split_at(here.len());
        self.set_contents(&workspaces, contents);
        Ok(next.to_vec())
    }

    /// The body at a coordinate that all cursors stand at; gives where they stand next.
    fn at_common(
        &mut self,
        b: Builder<'c>,
        op: Op<'c>,
        var: Val<'c>,
        cursors: &[Cursor<'c>],
    ) -> Result<'c, Vec<Val<'c>>> {
        let coordinate = cursors[0].stored.expect("the cursors have been read");
        self.coordinates.push((var, coordinate));
        let mut next = Vec::new();
        for cursor in cursors {
            next.extend(self.take(b, cursor, coordinate)?.state());
        }
        self.iterate(b, op, var)?;
        Ok(next)
    }

    /// Whether looking for the coordinates of one operand in another is less work than going through both.
    fn is_lopsided(&mut self, b: Builder<'c>, cursors: &[Cursor<'c>]) -> Result<'c, Val<'c>> {
        let lengths = cursors.iter().map(|cursor| b.subi(cursor.end, cursor.position));
        let lengths = lengths.collect::<Result<'c, Vec<_>>>()?;
        let (first, others) = lengths.split_first().expect("there are operands to merge");
        let shortest = others.iter().try_fold(*first, |least, length| b.mini(least, *length))?;
        let longest = others.iter().try_fold(*first, |most, length| b.maxi(most, *length))?;
        let worth = b.muli(shortest, self.storage.constant(WORTH_SEARCHING)?)?;
        b.cmpi(Compare::Lt, worth, longest)
    }

    /// Where the cursors stand next that are behind a coordinate; the others stay.
    fn catch_up(
        &mut self,
        b: Builder<'c>,
        cursors: &[Cursor<'c>],
        furthest: Val<'c>,
        is_lopsided: Val<'c>,
    ) -> Result<'c, Vec<Val<'c>>> {
        let types = b.types_of(&states(cursors));
        let this = std::cell::RefCell::new(self);
        let search = |b: Builder<'c>| {
            let mut next = Vec::new();
            for cursor in cursors {
                let is_behind = this.borrow_mut().stands(b, cursor, Compare::Lt, furthest)?;
                let found = |b: Builder<'c>| Ok(this.borrow_mut().seek(b, cursor, furthest)?.state());
                let here = cursor.state();
                next.extend(b.if_else(is_behind, &b.types_of(&here), found, |_| Ok(here.clone()))?);
            }
            Ok(next)
        };
        let step = |b: Builder<'c>| this.borrow_mut().step_first_behind(b, cursors, furthest);
        b.if_else(is_lopsided, &types, search, step)
    }

    /// Where the cursors stand once the first of them that is behind a coordinate, or else the last, has gone
    /// on by one position.
    ///
    /// A branch: that of the coordinates of real matrices is mostly foreseen by the processor, which then
    /// reads on without waiting for the comparison. Said to be expected, lest it become a selection.
    fn step_first_behind(
        &mut self,
        b: Builder<'c>,
        cursors: &[Cursor<'c>],
        coordinate: Val<'c>,
    ) -> Result<'c, Vec<Val<'c>>> {
        let (first, others) = cursors.split_first().expect("there are operands to intersect");
        if others.is_empty() {
            return Ok(self.step(b, first)?.state());
        }
        let is_behind = self.stands(b, first, Compare::Lt, coordinate)?;
        let this = std::cell::RefCell::new(self);
        let step = |b: Builder<'c>| {
            let mut next = this.borrow_mut().step(b, first)?.state();
            next.extend(states(others));
            Ok(next)
        };
        let stay = |b: Builder<'c>| {
            let mut next = first.state();
            next.extend(this.borrow_mut().step_first_behind(b, others, coordinate)?);
            Ok(next)
        };
        b.if_else(b.expected(is_behind)?, &b.types_of(&states(cursors)), step, stay)
    }

    /// One loop over the coordinates that any of the operands stores.
    fn co_iterate_many(
        &mut self,
        b: Builder<'c>,
        op: Op<'c>,
        var: Val<'c>,
        cursors: &[Cursor<'c>],
    ) -> Result<'c, ()> {
        self.carry(b, op, cursors, any_inside, |this, b, here| {
            let cursors = this.look(b, here)?;
            let coordinate = least(b, &cursors)?;
            this.coordinates.push((var, coordinate));
            let merge = Merge { op, var, coordinate, workspaces: this.carried(op) };
            this.present_at_run_time(b, &merge, &cursors)
        })?;
        Ok(())
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
        let mut next = Vec::new();
        for cursor in cursors {
            next.extend(self.take_if(b, cursor, merge.coordinate)?.state());
        }
        self.iterate(b, merge.op, merge.var)?;
        Ok(next)
    }

    fn lattice_loop(
        &mut self,
        b: Builder<'c>,
        op: Op<'c>,
        var: Val<'c>,
        cursors: &mut [Cursor<'c>],
        point: &LatticePoint,
    ) -> Result<'c, ()> {
        let own: Vec<Cursor<'c>> = point.iter().map(|number| cursors[*number].clone()).collect();
        let is_absent = |(number, _): &(usize, &Cursor<'c>)| !point.contains(number);
        let absent = cursors.iter().enumerate().filter(is_absent).map(|(_, cursor)| cursor.point.clone());
        let absent: Vec<Point<'c>> = absent.collect();
        let behind = self.carry(b, op, &own, all_inside, |this, b, here| {
            this.absent.extend(absent);
            this.at_least_coordinate(b, op, var, here)
        })?;
        for (number, cursor) in point.iter().zip(behind) {
            cursors[*number] = cursor;
        }
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
        let known = self.read_all(b, cursors)?;
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
        let fiber = self.cursor(b, point)?;
        let cursor = self.seek(b, &fiber, coordinate)?;
        let merge = Merge { op, var, coordinate, workspaces: self.carried(op) };
        self.present_or_absent(b, &merge, &[cursor]).map(|_| ())
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
            let mut next = Vec::new();
            for cursor in cursors {
                next.extend(self.pass(b, cursor, merge.coordinate)?.state());
            }
            return Ok(next);
        }
        let present = self.stands(b, cursor, Compare::Eq, merge.coordinate)?;
        let before = self.contents(&merge.workspaces);
        let here = states(cursors);
        let mut results = b.types_of(&here);
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
        let (next, contents) = values.split_at(here.len());
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
            let mut next = self.take(b, cursor, merge.coordinate)?.state();
            next.extend(self.present_or_absent(b, merge, others)?);
            return Ok(next);
        }
        self.absent.push(cursor.point.clone());
        let mut next = cursor.state();
        next.extend(self.present_or_absent(b, merge, others)?);
        Ok(next)
    }
}
