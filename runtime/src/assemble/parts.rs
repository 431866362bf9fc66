//! Results that tasks append to at the same time, each to a part of its own, which has the entries of some
//! iterations of the outermost loop.
//!
//! Parts are claimed in order: [`claim`] returns the first number that nobody has, so all parts before it
//! are complete or on their way. A part that is complete ([`end_part`]) is copied to its place in the arrays
//! of the whole when those before it are complete, by whoever comes next: nobody waits for anybody. Its
//! memory, which a cache still has, is the next part's, workspaces included.
//!
//! The positions below a dense outermost level are in the array of the whole from the beginning, since each
//! part has some of the parents; they are counted from the first entry of the part on. All other arrays are
//! the part's. Their memory is the run time's own, whoever called the kernel: only the whole is handed out.

mod whole;

use super::{check_width, cut, expect, groups, positions_of, resize_pos};
use crate::abi::PartTensor;
use crate::error::Error;
use crate::memory::apart;
use crate::tensor::with_indices;
use crate::tensor::{Index, Tensor};
use crate::threads;
use comet_format::LevelGroup;
use parking_lot::Mutex;
use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use whole::Whole;

/// The most parts that a task copies when it has completed one: its own, and one that had to wait for
/// those before it. What is left in the end all threads copy.
const COPIES: usize = 2;

/// How many times as much as is there the whole gets room for at once.
const FORESEEN: usize = 8;

/// The most coordinates that a new part has room for: it may be that the whole has much more than it needs.
const ROOM: usize = 1 << 15;

/// What tasks share that append to parts of a tensor.
pub(super) struct TensorParts {
    groups: Vec<LevelGroup>,
    /// The share of a part in the room of each group.
    room: Vec<usize>,
    count: usize,
    claimed: AtomicUsize,
    state: Mutex<PartsState>,
    whole: Box<dyn Whole>,
}

/// Where the parts are.
#[derive(Default)]
struct PartsState {
    /// Parts that tasks have, by number.
    running: BTreeMap<usize, PartTensor>,
    /// Parts that are complete, by number, while others before them are not.
    waiting: BTreeMap<usize, (PartTensor, PartEntries)>,
    /// Parts that have a place, and are not copied yet.
    placed: VecDeque<Placed>,
    /// Parts whose entries are in the whole; a cache has the last one, if any.
    free: Vec<PartTensor>,
    /// The number of parts that have a place.
    next: usize,
    /// The coordinates of each group in these.
    totals: Vec<usize>,
}

/// What a part has when it is complete.
struct PartEntries {
    /// Its coordinates of the outermost level.
    iterations: Range<usize>,
    /// The coordinates of each group.
    counts: Vec<usize>,
}

/// A part that has a place.
struct Placed {
    part: PartTensor,
    entries: PartEntries,
    /// The coordinates of each group before.
    starts: Vec<usize>,
    /// The coordinates of each group that all parts have, going by those before and this one.
    expected: Vec<usize>,
}

/// Lets tasks append to that many parts of a tensor.
///
/// # Errors
/// Formats that cannot be appended to; arrays that do not fit the memory.
pub(crate) fn begin(tensor: &mut Tensor, count: usize) -> Result<(), Error> {
    let groups = groups(tensor)?;
    for level in groups.iter().map(|group| group.levels.start) {
        let len = tensor.levels[level].pos.len();
        resize_pos(tensor, level, len.max(1))?;
    }
    let share =
        |group: &LevelGroup| tensor.levels[group.levels.start].crd.len().div_ceil(count.max(1)).min(ROOM);
    let room = groups.iter().map(share).collect();
    let whole = whole::take(tensor, &groups);
    let state = Mutex::new(PartsState { totals: vec![0; groups.len()], ..PartsState::default() });
    let parts = TensorParts { groups, room, count, claimed: AtomicUsize::new(0), state, whole };
    tensor.assembly.parts = Some(Box::new(parts));
    Ok(())
}

/// The number of the first part that nobody has claimed.
///
/// # Errors
/// A tensor without parts; more claims than parts.
pub(crate) fn claim(tensor: &Tensor) -> Result<usize, Error> {
    let parts = parts(tensor)?;
    let number = parts.claimed.fetch_add(1, Ordering::Relaxed);
    if number < parts.count { Ok(number) } else { Err(no_part(tensor, number)) }
}

/// An empty part, which lives until its end.
///
/// # Errors
/// A tensor without parts; arrays that do not fit the memory.
pub(crate) fn part(tensor: &Tensor, number: usize) -> Result<*mut Tensor, Error> {
    let parts = parts(tensor)?;
    let free = parts.state.lock().free.pop();
    let part = match free {
        Some(part) => part,
        None => parts.new_part(tensor)?,
    };
    let address = part.address();
    parts.state.lock().running.insert(number, part);
    Ok(address)
}

