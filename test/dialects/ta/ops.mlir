// Every operation of ta is printed as it was read, in its own form and in MLIR's generic one.

// RUN: %comet-opt %s | FileCheck %s
// RUN: %comet-opt %s | %comet-opt | FileCheck %s
// RUN: %comet-opt %s --mlir-print-op-generic | %comet-opt | FileCheck %s

// CHECK-LABEL: func.func @labels
// CHECK-SAME: %[[START:.*]]: index, %[[END:.*]]: index, %[[STEP:.*]]: index
func.func @labels(%start: index, %end: index, %step: index) -> index {
  // CHECK: %[[C:.*]] = ta.index_label_static "c" %[[START]] to %[[END]] step %[[STEP]]
  %c = ta.index_label_static "c" %start to %end step %step
  // CHECK: ta.index_label_dynamic "i" from [#ta.file_mode<"env:0", "A", 2, 0>, #ta.file_mode<"path:b.tns", "B", 3, 2>]
  %i = ta.index_label_dynamic "i" from [#ta.file_mode<"env:0", "A", 2, 0>, #ta.file_mode<"path:b.tns", "B", 3, 2>]
  // CHECK: ta.solve_size "j" from [#ta.file_mode<"env:0", "A", 2, 1>]
  %j = ta.solve_size "j" from [#ta.file_mode<"env:0", "A", 2, 1>]
  // CHECK: ta.range_size %[[C]]
  %n = ta.range_size %c
  return %n : index
}

// CHECK-LABEL: func.func @variables
// CHECK-SAME: %[[I:.*]]: !ta.range, %[[J:.*]]: !ta.range
func.func @variables(%i: !ta.range, %j: !ta.range) {
  // CHECK: %[[A:.*]] = ta.tensor_decl "A"[%[[I]], %[[J]]] : tensor<?x?xf64, #ta.format<[D, CU]>>
  %A = ta.tensor_decl "A" [%i, %j] : tensor<?x?xf64, #ta.format<[D, CU]>>
  // CHECK: %[[B:.*]] = ta.tensor_decl "B"[%[[J]], %[[I]]] : tensor<?x2xf64>
  %B = ta.tensor_decl "B" [%j, %i] : tensor<?x2xf64>
  // CHECK: %[[T:.*]] = ta.tensor_decl "T"[%[[J]], %[[I]]] : tensor<?x2xf64>
  %T = ta.tensor_decl "T" [%j, %i] : tensor<?x2xf64>
  // CHECK: ta.tensor_decl "G"[%[[I]]] {argument = 1 : i64} : tensor<?xf64>
  %given = ta.tensor_decl "G" [%i] {argument = 1 : i64} : tensor<?xf64>
  // CHECK: ta.tensor_decl "R"[%[[I]]] {returned} : tensor<?xf64>
  %returned = ta.tensor_decl "R" [%i] {returned} : tensor<?xf64>
  // CHECK: ta.tensor_decl "W"[%[[I]]] {overwritten, returned} : tensor<?xf64>
  %overwritten = ta.tensor_decl "W" [%i] {overwritten, returned} : tensor<?xf64>
  // CHECK: ta.tensor_decl "converted"[%[[I]]] {copy} : tensor<?xf64>
  %copy = ta.tensor_decl "converted" [%i] {copy} : tensor<?xf64>
  // CHECK: %[[S:.*]] = ta.tensor_decl "s"[] : tensor<f64>
  %s = ta.tensor_decl "s" [] : tensor<f64>
  // CHECK: ta.fill %[[B]] with 1.500000e+00 : f64 : tensor<?x2xf64>
  ta.fill %B with 1.5 : f64 : tensor<?x2xf64>
  // CHECK: ta.literal %[[T]] with dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf64> : tensor<?x2xf64>
  ta.literal %T with dense<[1.0, 2.0]> : tensor<2xf64> : tensor<?x2xf64>
  // CHECK: ta.literal %[[A]] with dense<[0.000000e+00, 2.000000e+00]> : tensor<2xf64> : tensor<?x?xf64, #ta.format<[D, CU]>>
  ta.literal %A with dense<[0.0, 2.0]> : tensor<2xf64> : tensor<?x?xf64, #ta.format<[D, CU]>>
  // CHECK: ta.read %[[A]] from "env:0" {triangle = 3 : i64} : tensor<?x?xf64, #ta.format<[D, CU]>>
  ta.read %A from "env:0" {triangle = 3 : i64} : tensor<?x?xf64, #ta.format<[D, CU]>>
  // CHECK: ta.random %[[A]] {density = 1.000000e-01 : f64, seed = 7 : i64} : tensor<?x?xf64, #ta.format<[D, CU]>>
  ta.random %A {density = 0.1 : f64, seed = 7 : i64} : tensor<?x?xf64, #ta.format<[D, CU]>>
  // CHECK: ta.convert %[[A]] to %[[B]] permutation [1, 0] : tensor<?x?xf64, #ta.format<[D, CU]>> to tensor<?x2xf64>
  ta.convert %A to %B permutation [1, 0] : tensor<?x?xf64, #ta.format<[D, CU]>> to tensor<?x2xf64>
  // CHECK: ta.convert %[[A]] to %[[B]] permutation [1, 0] {labels = ["j", "i"]} : tensor<?x?xf64, #ta.format<[D, CU]>> to tensor<?x2xf64>
  ta.convert %A to %B permutation [1, 0] {labels = ["j", "i"]} : tensor<?x?xf64, #ta.format<[D, CU]>> to tensor<?x2xf64>
  // CHECK: ta.move %[[T]] to %[[B]] : tensor<?x2xf64>
  ta.move %T to %B : tensor<?x2xf64>
  // CHECK: ta.write %[[A]] to "a.mtx" : tensor<?x?xf64, #ta.format<[D, CU]>>
  ta.write %A to "a.mtx" : tensor<?x?xf64, #ta.format<[D, CU]>>
  // CHECK: ta.print %[[A]] : tensor<?x?xf64, #ta.format<[D, CU]>>
  ta.print %A : tensor<?x?xf64, #ta.format<[D, CU]>>
  // CHECK: %[[V:.*]] = ta.extract %[[S]] : tensor<f64> -> f64
  %v = ta.extract %s : tensor<f64> -> f64
  // CHECK: ta.magnitude %[[S]] : tensor<f64>
  %magnitude = ta.magnitude %s : tensor<f64>
  // CHECK: ta.print_scalar %[[V]] : f64
  ta.print_scalar %v : f64
  // CHECK: ta.print_scalar %[[V]] {bare} : f64
  ta.print_scalar %v {bare} : f64
  // CHECK: ta.print_text "a text"
  ta.print_text "a text"
  // CHECK: ta.print_number %[[V]] : f64
  ta.print_number %v : f64
  // CHECK: ta.print_entries %[[A]] : tensor<?x?xf64, #ta.format<[D, CU]>>
  ta.print_entries %A : tensor<?x?xf64, #ta.format<[D, CU]>>
  // CHECK: ta.release %[[T]] : tensor<?x2xf64>
  ta.release %T : tensor<?x2xf64>
  return
}

// CHECK-LABEL: func.func @parts
// CHECK-SAME: %[[A:.*]]: tensor<?x?xf64, #ta.format<[D, CU]>>, %[[X:.*]]: tensor<8xf64, #ta.format<[CU]>>, %[[N:.*]]: index
func.func @parts(%A: tensor<?x?xf64, #ta.format<[D, CU]>>, %x: tensor<8xf64, #ta.format<[CU]>>, %n: index) {
  // CHECK: ta.take_part %[[A]] and %[[X]] from[%[[N]], %[[N]]] steps [0, 1] shifted [1] : tensor<?x?xf64, #ta.format<[D, CU]>> and tensor<8xf64, #ta.format<[CU]>>
  ta.take_part %A and %x from [%n, %n] steps [0, 1] shifted [1] : tensor<?x?xf64, #ta.format<[D, CU]>> and tensor<8xf64, #ta.format<[CU]>>
  // CHECK: ta.put_part %[[A]] and %[[X]] from[%[[N]], %[[N]]] steps [2, 0] shifted [] : tensor<?x?xf64, #ta.format<[D, CU]>> and tensor<8xf64, #ta.format<[CU]>>
  ta.put_part %A and %x from [%n, %n] steps [2, 0] shifted [] : tensor<?x?xf64, #ta.format<[D, CU]>> and tensor<8xf64, #ta.format<[CU]>>
  return
}

// CHECK-LABEL: func.func @expressions
// CHECK-SAME: %[[A:.*]]: tensor<?x?xi64, #ta.format<[D, CU]>>, %[[X:.*]]: tensor<?xf64>, %[[Y:.*]]: tensor<?xf64>, %[[S:.*]]: f64, %[[I:.*]]: !ta.range, %[[J:.*]]: !ta.range
func.func @expressions(%A: tensor<?x?xi64, #ta.format<[D, CU]>>, %x: tensor<?xf64>, %y: tensor<?xf64>, %s: f64, %i: !ta.range, %j: !ta.range) {
  // CHECK: %[[A0:.*]] = ta.labeled_tensor %[[A]][%[[I]], %[[J]]] : tensor<?x?xi64, #ta.format<[D, CU]>> -> !ta.labeled<i64>
  %0 = ta.labeled_tensor %A[%i, %j] : tensor<?x?xi64, #ta.format<[D, CU]>> -> !ta.labeled<i64>
  // CHECK: %[[A1:.*]] = ta.cast %[[A0]] : !ta.labeled<i64> -> !ta.labeled<f64>
  %1 = ta.cast %0 : !ta.labeled<i64> -> !ta.labeled<f64>
  // CHECK: %[[X0:.*]] = ta.labeled_tensor %[[X]][%[[J]]] : tensor<?xf64> -> !ta.labeled<f64>
  %2 = ta.labeled_tensor %x[%j] : tensor<?xf64> -> !ta.labeled<f64>
  // CHECK: %[[P:.*]] = ta.elementwise "mul" %[[A1]], %[[X0]] : !ta.labeled<f64>
  %3 = ta.elementwise "mul" %1, %2 : !ta.labeled<f64>
  // CHECK: %[[R:.*]] = ta.reduce "add" %[[P]] over[%[[J]]] : !ta.labeled<f64>
  %4 = ta.reduce "add" %3 over [%j] : !ta.labeled<f64>
  // CHECK: ta.reduce "def first f64 identity -1.0 associative : -> 0" %[[P]] over[%[[J]]] : !ta.labeled<f64>
  %own = ta.reduce "def first f64 identity -1.0 associative : -> 0" %3 over [%j] : !ta.labeled<f64>
  // CHECK: %[[C:.*]] = ta.scalar %[[S]] : f64 -> !ta.labeled<f64>
  %5 = ta.scalar %s : f64 -> !ta.labeled<f64>
  // CHECK: %[[N:.*]] = ta.neg %[[C]] : !ta.labeled<f64>
  %6 = ta.neg %5 : !ta.labeled<f64>
  // CHECK: %[[U:.*]] = ta.unite "add" %[[R]], %[[N]] : !ta.labeled<f64>
  %7 = ta.unite "add" %4, %6 : !ta.labeled<f64>
  // CHECK: %[[D:.*]] = ta.unite "sub" %[[U]], %[[C]] : !ta.labeled<f64>
  %8 = ta.unite "sub" %7, %5 : !ta.labeled<f64>
  // CHECK: %[[F:.*]] = ta.apply "exp" %[[D]] : !ta.labeled<f64>
  %f = ta.apply "exp" %8 : !ta.labeled<f64>
  // CHECK: ta.drop %[[F]] where %[[U]] : !ta.labeled<f64>, !ta.labeled<f64>
  %dropped = ta.drop %f where %7 : !ta.labeled<f64>, !ta.labeled<f64>
  // CHECK: %[[M:.*]] = ta.labeled_tensor %[[Y]][%[[I]]]
  %m = ta.labeled_tensor %y[%i] : tensor<?xf64> -> !ta.labeled<f64>
  // CHECK: ta.mask %[[D]] by %[[M]] : !ta.labeled<f64> by !ta.labeled<f64>
  %9 = ta.mask %8 by %m : !ta.labeled<f64> by !ta.labeled<f64>
  // CHECK: ta.mask %{{.*}} by %[[M]] {complement} : !ta.labeled<f64> by !ta.labeled<f64>
  %10 = ta.mask %9 by %m {complement} : !ta.labeled<f64> by !ta.labeled<f64>
  // CHECK: ta.set_op %[[D]] to %[[Y]][%[[I]]] {beta = 1.000000e+00 : f64} : !ta.labeled<f64>, tensor<?xf64>
  ta.set_op %8 to %y[%i] {beta = 1.0 : f64} : !ta.labeled<f64>, tensor<?xf64>
  return
}

// CHECK-LABEL: func.func @contraction
// CHECK: ta.tc ins(%{{.*}}, %{{.*}} : tensor<?x?xf64, #ta.format<[D, CU]>>, tensor<?x32xf64>) outs(%{{.*}} : tensor<?x32xf64>)
// CHECK-SAME: {alpha = 2.000000e+00 : f64, beta = 0.000000e+00 : f64, indexing_maps = [#{{.*}}, #{{.*}}, #{{.*}}], labels = ["i", "k", "j"]}
// CHECK-NEXT: ta.tc ins({{.*}} {alpha = 2.000000e+00 : f64, beta = 1.000000e+00 : f64, indexing_maps = [#{{.*}}, #{{.*}}, #{{.*}}]}
func.func @contraction(%A: tensor<?x?xf64, #ta.format<[D, CU]>>, %B: tensor<?x32xf64>, %C: tensor<?x32xf64>) {
  ta.tc ins(%A, %B : tensor<?x?xf64, #ta.format<[D, CU]>>, tensor<?x32xf64>) outs(%C : tensor<?x32xf64>) {
    alpha = 2.0 : f64, beta = 0.0 : f64,
    indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d2)>], labels = ["i", "k", "j"]}
  ta.tc ins(%A, %B : tensor<?x?xf64, #ta.format<[D, CU]>>, tensor<?x32xf64>) outs(%C : tensor<?x32xf64>) {
    alpha = 2.0 : f64, beta = 1.0 : f64,
    indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d2)>]}
  return
}

