//! `stream-stores`: rows of large dense results, which are stored once and not read, go past the caches. The
//! processor does not read the lines that it overwrites then, and what else is in the caches stays there.
//!
//! Before:
//! ```mlir
//! // given %rows : index
//! // given %C : tensor<?x8xf64>
//! // given %sum : vector<16xf64>
//! %c0 = arith.constant 0 : index
//! %c1 = arith.constant 1 : index
//! %c16 = arith.constant 16 : index
//! %c = ta.values %C : tensor<?x8xf64> to memref<?xf64>
//! scf.parallel (%task) = (%c0) to (%c1) step (%c1) {
//!   scf.for %i = %c0 to %rows step %c1 {
//!     %place = arith.muli %i, %c16 : index
//!     vector.store %sum, %c[%place] : memref<?xf64>, vector<16xf64>
//!   }
//!   scf.reduce
//! }
//! ```
//! After:
//! ```mlir
//! // given %rows : index
//! // given %C : tensor<?x8xf64>
//! // given %sum : vector<16xf64>
//! %c0 = arith.constant 0 : index
//! %c1 = arith.constant 1 : index
//! %c16 = arith.constant 16 : index
//! %c8 = arith.constant 8 : index
//! %c64 = arith.constant 64 : index
//! %large = arith.constant 4194304 : index
//! %c = ta.values %C : tensor<?x8xf64> to memref<?xf64>
//! %length = memref.dim %c, %c0 : memref<?xf64>
//! %is_large = arith.cmpi sge, %length, %large : index
//! %address = memref.extract_aligned_pointer_as_index %c : memref<?xf64> -> index
//! %rest = arith.remui %address, %c64 : index
//! %is_aligned = arith.cmpi eq, %rest, %c0 : index
//! %streams = arith.andi %is_large, %is_aligned : i1
//! scf.parallel (%task) = (%c0) to (%c1) step (%c1) {
//!   scf.for %i = %c0 to %rows step %c1 {
//!     %place = arith.muli %i, %c16 : index
//!     scf.if %streams {
//!       %0 = vector.extract_strided_slice %sum {offsets = [0], sizes = [8], strides = [1]}
//!         : vector<16xf64> to vector<8xf64>
//!       %1 = arith.addi %place, %c0 : index
//!       vector.store %0, %c[%1] {nontemporal = true, alignment = 64 : i64} : memref<?xf64>, vector<8xf64>
//!       %2 = vector.extract_strided_slice %sum {offsets = [8], sizes = [8], strides = [1]}
//!         : vector<16xf64> to vector<8xf64>
//!       %3 = arith.addi %place, %c8 : index
//!       vector.store %2, %c[%3] {nontemporal = true, alignment = 64 : i64} : memref<?xf64>, vector<8xf64>
//!     } else {
//!       vector.store %sum, %c[%place] : memref<?xf64>, vector<16xf64>
//!     }
//!   }
//!   scf.if %streams {
//!     llvm.fence seq_cst
//!   }
//!   scf.reduce
//! }
//! ```
//! Zen 5 with AVX-512, in C, times over those of stores into the caches: TTM of kg_FB15K237 with 32 columns,
//! whose result takes 880 MB, 0.74; SpMM of the 27-point Laplacian of 58³ points, 50 or 100 MB, 1.00, since
//! it waits for the rows that it reads.
//!
//! How long an array is, and whether its lines begin where rows do, is looked at when the kernel runs. The
//! fence makes the stores seen by whoever sees that the task has ended.

use crate::arrays::{owner, written_by};
use comet_ir::pass::{self, OptionValues, Pass, PassOption};
use comet_ir::{Builder, Compare, Op, Result, Val, ta, types};
use melior::dialect::ods::arith::{AddIOperation, MulIOperation};
use melior::dialect::ods::scf::{ForOperation, ParallelOperation};
use melior::dialect::ods::vector::StoreOperation;
use melior::ir::{TypeLike, ValueLike};

/// How much is stored at once.
pub const REGISTER: PassOption = PassOption {
    name: "register",
    default: "512",
    description: "The width of the processor's widest vector register in bits",
};

pub const PASS: Pass = Pass {
    name: "stream-stores",
    description: "Writes rows of large dense results by non-temporal stores",
    options: &[REGISTER],
    dialects: &["arith", "llvm", "memref", "scf", "vector"],
    run,
};

/// The bytes from which on an array is large: the caches do not hold it until it is read.
const LARGE: u64 = 32 << 20;
/// The bits of a line of a cache.
const LINE: u64 = 512;
/// LLVM's number for `seq_cst`.
const SEQUENTIALLY_CONSISTENT: i64 = 7;

fn run<'c>(module: Op<'c>, options: &OptionValues<'_>) -> Result<'c, ()> {
    let piece = options.number(REGISTER.name)?.min(LINE);
    for parallel in module.descendants::<ParallelOperation>() {
        let tasks = Tasks::of(parallel);
        let rows = tasks.rows();
        if !rows.is_empty() {
            tasks.stream(&rows, piece)?;
        }
    }
    Ok(())
}

/// A loop over tasks.
struct Tasks<'c> {
    op: Op<'c>,
    /// The tensors that tasks read.
    read: Vec<Val<'c>>,
    /// The loops of a task.
    loops: Vec<Op<'c>>,
}

/// A store of whole lines, where some values are multiples of the elements of a line.
struct RowStore<'c> {
    store: Op<'c>,
    multiples: Vec<Val<'c>>,
}

