//! Traces: every token with its cycle, as a table and for viewers of waveforms; and what is found out about a
//! run over time.

use crate::pack::pack;
use crate::run::observed::{compare, observed};
use comet_sam::dot;
use comet_sam::graph::{Element, Graph, GraphLevel, TensorFormat};
use comet_sam::simulate::{MemoryModel, Profiled, SimulationOptions, TraceFormat};
use comet_sam::simulate::{Observe, Trace, simulate_observed};
use comet_sam::storage::{Entry, StoredTensor};
use std::collections::BTreeMap;
use std::io;
use std::num::NonZeroUsize;
use std::path::Path;

/// A vector of three values in words of bits.
fn words() -> BTreeMap<String, StoredTensor> {
    let (levels, order) = (vec![GraphLevel::BitVector(64)], vec![0]);
    let format = TensorFormat { name: "b".to_owned(), levels, order, element: Element::F64 };
    let entries: Vec<Entry> = [1, 5, 9].map(|place| (vec![place], (place as f64 + 0.5).into())).into();
    BTreeMap::from([("b".to_owned(), pack(&format, &[60], &entries))])
}

/// Words that are taken apart, on a bus of so many wires.
fn apart(lanes: usize) -> Graph {
    let text = include_str!("graphs/apart.gv");
    let text = text.replace("type=intersect", &format!("lanes={lanes},type=intersect"));
    dot::read(&text).expect("it can be read")
}

#[test]
fn a_table_has_a_line_for_each_token() {
    let (outcome, text) = observed(&apart(2), &words(), SimulationOptions::default(), TraceFormat::Csv);
    outcome.expect("it runs");
    insta::assert_snapshot!(text);
}

/// What moves on a bus in a cycle is one text; streams without a token show so.
#[test]
fn a_dump_has_a_scope_for_each_block() {
    let (outcome, text) = observed(&apart(2), &words(), SimulationOptions::default(), TraceFormat::Vcd);
    outcome.expect("it runs");
    insta::assert_snapshot!(text);
}

/// The times of a second run follow those of the first one.
#[test]
fn runs_follow_each_other() {
    let (graph, tensors) = (apart(1), words());
    let traced = |format| {
        let mut text = Vec::new();
        let mut trace = Trace::new(format, &[&graph], &mut text).expect("it is written");
        let cycles = [(); 2].map(|()| {
            let observe = Observe { trace: Some((&mut trace, 0)), profiled: Profiled::Nothing };
            let run = simulate_observed(&graph, &tensors, SimulationOptions::default(), &mut |_| {}, observe);
            run.expect("it runs").cycles
        });
        drop(trace);
        (cycles, String::from_utf8(text).expect("it is text"))
    };
    let (cycles, table) = traced(TraceFormat::Csv);
    let lines = |run: &str| table.lines().filter(|line| line.starts_with(run)).count();
    assert!(lines("0,") > 0 && lines("0,") == lines("1,"), "{table}");
    let (_, dump) = traced(TraceFormat::Vcd);
    let times: Vec<u64> = dump.lines().filter_map(|line| line.strip_prefix('#')?.parse().ok()).collect();
    assert!(times.windows(2).all(|pair| pair[0] < pair[1]), "{times:?}");
    assert_eq!(times.last(), Some(&(cycles[0] + cycles[1] + 1)));
}

/// Skipping, buses, copies and words of bits, in short queues and a slow memory, are as without observers.
#[test]
fn cycles_are_those_without_an_observer() {
    let slow =
        MemoryModel { dram: 3.0, last_level: 100, on_chip: 1.0, element: 100, buffers: 2, pages: None };
    let depths = [None, NonZeroUsize::new(1), NonZeroUsize::new(8)];
    for (lanes, queue_depth) in [1, 2, 16].into_iter().flat_map(|lanes| depths.map(|depth| (lanes, depth))) {
        for memory in [None, Some(slow)] {
            let options = SimulationOptions { queue_depth, memory, ..SimulationOptions::default() };
            compare(&apart(lanes), &words(), options).expect("it is the same");
        }
    }
}

#[test]
fn endings_name_formats() {
    let of = |name: &str| TraceFormat::of(Path::new(name));
    assert_eq!(of("a.csv"), Some(TraceFormat::Csv));
    assert_eq!(of("b/a.vcd"), Some(TraceFormat::Vcd));
    assert_eq!([of("a.fst"), of("csv")], [None, None]);
}

/// A full disk ends the run.
#[test]
fn what_cannot_be_written_is_told() {
    struct Full;
    impl io::Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let graph = apart(1);
    let mut trace = Trace::new(TraceFormat::Csv, &[&graph], Full).expect("nothing is written yet");
    let observe = Observe { trace: Some((&mut trace, 0)), profiled: Profiled::Nothing };
    let fault = simulate_observed(&graph, &words(), SimulationOptions::default(), &mut |_| {}, observe);
    let fault = fault.expect_err("the disk is full");
    assert!(fault.message.starts_with("cannot write the trace: "), "{fault}");
}
