//! A value change dump. Times are cycles, of a nanosecond each; runs come one after the other.

use super::{Sink, TracedStream, WrittenPart, traced};
use crate::graph::{BlockId, Graph};
use crate::simulate::token::Token;
use std::io::{self, BufWriter, Write};
use vcd::{IdCode, SimulationCommand, TimescaleUnit, Value, VarType, Writer};

/// What a stream shows in a cycle without a token.
const NOTHING: &str = "-";

const BITS: u32 = 32;

/// A scope for each graph, in it one for each block, and in these a text for each stream that the block puts
/// out and a number for each queue that it takes from.
pub(super) struct Vcd<W: Write> {
    out: Writer<BufWriter<W>>,
    graphs: Vec<Variables>,
    run: IdCode,
    runs: u64,
    graph: usize,
    before: u64,
    time: u64,
    /// The texts of this cycle, by the streams that show them.
    texts: Vec<(usize, String)>,
    /// What streams have shown in the cycle before.
    shown: Vec<(usize, String)>,
    changed: Vec<(usize, u64)>,
}

struct Variables {
    streams: Vec<(IdCode, TracedStream)>,
    /// The number of tokens that was written last.
    queues: Vec<(IdCode, u64)>,
}

impl<W: Write> Vcd<W> {
    pub(super) fn new(graphs: &[&Graph], out: W) -> io::Result<Self> {
        let mut out = Writer::new(BufWriter::new(out));
        out.version("comet sim")?;
        out.timescale(1, TimescaleUnit::NS)?;
        out.add_module("comet")?;
        let run = out.add_var(VarType::Integer, BITS, "run", None)?;
        let declared = |(number, graph): (usize, &&Graph)| declare(&mut out, number, graph);
        let graphs = graphs.iter().enumerate().map(declared).collect::<io::Result<_>>()?;
        out.upscope()?;
        out.enddefinitions()?;
        let (texts, shown, changed) = (Vec::new(), Vec::new(), Vec::new());
        let mut dump =
            Self { out, graphs, run, runs: 0, graph: 0, before: 0, time: 0, texts, shown, changed };
        dump.values_at_first()?;
        Ok(dump)
    }

    fn values_at_first(&mut self) -> io::Result<()> {
        self.out.timestamp(0)?;
        self.out.begin(SimulationCommand::Dumpvars)?;
        self.out.change_vector(self.run, [Value::X])?;
        for variables in &self.graphs {
            for (id, _) in &variables.streams {
                self.out.change_string(*id, NOTHING)?;
            }
            for (id, _) in &variables.queues {
                self.out.change_vector(*id, [Value::V0])?;
            }
        }
        self.out.end()
    }

    /// What follows is of this time.
    fn go_to(&mut self, time: u64) -> io::Result<()> {
        if self.time < time {
            self.time = time;
            self.out.timestamp(time)?;
        }
        Ok(())
    }

    /// The streams that have shown something in the cycle before, and have no token now.
    fn end_tokens(&mut self, time: u64) -> io::Result<()> {
        let shown = std::mem::take(&mut self.shown);
        let is_over = |stream: &usize| !self.texts.iter().any(|(other, _)| other == stream);
        let over: Vec<usize> = shown.iter().map(|(stream, _)| *stream).filter(is_over).collect();
        if !over.is_empty() {
            self.go_to(time)?;
        }
        for stream in over {
            self.out.change_string(self.graphs[self.graph].streams[stream].0, NOTHING)?;
        }
        self.shown = shown;
        Ok(())
    }
}

