// Every message of the verifiers of ta's operations.

// RUN: %comet-opt %s -verify-diagnostics -split-input-file

func.func @index_label_static(%n: index) {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{'ta.index_label_static' op expected a positive step, found 0}}
  %i = ta.index_label_static "i" %c0 to %n step %c0
  return
}

// -----

func.func @no_source() {
  // expected-error @+1 {{'ta.index_label_dynamic' op expected at least one source}}
  %i = ta.index_label_dynamic "i" from []
  return
}

// -----

func.func @source() {
  // expected-error @+1 {{'ta.solve_size' op expected `#ta.file_mode` sources, found "env:0"}}
  %n = ta.solve_size "i" from ["env:0"]
  return
}

// -----

func.func @label_count(%i: !ta.range) {
  // expected-error @+1 {{'ta.tensor_decl' op expected one label for each of the 2 modes, found 1}}
  %A = ta.tensor_decl "A" [%i] : tensor<?x?xf64>
  return
}

// -----

func.func @caller(%i: !ta.range) {
  // expected-error @+1 {{'ta.tensor_decl' op expected a tensor that the caller passes or one that it gets, found both}}
  %x = ta.tensor_decl "x" [%i] {argument = 0 : i64, returned} : tensor<?xf64>
  return
}

// -----

func.func @overwritten(%i: !ta.range) {
  // expected-error @+1 {{'ta.tensor_decl' op expected `overwritten` only of a tensor that is `returned`}}
  %x = ta.tensor_decl "x" [%i] {overwritten} : tensor<?xf64>
  return
}

// -----

func.func @argument(%i: !ta.range) {
  // expected-error @+1 {{'ta.tensor_decl' op attribute 'argument' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  %x = ta.tensor_decl "x" [%i] {argument = -1 : i64} : tensor<?xf64>
  return
}

// -----

func.func @extent(%c0: index) {
  %zero = arith.constant 0 : index
  %seven = arith.constant 7 : index
  %two = arith.constant 2 : index
  %i = ta.index_label_static "i" %zero to %seven step %two
  // expected-error @+1 {{'ta.tensor_decl' op expected the extent of its label, 4, in mode 0, found 7}}
  %x = ta.tensor_decl "x" [%i] : tensor<7xf64>
  return
}

// -----

func.func @tensor_element(%i: !ta.range) {
  // expected-error @+1 {{'ta.tensor_decl' op result #0 must be ranked tensor of 64-bit float or 32-bit float or 64-bit signless integer or 1-bit signless integer or 8-bit signless integer or 16-bit signless integer or 32-bit signless integer or 8-bit unsigned integer or 32-bit unsigned integer or 16-bit float or bfloat16 type or complex type with 32-bit float elements or complex type with 64-bit float elements values, but got 'tensor<?xi24>'}}
  %x = ta.tensor_decl "x" [%i] : tensor<?xi24>
  return
}

// -----

func.func @fill_sparse(%A: tensor<?x?xf64, #ta.format<[D, CU]>>) {
  // expected-error @+1 {{'ta.fill' op expected a dense tensor, found 'tensor<?x?xf64, #ta.format<[D, CU]>>'}}
  ta.fill %A with 1.0 : f64 : tensor<?x?xf64, #ta.format<[D, CU]>>
  return
}

// -----

func.func @fill_value(%x: tensor<?xf64>) {
  // expected-error @+1 {{'ta.fill' op expected a value of type 'f64', found 'i64'}}
  ta.fill %x with 1 : i64 : tensor<?xf64>
  return
}

// -----

func.func @literal_element(%x: tensor<2xf64>) {
  // expected-error @+1 {{'ta.literal' op expected values of type 'f64', found 'f32'}}
  ta.literal %x with dense<[1.0, 2.0]> : tensor<2xf32> : tensor<2xf64>
  return
}

// -----

func.func @literal_count(%x: tensor<2x2xf64>) {
  // expected-error @+1 {{'ta.literal' op expected 4 values, found 3}}
  ta.literal %x with dense<[1.0, 2.0, 3.0]> : tensor<3xf64> : tensor<2x2xf64>
  return
}

// -----

func.func @read_source(%x: tensor<?xf64>) {
  // expected-error @+1 {{'ta.read' op expected a source `env:`, `env:<digits>` or `path:<path>`, found "x.mtx"}}
  ta.read %x from "x.mtx" {triangle = 1 : i64} : tensor<?xf64>
  return
}

// -----

func.func @read_triangle(%x: tensor<?xf64>) {
  // expected-error @+1 {{'ta.read' op expected a matrix where a triangle is selected, found 'tensor<?xf64>'}}
  ta.read %x from "env:0" {triangle = 2 : i64} : tensor<?xf64>
  return
}

