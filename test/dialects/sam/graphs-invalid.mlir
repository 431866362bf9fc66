// What only shows in a whole graph, as its verifier tells it.

// RUN: %comet-opt %s -verify-diagnostics -split-input-file

func.func @other(%x: tensor<?xf64, #ta.format<[CU]>>, %b: tensor<?xf64, #ta.format<[CU]>>) {
  sam.graph {
    %X = sam.result "x" of %x : tensor<?xf64, #ta.format<[CU]>> -> !sam.tensor<[compressed 0], f64>
    %B = sam.operand "b" of %b : tensor<?xf64, #ta.format<[CU]>> -> !sam.tensor<[compressed 0], f64>
    // expected-error @+1 {{'arith.constant' op expected a declaration or a block of the graph}}
    %c = arith.constant 1 : index
    %i, %r = sam.scan "i" of %B level 0 : !sam.tensor<[compressed 0], f64> -> !sam.crd<1>, !sam.ref<1>
    %v = sam.array %B at %r : !sam.tensor<[compressed 0], f64>, !sam.ref<1> -> !sam.val<f64, 1>
    sam.write_level "i" %i to %X level 0 : !sam.crd<1>, !sam.tensor<[compressed 0], f64>
    sam.write_values %v to %X fill add : !sam.val<f64, 1>, !sam.tensor<[compressed 0], f64>
  }
  return
}

// -----

func.func @no_result(%x: tensor<?xf64, #ta.format<[CU]>>, %b: tensor<?xf64, #ta.format<[CU]>>) {
  // expected-error @+1 {{'sam.graph' op expected one result, found 0}}
  sam.graph {
    %B = sam.operand "b" of %b : tensor<?xf64, #ta.format<[CU]>> -> !sam.tensor<[compressed 0], f64>
    %i, %r = sam.scan "i" of %B level 0 : !sam.tensor<[compressed 0], f64> -> !sam.crd<1>, !sam.ref<1>
    %v = sam.array %B at %r : !sam.tensor<[compressed 0], f64>, !sam.ref<1> -> !sam.val<f64, 1>
  }
  return
}

// -----

func.func @two_results(%x: tensor<?xf64, #ta.format<[CU]>>, %b: tensor<?xf64, #ta.format<[CU]>>) {
  // expected-error @+1 {{'sam.graph' op expected one result, found 2}}
  sam.graph {
    %X = sam.result "x" of %x : tensor<?xf64, #ta.format<[CU]>> -> !sam.tensor<[compressed 0], f64>
    %Y = sam.result "y" of %b : tensor<?xf64, #ta.format<[CU]>> -> !sam.tensor<[compressed 0], f64>
  }
  return
}

// -----

func.func @names(%x: tensor<?xf64, #ta.format<[CU]>>, %b: tensor<?xf64, #ta.format<[CU]>>) {
  sam.graph {
    %X = sam.result "x" of %x : tensor<?xf64, #ta.format<[CU]>> -> !sam.tensor<[compressed 0], f64>
    %B = sam.operand "b" of %b : tensor<?xf64, #ta.format<[CU]>> -> !sam.tensor<[compressed 0], f64>
    // expected-error @+1 {{'sam.operand' op expected a name of its own, found another tensor of the name "b"}}
    %C = sam.operand "b" of %x : tensor<?xf64, #ta.format<[CU]>> -> !sam.tensor<[compressed 0], f64>
    %i, %r = sam.scan "i" of %B level 0 : !sam.tensor<[compressed 0], f64> -> !sam.crd<1>, !sam.ref<1>
    %v = sam.array %B at %r : !sam.tensor<[compressed 0], f64>, !sam.ref<1> -> !sam.val<f64, 1>
    sam.write_level "i" %i to %X level 0 : !sam.crd<1>, !sam.tensor<[compressed 0], f64>
    sam.write_values %v to %X fill add : !sam.val<f64, 1>, !sam.tensor<[compressed 0], f64>
  }
  return
}

// -----

