//! The entry of a kernel that a C program calls: what it passes is checked, and then is tensors for the time
//! of the call.

use super::border::{BorderTensor, Bytes, Parcel};
use super::call::{self, KernelCall, PassedResult};
use super::division;
use super::given;
use super::handle::{CallOptions, KernelArguments, ProcessFunctions, SizeHandle, TensorHandle, Text};
use super::parsed::ParsedTexts;
use super::rows::{self, PassedParameter, PassedRows};
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
use std::cell::RefCell;
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
        let (body, kernel) = (body()?, KERNELS.with(|known| known.of(signature.get()))?);
        let (allocator, checks_arrays) = (options.allocator()?, options.checks_arrays());
        let KnownKernel { signature, spare } = &*kernel;
        let invocation = Invocation { signature, arguments, allocator, checks_arrays };
        // If the allocator of this call calls the same kernel, that call begins without spare memory.
        let (called, left) = invocation.run(body, spare.take());
        spare.replace(left);
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
    spare: RefCell<Spare>,
}

impl FromStr for KnownKernel {
    type Err = <Signature as FromStr>::Err;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self { signature: text.parse()?, spare: RefCell::default() })
    }
}

/// Memory of a call that has ended, which the next call reuses: to allocate it anew would take longer than a
/// small kernel computes.
#[derive(Default)]
struct Spare {
    /// Empty tensors of the parameters, by their places.
    tensors: Vec<Option<Box<Tensor>>>,
    /// An empty tensor of the result.
    result: Option<Box<Tensor>>,
    sizes: Vec<PassedSize>,
    read: Vec<(usize, Bytes)>,
    written: Vec<(usize, Bytes)>,
}

impl Spare {
    /// Returns an empty tensor for a parameter.
    fn tensor(&mut self, place: usize, name: &str, format: &TypedFormat) -> Box<Tensor> {
        let spare = self.tensors.get_mut(place).and_then(Option::take);
        spare.unwrap_or_else(|| Box::new(Tensor::new(name, format.clone())))
    }

    /// Keeps the tensor of a parameter.
    fn keep(&mut self, place: usize, mut tensor: Box<Tensor>) {
        tensor.clear();
        if self.tensors.len() <= place {
            self.tensors.resize_with(place + 1, || None);
        }
        self.tensors[place] = Some(tensor);
    }

    /// Keeps the tensor of the result.
    fn keep_result(&mut self, mut tensor: Box<Tensor>) {
        tensor.clear();
        self.result = Some(tensor);
    }
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
    caught(Ok(communicator), || invocation.run(body, Spare::default()).0)
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
    fn run(&self, body: Body, mut spare: Spare) -> (Result<(), Error>, Spare) {
        let called = allocating(self.allocator, || self.run_with(body, &mut spare));
        (called, spare)
    }

    fn run_with(&self, body: Body, spare: &mut Spare) -> Result<(), Error> {
        let Entry { tensors, room, passed, .. } = self.enter(spare)?;
        let extents: Vec<i64> = spare.sizes.iter().map(|size| size.extent).collect();
        let result = self.signature.parameters.iter().position(|parameter| parameter.role == Role::Out);
        let result_rows = result.map_or_else(PassedParameter::default, |place| passed.of(place));
        let spare_result = spare.result.take();
        let known = KernelCall { room, result_rows, spare_result, ..KernelCall::default() };
        let (statement, outer) = (division::leave(), call::begin(tensors, known));
        let run = || {
            body(extents.as_ptr(), self.arguments);
            output::flush();
        };
        let ran = catching(|| if is_short(&extents) { asynchronous::alone(run) } else { run() });
        // The caller may close the library: no task is in its code any more.
        match ran {
            Ok(_) => asynchronous::finish(),
            Err(_) => asynchronous::abandon(),
        }
        instrument::report();
        division::resume(statement);
        self.leave(call::end_of(outer), ran, &passed, spare)
    }

    /// Checks everything that the caller passes; touches nothing.
    fn enter<'e>(&'e self, spare: &'e mut Spare) -> Result<Entry<'e>, Error> {
        let passed = PassedRows::agreed(self.signature, self.arguments)?;
        let mut entry = Entry { checks_arrays: self.checks_arrays, passed, ..Entry::new(self, spare) };
        for (place, parameter) in self.signature.parameters.iter().enumerate() {
            match &parameter.kind {
                ParameterKind::Tensor { format, sizes } => {
                    entry.add(self.border(place)?, place, parameter, (format, sizes))?;
                }
                ParameterKind::Scalar(value) => {
                    entry.tensors.push(None);
                    let is_address = parameter.role == Role::Out || value.is_complex();
                    if is_address && self.arguments.is_null(place) {
                        return Err(self.null(parameter));
                    }
                }
            }
        }
        entry.check_overlaps()?;
        Ok(entry)
    }

    fn border(&self, place: usize) -> Result<&BorderTensor, Error> {
        self.arguments.tensor(place).ok_or_else(|| self.null(&self.signature.parameters[place]))
    }

    fn null(&self, parameter: &Parameter) -> Error {
        rows::null(self.signature, parameter)
    }

