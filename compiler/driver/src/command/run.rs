//! `comet run`: compile in memory and run.

use crate::arguments::{
    CompileArguments, InstrumentKind, PartitionKind, ProgramArguments, RunArguments, RuntimeArguments,
};
use crate::cache::{self, Use};
use crate::failure::{Failure, Result};
use crate::middle::{self, Checked, Stage};
use crate::session::{Session, Timing};
use crate::tile::auto::{Machines, Settling};
use crate::{distributed, front, messages, native, text};
use comet_backend_cpu::instrument::Instrument;
use comet_backend_cpu::native::{Jit, Processes, Target};
use comet_backend_cpu::pipelines::{Choices, Contractions, Reordering, Sums};
use comet_backend_sam::Automatic;
use comet_diag::Source;
use comet_runtime::options::{self, Options};
use comet_sema::program::Program;
use std::fs;
use std::os::unix::fs::FileTypeExt as _;
use std::path::Path;

pub(crate) fn run(arguments: &RunArguments, session: Session) -> Result<()> {
    let partition = arguments.partition.method();
    if partition.is_some() && arguments.ranks.is_none() && !arguments.distributed {
        let message = "`--partition` is for several processes, and there is one";
        return Err(Failure::hinted(message, "pass `--ranks N` or `--distributed`, or leave it out"));
    }
    check_order(&arguments.program.compile, arguments.partition)?;
    if let Some(ranks) = arguments.ranks {
        check_files(arguments)?;
        return distributed::run_job(ranks);
    }
    let processes = if arguments.distributed { Processes::Several } else { Processes::One };
    if arguments.distributed {
        distributed::start()?;
    } else {
        comet_runtime::distributed::note_copies("pass `--distributed` for them to share the work");
    }
    let choices = Choices { processes, ..session.choices };
    let session = Session { processes, choices, partition, ..session };
    let ProgramArguments { source, schedule, compile: options } = &arguments.program;
    let written = RunRequest { source, schedule: schedule.as_deref(), runtime: &arguments.runtime };
    let program = Prepared::new(session, options, written, Machines::Processors)?;
    execute(&compile(program.checked())?);
    options::note_unused_inputs();
    comet_runtime::distributed::stop();
    Ok(())
}

/// Every process opens the files of the program.
fn check_files(arguments: &RunArguments) -> Result<()> {
    let inputs = arguments.runtime.options()?.inputs;
    let own = std::iter::once(arguments.program.source.as_path());
    let mut files = own.chain(inputs.iter().map(|input| input.path.as_path()));
    let Some(once) = files.find(|path| is_read_once(path)) else { return Ok(()) };
    let message =
        format!("`{}` can be read once, and each process opens its files by itself", once.display());
    Err(Failure::hinted(message, "name a file: write what a pipe returns to one first"))
}

fn is_read_once(path: &Path) -> bool {
    let is_of_process = text::is_standard_input(path) || text::is_own_descriptor(path);
    is_of_process || fs::metadata(path).is_ok_and(|metadata| metadata.file_type().is_fifo())
}

/// Parts of METIS change the order of rows and columns, and so that of sums.
pub(super) fn check_order(compile: &CompileArguments, partition: PartitionKind) -> Result<()> {
    if !compile.ordered_sums || partition.method().is_none() {
        return Ok(());
    }
    let message = "with `--ordered-sums`, processes have ranges of rows: parts of METIS have another order";
    Err(Failure::hinted(message, "leave `--ordered-sums` or `--partition` out"))
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
        let options = Options { explain: session.explain, ..written.runtime.options()? };
        let tns = options.tns;
        options::set(options)?;
        let source = front::read_program(written.source, written.schedule)?;
        messages::show_lines_of(&source, session.color);
        let settling = Settling { session: &session, source: &source, machines };
        let program = settling.program(front::check(&session, &source)?, tns)?;
        Ok(Self { session, source, program })
    }

    pub(super) fn checked(&self) -> Checked<'_> {
        Checked { session: &self.session, source: &self.source, program: &self.program }
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
    let reordering =
        arguments.reorder.or(session.partition).map(|method| Reordering { method, is_reported: explain });
    let sums = if arguments.ordered_sums { Sums::Ordered } else { Sums::AnyOrder };
    let registers = Target::vector_registers(session.platform, &arguments.target_cpu);
    let choices =
        Choices { instrument, contractions, sums, reordering, registers, processes: session.processes };
    let timing = Timing { enabled: arguments.time_passes, ..Timing::default() };
    Session {
        explain,
        automatic,
        choices,
        timing,
        target_cpu: arguments.target_cpu.clone(),
        optimization: arguments.optimization,
        no_cache: arguments.no_cache,
        ..session
    }
}

/// Compiles a program in memory.
pub(super) fn compile(checked: Checked<'_>) -> Result<Jit> {
    let session = checked.session;
    let target = native::target(session)?;
    let place = cache::place(checked, &target, Use::Memory)?;
    let object = place.object(session, || {
        let context = session.timing.step("start MLIR", middle::context);
        native::machine_code(session, &middle::lower(&context, checked, Stage::Llvm)?, target)
    })?;
    let program = session.timing.step("link", || Jit::load(&object))?;
    session.timing.report();
    Ok(program)
}

pub(super) fn execute(program: &Jit) {
    program.run();
    comet_runtime::output::flush();
    comet_runtime::instrument::report();
}
