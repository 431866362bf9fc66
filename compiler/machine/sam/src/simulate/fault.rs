//! What a simulation fails with.

/// A fault of the graph, a tensor or a stream, with a message as `format!` has it.
macro_rules! fault {
    ($($message:tt)*) => {
        $crate::simulate::SimulationFault::new(format!($($message)*))
    };
}

/// A graph, a tensor or a stream that is not as it should be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct SimulationFault {
    pub message: String,
    pub hint: Option<String>,
    pub cause: Cause,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    Graph,
    /// The values, which an operator is not there for.
    Values,
    /// How it was to be run: queues that are too short, a memory that is too small.
    Options,
}

impl SimulationFault {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), hint: None, cause: Cause::Graph }
    }

    pub(super) fn of_values(message: impl Into<String>) -> Self {
        Self { cause: Cause::Values, ..Self::new(message) }
    }

    pub(super) fn of_options(message: impl Into<String>) -> Self {
        Self { cause: Cause::Options, ..Self::new(message) }
    }

    pub(super) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}
