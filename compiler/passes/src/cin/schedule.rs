//! `cin-schedule`: carries out the commands of schedules.
//!
//! Before:
//! ```mlir
//! // given %A, %C : tensor<?x?xf64>
//! // given %n, %m : index
//! cin.compute {
//!   %i = cin.index_var "i" size %n
//!   %j = cin.index_var "j" size %m
//!   cin.command "split" ["i", "io", "ii", 8]
//!   cin.command "order" ["io", "j", "ii"]
//!   cin.command "unroll" ["ii", 4]
//!   cin.forall %i {
//!     cin.forall %j {
//!       %0 = cin.access %A[%i, %j] : tensor<?x?xf64> -> f64
//!       cin.assign %0 to %C[%i, %j] set : f64, tensor<?x?xf64>
//!     }
//!   }
//! }
//! ```
//! After:
//! ```mlir
//! cin.compute {
//!   %i = cin.index_var "i" size %n
//!   %j = cin.index_var "j" size %m
//!   %io, %ii = cin.split %i by 8 names "io", "ii" {cin.commanded}
//!   cin.forall %io {
//!     cin.forall %j {
//!       cin.forall %ii unroll 4 {
//!         %0 = cin.access %A[%i, %j] : tensor<?x?xf64> -> f64
//!         cin.assign %0 to %C[%i, %j] set : f64, tensor<?x?xf64>
//!       }
//!     }
//!   }
//! }
//! ```
//! Loops that are fused are one over all pairs, and can go over the positions of an operand. Before:
//! ```mlir
//! // given %x, %y : tensor<?xf64>
//! // given %n, %m : index
//! %c0 = arith.constant 0 : index
//! %c1 = arith.constant 1 : index
//! %li = ta.index_label_static "i" %c0 to %n step %c1
//! %lk = ta.index_label_static "k" %c0 to %m step %c1
//! %A = ta.tensor_decl "A" [%li, %lk] : tensor<?x?xf64, #ta.format<[D, CU]>>
//! cin.compute {
//!   %i = cin.index_var "i" size %n
//!   %k = cin.index_var "k" size %m
//!   cin.command "fuse" ["i", "k", "f"]
//!   cin.command "pos" ["f", "fp", "A", "i", "k"]
//!   cin.command "split" ["fp", "fo", "fi", 256]
//!   cin.forall %i {
//!     cin.forall %k {
//!       %0 = cin.access %A[%i, %k] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
//!       %1 = cin.access %x[%k] : tensor<?xf64> -> f64
//!       %2 = cin.combine mul %0, %1 : f64
//!       cin.assign %2 to %y[%i] add : f64, tensor<?xf64>
//!     }
//!   }
//! }
//! ```
//! After:
//! ```mlir
//! %c0 = arith.constant 0 : index
//! %c1 = arith.constant 1 : index
//! %li = ta.index_label_static "i" %c0 to %n step %c1
//! %lk = ta.index_label_static "k" %c0 to %m step %c1
//! %A = ta.tensor_decl "A" [%li, %lk] : tensor<?x?xf64, #ta.format<[D, CU]>>
//! cin.compute {
//!   %i = cin.index_var "i" size %n
//!   %k = cin.index_var "k" size %m
//!   %f = cin.fuse %i, %k name "f"
//!   %fp = cin.pos %f in %A[%i, %k] level 1 name "fp" : tensor<?x?xf64, #ta.format<[D, CU]>>
//!   %fo, %fi = cin.split %fp by 256 names "fo", "fi" {cin.commanded}
//!   cin.forall %fo {
//!     cin.forall %fi {
//!       %0 = cin.access %A[%i, %k] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
//!       %1 = cin.access %x[%k] : tensor<?xf64> -> f64
//!       %2 = cin.combine mul %0, %1 : f64
//!       cin.assign %2 to %y[%i] add : f64, tensor<?xf64>
//!     }
//!   }
//! }
//! ```
//! Positions of a bit vector are those of a copy that has coordinates, made in front of the compute.
//!
//! What is computed first goes into a workspace. Before:
//! ```mlir
//! // given %n, %m, %o : index
//! %c0 = arith.constant 0 : index
//! %c1 = arith.constant 1 : index
//! %li = ta.index_label_static "i" %c0 to %n step %c1
//! %lk = ta.index_label_static "k" %c0 to %m step %c1
//! %lj = ta.index_label_static "j" %c0 to %o step %c1
//! %A = ta.tensor_decl "A" [%li, %lk] : tensor<?x?xf64, #ta.format<[D, CU]>>
//! %B = ta.tensor_decl "B" [%lk, %lj] : tensor<?x?xf64>
//! %C = ta.tensor_decl "C" [%li, %lj] : tensor<?x?xf64>
//! cin.compute {
//!   %i = cin.index_var "i" size %n
//!   %k = cin.index_var "k" size %m
//!   %j = cin.index_var "j" size %o
//!   cin.command "precompute" [["access", "A", "i", "k"], ["k"], ["kw"], "W", "i32 (0 : CU)"]
//!   cin.forall %i {
//!     cin.forall %k {
//!       cin.forall %j {
//!         %0 = cin.access %A[%i, %k] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
//!         %1 = cin.access %B[%k, %j] : tensor<?x?xf64> -> f64
//!         %2 = cin.combine mul %0, %1 : f64
//!         cin.assign %2 to %C[%i, %j] add : f64, tensor<?x?xf64>
//!       }
//!     }
//!   }
//! }
//! ```
//! After:
//! ```mlir
//! %c0 = arith.constant 0 : index
//! %c1 = arith.constant 1 : index
//! %li = ta.index_label_static "i" %c0 to %n step %c1
//! %lk = ta.index_label_static "k" %c0 to %m step %c1
//! %lj = ta.index_label_static "j" %c0 to %o step %c1
//! %A = ta.tensor_decl "A" [%li, %lk] : tensor<?x?xf64, #ta.format<[D, CU]>>
//! %B = ta.tensor_decl "B" [%lk, %lj] : tensor<?x?xf64>
//! %C = ta.tensor_decl "C" [%li, %lj] : tensor<?x?xf64>
//! cin.compute {
//!   %i = cin.index_var "i" size %n
//!   %k = cin.index_var "k" size %m
//!   %j = cin.index_var "j" size %o
//!   %kw = cin.index_var "kw" size %m
//!   cin.forall %i {
//!     %W = cin.temporary "W" levels : tensor<?xf64, #ta.format<[CU]>>
//!     cin.where {
//!       cin.forall %k {
//!         cin.forall %j {
//!           %0 = cin.access %W[%k] : tensor<?xf64, #ta.format<[CU]>> -> f64
//!           %1 = cin.access %B[%k, %j] : tensor<?x?xf64> -> f64
//!           %2 = cin.combine mul %0, %1 : f64
//!           cin.assign %2 to %C[%i, %j] add : f64, tensor<?x?xf64>
//!         }
//!       }
//!     } producer {
//!       cin.forall %kw {
//!         %0 = cin.access %A[%i, %kw] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
//!         cin.assign %0 to %W[%kw] set : f64, tensor<?xf64, #ta.format<[CU]>>
//!       }
//!     }
//!   }
//! }
//! ```
//! A loop of a reduction goes outside of loops that its result is used in: what it computes goes into a
//! workspace first, for all rounds of these. Before:
//! ```mlir
//! // given %A, %B : tensor<?x?xf64, #ta.format<[D, CU]>>
//! // given %C : tensor<?x?xf64>
//! // given %n, %m, %o : index
//! cin.compute {
//!   %i = cin.index_var "i" size %n
//!   %j = cin.index_var "j" size %o
//!   %k = cin.index_var "k" size %m
//!   cin.command "order" ["i", "k", "j"]
//!   cin.forall %i {
//!     cin.forall %j {
//!       %t = cin.temporary "t" scalar : tensor<f64>
//!       cin.where {
//!         %0 = cin.access %t[] : tensor<f64> -> f64
//!         cin.assign %0 to %C[%i, %j] add : f64, tensor<?x?xf64>
//!       } producer {
//!         cin.forall %k {
//!           %1 = cin.access %A[%i, %k] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
//!           %2 = cin.access %B[%k, %j] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
//!           %3 = cin.combine add %1, %2 : f64
//!           cin.assign %3 to %t[] min : f64, tensor<f64>
//!         }
//!       }
//!     }
//!   }
//! }
//! ```
//! After:
//! ```mlir
//! cin.compute {
//!   %i = cin.index_var "i" size %n
//!   %j = cin.index_var "j" size %o
//!   %k = cin.index_var "k" size %m
//!   cin.forall %i {
//!     %t = cin.temporary "t" dense : tensor<?xf64>
//!     cin.where {
//!       cin.forall %j {
//!         %0 = cin.access %t[%j] : tensor<?xf64> -> f64
//!         cin.assign %0 to %C[%i, %j] add : f64, tensor<?x?xf64>
//!       }
//!     } producer {
//!       cin.forall %k {
//!         cin.forall %j {
//!           %1 = cin.access %A[%i, %k] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
//!           %2 = cin.access %B[%k, %j] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
//!           %3 = cin.combine add %1, %2 : f64
//!           cin.assign %3 to %t[%j] min : f64, tensor<?xf64>
//!         }
//!       }
//!     }
//!   }
//! }
//! ```
//!
//! Requires operands whose storage agrees with the order that the commands leave (`ta-to-cin` sees to it).
//! Leaves no command. One whose variables the compute lacks is about another compute of the same statement;
//! one that is about none is an error.

