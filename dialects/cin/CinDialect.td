//===- CinDialect.td - the cin dialect, its attributes and types -*- tablegen -*-===//

#ifndef COMET_CIN_DIALECT_TD
#define COMET_CIN_DIALECT_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
// The operators of compiler/notation, which build.rs writes.
include "Operators.td"

def Cin_Dialect : Dialect {
  let name = "cin";
  let cppNamespace = "::comet::cin";
  let summary = "concrete index notation: loops over index variables, workspaces, schedules";
  let description = [{
    Concrete index notation (Kjolstad 2019; stardust.txt section 2.1; sparse-workspace.txt section 2) as an MLIR dialect. One `cin.compute` is
    one statement of a program. Index variables are values, declared before the loops that bind them, so that relations between them
    (split, divide, fuse, pos, bound) are operations. A block holds statements in sequence: it is the notation's `S1; S2`.
  }];
  let useDefaultTypePrinterParser = 1;
  let dependentDialects = ["::comet::ta::TaDialect"];
}

class CIN_Type<string name, string typeMnemonic> : TypeDef<Cin_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def CIN_IndexType : CIN_Type<"Index", "index"> {
  let summary = "an index variable";
  let description = [{
    ```mlir
    !cin.index
    ```
  }];
}

def CIN_Reduction : I32EnumAttr<"Reduction", "how an assignment combines with what the target holds", !listconcat([I32EnumAttrCase<"Set", 0, "set">], ReductionCases)> {
  let cppNamespace = "::comet::cin";
}

// A reduction: its word, or the text of an operator of the file.
def CIN_ReductionWord : Attr<CPred<"::llvm::isa<::mlir::StringAttr>($_self)">, "a reduction"> {
  let storageType = "::mlir::StringAttr";
  let returnType = "::llvm::StringRef";
  let convertFromStorage = "$_self.getValue()";
}

def CIN_Operator : I32EnumAttr<"Operator", "a binary operator at the points of an expression", OperatorCases> {
  let cppNamespace = "::comet::cin";
}

def CIN_Function : I32EnumAttr<"Function", "a function of one number", FunctionCases> {
  let cppNamespace = "::comet::cin";
}

def CIN_WorkspaceKind : I32EnumAttr<"WorkspaceKind", "how a temporary is kept", [
    I32EnumAttrCase<"Scalar", 0, "scalar">, I32EnumAttrCase<"Registers", 1, "registers">, I32EnumAttrCase<"Dense", 2, "dense">,
    I32EnumAttrCase<"Hash", 3, "hash">, I32EnumAttrCase<"List", 4, "list">,
    I32EnumAttrCase<"Levels", 5, "levels">]> {
  let cppNamespace = "::comet::cin";
}

def CIN_Claim : I32EnumAttr<"Claim", "whether the loops around an assignment bring points in the order of its target", [
    I32EnumAttrCase<"Concordant", 0, "concordant">, I32EnumAttrCase<"Discordant", 1, "discordant">]> {
  let cppNamespace = "::comet::cin";
}

def CIN_ParallelUnit : I32EnumAttr<"ParallelUnit", "what runs the iterations of a loop", [
    I32EnumAttrCase<"Cpu", 0, "cpu">, I32EnumAttrCase<"Spatial", 1, "spatial">, I32EnumAttrCase<"Reduction", 2, "reduction">]> {
  let cppNamespace = "::comet::cin";
}

def CIN_Location : Attr<CPred<"::llvm::isa<::mlir::LocationAttr>($_self)">, "a location"> {
  let storageType = "::mlir::LocationAttr";
  let returnType = "::mlir::LocationAttr";
  let convertFromStorage = "$_self";
}

// The element types of the language. A value of one that is stored alone is only cast, copied and compared
// with 0; arithmetic is done on f64, f32 and i64.
def CIN_Element : AnyTypeOf<[F64, F32, I64, I1, I8, I16, I32, UI8, UI32, F16, BF16, Complex<F32>, Complex<F64>], "an element type">;
def CIN_Tensor : RankedTensorOf<[F64, F32, I64, I1, I8, I16, I32, UI8, UI32, F16, BF16, Complex<F32>, Complex<F64>]>;

#endif // COMET_CIN_DIALECT_TD
