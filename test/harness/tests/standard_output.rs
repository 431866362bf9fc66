//! `-` is standard output wherever a command writes what it is asked for, and no command makes a file of it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use comet_harness::{compiler, test_folder};

/// What a command line with `-` in the place of a file does.
#[derive(Clone, Copy)]
enum Outcome {
    /// Standard output begins with this text.
    Written(&'static str),
    /// It ends with exit code 1 and this text on standard error.
    Refused(&'static str),
}

use Outcome::{Refused, Written};

const FOLDER: &str = "`-` is standard output, and several files are written to a folder";

const CASES: &[(&str, Outcome)] = &[
    ("gen banded --dims 3,4 -o -", Written("%%MatrixMarket matrix coordinate real general\n3 4 ")),
    ("gen stencil5 --grid 2 -o -", Written("%%MatrixMarket")),
    ("gen stencil7 --grid 2 -o -", Written("%%MatrixMarket")),
    ("gen stencil27 --grid 2 -o -", Written("%%MatrixMarket")),
    ("gen uniform --dims 2,2,2 --entries 8 -o -", Written("1 1 1 ")),
    ("gen rmat --scale 2 --entries 3 -o -", Written("%%MatrixMarket")),
    ("gen block --dims 4,4 --block 2,2 --blocks 1 -o -", Written("%%MatrixMarket")),
    ("gen power-law --dims 3 --entries 2 -o -", Written("")),
    ("gen --values-for a.mtx -o -", Written("%%MatrixMarket")),
    ("reorder a.mtx -o -", Written("%%MatrixMarket")),
    ("reorder a.mtx -o b.mtx --permutations -", Refused("a file is written for each mode")),
    ("info a.mtx --spy -", Refused("a PNG is no text")),
    ("build spmv.ta --emit=exe -o -", Refused("`--emit=exe` is no text")),
    ("build spmv.ta -o -", Refused("`--emit=exe` is no text")),
    ("build spmv.ta --emit=obj -o -", Refused("`--emit=obj` is no text")),
    ("build kernels.ta --emit=static-lib -o -", Refused("`--emit=static-lib` is no text")),
    ("build kernels.ta --emit=shared-lib -o -", Refused("`--emit=shared-lib` is no text")),
    ("build spmv.ta --emit=comal -o -", Refused("`--emit=comal` is no text")),
    ("build kernels.ta --emit=header -o -", Written("/* The kernels")),
    ("build kernels.ta --emit=cxx-header -o -", Written("/* The kernels")),
    ("build spmv.ta --emit=ast -o -", Written("def main")),
    ("build spmv.ta --emit=ta -o -", Written("#map")),
    ("build spmv.ta --emit=cin -o -", Written("module")),
    ("build spmv.ta --emit=scf -o -", Written("module")),
    ("build spmv.ta --emit=llvm-dialect -o -", Written("module")),
    ("build spmv.ta --emit=llvm -o -", Written("; ModuleID")),
    ("build spmv.ta --emit=asm -o -", Written("\t.file")),
    ("build spmv.ta --emit=sam -o -", Written("module")),
    ("build spmv.ta --emit=sam-dot -o -", Written("digraph")),
    ("build spmv.gv --emit=sam-dot -o -", Written("digraph")),
    ("build spmv.ta --emit=sam-json -o -", Written("{")),
    ("build spmv.ta --emit=svg -o -", Written("<?xml")),
    ("build spmv.ta --emit=spatial -o -", Written("module")),
    ("build spmv.ta --emit=spatial-text -o -", Written("import")),
    ("build spmv.ta --emit=ta,cin -o -", Refused("room for one kind, found several")),
    ("build spmv.ta --emit=ta -o ta.mlir --depfile -", Written("ta.mlir:")),
    ("build spmv.ta --emit=ta --depfile -", Refused("goes to standard output and is no file")),
    ("build spmv.ta --emit=ta -o - --depfile d", Refused("goes to standard output and is no file")),
    ("sim spmv.ta --input 0=a.mtx --json -", Written("{")),
    ("sim spmv.ta --input 0=a.mtx --html -", Written("<!DOCTYPE html>")),
    ("sim spmv.ta --input 0=a.mtx --trace -", Written("run,")),
    ("sim spmv.ta --input 0=a.mtx --json - --html -", Refused("two results would be mixed")),
    ("sim spmv.ta --input 0=a.mtx --sam-data -", Refused(FOLDER)),
    ("sim spmv.ta --input 0=a.mtx --target=spatial --json -", Written("{")),
    ("sim spmv.gv --sam-data tensors --json -", Written("{")),
    ("sim spmv.scala --input A=a.mtx --input x=x.tns --extents y=20 --json -", Written("{")),
    ("sim spmv.scala --input A=a.mtx --input x=x.tns --extents y=20 --output -", Refused(FOLDER)),
    ("tile square.ta --input 0=a.mtx --buffer=1KiB --no-measure --json -", Written("{")),
    ("tile square.ta --input 0=a.mtx --buffer=1KiB --no-measure --html -", Written("<!doctype html>")),
    ("tile square.ta --input 0=a.mtx --buffer=1KiB --no-measure --export teaal=-", Written("#")),
    ("tile square.ta --input 0=a.mtx --buffer=1KiB --apply -", Refused(FOLDER)),
    ("tile square.ta --input 0=a.mtx --buffer=1KiB --apply-levels -", Refused(FOLDER)),
    ("tile square.ta --input 0=a.mtx --machine=extensor --no-measure --json -", Written("{")),
    ("tune kernels.ta -o -", Written("\n")),
    ("tune square.ta --input 0=a.mtx --candidates 1 --rounds 1 --json -", Written("{")),
    ("tune kernels.ta -o - --json -", Refused("two results would be mixed")),
    ("sweep spmv.ta --input 0=a.mtx --axis d=1 -o -", Refused("an interrupted sweep continues")),
    ("sweep spmv.ta --input 0=a.mtx --axis d=1|4 --queue-depth {d} -o s.csv --svg -", Written("<svg")),
    ("expr y(i)=A(i,j)*x(j) -f=A:ds -i=A:a.mtx -i=x:x.tns -o=y:-", Written("%%MatrixMarket")),
    ("run write.ta", Written("before\n%%MatrixMarket")),
    ("sim write.ta", Written("before\n%%MatrixMarket")),
    ("sim write.ta --target=spatial", Written("before\n%%MatrixMarket")),
    ("completions bash", Written("_comet")),
];

/// Flags that have no case above although their value looks like a path: they read a file, or their value is
/// none.
const READ: [&str; 7] =
    ["--input", "--schedule", "--machine", "--values-for", "--orders", "--axis", "--memory"];

/// A folder with what the command lines are about.
fn folder(comet: &Path) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    let examples = test_folder().join("../compiler/docs/examples");
    for file in ["spmv.ta", "square.ta", "spmv.gv", "library/kernels.ta"] {
        let name = Path::new(file).file_name().expect("a name");
        fs::copy(examples.join(file), folder.path().join(name)).expect("the example exists");
    }
    fs::create_dir(folder.path().join("tensors")).expect("a folder");
    for entry in examples.join("tensors").read_dir().expect("the example exists") {
        let entry = entry.expect("an entry");
        fs::copy(entry.path(), folder.path().join("tensors").join(entry.file_name())).expect("a copy");
    }
    let program = "def main() { IndexLabel [i] = [3]; Tensor<double> x([i], SparseVector); x[i] = [1, 0, -2.5]; \
                   print(\"before\"); comet_write(x, \"-\"); }";
    fs::write(folder.path().join("write.ta"), program).expect("a file");
    for line in [
        "gen banded --dims 20,20 -o a.mtx",
        "gen uniform --dims 20 --entries 20 -o x.tns",
        "build spmv.ta --emit=spatial-text -o spmv.scala",
    ] {
        assert!(run(comet, folder.path(), line).status.success(), "{line}");
    }
    folder
}

fn run(comet: &Path, folder: &Path, line: &str) -> Output {
    let mut command = Command::new(comet);
    command.args(line.split(' ')).current_dir(folder).env("COMET_CACHE_DIR", folder.join("cache"));
    command.output().expect("the program starts")
}

#[test]
fn no_command_writes_a_file_named_like_standard_output() {
    let comet = compiler::locate().expect("the program is built");
    let folder = folder(&comet);
    for (line, outcome) in CASES {
        let output = run(&comet, folder.path(), line);
        let [printed, told] =
            [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        match outcome {
            Written(start) => {
                assert!(output.status.success(), "`comet {line}`:\n{told}");
                assert!(printed.starts_with(start) && !printed.is_empty(), "`comet {line}`:\n{printed}");
            }
            Refused(reason) => {
                assert_eq!(output.status.code(), Some(1), "`comet {line}`:\n{told}");
                assert!(told.contains(reason), "`comet {line}`:\n{told}");
                assert_eq!(printed, "", "`comet {line}`");
            }
        }
        assert!(!folder.path().join("-").exists(), "`comet {line}` makes a file named `-`");
    }
}

/// The results that `--json` and the like write are the only text on standard output.
#[test]
fn what_is_printed_besides_goes_to_standard_error() {
    let comet = compiler::locate().expect("the program is built");
    let folder = folder(&comet);
    for line in [
        "sim spmv.ta --input 0=a.mtx --json -",
        "sim spmv.gv --sam-data tensors --json -",
        "tile square.ta --input 0=a.mtx --buffer=1KiB --no-measure --json -",
    ] {
        let printed = String::from_utf8(run(&comet, folder.path(), line).stdout).expect("JSON is text");
        assert!(printed.starts_with("{\n") && printed.ends_with("\n}\n"), "`comet {line}`:\n{printed}");
    }
}

/// The flags of a command and of its subcommands that take a file or a folder.
fn flags(comet: &Path, command: &str, found: &mut BTreeSet<(String, String)>) {
    let help = run(comet, &test_folder(), format!("{command} --help").trim_start());
    let help = String::from_utf8(help.stdout).expect("help is text");
    for line in help.lines() {
        let Some((flag, value)) = line.trim_start().split_once(" <") else { continue };
        let takes_place = ["FILE", "PATH", "DIR", "PREFIX"].iter().any(|word| value.contains(word));
        if flag.starts_with('-') && takes_place {
            let flag = flag.rsplit(' ').next().unwrap_or(flag);
            found.insert((command.to_owned(), flag.to_owned()));
        }
    }
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names = commands.take_while(|line| !line.is_empty()).filter(|line| !line.starts_with("   "));
    for name in names.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help") {
        flags(comet, format!("{command} {name}").trim_start(), found);
    }
}

/// A new flag that writes a file has a case above, or is one of those that read.
#[test]
fn every_flag_that_writes_is_tried() {
    let comet = compiler::locate().expect("the program is built");
    let mut found = BTreeSet::new();
    flags(&comet, "", &mut found);
    assert!(found.len() > 20, "{found:?}");
    for (command, flag) in found.iter().filter(|(_, flag)| !READ.contains(&flag.as_str())) {
        let short = if flag == "--output" { " -o " } else { flag };
        let is_of = |line: &str| line.starts_with(command.as_str());
        let has = |line: &str| line.contains(short) || line.contains(flag);
        let is_tried = CASES.iter().any(|(line, _)| is_of(line) && has(line) && line.contains('-'));
        assert!(is_tried, "`comet {command} {flag} -` is not tried");
    }
}
