//! The kernels: what each computes, on what, and the program that is compiled.

use crate::data;
use crate::setting::{Outcome, Setting};
use comet_runtime::format::Format;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// A statement with its operands.
pub(super) struct Case {
    pub(super) name: String,
    /// The kernel of `peers/kernels.c` that does the same.
    pub(super) kernel: &'static str,
    /// The labels, with the sizes that no file decides.
    labels: Vec<(char, Option<usize>)>,
    /// The operand `A` that is read from a file.
    pub(super) sparse: Option<Sparse>,
    sparse_declaration: &'static str,
    /// Dense operands.
    pub(super) dense: Vec<Operand>,
    pub(super) result: Operand,
    right: &'static str,
    /// The largest ratio to the C loops that the project allows itself.
    pub(super) goal: Option<f64>,
}

/// A file, and how it is stored.
pub(super) struct Sparse {
    pub(super) path: PathBuf,
    pub(super) format: Format,
}

/// A dense tensor, its labels one letter each.
pub(super) struct Operand {
    name: &'static str,
    pub(super) labels: &'static str,
}

const COLUMNS: usize = 32;

/// Every case on these matrices, and those on generated tensors.
pub(super) fn all(setting: &Setting, matrices: &[PathBuf]) -> Outcome<Vec<Case>> {
    let mut cases: Vec<Case> = matrices.iter().flat_map(|path| [spmv(path), spmm(path)]).collect();
    let tensor = data::power_law_tensor(setting)?;
    cases.extend([ttv(&tensor), ttm(&tensor), mttkrp(&tensor)]);
    cases.push(sddmm(&data::small_matrix(setting)?));
    cases.push(dense4());
    Ok(cases)
}

fn spmv(path: &Path) -> Case {
    Case {
        name: format!("SpMV, {}", stem(path)),
        kernel: "spmv",
        labels: vec![('i', None), ('j', None)],
        sparse: Some(Sparse { path: path.to_owned(), format: Format::csr() }),
        sparse_declaration: "A([i, j], CSR)",
        dense: vec![Operand { name: "x", labels: "j" }],
        result: Operand { name: "y", labels: "i" },
        right: "A[i, j] * x[j]",
        goal: Some(1.05),
    }
}

fn spmm(path: &Path) -> Case {
    Case {
        name: format!("SpMM, {}", stem(path)),
        kernel: "spmm",
        labels: vec![('i', None), ('j', None), ('k', Some(COLUMNS))],
        sparse: Some(Sparse { path: path.to_owned(), format: Format::csr() }),
        sparse_declaration: "A([i, j], CSR)",
        dense: vec![Operand { name: "B", labels: "jk" }],
        result: Operand { name: "C", labels: "ik" },
        right: "A[i, j] * B[j, k]",
        goal: Some(1.0),
    }
}

fn of_tensor(path: &Path, name: &str, kernel: &'static str) -> Case {
    Case {
        name: format!("{name}, {}", stem(path)),
        kernel,
        labels: vec![('i', None), ('j', None), ('k', None), ('r', Some(COLUMNS))],
        sparse: Some(Sparse { path: path.to_owned(), format: Format::csf(3) }),
        sparse_declaration: "A([i, j, k], CSF)",
        dense: Vec::new(),
        result: Operand { name: "Y", labels: "" },
        right: "",
        goal: None,
    }
}

fn ttv(path: &Path) -> Case {
    Case {
        labels: vec![('i', None), ('j', None), ('k', None)],
        dense: vec![Operand { name: "x", labels: "k" }],
        result: Operand { name: "Y", labels: "ij" },
        right: "A[i, j, k] * x[k]",
        ..of_tensor(path, "TTV", "ttv")
    }
}

fn ttm(path: &Path) -> Case {
    Case {
        dense: vec![Operand { name: "M", labels: "kr" }],
        result: Operand { name: "Y", labels: "ijr" },
        right: "A[i, j, k] * M[k, r]",
        ..of_tensor(path, "TTM", "ttm")
    }
}

fn mttkrp(path: &Path) -> Case {
    Case {
        dense: vec![Operand { name: "B", labels: "jr" }, Operand { name: "C", labels: "kr" }],
        result: Operand { name: "Y", labels: "ir" },
        right: "A[i, j, k] * B[j, r] * C[k, r]",
        ..of_tensor(path, "MTTKRP", "mttkrp")
    }
}

fn sddmm(path: &Path) -> Case {
    Case {
        name: format!("SDDMM, {}", stem(path)),
        kernel: "sddmm",
        labels: vec![('i', None), ('j', None), ('k', Some(COLUMNS))],
        sparse: Some(Sparse { path: path.to_owned(), format: Format::csr() }),
        sparse_declaration: "A([i, j], CSR)",
        dense: vec![Operand { name: "B", labels: "ik" }, Operand { name: "D", labels: "jk" }],
        result: Operand { name: "C", labels: "ij" },
        right: "A[i, j] * B[i, k] * D[j, k]",
        goal: None,
    }
}