func.func @name_of_result(%x: tensor<?xf64, #ta.format<[CU]>>, %b: tensor<?xf64, #ta.format<[CU]>>) {
  sam.graph {
    %X = sam.result "x" of %x : tensor<?xf64, #ta.format<[CU]>> -> !sam.tensor<[compressed 0], f64>
    %B = sam.operand "b" of %b : tensor<?xf64, #ta.format<[CU]>> -> !sam.tensor<[compressed 0], f64>
    // expected-error @+1 {{'sam.operand' op expected a name of its own, found another tensor of the name "x"}}
    %C = sam.operand "x" of %x : tensor<?xf64, #ta.format<[CU]>> -> !sam.tensor<[compressed 0], f64>
    %i, %r = sam.scan "i" of %B level 0 : !sam.tensor<[compressed 0], f64> -> !sam.crd<1>, !sam.ref<1>
    %v = sam.array %B at %r : !sam.tensor<[compressed 0], f64>, !sam.ref<1> -> !sam.val<f64, 1>
    sam.write_level "i" %i to %X level 0 : !sam.crd<1>, !sam.tensor<[compressed 0], f64>
    sam.write_values %v to %X fill add : !sam.val<f64, 1>, !sam.tensor<[compressed 0], f64>
  }
  return
}

// -----

func.func @reads_result(%x: tensor<?xf64, #ta.format<[CU]>>, %b: tensor<?xf64, #ta.format<[CU]>>) {
  sam.graph {
    %X = sam.result "x" of %x : tensor<?xf64, #ta.format<[CU]>> -> !sam.tensor<[compressed 0], f64>
    %B = sam.operand "b" of %b : tensor<?xf64, #ta.format<[CU]>> -> !sam.tensor<[compressed 0], f64>
    %i, %r = sam.scan "i" of %B level 0 : !sam.tensor<[compressed 0], f64> -> !sam.crd<1>, !sam.ref<1>
    // expected-error @+1 {{'sam.array' op expected a tensor to read, found the result of its graph}}
    %v = sam.array %X at %r : !sam.tensor<[compressed 0], f64>, !sam.ref<1> -> !sam.val<f64, 1>
    sam.write_level "i" %i to %X level 0 : !sam.crd<1>, !sam.tensor<[compressed 0], f64>
    sam.write_values %v to %X fill add : !sam.val<f64, 1>, !sam.tensor<[compressed 0], f64>
  }
  return
}

// -----

func.func @writes_operand(%x: tensor<?xf64, #ta.format<[CU]>>, %b: tensor<?xf64, #ta.format<[CU]>>) {
  sam.graph {
    %X = sam.result "x" of %x : tensor<?xf64, #ta.format<[CU]>> -> !sam.tensor<[compressed 0], f64>
    %B = sam.operand "b" of %b : tensor<?xf64, #ta.format<[CU]>> -> !sam.tensor<[compressed 0], f64>
    %i, %r = sam.scan "i" of %B level 0 : !sam.tensor<[compressed 0], f64> -> !sam.crd<1>, !sam.ref<1>
    %v = sam.array %B at %r : !sam.tensor<[compressed 0], f64>, !sam.ref<1> -> !sam.val<f64, 1>
    // expected-error @+1 {{'sam.write_level' op expected to write the result of its graph}}
    sam.write_level "i" %i to %B level 0 : !sam.crd<1>, !sam.tensor<[compressed 0], f64>
    sam.write_values %v to %X fill add : !sam.val<f64, 1>, !sam.tensor<[compressed 0], f64>
  }
  return
}

// -----

func.func @writes_values_of_operand(%x: tensor<?xf64, #ta.format<[CU]>>, %b: tensor<?xf64, #ta.format<[CU]>>) {
  sam.graph {
    %X = sam.result "x" of %x : tensor<?xf64, #ta.format<[CU]>> -> !sam.tensor<[compressed 0], f64>
    %B = sam.operand "b" of %b : tensor<?xf64, #ta.format<[CU]>> -> !sam.tensor<[compressed 0], f64>
    %i, %r = sam.scan "i" of %B level 0 : !sam.tensor<[compressed 0], f64> -> !sam.crd<1>, !sam.ref<1>
    %v = sam.array %B at %r : !sam.tensor<[compressed 0], f64>, !sam.ref<1> -> !sam.val<f64, 1>
    sam.write_level "i" %i to %X level 0 : !sam.crd<1>, !sam.tensor<[compressed 0], f64>
    // expected-error @+1 {{'sam.write_values' op expected to write the result of its graph}}
    sam.write_values %v to %B fill add : !sam.val<f64, 1>, !sam.tensor<[compressed 0], f64>
  }
  return
}

// -----

