// Every message of the verifiers of sam's declarations and blocks.

// RUN: %comet-opt %s -verify-diagnostics -split-input-file

func.func @operand(%b: tensor<?x?xf64, #ta.format<[d1 : D, d0 : CU]>>) {
  // expected-error @+1 {{'sam.operand' op expected a result of type '!sam.tensor<[dense 1, compressed 0], f64>', found '!sam.tensor<[dense 0, compressed 1], f64>'}}
  %B = sam.operand "B" of %b : tensor<?x?xf64, #ta.format<[d1 : D, d0 : CU]>> -> !sam.tensor<[dense 0, compressed 1], f64>
  return
}

// -----

func.func @operand_singleton(%b: tensor<?x?xf64, #ta.format<[CN, S]>>) {
  // expected-error @+1 {{'sam.operand' op expected a tensor whose levels are D, CU or BV and store coordinates, found 'tensor<?x?xf64, #ta.format<[CN, S]>>'}}
  %B = sam.operand "B" of %b : tensor<?x?xf64, #ta.format<[CN, S]>> -> !sam.tensor<[dense 0, compressed 1], f64>
  return
}

// -----

func.func @operand_slot(%b: tensor<?x?xf64, #ta.format<[d0 : D, slot : D, d1 : S]>>) {
  // expected-error @+1 {{'sam.operand' op expected a tensor whose levels are D, CU or BV and store coordinates, found 'tensor<?x?xf64, #ta.format<[d0 : D, slot : D, d1 : S]>>'}}
  %B = sam.operand "B" of %b : tensor<?x?xf64, #ta.format<[d0 : D, slot : D, d1 : S]>> -> !sam.tensor<[dense 0, compressed 1], f64>
  return
}

// -----

func.func @operand_blocks(%b: tensor<?xf64, #ta.format<[d0 floordiv 4 : D, d0 mod 4 : D]>>) {
  // expected-error @+1 {{'sam.operand' op expected a result of type '!sam.tensor<[dense 0, dense 1], f64>', found '!sam.tensor<[dense 0, compressed 1], f64>'}}
  %B = sam.operand "B" of %b : tensor<?xf64, #ta.format<[d0 floordiv 4 : D, d0 mod 4 : D]>> -> !sam.tensor<[dense 0, compressed 1], f64>
  return
}

// -----

func.func @operand_name(%b: tensor<?xf64>) {
  // expected-error @+1 {{'sam.operand' op attribute 'name' failed to satisfy constraint: string attribute that is not empty}}
  %B = sam.operand "" of %b : tensor<?xf64> -> !sam.tensor<[dense 0], f64>
  return
}

// -----

func.func @scalar(%a: f64) {
  // expected-error @+1 {{'sam.scalar' op expected a result of type '!sam.tensor<[], f64>', found '!sam.tensor<[], f32>'}}
  %A = sam.scalar "a" of %a : f64 -> !sam.tensor<[], f32>
  return
}

// -----

func.func @universe(%n: index) {
  // expected-error @+1 {{'sam.universe' op expected a result of type '!sam.tensor<[dense 0], f64>', found '!sam.tensor<[compressed 0], f64>'}}
  %A = sam.universe "all" size %n : !sam.tensor<[compressed 0], f64>
  return
}

// -----

func.func @result(%x: tensor<?xf64>) {
  // expected-error @+1 {{'sam.result' op expected a result of type '!sam.tensor<[dense 0], f64>', found '!sam.tensor<[compressed 0], f64>'}}
  %X = sam.result "x" of %x : tensor<?xf64> -> !sam.tensor<[compressed 0], f64>
  return
}

// -----

func.func @result_levels(%x: tensor<?x?xf64, #ta.format<[CN, S]>>) {
  // expected-error @+1 {{'sam.result' op expected a tensor whose levels are D, CU or BV and store coordinates, found 'tensor<?x?xf64, #ta.format<[CN, S]>>'}}
  %X = sam.result "x" of %x : tensor<?x?xf64, #ta.format<[CN, S]>> -> !sam.tensor<[dense 0, compressed 1], f64>
  return
}

// -----

func.func @scan_level(%B: !sam.tensor<[dense 0, compressed 1], f64>, %r: !sam.ref<1>) {
  // expected-error @+1 {{'sam.scan' op expected a level below 2, found 2}}
  %j, %s = sam.scan "j" of %B level 2 at %r : !sam.tensor<[dense 0, compressed 1], f64>, !sam.ref<1> -> !sam.crd<2>, !sam.ref<2>
  return
}

// -----

func.func @scan_root(%B: !sam.tensor<[dense 0, compressed 1], f64>) {
  // expected-error @+1 {{'sam.scan' op expected references to the fibers of level 1, which is not the first one}}
  %j, %s = sam.scan "j" of %B level 1 : !sam.tensor<[dense 0, compressed 1], f64> -> !sam.crd<1>, !sam.ref<1>
  return
}

// -----

