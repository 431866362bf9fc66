//===- SamOps.td - the operations of the sam dialect -----------*- tablegen -*-===//

#ifndef COMET_SAM_OPS_TD
#define COMET_SAM_OPS_TD

include "SamDialect.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class SAM_Op<string mnemonic, list<Trait> traits = []> : Op<Sam_Dialect, mnemonic, traits>;

def SAM_GraphOp : SAM_Op<"graph", !listconcat(GraphRegionNoTerminator.traits, [NoRegionArguments])> {
  let summary = "a dataflow graph, which writes one tensor";
  let description = [{
    First declarations, the result's before all others; then blocks, whose order means nothing.

    ```mlir
    // given %b : tensor<?xf64, #ta.format<[CU]>>
    // given %x : tensor<?xf64, #ta.format<[CU]>>
    sam.graph {
      %X = sam.result "x" of %x : tensor<?xf64, #ta.format<[CU]>> -> !sam.tensor<[compressed 0], f64>
      %B = sam.operand "b" of %b : tensor<?xf64, #ta.format<[CU]>> -> !sam.tensor<[compressed 0], f64>
      %i, %r = sam.scan "i" of %B level 0 : !sam.tensor<[compressed 0], f64> -> !sam.crd<1>, !sam.ref<1>
      %v = sam.array %B at %r : !sam.tensor<[compressed 0], f64>, !sam.ref<1> -> !sam.val<f64, 1>
      sam.write_level "i" %i to %X level 0 : !sam.crd<1>, !sam.tensor<[compressed 0], f64>
      sam.write_values %v to %X fill add : !sam.val<f64, 1>, !sam.tensor<[compressed 0], f64>
    }
    ```
  }];
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "attr-dict-with-keyword $body";
  let hasRegionVerifier = 1;
}

//===-- Tensors -------------------------------------------------------------------===//

def SAM_OperandOp : SAM_Op<"operand"> {
  let summary = "a tensor that the graph reads";
  let description = [{
    It comes in the levels that it has. What is used twice is declared twice.

    ```mlir
    // given %b : tensor<?x?xf64, #ta.format<[d1 : D, d0 : CU]>>
    %B = sam.operand "B" of %b : tensor<?x?xf64, #ta.format<[d1 : D, d0 : CU]>> -> !sam.tensor<[dense 1, compressed 0], f64>
    ```
  }];
  let arguments = (ins SAM_Name:$name, SAM_Stored:$tensor);
  let results = (outs SAM_Tensor:$result);
  let assemblyFormat = "$name `of` $tensor attr-dict `:` type($tensor) `->` type($result)";
  let hasVerifier = 1;
}

def SAM_ScalarOp : SAM_Op<"scalar"> {
  let summary = "a number of the program that the graph reads";
  let description = [{
    ```mlir
    // given %alpha : f64
    %a = sam.scalar "alpha" of %alpha : f64 -> !sam.tensor<[], f64>
    ```
  }];
  let arguments = (ins SAM_Name:$name, SAM_Element:$value);
  let results = (outs SAM_Tensor:$result);
  let assemblyFormat = "$name `of` $value attr-dict `:` type($value) `->` type($result)";
  let hasVerifier = 1;
}

def SAM_UniverseOp : SAM_Op<"universe"> {
  let summary = "a dense level over all coordinates of an index variable";
  let description = [{
    Its values are not read.

    ```mlir
    // given %n : index
    %all = sam.universe "all i" size %n : !sam.tensor<[dense 0], f64>
    ```
  }];
  let arguments = (ins SAM_Name:$name, Index:$size);
  let results = (outs SAM_Tensor:$result);
  let assemblyFormat = "$name `size` $size attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def SAM_ResultOp : SAM_Op<"result"> {
  let summary = "the tensor that the graph writes";
  let description = [{
    ```mlir
    // given %x : tensor<?xf64>
    %X = sam.result "x" of %x : tensor<?xf64> -> !sam.tensor<[dense 0], f64>
    ```
  }];
  let arguments = (ins SAM_Name:$name, SAM_Stored:$tensor);
  let results = (outs SAM_Tensor:$result);
  let assemblyFormat = "$name `of` $tensor attr-dict `:` type($tensor) `->` type($result)";
  let hasVerifier = 1;
}

//===-- Iteration and merging -----------------------------------------------------===//

