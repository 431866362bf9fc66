//! The result of a statement by loops over all points.

use comet_sam::arithmetic::{Element, Function, NumberFunction, Operator, Reduction, TypedValue};
use comet_sam::graph::{GraphLevel, Kept, Merge, TensorFormat};
use comet_sam::lower::{IndexAccess, IndexExpression, IndexStatement};
use comet_sam::storage::{Entry, StoredLevel, StoredTensor};
use std::collections::BTreeMap;

/// What has no value is not stored; a scalar always is.
pub(crate) fn expected(
    statement: &IndexStatement,
    tensors: &BTreeMap<String, StoredTensor>,
    extent: &dyn Fn(&str) -> usize,
) -> Vec<Entry> {
    let stored = |format: &TensorFormat| tensors.get(&format.name).map_or(BTreeMap::new(), stored_points);
    let loops = Loops { statement, stored: statement.tensors.iter().map(stored).collect(), extent };
    let indices = &statement.result.indices;
    let nothing = || nothing(statement.fill, statement.tensors[0].element);
    let mut found = Vec::new();
    for point in points(&indices.iter().map(|index| extent(index)).collect::<Vec<_>>()) {
        let bound: Bound<'_> = indices.iter().map(String::as_str).zip(point.iter().copied()).collect();
        // The result has a variable that repeats on its diagonal only.
        if indices.iter().zip(&point).any(|(index, value)| bound[index.as_str()] != *value) {
            continue;
        }
        let value = loops.evaluate(&statement.value, &bound);
        if value.is_some() || point.is_empty() {
            found.push((point, value.unwrap_or_else(nothing)));
        }
    }
    found
}

/// The values of index variables.
type Bound<'a> = BTreeMap<&'a str, usize>;

struct Loops<'a> {
    statement: &'a IndexStatement,
    stored: Vec<BTreeMap<Vec<usize>, TypedValue>>,
    extent: &'a dyn Fn(&str) -> usize,
}

impl<'a> Loops<'a> {
    fn evaluate(&self, expression: &'a IndexExpression, bound: &Bound<'a>) -> Option<TypedValue> {
        match expression {
            IndexExpression::Access(access) => self.at(access, bound),
            IndexExpression::Apply(function, value) => Some(apply(*function, self.evaluate(value, bound)?)),
            IndexExpression::Combine(how, operator, a, b) => {
                let zero = || TypedValue::I64(0).to(expression.element_of(&self.statement.tensors));
                let (a, b) = match (how, self.evaluate(a, bound), self.evaluate(b, bound)) {
                    (_, None, None) | (Merge::Intersect, None, _) | (Merge::Intersect, _, None) => {
                        return None;
                    }
                    (_, a, b) => (a.unwrap_or_else(zero), b.unwrap_or_else(zero)),
                };
                Some(combine(*operator, a, b))
            }
            IndexExpression::Reduce(reduction, index, body) => {
                let values = (0..(self.extent)(index)).filter_map(|value| {
                    let mut inner = bound.clone();
                    inner.insert(index, value);
                    self.evaluate(body, &inner)
                });
                let operator = of_reduction(*reduction);
                values.map(|value| truth_of(operator, value)).reduce(|a, b| combine(operator, a, b))
            }
            IndexExpression::Mask(kept, value, mask) => {
                let is_dense = self.statement.tensors[mask.tensor]
                    .levels
                    .iter()
                    .all(|level| *level == GraphLevel::Dense);
                let mask = self
                    .at(mask, bound)
                    .filter(|mask| !is_dense || mask.to(Element::F64) != TypedValue::F64(0.0));
                self.evaluate(value, bound).filter(|_| mask.is_some() == (*kept == Kept::Stored))
            }
            IndexExpression::Drop(value, condition) => {
                let condition = self.evaluate(condition, bound).map(|condition| condition.to(Element::F64));
                let is_kept = condition.is_none_or(|condition| condition == TypedValue::F64(0.0));
                self.evaluate(value, bound).filter(|_| is_kept)
            }
        }
    }

    fn at(&self, access: &IndexAccess, bound: &Bound<'a>) -> Option<TypedValue> {
        let point: Vec<usize> = access.indices.iter().map(|index| bound[index.as_str()]).collect();
        self.stored[access.tensor].get(&point).copied()
    }
}

fn points(dims: &[usize]) -> Vec<Vec<usize>> {
    let Some((last, outer)) = dims.split_last() else { return vec![Vec::new()] };
    let outer = points(outer);
    outer
        .iter()
        .flat_map(|point| (0..*last).map(move |inner| [point.as_slice(), &[inner]].concat()))
        .collect()
}

