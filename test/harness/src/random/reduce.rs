//! Makes a failing kernel smaller while it still fails in the same way.

use super::format::Format;
use super::kernel::{Content, Kernel, Value};

/// The smallest kernel found for which `fails` holds; at most `tries` are looked at.
pub fn reduce(kernel: Kernel, mut tries: usize, fails: &mut dyn FnMut(&Kernel) -> bool) -> Kernel {
    let mut smallest = kernel;
    'again: loop {
        for candidate in candidates(&smallest) {
            if tries == 0 {
                return smallest;
            }
            tries -= 1;
            if fails(&candidate) {
                smallest = candidate;
                continue 'again;
            }
        }
        return smallest;
    }
}

/// Smaller kernels, the ones that lose most first.
fn candidates(kernel: &Kernel) -> Vec<Kernel> {
    let mut found = with_value(kernel, smaller_values(&kernel.value));
    found.extend((0..kernel.labels.len()).filter_map(|label| without_label(kernel, label)));
    found.extend(simpler_statements(kernel));
    found.extend((0..kernel.operands.len()).flat_map(|operand| simpler_operands(kernel, operand)));
    found.extend((0..kernel.labels.len()).flat_map(|label| smaller_labels(kernel, label)));
    found.extend((0..kernel.operands.len()).flat_map(|operand| fewer_entries(kernel, operand)));
    found
}

fn with_value(kernel: &Kernel, values: Vec<Value>) -> Vec<Kernel> {
    values.into_iter().map(|value| Kernel { value, ..kernel.clone() }).collect()
}

/// The operands of one operator in place of it.
fn smaller_values(value: &Value) -> Vec<Value> {
    match value {
        Value::Operand(_) | Value::Number(_) => Vec::new(),
        Value::Transposed(operand) => vec![Value::Operand(*operand)],
        Value::Neg(inner) => {
            let deeper = smaller_values(inner).into_iter().map(|inner| Value::Neg(Box::new(inner)));
            [(**inner).clone()].into_iter().chain(deeper).collect()
        }
        Value::Call(function, arguments) => {
            let smaller = (0..arguments.len()).flat_map(|place| {
                smaller_values(&arguments[place]).into_iter().map(move |smaller| {
                    let mut arguments = arguments.clone();
                    arguments[place] = smaller;
                    Value::Call(function, arguments)
                })
            });
            arguments.iter().cloned().chain(smaller).collect()
        }
        Value::Binary(op, left, right) => {
            let lefts =
                smaller_values(left).into_iter().map(|left| Value::binary(op, left, (**right).clone()));
            let rights =
                smaller_values(right).into_iter().map(|right| Value::binary(op, (**left).clone(), right));
            [(**left).clone(), (**right).clone()].into_iter().chain(lefts).chain(rights).collect()
        }
    }
}

/// Without a label: every tensor keeps its slice at 0.
fn without_label(kernel: &Kernel, label: usize) -> Option<Kernel> {
    let mut smaller = kernel.clone();
    for operand in &mut smaller.operands {
        while let Some(mode) = operand.labels.iter().position(|used| *used == label) {
            operand.format = operand.format.without_mode(mode)?;
            operand.labels.remove(mode);
            if mode < operand.part.len() {
                operand.part.remove(mode);
            }
            if let Content::File(kind, entries) = &mut operand.content {
                entries.retain(|(at, _)| at[mode] == 0);
                for (at, _) in entries.iter_mut() {
                    at.remove(mode);
                }
                *kind = super::kernel::FileKind::Frostt;
            }
        }
    }
    let used = kernel.operands.iter().any(|operand| operand.labels.contains(&label));
    let labels = &mut smaller.labels;
    labels.iter_mut().for_each(|label| label.open = false);
    used.then_some(smaller)
}

fn simpler_statements(kernel: &Kernel) -> Vec<Kernel> {
    let mut plain = kernel.clone();
    plain.op = "=";
    plain.operands[0].content = Content::Nothing;
    let mut fixed = kernel.clone();
    fixed.labels.iter_mut().for_each(|label| label.open = false);
    let mut quiet = kernel.clone();
    quiet.prints_operands = false;
    let mut whole = kernel.clone();
    whole.operands.iter_mut().for_each(|operand| operand.part.clear());
    let mut doubles = kernel.clone();
    doubles.operands.iter_mut().for_each(|operand| operand.element = "double");
    let mut once = kernel.clone();
    (once.rounds, once.again) = (1, None);
    let mut unmasked = kernel.clone();
    unmasked.mask = None;
    let mut unscheduled = kernel.clone();
    unscheduled.schedule.clear();
    let had_content = !matches!(kernel.operands[0].content, Content::Nothing);
    let choices = [
        (!kernel.schedule.is_empty(), unscheduled),
        (kernel.rounds != 1 || kernel.again.is_some(), once),
        (kernel.mask.is_some(), unmasked),
        (kernel.op != "=" || had_content, plain),
        (kernel.labels.iter().any(|label| label.open), fixed),
        (kernel.prints_operands, quiet),
        (kernel.operands.iter().any(|operand| !operand.part.is_empty()), whole),
        (kernel.operands.iter().any(|operand| operand.element != "double"), doubles),
    ];
    let simpler = choices.into_iter().filter(|(differs, _)| *differs).map(|(_, kernel)| kernel);
    simpler.chain((0..kernel.schedule.len()).map(|gone| without_command(kernel, gone))).collect()
}

