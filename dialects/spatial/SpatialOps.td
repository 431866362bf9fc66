//===- SpatialOps.td - the operations of the spatial dialect ---*- tablegen -*-===//

#ifndef COMET_SPATIAL_OPS_TD
#define COMET_SPATIAL_OPS_TD

include "SpatialDialect.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class SPATIAL_Op<string mnemonic, list<Trait> traits = []> : Op<Spatial_Dialect, mnemonic, traits>;

// What has a name in the text; in IR its value is called so too.
class SPATIAL_NamedOp<string mnemonic, list<Trait> traits = []>
    : SPATIAL_Op<mnemonic, !listconcat(traits, [DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>])> {
  let extraClassDefinition = [{
    void $cppClass::getAsmResultNames(::mlir::OpAsmSetValueNameFn setName) { setName(getResult(), getName()); }
  }];
}

// A value that depends on nothing but its operands.
class SPATIAL_PureOp<string mnemonic, list<Trait> traits = []> : SPATIAL_Op<mnemonic, !listconcat([SPATIAL_Part, NoMemoryEffect], traits)>;

// A value that depends on when it is asked for.
class SPATIAL_MomentaryOp<string mnemonic, list<Trait> traits = []> : SPATIAL_Op<mnemonic, !listconcat([SPATIAL_Part, SPATIAL_Momentary], traits)>;

class SPATIAL_ElementOf<string memory, string value>
    : TypesMatchWith<"the type of `" # value # "` is that of the elements of `" # memory # "`", memory, value, "::comet::spatial::getElement($_self)">;
class SPATIAL_BeginsWith<string memory, string value>
    : OptionalTypesMatchWith<"the type of `" # value # "` is that of the elements of `" # memory # "`", memory, value,
                             "::comet::spatial::getElement($_self)">;
class SPATIAL_SameElement<string one, string other>
    : PredOpTrait<"the elements of `" # one # "` and `" # other # "` are of one type",
                  CPred<"::comet::spatial::getElement($" # one # ".getType()) == ::comet::spatial::getElement($" # other # ".getType())">>;
class SPATIAL_ArrayFor<string memory, string array>
    : TypesMatchWith<"`" # array # "` is an array for `" # memory # "`", memory, array,
                     "::comet::spatial::ArrayType::get($_self.getContext(), ::comet::spatial::getElement($_self))">;

//===-- Applications --------------------------------------------------------------===//

def SPATIAL_AppOp : SPATIAL_Op<"app", [NoTerminator, SingleBlock, NoRegionArguments]> {
  let summary = "an application: what the host does, and one part for the accelerator";
  let description = [{
    It declares tensors, numbers, parameters and names of types, and has statements of the host, one of which is `spatial.accel`. All that is used inside is made
    inside, but for the tensors and numbers of the program. The comment tells what is computed, line by line; the arguments are those of the command line where no others are given.

    ```mlir
    // given %a : tensor<?xf64>
    // given %b : tensor<?xf64>
    spatial.app "Twice" comment ["a(i) = 2 * b(i)"] {
      spatial.tensor "b" operand of %b : tensor<?xf64>
      spatial.tensor "a" result of %a : tensor<?xf64>
      %n_max = spatial.parameter "n_max" = 1000
      spatial.alias "V" = f64
      %b_vals_d = spatial.dram "b_vals_d" size %n_max as "V" : !spatial.dram<f64>
      %a_vals_d = spatial.dram "a_vals_d" size %n_max as "V" : !spatial.dram<f64>
      %b_vals_h = spatial.load_csv "b_vals_h" from "b_vals.csv" as "V" : !spatial.array<f64>
      spatial.set_mem %b_vals_d = %b_vals_h : !spatial.dram<f64>
      %n = spatial.arg_in "n" : !spatial.arg_in<i32>
      %length = spatial.length %b_vals_h : !spatial.array<f64>
      spatial.set_arg %n = %length : !spatial.arg_in<i32>
      spatial.accel {
        %depth = spatial.int 16 : i32
        %b_vals = spatial.fifo "b_vals" depth %depth as "V" : !spatial.fifo<f64>
        %zero = spatial.int 0 : i32
        %all = spatial.get %n : !spatial.arg_in<i32>
        spatial.load %b_vals from %b_vals_d[%zero to %all] : !spatial.fifo<f64>, !spatial.dram<f64>
        %a_vals = spatial.fifo "a_vals" depth %depth as "V" : !spatial.fifo<f64>
        %stop = spatial.get %n : !spatial.arg_in<i32>
        %one = spatial.int 1 : i32
        %rounds = spatial.counter to %stop by %one par %one
        spatial.foreach over %rounds as (%i "i") {
          %two = spatial.int 2 : f64
          %element = spatial.dequeue %b_vals : !spatial.fifo<f64>
          %product = spatial.binary multiply %two, %element : f64
          spatial.enqueue %product to %a_vals : !spatial.fifo<f64>
        }
        %base = spatial.int 0 : i32
        %len = spatial.get %n : !spatial.arg_in<i32>
        spatial.stream_store %a_vals to %a_vals_d[%base len %len] : !spatial.fifo<f64>, !spatial.dram<f64>
      }
      %a_vals_h = spatial.get_mem "a_vals_h" from %a_vals_d : !spatial.dram<f64>
      spatial.write_csv %a_vals_h to "a_vals.csv" : !spatial.array<f64>
    }
    ```
  }];
  let arguments = (ins SPATIAL_Name:$name, OptionalAttr<StrArrayAttr>:$comment, OptionalAttr<StrArrayAttr>:$arguments);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$name (`comment` $comment^)? (`arguments` $arguments^)? attr-dict-with-keyword $body";
  let hasRegionVerifier = 1;
}

def SPATIAL_TensorOp : SPATIAL_Op<"tensor", [SPATIAL_OfHost]> {
  let summary = "a tensor of the program, whose arrays the application has";
  let description = [{
    How it is stored and what its elements are is in its type.

    ```mlir
    // given %a : tensor<?x?xf64, #ta.format<[D, CU]>>
    spatial.tensor "A" operand of %a : tensor<?x?xf64, #ta.format<[D, CU]>>
    ```
  }];
  let arguments = (ins SPATIAL_Name:$name, SPATIAL_Role:$role, SPATIAL_Tensor:$source);
  let assemblyFormat = "$name $role `of` $source attr-dict `:` type($source)";
  let hasVerifier = 1;
}

