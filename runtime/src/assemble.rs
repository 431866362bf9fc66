//! Results in sparse formats while generated code computes them.
//!
//! Either coordinates are appended in storage order: [`begin`], then [`grow`] whenever an array of a level
//! is full, then [`end`] with the number of coordinates that each compressed level got; tasks that do so at
//! the same time have [`parts`]. Or points come in any order, are combined and packed: [`points`].
//! Workspaces live from the one to the other.

pub(crate) mod marks;
pub(crate) mod parts;
pub(crate) mod points;
pub(crate) mod reduction;

use crate::error::Error;
use crate::levels::size_as_pos;
use crate::memory::{Array, Plain, apart, check_available, checked_product};
use crate::tensor::with_indices;
use crate::tensor::with_width;
use crate::tensor::{ArrayName, Index, Tensor};
use crate::values::with_values;
use comet_format::LevelGroup;
use points::Collector;
use std::any::Any;
use std::fmt;
use std::ops::Range;

/// The fewest coordinates that room is made for.
const FEWEST: usize = 16;

/// What a tensor has only while it is computed.
#[derive(Default)]
pub(crate) struct Assembly {
    points: Option<Box<dyn Collector>>,
    /// The name and the place under which the counts of the points are reported.
    counted: Option<(String, String)>,
    workspaces: Vec<Box<dyn Any + Send + Sync>>,
    /// The number of workspaces in use. A part that is used again has those of its last use.
    workspaces_in_use: usize,
    /// What tasks append to.
    parts: Option<Box<parts::TensorParts>>,
    /// Whether this is a part.
    is_part: bool,
}

impl fmt::Debug for Assembly {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Assembly").finish_non_exhaustive()
    }
}

/// Empties a tensor whose entries are about to be appended.
///
/// # Errors
/// Formats that cannot be appended to; extents whose coordinates do not fit the index width.
pub(crate) fn begin(tensor: &mut Tensor) -> Result<(), Error> {
    tensor.check_dims()?;
    drop(tensor.take_storage());
    let groups = groups(tensor)?;
    for level in groups.iter().flat_map(|group| group.levels.clone()) {
        check_width(tensor, (tensor.level_size(level) as usize).saturating_sub(1))?;
    }
    let first = groups[0].levels.start;
    let parents = positions_of(tensor, 0..first, 1)?;
    resize_pos(tensor, first, parents + 1)
}

/// Copies the coordinates of the outermost `levels` of another tensor, which has the same ones, and allocates
/// the values below: all levels further down are dense.
pub(crate) fn same_pattern(tensor: &mut Tensor, stored: &Tensor, levels: usize) -> Result<(), Error> {
    tensor.check_dims()?;
    drop(tensor.take_storage());
    let name = tensor.name.clone();
    let mut positions = 1;
    for level in 0..levels {
        let source = &stored.levels[level];
        if tensor.format.format.levels[level].kind.is_full() {
            positions = positions_of(tensor, level..level + 1, positions)?;
            continue;
        }
        let own = &mut tensor.levels[level];
        own.pos = source.pos.copied(&ArrayName { tensor: &name, part: "pos" })?;
        own.crd = source.crd.copied(&ArrayName { tensor: &name, part: "crd" })?;
        positions = own.crd.len();
    }
    let values = positions_of(tensor, levels..tensor.levels.len(), positions)?;
    extend_values(tensor, values)?;
    if tensor.format.format.levels == stored.format.format.levels {
        tensor.present = stored.present_copied()?;
    }
    store_sizes(tensor)
}

/// Grows the arrays of the group that begins at `level` to hold more than `count` coordinates, and what is
/// below it. New elements are of any value until they are stored.
///
/// # Errors
/// A count beyond the index width; arrays that do not fit the memory.
pub(crate) fn grow(tensor: &mut Tensor, level: usize, count: usize) -> Result<(), Error> {
    if tensor.assembly.is_part {
        return apart(|| make_room(tensor, level, count));
    }
    make_room(tensor, level, count)
}

/// Does the same as [`grow`] as a guess before the loops: does nothing where the memory is not there.
pub(crate) fn expect(tensor: &mut Tensor, level: usize, count: usize) -> Result<(), Error> {
    if has_memory_for(count) { grow(tensor, level, count) } else { Ok(()) }
}

