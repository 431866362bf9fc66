// Scalars that results are set to.

// RUN: %comet-opt %s --cin-scalar-promote | FileCheck %s

// Where the statement before has cleared the target, the `add` becomes a `set`, and the clearing goes.
// CHECK:      func.func @cleared(%[[ARG0:[a-z0-9_]+]]: tensor<?x?xf64, #ta.format<[D, CU]>>, %[[ARG1:[a-z0-9_]+]]: tensor<?xf64>, %[[ARG2:[a-z0-9_]+]]: index, %[[ARG3:[a-z0-9_]+]]: index) {
// CHECK-NEXT:   %[[CST:[a-z0-9_]+]] = arith.constant 0.000000e+00 : f64
// CHECK-NEXT:   cin.compute {
// CHECK-NEXT:     %[[V0:[a-z0-9_]+]] = cin.index_var "i" size %[[ARG2]]
// CHECK-NEXT:     %[[V1:[a-z0-9_]+]] = cin.index_var "j" size %[[ARG3]]
// CHECK-NEXT:     cin.forall %[[V0]] {
// CHECK-NEXT:       %[[V2:[a-z0-9_]+]] = cin.temporary "t" scalar : tensor<f64>
// CHECK-NEXT:       cin.where {
// CHECK-NEXT:         %[[V3:[a-z0-9_]+]] = cin.access %[[V2]][] : tensor<f64> -> f64
// CHECK-NEXT:         cin.assign %[[V3]] to %[[ARG1]][%[[V0]]] set : f64, tensor<?xf64>
// CHECK-NEXT:       } producer {
// CHECK-NEXT:         cin.forall %[[V1]] {
// CHECK-NEXT:           %[[V3]] = cin.access %[[ARG0]][%[[V0]], %[[V1]]] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
// CHECK-NEXT:           cin.assign %[[V3]] to %[[V2]][] add : f64, tensor<f64>
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   return
func.func @cleared(%A: tensor<?x?xf64, #ta.format<[D, CU]>>, %y: tensor<?xf64>, %n: index, %m: index) {
  %zero = arith.constant 0.0 : f64
  cin.compute {
    %i = cin.index_var "i" size %n
    cin.forall %i {
      cin.assign %zero to %y[%i] set : f64, tensor<?xf64>
    }
  }
  cin.compute {
    %i = cin.index_var "i" size %n
    %j = cin.index_var "j" size %m
    cin.forall %i {
      cin.forall %j {
        %0 = cin.access %A[%i, %j] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
        cin.assign %0 to %y[%i] add : f64, tensor<?xf64>
      }
    }
  }
  return
}
