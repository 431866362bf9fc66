//! LLVM's fatal errors: some failures inside LLVM end the process instead of coming back as an error.

use inkwell::support::error_handling::install_fatal_error_handler;
use std::ffi::{CStr, c_char};
use std::sync::OnceLock;

static HANDLER: OnceLock<fn(&str) -> !> = OnceLock::new();

/// Makes LLVM's fatal errors end the process by `handler`. The first call decides.
pub fn on_fatal_error(handler: fn(&str) -> !) {
    if HANDLER.set(handler).is_ok() {
        // SAFETY: the callback reads only the message that it is given.
        unsafe { install_fatal_error_handler(callback) }
    }
}

extern "C" fn callback(message: *const c_char) {
    // SAFETY: LLVM passes a text that ends in zero.
    let message = unsafe { CStr::from_ptr(message) }.to_string_lossy();
    if let Some(handler) = HANDLER.get() {
        handler(&message);
    }
}