func.func @level_not_written(%x: tensor<?xf64, #ta.format<[CU]>>, %b: tensor<?xf64, #ta.format<[CU]>>) {
  // expected-error @+1 {{'sam.graph' op expected one writer of level 0 of its result, found 0}}
  sam.graph {
    %X = sam.result "x" of %x : tensor<?xf64, #ta.format<[CU]>> -> !sam.tensor<[compressed 0], f64>
    %B = sam.operand "b" of %b : tensor<?xf64, #ta.format<[CU]>> -> !sam.tensor<[compressed 0], f64>
    %i, %r = sam.scan "i" of %B level 0 : !sam.tensor<[compressed 0], f64> -> !sam.crd<1>, !sam.ref<1>
    %v = sam.array %B at %r : !sam.tensor<[compressed 0], f64>, !sam.ref<1> -> !sam.val<f64, 1>
    sam.write_values %v to %X fill add : !sam.val<f64, 1>, !sam.tensor<[compressed 0], f64>
  }
  return
}

// -----

func.func @level_written_twice(%x: tensor<?xf64, #ta.format<[CU]>>, %b: tensor<?xf64, #ta.format<[CU]>>) {
  // expected-error @+1 {{'sam.graph' op expected one writer of level 0 of its result, found 2}}
  sam.graph {
    %X = sam.result "x" of %x : tensor<?xf64, #ta.format<[CU]>> -> !sam.tensor<[compressed 0], f64>
    %B = sam.operand "b" of %b : tensor<?xf64, #ta.format<[CU]>> -> !sam.tensor<[compressed 0], f64>
    %i, %r = sam.scan "i" of %B level 0 : !sam.tensor<[compressed 0], f64> -> !sam.crd<1>, !sam.ref<1>
    %v = sam.array %B at %r : !sam.tensor<[compressed 0], f64>, !sam.ref<1> -> !sam.val<f64, 1>
    sam.write_level "i" %i to %X level 0 : !sam.crd<1>, !sam.tensor<[compressed 0], f64>
    sam.write_level "i" %i to %X level 0 : !sam.crd<1>, !sam.tensor<[compressed 0], f64>
    sam.write_values %v to %X fill add : !sam.val<f64, 1>, !sam.tensor<[compressed 0], f64>
  }
  return
}

// -----

func.func @values_not_written(%x: tensor<?xf64, #ta.format<[CU]>>, %b: tensor<?xf64, #ta.format<[CU]>>) {
  // expected-error @+1 {{'sam.graph' op expected one writer of the values of its result, found 0}}
  sam.graph {
    %X = sam.result "x" of %x : tensor<?xf64, #ta.format<[CU]>> -> !sam.tensor<[compressed 0], f64>
    %B = sam.operand "b" of %b : tensor<?xf64, #ta.format<[CU]>> -> !sam.tensor<[compressed 0], f64>
    %i, %r = sam.scan "i" of %B level 0 : !sam.tensor<[compressed 0], f64> -> !sam.crd<1>, !sam.ref<1>
    %v = sam.array %B at %r : !sam.tensor<[compressed 0], f64>, !sam.ref<1> -> !sam.val<f64, 1>
    sam.write_level "i" %i to %X level 0 : !sam.crd<1>, !sam.tensor<[compressed 0], f64>
  }
  return
}

// -----

func.func @circle(%x: tensor<?xf64, #ta.format<[CU]>>, %b: tensor<?xf64, #ta.format<[CU]>>) {
  sam.graph {
    %X = sam.result "x" of %x : tensor<?xf64, #ta.format<[CU]>> -> !sam.tensor<[compressed 0], f64>
    %B = sam.operand "b" of %b : tensor<?xf64, #ta.format<[CU]>> -> !sam.tensor<[compressed 0], f64>
    %i, %r = sam.scan "i" of %B level 0 : !sam.tensor<[compressed 0], f64> -> !sam.crd<1>, !sam.ref<1>
    %v = sam.array %B at %r : !sam.tensor<[compressed 0], f64>, !sam.ref<1> -> !sam.val<f64, 1>
    sam.write_level "i" %i to %X level 0 : !sam.crd<1>, !sam.tensor<[compressed 0], f64>
    sam.write_values %v to %X fill add : !sam.val<f64, 1>, !sam.tensor<[compressed 0], f64>
    // expected-error @+1 {{'sam.repeat_signal' op expected streams that do not go round in a circle}}
    %s = sam.repeat_signal "i" %0 : !sam.crd<1> -> !sam.repsig<1>
    %q = sam.repeat "i" "b" %B by %s : !sam.tensor<[compressed 0], f64>, !sam.repsig<1> -> !sam.ref<1>
    %0, %1, %2 = sam.intersect "i" ["b", "b"] %i, %i with %r, %q : (!sam.crd<1>, !sam.crd<1>, !sam.ref<1>, !sam.ref<1>) -> (!sam.crd<1>, !sam.ref<1>, !sam.ref<1>)
  }
  return
}

