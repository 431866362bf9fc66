//! Checked programs to the LLVM dialect, and every stage on the way.

use crate::capture::{Capture, Report, ReportKind};
use crate::failure::{Failure, Result};
use crate::session::Session;
use comet_backend_cpu::pipelines::Pipeline;
use comet_backend_sam::launch as graphs;
use comet_backend_spatial::pieces as applications;
use comet_diag::Source;
use comet_ir::Op;
use comet_ir::pass::{self, Remarks};
use comet_ir::pipeline::{self, Settings};
use comet_sema::program::Program;
use melior::Context;
use melior::ir::Module;
use melior::ir::operation::{OperationLike, OperationPrintingFlags};
use std::collections::HashSet;
use std::sync::Once;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// What the front end returns, before any pass.
    Lowered,
    Ta,
    /// Loops in the order that statements have.
    Order,
    /// Loops in concrete index notation, as the CPU path takes them.
    Cin,
    Scf,
    Llvm,
    Sam,
    /// Applications of a reconfigurable dataflow architecture.
    Spatial,
}

impl Stage {
    /// The named pipeline that leads from what the front end returns to the stage.
    fn pipeline(self) -> Option<&'static str> {
        match self {
            Self::Lowered => None,
            Self::Ta => Some("comet-ta"),
            Self::Cin => Some("comet-cin"),
            Self::Scf => Some("comet-scf"),
            Self::Llvm => Some("comet-cpu"),
            Self::Order | Self::Sam | Self::Spatial => None,
        }
    }

    fn passes(self, session: &Session) -> String {
        let named =
            |name| Pipeline::named(name, session.choices).expect("a stage has the name of a pipeline");
        match self {
            Self::Order => comet_backend_cpu::pipelines::ordered_loops(session.choices),
            Self::Sam => comet_backend_sam::to_sam(session.automatic),
            Self::Spatial => comet_backend_spatial::to_spatial(),
            _ => self.pipeline().map_or_else(String::new, named),
        }
    }
}

/// The dialects of the operations that the front end makes. Passes load those that they make themselves.
const FRONT_END_DIALECTS: [&str; 7] = ["arith", "cin", "complex", "func", "math", "scf", "ta"];

/// A context with our dialects, for one thread: programs are small, and threads cost more than they bring.
pub(crate) fn context() -> Context {
    register_passes();
    let context = Context::new_with_registry(&comet_dialects::registration::dialects(), false);
    for name in FRONT_END_DIALECTS {
        context.get_or_load_dialect(name);
    }
    context
}

/// Makes all passes and pipelines known to MLIR, once a process.
pub(crate) fn register_passes() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        comet_dialects::registration::register_upstream_passes();
        comet_passes::register_all();
        comet_backend_cpu::register_all();
        comet_backend_sam::register_all();
        comet_backend_spatial::register_all();
    });
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CompiledFunctions {
    /// `main`.
    Program,
    /// All others, each for itself.
    Kernels,
}

/// A checked program on its way to code.
#[derive(Clone, Copy)]
pub(crate) struct Checked<'a> {
    pub(crate) session: &'a Session,
    pub(crate) source: &'a Source,
    pub(crate) program: &'a Program,
}

pub(crate) fn lower<'c>(context: &'c Context, checked: Checked<'_>, stage: Stage) -> Result<Module<'c>> {
    lower_part(context, checked, CompiledFunctions::Program, stage)
}

pub(crate) fn lower_part<'c>(
    context: &'c Context,
    checked: Checked<'_>,
    part: CompiledFunctions,
    stage: Stage,
) -> Result<Module<'c>> {
    let Checked { session, source, program } = checked;
    check_reordering(session, part, stage)?;
    let capture = Capture::new(context);
    pass::set_remarks(if session.explain { Remarks::On } else { Remarks::Off });
    let lowered = session.timing.step("lower", || match part {
        CompiledFunctions::Program => comet_lower::lower(context, program, source),
        CompiledFunctions::Kernels => comet_lower::lower_kernels(context, program, source),
    });
    let mut module = lowered.map_err(|diagnostic| Failure::in_source(vec![diagnostic], source))?;
    let settings = Settings { verify: cfg!(debug_assertions), timing: session.timing.enabled };
    let passes = stage.passes(session);
    let outcome = session.timing.step("passes", || pipeline::run(&mut module, &passes, settings));
    let reports = capture.take();
    match outcome {
        Ok(()) => {
            show(session, &reports, source);
            Ok(module)
        }
        Err(error) => Err(failure(&reports, &error, source)),
    }
}

/// Refuses to reorder where permutations would be found in each call, and where no code finds them.
fn check_reordering(session: &Session, part: CompiledFunctions, stage: Stage) -> Result<()> {
    let message = match (part, stage) {
        _ if session.choices.reordering.is_none() => return Ok(()),
        (_, Stage::Sam) => "`--reorder` is for code, and graphs take tensors as they are",
        (_, Stage::Spatial) => "`--reorder` is for code, and applications take tensors as they are",
        (CompiledFunctions::Kernels, _) => {
            "`--reorder` is for programs: a kernel would find permutations in each call"
        }
        (CompiledFunctions::Program, _) => return Ok(()),
    };
    let hint = "leave it out, and reorder the files before: `comet reorder FILE -o FILE`";
    Err(Failure::hinted(message, hint))
}

