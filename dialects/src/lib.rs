//! The MLIR dialects of comet and their registration.