// -----

func.func @read_no_triangle(%A: tensor<?x?xf64>) {
  // expected-error @+1 {{'ta.read' op attribute 'triangle' failed to satisfy constraint}}
  ta.read %A from "env:0" {triangle = 6 : i64} : tensor<?x?xf64>
  return
}

// -----

func.func @random(%x: tensor<?xf64>) {
  // expected-error @+1 {{'ta.random' op expected a density from 0 to 1, found 1.500000e+00 : f64}}
  ta.random %x {density = 1.5 : f64, seed = 7 : i64} : tensor<?xf64>
  return
}

// -----

func.func @move(%x: tensor<?xf64>, %y: tensor<2xf64>) {
  // expected-error @+1 {{'ta.move' op failed to verify that all of {source, target} have same type}}
  "ta.move"(%x, %y) : (tensor<?xf64>, tensor<2xf64>) -> ()
  return
}

// -----

func.func @convert_repeats(%A: tensor<?x?xf64>, %B: tensor<?x?xf64>) {
  // expected-error @+1 {{'ta.convert' op expected a permutation of the source's 2 modes}}
  ta.convert %A to %B permutation [0, 0] : tensor<?x?xf64> to tensor<?x?xf64>
  return
}

// -----

func.func @convert_labels(%A: tensor<?x?xf64>, %B: tensor<?x?xf64>) {
  // expected-error @+1 {{'ta.convert' op expected a label for each of the 2 modes, found 1}}
  ta.convert %A to %B permutation [1, 0] {labels = ["i"]} : tensor<?x?xf64> to tensor<?x?xf64>
  return
}

// -----

func.func @convert_rank(%A: tensor<?x?xf64>, %B: tensor<?xf64>) {
  // expected-error @+1 {{'ta.convert' op expected a permutation of the source's 2 modes}}
  ta.convert %A to %B permutation [0, 1] : tensor<?x?xf64> to tensor<?xf64>
  return
}

// -----

func.func @part_modes(%A: tensor<?x?xf64>, %x: tensor<8xf64>, %n: index) {
  // expected-error @+1 {{'ta.take_part' op expected a first coordinate and a step for each of the 2 modes, found 1 and 2}}
  ta.take_part %A and %x from [%n] steps [0, 1] shifted [] : tensor<?x?xf64> and tensor<8xf64>
  return
}

// -----

func.func @part_rank(%A: tensor<?x?xf64>, %x: tensor<8xf64>, %n: index) {
  // expected-error @+1 {{'ta.put_part' op expected a part with 2 modes and elements of type 'f64'}}
  ta.put_part %A and %x from [%n, %n] steps [1, 1] shifted [] : tensor<?x?xf64> and tensor<8xf64>
  return
}

// -----

func.func @part_shifted(%A: tensor<?x?xf64>, %x: tensor<8xf64>, %n: index) {
  // expected-error @+1 {{'ta.take_part' op expected step 1 in the shifted mode 0}}
  ta.take_part %A and %x from [%n, %n] steps [0, 1] shifted [0] : tensor<?x?xf64> and tensor<8xf64>
  return
}

// -----

func.func @part_steps(%A: tensor<?x?xf64>, %x: tensor<8xf64>, %n: index) {
  // expected-error @+1 {{'ta.take_part' op expected steps of at least 0}}
  ta.take_part %A and %x from [%n, %n] steps [0, -1] shifted [] : tensor<?x?xf64> and tensor<8xf64>
  return
}

// -----

func.func @labeled_element(%x: tensor<?xf64>, %i: !ta.range) {
  // expected-error @+1 {{'ta.labeled_tensor' op expected a result with elements of type 'f64', found 'f32'}}
  %0 = ta.labeled_tensor %x[%i] : tensor<?xf64> -> !ta.labeled<f32>
  return
}

// -----

func.func @labeled_count(%x: tensor<?xf64>) {
  // expected-error @+1 {{'ta.labeled_tensor' op expected one label for each of the 1 modes, found 0}}
  %0 = ta.labeled_tensor %x[] : tensor<?xf64> -> !ta.labeled<f64>
  return
}

// -----

func.func @scalar(%s: f32) {
  // expected-error @+1 {{'ta.scalar' op expected a value of type 'f64', found 'f32'}}
  %0 = ta.scalar %s : f32 -> !ta.labeled<f64>
  return
}

// -----

func.func @elementwise(%0: !ta.labeled<f64>) {
  // expected-error @+1 {{'ta.elementwise' op expected a combining operator, found "power"}}
  %1 = ta.elementwise "power" %0, %0 : !ta.labeled<f64>
  return
}

// -----

