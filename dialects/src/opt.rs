//! The main function of `comet-opt`, which exists only in C++.

use crate::{ffi, registration};
use melior::StringRef;
use mlir_sys::{MlirStringCallback, MlirStringRef};
use std::ffi::{CString, c_void};
use std::panic::catch_unwind;
use std::sync::OnceLock;

/// Lowers the `.ta` file at a path to the text of its module; `None` is a failure that it has reported.
pub type ReadSource = fn(path: &str) -> Option<String>;

/// C callbacks of this kind carry no data of ours, so that what is called is kept here.
static READ_SOURCE: OnceLock<ReadSource> = OnceLock::new();

/// `MlirOptMain` on the process's arguments, with `read_source` for files whose name ends in `.ta`. Returns
/// the exit code.
///
/// LLVM keeps its command line in global variables, so this is called once a process.
pub fn main(tool_name: &str, arguments: impl Iterator<Item = Vec<u8>>, read_source: ReadSource) -> i32 {
    READ_SOURCE.get_or_init(|| read_source);
    // An argument of a process ends at its first zero byte, so that none can hold one.
    let arguments: Vec<CString> =
        arguments.map(|argument| CString::new(argument).unwrap_or_default()).collect();
    let mut pointers: Vec<_> = arguments.iter().map(|argument| argument.as_ptr().cast_mut()).collect();
    pointers.push(std::ptr::null_mut());
    let registry = registration::dialects();
    // SAFETY: the arguments and the registry live through the call, and the array ends in null.
    unsafe {
        ffi::cometOptMain(
            arguments.len() as i32,
            pointers.as_mut_ptr(),
            registry.to_raw(),
            StringRef::new(tool_name).to_raw(),
            read_source_callback,
        )
    }
}

unsafe extern "C" fn read_source_callback(
    path: MlirStringRef,
    append: MlirStringCallback,
    user_data: *mut c_void,
) -> bool {
    // SAFETY: the path lives through the call.
    let path = unsafe { StringRef::from_raw(path) };
    let text = catch_unwind(|| READ_SOURCE.get()?(path.as_str().ok()?));
    let (Ok(Some(text)), Some(append)) = (text, append) else { return false };
    // SAFETY: `append` copies the text into what `user_data` points at.
    unsafe { append(StringRef::new(&text).to_raw(), user_data) };
    true
}
