// Every operation and type of sam is printed as it was read, in its own form and in MLIR's generic one.

// RUN: %comet-opt %s | FileCheck %s
// RUN: %comet-opt %s | %comet-opt | FileCheck %s
// RUN: %comet-opt %s --mlir-print-op-generic | %comet-opt | FileCheck %s

// CHECK-LABEL: func.func private @tensors(
// CHECK-SAME: !sam.tensor<[dense 0, compressed 1], f64>
// CHECK-SAME: !sam.tensor<[compressed 1, bv<32> 0], f32>
// CHECK-SAME: !sam.tensor<[], i64>
func.func private @tensors(!sam.tensor<[dense 0, compressed 1], f64>, !sam.tensor<[compressed 1, bv<32> 0], f32>, !sam.tensor<[], i64>)

// CHECK-LABEL: func.func private @streams(
// CHECK-SAME: !sam.crd<1>, !sam.ref<0>, !sam.val<i64, 2>, !sam.repsig<1>, !sam.bv<64, 3>
func.func private @streams(!sam.crd<1>, !sam.ref<0>, !sam.val<i64, 2>, !sam.repsig<1>, !sam.bv<64, 3>)

// A mode that is cut is two modes of a graph's tensor.
// CHECK-LABEL: func.func @parts
func.func @parts(%b: tensor<?x?xf64, #ta.format<[d1 floordiv 4 : D, d0 : CU, d1 mod 4 : CU]>>) {
  // CHECK: !sam.tensor<[dense 1, compressed 0, compressed 2], f64>
  %B = sam.operand "B" of %b : tensor<?x?xf64, #ta.format<[d1 floordiv 4 : D, d0 : CU, d1 mod 4 : CU]>> -> !sam.tensor<[dense 1, compressed 0, compressed 2], f64>
  return
}

// x(i) = B(i,j) * c(j), B by columns. The blocks may stand in any order.
// CHECK-LABEL: func.func @product
// CHECK-SAME: %[[B:.*]]: tensor<?x?xf64, #ta.format<[d1 : D, d0 : CU]>>, %[[C:.*]]: tensor<?xf64, #ta.format<[BV<32>]>>, %[[X:.*]]: tensor<?xf64, #ta.format<[CU]>>, %[[A:.*]]: f64, %[[N:.*]]: index, %[[T:.*]]: tensor<?xf64, #ta.format<[CU]>>
func.func @product(%b: tensor<?x?xf64, #ta.format<[d1 : D, d0 : CU]>>, %c: tensor<?xf64, #ta.format<[BV<32>]>>, %x: tensor<?xf64, #ta.format<[CU]>>, %a: f64, %n: index, %t: tensor<?xf64, #ta.format<[CU]>>) {
  // CHECK: sam.graph {
  sam.graph {
    // CHECK: %[[RESULT:.*]] = sam.result "x" of %[[X]] : tensor<?xf64, #ta.format<[CU]>> -> !sam.tensor<[compressed 0], f64>
    %X = sam.result "x" of %x : tensor<?xf64, #ta.format<[CU]>> -> !sam.tensor<[compressed 0], f64>
    // CHECK: sam.operand "B" of %[[B]] : tensor<?x?xf64, #ta.format<[d1 : D, d0 : CU]>> -> !sam.tensor<[dense 1, compressed 0], f64>
    %B = sam.operand "B" of %b : tensor<?x?xf64, #ta.format<[d1 : D, d0 : CU]>> -> !sam.tensor<[dense 1, compressed 0], f64>
    // CHECK: %[[OPERAND:.*]] = sam.operand "t" of %[[T]] : tensor<?xf64, #ta.format<[CU]>> -> !sam.tensor<[compressed 0], f64>
    %C = sam.operand "t" of %t : tensor<?xf64, #ta.format<[CU]>> -> !sam.tensor<[compressed 0], f64>
    // CHECK: sam.operand "t" of %[[T]]
    %C2 = sam.operand "t" of %t : tensor<?xf64, #ta.format<[CU]>> -> !sam.tensor<[compressed 0], f64>
    // CHECK: sam.operand "c" of %[[C]] : tensor<?xf64, #ta.format<[BV<32>]>> -> !sam.tensor<[bv<32> 0], f64>
    %V = sam.operand "c" of %c : tensor<?xf64, #ta.format<[BV<32>]>> -> !sam.tensor<[bv<32> 0], f64>
    // CHECK: sam.scalar "alpha" of %[[A]] : f64 -> !sam.tensor<[], f64>
    %alpha = sam.scalar "alpha" of %a : f64 -> !sam.tensor<[], f64>
    // CHECK: sam.scalar "alpha" of %[[A]]
    %alpha2 = sam.scalar "alpha" of %a : f64 -> !sam.tensor<[], f64>
    // CHECK: sam.universe "all i" size %[[N]] : !sam.tensor<[dense 0], f64>
    %all = sam.universe "all i" size %n : !sam.tensor<[dense 0], f64>
    // CHECK: sam.write_values %[[VALUES:.*]] to %[[RESULT]] fill add : !sam.val<f64, 1>, !sam.tensor<[compressed 0], f64>
    sam.write_values %v to %X fill add : !sam.val<f64, 1>, !sam.tensor<[compressed 0], f64>
    // CHECK: sam.write_level "i" %[[I:.*]] to %[[RESULT]] level 0 : !sam.crd<1>, !sam.tensor<[compressed 0], f64>
    sam.write_level "i" %i to %X level 0 : !sam.crd<1>, !sam.tensor<[compressed 0], f64>
    // CHECK: %[[VALUES]] = sam.array %[[OPERAND]] at %[[R:.*]] : !sam.tensor<[compressed 0], f64>, !sam.ref<1> -> !sam.val<f64, 1>
    %v = sam.array %C at %r : !sam.tensor<[compressed 0], f64>, !sam.ref<1> -> !sam.val<f64, 1>
    // CHECK: %[[I]], %[[R]] = sam.scan "i" of %[[OPERAND]] level 0 : !sam.tensor<[compressed 0], f64> -> !sam.crd<1>, !sam.ref<1>
    %i, %r = sam.scan "i" of %C level 0 : !sam.tensor<[compressed 0], f64> -> !sam.crd<1>, !sam.ref<1>
  }
  return
}

