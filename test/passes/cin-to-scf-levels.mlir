// The loops of every level format (comet.txt Table 1), in the formats that the language names and in others. `C[...] += A[...]` shows both the position
// in A and the coordinates, from which the position in C is computed. Redundant constants are cleaned up so that there is less to read.

// RUN: %comet-opt %s --cin-to-scf --canonicalize --cse | FileCheck %s --implicit-check-not=cin.

// D: all coordinates. CU: from pos[m] to pos[m + 1], the coordinate in crd.
// CHECK-LABEL: func.func @csr(
// CHECK-SAME: %[[A:[^:]*]]:{{[^%]*}}%[[C:[^:]*]]:{{[^%]*}}%[[NI:[^:]*]]:{{[^%]*}}%{{[^:]*}}:
// CHECK: %[[POS1:.*]] = ta.positions %[[A]], 1 : {{.*}} to memref<?xi32>
// CHECK: %[[CRD1:.*]] = ta.coordinates %[[A]], 1 : {{.*}} to memref<?xi32>
// CHECK: %[[A_VAL:.*]] = ta.values %[[A]] : {{.*}} to memref<?xf64>
// CHECK: %[[C_SIZE1:.*]] = ta.level_size %[[C]], 1 : tensor<?x?xf64>
// CHECK: %[[C_VAL:.*]] = ta.values %[[C]] : tensor<?x?xf64> to memref<?xf64>
// CHECK: scf.for %[[P:.*]] = %c0 to %[[NI]] step %c1 {
// CHECK:   %[[AT:.*]] = arith.addi %[[P]], %c1 : index
// CHECK:   %[[LO1:.*]] = memref.load %[[POS1]][%[[P]]] : memref<?xi32>
// CHECK:   %[[BEGIN1:.*]] = arith.index_cast %[[LO1]] : i32 to index
// CHECK:   %[[HI1:.*]] = memref.load %[[POS1]][%[[AT]]] : memref<?xi32>
// CHECK:   %[[END1:.*]] = arith.index_cast %[[HI1]] : i32 to index
// CHECK:   scf.for %[[P2:.*]] = %[[BEGIN1]] to %[[END1]] step %c1 {
// CHECK:     %[[STORED1:.*]] = memref.load %[[CRD1]][%[[P2]]] : memref<?xi32>
// CHECK:     %[[COORDINATE1:.*]] = arith.index_cast %[[STORED1]] : i32 to index
// CHECK:     %[[A_AT:.*]] = memref.load %[[A_VAL]][%[[P2]]] : memref<?xf64>
// CHECK:     %[[START:.*]] = arith.muli %[[P]], %[[C_SIZE1]] : index
// CHECK:     %[[AT2:.*]] = arith.addi %[[START]], %[[COORDINATE1]] : index
// CHECK:     %[[C_AT:.*]] = memref.load %[[C_VAL]][%[[AT2]]] : memref<?xf64>
// CHECK:     %[[ADDF:.*]] = arith.addf %[[C_AT]], %[[A_AT]] fastmath<contract> : f64
// CHECK:     memref.store %[[ADDF]], %[[C_VAL]][%[[AT2]]] : memref<?xf64>
func.func @csr(%A: tensor<?x?xf64, #ta.format<[D, CU]>>, %C: tensor<?x?xf64>, %ni: index, %nj: index) {
  cin.compute {
    %i = cin.index_var "i" size %ni
    %j = cin.index_var "j" size %nj
    cin.forall %i {
      cin.forall %j {
        %0 = cin.access %A[%i, %j] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
        cin.assign %0 to %C[%i, %j] add : f64, tensor<?x?xf64>
      }
    }
  }
  return
}

// The levels are walked in their order, whatever modes they store.
// CHECK-LABEL: func.func @csc(
// CHECK-SAME: %[[A:[^:]*]]:{{[^%]*}}%[[C:[^:]*]]:{{[^%]*}}%{{[^:]*}}:{{[^%]*}}%[[NJ:[^:]*]]:
// CHECK: %[[POS1:.*]] = ta.positions %[[A]], 1 : {{.*}} to memref<?xi32>
// CHECK: %[[CRD1:.*]] = ta.coordinates %[[A]], 1 : {{.*}} to memref<?xi32>
// CHECK: %[[A_VAL:.*]] = ta.values %[[A]] : {{.*}} to memref<?xf64>
// CHECK: %[[C_SIZE1:.*]] = ta.level_size %[[C]], 1 : tensor<?x?xf64>
// CHECK: %[[C_VAL:.*]] = ta.values %[[C]] : tensor<?x?xf64> to memref<?xf64>
// CHECK: scf.for %[[P:.*]] = %c0 to %[[NJ]] step %c1 {
// CHECK:   %[[AT:.*]] = arith.addi %[[P]], %c1 : index
// CHECK:   %[[LO1:.*]] = memref.load %[[POS1]][%[[P]]] : memref<?xi32>
// CHECK:   %[[BEGIN1:.*]] = arith.index_cast %[[LO1]] : i32 to index
// CHECK:   %[[HI1:.*]] = memref.load %[[POS1]][%[[AT]]] : memref<?xi32>
// CHECK:   %[[END1:.*]] = arith.index_cast %[[HI1]] : i32 to index
// CHECK:   scf.for %[[P2:.*]] = %[[BEGIN1]] to %[[END1]] step %c1 {
// CHECK:     %[[STORED1:.*]] = memref.load %[[CRD1]][%[[P2]]] : memref<?xi32>
// CHECK:     %[[COORDINATE1:.*]] = arith.index_cast %[[STORED1]] : i32 to index
// CHECK:     %[[A_AT:.*]] = memref.load %[[A_VAL]][%[[P2]]] : memref<?xf64>
// CHECK:     %[[START:.*]] = arith.muli %[[COORDINATE1]], %[[C_SIZE1]] : index
// CHECK:     %[[AT2:.*]] = arith.addi %[[START]], %[[P]] : index
// CHECK:     %[[C_AT:.*]] = memref.load %[[C_VAL]][%[[AT2]]] : memref<?xf64>
// CHECK:     %[[ADDF:.*]] = arith.addf %[[C_AT]], %[[A_AT]] fastmath<contract> : f64
// CHECK:     memref.store %[[ADDF]], %[[C_VAL]][%[[AT2]]] : memref<?xf64>
func.func @csc(%A: tensor<?x?xf64, #ta.format<[d1 : D, d0 : CU]>>, %C: tensor<?x?xf64>, %ni: index, %nj: index) {
  cin.compute {
    %i = cin.index_var "i" size %ni
    %j = cin.index_var "j" size %nj
    cin.forall %j {
      cin.forall %i {
        %0 = cin.access %A[%i, %j] : tensor<?x?xf64, #ta.format<[d1 : D, d0 : CU]>> -> f64
        cin.assign %0 to %C[%i, %j] add : f64, tensor<?x?xf64>
      }
    }
  }
  return
}

