//! The syntax tree of a `.ta` program: what was written, with a byte span at every node, nothing resolved.

mod index;
mod operator;

use comet_diag::Span;
pub use comet_format::{IndexWidth, LevelKind, ValueType as Element};
pub use comet_notation::Operator;
pub use index::{Index, Window};
pub use operator::{FunctionName, Identity, IdentityValue, OperatorName, OperatorProperties};
use strum::{EnumString, IntoStaticStr};

#[derive(Clone, Debug, PartialEq)]
pub struct Ident {
    pub name: String,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Default)]
pub struct Module {
    pub functions: Vec<Function>,
}

/// `def name(params) -> result operator(…) { body }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    pub name: Ident,
    pub params: Vec<Param>,
    /// The declared result, assigned by name.
    pub result: Option<Param>,
    /// What is stated of it as an operator of semirings and monoids.
    pub properties: Option<OperatorProperties>,
    pub body: Vec<Stmt>,
    /// From `def` to the closing brace.
    pub span: Span,
}

impl Function {
    /// Whether it returns a number for two numbers, as operators of semirings and monoids do.
    pub(crate) fn is_of_two_numbers(&self) -> bool {
        let is_number = |param: &Param| matches!(param, Param::Scalar { .. });
        self.params.len() == 2
            && self.params.iter().all(is_number)
            && self.result.as_ref().is_some_and(is_number)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum Param {
    /// `Tensor<double> A([i, j], CSR)`; declares its labels too.
    Tensor(TensorDecl),
    /// `double alpha`; the name of a result is empty where only `return` assigns it.
    Scalar { element: Element, name: Ident, span: Span },
}

/// `Tensor<double> A([i, j], CSR, order={1,0})`.
#[derive(Clone, Debug, PartialEq)]
pub struct TensorDecl {
    pub element: Element,
    pub name: Ident,
    /// One for each mode.
    pub dims: Vec<Dim>,
    pub format: FormatSpec,
    /// `order`, `memory`, `index`, in the order of the file, repetitions kept.
    pub options: Vec<FormatOption>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Dim {
    pub kind: DimKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum DimKind {
    Label(String),
    Size(Number),
    /// `?`.
    Open,
}

/// A number as written; an integer where it has neither a fraction nor an exponent and fits 64 bits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number {
    pub value: f64,
    pub integer: Option<i64>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct FormatSpec {
    pub kind: FormatKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum FormatKind {
    /// `CSR`, `BCSR<4,4>`, with or without braces.
    Name {
        name: Ident,
        /// What stands between `<` and `>`.
        args: Vec<(Number, Span)>,
    },
    /// `{D, CU}`.
    Levels(Vec<WrittenLevel>),
    /// `{ (i, j) -> (i/4 : D, j/4 : CU, i%4 : D, j%4 : D) }`.
    Map { modes: Vec<Ident>, levels: Vec<(LevelIndex, WrittenLevel)> },
}

#[derive(Clone, Debug, PartialEq)]
pub struct WrittenLevel {
    pub kind: LevelKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum LevelIndex {
    /// `i`.
    Whole(Ident),
    /// `i/4`.
    Div(Ident, Number),
    /// `i%4`.
    Mod(Ident, Number),
}

#[derive(Clone, Debug, PartialEq)]
pub struct FormatOption {
    pub kind: FormatOptionKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum FormatOptionKind {
    /// `order={1,0}`.
    Order(Vec<Number>),
    /// `memory=onchip`.
    Memory(MemoryRegion),
    /// `index=i64`.
    Index(IndexWidth),
    /// `on=rows`.
    On(ProcessPlacement),
}

/// The region of stardust.txt section 5.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumString, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum MemoryRegion {
    OnChip,
    OffChip,
}

/// What of a tensor each of several processes has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumString, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum ProcessPlacement {
    /// A range of the coordinates of its outermost level.
    Rows,
    /// All of it.
    Replicated,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Stmt {
    pub kind: StmtKind,
    /// From its first to its last token, without the semicolon.
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum StmtKind {
    /// `IndexLabel [i, j] = [?]`.
    Label {
        names: Vec<Ident>,
        /// Their range; absent is open.
        range: Option<Range>,
    },
    Tensor(TensorDecl),
    /// `var s = expr`.
    Var {
        name: Ident,
        value: Expr,
    },
    /// `s = expr`, or `s += expr`, which is `s = s + (expr)`.
    SetScalar {
        name: Ident,
        /// `+`, `-`, `*` or `/` where the scalar is updated.
        op: Option<BinaryOp>,
        value: Expr,
    },
    /// `A[i,j]<M> = expr schedule { … }`.
    Assign(Assign),
    /// `for i in range(a, b, c): … end`.
    For {
        var: Ident,
        /// One to three bounds, as Python's `range`.
        bounds: Vec<Expr>,
        body: Vec<Stmt>,
    },
    /// `while c: … end`.
    While {
        /// Runs while this is not 0.
        condition: Expr,
        body: Vec<Stmt>,
    },
    /// `if c: … elif d: … else: … end`.
    If {
        /// Never empty: that of the `if`, and one for each `elif`. The first whose condition holds is taken.
        branches: Vec<Branch>,
        else_body: Option<Vec<Stmt>>,
    },
    /// `break`.
    Break,
    /// `continue`.
    Continue,
    /// `return expr`.
    Return(Option<Expr>),
    /// An expression for its effect: `print(A)`.
    Expr(Expr),
}

/// The part of an `if` behind one of its conditions.
#[derive(Clone, Debug, PartialEq)]
pub struct Branch {
    /// Holds where it is not 0.
    pub condition: Expr,
    pub body: Vec<Stmt>,
}

impl Stmt {
    pub fn blocks(&self) -> Vec<&[Stmt]> {
        match &self.kind {
            StmtKind::For { body, .. } | StmtKind::While { body, .. } => vec![body],
            StmtKind::If { branches, else_body } => {
                branches.iter().map(|branch| branch.body.as_slice()).chain(else_body.as_deref()).collect()
            }
            _ => Vec::new(),
        }
    }
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

/// Returns the assignments of a body and of its blocks, in the order of the file.
pub fn assignments_mut(body: &mut [Stmt]) -> Vec<&mut Assign> {
    let inner = body.iter_mut().map(|stmt| match &mut stmt.kind {
        StmtKind::Assign(assign) => vec![assign],
        StmtKind::For { body, .. } | StmtKind::While { body, .. } => assignments_mut(body),
        StmtKind::If { branches, else_body } => {
            let bodies = branches.iter_mut().map(|branch| &mut branch.body).chain(else_body);
            bodies.flat_map(|body| assignments_mut(body)).collect()
        }
        _ => Vec::new(),
    });
    inner.flatten().collect()
}

/// `[?]`, `[8]`, `[lo:hi]`, `[lo:?]`, `[lo:hi:step]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Range {
    pub kind: RangeKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum RangeKind {
    /// `[?]`.
    Open,
    /// `[8]`.
    Size(Number),
    /// `[lo:hi:step]`; `hi` absent is `?`.
    Bounds {
        lo: Number,
        /// One past the last.
        hi: Option<Number>,
        step: Option<Number>,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub struct Assign {
    pub tensor: Ident,
    pub indices: Vec<Index>,
    /// `tensor[indices]`.
    pub target_span: Span,
    /// `<M, push>`.
    pub mask: Option<Mask>,
    /// `=`, `+=`, `-=`.
    pub op: AssignOp,
    pub value: Expr,
    /// `schedule { … }`.
    pub schedule: Option<Schedule>,
}

/// `=`, `+=`, `-=`, `*=`, `/=`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, IntoStaticStr)]
pub enum AssignOp {
    #[strum(serialize = "=")]
    Set,
    #[strum(serialize = "+=")]
    Add,
    #[strum(serialize = "-=")]
    Sub,
    #[strum(serialize = "*=")]
    Mul,
    #[strum(serialize = "/=")]
    Div,
}

/// `<!M, push>`.
#[derive(Clone, Debug, PartialEq)]
pub struct Mask {
    /// `!`.
    pub complement: bool,
    pub tensor: Ident,
    pub method: Option<MaskMethod>,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumString, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum MaskMethod {
    /// Walk the product and filter.
    Push,
    /// Compute each stored mask position by itself.
    Pull,
    Auto,
}

/// `schedule { order(i, k, j); … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Schedule {
    pub commands: Vec<Command>,
    /// From the word `schedule` to the closing brace.
    pub span: Span,
}

/// A schedule that stands outside of a program: `order(i, k, j);`, `C { order(i, k, j); }`, or
/// `C in spmm { order(i, k, j); }`.
#[derive(Clone, Debug, PartialEq)]
pub struct TargetedSchedule {
    /// The tensor whose assignments it is for; absent is any.
    pub target: Option<Ident>,
    /// The function that they are in; absent is any.
    pub function: Option<Ident>,
    pub schedule: Schedule,
}

/// `tile(i: 64, k: 32)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Command {
    pub name: Ident,
    pub args: Vec<CommandArg>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct CommandArg {
    pub kind: CommandArgKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum CommandArgKind {
    /// A label, a number, an access, any expression.
    Expr(Expr),
    /// `{i, j}`.
    Labels(Vec<Ident>),
    /// `i: 64`.
    Sized(Ident, Number),
    /// `W : {D}`, `W : onchip {D}`.
    Formatted(Ident, Option<MemoryRegion>, FormatSpec),
    /// `buffer = 128KiB`.
    Setting(Ident, SettingValue),
}

#[derive(Clone, Debug, PartialEq)]
pub enum SettingValue {
    /// A number, with its unit if any.
    Number(Number, Option<ByteUnit>),
    Word(Ident),
}

/// `B`, `KiB`, `MiB`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumString, IntoStaticStr)]
pub enum ByteUnit {
    B,
    KiB,
    MiB,
}

impl ByteUnit {
    pub fn bytes(self) -> u64 {
        match self {
            Self::B => 1,
            Self::KiB => 1 << 10,
            Self::MiB => 1 << 20,
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    pub kind: ExprKind,
    /// Where; parentheses are inside it.
    pub span: Span,
}

impl Expr {
    /// Whether it is a binary operation that stands in parentheses of its own. They matter around the left
    /// operand of a sum, which is then a term by itself. A tree without places has none.
    pub fn is_grouped(&self) -> bool {
        match &self.kind {
            ExprKind::Binary { left, .. } => self.span.start < left.span.start,
            _ => false,
        }
    }
}

/// The expressions of the grammar. Parentheses leave no node: the printer puts back those that are needed.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// `5`, `1e-3`.
    Number(Number),
    /// `"a.mtx"`; only as an argument.
    Str(String),
    /// A scalar, or a bare tensor or label as an argument.
    Name(String),
    /// `A[i,j]`, `A[2,j]`, `A[i + 1, 0:8]`.
    Access { tensor: Ident, indices: Vec<Index> },
    /// `f(x, y)`.
    Call { callee: Ident, args: Vec<Expr> },
    /// `-x`.
    Neg(Box<Expr>),
    /// `x op y`.
    Binary { op: BinaryOp, op_span: Span, left: Box<Expr>, right: Box<Expr> },
    /// `transpose(A[i,j], {j,i})`.
    Transpose { tensor: Ident, indices: Vec<Index>, permuted: Vec<Ident> },
    /// `[[1, 2], [3, 4]]`.
    Array(Vec<Expr>),
    /// Stands where an error was reported; never reaches semantic analysis.
    Error,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, IntoStaticStr)]
pub enum BinaryOp {
    #[strum(serialize = "|")]
    Or,
    #[strum(serialize = "&")]
    And,
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
    #[strum(serialize = "+")]
    Add,
    #[strum(serialize = "-")]
    Sub,
    #[strum(serialize = "*")]
    Mul,
    #[strum(serialize = "/")]
    Div,
    #[strum(serialize = ".*")]
    ElementwiseMul,
    /// `@(reduce, combine)`.
    Semiring(OperatorName, OperatorName),
    /// `@(op)`.
    Monoid(OperatorName),
}
