//! `tile(auto, buffer = 128KiB)` in schedules: becomes `tile(i: 64, k: 32)`, with the sizes that the data
//! asks for, before anything is compiled.

use super::operands::{Operands, files_are_known};
use super::order::Orders;
use super::processors::{Choice, ProcessorTiles};
use super::statement::{Tileable, Which, statements};
use crate::failure::Result;
use crate::middle::Checked;
use crate::session::Session;
use comet_diag::{Source, Span};
use comet_runtime::options::TnsForm;
use comet_runtime::output::tell;
use comet_sema::program::{
    Assign, Command, CommandArg, CommandArgKind, Ident, Program, Stmt, assignments, assignments_mut,
};
use comet_syntax::ast::{ByteUnit, Number, SettingValue};
use comet_tiling::{Machine, Observed, Scheme, Statement, TiledOperands, Tiles, Variable, conservative};

pub(super) const SEED: u64 = 1;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Machines {
    /// Processors, whose caches keep what was used last without tiles as well.
    Processors,
    Accelerators,
}

pub(crate) struct Settling<'a> {
    pub(crate) session: &'a Session,
    pub(crate) source: &'a Source,
    pub(crate) machines: Machines,
}

impl Settling<'_> {
    fn checked<'p>(&'p self, program: &'p Program) -> Checked<'p> {
        Checked { session: self.session, source: self.source, program }
    }

    /// The program with sizes in place of every `tile(auto, …)`, or without these commands where what is
    /// compiled has no data yet.
    pub(crate) fn program_if_known(&self, program: Program) -> Result<Program> {
        let has_data = program.main().is_some_and(files_are_known);
        let mut program = if has_data { self.program(program, TnsForm::default())? } else { program };
        let left: Vec<Span> =
            program.functions.iter_mut().flat_map(|function| taken_out(&mut function.body)).collect();
        for span in left {
            let why = "is left out, since there is no data when this is compiled; the variables of the environment \
                       can name some, and `comet tile` reports sizes";
            note(self.source, span, why);
        }
        Ok(program)
    }

    /// The program with sizes in place of every `tile(auto, …)` of `main`.
    pub(crate) fn program(&self, program: Program, tns: TnsForm) -> Result<Program> {
        let Some(main) = program.main().filter(|main| assignments(&main.body).any(is_automatic)) else {
            return Ok(program);
        };
        if self.machines == Machines::Processors {
            return self.on_processors(program, tns);
        }
        let orders = Orders::new(self.checked(&program))?;
        let mut operands = Operands::new(main, self.source, tns)?;
        let found = statements(&mut operands, &orders, (&main.body, Which::Automatic))?;
        let mut settled = program;
        let main = settled.functions.iter_mut().find(|function| function.name == "main");
        let mut left = Vec::new();
        if let Some(main) = main {
            self.settle(&mut main.body, &found);
            left = taken_out(&mut main.body);
        }
        for span in left {
            let why = "is left out, since the statement has nothing sparse to tile, or the buffer no room";
            note(self.source, span, why);
        }
        Ok(settled)
    }

    /// The same on processors, where little is looked at.
    fn on_processors(&self, program: Program, tns: TnsForm) -> Result<Program> {
        let mut settled = program.clone();
        let (Some(main), Some(own)) =
            (program.main(), settled.functions.iter_mut().find(|function| function.name == "main"))
        else {
            return Ok(program);
        };
        let chooser = ProcessorTiles::new(main, self.source, tns);
        let orders = || Orders::new(self.checked(&program));
        self.choose_tiles(&mut own.body, &chooser, &orders)?;
        Ok(settled)
    }

    fn choose_tiles(
        &self,
        body: &mut [Stmt],
        chooser: &ProcessorTiles<'_>,
        orders: &dyn Fn() -> Result<Orders>,
    ) -> Result<()> {
        let assignments = assignments_mut(body).into_iter();
        for (assign, span) in assignments.filter(|(assign, _)| is_automatic(assign)) {
            // The order is that of the operand's levels, unless a schedule says it.
            let known = if assign.commands().len() > 1 { Some(orders()?) } else { None };
            let order = known.as_ref().and_then(|orders| orders.of(span, self.source));
            let whole = assign.clone();
            let Some(schedule) = &mut assign.schedule else { continue };
            for command in &mut schedule.commands {
                let Some(buffer) = buffer(command) else { continue };
                let choice = chooser.choose(&whole, order, buffer)?;
                command.args = self.chosen(choice, command.span);
            }
            schedule.commands.retain(|own| own.name.name != "tile" || !own.args.is_empty());
        }
        Ok(())
    }

    /// The arguments of a command; none where it is left out.
    fn chosen(&self, choice: Choice, span: Span) -> Vec<CommandArg> {
        match choice {
            Choice::LeftOut(why) => {
                note(self.source, span, &format!("is left out: {why}"));
                Vec::new()
            }
            Choice::Tiles { variables, tiles, expected, conservative } => {
                let text = tiles.named(variables.iter().map(|own| &own.name[..]));
                self.explain(&text, [expected, conservative], span);
                sized(&variables, &tiles, span)
            }
        }
    }

    fn settle(&self, body: &mut [Stmt], found: &[Tileable]) {
        for (assign, _) in assignments_mut(body) {
            let span = assign.formula_span();
            let own = found.iter().find(|tileable| tileable.span == span);
            if let (Some(own), Some(schedule)) = (own, &mut assign.schedule) {
                self.settle_commands(&mut schedule.commands, &own.statement);
            }
        }
    }

    fn settle_commands(&self, commands: &mut Vec<Command>, statement: &Statement) {
        for command in &mut *commands {
            let room =
                buffer(command).filter(|&buffer| Machine::of_buffer(buffer).has_room(statement.rank()));
            if let Some(buffer) = room {
                command.args = self.sizes(statement, buffer, command.span);
            }
        }
        // One tile of everything is no tile.
        commands.retain(|command| command.name.name != "tile" || !command.args.is_empty());
    }

    /// `i: 64, k: 32`, for accelerators.
    fn sizes(&self, statement: &Statement, buffer: u64, span: Span) -> Vec<CommandArg> {
        let machine = Machine::of_buffer(buffer);
        let cut = TiledOperands::small(statement, &machine);
        let observed = Observed::new(statement, machine, &cut, SEED);
        let tiles = Scheme::D2t2.choose(&observed);
        let bytes = |tiles: &Tiles| observed.predict(tiles).total();
        let expected = [bytes(&tiles), bytes(&conservative(statement, &machine))];
        self.explain(&tiles.text(statement), expected, span);
        sized(&statement.variables, &tiles, span)
    }

    /// Which tiles were chosen, what they are expected to move, and what conservative ones are.
    fn explain(&self, tiles: &str, [expected, conservative]: [f64; 2], span: Span) {
        let why = format!(
            "tile({tiles}), since {expected:.0} bytes are expected to move, and {conservative:.0} with \
             conservative tiles"
        );
        self.session.explain_at(self.source, span, why);
    }
}

