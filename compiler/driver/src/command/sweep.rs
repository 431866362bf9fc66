//! `comet sweep`: the simulator over a design space.

use super::output;
use crate::arguments::SweepArguments;
use crate::failure::{Failure, Result};
use crate::progress::Steps;
use crate::session::Session;
use crate::sweep::axis::{self, Axis};
use crate::sweep::front::{Dot, front as pareto};
use crate::sweep::picture::Picture;
use crate::sweep::run::{Ran, Runner, Status};
use crate::sweep::table::{self, Earlier, SweepRow, Table};
use crate::sweep::template::Template;
use crate::{front, text};
use comet_diag::Source;
use comet_runtime::output::tell;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;
use strum::VariantArray as _;

/// Standard output has the Pareto front; how many runs there were goes to standard error.
pub(crate) fn sweep(arguments: &SweepArguments, session: &Session) -> Result<()> {
    output::check(&arguments.svg)?;
    let axes = axes(arguments)?;
    let template = Template::new(arguments.source.clone(), flags(arguments)?, &axes)?;
    check_program(arguments, session)?;
    let mut space = Space { template, arguments, axes };
    let mut table = space.table()?;
    let missing = space.missing(&table)?;
    let known = table.rows.len();
    simulate(&space, &missing, &mut table)?;
    tell(format_args!("{}", space.summary(&table.rows, known)));
    space.report(&table.rows)
}

fn axes(arguments: &SweepArguments) -> Result<Vec<Axis>> {
    let axes: Vec<Axis> = arguments.orders.iter().chain(&arguments.axes).cloned().collect();
    if axes.is_empty() {
        let hint = "give values by `--axis 'n=1|2|4'`, and write `{n}` in `--schedule` or another flag of the simulator; \
            `comet sim` does one run";
        return Err(Failure::hinted("there is no axis, so that there is one run only", hint));
    }
    let mut names: BTreeSet<&str> = table::columns().collect();
    match axes.iter().find(|axis| !names.insert(&axis.name)) {
        None => Ok(axes),
        Some(axis) => {
            let message =
                format!("`{}` is the name of two axes, or of a column that describes runs", axis.name);
            Err(Failure::hinted(message, "give the axis another name"))
        }
    }
}

/// What `comet sim` is given, with names in braces. A file with a schedule stands for its commands.
fn flags(arguments: &SweepArguments) -> Result<Vec<String>> {
    if text::is_standard_input(&arguments.source) {
        let hint = "save it as a file, which each run can read";
        return Err(Failure::hinted("the program comes from standard input, which can be read once", hint));
    }
    let schedule = arguments.simulator.schedule.as_deref().map(front::commands).transpose()?;
    let flags = arguments.simulator.arguments(schedule.as_ref().map(Source::text));
    let ours = |flag: &&String| {
        ["--json", "--no-result", "--message-format"].contains(&flag.split('=').next().unwrap_or_default())
    };
    // Runs would write over each other's files.
    let is_output = |flag: &str| {
        let name = flag.split('=').next().unwrap_or_default();
        ["--html", "--trace"].contains(&name) || name == "--sam-data" && is_program(&arguments.source)
    };
    let values = || arguments.axes.iter().flat_map(|axis| axis.values.iter());
    if let Some(flag) = flags.iter().chain(values()).find(|flag| is_output(flag)) {
        let hint = "leave it out, and give it to `comet sim` for a run of the table";
        return Err(Failure::hinted(format!("all runs would write to the file of `{flag}`"), hint));
    }
    match flags.iter().chain(values()).find(ours) {
        None => Ok(flags),
        Some(flag) => Err(Failure::hinted(
            format!("`{flag}` is what `comet sweep` gives each run itself"),
            "leave it out",
        )),
    }
}

/// Reports what is wrong with a program at its place, before anything runs.
fn check_program(arguments: &SweepArguments, session: &Session) -> Result<()> {
    if is_program(&arguments.source) {
        front::check(session, &front::read_source(&arguments.source)?)?;
    }
    Ok(())
}

fn is_program(source: &Path) -> bool {
    source.extension() == Some(OsStr::new("ta"))
}

struct Space<'a> {
    template: Template,
    arguments: &'a SweepArguments,
    axes: Vec<Axis>,
}

struct Missing {
    point: Vec<String>,
    identity: String,
}

