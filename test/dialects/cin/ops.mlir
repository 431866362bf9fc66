// Every operation, attribute and type of cin is printed as it was read, in its own form and in MLIR's generic one.

// RUN: %comet-opt %s | FileCheck %s
// RUN: %comet-opt %s | %comet-opt | FileCheck %s
// RUN: %comet-opt %s --mlir-print-op-generic | %comet-opt | FileCheck %s

// CHECK-LABEL: func.func private @types(!cin.index)
func.func private @types(!cin.index)

// CHECK-LABEL: func.func @relations
// CHECK-SAME: %[[A:.*]]: tensor<?x?xf64, #ta.format<[D, CU]>>, %[[N:.*]]: index
func.func @relations(%A: tensor<?x?xf64, #ta.format<[D, CU]>>, %n: index) {
  // CHECK: cin.compute {
  cin.compute {
    // CHECK: %[[I:.*]] = cin.index_var "i" size %[[N]]
    %i = cin.index_var "i" size %n
    // CHECK: %[[J:.*]] = cin.index_var "j" size %[[N]]
    %j = cin.index_var "j" size %n
    // CHECK: %{{.*}}, %[[II:.*]] = cin.split %[[I]] by 32 names "io", "ii"
    %io, %ii = cin.split %i by 32 names "io", "ii"
    // CHECK: %{{.*}}, %{{.*}} = cin.divide %[[II]] into 4 names "ip", "iq"
    %ip, %iq = cin.divide %ii into 4 names "ip", "iq"
    // CHECK: %[[F:.*]] = cin.fuse %[[I]], %[[J]] name "f"
    %f = cin.fuse %i, %j name "f"
    // CHECK: cin.pos %[[F]] in %[[A]][%[[I]], %[[J]]] level 1 name "fp" : tensor<?x?xf64, #ta.format<[D, CU]>>
    %fp = cin.pos %f in %A[%i, %j] level 1 name "fp" : tensor<?x?xf64, #ta.format<[D, CU]>>
    // CHECK: cin.bound %[[I]] to 64 name "ib"
    %ib = cin.bound %i to 64 name "ib"
  }
  return
}

// CHECK-LABEL: func.func @loops
func.func @loops(%n: index) {
  cin.compute {
    // CHECK: %[[I:.*]] = cin.index_var "i"
    %i = cin.index_var "i" size %n
    // CHECK: %[[J:.*]] = cin.index_var "j"
    %j = cin.index_var "j" size %n
    // CHECK: %[[K:.*]] = cin.index_var "k"
    %k = cin.index_var "k" size %n
    // CHECK: cin.forall %[[I]] parallel cpu tasks 4 {
    cin.forall %i parallel cpu tasks 4 {
      // CHECK: cin.forall %[[J]] {
      cin.forall %j {
        // CHECK: cin.forall %[[K]] unroll 4 vectorize 8 {
        cin.forall %k unroll 4 vectorize 8 {
        }
      }
    }
    // CHECK: cin.forall %[[I]] parallel spatial tasks 2 unroll 2 {
    cin.forall %i parallel spatial tasks 2 unroll 2 {
    }
    // CHECK: cin.forall %[[I]] parallel reduction tasks 16 vectorize 4 {
    cin.forall %i parallel reduction tasks 16 vectorize 4 {
    }
    // CHECK: cin.forall %[[I]] parallel cpu {
    cin.forall %i parallel cpu {
    }
    // CHECK: cin.command "split" ["i", "io", "ii", 32]
    cin.command "split" ["i", "io", "ii", 32]
    // CHECK: cin.command "precompute" {{\[\[}}"access", "A", "i"], ["i"], ["iw"], "W", "i32 (0 : CU)"]
    cin.command "precompute" [["access", "A", "i"], ["i"], ["iw"], "W", "i32 (0 : CU)"]
    // CHECK: cin.environment "ip" = 16
    cin.environment "ip" = 16
    // CHECK: cin.map "spatial" "reduction" factor 16 {
    cin.map "spatial" "reduction" factor 16 {
    }
  }
  return
}

