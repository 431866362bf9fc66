//! Reads `ta.set_op` with its tree, and `ta.tc`, into plain data.

use super::expr::{Access, Expr, Label, Statement, Terms};
use crate::operator::{Operator, Reduction};
use crate::schedule::commands_before;
use comet_ir::indexing::{IndexingMaps, label_names};
use comet_ir::{Attr, Builder, IrError, Op, Result, Val, ta, types};
use melior::ir::ValueLike;
use melior::ir::attribute::{FloatAttribute, IntegerAttribute, StringAttribute};

/// What becomes of masks whose positions are computed one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pulls {
    /// They are.
    Kept,
    /// What a sum adds up is masked instead.
    Pushed,
}

/// Reads a `ta.set_op`.
pub(super) fn set_op<'c>(op: Op<'c>, pulls: Pulls) -> Result<'c, Statement<'c>> {
    let operands = op.operands();
    let mut reader = Reader { before: op, pulls, pulled: None, ranges: Vec::new(), labels: Vec::new() };
    let value = reader.expr(operands[0])?;
    let target = reader.access(operands[1], &operands[2..])?;
    let overwrite = float(attribute(op, "beta"))? == 0.0;
    Ok(Statement {
        location: op.location(),
        labels: reader.labels,
        target,
        overwrite,
        value,
        pulled: reader.pulled,
        commands: commands_before(op)?,
        terms: Terms::Split,
    })
}

/// Reads a `ta.tc`: a product, scaled by alpha, summed over what the output lacks.
pub(super) fn contraction<'c>(op: Op<'c>) -> Result<'c, Statement<'c>> {
    let operands = op.operands();
    let maps = IndexingMaps::of_attribute(attribute(op, "indexing_maps"))?;
    let accesses: Vec<Access<'c>> = operands
        .iter()
        .zip(&maps.operands)
        .map(|(tensor, labels)| Access { tensor: *tensor, labels: labels.clone() })
        .collect();
    let mut labels = (0..maps.labels)
        .map(|label| contraction_label(op, &accesses, label))
        .collect::<Result<'c, Vec<_>>>()?;
    if let Some(names) = op.attribute("labels") {
        labels.iter_mut().zip(label_names(names)?).for_each(|(label, name)| label.name = name);
    }
    let (target, inputs) = accesses.split_last().expect("the verifier demands an output");
    let product = product(op, inputs)?;
    let mut reduced = product.free_labels();
    reduced.retain(|label| !target.labels.contains(label));
    let value = match reduced.is_empty() {
        true => product,
        false => Expr::Reduce { op: Reduction::Add, labels: reduced, body: Box::new(product) },
    };
    let overwrite = float(attribute(op, "beta"))? == 0.0;
    Ok(Statement {
        location: op.location(),
        labels,
        target: target.clone(),
        overwrite,
        value,
        pulled: None,
        commands: commands_before(op)?,
        terms: Terms::Split,
    })
}

/// The extent of a dimension is that of the first mode that it names. So is its name where the program's is
/// not known.
fn contraction_label<'c>(op: Op<'c>, accesses: &[Access<'c>], label: usize) -> Result<'c, Label<'c>> {
    let used = accesses
        .iter()
        .find_map(|access| Some((access.tensor, access.labels.iter().position(|other| *other == label)?)));
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
    match Op::defining(tensor) {
        Some(decl) if decl.is::<ta::TensorDecl>() => range_extent(decl.operand(mode), before),
        _ => {
            let mode = b.index(mode as i64)?;
            Ok((format!("d{label}"), b.value("tensor.dim", &[tensor, mode], types::index(b.context()))?))
        }
    }
}

