// Rows with the same coordinates are computed together where nothing else is done in them. The number of rows follows
// from the registers.

// RUN: %comet-opt %s --jam-rows -split-input-file | FileCheck %s --check-prefixes=CHECK,WIDE
// RUN: %comet-opt %s --jam-rows=registers=8192 -split-input-file | FileCheck %s --check-prefixes=CHECK,NARROW

// Blocks of columns between the rows and their entries. A row of %b is read once for two rows.
// CHECK-LABEL: func.func @columns
// NARROW-NOT: scf.while
// WIDE: scf.while
// WIDE: vector.load
// WIDE: } else {
// WIDE: scf.for %[[KB:.*]] = %{{.*}} to %{{.*}} step %c64
// WIDE: scf.for {{.*}} -> (vector<64xf64>, vector<64xf64>)
// WIDE: vector.load
// WIDE-NOT: vector.load
// WIDE: scf.yield %{{.*}}, %{{.*}} : vector<64xf64>, vector<64xf64>
// WIDE: vector.store
// WIDE: vector.store
func.func @columns(%n: index, %A: tensor<?x?xf64, #ta.format<[D, CU]>>, %B: tensor<?x?xf64>, %C: tensor<?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : vector<64xf64>
  %pos = ta.positions %A, 1 : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xi32>
  %crd = ta.coordinates %A, 1 : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xi32>
  %values = ta.values %A : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xf64>
  %b = ta.values %B : tensor<?x?xf64> to memref<?xf64>
  %c = ta.values %C : tensor<?x?xf64> to memref<?xf64>
  scf.parallel (%task) = (%c0) to (%c1) step (%c1) {
    scf.for %i = %c0 to %n step %c1 {
      scf.for %kb = %c0 to %n step %c64 {
        %next = arith.addi %i, %c1 : index
        %0 = memref.load %pos[%i] : memref<?xi32>
        %start = arith.index_cast %0 : i32 to index
        %1 = memref.load %pos[%next] : memref<?xi32>
        %end = arith.index_cast %1 : i32 to index
        %place0 = arith.muli %i, %n : index
        %place = arith.addi %place0, %kb : index
        %sum = scf.for %p = %start to %end step %c1 iter_args(%before = %zero) -> (vector<64xf64>) {
          %2 = memref.load %crd[%p] : memref<?xi32>
          %j = arith.index_cast %2 : i32 to index
          %row0 = arith.muli %j, %c64 : index
          %row = arith.addi %row0, %kb : index
          %x = vector.load %b[%row] : memref<?xf64>, vector<64xf64>
          %a = memref.load %values[%p] : memref<?xf64>
          %as = vector.broadcast %a : f64 to vector<64xf64>
          %product = arith.mulf %as, %x : vector<64xf64>
          %after = arith.addf %before, %product : vector<64xf64>
          scf.yield %after : vector<64xf64>
        }
        vector.store %sum, %c[%place] : memref<?xf64>, vector<64xf64>
      }
    }
    scf.reduce
  }
  return
}

// -----

// Only the rounds of tasks are known to be independent.
// CHECK-LABEL: func.func @sequential
// CHECK-NOT: scf.while
func.func @sequential(%n: index, %A: tensor<?x?xf64, #ta.format<[D, CU]>>, %B: tensor<?x?xf64>, %C: tensor<?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : vector<64xf64>
  %pos = ta.positions %A, 1 : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xi32>
  %crd = ta.coordinates %A, 1 : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xi32>
  %values = ta.values %A : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xf64>
  %b = ta.values %B : tensor<?x?xf64> to memref<?xf64>
  %c = ta.values %C : tensor<?x?xf64> to memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %next = arith.addi %i, %c1 : index
    %0 = memref.load %pos[%i] : memref<?xi32>
    %start = arith.index_cast %0 : i32 to index
    %1 = memref.load %pos[%next] : memref<?xi32>
    %end = arith.index_cast %1 : i32 to index
    %place = arith.muli %i, %c64 : index
    %sum = scf.for %p = %start to %end step %c1 iter_args(%before = %zero) -> (vector<64xf64>) {
      %2 = memref.load %crd[%p] : memref<?xi32>
      %j = arith.index_cast %2 : i32 to index
      %row0 = arith.muli %j, %c64 : index
      %row = arith.addi %row0, %c0 : index
      %x = vector.load %b[%row] : memref<?xf64>, vector<64xf64>
      %a = memref.load %values[%p] : memref<?xf64>
      %as = vector.broadcast %a : f64 to vector<64xf64>
      %product = arith.mulf %as, %x : vector<64xf64>
      %after = arith.addf %before, %product : vector<64xf64>
      scf.yield %after : vector<64xf64>
    }
    vector.store %sum, %c[%place] : memref<?xf64>, vector<64xf64>
  }
  return
}

// -----

