//! Packing into dense levels with one compressed level below them, as in CSR and CSC: a distribution into rows, where a row is a position of the
//! last dense level.
//!
//! Entries that come sorted are copied. Others are moved into buckets of consecutive rows that fit the cache, each bucket is distributed into its
//! rows, and each row is sorted by itself where it must be. Everything is stable, so that sums are taken in the order of the input.

use super::dense::size_as_pos;
use super::sort::starts_of;
use crate::error::Error;
use crate::format::{Level, LevelExpr, LevelKind};
use crate::memory::{Array, check_available, checked_product, prefer_large_pages, zeroed_vec};
use crate::tensor::{ArrayName, Index, LevelStorage, Tensor};
use crate::values::Value;
use rayon::prelude::*;
use std::borrow::Cow;

/// Entries that one task of a simple loop handles.
const TASK: usize = 1 << 15;
/// Write streams of a partition, as a power of two: few enough for the second-level cache.
const MOST_BUCKET_BITS: u32 = 9;
/// Stretches of the input for each thread, so that one that falls behind leaves some to the others.
const STRETCHES: usize = 4;
/// From this length on, a row is worth all threads.
const LARGE: usize = 1 << 18;

/// Whether the levels are dense ones, at least one, and below them one compressed unique level.
pub(super) fn fits(levels: &[Level]) -> bool {
    let Some((last, above)) = levels.split_last() else { return false };
    let is_dense = |level: &Level| level.kind == LevelKind::Dense && level.expr != LevelExpr::Slot;
    last.kind == LevelKind::CompressedUnique && !above.is_empty() && above.iter().all(is_dense)
}

pub(super) fn store<I: Index, V: Value>(
    tensor: &mut Tensor,
    coords: &[Vec<i64>],
    values: &[V],
) -> Result<(), Error> {
    let dense = tensor.levels.len() - 1;
    let sizes: Vec<i64> = (0..dense).map(|level| tensor.level_size(level)).collect();
    let Sorted { pos, crd, values } = {
        let name = |part| ArrayName { tensor: &tensor.name, part };
        let rows = checked_product(
            &sizes.iter().map(|&size| size as usize).collect::<Vec<_>>(),
            &name("positions"),
        )?;
        let input = Input::new(tensor, coords, values, &sizes)?;
        check_width::<I>(tensor, &input)?;
        let pos = Array::<I>::zeroed(rows.saturating_add(1), &name("pos"))?;
        if input.is_sorted() {
            input.copied(pos, &name("crd"), &name("values"))?
        } else {
            input.sorted(pos, tensor)?
        }
    };
    for (level, size) in sizes.into_iter().enumerate() {
        let crd = I::store(Array::empty());
        tensor.levels[level] = LevelStorage { pos: size_as_pos::<I>(size, &tensor.name)?, crd };
    }
    tensor.levels[dense] = LevelStorage { pos: I::store(pos), crd: I::store(crd) };
    tensor.values = V::store(values);
    Ok(())
}

/// Refuses positions and coordinates that the width of the arrays cannot hold.
fn check_width<I: Index>(tensor: &Tensor, input: &Input<'_, impl Value>) -> Result<(), Error> {
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
struct Input<'a, V> {
    rows: Cow<'a, [i64]>,
    columns: Cow<'a, [i64]>,
    values: &'a [V],
}

/// The storage of the compressed level.
struct Sorted<I: Index, V: Value> {
    pos: Array<I>,
    crd: Array<I>,
    values: Array<V>,
}

impl<'a, V: Value> Input<'a, V> {
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
    fn sorted<I: Index>(&self, mut pos: Array<I>, tensor: &Tensor) -> Result<Sorted<I, V>, Error> {
        let what = ArrayName { tensor: &tensor.name, part: "values" };
        let entries = self.values.len();
        check_available(entries.saturating_mul(size_of::<Item<I, V>>()), &what)?;
        let partition = self.partition::<I>(pos.len() - 1);
        let mut crd = Array::<I>::zeroed(entries, &ArrayName { tensor: &tensor.name, part: "crd" })?;
        let mut values = Array::<V>::zeroed(entries, &what)?;
        let kept = partition.sort(&mut pos[1..], &mut crd, &mut values);
        close_gaps(&partition.counts(), &kept, &mut crd, &mut values);
        let mut end = 0;
        for row_end in pos.iter_mut() {
            end += row_end.number();
            *row_end = I::truncate(end);
        }
        Ok(Sorted { pos, crd, values })
    }

