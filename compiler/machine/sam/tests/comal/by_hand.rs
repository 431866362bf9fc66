//! Files that were not written by the compiler, as FuseFlow writes them: roots with broadcasts, writers
//! without tensors and modes, joiners of three, forks and joins, locators, operations in stages.

use super::wire::{Wire, file, wire};
use crate::pack::pack;
use comet_sam::comal;
use comet_sam::graph::{BlockKind, Element, Graph, GraphLevel, TensorFormat};
use comet_sam::simulate::{SimulationOptions, simulate};
use comet_sam::storage::{Entry, StoredTensor};
use std::collections::BTreeMap;

/// The fields of operations.
const ROOT: u64 = 11;
const JOINER: u64 = 12;
const LOOKUP: u64 = 13;
const FIBER_WRITE: u64 = 14;
const REPEAT: u64 = 15;
const ALU: u64 = 17;
const REDUCE: u64 = 18;
const ARRAY: u64 = 22;
const VAL_WRITE: u64 = 24;
const BROADCAST: u64 = 26;
const FORK: u64 = 27;
const JOIN: u64 = 28;
const GEN_REF: u64 = 29;
const LOCATE: u64 = 30;

/// In bundles of broadcasts, forks and joins.
const CRD: u64 = 2;
const REF: u64 = 3;
const VAL: u64 = 4;

fn root(tensor: &str, output: u64) -> (u64, Wire) {
    (ROOT, wire().text(2, tensor).stream(3, output))
}

/// The streams are the references that enter, and the references and coordinates that leave.
fn lookup(
    tensor: &str,
    (index, mode): (&str, u64),
    format: &str,
    [input, refs, crds]: [u64; 3],
) -> (u64, Wire) {
    let ports = wire().stream(2, input).stream(3, refs).stream(4, crds);
    (LOOKUP, ports.text(5, index).text(6, tensor).number(7, mode).text(8, format))
}

fn branching(operation: u64, kind: u64, trunk: u64, branches: &[u64]) -> (u64, Wire) {
    (operation, wire().message(kind, wire().stream(1, trunk).streams(2, branches)))
}

/// An intersecter of pairs of coordinates and references.
fn intersecter(index: &str, pairs: &[[u64; 2]], refs: &[u64], crd: u64) -> (u64, Wire) {
    let payload = |id| wire().stream(1, id);
    let pair = |[crd, reference]: [u64; 2]| wire().stream(1, crd).message(2, payload(reference));
    let joiner = pairs.iter().fold(wire().number(1, 0), |joiner, own| joiner.message(2, pair(*own)));
    let joiner = refs.iter().fold(joiner.text(3, index), |joiner, id| joiner.message(5, payload(*id)));
    (JOINER, joiner.stream(6, crd))
}

fn array(tensor: &str, input: u64, output: u64) -> (u64, Wire) {
    (ARRAY, wire().text(1, tensor).stream(2, input).stream(3, output))
}

/// Stages of registers that are read, the one that is written, and the operation.
fn alu(inputs: &[u64], output: u64, stages: &[(&[u64], u64, u64)], register: u64) -> (u64, Wire) {
    let mut alu = wire().message(1, wire().streams(1, inputs).stream(2, output));
    for (read, written, op) in stages {
        let stage = read.iter().fold(wire(), |stage, register| stage.number(1, *register));
        alu = alu.message(3, stage.number(2, *written).number(3, *op));
    }
    (ALU, alu.number(4, register))
}

fn repeat(index: &str, tensor: &str, [input, output, over]: [u64; 3]) -> (u64, Wire) {
    (REPEAT, wire().stream(1, input).stream(3, output).stream(5, over).text(8, index).text(10, tensor))
}

fn write(index: &str, crd: u64) -> (u64, Wire) {
    (FIBER_WRITE, wire().stream(2, crd).text(3, index).text(6, "compressed"))
}

fn stored(format: &TensorFormat, dims: &[usize], values: &[(&[usize], f64)]) -> StoredTensor {
    let entries: Vec<Entry> = values.iter().map(|(point, value)| (point.to_vec(), (*value).into())).collect();
    pack(format, dims, &entries)
}

/// A tensor: its name, its extents, and its entries.
type Given = (&'static str, &'static [usize], &'static [(&'static [usize], f64)]);

