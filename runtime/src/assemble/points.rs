//! The sparse workspace (sparse-workspace.txt section 3): points that come in any order, several to an
//! element, on their way into a tensor of any format.
//!
//! A point's key is the coordinates of its levels side by side, so that the order of keys is that of the
//! tensor's storage. Points come into [`Acc`], which has room for a given number of them; when it is full it
//! is sorted, and merged into [`All`], which holds the result so far: the paper's TryInsert, Sort,
//! Contraction and Clear. Where the result has become much larger than the accumulator, a new All is begun,
//! and merged with the one before when it is no longer small beside it. In the end the levels are built from
//! what All holds, whose values become the tensor's.
//!
//! Where a key is one word, generated code puts points into the room of Acc itself (`state`, `room`), as long
//! as there are fewer than the number at `points_state::MOST` says, and comes here with the others.
//!
//! The points of each block of a parallel loop come into an All of their own, through an accumulator that is
//! as small at first as it was for the first block. Two neighbours that represent equally many blocks are
//! merged, so that the order in which values combine follows from the number of blocks alone, and not from
//! the tasks that they are dealt to.
//!
//! Points of a [`AccumulatorKind::Sequence`] combine in the order in which they come: there is one All,
//! whatever becomes of its size, and blocks mean nothing.

mod acc;
mod all;
mod counts;

use super::reduction::PointReduction;
use crate::abi::points_state::PointWords;
use crate::error::Error;
use crate::instrument::count_points;
use crate::pack::{Field, Keys, key_layout, store_sorted};
use crate::tensor::{ArrayName, Tensor};
use crate::values::Value;
use crate::values::with_type;
use acc::{Acc, Capacity};
use all::{All, Sorted};
pub(crate) use comet_abi::points::AccumulatorKind;
pub(crate) use counts::{PointCounts, steps};

/// What a tensor collects points in, whatever their keys and values are.
pub(crate) trait Collector: Send + Sync {
    /// What generated code shares of the accumulator.
    fn state(&mut self) -> &mut [i64];
    /// The accumulator's room: where it begins, and its words.
    fn room(&mut self) -> (*mut i64, usize);
    /// Ends a block: what has come so far is complete.
    fn next(&mut self, name: &str) -> Result<(), Error>;
    /// Takes a point with a value of those bits.
    fn insert(&mut self, coordinates: &[i64], bits: u128, name: &str) -> Result<(), Error>;
    /// Stores everything that has come in the tensor, and returns what that took.
    fn end(self: Box<Self>, tensor: &mut Tensor) -> Result<PointCounts, Error>;
}

/// Points are merged into runs of up to this many times their number: an element is moved once for each
/// time that the result has become so much larger, however small the accumulator is, and the runs together
/// take little more memory than the first one.
const SHRINK: usize = 8;

/// Keys of W words of 64 bits.
struct CollectedPoints<V: Value, const W: usize> {
    fields: Vec<Field>,
    acc: Acc<V, W>,
    kind: AccumulatorKind,
    /// The result of the block that points come to, in runs: each has more than [`SHRINK`] times the elements
    /// of the next, and came before it.
    runs: Vec<All<V, W>>,
    /// The results of blocks that are complete: neighbours, each with a power of two of how many it is of.
    blocks: Vec<(u32, All<V, W>)>,
    reduction: PointReduction,
    counts: PointCounts,
}

/// Begins to collect, in room for `capacity` points, or for more the more have come; the entries that the
/// tensor has go.
///
/// # Errors
/// Extents that are missing.
pub(crate) fn begin(
    tensor: &mut Tensor,
    reduction: PointReduction,
    kind: AccumulatorKind,
    capacity: Option<usize>,
) -> Result<(), Error> {
    tensor.check_dims()?;
    drop(tensor.take_storage());
    let capacity = Capacity::of(capacity);
    tensor.assembly.points =
        Some(with_type!(tensor.format.value, T => collector::<T>(tensor, reduction, kind, capacity)?));
    Ok(())
}

fn collector<V: Value>(
    tensor: &Tensor,
    reduction: PointReduction,
    kind: AccumulatorKind,
    capacity: Capacity,
) -> Result<Box<dyn Collector>, Error> {
    let (fields, words) = key_layout(tensor);
    Ok(match words {
        0..=1 => CollectedPoints::<V, 1>::boxed(fields, reduction, kind, capacity),
        2 => CollectedPoints::<V, 2>::boxed(fields, reduction, kind, capacity),
        3..=4 => CollectedPoints::<V, 4>::boxed(fields, reduction, kind, capacity),
        5..=16 => CollectedPoints::<V, 16>::boxed(fields, reduction, kind, capacity),
        _ => {
            let what = format!("`{}`, whose coordinates have more than {} bits", tensor.name, 16 * 64);
            return Err(Error::Unsupported(what));
        }
    })
}

