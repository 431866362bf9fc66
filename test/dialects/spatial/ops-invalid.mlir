// Every message of the verifiers of spatial's operations.

// RUN: %comet-opt %s -verify-diagnostics -split-input-file

func.func @name() {
  // expected-error @+1 {{'spatial.parameter' op attribute 'name' failed to satisfy constraint: string attribute that is a name: letters, digits and _, no digit first}}
  %p = spatial.parameter "2p" = 1
  return
}

// -----

func.func @parameter() {
  // expected-error @+1 {{'spatial.parameter' op expected a number of 32 bits, found 3000000000}}
  %p = spatial.parameter "p" = 3000000000
  return
}

// -----

func.func @alias() {
  // expected-error @+1 {{'spatial.alias' op attribute 'type' failed to satisfy constraint: any type attribute that is i32, i64, ui32, f32, f64 or i1}}
  spatial.alias "T" = i8
  return
}

// -----

func.func @levels(%b: tensor<?x?xf64, #ta.format<[CN, S]>>) {
  // expected-error @+1 {{'spatial.tensor' op expected a tensor whose levels are D or CU, each of a mode or of tiles of one, found 'tensor<?x?xf64, #ta.format<[CN, S]>>'}}
  spatial.tensor "B" operand of %b : tensor<?x?xf64, #ta.format<[CN, S]>>
  return
}

// -----

func.func @parts(%b: tensor<?x?xf64, #ta.format<[d0 : D, slot : D, d1 : S]>>) {
  // expected-error @+1 {{'spatial.tensor' op expected a tensor whose levels are D or CU, each of a mode or of tiles of one, found 'tensor<?x?xf64, #ta.format<[d0 : D, slot : D, d1 : S]>>'}}
  spatial.tensor "B" operand of %b : tensor<?x?xf64, #ta.format<[d0 : D, slot : D, d1 : S]>>
  return
}

// -----

func.func @file() {
  // expected-error @+1 {{'spatial.load_csv' op attribute 'file' failed to satisfy constraint: string attribute that is not empty}}
  %h = spatial.load_csv "h" from "" : !spatial.array<i32>
  return
}

// -----

func.func @bind_to_another_type(%x: !spatial.sparse_dram<f32>, %d: !spatial.dram<f64>) {
  // expected-error @+1 {{'spatial.bind' op failed to verify that the elements of `memory` and `dram` are of one type}}
  spatial.bind %x to %d : !spatial.sparse_dram<f32>, !spatial.dram<f64>
  return
}

// -----

func.func @set_mem(%d: !spatial.dram<f64>, %h: !spatial.array<f32>) {
  // expected-error @+1 {{'spatial.set_mem' op failed to verify that `array` is an array for `dram`}}
  "spatial.set_mem"(%d, %h) : (!spatial.dram<f64>, !spatial.array<f32>) -> ()
  return
}

// -----

func.func @set_arg(%a: !spatial.arg_in<i32>, %x: f64) {
  // expected-error @+1 {{'spatial.set_arg' op failed to verify that the type of `value` is that of the elements of `argument`}}
  "spatial.set_arg"(%a, %x) : (!spatial.arg_in<i32>, f64) -> ()
  return
}

// -----

func.func @sparse_sram(%n: i32) {
  // expected-error @+1 {{'spatial.sparse_sram' op expected how many rounds use what is swizzled or guarded}}
  %s = spatial.sparse_sram "s" swizzled size %n : !spatial.sparse_sram<f64>
  return
}

// -----

func.func @reg(%x: f32) {
  // expected-error @+1 {{'spatial.reg' op failed to verify that the type of `init` is that of the elements of `result`}}
  %r = "spatial.reg"(%x) <{name = "r"}> : (f32) -> !spatial.reg<f64>
  return
}

// -----

func.func @dequeue_of_sram(%m: !spatial.sram<i32>) {
  // expected-error @+1 {{'spatial.dequeue' op operand #0 must be a FIFO, but got '!spatial.sram<i32>'}}
  %0 = "spatial.dequeue"(%m) : (!spatial.sram<i32>) -> i32
  return
}

