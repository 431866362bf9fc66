// Every message of the verifiers of spatial's types.

// RUN: %comet-opt %s -verify-diagnostics -split-input-file

// expected-error @+1 {{expected elements of i32, i64, ui32, f32, f64 or i1, found 'i8'}}
func.func private @dram(!spatial.dram<i8>)

// -----

// expected-error @+1 {{expected elements of i32, i64, ui32, f32, f64 or i1, found 'index'}}
func.func private @sparse_dram(!spatial.sparse_dram<index>)

// -----

// expected-error @+1 {{expected elements of i32, i64, ui32, f32, f64 or i1, found 'si32'}}
func.func private @sram(!spatial.sram<si32>)

// -----

// expected-error @+1 {{expected elements of i32, i64, ui32, f32, f64 or i1, found 'f16'}}
func.func private @sparse_sram(!spatial.sparse_sram<f16>)

// -----

// expected-error @+1 {{expected elements of i32, i64, ui32, f32, f64 or i1, found '!spatial.bits'}}
func.func private @fifo(!spatial.fifo<!spatial.bits>)

// -----

// expected-error @+1 {{expected `!spatial.bits` for a FIFO of words}}
func.func private @fifo_of_words(!spatial.fifo<ui32>)

// -----

// expected-error @+1 {{expected elements of i32, i64, ui32, f32, f64 or i1, found 'vector<4xf64>'}}
func.func private @reg(!spatial.reg<vector<4xf64>>)

// -----

// expected-error @+1 {{expected elements of i32, i64, ui32, f32, f64 or i1, found 'ui64'}}
func.func private @array(!spatial.array<ui64>)

// -----

// expected-error @+1 {{expected elements of i32, i64, ui32, f32, f64 or i1, found 'none'}}
func.func private @arg_in(!spatial.arg_in<none>)

// -----

// expected-error @+1 {{expected elements of i32, i64, ui32, f32, f64 or i1, found 'bf16'}}
func.func private @arg_out(!spatial.arg_out<bf16>)
