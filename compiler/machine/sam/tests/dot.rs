//! Graphs from DOT: the given ones, a text of many liberties, texts that are wrong, and any text.

use crate::given;
use crate::notation;
use comet_diag::{Source, render};
use comet_sam::dot;
use comet_sam::graph::{
    Alu, Apply, BlockId, BlockKind, Constant, Element, EmptyFiber, Function, Graph, NumberFunction, Operator,
    Port, Reduce, Reduction,
};
use comet_sam::lower::{Choices, lower_with};
use proptest::prelude::*;
use std::collections::BTreeSet;

const SPMV: &str = include_str!("graphs/spmv.gv");

/// Each block with what it gives to whom.
fn listing(graph: &Graph) -> String {
    let name = |(block, port): &(BlockId, Port)| format!("{}.{}", graph.blocks[block.0].name, port.0);
    let mut lines: Vec<String> = graph
        .streams
        .iter()
        .map(|stream| {
            let to: Vec<String> = stream.to.iter().map(name).collect();
            format!("{} {} -> {}", stream.kind.name(), name(&stream.from), to.join(", "))
        })
        .collect();
    lines.sort();
    lines.join("\n")
}

fn message(text: &str) -> String {
    let error = dot::read(text).expect_err("the text is wrong");
    render(&error, &Source::new("graph.gv", text), comet_diag::Color::Never)
}

/// The text with one part in the place of another.
fn with(old: &str, new: &str) -> String {
    assert!(SPMV.contains(old), "the text has `{old}`");
    SPMV.replacen(old, new, 1)
}

/// All graphs that Custard has made for us are read, and every input of theirs has a stream.
#[test]
fn given_graphs_are_read() {
    for (name, text) in given::graphs() {
        let graph = dot::read(&text).unwrap_or_else(|error| {
            panic!("{}", render(&error, &Source::new(name.as_str(), text.as_str()), comet_diag::Color::Never))
        });
        graph.check_wiring().unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(graph.streams.len() >= 3, "{name}");
    }
}

/// Chains, comments of edges and nodes, lists without commas, operands by the order of edges: what the format
/// leaves open is understood.
#[test]
fn liberties_are_understood() {
    let graph = dot::read(SPMV).expect("the text is right");
    graph.check_wiring().expect("every input has a stream");
    insta::assert_snapshot!(listing(&graph));
}

/// A difference takes its operands in the order of the edges.
#[test]
fn operands_come_in_the_order_of_edges() {
    let text = with("4 [type=mul]", "4 [type=add sub=1]");
    let graph = dot::read(&text).expect("the text is right");
    let subtract = graph
        .blocks
        .iter()
        .position(|block| block.kind == BlockKind::Alu(Alu::new(Operator::Sub, Element::F64)));
    let subtract = BlockId(subtract.expect("there is a difference"));
    let first = graph.streams.iter().find(|stream| stream.to.contains(&(subtract, Port(0))));
    let first = first.expect("the first operand has a stream").from.0;
    assert_eq!(graph.blocks[first.0].kind, BlockKind::Array { tensor: "c".to_owned(), root: false });
}

/// A block begins with the root if nothing leads to it.
#[test]
fn edges_tell_what_begins_with_the_root() {
    let statement = notation::statement("x(i) = b(i) * C(i,j)", &["i", "j"].map(str::to_owned));
    let choices = Choices { located: BTreeSet::from([2]), ..Choices::default() };
    let located = lower_with(&statement, &choices).expect("it can be lowered");
    let graphs = right_texts().into_iter().map(|text| dot::read(&text).expect("the text is right"));
    for graph in graphs.chain(located.graphs) {
        let text = dot::write(&graph);
        let lines = text.lines().map(|line| {
            if line.contains("arrayvals") {
                line.to_owned()
            } else {
                [",root=true", ",root=false", " root=\"true\"", " root=\"false\""]
                    .iter()
                    .fold(line.to_owned(), |line, root| line.replace(root, ""))
            }
        });
        let without = lines.collect::<Vec<_>>().join("\n");
        assert!(without.len() < text.len(), "roots are said");
        assert_eq!(dot::read(&without).expect("edges say it"), dot::read(&text).expect("the text is right"));
    }
}

