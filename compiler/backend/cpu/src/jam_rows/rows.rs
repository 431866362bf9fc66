//! Which loops over rows can be jammed.

use crate::arrays::{owner, written_by};
use comet_ir::{Effects, Op, Ty, Val, ta, types};
use melior::dialect::ods::arith::{AddIOperation, IndexCastOperation};
use melior::dialect::ods::memref::{LoadOperation, PrefetchOperation};
use melior::dialect::ods::scf::{ForOperation, IfOperation, ParallelOperation, YieldOperation};
use melior::ir::{TypeLike, ValueLike};

/// A loop over rows. Each iteration goes over the entries of a row once or more often: once for each block of
/// columns.
pub(super) struct Rows<'c> {
    pub(super) op: Op<'c>,
    pub(super) entries: Vec<EntryLoop<'c>>,
}

/// A loop over the entries of a row that keeps sums in vector registers, or adds to workspaces.
pub(super) struct EntryLoop<'c> {
    pub(super) op: Op<'c>,
    /// The coordinates at a position, as they are read from the arrays of their levels.
    pub(super) coordinates: Vec<Op<'c>>,
}

impl<'c> Rows<'c> {
    /// Rows that keep sums, in any order. `None` for other loops.
    pub(super) fn with_sums(op: Op<'c>) -> Option<Self> {
        let is_of_tasks = op.parent().is_some_and(|parent| parent.is::<ParallelOperation>());
        if !is_of_tasks || !counts_by_one(op) || op.result_count() > 0 || is_unrolled_by_schedule(op) {
            return None;
        }
        let inner = op.descendants::<ForOperation>();
        let entries: Vec<EntryLoop<'c>> = inner.into_iter().filter_map(EntryLoop::with_sums).collect();
        let rows = Self { op, entries };
        let is_admitted = !rows.entries.is_empty() && rows.admits_all_in(op) && rows.reads_nothing_written();
        (is_admitted && rows.entries.iter().all(|entries| rows.has_known_bounds(entries))).then_some(rows)
    }

    /// The bits of the sums of one row.
    pub(super) fn bits_of_sums(&self) -> u64 {
        let bits = self.entries.iter().map(|entries| vectors_of(entries.op).map(types::bits).sum::<u64>());
        bits.max().expect("there is a loop over entries")
    }

    /// The loop over entries that an operation is.
    pub(super) fn entries_at(&self, op: Op<'c>) -> Option<&EntryLoop<'c>> {
        self.entries.iter().find(|entries| entries.op == op)
    }

    fn has_entries(&self, op: Op<'c>) -> bool {
        self.entries.iter().any(|entries| entries.op.is_inside(op))
    }

    /// Whether there is nothing in the body of an operation but loops over entries, loops around them that
    /// are the same for all rows, and what reads or writes elements.
    fn admits_all_in(&self, op: Op<'c>) -> bool {
        op.body(0).ops().into_iter().all(|inner| self.admits(inner))
    }

    fn admits(&self, op: Op<'c>) -> bool {
        if self.entries_at(op).is_some() || op.is::<YieldOperation>() {
            return true;
        }
        if op.region_count() > 0 {
            let is_around = op.is::<ForOperation>() && self.has_entries(op);
            let bounds = op.operands().into_iter().take(3);
            return is_around
                && bounds.into_iter().all(|bound| self.is_of_all(bound))
                && self.admits_all_in(op);
        }
        written_by(op).is_some() || op.effects() != Effects::Other
    }

    /// Whether no row reads where another one writes.
    fn reads_nothing_written(&self) -> bool {
        let (mut read, mut written) = (Vec::new(), Vec::new());
        self.op.for_each_inside(&mut |op| match written_by(op) {
            Some(array) => written.push(owner(array)),
            None => {
                let arrays = op.operands().into_iter().filter(|operand| operand.r#type().is_mem_ref());
                read.extend(arrays.map(owner));
            }
        });
        !written.iter().any(|tensor| read.contains(tensor))
    }

    /// Whether the bounds of a loop over entries follow from the row alone.
    pub(super) fn has_known_bounds(&self, entries: &EntryLoop<'c>) -> bool {
        entries.bounds().into_iter().all(|bound| self.follows_from_row(bound))
    }

    fn follows_from_row(&self, value: Val<'c>) -> bool {
        let follows = |op: Op<'c>| {
            is_simple(op) && op.operands().into_iter().all(|operand| self.follows_from_row(operand))
        };
        self.is_row(value) || !self.op.makes(value) || Op::defining(value).is_some_and(follows)
    }

    /// Whether an operation reads a coordinate of an entry, which is that of all rows that are alike.
    pub(super) fn reads_coordinate(&self, op: Op<'c>) -> bool {
        self.entries.iter().any(|entries| entries.coordinates.contains(&op))
    }

    /// Whether a value is the row of an iteration.
    pub(super) fn is_row(&self, value: Val<'c>) -> bool {
        value == self.op.body(0).argument(0)
    }

    /// Whether a value is the same for all rows.
    fn is_of_all(&self, value: Val<'c>) -> bool {
        let is_same =
            |op: Op<'c>| is_read(op) && op.operands().into_iter().all(|operand| self.is_of_all(operand));
        !self.op.makes(value) || Op::defining(value).is_some_and(is_same)
    }
}

impl<'c> EntryLoop<'c> {
    /// A loop that keeps sums. `None` for other loops.
    fn with_sums(op: Op<'c>) -> Option<Self> {
        let is_it = counts_by_one(op)
            && vectors_of(op).next().is_some()
            && op.body(0).ops().into_iter().all(|op| is_read(op) || is_hint(op) || op.is::<YieldOperation>());
        is_it.then(|| Self::with_coordinates(op)).flatten()
    }