/// Where the numbers of the accumulator begin that generated code shares, and how many they are:
/// [`crate::abi::points_state`].
pub(crate) fn state(tensor: &mut Tensor) -> Result<(*mut i64, usize), Error> {
    let state = collector_of(tensor)?.0.state();
    Ok((state.as_mut_ptr(), state.len()))
}

/// Where the room of the accumulator begins, a key and a value for each point, and its words.
/// It is valid until the next [`insert`] or [`next`].
pub(crate) fn room(tensor: &mut Tensor) -> Result<(*mut i64, usize), Error> {
    Ok(collector_of(tensor)?.0.room())
}

/// Ends a block of a parallel loop.
pub(crate) fn next(tensor: &mut Tensor) -> Result<(), Error> {
    let (points, name) = collector_of(tensor)?;
    points.next(name)
}

/// Takes a point.
pub(crate) fn insert<V: Value>(tensor: &mut Tensor, coordinates: &[i64], value: V) -> Result<(), Error> {
    let (points, name) = collector_of(tensor)?;
    points.insert(coordinates, value.bits(), name)
}

fn collector_of(tensor: &mut Tensor) -> Result<(&mut dyn Collector, &str), Error> {
    match &mut tensor.assembly.points {
        Some(points) => Ok((points.as_mut(), &tensor.name)),
        None => Err(Error::Internal(format!("a point comes to `{}`, which collects none", tensor.name))),
    }
}

/// Combines the points and stores them; returns what that took.
pub(crate) fn end(tensor: &mut Tensor) -> Result<PointCounts, Error> {
    let Some(points) = tensor.assembly.points.take() else {
        return Err(Error::Internal(format!("`{}` has collected no points", tensor.name)));
    };
    let counted = std::mem::take(&mut tensor.assembly).counted;
    let counts = points.end(tensor)?;
    if let Some((name, at)) = counted {
        count_points(&name, &at, &counts);
    }
    Ok(counts)
}

/// Asks for a report of the counts of the points, as those of a workspace of that name at that place.
pub(crate) fn count(tensor: &mut Tensor, name: &str, at: &str) -> Result<(), Error> {
    collector_of(tensor)?;
    tensor.assembly.counted = Some((name.to_owned(), at.to_owned()));
    Ok(())
}

impl<V: Value, const W: usize> CollectedPoints<V, W> {
    fn boxed(
        fields: Vec<Field>,
        reduction: PointReduction,
        kind: AccumulatorKind,
        capacity: Capacity,
    ) -> Box<dyn Collector> {
        let shifts = fields.iter().map(Field::shift).collect();
        let acc = Acc::new(kind, capacity, reduction, shifts);
        let counts = PointCounts::new(kind, size_of::<PointWords<V, W>>());
        Box::new(Self { fields, acc, kind, runs: Vec::new(), blocks: Vec::new(), reduction, counts })
    }

    fn key(&self, coordinates: &[i64]) -> [u64; W] {
        let mut key = [0; W];
        self.fields.iter().for_each(|field| field.add(&mut key, coordinates));
        key
    }

    /// Makes the accumulator larger, or empties it if it has its full size.
    fn make_room(&mut self, what: &ArrayName) -> Result<(), Error> {
        if !self.acc.grow(what)? {
            self.contract(what)?;
            self.acc.renew(self.runs.iter().map(All::len).sum(), what)?;
        }
        self.counts.use_bytes(self.acc.most_bytes() + self.bytes());
        Ok(())
    }

    /// Everything in the accumulator goes on into the result.
    fn contract(&mut self, what: &ArrayName) -> Result<(), Error> {
        if self.acc.is_empty() {
            return Ok(());
        }
        self.acc.sort();
        self.counts.use_bytes(self.acc.most_bytes() + self.bytes());
        let others = self.bytes();
        let points = self.acc.points();
        self.counts.sort(points.len());
        match self.runs.last() {
            Some(run) if self.kind == AccumulatorKind::Sequence || takes(run, points) => {
                self.counts.merges += 1
            }
            _ => self.runs.push(All::new()),
        }
        let run = self.runs.last_mut().expect("one has just been pushed, if there was none");
        let before = run.bytes();
        run.contract(points, self.reduction, what)?;
        let bytes = others - before + run.tally().bytes;
        self.acc.clear();
        self.counts.use_bytes(self.acc.bytes() + bytes);
        while let [.., before, last] = &self.runs[..]
            && takes(before, last)
        {
            self.merge_last_run(what)?;
        }
        Ok(())
    }