mod accelerate;
mod assemble;
mod bit_vector;
mod copy;
mod dense_workspace;
mod fuse;
mod locate;
mod loops;
mod order;
mod part;
mod place;
mod precompute;
mod product;
mod report;
mod taken_out;

use self::loops::{chains, is_in_block, move_body, open, rearrange};
use self::taken_out::TakenOut;
use super::{BIT_VECTOR, COMMANDED, SAID_AT, SETTING, SKIP, change_each_compute};
use crate::nest::{self, is_statement};
use crate::schedule::{Accelerator, Action, Command, Halves, Mark, ParallelUnit, tile_name};
use comet_ir::pass::{self, Changed, OptionValues, Pass, PassOption};
use comet_ir::{Attr, Builder, IrError, Loc, Op, Result, Val, cin, location, types};
use std::cell::RefCell;
use std::collections::HashMap;

/// The pass.
pub const PASS: Pass = Pass {
    name: "cin-schedule",
    description: "Carries out the commands of schedules",
    options: &[PassOption {
        name: "units",
        default: "cpu",
        description: "What runs the loops: the `cpu`, `graphs`, or `spatial`, which does what is said of accelerators",
    }],
    dialects: &["cin"],
    run,
};

fn run<'c>(module: Op<'c>, options: &OptionValues<'_>) -> Result<'c, Changed> {
    let units = Units::of(options)?;
    let useless = RefCell::new(Useless::default());
    let changed = change_each_compute(module, |compute| {
        let commands = compute.descendants::<cin::Command>();
        let mut schedule = Schedule::of(compute, units);
        let parsed = commands.iter().map(|op| Command::of(*op)).collect::<Result<'c, Vec<_>>>()?;
        let mut is_scheduled = false;
        for command in parsed {
            let is_about = schedule.is_about(&command.action);
            useless.borrow_mut().note(&command, is_about);
            schedule.carry_out(&command)?;
            command.op.erase();
            is_scheduled |= is_about;
        }
        schedule.settle_workspaces()?;
        if is_scheduled {
            pass::decided(compute.location(), || format!("scheduled loops: {}", report::loops(compute)));
        }
        Ok(!commands.is_empty())
    })?;
    useless.into_inner().refuse()?;
    Ok(changed)
}

