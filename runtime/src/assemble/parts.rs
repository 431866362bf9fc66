//! Results that tasks append to at the same time, each to a part of its own, which has the entries of some
//! rounds of the outermost loop. In the end the parts are put side by side.
//!
//! The positions below a dense outermost level are in the whole tensor's array from the beginning, since each
//! task has some of the parents; they are counted from the first entry of the part on. All other arrays are
//! the part's. Its memory is the run time's own, whoever called the kernel: only the whole is handed out.
//!
//! Tasks may also just count what comes to a part of one level. Then the whole gets positions, and room for
//! all entries, which tasks store afterwards.

use super::{
    Assembly, Group, check_width, end as end_whole, groups, make_room_below, never_fall, positions_of,
    resize_pos, store_sizes,
};
use crate::abi::PartTensor;
use crate::error::Error;
use crate::memory::{Array, Plain, apart};
use crate::tensor::{ArrayName, Index, IndexArray, Tensor};
use crate::values::{Value, Values};
use rayon::prelude::*;
use std::any::Any;
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

/// Workspaces of tasks that have ended, which others take over: what is drained leaves its marks 0, and the
/// values too, where what comes is added to them.
pub(super) type Pool = Arc<Mutex<Vec<Left>>>;

/// A workspace that a part has left.
pub(super) struct Left {
    /// How many workspaces the part had before: all parts ask for theirs in the same order, and only the same
    /// one is as empty as its next user expects.
    number: usize,
    array: Box<dyn Any + Send + Sync>,
}

/// What is known of a part when it is complete.
#[derive(Debug)]
pub(super) struct PartEnd {
    /// Its coordinates of the outermost level.
    rounds: Range<usize>,
    /// The coordinates of each group.
    counts: Vec<usize>,
}

/// Makes the parts of a tensor that is appended to; a single one is the tensor itself.
///
/// # Errors
/// Arrays that do not fit the memory.
pub(crate) fn begin(tensor: &mut Tensor, count: usize) -> Result<(), Error> {
    tensor.assembly.parts.clear();
    if count <= 1 {
        return Ok(());
    }
    let groups = groups(tensor)?;
    let first = groups[0].levels.start;
    let pool = Pool::default();
    for _ in 0..count {
        let mut part = Tensor::new(&tensor.name, tensor.format.clone());
        part.dims.clone_from(&tensor.dims);
        part.assembly.pool = Some(Arc::clone(&pool));
        if first == 0 {
            apart(|| resize_pos(&mut part, 0, 2))?;
        }
        // Of a task without rounds, nothing else comes.
        groups[1..].iter().try_for_each(|group| apart(|| resize_pos(&mut part, group.levels.start, 1)))?;
        tensor.assembly.parts.push(PartTensor::new(part));
    }
    Ok(())
}

/// Completes a part. One that is the tensor itself is complete as a whole then.
///
/// # Errors
/// Arrays that do not fit the memory; sizes beyond the index width.
pub(crate) fn end_part(part: &mut Tensor, rounds: Range<i64>, counts: &[i64]) -> Result<(), Error> {
    let Some(pool) = part.assembly.pool.take() else {
        return end_whole(part, counts);
    };
    let counts = counts.iter().map(|count| *count as usize).collect();
    part.assembly.end = Some(PartEnd { rounds: rounds.start as usize..rounds.end as usize, counts });
    let workspaces = std::mem::take(&mut part.assembly.workspaces);
    let left = workspaces.into_iter().enumerate().map(|(number, array)| Left { number, array });
    pool.lock().unwrap_or_else(PoisonError::into_inner).extend(left);
    Ok(())
}

/// The same workspace of a part that has been completed.
pub(super) fn left_behind<T: Plain>(pool: &Pool, number: usize, len: usize) -> Option<Array<T>> {
    let mut left = pool.lock().unwrap_or_else(PoisonError::into_inner);
    let fits = |left: &Left| {
        let array = left.array.downcast_ref::<Array<T>>();
        left.number == number && array.is_some_and(|array| array.len() == len)
    };
    let place = left.iter().position(fits)?;
    left.swap_remove(place).array.downcast().ok().map(|array| *array)
}

