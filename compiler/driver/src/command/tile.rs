//! `comet tile`: tiles that make little traffic, chosen from the data that a program reads.

mod levels;

use super::{output, run};
use crate::arguments::TileArguments;
use crate::failure::{Failure, Result};
use crate::front;
use crate::middle::Checked;
use crate::session::Session;
use crate::tile::apply::{apply, apply_levels, left_out};
use crate::tile::auto;
use crate::tile::given::given;
use crate::tile::json::json;
use crate::tile::operands::Operands;
use crate::tile::order::Orders;
use crate::tile::orders::{OrderSearch, Searched, refuse_sizes};
use crate::tile::page::page;
use crate::tile::report::{Base, CHOSEN, ComparedSchemes};
use crate::tile::schemes::{Evaluation, SchemeRows};
use crate::tile::statement::{Tileable, Which, statements};
use comet_diag::{Diagnostic, Source};
use comet_runtime::options;
use comet_runtime::output::tell;
use comet_sema::program::Program;
use comet_tiling::{
    Counting, Machine, Observed, PaperModel, Sample, Small, Statement, Statistics, TiledOperands, Tiles,
};

/// What a buffer holds where nothing is said, in bytes.
const BUFFER: u64 = 128 << 10;

pub(crate) fn tile(arguments: &TileArguments, session: Session) -> Result<()> {
    let exports = arguments.exports.iter().map(|export| &export.to);
    output::check(arguments.json.iter().chain(&arguments.html).chain(exports))?;
    refuse_one_folder(arguments)?;
    let on_levels = arguments.machine.as_deref().map(levels::read).transpose()?;
    let options = arguments.runtime.options()?;
    let tns = options.tns;
    options::set(options)?;
    let session = run::with_arguments(&arguments.compile, session);
    let source = front::read_program(&arguments.source, arguments.schedule.as_deref())?;
    let program = front::check(&session, &source)?;
    let Some(main) = program.main() else { return Err(nothing("the program has no `main`")) };
    let orders = Orders::new(Checked { session: &session, source: &source, program: &program })?;
    let mut operands = Operands::new(main, &source, tns)?;
    let found = statements(&mut operands, &orders, (&main.body, Which::of(&main.body)))?;
    options::note_unused_inputs();
    if found.is_empty() {
        return Err(nothing("no statement of `main` computes something of a sparse tensor"));
    }
    if let Some(hierarchy) = &on_levels {
        let (session, source) = (&session, &source);
        return levels::OnMachine { arguments, session, source, hierarchy }.tile(found);
    }
    let machines: Vec<Machine> =
        found.iter().map(|own| machine(arguments.buffer, own, &source)).collect::<Result<_>>()?;
    if arguments.occupancy {
        refuse_sizes(&found, &source, "--occupancy")?;
    }
    let comparison = Comparison { source: &source, session: &session, arguments };
    let (found, searched) = comparison.in_best_orders(&program, found, &machines)?;
    let given = given(arguments.tiles.as_ref(), &found, &source)?;
    let found = found.into_iter().zip(searched).zip(given).zip(machines);
    let compared: Vec<ComparedSchemes> = found
        .map(|(((own, orders), given), machine)| ComparedSchemes {
            orders,
            ..comparison.of(own, given, machine)
        })
        .collect();
    report_all(&compared, arguments)
}

/// Both forms of tiles have a `tiles.json`.
fn refuse_one_folder(arguments: &TileArguments) -> Result<()> {
    match (&arguments.apply, &arguments.apply_levels) {
        (Some(one), Some(other)) if one == other => {
            let message = format!(
                "found `{}` for both `--apply` and `--apply-levels`, expected two folders",
                one.display()
            );
            Err(Failure::plain(message))
        }
        _ => Ok(()),
    }
}

/// Buffers of the size that is given, or else that of a `tile(auto, …)` in the statement's schedule. An
/// error where there is no room for a tile of an entry.
fn machine(buffer: Option<u64>, own: &Tileable, source: &Source) -> Result<Machine> {
    let buffer = buffer.or_else(|| own.commands.iter().find_map(auto::buffer)).unwrap_or(BUFFER);
    let machine = Machine::of_buffer(buffer);
    if machine.has_room(own.statement.rank()) {
        return Ok(machine);
    }
    let message = format!("a buffer of {buffer} bytes has no room for a tile of one entry");
    let error = Diagnostic::error(own.span, message).hint("give `--buffer` some hundred bytes at least");
    Err(Failure::in_source(vec![error], source))
}

/// What was found goes to standard error, the schedule to standard output, the rest to files.
fn report_all(compared: &[ComparedSchemes], arguments: &TileArguments) -> Result<()> {
    for own in compared {
        if let Some(orders) = &own.orders {
            tell(format_args!("{}", orders.text(&own.text)));
        }
        tell(format_args!("{}", own.text()));
    }
    let commands = compared
        .iter()
        .map(|own| command((&own.statement, &own.chosen().tiles), own.is_ordered.then_some(&own.statement)));
    let commands: Vec<String> = commands.collect();
    output::print(format!("{}\n", commands.join("\n")).as_bytes())?;
    if let Some(folder) = &arguments.apply {
        for path in apply(folder, compared)? {
            tell(format_args!("wrote `{}`", path.display()));
        }
    }
    if let Some(folder) = &arguments.apply_levels {
        tell(format_args!("wrote `{}`", apply_levels(folder, compared)?.display()));
    }
    if arguments.apply.is_some() || arguments.apply_levels.is_some() {
        left_out(compared).iter().for_each(|note| tell(format_args!("{note}")));
    }
    arguments.exports.iter().try_for_each(|export| export.write(compared))?;
    if let Some(to) = &arguments.html {
        output::write(to, page(&arguments.source.display().to_string(), compared).as_bytes())?;
    }
    if let Some(to) = &arguments.json {
        output::write_json(to, &json(compared))?;
    }
    Ok(())
}

