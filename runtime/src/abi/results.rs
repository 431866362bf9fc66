//! Results in sparse formats while generated code computes them.

use super::handle::{Given, MemRef, Out, TensorHandle, Text};
use super::{guarded, unplaced};
use crate::assemble::{self, marks, parts, points};
use crate::error::Error;
use crate::instrument::{DenseCounts, count_dense};

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn comet_rt_append_begin(tensor: TensorHandle, at: Text) {
    guarded(at, || assemble::begin(tensor.get_mut()?));
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn comet_rt_same_pattern(
    tensor: TensorHandle,
    stored: TensorHandle,
    levels: i64,
    at: Text,
) {
    guarded(at, || assemble::same_pattern(tensor.get_mut()?, stored.get()?, levels as usize));
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn comet_rt_append_grow(tensor: TensorHandle, level: i64, count: i64, at: Text) {
    guarded(at, || assemble::grow(tensor.get_mut()?, level as usize, count as usize));
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn comet_rt_append_expect(
    tensor: TensorHandle,
    level: i64,
    count: i64,
    at: Text,
) {
    guarded(at, || assemble::expect(tensor.get_mut()?, level as usize, count as usize));
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn comet_rt_append_reserve(
    tensor: TensorHandle,
    level: i64,
    count: i64,
    at: Text,
) {
    guarded(at, || assemble::reserve(tensor.get_mut()?, level as usize, count as usize));
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn _mlir_ciface_comet_rt_append_end(
    tensor: TensorHandle,
    counts: Given<i64>,
    at: Text,
) {
    guarded(at, || assemble::end(tensor.get_mut()?, counts.get(None)?));
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn comet_rt_parts_begin(tensor: TensorHandle, count: i64, at: Text) {
    guarded(at, || parts::begin(tensor.get_mut()?, usize::try_from(count).unwrap_or(0)));
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn comet_rt_part_claim(tensor: TensorHandle, at: Text) -> i64 {
    guarded(at, || parts::claim(tensor.get()?).map(|number| number as i64))
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn comet_rt_part(tensor: TensorHandle, number: i64, at: Text) -> TensorHandle {
    guarded(at, || tensor.part(number))
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn _mlir_ciface_comet_rt_part_end(
    tensor: TensorHandle,
    number: i64,
    first: i64,
    last: i64,
    counts: Given<i64>,
    at: Text,
) {
    guarded(at, || parts::end_part(tensor.get()?, number as usize, first..last, counts.get(None)?));
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn comet_rt_parts_end(tensor: TensorHandle, at: Text) {
    guarded(at, || parts::end(tensor.get_mut()?));
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn comet_rt_points_begin(
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

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn _mlir_ciface_comet_rt_points_state(
    out: Out<MemRef<i64>>,
    tensor: TensorHandle,
    at: Text,
) {
    set(out, at, || points::state(tensor.get_mut()?));
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn _mlir_ciface_comet_rt_points_room(
    out: Out<MemRef<i64>>,
    tensor: TensorHandle,
    at: Text,
) {
    set(out, at, || points::room(tensor.get_mut()?));
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn comet_rt_points_next(tensor: TensorHandle, at: Text) {
    guarded(at, || points::next(tensor.get_mut()?));
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn comet_rt_points_count(tensor: TensorHandle, name: Text, at: Text) {
    guarded(at, || points::count(tensor.get_mut()?, name.get(), at.get()));
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn comet_rt_dense_count(
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

macro_rules! insert {
    ($($function:ident: $ty:ty),+) => {$(
        #[unsafe(no_mangle)]
        pub(crate) extern "C-unwind" fn $function(tensor: TensorHandle, point: Given<i64>, value: $ty, at: Text) {
            guarded(at, || points::insert(tensor.get_mut()?, point.get(None)?, value));
        }
    )+};
}

insert!(
    _mlir_ciface_comet_rt_insert_f64: f64,
    _mlir_ciface_comet_rt_insert_f32: f32,
    _mlir_ciface_comet_rt_insert_i64: i64
);

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn comet_rt_points_end(tensor: TensorHandle, at: Text) {
    guarded(at, || points::end(tensor.get_mut()?).map(|_| ()));
}

macro_rules! workspace {
    ($($function:ident: $ty:ty),+) => {$(
        #[unsafe(no_mangle)]
        pub(crate) extern "C-unwind" fn $function(
            out: Out<MemRef<$ty>>,
            tensor: TensorHandle,
            sizes: Given<i64>,
            at: Text,
        ) {
            set(out, at, || assemble::workspace(tensor.get_mut()?, sizes.get(None)?));
        }
    )+};
}

workspace!(
    _mlir_ciface_comet_rt_workspace_i8: i8,
    _mlir_ciface_comet_rt_workspace_i32: i32,
    _mlir_ciface_comet_rt_workspace_i64: i64,
    _mlir_ciface_comet_rt_workspace_f32: f32,
    _mlir_ciface_comet_rt_workspace_f64: f64
);

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn comet_rt_workspaces_end(tensor: TensorHandle, at: Text) {
    guarded(at, || {
        assemble::end_workspaces(tensor.get_mut()?);
        Ok(())
    });
}

macro_rules! collect_marked {
    ($($function:ident: $ty:ty),+) => {$(
        #[unsafe(no_mangle)]
        pub(crate) extern "C-unwind" fn $function(
            marks: Given<i8>,
            size: i64,
            shift: i64,
            list: Given<$ty>,
        ) -> i64 {
            unplaced(|| {
                let (marks, list) = (marks.get(None)?, list.get(None)?);
                Ok(marks::collect(marks, size as usize, shift as u32, list)? as i64)
            })
        }
    )+};
}

collect_marked!(_mlir_ciface_comet_rt_collect_marked_i32: i32, _mlir_ciface_comet_rt_collect_marked_i64: i64);

/// Returns an array, whose start and length are computed, to C.
fn set<T>(out: Out<MemRef<T>>, at: Text, array: impl FnOnce() -> Result<(*mut T, usize), Error>) {
    guarded(at, || {
        let (start, len) = array()?;
        out.set(MemRef::new(start, len));
        Ok(())
    });
}
