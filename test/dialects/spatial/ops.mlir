// Every operation and type of spatial is printed as it was read, in its own form and in MLIR's generic one.

// RUN: %comet-opt %s | FileCheck %s
// RUN: %comet-opt %s | %comet-opt | FileCheck %s
// RUN: %comet-opt %s --mlir-print-op-generic | %comet-opt | FileCheck %s

// CHECK-LABEL: func.func private @memories(
// CHECK-SAME: !spatial.dram<f64>, !spatial.sparse_dram<f32>, !spatial.sram<i32>, !spatial.sparse_sram<i64>, !spatial.fifo<i1>, !spatial.bits, !spatial.reg<ui32>
func.func private @memories(!spatial.dram<f64>, !spatial.sparse_dram<f32>, !spatial.sram<i32>, !spatial.sparse_sram<i64>, !spatial.fifo<i1>, !spatial.bits, !spatial.reg<ui32>)

// CHECK-LABEL: func.func private @others(
// CHECK-SAME: !spatial.array<f64>, !spatial.arg_in<i32>, !spatial.arg_out<f32>, !spatial.text, !spatial.rounds, !spatial.barrier
func.func private @others(!spatial.array<f64>, !spatial.arg_in<i32>, !spatial.arg_out<f32>, !spatial.text, !spatial.rounds, !spatial.barrier)

