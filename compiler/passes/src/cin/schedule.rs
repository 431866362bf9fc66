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
//!   %io, %ii = cin.split %i by 8 names "io", "ii" {commanded}
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
//! Fused loops are one loop over all pairs, or over an operand's positions; positions of a bit vector are
//! those of a copy that has coordinates, made in front of the compute. What is computed first goes
//! into a workspace. A loop of a reduction goes outside of loops that its result is used in: what it computes
//! goes into a workspace first, for all iterations of these.
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

use self::loops::{chains, is_in_block, move_body, rearrange};
use self::taken_out::TakenOut;
use super::change_each_compute;
use crate::nest::{self, is_statement};
use crate::schedule::{Accelerator, Action, Command, Halves, Mark, ParallelUnit, tile_name};
use comet_ir::pass::{self, OptionValues, Pass, PassOption};
use comet_ir::{Attr, Builder, IrError, Loc, Op, Result, Val, cin, location};
use std::cell::RefCell;
use std::collections::HashMap;

pub const PASS: Pass = Pass {
    name: "cin-schedule",
    description: "Applies the commands of schedules: splits, fuses, reorders and marks loops, and adds workspaces",
    options: &[PassOption {
        name: "units",
        default: "cpu",
        description: "The target of the loops: the `cpu`, `graphs`, or `spatial`, which applies commands for accelerators",
    }],
    dialects: &["cin"],
    run,
};

fn run<'c>(module: Op<'c>, options: &OptionValues<'_>) -> Result<'c, ()> {
    let units = Units::of(options)?;
    let useless = RefCell::new(Useless::default());
    change_each_compute(module, |compute| {
        let mut schedule = Schedule::of(compute, units);
        let parsed =
            compute.walk::<cin::Command>().into_iter().map(Command::of).collect::<Result<'c, Vec<_>>>()?;
        let mut is_scheduled = false;
        for command in parsed {
            let is_about = schedule.is_about(&command.action);
            *useless.borrow_mut().is_of_use(&command) |= is_about;
            schedule.carry_out(&command)?;
            command.op.erase();
            is_scheduled |= is_about;
        }
        schedule.settle_workspaces()?;
        if is_scheduled {
            pass::decided(compute.location(), || format!("scheduled loops: {}", report::loops(compute)));
        }
        Ok(())
    })?;
    useless.into_inner().refuse()
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
        options.choice("units", &[("cpu", Self::Cpu), ("graphs", Self::Graphs), ("spatial", Self::Spatial)])
    }
}

/// The commands that no compute of their statements is about, by their places: each compute has all of them.
#[derive(Default)]
struct Useless<'c> {
    places: Vec<(Loc<'c>, bool, String)>,
}

impl<'c> Useless<'c> {
    /// Whether some compute is known to be about a command.
    fn is_of_use(&mut self, command: &Command<'c>) -> &mut bool {
        let known = self.places.iter().position(|(place, ..)| *place == command.location());
        let known = known.unwrap_or_else(|| {
            self.places.push((command.location(), false, missing(&command.action)));
            self.places.len() - 1
        });
        &mut self.places[known].1
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
        Action::Locate(tensor) | Action::Replicate(tensor) => {
            format!("the statement has no operand `{tensor}`")
        }
        Action::Fuse(_) => format!("no loops of the statement have both `{vars}` in them"),
        _ => format!("the statement has no loop over `{vars}`"),
    }
}

/// A compute whose loops are changed.
struct Schedule<'c> {
    compute: cin::Compute<'c>,
    units: Units,
    /// The variables that loops bind, by the names that commands know them by.
    vars: HashMap<String, Val<'c>>,
    /// The where-statements in whose producers names stand for loops that the consumers have under others.
    producers: HashMap<String, cin::Where<'c>>,
    /// What `order` has taken out of loops.
    taken_out: Vec<TakenOut<'c>>,
}

