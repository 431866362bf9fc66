//! Expressions as statements: `print`, `printElapsedTime`, `comet_write`, calls of functions of the file.

use comet_abi::STANDARD_OUTPUT;
use comet_diag::{Diagnostic, Span};
use comet_syntax::ast::{Element, Expr, ExprKind, Ident};

use crate::builtin::{self, Builtin, Callee};
use crate::function::Checker;
use crate::names::NameKind;
use crate::program::{PrintItem, StmtKind, TensorId};
use crate::scope::TensorInfo;

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
            Some(Callee::Builtin(Builtin::Reduction(_) | Builtin::Time | Builtin::Elementwise(_))) => {
                self.without_effect(expr.span)
            }
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

    /// One argument that is no text prints arrays, as COMET does; others are printed in a line.
    fn print(&mut self, callee: &Ident, args: &[Expr]) -> Option<StmtKind> {
        match args {
            [] => {
                let error = Diagnostic::error(callee.span, "`print` takes at least 1 argument, found 0");
                self.refuse(error.hint("write `print(A)` or `print(\"text\")`"))
            }
            [arg] if !matches!(arg.kind, ExprKind::Str(_)) => match self.printed_tensor(arg) {
                Some(tensor) => tensor.map(StmtKind::PrintTensor),
                None => self.scalar_expr(arg).map(StmtKind::PrintScalar),
            },
            items => self.print_line(items),
        }
    }

    /// The tensor that an argument names, or an error for it; nothing where it is no tensor. As in COMET's
    /// programs it may have labels, which are only counted.
    fn printed_tensor(&mut self, arg: &Expr) -> Option<Option<TensorId>> {
        match &arg.kind {
            ExprKind::Name(name) if self.scope.kind(name) == Some(NameKind::Tensor) => {
                let name = Ident { name: name.clone(), span: arg.span };
                Some(self.scope.tensor(&name, &mut self.diagnostics))
            }
            ExprKind::Access { indices, .. } if !indices.is_empty() && self.is_element(indices) => None,
            ExprKind::Access { indices, .. } if !self.is_whole(indices) => Some(self.no_part(arg.span)),
            ExprKind::Access { tensor, indices } => {
                let tensor = self.scope.tensor(tensor, &mut self.diagnostics);
                let is_whole =
                    tensor.and_then(|tensor| self.check_label_count(tensor, indices.len(), arg.span));
                Some(tensor.filter(|_| is_whole.is_some()))
            }
            _ => None,
        }
    }

    fn no_part<T>(&mut self, span: Span) -> Option<T> {
        let error = Diagnostic::not_supported(span, "printing or writing a part of a tensor");
        self.refuse(error.hint("assign it to a tensor of its size first, and print or write that"))
    }

    fn print_line(&mut self, args: &[Expr]) -> Option<StmtKind> {
        let items: Vec<Option<PrintItem>> = args.iter().map(|arg| self.print_item(arg)).collect();
        items.into_iter().collect::<Option<Vec<PrintItem>>>().map(StmtKind::PrintLine)
    }

    fn print_item(&mut self, arg: &Expr) -> Option<PrintItem> {
        if let ExprKind::Str(text) = &arg.kind {
            return Some(PrintItem::Text(text.clone()));
        }
        let Some(tensor) = self.printed_tensor(arg) else {
            return self.scalar_expr(arg).map(PrintItem::Scalar);
        };
        let info = &self.scope.tensors[tensor?.0];
        if info.rank() > 0 {
            return tensor.map(PrintItem::Tensor);
        }
        let kind = ExprKind::Access { tensor: info.name.clone(), indices: Vec::new() };
        self.scalar_expr(&Expr { kind, span: arg.span }).map(PrintItem::Scalar)
    }

    fn print_elapsed(&mut self, callee: &Ident, args: &[Expr]) -> Option<StmtKind> {
        self.count_arguments(callee, args, 2, "printElapsedTime(start, stop)")?;
        let [start, end] = args else { return None };
        let (start, end) = (self.scalar_expr(start), self.scalar_expr(end));
        let (start, end) = (start?, end?);
        for time in [&start, &end] {
            self.check_real((Element::F64, None), time.element, time.span)?;
        }
        Some(StmtKind::PrintElapsed(start, end))
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
        let (name, rank) = (&info.name.name, info.rank());
        let plain = match path {
            // As the run time writes it.
            STANDARD_OUTPUT if matches!(rank, 1 | 2) => ".mtx",
            STANDARD_OUTPUT => ".tns",
            path => path.strip_suffix(".gz").unwrap_or(path),
        };
        let message = if plain.ends_with(".tns") {
            info.element
                .is_complex()
                .then(|| format!("`.tns` has one number for each entry, but `{name}` is complex"))
        } else if plain.ends_with(".mtx") {
            (rank > 2).then(|| format!("`.mtx` holds rank 1 and 2, but `{name}` has rank {rank}"))
        } else if plain.ends_with(".npy") {
            info.is_sparse().then(|| format!("`.npy` holds dense tensors, but `{name}` is sparse"))
        } else if path.to_lowercase().ends_with(".npz") {
            (rank != 2).then(|| format!("`.npz` holds matrices, but `{name}` has rank {rank}"))
        } else {
            let message = format!("`{path}` has none of the endings `.mtx`, `.tns`, `.npy`, `.npz`");
            return self.refuse(Diagnostic::error(span, message).hint("write to a path that ends in `.mtx`"));
        };
        let Some(message) = message else { return Some(()) };
        let error = Diagnostic::error(span, message).also(info.span, "declared here").hint(file_hint(info));
        self.refuse(error)
    }
}

/// How a tensor can be written, whatever it is.
fn file_hint(info: &TensorInfo) -> String {
    let endings = match (info.element.is_complex(), info.rank()) {
        (false, _) => "`.tns`",
        (true, 2) => "`.mtx` or `.npz`",
        (true, 1) => "`.mtx`",
        (true, _) if info.is_sparse() => {
            return "copy it to a dense tensor, and write that to a path that ends in `.npy`".to_owned();
        }
        (true, _) => "`.npy`",
    };
    format!("write to a path that ends in {endings}")
}
