//! Sorting entries by their keys and summing those with equal keys.
//!
//! One pass partitions the entries by the highest bits of their keys into buckets that fit the cache. Each
//! bucket is then partitioned once more, to a few entries apiece, which are sorted by comparison.
//! Everything is stable, so that sums are taken in the order of the input.

use super::keys::Keys;
use crate::error::Error;
use crate::memory::{Array, Plain, check_available, prefer_large_pages, zeroed_vec};
use crate::tensor::ArrayName;
use rayon::prelude::*;
use std::ops::Range;

/// Fewer entries than this are not worth a partition.
const SMALL: usize = 1 << 13;
/// The buckets' number as a power of two: one write stream each, few enough for the second-level cache.
const BUCKET_BITS: u32 = 9;
/// Inside a bucket, the counters fit the first-level cache.
const MOST_INNER_BITS: u32 = 11;
/// The entries that the second partition leaves together, as a power of two.
const LEFT_TOGETHER_BITS: u32 = 2;
/// Entries that one task of a simple loop handles.
const TASK: usize = 1 << 15;
/// From this length on, a run of equal digits is worth all threads.
const LARGE: usize = 1 << 18;
/// More scans of the input than this cost more than the parallel writes gain.
const MOST_SCANS: usize = 8;

/// A key and what is sorted with it.
type Pair<P> = (u64, P);

/// Keys in strictly increasing order with the values of their entries; `sum` adds up those of equal keys,
/// which come in the order of the entries.
pub(super) fn sort_and_sum<P: Plain>(
    mut keys: Keys,
    values: &[P],
    name: &str,
    sum: impl Fn(&[P]) -> P,
) -> Result<(Keys, Array<P>), Error> {
    let what = ArrayName { tensor: name, part: "values" };
    if keys.strictly_increase(values.len()) {
        return Ok((keys, Array::copied(values, &what)?));
    }
    check_available(values.len().saturating_mul(size_of::<Pair<P>>()), &what)?;
    let mut sorted = Array::<P>::zeroed(values.len(), &what)?;
    if let [word] = &mut keys.words[..] {
        sort_by_key(word, values, &mut sorted);
    } else {
        let order = sorted_order(&keys, &what)?;
        apply(&order, &mut keys, values, &mut sorted);
    }
    sum_equal(&mut keys, &mut sorted, sum);
    Ok((keys, sorted))
}

/// Sorts keys, and puts their payload into `sorted` in the same order; equal keys keep theirs.
fn sort_by_key<P: Copy + Default + Send + Sync>(keys: &mut [u64], payload: &[P], sorted: &mut [P]) {
    let used = keys.par_iter().with_min_len(TASK).copied().reduce(|| 0, |a, b| a | b);
    let bits = 64 - used.leading_zeros();
    if keys.len() < SMALL {
        let mut pairs: Vec<Pair<P>> = keys.iter().copied().zip(payload.iter().copied()).collect();
        pairs.sort_by_key(|pair| pair.0);
        unzip(&pairs, keys, sorted);
        return;
    }
    let left = bits.saturating_sub(BUCKET_BITS);
    let counts = count_buckets(keys, left);
    let pairs = partition(keys, payload, left, &counts);
    sort_buckets(&pairs, &counts, left, keys, sorted);
}

fn unzip<P: Copy>(pairs: &[Pair<P>], keys: &mut [u64], payload: &mut [P]) {
    for ((pair, key), value) in pairs.iter().zip(keys).zip(payload) {
        (*key, *value) = *pair;
    }
}

fn count_buckets(keys: &[u64], shift: u32) -> Vec<usize> {
    let none = || vec![0usize; 1 << BUCKET_BITS];
    let count = |mut counts: Vec<usize>, task: &[u64]| {
        task.iter().for_each(|key| counts[(key >> shift) as usize] += 1);
        counts
    };
    let add = |mut counts: Vec<usize>, others: Vec<usize>| {
        counts.iter_mut().zip(others).for_each(|(count, other)| *count += other);
        counts
    };
    keys.par_chunks(TASK * 8).fold(none, count).reduce(none, add)
}

/// Moves each pair into its bucket. Each task owns a range of buckets, a slice of the result, and scans all
/// of the input for what belongs there.
fn partition<P: Copy + Default + Send + Sync>(
    keys: &[u64],
    payload: &[P],
    shift: u32,
    counts: &[usize],
) -> Vec<Pair<P>> {
    let mut pairs = vec![(0u64, P::default()); keys.len()];
    prefer_large_pages(pairs.as_mut_ptr().cast(), size_of_val(&pairs[..]));
    let mut rest = &mut pairs[..];
    let mut tasks = Vec::new();
    for buckets in balanced(counts, rayon::current_num_threads().min(MOST_SCANS)) {
        let len = counts[buckets.clone()].iter().sum();
        let own = rest.split_off_mut(..len).expect("counts sum to the length");
        tasks.push((buckets, own));
    }
    tasks.into_par_iter().for_each(|(buckets, own)| {
        let mut next = starts_of(&counts[buckets.clone()]);
        for (&key, &value) in keys.iter().zip(payload) {
            let bucket = ((key >> shift) as usize).wrapping_sub(buckets.start);
            if let Some(place) = next.get_mut(bucket) {
                own[*place] = (key, value);
                *place += 1;
            }
        }
    });
    pairs
}

