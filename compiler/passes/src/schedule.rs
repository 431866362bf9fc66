//! The commands of schedules, and what they do to the order in which loops bind their variables.

mod expression;

pub use self::expression::{Expression, is_value};
use crate::cin::sparse_workspace::SparseWorkspace;
use crate::nest::WorkspaceKind;
use comet_format::Format;
use comet_ir::attribute::FromAttribute;
use comet_ir::format::Memory;
use comet_ir::{Attr, IrError, Loc, Op, Result, cin};
use std::str::FromStr;

pub use comet_ir::cin::ParallelUnit;
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    Order(Vec<String>),
    /// Blocks of so many values.
    Split(Halves),
    /// So many blocks.
    Divide(Halves),
    /// Blocks of so many values each, whose outer loops go outside.
    Tile(Vec<(String, i64)>),
    /// A known range.
    Bound {
        var: String,
        /// What stands for it from here on.
        bounded: String,
        size: i64,
    },
    /// One loop over the pairs of two.
    Fuse(Pair),
    /// The positions of a level instead of its coordinates.
    Pos(LevelPositions),
    /// A part of the value goes into a workspace first.
    Precompute(Precompute),
    /// A tensor is accumulated in a dense workspace.
    DenseWorkspace(String),
    /// A tensor is accumulated in a hash or list workspace.
    SparseWorkspace(String, SparseWorkspace),
    /// A tensor gets its coordinates in this way.
    Assemble(String, Strategy),
    /// Coordinates are looked for in a tensor, where graphs would let it bring its own.
    Locate(String),
    /// Processes divide the statement along a variable.
    Distribute(String),
    /// Every process has all of a tensor.
    Replicate(String),
    /// Says how the loop is run.
    Mark(String, Mark),
    /// A number that the back end reads, and that later commands may name.
    Environment(String, i64),
    Accelerator(Accelerator),
}

/// What a command says that only accelerators do (stardust.txt, Tables 2 and 5).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Accelerator {
    /// `scalar_promote()`: loops that reduce go innermost, into a scalar.
    ScalarPromote,
    /// `communicate(A, j)`: a result is stored behind the loop over a variable.
    Communicate { tensor: String, var: String },
    /// `map(k, spatial, reduction, n)`: a function of the back end runs a loop.
    Map(Mapped),
    /// `accelerate(k, spatial, reduction, n)`: the same, with what the loop reads on chip before.
    Accelerate(Mapped),
}

/// A loop that a function of a back end runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapped {
    pub var: String,
    pub backend: String,
    pub function: String,
    /// How many iterations at once, where the command says so.
    pub factor: Option<i64>,
}

/// How a sparse tensor that comes in the order of its levels gets its coordinates: the strategies of TACO's
/// `assemble`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::EnumString)]
#[strum(serialize_all = "snake_case")]
pub enum Strategy {
    /// In one pass over the operands, into arrays that grow.
    Append,
    /// A first pass counts them, and sizes the arrays.
    Insert,
}

/// Two variables that become one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    pub outer: String,
    pub inner: String,
    /// The variable over all pairs.
    pub fused: String,
}

/// A variable over the positions of a level of an access.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelPositions {
    /// The variable whose coordinates the level stores.
    pub var: String,
    pub position: String,
    pub tensor: String,
    pub indices: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Precompute {
    pub expression: Expression,
    /// The variables whose loops are repeated for it.
    pub vars: Vec<String>,
    /// What they are called there.
    pub inner: Vec<String>,
    pub workspace: String,
    pub format: Format,
    pub memory: Memory,
}

/// A variable that is cut in two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Halves {
    pub var: String,
    /// The number of the block.
    pub outer: String,
    /// The place in the block.
    pub inner: String,
    /// The size of the blocks, or their number.
    pub number: i64,
}

/// How a loop is run; none changes a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// The number of iterations at once.
    Unroll(i64),
    /// So many lanes.
    Vectorize(i64),
    /// So many tasks, where it is said.
    Parallel(ParallelUnit, Option<i64>),
    /// Graphs skip coordinates that an intersection has no use for.
    Skip,
    /// Graphs have the coordinates as bit vectors, whose words have so many bits.
    BitVector(i64),
}

#[derive(Clone)]
pub struct Command<'c> {
    pub op: cin::Command<'c>,
    pub action: Action,
    /// The setting of the environment that its count is, where that is not a number.
    pub setting: Option<String>,
}

