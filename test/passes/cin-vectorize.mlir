// The innermost loop runs in blocks of lanes where it moves the target and is contiguous in every access that it moves.

// RUN: %comet-opt %s --cin-vectorize | FileCheck %s
// RUN: %comet-opt %s --cin-vectorize=lanes=8 | FileCheck %s --check-prefix=EIGHT
// RUN: sh -c '%comet-opt %s --cin-vectorize=lanes=many; test $? = 1' 2>&1 | FileCheck %s --check-prefix=BAD
// BAD: option `lanes` of `cin-vectorize`: expected a number, found `many`
// RUN: sh -c '%comet-opt %s --cin-vectorize=lanes=0; test $? = 1' 2>&1 | FileCheck %s --check-prefix=ZERO
// ZERO: option `lanes` of `cin-vectorize`: expected a power of two from 1 to 1024, found `0`
// RUN: sh -c '%comet-opt %s --cin-vectorize=lanes=3; test $? = 1' 2>&1 | FileCheck %s --check-prefix=THREE
// THREE: option `lanes` of `cin-vectorize`: expected a power of two from 1 to 1024, found `3`
// RUN: sh -c '%comet-opt %s --cin-vectorize=lanes=2048; test $? = 1' 2>&1 | FileCheck %s --check-prefix=HUGE
// HUGE: option `lanes` of `cin-vectorize`: expected a power of two from 1 to 1024, found `2048`
// RUN: sh -c '%comet-opt %s --cin-vectorize=lanes=-8; test $? = 1' 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// NEGATIVE: option `lanes` of `cin-vectorize`: expected a number, found `-8`

// CHECK-LABEL: func.func @reduction
// CHECK:      %[[K:.*]] = cin.index_var "k"
// CHECK:      %[[KB:.*]], %[[KV:.*]] = cin.split %[[K]] by 32 names "kb", "kv"
// CHECK:      cin.forall %[[KB]] {
// CHECK:        %[[W:.*]] = cin.temporary "w" registers : tensor<32xf64>
// CHECK:        cin.where {
// CHECK:          cin.forall %[[KV]] vectorize 32 {
// CHECK:            cin.access %[[W]][%[[KV]]]
// CHECK:            cin.assign %{{.*}} to %arg2[%{{.*}}, %[[K]]] add
// CHECK:        } producer {
// CHECK:          cin.forall
// CHECK:            cin.forall %[[KV]] vectorize 32 {
// CHECK:              cin.access %arg1[%{{.*}}, %[[K]]]
// CHECK:              cin.assign %{{.*}} to %[[W]][%[[KV]]] add
// EIGHT-LABEL: func.func @reduction
// EIGHT: cin.split %{{.*}} by 8
// EIGHT: cin.temporary "w" registers : tensor<8xf64>
// EIGHT: vectorize 8
func.func @reduction(%A: tensor<?x?xf64, #ta.format<[D, CU]>>, %B: tensor<?x?xf64>, %C: tensor<?x?xf64>, %n: index, %m: index, %p: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    %j = cin.index_var "j" size %m
    %k = cin.index_var "k" size %p
    cin.forall %i {
      cin.forall %j {
        cin.forall %k {
          %0 = cin.access %A[%i, %j] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
          %1 = cin.access %B[%j, %k] : tensor<?x?xf64> -> f64
          %2 = cin.combine mul %0, %1 : f64
          cin.assign %2 to %C[%i, %k] add : f64, tensor<?x?xf64>
        }
      }
    }
  }
  return
}

// A block is no longer than the variable, as far as that is known, and a power of two.
// CHECK-LABEL: func.func @short
// CHECK:      cin.split %{{.*}} by 8 names
// CHECK:      vectorize 8
// EIGHT-LABEL: func.func @short
func.func @short(%x: tensor<12xf64>, %y: tensor<12xf64>) {
  %c12 = arith.constant 12 : index
  cin.compute {
    %i = cin.index_var "i" size %c12
    cin.forall %i {
      %0 = cin.access %x[%i] : tensor<12xf64> -> f64
      cin.assign %0 to %y[%i] add : f64, tensor<12xf64>
    }
  }
  return
}