/// What SAM's users draw, as far as operators and functions say the same. Of one stream, `max` reduces.
#[test]
fn blocks_of_users_are_understood() {
    let alu = |operator| BlockKind::Alu(Alu::new(operator, Element::F64));
    let apply = |function| BlockKind::Apply(Apply { function, element: Element::F64 });
    let with_constant = |operator, number| apply(Function::With(operator, Constant::new(number)));
    let (reduction, element, empty, inputs) = (Reduction::Max, Element::F64, EmptyFiber::Zero, 1);
    let blocks = [
        ("4 [type=mul]", "4 [type=fp_mul]", alu(Operator::Mul)),
        ("4 [type=mul]", "4 [type=fp_add]", alu(Operator::Add)),
        ("4 [type=mul]", "4 [type=fp_add sub=1]", alu(Operator::Sub)),
        ("4 [type=mul]", "4 [type=fp_div]", alu(Operator::Div)),
        ("4 [type=mul]", "4 [type=fp_max]", alu(Operator::Max)),
        ("4 [type=mul]", "4 [type=max]", alu(Operator::Max)),
        ("3 [type=reduce]", "3 [type=relu]", apply(Function::Of(NumberFunction::Relu))),
        ("3 [type=reduce]", "3 [type=fp_relu]", apply(Function::Of(NumberFunction::Relu))),
        ("3 [type=reduce]", "3 [type=exp]", apply(Function::Of(NumberFunction::Exp))),
        ("3 [type=reduce]", "3 [type=fp_exp]", apply(Function::Of(NumberFunction::Exp))),
        ("3 [type=reduce]", "3 [type=rsqrt]", apply(Function::Of(NumberFunction::Rsqrt))),
        ("3 [type=reduce]", "3 [type=sigmoid]", apply(Function::Of(NumberFunction::Sigmoid))),
        ("3 [type=reduce]", "3 [type=smax const0=0]", with_constant(Operator::Max, 0.0)),
        ("3 [type=reduce]", "3 [type=fp_mul rb_const=\"0.2\"]", with_constant(Operator::Mul, 0.2)),
        ("3 [type=reduce]", "3 [type=add sub=1 in2=3]", with_constant(Operator::Sub, 3.0)),
        ("3 [type=reduce]", "3 [type=max]", BlockKind::Reduce(Reduce { reduction, element, empty, inputs })),
    ];
    for (old, new, kind) in blocks {
        let graph = dot::read(&with(old, new)).expect("the text is right");
        assert!(graph.blocks.iter().any(|block| block.kind == kind), "{new}");
        let again = dot::read(&dot::write(&graph)).expect("what is written is right");
        assert!(again.blocks.iter().any(|block| block.kind == kind), "{new}");
    }
}

