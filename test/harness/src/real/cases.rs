//! Which kernels are run on which files.

use super::kernel::RealKernel;

/// Columns of the dense operand in products with matrices.
const COLUMNS: usize = 32;
/// Factors of the dense operands in the others, small because the results of TTM are large.
const FACTORS: usize = 4;

/// The kernels of a tensor of that rank.
pub fn kernels(rank: usize) -> Vec<RealKernel> {
    match rank {
        2 => of_matrix(),
        _ => of_tensor(rank),
    }
}

fn kernel(name: &str, labels: &str, format: &'static str, dense: &[&str], result: &str) -> RealKernel {
    let all = dense.iter().flat_map(|operand| operand.chars());
    let mut sizes = Vec::new();
    for label in all.filter(|label| !labels.contains(*label)) {
        let size = match label {
            'r' => FACTORS,
            'k' => COLUMNS,
            // The three further indices of a dense contraction.
            'a' => 3,
            'b' => 4,
            _ => 5,
        };
        if !sizes.contains(&(label, size)) {
            sizes.push((label, size));
        }
    }
    RealKernel {
        name: format!("{name}-{format}"),
        labels: labels.to_owned(),
        format,
        dense: dense.iter().map(|operand| (*operand).to_owned()).collect(),
        result: result.to_owned(),
        sizes,
    }
}

fn of_matrix() -> Vec<RealKernel> {
    let mut kernels = Vec::new();
    for format in ["CSR", "CSC", "COO"] {
        kernels.push(kernel("spmv", "ij", format, &["j"], "i"));
        kernels.push(kernel("spmm", "ij", format, &["jk"], "ik"));
    }
    kernels.push(kernel("spmv-transposed", "ij", "CSR", &["i"], "j"));
    kernels.push(kernel("sddmm", "ij", "CSR", &["ir", "jr"], "ij"));
    kernels.push(kernel("dense-4-index", "ij", "Dense", &["jabc"], "iabc"));
    kernels
}

/// TTV, TTM and MTTKRP in each mode.
fn of_tensor(rank: usize) -> Vec<RealKernel> {
    let labels = &"ijlm"[..rank];
    let mut kernels = Vec::new();
    for (mode, label) in labels.chars().enumerate() {
        let others: Vec<char> = labels.chars().filter(|other| *other != label).collect();
        let rest: String = others.iter().collect();
        let factors: Vec<String> = others.iter().map(|other| format!("{other}r")).collect();
        let factors: Vec<&str> = factors.iter().map(String::as_str).collect();
        kernels.push(kernel(&format!("ttv-{mode}"), labels, "CSF", &[&label.to_string()], &rest));
        kernels.push(kernel(
            &format!("ttm-{mode}"),
            labels,
            "CSF",
            &[&format!("{label}r")],
            &format!("{rest}r"),
        ));
        for format in ["CSF", "COO"] {
            kernels.push(kernel(&format!("mttkrp-{mode}"), labels, format, &factors, &format!("{label}r")));
        }
    }
    kernels
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mode_of_a_tensor_has_its_kernels() {
        let kernels = kernels(3);
        assert_eq!(kernels.len(), 12);
        let ttm = kernels.iter().find(|kernel| kernel.name == "ttm-1-CSF").unwrap();
        assert_eq!((ttm.dense.as_slice(), ttm.result.as_str()), (&["jr".to_owned()][..], "ilr"));
        assert_eq!(ttm.sizes, [('r', FACTORS)]);
    }
}
