// A reduction other than a sum carries whether anything has come to it, next to its value, which begins with the identity.

// RUN: %comet-opt %s --cin-to-scf --canonicalize --cse | FileCheck %s --implicit-check-not=cin.

// CHECK-LABEL: func.func @semiring
// CHECK-DAG:  %[[INFINITY:.*]] = arith.constant 0x7FF0000000000000 : f64
// CHECK-DAG:  %[[FALSE:.*]] = arith.constant false
// CHECK-DAG:  %[[TRUE:.*]] = arith.constant true
// CHECK:      %[[LEAST:.*]]:2 = scf.for %{{.*}} iter_args(%[[OLD:.*]] = %[[INFINITY]], %{{.*}} = %[[FALSE]]) -> (f64, i1) {
// CHECK:        %[[SUM:.*]] = arith.addf
// CHECK:        %[[NEW:.*]] = arith.minnumf %[[OLD]], %[[SUM]]
// CHECK:        scf.yield %[[NEW]], %[[TRUE]]
// CHECK:      arith.select %[[LEAST]]#1, %[[LEAST]]#0, %
func.func @semiring(%A: tensor<?x?xf64, #ta.format<[D, CU]>>, %x: tensor<?xf64>, %y: tensor<?xf64>, %n: index, %m: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    %j = cin.index_var "j" size %m
    cin.forall %i {
      %t = cin.temporary "t" scalar : tensor<f64>
      cin.where {
        %3 = cin.access %t[] : tensor<f64> -> f64
        cin.assign %3 to %y[%i] min : f64, tensor<?xf64>
      } producer {
        cin.forall %j {
          %0 = cin.access %A[%i, %j] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
          %1 = cin.access %x[%j] : tensor<?xf64> -> f64
          %2 = cin.combine add %0, %1 : f64
          cin.assign %2 to %t[] min : f64, tensor<f64>
        }
      }
    }
  }
  return
}