func.func @unite(%0: !ta.labeled<f64>) {
  // expected-error @+1 {{'ta.unite' op expected an operator, found "plus"}}
  %1 = ta.unite "plus" %0, %0 : !ta.labeled<f64>
  return
}

// -----

func.func @apply(%0: !ta.labeled<f64>) {
  // expected-error @+1 {{'ta.apply' op expected a function of one number, found "gamma"}}
  %1 = ta.apply "gamma" %0 : !ta.labeled<f64>
  return
}

// -----

func.func @reduce(%0: !ta.labeled<f64>, %i: !ta.range) {
  // expected-error @+1 {{'ta.reduce' op expected a reducing operator, found "sub"}}
  %1 = ta.reduce "sub" %0 over [%i] : !ta.labeled<f64>
  return
}

// -----

func.func @reduce_nothing(%0: !ta.labeled<f64>) {
  // expected-error @+1 {{'ta.reduce' op expected at least one label}}
  %1 = ta.reduce "add" %0 over [] : !ta.labeled<f64>
  return
}

// -----

func.func @reduce_twice(%0: !ta.labeled<f64>, %i: !ta.range) {
  // expected-error @+1 {{'ta.reduce' op expected different labels, found label 1 twice}}
  %1 = ta.reduce "add" %0 over [%i, %i] : !ta.labeled<f64>
  return
}

// -----

func.func @set_element(%0: !ta.labeled<f32>, %x: tensor<?xf64>, %i: !ta.range) {
  // expected-error @+1 {{'ta.set_op' op expected an expression of type 'f64', found 'f32'}}
  ta.set_op %0 to %x[%i] {beta = 0.0 : f64} : !ta.labeled<f32>, tensor<?xf64>
  return
}

// -----

func.func @set_count(%0: !ta.labeled<f64>, %x: tensor<?xf64>, %i: !ta.range) {
  // expected-error @+1 {{'ta.set_op' op expected one label for each of the 1 modes, found 2}}
  ta.set_op %0 to %x[%i, %i] {beta = 0.0 : f64} : !ta.labeled<f64>, tensor<?xf64>
  return
}

// -----

func.func @tc_no_input(%x: tensor<?xf64>) {
  // expected-error @+1 {{'ta.tc' op expected at least one input}}
  "ta.tc"(%x) {alpha = 1.0 : f64, beta = 0.0 : f64, indexing_maps = [affine_map<(d0) -> (d0)>]} : (tensor<?xf64>) -> ()
  return
}

// -----

func.func @tc_element(%x: tensor<?xf32>, %y: tensor<?xf64>) {
  // expected-error @+1 {{'ta.tc' op expected inputs with elements of type 'f64', found 'f32'}}
  ta.tc ins(%x : tensor<?xf32>) outs(%y : tensor<?xf64>) {
    alpha = 1.0 : f64, beta = 0.0 : f64, indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>]}
  return
}

// -----

func.func @tc_alpha(%x: tensor<?xf64>, %y: tensor<?xf64>) {
  // expected-error @+1 {{'ta.tc' op expected an alpha of type 'f64', found 'i64'}}
  ta.tc ins(%x : tensor<?xf64>) outs(%y : tensor<?xf64>) {
    alpha = 1 : i64, beta = 0.0 : f64, indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>]}
  return
}

// -----

func.func @tc_beta(%x: tensor<?xf64>, %y: tensor<?xf64>) {
  // expected-error @+1 {{'ta.tc' op expected a beta of 0 or 1, found 2.000000e+00 : f64}}
  ta.tc ins(%x : tensor<?xf64>) outs(%y : tensor<?xf64>) {
    alpha = 1.0 : f64, beta = 2.0 : f64, indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>]}
  return
}

// -----

func.func @tc_alias(%A: tensor<?x?xf64>) {
  // expected-error @+1 {{'ta.tc' op expected an output that is none of the inputs, which are read while it is written}}
  ta.tc ins(%A : tensor<?x?xf64>) outs(%A : tensor<?x?xf64>) {
    alpha = 1.0 : f64, beta = 0.0 : f64, indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>]}
  return
}

// -----

func.func @set_op_beta(%0: !ta.labeled<f64>, %y: tensor<?xf64>, %i: !ta.range) {
  // expected-error @+1 {{'ta.set_op' op expected a beta of 0 or 1, found 5.000000e-01 : f64}}
  ta.set_op %0 to %y[%i] {beta = 0.5 : f64} : !ta.labeled<f64>, tensor<?xf64>
  return
}

// -----

func.func @tc_map_count(%x: tensor<?xf64>, %y: tensor<?xf64>) {
  // expected-error @+1 {{'ta.tc' op expected one indexing map for each of the 2 tensors, found 1}}
  ta.tc ins(%x : tensor<?xf64>) outs(%y : tensor<?xf64>) {
    alpha = 1.0 : f64, beta = 0.0 : f64, indexing_maps = [affine_map<(d0) -> (d0)>]}
  return
}

