//! The examples of the README and of every `--help` do what they say.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use comet_harness::{compiler, mutations, test_folder};

/// What follows a heading, up to an empty line.
fn section<'a>(help: &'a str, heading: &str) -> Vec<&'a str> {
    let lines = help.lines().skip_while(|line| !line.starts_with(heading)).skip(1);
    lines.take_while(|line| !line.is_empty()).collect()
}

fn help(comet: &Path, command: &[String]) -> String {
    let output = Command::new(comet).args(command).arg("--help").output().expect("the program starts");
    assert!(output.status.success(), "comet {command:?} --help");
    String::from_utf8(output.stdout).expect("help is text")
}

/// The examples of a command, and those of its subcommands.
fn examples(comet: &Path, command: &[String]) -> Vec<String> {
    let help = help(comet, command);
    let mut found: Vec<String> =
        section(&help, "Example").iter().map(|line| line.trim().to_owned()).collect();
    assert!(command.is_empty() || !found.is_empty(), "`comet {} --help` has no example", command.join(" "));
    // The descriptions of commands are indented further than their names.
    let names = section(&help, "Commands:").into_iter().filter(|line| !line.starts_with("   "));
    for name in names.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help") {
        found.extend(examples(comet, &[command, &[name.to_owned()]].concat()));
    }
    found
}

/// A folder with the files that examples are about.
fn folder_with_files(comet: &Path) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    let path = folder.path();
    let examples = test_folder().join("../compiler/docs/examples");
    for file in ["spmv.ta", "spmm.ta", "sddmm.ta", "square.ta", "spmv.gv", "levels.toml"] {
        fs::copy(examples.join(file), path.join(file)).expect("the example exists");
    }
    fs::copy(examples.join("library/kernels.ta"), path.join("kernels.ta")).expect("the example exists");
    fs::create_dir(path.join("tensors")).expect("a folder");
    for entry in examples.join("tensors").read_dir().expect("the example exists") {
        let entry = entry.expect("an entry");
        fs::copy(entry.path(), path.join("tensors").join(entry.file_name())).expect("a copy");
    }
    let readme = fs::read_to_string(test_folder().join("../README.md")).expect("the README exists");
    let product = readme.split("```\n").find(|part| part.starts_with("def main() {"));
    let product = product.expect("the README shows a program");
    fs::write(path.join("product.ta"), product).expect("a file");
    for name in ["matrix.mtx", "matrix.mtx.gz", "a.mtx", "pattern.mtx"] {
        let arguments = format!("comet gen banded --dims 20,20 -o {name}");
        assert!(run(comet, path, &arguments).status.success());
    }
    let arguments = "comet gen uniform --dims 20 --entries 20 -o x.tns";
    assert!(run(comet, path, arguments).status.success());
    assert!(run(comet, path, "comet build spmv.ta --emit=spatial-text -o spmv.scala").status.success());
    fs::create_dir(path.join("completions")).expect("a folder");
    folder
}

/// As a shell runs it that finds `comet`.
fn run(comet: &Path, folder: &Path, line: &str) -> Output {
    let bin = comet.parent().expect("a program is in a folder").to_string_lossy();
    let path = format!("{bin}:{}", std::env::var("PATH").unwrap_or_default());
    let line = line.replace("/etc/bash_completion.d/", "completions/");
    let mut shell = Command::new("sh");
    shell.args(["-c", &line]).current_dir(folder).env("PATH", path);
    shell.env("COMET_CACHE_DIR", folder.join("cache")).output().expect("a shell")
}

#[test]
fn examples_of_help_run() {
    let comet = compiler::locate().expect("the program is built");
    let folder = folder_with_files(&comet);
    let examples = examples(&comet, &[]);
    assert!(examples.len() > 20, "{examples:?}");
    for example in examples {
        let output = run(&comet, folder.path(), &example);
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "`{example}` ends with {:?}:\n{told}", output.status.code());
    }
}

#[test]
fn examples_of_the_readme_run() {
    examples_of_a_page_run("README.md", 3);
}

#[test]
fn examples_of_tuning_run() {
    examples_of_a_page_run("compiler/docs/guides/tuning.md", 3);
}

#[test]
fn examples_of_sweeps_run() {
    examples_of_a_page_run("compiler/docs/guides/sweep.md", 4);
}

#[test]
fn examples_of_tiling_run() {
    examples_of_a_page_run("compiler/docs/guides/tiling.md", 3);
}

#[test]
fn examples_of_applications_run() {
    examples_of_a_page_run("compiler/docs/guides/spatial.md", 7);
}

/// The lines for a shell that a page has, one after the other.
fn examples_of_a_page_run(page: &str, least: usize) {
    let comet = compiler::locate().expect("the program is built");
    let folder = folder_with_files(&comet);
    let text = fs::read_to_string(test_folder().join("..").join(page)).expect("the page exists");
    let shell = text.split("```sh\n").skip(1).filter_map(|part| part.split("```").next());
    let lines: Vec<&str> = shell.flat_map(str::lines).filter(|line| line.starts_with("comet ")).collect();
    assert!(lines.len() >= least, "{lines:?}");
    let mut explained = String::new();
    for line in lines {
        let output = run(&comet, folder.path(), line);
        let reported = String::from_utf8_lossy(&output.stderr);
        explained += &reported;
        assert!(output.status.success(), "`{line}`:\n{reported}");
        // Tables of tiles depend on nothing but the data, which is generated.
        let is_true = !line.starts_with("comet tile") || text.contains(reported.trim_end());
        assert!(is_true, "{page} is not true:\n{reported}");
    }
    let mut remarks = text.lines().filter(|line| line.starts_with("explain: "));
    assert!(remarks.all(|remark| explained.contains(remark)), "{page} is not true:\n{explained}");
}

/// Whatever it is given, the program ends in time and with exit code 0 or 1.
#[test]
fn spoilt_inputs_are_errors() {
    let number = |name: &str, default: u64| -> u64 {
        std::env::var(name).map_or(default, |value| value.parse().expect("a number"))
    };
    let settings = mutations::Settings {
        seed: number("COMET_SEED", 1),
        first: number("COMET_FIRST", 0),
        cases: number("COMET_SPOILT", 150),
        keep: std::env::temp_dir().join("comet-spoilt"),
    };
    let comet = compiler::locate().expect("the program is built");
    let report = mutations::run(&comet, &settings).expect("files are written, and processes start");
    for (kind, [done, refused]) in &report.ends {
        println!("{kind}: {done} run, {refused} refused");
    }
    assert!(report.faults.is_empty(), "{} faults\n{}", report.faults.len(), report.faults.join("\n\n"));
}
