// What commands of schedules make of whole statements.

// RUN: %comet-opt %s --cin-schedule | FileCheck %s

// Loops that are fused are one over all pairs, and can go over the positions of an operand.
// CHECK:      func.func @fuse_and_pos(%[[ARG0:[a-z0-9_]+]]: tensor<?xf64>, %[[ARG1:[a-z0-9_]+]]: tensor<?xf64>, %[[ARG2:[a-z0-9_]+]]: index, %[[ARG3:[a-z0-9_]+]]: index) {
// CHECK-NEXT:   %[[C0:[a-z0-9_]+]] = arith.constant 0 : index
// CHECK-NEXT:   %[[C1:[a-z0-9_]+]] = arith.constant 1 : index
// CHECK-NEXT:   %[[V0:[a-z0-9_]+]] = ta.index_label_static "i" %[[C0]] to %[[ARG2]] step %[[C1]]
// CHECK-NEXT:   %[[V1:[a-z0-9_]+]] = ta.index_label_static "k" %[[C0]] to %[[ARG3]] step %[[C1]]
// CHECK-NEXT:   %[[V2:[a-z0-9_]+]] = ta.tensor_decl "A"[%[[V0]], %[[V1]]] : tensor<?x?xf64, #ta.format<[D, CU]>>
// CHECK-NEXT:   cin.compute {
// CHECK-NEXT:     %[[V3:[a-z0-9_]+]] = cin.index_var "i" size %[[ARG2]]
// CHECK-NEXT:     %[[V4:[a-z0-9_]+]] = cin.index_var "k" size %[[ARG3]]
// CHECK-NEXT:     %[[V5:[a-z0-9_]+]] = cin.fuse %[[V3]], %[[V4]] name "f"
// CHECK-NEXT:     %[[V6:[a-z0-9_]+]] = cin.pos %[[V5]] in %[[V2]][%[[V3]], %[[V4]]] level 1 name "fp" : tensor<?x?xf64, #ta.format<[D, CU]>>
// CHECK-NEXT:     %[[OUTER:[a-z0-9_]+]], %[[INNER:[a-z0-9_]+]] = cin.split %[[V6]] by 256 names "fo", "fi" {commanded}
// CHECK-NEXT:     cin.forall %[[OUTER]] {
// CHECK-NEXT:       cin.forall %[[INNER]] {
// CHECK-NEXT:         %[[V7:[a-z0-9_]+]] = cin.access %[[V2]][%[[V3]], %[[V4]]] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
// CHECK-NEXT:         %[[V8:[a-z0-9_]+]] = cin.access %[[ARG0]][%[[V4]]] : tensor<?xf64> -> f64
// CHECK-NEXT:         %[[V9:[a-z0-9_]+]] = cin.combine mul %[[V7]], %[[V8]] : f64
// CHECK-NEXT:         cin.assign %[[V9]] to %[[ARG1]][%[[V3]]] add : f64, tensor<?xf64>
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   return
func.func @fuse_and_pos(%x: tensor<?xf64>, %y: tensor<?xf64>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %li = ta.index_label_static "i" %c0 to %n step %c1
  %lk = ta.index_label_static "k" %c0 to %m step %c1
  %A = ta.tensor_decl "A" [%li, %lk] : tensor<?x?xf64, #ta.format<[D, CU]>>
  cin.compute {
    %i = cin.index_var "i" size %n
    %k = cin.index_var "k" size %m
    cin.command "fuse" ["i", "k", "f"]
    cin.command "pos" ["f", "fp", "A", "i", "k"]
    cin.command "split" ["fp", "fo", "fi", 256]
    cin.forall %i {
      cin.forall %k {
        %0 = cin.access %A[%i, %k] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
        %1 = cin.access %x[%k] : tensor<?xf64> -> f64
        %2 = cin.combine mul %0, %1 : f64
        cin.assign %2 to %y[%i] add : f64, tensor<?xf64>
      }
    }
  }
  return
}