// A first level CU is one segment, pos[0] to pos[1].
// CHECK-LABEL: func.func @dcsr(
// CHECK-SAME: %[[A:[^:]*]]:{{[^%]*}}%[[C:[^:]*]]:{{[^%]*}}%{{[^:]*}}:{{[^%]*}}%{{[^:]*}}:
// CHECK: %[[POS0:.*]] = ta.positions %[[A]], 0 : {{.*}} to memref<?xi32>
// CHECK: %[[CRD0:.*]] = ta.coordinates %[[A]], 0 : {{.*}} to memref<?xi32>
// CHECK: %[[POS1:.*]] = ta.positions %[[A]], 1 : {{.*}} to memref<?xi32>
// CHECK: %[[CRD1:.*]] = ta.coordinates %[[A]], 1 : {{.*}} to memref<?xi32>
// CHECK: %[[A_VAL:.*]] = ta.values %[[A]] : {{.*}} to memref<?xf64>
// CHECK: %[[C_SIZE1:.*]] = ta.level_size %[[C]], 1 : tensor<?x?xf64>
// CHECK: %[[C_VAL:.*]] = ta.values %[[C]] : tensor<?x?xf64> to memref<?xf64>
// CHECK: %[[LO0:.*]] = memref.load %[[POS0]][%c0] : memref<?xi32>
// CHECK: %[[BEGIN0:.*]] = arith.index_cast %[[LO0]] : i32 to index
// CHECK: %[[HI0:.*]] = memref.load %[[POS0]][%c1] : memref<?xi32>
// CHECK: %[[END0:.*]] = arith.index_cast %[[HI0]] : i32 to index
// CHECK: scf.for %[[P:.*]] = %[[BEGIN0]] to %[[END0]] step %c1 {
// CHECK:   %[[STORED0:.*]] = memref.load %[[CRD0]][%[[P]]] : memref<?xi32>
// CHECK:   %[[COORDINATE0:.*]] = arith.index_cast %[[STORED0]] : i32 to index
// CHECK:   %[[AT:.*]] = arith.addi %[[P]], %c1 : index
// CHECK:   %[[LO1:.*]] = memref.load %[[POS1]][%[[P]]] : memref<?xi32>
// CHECK:   %[[BEGIN1:.*]] = arith.index_cast %[[LO1]] : i32 to index
// CHECK:   %[[HI1:.*]] = memref.load %[[POS1]][%[[AT]]] : memref<?xi32>
// CHECK:   %[[END1:.*]] = arith.index_cast %[[HI1]] : i32 to index
// CHECK:   scf.for %[[P2:.*]] = %[[BEGIN1]] to %[[END1]] step %c1 {
// CHECK:     %[[STORED1:.*]] = memref.load %[[CRD1]][%[[P2]]] : memref<?xi32>
// CHECK:     %[[COORDINATE1:.*]] = arith.index_cast %[[STORED1]] : i32 to index
// CHECK:     %[[A_AT:.*]] = memref.load %[[A_VAL]][%[[P2]]] : memref<?xf64>
// CHECK:     %[[START:.*]] = arith.muli %[[COORDINATE0]], %[[C_SIZE1]] : index
// CHECK:     %[[AT2:.*]] = arith.addi %[[START]], %[[COORDINATE1]] : index
// CHECK:     %[[C_AT:.*]] = memref.load %[[C_VAL]][%[[AT2]]] : memref<?xf64>
// CHECK:     %[[ADDF:.*]] = arith.addf %[[C_AT]], %[[A_AT]] fastmath<contract> : f64
// CHECK:     memref.store %[[ADDF]], %[[C_VAL]][%[[AT2]]] : memref<?xf64>
func.func @dcsr(%A: tensor<?x?xf64, #ta.format<[CU, CU]>>, %C: tensor<?x?xf64>, %ni: index, %nj: index) {
  cin.compute {
    %i = cin.index_var "i" size %ni
    %j = cin.index_var "j" size %nj
    cin.forall %i {
      cin.forall %j {
        %0 = cin.access %A[%i, %j] : tensor<?x?xf64, #ta.format<[CU, CU]>> -> f64
        cin.assign %0 to %C[%i, %j] add : f64, tensor<?x?xf64>
      }
    }
  }
  return
}

