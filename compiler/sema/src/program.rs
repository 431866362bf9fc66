//! A checked program: every name resolved, every size placed in a class, every reduction explicit.
//!
//! Indices into the tables of a [`Function`] are newtypes; a table never shrinks, so an index stays good.

use comet_diag::Span;
pub use comet_format::{Format, Level, LevelExpr, LevelKind};
pub use comet_syntax::ast::{
    AssignOp, BinaryOp, Command, CommandArg, CommandArgKind, Element, Expr as WrittenExpr,
    ExprKind as WrittenExprKind, Ident, MaskMethod, MemoryRegion, Operator, Schedule,
};

/// A whole file.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    /// In the order of the file.
    pub functions: Vec<Function>,
}

impl Program {
    /// The function that is the program, where the file has one.
    pub fn main(&self) -> Option<&Function> {
        self.functions.iter().find(|function| function.name == "main")
    }
}

/// A function and its tables.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// `main`, or a kernel's name.
    pub name: String,
    /// In the order of the signature.
    pub params: Vec<ParamId>,
    /// The tensor or scalar that is declared as the result.
    pub result: Option<ParamId>,
    /// Every tensor declared, parameters included.
    pub tensors: Vec<Tensor>,
    /// Every scalar, parameters included.
    pub scalars: Vec<Scalar>,
    /// The extents, solved as far as the text allows: LANGUAGE.md, "Labels and sizes".
    pub sizes: Vec<Size>,
    /// The labels declared and used, each with its extent.
    pub labels: Vec<Label>,
    /// The statements.
    pub body: Vec<Stmt>,
    /// From `def` to the closing brace.
    pub span: Span,
}

/// A parameter or result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParamId {
    /// A tensor.
    Tensor(TensorId),
    /// A scalar.
    Scalar(ScalarId),
}

/// Into [`Function::tensors`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TensorId(pub usize);
/// Into [`Function::scalars`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ScalarId(pub usize);
/// Into [`Function::sizes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SizeId(pub usize);
/// Into [`Function::labels`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LabelId(pub usize);

/// A tensor variable.
#[derive(Clone, Debug, PartialEq)]
pub struct Tensor {
    /// Its name.
    pub name: String,
    /// The element type.
    pub element: Element,
    /// Levels, order and index width.
    pub format: Format,
    /// Region, where one was given.
    pub memory: Option<MemoryRegion>,
    /// The extent of each mode.
    pub dims: Vec<SizeId>,
    /// The declaration.
    pub span: Span,
}

/// A scalar variable.
#[derive(Clone, Debug, PartialEq)]
pub struct Scalar {
    /// Its name; one that begins with `$` is the compiler's own, for a `SUM(…)`, time or call inside a tensor
    /// expression, and is set right before that.
    pub name: String,
    /// Its type: as declared, or the widest of the values it is given, so that `var x = 0` can count halves.
    pub element: Element,
    /// Whether its (first) value is a bare `SUM(…)`: such a scalar prints bare, others as a one-element
    /// array.
    pub prints_bare: bool,
    /// Where it is declared.
    pub span: Span,
}

/// A label of the Einstein notation.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// Its name.
    pub name: String,
    /// Its extent.
    pub size: SizeId,
    /// Where it is declared or first used.
    pub span: Span,
}

/// One extent: everything that must be equal to it was unified into it.
#[derive(Clone, Debug, PartialEq)]
pub struct Size {
    /// What messages call it: a label's name, or `mode 1 of A`.
    pub name: String,
    /// The number, where the text fixes it.
    pub known: Option<u64>,
    /// Where the run time gets it, or checks it against `known`. Never empty where `known` is `None`.
    pub sources: Vec<SizeSource>,
    /// The place that introduces it.
    pub span: Span,
}

/// Something that has an extent at run time, before any statement runs.
#[derive(Clone, Debug, PartialEq)]
pub enum SizeSource {
    /// The mode of a tensor that a file is read into.
    Read {
        /// What is read.
        source: ReadSource,
        /// The tensor read into.
        tensor: TensorId,
        /// The mode of that tensor.
        mode: usize,
        /// The read statement.
        span: Span,
    },
    /// The mode of a parameter.
    Param {
        /// The tensor.
        tensor: TensorId,
        /// Its mode.
        mode: usize,
    },
}

/// What `comet_read` names.
#[derive(Clone, Debug, PartialEq)]
pub enum ReadSource {
    /// `comet_read(k)`: the variable `SPARSE_FILE_NAME<k>`; the digits as written.
    Numbered(String),
    /// `comet_read()`: the variable `SPARSE_FILE_NAME`.
    Default,
    /// `comet_read("path")`.
    Path(String),
}

/// Which entries `comet_read(k, mode)` keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Triangle {
    /// 1: all.
    All,
    /// 2: below the diagonal.
    StrictlyLower,
    /// 3: on and below it.
    Lower,
    /// 4: above it.
    StrictlyUpper,
    /// 5: on and above it.
    Upper,
}

/// A statement with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Stmt {
    /// Which.
    pub kind: StmtKind,
    /// Where.
    pub span: Span,
}

