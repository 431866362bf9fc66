//! The processors that LLVM knows, which its C API does not list.

use crate::ffi;
use melior::StringRef;
use mlir_sys::MlirStringRef;
use std::ffi::c_void;

/// Whether code can be generated for the processor. The triple's target must have been initialized.
pub fn is_known_processor(triple: &str, cpu: &str) -> bool {
    known_processors(triple).iter().any(|known| known == cpu)
}

/// The names of all processors that run a triple's code, sorted. Its target must have been initialized.
pub fn known_processors(triple: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    // SAFETY: the callback runs within the call, with the list that it is given.
    unsafe {
        ffi::cometForEachProcessor(
            StringRef::new(triple).to_raw(),
            Some(push),
            std::ptr::from_mut(&mut names).cast(),
        );
    }
    names
}

/// The names of a processor's features. Its target must have been initialized.
pub fn features(triple: &str, cpu: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    // SAFETY: the callback runs within the call, with the list that it is given.
    unsafe {
        ffi::cometForEachFeature(
            StringRef::new(triple).to_raw(),
            StringRef::new(cpu).to_raw(),
            Some(push),
            std::ptr::from_mut(&mut names).cast(),
        );
    }
    names
}

unsafe extern "C" fn push(name: MlirStringRef, names: *mut c_void) {
    // SAFETY: the callers pass their list, and the name lives through the call.
    let (names, name) = unsafe { (&mut *names.cast::<Vec<String>>(), StringRef::from_raw(name)) };
    names.extend(name.as_str().map(str::to_owned));
}
