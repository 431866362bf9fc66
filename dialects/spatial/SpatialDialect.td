//===- SpatialDialect.td - the spatial dialect, its types and enumerations -*- tablegen -*-===//

#ifndef COMET_SPATIAL_DIALECT_TD
#define COMET_SPATIAL_DIALECT_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

def Spatial_Dialect : Dialect {
  let name = "spatial";
  let cppNamespace = "::comet::spatial";
  let summary = "applications of a reconfigurable dataflow architecture: memories, transfers, parallel patterns";
  let description = [{
    Spatial (Koeplinger 2018) with the sparse iteration of Capstan (Rucker 2021), as Stardust writes it (stardust.txt), as an MLIR dialect. One `spatial.app` is
    one application, an operation in it a statement of its text or a part of one. Printing it as text is a walk without decisions.
  }];
  let useDefaultTypePrinterParser = 1;
  let dependentDialects = ["::comet::ta::TaDialect"];
}

//===-- Types ---------------------------------------------------------------------===//

class SPATIAL_Type<string name, string typeMnemonic> : TypeDef<Spatial_Dialect, name> {
  let mnemonic = typeMnemonic;
}

// What has elements: of type i32 (`Int`), i64 (`Long`), ui32 (`U32`), f32 (`Float`), f64 (`Double`) or i1 (`Bit`).
class SPATIAL_Of_Type<string name, string typeMnemonic> : SPATIAL_Type<name, typeMnemonic> {
  let parameters = (ins "::mlir::Type":$element);
  let assemblyFormat = "`<` $element `>`";
  let genVerifyDecl = 1;
}

def SPATIAL_DramType : SPATIAL_Of_Type<"Dram", "dram"> {
  let summary = "a memory off the chip, for transfers";
  let description = [{
    ```mlir
    !spatial.dram<f64>
    ```
  }];
}

def SPATIAL_SparseDramType : SPATIAL_Of_Type<"SparseDram", "sparse_dram"> {
  let summary = "a memory off the chip, of which single elements are read too";
  let description = [{
    ```mlir
    !spatial.sparse_dram<f64>
    ```
  }];
}

def SPATIAL_SramType : SPATIAL_Of_Type<"Sram", "sram"> {
  let summary = "a memory on the chip, for addresses that are affine in counters";
  let description = [{
    ```mlir
    !spatial.sram<i32>
    ```
  }];
}

def SPATIAL_SparseSramType : SPATIAL_Of_Type<"SparseSram", "sparse_sram"> {
  let summary = "a memory on the chip for any address, also read, modified and written at once";
  let description = [{
    ```mlir
    !spatial.sparse_sram<f32>
    ```
  }];
}

def SPATIAL_FifoType : SPATIAL_Of_Type<"Fifo", "fifo"> {
  let summary = "a queue on the chip";
  let description = [{
    One of words, ui32, is a bit vector: `!spatial.bits`.

    ```mlir
    !spatial.fifo<i64>
    ```
  }];
}

def SPATIAL_BitsType : SPATIAL_Type<"Bits", "bits"> {
  let summary = "a bit vector: a queue of words of 32 bits";
  let description = [{
    ```mlir
    !spatial.bits
    ```
  }];
}

def SPATIAL_RegType : SPATIAL_Of_Type<"Reg", "reg"> {
  let summary = "a register";
  let description = [{
    ```mlir
    !spatial.reg<i1>
    ```
  }];
}

def SPATIAL_BarrierType : SPATIAL_Type<"Barrier", "barrier"> {
  let summary = "tokens that accesses of sparse SRAMs add and wait for";
  let description = [{
    ```mlir
    !spatial.barrier
    ```
  }];
}

def SPATIAL_ArrayType : SPATIAL_Of_Type<"Array", "array"> {
  let summary = "an array in the memory of the host";
  let description = [{
    ```mlir
    !spatial.array<ui32>
    ```
  }];
}

def SPATIAL_ArgInType : SPATIAL_Of_Type<"ArgIn", "arg_in"> {
  let summary = "a number that the host gives to the accelerator";
  let description = [{
    ```mlir
    !spatial.arg_in<i32>
    ```
  }];
}

def SPATIAL_ArgOutType : SPATIAL_Of_Type<"ArgOut", "arg_out"> {
  let summary = "a number that the accelerator gives to the host";
  let description = [{
    ```mlir
    !spatial.arg_out<f64>
    ```
  }];
}

def SPATIAL_TextType : SPATIAL_Type<"Text", "text"> {
  let summary = "a text of the host";
  let description = [{
    ```mlir
    !spatial.text
    ```
  }];
}

