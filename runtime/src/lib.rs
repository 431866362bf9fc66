//! What generated code calls: tensors, files, packing, printing. No LLVM.

pub mod format;
