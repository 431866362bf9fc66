//! The graphs and inputs of `../shared/reference`: the cycles of the reference simulator.

use crate::draw::Draw;
use crate::given::{files, reference};
use crate::notation::dense::expected;
use crate::notation::{accesses, permutations, variables, with_formats};
use crate::pack::pack;
use comet_sam::graph::{Element, Graph, GraphLevel, TensorFormat};
use comet_sam::lower::{IndexStatement, lower};
use comet_sam::simulate::{EmptyCoordinates, SimulationOptions, simulate};
use comet_sam::storage::{Entry, StoredTensor};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// `ss01`, or `none` for a scalar.
fn format(name: &str, text: &str) -> TensorFormat {
    let level = |letter| if letter == 'd' { GraphLevel::Dense } else { GraphLevel::Compressed };
    let levels: Vec<GraphLevel> = if text == "none" {
        vec![]
    } else {
        text.chars().filter(char::is_ascii_alphabetic).map(level).collect()
    };
    let order = text.chars().filter_map(|digit| digit.to_digit(10)).map(|mode| mode as usize).collect();
    TensorFormat { name: name.to_owned(), levels, order, element: Element::F64 }
}

fn number(value: &Value) -> usize {
    value.as_u64().expect("a number") as usize
}

fn entry(value: &Value) -> Entry {
    let fields = value.as_array().expect("an entry");
    let (value, coordinates) = fields.split_last().expect("an entry has a value");
    (coordinates.iter().map(number).collect(), value.as_f64().expect("a value").into())
}

fn input(name: &str, input: &Value) -> StoredTensor {
    let text = input["format"].as_str().expect("a format");
    let dims: Vec<usize> = input["shape"].as_array().expect("a shape").iter().map(number).collect();
    let entries: Vec<Entry> = input["entries"].as_array().expect("entries").iter().map(entry).collect();
    pack(&format(name, text), &dims, &entries)
}

fn inputs(case: &Value) -> BTreeMap<String, StoredTensor> {
    let inputs = case["inputs"].as_object().expect("inputs");
    inputs.iter().map(|(name, value)| (name.clone(), input(name, value))).collect()
}

fn graph(folder: &Path, case: &Value) -> Graph {
    let path = folder.join(case["graph"].as_str().expect("a graph"));
    comet_sam::dot::read(&fs::read_to_string(path).expect("the graph is there")).expect("it can be read")
}

fn cases(folder: &Path) -> Vec<Value> {
    let text = fs::read_to_string(folder.join("sam-cycles.json")).expect("the cases are there");
    serde_json::from_str(&text).expect("they are JSON")
}

fn title(case: &Value) -> String {
    format!("{} {}", case["set"].as_str().unwrap_or_default(), case["kernel"].as_str().unwrap_or_default())
}

/// The case's statement in the first dataflow order that its formats allow.
fn statement(case: &Value) -> IndexStatement {
    let text = case["expression"].as_str().expect("an expression");
    let formats = &case["formats"];
    let format = |name: &str| format(name, formats[name].as_str().expect("a format"));
    let fits = |order: &Vec<String>| lower(&with_formats(text, order, &format)).is_ok();
    let given = case["order"].as_str().map(|order| order.chars().map(String::from).collect());
    let order = given.or_else(|| permutations(&variables(text)).into_iter().find(fits));
    with_formats(text, &order.expect("an order fits the formats"), &format)
}

fn extents(case: &Value) -> BTreeMap<String, usize> {
    let mut extents = BTreeMap::new();
    for (name, indices) in accesses(case["expression"].as_str().expect("an expression")) {
        for (mode, index) in indices.into_iter().enumerate() {
            extents
                .extend(case["inputs"][&name]["shape"][mode].as_u64().map(|extent| (index, extent as usize)));
        }
    }
    extents
}

