//! The C ABI, called as generated code calls it.

use comet_runtime as _;
use std::ffi::{CString, c_char, c_void};

type Tensor = *mut c_void;

#[repr(C)]
struct MemRef<T> {
    base: *mut T,
    aligned: *mut T,
    offset: i64,
    size: i64,
    stride: i64,
}

unsafe extern "C" {
    fn comet_rt_tensor_new(format: *const c_char, name: *const c_char, at: *const c_char) -> Tensor;
    fn comet_rt_tensor_set_dim(tensor: Tensor, mode: i64, extent: i64, stated: *const c_char);
    fn comet_rt_tensor_alloc(tensor: Tensor, at: *const c_char);
    fn comet_rt_tensor_free(tensor: Tensor);
    fn comet_rt_tensor_move(from: Tensor, to: Tensor);
    fn comet_rt_tensor_dim(tensor: Tensor, mode: i64) -> i64;
    fn comet_rt_level_size(tensor: Tensor, level: i64) -> i64;
    fn comet_rt_convert(
        tensor: Tensor,
        format: *const c_char,
        name: *const c_char,
        permutation: *const i64,
        rank: i64,
        last: i64,
        at: *const c_char,
    ) -> Tensor;
    fn _mlir_ciface_comet_rt_pos_i32(out: *mut MemRef<i32>, tensor: Tensor, level: i64);
    fn _mlir_ciface_comet_rt_crd_i32(out: *mut MemRef<i32>, tensor: Tensor, level: i64);
    fn _mlir_ciface_comet_rt_values_f64(out: *mut MemRef<f64>, tensor: Tensor);
    fn comet_rt_pack_f64(
        tensor: Tensor,
        coords: *const i64,
        values: *const f64,
        count: i64,
        at: *const c_char,
    );
    fn comet_rt_set_literal_f64(tensor: Tensor, values: *const f64, count: i64, at: *const c_char);
    fn comet_rt_div_i64(dividend: i64, divisor: i64, at: *const c_char) -> i64;
    fn comet_rt_size_begin(name: *const c_char, known: i64, at: *const c_char) -> *mut c_void;
    fn comet_rt_size_from_tensor(size: *mut c_void, tensor: Tensor, mode: i64, at: *const c_char);
    fn comet_rt_size_end(size: *mut c_void) -> i64;
}

fn new(format: &str, dims: &[i64]) -> Tensor {
    let format = CString::new(format).unwrap();
    // SAFETY: the texts end in zero, and the modes are those of the format.
    unsafe {
        let tensor = comet_rt_tensor_new(format.as_ptr(), c"A".as_ptr(), c"p.ta:1:1".as_ptr());
        for (mode, &extent) in dims.iter().enumerate() {
            comet_rt_tensor_set_dim(tensor, mode as i64, extent, c"p.ta:1:1".as_ptr());
        }
        tensor
    }
}

fn array<T: Copy>(fill: impl FnOnce(*mut MemRef<T>)) -> Vec<T> {
    let null = std::ptr::null_mut();
    let mut out = MemRef { base: null, aligned: null, offset: -1, size: -1, stride: -1 };
    fill(&mut out);
    assert_eq!((out.offset, out.stride, out.aligned as usize % 64, out.base), (0, 1, 0, out.aligned));
    // SAFETY: the descriptor is that of an array of the tensor, which lives.
    unsafe { std::slice::from_raw_parts(out.aligned, out.size as usize).to_vec() }
}

fn pos(tensor: Tensor, level: i64) -> Vec<i32> {
    // SAFETY: the descriptor has room for the result.
    array(|out| unsafe { _mlir_ciface_comet_rt_pos_i32(out, tensor, level) })
}

fn crd(tensor: Tensor, level: i64) -> Vec<i32> {
    // SAFETY: the descriptor has room for the result.
    array(|out| unsafe { _mlir_ciface_comet_rt_crd_i32(out, tensor, level) })
}

