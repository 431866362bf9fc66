// A split's halves in either order, and vectorized loops that have no block around them: every value is visited once.

// RUN: %comet-opt %s --cin-to-scf --canonicalize --cse | FileCheck %s --implicit-check-not=cin. --implicit-check-not=vector

// The last block ends where the variable ends.
// CHECK-LABEL: func.func @outer_first(
// CHECK-SAME: %[[N:[^:]*]]: index
// CHECK-DAG: %[[ROUNDED:.*]] = arith.addi %[[N]], %c15
// CHECK:     %[[BLOCKS:.*]] = arith.divui %[[ROUNDED]], %c16
// CHECK:     scf.for %[[O:.*]] = %c0 to %[[BLOCKS]]
// CHECK:       %[[FIRST:.*]] = arith.muli %[[O]], %c16
// CHECK:       %[[LEFT:.*]] = arith.subi %[[N]], %[[FIRST]]
// CHECK:       %[[END:.*]] = arith.minsi %[[LEFT]], %c16
// CHECK:       scf.for %{{.*}} = %c0 to %[[END]]
func.func @outer_first(%n: index, %x: tensor<?xf64>, %y: tensor<?xf64>) {
  cin.compute {
    %i = cin.index_var "i" size %n
    %io, %ii = cin.split %i by 16 names "io", "ii"
    cin.forall %io {
      cin.forall %ii {
        %0 = cin.access %x[%i] : tensor<?xf64> -> f64
        cin.assign %0 to %y[%i] set : f64, tensor<?xf64>
      }
    }
  }
  return
}

// Only so many blocks as reach as far as the inner half has got.
// CHECK-LABEL: func.func @inner_first(
// CHECK-SAME: %[[N:[^:]*]]: index
// CHECK:     %[[END:.*]] = arith.minsi %[[N]], %c16
// CHECK:     scf.for %[[I:.*]] = %c0 to %[[END]]
// CHECK:       %[[LEFT:.*]] = arith.subi %[[N]], %[[I]]
// CHECK:       %[[ROUNDED:.*]] = arith.addi %[[LEFT]], %c15
// CHECK:       %[[BLOCKS:.*]] = arith.divui %[[ROUNDED]], %c16
// CHECK:       scf.for %{{.*}} = %c0 to %[[BLOCKS]]
func.func @inner_first(%n: index, %x: tensor<?xf64>, %y: tensor<?xf64>) {
  cin.compute {
    %i = cin.index_var "i" size %n
    %io, %ii = cin.split %i by 16 names "io", "ii"
    cin.forall %ii vectorize 16 {
      cin.forall %io {
        %0 = cin.access %x[%i] : tensor<?xf64> -> f64
        cin.assign %0 to %y[%i] set : f64, tensor<?xf64>
      }
    }
  }
  return
}

// CHECK-LABEL: func.func @no_block(
// CHECK-SAME: %[[N:[^:]*]]: index
// CHECK:     scf.for %[[I:.*]] = %c0 to %[[N]] step %c1 {
// CHECK:       %[[X:.*]] = memref.load %{{.*}}[%[[I]]]
// CHECK:       memref.store %[[X]], %{{.*}}[%[[I]]]
func.func @no_block(%n: index, %x: tensor<?xf64>, %y: tensor<?xf64>) {
  cin.compute {
    %i = cin.index_var "i" size %n
    cin.forall %i vectorize 8 {
      %0 = cin.access %x[%i] : tensor<?xf64> -> f64
      cin.assign %0 to %y[%i] set : f64, tensor<?xf64>
    }
  }
  return
}