// What is computed first goes into a workspace.
// CHECK:      func.func @precompute(%[[ARG0:[a-z0-9_]+]]: index, %[[ARG1:[a-z0-9_]+]]: index, %[[ARG2:[a-z0-9_]+]]: index) {
// CHECK-NEXT:   %[[C0:[a-z0-9_]+]] = arith.constant 0 : index
// CHECK-NEXT:   %[[C1:[a-z0-9_]+]] = arith.constant 1 : index
// CHECK-NEXT:   %[[V0:[a-z0-9_]+]] = ta.index_label_static "i" %[[C0]] to %[[ARG0]] step %[[C1]]
// CHECK-NEXT:   %[[V1:[a-z0-9_]+]] = ta.index_label_static "k" %[[C0]] to %[[ARG1]] step %[[C1]]
// CHECK-NEXT:   %[[V2:[a-z0-9_]+]] = ta.index_label_static "j" %[[C0]] to %[[ARG2]] step %[[C1]]
// CHECK-NEXT:   %[[V3:[a-z0-9_]+]] = ta.tensor_decl "A"[%[[V0]], %[[V1]]] : tensor<?x?xf64, #ta.format<[D, CU]>>
// CHECK-NEXT:   %[[V4:[a-z0-9_]+]] = ta.tensor_decl "B"[%[[V1]], %[[V2]]] : tensor<?x?xf64>
// CHECK-NEXT:   %[[V5:[a-z0-9_]+]] = ta.tensor_decl "C"[%[[V0]], %[[V2]]] : tensor<?x?xf64>
// CHECK-NEXT:   cin.compute {
// CHECK-NEXT:     %[[V6:[a-z0-9_]+]] = cin.index_var "i" size %[[ARG0]]
// CHECK-NEXT:     %[[V7:[a-z0-9_]+]] = cin.index_var "k" size %[[ARG1]]
// CHECK-NEXT:     %[[V8:[a-z0-9_]+]] = cin.index_var "j" size %[[ARG2]]
// CHECK-NEXT:     %[[V9:[a-z0-9_]+]] = cin.index_var "kw" size %[[ARG1]]
// CHECK-NEXT:     cin.forall %[[V6]] {
// CHECK-NEXT:       %[[V10:[a-z0-9_]+]] = cin.temporary "W" levels : tensor<?xf64, #ta.format<[CU]>>
// CHECK-NEXT:       cin.where {
// CHECK-NEXT:         cin.forall %[[V7]] {
// CHECK-NEXT:           cin.forall %[[V8]] {
// CHECK-NEXT:             %[[V11:[a-z0-9_]+]] = cin.access %[[V10]][%[[V7]]] : tensor<?xf64, #ta.format<[CU]>> -> f64
// CHECK-NEXT:             %[[V12:[a-z0-9_]+]] = cin.access %[[V4]][%[[V7]], %[[V8]]] : tensor<?x?xf64> -> f64
// CHECK-NEXT:             %[[V13:[a-z0-9_]+]] = cin.combine mul %[[V11]], %[[V12]] : f64
// CHECK-NEXT:             cin.assign %[[V13]] to %[[V5]][%[[V6]], %[[V8]]] add : f64, tensor<?x?xf64>
// CHECK-NEXT:           }
// CHECK-NEXT:         }
// CHECK-NEXT:       } producer {
// CHECK-NEXT:         cin.forall %[[V9]] {
// CHECK-NEXT:           %[[V11]] = cin.access %[[V3]][%[[V6]], %[[V9]]] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
// CHECK-NEXT:           cin.assign %[[V11]] to %[[V10]][%[[V9]]] set : f64, tensor<?xf64, #ta.format<[CU]>>
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   return
func.func @precompute(%n: index, %m: index, %o: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %li = ta.index_label_static "i" %c0 to %n step %c1
  %lk = ta.index_label_static "k" %c0 to %m step %c1
  %lj = ta.index_label_static "j" %c0 to %o step %c1
  %A = ta.tensor_decl "A" [%li, %lk] : tensor<?x?xf64, #ta.format<[D, CU]>>
  %B = ta.tensor_decl "B" [%lk, %lj] : tensor<?x?xf64>
  %C = ta.tensor_decl "C" [%li, %lj] : tensor<?x?xf64>
  cin.compute {
    %i = cin.index_var "i" size %n
    %k = cin.index_var "k" size %m
    %j = cin.index_var "j" size %o
    cin.command "precompute" [["access", "A", "i", "k"], ["k"], ["kw"], "W", "i32 (0 : CU)"]
    cin.forall %i {
      cin.forall %k {
        cin.forall %j {
          %0 = cin.access %A[%i, %k] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
          %1 = cin.access %B[%k, %j] : tensor<?x?xf64> -> f64
          %2 = cin.combine mul %0, %1 : f64
          cin.assign %2 to %C[%i, %j] add : f64, tensor<?x?xf64>
        }
      }
    }
  }
  return
}