impl<'c> Command<'c> {
    pub fn of(op: cin::Command<'c>) -> Result<'c, Self> {
        let (name, mut arguments) = (op.name(), arguments_of(op));
        let setting = if COUNTED.contains(&name) { settle(op, &mut arguments) } else { None };
        let count = arguments.len();
        let action = Arguments(arguments.into_iter()).action(name).ok_or_else(|| {
            let text = format!("`{name}` with {count} arguments in a schedule");
            IrError::not_supported(op.location(), text)
        })?;
        Ok(Self { op, action, setting })
    }

    pub fn location(&self) -> Loc<'c> {
        self.op.location()
    }
}

/// The commands whose last argument is a number, or what an earlier `environment` defines.
const COUNTED: [&str; 3] = ["parallelize", "map", "accelerate"];

/// Returns the commands right in front of an operation.
pub fn commands_before<'c>(op: Op<'c>) -> Result<'c, Vec<Command<'c>>> {
    let ops = op.block().map_or(Vec::new(), |block| block.ops());
    let end = ops.iter().position(|other| *other == op).unwrap_or(0);
    let before = ops[..end].iter().rev().map_while(|op| op.cast::<cin::Command>());
    let mut commands = before.map(Command::of).collect::<Result<'c, Vec<_>>>()?;
    commands.reverse();
    Ok(commands)
}

fn arguments_of(op: cin::Command<'_>) -> Vec<Attr<'_>> {
    FromAttribute::from_attribute(op.arguments()).expect("the verifier demands a list")
}

/// Puts the number of a setting in the place of its name, which is returned.
fn settle<'c>(op: cin::Command<'c>, arguments: &mut [Attr<'c>]) -> Option<String> {
    let last = arguments.last_mut()?;
    let name = <&str>::from_attribute(*last)?;
    let before = op.block().map_or(Vec::new(), |block| block.ops());
    let before = before.into_iter().take_while(|other| *other != *op);
    let environments = before.filter_map(|other| other.cast::<cin::Command>());
    let mut values = environments.filter(|other| other.name() == "environment").filter_map(|other| {
        let [defined, value] = arguments_of(other)[..] else { return None };
        (<&str>::from_attribute(defined) == Some(name) && i64::from_attribute(value).is_some())
            .then_some(value)
    });
    *last = values.next()?;
    Some(name.to_owned())
}

/// What is left to read of the arguments of a command, or of a part of an expression.
struct Arguments<'c>(std::vec::IntoIter<Attr<'c>>);

impl<'c> Arguments<'c> {
    fn is_empty(&self) -> bool {
        self.0.as_slice().is_empty()
    }

    fn next<T: FromAttribute<'c>>(&mut self) -> Option<T> {
        T::from_attribute(self.0.next()?)
    }

    fn name(&mut self) -> Option<String> {
        self.next().map(str::to_owned)
    }

    fn word<T: FromStr>(&mut self) -> Option<T> {
        self.next::<&str>()?.parse().ok()
    }

    fn names(&mut self) -> Option<Vec<String>> {
        self.0.by_ref().map(|name| <&str>::from_attribute(name).map(str::to_owned)).collect()
    }

    /// Reads what may be missing at the end; `Some(None)` where it is.
    fn last<T>(&mut self, read: impl Fn(&mut Self) -> Option<T>) -> Option<Option<T>> {
        if self.is_empty() { Some(None) } else { read(self).map(Some) }
    }

    /// Returns `None` where the arguments are not those of the command.
    fn action(mut self, command: &str) -> Option<Action> {
        let action = match command {
            "order" => Action::Order(self.names()?),
            "split" => Action::Split(self.halves()?),
            "divide" => Action::Divide(self.halves()?),
            "tile" => {
                let mut sizes = Vec::new();
                while !self.is_empty() {
                    sizes.push((self.name()?, self.next()?));
                }
                Action::Tile(sizes)
            }
            "bound" => Action::Bound { var: self.name()?, bounded: self.name()?, size: self.next()? },
            "fuse" => Action::Fuse(Pair { outer: self.name()?, inner: self.name()?, fused: self.name()? }),
            "pos" => Action::Pos(LevelPositions {
                var: self.name()?,
                position: self.name()?,
                tensor: self.name()?,
                indices: self.names()?,
            }),
            "precompute" => Action::Precompute(Precompute {
                expression: Expression::of(self.next()?)?,
                vars: self.next()?,
                inner: self.next()?,
                workspace: self.name()?,
                format: self.word()?,
                memory: self.last(Self::word)?.unwrap_or(Memory::Unspecified),
            }),
            "workspace" => match (self.name()?, self.word()?) {
                (tensor, WorkspaceKind::Dense) => Action::DenseWorkspace(tensor),
                (tensor, kind @ (WorkspaceKind::Hash | WorkspaceKind::List)) => {
                    Action::SparseWorkspace(tensor, SparseWorkspace { kind, capacity: Some(self.next()?) })
                }
                _ => return None,
            },
            "assemble" => Action::Assemble(self.name()?, self.word()?),
            "locate" => Action::Locate(self.name()?),
            "distribute" => Action::Distribute(self.name()?),
            "replicate" => Action::Replicate(self.name()?),
            "unroll" => Action::Mark(self.name()?, Mark::Unroll(self.next()?)),
            "vectorize" => Action::Mark(self.name()?, Mark::Vectorize(self.next()?)),
            "parallelize" => Action::Mark(self.name()?, Mark::Parallel(self.word()?, self.last(Self::next)?)),
            "skip" => Action::Mark(self.name()?, Mark::Skip),
            "bitvector" => Action::Mark(self.name()?, Mark::BitVector(self.next()?)),
            "environment" => Action::Environment(self.name()?, self.next()?),
            "scalar_promote" => Action::Accelerator(Accelerator::ScalarPromote),
            "communicate" => {
                Action::Accelerator(Accelerator::Communicate { tensor: self.name()?, var: self.name()? })
            }
            "map" => Action::Accelerator(Accelerator::Map(self.mapped()?)),
            "accelerate" => Action::Accelerator(Accelerator::Accelerate(self.mapped()?)),
            _ => return None,
        };
        self.is_empty().then_some(action)
    }

    fn mapped(&mut self) -> Option<Mapped> {
        let (var, backend, function) = (self.name()?, self.name()?, self.name()?);
        Some(Mapped { var, backend, function, factor: self.last(Self::next)? })
    }

    fn halves(&mut self) -> Option<Halves> {
        let (var, outer, inner) = (self.name()?, self.name()?, self.name()?);
        Some(Halves { var, outer, inner, number: self.next()? })
    }
}

