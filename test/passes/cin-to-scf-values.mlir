// Workspaces become values that loops carry, blocks of lanes become vectors with a masked rest, and expressions become arithmetic.

// RUN: %comet-opt %s --cin-to-scf --canonicalize --cse | FileCheck %s --implicit-check-not=cin.

// A scalar workspace is carried by the loop that adds to it, and added to the target once.
// CHECK-LABEL: func.func @sum(
// CHECK-SAME: %[[A:[^:]*]]:{{[^%]*}}%[[X:[^:]*]]:{{[^%]*}}%[[Y:[^:]*]]:{{[^%]*}}%[[N:[^:]*]]:{{[^%]*}}%{{[^:]*}}:
// CHECK: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f64
// CHECK: %[[POS1:.*]] = ta.positions %[[A]], 1 : {{.*}} to memref<?xi32>
// CHECK: %[[CRD1:.*]] = ta.coordinates %[[A]], 1 : {{.*}} to memref<?xi32>
// CHECK: %[[A_VAL:.*]] = ta.values %[[A]] : {{.*}} to memref<?xf64>
// CHECK: %[[X_VAL:.*]] = ta.values %[[X]] : tensor<?xf64> to memref<?xf64>
// CHECK: %[[Y_VAL:.*]] = ta.values %[[Y]] : tensor<?xf64> to memref<?xf64>
// CHECK: scf.for %[[P:.*]] = %c0 to %[[N]] step %c1 {
// CHECK:   %[[AT:.*]] = arith.addi %[[P]], %c1 : index
// CHECK:   %[[LO1:.*]] = memref.load %[[POS1]][%[[P]]] : memref<?xi32>
// CHECK:   %[[BEGIN1:.*]] = arith.index_cast %[[LO1]] : i32 to index
// CHECK:   %[[HI1:.*]] = memref.load %[[POS1]][%[[AT]]] : memref<?xi32>
// CHECK:   %[[END1:.*]] = arith.index_cast %[[HI1]] : i32 to index
// CHECK:   %[[SUM:.*]] = scf.for %[[P2:.*]] = %[[BEGIN1]] to %[[END1]] step %c1 iter_args(%[[ACC:.*]] = %[[ZERO]]) -> (f64) {
// CHECK:     %[[STORED1:.*]] = memref.load %[[CRD1]][%[[P2]]] : memref<?xi32>
// CHECK:     %[[COORDINATE1:.*]] = arith.index_cast %[[STORED1]] : i32 to index
// CHECK:     %[[A_AT:.*]] = memref.load %[[A_VAL]][%[[P2]]] : memref<?xf64>
// CHECK:     %[[X_AT:.*]] = memref.load %[[X_VAL]][%[[COORDINATE1]]] : memref<?xf64>
// CHECK:     %[[MULF:.*]] = arith.mulf %[[A_AT]], %[[X_AT]] fastmath<contract> : f64
// CHECK:     %[[ADDF:.*]] = arith.addf %[[ACC]], %[[MULF]] fastmath<reassoc,contract> : f64
// CHECK:     scf.yield %[[ADDF]] : f64
// CHECK:   %[[Y_AT:.*]] = memref.load %[[Y_VAL]][%[[P]]] : memref<?xf64>
// CHECK:   %[[ADDF2:.*]] = arith.addf %[[Y_AT]], %[[SUM]] fastmath<contract> : f64
// CHECK:   memref.store %[[ADDF2]], %[[Y_VAL]][%[[P]]] : memref<?xf64>
func.func @sum(%A: tensor<?x?xf64, #ta.format<[D, CU]>>, %x: tensor<?xf64>, %y: tensor<?xf64>, %n: index, %m: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    %j = cin.index_var "j" size %m
    cin.forall %i {
      %t = cin.temporary "t" scalar : tensor<f64>
      cin.where {
        %3 = cin.access %t[] : tensor<f64> -> f64
        cin.assign %3 to %y[%i] add : f64, tensor<?xf64>
      } producer {
        cin.forall %j {
          %0 = cin.access %A[%i, %j] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
          %1 = cin.access %x[%j] : tensor<?xf64> -> f64
          %2 = cin.combine mul %0, %1 : f64
          cin.assign %2 to %t[] add : f64, tensor<f64>
        }
      }
    }
  }
  return
}

