// Commands of schedules change loops; what they ask of an operand's storage that it has not, a copy has.

// RUN: %comet-opt %s --cin-schedule | FileCheck %s --implicit-check-not=cin.command

!bits = tensor<?x?xf64, #ta.format<[D, BV<8>]>>

// A bit vector has no coordinates at its positions: everything in the compute reads a copy that has them.
// CHECK-LABEL: func.func @bit_vector(
// CHECK:      %[[V:.*]] = ta.tensor_decl "V"
// CHECK:      %[[COPY:.*]] = ta.tensor_decl "V"[%{{.*}}, %{{.*}}] {copy} : tensor<?x?xf64, #ta.format<[D, CU]>>
// CHECK-NEXT: ta.convert %[[V]] to %[[COPY]]
// CHECK-NEXT: cin.compute {
// CHECK:        cin.pos %{{.*}} in %[[COPY]][%{{.*}}, %{{.*}}] level 1 name "kp"
// CHECK:        cin.access %[[COPY]]
// CHECK:        cin.access %[[COPY]]
// CHECK:      ta.release %[[COPY]]
// CHECK-NEXT: return
func.func @bit_vector(%n: index, %y: tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %li = ta.index_label_static "i" %c0 to %n step %c1
  %lk = ta.index_label_static "k" %c0 to %n step %c1
  %V = ta.tensor_decl "V" [%li, %lk] : !bits
  cin.compute {
    %i = cin.index_var "i" size %n
    %k = cin.index_var "k" size %n
    cin.command "pos" ["k", "kp", "V", "i", "k"]
    cin.forall %i {
      cin.forall %k {
        %0 = cin.access %V[%i, %k] : !bits -> f64
        %1 = cin.access %V[%k, %i] : !bits -> f64
        %2 = cin.combine mul %0, %1 : f64
        cin.assign %2 to %y[%i] add : f64, tensor<?xf64>
      }
    }
  }
  return
}