// y(i) = alpha * A(i,j) * x(j), A by rows. In IR, values are called what the text calls them.
// CHECK-LABEL: func.func @product
// CHECK-SAME: %[[A:.*]]: tensor<?x?xf64, #ta.format<[D, CU]>>, %[[X:.*]]: tensor<?xf64>, %[[Y:.*]]: tensor<?xf64>, %[[ALPHA:.*]]: f64
func.func @product(%a: tensor<?x?xf64, #ta.format<[D, CU]>>, %x: tensor<?xf64>, %y: tensor<?xf64>, %factor: f64) {
  // CHECK: spatial.app "SpMV" comment ["y(i) = alpha * A(i,j) * x(j)"] arguments ["2", "16"] {
  spatial.app "SpMV" comment ["y(i) = alpha * A(i,j) * x(j)"] arguments ["2", "16"] {
    // CHECK: spatial.tensor "A" operand of %[[A]] : tensor<?x?xf64, #ta.format<[D, CU]>>
    spatial.tensor "A" operand of %a : tensor<?x?xf64, #ta.format<[D, CU]>>
    // CHECK: spatial.tensor "x" updated of %[[X]] : tensor<?xf64>
    spatial.tensor "x" updated of %x : tensor<?xf64>
    // CHECK: spatial.tensor "y" result of %[[Y]] : tensor<?xf64>
    spatial.tensor "y" result of %y : tensor<?xf64>
    // CHECK: spatial.number "alpha" of %[[ALPHA]] : f64
    spatial.number "alpha" of %factor : f64
    // CHECK: %bp = spatial.parameter "bp" = 2
    %0 = spatial.parameter "bp" = 2
    // CHECK: %ip = spatial.parameter "ip" = 16
    %ip = spatial.parameter "ip" = 16
    %n_max = spatial.parameter "n_max" = 4096
    // CHECK: spatial.alias "T" = i32
    spatial.alias "T" = i32
    // CHECK: spatial.alias "W" = i32 as "T"
    spatial.alias "W" = i32 as "T"
    spatial.alias "V" = f64
    // CHECK: %A_dims_h = spatial.load_csv "A_dims_h" from "A_dims.csv" as "T" : !spatial.array<i32>
    %dims = spatial.load_csv "A_dims_h" from "A_dims.csv" as "T" : !spatial.array<i32>
    // CHECK: %A1_dim = spatial.arg_in "A1_dim" as "T" : !spatial.arg_in<i32>
    %rows = spatial.arg_in "A1_dim" as "T" : !spatial.arg_in<i32>
    %i0 = spatial.int 0 : i32
    // CHECK: %[[EXTENT:.*]] = spatial.read %A_dims_h[%{{.*}}] : !spatial.array<i32>
    %i1 = spatial.read %dims[%i0] : !spatial.array<i32>
    // CHECK: spatial.set_arg %A1_dim = %[[EXTENT]] : !spatial.arg_in<i32>
    spatial.set_arg %rows = %i1 : !spatial.arg_in<i32>
    // CHECK: %sum = spatial.arg_out "sum" : !spatial.arg_out<f64>
    %sum = spatial.arg_out "sum" : !spatial.arg_out<f64>
    %pos_h = spatial.load_csv "A2_pos_h" from "A2_pos.csv" : !spatial.array<i32>
    // CHECK: %[[LENGTH:.*]] = spatial.length %A2_pos_h : !spatial.array<i32>
    %i2 = spatial.length %pos_h : !spatial.array<i32>
    // CHECK: %A2_pos_d = spatial.dram "A2_pos_d" size %[[LENGTH]] as "T" : !spatial.dram<i32>
    %pos_d = spatial.dram "A2_pos_d" size %i2 as "T" : !spatial.dram<i32>
    // CHECK: spatial.set_mem %A2_pos_d = %A2_pos_h : !spatial.dram<i32>
    spatial.set_mem %pos_d = %pos_h : !spatial.dram<i32>
    %crd_d = spatial.dram "A2_crd_d" size %n_max : !spatial.dram<i32>
    %vals_d = spatial.dram "A_vals_d" size %n_max : !spatial.dram<f64>
    // CHECK: %x_vals_d = spatial.dram "x_vals_d" size %n_max as "V" : !spatial.dram<f64>
    %x_d = spatial.dram "x_vals_d" size %n_max as "V" : !spatial.dram<f64>
    %y_d = spatial.dram "y_vals_d" size %n_max : !spatial.dram<f64>
    // CHECK: spatial.accel {
    spatial.accel {
      // CHECK: %x_vals = spatial.sparse_dram "x_vals" par %bp size %n_max as "V" : !spatial.sparse_dram<f64>
      %xs = spatial.sparse_dram "x_vals" par %0 size %n_max as "V" : !spatial.sparse_dram<f64>
      // CHECK: spatial.bind %x_vals to %x_vals_d : !spatial.sparse_dram<f64>, !spatial.dram<f64>
      spatial.bind %xs to %x_d : !spatial.sparse_dram<f64>, !spatial.dram<f64>
      // CHECK: %A2_pos = spatial.sram "A2_pos" size %n_max as "T" : !spatial.sram<i32>
      %pos = spatial.sram "A2_pos" size %n_max as "T" : !spatial.sram<i32>
      %a0 = spatial.int 0 : i32
      // CHECK: %[[ROWS:.*]] = spatial.get %A1_dim : !spatial.arg_in<i32>
      %a1 = spatial.get %rows : !spatial.arg_in<i32>
      %a2 = spatial.int 1 : i32
      // CHECK: %[[END:.*]] = spatial.binary add %[[ROWS]], %{{.*}} : i32
      %a3 = spatial.binary add %a1, %a2 : i32
      // CHECK: spatial.load %A2_pos from %A2_pos_d[%{{.*}} to %[[END]] par %ip] : !spatial.sram<i32>, !spatial.dram<i32>
      spatial.load %pos from %pos_d[%a0 to %a3 par %ip] : !spatial.sram<i32>, !spatial.dram<i32>
      %y_s = spatial.sram "y_vals" size %n_max : !spatial.sram<f64>
      // CHECK: %[[ALL:.*]] = spatial.get
      %a4 = spatial.get %rows : !spatial.arg_in<i32>
      // CHECK: %[[BY:.*]] = spatial.counter to %[[ALL]] by %{{.*}} par %bp
      %a5 = spatial.counter to %a4 by %a2 par %0
      // CHECK: spatial.foreach over %[[BY]] as (%i "i") {
      spatial.foreach over %a5 as (%i "i") {
        // CHECK: %[[READ:.*]] = spatial.read %A2_pos[%i] : !spatial.sram<i32>
        %b0 = spatial.read %pos[%i] : !spatial.sram<i32>
        // CHECK: %jA_start = spatial.val "jA_start" = %[[READ]] : i32
        %start = spatial.val "jA_start" = %b0 : i32
        %b1 = spatial.binary add %i, %a2 : i32
        %b2 = spatial.read %pos[%b1] : !spatial.sram<i32>
        %end = spatial.val "jA_end" = %b2 : i32
        %b3 = spatial.binary subtract %end, %start : i32
        %len = spatial.val "jA_len" = %b3 : i32
        // CHECK: %A2_crd = spatial.fifo "A2_crd" depth %ip as "T" : !spatial.fifo<i32>
        %crd = spatial.fifo "A2_crd" depth %ip as "T" : !spatial.fifo<i32>
        // CHECK: spatial.load %A2_crd from %A2_crd_d[%jA_start to %jA_end] : !spatial.fifo<i32>, !spatial.dram<i32>
        spatial.load %crd from %crd_d[%start to %end] : !spatial.fifo<i32>, !spatial.dram<i32>
        %vals = spatial.fifo "A_vals" depth %ip : !spatial.fifo<f64>
        // CHECK: spatial.stream_load %A_vals from %A_vals_d[%jA_start len %jA_len] : !spatial.fifo<f64>, !spatial.dram<f64>
        spatial.stream_load %vals from %vals_d[%start len %len] : !spatial.fifo<f64>, !spatial.dram<f64>
        %b4 = spatial.int 0 : i32
        // CHECK: %[[ZERO:.*]] = spatial.cast %{{.*}} as "V" : i32 to f64
        %b5 = spatial.cast %b4 as "V" : i32 to f64
        // CHECK: %row = spatial.reg "row" init %[[ZERO]] as "V" : !spatial.reg<f64>
        %row = spatial.reg "row" init %b5 as "V" : !spatial.reg<f64>
        // CHECK: %[[ENTRIES:.*]] = spatial.counter from %{{.*}} to %jA_len by
        %b6 = spatial.counter from %a0 to %len by %a2
        // CHECK: spatial.reduce add into %row over %[[ENTRIES]] as (%jA "jA") {
        spatial.reduce add into %row over %b6 as (%jA "jA") {
          // CHECK: %[[CRD:.*]] = spatial.dequeue %A2_crd : !spatial.fifo<i32>
          %c0 = spatial.dequeue %crd : !spatial.fifo<i32>
          %j = spatial.val "j" = %c0 : i32
          %c1 = spatial.dequeue %vals : !spatial.fifo<f64>
          // CHECK: spatial.read %x_vals[%j] : !spatial.sparse_dram<f64>
          %c2 = spatial.read %xs[%j] : !spatial.sparse_dram<f64>
          %c3 = spatial.binary multiply %c1, %c2 : f64
          // CHECK: spatial.yield %{{.*}} : f64
          spatial.yield %c3 : f64
        // CHECK: } : !spatial.reg<f64>
        } : !spatial.reg<f64>
        // CHECK: %[[ROW:.*]] = spatial.get %row : !spatial.reg<f64>
        %b7 = spatial.get %row : !spatial.reg<f64>
        // CHECK: spatial.write %y_vals[%i] = %[[ROW]] : !spatial.sram<f64>
        spatial.write %y_s[%i] = %b7 : !spatial.sram<f64>
      }
      %a6 = spatial.get %rows : !spatial.arg_in<i32>
      // CHECK: spatial.store %y_vals to %y_vals_d[%{{.*}} to %{{.*}} par %ip] : !spatial.sram<f64>, !spatial.dram<f64>
      spatial.store %y_s to %y_d[%a0 to %a6 par %ip] : !spatial.sram<f64>, !spatial.dram<f64>
      // CHECK: %[[HALF:.*]] = spatial.float 5.000000e-01 : f64
      %a7 = spatial.float 0.5 : f64
      // CHECK: spatial.set %sum = %[[HALF]] : !spatial.arg_out<f64>
      spatial.set %sum = %a7 : !spatial.arg_out<f64>
    }
    // CHECK: %y_vals_h = spatial.get_mem "y_vals_h" from %y_vals_d : !spatial.dram<f64>
    %y_h = spatial.get_mem "y_vals_h" from %y_d : !spatial.dram<f64>
    // CHECK: %y_vals_w = spatial.tabulate "y_vals_w" size %n_max of "V" as (%i "i") {
    %y_w = spatial.tabulate "y_vals_w" size %n_max of "V" as (%i "i") {
      %e0 = spatial.read %y_h[%i] : !spatial.array<f64>
      spatial.yield %e0 : f64
    // CHECK: } : !spatial.array<f64>
    } : !spatial.array<f64>
    // CHECK: %numbers = spatial.tabulate "numbers" size %n_max inferred as (%{{.*}} "_") {
    %numbers = spatial.tabulate "numbers" size %n_max inferred as (%_ "_") {
      spatial.yield %ip : i32
    } : !spatial.array<i32>
    // CHECK: spatial.write_csv %y_vals_w to "y_vals.csv" : !spatial.array<f64>
    spatial.write_csv %y_w to "y_vals.csv" : !spatial.array<f64>
    // CHECK: spatial.print_array %numbers after "numbers: " : !spatial.array<i32>
    spatial.print_array %numbers after "numbers: " : !spatial.array<i32>
    // CHECK: spatial.print_array %numbers : !spatial.array<i32>
    spatial.print_array %numbers : !spatial.array<i32>
    // CHECK: spatial.argument
    %f0 = spatial.argument %ip
    %f1 = spatial.cast %f0 : !spatial.text to f64
    // CHECK: %[[SUM:.*]] = spatial.get_arg %sum : !spatial.arg_out<f64>
    %f2 = spatial.get_arg %sum : !spatial.arg_out<f64>
    // CHECK: %[[SAME:.*]] = spatial.binary equal %{{.*}}, %[[SUM]] : f64
    %f3 = spatial.binary equal %f1, %f2 : f64
    // CHECK: spatial.assert %[[SAME]]
    spatial.assert %f3
    // CHECK: %[[TEXT:.*]] = spatial.text "done"
    %f4 = spatial.text "done"
    // CHECK: %[[JOINED:.*]] = spatial.join %[[TEXT]], %ip : !spatial.text, i32
    %f5 = spatial.join %f4, %ip : !spatial.text, i32
    // CHECK: spatial.print %[[JOINED]] : !spatial.text
    spatial.print %f5 : !spatial.text
  }
  return
}

