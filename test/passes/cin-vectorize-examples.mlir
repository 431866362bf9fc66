// Vectors along the rows of sparse results.

// RUN: %comet-opt %s --cin-vectorize | FileCheck %s

// Where the innermost level of a result that is appended to is dense, scalars that hold sums become registers.
// CHECK:      func.func @appended(%[[ARG0:[a-z0-9_]+]]: tensor<?x?xf64, #ta.format<[CU, CU]>>, %[[ARG1:[a-z0-9_]+]]: tensor<?x?xf64>, %[[ARG2:[a-z0-9_]+]]: tensor<?x?xf64, #ta.format<[CU, D]>>, %[[ARG3:[a-z0-9_]+]]: index, %[[ARG4:[a-z0-9_]+]]: index, %[[ARG5:[a-z0-9_]+]]: index) {
// CHECK-NEXT:   cin.compute {
// CHECK-NEXT:     %[[V0:[a-z0-9_]+]] = cin.index_var "i" size %[[ARG3]]
// CHECK-NEXT:     %[[V1:[a-z0-9_]+]] = cin.index_var "r" size %[[ARG5]]
// CHECK-NEXT:     %[[OUTER:[a-z0-9_]+]], %[[INNER:[a-z0-9_]+]] = cin.split %[[V1]] by 32 names "rb", "rv"
// CHECK-NEXT:     %[[V2:[a-z0-9_]+]] = cin.index_var "j" size %[[ARG4]]
// CHECK-NEXT:     cin.forall %[[V0]] {
// CHECK-NEXT:       cin.forall %[[OUTER]] {
// CHECK-NEXT:         %[[V3:[a-z0-9_]+]] = cin.temporary "t" registers : tensor<32xf64>
// CHECK-NEXT:         cin.where {
// CHECK-NEXT:           cin.forall %[[INNER]] vectorize 32 {
// CHECK-NEXT:             %[[V4:[a-z0-9_]+]] = cin.access %[[V3]][%[[INNER]]] : tensor<32xf64> -> f64
// CHECK-NEXT:             cin.assign %[[V4]] to %[[ARG2]][%[[V0]], %[[V1]]] set concordant : f64, tensor<?x?xf64, #ta.format<[CU, D]>>
// CHECK-NEXT:           }
// CHECK-NEXT:         } producer {
// CHECK-NEXT:           cin.forall %[[V2]] {
// CHECK-NEXT:             cin.forall %[[INNER]] vectorize 32 {
// CHECK-NEXT:               %[[V4]] = cin.access %[[ARG0]][%[[V0]], %[[V2]]] : tensor<?x?xf64, #ta.format<[CU, CU]>> -> f64
// CHECK-NEXT:               %[[V5:[a-z0-9_]+]] = cin.access %[[ARG1]][%[[V2]], %[[V1]]] : tensor<?x?xf64> -> f64
// CHECK-NEXT:               %[[V6:[a-z0-9_]+]] = cin.combine mul %[[V4]], %[[V5]] : f64
// CHECK-NEXT:               cin.assign %[[V6]] to %[[V3]][%[[INNER]]] add : f64, tensor<32xf64>
// CHECK-NEXT:             }
// CHECK-NEXT:           }
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   return
func.func @appended(%A: tensor<?x?xf64, #ta.format<[CU, CU]>>, %B: tensor<?x?xf64>, %C: tensor<?x?xf64, #ta.format<[CU, D]>>, %n: index, %m: index, %p: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    %r = cin.index_var "r" size %p
    %j = cin.index_var "j" size %m
    cin.forall %i {
      cin.forall %r {
        %t = cin.temporary "t" scalar : tensor<f64>
        cin.where {
          %3 = cin.access %t[] : tensor<f64> -> f64
          cin.assign %3 to %C[%i, %r] set concordant : f64, tensor<?x?xf64, #ta.format<[CU, D]>>
        } producer {
          cin.forall %j {
            %0 = cin.access %A[%i, %j] : tensor<?x?xf64, #ta.format<[CU, CU]>> -> f64
            %1 = cin.access %B[%j, %r] : tensor<?x?xf64> -> f64
            %2 = cin.combine mul %0, %1 : f64
            cin.assign %2 to %t[] add : f64, tensor<f64>
          }
        }
      }
    }
  }
  return
}