// -----

func.func @read_of_dram(%d: !spatial.dram<f64>, %i: i32) {
  // expected-error @+1 {{'spatial.read' op operand #0 must be an SRAM, a sparse DRAM or an array of the host, but got '!spatial.dram<f64>'}}
  %0 = "spatial.read"(%d, %i) : (!spatial.dram<f64>, i32) -> f64
  return
}

// -----

func.func @read_of_another_type(%m: !spatial.sram<f64>, %i: i32) {
  // expected-error @+1 {{'spatial.read' op failed to verify that the type of `result` is that of the elements of `memory`}}
  %0 = "spatial.read"(%m, %i) : (!spatial.sram<f64>, i32) -> f32
  return
}

// -----

func.func @write_to_dram(%d: !spatial.dram<f64>, %i: i32, %x: f64) {
  // expected-error @+1 {{'spatial.write' op operand #0 must be an SRAM or a sparse DRAM, but got '!spatial.dram<f64>'}}
  "spatial.write"(%d, %i, %x) : (!spatial.dram<f64>, i32, f64) -> ()
  return
}

// -----

func.func @modify_dense(%m: !spatial.sram<f64>, %i: i32, %x: f64) {
  // expected-error @+1 {{'spatial.modify' op operand #0 must be a sparse SRAM or DRAM, but got '!spatial.sram<f64>'}}
  "spatial.modify"(%m, %i, %x) <{with = 0 : i32, order = "ordered"}> : (!spatial.sram<f64>, i32, f64) -> ()
  return
}

// -----

func.func @modify_order(%m: !spatial.sparse_sram<f64>, %i: i32, %x: f64) {
  // expected-error @+1 {{'spatial.modify' op attribute 'order' failed to satisfy constraint: string attribute that is `ordered` or `unordered`}}
  spatial.modify %m[%i] add %x "sorted" : !spatial.sparse_sram<f64>
  return
}

// -----

func.func @barriers(%m: !spatial.sparse_sram<f64>, %i: i32, %x: f64, %b: !spatial.barrier) {
  // expected-error @+1 {{'spatial.modify' op expected `push` or `pop` for each barrier}}
  spatial.modify %m[%i] add %x "ordered" barriers(jump %b) : !spatial.sparse_sram<f64>
  return
}

// -----

func.func @barriers_without_actions(%m: !spatial.sparse_sram<f64>, %i: i32, %b: !spatial.barrier) {
  // expected-error @+1 {{'spatial.barrier_read' op expected `push` or `pop` for each barrier}}
  %0 = "spatial.barrier_read"(%m, %i, %b) : (!spatial.sparse_sram<f64>, i32, !spatial.barrier) -> f64
  return
}

// -----

func.func @get(%o: !spatial.arg_out<f64>) {
  // expected-error @+1 {{'spatial.get' op operand #0 must be a register or an argument for the accelerator, but got '!spatial.arg_out<f64>'}}
  %0 = "spatial.get"(%o) : (!spatial.arg_out<f64>) -> f64
  return
}

// -----

func.func @set(%a: !spatial.arg_in<f64>, %x: f64) {
  // expected-error @+1 {{'spatial.set' op operand #0 must be a register or an argument for the host, but got '!spatial.arg_in<f64>'}}
  "spatial.set"(%a, %x) : (!spatial.arg_in<f64>, f64) -> ()
  return
}

// -----

func.func @load(%m: !spatial.sram<f32>, %d: !spatial.dram<f64>, %i: i32) {
  // expected-error @+1 {{'spatial.load' op failed to verify that the elements of `memory` and `dram` are of one type}}
  spatial.load %m from %d[%i to %i] : !spatial.sram<f32>, !spatial.dram<f64>
  return
}

// -----