// CN: one loop over all entries. S: crd at the position of the level above, without a loop.
// CHECK-LABEL: func.func @coo(
// CHECK-SAME: %[[A:[^:]*]]:{{[^%]*}}%[[C:[^:]*]]:{{[^%]*}}%{{[^:]*}}:{{[^%]*}}%{{[^:]*}}:
// CHECK: %[[POS0:.*]] = ta.positions %[[A]], 0 : {{.*}} to memref<?xi32>
// CHECK: %[[CRD0:.*]] = ta.coordinates %[[A]], 0 : {{.*}} to memref<?xi32>
// CHECK: %[[CRD1:.*]] = ta.coordinates %[[A]], 1 : {{.*}} to memref<?xi32>
// CHECK: %[[A_VAL:.*]] = ta.values %[[A]] : {{.*}} to memref<?xf64>
// CHECK: %[[C_SIZE1:.*]] = ta.level_size %[[C]], 1 : tensor<?x?xf64>
// CHECK: %[[C_VAL:.*]] = ta.values %[[C]] : tensor<?x?xf64> to memref<?xf64>
// CHECK: %[[LO0:.*]] = memref.load %[[POS0]][%c0] : memref<?xi32>
// CHECK: %[[BEGIN0:.*]] = arith.index_cast %[[LO0]] : i32 to index
// CHECK: %[[HI0:.*]] = memref.load %[[POS0]][%c1] : memref<?xi32>
// CHECK: %[[END0:.*]] = arith.index_cast %[[HI0]] : i32 to index
// CHECK: scf.for %[[P:.*]] = %[[BEGIN0]] to %[[END0]] step %c1 {
// CHECK:   %[[STORED0:.*]] = memref.load %[[CRD0]][%[[P]]] : memref<?xi32>
// CHECK:   %[[COORDINATE0:.*]] = arith.index_cast %[[STORED0]] : i32 to index
// CHECK:   %[[STORED1:.*]] = memref.load %[[CRD1]][%[[P]]] : memref<?xi32>
// CHECK:   %[[COORDINATE1:.*]] = arith.index_cast %[[STORED1]] : i32 to index
// CHECK:   %[[A_AT:.*]] = memref.load %[[A_VAL]][%[[P]]] : memref<?xf64>
// CHECK:   %[[START:.*]] = arith.muli %[[COORDINATE0]], %[[C_SIZE1]] : index
// CHECK:   %[[AT:.*]] = arith.addi %[[START]], %[[COORDINATE1]] : index
// CHECK:   %[[C_AT:.*]] = memref.load %[[C_VAL]][%[[AT]]] : memref<?xf64>
// CHECK:   %[[ADDF:.*]] = arith.addf %[[C_AT]], %[[A_AT]] fastmath<contract> : f64
// CHECK:   memref.store %[[ADDF]], %[[C_VAL]][%[[AT]]] : memref<?xf64>
func.func @coo(%A: tensor<?x?xf64, #ta.format<[CN, S]>>, %C: tensor<?x?xf64>, %ni: index, %nj: index) {
  cin.compute {
    %i = cin.index_var "i" size %ni
    %j = cin.index_var "j" size %nj
    cin.forall %i {
      cin.forall %j {
        %0 = cin.access %A[%i, %j] : tensor<?x?xf64, #ta.format<[CN, S]>> -> f64
        cin.assign %0 to %C[%i, %j] add : f64, tensor<?x?xf64>
      }
    }
  }
  return
}

// CHECK-LABEL: func.func @coo3(
// CHECK-SAME: %[[A:[^:]*]]:{{[^%]*}}%[[C:[^:]*]]:{{[^%]*}}%{{[^:]*}}:{{[^%]*}}%{{[^:]*}}:{{[^%]*}}%{{[^:]*}}:
// CHECK: %[[POS0:.*]] = ta.positions %[[A]], 0 : {{.*}} to memref<?xi32>
// CHECK: %[[CRD0:.*]] = ta.coordinates %[[A]], 0 : {{.*}} to memref<?xi32>
// CHECK: %[[CRD1:.*]] = ta.coordinates %[[A]], 1 : {{.*}} to memref<?xi32>
// CHECK: %[[CRD2:.*]] = ta.coordinates %[[A]], 2 : {{.*}} to memref<?xi32>
// CHECK: %[[A_VAL:.*]] = ta.values %[[A]] : {{.*}} to memref<?xf64>
// CHECK: %[[C_SIZE1:.*]] = ta.level_size %[[C]], 1 : tensor<?x?x?xf64>
// CHECK: %[[C_SIZE2:.*]] = ta.level_size %[[C]], 2 : tensor<?x?x?xf64>
// CHECK: %[[C_VAL:.*]] = ta.values %[[C]] : tensor<?x?x?xf64> to memref<?xf64>
// CHECK: %[[LO0:.*]] = memref.load %[[POS0]][%c0] : memref<?xi32>
// CHECK: %[[BEGIN0:.*]] = arith.index_cast %[[LO0]] : i32 to index
// CHECK: %[[HI0:.*]] = memref.load %[[POS0]][%c1] : memref<?xi32>
// CHECK: %[[END0:.*]] = arith.index_cast %[[HI0]] : i32 to index
// CHECK: scf.for %[[P:.*]] = %[[BEGIN0]] to %[[END0]] step %c1 {
// CHECK:   %[[STORED0:.*]] = memref.load %[[CRD0]][%[[P]]] : memref<?xi32>
// CHECK:   %[[COORDINATE0:.*]] = arith.index_cast %[[STORED0]] : i32 to index
// CHECK:   %[[STORED1:.*]] = memref.load %[[CRD1]][%[[P]]] : memref<?xi32>
// CHECK:   %[[COORDINATE1:.*]] = arith.index_cast %[[STORED1]] : i32 to index
// CHECK:   %[[STORED2:.*]] = memref.load %[[CRD2]][%[[P]]] : memref<?xi32>
// CHECK:   %[[COORDINATE2:.*]] = arith.index_cast %[[STORED2]] : i32 to index
// CHECK:   %[[A_AT:.*]] = memref.load %[[A_VAL]][%[[P]]] : memref<?xf64>
// CHECK:   %[[START:.*]] = arith.muli %[[COORDINATE0]], %[[C_SIZE1]] : index
// CHECK:   %[[AT:.*]] = arith.addi %[[START]], %[[COORDINATE1]] : index
// CHECK:   %[[START2:.*]] = arith.muli %[[AT]], %[[C_SIZE2]] : index
// CHECK:   %[[AT2:.*]] = arith.addi %[[START2]], %[[COORDINATE2]] : index
// CHECK:   %[[C_AT:.*]] = memref.load %[[C_VAL]][%[[AT2]]] : memref<?xf64>
// CHECK:   %[[ADDF:.*]] = arith.addf %[[C_AT]], %[[A_AT]] fastmath<contract> : f64
// CHECK:   memref.store %[[ADDF]], %[[C_VAL]][%[[AT2]]] : memref<?xf64>
func.func @coo3(%A: tensor<?x?x?xf64, #ta.format<[CN, S, S]>>, %C: tensor<?x?x?xf64>, %ni: index, %nj: index, %nk: index) {
  cin.compute {
    %i = cin.index_var "i" size %ni
    %j = cin.index_var "j" size %nj
    %k = cin.index_var "k" size %nk
    cin.forall %i {
      cin.forall %j {
        cin.forall %k {
          %0 = cin.access %A[%i, %j, %k] : tensor<?x?x?xf64, #ta.format<[CN, S, S]>> -> f64
          cin.assign %0 to %C[%i, %j, %k] add : f64, tensor<?x?x?xf64>
        }
      }
    }
  }
  return
}

