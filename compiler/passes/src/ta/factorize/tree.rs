//! Which factors of a product are multiplied first: the cheapest of all ways, by estimates.
//!
//! A loop nest over some factors runs once for each combination of their labels' values at which all of them
//! are likely to be stored, as if their patterns were independent. Extents that files decide and the entries
//! of sparse operands are not known here: typical ones stand for them, so that what counts is how the work
//! grows.

/// Stands for an extent that is not known.
const EXTENT: f64 = 10_000.0;
/// The entries that a sparse operand stores under each coordinate of another mode.
const ENTRIES: f64 = 128.0;
/// What a value of an intermediate result costs to store and to load, in multiplications.
const STORE: f64 = 2.0;
/// What finding a coordinate of one sparse factor in another costs, in multiplications.
const SEARCH: f64 = 16.0;
/// An intermediate result holds no more values than the largest operand or the result, so many times.
const MOST_MEMORY: f64 = 4.0;
/// The most factors for which all ways are compared.
pub(super) const MOST_FACTORS: usize = 6;

/// A factor or the result, as the estimates see it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Factor {
    /// Its labels, each once.
    pub(super) labels: Vec<usize>,
    /// The share of its positions that are stored.
    pub(super) density: f64,
    /// Whether it may store fewer than all positions, whatever the share.
    is_sparse: bool,
    is_temporary: bool,
}

#[derive(Debug)]
pub(super) struct Product {
    extents: Vec<f64>,
    inputs: Vec<Factor>,
    output: Factor,
}

/// A way to compute a product.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Tree {
    /// The factor at that place.
    Input(usize),
    /// One loop nest over the results of others.
    Nest(Vec<Tree>),
}

impl Tree {
    pub(super) fn inputs(&self) -> Vec<usize> {
        match self {
            Self::Input(place) => vec![*place],
            Self::Nest(parts) => parts.iter().flat_map(Self::inputs).collect(),
        }
    }
}

/// A tree with its cost, in multiplications.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) tree: Tree,
    pub(super) cost: f64,
}

/// A set of factors, a bit each.
type Set = u32;

impl Factor {
    pub(super) fn dense(mut labels: Vec<usize>) -> Self {
        labels.sort_unstable();
        labels.dedup();
        Self { labels, density: 1.0, is_sparse: false, is_temporary: false }
    }

    /// A sparse operand; `extents` are those of all labels.
    pub(super) fn sparse(labels: Vec<usize>, extents: &[Option<u64>]) -> Self {
        let dense = Self::dense(labels);
        let sizes: Vec<f64> = dense.labels.iter().map(|label| estimate(extents[*label])).collect();
        let largest = sizes.iter().copied().fold(1.0, f64::max);
        let stored = largest * ENTRIES.powi(sizes.len() as i32 - 1);
        Self { density: (stored / sizes.iter().product::<f64>()).min(1.0), is_sparse: true, ..dense }
    }
}

fn estimate(extent: Option<u64>) -> f64 {
    extent.map_or(EXTENT, |extent| (extent as f64).max(1.0))
}

impl Product {
    pub(super) fn new(extents: &[Option<u64>], inputs: Vec<Factor>, output: Factor) -> Self {
        Self { extents: extents.iter().map(|extent| estimate(*extent)).collect(), inputs, output }
    }

    pub(super) fn fused(&self) -> Plan {
        let tree = Tree::Nest((0..self.inputs.len()).map(Tree::Input).collect());
        Plan { tree, cost: self.iterations(&self.inputs) }
    }

    pub(super) fn best(&self) -> Plan {
        self.best_of(self.all(), &mut vec![None; self.all() as usize + 1])
    }

    fn best_of(&self, set: Set, known: &mut Vec<Option<Plan>>) -> Plan {
        if let Some(plan) = &known[set as usize] {
            return plan.clone();
        }
        let plan = if set.is_power_of_two() {
            Plan { tree: Tree::Input(set.trailing_zeros() as usize), cost: 0.0 }
        } else {
            let plans = partitions(set).into_iter().filter(|parts| parts.len() > 1);
            let plans: Vec<Plan> = plans.filter_map(|parts| self.nest_of(&parts, known)).collect();
            let cheapest = plans.into_iter().min_by(|left, right| left.cost.total_cmp(&right.cost));
            cheapest.expect("one nest over all factors is always a way")
        };
        known[set as usize] = Some(plan.clone());
        plan
    }

    /// One nest over the results of some sets; `None` where one of them would be too large, or a number that
    /// may not be there, which no format stores.
    fn nest_of(&self, parts: &[Set], known: &mut Vec<Option<Plan>>) -> Option<Plan> {
        let mut factors = Vec::new();
        let (mut trees, mut cost) = (Vec::new(), 0.0);
        for part in parts {
            let factor = self.factor(*part);
            if !part.is_power_of_two() {
                let stored = self.stored(&factor);
                let may_be_absent = factor.labels.is_empty() && factor.is_sparse;
                if may_be_absent || stored > MOST_MEMORY * self.largest() {
                    return None;
                }
                cost += STORE * stored;
            }
            let plan = self.best_of(*part, known);
            cost += plan.cost;
            trees.push(plan.tree);
            factors.push(factor);
        }
        Some(Plan { tree: Tree::Nest(trees), cost: cost + self.iterations(&factors) })
    }

