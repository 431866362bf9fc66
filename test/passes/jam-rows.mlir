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

// -----

// Rows that a loop adds to a workspace: an element is read and written once for all of them, in the order of the rows.
// CHECK-LABEL: func.func @scattered
// CHECK: scf.while
// CHECK: scf.while
// CHECK: scf.for
// CHECK: scf.if
// CHECK: scf.for
// CHECK: } else {
// CHECK: arith.subi
// CHECK: scf.for
// CHECK: arith.mulf
// CHECK: %[[BEFORE:.*]] = memref.load %[[SUMS:.*]][%[[J:.*]]] : memref<?xf64>
// CHECK: %[[FIRST:.*]] = arith.addf %[[BEFORE]], %{{.*}} : f64
// CHECK: %[[SECOND:.*]] = arith.addf %[[FIRST]], %{{.*}} : f64
// CHECK-NOT: arith.addf
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[J]]] : memref<?xi8>
// CHECK-NEXT: memref.store %[[SECOND]], %[[SUMS]][%[[J]]] : memref<?xf64>
// CHECK-NEXT: }
// CHECK: %[[FIRST3:.*]] = arith.addf
// CHECK: %[[SECOND3:.*]] = arith.addf %[[FIRST3]]
// CHECK: %[[THIRD3:.*]] = arith.addf %[[SECOND3]]
// CHECK: memref.store {{.*}} : memref<?xi8>
// CHECK-NEXT: memref.store %[[THIRD3]]
func.func @scattered(%start: index, %end: index, %A: tensor<?x?xf64, #ta.format<[D, CU]>>, %C: tensor<?x?xf64, #ta.format<[D, CU]>>) {
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i8
  %pos = ta.positions %A, 1 : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xi32>
  %crd = ta.coordinates %A, 1 : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xi32>
  %values = ta.values %A : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xf64>
  %sums = ta.workspace %C, [%end] : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xf64>
  %marks = ta.workspace %C, [%end] : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xi8>
  scf.for %p = %start to %end step %c1 {
    %0 = memref.load %crd[%p] : memref<?xi32>
    %k = arith.index_cast %0 : i32 to index
    %next = arith.addi %k, %c1 : index
    %1 = memref.load %pos[%k] : memref<?xi32>
    %first = arith.index_cast %1 : i32 to index
    %2 = memref.load %pos[%next] : memref<?xi32>
    %last = arith.index_cast %2 : i32 to index
    %a = memref.load %values[%p] : memref<?xf64>
    scf.for %q = %first to %last step %c1 {
      %3 = memref.load %crd[%q] : memref<?xi32>
      %j = arith.index_cast %3 : i32 to index
      %b = memref.load %values[%q] : memref<?xf64>
      %product = arith.mulf %a, %b : f64
      memref.store %one, %marks[%j] : memref<?xi8>
      %before = memref.load %sums[%j] : memref<?xf64>
      %after = arith.addf %before, %product : f64
      memref.store %after, %sums[%j] : memref<?xf64>
    }
  }
  return
}

// -----

// A level that may store a coordinate twice: its sums would be made in another order.
// CHECK-LABEL: func.func @scattered_twice
// CHECK-NOT: scf.while
func.func @scattered_twice(%start: index, %end: index, %A: tensor<?x?xf64, #ta.format<[D, CN]>>, %C: tensor<?x?xf64, #ta.format<[D, CU]>>) {
  %c1 = arith.constant 1 : index
  %pos = ta.positions %A, 1 : tensor<?x?xf64, #ta.format<[D, CN]>> to memref<?xi32>
  %crd = ta.coordinates %A, 1 : tensor<?x?xf64, #ta.format<[D, CN]>> to memref<?xi32>
  %values = ta.values %A : tensor<?x?xf64, #ta.format<[D, CN]>> to memref<?xf64>
  %sums = ta.workspace %C, [%end] : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xf64>
  scf.for %p = %start to %end step %c1 {
    %next = arith.addi %p, %c1 : index
    %1 = memref.load %pos[%p] : memref<?xi32>
    %first = arith.index_cast %1 : i32 to index
    %2 = memref.load %pos[%next] : memref<?xi32>
    %last = arith.index_cast %2 : i32 to index
    scf.for %q = %first to %last step %c1 {
      %3 = memref.load %crd[%q] : memref<?xi32>
      %j = arith.index_cast %3 : i32 to index
      %b = memref.load %values[%q] : memref<?xf64>
      %before = memref.load %sums[%j] : memref<?xf64>
      %after = arith.addf %before, %b : f64
      memref.store %after, %sums[%j] : memref<?xf64>
    }
  }
  return
}

