//! What the simulator's memory moves of random programs in tiles is what is counted of them, to the byte.
//!
//! Programs are drawn; each reads matrices, tensors and vectors of random entries, in any
//! formats and orders of loops. The last-level buffer keeps nothing, so that each tile comes from DRAM.

use super::auto::Settling;
use super::operands::Operands;
use super::order::Orders;
use super::statement::{Which, statements};
use crate::dataflow::{self, Results, SimulationSettings};
use crate::failure::Result;
use crate::front;
use crate::middle::Checked;
use crate::session::Session;
use crate::tile::auto::Machines;
use comet_backend_cpu::native::Optimization;
use comet_diag::Source;
use comet_runtime::options::TnsForm;
use comet_sam::simulate::{MemoryModel, SimulationOptions};
use comet_sema::program::{CommandArgKind, Program, StmtKind};
use comet_tiling::{Access, Machine, Pattern, Statement, Tiles, measure};

/// How many programs are drawn, where `COMET_CASES` does not say it.
const CASES: u64 = 400;

/// A statement with its result, its operands, and its indices.
struct StatementShape {
    text: &'static str,
    tensors: &'static [(&'static str, &'static str)],
    /// Whether an operand is a mask, which is sparse.
    has_mask: bool,
}

const fn shape(text: &'static str, tensors: &'static [(&'static str, &'static str)]) -> StatementShape {
    StatementShape { text, tensors, has_mask: false }
}

/// The first tensor is the result.
const SHAPES: &[StatementShape] = &[
    shape("C[i,j] = A[i,k] * B[k,j]", &[("C", "ij"), ("A", "ik"), ("B", "kj")]),
    shape("C[i,j] = A[i,k] * B[j,k]", &[("C", "ij"), ("A", "ik"), ("B", "jk")]),
    shape("y[i] = A[i,k] * x[k]", &[("y", "i"), ("A", "ik"), ("x", "k")]),
    shape("y[i] = A[i,k]", &[("y", "i"), ("A", "ik")]),
    shape("y[i] = A[i,k] * B[i,k]", &[("y", "i"), ("A", "ik"), ("B", "ik")]),
    shape("C[i,j] = A[i,j] + B[i,j]", &[("C", "ij"), ("A", "ij"), ("B", "ij")]),
    shape("C[i,j] = A[i,j] - B[i,j] + D[i,j]", &[("C", "ij"), ("A", "ij"), ("B", "ij"), ("D", "ij")]),
    shape("C[i,j] = A[i,j] .* B[i,j]", &[("C", "ij"), ("A", "ij"), ("B", "ij")]),
    shape("C[i,j] = (A[i,j] + B[i,j]) .* D[i,j]", &[("C", "ij"), ("A", "ij"), ("B", "ij"), ("D", "ij")]),
    shape("C[i,j] = A[i,j] .* B[i,j] + D[i,j]", &[("C", "ij"), ("A", "ij"), ("B", "ij"), ("D", "ij")]),
    shape("C[i,j] = A[i,j] * x[i] * z[j]", &[("C", "ij"), ("A", "ij"), ("x", "i"), ("z", "j")]),
    shape("C[i,j] = x[i] * z[j] + D[i,j]", &[("C", "ij"), ("x", "i"), ("z", "j"), ("D", "ij")]),
    shape("C[i,j] = x[i] * A[i,j] + B[i,j]", &[("C", "ij"), ("x", "i"), ("A", "ij"), ("B", "ij")]),
    shape("C[i,j] = A[i,k] * B[k,j] * D[i,j]", &[("C", "ij"), ("A", "ik"), ("B", "kj"), ("D", "ij")]),
    shape("C[i,j] = A[i,k] * B[k,j] + D[i,j]", &[("C", "ij"), ("A", "ik"), ("B", "kj"), ("D", "ij")]),
    shape("C[i,j] = 2 * A[i,k] * B[k,j]", &[("C", "ij"), ("A", "ik"), ("B", "kj")]),
    shape("y[i] = A[i,k] * x[k] + z[i]", &[("y", "i"), ("A", "ik"), ("x", "k"), ("z", "i")]),
    shape(
        "y[i] = A[i,k] * x[k] - B[i,k] * z[k]",
        &[("y", "i"), ("A", "ik"), ("x", "k"), ("B", "ik"), ("z", "k")],
    ),
    shape(
        "C[i,j] = A[i,k] * B[k,j] + D[i,k] * E[k,j]",
        &[("C", "ij"), ("A", "ik"), ("B", "kj"), ("D", "ik"), ("E", "kj")],
    ),
    shape("C[i,j] = A[i,k] * B[k,l] * D[l,j]", &[("C", "ij"), ("A", "ik"), ("B", "kl"), ("D", "lj")]),
    shape("C[i,j] = A[i,k,j] * x[k]", &[("C", "ij"), ("A", "ikj"), ("x", "k")]),
    shape("C[i,j] = A[i,k,l] * B[k,j] * D[l,j]", &[("C", "ij"), ("A", "ikl"), ("B", "kj"), ("D", "lj")]),
    shape("C[i,j] = A[i,k,l] * B[k,l,j]", &[("C", "ij"), ("A", "ikl"), ("B", "klj")]),
    shape("C[i,j,k] = A[i,j,l] * B[l,k]", &[("C", "ijk"), ("A", "ijl"), ("B", "lk")]),
    shape("C[i,j,k] = A[i,j,k] + B[i,j,k]", &[("C", "ijk"), ("A", "ijk"), ("B", "ijk")]),
    StatementShape {
        text: "C[i,j]<M> = A[i,k] * B[k,j]",
        tensors: &[("C", "ij"), ("A", "ik"), ("B", "kj"), ("M", "ij")],
        has_mask: true,
    },
    StatementShape {
        text: "C[i,j]<M> = A[i,j] + B[i,j]",
        tensors: &[("C", "ij"), ("A", "ij"), ("B", "ij"), ("M", "ij")],
        has_mask: true,
    },
];

