//! How many rows from one on store the same coordinates.

use super::rows::{EntryLoop, Rows};
use super::substitute;
use comet_ir::{Builder, Compare, Op, Result, Val};

/// The number of rows from `first` on, and in front of `stop`, that are alike: at least one, and at most
/// `most`.
pub(super) fn count<'c>(
    b: Builder<'c>,
    rows: &Rows<'c>,
    first: Val<'c>,
    stop: Val<'c>,
    most: u64,
) -> Result<'c, Val<'c>> {
    let (one, most) = (b.index(1)?, b.index(most as i64)?);
    let goes_on = |b: Builder<'c>, count: &[Val<'c>]| {
        let row = b.addi(first, count[0])?;
        let is_wanted = b.cmpi(Compare::Lt, count[0], most)?;
        let exists = b.cmpi(Compare::Lt, row, stop)?;
        b.both(b.value_op("and", is_wanted, exists)?, |b| are_alike(b, rows, first, row))
    };
    let counts = b.while_loop(&[one], goes_on, |b, count| Ok(vec![b.addi(count[0], one)?]))?;
    Ok(counts[0])
}

/// Whether two rows store the same coordinates, and enough of them, wherever the loops over their entries go.
fn are_alike<'c>(b: Builder<'c>, rows: &Rows<'c>, first: Val<'c>, row: Val<'c>) -> Result<'c, Val<'c>> {
    let mut are_alike = None;
    for (number, entries) in rows.entries.iter().enumerate() {
        if rows.entries[..number].iter().any(|other| other.is_like(entries)) {
            continue;
        }
        let segments = [segment(b, rows, entries, first), segment(b, rows, entries, row)];
        are_alike = Some(match are_alike {
            None => hold_the_same(b, entries, segments)?,
            Some(others) => b.both(others, |b| hold_the_same(b, entries, segments))?,
        });
    }
    Ok(are_alike.expect("there is a loop over entries"))
}

/// The first position of a row, and the one behind its last.
type Segment<'c> = [Val<'c>; 2];

fn segment<'c>(b: Builder<'c>, rows: &Rows<'c>, entries: &EntryLoop<'c>, row: Val<'c>) -> Segment<'c> {
    entries.bounds().map(|bound| computed(b, rows, bound, row))
}

/// A value that follows from the row of an iteration, for another row.
fn computed<'c>(b: Builder<'c>, rows: &Rows<'c>, value: Val<'c>, row: Val<'c>) -> Val<'c> {
    if rows.is_row(value) {
        return row;
    }
    match Op::defining(value).filter(|op| op.is_inside(rows.op)) {
        Some(op) => {
            let operands: Vec<(Val<'c>, Val<'c>)> =
                op.operands().into_iter().map(|own| (own, computed(b, rows, own, row))).collect();
            b.copy(op, |own| substitute(&operands, own)).result(0)
        }
        None => value,
    }
}

/// Whether two segments have the same coordinates, and enough of them. That rows are not alike is mostly seen
/// by their lengths or by their last coordinates; where it is not, all are looked at, without a branch.
fn hold_the_same<'c>(
    b: Builder<'c>,
    entries: &EntryLoop<'c>,
    [[start, end], [other_start, other_end]]: [Segment<'c>; 2],
) -> Result<'c, Val<'c>> {
    let (arrays, zero) = (entries.arrays(), b.index(0)?);
    let length = b.subi(end, start)?;
    let is_as_long = b.cmpi(Compare::Eq, length, b.subi(other_end, other_start)?)?;
    let has_enough = b.cmpi(Compare::Gt, length, b.index(entries.fewest() - 1)?)?;
    b.both(b.value_op("and", is_as_long, has_enough)?, |b| {
        let last = b.subi(length, b.index(1)?)?;
        let starts = [start, other_start];
        let has_same_last = b.cmpi(Compare::Eq, difference(b, &arrays, starts, last)?, zero)?;
        b.both(has_same_last, |b| {
            let found = b.for_each(zero, last, &[zero], |b, number, found| {
                let here = difference(b, &arrays, starts, number)?;
                Ok(vec![b.value_op("or", found[0], here)?])
            })?;
            b.cmpi(Compare::Eq, found[0], zero)
        })
    })
}

/// Zero where arrays hold the same at a place of two segments.
fn difference<'c>(
    b: Builder<'c>,
    arrays: &[Val<'c>],
    starts: [Val<'c>; 2],
    number: Val<'c>,
) -> Result<'c, Val<'c>> {
    let mut found = None;
    for array in arrays {
        let own = b.load_index(*array, b.addi(starts[0], number)?)?;
        let others = b.load_index(*array, b.addi(starts[1], number)?)?;
        let here = b.value_op("xor", own, others)?;
        found = Some(b.joined("or", found, here)?);
    }
    Ok(found.expect("loops over entries read coordinates"))
}
