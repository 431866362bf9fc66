//! Results: what is on chip of them, and where it is stored.

mod append;

use super::expr::{int, mux, name, plus, times};
use super::nest::{Assign, Var};
use super::operand::part;
use super::plan::{Appending, LevelOutput, ResultPlan};
use super::reduce::Element;
use super::scope::Segment;
use super::value::Valued;
use super::widen::declares_fifo;
use super::{Emitter, index_type};
use crate::app::{DramPart, Expr, Kind, Stream};

#[derive(Debug)]
pub(super) struct Output<'p> {
    pub(super) plan: &'p ResultPlan,
    /// The name of the tensor.
    stem: String,
    pub(super) values: Option<String>,
    /// The register that says whether an iteration has assigned to anything, where levels below are dense and
    /// it matters.
    any: Option<String>,
    levels: Vec<LevelState>,
}

/// The memories of a level of a result, and where the loops are in it.
#[derive(Clone, Debug, Default)]
struct LevelState {
    crd: Option<String>,
    pos: Option<String>,
    /// The counter of an appended level below others: the number of coordinates of all segments so far.
    next: Option<String>,
    /// The register that counts iterations which run one after the other.
    count: Option<String>,
    segment: Option<Segment>,
    /// The position of the iteration: in an operand's level, or in what is appended.
    place: Option<Expr>,
    /// Whether the iteration is kept, as a number, where it may not be.
    kept: Option<Expr>,
    /// The number of elements below when the iteration began.
    before: Option<String>,
}

impl<'p> Emitter<'p> {
    /// Begins a result before its statement: declares what counts what is appended.
    pub(super) fn begin_result(&mut self, plan: &'p ResultPlan) {
        let stem = self.nest.tensors[plan.target.tensor].name.clone();
        let levels = vec![LevelState::default(); plan.levels.len()];
        self.result = Some(Output { plan, stem: stem.clone(), values: None, any: None, levels });
        self.begin_appending();
        for level in 2..plan.levels.len() {
            // Those of level 2 are all stored at once, with the first.
            if plan.is_compressed(level) && !plan.writes_positions(level) {
                let fifo = self.frames.fifo(&format!("{stem}{}_zero", level + 1), index_type());
                self.frames.enqueue(&fifo, int(0), None);
                self.stream_store(format!("{stem}{}_pos_d", level + 1), int(0), fifo, int(1));
            }
        }
        if plan.levels.is_empty() {
            self.open_values();
        }
    }

    /// Stores what no loop is around: the positions of an outermost compressed level, and a single value.
    pub(super) fn end_result(&mut self) {
        let (plan, stem) = (self.output().plan, self.output().stem.clone());
        if plan.is_compressed(0) {
            let end = self.end_of(0);
            if self.nest.tensors[plan.target.tensor].is_temporary {
                let memory = self.frames.sram(&format!("{stem}1_pos"), index_type());
                self.write(&memory, int(0), int(0));
                self.write(&memory, int(1), end);
                let part = part(format!("{stem}1_pos_d"), int(0), int(2), int(1));
                self.frames.push(Kind::Store { memory, part });
            } else {
                self.frames.push(Kind::Set { register: format!("{stem}1_nnz"), value: end });
            }
        } else if plan.levels.is_empty() {
            self.store_values();
        }
        self.result = None;
    }

    /// Before the loop over a level: declares the memories that it fills.
    pub(super) fn begin_level(&mut self, level: usize) {
        let (plan, stem) = (self.output().plan, self.output().stem.clone());
        let last = plan.levels.len() - 1;
        let depth = queue_depth(&plan.levels[level]);
        if plan.is_queued(level) {
            if level == last {
                let element = self.element(plan.target.tensor);
                let values = self.frames.fifo_of(&format!("{stem}_vals"), element, depth.clone());
                self.output_mut().values = Some(values);
            }
            let crd = self.frames.fifo_of(&format!("{stem}{}_crd", level + 1), index_type(), depth.clone());
            self.level_mut(level).crd = Some(crd);
        }
        self.begin_segment(level);
        if level < last && plan.is_compressed(level + 1) && !plan.writes_positions(level + 1) {
            let wanted = format!("{stem}{}_pos", level + 2);
            let pos = if plan.is_position_array(level + 1) {
                let memory = self.frames.sram(&wanted, index_type());
                self.write(&memory, int(0), int(0));
                memory
            } else {
                let fifo = self.frames.fifo_of(&wanted, index_type(), depth);
                if level == 0 {
                    self.frames.enqueue(&fifo, int(0), None);
                }
                fifo
            };
            self.level_mut(level + 1).pos = Some(pos);
        }
    }

