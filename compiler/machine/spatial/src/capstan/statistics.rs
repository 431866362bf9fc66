//! What is known of an application's data before it runs: the arrays that the host loads, as far as extents,
//! the lengths of segments and how these differ decide what loops do.

use crate::app::{App, Expr, ExprKind, HostKind, Operator};
use crate::interpret::{Column, Inputs};
use std::collections::BTreeMap;

/// The numbers of the host, and the arrays that are in DRAM.
#[derive(Debug, Default)]
pub(super) struct Statistics {
    /// Arguments, parameters and constants.
    pub(super) numbers: BTreeMap<String, f64>,
    /// The arrays of positions, by the DRAMs that are filled with them.
    pub(super) arrays: BTreeMap<String, Segments>,
}

/// The lengths of the segments that an array of positions bounds: 0 at first, and none below the one before.
#[derive(Debug)]
pub(super) struct Segments(Vec<u64>);

impl Statistics {
    pub(super) fn of(app: &App, inputs: &Inputs) -> Self {
        let mut statistics = Self::default();
        let parameters = app.parameters.iter().map(|parameter| {
            let given = inputs.parameters.get(&parameter.name);
            (parameter.name.clone(), given.copied().unwrap_or(parameter.value) as f64)
        });
        statistics.numbers.extend(parameters);
        let mut files: BTreeMap<&str, &Column> = BTreeMap::new();
        for statement in &app.before {
            match &statement.kind {
                HostKind::LoadCsv { name, file, .. } => {
                    files.extend(inputs.files.get(file).map(|column| (name.as_str(), column)));
                }
                HostKind::Val(name, value) | HostKind::SetArg(name, value) => {
                    if let Some(value) = statistics.number(value, &files) {
                        statistics.numbers.insert(name.clone(), value);
                    }
                }
                HostKind::SetMem { dram, array } => {
                    let segments = files.get(array.as_str()).and_then(|column| Segments::of(column));
                    statistics.arrays.extend(segments.map(|segments| (dram.clone(), segments)));
                }
                _ => {}
            }
        }
        statistics
    }

    fn number(&self, value: &Expr, files: &BTreeMap<&str, &Column>) -> Option<f64> {
        match &value.kind {
            ExprKind::Int(number) => Some(*number as f64),
            ExprKind::Name(name) => self.numbers.get(name).copied(),
            ExprKind::To(value, _) => self.number(value, files),
            ExprKind::Length(array) => files.get(array.as_str()).map(|column| column.len() as f64),
            ExprKind::Read(array, index) => {
                let index = self.number(index, files)?;
                match files.get(array.as_str())? {
                    Column::Integers(numbers) => numbers.get(index as usize).map(|number| *number as f64),
                    Column::Singles(_) | Column::Doubles(_) => None,
                }
            }
            ExprKind::Binary(operator, left, right) => {
                let (left, right) = (self.number(left, files)?, self.number(right, files)?);
                match operator {
                    Operator::Add => Some(left + right),
                    Operator::Subtract => Some(left - right),
                    Operator::Multiply => Some(left * right),
                    Operator::Divide => Some((left / right).trunc()),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

impl Segments {
    /// None where an array has no positions.
    fn of(column: &Column) -> Option<Self> {
        match column {
            Column::Integers(numbers) if numbers.first() == Some(&0) => {
                let lengths = numbers.windows(2).map(|pair| u64::try_from(pair[1] - pair[0]).ok());
                lengths.collect::<Option<Vec<u64>>>().map(Self)
            }
            _ => None,
        }
    }

    /// The mean of something over all segments.
    pub(super) fn mean(&self, of: impl Fn(u64) -> f64) -> f64 {
        self.0.iter().map(|len| of(*len)).sum::<f64>() / self.0.len().max(1) as f64
    }

    /// How much longer the longest of so many copies takes than all of them on average: each has every
    /// so-manieth segment.
    pub(super) fn imbalance(&self, copies: usize) -> f64 {
        let copies = copies.max(1);
        let of_copy = |copy: usize| self.0.iter().skip(copy).step_by(copies).sum::<u64>();
        let longest = (0..copies).map(of_copy).max().unwrap_or(0) as f64;
        let mean = self.0.iter().sum::<u64>() as f64 / copies as f64;
        if mean > 0.0 { longest / mean } else { 1.0 }
    }
}
