//! Copies of tensors that a program asks for, as statements: `ta.convert` becomes the loops over what the
//! source stores. Those that passes have made for the sake of an operand's format stay conversions.

use crate::nest;
use comet_ir::{Builder, Op, Result, Val, cin, format, ta, types};
use melior::ir::ValueLike;

/// Makes every copy that the program asks for a `cin.compute`.
pub fn as_computes<'c>(module: Op<'c>) -> Result<'c, ()> {
    let copies = module.walk::<ta::Convert>().into_iter();
    copies
        .filter_map(|copy| Some((copy, asked_for(copy)?)))
        .try_for_each(|(copy, target)| compute(copy, target))
}

/// The declaration of the target, where that and the source are variables of the program. Run times copy
/// what is padded, since they know what is padding.
fn asked_for(copy: ta::Convert<'_>) -> Option<ta::TensorDecl<'_>> {
    let variable = |tensor| ta::TensorDecl::defining(tensor);
    let is_compact = |tensor: Val<'_>| format::of(tensor).is_compact();
    let (source, target) = (copy.source(), copy.target());
    if variable(source).is_some_and(|source| source.copy()) || !is_compact(source) || !is_compact(target) {
        return None;
    }
    variable(target).filter(|target| !target.copy())
}

fn compute<'c>(copy: ta::Convert<'c>, target: ta::TensorDecl<'c>) -> Result<'c, ()> {
    let b = Builder::before(*copy);
    let mut sizes = Vec::new();
    for label in target.labels() {
        sizes.push(ta::RangeSize::build(b, label)?.size());
    }
    let names = copy.labels().unwrap_or_else(|| target.labels().into_iter().map(nest::name).collect());
    let head = b.inside(cin::Compute::build(b)?.body());
    let mut vars = Vec::new();
    for (size, name) in sizes.iter().zip(&names) {
        vars.push(cin::IndexVar::build(head, name, *size)?.var());
    }
    // The mode of the source that has each variable.
    let modes = copy.permutation();
    let of_source =
        |mode: usize| modes.iter().position(|other| *other == mode as i64).map(|place| vars[place]);
    let source: Vec<Val<'c>> = (0..vars.len()).filter_map(of_source).collect();
    let inside = cin::loops(head, &nest::in_storage_order(copy.source(), &source))?;
    assign(inside, copy, &source, &vars)?;
    copy.erase();
    Ok(())
}

fn assign<'c>(
    b: Builder<'c>,
    copy: ta::Convert<'c>,
    source: &[Val<'c>],
    target: &[Val<'c>],
) -> Result<'c, ()> {
    let value = cin::access(b, copy.source(), source)?;
    let value = match types::element_of(copy.target()) {
        other if other == value.r#type() => value,
        other => cin::Cast::build(b, value, other)?.result(),
    };
    cin::Assign::build(b, value, copy.target(), target, cin::Reduction::Set).map(|_| ())
}
