// Loops in which several levels have a say: a diagonal is searched, sums visit the union, products the intersection of what is stored.

// RUN: %comet-opt %s --cin-to-scf --canonicalize --cse | FileCheck %s --implicit-check-not=cin.

// The second level of A is searched for the coordinate that the loop has: bisection, then a comparison.
// CHECK-LABEL: func.func @diagonal(
// CHECK:      %[[CRD:.*]] = ta.coordinates
// CHECK:      %[[A:.*]] = ta.values %arg0
// CHECK:      %[[Y:.*]] = ta.values %arg1
// CHECK:      scf.for %[[I:.*]] = %c0 to %arg2 step %c1 {
// CHECK:        %[[FOUND:.*]]:2 = scf.while
// CHECK:          %[[MIDDLE:.*]] = arith.divui
// CHECK:          memref.load %[[CRD]][%[[MIDDLE]]]
// CHECK:          arith.cmpi slt, %{{.*}}, %[[I]] : index
// CHECK:        memref.load %[[CRD]][%[[FOUND]]#0]
// CHECK:        arith.cmpi eq, %{{.*}}, %[[I]] : index
// CHECK:        scf.if
// CHECK:          memref.load %[[A]][%[[FOUND]]#0]
// CHECK:          memref.store %{{.*}}, %[[Y]][%[[I]]]
func.func @diagonal(%A: tensor<?x?xf64, #ta.format<[D, CU]>>, %y: tensor<?xf64>, %n: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    cin.forall %i {
      %0 = cin.access %A[%i, %i] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
      cin.assign %0 to %y[%i] add : f64, tensor<?xf64>
    }
  }
  return
}

// One loop while both have coordinates left, at the smaller of the two; then what is left of either.
// CHECK-LABEL: func.func @union(
// CHECK:      %[[A:.*]] = ta.values %arg0
// CHECK:      %[[B:.*]] = ta.values %arg1
// CHECK:      %[[LEFT:.*]]:2 = scf.while (%{{.*}}, %{{.*}}) : (index, index) -> (index, index) {
// CHECK:        arith.andi
// CHECK:      } do {
// CHECK:        %[[AT:.*]] = arith.minsi
// CHECK:        memref.load %[[A]]
// CHECK-NEXT:   memref.load %[[B]]
// CHECK-NEXT:   arith.addf
// CHECK:        memref.load %[[A]]
// CHECK-NOT:    memref.load %[[B]]
// CHECK:      } else {
// CHECK:        memref.load %[[B]]
// CHECK:      scf.while (%{{.*}} = %[[LEFT]]#0) : (index) -> index {
// CHECK:        memref.load %[[A]]
// CHECK:      scf.while (%{{.*}} = %[[LEFT]]#1) : (index) -> index {
// CHECK:        memref.load %[[B]]
func.func @union(%a: tensor<?xf64, #ta.format<[CU]>>, %b: tensor<?xf64, #ta.format<[CU]>>, %y: tensor<?xf64>, %n: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    cin.forall %i {
      %0 = cin.access %a[%i] : tensor<?xf64, #ta.format<[CU]>> -> f64
      %1 = cin.access %b[%i] : tensor<?xf64, #ta.format<[CU]>> -> f64
      %2 = cin.unite add %0, %1 : f64
      cin.assign %2 to %y[%i] add : f64, tensor<?xf64>
    }
  }
  return
}

