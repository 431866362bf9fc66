//! What a program takes when it runs, as its executable does.

use crate::failure::Result;
use clap::Args;
use comet_runtime::options::Options;
use std::ffi::OsString;

/// Flags of the run time.
#[derive(Debug, Args)]
pub(crate) struct RuntimeArguments {
    /// The file for `comet_read(k)`, or for the tensor NAME
    #[arg(long, value_name = "k=PATH|NAME=PATH")]
    input: Vec<OsString>,
    /// The number of threads of the run time and of parallel loops; the default is `COMET_NUM_THREADS`, or
    /// the number of cores. `COMET_AFFINITY=cores` binds each helper thread to a core
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    threads: Option<String>,
    /// Print floating-point numbers in full (`exact`)
    #[arg(long, value_name = "STYLE")]
    print: Option<String>,
    /// The form of `.tns` files (`frostt`, `comet`), instead of detecting it by the first line
    #[arg(long, value_name = "FORM")]
    tns: Option<String>,
}

impl RuntimeArguments {
    /// As the runtime reads them of an executable's command line, so that both take the same.
    pub(crate) fn options(&self) -> Result<Options> {
        let inputs = self.input.iter().map(|input| ("--input=", input.as_os_str()));
        let others = [("--threads=", &self.threads), ("--print=", &self.print), ("--tns=", &self.tns)];
        let others = others.into_iter().filter_map(|(flag, value)| Some((flag, value.as_ref()?.as_ref())));
        Ok(Options::parse(inputs.chain(others).map(|(flag, value)| {
            let mut argument = OsString::from(flag);
            argument.push(value);
            argument
        }))?)
    }
}
