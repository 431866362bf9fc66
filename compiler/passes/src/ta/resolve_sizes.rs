//! `ta-resolve-sizes`: replaces the extents of labels that files decide by values that the run time solves.
//!
//! Before:
//! ```mlir
//! %i = ta.index_label_dynamic "i" from [#ta.file_mode<"env:0", "A", 2, 0>]
//! ```
//! After:
//! ```mlir
//! %n = ta.solve_size "i" from [#ta.file_mode<"env:0", "A", 2, 0>]
//! %c0 = arith.constant 0 : index
//! %c1 = arith.constant 1 : index
//! %i = ta.index_label_static "i" %c0 to %n step %c1
//! ```
//! Leaves no `ta.index_label_dynamic`. Labels stand at the head of a function, so everything is solved
//! before anything runs.

use comet_ir::pass::{OptionValues, Pass};
use comet_ir::{Builder, Op, Result, ta};

pub const PASS: Pass = Pass {
    name: "ta-resolve-sizes",
    description: "Replaces the extents of labels that files decide by values that the run time solves",
    options: &[],
    dialects: &["ta", "arith"],
    run,
};

fn run<'c>(module: Op<'c>, _options: &OptionValues<'_>) -> Result<'c, ()> {
    let labels = module.walk::<ta::IndexLabelDynamic>();
    for label in &labels {
        resolve(*label)?;
    }
    Ok(())
}

fn resolve<'c>(label: ta::IndexLabelDynamic<'c>) -> Result<'c, ()> {
    let b = Builder::before(*label);
    let size = ta::SolveSize::build(b, label.name(), label.sources())?.size();
    let (zero, one) = (b.index(0)?, b.index(1)?);
    let fixed = ta::IndexLabelStatic::build(b, label.name(), zero, size, one)?;
    label.replace(&[fixed.label()]);
    Ok(())
}
