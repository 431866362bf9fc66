// Where the rows of a sparse result are scattered into, a dense workspace takes them; other sparse results stay as they are.

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