// A diagonal: the second level repeats the index variable of the first.
// CHECK-LABEL: func.func @diagonal
func.func @diagonal(%b: tensor<?xf64, #ta.format<[CU]>>, %x: tensor<?x?xf64, #ta.format<[CU, CU]>>) {
  sam.graph {
    %X = sam.result "X" of %x : tensor<?x?xf64, #ta.format<[CU, CU]>> -> !sam.tensor<[compressed 0, compressed 1], f64>
    %B = sam.operand "b" of %b : tensor<?xf64, #ta.format<[CU]>> -> !sam.tensor<[compressed 0], f64>
    // CHECK: %[[I:.*]], %{{.*}} = sam.scan
    %i, %r = sam.scan "i" of %B level 0 : !sam.tensor<[compressed 0], f64> -> !sam.crd<1>, !sam.ref<1>
    %v = sam.array %B at %r : !sam.tensor<[compressed 0], f64>, !sam.ref<1> -> !sam.val<f64, 1>
    sam.write_level "i" %i to %X level 0 : !sam.crd<1>, !sam.tensor<[compressed 0, compressed 1], f64>
    // CHECK: sam.write_level "i" %[[I]] to %{{.*}} level 1 single : !sam.crd<1>, !sam.tensor<[compressed 0, compressed 1], f64>
    sam.write_level "i" %i to %X level 1 single : !sam.crd<1>, !sam.tensor<[compressed 0, compressed 1], f64>
    sam.write_values %v to %X fill add : !sam.val<f64, 1>, !sam.tensor<[compressed 0, compressed 1], f64>
  }
  return
}

// x(i) = b(i) for a dense x: values are scattered, and no level is written.
// CHECK-LABEL: func.func @scatter
func.func @scatter(%b: tensor<?xf64, #ta.format<[CU]>>, %x: tensor<?xf64>) {
  sam.graph {
    // CHECK: %[[X:.*]] = sam.result
    %X = sam.result "x" of %x : tensor<?xf64> -> !sam.tensor<[dense 0], f64>
    %B = sam.operand "b" of %b : tensor<?xf64, #ta.format<[CU]>> -> !sam.tensor<[compressed 0], f64>
    // CHECK: %[[I:.*]], %{{.*}} = sam.scan
    %i, %r = sam.scan "i" of %B level 0 : !sam.tensor<[compressed 0], f64> -> !sam.crd<1>, !sam.ref<1>
    // CHECK: %[[V:.*]] = sam.array
    %v = sam.array %B at %r : !sam.tensor<[compressed 0], f64>, !sam.ref<1> -> !sam.val<f64, 1>
    // CHECK: %{{.*}}, %[[PLACES:.*]] = sam.locate "i" %[[I]] in %[[X]] level 0 : !sam.crd<1>, !sam.tensor<[dense 0], f64> -> !sam.ref<1>
    %0, %p = sam.locate "i" %i in %X level 0 : !sam.crd<1>, !sam.tensor<[dense 0], f64> -> !sam.ref<1>
    // CHECK: sam.write_values %[[V]] to %[[X]] fill max at %[[PLACES]] : !sam.val<f64, 1>, !sam.tensor<[dense 0], f64>, !sam.ref<1>
    sam.write_values %v to %X fill max at %p : !sam.val<f64, 1>, !sam.tensor<[dense 0], f64>, !sam.ref<1>
  }
  return
}

