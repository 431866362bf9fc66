//! Words of bits, and what does not belong to them, in graphs that are given.

use crate::pack::pack;
use comet_sam::dot;
use comet_sam::graph::{Element, GraphLevel, TensorFormat};
use comet_sam::simulate::{RunReport, SimulationFault, SimulationOptions, simulate};
use comet_sam::storage::{Entry, StoredLevel, StoredTensor};
use std::collections::BTreeMap;

/// A converter of the coordinates of a vector, and their writer.
const CONVERTED: &str = r#"digraph SAM {
    comment="x=b0,b=s0"
    1 [type="fiberlookup" index="i" tensor="b" mode="0" format="compressed" root="true"]
    2 [type="towords" index="i" bits="8"]
    3 [type="fiberwrite" index="i" tensor="x" mode="0" format="bitvector" bits="8"]
    4 [type="arrayvals" tensor="b"]
    0 [type="fiberwrite" tensor="x" mode="vals"]
    1 -> 2 [type="crd"]
    2 -> 3 [type="bv"]
    1 -> 4 [type="ref"]
    4 -> 0 [type="val"]
}
"#;

/// A vector of 20 places; its coordinates are sorted or not.
fn vector(level: GraphLevel, coordinates: &[usize]) -> StoredTensor {
    let (levels, order) = (vec![level], vec![0]);
    let format = TensorFormat { name: String::new(), levels, order, element: Element::F64 };
    let entries: Vec<Entry> = coordinates.iter().map(|place| (vec![*place], 2.0.into())).collect();
    let mut stored = pack(&format, &[20], &entries);
    if let StoredLevel::Compressed { crd, .. } = &mut stored.levels[0] {
        crd.copy_from_slice(coordinates);
    }
    stored
}

fn run(text: &str, tensors: &[(&str, StoredTensor)]) -> Result<RunReport, SimulationFault> {
    let graph = dot::read(text).expect("it can be read");
    let tensors: BTreeMap<String, StoredTensor> =
        tensors.iter().map(|(name, stored)| ((*name).to_owned(), stored.clone())).collect();
    simulate(&graph, &tensors, SimulationOptions::default())
}

/// What is wrong with the coordinates of a vector that become words.
fn converted(coordinates: &[usize]) -> String {
    let outcome = run(CONVERTED, &[("b", vector(GraphLevel::Compressed, coordinates))]);
    outcome.expect_err("they cannot be converted").message
}

/// A fiber is all of its words, the last of which is cut off where the extent is.
#[test]
fn coordinates_become_words() {
    let b = vector(GraphLevel::Compressed, &[1, 7, 8, 19]);
    let outcome = run(CONVERTED, &[("b", b)]).expect("it runs");
    let StoredLevel::BitVector(bits) = &outcome.result.levels[0] else { panic!("expected words") };
    assert_eq!(bits.words, [0b1000_0010, 1, 0b1000]);
}

/// Coordinates that come in the wrong order are found inside of a word, and behind it.
#[test]
fn coordinates_of_words_ascend() {
    for (coordinates, told) in
        [([3, 2], "the coordinate 2 behind 3"), ([12, 2], "the coordinate 2 behind 12")]
    {
        let expected = format!("found {told}, expected them to ascend in a fiber (at `ToWords i: 8 (2)`)");
        assert_eq!(converted(&coordinates), expected);
    }
}

/// A coordinate behind the extent is found, though it would have a place in the last word.
#[test]
fn coordinates_of_words_are_below_the_extent() {
    let expected = "found the coordinate 21, expected one below the extent 20 (at `ToWords i: 8 (2)`)";
    assert_eq!(converted(&[3, 21]), expected);
}

/// References that come with coordinates are as many; those of `c` are fewer.
#[test]
fn coordinates_of_words_have_references() {
    let text = CONVERTED
        .replace("b=s0", "b=s0,c=s0")
        .replace(
            "4 [type=\"arrayvals\" tensor=\"b\"]",
            "4 [type=arrayvals tensor=c] 5 [type=fiberlookup index=i tensor=c mode=0 format=compressed root=true]",
        )
        .replace("1 -> 4 [type=\"ref\"]", "5 -> 2 [type=\"ref\"]\n    2 -> 4 [type=\"ref\"]");
    let operands =
        [("b", vector(GraphLevel::Compressed, &[1, 5])), ("c", vector(GraphLevel::Compressed, &[1]))];
    let fault = run(&text, &operands).expect_err("a coordinate has no reference");
    assert_eq!(fault.message, "a coordinate is `5`, and its reference `S0` (at `ToWords i: 8 (2)`)");
}