// -----

func.func @tensor(%x: tensor<?xf64, #ta.format<[CU]>>, %b: tensor<?xf64, #ta.format<[CU]>>, %d: tensor<?x?xf64, #ta.format<[CU, CU]>>) {
  sam.graph {
    %X = sam.result "x" of %x : tensor<?xf64, #ta.format<[CU]>> -> !sam.tensor<[compressed 0], f64>
    %B = sam.operand "b" of %b : tensor<?xf64, #ta.format<[CU]>> -> !sam.tensor<[compressed 0], f64>
    %D = sam.operand "D" of %d : tensor<?x?xf64, #ta.format<[CU, CU]>> -> !sam.tensor<[compressed 0, compressed 1], f64>
    %i, %r = sam.scan "i" of %D level 0 : !sam.tensor<[compressed 0, compressed 1], f64> -> !sam.crd<1>, !sam.ref<1>
    // expected-error @+1 {{'sam.array' op expected references to the values of "b", found references to level 1 of "D"}}
    %v = sam.array %B at %r : !sam.tensor<[compressed 0], f64>, !sam.ref<1> -> !sam.val<f64, 1>
    sam.write_level "i" %i to %X level 0 : !sam.crd<1>, !sam.tensor<[compressed 0], f64>
    sam.write_values %v to %X fill add : !sam.val<f64, 1>, !sam.tensor<[compressed 0], f64>
  }
  return
}

// -----

func.func @level(%x: tensor<?xf64, #ta.format<[CU]>>, %b: tensor<?xf64, #ta.format<[CU]>>, %d: tensor<?x?xf64, #ta.format<[CU, CU]>>) {
  sam.graph {
    %X = sam.result "x" of %x : tensor<?xf64, #ta.format<[CU]>> -> !sam.tensor<[compressed 0], f64>
    %B = sam.operand "b" of %b : tensor<?xf64, #ta.format<[CU]>> -> !sam.tensor<[compressed 0], f64>
    %D = sam.operand "D" of %d : tensor<?x?xf64, #ta.format<[CU, CU]>> -> !sam.tensor<[compressed 0, compressed 1], f64>
    %i, %r = sam.scan "i" of %B level 0 : !sam.tensor<[compressed 0], f64> -> !sam.crd<1>, !sam.ref<1>
    %v = sam.array %B at %r : !sam.tensor<[compressed 0], f64>, !sam.ref<1> -> !sam.val<f64, 1>
    sam.write_level "i" %i to %X level 0 : !sam.crd<1>, !sam.tensor<[compressed 0], f64>
    sam.write_values %v to %X fill add : !sam.val<f64, 1>, !sam.tensor<[compressed 0], f64>
    %s = sam.repeat_signal "i" %i : !sam.crd<1> -> !sam.repsig<1>
    %q = sam.repeat "i" "D" %D by %s : !sam.tensor<[compressed 0, compressed 1], f64>, !sam.repsig<1> -> !sam.ref<1>
    // expected-error @+1 {{'sam.scan' op expected references to level 1 of "D", found references to level 0 of "D"}}
    %j, %t = sam.scan "j" of %D level 1 at %q : !sam.tensor<[compressed 0, compressed 1], f64>, !sam.ref<1> -> !sam.crd<2>, !sam.ref<2>
  }
  return
}

// -----

func.func @operand_of_joiner(%x: tensor<?xf64, #ta.format<[CU]>>, %b: tensor<?xf64, #ta.format<[CU]>>) {
  sam.graph {
    %X = sam.result "x" of %x : tensor<?xf64, #ta.format<[CU]>> -> !sam.tensor<[compressed 0], f64>
    %B = sam.operand "b" of %b : tensor<?xf64, #ta.format<[CU]>> -> !sam.tensor<[compressed 0], f64>
    %C = sam.operand "c" of %b : tensor<?xf64, #ta.format<[CU]>> -> !sam.tensor<[compressed 0], f64>
    %i, %r = sam.scan "i" of %B level 0 : !sam.tensor<[compressed 0], f64> -> !sam.crd<1>, !sam.ref<1>
    %k, %s = sam.scan "i" of %C level 0 : !sam.tensor<[compressed 0], f64> -> !sam.crd<1>, !sam.ref<1>
    %0, %1, %2 = sam.intersect "i" ["b", "c"] %i, %k with %r, %s : (!sam.crd<1>, !sam.crd<1>, !sam.ref<1>, !sam.ref<1>) -> (!sam.crd<1>, !sam.ref<1>, !sam.ref<1>)
    // expected-error @+1 {{'sam.array' op expected references to the values of "b", found references to the values of "c"}}
    %v = sam.array %B at %2 : !sam.tensor<[compressed 0], f64>, !sam.ref<1> -> !sam.val<f64, 1>
    sam.write_level "i" %0 to %X level 0 : !sam.crd<1>, !sam.tensor<[compressed 0], f64>
    sam.write_values %v to %X fill add : !sam.val<f64, 1>, !sam.tensor<[compressed 0], f64>
  }
  return
}