/// Numbers of a linear congruential generator.
struct Draw(u64);

impl Draw {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }

    fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }
}

/// A program, and the buffer that it is in tiles for.
struct RandomCase {
    text: String,
    buffer: u64,
}

/// The formats of tensors of a rank, without the dense one.
fn formats(rank: usize) -> &'static [&'static str] {
    match rank {
        1 => &["{CU}"],
        2 => &["CSR", "DCSR", "CSC", "COO"],
        _ => &["CSF", "COO"],
    }
}

fn case(seed: u64) -> RandomCase {
    let mut draw = Draw(seed);
    draw.below(2);
    let shape = &SHAPES[draw.below(SHAPES.len())];
    let mut indices: Vec<char> = shape.tensors.iter().flat_map(|(_, indices)| indices.chars()).collect();
    indices.sort_unstable();
    indices.dedup();
    let mut text = "def main() {\n".to_owned();
    for index in &indices {
        text.push_str(&format!("  IndexLabel [{index}] = [{}];\n", 3 + draw.below(18)));
    }
    let mut content = String::new();
    for (number, (name, own)) in shape.tensors.iter().enumerate() {
        let labels = own.chars().map(String::from).collect::<Vec<_>>().join(", ");
        let may_be_dense = !(shape.has_mask && number + 1 == shape.tensors.len());
        let is_dense = may_be_dense && draw.below(4) == 0;
        let format = if is_dense { "Dense" } else { draw.of(formats(own.len())) };
        text.push_str(&format!("  Tensor<double> {name}([{labels}], {format});\n"));
        content.push_str(&match (number, is_dense) {
            (0, _) => String::new(),
            (_, true) => format!("  {name}[{labels}] = 2.5;\n"),
            (_, false) => format!(
                "  {name}[{labels}] = random({}, {});\n",
                draw.of(&["0.05", "0.2", "0.5"]),
                draw.below(1000)
            ),
        });
    }
    let mut order = Vec::new();
    while !indices.is_empty() {
        order.push(indices.remove(draw.below(indices.len())).to_string());
    }
    let buffer = draw.of(&[100, 160, 240, 400, 900]);
    let (statement, order) = (shape.text, order.join(", "));
    text.push_str(&content);
    text.push_str(&format!(
        "  {statement} schedule {{ order({order}); tile(auto, buffer = {buffer}); }};\n}}\n"
    ));
    RandomCase { text, buffer }
}

/// What comes of a program.
#[derive(Debug, PartialEq, Eq)]
enum ComparedTraffic {
    /// `comet tile` does not take it, or finds nothing to do.
    Refused,
    /// An operand has no entries, so that no iteration has a product. A graph brings what does not need that
    /// operand to be asked for.
    Empty,
    /// One tile of everything is no tile.
    Whole,
    /// Bytes that are read and written, as counted and as simulated.
    Moved { counted: (u64, u64), simulated: (u64, u64) },
}

