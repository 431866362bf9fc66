//! The cache of code that was compiled before: what is found, what is not, and what goes wrong.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

use comet_harness::compiler::{self, End, Finished};

const PROGRAM: &str = "def main() {\n  IndexLabel [i] = [5];\n  Tensor<double> x([i], Dense);\n  \
                       x[i] = 2.5;\n  x[i] = x[i] * x[i];\n  print(x);\n}\n";
/// What it prints.
const PRINTED: &str = "data = \n6.25,6.25,6.25,6.25,6.25,\n";

/// A folder with a program, and another one for code.
struct Place {
    folder: tempfile::TempDir,
    comet: PathBuf,
    variables: Vec<(String, String)>,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder for temporary files");
        fs::write(folder.path().join("program.ta"), PROGRAM).expect("a file can be written");
        let comet = compiler::locate().expect("the program is built");
        let variables = vec![("COMET_CACHE_DIR".to_owned(), "code/of/comet".to_owned())];
        Self { folder, comet, variables }
    }

    fn with(mut self, name: &str, value: &str) -> Self {
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    fn cache(&self) -> PathBuf {
        self.folder.path().join("code/of/comet")
    }

    fn comet(&self, arguments: &[&str]) -> Finished {
        let run = compiler::run(&self.comet, arguments, &self.variables, self.folder.path());
        run.expect("the compiler runs")
    }

    /// Runs the program with more arguments; says whether its code was found.
    fn finds(&self, more: &[&str]) -> bool {
        let finished = self.comet(&[&["run", "program.ta", "-v"], more].concat());
        assert_eq!((finished.end, finished.stdout.as_str()), (End::Exit(0), PRINTED), "{}", finished.stderr);
        is_found(&finished)
    }

    fn entries(&self) -> Vec<PathBuf> {
        let Ok(files) = fs::read_dir(self.cache()) else { return Vec::new() };
        files.map(|file| file.expect("a file").path()).collect()
    }
}

fn is_found(finished: &Finished) -> bool {
    let (found, missing) =
        (finished.stderr.contains("cache: found "), finished.stderr.contains("cache: nothing is there"));
    assert!(found != missing, "{}", finished.stderr);
    found
}

fn write(path: &Path, content: impl AsRef<[u8]>) {
    fs::write(path, content).expect("a file can be written");
}

#[test]
fn code_is_found_again() {
    let place = Place::new();
    assert!(!place.finds(&[]));
    assert!(place.finds(&[]));
    // What only the run time looks at is no part of the code.
    assert!(place.finds(&["--threads=1"]));
    let build = ["build", "program.ta", "-o", "program", "-v"];
    assert!(!is_found(&place.comet(&build)));
    assert!(is_found(&place.comet(&build)));
    let finished = compiler::run(Path::new("./program"), &[""; 0], &[], place.folder.path());
    assert_eq!(finished.expect("the executable runs").stdout, PRINTED);
}

/// Everything that decides about the code makes other code.
#[test]
fn other_code_is_not_taken() {
    let place = Place::new();
    assert!(!place.finds(&[]));
    for flags in [
        &["-O0"][..],
        &["--target-cpu=x86-64"],
        &["--ordered-sums"],
        &["--no-gemm"],
        &["--instrument=workspace"],
        &["--schedule", "split(i, io, ii, 2)"],
        &["--reorder"],
    ] {
        assert!(!place.finds(flags), "{flags:?}");
        assert!(place.finds(flags), "{flags:?}");
    }
    // Messages name places in the text, and the file.
    write(&place.folder.path().join("program.ta"), format!("\n{PROGRAM}"));
    assert!(!place.finds(&[]));
    write(&place.folder.path().join("other.ta"), PROGRAM);
    assert!(!is_found(&place.comet(&["run", "other.ta", "-v"])));
    // Another compiler, though it has the same name and content.
    let copy = place.folder.path().join("comet");
    fs::copy(&place.comet, &copy).expect("a program can be copied");
    let copied = Place { comet: copy, ..place };
    assert!(!is_found(&copied.comet(&["run", "other.ta", "-v"])));
    assert!(is_found(&copied.comet(&["run", "other.ta", "-v"])));
}