// CHECK-LABEL: func.func @keep
// CHECK-SAME: %[[V:.*]]: !sam.val<f64, 1>, %[[R:.*]]: !sam.ref<1>, %[[X:.*]]: !sam.tensor<[dense 0], f64>
func.func @keep(%v: !sam.val<f64, 1>, %r: !sam.ref<1>, %X: !sam.tensor<[dense 0], f64>) {
  // CHECK: sam.write_values %[[V]] to %[[X]] fill add at %[[R]] kept : !sam.val<f64, 1>, !sam.tensor<[dense 0], f64>, !sam.ref<1>
  sam.write_values %v to %X fill add at %r kept : !sam.val<f64, 1>, !sam.tensor<[dense 0], f64>, !sam.ref<1>
  return
}

// CHECK-LABEL: func.func @iteration
// CHECK-SAME: %[[B:.*]]: !sam.tensor<[dense 0, compressed 1], f64>, %[[C:.*]]: !sam.tensor<[bv<32> 0], f64>, %[[S:.*]]: !sam.val<f64, 2>
func.func @iteration(%B: !sam.tensor<[dense 0, compressed 1], f64>, %c: !sam.tensor<[bv<32> 0], f64>, %s: !sam.val<f64, 2>) {
  // CHECK: %[[I:.*]], %[[RI:.*]] = sam.scan "i" of %[[B]] level 0 : !sam.tensor<[dense 0, compressed 1], f64> -> !sam.crd<1>, !sam.ref<1>
  %i, %ri = sam.scan "i" of %B level 0 : !sam.tensor<[dense 0, compressed 1], f64> -> !sam.crd<1>, !sam.ref<1>
  // CHECK: %[[J:.*]], %[[RJ:.*]] = sam.scan "j" of %[[B]] level 1 at %[[RI]] : !sam.tensor<[dense 0, compressed 1], f64>, !sam.ref<1> -> !sam.crd<2>, !sam.ref<2>
  %j, %rj = sam.scan "j" of %B level 1 at %ri : !sam.tensor<[dense 0, compressed 1], f64>, !sam.ref<1> -> !sam.crd<2>, !sam.ref<2>
  // CHECK: sam.scan "i" of %[[C]] level 0 : !sam.tensor<[bv<32> 0], f64> -> !sam.bv<32, 1>, !sam.ref<1>
  %w, %rw = sam.scan "i" of %c level 0 : !sam.tensor<[bv<32> 0], f64> -> !sam.bv<32, 1>, !sam.ref<1>
  // CHECK: %[[SI:.*]] = sam.repeat_signal "i" %[[I]] : !sam.crd<1> -> !sam.repsig<1>
  %si = sam.repeat_signal "i" %i : !sam.crd<1> -> !sam.repsig<1>
  // CHECK: %[[SJ:.*]] = sam.repeat_signal "j" %[[J]] : !sam.crd<2> -> !sam.repsig<2>
  %sj = sam.repeat_signal "j" %j : !sam.crd<2> -> !sam.repsig<2>
  // CHECK: %[[R1:.*]] = sam.repeat "i" "c" %[[C]] by %[[SI]] : !sam.tensor<[bv<32> 0], f64>, !sam.repsig<1> -> !sam.ref<1>
  %r1 = sam.repeat "i" "c" %c by %si : !sam.tensor<[bv<32> 0], f64>, !sam.repsig<1> -> !sam.ref<1>
  // CHECK: %[[R2:.*]] = sam.repeat "j" "c" %[[R1]] by %[[SJ]] : !sam.ref<1>, !sam.repsig<2> -> !sam.ref<2>
  %r2 = sam.repeat "j" "c" %r1 by %sj : !sam.ref<1>, !sam.repsig<2> -> !sam.ref<2>
  // CHECK: sam.locate "j" %[[J]] in %[[B]] level 1 at %[[R2]] : !sam.crd<2>, !sam.tensor<[dense 0, compressed 1], f64>, !sam.ref<2> -> !sam.ref<2>
  %l, %rl = sam.locate "j" %j in %B level 1 at %r2 : !sam.crd<2>, !sam.tensor<[dense 0, compressed 1], f64>, !sam.ref<2> -> !sam.ref<2>
  // CHECK: sam.intersect "j" ["B", "c"] %[[J]], %[[J]] with %[[RJ]], %[[R2]] : (!sam.crd<2>, !sam.crd<2>, !sam.ref<2>, !sam.ref<2>) -> (!sam.crd<2>, !sam.ref<2>, !sam.ref<2>)
  %k, %rB, %rc = sam.intersect "j" ["B", "c"] %j, %j with %rj, %r2 : (!sam.crd<2>, !sam.crd<2>, !sam.ref<2>, !sam.ref<2>) -> (!sam.crd<2>, !sam.ref<2>, !sam.ref<2>)
  // CHECK: sam.union "j" ["B", "sum"] %[[J]], %[[J]] with %[[RJ]], %[[S]] : (!sam.crd<2>, !sam.crd<2>, !sam.ref<2>, !sam.val<f64, 2>) -> (!sam.crd<2>, !sam.ref<2>, !sam.val<f64, 2>)
  %u, %uB, %us = sam.union "j" ["B", "sum"] %j, %j with %rj, %s : (!sam.crd<2>, !sam.crd<2>, !sam.ref<2>, !sam.val<f64, 2>) -> (!sam.crd<2>, !sam.ref<2>, !sam.val<f64, 2>)
  return
}