// -----

func.func @scattered_and_written(%x: tensor<?xf64>, %b: tensor<?xf64, #ta.format<[CU]>>) {
  // expected-error @+1 {{'sam.graph' op expected no writer of level 0 of its result, found 1}}
  sam.graph {
    %X = sam.result "x" of %x : tensor<?xf64> -> !sam.tensor<[dense 0], f64>
    %B = sam.operand "b" of %b : tensor<?xf64, #ta.format<[CU]>> -> !sam.tensor<[compressed 0], f64>
    %i, %r = sam.scan "i" of %B level 0 : !sam.tensor<[compressed 0], f64> -> !sam.crd<1>, !sam.ref<1>
    %v = sam.array %B at %r : !sam.tensor<[compressed 0], f64>, !sam.ref<1> -> !sam.val<f64, 1>
    sam.write_level "i" %i to %X level 0 : !sam.crd<1>, !sam.tensor<[dense 0], f64>
    %0, %p = sam.locate "i" %i in %X level 0 : !sam.crd<1>, !sam.tensor<[dense 0], f64> -> !sam.ref<1>
    sam.write_values %v to %X fill add at %p : !sam.val<f64, 1>, !sam.tensor<[dense 0], f64>, !sam.ref<1>
  }
  return
}

// -----

func.func @scattered_to_an_operand(%x: tensor<?xf64>, %b: tensor<?xf64, #ta.format<[CU]>>) {
  sam.graph {
    %X = sam.result "x" of %x : tensor<?xf64> -> !sam.tensor<[dense 0], f64>
    %B = sam.operand "b" of %b : tensor<?xf64, #ta.format<[CU]>> -> !sam.tensor<[compressed 0], f64>
    %i, %r = sam.scan "i" of %B level 0 : !sam.tensor<[compressed 0], f64> -> !sam.crd<1>, !sam.ref<1>
    %v = sam.array %B at %r : !sam.tensor<[compressed 0], f64>, !sam.ref<1> -> !sam.val<f64, 1>
    // expected-error @+1 {{'sam.write_values' op expected references to the values of "x", found references to the values of "b"}}
    sam.write_values %v to %X fill add at %r : !sam.val<f64, 1>, !sam.tensor<[dense 0], f64>, !sam.ref<1>
  }
  return
}

// -----

func.func @levels_not_nested(%x: tensor<?x?xf64, #ta.format<[CU, CU]>>, %b: tensor<?xf64, #ta.format<[CU]>>) {
  sam.graph {
    %X = sam.result "x" of %x : tensor<?x?xf64, #ta.format<[CU, CU]>> -> !sam.tensor<[compressed 0, compressed 1], f64>
    %B = sam.operand "b" of %b : tensor<?xf64, #ta.format<[CU]>> -> !sam.tensor<[compressed 0], f64>
    %i, %r = sam.scan "i" of %B level 0 : !sam.tensor<[compressed 0], f64> -> !sam.crd<1>, !sam.ref<1>
    %v = sam.array %B at %r : !sam.tensor<[compressed 0], f64>, !sam.ref<1> -> !sam.val<f64, 1>
    sam.write_level "i" %i to %X level 0 : !sam.crd<1>, !sam.tensor<[compressed 0, compressed 1], f64>
    // expected-error @+1 {{'sam.write_level' op expected coordinates of depth 2, found '!sam.crd<1>'}}
    sam.write_level "i" %i to %X level 1 : !sam.crd<1>, !sam.tensor<[compressed 0, compressed 1], f64>
    sam.write_values %v to %X fill add : !sam.val<f64, 1>, !sam.tensor<[compressed 0, compressed 1], f64>
  }
  return
}

// -----