/// Puts the parts of a tensor side by side.
///
/// # Errors
/// Arrays that do not fit the memory; more entries than the index width has numbers for.
pub(crate) fn end(tensor: &mut Tensor) -> Result<(), Error> {
    let parts = std::mem::take(&mut tensor.assembly.parts);
    if parts.is_empty() {
        return Ok(());
    }
    let parts = parts.into_iter().map(|part| Part::of(part.into_inner())).collect::<Result<Vec<_>, _>>()?;
    let groups = groups(tensor)?;
    for (number, group) in groups.iter().enumerate() {
        let total = parts.iter().map(|part| part.end.counts[number]).sum();
        check_width(tensor, total)?;
        match &tensor.levels[group.levels.start].pos {
            IndexArray::I32(_) => join_positions::<i32>(tensor, &groups, number, &parts)?,
            IndexArray::I64(_) => join_positions::<i64>(tensor, &groups, number, &parts)?,
        }
        if is_only_counted(&parts, group, number) {
            make_room_below(tensor, group, total)?;
            return complete_whole(tensor);
        }
        for level in group.levels.clone() {
            let what = ArrayName { tensor: &tensor.name, part: "crd" };
            tensor.levels[level].crd = match &tensor.levels[level].crd {
                IndexArray::I32(_) => IndexArray::I32(joined(&coordinates(&parts, level, number), &what)?),
                IndexArray::I64(_) => IndexArray::I64(joined(&coordinates(&parts, level, number), &what)?),
            };
        }
    }
    let last = groups.last().expect("a tensor that is appended to has such a level");
    tensor.values = match &tensor.values {
        Values::F64(_) => join_values::<f64>(tensor, last, &parts)?,
        Values::F32(_) => join_values::<f32>(tensor, last, &parts)?,
        Values::I64(_) => join_values::<i64>(tensor, last, &parts)?,
    };
    complete_whole(tensor)
}

fn complete_whole(tensor: &mut Tensor) -> Result<(), Error> {
    store_sizes(tensor)?;
    tensor.assembly = Assembly::default();
    Ok(())
}

/// Whether entries have been counted, and not stored.
fn is_only_counted(parts: &[Part], group: &Group, number: usize) -> bool {
    let level = group.levels.start;
    parts.iter().any(|part| part.tensor.levels[level].crd.len() < part.end.counts[number])
}

/// A part that is complete.
struct Part {
    tensor: Tensor,
    end: PartEnd,
}

impl Part {
    fn of(mut tensor: Tensor) -> Result<Self, Error> {
        match tensor.assembly.end.take() {
            Some(end) => Ok(Self { tensor, end }),
            None => Err(Error::Internal(format!("a part of `{}` is not complete", tensor.name))),
        }
    }
}

/// The coordinates that the parts have in a level of a group.
fn coordinates<I: Index>(parts: &[Part], level: usize, group: usize) -> Vec<&[I]> {
    parts.iter().map(|part| &elements(&part.tensor.levels[level].crd)[..part.end.counts[group]]).collect()
}

/// The elements of an array of a part.
fn elements<I: Index>(array: &IndexArray) -> &[I] {
    I::elements(array).expect("a part has the tensor's width")
}

