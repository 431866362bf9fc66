//! The graphs that are given beside the repository.

use std::path::{Path, PathBuf};

/// Names and texts, in the order of the names; none where the folder is absent, which is told.
pub(crate) fn graphs() -> Vec<(String, String)> {
    let Ok(files) = std::fs::read_dir(folder()) else {
        eprintln!("SKIPPED: there is no `shared/reference/sam-graphs` next to the repository");
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = files.map(|file| file.expect("the folder can be read").path()).collect();
    paths.sort();
    paths.iter().map(|path| graph(path)).collect()
}

/// Beside the folder of the data, which `COMET_SHARED` names.
fn folder() -> PathBuf {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let data = std::env::var_os("COMET_SHARED").map_or_else(beside, PathBuf::from);
    data.join("../reference/sam-graphs")
}

fn graph(path: &Path) -> (String, String) {
    let name = path.file_name().expect("files have names").to_string_lossy().into_owned();
    (name, std::fs::read_to_string(path).expect("the file can be read"))
}
