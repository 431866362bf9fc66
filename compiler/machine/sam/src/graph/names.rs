//! What files call the choices that blocks have.

use super::{Alu, Dropped, Element, EmptyFiber, Fibers, Form, How, Kept, Operator, Places};

impl EmptyFiber {
    /// Its name in the files of graphs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Zero => "zero",
            Self::Removed => "removed",
            Self::Absent => "absent",
            Self::Token => "token",
        }
    }
}

impl Kept {
    /// Its name in the files of graphs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Stored => "stored",
            Self::NotStored => "not-stored",
            Self::NotZero => "not-zero",
            Self::Zero => "zero",
        }
    }
}

impl Fibers {
    /// Its name in the files of graphs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Nested => "nested",
            Self::Single => "single",
        }
    }
}

impl Places {
    /// Its name in the files of graphs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::InOrder => "in-order",
            Self::Scattered => "scattered",
            Self::Kept => "kept",
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
            Self::EmptyFibersOfValues => "empty fibers of values",
            Self::Absent => "absent",
            Self::Zeros(_) => "zeros",
        }
    }
}

impl How {
    /// Its name in the files of graphs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Intersect => "intersect",
            Self::Union => "union",
        }
    }

    /// How the patterns of an operator's operands meet where nothing else is said.
    pub const fn of(operator: Operator) -> Self {
        if operator.unites() { Self::Union } else { Self::Intersect }
    }
}

impl Alu {
    /// One whose operands meet as they do where nothing else is said.
    pub const fn new(operator: Operator, element: Element) -> Self {
        Self { operator, element, how: How::of(operator) }
    }

    /// The type of the block in the files of graphs.
    pub const fn type_name(self) -> &'static str {
        self.operator.type_name()
    }
}