// -----

// Several coordinates have one place: what one adds, another one reads.
// CHECK-LABEL: func.func @scattered_to_one_place
// CHECK-NOT: scf.while
func.func @scattered_to_one_place(%start: index, %end: index, %A: tensor<?x?xf64, #ta.format<[D, CU]>>, %C: tensor<?x?xf64, #ta.format<[D, CU]>>) {
  %c1 = arith.constant 1 : index
  %pos = ta.positions %A, 1 : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xi32>
  %crd = ta.coordinates %A, 1 : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xi32>
  %values = ta.values %A : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xf64>
  %sums = ta.workspace %C, [%end] : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xf64>
  scf.for %p = %start to %end step %c1 {
    %next = arith.addi %p, %c1 : index
    %1 = memref.load %pos[%p] : memref<?xi32>
    %first = arith.index_cast %1 : i32 to index
    %2 = memref.load %pos[%next] : memref<?xi32>
    %last = arith.index_cast %2 : i32 to index
    scf.for %q = %first to %last step %c1 {
      %3 = memref.load %crd[%q] : memref<?xi32>
      %j = arith.index_cast %3 : i32 to index
      %half = arith.shrui %j, %c1 : index
      %b = memref.load %values[%q] : memref<?xf64>
      %before = memref.load %sums[%half] : memref<?xf64>
      %after = arith.addf %before, %b : f64
      memref.store %after, %sums[%half] : memref<?xf64>
    }
  }
  return
}

// -----

// A row reads what the ones before have added.
// CHECK-LABEL: func.func @scattered_from_workspace
// CHECK-NOT: scf.while
func.func @scattered_from_workspace(%start: index, %end: index, %A: tensor<?x?xf64, #ta.format<[D, CU]>>, %C: tensor<?x?xf64, #ta.format<[D, CU]>>) {
  %c1 = arith.constant 1 : index
  %pos = ta.positions %A, 1 : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xi32>
  %crd = ta.coordinates %A, 1 : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xi32>
  %values = ta.values %A : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xf64>
  %sums = ta.workspace %C, [%end] : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xf64>
  scf.for %p = %start to %end step %c1 {
    %next = arith.addi %p, %c1 : index
    %1 = memref.load %pos[%p] : memref<?xi32>
    %first = arith.index_cast %1 : i32 to index
    %2 = memref.load %pos[%next] : memref<?xi32>
    %last = arith.index_cast %2 : i32 to index
    %a = memref.load %sums[%p] : memref<?xf64>
    scf.for %q = %first to %last step %c1 {
      %3 = memref.load %crd[%q] : memref<?xi32>
      %j = arith.index_cast %3 : i32 to index
      %b = memref.load %values[%q] : memref<?xf64>
      %product = arith.mulf %a, %b : f64
      %before = memref.load %sums[%j] : memref<?xf64>
      %after = arith.addf %before, %product : f64
      memref.store %after, %sums[%j] : memref<?xf64>
    }
  }
  return
}

// -----