// Section 4 of sam.txt: what skips, words of bits, copies, tiles, and lanes, which every block may have.
// CHECK-LABEL: func.func @optimizations
// CHECK-SAME: %[[B:.*]]: !sam.tensor<[dense 0, compressed 1], f64>, %[[I:.*]]: !sam.crd<2>, %[[R:.*]]: !sam.ref<1>, %[[S:.*]]: !sam.ref<2>, %[[V:.*]]: !sam.val<f64, 3>
func.func @optimizations(%B: !sam.tensor<[dense 0, compressed 1], f64>, %i: !sam.crd<2>, %r: !sam.ref<1>, %s: !sam.ref<2>, %v: !sam.val<f64, 3>) {
  // CHECK: %[[J:.*]], %[[RJ:.*]] = sam.scan "j" of %[[B]] level 1 at %[[R]] skip lanes 4 : !sam.tensor<[dense 0, compressed 1], f64>, !sam.ref<1> -> !sam.crd<2>, !sam.ref<2>
  %j, %rj = sam.scan "j" of %B level 1 at %r skip lanes 4 : !sam.tensor<[dense 0, compressed 1], f64>, !sam.ref<1> -> !sam.crd<2>, !sam.ref<2>
  // CHECK: sam.intersect "j" ["B", "c"] skip [0, 1] %[[J]], %[[J]] with %[[RJ]], %[[RJ]] lanes 2 : (!sam.crd<2>, !sam.crd<2>, !sam.ref<2>, !sam.ref<2>) -> (!sam.crd<2>, !sam.ref<2>, !sam.ref<2>)
  %0, %1, %2 = sam.intersect "j" ["B", "c"] skip [0, 1] %j, %j with %rj, %rj lanes 2 : (!sam.crd<2>, !sam.crd<2>, !sam.ref<2>, !sam.ref<2>) -> (!sam.crd<2>, !sam.ref<2>, !sam.ref<2>)
  // CHECK: %[[W:.*]], %[[RW:.*]] = sam.to_words "j" %[[I]] with %[[S]] : (!sam.crd<2>, !sam.ref<2>) -> (!sam.bv<32, 2>, !sam.ref<2>)
  %w, %rw = sam.to_words "j" %i with %s : (!sam.crd<2>, !sam.ref<2>) -> (!sam.bv<32, 2>, !sam.ref<2>)
  // CHECK: sam.to_words "j" %[[I]] lanes 2 : (!sam.crd<2>) -> !sam.bv<64, 2>
  %x = sam.to_words "j" %i lanes 2 : (!sam.crd<2>) -> !sam.bv<64, 2>
  // CHECK: sam.intersect "j" ["B", "c"] %[[W]], %[[W]] with %[[RW]], %[[RW]] : (!sam.bv<32, 2>, !sam.bv<32, 2>, !sam.ref<2>, !sam.ref<2>) -> (!sam.crd<2>, !sam.ref<2>, !sam.ref<2>)
  %3, %4, %5 = sam.intersect "j" ["B", "c"] %w, %w with %rw, %rw : (!sam.bv<32, 2>, !sam.bv<32, 2>, !sam.ref<2>, !sam.ref<2>) -> (!sam.crd<2>, !sam.ref<2>, !sam.ref<2>)
  // CHECK: sam.union "j" ["B"] %[[W]] with %[[RW]] : (!sam.bv<32, 2>, !sam.ref<2>) -> (!sam.crd<2>, !sam.ref<2>)
  %6, %7 = sam.union "j" ["B"] %w with %rw : (!sam.bv<32, 2>, !sam.ref<2>) -> (!sam.crd<2>, !sam.ref<2>)
  // CHECK: %[[P:.*]]:2 = sam.parallelize "i" %[[I]] : !sam.crd<2> -> !sam.crd<2>, !sam.crd<2>
  %8, %9 = sam.parallelize "i" %i : !sam.crd<2> -> !sam.crd<2>, !sam.crd<2>
  // CHECK: sam.parallelize "i" %[[W]] lanes 3 : !sam.bv<32, 2> -> !sam.bv<32, 2>
  %10 = sam.parallelize "i" %w lanes 3 : !sam.bv<32, 2> -> !sam.bv<32, 2>
  // CHECK: sam.serialize "i" %[[P]]#0, %[[P]]#1 : (!sam.crd<2>, !sam.crd<2>) -> !sam.crd<2>
  %11 = sam.serialize "i" %8, %9 : (!sam.crd<2>, !sam.crd<2>) -> !sam.crd<2>
  // CHECK: sam.serialize "i" %[[P]]#0, %[[P]]#1 with %[[V]], %[[V]] lanes 2 : (!sam.crd<2>, !sam.crd<2>, !sam.val<f64, 3>, !sam.val<f64, 3>) -> !sam.val<f64, 3>
  %12 = sam.serialize "i" %8, %9 with %v, %v lanes 2 : (!sam.crd<2>, !sam.crd<2>, !sam.val<f64, 3>, !sam.val<f64, 3>) -> !sam.val<f64, 3>
  // CHECK: sam.fetch %[[B]] level 1 at %[[R]] lanes 2 : !sam.tensor<[dense 0, compressed 1], f64>, !sam.ref<1>
  %13 = sam.fetch %B level 1 at %r lanes 2 : !sam.tensor<[dense 0, compressed 1], f64>, !sam.ref<1>
  // CHECK: sam.reduce add %[[V]], %[[V]] empty zero lanes 2 : (!sam.val<f64, 3>, !sam.val<f64, 3>) -> !sam.val<f64, 2>
  %14 = sam.reduce add %v, %v empty zero lanes 2 : (!sam.val<f64, 3>, !sam.val<f64, 3>) -> !sam.val<f64, 2>
  // CHECK: sam.reduce add %[[V]], %[[V]] empty absent around %[[I]] : (!sam.val<f64, 3>, !sam.val<f64, 3>, !sam.crd<2>) -> !sam.val<f64, 2>
  %15 = sam.reduce add %v, %v empty absent around %i : (!sam.val<f64, 3>, !sam.val<f64, 3>, !sam.crd<2>) -> !sam.val<f64, 2>
  return
}

