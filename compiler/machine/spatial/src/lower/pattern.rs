//! Loops as patterns, by the set of coordinates that matter (stardust.txt, Table 3).
//!
//! All coordinates: a counter. Those of one operand: a counter over its positions, with the coordinate from a
//! FIFO. Those of several: a scan of bit vectors (`scan`). An operand that is read at other coordinates than
//! its own is located by a table of them.

use super::expr::{binary, dequeue, int, minus, mux, name, read, times, zero};
use super::nest::{Access, Assign, Parallelism, Refusal, Tiles, Var};
use super::operand::{Reads, is_there};
use super::plan::{Addresses, LevelRole, LoopPlan, Reserved};
use super::presence::Set;
use super::scope::{OpenBlock, Scope, Segment};
use super::{Emitter, host, index_type, lanes};
use crate::app::{
    Block, Counter, Domain, Expr, Kind, Memory, MemoryKind, Operator, Pattern, PatternResult, Schedule,
    has_controllers,
};

pub(super) struct Open {
    domain: Domain,
    /// What was known outside.
    scope: Scope,
}

/// The places of a located operand, by coordinates: an SRAM of them, and its values if the level is the last.
struct Table {
    places: String,
    values: Option<String>,
}

impl<'p> Emitter<'p> {
    pub(super) fn forall(&mut self, plan: &'p LoopPlan) -> Result<(), Refusal> {
        if plan.opens_part {
            self.open_values();
        }
        if let Some(level) = plan.result_level {
            self.begin_level(level);
        }
        match &plan.fold {
            Some(fold) => self.fold(plan, fold)?,
            None => self.iterate(plan)?,
        }
        if plan.opens_part {
            self.end_part();
        }
        Ok(())
    }

    fn iterate(&mut self, plan: &'p LoopPlan) -> Result<(), Refusal> {
        let open = self.open(plan)?;
        if let Some(level) = plan.result_level {
            self.begin_iteration(level);
        }
        self.steps(&plan.body)?;
        if let Some(level) = plan.result_level {
            self.end_iteration(plan.var, level);
        }
        let counted = plan.result_level.and_then(|level| self.counted(level));
        let (domain, frame) = self.close(open, plan);
        let result = match counted {
            None => PatternResult::None,
            Some((register, value)) => PatternResult::Register { register, value, with: Operator::Add },
        };
        self.frames.push(pattern(domain, frame.statements, result));
        if let Some(level) = plan.result_level {
            self.reserve_after(level);
            self.end_level(level);
        }
        Ok(())
    }

    /// Writes what comes before a loop, and begins its body.
    pub(super) fn open(&mut self, plan: &LoopPlan) -> Result<Open, Refusal> {
        let var = plan.var;
        let compressed = || plan.levels.iter().filter(|operand| operand.role != LevelRole::Dense);
        let segments: Vec<Segment> =
            compressed().map(|operand| self.segment(&operand.access, operand.level)).collect();
        for operand in &plan.levels {
            self.load_next_positions(&operand.access, operand.level, operand.role);
        }
        self.load_slices(&plan.slices_before);
        let mut tables = Vec::new();
        for (operand, segment) in compressed().zip(&segments) {
            if operand.role == LevelRole::Located {
                tables.push((operand, self.table(&operand.access, operand.level, segment, var)));
            }
        }
        // What is on chip stays so after the loop; where the loops are does not.
        let scope = self.scope.clone();
        let domain = match &plan.set {
            Set::True => self.all_coordinates(plan),
            Set::Atom(access) => self.positions(var, access, plan.reserved),
            Set::Or(..) | Set::And(..) => self.scan(var, &plan.set, plan.reserved),
        };
        self.scope.context = std::mem::replace(&mut self.scope.context, super::presence::Formula::True)
            .and(plan.known.clone());
        for operand in plan.levels.iter().filter(|operand| operand.role == LevelRole::Dense) {
            self.step_dense(&operand.access, var, operand.level);
        }
        for (operand, table) in tables {
            let access = &operand.access;
            let coordinate = self.scope.coordinates[&var].clone();
            let wanted = format!("{}{}", self.name_of(var), self.label(access));
            let local = name(self.frames.val(&wanted, read(&table.places, coordinate)));
            if let Some(values) = table.values {
                self.scope.values.insert(access.clone(), read(&values, local.clone()));
            }
            self.step_compressed(access, operand.level, local.clone(), Some(is_there(local)));
        }
        for operand in plan.levels.iter().filter(|operand| operand.loads_next_inside) {
            self.load_next_positions(&operand.access, operand.level + 1, LevelRole::Dense);
        }
        self.load_slices(&plan.slices_inside);
        Ok(Open { domain, scope })
    }