/// Where the coordinates of a group begin and end, under each parent of all parts.
fn join_positions<I: Index>(
    tensor: &mut Tensor,
    groups: &[Group],
    number: usize,
    parts: &[Part],
) -> Result<(), Error> {
    let level = groups[number].levels.start;
    let counts: Vec<usize> = parts.iter().map(|part| part.end.counts[number]).collect();
    let name = tensor.name.clone();
    let what = ArrayName { tensor: &name, part: "pos" };
    if level == 0 {
        let total = counts.iter().sum::<usize>() as u64;
        tensor.levels[level].pos = I::store(Array::copied(&[I::truncate(0), I::truncate(total)], &what)?);
        return Ok(());
    }
    let parents = |part: &Part| match number {
        0 => positions_of(tensor, 1..level, part.end.rounds.len()),
        _ => positions_of(tensor, groups[number - 1].dense.clone(), part.end.counts[number - 1]),
    };
    let lens = parts.iter().map(parents).collect::<Result<Vec<_>, _>>()?;
    if number == 0 {
        // They are there, counted in each part from its first one on.
        let pos = I::elements_mut(&mut tensor.levels[level].pos).expect("this is the tensor's width");
        cut(&mut pos[1..], &lens).into_par_iter().zip(starts(&counts)).for_each(|(pos, start)| {
            complete(pos, start);
        });
        return Ok(());
    }
    let mut pos = Array::unspecified(lens.iter().sum::<usize>() + 1, &what)?;
    pos[0] = I::truncate(0);
    let own = parts.iter().zip(&lens).map(|(part, len)| &elements(&part.tensor.levels[level].pos)[1..=*len]);
    let own: Vec<&[I]> = own.collect();
    cut(&mut pos[1..], &lens).into_par_iter().zip(own).zip(starts(&counts)).for_each(
        |((pos, own), start)| {
            pos.copy_from_slice(own);
            complete(pos, start);
        },
    );
    tensor.levels[level].pos = I::store(pos);
    Ok(())
}

/// Completes the positions of parents that no loop came to, and counts all from the first of the tensor on.
fn complete<I: Index>(pos: &mut [I], start: usize) {
    never_fall(pos);
    pos.iter_mut().for_each(|end| *end = I::truncate(end.number() + start as u64));
}

/// The values below the last group of all parts.
fn join_values<V: Value>(tensor: &Tensor, last: &Group, parts: &[Part]) -> Result<Values, Error> {
    let what = ArrayName { tensor: &tensor.name, part: "values" };
    let mut own = Vec::new();
    for part in parts {
        let count = part.end.counts.last().copied().unwrap_or(0);
        let len = positions_of(tensor, last.dense.clone(), count)?;
        own.push(&V::array(&part.tensor.values).expect("a part has the tensor's type")[..len]);
    }
    Ok(V::store(joined(&own, &what)?))
}

/// Pieces one after the other.
fn joined<T: Plain>(pieces: &[&[T]], what: &dyn fmt::Display) -> Result<Array<T>, Error> {
    let lens: Vec<usize> = pieces.iter().map(|piece| piece.len()).collect();
    let mut all = Array::unspecified(lens.iter().sum(), what)?;
    cut(&mut all, &lens).into_par_iter().zip(pieces).for_each(|(place, piece)| place.copy_from_slice(piece));
    Ok(all)
}

/// The first elements in pieces of those lengths.
fn cut<'a, T>(mut rest: &'a mut [T], lens: &[usize]) -> Vec<&'a mut [T]> {
    let mut pieces = Vec::new();
    for len in lens {
        let (piece, others) = std::mem::take(&mut rest).split_at_mut(*len);
        pieces.push(piece);
        rest = others;
    }
    pieces
}

/// How many come before each.
fn starts(counts: &[usize]) -> Vec<usize> {
    let before = |sum: &mut usize, count: &usize| Some(std::mem::replace(sum, *sum + count));
    counts.iter().scan(0, before).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_gets_the_workspaces_that_were_the_same_in_another() {
        let pool = Pool::default();
        let left = |number: usize, content: f64| {
            let mut array = Array::<f64>::zeroed(4, &"w").unwrap();
            array.fill(content);
            Left { number, array: Box::new(array) }
        };
        // Two parts with two workspaces each, of which the second is not emptied.
        pool.lock().unwrap().extend([left(0, 0.0), left(1, 7.0), left(0, 0.0), left(1, 7.0)]);
        for _ in 0..2 {
            assert_eq!(left_behind::<f64>(&pool, 0, 4).unwrap()[..], [0.0; 4]);
        }
        assert!(left_behind::<f64>(&pool, 0, 4).is_none());
        assert!(left_behind::<f64>(&pool, 1, 5).is_none());
    }
}
