// What would read elements that the loops have written already is refused at its place.

// RUN: %comet-opt %s --ta-to-cin -verify-diagnostics -split-input-file

func.func @transposed(%A: tensor<?x?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = ta.index_label_static "i" %c0 to %n step %c1
  %j = ta.index_label_static "j" %c0 to %n step %c1
  %0 = ta.labeled_tensor %A[%j, %i] : tensor<?x?xf64> -> !ta.labeled<f64>
  // expected-error @+1 {{not supported yet: an expression that reads other elements of its target}}
  ta.set_op %0 to %A[%i, %j] {beta = 0.0 : f64} : !ta.labeled<f64>, tensor<?x?xf64>
  return
}

// -----

func.func @reduced(%A: tensor<?x?xf64>, %x: tensor<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = ta.index_label_static "i" %c0 to %n step %c1
  %j = ta.index_label_static "j" %c0 to %n step %c1
  %0 = ta.labeled_tensor %A[%i, %j] : tensor<?x?xf64> -> !ta.labeled<f64>
  %1 = ta.labeled_tensor %x[%i] : tensor<?xf64> -> !ta.labeled<f64>
  %2 = ta.elementwise "mul" %0, %1 : !ta.labeled<f64>
  %3 = ta.reduce "add" %2 over [%j] : !ta.labeled<f64>
  // expected-error @+1 {{not supported yet: an expression that reads other elements of its target}}
  ta.set_op %3 to %x[%i] {beta = 0.0 : f64} : !ta.labeled<f64>, tensor<?xf64>
  return
}

// -----

// A sparse result begins empty, so that nothing of the old one is left to read.
func.func @scale_in_place(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = ta.index_label_static "i" %c0 to %n step %c1
  %A = ta.tensor_decl "A" [%i] : tensor<?xf64, #ta.format<[CU]>>
  %0 = ta.labeled_tensor %A[%i] : tensor<?xf64, #ta.format<[CU]>> -> !ta.labeled<f64>
  %1 = ta.neg %0 : !ta.labeled<f64>
  // expected-error @+1 {{not supported yet: an expression that reads its sparse target}}
  ta.set_op %1 to %A[%i] {beta = 0.0 : f64} : !ta.labeled<f64>, tensor<?xf64, #ta.format<[CU]>>
  return
}
