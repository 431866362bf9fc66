//! Which kinds of [`comet_abi::functions`] the types of Rust functions are, for the check that each function
//! has the type it is declared with.

use super::handle::{Arguments, CallOptions, Elements, Given, KernelArguments, MemRef, Out, Owned};
use super::handle::{SizeHandle, TensorHandle, Text};
use comet_abi::functions::{Element, Kind};
use std::ffi::c_void;

/// A type of C arguments.
pub(crate) trait Passed {
    const KIND: Kind;
}

/// A type of C results.
pub(crate) trait Returned {
    const KIND: Option<Kind>;
}

/// A pointer to a function of the C ABI.
pub(crate) trait Exported: Copy {
    const ARGUMENTS: &'static [Kind];
    const RESULT: Option<Kind>;
}

pub(crate) const fn arguments<F: Exported>(_: F) -> &'static [Kind] {
    F::ARGUMENTS
}

pub(crate) const fn result<F: Exported>(_: F) -> Option<Kind> {
    F::RESULT
}

macro_rules! exported {
    ($($argument:ident)*) => {
        impl<$($argument: Passed,)* R: Returned> Exported for extern "C-unwind" fn($($argument),*) -> R {
            const ARGUMENTS: &'static [Kind] = &[$($argument::KIND),*];
            const RESULT: Option<Kind> = R::KIND;
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
            const KIND: Kind = $kind;
        }

        impl Returned for $ty {
            const KIND: Option<Kind> = Some($kind);
        }
    )*};
}

passed! {
    TensorHandle => Kind::Tensor,
    Text => Kind::Text,
    SizeHandle => Kind::Pointer,
    Arguments => Kind::Pointer,
    KernelArguments => Kind::Pointer,
    CallOptions => Kind::Pointer,
    *mut c_void => Kind::Pointer,
    *const super::asynchronous::Object => Kind::Pointer,
    extern "C" fn() -> () => Kind::Pointer,
    extern "C-unwind" fn(*const i64, KernelArguments) -> () => Kind::Pointer,
    unsafe extern "C-unwind" fn(*mut c_void) -> () => Kind::Pointer,
}

impl<T> Passed for Owned<T> {
    const KIND: Kind = Kind::Pointer;
}

impl<T> Returned for Owned<T> {
    const KIND: Option<Kind> = Some(Kind::Pointer);
}

impl<T> Passed for Elements<T> {
    const KIND: Kind = Kind::Pointer;
}

impl Returned for () {
    const KIND: Option<Kind> = None;
}

macro_rules! elements {
    ($($ty:ty: $element:ident,)*) => {$(
        passed! { $ty => Kind::Scalar(Element::$element), }

        impl Passed for Given<$ty> {
            const KIND: Kind = Kind::Array(Element::$element);
        }

        impl Passed for Out<MemRef<$ty>> {
            const KIND: Kind = Kind::Out(Element::$element);
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
