//! What generated code passes by address. Each type can only be made by the run time itself or by C code,
//! which promises that the address is what its type says; the unsafe code of the ABI is here.

use super::border::BorderTensor;
use super::call;
use super::rows::BorderRows;
use crate::assemble::parts;
use crate::distributed::{self, Functions, Placement};
use crate::error::Error;
use crate::kernel::ABI_VERSION;
use crate::memory::{Allocator, AllocatorThreads, Plain, c_allocator};
use crate::size::SolvedSize;
use crate::tensor::Tensor;
use std::ffi::{CStr, OsStr, OsString, c_char, c_int, c_void};
use std::os::unix::ffi::OsStrExt as _;

/// `comet_tensor *`: a tensor that lives until `comet_rt_tensor_free`.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub(crate) struct TensorHandle(*mut Tensor);

impl TensorHandle {
    pub(super) fn new(tensor: Tensor) -> Self {
        Self::of(Box::new(tensor))
    }

    /// The handle of a tensor that the caller adds to the list of a call.
    pub(super) fn unlisted(tensor: Box<Tensor>) -> Self {
        Self(Box::into_raw(tensor))
    }

    pub(super) fn of(tensor: Box<Tensor>) -> Self {
        let handle = Self::unlisted(tensor);
        call::current(|call| call.made.push(handle));
        handle
    }

    pub(super) fn get<'a>(self) -> Result<&'a Tensor, Error> {
        if self.part()?.is_divided() {
            distributed::provide(self.part_mut()?)?;
        }
        self.part()
    }

    pub(super) fn get_mut<'a>(self) -> Result<&'a mut Tensor, Error> {
        let tensor = self.part_mut()?;
        if tensor.is_divided() {
            distributed::provide(tensor)?;
        }
        Ok(tensor)
    }

    /// The tensor as this process has it, where others have other parts of the whole.
    pub(super) fn part<'a>(self) -> Result<&'a Tensor, Error> {
        if self.placed()?.is_constant() {
            distributed::provide(self.placed_mut()?)?;
        }
        self.placed()
    }

    /// The same, to change it.
    pub(super) fn part_mut<'a>(self) -> Result<&'a mut Tensor, Error> {
        let tensor = self.placed_mut()?;
        if tensor.is_constant() {
            distributed::provide(tensor)?;
        }
        Ok(tensor)
    }

    /// The tensor as it is placed: of a constant, nothing is stored.
    pub(super) fn placed<'a>(self) -> Result<&'a Tensor, Error> {
        // SAFETY: C code passes handles that were made by `new` and are not freed; no thread changes the
        // tensor meanwhile.
        unsafe { self.0.as_ref() }.ok_or_else(null)
    }

    /// The same, to change it.
    pub(super) fn placed_mut<'a>(self) -> Result<&'a mut Tensor, Error> {
        // SAFETY: C code passes such handles, one thread at a time; a function takes this reference of one
        // handle only once.
        unsafe { self.0.as_mut() }.ok_or_else(null)
    }

    /// The tensor, whole and without storage if it was divided: it is about to get other content.
    pub(super) fn overwritten<'a>(self) -> Result<&'a mut Tensor, Error> {
        let tensor = self.placed_mut()?;
        if tensor.is_divided() {
            tensor.dims = tensor.whole_dims();
            tensor.placement = Placement::default();
            drop(tensor.take_storage());
        }
        Ok(tensor)
    }

    /// Takes the tensor, and frees the handle.
    pub(super) fn take(self) -> Result<Tensor, Error> {
        let tensor = self.placed_mut()?;
        let (name, format) = (tensor.name.clone(), tensor.format.clone());
        let taken = std::mem::replace(tensor, Tensor::new(&name, format));
        self.free();
        Ok(taken)
    }

    /// Takes the tensor out of a handle that has been removed from the list of its call.
    pub(super) fn reclaim(self) -> Box<Tensor> {
        // SAFETY: calls list handles of boxes that nobody has freed, and the caller has the last
        // one.
        unsafe { Box::from_raw(self.0) }
    }

