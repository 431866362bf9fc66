//! Why nothing moves any more.

use super::fault::SimulationFault;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wait {
    /// Room at this reader: in its queue, or for one more tile that is brought for it.
    Room(usize),
    Token(usize),
}

impl Wait {
    fn on(self) -> usize {
        match self {
            Self::Room(block) | Self::Token(block) => block,
        }
    }
}

/// A run in which nothing moves any more, and not all is written.
pub(super) struct Stuck<'a> {
    pub(super) names: Vec<&'a str>,
    pub(super) waits: Vec<Option<Wait>>,
    pub(super) cycle: u64,
    pub(super) more_room: Option<&'static str>,
}

impl Stuck<'_> {
    /// Describes the cycle of blocks that wait for each other, or the block that has ended too early.
    pub(super) fn explain(&self) -> SimulationFault {
        let start = self.waits.iter().position(Option::is_some).expect("a writer has not ended");
        let mut path = Vec::new();
        let mut last = start;
        while let Some(wait) = self.waits[last] {
            if let Some(first) = path.iter().position(|&block| block == last) {
                return self.circle(&path[first..]);
            }
            path.push(last);
            last = wait.on();
        }
        let reason = self.reason(path[path.len() - 1]);
        self.fault(&path, format!("nothing moves in cycle {}: {reason}, which has ended", self.cycle))
    }

    fn circle(&self, blocks: &[usize]) -> SimulationFault {
        let reasons: Vec<String> = blocks.iter().map(|block| self.reason(*block)).collect();
        let fault = self.fault(blocks, format!("deadlock in cycle {}: {}", self.cycle, reasons.join(", ")));
        let circle = "the streams lead in a circle, in which no block can begin";
        SimulationFault { hint: fault.hint.or_else(|| Some(circle.to_owned())), ..fault }
    }

    fn reason(&self, block: usize) -> String {
        let name = self.names[block];
        match self.waits[block] {
            Some(Wait::Room(reader)) => format!("`{name}` waits for room at `{}`", self.names[reader]),
            Some(Wait::Token(writer)) => format!("`{name}` waits for a token of `{}`", self.names[writer]),
            None => format!("`{name}` has ended"),
        }
    }

    /// Options are to blame where one of these blocks waits for room, and there is little of it.
    fn fault(&self, blocks: &[usize], message: String) -> SimulationFault {
        let waits_for_room = blocks.iter().any(|block| matches!(self.waits[*block], Some(Wait::Room(_))));
        match self.more_room.filter(|_| waits_for_room) {
            Some(more_room) => SimulationFault::of_options(message).hint(more_room),
            None => SimulationFault::new(message),
        }
    }
}
