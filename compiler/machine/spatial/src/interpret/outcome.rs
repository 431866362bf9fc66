//! What a run has come to.

use super::column::Column;
use comet_diag::Span;
use serde::Serialize;
use std::collections::BTreeMap;
use std::ops::AddAssign;

/// What an application has written, and what it took, in the order of its text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    pub files: BTreeMap<String, Column>,
    pub printed: String,
    /// The arguments that the accelerator sets.
    pub arguments: Vec<ArgumentReport>,
    pub patterns: Vec<PatternReport>,
    pub transfers: Vec<TransferReport>,
    pub bit_vectors: Vec<BitVectorReport>,
    pub drams: Vec<MemoryReport>,
    pub srams: Vec<SramReport>,
    pub fifos: Vec<FifoReport>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArgumentReport {
    pub name: String,
    pub value: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternReport {
    /// `Foreach`, `Reduce` or `MemReduce`.
    pub kind: &'static str,
    /// From its first word to the end of its domain.
    pub span: Span,
    /// How many iterations begin at once: the product of its factors.
    pub par: u64,
    pub counts: PatternCounts,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PatternCounts {
    pub launches: u64,
    pub iterations: u64,
    /// How many times iterations began, as many at once as its factors say. A scan takes a step for each 512
    /// bits also where none of them is 1.
    pub steps: u64,
    /// How many times elements were combined by `MemReduce`, as many at once as its factor says.
    pub combined: u64,
}

/// What a place of the text has moved between DRAM and chip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransferReport {
    pub dram: String,
    pub element_bytes: u64,
    pub span: Span,
    /// How many elements are moved at once.
    pub par: u64,
    pub counts: TransferCounts,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TransferCounts {
    pub launches: u64,
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
    pub span: Span,
    pub counts: BitVectorCounts,
}

/// What `gen_bitvector` has done in all its launches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BitVectorCounts {
    pub launches: u64,
    pub coordinates: u64,
    /// For each vector, the times that 16 coordinates are taken or that 512 bits are given: the larger.
    pub steps: u64,
    /// How many times 512 bits were given.
    pub lines: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SramReport {
    pub name: String,
    pub span: Span,
    /// How many bytes it had at most.
    pub bytes: u64,
}

/// What has moved between a DRAM and the chip.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MemoryReport {
    pub name: String,
    #[serde(skip)]
    pub element_bytes: u64,
    #[serde(flatten)]
    pub traffic: Traffic,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Traffic {
    /// Bytes that were read, by transfers and one by one.
    pub read_bytes: u64,
    pub written_bytes: u64,
    pub loads: u64,
    pub stores: u64,
    pub stream_loads: u64,
    pub stream_stores: u64,
    /// Elements that were read by themselves, through a `SparseDRAM`.
    pub random_reads: u64,
    /// Elements that were written by themselves, also those that were modified.
    pub random_writes: u64,
    /// How many times 64 bytes of DRAM were read or written for these: again only where the element before
    /// was in others.
    #[serde(skip)]
    pub random_bursts: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FifoReport {
    pub name: String,
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