def SAM_ScanOp : SAM_Op<"scan"> {
  let summary = "the fibers of one level of a tensor (sam.txt definition 3.1)";
  let description = [{
    A fiber for each reference, with the coordinates and references of one level more. Without references it scans the first level from its root. Levels of bit
    vectors come as bit vectors, with the reference of the first coordinate of each.

    ```mlir
    // given %B : !sam.tensor<[dense 0, compressed 1], f64>
    // given %b : !sam.tensor<[bv<32> 0], f64>
    %i, %ri = sam.scan "i" of %B level 0 : !sam.tensor<[dense 0, compressed 1], f64> -> !sam.crd<1>, !sam.ref<1>
    %j, %rj = sam.scan "j" of %B level 1 at %ri : !sam.tensor<[dense 0, compressed 1], f64>, !sam.ref<1> -> !sam.crd<2>, !sam.ref<2>
    %w, %rw = sam.scan "i" of %b level 0 : !sam.tensor<[bv<32> 0], f64> -> !sam.bv<32, 1>, !sam.ref<1>
    ```
  }];
  let arguments = (ins SAM_Name:$index, SAM_Tensor:$tensor, I64Attr:$level, Optional<SAM_Ref>:$reference);
  let results = (outs SAM_CrdOrBv:$coordinates, SAM_Ref:$references);
  let assemblyFormat = [{
    $index `of` $tensor `level` $level (`at` $reference^)? attr-dict `:` type($tensor) (`,` type($reference)^)? `->` type($coordinates) `,` type($references)
  }];
  let hasVerifier = 1;
}

class SAM_JoinOp<string mnemonic> : SAM_Op<mnemonic, [SameVariadicOperandSize]> {
  let arguments = (ins SAM_Name:$index, StrArrayAttr:$names, Variadic<SAM_Crd>:$coordinates, Variadic<SAM_RefOrVal>:$carried);
  let results = (outs SAM_Crd:$joined, Variadic<SAM_RefOrVal>:$passed);
  let assemblyFormat = "$index $names $coordinates `with` $carried attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def SAM_IntersectOp : SAM_JoinOp<"intersect"> {
  let summary = "the coordinates that all operands have (sam.txt definition 3.2)";
  let description = [{
    First the coordinates of all operands, then what comes with them: references, or the values of what has been reduced. The names are what reports call the operands.

    ```mlir
    // given %i, %k : !sam.crd<1>
    // given %r, %s : !sam.ref<1>
    %both, %b, %c = sam.intersect "i" ["b", "c"] %i, %k with %r, %s : (!sam.crd<1>, !sam.crd<1>, !sam.ref<1>, !sam.ref<1>) -> (!sam.crd<1>, !sam.ref<1>, !sam.ref<1>)
    ```
  }];
}

def SAM_UnionOp : SAM_JoinOp<"union"> {
  let summary = "the coordinates that any operand has (sam.txt definition 3.3)";
  let description = [{
    As `sam.intersect`. Operands that lack a coordinate give an empty token for it.

    ```mlir
    // given %i, %k : !sam.crd<1>
    // given %r : !sam.ref<1>
    // given %v : !sam.val<f64, 1>
    %any, %b, %s = sam.union "i" ["b", "sum"] %i, %k with %r, %v : (!sam.crd<1>, !sam.crd<1>, !sam.ref<1>, !sam.val<f64, 1>) -> (!sam.crd<1>, !sam.ref<1>, !sam.val<f64, 1>)
    ```
  }];
}

def SAM_RepeatSignalOp : SAM_Op<"repeat_signal"> {
  let summary = "a signal for each coordinate, for repeaters";
  let description = [{
    ```mlir
    // given %i : !sam.crd<1>
    %s = sam.repeat_signal "i" %i : !sam.crd<1> -> !sam.repsig<1>
    ```
  }];
  let arguments = (ins SAM_Name:$index, SAM_Crd:$coordinates);
  let results = (outs SAM_Repsig:$signals);
  let assemblyFormat = "$index $coordinates attr-dict `:` type($coordinates) `->` type($signals)";
  let hasVerifier = 1;
}

