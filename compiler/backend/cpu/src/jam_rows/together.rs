//! The iterations of rows that are alike, made into one: each operation once for each row, but for what is
//! the same for all of them.

use super::rows::{EntryLoop, Rows, is_hint};
use super::scattered::WorkspaceElement;
use super::{LOOP_ANNOTATION, substitute};
use comet_ir::{Block, Bounds, Builder, Effects, Op, Result, Val};
use melior::dialect::ods::memref::StoreOperation;
use melior::dialect::ods::scf::{ForOperation, YieldOperation};

/// The iterations of `count` rows from `first` on.
pub(super) fn rows<'c>(b: Builder<'c>, rows: &Rows<'c>, first: Val<'c>, count: u64) -> Result<'c, ()> {
    let mut together = Together { rows, values: Vec::new() };
    let row = rows.op.body(0).argument(0);
    for number in 0..count {
        let its = if number == 0 { first } else { b.addi(first, b.index(number as i64)?)? };
        together.values.push(vec![(row, its)]);
    }
    together.body(b, rows.op.body(0)).map(|_| ())
}

struct Together<'a, 'c> {
    rows: &'a Rows<'c>,
    /// Of each row, what the values of its iteration are here.
    values: Vec<Vec<(Val<'c>, Val<'c>)>>,
}

impl<'c> Together<'_, 'c> {
    /// Everything in a block; returns what its terminator takes, row by row.
    fn body(&mut self, b: Builder<'c>, block: Block<'c>) -> Result<'c, Vec<Val<'c>>> {
        for op in block.ops() {
            match self.rows.entries_at(op) {
                _ if op.is::<YieldOperation>() => return Ok(self.all_of(&op.operands())),
                Some(entries) => self.entries(b, entries)?,
                None if is_hint(op) => drop(b.copy(op, |value| self.value(0, value))),
                None if op.is::<ForOperation>() => self.around(b, op)?,
                None => self.operation(b, op),
            }
        }
        Ok(Vec::new())
    }

    /// The values of the rows, row by row.
    fn all_of(&self, values: &[Val<'c>]) -> Vec<Val<'c>> {
        let of_row = |row| values.iter().map(move |value| self.value(row, *value));
        (0..self.values.len()).flat_map(of_row).collect()
    }

    fn value(&self, row: usize, old: Val<'c>) -> Val<'c> {
        substitute(&self.values[row], old)
    }

    /// Says what some values of the iterations are here, row by row.
    fn bind(&mut self, old: &[Val<'c>], new: &[Val<'c>]) {
        for (values, new) in self.values.iter_mut().zip(new.chunks(old.len().max(1))) {
            values.extend(old.iter().copied().zip(new.iter().copied()));
        }
    }

    /// Once where it is the same for all rows, and once for each otherwise.
    fn operation(&mut self, b: Builder<'c>, op: Op<'c>) {
        for row in 0..self.values.len() {
            match op.effects() != Effects::Other && self.is_shared(op, row) {
                true => self.share(op, row),
                false => self.copy(b, op, row),
            }
        }
    }

    fn copy(&mut self, b: Builder<'c>, op: Op<'c>, row: usize) {
        let copy = b.copy(op, |value| self.value(row, value));
        self.values[row].extend(op.results().into_iter().zip(copy.results()));
    }

    /// What rows do at a coordinate, one after the other: each reads what the one before has written to a
    /// workspace, and the last one writes.
    fn row_after_row(&mut self, b: Builder<'c>, block: Block<'c>) {
        let ops = block.ops();
        let mut written: Vec<(WorkspaceElement<'c>, Val<'c>)> = Vec::new();
        for row in 0..self.values.len() {
            for op in ops.iter().copied().filter(|op| !op.is::<YieldOperation>()) {
                let element = WorkspaceElement::of(op);
                let before = written.iter().rev().find(|(other, _)| Some(*other) == element);
                match before {
                    _ if op.is::<StoreOperation>() => {
                        let stored = WorkspaceElement::stored(op);
                        written.extend(stored.map(|(element, value)| (element, self.value(row, value))));
                    }
                    Some((_, value)) => self.values[row].push((op.result(0), *value)),
                    None if element.is_none() && self.is_shared(op, row) => self.share(op, row),
                    None => self.copy(b, op, row),
                }
            }
        }
        let last = self.values.len() - 1;
        for op in ops.iter().filter(|op| op.is::<StoreOperation>()) {
            b.copy(*op, |value| self.value(last, value));
        }
    }

    /// Whether an operation that only reads or hints does for a row what it does for the first one.
    fn is_shared(&self, op: Op<'c>, row: usize) -> bool {
        let is_same = |operand: &Val<'c>| self.value(row, *operand) == self.value(0, *operand);
        row > 0 && (self.rows.reads_coordinate(op) || is_hint(op) || op.operands().iter().all(is_same))
    }

    /// What an operation returns for a row is what it returns for the first one.
    fn share(&mut self, op: Op<'c>, row: usize) {
        let results = op.results().into_iter().map(|result| (result, self.value(0, result)));
        let results: Vec<(Val<'c>, Val<'c>)> = results.collect();
        self.values[row].extend(results);
    }

    /// A loop over the entries of the rows: the positions differ, the coordinates do not.
    fn entries(&mut self, b: Builder<'c>, entries: &EntryLoop<'c>) -> Result<'c, ()> {
        let start = entries.bounds()[0];
        let starts: Vec<Val<'c>> = (0..self.values.len()).map(|row| self.value(row, start)).collect();
        let distances: Vec<Val<'c>> =
            starts[1..].iter().map(|other| b.subi(*other, starts[0])).collect::<Result<'c, _>>()?;
        self.repeat(b, entries.op, |b, position| {
            let others = distances.iter().map(|distance| b.addi(position, *distance));
            std::iter::once(Ok(position)).chain(others).collect()
        })
    }

    /// A loop that is the same for all rows, around one over their entries.
    fn around(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<'c, ()> {
        let count = self.values.len();
        self.repeat(b, op, |_, value| Ok(vec![value; count]))
    }

    /// A loop that has the bounds of the first row's, and carries what all of theirs carry. What they are at
    /// follows from where it is.
    fn repeat(
        &mut self,
        b: Builder<'c>,
        op: Op<'c>,
        values: impl FnOnce(Builder<'c>, Val<'c>) -> Result<'c, Vec<Val<'c>>>,
    ) -> Result<'c, ()> {
        let operands = op.operands();
        let [start, stop, step] = [0, 1, 2].map(|index| self.value(0, operands[index]));
        let (body, count) = (op.body(0), op.result_count());
        let carried: Vec<Val<'c>> = (1..=count).map(|index| body.argument(index)).collect();
        let bounds = Bounds { start, stop, step };
        let results = b.for_step(bounds, &self.all_of(&operands[3..]), |b, value, carried_here| {
            self.bind(&[body.argument(0)], &values(b, value)?);
            self.bind(&carried, carried_here);
            match self.rows.entries_at(op) {
                Some(entries) if entries.scatters() => {
                    self.row_after_row(b, body);
                    Ok(Vec::new())
                }
                _ => self.body(b, body),
            }
        })?;
        if let (Some(made), Some(annotation)) = (b.last(), op.attribute(LOOP_ANNOTATION)) {
            made.set_attribute(LOOP_ANNOTATION, annotation);
        }
        let old: Vec<Val<'c>> = (0..count).map(|index| op.result(index)).collect();
        self.bind(&old, &results);
        Ok(())
    }
}
