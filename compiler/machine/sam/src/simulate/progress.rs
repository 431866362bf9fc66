//! How far a run has come, for those who wait for its end.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The last cycle in which a block has done something.
    pub cycles: u64,
    pub tokens: u64,
}

/// Receives now and then how far a run has come: after the same steps of the same graph, some tens of
/// times a second.
pub type Watch<'w> = dyn FnMut(Progress) + 'w;
