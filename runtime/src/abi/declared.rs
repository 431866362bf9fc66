//! Which kinds of [`comet_abi::functions`] the types of Rust functions are, for the check that each function
//! has the type it is declared with.

use super::handle::{CallOptions, Elements, KernelArguments, MainArguments, MemRef, Out, Owned, PassedArray};
use super::handle::{SizeHandle, TensorHandle, Text};
use comet_abi::functions::{ArgumentKind, ElementKind};
use std::ffi::c_void;

/// A type of C arguments.
pub(crate) trait Passed {
    const KIND: ArgumentKind;
}

/// A type of C results.
pub(crate) trait Returned {
    const KIND: Option<ArgumentKind>;
}

/// A pointer to a function of the C ABI.
pub(crate) trait Exported: Copy {
    const ARGUMENTS: &'static [ArgumentKind];
    const RESULT: Option<ArgumentKind>;
}

pub(crate) const fn arguments<F: Exported>(_: F) -> &'static [ArgumentKind] {
    F::ARGUMENTS
}

pub(crate) const fn result<F: Exported>(_: F) -> Option<ArgumentKind> {
    F::RESULT
}

macro_rules! exported {
    ($($argument:ident)*) => {
        impl<$($argument: Passed,)* R: Returned> Exported for extern "C-unwind" fn($($argument),*) -> R {
            const ARGUMENTS: &'static [ArgumentKind] = &[$($argument::KIND),*];
            const RESULT: Option<ArgumentKind> = R::KIND;
        }
    };
}

exported!();
exported!(A);
exported!(A B);
exported!(A B C);
exported!(A B C D);
exported!(A B C D E);
exported!(A B C D E F);
exported!(A B C D E F G);

macro_rules! passed {
    ($($ty:ty => $kind:expr,)*) => {$(
        impl Passed for $ty {
            const KIND: ArgumentKind = $kind;
        }

        impl Returned for $ty {
            const KIND: Option<ArgumentKind> = Some($kind);
        }
    )*};
}

passed! {
    TensorHandle => ArgumentKind::Tensor,
    Text => ArgumentKind::Text,
    SizeHandle => ArgumentKind::Pointer,
    MainArguments => ArgumentKind::Pointer,
    KernelArguments => ArgumentKind::Pointer,
    CallOptions => ArgumentKind::Pointer,
    *mut c_void => ArgumentKind::Pointer,
    *const super::asynchronous::Object => ArgumentKind::Pointer,
    extern "C" fn() -> () => ArgumentKind::Pointer,
    extern "C-unwind" fn(*const i64, KernelArguments) -> () => ArgumentKind::Pointer,
    unsafe extern "C-unwind" fn(*mut c_void) -> () => ArgumentKind::Pointer,
}

impl<T> Passed for Owned<T> {
    const KIND: ArgumentKind = ArgumentKind::Pointer;
}

impl<T> Returned for Owned<T> {
    const KIND: Option<ArgumentKind> = Some(ArgumentKind::Pointer);
}

impl<T> Passed for Elements<T> {
    const KIND: ArgumentKind = ArgumentKind::Pointer;
}

impl Returned for () {
    const KIND: Option<ArgumentKind> = None;
}

macro_rules! elements {
    ($($ty:ty: $element:ident,)*) => {$(
        passed! { $ty => ArgumentKind::Scalar(ElementKind::$element), }

        impl Passed for PassedArray<$ty> {
            const KIND: ArgumentKind = ArgumentKind::Array(ElementKind::$element);
        }

        impl Passed for Out<MemRef<$ty>> {
            const KIND: ArgumentKind = ArgumentKind::Out(ElementKind::$element);
        }
    )*};
}

elements! {
    bool: I1,
    i8: I8,
    i32: I32,
    i64: I64,
    f32: F32,
    f64: F64,
}