// Without a loop that reduces there is no workspace.
// CHECK-LABEL: func.func @no_reduction
// CHECK-NOT:  cin.temporary
// CHECK:      cin.forall %{{.*}} {
// CHECK-NEXT:   cin.forall %{{.*}} vectorize 32 {
// CHECK-NEXT:     cin.access
// CHECK-NEXT:     cin.assign
func.func @no_reduction(%x: tensor<?xf64>, %y: tensor<?xf64>, %n: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    cin.forall %i {
      %0 = cin.access %x[%i] : tensor<?xf64> -> f64
      cin.assign %0 to %y[%i] add : f64, tensor<?xf64>
    }
  }
  return
}

// A column of a row-major matrix is not contiguous.
// CHECK-LABEL: func.func @strided
// CHECK-NOT:  vectorize
func.func @strided(%A: tensor<?x?xf64>, %y: tensor<?x?xf64>, %n: index, %m: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    %j = cin.index_var "j" size %m
    cin.forall %i {
      cin.forall %j {
        %0 = cin.access %A[%j, %i] : tensor<?x?xf64> -> f64
        cin.assign %0 to %y[%i, %j] add : f64, tensor<?x?xf64>
      }
    }
  }
  return
}

// Neither is what a sparse level stores.
// CHECK-LABEL: func.func @sparse
// CHECK-NOT:  vectorize
func.func @sparse(%x: tensor<?xf64, #ta.format<[CU]>>, %y: tensor<?xf64>, %n: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    cin.forall %i {
      %0 = cin.access %x[%i] : tensor<?xf64, #ta.format<[CU]>> -> f64
      cin.assign %0 to %y[%i] add : f64, tensor<?xf64>
    }
  }
  return
}

// The innermost loop reduces: that is a scalar's work.
// CHECK-LABEL: func.func @row_sums
// CHECK-NOT:  vectorize
func.func @row_sums(%A: tensor<?x?xf64>, %y: tensor<?xf64>, %n: index, %m: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    %j = cin.index_var "j" size %m
    cin.forall %i {
      cin.forall %j {
        %0 = cin.access %A[%i, %j] : tensor<?x?xf64> -> f64
        cin.assign %0 to %y[%i] add : f64, tensor<?xf64>
      }
    }
  }
  return
}

// Integers are divided one by one, and what the loops change themselves is seen in order.
// CHECK-LABEL: func.func @quotients
// CHECK-NOT:  vectorize
// CHECK-LABEL: func.func @prefix
// CHECK-NOT:  vectorize
func.func @quotients(%A: tensor<?xi64>, %B: tensor<?x?xi64>, %C: tensor<?xi64>, %n: index, %m: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    %j = cin.index_var "j" size %m
    cin.forall %i {
      cin.forall %j {
        %0 = cin.access %A[%i] : tensor<?xi64> -> i64
        %1 = cin.access %B[%i, %j] : tensor<?x?xi64> -> i64
        %2 = cin.combine div %0, %1 : i64
        cin.assign %2 to %C[%j] add : i64, tensor<?xi64>
      }
    }
  }
  return
}
func.func @prefix(%A: tensor<?x?xf64>, %x: tensor<?xf64>, %n: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    %j = cin.index_var "j" size %n
    cin.forall %i {
      cin.forall %j {
        %0 = cin.access %A[%i, %j] : tensor<?x?xf64> -> f64
        %1 = cin.access %x[%i] : tensor<?xf64> -> f64
        %2 = cin.combine mul %0, %1 : f64
        cin.assign %2 to %x[%j] add : f64, tensor<?xf64>
      }
    }
  }
  return
}

// What an assignment has said of its loops is said of those that there are now.
// CHECK-LABEL: func.func @header
func.func @header(%A: tensor<?x?x?xf64>, %C: tensor<?x?x?xf64>, %n: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    %j = cin.index_var "j" size %n
    %k = cin.index_var "k" size %n
    cin.forall %j {
      cin.forall %i {
        cin.forall %k {
          %0 = cin.access %A[%i, %j, %k] : tensor<?x?x?xf64> -> f64
          // CHECK: add discordant header [j, i, kb, kv] -> [i, j, k] :
          cin.assign %0 to %C[%i, %j, %k] add discordant header [j, i, k] -> [i, j, k] : f64, tensor<?x?x?xf64>
        }
      }
    }
  }
  return
}

