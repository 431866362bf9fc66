//! Loops over the coordinates of several operands: scans of two bit vectors each (stardust.txt, Table 3).
//!
//! Of more than two operands, those of an inner set come together first: a scan leaves their common
//! coordinates in a FIFO, and where each operand has them in an SRAM. The coordinates become a bit vector as
//! those of an operand do.

use super::expr::{binary, dequeue, int, mux, name, plus, read};
use super::nest::{Access, Var};
use super::operand::{Reads, is_there};
use super::pattern::{counter, foreach, pattern, with_lanes};
use super::plan::{Addresses, Reserved};
use super::presence::Set;
use super::{Emitter, index_type};
use crate::app::{Domain, Expr, Kind, Operator, PatternResult, Scalar, ScanMode};
use crate::names::in_pattern;

/// A bit vector, and where its operands have its bits.
struct Bits {
    /// Its FIFO.
    words: String,
    operands: Vec<(Access, Through)>,
    /// What its places are called by.
    label: String,
}

/// The values of an operand of a scan, and where in them its segment begins.
struct Scanned {
    memory: String,
    start: Expr,
}

/// How the number of a bit leads to a place of an operand.
enum Through {
    /// It is the place.
    Itself,
    /// By an SRAM, which has -1 where the operand has nothing.
    Table(String),
}