// CHECK-LABEL: func.func @several_inputs
// CHECK-SAME: %[[J:.*]]: !sam.crd<2>, %[[V:.*]]: !sam.val<f64, 2>
func.func @several_inputs(%j: !sam.crd<2>, %v: !sam.val<f64, 2>) {
  // CHECK: sam.accumulate add levels ["j"] order 1 %[[J]], %[[J]] with %[[V]], %[[V]] empty removed lanes 2 : (!sam.crd<2>, !sam.crd<2>, !sam.val<f64, 2>, !sam.val<f64, 2>) -> (!sam.crd<1>, !sam.val<f64, 1>)
  %0, %1 = sam.accumulate add levels ["j"] order 1 %j, %j with %v, %v empty removed lanes 2 : (!sam.crd<2>, !sam.crd<2>, !sam.val<f64, 2>, !sam.val<f64, 2>) -> (!sam.crd<1>, !sam.val<f64, 1>)
  return
}

// CHECK-LABEL: func.func @lanes
// CHECK-SAME: %[[C:.*]]: !sam.tensor<[compressed 0], f64>, %[[D:.*]]: !sam.tensor<[dense 0], f64>, %[[I:.*]]: !sam.crd<1>, %[[J:.*]]: !sam.crd<2>, %[[R:.*]]: !sam.ref<1>, %[[V:.*]]: !sam.val<f64, 1>
func.func @lanes(%c: !sam.tensor<[compressed 0], f64>, %d: !sam.tensor<[dense 0], f64>, %i: !sam.crd<1>, %j: !sam.crd<2>, %r: !sam.ref<1>, %v: !sam.val<f64, 1>) {
  // CHECK: %[[S:.*]] = sam.repeat_signal "i" %[[I]] lanes 2 :
  %s = sam.repeat_signal "i" %i lanes 2 : !sam.crd<1> -> !sam.repsig<1>
  // CHECK: sam.repeat "i" "c" %[[C]] by %[[S]] lanes 2 :
  %0 = sam.repeat "i" "c" %c by %s lanes 2 : !sam.tensor<[compressed 0], f64>, !sam.repsig<1> -> !sam.ref<1>
  // CHECK: sam.locate "i" %[[I]] in %[[C]] level 0 lanes 2 :
  %1, %2 = sam.locate "i" %i in %c level 0 lanes 2 : !sam.crd<1>, !sam.tensor<[compressed 0], f64> -> !sam.ref<1>
  // CHECK: sam.array %[[C]] at %[[R]] lanes 2 :
  %3 = sam.array %c at %r lanes 2 : !sam.tensor<[compressed 0], f64>, !sam.ref<1> -> !sam.val<f64, 1>
  // CHECK: sam.alu mul intersect %[[V]], %[[V]] lanes 2 :
  %4 = sam.alu mul intersect %v, %v lanes 2 : !sam.val<f64, 1>
  // CHECK: sam.apply neg %[[V]] lanes 2 :
  %5 = sam.apply neg %v lanes 2 : !sam.val<f64, 1> -> !sam.val<f64, 1>
  // CHECK: sam.mask stored %[[V]] by %[[V]] lanes 2 :
  %6 = sam.mask stored %v by %v lanes 2 : !sam.val<f64, 1> by !sam.val<f64, 1>
  // CHECK: sam.drop fibers "i" "j" %[[I]], %[[J]] lanes 2 :
  %7, %8 = sam.drop fibers "i" "j" %i, %j lanes 2 : !sam.crd<1>, !sam.crd<2>
  // CHECK: sam.hold "i" "j" %[[I]], %[[J]] lanes 2 :
  %9, %10 = sam.hold "i" "j" %i, %j lanes 2 : !sam.crd<1>, !sam.crd<2>
  // CHECK: sam.union "i" ["b"] %[[I]] with %[[R]] lanes 2 :
  %11, %12 = sam.union "i" ["b"] %i with %r lanes 2 : (!sam.crd<1>, !sam.ref<1>) -> (!sam.crd<1>, !sam.ref<1>)
  // CHECK: sam.write_level "i" %[[I]] to %[[C]] level 0 lanes 2 :
  sam.write_level "i" %i to %c level 0 lanes 2 : !sam.crd<1>, !sam.tensor<[compressed 0], f64>
  // CHECK: sam.write_values %[[V]] to %[[D]] fill add at %[[R]] kept lanes 2 :
  sam.write_values %v to %d fill add at %r kept lanes 2 : !sam.val<f64, 1>, !sam.tensor<[dense 0], f64>, !sam.ref<1>
  return
}