/// What runs the loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Units {
    /// Threads of the processor.
    Cpu,
    /// Dataflow graphs.
    Graphs,
    /// Parallel patterns of an accelerator.
    Spatial,
}

impl Units {
    fn of<'c>(options: &OptionValues<'_>) -> Result<'c, Self> {
        match options.text("units") {
            "cpu" => Ok(Self::Cpu),
            "graphs" => Ok(Self::Graphs),
            "spatial" => Ok(Self::Spatial),
            _ => Err(options.unexpected("units", "`cpu`, `graphs` or `spatial`")),
        }
    }
}

/// The commands that no compute of their statements is about, by their places: each compute has all of them.
#[derive(Default)]
struct Useless<'c> {
    places: Vec<(Loc<'c>, bool, String)>,
}

impl<'c> Useless<'c> {
    fn note(&mut self, command: &Command<'c>, is_of_use: bool) {
        match self.places.iter_mut().find(|(place, ..)| *place == command.location()) {
            Some((_, was_of_use, _)) => *was_of_use |= is_of_use,
            None => self.places.push((command.location(), is_of_use, missing(&command.action))),
        }
    }

    fn refuse(self) -> Result<'c, ()> {
        match self.places.into_iter().find(|(_, is_of_use, _)| !is_of_use) {
            Some((place, _, message)) => Err(IrError::at(place, message).hint("leave the command out")),
            None => Ok(()),
        }
    }
}