    /// At the beginning of an iteration: notes its position in an operand's level, and the number of elements
    /// below, if it matters whether some are added.
    pub(super) fn begin_iteration(&mut self, level: usize) {
        let plan = self.output().plan;
        if let LevelOutput::SameAs(access) = &plan.levels[level] {
            self.level_mut(level).place = Some(self.scope.cursors[access].absolute.clone());
        }
        if plan.is_last_dropping(level) {
            let any = self.counter_register(&format!("{}_any", self.output().stem));
            self.output_mut().any = Some(any);
        }
        self.note_before(level);
    }

    /// At the end of an iteration: appends its coordinate, and where the level below ends.
    pub(super) fn end_iteration(&mut self, var: Var, level: usize) {
        let plan = self.output().plan;
        let kept = self.kept(level);
        if level + 1 < plan.levels.len() {
            self.append_coordinate(level, kept.clone());
        }
        let Some(pos) = self.output().levels.get(level + 1).and_then(|below| below.pos.clone()) else {
            return;
        };
        let end = self.end_of(level + 1);
        if plan.writes_positions(level + 1) {
            let place = self.place_of(level);
            self.write(&pos, plus(place, int(1)), end);
        } else if plan.is_position_array(level + 1) {
            let coordinate = self.scope.coordinates[&var].clone();
            self.write(&pos, plus(coordinate, int(1)), end);
        } else {
            self.frames.enqueue(&pos, end, kept);
        }
    }

    /// After the loop over a level: stores what it has filled.
    pub(super) fn end_level(&mut self, level: usize) {
        let (plan, stem) = (self.output().plan, self.output().stem.clone());
        if plan.appending(level) == Some(Appending::All) {
            return;
        }
        let crd = self.level_mut(level).crd.take();
        let pos = self.output_mut().levels.get_mut(level + 1).and_then(|below| below.pos.take());
        if crd.is_none() && pos.is_none() {
            return;
        }
        let (base, count) = self.filled_segment(level);
        if let Some(crd) = crd {
            self.stream_store(format!("{stem}{}_crd_d", level + 1), base.clone(), crd, count.clone());
            if level + 1 == plan.levels.len() {
                let values = self.output_mut().values.take().expect("values go beside the last coordinates");
                self.stream_store(format!("{stem}_vals_d"), base.clone(), values, count.clone());
            }
        }
        if let Some(pos) = pos {
            let dram = format!("{stem}{}_pos_d", level + 2);
            if plan.is_position_array(level + 1) {
                let part = part(dram, int(0), plus(count, int(1)), self.setting("ip"));
                self.frames.push(Kind::Store { memory: pos, part });
            } else if level == 0 {
                self.stream_store(dram, base, pos, plus(count, int(1)));
            } else {
                self.stream_store(dram, plus(base, int(1)), pos, count);
            }
        }
    }

    pub(super) fn end_part(&mut self) {
        self.store_values();
        self.output_mut().values = None;
    }

    pub(super) fn set_output(&mut self, assign: &Assign, valued: Valued) {
        let plan = self.output().plan;
        let condition = self.named_condition(&valued);
        let values = self.output().values.clone().expect("values have a memory where they are assigned");
        if let (Some(last), false) = (plan.levels.len().checked_sub(1), plan.has_part()) {
            self.append_coordinate(last, condition.clone());
            if plan.appending(last) == Some(Appending::All) {
                let place = self.place_of(last);
                self.write(&values, place, valued.value);
            } else {
                self.frames.enqueue(&values, valued.value, condition);
            }
            return;
        }
        let index = if plan.levels.is_empty() { int(0) } else { self.index_from(&assign.target, plan.first) };
        if let Some(any) = self.output().any.clone() {
            let mark = condition.map_or_else(|| int(1), |condition| mux(condition, int(1), name(&any)));
            self.frames.carry(&any);
            self.frames.push(Kind::Set { register: any, value: mark });
        }
        let element = Element { memory: &values, index, indices: &assign.target.indices, fill: plan.fill };
        self.combine_element(element, plan.reduction, valued);
    }

