// Rows that are whole lines and that nobody reads go past the caches. What is not known before is looked at in front of
// the tasks.

// RUN: %comet-opt %s --stream-stores -split-input-file | FileCheck %s --check-prefixes=CHECK,WIDE
// RUN: %comet-opt %s --stream-stores=register=256 -split-input-file | FileCheck %s --check-prefixes=CHECK,NARROW

// Whether %m is a number of whole lines is known when the kernel runs.
// CHECK-LABEL: func.func @columns(
// CHECK-SAME: %[[N:.*]]: index, %[[M:[^:]*]]: index
// CHECK: memref.extract_aligned_pointer_as_index
// CHECK: arith.remui %[[M]], %c8
// CHECK: scf.parallel
// WIDE-COUNT-2: nontemporal = true} : memref<?xf64>, vector<8xf64>
// NARROW-COUNT-4: {alignment = 32 : i64, nontemporal = true} : memref<?xf64>, vector<4xf64>
// CHECK: } else {
// CHECK: vector.store %{{.*}} : memref<?xf64>, vector<16xf64>
// CHECK: llvm.fence seq_cst
// CHECK: scf.reduce
func.func @columns(%n: index, %m: index, %C: tensor<?x?xf64>, %sum: vector<16xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c = ta.values %C : tensor<?x?xf64> to memref<?xf64>
  scf.parallel (%task) = (%c0) to (%c1) step (%c1) {
    scf.for %i = %c0 to %n step %c1 {
      %row = arith.muli %i, %m : index
      scf.for %k = %c0 to %m step %c16 {
        %place = arith.addi %row, %k : index
        vector.store %sum, %c[%place] : memref<?xf64>, vector<16xf64>
      }
    }
    scf.reduce
  }
  return
}

// -----

// Rows that begin in the middle of a line.
// CHECK-LABEL: func.func @anywhere
// CHECK-NOT: nontemporal
func.func @anywhere(%n: index, %m: index, %C: tensor<?x?xf64>, %sum: vector<16xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c = ta.values %C : tensor<?x?xf64> to memref<?xf64>
  scf.parallel (%task) = (%c0) to (%c1) step (%c1) {
    scf.for %i = %c0 to %n step %c1 {
      %place = arith.addi %i, %c16 : index
      vector.store %sum, %c[%place] : memref<?xf64>, vector<16xf64>
    }
    scf.reduce
  }
  return
}

// -----

// What is read is in the caches.
// CHECK-LABEL: func.func @read
// CHECK-NOT: nontemporal
func.func @read(%n: index, %m: index, %C: tensor<?x?xf64>, %sum: vector<16xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c = ta.values %C : tensor<?x?xf64> to memref<?xf64>
  scf.parallel (%task) = (%c0) to (%c1) step (%c1) {
    scf.for %i = %c0 to %n step %c1 {
      %place = arith.muli %i, %c16 : index
      %before = vector.load %c[%place] : memref<?xf64>, vector<16xf64>
      %after = arith.addf %sum, %before : vector<16xf64>
      vector.store %after, %c[%place] : memref<?xf64>, vector<16xf64>
    }
    scf.reduce
  }
  return
}

// -----

// CHECK-LABEL: func.func @part_of_line
// CHECK-NOT: nontemporal
func.func @part_of_line(%n: index, %m: index, %C: tensor<?x?xf64>, %sum: vector<16xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c = ta.values %C : tensor<?x?xf64> to memref<?xf64>
  scf.parallel (%task) = (%c0) to (%c1) step (%c1) {
    scf.for %i = %c0 to %n step %c1 {
      %place = arith.muli %i, %c16 : index
      %part = vector.extract_strided_slice %sum {offsets = [0], sizes = [4], strides = [1]} : vector<16xf64> to vector<4xf64>
      vector.store %part, %c[%place] : memref<?xf64>, vector<4xf64>
    }
    scf.reduce
  }
  return
}

// -----

// CHECK-LABEL: func.func @sequential
// CHECK-NOT: nontemporal
func.func @sequential(%n: index, %m: index, %C: tensor<?x?xf64>, %sum: vector<16xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c = ta.values %C : tensor<?x?xf64> to memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %place = arith.muli %i, %c16 : index
    vector.store %sum, %c[%place] : memref<?xf64>, vector<16xf64>
  }
  return
}