/// What a statement lacks that a command is about.
fn missing(action: &Action) -> String {
    let vars = action.vars().join("`, `");
    match action {
        Action::Precompute(_) if vars.is_empty() => {
            "the statement has no such expression outside of its loops".to_owned()
        }
        Action::Precompute(_) => {
            format!("no loops of the statement over `{vars}` compute this expression as a whole")
        }
        Action::DenseWorkspace(tensor) | Action::SparseWorkspace(tensor, _) | Action::Assemble(tensor, _) => {
            format!("nothing is assigned to `{tensor}` in loops")
        }
        Action::Locate(tensor) => format!("the statement has no operand `{tensor}`"),
        Action::Fuse(_) => format!("no loops of the statement have both `{vars}` in them"),
        _ => format!("the statement has no loop over `{vars}`"),
    }
}

/// A compute whose loops are changed.
struct Schedule<'c> {
    compute: Op<'c>,
    /// What runs the loops.
    units: Units,
    /// The variables that loops bind, by the names that commands know them by.
    vars: HashMap<String, Val<'c>>,
    /// The where-statements in whose producers names stand for loops that the consumers have under others.
    producers: HashMap<String, Op<'c>>,
    /// What `order` has taken out of loops.
    taken_out: Vec<TakenOut<'c>>,
}

impl<'c> Schedule<'c> {
    fn of(compute: Op<'c>, units: Units) -> Self {
        let vars = compute.descendants::<cin::IndexVar>().into_iter().map(|op| op.result(0));
        let vars = vars.map(|var| (nest::name(var), var)).collect();
        Self { compute, units, vars, producers: HashMap::new(), taken_out: Vec::new() }
    }

    /// Whether the compute has what a command is about.
    fn is_about(&self, action: &Action) -> bool {
        let mut vars = action.vars().into_iter();
        match action {
            Action::Order(_) | Action::Tile(_) => vars.any(|var| self.vars.contains_key(var)),
            Action::Pos(positions) => {
                self.vars.contains_key(&positions.var) && self.access(positions).is_some()
            }
            Action::Precompute(what) => vars.all(|var| self.vars.contains_key(var)) && self.has_part(what),
            Action::DenseWorkspace(tensor)
            | Action::SparseWorkspace(tensor, _)
            | Action::Assemble(tensor, _) => !self.assigns_to(tensor).is_empty(),
            Action::Locate(tensor) => self.reads(tensor),
            Action::Accelerator(Accelerator::Communicate { tensor, var }) => {
                self.vars.contains_key(var) && !self.assigns_to(tensor).is_empty()
            }
            _ => vars.all(|var| self.vars.contains_key(var)),
        }
    }

    fn carry_out(&mut self, command: &Command<'c>) -> Result<'c, ()> {
        if self.units == Units::Spatial && matches!(command.action, Action::Assemble(..) | Action::Locate(_))
        {
            told_elsewhere(command);
        }
        match &command.action {
            Action::Order(vars) => self.order(command, vars),
            Action::Split(halves) => self.cut(command, "cin.split", "factor", halves),
            Action::Divide(halves) => self.cut(command, "cin.divide", "parts", halves),
            Action::Tile(sizes) => self.tile(command, sizes),
            Action::Bound { var, bounded, size } => self.bound(command, var, bounded, *size),
            Action::Fuse(pair) => self.fuse(command, pair),
            Action::Pos(positions) => self.pos(command, positions),
            Action::Precompute(what) => self.precompute(command, what),
            Action::DenseWorkspace(tensor) => self.dense_workspace(command, tensor),
            Action::SparseWorkspace(..) if self.units == Units::Spatial => {
                told_elsewhere(command);
                Ok(())
            }
            Action::SparseWorkspace(tensor, workspace) => self.sparse_workspace(tensor, *workspace),
            Action::Assemble(tensor, strategy) => self.assemble(command, tensor, *strategy),
            Action::Locate(tensor) => self.locate(tensor),
            Action::Mark(var, mark) => self.mark(command, var, *mark),
            Action::Environment(name, value) => self.environment(command, name, *value),
            Action::Accelerator(what) => self.accelerator(command, what),
        }
    }

    fn var(&self, name: &str) -> Option<Val<'c>> {
        self.vars.get(name).copied()
    }

