// An application is printed as it was read, in its own form and in MLIR's generic one.

// RUN: %comet-opt %s | FileCheck %s
// RUN: %comet-opt %s | %comet-opt | FileCheck %s
// RUN: %comet-opt %s --mlir-print-op-generic | %comet-opt | FileCheck %s

// CHECK-LABEL: func.func @product
// CHECK-SAME: %[[A:.*]]: tensor<?x?xf64, #ta.format<[D, CU]>>, %[[X:.*]]: tensor<?xf64>, %[[Y:.*]]: tensor<?xf64>, %[[ALPHA:.*]]: f64
func.func @product(%a: tensor<?x?xf64, #ta.format<[D, CU]>>, %x: tensor<?xf64>, %y: tensor<?xf64>, %factor: f64) {
  // CHECK: spatial.app "SpMV" of %[[Y]], %[[A]], %[[X]], %[[ALPHA]] as ["y", "A", "x", "alpha"] : tensor<?xf64>, tensor<?x?xf64, #ta.format<[D, CU]>>, tensor<?xf64>, f64 {
  // CHECK-NEXT:   "import spatial.dsl._"
  // CHECK-NEXT:   ""
  // CHECK-NEXT:   "// y(i) = alpha * A(i,j) * x(j)"
  // CHECK-NEXT:   "  val A_dims_h = loadCSV1D[Int](\22A_dims.csv\22, \22\\n\22)"
  // CHECK-NEXT: }
  spatial.app "SpMV" of %y, %a, %x, %factor as ["y", "A", "x", "alpha"] : tensor<?xf64>, tensor<?x?xf64, #ta.format<[D, CU]>>, tensor<?xf64>, f64 {
    "import spatial.dsl._"
    ""
    "// y(i) = alpha * A(i,j) * x(j)"
    "  val A_dims_h = loadCSV1D[Int](\"A_dims.csv\", \"\\n\")"
  }
  return
}
