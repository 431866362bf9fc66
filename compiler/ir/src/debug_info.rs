//! Scopes that make LLVM write line tables. The LLVM dialect must be loaded.

use crate::Attr;
use comet_dialects::ffi;
use melior::ir::AttributeLike;
use melior::{Context, StringRef};

/// Returns `#llvm.di_compile_unit` for line tables of a source file, whose name counts from `folder`.
pub fn unit<'c>(context: &'c Context, file: &str, folder: &str) -> Attr<'c> {
    let [file, folder] = [file, folder].map(StringRef::new);
    // SAFETY: the context lives, and the texts are copied.
    unsafe { Attr::from_raw(ffi::cometDebugUnitGet(context.to_raw(), file.to_raw(), folder.to_raw())) }
}

/// A function of a source file.
#[derive(Clone, Copy, Debug)]
pub struct FunctionSource<'a> {
    pub name: &'a str,
    pub file: &'a str,
    pub line: u32,
}

/// Returns `#llvm.di_subprogram` for a function of a [`unit()`].
pub fn function<'c>(unit: Attr<'c>, source: FunctionSource<'_>) -> Attr<'c> {
    let [name, file] = [source.name, source.file].map(StringRef::new);
    // SAFETY: the unit lives in a context, and the texts are copied.
    unsafe {
        Attr::from_raw(ffi::cometDebugFunctionGet(unit.to_raw(), name.to_raw(), file.to_raw(), source.line))
    }
}

/// Returns `#llvm.di_lexical_block_file`: the scope of what a [`function()`] has from another file.
pub fn other_file<'c>(function: Attr<'c>, file: &str) -> Attr<'c> {
    // SAFETY: the function lives in a context, and the text is copied.
    unsafe { Attr::from_raw(ffi::cometDebugFileGet(function.to_raw(), StringRef::new(file).to_raw())) }
}