fn without_command(kernel: &Kernel, gone: usize) -> Kernel {
    let mut smaller = kernel.clone();
    smaller.schedule.remove(gone);
    smaller
}

/// A dense operand, or levels in the order of the modes.
fn simpler_operands(kernel: &Kernel, operand: usize) -> Vec<Kernel> {
    let format = &kernel.operands[operand].format;
    let simpler = match format {
        Format::Dense => Vec::new(),
        Format::Levels { kinds, order: Some(_) } => {
            vec![Format::Dense, Format::Levels { kinds: kinds.clone(), order: None }]
        }
        Format::Levels { .. } | Format::Other(_) => vec![Format::Dense],
    };
    let with_format = |format| {
        let mut smaller = kernel.clone();
        smaller.operands[operand].format = format;
        smaller
    };
    simpler.into_iter().map(with_format).collect()
}

/// A label of size 1, or of half its size.
fn smaller_labels(kernel: &Kernel, label: usize) -> Vec<Kernel> {
    let size = kernel.labels[label].size;
    let mut sizes = vec![1, size / 2, size.saturating_sub(1)];
    sizes.retain(|smaller| (1..size).contains(smaller));
    sizes.dedup();
    sizes.into_iter().map(|size| with_size(kernel, label, size)).collect()
}

fn with_size(kernel: &Kernel, label: usize, size: usize) -> Kernel {
    let mut smaller = kernel.clone();
    smaller.labels[label].size = size;
    for operand in &mut smaller.operands {
        if let Content::File(_, entries) = &mut operand.content {
            let inside = |(at, used): (&usize, &usize)| *used != label || *at < size;
            entries.retain(|(at, _)| at.iter().zip(&operand.labels).all(inside));
        }
    }
    smaller
}

/// Without the first or the second half of the entries, or without one of a few.
fn fewer_entries(kernel: &Kernel, operand: usize) -> Vec<Kernel> {
    let Content::File(kind, entries) = &kernel.operands[operand].content else { return Vec::new() };
    // An array file has no fewer entries than positions.
    if *kind == super::kernel::FileKind::MarketArray
        || entries.is_empty()
        || kernel.operands[operand].labels.is_empty()
    {
        return Vec::new();
    }
    let half = entries.len() / 2;
    let mut choices = vec![entries[..half].to_vec(), entries[half..].to_vec()];
    if entries.len() <= 8 {
        choices.extend((0..entries.len()).map(|gone| [&entries[..gone], &entries[gone + 1..]].concat()));
    }
    choices.retain(|fewer| fewer.len() < entries.len());
    let with_entries = |fewer| {
        let mut smaller = kernel.clone();
        smaller.operands[operand].content = Content::File(*kind, fewer);
        smaller
    };
    choices.into_iter().map(with_entries).collect()
}

#[cfg(test)]
mod tests {
    use super::super::focus::Focus;
    use super::super::generate::{Shape, kernel};
    use super::super::rng::Rng;
    use super::*;

    /// A failure that needs one sparse operand with one entry: what is left has little more.
    #[test]
    fn what_does_not_matter_goes() {
        let sparse_entries = |kernel: &Kernel| {
            let sparse = (1..kernel.operands.len()).filter(|&operand| kernel.uses(operand));
            let sparse =
                sparse.map(|operand| &kernel.operands[operand]).filter(|info| !info.format.is_dense());
            sparse
                .filter_map(|info| match &info.content {
                    Content::File(_, entries) => Some(entries.len()),
                    _ => None,
                })
                .max()
        };
        let mut fails = |kernel: &Kernel| sparse_entries(kernel) > Some(0);
        let shape = Shape {
            most_sparse: 1,
            sparse_results: false,
            scheduled: 0,
            patterns: false,
            padded: false,
            complex: false,
            repeats: false,
            focus: Focus::default(),
        };
        let large = (0..100).map(|number| kernel(&mut Rng::numbered(1, number), shape));
        let large = large.filter(|kernel| sparse_entries(kernel) > Some(4)).collect::<Vec<_>>();
        assert!(large.len() > 10);
        for kernel in large {
            let small = reduce(kernel, 1000, &mut fails);
            assert_eq!(sparse_entries(&small), Some(1), "{small:?}");
            // Where the sparse operand is the mask only, the expression may have another one.
            let masks_only = small.mask.is_some_and(|mask| !small.value.uses(mask.operand));
            let used = (1..small.operands.len()).filter(|&operand| small.uses(operand)).count();
            assert!(used <= 1 + usize::from(masks_only), "{small:?}");
        }
    }
}
