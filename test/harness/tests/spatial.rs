//! The kernels of the paper on parallel patterns (stardust.txt, Table 4), each with its schedule in
//! `test/spatial/kernels`. The text of each stands beside it, and how long these are is a table in the
//! documentation; `COMET_BLESS=1` writes both. Scala's own compiler takes the texts. Each kernel is run on
//! data drawn at the densities of the paper, and on parts of real matrices and tensors.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use comet_harness::compiler::{self, End, Finished};
use comet_harness::program::{self, Mode, Program};
use comet_harness::spatial::data::{self, Dataset};
use comet_harness::{is_long, real, spatial, test_folder};
use libtest_mimic::{Arguments, Failed, Trial};

/// The size of a compressed file that is read in a moment, in bytes.
const SHORT: u64 = 800_000;

fn main() -> ExitCode {
    let kernels = match program::programs(&folder().join("kernels")) {
        Ok(kernels) => kernels,
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::FAILURE;
        }
    };
    let texts = kernels.iter().map(|kernel| {
        let (name, path) = (kernel.name(), kernel.path.clone());
        Trial::test(format!("{name}::text"), move || text_is(&path))
    });
    let files = real_files();
    let runs = kernels.iter().flat_map(|kernel| {
        data::datasets(kernel, &files).into_iter().map(|dataset| {
            let kernel = kernel.clone();
            let name = format!("{}::{}", kernel.name(), dataset.name());
            Trial::test(name, move || agrees(&kernel, &dataset).map_err(Failed::from))
        })
    });
    // tools/setup installs Scala's compiler, where it can.
    let lacks_scala = spatial::scala_compiler().is_none();
    let whole = [
        Trial::test("lines", || counts_are_told().map_err(Failed::from)),
        Trial::test("types", || types_are_right().map_err(Failed::from)).with_ignored_flag(lacks_scala),
        Trial::test("wrong_types", || wrong_types_are_found().map_err(Failed::from))
            .with_ignored_flag(lacks_scala),
    ];
    let mut arguments = Arguments::from_args();
    if blesses() {
        // What is about the texts comes behind these.
        arguments.test_threads = Some(1);
    }
    libtest_mimic::run(&arguments, texts.chain(runs).chain(whole).collect()).exit_code()
}

/// The files of the shared data that are read in a moment; `COMET_LONG=1` takes all.
fn real_files() -> Vec<PathBuf> {
    let Some(folder) = real::folder() else {
        eprintln!(
            "SKIPPED: the kernels on real data, as there is no folder `shared/data` next to the repository; \
             COMET_SHARED can name it"
        );
        return Vec::new();
    };
    let is_long = is_long();
    let listed = folder.read_dir().into_iter().flatten();
    let mut files: Vec<PathBuf> = listed.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|path| {
        let name = path.to_string_lossy();
        let is_known = name.ends_with(".mtx.gz") || name.ends_with(".tns.gz") && !name.contains("med4");
        is_known && (is_long || path.metadata().is_ok_and(|file| file.len() < SHORT))
    });
    files.sort();
    files
}

/// The text of a kernel, run on data, comes to what the oracle does.
fn agrees(kernel: &Program, dataset: &Dataset) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let inputs = dataset.inputs(kernel, folder.path())?;
    kernel.check_with(&inputs, Mode::Spatial)
}

fn blesses() -> bool {
    std::env::var_os("COMET_BLESS").is_some_and(|value| value == "1")
}

fn folder() -> PathBuf {
    test_folder().join("spatial")
}

/// The text that is written for a kernel is the one beside it.
fn text_is(kernel: &Path) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let written = folder.path().join("text.scala");
    let finished = write_text(kernel, &written)?;
    if finished.end != End::Exit(0) {
        return Err(format!("{:?}: {}", finished.end, finished.stderr).into());
    }
    Ok(golden(&kernel.with_extension("scala"), &fs::read_to_string(written)?)?)
}

fn write_text(program: &Path, text: &Path) -> Result<Finished, String> {
    let args =
        ["build".into(), program.to_owned(), "--emit=spatial-text".into(), "-o".into(), text.to_owned()];
    let folder = text.parent().ok_or("a text has no folder")?;
    compiler::run(&compiler::locate()?, &args, &[], folder).map_err(|error| error.to_string())
}

