// A statement whose padded operand is multiplied by a tensor is there twice: as it is where the factor is finite, otherwise on a copy without padding; schedules come along. Integers and numbers of the text need no second version.
// RUN: %comet-opt %s --ta-compact | FileCheck %s

// CHECK-LABEL: func.func @factor
func.func @factor(%i: !ta.range, %j: !ta.range, %A: tensor<?x?xf64, #ta.format<[CU, D]>>) {
  %B = ta.tensor_decl "B" [%i, %j] : tensor<?x?xf64, #ta.format<[CU, D]>>
  %x = ta.tensor_decl "x" [%j] : tensor<?xf64>
  %y = ta.tensor_decl "y" [%i] : tensor<?xf64>
  %0 = ta.labeled_tensor %B[%i, %j] : tensor<?x?xf64, #ta.format<[CU, D]>> -> !ta.labeled<f64>
  %1 = ta.labeled_tensor %x[%j] : tensor<?xf64> -> !ta.labeled<f64>
  %2 = ta.elementwise "mul" %0, %1 : !ta.labeled<f64>
  %3 = ta.reduce "add" %2 over [%j] : !ta.labeled<f64>
  // CHECK: %[[X:.*]] = ta.magnitude %{{.*}} : tensor<?xf64>
  // CHECK: arith.maximumf %[[X]]
  // CHECK: %[[FINITE:.*]] = arith.cmpf ole
  // CHECK: scf.if %[[FINITE]] {
  // CHECK-NOT: ta.convert
  // CHECK: cin.command "order"
  // CHECK: ta.set_op
  // CHECK: } else {
  // CHECK: %[[COPY:.*]] = ta.tensor_decl "B"{{.*}} {copy} : tensor<?x?xf64, #ta.format<[CU, CU]>>
  // CHECK: ta.convert %{{.*}} to %[[COPY]]
  // CHECK: ta.labeled_tensor %[[COPY]]
  // CHECK: cin.command "order"
  // CHECK: ta.set_op
  // CHECK: ta.release %[[COPY]]
  // CHECK: }
  // CHECK-NOT: ta.set_op
  cin.command "order" ["j", "i"]
  ta.set_op %3 to %y[%i] {beta = 0.0 : f64} : !ta.labeled<f64>, tensor<?xf64>
  return
}

// CHECK-LABEL: func.func @number
// CHECK-NOT: scf.if
func.func @number(%i: !ta.range, %j: !ta.range) {
  %B = ta.tensor_decl "B" [%i, %j] : tensor<?x?xf64, #ta.format<[CU, D]>>
  %y = ta.tensor_decl "y" [%i] : tensor<?xf64>
  %two = arith.constant 2.0 : f64
  %0 = ta.labeled_tensor %B[%i, %j] : tensor<?x?xf64, #ta.format<[CU, D]>> -> !ta.labeled<f64>
  %1 = ta.scalar %two : f64 -> !ta.labeled<f64>
  %2 = ta.elementwise "mul" %0, %1 : !ta.labeled<f64>
  %3 = ta.reduce "add" %2 over [%j] : !ta.labeled<f64>
  ta.set_op %3 to %y[%i] {beta = 0.0 : f64} : !ta.labeled<f64>, tensor<?xf64>
  return
}

// CHECK-LABEL: func.func @integers
// CHECK-NOT: scf.if
// CHECK: return
func.func @integers(%i: !ta.range, %j: !ta.range) {
  %B = ta.tensor_decl "B" [%i, %j] : tensor<?x?xi64, #ta.format<[CU, D]>>
  %x = ta.tensor_decl "x" [%j] : tensor<?xi64>
  %y = ta.tensor_decl "y" [%i] : tensor<?xi64>
  %0 = ta.labeled_tensor %B[%i, %j] : tensor<?x?xi64, #ta.format<[CU, D]>> -> !ta.labeled<i64>
  %1 = ta.labeled_tensor %x[%j] : tensor<?xi64> -> !ta.labeled<i64>
  %2 = ta.elementwise "mul" %0, %1 : !ta.labeled<i64>
  %3 = ta.reduce "add" %2 over [%j] : !ta.labeled<i64>
  ta.set_op %3 to %y[%i] {beta = 0.0 : f64} : !ta.labeled<i64>, tensor<?xi64>
  return
}
