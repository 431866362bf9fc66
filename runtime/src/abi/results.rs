//! Results in sparse formats while generated code computes them.

use super::given;
use super::handle::{MemRef, Out, PassedArray, TensorHandle, Text};
use crate::assemble::{self, marks, parts, points};
use crate::error::Error;
use crate::instrument::{DenseCounts, count_dense};
use comet_notation::Complex;

exported! {
    fn comet_rt_append_begin(tensor: TensorHandle, at: Text) {
        assemble::begin(tensor.get_mut()?)
    }

    fn comet_rt_same_pattern(tensor: TensorHandle, stored: TensorHandle, levels: i64, at: Text) {
        given::same_pattern(tensor, stored.get()?, levels as usize)
    }

    fn comet_rt_append_grow(tensor: TensorHandle, level: i64, count: i64, at: Text) {
        assemble::grow(tensor.get_mut()?, level as usize, count as usize)
    }

    fn comet_rt_append_expect(tensor: TensorHandle, level: i64, count: i64, at: Text) {
        assemble::expect(tensor.get_mut()?, level as usize, count as usize)
    }

    fn comet_rt_append_reserve(tensor: TensorHandle, level: i64, count: i64, at: Text) {
        assemble::reserve(tensor.get_mut()?, level as usize, count as usize)
    }

    fn _mlir_ciface_comet_rt_append_end(tensor: TensorHandle, counts: PassedArray<i64>, at: Text) {
        assemble::end(tensor.get_mut()?, counts.get(None)?)
    }

    fn comet_rt_parts_begin(tensor: TensorHandle, count: i64, at: Text) {
        parts::begin(tensor.get_mut()?, usize::try_from(count).unwrap_or(0))
    }

    fn comet_rt_part_claim(tensor: TensorHandle, at: Text) -> i64 {
        parts::claim(tensor.get()?).map(|number| number as i64)
    }

    fn comet_rt_part(tensor: TensorHandle, number: i64, at: Text) -> TensorHandle {
        tensor.numbered_part(number)
    }

    fn _mlir_ciface_comet_rt_part_end(
        tensor: TensorHandle,
        number: i64,
        first: i64,
        last: i64,
        counts: PassedArray<i64>,
        at: Text,
    ) {
        parts::end_part(tensor.get()?, number as usize, first..last, counts.get(None)?)
    }

    fn comet_rt_parts_end(tensor: TensorHandle, at: Text) {
        parts::end(tensor.get_mut()?)
    }

    fn comet_rt_points_begin(tensor: TensorHandle, reduction: Text, kind: Text, capacity: i64, at: Text) {
        let capacity = usize::try_from(capacity).ok().filter(|points| *points > 0);
        let kind = kind.get().parse();
        let kind = kind.map_err(|_| Error::Internal("the points have no such accumulator".to_owned()))?;
        points::begin(tensor.get_mut()?, reduction.get().parse()?, kind, capacity)
    }

    fn _mlir_ciface_comet_rt_points_state(out: Out<MemRef<i64>>, tensor: TensorHandle, at: Text) {
        out.set_array(points::state(tensor.get_mut()?)?)
    }

    fn _mlir_ciface_comet_rt_points_room(out: Out<MemRef<i64>>, tensor: TensorHandle, at: Text) {
        out.set_array(points::room(tensor.get_mut()?)?)
    }

    fn comet_rt_points_next(tensor: TensorHandle, at: Text) {
        points::next(tensor.get_mut()?)
    }

    fn comet_rt_points_count(tensor: TensorHandle, name: Text, at: Text) {
        points::count(tensor.get_mut()?, name.get(), at.get())
    }

    fn comet_rt_dense_count(name: Text, bytes: i64, inserts: i64, touched: i64, sorted: i64, at: Text) {
        let [bytes, inserts, touched] = [bytes, inserts, touched].map(|count| count.max(0) as u64);
        let counts = DenseCounts { bytes, inserts, touched, is_sorted: sorted != 0 };
        count_dense(name.get(), at.get(), counts);
        Ok(())
    }

    fn comet_rt_workspaces_end(tensor: TensorHandle, at: Text) {
        assemble::end_workspaces(tensor.get_mut()?);
        Ok(())
    }

    fn comet_rt_points_end(tensor: TensorHandle, at: Text) {
        points::end(tensor.get_mut()?).map(|_| ())
    }
}

exported! {
    [
        _mlir_ciface_comet_rt_insert_f64 f64,
        _mlir_ciface_comet_rt_insert_f32 f32,
        _mlir_ciface_comet_rt_insert_i64 i64,
    ]
    fn(tensor: TensorHandle, point: PassedArray<i64>, value: V, at: Text) -> () {
        points::insert(tensor.get_mut()?, point.get(None)?, value)
    }
}

exported! {
    [_mlir_ciface_comet_rt_insert_complex_f64 f64, _mlir_ciface_comet_rt_insert_complex_f32 f32]
    fn(tensor: TensorHandle, point: PassedArray<i64>, re: V, im: V, at: Text) -> () {
        points::insert(tensor.get_mut()?, point.get(None)?, Complex { re, im })
    }
}

exported! {
    [
        _mlir_ciface_comet_rt_workspace_i8 i8,
        _mlir_ciface_comet_rt_workspace_i32 i32,
        _mlir_ciface_comet_rt_workspace_i64 i64,
        _mlir_ciface_comet_rt_workspace_f32 f32,
        _mlir_ciface_comet_rt_workspace_f64 f64,
    ]
    fn(out: Out<MemRef<V>>, tensor: TensorHandle, sizes: PassedArray<i64>, at: Text) -> () {
        out.set_array(assemble::workspace(tensor.get_mut()?, sizes.get(None)?)?)
    }
}

exported! {
    [_mlir_ciface_comet_rt_collect_marked_i32 i32, _mlir_ciface_comet_rt_collect_marked_i64 i64]
    fn(marks: PassedArray<i8>, size: i64, shift: i64, list: PassedArray<V>) -> i64 {
        let (marks, list) = (marks.get(None)?, list.get(None)?);
        Ok(marks::collect(marks, size as usize, shift as u32, list)? as i64)
    }
}