/// How long the kernels and their texts are is stated in the documentation, and not more than one is longer
/// than the paper's.
fn counts_are_told() -> Result<(), String> {
    let read = |path: &Path| fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()));
    let mut rows = Vec::new();
    for paper in spatial::Paper::all(&read(&folder().join("paper.txt"))?)? {
        let kernel = folder().join("kernels").join(&paper.kernel);
        let counts = spatial::Counts::of(
            &read(&kernel.with_extension("ta"))?,
            &read(&kernel.with_extension("scala"))?,
        );
        rows.push((paper, counts));
    }
    let longer = rows.iter().filter(|(paper, ours)| ours.input > paper.input || ours.accel > paper.accel);
    let longer: Vec<&str> = longer.map(|(paper, _)| paper.kernel.as_str()).collect();
    if longer.len() > 1 {
        return Err(format!("these are longer than the paper's: {}", longer.join(", ")));
    }
    let path = test_folder().join("../compiler/docs/measurements/spatial.md");
    let page = read(&path)?;
    let between = page.find(BEGIN).zip(page.find(END)).ok_or("the page has no place for the table")?;
    golden(
        &path,
        &format!("{}{}{}", &page[..between.0 + BEGIN.len()], spatial::table(&rows), &page[between.1..]),
    )
}

const BEGIN: &str = "<!-- lines of the kernels, written by the test -->\n";
const END: &str = "<!-- end -->";

/// A file has those contents; `COMET_BLESS=1` writes them.
fn golden(path: &Path, contents: &str) -> Result<(), String> {
    if blesses() {
        return fs::write(path, contents).map_err(|error| format!("{}: {error}", path.display()));
    }
    if fs::read_to_string(path).is_ok_and(|expected| expected == contents) {
        return Ok(());
    }
    Err(format!("COMET_BLESS=1 makes {} have these contents:\n{contents}", path.display()))
}

/// Scala's compiler, which knows nothing of this project, finds the types right that a stand-in for Spatial's
/// library gives everything.
fn types_are_right() -> Result<(), String> {
    let kernels = program::programs(&folder().join("kernels"))?;
    let mut texts: Vec<PathBuf> = kernels.iter().map(|kernel| kernel.path.with_extension("scala")).collect();
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    for program in program::programs(&test_folder().join("run"))? {
        let name = program.name();
        // A kernel may have the name of a program, and a text is a package of its name.
        let text = folder.path().join(format!("run_{name}.scala"));
        let is_wanted = is_long() || TYPED.contains(&name.as_str());
        if is_wanted && write_text(&program.path, &text)?.end == End::Exit(0) && text.exists() {
            texts.push(text);
        }
    }
    spatial::check_types(&library(), &texts)
}

/// Programs of `test/run` whose texts have names, types and memories that the kernels do not have; Scala's
/// compiler takes those of all programs with `COMET_LONG=1`.
const TYPED: [&str; 7] = [
    "absent_sums",
    "for_loop",
    "mask_division",
    "mixed_types",
    "names_of_spatial",
    "operand_off_chip",
    "reduce_converted",
];

fn library() -> PathBuf {
    folder().join("dsl/spatial.scala")
}

/// The stand-in is no use if it lets everything through: errors are in the lines that say so.
fn wrong_types_are_found() -> Result<(), String> {
    let path = folder().join("dsl/wrong.scala");
    let text = fs::read_to_string(&path).map_err(|error| error.to_string())?;
    let wrong = text.lines().zip(1..).filter(|(line, _)| line.ends_with("// wrong"));
    let wrong: BTreeSet<usize> = wrong.map(|(_, number)| number).collect();
    let told = spatial::check_types(&library(), &[path]).err().ok_or("nothing is found to be wrong")?;
    let errors = told.lines().filter_map(|line| line.split_once("wrong.scala:")?.1.split_once(": error"));
    let found: BTreeSet<usize> = errors.filter_map(|(number, _)| number.parse().ok()).collect();
    if found == wrong { Ok(()) } else { Err(format!("errors are in lines {wrong:?}:\n{told}")) }
}
