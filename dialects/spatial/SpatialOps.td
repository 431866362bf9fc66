//===- SpatialOps.td - the spatial dialect ---------------------*- tablegen -*-===//

#ifndef COMET_SPATIAL_OPS_TD
#define COMET_SPATIAL_OPS_TD

include "mlir/IR/OpBase.td"

def Spatial_Dialect : Dialect {
  let name = "spatial";
  let cppNamespace = "::comet::spatial";
  let summary = "applications of a reconfigurable dataflow architecture";
  let description = [{
    Spatial (Koeplinger 2018) with the sparse iteration of Capstan (Rucker 2021), as Stardust writes it (stardust.txt). An application is in the program as its
    text, which has one reader and one writer, both in the crate `spatial`.
  }];
  let dependentDialects = ["::comet::ta::TaDialect"];
}

// What the program passes to an application and takes from it.
def SPATIAL_Argument : AnyTypeOf<[RankedTensorOf<[F64, F32, I64, I1, I8, I16, I32, UI8, UI32, F16, BF16, Complex<F32>, Complex<F64>]>, F64, F32, I64], "a tensor or a number of type f64, f32 or i64">;

def SPATIAL_AppOp : Op<Spatial_Dialect, "app", []> {
  let summary = "computes a tensor by an application";
  let description = [{
    The first value is the tensor that is computed. The others are the tensors and numbers that the application reads, each under the name that the text has for
    it. How a tensor is stored is in its type: levels are `D` or `CU`, of modes or of tiles of them. The text is printed line by line.

    ```mlir
    // given %a : tensor<?xf64>
    // given %b : tensor<?xf64>
    spatial.app "Copy" of %a, %b as ["a", "b"] : tensor<?xf64>, tensor<?xf64> {
      "import spatial.dsl._"
      ""
      "// tensor a: Double [i0: D] result"
      "// tensor b: Double [i0: D] operand"
      "@spatial object Copy extends SpatialApp {"
      "  def main(args: Array[String]): Unit = {"
      "    val b_vals_h = loadCSV1D[Double](\"b_vals.csv\", \"\\n\")"
      "    Accel {"
      "    }"
      "    writeCSV1D(b_vals_h, \"a_vals.csv\", \"\\n\")"
      "  }"
      "}"
    }
    ```
  }];
  let arguments = (ins StrAttr:$name, Variadic<SPATIAL_Argument>:$values, StrArrayAttr:$names, StrAttr:$text);
  let assemblyFormat = "$name `of` $values `as` $names `:` type($values) custom<Lines>($text) attr-dict";
  let hasVerifier = 1;
}

#endif // COMET_SPATIAL_OPS_TD
