//! Levels of a result whose coordinates are appended behind those that are there.
//!
//! Where each round of a level's loop has a coordinate, the number of rounds is known before it: by a scan of
//! its own where the rounds are those of a scan (stardust.txt, section 8). The segment is reserved by an
//! ordered modification of a counter, and each round writes at the segment's beginning and its own number. So
//! do all lanes, and all copies of the loop around.
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
//! Where some rounds have none, they are counted as they come, and what they give waits in FIFOs until the
//! segment is reserved. Where dense levels are below these, what rounds give does not fit FIFOs: they run one
//! after the other, and count in a register.

use super::{Output, Way, value_of};
use crate::app::{Copies, ExprKind};
use crate::app::{Expr, Kind, MemoryKind, Modification, Modify, Operator, SparseVariant};
use crate::lower::expr::{binary, expr, int, minus, mux, name, plus};
use crate::lower::nest::{Stmt, Var};
use crate::lower::{Lowering, index_type};

/// Which rounds of a level's loop have a coordinate in it.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::lower) enum Keeps {
    /// All of them.
    All,
    /// Those with something below.
    Some,
    /// The same, where the level below is dense.
    OneByOne {
        /// The register that counts them.
        count: String,
    },
}

/// What is reserved in front of a loop.
#[derive(Clone, Copy, Debug)]
pub(in crate::lower) enum Reserved {
    /// A segment of a level of the result.
    Level(usize),
    /// A row on chip, of that temporary.
    Row(usize),
}

/// A segment of an appended level.
#[derive(Clone, Debug)]
pub(in crate::lower) struct Appended {
    pub(super) start: Expr,
    pub(super) end: Expr,
    pub(super) len: Expr,
}

