//! The commands of schedules, and what they do to the order in which loops bind their variables.

mod expression;
mod planned;

pub use self::expression::{Expression, is_value};
pub use self::planned::{BoundLoops, PlannedLoop, PlannedNest, bound_after};
use crate::cin::sparse_workspace::SparseWorkspace;
use crate::nest::WorkspaceKind;
use comet_format::Format;
use comet_ir::format::Memory;
use comet_ir::{Attr, IrError, Loc, Op, Result, cin};
use melior::ir::attribute::{ArrayAttribute, IntegerAttribute, StringAttribute};

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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
        let name = op.name();
        let mut arguments = Arguments::of(op)?;
        let setting = if COUNTED.contains(&name) { arguments.settle(op)? } else { None };
        let action = arguments.action(name).ok_or_else(|| {
            let text = format!("`{}` with {} arguments in a schedule", name, arguments.0.len());
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

/// The commands right in front of an operation.
pub fn commands_before<'c>(op: Op<'c>) -> Result<'c, Vec<Command<'c>>> {
    let ops = op.block().map_or(Vec::new(), |block| block.ops());
    let end = ops.iter().position(|other| *other == op).unwrap_or(0);
    let before = ops[..end].iter().rev().map_while(|op| op.cast::<cin::Command>());
    let mut commands = before.map(Command::of).collect::<Result<'c, Vec<_>>>()?;
    commands.reverse();
    Ok(commands)
}

enum Argument {
    Name(String),
    Number(i64),
    List(Vec<Argument>),
}

struct Arguments(Vec<Argument>);

impl Arguments {
    fn of(op: cin::Command<'_>) -> Result<'_, Self> {
        match Argument::of(op.arguments())? {
            Argument::List(arguments) => Ok(Self(arguments)),
            _ => unreachable!("the verifier demands a list"),
        }
    }

    /// Puts the number of a setting in the place of its name, which is given back.
    fn settle<'c>(&mut self, op: cin::Command<'c>) -> Result<'c, Option<String>> {
        let Some(Argument::Name(name)) = self.0.last() else { return Ok(None) };
        let name = name.clone();
        let before = op.block().map_or(Vec::new(), |block| block.ops());
        let before = before.into_iter().take_while(|other| *other != *op);
        for other in before.filter_map(|other| other.cast::<cin::Command>()) {
            let is_environment = other.name() == "environment";
            let Ok(Self(arguments)) = Self::of(other) else { continue };
            let (true, [Argument::Name(defined), Argument::Number(value)]) = (is_environment, &arguments[..])
            else {
                continue;
            };
            if *defined == name {
                self.0.pop();
                self.0.push(Argument::Number(*value));
                return Ok(Some(name));
            }
        }
        Ok(None)
    }

    /// `None` where the arguments are not those of the command.
    fn action(&self, command: &str) -> Option<Action> {
        use Argument::{List, Name, Number};
        let mark = |var: &String, mark| Some(Action::Mark(var.clone(), mark));
        match (command, self.0.as_slice()) {
            ("order", names) => {
                names.iter().map(Argument::name).collect::<Option<Vec<_>>>().map(Action::Order)
            }
            ("tile", sizes) => sizes.chunks(2).map(tile).collect::<Option<Vec<_>>>().map(Action::Tile),
            ("split", _) => self.halves().map(Action::Split),
            ("divide", _) => self.halves().map(Action::Divide),
            ("fuse", [Name(outer), Name(inner), Name(fused)]) => {
                let (outer, inner, fused) = (outer.clone(), inner.clone(), fused.clone());
                Some(Action::Fuse(Pair { outer, inner, fused }))
            }
            ("pos", names) => {
                let names = names.iter().map(Argument::name).collect::<Option<Vec<_>>>()?;
                let [var, position, tensor, indices @ ..] = names.as_slice() else { return None };
                let (var, position, tensor) = (var.clone(), position.clone(), tensor.clone());
                Some(Action::Pos(LevelPositions { var, position, tensor, indices: indices.to_vec() }))
            }
            (
                "precompute",
                [expression, List(vars), List(inner), Name(workspace), Name(format), region @ ..],
            ) => {
                let names = |list: &[Argument]| list.iter().map(Argument::name).collect::<Option<Vec<_>>>();
                Some(Action::Precompute(Precompute {
                    expression: Expression::of(expression)?,
                    vars: names(vars)?,
                    inner: names(inner)?,
                    workspace: workspace.clone(),
                    format: format.parse().ok()?,
                    memory: memory(region)?,
                }))
            }
            ("workspace", [Name(tensor), Name(kind)]) if kind == "dense" => {
                Some(Action::DenseWorkspace(tensor.clone()))
            }
            ("workspace", [Name(tensor), Name(kind), Number(points)]) => {
                let kind = match kind.as_str() {
                    "hash" => WorkspaceKind::Hash,
                    "list" => WorkspaceKind::List,
                    _ => return None,
                };
                let workspace = SparseWorkspace { kind, capacity: Some(*points) };
                Some(Action::SparseWorkspace(tensor.clone(), workspace))
            }
            ("assemble", [Name(tensor), Name(strategy)]) => {
                let strategy = match strategy.as_str() {
                    "append" => Strategy::Append,
                    "insert" => Strategy::Insert,
                    _ => return None,
                };
                Some(Action::Assemble(tensor.clone(), strategy))
            }
            ("locate", [Name(tensor)]) => Some(Action::Locate(tensor.clone())),
            ("bound", [Name(var), Name(bounded), Number(size)]) => {
                Some(Action::Bound { var: var.clone(), bounded: bounded.clone(), size: *size })
            }
            ("unroll", [Name(var), Number(rounds)]) => mark(var, Mark::Unroll(*rounds)),
            ("vectorize", [Name(var), Number(lanes)]) => mark(var, Mark::Vectorize(*lanes)),
            ("parallelize", [Name(var), Name(unit)]) => {
                mark(var, Mark::Parallel(ParallelUnit::from_word(unit)?, None))
            }
            ("parallelize", [Name(var), Name(unit), Number(tasks)]) => {
                mark(var, Mark::Parallel(ParallelUnit::from_word(unit)?, Some(*tasks)))
            }
            ("environment", [Name(name), Number(value)]) => Some(Action::Environment(name.clone(), *value)),
            ("scalar_promote", []) => Some(Action::Accelerator(Accelerator::ScalarPromote)),
            ("communicate", [Name(tensor), Name(var)]) => {
                let (tensor, var) = (tensor.clone(), var.clone());
                Some(Action::Accelerator(Accelerator::Communicate { tensor, var }))
            }
            ("map", _) => self.mapped().map(Accelerator::Map).map(Action::Accelerator),
            ("accelerate", _) => self.mapped().map(Accelerator::Accelerate).map(Action::Accelerator),
            ("skip", [Name(var)]) => mark(var, Mark::Skip),
            ("bitvector", [Name(var), Number(bits)]) => mark(var, Mark::BitVector(*bits)),
            _ => None,
        }
    }

    fn mapped(&self) -> Option<Mapped> {
        use Argument::{Name, Number};
        let [Name(var), Name(backend), Name(function), rest @ ..] = self.0.as_slice() else { return None };
        let factor = match rest {
            [] => None,
            [Number(factor)] => Some(*factor),
            _ => return None,
        };
        let (var, backend, function) = (var.clone(), backend.clone(), function.clone());
        Some(Mapped { var, backend, function, factor })
    }

    fn halves(&self) -> Option<Halves> {
        use Argument::{Name, Number};
        let [Name(var), Name(outer), Name(inner), Number(number)] = self.0.as_slice() else { return None };
        let (var, outer, inner) = (var.clone(), outer.clone(), inner.clone());
        Some(Halves { var, outer, inner, number: *number })
    }
}