// A block of the target stays in a register of 32 lanes while the nonzeros of the row are walked; what is left over is done with 8 masked lanes at a time.
// Where B is large, its rows are asked for 64 nonzeros ahead.
// CHECK-LABEL: func.func @block(
// CHECK-SAME: %[[A:[^:]*]]:{{[^%]*}}%[[B:[^:]*]]:{{[^%]*}}%[[C:[^:]*]]:{{[^%]*}}%[[N:[^:]*]]:{{[^%]*}}%{{[^:]*}}:{{[^%]*}}%[[P:[^:]*]]:
// CHECK: %[[ZEROS:.*]] = arith.constant dense<0.000000e+00> : vector<8xf64>
// CHECK: %[[ZEROS2:.*]] = arith.constant dense<0.000000e+00> : vector<32xf64>
// CHECK: %[[POS1:.*]] = ta.positions %[[A]], 1 : {{.*}} to memref<?xi32>
// CHECK: %[[CRD1:.*]] = ta.coordinates %[[A]], 1 : {{.*}} to memref<?xi32>
// CHECK: %[[B_VAL:.*]] = ta.values %[[B]] : tensor<?x?xf64> to memref<?xf64>
// CHECK: %[[B_SIZE1:.*]] = ta.level_size %[[B]], 1 : tensor<?x?xf64>
// CHECK: %[[A_VAL:.*]] = ta.values %[[A]] : {{.*}} to memref<?xf64>
// CHECK: %[[C_SIZE1:.*]] = ta.level_size %[[C]], 1 : tensor<?x?xf64>
// CHECK: %[[C_VAL:.*]] = ta.values %[[C]] : tensor<?x?xf64> to memref<?xf64>
// CHECK: scf.for %[[P2:.*]] = %c0 to %[[N]] step %c1 {
// CHECK:   %[[REST:.*]] = arith.remui %[[P]], %c32 : index
// CHECK:   %[[LEFT:.*]] = arith.subi %[[P]], %[[REST]] : index
// CHECK:   scf.for %[[P3:.*]] = %c0 to %[[LEFT]] step %c32 {
// CHECK:     %[[AT:.*]] = arith.addi %[[P2]], %c1 : index
// CHECK:     %[[LO1:.*]] = memref.load %[[POS1]][%[[P2]]] : memref<?xi32>
// CHECK:     %[[BEGIN1:.*]] = arith.index_cast %[[LO1]] : i32 to index
// CHECK:     %[[HI1:.*]] = memref.load %[[POS1]][%[[AT]]] : memref<?xi32>
// CHECK:     %[[END1:.*]] = arith.index_cast %[[HI1]] : i32 to index
// CHECK:     %[[ALL:.*]] = memref.dim %[[B_VAL]], %c0
// CHECK:     %[[FAR:.*]] = arith.cmpi sge, %[[ALL]], %c2097152 : index
// CHECK:     %[[SUM:.*]] = scf.for %[[P4:.*]] = %[[BEGIN1]] to %[[END1]] step %c1 iter_args(%[[ACC:.*]] = %[[ZEROS2]]) -> (vector<32xf64>) {
// CHECK:       scf.if %[[FAR]] {
// CHECK:         %[[AHEAD:.*]] = arith.addi %[[P4]], %c64 : index
// CHECK:         %[[THERE:.*]] = arith.minsi %[[AHEAD]],
// CHECK:         memref.load %[[CRD1]][%[[THERE]]]
// CHECK-COUNT-4: memref.prefetch %[[B_VAL]]
// CHECK:       %[[STORED1:.*]] = memref.load %[[CRD1]][%[[P4]]] : memref<?xi32>
// CHECK:       %[[COORDINATE1:.*]] = arith.index_cast %[[STORED1]] : i32 to index
// CHECK:       %[[START:.*]] = arith.muli %[[COORDINATE1]], %[[B_SIZE1]] : index
// CHECK:       %[[AT2:.*]] = arith.addi %[[START]], %[[P3]] : index
// CHECK:       %[[A_AT:.*]] = memref.load %[[A_VAL]][%[[P4]]] : memref<?xf64>
// CHECK:       %[[B_AT:.*]] = vector.load %[[B_VAL]][%[[AT2]]] : memref<?xf64>, vector<32xf64>
// CHECK:       %[[BROADCAST:.*]] = vector.broadcast %[[A_AT]] : f64 to vector<32xf64>
// CHECK:       %[[MULF:.*]] = arith.mulf %[[BROADCAST]], %[[B_AT]] fastmath<contract> : vector<32xf64>
// CHECK:       %[[ADDF:.*]] = arith.addf %[[ACC]], %[[MULF]] fastmath<contract> : vector<32xf64>
// CHECK:       scf.yield %[[ADDF]] : vector<32xf64>
// CHECK:     %[[START2:.*]] = arith.muli %[[P2]], %[[C_SIZE1]] : index
// CHECK:     %[[AT3:.*]] = arith.addi %[[START2]], %[[P3]] : index
// CHECK:     %[[C_AT:.*]] = vector.load %[[C_VAL]][%[[AT3]]] : memref<?xf64>, vector<32xf64>
// CHECK:     %[[ADDF2:.*]] = arith.addf %[[C_AT]], %[[SUM]] fastmath<contract> : vector<32xf64>
// CHECK:     vector.store %[[ADDF2]], %[[C_VAL]][%[[AT3]]] : memref<?xf64>, vector<32xf64>
// CHECK:   %[[REST16:.*]] = arith.remui %[[P]], %c16 : index
// CHECK:   %[[LEFT16:.*]] = arith.subi %[[P]], %[[REST16]] : index
// CHECK:   scf.for %{{.*}} = %[[LEFT]] to %[[LEFT16]] step %c16 {
// CHECK:     vector.store %{{.*}}, %[[C_VAL]][%{{.*}}] : memref<?xf64>, vector<16xf64>
// CHECK:   scf.for %[[P5:.*]] = %[[LEFT16]] to %[[P]] step %c8 {
// CHECK:     %[[LEFT2:.*]] = arith.subi %[[P]], %[[P5]] : index
// CHECK:     %[[CREATE_MASK:.*]] = vector.create_mask %[[LEFT2]] : vector<8xi1>
// CHECK:     %[[AT4:.*]] = arith.addi %[[P2]], %c1 : index
// CHECK:     %[[LO12:.*]] = memref.load %[[POS1]][%[[P2]]] : memref<?xi32>
// CHECK:     %[[BEGIN12:.*]] = arith.index_cast %[[LO12]] : i32 to index
// CHECK:     %[[HI12:.*]] = memref.load %[[POS1]][%[[AT4]]] : memref<?xi32>
// CHECK:     %[[END12:.*]] = arith.index_cast %[[HI12]] : i32 to index
// CHECK:     %[[SUM2:.*]] = scf.for %[[P6:.*]] = %[[BEGIN12]] to %[[END12]] step %c1 iter_args(%[[ACC2:.*]] = %[[ZEROS]]) -> (vector<8xf64>) {
// CHECK:       %[[STORED12:.*]] = memref.load %[[CRD1]][%[[P6]]] : memref<?xi32>
// CHECK:       %[[COORDINATE12:.*]] = arith.index_cast %[[STORED12]] : i32 to index
// CHECK:       %[[START3:.*]] = arith.muli %[[COORDINATE12]], %[[B_SIZE1]] : index
// CHECK:       %[[AT5:.*]] = arith.addi %[[START3]], %[[P5]] : index
// CHECK:       %[[A_AT2:.*]] = memref.load %[[A_VAL]][%[[P6]]] : memref<?xf64>
// CHECK:       %[[B_AT2:.*]] = vector.maskedload %[[B_VAL]][%[[AT5]]], %[[CREATE_MASK]], %[[ZEROS]] : memref<?xf64>, vector<8xi1>, vector<8xf64> into vector<8xf64>
// CHECK:       %[[BROADCAST2:.*]] = vector.broadcast %[[A_AT2]] : f64 to vector<8xf64>
// CHECK:       %[[MULF2:.*]] = arith.mulf %[[BROADCAST2]], %[[B_AT2]] fastmath<contract> : vector<8xf64>
// CHECK:       %[[ADDF3:.*]] = arith.addf %[[ACC2]], %[[MULF2]] fastmath<contract> : vector<8xf64>
// CHECK:       scf.yield %[[ADDF3]] : vector<8xf64>
// CHECK:     %[[START4:.*]] = arith.muli %[[P2]], %[[C_SIZE1]] : index
// CHECK:     %[[AT6:.*]] = arith.addi %[[START4]], %[[P5]] : index
// CHECK:     %[[C_AT2:.*]] = vector.maskedload %[[C_VAL]][%[[AT6]]], %[[CREATE_MASK]], %[[ZEROS]] : memref<?xf64>, vector<8xi1>, vector<8xf64> into vector<8xf64>
// CHECK:     %[[ADDF4:.*]] = arith.addf %[[C_AT2]], %[[SUM2]] fastmath<contract> : vector<8xf64>
// CHECK:     vector.maskedstore %[[C_VAL]][%[[AT6]]], %[[CREATE_MASK]], %[[ADDF4]] : memref<?xf64>, vector<8xi1>, vector<8xf64>
func.func @block(%A: tensor<?x?xf64, #ta.format<[D, CU]>>, %B: tensor<?x?xf64>, %C: tensor<?x?xf64>, %n: index, %m: index, %p: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    %j = cin.index_var "j" size %m
    %k = cin.index_var "k" size %p
    %kb, %kv = cin.split %k by 32 names "kb", "kv"
    cin.forall %i {
      cin.forall %kb {
        %w = cin.temporary "w" registers : tensor<32xf64>
        cin.where {
          cin.forall %kv vectorize 32 {
            %3 = cin.access %w[%kv] : tensor<32xf64> -> f64
            cin.assign %3 to %C[%i, %k] add : f64, tensor<?x?xf64>
          }
        } producer {
          cin.forall %j {
            cin.forall %kv vectorize 32 {
              %0 = cin.access %A[%i, %j] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
              %1 = cin.access %B[%j, %k] : tensor<?x?xf64> -> f64
              %2 = cin.combine mul %0, %1 : f64
              cin.assign %2 to %w[%kv] add : f64, tensor<32xf64>
            }
          }
        }
      }
    }
  }
  return
}