/// The statements that remain after declarations are tables.
#[derive(Clone, Debug, PartialEq)]
pub enum StmtKind {
    /// `A[..] = 1.0`, A dense.
    Fill {
        /// The tensor.
        tensor: TensorId,
        /// The value.
        value: Number,
    },
    /// `A[..] = comet_read(…)`.
    Read {
        /// The tensor.
        tensor: TensorId,
        /// The file.
        source: ReadSource,
        /// The entries kept.
        triangle: Triangle,
    },
    /// `A[..] = random(…)`.
    Random {
        /// The tensor.
        tensor: TensorId,
        /// The share of positions stored; 1 for `random()`.
        density: f64,
        /// The seed.
        seed: u64,
    },
    /// `A[..] = [[…]]`: the values in row-major order, A dense.
    Literal {
        /// The tensor.
        tensor: TensorId,
        /// One for each element.
        values: Vec<Number>,
    },
    /// `comet_write(A[..], "path")`.
    Write {
        /// The tensor.
        tensor: TensorId,
        /// The file.
        path: String,
    },
    /// A tensor expression: contractions, elementwise operations, copies, conversions, transposes.
    Assign(Assign),
    /// `s = expr`, and `var s = expr`.
    SetScalar {
        /// The scalar.
        scalar: ScalarId,
        /// Its value.
        value: ScalarExpr,
    },
    /// `print(A)`.
    PrintTensor(TensorId),
    /// `print(s)`.
    PrintScalar(ScalarExpr),
    /// `printElapsedTime(t0, t1)`.
    PrintElapsed(ScalarExpr, ScalarExpr),
    /// `for`.
    For {
        /// The loop's scalar.
        var: ScalarId,
        /// The first value.
        start: ScalarExpr,
        /// One past the last.
        stop: ScalarExpr,
        /// The increment.
        step: ScalarExpr,
        /// The statements.
        body: Vec<Stmt>,
    },
    /// `while`.
    While {
        /// Runs while this is not 0.
        condition: ScalarExpr,
        /// The statements.
        body: Vec<Stmt>,
    },
    /// `if`.
    If {
        /// Not 0 takes the first branch.
        condition: ScalarExpr,
        /// The first branch.
        then_body: Vec<Stmt>,
        /// The second one, possibly empty.
        else_body: Vec<Stmt>,
    },
    /// A call of a function of the file as a statement, or whose tensor result is assigned: `y[i] = spmv(A,
    /// x)`.
    Call {
        /// The function's name.
        callee: String,
        /// The arguments.
        args: Vec<CallArg>,
        /// The tensor that takes the result.
        result: Option<TensorId>,
    },
    /// `return`.
    Return(Option<ScalarExpr>),
}

/// Returns every statement of a body, each before those of its blocks, in the order of the file.
pub fn statements(body: &[Stmt]) -> Vec<&Stmt> {
    let mut found = Vec::new();
    let mut pending: Vec<&Stmt> = body.iter().rev().collect();
    while let Some(stmt) = pending.pop() {
        found.push(stmt);
        pending.extend(stmt.blocks().into_iter().rev().flat_map(|block| block.iter().rev()));
    }
    found
}

/// Returns the assignments of a body and of its blocks, in the order of the file.
pub fn assignments(body: &[Stmt]) -> impl Iterator<Item = &Assign> {
    statements(body).into_iter().filter_map(|stmt| match &stmt.kind {
        StmtKind::Assign(assign) => Some(assign),
        _ => None,
    })
}

/// Returns the assignments of a body and of its blocks, each with the place of its statement.
pub fn assignments_mut(body: &mut [Stmt]) -> Vec<(&mut Assign, Span)> {
    let inner = body.iter_mut().map(|stmt| match &mut stmt.kind {
        StmtKind::Assign(assign) => vec![(assign, stmt.span)],
        StmtKind::For { body, .. } | StmtKind::While { body, .. } => assignments_mut(body),
        StmtKind::If { then_body, else_body, .. } => {
            assignments_mut(then_body).into_iter().chain(assignments_mut(else_body)).collect()
        }
        _ => Vec::new(),
    });
    inner.flatten().collect()
}

impl Stmt {
    /// Returns the bodies of a loop or branch.
    pub fn blocks(&self) -> Vec<&[Stmt]> {
        match &self.kind {
            StmtKind::For { body, .. } | StmtKind::While { body, .. } => vec![body],
            StmtKind::If { then_body, else_body, .. } => vec![then_body, else_body],
            _ => Vec::new(),
        }
    }

    /// Returns the scalar expressions of a statement itself, without those of its blocks and of calls.
    pub fn scalars(&self) -> Vec<&ScalarExpr> {
        match &self.kind {
            StmtKind::For { start, stop, step, .. } => vec![start, stop, step],
            StmtKind::PrintElapsed(start, end) => vec![start, end],
            StmtKind::While { condition: value, .. }
            | StmtKind::If { condition: value, .. }
            | StmtKind::SetScalar { value, .. }
            | StmtKind::PrintScalar(value)
            | StmtKind::Return(Some(value)) => vec![value],
            _ => Vec::new(),
        }
    }
}

