//! A statement as the lowering takes it: loops over index variables, producers and consumers, assignments.

use super::presence::{Atom, Formula, Set};
use crate::app::{Role, Scalar, mode_of};
use comet_format::Level;
use comet_notation::{Function, Operator, Patterns, distinct};
use std::fmt;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Nest {
    pub name: String,
    pub tensors: Vec<NestTensor>,
    /// The names of its index variables.
    pub vars: Vec<String>,
    /// For each of them, the first one that has the same extent for sure.
    pub extents: Vec<Var>,
    /// For each of them, its extent, where that is known before anything runs.
    pub sizes: Vec<Option<i64>>,
    /// The index variables that are divided into tiles.
    pub tiles: Vec<Tiles>,
    /// Numbers that are known only when it runs: names and types.
    pub numbers: Vec<(String, Scalar)>,
    pub body: Vec<NestStmt>,
    /// Whether a dense result begins as 0, or what its reduction begins with, and not as what it holds.
    pub is_cleared: bool,
    /// What `communicate` says: results, and the loops that they are stored behind.
    pub communicated: Vec<(usize, Var)>,
    pub environment: Vec<(String, i64)>,
}

/// An index variable of the program that is divided: its coordinate is `tile * size + within`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tiles {
    pub tile: Var,
    /// The variable over the coordinates in a tile.
    pub within: Var,
    /// How many coordinates a tile has.
    pub size: i64,
    /// Whether the last tile has all of its coordinates for sure.
    pub is_even: bool,
}

/// The number of an index variable in [`Nest::vars`].
pub type Var = usize;

#[derive(Clone, Debug, PartialEq)]
pub struct NestTensor {
    /// Its name; unique.
    pub name: String,
    pub element: Scalar,
    /// Its levels in storage order, each with the number of its index in an [`NestAccess`].
    pub levels: Vec<Level>,
    /// For each index of an access, the mode: one that tiles divide has two.
    pub modes: Vec<usize>,
    pub home: Home,
    /// Whether all of it is to be on chip while the application runs: `memory=onchip`, of dense tensors.
    pub is_resident: bool,
    pub is_temporary: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Home {
    /// In the memory that the host shares.
    OffChip,
    /// A temporary on the accelerator.
    OnChip,
    /// A temporary that is a register.
    Scalar,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NestAccess {
    /// Its number in [`Nest::tensors`].
    pub tensor: usize,
    /// An index variable for each mode, two for one that tiles divide: the tile, and the coordinate in it.
    pub indices: Vec<Var>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum NestStmt {
    /// For all values of a variable that matter.
    Forall {
        var: Var,
        par: Parallelism,
        body: Vec<NestStmt>,
    },
    /// The consumer, where the producer has computed the temporary before.
    Where {
        consumer: Vec<NestStmt>,
        producer: Vec<NestStmt>,
        temporary: usize,
    },
    Assign(NestAssign),
}

#[derive(Clone, Debug, PartialEq)]
pub struct NestAssign {
    pub target: NestAccess,
    /// How the value meets what is there; `None` overwrites.
    pub reduction: Option<Operator>,
    pub value: Value,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Parallelism {
    /// As is usual at the loop's place.
    #[default]
    Usual,
    Number(i64),
    /// As many as a setting of the environment says.
    Setting(String),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Access(NestAccess),
    /// A constant of a type.
    Int(i64, Scalar),
    /// A constant of a type.
    Float(f64, Scalar),
    /// One of [`Nest::numbers`].
    Number(usize),
    Negate(Box<Value>),
    To(Scalar, Box<Value>),
    Apply(Function, Box<Value>),
    /// Two values in one; their patterns meet as is said.
    Combine(Patterns, Operator, Box<Value>, Box<Value>),
    /// A value where a tensor is stored (a dense one: where it is not 0), or, of the complement, where not.
    Mask {
        value: Box<Value>,
        mask: NestAccess,
        /// Where it is not stored.
        complement: bool,
    },
}

/// What cannot be lowered, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    pub message: String,
    pub hint: Option<String>,
    /// The variable whose loop it is about, if it is about what is said of one.
    pub var: Option<Var>,
    /// The tensor whose values it is about, if there is one.
    pub tensor: Option<usize>,
}

impl Refusal {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), hint: None, var: None, tensor: None }
    }

