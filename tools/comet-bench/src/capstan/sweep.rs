//! Settings of an application, tried one after the other.

use super::Run;
use crate::setting::Outcome;
use serde_json::{Value, json};

const COPIES: [u64; 7] = [1, 2, 4, 8, 10, 12, 16];
const LANES: [u64; 3] = [1, 4, 16];

/// What there is of each unit.
const UNITS: [u64; 4] = [200, 200, 80, 16];

/// The best settings of a kernel.
#[derive(Debug)]
pub(super) struct Best {
    /// With the fewest cycles of those that fit.
    fastest: Tried,
    /// With the fewest cycles times the largest share of a unit.
    trade: Tried,
}

#[derive(Clone, Debug)]
struct Tried {
    copies: u64,
    lanes: u64,
    cycles: f64,
    /// The largest share of what there is of a unit.
    share: f64,
}

/// Tries all settings.
///
/// # Errors
/// None of them fits the machine.
pub(super) fn best(run: impl Fn(u64, u64) -> Outcome<Run>) -> Outcome<Best> {
    let mut tried = Vec::new();
    for (copies, lanes) in COPIES.into_iter().flat_map(|copies| LANES.map(|lanes| (copies, lanes))) {
        let run = run(copies, lanes)?;
        let shares = run.resources.iter().zip(UNITS).map(|(taken, there)| *taken as f64 / there as f64);
        let share = shares.fold(0.0, f64::max);
        if run.fits {
            tried.push(Tried { copies, lanes, cycles: run.cycles[1], share });
        }
    }
    let least = |cost: fn(&Tried) -> f64| tried.iter().min_by(|a, b| cost(a).total_cmp(&cost(b))).cloned();
    match (least(|tried| tried.cycles), least(|tried| tried.cycles * tried.share)) {
        (Some(fastest), Some(trade)) => Ok(Best { fastest, trade }),
        _ => Err("no setting fits the machine".to_owned()),
    }
}

impl Best {
    pub(super) fn cells(&self) -> String {
        [&self.fastest, &self.trade].map(Tried::cells).join(" | ")
    }

    pub(super) fn json(&self) -> Value {
        json!({ "fastest": self.fastest.json(), "trade": self.trade.json() })
    }
}

impl Tried {
    fn cells(&self) -> String {
        let Self { copies, lanes, cycles, share } = self;
        format!("{copies}, {lanes} | {cycles:.0} | {:.0} %", 100.0 * share)
    }

    fn json(&self) -> Value {
        json!({ "copies": self.copies, "lanes": self.lanes, "cycles": self.cycles, "share": self.share })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cycles fall with copies and lanes; units grow with copies, and 16 of these do not fit.
    #[test]
    fn what_fits_is_chosen() {
        let run = |copies: u64, lanes: u64| {
            let cycles = 1000.0 + 16_000.0 / (copies * lanes) as f64;
            let resources = [10 * copies, 5, 6 * copies, 0];
            Ok(Run { resources, fits: copies < 16, cycles: [0.0, cycles, 0.0], by_bandwidth: Vec::new() })
        };
        let best = best(run).expect("some fit");
        assert_eq!((best.fastest.copies, best.fastest.lanes), (12, 16));
        assert_eq!((best.trade.copies, best.trade.lanes), (1, 16));
    }
}
