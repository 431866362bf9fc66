//! What newer C libraries have, and LLVM takes from them: so that the module runs with older ones, too.

use std::ffi::c_uint;

/// Random bits. LLVM names its temporary files by them.
#[unsafe(no_mangle)]
extern "C" fn arc4random() -> c_uint {
    let mut bytes = [0; size_of::<c_uint>()];
    // Without a source of random numbers, names are only less random.
    let _ = getrandom::fill(&mut bytes);
    c_uint::from_ne_bytes(bytes)
}