    fn all_coordinates(&mut self, plan: &LoopPlan) -> Domain {
        let var = plan.var;
        let to = match &plan.uneven {
            Some(tiles) => self.in_last_tile(var, tiles),
            None => self.extent(var),
        };
        self.reserve(plan.reserved, to.clone());
        self.enter(var);
        let binder = self.frames.fresh(self.name_of(var));
        self.scope.coordinates.insert(var, name(&binder));
        self.number_iteration(plan.reserved, name(&binder));
        counter(binder, to)
    }

    /// The number of iterations in a tile: up to the extent.
    fn in_last_tile(&mut self, var: Var, tiles: &Tiles) -> Expr {
        let whole = self.whole_extent(tiles);
        let tile = self.scope.coordinates[&tiles.tile].clone();
        let left = minus(whole, times(tile, int(tiles.size)));
        let left = self.frames.val(&format!("{}_left", self.name_of(var)), left);
        let is_less = binary(Operator::Less, name(&left), int(tiles.size));
        let len = mux(is_less, name(&left), int(tiles.size));
        name(self.frames.val(&format!("{}_len", self.name_of(var)), len))
    }

    /// The extent of an index variable that is divided, as an argument.
    fn whole_extent(&mut self, tiles: &Tiles) -> Expr {
        let nest = self.nest;
        let mut of_tensors = nest
            .assigns()
            .flat_map(Assign::accesses)
            .filter(|access| !nest.tensors[access.tensor].is_temporary);
        let found = of_tensors.find_map(|access| {
            let index = access.indices.iter().position(|var| *var == tiles.within)?;
            Some((access.tensor, nest.tensors[access.tensor].modes[index]))
        });
        let (tensor, mode) = found.expect("an index variable is of a tensor");
        self.needs.whole_extents.insert((tensor, mode));
        name(host::whole_extent_name(&nest.tensors[tensor].name, mode))
    }

    /// Ends the body of a loop: its iterations, and its statements.
    pub(super) fn close(&mut self, open: Open, plan: &LoopPlan) -> (Domain, OpenBlock) {
        let mut frame = self.frames.close();
        let is_innermost = !has_controllers(&frame.statements);
        let is_only_ordered = frame.is_ordered && !frame.is_carried && !is_innermost;
        if is_only_ordered && self.is_wide(&plan.par) {
            self.number_iterations(&open.domain, &mut frame);
        }
        let lanes = self.factor(&plan.par, &frame);
        if is_innermost {
            self.feed(&frame, &lanes);
        }
        self.loops.pop();
        self.scope = open.scope;
        (with_lanes(open.domain, lanes), frame)
    }

    pub(super) fn enter(&mut self, var: Var) {
        self.loops.push(var);
        self.frames.open_loop(var);
    }

    /// One operand: a counter over its positions.
    fn positions(&mut self, var: Var, access: &Access, reserved: Option<Reserved>) -> Domain {
        let level = self.nest.level_over(access, var).expect("an operand of a set is over its variable");
        let segment = self.scope.segments[&(access.clone(), level)].clone();
        let crd = self.coordinates(access, level, &segment, int(1));
        let values =
            self.is_last(access, level).then(|| self.segment_values(access, &segment, Reads::InOrder));
        self.reserve(reserved, segment.len.clone());
        self.enter(var);
        self.frames.take_in_order();
        let label = self.label(access);
        let binder = self.frames.fresh(&format!("{}{label}", self.name_of(var)));
        self.number_iteration(reserved, name(&binder));
        let coordinate = self.frames.val(self.name_of(var), dequeue(&crd));
        self.scope.coordinates.insert(var, name(coordinate));
        if let Some(values) = values {
            let value =
                if self.nest.is_row(access.tensor) { read(&values, name(&binder)) } else { dequeue(&values) };
            let value = self.frames.val(&format!("{label}_hoisted"), value);
            self.scope.values.insert(access.clone(), name(value));
        }
        self.step_compressed(access, level, name(&binder), None);
        counter(binder, segment.len)
    }

    /// A table of where an operand has each coordinate of a variable, and its values if the level is the
    /// last.
    fn table(&mut self, access: &Access, level: usize, segment: &Segment, var: Var) -> Table {
        let values =
            self.is_last(access, level).then(|| self.segment_values(access, segment, Reads::Anywhere));
        let crd = self.coordinates(access, level, segment, self.setting("ip"));
        let stem = format!("{}{}_at", self.label(access), level + 1);
        let table = self.array(&stem, index_type(), Addresses::Any);
        let extent = self.extent(var);
        self.fill(&table, extent, int(-1));
        self.frames.open();
        let place = self.frames.fresh("p");
        self.frames.push(Kind::Write { memory: table.clone(), index: dequeue(&crd), value: name(&place) });
        let body = self.frames.close().statements;
        let domain = with_lanes(counter(place, segment.len.clone()), self.setting("ip"));
        self.frames.push(foreach(domain, body));
        Table { places: table, values }
    }