// CHECK-LABEL: func.func @matrices
// CHECK: ta.gemm ins(%{{.*}}, %{{.*}} : tensor<4x3x2xf64>, tensor<5x3x2xf64>) outs(%{{.*}} : tensor<5x4xf64>)
// CHECK-SAME: {alpha = 2.000000e+00 : f64, beta = 1.000000e+00 : f64, indexing_maps = [#{{.*}}, #{{.*}}, #{{.*}}]}
func.func @matrices(%A: tensor<4x3x2xf64>, %B: tensor<5x3x2xf64>, %C: tensor<5x4xf64>) {
  ta.gemm ins(%A, %B : tensor<4x3x2xf64>, tensor<5x3x2xf64>) outs(%C : tensor<5x4xf64>) {
    alpha = 2.0 : f64, beta = 1.0 : f64,
    indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d1, d0)>]}
  return
}

// CHECK-LABEL: func.func @scalars
// CHECK-SAME: %[[A:.*]]: i64, %[[B:.*]]: i64
func.func @scalars(%a: i64, %b: i64) -> i64 {
  // CHECK: %[[Q:.*]] = ta.checked_div %[[A]], %[[B]]
  %q = ta.checked_div %a, %b
  // CHECK: ta.checked_step %[[Q]]
  %step = ta.checked_step %q
  // CHECK: %[[T:.*]] = ta.time
  %t = ta.time
  // CHECK: ta.iteration
  ta.iteration
  // CHECK: ta.print_elapsed %[[T]], %[[T]]
  ta.print_elapsed %t, %t
  return %q : i64
}

