//! Room that is made in front of the loops for the coordinates of a level of a result, so that arrays seldom
//! grow inside them: a bound by what the operands store, the sum of what both sides of a sum do, the lesser
//! of what the factors of a product do; or a guess, where nothing bounds them. It never follows from an
//! extent.

use super::Lowering;
use super::point::Point;
use super::workspace::is_temporary;
use comet_dialects::cin::{AccessOperation, AddOperation, AssignOperation, MaskOperation, SubOperation};
use comet_format::{IndexWidth, Level, LevelGroup, LevelKind};
use comet_ir::{Attr, Builder, Op, Result, Val};

impl<'c> Lowering<'c> {
    /// Makes room for all coordinates that a level can get, where the operands tell how many that are.
    pub(super) fn reserve(
        &mut self,
        b: Builder<'c>,
        compute: Op<'c>,
        assign: Op<'c>,
        group: &LevelGroup,
    ) -> Result<'c, ()> {
        let point = Point::of(assign);
        let levels = &point.format().levels[..group.levels.end];
        let vars = levels.iter().map(|level| self.relations.level_var(*level, &point.indices));
        let vars: Vec<Val<'c>> = vars.collect::<Option<_>>().expect("loops are over the levels' variables");
        let most = match self.most_present(b, compute, assign.operand(0), &vars)? {
            Some(most) => most,
            None if group.levels.end == point.format().levels.len() => self.first_guess(b, compute)?,
            None => return Ok(()),
        };
        // A bound beyond the index width is no error: only what is stored may be.
        let most = match point.format().index_width {
            IndexWidth::I32 => b.mini(most, self.storage.constant(i64::from(i32::MAX) - 1)?)?,
            IndexWidth::I64 => most,
        };
        let attributes =
            [("level", b.i64_attribute(group.levels.start as i64)), ("if_possible", Attr::unit(b.context()))];
        b.op("ta.append_grow", &[self.stored_in(point.tensor), most], &[], &attributes).map(|_| ())
    }

    /// Before a loop over the coordinates of a level of a result, as some operands store them: room for one
    /// of each round, lest the rounds have to look for it. They do where dense levels are below, of which
    /// there may be far too many then.
    pub(super) fn make_room_for_rounds(
        &mut self,
        b: Builder<'c>,
        op: Op<'c>,
        rounds: impl FnOnce(&mut Self) -> Result<'c, Val<'c>>,
    ) -> Result<'c, ()> {
        let Some((point, appender, number)) = self.appended(op, op.operand(0), |group| group.levels.end - 1)
        else {
            return Ok(());
        };
        let below = appender.levels[number].group.levels.end;
        let is_dense = |level: &Level| level.kind == LevelKind::Dense;
        if !appender.grows(number) || point.format().levels.get(below).is_some_and(is_dense) {
            return Ok(());
        }
        let rounds = rounds(self)?;
        appender.make_room(b, self.stored_in(point.tensor), number, rounds)?;
        self.roomy.push(op);
        Ok(())
    }

    /// The most values of these variables together at which a value of the compute is there; `None` where
    /// no operand tells.
    fn most_present(
        &mut self,
        b: Builder<'c>,
        compute: Op<'c>,
        value: Val<'c>,
        vars: &[Val<'c>],
    ) -> Result<'c, Option<Val<'c>>> {
        let Some(op) = Op::defining(value).filter(|op| super::is_expression(*op)) else { return Ok(None) };
        if op.is::<AccessOperation>() {
            let point = Point::of(op);
            return match is_temporary(point.tensor) {
                true => self.most_in_workspace(b, compute, point.tensor, vars),
                false => self.most_stored(b, &point, vars),
            };
        }
        let is_sum = op.is::<AddOperation>() || op.is::<SubOperation>();
        let operands = match is_sum {
            true => terms(op),
            false if op.is::<MaskOperation>() => vec![op.operand(0)],
            false => op.operands(),
        };
        let mut known = Vec::new();
        for operand in operands {
            known.push(self.most_present(b, compute, operand, vars)?);
        }
        if is_sum {
            return total(b, &known);
        }
        let mut known = known.into_iter().flatten();
        let Some(first) = known.next() else { return Ok(None) };
        known.try_fold(first, |least, other| b.mini(least, other)).map(Some)
    }

    /// Room to begin with where nothing bounds what a result gets: some times what the sparse operands store
    /// together. What is not used of it is never touched; growing copies what is there, and touches as much.
    /// Both numbers are chosen: few products of matrices have 64 times as many entries as their operands, and
    /// any system grants addresses for 2²⁵.
    fn first_guess(&mut self, b: Builder<'c>, compute: Op<'c>) -> Result<'c, Val<'c>> {
        const TIMES: i64 = 64;
        /// In entries.
        const MOST: i64 = 1 << 25;
        let accesses = compute.descendants::<AccessOperation>().into_iter().map(Point::of);
        let mut operands: Vec<Val<'c>> = Vec::new();
        for point in accesses.filter(|point| !is_temporary(point.tensor) && !point.format().is_dense()) {
            if !operands.contains(&point.tensor) {
                operands.push(point.tensor);
            }
        }
        let mut stored = self.storage.constant(0)?;
        for operand in operands {
            stored = b.addi(stored, b.length(self.storage.values(operand)?)?)?;
        }
        let guess = b.muli(stored, self.storage.constant(TIMES)?)?;
        b.mini(guess, self.storage.constant(MOST)?)
    }

    /// Every assignment to a workspace may have come to other values.
    fn most_in_workspace(
        &mut self,
        b: Builder<'c>,
        compute: Op<'c>,
        workspace: Val<'c>,
        vars: &[Val<'c>],
    ) -> Result<'c, Option<Val<'c>>> {
        let mut known = Vec::new();
        for assign in compute.descendants::<AssignOperation>() {
            if Point::of(assign).tensor == workspace {
                known.push(self.most_present(b, compute, assign.operand(0), vars)?);
            }
        }
        total(b, &known)
    }

    /// What a sparse tensor stores in the first level that, with those above, is about all the variables.
    fn most_stored(
        &mut self,
        b: Builder<'c>,
        point: &Point<'c>,
        vars: &[Val<'c>],
    ) -> Result<'c, Option<Val<'c>>> {
        let levels = point.format().levels;
        let of_levels: Vec<Option<Val<'c>>> =
            levels.iter().map(|level| self.relations.level_var(*level, &point.indices)).collect();
        let covers = |number: &usize| vars.iter().all(|var| of_levels[..=*number].contains(&Some(*var)));
        let Some(number) = (0..levels.len()).find(covers) else { return Ok(None) };
        match levels[number].kind {
            LevelKind::CompressedUnique | LevelKind::CompressedNonUnique | LevelKind::Singleton => {
                b.length(self.storage.coordinates(point.tensor, number)?).map(Some)
            }
            LevelKind::Dense | LevelKind::BitVector(_) => Ok(None),
        }
    }
}

/// The terms of a sum of sums, each access once.
fn terms(sum: Op<'_>) -> Vec<Val<'_>> {
    let mut terms: Vec<Val<'_>> = Vec::new();
    let mut rest = sum.operands();
    while let Some(value) = rest.pop() {
        let op = Op::defining(value).filter(|op| super::is_expression(*op));
        match op {
            Some(op) if op.is::<AddOperation>() || op.is::<SubOperation>() => rest.extend(op.operands()),
            Some(op) if op.is::<AccessOperation>() && terms.iter().any(|term| is_same(*term, op)) => {}
            _ => terms.push(value),
        }
    }
    terms
}

/// Whether a value is that of another access of the same point.
fn is_same<'c>(value: Val<'c>, access: Op<'c>) -> bool {
    Op::defining(value).is_some_and(|op| op.is::<AccessOperation>() && Point::of(op) == Point::of(access))
}

/// The sum of numbers that are all known.
fn total<'c>(b: Builder<'c>, numbers: &[Option<Val<'c>>]) -> Result<'c, Option<Val<'c>>> {
    let Some(numbers) = numbers.iter().copied().collect::<Option<Vec<Val<'c>>>>() else { return Ok(None) };
    let Some((first, rest)) = numbers.split_first() else { return Ok(None) };
    rest.iter().try_fold(*first, |total, number| b.addi(total, *number)).map(Some)
}
