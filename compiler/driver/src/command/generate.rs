//! `comet gen`.

use super::output;
use crate::arguments::generate::{
    AmountArguments, BandedArguments, BlockArguments, GenerateArguments, GenerateKind, OutputArguments,
    PowerLawArguments, RmatArguments, StencilArguments, UniformArguments, ValuesRule,
};
use crate::failure::{Failure, Result};
use comet_gen::{
    Amount, Banded, Block, Coordinates, Generator, Kind, Points, PowerLaw, Rmat, Stencil, Uniform, Values,
};
use comet_runtime::destination::Destination;
use comet_runtime::memory::asking;
use comet_runtime::read::read_pattern;
use comet_runtime::{CoordinateTensor, ReadOptions};
use std::path::Path;

pub(crate) fn generate(arguments: &GenerateArguments) -> Result<()> {
    if let Some(kind) = &arguments.kind {
        let (kind, output) = generated(kind)?;
        output::check([&output.output])?;
        let generator = Generator::new(kind).seed(output.seed).values(rule(output.values));
        return write(asking(|| generator.generate())?, &output.output);
    }
    match (&arguments.values_for, &arguments.output) {
        (Some(pattern), Some(output)) => {
            output::check([output])?;
            write(with_values(pattern)?, output)
        }
        _ => unreachable!("clap requires both"),
    }
}

fn write(tensor: Coordinates, to: &Destination) -> Result<()> {
    tracing::info!(dims = ?tensor.dims, entries = tensor.len(), "generated");
    Ok(comet_gen::write(to, &tensor)?)
}

/// The positions of a file, with the values of their positions.
fn with_values(pattern: &Path) -> Result<Coordinates> {
    let CoordinateTensor { dims, coords, .. } = read_pattern(pattern, &ReadOptions::default())?;
    let unsigned = |column: Vec<i64>| -> Vec<u64> { column.into_iter().map(i64::cast_unsigned).collect() };
    let coords: Vec<Vec<u64>> = coords.into_iter().map(unsigned).collect();
    Ok(Coordinates::of_pattern(&unsigned(dims), &coords)?)
}

/// What is generated, and where it goes.
fn generated(kind: &GenerateKind) -> Result<(Kind, &OutputArguments)> {
    Ok(match kind {
        GenerateKind::Stencil5(arguments) => (stencil(Points::Five, arguments), &arguments.output),
        GenerateKind::Stencil7(arguments) => (stencil(Points::Seven, arguments), &arguments.output),
        GenerateKind::Stencil27(arguments) => (stencil(Points::TwentySeven, arguments), &arguments.output),
        GenerateKind::Banded(arguments) => (banded(arguments)?, &arguments.output),
        GenerateKind::Uniform(arguments) => (uniform(arguments)?, &arguments.output),
        GenerateKind::Rmat(arguments) => (rmat(arguments)?, &arguments.output),
        GenerateKind::Block(arguments) => (block(arguments)?, &arguments.output),
        GenerateKind::PowerLaw(arguments) => (power_law(arguments)?, &arguments.output),
    })
}

fn stencil(points: Points, arguments: &StencilArguments) -> Kind {
    Kind::Stencil(Stencil { points, grid: arguments.grid.clone() })
}

fn banded(arguments: &BandedArguments) -> Result<Kind> {
    let [rows, columns] = exactly("--dims", &arguments.dims)?;
    Ok(Kind::Banded(Banded { rows, columns, below: arguments.below, above: arguments.above }))
}

fn uniform(arguments: &UniformArguments) -> Result<Kind> {
    Ok(Kind::Uniform(Uniform { dims: arguments.dims.clone(), entries: required_amount(&arguments.amount)? }))
}

/// Graph 500's parameters, where they are not given.
fn rmat(arguments: &RmatArguments) -> Result<Kind> {
    let standard = Rmat::graph500(arguments.scale);
    let quadrants =
        arguments.quadrants.as_deref().map(|values| exactly("--quadrants", values)).transpose()?;
    let entries = amount(&arguments.amount).unwrap_or(standard.entries);
    Ok(Kind::Rmat(Rmat { entries, quadrants: quadrants.unwrap_or(standard.quadrants), ..standard }))
}

fn block(arguments: &BlockArguments) -> Result<Kind> {
    let [rows, columns] = exactly("--dims", &arguments.dims)?;
    let [block_rows, block_columns] = exactly("--block", &arguments.block)?;
    let blocks = required_amount(&AmountArguments { entries: arguments.blocks, density: arguments.density })?;
    Ok(Kind::Block(Block { rows, columns, block_rows, block_columns, blocks }))
}

fn power_law(arguments: &PowerLawArguments) -> Result<Kind> {
    let entries = required_amount(&arguments.amount)?;
    Ok(Kind::PowerLaw(PowerLaw { dims: arguments.dims.clone(), entries, skew: arguments.skew }))
}

fn rule(values: ValuesRule) -> Values {
    match values {
        ValuesRule::Own => Values::Own,
        ValuesRule::Random => Values::Random,
        ValuesRule::Position => Values::Position,
    }
}

fn amount(arguments: &AmountArguments) -> Option<Amount> {
    arguments.entries.map(Amount::Entries).or(arguments.density.map(Amount::Density))
}

fn required_amount(arguments: &AmountArguments) -> Result<Amount> {
    let missing =
        || Failure::hinted("the number of entries is missing", "give `--entries N` or `--density D`");
    amount(arguments).ok_or_else(missing)
}

/// A list of a flag as an array of a fixed length.
fn exactly<const N: usize, T: Copy>(flag: &str, values: &[T]) -> Result<[T; N]> {
    values.try_into().map_err(|_| {
        let message = format!("`{flag}` has {} numbers, expected {N}", values.len());
        Failure::plain(message)
    })
}
