//! `comet fmt`, `comet info`, `comet cache` and `comet completions`.

use super::example;
use super::value::place;
use clap::Args;
use clap_complete::Shell;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = example(&["comet fmt spmv.ta", "comet fmt --check *.ta"]))]
pub(crate) struct FormatArguments {
    /// The programs; they are rewritten in place
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Change nothing; fail if a program is not formatted
    #[arg(long, conflicts_with = "stdout")]
    pub(crate) check: bool,
    /// Print the result to standard output instead
    #[arg(long)]
    pub(crate) stdout: bool,
}

#[derive(Debug, Args)]
#[command(after_help = example(&["comet info matrix.mtx.gz", "comet info a.mtx --spy a.png"]))]
pub(crate) struct InfoArguments {
    /// A `.mtx`, `.tns`, `.npy` or `.npz` file, the first three also compressed with gzip
    pub(crate) file: PathBuf,
    /// Draw the pattern of a matrix as a PNG; a pixel is darker the more entries it holds
    #[arg(long, value_name = "PATH", value_parser = place("a PNG is no text"))]
    pub(crate) spy: Option<PathBuf>,
    /// The form of `.tns` files (`frostt`, `comet`), instead of detecting it by the first line
    #[arg(long, value_name = "FORM")]
    pub(crate) tns: Option<String>,
}

#[derive(Debug, Args)]
#[command(after_help = example(&["comet cache", "comet cache --clear"]))]
pub(crate) struct CacheArguments {
    /// Remove all entries
    #[arg(long)]
    pub(crate) clear: bool,
}

#[derive(Debug, Args)]
#[command(after_help = example(&["comet completions bash > /etc/bash_completion.d/comet"]))]
pub(crate) struct CompletionsArguments {
    /// The shell
    pub(crate) shell: Shell,
}
