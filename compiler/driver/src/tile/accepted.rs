//! Whether a statement can be compiled with its loops in an order and in tiles, for processors and as a
//! dataflow graph: operands whose levels stand in another order are transposed where the compiler can do so,
//! and refused elsewhere.

use super::order::without_tiles;
use crate::failure::Result;
use crate::middle::{self, Checked, CompiledFunctions, Stage};
use crate::session::Session;
use comet_diag::Span;
use comet_sema::program::{
    Command, CommandArg, CommandArgKind, Ident, Program, Schedule, Stmt, WrittenExpr, WrittenExprKind,
    assignments_mut,
};
use comet_syntax::ast::Number;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CompiledFor {
    Run,
    Simulate,
}

/// The loops from the outermost in, and the sizes of tiles along them.
pub(crate) type Loops = (Vec<String>, Vec<(String, u64)>);

impl Checked<'_> {
    /// The ways that take a statement in these loops.
    pub(crate) fn ways(&self, statement: Span, loops: Loops) -> Vec<CompiledFor> {
        let program = self.scheduled(statement, loops);
        [CompiledFor::Run, CompiledFor::Simulate]
            .into_iter()
            .filter(|&way| self.compiled(&program, way).is_ok())
            .collect()
    }

    /// Why one of these ways does not take a statement in these loops, if one does not.
    pub(crate) fn refusal(&self, statement: Span, loops: Loops, ways: &[CompiledFor]) -> Option<String> {
        let program = self.scheduled(statement, loops);
        let failures = ways.iter().filter_map(|&way| self.compiled(&program, way).err());
        failures.map(|failure| failure.first_message()).next()
    }

    fn compiled(&self, program: &Program, way: CompiledFor) -> Result<()> {
        let Session { color, choices, automatic, .. } = *self.session;
        // What passes decide is reported when the program is compiled.
        let quiet = Session { color, choices, automatic, ..Session::default() };
        let context = middle::context();
        let checked = Checked { session: &quiet, program, ..*self };
        match way {
            CompiledFor::Run => middle::lower(&context, checked, Stage::Llvm).map(drop),
            CompiledFor::Simulate => {
                middle::lower_to_graphs(&context, checked, CompiledFunctions::Program).map(drop)
            }
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

/// Sets the schedule of the statement at the schedule's place.
fn replace(body: &mut [Stmt], schedule: &Schedule) {
    let assignments = assignments_mut(body).into_iter();
    for (assign, _) in assignments.filter(|(assign, _)| assign.formula_span() == schedule.span) {
        assign.schedule = Some(schedule.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::{CompiledFor, Loops};
    use crate::front;
    use crate::middle::Checked;
    use crate::session::Session;
    use comet_diag::{Source, Span};
    use comet_sema::program::StmtKind;

    const TEXT: &str = "def main() {
  IndexLabel [i, k, j] = [9];
  Tensor<double> A([i, k], DCSR);
  Tensor<double> B([k, j], DCSR);
  Tensor<double> C([i, j], DCSR);
  Tensor<double> x([k], Dense);
  Tensor<double> y([i], Dense);
  x[k] = 1.5;
  A[i, k] = random(0.4, 1);
  B[k, j] = random(0.4, 2);
  C[i, j] = A[i, k] * B[k, j] schedule { order(i, j, k); tile(auto, buffer = 1KiB); };
  print(C);
}
";

    fn loops(order: [&str; 3]) -> Loops {
        (order.map(str::to_owned).to_vec(), order.map(|name| (name.to_owned(), 4)).to_vec())
    }

    /// Evaluates something of the last statement with a text before it.
    fn on<T>(before: &str, evaluate: impl FnOnce(Checked<'_>, Span) -> T) -> T {
        let text = TEXT.replace("  C[i, j] =", &format!("{before}  C[i, j] ="));
        let (session, source) = (Session::default(), Source::new("a.ta", text));
        let program = front::check(&session, &source);
        let program = program.unwrap_or_else(|error| panic!("{}", error.first_message()));
        let body = &program.main().expect("there is a main").body;
        let mut spans = body.iter().filter_map(|statement| match &statement.kind {
            StmtKind::Assign(assign) => Some(assign.target.span.to(assign.value.span)),
            _ => None,
        });
        let statement = spans.next_back().expect("there is a statement");
        let checked = Checked { session: &session, program: &program, source: &source };
        evaluate(checked, statement)
    }

    /// Operands are transposed for any order.
    #[test]
    fn orders_are_taken() {
        on("", |checked, statement| {
            let ways = checked.ways(statement, loops(["i", "k", "j"]));
            assert_eq!(ways, [CompiledFor::Run, CompiledFor::Simulate]);
            for order in [["i", "j", "k"], ["k", "i", "j"], ["k", "j", "i"], ["j", "i", "k"], ["j", "k", "i"]]
            {
                assert_eq!(checked.refusal(statement, loops(order), &ways), None, "{order:?}");
            }
        });
    }

    /// What only one of both takes counts for that one, and what is refused is reported.
    #[test]
    fn refusals_are_reported() {
        let cut = "  y[i] = A[i, k] * x[k] schedule { split(k, ko, ki, 4); \
                   precompute(A[i, k] * x[k], {ko}, {kw}, W : Dense); };\n";
        on(cut, |checked, statement| {
            let ways = checked.ways(statement, loops(["i", "k", "j"]));
            assert_eq!(ways, [CompiledFor::Run]);
            assert_eq!(checked.refusal(statement, loops(["k", "j", "i"]), &ways), None);
            let refusal = checked.refusal(
                statement,
                loops(["k", "j", "i"]),
                &[CompiledFor::Run, CompiledFor::Simulate],
            );
            let expected = "not supported yet: a sum over a part of `k` in a dataflow graph";
            assert_eq!(refusal.as_deref(), Some(expected));
        });
    }
}
