// The operations on matrices as MLIR's own sparsifier compiles them. `mlir-opt` wants fixed extents where it is given arrays: ROWS, COLUMNS
// and ACROSS, the columns of a product, are replaced by those of the input.

#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed), posWidth = 32, crdWidth = 32 }>
#CSC = #sparse_tensor.encoding<{ map = (i, j) -> (j : dense, i : compressed), posWidth = 32, crdWidth = 32 }>
#COO = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed(nonunique), j : singleton(soa)), posWidth = 32, crdWidth = 32 }>
!matrix = tensor<ROWSxCOLUMNSxf64, #CSR>
!factor = tensor<COLUMNSxACROSSxf64, #CSR>
!product = tensor<ROWSxACROSSxf64, #CSR>
!columns = tensor<ROWSxCOLUMNSxf64, #CSC>
!indices = memref<?xi32>
!numbers = memref<?xf64>

#two = {
  indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
  iterator_types = ["parallel", "parallel"]
}
#three = {
  indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
  iterator_types = ["parallel", "parallel"]
}
#sampled = {
  indexing_maps = [affine_map<(i, j, k) -> (i, j)>, affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>,
                   affine_map<(i, j, k) -> (i, j)>],
  iterator_types = ["parallel", "parallel", "reduction"]
}

func.func private @matrix(%pos: tensor<?xi32>, %crd: tensor<?xi32>, %values: tensor<?xf64>) -> !matrix {
  %m = sparse_tensor.assemble (%pos, %crd), %values : (tensor<?xi32>, tensor<?xi32>), tensor<?xf64> to !matrix
  return %m : !matrix
}

func.func private @arrays(%m: !matrix) -> (!indices, !indices, !numbers) {
  %pos = sparse_tensor.positions %m {level = 1 : index} : !matrix to !indices
  %crd = sparse_tensor.coordinates %m {level = 1 : index} : !matrix to !indices
  %values = sparse_tensor.values %m : !matrix to !numbers
  return %pos, %crd, %values : !indices, !indices, !numbers
}

func.func @mlir_spmv(%apos: tensor<?xi32>, %acrd: tensor<?xi32>, %avalues: tensor<?xf64>, %x: tensor<COLUMNSxf64>,
                     %y: tensor<ROWSxf64> {bufferization.writable = true}) -> tensor<ROWSxf64> attributes { llvm.emit_c_interface } {
  %a = call @matrix(%apos, %acrd, %avalues) : (tensor<?xi32>, tensor<?xi32>, tensor<?xf64>) -> !matrix
  %c = linalg.matvec ins(%a, %x : !matrix, tensor<COLUMNSxf64>) outs(%y : tensor<ROWSxf64>) -> tensor<ROWSxf64>
  return %c : tensor<ROWSxf64>
}

func.func @mlir_spmm32(%apos: tensor<?xi32>, %acrd: tensor<?xi32>, %avalues: tensor<?xf64>, %x: tensor<COLUMNSx32xf64>,
                       %y: tensor<ROWSx32xf64> {bufferization.writable = true}) -> tensor<ROWSx32xf64> attributes { llvm.emit_c_interface } {
  %a = call @matrix(%apos, %acrd, %avalues) : (tensor<?xi32>, tensor<?xi32>, tensor<?xf64>) -> !matrix
  %c = linalg.matmul ins(%a, %x : !matrix, tensor<COLUMNSx32xf64>) outs(%y : tensor<ROWSx32xf64>) -> tensor<ROWSx32xf64>
  return %c : tensor<ROWSx32xf64>
}

func.func @mlir_spmm64(%apos: tensor<?xi32>, %acrd: tensor<?xi32>, %avalues: tensor<?xf64>, %x: tensor<COLUMNSx64xf64>,
                       %y: tensor<ROWSx64xf64> {bufferization.writable = true}) -> tensor<ROWSx64xf64> attributes { llvm.emit_c_interface } {
  %a = call @matrix(%apos, %acrd, %avalues) : (tensor<?xi32>, tensor<?xi32>, tensor<?xf64>) -> !matrix
  %c = linalg.matmul ins(%a, %x : !matrix, tensor<COLUMNSx64xf64>) outs(%y : tensor<ROWSx64xf64>) -> tensor<ROWSx64xf64>
  return %c : tensor<ROWSx64xf64>
}

