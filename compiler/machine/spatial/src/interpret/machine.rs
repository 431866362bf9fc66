//! Executes a program, one iteration after the other.

mod bits;
mod domain;
mod evaluate;
mod faults;
mod files;
mod memory;
mod reduce;
mod sparse;
mod transfer;

use super::Inputs;
use super::column::Column;
use super::outcome::{
    ArgumentReport, BitVectorReport, FifoReport, MemoryReport, Outcome, PatternReport, SramReport,
    TransferReport,
};
use super::program::{ArrayKind, BlockSteps, ExecutableProgram, Instruction, Node, Write};
use comet_diag::Diagnostic;
use evaluate::AccessKind;
use memory::{ArrayState, Cell, Fifo};
use std::collections::BTreeMap;

/// What a step of this module comes to.
type Result<T> = std::result::Result<T, Box<Diagnostic>>;

/// How many elements all memories have together at most.
const MOST_ELEMENTS: usize = 1 << 27;

pub(super) fn run(program: &ExecutableProgram, inputs: &Inputs) -> Result<Outcome> {
    let mut machine = Machine::new(program, inputs);
    machine.steps(&program.block.steps)?;
    Ok(machine.outcome())
}

/// Memories and values while a program runs.
struct Machine<'p> {
    program: &'p ExecutableProgram,
    files: &'p BTreeMap<String, Column>,
    slots: Vec<u64>,
    arrays: Vec<ArrayState>,
    fifos: Vec<Fifo>,
    /// What is written now is stamped with this; it moves on whenever a memory begins anew, and with the
    /// iterations that run at once.
    clock: u64,
    guards: Vec<Guard>,
    /// Elements that memories may still get.
    room: usize,
    patterns: Vec<PatternReport>,
    transfers: Vec<TransferReport>,
    bit_vectors: Vec<BitVectorReport>,
    /// Words of the bit vectors that are scanned, the innermost scan last.
    scanned: Vec<u32>,
    /// In how many sides around that nobody uses this is computed.
    unused: usize,
    written: BTreeMap<String, Column>,
    printed: String,
}

/// The stamps of a pattern whose iterations are to be independent: what one of them may not touch is what has
/// been written since the launch and before the iteration.
#[derive(Clone, Copy, Default)]
struct Guard {
    launch: u64,
    iteration: u64,
}

impl<'p> Machine<'p> {
    fn new(program: &'p ExecutableProgram, inputs: &'p Inputs) -> Self {
        Self {
            program,
            files: &inputs.files,
            slots: vec![0; program.slots],
            arrays: program.arrays.iter().map(|_| ArrayState::default()).collect(),
            fifos: program.fifos.iter().map(|_| Fifo::default()).collect(),
            clock: 0,
            guards: vec![Guard::default(); program.guards],
            room: MOST_ELEMENTS,
            patterns: program.patterns.clone(),
            transfers: program.transfers.clone(),
            bit_vectors: program.bit_vectors.clone(),
            scanned: Vec::new(),
            unused: 0,
            written: BTreeMap::new(),
            printed: String::new(),
        }
    }

    fn block(&mut self, block: &BlockSteps) -> Result<()> {
        self.steps(&block.steps)?;
        self.end(block)
    }

    fn steps(&mut self, steps: &[Instruction]) -> Result<()> {
        steps.iter().try_for_each(|step| self.step(step))
    }

    fn step(&mut self, step: &Instruction) -> Result<()> {
        match step {
            Instruction::Assign { slot, value } => {
                self.slots[*slot] = self.evaluate(value)?;
                Ok(())
            }
            Instruction::Allocate { array, size, span } => self.allocate(*array, size, *span),
            Instruction::Write(write) => self.write(write),
            Instruction::Evaluate(value) => self.evaluate(value).map(|_| ()),
            Instruction::Enqueue { fifo, value, enable } => self.enqueue(*fifo, value, enable.as_ref()),
            Instruction::Transfer(transfer) => self.transfer(transfer),
            Instruction::GenBits(bits) => self.gen_bits(bits),
            Instruction::Foreach(pattern) => {
                self.each_iteration(pattern, |machine| machine.block(&pattern.body))
            }
            Instruction::Reduce(reduce) => self.reduce(reduce),
            Instruction::MemReduce(reduce) => self.mem_reduce(reduce),
            Instruction::If { condition, then, otherwise } => match self.evaluate(condition)? {
                0 => self.block(otherwise),
                _ => self.block(then),
            },
            Instruction::Block(block) => self.block(block),
            Instruction::Read { array, file, span } => self.read_file(*array, file, *span),
            Instruction::Copy { from, to, span } => self.copy(*from, *to, *span),
            Instruction::WriteFile { array, file, span } => self.write_file(*array, file, *span),
            Instruction::Tabulate { array, size, binder, value, span } => {
                self.tabulate(*array, size, (*binder, value), *span)
            }
            Instruction::Print(pieces) => self.print(pieces),
            Instruction::PrintArray { array, heading, span } => {
                self.print_array(*array, heading.as_deref(), *span)
            }
            Instruction::Assert(condition, span) => self.assert(condition, *span),
            Instruction::Barrier { slot, init, span } => self.barrier(*slot, init, *span),
        }
    }