// Each CU level is a segment of the one above.
// CHECK-LABEL: func.func @csf(
// CHECK-SAME: %[[A:[^:]*]]:{{[^%]*}}%[[C:[^:]*]]:{{[^%]*}}%{{[^:]*}}:{{[^%]*}}%{{[^:]*}}:{{[^%]*}}%{{[^:]*}}:
// CHECK: %[[POS0:.*]] = ta.positions %[[A]], 0 : {{.*}} to memref<?xi32>
// CHECK: %[[CRD0:.*]] = ta.coordinates %[[A]], 0 : {{.*}} to memref<?xi32>
// CHECK: %[[POS1:.*]] = ta.positions %[[A]], 1 : {{.*}} to memref<?xi32>
// CHECK: %[[CRD1:.*]] = ta.coordinates %[[A]], 1 : {{.*}} to memref<?xi32>
// CHECK: %[[POS2:.*]] = ta.positions %[[A]], 2 : {{.*}} to memref<?xi32>
// CHECK: %[[CRD2:.*]] = ta.coordinates %[[A]], 2 : {{.*}} to memref<?xi32>
// CHECK: %[[A_VAL:.*]] = ta.values %[[A]] : {{.*}} to memref<?xf64>
// CHECK: %[[C_SIZE1:.*]] = ta.level_size %[[C]], 1 : tensor<?x?x?xf64>
// CHECK: %[[C_SIZE2:.*]] = ta.level_size %[[C]], 2 : tensor<?x?x?xf64>
// CHECK: %[[C_VAL:.*]] = ta.values %[[C]] : tensor<?x?x?xf64> to memref<?xf64>
// CHECK: %[[LO0:.*]] = memref.load %[[POS0]][%c0] : memref<?xi32>
// CHECK: %[[BEGIN0:.*]] = arith.index_cast %[[LO0]] : i32 to index
// CHECK: %[[HI0:.*]] = memref.load %[[POS0]][%c1] : memref<?xi32>
// CHECK: %[[END0:.*]] = arith.index_cast %[[HI0]] : i32 to index
// CHECK: scf.for %[[P:.*]] = %[[BEGIN0]] to %[[END0]] step %c1 {
// CHECK:   %[[STORED0:.*]] = memref.load %[[CRD0]][%[[P]]] : memref<?xi32>
// CHECK:   %[[COORDINATE0:.*]] = arith.index_cast %[[STORED0]] : i32 to index
// CHECK:   %[[AT:.*]] = arith.addi %[[P]], %c1 : index
// CHECK:   %[[LO1:.*]] = memref.load %[[POS1]][%[[P]]] : memref<?xi32>
// CHECK:   %[[BEGIN1:.*]] = arith.index_cast %[[LO1]] : i32 to index
// CHECK:   %[[HI1:.*]] = memref.load %[[POS1]][%[[AT]]] : memref<?xi32>
// CHECK:   %[[END1:.*]] = arith.index_cast %[[HI1]] : i32 to index
// CHECK:   scf.for %[[P2:.*]] = %[[BEGIN1]] to %[[END1]] step %c1 {
// CHECK:     %[[STORED1:.*]] = memref.load %[[CRD1]][%[[P2]]] : memref<?xi32>
// CHECK:     %[[COORDINATE1:.*]] = arith.index_cast %[[STORED1]] : i32 to index
// CHECK:     %[[AT2:.*]] = arith.addi %[[P2]], %c1 : index
// CHECK:     %[[LO2:.*]] = memref.load %[[POS2]][%[[P2]]] : memref<?xi32>
// CHECK:     %[[BEGIN2:.*]] = arith.index_cast %[[LO2]] : i32 to index
// CHECK:     %[[HI2:.*]] = memref.load %[[POS2]][%[[AT2]]] : memref<?xi32>
// CHECK:     %[[END2:.*]] = arith.index_cast %[[HI2]] : i32 to index
// CHECK:     scf.for %[[P3:.*]] = %[[BEGIN2]] to %[[END2]] step %c1 {
// CHECK:       %[[STORED2:.*]] = memref.load %[[CRD2]][%[[P3]]] : memref<?xi32>
// CHECK:       %[[COORDINATE2:.*]] = arith.index_cast %[[STORED2]] : i32 to index
// CHECK:       %[[A_AT:.*]] = memref.load %[[A_VAL]][%[[P3]]] : memref<?xf64>
// CHECK:       %[[START:.*]] = arith.muli %[[COORDINATE0]], %[[C_SIZE1]] : index
// CHECK:       %[[AT3:.*]] = arith.addi %[[START]], %[[COORDINATE1]] : index
// CHECK:       %[[START2:.*]] = arith.muli %[[AT3]], %[[C_SIZE2]] : index
// CHECK:       %[[AT4:.*]] = arith.addi %[[START2]], %[[COORDINATE2]] : index
// CHECK:       %[[C_AT:.*]] = memref.load %[[C_VAL]][%[[AT4]]] : memref<?xf64>
// CHECK:       %[[ADDF:.*]] = arith.addf %[[C_AT]], %[[A_AT]] fastmath<contract> : f64
// CHECK:       memref.store %[[ADDF]], %[[C_VAL]][%[[AT4]]] : memref<?xf64>
func.func @csf(%A: tensor<?x?x?xf64, #ta.format<[CU, CU, CU]>>, %C: tensor<?x?x?xf64>, %ni: index, %nj: index, %nk: index) {
  cin.compute {
    %i = cin.index_var "i" size %ni
    %j = cin.index_var "j" size %nj
    %k = cin.index_var "k" size %nk
    cin.forall %i {
      cin.forall %j {
        cin.forall %k {
          %0 = cin.access %A[%i, %j, %k] : tensor<?x?x?xf64, #ta.format<[CU, CU, CU]>> -> f64
          cin.assign %0 to %C[%i, %j, %k] add : f64, tensor<?x?x?xf64>
        }
      }
    }
  }
  return
}