fn values(tensor: Tensor) -> Vec<f64> {
    // SAFETY: the descriptor has room for the result.
    array(|out| unsafe { _mlir_ciface_comet_rt_values_f64(out, tensor) })
}

#[test]
fn entries_are_packed_converted_and_moved() {
    let at = c"p.ta:1:1".as_ptr();
    let a = new("f64 i32 (0 : D, 1 : CU)", &[3, 4]);
    let coords = [2, 1, 0, 3, 0, 0, 2, 1];
    // SAFETY: four entries of two coordinates each; handles are used until they are freed.
    unsafe {
        comet_rt_pack_f64(a, coords.as_ptr(), [1.5, 2.0, 3.0, 4.0].as_ptr(), 4, at);
        assert_eq!((pos(a, 0), crd(a, 0)), (vec![3], vec![]));
        assert_eq!((pos(a, 1), crd(a, 1), values(a)), (vec![0, 2, 2, 3], vec![0, 3, 1], vec![3.0, 2.0, 5.5]));

        let b = comet_rt_convert(
            a,
            c"f64 i32 (1 : CU, 0 : CU)".as_ptr(),
            c"B".as_ptr(),
            [1, 0].as_ptr(),
            2,
            0,
            at,
        );
        assert_eq!((comet_rt_tensor_dim(b, 0), comet_rt_tensor_dim(b, 1)), (4, 3));
        assert_eq!((crd(b, 0), pos(b, 1), crd(b, 1)), (vec![0, 2], vec![0, 2, 3], vec![0, 3, 1]));

        let c = new("f64 i32 (0 : D, 1 : CU)", &[3, 4]);
        comet_rt_tensor_move(a, c);
        assert_eq!((values(a), values(c)), (vec![], vec![3.0, 2.0, 5.5]));
        [a, b, c].into_iter().for_each(|tensor| comet_rt_tensor_free(tensor));
    }
}

#[test]
fn allocation_gives_zeros_or_no_entries() {
    let at = c"p.ta:1:1".as_ptr();
    let dense = new("f64 i32 (0/2 : D, 0%2 : D)", &[3]);
    let csr = new("f64 i32 (0 : D, 1 : CU)", &[3, 4]);
    let ell = new("f64 i32 (0 : D, slot : D, 1 : S)", &[3, 4]);
    // SAFETY: handles are used until they are freed.
    unsafe {
        [dense, csr, ell].into_iter().for_each(|tensor| comet_rt_tensor_alloc(tensor, at));
        assert_eq!(values(dense), [0.0; 4]);
        assert_eq!((pos(csr, 1), crd(csr, 1), values(csr)), (vec![0; 4], vec![], vec![]));
        assert_eq!((comet_rt_level_size(ell, 0), comet_rt_level_size(ell, 1)), (3, 0));
        comet_rt_set_literal_f64(dense, [1.0, 2.0, 3.0].as_ptr(), 3, at);
        assert_eq!(values(dense), [1.0, 2.0, 3.0, 0.0]);
        [dense, csr, ell].into_iter().for_each(|tensor| comet_rt_tensor_free(tensor));
    }
}

#[test]
fn sizes_are_solved_and_division_wraps() {
    let at = c"p.ta:1:1".as_ptr();
    let tensor = new("f64 i32 (0 : D)", &[7]);
    // SAFETY: handles are used until they are freed.
    unsafe {
        let size = comet_rt_size_begin(c"i".as_ptr(), -1, at);
        comet_rt_size_from_tensor(size, tensor, 0, at);
        assert_eq!(comet_rt_size_end(size), 7);
        comet_rt_tensor_free(tensor);
        assert_eq!(comet_rt_div_i64(-7, 2, at), -3);
        assert_eq!(comet_rt_div_i64(i64::MIN, -1, at), i64::MIN);
    }
}

#[test]
fn the_table_lists_each_function_once() {
    let mut names: Vec<_> = comet_runtime::symbols::table().iter().map(|symbol| symbol.name).collect();
    let all = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), all);
    assert!(names.iter().all(|name| name.contains("comet_rt_") || name.starts_with("mlirAsyncRunti")));
}
