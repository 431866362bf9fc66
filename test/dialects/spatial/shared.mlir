// Passes may share what is pure, also between the host and the accelerator, and leave the rest where it is: the text has it at each place.

// RUN: %comet-opt %s --cse --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @shared
func.func @shared() {
  spatial.app "Shared" {
    // CHECK: %[[SIZE:.*]] = spatial.int 32 : i32
    // CHECK-NEXT: spatial.dram "a_d" size %[[SIZE]]
    %0 = spatial.int 32 : i32
    %a_d = spatial.dram "a_d" size %0 : !spatial.dram<i32>
    spatial.accel {
      // CHECK: %f = spatial.fifo "f" depth %[[SIZE]]
      %1 = spatial.int 32 : i32
      %f = spatial.fifo "f" depth %1 : !spatial.fifo<i32>
      // CHECK-NEXT: %[[FROM:.*]] = spatial.int 0
      // CHECK-NEXT: spatial.load %f from %a_d[%[[FROM]] to %[[SIZE]]]
      %2 = spatial.int 0 : i32
      %3 = spatial.int 32 : i32
      spatial.load %f from %a_d[%2 to %3] : !spatial.fifo<i32>, !spatial.dram<i32>
      // CHECK-NEXT: %[[ONE:.*]] = spatial.dequeue %f
      // CHECK-NEXT: %[[OTHER:.*]] = spatial.dequeue %f
      // CHECK-NEXT: %[[SUM:.*]] = spatial.binary add %[[ONE]], %[[OTHER]] : i32
      // CHECK-NEXT: spatial.val "sum" = %[[SUM]] : i32
      %4 = spatial.dequeue %f : !spatial.fifo<i32>
      %5 = spatial.dequeue %f : !spatial.fifo<i32>
      %6 = spatial.binary add %4, %5 : i32
      %sum = spatial.val "sum" = %6 : i32
    }
  }
  return
}
