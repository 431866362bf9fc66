//! Chooses kernels at random: contractions and elementwise expressions, ranks 0 to 4, formats, files.

use super::accelerator;
use super::data::{self, Density};
use super::focus::Focus;
use super::format::{Format, random_sparse};
use super::kernel::{Content, DrawnLabel, FileKind, Kernel, Mask, Operand};
use super::own_operators;
use super::padded;
use super::part;
use super::rng::Rng;
use super::schedule::schedule;
use super::value;

/// More positions of all labels together take the oracle too long.
const MOST_POSITIONS: usize = 3000;

/// What is generated.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// The most sparse operands in a kernel.
    pub most_sparse: usize,
    /// Whether the result may be sparse.
    pub sparse_results: bool,
    /// How many kernels of a hundred have a schedule.
    pub scheduled: usize,
    /// Whether kernels are for applications of parallel patterns: dense and compressed levels, and schedules
    /// of accelerators.
    pub patterns: bool,
    /// Whether sparse tensors have formats that pad, with more zeros in their data, and more masks.
    pub padded: bool,
    /// Whether values are complex.
    pub complex: bool,
    /// Whether most accesses have a label more than once, also with schedules of accelerators.
    pub repeats: bool,
    /// What all kernels have in common.
    pub focus: Focus,
}

impl Shape {
    /// Whether some kernels are large contractions of `double` or `float`, without functions.
    pub(super) fn draws_contractions(self) -> bool {
        let Focus { element, function } = self.focus;
        !self.padded && !self.complex && element.is_none() && function.is_none()
    }
}

/// A kernel.
pub fn kernel(rng: &mut Rng, shape: Shape) -> Kernel {
    let sizes = label_sizes(rng);
    let element = element(rng, shape);
    let count = rng.between(1, 4);
    let sparse_count = if rng.percent(80) { rng.between(1, shape.most_sparse.max(1)) } else { 0 };
    let sparse = rng.some(&(1..=count).collect::<Vec<_>>(), sparse_count.min(shape.most_sparse));
    let mut labels = sizes.into_iter().map(|size| DrawnLabel { size, open: false }).collect::<Vec<_>>();
    let sources =
        (1..=count).map(|operand| source(rng, &labels, (element, shape), sparse.contains(&operand)));
    let mut sources = sources.collect::<Vec<_>>();
    let value = value::drawn(rng, element, &mut sources, shape);
    let mut target = target(rng, &labels, &sources, element, shape);
    if shape.focus.is_rounded(shape.complex) {
        target.element = if shape.complex { "complex128" } else { "double" };
    }
    // Dataflow graphs refuse reductions other than sums into elements of a narrow type.
    if target.element == "int" && !value.has_monoids() && rng.percent(10) {
        let is_new = matches!(target.content, Content::Nothing);
        let holding_negatives = ["int8", "int16", "int32"];
        target.element =
            if is_new { rng.pick(&["uint8", "uint32", "bool"]) } else { rng.pick(&holding_negatives) };
    }
    open_labels(rng, &mut labels, &sources);
    let (is_new, cancels) = (matches!(target.content, Content::Nothing), cancels(shape));
    let op = if is_new {
        "="
    } else {
        rng.pick(if cancels { &["=", "+=", "+=", "-="][..] } else { &["=", "+="] })
    };
    let mut operands = [vec![target], sources].concat();
    shape.focus.narrow(rng, &mut operands);
    let mask =
        rng.percent(if shape.padded { 50 } else { 25 }).then(|| mask(rng, &labels, element, &mut operands));
    let rounds = if rng.percent(15) { rng.between(0, 3) } else { 1 };
    let again = rng.percent(15).then(|| rng.pick(&["=", "+=", "-="])).filter(|op| cancels || *op != "-=");
    let prints_operands = rng.percent(20);
    // The last choice, so that kernels are the same with schedules and without.
    let sizes = labels.iter().map(|label| label.size).collect::<Vec<_>>();
    let is_scheduled = rng.percent(shape.scheduled);
    if shape.patterns {
        operands
            .iter_mut()
            .for_each(|operand| operand.format = operand.format.of_patterns(operand.labels.len()));
    }
    let is_for_accelerators = shape.patterns || shape.repeats && rng.percent(40);
    let draw = if is_for_accelerators { accelerator::schedule } else { schedule };
    // Commands could change the order in which values are reduced.
    let is_scheduled = is_scheduled && !value.any_operator(own_operators::keeps_order);
    let schedule = if is_scheduled { draw(rng, &operands, &sizes, &value) } else { Vec::new() };
    if shape.padded {
        operands.iter_mut().for_each(|operand| padded::pad(rng, operand));
        let divisor = value.divides().then_some(2);
        let others = operands.iter_mut().enumerate().filter(|(number, _)| Some(*number) != divisor);
        others.for_each(|(_, operand)| padded::spoil_values(rng, operand, element));
    }
    let prints_operands = prints_operands && !shape.padded;
    let prints_entries = shape.padded;
    let mut kernel = Kernel {
        labels,
        operands,
        op,
        mask,
        value,
        prints_operands,
        rounds,
        again,
        schedule,
        prints_entries,
    };
    if kernel.schedule.is_empty() && !shape.patterns && rng.percent(25) {
        part::draw(rng, &mut kernel);
    }
    kernel
}

