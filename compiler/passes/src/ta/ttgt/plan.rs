//! Which operands of a contraction are copied, and in which order of labels, so that it is a product of
//! matrices.
//!
//! Labels that two of the three tensors have are a dimension of a matrix: rows are those of the left operand
//! and the output, columns those of the right one and the output, and the depth is what is summed over.
//! Labels that all three have are batches, a product for each of their points. In every tensor the labels of
//! a dimension have to stand next to each other, in the order that they have in the other tensor. That is
//! the order of one of the two, so that there are eight ways, of which the one that moves the least is taken.
//! Rows and columns may come in either order: a product of matrices takes strides.

/// The left operand, the right one and the output, as places in arrays.
const LEFT: usize = 0;
const RIGHT: usize = 1;
pub(super) const OUTPUT: usize = 2;

/// With fewer products, a loop nest is done before the run time has begun. Matrices of 24 by 24 take as long
/// either way, larger and flatter ones half to a tenth of the time (2 cores Zen 5, AVX-512, `gemm` 0.19).
const LEAST_PRODUCTS: f64 = 16_000.0;
/// So many more for each copy, whose variable has to be made.
const LEAST_OF_COPY: f64 = 32_000.0;
/// So many for each of several products of matrices.
const LEAST_OF_BATCH: f64 = 5_000.0;
/// So many for each element that is copied: it goes through memory twice, while a loop nest makes a product
/// or two a cycle.
const PRODUCTS_PER_COPIED: f64 = 12.0;
/// Stands for an extent that is not known.
const EXTENT: f64 = 100.0;
/// A copy that keeps the innermost label in its place costs so much less than one that does not.
const RUNS: f64 = 0.5;

#[derive(Clone, Debug)]
pub(super) struct Tensors {
    /// The label of each level of the three tensors, outermost first.
    pub(super) storage: [Vec<usize>; 3],
    pub(super) accumulates: bool,
    /// The extent of each label, where it is known.
    pub(super) extents: Vec<Option<u64>>,
}

/// How a contraction becomes a product of matrices.
#[derive(Clone, Debug)]
pub(super) struct MatrixPlan {
    /// The order of labels that each tensor is copied to; `None` where it is taken as it stands.
    pub(super) orders: [Option<Vec<usize>>; 3],
    tensors: Tensors,
    groups: Groups,
    /// The elements that are copied, with what a copy of them costs.
    moved: f64,
}

/// What makes it worth that: so many products at least.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Demand {
    /// There is one for each point of these labels.
    pub(super) products: Vec<usize>,
    /// The sum of these.
    pub(super) parts: Vec<Part>,
}

/// So many times the points of some labels.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Part {
    pub(super) factor: f64,
    pub(super) labels: Vec<usize>,
}

/// The labels of each dimension, in some order.
#[derive(Clone, Debug)]
struct Groups {
    rows: Vec<usize>,
    columns: Vec<usize>,
    depth: Vec<usize>,
    batches: Vec<usize>,
}

impl Tensors {
    /// The way that copies the least; `None` where this is no contraction of two matrices.
    pub(super) fn plan(&self) -> Option<MatrixPlan> {
        self.check()?;
        let mut best: Option<MatrixPlan> = None;
        for rows in [LEFT, OUTPUT] {
            for columns in [RIGHT, OUTPUT] {
                for depth in [LEFT, RIGHT] {
                    let plan = self.plan_of(self.groups(rows, columns, depth));
                    if best.as_ref().is_none_or(|best| plan.moved < best.moved) {
                        best = Some(plan);
                    }
                }
            }
        }
        best
    }

    /// Every label is once in a tensor, and in two at least that have it, and there is one of each dimension.
    fn check(&self) -> Option<()> {
        let is_proper = |label: usize| {
            let counts = self.storage.iter().map(|labels| labels.iter().filter(|own| **own == label).count());
            let counts: Vec<usize> = counts.collect();
            counts.iter().all(|count| *count < 2) && counts.iter().sum::<usize>() != 1
        };
        let groups = self.groups(LEFT, RIGHT, LEFT);
        let has_all = [&groups.rows, &groups.columns, &groups.depth].iter().all(|group| !group.is_empty());
        (has_all && (0..self.extents.len()).all(is_proper)).then_some(())
    }

