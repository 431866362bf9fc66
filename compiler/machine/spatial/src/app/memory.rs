//! The memories on chip, and what a text says of them.

use super::{AppExpr, Type};

#[derive(Clone, Debug, PartialEq)]
pub struct Memory {
    pub name: String,
    pub kind: MemoryKind,
    pub element: Type,
    pub marks: Vec<Mark>,
}

/// What is said of a memory: `SRAM[T](n).buffer`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// `.buffer`: each iteration of the pipeline around that is under way has a copy of its own, also where
    /// the memory is read in front of where it is written.
    Buffer,
    /// `.nonbuffer`: all iterations share one copy.
    NonBuffer,
    /// `.retiming`: a FIFO that only evens out delays.
    Retiming,
}

#[derive(Clone, Debug, PartialEq)]
pub enum MemoryKind {
    /// `SRAM[T](n)`: for addresses that are affine in counters.
    Sram { size: AppExpr },
    /// `SparseSRAM[T](n)`, `SparseParSRAM[T](par)(n, true)`, `SparseParSRAMSwizzle[T](par)(n, true)`: for any
    /// address, also read, modified and written at once.
    SparseSram { variant: SparseVariant, size: AppExpr },
    /// `SparseDRAM[T](par)(n)`: single elements of a DRAM, at any address, also modified at once. Which DRAM
    /// is said by [`super::Kind::Alias`].
    SparseDram {
        /// How many copies of what is around it use it at once.
        par: AppExpr,
        size: AppExpr,
    },
    /// `FIFO[T](depth)`. Who adds to a full one waits until there is room.
    Fifo { depth: AppExpr },
    /// `Reg[T](init)`.
    Register {
        /// Its value at the beginning of its block.
        init: Option<AppExpr>,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub enum SparseVariant {
    /// `SparseSRAM[T](n)`.
    Plain,
    /// `SparseParSRAM[T](par)(n, true)`.
    Par(Copies),
    /// `SparseParSRAMSwizzle[T](par)(n, true)`.
    ParSwizzle(Copies),
}

/// `(par)(…, true)` of a sparse SRAM.
#[derive(Clone, Debug, PartialEq)]
pub struct Copies {
    /// How many iterations of a pattern around it use it at once.
    pub par: AppExpr,
    /// Whether barriers are put where accesses list none.
    pub has_barriers: bool,
}
