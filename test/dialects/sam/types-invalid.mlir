// Every way in which a type of sam can be wrong is told.

// RUN: %comet-opt %s -verify-diagnostics -split-input-file

// expected-error @+1 {{expected a level (dense, compressed, bv<b>), found `singleton`}}
func.func private @level(!sam.tensor<[singleton 0], f64>)

// -----

// expected-error @+1 {{expected one level for each of the modes below 2, found another number for mode 1}}
func.func private @modes(!sam.tensor<[dense 0, compressed 2], f64>)

// -----

// expected-error @+1 {{expected one level for each of the modes below 2, found another number for mode 0}}
func.func private @mode_twice(!sam.tensor<[dense 0, compressed 0], f64>)

// -----

// expected-error @+1 {{expected bit vectors of 1 to 64 bits, found 128}}
func.func private @words(!sam.tensor<[bv<128> 0], f64>)

// -----

// expected-error @+1 {{expected an element type of f64, f32 or i64, found 'i32'}}
func.func private @element(!sam.tensor<[dense 0], i32>)

// -----

// expected-error @+1 {{expected a depth of 1 or more, found 0}}
func.func private @crd(!sam.crd<0>)

// -----

// expected-error @+1 {{expected a depth of 1 or more, found 0}}
func.func private @repsig(!sam.repsig<0>)

// -----

// expected-error @+1 {{expected a depth of 1 or more, found 0}}
func.func private @bv_depth(!sam.bv<32, 0>)

// -----

// expected-error @+1 {{expected bit vectors of 1 to 64 bits, found 0}}
func.func private @bv_width(!sam.bv<0, 1>)

// -----

// expected-error @+1 {{expected an element type of f64, f32 or i64, found 'index'}}
func.func private @val(!sam.val<index, 1>)