impl Lowering<'_> {
    /// In front of all loops: the counters, and the memories that rounds write to at any place.
    pub(super) fn begin_appending(&mut self, output: &mut Output) {
        let stem = self.nest.tensors[output.target.tensor].name.clone();
        let last = output.levels.len().wrapping_sub(1);
        for level in 0..output.levels.len() {
            let Way::Appended(keeps) = &mut output.levels[level] else { continue };
            let stem_of_level = format!("{stem}{}", level + 1);
            if let Keeps::OneByOne { count } = keeps {
                *count = self.counter_register(&format!("{stem_of_level}_len"));
                continue;
            }
            // An outermost level has one segment.
            if level > 0 {
                let next = self.counter(&format!("{stem_of_level}_next"));
                output.nexts[level] = Some(next);
            }
            if output.levels[level] != Way::Appended(Keeps::All) {
                continue;
            }
            output.crd[level] = Some(self.sparse_dram(&format!("{stem_of_level}_crd"), index_type()));
            if level == last {
                let element = self.element(output.target.tensor);
                output.values = Some(self.sparse_dram(&format!("{stem}_vals"), element));
            } else if output.levels[level + 1] != Way::Dense {
                let pos = self.sparse_dram(&format!("{stem}{}_pos", level + 2), index_type());
                self.write(&pos, int(0), int(0));
                output.pos[level + 1] = Some(pos);
            }
        }
    }

    /// A counter that is modified by several copies at once.
    fn counter(&mut self, stem: &str) -> String {
        let copies = Copies { par: self.setting("bp"), has_barriers: true };
        let kind = MemoryKind::SparseSram { variant: SparseVariant::Par(copies), size: int(1) };
        let memory = self.frames.memory(stem, index_type(), kind);
        self.write(&memory, int(0), int(0));
        memory
    }

    /// The elements of an array in DRAM, for accesses at any place.
    pub(in crate::lower) fn sparse_dram(&mut self, array: &str, element: crate::app::Type) -> String {
        let kind = MemoryKind::SparseDram { par: self.setting("bp"), size: name("nnz_max") };
        let memory = self.frames.memory(array, element, kind);
        self.frames.push(Kind::Alias { memory: memory.clone(), dram: format!("{array}_d") });
        memory
    }

    /// In front of the loop over a level of which some rounds are kept: what counts them.
    pub(super) fn begin_segment(&mut self, output: &mut Output, level: usize) {
        let stem = format!("{}{}", self.nest.tensors[output.target.tensor].name, level + 1);
        let (start, len) = match &output.levels[level] {
            Way::Appended(Keeps::Some) => (int(0), name(self.counter_register(&format!("{stem}_len")))),
            Way::Appended(Keeps::OneByOne { count }) => {
                let count = count.clone();
                // What the register holds here, whatever it holds later.
                let start = self.counter_register(&format!("{stem}_start"));
                self.frames.push(Kind::Set { register: start.clone(), value: value_of(&count) });
                (name(&start), minus(value_of(&count), name(&start)))
            }
            _ => return,
        };
        output.segments[level] = Some(Appended { start, end: len.clone(), len });
    }

    /// In front of the rounds of the loop over a variable: the segment that they append, of so many
    /// coordinates, if each of them has one. The number of a round is told by [`Lowering::number_round`].
    pub(in crate::lower) fn reserve(&mut self, reserved: Reserved, len: Expr) {
        let level = match reserved {
            Reserved::Level(level) => level,
            Reserved::Row(row) => return self.reserve_row(row, len),
        };
        let mut output = self.outputs.last().cloned().expect("a level to reserve is of a result");
        output.segments[level] = Some(self.reserved(&output, level, len));
        self.put_back(output);
    }

    fn reserved(&mut self, output: &Output, level: usize, len: Expr) -> Appended {
        let Some(next) = output.nexts[level].clone() else {
            return Appended { start: int(0), end: len.clone(), len };
        };
        let stem = format!("{}{}", self.nest.tensors[output.target.tensor].name, level + 1);
        let modified = self.modified(&next, len.clone(), Modification::Add);
        let end = name(self.frames.val(&format!("{stem}_end"), modified));
        let start = name(self.frames.val(&format!("{stem}_start"), minus(end.clone(), len.clone())));
        self.frames.reserve();
        Appended { start, end, len }
    }

    /// The level of a result whose segments are reserved in front of the loop over a variable.
    pub(in crate::lower) fn reserved_level(&self, var: Var, body: &[Stmt]) -> Option<Reserved> {
        if let Some(row) = self.row_in(body) {
            return Some(Reserved::Row(row));
        }
        let (output, level) = self.output_over(var, body)?;
        (output.levels[level] == Way::Appended(Keeps::All)).then_some(Reserved::Level(level))
    }

    /// What a segment is of.
    pub(in crate::lower) fn reserved_name(&self, reserved: Reserved) -> String {
        match reserved {
            Reserved::Level(level) => format!("{}{}", self.result_name(), level + 1),
            Reserved::Row(row) => format!("{}1", self.nest.tensors[row].name),
        }
    }

    /// In a round: where it stands in the segment that was reserved.
    pub(in crate::lower) fn number_round(&mut self, reserved: Reserved, number: Expr) {
        let level = match reserved {
            Reserved::Level(level) => level,
            Reserved::Row(row) => return self.number_in_row(row, number),
        };
        let mut output = self.outputs.last().cloned().expect("a level that was reserved is of a result");
        let segment = output.segments[level].as_ref().expect("it was reserved");
        output.places[level] = Some(plus(segment.start.clone(), number));
        self.put_back(output);
    }

    /// `next.RMW(0, value, "add", "ordered", Seq())`: what the counter holds behind it.
    fn modified(&self, next: &str, value: Expr, with: Modification) -> Expr {
        let (memory, order) = (next.to_owned(), "ordered".to_owned());
        let modify = Modify { memory, index: int(0), value, with, order, barriers: Vec::new() };
        expr(ExprKind::Modify(Box::new(modify)))
    }

    /// At the beginning of a round that is kept where it has appended something further below.
    pub(super) fn note_before(&mut self, output: &mut Output, level: usize) {
        let Some(below) = counted_below(output, level).filter(|below| *below > level + 1) else { return };
        let next = output.nexts[below].clone().expect("a level below another has a counter");
        let wanted = format!("{}{}_before", self.nest.tensors[output.target.tensor].name, level + 1);
        let held = self.modified(&next, int(0), Modification::Read);
        output.before[level] = Some(self.frames.val(&wanted, held));
        self.frames.reserve();
    }

    /// Whether what a round has appended to the levels below one is anything; `None` if it always is.
    pub(super) fn kept(&mut self, output: &Output, level: usize) -> Option<Expr> {
        let greater = |one, other| Some(binary(Operator::Greater, one, other));
        if is_last_dropping(output, level) {
            let any = output.any.as_ref().expect("a round that may be dropped has begun");
            return greater(value_of(any), int(0));
        }
        let below = counted_below(output, level)?;
        let Some(before) = &output.before[level] else {
            let segment = output.segments[below].as_ref().expect("the level below has had its loop");
            return greater(segment.len.clone(), int(0));
        };
        let next = output.nexts[below].clone().expect("a level below another has a counter");
        let held = self.modified(&next, int(0), Modification::Read);
        let wanted = format!("{}{}_after", self.nest.tensors[output.target.tensor].name, level + 1);
        let after = self.frames.val(&wanted, held);
        greater(name(after), name(before))
    }

    /// Appends the coordinate of a level, where a condition holds.
    pub(super) fn append_coordinate(&mut self, output: &mut Output, level: usize, condition: Option<Expr>) {
        let Some(crd) = output.crd[level].clone() else { return };
        let var = self.nest.var_at(&output.target, level);
        let coordinate = self.scope.coordinates[&var].clone();
        let one = condition.clone().map_or_else(|| int(1), |condition| mux(condition, int(1), int(0)));
        match &output.levels[level] {
            Way::Appended(Keeps::All) => {
                let place = self.place_of(output, level);
                self.write(&crd, place, coordinate);
            }
            Way::Appended(Keeps::OneByOne { count }) => {
                self.frames.enqueue(&crd, coordinate, condition);
                self.frames.push(Kind::Set { register: count.clone(), value: plus(value_of(count), one) });
                self.frames.append(count);
            }
            Way::Appended(Keeps::Some) => {
                self.frames.enqueue(&crd, coordinate, condition);
                output.kept[level] = Some(one);
            }
            Way::Same(_) | Way::Dense => self.frames.enqueue(&crd, coordinate, condition),
        }
    }

    /// Behind the loop over a variable: the register that has counted the rounds that were kept, and what
    /// each adds to it, where they are counted as they come.
    pub(in crate::lower) fn counted(&mut self, var: Var, body: &[Stmt]) -> Option<(String, Expr)> {
        let (output, level) = self.output_over(var, body)?;
        if output.levels[level] != Way::Appended(Keeps::Some) {
            return None;
        }
        let ExprKind::Name(register) = output.segments[level].as_ref()?.len.kind.clone() else { return None };
        Some((register, output.kept[level].clone().unwrap_or_else(|| int(1))))
    }

    /// Behind a loop whose rounds were counted as they came: their segment is reserved.
    pub(in crate::lower) fn reserve_behind(&mut self, var: Var, body: &[Stmt]) {
        let Some((mut output, level)) = self.output_over(var, body) else { return };
        let Some(segment) = output.segments[level].clone() else { return };
        output.segments[level] = Some(match &output.levels[level] {
            Way::Appended(Keeps::Some) => self.reserved(&output, level, segment.len),
            Way::Appended(Keeps::OneByOne { count }) => Appended { end: value_of(count), ..segment },
            _ => return,
        });
        self.put_back(output);
    }
}