// CHECK-LABEL: func.func @storage
// CHECK-SAME: %[[A:.*]]: tensor<?x?xf64, #ta.format<[D, CU]>>, %[[B:.*]]: tensor<?x?xf32, #ta.format<[CN, S], index = 64>>, %[[V:.*]]: tensor<?xf64, #ta.format<[BV<8>]>>
func.func @storage(%A: tensor<?x?xf64, #ta.format<[D, CU]>>, %B: tensor<?x?xf32, #ta.format<[CN, S], index = 64>>,
                   %v: tensor<?xf64, #ta.format<[BV<8>]>>) {
  // CHECK: ta.level_size %[[A]], 0 : tensor<?x?xf64, #ta.format<[D, CU]>>
  %n = ta.level_size %A, 0 : tensor<?x?xf64, #ta.format<[D, CU]>>
  // CHECK: ta.positions %[[A]], 1 : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xi32>
  %pos = ta.positions %A, 1 : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xi32>
  // CHECK: ta.coordinates %[[B]], 1 : tensor<?x?xf32, #ta.format<[CN, S], index = 64>> to memref<?xi64>
  %crd = ta.coordinates %B, 1 : tensor<?x?xf32, #ta.format<[CN, S], index = 64>> to memref<?xi64>
  // CHECK: ta.coordinates %[[V]], 0 : tensor<?xf64, #ta.format<[BV<8>]>> to memref<?xi64>
  %words = ta.coordinates %v, 0 : tensor<?xf64, #ta.format<[BV<8>]>> to memref<?xi64>
  // CHECK: ta.values %[[B]] : tensor<?x?xf32, #ta.format<[CN, S], index = 64>> to memref<?xf32>
  %val = ta.values %B : tensor<?x?xf32, #ta.format<[CN, S], index = 64>> to memref<?xf32>
  return
}

