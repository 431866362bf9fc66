//! Copies of tensors that a program asks for, as statements: `ta.convert` becomes the loops over what the
//! source stores. Those that passes have made for the sake of an operand's format stay conversions.

use crate::{nest, operator};
use comet_ir::indexing::label_names;
use comet_ir::{Builder, Op, Result, Val, format, ta, types};
use melior::ir::ValueLike;
use melior::ir::attribute::DenseI64ArrayAttribute;

/// Makes every copy that the program asks for a `cin.compute`.
pub fn as_computes<'c>(module: Op<'c>) -> Result<'c, ()> {
    let copies = module.descendants::<ta::Convert>().into_iter();
    copies
        .filter_map(|copy| Some((copy, asked_for(copy)?)))
        .try_for_each(|(copy, target)| compute(copy, target))
}

/// The declaration of the target, where that and the source are variables of the program. Run times copy
/// what is padded, since they know what is padding.
fn asked_for(copy: Op<'_>) -> Option<Op<'_>> {
    let is_made = |op: Op<'_>| op.attribute("copy").is_some();
    let pads = |operand: usize| format::of_type(copy.operand(operand).r#type()).pads();
    if Op::defining(copy.operand(0)).is_some_and(is_made) || pads(0) || pads(1) {
        return None;
    }
    let target = Op::defining(copy.operand(1)).filter(|op| op.is::<ta::TensorDecl>())?;
    target.attribute("copy").is_none().then_some(target)
}

fn compute<'c>(copy: Op<'c>, target: Op<'c>) -> Result<'c, ()> {
    let b = Builder::before(copy);
    let permutation = copy.attribute("permutation").expect("the verifier demands it");
    let permutation = DenseI64ArrayAttribute::try_from(permutation)?;
    let (mut sizes, mut names) = (Vec::new(), Vec::new());
    for label in target.operands() {
        sizes.push(b.value("ta.range_size", &[label], types::index(b.context()))?);
        names.push(nest::name(label));
    }
    if let Some(labels) = copy.attribute("labels") {
        names = label_names(labels)?;
    }
    let compute = b.op_with_regions("cin.compute", &[], &[], &[], vec![b.region(&[])])?;
    let head = b.inside(compute.body(0));
    let mut vars = Vec::new();
    for (size, name) in sizes.iter().zip(&names) {
        let name = [("name", head.string_attribute(name))];
        vars.push(head.op("cin.index_var", &[*size], &[types::cin_index(b.context())], &name)?.result(0));
    }
    // The mode of the source that has each variable.
    let modes: Vec<usize> = (0..vars.len())
        .map(|mode| permutation.element(mode).map(|mode| mode as usize))
        .collect::<std::result::Result<_, _>>()?;
    let of_source = |mode: usize| modes.iter().position(|other| *other == mode).map(|place| vars[place]);
    let source: Vec<Val<'c>> = (0..vars.len()).filter_map(of_source).collect();
    let mut inside = head;
    for var in nest::in_storage_order(copy.operand(0), &source) {
        let forall = inside.op_with_regions("cin.forall", &[var], &[], &[], vec![inside.region(&[])])?;
        inside = inside.inside(forall.body(0));
    }
    assign(inside, copy, &source, &vars)?;
    copy.erase();
    Ok(())
}

fn assign<'c>(b: Builder<'c>, copy: Op<'c>, source: &[Val<'c>], target: &[Val<'c>]) -> Result<'c, ()> {
    let element = types::element(copy.operand(0).r#type());
    let value = b.value("cin.access", &[&[copy.operand(0)], source].concat(), element)?;
    let value = match types::element(copy.operand(1).r#type()) {
        other if other == element => value,
        other => b.value("cin.cast", &[value], other)?,
    };
    let reduction = [("reduction", b.enum_attribute(operator::Reduction::Set as i32))];
    b.op("cin.assign", &[&[value, copy.operand(1)], target].concat(), &[], &reduction).map(|_| ())
}
