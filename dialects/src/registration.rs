//! What is registered with MLIR: our dialects and the upstream ones, and the upstream passes that the
//! pipelines use.

use crate::ffi;
use melior::dialect::DialectRegistry;

/// The dialects of comet and those that its pipelines lower to, with their translations to LLVM IR.
pub fn dialects() -> DialectRegistry {
    let registry = DialectRegistry::new();
    // SAFETY: the registry lives.
    unsafe { ffi::cometRegisterDialects(registry.to_raw()) }
    registry
}

/// Makes the upstream passes that the pipelines use known by their names. To be called once a process.
pub fn register_upstream_passes() {
    // SAFETY: it has no requirement.
    unsafe { ffi::cometRegisterUpstreamPasses() }
}