impl Emitter<'_> {
    /// Begins the body of a scan. Its iterations are counted first where they append a segment to a level of
    /// the result.
    pub(super) fn scan(&mut self, var: Var, set: &Set, reserved: Option<Reserved>) -> Domain {
        let (Set::Or(one, other) | Set::And(one, other)) = set else { unreachable!("a scan is of two sets") };
        let [mut one, mut other] = [self.bits(var, one), self.bits(var, other)];
        if let Some(reserved) = reserved {
            let stem = format!("{}_len", self.reserved_name(reserved));
            let len = self.count_bits(var, set, [&mut one, &mut other], &stem);
            self.reserve(Some(reserved), name(len));
        }
        let values: Vec<Option<Scanned>> =
            set.atoms().into_iter().map(|access| self.scanned_values(var, access)).collect();
        let len = self.extent(var);
        self.enter(var);
        let own = in_pattern(self.name_of(var));
        let coordinate = self.frames.fresh(&own);
        let binders = [&one, &other].map(|bits| self.frames.fresh(&format!("{own}{}", bits.label)));
        let out = self.frames.fresh(&format!("{own}_out"));
        self.scope.coordinates.insert(var, name(&coordinate));
        self.number_iteration(reserved, name(&out));
        let mut places = self.places(var, &one, &binders[0]);
        places.extend(self.places(var, &other, &binders[1]));
        for (access, values) in set.atoms().into_iter().zip(values) {
            // An operand of both sets stands where one of them has it.
            let own = places.iter().filter(|(other, _)| other == access).map(|(_, place)| place.clone());
            let place = own.reduce(|one, other| binary(Operator::Max, one, other));
            let place = place.expect("a scan has its operands");
            let level = self.nest.level_over(access, var).expect("an operand of a set is over its variable");
            if let Some(values) = values {
                let index = plus(values.start, place.clone());
                self.scope.values.insert(access.clone(), read(&values.memory, index));
            }
            self.step_compressed(access, level, place.clone(), Some(is_there(place.clone())));
        }
        let [a, b] = binders;
        Domain::ScanTwo {
            par: int(1),
            len,
            mode: mode(set),
            bits: [one.words, other.words],
            binders: [coordinate, a, out, b],
        }
    }

    /// Values of operands of the last level: read in DRAM, at their places, but for those of rows on chip.
    fn scanned_values(&mut self, var: Var, access: &Access) -> Option<Scanned> {
        let level = self.nest.level_over(access, var).expect("an operand of a set is over its variable");
        let segment = self.scope.segments[&(access.clone(), level)].clone();
        if !self.is_last(access, level) {
            return None;
        }
        if self.nest.is_row(access.tensor) {
            let memory = self.segment_values(access, &segment, Reads::Anywhere);
            return Some(Scanned { memory, start: int(0) });
        }
        let element = self.element(access.tensor);
        let array = format!("{}_vals", self.nest.tensors[access.tensor].name);
        Some(Scanned { memory: self.sparse_operand(&array, element), start: segment.start })
    }

    /// Where the operands of a bit vector stand, by the number of the bit.
    fn places(&mut self, var: Var, bits: &Bits, number: &str) -> Vec<(Access, Expr)> {
        let mut places = Vec::new();
        for (access, through) in &bits.operands {
            let place = match through {
                Through::Itself => name(number),
                Through::Table(table) => {
                    let wanted = format!("{}{}", self.name_of(var), self.label(access));
                    name(self.frames.val(&wanted, looked_up(table, number)))
                }
            };
            places.push((access.clone(), place));
        }
        places
    }

    fn bits(&mut self, var: Var, set: &Set) -> Bits {
        match set {
            Set::True => unreachable!("all coordinates are a counter's"),
            Set::Atom(access) => {
                let level = self.nest.level_over(access, var).expect("an operand is over its variable");
                let segment = self.scope.segments[&(access.clone(), level)].clone();
                let crd = self.coordinates(access, level, &segment, self.setting("ip"));
                let label = self.label(access);
                let words = self.words(var, &format!("{label}{}_bv", level + 1), segment.len, crd);
                Bits { words, operands: vec![(access.clone(), Through::Itself)], label }
            }
            Set::Or(one, other) | Set::And(one, other) => {
                let [one, other] = [self.bits(var, one), self.bits(var, other)];
                self.merged(var, set, one, other)
            }
        }
    }

    /// A bit vector of so many coordinates.
    fn words(&mut self, var: Var, stem: &str, len: Expr, crd: String) -> String {
        let max = self.extent(var);
        let bits = self.bit_fifo(stem);
        self.frames.push(Kind::GenBitVector { shift: int(0), max, len, crd, bits: bits.clone() });
        bits
    }

    fn bit_fifo(&mut self, stem: &str) -> String {
        let words = binary(Operator::Divide, plus(name("nnz_accel_max"), int(511)), int(512));
        let depth = binary(Operator::Multiply, int(16), words);
        self.frames.fifo_of(stem, Scalar::U32.into(), depth)
    }

    /// How many bits a scan of two vectors has, in a register. A scan takes its vectors: another one gets
    /// copies of them.
    fn count_bits(&mut self, var: Var, set: &Set, vectors: [&mut Bits; 2], stem: &str) -> String {
        let copies = self.doubled(var, vectors);
        let own = in_pattern(self.name_of(var));
        let register = self.counter_register(stem);
        let len = self.extent(var);
        self.frames.open();
        let binders = ["", "_a", "_out", "_b"].map(|end| self.frames.fresh(&format!("{own}{end}")));
        let out = binders[2].clone();
        let body = self.frames.close().statements;
        let domain = Domain::ScanTwo { par: self.setting("ip"), len, mode: mode(set), bits: copies, binders };
        // Of a value that uses nothing of its iteration, Spatial counts wrongly.
        let value = mux(is_there(name(&out)), int(1), int(0));
        let result = PatternResult::Register { register: register.clone(), value, with: Operator::Add };
        self.frames.push(pattern(domain, body, result));
        register
    }

    /// Copies of two bit vectors, which are made anew themselves.
    fn doubled(&mut self, var: Var, vectors: [&mut Bits; 2]) -> [String; 2] {
        let mut taken = Vec::new();
        let copies = vectors.map(|bits| {
            let [first, second] = [(); 2].map(|()| self.bit_fifo(&bits.words));
            let words = std::mem::replace(&mut bits.words, second.clone());
            taken.push((words, [first.clone(), second]));
            first
        });
        let lines = binary(Operator::Divide, plus(self.extent(var), int(511)), int(512));
        let words = binary(Operator::Multiply, int(16), lines);
        self.frames.open();
        let binder = self.frames.fresh("w");
        for (words, copies) in taken {
            let word = self.frames.val("word", dequeue(&words));
            for copy in copies {
                self.frames.push(Kind::Enqueue { fifo: copy, value: name(&word), enable: None });
            }
        }
        let body = self.frames.close().statements;
        self.frames.push(foreach(with_lanes(counter(binder, words), self.setting("ip")), body));
        copies
    }

    fn merged(&mut self, var: Var, set: &Set, mut one: Bits, mut other: Bits) -> Bits {
        let label = format!("{}{}", one.label, other.label);
        let stem = format!("{}{label}", self.name_of(var));
        let crd = self.frames.fifo(&format!("{stem}_crd"), index_type());
        let count = self.count_bits(var, set, [&mut one, &mut other], &format!("{stem}_len"));
        let mut tables = Vec::new();
        for (access, _) in one.operands.iter().chain(&other.operands) {
            let wanted = format!("{stem}_{}", self.label(access));
            tables.push(self.array(&wanted, index_type(), Addresses::Any));
        }
        let len = self.extent(var);
        self.frames.open();
        let binders = ["u", "a", "out", "b"].map(|wanted| self.frames.fresh(wanted));
        let [coordinate, a, out, b] = &binders;
        self.frames.enqueue(&crd, name(coordinate), None);
        let of_one = one.operands.iter().map(|operand| (operand, a));
        let of_both = of_one.chain(other.operands.iter().map(|operand| (operand, b)));
        let mut operands = Vec::new();
        for (((access, through), number), table) in of_both.zip(tables) {
            let value = match through {
                Through::Itself => name(number),
                Through::Table(inner) => looked_up(inner, number),
            };
            self.frames.push(Kind::Write { memory: table.clone(), index: name(out), value });
            operands.push((access.clone(), Through::Table(table)));
        }
        let body = self.frames.close().statements;
        let bits = [one.words, other.words];
        let (par, mode) = (self.setting("ip"), mode(set));
        self.frames.push(foreach(Domain::ScanTwo { par, len, mode, bits, binders }, body));
        let words = self.words(var, &format!("{stem}_bv"), name(&count), crd);
        Bits { words, operands, label }
    }
}

/// The place that a table has for the number of a bit, or -1.
fn looked_up(table: &str, number: &str) -> Expr {
    mux(is_there(name(number)), read(table, name(number)), int(-1))
}

fn mode(set: &Set) -> ScanMode {
    match set {
        Set::Or(..) => ScanMode::Or,
        Set::True | Set::Atom(_) | Set::And(..) => ScanMode::And,
    }
}
