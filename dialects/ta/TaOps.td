//===- TaOps.td - the operations of the ta dialect -------------*- tablegen -*-===//

#ifndef COMET_TA_OPS_TD
#define COMET_TA_OPS_TD

include "TaDialect.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class TA_Op<string mnemonic, list<Trait> traits = []> : Op<Ta_Dialect, mnemonic, traits>;

// Tensors are variables, so every operation that touches one reads or writes memory; without a declared effect an operation
// counts as having all of them, which is right for those that write.

//===-- Labels and extents --------------------------------------------------===//

def TA_IndexLabelStaticOp : TA_Op<"index_label_static", [Pure]> {
  let summary = "a label whose extent is known when it is reached";
  let description = [{
    The label ranges over `start`, `start + step`, … below `end` (comet.txt section 6.1); its extent is ⌈(end − start)/step⌉.

    ```mlir
    // given %c0, %c1, %c32 : index
    %c = ta.index_label_static "c" %c0 to %c32 step %c1
    ```
  }];
  let arguments = (ins StrAttr:$name, Index:$start, Index:$end, Index:$step);
  let results = (outs TA_RangeType:$label);
  let assemblyFormat = "$name $start `to` $end `step` $step attr-dict";
  let hasVerifier = 1;
}

def TA_IndexLabelDynamicOp : TA_Op<"index_label_dynamic"> {
  let summary = "a label whose extent comes from the files that are read";
  let description = [{
    `sources` are the modes that fix the extent; `ta-resolve-sizes` turns the operation into `ta.solve_size` and a static label.

    ```mlir
    %i = ta.index_label_dynamic "i" from [#ta.file_mode<"env:0", "A", 2, 0>]
    ```
  }];
  let arguments = (ins StrAttr:$name, ArrayAttr:$sources);
  let results = (outs TA_RangeType:$label);
  let assemblyFormat = "$name `from` $sources attr-dict";
  let hasVerifier = 1;
}

def TA_SolveSizeOp : TA_Op<"solve_size"> {
  let summary = "the extent that all sources agree on, at run time";
  let description = [{
    Sources that contradict each other end the program with an error that shows both.

    ```mlir
    %n = ta.solve_size "i" from [#ta.file_mode<"env:0", "A", 2, 0>]
    ```
  }];
  let arguments = (ins StrAttr:$name, ArrayAttr:$sources);
  let results = (outs Index:$size);
  let assemblyFormat = "$name `from` $sources attr-dict";
  let hasVerifier = 1;
}

def TA_RangeSizeOp : TA_Op<"range_size", [Pure]> {
  let summary = "the extent of a label";
  let description = [{
    ```mlir
    // given %i : !ta.range
    %n = ta.range_size %i
    ```
  }];
  let arguments = (ins TA_RangeType:$label);
  let results = (outs Index:$size);
  let assemblyFormat = "$label attr-dict";
}

//===-- Tensor variables -----------------------------------------------------===//

def TA_TensorDeclOp : TA_Op<"tensor_decl"> {
  let summary = "a tensor variable; dense ones hold zeros, others no entry, those of a caller what it passes";
  let description = [{
    One label a mode. The format is the encoding of the result's type; without one all levels are dense.

    In a kernel that other programs call, `argument` is the place of the parameter whose tensor this is, which the caller owns;
    `returned` marks the tensor that the caller gets, `overwritten` that nothing reads what it holds at first.
    `local` is the place of the tensor, in the statement that `ta.distribute` has begun, whose part on this process this is.
    `on` says what each of several processes has: `rows`, a range of the coordinates of the outermost level, or all, `replicated`.
    `copy` marks the copy of an operand that a pass has made because it needs another format, `temporary` a part of a statement that is computed before the rest.

    ```mlir
    // given %i, %j : !ta.range
    %A = ta.tensor_decl "A" [%i, %j] : tensor<?x?xf64, #ta.format<[D, CU]>>
    %x = ta.tensor_decl "x" [%j] {argument = 1 : i64} : tensor<?xf64>
    %y = ta.tensor_decl "y" [%i] {overwritten, returned} : tensor<?xf64>
    %z = ta.tensor_decl "z" [%i] {on = "replicated"} : tensor<?xf64>
    %B = ta.tensor_decl "A" [%i, %j] {copy} : tensor<?x?xf64, #ta.format<[d1 : D, d0 : CU]>>
    ```
  }];
  let arguments = (ins StrAttr:$name, Variadic<TA_RangeType>:$labels, OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$argument,
                   OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$local, OptionalAttr<StrAttr>:$on,
                   UnitAttr:$returned, UnitAttr:$overwritten, UnitAttr:$copy, UnitAttr:$temporary);
  let results = (outs TA_Tensor:$tensor);
  let assemblyFormat = "$name `[` $labels `]` attr-dict `:` type($tensor)";
  let hasVerifier = 1;
}

def TA_ReleaseOp : TA_Op<"release"> {
  let summary = "ends the life of a tensor variable, or of a permutation";
  let description = [{
    ```mlir
    // given %A : tensor<?x?xf64>
    ta.release %A : tensor<?x?xf64>
    ```
  }];
  let arguments = (ins AnyTypeOf<[TA_Tensor, TA_Permutation]>:$tensor);
  let assemblyFormat = "$tensor attr-dict `:` type($tensor)";
}

def TA_MoveOp : TA_Op<"move", [AllTypesMatch<["source", "target"]>]> {
  let summary = "moves the storage of one variable into another of the same type";
  let description = [{
    The source is left empty; it takes constant time.

    ```mlir
    // given %T, %C : tensor<?x?xf64>
    ta.move %T to %C : tensor<?x?xf64>
    ```
  }];
  let arguments = (ins TA_Tensor:$source, TA_Tensor:$target);
  let assemblyFormat = "$source `to` $target attr-dict `:` type($source)";
}

def TA_FillOp : TA_Op<"fill"> {
  let summary = "sets every element of a dense tensor";
  let description = [{
    ```mlir
    // given %B : tensor<?x32xf64>
    ta.fill %B with 1.0 : f64 : tensor<?x32xf64>
    ```
  }];
  let arguments = (ins TA_Tensor:$tensor, TypedAttrInterface:$value);
  let assemblyFormat = "$tensor `with` $value attr-dict `:` type($tensor)";
  let hasVerifier = 1;
}