// A loop of a reduction goes outside of loops that its result is used in: what it computes goes into a workspace.
// CHECK:      func.func @order(%[[ARG0:[a-z0-9_]+]]: tensor<?x?xf64, #ta.format<[D, CU]>>, %[[ARG1:[a-z0-9_]+]]: tensor<?x?xf64, #ta.format<[D, CU]>>, %[[ARG2:[a-z0-9_]+]]: tensor<?x?xf64>, %[[ARG3:[a-z0-9_]+]]: index, %[[ARG4:[a-z0-9_]+]]: index, %[[ARG5:[a-z0-9_]+]]: index) {
// CHECK-NEXT:   cin.compute {
// CHECK-NEXT:     %[[V0:[a-z0-9_]+]] = cin.index_var "i" size %[[ARG3]]
// CHECK-NEXT:     %[[V1:[a-z0-9_]+]] = cin.index_var "j" size %[[ARG5]]
// CHECK-NEXT:     %[[V2:[a-z0-9_]+]] = cin.index_var "k" size %[[ARG4]]
// CHECK-NEXT:     cin.forall %[[V0]] {
// CHECK-NEXT:       %[[V3:[a-z0-9_]+]] = cin.temporary "t" dense : tensor<?xf64>
// CHECK-NEXT:       cin.where {
// CHECK-NEXT:         cin.forall %[[V1]] {
// CHECK-NEXT:           %[[V4:[a-z0-9_]+]] = cin.access %[[V3]][%[[V1]]] : tensor<?xf64> -> f64
// CHECK-NEXT:           cin.assign %[[V4]] to %[[ARG2]][%[[V0]], %[[V1]]] add : f64, tensor<?x?xf64>
// CHECK-NEXT:         }
// CHECK-NEXT:       } producer {
// CHECK-NEXT:         cin.forall %[[V2]] {
// CHECK-NEXT:           cin.forall %[[V1]] {
// CHECK-NEXT:             %[[V4]] = cin.access %[[ARG0]][%[[V0]], %[[V2]]] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
// CHECK-NEXT:             %[[V5:[a-z0-9_]+]] = cin.access %[[ARG1]][%[[V2]], %[[V1]]] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
// CHECK-NEXT:             %[[V6:[a-z0-9_]+]] = cin.combine add %[[V4]], %[[V5]] : f64
// CHECK-NEXT:             cin.assign %[[V6]] to %[[V3]][%[[V1]]] min : f64, tensor<?xf64>
// CHECK-NEXT:           }
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   return
func.func @order(%A: tensor<?x?xf64, #ta.format<[D, CU]>>, %B: tensor<?x?xf64, #ta.format<[D, CU]>>, %C: tensor<?x?xf64>, %n: index, %m: index, %o: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    %j = cin.index_var "j" size %o
    %k = cin.index_var "k" size %m
    cin.command "order" ["i", "k", "j"]
    cin.forall %i {
      cin.forall %j {
        %t = cin.temporary "t" scalar : tensor<f64>
        cin.where {
          %0 = cin.access %t[] : tensor<f64> -> f64
          cin.assign %0 to %C[%i, %j] add : f64, tensor<?x?xf64>
        } producer {
          cin.forall %k {
            %1 = cin.access %A[%i, %k] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
            %2 = cin.access %B[%k, %j] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
            %3 = cin.combine add %1, %2 : f64
            cin.assign %3 to %t[] min : f64, tensor<f64>
          }
        }
      }
    }
  }
  return
}
