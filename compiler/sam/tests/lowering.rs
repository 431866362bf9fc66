//! Lowered statements compute what their expressions say, in every dataflow order.

mod notation;
mod pack;

use comet_sam::graph::{Graph, Level};
use comet_sam::lower::{Statement, lower};
use comet_sam::simulate::{Options, simulate};
use comet_sam::storage::{Entry, Storage};
use notation::dense::expected;
use notation::{permutations, statement, variables};
use pack::pack;
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

/// Orders in which a reduced tensor with several levels would meet other operands.
const REFUSED: usize = 16;

/// The levels of the operands, from the first level of the first operand on; it begins anew when it is over.
/// Those of results are compressed.
const LEVELS: [&str; 4] = ["s", "d", "ds", "sdd"];

fn with_levels(mut statement: Statement, letters: &str) -> Statement {
    let mut letters = letters.chars().cycle();
    for format in &mut statement.tensors[1..] {
        for level in &mut format.levels {
            *level = if letters.next() == Some('d') { Level::Dense } else { Level::Compressed };
        }
    }
    statement
}

#[test]
fn graphs_compute_what_expressions_say() {
    let (mut wrong, mut refused) = (Vec::new(), 0);
    for text in EXPRESSIONS {
        for order in permutations(&variables(text)) {
            for levels in LEVELS {
                let statement = with_levels(statement(text, &order), levels);
                let compared = match lower(&statement) {
                    Ok(lowered) => (0..6).try_for_each(|seed| compare(&statement, lowered.last(), seed)),
                    Err(refusal) => {
                        let expected = "not supported yet: a reduced tensor with levels";
                        assert!(refusal.message.starts_with(expected), "{refusal}");
                        refused += 1;
                        continue;
                    }
                };
                let told = |fault| format!("{text} in the order {}, {levels}: {fault}", order.concat());
                wrong.extend(compared.err().map(told));
            }
        }
    }
    assert!(wrong.is_empty(), "{} fail\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(refused, REFUSED * LEVELS.len());
}

fn compare(statement: &Statement, graph: &Graph, seed: u64) -> Result<(), String> {
    let tensors = tensors(statement, seed);
    let outcome = simulate(graph, &tensors, Options::default()).map_err(|fault| fault.to_string())?;
    let found = outcome.result.entries();
    let expected = expected(statement, &tensors, &extent);
    match found == expected {
        true => Ok(()),
        false => Err(format!("data {seed}: expected {expected:?}, found {found:?}")),
    }
}

/// Data for the operands.
fn tensors(statement: &Statement, seed: u64) -> BTreeMap<String, Storage> {
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
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut entries = Vec::new();
    for mut place in 0..dims.iter().product() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let drawn = (state >> 33) % 100;
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
