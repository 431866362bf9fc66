//! `sam`: the simulator of dataflow graphs on one core. Graphs and packed tensors are there before the time
//! begins. The memory is that of whole processes.

mod memory;

use crate::data;
use crate::report::{Compared, Report, Row};
use crate::setting::{Outcome, Setting};
use crate::timing::shortest;
use clap::Args;
use comet_gen::{Amount, Generator, Kind, Uniform, Values};
use comet_runtime::{ReadOptions, read_file};
use comet_sam::arithmetic::{Element, Operator, Reduction};
use comet_sam::graph::{Graph, GraphLevel, Merge, TensorFormat};
use comet_sam::lower::{IndexAccess, IndexExpression, IndexStatement, lower};
use comet_sam::simulate::{SimulationOptions, simulate};
use comet_sam::storage::{StoredLevel, StoredTensor};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

#[derive(Debug, Args)]
pub(crate) struct SamArguments {
    /// The matrix of the product A·Aᵀ; by default bcsstk13 of the shared data
    matrix: Option<PathBuf>,
}

const METHOD: &str = "seconds to simulate X(i,j) = B(i,k) * C(k,j) on one core, the shortest of all runs; \
    graphs and packed tensors are there before; of comet sim seconds of the whole process, once";

/// Seconds for figure 12's slowest order.
const GOAL_OF_FIGURE: f64 = 0.1;

/// Tokens a second for a product of matrices, row by row.
const GOAL_OF_PRODUCT: f64 = 20e6;

pub(crate) fn run(setting: &Setting, arguments: &SamArguments) -> Outcome<Report> {
    let runs = setting.runs;
    let figure = SimulatedProduct {
        order: ["i", "j", "k"],
        operands: [random([250, 100], 1212, 1)?, random([100, 250], 1280, 2)?],
    };
    let path = match &arguments.matrix {
        Some(path) => path.clone(),
        None => data::shared("bcsstk13.mtx.gz")?,
    };
    let matrix = read(&path)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let product =
        SimulatedProduct { order: ["i", "k", "j"], operands: [matrix.clone(), matrix.transposed()] };
    let mut rows = vec![
        figure.row("figure 12, ijk", runs, |_| GOAL_OF_FIGURE)?,
        product.row(&format!("A·Aᵀ of {name}, ikj"), runs, |tokens| tokens as f64 / GOAL_OF_PRODUCT)?,
    ];
    rows.extend(memory::rows(setting, &path)?);
    Ok(Report { bench: "sam", method: METHOD, rows, missing: Vec::new() })
}

/// The entries of a matrix.
#[derive(Clone, Debug)]
struct Matrix {
    dims: [usize; 2],
    entries: Vec<([usize; 2], f64)>,
}

impl Matrix {
    fn transposed(mut self) -> Self {
        self.dims.reverse();
        self.entries.iter_mut().for_each(|(point, _)| point.reverse());
        self
    }

    /// Compressed levels, those of the given modes one inside the other.
    fn packed(&self, order: [usize; 2]) -> StoredTensor {
        let mut entries: Vec<([usize; 2], f64)> =
            self.entries.iter().map(|(point, value)| (order.map(|mode| point[mode]), *value)).collect();
        entries.sort_by_key(|(path, _)| *path);
        let (mut seg, mut crd) = (vec![0], Vec::new());
        for (place, (path, _)) in entries.iter().enumerate() {
            if crd.last() != Some(&path[0]) {
                crd.push(path[0]);
                seg.push(place);
            }
            *seg.last_mut().expect("it has been pushed") = place + 1;
        }
        let inner = entries.iter().map(|(path, _)| path[1]).collect();
        let outer = StoredLevel::Compressed { seg: vec![0, crd.len()], crd };
        StoredTensor {
            dims: self.dims.to_vec(),
            levels: vec![outer, StoredLevel::Compressed { seg, crd: inner }],
            order: order.to_vec(),
            values: entries.iter().map(|(_, value)| *value).collect::<Vec<f64>>().into(),
        }
    }
}

fn random(dims: [u64; 2], entries: u64, seed: u64) -> Outcome<Matrix> {
    let kind = Kind::Uniform(Uniform { dims: dims.to_vec(), entries: Amount::Entries(entries) });
    let drawn = Generator::new(kind).values(Values::Random).seed(seed).generate();
    let drawn = drawn.map_err(|error| error.to_string())?;
    let entry = |place: usize| {
        let point = [0, 1].map(|mode: usize| drawn.coords[mode][place] as usize);
        (point, drawn.values[place])
    };
    Ok(Matrix { dims: dims.map(|dim| dim as usize), entries: (0..drawn.values.len()).map(entry).collect() })
}