func.func @mlir_add2(%apos: tensor<?xi32>, %acrd: tensor<?xi32>, %avalues: tensor<?xf64>, %bpos: tensor<?xi32>, %bcrd: tensor<?xi32>,
                     %bvalues: tensor<?xf64>) -> (!indices, !indices, !numbers) attributes { llvm.emit_c_interface } {
  %a = call @matrix(%apos, %acrd, %avalues) : (tensor<?xi32>, tensor<?xi32>, tensor<?xf64>) -> !matrix
  %b = call @matrix(%bpos, %bcrd, %bvalues) : (tensor<?xi32>, tensor<?xi32>, tensor<?xf64>) -> !matrix
  %empty = tensor.empty() : !matrix
  %c = linalg.generic #two ins(%a, %b : !matrix, !matrix) outs(%empty : !matrix) {
  ^bb(%x: f64, %y: f64, %z: f64):
    %s = arith.addf %x, %y : f64
    linalg.yield %s : f64
  } -> !matrix
  %r:3 = call @arrays(%c) : (!matrix) -> (!indices, !indices, !numbers)
  return %r#0, %r#1, %r#2 : !indices, !indices, !numbers
}

func.func @mlir_add3(%apos: tensor<?xi32>, %acrd: tensor<?xi32>, %avalues: tensor<?xf64>, %bpos: tensor<?xi32>, %bcrd: tensor<?xi32>,
                     %bvalues: tensor<?xf64>, %dpos: tensor<?xi32>, %dcrd: tensor<?xi32>,
                     %dvalues: tensor<?xf64>) -> (!indices, !indices, !numbers) attributes { llvm.emit_c_interface } {
  %a = call @matrix(%apos, %acrd, %avalues) : (tensor<?xi32>, tensor<?xi32>, tensor<?xf64>) -> !matrix
  %b = call @matrix(%bpos, %bcrd, %bvalues) : (tensor<?xi32>, tensor<?xi32>, tensor<?xf64>) -> !matrix
  %d = call @matrix(%dpos, %dcrd, %dvalues) : (tensor<?xi32>, tensor<?xi32>, tensor<?xf64>) -> !matrix
  %empty = tensor.empty() : !matrix
  %c = linalg.generic #three ins(%a, %b, %d : !matrix, !matrix, !matrix) outs(%empty : !matrix) {
  ^bb(%x: f64, %y: f64, %w: f64, %z: f64):
    %s = arith.addf %x, %y : f64
    %t = arith.addf %s, %w : f64
    linalg.yield %t : f64
  } -> !matrix
  %r:3 = call @arrays(%c) : (!matrix) -> (!indices, !indices, !numbers)
  return %r#0, %r#1, %r#2 : !indices, !indices, !numbers
}

func.func @mlir_multiply(%apos: tensor<?xi32>, %acrd: tensor<?xi32>, %avalues: tensor<?xf64>, %bpos: tensor<?xi32>, %bcrd: tensor<?xi32>,
                         %bvalues: tensor<?xf64>) -> (!indices, !indices, !numbers) attributes { llvm.emit_c_interface } {
  %a = call @matrix(%apos, %acrd, %avalues) : (tensor<?xi32>, tensor<?xi32>, tensor<?xf64>) -> !matrix
  %b = call @matrix(%bpos, %bcrd, %bvalues) : (tensor<?xi32>, tensor<?xi32>, tensor<?xf64>) -> !matrix
  %empty = tensor.empty() : !matrix
  %c = linalg.generic #two ins(%a, %b : !matrix, !matrix) outs(%empty : !matrix) {
  ^bb(%x: f64, %y: f64, %z: f64):
    %s = arith.mulf %x, %y : f64
    linalg.yield %s : f64
  } -> !matrix
  %r:3 = call @arrays(%c) : (!matrix) -> (!indices, !indices, !numbers)
  return %r#0, %r#1, %r#2 : !indices, !indices, !numbers
}

