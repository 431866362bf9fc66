// Every operation of ta becomes calls of the run time (runtime/README.md); nothing of ta is left.

// RUN: %comet-opt %s --ta-to-runtime | FileCheck %s --implicit-check-not="{{[ !]ta[.]}}"

// The texts that are pointed at, each once.
// CHECK-DAG: llvm.mlir.global internal constant @[[CSR:text[0-9]+]]("f64 i32 (0 : D, 1 : CU)\00")
// CHECK-DAG: llvm.mlir.global internal constant @[[DENSE:text[0-9]+]]("f32 i64 (0 : D)\00")
// CHECK-DAG: llvm.mlir.global internal constant @{{.*}}("A\00")
// CHECK-DAG: llvm.mlir.global internal constant @{{.*}}("env:0\00")
// CHECK-DAG: llvm.mlir.global internal constant @[[PRODUCT:text[0-9]+]]("ac,cb->ab\00")
// CHECK-DAG: func.func private @comet_rt_values_f64(!llvm.ptr) -> memref<?xf64> attributes {llvm.emit_c_interface}

// CHECK-LABEL: func.func @labels
// CHECK:      %[[SOLVER:.*]] = call @comet_rt_size_begin(%{{.*}}, %c-1_i64, %{{.*}})
// CHECK:      call @comet_rt_size_from_read(%[[SOLVER]], %{{.*}}, %{{.*}}, %c2_i64, %c1_i64, %{{.*}})
// CHECK:      call @comet_rt_size_from_read(%[[SOLVER]], %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}})
// CHECK:      %[[SIZE:.*]] = call @comet_rt_size_end(%[[SOLVER]]) : (!llvm.ptr) -> i64
// CHECK:      %[[N:.*]] = arith.index_cast %[[SIZE]] : i64 to index
// CHECK:      %[[SPAN:.*]] = arith.subi %[[N]], %c0 : index
// CHECK:      %[[COUNT:.*]] = arith.maxsi %[[SPAN]], %{{.*}} : index
// CHECK:      %[[EXTENT:.*]] = arith.ceildivui %[[COUNT]], %c2 : index
// CHECK:      return %[[EXTENT]]
func.func @labels() -> index {
  %n = ta.solve_size "i" from [#ta.file_mode<"env:0", "A", 2, 1>, #ta.file_mode<"env:1", "x", 1, 0>]
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %i = ta.index_label_static "i" %c0 to %n step %c2
  %extent = ta.range_size %i
  return %extent : index
}

// CHECK-LABEL: func.func @variables
// CHECK:      %[[FORMAT:.*]] = llvm.mlir.addressof @[[CSR]]
// CHECK:      %[[A:.*]] = call @comet_rt_tensor_new(%[[FORMAT]], %{{.*}}, %{{.*}})
// CHECK:      call @comet_rt_tensor_set_dim(%[[A]], %c0_i64, %{{.*}})
// CHECK:      call @comet_rt_tensor_set_dim(%[[A]], %c1_i64, %{{.*}})
// CHECK:      call @comet_rt_tensor_alloc(%[[A]], %{{.*}})
// CHECK:      %[[B:.*]] = call @comet_rt_tensor_new
// CHECK:      %[[X:.*]] = call @comet_rt_tensor_new
// CHECK:      call @comet_rt_read(%[[A]], %{{.*}}, %c3_i64, %{{.*}})
// CHECK:      call @comet_rt_random(%[[A]], %{{.*}}, %c7_i64, %{{.*}})
// CHECK:      call @comet_rt_fill_f32(%[[X]], %{{.*}}, %{{.*}})
// CHECK:      %[[TABLE:.*]] = llvm.mlir.addressof @table0
// CHECK:      call @comet_rt_set_literal_f32(%[[X]], %[[TABLE]], %c2_i64{{.*}}, %{{.*}})
// CHECK:      %[[COPY:.*]] = call @comet_rt_convert(%[[A]],
// CHECK:      call @comet_rt_tensor_move(%[[COPY]], %[[B]])
// CHECK:      call @comet_rt_tensor_free(%[[COPY]])
// CHECK:      call @comet_rt_tensor_move(%[[A]], %[[B]])
// CHECK:      call @comet_rt_write(%[[B]], %{{.*}}, %{{.*}})
// CHECK:      call @comet_rt_print(%[[B]], %{{.*}})
// CHECK:      %[[TEXT:.*]] = llvm.mlir.addressof
// CHECK:      call @comet_rt_print_text(%[[TEXT]])
// CHECK:      call @comet_rt_print_entries(%[[B]], %{{.*}})
// CHECK:      call @comet_rt_tensor_free(%[[A]])
func.func @variables(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = ta.index_label_static "i" %c0 to %n step %c1
  %j = ta.index_label_static "j" %c0 to %n step %c1
  %A = ta.tensor_decl "A" [%i, %j] : tensor<?x?xf64, #ta.format<[D, CU]>>
  %B = ta.tensor_decl "B" [%j, %i] : tensor<?x?xf64, #ta.format<[D, CU]>>
  %x = ta.tensor_decl "x" [%i] : tensor<?xf32, #ta.format<[D], index = 64>>
  ta.read %A from "env:0" {triangle = 3 : i64} : tensor<?x?xf64, #ta.format<[D, CU]>>
  ta.random %A {density = 0.5 : f64, seed = 7 : i64} : tensor<?x?xf64, #ta.format<[D, CU]>>
  ta.fill %x with 1.5 : f32 : tensor<?xf32, #ta.format<[D], index = 64>>
  ta.literal %x with dense<[1.0, 2.0]> : tensor<2xf32> : tensor<?xf32, #ta.format<[D], index = 64>>
  ta.convert %A to %B permutation [1, 0] : tensor<?x?xf64, #ta.format<[D, CU]>> to tensor<?x?xf64, #ta.format<[D, CU]>>
  ta.move %A to %B : tensor<?x?xf64, #ta.format<[D, CU]>>
  ta.write %B to "b.mtx" : tensor<?x?xf64, #ta.format<[D, CU]>>
  ta.print %B : tensor<?x?xf64, #ta.format<[D, CU]>>
  ta.print_text "text"
  ta.print_entries %B : tensor<?x?xf64, #ta.format<[D, CU]>>
  ta.release %A : tensor<?x?xf64, #ta.format<[D, CU]>>
  return
}

// CHECK-LABEL: func.func @scalars
// CHECK-SAME: %[[P:.*]]: i64, %[[Q:.*]]: i64
// CHECK:      %[[S:.*]] = call @comet_rt_tensor_new
// CHECK-NOT:  comet_rt_tensor_set_dim
// CHECK:      %[[VALUES:.*]] = call @comet_rt_values_f64(%[[S]])
// CHECK:      %[[V:.*]] = memref.load %[[VALUES]][%{{.*}}]
// CHECK:      call @comet_rt_print_scalar_f64(%[[V]], %c1_i8)
// CHECK:      %[[D:.*]] = call @comet_rt_div_i64(%[[P]], %[[Q]], %{{.*}})
// CHECK:      call @comet_rt_print_scalar_i64(%[[D]], %c0_i8)
// CHECK:      call @comet_rt_print_number_i64(%[[D]])
// CHECK:      %[[T:.*]] = call @comet_rt_time() : () -> f64
// CHECK:      call @comet_rt_iteration()
// CHECK:      call @comet_rt_print_elapsed(%[[T]], %[[T]])
func.func @scalars(%p: i64, %q: i64) {
  %s = ta.tensor_decl "s" [] : tensor<f64>
  %v = ta.extract %s : tensor<f64> -> f64
  ta.print_scalar %v {bare} : f64
  %d = ta.checked_div %p, %q
  ta.print_scalar %d : i64
  ta.print_number %d : i64
  %t = ta.time
  ta.iteration
  ta.print_elapsed %t, %t
  return
}

// The labels of a product have letters; copies of dense tensors go from array to array.
// CHECK-LABEL: func.func @matrices
// CHECK:      call @comet_rt_copy(%[[A:[0-9]+]], %[[B:[0-9]+]], %{{.*}}, %c2_i64{{.*}}, %{{.*}})
// CHECK:      %[[LABELS:.*]] = llvm.mlir.addressof @[[PRODUCT]]
// CHECK:      call @comet_rt_gemm_f32(%[[A]], %[[B]], %{{.*}}, %[[LABELS]], %cst{{.*}}, %c1_i64{{.*}}, %{{.*}})
func.func @matrices(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %j = ta.index_label_static "j" %c0 to %n step %c1
  %A = ta.tensor_decl "A" [%j, %j] : tensor<?x?xf32>
  %B = ta.tensor_decl "B" [%j, %j] : tensor<?x?xf32, #ta.format<[d1 : D, d0 : D]>>
  %C = ta.tensor_decl "C" [%j, %j] : tensor<?x?xf32>
  ta.convert %A to %B permutation [0, 1] : tensor<?x?xf32> to tensor<?x?xf32, #ta.format<[d1 : D, d0 : D]>>
  ta.gemm ins(%A, %B : tensor<?x?xf32>, tensor<?x?xf32, #ta.format<[d1 : D, d0 : D]>>) outs(%C : tensor<?x?xf32>) {
    alpha = 2.0 : f32, beta = 1.0 : f64,
    indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>]}
  return
}

