//! Ours and its peers in turns.

use super::check::{self, Entries};
use super::turns::{Entrant, Running, Turn};
use crate::setting::Outcome;
use crate::timing::Pairs;
use std::path::Path;

/// How it is measured.
#[derive(Clone, Copy)]
pub(super) struct Method<'a> {
    pub(super) runs: u32,
    pub(super) turn: Turn,
    /// Where results are compared.
    pub(super) folder: &'a Path,
}

/// What was measured.
pub(super) struct Contest {
    /// Our seconds, a run each.
    pub(super) ours: Vec<f64>,
    /// The peers that have the operation, the fastest first.
    pub(super) peers: Vec<Measured>,
}

/// A peer, with its times next to ours.
pub(super) struct Measured {
    pub(super) name: String,
    pub(super) pairs: Pairs,
}

/// A peer whose best time is so many times that of the fastest one after two runs takes part no more: its
/// median will not be the least.
const HOPELESS: f64 = 1.5;

/// Ours against all peers. Their results must agree with ours before anything is timed.
pub(super) fn compete(ours: &Entrant, peers: &[Entrant], method: Method) -> Outcome<Contest> {
    compete_with(ours, peers, &[], method)
}

/// The same, and more peers whose results are not ours: they have other operands, or do something else.
pub(super) fn compete_with(
    ours: &Entrant,
    peers: &[Entrant],
    others: &[Entrant],
    method: Method,
) -> Outcome<Contest> {
    let mut running = vec![Running::start(ours)?.ok_or("comet has every operation")?];
    running.extend(started(peers)?);
    if let [first, peers @ ..] = running.as_mut_slice() {
        let read = if ours.result == "sparse" { Entries::read } else { Entries::dense };
        check::all_agree(first, peers, method.folder, read)?;
    }
    running.extend(started(others)?);
    take_turns(running, method)
}

/// The peers that have the operation.
fn started(peers: &[Entrant]) -> Outcome<Vec<Running>> {
    let started: Outcome<Vec<Option<Running>>> = peers.iter().map(Running::start).collect();
    Ok(started?.into_iter().flatten().collect())
}

fn take_turns(mut running: Vec<Running>, method: Method) -> Outcome<Contest> {
    let mut ours = running.remove(0);
    let measured =
        |peer: Running| (Measured { name: peer.name.clone(), pairs: Pairs::default() }, Some(peer));
    let mut peers: Vec<(Measured, Option<Running>)> = running.into_iter().map(measured).collect();
    let mut our_times = Vec::new();
    for run in 0..method.runs {
        let our_time = ours.time(method.turn)?;
        our_times.push(our_time);
        for (measured, peer) in &mut peers {
            if let Some(peer) = peer {
                measured.pairs.push(our_time, peer.time(method.turn)?);
            }
        }
        if run == 1 {
            let fastest =
                peers.iter().map(|(peer, _)| peer.pairs.shortest_of_peer()).fold(f64::INFINITY, f64::min);
            let hopeless = |measured: &Measured| measured.pairs.shortest_of_peer() > HOPELESS * fastest;
            peers.iter_mut().filter(|(peer, _)| hopeless(peer)).for_each(|(_, running)| *running = None);
        }
    }
    let mut measured: Vec<Measured> = peers.into_iter().map(|(measured, _)| measured).collect();
    measured.sort_by(|a, b| a.pairs.peer().total_cmp(&b.pairs.peer()));
    Ok(Contest { ours: our_times, peers: measured })
}