def TA_LiteralOp : TA_Op<"literal"> {
  let summary = "sets the elements of a tensor, row-major";
  let description = [{
    The entries of a tensor that is not dense are the values that are not 0.

    ```mlir
    // given %x : tensor<2xf64>
    ta.literal %x with dense<[1.0, 2.0]> : tensor<2xf64> : tensor<2xf64>
    ```
  }];
  let arguments = (ins TA_Tensor:$tensor, ElementsAttr:$values);
  let assemblyFormat = "$tensor `with` $values attr-dict `:` type($tensor)";
  let hasVerifier = 1;
}

def TA_ReadOp : TA_Op<"read"> {
  let summary = "reads a file into a tensor";
  let description = [{
    `source` as in `#ta.file_mode`; `triangle` selects entries of a matrix: 1 all, 2 strictly lower, 3 lower, 4 strictly upper, 5 upper.

    ```mlir
    // given %A : tensor<?x?xf64, #ta.format<[D, CU]>>
    ta.read %A from "env:0" {triangle = 1 : i64} : tensor<?x?xf64, #ta.format<[D, CU]>>
    ```
  }];
  let arguments = (ins TA_Tensor:$tensor, StrAttr:$source, ConfinedAttr<I64Attr, [IntMinValue<1>, IntMaxValue<5>]>:$triangle);
  let assemblyFormat = "$tensor `from` $source attr-dict `:` type($tensor)";
  let hasVerifier = 1;
}

def TA_WriteOp : TA_Op<"write"> {
  let summary = "writes a tensor to a file";
  let description = [{
    ```mlir
    // given %A : tensor<?x?xf64>
    ta.write %A to "a.mtx" : tensor<?x?xf64>
    ```
  }];
  let arguments = (ins TA_Tensor:$tensor, StrAttr:$path);
  let assemblyFormat = "$tensor `to` $path attr-dict `:` type($tensor)";
}

def TA_RandomOp : TA_Op<"random"> {
  let summary = "fills a tensor with reproducible random values";
  let description = [{
    `density` is the share of positions that are stored.

    ```mlir
    // given %A : tensor<?x?xf64, #ta.format<[D, CU]>>
    ta.random %A {density = 1.0e-01 : f64, seed = 7 : i64} : tensor<?x?xf64, #ta.format<[D, CU]>>
    ```
  }];
  let arguments = (ins TA_Tensor:$tensor, F64Attr:$density, I64Attr:$seed);
  let assemblyFormat = "$tensor attr-dict `:` type($tensor)";
  let hasVerifier = 1;
}

def TA_ConvertOp : TA_Op<"convert"> {
  let summary = "copies a tensor into a variable of another format, its modes permuted";
  let description = [{
    Mode m of the target is mode `permutation[m]` of the source. `labels` has the program's name for each mode of the target, where it asks for the copy.

    ```mlir
    // given %A : tensor<?x?xf64, #ta.format<[D, CU]>>
    // given %B : tensor<?x?xf64, #ta.format<[CU, CU]>>
    ta.convert %A to %B permutation [1, 0] {labels = ["j", "i"]} : tensor<?x?xf64, #ta.format<[D, CU]>> to tensor<?x?xf64, #ta.format<[CU, CU]>>
    ```
  }];
  let arguments = (ins TA_Tensor:$source, TA_Tensor:$target, DenseI64ArrayAttr:$permutation, OptionalAttr<StrArrayAttr>:$labels);
  let assemblyFormat = "$source `to` $target `permutation` $permutation attr-dict `:` type($source) `to` type($target)";
  let hasVerifier = 1;
}

//===-- Parts of tensors --------------------------------------------------------===//

class TA_PartOp<string mnemonic> : TA_Op<mnemonic> {
  let arguments = (ins TA_Tensor:$whole, TA_Tensor:$part, Variadic<Index>:$from, DenseI64ArrayAttr:$steps, DenseI64ArrayAttr:$shifted);
  let assemblyFormat = "$whole `and` $part `from` `[` $from `]` `steps` $steps `shifted` $shifted attr-dict `:` type($whole) `and` type($part)";
  let hasVerifier = 1;
}

def TA_TakePartOp : TA_PartOp<"take_part"> {
  let summary = "copies a part of a tensor to a variable of its own";
  let description = [{
    Of each mode of the whole tensor the part has every `steps`-th coordinate from `from` on, as many as its own mode has; where the step is 0, it has
    the one coordinate, and no mode for it. A coordinate beyond the tensor is an error, except in the modes of `shifted`, where nothing is there.

    ```mlir
    // given %A : tensor<?x?xf64, #ta.format<[D, CU]>>
    // given %a : tensor<8xf64, #ta.format<[CU]>>
    // given %n, %c0 : index
    ta.take_part %A and %a from [%n, %c0] steps [0, 2] shifted [] : tensor<?x?xf64, #ta.format<[D, CU]>> and tensor<8xf64, #ta.format<[CU]>>
    ```
  }];
}

def TA_PutPartOp : TA_PartOp<"put_part"> {
  let summary = "replaces a part of a tensor by what the variable of the part holds";
  let description = [{
    The part is that of `ta.take_part`. What the tensor holds elsewhere stays.

    ```mlir
    // given %x : tensor<?xf64>
    // given %y : tensor<8xf64>
    // given %c2 : index
    ta.put_part %x and %y from [%c2] steps [1] shifted [] : tensor<?xf64> and tensor<8xf64>
    ```
  }];
}

//===-- New numbers for indices -------------------------------------------------===//

def TA_ReorderOp : TA_Op<"reorder"> {
  let summary = "finds new numbers for the indices of a sparse tensor, one permutation for each mode";
  let description = [{
    `method` is `lexi` (LexiOrder, comet.txt section 7; `iterations` is the most iterations over the modes), `rcm` (reverse Cuthill-McKee, of square
    matrices: both modes get the same numbers), `degree`, or parts for processes, of square matrices: `graph`, and `auto` where fewer rows move
    with them. It looks at the positions of the entries only, and changes nothing: `ta.permute`
    applies the permutations. Where the tensor is not what the method takes, every index keeps its number, and the run time says so.
    With `told`, the run time measures both orders and reports whether the new one is expected to pay (compiler/docs/guides/reordering.md).

    ```mlir
    // given %A : tensor<?x?xf64, #ta.format<[D, CU]>>
    %p, %q = ta.reorder %A by "lexi" {iterations = 3 : i64} : tensor<?x?xf64, #ta.format<[D, CU]>> -> !ta.permutation, !ta.permutation
    ```
  }];
  let arguments = (ins TA_Tensor:$tensor, StrAttr:$method, OptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>>:$iterations, UnitAttr:$told);
  let results = (outs Variadic<TA_Permutation>:$permutations);
  let assemblyFormat = "$tensor `by` $method attr-dict `:` type($tensor) `->` type($permutations)";
  let hasVerifier = 1;
}

