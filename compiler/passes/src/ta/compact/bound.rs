//! Bounds of expressions, which are computed when the program runs: where the factors of a padded operand are
//! finite, products with its padding are zeros.
//!
//! The bound of an expression is that of its operators on the largest absolute values of its operands, so
//! that it also covers what overflows on the way.

use crate::operator::{Operator, Reduction};
use comet_ir::{Builder, Compare, Op, Result, Ty, Val, ta, types};
use melior::ir::ValueLike;
use melior::ir::attribute::{FloatAttribute, StringAttribute};

/// The parts of an expression that its bound is computed from.
enum Node<'c> {
    /// A tensor, by itself or under labels.
    Tensor(Val<'c>),
    Scalar(Val<'c>),
    /// Has the bound of another one.
    Same(Val<'c>),
    Sum(Val<'c>, Val<'c>),
    Product(Val<'c>, Val<'c>),
    Either(Val<'c>, Val<'c>),
    /// The sum along labels.
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
        match op {
            _ if op.is::<ta::LabeledTensor>() => Self::Tensor(op.operand(0)),
            _ if op.is::<ta::Scalar>() => Self::Scalar(op.operand(0)),
            _ if op.is::<ta::Cast>() || op.is::<ta::Neg>() || op.is::<ta::Mask>() => {
                Self::Same(op.operand(0))
            }
            _ if op.is::<ta::Add>() || op.is::<ta::Subtract>() => Self::Sum(op.operand(0), op.operand(1)),
            _ if op.is::<ta::Elementwise>() => Self::of_elementwise(op),
            _ if op.is::<ta::Reduce>() => Self::of_reduction(op),
            _ => Self::Unbounded,
        }
    }

    fn of_elementwise(op: Op<'c>) -> Self {
        let (left, right) = (op.operand(0), op.operand(1));
        match Operator::from_word(&operator_of(op)) {
            Some(Operator::Mul) => Self::Product(left, right),
            Some(Operator::Add | Operator::Sub) => Self::Sum(left, right),
            Some(Operator::Min | Operator::Max | Operator::First | Operator::Second | Operator::Any) => {
                Self::Either(left, right)
            }
            Some(Operator::Pair | Operator::Or | Operator::And) => Self::One,
            Some(Operator::Div) | None => Self::Unbounded,
        }
    }

    /// Minima and maxima of nothing are infinite.
    fn of_reduction(op: Op<'c>) -> Self {
        match Reduction::from_word(&operator_of(op)) {
            Some(Reduction::Add) => Self::SumAlong(op.operand(0), op.operands()[1..].to_vec()),
            Some(Reduction::Any) => Self::Same(op.operand(0)),
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

/// The operator of an elementwise operation or a reduction.
pub(super) fn operator_of(op: Op<'_>) -> String {
    let text = op.attribute("op").and_then(|text| StringAttribute::try_from(text).ok());
    text.map(|text| text.value().to_owned()).expect("the verifier demands the attribute")
}

/// Whether an expression has a bound.
pub(super) fn exists(value: Val<'_>) -> bool {
    let node = Node::of(value);
    !matches!(node, Node::Unbounded) && node.parts().into_iter().all(exists)
}

/// Whether a value of an expression may be infinite or NaN: it is no integer and no number of the text.
pub(super) fn may_be_infinite(value: Val<'_>) -> bool {
    types::is_float(element_of(value))
        && match Node::of(value) {
            Node::Scalar(scalar) => !is_finite_constant(scalar),
            Node::One => false,
            _ => true,
        }
}

fn is_finite_constant(scalar: Val<'_>) -> bool {
    let constant = Op::defining(scalar).and_then(|op| op.attribute("value"));
    let number = constant.and_then(|value| FloatAttribute::try_from(value).ok());
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
    let is_narrow = types::width(element) == 32 || products.iter().flatten().any(holds_float);
    let most = if is_narrow { f64::from(f32::MAX) } else { f64::MAX };
    // Half of it, since sums round.
    b.cmpf(Compare::Le, largest, b.number(f64_type, most / 2.0, 0)?)
}

/// The type of the values of a tensor or an expression.
fn element_of<'c>(value: Val<'c>) -> Ty<'c> {
    let ty = value.r#type();
    if types::is_tensor(ty) { types::element(ty) } else { types::labeled_element(ty) }
}

/// The number of bits of the narrowest float type in an expression.
fn narrowest(value: Val<'_>) -> u32 {
    let element = element_of(value);
    let own = if types::is_float(element) { types::width(element) } else { 64 };
    Node::of(value).parts().into_iter().map(narrowest).fold(own, u32::min)
}

fn of<'c>(b: Builder<'c>, value: Val<'c>) -> Result<'c, Val<'c>> {
    let f64_type = Ty::float64(b.context());
    if !types::is_float(element_of(value)) && !exists(value) {
        return b.number(f64_type, -(i64::MIN as f64), 0);
    }
    match Node::of(value) {
        Node::Tensor(tensor) => b.value("ta.magnitude", &[tensor], f64_type),
        Node::Scalar(scalar) => {
            let number = b.convert(scalar, f64_type)?;
            let negated = b.value("arith.negf", &[number], f64_type)?;
            b.value("arith.maximumf", &[number, negated], f64_type)
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
                let extent = b.value("ta.range_size", &[label], types::index(b.context()))?;
                let extent = b.convert(b.index_cast(extent, types::int(b.context(), 64))?, f64_type)?;
                bound = b.value("arith.mulf", &[bound, extent], f64_type)?;
            }
            Ok(bound)
        }
        Node::One => b.number(f64_type, 1.0, 1),
        Node::Unbounded => unreachable!("floats that have no bound are not asked for it"),
    }
}
