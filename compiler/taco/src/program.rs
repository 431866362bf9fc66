//! The tree of the program: declarations, files, the assignment, and what becomes of the result.

use std::collections::HashMap;

use comet_diag::Span;
use comet_syntax::ast::{
    Assign, AssignOp, BinaryOp, Dim, DimKind, Element, Expr, ExprKind, Function, Ident, Index, Module,
    Number, Range, RangeKind, Schedule, Stmt, StmtKind, TensorDecl,
};

use crate::expression::{ExpressionNames, ExpressionTensor};
use crate::format::TensorFormat;
use crate::notation::Assignment;
use crate::sizes::{self, IndexSizes};

/// A file of a tensor.
pub(crate) struct File {
    pub(crate) tensor: String,
    pub(crate) path: String,
    pub(crate) span: Span,
}

/// Everything that is known of a program.
pub(crate) struct TranslatedParts<'a> {
    pub(crate) assignment: &'a Assignment,
    pub(crate) names: ExpressionNames<'a>,
    pub(crate) sizes: IndexSizes,
    pub(crate) formats: HashMap<String, TensorFormat>,
    pub(crate) elements: HashMap<String, Element>,
    pub(crate) inputs: Vec<File>,
    pub(crate) outputs: Vec<File>,
    pub(crate) schedule: Option<Schedule>,
}

impl TranslatedParts<'_> {
    pub(crate) fn module(&self) -> Module {
        let span = self.assignment.target.to(self.assignment.value.span);
        let name = Ident { name: "main".to_owned(), span };
        let mut body = self.labels();
        body.extend(self.names.tensors.iter().map(|tensor| self.declaration(tensor)));
        body.extend(self.inputs.iter().map(|file| self.read(file)));
        body.push(self.statement(span));
        body.extend(self.results(span));
        let main = Function { name, params: Vec::new(), result: None, properties: None, body, span };
        Module { functions: vec![main] }
    }

    /// Those that files or tensors state their sizes first, then those with a number.
    fn labels(&self) -> Vec<Stmt> {
        let is_open = |label: &&Ident| !self.sizes.indices.contains_key(&label.name);
        let open: Vec<Ident> = self.names.indices.iter().filter(is_open).cloned().collect();
        let span = open.iter().map(|label| label.span).reduce(Span::to);
        let open = span.map(|span| label(open, RangeKind::Open, span, span));
        let sized = self.names.indices.iter().filter_map(|name| {
            let extent = self.sizes.indices.get(&name.name)?;
            Some(label(vec![name.clone()], RangeKind::Size(extent.number), extent.span, name.span))
        });
        open.into_iter().chain(sized).collect()
    }

    fn declaration(&self, tensor: &ExpressionTensor<'_>) -> Stmt {
        let name = tensor.name;
        let format =
            self.formats.get(&name.name).cloned().unwrap_or_else(|| TensorFormat::dense(tensor.span));
        let dims = match self.sizes.tensors.get(&name.name) {
            Some(extents) => {
                extents.iter().map(|extent| dim(DimKind::Size(extent.number), extent.span)).collect()
            }
            None => tensor.whole().enumerate().map(|(mode, whole)| self.dim(tensor, mode, whole)).collect(),
        };
        let element = self.elements.get(&name.name).copied().unwrap_or(Element::F64);
        let TensorFormat { spec: format, options, .. } = format;
        let decl = TensorDecl { element, name: name.clone(), dims, format, options, span: tensor.span };
        Stmt { kind: StmtKind::Tensor(decl), span: tensor.span }
    }

    /// `A[i,j] = comet_read("a.mtx")`.
    fn read(&self, file: &File) -> Stmt {
        let tensor = self.tensor(file);
        let value = call("comet_read", vec![string(file)], file.span);
        let assign = Assign {
            tensor: tensor.name.clone(),
            indices: labels(tensor),
            target_span: tensor.span,
            mask: None,
            op: AssignOp::Set,
            value,
            schedule: None,
        };
        Stmt { kind: StmtKind::Assign(assign), span: file.span }
    }

    fn statement(&self, span: Span) -> Stmt {
        let Assignment { tensor, indices, target, op, value } = self.assignment;
        let is_dense = self.formats.get(&tensor.name).is_none_or(|format| format.is_dense);
        let value = if is_dense { value.clone() } else { no_fill(value) };
        let assign = Assign {
            tensor: tensor.clone(),
            indices: indices.clone(),
            target_span: *target,
            mask: None,
            op: *op,
            value,
            schedule: self.schedule.clone(),
        };
        Stmt { kind: StmtKind::Assign(assign), span }
    }

    /// The files that are asked for; otherwise the result is printed.
    fn results(&self, span: Span) -> Vec<Stmt> {
        if self.outputs.is_empty() {
            let result = Expr { kind: ExprKind::Name(self.assignment.tensor.name.clone()), span };
            return vec![effect(call("print", vec![result], span))];
        }
        self.outputs.iter().map(|file| self.write(file)).collect()
    }

    /// `comet_write(y[i], "y.tns")`.
    fn write(&self, file: &File) -> Stmt {
        let tensor = self.tensor(file);
        let kind = ExprKind::Access { tensor: tensor.name.clone(), indices: labels(tensor) };
        let access = Expr { kind, span: file.span };
        effect(call("comet_write", vec![access, string(file)], file.span))
    }

    /// A mode without a size of its own has that of an index, which a shift does not change. One that only
    /// windows access has that of its file, or the default.
    fn dim(&self, tensor: &ExpressionTensor<'_>, mode: usize, whole: Option<Ident>) -> Dim {
        let is_read = self.inputs.iter().any(|file| file.tensor == tensor.name.name);
        let span = tensor.accesses[0][mode].span();
        match whole {
            Some(label) => dim(DimKind::Label(label.name), label.span),
            None if is_read => dim(DimKind::Open, span),
            None => {
                let extent = sizes::default_extent(tensor, mode);
                dim(DimKind::Size(Number { value: extent as f64, integer: Some(extent) }), span)
            }
        }
    }

    fn tensor(&self, file: &File) -> &ExpressionTensor<'_> {
        self.names.tensor(&file.tensor).expect("a file belongs to a tensor of the expression")
    }
}

