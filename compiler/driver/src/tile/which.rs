//! Which statements of a program are tiled, by their schedules.

use super::auto::is_automatic;
use comet_sema::program::{Assign, Stmt, assignments};

/// Which statements are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Which {
    /// All that can have tiles.
    All,
    /// Those with a `tile` in their schedules.
    Scheduled,
    /// Those with a `tile` that leaves sizes open.
    Automatic,
}

impl Which {
    pub(super) fn takes(self, assign: &Assign) -> bool {
        match self {
            Self::All => true,
            Self::Scheduled => has_tile(assign),
            Self::Automatic => is_automatic(assign),
        }
    }

    /// Those with a `tile`, if there are some.
    pub(crate) fn of(body: &[Stmt]) -> Self {
        if assignments(body).any(has_tile) { Self::Scheduled } else { Self::All }
    }
}

fn has_tile(assign: &Assign) -> bool {
    assign.commands().iter().any(|command| command.name.name == "tile")
}
