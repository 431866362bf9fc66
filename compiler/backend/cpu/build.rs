//! Builds the runtime's static archive, which `native/link.rs` embeds.
//!
//! Cargo has no stable way to hand a dependency's `staticlib` to another package, and `cargo install` keeps
//! nothing but the binary. So the archive is built here by a cargo of its own, and travels inside `comet`.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    let here = PathBuf::from(variable("CARGO_MANIFEST_DIR"));
    let root = here.join("../../..");
    for path in [
        "compiler/format",
        "compiler/notation",
        "runtime/abi",
        "runtime/src",
        "runtime/Cargo.toml",
        "Cargo.lock",
    ] {
        println!("cargo:rerun-if-changed={}", root.join(path).display());
    }
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=MLIR_SYS_220_PREFIX");
    let archive =
        build_runtime(&root, &shared_folder(&PathBuf::from(variable("OUT_DIR"))).join("runtime-archive"));
    println!("cargo:rustc-env=COMET_RUNTIME_ARCHIVE={}", archive.display());
    // Where a linker was when this was built: the first choice of `native/link.rs`.
    let prefix = env::var("MLIR_SYS_220_PREFIX").unwrap_or_else(|_| "/usr/lib/llvm-22".to_owned());
    println!("cargo:rustc-env=COMET_LLVM_PREFIX={prefix}");
}

/// The folder of the profile: this package is built there once for each set of features, and the archive is
/// the same for all.
fn shared_folder(out: &Path) -> &Path {
    // target/PROFILE/build/PACKAGE-HASH/out
    out.ancestors().nth(3).unwrap_or(out)
}

fn build_runtime(root: &Path, target_dir: &Path) -> PathBuf {
    let target = variable("TARGET");
    let mut command = Command::new(variable("CARGO"));
    let is_release = variable("PROFILE") == "release";
    let profile = if is_release { "release" } else { "dev" };
    command.args(["rustc", "--quiet", "--package", "comet-runtime", "--lib", "--profile", profile]);
    command.args(["--crate-type", "staticlib"]);
    // Naming the target keeps flags meant for this build's host tools away, and fixes the path of the result.
    command.args(["--target", &target]).arg("--target-dir").arg(target_dir).current_dir(root);
    if is_release {
        // One optimized whole: a third of the size without it, and inlined where readers are hot.
        command.env("CARGO_PROFILE_RELEASE_LTO", "fat").env("CARGO_PROFILE_RELEASE_STRIP", "debuginfo");
    } else {
        // An incremental build hides the symbols that programs call. Executables of tests compute little.
        command.env("CARGO_PROFILE_DEV_INCREMENTAL", "false").env("CARGO_PROFILE_DEV_DEBUG", "false");
        command.args(["--config", "profile.dev.package.comet-runtime.opt-level=0"]);
    }
    // Lints, coverage and wrappers of the outer cargo are not for this one.
    for name in [
        "RUSTC_WRAPPER",
        "RUSTC_WORKSPACE_WRAPPER",
        "CARGO_ENCODED_RUSTFLAGS",
        "RUSTFLAGS",
        "CARGO_TARGET_DIR",
    ] {
        command.env_remove(name);
    }
    let status = command.status().expect("cargo can run cargo");
    assert!(status.success(), "building the runtime's archive failed: {status}");
    let folder = if is_release { "release" } else { "debug" };
    let archive = target_dir.join(target).join(folder).join("libcomet_runtime.a");
    assert!(fs::exists(&archive).unwrap_or(false), "cargo has not written {}", archive.display());
    archive
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| panic!("cargo sets {name}"))
}
