//! Builds the C++ archive with CMake, and writes the tables of level formats and of operators for it.

use comet_format::{LEVEL_FORMATS, LevelArray, LevelFormat};
use comet_notation::{Function, Operator};
use std::path::{Path, PathBuf};
use std::{env, fs};

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
    let tables = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it")).join("tables");
    fs::create_dir_all(&tables).expect("the folder of a build can be written");
    let files = [
        ("LevelFormats.inc", level_formats()),
        ("Operators.inc", operators()),
        ("Operators.td", operator_cases()),
    ];
    for (name, text) in files {
        fs::write(tables.join(name), text).expect("the folder of a build can be written");
    }
    // Build scripts of other crates that read the TableGen files get it as `DEP_COMET_DIALECTS_TABLES`.
    println!("cargo:tables={}", tables.display());
    let mut config = cmake::Config::new(".");
    config
        .define("COMET_TABLES", &tables)
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

/// Returns a call of the macro `COMET_LEVEL_FORMAT` for each row of the table.
fn level_formats() -> String {
    LEVEL_FORMATS.iter().map(level_format).collect()
}

fn level_format(row: &LevelFormat) -> String {
    let LevelFormat { kind, word, full, branchless, append, arrays, .. } = row;
    let name = format!("{kind:?}");
    let name = name.split('(').next().expect("a split has a first part");
    let has = |array: LevelArray| arrays.contains(&array);
    let has_others = kind.coordinate_array().is_some();
    let is_compressed = kind.has_sets_in_crd();
    let facts = [*full, *branchless, has(LevelArray::Pos), has_others, has(LevelArray::Words), is_compressed];
    let facts: Vec<String> = facts.iter().map(bool::to_string).collect();
    format!("COMET_LEVEL_FORMAT({name}, \"{word}\", {append:?}, {})\n", facts.join(", "))
}

/// Returns a call of the macro `COMET_OPERATOR` for each operator, and of `COMET_FUNCTION` for each function.
fn operators() -> String {
    let operator = |row: &Operator| format!("COMET_OPERATOR(\"{}\", {})\n", row.name(), row.reduces());
    let function = |row: &Function| format!("COMET_FUNCTION(\"{}\")\n", row.name());
    let guarded = |name: &str, rows: String| format!("#ifdef {name}\n{rows}#endif\n");
    guarded("COMET_OPERATOR", Operator::ALL.iter().map(operator).collect())
        + &guarded("COMET_FUNCTION", Function::ALL.iter().map(function).collect())
}

/// Returns the cases of the dialects' enumerations: of all operators, of those that reduce, and of functions.
/// The numbers of reductions leave 0 to one that is none.
fn operator_cases() -> String {
    let case = |operator: &Operator, number: i32| {
        format!("I32EnumAttrCase<\"{operator:?}\", {number}, \"{}\">", operator.name())
    };
    let number = |operator: &Operator| operator.number().expect("a row of the table has a number");
    let all: Vec<String> = Operator::ALL.iter().map(|operator| case(operator, number(operator))).collect();
    let reducing = Operator::ALL.iter().filter(|operator| operator.reduces());
    let reducing: Vec<String> = reducing.map(|operator| case(operator, number(operator) + 1)).collect();
    let function = |function: &Function| {
        format!("I32EnumAttrCase<\"{function:?}\", {}, \"{}\">", *function as i32, function.name())
    };
    let functions: Vec<String> = Function::ALL.iter().map(function).collect();
    format!(
        "defvar OperatorCases = [{}];\ndefvar ReductionCases = [{}];\ndefvar FunctionCases = [{}];\n",
        all.join(", "),
        reducing.join(", "),
        functions.join(", ")
    )
}
