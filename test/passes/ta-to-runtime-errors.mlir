// What other passes must have lowered before is refused at its place.

// RUN: %comet-opt %s --ta-to-runtime -verify-diagnostics -split-input-file

func.func @dynamic_label() {
  // expected-error @+1 {{expected `ta.index_label_dynamic` to be lowered by now}}
  %i = ta.index_label_dynamic "i" from [#ta.file_mode<"env:0", "x", 1, 0>]
  return
}

// -----

func.func @contraction(%x: tensor<?xf64>, %y: tensor<?xf64>) {
  // expected-error @+1 {{expected `ta.tc` to be lowered by now}}
  ta.tc ins(%x : tensor<?xf64>) outs(%y : tensor<?xf64>) {
    alpha = 1.0 : f64, beta = 0.0 : f64, indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>]}
  return
}