    /// The bytes of the results.
    fn bytes(&self) -> usize {
        self.runs.iter().chain(self.blocks.iter().map(|(_, all)| all)).map(All::bytes).sum()
    }

    /// Merges the last run into the one before it.
    fn merge_last_run(&mut self, what: &ArrayName) -> Result<(), Error> {
        let bytes = self.acc.bytes() + self.bytes();
        let Some(newer) = self.runs.pop() else { return Ok(()) };
        let Some(older) = self.runs.last_mut() else { return Ok(()) };
        self.counts.merges += 1;
        self.counts.use_bytes(merge(older, &newer, self.reduction, bytes, what)?);
        Ok(())
    }

    /// What has come since the last block ended is one, and is merged with those before it.
    fn end_block(&mut self, what: &ArrayName) -> Result<(), Error> {
        self.acc.begin_block();
        while self.runs.len() > 1 {
            self.merge_last_run(what)?;
        }
        let Some(block) = self.runs.pop() else { return Ok(()) };
        self.blocks.push((0, block));
        while let [.., (before, _), (last, _)] = self.blocks[..]
            && before == last
        {
            self.merge_last(what)?;
        }
        Ok(())
    }

    /// Merges the last block into the one before it.
    fn merge_last(&mut self, what: &ArrayName) -> Result<(), Error> {
        let bytes = self.acc.bytes() + self.bytes();
        let Some((_, newer)) = self.blocks.pop() else { return Ok(()) };
        let Some((doublings, older)) = self.blocks.last_mut() else { return Ok(()) };
        *doublings += 1;
        self.counts.merges += 1;
        self.counts.use_bytes(merge(older, &newer, self.reduction, bytes, what)?);
        Ok(())
    }
}

/// Whether points go on into a run, and not into one of their own: it is not much larger than they are, or
/// all of it stays where it is.
fn takes<V: Value, const W: usize>(run: &All<V, W>, points: &(impl Sorted<V, W> + ?Sized)) -> bool {
    run.len() <= SHRINK * points.len() || run.is_before(&points.key(0))
}

/// Merges what came later; returns the most bytes in use meanwhile, of which there are `bytes` at first.
fn merge<V: Value, const W: usize>(
    older: &mut All<V, W>,
    newer: &All<V, W>,
    reduction: PointReduction,
    bytes: usize,
    what: &ArrayName,
) -> Result<usize, Error> {
    let before = older.bytes();
    older.contract(newer, reduction, what)?;
    older.add_tally(newer.tally());
    Ok(bytes - before + older.tally().bytes)
}

impl<V: Value, const W: usize> Collector for CollectedPoints<V, W> {
    fn state(&mut self) -> &mut [i64] {
        self.acc.state()
    }

    fn room(&mut self) -> (*mut i64, usize) {
        self.acc.room()
    }

    fn next(&mut self, name: &str) -> Result<(), Error> {
        let what = ArrayName { tensor: name, part: "points" };
        self.contract(&what)?;
        if self.kind == AccumulatorKind::Sequence {
            return Ok(());
        }
        self.end_block(&what)
    }

    fn insert(&mut self, coordinates: &[i64], bits: u128, name: &str) -> Result<(), Error> {
        let key = self.key(coordinates);
        let (reduction, value) = (self.reduction, V::from_bits(bits));
        let first = if reduction.comes_in_order() { value } else { reduction.begin(value) };
        let combine = |old: V| reduction.combine(old, value);
        while !self.acc.try_insert(key, first, combine) {
            self.make_room(&ArrayName { tensor: name, part: "points" })?;
        }
        Ok(())
    }

    fn end(mut self: Box<Self>, tensor: &mut Tensor) -> Result<PointCounts, Error> {
        let name = tensor.name.clone();
        let what = ArrayName { tensor: &name, part: "points" };
        self.contract(&what)?;
        self.end_block(&what)?;
        while self.blocks.len() > 1 {
            self.merge_last(&what)?;
        }
        let Self { fields, acc, blocks, mut counts, .. } = *self;
        let all = blocks.into_iter().next().map_or_else(All::new, |(_, merged)| merged);
        counts.add(acc.tally(), all.tally());
        drop(acc);
        let (words, values) = all.into_parts();
        let keys = Keys { words, fields };
        counts.elements = values.len();
        counts.element_bytes = size_of::<V>() + tensor.dims.len() * tensor.index_bytes();
        let scratch = store_sorted(tensor, &keys, values)?;
        let columns = keys.words.iter().map(|column| column.capacity() * size_of::<u64>()).sum::<usize>();
        counts.use_bytes(columns + tensor.bytes() + scratch);
        Ok(counts)
    }
}

#[cfg(test)]
mod tests;
