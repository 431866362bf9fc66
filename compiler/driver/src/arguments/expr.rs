//! `comet expr`.

mod taco;

pub(crate) use taco::TacoArguments;

use super::{CompileArguments, example};
use clap::{Args, ValueEnum};
use comet_taco::Flag;

/// The flags that are TACO's are spelled as TACO spells them.
#[derive(Debug, Args)]
#[command(after_help = example(&[
    "comet expr \"y(i)=A(i,j)*x(j)\" -f=A:ds:0,1 -i=A:a.mtx -i=x:x.tns -o=y:y.tns",
    "comet expr \"A(i,j)=B(i,k)*C(k,j)\" -f=B:ds -d=i:4 -s=\"reorder(i,k,j)\" --print-ta",
]))]
pub(crate) struct ExprArguments {
    /// The expression, such as `y(i) = A(i,j) * x(j)`
    pub(crate) expression: String,
    /// The format of a tensor: a letter for each level (d dense, s compressed, u compressed with repetitions,
    /// q and c singleton), and the order of the indices that they store; default dense
    #[arg(short = 'f', value_name = "NAME:LEVELS[:ORDER]")]
    format: Vec<String>,
    /// The element type of a tensor, such as `float`, `int` or `bool`; default `double`
    #[arg(short = 't', value_name = "NAME:TYPE")]
    element: Vec<String>,
    /// The size of an index, or the sizes of a tensor; default 42 if no file determines it
    #[arg(short = 'd', value_name = "INDEX:N|NAME:N,…")]
    size: Vec<String>,
    /// The file of a tensor: `.tns` or `.mtx`; a tensor without one is zero
    #[arg(short = 'i', value_name = "NAME:PATH")]
    input: Vec<String>,
    /// The file to write a tensor to, `.tns` or `.mtx`; without it the result is printed
    #[arg(short = 'o', value_name = "NAME:PATH")]
    output: Vec<String>,
    /// Scheduling commands: `reorder(i,j), split(i,i0,i1,32)`
    #[arg(short = 's', value_name = "COMMANDS")]
    schedule: Vec<String>,
    /// Print the equivalent `.ta` program; it is run only if a file is written
    #[arg(long)]
    pub(crate) print_ta: bool,
    /// The target
    #[arg(long, value_name = "TARGET", default_value = "cpu")]
    pub(crate) target: ExprTarget,
    #[command(flatten)]
    pub(crate) compile: CompileArguments,
    /// The number of threads of the run time
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) threads: Option<String>,
    /// Print floating-point numbers in full (`exact`)
    #[arg(long, value_name = "STYLE")]
    pub(crate) print: Option<String>,
}

impl ExprArguments {
    /// The flags of the notation with their values.
    pub(crate) fn flags(&self) -> impl Iterator<Item = (Flag, String)> {
        let of = |flag, values: &[String]| {
            values.iter().map(move |value| (flag, value.clone())).collect::<Vec<_>>()
        };
        [
            of(Flag::Format, &self.format),
            of(Flag::Element, &self.element),
            of(Flag::Size, &self.size),
            of(Flag::Input, &self.input),
            of(Flag::Output, &self.output),
            of(Flag::Schedule, &self.schedule),
        ]
        .into_iter()
        .flatten()
    }
}

/// What an expression is compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExprTarget {
    Cpu,
    Sam,
    Spatial,
}
