//! Programs without `return`, `break` and `continue`: each sets a flag, and what follows a statement that may
//! set it runs only where it is not set. A value that is returned becomes an assignment to the result.

use comet_diag::Span;
use comet_sema::program::{
    Element, Function, Number, ParamId, Program, Scalar, ScalarExpr, ScalarExprKind, ScalarId, ScalarOp,
    Stmt, StmtKind, statements,
};

/// The scalar that is 0 where a function goes on, and a [`Jump`] where it has come to one. No scalar of a
/// program has such a name.
const JUMP: &str = "$jump";

/// What a loop does with a jump inside of it, as the value of the flag.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Jump {
    /// Takes it back at the end of the iteration.
    Continue = 1,
    /// Ends, and takes it back behind itself.
    Break = 2,
    /// Ends.
    Return = 3,
}

impl Jump {
    fn of(stmt: &Stmt) -> Option<Self> {
        match stmt.kind {
            StmtKind::Continue => Some(Self::Continue),
            StmtKind::Break => Some(Self::Break),
            StmtKind::Return(_) => Some(Self::Return),
            _ => None,
        }
    }
}

/// The same program, none of whose statements is a jump.
pub(crate) fn without(program: &Program) -> Program {
    Program { functions: program.functions.iter().map(function).collect() }
}

/// The scalar of a function without jumps that is not 0 where there would have been one; loops end there.
pub(crate) fn flag(function: &Function) -> Option<ScalarId> {
    function.scalars.iter().position(|scalar| scalar.name == JUMP).map(ScalarId)
}

fn function(function: &Function) -> Function {
    let result = match function.result {
        Some(ParamId::Scalar(result)) => Some(result),
        _ => None,
    };
    let inner = function.body.iter().flat_map(Stmt::blocks).flat_map(statements);
    let nested = inner.into_iter().any(|stmt| Jump::of(stmt).is_some());
    let mut scalars = function.scalars.clone();
    let flag = ScalarId(scalars.len());
    if nested {
        scalars.push(Scalar {
            name: JUMP.to_owned(),
            element: Element::I64,
            prints_bare: false,
            span: function.span,
        });
    }
    let writer = JumpWriter { result, flag: nested.then_some(flag) };
    let mut body: Vec<Stmt> = writer.flag.map(|flag| set(flag, 0, function.span)).into_iter().collect();
    body.extend(writer.statements(&function.body));
    Function { scalars, body, ..function.clone() }
}

/// Whether a statement may end with the flag set.
fn jumps(stmt: &Stmt) -> bool {
    let may_set = |jump| holds(stmt, jump);
    match stmt.kind {
        // A loop takes its own jumps back.
        StmtKind::For { .. } | StmtKind::While { .. } => may_set(Jump::Return),
        _ => [Jump::Continue, Jump::Break, Jump::Return].into_iter().any(may_set),
    }
}

/// Whether a statement is such a jump or has one in it; one of a loop in it is the loop's own, a `return` the
/// function's.
fn holds(stmt: &Stmt, jump: Jump) -> bool {
    let is_loop = matches!(stmt.kind, StmtKind::For { .. } | StmtKind::While { .. });
    Jump::of(stmt) == Some(jump)
        || (!is_loop || jump == Jump::Return)
            && stmt.blocks().into_iter().flatten().any(|inner| holds(inner, jump))
}

fn number(value: i64, span: Span) -> ScalarExpr {
    ScalarExpr { kind: ScalarExprKind::Number(Number::Int(value)), element: Element::I64, span }
}

fn set(scalar: ScalarId, value: i64, span: Span) -> Stmt {
    Stmt { kind: StmtKind::SetScalar { scalar, value: number(value, span) }, span }
}

struct JumpWriter {
    /// The scalar that takes a returned value.
    result: Option<ScalarId>,
    /// Set where a jump is inside of a loop or a branch.
    flag: Option<ScalarId>,
}

