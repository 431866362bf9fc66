//! Concrete index notation as plain data (Kjolstad 2019, stardust.txt section 2.1): one statement of a
//! program as loops over index variables, workspaces and assignments.
//!
//! Everything is a row of a table of the [`Compute`] and is named by its number there, so that whoever made
//! the compute can keep beside it what the rows stand for.

use crate::relations::Relations;
use crate::{Function, Operator};
use comet_format::{Format, ValueType};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident)*) => {
        $($(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub usize);)*
    };
}

ids! {
    /// An index variable of a [`Compute`].
    Var
    /// A tensor variable or workspace of a [`Compute`].
    TensorId
    /// A value of an expression.
    ValueId
    LoopId
    WhereId
    AssignId
}

/// One statement of a program.
#[derive(Clone, Debug, Default)]
pub struct Compute {
    pub vars: Vec<IndexVar>,
    pub relations: Relations<Var, TensorId>,
    pub tensors: Vec<TensorVar>,
    pub values: Vec<Value>,
    pub loops: Vec<Forall>,
    pub wheres: Vec<Where>,
    pub assigns: Vec<Assign>,
    pub body: Block,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexVar {
    pub name: String,
    /// The number of its values, where it is a variable of the expression and the text fixes it.
    pub extent: Option<u64>,
    /// Whether it is a variable of the expression; the others follow by [`Relations`].
    pub origin: Origin,
}

/// Where an index variable comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    Expression,
    Derived,
}

/// A tensor variable or a workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TensorVar {
    pub name: String,
    pub format: Format,
    pub element: ValueType,
    /// How it is kept, where it is a workspace.
    pub workspace: Option<WorkspaceKind>,
}

impl TensorVar {
    /// Returns whether it is a workspace that is kept in values of the generated code or in plain arrays, and
    /// not in the levels of a format.
    pub fn is_unstored_workspace(&self) -> bool {
        self.workspace.is_some_and(|kind| {
            !matches!(kind, WorkspaceKind::Levels | WorkspaceKind::Hash | WorkspaceKind::List)
        })
    }

    /// Returns whether it is a tensor of the program that stores only some coordinates.
    pub fn is_sparse_of_program(&self) -> bool {
        self.workspace.is_none() && !self.format.is_dense()
    }
}

/// How a workspace is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WorkspaceKind {
    /// A value that loops carry.
    Scalar,
    /// The lanes of a vector that loops carry.
    Registers,
    Dense,
    Hash,
    /// A list of coordinates with values.
    List,
    /// The levels of its format.
    Levels,
}

impl WorkspaceKind {
    /// Returns whether loops carry it.
    pub fn is_carried(self) -> bool {
        matches!(self, Self::Scalar | Self::Registers)
    }
}

/// A tensor at the point that index variables name. Two accesses of a tensor under the same variables are the
/// same.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Access {
    pub tensor: TensorId,
    pub indices: Vec<Var>,
}

/// A value of an expression. Operands come before it.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number or a scalar of the program.
    Outside,
    Access(Access),
    Neg(ValueId),
    Cast(ValueId),
    Apply(Function, ValueId),
    /// A value where a condition is 0 or absent.
    Drop {
        value: ValueId,
        condition: ValueId,
    },
    /// An operator that unites the patterns of its operands.
    Unite(Operator, [ValueId; 2]),
    /// An operator that intersects the patterns of its operands.
    Intersect(Operator, [ValueId; 2]),
    /// A value where an access is stored, or where it is not.
    Mask {
        value: ValueId,
        mask: ValueId,
        kept: Kept,
    },
}

impl Value {
    /// Returns the values that it is made of, from left to right.
    pub fn operands(&self) -> Vec<ValueId> {
        match self {
            Self::Outside | Self::Access(_) => Vec::new(),
            Self::Neg(value) | Self::Cast(value) | Self::Apply(_, value) => vec![*value],
            Self::Drop { value, condition } => vec![*value, *condition],
            Self::Unite(_, operands) | Self::Intersect(_, operands) => operands.to_vec(),
            Self::Mask { value, mask, .. } => vec![*value, *mask],
        }
    }
}

/// Which side of a mask keeps its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    Stored,
    Complement,
}

pub type Block = Vec<Stmt>;

/// A statement of a block, or a value that later ones of the block use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stmt {
    Value(ValueId),
    /// Declares a workspace, which lives as long as the block.
    Workspace(TensorId),
    Forall(LoopId),
    Where(WhereId),
    Assign(AssignId),
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Forall {
    pub var: Var,
    pub schedule: LoopSchedule,
    pub body: Block,
}

impl Default for Var {
    fn default() -> Self {
        Self(usize::MAX)
    }
}

/// How a loop is to be run; it never changes the result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LoopSchedule {
    /// Whether iterations may run at the same time on processors.
    pub parallel: Parallel,
    /// The number of tasks, where a command states it.
    pub tasks: Option<u64>,
    pub unroll: Option<u64>,
    /// The number of lanes of the vectors that it is to use.
    pub vectorize: Option<u64>,
}