/// Whether the positions of a level are written one by one, as the rounds of the level above come.
pub(super) fn writes_positions(output: &Output, level: usize) -> bool {
    let is_compressed = output.levels.get(level).is_some_and(|way| *way != Way::Dense);
    is_compressed && level > 0 && output.levels[level - 1] == Way::Appended(Keeps::All)
}

/// How many elements of a level wait at most: until a segment is reserved, all of it.
pub(super) fn queue_depth(way: &Way) -> Expr {
    match way {
        Way::Appended(_) => name("nnz_accel_max"),
        Way::Same(_) | Way::Dense => int(16),
    }
}

/// Where a segment begins, and how many elements it has.
pub(super) fn appended_stretch(output: &Output, level: usize) -> (Expr, Expr) {
    let segment = output.segments[level].as_ref().expect("a segment that is stored has ended");
    (segment.start.clone(), segment.len.clone())
}

/// The next appended level below one whose rounds are kept where that has something.
fn counted_below(output: &Output, level: usize) -> Option<usize> {
    let Way::Appended(Keeps::Some | Keeps::OneByOne { .. }) = &output.levels[level] else { return None };
    (level + 1..output.levels.len()).find(|below| matches!(output.levels[*below], Way::Appended(_)))
}

/// Whether coordinates of a level are dropped that nothing is assigned below, where all levels below are
/// dense.
pub(super) fn is_last_dropping(output: &Output, level: usize) -> bool {
    matches!(output.levels[level], Way::Appended(Keeps::OneByOne { .. }))
        && output.levels[level + 1..].iter().all(|way| *way == Way::Dense)
}
