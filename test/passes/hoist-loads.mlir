// A value at the index of a loop around is read in front of an innermost loop that writes workspaces alone.

// RUN: %comet-opt %s --hoist-loads -split-input-file | FileCheck %s

// Both parts of a complex value; the mark that the loop sets is no value.
// CHECK-LABEL: func.func @parts
// CHECK: scf.for %[[P:.*]] = %c0 to %{{.*}} step %c1 {
// CHECK-NEXT: %[[RE:.*]] = arith.muli %[[P]], %c2 : index
// CHECK-NEXT: memref.load %{{.*}}[%[[RE]]]
// CHECK-NEXT: %[[IM:.*]] = arith.addi %[[RE]], %c1 : index
// CHECK-NEXT: memref.load %{{.*}}[%[[IM]]]
// CHECK-NEXT: scf.for
// CHECK-NOT: memref.load
// CHECK: memref.store
func.func @parts(%n: index, %A: tensor<?xcomplex<f64>, #ta.format<[CU]>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = ta.values %A : tensor<?xcomplex<f64>, #ta.format<[CU]>> to memref<?xf64>
  %w = ta.workspace %A, [%n] : tensor<?xcomplex<f64>, #ta.format<[CU]>> to memref<?xf64>
  scf.for %p = %c0 to %n step %c1 {
    scf.for %q = %c0 to %n step %c1 {
      %re = arith.muli %p, %c2 : index
      %0 = memref.load %a[%re] : memref<?xf64>
      %im = arith.addi %re, %c1 : index
      %1 = memref.load %a[%im] : memref<?xf64>
      %2 = arith.addf %0, %1 : f64
      memref.store %2, %w[%q] : memref<?xf64>
    }
  }
  return
}

// -----

// The array that is written may be the one that is read.
// CHECK-LABEL: func.func @written
// CHECK: scf.for
// CHECK-NEXT: scf.for
// CHECK-NEXT: memref.load
func.func @written(%n: index, %A: tensor<?xf64>, %B: tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = ta.values %A : tensor<?xf64> to memref<?xf64>
  %b = ta.values %B : tensor<?xf64> to memref<?xf64>
  scf.for %p = %c0 to %n step %c1 {
    scf.for %q = %c0 to %n step %c1 {
      %0 = memref.load %a[%p] : memref<?xf64>
      memref.store %0, %b[%q] : memref<?xf64>
    }
  }
  return
}

// -----

// There need not be an element behind the index, at a number that was read, or where a condition does not hold.
// CHECK-LABEL: func.func @elsewhere
// CHECK: scf.for
// CHECK-NEXT: scf.for
// CHECK-NEXT: arith.addi
// CHECK-NEXT: memref.load
// CHECK-NEXT: memref.load
// CHECK-NEXT: memref.load
// CHECK: scf.if
// CHECK-NEXT: memref.load
func.func @elsewhere(%n: index, %A: tensor<?xf64>, %numbers: memref<?xindex>, %yes: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %a = ta.values %A : tensor<?xf64> to memref<?xf64>
  %w = ta.workspace %A, [%n] : tensor<?xf64> to memref<?xf64>
  scf.for %p = %c0 to %n step %c1 {
    scf.for %q = %c0 to %n step %c1 {
      %next = arith.addi %p, %c1 : index
      %0 = memref.load %a[%next] : memref<?xf64>
      %number = memref.load %numbers[%p] : memref<?xindex>
      %1 = memref.load %a[%number] : memref<?xf64>
      %2 = scf.if %yes -> (f64) {
        %3 = memref.load %a[%p] : memref<?xf64>
        scf.yield %3 : f64
      } else {
        scf.yield %zero : f64
      }
      %4 = arith.addf %0, %1 : f64
      %5 = arith.addf %4, %2 : f64
      memref.store %5, %w[%q] : memref<?xf64>
    }
  }
  return
}
