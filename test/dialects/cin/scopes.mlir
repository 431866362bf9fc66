// What fixes an index variable, and what may be read of a workspace: all of this is accepted.

// RUN: %comet-opt %s | FileCheck %s

// CHECK-LABEL: func.func @derived
func.func @derived(%A: tensor<?x?xf64, #ta.format<[D, CU]>>, %x: tensor<?xf64>, %s: tensor<f64>, %n: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    %j = cin.index_var "j" size %n
    %f = cin.fuse %i, %j name "f"
    %p = cin.pos %f in %A[%i, %j] level 1 name "p" : tensor<?x?xf64, #ta.format<[D, CU]>>
    %po, %pi = cin.split %p by 8 names "po", "pi"
    // Both halves of a split of the positions of a fused pair.
    cin.forall %po {
      cin.forall %pi {
        // CHECK: cin.access
        %0 = cin.access %A[%i, %j] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
        cin.assign %0 to %s[] add : f64, tensor<f64>
      }
    }
    %ib = cin.bound %i to 64 name "ib"
    %ia, %ic = cin.divide %ib into 4 names "ia", "ic"
    cin.forall %ia {
      cin.forall %ic {
        // CHECK: cin.access
        %0 = cin.access %x[%i] : tensor<?xf64> -> f64
        cin.assign %0 to %s[] add : f64, tensor<f64>
      }
    }
  }
  return
}

// CHECK-LABEL: func.func @sequence
func.func @sequence(%x: tensor<?xf64>, %y: tensor<?xf64>, %n: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    %w = cin.temporary "w" dense : tensor<?xf64>
    cin.forall %i {
      %0 = cin.access %x[%i] : tensor<?xf64> -> f64
      cin.assign %0 to %w[%i] set : f64, tensor<?xf64>
    }
    cin.forall %i {
      // CHECK: cin.access
      %0 = cin.access %w[%i] : tensor<?xf64> -> f64
      cin.assign %0 to %y[%i] set : f64, tensor<?xf64>
    }
  }
  return
}