/// Reads a file, and runs it on operands whose formats the file states.
fn run(file: &[u8], operands: &[Given]) -> (Graph, Vec<Entry>) {
    let graph = comal::read(file).unwrap_or_else(|error| panic!("{error} ({})", error.hint));
    let format = |name: &str| graph.tensors.iter().find(|tensor| tensor.name == name).expect("it is there");
    let tensors: BTreeMap<String, StoredTensor> = operands
        .iter()
        .map(|(name, dims, values)| ((*name).to_owned(), stored(format(name), dims, values)))
        .collect();
    let outcome =
        simulate(&graph, &tensors, SimulationOptions::default()).unwrap_or_else(|fault| panic!("{fault}"));
    assert_eq!(outcome.unfit, None);
    let entries = outcome.result.entries();
    (graph, entries)
}

const B: Given = ("B", &[6], &[(&[0], 1.0), (&[2], 2.0), (&[3], 3.0), (&[5], 4.0)]);
const C: Given = ("C", &[6], &[(&[1], 5.0), (&[2], 6.0), (&[5], 7.0)]);
const D: Given = ("D", &[6], &[(&[0], 8.0), (&[2], 9.0), (&[5], -1.0)]);

/// exp(0.5 * b(i) * c(i) * d(i)): a joiner of three, and an operation in four stages.
#[test]
fn three_operands_meet_and_stages_compute() {
    let mut operations = vec![
        root("B", 1),
        root("C", 2),
        root("D", 3),
        lookup("B", ("i", 0), "compressed", [1, 11, 21]),
        lookup("C", ("i", 0), "compressed", [2, 12, 22]),
        lookup("D", ("i", 0), "compressed", [3, 13, 23]),
        intersecter("i", &[[21, 11], [22, 12], [23, 13]], &[31, 32, 33], 41),
        array("B", 31, 51),
        array("C", 32, 52),
        array("D", 33, 53),
        write("i", 41),
        (VAL_WRITE, wire().stream(1, 61)),
    ];
    // Product, product, scaled, exponential; the registers of the inputs are written over.
    let (field, computed) =
        alu(&[51, 52, 53], 61, &[(&[0, 1], 0, 13), (&[0, 2], 3, 2), (&[3], 4, 9), (&[4], 0, 4)], 0);
    operations.push((field, computed.double(8, 0.125)));
    let (graph, found) = run(&file(operations), &[B, C, D]);
    let expected = |point: usize, product: f64| -> Entry { (vec![point], (0.125 * product).exp().into()) };
    assert_eq!(found, [expected(2, 108.0), expected(5, -28.0)]);
    let joiner = graph
        .blocks
        .iter()
        .any(|block| matches!(&block.kind, BlockKind::Join(join) if join.operands.len() == 3));
    assert!(joiner && graph.tensors[0].name == "X");
}

const MATRIX: Given = (
    "B",
    &[5, 4],
    &[(&[0, 0], 1.0), (&[0, 3], 2.0), (&[1, 1], 3.0), (&[3, 0], 4.0), (&[3, 2], 5.0), (&[4, 3], 6.0)],
);
const DENSE: Given = ("C", &[4], &[(&[0], 2.0), (&[1], 3.0), (&[2], 5.0), (&[3], 7.0)]);

/// x(i) = B(i,j) * c(j) with the rows of B on two branches; c is dense, and its elements are located.
#[test]
fn rows_are_dealt_out_and_results_put_together() {
    let mut operations = vec![
        root("B", 1),
        lookup("B", ("i", 0), "compressed", [1, 2, 3]),
        branching(BROADCAST, CRD, 3, &[4, 5]),
        branching(FORK, REF, 2, &[10, 20]),
        branching(JOIN, VAL, 6, &[17, 27]),
        write("i", 4),
        (VAL_WRITE, wire().stream(1, 6).text(5, "x")),
    ];
    for branch in [10, 20] {
        operations.extend([
            lookup("B", ("j", 1), "compressed", [branch, branch + 1, branch + 2]),
            (
                LOCATE,
                wire()
                    .stream(1, branch + 2)
                    .stream(2, branch + 1)
                    .stream(3, branch + 3)
                    .stream(4, branch + 4),
            ),
            array("C", branch + 3, branch + 5),
            array("B", branch + 4, branch + 6),
            alu(&[branch + 5, branch + 6], branch + 8, &[(&[0, 1], 0, 2)], 0),
            (REDUCE, wire().stream(1, branch + 8).stream(2, branch + 7)),
        ]);
    }
    let (graph, found) = run(&file(operations), &[MATRIX, DENSE]);
    let expected: Vec<Entry> = [(0, 16.0), (1, 9.0), (3, 33.0), (4, 42.0)]
        .map(|(i, value): (usize, f64)| (vec![i], value.into()))
        .to_vec();
    assert_eq!(found, expected);
    let c = graph.tensors.iter().find(|tensor| tensor.name == "C").expect("it is located");
    assert_eq!((c.levels.as_slice(), c.element), ([GraphLevel::Dense].as_slice(), Element::F64));
}