// Bit vectors, scans, and what sparse memories can.
// CHECK-LABEL: func.func @sparse
func.func @sparse(%n: i32, %there: i1, %x: f64, %crd_a: !spatial.fifo<i32>, %out: !spatial.fifo<f64>, %out_d: !spatial.dram<f64>, %any: !spatial.reg<i1>) {
  // CHECK: %bits_a = spatial.fifo "bits_a" depth %{{.*}} : !spatial.bits
  %a = spatial.fifo "bits_a" depth %n : !spatial.bits
  %b = spatial.fifo "bits_b" depth %n : !spatial.bits
  // CHECK: spatial.gen_bitvector %bits_a from %{{.*}} shift %{{.*}} max %{{.*}} len %{{.*}} : !spatial.fifo<i32>
  spatial.gen_bitvector %a from %crd_a shift %n max %n len %n : !spatial.fifo<i32>
  // CHECK: %[[ONE:.*]] = spatial.scan %bits_a par %{{.*}} len
  %one = spatial.scan %a par %n len %n
  // CHECK: spatial.foreach over %[[ONE]] as (%place "place", %k "k") {
  spatial.foreach over %one as (%p "place", %k "k") {
  }
  // CHECK: %[[OR:.*]] = spatial.scan_two or %bits_a, %bits_b par
  %or = spatial.scan_two or %a, %b par %n len %n
  // CHECK: spatial.foreach over %[[OR]] as (%k "k", %a "a", %o "o", %b "b") {
  spatial.foreach over %or as (%k "k", %at_a "a", %o "o", %at_b "b") {
  }
  // CHECK: spatial.scan_two and %bits_a, %bits_b par
  %and = spatial.scan_two and %a, %b par %n len %n
  // CHECK: %s = spatial.sparse_sram "s" size %{{.*}} : !spatial.sparse_sram<f64>
  %s = spatial.sparse_sram "s" size %n : !spatial.sparse_sram<f64>
  // CHECK: %t = spatial.sparse_sram "t" par %{{.*}} guarded size
  %t = spatial.sparse_sram "t" par %n guarded size %n : !spatial.sparse_sram<f64>
  // CHECK: %u = spatial.sparse_sram "u" par %{{.*}} swizzled guarded size
  %u = spatial.sparse_sram "u" par %n swizzled guarded size %n : !spatial.sparse_sram<f64>
  // CHECK: %v = spatial.sparse_sram "v" buffered size %{{.*}} : !spatial.sparse_sram<f64>
  %v = spatial.sparse_sram "v" buffered size %n : !spatial.sparse_sram<f64>
  // CHECK: %w = spatial.sram "w" shared size %{{.*}} : !spatial.sram<f64>
  %w = spatial.sram "w" shared size %n : !spatial.sram<f64>
  // CHECK: %last = spatial.reg "last" buffered : !spatial.reg<f64>
  %last = spatial.reg "last" buffered : !spatial.reg<f64>
  // CHECK: %early = spatial.fifo "early" retiming depth %{{.*}} : !spatial.fifo<f64>
  %early = spatial.fifo "early" retiming depth %n : !spatial.fifo<f64>
  // CHECK: %[[TURNS:.*]] = spatial.counter
  %turns = spatial.counter to %n by %n
  // CHECK: spatial.foreach sequential over %[[TURNS]] as (%q "q") {
  spatial.foreach sequential over %turns as (%q "q") {
  }
  // CHECK: %done = spatial.barrier "done" init
  %done = spatial.barrier "done" init %n
  // CHECK: spatial.modify %s[%{{.*}}] add %{{.*}} "ordered" : !spatial.sparse_sram<f64>
  spatial.modify %s[%n] add %x "ordered" : !spatial.sparse_sram<f64>
  // CHECK: spatial.modify %s[%{{.*}}] max %{{.*}} "unordered" barriers(pop %done, push %done) : !spatial.sparse_sram<f64>
  spatial.modify %s[%n] max %x "unordered" barriers(pop %done, push %done) : !spatial.sparse_sram<f64>
  // CHECK: spatial.modified %s[%{{.*}}] write %{{.*}} "ordered" barriers(push %done) : !spatial.sparse_sram<f64>
  %m = spatial.modified %s[%n] write %x "ordered" barriers(push %done) : !spatial.sparse_sram<f64>
  // CHECK: spatial.barrier_write %s[%{{.*}}] = %{{.*}} barriers(push %done) : !spatial.sparse_sram<f64>
  spatial.barrier_write %s[%n] = %x barriers(push %done) : !spatial.sparse_sram<f64>
  // CHECK: spatial.barrier_read %s[%{{.*}}] barriers(pop %done) : !spatial.sparse_sram<f64>
  %r = spatial.barrier_read %s[%n] barriers(pop %done) : !spatial.sparse_sram<f64>
  // CHECK: spatial.enqueue %{{.*}} to %[[OUT:.*]] : !spatial.fifo<f64>
  spatial.enqueue %x to %out : !spatial.fifo<f64>
  // CHECK: spatial.enqueue %{{.*}} to %[[OUT]] if %{{.*}} : !spatial.fifo<f64>
  spatial.enqueue %x to %out if %there : !spatial.fifo<f64>
  // CHECK: spatial.stream_store %[[OUT]] to %{{.*}}[%{{.*}} len %{{.*}}] : !spatial.fifo<f64>, !spatial.dram<f64>
  spatial.stream_store %out to %out_d[%n len %n] : !spatial.fifo<f64>, !spatial.dram<f64>
  // CHECK: spatial.if %{{.*}} {
  spatial.if %there {
    %true = spatial.bool true
    spatial.set %any = %true : !spatial.reg<i1>
  // CHECK: } else {
  } else {
    // CHECK: spatial.bool false
    %false = spatial.bool false
    spatial.set %any = %false : !spatial.reg<i1>
  }
  // CHECK: spatial.if %{{.*}} {
  // CHECK-NEXT: }
  // CHECK-NOT: else
  // CHECK: %all = spatial.sram
  spatial.if %there {
  }
  %all = spatial.sram "all" size %n : !spatial.sram<f64>
  %i = spatial.counter to %n by %n
  %j = spatial.counter to %n by %n
  // CHECK: spatial.mem_reduce add into %all par %{{.*}} over %{{.*}}, %{{.*}} as (%i "i", %j "j") {
  spatial.mem_reduce add into %all par %n over %i, %j as (%ii "i", %jj "j") {
    %part = spatial.sram "part" size %n : !spatial.sram<f64>
    // CHECK: spatial.yield %part : !spatial.sram<f64>
    spatial.yield %part : !spatial.sram<f64>
  // CHECK: } : !spatial.sram<f64>
  } : !spatial.sram<f64>
  // CHECK: spatial.negate %{{.*}} : f64
  %0 = spatial.negate %x : f64
  // CHECK: spatial.not %{{.*}}
  %1 = spatial.not %there
  // CHECK: spatial.mux %{{.*}}, %{{.*}}, %{{.*}} : f64
  %2 = spatial.mux %there, %x, %0 : f64
  // CHECK: spatial.call sqrt %{{.*}} : f64
  %3 = spatial.call sqrt %2 : f64
  // CHECK: spatial.binary less_equal %{{.*}}, %{{.*}} : f64
  %4 = spatial.binary less_equal %x, %3 : f64
  // CHECK: spatial.binary and %{{.*}}, %{{.*}} : i1
  %5 = spatial.binary and %4, %1 : i1
  // CHECK: spatial.int -1 : i64
  %6 = spatial.int -1 : i64
  return
}
