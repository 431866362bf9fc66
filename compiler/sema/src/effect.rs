//! Expressions as statements: `print`, `printElapsedTime`, `comet_write`, calls of functions of the file.

use comet_diag::{Diagnostic, Span};
use comet_syntax::ast::{Expr, ExprKind, Ident};

use crate::builtin::{self, Builtin, Callee};
use crate::function::Checker;
use crate::names::NameKind;
use crate::program::{StmtKind, TensorId};

impl Checker<'_> {
    /// `None` where an error was reported.
    pub(crate) fn effect(&mut self, expr: &Expr) -> Option<StmtKind> {
        let ExprKind::Call { callee, args } = &expr.kind else {
            return self.without_effect(expr.span);
        };
        match builtin::resolve(callee, self.file.signatures) {
            Some(Callee::Function(index)) => self.call_statement(index, callee, args, None),
            Some(Callee::Builtin(Builtin::Print)) => self.print(callee, args),
            Some(Callee::Builtin(Builtin::PrintElapsed)) => self.print_elapsed(callee, args),
            Some(Callee::Builtin(Builtin::Write)) => self.write(callee, args),
            Some(Callee::Builtin(Builtin::Read | Builtin::Random)) => {
                let message = format!("`{}` fills a tensor, but none is given", callee.name);
                let hint = format!("write `A[…] = {}(…)`", callee.name);
                self.refuse(Diagnostic::error(expr.span, message).hint(hint))
            }
            Some(Callee::Builtin(Builtin::Sum | Builtin::Time)) => self.without_effect(expr.span),
            None => {
                self.unknown_function(callee);
                None
            }
        }
    }

    fn without_effect<T>(&mut self, span: Span) -> Option<T> {
        let message = "this expression has no effect as a statement";
        let hint = "print it, `print(…)`, or keep it, `var s = …`";
        self.refuse(Diagnostic::error(span, message).hint(hint))
    }

    fn print(&mut self, callee: &Ident, args: &[Expr]) -> Option<StmtKind> {
        self.count_arguments(callee, args, 1, "print(A)")?;
        let arg = args.first()?;
        match &arg.kind {
            ExprKind::Name(name) if self.scope.kind(name) == Some(NameKind::Tensor) => {
                let name = Ident { name: name.clone(), span: arg.span };
                self.scope.tensor(&name, &mut self.diagnostics).map(StmtKind::PrintTensor)
            }
            ExprKind::Access { indices, .. } if !indices.is_empty() && self.is_element(indices) => {
                self.scalar_expr(arg).map(StmtKind::PrintScalar)
            }
            ExprKind::Access { indices, .. } if !self.is_whole(indices) => self.no_part(arg.span),
            // As COMET's programs write it. Labels are only counted.
            ExprKind::Access { tensor, indices } => {
                let id = self.scope.tensor(tensor, &mut self.diagnostics)?;
                self.check_label_count(id, indices.len(), arg.span)?;
                Some(StmtKind::PrintTensor(id))
            }
            _ => self.scalar_expr(arg).map(StmtKind::PrintScalar),
        }
    }

    fn no_part<T>(&mut self, span: Span) -> Option<T> {
        let error = Diagnostic::not_supported(span, "printing or writing a part of a tensor");
        self.refuse(error.hint("assign it to a tensor of its size first, and print or write that"))
    }

    fn print_elapsed(&mut self, callee: &Ident, args: &[Expr]) -> Option<StmtKind> {
        self.count_arguments(callee, args, 2, "printElapsedTime(start, stop)")?;
        let [start, end] = args else { return None };
        let (start, end) = (self.scalar_expr(start), self.scalar_expr(end));
        Some(StmtKind::PrintElapsed(start?, end?))
    }

    /// Labels are only counted, and may be left out.
    fn write(&mut self, callee: &Ident, args: &[Expr]) -> Option<StmtKind> {
        self.count_arguments(callee, args, 2, "comet_write(A[i, j], \"a.mtx\")")?;
        let [written, path] = args else { return None };
        let tensor = self.written_tensor(written);
        let ExprKind::Str(path_text) = &path.kind else {
            let message = "`comet_write` takes the path as a string";
            let hint = "write it in double quotes: `\"a.mtx\"`";
            return self.refuse(Diagnostic::error(path.span, message).hint(hint));
        };
        let tensor = tensor?;
        self.check_file_kind(tensor, path_text, path.span)?;
        self.written.insert(path_text.clone(), tensor);
        Some(StmtKind::Write { tensor, path: path_text.clone() })
    }

    fn written_tensor(&mut self, expr: &Expr) -> Option<TensorId> {
        match &expr.kind {
            ExprKind::Name(name) => {
                let name = Ident { name: name.clone(), span: expr.span };
                self.scope.tensor(&name, &mut self.diagnostics)
            }
            ExprKind::Access { indices, .. } if !self.is_whole(indices) => self.no_part(expr.span),
            ExprKind::Access { tensor, indices } => {
                let tensor = self.scope.tensor(tensor, &mut self.diagnostics)?;
                self.check_label_count(tensor, indices.len(), expr.span)?;
                Some(tensor)
            }
            _ => {
                let message = "`comet_write` takes a tensor, found an expression";
                let hint = "assign it to a tensor first, and write that";
                self.refuse(Diagnostic::error(expr.span, message).hint(hint))
            }
        }
    }

    fn check_file_kind(&mut self, tensor: TensorId, path: &str, span: Span) -> Option<()> {
        let info = &self.scope.tensors[tensor.0];
        let plain = path.strip_suffix(".gz").unwrap_or(path);
        let problem = if plain.ends_with(".tns") {
            None
        } else if plain.ends_with(".mtx") {
            let rank = info.rank();
            (rank > 2).then(|| {
                (format!("`.mtx` holds rank 1 and 2, but `{}` has rank {rank}", info.name.name), ".tns")
            })
        } else if plain.ends_with(".npy") {
            info.is_sparse()
                .then(|| (format!("`.npy` holds dense tensors, but `{}` is sparse", info.name.name), ".tns"))
        } else {
            Some((format!("`{path}` has none of the endings `.mtx`, `.tns`, `.npy`"), ".mtx"))
        };
        let Some((message, ending)) = problem else { return Some(()) };
        let error = Diagnostic::error(span, message).also(info.span, "declared here");
        self.refuse(error.hint(format!("write to a path that ends in `{ending}`")))
    }
}
