//! The compiler as a library: kernels that the caller's process compiles and calls.
//!
//! [`compile`] takes a [`KernelSource`] and [`KernelOptions`], and returns [`Kernels`] or a [`Failure`],
//! which has its diagnostics as data. Nothing is printed, but for the message of a panic, which is a
//! mistake of ours; nothing ends the process, and two threads may compile at the same time. Python's module
//! is a layer over it.

use crate::cache::{self, Folder, Use};
use crate::failure::{Failure, Result};
use crate::middle::{self, Checked, CompiledFunctions, Locations, Stage};
use crate::session::{Notices, Session};
use crate::{distributed, front, library, native};
use comet_backend_cpu::native::{CodeKind, LlvmContext, Optimization, Platform, Target, Unit};
pub use comet_backend_cpu::native::{KernelCode, Processes};
use comet_backend_cpu::pipelines::{Choices, Sums};
use comet_diag::Source;
use comet_runtime::error::reason;
use comet_sema::kernel::Signature;
use comet_sema::program::Program;
use comet_syntax::ast::Module;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

pub use crate::session::{Notice, NoticeKind};

/// A file of kernels.
#[derive(Clone, Debug)]
pub struct KernelSource {
    /// What places point into, with the commands of a schedule as its appendix where there are some.
    pub source: Source,
    /// The tree, where it was not parsed from the source.
    pub module: Option<Module>,
}

impl KernelSource {
    /// A file that is named so.
    pub fn of_text(name: &str, text: &str) -> Self {
        Self { source: Source::new(name, text), module: None }
    }

    /// The same with commands of a schedule for its statements.
    #[must_use]
    pub fn with_schedule(self, commands: &str) -> Self {
        let source = front::with_schedule(self.source, "<schedule>", commands);
        Self { source, ..self }
    }
}

/// How kernels are compiled.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct KernelOptions {
    /// Sums in the order of the loops, bit for bit.
    pub ordered_sums: bool,
    /// Whether automatic decisions are among the notices; the cache is left out then.
    pub explain: bool,
    /// Whether several processes call the kernels together.
    pub processes: Processes,
}

impl KernelOptions {
    fn session(&self) -> Session {
        let target_cpu = NATIVE.to_owned();
        let choices = Choices {
            sums: if self.ordered_sums { Sums::Ordered } else { Sums::AnyOrder },
            registers: Target::vector_registers(Platform::HOST, &target_cpu),
            processes: self.processes,
            ..Choices::default()
        };
        Session {
            choices,
            explain: self.explain,
            optimization: Optimization::default(),
            target_cpu,
            notices: Notices::kept(),
            processes: self.processes,
            ..Session::default()
        }
    }
}

/// The processor that this runs on.
const NATIVE: &str = "native";

/// The kernels of a file in memory.
pub struct Kernels {
    code: KernelCode,
    notices: Vec<Notice>,
}

impl Kernels {
    /// What callers pass to each kernel, in the order of the file.
    pub fn signatures(&self) -> impl Iterator<Item = &Signature> {
        self.code.signatures()
    }

    /// Warnings, notes, and decisions where they were asked for.
    pub fn notices(&self) -> &[Notice] {
        &self.notices
    }

    /// What calls the kernels.
    pub fn code(&self) -> &KernelCode {
        &self.code
    }
}

/// Compiles the kernels of a file for this machine, into this process.
///
/// # Errors
/// Every mistake in the file, or one of the compiler.
pub fn compile(kernels: &KernelSource, options: &KernelOptions) -> Result<Kernels> {
    guarded(|| {
        let session = options.session();
        let program = checked(kernels, &session)?;
        let signatures = library::signatures_in_memory(&program, &kernels.source)?;
        let target = native::target(&session)?;
        let checked = Checked { session: &session, source: &kernels.source, program: &program };
        let place = cache::place(checked, &target, Use::KernelsInMemory)?;
        let code = place.object(&session, || {
            with_unit(checked, &signatures, target, |unit| Ok(unit.into_kernel_code()?))
        })?;
        let code = KernelCode::load(&code, signatures)?;
        Ok(Kernels { code, notices: session.notices.take() })
    })
}

/// Has kernels that are called on a communicator use the MPI that `mpicc` belongs to.
///
/// # Errors
/// The user's where there is no MPI.
pub fn use_processes() -> Result<()> {
    guarded(distributed::use_in_calls)
}