impl<'c> RowStore<'c> {
    fn array(&self) -> Val<'c> {
        self.store.operand(1)
    }

    fn vector(&self) -> Val<'c> {
        self.store.operand(0)
    }

    /// Whether the same decides about another row.
    fn lies_as(&self, other: &Self) -> bool {
        self.array() == other.array() && self.multiples == other.multiples
    }

    fn bits_of_element(&self) -> u64 {
        u64::from(types::width(types::element_of(self.array())))
    }
}

impl<'c> Tasks<'c> {
    fn of(op: Op<'c>) -> Self {
        let mut read: Vec<Val<'c>> = Vec::new();
        op.for_each_inside(&mut |inner| {
            let arrays = inner.operands().into_iter().filter(|operand| operand.r#type().is_mem_ref());
            if written_by(inner).is_none() {
                read.extend(arrays.map(owner));
            }
        });
        Self { op, read, loops: op.descendants::<ForOperation>() }
    }

    /// The rows that tasks store without reading anything of their tensors.
    fn rows(&self) -> Vec<RowStore<'c>> {
        let stores = self.op.descendants::<StoreOperation>().into_iter();
        stores.filter_map(|store| self.row(store)).collect()
    }

    fn row(&self, store: Op<'c>) -> Option<RowStore<'c>> {
        let mut row = RowStore { store, multiples: Vec::new() };
        let array = Op::defining(row.array())?;
        let has_lines = types::bits(row.vector().r#type()).is_multiple_of(LINE);
        if !array.is::<ta::Values>()
            || array.is_inside(self.op)
            || !has_lines
            || self.read.contains(&owner(row.array()))
        {
            return None;
        }
        row.multiples = self.multiples(store.operand(2), LINE / row.bits_of_element())?;
        Some(row)
    }

    /// The values that have to be multiples of `count` for one to be, if those in front of the tasks decide.
    fn multiples(&self, value: Val<'c>, count: u64) -> Option<Vec<Val<'c>>> {
        if let Some(number) = comet_ir::constant(value) {
            return number.unsigned_abs().is_multiple_of(count).then(Vec::new);
        }
        let all = |values: [Val<'c>; 2]| -> Option<Vec<Val<'c>>> {
            let [first, second] = values.map(|value| self.multiples(value, count));
            Some([first?, second?].concat())
        };
        if let Some(repeated) = self.loop_at(value) {
            return all([repeated.operand(0), repeated.operand(2)]);
        }
        if !self.op.makes(value) {
            return Some(vec![value]);
        }
        let op = Op::defining(value)?;
        match () {
            () if op.is::<AddIOperation>() => all([op.operand(0), op.operand(1)]),
            () if op.is::<MulIOperation>() => {
                let factors = op.operands().into_iter().filter_map(|factor| self.multiples(factor, count));
                factors.min_by_key(Vec::len)
            }
            () => None,
        }
    }

    /// The loop of a task whose value a value is.
    fn loop_at(&self, value: Val<'c>) -> Option<Op<'c>> {
        self.loops.iter().copied().find(|repeated| repeated.body(0).argument(0) == value)
    }

    /// Has every row stored past the caches where it is large and lies right.
    fn stream(&self, rows: &[RowStore<'c>], piece: u64) -> Result<'c, ()> {
        let text =
            || "rows of the result are stored past the caches where it takes 32 MiB or more".to_owned();
        pass::decided(self.op.location(), text);
        let mut known: Vec<(&RowStore<'c>, Val<'c>)> = Vec::new();
        for row in rows {
            let found = known.iter().find(|(other, _)| other.lies_as(row)).map(|(_, streams)| *streams);
            let streams = match found {
                Some(streams) => streams,
                None => self.streams(row)?,
            };
            let b = Builder::before(row.store);
            let plainly = |b: Builder<'c>| {
                row.store.move_to_end(b.block());
                Ok(())
            };
            b.branch(streams, |b| store_in_pieces(b, row, piece), plainly)?;
            if found.is_none() {
                known.push((row, streams));
            }
        }
        let b = Builder::before(self.op.body(0).terminator());
        for (_, streams) in known {
            let ordering = [("ordering", b.attribute(SEQUENTIALLY_CONSISTENT))];
            b.if_then(streams, |b| b.op("llvm.fence", &[], &[], &ordering).map(|_| ()))?;
        }
        Ok(())
    }

    /// In front of the tasks: whether the array of a row is large, and whether its rows begin where lines do.
    fn streams(&self, row: &RowStore<'c>) -> Result<'c, Val<'c>> {
        let b = Builder::before(self.op);
        let bits = row.bits_of_element();
        let large = b.index((LARGE * 8 / bits) as i64)?;
        let mut streams = b.cmpi(Compare::Ge, b.length(row.array())?, large)?;
        let address = b.address(row.array())?;
        let elements = row.multiples.iter().map(|value| (*value, LINE / bits));
        for (value, count) in std::iter::once((address, LINE / 8)).chain(elements) {
            let rest = b.remi(value, b.index(count as i64)?)?;
            let lies_right = b.cmpi(Compare::Eq, rest, b.index(0)?)?;
            streams = b.value_op("and", streams, lies_right)?;
        }
        Ok(streams)
    }
}

/// Stores a row by registers: LLVM forgets where it goes when it cuts the row itself.
fn store_in_pieces<'c>(b: Builder<'c>, row: &RowStore<'c>, piece: u64) -> Result<'c, ()> {
    let lanes = piece / row.bits_of_element();
    let count = types::bits(row.vector().r#type()) / piece;
    for number in 0..count {
        let first = (number * lanes) as i64;
        let part = b.lanes(row.vector(), first, lanes)?;
        let place = b.addi(row.store.operand(2), b.index(first)?)?;
        b.vector_stream(part, row.array(), place, piece / 8)?;
    }
    Ok(())
}
