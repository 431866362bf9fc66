//! Programs with clocks around their statements, for the process that measures.
//!
//! `C[i,j] = A[i,k] * B[k,j];` becomes
//!
//! ```ta
//! var tune_start0 = getTime();
//! C[i,j] = A[i,k] * B[k,j];
//! var tune_stop0 = getTime();
//! print(tune_stop0 - tune_start0);
//! comet_write(C[i,j], "tune_0.tns");
//! ```
//!
//! where the file is none, but the name that who takes the result knows the statement by; printed times come
//! with the number of the statement in front. What the program prints and writes itself is left out. Where
//! `any` chooses one of several values, results are not taken, since another schedule may choose another one.
//! The variables have names that nothing of the program begins with.

use super::statement::takes_schedule;
use comet_diag::{Diagnostic, Span};
use comet_syntax::ast::{Assign, BinaryOp, Expr, ExprKind, Ident, Module, Number, Stmt, StmtKind};

const SHOWING: [&str; 3] = ["print", "printElapsedTime", "comet_write"];
/// The functions of the language that clocks need.
const NEEDED: [&str; 3] = ["getTime", "print", "comet_write"];

/// Whether clocks can be put into a program.
///
/// # Errors
/// The file has a function that hides one that clocks need.
pub(crate) fn check_names(module: &Module) -> Result<(), Diagnostic> {
    let mut names = module.functions.iter().map(|function| &function.name);
    let Some(name) = names.find(|name| NEEDED.contains(&name.name.as_str())) else { return Ok(()) };
    let message = format!(
        "`comet tune` calls `{}` to measure the program, and this function hides the one of the language",
        name.name
    );
    Err(Diagnostic::error(name.span, message).hint("give the function another name"))
}

pub(super) fn put_clocks(module: &mut Module) {
    let own: Vec<String> = module.functions.iter().map(|function| function.name.name.clone()).collect();
    let takes_results = !chooses(module);
    let prefix = fresh_prefix(module);
    let mut number = 0;
    for function in &mut module.functions {
        let body = std::mem::take(&mut function.body);
        let mut clocks = Clocks { own: &own, takes_results, prefix: &prefix, number: &mut number };
        function.body = clocks.body(body);
    }
}

/// What no name of the program begins with.
pub(super) fn fresh_prefix(module: &Module) -> String {
    let text = comet_syntax::print_module(module);
    let numbered = (1..).map(|number| format!("tune{number}_"));
    let mut prefixes = std::iter::once("tune_".to_owned()).chain(numbered);
    prefixes.find(|prefix| !text.contains(prefix)).expect("there are more numbers than names")
}

/// Whether a reduction of the program may keep any of several values.
fn chooses(module: &Module) -> bool {
    module.functions.iter().any(|function| comet_sema::uses_any(&function.body))
}

/// The number of the statement whose result has that name.
pub(super) fn number_of(path: &str) -> Option<usize> {
    path.strip_prefix("tune_")?.strip_suffix(".tns")?.parse().ok()
}

struct Clocks<'a> {
    /// The file's own functions, which hide those of the language.
    own: &'a [String],
    takes_results: bool,
    /// Of the variables that hold times.
    prefix: &'a str,
    number: &'a mut usize,
}

