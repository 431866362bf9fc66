//! Texts with one fault each, and what is said of them.
//!
//! A file of `wrong/` has cases below lines that begin with `###`. What stands around a case is in
//! [`around`].

use comet_diag::{Source, render};
use comet_spatial::read::read;
use std::fs;
use std::path::Path;

/// The text of a case: statements get an application around them.
fn around(file: &str, case: &str) -> String {
    let host = "type T = Int\nval n = ArgIn[T]\nval out = ArgOut[T]\nval d = DRAM[T](16)\nval n0 = 16\n\
        val h = Array.tabulate[T](16) { i => i }\n";
    let more = "val n1 = args(0).to[T]\nval e = DRAM[Double](16)\n";
    let accel = "val s = SRAM[T](16)\nval m = SRAM[T](16)\nval sp = SparseSRAM[T](16)\nval f = FIFO[T](16)\n\
        val g = FIFO[T](16)\nval bv = FIFO[U32](16)\nval bw = FIFO[U32](16)\nval em = SRAM[Double](16)\n\
        val ef = FIFO[Double](16)\nval r = Reg[T](0)\nval bar = Barrier[Token](0)\nval sd = SparseDRAM[T](1)(16)\n";
    let application = |body: &str| {
        format!(
            "@spatial object K extends SpatialApp {{\ndef main(args: Array[String]): Unit = {{\n{body}}}\n}}\n"
        )
    };
    match file {
        "host" => application(&format!("{host}{case}Accel {{ }}\n")),
        "accel" | "pattern" => application(&format!("{host}{more}Accel {{\n{accel}{case}}}\n")),
        _ => case.to_owned(),
    }
}

/// What is said of a text.
fn said(text: &str) -> String {
    match read(text) {
        Ok(_) => "nothing".to_owned(),
        Err(errors) => {
            let source = Source::new("k.scala", text);
            let errors: Vec<String> =
                errors.iter().map(|error| render(error, &source, comet_diag::Color::Never)).collect();
            errors.join("\n")
        }
    }
}

#[test]
fn wrong_texts_are_explained() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wrong");
    let mut count = 0;
    for entry in folder.read_dir().expect("the folder is there") {
        let path = entry.expect("an entry").path();
        let file = path.file_stem().expect("a file has a name").to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).expect("a text is text");
        let mut all = Vec::new();
        for case in text.split("### ").skip(1) {
            let (title, case) = case.split_once('\n').expect("a case has lines below its title");
            let said = said(&around(&file, case));
            assert_ne!(said, "nothing", "{title}");
            all.push(format!("### {title}\n{said}\n"));
            count += 1;
        }
        insta::assert_snapshot!(file, all.join("\n"));
    }
    assert!(count > 100, "the cases are there");
}
