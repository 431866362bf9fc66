//! Loops: dense ones over coordinates, and sparse ones over the positions of a level (comet.txt Table 1).

use super::point::{Point, Positions};
use super::tasks::{Below, Rounds};
use super::workspace::{combines_one_by_one, is_workspace};
use super::{Lowering, lanes};
use comet_dialects::cin::{AccessOperation, ForallOperation};
use comet_format::{Level, LevelExpr, LevelKind};
use comet_ir::{Builder, Compare, IrError, Op, Result, Val, types};
use comet_passes::nest::optional_integer;

impl<'c> Lowering<'c> {
    /// The loop over a variable, as the levels at it demand.
    pub(super) fn forall(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<'c, ()> {
        let var = self.relations.unbounded(op.operand(0));
        if optional_integer(op, "vectorize").is_some() && self.is_lane(var) {
            return self.scoped(|this| {
                let zero = this.storage.constant(0)?;
                this.coordinates.push((var, zero));
                this.block(b, op.body(0))
            });
        }
        if let Some(split) = self.relations.quotient_of(var)
            && self.lanes.is_none()
            && lanes::fit(op, split, &self.relations, |tensor| {
                self.is_appended(tensor) || self.has_same_pattern(tensor)
            })
            && let Some(lanes) = split.factor()
        {
            return self.vector_blocks(b, op, split, lanes);
        }
        if let Some(sum) = self.vector_sum(op) {
            return self.add_up_lanes(b, op, sum);
        }
        self.begin_blocks(b, op)?;
        self.begin_fiber(b, op, var)?;
        let workspace = self.workspace_at(op, var);
        self.scoped(|this| match workspace {
            Some((workspace, number)) => this.drain_workspace(b, op, workspace, number),
            None => this.iterate(b, op, var),
        })?;
        self.end_blocks(b, op)?;
        self.end_fiber(b, op, var)
    }

    /// Runs `body` and forgets what it has bound.
    pub(super) fn scoped<T>(&mut self, body: impl FnOnce(&mut Self) -> Result<'c, T>) -> Result<'c, T> {
        let (coordinates, positions, absent, roomy) =
            (self.coordinates.len(), self.positions.len(), self.absent.len(), self.roomy.len());
        let result = body(self);
        self.roomy.truncate(roomy);
        self.absent.truncate(absent);
        self.coordinates.truncate(coordinates);
        self.positions.truncate(positions);
        result
    }

    /// Goes on with a loop whose variable may be bound by now: a level whose coordinate is known is
    /// searched; then the levels at the variable of what stores only some coordinates are walked, or all
    /// coordinates; then the body runs.
    pub(super) fn iterate(&mut self, b: Builder<'c>, op: Op<'c>, var: Val<'c>) -> Result<'c, ()> {
        if self.has_no_positions(op, var) || self.stand_at_position(b, op, var)? {
            return Ok(());
        }
        let points = self.sparse_points(b, op)?;
        for point in &points {
            if let Some(coordinate) = self.next_coordinate(b, point)? {
                return self.search(b, op, var, point, coordinate);
            }
        }
        if self.bound(var).is_some() {
            return self.body_at_part(b, op);
        }
        if self.stored_pairs(b, op, var)? {
            return Ok(());
        }
        let drivers = self.drivers(points, var);
        let Some(whole) = drivers.first().and_then(|driver| self.next_var(driver)) else {
            return self.dense(b, op, var);
        };
        if drivers.iter().any(|driver| self.next_var(driver) != Some(whole)) {
            let what = "operands that store an index in blocks, beside a loop over a part of it";
            return Err(IrError::not_supported(op.location(), what));
        }
        if whole == var {
            return self.visit(b, op, var, &drivers);
        }
        let part = self.part_of(b, whole, var)?;
        let outer = self.part.replace(part);
        let result = self.visit(b, op, whole, &drivers);
        self.part = outer;
        result
    }

    /// The points that say which coordinates a loop over `var` comes to.
    fn drivers(&self, points: Vec<Point<'c>>, var: Val<'c>) -> Vec<Point<'c>> {
        let mut drivers: Vec<Point<'c>> =
            points.into_iter().filter(|point| self.is_driver(point, var)).collect();
        // Beside a level of blocks, one of whole coordinates is searched when the block and the place in it
        // are known.
        if drivers.iter().any(|driver| self.next_var(driver) == Some(var)) {
            drivers.retain(|driver| self.next_var(driver) == Some(var));
        }
        drivers
    }

    /// Whether tasks can have some rounds each of an outermost loop: it goes over all coordinates, or over
    /// the positions of one level.
    pub(super) fn is_cut_easily_into_tasks(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<'c, bool> {
        let var = self.relations.unbounded(op.operand(0));
        let points = self.sparse_points(b, op)?;
        let drivers = self.drivers(points, var);
        let [driver] = &drivers[..] else { return Ok(drivers.is_empty()) };
        let is_unique =
            self.next_level(driver).is_some_and(|level| level.kind == LevelKind::CompressedUnique);
        Ok(is_unique && self.next_var(driver) == Some(var) && self.goes_over_positions(op, &drivers))
    }

    /// Whether the loop over a variable goes over the positions of the only driver's level.
    fn goes_over_positions(&self, op: Op<'c>, drivers: &[Point<'c>]) -> bool {
        let [driver] = drivers else { return false };
        !self.is_live_without(op, drivers) && self.visits_each_once(op, driver) && self.is_cut_easily(driver)
    }

