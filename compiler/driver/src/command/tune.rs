//! `comet tune`: the schedule of a program that is the fastest on its inputs.

use super::{output, run};
use crate::arguments::TuneArguments;
use crate::failure::{Failure, Result};
use crate::front;
use crate::middle::{self, Checked, Stage};
use crate::own;
use crate::session::Session;
use crate::tune::bench::{Benchmark, CandidateBench, Compiled};
use crate::tune::kernels::{KernelCalls, Operands};
use crate::tune::search::{CandidateSearch, SearchSettings};
use crate::tune::statement::statements;
use crate::tune::target::{AssignedTensor, Plain, WholeTime};
use crate::tune::{report, timed, worker};
use comet_runtime::options::{self, NumberStyle, Options};
use comet_runtime::output::tell;
use serde_json::json;
use std::path::Path;

pub(crate) fn tune(arguments: &TuneArguments, session: Session) -> Result<()> {
    if let Some(flag) = session.first_given(&["--instrument", "--time-passes"]) {
        let message = format!("`{flag}` is for one run, and `comet tune` does many");
        let hint = "leave it out; `comet run --schedule …` takes it with the schedule that was found";
        return Err(Failure::hinted(message, hint));
    }
    let options = arguments.runtime.options()?;
    let source = front::read_source(&arguments.source)?;
    let extents = arguments.extents.iter().cloned().collect();
    let operands = Operands { inputs: &options.inputs, extents: &extents };
    if arguments.worker {
        let worker_options = Options { print: NumberStyle::Exact, ..options.clone() };
        options::set(worker_options)?;
        let session = Session { explain: false, ..run::with_arguments(&arguments.compile, session) };
        return worker::work(&session, &source, operands);
    }
    // The worker, which has returned above, is started with the same flags, but writes no result file.
    output::check(arguments.json.iter().chain(&arguments.output))?;
    check_inputs(&options)?;
    let session = run::with_arguments(&arguments.compile, session);
    let in_source = |errors| Failure::in_source(errors, &source);
    let mut module = front::parse(&session, &source)?;
    timed::check_names(&module).map_err(|error| in_source(vec![error]))?;
    let mut program = front::check_module(&session, &module, &source)?;
    let whole = if program.main().is_some() { WholeTime::Program } else { WholeTime::Function };
    let calls = KernelCalls::new(&module, &program, operands);
    calls.notes.iter().for_each(|note| session.show(note, &source));
    if calls.is_any() {
        calls.add(&mut module);
        program = front::check_module(&session, &module, &source)?;
    }
    let found = statements(&module, &program);
    if program.main().is_none() || found.is_empty() {
        return nothing(arguments, whole);
    }
    // What is wrong with the program is reported with its place, by the process that the user has started.
    let checked = Checked { session: &session, source: &source, program: &program };
    middle::lower(&middle::context(), checked, Stage::Llvm)?;
    let settings = SearchSettings {
        rounds: arguments.rounds,
        candidates: arguments.candidates as usize,
        threads: options.threads.unwrap_or_else(options::threads),
    };
    let own = own::program().map_err(|error| Failure::internal(format!("no program: {error}")))?;
    let mut bench = CandidateBench::new(own.into_iter().chain(own::arguments()).collect());
    let plain = Plain::run(&mut bench)?;
    bench.notes().iter().for_each(|note| tell(format_args!("{note}")));
    let targets = AssignedTensor::all(&found, &plain, whole);
    if targets.is_empty() {
        return nothing(arguments, whole);
    }
    search(arguments, settings, &mut bench, &plain, &targets)
}

/// Searches a schedule for each tensor that is worth one, and writes down what was found.
fn search(
    arguments: &TuneArguments,
    settings: SearchSettings,
    bench: &mut CandidateBench,
    plain: &Plain,
    targets: &[AssignedTensor<'_>],
) -> Result<()> {
    let (mut schedules, mut reports) = (Vec::new(), Vec::new());
    let mut rest = settings.candidates;
    for (place, target) in targets.iter().enumerate() {
        let candidates = rest.div_ceil(targets.len() - place);
        let mut search =
            CandidateSearch::new(bench, SearchSettings { candidates, ..settings }, target, plain);
        search.run()?;
        rest -= search.has_run;
        tell(format_args!("{}", report::text(&search)));
        reports.push(report::json(&search));
        schedules.push(search.tried[search.winner()].schedule.clone());
    }
    schedules.retain(|schedule| !schedule.is_empty());
    let schedule = schedules.join(" ");
    check(bench, &schedules, &schedule, plain)?;
    if let Some(to) = &arguments.json {
        let json = json!({ "threads": settings.threads, "targets": reports, "schedule": schedule });
        output::write_json(to, &json)?;
    }
    write(arguments, &schedule)
}

fn write(arguments: &TuneArguments, schedule: &str) -> Result<()> {
    let text = format!("{schedule}\n");
    match &arguments.output {
        Some(to) => output::write(to, text.as_bytes()),
        None => output::print(text.as_bytes()),
    }
}

/// Sees that several schedules do together what each does.
fn check(bench: &mut CandidateBench, schedules: &[String], together: &str, plain: &Plain) -> Result<()> {
    if schedules.len() < 2 {
        return Ok(());
    }
    let (number, compiled) = bench.compile(together)?;
    let run = match compiled {
        Compiled::Done => bench.check(number, plain.limit)?,
        // One of the schedules changes nothing beside the others.
        Compiled::Same(_) => return Ok(()),
        Compiled::Refused(why) => {
            return Err(Failure::internal(format!("`{together}` is refused: {why}")));
        }
    };
    match run {
        Benchmark::Times(_) => Ok(()),
        other => Err(Failure::internal(format!("`{together}` cannot be run: {other:?}"))),
    }
}

/// Ends where nothing can be measured: a mistake in a program, and none in a file of functions, since builds
/// measure all their files on the same inputs.
fn nothing(arguments: &TuneArguments, whole: WholeTime) -> Result<()> {
    if whole == WholeTime::Function {
        if let Some(to) = arguments.output.as_ref().filter(|to| to.file().is_some_and(Path::is_file)) {
            tell(format_args!("note: no function of the file is measured, and {to} stays as it is"));
            return Ok(());
        }
        tell(format_args!("note: no function of the file is measured, and the schedule is empty"));
        return write(arguments, "");
    }
    let message = "nothing to tune: expected a statement of the program that computes something from tensors";
    let hint = "`C[i,j] = A[i,k] * B[k,j]` is one; what is filled, read or a sum in a scalar has no schedule";
    Err(Failure::hinted(message, hint))
}

/// Inputs are read again for every run.
fn check_inputs(options: &Options) -> Result<()> {
    let is_pipe = |path: &std::path::Path| path.metadata().is_ok_and(|found| !found.is_file());
    let Some(input) = options.inputs.iter().find(|input| is_pipe(&input.path)) else { return Ok(()) };
    let reason = "expected a file, which can be read for every run, found something else";
    Err(Failure::file("read", &input.path, reason))
}
