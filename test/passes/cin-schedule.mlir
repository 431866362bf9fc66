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

!csr = tensor<?x?xf64, #ta.format<[D, CU]>>

// What stands in a sum is computed in front of all loops over its variables, whatever else is in these. In blocks there would
// be zeros that nothing has computed.
// CHECK-LABEL: func.func @beside(
// CHECK:      %[[I:.*]] = cin.index_var "i"
// CHECK:      %[[K:.*]] = cin.index_var "k"
// CHECK:      %[[W:.*]] = cin.temporary "W" levels : tensor<?x?xf64, #ta.format<[CU, CU]>>
// CHECK-NEXT: cin.where {
// CHECK-NEXT:   cin.forall %[[I]] {
// CHECK-NEXT:     %[[T:.*]] = cin.temporary "t" scalar
// CHECK-NEXT:     cin.where {
// CHECK:          } producer {
// CHECK-NEXT:       cin.forall %[[K]] {
// CHECK-NEXT:         %[[V:.*]] = cin.access %[[W]][%[[I]], %[[K]]]
// CHECK-NEXT:         cin.assign %[[V]] to %[[T]][] add
// CHECK:      } producer {
// CHECK:        cin.assign %{{.*}} to %[[W]][%{{.*}}, %{{.*}}] set
func.func @beside(%x: tensor<?xf64>, %y: tensor<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %l = ta.index_label_static "i" %c0 to %n step %c1
  %A = ta.tensor_decl "A" [%l, %l] : !csr
  cin.compute {
    %i = cin.index_var "i" size %n
    %k = cin.index_var "k" size %n
    cin.command "precompute" [["access", "A", "i", "k"], ["i", "k"], ["iw", "kw"], "W", "i32 (0 : CU, 1 : D)"]
    cin.forall %i {
      %t = cin.temporary "t" scalar : tensor<f64>
      cin.where {
        %0 = cin.access %t[] : tensor<f64> -> f64
        %1 = cin.access %x[%i] : tensor<?xf64> -> f64
        %2 = cin.unite add %0, %1 : f64
        cin.assign %2 to %y[%i] set : f64, tensor<?xf64>
      } producer {
        cin.forall %k {
          %3 = cin.access %A[%i, %k] : !csr -> f64
          cin.assign %3 to %t[] add : f64, tensor<f64>
        }
      }
    }
  }
  return
}