// All that is in the loop over the innermost level of a result that is appended to, where that is dense: both sums
// become registers, and each assignment is in a loop over the lanes.
// CHECK-LABEL: func.func @sums_of_rows
// CHECK:      %[[RB:.*]], %[[RV:.*]] = cin.split %{{.*}} by 32 names "rb", "rv"
// CHECK:      cin.forall %[[RB]] {
// CHECK-NEXT:   %[[T:.*]] = cin.temporary "t" registers : tensor<32xf64>
// CHECK-NEXT:   cin.where {
// CHECK-NEXT:     cin.forall %[[RV]] vectorize 32 {
// CHECK-NEXT:       cin.access %[[T]][%[[RV]]]
// CHECK:            cin.assign %{{.*}} to %arg2
// CHECK:        } producer {
// CHECK-NEXT:     cin.forall
// CHECK-NEXT:       %[[U:.*]] = cin.temporary "u" registers : tensor<32xf64>
// CHECK-NEXT:       cin.where {
// CHECK-NEXT:         cin.forall %[[RV]] vectorize 32 {
// CHECK-NEXT:           cin.access %[[U]][%[[RV]]]
// CHECK:                cin.assign %{{.*}} to %[[T]][%[[RV]]] add
// CHECK:            } producer {
// CHECK-NEXT:         cin.forall
// CHECK-NEXT:           cin.forall %[[RV]] vectorize 32 {
// CHECK:                  cin.assign %{{.*}} to %[[U]][%[[RV]]] min
!dcsr = tensor<?x?xf64, #ta.format<[CU, CU]>>
!rows = tensor<?x?xf64, #ta.format<[CU, D]>>
func.func @sums_of_rows(%A: !dcsr, %B: tensor<?x?xf64>, %C: !rows, %n: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    %r = cin.index_var "r" size %n
    %j = cin.index_var "j" size %n
    %k = cin.index_var "k" size %n
    cin.forall %i {
      cin.forall %r {
        %t = cin.temporary "t" scalar : tensor<f64>
        cin.where {
          %0 = cin.access %t[] : tensor<f64> -> f64
          %1 = cin.access %B[%i, %r] : tensor<?x?xf64> -> f64
          %2 = cin.combine mul %0, %1 : f64
          cin.assign %2 to %C[%i, %r] set : f64, !rows
        } producer {
          cin.forall %j {
            %u = cin.temporary "u" scalar : tensor<f64>
            cin.where {
              %0 = cin.access %u[] : tensor<f64> -> f64
              %1 = cin.access %A[%i, %j] : !dcsr -> f64
              %2 = cin.combine mul %0, %1 : f64
              cin.assign %2 to %t[] add : f64, tensor<f64>
            } producer {
              cin.forall %k {
                %0 = cin.access %A[%j, %k] : !dcsr -> f64
                %1 = cin.access %B[%k, %r] : tensor<?x?xf64> -> f64
                %2 = cin.combine mul %0, %1 : f64
                cin.assign %2 to %u[] min : f64, tensor<f64>
              }
            }
          }
        }
      }
    }
  }
  return
}

// Values of a row that are not side by side, and a loop that a command is about.
// CHECK-LABEL: func.func @columns_into_rows
// CHECK-NOT:  vectorize
// CHECK-LABEL: func.func @unrolled
// CHECK-NOT:  vectorize
func.func @columns_into_rows(%A: !dcsr, %B: tensor<?x?xf64>, %C: !rows, %n: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    %r = cin.index_var "r" size %n
    %j = cin.index_var "j" size %n
    cin.forall %i {
      cin.forall %r {
        %t = cin.temporary "t" scalar : tensor<f64>
        cin.where {
          %0 = cin.access %t[] : tensor<f64> -> f64
          cin.assign %0 to %C[%i, %r] set : f64, !rows
        } producer {
          cin.forall %j {
            %0 = cin.access %A[%i, %j] : !dcsr -> f64
            %1 = cin.access %B[%r, %j] : tensor<?x?xf64> -> f64
            %2 = cin.combine mul %0, %1 : f64
            cin.assign %2 to %t[] add : f64, tensor<f64>
          }
        }
      }
    }
  }
  return
}
func.func @unrolled(%A: !rows, %C: !rows, %n: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    %r = cin.index_var "r" size %n
    cin.forall %i {
      cin.forall %r unroll 4 {
        %0 = cin.access %A[%i, %r] : !rows -> f64
        cin.assign %0 to %C[%i, %r] set : f64, !rows
      }
    }
  }
  return
}