    /// The dimensions, their labels in the order of those tensors.
    fn groups(&self, rows: usize, columns: usize, depth: usize) -> Groups {
        let of = |holders: [bool; 3], tensor: usize| -> Vec<usize> {
            let has_them =
                |label: &&usize| self.storage.iter().map(|labels| labels.contains(label)).eq(holders);
            self.storage[tensor].iter().filter(has_them).copied().collect()
        };
        Groups {
            rows: of([true, false, true], rows),
            columns: of([false, true, true], columns),
            depth: of([true, true, false], depth),
            batches: of([true; 3], OUTPUT),
        }
    }

    fn plan_of(&self, groups: Groups) -> MatrixPlan {
        let pairs = [
            [&groups.rows, &groups.depth],
            [&groups.depth, &groups.columns],
            [&groups.rows, &groups.columns],
        ];
        let mut moved = 0.0;
        let mut orders = [const { None }; 3];
        for (tensor, pair) in pairs.into_iter().enumerate() {
            let storage = &self.storage[tensor];
            if !fits(storage, pair, &groups.batches) {
                let order = ordered(storage, pair, &groups.batches);
                let cost = if order.last() == storage.last() { RUNS } else { 1.0 };
                // What is added to is copied there and back.
                let times = if tensor == OUTPUT && self.accumulates { 2.0 } else { 1.0 };
                moved += times * cost * self.size(storage);
                orders[tensor] = Some(order);
            }
        }
        MatrixPlan { orders, tensors: self.clone(), groups, moved }
    }

    fn size(&self, labels: &[usize]) -> f64 {
        labels.iter().map(|label| self.extents[*label].map_or(EXTENT, |extent| extent as f64)).product()
    }
}

/// Whether each label of a dimension stands next to the one before it, and the innermost one is no batch, so
/// that lines of the matrices are contiguous.
fn fits(storage: &[usize], dimensions: [&Vec<usize>; 2], batches: &[usize]) -> bool {
    let stands = |labels: &Vec<usize>| storage.windows(labels.len()).any(|window| window == labels);
    let innermost = storage.last().expect("a matrix has labels");
    dimensions.into_iter().all(stands) && !batches.contains(innermost)
}

/// Batches outermost, then the dimensions, the one with the innermost label last if that label stays.
fn ordered(storage: &[usize], dimensions: [&Vec<usize>; 2], batches: &[usize]) -> Vec<usize> {
    let [first, second] = dimensions;
    let (outer, inner) = if first.last() == storage.last() { (second, first) } else { (first, second) };
    [batches, outer, inner].concat()
}