func.func @scan_coordinates(%B: !sam.tensor<[dense 0, compressed 1], f64>, %r: !sam.ref<1>) {
  // expected-error @+1 {{'sam.scan' op expected coordinates of type '!sam.crd<2>', found '!sam.crd<1>'}}
  %j, %s = sam.scan "j" of %B level 1 at %r : !sam.tensor<[dense 0, compressed 1], f64>, !sam.ref<1> -> !sam.crd<1>, !sam.ref<2>
  return
}

// -----

func.func @scan_bits(%B: !sam.tensor<[bv<32> 0], f64>) {
  // expected-error @+1 {{'sam.scan' op expected coordinates of type '!sam.bv<32, 1>', found '!sam.crd<1>'}}
  %j, %s = sam.scan "j" of %B level 0 : !sam.tensor<[bv<32> 0], f64> -> !sam.crd<1>, !sam.ref<1>
  return
}

// -----

func.func @scan_references(%B: !sam.tensor<[dense 0, compressed 1], f64>, %r: !sam.ref<1>) {
  // expected-error @+1 {{'sam.scan' op expected references to come out of type '!sam.ref<2>', found '!sam.ref<1>'}}
  %j, %s = sam.scan "j" of %B level 1 at %r : !sam.tensor<[dense 0, compressed 1], f64>, !sam.ref<1> -> !sam.crd<2>, !sam.ref<1>
  return
}

// -----

func.func @intersect_nothing() {
  // expected-error @+1 {{'sam.intersect' op expected coordinates and what comes with them of each operand, found 0 streams}}
  %k = "sam.intersect"() <{index = "i", names = []}> : () -> !sam.crd<1>
  return
}

// -----

func.func @union_pairs(%i: !sam.crd<1>, %r: !sam.ref<1>) {
  // expected-error @+1 {{'sam.union' op expected coordinates and what comes with them of each operand, found 5 streams}}
  %k, %s, %t = "sam.union"(%i, %i, %r, %r, %r) <{index = "i", names = ["b", "c"]}> : (!sam.crd<1>, !sam.crd<1>, !sam.ref<1>, !sam.ref<1>, !sam.ref<1>) -> (!sam.crd<1>, !sam.ref<1>, !sam.ref<1>)
  return
}

// -----

func.func @intersect_names(%i: !sam.crd<1>, %r: !sam.ref<1>) {
  // expected-error @+1 {{'sam.intersect' op expected a name for each of the 2 operands, found 1}}
  %k, %s, %t = sam.intersect "i" ["b"] %i, %i with %r, %r : (!sam.crd<1>, !sam.crd<1>, !sam.ref<1>, !sam.ref<1>) -> (!sam.crd<1>, !sam.ref<1>, !sam.ref<1>)
  return
}

// -----

func.func @intersect_results(%i: !sam.crd<1>, %r: !sam.ref<1>) {
  // expected-error @+1 {{'sam.intersect' op expected a stream to come out for each of the 2 operands, found 1}}
  %k, %s = sam.intersect "i" ["b", "c"] %i, %i with %r, %r : (!sam.crd<1>, !sam.crd<1>, !sam.ref<1>, !sam.ref<1>) -> (!sam.crd<1>, !sam.ref<1>)
  return
}

// -----

func.func @union_coordinates(%i: !sam.crd<1>, %j: !sam.crd<2>, %r: !sam.ref<1>) {
  // expected-error @+1 {{'sam.union' op expected coordinates of operand 1 of type '!sam.crd<1>', found '!sam.crd<2>'}}
  %k, %s, %t = sam.union "i" ["b", "c"] %i, %j with %r, %r : (!sam.crd<1>, !sam.crd<2>, !sam.ref<1>, !sam.ref<1>) -> (!sam.crd<1>, !sam.ref<1>, !sam.ref<1>)
  return
}

// -----

func.func @intersect_carried(%i: !sam.crd<1>, %r: !sam.ref<1>, %v: !sam.val<f64, 2>) {
  // expected-error @+1 {{'sam.intersect' op expected what comes with them in operand 1 of type '!sam.val<f64, 1>', found '!sam.val<f64, 2>'}}
  %k, %s, %t = sam.intersect "i" ["b", "c"] %i, %i with %r, %v : (!sam.crd<1>, !sam.crd<1>, !sam.ref<1>, !sam.val<f64, 2>) -> (!sam.crd<1>, !sam.ref<1>, !sam.val<f64, 2>)
  return
}

// -----

func.func @intersect_passed(%i: !sam.crd<1>, %r: !sam.ref<1>) {
  // expected-error @+1 {{'sam.intersect' op expected what comes out of operand 0 of type '!sam.ref<1>', found '!sam.ref<2>'}}
  %k, %s, %t = sam.intersect "i" ["b", "c"] %i, %i with %r, %r : (!sam.crd<1>, !sam.crd<1>, !sam.ref<1>, !sam.ref<1>) -> (!sam.crd<1>, !sam.ref<2>, !sam.ref<1>)
  return
}

// -----

func.func @repeat_signal(%i: !sam.crd<1>) {
  // expected-error @+1 {{'sam.repeat_signal' op expected signals of type '!sam.repsig<1>', found '!sam.repsig<2>'}}
  %s = sam.repeat_signal "i" %i : !sam.crd<1> -> !sam.repsig<2>
  return
}

