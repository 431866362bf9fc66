//! Loops as patterns, by the set of coordinates that matter (stardust.txt, Table 3).
//!
//! All coordinates: a counter. Those of one operand: a counter over its positions, with the coordinate from a
//! FIFO. Those of several: a scan of bit vectors (`scan`). An operand that is looked at under other
//! coordinates than its own is found by a table of them.

use super::expr::{binary, dequeue, int, minus, mux, name, read, times, zero};
use super::nest::{Access, Assign, Factor, Refusal, Stmt, Tiles, Var};
use super::operand::is_there;
use super::pattern_set::{Set, visited};
use super::presence::Formula;
use super::result::Reserved;
use super::scope::{Frame, Scope, Segment};
use super::{Lowering, host, index_type, lanes};
use crate::app::{
    Block, Counter, Domain, Expr, Kind, LevelKind, Memory, MemoryKind, Operator, Schedule, has_controllers,
};

/// A pattern whose body is being written.
pub(super) struct Open {
    domain: Domain,
    /// What was known outside.
    scope: Scope,
}

impl Lowering<'_> {
    pub(super) fn forall(&mut self, stmt: &Stmt) -> Result<(), Refusal> {
        let Stmt::Forall { var, par, body } = stmt else { unreachable!("a loop is a `Forall`") };
        let has_part = self.begin_part(stmt);
        self.begin_levels(*var, stmt);
        if self.partial(stmt)? {
            if has_part {
                self.end_part();
            }
            return Ok(());
        }
        let open = self.open(*var, stmt)?;
        self.begin_round(*var, body);
        self.block(body)?;
        self.end_round(*var, body);
        let counted = self.counted(*var, body);
        let (domain, frame) = self.close(open, par);
        self.frames.push(match counted {
            None => foreach(domain, frame.statements),
            Some((register, value)) => Kind::Reduce {
                schedule: Schedule::Pipelined,
                register,
                domain,
                body: frame.statements,
                value,
                with: Operator::Add,
            },
        });
        self.reserve_behind(*var, body);
        self.end_levels(*var, body);
        if has_part {
            self.end_part();
        }
        Ok(())
    }

    /// Writes what is in front of a loop, and begins its body.
    pub(super) fn open(&mut self, var: Var, stmt: &Stmt) -> Result<Open, Refusal> {
        let Stmt::Forall { body, .. } = stmt else { unreachable!("a loop is a `Forall`") };
        let set = self.set(var, body);
        let over = self.over(var, body);
        let compressed = over.iter().filter(|(access, level)| self.is_compressed(access, *level));
        let segments: Vec<(Access, usize, Segment)> = compressed
            .cloned()
            .collect::<Vec<_>>()
            .into_iter()
            .map(|(access, level)| {
                let segment = self.segment(&access, level);
                (access, level, segment)
            })
            .collect();
        let of_set: Vec<Access> = set.operands().into_iter().cloned().collect();
        for (access, level) in &over {
            self.load_next_positions(access, *level, of_set.len() > 1 && of_set.contains(access));
        }
        self.load_slices_outside(var, stmt);
        let mut tables = Vec::new();
        for (access, level, segment) in &segments {
            if !of_set.contains(access) {
                tables.push((access.clone(), *level, self.table(access, *level, segment, var)));
            }
        }
        // What is on chip stays so behind the loop; where the loops are does not.
        let scope = self.scope.clone();
        let reserved = self.reserved_level(var, body);
        let domain = match &set {
            Set::All => {
                let to = self.rounds(var, body);
                if let Some(reserved) = reserved {
                    self.reserve(reserved, to.clone());
                }
                self.enter(var);
                let binder = self.frames.fresh(self.name_of(var));
                self.scope.coordinates.insert(var, name(&binder));
                if let Some(reserved) = reserved {
                    self.number_round(reserved, name(&binder));
                }
                counter(binder, to)
            }
            Set::Stored(access) => self.positions(var, access, reserved),
            Set::Union(..) | Set::Intersect(..) => self.scan(var, &set, reserved),
        };
        let known = Formula::of_set(&set, &|access: &Access| {
            let level = self.nest.level_over(access, var).expect("an operand of a set is over its variable");
            self.stored_above(access, level + 1)
        });
        self.scope.context = std::mem::replace(&mut self.scope.context, Formula::True).and(known);
        for (access, level) in &over {
            if !self.is_compressed(access, *level) {
                self.step_dense(access, var, *level);
            }
        }
        for (access, level, (table, values)) in tables {
            let coordinate = self.scope.coordinates[&var].clone();
            let place = format!("{}{}", self.name_of(var), self.label(&access));
            let local = name(self.frames.val(&place, read(&table, coordinate)));
            if let Some(values) = values {
                self.scope.values.insert(access.clone(), read(&values, local.clone()));
            }
            self.step_compressed(&access, level, local.clone(), Some(is_there(local)));
        }
        for (access, level) in &over {
            self.load_positions_inside(access, *level, body);
        }
        self.load_slices_inside(body);
        Ok(Open { domain, scope })
    }

    /// How many rounds a loop over all coordinates has. One in a tile that no result has goes up to the
    /// extent: what is behind it is no summand.
    fn rounds(&mut self, var: Var, body: &[Stmt]) -> Expr {
        let nest = self.nest;
        let tiles = nest.tiles.iter().find(|tiles| tiles.within == var && !tiles.is_even);
        let is_of_target =
            body.iter().flat_map(Stmt::assigns).any(|assign| assign.target.indices.contains(&var));
        let Some(tiles) = tiles.filter(|_| !is_of_target) else { return self.extent(var) };
        let whole = self.whole_extent(tiles);
        let tile = self.scope.coordinates[&tiles.tile].clone();
        let left = minus(whole, times(tile, int(tiles.size)));
        let left = self.frames.val(&format!("{}_left", self.name_of(var)), left);
        let is_less = binary(Operator::Less, name(&left), int(tiles.size));
        name(
            self.frames
                .val(&format!("{}_len", self.name_of(var)), mux(is_less, name(&left), int(tiles.size))),
        )
    }

    /// The extent of an index variable that is divided, as an argument.
    fn whole_extent(&mut self, tiles: &Tiles) -> Expr {
        let nest = self.nest;
        let assigns: Vec<&Assign> = nest.body.iter().flat_map(Stmt::assigns).collect();
        let accesses =
            assigns.iter().flat_map(|assign| assign.value.accesses().into_iter().chain([&assign.target]));
        let mut of_tensors = accesses.filter(|access| !nest.tensors[access.tensor].is_temporary);
        let found = of_tensors.find_map(|access| {
            let index = access.indices.iter().position(|var| *var == tiles.within)?;
            Some((access.tensor, nest.tensors[access.tensor].modes[index]))
        });
        let (tensor, mode) = found.expect("an index variable is of a tensor");
        self.whole_extents.insert((tensor, mode));
        name(host::whole_extent_name(&nest.tensors[tensor].name, mode))
    }

    /// Ends the body of a loop: its rounds, and its statements.
    pub(super) fn close(&mut self, open: Open, par: &Factor) -> (Domain, Frame) {
        let mut frame = self.frames.close();
        let is_innermost = !has_controllers(&frame.statements);
        let is_only_ordered = frame.is_ordered && !frame.is_carried && !is_innermost;
        if is_only_ordered && self.is_wide(par) {
            self.number_rounds(&open.domain, &mut frame);
        }
        let lanes = self.factor(par, &frame, is_innermost);
        if is_innermost {
            self.feed(&frame, &lanes);
        }
        self.loops.pop();
        self.scope = open.scope;
        (with_lanes(open.domain, lanes), frame)
    }

    /// The coordinates that a loop goes over.
    pub(super) fn set(&self, var: Var, body: &[Stmt]) -> Set {
        if self.needs_all(var, body) { Set::All } else { visited(self.nest, body, var) }
    }

    /// The operands from off chip with a level over a variable.
    fn over(&self, var: Var, body: &[Stmt]) -> Vec<(Access, usize)> {
        let accesses = self.accesses(body).into_iter();
        let off_chip = accesses.filter(|access| {
            self.nest.tensors[access.tensor].home == super::Home::OffChip || self.is_row(access.tensor)
        });
        off_chip.filter_map(|access| Some((access.clone(), self.nest.level_over(access, var)?))).collect()
    }

    fn is_compressed(&self, access: &Access, level: usize) -> bool {
        self.nest.kind_at(access, level) == LevelKind::Compressed
    }

    /// Begins the body of the loop over a variable.
    pub(super) fn enter(&mut self, var: Var) {
        self.loops.push(var);
        self.frames.open_loop(var);
    }

    /// One operand: a counter over its positions.
    fn positions(&mut self, var: Var, access: &Access, reserved: Option<Reserved>) -> Domain {
        let level = self.nest.level_over(access, var).expect("an operand of a set is over its variable");
        let segment = self.scope.segments[&(access.clone(), level)].clone();
        let crd = self.coordinates(access, level, &segment, int(1));
        let values = self.is_last(access, level).then(|| self.segment_values(access, &segment, true));
        if let Some(reserved) = reserved {
            self.reserve(reserved, segment.len.clone());
        }
        self.enter(var);
        self.frames.take_in_order();
        let label = self.label(access);
        let binder = self.frames.fresh(&format!("{}{label}", self.name_of(var)));
        if let Some(reserved) = reserved {
            self.number_round(reserved, name(&binder));
        }
        let coordinate = self.frames.val(self.name_of(var), dequeue(&crd));
        self.scope.coordinates.insert(var, name(coordinate));
        if let Some(values) = values {
            let value =
                if self.is_row(access.tensor) { read(&values, name(&binder)) } else { dequeue(&values) };
            let value = self.frames.val(&format!("{label}_hoisted"), value);
            self.scope.values.insert(access.clone(), name(value));
        }
        self.step_compressed(access, level, name(&binder), None);
        counter(binder, segment.len)
    }

    /// A table of where an operand has each coordinate of a variable, and its values if the level is the
    /// last.
    fn table(
        &mut self,
        access: &Access,
        level: usize,
        segment: &Segment,
        var: Var,
    ) -> (String, Option<String>) {
        let values = self.is_last(access, level).then(|| self.segment_values(access, segment, false));
        let crd = self.coordinates(access, level, segment, self.setting("ip"));
        let stem = format!("{}{}_at", self.label(access), level + 1);
        let table = self.array(&stem, index_type(), false);
        let extent = self.extent(var);
        self.fill(&table, extent, int(-1));
        self.frames.open();
        let place = self.frames.fresh("p");
        self.frames.push(Kind::Write { memory: table.clone(), index: dequeue(&crd), value: name(&place) });
        let body = self.frames.close().statements;
        let domain = with_lanes(counter(place, segment.len.clone()), self.setting("ip"));
        self.frames.push(foreach(domain, body));
        (table, values)
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

    /// How many rounds of a loop run at once. Rounds that depend on those before run one after the other.
    fn factor(&mut self, par: &Factor, frame: &Frame, is_innermost: bool) -> Expr {
        if let Some(refusal) = self.refused(par, frame, is_innermost) {
            self.refusal.get_or_insert(refusal);
        }
        match par {
            _ if is_sequential(frame, is_innermost) => int(1),
            // Lanes cannot have registers of their own.
            _ if is_innermost && has_registers(&frame.statements) => int(1),
            Factor::Number(number) => int(*number),
            Factor::Setting(setting) => name(setting),
            Factor::Usual if is_innermost => self.setting("ip"),
            Factor::Usual if self.loops.len() == 1 => self.setting("bp"),
            Factor::Usual => int(1),
        }
    }

    /// Whether rounds of an outer loop may be to run at once; settings may be given anew.
    fn is_wide(&self, par: &Factor) -> bool {
        match par {
            Factor::Number(number) => *number > 1,
            Factor::Setting(_) => true,
            Factor::Usual => self.loops.len() == 1,
        }
    }

    /// How many rounds at once a schedule asks for.
    pub(super) fn asked(&self, par: &Factor) -> i64 {
        match par {
            Factor::Number(number) => *number,
            Factor::Setting(setting) => {
                let mut said = self.nest.environment.iter().rev();
                said.find(|(name, _)| name == setting).map_or(1, |(_, value)| *value)
            }
            Factor::Usual => 1,
        }
    }

    /// What a schedule asks for that cannot be: rounds at once that depend on each other, more than a vector
    /// has lanes, more copies than there are networks.
    fn refused(&self, par: &Factor, frame: &Frame, is_innermost: bool) -> Option<Refusal> {
        let number = self.asked(par);
        let var = *self.loops.last()?;
        let (why, hint) = if number > 1 && frame.is_appending {
            let hint =
                "leave the command out, or compute a result that is dense or stores what one operand does";
            ("each appends to the result behind the one before".to_owned(), hint.to_owned())
        } else if number > 1 && frame.is_carried {
            let hint = "reduce into a scalar by `scalar_promote()`, tile the result or declare its extents, so that a part of it is known to fit on chip, or leave the command out";
            ("each adds to what the one before has left".to_owned(), hint.to_owned())
        } else if number > 1 && is_sequential(frame, is_innermost) {
            let hint =
                "ask for the innermost loop, whose rounds are lanes of a vector, or leave the command out";
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
        let message = format!("{number} rounds of the loop over `{name}` cannot run at once: {why}");
        Some(Refusal::new(message).hint(hint).of_loop(var))
    }

    /// A register that counts or sums from here on.
    pub(super) fn counter_register(&mut self, stem: &str) -> String {
        self.frames.register(stem, index_type(), zero(index_type()))
    }
}

/// Whether a block declares registers.
fn has_registers(block: &Block) -> bool {
    let is_register = |memory: &Memory| matches!(memory.kind, MemoryKind::Register { .. });
    block.iter().any(|statement| matches!(&statement.kind, Kind::Memory(memory) if is_register(memory)))
}

/// Whether rounds run one after the other.
fn is_sequential(frame: &Frame, is_innermost: bool) -> bool {
    frame.is_carried || frame.is_ordered && !is_innermost
}

/// A `Foreach` whose rounds overlap as usual.
pub(super) fn foreach(domain: Domain, body: Block) -> Kind {
    Kind::Foreach { schedule: Schedule::Pipelined, domain, body }
}

/// `to by 1`.
pub(super) fn counter(binder: String, to: Expr) -> Domain {
    Domain::Counters(vec![Counter { binder, from: None, to, step: int(1), par: None }])
}

/// The rounds, so many at once.
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
