// Code for single loops, in full.

// RUN: %comet-opt %s --cin-to-scf | FileCheck %s

// A loop that runs in tasks, of which a schedule says how many there are at most.
// CHECK:      func.func @tasks(%[[ARG0:[a-z0-9_]+]]: tensor<?xf64>, %[[ARG1:[a-z0-9_]+]]: tensor<?xf64>, %[[ARG2:[a-z0-9_]+]]: index) {
// CHECK-NEXT:   %[[C1:[a-z0-9_]+]] = arith.constant 1 : index
// CHECK-NEXT:   %[[C4:[a-z0-9_]+]] = arith.constant 4 : index
// CHECK-NEXT:   %[[V0:[a-z0-9_]+]] = ta.values %[[ARG0]] : tensor<?xf64> to memref<?xf64>
// CHECK-NEXT:   %[[V1:[a-z0-9_]+]] = ta.values %[[ARG1]] : tensor<?xf64> to memref<?xf64>
// CHECK-NEXT:   %[[C0:[a-z0-9_]+]] = arith.constant 0 : index
// CHECK-NEXT:   %[[V2:[a-z0-9_]+]] = arith.subi %[[ARG2]], %[[C0]] : index
// CHECK-NEXT:   %[[V3:[a-z0-9_]+]] = arith.minsi %[[V2]], %[[C4]] : index
// CHECK-NEXT:   %[[V4:[a-z0-9_]+]] = arith.maxsi %[[V3]], %[[C1]] : index
// CHECK-NEXT:   scf.parallel (%[[ARG3:[a-z0-9_]+]]) = (%[[C0]]) to (%[[V4]]) step (%[[C1]]) {
// CHECK-NEXT:     %[[V5:[a-z0-9_]+]] = arith.addi %[[ARG3]], %[[C1]] : index
// CHECK-NEXT:     %[[V6:[a-z0-9_]+]] = arith.muli %[[ARG3]], %[[V2]] : index
// CHECK-NEXT:     %[[V7:[a-z0-9_]+]] = arith.divui %[[V6]], %[[V4]] : index
// CHECK-NEXT:     %[[V8:[a-z0-9_]+]] = arith.addi %[[C0]], %[[V7]] : index
// CHECK-NEXT:     %[[V9:[a-z0-9_]+]] = arith.muli %[[V5]], %[[V2]] : index
// CHECK-NEXT:     %[[V10:[a-z0-9_]+]] = arith.divui %[[V9]], %[[V4]] : index
// CHECK-NEXT:     %[[V11:[a-z0-9_]+]] = arith.addi %[[C0]], %[[V10]] : index
// CHECK-NEXT:     scf.for %[[ARG4:[a-z0-9_]+]] = %[[V8]] to %[[V11]] step %[[C1]] {
// CHECK-NEXT:       %[[V12:[a-z0-9_]+]] = memref.load %[[V0]][%[[ARG4]]] : memref<?xf64>
// CHECK-NEXT:       memref.store %[[V12]], %[[V1]][%[[ARG4]]] : memref<?xf64>
// CHECK-NEXT:     }
// CHECK-NEXT:     scf.reduce
// CHECK-NEXT:   }
// CHECK-NEXT:   return
func.func @tasks(%x: tensor<?xf64>, %y: tensor<?xf64>, %n: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    cin.forall %i parallel cpu tasks 4 {
      %0 = cin.access %x[%i] : tensor<?xf64> -> f64
      cin.assign %0 to %y[%i] set : f64, tensor<?xf64>
    }
  }
  return
}

// A loop over blocks of lanes, the last of which ends early.
// CHECK:      func.func @lanes(%[[ARG0:[a-z0-9_]+]]: tensor<?xf64>, %[[ARG1:[a-z0-9_]+]]: tensor<?xf64>, %[[ARG2:[a-z0-9_]+]]: index) {
// CHECK-NEXT:   %[[C8:[a-z0-9_]+]] = arith.constant 8 : index
// CHECK-NEXT:   %[[V0:[a-z0-9_]+]] = ta.values %[[ARG0]] : tensor<?xf64> to memref<?xf64>
// CHECK-NEXT:   %[[V1:[a-z0-9_]+]] = ta.values %[[ARG1]] : tensor<?xf64> to memref<?xf64>
// CHECK-NEXT:   %[[C0:[a-z0-9_]+]] = arith.constant 0 : index
// CHECK-NEXT:   %[[V2:[a-z0-9_]+]] = arith.remui %[[ARG2]], %[[C8]] : index
// CHECK-NEXT:   %[[V3:[a-z0-9_]+]] = arith.subi %[[ARG2]], %[[V2]] : index
// CHECK-NEXT:   scf.for %[[ARG3:[a-z0-9_]+]] = %[[C0]] to %[[V3]] step %[[C8]] {
// CHECK-NEXT:     %[[V4:[a-z0-9_]+]] = vector.load %[[V0]][%[[ARG3]]] : memref<?xf64>, vector<8xf64>
// CHECK-NEXT:     vector.store %[[V4]], %[[V1]][%[[ARG3]]] : memref<?xf64>, vector<8xf64>
// CHECK-NEXT:   }
// CHECK-NEXT:   scf.for %[[ARG3]] = %[[V3]] to %[[ARG2]] step %[[C8]] {
// CHECK-NEXT:     %[[V4]] = arith.subi %[[ARG2]], %[[ARG3]] : index
// CHECK-NEXT:     %[[V5:[a-z0-9_]+]] = vector.create_mask %[[V4]] : vector<8xi1>
// CHECK-NEXT:     %[[CST:[a-z0-9_]+]] = arith.constant 0.000000e+00 : f64
// CHECK-NEXT:     %[[V6:[a-z0-9_]+]] = vector.broadcast %[[CST]] : f64 to vector<8xf64>
// CHECK-NEXT:     %[[V7:[a-z0-9_]+]] = vector.maskedload %[[V0]][%[[ARG3]]], %[[V5]], %[[V6]] : memref<?xf64>, vector<8xi1>, vector<8xf64> into vector<8xf64>
// CHECK-NEXT:     vector.maskedstore %[[V1]][%[[ARG3]]], %[[V5]], %[[V7]] : memref<?xf64>, vector<8xi1>, vector<8xf64>
// CHECK-NEXT:   }
// CHECK-NEXT:   return
func.func @lanes(%x: tensor<?xf64>, %y: tensor<?xf64>, %n: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    %ib, %iv = cin.split %i by 8 names "ib", "iv"
    cin.forall %ib {
      cin.forall %iv vectorize 8 {
        %0 = cin.access %x[%i] : tensor<?xf64> -> f64
        cin.assign %0 to %y[%i] set : f64, tensor<?xf64>
      }
    }
  }
  return
}