impl Clocks<'_> {
    fn body(&mut self, body: Vec<Stmt>) -> Vec<Stmt> {
        body.into_iter().flat_map(|stmt| self.statement(stmt)).collect()
    }

    fn statement(&mut self, mut stmt: Stmt) -> Vec<Stmt> {
        match &mut stmt.kind {
            StmtKind::Assign(assign) if takes_schedule(assign) => {
                let [before, mut after] = self.around(stmt.span);
                *self.number += 1;
                if self.takes_results {
                    after.push(taken(assign, *self.number - 1, stmt.span));
                }
                return before.into_iter().chain([stmt]).chain(after).collect();
            }
            StmtKind::For { body, .. } | StmtKind::While { body, .. } => {
                *body = self.body(std::mem::take(body));
            }
            StmtKind::If { branches, else_body } => {
                for body in branches.iter_mut().map(|branch| &mut branch.body).chain(else_body) {
                    *body = self.body(std::mem::take(body));
                }
            }
            StmtKind::Expr(expr) if self.shows(expr) => return Vec::new(),
            _ => {}
        }
        vec![stmt]
    }

    fn shows(&self, expr: &Expr) -> bool {
        let ExprKind::Call { callee, .. } = &expr.kind else { return false };
        SHOWING.contains(&callee.name.as_str()) && !self.own.contains(&callee.name)
    }

    /// What stands in front of a statement and behind it, at its place in the source.
    fn around(&self, span: Span) -> [Vec<Stmt>; 2] {
        let number = *self.number;
        let names = ["start", "stop"].map(|word| format!("{}{word}{number}", self.prefix));
        let name = |name: &str| Ident { name: name.to_owned(), span };
        let expr = |kind| Expr { kind, span };
        let call = |callee, args| expr(ExprKind::Call { callee: name(callee), args });
        let clock =
            |of: &str| Stmt { kind: StmtKind::Var { name: name(of), value: call("getTime", vec![]) }, span };
        let show = |shown| Stmt { kind: StmtKind::Expr(call("print", vec![shown])), span };
        let value = |of: &str| Box::new(expr(ExprKind::Name(of.to_owned())));
        let count = Number { value: number as f64, integer: i64::try_from(number).ok() };
        let [left, right] = [value(&names[1]), value(&names[0])];
        let elapsed = ExprKind::Binary { op: BinaryOp::Sub, op_span: span, left, right };
        [
            vec![clock(&names[0])],
            vec![clock(&names[1]), show(expr(ExprKind::Number(count))), show(expr(elapsed))],
        ]
    }
}

/// Hands the result of a statement on.
fn taken(assign: &Assign, number: usize, span: Span) -> Stmt {
    let expr = |kind| Expr { kind, span };
    let result = ExprKind::Access { tensor: assign.tensor.clone(), indices: assign.indices.clone() };
    let args = vec![expr(result), expr(ExprKind::Str(format!("tune_{number}.tns")))];
    let callee = Ident { name: "comet_write".to_owned(), span };
    Stmt { kind: StmtKind::Expr(expr(ExprKind::Call { callee, args })), span }
}

#[cfg(test)]
mod tests {
    use super::*;
    use comet_diag::Source;

    /// Statements in blocks are timed where they stand; what the program shows is gone.
    #[test]
    fn statements_are_timed() {
        let text = "def main() { x[i] = 1.0; for n in range(2): y[i] = 2 * x[i]; print(y); end }";
        let mut module = comet_syntax::parse(&Source::new("a.ta", text)).expect("the program has the form");
        put_clocks(&mut module);
        let printed = comet_syntax::print_module(&module);
        let expected = "\
def main() {
  x[i] = 1.0;
  for n in range(2):
    var tune_start0 = getTime();
    y[i] = 2 * x[i];
    var tune_stop0 = getTime();
    print(0);
    print(tune_stop0 - tune_start0);
    comet_write(y[i], \"tune_0.tns\");
  end;
}
";
        assert_eq!(printed, expected);
        assert_eq!(number_of("tune_12.tns"), Some(12));
    }

    /// Variables have names that the program does not have; a function that hides a clock is refused.
    #[test]
    fn names_are_the_programs() {
        let text = "def main() { tune_start0 = 1; x[i] = 1.0; y[i] = 2 * x[i]; }";
        let mut module = comet_syntax::parse(&Source::new("a.ta", text)).expect("the program has the form");
        assert!(check_names(&module).is_ok());
        put_clocks(&mut module);
        let printed = comet_syntax::print_module(&module);
        assert!(printed.contains("var tune1_start0 = getTime();"), "{printed}");
        let own = comet_syntax::parse(&Source::new("a.ta", "def getTime() { } def main() { }"));
        let error = check_names(&own.expect("the program has the form")).expect_err("a clock is hidden");
        assert!(error.message.contains("`getTime`"), "{}", error.message);
    }
}