impl<'c> Schedule<'c> {
    fn of(compute: cin::Compute<'c>, units: Units) -> Self {
        let vars = compute.walk::<cin::IndexVar>().into_iter().map(|var| var.var());
        let vars = vars.map(|var| (nest::name(var), var)).collect();
        Self { compute, units, vars, producers: HashMap::new(), taken_out: Vec::new() }
    }

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
            Action::Locate(tensor) | Action::Replicate(tensor) => self.reads(tensor),
            Action::Accelerator(Accelerator::Communicate { tensor, var }) => {
                let is_there = !self.assigns_to(tensor).is_empty() || self.reads(tensor);
                self.vars.contains_key(var) && is_there
            }
            _ => vars.all(|var| self.vars.contains_key(var)),
        }
    }

    fn carry_out(&mut self, command: &Command<'c>) -> Result<'c, ()> {
        if self.units == Units::Spatial && matches!(command.action, Action::Assemble(..) | Action::Locate(_))
        {
            report_elsewhere(command);
        }
        match &command.action {
            Action::Order(vars) => self.order(command, vars),
            Action::Split(halves) => self.split(command, halves),
            Action::Divide(halves) => {
                let Halves { outer, inner, number, .. } = halves;
                self.cut(command, halves, |b, var| {
                    let divide = cin::Divide::build(b, var, *number, outer, inner)?.set_commanded(true);
                    Ok((divide.outer(), divide.inner()))
                })
            }
            Action::Tile(sizes) => self.tile(command, sizes),
            Action::Bound { var, bounded, size } => self.bound(command, var, bounded, *size),
            Action::Fuse(pair) => self.fuse(command, pair),
            Action::Pos(positions) => self.pos(command, positions),
            Action::Precompute(what) => self.precompute(command, what),
            Action::DenseWorkspace(tensor) => self.dense_workspace(command, tensor),
            Action::SparseWorkspace(..) if self.units == Units::Spatial => {
                report_elsewhere(command);
                Ok(())
            }
            Action::SparseWorkspace(tensor, workspace) => self.sparse_workspace(tensor, *workspace),
            Action::Assemble(tensor, strategy) => self.assemble(command, tensor, *strategy),
            Action::Locate(tensor) => self.locate(tensor),
            // `ta-distribute` has read them.
            Action::Distribute(_) | Action::Replicate(_) => {
                if self.units != Units::Cpu {
                    report_elsewhere(command);
                }
                Ok(())
            }
            Action::Mark(var, mark) => self.mark(command, var, *mark),
            Action::Environment(name, value) => self.environment(command, name, *value),
            Action::Accelerator(what) => self.accelerator(command, what),
        }
    }

    fn var(&self, name: &str) -> Option<Val<'c>> {
        self.vars.get(name).copied()
    }

    /// The loops over a variable; none where the compute lacks it.
    fn loops(&self, name: &str) -> Vec<cin::Forall<'c>> {
        let Some(var) = self.var(name) else { return Vec::new() };
        let loops = self.compute.walk::<cin::Forall>();
        let is_named = |forall: &cin::Forall<'c>| {
            self.producers.get(name).is_none_or(|where_op| is_in_block(*forall, where_op.producer()))
        };
        loops.into_iter().filter(|forall| forall.var() == var && is_named(forall)).collect()
    }

    /// The loops over a variable that no command has replaced by others.
    fn uncut_loops(&self, command: &Command<'c>, name: &str) -> Result<'c, Vec<cin::Forall<'c>>> {
        let loops = self.loops(name);
        if loops.is_empty() && self.vars.contains_key(name) {
            let message = format!("no loop runs over `{name}` any more: an earlier command has replaced it");
            return Err(
                IrError::at(command.location(), message).hint("name what that command has introduced")
            );
        }
        Ok(loops)
    }

    fn split(&mut self, command: &Command<'c>, halves: &Halves) -> Result<'c, ()> {
        let Halves { outer, inner, number, .. } = halves;
        self.cut(command, halves, |b, var| {
            let split = cin::Split::build(b, var, *number, outer, inner)?.set_commanded(true);
            Ok((split.outer(), split.inner()))
        })
    }

    /// Replaces the loops over a variable by two each, over what `declare` makes of the variable.
    fn cut(
        &mut self,
        command: &Command<'c>,
        halves: &Halves,
        declare: impl FnOnce(Builder<'c>, Val<'c>) -> Result<'c, (Val<'c>, Val<'c>)>,
    ) -> Result<'c, ()> {
        let loops = self.uncut_loops(command, &halves.var)?;
        let Some(var) = self.var(&halves.var) else { return Ok(()) };
        let (outer_var, inner_var) = declare(self.declarations(command), var)?;
        for forall in loops {
            replace_loop(command, forall, &[outer_var, inner_var])?;
        }
        self.vars.insert(halves.outer.clone(), outer_var);
        self.vars.insert(halves.inner.clone(), inner_var);
        Ok(())
    }

    /// The outer halves go outside; what is inside keeps the name.
    fn tile(&mut self, command: &Command<'c>, sizes: &[(String, i64)]) -> Result<'c, ()> {
        for (var, size) in sizes {
            let (outer, inner) = (tile_name(var), var.clone());
            let halves = Halves { var: var.clone(), outer, inner, number: *size };
            self.split(command, &halves)?;
        }
        let outer = sizes.iter().map(|(var, _)| self.var(&tile_name(var)));
        let outer: Vec<Val<'c>> = outer.flatten().collect();
        for chain in chains(self.compute.body()) {
            let mut moved = chain.clone();
            let place = |forall: &cin::Forall<'c>| {
                outer.iter().position(|var| *var == forall.var()).unwrap_or(outer.len())
            };
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
        let result = cin::Bound::build(b, whole, size, bounded)?.bounded();
        for forall in loops {
            replace_loop(command, forall, &[result])?;
        }
        self.vars.insert(bounded.to_owned(), result);
        Ok(())
    }

    /// What is skipped in a tile is so among the tiles as well, which no command can name.
    fn mark(&self, command: &Command<'c>, var: &str, mark: Mark) -> Result<'c, ()> {
        let mut loops = self.uncut_loops(command, var)?;
        let is_for_accelerators = matches!(mark, Mark::Parallel(unit, _) if unit != ParallelUnit::Cpu);
        if is_for_accelerators && self.units == Units::Cpu {
            report_elsewhere(command);
            return Ok(());
        }
        if !is_for_accelerators && self.units == Units::Spatial {
            report_elsewhere(command);
        }
        if mark == Mark::Skip {
            loops.extend(self.loops(&tile_name(var)));
        }
        for forall in loops {
            report_few_iterations(forall, mark);
            let (own, there) = (mark.words(), loops::marks(forall));
            if let Some(word) = own.into_iter().find(|word| there.contains(word)) {
                let message = format!("the loop over `{var}` is marked `{word}` already");
                return Err(IrError::at(command.location(), message).hint("leave one of the two out"));
            }
            mark.set_on(forall);
            if self.units == Units::Spatial && matches!(mark, Mark::Parallel(..)) {
                forall.set_command(Some(place_of(command))).set_setting(command.setting.as_deref());
            }
        }
        Ok(())
    }

    /// In front of the first statement of the compute.
    fn declarations(&self, command: &Command<'c>) -> Builder<'c> {
        let first = self.compute.body().ops().into_iter().find(is_statement);
        Builder::before(first.unwrap_or(*command.op)).with_location(command.location())
    }
}

/// A schedule is for all back ends; what only others do is a remark.
fn report_elsewhere(command: &Command<'_>) {
    pass::decided(command.location(), || "the command is for another back end, and left out here".to_owned());
}

fn place_of<'c>(command: &Command<'c>) -> Attr<'c> {
    location::to_attribute(command.location())
}

