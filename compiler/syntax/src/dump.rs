//! The tree as indented lines, for `--emit=ast`: one node on a line, with the bytes it comes from.

use comet_diag::Span;

use crate::ast::{
    Assign, CommandArg, CommandArgKind, Expr, ExprKind, Function, Ident, Module, Param, Schedule, Stmt,
    StmtKind,
};
use crate::print::expr::ExprPrinter;
use crate::print::pieces::{
    access, assign_target, binary_op, joined, names, number, properties, range, setting, tensor, workspace,
};

/// One line for each node; `@3..8` are its bytes.
pub fn dump(module: &Module) -> String {
    let mut dump = Dump { out: String::new(), depth: 0 };
    for function in &module.functions {
        dump.function(function);
    }
    dump.out
}

/// Numbers in indices are not those of the text.
const CANONICAL: ExprPrinter<'_> = ExprPrinter { text: "" };

struct Dump {
    out: String,
    depth: usize,
}

impl Dump {
    fn line(&mut self, text: &str, span: Span) {
        self.heading(&format!("{text} @{}..{}", span.start, span.end));
    }

    /// A line for a part that is no node of its own.
    fn heading(&mut self, text: &str) {
        self.out.extend(std::iter::repeat_n("  ", self.depth));
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn inside(&mut self, body: impl FnOnce(&mut Self)) {
        self.depth += 1;
        body(self);
        self.depth -= 1;
    }

    fn function(&mut self, function: &Function) {
        self.line(&format!("def {}", function.name.name), function.span);
        self.inside(|dump| {
            for param in &function.params {
                dump.param("param", param);
            }
            if let Some(result) = &function.result {
                dump.param("result", result);
            }
            if let Some(stated) = &function.properties {
                dump.line(&properties(stated), stated.span);
            }
            dump.stmts(&function.body);
        });
    }

    fn param(&mut self, role: &str, param: &Param) {
        match param {
            Param::Tensor(decl) => self.line(&format!("{role} {}", tensor(decl)), decl.span),
            Param::Scalar { element: kind, name, span } => {
                self.line(&format!("{role} {} {}", kind.word(), name.name), *span);
            }
        }
    }

    fn stmts(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        self.line(&first_line(&stmt.kind), stmt.span);
        self.inside(|dump| dump.parts(&stmt.kind));
    }

    fn parts(&mut self, kind: &StmtKind) {
        match kind {
            StmtKind::Label { .. }
            | StmtKind::Tensor(_)
            | StmtKind::Return(None)
            | StmtKind::Break
            | StmtKind::Continue => {}
            StmtKind::Var { value, .. } | StmtKind::SetScalar { value, .. } => self.expr(value),
            StmtKind::Return(Some(value)) | StmtKind::Expr(value) => self.expr(value),
            StmtKind::Assign(assign) => self.assign(assign),
            StmtKind::For { bounds, body, .. } => self.with_body(bounds, body),
            StmtKind::While { condition, body } => self.with_body(std::slice::from_ref(condition), body),
            StmtKind::If { branches, else_body } => {
                for (place, branch) in branches.iter().enumerate() {
                    let condition = std::slice::from_ref(&branch.condition);
                    if place == 0 {
                        self.with_body(condition, &branch.body);
                    } else {
                        self.heading("elif");
                        self.inside(|dump| dump.with_body(condition, &branch.body));
                    }
                }
                if let Some(else_body) = else_body {
                    self.heading("else");
                    self.inside(|dump| dump.stmts(else_body));
                }
            }
        }
    }

    fn with_body(&mut self, exprs: &[Expr], body: &[Stmt]) {
        self.exprs(exprs);
        self.heading("body");
        self.inside(|dump| dump.stmts(body));
    }

    fn assign(&mut self, assign: &Assign) {
        self.expr(&assign.value);
        if let Some(schedule) = &assign.schedule {
            self.schedule(schedule);
        }
    }

    fn schedule(&mut self, schedule: &Schedule) {
        self.line("schedule", schedule.span);
        self.inside(|dump| {
            for command in &schedule.commands {
                dump.line(&command.name.name, command.span);
                dump.inside(|dump| command.args.iter().for_each(|arg| dump.command_arg(arg)));
            }
        });
    }

    fn command_arg(&mut self, arg: &CommandArg) {
        let text = match &arg.kind {
            CommandArgKind::Expr(expr) => return self.expr(expr),
            CommandArgKind::Labels(labels) => format!("labels {{{}}}", names(labels)),
            CommandArgKind::Sized(name, size) => format!("sized {}: {}", name.name, number(size)),
            CommandArgKind::Formatted(name, memory, spec) => {
                format!("formatted {}", workspace(name, *memory, spec))
            }
            CommandArgKind::Setting(name, value) => format!("setting {} = {}", name.name, setting(value)),
        };
        self.line(&text, arg.span);
    }

    fn exprs(&mut self, exprs: &[Expr]) {
        for expr in exprs {
            self.expr(expr);
        }
    }

    fn expr(&mut self, expr: &Expr) {
        self.line(&expr_line(&expr.kind), expr.span);
        self.inside(|dump| match &expr.kind {
            ExprKind::Call { args, .. } => dump.exprs(args),
            ExprKind::Array(items) => dump.exprs(items),
            ExprKind::Neg(operand) => dump.expr(operand),
            ExprKind::Binary { left, right, .. } => {
                dump.expr(left);
                dump.expr(right);
            }
            _ => {}
        });
    }
}

fn first_line(kind: &StmtKind) -> String {
    match kind {
        StmtKind::Label { names, range: None } => format!("label {}", label_names(names)),
        StmtKind::Label { names, range: Some(bounds) } => {
            format!("label {} = {}", label_names(names), range(bounds))
        }
        StmtKind::Tensor(decl) => tensor(decl),
        StmtKind::Var { name, .. } => format!("var {}", name.name),
        StmtKind::SetScalar { name, op: None, .. } => format!("set {}", name.name),
        StmtKind::SetScalar { name, op: Some(op), .. } => {
            format!("update {} {}=", name.name, binary_op(*op))
        }
        StmtKind::Assign(assign) => format!("assign {}", assign_target(CANONICAL, assign)),
        StmtKind::For { var, .. } => format!("for {}", var.name),
        StmtKind::While { .. } => "while".to_owned(),
        StmtKind::If { .. } => "if".to_owned(),
        StmtKind::Return(_) => "return".to_owned(),
        StmtKind::Break => "break".to_owned(),
        StmtKind::Continue => "continue".to_owned(),
        StmtKind::Expr(_) => "expr".to_owned(),
    }
}

fn label_names(names: &[Ident]) -> String {
    joined(names, " ", |name| name.name.clone())
}

fn expr_line(kind: &ExprKind) -> String {
    match kind {
        ExprKind::Number(value) => format!("number {}", number(value)),
        ExprKind::Str(text) => format!("string {text:?}"),
        ExprKind::Name(name) => format!("name {name}"),
        ExprKind::Access { tensor, indices } => format!("access {}", access(CANONICAL, tensor, indices)),
        ExprKind::Call { callee, .. } => format!("call {}", callee.name),
        ExprKind::Neg(_) => "neg".to_owned(),
        ExprKind::Binary { op, .. } => format!("binary {}", binary_op(*op)),
        ExprKind::Transpose { tensor, indices, permuted } => {
            format!("transpose {} {{{}}}", access(CANONICAL, tensor, indices), names(permuted))
        }
        ExprKind::Array(_) => "array".to_owned(),
        ExprKind::Error => "error".to_owned(),
    }
}