def SPATIAL_RoundsType : SPATIAL_Type<"Rounds", "rounds"> {
  let summary = "what a pattern goes over: the values of a counter, the bits of a scan";
  let description = [{
    ```mlir
    !spatial.rounds
    ```
  }];
}

// As operands: without these names, MLIR leaves out the dialect where it prints a type.
def SPATIAL_Dram : Type<SPATIAL_DramType.predicate, "a DRAM">;
def SPATIAL_SparseDram : Type<SPATIAL_SparseDramType.predicate, "a sparse DRAM">;
def SPATIAL_Sram : Type<SPATIAL_SramType.predicate, "a dense SRAM">;
def SPATIAL_SparseSram : Type<SPATIAL_SparseSramType.predicate, "a sparse SRAM">;
def SPATIAL_AnySram : AnyTypeOf<[SPATIAL_Sram, SPATIAL_SparseSram], "an SRAM, sparse or not">;
def SPATIAL_AnySparse : AnyTypeOf<[SPATIAL_SparseSram, SPATIAL_SparseDram], "a sparse SRAM or DRAM">;
def SPATIAL_Writable : AnyTypeOf<[SPATIAL_Sram, SPATIAL_SparseSram, SPATIAL_SparseDram], "an SRAM or a sparse DRAM">;
def SPATIAL_Fifo : AnyTypeOf<[Type<SPATIAL_FifoType.predicate>, Type<SPATIAL_BitsType.predicate>], "a FIFO">;
def SPATIAL_CrdFifo : Type<And<[SPATIAL_FifoType.predicate, CPred<"::llvm::cast<::comet::spatial::FifoType>($_self).getElement().isSignlessInteger(32)">]>,
  "a FIFO of coordinates, i32">;
def SPATIAL_Bits : Type<SPATIAL_BitsType.predicate, "a bit vector", "::comet::spatial::BitsType">,
  BuildableType<"::comet::spatial::BitsType::get($_builder.getContext())">;
def SPATIAL_Reg : Type<SPATIAL_RegType.predicate, "a register">;
def SPATIAL_Barrier : Type<SPATIAL_BarrierType.predicate, "a barrier", "::comet::spatial::BarrierType">,
  BuildableType<"::comet::spatial::BarrierType::get($_builder.getContext())">;
def SPATIAL_Array : Type<SPATIAL_ArrayType.predicate, "an array of the host">;
def SPATIAL_ArgIn : Type<SPATIAL_ArgInType.predicate, "an argument for the accelerator">;
def SPATIAL_ArgOut : Type<SPATIAL_ArgOutType.predicate, "an argument for the host">;
def SPATIAL_Text : Type<SPATIAL_TextType.predicate, "a text", "::comet::spatial::TextType">,
  BuildableType<"::comet::spatial::TextType::get($_builder.getContext())">;
def SPATIAL_Rounds : Type<SPATIAL_RoundsType.predicate, "the rounds of a pattern", "::comet::spatial::RoundsType">,
  BuildableType<"::comet::spatial::RoundsType::get($_builder.getContext())">;

def SPATIAL_Gettable : AnyTypeOf<[SPATIAL_Reg, SPATIAL_ArgIn], "a register or an argument for the accelerator">;
def SPATIAL_Settable : AnyTypeOf<[SPATIAL_Reg, SPATIAL_ArgOut], "a register or an argument for the host">;
def SPATIAL_Asked : AnyTypeOf<[SPATIAL_ArgIn, SPATIAL_ArgOut], "an argument">;
def SPATIAL_Readable : AnyTypeOf<[SPATIAL_Sram, SPATIAL_SparseSram, SPATIAL_SparseDram, SPATIAL_Array],
  "an SRAM, a sparse DRAM or an array of the host">;
def SPATIAL_OnChip : AnyTypeOf<[SPATIAL_Sram, SPATIAL_SparseSram, SPATIAL_Fifo], "an SRAM or a FIFO">;

def SPATIAL_Scalar : AnyTypeOf<[I32, I64, UI32, F32, F64, I1], "i32, i64, ui32, f32, f64 or i1">;
def SPATIAL_Number : AnyTypeOf<[I32, I64, UI32, F32, F64], "i32, i64, ui32, f32 or f64">;
def SPATIAL_Floating : AnyTypeOf<[F32, F64], "f32 or f64">;
def SPATIAL_ScalarOrText : AnyTypeOf<[I32, I64, UI32, F32, F64, I1, SPATIAL_Text], "a scalar or a text">;

// What the program has for a tensor or a number of the application.
def SPATIAL_Tensor : RankedTensorOf<[F64, F32, I64]>;
def SPATIAL_ProgramNumber : AnyTypeOf<[F64, F32, I64], "f64, f32 or i64">;

