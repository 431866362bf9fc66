//! Lowered statements compute what their expressions say, in every dataflow order.

use crate::draw::Draw;
use crate::notation::{permutations, statement, variables};
use crate::pack::pack;
use crate::run::compare;
use comet_sam::arithmetic::TypedValue;
use comet_sam::graph::GraphLevel;
use comet_sam::lower::{IndexExpression, IndexStatement, lower};
use comet_sam::simulate::{SimulationOptions, simulate};
use comet_sam::storage::{Entry, StoredTensor};
use std::collections::BTreeMap;

const EXPRESSIONS: [&str; 28] = [
    "x(i) = b(i)",
    "X(i,j) = B(i,j)",
    "X(i,j,k) = B(i,j,k)",
    "x(i) = B(i,j) * c(j)",
    "X(i,j) = B(i,k) * C(k,j)",
    "X(i,j) = B(i,j) * C(i,k) * D(k,j)",
    "x() = B(i,j,k) * C(i,j,k)",
    "X(i,j) = B(i,j,k) * c(k)",
    "X(i,j,k) = B(i,j,l) * C(k,l)",
    "X(i,j) = B(i,k,l) * C(j,k) * D(j,l)",
    "X(i,j) = B(i,j) + C(i,j)",
    "X(i,j) = B(i,j) + C(i,j) - D(i,j)",
    "X(i,j,k) = B(i,j,k) + C(i,j,k)",
    "X(i,j) = B(i,j) * C(i,j) + D(i,j)",
    "x(i) = a() * b(i)",
    "X(j,i) = B(i,j) * B(i,k)",
    "x(i) = b(i) - C(i,j) * d(j)",
    "x(i) = a() * B(j,i) * c(j) + b() * d(i)",
    "X(i,j) = B(i,k) * C(k,j) + D(i,j)",
    "X(i,j) = B(i,j,k) * c(k) + D(i,j)",
    "X(i,j) = B(i,k) * C(k,j) + D(i,l) * E(l,j)",
    "x(i) = B(i,j) * c(j) + D(i,k) * e(k)",
    "x(i) = B(i,j) * c(j) - D(i,j) * e(j)",
    "x() = b(i) + c(j)",
    "x(i) = B(i,j) * C(i,j) + D(i,j) * E(i,j)",
    "X(i,j) = B(i,j) * C(i,j) + D(i,j) * E(i,j) - F(i,j)",
    "x(i) = b(i) * c(i) + D(i,j,k) * E(j,k)",
    "X(i,j,k) = B(i,j) * c(k)",
];

/// Reduced tensors that meet other operands at outer levels in some of the orders, so that they are computed
/// first.
const TEMPORARIES: usize = 20;

/// What no product or sum of tensors over the same variables has: sides of sums that lack variables, and
/// results and reductions whose variables no operand has, scalars alone, and variables that repeat.
const OTHERS: [&str; 26] = [
    "x(i) = a()",
    "x() = a()",
    "x() = a() * b() + c()",
    "X(i,j) = b(i)",
    "X(i,j) = b(i) + c(j)",
    "X(i,j) = b(i) * c(j) - d(i)",
    "X(i,j) = B(i,j) + a()",
    "X(i,j) = a() - B(i,j) * c(j)",
    "X(i,j) = a() * b(i) * c(j) + D(i,j)",
    "X(i,j,k) = B(i,j) + C(j,k)",
    "x(i) = a() + B(i,j)",
    "x() = a() * b(i) - c()",
    "X(i,j) = B(i,k) * C(k,j) + a()",
    "X(i,j) = B(i,k) * c(k) + d(j)",
    "X(i,j,k) = B(i,l) * C(l,k)",
    "X(i,j) = B(i,k)",
    "x() = B(i,i)",
    "x(i) = B(i,i)",
    "X(i,i) = b(i)",
    "X(i,j) = B(i,i) + C(i,j)",
    "X(i,j) = B(i,i) * C(i,j) + D(j,j)",
    "X(i,j) = B(i,j,i) * c(j)",
    "x(i) = B(i,j,j,i)",
    "X(i,j,i) = B(i,j)",
    "X(i,i) = B(i,k) * c(k)",
    "X(j,i,j) = B(i,k) * C(k,j) + D(j,j)",
];

/// The levels of the operands, from the first level of the first operand on, and those of the result; they
/// begin anew when they are over.
const LEVELS: [(&str, &str); 8] =
    [("s", "s"), ("d", "s"), ("ds", "s"), ("sdd", "s"), ("ds", "d"), ("s", "ds"), ("d", "ds"), ("sdd", "sd")];

fn with_levels(mut statement: IndexStatement, (operands, result): (&str, &str)) -> IndexStatement {
    let level = |letter| if letter == 'd' { GraphLevel::Dense } else { GraphLevel::Compressed };
    let (mut operands, mut result) = (operands.chars().cycle().map(level), result.chars().cycle().map(level));
    for (number, format) in statement.tensors.iter_mut().enumerate() {
        let letters: &mut dyn Iterator<Item = GraphLevel> =
            if number == 0 { &mut result } else { &mut operands };
        format.levels = letters.take(format.levels.len()).collect();
    }
    statement
}