    /// Returns when there is a value, as a value of its own, since it is asked for more than once.
    fn named_condition(&mut self, valued: &Valued) -> Option<Expr> {
        let is_asked = !self.output().plan.has_part() || self.output().any.is_some();
        let condition = self.scope.condition(&valued.formula).filter(|_| is_asked)?;
        let wanted = format!("{}_kept", self.output().stem);
        Some(name(self.frames.val(&wanted, condition)))
    }

    pub(super) fn output(&self) -> &Output<'p> {
        self.result.as_ref().expect("a result is computed")
    }

    pub(super) fn output_mut(&mut self) -> &mut Output<'p> {
        self.result.as_mut().expect("a result is computed")
    }

    fn level(&self, level: usize) -> &LevelState {
        &self.output().levels[level]
    }

    fn level_mut(&mut self, level: usize) -> &mut LevelState {
        &mut self.output_mut().levels[level]
    }

    /// Declares the memory of the dense part, as it begins.
    pub(super) fn open_values(&mut self) {
        let plan = self.output().plan;
        let element = self.element(plan.target.tensor);
        let memory = self.array(&format!("{}_vals", self.output().stem), element.clone(), plan.addresses);
        if !plan.is_set {
            let size = self.part_size();
            if plan.begins_with_elements {
                let part = self.values_part();
                self.frames.load(&memory, part);
            } else {
                let identity = self.identity(plan.fill, &element);
                self.fill(&memory, size, identity);
            }
        }
        self.output_mut().values = Some(memory);
    }

    fn store_values(&mut self) {
        let memory = self.output().values.clone().expect("values have a memory until they are stored");
        let part = self.values_part();
        self.frames.push(Kind::Store { memory, part });
    }

    fn part_size(&mut self) -> Expr {
        let plan = self.output().plan;
        let levels = plan.first..plan.levels.len();
        levels.fold(int(1), |size, level| times(size, self.level_extent(plan.target.tensor, level)))
    }

    fn values_part(&mut self) -> DramPart {
        let size = self.part_size();
        let parent = self.position(self.output().plan.first);
        let (from, to) = (times(parent.clone(), size.clone()), times(plus(parent, int(1)), size));
        part(format!("{}_vals_d", self.output().stem), from, to, self.setting("ip"))
    }

    /// The position of the loops in the levels of a result before one.
    fn position(&mut self, level: usize) -> Expr {
        let Some(above) = level.checked_sub(1) else { return int(0) };
        let plan = self.output().plan;
        if let Some(count) = &self.level(above).count {
            return name(count);
        }
        if plan.is_compressed(above) {
            return self.place_of(above);
        }
        let parent = self.position(above);
        let coordinate = self.scope.coordinates[&self.nest.var_at(&plan.target, above)].clone();
        let extent = if above == 0 { int(0) } else { self.level_extent(plan.target.tensor, above) };
        plus(times(parent, extent), coordinate)
    }

    /// The beginning and the number of elements of what the loop over a level fills.
    fn filled_segment(&mut self, level: usize) -> (Expr, Expr) {
        let plan = self.output().plan;
        if let Some(segment) = self.segment_of(level) {
            return (segment.start.clone(), segment.len.clone());
        }
        let extent = self.level_extent(plan.target.tensor, level);
        let parent = self.position(level);
        (times(parent, extent.clone()), extent)
    }

    fn end_of(&self, level: usize) -> Expr {
        self.segment_of(level).expect("a segment has ended when it is asked for").end.clone()
    }

    /// The segment of a compressed level that the loop over it fills.
    fn segment_of(&self, level: usize) -> Option<&Segment> {
        match &self.output().plan.levels[level] {
            LevelOutput::Dense => None,
            LevelOutput::SameAs(access) => self.scope.segments.get(&(access.clone(), level)),
            LevelOutput::Appended(_) => self.level(level).segment.as_ref(),
        }
    }

    /// The position of a level's iteration in it.
    fn place_of(&self, level: usize) -> Expr {
        self.level(level).place.clone().expect("a level's iteration has begun")
    }

    pub(super) fn write(&mut self, memory: &str, index: Expr, value: Expr) {
        self.frames.push(Kind::Write { memory: memory.to_owned(), index, value });
    }

    /// Stores what the iterations of a loop have added to a FIFO, or, if they ran at once, to an SRAM.
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

/// The number of elements of a level that wait at most: until a segment is reserved, all of it.
fn queue_depth(output: &LevelOutput) -> Expr {
    match output {
        LevelOutput::Appended(_) => name("nnz_accel_max"),
        LevelOutput::SameAs(_) | LevelOutput::Dense => int(16),
    }
}
