// What the CPU path does not lower yet is refused at its place.

// RUN: %comet-opt %s --cin-to-scf -verify-diagnostics -split-input-file

func.func @environment() {
  cin.compute {
    // expected-error @+1 {{not supported yet: `cin.environment` on the CPU}}
    cin.environment "ip" = 16
  }
  return
}

// -----

func.func @sequence(%a: f64, %y: tensor<f64>) {
  cin.compute {
    %t = cin.temporary "t" scalar : tensor<f64>
    // expected-error @+1 {{not supported yet: a workspace outside a where-statement}}
    cin.assign %a to %t[] set : f64, tensor<f64>
    %0 = cin.access %t[] : tensor<f64> -> f64
    cin.assign %0 to %y[] add : f64, tensor<f64>
  }
  return
}

// -----

func.func @map(%a: f64, %y: tensor<f64>) {
  cin.compute {
    // expected-error @+1 {{not supported yet: `cin.map` on the CPU}}
    cin.map "spatial" "reduction" factor 16 {
      cin.assign %a to %y[] add : f64, tensor<f64>
    }
  }
  return
}

// -----

// The lanes of a register workspace are those of a block: without blocks there is no place for them.
func.func @registers(%A: tensor<?x4xf64>, %y: tensor<?xf64>, %n: index) {
  %c4 = arith.constant 4 : index
  cin.compute {
    %j = cin.index_var "j" size %c4
    %i = cin.index_var "i" size %n
    %ib, %iv = cin.split %i by 8 names "ib", "iv"
    cin.forall %ib {
      // expected-error @+1 {{not supported yet: a register workspace where no loop over its lanes can be vectorized}}
      %w = cin.temporary "w" registers : tensor<8xf64>
      cin.where {
        cin.forall %iv vectorize 8 {
          %0 = cin.access %w[%iv] : tensor<8xf64> -> f64
          cin.assign %0 to %y[%i] set : f64, tensor<?xf64>
        }
      } producer {
        cin.forall %j {
          cin.forall %iv vectorize 8 {
            %0 = cin.access %A[%i, %j] : tensor<?x4xf64> -> f64
            cin.assign %0 to %w[%iv] add : f64, tensor<8xf64>
          }
        }
      }
    }
  }
  return
}

// -----

// Each compute assembles one sparse result that has a pattern of its own.
func.func @two_results(%A: tensor<?x?xf64, #ta.format<[D, CU]>>, %B: tensor<?x?xf64, #ta.format<[D, CU]>>, %C: tensor<?x?xf64, #ta.format<[D, CU]>>, %E: tensor<?x?xf64, #ta.format<[D, CU]>>, %n: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    %j = cin.index_var "j" size %n
    cin.forall %i {
      cin.forall %j {
        %0 = cin.access %A[%i, %j] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
        %1 = cin.access %E[%i, %j] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
        %2 = cin.unite add %0, %1 : f64
        cin.assign %2 to %B[%i, %j] set : f64, tensor<?x?xf64, #ta.format<[D, CU]>>
        // expected-error @+1 {{not supported yet: several sparse results of one compute}}
        cin.assign %2 to %C[%i, %j] set : f64, tensor<?x?xf64, #ta.format<[D, CU]>>
      }
    }
  }
  return
}
