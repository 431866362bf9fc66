//! The kernels: what each computes, on what, and the program that is compiled.

use crate::data;
use crate::setting::{Outcome, Setting};
use comet_format::Format;
use comet_runtime::Tensor;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// A statement with its operands.
pub(super) struct KernelCase {
    pub(super) name: String,
    /// The kernel of `peers/kernels.c` that does the same.
    pub(super) kernel: &'static str,
    /// The labels, with the sizes that no file decides.
    labels: Vec<(char, Option<usize>)>,
    /// The operand `A` that is read from a file.
    pub(super) sparse: Option<Sparse>,
    sparse_declaration: &'static str,
    /// Dense operands.
    pub(super) dense: Vec<KernelOperand>,
    pub(super) result: KernelOperand,
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
pub(super) struct KernelOperand {
    name: &'static str,
    pub(super) labels: &'static str,
}

const COLUMNS: usize = 32;

/// Every case on these matrices, and those on generated tensors.
pub(super) fn all(setting: &Setting, matrices: &[PathBuf]) -> Outcome<Vec<KernelCase>> {
    let mut cases: Vec<KernelCase> = matrices.iter().flat_map(|path| [spmv(path), spmm(path)]).collect();
    let tensor = data::power_law_tensor(setting)?;
    cases.extend([ttv(&tensor), ttm(&tensor), mttkrp(&tensor)]);
    cases.push(sddmm(&data::small_matrix(setting)?));
    cases.push(dense4());
    Ok(cases)
}

fn spmv(path: &Path) -> KernelCase {
    KernelCase {
        name: format!("SpMV, {}", stem(path)),
        kernel: "spmv",
        labels: vec![('i', None), ('j', None)],
        sparse: Some(Sparse { path: path.to_owned(), format: Format::csr() }),
        sparse_declaration: "A([i, j], CSR)",
        dense: vec![KernelOperand { name: "x", labels: "j" }],
        result: KernelOperand { name: "y", labels: "i" },
        right: "A[i, j] * x[j]",
        goal: Some(1.05),
    }
}

fn spmm(path: &Path) -> KernelCase {
    KernelCase {
        name: format!("SpMM, {}", stem(path)),
        kernel: "spmm",
        labels: vec![('i', None), ('j', None), ('k', Some(COLUMNS))],
        sparse: Some(Sparse { path: path.to_owned(), format: Format::csr() }),
        sparse_declaration: "A([i, j], CSR)",
        dense: vec![KernelOperand { name: "B", labels: "jk" }],
        result: KernelOperand { name: "C", labels: "ik" },
        right: "A[i, j] * B[j, k]",
        goal: Some(1.0),
    }
}

fn of_tensor(path: &Path, name: &str, kernel: &'static str) -> KernelCase {
    KernelCase {
        name: format!("{name}, {}", stem(path)),
        kernel,
        labels: vec![('i', None), ('j', None), ('k', None), ('r', Some(COLUMNS))],
        sparse: Some(Sparse { path: path.to_owned(), format: Format::csf(3) }),
        sparse_declaration: "A([i, j, k], CSF)",
        dense: Vec::new(),
        result: KernelOperand { name: "Y", labels: "" },
        right: "",
        goal: None,
    }
}

fn ttv(path: &Path) -> KernelCase {
    KernelCase {
        labels: vec![('i', None), ('j', None), ('k', None)],
        dense: vec![KernelOperand { name: "x", labels: "k" }],
        result: KernelOperand { name: "Y", labels: "ij" },
        right: "A[i, j, k] * x[k]",
        ..of_tensor(path, "TTV", "ttv")
    }
}

fn ttm(path: &Path) -> KernelCase {
    KernelCase {
        dense: vec![KernelOperand { name: "M", labels: "kr" }],
        result: KernelOperand { name: "Y", labels: "ijr" },
        right: "A[i, j, k] * M[k, r]",
        ..of_tensor(path, "TTM", "ttm")
    }
}

fn mttkrp(path: &Path) -> KernelCase {
    KernelCase {
        dense: vec![KernelOperand { name: "B", labels: "jr" }, KernelOperand { name: "C", labels: "kr" }],
        result: KernelOperand { name: "Y", labels: "ir" },
        right: "A[i, j, k] * B[j, r] * C[k, r]",
        ..of_tensor(path, "MTTKRP", "mttkrp")
    }
}

fn sddmm(path: &Path) -> KernelCase {
    KernelCase {
        name: format!("SDDMM, {}", stem(path)),
        kernel: "sddmm",
        labels: vec![('i', None), ('j', None), ('k', Some(COLUMNS))],
        sparse: Some(Sparse { path: path.to_owned(), format: Format::csr() }),
        sparse_declaration: "A([i, j], CSR)",
        dense: vec![KernelOperand { name: "B", labels: "ik" }, KernelOperand { name: "D", labels: "jk" }],
        result: KernelOperand { name: "C", labels: "ij" },
        right: "A[i, j] * B[i, k] * D[j, k]",
        goal: None,
    }
}

fn dense4() -> KernelCase {
    const SIZE: Option<usize> = Some(24);
    KernelCase {
        name: "dense 4-index, 24⁶".to_owned(),
        kernel: "dense4",
        labels: ['a', 'b', 'c', 'd', 'e', 'f'].map(|label| (label, SIZE)).to_vec(),
        sparse: None,
        sparse_declaration: "",
        dense: vec![KernelOperand { name: "P", labels: "abef" }, KernelOperand { name: "Q", labels: "efcd" }],
        result: KernelOperand { name: "R", labels: "abcd" },
        right: "P[a, b, e, f] * Q[e, f, c, d]",
        goal: None,
    }
}

fn stem(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.split('.').next().unwrap_or_default().to_owned()
}

impl KernelOperand {
    /// `B[j, k]`.
    fn access(&self) -> String {
        format!("{}[{}]", self.name, listed(self.labels.chars()))
    }
}

fn listed(labels: impl Iterator<Item = char>) -> String {
    labels.map(String::from).collect::<Vec<_>>().join(", ")
}

impl KernelCase {
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