    /// `None` where no coordinate is read.
    pub(super) fn with_coordinates(op: Op<'c>) -> Option<Self> {
        let position = op.body(0).argument(0);
        let reads_coordinate = |op: &Op<'c>| {
            op.is::<LoadOperation>()
                && ta::Coordinates::defining(op.operand(0)).is_some()
                && op.operand(1) == position
        };
        let coordinates: Vec<Op<'c>> = op.body(0).ops().into_iter().filter(reads_coordinate).collect();
        (!coordinates.is_empty()).then_some(Self { op, coordinates })
    }

    /// The first position of a row, and the one behind its last.
    pub(super) fn bounds(&self) -> [Val<'c>; 2] {
        [self.op.operand(0), self.op.operand(1)]
    }

    /// The entries that a row has at least for it to be worth looking at the next one's. Adding few entries
    /// to workspaces takes no longer than looking: grids of 7 points took 1.04 times as long.
    pub(super) fn fewest(&self) -> i64 {
        if self.scatters() { 16 } else { 1 }
    }

    /// The arrays that coordinates are read from.
    pub(super) fn arrays(&self) -> Vec<Val<'c>> {
        self.coordinates.iter().map(|load| load.operand(0)).collect()
    }

    /// Whether it goes over the same positions as another one, and comes to the same coordinates.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        let mut bounds = self.bounds().into_iter().zip(other.bounds());
        self.arrays() == other.arrays() && bounds.all(|(own, others)| is_same_computation(own, others))
    }
}

/// Whether something is read or computed, and nothing else.
pub(super) fn is_read(op: Op<'_>) -> bool {
    op.region_count() == 0 && op.effects() != Effects::Other
}

/// Whether an operation only hints at what will be read.
pub(super) fn is_hint(op: Op<'_>) -> bool {
    let mut only_hints = op.is::<PrefetchOperation>() || (op.is::<IfOperation>() && op.result_count() == 0);
    op.for_each_inside(&mut |inner| {
        only_hints &= is_read(inner) || inner.is::<PrefetchOperation>() || inner.is::<YieldOperation>();
    });
    only_hints
}

/// Whether bounds are made of such operations: what they do follows from their names and operands.
fn is_simple(op: Op<'_>) -> bool {
    op.is::<LoadOperation>() || op.is::<IndexCastOperation>() || op.is::<AddIOperation>()
}

fn is_same_computation<'c>(own: Val<'c>, others: Val<'c>) -> bool {
    own == others || {
        let (Some(own), Some(others)) = (Op::defining(own), Op::defining(others)) else { return false };
        let mut operands = own.operands().into_iter().zip(others.operands());
        let is_same_kind = is_simple(own) && own.name() == others.name();
        is_same_kind && operands.all(|(own, others)| is_same_computation(own, others))
    }
}

pub(super) fn counts_by_one(op: Op<'_>) -> bool {
    comet_ir::constant(op.operand(2)) == Some(1)
}

pub(super) fn is_unrolled_by_schedule(op: Op<'_>) -> bool {
    op.attribute(super::LOOP_ANNOTATION).is_some()
}

/// The vectors that a loop carries.
fn vectors_of<'c>(op: Op<'c>) -> impl Iterator<Item = Ty<'c>> {
    (0..op.result_count()).map(move |index| op.result(index).r#type()).filter(|ty| ty.is_vector())
}