def SPATIAL_NumberOp : SPATIAL_Op<"number", [SPATIAL_OfHost]> {
  let summary = "a number of the program, which the application reads from a file of that name";
  let description = [{
    ```mlir
    // given %alpha : f64
    spatial.number "alpha" of %alpha : f64
    ```
  }];
  let arguments = (ins SPATIAL_Name:$name, SPATIAL_ProgramNumber:$source);
  let assemblyFormat = "$name `of` $source attr-dict `:` type($source)";
}

def SPATIAL_ParameterOp : SPATIAL_NamedOp<"parameter", [SPATIAL_OfHost]> {
  let summary = "a parameter of the application, with its default";
  let description = [{
    ```mlir
    %bp = spatial.parameter "bp" = 2
    ```
  }];
  let arguments = (ins SPATIAL_Name:$name, I64Attr:$value);
  let results = (outs I32:$result);
  let assemblyFormat = "$name `=` $value attr-dict";
  let hasVerifier = 1;
}

def SPATIAL_AliasOp : SPATIAL_Op<"alias", [SPATIAL_OfHost]> {
  let summary = "another name for a type";
  let description = [{
    What is declared with a type says under which name, where it has another one: `as "T"`.

    ```mlir
    spatial.alias "T" = i32
    spatial.alias "W" = i32 as "T"
    ```
  }];
  let arguments = (ins SPATIAL_Name:$name, SPATIAL_ElementAttr:$type, SPATIAL_Alias:$alias);
  let assemblyFormat = "$name `=` $type (`as` $alias^)? attr-dict";
}

def SPATIAL_ValOp : SPATIAL_NamedOp<"val", [SameOperandsAndResultType]> {
  let summary = "a value that has a name";
  let description = [{
    It is evaluated here, and may be used as often as one likes.

    ```mlir
    // given %m : !spatial.sram<i32>
    // given %i : i32
    %start = spatial.read %m[%i] : !spatial.sram<i32>
    %jB_start = spatial.val "jB_start" = %start : i32
    ```
  }];
  let arguments = (ins SPATIAL_Name:$name, SPATIAL_ScalarOrText:$value);
  let results = (outs SPATIAL_ScalarOrText:$result);
  let assemblyFormat = "$name `=` $value attr-dict `:` type($value)";
}

//===-- The host ------------------------------------------------------------------===//

def SPATIAL_ArgInOp : SPATIAL_NamedOp<"arg_in", [SPATIAL_OfHost]> {
  let summary = "declares a number that the host gives to the accelerator";
  let description = [{
    ```mlir
    %n = spatial.arg_in "n" : !spatial.arg_in<i32>
    ```
  }];
  let arguments = (ins SPATIAL_Name:$name, SPATIAL_Alias:$alias);
  let results = (outs SPATIAL_ArgIn:$result);
  let assemblyFormat = "$name (`as` $alias^)? attr-dict `:` type($result)";
}

def SPATIAL_ArgOutOp : SPATIAL_NamedOp<"arg_out", [SPATIAL_OfHost]> {
  let summary = "declares a number that the accelerator gives to the host";
  let description = [{
    ```mlir
    %sum = spatial.arg_out "sum" : !spatial.arg_out<f64>
    ```
  }];
  let arguments = (ins SPATIAL_Name:$name, SPATIAL_Alias:$alias);
  let results = (outs SPATIAL_ArgOut:$result);
  let assemblyFormat = "$name (`as` $alias^)? attr-dict `:` type($result)";
}

def SPATIAL_DramOp : SPATIAL_NamedOp<"dram", [SPATIAL_OfHost]> {
  let summary = "declares a memory off the chip";
  let description = [{
    ```mlir
    // given %n : i32
    %B_vals_d = spatial.dram "B_vals_d" size %n : !spatial.dram<f64>
    ```
  }];
  let arguments = (ins SPATIAL_Name:$name, I32:$size, SPATIAL_Alias:$alias);
  let results = (outs SPATIAL_Dram:$result);
  let assemblyFormat = "$name `size` $size (`as` $alias^)? attr-dict `:` type($result)";
}

def SPATIAL_LoadCsvOp : SPATIAL_NamedOp<"load_csv", [SPATIAL_OfHost]> {
  let summary = "an array of the numbers of a file";
  let description = [{
    ```mlir
    %B2_pos_h = spatial.load_csv "B2_pos_h" from "B2_pos.csv" : !spatial.array<i32>
    ```
  }];
  let arguments = (ins SPATIAL_Name:$name, SPATIAL_File:$file, SPATIAL_Alias:$alias);
  let results = (outs SPATIAL_Array:$result);
  let assemblyFormat = "$name `from` $file (`as` $alias^)? attr-dict `:` type($result)";
}

def SPATIAL_GetMemOp : SPATIAL_NamedOp<"get_mem", [SPATIAL_OfHost, SPATIAL_ArrayFor<"dram", "result">]> {
  let summary = "an array of what a DRAM holds";
  let description = [{
    ```mlir
    // given %y_vals_d : !spatial.dram<f64>
    %y_vals_h = spatial.get_mem "y_vals_h" from %y_vals_d : !spatial.dram<f64>
    ```
  }];
  let arguments = (ins SPATIAL_Name:$name, SPATIAL_Dram:$dram);
  let results = (outs SPATIAL_Array:$result);
  let assemblyFormat = "$name `from` $dram attr-dict `:` type($dram)";
}

def SPATIAL_SetMemOp : SPATIAL_Op<"set_mem", [SPATIAL_OfHost, SPATIAL_ArrayFor<"dram", "array">]> {
  let summary = "fills a DRAM with an array";
  let description = [{
    ```mlir
    // given %B_vals_d : !spatial.dram<f64>
    // given %B_vals_h : !spatial.array<f64>
    spatial.set_mem %B_vals_d = %B_vals_h : !spatial.dram<f64>
    ```
  }];
  let arguments = (ins SPATIAL_Dram:$dram, SPATIAL_Array:$array);
  let assemblyFormat = "$dram `=` $array attr-dict `:` type($dram)";
}

def SPATIAL_SetArgOp : SPATIAL_Op<"set_arg", [SPATIAL_OfHost, SPATIAL_ElementOf<"argument", "value">]> {
  let summary = "gives a number to the accelerator";
  let description = [{
    ```mlir
    // given %n : !spatial.arg_in<i32>
    // given %length : i32
    spatial.set_arg %n = %length : !spatial.arg_in<i32>
    ```
  }];
  let arguments = (ins SPATIAL_ArgIn:$argument, SPATIAL_Scalar:$value);
  let assemblyFormat = "$argument `=` $value attr-dict `:` type($argument)";
}

