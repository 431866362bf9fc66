//! Functions of numbers, comparisons, `select`, `stored` and `drop`: language.md, "Functions".
//!
//! A nest of functions has operands, which are what its arguments are but for functions. Its value is present
//! where one of the sparse operands is, if it is 0 without their entries whatever else is known of it, and
//! everywhere otherwise; in `stored(…)`, where all operands are.

use std::cmp::Ordering;
use std::rc::Rc;

use comet_diag::Span;
use comet_syntax::ast::{
    BinaryOp, Element, Expr, ExprKind, Function, Ident, Module, Number, Operator, Param,
};

use crate::Inputs;
use crate::action;
use crate::complex;
use crate::error::{OracleError, Result};
use crate::eval::{LabelPoint, eval};
use crate::frame::Variables;
use crate::interpret::Interpreter;
use crate::number::{TypedNumber, apply, complex_of, computed, part, wider};
use crate::resolve::Labels;
use crate::term::{BoundTerm, Patterns, TermKind};

#[derive(Clone)]
pub(crate) enum FunctionTree {
    Operand(Box<BoundTerm>),
    /// A function of one number, by its name.
    Apply(String, Box<FunctionTree>),
    /// The value as an element of that type stores it.
    Convert(Element, Box<FunctionTree>),
    Compare(BinaryOp, Box<[FunctionTree; 2]>),
    /// `pow`, `min`, `max`.
    Pair(PairFunction, Box<[FunctionTree; 2]>),
    /// The condition, and the two values.
    Select(Box<[FunctionTree; 3]>),
    /// A function of the file on scalars.
    User(Rc<UserFunction>, Vec<FunctionTree>),
}

/// A function of the file, with those that it calls.
pub(crate) struct UserFunction {
    pub(crate) module: Module,
    pub(crate) name: String,
    pub(crate) result: Element,
}

impl UserFunction {
    pub(crate) fn value(&self, arguments: &[TypedNumber]) -> Result<TypedNumber> {
        let inputs = Inputs::default();
        let mut interpreter = Interpreter::new(&self.module, &inputs);
        let function = action::function(&self.module, &self.name).expect("it was found before");
        let written = |value: &TypedNumber| {
            let number = |number| Expr { kind: ExprKind::Number(number), span: Span::default() };
            let float = |value| number(Number { value, integer: None });
            match *value {
                TypedNumber::I64(integer) => number(Number { value: integer as f64, integer: Some(integer) }),
                TypedNumber::C64(..) | TypedNumber::C128(..) => {
                    let callee = Ident { name: "complex".to_owned(), span: Span::default() };
                    let (re, im) = value.parts();
                    let kind = ExprKind::Call { callee, args: vec![float(re), float(im)] };
                    Expr { kind, span: Span::default() }
                }
                other => float(other.to_f64()),
            }
        };
        let arguments: Vec<Expr> = arguments.iter().map(written).collect();
        interpreter
            .scalar_call(&Variables::default(), function, &arguments)
            .map(|value| value.to(self.result))
    }
}

#[derive(Clone, Copy)]
pub(crate) enum PairFunction {
    Pow,
    Min,
    Max,
    Complex,
}

const NAMES: [&str; 27] = [
    "abs", "sqrt", "rsqrt", "exp", "expm1", "log", "log1p", "sin", "cos", "tanh", "sigmoid", "relu", "floor",
    "ceil", "round", "sign", "isnan", "pow", "min", "max", "select", "stored", "drop", "complex", "conj",
    "real", "imag",
];

/// Returns whether an expression applies a function to elements; the functions of the file come first.
pub(crate) fn is_elementwise(interpreter: &Interpreter<'_>, expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Call { callee, .. } => {
            action::function(interpreter.module, &callee.name).is_none()
                && (NAMES.contains(&callee.name.as_str()) || Element::named(&callee.name).is_some())
        }
        ExprKind::Binary { op, .. } => is_condition(*op),
        _ => false,
    }
}

