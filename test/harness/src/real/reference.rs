//! The reference: one loop over the entries, and inside it over the labels that the file does not have.

use super::entries::Entries;
use super::kernel::{RealKernel, dense_value};

/// The elements of a kernel's result in row-major order, and next to each the sum of the magnitudes that
/// were added up.
pub fn result(kernel: &RealKernel, entries: &Entries) -> Vec<(f64, f64)> {
    let free: Vec<(char, usize)> = kernel.sizes.clone();
    let labels: Vec<char> = kernel.labels.chars().chain(free.iter().map(|(label, _)| *label)).collect();
    let places_of = |text: &str| -> Vec<usize> {
        let place = |label: char| labels.iter().position(|other| *other == label);
        text.chars().map(|label| place(label).expect("every label is the file's or has a size")).collect()
    };
    let dense: Vec<Vec<usize>> = kernel.dense.iter().map(|labels| places_of(labels)).collect();
    let target = places_of(&kernel.result);
    let dims = kernel.dims(&kernel.result, &entries.dims);
    let mut result = vec![(0.0, 0.0); dims.iter().product()];
    let mut index = vec![0; labels.len()];
    for (stored, value) in &entries.list {
        index[..stored.len()].copy_from_slice(stored);
        for combination in 0..free.iter().map(|(_, size)| size).product() {
            set_free(&mut index[stored.len()..], &free, combination);
            let at = |places: &Vec<usize>| places.iter().map(|&place| index[place]).collect::<Vec<_>>();
            let product = dense.iter().fold(*value, |product, places| product * dense_value(&at(places)));
            let position =
                target.iter().zip(&dims).fold(0, |position, (&place, dim)| position * dim + index[place]);
            let (sum, magnitude) = &mut result[position];
            *sum += product;
            *magnitude += product.abs();
        }
    }
    result
}

/// The coordinates of the free labels in their n-th combination.
fn set_free(index: &mut [usize], free: &[(char, usize)], mut combination: usize) {
    for (coordinate, (_, size)) in index.iter_mut().zip(free).rev() {
        *coordinate = combination % size;
        combination /= size;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_product_by_hand() {
        let kernel = RealKernel {
            name: "SpMM, transposed result".to_owned(),
            labels: "ij".to_owned(),
            format: "CSR",
            dense: vec!["jr".to_owned()],
            result: "ri".to_owned(),
            sizes: vec![('r', 2)],
        };
        let entries = Entries {
            dims: vec![2, 3],
            list: vec![(vec![0, 2], 2.0), (vec![1, 1], -1.0), (vec![0, 1], 4.0)],
        };
        let b = |j, r| dense_value(&[j, r]);
        let sums: Vec<f64> = result(&kernel, &entries).into_iter().map(|(sum, _)| sum).collect();
        let first = |r| 2.0 * b(2, r) + 4.0 * b(1, r);
        assert_eq!(sums, [first(0), -b(1, 0), first(1), -b(1, 1)]);
    }
}
