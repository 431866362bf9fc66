//! `comet tile`: tiles that make little traffic, chosen from the data that a program reads.

use super::{output, run};
use crate::arguments::TileArguments;
use crate::failure::{Failure, Result};
use crate::front;
use crate::progress::Steps;
use crate::session::Session;
use crate::tile::apply::apply;
use crate::tile::operands::Operands;
use crate::tile::order::Orders;
use crate::tile::page::page;
use crate::tile::report::{CHOSEN, Compared, PackedOutcome};
use crate::tile::statement::{Tileable, Which, statements};
use comet_diag::{Diagnostic, Source, Span};
use comet_runtime::options;
use comet_runtime::output::tell;
use comet_tiling::{
    Machine, Observed, Outcome, Packed, Sample, Scheme, Statement, Statistics, TiledOperands, Tiles, compare,
    expect, measure,
};
use serde_json::Value;

pub(crate) fn tile(arguments: &TileArguments, session: Session) -> Result<()> {
    output::check(arguments.json.iter().chain(&arguments.html))?;
    let options = arguments.runtime.options()?;
    let tns = options.tns;
    options::set(options)?;
    let session = run::telling(&arguments.compile, session);
    let source = front::read_program(&arguments.source, arguments.schedule.as_deref())?;
    let program = front::check(&session, &source)?;
    let Some(main) = program.main() else { return Err(nothing("the program has no `main`")) };
    let orders = Orders::new(&session, &program, &source)?;
    let mut operands = Operands::new(main, &source, tns)?;
    let found = statements(&mut operands, &orders, (&main.body, Which::of(&main.body)))?;
    options::note_unused_inputs();
    if found.is_empty() {
        return Err(nothing("no statement of `main` computes something of a sparse tensor"));
    }
    let machine = machine(arguments.buffer, &found, &source)?;
    let comparison = Comparison { source: &source, session: &session, machine, arguments };
    let compared: Vec<Compared> = found.into_iter().map(|own| comparison.of(own)).collect();
    tell_of(&compared, arguments)
}

/// A buffer that has room for a tile of an entry of every statement.
fn machine(buffer: u64, found: &[Tileable], source: &Source) -> Result<Machine> {
    let machine = Machine::of_buffer(buffer);
    match found.iter().find(|own| !machine.has_room(own.statement.rank())) {
        None => Ok(machine),
        Some(own) => {
            let message = format!("a buffer of {buffer} bytes has no room for a tile of one entry");
            let error =
                Diagnostic::error(own.span, message).hint("give `--buffer` some hundred bytes at least");
            Err(Failure::in_source(vec![error], source))
        }
    }
}

/// What was found goes to standard error, the schedule to standard output, the rest to files.
fn tell_of(compared: &[Compared], arguments: &TileArguments) -> Result<()> {
    for own in compared {
        tell(format_args!("{}", own.text()));
    }
    let is_ordered = arguments.schedule.as_ref().is_some_and(|schedule| schedule.contains("order"));
    let commands: Vec<String> = compared.iter().filter_map(|own| command(own, is_ordered)).collect();
    output::print(format!("{}\n", commands.join("\n")).as_bytes())?;
    if let Some(folder) = &arguments.apply {
        for path in apply(folder, compared)? {
            tell(format_args!("wrote `{}`", path.display()));
        }
    }
    if let Some(path) = &arguments.html {
        output::write(path, page(&arguments.source.display().to_string(), compared).as_bytes())?;
    }
    if let Some(path) = &arguments.json {
        output::write(path, format!("{:#}\n", json(compared, arguments.buffer)).as_bytes())?;
    }
    Ok(())
}

fn nothing(message: &str) -> Failure {
    let hint = "tiles are for assignments to tensors such as `C[i,j] = A[i,k] * B[k,j]` with sparse operands";
    Failure::user(Diagnostic::error_without_place(message).hint(hint))
}

/// What all statements are compared with.
struct Comparison<'a> {
    source: &'a Source,
    session: &'a Session,
    machine: Machine,
    arguments: &'a TileArguments,
}