// A slot level is a loop whose counter is no coordinate; where the coordinate is -1, there is no entry.
// CHECK-LABEL: func.func @ell(
// CHECK-SAME: %[[A:[^:]*]]:{{[^%]*}}%[[C:[^:]*]]:{{[^%]*}}%[[NI:[^:]*]]:{{[^%]*}}%{{[^:]*}}:
// CHECK: %[[A_SIZE1:.*]] = ta.level_size %[[A]], 1 : {{.*}}
// CHECK: %[[CRD2:.*]] = ta.coordinates %[[A]], 2 : {{.*}} to memref<?xi32>
// CHECK: %[[A_VAL:.*]] = ta.values %[[A]] : {{.*}} to memref<?xf64>
// CHECK: %[[C_SIZE1:.*]] = ta.level_size %[[C]], 1 : tensor<?x?xf64>
// CHECK: %[[C_VAL:.*]] = ta.values %[[C]] : tensor<?x?xf64> to memref<?xf64>
// CHECK: scf.for %[[P:.*]] = %c0 to %[[NI]] step %c1 {
// CHECK:   scf.for %[[P2:.*]] = %c0 to %[[A_SIZE1]] step %c1 {
// CHECK:     %[[START:.*]] = arith.muli %[[P]], %[[A_SIZE1]] : index
// CHECK:     %[[AT:.*]] = arith.addi %[[START]], %[[P2]] : index
// CHECK:     %[[STORED2:.*]] = memref.load %[[CRD2]][%[[AT]]] : memref<?xi32>
// CHECK:     %[[COORDINATE2:.*]] = arith.index_cast %[[STORED2]] : i32 to index
// CHECK:     %[[CMPI:.*]] = arith.cmpi sge, %[[COORDINATE2]], %c0 : index
// CHECK:     scf.if %[[CMPI]] {
// CHECK:       %[[A_AT:.*]] = memref.load %[[A_VAL]][%[[AT]]] : memref<?xf64>
// CHECK:       %[[START2:.*]] = arith.muli %[[P]], %[[C_SIZE1]] : index
// CHECK:       %[[AT2:.*]] = arith.addi %[[START2]], %[[COORDINATE2]] : index
// CHECK:       %[[C_AT:.*]] = memref.load %[[C_VAL]][%[[AT2]]] : memref<?xf64>
// CHECK:       %[[ADDF:.*]] = arith.addf %[[C_AT]], %[[A_AT]] fastmath<contract> : f64
// CHECK:       memref.store %[[ADDF]], %[[C_VAL]][%[[AT2]]] : memref<?xf64>
func.func @ell(%A: tensor<?x?xf64, #ta.format<[d0 : D, slot : D, d1 : S]>>, %C: tensor<?x?xf64>, %ni: index, %nj: index) {
  cin.compute {
    %i = cin.index_var "i" size %ni
    %j = cin.index_var "j" size %nj
    cin.forall %i {
      cin.forall %j {
        %0 = cin.access %A[%i, %j] : tensor<?x?xf64, #ta.format<[d0 : D, slot : D, d1 : S]>> -> f64
        cin.assign %0 to %C[%i, %j] add : f64, tensor<?x?xf64>
      }
    }
  }
  return
}

