//! What the text of a Spatial application takes when it is simulated.

use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct ApplicationArguments {
    /// Write the files of an application to a folder, instead of to standard output
    #[arg(long, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
    /// The values of `args(0)`, `args(1)` and so on in an application
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    pub(crate) argument: Vec<String>,
    /// Set a parameter of an application's class
    #[arg(long, value_name = "NAME=NUMBER", value_parser = parameter)]
    pub(crate) parameter: Vec<(String, i64)>,
    /// The extents of an application's result
    #[arg(long, value_name = "NAME=N,…", value_parser = extents)]
    pub(crate) extents: Vec<(String, Vec<i64>)>,
    /// Do not run the application: print the prediction of the model of Capstan for it on this data
    #[arg(long)]
    pub(crate) predict: bool,
}

impl ApplicationArguments {
    /// Each flag, and whether it is given.
    pub(crate) fn given(&self) -> [(&'static str, bool); 5] {
        [
            ("--output", self.output.is_some()),
            ("--argument", !self.argument.is_empty()),
            ("--parameter", !self.parameter.is_empty()),
            ("--extents", !self.extents.is_empty()),
            ("--predict", self.predict),
        ]
    }
}

fn parameter(text: &str) -> Result<(String, i64), String> {
    let parsed = text.split_once('=').and_then(|(name, number)| Some((name, number.parse().ok()?)));
    let (name, number) = parsed.ok_or_else(|| format!("found `{text}`, expected `NAME=NUMBER`"))?;
    Ok((name.to_owned(), number))
}

fn extents(text: &str) -> Result<(String, Vec<i64>), String> {
    let natural = |number: &str| number.parse().ok().filter(|extent| *extent >= 0);
    let parsed = text.split_once('=').and_then(|(name, numbers)| {
        Some((name, numbers.split(',').map(natural).collect::<Option<Vec<i64>>>()?))
    });
    let (name, extents) = parsed.ok_or_else(|| format!("found `{text}`, expected `NAME=N,…`"))?;
    Ok((name.to_owned(), extents))
}
