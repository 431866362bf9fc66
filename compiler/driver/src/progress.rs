//! What is shown on the terminal while a simulation or a comparison takes long.

use comet_sam::simulate::Progress;
use indicatif::{HumanCount, ProgressBar, ProgressStyle};
use std::time::{Duration, Instant};

/// A run that takes no longer is over before somebody wonders.
const PATIENCE: Duration = Duration::from_secs(1);

/// A bar on standard error, if that is a terminal, for work in steps. It goes when the work ends.
pub(crate) struct Steps(ProgressBar);

impl Steps {
    pub(crate) fn new(count: usize) -> Self {
        let style =
            ProgressStyle::with_template("{bar:24} {pos}/{len} {msg}").expect("the template has known keys");
        Self(ProgressBar::new(count as u64).with_style(style))
    }

    pub(crate) fn begin(&self, what: String) {
        self.0.set_message(what);
        self.0.tick();
    }

    pub(crate) fn end(&self) {
        self.0.inc(1);
    }
}

impl Drop for Steps {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// A line on standard error, if that is a terminal, for one run of a graph. It goes when the run ends.
pub(crate) struct ProgressLine {
    what: String,
    start: Instant,
    bar: Option<ProgressBar>,
}

impl ProgressLine {
    /// Of a run that begins now.
    pub(crate) fn new(what: String) -> Self {
        Self { what, start: Instant::now(), bar: None }
    }

    /// Shows how far the run has come.
    pub(crate) fn show(&mut self, progress: Progress) {
        let elapsed = self.start.elapsed();
        if elapsed < PATIENCE {
            return;
        }
        let bar = self.bar.get_or_insert_with(|| {
            let style = ProgressStyle::with_template("{spinner} {msg}").expect("the template has known keys");
            ProgressBar::new_spinner().with_style(style)
        });
        bar.set_message(text(&self.what, progress, elapsed));
        bar.tick();
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn text(what: &str, Progress { cycles, tokens }: Progress, elapsed: Duration) -> String {
    let rate = HumanCount((tokens as f64 / elapsed.as_secs_f64()) as u64);
    let (cycles, tokens) = (HumanCount(cycles), HumanCount(tokens));
    format!("{what}, {cycles} cycles, {tokens} tokens, {rate} tokens a second")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_counts_and_a_rate() {
        let progress = Progress { cycles: 1_234_567, tokens: 9_000_000 };
        let report = text("graph 0: `C`", progress, Duration::from_millis(1500));
        assert_eq!(report, "graph 0: `C`, 1,234,567 cycles, 9,000,000 tokens, 6,000,000 tokens a second");
    }
}
