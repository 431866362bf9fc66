//! Fig. 7 and equations 1 and 2 of sparse-workspace.txt: what they predict, and the same from what was
//! counted. Costs are numbers of stores, and of loads with stores.

/// What a product of matrices is like.
#[derive(Clone, Copy, Debug)]
pub(super) struct ModelledProduct {
    /// The rows and the columns of the result: I and J.
    pub(super) rows: f64,
    pub(super) columns: f64,
    /// The values that come to the workspace: L.
    pub(super) inserts: f64,
    /// The elements of the result: nnz(C), and nnz(L) as well, as no element of a row comes again in another.
    pub(super) elements: f64,
}

/// The terms of an equation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Cost {
    /// Stores: the paper's St.
    pub(super) stores: f64,
    /// Loads and stores of sorting: the paper's LaS.
    pub(super) sort: f64,
    /// Loads and stores of merging.
    pub(super) merge: f64,
    /// All other loads and stores.
    pub(super) rest: f64,
}

impl Cost {
    pub(super) fn loads_and_stores(self) -> f64 {
        self.sort + self.merge + self.rest
    }
}

/// Equation 1: rows through a dense workspace into CSR, and its conversion into CSC.
pub(super) fn assembly(product: ModelledProduct) -> Cost {
    let ModelledProduct { rows, columns, inserts, elements } = product;
    let row = elements / rows;
    Cost {
        stores: inserts + elements,
        sort: rows * n_log_n(row),
        merge: 0.0,
        rest: 2.0 * elements + 4.0 * columns + 3.0 * elements,
    }
}

/// Equation 2 with an accumulator of `capacity` points. As it is printed, merging costs 3(T²/2 + 3T/2); a
/// merge costs 3a(l + 1) in Fig. 7, whose sum has the factor a, and so has this.
pub(super) fn sparse(product: ModelledProduct, capacity: f64) -> Cost {
    let ModelledProduct { columns, inserts, elements, .. } = product;
    let merges = (inserts / capacity).ceil();
    Cost {
        stores: 3.0 * inserts,
        sort: 3.0 * inserts * (3.0 * capacity).log2(),
        merge: 3.0 * capacity * merges_term(merges),
        rest: columns + elements,
    }
}

/// T²/2 + 3T/2: what the equation prints for merging, thrice.
pub(super) fn merges_term(merges: f64) -> f64 {
    0.5 * merges * merges + 1.5 * merges
}

fn n_log_n(n: f64) -> f64 {
    if n > 1.0 { n * n.log2() } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two rows of four elements each, from ten products; three columns.
    const PRODUCT: ModelledProduct =
        ModelledProduct { rows: 2.0, columns: 3.0, inserts: 10.0, elements: 8.0 };

    #[test]
    fn equations_are_those_of_the_paper() {
        let expected = Cost { stores: 18.0, sort: 16.0, merge: 0.0, rest: 16.0 + 12.0 + 24.0 };
        assert_eq!(assembly(PRODUCT), expected);
        let found = sparse(PRODUCT, 4.0);
        let merge = 3.0 * 4.0 * (4.5 + 4.5);
        assert_eq!((found.stores, found.merge, found.rest), (30.0, merge, 11.0));
        assert!((found.sort - 30.0 * 12f64.log2()).abs() < 1e-9);
    }
}
