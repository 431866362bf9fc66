//! Loops over the stored coordinates of a row that add a row of another operand to a workspace each, as in
//! products of sparse matrices:
//! ```mlir
//! scf.for %p = %start to %end step %c1 {      // k = crd[p]
//!   …                                         // the segment of row k
//!   scf.for %q = %first to %last step %c1 {   // j = crd[q]
//!     %0 = memref.load %crd[%q] : memref<?xi32>
//!     %j = arith.index_cast %0 : i32 to index
//!     …
//!     memref.store %c1_i8, %marks[%j] : memref<?xi8>
//!     %before = memref.load %sums[%j] : memref<?xf64>
//!     %after = arith.addf %before, %product : f64
//!     memref.store %after, %sums[%j] : memref<?xf64>
//!   }
//! }
//! ```
//! Here the rows are those that are added. Where they store the same coordinates, an element of the workspace
//! is read and written once for all of them, and gets the same values in the same order.

use super::rows::{EntryLoop, Rows, counts_by_one, is_hint, is_read, is_unrolled_by_schedule};
use crate::arrays::written_by;
use comet_ir::{Op, Val, format, ta};
use melior::dialect::ods::arith::{AddIOperation, IndexCastOperation, MulIOperation};
use melior::dialect::ods::memref::{LoadOperation, StoreOperation};
use melior::dialect::ods::scf::{ForOperation, YieldOperation};
use melior::ir::{TypeLike, ValueLike};

/// The rows that an operation adds to workspaces. `None` for other loops.
pub(super) fn rows_of(op: Op<'_>) -> Option<Rows<'_>> {
    if !counts_by_one(op) || op.result_count() > 0 || is_unrolled_by_schedule(op) {
        return None;
    }
    let (loops, others): (Vec<Op<'_>>, Vec<Op<'_>>) =
        op.body(0).ops().into_iter().partition(|inner| inner.is::<ForOperation>());
    let [inner] = loops[..] else { return None };
    let reads_no_workspace = |op: &Op<'_>| is_read(*op) && !has_workspace(*op);
    if !others.iter().all(|op| op.is::<YieldOperation>() || is_hint(*op) || reads_no_workspace(op)) {
        return None;
    }
    let rows = Rows { op, entries: vec![EntryLoop::scattering(inner)?] };
    let entries = &rows.entries[0];
    let is_it = rows.has_known_bounds(entries)
        && entries.is_segment()
        && Workspaces { rows: &rows, entries }.take_rows_together();
    is_it.then_some(rows)
}

/// Whether an operation has a workspace, or a view of one.
fn has_workspace(op: Op<'_>) -> bool {
    op.operands().into_iter().any(|operand| {
        ta::Workspace::defining(operand).is_some()
            || operand.r#type().is_mem_ref() && Op::defining(operand).is_some_and(has_workspace)
    })
}

impl<'c> EntryLoop<'c> {
    /// A loop that reads, and writes to workspaces. `None` for other loops.
    fn scattering(op: Op<'c>) -> Option<Self> {
        let is_admitted = |op: Op<'c>| match written_by(op).is_some() || has_workspace(op) {
            true => WorkspaceElement::of(op).is_some(),
            false => is_read(op) || is_hint(op) || op.is::<YieldOperation>(),
        };
        let is_it = counts_by_one(op)
            && op.result_count() == 0
            && !is_unrolled_by_schedule(op)
            && op.body(0).ops().into_iter().all(is_admitted);
        is_it.then(|| Self::with_coordinates(op)).flatten()
    }

    /// Whether the loop goes over the entries of one parent, in the level whose coordinates it reads.
    fn is_segment(&self) -> bool {
        let array = |op: Op<'c>| loaded(op).and_then(|(array, _)| ta::Coordinates::defining(array));
        let [Some(start), Some(stop)] = self.bounds().map(bound) else { return false };
        let is_next = Op::defining(stop.parent).is_some_and(|op| match op.operands()[..] {
            [parent, one] if op.is::<AddIOperation>() => {
                parent == start.parent && comet_ir::constant(one) == Some(1)
            }
            _ => false,
        });
        is_next
            && self.coordinates.iter().copied().filter_map(array).all(|crd| {
                [start.pos, stop.pos]
                    .into_iter()
                    .all(|pos| pos.tensor() == crd.tensor() && pos.level() == crd.level())
            })
    }

    /// Whether the loop writes to workspaces, and keeps no sums.
    pub(super) fn scatters(&self) -> bool {
        self.op.result_count() == 0
    }
}

/// A position where the children of a parent begin.
struct SegmentBound<'c> {
    pos: ta::Positions<'c>,
    parent: Val<'c>,
}

/// `None` where a value is something else.
fn bound(value: Val<'_>) -> Option<SegmentBound<'_>> {
    let (array, parent) = loaded(cast(value)?)?;
    Some(SegmentBound { pos: ta::Positions::defining(array)?, parent })
}

/// The array and the index of an element that is read. `None` for other operations.
fn loaded<'c>(op: Op<'c>) -> Option<(Val<'c>, Val<'c>)> {
    match op.operands()[..] {
        [array, index] if op.is::<LoadOperation>() => Some((array, index)),
        _ => None,
    }
}

