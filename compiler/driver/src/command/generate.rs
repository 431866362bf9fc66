//! `comet gen`.

use crate::arguments::{AmountArguments, GenerateArguments, GenerateKind, OutputArguments, ValuesRule};
use crate::failure::{Failure, Result};
use comet_diag::Diagnostic;
use comet_gen::{
    Amount, Banded, Block, Coordinates, Generator, Kind, Points, PowerLaw, Rmat, Stencil, Uniform, Values,
};
use comet_runtime::{CoordinateTensor, ReadOptions, read_file};
use std::path::Path;

pub(crate) fn generate(arguments: &GenerateArguments) -> Result<()> {
    if let Some(kind) = &arguments.kind {
        let output = output_of(kind);
        return write(
            generator(kind)?.seed(output.seed).values(rule(output.values)).generate()?,
            &output.output,
        );
    }
    match (&arguments.values_for, &arguments.output) {
        (Some(pattern), Some(output)) => write(with_values(pattern)?, output),
        _ => unreachable!("clap requires both"),
    }
}

fn write(tensor: Coordinates, path: &Path) -> Result<()> {
    tracing::info!(dims = ?tensor.dims, entries = tensor.len(), "generated");
    Ok(comet_gen::write(path, &tensor)?)
}

/// The positions of a file, with the values of their positions.
fn with_values(pattern: &Path) -> Result<Coordinates> {
    let CoordinateTensor { dims, coords, .. } = read_file(pattern, &ReadOptions::default())?;
    let unsigned = |column: Vec<i64>| -> Vec<u64> { column.into_iter().map(i64::cast_unsigned).collect() };
    let coords: Vec<Vec<u64>> = coords.into_iter().map(unsigned).collect();
    Ok(Coordinates::of_pattern(&unsigned(dims), &coords)?)
}

fn output_of(kind: &GenerateKind) -> &OutputArguments {
    match kind {
        GenerateKind::Stencil5(stencil)
        | GenerateKind::Stencil7(stencil)
        | GenerateKind::Stencil27(stencil) => &stencil.output,
        GenerateKind::Banded(banded) => &banded.output,
        GenerateKind::Uniform(uniform) => &uniform.output,
        GenerateKind::Rmat(rmat) => &rmat.output,
        GenerateKind::Block(block) => &block.output,
        GenerateKind::PowerLaw(power_law) => &power_law.output,
    }
}

fn generator(kind: &GenerateKind) -> Result<Generator> {
    let kind = match kind {
        GenerateKind::Stencil5(stencil) => {
            Kind::Stencil(Stencil { points: Points::Five, grid: stencil.grid.clone() })
        }
        GenerateKind::Stencil7(stencil) => {
            Kind::Stencil(Stencil { points: Points::Seven, grid: stencil.grid.clone() })
        }
        GenerateKind::Stencil27(stencil) => {
            Kind::Stencil(Stencil { points: Points::TwentySeven, grid: stencil.grid.clone() })
        }
        GenerateKind::Banded(banded) => {
            let [rows, columns] = exactly("--dims", &banded.dims)?;
            Kind::Banded(Banded { rows, columns, below: banded.below, above: banded.above })
        }
        GenerateKind::Uniform(uniform) => {
            Kind::Uniform(Uniform { dims: uniform.dims.clone(), entries: required_amount(&uniform.amount)? })
        }
        GenerateKind::Rmat(rmat) => {
            let standard = Rmat::graph500(rmat.scale);
            let quadrants =
                rmat.quadrants.as_deref().map(|values| exactly("--quadrants", values)).transpose()?;
            Kind::Rmat(Rmat {
                entries: amount(&rmat.amount).unwrap_or(standard.entries),
                quadrants: quadrants.unwrap_or(standard.quadrants),
                ..standard
            })
        }
        GenerateKind::Block(block) => {
            let [rows, columns] = exactly("--dims", &block.dims)?;
            let [block_rows, block_columns] = exactly("--block", &block.block)?;
            let blocks = required_amount(&AmountArguments { entries: block.blocks, density: block.density })?;
            Kind::Block(Block { rows, columns, block_rows, block_columns, blocks })
        }
        GenerateKind::PowerLaw(power_law) => Kind::PowerLaw(PowerLaw {
            dims: power_law.dims.clone(),
            entries: required_amount(&power_law.amount)?,
            skew: power_law.skew,
        }),
    };
    Ok(Generator::new(kind))
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
    let missing = || {
        Failure::user(
            Diagnostic::error_without_place("the number of entries is missing")
                .hint("give `--entries N` or `--density D`"),
        )
    };
    amount(arguments).ok_or_else(missing)
}

/// A list of a flag as an array of a fixed length.
fn exactly<const N: usize, T: Copy>(flag: &str, values: &[T]) -> Result<[T; N]> {
    values.try_into().map_err(|_| {
        let message = format!("`{flag}` has {} numbers, expected {N}", values.len());
        Failure::user(Diagnostic::error_without_place(message))
    })
}