/// The type that a kernel computes in.
fn element(rng: &mut Rng, shape: Shape) -> &'static str {
    // Rounded values of `float` differ from those of the oracle in the last bit.
    let elements: &[&str] = match (shape.complex, shape.focus.is_rounded(shape.complex)) {
        (true, true) => &["complex128"],
        (true, false) => &["complex128", "complex128", "complex64"],
        (false, true) => &["double", "double", "int"],
        (false, false) => &["double", "double", "double", "float", "int", "int"],
    };
    shape.focus.computed().unwrap_or_else(|| rng.pick(elements))
}

/// Whether values may cancel. What cancels rounded values leaves their rounding errors, which depend on the
/// order of a sum.
fn cancels(shape: Shape) -> bool {
    !shape.focus.is_rounded(shape.complex)
}

fn label_sizes(rng: &mut Rng) -> Vec<usize> {
    let mut sizes = (0..rng.between(1, 6)).map(|_| size(rng)).collect::<Vec<_>>();
    while sizes.iter().product::<usize>() > MOST_POSITIONS {
        sizes.pop();
    }
    sizes
}

/// Nothing and one are where loops go wrong, as are more than a block of lanes.
fn size(rng: &mut Rng) -> usize {
    match rng.below(40) {
        0 => 0,
        1..4 => 1,
        4 => rng.between(8, 40),
        _ => rng.between(1, 7),
    }
}

