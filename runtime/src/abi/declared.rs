//! Which kinds of [`comet_abi::functions`] the types of Rust functions are, for the check that each function
//! has the type it is declared with.

use super::handle::{CallOptions, Elements, KernelArguments, MainArguments, MemRef, Out, Owned, PassedArray};
use super::handle::{SizeHandle, TensorHandle, Text};
use comet_abi::functions::{ArgumentKind, ElementKind};
use std::ffi::c_void;

/// A type of C arguments and results, of which `()` is none.
pub(crate) trait Passed {
    const KIND: Option<ArgumentKind>;
}

/// A pointer to a function of the C ABI.
pub(crate) trait Exported: Copy {
    const ARGUMENTS: &'static [Option<ArgumentKind>];
    const RESULT: Option<ArgumentKind>;
}

pub(crate) const fn arguments<F: Exported>(_: F) -> &'static [Option<ArgumentKind>] {
    F::ARGUMENTS
}

pub(crate) const fn result<F: Exported>(_: F) -> Option<ArgumentKind> {
    F::RESULT
}

macro_rules! signature {
    ($($argument:ident)*) => {
        impl<$($argument: Passed,)* R: Passed> Exported for extern "C-unwind" fn($($argument),*) -> R {
            const ARGUMENTS: &'static [Option<ArgumentKind>] = &[$($argument::KIND),*];
            const RESULT: Option<ArgumentKind> = R::KIND;
        }
    };
}

signature!();
signature!(A);
signature!(A B);
signature!(A B C);
signature!(A B C D);
signature!(A B C D E);
signature!(A B C D E F);
signature!(A B C D E F G);

macro_rules! passed {
    ($($ty:ty => $kind:expr,)*) => {$(
        impl Passed for $ty {
            const KIND: Option<ArgumentKind> = Some($kind);
        }
    )*};
}

passed! {
    TensorHandle => ArgumentKind::Tensor,
    Text => ArgumentKind::Text,
    SizeHandle => ArgumentKind::Pointer,
    MainArguments => ArgumentKind::Pointer,
    super::handle::ProcessFunctions => ArgumentKind::Pointer,
    KernelArguments => ArgumentKind::Pointer,
    CallOptions => ArgumentKind::Pointer,
    super::variants::KernelVariants => ArgumentKind::Pointer,
    *mut c_void => ArgumentKind::Pointer,
    *const super::asynchronous::Object => ArgumentKind::Pointer,
    extern "C" fn() -> () => ArgumentKind::Pointer,
    extern "C-unwind" fn(*const i64, KernelArguments) -> () => ArgumentKind::Pointer,
    unsafe extern "C-unwind" fn(*mut c_void) -> () => ArgumentKind::Pointer,
}

impl Passed for () {
    const KIND: Option<ArgumentKind> = None;
}

impl<T> Passed for Owned<T> {
    const KIND: Option<ArgumentKind> = Some(ArgumentKind::Pointer);
}

impl<T> Passed for Elements<T> {
    const KIND: Option<ArgumentKind> = Some(ArgumentKind::Pointer);
}

macro_rules! elements {
    ($($ty:ty: $element:ident,)*) => {
        passed! {$(
            $ty => ArgumentKind::Scalar(ElementKind::$element),
            PassedArray<$ty> => ArgumentKind::Array(ElementKind::$element),
            Out<MemRef<$ty>> => ArgumentKind::Out(ElementKind::$element),
        )*}
    };
}

elements! {
    bool: I1,
    i8: I8,
    i32: I32,
    i64: I64,
    u8: I8,
    u16: I16,
    u32: I32,
    f32: F32,
    f64: F64,
}