// -----

func.func @repeat_root(%c: !sam.tensor<[compressed 0], f64>, %s: !sam.repsig<2>) {
  // expected-error @+1 {{'sam.repeat' op expected signals of type '!sam.repsig<1>', found '!sam.repsig<2>'}}
  %r = sam.repeat "i" "c" %c by %s : !sam.tensor<[compressed 0], f64>, !sam.repsig<2> -> !sam.ref<2>
  return
}

// -----

func.func @repeat_result(%v: !sam.val<f64, 1>, %s: !sam.repsig<2>) {
  // expected-error @+1 {{'sam.repeat' op expected what is repeated to come out of type '!sam.val<f64, 2>', found '!sam.ref<2>'}}
  %r = sam.repeat "i" "sum" %v by %s : !sam.val<f64, 1>, !sam.repsig<2> -> !sam.ref<2>
  return
}

// -----

func.func @locate_level(%B: !sam.tensor<[compressed 0], f64>, %i: !sam.crd<1>) {
  // expected-error @+1 {{'sam.locate' op expected a level below 1, found 1}}
  %0, %r = sam.locate "i" %i in %B level 1 : !sam.crd<1>, !sam.tensor<[compressed 0], f64> -> !sam.ref<1>
  return
}

// -----

func.func @locate_root(%B: !sam.tensor<[dense 0, compressed 1], f64>, %j: !sam.crd<1>) {
  // expected-error @+1 {{'sam.locate' op expected references to the fibers of level 1, which is not the first one}}
  %0, %r = sam.locate "j" %j in %B level 1 : !sam.crd<1>, !sam.tensor<[dense 0, compressed 1], f64> -> !sam.ref<1>
  return
}

// -----

func.func @locate_references(%B: !sam.tensor<[dense 0, compressed 1], f64>, %j: !sam.crd<2>, %s: !sam.ref<1>) {
  // expected-error @+1 {{'sam.locate' op expected references of type '!sam.ref<2>', found '!sam.ref<1>'}}
  %0, %r = sam.locate "j" %j in %B level 1 at %s : !sam.crd<2>, !sam.tensor<[dense 0, compressed 1], f64>, !sam.ref<1> -> !sam.ref<2>
  return
}

// -----

func.func @locate_out(%B: !sam.tensor<[dense 0, compressed 1], f64>, %i: !sam.crd<1>) {
  // expected-error @+1 {{'sam.locate' op expected references to come out of type '!sam.ref<1>', found '!sam.ref<2>'}}
  %0, %r = sam.locate "i" %i in %B level 0 : !sam.crd<1>, !sam.tensor<[dense 0, compressed 1], f64> -> !sam.ref<2>
  return
}

// -----

func.func @array(%B: !sam.tensor<[dense 0, compressed 1], f64>, %r: !sam.ref<2>) {
  // expected-error @+1 {{'sam.array' op expected values of type '!sam.val<f64, 2>', found '!sam.val<f64, 1>'}}
  %v = sam.array %B at %r : !sam.tensor<[dense 0, compressed 1], f64>, !sam.ref<2> -> !sam.val<f64, 1>
  return
}

// -----

func.func @array_root(%B: !sam.tensor<[compressed 0], f64>) {
  // expected-error @+1 {{'sam.array' op expected references to the values of '!sam.tensor<[compressed 0], f64>', which is no scalar}}
  %v = sam.array %B : !sam.tensor<[compressed 0], f64> -> !sam.val<f64, 0>
  return
}

// -----

func.func @array_scalar(%a: !sam.tensor<[], f64>) {
  // expected-error @+1 {{'sam.array' op expected values of type '!sam.val<f64, 0>', found '!sam.val<f64, 1>'}}
  %v = sam.array %a : !sam.tensor<[], f64> -> !sam.val<f64, 1>
  return
}

// -----

func.func @mask(%v: !sam.val<f64, 2>, %m: !sam.val<i64, 1>) {
  // expected-error @+1 {{'sam.mask' op expected a mask of type '!sam.val<i64, 2>', found '!sam.val<i64, 1>'}}
  %w = sam.mask stored %v by %m : !sam.val<f64, 2> by !sam.val<i64, 1>
  return
}

// -----

func.func @neg(%v: !sam.val<f64, 1>) {
  // expected-error @+1 {{'sam.apply' op expected a result of type '!sam.val<f64, 1>', found '!sam.val<i64, 1>'}}
  %w = sam.apply neg %v : !sam.val<f64, 1> -> !sam.val<i64, 1>
  return
}

// -----

func.func @convert(%v: !sam.val<f64, 1>) {
  // expected-error @+1 {{'sam.apply' op expected a result of type '!sam.val<i64, 1>', found '!sam.val<i64, 2>'}}
  %w = sam.apply convert %v : !sam.val<f64, 1> -> !sam.val<i64, 2>
  return
}

// -----

