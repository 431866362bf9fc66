//! Results in sparse formats while generated code computes them.

use super::handle::{Given, MemRef, Out, TensorHandle, Text};
use super::{guarded, unplaced};
use crate::assemble::{self, marks, parts, points};
use crate::instrument::{DenseCounts, count_dense};
use crate::memory::Plain;
use crate::tensor::Index;
use crate::values::Value;

/// Empties a tensor whose entries are about to be appended.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn comet_rt_append_begin(tensor: TensorHandle, at: Text) {
    guarded(at, || assemble::begin(tensor.get_mut()?));
}

/// Gives a tensor the coordinates of so many of another one's outermost levels, and room for values.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn comet_rt_same_pattern(
    tensor: TensorHandle,
    stored: TensorHandle,
    levels: i64,
    at: Text,
) {
    guarded(at, || assemble::same_pattern(tensor.get_mut()?, stored.get()?, levels as usize));
}

/// Makes room for one more coordinate than `count` in a level.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn comet_rt_append_grow(tensor: TensorHandle, level: i64, count: i64, at: Text) {
    guarded(at, || assemble::grow(tensor.get_mut()?, level as usize, count as usize));
}

/// The same where the memory is there: a guess.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn comet_rt_append_expect(tensor: TensorHandle, level: i64, count: i64, at: Text) {
    guarded(at, || assemble::expect(tensor.get_mut()?, level as usize, count as usize));
}

/// Makes room for exactly `count` coordinates in a level.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn comet_rt_append_reserve(tensor: TensorHandle, level: i64, count: i64, at: Text) {
    guarded(at, || assemble::reserve(tensor.get_mut()?, level as usize, count as usize));
}

/// Ends the arrays after the coordinates that the compressed levels got.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn _mlir_ciface_comet_rt_append_end(
    tensor: TensorHandle,
    counts: Given<i64>,
    at: Text,
) {
    guarded(at, || assemble::end(tensor.get_mut()?, counts.get(None)?));
}

/// Lets tasks append to so many parts of a tensor.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn comet_rt_parts_begin(tensor: TensorHandle, count: i64, at: Text) {
    guarded(at, || parts::begin(tensor.get_mut()?, usize::try_from(count).unwrap_or(0)));
}

/// The number of the first part that no task has claimed.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn comet_rt_part_claim(tensor: TensorHandle, at: Text) -> i64 {
    guarded(at, || parts::claim(tensor.get()?).map(|number| number as i64))
}

/// The part with that number, which is empty.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn comet_rt_part(tensor: TensorHandle, number: i64, at: Text) -> TensorHandle {
    guarded(at, || tensor.part(number))
}

/// Completes a part, which has the coordinates of the outermost level from `first` to below `last`, after
/// those that the compressed levels got.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn _mlir_ciface_comet_rt_part_end(
    tensor: TensorHandle,
    number: i64,
    first: i64,
    last: i64,
    counts: Given<i64>,
    at: Text,
) {
    guarded(at, || parts::end_part(tensor.get()?, number as usize, first..last, counts.get(None)?));
}

/// Completes a tensor whose parts are complete.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn comet_rt_parts_end(tensor: TensorHandle, at: Text) {
    guarded(at, || parts::end(tensor.get_mut()?));
}

/// Begins to collect points, which combine by the reduction of that name, in a `list`, a `sequence`, which is
/// a list of which those of one element combine in the order in which they come, or a `hash` table, with room
/// for `capacity` of them, or for as many as there are where it is 0.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn comet_rt_points_begin(
    tensor: TensorHandle,
    reduction: Text,
    kind: Text,
    capacity: i64,
    at: Text,
) {
    guarded(at, || {
        let capacity = usize::try_from(capacity).ok().filter(|points| *points > 0);
        points::begin(tensor.get_mut()?, reduction.get().parse()?, kind.get().parse()?, capacity)
    });
}

/// The numbers of an accumulator that generated code shares: [`super::points_state`].
#[unsafe(no_mangle)]
pub extern "C-unwind" fn _mlir_ciface_comet_rt_points_state(
    out: Out<MemRef<i64>>,
    tensor: TensorHandle,
    at: Text,
) {
    guarded(at, || {
        let (start, len) = points::state(tensor.get_mut()?)?;
        out.set(MemRef::new(start, len));
        Ok(())
    });
}

/// A key and the bits of a value for each point that there is room for, until the next point comes by
/// `insert`, or the next block begins.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn _mlir_ciface_comet_rt_points_room(
    out: Out<MemRef<i64>>,
    tensor: TensorHandle,
    at: Text,
) {
    guarded(at, || {
        let (start, len) = points::room(tensor.get_mut()?)?;
        out.set(MemRef::new(start, len));
        Ok(())
    });
}

/// Ends a block of a parallel loop: the points of the next one are accumulated apart.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn comet_rt_points_next(tensor: TensorHandle, at: Text) {
    guarded(at, || points::next(tensor.get_mut()?));
}

