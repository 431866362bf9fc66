//===- SamDialect.td - the sam dialect, its attributes and types -*- tablegen -*-===//

#ifndef COMET_SAM_DIALECT_TD
#define COMET_SAM_DIALECT_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
// The operators of compiler/notation, which build.rs writes.
include "Operators.td"

def Sam_Dialect : Dialect {
  let name = "sam";
  let cppNamespace = "::comet::sam";
  let summary = "dataflow graphs of the Sparse Abstract Machine: blocks on typed streams";
  let description = [{
    The Sparse Abstract Machine (Hsu et al., ASPLOS 2023: sam.txt) as an MLIR dialect. One `sam.graph` is one graph, an operation in it a block,
    and a value a stream, whose type says what moves on it and how deep its fibers are nested.
  }];
  let useDefaultTypePrinterParser = 1;
  let dependentDialects = ["::comet::ta::TaDialect"];
}

class SAM_Type<string name, string typeMnemonic> : TypeDef<Sam_Dialect, name> {
  let mnemonic = typeMnemonic;
}

//===-- Tensors -------------------------------------------------------------------===//

def SAM_FibertreeType : SAM_Type<"Fibertree", "tensor"> {
  let summary = "a tensor as graphs see it: levels, outermost first, with the modes that they store";
  let description = [{
    A level is `dense`, `compressed` or `bv<b>` (bit vectors of b bits). A scalar has none.

    ```mlir
    !sam.tensor<[dense 0, compressed 1], f64>
    !sam.tensor<[compressed 1, bv<32> 0], f32>
    !sam.tensor<[], i64>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"::comet::sam::Level">:$levels, "::mlir::Type":$elementType);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

//===-- Streams -------------------------------------------------------------------===//

def SAM_CrdType : SAM_Type<"Crd", "crd"> {
  let summary = "a stream of coordinates in fibers that are nested that deep";
  let description = [{
    The coordinates of a tensor's first level have depth 1: one fiber, one stop token.

    ```mlir
    !sam.crd<1>
    ```
  }];
  let parameters = (ins "unsigned":$depth);
  let assemblyFormat = "`<` $depth `>`";
  let genVerifyDecl = 1;
}

def SAM_RefType : SAM_Type<"Ref", "ref"> {
  let summary = "a stream of references to fibers or values";
  let description = [{
    Of depth 0 is the reference to a tensor's root: one token, and no stop.

    ```mlir
    !sam.ref<2>
    ```
  }];
  let parameters = (ins "unsigned":$depth);
  let assemblyFormat = "`<` $depth `>`";
}

def SAM_ValType : SAM_Type<"Val", "val"> {
  let summary = "a stream of values";
  let description = [{
    ```mlir
    !sam.val<f64, 2>
    ```
  }];
  let parameters = (ins "::mlir::Type":$elementType, "unsigned":$depth);
  let assemblyFormat = "`<` $elementType `,` $depth `>`";
  let genVerifyDecl = 1;
}

def SAM_RepsigType : SAM_Type<"Repsig", "repsig"> {
  let summary = "a stream of signals to repeat, one for each coordinate";
  let description = [{
    ```mlir
    !sam.repsig<1>
    ```
  }];
  let parameters = (ins "unsigned":$depth);
  let assemblyFormat = "`<` $depth `>`";
  let genVerifyDecl = 1;
}

def SAM_BvType : SAM_Type<"Bv", "bv"> {
  let summary = "a stream of bit vectors, each for as many coordinates as it has bits";
  let description = [{
    ```mlir
    !sam.bv<32, 1>
    ```
  }];
  let parameters = (ins "unsigned":$width, "unsigned":$depth);
  let assemblyFormat = "`<` $width `,` $depth `>`";
  let genVerifyDecl = 1;
}

// As operands: without these names, MLIR leaves out the dialect where it prints a type.
def SAM_Tensor : Type<SAM_FibertreeType.predicate, "a tensor of a graph">;
def SAM_Crd : Type<SAM_CrdType.predicate, "a stream of coordinates">;
def SAM_Ref : Type<SAM_RefType.predicate, "a stream of references">;
def SAM_Val : Type<SAM_ValType.predicate, "a stream of values">;
def SAM_Repsig : Type<SAM_RepsigType.predicate, "a stream of signals to repeat">;
def SAM_Bv : Type<SAM_BvType.predicate, "a stream of bit vectors">;
def SAM_CrdOrBv : AnyTypeOf<[SAM_Crd, SAM_Bv], "a stream of coordinates or of bit vectors">;
def SAM_CrdOrVal : AnyTypeOf<[SAM_Crd, SAM_Val], "a stream of coordinates or of values">;
def SAM_RefOrVal : AnyTypeOf<[SAM_Ref, SAM_Val], "a stream of references or of values">;
def SAM_Stream : AnyTypeOf<[SAM_Crd, SAM_Ref, SAM_Val, SAM_Repsig, SAM_Bv], "a stream">;
def SAM_Repeated : AnyTypeOf<[SAM_Tensor, SAM_Ref, SAM_Val], "a tensor, or a stream of references or of values">;

// The element types of the language.
def SAM_Element : AnyTypeOf<[F64, F32, I64], "f64, f32 or i64">;
def SAM_Stored : RankedTensorOf<[F64, F32, I64]>;

//===-- Attributes ----------------------------------------------------------------===//

def SAM_Name : ConfinedAttr<StrAttr, [AttrConstraint<CPred<"!::llvm::cast<::mlir::StringAttr>($_self).getValue().empty()">, "that is not empty">]>;

// How many tokens a block moves in a cycle at most: one, where nothing is said.
def SAM_Lanes : OptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>>;

class SAM_Enum<string name, string description, list<I32EnumAttrCase> cases> : I32EnumAttr<name, description, cases> {
  let cppNamespace = "::comet::sam";
}

def SAM_Operator : SAM_Enum<"Operator", "an operator on two values", OperatorCases>;

def SAM_Reduction : SAM_Enum<"Reduction", "how values become one", ReductionCases>;

def SAM_Function : SAM_Enum<"Function", "a function of one value", [
    I32EnumAttrCase<"Neg", 0, "neg">, I32EnumAttrCase<"Convert", 1, "convert">, I32EnumAttrCase<"Relu", 2, "relu">, I32EnumAttrCase<"Exp", 3, "exp">]>;

def SAM_Meeting : SAM_Enum<"Meeting", "how the patterns of an operator's operands meet", [
    I32EnumAttrCase<"Intersect", 0, "intersect">, I32EnumAttrCase<"Unite", 1, "unite">]>;

def SAM_EmptyFiber : SAM_Enum<"EmptyFiber", "what a reducer makes of a fiber in which there is nothing", [
    I32EnumAttrCase<"Zero", 0, "zero">, I32EnumAttrCase<"Removed", 1, "removed">, I32EnumAttrCase<"Absent", 2, "absent">,
    I32EnumAttrCase<"Token", 3, "token">]>;

def SAM_Kept : SAM_Enum<"Kept", "which values a mask lets through", [
    I32EnumAttrCase<"Stored", 0, "stored">, I32EnumAttrCase<"NotStored", 1, "not_stored">, I32EnumAttrCase<"NotZero", 2, "not_zero">,
    I32EnumAttrCase<"Zero", 3, "zero">]>;

def SAM_Dropped : SAM_Enum<"Dropped", "under what a dropper leaves coordinates out", [
    I32EnumAttrCase<"Fibers", 0, "fibers">, I32EnumAttrCase<"Absent", 1, "absent">, I32EnumAttrCase<"Zeros", 2, "zeros">]>;

def SAM_Form : SAM_Enum<"Form", "what the coordinates of a reducer are", [
    I32EnumAttrCase<"Levels", 0, "levels">, I32EnumAttrCase<"Points", 1, "points">]>;

#endif // COMET_SAM_DIALECT_TD
