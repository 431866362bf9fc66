//! The entry of a kernel that a C program calls: what it passes is checked, and then is tensors for the time
//! of the call.

use super::border::{BorderTensor, Bytes, Parcel};
use super::call::{self, KernelCall};
use super::division;
use super::given;
use super::handle::{CallOptions, KernelArguments, ProcessFunctions, SizeHandle, TensorHandle, Text};
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
use std::collections::HashMap;
use std::ffi::c_int;
use std::rc::Rc;

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
        let (body, signature) = (body()?, signature_of(signature.get())?);
        let (allocator, checks_arrays) = (options.allocator()?, options.checks_arrays());
        Invocation { signature: &signature, arguments, allocator, checks_arrays }.run(body)
    });
    let message = called.as_ref().err().map_or("", |failure| &failure.message);
    options.tell(message);
    called.err().map_or(Status::Ok, |failure| failure.status).code()
}

/// Parses the signature of a kernel, or returns what an earlier call has parsed.
fn signature_of(text: &str) -> Result<Rc<Signature>, Error> {
    /// The signatures by the addresses of their texts, with the texts: another library may be there since.
    type Parsed = HashMap<*const u8, (Box<str>, Rc<Signature>)>;
    thread_local! {
        static PARSED: RefCell<Parsed> = RefCell::default();
    }
    let known = |parsed: &Parsed| {
        let (known, signature) = parsed.get(&text.as_ptr())?;
        (**known == *text).then(|| Rc::clone(signature))
    };
    if let Some(signature) = PARSED.with_borrow(known) {
        return Ok(signature);
    }
    let signature = Rc::new(text.parse::<Signature>()?);
    PARSED.with_borrow_mut(|parsed| parsed.insert(text.as_ptr(), (text.into(), Rc::clone(&signature))));
    Ok(signature)
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
    caught(Ok(communicator), || Invocation { signature, arguments, allocator, checks_arrays }.run(body))
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
    fn run(&self, body: Body) -> Result<(), Error> {
        let allocator = self.allocator;
        allocating(allocator, || {
            let entry = self.enter()?;
            let extents: Vec<i64> = entry.extents.iter().map(|size| size.solved().unwrap_or(-1)).collect();
            let result = self.signature.parameters.iter().position(|parameter| parameter.role == Role::Out);
            let result_rows = result.map_or_else(PassedParameter::default, |place| entry.passed.of(place));
            let known = KernelCall { room: entry.room, result_rows, ..KernelCall::default() };
            let (statement, outer) = (division::leave(), call::begin(entry.tensors, known));
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
            self.leave(call::end_of(outer), ran, &entry.passed)
        })
    }

    /// Checks everything that the caller passes; touches nothing.
    fn enter(&self) -> Result<Entry, Error> {
        let passed = PassedRows::agreed(self.signature, self.arguments)?;
        let mut entry = Entry { checks_arrays: self.checks_arrays, passed, ..Entry::new(self.signature) };
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
        entry.check_overlaps(&self.signature.name)?;
        Ok(entry)
    }

    fn border(&self, place: usize) -> Result<&BorderTensor, Error> {
        self.arguments.tensor(place).ok_or_else(|| self.null(&self.signature.parameters[place]))
    }

    fn null(&self, parameter: &Parameter) -> Error {
        rows::null(self.signature, parameter)
    }

    /// Hands the result over, where there is one, and frees everything else.
    fn leave(&self, ended: KernelCall, ran: Result<(), Failure>, passed: &PassedRows) -> Result<(), Error> {
        let outcome = ran.map_err(Error::Failed).and_then(|()| self.results(&ended, passed));
        ended.sizes.into_iter().for_each(SizeHandle::free);
        ended.made.into_iter().for_each(TensorHandle::free);
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

/// What the text says of a size.
fn solved(size: &Size) -> SolvedSize {
    let known = match size.extent {
        Extent::Known(extent) => extent.cast_signed(),
        Extent::Parameters | Extent::Files => -1,
    };
    SolvedSize::new(&size.name, known, "the text")
}

/// What was checked.
struct Entry {
    /// One for each of the signature's sizes.
    extents: Vec<SolvedSize>,
    /// One a parameter; none for scalars and the result.
    tensors: Vec<Option<Tensor>>,
    /// What the caller brings for the result.
    room: Option<Rc<BorderTensor>>,
    /// Whether the content of pos and crd arrays is checked.
    checks_arrays: bool,
    /// What other processes pass.
    passed: PassedRows,
    read: Vec<(String, Bytes)>,
    written: Vec<(String, Bytes)>,
}

impl Entry {
    fn new(signature: &Signature) -> Self {
        Self {
            extents: signature.sizes.iter().map(solved).collect(),
            tensors: Vec::new(),
            room: None,
            checks_arrays: false,
            passed: PassedRows::default(),
            read: Vec::new(),
            written: Vec::new(),
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
        let dims = passed.whole_dims(given.dims().to_vec());
        for (mode, size) in sizes.iter().enumerate() {
            let origin = ExtentSource::Mode { tensor: name.clone(), mode };
            let Some(size) = self.extents.get_mut(*size) else {
                return Err(Error::Internal(format!("{origin} has no size in the signature")));
            };
            size.add_extent(dims[mode], origin)?;
        }
        let (mut tensor, arrays) = given.borrow(name, format)?;
        if self.checks_arrays {
            check::arrays(&tensor)?;
        }
        let is_result = parameter.role == Role::Out;
        let values = given.value_bytes(&tensor);
        for array in arrays {
            // The pattern of a result may be an operand's.
            let is_read = parameter.role == Role::In || (is_result && array != values);
            let known = if is_read { &mut self.read } else { &mut self.written };
            known.push((name.clone(), array));
        }
        if is_result {
            self.room = Some(Rc::new(*given));
        }
        if let Some(rows) = passed.rows(name, &dims)? {
            tensor.placement = rows::placement(rows);
        }
        self.tensors.push((!is_result).then_some(tensor));
        Ok(())
    }

    /// What a kernel writes must be nothing that it reads.
    fn check_overlaps(&self, kernel: &str) -> Result<(), Error> {
        for (index, (name, array)) in self.written.iter().enumerate() {
            let others = self.read.iter().chain(&self.written[index + 1..]);
            let shared =
                others.into_iter().find(|(_, other)| array.start < other.end && other.start < array.end);
            if let Some((other, _)) = shared {
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
            (call.room.clone(), call.result_rows.clone())
        })?;
        let tensor = tensor.get_mut()?;
        passed.prepare(tensor)?;
        match room {
            // The coordinates of a sparse one are seen when it is assembled.
            Some(room) if tensor.format.format.is_dense() => {
                take_room(tensor, &room)?;
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
    let (mut borrowed, _) = room.borrow(&tensor.name, &tensor.format)?;
    tensor.set_storage(borrowed.take_storage());
    Ok(())
}