    /// Partitions the input stretch by stretch.
    fn partition<I: Index>(&self, rows: usize) -> Partition<I, V> {
        let row_bits = rows.next_power_of_two().trailing_zeros();
        let shift = row_bits.saturating_sub(MOST_BUCKET_BITS);
        assert!(shift <= u32::BITS, "pos has fitted the memory, so that a bucket's rows fit 32 bits");
        let buckets = (rows >> shift) + 1;
        let stretch = self.values.len().div_ceil(rayon::current_num_threads() * STRETCHES).max(TASK);
        let stretches = self
            .rows
            .par_chunks(stretch)
            .zip(self.columns.par_chunks(stretch))
            .zip(self.values.par_chunks(stretch));
        let parts = stretches
            .map(|((rows, columns), values)| Part::new(rows, columns, values, shift, buckets))
            .collect();
        Partition { parts, shift, buckets }
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

/// An entry in a bucket.
#[derive(Clone, Copy, Default)]
struct Item<I, V> {
    /// Counted from the first row of the bucket.
    row: u32,
    column: I,
    value: V,
}

/// The entries by bucket: consecutive rows, 2^`shift` of them.
struct Partition<I, V> {
    parts: Vec<Part<I, V>>,
    shift: u32,
    buckets: usize,
}

/// A stretch of the input by bucket.
struct Part<I, V> {
    items: Vec<Item<I, V>>,
    /// Where each bucket begins; one more entry ends the last.
    starts: Vec<usize>,
}

impl<I: Index, V: Value> Part<I, V> {
    fn new(rows: &[i64], columns: &[i64], values: &[V], shift: u32, buckets: usize) -> Self {
        let mut counts = vec![0usize; buckets + 1];
        rows.iter().for_each(|row| counts[(row >> shift) as usize] += 1);
        let starts = starts_of(&counts);
        let mut next = starts.clone();
        let mut items: Vec<Item<I, V>> = Vec::with_capacity(rows.len());
        prefer_large_pages(items.as_mut_ptr().cast(), rows.len() * size_of::<Item<I, V>>());
        items.resize(rows.len(), Item::default());
        for ((&row, &column), &value) in rows.iter().zip(columns).zip(values) {
            let place = &mut next[(row >> shift) as usize];
            let row = (row & ((1 << shift) - 1)) as u32;
            items[*place] = Item { row, column: I::truncate(column as u64), value };
            *place += 1;
        }
        Self { items, starts }
    }

    fn bucket(&self, bucket: usize) -> &[Item<I, V>] {
        &self.items[self.starts[bucket]..self.starts[bucket + 1]]
    }
}

/// Where the entries of a bucket go.
struct Target<'a, I, V> {
    /// Gets the number of entries of each row.
    lengths: &'a mut [I],
    crd: &'a mut [I],
    values: &'a mut [V],
}

impl<I: Index, V: Value> Partition<I, V> {
    fn counts(&self) -> Vec<usize> {
        (0..self.buckets)
            .map(|bucket| self.parts.iter().map(|part| part.bucket(bucket).len()).sum())
            .collect()
    }