def TA_PermuteOp : TA_Op<"permute", [AllTypesMatch<["source", "target"]>]> {
  let summary = "copies a tensor into another of the same type, the indices of some modes with new numbers";
  let description = [{
    `modes` are the modes that get new numbers, in ascending order, each with its permutation: what the source holds at index i of the mode, the target
    holds at the new number of i. With `undone` the other way round: what was permuted gets its old numbers back.

    ```mlir
    // given %B, %C : tensor<?x32xf64>
    // given %p : !ta.permutation
    ta.permute %B to %C modes [0] by [%p] : tensor<?x32xf64>
    ta.permute %C to %B modes [0] by [%p] {undone} : tensor<?x32xf64>
    ```
  }];
  let arguments = (ins TA_Tensor:$source, TA_Tensor:$target, DenseI64ArrayAttr:$modes, Variadic<TA_Permutation>:$permutations, UnitAttr:$undone);
  let assemblyFormat = "$source `to` $target `modes` $modes `by` `[` $permutations `]` attr-dict `:` type($source)";
  let hasVerifier = 1;
}

//===-- Index expressions ------------------------------------------------------===//

def TA_LabeledTensorOp : TA_Op<"labeled_tensor", [MemoryEffects<[MemRead]>]> {
  let summary = "a tensor under labels: an operand of an index expression";
  let description = [{
    ```mlir
    // given %A : tensor<?x?xf64, #ta.format<[D, CU]>>
    // given %i, %j : !ta.range
    %0 = ta.labeled_tensor %A[%i, %j] : tensor<?x?xf64, #ta.format<[D, CU]>> -> !ta.labeled<f64>
    ```
  }];
  let arguments = (ins TA_Tensor:$tensor, Variadic<TA_RangeType>:$labels);
  let results = (outs TA_Labeled:$result);
  let assemblyFormat = "$tensor `[` $labels `]` attr-dict `:` type($tensor) `->` type($result)";
  let hasVerifier = 1;
}

def TA_ScalarOp : TA_Op<"scalar", [Pure]> {
  let summary = "a scalar as an operand of an index expression";
  let description = [{
    ```mlir
    // given %s : f64
    %0 = ta.scalar %s : f64 -> !ta.labeled<f64>
    ```
  }];
  let arguments = (ins TA_Element:$value);
  let results = (outs TA_Labeled:$result);
  let assemblyFormat = "$value attr-dict `:` type($value) `->` type($result)";
  let hasVerifier = 1;
}

def TA_CastOp : TA_Op<"cast", [Pure]> {
  let summary = "the same values in another element type";
  let description = [{
    ```mlir
    // given %0 : !ta.labeled<i64>
    %1 = ta.cast %0 : !ta.labeled<i64> -> !ta.labeled<f64>
    ```
  }];
  let arguments = (ins TA_Labeled:$value);
  let results = (outs TA_Labeled:$result);
  let assemblyFormat = "$value attr-dict `:` type($value) `->` type($result)";
}

def TA_NegOp : TA_Op<"neg", [Pure, SameOperandsAndResultType]> {
  let summary = "the negated value at every point";
  let description = [{
    ```mlir
    // given %0 : !ta.labeled<f64>
    %1 = ta.neg %0 : !ta.labeled<f64>
    ```
  }];
  let arguments = (ins TA_Labeled:$value);
  let results = (outs TA_Labeled:$result);
  let assemblyFormat = "$value attr-dict `:` type($result)";
}

def TA_ApplyOp : TA_Op<"apply", [Pure, SameOperandsAndResultType]> {
  let summary = "a function of the value at every point that is stored";
  let description = [{
    ```mlir
    // given %0 : !ta.labeled<f64>
    %1 = ta.apply "exp" %0 : !ta.labeled<f64>
    ```
  }];
  let arguments = (ins StrAttr:$function, TA_Labeled:$value);
  let results = (outs TA_Labeled:$result);
  let assemblyFormat = "$function $value attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def TA_UniteOp : TA_Op<"unite", [Pure, SameOperandsAndResultType]> {
  let summary = "an operator at every point that either side stores; the missing side counts as 0";
  let description = [{
    ```mlir
    // given %0, %1 : !ta.labeled<f64>
    %2 = ta.unite "add" %0, %1 : !ta.labeled<f64>
    ```
  }];
  let arguments = (ins StrAttr:$op, TA_Labeled:$left, TA_Labeled:$right);
  let results = (outs TA_Labeled:$result);
  let assemblyFormat = "$op $left `,` $right attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def TA_ElementwiseOp : TA_Op<"elementwise", [Pure, SameOperandsAndResultType]> {
  let summary = "a combining operator at every point that both sides store";
  let description = [{
    `op` is an operator of the table of `notation`: `mul`, `div`, `min`, `first`, `lt` and others.

    ```mlir
    // given %0, %1 : !ta.labeled<f64>
    %2 = ta.elementwise "mul" %0, %1 : !ta.labeled<f64>
    ```
  }];
  let arguments = (ins StrAttr:$op, TA_Labeled:$left, TA_Labeled:$right);
  let results = (outs TA_Labeled:$result);
  let assemblyFormat = "$op $left `,` $right attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def TA_ReduceOp : TA_Op<"reduce", [Pure, AllTypesMatch<["value", "result"]>]> {
  let summary = "combines the points along some labels";
  let description = [{
    `op` is `add`, `mul`, `min`, `max`, `any`, `or` or `and`, or the text of an operator of the file, `def …`.

    ```mlir
    // given %2 : !ta.labeled<f64>
    // given %j : !ta.range
    %3 = ta.reduce "add" %2 over [%j] : !ta.labeled<f64>
    ```
  }];
  let arguments = (ins StrAttr:$op, TA_Labeled:$value, Variadic<TA_RangeType>:$labels);
  let results = (outs TA_Labeled:$result);
  let assemblyFormat = "$op $value `over` `[` $labels `]` attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def TA_MaskOp : TA_Op<"mask", [Pure, AllTypesMatch<["value", "result"]>]> {
  let summary = "a value at the points that a mask stores; with `complement`, at those that it does not";
  let description = [{
    A dense mask stores the points where it is not 0. `pull` asks for each point of the mask to be computed by itself; otherwise the points of
    the value are walked and filtered where that is what its loops do.

    ```mlir
    // given %0 : !ta.labeled<f64>
    // given %M : tensor<?x?xf64, #ta.format<[D, CU]>>
    // given %i, %j : !ta.range
    %m = ta.labeled_tensor %M[%i, %j] : tensor<?x?xf64, #ta.format<[D, CU]>> -> !ta.labeled<f64>
    %1 = ta.mask %0 by %m {complement} : !ta.labeled<f64> by !ta.labeled<f64>
    ```
  }];
  let arguments = (ins TA_Labeled:$value, TA_Labeled:$mask, UnitAttr:$complement, UnitAttr:$pull);
  let results = (outs TA_Labeled:$result);
  let assemblyFormat = "$value `by` $mask attr-dict `:` type($value) `by` type($mask)";
  let hasVerifier = 1;
}

