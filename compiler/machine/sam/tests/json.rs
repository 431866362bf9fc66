//! Graphs as JSON.

use comet_sam::{dot, json};
use serde_json::Value;

/// What programs read: the fields, and one block of each kind that a product has.
#[test]
fn fields() {
    let graph = dot::read(include_str!("graphs/spmv.gv")).expect("the text is right");
    let lines =
        |value: &Value| value.as_array().expect("a list").iter().map(Value::to_string).collect::<Vec<_>>();
    let value = json::graph(&graph);
    let all =
        ["tensors", "blocks", "streams"].map(|part| format!("{part}\n{}", lines(&value[part]).join("\n")));
    insta::assert_snapshot!(all.join("\n"));
}