/// X(i,j) = b(i) * c(j): c's root is repeated over the references of b.
#[test]
fn roots_are_repeated_over_references() {
    let operations = vec![
        root("B", 1),
        lookup("B", ("i", 0), "compressed", [1, 2, 3]),
        branching(BROADCAST, REF, 2, &[4, 5]),
        root("C", 6),
        repeat("i", "C", [6, 7, 4]),
        lookup("C", ("j", 0), "compressed", [7, 8, 9]),
        branching(BROADCAST, REF, 8, &[10, 11]),
        repeat("j", "B", [5, 12, 10]),
        array("B", 12, 13),
        array("C", 11, 14),
        alu(&[13, 14], 15, &[(&[0, 1], 0, 2)], 0),
        write("i", 3),
        write("j", 9),
        (VAL_WRITE, wire().stream(1, 15)),
    ];
    let (graph, found) = run(&file(operations), &[B, C]);
    let products =
        B.2.iter().flat_map(|(i, b)| C.2.iter().map(move |(j, c)| (vec![i[0], j[0]], (b * c).into())));
    assert_eq!(found, products.collect::<Vec<Entry>>());
    assert_eq!(graph.tensors[0].order, [0, 1]);
}

/// What is wrong with a file is reported with the number of the operation.
#[test]
fn what_cannot_be_read_is_told() {
    let lookups = |format: &str| vec![root("B", 1), lookup("B", ("i", 0), format, [1, 2, 3])];
    let with = |operation: (u64, Wire)| [lookups("compressed"), vec![operation]].concat();
    let cases: [(Vec<u8>, &str); 13] = [
        (file(with(alu(&[4], 4, &[(&[0], 0, 4)], 0))), "streams go around in a circle at operation 3"),
        (file(with(alu(&[4, 4], 5, &[(&[0, 1], 0, 77)], 0))), "operation 3 has a stage of type 77"),
        (file(with((REDUCE, wire().stream(1, 4).stream(2, 5).number(6, 9)))), "a reducer of type 9"),
        (file(with(branching(FORK, REF, 2, &[]))), "operation 3 has no branches"),
        (b"digraph SAM {}".to_vec(), "this is no graph of Comal"),
        (file(Vec::new()), "this graph of Comal has no operations"),
        (file(vec![(99, wire())]), "operation 1 (`op`) is of no known kind"),
        (file(lookups("banded")), "operation 2 has a level in format `banded`"),
        (file(with(write("i", 7))), "operation 3 (`fiberwrite`) reads crd stream 7"),
        (file(with((GEN_REF, wire()))), "operation 3 (`op`): generated references are not supported yet"),
        (
            file(with((ARRAY, wire().text(1, "B").number(6, 1)))),
            "values that are blocks are not supported yet",
        ),
        (file(with(alu(&[4], 5, &[(&[0, 1], 0, 2)], 0))), "a stage of operation 3 reads register 1"),
        (file(with(branching(JOIN, VAL, 6, &[4, 5]))), "val stream 4, which no operation writes"),
    ];
    for (file, expected) in cases {
        let error = comal::read(&file).expect_err(expected);
        assert!(error.message.contains(expected), "{expected}: {error}");
        assert!(!error.hint.is_empty());
    }
}

/// Whatever bytes come, none is a panic.
#[test]
fn spoilt_files_are_errors() {
    let whole = file(vec![
        root("B", 1),
        lookup("B", ("i", 0), "compressed", [1, 2, 3]),
        array("B", 2, 4),
        write("i", 3),
        (VAL_WRITE, wire().stream(1, 4)),
    ]);
    assert!(comal::read(&whole).is_ok());
    for place in 0..whole.len() {
        for change in [0x01, 0x80, 0xff] {
            let mut spoilt = whole.clone();
            spoilt[place] ^= change;
            let _ = comal::read(&spoilt);
            let _ = comal::read(&whole[..place]);
        }
    }
}
