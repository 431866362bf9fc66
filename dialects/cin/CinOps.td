//===- CinOps.td - the operations of the cin dialect -----------*- tablegen -*-===//

#ifndef COMET_CIN_OPS_TD
#define COMET_CIN_OPS_TD

include "CinDialect.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class CIN_Op<string mnemonic, list<Trait> traits = []> : Op<Cin_Dialect, mnemonic, traits>;

def CIN_ComputeOp : CIN_Op<"compute", [NoTerminator, SingleBlock, NoRegionArguments]> {
  let summary = "one statement of the program, with its index variables and loops";
  let description = [{
    A sparse tensor that is assigned to begins empty, except where an assignment is `in_place`.

    Schedules and passes say with attributes how it is computed: `counted`, that the entries of the sparse result are counted before they are stored;
    `appended`, that they are appended, whatever the operands store; `dense_rows`, that rows which are scattered into get dense workspaces whatever their
    extent is; `located` names the operands in which dataflow graphs look for the coordinates of others.

    ```mlir
    // given %b, %y : tensor<?xf64>
    // given %n : index
    cin.compute {
      %i = cin.index_var "i" size %n
      cin.forall %i {
        %0 = cin.access %b[%i] : tensor<?xf64> -> f64
        cin.assign %0 to %y[%i] set : f64, tensor<?xf64>
      }
    }
    ```
  }];
  let arguments = (ins UnitAttr:$counted, UnitAttr:$appended, UnitAttr:$dense_rows, OptionalAttr<StrArrayAttr>:$located);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "attr-dict-with-keyword $body";
  let hasRegionVerifier = 1;
}

//===-- Index variables and their relations ---------------------------------------===//

def CIN_IndexVarOp : CIN_Op<"index_var"> {
  let summary = "an index variable of the expression";
  let description = [{
    ```mlir
    // given %n : index
    %i = cin.index_var "i" size %n
    ```
  }];
  let arguments = (ins StrAttr:$name, Index:$size);
  let results = (outs CIN_IndexType:$var);
  let assemblyFormat = "$name `size` $size attr-dict";
}

def CIN_SplitOp : CIN_Op<"split"> {
  let summary = "strip-mines a variable: var = outer * factor + inner, inner below factor";
  let description = [{
    `commanded` marks a split that a schedule asks for, and not a format.

    ```mlir
    // given %i : !cin.index
    %io, %ii = cin.split %i by 32 names "io", "ii"
    ```
  }];
  let arguments = (ins CIN_IndexType:$var, I64Attr:$factor, StrAttr:$outer_name, StrAttr:$inner_name, UnitAttr:$commanded);
  let results = (outs CIN_IndexType:$outer, CIN_IndexType:$inner);
  let assemblyFormat = "$var `by` $factor `names` $outer_name `,` $inner_name attr-dict";
  let hasVerifier = 1;
}

def CIN_DivideOp : CIN_Op<"divide"> {
  let summary = "divides a variable's range into a given number of blocks: outer below parts";
  let description = [{
    `commanded` is that of `cin.split`.

    ```mlir
    // given %i : !cin.index
    %io, %ii = cin.divide %i into 4 names "io", "ii"
    ```
  }];
  let arguments = (ins CIN_IndexType:$var, I64Attr:$parts, StrAttr:$outer_name, StrAttr:$inner_name, UnitAttr:$commanded);
  let results = (outs CIN_IndexType:$outer, CIN_IndexType:$inner);
  let assemblyFormat = "$var `into` $parts `names` $outer_name `,` $inner_name attr-dict";
  let hasVerifier = 1;
}

def CIN_FuseOp : CIN_Op<"fuse"> {
  let summary = "one variable over the pairs of two";
  let description = [{
    ```mlir
    // given %i, %j : !cin.index
    %f = cin.fuse %i, %j name "f"
    ```
  }];
  let arguments = (ins CIN_IndexType:$outer, CIN_IndexType:$inner, StrAttr:$name);
  let results = (outs CIN_IndexType:$fused);
  let assemblyFormat = "$outer `,` $inner `name` $name attr-dict";
  let hasVerifier = 1;
}