func.func @reduce_absent(%v: !sam.val<f64, 2>) {
  // expected-error @+1 {{'sam.reduce' op expected the coordinates around where empty fibers become absent, and nowhere else}}
  %s = sam.reduce add %v empty absent : (!sam.val<f64, 2>) -> !sam.val<f64, 1>
  return
}

// -----

func.func @reduce_zero(%v: !sam.val<f64, 2>, %i: !sam.crd<1>) {
  // expected-error @+1 {{'sam.reduce' op expected the coordinates around where empty fibers become absent, and nowhere else}}
  %s = sam.reduce add %v empty zero around %i : (!sam.val<f64, 2>, !sam.crd<1>) -> !sam.val<f64, 1>
  return
}

// -----

func.func @reduce_depth(%v: !sam.val<f64, 0>) {
  // expected-error @+1 {{'sam.reduce' op expected values of a depth of 1 or more, found '!sam.val<f64, 0>'}}
  %s = sam.reduce add %v empty zero : (!sam.val<f64, 0>) -> !sam.val<f64, 0>
  return
}

// -----

func.func @reduce_absent_depth(%v: !sam.val<f64, 1>, %i: !sam.crd<1>) {
  // expected-error @+1 {{'sam.reduce' op expected values of a depth of 2 or more, found '!sam.val<f64, 1>'}}
  %s = sam.reduce add %v empty absent around %i : (!sam.val<f64, 1>, !sam.crd<1>) -> !sam.val<f64, 0>
  return
}

// -----

func.func @reduce_around(%v: !sam.val<f64, 2>, %j: !sam.crd<2>) {
  // expected-error @+1 {{'sam.reduce' op expected coordinates around of type '!sam.crd<1>', found '!sam.crd<2>'}}
  %s = sam.reduce add %v empty absent around %j : (!sam.val<f64, 2>, !sam.crd<2>) -> !sam.val<f64, 1>
  return
}

// -----

func.func @reduce_result(%v: !sam.val<f64, 2>) {
  // expected-error @+1 {{'sam.reduce' op expected a result of type '!sam.val<f64, 1>', found '!sam.val<f64, 2>'}}
  %s = sam.reduce add %v empty removed : (!sam.val<f64, 2>) -> !sam.val<f64, 2>
  return
}

// -----

func.func @accumulate_nothing(%v: !sam.val<f64, 2>) {
  // expected-error @+1 {{'sam.accumulate' op expected coordinates to come with each value and to go for each of its index variables, found 0 variables, 1 values, 0 that come and 0 that go}}
  %s = "sam.accumulate"(%v) <{reduction = 3 : i32, form = 0 : i32, indices = [], order = 0, empty = 1 : i32, operandSegmentSizes = array<i32: 0, 1>}> : (!sam.val<f64, 2>) -> !sam.val<f64, 1>
  return
}

// -----

func.func @accumulate_variables(%j: !sam.crd<2>, %v: !sam.val<f64, 2>) {
  // expected-error @+1 {{'sam.accumulate' op expected coordinates to come with each value and to go for each of its index variables, found 2 variables, 1 values, 1 that come and 1 that go}}
  %c, %s = sam.accumulate add levels ["j", "i"] order 2 %j with %v empty removed : (!sam.crd<2>, !sam.val<f64, 2>) -> (!sam.crd<1>, !sam.val<f64, 1>)
  return
}

// -----

func.func @accumulate_order(%j: !sam.crd<3>, %k: !sam.crd<2>, %v: !sam.val<f64, 3>) {
  // expected-error @+1 {{'sam.accumulate' op expected an order of 2, found 1}}
  %c, %d, %s = sam.accumulate add levels ["j", "k"] order 1 %j, %k with %v empty removed : (!sam.crd<3>, !sam.crd<2>, !sam.val<f64, 3>) -> (!sam.crd<2>, !sam.crd<1>, !sam.val<f64, 2>)
  return
}

// -----

func.func @accumulate_points_order(%j: !sam.crd<3>, %v: !sam.val<f64, 3>) {
  // expected-error @+1 {{'sam.accumulate' op expected an order of 1 to 1, found 0}}
  %c, %s = sam.accumulate add points ["j"] order 0 %j with %v empty removed : (!sam.crd<3>, !sam.val<f64, 3>) -> (!sam.crd<1>, !sam.val<f64, 1>)
  return
}

// -----

func.func @accumulate_depth(%j: !sam.crd<1>, %v: !sam.val<f64, 1>) {
  // expected-error @+1 {{'sam.accumulate' op expected values of a depth of 2 or more, found '!sam.val<f64, 1>'}}
  %c, %s = sam.accumulate add levels ["j"] order 1 %j with %v empty removed : (!sam.crd<1>, !sam.val<f64, 1>) -> (!sam.crd<1>, !sam.val<f64, 1>)
  return
}

// -----

func.func @accumulate_points_depth(%j: !sam.crd<1>, %v: !sam.val<f64, 1>) {
  // expected-error @+1 {{'sam.accumulate' op expected values of a depth of 2 or more, found '!sam.val<f64, 1>'}}
  %c, %d, %s = sam.accumulate add points ["j", "i"] order 1 %j, %j with %v empty removed : (!sam.crd<1>, !sam.crd<1>, !sam.val<f64, 1>) -> (!sam.crd<2>, !sam.crd<1>, !sam.val<f64, 2>)
  return
}