impl Comparison<'_> {
    fn of(&self, tileable: Tileable) -> Compared {
        let Tileable { statement, span, entries, .. } = tileable;
        let text = self.source.text()[span.start..span.end].split_whitespace().collect::<Vec<_>>().join(" ");
        let cut = TiledOperands::small(&statement, &self.machine);
        let observed = Observed::new(&statement, self.machine, &cut, self.arguments.seed);
        let outcomes = outcomes(&observed, &text, self.arguments.no_measure);
        let chosen = outcomes.iter().find(|outcome| outcome.scheme == CHOSEN).expect("all schemes have one");
        let explained = observed.explain(&chosen.tiles);
        let packed = self.arguments.packed.then(|| self.packed(&statement, &cut.tiles, &chosen.tiles));
        self.explain(span, &explained);
        let corrs = self.arguments.html.as_ref().map(|_| self.corrs(&statement, &cut)).unwrap_or_default();
        drop(observed);
        Compared { statement, text, outcomes, packed, explained, corrs, entries }
    }

    /// The small tiles that statistics were made of, brought together to about the chosen ones.
    fn packed(&self, statement: &Statement, small: &Tiles, chosen: &Tiles) -> PackedOutcome {
        let packed = Packed::new(statement, small, chosen, &self.machine);
        let measured = measure(&packed.statement, &packed.tiles, &self.machine);
        PackedOutcome { small: small.clone(), tiles: packed.sizes(), measured }
    }

    /// `Corrs` of the operands along what is reduced, with their names, for the page.
    fn corrs(&self, statement: &Statement, cut: &TiledOperands) -> Vec<(String, Vec<f64>)> {
        let sample = Sample::of_tiles(self.arguments.seed);
        let statistics = Statistics::new(statement, self.machine, cut, sample);
        let mut found = Vec::new();
        for (number, access) in statement.accesses.iter().enumerate() {
            let Some(own) = statistics.of(number) else { continue };
            for (var, corrs) in access.indices.iter().zip(&own.corrs) {
                if !statement.target.indices.contains(var) {
                    let name = format!("{} along {}", statement.access_name(number), statement.name(*var));
                    found.push((name, corrs.clone()));
                }
            }
        }
        found
    }

    fn explain(&self, span: Span, explained: &[String]) {
        if self.session.explain {
            let (line, column) = self.source.line_column(span.start);
            let name = self.source.name();
            explained.iter().for_each(|told| tell(format_args!("explain: {name}:{line}:{column}: {told}")));
        }
    }
}

fn outcomes(observed: &Observed<'_>, text: &str, is_expected_only: bool) -> Vec<Outcome> {
    let schemes = Scheme::ALL.into_iter().filter(|scheme| !is_expected_only || *scheme != Scheme::Exhaustive);
    let schemes: Vec<Scheme> = schemes.collect();
    let steps = Steps::new(schemes.len());
    let outcome = |scheme: Scheme| {
        steps.begin(format!("`{text}`: {}", scheme.name()));
        let outcome = if is_expected_only { expect(observed, scheme) } else { compare(observed, scheme) };
        steps.end();
        outcome
    };
    schemes.into_iter().map(outcome).collect()
}

/// The chosen tiles as `--schedule` takes them, with the order of the loops if that was given so.
fn command(compared: &Compared, is_ordered: bool) -> Option<String> {
    let names = compared.statement.variables.iter().map(|variable| &variable.name[..]);
    let order = match is_ordered {
        true => format!("order({}); ", names.collect::<Vec<_>>().join(", ")),
        false => String::new(),
    };
    Some(format!("{} {{ {order}{}; }}", compared.statement.target.name, compared.command()?))
}

/// Of one statement what CLI.md says, of several the first one with all under `statements`.
fn json(compared: &[Compared], buffer: u64) -> Value {
    let all: Vec<Value> = compared.iter().map(|own| own.json(buffer)).collect();
    let mut told = all.first().cloned().unwrap_or(Value::Null);
    if all.len() > 1 {
        told["statements"] = Value::Array(all);
    }
    told
}