def CIN_PosOp : CIN_Op<"pos"> {
  let summary = "a variable over the stored positions of a tensor's level instead of its coordinates";
  let description = [{
    The positions count from 0 under what the loops around fix. Those of a fused variable are the positions of all levels that it is made of, down to the given one.

    ```mlir
    // given %i, %j : !cin.index
    // given %A : tensor<?x?xf64, #ta.format<[D, CU]>>
    %jp = cin.pos %j in %A[%i, %j] level 1 name "jp" : tensor<?x?xf64, #ta.format<[D, CU]>>
    ```
  }];
  let arguments = (ins CIN_IndexType:$var, CIN_Tensor:$tensor, Variadic<CIN_IndexType>:$indices, I64Attr:$level, StrAttr:$name);
  let results = (outs CIN_IndexType:$position);
  let assemblyFormat = "$var `in` $tensor `[` $indices `]` `level` $level `name` $name attr-dict `:` type($tensor)";
  let hasVerifier = 1;
}

def CIN_BoundOp : CIN_Op<"bound"> {
  let summary = "the same variable with a range known to the compiler";
  let description = [{
    ```mlir
    // given %i : !cin.index
    %ib = cin.bound %i to 64 name "ib"
    ```
  }];
  let arguments = (ins CIN_IndexType:$var, I64Attr:$size, StrAttr:$name);
  let results = (outs CIN_IndexType:$bounded);
  let assemblyFormat = "$var `to` $size `name` $name attr-dict";
  let hasVerifier = 1;
}

//===-- Statements ------------------------------------------------------------------===//

def CIN_ForallOp : CIN_Op<"forall", [NoTerminator, SingleBlock, NoRegionArguments]> {
  let summary = "runs its statements for every value of an index variable";
  let description = [{
    Which values those are follows from the levels that the accesses in it have at the variable. `parallel`, with a number of tasks or without, `unroll` and
    `vectorize` say how it is run and never change the result. So do the attributes for accelerators: `skip`, that intersections at the loop skip
    coordinates; `bitvector`, the bits of the words that its coordinates come in; `setting`, the setting of the environment that the number of tasks is, and
    `command`, the place of the command that says so; `communicated` names the tensor that is stored after the loop.

    ```mlir
    // given %i, %j, %k : !cin.index
    cin.forall %i {
      cin.forall %k unroll 4 vectorize 8 {
      }
    }
    cin.forall %j parallel cpu tasks 4 {
    }
    ```
  }];
  let arguments = (ins CIN_IndexType:$var, OptionalAttr<CIN_ParallelUnit>:$parallel, OptionalAttr<I64Attr>:$tasks,
    OptionalAttr<I64Attr>:$unroll, OptionalAttr<I64Attr>:$vectorize, UnitAttr:$skip, OptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>>:$bitvector,
    OptionalAttr<StrAttr>:$setting, OptionalAttr<CIN_Location>:$command, OptionalAttr<StrAttr>:$communicated);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $var (`parallel` $parallel^)? (`tasks` $tasks^)? (`unroll` $unroll^)? (`vectorize` $vectorize^)? attr-dict-with-keyword $body
  }];
  let hasVerifier = 1;
}

