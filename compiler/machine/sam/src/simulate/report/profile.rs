//! What is told of the critical path.

use crate::simulate::observe::{Phase, Profile};
use crate::simulate::outcome::{BlockReport, RunReport};
use serde_json::{Value, json};

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
