//! Builder, views and the pass layer over MLIR.