fn make_room(tensor: &mut Tensor, level: usize, count: usize) -> Result<(), Error> {
    let groups = groups(tensor)?;
    let Some(number) = groups.iter().position(|group| group.levels.start == level) else {
        return Err(Error::Internal(format!("nothing is appended to level {level} of `{}`", tensor.name)));
    };
    // More may be asked for than comes in the end.
    check_width(tensor, tensor.levels[level].crd.len())?;
    let group = &groups[number];
    let room = larger(tensor.levels[level].crd.len()).max(count + 1).max(FEWEST);
    let name = tensor.name.clone();
    for member in group.levels.clone() {
        tensor.levels[member].crd.extend(room, &ArrayName { tensor: &name, part: "crd" })?;
    }
    let below = positions_of(tensor, group.dense.clone(), room)?;
    match groups.get(number + 1) {
        Some(next) => resize_pos(tensor, next.levels.start, below + 1),
        None => extend_values(tensor, below),
    }
}

/// Makes room for exactly `count` coordinates in the group that begins at `level`, which is the last one, and
/// for what is below it; completes the positions of parents that were passed over while they were counted.
pub(crate) fn reserve(tensor: &mut Tensor, level: usize, count: usize) -> Result<(), Error> {
    let groups = groups(tensor)?;
    let Some(group) = groups.last().filter(|group| group.levels.start == level) else {
        return Err(Error::Internal(format!("level {level} of `{}` is not its last one", tensor.name)));
    };
    check_width(tensor, count)?;
    with_indices!(&mut tensor.levels[level].pos, pos => never_fall(pos));
    make_room_below(tensor, group, count)
}

/// Grows the arrays of the last group to hold exactly `count` coordinates, and what is below them.
fn make_room_below(tensor: &mut Tensor, group: &LevelGroup, count: usize) -> Result<(), Error> {
    let name = tensor.name.clone();
    for member in group.levels.clone() {
        tensor.levels[member].crd.extend(count, &ArrayName { tensor: &name, part: "crd" })?;
    }
    let below = positions_of(tensor, group.dense.clone(), count)?;
    extend_values(tensor, below)
}

/// Returns whether arrays may be grown ahead to that many coordinates: otherwise they grow when they have to.
fn has_memory_for(count: usize) -> bool {
    count <= FEWEST || check_available(BYTES.saturating_mul(count), &"").is_ok()
}

/// An estimate: the bytes of the coordinates of a level, and of values.
const BYTES: usize = 16;

/// How many coordinates there is room for next. What nothing has touched yet costs nothing in a large array,
/// unlike its copy.
fn larger(room: usize) -> usize {
    /// So many take more memory than the heap would fill with zeros.
    const MANY: usize = 1 << 19;
    let has_memory = || check_available(4 * BYTES * room, &"").is_ok();
    if room >= MANY && has_memory() { 4 * room } else { 2 * room }
}

/// Ends the arrays after the coordinates that the groups got, and completes the positions of parents that
/// were passed over.
///
/// # Errors
/// Arrays that do not fit the memory; sizes beyond the index width.
pub(crate) fn end(tensor: &mut Tensor, counts: &[i64]) -> Result<(), Error> {
    let groups = groups(tensor)?;
    if groups.len() != counts.len() {
        return Err(Error::Internal(format!("{} counts for {} levels", counts.len(), groups.len())));
    }
    let counts: Vec<usize> = counts.iter().map(|count| *count as usize).collect();
    cut(tensor, &groups, &counts)?;
    for group in &groups {
        with_indices!(&mut tensor.levels[group.levels.start].pos, pos => never_fall(pos))
    }
    Ok(())
}

/// Ends the arrays after the coordinates that each group has.
fn cut(tensor: &mut Tensor, groups: &[LevelGroup], counts: &[usize]) -> Result<(), Error> {
    let mut parents = positions_of(tensor, 0..groups[0].levels.start, 1)?;
    for (group, &count) in groups.iter().zip(counts) {
        resize_pos(tensor, group.levels.start, parents + 1)?;
        check_width(tensor, count)?;
        let name = tensor.name.clone();
        for level in group.levels.clone() {
            let what = ArrayName { tensor: &name, part: "crd" };
            tensor.levels[level].crd.resize(count, &what)?;
        }
        parents = positions_of(tensor, group.dense.clone(), count)?;
    }
    resize_values(tensor, parents)?;
    store_sizes(tensor)?;
    tensor.assembly = Assembly::default();
    Ok(())
}

