//! A product of one tensor from a file and dense tensors, as a program.

use std::fmt::Write as _;

/// `result = A * dense * …`, in Einstein notation with labels of one letter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RealKernel {
    /// What it is called.
    pub name: String,
    /// The labels of the tensor from the file.
    pub labels: String,
    /// The format of the tensor from the file.
    pub format: &'static str,
    /// The labels of each dense operand.
    pub dense: Vec<String>,
    /// The labels of the result, which is dense.
    pub result: String,
    /// The sizes of the labels that the file does not have.
    pub sizes: Vec<(char, usize)>,
}

/// The value of a dense operand at an index; no two neighbours are equal.
pub fn dense_value(index: &[usize]) -> f64 {
    let sum: usize = index.iter().zip([7, 13, 5, 11]).map(|(coordinate, factor)| coordinate * factor).sum();
    1.0 + (sum % 17) as f64 / 16.0
}

impl RealKernel {
    /// The size of a label, where the file's extents are `dims`.
    pub fn size(&self, label: char, dims: &[usize]) -> usize {
        let own = self.sizes.iter().find(|(other, _)| *other == label).map(|(_, size)| *size);
        let of_file = || self.labels.find(label).map(|mode| dims[mode]);
        own.or_else(of_file).unwrap_or_else(|| panic!("the label `{label}` of {} has a size", self.name))
    }

    /// The extents of an operand or the result.
    pub fn dims(&self, labels: &str, dims: &[usize]) -> Vec<usize> {
        labels.chars().map(|label| self.size(label, dims)).collect()
    }

    /// The bytes of the largest tensor that is stored whole: the result, or the operand from the file.
    pub fn largest(&self, dims: &[usize]) -> u128 {
        let bytes =
            |labels: &str| self.dims(labels, dims).into_iter().map(|dim| dim as u128).product::<u128>() * 8;
        if self.format == "Dense" {
            bytes(&self.labels).max(bytes(&self.result))
        } else {
            bytes(&self.result)
        }
    }

    /// The program. Its inputs are the file as number 0, and `.npy` files of the dense operands from
    /// number 1 on; it writes to `output`.
    pub fn program(&self, output: &str) -> String {
        let mut text = "def main() {\n".to_owned();
        for label in self.all_labels() {
            let own = self.sizes.iter().find(|(other, _)| *other == label);
            let size = own.map_or_else(|| "?".to_owned(), |(_, size)| size.to_string());
            statement(&mut text, &format!("IndexLabel [{label}] = [{size}]"));
        }
        statement(&mut text, &declaration("A", &self.labels, self.format));
        for (number, labels) in self.dense.iter().enumerate() {
            statement(&mut text, &declaration(&dense_name(number), labels, "Dense"));
        }
        statement(&mut text, &declaration("R", &self.result, "Dense"));
        statement(&mut text, &format!("{} = comet_read(0)", access("A", &self.labels)));
        let mut product = access("A", &self.labels);
        for (number, labels) in self.dense.iter().enumerate() {
            let operand = access(&dense_name(number), labels);
            statement(&mut text, &format!("{operand} = comet_read({})", number + 1));
            product += &format!(" * {operand}");
        }
        let result = access("R", &self.result);
        statement(&mut text, &format!("{result} = {product}"));
        statement(&mut text, &format!("comet_write({result}, \"{output}\")"));
        text + "}\n"
    }

    /// The labels in the order in which they occur.
    fn all_labels(&self) -> Vec<char> {
        let mut labels = Vec::new();
        for label in self.labels.chars().chain(self.dense.iter().flat_map(|labels| labels.chars())) {
            if !labels.contains(&label) {
                labels.push(label);
            }
        }
        labels
    }
}

fn statement(text: &mut String, statement: &str) {
    let _ = writeln!(text, "  {statement};");
}

fn dense_name(number: usize) -> String {
    format!("D{number}")
}

fn listed(labels: &str) -> String {
    labels.chars().map(String::from).collect::<Vec<_>>().join(", ")
}

fn access(name: &str, labels: &str) -> String {
    format!("{name}[{}]", listed(labels))
}

fn declaration(name: &str, labels: &str, format: &str) -> String {
    format!("Tensor<double> {name}([{}], {format})", listed(labels))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kernel_is_a_program() {
        let kernel = RealKernel {
            name: "SpMM".to_owned(),
            labels: "ij".to_owned(),
            format: "CSR",
            dense: vec!["jr".to_owned()],
            result: "ir".to_owned(),
            sizes: vec![('r', 4)],
        };
        let expected = "def main() {\n  IndexLabel [i] = [?];\n  IndexLabel [j] = [?];\n  IndexLabel [r] = [4];\n  \
            Tensor<double> A([i, j], CSR);\n  Tensor<double> D0([j, r], Dense);\n  Tensor<double> R([i, r], Dense);\n  \
            A[i, j] = comet_read(0);\n  D0[j, r] = comet_read(1);\n  R[i, r] = A[i, j] * D0[j, r];\n  \
            comet_write(R[i, r], \"r.npy\");\n}\n";
        assert_eq!(kernel.program("r.npy"), expected);
        assert_eq!(kernel.largest(&[5, 6]), 160);
        let dense = RealKernel { format: "Dense", ..kernel };
        assert_eq!(dense.largest(&[5, 6]), 240);
    }
}