// CHECK-LABEL: func.func @same_pattern
// CHECK-SAME: %[[C:.*]]: tensor<?x?x4xf64, #ta.format<[D, CU, D]>>, %[[A:.*]]: tensor<?x?xf64, #ta.format<[D, CU]>>
func.func @same_pattern(%C: tensor<?x?x4xf64, #ta.format<[D, CU, D]>>, %A: tensor<?x?xf64, #ta.format<[D, CU]>>) {
  // CHECK: ta.same_pattern %[[C]] as %[[A]], 2 : tensor<?x?x4xf64, #ta.format<[D, CU, D]>>, tensor<?x?xf64, #ta.format<[D, CU]>>
  ta.same_pattern %C as %A, 2 : tensor<?x?x4xf64, #ta.format<[D, CU, D]>>, tensor<?x?xf64, #ta.format<[D, CU]>>
  return
}

// CHECK-LABEL: func.func @results
// CHECK-SAME: %[[C:.*]]: tensor<?x?xf64, #ta.format<[D, CU]>>, %[[P:.*]]: tensor<?x?xf64, #ta.format<[CN, S]>>, %[[N:.*]]: index, %[[V:.*]]: f64
func.func @results(%C: tensor<?x?xf64, #ta.format<[D, CU]>>, %P: tensor<?x?xf64, #ta.format<[CN, S]>>, %n: index, %value: f64) {
  // CHECK: ta.append_begin %[[C]] : tensor<?x?xf64, #ta.format<[D, CU]>>
  ta.append_begin %C : tensor<?x?xf64, #ta.format<[D, CU]>>
  // CHECK: %[[T:.*]] = ta.workspace %[[C]], {{\[}}%[[N]], %[[N]]] : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xi32>
  %touched = ta.workspace %C, [%n, %n] : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xi32>
  // CHECK: %[[M:.*]] = ta.workspace %[[C]], {{\[}}%[[N]]] : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xi8>
  %marks = ta.workspace %C, [%n] : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xi8>
  // CHECK: ta.workspaces_end %[[C]] : tensor<?x?xf64, #ta.format<[D, CU]>>
  ta.workspaces_end %C : tensor<?x?xf64, #ta.format<[D, CU]>>
  // CHECK: ta.collect_marked %[[M]] of %[[N]] by %[[N]] into %[[T]] : memref<?xi8>, memref<?xi32>
  %count = ta.collect_marked %marks of %n by %n into %touched : memref<?xi8>, memref<?xi32>
  // CHECK: ta.count_dense "w" of %[[N]], %[[N]] to %[[N]] sorted
  ta.count_dense "w" of %n, %n to %n sorted
  // CHECK: ta.count_dense "w" of %[[N]], %[[N]] to %[[N]]{{$}}
  ta.count_dense "w" of %n, %n to %n
  // CHECK: ta.append_grow %[[C]], 1 beyond %[[N]] : tensor<?x?xf64, #ta.format<[D, CU]>>
  ta.append_grow %C, 1 beyond %n : tensor<?x?xf64, #ta.format<[D, CU]>>
  // CHECK: ta.append_grow %[[C]], 1 beyond %[[N]] if_possible : tensor<?x?xf64, #ta.format<[D, CU]>>
  ta.append_grow %C, 1 beyond %n if_possible : tensor<?x?xf64, #ta.format<[D, CU]>>
  // CHECK: ta.append_reserve %[[C]], 1 of %[[N]] : tensor<?x?xf64, #ta.format<[D, CU]>>
  ta.append_reserve %C, 1 of %n : tensor<?x?xf64, #ta.format<[D, CU]>>
  // CHECK: ta.append_end %[[C]] after[%[[N]]] : tensor<?x?xf64, #ta.format<[D, CU]>>
  ta.append_end %C after[%n] : tensor<?x?xf64, #ta.format<[D, CU]>>
  // CHECK: ta.parts_begin %[[C]], %[[N]] : tensor<?x?xf64, #ta.format<[D, CU]>>
  ta.parts_begin %C, %n : tensor<?x?xf64, #ta.format<[D, CU]>>
  // CHECK: %[[NUMBER:.*]] = ta.part_claim %[[C]] : tensor<?x?xf64, #ta.format<[D, CU]>>
  %number = ta.part_claim %C : tensor<?x?xf64, #ta.format<[D, CU]>>
  // CHECK: ta.part %[[C]], %[[NUMBER]] : tensor<?x?xf64, #ta.format<[D, CU]>>
  %part = ta.part %C, %number : tensor<?x?xf64, #ta.format<[D, CU]>>
  // CHECK: ta.part_end %[[C]], %[[NUMBER]] from %[[N]] to %[[N]] after[%[[N]]] : tensor<?x?xf64, #ta.format<[D, CU]>>
  ta.part_end %C, %number from %n to %n after[%n] : tensor<?x?xf64, #ta.format<[D, CU]>>
  // CHECK: ta.parts_end %[[C]] : tensor<?x?xf64, #ta.format<[D, CU]>>
  ta.parts_end %C : tensor<?x?xf64, #ta.format<[D, CU]>>
  // CHECK: ta.points_begin %[[P]] "min" "list" : tensor<?x?xf64, #ta.format<[CN, S]>>
  ta.points_begin %P "min" "list" : tensor<?x?xf64, #ta.format<[CN, S]>>
  // CHECK: ta.points_state %[[P]] : tensor<?x?xf64, #ta.format<[CN, S]>> to memref<?xi64>
  %state = ta.points_state %P : tensor<?x?xf64, #ta.format<[CN, S]>> to memref<?xi64>
  // CHECK: ta.points_room %[[P]] : tensor<?x?xf64, #ta.format<[CN, S]>> to memref<?xi64>
  %room = ta.points_room %P : tensor<?x?xf64, #ta.format<[CN, S]>> to memref<?xi64>
  // CHECK: ta.points_next %[[P]] : tensor<?x?xf64, #ta.format<[CN, S]>>
  ta.points_next %P : tensor<?x?xf64, #ta.format<[CN, S]>>
  // CHECK: ta.insert %[[V]] to %[[P]][%[[N]], %[[N]]] : f64, tensor<?x?xf64, #ta.format<[CN, S]>>
  ta.insert %value to %P[%n, %n] : f64, tensor<?x?xf64, #ta.format<[CN, S]>>
  // CHECK: ta.points_end %[[P]] : tensor<?x?xf64, #ta.format<[CN, S]>>
  ta.points_end %P : tensor<?x?xf64, #ta.format<[CN, S]>>
  // CHECK: ta.points_begin %[[P]] "add" "hash" 64 : tensor<?x?xf64, #ta.format<[CN, S]>>
  ta.points_begin %P "add" "hash" 64 : tensor<?x?xf64, #ta.format<[CN, S]>>
  // CHECK: ta.points_end %[[P]]
  ta.points_end %P : tensor<?x?xf64, #ta.format<[CN, S]>>
  // CHECK: ta.points_begin %[[P]] "add" "sequence" : tensor<?x?xf64, #ta.format<[CN, S]>>
  ta.points_begin %P "add" "sequence" : tensor<?x?xf64, #ta.format<[CN, S]>>
  // CHECK: ta.points_begin %[[P]] "add" "list" 64 counted "W" : tensor<?x?xf64, #ta.format<[CN, S]>>
  ta.points_begin %P "add" "list" 64 counted "W" : tensor<?x?xf64, #ta.format<[CN, S]>>
  // CHECK: ta.points_end %[[P]]
  ta.points_end %P : tensor<?x?xf64, #ta.format<[CN, S]>>
  return
}