// -----

func.func @accumulate_coordinates(%j: !sam.crd<3>, %v: !sam.val<f64, 3>) {
  // expected-error @+1 {{'sam.accumulate' op expected coordinates 1 of type '!sam.crd<2>', found '!sam.crd<3>'}}
  %c, %d, %s = sam.accumulate add levels ["j", "i"] order 2 %j, %j with %v empty removed : (!sam.crd<3>, !sam.crd<3>, !sam.val<f64, 3>) -> (!sam.crd<2>, !sam.crd<1>, !sam.val<f64, 2>)
  return
}

// -----

func.func @accumulate_held(%j: !sam.crd<3>, %i: !sam.crd<1>, %v: !sam.val<f64, 3>) {
  // expected-error @+1 {{'sam.accumulate' op expected coordinates 1 of type '!sam.crd<3>', found '!sam.crd<1>'}}
  %c, %d, %s = sam.accumulate add points ["j", "i"] order 1 %j, %i with %v empty removed : (!sam.crd<3>, !sam.crd<1>, !sam.val<f64, 3>) -> (!sam.crd<2>, !sam.crd<1>, !sam.val<f64, 2>)
  return
}

// -----

func.func @accumulate_out(%j: !sam.crd<3>, %v: !sam.val<f64, 3>) {
  // expected-error @+1 {{'sam.accumulate' op expected coordinates 0 to come out of type '!sam.crd<2>', found '!sam.crd<3>'}}
  %c, %s = sam.accumulate add levels ["j"] order 1 %j with %v empty removed : (!sam.crd<3>, !sam.val<f64, 3>) -> (!sam.crd<3>, !sam.val<f64, 2>)
  return
}

// -----

func.func @accumulate_result(%j: !sam.crd<3>, %v: !sam.val<f64, 3>) {
  // expected-error @+1 {{'sam.accumulate' op expected a result of type '!sam.val<f64, 2>', found '!sam.val<f64, 3>'}}
  %c, %s = sam.accumulate add levels ["j"] order 1 %j with %v empty removed : (!sam.crd<3>, !sam.val<f64, 3>) -> (!sam.crd<2>, !sam.val<f64, 3>)
  return
}

// -----

func.func @drop_depth(%i: !sam.crd<1>, %j: !sam.crd<3>) {
  // expected-error @+1 {{'sam.drop' op expected inner coordinates of type '!sam.crd<2>', found '!sam.crd<3>'}}
  %c, %d = sam.drop fibers "i" "j" %i, %j : !sam.crd<1>, !sam.crd<3>
  return
}

// -----

func.func @drop_fibers(%i: !sam.crd<1>, %v: !sam.val<f64, 2>) {
  // expected-error @+1 {{'sam.drop' op expected inner coordinates of type '!sam.crd<2>', found '!sam.val<f64, 2>'}}
  %c, %d = sam.drop fibers "i" "value" %i, %v : !sam.crd<1>, !sam.val<f64, 2>
  return
}

// -----

func.func @drop_values(%i: !sam.crd<1>, %j: !sam.crd<2>) {
  // expected-error @+1 {{'sam.drop' op expected values as the inner stream, found '!sam.crd<2>'}}
  %c, %d = sam.drop zeros "i" "value" %i, %j : !sam.crd<1>, !sam.crd<2>
  return
}

// -----

func.func @drop_values_depth(%i: !sam.crd<1>, %v: !sam.val<f64, 2>) {
  // expected-error @+1 {{'sam.drop' op expected values of type '!sam.val<f64, 1>', found '!sam.val<f64, 2>'}}
  %c, %d = sam.drop absent "i" "value" %i, %v : !sam.crd<1>, !sam.val<f64, 2>
  return
}

// -----

func.func @hold(%i: !sam.crd<1>, %j: !sam.crd<3>) {
  // expected-error @+1 {{'sam.hold' op expected inner coordinates of type '!sam.crd<2>', found '!sam.crd<3>'}}
  %c, %d = sam.hold "i" "j" %i, %j : !sam.crd<1>, !sam.crd<3>
  return
}

// -----

func.func @write_level(%i: !sam.crd<1>, %X: !sam.tensor<[compressed 0], f64>) {
  // expected-error @+1 {{'sam.write_level' op expected a level below 1, found 1}}
  sam.write_level "i" %i to %X level 1 : !sam.crd<1>, !sam.tensor<[compressed 0], f64>
  return
}

// -----

func.func @write_bits(%i: !sam.crd<1>, %X: !sam.tensor<[bv<32> 0], f64>) {
  // expected-error @+1 {{'sam.write_level' op expected coordinates of type '!sam.bv<32, 1>', found '!sam.crd<1>'}}
  sam.write_level "i" %i to %X level 0 : !sam.crd<1>, !sam.tensor<[bv<32> 0], f64>
  return
}

// -----

