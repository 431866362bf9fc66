// A sum is kept in a scalar where the innermost loops reduce; a statement that clears the target before is absorbed where nothing depends on it.

// RUN: %comet-opt %s --cin-scalar-promote | FileCheck %s

// The whole nest reduces: the scalar is that of the statement.
// CHECK-LABEL: func.func @dot
// CHECK:      cin.compute {
// CHECK:        %[[T:.*]] = cin.temporary "t" scalar : tensor<f64>
// CHECK-NEXT:   cin.where {
// CHECK-NEXT:     %[[SUM:.*]] = cin.access %[[T]][]
// CHECK-NEXT:     cin.assign %[[SUM]] to %arg1[] add
// CHECK-NEXT:   } producer {
// CHECK-NEXT:     cin.forall
// CHECK:            cin.assign %{{.*}} to %[[T]][] add
func.func @dot(%x: tensor<?xf64>, %s: tensor<f64>, %n: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    cin.forall %i {
      %0 = cin.access %x[%i] : tensor<?xf64> -> f64
      cin.assign %0 to %s[] add : f64, tensor<f64>
    }
  }
  return
}

// CHECK-LABEL: func.func @cleared
// CHECK-NOT:  cin.assign %{{.*}} set
// CHECK:      cin.forall
// CHECK-NEXT:   %[[T:.*]] = cin.temporary "t" scalar : tensor<f64>
// CHECK:        %[[SUM:.*]] = cin.access %[[T]][]
// CHECK-NEXT:   cin.assign %[[SUM]] to %arg1[%{{.*}}] set
func.func @cleared(%A: tensor<?x?xf64, #ta.format<[D, CU]>>, %y: tensor<?xf64>, %n: index, %m: index) {
  %zero = arith.constant 0.0 : f64
  cin.compute {
    %i = cin.index_var "i" size %n
    cin.forall %i {
      cin.assign %zero to %y[%i] set : f64, tensor<?xf64>
    }
  }
  cin.compute {
    %i = cin.index_var "i" size %n
    %j = cin.index_var "j" size %m
    cin.forall %i {
      cin.forall %j {
        %0 = cin.access %A[%i, %j] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
        cin.assign %0 to %y[%i] add : f64, tensor<?xf64>
      }
    }
  }
  return
}

// Rows that A does not store are not visited, so that the clearing must stay. The others are visited once.
// CHECK-LABEL: func.func @not_every_row
// CHECK:      cin.assign %{{.*}} to %arg1[%{{.*}}] set
// CHECK:      %[[SUM:.*]] = cin.access %{{.*}}[]
// CHECK-NEXT: cin.assign %[[SUM]] to %arg1[%{{.*}}] set
func.func @not_every_row(%A: tensor<?x?xf64, #ta.format<[CU, CU]>>, %y: tensor<?xf64>, %n: index, %m: index) {
  %zero = arith.constant 0.0 : f64
  cin.compute {
    %i = cin.index_var "i" size %n
    cin.forall %i {
      cin.assign %zero to %y[%i] set : f64, tensor<?xf64>
    }
  }
  cin.compute {
    %i = cin.index_var "i" size %n
    %j = cin.index_var "j" size %m
    cin.forall %i {
      cin.forall %j {
        %0 = cin.access %A[%i, %j] : tensor<?x?xf64, #ta.format<[CU, CU]>> -> f64
        cin.assign %0 to %y[%i] add : f64, tensor<?xf64>
      }
    }
  }
  return
}