// CHECK-LABEL: func.func @divided(
// CHECK-SAME: %[[X:.*]]: tensor<?xf64>, %[[Y:.*]]: tensor<?xf64>)
func.func @divided(%x: tensor<?xf64>, %y: tensor<?xf64>) {
  // CHECK: ta.distribute "x(0) y(0)" on %[[X]], %[[Y]] : tensor<?xf64>, tensor<?xf64>
  ta.distribute "x(0) y(0)" on %x, %y : tensor<?xf64>, tensor<?xf64>
  // CHECK: %[[N:.*]] = ta.local_extent 0
  %n = ta.local_extent 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = ta.index_label_static "i" %c0 to %n step %c1
  // CHECK: ta.tensor_decl "x"[%{{.*}}] {local = 0 : i64} : tensor<?xf64>
  %part = ta.tensor_decl "x" [%i] {local = 0 : i64} : tensor<?xf64>
  // CHECK: ta.collect
  ta.collect
  // CHECK: %[[COUNT:.*]] = ta.distribute_pieces "x(0) y(0); divides 0; along 0; pieces of 5" on %[[X]], %[[Y]] : tensor<?xf64>, tensor<?xf64>
  %count = ta.distribute_pieces "x(0) y(0); divides 0; along 0; pieces of 5" on %x, %y : tensor<?xf64>, tensor<?xf64>
  scf.for %number = %c0 to %count step %c1 {
    // CHECK: ta.begin_piece %{{.*}}
    ta.begin_piece %number
    ta.collect
  }
  return
}

