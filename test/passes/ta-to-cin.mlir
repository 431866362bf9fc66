// Assignments become loops: in the storage order of the sparse operand, with a statement for each term of a sum. No index expression is left.

// RUN: %comet-opt %s --ta-to-cin | FileCheck %s --implicit-check-not=ta.tc --implicit-check-not=ta.set_op --implicit-check-not=ta.labeled_tensor

// A dense product without a reduction is written at once.
// CHECK-LABEL: func.func @set(
// CHECK:      cin.compute {
// CHECK-NEXT:   %[[I:.*]] = cin.index_var "i" size %arg0
// CHECK-NEXT:   cin.forall %[[I]] {
// CHECK-NEXT:     %[[L:.*]] = cin.access %{{.*}}[%[[I]]]
// CHECK-NEXT:     %[[R:.*]] = cin.access %{{.*}}[%[[I]]]
// CHECK-NEXT:     %[[P:.*]] = cin.combine mul %[[L]], %[[R]]
// CHECK-NEXT:     cin.assign %[[P]] to %{{.*}}[%[[I]]] set
// CHECK-NOT:  cin.compute
func.func @set(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = ta.index_label_static "i" %c0 to %n step %c1
  %x = ta.tensor_decl "x" [%i] : tensor<?xf64>
  %y = ta.tensor_decl "y" [%i] : tensor<?xf64>
  ta.tc ins(%x, %x : tensor<?xf64>, tensor<?xf64>) outs(%y : tensor<?xf64>) {
    alpha = 1.0 : f64, beta = 0.0 : f64,
    indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>]}
  return
}

// Alpha is a factor, and beta 1 adds to what the target holds.
// CHECK-LABEL: func.func @alpha(
// CHECK:      %[[ALPHA:.*]] = arith.constant 2.500000e+00 : f64
// CHECK:      cin.combine mul %[[ALPHA]], %
// CHECK:      cin.assign %{{.*}} to %{{.*}}[%{{.*}}] add
func.func @alpha(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = ta.index_label_static "i" %c0 to %n step %c1
  %x = ta.tensor_decl "x" [%i] : tensor<?xf64>
  %y = ta.tensor_decl "y" [%i] : tensor<?xf64>
  ta.tc ins(%x, %x : tensor<?xf64>, tensor<?xf64>) outs(%y : tensor<?xf64>) {
    alpha = 2.5 : f64, beta = 1.0 : f64,
    indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>]}
  return
}

// A label along which the most operands are contiguous is innermost.
// CHECK-LABEL: func.func @gemm(
// CHECK:      %[[I:.*]] = cin.index_var "i"
// CHECK:      %[[J:.*]] = cin.index_var "j"
// CHECK:      %[[K:.*]] = cin.index_var "k"
// CHECK:      cin.forall %[[I]] {
// CHECK-NEXT:   cin.forall %[[J]] {
// CHECK-NEXT:     cin.forall %[[K]] {
// CHECK:            cin.assign %{{.*}} to %{{.*}}[%[[I]], %[[K]]] add
func.func @gemm(%n: index, %m: index, %p: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = ta.index_label_static "i" %c0 to %n step %c1
  %j = ta.index_label_static "j" %c0 to %m step %c1
  %k = ta.index_label_static "k" %c0 to %p step %c1
  %A = ta.tensor_decl "A" [%i, %j] : tensor<?x?xf64>
  %B = ta.tensor_decl "B" [%j, %k] : tensor<?x?xf64>
  %C = ta.tensor_decl "C" [%i, %k] : tensor<?x?xf64>
  ta.tc ins(%A, %B : tensor<?x?xf64>, tensor<?x?xf64>) outs(%C : tensor<?x?xf64>) {
    alpha = 1.0 : f64, beta = 1.0 : f64,
    indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d2)>]}
  return
}