// A row that is stored once for each of its entries is visited as often.
// CHECK-LABEL: func.func @row_of_each_entry
// CHECK:      cin.assign %{{.*}} to %arg1[%{{.*}}] set
// CHECK:      %[[SUM:.*]] = cin.access %{{.*}}[]
// CHECK-NEXT: cin.assign %[[SUM]] to %arg1[%{{.*}}] add
func.func @row_of_each_entry(%A: tensor<?x?xf64, #ta.format<[CN, S]>>, %y: tensor<?xf64>, %n: index, %m: index) {
  %zero = arith.constant 0.0 : f64
  cin.compute {
    %i = cin.index_var "i" size %n
    cin.forall %i {
      cin.assign %zero to %y[%i] set : f64, tensor<?xf64>
    }
  }
  cin.compute {
    %i = cin.index_var "i" size %n
    %j = cin.index_var "j" size %m
    cin.forall %i {
      cin.forall %j {
        %0 = cin.access %A[%i, %j] : tensor<?x?xf64, #ta.format<[CN, S]>> -> f64
        cin.assign %0 to %y[%i] add : f64, tensor<?xf64>
      }
    }
  }
  return
}

// A row is visited once, however often the coordinates in it are stored.
// CHECK-LABEL: func.func @column_of_each_entry
// CHECK-NOT:  cin.assign %{{.*}} set
// CHECK:      %[[SUM:.*]] = cin.access %{{.*}}[]
// CHECK-NEXT: cin.assign %[[SUM]] to %arg1[%{{.*}}] set
func.func @column_of_each_entry(%A: tensor<?x?xf64, #ta.format<[D, CN]>>, %y: tensor<?xf64>, %n: index, %m: index) {
  %zero = arith.constant 0.0 : f64
  cin.compute {
    %i = cin.index_var "i" size %n
    cin.forall %i {
      cin.assign %zero to %y[%i] set : f64, tensor<?xf64>
    }
  }
  cin.compute {
    %i = cin.index_var "i" size %n
    %j = cin.index_var "j" size %m
    cin.forall %i {
      cin.forall %j {
        %0 = cin.access %A[%i, %j] : tensor<?x?xf64, #ta.format<[D, CN]>> -> f64
        cin.assign %0 to %y[%i] add : f64, tensor<?xf64>
      }
    }
  }
  return
}

// What is cleared is another tensor.
// CHECK-LABEL: func.func @other_target
// CHECK:      cin.assign %{{.*}} to %arg2[%{{.*}}] set
// CHECK:      cin.assign %{{.*}} to %arg1[%{{.*}}] add
func.func @other_target(%A: tensor<?x?xf64, #ta.format<[D, CU]>>, %y: tensor<?xf64>, %z: tensor<?xf64>, %n: index, %m: index) {
  %zero = arith.constant 0.0 : f64
  cin.compute {
    %i = cin.index_var "i" size %n
    cin.forall %i {
      cin.assign %zero to %z[%i] set : f64, tensor<?xf64>
    }
  }
  cin.compute {
    %i = cin.index_var "i" size %n
    %j = cin.index_var "j" size %m
    cin.forall %i {
      cin.forall %j {
        %0 = cin.access %A[%i, %j] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
        cin.assign %0 to %y[%i] add : f64, tensor<?xf64>
      }
    }
  }
  return
}

// The innermost loop moves the target: there is nothing to keep. So it is where nothing is added.
// CHECK-LABEL: func.func @scatter
// CHECK-NOT:  cin.temporary
// CHECK-LABEL: func.func @copy
// CHECK-NOT:  cin.temporary
func.func @scatter(%A: tensor<?x?xf64, #ta.format<[d1 : D, d0 : CU]>>, %y: tensor<?xf64>, %n: index, %m: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    %j = cin.index_var "j" size %m
    cin.forall %j {
      cin.forall %i {
        %0 = cin.access %A[%i, %j] : tensor<?x?xf64, #ta.format<[d1 : D, d0 : CU]>> -> f64
        cin.assign %0 to %y[%i] add : f64, tensor<?xf64>
      }
    }
  }
  return
}
func.func @copy(%x: tensor<?xf64>, %y: tensor<?xf64>, %n: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    cin.forall %i {
      %0 = cin.access %x[%i] : tensor<?xf64> -> f64
      cin.assign %0 to %y[%i] set : f64, tensor<?xf64>
    }
  }
  return
}