// CHECK-LABEL: func.func @storage
// CHECK:      %[[X:.*]] = call @comet_rt_tensor_new
// CHECK:      call @comet_rt_level_size(%[[X]], %c0_i64{{.*}}) : (!llvm.ptr, i64) -> i64
// CHECK:      call @comet_rt_pos_i64(%[[X]], %c0_i64{{.*}}) : (!llvm.ptr, i64) -> memref<?xi64>
// CHECK:      call @comet_rt_crd_i64(%[[X]], %c0_i64{{.*}}) : (!llvm.ptr, i64) -> memref<?xi64>
// CHECK:      %[[VAL:.*]] = call @comet_rt_values_i64(%[[X]]) : (!llvm.ptr) -> memref<?xi64>
// CHECK:      memref.load %[[VAL]]
func.func @storage(%n: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = ta.index_label_static "i" %c0 to %n step %c1
  %x = ta.tensor_decl "x" [%i] : tensor<?xi64, #ta.format<[CU], index = 64>>
  %size = ta.level_size %x, 0 : tensor<?xi64, #ta.format<[CU], index = 64>>
  %pos = ta.positions %x, 0 : tensor<?xi64, #ta.format<[CU], index = 64>> to memref<?xi64>
  %crd = ta.coordinates %x, 0 : tensor<?xi64, #ta.format<[CU], index = 64>> to memref<?xi64>
  %val = ta.values %x : tensor<?xi64, #ta.format<[CU], index = 64>> to memref<?xi64>
  %v = memref.load %val[%c0] : memref<?xi64>
  return %v : i64
}