/// Returns the function of the file that a call applies to elements.
pub(crate) fn of_elements<'m>(interpreter: &Interpreter<'m>, expr: &Expr) -> Option<&'m Function> {
    let ExprKind::Call { callee, args } = &expr.kind else { return None };
    let function = action::function(interpreter.module, &callee.name)?;
    let is_scalar = |param: &Param| matches!(param, Param::Scalar { .. });
    let is_of_scalars =
        function.params.iter().all(is_scalar) && function.result.as_ref().is_some_and(is_scalar);
    (is_of_scalars && args.iter().any(|arg| has_labels(interpreter, arg))).then_some(function)
}

fn has_labels(interpreter: &Interpreter<'_>, expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Access { indices, .. } | ExprKind::Transpose { indices, .. } => !indices.is_empty(),
        ExprKind::Neg(inner) => has_labels(interpreter, inner),
        ExprKind::Binary { left, right, .. } => {
            has_labels(interpreter, left) || has_labels(interpreter, right)
        }
        ExprKind::Call { args, .. } if is_elementwise(interpreter, expr) => {
            args.iter().any(|arg| has_labels(interpreter, arg))
        }
        ExprKind::Call { .. } => of_elements(interpreter, expr).is_some(),
        _ => false,
    }
}

fn is_condition(op: BinaryOp) -> bool {
    matches!(
        op,
        BinaryOp::Eq
            | BinaryOp::Ne
            | BinaryOp::Lt
            | BinaryOp::Le
            | BinaryOp::Gt
            | BinaryOp::Ge
            | BinaryOp::And
            | BinaryOp::Or
    )
}

impl Interpreter<'_> {
    pub(crate) fn elementwise(
        &mut self,
        frame: &Variables,
        labels: &mut Labels,
        expr: &Expr,
    ) -> Result<BoundTerm> {
        if let ExprKind::Call { callee, args } = &expr.kind {
            match (callee.name.as_str(), &args[..]) {
                ("stored", [value]) => {
                    let around = std::mem::replace(&mut labels.in_stored, true);
                    let value = self.resolve(frame, labels, value)?;
                    labels.in_stored = around;
                    return Ok(BoundTerm::opaque(value));
                }
                ("drop", [value, condition]) => {
                    let value = self.resolve(frame, labels, value)?;
                    let condition = self.nest(frame, labels, condition)?;
                    return Ok(BoundTerm::dropped(value, condition));
                }
                _ => {}
            }
        }
        let nest = self.nest(frame, labels, expr)?;
        Ok(BoundTerm::elementwise(nest, labels.in_stored))
    }

    fn nest(&mut self, frame: &Variables, labels: &mut Labels, expr: &Expr) -> Result<FunctionTree> {
        let is_own = is_elementwise(self, expr);
        match &expr.kind {
            ExprKind::Call { callee, args } if let Some(function) = of_elements(self, expr) => {
                let arguments =
                    args.iter().map(|arg| self.nest(frame, labels, arg)).collect::<Result<_>>()?;
                let Some(Param::Scalar { element: result, .. }) = &function.result else {
                    unreachable!("it returns a scalar")
                };
                let (module, name) = (self.module.clone(), callee.name.clone());
                Ok(FunctionTree::User(Rc::new(UserFunction { module, name, result: *result }), arguments))
            }
            ExprKind::Binary { op, left, right, .. } if is_own => {
                let pair = [self.nest(frame, labels, left)?, self.nest(frame, labels, right)?];
                Ok(FunctionTree::Compare(*op, Box::new(pair)))
            }
            ExprKind::Call { callee, args } if is_own => match (callee.name.as_str(), &args[..]) {
                ("stored" | "drop", _) => {
                    self.resolve(frame, labels, expr).map(|term| FunctionTree::Operand(Box::new(term)))
                }
                ("select", [condition, then, otherwise]) => Ok(FunctionTree::Select(Box::new([
                    self.nest(frame, labels, condition)?,
                    self.nest(frame, labels, then)?,
                    self.nest(frame, labels, otherwise)?,
                ]))),
                (name @ ("pow" | "min" | "max" | "complex"), [left, right]) => {
                    let function = match name {
                        "pow" => PairFunction::Pow,
                        "complex" => PairFunction::Complex,
                        "min" => PairFunction::Min,
                        _ => PairFunction::Max,
                    };
                    let pair = [self.nest(frame, labels, left)?, self.nest(frame, labels, right)?];
                    Ok(FunctionTree::Pair(function, Box::new(pair)))
                }
                (name, [operand]) if let Some(to) = Element::named(name) => {
                    Ok(FunctionTree::Convert(to, Box::new(self.nest(frame, labels, operand)?)))
                }
                (name, [operand]) => {
                    Ok(FunctionTree::Apply(name.to_owned(), Box::new(self.nest(frame, labels, operand)?)))
                }
                (name, _) => Err(OracleError::new(format!("`{name}` has another number of arguments"))),
            },
            _ => self.resolve(frame, labels, expr).map(|term| FunctionTree::Operand(Box::new(term))),
        }
    }
}

