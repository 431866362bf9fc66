//! A kernel as a program: its operands are read from files, and its result is printed.

use comet_diag::Span;
use comet_syntax::ast::{
    Assign, AssignOp, DimKind, Expr, ExprKind, Function, Ident, Index, Module, Number, Param, Range,
    RangeKind, Stmt, StmtKind,
};
use std::collections::{BTreeSet, HashMap};

/// The value of a scalar that a program has in the place of a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ScalarLiteral {
    Integer(i64),
    /// Finite: the language has no literals of others.
    Real(f64),
}

impl ScalarLiteral {
    /// The literal of the absolute value, and whether it is negated.
    fn literal(self) -> (Number, bool) {
        match self {
            Self::Integer(integer) => {
                let absolute = integer.unsigned_abs();
                let number = Number { value: absolute as f64, integer: i64::try_from(absolute).ok() };
                (number, integer < 0)
            }
            Self::Real(real) => (Number { value: real.abs(), integer: None }, real < 0.0),
        }
    }
}

/// The program that reads each tensor of a kernel by `--input NAME=FILE`, with these values of scalars, and
/// computes what the kernel does; `None` of a file without a kernel.
pub fn program(kernels: &Module, scalars: &HashMap<String, ScalarLiteral>) -> Option<Module> {
    let kernel = kernels.functions.first()?;
    let span = kernel.span;
    let stmt = |kind| Stmt { kind, span };
    let signature: Vec<&Param> = kernel.params.iter().chain(&kernel.result).collect();
    let mut labels = BTreeSet::new();
    for param in &signature {
        if let Param::Tensor(decl) = param {
            labels.extend(decl.dims.iter().filter_map(|dim| match &dim.kind {
                DimKind::Label(name) => Some(name.clone()),
                DimKind::Size(_) | DimKind::Open => None,
            }));
        }
    }
    let names: Vec<Ident> = labels.into_iter().map(|name| Ident { name, span }).collect();
    let mut body = Vec::new();
    if !names.is_empty() {
        body.push(stmt(StmtKind::Label { names, range: Some(Range { kind: RangeKind::Open, span }) }));
    }
    for param in &signature {
        match param {
            Param::Tensor(decl) => body.push(stmt(StmtKind::Tensor(decl.clone()))),
            Param::Scalar { name, .. } => {
                let value = scalars.get(&name.name).copied().unwrap_or(ScalarLiteral::Integer(0));
                let (number, is_negative) = value.literal();
                let number = Expr { kind: ExprKind::Number(number), span };
                let value = match is_negative {
                    true => Expr { kind: ExprKind::Neg(Box::new(number)), span },
                    false => number,
                };
                body.push(stmt(StmtKind::Var { name: name.clone(), value }));
            }
        }
    }
    let tensors = kernel.params.iter().filter_map(|param| match param {
        Param::Tensor(decl) => Some(decl),
        Param::Scalar { .. } => None,
    });
    for (number, decl) in tensors.enumerate() {
        let number = Number { value: number as f64, integer: Some(number as i64) };
        let number = Expr { kind: ExprKind::Number(number), span };
        let callee = Ident { name: "comet_read".to_owned(), span };
        let index = |mode| Index::Name(Ident { name: format!("m{mode}"), span: Span::default() });
        body.push(stmt(StmtKind::Assign(Assign {
            tensor: decl.name.clone(),
            indices: (0..decl.dims.len()).map(index).collect(),
            target_span: span,
            mask: None,
            op: AssignOp::Set,
            value: Expr { kind: ExprKind::Call { callee, args: vec![number] }, span },
            schedule: None,
        })));
    }
    body.extend(kernel.body.iter().cloned());
    let name = Ident { name: "main".to_owned(), span };
    let main = Function { name, params: Vec::new(), result: None, properties: None, body, span };
    Some(Module { functions: vec![main] })
}
