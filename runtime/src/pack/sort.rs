//! Sorting entries by their keys and summing those with equal keys.
//!
//! One pass partitions the entries by the highest bits of their keys; the buckets then fit the cache and are sorted by
//! themselves, in parallel. Everything is stable, so that sums are taken in the order of the input.

use super::keys::Keys;
use crate::error::Error;
use crate::memory::{Array, check_available};
use crate::tensor::ArrayName;
use crate::values::Value;
use rayon::prelude::*;

/// Fewer entries than this are not worth a partition.
const SMALL: usize = 1 << 13;
/// The buckets' number as a power of two: one write stream each, few enough for the second-level cache.
const BUCKET_BITS: u32 = 11;
/// Entries that one task of a simple loop handles.
const TASK: usize = 1 << 15;
/// More scans of the input than this cost more than the parallel writes gain.
const MOST_SCANS: usize = 8;

/// Keys in strictly increasing order with the sums of their values.
pub(super) fn sort_and_sum<V: Value>(
    keys: Keys,
    values: &[V],
    name: &str,
) -> Result<(Keys, Array<V>), Error> {
    let what = ArrayName { tensor: name, part: "values" };
    if keys.strictly_increase(values.len()) {
        return Ok((keys, Array::copied(values, &what)?));
    }
    check_available(values.len().saturating_mul(size_of::<(u64, V)>()), &what)?;
    if let [word] = &keys.words[..] {
        let pairs = sort_by_key(word, values);
        let (words, values) = sum_pairs(&pairs, &what)?;
        return Ok((keys.with_words(vec![words]), values));
    }
    let order = sorted_order(&keys);
    sum_in_order(&keys, &order, values, &what)
}

/// The pairs of key and payload, sorted by key; equal keys keep their order.
fn sort_by_key<P: Copy + Default + Send + Sync>(keys: &[u64], payload: &[P]) -> Vec<(u64, P)> {
    if keys.len() < SMALL {
        let mut pairs: Vec<_> = keys.iter().copied().zip(payload.iter().copied()).collect();
        pairs.sort_by_key(|pair| pair.0);
        return pairs;
    }
    let used = keys.par_iter().with_min_len(TASK).copied().reduce(|| 0, |a, b| a | b);
    let shift = (64 - used.leading_zeros()).saturating_sub(BUCKET_BITS);
    let counts = count_buckets(keys, shift);
    let mut pairs = partition(keys, payload, shift, &counts);
    sort_buckets(&mut pairs, &counts);
    pairs
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

/// Moves each pair into its bucket. Each task owns a range of buckets, a slice of the result, and scans all of the input
/// for what belongs there.
fn partition<P: Copy + Default + Send + Sync>(
    keys: &[u64],
    payload: &[P],
    shift: u32,
    counts: &[usize],
) -> Vec<(u64, P)> {
    let mut pairs = vec![(0u64, P::default()); keys.len()];
    let mut rest = &mut pairs[..];
    let mut tasks = Vec::new();
    for buckets in balanced(counts, rayon::current_num_threads().min(MOST_SCANS)) {
        let len = counts[buckets.clone()].iter().sum();
        let (own, others) = rest.split_at_mut(len);
        rest = others;
        tasks.push((buckets, own));
    }
    tasks.into_par_iter().for_each(|(buckets, own)| {
        let mut next = starts_of(&counts[buckets.clone()]);
        for (&key, &value) in keys.iter().zip(payload) {
            let bucket = ((key >> shift) as usize).wrapping_sub(buckets.start);
            if let Some(slot) = next.get_mut(bucket) {
                own[*slot] = (key, value);
                *slot += 1;
            }
        }
    });
    pairs
}

/// Splits the buckets into ranges with about as many entries each.
fn balanced(counts: &[usize], parts: usize) -> Vec<std::ops::Range<usize>> {
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

fn starts_of(counts: &[usize]) -> Vec<usize> {
    let starts = counts.iter().scan(0, |next, count| {
        let start = *next;
        *next += count;
        Some(start)
    });
    starts.collect()
}

fn sort_buckets<P: Copy + Send>(pairs: &mut [(u64, P)], counts: &[usize]) {
    let large = pairs.len() / 4;
    let mut rest = pairs;
    let mut buckets = Vec::new();
    for &count in counts {
        let (bucket, others) = rest.split_at_mut(count);
        rest = others;
        buckets.push(bucket);
    }
    buckets.into_par_iter().for_each(|bucket| {
        // A bucket that holds much of a skewed input is worth all threads.
        if bucket.len() > large {
            bucket.par_sort_by_key(|pair| pair.0)
        } else {
            bucket.sort_by_key(|pair| pair.0)
        }
    });
}

fn sum_pairs<V: Value>(pairs: &[(u64, V)], what: &ArrayName) -> Result<(Vec<u64>, Array<V>), Error> {
    let mut values = Array::<V>::zeroed(pairs.len(), what)?;
    let unique = pairs.par_windows(2).with_min_len(TASK).all(|pair| pair[0].0 != pair[1].0);
    if unique {
        let keys = pairs.par_iter().with_min_len(TASK).map(|pair| pair.0).collect();
        let value = |(to, pair): (&mut V, &(u64, V))| *to = pair.1;
        values.par_iter_mut().with_min_len(TASK).zip(pairs).for_each(value);
        return Ok((keys, values));
    }
    let mut keys: Vec<u64> = Vec::with_capacity(pairs.len());
    for &(key, value) in pairs {
        if keys.last() != Some(&key) {
            keys.push(key);
        }
        let sum = &mut values[keys.len() - 1];
        *sum = sum.plus(value);
    }
    values.truncate(keys.len());
    Ok((keys, values))
}

/// The entries' order by keys of several words: sorted by the last word first, then stably by those before it.
fn sorted_order(keys: &Keys) -> Vec<usize> {
    let mut order: Vec<usize> = (0..keys.words[0].len()).collect();
    for word in keys.words.iter().rev() {
        let column: Vec<u64> = order.iter().map(|&entry| word[entry]).collect();
        order = sort_by_key(&column, &order).into_iter().map(|pair| pair.1).collect();
    }
    order
}

fn sum_in_order<V: Value>(
    keys: &Keys,
    order: &[usize],
    values: &[V],
    what: &ArrayName,
) -> Result<(Keys, Array<V>), Error> {
    let mut sums = Array::<V>::zeroed(order.len(), what)?;
    let mut kept: Vec<usize> = Vec::with_capacity(order.len());
    for &entry in order {
        let equal = |last: &usize| keys.words.iter().all(|word| word[*last] == word[entry]);
        if !kept.last().is_some_and(equal) {
            kept.push(entry);
        }
        let sum = &mut sums[kept.len() - 1];
        *sum = sum.plus(values[entry]);
    }
    sums.truncate(kept.len());
    let words = keys.words.iter().map(|word| kept.iter().map(|&entry| word[entry]).collect()).collect();
    Ok((keys.with_words(words), sums))
}