    /// Hands the result over, where there is one, and frees everything else.
    fn leave(
        &self,
        ended: KernelCall,
        ran: Result<(), Failure>,
        passed: &PassedRows,
        spare: &mut Spare,
    ) -> Result<(), Error> {
        let outcome = ran.map_err(Error::Failed).and_then(|()| self.results(&ended, passed));
        ended.sizes.into_iter().for_each(SizeHandle::free);
        spare.result = spare.result.take().or(ended.spare_result);
        for handle in ended.made {
            let is_it = |other: &Option<TensorHandle>| other.is_some_and(|other| other.is_same(handle));
            match ended.arguments.iter().position(is_it) {
                Some(place) => spare.keep(place, handle.reclaim()),
                None if is_it(&ended.result) => spare.keep_result(handle.reclaim()),
                None => handle.free(),
            }
        }
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

/// What was checked.
struct Entry<'s> {
    signature: &'s Signature,
    arguments: KernelArguments,
    /// Holds the sizes, the read arrays and the written arrays of this call.
    spare: &'s mut Spare,
    /// One a parameter; none for scalars and the result.
    tensors: Vec<Option<Box<Tensor>>>,
    /// What the caller brings for the result.
    room: Option<PassedResult>,
    /// Whether the content of pos and crd arrays is checked.
    checks_arrays: bool,
    /// What other processes pass.
    passed: PassedRows,
}

impl<'s> Entry<'s> {
    fn new(invocation: &Invocation<'s>, spare: &'s mut Spare) -> Self {
        let Invocation { signature, arguments, .. } = *invocation;
        spare.sizes.clear();
        spare.sizes.extend(signature.sizes.iter().map(PassedSize::of));
        spare.read.clear();
        spare.written.clear();
        Self {
            signature,
            arguments,
            spare,
            tensors: Vec::new(),
            room: None,
            checks_arrays: false,
            passed: PassedRows::default(),
        }
    }

    fn add(
        &mut self,
        given: &BorderTensor,
        place: usize,
        parameter: &Parameter,
        (format, sizes): (&TypedFormat, &[usize]),
    ) -> Result<(), Error> {
        let (name, passed) = (&parameter.name, self.passed.of(place));
        given.check_format(name, format)?;
        if parameter.role == Role::Out && !given.has_values() {
            self.tensors.push(None);
            return given.check_empty(name);
        }
        let whole_dims = passed.whole_dims(given.dims());
        let dims = whole_dims.as_deref().unwrap_or(given.dims());
        for (mode, number) in sizes.iter().enumerate() {
            let (Some(known), Some(size)) =
                (self.spare.sizes.get_mut(*number), self.signature.sizes.get(*number))
            else {
                return Err(Error::Internal(format!("mode {mode} of `{name}` has no size in the signature")));
            };
            known.add(dims[mode], (place, mode), self.signature, size)?;
        }
        let mut tensor = self.spare.tensor(place, name, format);
        given.lend(&mut tensor)?;
        if self.checks_arrays {
            check::arrays(&tensor)?;
        }
        let is_result = parameter.role == Role::Out;
        let values = given.value_bytes(&tensor);
        for array in given.arrays(&tensor) {
            // The pattern of a result may be an operand's.
            let is_read = parameter.role == Role::In || (is_result && array != values);
            let known = if is_read { &mut self.spare.read } else { &mut self.spare.written };
            known.push((place, array));
        }
        if is_result {
            self.room = Some(PassedResult { arguments: self.arguments, place });
        }
        if let Some(rows) = passed.rows(name, dims)? {
            tensor.placement = rows::placement(rows);
        }
        if is_result {
            self.spare.keep(place, tensor);
            self.tensors.push(None);
        } else {
            self.tensors.push(Some(tensor));
        }
        Ok(())
    }

    /// What a kernel writes must be nothing that it reads.
    fn check_overlaps(&self) -> Result<(), Error> {
        let name = |place: usize| &self.signature.parameters[place].name;
        for (index, (written, array)) in self.spare.written.iter().enumerate() {
            let others = self.spare.read.iter().chain(&self.spare.written[index + 1..]);
            let shared =
                others.into_iter().find(|(_, other)| array.start < other.end && other.start < array.end);
            if let Some((other, _)) = shared {
                let (kernel, name, other) = (&self.signature.name, name(*written), name(*other));
                return Err(Error::Option(format!(
                    "`{kernel}` writes `{name}`, which shares memory with `{other}`: pass a copy"
                )));
            }
        }
        Ok(())
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
        let (room, passed) = call::expected(|call| {
            call.result = Some(tensor);
            (call.room, call.result_rows.clone())
        })?;
        let tensor = tensor.get_mut()?;
        passed.prepare(tensor)?;
        match room {
            // The coordinates of a sparse one are seen when it is assembled.
            Some(room) if tensor.format.format.is_dense() => {
                take_room(tensor, room.get()?)?;
                if clear != 0 {
                    tensor.values.clear();
                }
                Ok(())
            }
            _ => store_nothing(tensor),
        }
    }
}

/// Files may have given extents that the border could not compare.
fn take_room(tensor: &mut Tensor, room: &BorderTensor) -> Result<(), Error> {
    if room.dims() != tensor.dims {
        let (name, found, expected) = (&tensor.name, room.dims(), &tensor.dims);
        return Err(Error::Shape(format!("the extents of `{name}` are {found:?}, expected {expected:?}")));
    }
    room.lend(tensor)
}