// -----

func.func @tc_map_rank(%x: tensor<?xf64>, %y: tensor<?xf64>) {
  // expected-error @+1 {{'ta.tc' op expected an indexing map with 1 results, found affine_map<(d0, d1) -> (d0, d1)>}}
  ta.tc ins(%x : tensor<?xf64>) outs(%y : tensor<?xf64>) {
    alpha = 1.0 : f64, beta = 0.0 : f64, indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>]}
  return
}

// -----

func.func @tc_map_dims(%x: tensor<?xf64>, %y: tensor<?xf64>) {
  // expected-error @+1 {{'ta.tc' op expected indexing maps over the same 1 dimensions, found affine_map<(d0, d1) -> (d0)>}}
  ta.tc ins(%x : tensor<?xf64>) outs(%y : tensor<?xf64>) {
    alpha = 1.0 : f64, beta = 0.0 : f64, indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0, d1) -> (d0)>]}
  return
}

// -----

func.func @tc_map_plain(%x: tensor<?xf64>, %y: tensor<?xf64>) {
  // expected-error @+1 {{'ta.tc' op expected plain dimensions in an indexing map, found affine_map<(d0) -> (d0 + 1)>}}
  ta.tc ins(%x : tensor<?xf64>) outs(%y : tensor<?xf64>) {
    alpha = 1.0 : f64, beta = 0.0 : f64, indexing_maps = [affine_map<(d0) -> (d0 + 1)>, affine_map<(d0) -> (d0)>]}
  return
}

// -----

func.func @tc_map_unused(%x: tensor<?xf64>, %y: tensor<?xf64>) {
  // expected-error @+1 {{'ta.tc' op expected every dimension in some indexing map, d1 is in none}}
  ta.tc ins(%x : tensor<?xf64>) outs(%y : tensor<?xf64>) {
    alpha = 1.0 : f64, beta = 0.0 : f64, indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>]}
  return
}

// -----

func.func @tc_labels(%x: tensor<?xf64>, %y: tensor<?xf64>) {
  // expected-error @+1 {{'ta.tc' op expected a label for each of the 1 dimensions, found 2}}
  ta.tc ins(%x : tensor<?xf64>) outs(%y : tensor<?xf64>) {
    alpha = 1.0 : f64, beta = 0.0 : f64, indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], labels = ["i", "j"]}
  return
}

// -----

func.func @extract_rank(%x: tensor<1xf64>) {
  // expected-error @+1 {{'ta.extract' op expected a tensor of rank 0, found 'tensor<1xf64>'}}
  %s = ta.extract %x : tensor<1xf64> -> f64
  return
}

// -----

func.func @extract_element(%x: tensor<f64>) {
  // expected-error @+1 {{'ta.extract' op expected a result of type 'f64', found 'i64'}}
  %s = ta.extract %x : tensor<f64> -> i64
  return
}

// -----

func.func @print_number(%n: index) {
  // expected-error @+1 {{'ta.print_number' op operand #0 must be f64, f32, i64 or a complex type, but got 'index'}}
  ta.print_number %n : index
  return
}

// -----

func.func @print_scalar(%n: index) {
  // expected-error @+1 {{'ta.print_scalar' op operand #0 must be f64, f32, i64 or a complex type, but got 'index'}}
  ta.print_scalar %n : index
  return
}

// -----

func.func @level_size(%A: tensor<?x?xf64, #ta.format<[d0 : D, slot : D, d1 : S]>>) {
  // expected-error @+1 {{'ta.level_size' op expected a level below 3, found 3}}
  %n = ta.level_size %A, 3 : tensor<?x?xf64, #ta.format<[d0 : D, slot : D, d1 : S]>>
  return
}

// -----

func.func @level_size_dense(%x: tensor<?xf64>) {
  // expected-error @+1 {{'ta.level_size' op expected a level below 1, found -1}}
  %n = ta.level_size %x, -1 : tensor<?xf64>
  return
}

// -----

func.func @positions_level(%x: tensor<?xf64, #ta.format<[CU]>>) {
  // expected-error @+1 {{'ta.positions' op expected a level below 1, found 1}}
  %0 = ta.positions %x, 1 : tensor<?xf64, #ta.format<[CU]>> to memref<?xi32>
  return
}

// -----

func.func @positions_dense(%A: tensor<?x?xf64, #ta.format<[D, CU]>>) {
  // expected-error @+1 {{'ta.positions' op expected a level CU, CN, BV, R or H, which have positions, found D}}
  %0 = ta.positions %A, 0 : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xi32>
  return
}

// -----

