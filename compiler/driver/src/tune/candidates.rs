//! Schedules that a statement could have, from its labels and the levels of its tensors, in a fixed order.
//! The compiler sees which of them are legal: here it is only avoided to make many that are not. The numbers
//! that stand in the commands are chosen, some of each size; what is best of them is measured.

use super::estimate;
use super::statement::{Operand, Statement};
use itertools::Itertools as _;

/// Orders that are expected to take n to this power as long as the best one are left out. Chosen below the
/// difference of a loop over all coordinates and one over those under a parent.
const TOO_DEAR: f64 = 0.4;
/// Statements with more labels have too many orders to look at each.
const MOST_LABELS: usize = 7;
/// How many of the orders get workspaces and other ways to collect a sparse result.
const COLLECTED: usize = 3;
/// Room for points in a hash table or a list.
const POINTS: u64 = 100_000;
/// How many entries a task of positions gets.
const ENTRIES: u64 = 256;
const BLOCKS: [u64; 3] = [32, 64, 256];
const LANES: [u64; 4] = [8, 16, 32, 64];
const UNROLLED: [u64; 2] = [2, 4];
/// Tasks for each thread.
const TASKS: [usize; 3] = [1, 8, 64];

/// The statement without commands; its loops are likely those of the cheapest order.
pub(crate) fn plain(statement: &Statement) -> Candidate {
    let best = orders(statement).into_iter().next();
    Candidate::plain(best.map_or_else(|| statement.labels.clone(), |(order, _)| order))
}

/// The first stage: orders of loops, the cheapest first; how a sparse result is collected; positions.
pub(crate) fn structures(statement: &Statement) -> Vec<Candidate> {
    // The order of one loop is no choice.
    let orders = if statement.labels.len() > 1 { orders(statement) } else { Vec::new() };
    let ordered: Vec<Candidate> = orders.iter().map(|(order, _)| Candidate::ordered(order)).collect();
    let plain = plain(statement);
    let bases = std::iter::once(&plain).chain(&ordered).take(COLLECTED);
    let ways = ways_to_collect(&statement.target);
    let collected = bases.flat_map(|base| ways.iter().map(|command| base.with(command.clone())));
    let mut found: Vec<Candidate> = ordered.iter().cloned().chain(collected).collect();
    found.extend(statement.read.iter().flat_map(|operand| positions(statement, operand)));
    found
}

/// The orders of the labels that may pay, with what they are expected to cost, the cheapest first.
fn orders(statement: &Statement) -> Vec<(Vec<String>, f64)> {
    let labels: Vec<&str> = statement.labels.iter().map(String::as_str).collect();
    if labels.len() > MOST_LABELS {
        return Vec::new();
    }
    let orders = labels.iter().copied().permutations(labels.len());
    let mut all: Vec<(Vec<&str>, f64)> =
        orders.map(|order| (order.clone(), estimate::of(statement, &order))).collect();
    all.sort_by(|(_, left), (_, right)| left.total_cmp(right));
    let best = all.first().map_or(0.0, |(_, cost)| *cost);
    let may_pay = all.into_iter().filter(|(_, cost)| *cost <= best + TOO_DEAR);
    may_pay.map(|(order, cost)| (order.into_iter().map(str::to_owned).collect(), cost)).collect()
}

/// What may be said of a sparse result.
fn ways_to_collect(target: &Operand) -> Vec<String> {
    if target.format.is_dense() {
        return Vec::new();
    }
    let name = &target.tensor;
    vec![
        format!("workspace({name}, dense)"),
        format!("workspace({name}, hash, {POINTS})"),
        format!("workspace({name}, list, {POINTS})"),
        format!("assemble({name}, insert)"),
    ]
}

/// Loops over the entries of a sparse operand, all of them or in blocks.
fn positions(statement: &Statement, operand: &Operand) -> Vec<Candidate> {
    let levels = operand.levels();
    let [(outer, _), (inner, kind), ..] = levels[..] else { return Vec::new() };
    if kind.is_full() {
        return Vec::new();
    }
    let [fused, entry, block, inside] = ["f", "fp", "fo", "fi"].map(|name| fresh(statement, name));
    let cuts = vec![
        format!("fuse({outer}, {inner}, {fused})"),
        format!("pos({fused}, {entry}, {})", operand.text()),
    ];
    let split = format!("split({entry}, {block}, {inside}, {ENTRIES})");
    let others: Vec<String> =
        statement.labels.iter().filter(|label| ![outer, inner].contains(&label.as_str())).cloned().collect();
    let candidate = |cuts: Vec<String>, outer: &[String]| {
        let loops = [outer, &others].concat();
        Candidate { cuts, order: Some(loops.clone()), others: Vec::new(), loops }
    };
    vec![candidate(cuts.clone(), &[entry]), candidate([cuts, vec![split]].concat(), &[block, inside])]
}