// The coordinates that both store. The one that is behind goes on by one, or where one of the two is much longer, to the other's coordinate.
// CHECK-LABEL: func.func @intersection(
// CHECK:      %[[A:.*]] = ta.values %arg0
// CHECK:      %[[B:.*]] = ta.values %arg1
// CHECK:      %[[LOPSIDED:.*]] = arith.cmpi slt
// CHECK:      scf.while (%{{.*}}, %{{.*}}) : (index, index) -> (index, index) {
// CHECK:        %[[SAME:.*]] = arith.cmpi eq
// CHECK-NEXT:   scf.if %[[SAME]] -> (index, index) {
// CHECK:          memref.load %[[A]]
// CHECK-NEXT:     memref.load %[[B]]
// CHECK-NEXT:     arith.mulf
// CHECK:        } else {
// CHECK:          scf.if %[[LOPSIDED]] -> (index, index) {
// CHECK:            scf.while
// CHECK:              arith.divui
// CHECK:          } else {
// CHECK:            arith.select
// CHECK-NOT:      memref.load
// CHECK:      return
func.func @intersection(%a: tensor<?xf64, #ta.format<[CU]>>, %b: tensor<?xf64, #ta.format<[CU]>>, %y: tensor<?xf64>, %n: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    cin.forall %i {
      %0 = cin.access %a[%i] : tensor<?xf64, #ta.format<[CU]>> -> f64
      %1 = cin.access %b[%i] : tensor<?xf64, #ta.format<[CU]>> -> f64
      %2 = cin.combine mul %0, %1 : f64
      cin.assign %2 to %y[%i] add : f64, tensor<?xf64>
    }
  }
  return
}

// Where something dense is added, the loop visits every coordinate and carries a cursor into the sparse operand.
// CHECK-LABEL: func.func @sparse_plus_dense(
// CHECK:      %[[A:.*]] = ta.values %arg0
// CHECK:      %[[B:.*]] = ta.values %arg1
// CHECK:      %[[Y:.*]] = ta.values %arg2
// CHECK:      scf.for %[[I:.*]] = %c0 to %arg3 step %c1 iter_args(%[[CURSOR:.*]] = %{{.*}}) -> (index) {
// CHECK:        scf.if %{{.*}} -> (index) {
// CHECK:          %[[NEXT:.*]] = arith.addi %[[CURSOR]], %c1 : index
// CHECK:          memref.load %[[A]][%[[CURSOR]]]
// CHECK:          memref.load %[[B]][%[[I]]]
// CHECK:          arith.addf
// CHECK:          scf.yield %[[NEXT]]
// CHECK:        } else {
// CHECK:          %[[ALONE:.*]] = memref.load %[[B]][%[[I]]]
// CHECK:          memref.store %[[ALONE]], %[[Y]][%[[I]]]
// CHECK:          scf.yield %[[CURSOR]]
func.func @sparse_plus_dense(%a: tensor<?xf64, #ta.format<[CU]>>, %b: tensor<?xf64>, %y: tensor<?xf64>, %n: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    cin.forall %i {
      %0 = cin.access %a[%i] : tensor<?xf64, #ta.format<[CU]>> -> f64
      %1 = cin.access %b[%i] : tensor<?xf64> -> f64
      %2 = cin.unite add %0, %1 : f64
      cin.assign %2 to %y[%i] set : f64, tensor<?xf64>
    }
  }
  return
}

// The words of a bit vector: on to one that has bits, the coordinate by the zeros below the lowest, which is then cleared.
// CHECK-LABEL: func.func @bits(
// CHECK:      %[[WORDS:.*]] = ta.coordinates %arg0, 0 : tensor<?xf64, #ta.format<[BV<64>]>> to memref<?xi64>
// CHECK:      %[[A:.*]] = ta.values %arg0
// CHECK:      %[[FIRST:.*]]:2 = scf.while
// CHECK:        memref.load %[[WORDS]]
// CHECK:      scf.while (%{{.*}} = %{{.*}}, %{{.*}} = %[[FIRST]]#0, %{{.*}} = %[[FIRST]]#1) : (index, index, i64) -> (index, index, i64)
// CHECK:      ^bb0(%[[POSITION:.*]]: index, %{{.*}}: index, %[[REST:.*]]: i64):
// CHECK-NEXT:   math.cttz %[[REST]] : i64
// CHECK:        arith.andi %[[REST]], %{{.*}} : i64
// CHECK:        scf.while
// CHECK:        memref.load %[[A]][%[[POSITION]]]
func.func @bits(%A: tensor<?xf64, #ta.format<[BV<64>]>>, %y: tensor<?xf64>, %n: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    cin.forall %i {
      %0 = cin.access %A[%i] : tensor<?xf64, #ta.format<[BV<64>]>> -> f64
      cin.assign %0 to %y[%i] add : f64, tensor<?xf64>
    }
  }
  return
}
