//===- SamOps.td - the operations of the sam dialect -----------*- tablegen -*-===//

#ifndef COMET_SAM_OPS_TD
#define COMET_SAM_OPS_TD

include "SamDialect.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class SAM_Op<string mnemonic, list<Trait> traits = []> : Op<Sam_Dialect, mnemonic, traits>;

// Besides its own arguments a block has its lanes: how many tokens it moves in a cycle at most (section 4.4). One, where nothing is said.
class SAM_Block<string mnemonic, list<Trait> traits = []> : SAM_Op<mnemonic, traits> {
  dag own = (ins);
  let arguments = !con(own, (ins SAM_Lanes:$lanes));
}

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

def SAM_ScanOp : SAM_Block<"scan"> {
  let summary = "the fibers of one level of a tensor (sam.txt definition 3.1)";
  let description = [{
    A fiber for each reference, with the coordinates and references of one level more. Without references it scans the first level from its root. Levels of bit
    vectors come as bit vectors, with the reference of the first coordinate of each. One that is to `skip` is told by the intersecter which reads it what is needed
    next, and leaves out the coordinates before (section 4.2); no stream shows that, which would go round in a circle.

    ```mlir
    // given %B : !sam.tensor<[dense 0, compressed 1], f64>
    // given %b : !sam.tensor<[bv<32> 0], f64>
    %i, %ri = sam.scan "i" of %B level 0 : !sam.tensor<[dense 0, compressed 1], f64> -> !sam.crd<1>, !sam.ref<1>
    %j, %rj = sam.scan "j" of %B level 1 at %ri : !sam.tensor<[dense 0, compressed 1], f64>, !sam.ref<1> -> !sam.crd<2>, !sam.ref<2>
    %w, %rw = sam.scan "i" of %b level 0 lanes 2 : !sam.tensor<[bv<32> 0], f64> -> !sam.bv<32, 1>, !sam.ref<1>
    %s, %rs = sam.scan "j" of %B level 1 at %ri skip : !sam.tensor<[dense 0, compressed 1], f64>, !sam.ref<1> -> !sam.crd<2>, !sam.ref<2>
    ```
  }];
  let own = (ins SAM_Name:$index, SAM_Tensor:$tensor, I64Attr:$level, Optional<SAM_Ref>:$reference, UnitAttr:$skip);
  let results = (outs SAM_CrdOrBv:$coordinates, SAM_Ref:$references);
  let assemblyFormat = [{
    $index `of` $tensor `level` $level (`at` $reference^)? (`skip` $skip^)? (`lanes` $lanes^)? attr-dict `:` type($tensor) (`,` type($reference)^)?
    `->` type($coordinates) `,` type($references)
  }];
  let hasVerifier = 1;
}

