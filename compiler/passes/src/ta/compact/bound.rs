//! Bounds of expressions, which are computed when the program runs: where the factors of a padded operand are
//! finite, products with its padding are zeros.
//!
//! The bound of an expression is that of its operators on the largest absolute values of its operands, so
//! that it also covers what overflows on the way.

use comet_ir::cin::{Function, Operator, Reduction};
use comet_ir::ta::{self, Ta};
use comet_ir::{Builder, Compare, Op, Result, Ty, Val, types};
use melior::ir::ValueLike;
use melior::ir::attribute::FloatAttribute;

/// The parts of an expression that its bound is computed from.
enum Node<'c> {
    Tensor(Val<'c>),
    Scalar(Val<'c>),
    /// Has the bound of another one.
    Same(Val<'c>),
    Sum(Val<'c>, Val<'c>),
    Product(Val<'c>, Val<'c>),
    Either(Val<'c>, Val<'c>),
    SumAlong(Val<'c>, Vec<Val<'c>>),
    /// 0 or 1.
    One,
    Unbounded,
}

impl<'c> Node<'c> {
    fn of(value: Val<'c>) -> Self {
        if types::is_tensor(value.r#type()) {
            return Self::Tensor(value);
        }
        let Some(op) = Op::defining(value) else { return Self::Unbounded };
        match Ta::of(op) {
            Some(Ta::LabeledTensor(access)) => Self::Tensor(access.tensor()),
            Some(Ta::Scalar(scalar)) => Self::Scalar(scalar.value()),
            Some(Ta::Cast(cast)) => Self::Same(cast.value()),
            Some(Ta::Neg(negated)) => Self::Same(negated.value()),
            Some(Ta::Mask(mask)) => Self::Same(mask.value()),
            Some(Ta::Drop(drop)) => Self::Same(drop.value()),
            Some(Ta::Apply(op)) => Self::of_function(op),
            Some(Ta::Unite(op)) => Self::of_operator(op.op(), op.left(), op.right()),
            Some(Ta::Elementwise(op)) => Self::of_operator(op.op(), op.left(), op.right()),
            Some(Ta::Reduce(op)) => Self::of_reduction(op),
            _ => Self::Unbounded,
        }
    }

    fn of_function(op: ta::Apply<'c>) -> Self {
        match op.function().parse::<Function>().ok() {
            Some(Function::Abs | Function::Relu | Function::Conj | Function::Real | Function::Imag) => {
                Self::Same(op.value())
            }
            Some(
                Function::Sin
                | Function::Cos
                | Function::Tanh
                | Function::Sigmoid
                | Function::Sign
                | Function::IsNan,
            ) => Self::One,
            _ => Self::Unbounded,
        }
    }

    fn of_operator(operator: &str, left: Val<'c>, right: Val<'c>) -> Self {
        match operator.parse::<Operator>().ok() {
            Some(Operator::Mul) => Self::Product(left, right),
            Some(Operator::Add | Operator::Sub | Operator::Complex) => Self::Sum(left, right),
            Some(
                Operator::Min
                | Operator::Max
                | Operator::First
                | Operator::Second
                | Operator::Any
                | Operator::If
                | Operator::Else
                | Operator::Either,
            ) => Self::Either(left, right),
            Some(
                Operator::Pair
                | Operator::Or
                | Operator::And
                | Operator::Eq
                | Operator::Ne
                | Operator::Lt
                | Operator::Le
                | Operator::Gt
                | Operator::Ge,
            ) => Self::One,
            _ => Self::Unbounded,
        }
    }

    /// Minima and maxima of nothing are infinite.
    fn of_reduction(op: ta::Reduce<'c>) -> Self {
        match op.op().parse::<Reduction>().ok() {
            Some(Reduction::Add) => Self::SumAlong(op.value(), op.labels()),
            Some(Reduction::Any) => Self::Same(op.value()),
            Some(Reduction::Or | Reduction::And) => Self::One,
            _ => Self::Unbounded,
        }
    }

    fn parts(&self) -> Vec<Val<'c>> {
        match self {
            Self::Same(value) | Self::SumAlong(value, _) => vec![*value],
            Self::Sum(left, right) | Self::Product(left, right) | Self::Either(left, right) => {
                vec![*left, *right]
            }
            Self::Tensor(_) | Self::Scalar(_) | Self::One | Self::Unbounded => Vec::new(),
        }
    }
}

pub(super) fn exists(value: Val<'_>) -> bool {
    let node = Node::of(value);
    !matches!(node, Node::Unbounded) && node.parts().into_iter().all(exists)
}

/// Whether a value of an expression may be infinite or NaN: it is no integer and no number of the text.
pub(super) fn may_be_infinite(value: Val<'_>) -> bool {
    types::is_inexact(element_of(value))
        && match Node::of(value) {
            Node::Scalar(scalar) => !is_finite_constant(scalar),
            Node::One => false,
            _ => true,
        }
}

fn is_finite_constant(scalar: Val<'_>) -> bool {
    let number = comet_ir::number(scalar).and_then(|value| FloatAttribute::try_from(value).ok());
    number.is_some_and(|number| number.value().is_finite())
}

/// Whether the products of finite values with each of some lists of factors are finite, in whatever order
/// they are computed. Each factor has a bound or is an integer, which is finite in any case.
pub(super) fn all_finite<'c>(
    b: Builder<'c>,
    products: &[Vec<Val<'c>>],
    element: Ty<'c>,
) -> Result<'c, Val<'c>> {
    let f64_type = Ty::float64(b.context());
    let one = b.number(f64_type, 1.0, 1)?;
    let mut bounds: Vec<(Val<'c>, Val<'c>)> = Vec::new();
    let mut largest = one;
    for factors in products {
        let mut product = one;
        for factor in factors {
            let bound = match bounds.iter().find(|(known, _)| known == factor) {
                Some((_, bound)) => *bound,
                None => {
                    // A small factor must not hide what overflows before it is multiplied by.
                    let bound = b.value("arith.maximumf", &[of(b, *factor)?, one], f64_type)?;
                    bounds.push((*factor, bound));
                    bound
                }
            };
            product = b.value("arith.mulf", &[product, bound], f64_type)?;
        }
        largest = b.value("arith.maximumf", &[largest, product], f64_type)?;
    }
    let holds_float = |value: &Val<'c>| narrowest(*value) == 32;
    let is_narrow = types::width(types::part(element)) == 32 || products.iter().flatten().any(holds_float);
    let most = if is_narrow { f64::from(f32::MAX) } else { f64::MAX };
    // Half of it, since sums are rounded.
    b.cmpf(Compare::Le, largest, b.number(f64_type, most / 2.0, 0)?)
}

/// The type of the values of a tensor or an expression.
fn element_of<'c>(value: Val<'c>) -> Ty<'c> {
    let ty = value.r#type();
    if types::is_tensor(ty) { types::element(ty) } else { types::labeled_element(ty) }
}

