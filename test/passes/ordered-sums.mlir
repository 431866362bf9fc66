// `sums=ordered`: no partial sums, no lanes, and points in the order in which they come.

// RUN: %comet-opt %s --cin-scalar-promote=sums=ordered --cin-to-scf=sums=ordered | FileCheck %s
// RUN: %comet-opt %s --cin-scalar-promote --cin-to-scf | FileCheck %s --check-prefix=ANY
// RUN: not %comet-opt %s --cin-to-scf=sums=sorted 2>&1 | FileCheck %s --check-prefix=WRONG

// WRONG: option `sums` of `cin-to-scf`: expected `any-order` or `ordered`, found `sorted`

// The rows of A come to y again and again: with a scalar, sums of sums.
// CHECK-LABEL: func.func @reduced_further_out
// CHECK: scf.for %[[K:.*]] =
// CHECK:   scf.for %[[I:.*]] =
// CHECK:     scf.for %[[J:.*]] =
// CHECK:       %[[OLD:.*]] = memref.load %[[Y:.*]][%[[I]]]
// CHECK:       %[[NEW:.*]] = arith.addf %[[OLD]], %{{.*}} fastmath<contract>
// CHECK:       memref.store %[[NEW]], %[[Y]][%[[I]]]
// ANY-LABEL: func.func @reduced_further_out
// ANY: iter_args
// ANY: arith.addf %{{.*}} fastmath<reassoc,contract>
func.func @reduced_further_out(%A: tensor<?x?x?xf64>, %y: tensor<?xf64>, %n: index, %m: index, %p: index) {
  cin.compute {
    %k = cin.index_var "k" size %p
    %i = cin.index_var "i" size %n
    %j = cin.index_var "j" size %m
    cin.forall %k {
      cin.forall %i {
        cin.forall %j {
          %0 = cin.access %A[%k, %i, %j] : tensor<?x?x?xf64> -> f64
          cin.assign %0 to %y[%i] add : f64, tensor<?xf64>
        }
      }
    }
  }
  return
}

// A mark of a schedule does not bring lanes.
// CHECK-LABEL: func.func @row_sums
// CHECK-NOT: vector
// CHECK: arith.addf %{{.*}}, %{{.*}} fastmath<contract> : f64
// CHECK-LABEL: func.func @points
// ANY-LABEL: func.func @row_sums
// ANY: vector<8xf64>
func.func @row_sums(%A: tensor<?x?xf64>, %y: tensor<?xf64>, %n: index, %m: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    %j = cin.index_var "j" size %m
    cin.forall %i {
      cin.forall %j vectorize 8 {
        %0 = cin.access %A[%i, %j] : tensor<?x?xf64> -> f64
        cin.assign %0 to %y[%i] add : f64, tensor<?xf64>
      }
    }
  }
  return
}

// CHECK: ta.points_begin %{{.*}} "add" "sequence" 50 :
// ANY: ta.points_begin %{{.*}} "add" "hash" 50 :
func.func @points(%A: tensor<?x?xf64, #ta.format<[D, CU]>>, %C: tensor<?xf64, #ta.format<[CU]>>, %n: index, %m: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    %j = cin.index_var "j" size %m
    %w = cin.temporary "w" hash 50 : tensor<?xf64, #ta.format<[CU]>>
    cin.where {
      cin.forall %j {
        %1 = cin.access %w[%j] : tensor<?xf64, #ta.format<[CU]>> -> f64
        cin.assign %1 to %C[%j] set concordant : f64, tensor<?xf64, #ta.format<[CU]>>
      }
    } producer {
      cin.forall %i {
        cin.forall %j {
          %0 = cin.access %A[%i, %j] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
          cin.assign %0 to %w[%j] add : f64, tensor<?xf64, #ta.format<[CU]>>
        }
      }
    }
  }
  return
}