def SAM_RepeatOp : SAM_Op<"repeat"> {
  let summary = "a reference or value, once for each signal (sam.txt definition 3.4)";
  let description = [{
    Of a tensor, it repeats the reference to its root. The name is what reports call what is repeated, the index variable that of the signals.

    ```mlir
    // given %c : !sam.tensor<[compressed 0], f64>
    // given %si : !sam.repsig<1>
    // given %sj : !sam.repsig<2>
    %0 = sam.repeat "i" "c" %c by %si : !sam.tensor<[compressed 0], f64>, !sam.repsig<1> -> !sam.ref<1>
    %1 = sam.repeat "j" "c" %0 by %sj : !sam.ref<1>, !sam.repsig<2> -> !sam.ref<2>
    ```
  }];
  let arguments = (ins SAM_Name:$index, SAM_Name:$name, SAM_Repeated:$repeated, SAM_Repsig:$signals);
  let results = (outs SAM_RefOrVal:$result);
  let assemblyFormat = "$index $name $repeated `by` $signals attr-dict `:` type($repeated) `,` type($signals) `->` type($result)";
  let hasVerifier = 1;
}

def SAM_LocateOp : SAM_Op<"locate", [AllTypesMatch<["coordinates", "located"]>]> {
  let summary = "references to the coordinates that another stream has (sam.txt definition 4.1)";
  let description = [{
    It looks for each coordinate in a fiber: that of the reference which comes with it, without references in the first level. Where the level has nothing, the
    reference is an empty token. In the result, whose levels are dense then, it finds the places that values are scattered to.

    ```mlir
    // given %B : !sam.tensor<[dense 0, compressed 1], f64>
    // given %i, %j : !sam.crd<2>
    %0, %r = sam.locate "i" %i in %B level 0 : !sam.crd<2>, !sam.tensor<[dense 0, compressed 1], f64> -> !sam.ref<2>
    %1, %s = sam.locate "j" %j in %B level 1 at %r : !sam.crd<2>, !sam.tensor<[dense 0, compressed 1], f64>, !sam.ref<2> -> !sam.ref<2>
    ```
  }];
  let arguments = (ins SAM_Name:$index, SAM_Crd:$coordinates, SAM_Tensor:$tensor, I64Attr:$level, Optional<SAM_Ref>:$reference);
  let results = (outs SAM_Crd:$located, SAM_Ref:$references);
  let assemblyFormat = [{
    $index $coordinates `in` $tensor `level` $level (`at` $reference^)? attr-dict `:` type($coordinates) `,` type($tensor) (`,` type($reference)^)?
    `->` type($references)
  }];
  let hasVerifier = 1;
}

//===-- Computation ---------------------------------------------------------------===//

def SAM_ArrayOp : SAM_Op<"array"> {
  let summary = "the values that references lead to (sam.txt definition 3.5)";
  let description = [{
    Without references it loads the one value of a scalar.

    ```mlir
    // given %B : !sam.tensor<[dense 0, compressed 1], f64>
    // given %alpha : !sam.tensor<[], f64>
    // given %r : !sam.ref<2>
    %v = sam.array %B at %r : !sam.tensor<[dense 0, compressed 1], f64>, !sam.ref<2> -> !sam.val<f64, 2>
    %a = sam.array %alpha : !sam.tensor<[], f64> -> !sam.val<f64, 0>
    ```
  }];
  let arguments = (ins SAM_Tensor:$tensor, Optional<SAM_Ref>:$references);
  let results = (outs SAM_Val:$values);
  let assemblyFormat = "$tensor (`at` $references^)? attr-dict `:` type($tensor) (`,` type($references)^)? `->` type($values)";
  let hasVerifier = 1;
}

def SAM_AluOp : SAM_Op<"alu", [SameOperandsAndResultType]> {
  let summary = "an operator on two streams of values (sam.txt definition 3.6)";
  let description = [{
    What an empty token makes of the other operand: where patterns unite it counts as 0, where they intersect it goes on as it is.

    ```mlir
    // given %a, %b : !sam.val<f64, 1>
    %p = sam.alu mul intersect %a, %b : !sam.val<f64, 1>
    %s = sam.alu add unite %a, %b : !sam.val<f64, 1>
    ```
  }];
  let arguments = (ins SAM_Operator:$op, SAM_Meeting:$meeting, SAM_Val:$left, SAM_Val:$right);
  let results = (outs SAM_Val:$result);
  let assemblyFormat = "$op $meeting $left `,` $right attr-dict `:` type($result)";
}

def SAM_ApplyOp : SAM_Op<"apply"> {
  let summary = "a function of a stream of values";
  let description = [{
    `convert` is to the element type of the result.

    ```mlir
    // given %a : !sam.val<f64, 1>
    %n = sam.apply neg %a : !sam.val<f64, 1> -> !sam.val<f64, 1>
    %c = sam.apply convert %a : !sam.val<f64, 1> -> !sam.val<i64, 1>
    ```
  }];
  let arguments = (ins SAM_Function:$function, SAM_Val:$value);
  let results = (outs SAM_Val:$result);
  let assemblyFormat = "$function $value attr-dict `:` type($value) `->` type($result)";
  let hasVerifier = 1;
}

