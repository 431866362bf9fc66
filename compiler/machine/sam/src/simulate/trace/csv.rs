//! A line for each token.

use super::{Sink, TracedStream, WrittenPart, traced};
use crate::graph::Graph;
use crate::simulate::token::Token;
use std::io::{self, BufWriter, Write};

const HEADER: &str = "run,cycle,stream,kind,token";

/// Lines of the numbers of a run, from 0 on, and of a cycle, from 1 on, a stream, its kind and a token.
pub(super) struct Csv<W: Write> {
    out: BufWriter<W>,
    graphs: Vec<Vec<TraceLine>>,
    graph: usize,
    runs: usize,
    tokens: Vec<(usize, Token)>,
}

struct TraceLine {
    stream: TracedStream,
    middle: String,
}

impl<W: Write> Csv<W> {
    pub(super) fn new(graphs: &[&Graph], out: W) -> io::Result<Self> {
        let mut out = BufWriter::new(out);
        writeln!(out, "{HEADER}")?;
        let graphs = graphs.iter().map(|graph| traced(graph).into_iter().map(line).collect()).collect();
        Ok(Self { out, graphs, graph: 0, runs: 0, tokens: Vec::new() })
    }
}

fn line(stream: TracedStream) -> TraceLine {
    let middle = format!("{},{}", field(&stream.name), stream.kind.name());
    TraceLine { stream, middle }
}

/// In quotes where a comma or a quote would be taken for the file's own (RFC 4180).
fn field(text: &str) -> String {
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

impl<W: Write> Sink for Csv<W> {
    fn begin(&mut self, graph: usize) -> io::Result<()> {
        self.graph = graph;
        self.runs += 1;
        Ok(())
    }

    fn token(&mut self, stream: usize, token: Token) -> io::Result<()> {
        self.tokens.push((stream, token));
        Ok(())
    }

    fn waiting(&mut self, _: usize, _: u64) -> io::Result<()> {
        Ok(())
    }

    fn end_cycle(&mut self, cycle: u64) -> io::Result<()> {
        let lines = &self.graphs[self.graph];
        for (number, token) in self.tokens.drain(..) {
            let TraceLine { stream, middle } = &lines[number];
            writeln!(self.out, "{},{cycle},{middle},{}", self.runs - 1, WrittenPart(stream, token))?;
        }
        Ok(())
    }

    fn end(&mut self, _: u64) -> io::Result<()> {
        self.out.flush()
    }
}