/// Unrolling by more than the number of iterations does not fail: it unrolls the whole loop.
fn report_few_iterations(forall: cin::Forall<'_>, mark: Mark) {
    let var = forall.var();
    let (Mark::Unroll(iterations), Some(extent)) = (mark, nest::constant_extent(var)) else { return };
    if extent < iterations {
        pass::decided(forall.location(), || {
            let name = nest::name(var);
            format!(
                "`unroll({name}, {iterations})` is one of {extent}: the loop over `{name}` has no more iterations"
            )
        });
    }
}

impl Mark {
    /// The attributes that it sets, as commands call them.
    fn words(self) -> Vec<&'static str> {
        match self {
            Self::Unroll(_) => vec!["unroll"],
            Self::Vectorize(_) => vec!["vectorize"],
            Self::Parallel(_, None) => vec!["parallel"],
            Self::Parallel(_, Some(_)) => vec!["parallel", "tasks"],
            Self::Skip => vec!["skip"],
            Self::BitVector(_) => vec!["bitvector"],
        }
    }

    fn set_on(self, forall: cin::Forall<'_>) {
        match self {
            Self::Unroll(times) => forall.set_unroll(Some(times)),
            Self::Vectorize(lanes) => forall.set_vectorize(Some(lanes)),
            Self::Parallel(unit, None) => forall.set_parallel(Some(unit)),
            Self::Parallel(unit, tasks) => forall.set_parallel(Some(unit)).set_tasks(tasks),
            Self::Skip => forall.set_skip(true),
            Self::BitVector(bits) => forall.set_bitvector(Some(bits)),
        };
    }
}

/// Replaces a loop by loops over other variables, one inside the other.
fn replace_loop<'c>(command: &Command<'c>, forall: cin::Forall<'c>, vars: &[Val<'c>]) -> Result<'c, ()> {
    refuse_marked(command, forall)?;
    move_body(forall.body(), cin::loops(Builder::before(forall), vars)?.block());
    forall.erase();
    Ok(())
}

/// What is said about a loop is about all of it: a loop is cut first.
fn refuse_marked<'c>(command: &Command<'c>, forall: cin::Forall<'c>) -> Result<'c, ()> {
    let Some(mark) = loops::marks(forall).first().copied() else { return Ok(()) };
    let message = format!("the loop over `{}` is marked `{mark}` already", nest::name(forall.var()));
    Err(IrError::at(command.location(), message)
        .hint("write this command before the one that marks the loop"))
}

fn conflict<'c>(command: &Command<'c>, inner: cin::Forall<'c>, outer: cin::Forall<'c>) -> IrError<'c> {
    let (inner, outer) = (nest::name(inner.var()), nest::name(outer.var()));
    let message = format!(
        "the loop over `{inner}` cannot go outside of that over `{outer}`: it computes a value that other statements of that loop use"
    );
    IrError::at(command.location(), message).hint(format!("name `{outer}` before `{inner}`"))
}