impl FunctionTree {
    pub(crate) fn element(&self) -> Element {
        match self {
            Self::Operand(term) => term.element,
            Self::Apply(name, operand) => match (name.as_str(), operand.element()) {
                ("isnan", _) => Element::I64,
                ("abs" | "real" | "imag", element) => part(element),
                ("conj", element) => element,
                ("relu" | "floor" | "ceil" | "round" | "sign", element) => element,
                (_, Element::I64) => Element::F64,
                (_, element) => element,
            },
            Self::Convert(to, _) => computed(*to),
            Self::Compare(..) => Element::I64,
            Self::Pair(function, operands) => {
                match (function, wider(operands[0].element(), operands[1].element())) {
                    (PairFunction::Pow, Element::I64) => Element::F64,
                    (PairFunction::Complex, element) => complex_of(element),
                    (_, element) => element,
                }
            }
            Self::Select(operands) => wider(operands[1].element(), operands[2].element()),
            Self::User(function, _) => computed(function.result),
        }
    }

    pub(crate) fn operands(&self) -> Vec<&BoundTerm> {
        match self {
            Self::Operand(term) => vec![term],
            Self::Apply(_, operand) | Self::Convert(_, operand) => operand.operands(),
            Self::Compare(_, operands) | Self::Pair(_, operands) => {
                operands.iter().flat_map(Self::operands).collect()
            }
            Self::Select(operands) => operands.iter().flat_map(Self::operands).collect(),
            Self::User(_, arguments) => arguments.iter().flat_map(Self::operands).collect(),
        }
    }

    /// The value, with what operands have in the place of them; unknown where one that it depends on is.
    fn value(
        &self,
        of: &mut dyn FnMut(&BoundTerm) -> Result<Option<TypedNumber>>,
    ) -> Result<Option<TypedNumber>> {
        let value = match self {
            Self::Operand(term) => of(term)?,
            Self::Apply(name, operand) => {
                operand.value(of)?.map(|value| applied(name, value.to(self.argument(operand))))
            }
            Self::Convert(to, operand) => operand.value(of)?.map(|value| value.to(*to)),
            Self::Compare(op, operands) => {
                let [left, right] = [operands[0].value(of)?, operands[1].value(of)?];
                compared(*op, left, right)
            }
            Self::Pair(function, operands) => {
                let [left, right] = [operands[0].value(of)?, operands[1].value(of)?];
                match (left, right) {
                    (Some(left), Some(right)) => Some(self.pair(*function, left, right)?),
                    _ => None,
                }
            }
            Self::User(function, arguments) => {
                let mut values = Vec::new();
                for argument in arguments {
                    values.push(argument.value(of)?);
                }
                user_value(function, &values)?
            }
            Self::Select(operands) => {
                let [condition, then, otherwise] =
                    [operands[0].value(of)?, operands[1].value(of)?, operands[2].value(of)?];
                let is_zero = |value: Option<TypedNumber>| value.is_some_and(TypedNumber::is_zero);
                match condition {
                    Some(condition) if condition.is_zero() => otherwise,
                    Some(_) => then,
                    None if is_zero(then) && is_zero(otherwise) => then,
                    None => None,
                }
            }
        };
        Ok(value.map(|value| value.to(self.element())))
    }

    /// The type that an argument of a function is converted to.
    fn argument(&self, operand: &Self) -> Element {
        match self.element() {
            Element::I64 => operand.element(),
            _ if part(operand.element()) != operand.element() => operand.element(),
            element => element,
        }
    }