class SAM_JoinOp<string mnemonic, dag more = (ins), string skips = ""> : SAM_Block<mnemonic, [SameVariadicOperandSize]> {
  let own = !con((ins SAM_Name:$index, StrArrayAttr:$names, Variadic<SAM_CrdOrBv>:$coordinates, Variadic<SAM_RefOrVal>:$carried), more);
  let results = (outs SAM_Crd:$joined, Variadic<SAM_RefOrVal>:$passed);
  let assemblyFormat = "$index $names " # skips # "$coordinates `with` $carried (`lanes` $lanes^)? attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def SAM_IntersectOp : SAM_JoinOp<"intersect", (ins OptionalAttr<DenseI64ArrayAttr>:$skips), "(`skip` $skips^)? "> {
  let summary = "the coordinates that all operands have (sam.txt definition 3.2)";
  let description = [{
    First the coordinates of all operands, then what comes with them: references, or the values of what has been reduced. The names are what reports call the operands.
    Instead of coordinates there may be words of bits, with a reference for each (section 4.3); with one operand they are only taken apart. Those that `skip` are
    operands, by their numbers, that come straight from scanners which do so.

    ```mlir
    // given %i, %k : !sam.crd<1>
    // given %r, %s : !sam.ref<1>
    // given %v, %w : !sam.bv<32, 1>
    // given %b, %c : !sam.tensor<[compressed 0], f64>
    %0, %1, %2 = sam.intersect "i" ["b", "c"] %i, %k with %r, %s : (!sam.crd<1>, !sam.crd<1>, !sam.ref<1>, !sam.ref<1>) -> (!sam.crd<1>, !sam.ref<1>, !sam.ref<1>)
    %3, %4, %5 = sam.intersect "i" ["b", "c"] %v, %w with %r, %s : (!sam.bv<32, 1>, !sam.bv<32, 1>, !sam.ref<1>, !sam.ref<1>) -> (!sam.crd<1>, !sam.ref<1>, !sam.ref<1>)
    %m, %rm = sam.scan "i" of %b level 0 skip : !sam.tensor<[compressed 0], f64> -> !sam.crd<1>, !sam.ref<1>
    %n, %rn = sam.scan "i" of %c level 0 : !sam.tensor<[compressed 0], f64> -> !sam.crd<1>, !sam.ref<1>
    %6, %7, %8 = sam.intersect "i" ["b", "c"] skip [0] %m, %n with %rm, %rn : (!sam.crd<1>, !sam.crd<1>, !sam.ref<1>, !sam.ref<1>) -> (!sam.crd<1>, !sam.ref<1>, !sam.ref<1>)
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

def SAM_RepeatSignalOp : SAM_Block<"repeat_signal"> {
  let summary = "a signal for each coordinate, for repeaters";
  let description = [{
    ```mlir
    // given %i : !sam.crd<1>
    %s = sam.repeat_signal "i" %i : !sam.crd<1> -> !sam.repsig<1>
    ```
  }];
  let own = (ins SAM_Name:$index, SAM_Crd:$coordinates);
  let results = (outs SAM_Repsig:$signals);
  let assemblyFormat = "$index $coordinates (`lanes` $lanes^)? attr-dict `:` type($coordinates) `->` type($signals)";
  let hasVerifier = 1;
}

def SAM_RepeatOp : SAM_Block<"repeat"> {
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
  let own = (ins SAM_Name:$index, SAM_Name:$name, SAM_Repeated:$repeated, SAM_Repsig:$signals);
  let results = (outs SAM_RefOrVal:$result);
  let assemblyFormat = "$index $name $repeated `by` $signals (`lanes` $lanes^)? attr-dict `:` type($repeated) `,` type($signals) `->` type($result)";
  let hasVerifier = 1;
}

def SAM_LocateOp : SAM_Block<"locate", [AllTypesMatch<["coordinates", "located"]>]> {
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
  let own = (ins SAM_Name:$index, SAM_Crd:$coordinates, SAM_Tensor:$tensor, I64Attr:$level, Optional<SAM_Ref>:$reference);
  let results = (outs SAM_Crd:$located, SAM_Ref:$references);
  let assemblyFormat = [{
    $index $coordinates `in` $tensor `level` $level (`at` $reference^)? (`lanes` $lanes^)? attr-dict `:` type($coordinates) `,` type($tensor) (`,` type($reference)^)?
    `->` type($references)
  }];
  let hasVerifier = 1;
}

//===-- Words of bits, copies and tiles -------------------------------------------===//

def SAM_ToWordsOp : SAM_Block<"to_words"> {
  let summary = "words of bits of coordinates (sam.txt definition 4.2)";
  let description = [{
    Every fiber becomes all of its words, those without bits too. References that come with the coordinates follow one another in a fiber; that of a word is the one
    of its first bit.

    ```mlir
    // given %i : !sam.crd<1>
    // given %r : !sam.ref<1>
    %w, %s = sam.to_words "i" %i with %r : (!sam.crd<1>, !sam.ref<1>) -> (!sam.bv<32, 1>, !sam.ref<1>)
    %v = sam.to_words "i" %i : (!sam.crd<1>) -> !sam.bv<64, 1>
    ```
  }];
  let own = (ins SAM_Name:$index, SAM_Crd:$coordinates, Optional<SAM_Ref>:$references);
  let results = (outs SAM_Bv:$words, Optional<SAM_Ref>:$first);
  let assemblyFormat = "$index $coordinates (`with` $references^)? (`lanes` $lanes^)? attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def SAM_ParallelizeOp : SAM_Block<"parallelize"> {
  let summary = "the elements of fibers in turn to several streams (sam.txt section 4.4)";
  let description = [{
    The first element of a fiber goes to the first one, the next to the next, and so on; what ends a fiber goes to all.

    ```mlir
    // given %i : !sam.crd<1>
    %0, %1 = sam.parallelize "i" %i : !sam.crd<1> -> !sam.crd<1>, !sam.crd<1>
    ```
  }];
  let own = (ins SAM_Name:$index, SAM_Stream:$elements);
  let results = (outs Variadic<SAM_Stream>:$dealt);
  let assemblyFormat = "$index $elements (`lanes` $lanes^)? attr-dict `:` type($elements) `->` type($dealt)";
  let hasVerifier = 1;
}

def SAM_SerializeOp : SAM_Block<"serialize", [AttrSizedOperandSegments]> {
  let summary = "one stream of several, by their coordinates (sam.txt section 4.4)";
  let description = [{
    What is carried are tokens or whole fibers, one for each coordinate, which come out in the order of the coordinates; without it the coordinates themselves do.

    ```mlir
    // given %i, %k : !sam.crd<1>
    // given %a, %b : !sam.val<f64, 2>
    %0 = sam.serialize "i" %i, %k : (!sam.crd<1>, !sam.crd<1>) -> !sam.crd<1>
    %1 = sam.serialize "i" %i, %k with %a, %b : (!sam.crd<1>, !sam.crd<1>, !sam.val<f64, 2>, !sam.val<f64, 2>) -> !sam.val<f64, 2>
    ```
  }];
  let own = (ins SAM_Name:$index, Variadic<SAM_Crd>:$coordinates, Variadic<SAM_Stream>:$carried);
  let results = (outs SAM_Stream:$serial);
  let assemblyFormat = "$index $coordinates (`with` $carried^)? (`lanes` $lanes^)? attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def SAM_FetchOp : SAM_Block<"fetch", [AllTypesMatch<["references", "fetched"]>]> {
  let summary = "references, when what is below them has been brought (sam.txt section 6.4)";
  let description = [{
    What is below a reference to a fiber of the level is a tile, which goes from memory to where it is read.

    ```mlir
    // given %B : !sam.tensor<[dense 0, compressed 1], f64>
    // given %r : !sam.ref<1>
    %0 = sam.fetch %B level 1 at %r : !sam.tensor<[dense 0, compressed 1], f64>, !sam.ref<1>
    ```
  }];
  let own = (ins SAM_Tensor:$tensor, I64Attr:$level, SAM_Ref:$references);
  let results = (outs SAM_Ref:$fetched);
  let assemblyFormat = "$tensor `level` $level `at` $references (`lanes` $lanes^)? attr-dict `:` type($tensor) `,` type($references)";
  let hasVerifier = 1;
}

//===-- Computation ---------------------------------------------------------------===//

def SAM_ArrayOp : SAM_Block<"array"> {
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
  let own = (ins SAM_Tensor:$tensor, Optional<SAM_Ref>:$references);
  let results = (outs SAM_Val:$values);
  let assemblyFormat = "$tensor (`at` $references^)? (`lanes` $lanes^)? attr-dict `:` type($tensor) (`,` type($references)^)? `->` type($values)";
  let hasVerifier = 1;
}

def SAM_AluOp : SAM_Block<"alu", [SameOperandsAndResultType]> {
  let summary = "an operator on two streams of values (sam.txt definition 3.6)";
  let description = [{
    What an empty token makes of the other operand: where patterns unite it counts as 0, where they intersect it goes on as it is.

    ```mlir
    // given %a, %b : !sam.val<f64, 1>
    %p = sam.alu mul intersect %a, %b : !sam.val<f64, 1>
    %s = sam.alu add unite %a, %b : !sam.val<f64, 1>
    ```
  }];
  let own = (ins SAM_Operator:$op, SAM_Meeting:$meeting, SAM_Val:$left, SAM_Val:$right);
  let results = (outs SAM_Val:$result);
  let assemblyFormat = "$op $meeting $left `,` $right (`lanes` $lanes^)? attr-dict `:` type($result)";
}

def SAM_ApplyOp : SAM_Block<"apply"> {
  let summary = "a function of a stream of values";
  let description = [{
    `convert` is to the element type of the result; `relu` is the value, or 0 where that is larger, and `exp` the exponential function, of integers cut off.

    ```mlir
    // given %a : !sam.val<f64, 1>
    %n = sam.apply neg %a : !sam.val<f64, 1> -> !sam.val<f64, 1>
    %c = sam.apply convert %a : !sam.val<f64, 1> -> !sam.val<i64, 1>
    ```
  }];
  let own = (ins SAM_Function:$function, SAM_Val:$value);
  let results = (outs SAM_Val:$result);
  let assemblyFormat = "$function $value (`lanes` $lanes^)? attr-dict `:` type($value) `->` type($result)";
  let hasVerifier = 1;
}

def SAM_MaskOp : SAM_Block<"mask", [AllTypesMatch<["value", "result"]>]> {
  let summary = "values where a mask lets them through, and empty tokens elsewhere";
  let description = [{
    Where the mask has a value, or has none (`stored`, `not_stored`); where its value is not 0, or it has none or 0 (`not_zero`, `zero`).

    ```mlir
    // given %v : !sam.val<f64, 2>
    // given %m : !sam.val<i64, 2>
    %0 = sam.mask not_zero %v by %m : !sam.val<f64, 2> by !sam.val<i64, 2>
    ```
  }];
  let own = (ins SAM_Kept:$kept, SAM_Val:$value, SAM_Val:$mask);
  let results = (outs SAM_Val:$result);
  let assemblyFormat = "$kept $value `by` $mask (`lanes` $lanes^)? attr-dict `:` type($value) `by` type($mask)";
  let hasVerifier = 1;
}

def SAM_ReduceOp : SAM_Block<"reduce", [AttrSizedOperandSegments]> {
  let summary = "one value of each innermost fiber (sam.txt definition 3.7, n = 0)";
  let description = [{
    A fiber in which there is nothing becomes the identity (`zero`), goes together with its stop (`removed`), or becomes an empty token (`absent`). That needs the
    coordinates around, since a stop alone does not tell an empty fiber from none; where there is always one, at the root, `token` does without. Several streams of
    values end their fibers together, and become one value.

    ```mlir
    // given %v : !sam.val<f64, 2>
    // given %i : !sam.crd<1>
    // given %w : !sam.val<f64, 2>
    %s = sam.reduce add %v empty removed : (!sam.val<f64, 2>) -> !sam.val<f64, 1>
    %t = sam.reduce max %v empty absent around %i : (!sam.val<f64, 2>, !sam.crd<1>) -> !sam.val<f64, 1>
    %u = sam.reduce add %v, %w empty zero : (!sam.val<f64, 2>, !sam.val<f64, 2>) -> !sam.val<f64, 1>
    ```
  }];
  let own = (ins SAM_Reduction:$reduction, Variadic<SAM_Val>:$values, SAM_EmptyFiber:$empty, Optional<SAM_Crd>:$around);
  let results = (outs SAM_Val:$result);
  let assemblyFormat = [{
    $reduction $values `empty` $empty (`around` $around^)? (`lanes` $lanes^)? attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def SAM_AccumulateOp : SAM_Block<"accumulate", [AttrSizedOperandSegments]> {
  let summary = "the values of points with equal coordinates become one (sam.txt definition 3.7, n > 0)";
  let description = [{
    Coordinates and their index variables come innermost first. `order` is how many of them are kept in memory. The coordinates are those of `levels`, an outer one
    for a fiber of inner ones, and as many as the order says; they lose the fibers around them. Or those of `points`, one of each for every value, outer ones held;
    what comes out are levels. `empty` is as in `sam.reduce`; points have no empty fibers. Several tensors may come side by side: first the coordinates of each,
    then the values of each.

    ```mlir
    // given %j : !sam.crd<3>
    // given %v : !sam.val<f64, 3>
    // given %ih, %jh : !sam.crd<3>
    // given %k : !sam.crd<3>
    // given %w : !sam.val<f64, 3>
    %0, %1 = sam.accumulate add levels ["j"] order 1 %j with %v empty removed : (!sam.crd<3>, !sam.val<f64, 3>) -> (!sam.crd<2>, !sam.val<f64, 2>)
    %2, %3, %4 = sam.accumulate add points ["j", "i"] order 1 %jh, %ih with %v empty removed : (!sam.crd<3>, !sam.crd<3>, !sam.val<f64, 3>) -> (!sam.crd<2>, !sam.crd<1>, !sam.val<f64, 2>)
    %5, %6 = sam.accumulate add levels ["j"] order 1 %j, %k with %v, %w empty removed : (!sam.crd<3>, !sam.crd<3>, !sam.val<f64, 3>, !sam.val<f64, 3>) -> (!sam.crd<2>, !sam.val<f64, 2>)
    ```
  }];
  let own = (ins SAM_Reduction:$reduction, SAM_Form:$form, StrArrayAttr:$indices, I64Attr:$order, Variadic<SAM_Crd>:$coordinates, Variadic<SAM_Val>:$values,
    SAM_EmptyFiber:$empty);
  let results = (outs Variadic<SAM_Crd>:$accumulated, SAM_Val:$result);
  let assemblyFormat = [{
    $reduction $form $indices `order` $order $coordinates `with` $values `empty` $empty (`lanes` $lanes^)? attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

//===-- Construction --------------------------------------------------------------===//

def SAM_DropOp : SAM_Block<"drop", [AllTypesMatch<["outer", "kept_outer"]>, AllTypesMatch<["inner", "kept_inner"]>]> {
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
  let own = (ins SAM_Dropped:$dropped, SAM_Name:$outer_index, SAM_Name:$inner_index, SAM_Crd:$outer, SAM_CrdOrVal:$inner);
  let results = (outs SAM_Crd:$kept_outer, SAM_CrdOrVal:$kept_inner);
  let assemblyFormat = "$dropped $outer_index $inner_index $outer `,` $inner (`lanes` $lanes^)? attr-dict `:` type($outer) `,` type($inner)";
  let hasVerifier = 1;
}

def SAM_HoldOp : SAM_Block<"hold", [AllTypesMatch<["inner", "held", "passed"]>]> {
  let summary = "an outer coordinate, once for each inner one";
  let description = [{
    ```mlir
    // given %i : !sam.crd<1>
    // given %j : !sam.crd<2>
    %0, %1 = sam.hold "i" "j" %i, %j : !sam.crd<1>, !sam.crd<2>
    ```
  }];
  let own = (ins SAM_Name:$outer_index, SAM_Name:$inner_index, SAM_Crd:$outer, SAM_Crd:$inner);
  let results = (outs SAM_Crd:$held, SAM_Crd:$passed);
  let assemblyFormat = "$outer_index $inner_index $outer `,` $inner (`lanes` $lanes^)? attr-dict `:` type($outer) `,` type($inner)";
  let hasVerifier = 1;
}

def SAM_WriteLevelOp : SAM_Block<"write_level"> {
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
  let own = (ins SAM_Name:$index, SAM_CrdOrBv:$coordinates, SAM_Tensor:$tensor, I64Attr:$level, UnitAttr:$single);
  let assemblyFormat = "$index $coordinates `to` $tensor `level` $level (`single` $single^)? (`lanes` $lanes^)? attr-dict `:` type($coordinates) `,` type($tensor)";
  let hasVerifier = 1;
}

def SAM_WriteValuesOp : SAM_Block<"write_values"> {
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
  let own = (ins SAM_Val:$values, SAM_Tensor:$tensor, SAM_Reduction:$fill, Optional<SAM_Ref>:$places, UnitAttr:$kept);
  let assemblyFormat = "$values `to` $tensor `fill` $fill (`at` $places^)? (`kept` $kept^)? (`lanes` $lanes^)? attr-dict `:` type($values) `,` type($tensor) (`,` type($places)^)?";
  let hasVerifier = 1;
}

#endif // COMET_SAM_OPS_TD
