//! Why nothing moves any more.

use super::fault::Fault;

/// What a block waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wait {
    /// Room in the queue of this reader.
    Room(usize),
    /// A token of this writer.
    Token(usize),
}

impl Wait {
    fn on(self) -> usize {
        match self {
            Self::Room(block) | Self::Token(block) => block,
        }
    }
}

/// Tells the cycle of blocks that wait for each other, or the block that has ended too early.
pub(super) fn explain(names: &[&str], waits: &[Option<Wait>], cycle: u64) -> Fault {
    let Some(start) = waits.iter().position(Option::is_some) else {
        return Fault::new(format!("nothing moves in cycle {cycle}, and a writer has not been told the end"));
    };
    let mut path = vec![start];
    loop {
        let last = path[path.len() - 1];
        let Some(wait) = waits[last] else {
            let waiting = names[path[path.len().saturating_sub(2)]];
            return Fault::new(format!(
                "nothing moves in cycle {cycle}: `{waiting}` waits for a token of `{}`, which has ended",
                names[last]
            ));
        };
        if let Some(first) = path.iter().position(|&block| block == wait.on()) {
            return circle(names, waits, &path[first..], cycle);
        }
        path.push(wait.on());
    }
}

fn circle(names: &[&str], waits: &[Option<Wait>], blocks: &[usize], cycle: u64) -> Fault {
    let reason = |block: &usize| match waits[*block] {
        Some(Wait::Room(reader)) => format!("`{}` waits for room at `{}`", names[*block], names[reader]),
        Some(Wait::Token(writer)) => format!("`{}` waits for a token of `{}`", names[*block], names[writer]),
        None => String::new(),
    };
    let reasons: Vec<String> = blocks.iter().map(reason).collect();
    let waits_for_room = blocks.iter().any(|block| matches!(waits[*block], Some(Wait::Room(_))));
    let message = format!("deadlock in cycle {cycle}: {}", reasons.join(", "));
    match waits_for_room {
        true => Fault::of_options(message).hint("deepen the queues, or leave them unbounded"),
        false => Fault::new(message).hint("the streams lead in a circle, in which no block can begin"),
    }
}