def SPATIAL_WriteCsvOp : SPATIAL_Op<"write_csv", [SPATIAL_OfHost]> {
  let summary = "writes an array to a file, one number a line";
  let description = [{
    ```mlir
    // given %y_vals_h : !spatial.array<f64>
    spatial.write_csv %y_vals_h to "y_vals.csv" : !spatial.array<f64>
    ```
  }];
  let arguments = (ins SPATIAL_Array:$array, SPATIAL_File:$file);
  let assemblyFormat = "$array `to` $file attr-dict `:` type($array)";
}

def SPATIAL_PrintOp : SPATIAL_Op<"print", [SPATIAL_OfHost]> {
  let summary = "prints a value on a line";
  let description = [{
    ```mlir
    // given %sum : f64
    spatial.print %sum : f64
    ```
  }];
  let arguments = (ins SPATIAL_ScalarOrText:$value);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}

def SPATIAL_PrintArrayOp : SPATIAL_Op<"print_array", [SPATIAL_OfHost]> {
  let summary = "prints an array, behind a text";
  let description = [{
    ```mlir
    // given %y_vals_h : !spatial.array<f64>
    spatial.print_array %y_vals_h after "y: " : !spatial.array<f64>
    spatial.print_array %y_vals_h : !spatial.array<f64>
    ```
  }];
  let arguments = (ins SPATIAL_Array:$array, OptionalAttr<StrAttr>:$text);
  let assemblyFormat = "$array (`after` $text^)? attr-dict `:` type($array)";
}

def SPATIAL_AssertOp : SPATIAL_Op<"assert", [SPATIAL_OfHost]> {
  let summary = "ends the application where a condition does not hold";
  let description = [{
    ```mlir
    // given %same : i1
    spatial.assert %same
    ```
  }];
  let arguments = (ins I1:$condition);
  let assemblyFormat = "$condition attr-dict";
}

def SPATIAL_TabulateOp : SPATIAL_Op<"tabulate", [SPATIAL_OfHost, SingleBlock,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames", "getAsmBlockArgumentNames"]>]> {
  let summary = "an array of computed values";
  let description = [{
    Each from its number. The type of the elements is `inferred` where the text does not say it.

    ```mlir
    // given %n : i32
    %squares = spatial.tabulate "squares" size %n as (%i "i") {
      %square = spatial.binary multiply %i, %i : i32
      spatial.yield %square : i32
    } : !spatial.array<i32>
    ```
  }];
  let arguments = (ins SPATIAL_Name:$name, I32:$size, UnitAttr:$inferred, SPATIAL_Alias:$alias, StrArrayAttr:$binders);
  let regions = (region SizedRegion<1>:$body);
  let results = (outs SPATIAL_Array:$result);
  let assemblyFormat = "$name `size` $size (`inferred` $inferred^)? (`of` $alias^)? `as` custom<Pattern>($body, $binders) attr-dict `:` type($result)";
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDefinition = [{
    void $cppClass::getAsmResultNames(::mlir::OpAsmSetValueNameFn setName) { setName(getResult(), getName()); }
    void $cppClass::getAsmBlockArgumentNames(::mlir::Region &body, ::mlir::OpAsmSetValueNameFn setName) {
      ::comet::spatial::nameBinders(getBinders(), body, setName);
    }
  }];
}

def SPATIAL_LengthOp : SPATIAL_PureOp<"length", [SPATIAL_OfHost]> {
  let summary = "the number of elements of an array";
  let description = [{
    ```mlir
    // given %B2_crd_h : !spatial.array<i32>
    %nnz = spatial.length %B2_crd_h : !spatial.array<i32>
    ```
  }];
  let arguments = (ins SPATIAL_Array:$array);
  let results = (outs I32:$result);
  let assemblyFormat = "$array attr-dict `:` type($array)";
}

def SPATIAL_ArgumentOp : SPATIAL_PureOp<"argument", [SPATIAL_OfHost]> {
  let summary = "an argument of the command line, by its number";
  let description = [{
    ```mlir
    %zero = spatial.int 0 : i32
    %first = spatial.argument %zero
    %n = spatial.cast %first : !spatial.text to i32
    ```
  }];
  let arguments = (ins I32:$number);
  let results = (outs SPATIAL_Text:$result);
  let assemblyFormat = "$number attr-dict";
}

def SPATIAL_GetArgOp : SPATIAL_MomentaryOp<"get_arg", [SPATIAL_OfHost, SPATIAL_ElementOf<"argument", "result">]> {
  let summary = "what an argument holds, for the host";
  let description = [{
    ```mlir
    // given %sum : !spatial.arg_out<f64>
    %value = spatial.get_arg %sum : !spatial.arg_out<f64>
    ```
  }];
  let arguments = (ins SPATIAL_Asked:$argument);
  let results = (outs SPATIAL_Scalar:$result);
  let assemblyFormat = "$argument attr-dict `:` type($argument)";
}

def SPATIAL_TextOp : SPATIAL_PureOp<"text", [SPATIAL_OfHost]> {
  let summary = "a text as it is";
  let description = [{
    ```mlir
    %0 = spatial.text "the sum is"
    ```
  }];
  let arguments = (ins StrAttr:$value);
  let results = (outs SPATIAL_Text:$result);
  let assemblyFormat = "$value attr-dict";
}

//===-- The accelerator: memories -------------------------------------------------===//

def SPATIAL_AccelOp : SPATIAL_Op<"accel", [NoTerminator, SingleBlock, NoRegionArguments, HasParent<"AppOp">, SPATIAL_OfHost]> {
  let summary = "what the accelerator does";
  let description = [{
    ```mlir
    spatial.app "Nothing" {
      spatial.accel {
      }
    }
    ```
  }];
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "attr-dict-with-keyword $body";
}

def SPATIAL_SramOp : SPATIAL_NamedOp<"sram", [SPATIAL_OfAccelerator]> {
  let summary = "declares a dense SRAM";
  let description = [{
    It may be said that each round of the pipeline around that is under way has a copy of its own, `buffered`, or that all share one, `shared`.

    ```mlir
    // given %n : i32
    %B2_pos = spatial.sram "B2_pos" size %n : !spatial.sram<i32>
    %w = spatial.sram "w" buffered size %n : !spatial.sram<f64>
    %y = spatial.sram "y" shared size %n : !spatial.sram<f64>
    ```
  }];
  let arguments = (ins SPATIAL_Name:$name, UnitAttr:$buffered, UnitAttr:$shared, I32:$size, SPATIAL_Alias:$alias);
  let results = (outs SPATIAL_Sram:$result);
  let assemblyFormat = "$name (`buffered` $buffered^)? (`shared` $shared^)? `size` $size (`as` $alias^)? attr-dict `:` type($result)";
}