    /// The kernel that is compiled, as a function of its operands.
    pub(super) fn program(&self) -> String {
        let dense = self.dense.iter().map(|operand| self.declaration(operand));
        let sparse = self.sparse.iter().map(|_| format!("Tensor<double> {}", self.sparse_declaration));
        let operands: Vec<String> = sparse.chain(dense).collect();
        let mut text =
            format!("def ours({}) -> {} {{\n", operands.join(", "), self.declaration(&self.result));
        for (label, size) in &self.labels {
            if let Some(size) = size {
                line(&mut text, &format!("IndexLabel [{label}] = [{size}]"));
            }
        }
        line(&mut text, &format!("{} = {}", self.result.access(), self.right));
        text + "}\n"
    }

    /// `Tensor<double> B([j, 32], Dense)`.
    fn declaration(&self, operand: &KernelOperand) -> String {
        let size =
            |label: char| self.labels.iter().find(|(other, _)| *other == label).and_then(|found| found.1);
        let dim = |label: char| size(label).map_or_else(|| label.to_string(), |size| size.to_string());
        let dims: Vec<String> = operand.labels.chars().map(dim).collect();
        format!("Tensor<double> {}([{}], Dense)", operand.name, dims.join(", "))
    }

    /// The C function that passes the data of `peers/kernels.c` to the kernel.
    pub(super) fn adapter(&self, sizes: &[usize], sparse: Option<&Tensor>) -> String {
        let mut text = "#include \"ours.h\"\n\nstatic void run_comet(const struct data *d) {\n".to_owned();
        let mut arguments = Vec::new();
        if let Some(tensor) = sparse {
            pass(&mut text, "A", tensor.dims.iter().map(|dim| *dim as usize), "d->val", tensor.values.len());
            for (number, level) in tensor.levels.iter().enumerate().filter(|(_, level)| !level.pos.is_empty())
            {
                for (part, count) in [("pos", level.pos.len()), ("crd", level.crd.len())] {
                    line(&mut text, &format!("A.levels[{number}].{part} = d->{part}[{number}]"));
                    line(&mut text, &format!("A.levels[{number}].{part}_count = {count}"));
                }
            }
            arguments.push("&A".to_owned());
        }
        let dense = self.dense.iter().enumerate();
        let places = dense.map(|(number, operand)| (operand, format!("d->dense[{}]", number + 1)));
        for (operand, place) in places.chain([(&self.result, "d->out".to_owned())]) {
            let dims = self.dims(operand.labels, sizes);
            let count = dims.iter().product();
            pass(&mut text, operand.name, dims.into_iter(), &place, count);
            arguments.push(format!("&{}", operand.name));
        }
        line(&mut text, "comet_call call = comet_new_call(0, 0, 0)");
        text += &format!("  if (ours({}, &call)) {{\n", arguments.join(", "));
        text += "    fprintf(stderr, \"comet: %s\\n\", call.message);\n    exit(1);\n  }\n";
        text + "}\n"
    }
}

/// A tensor of the caller's: its extents and values.
fn pass(text: &mut String, name: &str, dims: impl Iterator<Item = usize>, values: &str, count: usize) {
    line(text, &format!("comet_tensor {name} = comet_ours_{name}()"));
    for (mode, dim) in dims.enumerate() {
        line(text, &format!("{name}.dims[{mode}] = {dim}"));
    }
    line(text, &format!("{name}.values = {values}"));
    line(text, &format!("{name}.value_count = {count}"));
}

fn line(text: &mut String, statement: &str) {
    let _ = writeln!(text, "  {statement};");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_functions_of_their_operands() {
        insta::assert_snapshot!(spmm(Path::new("a.mtx.gz")).program(), @r"
        def ours(Tensor<double> A([i, j], CSR), Tensor<double> B([j, 32], Dense)) -> Tensor<double> C([i, 32], Dense) {
          IndexLabel [k] = [32];
          C[i, k] = A[i, j] * B[j, k];
        }
        ");
    }

    #[test]
    fn adapters_pass_the_arrays() {
        let case = dense4();
        let text = case.adapter(&case.sizes(&[]), None);
        assert!(text.contains("comet_tensor P = comet_ours_P();\n  P.dims[0] = 24;"), "{text}");
        assert!(text.contains("Q.values = d->dense[2];\n  Q.value_count = 331776;"), "{text}");
        assert!(text.contains("if (ours(&P, &Q, &R, &call))"), "{text}");
    }

    #[test]
    fn sizes_come_from_the_file_and_from_the_case() {
        let case = spmm(Path::new("a.mtx"));
        let sizes = case.sizes(&[5, 7]);
        assert_eq!(sizes, [5, 7, 32]);
        assert_eq!(case.dims("jk", &sizes), [7, 32]);
    }
}