/// What runs the iterations of a loop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Parallel {
    #[default]
    No,
    Processors,
    /// An accelerator, which the CPU back end leaves aside.
    Accelerator,
}

/// The notation's `consumer where producer`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Where {
    pub consumer: Block,
    pub producer: Block,
    /// One assignment to each workspace that the where-statement computes: those that its producer assigns to
    /// and that are declared in the same block as it.
    pub produced: Vec<AssignId>,
}

/// `target reduction= value`.
#[derive(Clone, Debug, PartialEq)]
pub struct Assign {
    pub target: Access,
    /// How it combines with what the target holds; `None` overwrites.
    pub reduction: Option<Operator>,
    /// Whether a sparse target keeps its coordinates and gets new values.
    pub in_place: bool,
    pub value: ValueId,
}

impl Compute {
    pub fn tensor(&self, tensor: TensorId) -> &TensorVar {
        &self.tensors[tensor.0]
    }

    pub fn var(&self, var: Var) -> &IndexVar {
        &self.vars[var.0]
    }

    pub fn value(&self, value: ValueId) -> &Value {
        &self.values[value.0]
    }

    pub fn assign(&self, assign: AssignId) -> &Assign {
        &self.assigns[assign.0]
    }

    pub fn forall(&self, forall: LoopId) -> &Forall {
        &self.loops[forall.0]
    }

    pub fn where_statement(&self, statement: WhereId) -> &Where {
        &self.wheres[statement.0]
    }

    pub fn format(&self, access: &Access) -> &Format {
        &self.tensor(access.tensor).format
    }

    /// Calls `visit` for each statement of a block and of the blocks in it, outer before inner, in the order
    /// of the text.
    pub fn walk(&self, block: &[Stmt], visit: &mut dyn FnMut(Stmt)) {
        for stmt in block {
            visit(*stmt);
            match *stmt {
                Stmt::Forall(forall) => self.walk(&self.forall(forall).body, visit),
                Stmt::Where(statement) => {
                    self.walk(&self.where_statement(statement).consumer, visit);
                    self.walk(&self.where_statement(statement).producer, visit);
                }
                Stmt::Value(_) | Stmt::Workspace(_) | Stmt::Assign(_) => {}
            }
        }
    }

    fn collect<T>(&self, block: &[Stmt], pick: impl Fn(Stmt) -> Option<T>) -> Vec<T> {
        let mut found = Vec::new();
        self.walk(block, &mut |stmt| found.extend(pick(stmt)));
        found
    }

    /// Returns the accesses that are read inside of a block, in the order of the text, each as often as it
    /// is written.
    pub fn reads(&self, block: &[Stmt]) -> Vec<&Access> {
        self.collect(block, |stmt| match stmt {
            Stmt::Value(value) => match self.value(value) {
                Value::Access(access) => Some(access),
                _ => None,
            },
            _ => None,
        })
    }

    /// Returns the values inside of a block that are masked, or dropped where a condition holds.
    pub fn masks(&self, block: &[Stmt]) -> Vec<ValueId> {
        self.collect(block, |stmt| match stmt {
            Stmt::Value(value) if matches!(self.value(value), Value::Mask { .. } | Value::Drop { .. }) => {
                Some(value)
            }
            _ => None,
        })
    }

    pub fn assigns_in(&self, block: &[Stmt]) -> Vec<AssignId> {
        self.collect(block, |stmt| match stmt {
            Stmt::Assign(assign) => Some(assign),
            _ => None,
        })
    }

    pub fn values_in(&self, block: &[Stmt]) -> Vec<ValueId> {
        self.collect(block, |stmt| match stmt {
            Stmt::Value(value) => Some(value),
            _ => None,
        })
    }

    pub fn loops_in(&self, block: &[Stmt]) -> Vec<LoopId> {
        self.collect(block, |stmt| match stmt {
            Stmt::Forall(forall) => Some(forall),
            _ => None,
        })
    }

    pub fn wheres_in(&self, block: &[Stmt]) -> Vec<WhereId> {
        self.collect(block, |stmt| match stmt {
            Stmt::Where(statement) => Some(statement),
            _ => None,
        })
    }

    pub fn workspaces_in(&self, block: &[Stmt]) -> Vec<TensorId> {
        self.collect(block, |stmt| match stmt {
            Stmt::Workspace(workspace) => Some(workspace),
            _ => None,
        })
    }

    /// Returns the loops around an assignment, outermost first.
    pub fn loops_around(&self, assign: AssignId) -> Vec<LoopId> {
        let is_around = |forall: &LoopId| self.assigns_in(&self.forall(*forall).body).contains(&assign);
        let mut around: Vec<LoopId> = (0..self.loops.len()).map(LoopId).filter(is_around).collect();
        // The outer of two loops has the inner one in it.
        around.sort_by_key(|forall| std::cmp::Reverse(self.loops_in(&self.forall(*forall).body).len()));
        around
    }

    /// Returns whether nothing is stored under an access: some level of its tensor leaves coordinates out.
    pub fn is_sparse(&self, access: &Access) -> bool {
        !self.format(access).is_dense()
    }
}