    /// The part with a number of a tensor that tasks append to.
    pub(super) fn numbered_part(self, number: i64) -> Result<Self, Error> {
        parts::part(self.get()?, number as usize).map(Self)
    }

    pub(super) fn is_same(self, other: Self) -> bool {
        self.0 == other.0
    }

    pub(super) fn free(self) {
        // The latest are freed first.
        call::current(|call| {
            let made = call.made.iter().rposition(|made| made.is_same(self));
            made.map(|place| call.made.remove(place))
        });
        if !self.0.is_null() {
            // SAFETY: the address came from `Box::into_raw`, and C code frees it once.
            drop(unsafe { Box::from_raw(self.0) });
        }
    }
}

/// The extent that `comet_rt_size_begin` began to solve; it lives until `comet_rt_size_end`.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct SizeHandle(*mut SizeAndPlace);

/// An extent with the place it is solved for.
pub(super) struct SizeAndPlace {
    pub(super) size: SolvedSize,
    pub(super) place: String,
}

impl SizeHandle {
    pub(super) fn new(size: SizeAndPlace) -> Self {
        let handle = Self(Box::into_raw(Box::new(size)));
        call::current(|call| call.sizes.push(handle));
        handle
    }

    pub(super) fn get_mut<'a>(self) -> Result<&'a mut SizeAndPlace, Error> {
        // SAFETY: C code passes what `new` made and `end` has not taken, one thread at a time.
        unsafe { self.0.as_mut() }.ok_or_else(null)
    }

    pub(super) fn free(self) {
        call::current(|call| call.sizes.retain(|size| size.0 != self.0));
        if !self.0.is_null() {
            // SAFETY: the address came from `Box::into_raw`, and C code ends a size once.
            drop(unsafe { Box::from_raw(self.0) });
        }
    }
}

/// `void *`: what one function of the run time makes for others, and one of them frees. Kernels, whose calls
/// may end before that, do not use any.
#[repr(transparent)]
pub(crate) struct Owned<T>(*mut T);

impl<T> Owned<T> {
    pub(super) fn new(value: T) -> Self {
        Self(Box::into_raw(Box::new(value)))
    }

    pub(super) fn get<'a>(self) -> Result<&'a mut T, Error> {
        // SAFETY: C code passes what `new` made and `free` has not taken, one thread at a time, and a
        // function takes this reference only once.
        unsafe { self.0.as_mut() }.ok_or_else(null)
    }

    pub(super) fn free(self) -> Result<T, Error> {
        if self.0.is_null() {
            return Err(null());
        }
        // SAFETY: the address came from `Box::into_raw`, and C code frees it once.
        Ok(*unsafe { Box::from_raw(self.0) })
    }
}

/// `const char *`: a text that ends in zero, or null for none.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct Text(*const c_char);

impl Text {
    pub(super) fn none() -> Self {
        Self(std::ptr::null())
    }

    pub(super) fn bytes<'a>(self) -> &'a [u8] {
        if self.0.is_null() {
            return &[];
        }
        // SAFETY: C code passes texts that end in zero and outlive the call.
        unsafe { CStr::from_ptr(self.0) }.to_bytes()
    }

    /// The text; one that is not UTF-8 is shown up to where it is.
    pub(super) fn get<'a>(self) -> &'a str {
        let bytes = self.bytes();
        match std::str::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default(),
        }
    }
}

/// The address of the table of `mpi/comet_mpi.c`.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct ProcessFunctions(*const Functions);

impl ProcessFunctions {
    pub(super) fn get(self) -> &'static Functions {
        // SAFETY: the entry of an executable passes the table that it was linked with.
        unsafe { &*self.0 }
    }
}

/// `char **`: the arguments of `main`.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct MainArguments(*const Text);

impl MainArguments {
    pub(super) fn get(self, count: c_int) -> Vec<OsString> {
        if self.0.is_null() {
            return Vec::new();
        }
        let count = usize::try_from(count).unwrap_or(0);
        // SAFETY: the system passes that many texts to `main`, and C code passes them on.
        let texts = unsafe { std::slice::from_raw_parts(self.0, count) };
        texts.iter().map(|text| OsStr::from_bytes(text.bytes()).to_owned()).collect()
    }
}

