//! Words of bits, and what does not belong to them, in graphs that are given.

mod pack;

use comet_sam::dot;
use comet_sam::graph::{Element, Level, TensorFormat};
use comet_sam::simulate::{Memory, Options, simulate};
use comet_sam::storage::{Entry, Storage, StoredLevel};
use pack::pack;
use std::collections::BTreeMap;

/// A converter of the coordinates of a vector, and their writer; the text has `COMMENT` and `ROWS`.
const CONVERTED: &str = r#"digraph SAM {
    comment="x=b0,b=s0"
    1 [comment="type=fiberlookup" type="fiberlookup" index="i" tensor="b" mode="0" format="compressed" src="true" root="true"]
    2 [comment="type=towords" type="towords" index="i" bits="8"]
    3 [comment="type=fiberwrite" type="fiberwrite" index="i" tensor="x" mode="0" format="bitvector" bits="8" sink="true"]
    4 [comment="type=arrayvals" type="arrayvals" tensor="b"]
    0 [comment="type=fiberwrite" type="fiberwrite" tensor="x" mode="vals" size="1" sink="true"]
    1 -> 2 [label="crd" type="crd" comment=""]
    2 -> 3 [label="bv" type="bv"]
    1 -> 4 [label="ref" type="ref" comment=""]
    4 -> 0 [label="val" type="val"]
}
"#;

fn vector(coordinates: &[usize]) -> BTreeMap<String, Storage> {
    let (levels, order) = (vec![Level::Compressed], vec![0]);
    let format = TensorFormat { name: "b".to_owned(), levels, order, element: Element::F64 };
    let entries: Vec<Entry> = coordinates.iter().map(|place| (vec![*place], 2.0.into())).collect();
    let mut stored = pack(&format, &[20], &entries);
    if let StoredLevel::Compressed { crd, .. } = &mut stored.levels[0] {
        crd.copy_from_slice(coordinates);
    }
    BTreeMap::from([("b".to_owned(), stored)])
}

#[test]
fn coordinates_become_words() {
    let graph = dot::read(CONVERTED).expect("it can be read");
    let outcome = simulate(&graph, &vector(&[1, 7, 8, 19]), Options::default()).expect("it runs");
    let StoredLevel::BitVector(bits) = &outcome.result.levels[0] else { panic!("expected words") };
    assert_eq!(bits.words, [0b1000_0010, 1, 0b1000]);
}

#[test]
fn coordinates_of_words_ascend() {
    let graph = dot::read(CONVERTED).expect("it can be read");
    for coordinates in [[3, 2], [12, 2]] {
        let fault = simulate(&graph, &vector(&coordinates), Options::default()).unwrap_err();
        assert!(fault.message.contains("expected them to ascend"), "{}", fault.message);
    }
}

#[test]
fn a_memory_moves_something() {
    let graph = dot::read(CONVERTED).expect("it can be read");
    for memory in [Memory { buffers: 1, ..Memory::default() }, Memory { dram: 0.0, ..Memory::default() }] {
        let options = Options { memory: Some(memory), ..Options::default() };
        let fault = simulate(&graph, &vector(&[1]), options).unwrap_err();
        assert!(fault.message.contains("expected"), "{}", fault.message);
    }
}