// CHECK-LABEL: func.func @launched(
// CHECK-SAME: %[[Y:.*]]: tensor<?xf64>, %[[A:.*]]: f64, %[[N:.*]]: index)
func.func @launched(%y: tensor<?xf64>, %alpha: f64, %n: index) {
  // CHECK: ta.launch 3 on %[[Y]], %[[A]], %[[N]] : tensor<?xf64>, f64, index
  ta.launch 3 on %y, %alpha, %n : tensor<?xf64>, f64, index
  return
}

// CHECK-LABEL: func.func @reordered(
// CHECK-SAME: %[[A:.*]]: tensor<?x?xf64, #ta.format<[D, CU]>>, %[[X:.*]]: tensor<?xf64>, %[[Y:.*]]: tensor<?xf64>)
func.func @reordered(%A: tensor<?x?xf64, #ta.format<[D, CU]>>, %x: tensor<?xf64>, %y: tensor<?xf64>) {
  // CHECK: %[[P:.*]]:2 = ta.reorder %[[A]] by "lexi" {iterations = 3 : i64, told} : tensor<?x?xf64, #ta.format<[D, CU]>> -> !ta.permutation, !ta.permutation
  %p, %q = ta.reorder %A by "lexi" {iterations = 3 : i64, told} : tensor<?x?xf64, #ta.format<[D, CU]>> -> !ta.permutation, !ta.permutation
  // CHECK: %[[R:.*]] = ta.reorder %[[X]] by "degree" : tensor<?xf64> -> !ta.permutation
  %r = ta.reorder %x by "degree" : tensor<?xf64> -> !ta.permutation
  // CHECK: ta.permute %[[X]] to %[[Y]] modes [0] by[%[[P]]#1] : tensor<?xf64>
  ta.permute %x to %y modes [0] by [%q] : tensor<?xf64>
  // CHECK: ta.permute %[[A]] to %[[A]] modes [0, 1] by[%[[P]]#0, %[[R]]] {undone} : tensor<?x?xf64, #ta.format<[D, CU]>>
  ta.permute %A to %A modes [0, 1] by [%p, %r] {undone} : tensor<?x?xf64, #ta.format<[D, CU]>>
  // CHECK: ta.release %[[R]] : !ta.permutation
  ta.release %r : !ta.permutation
  return
}
