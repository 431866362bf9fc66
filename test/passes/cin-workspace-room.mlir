// Rows of tensors that store no index densely have a dense workspace where an operand stores as many entries as a row has elements: both ways
// are there, and the number of entries decides when the program runs.

// RUN: %comet-opt %s --cin-workspace | FileCheck %s

!dcsr = tensor<?x?xf64, #ta.format<[CU, CU]>>

// CHECK-LABEL: func.func @product
// CHECK-SAME: (%[[A:.*]]: tensor{{.*}}, %[[B:.*]]: tensor{{.*}}, %{{.*}}: tensor{{.*}}, %[[N:.*]]: index)
// CHECK: %[[VALUES:.*]] = ta.values %[[A]]
// CHECK: %[[COUNT:.*]] = memref.dim %[[VALUES]]
// CHECK: %[[FIRST:.*]] = arith.maxsi %{{.*}}, %[[COUNT]]
// CHECK: ta.values %[[B]]
// CHECK: %[[MOST:.*]] = arith.maxsi %[[FIRST]], %{{.*}}
// CHECK: %[[HAS_ROOM:.*]] = arith.cmpi sle, %[[N]], %[[MOST]]
// CHECK: scf.if %[[HAS_ROOM]] {
// CHECK: cin.temporary "w" dense
// CHECK: } else {
// CHECK: cin.temporary "points" hash
func.func @product(%A: !dcsr, %B: !dcsr, %C: !dcsr, %n: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    %k = cin.index_var "k" size %n
    %j = cin.index_var "j" size %n
    cin.forall %i {
      cin.forall %k {
        cin.forall %j {
          %0 = cin.access %A[%i, %k] : !dcsr -> f64
          %1 = cin.access %B[%k, %j] : !dcsr -> f64
          %2 = cin.combine mul %0, %1 : f64
          cin.assign %2 to %C[%i, %j] add : f64, !dcsr
        }
      }
    }
  }
  return
}

// What comes in order needs no workspace at all.
// CHECK-LABEL: func.func @copy
// CHECK-NOT: cin.temporary
func.func @copy(%A: !dcsr, %C: !dcsr, %n: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    %j = cin.index_var "j" size %n
    cin.forall %i {
      cin.forall %j {
        %0 = cin.access %A[%i, %j] : !dcsr -> f64
        cin.assign %0 to %C[%i, %j] add : f64, !dcsr
      }
    }
  }
  return
}
