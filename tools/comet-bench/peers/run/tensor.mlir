// The operations on tensors of three modes as MLIR's own sparsifier compiles them; LINES, ROWS and COLUMNS are replaced by the extents of the
// input.

#CSF = #sparse_tensor.encoding<{ map = (i, j, k) -> (i : compressed, j : compressed, k : compressed), posWidth = 32, crdWidth = 32 }>
#DCSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed, j : compressed), posWidth = 32, crdWidth = 32 }>
#FIBERS = #sparse_tensor.encoding<{ map = (i, j, r) -> (i : compressed, j : compressed, r : dense), posWidth = 32, crdWidth = 32 }>
!csf = tensor<LINESxROWSxCOLUMNSxf64, #CSF>
!dcsr = tensor<LINESxROWSxf64, #DCSR>
!fibers = tensor<LINESxROWSx32xf64, #FIBERS>
!indices = memref<?xi32>
!numbers = memref<?xf64>

#ttv = {
  indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (k)>, affine_map<(i, j, k) -> (i, j)>],
  iterator_types = ["parallel", "parallel", "reduction"]
}
#ttm = {
  indexing_maps = [affine_map<(i, j, k, r) -> (i, j, k)>, affine_map<(i, j, k, r) -> (k, r)>, affine_map<(i, j, k, r) -> (i, j, r)>],
  iterator_types = ["parallel", "parallel", "reduction", "parallel"]
}
#mttkrp = {
  indexing_maps = [affine_map<(i, j, k, r) -> (i, j, k)>, affine_map<(i, j, k, r) -> (j, r)>, affine_map<(i, j, k, r) -> (k, r)>,
                   affine_map<(i, j, k, r) -> (i, r)>],
  iterator_types = ["parallel", "reduction", "reduction", "parallel"]
}

func.func private @csf(%ipos: tensor<?xi32>, %icrd: tensor<?xi32>, %jpos: tensor<?xi32>, %jcrd: tensor<?xi32>, %kpos: tensor<?xi32>,
                       %kcrd: tensor<?xi32>, %values: tensor<?xf64>) -> !csf {
  %t = sparse_tensor.assemble (%ipos, %icrd, %jpos, %jcrd, %kpos, %kcrd), %values
      : (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>), tensor<?xf64> to !csf
  return %t : !csf
}

func.func @mlir_ttv(%ipos: tensor<?xi32>, %icrd: tensor<?xi32>, %jpos: tensor<?xi32>, %jcrd: tensor<?xi32>, %kpos: tensor<?xi32>,
                    %kcrd: tensor<?xi32>, %values: tensor<?xf64>, %x: tensor<COLUMNSxf64>,
                    %y: tensor<LINESxROWSxf64> {bufferization.writable = true}) -> tensor<LINESxROWSxf64>
                    attributes { llvm.emit_c_interface } {
  %t = call @csf(%ipos, %icrd, %jpos, %jcrd, %kpos, %kcrd, %values)
      : (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xf64>) -> !csf
  %c = linalg.generic #ttv ins(%t, %x : !csf, tensor<COLUMNSxf64>) outs(%y : tensor<LINESxROWSxf64>) {
  ^bb(%v: f64, %w: f64, %s: f64):
    %p = arith.mulf %v, %w : f64
    %n = arith.addf %s, %p : f64
    linalg.yield %n : f64
  } -> tensor<LINESxROWSxf64>
  return %c : tensor<LINESxROWSxf64>
}

func.func @mlir_ttv_sparse(%ipos: tensor<?xi32>, %icrd: tensor<?xi32>, %jpos: tensor<?xi32>, %jcrd: tensor<?xi32>, %kpos: tensor<?xi32>,
                           %kcrd: tensor<?xi32>, %values: tensor<?xf64>, %x: tensor<COLUMNSxf64>)
                           -> (!indices, !indices, !indices, !indices, !numbers) attributes { llvm.emit_c_interface } {
  %t = call @csf(%ipos, %icrd, %jpos, %jcrd, %kpos, %kcrd, %values)
      : (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xf64>) -> !csf
  %empty = tensor.empty() : !dcsr
  %c = linalg.generic #ttv ins(%t, %x : !csf, tensor<COLUMNSxf64>) outs(%empty : !dcsr) {
  ^bb(%v: f64, %w: f64, %s: f64):
    %p = arith.mulf %v, %w : f64
    %n = arith.addf %s, %p : f64
    linalg.yield %n : f64
  } -> !dcsr
  %outer_pos = sparse_tensor.positions %c {level = 0 : index} : !dcsr to !indices
  %outer = sparse_tensor.coordinates %c {level = 0 : index} : !dcsr to !indices
  %pos = sparse_tensor.positions %c {level = 1 : index} : !dcsr to !indices
  %crd = sparse_tensor.coordinates %c {level = 1 : index} : !dcsr to !indices
  %all = sparse_tensor.values %c : !dcsr to !numbers
  return %outer_pos, %outer, %pos, %crd, %all : !indices, !indices, !indices, !indices, !numbers
}

