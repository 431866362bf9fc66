//! The expressions that are drawn, a family whose loops in C are easily said:
//!
//! ```text
//! RESULT = TERM * FACTOR * ...
//! TERM   = A[i, j] | A[i, j] + B[i, j] | A[i, j] * B[i, j]             A, B: CSR or DCSR
//! FACTOR = D[i, j] | u[i] | x[j] | L[i, k] * M[j, k] | M[j, k]         all dense
//! RESULT = C[i, j], sparse or dense | y[i] | y[j] | C[i, k]
//! ```
//!
//! So there are element-wise expressions, reductions, and products of sparse operands with dense ones. Other
//! operators, formats and ranks, and chains of matrices, are not drawn.

use comet_format::Format;
use std::fmt::Write as _;
use std::path::Path;

/// The extents of i, j and k.
pub(super) const EXTENTS: [(char, usize); 3] = [('i', 2000), ('j', 1500), ('k', 32)];
/// The fewest and the most entries of a row, in the mean.
const ENTRIES_A_ROW: [u64; 2] = [8, 100];

/// Numbers drawn one after another: splitmix64.
pub(super) struct Draw {
    state: u64,
}

impl Draw {
    pub(super) fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, count: u64) -> u64 {
        self.next() % count
    }

    fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len() as u64) as usize]
    }
}

/// How a sparse operand is stored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Storage {
    Csr,
    Dcsr,
}

impl Storage {
    pub(super) fn format(self) -> Format {
        match self {
            Self::Csr => Format::csr(),
            Self::Dcsr => Format::dcsr(),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Csr => "CSR",
            Self::Dcsr => "DCSR",
        }
    }
}

/// What a sparse operand holds.
#[derive(Clone, Copy, Debug)]
pub(super) struct DrawnEntries {
    pub(super) storage: Storage,
    pub(super) count: u64,
    pub(super) seed: u64,
}

/// An operand: sparse with entries, or dense.
#[derive(Clone, Debug)]
pub(super) struct DrawnTensor {
    pub(super) name: &'static str,
    pub(super) labels: &'static str,
    pub(super) entries: Option<DrawnEntries>,
}

impl DrawnTensor {
    fn dense(name: &'static str, labels: &'static str) -> Self {
        Self { name, labels, entries: None }
    }

    pub(super) fn dims(&self) -> Vec<usize> {
        self.labels.chars().map(extent).collect()
    }

    fn access(&self) -> String {
        access(self.name, self.labels)
    }

    fn declaration(&self) -> String {
        let format = self.entries.map_or("Dense", |entries| entries.storage.name());
        declaration(self.name, self.labels, format)
    }
}

/// What combines the two sparse operands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Join {
    Sum,
    Product,
}

/// A dense factor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Factor {
    Elements,
    Rows,
    Columns,
    /// L[i, k] * M[j, k], summed over k.
    Sampled,
    /// M[j, k], where k is a label of the result.
    Matrix,
}

impl Factor {
    fn operands(self) -> Vec<DrawnTensor> {
        match self {
            Self::Elements => vec![DrawnTensor::dense("D", "ij")],
            Self::Rows => vec![DrawnTensor::dense("u", "i")],
            Self::Columns => vec![DrawnTensor::dense("x", "j")],
            Self::Sampled => vec![DrawnTensor::dense("L", "ik"), DrawnTensor::dense("M", "jk")],
            Self::Matrix => vec![DrawnTensor::dense("M", "jk")],
        }
    }
}

/// What is computed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum DrawnTarget {
    Sparse,
    Dense,
    Rows,
    Columns,
    Matrix,
}

impl DrawnTarget {
    pub(super) fn labels(self) -> &'static str {
        match self {
            Self::Sparse | Self::Dense => "ij",
            Self::Rows => "i",
            Self::Columns => "j",
            Self::Matrix => "ik",
        }
    }

    fn format(self) -> &'static str {
        if self == Self::Sparse { "CSR" } else { "Dense" }
    }
}

/// A statement of the family.
#[derive(Clone, Debug)]
pub(super) struct Expression {
    pub(super) first: DrawnTensor,
    pub(super) second: Option<(Join, DrawnTensor)>,
    pub(super) factors: Vec<Factor>,
    pub(super) target: DrawnTarget,
}

impl Expression {
    pub(super) fn drawn(draw: &mut Draw) -> Self {
        let first = sparse("A", draw);
        let join = draw.one_of(&[None, Some(Join::Sum), Some(Join::Product)]);
        let second = join.map(|join| (join, sparse("B", draw)));
        let targets = [
            DrawnTarget::Sparse,
            DrawnTarget::Dense,
            DrawnTarget::Rows,
            DrawnTarget::Columns,
            DrawnTarget::Matrix,
        ];
        let target = draw.one_of(&targets);
        let mut factors = Vec::new();
        if target == DrawnTarget::Matrix {
            factors.push(Factor::Matrix);
        }
        // Without a factor, one operand alone would be a copy into another format.
        let fewest = u64::from(second.is_none() && target != DrawnTarget::Matrix);
        for _ in 0..fewest + draw.below(2) {
            let others = [Factor::Elements, Factor::Rows, Factor::Columns, Factor::Sampled];
            let factor = draw.one_of(&others);
            let is_taken =
                factors.contains(&factor) || (factor == Factor::Sampled && target == DrawnTarget::Matrix);
            if !is_taken {
                factors.push(factor);
            }
        }
        Self { first, second, factors, target }
    }