impl Action {
    pub fn vars(&self) -> Vec<&str> {
        match self {
            Action::Order(vars) => vars.iter().map(String::as_str).collect(),
            Action::Tile(sizes) => sizes.iter().map(|(var, _)| var.as_str()).collect(),
            Action::Split(halves) | Action::Divide(halves) => vec![&halves.var],
            Action::Fuse(pair) => vec![&pair.outer, &pair.inner],
            Action::Pos(positions) => vec![&positions.var],
            Action::Precompute(precompute) => precompute.vars.iter().map(String::as_str).collect(),
            Action::DenseWorkspace(_)
            | Action::SparseWorkspace(..)
            | Action::Assemble(..)
            | Action::Locate(_)
            | Action::Replicate(_)
            | Action::Environment(..)
            | Action::Accelerator(Accelerator::ScalarPromote) => Vec::new(),
            Action::Bound { var, .. }
            | Action::Distribute(var)
            | Action::Mark(var, _)
            | Action::Accelerator(Accelerator::Communicate { var, .. }) => vec![var],
            Action::Accelerator(Accelerator::Map(mapped) | Accelerator::Accelerate(mapped)) => {
                vec![&mapped.var]
            }
        }
    }
}

/// What the outer half of a tiled variable is called: no label of a program can have such a name.
pub fn tile_name(var: &str) -> String {
    format!("{var}.tile")
}

/// The order that a list of some items gets where those that are ranked take each other's places.
pub fn reordered<T: Clone>(items: &[T], rank: impl Fn(&T) -> Option<usize>) -> Vec<T> {
    let mut ranked: Vec<T> = items.iter().filter(|item| rank(item).is_some()).cloned().collect();
    ranked.sort_by_key(|item| rank(item));
    let mut ranked = ranked.into_iter();
    let next = |item: &T| if rank(item).is_some() { ranked.next() } else { None };
    items.iter().map(next).zip(items).map(|(moved, item)| moved.unwrap_or_else(|| item.clone())).collect()
}

/// The order that the loops of two nests get where the inner ones go around outer ones, if ranks say so: as
/// far out as they have to. The loops of each keep their order, which is that of their ranks already.
pub fn merged<T: Clone>(outer: &[T], inner: &[T], rank: impl Fn(&T) -> Option<usize>) -> Vec<T> {
    let mut merged = Vec::new();
    let mut rest = inner;
    for item in outer {
        let goes_outside =
            |other: &T| rank(other).is_some() && rank(item).is_some() && rank(other) < rank(item);
        let count = rest.iter().rposition(goes_outside).map_or(0, |last| last + 1);
        merged.extend_from_slice(&rest[..count]);
        rest = &rest[count..];
        merged.push(item.clone());
    }
    merged.extend_from_slice(rest);
    merged
}