fn compare(case: &RandomCase) -> Result<ComparedTraffic> {
    let session =
        Session { target_cpu: "native".to_owned(), optimization: Optimization::O0, ..Session::default() };
    let source = Source::new("random.ta", case.text.clone());
    let program = front::check(&session, &source)?;
    let Ok(Some(statement)) = statement(Checked { session: &session, source: &source, program: &program })
    else {
        return Ok(ComparedTraffic::Refused);
    };
    let is_empty = |access: &Access| matches!(&access.pattern, Pattern::Points(points) if points.is_empty());
    if statement.accesses.iter().any(is_empty) {
        return Ok(ComparedTraffic::Empty);
    }
    let settling = Settling { session: &session, source: &source, machines: Machines::Accelerators };
    let program = settling.program(program, TnsForm::default())?;
    let Some(tiles) = tiles(&program, &statement) else { return Ok(ComparedTraffic::Whole) };
    let traffic = measure(&statement, &tiles, &Machine::of_buffer(case.buffer));
    let counted = (traffic.input(), traffic.output.bytes);
    let checked = Checked { session: &session, source: &source, program: &program };
    Ok(ComparedTraffic::Moved { counted, simulated: simulated(checked, case.buffer)? })
}

/// What is in tiles; none if nothing is.
fn statement(checked: Checked<'_>) -> Result<Option<Statement>> {
    let main = checked.program.main().expect("the program has a main");
    let orders = Orders::new(checked)?;
    let mut operands = Operands::new(main, checked.source, TnsForm::default())?;
    let found = statements(&mut operands, &orders, (&main.body, Which::Automatic))?;
    Ok(found.into_iter().next().map(|own| own.statement))
}

/// The sizes that a schedule has got.
fn tiles(program: &Program, statement: &Statement) -> Option<Tiles> {
    let body = &program.main().expect("the program has a main").body;
    let schedules = body.iter().filter_map(|statement| match &statement.kind {
        StmtKind::Assign(assign) => assign.schedule.as_ref(),
        _ => None,
    });
    let mut commands = schedules.flat_map(|schedule| &schedule.commands);
    let tile = commands.find(|command| command.name.name == "tile")?;
    let size = |name: &str| {
        tile.args.iter().find_map(|arg| match &arg.kind {
            CommandArgKind::Sized(label, number) if label.name == name => {
                number.integer.map(i64::cast_unsigned)
            }
            _ => None,
        })
    };
    let of = |variable: &comet_tiling::Variable| size(&variable.name).unwrap_or(variable.extent);
    Some(Tiles(statement.variables.iter().map(of).collect()))
}

/// What a memory with such buffers reads and writes.
fn simulated(checked: Checked<'_>, buffer: u64) -> Result<(u64, u64)> {
    let memory = MemoryModel { element: buffer, last_level: 0, ..MemoryModel::default() };
    let settings = SimulationSettings {
        options: SimulationOptions { memory: Some(memory), ..SimulationOptions::default() },
        ..SimulationSettings::default()
    };
    let simulated = dataflow::simulate(checked, settings)?;
    let report = serde_json::to_value(simulated.json(Results::LeftOut)).expect("it is JSON");
    let graphs = report["graphs"].as_array().cloned().unwrap_or_default();
    let sum = |what: &str| graphs.iter().filter_map(|graph| graph["memory"][what].as_u64()).sum();
    Ok((sum("dram_read"), sum("dram_written")))
}

/// Random programs run in a memory that has room for their tiles, and move what is counted.
#[test]
fn what_is_simulated_is_what_is_counted() {
    let cases = std::env::var("COMET_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(CASES);
    let (mut compared, mut left_out) = (0, [0; 3]);
    for seed in 0..cases {
        let case = case(seed);
        match compare(&case) {
            Ok(ComparedTraffic::Refused) => left_out[0] += 1,
            Ok(ComparedTraffic::Empty) => left_out[1] += 1,
            Ok(ComparedTraffic::Whole) => left_out[2] += 1,
            Ok(ComparedTraffic::Moved { counted, simulated }) => {
                assert_eq!(simulated, counted, "case {seed}, simulated and counted:\n{}", case.text);
                compared += 1;
            }
            Err(failure) => panic!("case {seed}: {}\n{}", failure.first_message(), case.text),
        }
    }
    let [refused, empty, whole] = left_out;
    let report =
        format!("{compared} compared; {refused} refused, {empty} without entries, {whole} in one tile");
    println!("{report}");
    assert!(cases < CASES || compared >= 200, "{report}");
}