def TA_DropOp : TA_Op<"drop", [Pure, AllTypesMatch<["value", "result"]>]> {
  let summary = "a value at the points where a condition is 0 or not stored";
  let description = [{
    ```mlir
    // given %0, %1 : !ta.labeled<f64>
    %2 = ta.drop %0 where %1 : !ta.labeled<f64>, !ta.labeled<f64>
    ```
  }];
  let arguments = (ins TA_Labeled:$value, TA_Labeled:$condition);
  let results = (outs TA_Labeled:$result);
  let assemblyFormat = "$value `where` $condition attr-dict `:` type($value) `,` type($condition)";
}

def TA_SetOp : TA_Op<"set_op"> {
  let summary = "assigns an index expression to a tensor";
  let description = [{
    `beta` is what the old value is scaled by before the expression's is added (comet.txt figure 3): 0 overwrites, 1 accumulates. The
    expression may read the tensor only where it has the same labels there and nothing is reduced.

    ```mlir
    // given %3 : !ta.labeled<f64>
    // given %C : tensor<?x?xf64>
    // given %i, %k : !ta.range
    ta.set_op %3 to %C[%i, %k] {beta = 0.0 : f64} : !ta.labeled<f64>, tensor<?x?xf64>
    ```
  }];
  let arguments = (ins TA_Labeled:$value, TA_Tensor:$tensor, Variadic<TA_RangeType>:$labels, F64Attr:$beta);
  let assemblyFormat = "$value `to` $tensor `[` $labels `]` attr-dict `:` type($value) `,` type($tensor)";
  let hasVerifier = 1;
}

def TA_TcOp : TA_Op<"tc"> {
  let summary = "tensor contraction: output = alpha * product of inputs, summed, + beta * output";
  let description = [{
    The operation of comet.txt section 6.1, for any number of inputs. `indexing_maps` has one permutation-like map for each input and, last, for
    the output; a dimension that the output's map lacks is summed over. `beta` is 0 or 1, and the output is none of the inputs. The formats are those of the operands' types.
    `labels` has the program's name for each dimension; without it they are called as in the declarations of the tensors, where several may share a name.

    ```mlir
    // given %A : tensor<?x?xf64, #ta.format<[D, CU]>>
    // given %B, %C : tensor<?x32xf64>
    ta.tc ins(%A, %B : tensor<?x?xf64, #ta.format<[D, CU]>>, tensor<?x32xf64>) outs(%C : tensor<?x32xf64>) {
      alpha = 1.0 : f64, beta = 0.0 : f64,
      indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d2)>],
      labels = ["i", "k", "j"]}
    ```
  }];
  let arguments = (ins Variadic<TA_Tensor>:$inputs, TA_Tensor:$output, TypedAttrInterface:$alpha, F64Attr:$beta, AffineMapArrayAttr:$indexing_maps,
    OptionalAttr<StrArrayAttr>:$labels);
  let assemblyFormat = "`ins` `(` $inputs `:` type($inputs) `)` `outs` `(` $output `:` type($output) `)` attr-dict";
  let hasVerifier = 1;
}

def TA_GemmOp : TA_Op<"gemm"> {
  let summary = "a contraction of two dense tensors that is a product of matrices: output = alpha * left * right + beta * output";
  let description = [{
    What `ta.tc` is for two inputs, where their storage permits one call of a matrix product, without a copy. The labels of both inputs that the output lacks are
    summed over; those of one input and the output are its rows or columns; for each point of those that all three have there is a product of its own. Of
    the labels that two tensors have and the third one lacks, which are one dimension of a matrix, each stands next to the one before it in the storage of both,
    in the same order. The elements are f32 or f64.

    ```mlir
    // given %A : tensor<40x30x20xf64>
    // given %B : tensor<10x30x20xf64>
    // given %C : tensor<10x40xf64>
    ta.gemm ins(%A, %B : tensor<40x30x20xf64>, tensor<10x30x20xf64>) outs(%C : tensor<10x40xf64>) {
      alpha = 1.0 : f64, beta = 0.0 : f64,
      indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d1, d0)>]}
    ```
  }];
  let arguments = (ins TA_Tensor:$left, TA_Tensor:$right, TA_Tensor:$output, TypedAttrInterface:$alpha, F64Attr:$beta, AffineMapArrayAttr:$indexing_maps);
  let assemblyFormat = "`ins` `(` $left `,` $right `:` type($left) `,` type($right) `)` `outs` `(` $output `:` type($output) `)` attr-dict";
  let hasVerifier = 1;
}

def TA_ExtractOp : TA_Op<"extract", [MemoryEffects<[MemRead]>]> {
  let summary = "the value of a tensor of rank 0";
  let description = [{
    ```mlir
    // given %t : tensor<f64>
    %s = ta.extract %t : tensor<f64> -> f64
    ```
  }];
  let arguments = (ins TA_Tensor:$tensor);
  let results = (outs TA_Element:$result);
  let assemblyFormat = "$tensor attr-dict `:` type($tensor) `->` type($result)";
  let hasVerifier = 1;
}

def TA_MagnitudeOp : TA_Op<"magnitude", [MemoryEffects<[MemRead]>]> {
  let summary = "the largest absolute value that a tensor stores; infinite where one is NaN, 0 where it stores none";
  let description = [{
    ```mlir
    // given %A : tensor<?x?xf64>
    %m = ta.magnitude %A : tensor<?x?xf64>
    ```
  }];
  let arguments = (ins TA_Tensor:$tensor);
  let results = (outs F64:$magnitude);
  let assemblyFormat = "$tensor attr-dict `:` type($tensor)";
}

