//! What fills a whole tensor: fills, files, random numbers. Labels are only counted here.

use comet_diag::{Diagnostic, Span};
use comet_syntax::ast::{self, Expr, ExprKind, Ident};

use crate::function::Checker;
use crate::literal::literal;
use crate::program::{Number, ReadSource, SizeSource, StmtKind, TensorId, Triangle};

impl Checker<'_> {
    /// The tensor that is written whole, which may be a part of another one.
    pub(crate) fn whole_target(&mut self, assign: &ast::Assign) -> Option<TensorId> {
        if !self.is_whole(&assign.indices) {
            return self.target(assign).map(|part| part.tensor);
        }
        let tensor = self.scope.tensor(&assign.tensor, &mut self.diagnostics)?;
        self.check_label_count(tensor, assign.indices.len(), assign.target_span)?;
        Some(tensor)
    }

    /// `A[..] = 1.0`.
    pub(crate) fn fill(&mut self, assign: &ast::Assign) -> Option<StmtKind> {
        let tensor = self.whole_target(assign)?;
        let value = literal(&assign.value)?;
        self.check_fill(assign, tensor)?;
        self.check_fits(tensor, value, assign.value.span)?;
        Some(StmtKind::Fill { tensor, value })
    }

    /// A number is for all elements.
    pub(crate) fn check_fill(&mut self, assign: &ast::Assign, tensor: TensorId) -> Option<()> {
        let info = &self.scope.tensors[tensor.0];
        if !info.is_sparse() {
            return Some(());
        }
        let name = &assign.tensor.name;
        let message = format!("`{name}` is sparse, but a number fills dense tensors only");
        let error = Diagnostic::error(assign.value.span, message);
        if self.is_whole(&assign.indices) {
            let error = error.also(info.span, "declared here");
            return self.refuse(error.hint("read a file, or use `random(density, seed)`"));
        }
        let part = self.file.source.text().get(info.span.start..info.span.end).unwrap_or("…");
        let hint = match literal(&assign.value).map(Number::as_f64) {
            Some(0.0) => format!("write `{part} *= 0`, which keeps the entries, or assign an array of zeros"),
            _ => format!("scale its entries, `{part} *= 2`, or assign an array"),
        };
        let declared = self.scope.tensor(&assign.tensor, &mut self.diagnostics)?;
        let declared = self.scope.tensors[declared.0].span;
        self.refuse(error.also(declared, "declared here").hint(hint))
    }

    pub(crate) fn read(&mut self, assign: &ast::Assign, callee: &Ident, args: &[Expr]) -> Option<StmtKind> {
        let is_whole = self.unscheduled(assign, &format!("`{}`", callee.name));
        let target = self.whole_target(assign);
        let source = self.read_source(callee, args);
        let triangle = self.triangle(args.get(1), target);
        let (target, source, triangle) = (target?, source?, triangle?);
        is_whole?;
        let tensor = self.content_target(assign, target);
        self.size_from_file(tensor, &source, assign.value.span)?;
        self.join_content(assign, target, tensor, StmtKind::Read { tensor, source, triangle })
    }

    fn read_source(&mut self, callee: &Ident, args: &[Expr]) -> Option<ReadSource> {
        let usage = "write `comet_read(0)`, `comet_read(0, 2)`, `comet_read(\"a.mtx\")` or `comet_read()`";
        if args.len() > 2 {
            let message = format!("`{}` takes at most 2 arguments, found {}", callee.name, args.len());
            return self.refuse(Diagnostic::error(callee.span, message).hint(usage));
        }
        let Some(file) = args.first() else { return Some(ReadSource::Default) };
        match &file.kind {
            ExprKind::Name(_) => return Some(ReadSource::Default),
            ExprKind::Str(path) => return Some(ReadSource::Path(path.clone())),
            ExprKind::Number(number) => {
                if let Some(digits) = self.digits(*number, file.span) {
                    return Some(ReadSource::Numbered(digits));
                }
            }
            _ => {}
        }
        let message = format!("`{}` takes the number of a file, a path or nothing", callee.name);
        self.refuse(Diagnostic::error(file.span, message).hint(usage))
    }

    /// The digits as written, which the span holds with any parentheses: `SPARSE_FILE_NAME007` is another
    /// variable than `SPARSE_FILE_NAME7`.
    fn digits(&self, number: ast::Number, span: Span) -> Option<String> {
        let written = self.file.source.text().get(span.start..span.end);
        let bare = written.map(|text| text.trim_matches(['(', ')', ' ']));
        let digits = bare.filter(|text| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()));
        digits.map(str::to_owned).or_else(|| number.integer.map(|value| value.to_string()))
    }

    fn triangle(&mut self, mode: Option<&Expr>, tensor: Option<TensorId>) -> Option<Triangle> {
        let Some(mode) = mode else { return Some(Triangle::All) };
        let triangle = match literal(mode) {
            Some(Number::Int(number)) => Triangle::from_repr(number),
            _ => None,
        };
        let Some(triangle) = triangle else {
            let message = "the mode of a read is a number from 1 to 5";
            let hint = "1 is all, 2 strictly lower, 3 lower, 4 strictly upper, 5 upper triangle";
            return self.refuse(Diagnostic::error(mode.span, message).hint(hint));
        };
        let info = &self.scope.tensors[tensor?.0];
        if triangle != Triangle::All && info.rank() != 2 {
            let message = format!("a triangle needs 2 modes, but `{}` has {}", info.name.name, info.rank());
            let error = Diagnostic::error(mode.span, message).also(info.span, "declared here");
            return self.refuse(error.hint("leave the mode out, or read into a matrix"));
        }
        Some(triangle)
    }

    /// A file fixes the extents, unless the program has written it itself: then its tensor does.
    fn size_from_file(&mut self, tensor: TensorId, source: &ReadSource, span: Span) -> Option<()> {
        let modes = self.scope.tensors[tensor.0].modes.clone();
        let ReadSource::Path(path) = source else {
            self.add_read_sources(tensor, source, span);
            return Some(());
        };
        let Some(&written) = self.written.get(path) else {
            self.add_read_sources(tensor, source, span);
            return Some(());
        };
        let from = &self.scope.tensors[written.0];
        if from.rank() != modes.len() {
            let name = &self.scope.tensors[tensor.0].name.name;
            let message = format!(
                "`{name}` has rank {}, but the file was written from rank {}",
                modes.len(),
                from.rank()
            );
            let error =
                Diagnostic::error(span, message).also(from.span, "the tensor written is declared here");
            return self.refuse(error.hint("read it into a tensor of the same rank"));
        }
        for (mode, from) in modes.into_iter().zip(from.modes.clone()) {
            self.sizes.unify(from, mode, span, &mut self.diagnostics);
        }
        Some(())
    }

    fn add_read_sources(&mut self, tensor: TensorId, source: &ReadSource, span: Span) {
        let modes = self.scope.tensors[tensor.0].modes.clone();
        for (mode, node) in modes.into_iter().enumerate() {
            self.sizes.add_source(node, SizeSource::Read { source: source.clone(), tensor, mode, span });
        }
    }

    pub(crate) fn random(&mut self, assign: &ast::Assign, callee: &Ident, args: &[Expr]) -> Option<StmtKind> {
        let is_whole = self.unscheduled(assign, "`random`");
        let target = self.whole_target(assign);
        let (density, seed) = match args {
            [] => (Some(1.0), Some(0)),
            [density, seed] => (self.density(density), self.seed(seed)),
            _ => {
                let message = format!("`random` takes 0 or 2 arguments, found {}", args.len());
                let hint = "write `random()` or `random(0.1, 42)`, a density and a seed";
                return self.refuse(Diagnostic::error(callee.span, message).hint(hint));
            }
        };
        is_whole?;
        let (target, density, seed) = (target?, density?, seed?);
        let tensor = self.content_target(assign, target);
        self.join_content(assign, target, tensor, StmtKind::Random { tensor, density, seed })
    }

    fn density(&mut self, expr: &Expr) -> Option<f64> {
        let density = literal(expr).map(Number::as_f64).filter(|density| (0.0..=1.0).contains(density));
        if density.is_none() {
            let message = "a density is a number from 0 to 1, the share of positions that are stored";
            self.diagnostics.push(Diagnostic::error(expr.span, message).hint("write for example `0.1`"));
        }
        density
    }

    fn seed(&mut self, expr: &Expr) -> Option<u64> {
        let seed = match literal(expr) {
            Some(Number::Int(seed)) => u64::try_from(seed).ok(),
            _ => None,
        };
        if seed.is_none() {
            let message = "a seed is a whole number of at least 0";
            self.diagnostics.push(Diagnostic::error(expr.span, message).hint("write for example `42`"));
        }
        seed
    }
}