// CHECK-LABEL: func.func @statements
// CHECK-SAME: %[[A:.*]]: tensor<?x?xf64, #ta.format<[D, CU]>>, %[[X:.*]]: tensor<?xi64>, %[[Y:.*]]: tensor<?xf64>
func.func @statements(%A: tensor<?x?xf64, #ta.format<[D, CU]>>, %x: tensor<?xi64>, %y: tensor<?xf64>, %n: index) {
  cin.compute {
    // CHECK: %[[I:.*]] = cin.index_var "i"
    %i = cin.index_var "i" size %n
    // CHECK: %[[J:.*]] = cin.index_var "j"
    %j = cin.index_var "j" size %n
    cin.forall %i {
      // CHECK: %[[T:.*]] = cin.temporary "t" scalar : tensor<f64>
      %t = cin.temporary "t" scalar : tensor<f64>
      // CHECK: cin.where {
      cin.where {
        // CHECK: %[[SUM:.*]] = cin.access %[[T]][] : tensor<f64> -> f64
        %sum = cin.access %t[] : tensor<f64> -> f64
        // CHECK: cin.assign %[[SUM]] to %[[Y]][%[[I]]] set : f64, tensor<?xf64>
        cin.assign %sum to %y[%i] set : f64, tensor<?xf64>
      // CHECK: } producer {
      } producer {
        cin.forall %j {
          // CHECK: %[[V0:.*]] = cin.access %[[A]][%[[I]], %[[J]]] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
          %0 = cin.access %A[%i, %j] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
          // CHECK: %[[V1:.*]] = cin.access %[[X]][%[[J]]] : tensor<?xi64> -> i64
          %1 = cin.access %x[%j] : tensor<?xi64> -> i64
          // CHECK: %[[V2:.*]] = cin.cast %[[V1]] : i64 -> f64
          %2 = cin.cast %1 : i64 -> f64
          // CHECK: %[[V3:.*]] = cin.neg %[[V2]] : f64
          %3 = cin.neg %2 : f64
          // CHECK: cin.mask %[[V3]] by %[[V0]] : f64 by f64
          %masked = cin.mask %3 by %0 : f64 by f64
          // CHECK: cin.mask %[[V3]] by %[[V0]] {complement} : f64 by f64
          %left = cin.mask %3 by %0 {complement} : f64 by f64
          // CHECK: %[[V4:.*]] = cin.combine mul %[[V0]], %[[V3]] : f64
          %4 = cin.combine mul %0, %3 : f64
          // CHECK: %[[V5:.*]] = cin.unite add %[[V4]], %[[V0]] : f64
          %5 = cin.unite add %4, %0 : f64
          // CHECK: %[[V6:.*]] = cin.unite sub %[[V5]], %[[V3]] : f64
          %6 = cin.unite sub %5, %3 : f64
          // CHECK: %[[V7:.*]] = cin.apply exp %[[V6]] : f64
          %7 = cin.apply exp %6 : f64
          // CHECK: cin.drop %[[V7]] where %[[V1]] : f64, i64
          %8 = cin.drop %7 where %1 : f64, i64
          // CHECK: cin.assign %[[V6]] to %[[T]][] add : f64, tensor<f64>
          cin.assign %6 to %t[] add : f64, tensor<f64>
          // CHECK: cin.assign %[[V6]] to %[[T]][] "def half f64 identity 1.0 : number f64 0.5; add 0 1; mul 2 3 -> 4" : f64, tensor<f64>
          cin.assign %6 to %t[] "def half f64 identity 1.0 : number f64 0.5; add 0 1; mul 2 3 -> 4" : f64, tensor<f64>
        }
      }
    }
  }
  return
}

// CHECK-LABEL: func.func @temporaries
func.func @temporaries() {
  cin.compute {
    // CHECK: cin.temporary "s" scalar : tensor<i64>
    %s = cin.temporary "s" scalar : tensor<i64>
    // CHECK: cin.temporary "r" registers : tensor<32xf32>
    %r = cin.temporary "r" registers : tensor<32xf32>
    // CHECK: cin.temporary "d" dense : tensor<?x?xf64>
    %d = cin.temporary "d" dense : tensor<?x?xf64>
    // CHECK: cin.temporary "h" hash 1024 : tensor<?x?xf64, #ta.format<[CU, CU]>>
    %h = cin.temporary "h" hash 1024 : tensor<?x?xf64, #ta.format<[CU, CU]>>
    // CHECK: cin.temporary "l" list : tensor<?xf64, #ta.format<[CU]>>
    %l = cin.temporary "l" list : tensor<?xf64, #ta.format<[CU]>>
    // CHECK: cin.temporary "v" levels : tensor<?xf64, #ta.format<[CU]>>
    %v = cin.temporary "v" levels : tensor<?xf64, #ta.format<[CU]>>
  }
  return
}