/// An accumulator has no input for the variable that it sums over, which Custard wires all the same.
#[test]
fn variables_that_are_summed_over_have_no_port() {
    let graph = dot::read(include_str!("graphs/column_sums.gv")).expect("the text is right");
    graph.check_wiring().expect("every input has a stream");
    insta::assert_snapshot!(listing(&graph), @r"
    crd FiberLookup j: B1 (4).0 -> SparseAccumulator 1 (2).0
    crd SparseAccumulator 1 (2).0 -> FiberWrite j: x0 (1).0
    ref FiberLookup i: B0 (3).1 -> FiberLookup j: B1 (4).0
    ref FiberLookup j: B1 (4).1 -> Array Vals: B (5).0
    val Array Vals: B (5).0 -> SparseAccumulator 1 (2).1
    val SparseAccumulator 1 (2).1 -> FiberWrite Vals: x (0).0
    ");
}

/// Time is proportional to the text: a chain of broadcasts, many readers, many tensors.
#[test]
fn large_texts_are_read() {
    let count = 20_000;
    let chain: String =
        (0..count).map(|n| format!("b{n} [type=broadcast]\nb{n} -> b{} [type=crd]\n", n + 1)).collect();
    let readers: String =
        (0..count).map(|n| format!("r{n} [type=repsiggen index=i]\nb{n} -> r{n} [type=crd]\n")).collect();
    let end = format!("b{count} [type=broadcast]\n14 -> b0 [type=crd]\n");
    let tensors: String = (0..count).map(|n| format!(",t{n}=none")).collect();
    let arrays: String =
        (0..count).map(|n| format!("a{n} [type=arrayvals tensor=t{n} root=true]\n")).collect();
    let text = with("c=d0", &format!("c=d0{tensors}"))
        .replace("    14 -> 9", &format!("{chain}{readers}{arrays}{end}14 -> 9"));
    let graph = dot::read(&text).expect("the text is right");
    assert_eq!(graph.blocks.len(), 13 + 2 * count);
}

/// One test for each message.
#[test]
fn wrong_texts_are_explained() {
    let node = |text: &str| with("3 [type=reduce]", text);
    let edge = |text: &str| {
        with("6 -> 4 -> 3 -> 0 [type=\"val\"]", &format!("6 -> 4 -> 3 -> 0 [type=\"val\"]\n{text}"))
    };
    let formats = |text: &str| with("x=s0,B=ss01,c=d0", text);
    let texts = [
        // The text.
        "".to_owned(),
        "graph G { a -- b }".to_owned(),
        "graph G { a }".to_owned(),
        "digraph G { a -> b ".to_owned(),
        "digraph G { { a } }".to_owned(),
        "digraph G { subgraph x { a } }".to_owned(),
        "strict digraph G { }".to_owned(),
        "digraph G { a:n -> b }".to_owned(),
        "digraph G { a [label=<b>] }".to_owned(),
        "digraph G { a [label=\"b\" + \"c\"] }".to_owned(),
        "digraph G { a [label=\"b] }".to_owned(),
        "digraph G { a /* b }".to_owned(),
        "digraph G { a $ b }".to_owned(),
        "digraph G { a } b".to_owned(),
        "digraph G { a [label] }".to_owned(),
        "digraph G { node [type=mul] }".to_owned(),
        "digraph G { node [lanes=2] }".to_owned(),
        // The formats.
        "digraph G { }".to_owned(),
        formats("x=s0,B,c=d0"),
        formats("x=s0,B=ss00,c=d0"),
        formats("x=s0,B=sx01,c=d0"),
        formats("x=s0,B=uq01,c=d0"),
        formats("x=s0,B=sq01,c=d0"),
        formats("x=s0,B=ss01,c=d0,B=ss10"),
        formats("x=s0,=ss01,c=d0"),
        // The nodes.
        node("3 [shape=box]"),
        node("3 [type=frob]"),
        node("3 [type=leakyrelu]"),
        node("3 [type=vectorreducer]"),
        node("3 [type=spaccumulator order=1 in0=i in1=j form=levels]"),
        node("3 [type=repsiggen]"),
        node("3 [type=spaccumulator order=2 in0=i]"),
        node("3 [type=spaccumulator order=1 in0=i in1=i]"),
        node("3 [type=reduce empty=none]"),
        with("[type=arrayvals tensor=B]", "[type=arrayvals tensor=D]"),
        with("tensor=B,mode=0,format=compressed", "tensor=B,mode=0,format=dense"),
        with("tensor=B,mode=0,format=compressed", "tensor=B,mode=2,format=compressed"),
        with("tensor=B,mode=0,format=compressed", "tensor=B,mode=one,format=compressed"),
        with("tensor=B,mode=0,format=compressed", "tensor=B,mode=0,format=bitvector"),
        with("tensor=B,mode=0,format=compressed", "tensor=B,mode=0,format=round"),
        with("format=compressed,src=true,root=false", "format=compressed,src=true,root=true"),
        with("format=compressed,src=true,root=false", "format=compressed,src=true,root=no"),
        with("[type=\"repsiggen\" index=\"i\"]", "[type=\"repsiggen\" index=\"k\"]"),
        with("outer=i, inner=j", "outer=i, inner=j, mode=1"),
        with("7 -> 1 [type=\"crd\"", "4 -> 7 [type=val comment=\"inner-j\"] 7 -> 1 [type=\"crd\""),
        with("type=fiberwrite,index=i,tensor=x", "type=fiberwrite,index=i,tensor=B"),
        with(
            "type=fiberwrite,tensor=x,mode=vals",
            "type=fiberwrite,index=i,tensor=x,mode=0,format=compressed",
        ),
        with("    1 [comment=\"type=fiberwrite,index=i,tensor=x,mode=0,format=compressed\"]\n", "")
            .replace("7 -> 1", "//"),
        edge("elements=\"B\""),
        edge("elements=\"B=f64, c=i8\""),
        edge("elements=\"d=i64\""),
        with("[type=mul]", "[type=mul element=i8]"),
        with("[type=mul]", "[type=convert]"),
        with("[type=mul]", "[type=max how=both]"),
        // The edges.
        edge("5 -> 4 [style=bold]"),
        edge("5 -> 4 [type=value]"),
        edge("5 -> 44 [type=val]"),
        edge("5 -> 4 [type=val]"),
        edge("5 -> 8 [type=val]"),
        edge("0 -> 3 [type=val]"),
        edge("9 -> 14 [type=ref]"),
        edge("9 -> 13 [type=crd]"),
        edge("13 -> 9 [type=ref]"),
        edge("15 [type=broadcast] 16 [type=broadcast] 15 -> 16 -> 15 [type=crd]"),
        edge("8 -> 10 [type=ref comment=\"out-D\"]"),
        edge("8 -> 10 [type=ref]"),
        with("comment=\"in-j\"", "comment=\"in-k\""),
        with("9 -> 8 [type=\"crd\" comment=\"in-B\"]", "9 -> 8 [type=crd]"),
        with("9 -> 8 [type=\"ref\" comment=\"in-B\"]", ""),
        with("9 -> 8 [type=\"crd\" comment=\"in-B\"]", ""),
        with("12 -> 11 [type=repsig]", ""),
        with("    4 [type=mul]\n", "    4 [type=mul]\n    3 [comment=\"type=add\"]\n"),
        with("    4 [type=mul]\n", "    4 [type=mul]\n    1 -> 20 [type=crd] 20 [type=add] 20 [type=mul]\n"),
        formats("x=s0,B=ss01,c=d0,d=s0"),
        formats("x=s0,B=ss01,c=d0,d=none"),
        with("format=compressed,src=true,root=false", "format=compressed,src=true")
            .replace("14 -> 9 [type=\"ref\"]\n", "\n"),
        // What references lead into.
        with("comment=\"out-B\"", "comment=\"out-b\"")
            .replace("comment=\"out-c\"", "comment=\"out-B\"")
            .replace("comment=\"out-b\"", "comment=\"out-c\""),
        with("14 -> 9 [type=\"ref\"]\n", "11 -> 9 [type=\"ref\"]\n"),
        with("8 -> 5 [type=\"ref\" comment=\"out-B\"]", "14 -> 5 [type=\"ref\"]"),
        with("index=\"i\" tensor=\"c\"", "index=\"i\" tensor=\"B\""),
    ];
    let messages: Vec<String> = texts.iter().map(|text| message(text)).collect();
    insta::assert_snapshot!(messages.join("\n"));
}

/// The same for what section 4 of sam.txt adds.
#[test]
fn wrong_optimizations_are_explained() {
    let with = |text: &str, old: &str, new: &str| {
        assert!(text.contains(old), "the text has `{old}`");
        text.replacen(old, new, 1)
    };
    let skipping = |old: &str, new: &str| with(include_str!("graphs/skipping.gv"), old, new);
    let words = |old: &str, new: &str| with(include_str!("graphs/words.gv"), old, new);
    let copies = |old: &str, new: &str| with(include_str!("graphs/copies.gv"), old, new);
    let sums = |old: &str, new: &str| with(include_str!("graphs/row_sums_of_two.gv"), old, new);
    let texts = [
        // Skipping.
        skipping("skips=true", "skips=yes"),
        skipping("type=intersect", "type=union"),
        skipping("    3 -> 1 [type=crd comment=\"skip-b\"]\n", ""),
        skipping("skip-b", "skip-d"),
        skipping("3 -> 1 [type=crd", "3 -> 7 [type=crd"),
        skipping("3 -> 1 [type=crd comment=\"skip-b\"]", "3 -> 1 [type=crd comment=\"skip-c\"]")
            .replace("3 -> 2 [type=crd comment=\"skip-c\"]", "3 -> 2 [type=crd comment=\"skip-b\"]"),
        skipping(",skips=true", ""),
        skipping("1 -> 3 [type=ref comment=\"in-b\"]", "1 -> 9 -> 3 [type=ref comment=\"in-b\"]").replace(
            "    3 -> 4 [",
            "9 [type=broadcast] 10 [type=arrayvals tensor=b] 9 -> 10 [type=ref]\n3 -> 4 [",
        ),
        skipping(
            "    3 -> 1 [type=crd comment=\"skip-b\"]\n    3 -> 2",
            "    9 [type=broadcast] 9 -> 1 [type=crd] 3 -> 9 -> 2",
        ),
        // Words of bits.
        words(",bits=8", ",bits=0"),
        words(",bits=8", ",bits=65"),
        words("type=towords,index=i,bits=8", "type=towords,index=i"),
        words(",bits=8", ",bits=16"),
        words("intersect,index=i,bits=8", "intersect,index=i,bits=16"),
        words("intersect,index=i,bits=8", "intersect,index=i"),
        words("format=bitvector,bits=8,src=true", "format=compressed,src=true"),
        words("type=towords,index=i", "type=towords,index=k"),
        words("tensor=x,mode=0,format=bitvector", "tensor=x,mode=0,format=bittree"),
        words("b=b0,", "b=b0,d=b0,"),
        // Copies.
        copies("factor=2", "factor=0"),
        copies("factor=2", "factor=99999999999999999999"),
        copies("factor=2,carries=crd", "factor=2"),
        copies("carries=crd", "carries=words"),
        copies("carries=crd,depth=1", "carries=crd,depth=-1"),
        copies("factor=2", "factor=1"),
        copies("type=serialize,index=i,factor=2", "type=serialize,index=i,factor=3"),
        copies("parallelize,index=i", "parallelize,index=k"),
        copies("3 -> 10 [type=crd comment=\"out-0\"]", "3 -> 10 [type=crd]"),
        copies(
            "31 -> 0 [type=val]",
            "31 -> 0 [type=val]
    40 [comment=\"type=serialize,index=i,factor=2,carries=ref,depth=1\"]
    10 -> 40 [type=crd]
    13 -> 40 [type=ref]
    20 -> 40 [type=crd]
    24 -> 40 [type=ref]",
        ),
        // Several inputs, tiles, lanes.
        sums("inputs=2", "inputs=one"),
        sums("inputs=2", "inputs=3"),
        sums("inputs=2", "inputs=1"),
        sums("type=fetch,tensor=B,mode=1", "type=fetch,tensor=B,mode=2"),
        sums("type=fetch,tensor=B,mode=1", "type=fetch,tensor=B,mode=0"),
        sums("type=fetch,tensor=B,mode=1", "type=fetch,tensor=C,mode=1"),
        sums("lanes=4", "lanes=0"),
    ];
    let messages: Vec<String> = texts.iter().map(|text| message(text)).collect();
    insta::assert_snapshot!(messages.join("\n"));
}

/// What a text consists of, right and wrong.
fn pieces() -> impl Strategy<Value = String> {
    let words = [
        "digraph",
        "SAM",
        "{",
        "}",
        "[",
        "]",
        "=",
        "->",
        ",",
        ";",
        ":",
        "<",
        "\"",
        "\\",
        "/*",
        "//",
        "\n",
        "comment",
        "type",
        "\"x=s0,B=ss01,c=d0\"",
        "\"in-B\"",
        "fiberlookup",
        "union",
        "broadcast",
        "crd",
        "ref",
        "val",
        "index",
        "tensor",
        "mode",
        "vals",
        "spaccumulator",
        "order",
        "in0",
        "99999999999999999999",
        "-1",
        "1",
        "2",
        "\u{e4}",
    ];
    prop::collection::vec(prop::sample::select(words.to_vec()), 0..60).prop_map(|words| words.join(" "))
}

/// Texts that are right: the one of this test, and the given ones where they are there.
fn right_texts() -> Vec<String> {
    let given = given::graphs().into_iter().map(|(_, text)| text);
    let own = [
        SPMV,
        include_str!("graphs/skipping.gv"),
        include_str!("graphs/words.gv"),
        include_str!("graphs/copies.gv"),
        include_str!("graphs/row_sums_of_two.gv"),
    ];
    own.map(str::to_owned).into_iter().chain(given).collect()
}

/// A right text with some lines left out, said twice, cut off, or with another's part in them.
fn mutations() -> impl Strategy<Value = String> {
    let change = (any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0..4_u8, any::<u16>());
    let changes = prop::collection::vec(change, 1..4);
    (prop::sample::select(right_texts()), changes).prop_map(|(text, changes)| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        for (line, other, change, at) in changes {
            let (line, other) = (line.index(lines.len()), other.index(lines.len()));
            mutate(&mut lines, line, other, change, at.into());
        }
        lines.join("\n")
    })
}

fn mutate(lines: &mut [String], line: usize, other: usize, change: u8, at: usize) {
    let (from, to) = (lines[other].clone(), &mut lines[line]);
    match change {
        0 => to.clear(),
        1 => to.push_str(&from),
        2 => to.truncate(at % (to.len() + 1)),
        _ => {
            *to = to
                .split(' ')
                .zip(from.split(' '))
                .map(|(a, b)| if at.is_multiple_of(3) { a } else { b })
                .collect::<Vec<_>>()
                .join(" ")
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// Any text gives a graph that is wired or an error that has a place.
    #[test]
    fn any_text_is_answered(text in prop_oneof![pieces(), mutations(), ".*"]) {
        match dot::read(&text) {
            Ok(graph) => prop_assert!(graph.check_wiring().is_ok()),
            Err(error) => {
                let span = error.span().expect("errors have a place");
                prop_assert!(span.start <= span.end && text.get(span.start..span.end).is_some());
                render(&error, &Source::new("graph.gv", text.as_str()), comet_diag::Color::Never);
            }
        }
    }
}
