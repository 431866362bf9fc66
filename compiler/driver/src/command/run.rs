//! `comet run`: compile in memory and run.

use crate::arguments::{CompileArguments, GraphDialect, InstrumentKind, RunArguments};
use crate::cache::{self, Use};
use crate::failure::Result;
use crate::middle::{self, Stage};
use crate::native;
use crate::session::Session;
use crate::tile::auto::{Machines, Settling};
use crate::timing::Timing;
use crate::{front, messages};
use comet_backend_cpu::instrument::Instrument;
use comet_backend_cpu::native::{Jit, Target};
use comet_backend_cpu::pipelines::{Choices, Contractions, Reordering, Sums};
use comet_backend_sam::{Automatic, Dialect};
use comet_diag::Source;
use comet_runtime::options;
use comet_sema::program::Program;

pub(crate) fn run(arguments: &RunArguments, session: Session) -> Result<()> {
    let session = telling(&arguments.program.compile, session);
    // Wrong options are told before the time for compiling is spent.
    let options = arguments.runtime.options()?;
    let tns = options.tns;
    options::set(options)?;
    let source = front::read_program(&arguments.program.source, arguments.program.schedule.as_deref())?;
    messages::show_lines_of(&source, session.color);
    let settling = Settling { session: &session, source: &source, machines: Machines::Processors };
    let program = settling.program(front::check(&session, &source)?, tns)?;
    compile(&arguments.program.compile, &session, &source, &program, Then::Run)?;
    options::note_unused_inputs();
    Ok(())
}

/// The session that tells what the arguments ask for.
pub(super) fn telling(arguments: &CompileArguments, session: Session) -> Session {
    let instrument = match arguments.instrument {
        Some(InstrumentKind::Workspace) => Instrument::Workspaces,
        None => Instrument::Nothing,
    };
    let automatic = Automatic {
        factorizes: arguments.auto_factorize,
        locates: arguments.auto_locate,
        drops_zeros: arguments.drop_zeros,
        dialect: match arguments.dialect {
            GraphDialect::Comet => Dialect::Comet,
            GraphDialect::Sam => Dialect::Sam,
            GraphDialect::Comal => Dialect::Comal,
        },
    };
    let contractions = if arguments.no_gemm { Contractions::Loops } else { Contractions::Matrices };
    let explain = arguments.explain;
    let reordering = arguments.reorder.map(|method| Reordering { method, tells: explain });
    let sums = if arguments.ordered_sums { Sums::Ordered } else { Sums::AnyOrder };
    let registers = Target::vector_registers(&arguments.target_cpu);
    let choices = Choices { instrument, contractions, sums, reordering, registers };
    Session { explain, automatic, choices, timing: Timing::new(arguments.time_passes), ..session }
}

/// What becomes of a compiled program.
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

/// From the program to machine code.
fn object(session: &Session, source: &Source, program: &Program, target: Target) -> Result<Vec<u8>> {
    let context = session.timing.step("start MLIR", middle::context);
    let module = middle::lower(session, &context, program, source, Stage::Llvm)?;
    native::machine_code(session, &module, target)
}
