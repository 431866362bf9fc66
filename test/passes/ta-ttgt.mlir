// Contractions of two dense tensors become products of matrices where that is worth it; what is copied, and into which order of levels.

// RUN: %comet-opt %s --ta-ttgt --canonicalize | FileCheck %s

#ik = affine_map<(d0, d1, d2) -> (d0, d2)>
#kj = affine_map<(d0, d1, d2) -> (d2, d1)>
#ij = affine_map<(d0, d1, d2) -> (d0, d1)>

// Matrices stand as they have to, also transposed ones and those that are stored column by column.
// CHECK-LABEL: func.func @matrices
// CHECK-NOT:  ta.convert
// CHECK:      ta.gemm ins(%{{.*}}, %{{.*}} : tensor<90x70xf64>, tensor<70x80xf64, #ta.format<[d1 : D, d0 : D]>>)
// CHECK-SAME: alpha = -1.000000e+00 : f64, beta = 1.000000e+00 : f64
// CHECK-NOT:  ta.tc
func.func @matrices(%i: !ta.range, %j: !ta.range, %k: !ta.range) {
  %A = ta.tensor_decl "A" [%i, %k] : tensor<90x70xf64>
  %B = ta.tensor_decl "B" [%k, %j] : tensor<70x80xf64, #ta.format<[d1 : D, d0 : D]>>
  %C = ta.tensor_decl "C" [%i, %j] : tensor<90x80xf64>
  ta.tc ins(%A, %B : tensor<90x70xf64>, tensor<70x80xf64, #ta.format<[d1 : D, d0 : D]>>) outs(%C : tensor<90x80xf64>) {
    alpha = -1.0 : f64, beta = 1.0 : f64, indexing_maps = [#ik, #kj, #ij]}
  return
}

// What is added to is copied there and back; batches come to stand outermost.
// CHECK-LABEL: func.func @batches
// CHECK:      ta.convert %{{.*}} : tensor<20x40x30xf32> to tensor<20x40x30xf32, #ta.format<[d2 : D, d0 : D, d1 : D]>>
// CHECK:      ta.convert %{{.*}} : tensor<20x50x30xf32> to tensor<20x50x30xf32, #ta.format<[d2 : D, d0 : D, d1 : D]>>
// CHECK:      ta.gemm
// CHECK:      ta.convert %{{.*}} : tensor<20x50x30xf32, #ta.format<[d2 : D, d0 : D, d1 : D]>> to tensor<20x50x30xf32>
func.func @batches(%i: !ta.range, %j: !ta.range, %k: !ta.range, %n: !ta.range) {
  %A = ta.tensor_decl "A" [%i, %k, %n] : tensor<20x40x30xf32>
  %B = ta.tensor_decl "B" [%n, %k, %j] : tensor<30x40x50xf32>
  %C = ta.tensor_decl "C" [%i, %j, %n] : tensor<20x50x30xf32>
  ta.tc ins(%A, %B : tensor<20x40x30xf32>, tensor<30x40x50xf32>) outs(%C : tensor<20x50x30xf32>) {
    alpha = 1.0 : f32, beta = 1.0 : f64, indexing_maps = [
      affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d3, d2, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>]}
  return
}

// Extents that are not known decide when the program runs.
// CHECK-LABEL: func.func @open
// CHECK:      %[[LARGE:.*]] = arith.cmpf ole
// CHECK:      scf.if %[[LARGE]] {
// CHECK-NEXT:   ta.gemm
// CHECK-NEXT: } else {
// CHECK-NEXT:   ta.tc
func.func @open(%i: !ta.range, %j: !ta.range, %k: !ta.range) {
  %A = ta.tensor_decl "A" [%i, %k] : tensor<?x?xf64>
  %B = ta.tensor_decl "B" [%k, %j] : tensor<?x?xf64>
  %C = ta.tensor_decl "C" [%i, %j] : tensor<?x?xf64>
  ta.tc ins(%A, %B : tensor<?x?xf64>, tensor<?x?xf64>) outs(%C : tensor<?x?xf64>) {
    alpha = 1.0 : f64, beta = 0.0 : f64, indexing_maps = [#ik, #kj, #ij]}
  return
}

// Loops stay for small matrices, vectors, integers, sparse and blocked operands, and copies that cost more than they bring.
// CHECK-LABEL: func.func @loops
// CHECK-NOT:  ta.gemm
// CHECK-COUNT-6: ta.tc
func.func @loops(%i: !ta.range, %j: !ta.range, %k: !ta.range, %n: !ta.range) {
  %A = ta.tensor_decl "A" [%i, %k] : tensor<9x7xf64>
  %B = ta.tensor_decl "B" [%k, %j] : tensor<7x8xf64>
  %C = ta.tensor_decl "C" [%i, %j] : tensor<9x8xf64>
  ta.tc ins(%A, %B : tensor<9x7xf64>, tensor<7x8xf64>) outs(%C : tensor<9x8xf64>) {
    alpha = 1.0 : f64, beta = 0.0 : f64, indexing_maps = [#ik, #kj, #ij]}
  %D = ta.tensor_decl "D" [%i, %k] : tensor<900x700xf64>
  %x = ta.tensor_decl "x" [%k] : tensor<700xf64>
  %y = ta.tensor_decl "y" [%i] : tensor<900xf64>
  ta.tc ins(%D, %x : tensor<900x700xf64>, tensor<700xf64>) outs(%y : tensor<900xf64>) {
    alpha = 1.0 : f64, beta = 0.0 : f64, indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>]}
  %E = ta.tensor_decl "E" [%i, %k] : tensor<90x70xi64>
  %F = ta.tensor_decl "F" [%k, %j] : tensor<70x80xi64>
  %G = ta.tensor_decl "G" [%i, %j] : tensor<90x80xi64>
  ta.tc ins(%E, %F : tensor<90x70xi64>, tensor<70x80xi64>) outs(%G : tensor<90x80xi64>) {
    alpha = 1 : i64, beta = 0.0 : f64, indexing_maps = [#ik, #kj, #ij]}
  %H = ta.tensor_decl "H" [%i, %k] : tensor<90x70xf64, #ta.format<[D, CU]>>
  %P = ta.tensor_decl "P" [%k, %j] : tensor<70x80xf64>
  %Q = ta.tensor_decl "Q" [%i, %j] : tensor<90x80xf64>
  ta.tc ins(%H, %P : tensor<90x70xf64, #ta.format<[D, CU]>>, tensor<70x80xf64>) outs(%Q : tensor<90x80xf64>) {
    alpha = 1.0 : f64, beta = 0.0 : f64, indexing_maps = [#ik, #kj, #ij]}
  %R = ta.tensor_decl "R" [%i, %k] : tensor<90x70xf64, #ta.format<[d0 floordiv 2 : D, d1 : D, d0 mod 2 : D]>>
  ta.tc ins(%R, %P : tensor<90x70xf64, #ta.format<[d0 floordiv 2 : D, d1 : D, d0 mod 2 : D]>>, tensor<70x80xf64>) outs(%Q : tensor<90x80xf64>) {
    alpha = 1.0 : f64, beta = 0.0 : f64, indexing_maps = [#ik, #kj, #ij]}
  %S = ta.tensor_decl "S" [%i, %k, %j] : tensor<100x9x100xf64>
  %T = ta.tensor_decl "T" [%k, %n] : tensor<9x4xf64>
  %U = ta.tensor_decl "U" [%i, %n, %j] : tensor<100x4x100xf64>
  ta.tc ins(%S, %T : tensor<100x9x100xf64>, tensor<9x4xf64>) outs(%U : tensor<100x4x100xf64>) {
    alpha = 1.0 : f64, beta = 0.0 : f64, indexing_maps = [
      affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>]}
  return
}
