//! Sorting entries into rows: they are moved into buckets of consecutive rows that fit the cache, each
//! bucket is distributed into its rows, and each row is sorted by itself where it must be. Everything is
//! stable, so that sums are taken in the order of the input.

use crate::memory::{Plain, prefer_large_pages};
use crate::pack::sort::starts_of;
use crate::tensor::Index;
use rayon::prelude::*;

/// The fewest entries of a stretch.
const TASK: usize = 1 << 15;
/// Write streams of a partition, as a power of two: few enough for the second-level cache.
const MOST_BUCKET_BITS: u32 = 9;
/// Stretches of the input for each thread, so that one that falls behind leaves some to the others.
const STRETCHES: usize = 4;
/// From this length on, a row is worth all threads.
const LARGE: usize = 1 << 18;

/// An entry in a bucket.
#[derive(Clone, Copy, Default)]
pub(super) struct Item<I, V> {
    /// Counted from the first row of the bucket.
    row: u32,
    column: I,
    value: V,
}

/// The entries by bucket: consecutive rows, 2^`shift` of them.
pub(super) struct Partition<I, V> {
    parts: Vec<BucketRange<I, V>>,
    shift: u32,
    buckets: usize,
}

/// A stretch of the input by bucket.
struct BucketRange<I, V> {
    items: Vec<Item<I, V>>,
    /// Where each bucket begins; one more entry ends the last.
    starts: Vec<usize>,
}

impl<I: Index, V: Plain> BucketRange<I, V> {
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
struct BucketTarget<'a, I, V> {
    /// Gets the number of entries of each row.
    lengths: &'a mut [I],
    crd: &'a mut [I],
    values: &'a mut [V],
}

impl<I: Index, V: Plain> Partition<I, V> {
    /// Partitions entries in that number of rows, stretch by stretch.
    pub(super) fn new(rows: &[i64], columns: &[i64], values: &[V], row_count: usize) -> Self {
        let row_bits = row_count.next_power_of_two().trailing_zeros();
        let shift = row_bits.saturating_sub(MOST_BUCKET_BITS);
        assert!(shift <= u32::BITS, "pos has fitted the memory, so that a bucket's rows fit 32 bits");
        let buckets = (row_count >> shift) + 1;
        let stretch = values.len().div_ceil(rayon::current_num_threads() * STRETCHES).max(TASK);
        let stretches =
            rows.par_chunks(stretch).zip(columns.par_chunks(stretch)).zip(values.par_chunks(stretch));
        let part = |((rows, columns), values)| BucketRange::new(rows, columns, values, shift, buckets);
        Self { parts: stretches.map(part).collect(), shift, buckets }
    }

    pub(super) fn counts(&self) -> Vec<usize> {
        (0..self.buckets)
            .map(|bucket| self.parts.iter().map(|part| part.bucket(bucket).len()).sum())
            .collect()
    }

    /// Sorts every bucket into its stretch of the arrays; returns the number of entries that each has left
    /// when `add` combines equal ones.
    pub(super) fn sort(
        &self,
        [mut lengths, mut crd]: [&mut [I]; 2],
        mut values: &mut [V],
        add: &(impl Fn(V, V) -> V + Sync),
    ) -> Vec<usize> {
        const SUMS: &str = "counts sum to the length";
        let mut targets = Vec::new();
        for count in self.counts() {
            let rows = lengths.len().min(1 << self.shift);
            targets.push(BucketTarget {
                lengths: lengths.split_off_mut(..rows).expect("there are so many rows"),
                crd: crd.split_off_mut(..count).expect(SUMS),
                values: values.split_off_mut(..count).expect(SUMS),
            });
        }
        let tasks = targets.into_par_iter().enumerate();
        // The room that a thread sorts in is kept from bucket to bucket.
        let sorted = tasks.map_init(BucketCapacity::default, |room, (bucket, target)| {
            room.distribute(self.parts.iter().map(|part| part.bucket(bucket)), &target);
            room.write(target, add)
        });
        sorted.collect()
    }
}

/// Where a thread sorts a bucket.
struct BucketCapacity<I, V> {
    items: Vec<(I, V)>,
    /// Where each row ends.
    ends: Vec<usize>,
    order: RowOrder<I, V>,
}

/// Where a thread sorts a short row.
struct RowOrder<I, V> {
    /// Columns with places in the row: distinct numbers, for which sorting is fastest, and equal columns
    /// keep their order.
    keys: Vec<u64>,
    items: Vec<(I, V)>,
}

impl<I, V> Default for BucketCapacity<I, V> {
    fn default() -> Self {
        let order = RowOrder { keys: Vec::new(), items: Vec::new() };
        Self { items: Vec::new(), ends: Vec::new(), order }
    }
}

impl<I: Index, V: Plain> BucketCapacity<I, V> {
    /// Moves the entries into their rows.
    fn distribute<'a>(
        &mut self,
        parts: impl Iterator<Item = &'a [Item<I, V>]> + Clone,
        target: &BucketTarget<I, V>,
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

    /// Sorts each row, combines what is equal, and writes the rest; returns its number.
    fn write(&mut self, target: BucketTarget<I, V>, add: &impl Fn(V, V) -> V) -> usize {
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
                    target.values[written - 1] = add(target.values[written - 1], value);
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

impl<I: Index, V: Plain> RowOrder<I, V> {
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