    /// The sparse operands, then the dense ones.
    pub(super) fn operands(&self) -> Vec<DrawnTensor> {
        let second = self.second.iter().map(|(_, tensor)| tensor.clone());
        let dense = self.factors.iter().flat_map(|factor| factor.operands());
        [self.first.clone()].into_iter().chain(second).chain(dense).collect()
    }

    /// The statement, and how the sparse operands are stored.
    pub(super) fn text(&self) -> String {
        let storage: Vec<&str> =
            self.operands().iter().filter_map(|operand| Some(operand.entries?.storage.name())).collect();
        format!("{}, {} from {}", self.statement(), self.target.format(), storage.join(" and "))
    }

    fn statement(&self) -> String {
        let mut right = self.first.access();
        match &self.second {
            Some((Join::Sum, second)) => right = format!("({right} + {})", second.access()),
            Some((Join::Product, second)) => right = format!("{right} * {}", second.access()),
            None => {}
        }
        for operand in self.factors.iter().flat_map(|factor| factor.operands()) {
            right += &format!(" * {}", operand.access());
        }
        format!("{} = {right}", access("C", self.target.labels()))
    }

    /// The program: it reads, runs the statement so often, prints the seconds of each run, and writes the
    /// result, as a dense tensor.
    pub(super) fn program(&self, repetitions: u32, result: &Path) -> String {
        let mut text = "def main() {\n".to_owned();
        let mut line = |statement: String| writeln!(text, "  {statement};").expect("strings take all text");
        for (label, extent) in EXTENTS {
            line(format!("IndexLabel [{label}] = [{extent}]"));
        }
        let operands = self.operands();
        operands.iter().for_each(|operand| line(operand.declaration()));
        line(declaration("C", self.target.labels(), self.target.format()));
        line(declaration("W", self.target.labels(), "Dense"));
        for (number, operand) in operands.iter().enumerate() {
            line(format!("{} = comet_read({number})", operand.access()));
        }
        line("var start = 0.0".to_owned());
        line("var stop = 0.0".to_owned());
        for _ in 0..repetitions {
            line("start = getTime()".to_owned());
            line(self.statement());
            line("stop = getTime()".to_owned());
            line("print(stop - start)".to_owned());
        }
        let (c, w) = (access("C", self.target.labels()), access("W", self.target.labels()));
        line(format!("{w} = {c}"));
        line(format!("comet_write({w}, \"{}\")", result.display()));
        text + "}\n"
    }
}

fn sparse(name: &'static str, draw: &mut Draw) -> DrawnTensor {
    let [fewest, most] = ENTRIES_A_ROW;
    let entries = DrawnEntries {
        storage: draw.one_of(&[Storage::Csr, Storage::Dcsr]),
        count: extent('i') as u64 * (fewest + draw.below(most - fewest)),
        seed: draw.next(),
    };
    DrawnTensor { name, labels: "ij", entries: Some(entries) }
}

fn extent(label: char) -> usize {
    let found = EXTENTS.iter().find(|(other, _)| *other == label);
    found.expect("the labels are i, j and k").1
}

fn access(name: &str, labels: &str) -> String {
    let labels: Vec<String> = labels.chars().map(String::from).collect();
    format!("{name}[{}]", labels.join(", "))
}

fn declaration(name: &str, labels: &str, format: &str) -> String {
    let labels: Vec<String> = labels.chars().map(String::from).collect();
    format!("Tensor<double> {name}([{}], {format})", labels.join(", "))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// (A + B) * x, reduced over j.
    pub(in crate::random) fn sum_of_two() -> Expression {
        let sparse = |name, storage| DrawnTensor {
            name,
            labels: "ij",
            entries: Some(DrawnEntries { storage, count: 9, seed: 0 }),
        };
        let second = Some((Join::Sum, sparse("B", Storage::Dcsr)));
        let factors = vec![Factor::Columns];
        Expression { first: sparse("A", Storage::Csr), second, factors, target: DrawnTarget::Rows }
    }

    #[test]
    fn programs_time_every_repetition() {
        let expression = sum_of_two();
        insta::assert_snapshot!(expression.text(), @"C[i] = (A[i, j] + B[i, j]) * x[j], Dense from CSR and DCSR");
        insta::assert_snapshot!(expression.program(1, Path::new("c.npy")), @r#"
        def main() {
          IndexLabel [i] = [2000];
          IndexLabel [j] = [1500];
          IndexLabel [k] = [32];
          Tensor<double> A([i, j], CSR);
          Tensor<double> B([i, j], DCSR);
          Tensor<double> x([j], Dense);
          Tensor<double> C([i], Dense);
          Tensor<double> W([i], Dense);
          A[i, j] = comet_read(0);
          B[i, j] = comet_read(1);
          x[j] = comet_read(2);
          var start = 0.0;
          var stop = 0.0;
          start = getTime();
          C[i] = (A[i, j] + B[i, j]) * x[j];
          stop = getTime();
          print(stop - start);
          W[i] = C[i];
          comet_write(W[i], "c.npy");
        }
        "#);
    }

    /// One seed yields one list of expressions, and expressions differ.
    #[test]
    fn seeds_decide() {
        let drawn = |seed| {
            let mut draw = Draw::new(seed);
            (0..10).map(|_| Expression::drawn(&mut draw).text()).collect::<Vec<_>>()
        };
        assert_eq!(drawn(1), drawn(1));
        assert_ne!(drawn(1), drawn(2));
        let distinct: std::collections::HashSet<_> = drawn(1).into_iter().collect();
        assert!(distinct.len() > 5, "{distinct:?}");
    }
}
