//! Statements with their loops in another order.

use crate::support::{Random, access, drawn};
use comet_tiling::{Expr, Pattern, Statement, Var};
use std::collections::{BTreeMap, BTreeSet};

/// The entries of an access by the names of its variables.
fn by_name(statement: &Statement, number: usize) -> Option<BTreeSet<BTreeMap<String, u32>>> {
    let own = &statement.accesses[number];
    let Pattern::Points(points) = &own.pattern else { return None };
    let named = |place: usize| {
        let names = own.indices.iter().enumerate();
        names.map(|(mode, &var)| (statement.name(var).to_owned(), points.column(mode)[place])).collect()
    };
    Some((0..points.len()).map(named).collect())
}

/// Whatever the order, operands have the same entries, and the result the same variables.
#[test]
fn orders_keep_what_is_computed() {
    let mut random = Random(11);
    let product = |count| Expr::All((0..count).map(access).collect());
    let kernels = [
        ("ij", vec!["ik", "kj"], product(2)),
        ("ij", vec!["ikl", "kj", "lj"], product(3)),
        ("ij", vec!["ik", "kj", "ij"], product(3)),
    ];
    for trial in 0..60 {
        let statement = drawn(&kernels[trial % kernels.len()], 9, 4, 5, &mut random);
        let mut order: Vec<Var> = (0..statement.variables.len()).map(Var).collect();
        for place in (1..order.len()).rev() {
            order.swap(place, random.below(place as u64 + 1) as usize);
        }
        let other = statement.in_order(&order);
        let names = order.iter().map(|&var| statement.name(var));
        assert!(names.eq(other.variables.iter().map(|variable| &variable.name[..])), "{trial}");
        for number in 0..statement.accesses.len() {
            assert_eq!(by_name(&other, number), by_name(&statement, number), "{trial}");
            assert!(other.accesses[number].indices.is_sorted(), "{trial}");
            if let Pattern::Points(points) = &other.accesses[number].pattern {
                let extents = other.accesses[number].indices.iter().map(|&var| other.extent(var));
                assert!(extents.eq(points.extents().iter().copied()), "{trial}");
            }
        }
        let target = |own: &Statement| -> BTreeSet<String> {
            own.target.indices.iter().map(|&var| own.name(var).to_owned()).collect()
        };
        assert_eq!(target(&other), target(&statement), "{trial}");
        assert!(other.target.indices.is_sorted(), "{trial}");
    }
}
