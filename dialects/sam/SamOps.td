//===- SamOps.td - the sam dialect ------------------------------*- tablegen -*-===//

#ifndef COMET_SAM_OPS_TD
#define COMET_SAM_OPS_TD

include "mlir/IR/OpBase.td"

def Sam_Dialect : Dialect {
  let name = "sam";
  let cppNamespace = "::comet::sam";
  let summary = "dataflow graphs of the Sparse Abstract Machine";
  let description = [{
    The Sparse Abstract Machine (Hsu et al., ASPLOS 2023: sam.txt). A graph is in the program as the text of its file, which has one reader and one writer, both
    in the crate `sam`.
  }];
  let dependentDialects = ["::comet::ta::TaDialect"];
}

// What the program passes to a graph and takes from it.
def SAM_Argument : AnyTypeOf<[RankedTensorOf<[F64, F32, I64, I1, I8, I16, I32, UI8, UI32, F16, BF16, Complex<F32>, Complex<F64>]>, F64, F32, I64, Index], "a tensor or a number of type f64, f32 or i64, or an extent">;

def SAM_GraphOp : Op<Sam_Dialect, "graph", []> {
  let summary = "computes a tensor by a dataflow graph";
  let description = [{
    The first value is the tensor that is computed. The others are the tensors and numbers that the graph reads, and the extents of index variables of which it
    reads all coordinates, each under the name that the text has for it. The text is DOT with the attributes of SAM's own tools; it is printed line by line.

    ```mlir
    // given %b : tensor<?xf64, #ta.format<[CU]>>
    // given %x : tensor<?xf64, #ta.format<[CU]>>
    sam.graph of %x, %b as ["x", "b"] : tensor<?xf64, #ta.format<[CU]>>, tensor<?xf64, #ta.format<[CU]>> {
      "digraph SAM {"
      "    comment=\"x=s0,b=s0\""
      "    1 [type=\"fiberlookup\" index=\"i\" tensor=\"b\" mode=\"0\" format=\"compressed\" root=\"true\"]"
      "    2 [type=\"arrayvals\" tensor=\"b\"]"
      "    3 [type=\"fiberwrite\" index=\"i\" tensor=\"x\" mode=\"0\" format=\"compressed\"]"
      "    0 [type=\"fiberwrite\" tensor=\"x\" mode=\"vals\"]"
      "    1 -> 2 [type=\"ref\"]"
      "    1 -> 3 [type=\"crd\"]"
      "    2 -> 0 [type=\"val\"]"
      "}"
    }
    ```
  }];
  let arguments = (ins Variadic<SAM_Argument>:$values, StrArrayAttr:$names, StrAttr:$text);
  let assemblyFormat = "`of` $values `as` $names `:` type($values) custom<Lines>($text) attr-dict";
  let hasVerifier = 1;
}

#endif // COMET_SAM_OPS_TD
