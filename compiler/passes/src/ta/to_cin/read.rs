//! Reads `ta.set_op` with its tree, and `ta.tc`, into plain data.

use super::expr::{Assignment, Expr, Label, Operand, Terms};
use crate::schedule::commands_before;
use comet_ir::cin::{Function, Operator, Reduction};
use comet_ir::ta::{self, Ta};
use comet_ir::{Attr, Builder, IrError, Op, Result, Val, types};
use melior::ir::ValueLike;
use melior::ir::attribute::{FloatAttribute, IntegerAttribute};

/// What becomes of masks whose positions are computed one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pulls {
    /// They are.
    Kept,
    /// What a sum adds up is masked instead.
    Pushed,
}

pub(super) fn set_op<'c>(op: ta::Set<'c>, pulls: Pulls) -> Result<'c, Assignment<'c>> {
    let mut reader = Reader { before: *op, pulls, pulled: None, ranges: Vec::new(), labels: Vec::new() };
    let value = reader.expr(op.value())?;
    let target = reader.access(op.tensor(), &op.labels())?;
    let overwrite = op.beta() == 0.0;
    Ok(Assignment {
        location: op.location(),
        labels: reader.labels,
        target,
        overwrite,
        value,
        pulled: reader.pulled,
        commands: commands_before(*op)?,
        terms: Terms::Split,
    })
}

/// Reads a `ta.tc`: a product, scaled by alpha, summed over what the output lacks.
pub(super) fn contraction<'c>(op: ta::Tc<'c>) -> Result<'c, Assignment<'c>> {
    let (accesses, labels) = Operand::of_contraction(op)?;
    let labels = (0..labels).map(|label| contraction_label(*op, &accesses, label));
    let mut labels = labels.collect::<Result<'c, Vec<_>>>()?;
    if let Some(names) = op.labels() {
        labels.iter_mut().zip(names).for_each(|(label, name)| label.name = name);
    }
    let (target, inputs) = accesses.split_last().expect("the verifier demands an output");
    let product = product(op, inputs)?;
    let mut reduced = product.free_labels();
    reduced.retain(|label| !target.labels.contains(label));
    let value = match reduced.is_empty() {
        true => product,
        false => Expr::Reduce { op: Reduction::Add, labels: reduced, body: Box::new(product) },
    };
    let overwrite = op.beta() == 0.0;
    Ok(Assignment {
        location: op.location(),
        labels,
        target: target.clone(),
        overwrite,
        value,
        pulled: None,
        commands: commands_before(*op)?,
        terms: Terms::Split,
    })
}

/// The extent of a dimension is that of the first mode that it names. So is its name where the program's is
/// not known.
fn contraction_label<'c>(op: Op<'c>, accesses: &[Operand<'c>], label: usize) -> Result<'c, Label<'c>> {
    let used = accesses.iter().find_map(|access| Some((access.tensor, access.mode_of(label)?)));
    let Some((tensor, mode)) = used else {
        return Err(IrError::at(
            op.location(),
            format!("dimension d{label} of the indexing maps is used by no operand"),
        ));
    };
    let (name, size) = declared_extent(tensor, mode, label, op)?;
    Ok(Label { name, size })
}

/// The name and extent that the declaration of a tensor gives a mode.
fn declared_extent<'c>(
    tensor: Val<'c>,
    mode: usize,
    label: usize,
    before: Op<'c>,
) -> Result<'c, (String, Val<'c>)> {
    let b = Builder::before(before);
    match ta::TensorDecl::defining(tensor) {
        Some(decl) => range_extent(decl.labels()[mode], before),
        None => {
            let mode = b.index(mode as i64)?;
            Ok((format!("d{label}"), b.value("tensor.dim", &[tensor, mode], types::index(b.context()))?))
        }
    }
}

fn product<'c>(op: ta::Tc<'c>, inputs: &[Operand<'c>]) -> Result<'c, Expr<'c>> {
    let alpha = op.alpha();
    let mut factors: Vec<Expr<'c>> = inputs.iter().map(|access| Expr::Access(access.clone())).collect();
    if !is_one(alpha) {
        let (b, ty) = (Builder::before(*op), types::element_of(inputs[0].tensor));
        let alpha = b.constant(alpha, types::part(ty))?;
        factors.insert(0, Expr::Scalar(b.convert(alpha, ty)?));
    }
    let product = factors
        .into_iter()
        .reduce(|left, right| Expr::Combine(Operator::Mul, Box::new(left), Box::new(right)));
    product.ok_or_else(|| IrError::at(op.location(), "expected at least one input"))
}

fn is_one(alpha: Attr<'_>) -> bool {
    let float = FloatAttribute::try_from(alpha).is_ok_and(|number| number.value() == 1.0);
    float || IntegerAttribute::try_from(alpha).is_ok_and(|number| number.value() == 1)
}

/// The name and extent of a range.
fn range_extent<'c>(range: Val<'c>, before: Op<'c>) -> Result<'c, (String, Val<'c>)> {
    let Some(label) = ta::IndexLabelStatic::defining(range) else {
        return Err(
            IrError::at(before.location(), "expected static labels").hint("run `ta-resolve-sizes` first")
        );
    };
    let name = label.name().to_owned();
    let is_negative = comet_ir::constant(label.end()).is_some_and(|end| end < 0);
    if is_index(label.start(), 0) && is_index(label.step(), 1) && !is_negative {
        return Ok((name, label.end()));
    }
    let b = Builder::before(before);
    Ok((name, ta::RangeSize::build(b, range)?.size()))
}