func.func @positions_singleton(%A: tensor<?x?xf64, #ta.format<[CN, S]>>) {
  // expected-error @+1 {{'ta.positions' op expected a level CU, CN, BV, R or H, which have positions, found S}}
  %0 = ta.positions %A, 1 : tensor<?x?xf64, #ta.format<[CN, S]>> to memref<?xi32>
  return
}

// -----

func.func @positions_width(%A: tensor<?x?xf64, #ta.format<[D, CU], index = 64>>) {
  // expected-error @+1 {{'ta.positions' op expected an array of type 'memref<?xi64>', found 'memref<?xi32>'}}
  %0 = ta.positions %A, 1 : tensor<?x?xf64, #ta.format<[D, CU], index = 64>> to memref<?xi32>
  return
}

// -----

func.func @coordinates_level(%x: tensor<?xf64, #ta.format<[CU]>>) {
  // expected-error @+1 {{'ta.coordinates' op expected a level below 1, found 1}}
  %0 = ta.coordinates %x, 1 : tensor<?xf64, #ta.format<[CU]>> to memref<?xi32>
  return
}

// -----

func.func @coordinates_dense(%A: tensor<?x?xf64>) {
  // expected-error @+1 {{'ta.coordinates' op expected a level other than D, which has no coordinates}}
  %0 = ta.coordinates %A, 1 : tensor<?x?xf64> to memref<?xi32>
  return
}

// -----

func.func @coordinates_words(%x: tensor<?xf64, #ta.format<[BV<8>]>>) {
  // expected-error @+1 {{'ta.coordinates' op expected an array of type 'memref<?xi64>', found 'memref<?xi32>'}}
  %0 = ta.coordinates %x, 0 : tensor<?xf64, #ta.format<[BV<8>]>> to memref<?xi32>
  return
}

// -----

func.func @values(%x: tensor<?xf64>) {
  // expected-error @+1 {{'ta.values' op expected an array of type 'memref<?xf64>', found 'memref<?xf32>'}}
  %0 = ta.values %x : tensor<?xf64> to memref<?xf32>
  return
}

// -----

func.func @pattern_of_more_levels(%C: tensor<?x?xf64, #ta.format<[D, CU]>>, %A: tensor<?x?xf64, #ta.format<[D, CU]>>) {
  // expected-error @+1 {{'ta.same_pattern' op expected at most 2 levels, found 3}}
  ta.same_pattern %C as %A, 3 : tensor<?x?xf64, #ta.format<[D, CU]>>, tensor<?x?xf64, #ta.format<[D, CU]>>
  return
}

// -----

func.func @pattern_of_other_levels(%C: tensor<?x?xf64, #ta.format<[D, CU]>>, %A: tensor<?x?xf64, #ta.format<[CU, CU]>>) {
  // expected-error @+1 {{'ta.same_pattern' op expected the operand's levels D and CU, and D below, found D as level 0}}
  ta.same_pattern %C as %A, 2 : tensor<?x?xf64, #ta.format<[D, CU]>>, tensor<?x?xf64, #ta.format<[CU, CU]>>
  return
}

// -----

func.func @pattern_of_other_width(%C: tensor<?x?xf64, #ta.format<[D, CU]>>, %A: tensor<?x?xf64, #ta.format<[D, CU], index = 64>>) {
  // expected-error @+1 {{'ta.same_pattern' op expected indices of 64 bits as those of the operand, found 32}}
  ta.same_pattern %C as %A, 2 : tensor<?x?xf64, #ta.format<[D, CU]>>, tensor<?x?xf64, #ta.format<[D, CU], index = 64>>
  return
}

// -----

func.func @append_to_ell(%A: tensor<?x?xf64, #ta.format<[d0 : D, slot : D, d1 : S]>>) {
  // expected-error @+1 {{'ta.append_begin' op expected levels D, CU, and S right below CN, found D as level 1}}
  ta.append_begin %A : tensor<?x?xf64, #ta.format<[d0 : D, slot : D, d1 : S]>>
  return
}

// -----

func.func @append_to_bits(%v: tensor<?xf64, #ta.format<[BV<8>]>>) {
  // expected-error @+1 {{'ta.append_begin' op expected levels D, CU, and S right below CN, found BV as level 0}}
  ta.append_begin %v : tensor<?xf64, #ta.format<[BV<8>]>>
  return
}

// -----

func.func @append_to_dense(%x: tensor<?xf64>) {
  // expected-error @+1 {{'ta.append_begin' op expected a level CU or CN, found only dense ones}}
  ta.append_begin %x : tensor<?xf64>
  return
}

// -----