fn read(path: &Path) -> Outcome<Matrix> {
    let failed = |reason: String| format!("`{}`: {reason}", path.display());
    let tensor = read_file(path, &ReadOptions::default()).map_err(|error| failed(error.to_string()))?;
    let dims: [i64; 2] =
        tensor.dims.clone().try_into().map_err(|_| failed("expected a matrix".to_owned()))?;
    let place = |column: &[i64], entry: usize| column[entry] as usize;
    let entry =
        |entry: usize| ([0, 1].map(|mode: usize| place(&tensor.coords[mode], entry)), (1 + entry % 9) as f64);
    Ok(Matrix { dims: dims.map(|dim| dim as usize), entries: (0..tensor.len()).map(entry).collect() })
}

/// A product of two matrices in a dataflow order.
struct SimulatedProduct {
    order: [&'static str; 3],
    operands: [Matrix; 2],
}

impl SimulatedProduct {
    fn statement(&self) -> IndexStatement {
        let indices = [["i", "j"], ["i", "k"], ["k", "j"]].map(|pair| pair.map(str::to_owned));
        let place = |index: &String| self.order.iter().position(|var| var == index);
        let format = |(name, pair): (&str, &[String; 2])| {
            let order = if place(&pair[0]) < place(&pair[1]) { vec![0, 1] } else { vec![1, 0] };
            let (name, levels) = (name.to_owned(), vec![GraphLevel::Compressed; 2]);
            TensorFormat { name, levels, order, element: Element::F64 }
        };
        let access = |tensor: usize| IndexAccess { tensor, indices: indices[tensor].to_vec() };
        let operand = |tensor| Box::new(IndexExpression::Access(access(tensor)));
        let product = IndexExpression::Combine(Merge::Intersect, Operator::Mul, operand(1), operand(2));
        IndexStatement {
            tensors: ["X", "B", "C"].into_iter().zip(&indices).map(format).collect(),
            order: self.order.map(str::to_owned).to_vec(),
            result: access(0),
            value: IndexExpression::Reduce(Reduction::Add, "k".to_owned(), Box::new(product)),
            fill: Reduction::Add,
            keeps: false,
        }
    }

    fn row(&self, case: &str, runs: u32, goal: impl Fn(u64) -> f64) -> Outcome<Row> {
        let statement = self.statement();
        let lowered = lower(&statement).map_err(|refusal| refusal.to_string())?;
        let stored = statement.tensors[1..]
            .iter()
            .zip(&self.operands)
            .map(|(format, matrix)| (format.name.clone(), matrix.packed([format.order[0], format.order[1]])));
        let measured = Measured::take(lowered.last(), &stored.collect(), runs)?;
        let rate = measured.tokens as f64 / measured.seconds / 1e6;
        let case = format!(
            "{case}: {} cycles, {} blocks, {} tokens, {rate:.1} million a second",
            measured.cycles, measured.blocks, measured.tokens
        );
        let goal = Some(goal(measured.tokens));
        Ok(Row { case, ours: measured.seconds, compared: Compared::Nothing, goal })
    }
}

struct Measured {
    cycles: u64,
    blocks: usize,
    tokens: u64,
    seconds: f64,
}

impl Measured {
    fn take(graph: &Graph, tensors: &BTreeMap<String, StoredTensor>, runs: u32) -> Outcome<Self> {
        let mut times = Vec::new();
        let mut last = None;
        for _ in 0..runs {
            let start = Instant::now();
            last = Some(
                simulate(graph, tensors, SimulationOptions::default()).map_err(|fault| fault.to_string())?,
            );
            times.push(start.elapsed().as_secs_f64());
        }
        let outcome = last.ok_or("expected one run at least")?;
        let tokens = outcome.streams.iter().map(|stream| stream.counts.total()).sum();
        Ok(Self { cycles: outcome.cycles, blocks: graph.blocks.len(), tokens, seconds: shortest(&times) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use comet_sam::arithmetic;

    /// A graph's result has the sums that a loop over all entries has.
    #[test]
    fn products_are_right() {
        let matrix = random([20, 30], 90, 3).expect("it can be drawn");
        let product = SimulatedProduct {
            order: ["i", "k", "j"],
            operands: [matrix.clone(), matrix.clone().transposed()],
        };
        let mut expected: BTreeMap<Vec<usize>, f64> = BTreeMap::new();
        for (a, left) in &matrix.entries {
            for (b, right) in matrix.entries.iter().filter(|(b, _)| a[1] == b[1]) {
                *expected.entry(vec![a[0], b[0]]).or_default() += left * right;
            }
        }
        let statement = product.statement();
        let stored = [("B", 0, [0, 1]), ("C", 1, [0, 1])].map(|(name, operand, order): (&str, usize, _)| {
            (name.to_owned(), product.operands[operand].packed(order))
        });
        let lowered = lower(&statement).expect("it can be lowered");
        let outcome =
            simulate(lowered.last(), &stored.into(), SimulationOptions::default()).expect("it runs");
        let found = outcome.result.entries();
        assert_eq!(found.len(), expected.len());
        for ((point, value), (expected_point, expected)) in found.into_iter().zip(expected) {
            let arithmetic::TypedValue::F64(value) = value else { panic!("{value:?}") };
            assert_eq!(point, expected_point);
            assert!((value - expected).abs() <= 1e-12 * expected.abs());
        }
    }
}
