//! `comet run`: compile in memory and run.

use crate::arguments::{CompileArguments, InstrumentKind, ProgramArguments, RunArguments, RuntimeArguments};
use crate::cache::{self, Use};
use crate::failure::Result;
use crate::middle::{self, Stage};
use crate::session::{Session, Timing};
use crate::tile::auto::{Machines, Settling};
use crate::{front, messages, native};
use comet_backend_cpu::instrument::Instrument;
use comet_backend_cpu::native::{Jit, Target};
use comet_backend_cpu::pipelines::{Choices, Contractions, Reordering, Sums};
use comet_backend_sam::Automatic;
use comet_diag::Source;
use comet_runtime::options;
use comet_sema::program::Program;
use std::path::Path;

pub(crate) fn run(arguments: &RunArguments, session: Session) -> Result<()> {
    let ProgramArguments { source, schedule, compile: options } = &arguments.program;
    let written = RunRequest { source, schedule: schedule.as_deref(), runtime: &arguments.runtime };
    let program = Prepared::new(session, options, written, Machines::Processors)?;
    compile(options, &program.session, &program.source, &program.program, Then::Run)?;
    options::note_unused_inputs();
    Ok(())
}

/// What the command line says of a program besides how it is compiled.
pub(super) struct RunRequest<'a> {
    pub(super) source: &'a Path,
    pub(super) schedule: Option<&'a str>,
    pub(super) runtime: &'a RuntimeArguments,
}

/// A program that is to be run: checked, with sizes for the tiles that it leaves open.
pub(super) struct Prepared {
    pub(super) session: Session,
    pub(super) source: Source,
    pub(super) program: Program,
}

impl Prepared {
    /// Sets the options of the run time, and reads and checks the program.
    pub(super) fn new(
        session: Session,
        compile: &CompileArguments,
        written: RunRequest<'_>,
        machines: Machines,
    ) -> Result<Self> {
        let session = with_arguments(compile, session);
        // Wrong options are reported before the time for compiling is spent.
        let options = written.runtime.options()?;
        let tns = options.tns;
        options::set(options)?;
        let source = front::read_program(written.source, written.schedule)?;
        messages::show_lines_of(&source, session.color);
        let settling = Settling { session: &session, source: &source, machines };
        let program = settling.program(front::check(&session, &source)?, tns)?;
        Ok(Self { session, source, program })
    }
}

/// Returns the session with what the arguments ask for.
pub(super) fn with_arguments(arguments: &CompileArguments, session: Session) -> Session {
    let instrument = match arguments.instrument {
        Some(InstrumentKind::Workspace) => Instrument::Workspaces,
        None => Instrument::Nothing,
    };
    let automatic = Automatic {
        factorizes: arguments.auto_factorize,
        locates: arguments.auto_locate,
        drops_zeros: arguments.drop_zeros,
        dialect: arguments.dialect,
    };
    let contractions = if arguments.no_gemm { Contractions::Loops } else { Contractions::Matrices };
    let explain = arguments.explain;
    let reordering = arguments.reorder.map(|method| Reordering { method, is_reported: explain });
    let sums = if arguments.ordered_sums { Sums::Ordered } else { Sums::AnyOrder };
    let registers = Target::vector_registers(&arguments.target_cpu);
    let choices = Choices { instrument, contractions, sums, reordering, registers };
    let timing = Timing { enabled: arguments.time_passes, ..Timing::default() };
    Session { explain, automatic, choices, timing, ..session }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Then {
    Run,
    /// It was only to be seen that it can be compiled.
    Stop,
}

/// Compiles a program in memory, and runs it where that is wanted.
pub(super) fn compile(
    arguments: &CompileArguments,
    session: &Session,
    source: &Source,
    program: &Program,
    then: Then,
) -> Result<()> {
    let target = native::target(arguments, session)?;
    let place = cache::place(arguments, session, &target, (source, program), Use::Memory)?;
    let object = place.object(session, || object(session, source, program, target))?;
    let program = session.timing.step("link", || Jit::load(&object))?;
    session.timing.report();
    if then == Then::Run {
        program.run();
        comet_runtime::output::flush();
        comet_runtime::instrument::report();
    }
    Ok(())
}

fn object(session: &Session, source: &Source, program: &Program, target: Target) -> Result<Vec<u8>> {
    let context = session.timing.step("start MLIR", middle::context);
    let module = middle::lower(session, &context, program, source, Stage::Llvm)?;
    native::machine_code(session, &module, target)
}