/// Expressions of `comet expr` with all of their flags.
#[test]
fn expressions_are_found() {
    let place = Place::new();
    write(&place.folder.path().join("a.tns"), "1 2.0\n3 4.0\n");
    let run = |more: &[&str]| {
        let arguments = ["expr", "y(i)=a(i)*a(i)", "-i=a:a.tns", "-f=a:s", "-v"];
        let finished = place.comet(&[&arguments, more].concat());
        assert_eq!(finished.end, End::Exit(0), "{}", finished.stderr);
        (is_found(&finished), finished.stdout)
    };
    let (is_there, first) = run(&[]);
    assert!(!is_there);
    assert_eq!(run(&[]), (true, first));
    assert!(!run(&["-d=i:7"]).0);
    assert!(!run(&["-o=y:y.tns"]).0);
    assert!(!run(&["-f=y:s"]).0);
    fs::remove_file(place.folder.path().join("y.tns")).expect("it was written");
    assert!(run(&["-o=y:y.tns"]).0);
    assert!(place.folder.path().join("y.tns").exists());
}

/// The passes run where they are asked about.
#[test]
fn passes_are_shown() {
    let place = Place::new();
    assert!(!place.finds(&[]));
    let explained = || place.comet(&["run", "program.ta", "--explain", "--schedule=parallelize(i, cpu)"]);
    let first = explained();
    assert!(first.stderr.contains("explain: "), "{}", first.stderr);
    assert_eq!(explained().stderr, first.stderr);
    assert!(place.comet(&["run", "program.ta", "--time-passes"]).stderr.contains("passes"));
    assert!(place.comet(&["run", "program.ta", "-vv"]).stderr.contains("cin-to-scf"));
    assert!(place.comet(&["run", "program.ta", "--no-cache", "-v"]).stderr.contains("cache: left out"));
    assert_eq!(place.entries().len(), 1);
}

/// Faults of a program that was found name their places, as they did before.
#[test]
fn faults_have_their_places() {
    let place = Place::new();
    let program = "def main() {\n  IndexLabel [i] = [?];\n  Tensor<double> x([i], CU_);\n  \
                   x[i] = comet_read(0);\n  print(x);\n}\n";
    write(&place.folder.path().join("program.ta"), program.replace("CU_", "{CU}"));
    let run = || place.comet(&["run", "program.ta", "--input=0=missing.tns"]);
    let first = run();
    assert_eq!(first.end, End::Exit(1));
    assert!(first.stderr.contains("program.ta:4:10"), "{}", first.stderr);
    assert_eq!(place.entries().len(), 1);
    assert_eq!(run().stderr, first.stderr);
}

/// A damaged entry is reported, and made anew.
#[test]
fn damage_is_mended() {
    let place = Place::new();
    assert!(!place.finds(&[]));
    let entry = place.entries().pop().expect("an entry");
    let whole = fs::read(&entry).expect("an entry");
    let mut changed = whole.clone();
    changed[whole.len() / 2] ^= 1;
    for damaged in [&changed[..], &whole[..whole.len() / 2], &[]] {
        write(&entry, damaged);
        let finished = place.comet(&["run", "program.ta"]);
        assert_eq!((finished.end, finished.stdout.as_str()), (End::Exit(0), PRINTED));
        assert!(finished.stderr.starts_with("note: cached code is made anew: `"), "{}", finished.stderr);
        assert!(place.finds(&[]));
    }
}

