// Every way in which a `#ta.format`, a `#ta.file_mode` or a type of ta can be wrong is reported.

// RUN: %comet-opt %s -verify-diagnostics -split-input-file

// expected-error @+1 {{expected a level format (D, CU, CN, S, BV<b>, R, H), found `Q`}}
func.func private @kind(tensor<?xf64, #ta.format<[Q]>>)

// -----

// expected-error @+1 {{expected a mode such as `d0`, found `dx`}}
func.func private @mode(tensor<?xf64, #ta.format<[dx : D]>>)

// -----

// expected-error @+1 {{expected `index` or `memory`, found `width`}}
func.func private @option(tensor<?xf64, #ta.format<[D], width = 64>>)

// -----

// expected-error @+1 {{expected `onchip` or `offchip`, found `cache`}}
func.func private @memory(tensor<?xf64, #ta.format<[D], memory = cache>>)

// -----

// expected-error @+1 {{expected an index width of 32 or 64 bits, found 16}}
func.func private @width(tensor<?xf64, #ta.format<[CU], index = 16>>)

// -----

// expected-error @+1 {{the first level cannot be S: it has no parent positions}}
func.func private @singleton(tensor<?xf64, #ta.format<[S]>>)

// -----

// expected-error @+1 {{expected a bit vector of 8, 16, 32 or 64 bits a word, found 12}}
func.func private @bits(tensor<?xf64, #ta.format<[BV<12>]>>)

// -----

// expected-error @+1 {{mode d0 must be stored once: whole, or as a quotient and a remainder by the same number}}
func.func private @twice(tensor<?x?xf64, #ta.format<[d0 : D, d0 : CU]>>)

// -----

// expected-error @+1 {{mode d0 must be stored once: whole, or as a quotient and a remainder by the same number}}
func.func private @missing(tensor<?x?xf64, #ta.format<[d1 : D]>>)

// -----

// expected-error @+1 {{mode d0 must be stored once: whole, or as a quotient and a remainder by the same number}}
func.func private @factors(tensor<?xf64, #ta.format<[d0 floordiv 4 : D, d0 mod 2 : D]>>)

// -----

// expected-error @+1 {{expected a positive block size, found 0}}
func.func private @zero(tensor<?xf64, #ta.format<[d0 floordiv 0 : D, d0 mod 0 : D]>>)

// -----

// expected-error @+1 {{expected a positive block size, found -2}}
func.func private @negative(tensor<?xf64, #ta.format<[d0 floordiv -2 : D, d0 mod -2 : D]>>)

// -----

// expected-error @+1 {{mode d0 must be stored once: whole, or as a quotient and a remainder by the same number}}
func.func private @quotients(tensor<?xf64, #ta.format<[d0 floordiv 4 : D, d0 floordiv 2 : D, d0 mod 3 : D]>>)

// -----

// expected-error @+1 {{a slot must be D, above an S level that says whether it is used}}
func.func private @slot_kind(tensor<?x?xf64, #ta.format<[d0 : D, slot : CU, d1 : S]>>)

// -----

// expected-error @+1 {{a slot must be D, above an S level that says whether it is used}}
func.func private @slot_last(tensor<?x?xf64, #ta.format<[d0 : D, d1 : CU, slot : D]>>)

// -----

// expected-error @+1 {{expected a format of rank 1, found one of rank 2}}
func.func private @rank(tensor<?xf64, #ta.format<[D, CU]>>)

// -----

// expected-error @+1 {{expected a source `env:`, `env:<digits>` or `path:<path>`, found "env:x"}}
func.func private @digits() attributes {file = #ta.file_mode<"env:x", "A", 2, 0>}

// -----

// expected-error @+1 {{expected a source `env:`, `env:<digits>` or `path:<path>`, found "path:"}}
func.func private @path() attributes {file = #ta.file_mode<"path:", "A", 2, 0>}

// -----

// expected-error @+1 {{expected a mode below the rank 2, found 2}}
func.func private @file_mode() attributes {file = #ta.file_mode<"env:0", "A", 2, 2>}

// -----

// expected-error @+1 {{expected an element type such as f64, found 'index'}}
func.func private @element(!ta.labeled<index>)
