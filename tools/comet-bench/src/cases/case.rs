//! A statement with its data, as a program that times it.

use crate::data::write_uniform;
use crate::setting::Outcome;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// A statement, and the schedules that it is measured under.
pub(super) struct Case {
    /// As `peers/cases.py` knows it.
    pub(super) name: &'static str,
    /// The labels, in one order for the case, and their extents.
    pub(super) extents: &'static [(char, usize)],
    pub(super) operands: &'static [CaseOperand],
    pub(super) result: CaseTensor,
    /// What is assigned to the result; `<M>` in front of it is a mask.
    pub(super) expression: &'static str,
    /// The schedules besides that of the compiler's own choice.
    pub(super) schedules: &'static [&'static str],
}

/// A tensor; each letter of its labels is one.
pub(super) struct CaseTensor {
    name: &'static str,
    labels: &'static str,
    format: &'static str,
}

/// A tensor with so many entries at any positions.
pub(super) struct CaseOperand {
    tensor: CaseTensor,
    entries: u64,
}

pub(super) const fn result(labels: &'static str, format: &'static str) -> CaseTensor {
    CaseTensor { name: "R", labels, format }
}

pub(super) const fn operand(
    name: &'static str,
    labels: &'static str,
    format: &'static str,
    entries: u64,
) -> CaseOperand {
    CaseOperand { tensor: CaseTensor { name, labels, format }, entries }
}

impl CaseTensor {
    pub(super) fn rank(&self) -> usize {
        self.labels.len()
    }

    fn labels(&self) -> String {
        self.labels.chars().map(String::from).collect::<Vec<_>>().join(", ")
    }

    fn access(&self) -> String {
        format!("{}[{}]", self.name, self.labels())
    }

    fn declaration(&self) -> String {
        format!("Tensor<double> {}([{}], {})", self.name, self.labels(), self.format)
    }
}

impl Case {
    /// Writes the operands' files.
    pub(super) fn write_inputs(&self, folder: &Path) -> Outcome<()> {
        for (number, operand) in self.operands.iter().enumerate() {
            let dims = self.dims(&operand.tensor);
            write_uniform(&file(folder, &operand.tensor), &dims, operand.entries, number as u64 + 1)?;
        }
        Ok(())
    }

    /// The operands' files, as a program of ours takes them.
    pub(super) fn inputs(&self, folder: &Path) -> Vec<String> {
        let files = self.operands.iter().map(|operand| file(folder, &operand.tensor));
        files.enumerate().map(|(number, path)| format!("--input={number}={}", path.display())).collect()
    }

    /// The same as variables of the environment.
    pub(super) fn files(&self, folder: &Path) -> Vec<(String, String)> {
        let files = self.operands.iter().map(|operand| file(folder, &operand.tensor).display().to_string());
        files.enumerate().map(|(number, path)| (format!("SPARSE_FILE_NAME{number}"), path)).collect()
    }

    /// The same for SciPy, which needs the extents.
    pub(super) fn inputs_with_extents(&self, folder: &Path) -> Vec<String> {
        let input = |operand: &CaseOperand| {
            let dims = self.dims(&operand.tensor).iter().map(usize::to_string).collect::<Vec<_>>();
            format!("{}={}", dims.join("x"), file(folder, &operand.tensor).display())
        };
        self.operands.iter().map(input).collect()
    }

    fn dims(&self, tensor: &CaseTensor) -> Vec<usize> {
        let extent = |label: char| {
            let known = self.extents.iter().find(|(other, _)| *other == label);
            known.expect("a case has the extents of all its labels").1
        };
        tensor.labels.chars().map(extent).collect()
    }

    /// A program that prints the seconds of each repetition, and writes the result.
    pub(super) fn program(&self, schedule: &str, repetitions: u32, written: &Path) -> String {
        let mut text = "def main() {\n".to_owned();
        let mut line = |statement: String| writeln!(text, "  {statement};").expect("strings take all text");
        for (label, extent) in self.extents {
            line(format!("IndexLabel [{label}] = [{extent}]"));
        }
        for operand in self.operands {
            line(operand.tensor.declaration());
        }
        line(self.result.declaration());
        for (number, operand) in self.operands.iter().enumerate() {
            line(format!("{} = comet_read({number})", operand.tensor.access()));
        }
        line("var start = 0.0".to_owned());
        line("var stop = 0.0".to_owned());
        for _ in 0..repetitions {
            line("start = getTime()".to_owned());
            line(self.statement(schedule));
            line("stop = getTime()".to_owned());
            line("print(stop - start)".to_owned());
        }
        line(format!("comet_write({}, \"{}\")", self.result.access(), written.display()));
        text + "}\n"
    }

    fn statement(&self, schedule: &str) -> String {
        let (mask, expression) = match self.expression.split_once("> ") {
            Some((mask, expression)) => (format!("{mask}>"), expression),
            None => (String::new(), self.expression),
        };
        let commands =
            if schedule.is_empty() { String::new() } else { format!(" schedule {{ {schedule} }}") };
        format!("{}{mask} = {expression}{commands}", self.result.access())
    }
}

fn file(folder: &Path, tensor: &CaseTensor) -> PathBuf {
    folder.join(format!("{}.tns", tensor.name))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MASKED: Case = Case {
        name: "masked",
        extents: &[('i', 3), ('k', 4), ('j', 5)],
        operands: &[operand("A", "ik", "CSR", 2), operand("M", "ij", "COO", 3)],
        result: result("ij", "DCSR"),
        expression: "<!M> A[i, k] * A[k, j]",
        schedules: &[],
    };

    #[test]
    fn programs_time_every_repetition() {
        insta::assert_snapshot!(MASKED.program("order(k, i, j);", 1, Path::new("r.tns")), @r#"
        def main() {
          IndexLabel [i] = [3];
          IndexLabel [k] = [4];
          IndexLabel [j] = [5];
          Tensor<double> A([i, k], CSR);
          Tensor<double> M([i, j], COO);
          Tensor<double> R([i, j], DCSR);
          A[i, k] = comet_read(0);
          M[i, j] = comet_read(1);
          var start = 0.0;
          var stop = 0.0;
          start = getTime();
          R[i, j]<!M> = A[i, k] * A[k, j] schedule { order(k, i, j); };
          stop = getTime();
          print(stop - start);
          comet_write(R[i, j], "r.tns");
        }
        "#);
        assert_eq!(MASKED.inputs_with_extents(Path::new("f")), ["3x4=f/A.tns", "3x5=f/M.tns"]);
    }
}