/// What returns the integer that an index is made of.
fn cast(index: Val<'_>) -> Option<Op<'_>> {
    let cast = Op::defining(index).filter(|op| op.is::<IndexCastOperation>())?;
    cast.operands().first().copied().and_then(Op::defining)
}

/// The element of a workspace that an operation reads or writes.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct WorkspaceElement<'c> {
    array: Val<'c>,
    index: Val<'c>,
}

impl<'c> WorkspaceElement<'c> {
    /// `None` for operations that do something else.
    pub(super) fn of(op: Op<'c>) -> Option<Self> {
        let read = || loaded(op).and_then(|(array, index)| Self::new(array, index));
        Self::stored(op).map(|(element, _)| element).or_else(read)
    }

    /// The element that an operation writes, and the value.
    pub(super) fn stored(op: Op<'c>) -> Option<(Self, Val<'c>)> {
        match op.operands()[..] {
            [value, array, index] if op.is::<StoreOperation>() => Some((Self::new(array, index)?, value)),
            _ => None,
        }
    }

    fn new(array: Val<'c>, index: Val<'c>) -> Option<Self> {
        ta::Workspace::defining(array).map(|_| Self { array, index })
    }
}

/// What the entries of rows do to workspaces.
struct Workspaces<'a, 'c> {
    rows: &'a Rows<'c>,
    entries: &'a EntryLoop<'c>,
}

impl<'c> Workspaces<'_, 'c> {
    /// Whether workspaces hold the same where each coordinate takes all rows before the next one does.
    fn take_rows_together(&self) -> bool {
        let ops = self.entries.op.body(0).ops();
        let touched: Vec<(Op<'c>, WorkspaceElement<'c>)> =
            ops.into_iter().filter_map(|op| Some((op, WorkspaceElement::of(op)?))).collect();
        touched.iter().any(|(op, _)| op.is::<StoreOperation>())
            && touched.iter().all(|(_, element)| {
                let of_array = || touched.iter().filter(|(_, other)| other.array == element.array);
                self.is_same_for_rows(element.index)
                    && (of_array().all(|(op, _)| self.stores_same(*op)) || self.is_apart(of_array()))
            })
    }

    /// Whether an operation stores what every row stores there.
    fn stores_same(&self, op: Op<'c>) -> bool {
        WorkspaceElement::stored(op).is_some_and(|(_, value)| self.is_same_for_rows(value))
    }

    /// Whether no coordinate reads or writes an element of another one, and an element has one index.
    fn is_apart<'a>(&self, touched: impl Iterator<Item = &'a (Op<'c>, WorkspaceElement<'c>)>) -> bool
    where
        'c: 'a,
    {
        let numbers: Option<Vec<(ElementNumber, Val<'c>)>> =
            touched.map(|(_, element)| Some((self.number(element.index)?, element.index))).collect();
        let Some(numbers) = numbers else { return false };
        let (first, _) = numbers[0];
        numbers.iter().all(|(number, index)| {
            number.of == first.of
                && numbers.iter().all(|(other, name)| other.number != number.number || name == index)
        })
    }

    /// `None` where the index is something else.
    fn number(&self, index: Val<'c>) -> Option<ElementNumber> {
        if let Some(load) = cast(index) {
            return self.is_own_coordinate(load).then_some(ElementNumber { number: 0, of: 1 });
        }
        let op = Op::defining(index)?;
        let [inner, constant] = op.operands()[..] else { return None };
        let (known, added) = (self.number(inner)?, comet_ir::constant(constant)?);
        match added {
            of @ 1.. if op.is::<MulIOperation>() && known.of == 1 => Some(ElementNumber { number: 0, of }),
            number if op.is::<AddIOperation>() && known.number == 0 && (0..known.of).contains(&number) => {
                Some(ElementNumber { number, ..known })
            }
            _ => None,
        }
    }

    /// Whether an operation reads the coordinate of an entry, and no other entry of a row has it.
    fn is_own_coordinate(&self, load: Op<'c>) -> bool {
        let array = loaded(load).filter(|_| self.entries.coordinates.contains(&load));
        let array = array.and_then(|(array, _)| ta::Coordinates::defining(array));
        array.is_some_and(|array| {
            let levels = format::of(array.tensor()).levels;
            usize::try_from(array.level()).is_ok_and(|level| levels[level].kind.is_unique())
        })
    }

    /// Whether a value is the same for rows that are alike, at the same coordinate.
    fn is_same_for_rows(&self, value: Val<'c>) -> bool {
        let is_same = |op: Op<'c>| {
            self.entries.coordinates.contains(&op)
                || is_read(op)
                    && WorkspaceElement::of(op).is_none()
                    && op.operands().into_iter().all(|operand| self.is_same_for_rows(operand))
        };
        !self.rows.op.makes(value) || Op::defining(value).is_some_and(is_same)
    }
}

/// Which of the elements of a coordinate an index is: complex values have two.
#[derive(Clone, Copy)]
struct ElementNumber {
    number: i64,
    of: i64,
}