// Without a reduction there is no workspace: whole blocks first, then masked ones. A scalar goes into every lane.
// CHECK-LABEL: func.func @lanes(
// CHECK-SAME: %[[X:[^:]*]]:{{[^%]*}}%[[Y:[^:]*]]:{{[^%]*}}%[[S:[^:]*]]:{{[^%]*}}%[[N:[^:]*]]:
// CHECK: %[[ZEROS:.*]] = arith.constant dense<0.000000e+00> : vector<8xf64>
// CHECK: %[[X_VAL:.*]] = ta.values %[[X]] : tensor<?xf64> to memref<?xf64>
// CHECK: %[[Y_VAL:.*]] = ta.values %[[Y]] : tensor<?xf64> to memref<?xf64>
// CHECK: %[[REST:.*]] = arith.remui %[[N]], %c16 : index
// CHECK: %[[LEFT:.*]] = arith.subi %[[N]], %[[REST]] : index
// CHECK: scf.for %[[P:.*]] = %c0 to %[[LEFT]] step %c16 {
// CHECK:   %[[X_AT:.*]] = vector.load %[[X_VAL]][%[[P]]] : memref<?xf64>, vector<16xf64>
// CHECK:   %[[BROADCAST:.*]] = vector.broadcast %[[S]] : f64 to vector<16xf64>
// CHECK:   %[[MULF:.*]] = arith.mulf %[[X_AT]], %[[BROADCAST]] fastmath<contract> : vector<16xf64>
// CHECK:   vector.store %[[MULF]], %[[Y_VAL]][%[[P]]] : memref<?xf64>, vector<16xf64>
// CHECK: scf.for %[[P2:.*]] = %[[LEFT]] to %[[N]] step %c8 {
// CHECK:   %[[LEFT2:.*]] = arith.subi %[[N]], %[[P2]] : index
// CHECK:   %[[CREATE_MASK:.*]] = vector.create_mask %[[LEFT2]] : vector<8xi1>
// CHECK:   %[[X_AT2:.*]] = vector.maskedload %[[X_VAL]][%[[P2]]], %[[CREATE_MASK]], %[[ZEROS]] : memref<?xf64>, vector<8xi1>, vector<8xf64> into vector<8xf64>
// CHECK:   %[[BROADCAST2:.*]] = vector.broadcast %[[S]] : f64 to vector<8xf64>
// CHECK:   %[[MULF2:.*]] = arith.mulf %[[X_AT2]], %[[BROADCAST2]] fastmath<contract> : vector<8xf64>
// CHECK:   vector.maskedstore %[[Y_VAL]][%[[P2]]], %[[CREATE_MASK]], %[[MULF2]] : memref<?xf64>, vector<8xi1>, vector<8xf64>
func.func @lanes(%x: tensor<?xf64>, %y: tensor<?xf64>, %s: f64, %n: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    %ib, %iv = cin.split %i by 16 names "ib", "iv"
    cin.forall %ib {
      cin.forall %iv vectorize 16 {
        %0 = cin.access %x[%i] : tensor<?xf64> -> f64
        %1 = cin.combine mul %0, %s : f64
        cin.assign %1 to %y[%i] set : f64, tensor<?xf64>
      }
    }
  }
  return
}