    fn pair(&self, function: PairFunction, left: TypedNumber, right: TypedNumber) -> Result<TypedNumber> {
        if matches!(function, PairFunction::Complex) {
            return Ok(TypedNumber::C128(left.to_f64(), right.to_f64()).to(self.element()));
        }
        let (left, right) = (left.to(self.element()), right.to(self.element()));
        Ok(match function {
            PairFunction::Complex => unreachable!("its parts keep their type"),
            PairFunction::Min => apply(Operator::Min, left, right)?,
            PairFunction::Max => apply(Operator::Max, left, right)?,
            PairFunction::Pow => TypedNumber::F64(left.to_f64().powf(right.to_f64())).to(self.element()),
        })
    }
}

/// The value of a function of the file; where arguments are unknown, it is 0 if it is so for some of all
/// kinds.
fn user_value(function: &UserFunction, arguments: &[Option<TypedNumber>]) -> Result<Option<TypedNumber>> {
    let with = |number: f64| -> Result<TypedNumber> {
        let known = |argument: &Option<TypedNumber>| argument.unwrap_or(TypedNumber::F64(number));
        function.value(&arguments.iter().map(known).collect::<Vec<_>>())
    };
    if arguments.iter().all(Option::is_some) {
        return with(0.0).map(Some);
    }
    for number in [-2.5, -1.0, 0.5, 1.0, 2.0, 1e9] {
        if !with(number)?.is_zero() {
            return Ok(None);
        }
    }
    Ok(Some(TypedNumber::zero(function.result)))
}

/// The value of a nest at a point, if it is present there.
pub(crate) fn at_point(
    nest: &FunctionTree,
    is_stored: bool,
    point: &mut LabelPoint<'_>,
) -> Result<Option<TypedNumber>> {
    let operands = nest.operands();
    let mut present = Vec::new();
    for operand in &operands {
        present.push(eval(operand, point)?.is_some());
    }
    let sparse = || operands.iter().map(|operand| !is_everywhere(operand));
    let is_present = if is_stored {
        present.iter().all(|present| *present)
    } else {
        let is_zero = without_entries(nest)?.is_some_and(TypedNumber::is_zero);
        !is_zero
            || !sparse().any(|is_sparse| is_sparse)
            || sparse().zip(&present).any(|(sparse, at)| sparse && *at)
    };
    if !is_present {
        return Ok(None);
    }
    with_zeros(nest, point).map(Some)
}

/// The value where a missing operand counts as 0.
pub(crate) fn with_zeros(nest: &FunctionTree, point: &mut LabelPoint<'_>) -> Result<TypedNumber> {
    let mut of = |term: &BoundTerm| Ok(Some(eval(term, point)?.unwrap_or(TypedNumber::zero(term.element))));
    Ok(nest.value(&mut of)?.expect("all operands are known"))
}

/// The value where no sparse operand has an entry, as far as the text says.
fn without_entries(nest: &FunctionTree) -> Result<Option<TypedNumber>> {
    nest.value(&mut |term| {
        Ok(match written(term) {
            Some(number) => Some(number),
            None if is_everywhere(term) => None,
            None => Some(TypedNumber::zero(term.element)),
        })
    })
}

fn written(term: &BoundTerm) -> Option<TypedNumber> {
    match &term.kind {
        TermKind::Written(number) => Some(*number),
        TermKind::Neg(inner) => written(inner).map(TypedNumber::negated),
        _ => None,
    }
}

fn is_everywhere(term: &BoundTerm) -> bool {
    match &term.kind {
        TermKind::Constant(_) | TermKind::Written(_) => true,
        TermKind::Access { tensor, indices } => {
            tensor.borrow().is_dense() && indices.iter().all(|index| !index.is_shifted)
        }
        TermKind::Neg(inner) | TermKind::Reduce { body: inner, .. } | TermKind::Opaque(inner) => {
            is_everywhere(inner)
        }
        TermKind::Binary { op, left, right } => match op.patterns {
            Patterns::Unite => is_everywhere(left) || is_everywhere(right),
            Patterns::Intersect => is_everywhere(left) && is_everywhere(right),
        },
        TermKind::Dropped { .. } => false,
        TermKind::Elementwise { nest, is_stored } => {
            let mut operands = nest.operands().into_iter();
            let is_zero = || without_entries(nest).is_ok_and(|value| value.is_some_and(TypedNumber::is_zero));
            operands.clone().all(is_everywhere) || (!is_stored && operands.any(|_| true) && !is_zero())
        }
    }
}