func.func @grow_dense(%A: tensor<?x?xf64, #ta.format<[D, CU]>>, %n: index) {
  // expected-error @+1 {{'ta.append_grow' op expected the number of a level CU or CN, found 0}}
  ta.append_grow %A, 0 beyond %n : tensor<?x?xf64, #ta.format<[D, CU]>>
  return
}

// -----

func.func @reserve_dense(%A: tensor<?x?xf64, #ta.format<[D, CU]>>, %n: index) {
  // expected-error @+1 {{'ta.append_reserve' op expected the number of a level CU or CN, found 0}}
  ta.append_reserve %A, 0 of %n : tensor<?x?xf64, #ta.format<[D, CU]>>
  return
}

// -----

func.func @end_after_two(%A: tensor<?x?xf64, #ta.format<[D, CU]>>, %n: index) {
  // expected-error @+1 {{'ta.append_end' op expected a count for each of the 1 levels CU and CN, found 2}}
  ta.append_end %A after [%n, %n] : tensor<?x?xf64, #ta.format<[D, CU]>>
  return
}

// -----

func.func @part_end_after_two(%A: tensor<?x?xf64, #ta.format<[D, CU]>>, %n: index) {
  // expected-error @+1 {{'ta.part_end' op expected a count for each of the 1 levels CU and CN, found 2}}
  ta.part_end %A, %n from %n to %n after [%n, %n] : tensor<?x?xf64, #ta.format<[D, CU]>>
  return
}

// -----

func.func @parts_of_dense(%A: tensor<?x?xf64, #ta.format<[D, D]>>, %n: index) {
  // expected-error @+1 {{'ta.parts_begin' op expected a level CU or CN, found only dense ones}}
  ta.parts_begin %A, %n : tensor<?x?xf64, #ta.format<[D, D]>>
  return
}

// -----

func.func @part_of_slots(%A: tensor<?x?xf64, #ta.format<[CU, S]>>, %n: index) {
  // expected-error @+1 {{'ta.part' op expected levels D, CU, and S right below CN, found S}}
  %part = ta.part %A, %n : tensor<?x?xf64, #ta.format<[CU, S]>>
  return
}

// -----

func.func @claim_of_dense(%A: tensor<?x?xf64, #ta.format<[D, D]>>) {
  // expected-error @+1 {{'ta.part_claim' op expected a level CU or CN, found only dense ones}}
  %number = ta.part_claim %A : tensor<?x?xf64, #ta.format<[D, D]>>
  return
}

// -----

func.func @end_of_dense_parts(%A: tensor<?x?xf64, #ta.format<[D, D]>>) {
  // expected-error @+1 {{'ta.parts_end' op expected a level CU or CN, found only dense ones}}
  ta.parts_end %A : tensor<?x?xf64, #ta.format<[D, D]>>
  return
}

// -----

func.func @points_of_no_reduction(%A: tensor<?x?xf64, #ta.format<[CU, CU]>>) {
  // expected-error @+1 {{'ta.points_begin' op expected a reduction, found "sub"}}
  ta.points_begin %A "sub" "list" : tensor<?x?xf64, #ta.format<[CU, CU]>>
  return
}

// -----

func.func @points_in_a_heap(%A: tensor<?x?xf64, #ta.format<[CU, CU]>>) {
  // expected-error @+1 {{'ta.points_begin' op expected a `list`, a `sequence` or a `hash` table of points, found "heap"}}
  ta.points_begin %A "add" "heap" : tensor<?x?xf64, #ta.format<[CU, CU]>>
  return
}

// -----

func.func @insert_in_a_row(%A: tensor<?x?xf64, #ta.format<[CU, CU]>>, %i: index, %value: f64) {
  // expected-error @+1 {{'ta.insert' op expected 2 coordinates, found 1}}
  ta.insert %value to %A[%i] : f64, tensor<?x?xf64, #ta.format<[CU, CU]>>
  return
}

// -----

func.func @insert_an_integer(%x: tensor<?xf64, #ta.format<[CU]>>, %i: index, %value: i64) {
  // expected-error @+1 {{'ta.insert' op expected a value of type 'f64', found 'i64'}}
  ta.insert %value to %x[%i] : i64, tensor<?xf64, #ta.format<[CU]>>
  return
}

// -----

func.func @gemm_of_integers(%A: tensor<?x?xi64>, %B: tensor<?x?xi64>, %C: tensor<?x?xi64>) {
  // expected-error @+1 {{'ta.gemm' op expected elements of type f32 or f64, found 'i64'}}
  ta.gemm ins(%A, %B : tensor<?x?xi64>, tensor<?x?xi64>) outs(%C : tensor<?x?xi64>) {
    alpha = 1 : i64, beta = 0.0 : f64, indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>]}
  return
}

// -----