/// As many labels as the tensor has modes, where they are only counted.
fn labels(tensor: &ExpressionTensor<'_>) -> Vec<Index> {
    tensor.accesses[0].iter().filter_map(Index::label).map(Index::Name).collect()
}

/// A number alone would fill the result, which only a dense one can be: as a product it is an expression.
fn no_fill(value: &Expr) -> Expr {
    if !is_number(value) {
        return value.clone();
    }
    let one = Number { value: 1.0, integer: Some(1) };
    let (left, right) = (value.clone(), Expr { kind: ExprKind::Number(one), span: value.span });
    let kind = ExprKind::Binary {
        op: BinaryOp::Mul,
        op_span: value.span,
        left: Box::new(left),
        right: Box::new(right),
    };
    Expr { kind, span: value.span }
}

fn is_number(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Number(_) => true,
        ExprKind::Neg(operand) => is_number(operand),
        _ => false,
    }
}

fn label(names: Vec<Ident>, kind: RangeKind, range: Span, span: Span) -> Stmt {
    Stmt { kind: StmtKind::Label { names, range: Some(Range { kind, span: range }) }, span }
}

fn dim(kind: DimKind, span: Span) -> Dim {
    Dim { kind, span }
}

fn string(file: &File) -> Expr {
    Expr { kind: ExprKind::Str(file.path.clone()), span: file.span }
}

fn call(callee: &str, args: Vec<Expr>, span: Span) -> Expr {
    Expr { kind: ExprKind::Call { callee: Ident { name: callee.to_owned(), span }, args }, span }
}

fn effect(expr: Expr) -> Stmt {
    Stmt { span: expr.span, kind: StmtKind::Expr(expr) }
}