// Entries of two parents, which may have one coordinate.
// CHECK-LABEL: func.func @scattered_over_parents
// CHECK-NOT: scf.while
func.func @scattered_over_parents(%start: index, %end: index, %A: tensor<?x?xf64, #ta.format<[D, CU]>>, %C: tensor<?x?xf64, #ta.format<[D, CU]>>) {
  %c1 = arith.constant 1 : index
  %pos = ta.positions %A, 1 : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xi32>
  %crd = ta.coordinates %A, 1 : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xi32>
  %values = ta.values %A : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xf64>
  %sums = ta.workspace %C, [%end] : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xf64>
  %c2 = arith.constant 2 : index
  scf.for %p = %start to %end step %c1 {
    %next = arith.addi %p, %c2 : index
    %1 = memref.load %pos[%p] : memref<?xi32>
    %first = arith.index_cast %1 : i32 to index
    %2 = memref.load %pos[%next] : memref<?xi32>
    %last = arith.index_cast %2 : i32 to index
    scf.for %q = %first to %last step %c1 {
      %3 = memref.load %crd[%q] : memref<?xi32>
      %j = arith.index_cast %3 : i32 to index
      %b = memref.load %values[%q] : memref<?xf64>
      %before = memref.load %sums[%j] : memref<?xf64>
      %after = arith.addf %before, %b : f64
      memref.store %after, %sums[%j] : memref<?xf64>
    }
  }
  return
}

// -----

// A row reads what the ones before have added, as a vector.
// CHECK-LABEL: func.func @scattered_from_vector
// CHECK-NOT: scf.while
func.func @scattered_from_vector(%start: index, %end: index, %A: tensor<?x?xf64, #ta.format<[D, CU]>>, %C: tensor<?x?xf64, #ta.format<[D, CU]>>) {
  %c1 = arith.constant 1 : index
  %pos = ta.positions %A, 1 : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xi32>
  %crd = ta.coordinates %A, 1 : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xi32>
  %values = ta.values %A : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xf64>
  %sums = ta.workspace %C, [%end] : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xf64>
  scf.for %p = %start to %end step %c1 {
    %next = arith.addi %p, %c1 : index
    %1 = memref.load %pos[%p] : memref<?xi32>
    %first = arith.index_cast %1 : i32 to index
    %2 = memref.load %pos[%next] : memref<?xi32>
    %last = arith.index_cast %2 : i32 to index
    %v = vector.load %sums[%p] : memref<?xf64>, vector<2xf64>
    %a = vector.extract %v[0] : f64 from vector<2xf64>
    scf.for %q = %first to %last step %c1 {
      %3 = memref.load %crd[%q] : memref<?xi32>
      %j = arith.index_cast %3 : i32 to index
      %b = memref.load %values[%q] : memref<?xf64>
      %before = memref.load %sums[%j] : memref<?xf64>
      %after = arith.addf %before, %a : f64
      memref.store %after, %sums[%j] : memref<?xf64>
    }
  }
  return
}

// -----

// A row reads what the ones before have added, through a view.
// CHECK-LABEL: func.func @scattered_from_view
// CHECK-NOT: scf.while
func.func @scattered_from_view(%start: index, %end: index, %A: tensor<?x?xf64, #ta.format<[D, CU]>>, %C: tensor<?x?xf64, #ta.format<[D, CU]>>) {
  %c1 = arith.constant 1 : index
  %pos = ta.positions %A, 1 : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xi32>
  %crd = ta.coordinates %A, 1 : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xi32>
  %values = ta.values %A : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xf64>
  %sums = ta.workspace %C, [%end] : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xf64>
  %view = memref.reinterpret_cast %sums to offset: [0], sizes: [2], strides: [1] : memref<?xf64> to memref<2xf64>
  scf.for %p = %start to %end step %c1 {
    %next = arith.addi %p, %c1 : index
    %1 = memref.load %pos[%p] : memref<?xi32>
    %first = arith.index_cast %1 : i32 to index
    %2 = memref.load %pos[%next] : memref<?xi32>
    %last = arith.index_cast %2 : i32 to index
    %a = memref.load %view[%p] : memref<2xf64>
    scf.for %q = %first to %last step %c1 {
      %3 = memref.load %crd[%q] : memref<?xi32>
      %j = arith.index_cast %3 : i32 to index
      %b = memref.load %values[%q] : memref<?xf64>
      %before = memref.load %sums[%j] : memref<?xf64>
      %after = arith.addf %before, %a : f64
      memref.store %after, %sums[%j] : memref<?xf64>
    }
  }
  return
}