impl Argument {
    fn of(attribute: Attr<'_>) -> Result<'_, Self> {
        if let Ok(name) = StringAttribute::try_from(attribute) {
            return Ok(Self::Name(name.value().to_owned()));
        }
        let Ok(list) = ArrayAttribute::try_from(attribute) else {
            return Ok(Self::Number(IntegerAttribute::try_from(attribute)?.value()));
        };
        let items = (0..list.len()).map(|index| Self::of(list.element(index)?));
        Ok(Self::List(items.collect::<Result<'_, _>>()?))
    }

    fn name(&self) -> Option<String> {
        match self {
            Argument::Name(name) => Some(name.clone()),
            Argument::Number(_) | Argument::List(_) => None,
        }
    }
}

fn memory(region: &[Argument]) -> Option<Memory> {
    match region {
        [] => Some(Memory::Unspecified),
        [Argument::Name(word)] if word == "onchip" => Some(Memory::OnChip),
        [Argument::Name(word)] if word == "offchip" => Some(Memory::OffChip),
        _ => None,
    }
}

fn tile(pair: &[Argument]) -> Option<(String, i64)> {
    match pair {
        [Argument::Name(var), Argument::Number(size)] => Some((var.clone(), *size)),
        _ => None,
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
            | Action::Environment(..)
            | Action::Accelerator(Accelerator::ScalarPromote) => Vec::new(),
            Action::Bound { var, .. }
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
