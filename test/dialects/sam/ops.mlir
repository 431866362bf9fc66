// A graph is printed as it was read, in its own form and in MLIR's generic one.

// RUN: %comet-opt %s | FileCheck %s
// RUN: %comet-opt %s | %comet-opt | FileCheck %s
// RUN: %comet-opt %s --mlir-print-op-generic | %comet-opt | FileCheck %s

// CHECK-LABEL: func.func @product
// CHECK-SAME: %[[B:.*]]: tensor<?x?xf64, #ta.format<[d1 floordiv 4 : D, d0 : CU, d1 mod 4 : BV<32>]>>, %[[X:.*]]: tensor<?xf64>, %[[A:.*]]: i64, %[[N:.*]]: index
func.func @product(%b: tensor<?x?xf64, #ta.format<[d1 floordiv 4 : D, d0 : CU, d1 mod 4 : BV<32>]>>, %x: tensor<?xf64>, %a: i64, %n: index) {
  // CHECK: sam.graph of %[[X]], %[[B]], %[[A]], %[[N]] as ["x", "B", "number", "all_i"] : tensor<?xf64>, tensor<?x?xf64, #ta.format<[d1 floordiv 4 : D, d0 : CU, d1 mod 4 : BV<32>]>>, i64, index {
  // CHECK-NEXT:   "digraph SAM {"
  // CHECK-NEXT:   "    comment=\22x=d0\22"
  // CHECK-NEXT:   ""
  // CHECK-NEXT:   "}"
  // CHECK-NEXT: }
  sam.graph of %x, %b, %a, %n as ["x", "B", "number", "all_i"] : tensor<?xf64>, tensor<?x?xf64, #ta.format<[d1 floordiv 4 : D, d0 : CU, d1 mod 4 : BV<32>]>>, i64, index {
    "digraph SAM {"
    "    comment=\"x=d0\""
    ""
    "}"
  }
  return
}