// What a row reads another one might have written.
// CHECK-LABEL: func.func @reads_result
// CHECK-NOT: scf.while
func.func @reads_result(%n: index, %A: tensor<?x?xf64, #ta.format<[D, CU]>>, %B: tensor<?x?xf64>, %C: tensor<?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : vector<64xf64>
  %pos = ta.positions %A, 1 : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xi32>
  %crd = ta.coordinates %A, 1 : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xi32>
  %values = ta.values %A : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xf64>
  %b = ta.values %B : tensor<?x?xf64> to memref<?xf64>
  %c = ta.values %C : tensor<?x?xf64> to memref<?xf64>
  scf.parallel (%task) = (%c0) to (%c1) step (%c1) {
    scf.for %i = %c0 to %n step %c1 {
      %next = arith.addi %i, %c1 : index
      %0 = memref.load %pos[%i] : memref<?xi32>
      %start = arith.index_cast %0 : i32 to index
      %1 = memref.load %pos[%next] : memref<?xi32>
      %end = arith.index_cast %1 : i32 to index
      %place = arith.muli %i, %c64 : index
      %first = vector.load %c[%place] : memref<?xf64>, vector<64xf64>
      %sum = scf.for %p = %start to %end step %c1 iter_args(%before = %first) -> (vector<64xf64>) {
        %2 = memref.load %crd[%p] : memref<?xi32>
        %j = arith.index_cast %2 : i32 to index
        %row0 = arith.muli %j, %c64 : index
        %row = arith.addi %row0, %c0 : index
        %x = vector.load %b[%row] : memref<?xf64>, vector<64xf64>
        %a = memref.load %values[%p] : memref<?xf64>
        %as = vector.broadcast %a : f64 to vector<64xf64>
        %product = arith.mulf %as, %x : vector<64xf64>
        %after = arith.addf %before, %product : vector<64xf64>
        scf.yield %after : vector<64xf64>
      }
      vector.store %sum, %c[%place] : memref<?xf64>, vector<64xf64>
    }
    scf.reduce
  }
  return
}

// -----

// It is the tensors that count, not how often their arrays are asked for.
// CHECK-LABEL: func.func @reads_result_again
// CHECK-NOT: scf.while
func.func @reads_result_again(%n: index, %A: tensor<?x?xf64, #ta.format<[D, CU]>>, %B: tensor<?x?xf64>, %C: tensor<?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : vector<64xf64>
  %pos = ta.positions %A, 1 : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xi32>
  %crd = ta.coordinates %A, 1 : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xi32>
  %values = ta.values %A : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xf64>
  %b = ta.values %B : tensor<?x?xf64> to memref<?xf64>
  %c = ta.values %C : tensor<?x?xf64> to memref<?xf64>
  %again = ta.values %C : tensor<?x?xf64> to memref<?xf64>
  scf.parallel (%task) = (%c0) to (%c1) step (%c1) {
    scf.for %i = %c0 to %n step %c1 {
      %next = arith.addi %i, %c1 : index
      %0 = memref.load %pos[%i] : memref<?xi32>
      %start = arith.index_cast %0 : i32 to index
      %1 = memref.load %pos[%next] : memref<?xi32>
      %end = arith.index_cast %1 : i32 to index
      %place = arith.muli %i, %c64 : index
      %first = vector.load %again[%place] : memref<?xf64>, vector<64xf64>
      %sum = scf.for %p = %start to %end step %c1 iter_args(%before = %first) -> (vector<64xf64>) {
        %2 = memref.load %crd[%p] : memref<?xi32>
        %j = arith.index_cast %2 : i32 to index
        %row0 = arith.muli %j, %c64 : index
        %row = arith.addi %row0, %c0 : index
        %x = vector.load %b[%row] : memref<?xf64>, vector<64xf64>
        %a = memref.load %values[%p] : memref<?xf64>
        %as = vector.broadcast %a : f64 to vector<64xf64>
        %product = arith.mulf %as, %x : vector<64xf64>
        %after = arith.addf %before, %product : vector<64xf64>
        scf.yield %after : vector<64xf64>
      }
      vector.store %sum, %c[%place] : memref<?xf64>, vector<64xf64>
    }
    scf.reduce
  }
  return
}

// -----

// CHECK-LABEL: func.func @writes_inside
// CHECK-NOT: scf.while
func.func @writes_inside(%n: index, %A: tensor<?x?xf64, #ta.format<[D, CU]>>, %B: tensor<?x?xf64>, %C: tensor<?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : vector<64xf64>
  %pos = ta.positions %A, 1 : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xi32>
  %crd = ta.coordinates %A, 1 : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xi32>
  %values = ta.values %A : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xf64>
  %b = ta.values %B : tensor<?x?xf64> to memref<?xf64>
  %c = ta.values %C : tensor<?x?xf64> to memref<?xf64>
  scf.parallel (%task) = (%c0) to (%c1) step (%c1) {
    scf.for %i = %c0 to %n step %c1 {
      %next = arith.addi %i, %c1 : index
      %0 = memref.load %pos[%i] : memref<?xi32>
      %start = arith.index_cast %0 : i32 to index
      %1 = memref.load %pos[%next] : memref<?xi32>
      %end = arith.index_cast %1 : i32 to index
      %place = arith.muli %i, %c64 : index
      %sum = scf.for %p = %start to %end step %c1 iter_args(%before = %zero) -> (vector<64xf64>) {
        %2 = memref.load %crd[%p] : memref<?xi32>
        %j = arith.index_cast %2 : i32 to index
        %row0 = arith.muli %j, %c64 : index
        %row = arith.addi %row0, %c0 : index
        %x = vector.load %b[%row] : memref<?xf64>, vector<64xf64>
        %a = memref.load %values[%p] : memref<?xf64>
        %as = vector.broadcast %a : f64 to vector<64xf64>
        %product = arith.mulf %as, %x : vector<64xf64>
        %after = arith.addf %before, %product : vector<64xf64>
        memref.store %a, %c[%j] : memref<?xf64>
        scf.yield %after : vector<64xf64>
      }
      vector.store %sum, %c[%place] : memref<?xf64>, vector<64xf64>
    }
    scf.reduce
  }
  return
}

