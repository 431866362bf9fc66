//! Parts of operands along one variable: the entries between some multiples of its unit.

use crate::observed::Observed;
use crate::points::Points;
use crate::random::Random;
use crate::stack::StackedOperand;
use crate::statement::{Statement, Var};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Some of the operands: what lies between multiples of a unit along a variable, moved together.
pub(super) struct UnitPart<'a> {
    /// The variable has as many coordinates as are looked at.
    pub(super) statement: Statement,
    /// Operands with the variable; none are others.
    pub(super) operands: Vec<Option<StackedOperand<'a>>>,
}

/// How many entries of the operands along a variable are looked at: this share of them, within bounds.
const ENTRIES: f64 = 1.0 / 128.0;
const FEWEST_ENTRIES: f64 = 1000.0;
const MOST_ENTRIES: f64 = 16000.0;

const SEED: u64 = 7;

impl<'a> UnitPart<'a> {
    pub(super) fn new(observed: &Observed<'a>, var: Var, unit: u64) -> Self {
        let whole = observed.statement;
        let windows = windows(observed, var, unit);
        let mut statement = whole.clone();
        statement.variables[var.0].extent = windows.len() as u64 * unit;
        let operands = whole.accesses.iter().zip(&observed.cut.tiled).zip(&observed.slices);
        let operands = operands.map(|((access, tiled), slices)| {
            let mode = access.indices.iter().position(|&own| own == var)?;
            let points =
                between(access.points()?, &statement.extents(&access.indices), (mode, unit), &windows);
            Some(StackedOperand::of_points(
                points,
                tiled.as_ref()?.sizes().to_vec(),
                Rc::clone(slices.as_ref()?),
            ))
        });
        let operands = operands.collect();
        Self { statement, operands }
    }
}

/// Some multiples of a unit along a variable, ascending: those of entries that are drawn from the operand
/// that has most.
fn windows(observed: &Observed<'_>, var: Var, unit: u64) -> Vec<u32> {
    let columns = observed.statement.accesses.iter().filter_map(|access| {
        Some(access.points()?.column(access.indices.iter().position(|&own| own == var)?))
    });
    let Some(column) = columns.max_by_key(|column| column.len()).filter(|column| !column.is_empty()) else {
        return vec![0];
    };
    let all = observed.statement.extent(var).div_ceil(unit) as f64;
    let wanted = (column.len() as f64 * ENTRIES).clamp(FEWEST_ENTRIES, MOST_ENTRIES);
    let count = (wanted * all / column.len() as f64).ceil().clamp(1.0, all);
    let count = (count as usize).min(column.len());
    let mut random = Random::new(SEED);
    let mut windows: BTreeSet<u32> = BTreeSet::new();
    // Where most entries lie in few windows, the same ones are drawn again and again.
    for _ in 0..8 * count {
        windows.insert(column[random.below(column.len())] / unit as u32);
        if windows.len() == count {
            break;
        }
    }
    windows.into_iter().collect()
}

/// The entries of an operand between multiples of a unit along a mode, which are moved together.
fn between(points: &Points, extents: &[u64], (mode, unit): (usize, u64), windows: &[u32]) -> Points {
    let (column, unit) = (points.column(mode), unit as u32);
    let mut moved = vec![None; points.extents()[mode].div_ceil(u64::from(unit)) as usize];
    for (own, &window) in windows.iter().enumerate() {
        moved[window as usize] = Some(own as u32 * unit);
    }
    let place = |entry: usize| Some(moved[(column[entry] / unit) as usize]? + column[entry] % unit);
    // Entries of the first mode's windows follow each other; of other modes all entries are looked at.
    let (kept, places): (Vec<usize>, Vec<u32>) = match mode {
        0 => {
            let begin = |at: u32| column.partition_point(|&other| other < at);
            let entries = |&window: &u32| begin(window * unit)..begin((window + 1) * unit);
            windows.iter().flat_map(entries).filter_map(|entry| Some((entry, place(entry)?))).unzip()
        }
        _ => (0..points.len()).filter_map(|entry| Some((entry, place(entry)?))).unzip(),
    };
    let mut columns: Vec<Vec<u32>> = (0..points.rank())
        .map(|other| kept.iter().map(|&entry| points.column(other)[entry]).collect())
        .collect();
    columns[mode] = places;
    Points::sorted(extents.to_vec(), columns)
}
