//! What a run has come to.

use super::column::Column;
use comet_diag::Span;
use std::collections::BTreeMap;
use std::ops::AddAssign;

/// What an application has written, and what it took.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The files that the host has written.
    pub files: BTreeMap<String, Column>,
    /// What the host has printed.
    pub printed: String,
    /// The arguments that the accelerator sets.
    pub arguments: Vec<Argument>,
    /// The patterns, in the order of the text.
    pub patterns: Vec<PatternReport>,
    /// The DRAMs, in the order of the text.
    pub drams: Vec<MemoryReport>,
    /// The FIFOs, in the order of the text.
    pub fifos: Vec<FifoReport>,
}

/// An argument that the accelerator has set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// Its name.
    pub name: String,
    /// Its value, as the host prints it.
    pub value: String,
}

/// How often a pattern was run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternReport {
    /// `Foreach`, `Reduce` or `MemReduce`.
    pub kind: &'static str,
    /// From its first word to the end of its domain.
    pub span: Span,
    /// How often it was launched.
    pub launches: u64,
    /// How many rounds it had, in all launches.
    pub rounds: u64,
}

/// What has moved between a DRAM and the chip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryReport {
    /// The DRAM's name.
    pub name: String,
    /// How many bytes an element has.
    pub element_bytes: u64,
    /// What has moved.
    pub traffic: Traffic,
}

/// What has moved between DRAM and the chip.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Bytes that were read, by transfers and one by one.
    pub read_bytes: u64,
    /// Bytes that were written.
    pub written_bytes: u64,
    /// How many parts were loaded.
    pub loads: u64,
    /// How many parts were stored.
    pub stores: u64,
    /// How many streams were loaded.
    pub stream_loads: u64,
    /// How many streams were stored.
    pub stream_stores: u64,
    /// Single elements that were read, of a `SparseDRAM`.
    pub random_reads: u64,
}

/// How full a FIFO was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FifoReport {
    /// Its name.
    pub name: String,
    /// Its declaration.
    pub span: Span,
    /// The most elements that waited at a time, where one controller runs after the other.
    pub most_waiting: u64,
}

impl AddAssign for Traffic {
    fn add_assign(&mut self, other: Self) {
        self.read_bytes += other.read_bytes;
        self.written_bytes += other.written_bytes;
        self.loads += other.loads;
        self.stores += other.stores;
        self.stream_loads += other.stream_loads;
        self.stream_stores += other.stream_stores;
        self.random_reads += other.random_reads;
    }
}