fn source(
    rng: &mut Rng,
    labels: &[DrawnLabel],
    (element, shape): (&'static str, Shape),
    sparse: bool,
) -> Operand {
    let rank = rng.pick(&[0, 1, 1, 2, 2, 2, 2, 3, 3, 4]).max(usize::from(sparse));
    let mut chosen = rng.some(&(0..labels.len()).collect::<Vec<_>>(), rank);
    if shape.repeats {
        repeat_labels(rng, &mut chosen, 40);
    } else if chosen.len() > 1 && rng.percent(3) {
        // The diagonal.
        chosen[1] = chosen[0];
    }
    let format = if sparse { random_sparse(rng, chosen.len()) } else { dense(rng, chosen.len()) };
    let dims = chosen.iter().map(|&label| labels[label].size).collect::<Vec<_>>();
    let content = content(rng, element, &dims, &format);
    let element =
        if shape.focus.is_rounded(shape.complex) && shape.complex { element } else { mixed(rng, element) };
    Operand { labels: chosen, element, format, content, part: Vec::new() }
}

/// Puts earlier labels of an access in the place of so many of a hundred.
fn repeat_labels(rng: &mut Rng, labels: &mut [usize], percentage: usize) {
    for mode in 1..labels.len() {
        if rng.percent(percentage) {
            labels[mode] = labels[rng.below(mode)];
        }
    }
}

/// Seldom another type than that of the kernel; one that holds its values.
fn mixed(rng: &mut Rng, element: &'static str) -> &'static str {
    match element {
        "double" => element,
        "complex64" if rng.percent(20) => "float",
        "complex128" if rng.percent(20) => rng.pick(&["double", "float", "complex64"]),
        "complex64" | "complex128" => element,
        _ if rng.percent(12) => "double",
        "int" if rng.percent(20) => rng.pick(&["int8", "int16", "int32", "bool"]),
        "float" if rng.percent(20) => rng.pick(&["float16", "bfloat16"]),
        _ => element,
    }
}

fn dense(rng: &mut Rng, rank: usize) -> Format {
    let order = rng.some(&(0..rank).collect::<Vec<_>>(), rank);
    match rank > 1 && rng.percent(5) {
        true => {
            Format::Levels { kinds: vec!["D"; rank], order: Some(order).filter(|order| !order.is_sorted()) }
        }
        false => Format::Dense,
    }
}

fn content(rng: &mut Rng, element: &str, dims: &[usize], format: &Format) -> Content {
    if format.is_dense() && rng.percent(10) {
        return Content::Fill(data::value(rng, element));
    }
    let density = if format.is_dense() { Density::Full } else { Density::Random };
    let positions = format.fitting(data::positions(rng, dims, density));
    let entries = data::entries(rng, element, positions);
    file(rng, dims, format, entries)
}

/// A file of some kind that holds these entries.
pub(super) fn file(
    rng: &mut Rng,
    dims: &[usize],
    format: &Format,
    mut entries: Vec<super::kernel::Entry>,
) -> Content {
    let kind = match dims.len() {
        0 => FileKind::Frostt,
        _ if rng.percent(10) && !dims.contains(&0) => FileKind::Array,
        2 if format.is_dense() && rng.percent(30) => FileKind::MarketArray,
        2 if rng.percent(60) => FileKind::Market,
        _ => rng.pick(&[FileKind::Frostt, FileKind::Comet]),
    };
    match kind {
        FileKind::MarketArray => entries.sort_by_key(|(at, _)| at.iter().rev().copied().collect::<Vec<_>>()),
        _ if dims.is_empty() => {}
        _ => data::disarrange(rng, &mut entries),
    }
    Content::File(kind, entries)
}

/// Some of the labels used, and seldom one that is not, in any order.
fn target(
    rng: &mut Rng,
    labels: &[DrawnLabel],
    sources: &[Operand],
    element: &'static str,
    shape: Shape,
) -> Operand {
    let is_used = |label: &usize| sources.iter().any(|source| source.labels.contains(label));
    let broadcasts = rng.percent(5);
    let candidates = (0..labels.len()).filter(|label| broadcasts || is_used(label)).collect::<Vec<_>>();
    let rank = rng.pick(&[0, 1, 1, 2, 2, 2, 3, 4]);
    let mut chosen = rng.some(&candidates, rank);
    if shape.repeats {
        repeat_labels(rng, &mut chosen, 10);
    }
    let sparse = shape.sparse_results && !chosen.is_empty() && rng.percent(50);
    let format = if sparse { sparse_result(rng, chosen.len()) } else { dense(rng, chosen.len()) };
    let dims = chosen.iter().map(|&label| labels[label].size).collect::<Vec<_>>();
    let content = if rng.percent(30) { content(rng, "int", &dims, &format) } else { Content::Nothing };
    if shape.complex {
        let element = if rng.percent(6) { "complex64" } else { element };
        return Operand { labels: chosen, element, format, content, part: Vec::new() };
    }
    let wide = if sources.iter().any(|source| source.element == "double") { "double" } else { element };
    // Values of a wider type lose their fractions in a narrower tensor.
    let element = if rng.percent(6) { rng.pick(&["int", "float"]) } else { wide };
    Operand { labels: chosen, element, format, content, part: Vec::new() }
}

/// A mask over the target's labels, sparse or dense, with zeros among its values; seldom the target itself.
fn mask(rng: &mut Rng, labels: &[DrawnLabel], element: &'static str, operands: &mut Vec<Operand>) -> Mask {
    let complement = rng.pick(&["", "", "!"]);
    let method = rng.pick(&["", "", ", push", ", pull", ", auto"]);
    if rng.percent(10) {
        return Mask { operand: 0, complement, method };
    }
    let chosen = operands[0].labels.clone();
    let sparse = !chosen.is_empty() && rng.percent(60);
    let format = if sparse { random_sparse(rng, chosen.len()) } else { dense(rng, chosen.len()) };
    let dims = chosen.iter().map(|&label| labels[label].size).collect::<Vec<_>>();
    let mut content = content(rng, element, &dims, &format);
    if let Content::File(_, entries) = &mut content {
        entries.iter_mut().filter(|_| rng.percent(30)).for_each(|(_, value)| *value = 0.0);
    }
    operands.push(Operand { labels: chosen, element, format, content, part: Vec::new() });
    Mask { operand: operands.len() - 1, complement, method }
}

/// A format that holds whatever comes out.
fn sparse_result(rng: &mut Rng, rank: usize) -> Format {
    loop {
        match random_sparse(rng, rank) {
            Format::Levels { kinds, .. } if kinds.contains(&"S") => {}
            format => return format,
        }
    }
}

/// Leaves sizes open that a file states.
pub(super) fn open_labels(rng: &mut Rng, labels: &mut [DrawnLabel], sources: &[Operand]) {
    let states_sizes = |source: &&Operand| match source.content {
        Content::File(kind, _) => kind != FileKind::Frostt,
        Content::Nothing | Content::Fill(_) => false,
    };
    for source in sources.iter().filter(states_sizes) {
        for &label in &source.labels {
            labels[label].open |= rng.percent(40);
        }
    }
}