#[test]
fn cycles_are_those_of_the_reference_simulator() {
    let Some(folder) = reference() else { return };
    let mut wrong = Vec::new();
    for case in cases(&folder).iter().filter(|case| case["exact"] == true) {
        let (tensors, extents) = (inputs(case), extents(case));
        let outcome = match simulate(&graph(&folder, case), &tensors, SimulationOptions::default()) {
            Ok(outcome) => outcome,
            Err(fault) => {
                wrong.push(format!("{}: {fault}", title(case)));
                continue;
            }
        };
        if Some(outcome.cycles) != case["cycles"].as_u64() {
            wrong.push(format!("{}: {} cycles and not {}", title(case), outcome.cycles, case["cycles"]));
        }
        let is_left = |entry: &Entry| !entry.1.is_zero();
        let found: Vec<Entry> = outcome.result.entries().into_iter().filter(is_left).collect();
        let expected = expected(&statement(case), &tensors, &|index| extents[index]);
        let expected: Vec<Entry> = expected.into_iter().filter(is_left).collect();
        if found != expected {
            wrong.push(format!("{}: expected {expected:?}, found {found:?}", title(case)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Where the cycles are others, by how many, and why.
const EXPLAINED: [(&str, i64, &str); 6] = [
    ("mat_elemadd3", -4, "one unioner of three operands in place of three of two"),
    ("mat_vecmul_ji", -1, "the reducer takes levels, so that no stops are left out in front of it"),
    ("matmul_ikj", -2, "the same, and no coordinate is held for it"),
    ("matmul_jki", -2, "the same"),
    ("mat_residual_HAND", 1, "a dropper, for rows in which nothing meets"),
    ("mat_mattransmul_HAND", 1, "the same"),
];

fn is_explained(case: &Value, difference: i64) -> bool {
    EXPLAINED.iter().any(|(kernel, expected, _)| case["kernel"] == *kernel && difference == *expected)
}

#[test]
fn lowered_statements_take_about_as_many_cycles() {
    let Some(folder) = reference() else { return };
    let mut wrong = Vec::new();
    for case in &cases(&folder) {
        let (tensors, extents, statement) = (inputs(case), extents(case), statement(case));
        let outcome = lower(&statement).map_err(|refusal| refusal.to_string()).and_then(|lowered| {
            simulate(lowered.last(), &tensors, SimulationOptions::default())
                .map_err(|fault| fault.to_string())
        });
        let expected = expected(&statement, &tensors, &|index| extents[index]);
        let listed = case["cycles"].as_u64().expect("cycles");
        match outcome {
            Err(fault) => wrong.push(format!("{}: {fault}", title(case))),
            Ok(outcome) => {
                let found = outcome.result.entries();
                if found != expected {
                    wrong.push(format!("{}: expected {expected:?}, found {found:?}", title(case)));
                }
                let difference = outcome.cycles as i64 - listed as i64;
                if difference.unsigned_abs() * 50 > listed && !is_explained(case, difference) {
                    wrong.push(format!("{}: {} cycles and not {listed}", title(case), outcome.cycles));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The files of SAM's branches that are refused, each with what it lacks or has that nothing else has.
const REFUSED: [(&str, &str); 4] = [
    ("opal_sw__mat_mask_tri_fiberwrite.gv", "`T` is written, expected the result, `x`"),
    ("opal_sw__matmul_ikj_hacked.gv", "no crd stream `i` enters `SparseAccumulator 1 (3)`"),
    ("opal_sw__vec_sd_compression.gv", "nothing scans the index variable `vals`"),
    ("rect_tiles__mat_elemadd_leakyrelu_exp.gv", "not supported yet: `fgetfint` blocks"),
];

#[test]
fn files_of_branches_are_read_or_refused_for_a_reason() {
    let Some(folder) = reference() else { return };
    let mut wrong = Vec::new();
    for (name, text) in files(&folder.join("sam-graphs-more")) {
        let expected = REFUSED.iter().find(|(file, _)| *file == name).map(|(_, reason)| *reason);
        let found = comet_sam::dot::read(&text).err().map(|error| error.message);
        if found.as_deref() != expected {
            wrong.push(format!("{name}: expected {expected:?}, found {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Files of branches whose blocks Custard's files do not have, with what they compute.
const COMPUTING: [(&str, &str); 6] = [
    ("mapping_to_cgra__spmm_ijk_crddrop.gv", "X(i,j)=B(i,k)*C(k,j)"),
    ("mapping_to_cgra__matmul_ijk_crddrop_fp.gv", "X(i,j)=B(i,k)*C(k,j)"),
    ("opal_sw__fp_matmul_ijk_crddrop.gv", "X(i,j)=B(i,k)*C(k,j)"),
    ("opal_sw__spmm_ijk_crddrop_fp.gv", "X(i,j)=B(i,k)*C(k,j)"),
    ("opal_sw__mat_vecmul_ij.gv", "x(i)=B(i,j)*c(j)"),
    ("opal_sw__vec_ds_compression.gv", "x(i)=b(i)"),
];

#[test]
fn files_of_branches_compute_what_they_say() {
    let Some(folder) = reference() else { return };
    let mut draw = Draw::new(29);
    let extents = |index: &str| ["i", "j", "k"].iter().position(|name| *name == index).map_or(1, |at| at + 5);
    for (name, text) in COMPUTING {
        let path = folder.join("sam-graphs-more").join(name);
        let graph = comet_sam::dot::read(&fs::read_to_string(path).expect("the graph is there"));
        let graph = graph.unwrap_or_else(|error| panic!("{name}: {}", error.message));
        let format = |tensor: &str| {
            let found = graph.tensors.iter().find(|format| format.name == tensor);
            found.expect("the graph has the tensors of its statement").clone()
        };
        let statement = with_formats(text, &variables(text), &format);
        for _ in 0..50 {
            let tensors: BTreeMap<String, StoredTensor> = accesses(text)
                .into_iter()
                .skip(1)
                .map(|(tensor, indices)| {
                    let dims: Vec<usize> = indices.iter().map(|index| extents(index)).collect();
                    (tensor.clone(), pack(&format(&tensor), &dims, &entries(&mut draw, &dims)))
                })
                .collect();
            let outcome = simulate(&graph, &tensors, SimulationOptions::default())
                .unwrap_or_else(|fault| panic!("{name}: {fault}"));
            let is_left = |entry: &Entry| !entry.1.is_zero();
            let found: Vec<Entry> = outcome.result.entries().into_iter().filter(is_left).collect();
            let expected = expected(&statement, &tensors, &extents);
            let expected: Vec<Entry> = expected.into_iter().filter(is_left).collect();
            assert_eq!(found, expected, "{name}");
        }
    }
}

/// A third of all coordinates, with values that are not 0.
fn entries(draw: &mut Draw, dims: &[usize]) -> Vec<Entry> {
    let mut points = vec![Vec::new()];
    for extent in dims {
        let longer =
            |point: &Vec<usize>| (0..*extent).map(|at| [&point[..], &[at]].concat()).collect::<Vec<_>>();
        points = points.iter().flat_map(longer).collect();
    }
    points.retain(|_| draw.below(3) == 0);
    points.into_iter().map(|point| (point, (draw.below(8) as f64 + 1.0).into())).collect()
}

/// A row that only `b` has brings an empty token for `C`, against which the intersecter takes a coordinate of
/// `d` in the same cycle. SAM's own blocks take that many cycles on these data.
#[test]
fn an_empty_token_meets_a_coordinate_in_one_cycle() {
    let Some(folder) = reference() else { return };
    let text =
        fs::read_to_string(folder.join("sam-graphs/mat_residual_HAND.gv")).expect("the graph is there");
    let graph = comet_sam::dot::read(&text).expect("it can be read");
    let rows = [0, 7, 8].into_iter().flat_map(|i| (0..9).step_by(2).map(move |j| vec![i, j]));
    let data = [
        ("b", "s0", vec![20], (0..20).map(|i| vec![i]).collect::<Vec<_>>()),
        ("C", "ss01", vec![20, 9], rows.collect()),
        ("d", "s0", vec![9], (0..9).step_by(3).map(|j| vec![j]).collect()),
    ];
    let tensors = data.into_iter().map(|(name, levels, dims, points)| {
        let value = |point: &Vec<usize>| (point.iter().sum::<usize>() + 1) as f64;
        let entries: Vec<Entry> = points.iter().map(|point| (point.clone(), value(point).into())).collect();
        (name.to_owned(), pack(&format(name, levels), &dims, &entries))
    });
    let outcome =
        simulate(&graph, &tensors.collect(), SimulationOptions::default()).expect("the streams end together");
    assert_eq!(outcome.cycles, 103);
}

/// Extents, the coordinates of the entries of `B` and of `C`, and the cycles that SAM's own blocks take for
/// their product.
type Product = ([usize; 3], &'static [[usize; 3]], &'static [[usize; 3]], u64);

/// Outer fibers without a coordinate, with some that are dropped, and with stops behind them.
const PRODUCTS: [Product; 4] = [
    ([1, 1, 1], &[], &[], 14),
    ([1, 3, 1], &[[0, 1, 0]], &[[0, 2, 0]], 16),
    ([2, 2, 1], &[[0, 1, 0], [1, 1, 0]], &[[0, 0, 0], [0, 1, 0], [1, 1, 0]], 20),
    (
        [3, 3, 3],
        &[[0, 0, 2], [0, 1, 1], [0, 2, 1], [1, 1, 0], [1, 1, 1], [1, 2, 0], [2, 1, 1], [2, 2, 1], [2, 2, 2]],
        &[
            [0, 0, 1],
            [0, 1, 0],
            [0, 1, 2],
            [1, 0, 1],
            [1, 0, 2],
            [1, 1, 0],
            [1, 1, 1],
            [2, 0, 1],
            [2, 0, 2],
            [2, 1, 1],
        ],
        28,
    ),
];

#[test]
fn droppers_take_the_cycles_of_sams() {
    let Some(graph) = given("tensor3_elemmul.gv") else { return };
    for (dims, b, c, cycles) in PRODUCTS {
        let tensors = BTreeMap::from([tensor("B", dims, b), tensor("C", dims, c)]);
        let outcome =
            simulate(&graph, &tensors, SimulationOptions::default()).expect("the streams end together");
        assert_eq!(outcome.cycles, cycles, "{dims:?}");
    }
}

/// Sums in which rows of one operand are missing: cycles of SAM's own blocks, whose unioners keep the empty
/// tokens, and of those that drop them.
const SUMS: [(Product, u64); 3] = [
    (([2, 3, 2], &[[0, 1, 1]], &[], 18), 17),
    (([2, 2, 3], &[[0, 0, 0]], &[[1, 1, 1]], 22), 20),
    (([3, 2, 2], &[[0, 0, 0], [0, 0, 1], [1, 0, 1], [2, 0, 0]], &[], 29), 25),
];

#[test]
fn unioners_keep_empty_tokens_where_the_option_says_so() {
    let Some(graph) = given("tensor3_elemadd.gv") else { return };
    for ((dims, b, c, kept), dropped) in SUMS {
        let tensors = BTreeMap::from([tensor("B", dims, b), tensor("C", dims, c)]);
        for (empty_coordinates, cycles) in
            [(EmptyCoordinates::Kept, kept), (EmptyCoordinates::Dropped, dropped)]
        {
            let options = SimulationOptions { empty_coordinates, ..SimulationOptions::default() };
            let outcome = simulate(&graph, &tensors, options).expect("the streams end together");
            assert_eq!(outcome.cycles, cycles, "{dims:?}, {empty_coordinates:?}");
            assert_eq!(outcome.unfit.is_some(), empty_coordinates == EmptyCoordinates::Kept);
        }
    }
}

/// Custard's reducer makes a zero of a row that its droppers leave out: there is no result, but there are the
/// cycles of SAM's simulator.
#[test]
fn streams_that_do_not_fit_have_cycles() {
    let Some(graph) = given("mat_vecmul_ij.gv") else { return };
    let entry = |point: Vec<usize>| -> Entry { (point, 2.0.into()) };
    let matrix = [[0, 1], [1, 0], [2, 2]].map(|point| entry(point.to_vec()));
    let tensors = BTreeMap::from([
        ("B".to_owned(), pack(&format("B", "ss01"), &[3, 3], &matrix)),
        ("c".to_owned(), pack(&format("c", "s0"), &[3], &[entry(vec![2])])),
    ]);
    let outcome = simulate(&graph, &tensors, SimulationOptions::default()).expect("the streams end together");
    assert_eq!(outcome.cycles, 19);
    let fault = outcome.unfit.as_ref().expect("there are three values and one coordinate");
    assert_eq!(fault.message, "`x` was written with 3 values, and its coordinates lead to 1");
    let json = serde_json::to_value(&outcome).expect("it can be written");
    assert!(json["result"].is_null());
}

fn given(file: &str) -> Option<Graph> {
    let path = reference()?.join("sam-graphs").join(file);
    let text = fs::read_to_string(path).expect("the graph is there");
    Some(comet_sam::dot::read(&text).expect("it can be read"))
}

fn tensor(name: &str, dims: [usize; 3], points: &[[usize; 3]]) -> (String, StoredTensor) {
    let entries: Vec<Entry> = points.iter().map(|point| (point.to_vec(), 2.0.into())).collect();
    (name.to_owned(), pack(&format(name, "sss012"), &dims, &entries))
}