    /// Sorts every bucket into its stretch of the arrays; gives the number of entries that each has left when equal ones are summed.
    fn sort(&self, mut lengths: &mut [I], mut crd: &mut [I], mut values: &mut [V]) -> Vec<usize> {
        const SUMS: &str = "counts sum to the length";
        let mut targets = Vec::new();
        for count in self.counts() {
            let rows = lengths.len().min(1 << self.shift);
            targets.push(Target {
                lengths: lengths.split_off_mut(..rows).expect("there are so many rows"),
                crd: crd.split_off_mut(..count).expect(SUMS),
                values: values.split_off_mut(..count).expect(SUMS),
            });
        }
        let tasks = targets.into_par_iter().enumerate();
        // The room that a thread sorts in is kept from bucket to bucket.
        let sorted = tasks.map_init(Room::default, |room, (bucket, target)| {
            room.distribute(self.parts.iter().map(|part| part.bucket(bucket)), &target);
            room.write(target)
        });
        sorted.collect()
    }
}

/// Where a thread sorts a bucket.
struct Room<I, V> {
    items: Vec<(I, V)>,
    /// Where each row ends.
    ends: Vec<usize>,
    order: RowOrder<I, V>,
}

/// Where a thread sorts a short row.
struct RowOrder<I, V> {
    /// Columns with places in the row: distinct numbers, for which sorting is fastest, and equal columns keep their order.
    keys: Vec<u64>,
    items: Vec<(I, V)>,
}

impl<I, V> Default for Room<I, V> {
    fn default() -> Self {
        let order = RowOrder { keys: Vec::new(), items: Vec::new() };
        Self { items: Vec::new(), ends: Vec::new(), order }
    }
}

impl<I: Index, V: Value> Room<I, V> {
    /// Moves the entries into their rows.
    fn distribute<'a>(
        &mut self,
        parts: impl Iterator<Item = &'a [Item<I, V>]> + Clone,
        target: &Target<I, V>,
    ) {
        let mut counts = vec![0usize; target.lengths.len()];
        parts.clone().flatten().for_each(|item| counts[item.row as usize] += 1);
        self.ends = starts_of(&counts);
        self.items.resize(target.crd.len(), (I::default(), V::default()));
        for item in parts.flatten() {
            let place = &mut self.ends[item.row as usize];
            self.items[*place] = (item.column, item.value);
            *place += 1;
        }
    }

    /// Sorts each row, sums what is equal, and writes the rest; gives its number.
    fn write(&mut self, target: Target<I, V>) -> usize {
        let mut start = 0;
        let mut written = 0;
        for (length, &end) in target.lengths.iter_mut().zip(&self.ends) {
            let row = &mut self.items[start..end];
            start = end;
            if !row.is_sorted_by_key(|(column, _)| column.number()) {
                self.order.sort(row);
            }
            let first = written;
            for &(column, value) in row.iter() {
                if written > first && target.crd[written - 1].number() == column.number() {
                    target.values[written - 1] = target.values[written - 1].plus(value);
                    continue;
                }
                target.crd[written] = column;
                target.values[written] = value;
                written += 1;
            }
            *length = I::truncate((written - first) as u64);
        }
        written
    }
}

impl<I: Index, V: Value> RowOrder<I, V> {
    /// Sorts a row by its columns; equal ones keep their order.
    fn sort(&mut self, row: &mut [(I, V)]) {
        const PLACE_BITS: u32 = LARGE.trailing_zeros();
        let is_wide = |(column, _): &(I, V)| column.number() >> (u64::BITS - PLACE_BITS) != 0;
        if row.len() > LARGE {
            row.par_sort_by_key(|(column, _)| column.number());
        } else if row.iter().any(is_wide) {
            row.sort_by_key(|(column, _)| column.number());
        } else {
            let key = |(place, (column, _)): (usize, &(I, V))| column.number() << PLACE_BITS | place as u64;
            self.keys.clear();
            self.keys.extend(row.iter().enumerate().map(key));
            self.keys.sort_unstable();
            self.items.clear();
            self.items.extend(self.keys.iter().map(|key| row[*key as usize & (LARGE - 1)]));
            row.copy_from_slice(&self.items);
        }
    }
}

/// Moves the buckets together where sums have left room.
fn close_gaps<I: Index, V: Value>(
    counts: &[usize],
    kept: &[usize],
    crd: &mut Array<I>,
    values: &mut Array<V>,
) {
    let (mut from, mut to) = (0, 0);
    for (count, kept) in counts.iter().zip(kept) {
        if from != to {
            crd.copy_within(from..from + kept, to);
            values.copy_within(from..from + kept, to);
        }
        from += count;
        to += kept;
    }
    crd.truncate(to);
    values.truncate(to);
}