/// The arguments of a kernel, 64 bits each: a tensor's address, a number's bits, the address for a number.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct KernelArguments(*const u64);

impl KernelArguments {
    pub(super) fn new(arguments: &[u64]) -> Self {
        Self(arguments.as_ptr())
    }

    fn address<T>(self, place: usize) -> *mut T {
        // SAFETY: generated code passes one for each parameter of the signature that it passes.
        let bits = unsafe { *self.0.add(place) };
        std::ptr::with_exposed_provenance_mut(bits as usize)
    }

    pub(super) fn is_null(self, place: usize) -> bool {
        self.address::<u8>(place).is_null()
    }

    pub(super) fn tensor<'a>(self, place: usize) -> Option<&'a BorderTensor> {
        // SAFETY: the caller of a kernel passes null or a structure that nobody else writes to.
        unsafe { self.address::<BorderTensor>(place).as_ref() }
    }

    /// The structure of a tensor that has rows.
    pub(super) fn rows<'a>(self, place: usize) -> Option<&'a BorderRows> {
        self.tensor(place).filter(|tensor| tensor.has_rows())?;
        // SAFETY: as above, and the structure says that it is as long.
        unsafe { self.address::<BorderRows>(place).as_ref() }
    }

    /// The same, to be written.
    pub(super) fn rows_mut<'a>(self, place: usize) -> Option<&'a mut BorderRows> {
        self.tensor(place).filter(|tensor| tensor.has_rows())?;
        // SAFETY: as above; nothing else is taken of a result while it is written.
        unsafe { self.address::<BorderRows>(place).as_mut() }
    }

    /// The bits of a number of so many bytes.
    pub(super) fn number(self, place: usize, bytes: usize) -> i64 {
        let unused = 64 - 8 * bytes.clamp(1, 8) as u32;
        // SAFETY: as above; what is beyond the number's bytes is cut off.
        let bits = unsafe { *self.0.add(place) };
        (bits << unused).cast_signed()
    }

    pub(super) fn tensor_mut<'a>(self, place: usize) -> Option<&'a mut BorderTensor> {
        // SAFETY: as above; nothing else is taken of a result while it is written.
        unsafe { self.address::<BorderTensor>(place).as_mut() }
    }
}

/// `comet_call *`: how a kernel is to be called, or null.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct CallOptions(*mut BorderCall);

/// The room for a message, its zero included.
const MESSAGE_BYTES: usize = 1024;
/// `COMET_CHECK_ARRAYS`.
const CHECK_ARRAYS: u32 = 1;
/// `COMET_DISTRIBUTED`.
const DISTRIBUTED: u32 = 2;

/// `comet_call`.
#[repr(C)]
pub(crate) struct BorderCall {
    version: u32,
    bytes: u32,
    flags: u32,
    /// The communicator's number in Fortran, with [`DISTRIBUTED`].
    comm: i32,
    context: *mut c_void,
    allocate: Option<extern "C" fn(*mut c_void, usize, usize) -> *mut c_void>,
    release: Option<extern "C" fn(*mut c_void, *mut c_void)>,
    message: [u8; MESSAGE_BYTES],
}

impl CallOptions {
    fn get<'a>(self) -> Result<Option<&'a mut BorderCall>, Error> {
        // SAFETY: the caller of a kernel passes null or a structure that only this call uses.
        let Some(options) = (unsafe { self.0.as_mut() }) else { return Ok(None) };
        if (options.version, options.bytes as usize) == (ABI_VERSION, size_of::<BorderCall>()) {
            return Ok(Some(options));
        }
        Err(Error::Option(format!("the `comet_call` is not one of version {ABI_VERSION}")))
    }