func.func @values_not_nested(%x: tensor<?x?xf64, #ta.format<[CU, CU]>>, %b: tensor<?xf64, #ta.format<[CU]>>) {
  sam.graph {
    %X = sam.result "x" of %x : tensor<?x?xf64, #ta.format<[CU, CU]>> -> !sam.tensor<[compressed 0, compressed 1], f64>
    %B = sam.operand "b" of %b : tensor<?xf64, #ta.format<[CU]>> -> !sam.tensor<[compressed 0], f64>
    %i, %r = sam.scan "i" of %B level 0 : !sam.tensor<[compressed 0], f64> -> !sam.crd<1>, !sam.ref<1>
    %v = sam.array %B at %r : !sam.tensor<[compressed 0], f64>, !sam.ref<1> -> !sam.val<f64, 1>
    sam.write_level "i" %i to %X level 0 : !sam.crd<1>, !sam.tensor<[compressed 0, compressed 1], f64>
    sam.write_level "i" %i to %X level 1 single : !sam.crd<1>, !sam.tensor<[compressed 0, compressed 1], f64>
    %s = sam.repeat_signal "i" %i : !sam.crd<1> -> !sam.repsig<1>
    %q = sam.repeat "i" "b" %B by %s : !sam.tensor<[compressed 0], f64>, !sam.repsig<1> -> !sam.ref<1>
    %j, %t = sam.scan "j" of %B level 0 at %q : !sam.tensor<[compressed 0], f64>, !sam.ref<1> -> !sam.crd<2>, !sam.ref<2>
    %w = sam.array %B at %t : !sam.tensor<[compressed 0], f64>, !sam.ref<2> -> !sam.val<f64, 2>
    // expected-error @+1 {{'sam.write_values' op expected values of depth 1, found '!sam.val<f64, 2>'}}
    sam.write_values %w to %X fill add : !sam.val<f64, 2>, !sam.tensor<[compressed 0, compressed 1], f64>
  }
  return
}

// -----

func.func @located(%x: tensor<?xf64, #ta.format<[CU]>>, %b: tensor<?xf64, #ta.format<[CU]>>, %d: tensor<?x?xf64, #ta.format<[CU, CU]>>) {
  sam.graph {
    %X = sam.result "x" of %x : tensor<?xf64, #ta.format<[CU]>> -> !sam.tensor<[compressed 0], f64>
    %B = sam.operand "b" of %b : tensor<?xf64, #ta.format<[CU]>> -> !sam.tensor<[compressed 0], f64>
    %D = sam.operand "D" of %d : tensor<?x?xf64, #ta.format<[CU, CU]>> -> !sam.tensor<[compressed 0, compressed 1], f64>
    %i, %r = sam.scan "i" of %B level 0 : !sam.tensor<[compressed 0], f64> -> !sam.crd<1>, !sam.ref<1>
    %v = sam.array %B at %r : !sam.tensor<[compressed 0], f64>, !sam.ref<1> -> !sam.val<f64, 1>
    sam.write_level "i" %i to %X level 0 : !sam.crd<1>, !sam.tensor<[compressed 0], f64>
    sam.write_values %v to %X fill add : !sam.val<f64, 1>, !sam.tensor<[compressed 0], f64>
    %s = sam.repeat_signal "i" %i : !sam.crd<1> -> !sam.repsig<1>
    %q = sam.repeat "i" "D" %D by %s : !sam.tensor<[compressed 0, compressed 1], f64>, !sam.repsig<1> -> !sam.ref<1>
    // expected-error @+1 {{'sam.locate' op expected references to level 1 of "D", found references to level 0 of "D"}}
    %j, %t = sam.locate "i" %i in %D level 1 at %q : !sam.crd<1>, !sam.tensor<[compressed 0, compressed 1], f64>, !sam.ref<1> -> !sam.ref<1>
  }
  return
}

// -----

func.func @skips_what_does_not(%x: tensor<?xf64, #ta.format<[CU]>>, %b: tensor<?xf64, #ta.format<[CU]>>, %c: tensor<?xf64, #ta.format<[CU]>>) {
  sam.graph {
    %X = sam.result "x" of %x : tensor<?xf64, #ta.format<[CU]>> -> !sam.tensor<[compressed 0], f64>
    %B = sam.operand "b" of %b : tensor<?xf64, #ta.format<[CU]>> -> !sam.tensor<[compressed 0], f64>
    %C = sam.operand "c" of %c : tensor<?xf64, #ta.format<[CU]>> -> !sam.tensor<[compressed 0], f64>
    %i, %r = sam.scan "i" of %B level 0 skip : !sam.tensor<[compressed 0], f64> -> !sam.crd<1>, !sam.ref<1>
    %j, %s = sam.scan "i" of %C level 0 : !sam.tensor<[compressed 0], f64> -> !sam.crd<1>, !sam.ref<1>
    // expected-error @+1 {{'sam.intersect' op expected what operand 1 skips straight from a scanner that skips}}
    %k, %rb, %rc = sam.intersect "i" ["b", "c"] skip [0, 1] %i, %j with %r, %s : (!sam.crd<1>, !sam.crd<1>, !sam.ref<1>, !sam.ref<1>) -> (!sam.crd<1>, !sam.ref<1>, !sam.ref<1>)
    %0 = sam.array %B at %rb : !sam.tensor<[compressed 0], f64>, !sam.ref<1> -> !sam.val<f64, 1>
    sam.write_level "i" %k to %X level 0 : !sam.crd<1>, !sam.tensor<[compressed 0], f64>
    sam.write_values %0 to %X fill add : !sam.val<f64, 1>, !sam.tensor<[compressed 0], f64>
  }
  return
}

