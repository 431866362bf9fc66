// A result that takes the place of a tensor is written to it where no other element is read, and every element is written.

// RUN: %comet-opt %s --cin-in-place | FileCheck %s

// A sparse tensor keeps its coordinates, whatever the order of the loops.
// CHECK-LABEL: func.func @by_columns
// CHECK-NOT:     ta.tensor_decl
// CHECK:         cin.assign %{{.*}} to %arg0[%{{.*}}, %{{.*}}] order [%{{.*}}, %{{.*}}] set in_place : f64
// CHECK-NOT:     ta.move
func.func @by_columns(%A: tensor<?x?xf64, #ta.format<[d1 : D, d0 : CU]>>, %d: tensor<?xf64>, %li: !ta.range, %lj: !ta.range, %n: index, %m: index) {
  %new = ta.tensor_decl "A.new"[%li, %lj] : tensor<?x?xf64, #ta.format<[d1 : D, d0 : CU]>>
  cin.compute {
    %i = cin.index_var "i" size %n
    %j = cin.index_var "j" size %m
    cin.forall %j {
      cin.forall %i {
        %0 = cin.access %A[%i, %j] : tensor<?x?xf64, #ta.format<[d1 : D, d0 : CU]>> -> f64
        %1 = cin.access %d[%i] : tensor<?xf64> -> f64
        %2 = cin.combine mul %0, %1 : f64
        cin.assign %2 to %new[%i, %j] set : f64, tensor<?x?xf64, #ta.format<[d1 : D, d0 : CU]>>
      }
    }
  }
  ta.move %new to %A : tensor<?x?xf64, #ta.format<[d1 : D, d0 : CU]>>
  ta.release %new : tensor<?x?xf64, #ta.format<[d1 : D, d0 : CU]>>
  return
}

// A union has entries that A lacks.
// CHECK-LABEL: func.func @union
// CHECK-NOT:     in_place
// CHECK:         ta.move
func.func @union(%A: tensor<?x?xf64, #ta.format<[D, CU]>>, %B: tensor<?x?xf64, #ta.format<[D, CU]>>, %li: !ta.range, %lj: !ta.range, %n: index, %m: index) {
  %new = ta.tensor_decl "A.new"[%li, %lj] : tensor<?x?xf64, #ta.format<[D, CU]>>
  cin.compute {
    %i = cin.index_var "i" size %n
    %j = cin.index_var "j" size %m
    cin.forall %i {
      cin.forall %j {
        %0 = cin.access %A[%i, %j] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
        %1 = cin.access %B[%i, %j] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
        %2 = cin.unite add %0, %1 : f64
        cin.assign %2 to %new[%i, %j] set : f64, tensor<?x?xf64, #ta.format<[D, CU]>>
      }
    }
  }
  ta.move %new to %A : tensor<?x?xf64, #ta.format<[D, CU]>>
  ta.release %new : tensor<?x?xf64, #ta.format<[D, CU]>>
  return
}

// Entries are counted first, as a schedule says.
// CHECK-LABEL: func.func @counted
// CHECK-NOT:     in_place
// CHECK:         ta.move
func.func @counted(%A: tensor<?x?xf64, #ta.format<[D, CU]>>, %li: !ta.range, %lj: !ta.range, %n: index, %m: index) {
  %new = ta.tensor_decl "A.new"[%li, %lj] : tensor<?x?xf64, #ta.format<[D, CU]>>
  cin.compute attributes {counted} {
    %i = cin.index_var "i" size %n
    %j = cin.index_var "j" size %m
    cin.forall %i {
      cin.forall %j {
        %0 = cin.access %A[%i, %j] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
        %1 = cin.neg %0 : f64
        cin.assign %1 to %new[%i, %j] set : f64, tensor<?x?xf64, #ta.format<[D, CU]>>
      }
    }
  }
  ta.move %new to %A : tensor<?x?xf64, #ta.format<[D, CU]>>
  ta.release %new : tensor<?x?xf64, #ta.format<[D, CU]>>
  return
}

// CHECK-LABEL: func.func @dense
// CHECK-NOT:     ta.tensor_decl
// CHECK:         cin.assign %{{.*}} to %arg0[%{{.*}}] set : f64, tensor<?xf64>
// CHECK-NOT:     ta.move
func.func @dense(%x: tensor<?xf64>, %y: tensor<?xf64>, %li: !ta.range, %n: index) {
  %new = ta.tensor_decl "x.new"[%li] : tensor<?xf64>
  cin.compute {
    %i = cin.index_var "i" size %n
    cin.forall %i {
      %0 = cin.access %x[%i] : tensor<?xf64> -> f64
      %1 = cin.access %y[%i] : tensor<?xf64> -> f64
      %2 = cin.combine mul %0, %1 : f64
      cin.assign %2 to %new[%i] set : f64, tensor<?xf64>
    }
  }
  ta.move %new to %x : tensor<?xf64>
  ta.release %new : tensor<?xf64>
  return
}

// Where the sparse y has no entry, the element is 0 and not what x held.
// CHECK-LABEL: func.func @partly
// CHECK:         ta.move
func.func @partly(%x: tensor<?xf64>, %y: tensor<?xf64, #ta.format<[CU]>>, %li: !ta.range, %n: index) {
  %new = ta.tensor_decl "x.new"[%li] : tensor<?xf64>
  cin.compute {
    %i = cin.index_var "i" size %n
    cin.forall %i {
      %0 = cin.access %x[%i] : tensor<?xf64> -> f64
      %1 = cin.access %y[%i] : tensor<?xf64, #ta.format<[CU]>> -> f64
      %2 = cin.combine mul %0, %1 : f64
      cin.assign %2 to %new[%i] set : f64, tensor<?xf64>
    }
  }
  ta.move %new to %x : tensor<?xf64>
  ta.release %new : tensor<?xf64>
  return
}

// CHECK-LABEL: func.func @transposed
// CHECK:         ta.move
func.func @transposed(%X: tensor<?x?xf64>, %li: !ta.range, %n: index) {
  %new = ta.tensor_decl "X.new"[%li, %li] : tensor<?x?xf64>
  cin.compute {
    %i = cin.index_var "i" size %n
    %j = cin.index_var "j" size %n
    cin.forall %i {
      cin.forall %j {
        %0 = cin.access %X[%i, %j] : tensor<?x?xf64> -> f64
        %1 = cin.access %X[%j, %i] : tensor<?x?xf64> -> f64
        %2 = cin.unite add %0, %1 : f64
        cin.assign %2 to %new[%i, %j] set : f64, tensor<?x?xf64>
      }
    }
  }
  ta.move %new to %X : tensor<?x?xf64>
  ta.release %new : tensor<?x?xf64>
  return
}

// CHECK-LABEL: func.func @masked
// CHECK:         ta.move
func.func @masked(%x: tensor<?xf64>, %y: tensor<?xf64>, %li: !ta.range, %n: index) {
  %new = ta.tensor_decl "x.new"[%li] : tensor<?xf64>
  cin.compute {
    %i = cin.index_var "i" size %n
    cin.forall %i {
      %0 = cin.access %x[%i] : tensor<?xf64> -> f64
      %1 = cin.access %y[%i] : tensor<?xf64> -> f64
      %2 = cin.mask %0 by %1 : f64 by f64
      cin.assign %2 to %new[%i] set : f64, tensor<?xf64>
    }
  }
  ta.move %new to %x : tensor<?xf64>
  ta.release %new : tensor<?xf64>
  return
}
