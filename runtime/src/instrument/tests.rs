use super::*;

fn record(name: &str, kind: &'static str, counts: Vec<Count>) -> Record {
    Record { name: name.to_owned(), kind, at: "p.ta:3:5".to_owned(), counts }
}

fn some_records() -> Vec<Record> {
    vec![
        record("C", "hash", vec![sum("inserts", 12.0), largest("peak_bytes", 1024.0)]),
        record("B", "conversion", vec![sum("moved", 7.0)]),
        record("long \"name\"", "list", vec![sum("inserts", 3.0), largest("peak_bytes", 16.0)]),
    ]
}

#[test]
fn every_kind_of_counts_has_a_table() {
    assert_eq!(
        text::tables(&some_records()),
        "name         kind  at        inserts  peak_bytes\n\
         C            hash  p.ta:3:5       12        1024\n\
         long \"name\"  list  p.ta:3:5        3          16\n\
         name  kind        at        moved\n\
         B     conversion  p.ta:3:5      7"
    );
}

#[test]
fn json_has_one_object_a_line() {
    let text = text::json(&some_records());
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 3);
    assert_eq!(
        lines[2],
        r#"{"name": "long \"name\"", "kind": "list", "at": "p.ta:3:5", "inserts": 3, "peak_bytes": 16}"#
    );
}

#[test]
fn uses_of_a_workspace_are_summed() {
    let mut first = record("C", "list", vec![sum("inserts", 5.0), largest("peak_bytes", 64.0)]);
    let second = record("C", "list", vec![sum("inserts", 2.0), largest("peak_bytes", 48.0)]);
    assert!(first.is_of(&second));
    first.join(&second);
    assert_eq!(first.counts.iter().map(|count| count.number).collect::<Vec<_>>(), [7.0, 64.0]);
}
