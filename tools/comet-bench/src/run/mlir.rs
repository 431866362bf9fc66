//! MLIR's sparsifier, which generates code of its own, without its run-time library, which is slower. It
//! wants the extents in the program.

use super::inputs::{Input, InputKind};
use super::programs::{Compilation, Program, sources};
use crate::setting::{Outcome, output, write};
use std::ffi::OsStr;
use std::path::Path;

const SPARSIFIER: &str = "--sparsifier=enable-runtime-library=false enable-index-optimizations=true";

/// The operations on an input of these extents; a program that is not there is a peer that is missing.
pub(super) fn program(folder: &Path, input: &Input) -> Outcome<Program> {
    let (template, driver) = match input.kind {
        InputKind::Tensor => ("tensor.mlir", "mlir_tensor.c"),
        InputKind::Matrix | InputKind::Product => ("matrix.mlir", "mlir_matrix.c"),
    };
    let text = std::fs::read_to_string(sources().join(template)).map_err(|error| error.to_string())?;
    let [source, lowered, object] =
        ["mlir", "lowered.mlir", "ll"].map(|kind| folder.join(format!("operations.{kind}")));
    write(&source, with_extents(text, input))?;
    run("mlir-opt-22", &[SPARSIFIER.as_ref(), source.as_os_str(), "-o".as_ref(), lowered.as_os_str()])?;
    let translate = ["--mlir-to-llvmir".as_ref(), lowered.as_os_str(), "-o".as_ref(), object.as_os_str()];
    run("mlir-translate-22", &translate)?;
    let mut compiled = Compilation::of_peer("MLIR", driver, folder);
    compiled.inputs.push(object);
    compiled.flags.push("-Wno-override-module".into());
    compiled.program()
}

fn with_extents(text: String, input: &Input) -> String {
    let extents: Vec<(&str, usize)> = match input.kind {
        InputKind::Tensor => {
            ["LINES", "ROWS", "COLUMNS"].into_iter().zip((0..3).map(|mode| input.extent(mode))).collect()
        }
        InputKind::Matrix | InputKind::Product => {
            let [rows, columns] = [input.extent(0), input.extent(1)];
            vec![("ROWS", rows), ("COLUMNS", columns), ("ACROSS", rows)]
        }
    };
    extents.iter().fold(text, |text, (name, extent)| text.replace(name, &extent.to_string()))
}

fn run(program: &str, arguments: &[&OsStr]) -> Outcome<String> {
    output(Path::new(program), arguments).map_err(|error| format!("MLIR: {error}"))
}
