//! What was tried and how long it took, for people and as JSON.

use super::search::{CandidateSearch, CandidateState, GAIN, Tried};
use super::worker::PLAIN;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// A table of all candidates, those of the last stage first.
pub(crate) fn text(search: &CandidateSearch<'_>) -> String {
    let plain = search.tried[PLAIN].times.median();
    let mut text = format!("schedules of {}, medians and middle halves:\n", search.target.name());
    for number in order(search) {
        let tried = &search.tried[number];
        let name = if number == PLAIN { "(as it is)" } else { &tried.schedule };
        let _ = writeln!(text, "{}  {name}", line(search, tried, plain));
    }
    text + &verdict(search)
}

/// All candidates: finalists by their medians, then the others by what became of them.
fn order(search: &CandidateSearch<'_>) -> Vec<usize> {
    let time = |number: &usize| match search.tried[*number].state {
        CandidateState::Alive => search.tried[*number].times.median(),
        _ => search.tried[*number].fastest(),
    };
    let mut order: Vec<usize> = (0..search.tried.len()).collect();
    let group = |number: &usize| match search.tried[*number].state {
        CandidateState::Alive if search.finalists.contains(number) => 0,
        CandidateState::Alive => 1,
        CandidateState::Dropped => 2,
        CandidateState::Ended(_) => 3,
        CandidateState::Same(_) => 4,
        CandidateState::Refused(_) => 5,
    };
    order.sort_by(|left, right| {
        group(left).cmp(&group(right)).then_with(|| time(left).total_cmp(&time(right)))
    });
    order
}

fn line(search: &CandidateSearch<'_>, tried: &Tried, plain: f64) -> String {
    let milliseconds = |time: f64| format!("{:>10.4} ms", time * 1e3);
    match &tried.state {
        CandidateState::Alive => {
            let [low, high] = [0.25, 0.75].map(|share| tried.times.quantile(share).unwrap_or(f64::NAN) * 1e3);
            let median = tried.times.median();
            let share = median / plain;
            format!("{} {low:>10.4} .. {high:<10.4} {share:>5.2}", milliseconds(median))
        }
        CandidateState::Dropped => format!("{} dropped: clearly slower", milliseconds(tried.fastest())),
        CandidateState::Ended(why) => format!("  ended: {why}:"),
        CandidateState::Same(PLAIN) => "  the same code as it is:".to_owned(),
        CandidateState::Same(other) => format!("  the same code as `{}`:", schedule(search, *other)),
        CandidateState::Refused(why) => format!("  refused: {why}:"),
    }
}

/// The schedule of a candidate that the bench has given that number, of another target perhaps.
fn schedule<'a>(search: &'a CandidateSearch<'_>, number: usize) -> &'a str {
    let found = search.tried.iter().find(|tried| tried.number == number);
    found.map_or("", |tried| &tried.schedule)
}

fn verdict(search: &CandidateSearch<'_>) -> String {
    let winner = &search.tried[search.winner()];
    let plain = search.tried[PLAIN].times.median();
    match search.winner() {
        PLAIN => format!(
            "the program as it is: no schedule is faster by {:.0} % and by more than the times vary",
            GAIN * 100.0
        ),
        _ => format!("the fastest, {:.2} times as fast: {}", plain / winner.times.median(), winner.schedule),
    }
}

/// The same as data: times in seconds, the chosen schedule, which is empty for the program as it is.
pub(crate) fn json(search: &CandidateSearch<'_>) -> Value {
    let candidates: Vec<Value> = search.tried.iter().map(|tried| candidate(search, tried)).collect();
    json!({
        "statement": search.target.statement.target.text(),
        "candidates": candidates,
        "chosen": search.tried[search.winner()].schedule,
    })
}

fn candidate(search: &CandidateSearch<'_>, tried: &Tried) -> Value {
    let quantile = |share: f64| tried.times.quantile(share);
    let (state, reason) = match &tried.state {
        CandidateState::Alive => ("measured", None),
        CandidateState::Dropped => ("dropped", None),
        CandidateState::Ended(why) => ("ended", Some(why.clone())),
        CandidateState::Same(other) => ("same", Some(schedule(search, *other).to_owned())),
        CandidateState::Refused(why) => ("refused", Some(why.clone())),
    };
    json!({
        "schedule": tried.schedule,
        "state": state,
        "reason": reason,
        "runs": tried.times.len(),
        "median": quantile(0.5),
        "quartiles": [quantile(0.25), quantile(0.75)],
        "fastest": Some(tried.fastest()).filter(|time| time.is_finite()),
    })
}
