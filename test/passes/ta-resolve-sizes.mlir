// Dynamic labels become static ones over extents that the run time solves from all their sources; static labels stay.

// RUN: %comet-opt %s --ta-resolve-sizes | FileCheck %s --implicit-check-not=index_label_dynamic
// RUN: %comet-opt %s --comet-ta | FileCheck %s --implicit-check-not=index_label_dynamic

// CHECK-LABEL: func.func @several_sources
// CHECK:      %[[N:.*]] = ta.solve_size "i" from [#ta.file_mode<"env:0", "A", 2, 0>, #ta.file_mode<"path:x.tns", "x", 1, 0>]
// CHECK-DAG:  %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG:  %[[C1:.*]] = arith.constant 1 : index
// CHECK:      %[[I:.*]] = ta.index_label_static "i" %[[C0]] to %[[N]] step %[[C1]]
// CHECK:      %[[M:.*]] = ta.solve_size "j" from [#ta.file_mode<"env:0", "A", 2, 1>]
// CHECK:      %[[J:.*]] = ta.index_label_static "j" %{{.*}} to %[[M]] step %{{.*}}
// CHECK:      ta.tensor_decl "A"[%[[I]], %[[J]]]
func.func @several_sources() {
  %i = ta.index_label_dynamic "i" from [#ta.file_mode<"env:0", "A", 2, 0>, #ta.file_mode<"path:x.tns", "x", 1, 0>]
  %j = ta.index_label_dynamic "j" from [#ta.file_mode<"env:0", "A", 2, 1>]
  %A = ta.tensor_decl "A" [%i, %j] : tensor<?x?xf64, #ta.format<[D, CU]>>
  return
}

// CHECK-LABEL: func.func @static
// CHECK-SAME: %[[N:.*]]: index
// CHECK-NOT:  ta.solve_size
// CHECK:      ta.index_label_static "i" %c0 to %[[N]] step %c1
func.func @static(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = ta.index_label_static "i" %c0 to %n step %c1
  %x = ta.tensor_decl "x" [%i] : tensor<?xf64>
  return
}
