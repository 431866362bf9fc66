// Every message of the verifier of sam.

// RUN: %comet-opt %s --split-input-file --verify-diagnostics

func.func @f(%y: tensor<?xf64>, %x: tensor<?xf64>) {
  // expected-error @below {{'sam.graph' op expected a name for each of 2 values, found 1}}
  sam.graph of %y, %x as ["y"] : tensor<?xf64>, tensor<?xf64> {
  }
  return
}

// -----

func.func @f(%n: index, %x: tensor<?xf64>) {
  // expected-error @below {{'sam.graph' op expected the tensor that is computed as the first value}}
  sam.graph of %n, %x as ["n", "x"] : index, tensor<?xf64> {
  }
  return
}

// -----

func.func @f(%y: tensor<?xf64>, %x: tensor<?x?xf64, #ta.format<[CN, S]>>) {
  // expected-error @below {{'sam.graph' op expected a tensor whose levels are D, CU or BV, each of a mode or of tiles of one, found 'tensor<?x?xf64, #ta.format<[CN, S]>>'}}
  sam.graph of %y, %x as ["y", "x"] : tensor<?xf64>, tensor<?x?xf64, #ta.format<[CN, S]>> {
  }
  return
}

// -----

func.func @f(%y: tensor<?xf64>, %i: i32) {
  // expected-error @below {{'sam.graph' op operand #1 must be variadic of a tensor or a number of type f64, f32 or i64, or an extent, but got 'i32'}}
  sam.graph of %y, %i as ["y", "i"] : tensor<?xf64>, i32 {
  }
  return
}
