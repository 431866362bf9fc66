//! `C[…] = number * A[…] * B[…] * …`, summed: the form that `ta.tc` holds.

use crate::function::{Lowered, Lowering, number_parts};
use comet_diag::Span;
use comet_ir::indexing::IndexingMaps;
use comet_ir::{Attr, Val, ta};
use comet_sema::program::{
    Access, Assign, AssignOp, LabelId, Number, Operator, TensorExpr, TensorExprKind, TensorOp,
};

/// A product of tensors and numbers.
#[derive(Default)]
struct ProductTerms<'a> {
    factors: Vec<&'a Access>,
    numbers: Vec<Number>,
}

/// Emits `ta.tc` where the assignment has its form; says whether it has.
pub(super) fn lower(lowering: &mut Lowering<'_, '_>, assign: &Assign, span: Span) -> Lowered<bool> {
    let element = lowering.tensor_info(assign.target.tensor).element;
    let body = match &assign.value.kind {
        TensorExprKind::Reduce { op: Operator::Add, body, .. } => body,
        _ => &assign.value,
    };
    let mut product = ProductTerms::default();
    let same_type = |access: &Access| lowering.tensor_info(access.tensor).element == element;
    if !element.is_computed()
        || !collect(body, &mut product)
        || product.factors.is_empty()
        || !product.factors.iter().all(|access| same_type(access))
    {
        return Ok(false);
    }
    let alpha = alpha(lowering, assign, &product.numbers);
    let (maps, labels) = indexing_maps(lowering, assign, &product);
    let factors: Vec<Val<'_>> = product.factors.iter().map(|access| lowering.tensor(access.tensor)).collect();
    let target = lowering.tensor(assign.target.tensor);
    let beta = if assign.op == AssignOp::Set { 0.0 } else { 1.0 };
    lowering.emit(span, |b| {
        Ok(ta::Tc::build(b, &factors, target, alpha, beta, maps)?.set_labels(Some(&labels)))
    })?;
    Ok(true)
}

/// Collects the factors of a tree of `*`; false where something else is in it.
fn collect<'a>(expr: &'a TensorExpr, product: &mut ProductTerms<'a>) -> bool {
    match &expr.kind {
        TensorExprKind::Access(access) => product.factors.push(access),
        TensorExprKind::Number(number) => product.numbers.push(*number),
        TensorExprKind::Binary { op: TensorOp::Mul, left, right, .. } => {
            return collect(left, product) && collect(right, product);
        }
        _ => return false,
    }
    true
}

fn alpha<'c>(lowering: &Lowering<'_, 'c>, assign: &Assign, numbers: &[Number]) -> Attr<'c> {
    let element = lowering.element(lowering.tensor_info(assign.target.tensor).element.part());
    let sign = if assign.op == AssignOp::Sub { -1 } else { 1 };
    let value =
        numbers.iter().map(|number| number_parts(*number).0).fold(sign as f64, |left, right| left * right);
    let exact = numbers.iter().map(|number| number_parts(*number).1).fold(sign, i64::wrapping_mul);
    lowering.b.number_attribute(element, value, exact)
}

/// Numbers the labels in the order of their first use, and maps each operand to them; then their names.
fn indexing_maps<'c>(
    lowering: &Lowering<'_, 'c>,
    assign: &Assign,
    product: &ProductTerms<'_>,
) -> (Attr<'c>, Vec<String>) {
    let accesses: Vec<&Access> = product.factors.iter().copied().chain([&assign.target]).collect();
    let mut labels: Vec<LabelId> = Vec::new();
    for label in accesses.iter().flat_map(|access| &access.labels) {
        if !labels.contains(label) {
            labels.push(*label);
        }
    }
    let position =
        |label: &LabelId| labels.iter().position(|other| other == label).expect("every label was collected");
    let operands = accesses.iter().map(|access| access.labels.iter().map(position).collect()).collect();
    let maps = IndexingMaps { labels: labels.len(), operands };
    let names: Vec<String> = labels.iter().map(|label| lowering.label_name(*label).to_owned()).collect();
    (maps.to_attribute(lowering.b.context()), names)
}