/// What callers pass to the kernels of a file, which are not compiled.
///
/// # Errors
/// Every mistake in the file.
pub fn signatures(kernels: &KernelSource) -> Result<Vec<Signature>> {
    guarded(|| {
        let session = KernelOptions::default().session();
        library::signatures_in_memory(&checked(kernels, &session)?, &kernels.source)
    })
}

/// A form of kernels on their way to code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::EnumString, strum::VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum Form {
    /// The program.
    Source,
    /// Tensors with formats.
    Ta,
    /// Concrete index notation: loops, workspaces.
    Cin,
    /// Structured loops over arrays.
    Scf,
    /// LLVM IR, optimized.
    Llvm,
    /// Assembly.
    Asm,
    /// The C header of the kernels.
    Header,
}

/// Returns a form of the kernels of a file as text.
///
/// # Errors
/// As [`compile`].
pub fn text(kernels: &KernelSource, options: &KernelOptions, form: Form) -> Result<String> {
    guarded(|| {
        let session = options.session();
        let program = checked(kernels, &session)?;
        let checked = Checked { session: &session, source: &kernels.source, program: &program };
        let stage = |stage| {
            let context = middle::context();
            let module = middle::lower_part(&context, checked, CompiledFunctions::Kernels, stage)?;
            middle::print(&module, Locations::Omit)
        };
        let code = |write: &dyn Fn(&Unit<'_>) -> Result<Vec<u8>>| {
            let signatures = library::signatures_in_memory(&program, &kernels.source)?;
            let bytes = with_unit(checked, &signatures, native::target(&session)?, |unit| {
                unit.optimize()?;
                write(&unit)
            })?;
            Ok(String::from_utf8_lossy(&bytes).into_owned())
        };
        match form {
            Form::Source => Ok(source_text(kernels)),
            Form::Ta => stage(Stage::Ta),
            Form::Cin => stage(Stage::Cin),
            Form::Scf => stage(Stage::Scf),
            Form::Llvm => code(&|unit| Ok(unit.ir_text().into_bytes())),
            Form::Asm => code(&|unit| Ok(unit.code(CodeKind::Assembly)?)),
            Form::Header => {
                let signatures = library::signatures(&program, &kernels.source)?;
                Ok(library::header(&signatures, kernels.source.name()))
            }
        }
    })
}

/// The file, as text.
pub fn source_text(kernels: &KernelSource) -> String {
    match &kernels.module {
        Some(module) => comet_syntax::print_module(module),
        None => kernels.source.own_text().to_owned(),
    }
}

/// The folder of compiled code, the number of its entries, and their bytes; no folder where none is known.
///
/// # Errors
/// A folder that cannot be read.
pub fn cache_usage() -> Result<(Option<PathBuf>, usize, u64)> {
    let Some(folder) = Folder::of_environment()? else { return Ok((None, 0, 0)) };
    let usage = folder.usage().map_err(|error| Failure::file("read", &folder.path, reason(&error)))?;
    Ok((Some(folder.path), usage.entries, usage.bytes))
}

/// Removes all entries.
///
/// # Errors
/// A folder that cannot be changed.
pub fn clear_cache() -> Result<()> {
    let Some(folder) = Folder::of_environment()? else { return Ok(()) };
    folder.clear().map_err(|error| Failure::file("clear", &folder.path, reason(&error)))
}

fn checked(kernels: &KernelSource, session: &Session) -> Result<Program> {
    let source = &kernels.source;
    match &kernels.module {
        Some(module) => {
            let mut module = module.clone();
            let schedules = comet_syntax::parse_schedules(source);
            schedules
                .and_then(|schedules| comet_sema::attach_schedules(&mut module, &schedules))
                .map_err(|diagnostics| Failure::in_source(diagnostics, source))?;
            front::check_module(session, &module, source)
        }
        None => front::check(session, source),
    }
}

fn with_unit<T>(
    checked: Checked<'_>,
    signatures: &[Signature],
    target: Target,
    write: impl FnOnce(Unit<'_>) -> Result<T>,
) -> Result<T> {
    let (context, llvm) = (middle::context(), LlvmContext::create());
    let module = middle::lower_part(&context, checked, CompiledFunctions::Kernels, Stage::Llvm)?;
    let unit = Unit::translate_library(&module, &llvm, target)?;
    unit.add_bodies(signatures)?;
    write(unit)
}

/// A panic is a mistake of ours like any other.
fn guarded<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<&str>().copied().map(str::to_owned);
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
        Err(Failure::internal(text.unwrap_or_else(|| "the compiler panicked".to_owned())))
    })
}
