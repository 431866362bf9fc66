//! The entry of a kernel that a C program calls: what it passes is checked, and then is tensors for the time
//! of the call.

use super::border::{BorderTensor, Parcel};
use super::call::{self, KernelCall, PassedResult};
use super::division;
use super::given;
use super::handle::{CallOptions, KernelArguments, ProcessFunctions, SizeHandle, TensorHandle, Text};
use super::lent::LentTensor;
use super::parsed::ParsedTexts;
use super::rows::{self, PassedRows};
use crate::asynchronous;
use crate::distributed;
use crate::error::{Error, Status};
use crate::exit::{Failure, catching};
use crate::instrument;
use crate::kernel::check;
use crate::memory::{Allocator, allocating, c_allocator};
use crate::options::prepare_threads;
use crate::output;
use crate::pack::store_nothing;
use crate::size::{ExtentSource, SolvedSize};
use crate::tensor::Tensor;
use comet_abi::kernel::{Extent, Parameter, ParameterKind, Role, Signature, Size};
use comet_format::TypedFormat;
use std::cell::Cell;
use std::ffi::c_int;
use std::str::FromStr;

/// The generated code of a kernel: it takes the extents of [`Signature::sizes`], −1 where there is none yet,
/// and the arguments.
pub type Body = extern "C-unwind" fn(*const i64, KernelArguments);

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn comet_rt_kernel(
    signature: Text,
    arguments: KernelArguments,
    options: CallOptions,
    body: Body,
) -> c_int {
    enter(signature, arguments, options, || Ok(body))
}

/// Calls a body as C functions of libraries do.
pub(super) fn enter(
    signature: Text,
    arguments: KernelArguments,
    options: CallOptions,
    body: impl FnOnce() -> Result<Body, Error>,
) -> c_int {
    let called = caught(options.communicator(), || {
        let (body, kernel) = (body()?, KERNELS.with(|known| known.of(signature))?);
        let (allocator, checks_arrays) = (options.allocator()?, options.checks_arrays());
        let KnownKernel { signature, spare } = &*kernel;
        let invocation = Invocation { signature, arguments, allocator, checks_arrays };
        // If the allocator of this call calls the same kernel, that call begins without spare memory.
        let (called, left) = invocation.run(body, spare.take().unwrap_or_default());
        spare.set(Some(left));
        called
    });
    let message = called.as_ref().err().map_or("", |failure| &failure.message);
    options.tell(message);
    called.err().map_or(Status::Ok, |failure| failure.status).code()
}

thread_local! {
    static KERNELS: ParsedTexts<KnownKernel> = ParsedTexts::default();
}

/// A kernel that this thread has called, with the memory that its next call reuses.
struct KnownKernel {
    signature: Signature,
    spare: Cell<Option<Box<Spare>>>,
}

impl FromStr for KnownKernel {
    type Err = <Signature as FromStr>::Err;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self { signature: text.parse()?, spare: Cell::default() })
    }
}

/// Memory of a call that has ended, which the next call reuses: to allocate it anew would take longer than a
/// small kernel computes.
#[derive(Default)]
struct Spare {
    /// One for each parameter; it has no tensor for scalars, and for a result without arrays.
    lent: Vec<LentTensor>,
    /// An empty tensor of the result.
    result: Option<Box<Tensor>>,
    sizes: Vec<PassedSize>,
    /// The extents of `sizes`, as generated code takes them.
    extents: Vec<i64>,
    /// True if `sizes` and `extents` are those of the tensors in `lent`, which were found not to overlap.
    is_checked: bool,
    call: Box<KernelCall>,
}

/// Calls the generated code of a kernel, as the C function of a library does.
///
/// # Errors
/// Arguments that contradict the signature or each other, and what the kernel itself fails with.
///
/// # Safety
/// The code is that of a kernel with this signature, and remains loaded. There is an argument for each
/// parameter: the address of a [`BorderTensor`] whose arrays live and are as long as it states, a number's
/// bits, or the address of a number.
pub unsafe fn call_kernel(
    signature: &Signature,
    arguments: &[u64],
    settings: CallSettings,
    body: Body,
) -> Result<(), Failure> {
    let CallSettings { allocator, checks_arrays, communicator } = settings;
    let arguments = KernelArguments::new(arguments);
    let allocator = allocator.unwrap_or_else(c_allocator);
    let invocation = Invocation { signature, arguments, allocator, checks_arrays };
    caught(Ok(communicator), || invocation.run(body, Box::default()).0)
}