fn product<'c>(op: Op<'c>, inputs: &[Access<'c>]) -> Result<'c, Expr<'c>> {
    let alpha = attribute(op, "alpha");
    let mut factors: Vec<Expr<'c>> = inputs.iter().map(|access| Expr::Access(access.clone())).collect();
    if !is_one(alpha) {
        let ty = types::element(op.operand(0).r#type());
        factors.insert(0, Expr::Scalar(Builder::before(op).constant(alpha, ty)?));
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
    let Some(label) = Op::defining(range).filter(|op| op.is::<ta::IndexLabelStatic>()) else {
        return Err(
            IrError::at(before.location(), "expected static labels").hint("run `ta-resolve-sizes` first")
        );
    };
    let name = text(attribute(label, "name"))?;
    let is_negative = comet_ir::constant(label.operand(1)).is_some_and(|end| end < 0);
    if is_index(label.operand(0), 0) && is_index(label.operand(2), 1) && !is_negative {
        return Ok((name, label.operand(1)));
    }
    let b = Builder::before(before);
    Ok((name, b.value("ta.range_size", &[range], types::index(b.context()))?))
}

fn is_index(value: Val<'_>, number: i64) -> bool {
    comet_ir::constant(value) == Some(number)
}

/// Follows a tree of labeled values.
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
        if op.is::<ta::LabeledTensor>() {
            let operands = op.operands();
            return Ok(Expr::Access(self.access(operands[0], &operands[1..])?));
        }
        if op.is::<ta::Scalar>() {
            return Ok(Expr::Scalar(op.operand(0)));
        }
        if op.is::<ta::Cast>() {
            return Ok(Expr::Cast(self.child(op, 0)?, types::labeled_element(value.r#type())));
        }
        if op.is::<ta::Neg>() {
            return Ok(Expr::Neg(self.child(op, 0)?));
        }
        if op.is::<ta::Add>() {
            return Ok(Expr::Add(self.child(op, 0)?, self.child(op, 1)?));
        }
        if op.is::<ta::Subtract>() {
            return Ok(Expr::Sub(self.child(op, 0)?, self.child(op, 1)?));
        }
        if op.is::<ta::Elementwise>() {
            return Ok(Expr::Combine(operator(op)?, self.child(op, 0)?, self.child(op, 1)?));
        }
        if op.is::<ta::Mask>() {
            return self.mask(op);
        }
        if op.is::<ta::Reduce>() {
            let body = self.child(op, 0)?;
            let labels =
                op.operands()[1..].iter().map(|range| self.label(*range)).collect::<Result<'c, _>>()?;
            return Ok(Expr::Reduce { op: reduction(op)?, labels, body });
        }
        Err(IrError::at(op.location(), format!("expected an index expression, found `{}`", op.name())))
    }

    /// A mask is applied to each additive term, and inside of reductions, whose loops are filtered then;
    /// `pull` leaves it around them.
    fn mask(&mut self, op: Op<'c>) -> Result<'c, Expr<'c>> {
        let (value, mask) = (self.expr(op.operand(0))?, self.expr(op.operand(1))?);
        let complement = op.attribute("complement").is_some();
        let pulls = op.attribute("pull").is_some() && self.pulls == Pulls::Kept;
        if pulls {
            self.pulled = mask.accesses().first().map(|access| access.tensor);
        }
        Ok(masked(value, &mask, complement, !pulls))
    }

    fn child(&mut self, op: Op<'c>, index: usize) -> Result<'c, Box<Expr<'c>>> {
        Ok(Box::new(self.expr(op.operand(index))?))
    }

    fn access(&mut self, tensor: Val<'c>, ranges: &[Val<'c>]) -> Result<'c, Access<'c>> {
        let labels = ranges.iter().map(|range| self.label(*range)).collect::<Result<'c, _>>()?;
        Ok(Access { tensor, labels })
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

fn masked<'c>(value: Expr<'c>, mask: &Expr<'c>, complement: bool, goes_inside: bool) -> Expr<'c> {
    let part = |value: Box<Expr<'c>>| Box::new(masked(*value, mask, complement, goes_inside));
    match value {
        Expr::Add(left, right) => Expr::Add(part(left), part(right)),
        Expr::Sub(left, right) => Expr::Sub(part(left), part(right)),
        Expr::Neg(value) => Expr::Neg(part(value)),
        Expr::Cast(value, ty) => Expr::Cast(part(value), ty),
        Expr::Reduce { op, labels, body } if goes_inside => {
            let body = Expr::Mask { value: body, mask: Box::new(mask.clone()), complement };
            Expr::Reduce { op, labels, body: Box::new(body) }
        }
        value => Expr::Mask { value: Box::new(value), mask: Box::new(mask.clone()), complement },
    }
}

fn operator<'c>(op: Op<'c>) -> Result<'c, Operator> {
    let name = text(attribute(op, "op"))?;
    Ok(Operator::from_word(&name).expect("the verifier knows the operators"))
}

fn reduction<'c>(op: Op<'c>) -> Result<'c, Reduction> {
    let name = text(attribute(op, "op"))?;
    Ok(Reduction::from_word(&name).expect("the verifier knows the operators"))
}

fn attribute<'c>(op: Op<'c>, name: &str) -> Attr<'c> {
    op.attribute(name).expect("the verifier demands the attribute")
}

fn text<'c>(attribute: Attr<'c>) -> Result<'c, String> {
    Ok(StringAttribute::try_from(attribute)?.value().to_owned())
}

fn float<'c>(attribute: Attr<'c>) -> Result<'c, f64> {
    Ok(FloatAttribute::try_from(attribute)?.value())
}