    /// The loops over a variable; none where the compute lacks it.
    fn loops(&self, name: &str) -> Vec<Op<'c>> {
        let Some(var) = self.var(name) else { return Vec::new() };
        let loops = self.compute.descendants::<cin::Forall>();
        let is_named = |forall: &Op<'c>| {
            self.producers.get(name).is_none_or(|where_op| is_in_block(*forall, where_op.body(1)))
        };
        loops.into_iter().filter(|forall| forall.operand(0) == var && is_named(forall)).collect()
    }

    /// The loops over a variable that no command has replaced by others.
    fn uncut_loops(&self, command: &Command<'c>, name: &str) -> Result<'c, Vec<Op<'c>>> {
        let loops = self.loops(name);
        if loops.is_empty() && self.vars.contains_key(name) {
            let message = format!("no loop runs over `{name}` any more: an earlier command has replaced it");
            return Err(
                IrError::at(command.location(), message).hint("name what that command has introduced")
            );
        }
        Ok(loops)
    }

    fn cut(
        &mut self,
        command: &Command<'c>,
        relation: &str,
        attribute: &str,
        halves: &Halves,
    ) -> Result<'c, ()> {
        let loops = self.uncut_loops(command, &halves.var)?;
        let Some(var) = self.var(&halves.var) else { return Ok(()) };
        let b = self.declarations(command);
        let attributes = [
            (attribute, b.i64_attribute(halves.number)),
            ("outer_name", b.string_attribute(&halves.outer)),
            ("inner_name", b.string_attribute(&halves.inner)),
            (COMMANDED, Attr::unit(b.context())),
        ];
        let ty = types::cin_index(b.context());
        let op = b.op(relation, &[var], &[ty, ty], &attributes)?;
        for forall in loops {
            refuse_marked(command, forall)?;
            let outer = open(Builder::before(forall), op.result(0))?;
            let inner = open(Builder::before(forall).inside(outer.body(0)), op.result(1))?;
            move_body(forall, inner);
            forall.erase();
        }
        self.vars.insert(halves.outer.clone(), op.result(0));
        self.vars.insert(halves.inner.clone(), op.result(1));
        Ok(())
    }

    /// The outer halves go outside; what is inside keeps the name.
    fn tile(&mut self, command: &Command<'c>, sizes: &[(String, i64)]) -> Result<'c, ()> {
        for (var, size) in sizes {
            let (outer, inner) = (tile_name(var), var.clone());
            let halves = Halves { var: var.clone(), outer, inner, number: *size };
            self.cut(command, "cin.split", "factor", &halves)?;
        }
        let outer = sizes.iter().map(|(var, _)| self.var(&tile_name(var)));
        let outer: Vec<Val<'c>> = outer.flatten().collect();
        for chain in chains(self.compute.body(0)) {
            let mut moved = chain.clone();
            let place =
                |op: &Op<'c>| outer.iter().position(|var| *var == op.operand(0)).unwrap_or(outer.len());
            moved.sort_by_key(place);
            rearrange(&chain, &moved)?;
        }
        Ok(())
    }

    fn bound(&mut self, command: &Command<'c>, var: &str, bounded: &str, size: i64) -> Result<'c, ()> {
        let loops = self.uncut_loops(command, var)?;
        let Some(whole) = self.var(var) else { return Ok(()) };
        if let Some(extent) = nest::constant_extent(whole).filter(|extent| *extent > size) {
            let message = format!("`{var}` has {extent} values, which is more than its bound of {size}");
            return Err(IrError::at(command.location(), message).hint(format!("bound it to {extent}")));
        }
        let b = self.declarations(command);
        let attributes = [("size", b.i64_attribute(size)), ("name", b.string_attribute(bounded))];
        let result = b.op("cin.bound", &[whole], &[types::cin_index(b.context())], &attributes)?.result(0);
        for forall in loops {
            refuse_marked(command, forall)?;
            let renamed = open(Builder::before(forall), result)?;
            move_body(forall, renamed);
            forall.erase();
        }
        self.vars.insert(bounded.to_owned(), result);
        Ok(())
    }

    /// What is skipped in a tile is so among the tiles as well, which no command can name.
    fn mark(&self, command: &Command<'c>, var: &str, mark: Mark) -> Result<'c, ()> {
        let mut loops = self.uncut_loops(command, var)?;
        let is_for_accelerators = matches!(mark, Mark::Parallel(unit, _) if unit != ParallelUnit::Cpu);
        if is_for_accelerators && self.units == Units::Cpu {
            told_elsewhere(command);
            return Ok(());
        }
        if !is_for_accelerators && self.units == Units::Spatial {
            told_elsewhere(command);
        }
        if mark == Mark::Skip {
            loops.extend(self.loops(&tile_name(var)));
        }
        for forall in loops {
            told_few_rounds(forall, mark);
            let b = Builder::before(forall);
            for (name, value) in attributes(b, mark) {
                if forall.attribute(name).is_some() {
                    let message = format!("the loop over `{var}` is marked `{}` already", loops::word(name));
                    return Err(IrError::at(command.location(), message).hint("leave one of the two out"));
                }
                forall.set_attribute(name, value);
            }
            if self.units == Units::Spatial && matches!(mark, Mark::Parallel(..)) {
                note_setting(command, forall);
            }
        }
        Ok(())
    }

    /// In front of the first statement of the compute.
    fn declarations(&self, command: &Command<'c>) -> Builder<'c> {
        let first = self.compute.body(0).ops().into_iter().find(is_statement);
        Builder::before(first.unwrap_or(command.op)).with_location(command.location())
    }
}

/// A schedule is for all back ends; what only others do is told.
fn told_elsewhere(command: &Command<'_>) {
    pass::decided(command.location(), || "the command is for another back end, and left out here".to_owned());
}

/// The setting that the count of a command is stays known by its name, and where the command stands.
fn note_setting<'c>(command: &Command<'c>, op: Op<'c>) {
    op.set_attribute(SAID_AT, location::to_attribute(command.location()));
    if let Some(setting) = &command.setting {
        op.set_attribute(SETTING, Builder::before(op).string_attribute(setting));
    }
}

/// More rounds at once than there are do not fail: all are at once then.
fn told_few_rounds(forall: Op<'_>, mark: Mark) {
    let var = forall.operand(0);
    let (Mark::Unroll(rounds), Some(extent)) = (mark, nest::constant_extent(var)) else { return };
    if extent < rounds {
        pass::decided(forall.location(), || {
            let name = nest::name(var);
            format!(
                "`unroll({name}, {rounds})` is one of {extent}: the loop over `{name}` has no more rounds"
            )
        });
    }
}

fn attributes<'c>(b: Builder<'c>, mark: Mark) -> Vec<(&'static str, Attr<'c>)> {
    match mark {
        Mark::Unroll(rounds) => vec![("unroll", b.i64_attribute(rounds))],
        Mark::Vectorize(lanes) => vec![("vectorize", b.i64_attribute(lanes))],
        Mark::Parallel(unit, tasks) => std::iter::once(("parallel", b.enum_attribute(unit as i32)))
            .chain(tasks.map(|tasks| ("tasks", b.i64_attribute(tasks))))
            .collect(),
        Mark::Skip => vec![(SKIP, Attr::unit(b.context()))],
        Mark::BitVector(bits) => vec![(BIT_VECTOR, b.i64_attribute(bits))],
    }
}

/// What is said about a loop is about all of it: a loop is cut first.
fn refuse_marked<'c>(command: &Command<'c>, forall: Op<'c>) -> Result<'c, ()> {
    let Some(mark) = loops::mark(forall) else { return Ok(()) };
    let message = format!("the loop over `{}` is marked `{mark}` already", nest::name(forall.operand(0)));
    Err(IrError::at(command.location(), message).hint("give this command before the one that marks the loop"))
}

fn conflict<'c>(command: &Command<'c>, inner: Op<'c>, outer: Op<'c>) -> IrError<'c> {
    let (inner, outer) = (nest::name(inner.operand(0)), nest::name(outer.operand(0)));
    let message = format!(
        "the loop over `{inner}` cannot go outside of that over `{outer}`: it computes a value that other statements of that loop use"
    );
    IrError::at(command.location(), message).hint(format!("name `{outer}` before `{inner}`"))
}