func.func @gemm_element(%A: tensor<?x?xf32>, %B: tensor<?x?xf64>, %C: tensor<?x?xf64>) {
  // expected-error @+1 {{'ta.gemm' op expected inputs with elements of type 'f64', found 'f32'}}
  ta.gemm ins(%A, %B : tensor<?x?xf32>, tensor<?x?xf64>) outs(%C : tensor<?x?xf64>) {
    alpha = 1.0 : f64, beta = 0.0 : f64, indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>]}
  return
}

// -----

func.func @gemm_alias(%A: tensor<?x?xf64>, %B: tensor<?x?xf64>) {
  // expected-error @+1 {{'ta.gemm' op expected an output that is none of the inputs, which are read while it is written}}
  ta.gemm ins(%A, %B : tensor<?x?xf64>, tensor<?x?xf64>) outs(%A : tensor<?x?xf64>) {
    alpha = 1.0 : f64, beta = 0.0 : f64, indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>]}
  return
}

// -----

func.func @gemm_alpha(%A: tensor<?x?xf64>, %B: tensor<?x?xf64>, %C: tensor<?x?xf64>) {
  // expected-error @+1 {{'ta.gemm' op expected an alpha of type 'f64', found 'f32'}}
  ta.gemm ins(%A, %B : tensor<?x?xf64>, tensor<?x?xf64>) outs(%C : tensor<?x?xf64>) {
    alpha = 1.0 : f32, beta = 0.0 : f64, indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>]}
  return
}

// -----

func.func @gemm_beta(%A: tensor<?x?xf64>, %B: tensor<?x?xf64>, %C: tensor<?x?xf64>) {
  // expected-error @+1 {{'ta.gemm' op expected a beta of 0 or 1, found 2.000000e+00 : f64}}
  ta.gemm ins(%A, %B : tensor<?x?xf64>, tensor<?x?xf64>) outs(%C : tensor<?x?xf64>) {
    alpha = 1.0 : f64, beta = 2.0 : f64, indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>]}
  return
}

// -----

func.func @gemm_map_count(%A: tensor<?x?xf64>, %B: tensor<?x?xf64>, %C: tensor<?x?xf64>) {
  // expected-error @+1 {{'ta.gemm' op expected one indexing map for each of the 3 tensors, found 2}}
  ta.gemm ins(%A, %B : tensor<?x?xf64>, tensor<?x?xf64>) outs(%C : tensor<?x?xf64>) {
    alpha = 1.0 : f64, beta = 0.0 : f64, indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>]}
  return
}

// -----

func.func @gemm_map_rank(%A: tensor<?x?x?xf64>, %B: tensor<?x?xf64>, %C: tensor<?x?xf64>) {
  // expected-error @+1 {{'ta.gemm' op expected an indexing map with 3 results, found affine_map<(d0, d1, d2) -> (d0, d2)>}}
  ta.gemm ins(%A, %B : tensor<?x?x?xf64>, tensor<?x?xf64>) outs(%C : tensor<?x?xf64>) {
    alpha = 1.0 : f64, beta = 0.0 : f64, indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>]}
  return
}

// -----

func.func @gemm_diagonal(%A: tensor<?x?xf64>, %B: tensor<?x?xf64>, %C: tensor<?x?xf64>) {
  // expected-error @+1 {{'ta.gemm' op expected each dimension once in an indexing map, found affine_map<(d0, d1, d2) -> (d2, d2)>}}
  ta.gemm ins(%A, %B : tensor<?x?xf64>, tensor<?x?xf64>) outs(%C : tensor<?x?xf64>) {
    alpha = 1.0 : f64, beta = 0.0 : f64, indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>]}
  return
}

// -----

func.func @gemm_sparse(%A: tensor<?x?xf64, #ta.format<[D, CU]>>, %B: tensor<?x?xf64>, %C: tensor<?x?xf64>) {
  // expected-error @+1 {{'ta.gemm' op expected dense tensors whose levels are whole modes, found 'tensor<?x?xf64, #ta.format<[D, CU]>>'}}
  ta.gemm ins(%A, %B : tensor<?x?xf64, #ta.format<[D, CU]>>, tensor<?x?xf64>) outs(%C : tensor<?x?xf64>) {
    alpha = 1.0 : f64, beta = 0.0 : f64, indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>]}
  return
}

// -----

func.func @gemm_alone(%A: tensor<?x?xf64>, %B: tensor<?x?xf64>, %C: tensor<?x?xf64>) {
  // expected-error @+1 {{'ta.gemm' op expected every dimension in two indexing maps or three, d1 is not}}
  ta.gemm ins(%A, %B : tensor<?x?xf64>, tensor<?x?xf64>) outs(%C : tensor<?x?xf64>) {
    alpha = 1.0 : f64, beta = 0.0 : f64, indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d0)>, affine_map<(d0, d1, d2) -> (d0, d2)>]}
  return
}

