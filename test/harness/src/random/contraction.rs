//! Contractions of two dense tensors that are large enough for the compiler to make matrices of them.

use super::data::{self, Density};
use super::format::Format;
use super::generate::{file, open_labels};
use super::kernel::{Content, DrawnLabel, Kernel, Operand, Value};
use super::rng::Rng;

/// With fewer products, loops are taken.
const LEAST_PRODUCTS: usize = 17_000;
/// More take the oracle too long.
const MOST_PRODUCTS: usize = 200_000;

/// What the labels of a contraction are for.
struct Labels {
    rows: Vec<usize>,
    columns: Vec<usize>,
    depth: Vec<usize>,
    batches: Vec<usize>,
}

/// A kernel whose operands have their labels in any order.
pub fn contraction(rng: &mut Rng) -> Kernel {
    let groups = labels(rng);
    let mut labels = sizes(rng, &groups);
    let element = rng.pick(&["double", "double", "float"]);
    let Labels { rows, columns, depth, batches } = &groups;
    let left = operand(rng, &labels, element, &[rows, depth, batches]);
    let right = operand(rng, &labels, element, &[depth, columns, batches]);
    let mut target = operand(rng, &labels, element, &[rows, columns, batches]);
    let op = rng.pick(&["=", "+=", "-="]);
    if op == "=" {
        target.content = Content::Nothing;
    }
    let product = Value::binary("*", Value::Operand(1), Value::Operand(2));
    let value = if rng.percent(30) { Value::binary("*", Value::Number("0.5"), product) } else { product };
    let operands = vec![target, left, right];
    open_labels(rng, &mut labels, &operands);
    let (prints_operands, again, schedule) = (false, rng.percent(20).then_some("+="), Vec::new());
    Kernel {
        labels,
        operands,
        op,
        mask: None,
        value,
        prints_operands,
        rounds: 1,
        again,
        schedule,
        prints_entries: false,
    }
}

/// At least one of each but batches, at most four in a tensor.
fn labels(rng: &mut Rng) -> Labels {
    let mut count = 0;
    let mut take = |number: usize| {
        count += number;
        (count - number..count).collect::<Vec<_>>()
    };
    let batches = take(usize::from(rng.percent(25)));
    let most = if batches.is_empty() { 2 } else { 1 };
    let rows = take(rng.between(1, 2));
    let columns = take(rng.between(1, most.max(3 - rows.len())));
    let depth = take(rng.between(1, most));
    Labels { rows, columns, depth, batches }
}

/// Seldom nothing or one; else enough for matrices.
fn sizes(rng: &mut Rng, groups: &Labels) -> Vec<DrawnLabel> {
    let Labels { rows, columns, depth, batches } = groups;
    let count = [rows, columns, depth, batches].into_iter().map(Vec::len).sum::<usize>();
    let mut sizes = (0..count).map(|_| rng.between(2, 6)).collect::<Vec<_>>();
    if rng.percent(15) {
        let label = rng.below(count);
        sizes[label] = 1;
    }
    let growing = (0..count).filter(|&label| sizes[label] > 1).collect::<Vec<_>>();
    while sizes.iter().product::<usize>() < LEAST_PRODUCTS {
        sizes[rng.pick(&growing)] += rng.between(1, 9);
    }
    while sizes.iter().product::<usize>() > MOST_PRODUCTS {
        let largest = (0..count).max_by_key(|&label| sizes[label]).expect("there are labels");
        sizes[largest] -= 1;
    }
    if rng.percent(4) {
        let label = rng.below(count);
        sizes[label] = 0;
    }
    sizes.into_iter().map(|size| DrawnLabel { size, open: false }).collect()
}

fn operand(rng: &mut Rng, labels: &[DrawnLabel], element: &'static str, groups: &[&Vec<usize>]) -> Operand {
    let own = groups.iter().flat_map(|group| group.iter().copied()).collect::<Vec<_>>();
    let own = rng.some(&own, own.len());
    let order = rng.some(&(0..own.len()).collect::<Vec<_>>(), own.len());
    let order = Some(order).filter(|order| rng.percent(20) && !order.is_sorted());
    let format = match order {
        Some(_) => Format::Levels { kinds: vec!["D"; own.len()], order },
        None => Format::Dense,
    };
    let dims = own.iter().map(|&label| labels[label].size).collect::<Vec<_>>();
    let positions = data::positions(rng, &dims, Density::Full);
    let entries = data::entries(rng, element, positions);
    let content = file(rng, &dims, &format, entries);
    Operand { labels: own, element, format, content, part: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_work_for_matrices() {
        let products = |number| -> usize {
            contraction(&mut Rng::numbered(3, number)).labels.iter().map(|label| label.size).product()
        };
        let counts = (0..200).map(products).collect::<Vec<_>>();
        assert!(counts.iter().all(|count| *count <= MOST_PRODUCTS));
        assert!(counts.iter().filter(|count| **count >= LEAST_PRODUCTS).count() > 150);
    }
}
