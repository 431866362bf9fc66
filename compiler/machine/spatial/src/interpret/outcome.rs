//! What a run has come to.

use super::column::Column;
use comet_diag::Span;
use std::collections::BTreeMap;
use std::ops::AddAssign;

/// What an application has written, and what it took.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// The files that the host has written.
    pub files: BTreeMap<String, Column>,
    /// What the host has printed.
    pub printed: String,
    /// The arguments that the accelerator sets.
    pub arguments: Vec<Argument>,
    /// The patterns, in the order of the text.
    pub patterns: Vec<PatternReport>,
    /// The transfers, in the order of the text.
    pub transfers: Vec<TransferReport>,
    /// The places that make bit vectors, in the order of the text.
    pub bit_vectors: Vec<BitVectorReport>,
    /// The DRAMs, in the order of the text.
    pub drams: Vec<MemoryReport>,
    /// The SRAMs, in the order of the text.
    pub srams: Vec<SramReport>,
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
    /// How many iterations begin at once: the product of its factors.
    pub par: u64,
    /// How often.
    pub counts: PatternCounts,
}

/// What a pattern has done in all its launches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PatternCounts {
    /// How often it was launched.
    pub launches: u64,
    /// How many iterations it had.
    pub rounds: u64,
    /// How many times iterations began, as many at once as its factors say. A scan takes a step for each 512
    /// bits also where none of them is 1.
    pub steps: u64,
    /// How many times elements were combined by `MemReduce`, as many at once as its factor says.
    pub combined: u64,
}

/// What a place of the text has moved between DRAM and chip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransferReport {
    /// The DRAM's name.
    pub dram: String,
    /// How many bytes an element has.
    pub element_bytes: u64,
    /// The transfer.
    pub span: Span,
    /// How many elements are moved at once.
    pub par: u64,
    /// How much.
    pub counts: TransferCounts,
}

/// What a transfer has moved in all its launches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TransferCounts {
    /// How often it was launched.
    pub launches: u64,
    /// How many elements were moved.
    pub elements: u64,
    /// How many times elements were moved, as many at once as its factor says; 16 of a stream.
    pub steps: u64,
    /// How many times 64 bytes of DRAM were read or written for it: the first and the last ones of a launch
    /// may hold others, too.
    pub bursts: u64,
}

/// What a place of the text has made of bit vectors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BitVectorReport {
    /// Where it is.
    pub span: Span,
    /// How many.
    pub counts: BitVectorCounts,
}

/// What `gen_bitvector` has done in all its launches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BitVectorCounts {
    /// How many vectors were made.
    pub launches: u64,
    /// How many coordinates they were made of.
    pub coordinates: u64,
    /// For each vector, the times that 16 coordinates are taken or that 512 bits are given: the larger.
    pub steps: u64,
    /// How many times 512 bits were given.
    pub lines: u64,
}

/// An SRAM of any kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SramReport {
    /// Its name.
    pub name: String,
    /// Its declaration.
    pub span: Span,
    /// How many bytes it had at most.
    pub bytes: u64,
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
    /// Elements that were read by themselves, through a `SparseDRAM`.
    pub random_reads: u64,
    /// Elements that were written by themselves, also those that were modified.
    pub random_writes: u64,
    /// How many times 64 bytes of DRAM were read or written for these: again only where the element before
    /// was in others.
    pub random_bursts: u64,
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
        self.random_writes += other.random_writes;
        self.random_bursts += other.random_bursts;
    }
}
