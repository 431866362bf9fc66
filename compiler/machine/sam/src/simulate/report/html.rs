//! A page to look at: the graph, what each block had to do and what each stream has carried, in all and over
//! time, and the critical path. It needs no other file.

mod heat;
mod time;

use crate::graph::Graph;
use crate::simulate::outcome::{BlockReport, RunReport, StreamReport};
use std::fmt::Write as _;

const STYLE: &str = "\
body { font: 14px/1.4 system-ui, sans-serif; margin: 2em auto; max-width: 70em; color: #222 }
h1 { font-size: 1.4em } h2 { font-size: 1.2em; margin-top: 3em } h3 { font-size: 1.1em; margin-top: 2em }
table { border-collapse: collapse; width: 100% } th { text-align: right; font-weight: 600 }
td, th { padding: 2px 8px; font-variant-numeric: tabular-nums; text-align: right; white-space: nowrap }
td:first-child, th:first-child { text-align: left } td.plot { width: 45% }
.bar { display: flex; height: 12px; background: #eee } .bar i { display: block; height: 100% }
.value, .busy { background: #2f6db5 } .stop { background: #e08a1e } .empty { background: #b23a48 } .done { background: #222 }
.heat { width: 100% } .heat text { font-size: 10px } .name { text-anchor: end } .mark { text-anchor: middle }
.axis { stroke: #222; fill: none } .graph svg { max-width: 100%; height: auto } .none { outline: 1px solid #bbb }
.key i { display: inline-block; width: 10px; height: 10px; margin: 0 4px 0 14px }
";

/// The kinds of tokens, as classes of the page.
const KINDS: [&str; 4] = ["value", "stop", "empty", "done"];

pub struct Shown<'r> {
    pub outcome: &'r RunReport,
    pub graph: &'r Graph,
    pub picture: Picture,
}

pub enum Picture {
    /// As SVG, what comes before the element `svg` included.
    Drawn(String),
    Missing(String),
}

/// A page of HTML for runs of graphs: one behind the other, under a list of them where there are several.
pub fn page(title: &str, runs: &[Shown<'_>]) -> String {
    let title = escaped(title);
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>\n\
         <style>\n{STYLE}</style></head>\n<body>\n<h1>{title}</h1>\n"
    );
    if let [run] = runs {
        run.section(&mut page);
    } else {
        list(runs, &mut page);
        for (number, run) in runs.iter().enumerate() {
            let _ = writeln!(page, "<h2 id=\"graph-{number}\">Graph {number}</h2>");
            run.section(&mut page);
        }
    }
    page + "</body></html>\n"
}

/// A line for each run, which leads to its section.
fn list(runs: &[Shown<'_>], page: &mut String) {
    let cycles: u64 = runs.iter().map(|run| run.outcome.cycles).sum();
    let _ = writeln!(page, "<p>{cycles} cycles in {} runs of graphs, one after the other.</p>", runs.len());
    *page += "<table><tr><th>graph</th><th>result</th><th>cycles</th><th>share</th><th></th></tr>\n";
    for (number, Shown { outcome, graph, .. }) in runs.iter().enumerate() {
        let _ = writeln!(
            page,
            "<tr><td><a href=\"#graph-{number}\">{number}</a></td><td>{}</td><td>{}</td>{}</tr>",
            escaped(&graph.tensors[0].name),
            outcome.cycles,
            bar(outcome.cycles, cycles)
        );
    }
    *page += "</table>\n";
}

impl Shown<'_> {
    fn section(&self, page: &mut String) {
        self.summary(page);
        self.drawn(page);
        let blocks = self.graph.reading_order();
        let streams = self.graph.streams_by(&blocks);
        if let Some(profile) = &self.outcome.profile {
            self.path(profile, &blocks, page);
            match &profile.timeline {
                Some(timeline) => self.time(timeline, &blocks, &streams, page),
                None => *page += "<p>What happened over time is shown of the first runs only.</p>\n",
            }
        }
        self.tables(&blocks, &streams, page);
    }

    fn drawn(&self, page: &mut String) {
        *page += "<h3>Graph</h3>\n";
        match &self.picture {
            Picture::Drawn(svg) => {
                *page += "<p>Blocks have the share of cycles in which they were busy, as a number and as a colour, and the \
                          colour of their tensor around; streams have their tokens.</p>\n";
                let start = svg.find("<svg").unwrap_or_default();
                let _ = writeln!(page, "<div class=\"graph\">{}</div>", &svg[start..]);
            }
            Picture::Missing(reason) => {
                let _ = writeln!(page, "<p>The graph is not drawn: {}.</p>", escaped(reason));
            }
        }
    }

    /// Blocks and streams from the roots to the writers.
    fn tables(&self, blocks: &[usize], streams: &[usize], page: &mut String) {
        let outcome = self.outcome;
        *page +=
            "<h3>Blocks</h3>\n<table><tr><th>block</th><th>busy cycles</th><th>share</th><th></th></tr>\n";
        blocks.iter().for_each(|&block| outcome.blocks[block].row(outcome.cycles, page));
        *page += "</table>\n<h3>Streams</h3>\n<p class=\"key\">Cycles with tokens, and which:";
        KINDS.iter().for_each(|kind| *page += &format!("<i class=\"{kind}\"></i>{kind}"));
        *page += "</p>\n<table><tr><th>stream</th><th>value</th><th>stop</th><th>empty</th><th>done</th><th>idle</th><th></th></tr>\n";
        streams.iter().for_each(|&stream| outcome.streams[stream].row(outcome.cycles, page));
        *page += "</table>\n<h3>Tokens by level and by point</h3>\n<table><tr><th>tensor</th><th>by level</th><th>by point</th></tr>\n";
        for told in &outcome.points {
            let (name, levels, points) = (escaped(&told.tensor), told.levels, told.points);
            let _ = writeln!(page, "<tr><td>{name}</td><td>{levels}</td><td>{points}</td></tr>");
        }
        *page += "</table>\n";
    }

    fn summary(&self, page: &mut String) {
        let outcome = self.outcome;
        let (name, cycles, tokens) = (escaped(&self.graph.tensors[0].name), outcome.cycles, outcome.tokens());
        let values = match outcome.unfit {
            Some(_) => "no result".to_owned(),
            None => format!("{} values", outcome.result.values.len()),
        };
        let _ = writeln!(page, "<p>{cycles} cycles, {tokens} tokens; <b>{name}</b> has {values}.</p>");
        if let Some(most) = outcome.most_waiting {
            let _ = writeln!(page, "<p>at most {most} tokens in queues at once</p>");
        }
        if let Some(bottleneck) = outcome.bottleneck() {
            let _ = writeln!(page, "<p>{}</p>", escaped(&bottleneck));
        }
        if let Some(memory) = &outcome.memory {
            let _ = writeln!(page, "<p>{}</p>", memory.to_string().replace('\n', "<br>\n"));
        }
    }
}

fn bar(count: u64, cycles: u64) -> String {
    let share = share(count, cycles);
    format!(
        "<td>{share:.1}%</td><td class=\"plot\"><div class=\"bar\"><i class=\"busy\" style=\"width:{share:.2}%\"></i></div></td>"
    )
}

fn share(count: u64, cycles: u64) -> f64 {
    100.0 * count as f64 / cycles.max(1) as f64
}

impl BlockReport {
    fn row(&self, cycles: u64, page: &mut String) {
        let (name, bar) = (escaped(&self.name), bar(self.busy, cycles));
        let _ = writeln!(page, "<tr><td>{name}</td><td>{}</td>{bar}</tr>", self.busy);
    }
}

impl StreamReport {
    /// The bar is as long as the part of the run in which the stream carries something; the kinds of tokens
    /// share it.
    fn row(&self, cycles: u64, page: &mut String) {
        let [value, stop, empty, done, idle] = self.columns();
        let counts = [value, stop, empty, done];
        let length = share(cycles - idle, cycles);
        let bar = |(kind, count): (&&str, u64)| {
            let part = length * count as f64 / self.counts.total().max(1) as f64;
            format!("<i class=\"{kind}\" style=\"width:{part:.2}%\"></i>")
        };
        let bars: String = KINDS.iter().zip(counts).map(bar).collect();
        let _ = writeln!(
            page,
            "<tr><td>{}</td><td>{value}</td><td>{stop}</td><td>{empty}</td><td>{done}</td><td>{idle}</td>\
             <td class=\"plot\"><div class=\"bar\">{bars}</div></td></tr>",
            escaped(&self.name)
        );
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
