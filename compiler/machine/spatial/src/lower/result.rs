//! Results: what is on chip of them, and where it is stored.
//!
//! A dense part of a result, its innermost levels, is computed in an SRAM and stored behind the loops over
//! it. A level whose loop goes over the stored coordinates of one operand, and keeps them all, has that
//! operand's positions: its coordinates and values go through FIFOs, and nothing is counted. Other compressed
//! levels are appended to; `append` says how.

mod append;
mod plan;

use super::algebra::Reduction;
use super::expr::{int, mux, name, plus, times};
use super::nest::{Access, Assign, Refusal, Stmt, Var};
use super::operand::part;
use super::reduce::Element;
use super::value::Valued;
use super::widen::declares_fifo;
use super::{Lowering, index_type};
use crate::app::{Expr, Kind, Stream};
pub(super) use append::Reserved;
use append::{Appended, Keeps, appended_stretch, is_last_dropping, queue_depth, writes_positions};

/// A tensor that is being computed.
#[derive(Clone, Debug)]
pub(super) struct Output {
    pub(super) target: Access,
    pub(super) levels: Vec<Way>,
    /// The first level whose elements are together on chip; as many as there are levels if the last one is
    /// compressed.
    pub(super) first: usize,
    /// Whether each element of the part on chip is assigned to in it, once.
    pub(super) is_set: bool,
    /// Whether all loops over the part go over all coordinates.
    pub(super) is_affine: bool,
    /// How assigned values meet what is there.
    pub(super) reduction: Option<Reduction>,
    /// What elements are, that nothing comes to, is what this begins with.
    pub(super) fill: Reduction,
    /// Whether what it held before counts.
    pub(super) begins_with_elements: bool,
    /// The memory of values.
    pub(super) values: Option<String>,
    /// The FIFOs of coordinates by level, and the memories of positions.
    pub(super) crd: Vec<Option<String>>,
    pub(super) pos: Vec<Option<String>>,
    /// The counters of appended levels below others: how many coordinates all segments so far have.
    pub(super) nexts: Vec<Option<String>>,
    /// The segments that are appended.
    pub(super) segments: Vec<Option<Appended>>,
    /// Where the round of a level is in the level: in that of an operand, or in what is appended.
    pub(super) places: Vec<Option<Expr>>,
    /// Whether the round of a level is kept, as a number, where it may not be.
    pub(super) kept: Vec<Option<Expr>>,
    /// The register that says whether a round of a level has assigned to anything, where levels below are
    /// dense and it matters.
    pub(super) any: Option<String>,
    /// How many elements there were below a level when its round began.
    pub(super) before: Vec<Option<String>>,
}

/// How a level of a result gets its coordinates.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Way {
    /// It has all of them.
    Dense,
    /// It has those of an operand's level.
    Same(Access),
    /// They are appended behind those that are there.
    Appended(Keeps),
}

