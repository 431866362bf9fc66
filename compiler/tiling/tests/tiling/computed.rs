//! Where results have entries, against loops over all points.

use crate::support::{Random, access, drawn, operand, random_points, statement};
use comet_tiling::{Expr, Pattern, Points, Statement, TooManyProducts, entries_of_result};
use std::collections::BTreeSet;

fn listed(points: &Points) -> BTreeSet<Vec<u64>> {
    let point = |place: usize| (0..points.rank()).map(|mode| points.column(mode)[place].into()).collect();
    (0..points.len()).map(point).collect()
}

/// Whether the value of a statement has an entry at a point of all variables.
fn has_entry(
    statement: &Statement,
    operands: &[Option<BTreeSet<Vec<u64>>>],
    expr: &Expr,
    at: &[u64],
) -> bool {
    match expr {
        Expr::Access(number) => operands[*number].as_ref().is_none_or(|points| {
            let own: Vec<u64> = statement.accesses[*number].indices.iter().map(|var| at[var.0]).collect();
            points.contains(&own)
        }),
        Expr::Everywhere => true,
        Expr::All(parts) => parts.iter().all(|part| has_entry(statement, operands, part, at)),
        Expr::Any(parts) => parts.iter().any(|part| has_entry(statement, operands, part, at)),
    }
}

fn by_loops_over_everything(statement: &Statement) -> BTreeSet<Vec<u64>> {
    let pattern = |pattern: &Pattern| match pattern {
        Pattern::Points(points) => Some(listed(points)),
        Pattern::Dense => None,
    };
    let operands: Vec<_> = statement.accesses.iter().map(|access| pattern(&access.pattern)).collect();
    let mut at = vec![0; statement.variables.len()];
    let mut found = BTreeSet::new();
    loop {
        if has_entry(statement, &operands, &statement.value, &at) {
            found.insert(statement.target.indices.iter().map(|var| at[var.0]).collect());
        }
        let rises = |&var: &usize| at[var] + 1 < statement.variables[var].extent;
        let Some(var) = (0..at.len()).rev().find(rises) else { return found };
        at[var] += 1;
        at[var + 1..].fill(0);
    }
}

fn all(parts: &[usize]) -> Expr {
    Expr::All(parts.iter().copied().map(access).collect())
}

fn any(parts: Vec<Expr>) -> Expr {
    Expr::Any(parts)
}

#[test]
fn entries_are_those_of_loops_over_everything() {
    let shapes = [
        ("ij", vec!["ik", "kj"], all(&[0, 1])),
        ("ij", vec!["ik", "jk"], all(&[0, 1])),
        ("ji", vec!["ik", "kj", "ij"], all(&[0, 1, 2])),
        ("ij", vec!["ij", "ij"], any(vec![access(0), access(1)])),
        ("ij", vec!["ik", "kj", "ij"], any(vec![all(&[0, 1]), access(2)])),
        ("ij", vec!["ij", "ij", "ij"], Expr::All(vec![any(vec![access(0), access(1)]), access(2)])),
        ("i", vec!["ik"], access(0)),
        ("i", vec!["ik", "kl"], all(&[0, 1])),
        ("i", vec!["ik", "jl"], all(&[0, 1])),
        ("ij", vec!["ikl", "kj", "lj"], all(&[0, 1, 2])),
        ("ikj", vec!["ikl", "lj"], all(&[0, 1])),
        ("lij", vec!["ij", "l"], all(&[0, 1])),
        ("ij", vec!["i", "j", "ij"], any(vec![all(&[0, 1]), access(2)])),
        // What one side does not have is there at all of its coordinates.
        ("ij", vec!["i", "j"], any(vec![access(0), access(1)])),
        ("ij", vec!["ij"], Expr::All(vec![access(0), Expr::Everywhere])),
        ("ij", vec!["ij"], any(vec![access(0), Expr::Everywhere])),
        ("ijkl", vec!["ij", "kl", "jk"], all(&[0, 1, 2])),
    ];
    let mut random = Random(3);
    for round in 0..40 {
        for shape in &shapes {
            let statement = drawn(shape, 7, 9, 4, &mut random);
            let entries = entries_of_result(&statement, u64::MAX).expect("there is no bound");
            assert_eq!(listed(&entries), by_loops_over_everything(&statement), "{round}: {statement:?}");
            let columns: Vec<Vec<i64>> = (0..entries.rank())
                .map(|mode| entries.column(mode).iter().map(|&at| at.into()).collect())
                .collect();
            let sorted = Points::new(entries.extents(), &columns).expect("inside");
            assert_eq!(entries, sorted, "each point is there once, in order");
        }
    }
}