// -----

// An element has two indices, which are not seen to be the same.
// CHECK-LABEL: func.func @scattered_by_two_names
// CHECK-NOT: scf.while
func.func @scattered_by_two_names(%start: index, %end: index, %A: tensor<?x?xf64, #ta.format<[D, CU]>>, %C: tensor<?x?xf64, #ta.format<[D, CU]>>) {
  %c1 = arith.constant 1 : index
  %pos = ta.positions %A, 1 : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xi32>
  %crd = ta.coordinates %A, 1 : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xi32>
  %values = ta.values %A : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xf64>
  %sums = ta.workspace %C, [%end] : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xf64>
  scf.for %p = %start to %end step %c1 {
    %next = arith.addi %p, %c1 : index
    %1 = memref.load %pos[%p] : memref<?xi32>
    %first = arith.index_cast %1 : i32 to index
    %2 = memref.load %pos[%next] : memref<?xi32>
    %last = arith.index_cast %2 : i32 to index
    scf.for %q = %first to %last step %c1 {
      %3 = memref.load %crd[%q] : memref<?xi32>
      %j = arith.index_cast %3 : i32 to index
      %b = memref.load %values[%q] : memref<?xf64>
      %k = arith.index_cast %3 : i32 to index
      %before = memref.load %sums[%j] : memref<?xf64>
      %after = arith.addf %before, %b : f64
      memref.store %after, %sums[%k] : memref<?xf64>
    }
  }
  return
}

// -----

// Complex values have two elements at a coordinate.
// CHECK-LABEL: func.func @scattered_parts
// CHECK: scf.while
// CHECK: scf.while
// CHECK: } else {
// CHECK: scf.for
// CHECK: %[[RE:.*]] = arith.muli
// CHECK: %[[IM:.*]] = arith.addi %[[RE]]
// CHECK: memref.load %[[SUMS:.*]][%[[RE]]]
// CHECK: memref.load %[[SUMS]][%[[IM]]]
// CHECK-NOT: memref.load %[[SUMS]]
// CHECK: memref.store %{{.*}}, %[[SUMS]][%[[RE]]]
// CHECK-NEXT: memref.store %{{.*}}, %[[SUMS]][%[[IM]]]
func.func @scattered_parts(%start: index, %end: index, %A: tensor<?x?xf64, #ta.format<[D, CU]>>, %C: tensor<?x?xf64, #ta.format<[D, CU]>>) {
  %c1 = arith.constant 1 : index
  %pos = ta.positions %A, 1 : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xi32>
  %crd = ta.coordinates %A, 1 : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xi32>
  %values = ta.values %A : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xf64>
  %sums = ta.workspace %C, [%end] : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xf64>
  %c2 = arith.constant 2 : index
  scf.for %p = %start to %end step %c1 {
    %next = arith.addi %p, %c1 : index
    %1 = memref.load %pos[%p] : memref<?xi32>
    %first = arith.index_cast %1 : i32 to index
    %2 = memref.load %pos[%next] : memref<?xi32>
    %last = arith.index_cast %2 : i32 to index
    scf.for %q = %first to %last step %c1 {
      %3 = memref.load %crd[%q] : memref<?xi32>
      %j = arith.index_cast %3 : i32 to index
      %b = memref.load %values[%q] : memref<?xf64>
      %re = arith.muli %j, %c2 : index
      %im = arith.addi %re, %c1 : index
      %before = memref.load %sums[%re] : memref<?xf64>
      %after = arith.addf %before, %b : f64
      memref.store %after, %sums[%re] : memref<?xf64>
      %before_im = memref.load %sums[%im] : memref<?xf64>
      %after_im = arith.subf %before_im, %b : f64
      memref.store %after_im, %sums[%im] : memref<?xf64>
    }
  }
  return
}
