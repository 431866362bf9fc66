// Where the rows of a sparse result are scattered into, or small slices of it, a dense workspace takes them; other sparse results are
// collected as points, or stay as they are.

// What `cin-order` has said before holds for the workspace then.

// RUN: %comet-opt %s --cin-workspace | FileCheck %s
// RUN: %comet-opt %s --cin-order --cin-workspace | FileCheck %s --check-prefix=ORDER

!csr = tensor<?x?xf64, #ta.format<[D, CU]>>
!csc = tensor<?x?xf64, #ta.format<[d1 : D, d0 : CU]>>

// Two terms share one workspace.
// CHECK-LABEL: func.func @rows
func.func @rows(%A: !csr, %B: !csr, %C: !csr, %n: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    %k = cin.index_var "k" size %n
    %j = cin.index_var "j" size %n
    // CHECK: cin.forall %[[I:.*]] {
    // CHECK-NEXT: %[[W:.*]] = cin.temporary "w" dense : tensor<?xf64>
    // CHECK-NEXT: cin.where {
    // CHECK-NEXT: cin.forall %[[J:.*]] {
    // CHECK-NEXT: %[[V:.*]] = cin.access %[[W]][%[[J]]]
    // CHECK-NEXT: cin.assign %[[V]] to %{{.*}}[%[[I]], %[[J]]] set concordant :
    // CHECK: } producer {
    cin.forall %i {
      // CHECK: cin.forall %[[K:.*]] {
      cin.forall %k {
        // CHECK: cin.forall %[[J]] {
        cin.forall %j {
          %0 = cin.access %A[%i, %k] : !csr -> f64
          %1 = cin.access %B[%k, %j] : !csr -> f64
          %2 = cin.combine mul %0, %1 : f64
          // CHECK: cin.assign %{{.*}} to %[[W]][%[[J]]] add
          cin.assign %2 to %C[%i, %j] add : f64, !csr
        }
      }
      // CHECK: cin.forall %[[J]] {
      cin.forall %j {
        %3 = cin.access %A[%i, %j] : !csr -> f64
        // CHECK: cin.assign %{{.*}} to %[[W]][%[[J]]] add
        cin.assign %3 to %C[%i, %j] add : f64, !csr
      }
    }
  }
  return
}

// The loops are not those of the columns: points are collected, and packed.
// CHECK-LABEL: func.func @columns
// CHECK: %[[W:.*]] = cin.temporary "points" hash : tensor<?x?xf64, #ta.format<[d1 : D, d0 : CU]>>
// CHECK: cin.where {
// CHECK-NEXT: cin.forall %[[J:.*]] {
// CHECK-NEXT: cin.forall %[[I:.*]] {
// CHECK-NEXT: cin.access %[[W]][%[[I]], %[[J]]] order [%[[J]], %[[I]]] :
// CHECK-NEXT: cin.assign %{{.*}} to %{{.*}}[%[[I]], %[[J]]] order [%[[J]], %[[I]]] set concordant :
// CHECK: } producer {
// CHECK-NEXT: cin.forall %[[I]] {
// CHECK-NEXT: cin.forall %[[J]] {
// CHECK: cin.assign %{{.*}} to %[[W]][%[[I]], %[[J]]] order [%[[J]], %[[I]]] add :
// ORDER: cin.assign %{{.*}} to %{{.*}} order {{.*}} set concordant :
// ORDER: cin.assign %{{.*}} to %{{.*}} order {{.*}} add discordant header [i, j] -> [j, i] :
func.func @columns(%A: !csr, %C: !csc, %n: index) {
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
  return
}

// Each element is assigned once.
// CHECK-LABEL: func.func @in_order
// CHECK-NOT: cin.temporary
func.func @in_order(%A: !csr, %C: !csr, %n: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    %j = cin.index_var "j" size %n
    cin.forall %i {
      cin.forall %j {
        %0 = cin.access %A[%i, %j] : !csr -> f64
        cin.assign %0 to %C[%i, %j] set : f64, !csr
      }
    }
  }
  return
}

// Slices of two levels whose extents are known and small go through a workspace of two.
// CHECK-LABEL: func.func @slices
// CHECK: cin.forall %[[I:.*]] {
// CHECK-NEXT: %[[W:.*]] = cin.temporary "w" dense : tensor<?x?xf64>
// CHECK-NEXT: cin.where {
// CHECK-NEXT: cin.forall %[[L:.*]] {
// CHECK-NEXT: cin.forall %[[J:.*]] {
// CHECK-NEXT: %[[V:.*]] = cin.access %[[W]][%[[L]], %[[J]]] : tensor<?x?xf64> -> f64
// CHECK-NEXT: cin.assign %[[V]] to %{{.*}}[%[[I]], %[[J]], %[[L]]] order [%[[I]], %[[L]], %[[J]]] set concordant :
// CHECK: } producer {
// CHECK-NEXT: cin.forall %[[K:.*]] {
// CHECK: cin.assign %{{.*}} to %[[W]][%[[L]], %[[J]]] add : f64, tensor<?x?xf64>
func.func @slices(%A: !csr, %B: tensor<?x?x?xf64, #ta.format<[CU, CU, CU]>>, %C: tensor<?x?x?xf64, #ta.format<[d0 : CU, d2 : D, d1 : CU]>>, %n: index) {
  %c1024 = arith.constant 1024 : index
  cin.compute {
    %i = cin.index_var "i" size %n
    %k = cin.index_var "k" size %n
    %j = cin.index_var "j" size %c1024
    %l = cin.index_var "l" size %c1024
    cin.forall %i {
      cin.forall %k {
        cin.forall %j {
          cin.forall %l {
            %0 = cin.access %A[%i, %k] : !csr -> f64
            %1 = cin.access %B[%k, %j, %l] : tensor<?x?x?xf64, #ta.format<[CU, CU, CU]>> -> f64
            %2 = cin.combine mul %0, %1 : f64
            cin.assign %2 to %C[%i, %j, %l] add : f64, tensor<?x?x?xf64, #ta.format<[d0 : CU, d2 : D, d1 : CU]>>
          }
        }
      }
    }
  }
  return
}

// Where they are larger, points are looked up.
// CHECK-LABEL: func.func @large_slices
// CHECK: cin.temporary "points" hash
func.func @large_slices(%A: !csr, %B: tensor<?x?x?xf64, #ta.format<[CU, CU, CU]>>, %C: tensor<?x?x?xf64, #ta.format<[CU, CU, CU]>>, %n: index) {
  %c1024 = arith.constant 1024 : index
  %c1025 = arith.constant 1025 : index
  cin.compute {
    %i = cin.index_var "i" size %n
    %k = cin.index_var "k" size %n
    %j = cin.index_var "j" size %c1024
    %l = cin.index_var "l" size %c1025
    cin.forall %i {
      cin.forall %k {
        cin.forall %j {
          cin.forall %l {
            %0 = cin.access %A[%i, %k] : !csr -> f64
            %1 = cin.access %B[%k, %j, %l] : tensor<?x?x?xf64, #ta.format<[CU, CU, CU]>> -> f64
            %2 = cin.combine mul %0, %1 : f64
            cin.assign %2 to %C[%i, %j, %l] add : f64, tensor<?x?x?xf64, #ta.format<[CU, CU, CU]>>
          }
        }
      }
    }
  }
  return
}