def CIN_WhereOp : CIN_Op<"where", [NoTerminator, NoRegionArguments]> {
  let summary = "runs the producer, then the consumer of what it left in a temporary";
  let description = [{
    The notation's `consumer where producer`.

    ```mlir
    // given %i, %j : !cin.index
    // given %t : tensor<f64>
    // given %A : tensor<?x?xf64, #ta.format<[D, CU]>>
    // given %y : tensor<?xf64>
    cin.where {
      %1 = cin.access %t[] : tensor<f64> -> f64
      cin.assign %1 to %y[%i] set : f64, tensor<?xf64>
    } producer {
      cin.forall %j {
        %0 = cin.access %A[%i, %j] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
        cin.assign %0 to %t[] add : f64, tensor<f64>
      }
    }
    ```
  }];
  let regions = (region SizedRegion<1>:$consumer, SizedRegion<1>:$producer);
  let assemblyFormat = "$consumer `producer` $producer attr-dict";
  let hasRegionVerifier = 1;
}

def CIN_AssignOp : CIN_Op<"assign"> {
  let summary = "stores a value at the point that the index variables name, or combines it with what is there";
  let description = [{
    `set` overwrites; the others combine with the value that is there. The tensor's topological order is that of `cin.access`.

    ```mlir
    // given %0 : f64
    // given %y : tensor<?xf64>
    // given %i : !cin.index
    cin.assign %0 to %y[%i] add : f64, tensor<?xf64>
    ```

    An operator of the file is written as its text, in which values are numbered from the two operands on:

    ```mlir
    // given %0 : f64
    // given %y : tensor<?xf64>
    // given %i : !cin.index
    cin.assign %0 to %y[%i] "def hypot2 f64 identity 0.0 associative commutative : mul 0 0; mul 1 1; add 2 3; sqrt 4 -> 5" : f64, tensor<?xf64>
    ```

    `in_place` keeps the coordinates that a sparse target has, and replaces its values. The compute must read the target at the same index variables, which the
    verifier of `cin.compute` checks.

    ```mlir
    // given %A : tensor<?x?xf64, #ta.format<[D, CU]>>
    // given %n : index
    cin.compute {
      %i = cin.index_var "i" size %n
      %j = cin.index_var "j" size %n
      cin.forall %i {
        cin.forall %j {
          %0 = cin.access %A[%i, %j] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
          %1 = cin.apply exp %0 : f64
          cin.assign %1 to %A[%i, %j] set in_place : f64, tensor<?x?xf64, #ta.format<[D, CU]>>
        }
      }
    }
    ```

    It may claim to be `concordant`: the loops around it bring points in the target's order; others may run between them. Or to be `discordant`, with the header of
    sparse-workspace.txt section 2: the loops that bring points, and the order that the target stores them in. The verifier of `cin.compute` checks it.

    ```mlir
    // given %A : tensor<?x?xf64, #ta.format<[D, CU]>>
    // given %B : tensor<?x?xf64, #ta.format<[d1 : D, d0 : CU]>>
    // given %n : index
    cin.compute {
      %i = cin.index_var "i" size %n
      %j = cin.index_var "j" size %n
      cin.forall %i {
        cin.forall %j {
          %0 = cin.access %A[%i, %j] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
          cin.assign %0 to %B[%i, %j] order [%j, %i] set discordant header [i, j] -> [j, i] : f64, tensor<?x?xf64, #ta.format<[d1 : D, d0 : CU]>>
        }
      }
    }
    ```
  }];
  let arguments = (ins CIN_Element:$value, CIN_Tensor:$tensor, Variadic<CIN_IndexType>:$indices, CIN_ReductionWord:$reduction,
    UnitAttr:$in_place, OptionalAttr<CIN_Claim>:$claim, OptionalAttr<StrArrayAttr>:$header_from, OptionalAttr<StrArrayAttr>:$header_to);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Whether what it claims about the order in which points come is so.
    ::llvm::LogicalResult verifyClaim();

    /// The names of the loops that bring points and of what the target's levels store, both outermost first;
    /// and whether the points come in the order of the levels.
    std::pair<::mlir::ArrayAttr, bool> deriveOrders();
  }];
}

