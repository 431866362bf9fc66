//===- TaDialect.td - the ta dialect, its attributes and types -*- tablegen -*-===//

#ifndef COMET_TA_DIALECT_TD
#define COMET_TA_DIALECT_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/TensorEncoding.td"

def Ta_Dialect : Dialect {
  let name = "ta";
  let cppNamespace = "::comet::ta";
  let summary = "tensor algebra: tensors with a storage format, labels, index expressions";
  let description = [{
    The first dialect of a `.ta` program (comet.txt section 6.1). A tensor is a variable: `ta.tensor_decl` makes it and the
    other operations read and write it in place, so an operation's order in its block is the program's order. A tensor's type
    is a builtin ranked tensor type; its storage format is the type's encoding.
  }];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
}

class TA_Attr<string name, string attrMnemonic, list<Trait> traits = []> : AttrDef<Ta_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

def TA_FormatAttr : TA_Attr<"Format", "format", [DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let summary = "how a tensor is stored, level by level";
  let description = [{
    One entry a storage level, outermost first. Each is a level format (`D`, `CU`, `CN`, `S`, `BV<b>`, `R`, `H`: comet.txt section 4,
    sam.txt 4.3) with the part of a mode that it stores where that is not "level l stores mode l":

    ```mlir
    #ta.format<[D, CU]>                                      // CSR
    #ta.format<[d1 : D, d0 : CU]>                            // CSC
    #ta.format<[d0 floordiv 4 : D, d1 floordiv 4 : CU, d0 mod 4 : D, d1 mod 4 : D]>    // BCSR<4,4>
    #ta.format<[d0 : D, slot : D, d1 : S]>                   // ELL
    #ta.format<[D, CU], index = 64, memory = onchip>
    ```
  }];
  let parameters = (ins
    ArrayRefParameter<"::comet::ta::Level">:$levels,
    "unsigned":$indexWidth,
    "::comet::ta::Memory":$memory);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The number of modes that the levels mention.
    unsigned getRank() const;
    /// Whether level l stores mode l as a whole, for every l.
    bool hasIdentityOrder() const;
  }];
}

def TA_FileModeAttr : TA_Attr<"FileMode", "file_mode"> {
  let summary = "one mode of a file that a tensor is read from";
  let description = [{
    `source` is `env:<digits>`, `env:` or `path:<path>`; `tensor` is the name of the variable that is read into (the command
    line can name it), `rank` its rank.

    ```mlir
    #ta.file_mode<"env:0", "A", 2, 1>
    ```
  }];
  let parameters = (ins StringRefParameter<>:$source, StringRefParameter<>:$tensor, "int64_t":$rank, "int64_t":$mode);
  let assemblyFormat = "`<` $source `,` $tensor `,` $rank `,` $mode `>`";
  let genVerifyDecl = 1;
}

class TA_Type<string name, string typeMnemonic> : TypeDef<Ta_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def TA_RangeType : TA_Type<"Range", "range"> {
  let summary = "a label of the Einstein notation, with its range";
  let description = [{
    ```mlir
    !ta.range
    ```
  }];
}

def TA_LabeledType : TA_Type<"Labeled", "labeled"> {
  let summary = "an index expression: a value at the points of its labels";
  let description = [{
    The labels are those of the `ta.labeled_tensor` operations that it is made of.

    ```mlir
    !ta.labeled<f64>
    ```
  }];
  let parameters = (ins "::mlir::Type":$elementType);
  let assemblyFormat = "`<` $elementType `>`";
  let genVerifyDecl = 1;
}

def TA_PermutationType : TA_Type<"Permutation", "permutation"> {
  let summary = "new numbers for the indices of a mode";
  let description = [{
    As long as the extent of the mode; until it is released.

    ```mlir
    !ta.permutation
    ```
  }];
}

// As operands: without these names, MLIR leaves out `!ta.labeled` and `!ta.permutation` where it prints the types.
def TA_Labeled : Type<TA_LabeledType.predicate, "an index expression">;
def TA_Permutation : Type<TA_PermutationType.predicate, "a permutation">, BuildableType<"$_builder.getType<::comet::ta::PermutationType>()">;

// The types that values are computed in, and those that elements are stored in.
def TA_Element : AnyTypeOf<[F64, F32, I64, Complex<F32>, Complex<F64>], "f64, f32, i64 or a complex type">;
def TA_Tensor : RankedTensorOf<[F64, F32, I64, I1, I8, I16, I32, UI8, UI32, F16, BF16, Complex<F32>, Complex<F64>]>;

#endif // COMET_TA_DIALECT_TD