impl Assign {
    /// Returns the place of the target and the value, without mask and schedule.
    pub fn formula_span(&self) -> Span {
        self.target.span.to(self.value.span)
    }

    /// Returns the commands of the schedule.
    pub fn commands(&self) -> &[Command] {
        self.schedule.as_ref().map_or(&[], |schedule| &schedule.commands)
    }
}

/// An argument of a call.
#[derive(Clone, Debug, PartialEq)]
pub enum CallArg {
    /// A tensor, passed by reference.
    Tensor(TensorId),
    /// A scalar value.
    Scalar(ScalarExpr),
}

/// A number with the type it was written in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// Has a fraction or an exponent.
    Float(f64),
    /// Has neither.
    Int(i64),
}

/// `C[i,k]<M> += value`.
#[derive(Clone, Debug, PartialEq)]
pub struct Assign {
    /// What is written.
    pub target: Access,
    /// How.
    pub op: AssignOp,
    /// The right-hand side. Its free labels are among the target's: every other label is bound by a
    /// [`TensorExprKind::Reduce`].
    pub value: TensorExpr,
    /// The mask.
    pub mask: Option<Mask>,
    /// The commands, resolved as far as the grammar goes.
    pub schedule: Option<Schedule>,
}

/// A mask over the target's labels.
#[derive(Clone, Debug, PartialEq)]
pub struct Mask {
    /// The tensor; it has the target's shape.
    pub tensor: TensorId,
    /// `!`.
    pub complement: bool,
    /// How it is applied.
    pub method: MaskMethod,
    /// Where.
    pub span: Span,
}

/// `A[i,j]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Access {
    /// The tensor.
    pub tensor: TensorId,
    /// One label for each mode, in the tensor's mode order.
    pub labels: Vec<LabelId>,
    /// Where.
    pub span: Span,
}

/// A tensor expression.
#[derive(Clone, Debug, PartialEq)]
pub struct TensorExpr {
    /// Which.
    pub kind: TensorExprKind,
    /// The type its value has: the widest of its operands' (int < float < double).
    pub element: Element,
    /// Where.
    pub span: Span,
}

/// The forms of a tensor expression.
#[derive(Clone, Debug, PartialEq)]
pub enum TensorExprKind {
    /// An element of a tensor.
    Access(Access),
    /// A number.
    Number(Number),
    /// A scalar variable.
    Scalar(ScalarId),
    /// `-x`.
    Neg(Box<TensorExpr>),
    /// `x op y`.
    Binary {
        /// The operator.
        op: TensorOp,
        /// The left operand.
        left: Box<TensorExpr>,
        /// The right operand.
        right: Box<TensorExpr>,
    },
    /// The reduction over `labels` of `body`: LANGUAGE.md, "Meaning of an expression".
    Reduce {
        /// `+`, or the innermost enclosing semiring's.
        op: Operator,
        /// What is reduced.
        labels: Vec<LabelId>,
        /// What it ranges over.
        body: Box<TensorExpr>,
    },
}

/// The operators at the points of a tensor expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TensorOp {
    /// Unites the patterns.
    Add,
    /// Unites the patterns.
    Sub,
    /// `*` and `.*`: intersects the patterns.
    Mul,
    /// Intersects the patterns.
    Div,
    /// The combining operator of a semiring or monoid: intersects the patterns.
    Combine(Operator),
}

/// A scalar expression with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct ScalarExpr {
    /// Which.
    pub kind: ScalarExprKind,
    /// The type of its value; comparisons give `int`.
    pub element: Element,
    /// Where.
    pub span: Span,
}

/// The forms of a scalar expression.
#[derive(Clone, Debug, PartialEq)]
pub enum ScalarExprKind {
    /// A number.
    Number(Number),
    /// A variable.
    Scalar(ScalarId),
    /// `-x`.
    Neg(Box<ScalarExpr>),
    /// `x op y`.
    Binary {
        /// The operator.
        op: ScalarOp,
        /// The left operand.
        left: Box<ScalarExpr>,
        /// The right operand.
        right: Box<ScalarExpr>,
    },
    /// `SUM(expr)`: over every label of the expression. The body's labels are all bound by its `Reduce`s.
    /// Also what the scalar operators do not have, with a body without labels: the element `A[]` of a
    /// tensor of rank 0, and `@(op)` between scalars.
    Sum(TensorExpr),
    /// `getTime()`: seconds since an arbitrary moment.
    Time,
    /// A call of a function of the file that returns a scalar.
    Call {
        /// The function's name.
        callee: String,
        /// The arguments.
        args: Vec<CallArg>,
    },
}

/// Operators of scalar expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScalarOp {
    /// `+`.
    Add,
    /// `-`.
    Sub,
    /// `*`.
    Mul,
    /// `/`.
    Div,
    /// `==`.
    Eq,
    /// `!=`.
    Ne,
    /// `<`.
    Lt,
    /// `<=`.
    Le,
    /// `>`.
    Gt,
    /// `>=`.
    Ge,
    /// `|`: logical, 0 or 1.
    Or,
    /// `&`: logical, 0 or 1.
    And,
}