impl JumpWriter {
    /// The statements up to each that may jump run only where none before has.
    fn statements(&self, body: &[Stmt]) -> Vec<Stmt> {
        let mut written: Vec<Stmt> = Vec::new();
        let mut rest = body;
        let mut has_jumped = false;
        while let Some(last) = rest.iter().position(jumps) {
            let mut part: Vec<Stmt> = rest[..last].iter().flat_map(|stmt| self.statement(stmt)).collect();
            part.extend(self.statement(&rest[last]));
            self.add(part, has_jumped, &mut written);
            has_jumped = true;
            rest = if Jump::of(&rest[last]).is_some() { &[] } else { &rest[last + 1..] };
        }
        let part = rest.iter().flat_map(|stmt| self.statement(stmt)).collect();
        self.add(part, has_jumped, &mut written);
        written
    }

    /// Adds statements, under a condition where those before them may have jumped.
    fn add(&self, part: Vec<Stmt>, has_jumped: bool, written: &mut Vec<Stmt>) {
        let span = part.first().map(|first| first.span).filter(|_| has_jumped);
        let (Some(flag), Some(span)) = (self.flag, span) else { return written.extend(part) };
        written.push(when(flag, 0, part, span));
    }

    /// A statement without jumps, with what takes its jumps back.
    fn statement(&self, stmt: &Stmt) -> Vec<Stmt> {
        let (mut kind, span) = (stmt.kind.clone(), stmt.span);
        match &mut kind {
            StmtKind::Return(value) => return self.end(value.take(), span),
            StmtKind::Break => return self.jump(Jump::Break, span),
            StmtKind::Continue => return self.jump(Jump::Continue, span),
            StmtKind::For { body, .. } | StmtKind::While { body, .. } => {
                let ends = body.iter().any(|stmt| holds(stmt, Jump::Break));
                *body = self.iteration(body, span);
                let behind = self.flag.filter(|_| ends).map(|flag| taken_back(flag, Jump::Break, span));
                return std::iter::once(Stmt { kind, span }).chain(behind).collect();
            }
            StmtKind::If { then_body, else_body, .. } => {
                *then_body = self.statements(then_body);
                *else_body = self.statements(else_body);
            }
            _ => {}
        }
        vec![Stmt { kind, span }]
    }

    /// The body of a loop, at whose end a `continue` has done its work.
    fn iteration(&self, body: &[Stmt], span: Span) -> Vec<Stmt> {
        let continues = body.iter().any(|stmt| holds(stmt, Jump::Continue));
        let end = self.flag.filter(|_| continues).map(|flag| taken_back(flag, Jump::Continue, span));
        self.statements(body).into_iter().chain(end).collect()
    }

    fn end(&self, value: Option<ScalarExpr>, span: Span) -> Vec<Stmt> {
        let result = value.zip(self.result);
        let result = result.map(|(value, scalar)| Stmt { kind: StmtKind::SetScalar { scalar, value }, span });
        result.into_iter().chain(self.jump(Jump::Return, span)).collect()
    }

    fn jump(&self, jump: Jump, span: Span) -> Vec<Stmt> {
        self.flag.map(|flag| set(flag, jump as i64, span)).into_iter().collect()
    }
}

/// `if flag == jump: flag = 0; end`.
fn taken_back(flag: ScalarId, jump: Jump, span: Span) -> Stmt {
    when(flag, jump as i64, vec![set(flag, 0, span)], span)
}

/// `if flag == value: …; end`.
fn when(flag: ScalarId, value: i64, then_body: Vec<Stmt>, span: Span) -> Stmt {
    let left = Box::new(ScalarExpr { kind: ScalarExprKind::Scalar(flag), element: Element::I64, span });
    let right = Box::new(number(value, span));
    let kind = ScalarExprKind::Binary { op: ScalarOp::Eq, left, right };
    let condition = ScalarExpr { kind, element: Element::I64, span };
    Stmt { kind: StmtKind::If { condition, then_body, else_body: Vec::new() }, span }
}