// Negation, casts and division in each element type; integer division is checked at run time.
// CHECK-LABEL: func.func @values(
// CHECK-SAME: %[[X:[^:]*]]:{{[^%]*}}%[[Y:[^:]*]]:{{[^%]*}}%[[Z:[^:]*]]:{{[^%]*}}%[[N:[^:]*]]:
// CHECK: %[[C0:.*]] = arith.constant 0 : i64
// CHECK: %[[X_VAL:.*]] = ta.values %[[X]] : tensor<?xi64> to memref<?xi64>
// CHECK: %[[Y_VAL:.*]] = ta.values %[[Y]] : tensor<?xf64> to memref<?xf64>
// CHECK: %[[Z_VAL:.*]] = ta.values %[[Z]] : tensor<?xi64> to memref<?xi64>
// CHECK: scf.for %[[P:.*]] = %c0 to %[[N]] step %c1 {
// CHECK:   %[[X_AT:.*]] = memref.load %[[X_VAL]][%[[P]]] : memref<?xi64>
// CHECK:   %[[LEFT:.*]] = arith.subi %[[C0]], %[[X_AT]] : i64
// CHECK:   %[[SITOFP:.*]] = arith.sitofp %[[LEFT]] : i64 to f64
// CHECK:   %[[NEGF:.*]] = arith.negf %[[SITOFP]] : f64
// CHECK:   %[[DIVF:.*]] = arith.divf %[[NEGF]], %[[SITOFP]] : f64
// CHECK:   %[[SUBF:.*]] = arith.subf %[[DIVF]], %[[SITOFP]] fastmath<contract> : f64
// CHECK:   memref.store %[[SUBF]], %[[Y_VAL]][%[[P]]] : memref<?xf64>
// CHECK:   %[[CHECKED_DIV:.*]] = ta.checked_div %[[LEFT]], %[[X_AT]]
// CHECK:   %[[Z_AT:.*]] = memref.load %[[Z_VAL]][%[[P]]] : memref<?xi64>
// CHECK:   %[[AT:.*]] = arith.addi %[[Z_AT]], %[[CHECKED_DIV]] : i64
// CHECK:   memref.store %[[AT]], %[[Z_VAL]][%[[P]]] : memref<?xi64>
func.func @values(%x: tensor<?xi64>, %y: tensor<?xf64>, %z: tensor<?xi64>, %n: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    cin.forall %i {
      %0 = cin.access %x[%i] : tensor<?xi64> -> i64
      %1 = cin.neg %0 : i64
      %2 = cin.cast %1 : i64 -> f64
      %3 = cin.neg %2 : f64
      %4 = cin.combine div %3, %2 : f64
      %5 = cin.unite sub %4, %2 : f64
      cin.assign %5 to %y[%i] set : f64, tensor<?xf64>
      %6 = cin.combine div %1, %0 : i64
      cin.assign %6 to %z[%i] add : i64, tensor<?xi64>
    }
  }
  return
}

// All of a dense tensor is set to a number without a loop, a diagonal is not.
// CHECK-LABEL: func.func @fill(
// CHECK-SAME: %[[X:[^:]*]]:{{[^%]*}}%[[Y:[^:]*]]:
// CHECK-NOT: scf.for
// CHECK: ta.fill %[[X]] with 5.000000e-01 : f64 : tensor<?x?xf64>
// CHECK: scf.for
// CHECK-NOT: ta.fill
// CHECK: return
func.func @fill(%x: tensor<?x?xf64>, %y: tensor<?x?xf64>, %n: index) {
  %half = arith.constant 0.5 : f64
  cin.compute {
    %i = cin.index_var "i" size %n
    %j = cin.index_var "j" size %n
    cin.forall %j {
      cin.forall %i {
        cin.assign %half to %x[%i, %j] set : f64, tensor<?x?xf64>
      }
    }
  }
  cin.compute {
    %i = cin.index_var "i" size %n
    cin.forall %i {
      cin.assign %half to %y[%i, %i] set : f64, tensor<?x?xf64>
    }
  }
  return
}