def CIN_TemporaryOp : CIN_Op<"temporary"> {
  let summary = "a workspace";
  let description = [{
    `scalar` and `registers` are kept as values of the loops; `dense`, `hash` and `list` are the accumulators of sparse-workspace.txt section 3, with a capacity in
    points where one is given; `levels` is stored in the levels of its format, as a tensor is. It lives as long as the block it stands in.

    ```mlir
    %t = cin.temporary "t" scalar : tensor<f64>
    %w = cin.temporary "w" hash 1024 : tensor<?x?xf64, #ta.format<[D, CU]>>
    %l = cin.temporary "l" levels : tensor<?xf64, #ta.format<[CU]>>
    ```
  }];
  let arguments = (ins StrAttr:$name, CIN_WorkspaceKind:$kind, OptionalAttr<I64Attr>:$capacity);
  let results = (outs CIN_Tensor:$tensor);
  let assemblyFormat = "$name $kind ($capacity^)? attr-dict `:` type($tensor)";
  let hasVerifier = 1;
}

def CIN_MapOp : CIN_Op<"map", [NoTerminator, SingleBlock, NoRegionArguments]> {
  let summary = "hands a statement to a function of the back end";
  let description = [{
    The `map` of stardust.txt section 7: `function` of `backend` runs the statement with `factor` lanes. `setting` and `command` are those of `cin.forall`.

    ```mlir
    cin.map "spatial" "reduction" factor 16 {
    }
    ```
  }];
  let arguments = (ins StrAttr:$backend, StrAttr:$function, I64Attr:$factor, OptionalAttr<StrAttr>:$setting, OptionalAttr<CIN_Location>:$command);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$backend $function `factor` $factor attr-dict-with-keyword $body";
  let hasVerifier = 1;
}

def CIN_EnvironmentOp : CIN_Op<"environment"> {
  let summary = "a named number that the back end reads (stardust.txt section 7)";
  let description = [{
    ```mlir
    cin.environment "ip" = 16
    ```
  }];
  let arguments = (ins StrAttr:$name, I64Attr:$value);
  let assemblyFormat = "$name `=` $value attr-dict";
}

def CIN_CommandOp : CIN_Op<"command"> {
  let summary = "a command of a schedule, for `cin-schedule` to carry out";
  let description = [{
    It names index variables and tensors by the names that they are declared with; an expression is a list of an operator and its operands. In front of an assignment of tensors it is about the loops that the assignment becomes;
    in a `cin.compute`, about those of the compute. Commands run in their order.

    ```mlir
    cin.command "split" ["i", "io", "ii", 32]
    cin.command "order" ["io", "j", "ii"]
    cin.command "precompute" [["mul", ["access", "A", "i"], ["scalar"]], ["i"], ["iw"], "W", "i32 (0 : CU)"]
    ```
  }];
  let arguments = (ins StrAttr:$name, ArrayAttr:$arguments);
  let assemblyFormat = "$name $arguments attr-dict";
  let hasVerifier = 1;
}

//===-- Values ------------------------------------------------------------------------===//

