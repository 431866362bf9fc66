//! Levels of a result whose coordinates are appended after those that are there.
//!
//! Where each iteration of a level's loop has a coordinate, the number of iterations is known before it: by a
//! scan of its own where the iterations are those of a scan (stardust.txt, section 8). The segment is
//! reserved by an ordered modification of a counter, and each iteration writes at the segment's beginning
//! plus its own number. So do all lanes, and all copies of the loop around.
//!
//! Before: `∀i ∀j A[i,j] = B[i,j] + C[i,j]`. After, inside of the loop over i:
//! ```scala
//! val A2_len = Reg[T](0.to[T])
//! Reduce(A2_len)(ScanRed(ip, n, "or", B2_bv_n.deq, C2_bv_n.deq)) { case List(j, jB, j_out, jC) =>
//!   1
//! } { _ + _ }
//! val A2_end = A2_next.RMW(0, A2_len.value, "add", "ordered", Seq())
//! val A2_start = A2_end - A2_len
//! Foreach (Scan(ip, n, "or", B2_bv.deq, C2_bv.deq)) { case List(j, jB, j_out, jC) =>
//!   A2_crd(A2_start + j_out) = j
//!   A_vals(A2_start + j_out) = …
//! }
//! ```
//!
//! Where some iterations have none, they are counted as they come, and what they append waits in FIFOs until
//! the segment is reserved. Where dense levels are below these, that does not fit FIFOs: iterations run one
//! after the other, and count in a register.

use crate::app::{
    AppExpr, Copies, ExprKind, Kind, MemoryKind, Modification, Modify, ModifyOrder, Operator, SparseVariant,
    Type,
};
use crate::lower::expr::{binary, expr, int, minus, mux, name, plus};
use crate::lower::plan::{Appending, LevelOutput, Reserved};
use crate::lower::scope::Segment;
use crate::lower::{Emitter, index_type};