    /// Sets the first elements of an SRAM.
    pub(super) fn fill(&mut self, memory: &str, size: Expr, value: Expr) {
        if size == int(1) {
            // Lanes over a single address have no banks.
            return self.frames.push(Kind::Write { memory: memory.to_owned(), index: int(0), value });
        }
        self.frames.open();
        let place = self.frames.fresh("z");
        self.frames.push(Kind::Write { memory: memory.to_owned(), index: name(&place), value });
        let body = self.frames.close().statements;
        self.frames.push(foreach(with_lanes(counter(place, size), self.setting("ip")), body));
    }

    /// How many iterations of a loop run at once. Iterations that depend on those before run one after the
    /// other.
    fn factor(&mut self, par: &Parallelism, frame: &OpenBlock) -> Expr {
        let is_innermost = !has_controllers(&frame.statements);
        if let Some(refusal) = self.refused(par, frame) {
            self.refusal.get_or_insert(refusal);
        }
        match par {
            _ if is_sequential(frame) => int(1),
            // Lanes cannot have registers of their own.
            _ if is_innermost && has_registers(&frame.statements) => int(1),
            Parallelism::Number(number) => int(*number),
            Parallelism::Setting(setting) => name(setting),
            Parallelism::Usual if is_innermost => self.setting("ip"),
            Parallelism::Usual if self.loops.len() == 1 => self.setting("bp"),
            Parallelism::Usual => int(1),
        }
    }

    /// Whether iterations of an outer loop may be to run at once; settings may be given anew.
    fn is_wide(&self, par: &Parallelism) -> bool {
        match par {
            Parallelism::Number(number) => *number > 1,
            Parallelism::Setting(_) => true,
            Parallelism::Usual => self.loops.len() == 1,
        }
    }

    /// What a schedule asks for that cannot be: iterations at once that depend on each other, more than a
    /// vector has lanes, more copies than there are networks.
    fn refused(&self, par: &Parallelism, frame: &OpenBlock) -> Option<Refusal> {
        let is_innermost = !has_controllers(&frame.statements);
        let number = self.nest.asked(par);
        let var = *self.loops.last()?;
        let (why, hint) = if number > 1 && frame.is_appending {
            let hint =
                "leave the command out, or compute a result that is dense or stores what one operand does";
            ("each appends to the result behind the one before".to_owned(), hint.to_owned())
        } else if number > 1 && frame.is_carried {
            let hint = "reduce into a scalar by `scalar_promote()`, tile the result or declare its extents, so that a part of it is known to fit on chip, or leave the command out";
            ("each adds to what the one before has left".to_owned(), hint.to_owned())
        } else if number > 1 && is_sequential(frame) {
            let hint = "ask for the innermost loop, whose iterations are lanes of a vector, or leave the command out";
            (
                "each dequeues from a FIFO, or enqueues to one, that the others use, too".to_owned(),
                hint.to_owned(),
            )
        } else if number > lanes::MOST {
            let what = if is_innermost {
                "a vector has that many lanes"
            } else {
                "sparse SRAMs have that many shuffle networks"
            };
            (format!("{} can: {what}", lanes::MOST), format!("ask for {} at most", lanes::MOST))
        } else {
            return None;
        };
        let name = self.name_of(var);
        let message = format!("{number} iterations of the loop over `{name}` cannot run at once: {why}");
        Some(Refusal::new(message).hint(hint).of_loop(var))
    }

    /// A register that counts or sums from here on.
    pub(super) fn counter_register(&mut self, stem: &str) -> String {
        self.frames.register(stem, index_type(), zero(index_type()))
    }
}

fn has_registers(block: &Block) -> bool {
    let is_register = |memory: &Memory| matches!(memory.kind, MemoryKind::Register { .. });
    block.iter().any(|statement| matches!(&statement.kind, Kind::Memory(memory) if is_register(memory)))
}

fn is_sequential(frame: &OpenBlock) -> bool {
    frame.is_carried || frame.is_ordered && has_controllers(&frame.statements)
}

/// A pattern whose iterations overlap as usual.
pub(super) fn pattern(domain: Domain, body: Block, result: PatternResult) -> Kind {
    Kind::Pattern(Pattern { schedule: Schedule::Pipelined, domain, body, result })
}

pub(super) fn foreach(domain: Domain, body: Block) -> Kind {
    pattern(domain, body, PatternResult::None)
}

/// `to by 1`.
pub(super) fn counter(binder: String, to: Expr) -> Domain {
    Domain::Counters(vec![Counter { binder, from: None, to, step: int(1), par: None }])
}

/// The iterations, so many at once.
pub(super) fn with_lanes(domain: Domain, lanes: Expr) -> Domain {
    match domain {
        Domain::Counters(mut counters) => {
            if let Some(last) = counters.last_mut() {
                last.par = Some(lanes);
            }
            Domain::Counters(counters)
        }
        Domain::Scan { len, bits, binders, .. } => Domain::Scan { par: lanes, len, bits, binders },
        Domain::ScanTwo { len, mode, bits, binders, .. } => {
            Domain::ScanTwo { par: lanes, len, mode, bits, binders }
        }
    }
}
