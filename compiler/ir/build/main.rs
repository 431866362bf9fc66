//! Generates a typed view and a builder for every operation of our dialects from their TableGen files.

mod read;
mod write;

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The dialects, each with the folder of its `.td` files and the file that has its operations.
const DIALECTS: [(&str, &str); 4] =
    [("ta", "TaOps.td"), ("cin", "CinOps.td"), ("sam", "SamOps.td"), ("spatial", "SpatialOps.td")];

fn main() {
    println!("cargo:rerun-if-changed=build");
    println!("cargo:rerun-if-env-changed=MLIR_SYS_220_PREFIX");
    let prefix = env::var("MLIR_SYS_220_PREFIX").unwrap_or_else(|_| "/usr/lib/llvm-22".to_owned());
    let here = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("cargo sets the package's folder"));
    let tables = PathBuf::from(env::var("DEP_COMET_DIALECTS_TABLES").expect("the dialects' build sets it"));
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo sets the folder of generated files"));
    for (name, file) in DIALECTS {
        let folder = here.join("../../dialects").join(name);
        println!("cargo:rerun-if-changed={}", folder.display());
        let dialect = read::dialect(name, &records(Path::new(&prefix), &[&folder, &tables], file));
        std::fs::write(out.join(format!("{name}.rs")), write::dialect(&dialect))
            .expect("the folder of generated files can be written to");
    }
}

/// Runs `llvm-tblgen` on a file of the first folder; returns its records as JSON.
fn records(prefix: &Path, folders: &[&Path], file: &str) -> serde_json::Value {
    let mut command = Command::new(prefix.join("bin/llvm-tblgen"));
    command.arg("--dump-json").arg("-I").arg(prefix.join("include"));
    command.args(folders.iter().flat_map(|folder| [OsStr::new("-I"), folder.as_os_str()]));
    let output = command.arg(folders[0].join(file)).output().expect("LLVM's `llvm-tblgen` can be run");
    assert!(output.status.success(), "{file}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("`llvm-tblgen --dump-json` prints JSON")
}