impl MatrixPlan {
    /// What has to hold for it to be worth it.
    pub(super) fn demands(&self) -> Vec<Demand> {
        let Tensors { storage, accumulates, extents } = &self.tensors;
        let all: Vec<usize> = (0..extents.len()).collect();
        let constant = |factor| Part { factor, labels: Vec::new() };
        let copied: Vec<usize> = (0..3).filter(|tensor| self.orders[*tensor].is_some()).collect();
        let least = LEAST_PRODUCTS + LEAST_OF_COPY * copied.len() as f64;
        let mut demands = vec![Demand { products: all.clone(), parts: vec![constant(least)] }];
        if !copied.is_empty() {
            let part = |tensor: &usize| {
                let times = if *tensor == OUTPUT && *accumulates { 2.0 } else { 1.0 };
                Part { factor: PRODUCTS_PER_COPIED * times, labels: storage[*tensor].clone() }
            };
            demands.push(Demand { products: all, parts: copied.iter().map(part).collect() });
        }
        let Groups { rows, columns, depth, batches } = &self.groups;
        if !batches.is_empty() {
            let products = [&rows[..], columns, depth].concat();
            demands.push(Demand { products, parts: vec![constant(LEAST_OF_BATCH)] });
        }
        demands
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `left,right->output`, a letter for each level; every extent is 10.
    fn tensors(text: &str) -> Tensors {
        let labels = |text: &str| text.bytes().map(|letter| usize::from(letter - b'a')).collect::<Vec<_>>();
        let (inputs, output) = text.split_once("->").unwrap();
        let (left, right) = inputs.split_once(',').unwrap();
        let storage = [labels(left), labels(right), labels(output)];
        let count = storage.iter().flatten().max().unwrap() + 1;
        Tensors { storage, accumulates: false, extents: vec![Some(10); count] }
    }

    /// The orders of the copies, `-` where there is none.
    fn plan(text: &str) -> Option<String> {
        let orders = tensors(text).plan()?.orders.map(|order| match order {
            Some(order) => order.iter().map(|label| char::from(b'a' + *label as u8)).collect(),
            None => "-".to_owned(),
        });
        Some(orders.join(" "))
    }

    #[test]
    fn matrices_need_no_copy() {
        for text in
            ["ac,cb->ab", "ca,cb->ab", "ac,bc->ba", "abef,efcd->abcd", "abef,cdef->cdab", "dac,dcb->dab"]
        {
            assert_eq!(plan(text).as_deref(), Some("- - -"), "{text}");
        }
    }

    #[test]
    fn what_moves_the_least_is_taken() {
        // One operand has another order of what is summed over.
        assert_eq!(plan("aef,feb->ab").as_deref(), Some("- efb -"));
        // The output is copied, whichever way, and keeps its innermost label.
        assert_eq!(plan("aedf,bfce->abcd").as_deref(), Some("adef efbc bcad"));
        // Rows stand apart in the large operand only.
        assert_eq!(plan("aeb,ec->abc").as_deref(), Some("eab - -"));
        // A batch is never the innermost.
        assert_eq!(plan("acd,cbd->abd").as_deref(), Some("dac dcb dab"));
    }

    #[test]
    fn a_large_operand_stays() {
        let mut shape = tensors("aef,feb->ab");
        shape.extents[0] = Some(10_000);
        let orders = shape.plan().unwrap().orders;
        assert!(orders[LEFT].is_none() && orders[RIGHT].is_some(), "{orders:?}");
    }

    #[test]
    fn other_products_stay_loops() {
        for text in ["ab,b->a", "a,b->ab", "ab,ab->ab", "ab,bc->a", "aab,bc->ac", "ab,bc->acd"] {
            assert_eq!(plan(text), None, "{text}");
        }
    }

    #[test]
    fn small_products_and_large_copies_are_not_worth_it() {
        let is_worth = |text: &str, extents: &[u64]| {
            let mut shape = tensors(text);
            shape.extents = extents.iter().copied().map(Some).collect();
            let demands = shape.plan().unwrap().demands();
            let size = |labels: &[usize]| labels.iter().map(|label| extents[*label] as f64).product::<f64>();
            let least =
                |demand: &Demand| demand.parts.iter().map(|part| part.factor * size(&part.labels)).sum();
            demands.iter().all(|demand| size(&demand.products) >= least(demand))
        };
        assert!(is_worth("ac,cb->ab", &[100, 100, 100]) && !is_worth("ac,cb->ab", &[8, 8, 8]));
        assert!(is_worth("ac,cb->ab", &[1000, 2, 1000]));
        assert!(is_worth("aedf,bfce->abcd", &[8; 6]) && !is_worth("aedf,bfce->abcd", &[6; 6]));
        // A third of the work would be a copy.
        assert!(is_worth("acd,dcb->ab", &[100, 100, 9, 9]) && !is_worth("adc,db->acb", &[100, 4, 100, 9]));
        assert!(is_worth("dac,dcb->dab", &[20, 20, 20, 9]) && !is_worth("dac,dcb->dab", &[4, 4, 4, 5000]));
    }
}
