//! `ta-resolve-sizes`: gives labels whose extent files decide the value that the run time solves for them.
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

use comet_ir::pass::{Changed, OptionValues, Pass};
use comet_ir::{Builder, Op, Result, ta, types};

/// The pass.
pub const PASS: Pass = Pass {
    name: "ta-resolve-sizes",
    description: "Gives labels whose extent files decide the value that the run time solves for them",
    options: &[],
    dialects: &["ta", "arith"],
    run,
};

fn run<'c>(module: Op<'c>, _options: &OptionValues<'_>) -> Result<'c, Changed> {
    let labels = module.descendants::<ta::IndexLabelDynamic>();
    for label in &labels {
        resolve(*label)?;
    }
    Ok(if labels.is_empty() { Changed::No } else { Changed::Yes })
}

fn resolve<'c>(label: Op<'c>) -> Result<'c, ()> {
    let b = Builder::before(label);
    let attribute = |name| label.attribute(name).expect("the verifier demands the attribute");
    let (name, sources) = (attribute("name"), attribute("sources"));
    let size = b
        .op("ta.solve_size", &[], &[types::index(b.context())], &[("name", name), ("sources", sources)])?
        .result(0);
    let (zero, one) = (b.index(0)?, b.index(1)?);
    let fixed =
        b.op("ta.index_label_static", &[zero, size, one], &[types::range(b.context())], &[("name", name)])?;
    label.replace(&[fixed.result(0)]);
    Ok(())
}
