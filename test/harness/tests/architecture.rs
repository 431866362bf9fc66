//! The invariants of `compiler/README.md`, each one test.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use comet_harness::test_folder;

/// Siblings: what reads `cin`, and what reads data.
const BACK_ENDS: [&str; 4] = ["backend-cpu", "backend-sam", "backend-spatial", "tiling"];

/// Returns the crates of the workspace except for the tools, by the names that the table uses, with their
/// folders.
fn crates() -> BTreeMap<String, String> {
    let manifest = read("Cargo.toml");
    let members = manifest.split("members = [").nth(1).and_then(|rest| rest.split(']').next());
    let folders = members.expect("the workspace has members").split('"').skip(1).step_by(2);
    let name = |folder: &str| {
        let manifest = read(&format!("{folder}/Cargo.toml"));
        let name = manifest.split("name = \"comet-").nth(1).and_then(|rest| rest.split('"').next());
        name.expect("a package has a name").to_owned()
    };
    let crates = folders.filter(|folder| !folder.starts_with("tools/"));
    crates.map(|folder| (name(folder), folder.to_owned())).collect()
}

/// Returns the folder of a crate of the table.
fn folder_of(name: &str) -> String {
    crates().remove(name).unwrap_or_else(|| panic!("`{name}` is no crate"))
}