/// Completes a part that has those coordinates of the outermost level, and these counts of each group.
///
/// # Errors
/// Arrays that do not fit the memory; more entries than the index width has numbers for.
pub(crate) fn end_part(
    tensor: &Tensor,
    number: usize,
    iterations: Range<i64>,
    counts: &[i64],
) -> Result<(), Error> {
    let parts = parts(tensor)?;
    let iterations = iterations.start as usize..iterations.end as usize;
    let entries = PartEntries { iterations, counts: counts.iter().map(|count| *count as usize).collect() };
    let mut state = parts.state.lock();
    let part = state.running.remove(&number).ok_or_else(|| no_part(tensor, number))?;
    state.waiting.insert(number, (part, entries));
    state.place_waiting(tensor, parts.count)?;
    drop(state);
    for _ in 0..COPIES {
        let Some(placed) = parts.state.lock().placed.pop_front() else { break };
        let free = parts.copy(placed)?;
        parts.state.lock().free.push(free);
    }
    Ok(())
}

/// Completes a tensor whose parts are complete.
///
/// # Errors
/// Arrays that do not fit the memory; a part that is not complete.
pub(crate) fn end(tensor: &mut Tensor) -> Result<(), Error> {
    let missing = no_part(tensor, 0);
    let Some(parts) = tensor.assembly.parts.take() else { return Err(missing) };
    let (rest, totals) = {
        let mut state = parts.state.lock();
        if state.next < parts.count {
            return Err(no_part(tensor, state.next));
        }
        (std::mem::take(&mut state.placed), std::mem::take(&mut state.totals))
    };
    let copied = threads::map(rest, |placed| parts.copy(placed).map(drop));
    copied.into_iter().collect::<Result<(), Error>>()?;
    parts.whole.give_back(tensor);
    if parts.groups[0].levels.start == 0 {
        with_indices!(&mut tensor.levels[0].pos, pos => pos[1] = Index::truncate(totals[0] as u64))
    }
    cut(tensor, &parts.groups, &totals)
}

fn parts(tensor: &Tensor) -> Result<&TensorParts, Error> {
    tensor.assembly.parts.as_deref().ok_or_else(|| no_part(tensor, 0))
}

fn no_part(tensor: &Tensor, number: usize) -> Error {
    Error::Internal(format!("no task has part {number} of `{}`", tensor.name))
}

impl PartsState {
    /// How much all parts have together, where those that have a place have `placed`: they have about as much
    /// each, and a little more saves the copy of everything. The first of many say little.
    fn expected(&self, placed: usize, count: usize) -> usize {
        let all = (placed as u128 * count as u128).div_ceil(self.next as u128) as usize;
        (all + all / 16).min(FORESEEN * placed)
    }

    /// Places the parts that have waited only for those before them.
    fn place_waiting(&mut self, tensor: &Tensor, count: usize) -> Result<(), Error> {
        while let Some((part, entries)) = self.waiting.remove(&self.next) {
            let starts = self.totals.clone();
            for (total, count) in self.totals.iter_mut().zip(&entries.counts) {
                *total += count;
                check_width(tensor, *total)?;
            }
            self.next += 1;
            let expected = self.totals.iter().map(|total| self.expected(*total, count)).collect();
            self.placed.push_back(Placed { part, entries, starts, expected });
        }
        Ok(())
    }
}

impl TensorParts {
    fn new_part(&self, tensor: &Tensor) -> Result<PartTensor, Error> {
        let mut part = Tensor::new(&tensor.name, tensor.format.clone());
        part.dims.clone_from(&tensor.dims);
        part.assembly.is_part = true;
        // A part without iterations has nothing else.
        let inner = self.groups[1..].iter().map(|group| (group.levels.start, 1));
        let outermost = (self.groups[0].levels.start == 0).then_some((0, 2));
        for (level, len) in inner.chain(outermost) {
            apart(|| resize_pos(&mut part, level, len))?;
        }
        for (group, room) in self.groups.iter().zip(&self.room).filter(|(_, room)| **room > 0) {
            expect(&mut part, group.levels.start, *room)?;
        }
        let mut part = PartTensor::new(part);
        self.whole.share_positions(&mut part);
        Ok(part)
    }

    /// Copies a part to its place, and empties it.
    fn copy(&self, placed: Placed) -> Result<PartTensor, Error> {
        self.whole.copy(&placed)?;
        let Placed { mut part, entries, .. } = placed;
        self.empty(part.get_mut(), &entries.counts)?;
        Ok(part)
    }

    /// As a new part is, but for the room in its arrays and its workspaces.
    fn empty(&self, part: &mut Tensor, counts: &[usize]) -> Result<(), Error> {
        part.assembly.workspaces_in_use = 0;
        for ((above, group), count) in self.groups.iter().zip(&self.groups[1..]).zip(counts) {
            // Something may have been about to come to one parent more.
            let used = 1 + positions_of(part, above.dense.clone(), count + 1)?;
            with_indices!(&mut part.levels[group.levels.start].pos, pos => pos.iter_mut().take(used).for_each(|end| *end = 0))
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
