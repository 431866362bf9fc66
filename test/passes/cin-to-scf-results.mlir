// Sparse results are appended to in storage order, drained from a dense workspace, or collected as points.

// RUN: %comet-opt %s --cin-to-scf --canonicalize --cse | FileCheck %s

!csr = tensor<?x?xf64, #ta.format<[D, CU]>>
!csc = tensor<?x?xf64, #ta.format<[d1 : D, d0 : CU]>>
!coo = tensor<?x?xf64, #ta.format<[CN, S]>>

// C stores what A stores: its coordinates are copied as a whole, and values are at the same positions.
// CHECK-LABEL: func.func @same_pattern
// CHECK: ta.same_pattern %[[C:.*]] as %[[A:.*]], 2
// CHECK: %[[VALUES:.*]] = ta.values %[[C]]
// CHECK: scf.for
// CHECK: scf.for %[[P:.*]] = %
// CHECK-NOT: scf.if
// CHECK: memref.store %{{.*}}, %[[VALUES]][%[[P]]]
// CHECK-NOT: ta.append
// CHECK: return
func.func @same_pattern(%A: !csr, %C: !csr, %n: index) {
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

// Where appending is asked for, there is room for what A stores before the loops begin.
// CHECK-LABEL: func.func @append
// CHECK: %[[CRD:.*]] = ta.coordinates %{{.*}}, 1
// CHECK: ta.append_begin %[[C:.*]] : tensor
// CHECK: %[[STORED:.*]] = memref.dim %[[CRD]], %{{.*}} : memref<?xi32>
// CHECK: %[[MOST:.*]] = arith.minsi %[[STORED]], %{{.*}} : index
// CHECK: ta.append_grow %[[C]], 1 beyond %[[MOST]] if_possible
// CHECK: scf.for
// And for what a row of A stores before the loop over it.
// CHECK: %[[FULL:.*]] = arith.cmpi sgt
// CHECK: scf.if %[[FULL]] {
// CHECK-NEXT: ta.append_grow %[[C]], 1 beyond %{{[^ ]*}} :
// CHECK: scf.for
// CHECK-NOT: ta.append_grow
// CHECK: scf.if
// CHECK: memref.store {{.*}} : memref<?xi32>
// The positions of a row end after its loop.
// CHECK: memref.store {{.*}} : memref<?xi32>
// CHECK: ta.append_end %[[C]] after[%{{.*}}] : tensor
func.func @append(%A: !csr, %C: !csr, %n: index) {
  cin.compute attributes {appended} {
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
        %3 = cin.unite add %2, %0 : f64
        %4 = cin.unite add %3, %0 : f64
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
// CHECK: %[[ROW:.*]] = ta.workspace %[[C]], [%{{.*}}] : {{.*}} to memref<?xf64>
// CHECK: %[[MARKS:.*]] = ta.workspace %[[C]], [%{{.*}}] : {{.*}} to memref<?xi8>
// CHECK: %[[TOUCHED:.*]] = ta.workspace %[[C]], [%{{.*}}] : {{.*}} to memref<?xi32>
// The loops that fill the workspace make no room in the result, and add to zeros without a branch.
// CHECK-NOT: ta.append_grow
// CHECK-NOT: scf.if
// CHECK: memref.store %{{.*}}, %[[MARKS]]
// CHECK: arith.shrui
// CHECK: memref.store %{{.*}}, %[[MARKS]]
// CHECK: memref.load %[[ROW]]
// CHECK: arith.addf
// CHECK: memref.store %{{.*}}, %[[ROW]]
// CHECK-NOT: ta.append_grow
// CHECK: %[[COUNT:.*]] = ta.collect_marked %[[MARKS]] of %{{.*}} by %{{.*}} into %[[TOUCHED]]
// CHECK: ta.append_grow
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[COUNT]]
// CHECK-NOT: ta.append_grow
// CHECK: memref.store %{{.*}}, %[[ROW]]
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

// A row is stored in blocks of lanes; no element of it is left out, so that none is cleared.
// CHECK-LABEL: func.func @rows_in_lanes
// CHECK: ta.append_begin
// CHECK: scf.for
// CHECK-NOT: memref.store {{.*}} : memref<?xf64>
// CHECK: %[[STORED:.*]] = scf.for {{.*}} -> (vector<8xf64>
// CHECK: vector.store {{.*}} : memref<?xf64>, vector<8xf64>
// CHECK: vector.maskedstore {{.*}} : memref<?xf64>, vector<8xi1>, vector<8xf64>
// CHECK: ta.append_end
!rows = tensor<?x?xf64, #ta.format<[CU, D]>>
func.func @rows_in_lanes(%A: !csr, %B: tensor<?x?xf64>, %C: !rows, %n: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    %r = cin.index_var "r" size %n
    %rb, %rv = cin.split %r by 8 names "rb", "rv"
    %j = cin.index_var "j" size %n
    cin.forall %i {
      cin.forall %rb {
        %t = cin.temporary "t" registers : tensor<8xf64>
        cin.where {
          cin.forall %rv vectorize 8 {
            %0 = cin.access %t[%rv] : tensor<8xf64> -> f64
            cin.assign %0 to %C[%i, %r] set : f64, !rows
          }
        } producer {
          cin.forall %j {
            cin.forall %rv vectorize 8 {
              %0 = cin.access %A[%i, %j] : !csr -> f64
              %1 = cin.access %B[%j, %r] : tensor<?x?xf64> -> f64
              %2 = cin.combine mul %0, %1 : f64
              cin.assign %2 to %t[%rv] add : f64, tensor<8xf64>
            }
          }
        }
      }
    }
  }
  return
}

// What A does not store of a row is 0: the first value that comes to a row finds zeros there.
// CHECK-LABEL: func.func @gaps
// CHECK: %[[ZERO:.*]] = arith.constant 0.0
// CHECK: scf.for
// CHECK: scf.for
// CHECK: scf.if
// CHECK: scf.for
// CHECK-NEXT: memref.store %[[ZERO]], {{.*}} : memref<?xf64>
// CHECK: memref.store {{.*}} : memref<?xf64>
// CHECK: ta.append_end
func.func @gaps(%A: !csr, %C: !rows, %n: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    %j = cin.index_var "j" size %n
    cin.forall %i {
      cin.forall %j {
        %0 = cin.access %A[%i, %j] : !csr -> f64
        cin.assign %0 to %C[%i, %j] set : f64, !rows
      }
    }
  }
  return
}
