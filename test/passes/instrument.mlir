// With `instrument=workspace` the loops count what comes to a dense workspace, which reports each use before it is
// emptied; points are counted under the name of the tensor that they are packed into.

// RUN: %comet-opt %s --cin-to-scf=instrument=workspace --canonicalize --cse | FileCheck %s
// RUN: %comet-opt %s --cin-to-scf=instrument=nothing | FileCheck %s --check-prefix=NOTHING --implicit-check-not=count
// RUN: sh -c '%comet-opt %s --cin-to-scf=instrument=cache; test $? = 1' 2>&1 | FileCheck %s --check-prefix=WRONG

// NOTHING: ta.points_begin

// WRONG: option `instrument` of `cin-to-scf`: expected `workspace` or `nothing`, found `cache`

!csr = tensor<?x?xf64, #ta.format<[D, CU]>>
!csc = tensor<?x?xf64, #ta.format<[d1 : D, d0 : CU]>>
!integers = tensor<?x?xi64, #ta.format<[D, CU]>>

// A value, a mark and a coordinate are 13 bytes.
// CHECK-LABEL: func.func @drain
// CHECK-DAG: %[[EACH:.*]] = arith.constant 13 : index
// CHECK: %[[BYTES:.*]] = arith.muli %{{.*}}, %[[EACH]] : index
// CHECK: ta.collect_marked
// CHECK: ta.count_dense "w" of %[[BYTES]], %{{.*}} to %{{.*}} sorted
func.func @drain(%A: !csr, %B: !csr, %C: !csr, %n: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    %k = cin.index_var "k" size %n
    %j = cin.index_var "j" size %n
    cin.forall %i {
      %w = cin.temporary "w" dense : tensor<?xf64>
      cin.where {
        cin.forall %j {
          %3 = cin.access %w[%j] : tensor<?xf64> -> f64
          cin.assign %3 to %C[%i, %j] set : f64, !csr
        }
      } producer {
        cin.forall %k {
          cin.forall %j {
            %0 = cin.access %A[%i, %k] : !csr -> f64
            %1 = cin.access %B[%k, %j] : !csr -> f64
            %2 = cin.combine mul %0, %1 : f64
            cin.assign %2 to %w[%j] add : f64, tensor<?xf64>
          }
        }
      }
    }
  }
  return
}

// As many are those of an integer.
// CHECK-LABEL: func.func @drain_integers
// CHECK-DAG: %[[EACH:.*]] = arith.constant 13 : index
// CHECK: %[[BYTES:.*]] = arith.muli %{{.*}}, %[[EACH]] : index
// CHECK: ta.count_dense "w" of %[[BYTES]],
func.func @drain_integers(%A: !integers, %C: !integers, %n: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    %j = cin.index_var "j" size %n
    cin.forall %i {
      %w = cin.temporary "w" dense : tensor<?xi64>
      cin.where {
        cin.forall %j {
          %1 = cin.access %w[%j] : tensor<?xi64> -> i64
          cin.assign %1 to %C[%i, %j] set : i64, !integers
        }
      } producer {
        cin.forall %j {
          %0 = cin.access %A[%i, %j] : !integers -> i64
          cin.assign %0 to %w[%j] add : i64, tensor<?xi64>
        }
      }
    }
  }
  return
}

// A workspace that is looked up reports a use before the next, and the last after the loops.
// CHECK-LABEL: func.func @looked_up
// CHECK: scf.for
// CHECK: ta.count_dense "w" of %{{.*}}, %{{.*}} to %{{[^ ]*$}}
// CHECK: ta.count_dense "w" of %{{.*}}, %{{.*}} to %{{[^ ]*$}}
func.func @looked_up(%A: !csr, %C: !csr, %n: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    %j = cin.index_var "j" size %n
    cin.forall %i {
      %w = cin.temporary "w" dense : tensor<?xf64>
      cin.where {
        cin.forall %j {
          %3 = cin.access %w[%j] : tensor<?xf64> -> f64
          %4 = cin.access %A[%i, %j] : !csr -> f64
          %5 = cin.combine mul %3, %4 : f64
          cin.assign %5 to %C[%i, %j] set : f64, !csr
        }
      } producer {
        cin.forall %j {
          %0 = cin.access %A[%i, %j] : !csr -> f64
          cin.assign %0 to %w[%j] add : f64, tensor<?xf64>
        }
      }
    }
  }
  return
}

// CHECK-LABEL: func.func @collect
// CHECK-SAME: %[[C:[a-zA-Z0-9]*]]: tensor<?x?xf64, #ta.format<[d1 : D, d0 : CU]>>
// CHECK: ta.points_begin %[[C]] "add" "list" counted
func.func @collect(%C: !csc, %A: !csr, %n: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    %j = cin.index_var "j" size %n
    cin.forall %i {
      cin.forall %j {
        %0 = cin.access %A[%i, %j] : !csr -> f64
        cin.assign %0 to %C[%i, %j] add : f64, !csc
      }
    }
  }
  ta.convert %A to %C permutation [0, 1] : !csr to !csc
  return
}
