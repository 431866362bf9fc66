// Marks of hand-written loops: `vectorize` asks for lanes and changes no result. A loop whose lanes cannot be computed
// at once runs value by value.

// RUN: %comet-opt %s --cin-to-scf -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @lanes
// CHECK: vector.load %{{.*}} : memref<?xf64>, vector<8xf64>
func.func @lanes(%x: tensor<?xf64>, %y: tensor<?xf64>, %n: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    %ib, %iv = cin.split %i by 8 names "ib", "iv"
    cin.forall %ib {
      cin.forall %iv vectorize 8 {
        %0 = cin.access %x[%i] : tensor<?xf64> -> f64
        cin.assign %0 to %y[%i] add : f64, tensor<?xf64>
      }
    }
  }
  return
}

// -----

// All lanes go to one element.
// CHECK-LABEL: func.func @one_target
// CHECK-NOT: vector
func.func @one_target(%x: tensor<?xf64>, %y: tensor<f64>, %n: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    %ib, %iv = cin.split %i by 8 names "ib", "iv"
    cin.forall %ib {
      cin.forall %iv vectorize 8 {
        %0 = cin.access %x[%i] : tensor<?xf64> -> f64
        cin.assign %0 to %y[] mul : f64, tensor<f64>
      }
    }
  }
  return
}

// -----

// A lane sees what another one has changed.
// CHECK-LABEL: func.func @carried
// CHECK-NOT: vector
func.func @carried(%x: tensor<?xf64>, %n: index) {
  cin.compute {
    %j = cin.index_var "j" size %n
    %i = cin.index_var "i" size %n
    %ib, %iv = cin.split %i by 8 names "ib", "iv"
    cin.forall %j {
      cin.forall %ib {
        cin.forall %iv vectorize 8 {
          %0 = cin.access %x[%j] : tensor<?xf64> -> f64
          cin.assign %0 to %x[%i] add : f64, tensor<?xf64>
        }
      }
    }
  }
  return
}

// -----

// The values of a column do not follow each other.
// CHECK-LABEL: func.func @column
// CHECK-NOT: vector
func.func @column(%A: tensor<?x4xf64>, %y: tensor<?xf64>, %n: index) {
  %c4 = arith.constant 4 : index
  cin.compute {
    %j = cin.index_var "j" size %c4
    %i = cin.index_var "i" size %n
    %ib, %iv = cin.split %i by 8 names "ib", "iv"
    cin.forall %j {
      cin.forall %ib {
        cin.forall %iv vectorize 8 {
          %0 = cin.access %A[%i, %j] : tensor<?x4xf64> -> f64
          cin.assign %0 to %y[%i] add : f64, tensor<?xf64>
        }
      }
    }
  }
  return
}

// -----

// Integers are divided one by one.
// CHECK-LABEL: func.func @quotients
// CHECK-NOT: vector
// CHECK: ta.checked_div
func.func @quotients(%x: tensor<?xi64>, %y: tensor<?xi64>, %n: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    %ib, %iv = cin.split %i by 8 names "ib", "iv"
    cin.forall %ib {
      cin.forall %iv vectorize 8 {
        %0 = cin.access %x[%i] : tensor<?xi64> -> i64
        %1 = cin.combine div %0, %0 : i64
        cin.assign %1 to %y[%i] add : i64, tensor<?xi64>
      }
    }
  }
  return
}

// -----

// No registers hold such a block.
// CHECK-LABEL: func.func @huge
// CHECK-NOT: vector
func.func @huge(%x: tensor<?xf64>, %y: tensor<?xf64>, %n: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    %ib, %iv = cin.split %i by 1000000 names "ib", "iv"
    cin.forall %ib {
      cin.forall %iv vectorize 8 {
        %0 = cin.access %x[%i] : tensor<?xf64> -> f64
        cin.assign %0 to %y[%i] add : f64, tensor<?xf64>
      }
    }
  }
  return
}

// -----

// The statement outside of the lanes runs once for each block of eight.
// CHECK-LABEL: func.func @beside
// CHECK-NOT: vector
func.func @beside(%x: tensor<?xf64>, %y: tensor<?xf64>, %s: tensor<f64>, %n: index) {
  %one = arith.constant 1.0 : f64
  cin.compute {
    %i = cin.index_var "i" size %n
    %ib, %iv = cin.split %i by 8 names "ib", "iv"
    cin.forall %ib {
      cin.assign %one to %s[] add : f64, tensor<f64>
      cin.forall %iv vectorize 8 {
        %0 = cin.access %x[%i] : tensor<?xf64> -> f64
        cin.assign %0 to %y[%i] add : f64, tensor<?xf64>
      }
    }
  }
  return
}

// -----

// A loop that carries as many lanes as fill four registers of AVX2 is not to be unrolled: one round is long enough.
// CHECK-LABEL: func.func @long_body
// CHECK: scf.for {{.*}} -> (vector<16xf64>) {
// CHECK: } {loop_annotation = #{{.*}}}
// CHECK: scf.for {{.*}} -> (vector<8xf64>) {
// CHECK: scf.yield
// CHECK-NEXT: }{{$}}
func.func @long_body(%A: tensor<?x?xf64, #ta.format<[D, CU]>>, %B: tensor<?x?xf64>, %C: tensor<?x?xf64>, %n: index, %m: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    %j = cin.index_var "j" size %n
    %k = cin.index_var "k" size %m
    %kb, %kv = cin.split %k by 16 names "kb", "kv"
    cin.forall %i {
      cin.forall %kb {
        %w = cin.temporary "w" registers : tensor<16xf64>
        cin.where {
          cin.forall %kv vectorize 8 {
            %0 = cin.access %w[%kv] : tensor<16xf64> -> f64
            cin.assign %0 to %C[%i, %k] set : f64, tensor<?x?xf64>
          }
        } producer {
          cin.forall %j {
            cin.forall %kv vectorize 8 {
              %0 = cin.access %A[%i, %j] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
              %1 = cin.access %B[%j, %k] : tensor<?x?xf64> -> f64
              %2 = cin.combine mul %0, %1 : f64
              cin.assign %2 to %w[%kv] add : f64, tensor<16xf64>
            }
          }
        }
      }
    }
  }
  return
}