func.func @mlir_ttm(%ipos: tensor<?xi32>, %icrd: tensor<?xi32>, %jpos: tensor<?xi32>, %jcrd: tensor<?xi32>, %kpos: tensor<?xi32>,
                    %kcrd: tensor<?xi32>, %values: tensor<?xf64>, %x: tensor<COLUMNSx32xf64>,
                    %y: tensor<LINESxROWSx32xf64> {bufferization.writable = true}) -> tensor<LINESxROWSx32xf64>
                    attributes { llvm.emit_c_interface } {
  %t = call @csf(%ipos, %icrd, %jpos, %jcrd, %kpos, %kcrd, %values)
      : (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xf64>) -> !csf
  %c = linalg.generic #ttm ins(%t, %x : !csf, tensor<COLUMNSx32xf64>) outs(%y : tensor<LINESxROWSx32xf64>) {
  ^bb(%v: f64, %w: f64, %s: f64):
    %p = arith.mulf %v, %w : f64
    %n = arith.addf %s, %p : f64
    linalg.yield %n : f64
  } -> tensor<LINESxROWSx32xf64>
  return %c : tensor<LINESxROWSx32xf64>
}

func.func @mlir_ttm_sparse(%ipos: tensor<?xi32>, %icrd: tensor<?xi32>, %jpos: tensor<?xi32>, %jcrd: tensor<?xi32>, %kpos: tensor<?xi32>,
                           %kcrd: tensor<?xi32>, %values: tensor<?xf64>, %x: tensor<COLUMNSx32xf64>)
                           -> (!indices, !indices, !indices, !indices, !numbers) attributes { llvm.emit_c_interface } {
  %t = call @csf(%ipos, %icrd, %jpos, %jcrd, %kpos, %kcrd, %values)
      : (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xf64>) -> !csf
  %empty = tensor.empty() : !fibers
  %c = linalg.generic #ttm ins(%t, %x : !csf, tensor<COLUMNSx32xf64>) outs(%empty : !fibers) {
  ^bb(%v: f64, %w: f64, %s: f64):
    %p = arith.mulf %v, %w : f64
    %n = arith.addf %s, %p : f64
    linalg.yield %n : f64
  } -> !fibers
  %outer_pos = sparse_tensor.positions %c {level = 0 : index} : !fibers to !indices
  %outer = sparse_tensor.coordinates %c {level = 0 : index} : !fibers to !indices
  %pos = sparse_tensor.positions %c {level = 1 : index} : !fibers to !indices
  %crd = sparse_tensor.coordinates %c {level = 1 : index} : !fibers to !indices
  %all = sparse_tensor.values %c : !fibers to !numbers
  return %outer_pos, %outer, %pos, %crd, %all : !indices, !indices, !indices, !indices, !numbers
}

func.func @mlir_mttkrp(%ipos: tensor<?xi32>, %icrd: tensor<?xi32>, %jpos: tensor<?xi32>, %jcrd: tensor<?xi32>, %kpos: tensor<?xi32>,
                       %kcrd: tensor<?xi32>, %values: tensor<?xf64>, %b: tensor<ROWSx32xf64>, %d: tensor<COLUMNSx32xf64>,
                       %y: tensor<LINESx32xf64> {bufferization.writable = true}) -> tensor<LINESx32xf64>
                       attributes { llvm.emit_c_interface } {
  %t = call @csf(%ipos, %icrd, %jpos, %jcrd, %kpos, %kcrd, %values)
      : (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xf64>) -> !csf
  %c = linalg.generic #mttkrp ins(%t, %b, %d : !csf, tensor<ROWSx32xf64>, tensor<COLUMNSx32xf64>) outs(%y : tensor<LINESx32xf64>) {
  ^bb(%v: f64, %w: f64, %z: f64, %s: f64):
    %p = arith.mulf %v, %w : f64
    %q = arith.mulf %p, %z : f64
    %n = arith.addf %s, %q : f64
    linalg.yield %n : f64
  } -> tensor<LINESx32xf64>
  return %c : tensor<LINESx32xf64>
}
