//! Every application of `texts/` is read; what is written of it says the same, and is written again as it is.

use comet_diag::{Source, render};
use comet_spatial::app::App;
use comet_spatial::read::read;
use comet_spatial::write::write;
use std::fs;
use std::path::Path;

/// The texts with their names.
fn texts() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/texts");
    let entries = folder.read_dir().expect("the folder is there");
    let mut texts: Vec<(String, String)> = entries
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "scala"))
        .map(|path| {
            let name = path.file_stem().expect("a file has a name").to_string_lossy().into_owned();
            (name, fs::read_to_string(&path).expect("a text is text"))
        })
        .collect();
    texts.sort();
    assert!(texts.len() > 10, "the texts are there");
    texts
}

fn application(name: &str, text: &str) -> App {
    let source = Source::new(format!("{name}.scala"), text);
    read(text).unwrap_or_else(|errors| {
        let errors: Vec<String> =
            errors.iter().map(|error| render(error, &source, comet_diag::Color::Never)).collect();
        panic!("{}", errors.join("\n"))
    })
}

#[test]
fn applications_come_back() {
    for (name, text) in texts() {
        let app = application(&name, &text);
        let written = write(&app);
        let again = application(&format!("{name}, as it is written"), &written);
        assert_eq!(again.clone().without_spans(), app.without_spans(), "{name}");
        assert_eq!(write(&again), written, "{name}");
        insta::assert_snapshot!(name, written);
    }
}

/// The layout of the compiler's own texts is the one that a text of `texts/` is in.
#[test]
fn the_layout_is_kept() {
    let (name, text) = texts().into_iter().find(|(name, _)| name == "spmv").expect("it is there");
    let without = |text: &str| {
        let lines = text.lines().filter(|line| !line.starts_with("//") && !line.starts_with("import"));
        lines.map(str::to_owned).collect::<Vec<_>>().join("\n").trim().to_owned()
    };
    assert_eq!(without(&write(&application(&name, &text))), without(&text));
}

/// What there is of Spatial and its sparse extensions is in one of the texts.
#[test]
fn every_construct_is_in_a_text() {
    let all: String = texts().iter().map(|(name, text)| write(&application(name, text))).collect();
    let constructs = [
        " = ArgIn[",
        " = ArgOut[",
        " = DRAM[",
        " = SparseDRAM[",
        " = SRAM[",
        " = SparseSRAM[",
        " = SparseParSRAM[",
        " = SparseParSRAMSwizzle[",
        " = FIFO[",
        "FIFO[U32](",
        "FIFO[Bit](",
        " = Reg[",
        ".to[T])",
        " = Barrier[Token](",
        " load ",
        " store ",
        " par ",
        " stream_load_vec(",
        " stream_store_vec(",
        ".enq(",
        ".deq",
        ".RMW(",
        ".barrierRead(",
        ".barrierWrite(",
        ".push",
        ".pop",
        "Foreach (",
        "Reduce(",
        "MemReduce(",
        " until ",
        " by ",
        "Foreach (Scan(1, 32, \"or\"",
        "Foreach (Scan(1, n, \"or\"",
        "ScanRed(1, n, \"and\"",
        "SparseDRAM[",
        ".alias = ",
        "Sequential.Foreach (",
        "Stream.Foreach (",
        ".buffer",
        ".nonbuffer",
        ".retiming",
        "case List(",
        "gen_bitvector(",
        "mux(",
        "min(",
        "max(",
        "abs(",
        "exp(",
        "sqrt(",
        "if (",
        "} else {",
        " := ",
        "{ _ + _ }",
        "setArg(",
        "getArg(",
        "setMem(",
        "getMem(",
        "loadCSV1D[",
        "writeCSV1D(",
        "args(0)",
        ".length",
        "println(",
        "printArray(",
        "assert(",
        "Array.tabulate[",
        "runtimeArgs",
        "type ",
        "\"add\"",
        "\"min\"",
        "\"max\"",
        "\"write\"",
        "\"read\"",
        "\"ordered\"",
        "\"unordered\"",
    ];
    for construct in constructs {
        assert!(all.contains(construct), "no text has `{construct}`");
    }
}

/// A reduction that stands where a value does becomes a statement in front, with a register or an SRAM that
/// is called as nothing else in the text; one that a `val` names has that name.
#[test]
fn reductions_where_values_stand() {
    let text = "@spatial object K extends SpatialApp { def main(args: Array[String]) { Accel {
        val s = SRAM[Int](4)
        val f = FIFO[Int](4)
        val r = Reg[Int](0)
        val reduced = 1
        s(0) = Reduce(Reg[Int](0))(4 by 1) { i => i } { _ + _ }
        f.enq(Reduce(r)(4 by 1) { i => i } { _ max _ })
        r := Reduce(Reg[Int])(4 by 1) { i => Reduce(Reg[Int])(i by 1) { j => j }{_*_} }{_+_}.value
        Reduce(Reg[Int])(4 by 1) { i => f.deq } { _ + _ }
        val m = MemReduce(SRAM[Int](4) par 2)(2 by 1) { i =>
          val part = SRAM[Int](4)
          Foreach (4 by 1) { j => part(j) = i }
          part
        } { (a, b) => b + a }
    } } }";
    let written = write(&application("k", text));
    let accel: Vec<&str> = written
        .lines()
        .skip_while(|line| !line.contains("Accel"))
        .take_while(|line| *line != "  }")
        .filter_map(|line| line.strip_prefix("    "))
        .collect();
    insta::assert_snapshot!(accel.join("\n"));
}