// x(i) = b(i) * c(i) in two ways: scanners that skip, and words of bits, of which the result has its own.
// CHECK-LABEL: func.func @products
func.func @products(%b: tensor<?xf64, #ta.format<[CU]>>, %c: tensor<?xf64, #ta.format<[BV<8>]>>, %x: tensor<?xf64, #ta.format<[BV<8>]>>) {
  sam.graph {
    %X = sam.result "x" of %x : tensor<?xf64, #ta.format<[BV<8>]>> -> !sam.tensor<[bv<8> 0], f64>
    %B = sam.operand "b" of %b : tensor<?xf64, #ta.format<[CU]>> -> !sam.tensor<[compressed 0], f64>
    %C = sam.operand "c" of %c : tensor<?xf64, #ta.format<[BV<8>]>> -> !sam.tensor<[bv<8> 0], f64>
    %i, %r = sam.scan "i" of %B level 0 : !sam.tensor<[compressed 0], f64> -> !sam.crd<1>, !sam.ref<1>
    %w, %first = sam.to_words "i" %i with %r : (!sam.crd<1>, !sam.ref<1>) -> (!sam.bv<8, 1>, !sam.ref<1>)
    %v, %rv = sam.scan "i" of %C level 0 : !sam.tensor<[bv<8> 0], f64> -> !sam.bv<8, 1>, !sam.ref<1>
    %k, %rb, %rc = sam.intersect "i" ["b", "c"] %w, %v with %first, %rv : (!sam.bv<8, 1>, !sam.bv<8, 1>, !sam.ref<1>, !sam.ref<1>) -> (!sam.crd<1>, !sam.ref<1>, !sam.ref<1>)
    %0 = sam.array %B at %rb : !sam.tensor<[compressed 0], f64>, !sam.ref<1> -> !sam.val<f64, 1>
    %1 = sam.array %C at %rc : !sam.tensor<[bv<8> 0], f64>, !sam.ref<1> -> !sam.val<f64, 1>
    %2 = sam.alu mul intersect %0, %1 : !sam.val<f64, 1>
    %words = sam.to_words "i" %k : (!sam.crd<1>) -> !sam.bv<8, 1>
    // CHECK: sam.write_level "i" %{{.*}} to %{{.*}} level 0 : !sam.bv<8, 1>, !sam.tensor<[bv<8> 0], f64>
    sam.write_level "i" %words to %X level 0 : !sam.bv<8, 1>, !sam.tensor<[bv<8> 0], f64>
    sam.write_values %2 to %X fill add : !sam.val<f64, 1>, !sam.tensor<[bv<8> 0], f64>
  }
  sam.graph {
    %X = sam.result "x" of %b : tensor<?xf64, #ta.format<[CU]>> -> !sam.tensor<[compressed 0], f64>
    %B = sam.operand "b" of %b : tensor<?xf64, #ta.format<[CU]>> -> !sam.tensor<[compressed 0], f64>
    %C = sam.operand "b" of %b : tensor<?xf64, #ta.format<[CU]>> -> !sam.tensor<[compressed 0], f64>
    %i, %r = sam.scan "i" of %B level 0 : !sam.tensor<[compressed 0], f64> -> !sam.crd<1>, !sam.ref<1>
    // CHECK: %[[J:.*]], %[[S:.*]] = sam.scan "i" of %{{.*}} level 0 skip
    %j, %s = sam.scan "i" of %C level 0 skip : !sam.tensor<[compressed 0], f64> -> !sam.crd<1>, !sam.ref<1>
    // CHECK: sam.intersect "i" ["b", "c"] skip [1] %{{.*}}, %[[J]] with %{{.*}}, %[[S]]
    %k, %rb, %rc = sam.intersect "i" ["b", "c"] skip [1] %i, %j with %r, %s : (!sam.crd<1>, !sam.crd<1>, !sam.ref<1>, !sam.ref<1>) -> (!sam.crd<1>, !sam.ref<1>, !sam.ref<1>)
    %0 = sam.array %B at %rb : !sam.tensor<[compressed 0], f64>, !sam.ref<1> -> !sam.val<f64, 1>
    sam.write_level "i" %k to %X level 0 : !sam.crd<1>, !sam.tensor<[compressed 0], f64>
    sam.write_values %0 to %X fill add : !sam.val<f64, 1>, !sam.tensor<[compressed 0], f64>
  }
  return
}