def SAM_MaskOp : SAM_Op<"mask", [AllTypesMatch<["value", "result"]>]> {
  let summary = "values where a mask lets them through, and empty tokens elsewhere";
  let description = [{
    Where the mask has a value, or has none (`stored`, `not_stored`); where its value is not 0, or it has none or 0 (`not_zero`, `zero`).

    ```mlir
    // given %v : !sam.val<f64, 2>
    // given %m : !sam.val<i64, 2>
    %0 = sam.mask not_zero %v by %m : !sam.val<f64, 2> by !sam.val<i64, 2>
    ```
  }];
  let arguments = (ins SAM_Kept:$kept, SAM_Val:$value, SAM_Val:$mask);
  let results = (outs SAM_Val:$result);
  let assemblyFormat = "$kept $value `by` $mask attr-dict `:` type($value) `by` type($mask)";
  let hasVerifier = 1;
}

def SAM_ReduceOp : SAM_Op<"reduce"> {
  let summary = "one value of each innermost fiber (sam.txt definition 3.7, n = 0)";
  let description = [{
    A fiber in which there is nothing becomes the identity (`zero`), goes together with its stop (`removed`), or becomes an empty token (`absent`). That needs the
    coordinates around, since a stop alone does not tell an empty fiber from none; where there is always one, at the root, `token` does without.

    ```mlir
    // given %v : !sam.val<f64, 2>
    // given %i : !sam.crd<1>
    %s = sam.reduce add %v empty removed : !sam.val<f64, 2> -> !sam.val<f64, 1>
    %t = sam.reduce max %v empty absent around %i : !sam.val<f64, 2>, !sam.crd<1> -> !sam.val<f64, 1>
    ```
  }];
  let arguments = (ins SAM_Reduction:$reduction, SAM_Val:$values, SAM_EmptyFiber:$empty, Optional<SAM_Crd>:$around);
  let results = (outs SAM_Val:$result);
  let assemblyFormat = [{
    $reduction $values `empty` $empty (`around` $around^)? attr-dict `:` type($values) (`,` type($around)^)? `->` type($result)
  }];
  let hasVerifier = 1;
}