// The parts of a mode are levels of their own; the last block ends where the mode ends.
// CHECK-LABEL: func.func @bcsr(
// CHECK-SAME: %[[A:[^:]*]]:{{[^%]*}}%[[C:[^:]*]]:{{[^%]*}}%[[NI:[^:]*]]:{{[^%]*}}%[[NJ:[^:]*]]:
// CHECK: %[[POS1:.*]] = ta.positions %[[A]], 1 : {{.*}} to memref<?xi32>
// CHECK: %[[CRD1:.*]] = ta.coordinates %[[A]], 1 : {{.*}} to memref<?xi32>
// CHECK: %[[A_VAL:.*]] = ta.values %[[A]] : {{.*}} to memref<?xf64>
// CHECK: %[[C_SIZE1:.*]] = ta.level_size %[[C]], 1 : tensor<?x?xf64>
// CHECK: %[[C_VAL:.*]] = ta.values %[[C]] : tensor<?x?xf64> to memref<?xf64>
// CHECK: %[[AT:.*]] = arith.addi %[[NI]], %c1 : index
// CHECK: %[[BLOCKS:.*]] = arith.divui %[[AT]], %c2 : index
// CHECK: scf.for %[[P:.*]] = %c0 to %[[BLOCKS]] step %c1 {
// CHECK:   %[[AT2:.*]] = arith.addi %[[P]], %c1 : index
// CHECK:   %[[LO1:.*]] = memref.load %[[POS1]][%[[P]]] : memref<?xi32>
// CHECK:   %[[BEGIN1:.*]] = arith.index_cast %[[LO1]] : i32 to index
// CHECK:   %[[HI1:.*]] = memref.load %[[POS1]][%[[AT2]]] : memref<?xi32>
// CHECK:   %[[END1:.*]] = arith.index_cast %[[HI1]] : i32 to index
// CHECK:   scf.for %[[P2:.*]] = %[[BEGIN1]] to %[[END1]] step %c1 {
// CHECK:     %[[STORED1:.*]] = memref.load %[[CRD1]][%[[P2]]] : memref<?xi32>
// CHECK:     %[[COORDINATE1:.*]] = arith.index_cast %[[STORED1]] : i32 to index
// CHECK:     %[[START:.*]] = arith.muli %[[P]], %c2 : index
// CHECK:     %[[LEFT:.*]] = arith.subi %[[NI]], %[[START]] : index
// CHECK:     %[[END:.*]] = arith.minsi %[[LEFT]], %c2 : index
// CHECK:     scf.for %[[P3:.*]] = %c0 to %[[END]] step %c1 {
// CHECK:       %[[START2:.*]] = arith.muli %[[P2]], %c2 : index
// CHECK:       %[[AT3:.*]] = arith.addi %[[START2]], %[[P3]] : index
// CHECK:       %[[START3:.*]] = arith.muli %[[COORDINATE1]], %c4 : index
// CHECK:       %[[LEFT2:.*]] = arith.subi %[[NJ]], %[[START3]] : index
// CHECK:       %[[END2:.*]] = arith.minsi %[[LEFT2]], %c4 : index
// CHECK:       scf.for %[[P4:.*]] = %c0 to %[[END2]] step %c1 {
// CHECK:         %[[START4:.*]] = arith.muli %[[AT3]], %c4 : index
// CHECK:         %[[AT4:.*]] = arith.addi %[[START4]], %[[P4]] : index
// CHECK:         %[[A_AT:.*]] = memref.load %[[A_VAL]][%[[AT4]]] : memref<?xf64>
// CHECK:         %[[AT5:.*]] = arith.addi %[[START]], %[[P3]] : index
// CHECK:         %[[AT6:.*]] = arith.addi %[[START3]], %[[P4]] : index
// CHECK:         %[[START5:.*]] = arith.muli %[[AT5]], %[[C_SIZE1]] : index
// CHECK:         %[[AT7:.*]] = arith.addi %[[START5]], %[[AT6]] : index
// CHECK:         %[[C_AT:.*]] = memref.load %[[C_VAL]][%[[AT7]]] : memref<?xf64>
// CHECK:         %[[ADDF:.*]] = arith.addf %[[C_AT]], %[[A_AT]] fastmath<contract> : f64
// CHECK:         memref.store %[[ADDF]], %[[C_VAL]][%[[AT7]]] : memref<?xf64>
func.func @bcsr(%A: tensor<?x?xf64, #ta.format<[d0 floordiv 2 : D, d1 floordiv 4 : CU, d0 mod 2 : D, d1 mod 4 : D]>>, %C: tensor<?x?xf64>, %ni: index, %nj: index) {
  cin.compute {
    %i = cin.index_var "i" size %ni
    %j = cin.index_var "j" size %nj
    %io, %ii = cin.split %i by 2 names "io", "ii"
    %jo, %ji = cin.split %j by 4 names "jo", "ji"
    cin.forall %io {
      cin.forall %jo {
        cin.forall %ii {
          cin.forall %ji {
            %0 = cin.access %A[%i, %j] : tensor<?x?xf64, #ta.format<[d0 floordiv 2 : D, d1 floordiv 4 : CU, d0 mod 2 : D, d1 mod 4 : D]>> -> f64
            cin.assign %0 to %C[%i, %j] add : f64, tensor<?x?xf64>
          }
        }
      }
    }
  }
  return
}

// CHECK-LABEL: func.func @csb(
// CHECK-SAME: %[[A:[^:]*]]:{{[^%]*}}%[[C:[^:]*]]:{{[^%]*}}%[[NI:[^:]*]]:{{[^%]*}}%[[NJ:[^:]*]]:
// CHECK: %[[A_SIZE1:.*]] = ta.level_size %[[A]], 1 : {{.*}}
// CHECK: %[[POS2:.*]] = ta.positions %[[A]], 2 : {{.*}} to memref<?xi32>
// CHECK: %[[CRD2:.*]] = ta.coordinates %[[A]], 2 : {{.*}} to memref<?xi32>
// CHECK: %[[CRD3:.*]] = ta.coordinates %[[A]], 3 : {{.*}} to memref<?xi32>
// CHECK: %[[A_VAL:.*]] = ta.values %[[A]] : {{.*}} to memref<?xf64>
// CHECK: %[[C_SIZE1:.*]] = ta.level_size %[[C]], 1 : tensor<?x?xf64>
// CHECK: %[[C_VAL:.*]] = ta.values %[[C]] : tensor<?x?xf64> to memref<?xf64>
// CHECK: %[[AT:.*]] = arith.addi %[[NI]], %c3 : index
// CHECK: %[[BLOCKS:.*]] = arith.divui %[[AT]], %c4 : index
// CHECK: scf.for %[[P:.*]] = %c0 to %[[BLOCKS]] step %c1 {
// CHECK:   %[[AT2:.*]] = arith.addi %[[NJ]], %c3 : index
// CHECK:   %[[BLOCKS2:.*]] = arith.divui %[[AT2]], %c4 : index
// CHECK:   scf.for %[[P2:.*]] = %c0 to %[[BLOCKS2]] step %c1 {
// CHECK:     %[[START:.*]] = arith.muli %[[P]], %[[A_SIZE1]] : index
// CHECK:     %[[AT3:.*]] = arith.addi %[[START]], %[[P2]] : index
// CHECK:     %[[AT4:.*]] = arith.addi %[[AT3]], %c1 : index
// CHECK:     %[[LO2:.*]] = memref.load %[[POS2]][%[[AT3]]] : memref<?xi32>
// CHECK:     %[[BEGIN2:.*]] = arith.index_cast %[[LO2]] : i32 to index
// CHECK:     %[[HI2:.*]] = memref.load %[[POS2]][%[[AT4]]] : memref<?xi32>
// CHECK:     %[[END2:.*]] = arith.index_cast %[[HI2]] : i32 to index
// CHECK:     scf.for %[[P3:.*]] = %[[BEGIN2]] to %[[END2]] step %c1 {
// CHECK:       %[[STORED2:.*]] = memref.load %[[CRD2]][%[[P3]]] : memref<?xi32>
// CHECK:       %[[COORDINATE2:.*]] = arith.index_cast %[[STORED2]] : i32 to index
// CHECK:       %[[STORED3:.*]] = memref.load %[[CRD3]][%[[P3]]] : memref<?xi32>
// CHECK:       %[[COORDINATE3:.*]] = arith.index_cast %[[STORED3]] : i32 to index
// CHECK:       %[[A_AT:.*]] = memref.load %[[A_VAL]][%[[P3]]] : memref<?xf64>
// CHECK:       %[[START2:.*]] = arith.muli %[[P]], %c4 : index
// CHECK:       %[[AT5:.*]] = arith.addi %[[START2]], %[[COORDINATE2]] : index
// CHECK:       %[[START3:.*]] = arith.muli %[[P2]], %c4 : index
// CHECK:       %[[AT6:.*]] = arith.addi %[[START3]], %[[COORDINATE3]] : index
// CHECK:       %[[START4:.*]] = arith.muli %[[AT5]], %[[C_SIZE1]] : index
// CHECK:       %[[AT7:.*]] = arith.addi %[[START4]], %[[AT6]] : index
// CHECK:       %[[C_AT:.*]] = memref.load %[[C_VAL]][%[[AT7]]] : memref<?xf64>
// CHECK:       %[[ADDF:.*]] = arith.addf %[[C_AT]], %[[A_AT]] fastmath<contract> : f64
// CHECK:       memref.store %[[ADDF]], %[[C_VAL]][%[[AT7]]] : memref<?xf64>
func.func @csb(%A: tensor<?x?xf64, #ta.format<[d0 floordiv 4 : D, d1 floordiv 4 : D, d0 mod 4 : CN, d1 mod 4 : S]>>, %C: tensor<?x?xf64>, %ni: index, %nj: index) {
  cin.compute {
    %i = cin.index_var "i" size %ni
    %j = cin.index_var "j" size %nj
    %io, %ii = cin.split %i by 4 names "io", "ii"
    %jo, %ji = cin.split %j by 4 names "jo", "ji"
    cin.forall %io {
      cin.forall %jo {
        cin.forall %ii {
          cin.forall %ji {
            %0 = cin.access %A[%i, %j] : tensor<?x?xf64, #ta.format<[d0 floordiv 4 : D, d1 floordiv 4 : D, d0 mod 4 : CN, d1 mod 4 : S]>> -> f64
            cin.assign %0 to %C[%i, %j] add : f64, tensor<?x?xf64>
          }
        }
      }
    }
  }
  return
}

