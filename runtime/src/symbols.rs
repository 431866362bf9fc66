//! Every function of the C ABI by name: what the JIT resolves calls with, since a Rust executable exports
//! none of them.

use crate::abi::{
    arrays, asynchronous, content, dense, kernel, launch, orders, printing, program, results, sizes, tensors,
};

/// A function of the C ABI.
#[derive(Clone, Copy, Debug)]
pub struct Symbol {
    /// Its name.
    pub name: &'static str,
    /// Where it begins.
    pub address: *const (),
    /// Its type in MLIR: `T`, `text` and `ptr` are `!llvm.ptr`; a memref result is written through a first
    /// argument.
    pub signature: &'static str,
}

macro_rules! symbols {
    ($($module:ident :: $function:ident : $signature:literal,)*) => {
        vec![$(Symbol {
            name: stringify!($function),
            address: $module::$function as *const (),
            signature: $signature,
        }),*]
    };
}

/// All functions.
pub fn table() -> Vec<Symbol> {
    symbols![
        tensors::comet_rt_tensor_new : "(text, text, text) -> T",
        tensors::comet_rt_tensor_set_dim : "(T, i64, i64, text)",
        tensors::comet_rt_tensor_alloc : "(T, text)",
        tensors::comet_rt_tensor_free : "(T)",
        tensors::comet_rt_tensor_move : "(T, T)",
        tensors::comet_rt_tensor_dim : "(T, i64) -> i64",
        tensors::comet_rt_level_size : "(T, i64) -> i64",
        tensors::comet_rt_convert : "(T, text, text, ptr, i64, text) -> T",
        tensors::comet_rt_convert_counted : "(T, text, text, ptr, i64, text) -> T",
        orders::comet_rt_reorder_begin : "(T, text, i64, i8, text) -> ptr",
        orders::comet_rt_reorder_mode : "(ptr, i64) -> ptr",
        orders::comet_rt_reorder_end : "(ptr)",
        orders::comet_rt_permutation_free : "(ptr)",
        orders::comet_rt_permute_begin : "(T) -> ptr",
        orders::comet_rt_permute_mode : "(ptr, i64, ptr, i8)",
        orders::comet_rt_permute_end : "(ptr, T, text)",
        tensors::comet_rt_magnitude : "(T) -> f64",
        arrays::_mlir_ciface_comet_rt_pos_i32 : "(T, i64) -> memref<?xi32>",
        arrays::_mlir_ciface_comet_rt_crd_i32 : "(T, i64) -> memref<?xi32>",
        arrays::_mlir_ciface_comet_rt_pos_i64 : "(T, i64) -> memref<?xi64>",
        arrays::_mlir_ciface_comet_rt_crd_i64 : "(T, i64) -> memref<?xi64>",
        arrays::_mlir_ciface_comet_rt_values_f64 : "(T) -> memref<?xf64>",
        arrays::_mlir_ciface_comet_rt_values_f32 : "(T) -> memref<?xf32>",
        arrays::_mlir_ciface_comet_rt_values_i64 : "(T) -> memref<?xi64>",
        content::comet_rt_fill_f64 : "(T, f64, text)",
        content::comet_rt_fill_f32 : "(T, f32, text)",
        content::comet_rt_fill_i64 : "(T, i64, text)",
        content::comet_rt_set_literal_f64 : "(T, ptr, i64, text)",
        content::comet_rt_set_literal_f32 : "(T, ptr, i64, text)",
        content::comet_rt_set_literal_i64 : "(T, ptr, i64, text)",
        content::comet_rt_random : "(T, f64, i64, text)",
        content::comet_rt_read : "(T, text, i64, text)",
        content::comet_rt_write : "(T, text, text)",
        content::comet_rt_pack_f64 : "(T, ptr, ptr, i64, text)",
        content::comet_rt_pack_f32 : "(T, ptr, ptr, i64, text)",
        content::comet_rt_pack_i64 : "(T, ptr, ptr, i64, text)",
        dense::comet_rt_copy : "(T, T, ptr, i64, text)",
        dense::comet_rt_gemm_f64 : "(T, T, T, text, f64, i64, text)",
        dense::comet_rt_gemm_f32 : "(T, T, T, text, f32, i64, text)",
        results::comet_rt_append_begin : "(T, text)",
        results::comet_rt_same_pattern : "(T, T, i64, text)",
        results::comet_rt_append_grow : "(T, i64, i64, text)",
        results::comet_rt_append_expect : "(T, i64, i64, text)",
        results::comet_rt_append_reserve : "(T, i64, i64, text)",
        results::_mlir_ciface_comet_rt_append_end : "(T, memref<?xi64>, text)",
        results::comet_rt_parts_begin : "(T, i64, text)",
        results::comet_rt_part_claim : "(T, text) -> i64",
        results::comet_rt_part : "(T, i64, text) -> T",
        results::_mlir_ciface_comet_rt_part_end : "(T, i64, i64, i64, memref<?xi64>, text)",
        results::comet_rt_parts_end : "(T, text)",
        results::comet_rt_points_begin : "(T, text, text, i64, text)",
        results::_mlir_ciface_comet_rt_points_state : "(T, text) -> memref<?xi64>",
        results::_mlir_ciface_comet_rt_points_room : "(T, text) -> memref<?xi64>",
        results::comet_rt_points_next : "(T, text)",
        results::comet_rt_points_count : "(T, text, text)",
        results::comet_rt_dense_count : "(text, i64, i64, i64, i64, text)",
        results::_mlir_ciface_comet_rt_insert_f64 : "(T, memref<?xi64>, f64, text)",
        results::_mlir_ciface_comet_rt_insert_f32 : "(T, memref<?xi64>, f32, text)",
        results::_mlir_ciface_comet_rt_insert_i64 : "(T, memref<?xi64>, i64, text)",
        results::comet_rt_points_end : "(T, text)",
        results::_mlir_ciface_comet_rt_workspace_i8 : "(T, memref<?xi64>, text) -> memref<?xi8>",
        results::_mlir_ciface_comet_rt_workspace_i32 : "(T, memref<?xi64>, text) -> memref<?xi32>",
        results::_mlir_ciface_comet_rt_workspace_i64 : "(T, memref<?xi64>, text) -> memref<?xi64>",
        results::_mlir_ciface_comet_rt_workspace_f32 : "(T, memref<?xi64>, text) -> memref<?xf32>",
        results::_mlir_ciface_comet_rt_workspace_f64 : "(T, memref<?xi64>, text) -> memref<?xf64>",
        results::comet_rt_workspaces_end : "(T, text)",
        results::_mlir_ciface_comet_rt_collect_marked_i32 : "(memref<?xi8>, i64, i64, memref<?xi32>) -> i64",
        results::_mlir_ciface_comet_rt_collect_marked_i64 : "(memref<?xi8>, i64, i64, memref<?xi64>) -> i64",
        sizes::comet_rt_size_begin : "(text, i64, text) -> ptr",
        sizes::comet_rt_size_from_read : "(ptr, text, text, i64, i64, text)",
        sizes::comet_rt_size_from_tensor : "(ptr, T, i64, text)",
        sizes::comet_rt_size_end : "(ptr) -> i64",
        printing::comet_rt_print : "(T, text)",
        printing::comet_rt_print_scalar_f64 : "(f64, i8)",
        printing::comet_rt_print_scalar_f32 : "(f32, i8)",
        printing::comet_rt_print_scalar_i64 : "(i64, i8)",
        printing::comet_rt_time : "() -> f64",
        printing::comet_rt_iteration : "()",
        printing::comet_rt_print_elapsed : "(f64, f64)",
        printing::comet_rt_fail : "(text, text)",
        printing::comet_rt_div_i64 : "(i64, i64, text) -> i64",
        printing::comet_rt_flush : "()",
        program::comet_rt_main : "(i32, ptr, ptr) -> i32",
        launch::comet_rt_launch_tensor : "(T)",
        launch::comet_rt_launch_f64 : "(f64)",
        launch::comet_rt_launch_f32 : "(f32)",
        launch::comet_rt_launch_i64 : "(i64)",
        launch::comet_rt_launch : "(i64, text)",
        kernel::comet_rt_argument : "(i64, text) -> T",
        kernel::comet_rt_result_alloc : "(T, i64, text)",
        kernel::comet_rt_kernel : "(text, ptr, ptr, ptr) -> i32",
        asynchronous::mlirAsyncRuntimeAddRef : "(ptr, i64)",
        asynchronous::mlirAsyncRuntimeDropRef : "(ptr, i64)",
        asynchronous::mlirAsyncRuntimeCreateToken : "() -> ptr",
        asynchronous::mlirAsyncRuntimeCreateGroup : "(i64) -> ptr",
        asynchronous::mlirAsyncRuntimeAddTokenToGroup : "(ptr, ptr) -> i64",
        asynchronous::mlirAsyncRuntimeEmplaceToken : "(ptr)",
        asynchronous::mlirAsyncRuntimeSetTokenError : "(ptr)",
        asynchronous::mlirAsyncRuntimeIsTokenError : "(ptr) -> i1",
        asynchronous::mlirAsyncRuntimeIsGroupError : "(ptr) -> i1",
        asynchronous::mlirAsyncRuntimeAwaitToken : "(ptr)",
        asynchronous::mlirAsyncRuntimeAwaitAllInGroup : "(ptr)",
        asynchronous::mlirAsyncRuntimeExecute : "(ptr, ptr)",
        asynchronous::mlirAsyncRuntimGetNumWorkerThreads : "() -> i64",
    ]
}
