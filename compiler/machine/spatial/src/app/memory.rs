//! The memories on chip, and what a text says of them.

use super::{Expr, Type};

/// A memory of the accelerator.
#[derive(Clone, Debug, PartialEq)]
pub struct Memory {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: MemoryKind,
    /// Of its elements.
    pub element: Type,
    /// What is said of it behind its declaration.
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

/// The kinds of memories of the accelerator.
#[derive(Clone, Debug, PartialEq)]
pub enum MemoryKind {
    /// `SRAM[T](n)`: for addresses that are affine in counters.
    Sram {
        /// How many elements.
        size: Expr,
    },
    /// `SparseSRAM[T](n)`, `SparseParSRAM[T](par)(n, true)`, `SparseParSRAMSwizzle[T](par)(n, true)`: for any
    /// address, also read, modified and written at once.
    SparseSram {
        /// How it is spelled.
        variant: SparseVariant,
        /// How many elements.
        size: Expr,
    },
    /// `SparseDRAM[T](par)(n)`: single elements of a DRAM, at any address, also modified at once. Which DRAM
    /// is said by [`super::Kind::Alias`].
    SparseDram {
        /// How many copies of what is around it use it at once.
        par: Expr,
        /// How many elements.
        size: Expr,
    },
    /// `FIFO[T](depth)`. Who adds to a full one waits until there is room.
    Fifo {
        /// How many elements it holds at a time.
        depth: Expr,
    },
    /// `Reg[T](init)`.
    Register {
        /// Its value at the beginning of its block.
        init: Option<Expr>,
    },
}

/// The spellings of sparse SRAMs.
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
    pub par: Expr,
    /// Whether barriers are put where accesses list none.
    pub has_barriers: bool,
}