// CHECK-LABEL: func.func @reordered
// CHECK:      %[[X:.*]] = call @comet_rt_tensor_new
// CHECK:      %[[FOUND:.*]] = call @comet_rt_reorder_begin(%[[A:.*]], %{{.*}}, %c2_i64, %{{.*}}, %{{.*}})
// CHECK:      %[[P:.*]] = call @comet_rt_reorder_mode(%[[FOUND]], %{{.*}}) : (!llvm.ptr, i64) -> !llvm.ptr
// CHECK:      %[[Q:.*]] = call @comet_rt_reorder_mode(%[[FOUND]], %{{.*}}) : (!llvm.ptr, i64) -> !llvm.ptr
// CHECK:      call @comet_rt_reorder_end(%[[FOUND]])
// CHECK:      %[[COPYING:.*]] = call @comet_rt_permute_begin(%[[A]])
// CHECK:      call @comet_rt_permute_mode(%[[COPYING]], %{{.*}}, %[[P]], %{{.*}})
// CHECK:      call @comet_rt_permute_mode(%[[COPYING]], %{{.*}}, %[[Q]], %{{.*}})
// CHECK:      call @comet_rt_permute_end(%[[COPYING]], %{{.*}}, %{{.*}})
// CHECK:      call @comet_rt_permutation_free(%[[P]])
// CHECK:      call @comet_rt_permutation_free(%[[Q]])
func.func @reordered(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = ta.index_label_static "i" %c0 to %n step %c1
  %A = ta.tensor_decl "A" [%i, %i] : tensor<?x?xf64, #ta.format<[D, CU]>>
  %B = ta.tensor_decl "A" [%i, %i] : tensor<?x?xf64, #ta.format<[D, CU]>>
  %p, %q = ta.reorder %A by "lexi" {iterations = 2 : i64} : tensor<?x?xf64, #ta.format<[D, CU]>> -> !ta.permutation, !ta.permutation
  ta.permute %A to %B modes [0, 1] by [%p, %q] : tensor<?x?xf64, #ta.format<[D, CU]>>
  ta.release %p : !ta.permutation
  ta.release %q : !ta.permutation
  return
}

// CHECK-LABEL: func.func @parts
// CHECK-SAME: %[[N:.*]]: index, %[[AT:.*]]: index
// CHECK:      %[[MODES:.*]] = memref.alloca{{.*}} : memref<{{.*}}xi64>
// CHECK:      call @comet_rt_window_take(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}})
// CHECK:      call @comet_rt_window_put(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}})
func.func @parts(%n: index, %at: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = ta.index_label_static "i" %c0 to %n step %c1
  %A = ta.tensor_decl "A" [%i, %i] : tensor<?x?xf64, #ta.format<[D, CU]>>
  %x = ta.tensor_decl "A" [%i] : tensor<?xf64, #ta.format<[CU]>>
  ta.take_part %A and %x from [%at, %c0] steps [0, 1] shifted [] : tensor<?x?xf64, #ta.format<[D, CU]>> and tensor<?xf64, #ta.format<[CU]>>
  ta.put_part %A and %x from [%at, %c0] steps [0, 1] shifted [] : tensor<?x?xf64, #ta.format<[D, CU]>> and tensor<?xf64, #ta.format<[CU]>>
  return
}