// The loops follow the storage order of the sparse operand.
// CHECK-LABEL: func.func @csc(
// CHECK:      %[[J:.*]] = cin.index_var "j" size %arg1
// CHECK:      %[[I:.*]] = cin.index_var "i" size %arg0
// CHECK:      cin.forall %[[J]] {
// CHECK-NEXT:   cin.forall %[[I]] {
// CHECK-NEXT:     cin.access %{{.*}}[%[[I]], %[[J]]]
func.func @csc(%n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = ta.index_label_static "i" %c0 to %n step %c1
  %j = ta.index_label_static "j" %c0 to %m step %c1
  %A = ta.tensor_decl "A" [%i, %j] : tensor<?x?xf64, #ta.format<[d1 : D, d0 : CU]>>
  %x = ta.tensor_decl "x" [%j] : tensor<?xf64>
  %y = ta.tensor_decl "y" [%i] : tensor<?xf64>
  ta.tc ins(%A, %x : tensor<?x?xf64, #ta.format<[d1 : D, d0 : CU]>>, tensor<?xf64>) outs(%y : tensor<?xf64>) {
    alpha = 1.0 : f64, beta = 1.0 : f64,
    indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>]}
  return
}

// Levels that store parts of modes have loops over the parts.
// CHECK-LABEL: func.func @blocks(
// CHECK:      %[[I:.*]] = cin.index_var "i"
// CHECK:      %[[IO:.*]], %[[II:.*]] = cin.split %[[I]] by 2 names "io", "ii"
// CHECK:      %[[J:.*]] = cin.index_var "j"
// CHECK:      %[[JO:.*]], %[[JI:.*]] = cin.split %[[J]] by 4 names "jo", "ji"
// CHECK:      cin.forall %[[IO]] {
// CHECK-NEXT:   cin.forall %[[JO]] {
// CHECK-NEXT:     cin.forall %[[II]] {
// CHECK-NEXT:       cin.forall %[[JI]] {
// CHECK-NEXT:         cin.access %{{.*}}[%[[I]], %[[J]]]
// CHECK-NEXT:         cin.assign %{{.*}} to %{{.*}}[%[[I]]] add
func.func @blocks(%n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = ta.index_label_static "i" %c0 to %n step %c1
  %j = ta.index_label_static "j" %c0 to %m step %c1
  %A = ta.tensor_decl "A" [%i, %j] : tensor<?x?xf64, #ta.format<[d0 floordiv 2 : D, d1 floordiv 4 : CU, d0 mod 2 : D, d1 mod 4 : D]>>
  %y = ta.tensor_decl "y" [%i] : tensor<?xf64>
  ta.tc ins(%A : tensor<?x?xf64, #ta.format<[d0 floordiv 2 : D, d1 floordiv 4 : CU, d0 mod 2 : D, d1 mod 4 : D]>>) outs(%y : tensor<?xf64>) {
    alpha = 1.0 : f64, beta = 1.0 : f64,
    indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>]}
  return
}

// One loop for a label that is there twice.
// CHECK-LABEL: func.func @diagonal(
// CHECK:      cin.forall %[[I:.*]] {
// CHECK-NEXT:   cin.access %{{.*}}[%[[I]], %[[I]]]
// CHECK-NEXT:   cin.assign %{{.*}} to %{{.*}}[%[[I]]] add
func.func @diagonal(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = ta.index_label_static "i" %c0 to %n step %c1
  %A = ta.tensor_decl "A" [%i, %i] : tensor<?x?xf64, #ta.format<[D, CU]>>
  %y = ta.tensor_decl "y" [%i] : tensor<?xf64>
  ta.tc ins(%A : tensor<?x?xf64, #ta.format<[D, CU]>>) outs(%y : tensor<?xf64>) {
    alpha = 1.0 : f64, beta = 1.0 : f64,
    indexing_maps = [affine_map<(d0) -> (d0, d0)>, affine_map<(d0) -> (d0)>]}
  return
}