func.func @mlir_sddmm(%apos: tensor<?xi32>, %acrd: tensor<?xi32>, %avalues: tensor<?xf64>, %left: tensor<ROWSx32xf64>,
                      %right: tensor<COLUMNSx32xf64>) -> (!indices, !indices, !numbers) attributes { llvm.emit_c_interface } {
  %a = call @matrix(%apos, %acrd, %avalues) : (tensor<?xi32>, tensor<?xi32>, tensor<?xf64>) -> !matrix
  %empty = tensor.empty() : !matrix
  %c = linalg.generic #sampled ins(%a, %left, %right : !matrix, tensor<ROWSx32xf64>, tensor<COLUMNSx32xf64>) outs(%empty : !matrix) {
  ^bb(%x: f64, %y: f64, %z: f64, %s: f64):
    %p = arith.mulf %y, %z : f64
    %q = arith.mulf %x, %p : f64
    %t = arith.addf %s, %q : f64
    linalg.yield %t : f64
  } -> !matrix
  %r:3 = call @arrays(%c) : (!matrix) -> (!indices, !indices, !numbers)
  return %r#0, %r#1, %r#2 : !indices, !indices, !numbers
}

func.func @mlir_spgemm(%apos: tensor<?xi32>, %acrd: tensor<?xi32>, %avalues: tensor<?xf64>, %bpos: tensor<?xi32>, %bcrd: tensor<?xi32>,
                       %bvalues: tensor<?xf64>) -> (!indices, !indices, !numbers) attributes { llvm.emit_c_interface } {
  %a = call @matrix(%apos, %acrd, %avalues) : (tensor<?xi32>, tensor<?xi32>, tensor<?xf64>) -> !matrix
  %b = sparse_tensor.assemble (%bpos, %bcrd), %bvalues : (tensor<?xi32>, tensor<?xi32>), tensor<?xf64> to !factor
  %empty = tensor.empty() : !product
  %c = linalg.matmul ins(%a, %b : !matrix, !factor) outs(%empty : !product) -> !product
  %pos = sparse_tensor.positions %c {level = 1 : index} : !product to !indices
  %crd = sparse_tensor.coordinates %c {level = 1 : index} : !product to !indices
  %values = sparse_tensor.values %c : !product to !numbers
  return %pos, %crd, %values : !indices, !indices, !numbers
}

func.func @mlir_coo_to_csr(%pos: tensor<?xi32>, %row: tensor<?xi32>, %crd: tensor<?xi32>, %values: tensor<?xf64>)
    -> (!indices, !indices, !numbers) attributes { llvm.emit_c_interface } {
  %a = sparse_tensor.assemble (%pos, %row, %crd), %values
      : (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>), tensor<?xf64> to tensor<ROWSxCOLUMNSxf64, #COO>
  %c = sparse_tensor.convert %a : tensor<ROWSxCOLUMNSxf64, #COO> to !matrix
  %r:3 = call @arrays(%c) : (!matrix) -> (!indices, !indices, !numbers)
  return %r#0, %r#1, %r#2 : !indices, !indices, !numbers
}

func.func @mlir_csr_to_csc(%apos: tensor<?xi32>, %acrd: tensor<?xi32>, %avalues: tensor<?xf64>)
    -> (!indices, !indices, !numbers) attributes { llvm.emit_c_interface } {
  %a = call @matrix(%apos, %acrd, %avalues) : (tensor<?xi32>, tensor<?xi32>, tensor<?xf64>) -> !matrix
  %c = sparse_tensor.convert %a : !matrix to !columns
  %pos = sparse_tensor.positions %c {level = 1 : index} : !columns to !indices
  %crd = sparse_tensor.coordinates %c {level = 1 : index} : !columns to !indices
  %values = sparse_tensor.values %c : !columns to !numbers
  return %pos, %crd, %values : !indices, !indices, !numbers
}