func.func @write_single(%i: !sam.crd<1>, %X: !sam.tensor<[compressed 0], f64>) {
  // expected-error @+1 {{'sam.write_level' op expected a level above, whose index variable is repeated}}
  sam.write_level "i" %i to %X level 0 single : !sam.crd<1>, !sam.tensor<[compressed 0], f64>
  return
}

// -----

func.func @write_values(%v: !sam.val<i64, 1>, %X: !sam.tensor<[compressed 0], f64>) {
  // expected-error @+1 {{'sam.write_values' op expected values of type '!sam.val<f64, 1>', found '!sam.val<i64, 1>'}}
  sam.write_values %v to %X fill add : !sam.val<i64, 1>, !sam.tensor<[compressed 0], f64>
  return
}

// -----

func.func @kept(%v: !sam.val<f64, 1>, %X: !sam.tensor<[compressed 0], f64>) {
  // expected-error @+1 {{'sam.write_values' op expected places to write to where the other elements are kept}}
  sam.write_values %v to %X fill add kept : !sam.val<f64, 1>, !sam.tensor<[compressed 0], f64>
  return
}

// -----

func.func @scatter_levels(%v: !sam.val<f64, 1>, %X: !sam.tensor<[compressed 0], f64>, %r: !sam.ref<1>) {
  // expected-error @+1 {{'sam.write_values' op expected dense levels to scatter into, found '!sam.tensor<[compressed 0], f64>'}}
  sam.write_values %v to %X fill add at %r : !sam.val<f64, 1>, !sam.tensor<[compressed 0], f64>, !sam.ref<1>
  return
}

// -----

func.func @scatter_references(%v: !sam.val<f64, 1>, %X: !sam.tensor<[dense 0], f64>, %r: !sam.ref<2>) {
  // expected-error @+1 {{'sam.write_values' op expected references of type '!sam.ref<1>', found '!sam.ref<2>'}}
  sam.write_values %v to %X fill add at %r : !sam.val<f64, 1>, !sam.tensor<[dense 0], f64>, !sam.ref<2>
  return
}

// -----

func.func @lanes(%i: !sam.crd<1>) {
  // expected-error @+1 {{'sam.repeat_signal' op attribute 'lanes' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive}}
  %s = sam.repeat_signal "i" %i lanes 0 : !sam.crd<1> -> !sam.repsig<1>
  return
}

// -----

func.func @scan_skip(%b: !sam.tensor<[bv<32> 0], f64>) {
  // expected-error @+1 {{'sam.scan' op expected coordinates to leave out, found words of bits}}
  %w, %r = sam.scan "i" of %b level 0 skip : !sam.tensor<[bv<32> 0], f64> -> !sam.bv<32, 1>, !sam.ref<1>
  return
}

// -----

func.func @join_words(%w: !sam.bv<32, 1>, %x: !sam.bv<64, 1>, %r: !sam.ref<1>) {
  // expected-error @+1 {{'sam.intersect' op expected coordinates of operand 1 of type '!sam.bv<32, 1>', found '!sam.bv<64, 1>'}}
  %0, %1, %2 = sam.intersect "i" ["b", "c"] %w, %x with %r, %r : (!sam.bv<32, 1>, !sam.bv<64, 1>, !sam.ref<1>, !sam.ref<1>) -> (!sam.crd<1>, !sam.ref<1>, !sam.ref<1>)
  return
}

// -----

func.func @join_words_and_coordinates(%w: !sam.bv<32, 1>, %i: !sam.crd<1>, %r: !sam.ref<1>) {
  // expected-error @+1 {{'sam.union' op expected coordinates of operand 1 of type '!sam.crd<1>', found '!sam.bv<32, 1>'}}
  %0, %1, %2 = sam.union "i" ["b", "c"] %i, %w with %r, %r : (!sam.crd<1>, !sam.bv<32, 1>, !sam.ref<1>, !sam.ref<1>) -> (!sam.crd<1>, !sam.ref<1>, !sam.ref<1>)
  return
}

// -----

func.func @join_words_depth(%w: !sam.bv<32, 1>, %r: !sam.ref<1>) {
  // expected-error @+1 {{'sam.intersect' op expected coordinates of operand 0 of type '!sam.bv<32, 2>', found '!sam.bv<32, 1>'}}
  %0, %1 = sam.intersect "i" ["b"] %w with %r : (!sam.bv<32, 1>, !sam.ref<1>) -> (!sam.crd<2>, !sam.ref<1>)
  return
}

// -----

func.func @join_words_values(%w: !sam.bv<32, 1>, %v: !sam.val<f64, 1>) {
  // expected-error @+1 {{'sam.intersect' op expected references with the words of operand 0, found '!sam.val<f64, 1>'}}
  %0, %1 = sam.intersect "i" ["b"] %w with %v : (!sam.bv<32, 1>, !sam.val<f64, 1>) -> (!sam.crd<1>, !sam.val<f64, 1>)
  return
}

// -----