/// A row of `C` that is not there has an empty token for its coordinates, which stands for no word.
#[test]
fn empty_tokens_do_not_become_words() {
    let text = r#"digraph SAM {
        comment="X=sb01,b=s0,C=ss01"
        1 [type=fiberlookup index=i tensor=b mode=0 format=compressed root=true]
        2 [type=fiberlookup index=i tensor=C mode=0 format=compressed root=true]
        3 [type=union index=i]
        4 [type=fiberlookup index=j tensor=C mode=1 format=compressed]
        5 [type=towords index=j bits=8]
        6 [type=fiberwrite index=i tensor=X mode=0 format=compressed]
        7 [type=fiberwrite index=j tensor=X mode=1 format=bitvector bits=8]
        8 [type=arrayvals tensor=C] 9 [type=arrayvals tensor=b]
        0 [type=fiberwrite tensor=X mode=vals]
        1 -> 3 [type=crd comment="in-b"] 1 -> 3 [type=ref comment="in-b"]
        2 -> 3 [type=crd comment="in-C"] 2 -> 3 [type=ref comment="in-C"]
        3 -> 6 [type=crd] 3 -> 4 [type=ref comment="out-C"] 3 -> 9 [type=ref comment="out-b"]
        4 -> 5 [type=crd] 5 -> 7 [type=bv] 4 -> 8 [type=ref] 8 -> 0 [type=val]
    }"#;
    let (levels, order) = (vec![GraphLevel::Compressed; 2], vec![0, 1]);
    let format = TensorFormat { name: String::new(), levels, order, element: Element::F64 };
    let row = pack(&format, &[20, 20], &[(vec![3, 4], 2.0.into())]);
    let fault =
        run(text, &[("b", vector(GraphLevel::Compressed, &[1])), ("C", row)]).expect_err("row 1 lacks");
    assert_eq!(
        fault.message,
        "expected coordinates to make words of, found an empty token (at `ToWords j: 8 (5)`)"
    );
}

/// Words of bits that are taken apart, with the references of bits instead of words.
const TAKEN_APART: &str = r#"digraph SAM {
    comment="x=s0,b=b0"
    1 [type="fiberlookup" index="i" tensor="b" mode="0" format="bitvector" bits="8" root="true"]
    2 [type="intersect" index="i" bits="8"]
    3 [type="intersect" index="i" bits="8"]
    4 [type="fiberwrite" index="i" tensor="x" mode="0" format="compressed"]
    5 [type="arrayvals" tensor="b"]
    0 [type="fiberwrite" tensor="x" mode="vals"]
    1 -> 2 [type="bv" comment="in-b"]
    1 -> 3 [type="bv" comment="in-b"]
    1 -> 2 [type="ref" comment="in-b"]
    2 -> 3 [type="ref" comment="in-b"]
    3 -> 4 [type="crd"]
    3 -> 5 [type="ref" comment="out-b"]
    5 -> 0 [type="val"]
}
"#;

/// There is a reference for each word, not for each bit.
#[test]
fn words_have_references() {
    let b = vector(GraphLevel::BitVector(8), &[9]);
    let fault = run(TAKEN_APART, &[("b", b)]).expect_err("one reference for three words");
    assert_eq!(fault.message, "expected the reference of a word, found `S0` (at `FromWords i: 8 (3)`)");
}

/// Values are no words' companions.
#[test]
fn words_come_with_references_only() {
    let text = r#"digraph SAM {
        comment="x=s0,b=b0"
        1 [type=fiberlookup index=i tensor=b mode=0 format=bitvector bits=8 root=true]
        2 [type=arrayvals tensor=b]
        3 [type=intersect index=i bits=8]
        4 [type=fiberwrite index=i tensor=x mode=0 format=compressed]
        0 [type=fiberwrite tensor=x mode=vals]
        1 -> 3 [type=bv comment="in-b"] 1 -> 2 [type=ref] 2 -> 3 [type=val comment="in-b"]
        3 -> 4 [type=crd] 3 -> 0 [type=val comment="out-b"]
    }"#;
    let error = dot::read(text).expect_err("values have no positions of bits");
    let expected = "`FromWords i: 8 (3)` takes words of bits, which come with references only";
    assert_eq!(error.message, expected);
}