// CHECK-LABEL: func.func @enumerations
func.func @enumerations(%a: f64, %s: tensor<f64>) {
  cin.compute {
    // CHECK: cin.combine mul
    // CHECK: cin.combine div
    // CHECK: cin.combine add
    // CHECK: cin.combine sub
    // CHECK: cin.combine min
    // CHECK: cin.combine max
    // CHECK: cin.combine any
    // CHECK: cin.combine first
    // CHECK: cin.combine second
    // CHECK: cin.combine pair
    // CHECK: cin.combine or
    // CHECK: cin.combine and
    %0 = cin.combine mul %a, %a : f64
    %1 = cin.combine div %a, %a : f64
    %2 = cin.combine add %a, %a : f64
    %3 = cin.combine sub %a, %a : f64
    %4 = cin.combine min %a, %a : f64
    %5 = cin.combine max %a, %a : f64
    %6 = cin.combine any %a, %a : f64
    %7 = cin.combine first %a, %a : f64
    %8 = cin.combine second %a, %a : f64
    %9 = cin.combine pair %a, %a : f64
    %10 = cin.combine or %a, %a : f64
    %11 = cin.combine and %a, %a : f64
    // CHECK: cin.assign %{{.*}}[] set :
    // CHECK: cin.assign %{{.*}}[] add :
    // CHECK: cin.assign %{{.*}}[] mul :
    // CHECK: cin.assign %{{.*}}[] min :
    // CHECK: cin.assign %{{.*}}[] max :
    // CHECK: cin.assign %{{.*}}[] any :
    // CHECK: cin.assign %{{.*}}[] or :
    // CHECK: cin.assign %{{.*}}[] and :
    cin.assign %a to %s[] set : f64, tensor<f64>
    cin.assign %a to %s[] add : f64, tensor<f64>
    cin.assign %a to %s[] mul : f64, tensor<f64>
    cin.assign %a to %s[] min : f64, tensor<f64>
    cin.assign %a to %s[] max : f64, tensor<f64>
    cin.assign %a to %s[] any : f64, tensor<f64>
    cin.assign %a to %s[] or : f64, tensor<f64>
    cin.assign %a to %s[] and : f64, tensor<f64>
  }
  return
}

// The order of the levels is printed where it is not that of the modes.
// CHECK-LABEL: func.func @orders
func.func @orders(%A: tensor<?x?xf64, #ta.format<[D, CU]>>, %B: tensor<?x?xf64, #ta.format<[d1 : D, d0 : CU]>>,
    %C: tensor<?x?xf64, #ta.format<[d0 floordiv 4 : D, d1 floordiv 2 : CU, d0 mod 4 : D, d1 mod 2 : D]>>,
    %E: tensor<?x?xf64, #ta.format<[d0 : D, slot : D, d1 : S]>>, %n: index) {
  cin.compute {
    // CHECK: %[[I:.*]] = cin.index_var "i"
    %i = cin.index_var "i" size %n
    // CHECK: %[[J:.*]] = cin.index_var "another one"
    %j = cin.index_var "another one" size %n
    cin.forall %i {
      cin.forall %j {
        // CHECK: cin.access %{{.*}}[%[[I]], %[[J]]] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
        %0 = cin.access %A[%i, %j] order [%i, %j] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
        // CHECK: cin.access %{{.*}}[%[[I]], %[[J]]] order [%[[J]], %[[I]]] : tensor<?x?xf64, #ta.format<[d1 : D, d0 : CU]>> -> f64
        %1 = cin.access %B[%i, %j] : tensor<?x?xf64, #ta.format<[d1 : D, d0 : CU]>> -> f64
        // CHECK: cin.access %{{.*}}[%[[I]], %[[J]]] order [%[[I]] floordiv 4, %[[J]] floordiv 2, %[[I]] mod 4, %[[J]] mod 2] :
        %2 = cin.access %C[%i, %j] order [%i floordiv 4, %j floordiv 2, %i mod 4, %j mod 2] : tensor<?x?xf64, #ta.format<[d0 floordiv 4 : D, d1 floordiv 2 : CU, d0 mod 4 : D, d1 mod 2 : D]>> -> f64
        // CHECK: cin.access %{{.*}}[%[[I]], %[[J]]] : tensor<?x?xf64, #ta.format<[d0 : D, slot : D, d1 : S]>> -> f64
        %3 = cin.access %E[%i, %j] : tensor<?x?xf64, #ta.format<[d0 : D, slot : D, d1 : S]>> -> f64
        // CHECK: cin.assign %{{.*}} to %{{.*}}[%[[I]], %[[J]]] set concordant : f64, tensor<?x?xf64, #ta.format<[D, CU]>>
        cin.assign %1 to %A[%i, %j] set concordant : f64, tensor<?x?xf64, #ta.format<[D, CU]>>
        // CHECK: cin.assign %{{.*}} to %{{.*}}[%[[I]], %[[J]]] set in_place concordant : f64, tensor<?x?xf64, #ta.format<[D, CU]>>
        cin.assign %1 to %A[%i, %j] set in_place concordant : f64, tensor<?x?xf64, #ta.format<[D, CU]>>
        // CHECK: cin.assign %{{.*}} to %{{.*}}[%[[I]], %[[J]]] order [%[[J]], %[[I]]] add discordant header [i, "another one"] -> ["another one", i] : f64, tensor<?x?xf64, #ta.format<[d1 : D, d0 : CU]>>
        cin.assign %0 to %B[%i, %j] order [%j, %i] add discordant header [i, "another one"] -> ["another one", i] : f64, tensor<?x?xf64, #ta.format<[d1 : D, d0 : CU]>>
      }
    }
  }
  return
}
