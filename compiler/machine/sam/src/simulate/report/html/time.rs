//! What has happened when, and the critical path.

use super::heat::Heat;
use super::{Shown, bar, escaped};
use crate::picture::scale::ColourScale;
use crate::simulate::observe::{Profile, Timeline};
use std::fmt::Write as _;

impl Shown<'_> {
    /// The critical path block by block, and the bottlenecks of the run one after the other.
    pub(super) fn path(&self, profile: &Profile, order: &[usize], page: &mut String) {
        let outcome = self.outcome;
        *page += "<h3>Critical path</h3>\n<p>Looking back from the last cycle, each cycle belongs to the block that was at work, or \
                  to the one whose token or room it had waited for.</p>\n";
        *page += "<table><tr><th>cycles</th><th>bottleneck</th><th>of the critical path</th><th>share</th><th></th></tr>\n";
        for phase in &profile.phases {
            let (name, bar) = (
                escaped(&outcome.blocks[phase.block].name),
                bar(phase.critical, phase.last + 1 - phase.first),
            );
            let _ = writeln!(
                page,
                "<tr><td>{} to {}</td><td>{name}</td><td>{}</td>{bar}</tr>",
                phase.first, phase.last, phase.critical
            );
        }
        *page += "</table>\n<h4>All blocks</h4>\n<table><tr><th>block</th><th>critical cycles</th><th>share</th><th></th></tr>\n";
        for &block in order.iter().filter(|&&block| profile.critical[block] > 0) {
            let (name, cycles) = (escaped(&outcome.blocks[block].name), profile.critical[block]);
            let _ =
                writeln!(page, "<tr><td>{name}</td><td>{cycles}</td>{}</tr>", bar(cycles, outcome.cycles));
        }
        *page += "</table>\n";
    }

    pub(super) fn time(&self, timeline: &Timeline, blocks: &[usize], streams: &[usize], page: &mut String) {
        let outcome = self.outcome;
        let _ = writeln!(
            page,
            "<h3>Over time</h3>\n<p>{} bins of {} cycles.</p>",
            timeline.bins(),
            timeline.width
        );
        let names = |rows: &[Vec<u64>], is_shown: &dyn Fn(&[u64]) -> bool| -> Vec<(&str, Vec<f64>)> {
            let shown = blocks.iter().filter(|&&block| is_shown(&rows[block]));
            shown
                .map(|&block| (outcome.blocks[block].name.as_str(), self.shares(timeline, &rows[block])))
                .collect()
        };
        let share = ColourScale::linear(1.0);
        let busy = names(&timeline.busy, &|_| true);
        self.heat(timeline, "Blocks", "busy cycles of all in a bin", share.clone(), busy, page);
        let critical = names(&timeline.critical, &|row| row.iter().any(|cycles| *cycles > 0));
        self.heat(timeline, "Critical path", "critical cycles of all in a bin", share, critical, page);
        let tokens: Vec<_> = streams
            .iter()
            .map(|&stream| {
                (outcome.streams[stream].name.as_str(), self.shares(timeline, &timeline.tokens[stream]))
            })
            .collect();
        let most = tokens.iter().flat_map(|(_, row)| row).fold(1.0, |most: f64, tokens| most.max(*tokens));
        self.heat(timeline, "Streams", "tokens a cycle", ColourScale::linear(most), tokens, page);
        self.queues(timeline, streams, page);
    }

    fn queues(&self, timeline: &Timeline, streams: &[usize], page: &mut String) {
        let of = |stream: usize| timeline.queues.iter().filter(move |queue| queue.stream == stream);
        let queues: Vec<_> = streams.iter().copied().flat_map(of).collect();
        let most = queues.iter().flat_map(|queue| &queue.most).copied().max().unwrap_or_default();
        let row = |tokens: &[u64]| tokens.iter().map(|tokens| *tokens as f64).collect();
        let rows = queues.iter().map(|queue| (queue.name.as_str(), row(&queue.most))).collect();
        let unit = "most tokens in a queue at the end of a cycle";
        self.heat(timeline, "Queues", unit, ColourScale::of_counts(most), rows, page);
    }

    /// What there is in each bin for each of its cycles.
    fn shares(&self, timeline: &Timeline, row: &[u64]) -> Vec<f64> {
        let cycles = |bin: usize| timeline.width.min(self.outcome.cycles - bin as u64 * timeline.width);
        row.iter().enumerate().map(|(bin, count)| *count as f64 / cycles(bin) as f64).collect()
    }

    fn heat(
        &self,
        timeline: &Timeline,
        title: &'static str,
        unit: &'static str,
        scale: ColourScale,
        rows: Vec<(&str, Vec<f64>)>,
        page: &mut String,
    ) {
        let (width, cycles) = (timeline.width, self.outcome.cycles);
        Heat { title, unit, scale, rows, width, cycles }.write(page);
    }
}
