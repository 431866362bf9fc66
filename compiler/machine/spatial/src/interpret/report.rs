//! What a run has come to, for people and for programs.

use super::column::Column;
use super::outcome::{Outcome, Traffic};
use comet_diag::{Source, Span};
use serde_json::{Value, json};
use std::fmt::Write as _;

impl Outcome {
    pub fn traffic(&self) -> Traffic {
        let mut all = Traffic::default();
        self.drams.iter().for_each(|dram| all += dram.traffic);
        all
    }

    pub fn launches(&self) -> u64 {
        self.patterns.iter().map(|pattern| pattern.counts.launches).sum()
    }

    pub fn iterations(&self) -> u64 {
        self.patterns.iter().map(|pattern| pattern.counts.iterations).sum()
    }

    pub fn summary(&self) -> String {
        let Traffic {
            read_bytes,
            written_bytes,
            loads,
            stores,
            stream_loads,
            stream_stores,
            random_reads,
            random_writes,
            ..
        } = self.traffic();
        let transfers = counted(loads + stores + stream_loads + stream_stores, "transfer");
        let random = [(random_reads, "random read"), (random_writes, "random write")];
        let random = random.into_iter().filter(|(count, _)| *count > 0);
        let random: String = random.map(|(count, what)| format!(" and {}", counted(count, what))).collect();
        let (launches, iterations) =
            (counted(self.launches(), "launch"), counted(self.iterations(), "iteration"));
        let bytes = counted(read_bytes, "byte");
        format!(
            "{bytes} read from DRAM and {written_bytes} written by {transfers}{random}; {launches} with {iterations}"
        )
    }

    /// What it took, memory by memory and pattern by pattern, with the lines of the text.
    pub fn text(&self, source: &Source) -> String {
        let mut text = self.summary() + "\n";
        for dram in &self.drams {
            text.push_str(&traffic_line(&dram.name, &dram.traffic));
        }
        for pattern in &self.patterns {
            let (launches, iterations) =
                (counted(pattern.counts.launches, "launch"), counted(pattern.counts.iterations, "iteration"));
            let line = line(source, pattern.span);
            let _ = writeln!(text, "{} in line {line}: {launches} with {iterations}", pattern.kind);
        }
        for fifo in &self.fifos {
            let (line, most) = (line(source, fifo.span), counted(fifo.most_waiting, "element"));
            let _ = writeln!(text, "{} in line {line}: {most} at most", fifo.name);
        }
        text
    }

    /// The same for programs, with the files and what the accelerator has set.
    pub fn json(&self, source: &Source) -> Value {
        let files = self.files.iter().map(|(name, column)| (name.clone(), numbers(column)));
        let arguments =
            self.arguments.iter().map(|argument| (argument.name.clone(), argument.value.clone().into()));
        let traffic = self.traffic();
        json!({
            "dram_bytes": traffic.read_bytes + traffic.written_bytes,
            "launches": self.launches(),
            "rounds": self.iterations(),
            "files": files.collect::<serde_json::Map<_, _>>(),
            "arguments": arguments.collect::<serde_json::Map<_, Value>>(),
            "drams": self.drams,
            "patterns": self.patterns.iter().map(|pattern| json!({
                "kind": pattern.kind,
                "line": line(source, pattern.span),
                "launches": pattern.counts.launches,
                "rounds": pattern.counts.iterations,
            })).collect::<Vec<_>>(),
            "fifos": self.fifos.iter().map(|fifo| json!({
                "name": fifo.name,
                "line": line(source, fifo.span),
                "most_waiting": fifo.most_waiting,
            })).collect::<Vec<_>>(),
        })
    }
}

fn line(source: &Source, span: Span) -> usize {
    source.line_column(span.start).0
}

fn traffic_line(name: &str, traffic: &Traffic) -> String {
    let moved = [
        (traffic.loads, "load"),
        (traffic.stores, "store"),
        (traffic.stream_loads, "stream load"),
        (traffic.stream_stores, "stream store"),
        (traffic.random_reads, "random read"),
        (traffic.random_writes, "random write"),
    ];
    let moved = moved.iter().filter(|(count, _)| *count > 0);
    let moved: Vec<_> = moved.map(|(count, what)| counted(*count, what)).collect();
    let (read, written) = (counted(traffic.read_bytes, "byte"), traffic.written_bytes);
    let how = if moved.is_empty() { String::new() } else { format!(" by {}", moved.join(" and ")) };
    format!("{name}: {read} read, {written} written{how}\n")
}

fn counted(count: u64, what: &str) -> String {
    match (count, what) {
        (1, _) => format!("1 {what}"),
        (_, "launch") => format!("{count} launches"),
        _ => format!("{count} {what}s"),
    }
}

/// Numbers; those that JSON has no spelling for are texts.
fn numbers(column: &Column) -> Value {
    match column {
        Column::Integers(numbers) => json!(numbers),
        Column::Singles(numbers) => numbers.iter().map(|&number| real(f64::from(number))).collect(),
        Column::Doubles(numbers) => numbers.iter().map(|&number| real(number)).collect(),
    }
}

/// A number of JSON, or the name of one that has none there: `"nan"`, `"inf"` or `"-inf"`.
pub fn real(number: f64) -> Value {
    match number {
        _ if number.is_nan() => json!("nan"),
        f64::INFINITY => json!("inf"),
        f64::NEG_INFINITY => json!("-inf"),
        _ => json!(number),
    }
}