// A dense level under a sparse one: its position is that of the parent times its size, plus the coordinate.
// CHECK-LABEL: func.func @mode_generic(
// CHECK-SAME: %[[A:[^:]*]]:{{[^%]*}}%[[C:[^:]*]]:{{[^%]*}}%{{[^:]*}}:{{[^%]*}}%{{[^:]*}}:{{[^%]*}}%[[NK:[^:]*]]:
// CHECK: %[[POS0:.*]] = ta.positions %[[A]], 0 : {{.*}} to memref<?xi32>
// CHECK: %[[CRD0:.*]] = ta.coordinates %[[A]], 0 : {{.*}} to memref<?xi32>
// CHECK: %[[CRD1:.*]] = ta.coordinates %[[A]], 1 : {{.*}} to memref<?xi32>
// CHECK: %[[A_SIZE2:.*]] = ta.level_size %[[A]], 2 : {{.*}}
// CHECK: %[[A_VAL:.*]] = ta.values %[[A]] : {{.*}} to memref<?xf64>
// CHECK: %[[C_SIZE1:.*]] = ta.level_size %[[C]], 1 : tensor<?x?x?xf64>
// CHECK: %[[C_SIZE2:.*]] = ta.level_size %[[C]], 2 : tensor<?x?x?xf64>
// CHECK: %[[C_VAL:.*]] = ta.values %[[C]] : tensor<?x?x?xf64> to memref<?xf64>
// CHECK: %[[LO0:.*]] = memref.load %[[POS0]][%c0] : memref<?xi32>
// CHECK: %[[BEGIN0:.*]] = arith.index_cast %[[LO0]] : i32 to index
// CHECK: %[[HI0:.*]] = memref.load %[[POS0]][%c1] : memref<?xi32>
// CHECK: %[[END0:.*]] = arith.index_cast %[[HI0]] : i32 to index
// CHECK: scf.for %[[P:.*]] = %[[BEGIN0]] to %[[END0]] step %c1 {
// CHECK:   %[[STORED0:.*]] = memref.load %[[CRD0]][%[[P]]] : memref<?xi32>
// CHECK:   %[[COORDINATE0:.*]] = arith.index_cast %[[STORED0]] : i32 to index
// CHECK:   %[[STORED1:.*]] = memref.load %[[CRD1]][%[[P]]] : memref<?xi32>
// CHECK:   %[[COORDINATE1:.*]] = arith.index_cast %[[STORED1]] : i32 to index
// CHECK:   scf.for %[[P2:.*]] = %c0 to %[[NK]] step %c1 {
// CHECK:     %[[START:.*]] = arith.muli %[[P]], %[[A_SIZE2]] : index
// CHECK:     %[[AT:.*]] = arith.addi %[[START]], %[[P2]] : index
// CHECK:     %[[A_AT:.*]] = memref.load %[[A_VAL]][%[[AT]]] : memref<?xf64>
// CHECK:     %[[START2:.*]] = arith.muli %[[COORDINATE0]], %[[C_SIZE1]] : index
// CHECK:     %[[AT2:.*]] = arith.addi %[[START2]], %[[COORDINATE1]] : index
// CHECK:     %[[START3:.*]] = arith.muli %[[AT2]], %[[C_SIZE2]] : index
// CHECK:     %[[AT3:.*]] = arith.addi %[[START3]], %[[P2]] : index
// CHECK:     %[[C_AT:.*]] = memref.load %[[C_VAL]][%[[AT3]]] : memref<?xf64>
// CHECK:     %[[ADDF:.*]] = arith.addf %[[C_AT]], %[[A_AT]] fastmath<contract> : f64
// CHECK:     memref.store %[[ADDF]], %[[C_VAL]][%[[AT3]]] : memref<?xf64>
func.func @mode_generic(%A: tensor<?x?x?xf64, #ta.format<[CN, S, D]>>, %C: tensor<?x?x?xf64>, %ni: index, %nj: index, %nk: index) {
  cin.compute {
    %i = cin.index_var "i" size %ni
    %j = cin.index_var "j" size %nj
    %k = cin.index_var "k" size %nk
    cin.forall %i {
      cin.forall %j {
        cin.forall %k {
          %0 = cin.access %A[%i, %j, %k] : tensor<?x?x?xf64, #ta.format<[CN, S, D]>> -> f64
          cin.assign %0 to %C[%i, %j, %k] add : f64, tensor<?x?x?xf64>
        }
      }
    }
  }
  return
}