impl Space<'_> {
    /// The table, whose rows are those of the same command.
    fn table(&mut self) -> Result<Table> {
        let path = &self.arguments.output;
        output::check_folder(path)?;
        let earlier = if self.arguments.restart { Earlier::Removed } else { Earlier::Kept };
        let table = Table::open(path, &self.axes, earlier)?;
        for row in &table.rows {
            if self.template.identity(&row.point)? != row.identity {
                let point = self.described(&row.point);
                let why = format!("the run with {point} had another program, other inputs, or other flags");
                return Err(table::other(path, &why));
            }
        }
        Ok(table)
    }

    fn missing(&mut self, table: &Table) -> Result<Vec<Missing>> {
        axis::check(&self.axes)?;
        let known: BTreeSet<&Vec<String>> = table.rows.iter().map(|row| &row.point).collect();
        let points = axis::points(&self.axes).into_iter().filter(|point| !known.contains(point));
        let missing = |point: Vec<String>| Ok(Missing { identity: self.template.identity(&point)?, point });
        points.map(missing).collect()
    }

    /// `n=1; d=2`.
    fn described(&self, point: &[String]) -> String {
        let values = self.axes.iter().zip(point).map(|(axis, value)| format!("{}={value}", axis.name));
        values.collect::<Vec<_>>().join("; ")
    }

    /// How many runs the table has, and what came of them.
    fn summary(&self, rows: &[SweepRow], known: usize) -> String {
        let of = |status: &Status| {
            let count = rows.iter().filter(|row| row.ran.status == *status).count();
            (count > 0).then(|| format!("{count} {status}"))
        };
        let counts: Vec<String> = Status::VARIANTS.iter().filter_map(of).collect();
        let known = if known == 0 { String::new() } else { format!(", {known} of them from before") };
        let path = self.arguments.output.display();
        format!("{} runs in `{path}`{known}: {}", rows.len(), counts.join(", "))
    }

    fn report(&self, rows: &[SweepRow]) -> Result<()> {
        let cost = self.arguments.cost;
        let dot = |row: &SweepRow| Dot::new(&row.point, &row.ran.counts, cost);
        let dots: Vec<Dot> = rows.iter().filter_map(dot).collect();
        if dots.is_empty() {
            return Err(self.nothing(rows));
        }
        output::print(self.front(&dots).as_bytes())?;
        let Some(to) = &self.arguments.svg else { return Ok(()) };
        let source = self.arguments.source.file_name().unwrap_or_default().to_string_lossy();
        let names: Vec<&str> = self.axes.iter().map(|axis| &axis.name[..]).collect();
        let picture = Picture { title: &source, names: &names, cost: cost.names().title, dots: &dots };
        output::write(to, picture.svg().as_bytes())
    }

    /// A line of names, then one for each run of the front.
    fn front(&self, dots: &[Dot]) -> String {
        let names = self.axes.iter().map(|axis| axis.name.clone());
        let heading =
            names.chain(["cycles".to_owned(), self.arguments.cost.names().column.to_owned()]).collect();
        let row = |dot: Dot| [dot.point, vec![dot.cycles.to_string(), dot.cost.to_string()]].concat();
        aligned(&std::iter::once(heading).chain(pareto(dots).into_iter().map(row)).collect::<Vec<_>>())
    }

    /// No run has cycles and a cost.
    fn nothing(&self, rows: &[SweepRow]) -> Failure {
        let cost = self.arguments.cost;
        if let Some(failed) = rows.iter().find(|row| row.ran.status != Status::Ok)
            && rows.iter().all(|row| row.ran.status != Status::Ok)
        {
            let message =
                format!("no run has succeeded: with {}, {}", self.described(&failed.point), failed.ran.error);
            let hint =
                format!("the column `error` of `{}` has all messages", self.arguments.output.display());
            return Failure::hinted(message, hint);
        }
        let hint = match cost.names().flag {
            Some(flag) => format!("give `{flag}`, or choose another `--cost`"),
            None => "a graph runs where an assignment computes something from tensors".to_owned(),
        };
        Failure::hinted(format!("no run has a count of {}", cost.names().title), hint)
    }
}

/// Does the runs that the table does not have, several at once, and adds a row for each.
fn simulate(space: &Space<'_>, missing: &[Missing], table: &mut Table) -> Result<()> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let jobs = space.arguments.jobs.map_or(cores, |jobs| jobs as usize).min(missing.len());
    let timeout = space.arguments.timeout.map(|seconds| Duration::from_secs(seconds.into()));
    let threads = (cores / jobs.max(1)).max(1);
    let runner = Runner::new(&space.arguments.source, timeout, threads)?;
    let next = AtomicUsize::new(0);
    let (sender, ended) = channel();
    thread::scope(|scope| {
        for _ in 0..jobs {
            let (sender, next, runner) = (sender.clone(), &next, &runner);
            scope.spawn(move || {
                while let Some(number) = taken(next, missing.len()) {
                    let ran = runner.run(number, &space.template.command(&missing[number].point));
                    // Nobody listens where the table cannot be written any more.
                    if sender.send((number, ran)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let added = add_rows(space, missing, &ended, table);
        // Threads that still run have nothing more to take.
        next.store(missing.len(), Ordering::Relaxed);
        added
    })
}

/// The next number below an end.
fn taken(next: &AtomicUsize, end: usize) -> Option<usize> {
    let number = next.fetch_add(1, Ordering::Relaxed);
    (number < end).then_some(number)
}

fn add_rows(
    space: &Space<'_>,
    missing: &[Missing],
    ended: &Receiver<(usize, Result<Ran>)>,
    table: &mut Table,
) -> Result<()> {
    let steps = Steps::new(missing.len());
    steps.begin(space.described(missing.first().map_or(&[], |first| &first.point)));
    for (number, ran) in ended {
        let Missing { point, identity } = &missing[number];
        table.add(SweepRow { point: point.clone(), ran: ran?, identity: identity.clone() })?;
        steps.end();
        steps.begin(space.described(point));
    }
    Ok(())
}

/// Columns as wide as their widest cell.
fn aligned(rows: &[Vec<String>]) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..rows.first().map_or(0, Vec::len)).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:>width$}"));
        cells.collect::<Vec<_>>().join("  ") + "\n"
    };
    rows.iter().map(line).collect()
}