    /// The end of a block: what was enqueued has been dequeued.
    #[inline]
    fn end(&self, block: &BlockSteps) -> Result<()> {
        match block.fifos.iter().find(|&&fifo| !self.fifos[fifo].waiting.is_empty()) {
            None => Ok(()),
            Some(&fifo) => Err(self.left_behind(fifo)),
        }
    }

    fn write(&mut self, write: &Write) -> Result<()> {
        let index = self.evaluate(&write.index)?;
        let word = self.evaluate(&write.value)?;
        let stamp = self.clock;
        if index >= self.arrays[write.place.array].cells.len() as u64 {
            self.reach_element(&write.place, index, write.span)?;
        }
        let cell = &mut self.arrays[write.place.array].cells[index as usize];
        if is_disturbed(&self.guards, &write.place.guards, cell.stamp) {
            return Err(self.cannot_write(&write.place, index, write.span));
        }
        *cell = Cell { word, stamp };
        if self.program.arrays[write.place.array].kind == ArrayKind::Dram {
            self.account_element(write.place.array, index, AccessKind::Write);
        }
        Ok(())
    }

    fn enqueue(&mut self, fifo: usize, value: &Node, enable: Option<&Node>) -> Result<()> {
        let is_used = match enable {
            None => true,
            Some(enable) => self.evaluate(enable)? == 1,
        };
        let word = if is_used { self.evaluate(value)? } else { self.evaluate_unused(value)? };
        if is_used {
            self.reserve(fifo, 1)?;
            self.fifos[fifo].waiting.push_back(word);
            self.fifos[fifo].note();
        }
        Ok(())
    }

    /// Time moves on, so that what was written before differs from what will be.
    fn tick(&mut self) -> u64 {
        self.clock += TICK;
        self.clock
    }

    fn outcome(self) -> Outcome {
        let program = self.program;
        let drams = program.arrays.iter().zip(&self.arrays).filter(|(info, _)| info.kind == ArrayKind::Dram);
        let drams = drams.map(|(info, array)| MemoryReport {
            name: info.name.clone(),
            element_bytes: info.element.bytes(),
            traffic: array.traffic,
        });
        let is_on_chip = |kind| matches!(kind, ArrayKind::Sram | ArrayKind::SparseSram);
        let srams = program.arrays.iter().zip(&self.arrays).filter(|(info, _)| is_on_chip(info.kind));
        let srams = srams.map(|(info, array)| SramReport {
            name: info.name.clone(),
            span: info.span,
            bytes: (array.most as u64).saturating_mul(info.element.bytes()),
        });
        let fifos = program.fifos.iter().zip(&self.fifos);
        let fifos = fifos.map(|(info, fifo)| FifoReport { most_waiting: fifo.most as u64, ..info.clone() });
        let arguments = program
            .arg_outs
            .iter()
            .map(|(name, slot, of)| ArgumentReport { name: name.clone(), value: of.show(self.slots[*slot]) });
        Outcome {
            patterns: self.patterns,
            transfers: self.transfers,
            bit_vectors: self.bit_vectors,
            drams: drams.collect(),
            srams: srams.collect(),
            fifos: fifos.collect(),
            arguments: arguments.collect(),
            files: self.written,
            printed: self.printed,
        }
    }
}

/// The lowest bit of a stamp says that the element was modified in place; time is in the others.
const MODIFIED: u64 = 1;
const TICK: u64 = 2;

/// Whether another iteration has written what an iteration of these patterns is about to touch.
#[inline]
fn is_disturbed(guards: &[Guard], around: &[usize], stamp: u64) -> bool {
    around.iter().any(|&guard| (guards[guard].launch..guards[guard].iteration).contains(&stamp))
}