/// Zeros that live until the tensor is complete. A part that is used again gets those of its last use, in
/// the order in which it asks: what is drained leaves its marks 0, and the values too, where what comes is
/// added to them.
pub(crate) fn workspace<T: Plain>(tensor: &mut Tensor, sizes: &[i64]) -> Result<(*mut T, usize), Error> {
    let what = ArrayName { tensor: &tensor.name, part: "workspace" };
    let sizes: Vec<usize> = sizes.iter().map(|size| usize::try_from(*size).unwrap_or(0)).collect();
    let len = checked_product(&sizes, &what)?;
    let assembly = &mut tensor.assembly;
    let number = assembly.workspaces_in_use;
    assembly.workspaces_in_use += 1;
    if let Some(used) = assembly.workspaces.get(number) {
        let array = used.downcast_ref::<Array<T>>().filter(|array| array.len() == len);
        let array = array.ok_or_else(|| Error::Internal(format!("{what} is another one again")))?;
        return Ok((array.as_ptr(), len));
    }
    let array = match assembly.is_part {
        true => apart(|| Array::zeroed(len, &what))?,
        false => Array::zeroed(len, &what)?,
    };
    let start = array.as_ptr();
    assembly.workspaces.push(Box::new(array));
    Ok((start, len))
}

/// Frees the workspaces of a tensor that nothing is appended to.
pub(crate) fn end_workspaces(tensor: &mut Tensor) {
    tensor.assembly.workspaces.clear();
    tensor.assembly.workspaces_in_use = 0;
}

fn groups(tensor: &Tensor) -> Result<Vec<LevelGroup>, Error> {
    let groups = tensor.format.format.appended_groups();
    groups.ok_or_else(|| {
        Error::Internal(format!("`{}` ({}) cannot be appended to", tensor.name, tensor.format))
    })
}

/// The number of positions below some dense levels with that many parents.
fn positions_of(tensor: &Tensor, dense: Range<usize>, parents: usize) -> Result<usize, Error> {
    let mut sizes = vec![parents];
    sizes.extend(dense.map(|level| tensor.level_size(level) as usize));
    checked_product(&sizes, &ArrayName { tensor: &tensor.name, part: "positions" })
}

fn check_width(tensor: &Tensor, number: usize) -> Result<(), Error> {
    let largest = with_width!(tensor.format.format.index_width, N => N::LARGEST);
    if number as u64 > largest {
        return Err(Error::IndexTooNarrow { tensor: tensor.name.clone(), found: number as u64 });
    }
    Ok(())
}

fn resize_pos(tensor: &mut Tensor, level: usize, len: usize) -> Result<(), Error> {
    tensor.levels[level].pos.resize(len, &ArrayName { tensor: &tensor.name, part: "pos" })
}

fn resize_values(tensor: &mut Tensor, len: usize) -> Result<(), Error> {
    let what = ArrayName { tensor: &tensor.name, part: "values" };
    with_values!(&mut tensor.values, array => array.resize(len, &what))
}

fn extend_values(tensor: &mut Tensor, len: usize) -> Result<(), Error> {
    let what = ArrayName { tensor: &tensor.name, part: "values" };
    with_values!(&mut tensor.values, array => array.extend(len, &what))
}

/// A parent that was passed over has no children: it ends where the one before it does.
fn never_fall<I: Index>(pos: &mut [I]) {
    let mut last = I::truncate(0);
    for end in pos {
        if end.number() < last.number() {
            *end = last;
        }
        last = *end;
    }
}

fn store_sizes(tensor: &mut Tensor) -> Result<(), Error> {
    for level in 0..tensor.levels.len() {
        if !tensor.format.format.levels[level].kind.is_full() {
            continue;
        }
        let size = tensor.level_size(level);
        tensor.levels[level].pos =
            with_width!(tensor.format.format.index_width, N => size_as_pos::<N>(size, &tensor.name)?);
    }
    Ok(())
}