/// A name that no label and no tensor of the statement has.
fn fresh(statement: &Statement, name: &str) -> String {
    let tensors = statement.read.iter().chain([&statement.target]).map(|operand| &operand.tensor);
    let taken: Vec<&String> = statement.labels.iter().chain(tensors).collect();
    let numbered = (1..).map(|number| format!("{name}{number}"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    names.find(|name| !taken.contains(&name)).expect("there are more numbers than names")
}

/// The second stage: vectors and unrolling of the innermost loops, blocks of dense ones.
pub(crate) fn blocks(statement: &Statement, base: &Candidate) -> Vec<Candidate> {
    let mut found = Vec::new();
    let may_have = |label: &str, count: u64| statement.extent(label).is_none_or(|extent| extent >= count);
    let is_label = |label: &&String| statement.labels.contains(label);
    let inner: Vec<&String> = base.loops.iter().rev().take(2).filter(is_label).collect();
    if let Some(last) = inner.first().filter(|label| statement.is_dense_along(label)) {
        let lanes = LANES.into_iter().filter(|count| may_have(last, *count));
        found.extend(lanes.map(|count| base.with(format!("vectorize({last}, {count})"))));
    }
    for label in inner {
        found.extend(UNROLLED.map(|count| base.with(format!("unroll({label}, {count})"))));
    }
    if base.cuts.is_empty() {
        found.extend(panels(statement, base));
        found.extend(tiles(statement, base));
    }
    found
}

/// A dense loop in blocks, the loop over which is outermost.
fn panels(statement: &Statement, base: &Candidate) -> Vec<Candidate> {
    let mut found = Vec::new();
    for label in base.loops.iter().filter(|label| statement.is_dense_along(label)) {
        let [outer, inner] = ["o", "i"].map(|part| fresh(statement, &format!("{label}{part}")));
        let blocks = BLOCKS.into_iter();
        for count in blocks.filter(|count| statement.extent(label).is_none_or(|extent| extent > *count)) {
            let cut = format!("split({label}, {outer}, {inner}, {count})");
            let rest = base.loops.iter().map(|other| if other == label { &inner } else { other });
            let loops: Vec<String> = std::iter::once(&outer).chain(rest).cloned().collect();
            found.push(Candidate { cuts: vec![cut], order: Some(loops.clone()), loops, ..base.clone() });
        }
    }
    found
}

/// Tiles of all loops, where all are dense.
fn tiles(statement: &Statement, base: &Candidate) -> Vec<Candidate> {
    let is_dense = base.loops.iter().all(|label| statement.is_dense_along(label));
    if !is_dense || base.loops.len() < 2 {
        return Vec::new();
    }
    let tiled = BLOCKS.iter().map(|count| {
        let sizes: Vec<String> = base.loops.iter().map(|label| format!("{label}: {count}")).collect();
        base.with(format!("tile({})", sizes.join(", ")))
    });
    tiled.collect()
}

/// The third stage: which of the two outermost loops runs in how many tasks. One task is none.
pub(crate) fn tasks(base: &Candidate, threads: usize) -> Vec<Candidate> {
    if threads == 1 {
        return Vec::new();
    }
    let mut found = Vec::new();
    if let Some(outer) = base.loops.first() {
        found.push(base.with(format!("parallelize({outer}, cpu, 1)")));
        let counts = TASKS.map(|tasks| tasks * threads);
        found.extend(counts.map(|count| base.with(format!("parallelize({outer}, cpu, {count})"))));
    }
    if let Some(second) = base.loops.get(1) {
        found.push(base.with(format!("parallelize({second}, cpu)")));
    }
    found
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Candidate {
    /// Commands that cut, fuse or go over positions, which come first.
    pub(super) cuts: Vec<String>,
    /// The order that the loops are put in, where it says one.
    pub(super) order: Option<Vec<String>>,
    pub(super) others: Vec<String>,
    /// The loops, outermost first, as far as they are known.
    pub(super) loops: Vec<String>,
}

impl Candidate {
    /// No commands, for loops that are likely in this order.
    pub(super) fn plain(loops: Vec<String>) -> Self {
        Self { loops, ..Self::default() }
    }

    pub(super) fn ordered(order: &[String]) -> Self {
        let order = order.to_vec();
        Self { cuts: Vec::new(), order: Some(order.clone()), others: Vec::new(), loops: order }
    }

    pub(super) fn with(&self, command: String) -> Self {
        let mut others = self.others.clone();
        others.push(command);
        Self { others, ..self.clone() }
    }

    pub(crate) fn text(&self) -> String {
        let order = self.order.iter().map(|order| format!("order({})", order.join(", ")));
        let all: Vec<String> =
            self.cuts.iter().cloned().chain(order).chain(self.others.iter().cloned()).collect();
        all.join("; ")
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::tune::statement::statements;
    use comet_diag::Source;

    /// A statement over 3 labels, with the formats of its tensors C, A and B.
    pub(in crate::tune) fn statement(text: &str, formats: [&str; 3]) -> Statement {
        let [c, a, b] = formats;
        let program = format!(
            "def main() {{ IndexLabel [i, k] = [40]; IndexLabel [j] = [16]; Tensor<double> A([i, k], {a}); \
             Tensor<double> B([k, j], {b}); Tensor<double> C([i, j], {c}); A[i,k] = random(0.5, 1); \
             B[k,j] = random(0.5, 2); {text}; }}"
        );
        let source = Source::new("a.ta", program);
        let module = comet_syntax::parse(&source).expect("the program has the form");
        let program = comet_sema::check(&module, &source).expect("the program is right");
        statements(&module, &program).remove(0)
    }

    fn texts(candidates: &[Candidate]) -> Vec<String> {
        candidates.iter().map(Candidate::text).collect()
    }

    const PRODUCT: &str = "C[i,j] = A[i,k] * B[k,j]";

    /// Orders come with the cheapest first, and those that visit all pairs of a sparse product are left out.
    #[test]
    fn orders_are_those_that_may_pay() {
        let dense = statement(PRODUCT, ["Dense", "CSR", "Dense"]);
        let found = texts(&structures(&dense));
        assert_eq!(found[0], "order(i, k, j)");
        assert_eq!(found.len(), 8, "six orders, and the entries of A: {found:?}");
        assert_eq!(found[6], "fuse(i, k, f); pos(f, fp, A[i,k]); order(fp, j)");
        let sparse = statement(PRODUCT, ["CSR", "CSR", "CSR"]);
        let found = texts(&structures(&sparse));
        assert!(!found.contains(&"order(i, j, k)".to_owned()), "{found:?}");
        for expected in
            ["order(k, i, j)", "workspace(C, dense)", "order(i, k, j); workspace(C, hash, 100000)"]
        {
            assert!(found.contains(&expected.to_owned()), "{expected}: {found:?}");
        }
    }

    /// Vectors go along the innermost dense loop, no longer than it; blocks keep the order of the rest.
    #[test]
    fn blocks_fit_the_extents() {
        let dense = statement(PRODUCT, ["Dense", "CSR", "Dense"]);
        let found = texts(&blocks(&dense, &plain(&dense)));
        assert_eq!(
            found,
            [
                "vectorize(j, 8)",
                "vectorize(j, 16)",
                "unroll(j, 2)",
                "unroll(j, 4)",
                "unroll(k, 2)",
                "unroll(k, 4)",
                "split(i, io, ii, 32); order(io, ii, k, j)"
            ]
        );
        let dense = statement(PRODUCT, ["Dense", "Dense", "Dense"]);
        let found = texts(&blocks(&dense, &plain(&dense)));
        assert!(found.contains(&"split(k, ko, ki, 32); order(ko, i, ki, j)".to_owned()), "{found:?}");
        assert!(found.contains(&"tile(i: 64, k: 64, j: 64)".to_owned()), "{found:?}");
    }

    /// There are no tasks for one thread, and several numbers of them for more.
    #[test]
    fn tasks_are_for_threads() {
        let dense = statement(PRODUCT, ["Dense", "CSR", "Dense"]);
        let plain = plain(&dense);
        assert!(tasks(&plain, 1).is_empty());
        let found = texts(&tasks(&plain, 2));
        assert_eq!(found[..2], ["parallelize(i, cpu, 1)", "parallelize(i, cpu, 2)"]);
        assert_eq!(found.last().map(String::as_str), Some("parallelize(k, cpu)"));
    }

    /// What commands introduce has names of its own.
    #[test]
    fn names_are_fresh() {
        let text = "Tensor<double> f([i, j], Dense); f[i,j] = A[i,k] * B[k,j]";
        let found = texts(&structures(&statement(text, ["Dense", "CSR", "Dense"])));
        assert!(found.contains(&"fuse(i, k, f1); pos(f1, fp, A[i,k]); order(fp, j)".to_owned()), "{found:?}");
    }
}
