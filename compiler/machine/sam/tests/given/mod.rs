//! The graphs that are given beside the repository.

use std::path::{Path, PathBuf};

/// `shared/reference`, beside the folder of the data, which `COMET_SHARED` names. That it is absent is
/// reported.
pub(crate) fn reference() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/data");
    let data = std::env::var_os("COMET_SHARED").map_or_else(beside, PathBuf::from);
    let folder = data.join("../reference");
    if !folder.exists() {
        eprintln!("SKIPPED: there is no folder `shared/reference` next to the repository");
        return None;
    }
    Some(folder)
}

/// Names and texts, in the order of the names; none where the folder is absent.
#[allow(dead_code, reason = "each test uses some of it")]
pub(crate) fn graphs() -> Vec<(String, String)> {
    let Some(folder) = reference() else { return Vec::new() };
    files(&folder.join("sam-graphs"))
}

/// The same of a folder.
pub(crate) fn files(folder: &Path) -> Vec<(String, String)> {
    let files = std::fs::read_dir(folder).expect("the folder can be read");
    let mut paths: Vec<PathBuf> = files.map(|file| file.expect("the folder can be read").path()).collect();
    paths.sort();
    paths.iter().map(|path| graph(path)).collect()
}

#[allow(dead_code, reason = "each test uses some of it")]
fn graph(path: &Path) -> (String, String) {
    let name = path.file_name().expect("files have names").to_string_lossy().into_owned();
    (name, std::fs::read_to_string(path).expect("the file can be read"))
}
