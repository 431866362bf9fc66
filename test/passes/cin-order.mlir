// Which assignments are concordant, and the headers of the others: the verifier, which computes both by itself, agrees.

// RUN: %comet-opt %s --cin-order | FileCheck %s
// RUN: %comet-opt %s --cin-order | %comet-opt | FileCheck %s

!csr = tensor<?x?xf64, #ta.format<[D, CU]>>
!csc = tensor<?x?xf64, #ta.format<[d1 : D, d0 : CU]>>
!bcsr = tensor<?x?xf64, #ta.format<[d0 floordiv 4 : D, d1 floordiv 4 : CU, d0 mod 4 : D, d1 mod 4 : D]>>

// A product in three orders of its loops, into both orders of its result.
// CHECK-LABEL: func.func @products
func.func @products(%A: !csr, %B: !csr, %R: !csr, %C: !csc, %n: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    %j = cin.index_var "j" size %n
    %k = cin.index_var "k" size %n
    cin.forall %i {
      cin.forall %k {
        cin.forall %j {
          %0 = cin.access %A[%i, %k] : !csr -> f64
          %1 = cin.access %B[%k, %j] : !csr -> f64
          %2 = cin.combine mul %0, %1 : f64
          // CHECK: add concordant : f64, tensor<?x?xf64, #ta.format<[D, CU]>>
          cin.assign %2 to %R[%i, %j] add : f64, !csr
          // CHECK: order [%[[J:.*]], %[[I:.*]]] add discordant header [i, j] -> [j, i] :
          cin.assign %2 to %C[%i, %j] add : f64, !csc
        }
      }
    }
    cin.forall %k {
      cin.forall %i {
        cin.forall %j {
          %0 = cin.access %A[%i, %k] : !csr -> f64
          %1 = cin.access %B[%k, %j] : !csr -> f64
          %2 = cin.combine mul %0, %1 : f64
          // CHECK: add concordant : f64, tensor<?x?xf64, #ta.format<[D, CU]>>
          cin.assign %2 to %R[%i, %j] add : f64, !csr
          // CHECK: order [%[[J]], %[[I]]] add discordant header [i, j] -> [j, i] :
          cin.assign %2 to %C[%i, %j] add : f64, !csc
        }
      }
    }
    cin.forall %j {
      cin.forall %k {
        cin.forall %i {
          %0 = cin.access %A[%i, %k] : !csr -> f64
          %1 = cin.access %B[%k, %j] : !csr -> f64
          %2 = cin.combine mul %0, %1 : f64
          // CHECK: add discordant header [j, i] -> [i, j] : f64, tensor<?x?xf64, #ta.format<[D, CU]>>
          cin.assign %2 to %R[%i, %j] add : f64, !csr
          // CHECK: order [%[[J]], %[[I]]] add concordant :
          cin.assign %2 to %C[%i, %j] add : f64, !csc
        }
      }
    }
  }
  return
}

// B = A^T, and dense tensors, of which nothing is said.
// CHECK-LABEL: func.func @transpose
func.func @transpose(%A: !csr, %B: !csr, %D: tensor<?x?xf64>, %n: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    %j = cin.index_var "j" size %n
    cin.forall %i {
      cin.forall %j {
        %0 = cin.access %A[%i, %j] : !csr -> f64
        // CHECK: set discordant header [i, j] -> [j, i] : f64, tensor<?x?xf64, #ta.format<[D, CU]>>
        cin.assign %0 to %B[%j, %i] set : f64, !csr
        // CHECK: set : f64, tensor<?x?xf64>
        cin.assign %0 to %D[%j, %i] set : f64, tensor<?x?xf64>
      }
    }
  }
  return
}

// Loops over the halves of what is split, over pairs, positions and bounded variables bring what these are made of.
// CHECK-LABEL: func.func @relations
func.func @relations(%A: !csr, %B: !bcsr, %C: !csc, %n: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    %j = cin.index_var "j" size %n
    %io, %ii = cin.split %i by 4 names "io", "ii"
    %jo, %ji = cin.split %j by 4 names "jo", "ji"
    %f = cin.fuse %i, %j name "f"
    %fp = cin.pos %f in %A[%i, %j] level 1 name "fp" : !csr
    %fo, %fi = cin.divide %fp into 8 names "fo", "fi"
    %ib = cin.bound %i to 64 name "ib"
    %ia, %ic = cin.divide %ib into 8 names "ia", "ic"
    %0 = arith.constant 1.0 : f64
    cin.forall %io {
      cin.forall %ii {
        cin.forall %j {
          // CHECK: add concordant : f64, tensor<?x?xf64, #ta.format<[D, CU]>>
          cin.assign %0 to %A[%i, %j] add : f64, !csr
          // CHECK: add discordant header [io, ii, j] -> [io, jo, ii, ji] :
          cin.assign %0 to %B[%i, %j] add : f64, !bcsr
          // CHECK: add discordant header [io, ii, j] -> [j, i] :
          cin.assign %0 to %C[%i, %j] add : f64, !csc
        }
      }
    }
    cin.forall %io {
      cin.forall %jo {
        cin.forall %ii {
          cin.forall %ji {
            // CHECK: add discordant header [io, jo, ii, ji] -> [i, j] :
            cin.assign %0 to %A[%i, %j] add : f64, !csr
            // CHECK: add concordant : f64, tensor<?x?xf64, #ta.format<[d0 floordiv 4 {{.*}}
            cin.assign %0 to %B[%i, %j] add : f64, !bcsr
          }
        }
      }
    }
    cin.forall %fo {
      cin.forall %fi {
        // CHECK: add concordant : f64, tensor<?x?xf64, #ta.format<[D, CU]>>
        cin.assign %0 to %A[%i, %j] add : f64, !csr
        // CHECK: add discordant header [fo, fi] -> [j, i] :
        cin.assign %0 to %C[%i, %j] add : f64, !csc
      }
    }
    cin.forall %ia {
      cin.forall %ic {
        cin.forall %j {
          // CHECK: add concordant : f64, tensor<?x?xf64, #ta.format<[D, CU]>>
          cin.assign %0 to %A[%i, %j] add : f64, !csr
          // CHECK: add discordant header [ia, ic, j] -> [j, i] :
          cin.assign %0 to %C[%i, %j] add : f64, !csc
        }
      }
    }
  }
  return
}

// Blocks without loops of their own are stored in parts of what the loops bring; a diagonal is brought by one loop.
// CHECK-LABEL: func.func @parts
func.func @parts(%A: !csr, %B: !bcsr, %x: tensor<?xf64, #ta.format<[d0 floordiv 4 : CU, d0 mod 4 : CU]>>, %n: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    %j = cin.index_var "j" size %n
    %0 = arith.constant 1.0 : f64
    cin.forall %i {
      // CHECK: add concordant : f64, tensor<?x?xf64, #ta.format<[D, CU]>>
      cin.assign %0 to %A[%i, %i] add : f64, !csr
      // CHECK: add concordant : f64, tensor<?xf64, #ta.format<[d0 floordiv 4 : CU, d0 mod 4 : CU]>>
      cin.assign %0 to %x[%i] add : f64, tensor<?xf64, #ta.format<[d0 floordiv 4 : CU, d0 mod 4 : CU]>>
      cin.forall %j {
        // CHECK: add discordant header [i, j] -> ["i floordiv 4", "j floordiv 4", "i mod 4", "j mod 4"] :
        cin.assign %0 to %B[%i, %j] add : f64, !bcsr
      }
    }
  }
  return
}