    pub(super) fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }

    pub(super) fn of_loop(self, var: Var) -> Self {
        Self { var: Some(var), ..self }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Refusal {}

impl NestTensor {
    pub(super) fn last_compressed(&self) -> Option<usize> {
        self.levels.iter().rposition(|level| !level.is_full())
    }

    /// Whether it is dense, and all of it is to be on chip.
    pub(super) fn is_whole(&self) -> bool {
        self.is_resident && self.last_compressed().is_none() && !self.levels.is_empty()
    }

    pub(super) fn trailing(&self) -> std::ops::Range<usize> {
        self.last_compressed().map_or(0, |level| level + 1)..self.levels.len()
    }
}

impl Nest {
    pub(super) fn var_at(&self, access: &NestAccess, level: usize) -> Var {
        access.indices[mode_of(&self.tensors[access.tensor].levels[level])]
    }

    pub(super) fn level_over(&self, access: &NestAccess, var: Var) -> Option<usize> {
        (0..access.indices.len()).find(|level| self.var_at(access, *level) == var)
    }

    pub(super) fn is_full_at(&self, access: &NestAccess, level: usize) -> bool {
        self.tensors[access.tensor].levels[level].is_full()
    }

    /// The accesses that statements read, each once.
    pub(super) fn accesses<'s>(&self, body: &'s [NestStmt]) -> Vec<&'s NestAccess> {
        distinct(body.iter().flat_map(NestStmt::assigns).flat_map(|assign| assign.value.accesses()))
    }

    pub(super) fn assigns(&self) -> impl Iterator<Item = &NestAssign> {
        self.body.iter().flat_map(NestStmt::assigns)
    }

    /// Returns the condition that an access is stored where the loops are, in its levels before one.
    pub(super) fn stored_above(&self, access: &NestAccess, level: usize) -> Formula {
        let compressed = (0..level).filter(|level| !self.is_full_at(access, *level));
        let atoms =
            compressed.map(|level| Formula::Atom(Atom::Level(access.clone(), self.var_at(access, level))));
        atoms.fold(Formula::True, Formula::and)
    }

    /// Returns the condition that holds in a loop over a set of coordinates.
    pub(super) fn known_in(&self, var: Var, set: &Set) -> Formula {
        set.map(&|access: &NestAccess| {
            let level = self.level_over(access, var).expect("an operand of a set is over its variable");
            self.stored_above(access, level + 1)
        })
    }

    /// Whether a tensor is a row that stays on chip.
    pub(super) fn is_row(&self, tensor: usize) -> bool {
        let tensor = &self.tensors[tensor];
        tensor.home == Home::OnChip && tensor.levels.first().is_some_and(|level| !level.is_full())
    }

    /// The number of elements of the levels from one on, if that is known.
    pub(super) fn elements_from(&self, access: &NestAccess, first: usize) -> Option<i128> {
        let sizes = (first..access.indices.len()).map(|level| self.sizes[self.var_at(access, level)]);
        sizes.map(|size| size.map(i128::from)).product()
    }

    /// Whether the levels from one on are known to have more elements than an SRAM.
    pub(super) fn is_too_large(&self, access: &NestAccess, first: usize) -> bool {
        let size = self.elements_from(access, first);
        size.is_some_and(|size| size > i128::from(self.setting_value("nnz_accel_max")))
    }

    /// What a tensor is to the application, apart from whether it is computed on top of what it holds.
    pub(super) fn role(&self, tensor: usize) -> Role {
        let assigns: Vec<&NestAssign> = self.assigns().collect();
        let mut values = assigns.iter().flat_map(|assign| assign.value.accesses());
        if !assigns.iter().any(|assign| assign.target.tensor == tensor) {
            Role::Operand
        } else if values.any(|access| access.tensor == tensor) {
            Role::Updated
        } else {
            Role::Result
        }
    }

    /// The number of iterations at once that a schedule asks for.
    pub(super) fn asked(&self, par: &Parallelism) -> i64 {
        match par {
            Parallelism::Number(number) => *number,
            Parallelism::Setting(setting) => {
                let mut said = self.environment.iter().rev();
                said.find(|(name, _)| name == setting).map_or(1, |(_, value)| *value)
            }
            Parallelism::Usual => 1,
        }
    }
}

impl Value {
    /// Every access, in the order of the text, each once.
    pub(super) fn accesses(&self) -> Vec<&NestAccess> {
        match self {
            Self::Access(access) => vec![access],
            Self::Int(..) | Self::Float(..) | Self::Number(_) => Vec::new(),
            Self::Negate(value) | Self::To(_, value) | Self::Apply(_, value) => value.accesses(),
            Self::Mask { value, mask, .. } => distinct(value.accesses().into_iter().chain([mask])),
            Self::Combine(_, _, left, right) => distinct(left.accesses().into_iter().chain(right.accesses())),
        }
    }
}

impl NestAssign {
    /// What it reads, and what it assigns to.
    pub(super) fn accesses(&self) -> impl Iterator<Item = &NestAccess> {
        self.value.accesses().into_iter().chain([&self.target])
    }
}

impl NestStmt {
    /// The same statement with others in it.
    pub(super) fn map_inner(self, mut map: impl FnMut(Self) -> Self) -> Self {
        let mut all = |body: Vec<Self>| body.into_iter().map(&mut map).collect();
        match self {
            Self::Forall { var, par, body } => Self::Forall { var, par, body: all(body) },
            Self::Where { consumer, producer, temporary } => {
                Self::Where { consumer: all(consumer), producer: all(producer), temporary }
            }
            Self::Assign(_) => self,
        }
    }

    /// Every assignment, producers' first.
    pub(super) fn assigns(&self) -> Vec<&NestAssign> {
        match self {
            Self::Forall { body, .. } => body.iter().flat_map(Self::assigns).collect(),
            Self::Where { consumer, producer, .. } => {
                producer.iter().chain(consumer).flat_map(Self::assigns).collect()
            }
            Self::Assign(assign) => vec![assign],
        }
    }

    /// Calls a function with every assignment and the loops around it, producers first.
    pub(super) fn walk_assigns<'s, E>(
        &'s self,
        loops: &mut Vec<Var>,
        visit: &mut impl FnMut(&[Var], &'s NestAssign) -> Result<(), E>,
    ) -> Result<(), E> {
        match self {
            Self::Forall { var, body, .. } => {
                loops.push(*var);
                body.iter().try_for_each(|stmt| stmt.walk_assigns(loops, visit))?;
                loops.pop();
                Ok(())
            }
            Self::Where { consumer, producer, .. } => {
                producer.iter().chain(consumer).try_for_each(|stmt| stmt.walk_assigns(loops, visit))
            }
            Self::Assign(assign) => visit(loops, assign),
        }
    }
}