fn nothing(reduction: Reduction, element: Element) -> TypedValue {
    match (reduction, element) {
        (Reduction::Mul | Reduction::And, _) => TypedValue::I64(1).to(element),
        (Reduction::Min, Element::I64) => TypedValue::I64(i64::MAX),
        (Reduction::Max, Element::I64) => TypedValue::I64(i64::MIN),
        (Reduction::Min, _) => TypedValue::F64(f64::INFINITY).to(element),
        (Reduction::Max, _) => TypedValue::F64(f64::NEG_INFINITY).to(element),
        _ => TypedValue::I64(0).to(element),
    }
}

fn of_reduction(reduction: Reduction) -> Operator {
    if reduction == Reduction::Any { Operator::Second } else { reduction }
}

/// A single value is 1 or 0 behind a reduction that gives truths.
fn truth_of(operator: Operator, value: TypedValue) -> TypedValue {
    if matches!(operator, Operator::Or | Operator::And) { combine(operator, value, value) } else { value }
}

fn apply(function: Function, value: TypedValue) -> TypedValue {
    match (function, value) {
        (Function::Negate, TypedValue::F64(value)) => TypedValue::F64(-value),
        (Function::Negate, TypedValue::F32(value)) => TypedValue::F32(-value),
        (Function::Negate, TypedValue::I64(value)) => TypedValue::I64(value.wrapping_neg()),
        (Function::Convert(to), value) => value.to(to),
        (Function::Of(NumberFunction::Relu), TypedValue::F64(value)) => {
            TypedValue::F64(if value < 0.0 { 0.0 } else { value })
        }
        (Function::Of(NumberFunction::Relu), TypedValue::F32(value)) => {
            TypedValue::F32(if value < 0.0 { 0.0 } else { value })
        }
        (Function::Of(NumberFunction::Relu), TypedValue::I64(value)) => {
            TypedValue::I64(if value > 0 { value } else { 0 })
        }
        (Function::Of(NumberFunction::Exp), TypedValue::F64(value)) => TypedValue::F64(value.exp()),
        (Function::Of(NumberFunction::Exp), TypedValue::F32(value)) => {
            TypedValue::F32(f64::from(value).exp() as f32)
        }
        (Function::Of(NumberFunction::Exp), TypedValue::I64(value)) => {
            TypedValue::F64((value as f64).exp()).to(Element::I64)
        }
        (Function::With(operator, constant), value) => {
            combine(operator, value, constant.value(value.element()))
        }
        (Function::Of(NumberFunction::Abs), TypedValue::I64(value)) => TypedValue::I64(value.wrapping_abs()),
        (
            Function::Of(
                NumberFunction::Floor
                | NumberFunction::Ceil
                | NumberFunction::Round
                | NumberFunction::Conj
                | NumberFunction::Real,
            ),
            value @ TypedValue::I64(_),
        ) => value,
        (function, value) => {
            let TypedValue::F64(real) = value.to(Element::F64) else { unreachable!("it has been made one") };
            TypedValue::F64(reals(function, real)).to(value.element())
        }
    }
}

fn reals(function: Function, value: f64) -> f64 {
    match function {
        Function::Of(NumberFunction::Log) => value.ln(),
        Function::Of(NumberFunction::Sqrt) => value.sqrt(),
        Function::Of(NumberFunction::Rsqrt) => 1.0 / value.sqrt(),
        Function::Of(NumberFunction::Sigmoid) if value < 0.0 => value.exp() / (1.0 + value.exp()),
        Function::Of(NumberFunction::Sigmoid) => 1.0 / (1.0 + (-value).exp()),
        Function::Of(NumberFunction::Tanh) => value.tanh(),
        Function::Of(NumberFunction::Sin) => value.sin(),
        Function::Of(NumberFunction::Cos) => value.cos(),
        Function::Of(NumberFunction::Abs) => value.abs(),
        Function::Of(NumberFunction::Expm1) => value.exp_m1(),
        Function::Of(NumberFunction::Log1p) => value.ln_1p(),
        Function::Of(NumberFunction::Floor) => value.floor(),
        Function::Of(NumberFunction::Ceil) => value.ceil(),
        Function::Of(NumberFunction::Round) => value.round_ties_even(),
        Function::Of(NumberFunction::Sign) if value == 0.0 || value.is_nan() => value + 0.0,
        Function::Of(NumberFunction::Sign) => value.signum(),
        Function::Of(NumberFunction::Conj | NumberFunction::Real) => value,
        Function::Of(NumberFunction::Imag) => 0.0,
        Function::Of(NumberFunction::IsNan) => f64::from(u8::from(value.is_nan())),
        other => panic!("{other:?} is no function of reals alone"),
    }
}

