//! The files of a repository, found by walking it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::Path;

use walkdir::{DirEntry, WalkDir};

/// The folder of the crate that measures; its sources are no part of the product.
const BENCH: &str = "tools/comet-bench/";

/// What a file is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    Rust,
    TableGen,
    /// C, C++ and their headers.
    Cpp,
    Markdown,
}

/// Which part of the project a file belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Region {
    /// The compiler, its run time and its tools.
    Product,
    /// The benchmarks.
    Bench,
    /// The crates that only tests use: what is below `test/` and in no folder `tests`.
    TestCrate,
    /// What is under `#[cfg(test)]` in the sources of the product and of the benchmarks.
    UnitTests,
    /// Files in folders `tests`.
    Tests,
}

impl Region {
    /// Returns whether unit tests in such a file are a region of their own.
    pub(crate) fn may_hold_unit_tests(self) -> bool {
        matches!(self, Self::Product | Self::Bench)
    }
}

/// A file before it is parsed.
pub(crate) struct TextFile {
    /// The path from the root, with `/`.
    pub(crate) path: String,
    /// The package that the file belongs to, without `comet-`.
    pub(crate) package: String,
    pub(crate) language: Language,
    pub(crate) region: Region,
    pub(crate) text: String,
}

/// All files of a repository that something is counted in, sorted by path.
pub struct SourceTree {
    pub(crate) files: Vec<TextFile>,
}

/// Reads the files below `root`, without hidden folders and what cargo has built.
pub fn read(root: &Path) -> io::Result<SourceTree> {
    let mut files = Vec::new();
    let mut packages = BTreeMap::new();
    for entry in WalkDir::new(root).sort_by_file_name().into_iter().filter_entry(is_source) {
        let entry = entry?;
        let path = relative(root, entry.path());
        if let Some(folder) = path.strip_suffix("Cargo.toml") {
            let name = package_name(&fs::read_to_string(entry.path())?);
            packages.extend(name.map(|name| (folder.to_owned(), name)));
        } else if let Some(language) = language_of(&path) {
            let text = fs::read_to_string(entry.path())?;
            let region = region_of(&path);
            files.push(TextFile { path, package: String::new(), language, region, text });
        }
    }
    files.iter_mut().for_each(|file| file.package = owner(&packages, &file.path));
    mark_test_modules(&mut files);
    Ok(SourceTree { files })
}

/// Returns whether an entry is neither hidden nor a folder that cargo builds into.
fn is_source(entry: &DirEntry) -> bool {
    let name = entry.file_name().to_string_lossy();
    let is_hidden = entry.depth() > 0 && name.starts_with('.');
    let is_built =
        entry.file_type().is_dir() && (name == "target" || entry.path().join("CACHEDIR.TAG").exists());
    !is_hidden && !is_built
}

fn relative(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).to_string_lossy().replace('\\', "/")
}

fn language_of(path: &str) -> Option<Language> {
    let (_, extension) = path.rsplit_once('.')?;
    match extension {
        "rs" => Some(Language::Rust),
        "td" => Some(Language::TableGen),
        "c" | "cpp" | "h" | "hpp" => Some(Language::Cpp),
        "md" => Some(Language::Markdown),
        _ => None,
    }
}

fn region_of(path: &str) -> Region {
    if path.split('/').any(|folder| folder == "tests") {
        Region::Tests
    } else if path.starts_with("test/") {
        Region::TestCrate
    } else if path.starts_with(BENCH) {
        Region::Bench
    } else {
        Region::Product
    }
}

/// Returns the first `name` of a manifest; a workspace without a package has none.
fn package_name(manifest: &str) -> Option<String> {
    let name = manifest.lines().find_map(|line| line.strip_prefix("name = \""))?.trim_end_matches('"');
    Some(name.strip_prefix("comet-").unwrap_or(name).to_owned())
}

/// Returns the package with the longest folder that the path is in; where there is none, the first folder.
fn owner(packages: &BTreeMap<String, String>, path: &str) -> String {
    let owners = packages.iter().filter(|(folder, _)| path.starts_with(folder.as_str()));
    let name = owners.max_by_key(|(folder, _)| folder.len()).map(|(_, name)| name.clone());
    name.unwrap_or_else(|| path.split('/').next().unwrap_or_default().to_owned())
}

/// Moves the files of modules that are declared under `#[cfg(test)]` to the unit tests.
fn mark_test_modules(files: &mut [TextFile]) {
    let rust = files.iter().filter(|file| file.language == Language::Rust);
    let modules: BTreeSet<String> = rust.flat_map(|file| test_modules(&file.path, &file.text)).collect();
    for file in files {
        let is_of = |module: &String| {
            file.path.strip_prefix(module.as_str()).is_some_and(|rest| rest == ".rs" || rest.starts_with('/'))
        };
        if file.region.may_hold_unit_tests() && modules.iter().any(is_of) {
            file.region = Region::UnitTests;
        }
    }
}

/// Returns the paths, without `.rs`, of the modules that a file declares under `#[cfg(test)]` without a body.
fn test_modules(path: &str, text: &str) -> Vec<String> {
    let folder = module_folder(path);
    let names = text.split("#[cfg(test)]").skip(1).filter_map(|rest| {
        let (header, _) = rest.split_once(';').filter(|(header, _)| !header.contains(['{', '"']))?;
        Some(header.split_once("mod ")?.1)
    });
    names.map(|name| format!("{folder}{name}")).collect()
}

/// Returns the folder, with a `/` at the end, that the modules of a file are in.
fn module_folder(path: &str) -> String {
    let (folder, name) = path.rsplit_once('/').unwrap_or_default();
    match name {
        "lib.rs" | "main.rs" | "mod.rs" => format!("{folder}/"),
        _ => format!("{folder}/{}/", name.trim_end_matches(".rs")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Modules in files of their own are tests, too.
    #[test]
    fn modules_under_cfg_test_are_found() {
        let text = "#[cfg(test)]\npub(crate) mod fixture;\n#[cfg(test)]\nmod tests {}\nmod other;\n";
        assert_eq!(test_modules("a/src/b.rs", text), ["a/src/b/fixture"]);
        assert_eq!(test_modules("a/src/lib.rs", text), ["a/src/fixture"]);
    }

    /// Regions are decided by folders.
    #[test]
    fn folders_decide_regions() {
        let paths = [
            "runtime/src/lib.rs",
            "test/oracle/src/lib.rs",
            "runtime/tests/a/b.rs",
            "tools/comet-bench/src/main.rs",
        ];
        let regions = [Region::Product, Region::TestCrate, Region::Tests, Region::Bench];
        assert_eq!(paths.map(region_of), regions);
    }
}