/// Counts what happens to the points that a tensor has begun to collect, for the workspace of that name.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn comet_rt_points_count(tensor: TensorHandle, name: Text, at: Text) {
    guarded(at, || points::count(tensor.get_mut()?, name.get(), at.get()));
}

/// Counts one use of the dense workspace of that name, whose arrays have so many bytes: `inserts` values have
/// come to `touched` elements, which are sorted unless `sorted` is 0.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn comet_rt_dense_count(
    name: Text,
    bytes: i64,
    inserts: i64,
    touched: i64,
    sorted: i64,
    at: Text,
) {
    unplaced(|| {
        let [bytes, inserts, touched] = [bytes, inserts, touched].map(|count| count.max(0) as u64);
        let counts = DenseCounts { bytes, inserts, touched, is_sorted: sorted != 0 };
        count_dense(name.get(), at.get(), counts);
        Ok(())
    });
}

fn insert<V: Value>(tensor: TensorHandle, point: Given<i64>, value: V, at: Text) {
    guarded(at, || points::insert(tensor.get_mut()?, point.get(None)?, value));
}

/// Takes a point.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn _mlir_ciface_comet_rt_insert_f64(
    tensor: TensorHandle,
    point: Given<i64>,
    value: f64,
    at: Text,
) {
    insert(tensor, point, value, at);
}

/// Takes a point.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn _mlir_ciface_comet_rt_insert_f32(
    tensor: TensorHandle,
    point: Given<i64>,
    value: f32,
    at: Text,
) {
    insert(tensor, point, value, at);
}

/// Takes a point.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn _mlir_ciface_comet_rt_insert_i64(
    tensor: TensorHandle,
    point: Given<i64>,
    value: i64,
    at: Text,
) {
    insert(tensor, point, value, at);
}

/// Combines the points and stores them.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn comet_rt_points_end(tensor: TensorHandle, at: Text) {
    guarded(at, || points::end(tensor.get_mut()?).map(|_| ()));
}

fn workspace<T: Plain>(out: Out<MemRef<T>>, tensor: TensorHandle, sizes: Given<i64>, at: Text) {
    guarded(at, || {
        let (start, len) = assemble::workspace(tensor.get_mut()?, sizes.get(None)?)?;
        out.set(MemRef::new(start, len));
        Ok(())
    });
}

/// As many zeros as the product of the sizes, that live until the tensor is complete.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn _mlir_ciface_comet_rt_workspace_i8(
    out: Out<MemRef<i8>>,
    tensor: TensorHandle,
    sizes: Given<i64>,
    at: Text,
) {
    workspace(out, tensor, sizes, at);
}

/// As many zeros as the product of the sizes, that live until the tensor is complete.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn _mlir_ciface_comet_rt_workspace_i32(
    out: Out<MemRef<i32>>,
    tensor: TensorHandle,
    sizes: Given<i64>,
    at: Text,
) {
    workspace(out, tensor, sizes, at);
}

/// As many zeros as the product of the sizes, that live until the tensor is complete.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn _mlir_ciface_comet_rt_workspace_i64(
    out: Out<MemRef<i64>>,
    tensor: TensorHandle,
    sizes: Given<i64>,
    at: Text,
) {
    workspace(out, tensor, sizes, at);
}

/// As many zeros as the product of the sizes, that live until the tensor is complete.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn _mlir_ciface_comet_rt_workspace_f32(
    out: Out<MemRef<f32>>,
    tensor: TensorHandle,
    sizes: Given<i64>,
    at: Text,
) {
    workspace(out, tensor, sizes, at);
}

/// As many zeros as the product of the sizes, that live until the tensor is complete.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn _mlir_ciface_comet_rt_workspace_f64(
    out: Out<MemRef<f64>>,
    tensor: TensorHandle,
    sizes: Given<i64>,
    at: Text,
) {
    workspace(out, tensor, sizes, at);
}

/// Frees the workspaces of a dense tensor.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn comet_rt_workspaces_end(tensor: TensorHandle, at: Text) {
    guarded(at, || {
        assemble::end_workspaces(tensor.get_mut()?);
        Ok(())
    });
}

fn collect_marked<I: Index>(marks: Given<i8>, size: i64, shift: i64, list: Given<I>) -> i64 {
    unplaced(|| {
        let count = marks::collect(marks.get(None)?, size as usize, shift as u32, list.get(None)?)?;
        Ok(count as i64)
    })
}

/// Lists the elements of a workspace that are marked, of `size` with 2 to the `shift` of them in a stretch,
/// in order, and takes the marks away; gives their number.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn _mlir_ciface_comet_rt_collect_marked_i32(
    marks: Given<i8>,
    size: i64,
    shift: i64,
    list: Given<i32>,
) -> i64 {
    collect_marked(marks, size, shift, list)
}

/// Lists the elements of a workspace that are marked, of `size` with 2 to the `shift` of them in a stretch,
/// in order, and takes the marks away; gives their number.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn _mlir_ciface_comet_rt_collect_marked_i64(
    marks: Given<i8>,
    size: i64,
    shift: i64,
    list: Given<i64>,
) -> i64 {
    collect_marked(marks, size, shift, list)
}