/// Takes part in a call of a kernel on the processes of a communicator, of which this one fails before it can
/// call the kernel; returns what all fail with.
pub fn refuse_call(communicator: i32, failure: Failure) -> Failure {
    let refused = caught(Ok(Some(communicator)), || Err(Error::Failed(failure.clone())));
    refused.err().unwrap_or(failure)
}

/// How a kernel is called.
#[derive(Clone, Copy, Debug, Default)]
pub struct CallSettings {
    /// Where the memory of results comes from: the C library where there is none.
    pub allocator: Option<Allocator>,
    /// Whether the content of pos and crd arrays is checked before the kernel runs.
    pub checks_arrays: bool,
    /// The number in Fortran of the communicator whose processes call the kernel together.
    pub communicator: Option<i32>,
}

fn caught(
    communicator: Result<Option<i32>, Error>,
    call: impl FnOnce() -> Result<(), Error>,
) -> Result<(), Failure> {
    let together = || {
        distributed::together(communicator?, || {
            prepare_threads();
            call()
        })
    };
    catching(together)?.map_err(|error| Failure::new("", &error))
}

/// What a kernel was called with.
struct Invocation<'s> {
    signature: &'s Signature,
    arguments: KernelArguments,
    allocator: Allocator,
    checks_arrays: bool,
}

