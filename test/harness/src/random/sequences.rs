//! Random sequences of statements that share tensors: rows are reduced, sparse results get the pattern of an
//! operand, and values are replaced in place, in orders in which the statements may share loops or may not.

use std::fmt::Write;
use std::path::Path;

use crate::compiler;
use crate::oracle;
use crate::program::agrees;

use super::TOLERANCE;
use super::data::{self, Density};
use super::rng::Rng;

/// The sparse tensors, all of which have a file.
const SPARSE: [&str; 3] = ["A", "B", "C"];
/// The vectors, over rows and columns alike.
const VECTORS: [&str; 4] = ["x", "y", "u", "v"];

/// Runs that program in all ways, on one process or as code on several.
///
/// # Errors
/// The program, where an output is not that of the oracle, and what keeps the compiler from being run.
pub fn check(comet: &Path, ranks: Option<u64>, seed: u64, number: u64) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let text = program(&mut Rng::numbered(seed, number));
    std::fs::write(folder.path().join("program.ta"), &text).map_err(|error| error.to_string())?;
    let expected = oracle::output(&text, &[], &[], folder.path())?;
    let level = if number.is_multiple_of(2) { "-O0" } else { "-O3" };
    let ways =
        [&["run", level][..], &["run", level, "--ordered-sums"], &["sim"], &["sim", "--target=spatial"]];
    // The simulators run one statement after the other.
    let ways = if ranks.is_none() && number.is_multiple_of(10) { &ways[..] } else { &ways[..2] };
    let on_ranks = ranks.map_or_else(Vec::new, compiler::on_ranks);
    let variables = if ranks.is_some() { compiler::dividing_everything() } else { Vec::new() };
    ways.iter().try_for_each(|way| {
        let own = [way, &["program.ta", "--print=exact"][..]].concat();
        let arguments = [own.into_iter().map(str::to_owned).collect(), on_ranks.clone()].concat();
        let finished = compiler::run(comet, &arguments, &variables, folder.path());
        let finished = finished.map_err(|error| error.to_string())?;
        // Graphs and applications are not there for every statement yet, and say so.
        if way[0] == "sim" && finished.stderr.contains("not supported yet") {
            return Ok(());
        }
        agrees(&finished, &expected, TOLERANCE).map_err(|report| {
            format!("case {number} of seed {seed}, comet {}:\n{text}{report}", way.join(" "))
        })
    })
}

fn program(rng: &mut Rng) -> String {
    let element = rng.pick(&["double", "double", "double", "float", "int", "int32"]);
    let size = rng.between(1, 9);
    let mut writer = Writer { rng, element, text: String::new() };
    writer.line(&format!("IndexLabel [i, j] = [{size}];"));
    let formats = ["CSR", "CSR", "CSR", "CSC", "DCSR", "COO"];
    let shared = writer.rng.pick(&formats);
    for name in SPARSE {
        let own = if writer.rng.percent(80) { shared } else { writer.rng.pick(&formats) };
        writer.line(&format!("Tensor<{element}> {name}([i, j], {own});"));
        let values = writer.matrix(size);
        writer.line(&format!("{name}[i, j] = {values};"));
    }
    for name in VECTORS {
        writer.line(&format!("Tensor<{element}> {name}([i], Dense);"));
        let values: Vec<String> = (0..size).map(|_| writer.number()).collect();
        writer.line(&format!("{name}[i] = [{}];", values.join(", ")));
    }
    writer.line(&format!("Tensor<{element}> D([i, j], Dense);"));
    let values = writer.matrix(size);
    writer.line(&format!("D[i, j] = {values};"));
    for _ in 0..writer.rng.between(2, 7) {
        writer.statement();
    }
    for name in SPARSE.iter().chain(&VECTORS) {
        writer.line(&format!("print({name});"));
    }
    format!("def main() {{\n{}}}\n", writer.text)
}

struct Writer<'a> {
    rng: &'a mut Rng,
    element: &'static str,
    text: String,
}

impl Writer<'_> {
    fn line(&mut self, line: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "  {line}");
    }

    fn matrix(&mut self, size: usize) -> String {
        let positions = data::positions(self.rng, &[size, size], Density::Random);
        let rows: Vec<String> = (0..size)
            .map(|row| {
                let values: Vec<String> = (0..size)
                    .map(|column| match positions.contains(&vec![row, column]) {
                        true => self.number(),
                        false => "0".to_owned(),
                    })
                    .collect();
                format!("[{}]", values.join(", "))
            })
            .collect();
        format!("[{}]", rows.join(", "))
    }

    fn number(&mut self) -> String {
        let kind = if self.element.starts_with("int") { "int" } else { "double" };
        data::value(self.rng, kind).to_string()
    }

    fn statement(&mut self) {
        let [target, source] = [self.rng.pick(&SPARSE), self.rng.pick(&SPARSE)];
        let [result, factor] = [self.rng.pick(&VECTORS), self.rng.pick(&VECTORS)];
        let at = self.rng.pick(&["i", "i", "i", "j"]);
        let scaled = self.rng.pick(&["*", "*", "+", "-"]);
        let reduction = self.rng.pick(&["+", "+", "max", "min"]);
        let line = match self.rng.below(16) {
            0 | 1 => format!("{result}[i] = {source}[i, j] @({reduction},first) {source}[i, j];"),
            2 => format!("{result}[i] = {source}[i, j] * {factor}[j];"),
            3 => format!("{target}[i, j] = stored({source}[i, j] {scaled} {factor}[{at}]);"),
            4 => format!("{target}[i, j] = stored({target}[i, j] {scaled} {factor}[{at}]);"),
            5 => format!("{target}[i, j] *= {factor}[{at}];"),
            6 => format!("{result}[i] = {result}[i] {scaled} {factor}[i];"),
            7 => format!("{target}[i, j] = abs({source}[i, j]) * 2;"),
            8 => format!("{result}[i] = max({source}[i, j], D[i, j]);"),
            9 => format!("{result}[i] = ({source}[i, j] {scaled} D[i, j]) * {factor}[j];"),
            10 => format!("{result}[i] = drop({source}[i, j], {source}[i, j] < {factor}[{at}]);"),
            11 => format!("{result}[i] = select({source}[i, j] > 1, {source}[i, j], {factor}[j]);"),
            12 => format!("D[i, j]<{target}> += {source}[i, j];"),
            13 => format!("{result}[j] = {source}[j, i] * {factor}[j];"),
            14 => format!("{target}[i, j] = drop({source}[i, j], D[i, j] > 0);"),
            _ => format!("{result}[i] += {source}[i, j];"),
        };
        self.line(&line);
    }
}