fn root() -> PathBuf {
    test_folder().join("..").canonicalize().expect("the repository exists")
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The crates of ours that a crate's manifest names, without those that only its tests use.
fn dependencies(folder: &str) -> BTreeSet<String> {
    let manifest = read(&format!("{folder}/Cargo.toml"));
    let section = manifest.split("[dependencies]").nth(1).unwrap_or_default();
    let lines = section.lines().take_while(|line| !line.starts_with('['));
    let own = lines.filter_map(|line| line.strip_prefix("comet-"));
    own.map(|rest| rest.split(['.', ' ']).next().unwrap_or_default().to_owned()).collect()
}

/// The words between backticks.
fn words(cell: &str) -> BTreeSet<String> {
    cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

#[test]
fn crates_depend_on_what_the_readme_says() {
    let page = read("compiler/README.md");
    let section = page.split("## The crates").nth(1).expect("the page has a section on crates");
    let rows = section.lines().take_while(|line| !line.starts_with("## ")).filter_map(|line| {
        let cells: Vec<&str> = line.strip_prefix('|')?.trim_end_matches('|').split('|').collect();
        let [name, _, depends] = cells[..] else { return None };
        Some((words(name).pop_first()?, words(depends)))
    });
    let said: BTreeMap<String, BTreeSet<String>> = rows.collect();
    let crates = crates();
    for (name, folder) in &crates {
        let said = said.get(name).unwrap_or_else(|| panic!("the table does not list `{name}`"));
        assert_eq!(said, &dependencies(folder), "what `{name}` depends on");
    }
    assert_eq!(said.len(), crates.len(), "the table lists a crate that there is not");
}

/// Cargo knows every crate behind a crate, ours and others'.
#[test]
fn no_llvm_where_it_is_not_needed() {
    let packages = [
        "diag", "format", "notation", "syntax", "taco", "sema", "sam", "spatial", "tiling", "gen", "runtime",
        "abi", "oracle", "harness", "counts",
    ];
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["tree", "--offline", "--locked", "--edges", "normal,build", "--prefix", "none"]);
    cargo.args(packages.iter().flat_map(|name| ["--package".to_owned(), format!("comet-{name}")]));
    let output = cargo.current_dir(root()).output().expect("cargo starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let tree = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(tree.contains("comet-runtime"), "{tree}");
    for package in ["mlir-sys", "llvm-sys", "melior", "inkwell", "comet-dialects"] {
        assert!(
            !tree.lines().any(|line| line.starts_with(&format!("{package} "))),
            "`{package}` is in\n{tree}"
        );
    }
}

#[test]
fn back_ends_do_not_know_each_other() {
    for name in BACK_ENDS {
        let known = dependencies(&folder_of(name));
        assert!(BACK_ENDS.iter().all(|other| !known.contains(*other)), "`{name}` knows {known:?}");
    }
}

/// Every Rust file below those folders, with its path from the root.
fn sources(folders: &[&str]) -> Vec<(String, String)> {
    let mut found = Vec::new();
    folders.iter().for_each(|folder| collect(&root().join(folder), &mut found));
    assert!(!found.is_empty());
    found
}

fn collect(folder: &Path, found: &mut Vec<(String, String)>) {
    let entries = folder.read_dir().unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for path in entries.map(|entry| entry.expect("an entry").path()) {
        if path.is_dir() {
            // What cargo has built of the fuzz targets is no source.
            if !path.ends_with("target") {
                collect(&path, found);
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let name =
                path.strip_prefix(root()).expect("it is below the root").to_string_lossy().into_owned();
            found.push((name, fs::read_to_string(&path).expect("a source is text")));
        }
    }
}

/// A file's lines without comments.
fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().enumerate().map(|(number, line)| (number + 1, line.trim_start()));
    lines.filter(|(_, line)| !line.starts_with("//"))
}

#[test]
fn unsafe_code_is_walled_in() {
    const WALLS: [&str; 14] = [
        "dialects/",
        "compiler/ir/",
        "compiler/backend/cpu/src/native/",
        "runtime/src/abi",
        // With what measures it in tests.
        "runtime/src/memory",
        // Calls of MPI.
        "runtime/src/distributed/functions.rs",
        // The product of matrices of a crate takes addresses, which are checked in front.
        "runtime/src/dense/gemm.rs",
        // Text that was checked as bytes, and C's `printf` of numbers.
        "runtime/src/number.rs",
        "runtime/src/output.rs",
        // They call the C ABI.
        "runtime/tests/",
        // Arrays of NumPy, calls with their addresses, and functions of newer C libraries.
        "tools/python/src/array.rs",
        "tools/python/src/call.rs",
        "tools/python/src/pool.rs",
        "tools/python/src/system.rs",
    ];
    let is_word = |line: &str, word: &str| {
        line.split(|letter: char| !letter.is_alphanumeric() && letter != '_').any(|part| part == word)
    };
    for (file, text) in sources(&["compiler", "dialects", "runtime", "tools", "test"]) {
        // Two files are about the words.
        let is_about =
            ["tests/architecture.rs", "test/counts/src/table.rs"].iter().any(|end| file.ends_with(end));
        if WALLS.iter().any(|wall| file.starts_with(wall)) || is_about {
            continue;
        }
        for (number, line) in code(&text) {
            assert!(!is_word(line, "unsafe") && !is_word(line, "mlir_sys"), "{file}:{number}: {line}");
        }
    }
}

/// A comparison with, or an arm of, `"dialect.operation"`.
#[test]
fn no_operation_is_matched_by_its_name() {
    for (file, text) in sources(&["compiler/lower/src", "compiler/passes/src", "compiler/backend"]) {
        for (number, line) in code(&text) {
            let parts: Vec<&str> = line.split('"').collect();
            for index in (1..parts.len()).step_by(2) {
                let before = parts[index - 1].trim_end();
                let after = parts.get(index + 1).unwrap_or(&"").trim_start();
                let compared = ["==", "!=", "|"].iter().any(|sign| before.ends_with(sign));
                let is_arm = ["=>", "|", "==", "!="].iter().any(|sign| after.starts_with(sign));
                assert!(!is_operation(parts[index]) || !(compared || is_arm), "{file}:{number}: {line}");
            }
        }
    }
}

fn is_operation(text: &str) -> bool {
    let is_name = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_lowercase() || c == '_');
    text.split_once('.').is_some_and(|(dialect, name)| is_name(dialect) && name.split('.').all(is_name))
}

/// The crates that have passes, in the order in which a program meets them.
const CRATES_WITH_PASSES: [&str; 4] = ["passes", "backend-cpu", "backend-sam", "backend-spatial"];

/// Where the table of passes is in `compiler/README.md`.
const PASSES_BEGIN: &str = "<!-- the passes, written by the test -->\n";
const PASSES_END: &str = "<!-- end of the passes -->";

/// What a pass says of itself.
struct Pass {
    name: String,
    description: String,
}

/// Returns the passes of a crate, in the order of its `PASSES`.
fn passes(crate_name: &str) -> Vec<Pass> {
    let folder = format!("{}/src", folder_of(crate_name));
    let folder = folder.as_str();
    let table = read(&format!("{folder}/lib.rs"));
    let mut found: Vec<(usize, Pass)> = Vec::new();
    for (file, text) in sources(&[folder]) {
        let Some(definition) = text.split("pub const PASS: Pass = Pass {").nth(1) else { continue };
        let mut texts = definition.split('"').skip(1).step_by(2).map(str::to_owned);
        let (name, description) = texts.next().zip(texts.next()).expect("a pass has a name and a sentence");
        let path = file.trim_start_matches(folder).trim_matches('/').trim_end_matches(".rs").to_owned();
        let module = path.replace('/', "::");
        let place = table.find(&format!("&{module}::PASS"));
        let place = place.unwrap_or_else(|| panic!("{folder}/lib.rs does not list `{module}`"));
        assert_eq!(path.replace(['/', '_'], "-"), name, "{file}");
        found.push((place, Pass { name, description }));
    }
    found.sort_by_key(|(place, _)| *place);
    found.into_iter().map(|(_, pass)| pass).collect()
}

/// Returns what a pass makes of what, which its name says: `ta-to-cin`, `cin-order`. A name without a dialect
/// is that of a pass on loops.
fn forms(name: &str) -> String {
    let is_dialect = |word: &str| ["ta", "cin", "scf", "sam", "spatial"].contains(&word);
    match (name.split_once("-to-"), name.split('-').next()) {
        (Some((from, to)), _) => {
            format!("`{from}` → {}", if is_dialect(to) { format!("`{to}`") } else { "calls".to_owned() })
        }
        (None, Some(word)) if is_dialect(word) => format!("`{word}`"),
        _ => "loops".to_owned(),
    }
}

/// `COMET_BLESS=1` writes the table of passes.
#[test]
fn tables_list_every_pass() {
    let path = root().join("compiler/README.md");
    let page = read("compiler/README.md");
    let mut table = "| pass | form | what it does |\n|---|---|---|\n".to_owned();
    for pass in CRATES_WITH_PASSES.iter().flat_map(|name| passes(name)) {
        table += &format!("| `{}` | {} | {} |\n", pass.name, forms(&pass.name), pass.description);
    }
    let between =
        page.find(PASSES_BEGIN).zip(page.find(PASSES_END)).expect("the page has a place for passes");
    let written = format!("{}{table}{}", &page[..between.0 + PASSES_BEGIN.len()], &page[between.1..]);
    if std::env::var_os("COMET_BLESS").is_some_and(|value| value == "1") {
        fs::write(path, written).expect("the page can be written");
    } else {
        assert!(page == written, "COMET_BLESS=1 makes this the table of compiler/README.md:\n{table}");
    }
    for part in read("compiler/backend/cpu/src/pipelines.rs").split("name: \"").skip(1) {
        let name = part.split('"').next().unwrap_or_default();
        assert!(page.contains(&format!("`{name}`")), "compiler/README.md does not name `{name}`");
    }
}

/// `native` finds the linker by the environment, as every compiler does.
#[test]
fn libraries_neither_print_nor_exit() {
    let crates = [
        "diag",
        "format",
        "syntax",
        "taco",
        "sema",
        "ir",
        "lower",
        "passes",
        "backend-cpu",
        "sam",
        "backend-sam",
        "spatial",
        "backend-spatial",
        "gen",
    ];
    let folders: Vec<String> = crates.iter().map(|name| format!("{}/src", folder_of(name))).collect();
    for (file, text) in sources(&folders.iter().map(String::as_str).collect::<Vec<_>>()) {
        for (number, line) in code(&text) {
            let found =
                ["println!", "eprintln!", "process::exit", "env::var"].iter().any(|word| line.contains(word));
            assert!(!found || file.ends_with("native/link.rs"), "{file}:{number}: {line}");
        }
    }
}

/// Comments are wrapped like the code, which the formatter does not do; their examples and tables cannot be.
#[test]
fn comments_are_no_longer_than_a_line() {
    for (file, text) in sources(&["compiler", "dialects/src", "runtime", "test", "tools"]) {
        let mut in_example = false;
        for (number, line) in text.lines().enumerate() {
            let Some(comment) = line.trim_start().strip_prefix("//") else { continue };
            let words = comment.trim_start_matches(['/', '!']).trim_start();
            in_example ^= words.starts_with("```");
            let columns = line.chars().count();
            let wrapped = columns <= 110 || in_example || words.starts_with('|');
            assert!(wrapped, "{file}:{}: {columns} columns, expected at most 110", number + 1);
        }
    }
}

/// What the page says of tests is there.
#[test]
fn every_invariant_has_its_test() {
    let page = read("compiler/README.md");
    let section = page.split("## Invariants").nth(1).expect("the page has invariants");
    let rows =
        section.lines().take_while(|line| !line.starts_with("## ")).filter(|line| line.starts_with("| "));
    let tests: String =
        sources(&["compiler", "test/harness", "test/counts"]).into_iter().map(|(_, text)| text).collect();
    for row in rows.skip(1) {
        let guards = words(row.rsplit(" | ").next().unwrap_or_default());
        assert!(!guards.is_empty(), "{row}");
        for guard in guards {
            assert!(tests.contains(guard.as_str()), "there is no test `{guard}`");
        }
    }
}
