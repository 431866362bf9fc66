// Every form of `#ta.format` and `#ta.file_mode` is printed as it was read.

// RUN: %comet-opt %s | FileCheck %s
// RUN: %comet-opt %s | %comet-opt | FileCheck %s

// CHECK-LABEL: func.func private @levels(
// CHECK-SAME: tensor<?x?xf64, #ta.format<[D, CU]>>
// CHECK-SAME: tensor<?x?xf64, #ta.format<[CN, S]>>
// CHECK-SAME: tensor<?xi64, #ta.format<[BV<8>]>>
// CHECK-SAME: tensor<?x?x?xf32, #ta.format<[BV<16>, BV<32>, BV<64>]>>
func.func private @levels(tensor<?x?xf64, #ta.format<[D, CU]>>, tensor<?x?xf64, #ta.format<[CN, S]>>, tensor<?xi64, #ta.format<[BV<8>]>>,
  tensor<?x?x?xf32, #ta.format<[BV<16>, BV<32>, BV<64>]>>)

// CHECK-LABEL: func.func private @orders(
// CHECK-SAME: tensor<?x?xf64, #ta.format<[d1 : D, d0 : CU]>>
// CHECK-SAME: tensor<?x?xf64, #ta.format<[d0 floordiv 4 : D, d1 floordiv 2 : CU, d0 mod 4 : D, d1 mod 2 : D]>>
// CHECK-SAME: tensor<?x?xf64, #ta.format<[d0 : D, slot : D, d1 : S]>>
func.func private @orders(tensor<?x?xf64, #ta.format<[d1 : D, d0 : CU]>>,
  tensor<?x?xf64, #ta.format<[d0 floordiv 4 : D, d1 floordiv 2 : CU, d0 mod 4 : D, d1 mod 2 : D]>>,
  tensor<?x?xf64, #ta.format<[d0 : D, slot : D, d1 : S]>>)

// The natural order and a width of 32 bits are not printed.
// CHECK-LABEL: func.func private @options(
// CHECK-SAME: tensor<?x?xf64, #ta.format<[D, CU]>>
// CHECK-SAME: tensor<?x?xf64, #ta.format<[D, CU], index = 64>>
// CHECK-SAME: tensor<?x?xf64, #ta.format<[D, D], memory = onchip>>
// CHECK-SAME: tensor<?x?xf64, #ta.format<[D, CU], index = 64, memory = offchip>>
// CHECK-SAME: tensor<f64, #ta.format<[], memory = onchip>>
func.func private @options(tensor<?x?xf64, #ta.format<[d0 : D, d1 : CU], index = 32>>, tensor<?x?xf64, #ta.format<[D, CU], index = 64>>,
  tensor<?x?xf64, #ta.format<[D, D], memory = onchip>>, tensor<?x?xf64, #ta.format<[D, CU], memory = offchip, index = 64>>,
  tensor<f64, #ta.format<[], memory = onchip>>)

// CHECK-LABEL: func.func private @types(!ta.range, !ta.labeled<f64>, !ta.labeled<f32>, !ta.labeled<i64>)
func.func private @types(!ta.range, !ta.labeled<f64>, !ta.labeled<f32>, !ta.labeled<i64>)

// CHECK-LABEL: func.func private @files()
// CHECK-SAME: [#ta.file_mode<"env:0", "A", 2, 1>, #ta.file_mode<"env:", "x", 1, 0>, #ta.file_mode<"path:a b.mtx", "T", 3, 2>]
func.func private @files() attributes {
  files = [#ta.file_mode<"env:0", "A", 2, 1>, #ta.file_mode<"env:", "x", 1, 0>, #ta.file_mode<"path:a b.mtx", "T", 3, 2>]}