// CHECK-LABEL: func.func @computation
// CHECK-SAME: %[[I:.*]]: !sam.crd<1>, %[[J:.*]]: !sam.crd<2>, %[[A:.*]]: !sam.val<f64, 2>, %[[B:.*]]: !sam.val<f64, 2>, %[[S:.*]]: !sam.tensor<[], f64>
func.func @computation(%i: !sam.crd<1>, %j: !sam.crd<2>, %a: !sam.val<f64, 2>, %b: !sam.val<f64, 2>, %s: !sam.tensor<[], f64>) {
  // CHECK: sam.array %[[S]] : !sam.tensor<[], f64> -> !sam.val<f64, 0>
  %scalar = sam.array %s : !sam.tensor<[], f64> -> !sam.val<f64, 0>
  // CHECK: sam.alu mul intersect %[[A]], %[[B]] : !sam.val<f64, 2>
  %0 = sam.alu mul intersect %a, %b : !sam.val<f64, 2>
  // CHECK: sam.alu sub unite %[[A]], %[[B]] : !sam.val<f64, 2>
  %1 = sam.alu sub unite %a, %b : !sam.val<f64, 2>
  // CHECK: sam.apply neg %[[A]] : !sam.val<f64, 2> -> !sam.val<f64, 2>
  %2 = sam.apply neg %a : !sam.val<f64, 2> -> !sam.val<f64, 2>
  // CHECK: sam.apply convert %[[A]] : !sam.val<f64, 2> -> !sam.val<i64, 2>
  %3 = sam.apply convert %a : !sam.val<f64, 2> -> !sam.val<i64, 2>
  // CHECK: sam.apply relu %[[A]] : !sam.val<f64, 2> -> !sam.val<f64, 2>
  %relu = sam.apply relu %a : !sam.val<f64, 2> -> !sam.val<f64, 2>
  // CHECK: sam.apply exp %[[A]] : !sam.val<f64, 2> -> !sam.val<f64, 2>
  %exp = sam.apply exp %a : !sam.val<f64, 2> -> !sam.val<f64, 2>
  // CHECK: sam.mask not_zero %[[A]] by %[[B]] : !sam.val<f64, 2> by !sam.val<f64, 2>
  %m = sam.mask not_zero %a by %b : !sam.val<f64, 2> by !sam.val<f64, 2>
  // CHECK: sam.mask not_stored %[[A]] by %[[B]]
  %n = sam.mask not_stored %a by %b : !sam.val<f64, 2> by !sam.val<f64, 2>
  // CHECK: sam.reduce min %[[A]] empty token : (!sam.val<f64, 2>) -> !sam.val<f64, 1>
  %t = sam.reduce min %a empty token : (!sam.val<f64, 2>) -> !sam.val<f64, 1>
  // CHECK: sam.reduce add %[[A]] empty zero : (!sam.val<f64, 2>) -> !sam.val<f64, 1>
  %4 = sam.reduce add %a empty zero : (!sam.val<f64, 2>) -> !sam.val<f64, 1>
  // CHECK: sam.reduce max %[[A]] empty removed : (!sam.val<f64, 2>) -> !sam.val<f64, 1>
  %5 = sam.reduce max %a empty removed : (!sam.val<f64, 2>) -> !sam.val<f64, 1>
  // CHECK: sam.reduce or %[[A]] empty absent around %[[I]] : (!sam.val<f64, 2>, !sam.crd<1>) -> !sam.val<f64, 1>
  %6 = sam.reduce or %a empty absent around %i : (!sam.val<f64, 2>, !sam.crd<1>) -> !sam.val<f64, 1>
  // CHECK: sam.accumulate add levels ["j"] order 1 %[[J]] with %[[A]] empty absent : (!sam.crd<2>, !sam.val<f64, 2>) -> (!sam.crd<1>, !sam.val<f64, 1>)
  %7, %8 = sam.accumulate add levels ["j"] order 1 %j with %a empty absent : (!sam.crd<2>, !sam.val<f64, 2>) -> (!sam.crd<1>, !sam.val<f64, 1>)
  // CHECK: %[[HELD:.*]], %[[INNER:.*]] = sam.hold "i" "j" %[[I]], %[[J]] : !sam.crd<1>, !sam.crd<2>
  %9, %10 = sam.hold "i" "j" %i, %j : !sam.crd<1>, !sam.crd<2>
  // CHECK: sam.accumulate min points ["j", "i"] order 1 %[[INNER]], %[[HELD]] with %[[A]] empty removed : (!sam.crd<2>, !sam.crd<2>, !sam.val<f64, 2>) -> (!sam.crd<2>, !sam.crd<1>, !sam.val<f64, 2>)
  %11, %12, %13 = sam.accumulate min points ["j", "i"] order 1 %10, %9 with %a empty removed : (!sam.crd<2>, !sam.crd<2>, !sam.val<f64, 2>) -> (!sam.crd<2>, !sam.crd<1>, !sam.val<f64, 2>)
  // CHECK: sam.drop fibers "i" "j" %[[I]], %[[J]] : !sam.crd<1>, !sam.crd<2>
  %14, %15 = sam.drop fibers "i" "j" %i, %j : !sam.crd<1>, !sam.crd<2>
  // CHECK: sam.drop absent "j" "value" %[[J]], %[[A]] : !sam.crd<2>, !sam.val<f64, 2>
  %16, %17 = sam.drop absent "j" "value" %j, %a : !sam.crd<2>, !sam.val<f64, 2>
  // CHECK: sam.drop zeros "j" "value" %[[J]], %[[A]] : !sam.crd<2>, !sam.val<f64, 2>
  %18, %19 = sam.drop zeros "j" "value" %j, %a : !sam.crd<2>, !sam.val<f64, 2>
  return
}
