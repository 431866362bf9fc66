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
//!   %io, %ii = cin.split %i by 8 names "io", "ii"
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
//! Requires operands whose storage agrees with the order that the commands leave (`ta-to-cin` sees to it).
//! Leaves no command. One whose variables the compute lacks is about another compute of the same statement.

use super::change_each_compute;
use crate::nest;
use crate::schedule::{Action, Command, Halves, Mark, reordered, tile_name};
use comet_dialects::cin::{
    AssignOperation, CommandOperation, ForallOperation, IndexVarOperation, TemporaryOperation,
};
use comet_ir::pass::{Changed, OptionValues, Pass};
use comet_ir::{Attr, Block, Builder, IrError, Op, Result, Val, types};
use std::collections::HashMap;

/// The pass.
pub const PASS: Pass = Pass {
    name: "cin-schedule",
    description: "Carries out the commands of schedules",
    options: &[],
    dialects: &["cin"],
    run,
};

fn run<'c>(module: Op<'c>, _options: &OptionValues<'_>) -> Result<'c, Changed> {
    change_each_compute(module, |compute| {
        let commands = compute.descendants::<CommandOperation>();
        let mut schedule = Schedule::of(compute);
        for command in &commands {
            schedule.carry_out(&Command::of(*command)?)?;
            command.erase();
        }
        Ok(!commands.is_empty())
    })
}

/// A compute whose loops are changed.
struct Schedule<'c> {
    compute: Op<'c>,
    /// The variables that loops bind, by the names that commands know them by.
    vars: HashMap<String, Val<'c>>,
}

impl<'c> Schedule<'c> {
    fn of(compute: Op<'c>) -> Self {
        let vars = compute.descendants::<IndexVarOperation>().into_iter().map(|op| op.result(0));
        Self { compute, vars: vars.map(|var| (nest::name(var), var)).collect() }
    }

    fn carry_out(&mut self, command: &Command<'c>) -> Result<'c, ()> {
        match &command.action {
            Action::Order(vars) => self.order(command, vars),
            Action::Split(halves) => self.cut(command, "cin.split", "factor", halves),
            Action::Divide(halves) => self.cut(command, "cin.divide", "parts", halves),
            Action::Tile(sizes) => self.tile(command, sizes),
            Action::Bound { var, bounded, size } => self.bound(command, var, bounded, *size),
            Action::Mark(var, mark) => self.mark(command, var, *mark),
        }
    }

    /// The loops over a variable; none where the compute lacks it.
    fn loops(&self, name: &str) -> Vec<Op<'c>> {
        let Some(var) = self.vars.get(name) else { return Vec::new() };
        let loops = self.compute.descendants::<ForallOperation>();
        loops.into_iter().filter(|forall| forall.operand(0) == *var).collect()
    }

    /// The loops over a variable that is a label still: no command has cut it.
    fn uncut_loops(&self, command: &Command<'c>, name: &str) -> Result<'c, Vec<Op<'c>>> {
        let loops = self.loops(name);
        if loops.is_empty() && self.vars.contains_key(name) {
            let message = format!("no loop runs over `{name}` any more: an earlier command has cut it");
            return Err(IrError::at(command.location(), message).hint("name one of its parts"));
        }
        Ok(loops)
    }

