//! A checked program: every name resolved, every size placed in a class, every reduction explicit.
//!
//! Indices into the tables of a [`Function`] are newtypes; a table never shrinks, so an index stays good.

mod part;

pub use comet_abi::Triangle;

use comet_diag::Span;
pub use comet_format::{Format, Level, LevelExpr, LevelKind};
pub use comet_notation::{Function as NumberFunction, OwnOperator, Step as OperatorStep};
pub use comet_syntax::ast::{
    AssignOp, BinaryOp, Command, CommandArg, CommandArgKind, Element, Expr as WrittenExpr,
    ExprKind as WrittenExprKind, Ident, Index, MaskMethod, MemoryRegion, Operator, OperatorName,
    ProcessPlacement, Schedule,
};
use itertools::Itertools as _;
pub use part::{Coordinate, PartMode, TensorPart};

#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    pub functions: Vec<Function>,
}

impl Program {
    /// The function that is the program, where the file has one.
    pub fn main(&self) -> Option<&Function> {
        self.functions.iter().find(|function| function.name == "main")
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    pub name: String,
    pub params: Vec<ParamId>,
    /// The tensor or scalar that is declared as the result.
    pub result: Option<ParamId>,
    pub tensors: Vec<Tensor>,
    pub scalars: Vec<Scalar>,
    /// The extents, solved as far as the text allows: LANGUAGE.md, "Labels and sizes".
    pub sizes: Vec<Size>,
    /// The labels declared and used, each with its extent.
    pub labels: Vec<Label>,
    pub body: Vec<Stmt>,
    /// From `def` to the closing brace.
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParamId {
    Tensor(TensorId),
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

#[derive(Clone, Debug, PartialEq)]
pub struct Tensor {
    pub name: String,
    pub element: Element,
    pub format: Format,
    /// Region, where one was given.
    pub memory: Option<MemoryRegion>,
    /// What each process has of it, where that is stated.
    pub on: Option<ProcessPlacement>,
    pub dims: Vec<SizeId>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Scalar {
    /// Its name; one that begins with `$` is the compiler's own, for a `SUM(…)`, time or call inside a tensor
    /// expression, and is set right before that.
    pub name: String,
    /// Its type: as declared, or the widest of the values it is given, so that `var x = 0` can count halves.
    pub element: Element,
    /// Whether its (first) value is a bare `SUM(…)`, `MAX(…)` or `MIN(…)`: such a scalar prints bare, others
    /// as a one-element array.
    pub prints_bare: bool,
    pub span: Span,
}

/// A label of the Einstein notation.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    pub name: String,
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
    pub span: Span,
}

/// Something that has an extent at run time, before any statement runs.
#[derive(Clone, Debug, PartialEq)]
pub enum SizeSource {
    /// The mode of a tensor that a file is read into.
    Read {
        source: ReadSource,
        tensor: TensorId,
        mode: usize,
        span: Span,
    },
    Param {
        tensor: TensorId,
        mode: usize,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub enum ReadSource {
    /// `comet_read(k)`: the variable `SPARSE_FILE_NAME<k>`; the digits as written.
    Numbered(String),
    /// `comet_read()`: the variable `SPARSE_FILE_NAME`.
    Default,
    /// `comet_read("path")`.
    Path(String),
}

impl ReadSource {
    /// Returns the text that the run time knows the source by: `comet_abi::functions::READ`.
    pub fn text(&self) -> String {
        match self {
            Self::Numbered(digits) => format!("env:{digits}"),
            Self::Default => "env:".to_owned(),
            Self::Path(path) => format!("path:{path}"),
        }
    }
}

/// A statement with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum StmtKind {
    /// `A[..] = 1.0`, A dense.
    Fill { tensor: TensorId, value: Number },
    /// `A[..] = comet_read(…)`.
    Read { tensor: TensorId, source: ReadSource, triangle: Triangle },
    /// `A[..] = random(…)`.
    Random {
        tensor: TensorId,
        /// The share of positions stored; 1 for `random()`.
        density: f64,
        seed: u64,
    },
    /// `A[..] = [[…]]`: the values in row-major order. The entries of a sparse tensor are those that are
    /// not 0.
    Literal { tensor: TensorId, values: Vec<Number> },
    /// `comet_write(A[..], "path")`.
    Write { tensor: TensorId, path: String },
    /// The part of a tensor into its own one.
    TakePart(TensorPart),
    /// And back; what is outside of the part stays.
    PutPart(TensorPart),
    /// A tensor expression: contractions, elementwise operations, copies, conversions, transposes.
    Assign(Assign),
    /// `s = expr`, and `var s = expr`.
    SetScalar { scalar: ScalarId, value: ScalarExpr },
    /// `print(A)`.
    PrintTensor(TensorId),
    /// `print(s)`.
    PrintScalar(ScalarExpr),
    /// `print("text", x, A)`: one item behind the other.
    PrintLine(Vec<PrintItem>),
    /// `printElapsedTime(t0, t1)`.
    PrintElapsed(ScalarExpr, ScalarExpr),
    /// `for`.
    For {
        var: ScalarId,
        start: ScalarExpr,
        /// One past the last.
        stop: ScalarExpr,
        step: ScalarExpr,
        body: Vec<Stmt>,
    },
    /// `while`.
    While {
        /// Runs while this is not 0.
        condition: ScalarExpr,
        body: Vec<Stmt>,
    },
    /// `if`.
    If {
        /// Not 0 takes the first branch.
        condition: ScalarExpr,
        then_body: Vec<Stmt>,
        /// The second one, possibly empty.
        else_body: Vec<Stmt>,
    },
    /// A call of a function of the file as a statement, or whose tensor result is assigned: `y[i] = spmv(A,
    /// x)`.
    Call { callee: String, args: Vec<CallArg>, result: Option<TensorId> },
    /// `return`.
    Return(Option<ScalarExpr>),
    /// `break`, inside of a loop.
    Break,
    /// `continue`, inside of a loop.
    Continue,
}

/// What `print` shows in a line.
#[derive(Clone, Debug, PartialEq)]
pub enum PrintItem {
    Text(String),
    Scalar(ScalarExpr),
    /// A tensor with modes.
    Tensor(TensorId),
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
    pub fn blocks(&self) -> Vec<&[Stmt]> {
        match &self.kind {
            StmtKind::For { body, .. } | StmtKind::While { body, .. } => vec![body],
            StmtKind::If { then_body, else_body, .. } => vec![then_body, else_body],
            _ => Vec::new(),
        }
    }

    /// Returns the tensor that the statement itself puts something into, but for arguments of calls.
    pub fn written(&self) -> Option<TensorId> {
        match &self.kind {
            StmtKind::Fill { tensor, .. }
            | StmtKind::Read { tensor, .. }
            | StmtKind::Random { tensor, .. }
            | StmtKind::Literal { tensor, .. } => Some(*tensor),
            StmtKind::TakePart(part) => Some(part.part),
            StmtKind::PutPart(part) => Some(part.whole),
            StmtKind::Assign(assign) => Some(assign.target.tensor),
            StmtKind::Call { result, .. } => *result,
            _ => None,
        }
    }

    /// Returns the part of a tensor that the statement copies.
    pub fn taken_part(&self) -> Option<&TensorPart> {
        match &self.kind {
            StmtKind::TakePart(part) => Some(part),
            _ => None,
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
            StmtKind::PrintLine(items) => items.iter().filter_map(PrintItem::scalar).collect(),
            _ => Vec::new(),
        }
    }
}

impl PrintItem {
    pub fn scalar(&self) -> Option<&ScalarExpr> {
        match self {
            Self::Scalar(value) => Some(value),
            Self::Text(_) | Self::Tensor(_) => None,
        }
    }
}

impl TensorExpr {
    /// Returns the expressions that the outermost operation takes, from left to right.
    pub fn operands(&self) -> Vec<&Self> {
        match &self.kind {
            TensorExprKind::Access(_) | TensorExprKind::Number(_) | TensorExprKind::Scalar(_) => Vec::new(),
            TensorExprKind::Neg(operand)
            | TensorExprKind::Apply { operand, .. }
            | TensorExprKind::Convert { value: operand, .. }
            | TensorExprKind::Elementwise(operand)
            | TensorExprKind::Reduce { body: operand, .. } => vec![operand],
            TensorExprKind::Drop { value, condition } => vec![value, condition],
            TensorExprKind::Binary { left, right, .. } => vec![left, right],
        }
    }

    pub(crate) fn operands_mut(&mut self) -> Vec<&mut Self> {
        match &mut self.kind {
            TensorExprKind::Access(_) | TensorExprKind::Number(_) | TensorExprKind::Scalar(_) => Vec::new(),
            TensorExprKind::Neg(operand)
            | TensorExprKind::Apply { operand, .. }
            | TensorExprKind::Convert { value: operand, .. }
            | TensorExprKind::Elementwise(operand)
            | TensorExprKind::Reduce { body: operand, .. } => vec![operand],
            TensorExprKind::Drop { value, condition } => vec![value, condition],
            TensorExprKind::Binary { left, right, .. } => vec![left, right],
        }
    }

    /// Returns the expression and all that are in it, each before its operands.
    pub fn parts(&self) -> Vec<&Self> {
        std::iter::once(self).chain(self.operands().into_iter().flat_map(Self::parts)).collect()
    }

    /// Returns the accesses in the order of the text.
    pub fn accesses(&self) -> Vec<&Access> {
        let accesses = self.parts().into_iter().filter_map(|part| match &part.kind {
            TensorExprKind::Access(access) => Some(access),
            _ => None,
        });
        accesses.collect()
    }
}

impl Assign {
    /// Returns the labels of the target, and then the others in the order of the text.
    pub fn labels(&self) -> Vec<LabelId> {
        let read = self.value.accesses().into_iter().flat_map(|access| &access.labels);
        self.target.labels.iter().chain(read).copied().unique().collect()
    }

    /// Returns the place of the target and the value, without mask and schedule.
    pub fn formula_span(&self) -> Span {
        self.target.span.to(self.value.span)
    }

    pub fn commands(&self) -> &[Command] {
        self.schedule.as_ref().map_or(&[], |schedule| &schedule.commands)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum CallArg {
    /// A tensor, passed by reference.
    Tensor(TensorId),
    Scalar(ScalarExpr),
}

/// A number with the type it was written in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// Has a fraction or an exponent.
    Float(f64),
    Int(i64),
}

/// `C[i,k]<M> += value`.
#[derive(Clone, Debug, PartialEq)]
pub struct Assign {
    pub target: Access,
    pub op: AssignOp,
    /// The right-hand side. Its free labels are among the target's: every other label is bound by a
    /// [`TensorExprKind::Reduce`].
    pub value: TensorExpr,
    pub mask: Option<Mask>,
    /// The commands, resolved as far as the grammar goes.
    pub schedule: Option<Schedule>,
}

/// A mask over the target's labels.
#[derive(Clone, Debug, PartialEq)]
pub struct Mask {
    pub tensor: TensorId,
    /// `!`.
    pub complement: bool,
    pub method: MaskMethod,
    pub span: Span,
}

/// `A[i,j]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Access {
    pub tensor: TensorId,
    /// One label for each mode, in the tensor's mode order.
    pub labels: Vec<LabelId>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct TensorExpr {
    pub kind: TensorExprKind,
    /// The type its value has: the widest of its operands' (int < float < double).
    pub element: Element,
    pub span: Span,
    /// Whether parentheses are around it, in which sums are sums of their own.
    pub is_grouped: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub enum TensorExprKind {
    Access(Access),
    Number(Number),
    Scalar(ScalarId),
    /// `-x`.
    Neg(Box<TensorExpr>),
    /// `int8(x)`: what an element of that type stores, in the type that such elements are computed in.
    Convert {
        to: Element,
        value: Box<TensorExpr>,
    },
    /// `exp(x)`, present where the operand is.
    Apply {
        function: NumberFunction,
        operand: Box<TensorExpr>,
    },
    /// `drop(x, c)`: the value where the condition is 0 or absent.
    Drop {
        value: Box<TensorExpr>,
        condition: Box<TensorExpr>,
    },
    /// A nest of functions, comparisons and `select`: reductions are around it, and never in it.
    Elementwise(Box<TensorExpr>),
    /// `x op y`.
    Binary {
        op: TensorOp,
        /// How a semiring reduces.
        reduce: Option<Operator>,
        left: Box<TensorExpr>,
        right: Box<TensorExpr>,
    },
    /// The reduction over `labels` of `body`: LANGUAGE.md, "Meaning of an expression".
    Reduce {
        /// `+`, or the innermost enclosing semiring's.
        op: Operator,
        labels: Vec<LabelId>,
        body: Box<TensorExpr>,
    },
}

/// The operators at the points of a tensor expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TensorOp {
    Add,
    Sub,
    /// `*` and `.*`: intersects the patterns.
    Mul,
    Div,
    /// The combining operator of a semiring or monoid: intersects the patterns.
    Combine(Operator),
    /// A comparison or function of two operands: unites the patterns, and counts a missing operand as 0.
    Unite(Operator),
}

#[derive(Clone, Debug, PartialEq)]
pub struct ScalarExpr {
    pub kind: ScalarExprKind,
    /// The type of its value; comparisons are `int`.
    pub element: Element,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ScalarExprKind {
    Number(Number),
    Scalar(ScalarId),
    /// `-x`.
    Neg(Box<ScalarExpr>),
    /// `int8(x)`.
    Convert {
        to: Element,
        value: Box<ScalarExpr>,
    },
    /// `x op y`.
    Binary {
        op: ScalarOp,
        left: Box<ScalarExpr>,
        right: Box<ScalarExpr>,
    },
    /// `SUM(expr)`, `MAX(expr)` or `MIN(expr)`: over every label of the expression. The body's labels are all
    /// bound by its `Reduce`s.
    Reduction(TensorExpr),
    /// A tensor expression without labels, for operations that scalar expressions lack: `@(op)` and functions
    /// of scalars.
    Point(TensorExpr),
    /// The element of a tensor of rank 0: `s[]`, or of a part, `A[2,3]`.
    Element(TensorId),
    /// `getTime()`: seconds since an arbitrary moment.
    Time,
    /// A call of a function of the file that returns a scalar.
    Call {
        callee: String,
        args: Vec<CallArg>,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, strum::IntoStaticStr)]
pub enum ScalarOp {
    #[strum(serialize = "+")]
    Add,
    #[strum(serialize = "-")]
    Sub,
    #[strum(serialize = "*")]
    Mul,
    #[strum(serialize = "/")]
    Div,
    #[strum(serialize = "==")]
    Eq,
    #[strum(serialize = "!=")]
    Ne,
    #[strum(serialize = "<")]
    Lt,
    #[strum(serialize = "<=")]
    Le,
    #[strum(serialize = ">")]
    Gt,
    #[strum(serialize = ">=")]
    Ge,
    /// Logical, 0 or 1.
    #[strum(serialize = "|")]
    Or,
    /// Logical, 0 or 1.
    #[strum(serialize = "&")]
    And,
}