#[test]
fn graphs_compute_what_expressions_say() {
    let (mut wrong, mut temporaries) = (Vec::new(), 0);
    for text in EXPRESSIONS {
        for order in permutations(&variables(text)) {
            temporaries += compare_levels(text, &order, &mut wrong);
        }
    }
    assert!(wrong.is_empty(), "{} fail\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(temporaries, TEMPORARIES);
}

#[test]
fn what_is_missing_stands_for_all_coordinates() {
    let mut wrong = Vec::new();
    for text in OTHERS {
        for order in permutations(&variables(text)) {
            compare_levels(text, &order, &mut wrong);
        }
    }
    assert!(wrong.is_empty(), "{} fail\n{}", wrong.len(), wrong.join("\n"));
}

/// How many temporaries there are does not depend on levels.
fn compare_levels(text: &str, order: &[String], wrong: &mut Vec<String>) -> usize {
    let mut graphs = 0;
    for (number, levels) in LEVELS.into_iter().enumerate() {
        let statement = with_levels(statement(text, order), levels);
        let lowered = lower(&statement).expect("every statement is lowered");
        let compared = (number as u64 % 2..6).step_by(2).try_for_each(|seed| {
            compare(&statement, &lowered, &tensors(&statement, seed), &extent)
                .map_err(|fault| format!("data {seed}: {fault}"))
        });
        let told = |fault| format!("{text} in the order {}, {levels:?}: {fault}", order.concat());
        wrong.extend(compared.err().map(told));
        graphs = lowered.graphs.len();
    }
    graphs - 1
}

/// What is not well formed, and operands whose levels do not come in the order of the variables.
#[test]
fn wrong_statements_are_explained() {
    let order = ["i", "j"].map(str::to_owned);
    let right = statement("X(i,j) = B(i,j)", &order);
    let reversed = IndexStatement { order: vec!["j".to_owned(), "i".to_owned()], ..right.clone() };
    let without_order = IndexStatement { order: vec!["i".to_owned()], ..right.clone() };
    let mut unreduced = statement("x(i) = B(i,j)", &order);
    let IndexExpression::Reduce(_, _, body) = unreduced.value else { panic!("j is reduced") };
    unreduced.value = *body;
    let keeping = IndexStatement { keeps: true, ..right };
    let mut keeping_words = keeping.clone();
    keeping_words.tensors[0].levels = vec![GraphLevel::Dense, GraphLevel::BitVector(64)];
    let messages = [reversed, without_order, unreduced, keeping, keeping_words].map(|statement| {
        let refusal = lower(&statement).expect_err("it is refused");
        let hint = refusal.hint.clone().expect("there is a way out");
        format!("{refusal}; {hint}")
    });
    insta::assert_snapshot!(messages.join("\n"), @r"
    the levels of `B1` are over i, j, and the dataflow order is j, i; store `B1` in the order of the variables, or change the order
    the dataflow order is i, without `j`; give `j` a place in the order
    the result lacks `j`, and nothing reduces it; reduce over `j`
    `X` keeps elements, and not all of its levels are dense; give all levels of the result as dense
    `X` keeps elements, and not all of its levels are dense; give all levels of the result as dense
    ");
}

/// Extents are no matter to compressed levels, but elements of dense ones are all stored.
#[test]
fn results_without_memory_are_explained() {
    let statement = with_levels(statement("x(i) = b(i)", &["i".to_owned()]), ("s", "d"));
    let lowered = lower(&statement).expect("every statement is lowered");
    let b = pack(&statement.tensors[1], &[1 << 60], &[(vec![1 << 59], TypedValue::F64(1.0))]);
    let tensors = BTreeMap::from([(statement.tensors[1].name.clone(), b)]);
    let fault = simulate(lowered.last(), &tensors, SimulationOptions::default())
        .expect_err("there is no such memory");
    assert_eq!(fault.message, "no memory for the elements of `x`, which are [1152921504606846976]");
}

/// Data for the operands.
fn tensors(statement: &IndexStatement, seed: u64) -> BTreeMap<String, StoredTensor> {
    let stored = statement.value.accesses().into_iter().map(|access| {
        let format = &statement.tensors[access.tensor];
        let dims: Vec<usize> = access.indices.iter().map(|index| extent(index)).collect();
        let entries = entries(&dims, seed * 7 + access.tensor as u64);
        (format.name.clone(), pack(format, &dims, &entries))
    });
    stored.collect()
}

fn extent(index: &str) -> usize {
    match index {
        "i" => 4,
        "j" => 5,
        "k" => 3,
        _ => 6,
    }
}

/// About a third of the points, fewer for some seeds, with values that differ.
fn entries(dims: &[usize], seed: u64) -> Vec<Entry> {
    let (mut entries, mut draw) = (Vec::new(), Draw::seeded(seed));
    for mut place in 0..dims.iter().product() {
        let drawn = draw.below(100);
        let mut point = vec![0; dims.len()];
        for (mode, dim) in dims.iter().enumerate().rev() {
            point[mode] = place % dim;
            place /= dim;
        }
        if drawn < [35, 60, 15, 35, 5, 90][(seed % 6) as usize] || dims.is_empty() {
            entries.push((point, ((1 + drawn % 7) as f64).into()));
        }
    }
    entries
}
