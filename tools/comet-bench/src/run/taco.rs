//! The code that a TACO generates, compiled as the C by hand is. TACO itself is optional, and not installed.

use super::programs::{Compilation, Program};
use crate::setting::{Outcome, output};
use std::path::Path;

/// An expression in TACO's notation.
struct Expression {
    operation: &'static str,
    text: &'static str,
    /// What is not dense.
    formats: &'static [&'static str],
    schedule: &'static [&'static str],
    operands: u32,
}

const fn plain(
    operation: &'static str,
    text: &'static str,
    formats: &'static [&'static str],
    operands: u32,
) -> Expression {
    Expression { operation, text, formats, schedule: &[], operands }
}

const CSR: &[&str] = &["A:ds"];
const SUM: &[&str] = &["A:ds", "B:ds", "C:ds"];
const CSF: &[&str] = &["A:sss"];

const EXPRESSIONS: [Expression; 13] = [
    plain("spmv", "C(i)=A(i,j)*B(j)", CSR, 2),
    plain("spmm32", "C(i,k)=A(i,j)*B(j,k)", CSR, 2),
    plain("spmm64", "C(i,k)=A(i,j)*B(j,k)", CSR, 2),
    plain("sddmm", "C(i,j)=A(i,j)*B(i,k)*D(j,k)", &["A:ds", "C:ds"], 3),
    plain("add2", "C(i,j)=A(i,j)+B(i,j)", SUM, 2),
    plain("add3", "C(i,j)=A(i,j)+B(i,j)+D(i,j)", &["A:ds", "B:ds", "C:ds", "D:ds"], 3),
    plain("multiply", "C(i,j)=A(i,j)*B(i,j)", SUM, 2),
    Expression {
        schedule: &["reorder(i,k,j)", "precompute(A(i,k)*B(k,j),j,j)"],
        ..plain("spgemm", "C(i,j)=A(i,k)*B(k,j)", SUM, 2)
    },
    plain("ttv", "C(i,j)=A(i,j,k)*B(k)", CSF, 2),
    plain("ttv_sparse", "C(i,j)=A(i,j,k)*B(k)", &["A:sss", "C:ss"], 2),
    plain("ttm", "C(i,j,r)=A(i,j,k)*B(k,r)", CSF, 2),
    plain("ttm_sparse", "C(i,j,r)=A(i,j,k)*B(k,r)", &["A:sss", "C:ssd"], 2),
    plain("mttkrp", "C(i,r)=A(i,j,k)*B(j,r)*D(k,r)", CSF, 3),
];

/// A program for each operation.
pub(super) fn programs(taco: &Path, folder: &Path) -> Vec<Outcome<Program>> {
    EXPRESSIONS.iter().map(|expression| program(taco, folder, expression)).collect()
}

fn program(taco: &Path, folder: &Path, expression: &Expression) -> Outcome<Program> {
    let Expression { operation, text, formats, schedule, operands } = expression;
    let source = folder.join(format!("taco-{operation}.c"));
    let mut arguments = vec![(*text).to_owned(), "-print-nocolor".to_owned()];
    arguments.extend(formats.iter().map(|format| format!("-f={format}")));
    arguments.extend(schedule.iter().map(|command| format!("-s={command}")));
    arguments.push(format!("-write-source={}", source.display()));
    output(taco, &arguments).map_err(|error| format!("TACO, {operation}: {error}"))?;

    let name = format!("taco-{operation}");
    let mut compiled = Compilation::of_peer("TACO", "taco.c", folder).named(&name);
    compiled.flags.extend([
        format!("-DTACO_SOURCE=\"{}\"", source.display()).into(),
        format!("-DOPERATION=\"{operation}\"").into(),
        format!("-DOPERANDS={operands}").into(),
        format!("-DPRODUCT={}", u32::from(*operation == "spgemm")).into(),
    ]);
    let mut program = compiled.with_openmp().program()?;
    // Its loops leave to the environment how they are shared.
    program.variables.push(("OMP_SCHEDULE", "dynamic,64".into()));
    Ok(program)
}
