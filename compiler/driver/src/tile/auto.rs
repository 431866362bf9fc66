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
use comet_sema::program::{Command, CommandArg, CommandArgKind, Function, Ident, Program, Stmt, StmtKind};
use comet_syntax::ast::{ByteUnit, Number, SettingValue};
use comet_tiling::{Machine, Observed, Scheme, Statement, TiledOperands, Tiles, conservative};

/// What samples are drawn by.
const SEED: u64 = 1;

/// The program with sizes in place of every `tile(auto, …)`, or without these commands where what is compiled
/// has no data yet.
pub(crate) fn settled_if_known(session: &Session, source: &Source, program: Program) -> Result<Program> {
    let has_data = program.main().is_some_and(files_are_known);
    let mut program = if has_data { settled(session, source, program, TnsForm::default())? } else { program };
    let left: Vec<Span> =
        program.functions.iter_mut().flat_map(|function| taken_out(&mut function.body)).collect();
    for span in left {
        let why = "is left out, since there is no data when this is compiled; the variables of the environment \
                   can name some, and `comet tile` tells sizes";
        note(source, span, why);
    }
    Ok(program)
}

fn note(source: &Source, span: Span, what: &str) {
    let (line, column) = source.line_column(span.start);
    tell(format_args!("note: {}:{line}:{column}: `tile(auto, …)` {what}", source.name()));
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

/// The program with sizes in place of every `tile(auto, …)` of `main`.
pub(crate) fn settled(session: &Session, source: &Source, program: Program, tns: TnsForm) -> Result<Program> {
    let Some(main) = program.main().filter(|main| has_automatic(&main.body)) else { return Ok(program) };
    let orders = Orders::new(session, &program, source)?;
    let mut operands = Operands::new(main, source, tns)?;
    let found = statements(&mut operands, &orders, (&main.body, Which::Scheduled))?;
    let mut settled = program;
    let main = settled.functions.iter_mut().find(|function| function.name == "main");
    main.into_iter().for_each(|main: &mut Function| settle(session, source, &mut main.body, &found));
    let left = settled.functions.iter_mut().filter(|function| function.name == "main");
    let left: Vec<Span> = left.flat_map(|main| taken_out(&mut main.body)).collect();
    for span in left {
        note(
            source,
            span,
            "is left out, since the statement has nothing sparse to tile, or the buffer no room",
        );
    }
    Ok(settled)
}

fn has_automatic(body: &[Stmt]) -> bool {
    body.iter().any(|statement| match &statement.kind {
        StmtKind::Assign(assign) => {
            let mut commands = assign.schedule.iter().flat_map(|schedule| &schedule.commands);
            commands.any(|command| buffer(command).is_some())
        }
        StmtKind::For { body, .. } | StmtKind::While { body, .. } => has_automatic(body),
        StmtKind::If { then_body, else_body, .. } => has_automatic(then_body) || has_automatic(else_body),
        _ => false,
    })
}

/// The buffer of a command that leaves sizes open, in bytes.
fn buffer(command: &Command) -> Option<u64> {
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

fn settle(session: &Session, source: &Source, body: &mut [Stmt], found: &[Tileable]) {
    for statement in body {
        match &mut statement.kind {
            StmtKind::Assign(assign) => {
                let span = assign.target.span.to(assign.value.span);
                let own = found.iter().find(|tileable| tileable.span == span);
                let (Some(own), Some(schedule)) = (own, &mut assign.schedule) else { continue };
                for command in &mut schedule.commands {
                    let room = buffer(command)
                        .filter(|&buffer| Machine::of_buffer(buffer).has_room(own.statement.rank()));
                    if let Some(buffer) = room {
                        command.args = sizes(session, source, &own.statement, buffer, command.span);
                    }
                }
                // One tile of everything is no tile.
                schedule.commands.retain(|command| command.name.name != "tile" || !command.args.is_empty());
            }
            StmtKind::For { body, .. } | StmtKind::While { body, .. } => settle(session, source, body, found),
            StmtKind::If { then_body, else_body, .. } => {
                settle(session, source, then_body, found);
                settle(session, source, else_body, found);
            }
            _ => {}
        }
    }
}

/// `i: 64, k: 32`, without the variables that one tile has all of.
fn sizes(
    session: &Session,
    source: &Source,
    statement: &Statement,
    buffer: u64,
    span: Span,
) -> Vec<CommandArg> {
    let machine = Machine::of_buffer(buffer);
    let cut = TiledOperands::new(statement, Tiles::base(statement, &machine));
    let observed = Observed::new(statement, machine, &cut, SEED);
    let tiles = Scheme::D2t2.choose(&observed);
    if session.explain {
        let (line, column) = source.line_column(span.start);
        let bytes = |tiles: &Tiles| observed.predict(tiles).total().round();
        tell(format_args!(
            "explain: {}:{line}:{column}: tile({}), since {} bytes are expected to move, and {} with conservative tiles",
            source.name(),
            tiles.text(statement),
            bytes(&tiles),
            bytes(&conservative(statement, &machine))
        ));
    }
    let is_cut = |(variable, size): &(&comet_tiling::Variable, &u64)| **size < variable.extent;
    let sized = |(variable, &size): (&comet_tiling::Variable, &u64)| {
        let label = Ident { name: variable.name.clone(), span };
        let number = Number { value: size as f64, integer: Some(size.cast_signed()) };
        CommandArg { kind: CommandArgKind::Sized(label, number), span }
    };
    statement.variables.iter().zip(&tiles.0).filter(is_cut).map(sized).collect()
}