    /// The caller's, or the C library's.
    pub(super) fn allocator(self) -> Result<Allocator, Error> {
        let Some(options) = self.get()? else { return Ok(c_allocator()) };
        match (options.allocate, options.release) {
            (Some(allocate), Some(release)) => {
                Ok(Allocator { context: options.context, allocate, release, threads: AllocatorThreads::Own })
            }
            (None, None) => Ok(c_allocator()),
            _ => {
                let message = "the `comet_call` has one of `allocate` and `release`, expected both or none";
                Err(Error::Option(message.to_owned()))
            }
        }
    }

    /// Whether the content of pos and crd is to be looked at.
    pub(super) fn checks_arrays(self) -> bool {
        matches!(self.get(), Ok(Some(options)) if options.flags & CHECK_ARRAYS != 0)
    }

    /// The communicator of the processes that call the kernel together.
    pub(super) fn communicator(self) -> Result<Option<i32>, Error> {
        let options = self.get()?.filter(|options| options.flags & DISTRIBUTED != 0);
        Ok(options.map(|options| options.comm))
    }

    /// Leaves a message, cut where it is too long; an unknown structure gets none.
    pub(super) fn tell(self, message: &str) {
        let Ok(Some(options)) = self.get() else { return };
        let most = message.len().min(MESSAGE_BYTES - 1);
        let len = (0..=most).rev().find(|&len| message.is_char_boundary(len)).unwrap_or(0);
        options.message[..len].copy_from_slice(&message.as_bytes()[..len]);
        options.message[len] = 0;
    }
}

/// `const T *`: the first of elements whose number is passed with it.
#[repr(transparent)]
pub(crate) struct Elements<T>(*const T);

impl<T: Plain> Elements<T> {
    pub(super) fn get<'a>(self, len: i64) -> Result<&'a [T], Error> {
        match usize::try_from(len) {
            Ok(0) => Ok(&[]),
            // SAFETY: C code passes the address of that many elements, which outlive the call.
            Ok(len) if !self.0.is_null() => Ok(unsafe { std::slice::from_raw_parts(self.0, len) }),
            _ => Err(Error::Internal(format!("{len} elements were passed without an address"))),
        }
    }
}

/// A rank-1 memref descriptor, as MLIR lays it out for C.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct MemRef<T> {
    base: *mut T,
    aligned: *mut T,
    offset: i64,
    size: i64,
    stride: i64,
}

impl<T> MemRef<T> {
    pub(super) fn new(start: *mut T, len: usize) -> Self {
        Self { base: start, aligned: start, offset: 0, size: len as i64, stride: 1 }
    }
}

/// `const memref *`: an array of generated code, to read or to write.
#[repr(transparent)]
pub(crate) struct PassedArray<T>(*const MemRef<T>);

impl<T: Plain> PassedArray<T> {
    /// The first `len` elements; all of them where `len` is `None`.
    pub(super) fn get<'a>(self, len: Option<i64>) -> Result<&'a mut [T], Error> {
        // SAFETY: C code passes the address of a descriptor.
        let memref = unsafe { self.0.as_ref() }.ok_or_else(null)?;
        let len = len.unwrap_or(memref.size);
        if len < 0 || len > memref.size || memref.stride != 1 || memref.offset != 0 {
            return Err(Error::Internal(format!("{len} elements of an array of {}", memref.size)));
        }
        // SAFETY: the descriptor is that of an array which outlives the call and is no other argument's.
        Ok(unsafe { std::slice::from_raw_parts_mut(memref.aligned, len as usize) })
    }
}

/// `memref *`: where a function leaves its result.
#[repr(transparent)]
pub(crate) struct Out<T>(*mut T);

impl<T> Out<T> {
    pub(super) fn set(self, result: T) {
        // SAFETY: C code passes the address of room for one result.
        unsafe { self.0.write(result) }
    }
}

impl<T> Out<MemRef<T>> {
    /// Returns an array by where it begins and its number of elements.
    pub(super) fn set_array(self, (start, len): (*mut T, usize)) -> Result<(), Error> {
        self.set(MemRef::new(start, len));
        Ok(())
    }
}

fn null() -> Error {
    Error::Internal("a null handle was passed".to_owned())
}
