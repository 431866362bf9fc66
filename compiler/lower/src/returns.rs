//! Programs without `return`: a value that is returned becomes an assignment to the result, and what follows
//! a statement that may return runs only where it has not.

use comet_diag::Span;
use comet_sema::program::{
    Element, Function, Number, ParamId, Program, Scalar, ScalarExpr, ScalarExprKind, ScalarId, ScalarOp,
    Stmt, StmtKind,
};

/// The scalar that is 1 where the function has returned. No scalar of a program has such a name.
const RETURNED: &str = "$returned";

/// The same program, none of whose statements is a `return`.
pub(crate) fn without(program: &Program) -> Program {
    Program { functions: program.functions.iter().map(function).collect() }
}

/// The scalar of a function without `return` that is not 0 where it would have returned; loops end there.
pub(crate) fn flag(function: &Function) -> Option<ScalarId> {
    function.scalars.iter().position(|scalar| scalar.name == RETURNED).map(ScalarId)
}

fn function(function: &Function) -> Function {
    let result = match function.result {
        Some(ParamId::Scalar(result)) => Some(result),
        _ => None,
    };
    let nested = function.body.iter().any(|stmt| stmt.blocks().into_iter().flatten().any(returns));
    let mut scalars = function.scalars.clone();
    let flag = ScalarId(scalars.len());
    if nested {
        scalars.push(Scalar {
            name: RETURNED.to_owned(),
            element: Element::I64,
            prints_bare: false,
            span: function.span,
        });
    }
    let writer = ReturnWriter { result, flag: nested.then_some(flag) };
    let mut body: Vec<Stmt> = writer.flag.map(|flag| set(flag, 0, function.span)).into_iter().collect();
    body.extend(writer.statements(&function.body));
    Function { scalars, body, ..function.clone() }
}

fn returns(stmt: &Stmt) -> bool {
    matches!(stmt.kind, StmtKind::Return(_)) || stmt.blocks().into_iter().flatten().any(returns)
}

fn number(value: i64, span: Span) -> ScalarExpr {
    ScalarExpr { kind: ScalarExprKind::Number(Number::Int(value)), element: Element::I64, span }
}

fn set(scalar: ScalarId, value: i64, span: Span) -> Stmt {
    Stmt { kind: StmtKind::SetScalar { scalar, value: number(value, span) }, span }
}

struct ReturnWriter {
    /// The scalar that takes a returned value.
    result: Option<ScalarId>,
    /// Set where a `return` is inside of a loop or a branch.
    flag: Option<ScalarId>,
}

impl ReturnWriter {
    /// The statements up to each that may return run only where none before has.
    fn statements(&self, body: &[Stmt]) -> Vec<Stmt> {
        let mut written: Vec<Stmt> = Vec::new();
        let mut rest = body;
        while let Some(last) = rest.iter().position(returns) {
            let mut part = rest[..last].to_vec();
            part.extend(self.returning(&rest[last]));
            self.add(part, &mut written);
            let ends = matches!(rest[last].kind, StmtKind::Return(_));
            rest = if ends { &[] } else { &rest[last + 1..] };
        }
        self.add(rest.to_vec(), &mut written);
        written
    }

    /// Adds statements, under a condition where there are some that may return before them.
    fn add(&self, part: Vec<Stmt>, written: &mut Vec<Stmt>) {
        let span = part.first().map(|first| first.span).filter(|_| !written.is_empty());
        let (Some(flag), Some(span)) = (self.flag, span) else { return written.extend(part) };
        let condition = ScalarExpr { kind: has_not_returned(flag, span), element: Element::I64, span };
        written.push(Stmt { kind: StmtKind::If { condition, then_body: part, else_body: Vec::new() }, span });
    }

    /// One statement that may return.
    fn returning(&self, stmt: &Stmt) -> Vec<Stmt> {
        let mut kind = stmt.kind.clone();
        match &mut kind {
            StmtKind::Return(value) => return self.end(value.take(), stmt.span),
            StmtKind::For { body, .. } | StmtKind::While { body, .. } => *body = self.statements(body),
            StmtKind::If { then_body, else_body, .. } => {
                *then_body = self.statements(then_body);
                *else_body = self.statements(else_body);
            }
            _ => unreachable!("only loops and branches hold a `return`"),
        }
        vec![Stmt { kind, span: stmt.span }]
    }

    fn end(&self, value: Option<ScalarExpr>, span: Span) -> Vec<Stmt> {
        let result = value.zip(self.result);
        let result = result.map(|(value, scalar)| Stmt { kind: StmtKind::SetScalar { scalar, value }, span });
        result.into_iter().chain(self.flag.map(|flag| set(flag, 1, span))).collect()
    }
}

fn has_not_returned(flag: ScalarId, span: Span) -> ScalarExprKind {
    let flag = ScalarExpr { kind: ScalarExprKind::Scalar(flag), element: Element::I64, span };
    ScalarExprKind::Binary { op: ScalarOp::Eq, left: Box::new(flag), right: Box::new(number(0, span)) }
}