func.func @store_to_sparse(%m: !spatial.sram<f64>, %d: !spatial.sparse_dram<f64>, %i: i32) {
  // expected-error @+1 {{'spatial.store' op operand #1 must be a DRAM, but got '!spatial.sparse_dram<f64>'}}
  spatial.store %m to %d[%i to %i] : !spatial.sram<f64>, !spatial.sparse_dram<f64>
  return
}

// -----

func.func @load_register(%m: !spatial.reg<f64>, %d: !spatial.dram<f64>, %i: i32) {
  // expected-error @+1 {{'spatial.load' op operand #0 must be an SRAM or a FIFO, but got '!spatial.reg<f64>'}}
  spatial.load %m from %d[%i to %i] : !spatial.reg<f64>, !spatial.dram<f64>
  return
}

// -----

func.func @stream(%m: !spatial.sram<f64>, %d: !spatial.dram<f64>, %i: i32) {
  // expected-error @+1 {{'spatial.stream_load' op operand #0 must be a FIFO, but got '!spatial.sram<f64>'}}
  spatial.stream_load %m from %d[%i len %i] : !spatial.sram<f64>, !spatial.dram<f64>
  return
}

// -----

func.func @gen_bitvector(%crd: !spatial.fifo<f64>, %bits: !spatial.bits, %n: i32) {
  // expected-error @+1 {{'spatial.gen_bitvector' op operand #3 must be a FIFO of coordinates, i32, but got '!spatial.fifo<f64>'}}
  spatial.gen_bitvector %bits from %crd shift %n max %n len %n : !spatial.fifo<f64>
  return
}

// -----

func.func @int() {
  // expected-error @+1 {{'spatial.int' op expected a number that 'i32' has, found 2147483648}}
  %0 = spatial.int 2147483648 : i32
  return
}

// -----

func.func @word() {
  // expected-error @+1 {{'spatial.int' op expected a number that 'ui32' has, found -1}}
  %0 = spatial.int -1 : ui32
  return
}

// -----

func.func @remainder(%x: f64) {
  // expected-error @+1 {{'spatial.binary' op expected integers as operands of `remainder`, found 'f64'}}
  %0 = spatial.binary remainder %x, %x : f64
  return
}

// -----

func.func @sum_of_conditions(%x: i1) {
  // expected-error @+1 {{'spatial.binary' op expected numbers as operands of `add`, found 'i1'}}
  %0 = spatial.binary add %x, %x : i1
  return
}

// -----

func.func @comparison(%x: f64) {
  // expected-error @+2 {{'spatial.binary' op inferred type(s) 'i1' are incompatible with return type(s) of operation 'f64'}}
  // expected-error @+1 {{'spatial.binary' op failed to infer returned types}}
  %0 = "spatial.binary"(%x, %x) <{op = 9 : i32}> : (f64, f64) -> f64
  return
}

// -----

func.func @join(%x: i32) {
  // expected-error @+1 {{'spatial.join' op expected a text, found 'i32' and 'i32'}}
  %0 = spatial.join %x, %x : i32, i32
  return
}

// -----

func.func @join(%x: i32) {
  // expected-error @+1 {{'spatial.join' op expected a text, found 'i32' and 'i32'}}
  %0 = spatial.join %x, %x : i32, i32
  return
}

// -----

func.func @call(%x: i32) {
  // expected-error @+1 {{'spatial.call' op expected a floating-point number for `sqrt`, found 'i32'}}
  %0 = spatial.call sqrt %x : i32
  return
}

// -----

func.func @rounds(%r: !spatial.rounds) {
  // expected-error @+1 {{'spatial.foreach' op expected the rounds of a counter or a scan}}
  spatial.foreach over %r as (%i "i") {
  }
  return
}

// -----

func.func @two_scans(%bits: !spatial.bits, %n: i32) {
  %0 = spatial.scan %bits par %n len %n
  %1 = spatial.counter to %n by %n
  // expected-error @+1 {{'spatial.foreach' op expected counters, or one scan by itself}}
  spatial.foreach over %0, %1 as (%p "p", %i "i", %j "j") {
  }
  return
}

