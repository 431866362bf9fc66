//! Code in memory: an object that is linked where it lies, to the run time inside of this process.

use super::halves::objects;
use super::kernels::body_of;
use super::translate::PROGRAM;
use super::{CodeKind, NativeError, Unit};
use comet_abi::kernel::Signature;
use comet_runtime::exit::Failure;
use comet_runtime::kernel::{self, CallSettings};
use comet_runtime::symbols;
use inkwell::llvm_sys::core::LLVMCreateMemoryBufferWithMemoryRangeCopy;
use inkwell::llvm_sys::error::{LLVMDisposeErrorMessage, LLVMErrorRef, LLVMGetErrorMessage};
use inkwell::llvm_sys::orc2::lljit::{
    LLVMOrcCreateLLJIT, LLVMOrcDisposeLLJIT, LLVMOrcLLJITAddObjectFile, LLVMOrcLLJITGetExecutionSession,
    LLVMOrcLLJITGetMainJITDylib, LLVMOrcLLJITLookup, LLVMOrcLLJITMangleAndIntern, LLVMOrcLLJITRef,
};
use inkwell::llvm_sys::orc2::{
    LLVMJITEvaluatedSymbol, LLVMJITSymbolFlags, LLVMJITSymbolGenericFlags, LLVMOrcAbsoluteSymbols,
    LLVMOrcCSymbolMapPair, LLVMOrcExecutionSessionSetErrorReporter, LLVMOrcJITDylibDefine,
};
use inkwell::targets::{InitializationConfig, Target};
use std::ffi::{CStr, CString, c_void};
use std::ptr::{from_ref, null_mut};
use std::sync::Mutex;

/// A program in memory, ready to run.
pub struct Jit {
    program: unsafe extern "C" fn(),
    /// Owns the code.
    _linked: Linked,
}

impl Unit<'_> {
    /// Generates code into memory.
    pub fn into_jit(self) -> Result<Jit, NativeError> {
        Jit::load(&self.code(CodeKind::Object)?)
    }
}

impl Jit {
    /// Links an object that [`Unit::code`] has made of a program, by this compiler and for this machine.
    ///
    /// # Errors
    /// An object that calls what neither the run time nor the C library has.
    pub fn load(object: &[u8]) -> Result<Self, NativeError> {
        let linked = Linked::new()?;
        linked.define_runtime()?;
        linked.add(object)?;
        let address = linked.address_of(PROGRAM)?;
        // SAFETY: translation names a function so that takes and returns nothing; its code lives as long as
        // `linked`.
        let program = unsafe {
            std::mem::transmute::<*const (), unsafe extern "C" fn()>(std::ptr::with_exposed_provenance(
                address,
            ))
        };
        Ok(Self { program, _linked: linked })
    }

    /// Runs the program. One that fails ends the process.
    pub fn run(&self) {
        // SAFETY: the code was generated from a program that the front end has accepted, and calls only the
        // runtime.
        unsafe { (self.program)() }
        // Tasks that have completed what the program waited for return into its code, which goes with `self`.
        comet_runtime::asynchronous::finish();
    }
}

/// The kernels of a file in memory, ready to be called by any number of threads.
pub struct KernelCode {
    kernels: Vec<(Signature, kernel::Body)>,
    /// Owns the code.
    _linked: Linked,
}

impl KernelCode {
    /// Links what [`Unit::into_kernel_code`] has made of kernels with these signatures, by this compiler and
    /// for this machine.
    ///
    /// # Errors
    /// Code without one of the kernels.
    pub fn load(code: &[u8], signatures: Vec<Signature>) -> Result<Self, NativeError> {
        let linked = Linked::new()?;
        linked.define_runtime()?;
        let objects = objects(code)
            .ok_or_else(|| NativeError::Internal("the code of kernels ends too early".to_owned()))?;
        objects.into_iter().try_for_each(|object| linked.add(object))?;
        let kernels = signatures.into_iter().map(|signature| {
            let address = linked.address_of(&body_of(&signature.name))?;
            // SAFETY: `Unit::add_bodies` has given functions of that name this type; the code lives as long
            // as `linked`.
            let body = unsafe {
                std::mem::transmute::<*const (), kernel::Body>(std::ptr::with_exposed_provenance(address))
            };
            Ok((signature, body))
        });
        Ok(Self { kernels: kernels.collect::<Result<_, _>>()?, _linked: linked })
    }

    /// The kernels' signatures, in the order of the file.
    pub fn signatures(&self) -> impl Iterator<Item = &Signature> {
        self.kernels.iter().map(|(signature, _)| signature)
    }

    /// Calls the kernel of that number.
    ///
    /// # Errors
    /// Arguments that contradict the signature or each other, and what the kernel itself fails with.
    ///
    /// # Safety
    /// As [`kernel::call_kernel`]: there is an argument for each parameter, and its arrays live and are as
    /// long as it states.
    pub unsafe fn call(
        &self,
        number: usize,
        arguments: &[u64],
        settings: CallSettings,
    ) -> Result<(), Failure> {
        let (signature, body) = &self.kernels[number];
        // SAFETY: the body was made for this signature, and the caller promises the rest.
        unsafe { kernel::call_kernel(signature, arguments, settings, *body) }
    }
}