// -----

func.func @skips_other_references(%x: tensor<?xf64, #ta.format<[CU]>>, %b: tensor<?xf64, #ta.format<[CU]>>, %c: tensor<?xf64, #ta.format<[CU]>>) {
  sam.graph {
    %X = sam.result "x" of %x : tensor<?xf64, #ta.format<[CU]>> -> !sam.tensor<[compressed 0], f64>
    %B = sam.operand "b" of %b : tensor<?xf64, #ta.format<[CU]>> -> !sam.tensor<[compressed 0], f64>
    %C = sam.operand "c" of %c : tensor<?xf64, #ta.format<[CU]>> -> !sam.tensor<[compressed 0], f64>
    %i, %r = sam.scan "i" of %B level 0 skip : !sam.tensor<[compressed 0], f64> -> !sam.crd<1>, !sam.ref<1>
    %j, %s = sam.scan "i" of %C level 0 skip : !sam.tensor<[compressed 0], f64> -> !sam.crd<1>, !sam.ref<1>
    // expected-error @+1 {{'sam.intersect' op expected what operand 0 skips straight from a scanner that skips}}
    %k, %rb, %rc = sam.intersect "i" ["b", "c"] skip [0, 1] %i, %j with %s, %r : (!sam.crd<1>, !sam.crd<1>, !sam.ref<1>, !sam.ref<1>) -> (!sam.crd<1>, !sam.ref<1>, !sam.ref<1>)
    %0 = sam.array %B at %rb : !sam.tensor<[compressed 0], f64>, !sam.ref<1> -> !sam.val<f64, 1>
    sam.write_level "i" %k to %X level 0 : !sam.crd<1>, !sam.tensor<[compressed 0], f64>
    sam.write_values %0 to %X fill add : !sam.val<f64, 1>, !sam.tensor<[compressed 0], f64>
  }
  return
}

// -----

func.func @skipped_is_read(%x: tensor<?xf64, #ta.format<[CU]>>, %b: tensor<?xf64, #ta.format<[CU]>>, %c: tensor<?xf64, #ta.format<[CU]>>) {
  sam.graph {
    %X = sam.result "x" of %x : tensor<?xf64, #ta.format<[CU]>> -> !sam.tensor<[compressed 0], f64>
    %B = sam.operand "b" of %b : tensor<?xf64, #ta.format<[CU]>> -> !sam.tensor<[compressed 0], f64>
    %C = sam.operand "c" of %c : tensor<?xf64, #ta.format<[CU]>> -> !sam.tensor<[compressed 0], f64>
    %i, %r = sam.scan "i" of %B level 0 skip : !sam.tensor<[compressed 0], f64> -> !sam.crd<1>, !sam.ref<1>
    %j, %s = sam.scan "i" of %C level 0 : !sam.tensor<[compressed 0], f64> -> !sam.crd<1>, !sam.ref<1>
    // expected-error @+1 {{'sam.intersect' op expected nobody else to read what operand 0 skips}}
    %k, %rb, %rc = sam.intersect "i" ["b", "c"] skip [0] %i, %j with %r, %s : (!sam.crd<1>, !sam.crd<1>, !sam.ref<1>, !sam.ref<1>) -> (!sam.crd<1>, !sam.ref<1>, !sam.ref<1>)
    %v = sam.array %B at %r : !sam.tensor<[compressed 0], f64>, !sam.ref<1> -> !sam.val<f64, 1>
    %0 = sam.array %B at %rb : !sam.tensor<[compressed 0], f64>, !sam.ref<1> -> !sam.val<f64, 1>
    sam.write_level "i" %k to %X level 0 : !sam.crd<1>, !sam.tensor<[compressed 0], f64>
    sam.write_values %0 to %X fill add : !sam.val<f64, 1>, !sam.tensor<[compressed 0], f64>
  }
  return
}