// -----

func.func @no_rounds() {
  // expected-error @+1 {{'spatial.foreach' op expected rounds to go over, found none}}
  "spatial.foreach"() <{binders = []}> ({
  ^bb0:
  }) : () -> ()
  return
}

// -----

func.func @binders(%bits: !spatial.bits, %n: i32) {
  %0 = spatial.scan %bits par %n len %n
  // expected-error @+1 {{'spatial.foreach' op expected 2 names for the values of a round, found 1}}
  spatial.foreach over %0 as (%i "i") {
  }
  return
}

// -----

func.func @binder(%n: i32) {
  %0 = spatial.counter to %n by %n
  // expected-error @+1 {{'spatial.foreach' op expected a name for a value of a round, found "an i"}}
  spatial.foreach over %0 as (%i "an i") {
  }
  return
}

// -----

func.func @arguments(%n: i32) {
  %0 = spatial.counter to %n by %n
  // expected-error @+1 {{'spatial.foreach' op expected a body with an argument of type i32 for each of 1 names}}
  "spatial.foreach"(%0) <{binders = ["i"]}> ({
  ^bb0(%i: i64):
  }) : (!spatial.rounds) -> ()
  return
}

// -----

func.func @reduction(%r: !spatial.reg<f64>, %n: i32, %x: f64) {
  %0 = spatial.counter to %n by %n
  // expected-error @+1 {{'spatial.reduce' op expected an operator that reduces, found `subtract`}}
  spatial.reduce subtract into %r over %0 as (%i "i") {
    spatial.yield %x : f64
  } : !spatial.reg<f64>
  return
}

// -----

func.func @reduction_of_bits(%r: !spatial.reg<f64>, %n: i32, %x: f64) {
  %0 = spatial.counter to %n by %n
  // expected-error @+1 {{'spatial.reduce' op expected integers as operands of `or`, found 'f64'}}
  spatial.reduce or into %r over %0 as (%i "i") {
    spatial.yield %x : f64
  } : !spatial.reg<f64>
  return
}

// -----

func.func @end(%r: !spatial.reg<f64>, %n: i32, %x: f64) {
  %0 = spatial.counter to %n by %n
  // expected-error @+1 {{'spatial.reduce' op expected to end with `spatial.yield`}}
  spatial.reduce add into %r over %0 as (%i "i") {
    llvm.unreachable
  } : !spatial.reg<f64>
  return
}

// -----

func.func @yielded(%r: !spatial.reg<f64>, %n: i32) {
  %0 = spatial.counter to %n by %n
  // expected-error @+1 {{'spatial.reduce' op expected rounds to yield 'f64', found 'i32'}}
  spatial.reduce add into %r over %0 as (%i "i") {
    spatial.yield %i : i32
  } : !spatial.reg<f64>
  return
}

// -----

func.func @yielded_memory(%m: !spatial.sram<f64>, %n: i32) {
  %0 = spatial.counter to %n by %n
  // expected-error @+1 {{'spatial.mem_reduce' op expected rounds to yield an SRAM of 'f64', found 'i32'}}
  spatial.mem_reduce add into %m par %n over %0 as (%i "i") {
    spatial.yield %i : i32
  } : !spatial.sram<f64>
  return
}

// -----

func.func @tabulated(%n: i32) {
  // expected-error @+1 {{'spatial.tabulate' op expected rounds to yield 'f64', found 'i32'}}
  %0 = spatial.tabulate "a" size %n as (%i "i") {
    spatial.yield %i : i32
  } : !spatial.array<f64>
  return
}

// -----

func.func @yield(%n: i32) {
  // expected-error @+1 {{'spatial.yield' op expects parent op to be one of 'spatial.reduce, spatial.mem_reduce, spatial.tabulate'}}
  spatial.yield %n : i32
  return
}

// -----

func.func @accel() {
  // expected-error @+1 {{'spatial.accel' op expects parent op 'spatial.app'}}
  spatial.accel {
  }
  return
}