/// LLVM's linker in memory, with what it holds.
struct Linked {
    jit: LLVMOrcLLJITRef,
    /// What it says while it links; the linker has its address.
    reports: Box<Mutex<Vec<String>>>,
}

// SAFETY: LLVM's linker locks what its threads share, and any thread may dispose of it.
unsafe impl Send for Linked {}
// SAFETY: as above; nothing is changed through a shared reference but what LLVM locks.
unsafe impl Sync for Linked {}

impl Linked {
    fn new() -> Result<Self, NativeError> {
        let config = InitializationConfig { disassembler: false, ..InitializationConfig::default() };
        Target::initialize_native(&config).map_err(NativeError::Internal)?;
        let mut jit = null_mut();
        // SAFETY: without a builder it is one for this process.
        check(unsafe { LLVMOrcCreateLLJIT(&raw mut jit, null_mut()) })?;
        let linked = Self { jit, reports: Box::default() };
        let reports = from_ref::<Mutex<Vec<String>>>(&linked.reports).cast_mut().cast();
        // SAFETY: the reports live as long as the session does, and are shared.
        unsafe {
            let session = LLVMOrcLLJITGetExecutionSession(jit);
            LLVMOrcExecutionSessionSetErrorReporter(session, report, reports);
        }
        Ok(linked)
    }

    /// Says where the functions of the run time are: an executable does not export them. The C library is
    /// looked into without being asked to.
    fn define_runtime(&self) -> Result<(), NativeError> {
        let flags = LLVMJITSymbolGenericFlags::LLVMJITSymbolGenericFlagsExported as u8
            | LLVMJITSymbolGenericFlags::LLVMJITSymbolGenericFlagsCallable as u8;
        let pair = |symbol: symbols::Symbol| {
            let name = CString::new(symbol.name).expect("names of functions hold no zero");
            LLVMOrcCSymbolMapPair {
                // SAFETY: the name is copied, and the reference to the copy is handed on below.
                Name: unsafe { LLVMOrcLLJITMangleAndIntern(self.jit, name.as_ptr()) },
                Sym: LLVMJITEvaluatedSymbol {
                    Address: symbol.address.expose_provenance() as u64,
                    Flags: LLVMJITSymbolFlags { GenericFlags: flags, TargetFlags: 0 },
                },
            }
        };
        let mut pairs: Vec<LLVMOrcCSymbolMapPair> = symbols::table().into_iter().map(pair).collect();
        // SAFETY: the pairs are copied; the unit takes their names over, and the library takes the unit.
        check(unsafe {
            let unit = LLVMOrcAbsoluteSymbols(pairs.as_mut_ptr(), pairs.len());
            LLVMOrcJITDylibDefine(LLVMOrcLLJITGetMainJITDylib(self.jit), unit)
        })
    }

    fn add(&self, object: &[u8]) -> Result<(), NativeError> {
        // SAFETY: the bytes are copied into a buffer, which the linker takes over.
        check(unsafe {
            let start = object.as_ptr().cast();
            let buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(start, object.len(), c"program".as_ptr());
            LLVMOrcLLJITAddObjectFile(self.jit, LLVMOrcLLJITGetMainJITDylib(self.jit), buffer)
        })
    }

    /// Links what defines a symbol.
    fn address_of(&self, symbol: &str) -> Result<usize, NativeError> {
        let name = CString::new(symbol).expect("names of functions hold no zero");
        let mut address = 0;
        // SAFETY: the name lives through the call.
        let found = check(unsafe { LLVMOrcLLJITLookup(self.jit, &raw mut address, name.as_ptr()) });
        let told = self.reports.lock().map_or_else(|_| String::new(), |reports| reports.join("; "));
        match found {
            Ok(()) => Ok(address as usize),
            Err(_) if !told.is_empty() => {
                Err(NativeError::Internal(format!("code cannot be linked: {told}")))
            }
            Err(error) => Err(error),
        }
    }
}

impl Drop for Linked {
    fn drop(&mut self) {
        // SAFETY: nobody else has it, and no task is in its code: `Jit::run` and each call of a kernel wait
        // for those that they have started. Only memory could fail to be freed.
        let _ = check(unsafe { LLVMOrcDisposeLLJIT(self.jit) });
    }
}

/// What LLVM says, as our mistake.
fn check(error: LLVMErrorRef) -> Result<(), NativeError> {
    if error.is_null() { Ok(()) } else { Err(NativeError::Internal(message(error))) }
}

/// The words of an error, which is gone then.
fn message(error: LLVMErrorRef) -> String {
    // SAFETY: LLVM returns a text that ends in zero, and frees it after it was copied.
    unsafe {
        let text = LLVMGetErrorMessage(error);
        let message = CStr::from_ptr(text).to_string_lossy().into_owned();
        LLVMDisposeErrorMessage(text);
        message
    }
}

extern "C" fn report(reports: *mut c_void, error: LLVMErrorRef) {
    // SAFETY: `Linked::new` has passed its reports, which live.
    let reports = unsafe { &*reports.cast::<Mutex<Vec<String>>>() };
    if let Ok(mut reports) = reports.lock() {
        reports.push(message(error));
    }
}
