//! Runs that are observed, beside those that are not.

use comet_sam::graph::Graph;
use comet_sam::simulate::{
    Observe, Profile, Profiled, RunReport, SimulationOptions, Trace, TraceFormat, simulate, simulate_observed,
};
use comet_sam::storage::StoredTensor;
use std::collections::BTreeMap;

/// A run with its profile, and its trace.
pub(crate) fn observed(
    graph: &Graph,
    tensors: &BTreeMap<String, StoredTensor>,
    options: SimulationOptions,
    format: TraceFormat,
) -> (Result<RunReport, String>, String) {
    let mut text = Vec::new();
    let mut trace = Trace::new(format, &[graph], &mut text).expect("memory can be written to");
    let observe = Observe { trace: Some((&mut trace, 0)), profiled: Profiled::All };
    let outcome = simulate_observed(graph, tensors, options, &mut |_| {}, observe);
    drop(trace);
    (outcome.map_err(|fault| fault.to_string()), String::from_utf8(text).expect("it is text"))
}

/// Takes the same cycles with the same result as a run that is not observed; the counts over time and the
/// trace add up to those of the run, and the critical path is in a block in each cycle.
pub(crate) fn compare(
    graph: &Graph,
    tensors: &BTreeMap<String, StoredTensor>,
    options: SimulationOptions,
) -> Result<RunReport, String> {
    let plain = simulate(graph, tensors, options).map_err(|fault| fault.to_string())?;
    let (outcome, trace) = observed(graph, tensors, options, TraceFormat::Csv);
    let mut outcome = outcome?;
    let profile = outcome.profile.take().ok_or("there is no profile")?;
    if outcome != plain {
        return Err(format!("observed {outcome:?}, otherwise {plain:?}"));
    }
    check_profile(&profile, &outcome, options)?;
    let mut tokens: BTreeMap<&str, u64> = BTreeMap::new();
    for line in trace.lines().skip(1) {
        let name = line.splitn(3, ',').nth(2).ok_or("a line has a stream")?;
        let (name, _) = match name.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').ok_or("a quote ends")?,
            None => name.split_once(',').ok_or("a kind follows")?,
        };
        *tokens.entry(name).or_default() += 1;
    }
    let has = |name: &str| tokens.get(name).copied().unwrap_or_default();
    match outcome.streams.iter().find(|stream| stream.counts.total() != has(&stream.name)) {
        Some(stream) => Err(format!("{} of {stream:?} are traced", has(&stream.name))),
        None => Ok(outcome),
    }
}

fn check_profile(profile: &Profile, outcome: &RunReport, options: SimulationOptions) -> Result<(), String> {
    let critical = profile.critical.iter().sum::<u64>();
    if critical > outcome.cycles || (options.memory.is_none() && critical != outcome.cycles) {
        return Err(format!("{critical} critical cycles of {}", outcome.cycles));
    }
    let timeline = profile.timeline.as_ref().ok_or("there is no time axis")?;
    if timeline.bins() as u64 != outcome.cycles.div_ceil(timeline.width) {
        return Err(format!("{} bins of {} cycles", timeline.bins(), timeline.width));
    }
    let sums = |rows: &[Vec<u64>]| -> Vec<u64> { rows.iter().map(|row| row.iter().sum()).collect() };
    let busy: Vec<u64> = outcome.blocks.iter().map(|block| block.busy).collect();
    let tokens: Vec<u64> = outcome.streams.iter().map(|stream| stream.counts.total()).collect();
    let are_equal = sums(&timeline.busy) == busy && sums(&timeline.tokens) == tokens;
    if !are_equal || sums(&timeline.critical) != profile.critical {
        return Err(format!("{timeline:?} is not what {outcome:?} has"));
    }
    let ends = profile.phases.windows(2).all(|pair| pair[0].last < pair[1].first);
    if ends { Ok(()) } else { Err(format!("phases are not behind each other: {:?}", profile.phases)) }
}