fn declare<W: Write>(out: &mut Writer<W>, number: usize, graph: &Graph) -> io::Result<Variables> {
    out.add_module(&format!("graph{number}"))?;
    let mut streams: Vec<Option<IdCode>> = vec![None; graph.streams.len()];
    let mut queues = vec![None; graph.streams.iter().map(|stream| stream.to.len()).sum()];
    let traced = traced(graph);
    for (id, block) in graph.blocks.iter().enumerate() {
        out.add_module(&word(&block.name))?;
        let mut queue = 0;
        for (place, stream) in graph.streams.iter().enumerate() {
            if stream.from.0 == BlockId(id) {
                let name = traced[place].name.rsplit('.').next().unwrap_or_default();
                streams[place] = Some(out.add_var(VarType::String, 1, name, None)?);
            }
            for (reader, port) in &stream.to {
                if *reader == BlockId(id) {
                    queues[queue] =
                        Some(out.add_var(VarType::Integer, BITS, &format!("waiting{}", port.0), None)?);
                }
                queue += 1;
            }
        }
        out.upscope()?;
    }
    out.upscope()?;
    let streams = streams.into_iter().map(|id| id.expect("each stream comes from a block"));
    let queues = queues.into_iter().map(|id| (id.expect("each queue leads to a block"), 0));
    Ok(Variables { streams: streams.zip(traced).collect(), queues: queues.collect() })
}

/// A name of letters, digits and underscores, as those of a dump are.
fn word(name: &str) -> String {
    let words = name.split(|letter: char| !letter.is_ascii_alphanumeric());
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join("_")
}

/// A number without zeros in front.
fn bits(number: u64) -> impl Iterator<Item = Value> {
    let count = (u64::BITS - number.leading_zeros()).max(1);
    (0..count).rev().map(move |bit| if number >> bit & 1 == 1 { Value::V1 } else { Value::V0 })
}

impl<W: Write> Sink for Vcd<W> {
    fn begin(&mut self, graph: usize) -> io::Result<()> {
        self.graph = graph;
        self.go_to(self.before + 1)?;
        self.out.change_vector(self.run, bits(self.runs))?;
        self.runs += 1;
        Ok(())
    }

    /// The tokens of a bus are one text.
    fn token(&mut self, stream: usize, token: Token) -> io::Result<()> {
        let written = WrittenPart(&self.graphs[self.graph].streams[stream].1, token).to_string();
        match self.texts.last_mut().filter(|(last, _)| *last == stream) {
            Some((_, text)) => *text = format!("{text},{written}"),
            None => self.texts.push((stream, written)),
        }
        Ok(())
    }

    fn waiting(&mut self, queue: usize, tokens: u64) -> io::Result<()> {
        self.changed.push((queue, tokens));
        Ok(())
    }

    fn end_cycle(&mut self, cycle: u64) -> io::Result<()> {
        let time = self.before + cycle;
        if self.time + 1 < time {
            let texts = std::mem::take(&mut self.texts);
            self.end_tokens(self.time + 1)?;
            self.shown.clear();
            self.texts = texts;
        }
        self.go_to(time)?;
        self.end_tokens(time)?;
        let Variables { streams, queues } = &mut self.graphs[self.graph];
        for (stream, text) in &self.texts {
            if !self.shown.iter().any(|shown| shown.0 == *stream && shown.1 == *text) {
                self.out.change_string(streams[*stream].0, text)?;
            }
        }
        for (queue, tokens) in self.changed.drain(..) {
            let (id, told) = &mut queues[queue];
            if *told != tokens {
                *told = tokens;
                self.out.change_vector(*id, bits(tokens))?;
            }
        }
        std::mem::swap(&mut self.shown, &mut self.texts);
        self.texts.clear();
        Ok(())
    }

    /// What is left in queues goes with the run.
    fn end(&mut self, cycles: u64) -> io::Result<()> {
        self.texts.clear();
        self.before += cycles;
        self.end_tokens(self.time + 1)?;
        self.shown.clear();
        self.go_to(self.before + 1)?;
        for (id, told) in &mut self.graphs[self.graph].queues {
            if std::mem::take(told) != 0 {
                self.out.change_vector(*id, bits(0))?;
            }
        }
        self.out.flush()
    }
}
