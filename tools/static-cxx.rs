//! The build script of what is shipped: with `COMET_STATIC_CXX`, which `tools/install` and `tools/wheel` set,
//! the C++ library is linked from its archive, so that programs and the module run on systems with an older
//! one.

use std::env;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

const ARCHIVE: &str = "libstdc++.a";

fn main() {
    println!("cargo:rerun-if-env-changed=COMET_STATIC_CXX");
    println!("cargo:rustc-link-arg=-Wl,--build-id=sha1");
    if env::var_os("COMET_STATIC_CXX").is_none() {
        return;
    }
    let compiler = env::var("CXX").unwrap_or_else(|_| "c++".to_owned());
    let found = Command::new(&compiler).arg(format!("-print-file-name={ARCHIVE}")).output();
    let found = found.unwrap_or_else(|error| panic!("cannot start `{compiler}`: {error}"));
    let archive = PathBuf::from(String::from_utf8_lossy(&found.stdout).trim());
    assert!(archive.is_absolute(), "`{compiler}` has no {ARCHIVE}");
    // A folder with the archive alone, which is looked into first.
    let folder = Path::new(&env::var_os("OUT_DIR").expect("cargo sets OUT_DIR")).join("static");
    std::fs::create_dir_all(&folder).expect("OUT_DIR can be written");
    let link = folder.join(ARCHIVE);
    let _ = std::fs::remove_file(&link);
    symlink(&archive, &link).expect("OUT_DIR can be written");
    println!("cargo:rustc-link-search=native={}", folder.display());
}