    fn order(&self, command: &Command<'c>, names: &[String]) -> Result<'c, ()> {
        for name in names {
            self.uncut_loops(command, name)?;
        }
        let wanted: Vec<Val<'c>> = names.iter().filter_map(|name| self.vars.get(name).copied()).collect();
        let rank = |forall: &Op<'c>| wanted.iter().position(|var| *var == forall.operand(0));
        for chain in chains(self.compute.body(0)) {
            rearrange(&chain, &reordered(&chain, rank))?;
        }
        for forall in self.compute.descendants::<ForallOperation>() {
            let around = std::iter::successors(forall.parent(), |op| op.parent());
            let outer = around.filter(|op| op.is::<ForallOperation>());
            if let Some(outer) =
                outer.filter(|outer| rank(outer) > rank(&forall)).find(|_| rank(&forall).is_some())
            {
                return Err(conflict(command, forall, outer));
            }
        }
        Ok(())
    }

    fn cut(
        &mut self,
        command: &Command<'c>,
        relation: &str,
        attribute: &str,
        halves: &Halves,
    ) -> Result<'c, ()> {
        let loops = self.uncut_loops(command, &halves.var)?;
        let Some(var) = self.vars.get(&halves.var).copied() else { return Ok(()) };
        let b = self.declarations(command);
        let attributes = [
            (attribute, b.i64_attribute(halves.number)),
            ("outer_name", b.string_attribute(&halves.outer)),
            ("inner_name", b.string_attribute(&halves.inner)),
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
        let outer = sizes.iter().map(|(var, _)| self.vars.get(&tile_name(var)).copied());
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
        let Some(whole) = self.vars.get(var).copied() else { return Ok(()) };
        if let Some(extent) = static_extent(whole).filter(|extent| *extent > size) {
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

    fn mark(&self, command: &Command<'c>, var: &str, mark: Mark) -> Result<'c, ()> {
        for forall in self.uncut_loops(command, var)? {
            let b = Builder::before(forall);
            for (name, value) in attributes(b, mark) {
                if forall.attribute(name).is_some() {
                    let message = format!("the loop over `{var}` is marked `{name}` already");
                    return Err(IrError::at(command.location(), message).hint("leave one of the two out"));
                }
                forall.set_attribute(name, value);
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

fn attributes<'c>(b: Builder<'c>, mark: Mark) -> Vec<(&'static str, Attr<'c>)> {
    match mark {
        Mark::Unroll(rounds) => vec![("unroll", b.i64_attribute(rounds))],
        Mark::Vectorize(lanes) => vec![("vectorize", b.i64_attribute(lanes))],
        Mark::Parallel(unit, tasks) => std::iter::once(("parallel", b.enum_attribute(unit as i32)))
            .chain(tasks.map(|tasks| ("tasks", b.i64_attribute(tasks))))
            .collect(),
    }
}

/// What is said about a loop is about all of it: a loop is cut first.
fn refuse_marked<'c>(command: &Command<'c>, forall: Op<'c>) -> Result<'c, ()> {
    let marks = ["unroll", "vectorize", "parallel"];
    let Some(mark) = marks.into_iter().find(|mark| forall.attribute(mark).is_some()) else { return Ok(()) };
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

/// Loops with nothing in between, outermost first: as many lists as there are places where loops begin.
fn chains(block: Block<'_>) -> Vec<Vec<Op<'_>>> {
    let mut found = Vec::new();
    for op in block.ops().into_iter().filter(|op| op.region_count() > 0) {
        let mut chain = Vec::new();
        let mut last = op;
        while last.is::<ForallOperation>() {
            chain.push(last);
            match statements(last)[..] {
                [only] if only.is::<ForallOperation>() => last = only,
                _ => break,
            }
        }
        if !chain.is_empty() {
            found.push(chain);
        }
        found.extend((0..last.region_count()).flat_map(|region| chains(last.body(region))));
    }
    found
}

fn statements(op: Op<'_>) -> Vec<Op<'_>> {
    op.body(0).ops().into_iter().filter(is_statement).collect()
}

fn is_statement(op: &Op<'_>) -> bool {
    op.region_count() > 0 || op.is::<AssignOperation>() || op.is::<TemporaryOperation>()
}

/// Replaces a chain of loops by loops over the variables of others, with their marks.
fn rearrange<'c>(chain: &[Op<'c>], wanted: &[Op<'c>]) -> Result<'c, ()> {
    let (Some(first), Some(last)) = (chain.first(), chain.last()) else { return Ok(()) };
    if chain == wanted {
        return Ok(());
    }
    let mut b = Builder::before(*first);
    let mut innermost = *first;
    for forall in wanted {
        innermost = open(b, forall.operand(0))?;
        for name in ["parallel", "tasks", "unroll", "vectorize"] {
            if let Some(value) = forall.attribute(name) {
                innermost.set_attribute(name, value);
            }
        }
        b = b.inside(innermost.body(0));
    }
    move_body(*last, innermost);
    first.erase();
    Ok(())
}

fn open<'c>(b: Builder<'c>, var: Val<'c>) -> Result<'c, Op<'c>> {
    b.op_with_regions("cin.forall", &[var], &[], &[], vec![b.region(&[])])
}

fn move_body<'c>(from: Op<'c>, to: Op<'c>) {
    for op in from.body(0).ops() {
        op.move_to_end(to.body(0));
    }
}

/// The extent of a variable of the expression, where it is a constant.
fn static_extent(var: Val<'_>) -> Option<i64> {
    let declaration = Op::defining(var).filter(|op| op.is::<IndexVarOperation>())?;
    nest::optional_integer(Op::defining(declaration.operand(0))?, "value")
}