def SAM_AccumulateOp : SAM_Op<"accumulate"> {
  let summary = "the values of points with equal coordinates become one (sam.txt definition 3.7, n > 0)";
  let description = [{
    Coordinates and their index variables come innermost first. `order` is how many of them are kept in memory. The coordinates are those of `levels`, an outer one
    for a fiber of inner ones, and as many as the order says; they lose the fibers around them. Or those of `points`, one of each for every value, outer ones held;
    what comes out are levels. `empty` is as in `sam.reduce`; points have no empty fibers.

    ```mlir
    // given %j : !sam.crd<3>
    // given %v : !sam.val<f64, 3>
    // given %ih, %jh : !sam.crd<3>
    %0, %1 = sam.accumulate add levels ["j"] order 1 %j with %v empty removed : (!sam.crd<3>, !sam.val<f64, 3>) -> (!sam.crd<2>, !sam.val<f64, 2>)
    %2, %3, %4 = sam.accumulate add points ["j", "i"] order 1 %jh, %ih with %v empty removed : (!sam.crd<3>, !sam.crd<3>, !sam.val<f64, 3>) -> (!sam.crd<2>, !sam.crd<1>, !sam.val<f64, 2>)
    ```
  }];
  let arguments = (ins SAM_Reduction:$reduction, SAM_Form:$form, StrArrayAttr:$indices, I64Attr:$order, Variadic<SAM_Crd>:$coordinates, SAM_Val:$values,
    SAM_EmptyFiber:$empty);
  let results = (outs Variadic<SAM_Crd>:$accumulated, SAM_Val:$result);
  let assemblyFormat = [{
    $reduction $form $indices `order` $order $coordinates `with` $values `empty` $empty attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

//===-- Construction --------------------------------------------------------------===//

def SAM_DropOp : SAM_Op<"drop", [AllTypesMatch<["outer", "kept_outer"]>, AllTypesMatch<["inner", "kept_inner"]>]> {
  let summary = "outer coordinates under which there is nothing are left out (sam.txt definition 3.9)";
  let description = [{
    Under which inner `fibers` are empty, or whose value is `absent`, an empty token, or one of these and `zeros`.

    ```mlir
    // given %i : !sam.crd<1>
    // given %j : !sam.crd<2>
    // given %v : !sam.val<f64, 2>
    %0, %1 = sam.drop fibers "i" "j" %i, %j : !sam.crd<1>, !sam.crd<2>
    %2, %3 = sam.drop zeros "j" "value" %j, %v : !sam.crd<2>, !sam.val<f64, 2>
    ```
  }];
  let arguments = (ins SAM_Dropped:$dropped, SAM_Name:$outer_index, SAM_Name:$inner_index, SAM_Crd:$outer, SAM_CrdOrVal:$inner);
  let results = (outs SAM_Crd:$kept_outer, SAM_CrdOrVal:$kept_inner);
  let assemblyFormat = "$dropped $outer_index $inner_index $outer `,` $inner attr-dict `:` type($outer) `,` type($inner)";
  let hasVerifier = 1;
}

def SAM_HoldOp : SAM_Op<"hold", [AllTypesMatch<["inner", "held", "passed"]>]> {
  let summary = "an outer coordinate, once for each inner one";
  let description = [{
    ```mlir
    // given %i : !sam.crd<1>
    // given %j : !sam.crd<2>
    %0, %1 = sam.hold "i" "j" %i, %j : !sam.crd<1>, !sam.crd<2>
    ```
  }];
  let arguments = (ins SAM_Name:$outer_index, SAM_Name:$inner_index, SAM_Crd:$outer, SAM_Crd:$inner);
  let results = (outs SAM_Crd:$held, SAM_Crd:$passed);
  let assemblyFormat = "$outer_index $inner_index $outer `,` $inner attr-dict `:` type($outer) `,` type($inner)";
  let hasVerifier = 1;
}

def SAM_WriteLevelOp : SAM_Op<"write_level"> {
  let summary = "stores the coordinates of one level (sam.txt definition 3.8)";
  let description = [{
    The coordinates of a level are one deeper than those of the level above. Where it repeats the index variable of that level, they are the same, and each is a
    fiber by itself: `single`.

    ```mlir
    // given %i : !sam.crd<1>
    // given %X : !sam.tensor<[compressed 0, compressed 1], f64>
    sam.write_level "i" %i to %X level 0 : !sam.crd<1>, !sam.tensor<[compressed 0, compressed 1], f64>
    sam.write_level "i" %i to %X level 1 single : !sam.crd<1>, !sam.tensor<[compressed 0, compressed 1], f64>
    ```
  }];
  let arguments = (ins SAM_Name:$index, SAM_CrdOrBv:$coordinates, SAM_Tensor:$tensor, I64Attr:$level, UnitAttr:$single);
  let assemblyFormat = "$index $coordinates `to` $tensor `level` $level (`single` $single^)? attr-dict `:` type($coordinates) `,` type($tensor)";
  let hasVerifier = 1;
}

def SAM_WriteValuesOp : SAM_Op<"write_values"> {
  let summary = "stores the values (sam.txt definition 3.8)";
  let description = [{
    One behind the other, as deep as levels are nested. With references, which locators have found, each at its place; then no level is written. What is not written,
    or by an empty token, holds the identity of a reduction, or what it held before, where it is `kept`.

    ```mlir
    // given %v : !sam.val<f64, 1>
    // given %r : !sam.ref<1>
    // given %X : !sam.tensor<[compressed 0], f64>
    // given %Y : !sam.tensor<[dense 0], f64>
    sam.write_values %v to %X fill add : !sam.val<f64, 1>, !sam.tensor<[compressed 0], f64>
    sam.write_values %v to %Y fill min at %r : !sam.val<f64, 1>, !sam.tensor<[dense 0], f64>, !sam.ref<1>
    sam.write_values %v to %Y fill add at %r kept : !sam.val<f64, 1>, !sam.tensor<[dense 0], f64>, !sam.ref<1>
    ```
  }];
  let arguments = (ins SAM_Val:$values, SAM_Tensor:$tensor, SAM_Reduction:$fill, Optional<SAM_Ref>:$places, UnitAttr:$kept);
  let assemblyFormat = "$values `to` $tensor `fill` $fill (`at` $places^)? (`kept` $kept^)? attr-dict `:` type($values) `,` type($tensor) (`,` type($places)^)?";
  let hasVerifier = 1;
}

#endif // COMET_SAM_OPS_TD
