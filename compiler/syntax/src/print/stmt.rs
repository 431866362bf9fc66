//! Statements and schedules, one on each line.

use super::pieces::{assign_target, binary_op, joined, names, number, range, setting, tensor, workspace};
use super::{Gap, Printer};
use crate::ast::{
    Assign, Branch, Command, CommandArg, CommandArgKind, Expr, Ident, Schedule, Stmt, StmtKind,
};
use crate::token::Token;

impl Printer<'_> {
    /// The statements of a block whose closing word begins at `close`, and the comments behind them.
    pub(super) fn block(&mut self, stmts: &[Stmt], close: usize) {
        self.enter();
        for stmt in stmts {
            self.stmt(stmt);
        }
        self.leave(close);
    }

    fn enter(&mut self) {
        self.indent += 1;
        self.gap = Gap::Never;
    }

    fn leave(&mut self, close: usize) {
        self.comments_before(close);
        self.indent -= 1;
        self.gap = Gap::AsWritten;
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::For { var, bounds, body } => self.for_loop(stmt, var, bounds, body),
            StmtKind::While { condition, body } => self.while_loop(stmt, condition, body),
            StmtKind::If { branches, else_body } => self.branches(stmt, branches, else_body.as_deref()),
            StmtKind::Assign(Assign { schedule: Some(schedule), .. }) => self.scheduled(stmt, schedule),
            _ => {
                self.begin(stmt.span.start, stmt.span.end);
                self.line(&format!("{};", self.simple(stmt)), stmt.span.end);
            }
        }
    }

    /// A statement that holds no others, without its semicolon.
    fn simple(&self, stmt: &Stmt) -> String {
        match &stmt.kind {
            StmtKind::Label { names, range } => label(names, range.as_ref()),
            StmtKind::Tensor(decl) => tensor(decl),
            StmtKind::Var { name, value } => format!("var {} = {}", name.name, self.exprs.whole(value)),
            StmtKind::SetScalar { name, op, value } => {
                let op = op.map(binary_op).unwrap_or_default();
                format!("{} {op}= {}", name.name, self.exprs.whole(value))
            }
            StmtKind::Assign(assign) => {
                format!("{} {}", assign_target(self.exprs, assign), self.exprs.whole(&assign.value))
            }
            StmtKind::Return(None) => "return".to_owned(),
            StmtKind::Return(Some(value)) => format!("return {}", self.exprs.whole(value)),
            StmtKind::Break => "break".to_owned(),
            StmtKind::Continue => "continue".to_owned(),
            StmtKind::Expr(expr) => self.exprs.statement(expr),
            StmtKind::For { .. } | StmtKind::While { .. } | StmtKind::If { .. } => {
                unreachable!("`stmt` prints what holds statements")
            }
        }
    }

    fn for_loop(&mut self, stmt: &Stmt, var: &Ident, bounds: &[Expr], body: &[Stmt]) {
        let header = format!("for {} in range({}):", var.name, self.exprs.list(bounds));
        self.header(stmt, &header, bounds.last());
        self.block(body, end_word(stmt));
        self.line("end;", stmt.span.end);
    }

    fn while_loop(&mut self, stmt: &Stmt, condition: &Expr, body: &[Stmt]) {
        self.header(stmt, &format!("while {}:", self.exprs.whole(condition)), Some(condition));
        self.block(body, end_word(stmt));
        self.line("end;", stmt.span.end);
    }

    fn branches(&mut self, stmt: &Stmt, branches: &[Branch], else_body: Option<&[Stmt]>) {
        let mut next = "if";
        for (place, Branch { condition, body }) in branches.iter().enumerate() {
            let text = format!("{next} {}:", self.exprs.whole(condition));
            match place {
                0 => self.header(stmt, &text, Some(condition)),
                _ => self.line(&text, self.trivia.find(Token::Colon, condition.span.end).end),
            }
            let body_end = body.last().map_or(condition.span.end, |last| last.span.end);
            next = "elif";
            match branches.get(place + 1) {
                Some(following) => {
                    let colon = self.trivia.find(Token::Colon, following.condition.span.end).end;
                    self.block(body, colon);
                }
                None => self.last_branch(stmt, (body, body_end), else_body),
            }
        }
        self.line("end;", stmt.span.end);
    }

    /// The statements of the last branch with a condition, and those of `else`.
    fn last_branch(&mut self, stmt: &Stmt, (body, body_end): (&[Stmt], usize), else_body: Option<&[Stmt]>) {
        let Some(else_body) = else_body else { return self.block(body, end_word(stmt)) };
        let else_word = self.trivia.find(Token::Else, body_end);
        let colon = self.trivia.find(Token::Colon, else_word.end).end;
        self.block(body, colon);
        self.line("else:", colon);
        self.block(else_body, end_word(stmt));
    }

    /// The first line of a compound statement; `last` is the expression in front of its colon.
    fn header(&mut self, stmt: &Stmt, text: &str, last: Option<&Expr>) {
        let from = last.map_or(stmt.span.start, |last| last.span.end);
        let colon = self.trivia.find(Token::Colon, from).end;
        self.begin(stmt.span.start, colon);
        self.line(text, colon);
    }

    fn scheduled(&mut self, stmt: &Stmt, schedule: &Schedule) {
        let open = self.trivia.find(Token::LeftBrace, schedule.span.start).end;
        let close = schedule.span.end.saturating_sub(1);
        self.begin(stmt.span.start, open);
        if schedule.commands.is_empty() && !self.trivia.has_comment_before(close) {
            return self.line(&format!("{} schedule {{}};", self.simple(stmt)), stmt.span.end);
        }
        self.line(&format!("{} schedule {{", self.simple(stmt)), open);
        self.enter();
        for command in &schedule.commands {
            self.command(command);
        }
        self.leave(close);
        self.line("};", stmt.span.end);
    }

    fn command(&mut self, command: &Command) {
        self.begin(command.span.start, command.span.end);
        let args = joined(&command.args, ", ", |arg| self.command_arg(arg));
        self.line(&format!("{}({args});", command.name.name), command.span.end);
    }

    fn command_arg(&self, arg: &CommandArg) -> String {
        match &arg.kind {
            CommandArgKind::Expr(expr) => self.exprs.whole(expr),
            CommandArgKind::Labels(labels) => format!("{{{}}}", names(labels)),
            CommandArgKind::Sized(name, size) => format!("{}: {}", name.name, number(size)),
            CommandArgKind::Formatted(name, memory, spec) => workspace(name, *memory, spec),
            CommandArgKind::Setting(name, value) => format!("{} = {}", name.name, setting(value)),
        }
    }
}

fn end_word(stmt: &Stmt) -> usize {
    stmt.span.end.saturating_sub("end".len())
}

fn label(names: &[Ident], bounds: Option<&crate::ast::Range>) -> String {
    let bounds = bounds.map(|bounds| format!(" = {}", range(bounds))).unwrap_or_default();
    format!("IndexLabel [{}]{bounds}", joined(names, ", ", |name| name.name.clone()))
}