/// `i: 64, k: 32`, without the variables that one tile has all of.
fn sized(variables: &[Variable], tiles: &Tiles, span: Span) -> Vec<CommandArg> {
    let is_cut = |(variable, size): &(&Variable, &u64)| **size < variable.extent;
    let sized = |(variable, &size): (&Variable, &u64)| {
        let label = Ident { name: variable.name.clone(), span };
        let number = Number { value: size as f64, integer: Some(size.cast_signed()) };
        CommandArg { kind: CommandArgKind::Sized(label, number), span }
    };
    variables.iter().zip(&tiles.0).filter(is_cut).map(sized).collect()
}

fn note(source: &Source, span: Span, what: &str) {
    let (name, line, column) = source.place(span.start);
    tell(format_args!("note: {name}:{line}:{column}: `tile(auto, …)` {what}"));
}

/// Removes the commands that leave sizes open, and returns their places.
fn taken_out(body: &mut [Stmt]) -> Vec<Span> {
    let mut taken = Vec::new();
    for schedule in assignments_mut(body).into_iter().filter_map(|(assign, _)| assign.schedule.as_mut()) {
        let is_open = |command: &&Command| buffer(command).is_some();
        taken.extend(schedule.commands.iter().filter(is_open).map(|command| command.span));
        schedule.commands.retain(|command| buffer(command).is_none());
    }
    taken
}

/// Whether a statement's schedule leaves sizes open.
pub(crate) fn is_automatic(assign: &Assign) -> bool {
    assign.commands().iter().any(|command| buffer(command).is_some())
}

/// The buffer of a command that leaves sizes open, in bytes.
pub(crate) fn buffer(command: &Command) -> Option<u64> {
    let [
        CommandArg { kind: CommandArgKind::Expr(_), .. },
        CommandArg { kind: CommandArgKind::Setting(_, value), .. },
    ] = &command.args[..]
    else {
        return None;
    };
    match value {
        SettingValue::Number(number, unit) if command.name.name == "tile" => {
            let number = number.integer.and_then(|number| u64::try_from(number).ok())?;
            number.checked_mul(unit.map_or(1, ByteUnit::bytes))
        }
        _ => None,
    }
}