fn dense4() -> Case {
    const SIZE: Option<usize> = Some(24);
    Case {
        name: "dense 4-index, 24⁶".to_owned(),
        kernel: "dense4",
        labels: ['a', 'b', 'c', 'd', 'e', 'f'].map(|label| (label, SIZE)).to_vec(),
        sparse: None,
        sparse_declaration: "",
        dense: vec![Operand { name: "P", labels: "abef" }, Operand { name: "Q", labels: "efcd" }],
        result: Operand { name: "R", labels: "abcd" },
        right: "P[a, b, e, f] * Q[e, f, c, d]",
        goal: None,
    }
}

fn stem(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.split('.').next().unwrap_or_default().to_owned()
}

impl Operand {
    /// `B[j, k]`.
    fn access(&self) -> String {
        format!("{}[{}]", self.name, listed(self.labels.chars()))
    }
}

fn listed(labels: impl Iterator<Item = char>) -> String {
    labels.map(String::from).collect::<Vec<_>>().join(", ")
}

impl Case {
    /// The sizes of the labels; the first ones are those of the file.
    pub(super) fn sizes(&self, of_file: &[i64]) -> Vec<usize> {
        let mut of_file = of_file.iter();
        let size = |(label, size): &(char, Option<usize>)| match size {
            Some(size) => *size,
            None => *of_file.next().unwrap_or_else(|| panic!("the file has a mode for `{label}`")) as usize,
        };
        self.labels.iter().map(size).collect()
    }

    /// The extents of an operand with these labels.
    pub(super) fn dims(&self, labels: &str, sizes: &[usize]) -> Vec<usize> {
        let place = |label: char| self.labels.iter().position(|(other, _)| *other == label);
        labels
            .chars()
            .map(|label| sizes[place(label).expect("operands have the labels of the case")])
            .collect()
    }

    /// The program: it reads, runs the statement so often, prints the seconds of each run, and writes the
    /// result.
    pub(super) fn program(&self, repetitions: u32, result: &Path) -> String {
        let mut text = "def main() {\n".to_owned();
        for (label, size) in &self.labels {
            let size = size.map_or_else(|| "?".to_owned(), |size| size.to_string());
            line(&mut text, &format!("IndexLabel [{label}] = [{size}]"));
        }
        if self.sparse.is_some() {
            line(&mut text, &format!("Tensor<double> {}", self.sparse_declaration));
        }
        for operand in self.dense.iter().chain([&self.result]) {
            let labels = listed(operand.labels.chars());
            line(&mut text, &format!("Tensor<double> {}([{labels}], Dense)", operand.name));
        }
        if let Some(sparse) = &self.sparse {
            let labels = listed(self.labels.iter().map(|(label, _)| *label).take(sparse.format.rank));
            line(&mut text, &format!("A[{labels}] = comet_read(0)"));
        }
        for (number, operand) in self.dense.iter().enumerate() {
            line(&mut text, &format!("{} = comet_read({})", operand.access(), number + 1));
        }
        line(&mut text, "var start = 0.0");
        line(&mut text, "var stop = 0.0");
        for _ in 0..repetitions {
            line(&mut text, "start = getTime()");
            line(&mut text, &format!("{} = {}", self.result.access(), self.right));
            line(&mut text, "stop = getTime()");
            line(&mut text, "print(stop - start)");
        }
        line(&mut text, &format!("comet_write({}, \"{}\")", self.result.access(), result.display()));
        text + "}\n"
    }
}

fn line(text: &mut String, statement: &str) {
    let _ = writeln!(text, "  {statement};");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_time_every_repetition() {
        insta::assert_snapshot!(spmm(Path::new("a.mtx.gz")).program(1, Path::new("c.npy")), @r#"
        def main() {
          IndexLabel [i] = [?];
          IndexLabel [j] = [?];
          IndexLabel [k] = [32];
          Tensor<double> A([i, j], CSR);
          Tensor<double> B([j, k], Dense);
          Tensor<double> C([i, k], Dense);
          A[i, j] = comet_read(0);
          B[j, k] = comet_read(1);
          var start = 0.0;
          var stop = 0.0;
          start = getTime();
          C[i, k] = A[i, j] * B[j, k];
          stop = getTime();
          print(stop - start);
          comet_write(C[i, k], "c.npy");
        }
        "#);
    }

    #[test]
    fn sizes_come_from_the_file_and_from_the_case() {
        let case = spmm(Path::new("a.mtx"));
        let sizes = case.sizes(&[5, 7]);
        assert_eq!(sizes, [5, 7, 32]);
        assert_eq!(case.dims("jk", &sizes), [7, 32]);
    }
}
