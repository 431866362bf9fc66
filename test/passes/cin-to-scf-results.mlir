// Sparse results are appended to in storage order, drained from a dense workspace, or collected as points.

// RUN: %comet-opt %s --cin-to-scf --canonicalize --cse | FileCheck %s

!csr = tensor<?x?xf64, #ta.format<[D, CU]>>
!csc = tensor<?x?xf64, #ta.format<[d1 : D, d0 : CU]>>
!coo = tensor<?x?xf64, #ta.format<[CN, S]>>

// There is room for what A stores before the loops begin.
// CHECK-LABEL: func.func @append
// CHECK: %[[CRD:.*]] = ta.coordinates %{{.*}}, 1
// CHECK: ta.append_begin %[[C:.*]] : tensor
// CHECK: %[[STORED:.*]] = memref.dim %[[CRD]], %{{.*}} : memref<?xi32>
// CHECK: %[[MOST:.*]] = arith.minsi %[[STORED]], %{{.*}} : index
// CHECK: ta.append_grow %[[C]], 1 beyond %[[MOST]]
// CHECK: scf.for
// CHECK: scf.for
// CHECK: %[[FULL:.*]] = arith.cmpi sge
// CHECK: scf.if %[[FULL]] {
// CHECK-NEXT: ta.append_grow %[[C]], 1 beyond
// CHECK: scf.if
// CHECK: memref.store {{.*}} : memref<?xi32>
// The positions of a row end after its loop.
// CHECK: memref.store {{.*}} : memref<?xi32>
// CHECK: ta.append_end %[[C]] after[%{{.*}}] : tensor
func.func @append(%A: !csr, %C: !csr, %n: index) {
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

// Both levels of COO take their coordinate when a value is stored.
// CHECK-LABEL: func.func @append_pairs
// CHECK: ta.append_begin %[[C:.*]] : tensor
// CHECK: ta.append_grow %[[C]], 0 beyond
// CHECK: ta.append_end %[[C]] after[%{{.*}}] : tensor
func.func @append_pairs(%A: !csr, %C: !coo, %n: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    %j = cin.index_var "j" size %n
    cin.forall %i {
      cin.forall %j {
        %0 = cin.access %A[%i, %j] : !csr -> f64
        cin.assign %0 to %C[%i, %j] set : f64, !coo
      }
    }
  }
  return
}

// A sum has at most what its terms store together, a product what one of its factors does; an operand that
// comes twice counts once.
// CHECK-LABEL: func.func @room
// CHECK-DAG: %[[A:.*]] = memref.dim %{{.*}}, %{{.*}} : memref<?xi32>
// CHECK: %[[FACTORS:.*]] = arith.minsi
// CHECK: %[[TERMS:.*]] = arith.addi %{{.*}}, %{{.*}} : index
// CHECK-NOT: arith.addi
// CHECK: arith.minsi %[[TERMS]]
// CHECK: ta.append_grow
func.func @room(%A: !csr, %B: !csr, %C: !csr, %n: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    %j = cin.index_var "j" size %n
    cin.forall %i {
      cin.forall %j {
        %0 = cin.access %A[%i, %j] : !csr -> f64
        %1 = cin.access %B[%i, %j] : !csr -> f64
        %2 = cin.combine mul %0, %1 : f64
        %3 = cin.add %2, %0 : f64
        %4 = cin.add %3, %0 : f64
        cin.assign %4 to %C[%i, %j] set : f64, !csr
      }
    }
  }
  return
}

// Nothing bounds how much comes to C: there is room for a multiple of what A and B store.
// CHECK-LABEL: func.func @drain
// CHECK: ta.append_begin %[[C:.*]] : tensor
// CHECK: %[[STORED:.*]] = arith.addi
// CHECK: %[[GUESS:.*]] = arith.muli
// CHECK: %[[ROOM:.*]] = arith.minsi %[[GUESS]],
// CHECK: %[[FITTING:.*]] = arith.minsi %[[ROOM]],
// CHECK: ta.append_grow %[[C]], 1 beyond %[[FITTING]]
// CHECK: ta.workspace %[[C]], [%{{.*}}] : {{.*}} to memref<?xf64>
// CHECK: %[[MARKS:.*]] = ta.workspace %[[C]], [%{{.*}}] : {{.*}} to memref<?xi8>
// CHECK: %[[TOUCHED:.*]] = ta.workspace %[[C]], [%{{.*}}] : {{.*}} to memref<?xi32>
// The loops that fill the workspace make no room in the result.
// CHECK-NOT: ta.append_grow
// CHECK: ta.sort_touched %[[TOUCHED]], %{{.*}} by %[[MARKS]]
// CHECK: ta.append_grow
// CHECK: ta.append_end %[[C]]
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

// CHECK-LABEL: func.func @collect
// CHECK: ta.points_begin %[[C:.*]] "add" "list" : tensor
// CHECK: ta.insert %{{.*}} to %[[C]][%{{.*}}, %{{.*}}] : f64, tensor
// CHECK: ta.points_end %[[C]] : tensor
func.func @collect(%A: !csr, %C: !csc, %n: index) {
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

// The loop that the points come from first is cut into blocks, where it is parallel.
// CHECK-LABEL: func.func @blocks
// CHECK: ta.points_begin %[[C:.*]] "add" "list" : tensor
// CHECK: scf.for
// CHECK: ta.points_next %[[C]]
// CHECK: ta.points_next %[[C]]
// CHECK: ta.points_end %[[C]] : tensor
func.func @blocks(%A: !csr, %C: !csc, %n: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    %j = cin.index_var "j" size %n
    cin.forall %i parallel cpu {
      cin.forall %j {
        %0 = cin.access %A[%i, %j] : !csr -> f64
        cin.assign %0 to %C[%i, %j] add : f64, !csc
      }
    }
  }
  return
}

// Inside of another loop, it would end as many blocks in each round of that.
// CHECK-LABEL: func.func @no_blocks_inside
// CHECK-NOT: ta.points_next
// CHECK: ta.points_end
func.func @no_blocks_inside(%A: !csr, %C: !csc, %n: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    %j = cin.index_var "j" size %n
    cin.forall %i {
      cin.forall %j parallel cpu {
        %0 = cin.access %A[%i, %j] : !csr -> f64
        cin.assign %0 to %C[%i, %j] add : f64, !csc
      }
    }
  }
  return
}
