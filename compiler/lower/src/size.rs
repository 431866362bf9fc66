//! Extents: a static label where the text fixes the number, a dynamic one where files do.

use crate::function::{Lowered, Lowering};
use comet_diag::Diagnostic;
use comet_ir::file_mode::FileMode;
use comet_ir::{Attr, Builder, Loc, Op, Result, Val, location, ta};
use comet_sema::program::{Size, SizeId, SizeSource};
use melior::ir::attribute::ArrayAttribute;

/// Sets the range of every extent of the function, those of arguments aside.
pub(crate) fn lower_all(lowering: &mut Lowering<'_, '_>) -> Lowered<()> {
    for index in 0..lowering.function.sizes.len() {
        if lowering.ranges.contains_key(&SizeId(index)) {
            // An argument has fixed it.
            continue;
        }
        let size = &lowering.function.sizes[index];
        let range = match size.known {
            Some(number) => lowering.at(size.span, |b| static_label(b, &size.name, number))?,
            None => dynamic_label(lowering, size)?,
        };
        lowering.ranges.insert(SizeId(index), range);
    }
    Ok(())
}

/// Another label over the extent of `range`.
pub(crate) fn same_extent<'c>(b: Builder<'c>, name: &str, range: Val<'c>) -> Result<'c, Val<'c>> {
    if let Some(size) = static_size(range) {
        return static_label(b, name, size);
    }
    let size = ta::RangeSize::build(b, range)?.size();
    label(b, name, size)
}

/// The extent of a label that the text has given a number.
fn static_size(range: Val<'_>) -> Option<u64> {
    let bounds = Op::defining(range)?.operands().into_iter().map(comet_ir::constant);
    match bounds.collect::<Option<Vec<i64>>>()?[..] {
        [0, size, 1] => u64::try_from(size).ok(),
        _ => None,
    }
}

fn static_label<'c>(b: Builder<'c>, name: &str, size: u64) -> Result<'c, Val<'c>> {
    let size = b.index(size as i64)?;
    label(b, name, size)
}

pub(crate) fn label<'c>(b: Builder<'c>, name: &str, size: Val<'c>) -> Result<'c, Val<'c>> {
    let (zero, one) = (b.index(0)?, b.index(1)?);
    Ok(ta::IndexLabelStatic::build(b, name, zero, size, one)?.label())
}

fn dynamic_label<'c>(lowering: &Lowering<'_, 'c>, size: &Size) -> Lowered<Val<'c>> {
    let sources =
        size.sources.iter().map(|source| file_mode(lowering, source)).collect::<Lowered<Vec<_>>>()?;
    let location = location_with_sources(lowering, size);
    lowering.at(size.span, |b| {
        let sources = ArrayAttribute::new(b.context(), &sources).into();
        Ok(ta::IndexLabelDynamic::build(b.with_location(location), &size.name, sources)?.label())
    })
}

/// The place of the label, and those of the reads: a contradiction shows them.
fn location_with_sources<'c>(lowering: &Lowering<'_, 'c>, size: &Size) -> Loc<'c> {
    let read = |source: &SizeSource| {
        let SizeSource::Read { tensor, mode, span, .. } = source else { return None };
        let name = format!("{} mode {mode}", lowering.tensor_info(*tensor).name);
        Some((name, lowering.location(*span)))
    };
    let reads: Vec<(String, Loc<'c>)> = size.sources.iter().filter_map(read).collect();
    location::with_others(lowering.b.context(), lowering.location(size.span), &reads)
}

fn file_mode<'c>(lowering: &Lowering<'_, 'c>, source: &SizeSource) -> Lowered<Attr<'c>> {
    let SizeSource::Read { source, tensor, mode, .. } = source else {
        return Err(Diagnostic::not_supported(lowering.function.span, "functions with parameters"));
    };
    let tensor = lowering.tensor_info(*tensor);
    let mode =
        FileMode { source: source.text(), tensor: tensor.name.clone(), rank: tensor.dims.len(), mode: *mode };
    Ok(mode.to_attribute(lowering.b.context()))
}