def TA_CheckedDivOp : TA_Op<"checked_div"> {
  let summary = "the quotient of two integers; division by zero ends the program with an error";
  let description = [{
    ```mlir
    // given %a, %b : i64
    %q = ta.checked_div %a, %b
    ```
  }];
  let arguments = (ins I64:$dividend, I64:$divisor);
  let results = (outs I64:$quotient);
  let assemblyFormat = "$dividend `,` $divisor attr-dict";
}

def TA_CheckedStepOp : TA_Op<"checked_step"> {
  let summary = "the step of a counting loop; zero ends the program with an error";
  let description = [{
    ```mlir
    // given %n : i64
    %s = ta.checked_step %n
    ```
  }];
  let arguments = (ins I64:$step);
  let results = (outs I64:$result);
  let assemblyFormat = "$step attr-dict";
}

//===-- Output -----------------------------------------------------------------===//

def TA_PrintOp : TA_Op<"print"> {
  let summary = "prints the arrays of a tensor, level by level";
  let description = [{
    ```mlir
    // given %A : tensor<?x?xf64>
    ta.print %A : tensor<?x?xf64>
    ```
  }];
  let arguments = (ins TA_Tensor:$tensor);
  let assemblyFormat = "$tensor attr-dict `:` type($tensor)";
}

def TA_PrintScalarOp : TA_Op<"print_scalar"> {
  let summary = "prints a scalar, bare or as an array of one element";
  let description = [{
    ```mlir
    // given %s : f64
    ta.print_scalar %s {bare} : f64
    ```
  }];
  let arguments = (ins TA_Element:$value, UnitAttr:$bare);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}

def TA_PrintTextOp : TA_Op<"print_text"> {
  let summary = "prints a text as it is, without a line break";
  let description = [{
    ```mlir
    ta.print_text "error: "
    ```
  }];
  let arguments = (ins StrAttr:$text);
  let assemblyFormat = "$text attr-dict";
}

def TA_PrintNumberOp : TA_Op<"print_number"> {
  let summary = "prints a scalar as a part of a line";
  let description = [{
    ```mlir
    // given %s : f64
    ta.print_number %s : f64
    ```
  }];
  let arguments = (ins TA_Element:$value);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}

def TA_PrintEntriesOp : TA_Op<"print_entries"> {
  let summary = "prints the entries of a tensor, each on a line: its coordinates from 0, and its value";
  let description = [{
    The order is that of the coordinates in the order of the modes. Explicit zeros are entries, padding is not, and all elements of a dense tensor are.

    ```mlir
    // given %A : tensor<?x?xf64, #ta.format<[D, CU]>>
    ta.print_entries %A : tensor<?x?xf64, #ta.format<[D, CU]>>
    ```
  }];
  let arguments = (ins TA_Tensor:$tensor);
  let assemblyFormat = "$tensor attr-dict `:` type($tensor)";
}

def TA_TimeOp : TA_Op<"time"> {
  let summary = "seconds since an arbitrary moment";
  let description = [{
    ```mlir
    %t = ta.time
    ```
  }];
  let results = (outs F64:$seconds);
  let assemblyFormat = "attr-dict";
}

