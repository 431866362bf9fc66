//! `tile(auto, buffer = 128KiB)` in schedules: becomes `tile(i: 64, k: 32)`, with the sizes that the data
//! asks for, before anything is compiled.

use super::operands::{Operands, files_are_known};
use super::order::Orders;
use super::statement::{Tileable, Which, statements};
use crate::failure::Result;
use crate::session::Session;
use comet_diag::{Source, Span};
use comet_runtime::options::TnsForm;
use comet_runtime::output::tell;
use comet_sema::program::{Assign, Command, CommandArg, CommandArgKind, Ident, Program, Stmt, StmtKind};
use comet_syntax::ast::{ByteUnit, Number, SettingValue};
use comet_tiling::{Machine, Observed, Scheme, Statement, TiledOperands, Tiles, conservative};

/// What samples are drawn by.
const SEED: u64 = 1;

/// What the program is compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Machines {
    /// Processors, whose caches keep what was used last without tiles as well.
    Processors,
    /// Accelerators with buffers that tiles are brought to.
    Accelerators,
}

/// How many times less tiles must be expected to move than a cache without them, for loops over tiles to be
/// faster on processors: they go through compressed operands once for each tile. Of products of sparse and
/// dense matrices, uniform, scale-free and of finite elements, those beyond became up to 1.9 times faster;
/// one with 15 times took 1.8 times as long, and those below 4 up to twelve times as long.
const WORTH: f64 = 20.0;

/// How commands get their sizes.
pub(crate) struct Settling<'a> {
    pub(crate) session: &'a Session,
    pub(crate) source: &'a Source,
    pub(crate) machines: Machines,
}

impl Settling<'_> {
    /// The program with sizes in place of every `tile(auto, …)`, or without these commands where what is
    /// compiled has no data yet.
    pub(crate) fn program_if_known(&self, program: Program) -> Result<Program> {
        let has_data = program.main().is_some_and(files_are_known);
        let mut program = if has_data { self.program(program, TnsForm::default())? } else { program };
        let left: Vec<Span> =
            program.functions.iter_mut().flat_map(|function| taken_out(&mut function.body)).collect();
        for span in left {
            let why = "is left out, since there is no data when this is compiled; the variables of the environment \
                       can name some, and `comet tile` tells sizes";
            note(self.source, span, why);
        }
        Ok(program)
    }

    /// The program with sizes in place of every `tile(auto, …)` of `main`.
    pub(crate) fn program(&self, program: Program, tns: TnsForm) -> Result<Program> {
        let Some(main) = program.main().filter(|main| has_automatic(&main.body)) else { return Ok(program) };
        let orders = Orders::new(self.session, &program, self.source)?;
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

    fn settle(&self, body: &mut [Stmt], found: &[Tileable]) {
        for statement in body {
            match &mut statement.kind {
                StmtKind::Assign(assign) => {
                    let span = assign.target.span.to(assign.value.span);
                    let own = found.iter().find(|tileable| tileable.span == span);
                    let (Some(own), Some(schedule)) = (own, &mut assign.schedule) else { continue };
                    self.settle_commands(&mut schedule.commands, &own.statement);
                }
                StmtKind::For { body, .. } | StmtKind::While { body, .. } => self.settle(body, found),
                StmtKind::If { then_body, else_body, .. } => {
                    self.settle(then_body, found);
                    self.settle(else_body, found);
                }
                _ => {}
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

    /// `i: 64, k: 32`, without the variables that one tile has all of; nothing where tiles do not pay.
    fn sizes(&self, statement: &Statement, buffer: u64, span: Span) -> Vec<CommandArg> {
        let machine = Machine::of_buffer(buffer);
        let cut = TiledOperands::small(statement, &machine);
        let observed = Observed::new(statement, machine, &cut, SEED);
        let tiles = Scheme::D2t2.choose(&observed);
        if self.machines == Machines::Processors && !self.pays(&observed, &tiles, (buffer, span)) {
            return Vec::new();
        }
        self.explain(&observed, &tiles, span);
        let is_cut = |(variable, size): &(&comet_tiling::Variable, &u64)| **size < variable.extent;
        let sized = |(variable, &size): (&comet_tiling::Variable, &u64)| {
            let label = Ident { name: variable.name.clone(), span };
            let number = Number { value: size as f64, integer: Some(size.cast_signed()) };
            CommandArg { kind: CommandArgKind::Sized(label, number), span }
        };
        statement.variables.iter().zip(&tiles.0).filter(is_cut).map(sized).collect()
    }

    fn explain(&self, observed: &Observed<'_>, tiles: &Tiles, span: Span) {
        if !self.session.explain {
            return;
        }
        let statement = observed.statement();
        let (line, column) = self.source.line_column(span.start);
        let bytes = |tiles: &Tiles| observed.predict(tiles).total().round();
        tell(format_args!(
            "explain: {}:{line}:{column}: tile({}), since {} bytes are expected to move, and {} with conservative tiles",
            self.source.name(),
            tiles.text(statement),
            bytes(tiles),
            bytes(&conservative(statement, observed.machine()))
        ));
    }

    /// Whether loops over tiles are expected to be faster than a cache without them; tells if they are not.
    fn pays(&self, observed: &Observed<'_>, tiles: &Tiles, (buffer, span): (u64, Span)) -> bool {
        let (expected, untiled) = (observed.predict(tiles).total(), observed.untiled(buffer));
        let pays = untiled >= WORTH * expected;
        if !pays {
            let why = format!(
                "is left out: {expected:.0} bytes are expected to move in tiles, and {untiled:.0} through a cache of {buffer} bytes \
                 without; on processors tiles pay where that is {WORTH} times as much"
            );
            note(self.source, span, &why);
        }
        pays
    }
}

fn note(source: &Source, span: Span, what: &str) {
    let (name, line, column) = source.place(span.start);
    tell(format_args!("note: {name}:{line}:{column}: `tile(auto, …)` {what}"));
}

/// Takes the commands that leave sizes open out, and tells where they stood.
fn taken_out(body: &mut [Stmt]) -> Vec<Span> {
    let mut taken = Vec::new();
    for statement in body {
        match &mut statement.kind {
            StmtKind::Assign(assign) => {
                let commands = assign.schedule.iter_mut().map(|schedule| &mut schedule.commands);
                for commands in commands {
                    taken.extend(
                        commands.iter().filter(|command| buffer(command).is_some()).map(|of| of.span),
                    );
                    commands.retain(|command| buffer(command).is_none());
                }
            }
            StmtKind::For { body, .. } | StmtKind::While { body, .. } => taken.extend(taken_out(body)),
            StmtKind::If { then_body, else_body, .. } => {
                taken.extend(taken_out(then_body));
                taken.extend(taken_out(else_body));
            }
            _ => {}
        }
    }
    taken
}

fn has_automatic(body: &[Stmt]) -> bool {
    body.iter().any(|statement| match &statement.kind {
        StmtKind::Assign(assign) => is_automatic(assign),
        StmtKind::For { body, .. } | StmtKind::While { body, .. } => has_automatic(body),
        StmtKind::If { then_body, else_body, .. } => has_automatic(then_body) || has_automatic(else_body),
        _ => false,
    })
}

/// Whether a statement's schedule leaves sizes open.
pub(crate) fn is_automatic(assign: &Assign) -> bool {
    let mut commands = assign.schedule.iter().flat_map(|schedule| &schedule.commands);
    commands.any(|command| buffer(command).is_some())
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