fn is_index(value: Val<'_>, number: i64) -> bool {
    comet_ir::constant(value) == Some(number)
}

struct Reader<'c> {
    before: Op<'c>,
    pulls: Pulls,
    /// A mask whose positions are computed one by one.
    pulled: Option<Val<'c>>,
    ranges: Vec<Val<'c>>,
    labels: Vec<Label<'c>>,
}

impl<'c> Reader<'c> {
    fn expr(&mut self, value: Val<'c>) -> Result<'c, Expr<'c>> {
        let Some(op) = Op::defining(value) else {
            return Err(IrError::at(self.before.location(), "expected an index expression of this function"));
        };
        match Ta::of(op) {
            Some(Ta::LabeledTensor(access)) => {
                Ok(Expr::Access(self.access(access.tensor(), &access.labels())?))
            }
            Some(Ta::Scalar(scalar)) => Ok(Expr::Scalar(scalar.value())),
            Some(Ta::Cast(cast)) => {
                Ok(Expr::Cast(self.child(cast.value())?, types::labeled_element(value.r#type())))
            }
            Some(Ta::Neg(negated)) => Ok(Expr::Neg(self.child(negated.value())?)),
            Some(Ta::Apply(op)) => {
                let function = op.function().parse::<Function>().expect("the verifier knows the functions");
                Ok(Expr::Apply(function, self.child(op.value())?))
            }
            Some(Ta::Unite(op)) => {
                let (left, right) = (self.child(op.left())?, self.child(op.right())?);
                Ok(match operator(op.op()) {
                    Operator::Add => Expr::Add(left, right),
                    Operator::Sub => Expr::Sub(left, right),
                    operator => Expr::Unite(operator, left, right),
                })
            }
            Some(Ta::Elementwise(op)) => {
                Ok(Expr::Combine(operator(op.op()), self.child(op.left())?, self.child(op.right())?))
            }
            Some(Ta::Drop(drop)) => {
                let (value, condition) = (self.child(drop.value())?, self.child(drop.condition())?);
                Ok(Expr::Drop { value, condition })
            }
            Some(Ta::Mask(mask)) => self.mask(mask),
            Some(Ta::Reduce(reduce)) => self.reduce(reduce),
            _ => {
                let message = format!("expected an index expression, found `{}`", op.name());
                Err(IrError::at(op.location(), message))
            }
        }
    }

    fn reduce(&mut self, reduce: ta::Reduce<'c>) -> Result<'c, Expr<'c>> {
        let body = self.child(reduce.value())?;
        let labels = reduce.labels().into_iter().map(|range| self.label(range)).collect::<Result<'c, _>>()?;
        let op = reduce.op().parse::<Reduction>().expect("the verifier knows the operators");
        Ok(Expr::Reduce { op, labels, body })
    }

    /// A mask is applied to each additive term, and inside of reductions, whose loops are filtered then;
    /// `pull` leaves it around them.
    fn mask(&mut self, op: ta::Mask<'c>) -> Result<'c, Expr<'c>> {
        let (value, mask) = (self.expr(op.value())?, self.expr(op.mask())?);
        let complement = op.complement();
        let pulls = op.pull() && self.pulls == Pulls::Kept;
        if pulls {
            self.pulled = mask.accesses().first().map(|access| access.tensor);
        }
        Ok(AppliedMask { mask, complement, goes_inside: !pulls }.on(value))
    }

    fn child(&mut self, value: Val<'c>) -> Result<'c, Box<Expr<'c>>> {
        Ok(Box::new(self.expr(value)?))
    }

    fn access(&mut self, tensor: Val<'c>, ranges: &[Val<'c>]) -> Result<'c, Operand<'c>> {
        let labels = ranges.iter().map(|range| self.label(*range)).collect::<Result<'c, _>>()?;
        Ok(Operand { tensor, labels })
    }

    fn label(&mut self, range: Val<'c>) -> Result<'c, usize> {
        if let Some(found) = self.ranges.iter().position(|other| *other == range) {
            return Ok(found);
        }
        let (name, size) = range_extent(range, self.before)?;
        self.ranges.push(range);
        self.labels.push(Label { name, size });
        Ok(self.labels.len() - 1)
    }
}

fn operator(word: &str) -> Operator {
    word.parse().expect("the verifier knows the operators")
}

/// A mask that is put around parts of a value.
struct AppliedMask<'c> {
    mask: Expr<'c>,
    complement: bool,
    goes_inside: bool,
}

impl<'c> AppliedMask<'c> {
    fn on(&self, value: Expr<'c>) -> Expr<'c> {
        let part = |value: Box<Expr<'c>>| Box::new(self.on(*value));
        match value {
            Expr::Add(left, right) => Expr::Add(part(left), part(right)),
            Expr::Sub(left, right) => Expr::Sub(part(left), part(right)),
            Expr::Neg(value) => Expr::Neg(part(value)),
            Expr::Cast(value, ty) => Expr::Cast(part(value), ty),
            Expr::Reduce { op, labels, body } if self.goes_inside => {
                Expr::Reduce { op, labels, body: Box::new(self.around(body)) }
            }
            value => self.around(Box::new(value)),
        }
    }

    fn around(&self, value: Box<Expr<'c>>) -> Expr<'c> {
        Expr::Mask { value, mask: Box::new(self.mask.clone()), complement: self.complement }
    }
}