// A sum is cut into its terms: the dense ones write the target, a sparse one adds to it, with its sign.
// CHECK-LABEL: func.func @terms(
// CHECK:      cin.compute {
// CHECK:        %[[Z:.*]] = cin.access %{{.*}} : tensor<?xi64> -> i64
// CHECK-NEXT:   %[[F:.*]] = cin.cast %[[Z]] : i64 -> f64
// CHECK-NEXT:   %[[D:.*]] = cin.combine div %[[F]], %arg2
// CHECK-NEXT:   cin.assign %[[D]] to %[[Y:.*]][%{{.*}}] set
// CHECK:      cin.compute {
// CHECK:        cin.forall
// CHECK-NEXT:     cin.forall
// CHECK:            %[[P:.*]] = cin.combine mul
// CHECK-NEXT:       %[[N:.*]] = cin.neg %[[P]]
// CHECK-NEXT:       cin.assign %[[N]] to %[[Y]][%{{.*}}] add
// CHECK-NOT:  cin.compute
func.func @terms(%n: index, %m: index, %s: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = ta.index_label_static "i" %c0 to %n step %c1
  %j = ta.index_label_static "j" %c0 to %m step %c1
  %A = ta.tensor_decl "A" [%i, %j] : tensor<?x?xf64, #ta.format<[D, CU]>>
  %x = ta.tensor_decl "x" [%j] : tensor<?xf64>
  %z = ta.tensor_decl "z" [%i] : tensor<?xi64>
  %y = ta.tensor_decl "y" [%i] : tensor<?xf64>
  %0 = ta.labeled_tensor %A[%i, %j] : tensor<?x?xf64, #ta.format<[D, CU]>> -> !ta.labeled<f64>
  %1 = ta.labeled_tensor %x[%j] : tensor<?xf64> -> !ta.labeled<f64>
  %2 = ta.elementwise "mul" %0, %1 : !ta.labeled<f64>
  %3 = ta.reduce "add" %2 over [%j] : !ta.labeled<f64>
  %4 = ta.labeled_tensor %z[%i] : tensor<?xi64> -> !ta.labeled<i64>
  %5 = ta.cast %4 : !ta.labeled<i64> -> !ta.labeled<f64>
  %6 = ta.scalar %s : f64 -> !ta.labeled<f64>
  %7 = ta.elementwise "div" %5, %6 : !ta.labeled<f64>
  %8 = ta.unite "sub" %7, %3 : !ta.labeled<f64>
  ta.set_op %8 to %y[%i] {beta = 0.0 : f64} : !ta.labeled<f64>, tensor<?xf64>
  return
}

// A sum inside a product is computed into a scalar first.
// CHECK-LABEL: func.func @sum_in_product(
// CHECK:      cin.forall %[[I:.*]] {
// CHECK-NEXT:   %[[T:.*]] = cin.temporary "t" scalar : tensor<f64>
// CHECK-NEXT:   cin.where {
// CHECK-NEXT:     %[[S:.*]] = cin.access %[[T]][]
// CHECK-NEXT:     %[[Z:.*]] = cin.access %{{.*}}[%[[I]]]
// CHECK-NEXT:     %[[P:.*]] = cin.combine mul %[[S]], %[[Z]]
// CHECK-NEXT:     %[[N:.*]] = cin.neg %[[P]]
// CHECK-NEXT:     cin.assign %[[N]] to %{{.*}}[%[[I]]] add
// CHECK-NEXT:   } producer {
// CHECK-NEXT:     cin.forall %[[J:.*]] {
// CHECK-NEXT:       %[[A:.*]] = cin.access %{{.*}}[%[[I]], %[[J]]]
// CHECK-NEXT:       cin.assign %[[A]] to %[[T]][] add
func.func @sum_in_product(%n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = ta.index_label_static "i" %c0 to %n step %c1
  %j = ta.index_label_static "j" %c0 to %m step %c1
  %A = ta.tensor_decl "A" [%i, %j] : tensor<?x?xf64>
  %z = ta.tensor_decl "z" [%i] : tensor<?xf64>
  %y = ta.tensor_decl "y" [%i] : tensor<?xf64>
  %0 = ta.labeled_tensor %A[%i, %j] : tensor<?x?xf64> -> !ta.labeled<f64>
  %1 = ta.reduce "add" %0 over [%j] : !ta.labeled<f64>
  %2 = ta.labeled_tensor %z[%i] : tensor<?xf64> -> !ta.labeled<f64>
  %3 = ta.elementwise "mul" %1, %2 : !ta.labeled<f64>
  %4 = ta.neg %3 : !ta.labeled<f64>
  ta.set_op %4 to %y[%i] {beta = 1.0 : f64} : !ta.labeled<f64>, tensor<?xf64>
  return
}