def CIN_AccessOp : CIN_Op<"access", [MemoryEffects<[MemRead]>]> {
  let summary = "the element of a tensor at the point that the index variables name";
  let description = [{
    It is printed with the tensor's topological order (sparse-workspace.txt section 2): the index variables in the order of the levels, or the parts of them that levels
    store, where that is not the order of the modes. The order follows from the format; one that a text states is compared with it.

    ```mlir
    // given %A : tensor<?x?xf64, #ta.format<[D, CU]>>
    // given %B : tensor<?x?xf64, #ta.format<[d1 : D, d0 : CU]>>
    // given %i, %j : !cin.index
    %0 = cin.access %A[%i, %j] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
    %1 = cin.access %B[%i, %j] order [%j, %i] : tensor<?x?xf64, #ta.format<[d1 : D, d0 : CU]>> -> f64
    ```
  }];
  let arguments = (ins CIN_Tensor:$tensor, Variadic<CIN_IndexType>:$indices);
  let results = (outs CIN_Element:$value);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def CIN_UniteOp : CIN_Op<"unite", [Pure, SameOperandsAndResultType]> {
  let summary = "a binary operator that unites the patterns of its operands; a missing one is 0";
  let description = [{
    ```mlir
    // given %0, %1 : f64
    %2 = cin.unite add %0, %1 : f64
    ```
  }];
  let arguments = (ins CIN_Operator:$op, CIN_Element:$left, CIN_Element:$right);
  let results = (outs CIN_Element:$result);
  let assemblyFormat = "$op $left `,` $right attr-dict `:` type($result)";
}

def CIN_CombineOp : CIN_Op<"combine", [Pure, SameOperandsAndResultType]> {
  let summary = "a binary operator that intersects the patterns of its operands";
  let description = [{
    ```mlir
    // given %0, %1 : f64
    %2 = cin.combine mul %0, %1 : f64
    ```
  }];
  let arguments = (ins CIN_Operator:$op, CIN_Element:$left, CIN_Element:$right);
  let results = (outs CIN_Element:$result);
  let assemblyFormat = "$op $left `,` $right attr-dict `:` type($result)";
}

def CIN_MaskOp : CIN_Op<"mask", [Pure, AllTypesMatch<["value", "result"]>]> {
  let summary = "a value where the mask is stored; with `complement`, where it is not";
  let description = [{
    A dense mask is stored where it is not 0.

    ```mlir
    // given %A, %M : tensor<?x?xf64, #ta.format<[D, CU]>>
    // given %i, %j : !cin.index
    %0 = cin.access %A[%i, %j] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
    %1 = cin.access %M[%i, %j] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
    %2 = cin.mask %0 by %1 : f64 by f64
    ```
  }];
  let arguments = (ins CIN_Element:$value, CIN_Element:$mask, UnitAttr:$complement);
  let results = (outs CIN_Element:$result);
  let assemblyFormat = "$value `by` $mask attr-dict `:` type($value) `by` type($mask)";
  let hasVerifier = 1;
}

def CIN_DropOp : CIN_Op<"drop", [Pure, AllTypesMatch<["value", "result"]>]> {
  let summary = "a value where a condition is 0 or missing";
  let description = [{
    ```mlir
    // given %0, %1 : f64
    %2 = cin.drop %0 where %1 : f64, f64
    ```
  }];
  let arguments = (ins CIN_Element:$value, CIN_Element:$condition);
  let results = (outs CIN_Element:$result);
  let assemblyFormat = "$value `where` $condition attr-dict `:` type($value) `,` type($condition)";
}

def CIN_ApplyOp : CIN_Op<"apply", [Pure, SameOperandsAndResultType]> {
  let summary = "a function of a value, where there is one";
  let description = [{
    ```mlir
    // given %0 : f64
    %1 = cin.apply exp %0 : f64
    ```
  }];
  let arguments = (ins CIN_Function:$function, CIN_Element:$value);
  let results = (outs CIN_Element:$result);
  let assemblyFormat = "$function $value attr-dict `:` type($result)";
}

def CIN_NegOp : CIN_Op<"neg", [Pure, SameOperandsAndResultType]> {
  let summary = "the negated value";
  let description = [{
    ```mlir
    // given %0 : f64
    %1 = cin.neg %0 : f64
    ```
  }];
  let arguments = (ins CIN_Element:$value);
  let results = (outs CIN_Element:$result);
  let assemblyFormat = "$value attr-dict `:` type($result)";
}

def CIN_CastOp : CIN_Op<"cast", [Pure]> {
  let summary = "the same value in another element type";
  let description = [{
    ```mlir
    // given %0 : i64
    %1 = cin.cast %0 : i64 -> f64
    ```
  }];
  let arguments = (ins CIN_Element:$value);
  let results = (outs CIN_Element:$result);
  let assemblyFormat = "$value attr-dict `:` type($value) `->` type($result)";
}

#endif // COMET_CIN_OPS_TD