/// Several processes share a folder.
#[test]
fn processes_share_a_folder() {
    let place = Place::new();
    thread::scope(|scope| {
        for number in 0..4 {
            let place = &place;
            scope.spawn(move || {
                let level = format!("-O{}", number % 2);
                for _ in 0..5 {
                    let finished = place.comet(&["run", "program.ta", &level]);
                    assert_eq!((finished.end, finished.stderr.as_str()), (End::Exit(0), ""));
                    assert_eq!(finished.stdout, PRINTED);
                }
            });
        }
    });
    assert_eq!(place.entries().len(), 2);
    assert!(place.finds(&["-O0"]) && place.finds(&["-O1"]));
}

/// A folder that cannot be made is no error, and a note only where more is to be told.
#[test]
fn unusable_folders_do_not_matter() {
    let place = Place::new().with("COMET_CACHE_DIR", "program.ta/code");
    let finished = place.comet(&["run", "program.ta"]);
    assert_eq!((finished.stdout.as_str(), finished.stderr.as_str()), (PRINTED, ""));
    let finished = place.comet(&["run", "program.ta", "-v"]);
    assert_eq!(finished.stdout, PRINTED);
    assert!(finished.stderr.contains("takes nothing: "), "{}", finished.stderr);
    let nowhere = Place::new().with("COMET_CACHE_DIR", "").with("XDG_CACHE_HOME", "").with("HOME", "");
    let finished = nowhere.comet(&["run", "program.ta", "-v"]);
    assert_eq!(finished.stdout, PRINTED);
    assert!(finished.stderr.contains("names a folder"), "{}", finished.stderr);
    assert!(nowhere.comet(&["cache"]).stderr.contains("help: set `COMET_CACHE_DIR`"));
}

/// Without a folder of its own it is in that of all caches.
#[test]
fn the_folder_is_a_usual_one() {
    let common = Place::new().with("COMET_CACHE_DIR", "").with("HOME", "/nonexistent");
    let folder = common.folder.path().join("cache").display().to_string();
    let common = common.with("XDG_CACHE_HOME", &folder);
    assert!(common.comet(&["cache"]).stdout.starts_with(&format!("folder: {folder}/comet\n")));
    // A path that is not absolute is no place.
    let home = common.with("XDG_CACHE_HOME", "cache");
    assert!(home.comet(&["cache"]).stdout.starts_with("folder: /nonexistent/.cache/comet\n"));
}

#[test]
fn the_command_tells_and_clears() {
    let place = Place::new();
    assert_eq!(place.comet(&["cache"]).stdout, "folder: code/of/comet\nentries: 0\nsize: 0 B of 256.0 MiB\n");
    assert!(!place.finds(&[]));
    let told = place.comet(&["cache"]).stdout;
    assert!(told.contains("entries: 1\nsize: ") && !told.contains("size: 0 B"), "{told}");
    write(&place.cache().join("notes"), "");
    assert!(place.comet(&["cache", "--clear"]).stdout.contains("entries: 0\nsize: 0 B"));
    // What is not ours stays.
    assert_eq!(place.entries(), [place.cache().join("notes")]);
    assert!(!place.finds(&[]));
}

/// The entries together keep the limit.
#[test]
fn the_size_is_bounded() {
    let first = Place::new();
    assert!(!first.finds(&[]));
    let size = fs::metadata(&first.entries()[0]).expect("an entry").len();
    let place = Place::new().with("COMET_CACHE_SIZE", &(2 * size + size / 2).to_string());
    for name in ["a", "b", "c"] {
        let file = format!("{name}.ta");
        write(&place.folder.path().join(&file), PROGRAM);
        assert!(!is_found(&place.comet(&["run", &file, "-v"])));
    }
    assert_eq!(place.entries().len(), 2);
    assert!(is_found(&place.comet(&["run", "c.ta", "-v"])));
    assert!(!is_found(&place.comet(&["run", "a.ta", "-v"])));
    let wrong = Place::new().with("COMET_CACHE_SIZE", "much").comet(&["run", "program.ta"]);
    assert_eq!(wrong.end, End::Exit(1));
    assert!(wrong.stderr.contains("takes a number of bytes, not `much`"), "{}", wrong.stderr);
}