func.func @join_words_skip(%w: !sam.bv<32, 1>, %r: !sam.ref<1>) {
  // expected-error @+1 {{'sam.intersect' op expected coordinates to skip, found words of bits}}
  %0, %1 = sam.intersect "i" ["b"] skip [0] %w with %r : (!sam.bv<32, 1>, !sam.ref<1>) -> (!sam.crd<1>, !sam.ref<1>)
  return
}

// -----

func.func @join_skip_number(%i: !sam.crd<1>, %r: !sam.ref<1>) {
  // expected-error @+1 {{'sam.intersect' op expected numbers of operands below 1 that ascend, found 1}}
  %0, %1 = sam.intersect "i" ["b"] skip [1] %i with %r : (!sam.crd<1>, !sam.ref<1>) -> (!sam.crd<1>, !sam.ref<1>)
  return
}

// -----

func.func @join_skip_twice(%i: !sam.crd<1>, %r: !sam.ref<1>) {
  // expected-error @+1 {{'sam.intersect' op expected numbers of operands below 1 that ascend, found 0}}
  %0, %1 = sam.intersect "i" ["b"] skip [0, 0] %i with %r : (!sam.crd<1>, !sam.ref<1>) -> (!sam.crd<1>, !sam.ref<1>)
  return
}

// -----

func.func @to_words(%i: !sam.crd<1>) {
  // expected-error @+1 {{'sam.to_words' op expected words of type '!sam.bv<32, 1>', found '!sam.bv<32, 2>'}}
  %w = sam.to_words "i" %i : (!sam.crd<1>) -> !sam.bv<32, 2>
  return
}

// -----

func.func @to_words_references(%i: !sam.crd<1>, %r: !sam.ref<1>) {
  // expected-error @+1 {{'sam.to_words' op expected references to come out where they come in, and nowhere else}}
  %w = sam.to_words "i" %i with %r : (!sam.crd<1>, !sam.ref<1>) -> !sam.bv<32, 1>
  return
}

// -----

func.func @to_words_no_references(%i: !sam.crd<1>) {
  // expected-error @+1 {{'sam.to_words' op expected references to come out where they come in, and nowhere else}}
  %w, %r = sam.to_words "i" %i : (!sam.crd<1>) -> (!sam.bv<32, 1>, !sam.ref<1>)
  return
}

// -----

func.func @to_words_references_in(%i: !sam.crd<1>, %r: !sam.ref<2>) {
  // expected-error @+1 {{'sam.to_words' op expected references of type '!sam.ref<1>', found '!sam.ref<2>'}}
  %w, %s = sam.to_words "i" %i with %r : (!sam.crd<1>, !sam.ref<2>) -> (!sam.bv<32, 1>, !sam.ref<1>)
  return
}

// -----

func.func @to_words_references_out(%i: !sam.crd<1>, %r: !sam.ref<1>) {
  // expected-error @+1 {{'sam.to_words' op expected references to come out of type '!sam.ref<1>', found '!sam.ref<2>'}}
  %w, %s = sam.to_words "i" %i with %r : (!sam.crd<1>, !sam.ref<1>) -> (!sam.bv<32, 1>, !sam.ref<2>)
  return
}

// -----

func.func @parallelize_none(%i: !sam.crd<1>) {
  // expected-error @+1 {{'sam.parallelize' op expected a stream to come out, found none}}
  "sam.parallelize"(%i) {index = "i"} : (!sam.crd<1>) -> ()
  return
}

// -----

func.func @parallelize_root(%r: !sam.ref<0>) {
  // expected-error @+1 {{'sam.parallelize' op expected elements of fibers, found '!sam.ref<0>'}}
  %0 = sam.parallelize "i" %r : !sam.ref<0> -> !sam.ref<0>
  return
}

// -----

func.func @parallelize(%i: !sam.crd<1>) {
  // expected-error @+1 {{'sam.parallelize' op expected stream 1 to come out of type '!sam.crd<1>', found '!sam.crd<2>'}}
  %0, %1 = sam.parallelize "i" %i : !sam.crd<1> -> !sam.crd<1>, !sam.crd<2>
  return
}

// -----

func.func @serialize_none(%v: !sam.val<f64, 1>) {
  // expected-error @+1 {{'sam.serialize' op expected coordinates, found none}}
  %0 = "sam.serialize"(%v) {index = "i", operandSegmentSizes = array<i32: 0, 1>} : (!sam.val<f64, 1>) -> !sam.val<f64, 1>
  return
}

// -----

func.func @serialize_count(%i: !sam.crd<1>, %v: !sam.val<f64, 1>) {
  // expected-error @+1 {{'sam.serialize' op expected something carried for each of the 2 streams, found 1}}
  %0 = sam.serialize "i" %i, %i with %v : (!sam.crd<1>, !sam.crd<1>, !sam.val<f64, 1>) -> !sam.val<f64, 1>
  return
}

// -----

func.func @serialize_coordinates(%i: !sam.crd<1>, %j: !sam.crd<2>) {
  // expected-error @+1 {{'sam.serialize' op expected coordinates 1 of type '!sam.crd<1>', found '!sam.crd<2>'}}
  %0 = sam.serialize "i" %i, %j : (!sam.crd<1>, !sam.crd<2>) -> !sam.crd<1>
  return
}

