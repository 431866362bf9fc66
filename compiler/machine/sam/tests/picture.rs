//! Graphs as pictures for people.

use comet_sam::{dot, picture};

/// What section 4 of sam.txt adds: streams that go back, buses, words of bits, copies, tiles, each with its
/// row in the legend.
#[test]
fn optimized_graphs_are_drawn() {
    let graphs = [
        include_str!("graphs/skipping.gv"),
        include_str!("graphs/apart.gv"),
        include_str!("graphs/row_sums_of_two.gv"),
    ];
    let graphs = graphs.map(|text| dot::read(text).expect("the text is right"));
    insta::assert_snapshot!(picture::write(&graphs, picture::FlowDirection::default()));
}
