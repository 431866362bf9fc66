//! What files call the choices that blocks have.

use super::{Dropped, EmptyFiber, Form, Operator};

impl EmptyFiber {
    /// Its name in the files of graphs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Zero => "zero",
            Self::Removed => "removed",
            Self::Absent => "absent",
        }
    }
}

impl Form {
    /// Its name in the files of graphs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Levels => "levels",
            Self::Points => "points",
        }
    }
}

impl Dropped {
    /// Its name in reports. DOT has `mode` for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::EmptyFibers => "empty fibers",
            Self::Absent => "absent",
            Self::Zeros => "zeros",
        }
    }
}

impl Operator {
    /// Its name in reports. DOT has types and `sub` for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Multiply => "multiply",
            Self::Add => "add",
            Self::Subtract => "subtract",
        }
    }
}