// Arrays of 64-bit indices.
// CHECK-LABEL: func.func @wide(
// CHECK-SAME: %[[A:[^:]*]]:{{[^%]*}}%[[C:[^:]*]]:{{[^%]*}}%{{[^:]*}}:
// CHECK: %[[POS0:.*]] = ta.positions %[[A]], 0 : {{.*}} to memref<?xi64>
// CHECK: %[[CRD0:.*]] = ta.coordinates %[[A]], 0 : {{.*}} to memref<?xi64>
// CHECK: %[[A_VAL:.*]] = ta.values %[[A]] : {{.*}} to memref<?xf64>
// CHECK: %[[C_VAL:.*]] = ta.values %[[C]] : tensor<?xf64> to memref<?xf64>
// CHECK: %[[LO0:.*]] = memref.load %[[POS0]][%c0] : memref<?xi64>
// CHECK: %[[BEGIN0:.*]] = arith.index_cast %[[LO0]] : i64 to index
// CHECK: %[[HI0:.*]] = memref.load %[[POS0]][%c1] : memref<?xi64>
// CHECK: %[[END0:.*]] = arith.index_cast %[[HI0]] : i64 to index
// CHECK: scf.for %[[P:.*]] = %[[BEGIN0]] to %[[END0]] step %c1 {
// CHECK:   %[[STORED0:.*]] = memref.load %[[CRD0]][%[[P]]] : memref<?xi64>
// CHECK:   %[[COORDINATE0:.*]] = arith.index_cast %[[STORED0]] : i64 to index
// CHECK:   %[[A_AT:.*]] = memref.load %[[A_VAL]][%[[P]]] : memref<?xf64>
// CHECK:   %[[C_AT:.*]] = memref.load %[[C_VAL]][%[[COORDINATE0]]] : memref<?xf64>
// CHECK:   %[[ADDF:.*]] = arith.addf %[[C_AT]], %[[A_AT]] fastmath<contract> : f64
// CHECK:   memref.store %[[ADDF]], %[[C_VAL]][%[[COORDINATE0]]] : memref<?xf64>
func.func @wide(%A: tensor<?xf64, #ta.format<[CU], index = 64>>, %C: tensor<?xf64>, %ni: index) {
  cin.compute {
    %i = cin.index_var "i" size %ni
    cin.forall %i {
      %0 = cin.access %A[%i] : tensor<?xf64, #ta.format<[CU], index = 64>> -> f64
      cin.assign %0 to %C[%i] add : f64, tensor<?xf64>
    }
  }
  return
}

// A dense operand in another order than the row-major one.
// CHECK-LABEL: func.func @dense(
// CHECK-SAME: %[[A:[^:]*]]:{{[^%]*}}%[[C:[^:]*]]:{{[^%]*}}%[[NI:[^:]*]]:{{[^%]*}}%[[NJ:[^:]*]]:
// CHECK: %[[A_SIZE1:.*]] = ta.level_size %[[A]], 1 : {{.*}}
// CHECK: %[[A_VAL:.*]] = ta.values %[[A]] : {{.*}} to memref<?xf64>
// CHECK: %[[C_SIZE1:.*]] = ta.level_size %[[C]], 1 : tensor<?x?xf64>
// CHECK: %[[C_VAL:.*]] = ta.values %[[C]] : tensor<?x?xf64> to memref<?xf64>
// CHECK: scf.for %[[P:.*]] = %c0 to %[[NJ]] step %c1 {
// CHECK:   scf.for %[[P2:.*]] = %c0 to %[[NI]] step %c1 {
// CHECK:     %[[START:.*]] = arith.muli %[[P]], %[[A_SIZE1]] : index
// CHECK:     %[[AT:.*]] = arith.addi %[[START]], %[[P2]] : index
// CHECK:     %[[A_AT:.*]] = memref.load %[[A_VAL]][%[[AT]]] : memref<?xf64>
// CHECK:     %[[START2:.*]] = arith.muli %[[P2]], %[[C_SIZE1]] : index
// CHECK:     %[[AT2:.*]] = arith.addi %[[START2]], %[[P]] : index
// CHECK:     %[[C_AT:.*]] = memref.load %[[C_VAL]][%[[AT2]]] : memref<?xf64>
// CHECK:     %[[ADDF:.*]] = arith.addf %[[C_AT]], %[[A_AT]] fastmath<contract> : f64
// CHECK:     memref.store %[[ADDF]], %[[C_VAL]][%[[AT2]]] : memref<?xf64>
func.func @dense(%A: tensor<?x?xf64, #ta.format<[d1 : D, d0 : D]>>, %C: tensor<?x?xf64>, %ni: index, %nj: index) {
  cin.compute {
    %i = cin.index_var "i" size %ni
    %j = cin.index_var "j" size %nj
    cin.forall %j {
      cin.forall %i {
        %0 = cin.access %A[%i, %j] : tensor<?x?xf64, #ta.format<[d1 : D, d0 : D]>> -> f64
        cin.assign %0 to %C[%i, %j] add : f64, tensor<?x?xf64>
      }
    }
  }
  return
}
