//! Builds the C++ archive with CMake.

use std::env;
use std::path::Path;

fn main() {
    for path in ["ta", "cin", "sam", "spatial", "capi", "CMakeLists.txt", "build.rs"] {
        println!("cargo:rerun-if-changed={path}");
    }
    println!("cargo:rerun-if-env-changed=MLIR_SYS_220_PREFIX");
    let prefix = env::var("MLIR_SYS_220_PREFIX").unwrap_or_else(|_| "/usr/lib/llvm-22".to_owned());
    // MLIR's headers differ by build type in their assertions, so that it is CMake's Release for every
    // profile. Without any optimization MLIR itself would be slower: the linker takes its inline functions
    // from this archive.
    let is_release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let mut config = cmake::Config::new(".");
    config
        .generator("Ninja")
        .profile("Release")
        .define("CMAKE_CXX_FLAGS_RELEASE", if is_release { "-O3 -DNDEBUG" } else { "-O1 -DNDEBUG" })
        .define("MLIR_DIR", format!("{prefix}/lib/cmake/mlir"))
        .define("LLVM_DIR", format!("{prefix}/lib/cmake/llvm"));
    // LLVM's own compiler takes half the time of GCC.
    let clang = Path::new(&prefix).join("bin/clang++");
    if env::var_os("CXX").is_none() && clang.is_file() {
        config.define("CMAKE_CXX_COMPILER", clang);
    }
    let archive = config.build();
    println!("cargo:rustc-link-search=native={}/lib", archive.display());
    println!("cargo:rustc-link-lib=static=comet_dialects");
}
