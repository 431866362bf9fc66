//! How traffic grows with the number of processes: counted for real matrices and tensors whose entries are
//! divided in several ways, and what a model makes of it. Nothing runs, so that there may be more processes
//! than any machine at hand has.

mod cost;
mod grid;
mod matrices;
mod parts;
mod tensors;

use super::DistributedArguments;
use crate::setting::{Outcome, Setting};
use matrices::MatrixRow;
use serde_json::{Value, json};
use tensors::TensorRow;

const PROCESSES: [u32; 7] = [4, 16, 64, 256, 1024, 4096, 10_000];

/// Rows for all matrices, tensors and numbers of processes.
#[derive(Debug)]
pub(super) struct Growth {
    matrices: Vec<MatrixRow>,
    tensors: Vec<TensorRow>,
}

pub(super) fn run(setting: &Setting, arguments: &DistributedArguments) -> Outcome<Growth> {
    let processes = arguments.processes_or(&PROCESSES);
    let matrices = matrices::rows(setting, arguments, &processes)?;
    let tensors = if arguments.matrices.is_empty() { tensors::rows(&processes)? } else { Vec::new() };
    Ok(Growth { matrices, tensors })
}

impl Growth {
    /// For reading, and for a page: tables of Markdown.
    pub(super) fn text(&self) -> String {
        let mut text = matrices::text(&self.matrices);
        if !self.tensors.is_empty() {
            text += &tensors::text(&self.tensors);
        }
        text
    }

    /// For programs.
    pub(super) fn json(&self) -> Value {
        let matrices: Vec<Value> = self.matrices.iter().map(MatrixRow::json).collect();
        let tensors: Vec<Value> = self.tensors.iter().map(TensorRow::json).collect();
        json!({ "bench": "growth", "matrices": matrices, "tensors": tensors })
    }
}

/// A table of Markdown whose columns but the first are numbers.
fn table(heading: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let heading: Vec<String> = heading.iter().map(|&cell| cell.to_owned()).collect();
    let rule = format!("|---{}|\n", "|---:".repeat(heading.len() - 1));
    line(&heading) + &rule + &rows.map(|cells| line(&cells)).collect::<String>()
}

/// A number with commas between thousands.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_grouped() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }
}