/// Whether the order of a statement's loops comes from the command line.
fn is_ordered(arguments: &TileArguments, own: &Tileable) -> bool {
    let mut commands = own.commands.iter();
    let is_scheduled = arguments.schedule.is_some() && commands.any(|own| own.name.name == "order");
    is_scheduled || arguments.orders.is_some()
}

fn text_of(own: &Tileable, source: &Source) -> String {
    source.text()[own.span.start..own.span.end].split_whitespace().collect::<Vec<_>>().join(" ")
}

fn nothing(message: &str) -> Failure {
    let hint = "tiles are for assignments to tensors such as `C[i,j] = A[i,k] * B[k,j]` with sparse operands";
    Failure::hinted(message, hint)
}

struct Comparison<'a> {
    source: &'a Source,
    session: &'a Session,
    arguments: &'a TileArguments,
}

impl Comparison<'_> {
    /// The statements with their loops in the best orders, and what was looked at, if that is asked for.
    fn in_best_orders(
        &self,
        program: &Program,
        found: Vec<Tileable>,
        machines: &[Machine],
    ) -> Result<(Vec<Tileable>, Vec<Option<Searched>>)> {
        let Some(most) = self.arguments.orders else {
            let none = found.iter().map(|_| None).collect();
            return Ok((found, none));
        };
        refuse_sizes(&found, self.source, "--orders")?;
        let checked = Checked { session: self.session, program, source: self.source };
        let search = OrderSearch { checked, seed: self.arguments.seed, counting: self.counting(), most };
        let searched = found.into_iter().zip(machines).map(|(own, &machine)| {
            let (own, searched) = search.of(own, machine);
            (own, Some(searched))
        });
        Ok(searched.unzip())
    }

    fn counting(&self) -> Counting {
        if self.arguments.no_measure { Counting::LeftOut } else { Counting::Done }
    }

    fn of(&self, tileable: Tileable, given: Option<Tiles>, machine: Machine) -> ComparedSchemes {
        let text = text_of(&tileable, self.source);
        let is_ordered = is_ordered(self.arguments, &tileable);
        let Tileable { statement, span, entries, as_written, .. } = tileable;
        let cut = TiledOperands::small(&statement, &machine);
        let observed = Observed::new(&statement, machine, &cut, self.arguments.seed);
        let schemes = match self.arguments.occupancy {
            true => &self.arguments.schemes.with_occupancy(),
            false => &self.arguments.schemes,
        };
        let SchemeRows { evaluated, others, left_out } =
            self.evaluation(&observed, &text).rows(schemes, given);
        let chosen = evaluated.iter().find(|own| own.name == CHOSEN.name()).expect("all schemes have tiles");
        let explained = observed.explain(&chosen.tiles);
        let packed = self.arguments.packed.then(|| Small::Base.counted(&observed, &chosen.tiles));
        explained.iter().for_each(|report| self.session.explain_at(self.source, span, report));
        let corrs = self.arguments.html.as_ref().map(|_| self.corrs((&statement, machine), &cut));
        let base = Base::of(&cut, &machine);
        drop(observed);
        let corrs = corrs.unwrap_or_default();
        ComparedSchemes {
            statement,
            text,
            machine,
            evaluated,
            others,
            left_out,
            orders: None,
            base,
            packed,
            is_ordered,
            is_written_by_occupancy: self.arguments.occupancy,
            explained,
            corrs,
            entries,
            as_written,
        }
    }

    fn evaluation<'o, 's>(&self, observed: &'o Observed<'s>, text: &'o str) -> Evaluation<'o, 's> {
        let sample = Sample::of_tiles(self.arguments.seed);
        let model = || PaperModel::new(observed.statement(), *observed.machine(), sample);
        let counting = self.counting();
        let paper = self.arguments.paper_model.then(model);
        Evaluation { observed, counting, seed: self.arguments.seed, paper, text }
    }

    /// `Corrs` of the operands along what is reduced, with their names, for the page.
    fn corrs(
        &self,
        (statement, machine): (&Statement, Machine),
        cut: &TiledOperands,
    ) -> Vec<(String, Vec<f64>)> {
        let sample = Sample::of_tiles(self.arguments.seed);
        let statistics = Statistics::new(statement, machine, cut, sample);
        let mut found = Vec::new();
        for (number, access) in statement.accesses.iter().enumerate() {
            let Some(own) = statistics.of(number) else { continue };
            for (var, corrs) in access.indices.iter().zip(&own.corrs) {
                if statement.reduced().contains(var) {
                    let name = format!("{} along {}", statement.access_name(number), statement.name(*var));
                    found.push((name, corrs.clone()));
                }
            }
        }
        found
    }
}

/// Tiles as `--schedule` takes them, after the order of the loops of `ordered`, if there is one.
fn command((statement, tiles): (&Statement, &Tiles), ordered: Option<&Statement>) -> String {
    let order = ordered.map_or(String::new(), |own| format!("order({}); ", own.names().join(", ")));
    format!("{} {{ {order}tile({}); }}", statement.target.name, tiles.text(statement))
}
