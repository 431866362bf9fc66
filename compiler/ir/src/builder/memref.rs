//! Loads and stores.

use super::Builder;
use crate::{Result, Ty, Val, types};
use melior::dialect::ods::scf::ParallelOperation;
use melior::ir::ValueLike;
use melior::ir::attribute::{DenseI32ArrayAttribute, DenseI64ArrayAttribute};

/// The number of `addi` among the kinds of `memref.atomic_rmw`.
const ADD_INTEGERS: i64 = 1;

impl<'c> Builder<'c> {
    /// An element of a `memref<?xT>`.
    pub fn load(self, memref: Val<'c>, position: Val<'c>) -> Result<'c, Val<'c>> {
        self.value("memref.load", &[memref, position], types::element(memref.r#type()))
    }

    /// An element of a `memref<?xiN>` as `index`.
    pub fn load_index(self, memref: Val<'c>, position: Val<'c>) -> Result<'c, Val<'c>> {
        let loaded = self.load(memref, position)?;
        self.index_cast(loaded, types::index(self.context()))
    }

    /// Stores an element of a `memref<?xT>`.
    pub fn store(self, value: Val<'c>, memref: Val<'c>, position: Val<'c>) -> Result<'c, ()> {
        self.op("memref.store", &[value, memref, position], &[], &[]).map(|_| ())
    }

    /// A variable of the function around `self`: room for one value, which loads and stores change. LLVM
    /// keeps it in registers.
    pub fn variable(self, ty: Ty<'c>) -> Result<'c, Val<'c>> {
        let segments = DenseI32ArrayAttribute::new(self.context(), &[0, 0]).into();
        // In the entry block, so that a loop around this place does not take new room each time.
        let head = Builder { location: self.location(), ..self.function_head() };
        let attributes = [("operandSegmentSizes", segments)];
        Ok(head.op("memref.alloca", &[], &[types::variable(ty)], &attributes)?.result(0))
    }

    /// Room for some integers in the function around: a `memref<?xi64>`.
    pub fn integers(self, count: u64) -> Result<'c, Val<'c>> {
        let segments = DenseI32ArrayAttribute::new(self.context(), &[0, 0]).into();
        let head = Builder { location: self.location(), ..self.function_head() };
        let integer = types::int(self.context(), 64);
        let attributes = [("operandSegmentSizes", segments)];
        let room = head.op("memref.alloca", &[], &[types::fixed_memref(count, integer)], &attributes)?;
        head.value("memref.cast", &[room.result(0)], types::memref(integer))
    }

    /// So many elements of a `memref<?xT>` from one on.
    pub fn part_of_memref(self, memref: Val<'c>, start: Val<'c>, count: Val<'c>) -> Result<'c, Val<'c>> {
        let context = self.context();
        let integers = |values: &[i64]| DenseI64ArrayAttribute::new(context, values).into();
        let segments = DenseI32ArrayAttribute::new(context, &[1, 1, 1, 0]).into();
        let attributes = [
            ("operandSegmentSizes", segments),
            ("static_offsets", integers(&[types::DYNAMIC])),
            ("static_sizes", integers(&[types::DYNAMIC])),
            ("static_strides", integers(&[1])),
        ];
        let ty = types::part_of_memref(types::element(memref.r#type()));
        let cast = self.op("memref.reinterpret_cast", &[memref, start, count], &[ty], &attributes)?;
        Ok(cast.result(0))
    }

    /// The address of the first element of a memref.
    pub fn address(self, memref: Val<'c>) -> Result<'c, Val<'c>> {
        self.value("memref.extract_aligned_pointer_as_index", &[memref], types::index(self.context()))
    }

    /// The number of elements of a `memref<?xT>`.
    pub fn length(self, memref: Val<'c>) -> Result<'c, Val<'c>> {
        let mode = self.index(0)?;
        self.value("memref.dim", &[memref, mode], types::index(self.context()))
    }

    /// Before the first operation of the function around, or of the task: each has variables of its own.
    fn function_head(self) -> Self {
        let mut outermost = self.block().parent();
        while !outermost.is::<ParallelOperation>()
            && let Some(parent) = outermost.parent().filter(|parent| parent.parent().is_some())
        {
            outermost = parent;
        }
        let first = outermost.body(0).ops().into_iter().next();
        Builder::before(first.expect("the builder's own place is in the function"))
    }

    pub fn get(self, variable: Val<'c>) -> Result<'c, Val<'c>> {
        self.value("memref.load", &[variable], types::element(variable.r#type()))
    }

    /// Adds 1 to an integer variable that several tasks may change at the same time.
    pub fn count_up(self, variable: Val<'c>) -> Result<'c, ()> {
        let ty = types::element(variable.r#type());
        let one = self.int(ty, 1)?;
        let kind = [("kind", self.attribute(ADD_INTEGERS))];
        self.op("memref.atomic_rmw", &[one, variable], &[ty], &kind).map(|_| ())
    }

    pub fn set(self, variable: Val<'c>, value: Val<'c>) -> Result<'c, ()> {
        self.op("memref.store", &[value, variable], &[], &[]).map(|_| ())
    }
}