// A loop that changes the target stands between, although it also yields a value; so does what reads the target.
// CHECK-LABEL: func.func @loop_between
// CHECK:      cin.assign %{{.*}} to %arg1[%{{.*}}] set
// CHECK:      scf.for
// CHECK:      cin.assign %{{.*}} to %arg1[%{{.*}}] add
// CHECK:      cin.assign %{{.*}} to %arg1[%{{.*}}] add
// CHECK-LABEL: func.func @read_between
// CHECK:      cin.assign %{{.*}} to %arg1[%{{.*}}] set
// CHECK:      cin.assign %{{.*}} to %arg1[%{{.*}}] add
func.func @loop_between(%A: tensor<?x?xf64, #ta.format<[D, CU]>>, %y: tensor<?xf64>, %n: index, %m: index) {
  %zero = arith.constant 0.0 : f64
  cin.compute {
    %i = cin.index_var "i" size %n
    cin.forall %i {
      cin.assign %zero to %y[%i] set : f64, tensor<?xf64>
    }
  }
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (f64) {
    cin.compute {
      %i = cin.index_var "i" size %n
      cin.forall %i {
        cin.assign %s to %y[%i] add : f64, tensor<?xf64>
      }
    }
    scf.yield %s : f64
  }
  cin.compute {
    %i = cin.index_var "i" size %n
    %j = cin.index_var "j" size %m
    cin.forall %i {
      cin.forall %j {
        %0 = cin.access %A[%i, %j] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
        cin.assign %0 to %y[%i] add : f64, tensor<?xf64>
      }
    }
  }
  return
}
func.func @read_between(%A: tensor<?x?xf64, #ta.format<[D, CU]>>, %y: tensor<?xf64>, %n: index, %m: index) {
  %zero = arith.constant 0.0 : f64
  cin.compute {
    %i = cin.index_var "i" size %n
    cin.forall %i {
      cin.assign %zero to %y[%i] set : f64, tensor<?xf64>
    }
  }
  %seen = func.call @sees(%y) : (tensor<?xf64>) -> f64
  cin.compute {
    %i = cin.index_var "i" size %n
    %j = cin.index_var "j" size %m
    cin.forall %i {
      cin.forall %j {
        %0 = cin.access %A[%i, %j] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
        cin.assign %0 to %y[%i] add : f64, tensor<?xf64>
      }
    }
  }
  return
}

// A clearing loop that goes less far leaves elements as they were.
// CHECK-LABEL: func.func @clears_a_part
// CHECK:      cin.assign %{{.*}} to %arg1[%{{.*}}] set
// CHECK:      cin.assign %{{.*}} to %arg1[%{{.*}}] add
func.func @clears_a_part(%A: tensor<?x?xf64, #ta.format<[D, CU]>>, %y: tensor<?xf64>, %n: index, %m: index) {
  %zero = arith.constant 0.0 : f64
  cin.compute {
    %i = cin.index_var "i" size %m
    cin.forall %i {
      cin.assign %zero to %y[%i] set : f64, tensor<?xf64>
    }
  }
  cin.compute {
    %i = cin.index_var "i" size %n
    %j = cin.index_var "j" size %m
    cin.forall %i {
      cin.forall %j {
        %0 = cin.access %A[%i, %j] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
        cin.assign %0 to %y[%i] add : f64, tensor<?xf64>
      }
    }
  }
  return
}

// What the loops add to is read by them: when it is written makes a difference.
// CHECK-LABEL: func.func @reads_target
// CHECK-NOT:  cin.temporary
func.func @reads_target(%A: tensor<?x?xf64, #ta.format<[D, CU]>>, %y: tensor<?xf64>, %n: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    %j = cin.index_var "j" size %n
    cin.forall %i {
      cin.forall %j {
        %0 = cin.access %A[%i, %j] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
        %1 = cin.access %y[%j] : tensor<?xf64> -> f64
        %2 = cin.combine mul %0, %1 : f64
        cin.assign %2 to %y[%i] add : f64, tensor<?xf64>
      }
    }
  }
  return
}
func.func private @sees(tensor<?xf64>) -> f64