/// Splits the buckets into ranges with about as many entries each.
fn balanced(counts: &[usize], parts: usize) -> Vec<Range<usize>> {
    let total: usize = counts.iter().sum();
    let mut ranges = Vec::new();
    let mut start = 0;
    let mut passed = 0;
    for (bucket, count) in counts.iter().enumerate() {
        passed += count;
        if passed * parts >= total * (ranges.len() + 1) {
            ranges.push(start..bucket + 1);
            start = bucket + 1;
        }
    }
    ranges.push(start..counts.len());
    ranges
}

pub(super) fn starts_of(counts: &[usize]) -> Vec<usize> {
    let starts = counts.iter().scan(0, |next, count| {
        let start = *next;
        *next += count;
        Some(start)
    });
    starts.collect()
}

/// Sorts each bucket into its stretch of the result; `left` bits of the keys are not sorted yet.
fn sort_buckets<P: Copy + Default + Send + Sync>(
    pairs: &[Pair<P>],
    counts: &[usize],
    left: u32,
    mut keys: &mut [u64],
    mut sorted: &mut [P],
) {
    const SUMS: &str = "counts sum to the length";
    let mut rest = pairs;
    let mut buckets = Vec::new();
    for &count in counts {
        let bucket = rest.split_off(..count).expect(SUMS);
        buckets.push((
            bucket,
            keys.split_off_mut(..count).expect(SUMS),
            sorted.split_off_mut(..count).expect(SUMS),
        ));
    }
    // The room that a thread sorts in is kept from bucket to bucket.
    buckets.into_par_iter().for_each_init(Vec::new, |room, (bucket, keys, sorted)| {
        room.resize(bucket.len(), (0, P::default()));
        sort_bucket(bucket, room, left);
        unzip(room, keys, sorted);
    });
}

/// Sorts a bucket into `room`, which is as long.
fn sort_bucket<P: Copy + Default + Send>(bucket: &[Pair<P>], room: &mut [Pair<P>], left: u32) {
    let wanted = bucket.len().checked_ilog2().unwrap_or(0).saturating_sub(LEFT_TOGETHER_BITS);
    let bits = wanted.min(MOST_INNER_BITS).min(left);
    let shift = left - bits;
    let digit = |key: u64| (key >> shift) as usize & ((1 << bits) - 1);
    let mut counts = vec![0usize; 1 << bits];
    bucket.iter().for_each(|pair| counts[digit(pair.0)] += 1);
    let mut next = starts_of(&counts);
    for &pair in bucket {
        let place = &mut next[digit(pair.0)];
        room[*place] = pair;
        *place += 1;
    }
    if shift == 0 {
        return;
    }
    let mut rest = room;
    for count in counts {
        let run = rest.split_off_mut(..count).expect("counts sum to the length");
        match count {
            0 | 1 => {}
            LARGE.. => run.par_sort_by_key(|pair| pair.0),
            _ => run.sort_by_key(|pair| pair.0),
        }
    }
}

/// The entries' order by keys of several words: sorted by the last word first, then stably by those before
/// it.
fn sorted_order(keys: &Keys, what: &ArrayName) -> Result<Vec<usize>, Error> {
    let entries = keys.words[0].len();
    let mut order: Vec<usize> = (0..entries).collect();
    let mut column = zeroed_vec::<u64>(entries, what)?;
    for word in keys.words.iter().rev() {
        column.iter_mut().zip(&order).for_each(|(key, &entry)| *key = word[entry]);
        let before = order.clone();
        sort_by_key(&mut column, &before, &mut order);
    }
    Ok(order)
}

fn apply<P: Plain>(order: &[usize], keys: &mut Keys, values: &[P], sorted: &mut [P]) {
    for word in &mut keys.words {
        *word = order.iter().map(|&entry| word[entry]).collect();
    }
    sorted.iter_mut().zip(order).for_each(|(value, &entry)| *value = values[entry]);
}

/// Sums the values of equal keys, which are side by side.
fn sum_equal<P: Plain>(keys: &mut Keys, values: &mut Array<P>, sum: impl Fn(&[P]) -> P) {
    if keys.strictly_increase(values.len()) {
        return;
    }
    let (mut kept, mut first) = (0, 0);
    for end in 1..=values.len() {
        let is_equal = |word: &Vec<u64>| word.get(end) == Some(&word[first]);
        if keys.words.iter().all(is_equal) {
            continue;
        }
        values[kept] = sum(&values[first..end]);
        keys.words.iter_mut().for_each(|word| word[kept] = word[first]);
        (kept, first) = (kept + 1, end);
    }
    values.truncate(kept);
    keys.words.iter_mut().for_each(|word| word.truncate(kept));
}