fn applied(name: &str, value: TypedNumber) -> TypedNumber {
    match value {
        TypedNumber::I64(value) => TypedNumber::I64(applied_to_integer(name, value)),
        _ if part(value.element()) != value.element() => applied_to_complex(name, value),
        _ => TypedNumber::F64(applied_to_double(name, value.to_f64())).to(value.element()),
    }
}

fn applied_to_integer(name: &str, value: i64) -> i64 {
    match name {
        "abs" => value.wrapping_abs(),
        "relu" => value.max(0),
        "sign" => value.signum(),
        "isnan" | "imag" => 0,
        _ => value,
    }
}

fn applied_to_double(name: &str, x: f64) -> f64 {
    match name {
        "conj" | "real" => x,
        "imag" => 0.0,
        "abs" => x.abs(),
        "sqrt" => x.sqrt(),
        "rsqrt" => 1.0 / x.sqrt(),
        "exp" => x.exp(),
        "expm1" => x.exp_m1(),
        "log" => x.ln(),
        "log1p" => x.ln_1p(),
        "sin" => x.sin(),
        "cos" => x.cos(),
        "tanh" => x.tanh(),
        // Without a power that overflows.
        "sigmoid" if x < 0.0 => x.exp() / (1.0 + x.exp()),
        "sigmoid" => 1.0 / (1.0 + (-x).exp()),
        "relu" if x < 0.0 => 0.0,
        "relu" => x,
        "floor" => x.floor(),
        "ceil" => x.ceil(),
        "round" => x.round_ties_even(),
        "sign" if x == 0.0 => 0.0,
        "sign" if x.is_nan() => x,
        "sign" => x.signum(),
        "isnan" => f64::from(u8::from(x.is_nan())),
        other => unreachable!("`{other}` is in the list of names"),
    }
}

/// A function of a complex number.
fn applied_to_complex(name: &str, value: TypedNumber) -> TypedNumber {
    let ((re, im), element) = (value.parts(), value.element());
    let real = |value| TypedNumber::F64(value).to(part(element));
    let (re, im) = match name {
        "abs" => return real(re.hypot(im)),
        "real" => return real(re),
        "imag" => return real(im),
        "isnan" => return TypedNumber::I64(i64::from(re.is_nan() || im.is_nan())),
        "conj" => (re, -im),
        "sqrt" => complex::root((re, im)),
        "exp" => complex::exponential((re, im)),
        other => unreachable!("`{other}` is a function of real numbers"),
    };
    TypedNumber::C128(re, im).to(element)
}

/// 0 or 1; logical operators may know their value from one side.
fn compared(op: BinaryOp, left: Option<TypedNumber>, right: Option<TypedNumber>) -> Option<TypedNumber> {
    let truth = |truth: bool| Some(TypedNumber::I64(i64::from(truth)));
    let is_zero = |value: Option<TypedNumber>| value.is_some_and(TypedNumber::is_zero);
    if op == BinaryOp::And && (is_zero(left) || is_zero(right)) {
        return truth(false);
    }
    let (left, right) = (left?, right?);
    let element = wider(left.element(), right.element());
    let order = match (left.to(element), right.to(element)) {
        (TypedNumber::I64(x), TypedNumber::I64(y)) => Some(x.cmp(&y)),
        (x, y) if part(element) != element => (x.parts() == y.parts()).then_some(Ordering::Equal),
        (x, y) => x.to_f64().partial_cmp(&y.to_f64()),
    };
    truth(match op {
        BinaryOp::Eq => order.is_some_and(|order| order.is_eq()),
        BinaryOp::Ne => order.is_none_or(|order| order.is_ne()),
        BinaryOp::Lt => order.is_some_and(|order| order.is_lt()),
        BinaryOp::Le => order.is_some_and(|order| order.is_le()),
        BinaryOp::Gt => order.is_some_and(|order| order.is_gt()),
        BinaryOp::Ge => order.is_some_and(|order| order.is_ge()),
        BinaryOp::Or => !left.is_zero() || !right.is_zero(),
        _ => !left.is_zero() && !right.is_zero(),
    })
}
