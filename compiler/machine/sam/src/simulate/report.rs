//! Reports of simulations, as text, as JSON and as a page.

mod html;
mod result;

pub use html::{Picture, Shown, page};
pub use result::{ResultJson, RunJson};

use super::memory::MemoryReport;
use super::observe::{Phase, Profile};
use super::outcome::{BlockReport, RunReport, StreamReport};
use crate::graph::TensorFormat;
use serde_json::{Value, json};
use std::fmt::{self, Write as _};

impl RunReport {
    /// `{"cycles", "streams": […], "blocks": […], …}`, all but the result. A stream has its tokens by kind,
    /// and in `idle` the cycles without any.
    pub fn counts_json(&self) -> Value {
        let mut json = json!({
            "cycles": self.cycles,
            "streams": self.streams,
            "blocks": self.blocks_json(),
            "points": self.points,
        });
        if let Some(most) = self.most_waiting {
            json["most_waiting"] = json!(most);
        }
        if let Some(memory) = &self.memory {
            json["memory"] = memory.json();
        }
        if let Some(profile) = &self.profile {
            json["phases"] = profile.phases_json(&self.blocks);
        }
        if let Some(costs) = &self.costs {
            json["costs"] = costs.json();
        }
        if let Some(fault) = &self.unfit {
            json["warning"] = json!(fault.message);
        }
        json
    }

    /// With a profile each block has its cycles of the critical path.
    fn blocks_json(&self) -> Vec<Value> {
        let mut blocks: Vec<Value> = self.blocks.iter().map(|block| json!(block)).collect();
        for (block, critical) in blocks.iter_mut().zip(self.critical().unwrap_or_default()) {
            block["critical"] = json!(critical);
        }
        blocks
    }

    /// For each block its cycles of the critical path, if that is known.
    fn critical(&self) -> Option<&[u64]> {
        Some(&self.profile.as_ref()?.critical)
    }

    /// A summary, then a line for each block and for each stream.
    pub fn text(&self, result: &TensorFormat) -> String {
        let written = match self.unfit {
            Some(_) => "none".to_owned(),
            None => format!("{} with {} values", result.name, self.result.values.len()),
        };
        let mut text = format!("cycles: {}\ntokens: {}\nresult: {written}\n\n", self.cycles, self.tokens());
        if let Some(most) = self.most_waiting {
            let _ = writeln!(text, "at most {most} tokens in queues at once\n");
        }
        if let Some(memory) = &self.memory {
            let _ = writeln!(text, "{memory}\n");
        }
        if let Some(costs) = &self.costs {
            let _ = writeln!(text, "{costs}\n");
        }
        if let Some(bottleneck) = self.bottleneck() {
            let _ = writeln!(text, "{bottleneck}\n");
        }
        self.block_lines(&mut text);
        let width = self.streams.iter().map(|stream| stream.name.chars().count()).max().unwrap_or(0).max(6);
        let columns = ["value", "stop", "empty", "done", "idle"].map(|name| format!("{name:>12}")).concat();
        let _ = writeln!(text, "\n{:<width$} {columns}", "stream");
        for stream in &self.streams {
            let columns = stream.columns().map(|count| format!("{count:>12}")).concat();
            let _ = writeln!(text, "{:<width$} {columns}", stream.name);
        }
        let width = self.points.iter().map(|told| told.tensor.chars().count()).max().unwrap_or(0).max(6);
        if !self.points.is_empty() {
            let _ =
                writeln!(text, "\n{:<width$} {:>16} {:>16}", "tensor", "tokens by level", "tokens by point");
        }
        for told in &self.points {
            let _ = writeln!(text, "{:<width$} {:>16} {:>16}", told.tensor, told.levels, told.points);
        }
        text
    }

    fn block_lines(&self, text: &mut String) {
        let width = self.blocks.iter().map(|block| block.name.chars().count()).max().unwrap_or(0).max(5);
        let critical = |column: &str| self.critical().map_or_else(String::new, |_| format!(" {column:>15}"));
        let _ = writeln!(
            text,
            "{:<width$} {:>14} {:>7}{}",
            "block",
            "busy cycles",
            "busy",
            critical("critical cycles")
        );
        for (number, block) in self.blocks.iter().enumerate() {
            let share = 100.0 * block.busy as f64 / self.cycles.max(1) as f64;
            let cycles = self.critical().map_or_else(String::new, |cycles| cycles[number].to_string());
            let _ = writeln!(
                text,
                "{:<width$} {:>14} {share:>6.1}%{}",
                block.name,
                block.busy,
                critical(&cycles)
            );
        }
    }

    fn tokens(&self) -> u64 {
        self.streams.iter().map(|stream| stream.counts.total()).sum()
    }
}

impl StreamReport {
    /// Its tokens of each kind, and the cycles without any.
    fn columns(&self) -> [u64; 5] {
        [self.counts.value, self.counts.stop, self.counts.empty, self.counts.done, self.idle]
    }
}

impl MemoryReport {
    fn json(&self) -> Value {
        json!({
            "dram_read": self.dram_read,
            "dram_written": self.dram_written,
            "dram_busy": self.dram_busy,
            "tiles": {"dram": self.from_dram, "last_level": self.from_last_level, "kept": self.kept},
        })
    }
}

impl fmt::Display for MemoryReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { dram_read, dram_written, dram_busy, from_dram, from_last_level, kept } = self;
        writeln!(f, "DRAM: {dram_read} bytes read, {dram_written} written, busy for {dram_busy} cycles")?;
        write!(f, "tiles: {from_dram} from DRAM, {from_last_level} from the last-level buffer, {kept} kept")
    }
}

impl RunReport {
    /// The block that has most of the critical path, in words, if the path is known.
    pub fn bottleneck(&self) -> Option<String> {
        let (block, cycles) = self.profile.as_ref()?.bottleneck()?;
        let share = 100.0 * cycles as f64 / self.cycles.max(1) as f64;
        let name = &self.blocks[block].name;
        Some(format!("bottleneck: `{name}`, in {cycles} cycles of the critical path ({share:.1}%)"))
    }
}

impl Profile {
    pub(super) fn phases_json(&self, blocks: &[BlockReport]) -> Value {
        let phase = |Phase { first, last, block, critical }: &Phase| json!({ "first": first, "last": last, "block": blocks[*block].name, "critical": critical });
        self.phases.iter().map(phase).collect()
    }
}