// -----

func.func @gemm_order(%A: tensor<?x?x?xf64>, %B: tensor<?x?x?xf64>, %C: tensor<?x?xf64>) {
  // expected-error @+1 {{'ta.gemm' op expected the labels that only operands 0 and 1 have next to each other in both, in the same order}}
  ta.gemm ins(%A, %B : tensor<?x?x?xf64>, tensor<?x?x?xf64>) outs(%C : tensor<?x?xf64>) {
    alpha = 1.0 : f64, beta = 0.0 : f64, indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d3, d2, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1)>]}
  return
}

// -----

func.func @gemm_apart(%A: tensor<?x?x?xf64>, %B: tensor<?x?xf64>, %C: tensor<?x?x?xf64>) {
  // expected-error @+1 {{'ta.gemm' op expected the labels that only operands 0 and 2 have next to each other in both, in the same order}}
  ta.gemm ins(%A, %B : tensor<?x?x?xf64>, tensor<?x?xf64>) outs(%C : tensor<?x?x?xf64>) {
    alpha = 1.0 : f64, beta = 0.0 : f64, indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d3, d1)>, affine_map<(d0, d1, d2, d3) -> (d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>]}
  return
}

// -----

func.func @mask_of_a_value(%0: !ta.labeled<f64>) {
  // expected-error @+1 {{'ta.mask' op expected a tensor under labels as the mask}}
  %1 = ta.mask %0 by %0 : !ta.labeled<f64> by !ta.labeled<f64>
  return
}

// -----

func.func @mask_pulled_from_nothing(%0: !ta.labeled<f64>, %M: tensor<?xf64>, %i: !ta.range) {
  %m = ta.labeled_tensor %M[%i] : tensor<?xf64> -> !ta.labeled<f64>
  // expected-error @+1 {{'ta.mask' op expected `pull` without `complement`: the points that a mask lacks are not visited one by one}}
  %1 = ta.mask %0 by %m {complement, pull} : !ta.labeled<f64> by !ta.labeled<f64>
  return
}

// -----

func.func @launch_without_a_result(%alpha: f64) {
  // expected-error @+1 {{'ta.launch' op expected the tensor that is computed as the first argument}}
  ta.launch 0 on %alpha : f64
  return
}

// -----

func.func @launch_of_no_piece(%y: tensor<?xf64>) {
  // expected-error @+1 {{'ta.launch' op expected the number of a piece, found -1}}
  ta.launch -1 on %y : tensor<?xf64>
  return
}

// -----

func.func @reorder_by_chance(%x: tensor<?xf64>) {
  // expected-error @+1 {{'ta.reorder' op expected the method "lexi", "rcm", "degree", "graph" or "auto", found "chance"}}
  %p = ta.reorder %x by "chance" : tensor<?xf64> -> !ta.permutation
  return
}

// -----

func.func @reorder_without_rounds(%x: tensor<?xf64>) {
  // expected-error @+1 {{'ta.reorder' op expected iterations with the method "lexi", and with no other}}
  %p = ta.reorder %x by "lexi" : tensor<?xf64> -> !ta.permutation
  return
}

// -----

func.func @reorder_one_mode(%A: tensor<?x?xf64, #ta.format<[D, CU]>>) {
  // expected-error @+1 {{'ta.reorder' op expected a permutation for each of the 2 modes, found 1}}
  %p = ta.reorder %A by "rcm" : tensor<?x?xf64, #ta.format<[D, CU]>> -> !ta.permutation
  return
}

// -----

func.func @permute_twice(%A: tensor<?x?xf64, #ta.format<[D, CU]>>, %p: !ta.permutation) {
  // expected-error @+1 {{'ta.permute' op expected some of the 2 modes in ascending order}}
  ta.permute %A to %A modes [1, 1] by [%p, %p] : tensor<?x?xf64, #ta.format<[D, CU]>>
  return
}

// -----

func.func @permute_another_mode(%A: tensor<?x?xf64, #ta.format<[D, CU]>>, %p: !ta.permutation) {
  // expected-error @+1 {{'ta.permute' op expected some of the 2 modes in ascending order}}
  ta.permute %A to %A modes [2] by [%p] : tensor<?x?xf64, #ta.format<[D, CU]>>
  return
}

// -----

func.func @permute_by_too_few(%A: tensor<?x?xf64, #ta.format<[D, CU]>>, %p: !ta.permutation) {
  // expected-error @+1 {{'ta.permute' op expected a permutation for each of 2 modes, found 1}}
  ta.permute %A to %A modes [0, 1] by [%p] : tensor<?x?xf64, #ta.format<[D, CU]>>
  return
}