// -----

// Coordinates are read elsewhere than at the positions of the row.
// CHECK-LABEL: func.func @other_positions
// CHECK-NOT: scf.while
func.func @other_positions(%n: index, %A: tensor<?x?xf64, #ta.format<[D, CU]>>, %B: tensor<?x?xf64>, %C: tensor<?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : vector<64xf64>
  %pos = ta.positions %A, 1 : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xi32>
  %crd = ta.coordinates %A, 1 : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xi32>
  %values = ta.values %A : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xf64>
  %b = ta.values %B : tensor<?x?xf64> to memref<?xf64>
  %c = ta.values %C : tensor<?x?xf64> to memref<?xf64>
  scf.parallel (%task) = (%c0) to (%c1) step (%c1) {
    scf.for %i = %c0 to %n step %c1 {
      %next = arith.addi %i, %c1 : index
      %0 = memref.load %pos[%i] : memref<?xi32>
      %start = arith.index_cast %0 : i32 to index
      %1 = memref.load %pos[%next] : memref<?xi32>
      %end = arith.index_cast %1 : i32 to index
      %place = arith.muli %i, %c64 : index
      %sum = scf.for %p = %start to %end step %c1 iter_args(%before = %zero) -> (vector<64xf64>) {
        %2 = memref.load %crd[%place] : memref<?xi32>
        %j = arith.index_cast %2 : i32 to index
        %row0 = arith.muli %j, %c64 : index
        %row = arith.addi %row0, %c0 : index
        %x = vector.load %b[%row] : memref<?xf64>, vector<64xf64>
        %a = memref.load %values[%p] : memref<?xf64>
        %as = vector.broadcast %a : f64 to vector<64xf64>
        %product = arith.mulf %as, %x : vector<64xf64>
        %after = arith.addf %before, %product : vector<64xf64>
        scf.yield %after : vector<64xf64>
      }
      vector.store %sum, %c[%place] : memref<?xf64>, vector<64xf64>
    }
    scf.reduce
  }
  return
}

// -----

#unroll = #llvm.loop_unroll<count = 2 : i32>
#annotation = #llvm.loop_annotation<unroll = #unroll>
// The schedule has decided.
// CHECK-LABEL: func.func @unrolled
// CHECK-NOT: scf.while
func.func @unrolled(%n: index, %A: tensor<?x?xf64, #ta.format<[D, CU]>>, %B: tensor<?x?xf64>, %C: tensor<?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : vector<64xf64>
  %pos = ta.positions %A, 1 : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xi32>
  %crd = ta.coordinates %A, 1 : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xi32>
  %values = ta.values %A : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xf64>
  %b = ta.values %B : tensor<?x?xf64> to memref<?xf64>
  %c = ta.values %C : tensor<?x?xf64> to memref<?xf64>
  scf.parallel (%task) = (%c0) to (%c1) step (%c1) {
    scf.for %i = %c0 to %n step %c1 {
      %next = arith.addi %i, %c1 : index
      %0 = memref.load %pos[%i] : memref<?xi32>
      %start = arith.index_cast %0 : i32 to index
      %1 = memref.load %pos[%next] : memref<?xi32>
      %end = arith.index_cast %1 : i32 to index
      %place = arith.muli %i, %c64 : index
      %sum = scf.for %p = %start to %end step %c1 iter_args(%before = %zero) -> (vector<64xf64>) {
        %2 = memref.load %crd[%p] : memref<?xi32>
        %j = arith.index_cast %2 : i32 to index
        %row0 = arith.muli %j, %c64 : index
        %row = arith.addi %row0, %c0 : index
        %x = vector.load %b[%row] : memref<?xf64>, vector<64xf64>
        %a = memref.load %values[%p] : memref<?xf64>
        %as = vector.broadcast %a : f64 to vector<64xf64>
        %product = arith.mulf %as, %x : vector<64xf64>
        %after = arith.addf %before, %product : vector<64xf64>
        scf.yield %after : vector<64xf64>
      }
      vector.store %sum, %c[%place] : memref<?xf64>, vector<64xf64>
    } {loop_annotation = #annotation}
    scf.reduce
  }
  return
}
