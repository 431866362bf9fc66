//! `comet reorder`.

use super::example;
use super::value::{place, whole};
use clap::{Args, ValueEnum};
use comet_runtime::destination::Destination;
use comet_runtime::reorder::{Method, Modes};
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = example(&[
    "comet reorder a.mtx -o b.mtx --method rcm",
    "comet reorder matrix.mtx.gz -o reordered.mtx.gz --modes rows --permutations p",
]))]
pub(crate) struct ReorderArguments {
    /// A `.mtx` or `.tns` file, also compressed with gzip
    pub(crate) file: PathBuf,
    /// The file to write; its extension determines the form. `-` is standard output, with a matrix as in a
    /// `.mtx` and any other tensor as in a `.tns`; the measures are printed on standard error then
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Destination,
    /// The method that computes the permutations
    #[arg(long, value_enum, default_value_t)]
    pub(crate) method: MethodName,
    /// The modes to permute: `all`, `rows` (mode 0), `columns` (mode 1) or a list such as `2,0`
    #[arg(long, value_parser = modes, default_value = "all", allow_negative_numbers = true)]
    pub(crate) modes: Modes,
    /// The maximum number of iterations of `lexi` over the modes; default 5
    #[arg(long, value_name = "N", value_parser = whole(1..=u32::MAX), allow_negative_numbers = true)]
    pub(crate) iterations: Option<u32>,
    /// Write the permutations to PREFIX0.txt, PREFIX1.txt, …, one for each mode: line i is the new index of
    /// index i, both from 0
    #[arg(long, value_name = "PREFIX", value_parser = place("a file is written for each mode"))]
    pub(crate) permutations: Option<PathBuf>,
    /// The form of `.tns` files (`frostt`, `comet`), instead of detecting it by the first line
    #[arg(long, value_name = "FORM")]
    pub(crate) tns: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum MethodName {
    /// LexiOrder: sorts each mode lexicographically, the modes in turn
    #[default]
    Lexi,
    /// Reverse Cuthill–McKee: a small bandwidth, of square matrices
    Rcm,
    /// The indices with the most entries first
    Degree,
}

fn modes(text: &str) -> Result<Modes, String> {
    match text {
        "all" => return Ok(Modes::All),
        "rows" => return Ok(Modes::Only(vec![0])),
        "columns" => return Ok(Modes::Only(vec![1])),
        _ => {}
    }
    let list: Result<Vec<usize>, _> = text.split(',').map(str::parse).collect();
    list.map(Modes::Only).map_err(|_| {
        "expected `all`, `rows`, `columns` or a list of modes, counted from 0, such as `2,0`".to_owned()
    })
}

/// A method with its iterations, as `--reorder` takes it.
pub(super) fn parse_method(text: &str) -> Result<Method, String> {
    let expected = || "expected `lexi`, `lexi,N` with a number of iterations, `rcm` or `degree`".to_owned();
    match text.split_once(',') {
        None => match text {
            "lexi" => Ok(Method::Lexi { iterations: Method::ITERATIONS_IN_PROGRAMS }),
            "rcm" => Ok(Method::Rcm),
            "degree" => Ok(Method::Degree),
            _ => Err(expected()),
        },
        Some(("lexi", iterations)) => {
            let iterations = iterations.parse().ok().filter(|count| *count > 0).ok_or_else(expected)?;
            Ok(Method::Lexi { iterations })
        }
        Some(_) => Err(expected()),
    }
}
