//! Packing into dense levels with one compressed level below them, as in CSR and CSC. A row is a position
//! of the last dense level. Entries that come sorted are copied; others go through [`buckets`] of rows.

mod buckets;

use crate::error::Error;
use crate::levels::size_as_pos;
use crate::memory::{Array, Plain, check_available, checked_product, close_gaps, zeroed_vec};
use crate::tensor::{ArrayName, Index, LevelStorage, Tensor};
use buckets::{Item, Partition};
use comet_format::{Level, LevelExpr};
use rayon::prelude::*;
use std::borrow::Cow;

/// Entries that one task of a simple loop handles.
const TASK: usize = 1 << 15;

/// Whether the levels are dense ones, at least one, and below them one compressed unique level.
pub(super) fn fits(levels: &[Level]) -> bool {
    let Some((last, above)) = levels.split_last() else { return false };
    last.kind.has_sets_in_crd() && !above.is_empty() && above.iter().all(Level::is_full)
}

/// Stores the levels, and returns the values in the order of the positions; `add` combines those of entries
/// at the same coordinates.
pub(super) fn store<I: Index, V: Plain>(
    tensor: &mut Tensor,
    coords: &[Vec<i64>],
    values: &[V],
    add: impl Fn(V, V) -> V + Sync,
) -> Result<Array<V>, Error> {
    let dense = tensor.levels.len() - 1;
    let sizes: Vec<i64> = (0..dense).map(|level| tensor.level_size(level)).collect();
    let Sorted { pos, crd, values } = {
        let name = |part| ArrayName { tensor: &tensor.name, part };
        let rows = checked_product(
            &sizes.iter().map(|&size| size as usize).collect::<Vec<_>>(),
            &name("positions"),
        )?;
        let input = RowEntries::new(tensor, coords, values, &sizes)?;
        check_width::<I>(tensor, &input)?;
        let pos = Array::<I>::zeroed(rows.saturating_add(1), &name("pos"))?;
        if input.is_sorted() {
            input.copied(pos, &name("crd"), &name("values"))?
        } else {
            input.sorted(pos, tensor, add)?
        }
    };
    for (level, size) in sizes.into_iter().enumerate() {
        let crd = I::store(Array::empty());
        tensor.levels[level] = LevelStorage { pos: size_as_pos::<I>(size, &tensor.name)?, crd };
    }
    tensor.levels[dense] = LevelStorage { pos: I::store(pos), crd: I::store(crd) };
    Ok(values)
}

/// Refuses positions and coordinates that the width of the arrays cannot hold.
fn check_width<I: Index>(tensor: &Tensor, input: &RowEntries<'_, impl Plain>) -> Result<(), Error> {
    let too_large = |found| Err(Error::IndexTooNarrow { tensor: tensor.name.clone(), found });
    let entries = input.values.len() as u64;
    if entries > I::LARGEST {
        return too_large(entries);
    }
    if tensor.level_size(tensor.levels.len() - 1) as u64 <= I::LARGEST {
        return Ok(());
    }
    match input.columns.iter().max() {
        Some(&found) if found as u64 > I::LARGEST => too_large(found as u64),
        _ => Ok(()),
    }
}

/// The entries as rows, columns and values.
struct RowEntries<'a, V> {
    rows: Cow<'a, [i64]>,
    columns: Cow<'a, [i64]>,
    values: &'a [V],
}

/// The storage of the compressed level.
struct Sorted<I: Index, V: Plain> {
    pos: Array<I>,
    crd: Array<I>,
    values: Array<V>,
}

impl<'a, V: Plain> RowEntries<'a, V> {
    fn new(tensor: &Tensor, coords: &'a [Vec<i64>], values: &'a [V], sizes: &[i64]) -> Result<Self, Error> {
        let exprs: Vec<LevelExpr> = tensor.format.format.levels.iter().map(|level| level.expr).collect();
        let (last, above) = exprs.split_last().expect("a format has levels");
        let columns = numbered(coords, &[*last], &[1], values.len(), tensor)?;
        Ok(Self { rows: numbered(coords, above, sizes, values.len(), tensor)?, columns, values })
    }

    /// Whether rows increase, and columns strictly so in each row.
    fn is_sorted(&self) -> bool {
        let entry = |entry: usize| (self.rows[entry], self.columns[entry]);
        (1..self.values.len()).into_par_iter().with_min_len(TASK).all(|next| entry(next - 1) < entry(next))
    }