def SPATIAL_SparseSramOp : SPATIAL_NamedOp<"sparse_sram", [SPATIAL_OfAccelerator]> {
  let summary = "declares a sparse SRAM";
  let description = [{
    `par` is how many rounds of a pattern around it use it at once. It may be `swizzled`, and have barriers where accesses list none, `guarded`. `buffered`
    and `shared` are those of `spatial.sram`.

    ```mlir
    // given %n, %par : i32
    %x = spatial.sparse_sram "x" size %n : !spatial.sparse_sram<f64>
    %y = spatial.sparse_sram "y" par %par guarded size %n : !spatial.sparse_sram<f64>
    %z = spatial.sparse_sram "z" par %par swizzled guarded size %n : !spatial.sparse_sram<f64>
    %w = spatial.sparse_sram "w" buffered size %n : !spatial.sparse_sram<f64>
    ```
  }];
  let arguments = (ins SPATIAL_Name:$name, Optional<I32>:$par, UnitAttr:$swizzled, UnitAttr:$guarded, UnitAttr:$buffered, UnitAttr:$shared, I32:$size,
    SPATIAL_Alias:$alias);
  let results = (outs SPATIAL_SparseSram:$result);
  let assemblyFormat = [{
    $name (`par` $par^)? (`swizzled` $swizzled^)? (`guarded` $guarded^)? (`buffered` $buffered^)? (`shared` $shared^)? `size` $size
    (`as` $alias^)? attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
}

def SPATIAL_SparseDramOp : SPATIAL_NamedOp<"sparse_dram", [SPATIAL_OfAccelerator]> {
  let summary = "declares accesses of single elements of a DRAM";
  let description = [{
    `par` is how many copies of a body use them at once. Which DRAM it is says `spatial.bind`.

    ```mlir
    // given %n, %par : i32
    %x = spatial.sparse_dram "x" par %par size %n : !spatial.sparse_dram<f64>
    ```
  }];
  let arguments = (ins SPATIAL_Name:$name, I32:$par, I32:$size, SPATIAL_Alias:$alias);
  let results = (outs SPATIAL_SparseDram:$result);
  let assemblyFormat = "$name `par` $par `size` $size (`as` $alias^)? attr-dict `:` type($result)";
}

def SPATIAL_BindOp : SPATIAL_Op<"bind", [SPATIAL_OfAccelerator, SPATIAL_SameElement<"memory", "dram">]> {
  let summary = "says whose elements a sparse DRAM has";
  let description = [{
    ```mlir
    // given %n, %par : i32
    // given %x_d : !spatial.dram<f64>
    %x = spatial.sparse_dram "x" par %par size %n : !spatial.sparse_dram<f64>
    spatial.bind %x to %x_d : !spatial.sparse_dram<f64>, !spatial.dram<f64>
    ```
  }];
  let arguments = (ins SPATIAL_SparseDram:$memory, SPATIAL_Dram:$dram);
  let assemblyFormat = "$memory `to` $dram attr-dict `:` type($memory) `,` type($dram)";
}

def SPATIAL_FifoOp : SPATIAL_NamedOp<"fifo", [SPATIAL_OfAccelerator]> {
  let summary = "declares a FIFO, or a bit vector";
  let description = [{
    ```mlir
    // given %depth : i32
    %B2_crd = spatial.fifo "B2_crd" depth %depth : !spatial.fifo<i32>
    %bits = spatial.fifo "bits" depth %depth : !spatial.bits
    %even = spatial.fifo "even" retiming depth %depth : !spatial.fifo<f64>
    ```
  }];
  let arguments = (ins SPATIAL_Name:$name, UnitAttr:$retiming, I32:$depth, SPATIAL_Alias:$alias);
  let results = (outs SPATIAL_Fifo:$result);
  let assemblyFormat = "$name (`retiming` $retiming^)? `depth` $depth (`as` $alias^)? attr-dict `:` type($result)";
}

def SPATIAL_RegOp : SPATIAL_NamedOp<"reg", [SPATIAL_OfAccelerator, SPATIAL_BeginsWith<"result", "init">]> {
  let summary = "declares a register, with its value at the beginning of its block";
  let description = [{
    ```mlir
    // given %zero : f64
    %sum = spatial.reg "sum" init %zero : !spatial.reg<f64>
    %any = spatial.reg "any" : !spatial.reg<i1>
    %all = spatial.reg "all" shared init %zero : !spatial.reg<f64>
    ```
  }];
  let arguments = (ins SPATIAL_Name:$name, UnitAttr:$buffered, UnitAttr:$shared, Optional<SPATIAL_Scalar>:$init, SPATIAL_Alias:$alias);
  let results = (outs SPATIAL_Reg:$result);
  let assemblyFormat = "$name (`buffered` $buffered^)? (`shared` $shared^)? (`init` $init^)? (`as` $alias^)? attr-dict `:` type($result)";
}

def SPATIAL_BarrierOp : SPATIAL_NamedOp<"barrier", [SPATIAL_OfAccelerator]> {
  let summary = "declares a barrier, with the tokens that it has at first";
  let description = [{
    ```mlir
    // given %zero : i32
    %done = spatial.barrier "done" init %zero
    ```
  }];
  let arguments = (ins SPATIAL_Name:$name, I32:$init);
  let results = (outs SPATIAL_Barrier:$result);
  let assemblyFormat = "$name `init` $init attr-dict";
}

//===-- The accelerator: statements -----------------------------------------------===//

def SPATIAL_WriteOp : SPATIAL_Op<"write", [SPATIAL_OfAccelerator, SPATIAL_ElementOf<"memory", "value">]> {
  let summary = "writes an element of an SRAM or a sparse DRAM";
  let description = [{
    ```mlir
    // given %A2_pos : !spatial.sram<i32>
    // given %i, %end : i32
    spatial.write %A2_pos[%i] = %end : !spatial.sram<i32>
    ```
  }];
  let arguments = (ins SPATIAL_Writable:$memory, I32:$index, SPATIAL_Scalar:$value);
  let assemblyFormat = "$memory `[` $index `]` `=` $value attr-dict `:` type($memory)";
}

def SPATIAL_SetOp : SPATIAL_Op<"set", [SPATIAL_OfAccelerator, SPATIAL_ElementOf<"reg", "value">]> {
  let summary = "sets a register, or an argument for the host";
  let description = [{
    ```mlir
    // given %r : !spatial.reg<f64>
    // given %x : f64
    spatial.set %r = %x : !spatial.reg<f64>
    ```
  }];
  let arguments = (ins SPATIAL_Settable:$reg, SPATIAL_Scalar:$value);
  let assemblyFormat = "$reg `=` $value attr-dict `:` type($reg)";
}

def SPATIAL_EnqueueOp : SPATIAL_Op<"enqueue", [SPATIAL_OfAccelerator, SPATIAL_ElementOf<"fifo", "value">]> {
  let summary = "adds an element to a FIFO, where a condition holds";
  let description = [{
    ```mlir
    // given %A_vals : !spatial.fifo<f64>
    // given %x : f64
    // given %there : i1
    spatial.enqueue %x to %A_vals : !spatial.fifo<f64>
    spatial.enqueue %x to %A_vals if %there : !spatial.fifo<f64>
    ```
  }];
  let arguments = (ins SPATIAL_Fifo:$fifo, SPATIAL_Scalar:$value, Optional<I1>:$enable);
  let assemblyFormat = "$value `to` $fifo (`if` $enable^)? attr-dict `:` type($fifo)";
}

def SPATIAL_ModifyOp : SPATIAL_Op<"modify", [SPATIAL_OfAccelerator, SPATIAL_ElementOf<"memory", "value">]> {
  let summary = "reads, modifies and writes an element of a sparse SRAM or DRAM at once";
  let description = [{
    The access waits for a token of each barrier that it lists with `pop`, and adds one to those with `push` when it is done.

    ```mlir
    // given %y : !spatial.sparse_sram<f64>
    // given %i : i32
    // given %x : f64
    // given %done, %next : !spatial.barrier
    spatial.modify %y[%i] add %x "ordered" : !spatial.sparse_sram<f64>
    spatial.modify %y[%i] add %x "ordered" barriers(pop %next, push %done) : !spatial.sparse_sram<f64>
    ```
  }];
  let arguments = (ins SPATIAL_AnySparse:$memory, I32:$index, SPATIAL_Scalar:$value, Variadic<SPATIAL_Barrier>:$barriers,
    SPATIAL_Modification:$with, SPATIAL_Order:$order, SPATIAL_Actions:$actions);
  let assemblyFormat = [{
    $memory `[` $index `]` $with $value $order (`barriers` `(` custom<Barriers>($barriers, $actions)^ `)`)? attr-dict `:` type($memory)
  }];
  let hasVerifier = 1;
}

def SPATIAL_BarrierWriteOp : SPATIAL_Op<"barrier_write", [SPATIAL_OfAccelerator, SPATIAL_ElementOf<"memory", "value">]> {
  let summary = "writes an element of a sparse SRAM or DRAM, with barriers";
  let description = [{
    They are those of `spatial.modify`.

    ```mlir
    // given %y : !spatial.sparse_sram<f64>
    // given %i : i32
    // given %x : f64
    // given %done : !spatial.barrier
    spatial.barrier_write %y[%i] = %x barriers(push %done) : !spatial.sparse_sram<f64>
    ```
  }];
  let arguments = (ins SPATIAL_AnySparse:$memory, I32:$index, SPATIAL_Scalar:$value, Variadic<SPATIAL_Barrier>:$barriers, SPATIAL_Actions:$actions);
  let assemblyFormat = [{
    $memory `[` $index `]` `=` $value (`barriers` `(` custom<Barriers>($barriers, $actions)^ `)`)? attr-dict `:` type($memory)
  }];
  let hasVerifier = 1;
}

def SPATIAL_LoadOp : SPATIAL_Op<"load", [SPATIAL_OfAccelerator, SPATIAL_SameElement<"memory", "dram">]> {
  let summary = "brings a part of a DRAM to an SRAM or a FIFO";
  let description = [{
    Elements from the first on, up to the one in front of the last, so many at once.

    ```mlir
    // given %B2_crd : !spatial.fifo<i32>
    // given %B2_crd_d : !spatial.dram<i32>
    // given %start, %end, %par : i32
    spatial.load %B2_crd from %B2_crd_d[%start to %end] : !spatial.fifo<i32>, !spatial.dram<i32>
    spatial.load %B2_crd from %B2_crd_d[%start to %end par %par] : !spatial.fifo<i32>, !spatial.dram<i32>
    ```
  }];
  let arguments = (ins SPATIAL_OnChip:$memory, SPATIAL_Dram:$dram, I32:$from, I32:$to, Optional<I32>:$par);
  let assemblyFormat = "$memory `from` $dram `[` $from `to` $to (`par` $par^)? `]` attr-dict `:` type($memory) `,` type($dram)";
}

def SPATIAL_StoreOp : SPATIAL_Op<"store", [SPATIAL_OfAccelerator, SPATIAL_SameElement<"memory", "dram">]> {
  let summary = "brings an SRAM or a FIFO to a part of a DRAM";
  let description = [{
    ```mlir
    // given %y_vals : !spatial.sram<f64>
    // given %y_vals_d : !spatial.dram<f64>
    // given %start, %end, %par : i32
    spatial.store %y_vals to %y_vals_d[%start to %end par %par] : !spatial.sram<f64>, !spatial.dram<f64>
    ```
  }];
  let arguments = (ins SPATIAL_OnChip:$memory, SPATIAL_Dram:$dram, I32:$from, I32:$to, Optional<I32>:$par);
  let assemblyFormat = "$memory `to` $dram `[` $from `to` $to (`par` $par^)? `]` attr-dict `:` type($memory) `,` type($dram)";
}

def SPATIAL_StreamLoadOp : SPATIAL_Op<"stream_load", [SPATIAL_OfAccelerator, SPATIAL_SameElement<"fifo", "dram">]> {
  let summary = "brings so many elements of a DRAM to a FIFO";
  let description = [{
    ```mlir
    // given %B_vals : !spatial.fifo<f64>
    // given %B_vals_d : !spatial.dram<f64>
    // given %base, %len : i32
    spatial.stream_load %B_vals from %B_vals_d[%base len %len] : !spatial.fifo<f64>, !spatial.dram<f64>
    ```
  }];
  let arguments = (ins SPATIAL_Fifo:$fifo, SPATIAL_Dram:$dram, I32:$base, I32:$len);
  let assemblyFormat = "$fifo `from` $dram `[` $base `len` $len `]` attr-dict `:` type($fifo) `,` type($dram)";
}

def SPATIAL_StreamStoreOp : SPATIAL_Op<"stream_store", [SPATIAL_OfAccelerator, SPATIAL_SameElement<"fifo", "dram">]> {
  let summary = "brings so many elements of a FIFO to a DRAM";
  let description = [{
    ```mlir
    // given %A_vals : !spatial.fifo<f64>
    // given %A_vals_d : !spatial.dram<f64>
    // given %base, %len : i32
    spatial.stream_store %A_vals to %A_vals_d[%base len %len] : !spatial.fifo<f64>, !spatial.dram<f64>
    ```
  }];
  let arguments = (ins SPATIAL_Fifo:$fifo, SPATIAL_Dram:$dram, I32:$base, I32:$len);
  let assemblyFormat = "$fifo `to` $dram `[` $base `len` $len `]` attr-dict `:` type($fifo) `,` type($dram)";
}

def SPATIAL_GenBitvectorOp : SPATIAL_Op<"gen_bitvector", [SPATIAL_OfAccelerator]> {
  let summary = "makes a bit vector of coordinates";
  let description = [{
    It takes `len` coordinates and sets bit c - shift of `max` for each. Coordinates rise.

    ```mlir
    // given %crd : !spatial.fifo<i32>
    // given %bits : !spatial.bits
    // given %shift, %max, %len : i32
    spatial.gen_bitvector %bits from %crd shift %shift max %max len %len : !spatial.fifo<i32>
    ```
  }];
  let arguments = (ins I32:$shift, I32:$max, I32:$len, SPATIAL_CrdFifo:$crd, SPATIAL_Bits:$bits);
  let assemblyFormat = "$bits `from` $crd `shift` $shift `max` $max `len` $len attr-dict `:` type($crd)";
}

//===-- The accelerator: patterns -------------------------------------------------===//

def SPATIAL_CounterOp : SPATIAL_PureOp<"counter", [SPATIAL_OfAccelerator, AttrSizedOperandSegments]> {
  let summary = "the rounds of a counter";
  let description = [{
    Its values begin at 0, where nothing else is said, and stay below a number. So many rounds run at once.

    ```mlir
    // given %n, %one, %par : i32
    %0 = spatial.counter to %n by %one
    %1 = spatial.counter from %one to %n by %one par %par
    ```
  }];
  let arguments = (ins Optional<I32>:$from, I32:$to, I32:$step, Optional<I32>:$par);
  let results = (outs SPATIAL_Rounds:$result);
  let assemblyFormat = "(`from` $from^)? `to` $to `by` $step (`par` $par^)? attr-dict";
}

def SPATIAL_ScanOp : SPATIAL_MomentaryOp<"scan", [SPATIAL_OfAccelerator]> {
  let summary = "the bits of a vector that are 1";
  let description = [{
    Of `len` bits. A round has the coordinate of the bit, and its number among those that are 1.

    ```mlir
    // given %bits : !spatial.bits
    // given %n, %par : i32
    %0 = spatial.scan %bits par %par len %n
    ```
  }];
  let arguments = (ins I32:$par, I32:$len, SPATIAL_Bits:$bits);
  let results = (outs SPATIAL_Rounds:$result);
  let assemblyFormat = "$bits `par` $par `len` $len attr-dict";
}

def SPATIAL_ScanTwoOp : SPATIAL_MomentaryOp<"scan_two", [SPATIAL_OfAccelerator]> {
  let summary = "the bits that are 1 in one of two vectors, or in both";
  let description = [{
    A round has the coordinate, its number among the bits of the first vector, or -1, its number among those of the result, and its number among those of the
    second vector, or -1.

    ```mlir
    // given %a, %b : !spatial.bits
    // given %n, %par : i32
    %0 = spatial.scan_two or %a, %b par %par len %n
    %1 = spatial.scan_two and %a, %b par %par len %n
    ```
  }];
  let arguments = (ins I32:$par, I32:$len, SPATIAL_ScanMode:$mode, SPATIAL_Bits:$first, SPATIAL_Bits:$second);
  let results = (outs SPATIAL_Rounds:$result);
  let assemblyFormat = "$mode $first `,` $second `par` $par `len` $len attr-dict";
}

// A pattern has a body with what an iteration has as arguments, under the names of the text.
class SPATIAL_PatternOp<string mnemonic, list<Trait> traits> : SPATIAL_Op<mnemonic,
    !listconcat(traits, [SPATIAL_OfAccelerator, SingleBlock, DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>])> {
  let regions = (region SizedRegion<1>:$body);
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDefinition = [{
    void $cppClass::getAsmBlockArgumentNames(::mlir::Region &body, ::mlir::OpAsmSetValueNameFn setName) {
      ::comet::spatial::nameBinders(getBinders(), body, setName);
    }
  }];
}

def SPATIAL_ForeachOp : SPATIAL_PatternOp<"foreach", [NoTerminator]> {
  let summary = "does something in each round";
  let description = [{
    Over one or more counters, the last of which is the fastest, or over a scan.

    ```mlir
    // given %n, %m, %one : i32
    // given %bits : !spatial.bits
    %rows = spatial.counter to %n by %one
    %columns = spatial.counter to %m by %one
    spatial.foreach over %rows, %columns as (%i "i", %j "j") {
    }
    %set = spatial.scan %bits par %one len %n
    spatial.foreach over %set as (%k "k", %place "place") {
    }
    ```

    Where there are controllers in its body, these are the stages of a pipeline: while one round is in a stage, the next one is in the stage in front of it.
    `sequential`: a round begins when the one before it is done. `streaming`: controllers run whenever the FIFOs that they use let them.

    ```mlir
    // given %n, %one : i32
    %rows = spatial.counter to %n by %one
    spatial.foreach sequential over %rows as (%i "i") {
    }
    ```
  }];
  let arguments = (ins UnitAttr:$sequential, UnitAttr:$streaming, Variadic<SPATIAL_Rounds>:$domain, StrArrayAttr:$binders);
  let assemblyFormat = "(`sequential` $sequential^)? (`streaming` $streaming^)? `over` $domain `as` custom<Pattern>($body, $binders) attr-dict";
}

def SPATIAL_ReduceOp : SPATIAL_PatternOp<"reduce", []> {
  let summary = "sets a register, or an argument for the host, to what comes of the values of its rounds";
  let description = [{
    Without rounds it stays as it is. `sequential` and `streaming` are those of `spatial.foreach`.

    ```mlir
    // given %sum : !spatial.reg<f64>
    // given %v : !spatial.sram<f64>
    // given %n, %one : i32
    %rounds = spatial.counter to %n by %one
    spatial.reduce add into %sum over %rounds as (%k "k") {
      %x = spatial.read %v[%k] : !spatial.sram<f64>
      spatial.yield %x : f64
    } : !spatial.reg<f64>
    ```
  }];
  let arguments = (ins SPATIAL_Operator:$with, UnitAttr:$sequential, UnitAttr:$streaming, SPATIAL_Settable:$reg, Variadic<SPATIAL_Rounds>:$domain,
    StrArrayAttr:$binders);
  let assemblyFormat = "$with (`sequential` $sequential^)? (`streaming` $streaming^)? `into` $reg `over` $domain `as` custom<Pattern>($body, $binders) attr-dict `:` type($reg)";
}

def SPATIAL_MemReduceOp : SPATIAL_PatternOp<"mem_reduce", []> {
  let summary = "reduces the SRAMs of its rounds into one, element by element";
  let description = [{
    What that holds counts with `fold` only: it is a `MemFold` then. `par` elements at once. `sequential` and `streaming` are those
    of `spatial.foreach`.

    ```mlir
    // given %all : !spatial.sram<f64>
    // given %n, %one, %par : i32
    %rounds = spatial.counter to %n by %one
    spatial.mem_reduce add into %all par %par over %rounds as (%k "k") {
      %part = spatial.sram "part" size %n : !spatial.sram<f64>
      spatial.yield %part : !spatial.sram<f64>
    } : !spatial.sram<f64>
    ```
  }];
  let arguments = (ins SPATIAL_Operator:$with, UnitAttr:$fold, UnitAttr:$sequential, UnitAttr:$streaming, SPATIAL_AnySram:$memory, I32:$par,
    Variadic<SPATIAL_Rounds>:$domain, StrArrayAttr:$binders);
  let assemblyFormat = "$with (`fold` $fold^)? (`sequential` $sequential^)? (`streaming` $streaming^)? `into` $memory `par` $par `over` $domain `as` custom<Pattern>($body, $binders) attr-dict `:` type($memory)";
}

def SPATIAL_YieldOp : SPATIAL_Op<"yield", [Terminator, ParentOneOf<["ReduceOp", "MemReduceOp", "TabulateOp"]>]> {
  let summary = "what a round of a reduction gives, or an element of an array";
  let description = [{
    ```mlir
    // given %any : !spatial.reg<i32>
    // given %n, %one : i32
    %rounds = spatial.counter to %n by %one
    spatial.reduce max into %any over %rounds as (%k "k") {
      spatial.yield %k : i32
    } : !spatial.reg<i32>
    ```
  }];
  let arguments = (ins AnyTypeOf<[SPATIAL_Scalar, SPATIAL_AnySram], "a scalar or an SRAM">:$value);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}

def SPATIAL_IfOp : SPATIAL_Op<"if", [NoTerminator, SingleBlock, NoRegionArguments, SPATIAL_OfAccelerator]> {
  let summary = "does something where a condition holds, and something else where not";
  let description = [{
    ```mlir
    // given %there : i1
    // given %r : !spatial.reg<f64>
    // given %x, %y : f64
    spatial.if %there {
      spatial.set %r = %x : !spatial.reg<f64>
    } else {
      spatial.set %r = %y : !spatial.reg<f64>
    }
    ```
  }];
  let arguments = (ins I1:$condition);
  let regions = (region SizedRegion<1>:$then, MaxSizedRegion<1>:$otherwise);
  let assemblyFormat = "$condition $then (`else` $otherwise^)? attr-dict";
}

//===-- Values --------------------------------------------------------------------===//

def SPATIAL_IntOp : SPATIAL_PureOp<"int"> {
  let summary = "a whole number as it is";
  let description = [{
    The text has no type for it: it is of the type that is wanted where it stands, also of a floating-point one.

    ```mlir
    %0 = spatial.int 16 : i32
    %1 = spatial.int 0 : f64
    ```
  }];
  let arguments = (ins I64Attr:$value);
  let results = (outs SPATIAL_Number:$result);
  let assemblyFormat = "$value attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def SPATIAL_FloatOp : SPATIAL_PureOp<"float"> {
  let summary = "a floating-point number as it is";
  let description = [{
    ```mlir
    %0 = spatial.float 1.5 : f64
    ```
  }];
  let arguments = (ins F64Attr:$value);
  let results = (outs SPATIAL_Floating:$result);
  let assemblyFormat = "$value attr-dict `:` type($result)";
}

def SPATIAL_BoolOp : SPATIAL_PureOp<"bool"> {
  let summary = "true or false";
  let description = [{
    ```mlir
    %0 = spatial.bool true
    ```
  }];
  let arguments = (ins BoolAttr:$value);
  let results = (outs I1:$result);
  let assemblyFormat = "$value attr-dict";
}

def SPATIAL_ReadOp : SPATIAL_MomentaryOp<"read", [SPATIAL_ElementOf<"memory", "result">]> {
  let summary = "an element of an SRAM, a sparse DRAM or an array of the host";
  let description = [{
    ```mlir
    // given %B2_pos : !spatial.sram<i32>
    // given %i : i32
    %0 = spatial.read %B2_pos[%i] : !spatial.sram<i32>
    ```
  }];
  let arguments = (ins SPATIAL_Readable:$memory, I32:$index);
  let results = (outs SPATIAL_Scalar:$result);
  let assemblyFormat = "$memory `[` $index `]` attr-dict `:` type($memory)";
}

def SPATIAL_BarrierReadOp : SPATIAL_MomentaryOp<"barrier_read", [SPATIAL_OfAccelerator, SPATIAL_ElementOf<"memory", "result">]> {
  let summary = "an element of a sparse SRAM or DRAM, with barriers";
  let description = [{
    They are those of `spatial.modify`.

    ```mlir
    // given %y : !spatial.sparse_sram<f64>
    // given %i : i32
    // given %done : !spatial.barrier
    %0 = spatial.barrier_read %y[%i] barriers(pop %done) : !spatial.sparse_sram<f64>
    ```
  }];
  let arguments = (ins SPATIAL_AnySparse:$memory, I32:$index, Variadic<SPATIAL_Barrier>:$barriers, SPATIAL_Actions:$actions);
  let results = (outs SPATIAL_Scalar:$result);
  let assemblyFormat = "$memory `[` $index `]` (`barriers` `(` custom<Barriers>($barriers, $actions)^ `)`)? attr-dict `:` type($memory)";
  let hasVerifier = 1;
}

def SPATIAL_ModifiedOp : SPATIAL_MomentaryOp<"modified", [SPATIAL_OfAccelerator, SPATIAL_ElementOf<"memory", "value">,
    SPATIAL_ElementOf<"memory", "result">]> {
  let summary = "modifies an element of a sparse SRAM or DRAM, and gives what is there then";
  let description = [{
    As `spatial.modify` does.

    ```mlir
    // given %y : !spatial.sparse_sram<f64>
    // given %i : i32
    // given %x : f64
    %0 = spatial.modified %y[%i] min %x "unordered" : !spatial.sparse_sram<f64>
    ```
  }];
  let arguments = (ins SPATIAL_AnySparse:$memory, I32:$index, SPATIAL_Scalar:$value, Variadic<SPATIAL_Barrier>:$barriers,
    SPATIAL_Modification:$with, SPATIAL_Order:$order, SPATIAL_Actions:$actions);
  let results = (outs SPATIAL_Scalar:$result);
  let assemblyFormat = [{
    $memory `[` $index `]` $with $value $order (`barriers` `(` custom<Barriers>($barriers, $actions)^ `)`)? attr-dict `:` type($memory)
  }];
  let hasVerifier = 1;
}

def SPATIAL_DequeueOp : SPATIAL_MomentaryOp<"dequeue", [SPATIAL_OfAccelerator, SPATIAL_ElementOf<"fifo", "result">]> {
  let summary = "takes an element from a FIFO";
  let description = [{
    ```mlir
    // given %B2_crd : !spatial.fifo<i32>
    %0 = spatial.dequeue %B2_crd : !spatial.fifo<i32>
    ```
  }];
  let arguments = (ins SPATIAL_Fifo:$fifo);
  let results = (outs SPATIAL_Scalar:$result);
  let assemblyFormat = "$fifo attr-dict `:` type($fifo)";
}

def SPATIAL_GetOp : SPATIAL_MomentaryOp<"get", [SPATIAL_ElementOf<"reg", "result">]> {
  let summary = "what a register or an argument for the accelerator holds";
  let description = [{
    ```mlir
    // given %sum : !spatial.reg<f64>
    %0 = spatial.get %sum : !spatial.reg<f64>
    ```
  }];
  let arguments = (ins SPATIAL_Gettable:$reg);
  let results = (outs SPATIAL_Scalar:$result);
  let assemblyFormat = "$reg attr-dict `:` type($reg)";
}

def SPATIAL_CastOp : SPATIAL_PureOp<"cast"> {
  let summary = "a value as one of another type";
  let description = [{
    ```mlir
    // given %i : i32
    %0 = spatial.cast %i : i32 to f64
    %1 = spatial.cast %i as "V" : i32 to f64
    ```
  }];
  let arguments = (ins SPATIAL_ScalarOrText:$value, SPATIAL_Alias:$alias);
  let results = (outs SPATIAL_Scalar:$result);
  let assemblyFormat = "$value (`as` $alias^)? attr-dict `:` type($value) `to` type($result)";
}

def SPATIAL_NegateOp : SPATIAL_PureOp<"negate", [SameOperandsAndResultType]> {
  let summary = "a number with the other sign";
  let description = [{
    ```mlir
    // given %x : f64
    %0 = spatial.negate %x : f64
    ```
  }];
  let arguments = (ins SPATIAL_Number:$value);
  let results = (outs SPATIAL_Number:$result);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}

def SPATIAL_NotOp : SPATIAL_PureOp<"not"> {
  let summary = "whether a condition does not hold";
  let description = [{
    ```mlir
    // given %there : i1
    %0 = spatial.not %there
    ```
  }];
  let arguments = (ins I1:$value);
  let results = (outs I1:$result);
  let assemblyFormat = "$value attr-dict";
}

def SPATIAL_BinaryOp : SPATIAL_PureOp<"binary", [AllTypesMatch<["left", "right"]>, DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "an operator on two values";
  let description = [{
    Comparisons give i1, the others what they take. `and` and `or` are those of bits.

    ```mlir
    // given %i, %n : i32
    %0 = spatial.binary add %i, %n : i32
    %1 = spatial.binary less %i, %n : i32
    ```
  }];
  let arguments = (ins SPATIAL_Operator:$op, SPATIAL_Scalar:$left, SPATIAL_Scalar:$right);
  let results = (outs SPATIAL_Scalar:$result);
  let assemblyFormat = "$op $left `,` $right attr-dict `:` type($left)";
  let hasVerifier = 1;
}

def SPATIAL_JoinOp : SPATIAL_PureOp<"join", [SPATIAL_OfHost]> {
  let summary = "two values as a text, one behind the other";
  let description = [{
    One of them is a text.

    ```mlir
    // given %sum : f64
    %0 = spatial.text "the sum is "
    %1 = spatial.join %0, %sum : !spatial.text, f64
    ```
  }];
  let arguments = (ins SPATIAL_ScalarOrText:$left, SPATIAL_ScalarOrText:$right);
  let results = (outs SPATIAL_Text:$result);
  let assemblyFormat = "$left `,` $right attr-dict `:` type($left) `,` type($right)";
  let hasVerifier = 1;
}

def SPATIAL_MuxOp : SPATIAL_PureOp<"mux", [AllTypesMatch<["then", "otherwise", "result"]>]> {
  let summary = "one of two values, which are both evaluated";
  let description = [{
    ```mlir
    // given %there : i1
    // given %x, %zero : f64
    %0 = spatial.mux %there, %x, %zero : f64
    ```
  }];
  let arguments = (ins I1:$condition, SPATIAL_Scalar:$then, SPATIAL_Scalar:$otherwise);
  let results = (outs SPATIAL_Scalar:$result);
  let assemblyFormat = "$condition `,` $then `,` $otherwise attr-dict `:` type($result)";
}

def SPATIAL_CallOp : SPATIAL_PureOp<"call", [SameOperandsAndResultType]> {
  let summary = "a function of a number";
  let description = [{
    ```mlir
    // given %x : f64
    %0 = spatial.call sqrt %x : f64
    ```
  }];
  let arguments = (ins SPATIAL_Function:$function, SPATIAL_Number:$value);
  let results = (outs SPATIAL_Number:$result);
  let assemblyFormat = "$function $value attr-dict `:` type($value)";
  let hasVerifier = 1;
}

#endif // COMET_SPATIAL_OPS_TD