// -----

func.func @serialize_result(%i: !sam.crd<1>) {
  // expected-error @+1 {{'sam.serialize' op expected a result of type '!sam.crd<1>', found '!sam.crd<2>'}}
  %0 = sam.serialize "i" %i, %i : (!sam.crd<1>, !sam.crd<1>) -> !sam.crd<2>
  return
}

// -----

func.func @serialize_depth(%j: !sam.crd<2>, %v: !sam.val<f64, 1>) {
  // expected-error @+1 {{'sam.serialize' op expected what is carried in fibers as deep as '!sam.crd<2>' or deeper, found '!sam.val<f64, 1>'}}
  %0 = sam.serialize "i" %j with %v : (!sam.crd<2>, !sam.val<f64, 1>) -> !sam.val<f64, 1>
  return
}

// -----

func.func @serialize_carried(%i: !sam.crd<1>, %v: !sam.val<f64, 1>, %w: !sam.val<f64, 2>) {
  // expected-error @+1 {{'sam.serialize' op expected what is carried in stream 1 of type '!sam.val<f64, 1>', found '!sam.val<f64, 2>'}}
  %0 = sam.serialize "i" %i, %i with %v, %w : (!sam.crd<1>, !sam.crd<1>, !sam.val<f64, 1>, !sam.val<f64, 2>) -> !sam.val<f64, 1>
  return
}

// -----

func.func @serialize_carried_result(%i: !sam.crd<1>, %v: !sam.val<f64, 1>) {
  // expected-error @+1 {{'sam.serialize' op expected a result of type '!sam.val<f64, 1>', found '!sam.crd<1>'}}
  %0 = sam.serialize "i" %i with %v : (!sam.crd<1>, !sam.val<f64, 1>) -> !sam.crd<1>
  return
}

// -----

func.func @fetch_level(%b: !sam.tensor<[compressed 0], f64>, %r: !sam.ref<1>) {
  // expected-error @+1 {{'sam.fetch' op expected a level below 1, found 1}}
  %0 = sam.fetch %b level 1 at %r : !sam.tensor<[compressed 0], f64>, !sam.ref<1>
  return
}

// -----

func.func @relu(%v: !sam.val<f64, 1>) {
  // expected-error @+1 {{'sam.apply' op expected a result of type '!sam.val<f64, 1>', found '!sam.val<f32, 1>'}}
  %0 = sam.apply relu %v : !sam.val<f64, 1> -> !sam.val<f32, 1>
  return
}

// -----

func.func @reduce_nothing(%i: !sam.crd<1>) {
  // expected-error @+1 {{'sam.reduce' op expected values, found none}}
  %0 = "sam.reduce"(%i) {reduction = 3 : i32, empty = 2 : i32, operandSegmentSizes = array<i32: 0, 1>} : (!sam.crd<1>) -> !sam.val<f64, 1>
  return
}

// -----

func.func @reduce_values(%v: !sam.val<f64, 1>, %w: !sam.val<f64, 2>) {
  // expected-error @+1 {{'sam.reduce' op expected values 1 of type '!sam.val<f64, 1>', found '!sam.val<f64, 2>'}}
  %0 = sam.reduce add %v, %w empty zero : (!sam.val<f64, 1>, !sam.val<f64, 2>) -> !sam.val<f64, 0>
  return
}

// -----

func.func @accumulate_values(%j: !sam.crd<2>, %v: !sam.val<f64, 2>, %w: !sam.val<i64, 2>) {
  // expected-error @+1 {{'sam.accumulate' op expected values 1 of type '!sam.val<f64, 2>', found '!sam.val<i64, 2>'}}
  %0, %1 = sam.accumulate add levels ["j"] order 1 %j, %j with %v, %w empty removed : (!sam.crd<2>, !sam.crd<2>, !sam.val<f64, 2>, !sam.val<i64, 2>) -> (!sam.crd<1>, !sam.val<f64, 1>)
  return
}

// -----

func.func @accumulate_no_values(%j: !sam.crd<2>) {
  // expected-error @+1 {{'sam.accumulate' op expected values, found none}}
  %0, %1 = "sam.accumulate"(%j) {reduction = 3 : i32, form = 0 : i32, indices = ["j"], order = 1, empty = 1 : i32, operandSegmentSizes = array<i32: 1, 0>} : (!sam.crd<2>) -> (!sam.crd<1>, !sam.val<f64, 1>)
  return
}

// -----

func.func @accumulate_second_coordinates(%j: !sam.crd<2>, %k: !sam.crd<1>, %v: !sam.val<f64, 2>) {
  // expected-error @+1 {{'sam.accumulate' op expected coordinates 1 of type '!sam.crd<2>', found '!sam.crd<1>'}}
  %0, %1 = sam.accumulate add levels ["j"] order 1 %j, %k with %v, %v empty removed : (!sam.crd<2>, !sam.crd<1>, !sam.val<f64, 2>, !sam.val<f64, 2>) -> (!sam.crd<1>, !sam.val<f64, 1>)
  return
}