    /// The coordinates of a variable that the drivers' levels want visited.
    fn visit(&mut self, b: Builder<'c>, op: Op<'c>, var: Val<'c>, drivers: &[Point<'c>]) -> Result<'c, ()> {
        match drivers {
            _ if self.is_live_without(op, drivers) => self.merge(b, op, var, drivers),
            [driver] if self.goes_over_positions(op, drivers) => self.sparse(b, op, var, driver.clone()),
            _ => self.co_iterate(b, op, var, drivers),
        }
    }

    /// Whether a loop over `var` comes to the coordinates of the point's next level: they are its values, or
    /// follow from them and from those of the loops around.
    fn is_driver(&self, point: &Point<'c>, var: Val<'c>) -> bool {
        self.next_var(point).is_some_and(|whole| self.completes(var, whole))
    }

    /// Whether a loop over the positions of a point's next level is right. The coordinates of a bit vector
    /// do not follow from positions. Where a loop comes to a coordinate once for each entry, entries must
    /// combine one by one.
    fn visits_each_once(&self, op: Op<'c>, driver: &Point<'c>) -> bool {
        if self.next_level(driver).is_some_and(|level| matches!(level.kind, LevelKind::BitVector(_))) {
            return false;
        }
        let is_bounded = self.positions(driver).present.is_none()
            || self.next_level(driver).is_some_and(|level| {
                matches!(level.kind, LevelKind::CompressedUnique | LevelKind::CompressedNonUnique)
            });
        is_bounded && (!self.next_repeats(driver) || (combines_one_by_one(op) && !self.appends(op)))
    }

    /// The points in the loop that have a sparse level left and are not absent, gone through their dense
    /// levels.
    fn sparse_points(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<'c, Vec<Point<'c>>> {
        let mut points: Vec<Point<'c>> = Vec::new();
        for access in op.descendants::<AccessOperation>() {
            let point = Point::of(access);
            if is_workspace(point.tensor) || points.contains(&point) || self.absent.contains(&point) {
                continue;
            }
            self.locate(b, &point)?;
            if self.next_level(&point).is_some_and(|level| level.kind != LevelKind::Dense) {
                points.push(point);
            }
        }
        Ok(points)
    }

    /// The first level that a point has not gone through, slots aside.
    pub(super) fn next_level(&self, point: &Point<'c>) -> Option<Level> {
        let known = self.positions(point).levels;
        point.format().levels[known..].iter().copied().find(|level| level.expr != LevelExpr::Slot)
    }

    fn next_var(&self, point: &Point<'c>) -> Option<Val<'c>> {
        self.relations.level_var(self.next_level(point)?, &point.indices)
    }

    /// The coordinate of the next level, where loops around have given it: a diagonal, or levels that are
    /// not in the order of the loops.
    fn next_coordinate(&mut self, b: Builder<'c>, point: &Point<'c>) -> Result<'c, Option<Val<'c>>> {
        match self.next_level(point) {
            Some(level) => self.level_coordinate(b, level.expr, &point.indices),
            None => Ok(None),
        }
    }

    /// All coordinates.
    fn dense(&mut self, b: Builder<'c>, op: Op<'c>, var: Val<'c>) -> Result<'c, ()> {
        let bounds = [self.storage.constant(0)?, self.extent(b, var)?];
        if self.runs_in_tasks(op) {
            let rounds = Rounds { op, bounds, driver: None, below: self.below_all(op, var) };
            return self.tasks(b, rounds, &|this, b, bounds| this.dense_rounds(b, op, var, bounds));
        }
        self.dense_rounds(b, op, var, bounds)
    }

    fn dense_rounds(
        &mut self,
        b: Builder<'c>,
        op: Op<'c>,
        var: Val<'c>,
        bounds: [Val<'c>; 2],
    ) -> Result<'c, ()> {
        let is_innermost =
            op.descendants::<ForallOperation>().is_empty() && self.positions_under(var).is_none();
        self.repeat(b, op, bounds, |this, b, coordinate| {
            let known_before = this.known_splits();
            this.coordinates.push((var, coordinate));
            let outer = std::mem::replace(&mut this.reassociates, is_innermost);
            let is_inside = if this.is_of_pairs(var) { this.pair_is_inside(b, &known_before)? } else { None };
            let result = match is_inside {
                Some(is_inside) => this.only_if(b, op, is_inside, |this, b| this.iterate(b, op, var)),
                None => this.iterate(b, op, var),
            };
            this.reassociates = outer;
            result
        })
    }

    /// A loop that carries the workspaces that it assigns to.
    pub(super) fn repeat(
        &mut self,
        b: Builder<'c>,
        op: Op<'c>,
        [start, stop]: [Val<'c>; 2],
        body: impl FnOnce(&mut Self, Builder<'c>, Val<'c>) -> Result<'c, ()>,
    ) -> Result<'c, ()> {
        let workspaces = self.carried(op);
        let initial = self.contents(&workspaces);
        let step = self.storage.constant(1)?;
        let results = b.for_step(comet_ir::Bounds { start, stop, step }, &initial, |b, value, carried| {
            self.set_contents(&workspaces, carried);
            self.scoped(|this| body(this, b, value))?;
            Ok(self.contents(&workspaces))
        })?;
        self.set_contents(&workspaces, &results);
        let made = b.last().expect("the loop is made");
        match optional_integer(op, "unroll") {
            Some(rounds) => made.unroll(rounds),
            None if self.has_long_body(&results) => made.never_unroll(),
            None => {}
        }
        Ok(())
    }

    /// The positions of the driver's next level, below its slots.
    fn sparse(&mut self, b: Builder<'c>, op: Op<'c>, var: Val<'c>, driver: Point<'c>) -> Result<'c, ()> {
        let at = self.positions(&driver);
        let level = driver.format().levels[at.levels];
        if level.expr == LevelExpr::Slot {
            return self.slots(b, op, var, driver, at);
        }
        match level.kind {
            LevelKind::CompressedUnique | LevelKind::CompressedNonUnique => {
                let bounds = self.segment(b, &driver, &at)?;
                let bounds = self.part_of_segment(b, &driver, &at, bounds)?;
                let is_innermost = op.descendants::<ForallOperation>().is_empty();
                let rounds = |this: &mut Self, b: Builder<'c>, bounds: [Val<'c>; 2]| {
                    this.make_room_for_rounds(b, op, |_| b.subi(bounds[1], bounds[0]))?;
                    let ahead = this.rows_ahead(b, op, var)?;
                    let crd = this.storage.coordinates(driver.tensor, at.levels)?;
                    this.repeat(b, op, bounds, |this, b, position| {
                        this.ask_for_rows(b, &ahead, var, crd, position)?;
                        let outer = std::mem::replace(&mut this.reassociates, is_innermost);
                        let result = this.at_position(b, op, var, &driver, position);
                        this.reassociates = outer;
                        result
                    })
                };
                let below = vec![Below { tensor: driver.tensor, level: at.levels + 1 }];
                let all = Rounds { op, bounds, driver: Some(driver.clone()), below };
                match self.pieces(op) {
                    Some(count) => self.in_pieces(b, all, count, &rounds),
                    None if level.kind == LevelKind::CompressedUnique && self.runs_in_tasks(op) => {
                        self.tasks(b, all, &rounds)
                    }
                    None => rounds(self, b, bounds),
                }
            }
            LevelKind::Singleton => self.singleton(b, op, var, &driver, at),
            LevelKind::BitVector(_) => unreachable!("bit vectors are walked by cursors"),
            LevelKind::Dense => unreachable!("dense levels do not drive loops"),
        }
    }

    /// ELL's second level: every slot of the row.
    fn slots(
        &mut self,
        b: Builder<'c>,
        op: Op<'c>,
        var: Val<'c>,
        driver: Point<'c>,
        at: Positions<'c>,
    ) -> Result<'c, ()> {
        let (start, stop) = (self.storage.constant(0)?, self.storage.size(driver.tensor, at.levels)?);
        self.repeat(b, op, [start, stop], |this, b, slot| {
            let position = this.child(b, &driver, &at, slot)?;
            this.advance(&driver, &at, position);
            this.sparse(b, op, var, driver)
        })
    }

    /// `pos[parent]` and `pos[parent + 1]`.
    pub(super) fn segment(
        &mut self,
        b: Builder<'c>,
        driver: &Point<'c>,
        at: &Positions<'c>,
    ) -> Result<'c, [Val<'c>; 2]> {
        let pos = self.storage.positions(driver.tensor, at.levels)?;
        let one = self.storage.constant(1)?;
        let parent = match at.last {
            Some(parent) => parent,
            None => self.storage.constant(0)?,
        };
        let bounds = |b: Builder<'c>| {
            let next = b.addi(parent, one)?;
            Ok(vec![b.load_index(pos, parent)?, b.load_index(pos, next)?])
        };
        let Some(present) = at.present else { return pair(&bounds(b)?) };
        // Under a parent that is not there is nothing.
        let zero = self.storage.constant(0)?;
        let index = types::index(b.context());
        pair(&b.if_else(present, &[index, index], bounds, |_| Ok(vec![zero, zero]))?)
    }

    /// One coordinate under each parent; where the parent is dense there may be none, which is stored as −1.
    fn singleton(
        &mut self,
        b: Builder<'c>,
        op: Op<'c>,
        var: Val<'c>,
        driver: &Point<'c>,
        at: Positions<'c>,
    ) -> Result<'c, ()> {
        let position = at.last.expect("the verifier refuses S as the first level");
        if let Some(end) = at.end {
            self.make_room_for_rounds(b, op, |_| b.subi(end, position))?;
            return self.repeat(b, op, [position, end], |this, b, position| {
                this.at_position(b, op, var, driver, position)
            });
        }
        let parent = driver.format().levels[at.levels - 1];
        if parent.kind != LevelKind::Dense {
            return self.at_position(b, op, var, driver, position);
        }
        let crd = self.storage.coordinates(driver.tensor, at.levels)?;
        let coordinate = b.load_index(crd, position)?;
        let zero = self.storage.constant(0)?;
        let exists = b.cmpi(Compare::Ge, coordinate, zero)?;
        self.only_if(b, op, exists, |this, b| this.at_position(b, op, var, driver, position))
    }

    /// Inside the loop over a level's positions: binds the variable to the coordinate.
    fn at_position(
        &mut self,
        b: Builder<'c>,
        op: Op<'c>,
        var: Val<'c>,
        driver: &Point<'c>,
        position: Val<'c>,
    ) -> Result<'c, ()> {
        let at = self.positions(driver);
        let crd = self.storage.coordinates(driver.tensor, at.levels)?;
        let coordinate = b.load_index(crd, position)?;
        self.advance(driver, &at, position);
        self.coordinates.push((var, coordinate));
        self.iterate(b, op, var)
    }

    /// Notes that a point has got one level further.
    pub(super) fn advance(&mut self, point: &Point<'c>, at: &Positions<'c>, position: Val<'c>) {
        self.positions.push((
            point.clone(),
            Positions { levels: at.levels + 1, last: Some(position), ..Positions::default() },
        ));
    }

    /// Runs `body` under a condition; otherwise the workspaces stay as they are.
    pub(super) fn only_if(
        &mut self,
        b: Builder<'c>,
        op: Op<'c>,
        condition: Val<'c>,
        body: impl FnOnce(&mut Self, Builder<'c>) -> Result<'c, ()>,
    ) -> Result<'c, ()> {
        let workspaces = self.carried(op);
        let before = self.contents(&workspaces);
        let unchanged = before.clone();
        let results = b.if_else(
            condition,
            &b.types_of(&before),
            |b| {
                self.scoped(|this| body(this, b))?;
                Ok(self.contents(&workspaces))
            },
            |_| Ok(unchanged),
        )?;
        self.set_contents(&workspaces, &results);
        Ok(())
    }
}

/// The two results of an operation.
fn pair<'c>(values: &[Val<'c>]) -> Result<'c, [Val<'c>; 2]> {
    Ok([values[0], values[1]])
}