fn combine(operator: Operator, a: TypedValue, b: TypedValue) -> TypedValue {
    match (a, b) {
        (TypedValue::F64(a), TypedValue::F64(b)) => TypedValue::F64(floats(operator, a, b)),
        // Exact in f64, and rounded once.
        (TypedValue::F32(a), TypedValue::F32(b)) => {
            TypedValue::F32(floats(operator, a.into(), b.into()) as f32)
        }
        (TypedValue::I64(a), TypedValue::I64(b)) => TypedValue::I64(integers(operator, a, b)),
        (a, b) => panic!("{a:?} and {b:?} meet"),
    }
}

fn floats(operator: Operator, a: f64, b: f64) -> f64 {
    match operator {
        Operator::Mul => a * b,
        Operator::Div => a / b,
        Operator::Add => a + b,
        Operator::Sub => a - b,
        Operator::Min => {
            if a < b || b.is_nan() {
                a
            } else {
                b
            }
        }
        Operator::Max => {
            if a > b || b.is_nan() {
                a
            } else {
                b
            }
        }
        Operator::Any | Operator::First | Operator::Complex => a,
        Operator::Second => b,
        Operator::Pair => 1.0,
        Operator::Or => f64::from(u8::from(a != 0.0 || b != 0.0)),
        Operator::And => f64::from(u8::from(a != 0.0 && b != 0.0)),
        Operator::Pow => a.powf(b),
        Operator::Eq => f64::from(a == b),
        Operator::Ne => f64::from(a != b),
        Operator::Lt => f64::from(a < b),
        Operator::Le => f64::from(a <= b),
        Operator::Gt => f64::from(a > b),
        Operator::Ge => f64::from(a >= b),
        Operator::If => {
            if a != 0.0 {
                b
            } else {
                0.0
            }
        }
        Operator::Else => {
            if a != 0.0 {
                0.0
            } else {
                b
            }
        }
        Operator::Own(_) => unreachable!("graphs refuse them"),
        Operator::Either => {
            if a != 0.0 {
                a
            } else {
                b
            }
        }
    }
}

fn integers(operator: Operator, a: i64, b: i64) -> i64 {
    let (wide_a, wide_b) = (i128::from(a), i128::from(b));
    let wide = match operator {
        Operator::Mul => wide_a * wide_b,
        Operator::Div => wide_a / wide_b,
        Operator::Add => wide_a + wide_b,
        Operator::Sub => wide_a - wide_b,
        Operator::Min => {
            if a < b {
                wide_a
            } else {
                wide_b
            }
        }
        Operator::Max => {
            if a > b {
                wide_a
            } else {
                wide_b
            }
        }
        Operator::Any | Operator::First | Operator::Complex => wide_a,
        Operator::Second => wide_b,
        Operator::Pair => 1,
        Operator::Or => i128::from(a != 0 || b != 0),
        Operator::And => i128::from(a != 0 && b != 0),
        Operator::Eq => i128::from(a == b),
        Operator::Ne => i128::from(a != b),
        Operator::Lt => i128::from(a < b),
        Operator::Le => i128::from(a <= b),
        Operator::Gt => i128::from(a > b),
        Operator::Ge => i128::from(a >= b),
        Operator::If => {
            if a != 0 {
                wide_b
            } else {
                0
            }
        }
        Operator::Else => {
            if a != 0 {
                0
            } else {
                wide_b
            }
        }
        Operator::Own(_) => unreachable!("graphs refuse them"),
        Operator::Either => {
            if a != 0 {
                wide_a
            } else {
                wide_b
            }
        }
        Operator::Pow => panic!("powers are of floating-point numbers"),
    };
    wide as i64
}

/// All that is stored: of a dense tensor every point.
fn stored_points(tensor: &StoredTensor) -> BTreeMap<Vec<usize>, TypedValue> {
    let is_dense = tensor.levels.iter().all(|level| matches!(level, StoredLevel::Dense { .. }));
    let zeros = if is_dense { points(&tensor.dims) } else { Vec::new() };
    let zeros = zeros.into_iter().map(|point| (point, TypedValue::I64(0).to(tensor.values.element)));
    zeros.chain(tensor.entries()).collect()
}