/// The program with its statements taken out as graphs, and those.
pub(crate) fn lower_to_graphs<'c>(
    context: &'c Context,
    checked: Checked<'_>,
    part: CompiledFunctions,
) -> Result<(Module<'c>, Vec<graphs::LaunchedGraph>)> {
    let dialect = checked.session.automatic.dialect;
    lower_and_take(context, checked, (part, Stage::Sam), |module| graphs::take(module, dialect))
}

/// The program with its statements taken out as applications, and those.
pub(crate) fn lower_to_applications<'c>(
    context: &'c Context,
    checked: Checked<'_>,
) -> Result<(Module<'c>, Vec<applications::Piece>)> {
    let part = CompiledFunctions::Program;
    lower_and_take(context, checked, (part, Stage::Spatial), applications::take)
}

fn lower_and_take<'c, P>(
    context: &'c Context,
    checked: Checked<'_>,
    (part, stage): (CompiledFunctions, Stage),
    take: impl for<'m> FnOnce(Op<'m>) -> comet_ir::Result<'m, P>,
) -> Result<(Module<'c>, P)> {
    let module = lower_part(context, checked, part, stage)?;
    let capture = Capture::new(context);
    let pieces = checked.session.timing.step("pieces", || take(Op::of_module(&module))).map_err(|error| {
        let place = error.location.unwrap_or(module.as_operation().location());
        pass::report(place, &error.text());
        failure(&capture.take(), &pipeline::Error::Pass, checked.source)
    })?;
    Ok((module, pieces))
}

/// What is left of a program without its statements, in the LLVM dialect.
pub(crate) fn lower_host(session: &Session, module: &mut Module<'_>) -> Result<()> {
    let settings = Settings { verify: cfg!(debug_assertions), timing: session.timing.enabled };
    let passes = comet_backend_cpu::pipelines::host();
    pipeline::run(module, &passes, settings).map_err(Failure::internal)
}

/// The module as text; `locations` keeps the places in the source, in a form that can be read again.
pub(crate) fn print(module: &Module<'_>, locations: Locations) -> Result<String> {
    let flags = OperationPrintingFlags::new().enable_debug_info(locations == Locations::Keep, false);
    let text = module.as_operation().to_string_with_flags(flags).map_err(Failure::internal)?;
    Ok(text.trim_end().to_owned() + "\n")
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Locations {
    Keep,
    Omit,
}

/// Reports what does not end the compilation; a decision about two versions of a statement is reported once.
fn show(session: &Session, reports: &[Report], source: &Source) {
    let mut shown = HashSet::new();
    for report in reports {
        match report.kind {
            ReportKind::Warning => session.warn(&report.to_diagnostic(source), source),
            ReportKind::Decision if shown.insert((report.place(), report.message())) => {
                session.explain(report.place(), report.message());
            }
            ReportKind::Decision | ReportKind::Error | ReportKind::InternalError => {}
        }
    }
}

/// The user's errors where there are any: what fails after one of them is a consequence.
fn failure(reports: &[Report], error: &pipeline::Error, source: &Source) -> Failure {
    let of_kind = |kind| -> Vec<_> {
        reports
            .iter()
            .filter(|report| report.kind == kind)
            .map(|report| report.to_diagnostic(source))
            .collect()
    };
    let users = of_kind(ReportKind::Error);
    if !users.is_empty() {
        return Failure::in_source(users, source);
    }
    let ours = of_kind(ReportKind::InternalError);
    if ours.is_empty() { Failure::internal(error) } else { Failure::internal_in_source(ours, source) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::failure::FaultClass;
    use comet_diag::Span;
    use comet_ir::location;

    const SOURCE: &str = "def main() {\n  x = y;\n}\n";

    /// The failure of a pass that has said that at `x = y`.
    fn failure_of(message: &str) -> (FaultClass, String) {
        let context = context();
        let source = Source::new("a.ta", SOURCE);
        let capture = Capture::new(&context);
        let place = location::of_span(&context, &source, Span::new(15, 20));
        comet_ir::pass::report(place, message);
        let failure = failure(&capture.take(), &pipeline::Error::Pass, &source);
        (failure.fault, failure.render(comet_diag::Color::Never))
    }

    /// What a pass says of the user's program is shown in the program, with its hint.
    #[test]
    fn passes_point_into_the_source() {
        let (fault, shown) = failure_of("not supported yet: that\nhint: do this");
        assert_eq!(fault, FaultClass::User);
        assert!(shown.contains("error: not supported yet: that\n --> a.ta:2:3"), "{shown}");
        assert!(shown.contains("2 |   x = y;\n  |   ^^^^^") && shown.contains("help: do this"), "{shown}");
    }

    /// What MLIR says of our IR is our mistake, shown where the IR comes from; so is a pass that says
    /// nothing.
    #[test]
    fn broken_ir_is_our_mistake() {
        let context = context();
        let capture = Capture::new(&context);
        let broken =
            "%0 = ta.time loc(\"a.ta\":2:3 to :8) \"ta.time\"(%0) : (f64) -> f64 loc(\"a.ta\":2:3 to :8)";
        assert!(Module::parse(&context, broken).is_none());
        let failed = failure(&capture.take(), &pipeline::Error::Pass, &Source::new("a.ta", SOURCE));
        assert_eq!(failed.fault, FaultClass::Compiler);
        assert!(
            failed.render(comet_diag::Color::Never).contains("error: internal error: "),
            "{}",
            failed.render(comet_diag::Color::Never)
        );
        assert_eq!(
            failure(&[], &pipeline::Error::Pass, &Source::new("a.ta", SOURCE)).fault,
            FaultClass::Compiler
        );
    }
}