//===-- Attributes ----------------------------------------------------------------===//

def SPATIAL_Name : ConfinedAttr<StrAttr, [AttrConstraint<CPred<"::comet::spatial::isName(::llvm::cast<::mlir::StringAttr>($_self).getValue())">,
  "that is a name: letters, digits and _, no digit first">]>;
def SPATIAL_Alias : OptionalAttr<SPATIAL_Name>;
def SPATIAL_Actions : OptionalAttr<StrArrayAttr>;
def SPATIAL_File : ConfinedAttr<StrAttr, [AttrConstraint<CPred<"!::llvm::cast<::mlir::StringAttr>($_self).getValue().empty()">, "that is not empty">]>;
def SPATIAL_Order : ConfinedAttr<StrAttr, [AttrConstraint<CPred<"::comet::spatial::isOrder(::llvm::cast<::mlir::StringAttr>($_self).getValue())">,
  "that is `ordered` or `unordered`">]>;
def SPATIAL_ElementAttr : ConfinedAttr<TypeAttr, [AttrConstraint<CPred<"::comet::spatial::isElement(::llvm::cast<::mlir::TypeAttr>($_self).getValue())">,
  "that is i32, i64, ui32, f32, f64 or i1">]>;

class SPATIAL_Enum<string name, string description, list<I32EnumAttrCase> cases> : I32EnumAttr<name, description, cases> {
  let cppNamespace = "::comet::spatial";
}

def SPATIAL_Role : SPATIAL_Enum<"Role", "what a tensor is to an application", [
    I32EnumAttrCase<"Operand", 0, "operand">, I32EnumAttrCase<"Result", 1, "result">, I32EnumAttrCase<"Updated", 2, "updated">]>;

def SPATIAL_Operator : SPATIAL_Enum<"Operator", "an operator on two values", [
    I32EnumAttrCase<"Add", 0, "add">, I32EnumAttrCase<"Subtract", 1, "subtract">, I32EnumAttrCase<"Multiply", 2, "multiply">,
    I32EnumAttrCase<"Divide", 3, "divide">, I32EnumAttrCase<"Remainder", 4, "remainder">, I32EnumAttrCase<"Min", 5, "min">,
    I32EnumAttrCase<"Max", 6, "max">, I32EnumAttrCase<"Equal", 7, "equal">, I32EnumAttrCase<"NotEqual", 8, "not_equal">,
    I32EnumAttrCase<"Less", 9, "less">, I32EnumAttrCase<"LessEqual", 10, "less_equal">, I32EnumAttrCase<"Greater", 11, "greater">,
    I32EnumAttrCase<"GreaterEqual", 12, "greater_equal">, I32EnumAttrCase<"And", 13, "and">, I32EnumAttrCase<"Or", 14, "or">]>;

def SPATIAL_Function : SPATIAL_Enum<"Function", "a function of one value", [
    I32EnumAttrCase<"Abs", 0, "abs">, I32EnumAttrCase<"Exp", 1, "exp">, I32EnumAttrCase<"Sqrt", 2, "sqrt">]>;

def SPATIAL_Modification : SPATIAL_Enum<"Modification", "what a sparse SRAM does with a value and the one that is there", [
    I32EnumAttrCase<"Add", 0, "add">, I32EnumAttrCase<"Min", 1, "min">, I32EnumAttrCase<"Max", 2, "max">, I32EnumAttrCase<"Or", 3, "or">,
    I32EnumAttrCase<"Write", 4, "write">, I32EnumAttrCase<"Read", 5, "read">]>;

def SPATIAL_ScanMode : SPATIAL_Enum<"ScanMode", "which bits of two vectors are scanned", [
    I32EnumAttrCase<"Or", 0, "or">, I32EnumAttrCase<"And", 1, "and">]>;

//===-- Traits --------------------------------------------------------------------===//

class SPATIAL_Trait<string name> : NativeOpTrait<name> {
  let cppNamespace = "::comet::spatial";
}

// What the host does, what the accelerator does. Operations that are neither are both.
def SPATIAL_OfHost : SPATIAL_Trait<"OfHost">;
def SPATIAL_OfAccelerator : SPATIAL_Trait<"OfAccelerator">;

// A part of a statement: it is written where its result is used.
def SPATIAL_Part : SPATIAL_Trait<"PartOfStatement">;

// A part that changes something or gives what may change: it is written where it is, once.
def SPATIAL_Momentary : SPATIAL_Trait<"Momentary">;

#endif // COMET_SPATIAL_DIALECT_TD
