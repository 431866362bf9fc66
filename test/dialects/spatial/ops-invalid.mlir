// Every message of the verifier of spatial.

// RUN: %comet-opt %s --split-input-file --verify-diagnostics

func.func @f(%y: tensor<?xf64>, %x: tensor<?xf64>) {
  // expected-error @below {{'spatial.app' op expected a name for each of 2 values, found 1}}
  spatial.app "K" of %y, %x as ["y"] : tensor<?xf64>, tensor<?xf64> {
  }
  return
}

// -----

func.func @f(%alpha: f64, %x: tensor<?xf64>) {
  // expected-error @below {{'spatial.app' op expected the tensor that is computed as the first value}}
  spatial.app "K" of %alpha, %x as ["alpha", "x"] : f64, tensor<?xf64> {
  }
  return
}

// -----

func.func @f(%y: tensor<?xf64>, %x: tensor<?x?xf64, #ta.format<[CN, S]>>) {
  // expected-error @below {{'spatial.app' op expected a tensor whose levels are D or CU, each of a mode or of tiles of one, found 'tensor<?x?xf64, #ta.format<[CN, S]>>'}}
  spatial.app "K" of %y, %x as ["y", "x"] : tensor<?xf64>, tensor<?x?xf64, #ta.format<[CN, S]>> {
  }
  return
}

// -----

func.func @f(%y: tensor<?xf64>, %n: index) {
  // expected-error @below {{'spatial.app' op operand #1 must be variadic of a tensor or a number of type f64, f32 or i64, but got 'index'}}
  spatial.app "K" of %y, %n as ["y", "n"] : tensor<?xf64>, index {
  }
  return
}