impl Emitter<'_> {
    /// Before all loops: declares the counters, and the memories that iterations write to at any place.
    pub(super) fn begin_appending(&mut self) {
        let (plan, stem) = (self.output().plan, self.output().stem.clone());
        for level in 0..plan.levels.len() {
            let Some(appending) = plan.appending(level) else { continue };
            let stem_of_level = format!("{stem}{}", level + 1);
            if appending == Appending::OneByOne {
                self.level_mut(level).count = Some(self.counter_register(&format!("{stem_of_level}_len")));
                continue;
            }
            // An outermost level has one segment.
            if level > 0 {
                self.level_mut(level).next = Some(self.counter(&format!("{stem_of_level}_next")));
            }
            if appending != Appending::All {
                continue;
            }
            let crd = self.sparse_dram(&format!("{stem_of_level}_crd"), index_type());
            self.level_mut(level).crd = Some(crd);
            if level + 1 == plan.levels.len() {
                let element = self.element(plan.target.tensor);
                self.output_mut().values = Some(self.sparse_dram(&format!("{stem}_vals"), element));
            } else if plan.is_compressed(level + 1) {
                let pos = self.sparse_dram(&format!("{stem}{}_pos", level + 2), index_type());
                self.write(&pos, int(0), int(0));
                self.level_mut(level + 1).pos = Some(pos);
            }
        }
    }

    fn counter(&mut self, stem: &str) -> String {
        let copies = Copies { par: self.setting("bp"), has_barriers: true };
        let kind = MemoryKind::SparseSram { variant: SparseVariant::Par(copies), size: int(1) };
        let memory = self.frames.memory(stem, index_type(), kind);
        self.write(&memory, int(0), int(0));
        memory
    }

    /// Declares the elements of an array in DRAM, for accesses at any place.
    pub(in crate::lower) fn sparse_dram(&mut self, array: &str, element: Type) -> String {
        let kind = MemoryKind::SparseDram { par: self.setting("bp"), size: name("nnz_max") };
        let memory = self.frames.memory(array, element, kind);
        self.frames.push(Kind::Alias { memory: memory.clone(), dram: format!("{array}_d") });
        memory
    }

    /// Before the loop over a level of which some iterations are kept: declares what counts them.
    pub(super) fn begin_segment(&mut self, level: usize) {
        let stem = format!("{}{}", self.output().stem, level + 1);
        let (start, len) = match self.output().plan.appending(level) {
            Some(Appending::Counted) => (int(0), name(self.counter_register(&format!("{stem}_len")))),
            Some(Appending::OneByOne) => {
                let count = self.count_of(level);
                // What the register holds here, whatever it holds later.
                let start = self.counter_register(&format!("{stem}_start"));
                self.frames.push(Kind::Set { register: start.clone(), value: name(&count) });
                (name(&start), minus(name(&count), name(&start)))
            }
            Some(Appending::All) | None => return,
        };
        self.level_mut(level).segment = Some(Segment { start, end: len.clone(), len });
    }

    /// Reserves the segment that a loop appends, where each iteration has a coordinate. Which of them is an
    /// iteration's is what [`Emitter::number_iteration`] says.
    pub(in crate::lower) fn reserve(&mut self, reserved: Option<Reserved>, len: AppExpr) {
        match reserved {
            Some(Reserved::Level(level)) => {
                self.level_mut(level).segment = Some(self.reserved_segment(level, len));
            }
            Some(Reserved::Row(row)) => self.reserve_row(row, len),
            None => {}
        }
    }

    fn reserved_segment(&mut self, level: usize, len: AppExpr) -> Segment {
        let Some(next) = self.level(level).next.clone() else {
            return Segment { start: int(0), end: len.clone(), len };
        };
        let stem = format!("{}{}", self.output().stem, level + 1);
        let modified = modified(&next, len.clone(), Modification::Add);
        let end = name(self.frames.val(&format!("{stem}_end"), modified));
        let start = name(self.frames.val(&format!("{stem}_start"), minus(end.clone(), len.clone())));
        self.frames.reserve();
        Segment { start, end, len }
    }

    /// The name of what a segment is of.
    pub(in crate::lower) fn reserved_name(&self, reserved: Reserved) -> String {
        match reserved {
            Reserved::Level(level) => format!("{}{}", self.output().stem, level + 1),
            Reserved::Row(row) => format!("{}1", self.nest.tensors[row].name),
        }
    }

    /// At the beginning of an iteration: notes its place in the segment that was reserved.
    pub(in crate::lower) fn number_iteration(&mut self, reserved: Option<Reserved>, number: AppExpr) {
        match reserved {
            Some(Reserved::Level(level)) => {
                let segment = self.level(level).segment.as_ref().expect("it was reserved");
                self.level_mut(level).place = Some(plus(segment.start.clone(), number));
            }
            Some(Reserved::Row(row)) => self.number_in_row(row, number),
            None => {}
        }
    }

    /// At the beginning of an iteration that is kept where it has appended something further below.
    pub(super) fn note_before(&mut self, level: usize) {
        let below = self.output().plan.counted_below(level);
        let Some(below) = below.filter(|below| *below > level + 1) else { return };
        let held = modified(&self.next_of(below), int(0), Modification::Read);
        let wanted = format!("{}{}_before", self.output().stem, level + 1);
        self.level_mut(level).before = Some(self.frames.val(&wanted, held));
        self.frames.reserve();
    }

    /// Returns whether what an iteration has appended to the levels below one is anything; `None` if it
    /// always is.
    pub(super) fn kept(&mut self, level: usize) -> Option<AppExpr> {
        let is_greater = |one, other| Some(binary(Operator::Greater, one, other));
        let plan = self.output().plan;
        if plan.is_last_dropping(level) {
            let any = self.output().any.as_ref().expect("an iteration that may be dropped has begun");
            return is_greater(name(any), int(0));
        }
        let below = plan.counted_below(level)?;
        let Some(before) = self.level(level).before.clone() else {
            let segment = self.level(below).segment.as_ref().expect("the level below has had its loop");
            return is_greater(segment.len.clone(), int(0));
        };
        let held = modified(&self.next_of(below), int(0), Modification::Read);
        let wanted = format!("{}{}_after", self.output().stem, level + 1);
        is_greater(name(self.frames.val(&wanted, held)), name(before))
    }

    pub(super) fn append_coordinate(&mut self, level: usize, condition: Option<AppExpr>) {
        let Some(crd) = self.level(level).crd.clone() else { return };
        let plan = self.output().plan;
        let coordinate = self.scope.coordinates[&self.nest.var_at(&plan.target, level)].clone();
        let one = condition.clone().map_or_else(|| int(1), |condition| mux(condition, int(1), int(0)));
        if plan.appending(level) == Some(Appending::All) {
            let place = self.place_of(level);
            return self.write(&crd, place, coordinate);
        }
        self.frames.enqueue(&crd, coordinate, condition);
        match plan.levels[level] {
            LevelOutput::Appended(Appending::OneByOne) => {
                let count = self.count_of(level);
                self.frames.push(Kind::Set { register: count.clone(), value: plus(name(&count), one) });
                self.frames.append(&count);
            }
            LevelOutput::Appended(_) => self.level_mut(level).kept = Some(one),
            LevelOutput::SameAs(_) | LevelOutput::Dense => {}
        }
    }

    /// Returns the register that has counted the iterations that were kept, and what each adds to it, where
    /// they are counted as they come.
    pub(in crate::lower) fn counted(&self, level: usize) -> Option<(String, AppExpr)> {
        if self.output().plan.appending(level) != Some(Appending::Counted) {
            return None;
        }
        let state = self.level(level);
        let ExprKind::Name(register) = state.segment.as_ref()?.len.kind.clone() else { return None };
        Some((register, state.kept.clone().unwrap_or_else(|| int(1))))
    }

    /// After a loop whose iterations were counted as they came: reserves their segment.
    pub(in crate::lower) fn reserve_after(&mut self, level: usize) {
        let Some(segment) = self.level(level).segment.clone() else { return };
        let segment = match self.output().plan.appending(level) {
            Some(Appending::Counted) => self.reserved_segment(level, segment.len),
            Some(Appending::OneByOne) => Segment { end: name(self.count_of(level)), ..segment },
            Some(Appending::All) | None => return,
        };
        self.level_mut(level).segment = Some(segment);
    }

    fn next_of(&self, level: usize) -> String {
        self.level(level).next.clone().expect("a level below another has a counter")
    }

    fn count_of(&self, level: usize) -> String {
        self.level(level).count.clone().expect("iterations one after the other are counted")
    }
}

/// `next.RMW(0, value, "add", "ordered", Seq())`: what the counter holds afterwards.
fn modified(next: &str, value: AppExpr, with: Modification) -> AppExpr {
    let (memory, order) = (next.to_owned(), ModifyOrder::Ordered);
    let modify = Modify { memory, index: int(0), value, with, order, barriers: Vec::new() };
    expr(ExprKind::Modify(Box::new(modify)))
}