fn narrowest(value: Val<'_>) -> u32 {
    let element = element_of(value);
    let own = if types::is_inexact(element) { types::width(types::part(element)) } else { 64 };
    Node::of(value).parts().into_iter().map(narrowest).fold(own, u32::min)
}

fn of<'c>(b: Builder<'c>, value: Val<'c>) -> Result<'c, Val<'c>> {
    let f64_type = Ty::float64(b.context());
    if !types::is_inexact(element_of(value)) && !exists(value) {
        return b.number(f64_type, -(i64::MIN as f64), 0);
    }
    match Node::of(value) {
        Node::Tensor(tensor) => Ok(ta::Magnitude::build(b, tensor)?.magnitude()),
        Node::Scalar(scalar) => {
            let size = |part| b.value("math.absf", &[b.convert(part, f64_type)?], f64_type);
            if !types::is_complex(scalar.r#type()) {
                return size(scalar);
            }
            // No part of a product is beyond the product of such sums.
            let [re, im] = b.complex_parts(scalar)?;
            b.value("arith.addf", &[size(re)?, size(im)?], f64_type)
        }
        Node::Same(value) => of(b, value),
        Node::Sum(left, right) => b.value("arith.addf", &[of(b, left)?, of(b, right)?], f64_type),
        Node::Product(left, right) => {
            // As in `all_finite`: a small operand hides no overflow of the other one.
            let one = b.number(f64_type, 1.0, 1)?;
            let left = b.value("arith.maximumf", &[of(b, left)?, one], f64_type)?;
            let right = b.value("arith.maximumf", &[of(b, right)?, one], f64_type)?;
            b.value("arith.mulf", &[left, right], f64_type)
        }
        Node::Either(left, right) => b.value("arith.maximumf", &[of(b, left)?, of(b, right)?], f64_type),
        Node::SumAlong(value, labels) => {
            let mut bound = of(b, value)?;
            for label in labels {
                let extent = ta::RangeSize::build(b, label)?.size();
                let extent = b.convert(b.index_cast(extent, types::int(b.context(), 64))?, f64_type)?;
                bound = b.value("arith.mulf", &[bound, extent], f64_type)?;
            }
            Ok(bound)
        }
        Node::One => b.number(f64_type, 1.0, 1),
        Node::Unbounded => unreachable!("floats that have no bound are not asked for it"),
    }
}