def TA_IterationOp : TA_Op<"iteration", [MemoryEffects<[MemWrite]>]> {
  let summary = "an iteration of a loop that need not end";
  let description = [{
    Keeps a `while` loop whose body computes nothing that anybody reads: a program that never ends is not one that ends at once. It
    stands first in the body, and is a call that neither MLIR nor LLVM removes.

    ```mlir
    ta.iteration
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def TA_PrintElapsedOp : TA_Op<"print_elapsed"> {
  let summary = "prints the seconds between two moments";
  let description = [{
    ```mlir
    // given %t0, %t1 : f64
    ta.print_elapsed %t0, %t1
    ```
  }];
  let arguments = (ins F64:$start, F64:$end);
  let assemblyFormat = "$start `,` $end attr-dict";
}

//===-- Storage ------------------------------------------------------------------===//
// What loops see of a tensor: one pair of arrays a level and the values (comet.txt figure 4). They are read-only views: nothing may
// replace the variable's storage while they are in use.

def TA_LevelSizeOp : TA_Op<"level_size", [MemoryEffects<[MemRead]>]> {
  let summary = "the number of coordinates of a level";
  let description = [{
    ```mlir
    // given %A : tensor<?x?xf64, #ta.format<[D, CU]>>
    %n = ta.level_size %A, 0 : tensor<?x?xf64, #ta.format<[D, CU]>>
    ```
  }];
  let arguments = (ins TA_Tensor:$tensor, I64Attr:$level);
  let results = (outs Index:$size);
  let assemblyFormat = "$tensor `,` $level attr-dict `:` type($tensor)";
  let hasVerifier = 1;
}

def TA_PositionsOp : TA_Op<"positions", [MemoryEffects<[MemRead]>]> {
  let summary = "the pos array of a level";
  let description = [{
    ```mlir
    // given %A : tensor<?x?xf64, #ta.format<[D, CU]>>
    %pos = ta.positions %A, 1 : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xi32>
    ```
  }];
  let arguments = (ins TA_Tensor:$tensor, I64Attr:$level);
  let results = (outs AnyMemRef:$positions);
  let assemblyFormat = "$tensor `,` $level attr-dict `:` type($tensor) `to` type($positions)";
  let hasVerifier = 1;
}

def TA_CoordinatesOp : TA_Op<"coordinates", [MemoryEffects<[MemRead]>]> {
  let summary = "the crd array of a level";
  let description = [{
    ```mlir
    // given %A : tensor<?x?xf64, #ta.format<[D, CU]>>
    %crd = ta.coordinates %A, 1 : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xi32>
    ```
  }];
  let arguments = (ins TA_Tensor:$tensor, I64Attr:$level);
  let results = (outs AnyMemRef:$coordinates);
  let assemblyFormat = "$tensor `,` $level attr-dict `:` type($tensor) `to` type($coordinates)";
  let hasVerifier = 1;
}

def TA_ValuesOp : TA_Op<"values", [MemoryEffects<[MemRead]>]> {
  let summary = "the array of values";
  let description = [{
    ```mlir
    // given %A : tensor<?x?xf64, #ta.format<[D, CU]>>
    %val = ta.values %A : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xf64>
    ```
  }];
  let arguments = (ins TA_Tensor:$tensor);
  let results = (outs AnyMemRef:$values);
  let assemblyFormat = "$tensor attr-dict `:` type($tensor) `to` type($values)";
  let hasVerifier = 1;
}

//===-- Results in sparse formats ------------------------------------------------===//
// A result is either appended to in storage order, or collected as points in any order and packed. Its arrays move when they grow, so that
// views of them are asked for again.

def TA_AppendBeginOp : TA_Op<"append_begin"> {
  let summary = "empties a tensor whose entries are about to be appended in storage order";
  let description = [{
    Its levels are D, CU, and CN with the S levels right below it.

    ```mlir
    // given %C : tensor<?x?xf64, #ta.format<[D, CU]>>
    ta.append_begin %C : tensor<?x?xf64, #ta.format<[D, CU]>>
    ```
  }];
  let arguments = (ins TA_Tensor:$tensor);
  let assemblyFormat = "$tensor attr-dict `:` type($tensor)";
  let hasVerifier = 1;
}

def TA_AppendGrowOp : TA_Op<"append_grow"> {
  let summary = "makes room for one more coordinate than `count` in a CU or CN level, and for what is below it";
  let description = [{
    ```mlir
    // given %C : tensor<?x?xf64, #ta.format<[D, CU]>>
    // given %count : index
    ta.append_grow %C, 1 beyond %count : tensor<?x?xf64, #ta.format<[D, CU]>>
    ```

    With `if_possible` that is a guess, which is passed over where the memory is not there.
  }];
  let arguments = (ins TA_Tensor:$tensor, I64Attr:$level, Index:$count, UnitAttr:$if_possible);
  let assemblyFormat = "$tensor `,` $level `beyond` $count (`if_possible` $if_possible^)? attr-dict `:` type($tensor)";
  let hasVerifier = 1;
}

def TA_AppendReserveOp : TA_Op<"append_reserve"> {
  let summary = "makes room for exactly `count` coordinates in a CU or CN level, and for what is below it";
  let description = [{
    ```mlir
    // given %C : tensor<?x?xf64, #ta.format<[D, CU]>>
    // given %count : index
    ta.append_reserve %C, 1 of %count : tensor<?x?xf64, #ta.format<[D, CU]>>
    ```
  }];
  let arguments = (ins TA_Tensor:$tensor, I64Attr:$level, Index:$count);
  let assemblyFormat = "$tensor `,` $level `of` $count attr-dict `:` type($tensor)";
  let hasVerifier = 1;
}

def TA_AppendEndOp : TA_Op<"append_end"> {
  let summary = "completes a tensor after the coordinates that its CU and CN levels got, outermost first";
  let description = [{
    Positions of parents that no loop came to are filled in, and the tensor's workspaces are freed.

    ```mlir
    // given %C : tensor<?x?xf64, #ta.format<[D, CU]>>
    // given %count : index
    ta.append_end %C after [%count] : tensor<?x?xf64, #ta.format<[D, CU]>>
    ```
  }];
  let arguments = (ins TA_Tensor:$tensor, Variadic<Index>:$counts);
  let assemblyFormat = "$tensor `after` `[` $counts `]` attr-dict `:` type($tensor)";
  let hasVerifier = 1;
}

def TA_SamePatternOp : TA_Op<"same_pattern"> {
  let summary = "copies the coordinates of another one's outermost levels into a tensor, with room for the values below";
  let description = [{
    So many outermost levels of both tensors are the same ones, D and CU; those of the tensor below them are D. Its values are any.

    ```mlir
    // given %C : tensor<?x?xf64, #ta.format<[CU, CU]>>
    // given %A : tensor<?x?x?xf64, #ta.format<[CU, CU, CU]>>
    ta.same_pattern %C as %A, 2 : tensor<?x?xf64, #ta.format<[CU, CU]>>, tensor<?x?x?xf64, #ta.format<[CU, CU, CU]>>
    ```
  }];
  let arguments = (ins TA_Tensor:$tensor, TA_Tensor:$stored, I64Attr:$levels);
  let assemblyFormat = "$tensor `as` $stored `,` $levels attr-dict `:` type($tensor) `,` type($stored)";
  let hasVerifier = 1;
}

def TA_PartsBeginOp : TA_Op<"parts_begin"> {
  let summary = "lets tasks append to parts of a tensor, so many of them";
  let description = [{
    A part takes the entries of some iterations of the outermost loop, in the same levels. `ta.append_begin` comes before, and what room `ta.append_grow` has
    made is that of the whole.

    ```mlir
    // given %C : tensor<?x?xf64, #ta.format<[D, CU]>>
    // given %count : index
    ta.parts_begin %C, %count : tensor<?x?xf64, #ta.format<[D, CU]>>
    ```
  }];
  let arguments = (ins TA_Tensor:$tensor, Index:$count);
  let assemblyFormat = "$tensor `,` $count attr-dict `:` type($tensor)";
  let hasVerifier = 1;
}

def TA_PartClaimOp : TA_Op<"part_claim"> {
  let summary = "the number of the first part that no task has claimed yet";
  let description = [{
    So the parts before it are complete, or on their way: a complete part goes to its place in the whole when those before it are complete.

    ```mlir
    // given %C : tensor<?x?xf64, #ta.format<[D, CU]>>
    %number = ta.part_claim %C : tensor<?x?xf64, #ta.format<[D, CU]>>
    ```
  }];
  let arguments = (ins TA_Tensor:$tensor);
  let results = (outs Index:$number);
  let assemblyFormat = "$tensor attr-dict `:` type($tensor)";
  let hasVerifier = 1;
}

def TA_PartOp : TA_Op<"part", [AllTypesMatch<["tensor", "part"]>]> {
  let summary = "the part of a tensor that a task appends to";
  let description = [{
    It is empty, with the memory of a part that has come into the whole, if there is one.

    ```mlir
    // given %C : tensor<?x?xf64, #ta.format<[D, CU]>>
    // given %number : index
    %part = ta.part %C, %number : tensor<?x?xf64, #ta.format<[D, CU]>>
    ```
  }];
  let arguments = (ins TA_Tensor:$tensor, Index:$number);
  let results = (outs TA_Tensor:$part);
  let assemblyFormat = "$tensor `,` $number attr-dict `:` type($tensor)";
  let hasVerifier = 1;
}

def TA_PartEndOp : TA_Op<"part_end"> {
  let summary = "completes a part after the coordinates that its CU and CN levels got, outermost first";
  let description = [{
    It has the coordinates of the outermost level from `first` on, up to `last`, without that. Where that level is dense, the positions of its next level
    are the whole tensor's, counted from the part's first one on.

    ```mlir
    // given %C : tensor<?x?xf64, #ta.format<[D, CU]>>
    // given %number, %first, %last, %count : index
    ta.part_end %C, %number from %first to %last after [%count] : tensor<?x?xf64, #ta.format<[D, CU]>>
    ```
  }];
  let arguments = (ins TA_Tensor:$tensor, Index:$number, Index:$first, Index:$last, Variadic<Index>:$counts);
  let assemblyFormat = "$tensor `,` $number `from` $first `to` $last `after` `[` $counts `]` attr-dict `:` type($tensor)";
  let hasVerifier = 1;
}

def TA_PartsEndOp : TA_Op<"parts_end"> {
  let summary = "completes a tensor whose parts are all complete";
  let description = [{
    ```mlir
    // given %C : tensor<?x?xf64, #ta.format<[D, CU]>>
    ta.parts_end %C : tensor<?x?xf64, #ta.format<[D, CU]>>
    ```
  }];
  let arguments = (ins TA_Tensor:$tensor);
  let assemblyFormat = "$tensor attr-dict `:` type($tensor)";
  let hasVerifier = 1;
}

def TA_PointsBeginOp : TA_Op<"points_begin"> {
  let summary = "begins to collect points of a tensor, which combine by a reduction where several come to one element";
  let description = [{
    The accumulator of sparse-workspace.txt section 3: a `list` or a `hash` table with room for a number of points, or for more the more elements there are.
    A `sequence` is a list whose points of one element combine in the order in which they come.
    Where `counted` names a workspace, the run time reports what has happened to its points.

    ```mlir
    // given %C : tensor<?x?xf64, #ta.format<[CU, CU]>>
    ta.points_begin %C "add" "hash" 1024 counted "W" : tensor<?x?xf64, #ta.format<[CU, CU]>>
    ```
  }];
  let arguments = (ins TA_Tensor:$tensor, StrAttr:$reduction, StrAttr:$kind, OptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>>:$capacity, OptionalAttr<StrAttr>:$counted);
  let assemblyFormat = "$tensor $reduction $kind ($capacity^)? (`counted` $counted^)? attr-dict `:` type($tensor)";
  let hasVerifier = 1;
}

def TA_PointsStateOp : TA_Op<"points_state"> {
  let summary = "what generated code knows and keeps of an accumulator of points";
  let description = [{
    Three numbers: of points in it, of those that generated code may bring it to, and of hits, points that came to one of their element. Then for each level of the tensor by how many bits its coordinate is shifted in the key of a point.
    `comet_runtime::abi::points_state` names their places. Generated code that puts a point into the room counts it here. It may not where the second number is 0: a key takes several words.

    ```mlir
    // given %C : tensor<?x?xf64, #ta.format<[CU, CU]>>
    %state = ta.points_state %C : tensor<?x?xf64, #ta.format<[CU, CU]>> to memref<?xi64>
    ```
  }];
  let arguments = (ins TA_Tensor:$tensor);
  let results = (outs MemRefRankOf<[I64], [1]>:$array);
  let assemblyFormat = "$tensor attr-dict `:` type($tensor) `to` type($array)";
}

def TA_PointsRoomOp : TA_Op<"points_room"> {
  let summary = "the room of an accumulator of points, until the next `ta.insert` or `ta.points_next`";
  let description = [{
    A key and the bits of a value for each point. A slot of a hash table without a point has the key -1.

    ```mlir
    // given %C : tensor<?x?xf64, #ta.format<[CU, CU]>>
    %room = ta.points_room %C : tensor<?x?xf64, #ta.format<[CU, CU]>> to memref<?xi64>
    ```
  }];
  let arguments = (ins TA_Tensor:$tensor);
  let results = (outs MemRefRankOf<[I64], [1]>:$array);
  let assemblyFormat = "$tensor attr-dict `:` type($tensor) `to` type($array)";
}

def TA_PointsNextOp : TA_Op<"points_next"> {
  let summary = "ends a block of a parallel loop: the points of the next one are accumulated apart";
  let description = [{
    Blocks are merged two by two in an order that only their number decides, so that values combine in the same way however many tasks run them.

    ```mlir
    // given %C : tensor<?x?xf64, #ta.format<[CU, CU]>>
    ta.points_next %C : tensor<?x?xf64, #ta.format<[CU, CU]>>
    ```
  }];
  let arguments = (ins TA_Tensor:$tensor);
  let assemblyFormat = "$tensor attr-dict `:` type($tensor)";
}

def TA_InsertOp : TA_Op<"insert"> {
  let summary = "adds a point to a tensor that collects them";
  let description = [{
    ```mlir
    // given %C : tensor<?x?xf64, #ta.format<[CU, CU]>>
    // given %i, %j : index
    // given %value : f64
    ta.insert %value to %C[%i, %j] : f64, tensor<?x?xf64, #ta.format<[CU, CU]>>
    ```
  }];
  let arguments = (ins TA_Element:$value, TA_Tensor:$tensor, Variadic<Index>:$coordinates);
  let assemblyFormat = "$value `to` $tensor `[` $coordinates `]` attr-dict `:` type($value) `,` type($tensor)";
  let hasVerifier = 1;
}

def TA_PointsEndOp : TA_Op<"points_end"> {
  let summary = "combines the points that a tensor has collected, and packs them";
  let description = [{
    ```mlir
    // given %C : tensor<?x?xf64, #ta.format<[CU, CU]>>
    ta.points_end %C : tensor<?x?xf64, #ta.format<[CU, CU]>>
    ```
  }];
  let arguments = (ins TA_Tensor:$tensor);
  let assemblyFormat = "$tensor attr-dict `:` type($tensor)";
}

def TA_WorkspaceOp : TA_Op<"workspace"> {
  let summary = "zeros that live until the tensor that is computed is complete";
  let description = [{
    As many as the product of the sizes, which the run time forms: where it fits no memory, the program ends there.

    ```mlir
    // given %C : tensor<?x?xf64, #ta.format<[D, CU]>>
    // given %n, %m : index
    %w = ta.workspace %C, [%n, %m] : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xf64>
    ```
  }];
  let arguments = (ins TA_Tensor:$tensor, Variadic<Index>:$sizes);
  let results = (outs MemRefRankOf<[I8, I32, I64, F32, F64], [1]>:$array);
  let assemblyFormat = "$tensor `,` `[` $sizes `]` attr-dict `:` type($tensor) `to` type($array)";
}

def TA_WorkspacesEndOp : TA_Op<"workspaces_end"> {
  let summary = "frees the workspaces of a dense tensor, which has no entries whose end would free them";
  let description = [{
    ```mlir
    // given %y : tensor<?xf64>
    ta.workspaces_end %y : tensor<?xf64>
    ```
  }];
  let arguments = (ins TA_Tensor:$tensor);
  let assemblyFormat = "$tensor attr-dict `:` type($tensor)";
}

def TA_CollectMarkedOp : TA_Op<"collect_marked"> {
  let summary = "lists the elements of a dense workspace that are marked, in order, takes the marks away and returns their number";
  let description = [{
    There is a mark for each of `size` elements, and behind them, from a multiple of 64 on, one for each stretch of 2 to the `shift` elements,
    again up to a multiple of 64. Where an element is marked, its stretch is, too. A stretch has 64 elements or more.

    ```mlir
    // given %marks : memref<?xi8>
    // given %size, %shift : index
    // given %list : memref<?xi32>
    %count = ta.collect_marked %marks of %size by %shift into %list : memref<?xi8>, memref<?xi32>
    ```
  }];
  let arguments = (ins MemRefRankOf<[I8], [1]>:$marks, Index:$size, Index:$shift, MemRefRankOf<[I32, I64], [1]>:$list);
  let results = (outs Index:$count);
  let assemblyFormat = "$marks `of` $size `by` $shift `into` $list attr-dict `:` type($marks) `,` type($list)";
}

def TA_CountDenseOp : TA_Op<"count_dense"> {
  let summary = "counts one use of a dense workspace: its bytes, the values that came, the elements that they came to";
  let description = [{
    With `sorted`, the elements are put in order; they are cleared in any case.

    ```mlir
    // given %bytes, %inserts, %touched : index
    ta.count_dense "w" of %bytes, %inserts to %touched sorted
    ```
  }];
  let arguments = (ins StrAttr:$name, Index:$bytes, Index:$inserts, Index:$touched, UnitAttr:$sorted);
  let assemblyFormat = "$name `of` $bytes `,` $inserts `to` $touched (`sorted` $sorted^)? attr-dict";
}

//===-- Several processes -------------------------------------------------------===//

def TA_DistributeOp : TA_Op<"distribute"> {
  let summary = "provides what this process needs of the tensors of a statement";
  let description = [{
    `statement` has the labels of each tensor, as `comet_abi::distribution` reads it; the last tensor is the one that is assigned. Until `ta.collect`,
    `ta.local_extent` is the extent of a label on this process, and `ta.tensor_decl` with `local` the part of the tensor in that place.

    ```mlir
    // given %A : tensor<?x?xf64, #ta.format<[D, CU]>>
    // given %x : tensor<?xf64>
    // given %y : tensor<?xf64>
    ta.distribute "A(0,1) x(1) y(0)" on %A, %x, %y : tensor<?x?xf64, #ta.format<[D, CU]>>, tensor<?xf64>, tensor<?xf64>
    ```
  }];
  let arguments = (ins StrAttr:$statement, Variadic<TA_Tensor>:$tensors);
  let assemblyFormat = "$statement `on` $tensors attr-dict `:` type($tensors)";
}

def TA_DistributePiecesOp : TA_Op<"distribute_pieces"> {
  let summary = "has a statement be computed in pieces, and returns how many";
  let description = [{
    `statement` and `tensors` are those of `ta.distribute`, and `statement` says how long pieces are. The loop over the pieces begins each with
    `ta.begin_piece`, and ends it with `ta.collect`; the result is complete behind the last one. The number is the same on all processes.

    ```mlir
    // given %A : tensor<?x?xf64, #ta.format<[D, CU]>>
    // given %x : tensor<?xf64>
    // given %y : tensor<?xf64>
    %count = ta.distribute_pieces "A(0,1) x(1) y(0); divides 0; along 0; pieces of 100" on %A, %x, %y : tensor<?x?xf64, #ta.format<[D, CU]>>, tensor<?xf64>, tensor<?xf64>
    ```
  }];
  let arguments = (ins StrAttr:$statement, Variadic<TA_Tensor>:$tensors);
  let results = (outs Index:$count);
  let assemblyFormat = "$statement `on` $tensors attr-dict `:` type($tensors)";
}

def TA_BeginPieceOp : TA_Op<"begin_piece"> {
  let summary = "provides what this process needs of tensors for a piece of a statement";
  let description = [{
    Does for a piece what `ta.distribute` does for a statement. Pieces are begun in their order, each once.

    ```mlir
    // given %number : index
    ta.begin_piece %number
    ```
  }];
  let arguments = (ins Index:$number);
  let assemblyFormat = "$number attr-dict";
}

def TA_LocalExtentOp : TA_Op<"local_extent", [MemoryEffects<[MemRead]>]> {
  let summary = "the extent of a label of the statement on this process";
  let description = [{
    ```mlir
    %n = ta.local_extent 0
    ```
  }];
  let arguments = (ins I64Attr:$label);
  let results = (outs Index:$size);
  let assemblyFormat = "$label attr-dict";
}

def TA_CollectOp : TA_Op<"collect"> {
  let summary = "takes the result of a statement from its local part";
  let description = [{
    Ends what `ta.distribute` or `ta.begin_piece` has begun.

    ```mlir
    ta.collect
    ```
  }];
  let assemblyFormat = "attr-dict";
}

//===-- Other machines ----------------------------------------------------------===//

def TA_LaunchOp : TA_Op<"launch"> {
  let summary = "runs a piece of the program that is no code of it: a dataflow graph on its simulator";
  let description = [{
    Pieces are numbered in the order of the program. The first argument is the tensor that the piece computes, whose storage is replaced; the others
    are tensors that it reads, numbers and extents. Who runs the program runs the piece, and says what the arguments are for.

    ```mlir
    // given %y : tensor<?xf64>
    // given %A : tensor<?x?xf64, #ta.format<[D, CU]>>
    // given %alpha : f64
    // given %n : index
    ta.launch 0 on %y, %A, %alpha, %n : tensor<?xf64>, tensor<?x?xf64, #ta.format<[D, CU]>>, f64, index
    ```
  }];
  let arguments = (ins I64Attr:$number, Variadic<AnyTypeOf<[TA_Tensor, TA_Element, Index]>>:$arguments);
  let assemblyFormat = "$number `on` $arguments attr-dict `:` type($arguments)";
  let hasVerifier = 1;
}

#endif // COMET_TA_OPS_TD