    /// The storage of entries that are sorted.
    fn copied<I: Index>(
        &self,
        mut pos: Array<I>,
        crd_name: &ArrayName<'_>,
        name: &ArrayName<'_>,
    ) -> Result<Sorted<I, V>, Error> {
        let entries = self.values.len();
        let mut crd = Array::<I>::zeroed(entries, crd_name)?;
        let mut values = Array::<V>::zeroed(entries, name)?;
        let mut row = 0;
        // Every row up to that of an entry begins at it or before it.
        for (entry, &next) in self.rows.iter().enumerate() {
            while row <= next as usize {
                pos[row] = I::truncate(entry as u64);
                row += 1;
            }
        }
        pos[row..].fill(I::truncate(entries as u64));
        let crd_tasks = crd.par_chunks_mut(TASK).zip(self.columns.par_chunks(TASK));
        crd_tasks.for_each(|(crd, columns)| {
            crd.iter_mut().zip(columns).for_each(|(stored, &column)| *stored = I::truncate(column as u64));
        });
        values
            .par_chunks_mut(TASK)
            .zip(self.values.par_chunks(TASK))
            .for_each(|(to, from)| to.copy_from_slice(from));
        Ok(Sorted { pos, crd, values })
    }

    /// The storage of entries in any order.
    fn sorted<I: Index>(
        &self,
        mut pos: Array<I>,
        tensor: &Tensor,
        add: impl Fn(V, V) -> V + Sync,
    ) -> Result<Sorted<I, V>, Error> {
        let what = ArrayName { tensor: &tensor.name, part: "values" };
        let entries = self.values.len();
        check_available(entries.saturating_mul(size_of::<Item<I, V>>()), &what)?;
        let partition = Partition::new(&self.rows, &self.columns, self.values, pos.len() - 1);
        let mut crd = Array::<I>::zeroed(entries, &ArrayName { tensor: &tensor.name, part: "crd" })?;
        let mut values = Array::<V>::zeroed(entries, &what)?;
        let kept = partition.sort([&mut pos[1..], &mut crd], &mut values, &add);
        let count = close_gaps(&mut crd, &partition.counts(), &kept);
        close_gaps(&mut values, &partition.counts(), &kept);
        crd.truncate(count);
        values.truncate(count);
        let mut end = 0;
        for row_end in pos.iter_mut() {
            end += row_end.number();
            *row_end = I::truncate(end);
        }
        Ok(Sorted { pos, crd, values })
    }
}

/// The position that some levels give each entry: of one plain mode its column of coordinates itself.
fn numbered<'a>(
    coords: &'a [Vec<i64>],
    exprs: &[LevelExpr],
    sizes: &[i64],
    entries: usize,
    tensor: &Tensor,
) -> Result<Cow<'a, [i64]>, Error> {
    if let [LevelExpr::Mode(mode)] = exprs {
        return Ok(Cow::Borrowed(&coords[*mode]));
    }
    let mut numbers = zeroed_vec::<i64>(entries, &ArrayName { tensor: &tensor.name, part: "sort keys" })?;
    numbers.par_chunks_mut(TASK).enumerate().for_each(|(task, numbers)| {
        for (expr, size) in exprs.iter().zip(sizes) {
            add_level(
                numbers,
                &coords[expr.mode().expect("slots do not come here")][task * TASK..],
                *expr,
                *size,
            );
        }
    });
    Ok(Cow::Owned(numbers))
}

/// `number * size + coordinate`; dividends are not negative.
fn add_level(numbers: &mut [i64], column: &[i64], expr: LevelExpr, size: i64) {
    let pairs = numbers.iter_mut().zip(column);
    match expr {
        LevelExpr::Div(_, n) => {
            pairs.for_each(|(number, &whole)| *number = *number * size + (whole as u64 / n) as i64)
        }
        LevelExpr::Mod(_, n) => {
            pairs.for_each(|(number, &whole)| *number = *number * size + (whole as u64 % n) as i64)
        }
        LevelExpr::Mode(_) | LevelExpr::Slot => {
            pairs.for_each(|(number, &whole)| *number = *number * size + whole)
        }
    }
}
