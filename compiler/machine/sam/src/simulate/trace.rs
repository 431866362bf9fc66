//! Every token of every stream, with its cycle, in a file.

mod csv;
mod vcd;

use super::outcome::stream_name;
use super::token::Token;
use crate::arithmetic::{Element, TypedValue};
use crate::graph::{Graph, StreamKind};
use csv::Csv;
use std::ffi::OsStr;
use std::fmt;
use std::io::{self, Write};
use std::path::Path;
use vcd::Vcd;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TraceFormat {
    /// A line for each token, with columns that commas divide.
    Csv,
    /// A value change dump (IEEE 1364), which viewers of waveforms read.
    Vcd,
}

impl TraceFormat {
    /// The format that the ending of a file's name stands for: `.csv` or `.vcd`.
    pub fn of(path: &Path) -> Option<Self> {
        match path.extension().and_then(OsStr::to_str) {
            Some("csv") => Some(Self::Csv),
            Some("vcd") => Some(Self::Vcd),
            _ => None,
        }
    }
}

/// A trace of the runs of some graphs, one run after the other. It is written as it goes.
pub struct Trace<'w>(pub(super) Box<dyn Sink + 'w>);

pub(super) trait Sink {
    fn begin(&mut self, graph: usize) -> io::Result<()>;
    /// A token was put on a stream in the cycle that ends next.
    fn token(&mut self, stream: usize, token: Token) -> io::Result<()>;
    /// So many tokens are in a queue when that cycle ends.
    fn waiting(&mut self, queue: usize, tokens: u64) -> io::Result<()>;
    fn end_cycle(&mut self, cycle: u64) -> io::Result<()>;
    /// The run has taken so many cycles.
    fn end(&mut self, cycles: u64) -> io::Result<()>;
}

impl<'w> Trace<'w> {
    /// Begins a file for runs of these graphs.
    ///
    /// # Errors
    /// What the writer fails with.
    pub fn new(format: TraceFormat, graphs: &[&Graph], out: impl Write + 'w) -> io::Result<Self> {
        Ok(Self(match format {
            TraceFormat::Csv => Box::new(Csv::new(graphs, out)?),
            TraceFormat::Vcd => Box::new(Vcd::new(graphs, out)?),
        }))
    }
}

struct TracedStream {
    name: String,
    kind: StreamKind,
    element: Option<Element>,
}

fn traced(graph: &Graph) -> Vec<TracedStream> {
    let streams = graph.streams.iter().zip(graph.elements());
    let traced = streams.map(|(stream, element)| TracedStream {
        name: stream_name(graph, stream),
        kind: stream.kind,
        element,
    });
    traced.collect()
}

/// A token as it is written: `S0` for a stop, `N` for an empty one, `D` for the end, `R` for a signal of a
/// repeater; values as numbers of their type, all else as whole numbers.
struct WrittenPart<'s>(&'s TracedStream, Token);

impl fmt::Display for WrittenPart<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(stream, token) = self;
        match (*token, stream.element) {
            (Token::Data(bits), Some(element)) => TypedValue::from_bits(bits, element).fmt(f),
            (Token::Data(_), None) if stream.kind == StreamKind::Repsig => f.write_str("R"),
            (token, _) => write!(f, "{token}"),
        }
    }
}