impl Invocation<'_> {
    /// Calls the kernel; returns its outcome, and the memory for the next call.
    fn run(&self, body: Body, mut spare: Box<Spare>) -> (Result<(), Error>, Box<Spare>) {
        let called = allocating(self.allocator, || self.run_with(body, &mut spare));
        (called, spare)
    }

    fn run_with(&self, body: Body, spare: &mut Spare) -> Result<(), Error> {
        let passed = self.enter(spare)?;
        let (statement, outer) = (division::leave(), call::begin(self.new_call(&passed, spare)));
        let extents = &spare.extents;
        let run = || {
            body(extents.as_ptr(), self.arguments);
            output::flush();
        };
        let ran = catching(|| if is_short(extents) { asynchronous::alone(run) } else { run() });
        // The caller may close the library: no task is in its code any more.
        match ran {
            Ok(_) => asynchronous::finish(),
            Err(_) => asynchronous::abandon(),
        }
        instrument::report();
        division::resume(statement);
        self.leave(call::end_of(outer), ran, &passed, spare)
    }

    /// Checks everything that the caller passes, and lends it to tensors; returns what processes pass.
    fn enter(&self, spare: &mut Spare) -> Result<PassedRows, Error> {
        let passed = PassedRows::agreed(self.signature, self.arguments)?;
        let was_checked = std::mem::take(&mut spare.is_checked) && passed.is_alone();
        if was_checked && !self.checks_arrays && self.are_as_before(&spare.lent)? {
            spare.is_checked = true;
            return Ok(passed);
        }
        spare.sizes.clear();
        spare.sizes.extend(self.signature.sizes.iter().map(PassedSize::of));
        spare.lent.resize_with(self.signature.parameters.len(), LentTensor::default);
        for (place, parameter) in self.signature.parameters.iter().enumerate() {
            match &parameter.kind {
                ParameterKind::Tensor { format, sizes } => {
                    self.lend(spare, place, (format, sizes), &passed)?;
                }
                ParameterKind::Scalar(_) => self.check_scalar(place)?,
            }
        }
        self.check_overlaps(&spare.lent)?;
        spare.extents.clear();
        spare.extents.extend(spare.sizes.iter().map(|size| size.extent));
        spare.is_checked = true;
        Ok(passed)
    }

    /// True if this call passes the tensors of the call before, unchanged but for their elements.
    fn are_as_before(&self, lent: &[LentTensor]) -> Result<bool, Error> {
        for (place, parameter) in self.signature.parameters.iter().enumerate() {
            let is_as_before = match parameter.kind {
                ParameterKind::Tensor { .. } => lent[place].has_arrays_of(self.border(place)?),
                ParameterKind::Scalar(_) => {
                    self.check_scalar(place)?;
                    true
                }
            };
            if !is_as_before {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Refuses a null pointer where a scalar is passed by its address.
    fn check_scalar(&self, place: usize) -> Result<(), Error> {
        let parameter = &self.signature.parameters[place];
        let ParameterKind::Scalar(value) = parameter.kind else { return Ok(()) };
        let is_address = parameter.role == Role::Out || value.is_complex();
        if is_address && self.arguments.is_null(place) { Err(self.null(parameter)) } else { Ok(()) }
    }

    /// Lends what is passed for a parameter to its tensor.
    fn lend(
        &self,
        spare: &mut Spare,
        place: usize,
        (format, sizes): (&TypedFormat, &[usize]),
        passed: &PassedRows,
    ) -> Result<(), Error> {
        let (parameter, given) = (&self.signature.parameters[place], self.border(place)?);
        let (name, lent) = (&parameter.name, &mut spare.lent[place]);
        if parameter.role == Role::Out && !given.has_values() {
            given.check_format(name, format)?;
            *lent = LentTensor::default();
            return given.check_empty(name);
        }
        let is_known = lent.has_arrays_of(given);
        if !is_known {
            given.check_format(name, format)?;
        }
        let whole_dims = passed.of(place).whole_dims(given.dims());
        let dims = whole_dims.as_deref().unwrap_or(given.dims());
        for (mode, number) in sizes.iter().enumerate() {
            let (Some(known), Some(size)) = (spare.sizes.get_mut(*number), self.signature.sizes.get(*number))
            else {
                return Err(Error::Internal(format!("mode {mode} of `{name}` has no size in the signature")));
            };
            known.add(dims[mode], (place, mode), self.signature, size)?;
        }
        if !is_known {
            lent.lend(given, (name, format))?;
        }
        if self.checks_arrays {
            lent.get().map_or(Ok(()), check::arrays)?;
        }
        if let Some(rows) = passed.of(place).rows(name, dims)? {
            lent.place(rows::placement(rows));
        }
        Ok(())
    }

    /// Refuses arrays that the kernel writes and that overlap another argument.
    fn check_overlaps(&self, lent: &[LentTensor]) -> Result<(), Error> {
        let arrays = || {
            let numbered = lent.iter().enumerate();
            let arrays = numbered.flat_map(|(place, lent)| lent.arrays().map(move |array| (place, array)));
            arrays.filter(|(_, (_, range))| !range.is_empty())
        };
        let parameters = &self.signature.parameters;
        let written = arrays().filter(|(place, (part, _))| match parameters[*place].role {
            Role::In => false,
            Role::InOut => true,
            // Its pattern is read, and may be an operand's.
            Role::Out => *part == 0,
        });
        for (place, (part, array)) in written {
            let mut others =
                arrays().filter(|(other, (other_part, _))| (*other, *other_part) != (place, part));
            let shared = others.find(|(_, (_, other))| array.start < other.end && other.start < array.end);
            if let Some((other, _)) = shared {
                let (kernel, name) = (&self.signature.name, &parameters[place].name);
                let other = &parameters[other].name;
                return Err(Error::Option(format!(
                    "`{kernel}` writes `{name}`, which shares memory with `{other}`: pass a copy"
                )));
            }
        }
        Ok(())
    }

    fn border(&self, place: usize) -> Result<&BorderTensor, Error> {
        self.arguments.tensor(place).ok_or_else(|| self.null(&self.signature.parameters[place]))
    }

    fn null(&self, parameter: &Parameter) -> Error {
        rows::null(self.signature, parameter)
    }

    /// Returns the call as generated code finds it: with the tensors of its parameters.
    fn new_call(&self, passed: &PassedRows, spare: &mut Spare) -> Box<KernelCall> {
        let mut call = std::mem::take(&mut spare.call);
        for (place, parameter) in self.signature.parameters.iter().enumerate() {
            let lent = &mut spare.lent[place];
            match parameter.role {
                Role::Out => {
                    call.result_rows = passed.of(place).clone();
                    call.room_tensor = lent.take();
                    let has_room = call.room_tensor.is_some();
                    call.room = has_room.then_some(PassedResult { arguments: self.arguments, place });
                    call.arguments.push(None);
                }
                Role::In | Role::InOut => call.add_argument(lent.take()),
            }
        }
        call.spare_result = spare.result.take();
        call
    }

    /// Hands the result over, where there is one, and frees everything else.
    fn leave(
        &self,
        mut ended: Box<KernelCall>,
        ran: Result<(), Failure>,
        passed: &PassedRows,
        spare: &mut Spare,
    ) -> Result<(), Error> {
        let is_complete = ran.is_ok() && passed.is_alone();
        let outcome = ran.map_err(Error::Failed).and_then(|()| self.results(&ended, passed));
        ended.sizes.drain(..).for_each(SizeHandle::free);
        spare.result = ended.spare_result.take();
        let mut room = ended.room.take().zip(ended.room_tensor.take());
        for handle in ended.made.drain(..) {
            let is_it = |other: &Option<TensorHandle>| other.is_some_and(|other| other.is_same(handle));
            if let Some(place) = ended.arguments.iter().position(is_it) {
                let is_read = self.signature.parameters[place].role == Role::In;
                match is_complete && is_read {
                    true => spare.lent[place].put_back(handle.reclaim()),
                    false => spare.lent[place].put_back_changed(handle.reclaim()),
                }
            } else if is_it(&ended.result) {
                let mut result = handle.reclaim();
                if let Some((room, lent)) = &mut room
                    && room.get().is_ok_and(|given| given.is_lent_to(&result))
                {
                    result.swap_storage(lent);
                }
                result.clear();
                spare.result = Some(result);
            } else {
                handle.free();
            }
        }
        if let Some((room, lent)) = room {
            let has_arrays = room.get().is_ok_and(|given| given.is_lent_to(&lent));
            match is_complete && has_arrays {
                true => spare.lent[room.place].put_back(lent),
                false => spare.lent[room.place].put_back_changed(lent),
            }
        }
        ended.clear();
        spare.call = ended;
        let Outcome { made, written } = outcome?;
        if let Some((place, parcel)) = made {
            let to = self
                .arguments
                .tensor_mut(place)
                .ok_or_else(|| self.null(&self.signature.parameters[place]))?;
            parcel.deliver(to);
        }
        for (place, first, extent) in written {
            if let Some(rows) = self.arguments.rows_mut(place) {
                (rows.first, rows.extent) = (first, extent);
            }
        }
        Ok(())
    }

    /// Values that the caller has room for are there, or are copied there; new arrays are returned with the
    /// place of their parameter.
    fn results(&self, ended: &KernelCall, passed: &PassedRows) -> Result<Outcome, Error> {
        let (mut made, mut written) = (None, Vec::new());
        for (place, parameter) in self.signature.parameters.iter().enumerate() {
            let ParameterKind::Tensor { .. } = parameter.kind else { continue };
            let tensor = match parameter.role {
                Role::In => continue,
                Role::InOut => ended.arguments[place],
                Role::Out => ended.result,
            };
            let tensor =
                tensor.ok_or_else(|| Error::Internal(format!("`{}` was not made", parameter.name)))?;
            let (given, tensor) = (self.border(place)?, tensor.part_mut()?);
            if let Some((first, extent)) = passed.of(place).put(tensor)? {
                written.push((place, first, extent));
            }
            if parameter.role == Role::Out && !given.has_values() {
                made = Some((place, Parcel::new(tensor, self.allocator)?));
            } else {
                if parameter.role == Role::Out && !tensor.format.format.is_dense() {
                    given::check(tensor, given)?;
                }
                given.take_values(tensor)?;
            }
        }
        Ok(Outcome { made, written })
    }
}

/// What a call leaves for its caller.
struct Outcome {
    /// A result with arrays of its own, and its place.
    made: Option<(usize, Parcel)>,
    /// The first row and the whole extent of each result of rows, with its place.
    written: Vec<(usize, i64, i64)>,
}

/// A loop nest over so many positions, if all operands were dense, takes less time than to wake a thread up.
const SHORT: i64 = 1 << 14;

/// Whether no loop nest over these extents is long; one that is not known yet may be.
fn is_short(extents: &[i64]) -> bool {
    let positions = extents.iter().try_fold(1i64, |product, extent| match extent {
        0.. => product.checked_mul((*extent).max(1)),
        _ => None,
    });
    positions.is_some_and(|positions| positions <= SHORT)
}

/// What is known of a size of the signature.
#[derive(Clone, Copy)]
struct PassedSize {
    /// −1 where nothing says what it is.
    extent: i64,
    /// The place of the parameter and the mode that state it; `None` if the signature does.
    origin: Option<(usize, usize)>,
}

impl PassedSize {
    /// What the text says of a size.
    fn of(size: &Size) -> Self {
        let extent = match size.extent {
            Extent::Known(extent) => extent.cast_signed(),
            Extent::Parameters | Extent::Files => -1,
        };
        Self { extent, origin: None }
    }

    /// Adds what a mode of a parameter says.
    fn add(
        &mut self,
        extent: i64,
        origin: (usize, usize),
        signature: &Signature,
        size: &Size,
    ) -> Result<(), Error> {
        if self.extent == extent {
            return Ok(());
        }
        if self.extent < 0 {
            *self = Self { extent, origin: Some(origin) };
            return Ok(());
        }
        let source = |(place, mode): (usize, usize)| ExtentSource::Mode {
            tensor: signature.parameters[place].name.clone(),
            mode,
        };
        let known = match self.origin {
            Some(_) => -1,
            None => self.extent,
        };
        let mut solved = SolvedSize::new(&size.name, known, "the text");
        if let Some(first) = self.origin {
            solved.add_extent(self.extent, source(first))?;
        }
        solved.add_extent(extent, source(origin))
    }
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn comet_rt_use_processes(functions: ProcessFunctions) {
    distributed::use_functions(functions.get());
}

exported! {
    fn comet_rt_argument(place: i64, at: Text) -> TensorHandle {
        let argument = call::expected(|call| call.arguments.get(place as usize).copied().flatten())?;
        argument.ok_or_else(|| Error::Internal(format!("argument {place} is no tensor")))
    }

    fn comet_rt_result_alloc(tensor: TensorHandle, clear: i64, at: Text) {
        let (room, passed, mut lent) = call::expected(|call| {
            call.result = Some(tensor);
            (call.room, call.result_rows.clone(), call.room_tensor.take())
        })?;
        let stored = tensor.get_mut()?;
        passed.prepare(stored)?;
        let taken = match room {
            // The coordinates of a sparse one are seen when it is assembled.
            Some(room) if stored.format.format.is_dense() => {
                let taken = take_room(stored, room.get()?, lent.as_deref_mut());
                if taken.is_ok() && clear != 0 {
                    stored.values.clear();
                }
                taken
            }
            _ => store_nothing(stored),
        };
        call::expected(|call| call.room_tensor = lent)?;
        taken
    }
}

/// Has a result store its values in the arrays that the caller brings and `lent` borrows. Extents that come
/// from files are compared here, since the entry of the kernel does not know them.
fn take_room(tensor: &mut Tensor, room: &BorderTensor, lent: Option<&mut Tensor>) -> Result<(), Error> {
    if room.dims() != tensor.dims {
        let (name, found, expected) = (&tensor.name, room.dims(), &tensor.dims);
        return Err(Error::Shape(format!("the extents of `{name}` are {found:?}, expected {expected:?}")));
    }
    match lent {
        Some(lent) if room.is_lent_to(lent) => {
            tensor.swap_storage(lent);
            Ok(())
        }
        _ if room.is_lent_to(tensor) => Ok(()),
        _ => room.lend(tensor),
    }
}