impl Lowering<'_> {
    /// In front of a statement: what counts what is appended.
    pub(super) fn begin_outputs(&mut self, stmt: &Stmt) -> Result<(), Refusal> {
        let output = self.plan_output(stmt)?;
        let Some(mut output) = output else { return Ok(()) };
        let stem = self.nest.tensors[output.target.tensor].name.clone();
        self.begin_appending(&mut output);
        for level in 1..output.levels.len() {
            // Those of level 2 are all stored at once, with the first.
            let is_streamed =
                level > 1 && output.levels[level] != Way::Dense && !writes_positions(&output, level);
            if is_streamed {
                let fifo = self.frames.fifo(&format!("{stem}{}_zero", level + 1), index_type());
                self.frames.enqueue(&fifo, int(0), None);
                self.stream_store(format!("{stem}{}_pos_d", level + 1), int(0), fifo, int(1));
            }
        }
        if output.levels.is_empty() {
            self.open_values(&mut output);
        }
        self.outputs.push(output);
        Ok(())
    }

    /// Behind a statement: the positions of an outermost compressed level, and values that no loop is around.
    pub(super) fn end_outputs(&mut self) {
        let Some(output) = self.outputs.pop() else { return };
        let stem = self.nest.tensors[output.target.tensor].name.clone();
        if output.levels.first().is_some_and(|way| *way != Way::Dense) {
            let end = self.end_of(&output, 0);
            if !self.nest.tensors[output.target.tensor].is_temporary {
                self.frames.push(Kind::Set { register: format!("{stem}1_nnz"), value: end });
                return;
            }
            let memory = self.frames.sram(&format!("{stem}1_pos"), index_type());
            self.write(&memory, int(0), int(0));
            self.write(&memory, int(1), end);
            let part = part(format!("{stem}1_pos_d"), int(0), int(2), int(1));
            self.frames.push(Kind::Store { memory, part });
        }
        if output.levels.is_empty() {
            self.store_values(&output);
        }
    }

    /// In front of the loop over a variable: the memories that it fills.
    pub(super) fn begin_levels(&mut self, var: Var, stmt: &Stmt) {
        let Some((mut output, level)) = self.output_over(var, std::slice::from_ref(stmt)) else { return };
        let stem = self.nest.tensors[output.target.tensor].name.clone();
        let last = output.levels.len() - 1;
        let is_queued = matches!(
            output.levels[level],
            Way::Same(_) | Way::Appended(Keeps::Some | Keeps::OneByOne { .. })
        );
        if is_queued {
            let depth = queue_depth(&output.levels[level]);
            if level == last {
                let element = self.element(output.target.tensor);
                output.values = Some(self.frames.fifo_of(&format!("{stem}_vals"), element, depth.clone()));
            }
            let crd = format!("{stem}{}_crd", level + 1);
            output.crd[level] = Some(self.frames.fifo_of(&crd, index_type(), depth));
        }
        self.begin_segment(&mut output, level);
        if level < last && output.levels[level + 1] != Way::Dense && !writes_positions(&output, level + 1) {
            let wanted = format!("{stem}{}_pos", level + 2);
            output.pos[level + 1] = Some(if is_position_array(&output, level + 1) {
                let memory = self.frames.sram(&wanted, index_type());
                self.write(&memory, int(0), int(0));
                memory
            } else {
                let depth = queue_depth(&output.levels[level]);
                let fifo = self.frames.fifo_of(&wanted, index_type(), depth);
                if level == 0 {
                    self.frames.enqueue(&fifo, int(0), None);
                }
                fifo
            });
        }
        self.put_back(output);
    }

    /// At the beginning of a round of the loop over a variable: where it is in an operand's level, and how
    /// many elements there are below, if it matters whether some are added.
    pub(super) fn begin_round(&mut self, var: Var, body: &[Stmt]) {
        let Some((mut output, level)) = self.output_over(var, body) else { return };
        if let Way::Same(access) = &output.levels[level] {
            output.places[level] = Some(self.scope.cursors[access].absolute.clone());
        }
        if is_last_dropping(&output, level) {
            let stem = format!("{}_any", self.nest.tensors[output.target.tensor].name);
            output.any = Some(self.counter_register(&stem));
        }
        self.note_before(&mut output, level);
        self.put_back(output);
    }

    /// At the end of a round of the loop over a variable: its coordinate, and where the level below ends.
    pub(super) fn end_round(&mut self, var: Var, body: &[Stmt]) {
        let Some((mut output, level)) = self.output_over(var, body) else { return };
        let last = output.levels.len() - 1;
        let kept = self.kept(&output, level);
        if level < last {
            self.append_coordinate(&mut output, level, kept.clone());
        }
        self.put_back(output.clone());
        if writes_positions(&output, level + 1) {
            let (end, place) = (self.end_of(&output, level + 1), self.place_of(&output, level));
            let pos = output.pos[level + 1].clone().expect("positions have a memory from the beginning");
            self.write(&pos, plus(place, int(1)), end);
        } else if let Some(pos) = output.pos.get(level + 1).cloned().flatten() {
            let end = self.end_of(&output, level + 1);
            if is_position_array(&output, level + 1) {
                let coordinate = self.scope.coordinates[&var].clone();
                self.write(&pos, plus(coordinate, int(1)), end);
            } else {
                self.frames.enqueue(&pos, end, kept);
            }
        }
    }

    /// Behind the loop over a variable: what it filled is stored.
    pub(super) fn end_levels(&mut self, var: Var, body: &[Stmt]) {
        let Some((mut output, level)) = self.output_over(var, body) else { return };
        let stem = self.nest.tensors[output.target.tensor].name.clone();
        let last = output.levels.len() - 1;
        let is_appended = matches!(output.levels[level], Way::Appended(Keeps::All));
        let has_positions = output.pos.get(level + 1).is_some_and(Option::is_some);
        if is_appended || output.crd[level].is_none() && !has_positions {
            return;
        }
        let (base, count) = self.stretch(&output, level);
        if let Some(crd) = output.crd[level].take() {
            self.stream_store(format!("{stem}{}_crd_d", level + 1), base.clone(), crd, count.clone());
            if level == last {
                let values = output.values.take().expect("values go beside the last coordinates");
                self.stream_store(format!("{stem}_vals_d"), base.clone(), values, count.clone());
            }
        }
        if let Some(pos) = output.pos.get_mut(level + 1).and_then(Option::take) {
            let dram = format!("{stem}{}_pos_d", level + 2);
            if is_position_array(&output, level + 1) {
                let part = part(dram, int(0), plus(count, int(1)), self.setting("ip"));
                self.frames.push(Kind::Store { memory: pos, part });
            } else if level == 0 {
                self.stream_store(dram, base, pos, plus(count, int(1)));
            } else {
                self.stream_store(dram, plus(base, int(1)), pos, count);
            }
        }
        self.put_back(output);
    }

    /// In front of a loop: the dense part of a result, if the levels around it are bound; says so.
    pub(super) fn begin_part(&mut self, stmt: &Stmt) -> bool {
        let Some(mut output) = self.output_in(std::slice::from_ref(stmt)) else { return false };
        let around = (0..output.first).map(|level| self.nest.var_at(&output.target, level));
        let is_here = output.first < output.levels.len()
            && output.values.is_none()
            && around.into_iter().all(|var| self.loops.contains(&var));
        if is_here {
            self.open_values(&mut output);
            self.put_back(output);
        }
        is_here
    }

    /// Behind the loop that a part was begun in front of: it is stored.
    pub(super) fn end_part(&mut self) {
        let mut output = self.outputs.last().cloned().expect("a part that has begun is a result's");
        self.store_values(&output);
        output.values = None;
        self.put_back(output);
    }

    /// An assignment to a result.
    pub(super) fn set_output(&mut self, assign: &Assign, valued: Valued) -> Result<(), Refusal> {
        let mut output = self.outputs.last().cloned().expect("a statement's result is planned");
        let last = output.levels.len().wrapping_sub(1);
        let condition = self.named_condition(&output, &valued);
        let values = output.values.clone().expect("values have a memory where they are assigned");
        if output.first == output.levels.len() && !output.levels.is_empty() {
            self.append_coordinate(&mut output, last, condition.clone());
            self.put_back(output.clone());
            if output.levels[last] == Way::Appended(Keeps::All) {
                let place = self.place_of(&output, last);
                self.write(&values, place, valued.value);
            } else {
                self.frames.enqueue(&values, valued.value, condition);
            }
            return Ok(());
        }
        let index =
            if output.levels.is_empty() { int(0) } else { self.index_from(&assign.target, output.first) };
        if let Some(any) = &output.any {
            let mark = condition.map_or_else(|| int(1), |condition| mux(condition, int(1), value_of(any)));
            self.frames.carry(any);
            self.frames.push(Kind::Set { register: any.clone(), value: mark });
        }
        let element = Element { memory: &values, index, indices: &assign.target.indices, fill: output.fill };
        self.combine_element(element, output.reduction, valued);
        Ok(())
    }

    /// When there is a value, as a value of its own, since it is asked for more than once.
    fn named_condition(&mut self, output: &Output, valued: &Valued) -> Option<Expr> {
        let is_asked = output.first == output.levels.len() || output.any.is_some();
        let condition = self.scope.condition(&valued.formula).filter(|_| is_asked)?;
        let wanted = format!("{}_kept", self.nest.tensors[output.target.tensor].name);
        Some(name(self.frames.val(&wanted, condition)))
    }

    /// Whether a loop has to go over all coordinates: each of them has a place in the result, in memory.
    pub(super) fn needs_all(&self, var: Var, body: &[Stmt]) -> bool {
        let Some((output, level)) = self.output_over(var, body) else { return false };
        let has_compressed = output.levels[level..].iter().any(|way| *way != Way::Dense);
        let is_part = level < output.first && !output.begins_with_elements;
        output.levels[level] == Way::Dense && (has_compressed || is_part)
    }

    /// The result that is assigned to in a loop over a variable of it, and the level that is over it.
    fn output_over(&self, var: Var, body: &[Stmt]) -> Option<(Output, usize)> {
        let output = self.output_in(body)?;
        let level = self.nest.level_over(&output.target, var)?;
        Some((output, level))
    }

    /// The result that is assigned to in a block.
    fn output_in(&self, body: &[Stmt]) -> Option<Output> {
        let output = self.outputs.last()?;
        let mut assigns = body.iter().flat_map(Stmt::assigns);
        assigns.any(|assign| assign.target == output.target).then(|| output.clone())
    }

    /// The name of the result that is computed.
    pub(super) fn result_name(&self) -> String {
        let output = self.outputs.last().expect("a result is computed");
        self.nest.tensors[output.target.tensor].name.clone()
    }

    fn put_back(&mut self, output: Output) {
        *self.outputs.last_mut().expect("a result that was found is there") = output;
    }

    /// The memory of the dense part, as it begins.
    fn open_values(&mut self, output: &mut Output) {
        let target = output.target.clone();
        let tensor = &self.nest.tensors[target.tensor];
        let stem = format!("{}_vals", tensor.name);
        let element = self.typed(&tensor.element);
        let memory = self.array(&stem, element.clone(), output.is_affine);
        if !output.is_set {
            let size = self.part_size(output);
            if output.begins_with_elements {
                let part = self.values_part(output);
                self.frames.push(Kind::Load { memory: memory.clone(), part });
            } else {
                let identity = self.identity(output.fill, &element);
                self.fill(&memory, size, identity);
            }
        }
        output.values = Some(memory);
    }

    fn store_values(&mut self, output: &Output) {
        let memory = output.values.clone().expect("values have a memory until they are stored");
        let part = self.values_part(output);
        self.frames.push(Kind::Store { memory, part });
    }

    /// How many elements the dense part has.
    fn part_size(&mut self, output: &Output) -> Expr {
        let tensor = output.target.tensor;
        let levels = output.first..output.levels.len();
        levels.fold(int(1), |size, level| times(size, self.level_extent(tensor, level)))
    }

    /// Where the dense part is in memory.
    fn values_part(&mut self, output: &Output) -> crate::app::Part {
        let size = self.part_size(output);
        let parent = self.position(output, output.first);
        let (from, to) = (times(parent.clone(), size.clone()), times(plus(parent, int(1)), size));
        let dram = format!("{}_vals_d", self.nest.tensors[output.target.tensor].name);
        part(dram, from, to, self.setting("ip"))
    }

    /// Where the loops stand in the levels of a result before one.
    fn position(&mut self, output: &Output, level: usize) -> Expr {
        let Some(above) = level.checked_sub(1) else { return int(0) };
        match &output.levels[above] {
            Way::Appended(Keeps::OneByOne { count }) => value_of(count),
            Way::Same(_) | Way::Appended(_) => self.place_of(output, above),
            Way::Dense => {
                let parent = self.position(output, above);
                let coordinate = self.scope.coordinates[&self.nest.var_at(&output.target, above)].clone();
                let extent = if above == 0 { int(0) } else { self.level_extent(output.target.tensor, above) };
                plus(times(parent, extent), coordinate)
            }
        }
    }

    /// Where the part of a level begins that the loop over it fills, and how many elements that has.
    fn stretch(&mut self, output: &Output, level: usize) -> (Expr, Expr) {
        match &output.levels[level] {
            Way::Same(access) => {
                let segment = &self.scope.segments[&(access.clone(), level)];
                (segment.start.clone(), segment.len.clone())
            }
            Way::Appended(_) => appended_stretch(output, level),
            Way::Dense => {
                let extent = self.level_extent(output.target.tensor, level);
                let parent = self.position(output, level);
                (times(parent, extent.clone()), extent)
            }
        }
    }

    /// Where the elements of a level end that there are so far.
    fn end_of(&mut self, output: &Output, level: usize) -> Expr {
        match &output.levels[level] {
            Way::Same(access) => self.scope.segments[&(access.clone(), level)].end.clone(),
            Way::Appended(_) => {
                output.segments[level].as_ref().expect("a segment has ended when it is asked for").end.clone()
            }
            Way::Dense => unreachable!("dense levels have no positions"),
        }
    }

    /// Where the round of a level stands in it.
    fn place_of(&self, output: &Output, level: usize) -> Expr {
        output.places[level].clone().expect("a level's round has begun")
    }

    fn write(&mut self, memory: &str, index: Expr, value: Expr) {
        self.frames.push(Kind::Write { memory: memory.to_owned(), index, value });
    }

    /// Stores what the rounds of a loop have given to a FIFO, or, if they ran at once, to an SRAM.
    fn stream_store(&mut self, dram: String, base: Expr, memory: String, len: Expr) {
        let is_fifo = declares_fifo(self.frames.statements(), &memory);
        self.frames.push(if is_fifo {
            Kind::StreamStore(Stream { dram, base, len, fifo: memory })
        } else {
            let to = plus(base.clone(), len);
            Kind::Store { memory, part: part(dram, base, to, self.setting("ip")) }
        });
    }
}

/// Whether the positions of a level are an array on chip, by the coordinate of the level above, the
/// outermost.
fn is_position_array(output: &Output, level: usize) -> bool {
    level == 1 && output.levels[0] == Way::Dense
}

/// What a register holds.
fn value_of(register: &str) -> Expr {
    name(register)
}