// -----

func.func @nothing_skips(%x: tensor<?xf64, #ta.format<[CU]>>, %b: tensor<?xf64, #ta.format<[CU]>>, %c: tensor<?xf64, #ta.format<[CU]>>) {
  sam.graph {
    %X = sam.result "x" of %x : tensor<?xf64, #ta.format<[CU]>> -> !sam.tensor<[compressed 0], f64>
    %B = sam.operand "b" of %b : tensor<?xf64, #ta.format<[CU]>> -> !sam.tensor<[compressed 0], f64>
    %C = sam.operand "c" of %c : tensor<?xf64, #ta.format<[CU]>> -> !sam.tensor<[compressed 0], f64>
    // expected-error @+1 {{'sam.scan' op expected an intersecter that skips what is scanned}}
    %i, %r = sam.scan "i" of %B level 0 skip : !sam.tensor<[compressed 0], f64> -> !sam.crd<1>, !sam.ref<1>
    %j, %s = sam.scan "i" of %C level 0 skip : !sam.tensor<[compressed 0], f64> -> !sam.crd<1>, !sam.ref<1>
    %k, %rb, %rc = sam.intersect "i" ["b", "c"] skip [1] %i, %j with %r, %s : (!sam.crd<1>, !sam.crd<1>, !sam.ref<1>, !sam.ref<1>) -> (!sam.crd<1>, !sam.ref<1>, !sam.ref<1>)
    %0 = sam.array %B at %rb : !sam.tensor<[compressed 0], f64>, !sam.ref<1> -> !sam.val<f64, 1>
    sam.write_level "i" %k to %X level 0 : !sam.crd<1>, !sam.tensor<[compressed 0], f64>
    sam.write_values %0 to %X fill add : !sam.val<f64, 1>, !sam.tensor<[compressed 0], f64>
  }
  return
}

// -----

func.func @fetched(%x: tensor<?xf64, #ta.format<[CU]>>, %b: tensor<?xf64, #ta.format<[CU]>>, %c: tensor<?xf64, #ta.format<[CU]>>) {
  sam.graph {
    %X = sam.result "x" of %x : tensor<?xf64, #ta.format<[CU]>> -> !sam.tensor<[compressed 0], f64>
    %B = sam.operand "b" of %b : tensor<?xf64, #ta.format<[CU]>> -> !sam.tensor<[compressed 0], f64>
    %C = sam.operand "c" of %c : tensor<?xf64, #ta.format<[CU]>> -> !sam.tensor<[compressed 0], f64>
    %i, %r = sam.scan "i" of %B level 0 : !sam.tensor<[compressed 0], f64> -> !sam.crd<1>, !sam.ref<1>
    %w, %first = sam.to_words "i" %i with %r : (!sam.crd<1>, !sam.ref<1>) -> (!sam.bv<8, 1>, !sam.ref<1>)
    %k, %p = sam.intersect "i" ["b"] %w with %first : (!sam.bv<8, 1>, !sam.ref<1>) -> (!sam.crd<1>, !sam.ref<1>)
    %p0, %p1 = sam.parallelize "i" %p : !sam.ref<1> -> !sam.ref<1>, !sam.ref<1>
    %k0, %k1 = sam.parallelize "i" %k : !sam.crd<1> -> !sam.crd<1>, !sam.crd<1>
    %rb = sam.serialize "i" %k0, %k1 with %p0, %p1 : (!sam.crd<1>, !sam.crd<1>, !sam.ref<1>, !sam.ref<1>) -> !sam.ref<1>
    // expected-error @+1 {{'sam.fetch' op expected references to level 0 of "c", found references to the values of "b"}}
    %tile = sam.fetch %C level 0 at %rb : !sam.tensor<[compressed 0], f64>, !sam.ref<1>
    %end, %rend = sam.scan "i" of %C level 0 at %tile : !sam.tensor<[compressed 0], f64>, !sam.ref<1> -> !sam.crd<2>, !sam.ref<2>
    %0 = sam.array %B at %rb : !sam.tensor<[compressed 0], f64>, !sam.ref<1> -> !sam.val<f64, 1>
    sam.write_level "i" %k to %X level 0 : !sam.crd<1>, !sam.tensor<[compressed 0], f64>
    sam.write_values %0 to %X fill add : !sam.val<f64, 1>, !sam.tensor<[compressed 0], f64>
  }
  return
}