/// Points of many coordinates are distinguished by sets in place of stamps, and beyond 64 bits as they come.
#[test]
fn extents_may_be_large() {
    for extent in [1u64 << 20, 1 << 26] {
        let order = [('i', extent), ('j', extent), ('k', extent), ('l', extent), ('m', 3)];
        let extents = order.map(|(_, extent)| extent);
        let mut random = Random(extent);
        let at_an_end = |extent: u64, random: &mut Random| (random.below(2) * (extent - 1)) as i64;
        let columns = extents.map(|extent| (0..20).map(|_| at_an_end(extent, &mut random)).collect());
        let points = Points::new(&extents, &columns).expect("inside");
        let rest = Points::new(&[3], &[vec![0, 2]]).expect("inside");
        let expected: BTreeSet<_> = listed(&points).into_iter().map(|point| point[..4].to_vec()).collect();
        let tensors = [("ijklm", Pattern::Points(points.into())), ("m", Pattern::Points(rest.into()))];
        let statement = statement(&order, "ijkl", &tensors, all(&[0, 1]));
        let entries = entries_of_result(&statement, 1000).expect("few");
        assert!(expected.len() > 5 && listed(&entries) == expected, "{expected:?}");
    }
}

/// Of products over one shared variable it is known before how many there are; of others it shows on the way.
/// As many iterations as there may be are no error.
#[test]
fn too_many_products_are_an_error() {
    let order = [('i', 30), ('k', 30), ('j', 30)];
    let mut random = Random(1);
    let mut draw = |indices| operand(&order, indices, 3, &mut random);
    let (a, b, mask) = (draw("ik"), draw("kj"), draw("ij"));
    let product = statement(&order, "ij", &[("ik", a.clone()), ("kj", b.clone())], all(&[0, 1]));
    let Err(TooManyProducts { products: Some(products) }) = entries_of_result(&product, 10) else {
        panic!("one variable is shared");
    };
    let entries = |pattern: &Pattern| match pattern {
        Pattern::Points(points) => listed(points),
        Pattern::Dense => panic!("it is sparse"),
    };
    let (left, right) = (entries(&a), entries(&b));
    let pairs = left.iter().map(|one| right.iter().filter(|other| one[1] == other[0]).count() as u64);
    assert_eq!(products, pairs.sum::<u64>());
    let masked = statement(&order, "ij", &[("ik", a), ("kj", b), ("ij", mask)], all(&[0, 1, 2]));
    assert_eq!(entries_of_result(&masked, 10), Err(TooManyProducts { products: None }));
    let one = Points::new(&[3], &[vec![1]]).expect("inside");
    let copy = statement(&[('i', 3)], "i", &[("i", Pattern::Points(one.into()))], access(0));
    assert!(entries_of_result(&copy, 1).is_ok());
}

#[test]
fn points_are_united_and_taken_away() {
    let mut random = Random(7);
    for _ in 0..50 {
        let (one, other) = (random_points(&[6, 5], 3, &mut random), random_points(&[6, 5], 2, &mut random));
        assert_eq!(listed(&one.united(&other)), &listed(&one) | &listed(&other));
        assert_eq!(listed(&one.without(&other)), &listed(&one) - &listed(&other));
    }
}
