//! Whether a statement can be compiled with its loops in an order and in tiles, for processors and as a
//! dataflow graph: operands whose levels stand in another order are transposed where the compiler can do so,
//! and refused elsewhere.

use super::order::without_tiles;
use crate::failure::Result;
use crate::middle::{self, Stage};
use crate::session::Session;
use comet_diag::{Source, Span};
use comet_sema::program::{
    Command, CommandArg, CommandArgKind, Ident, Program, Schedule, Stmt, StmtKind, WrittenExpr,
    WrittenExprKind,
};
use comet_syntax::ast::Number;

/// What a program is compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    Run,
    Simulate,
}

/// The loops from the outermost in, and the sizes of tiles along them.
pub(crate) type Loops = (Vec<String>, Vec<(String, u64)>);

/// A program whose statements get schedules on trial.
pub(crate) struct Acceptance<'a> {
    pub(crate) session: &'a Session,
    pub(crate) program: &'a Program,
    pub(crate) source: &'a Source,
}

impl Acceptance<'_> {
    /// The ways that take a statement in these loops.
    pub(crate) fn ways(&self, statement: Span, loops: Loops) -> Vec<Way> {
        let program = self.scheduled(statement, loops);
        [Way::Run, Way::Simulate].into_iter().filter(|&way| self.compiled(&program, way).is_ok()).collect()
    }

    /// Why one of these ways does not take a statement in these loops, if one does not.
    pub(crate) fn refusal(&self, statement: Span, loops: Loops, ways: &[Way]) -> Option<String> {
        let program = self.scheduled(statement, loops);
        let failures = ways.iter().filter_map(|&way| self.compiled(&program, way).err());
        failures.map(|failure| failure.first_message()).next()
    }

    fn compiled(&self, program: &Program, way: Way) -> Result<()> {
        let Session { color, choices, automatic, .. } = *self.session;
        // What passes decide is told when the program is compiled.
        let quiet = Session { color, choices, automatic, ..Session::default() };
        let context = middle::context();
        match way {
            Way::Run => middle::lower(&quiet, &context, program, self.source, Stage::Llvm).map(drop),
            Way::Simulate => middle::lower_to_graphs(&quiet, &context, program, self.source).map(drop),
        }
    }

    /// The program without tiles but those of the statement, which has no other commands.
    fn scheduled(&self, statement: Span, (order, sizes): Loops) -> Program {
        let mut program = self.program.clone();
        program.functions.iter_mut().for_each(|function| without_tiles(&mut function.body));
        let argument = |kind| CommandArg { kind, span: statement };
        let order = order.into_iter().map(|name| {
            let kind = WrittenExprKind::Name(name);
            argument(CommandArgKind::Expr(WrittenExpr { kind, span: statement }))
        });
        let tile = sizes.into_iter().map(|(name, size)| {
            let number = Number { value: size as f64, integer: Some(size.cast_signed()) };
            argument(CommandArgKind::Sized(Ident { name, span: statement }, number))
        });
        let command = |name: &str, args: Vec<CommandArg>| Command {
            name: Ident { name: name.to_owned(), span: statement },
            args,
            span: statement,
        };
        let commands = vec![command("order", order.collect()), command("tile", tile.collect())];
        let schedule = Schedule { commands, span: statement };
        program.functions.iter_mut().for_each(|function| replace(&mut function.body, &schedule));
        program
    }
}

/// Gives a schedule to the statement that stands in its place.
fn replace(body: &mut [Stmt], schedule: &Schedule) {
    for statement in body {
        match &mut statement.kind {
            StmtKind::Assign(assign) if assign.target.span.to(assign.value.span) == schedule.span => {
                assign.schedule = Some(schedule.clone());
            }
            StmtKind::For { body, .. } | StmtKind::While { body, .. } => replace(body, schedule),
            StmtKind::If { then_body, else_body, .. } => {
                replace(then_body, schedule);
                replace(else_body, schedule);
            }
            _ => {}
        }
    }
}