    /// The product of a set of factors, summed over the labels that nothing else has.
    pub(super) fn factor(&self, set: Set) -> Factor {
        let is_in = |place: &usize| set & (1 << place) != 0;
        let members: Vec<&Factor> = (0..self.inputs.len()).filter(is_in).map(|n| &self.inputs[n]).collect();
        if let [single] = members[..] {
            return single.clone();
        }
        let outside: Vec<&Factor> = (0..self.inputs.len())
            .filter(|place| !is_in(place))
            .map(|place| &self.inputs[place])
            .chain([&self.output])
            .collect();
        let (kept, summed): (Vec<usize>, Vec<usize>) = labels(&members)
            .into_iter()
            .partition(|label| outside.iter().any(|factor| factor.labels.contains(label)));
        let together: f64 = members.iter().map(|factor| factor.density).product();
        // Of so many products, one at least is stored.
        let density = 1.0 - (-together * self.size(&summed)).exp();
        let is_sparse = members.iter().any(|factor| factor.is_sparse);
        Factor { labels: kept, density: if is_sparse { density } else { 1.0 }, is_sparse, is_temporary: true }
    }

    fn iterations(&self, factors: &[Factor]) -> f64 {
        let all = labels(&factors.iter().collect::<Vec<_>>());
        let density: f64 = factors.iter().map(|factor| factor.density).product();
        let is_searched = |(place, factor): &(usize, &Factor)| {
            let Some(outermost) = factor.labels.first() else { return false };
            let meets = |(other, factor): (usize, &Factor)| {
                other != *place && factor.is_sparse && factor.labels.contains(outermost)
            };
            factor.is_temporary && factor.is_sparse && factors.iter().enumerate().any(meets)
        };
        let searched = factors.iter().enumerate().filter(is_searched);
        self.size(&all) * density * SEARCH.powi(searched.count() as i32)
    }

    fn size(&self, labels: &[usize]) -> f64 {
        labels.iter().map(|label| self.extents[*label]).product()
    }

    fn stored(&self, factor: &Factor) -> f64 {
        self.size(&factor.labels) * factor.density
    }

    /// The values that the largest operand or the result stores.
    fn largest(&self) -> f64 {
        let result = self.factor(self.all());
        let stored = self.inputs.iter().chain([&self.output, &result]).map(|factor| self.stored(factor));
        stored.fold(1.0, f64::max)
    }

    fn all(&self) -> Set {
        (1 << self.inputs.len()) - 1
    }
}

/// The labels of some factors, ascending, each once.
fn labels(factors: &[&Factor]) -> Vec<usize> {
    let mut labels: Vec<usize> = factors.iter().flat_map(|factor| factor.labels.clone()).collect();
    labels.sort_unstable();
    labels.dedup();
    labels
}

fn partitions(set: Set) -> Vec<Vec<Set>> {
    if set == 0 {
        return vec![Vec::new()];
    }
    let lowest = set & set.wrapping_neg();
    let others = set ^ lowest;
    let mut found = Vec::new();
    // Every subset of the others, the empty one last.
    let mut beside = others;
    loop {
        for mut parts in partitions(others ^ beside) {
            parts.insert(0, lowest | beside);
            found.push(parts);
        }
        if beside == 0 {
            return found;
        }
        beside = (beside - 1) & others;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A product of sparse factors may be absent as a whole, however likely it is that it is there.
    #[test]
    fn sparse_factors_are_not_summed_to_a_number() {
        assert_eq!(best_with("ij,I,k->K", &[Some(2); 4]), "(0 1 2)");
    }

    /// Factors with labels as letters, those in capitals sparse; `->` the result.
    fn product(text: &str, extents: &[Option<u64>]) -> Product {
        let (inputs, output) = text.split_once("->").unwrap();
        let factor = |text: &str| {
            let labels = text.bytes().map(|letter| usize::from(letter.to_ascii_lowercase() - b'i')).collect();
            let is_dense = text.bytes().all(|letter| letter.is_ascii_lowercase());
            if is_dense { Factor::dense(labels) } else { Factor::sparse(labels, extents) }
        };
        Product::new(extents, inputs.split(',').map(factor).collect(), factor(output))
    }

    fn best(text: &str) -> String {
        best_with(text, &[None; 4])
    }

    fn best_with(text: &str, extents: &[Option<u64>]) -> String {
        show(&product(text, extents).best().tree)
    }

    fn show(tree: &Tree) -> String {
        match tree {
            Tree::Input(place) => place.to_string(),
            Tree::Nest(parts) => {
                let mut parts: Vec<String> = parts.iter().map(show).collect();
                parts.sort();
                format!("({})", parts.join(" "))
            }
        }
    }

    #[test]
    fn chains_are_multiplied_two_by_two() {
        assert_eq!(best("ij,jk,kl->il"), "((0 1) 2)");
        assert_eq!(best("ij,jk,k->i"), "((1 2) 0)");
        assert_eq!(best("IJ,jk,kl->il"), "((0 1) 2)");
        assert_eq!(best("IJ,JK,KL->IL"), "((0 1) 2)");
    }

    /// The smallest intermediate result comes first.
    #[test]
    fn known_extents_decide() {
        let extents = [Some(1000), Some(10), Some(1000), Some(10)];
        assert_eq!(best_with("ij,jk,kl->il", &extents), "((1 2) 0)");
        let extents = [Some(10), Some(1000), Some(10), Some(1000)];
        assert_eq!(best_with("ij,jk,kl->il", &extents), "((0 1) 2)");
    }

    #[test]
    fn what_gains_nothing_stays_one_nest() {
        assert_eq!(best("IJK,jl,kl->il"), "(0 1 2)");
        assert_eq!(best("IJ,ik,jk->IJ"), "(0 1 2)");
        assert_eq!(best("IJ,IJ,IJ->ij"), "(0 1 2)");
    }

    #[test]
    fn sets_are_cut_in_every_way() {
        assert_eq!(partitions(0b1011).len(), 5);
        assert_eq!(partitions(0b11111).len(), 52);
    }
}
