//! Memories: their declarations and what is done with them.

use super::names::{Binding, Name, misread};
use super::{Resolver, Result};
use crate::app::{DramPart, Expr, ExprKind, Memory, MemoryKind, Scalar, SparseVariant, Stream};
use crate::interpret::outcome::{
    BitVectorCounts, BitVectorReport, FifoReport, TransferCounts, TransferReport,
};
use crate::interpret::program::{
    ArrayInfo, ArrayKind, ArrayUse, Chip, Direction, Extent, GenBits, Instruction, Node, Transfer, Write,
};
use comet_diag::{Diagnostic, Span};

/// How many elements a stream moves at once: a vector.
const STREAM_LANES: u64 = 16;

impl Resolver<'_> {
    /// A memory with addresses gets its number.
    pub(super) fn array(&mut self, name: &str, kind: ArrayKind, of: Scalar, span: Span) -> usize {
        let array = self.program.arrays.len();
        self.declare(name, Binding::Array(array, kind, of), span);
        self.program.arrays.push(ArrayInfo {
            name: name.to_owned(),
            kind,
            element: of,
            span,
            sized_by: None,
        });
        array
    }

    /// Notes the parameter that decides on a memory's size, for messages: the first that is in it.
    pub(super) fn note_size(&mut self, array: usize, size: &Expr) {
        let mut rest = vec![size];
        while let Some(value) = rest.pop() {
            match &value.kind {
                ExprKind::Name(name)
                    if self.app.parameters.iter().any(|parameter| parameter.name == *name) =>
                {
                    self.program.arrays[array].sized_by = Some(name.clone());
                    return;
                }
                ExprKind::Binary(_, left, right) => rest.extend([right.as_ref(), left.as_ref()]),
                _ => {}
            }
        }
    }

    /// A memory on chip, and what happens where its declaration is reached. FIFOs are noted in `fifos`.
    pub(super) fn memory(
        &mut self,
        memory: &Memory,
        fifos: &mut Vec<usize>,
        span: Span,
    ) -> Result<Option<Instruction>> {
        match &memory.kind {
            MemoryKind::Sram { size } => self.sram(memory, ArrayKind::Sram, size, span).map(Some),
            MemoryKind::SparseSram { variant, size } => {
                if let SparseVariant::Par(copies) | SparseVariant::ParSwizzle(copies) = variant {
                    self.lanes(&copies.par)?;
                }
                self.sram(memory, ArrayKind::SparseSram, size, span).map(Some)
            }
            MemoryKind::SparseDram { par, size } => {
                self.lanes(par)?;
                self.integer(size)?;
                self.declare(&memory.name, Binding::Unaliased, span);
                Ok(None)
            }
            MemoryKind::Fifo { depth } => {
                self.check_depth(depth)?;
                let fifo = self.program.fifos.len();
                let of = self.scalar(&memory.element);
                self.declare(&memory.name, Binding::Fifo(fifo, of), span);
                self.program.fifos.push(FifoReport { name: memory.name.clone(), span, most_waiting: 0 });
                fifos.push(fifo);
                Ok(None)
            }
            MemoryKind::Register { init } => {
                let of = self.scalar(&memory.element);
                let init = init.as_ref().map_or(Ok(Node::Constant(0)), |init| self.value(init, of))?;
                let slot = self.slot();
                self.declare(&memory.name, Binding::Register(slot, of), span);
                Ok(Some(Instruction::Assign { slot, value: init }))
            }
        }
    }

    /// `m.alias = d`: the elements of `m` are those of a DRAM, which all iterations share.
    pub(super) fn alias(&mut self, memory: &str, dram: &str, span: Span) -> Result<()> {
        let found = self.name(memory);
        if !matches!(found.binding, Binding::Unaliased) {
            let error = format!(
                "`{memory}` is a `SparseDRAM`, and a `SparseDRAM` without elements of its own is needed here"
            );
            return Err(Diagnostic::error(span, error).also(found.span, "declared here").into());
        }
        let of_dram = self.name(dram);
        let Binding::Array(array, _, element) = of_dram.binding else { misread(dram) };
        let binding = Binding::Array(array, ArrayKind::SparseDram, element);
        if let Some(meaning) = self.names.find_mut(memory) {
            *meaning = Name { binding, span: found.span, ..of_dram };
        }
        Ok(())
    }

    fn sram(&mut self, memory: &Memory, kind: ArrayKind, size: &Expr, span: Span) -> Result<Instruction> {
        let elements = self.integer(size)?;
        let array = self.array(&memory.name, kind, self.scalar(&memory.element), span);
        self.note_size(array, size);
        Ok(Instruction::Allocate { array, size: elements, span })
    }

    /// A FIFO has room for something, which is known before.
    fn check_depth(&mut self, depth: &Expr) -> Result<()> {
        match self.constant(depth)? {
            Some(1..) => Ok(()),
            Some(other) => {
                Err(Diagnostic::error(depth.span, format!("the depth of a FIFO is {other}, and 1 at least"))
                    .into())
            }
            None => {
                let error = "the depth of a FIFO is known only when the application runs";
                Err(Diagnostic::error(depth.span, error).hint("use a number or a parameter").into())
            }
        }
    }

    /// An SRAM that is read or written here, and the type of its elements.
    pub(super) fn on_chip(&mut self, name: &str, found: Name, span: Span) -> Result<(ArrayUse, Scalar)> {
        let (array, of) = match found.binding {
            Binding::Array(array, ArrayKind::Sram, of) => (array, of),
            Binding::Array(array, ArrayKind::SparseSram, of) => {
                self.check_copies(name, span)?;
                (array, of)
            }
            Binding::Array(_, ArrayKind::SparseDram, _) | Binding::Unaliased => {
                let error = format!("`{name}` is a `SparseDRAM`, and transfers are of memories on chip");
                return Err(Diagnostic::error(span, error).also(found.span, "declared here").into());
            }
            _ => misread(name),
        };
        Ok((self.place(array, found), of))
    }

    /// A memory whose single elements are read or written here, and their type.
    pub(super) fn elements(&mut self, name: &str, found: Name, span: Span) -> Result<(ArrayUse, Scalar)> {
        match found.binding {
            Binding::Array(array, ArrayKind::SparseDram, of) => Ok((self.place(array, found), of)),
            Binding::Unaliased => {
                let error = format!(
                    "`{name}` is used, and nothing says which DRAM its elements are in [sparse-dram]"
                );
                Err(Diagnostic::error(span, error)
                    .also(found.span, "declared here")
                    .hint(format!("say so before: `{name}.alias = d`"))
                    .into())
            }
            _ => self.on_chip(name, found, span),
        }
    }

    pub(super) fn write(
        &mut self,
        name: &str,
        index: &Expr,
        value: &Expr,
        span: Span,
    ) -> Result<Instruction> {
        let (place, of) = self.elements(name, self.name(name), span)?;
        let (index, value) = (self.integer(index)?, self.value(value, of)?);
        Ok(Instruction::Write(Box::new(Write { place, index, value, span })))
    }

    pub(super) fn enqueue(
        &mut self,
        name: &str,
        value: &Expr,
        enable: Option<&Expr>,
        span: Span,
    ) -> Result<Instruction> {
        let (fifo, of) = self.fifo(name, "enqueued to", span)?;
        let value = self.value(value, of)?;
        let enable = enable.map(|enable| self.value(enable, Scalar::Bit)).transpose()?;
        Ok(Instruction::Enqueue { fifo, value, enable })
    }

    /// `m load d(a::b)` and `d(a::b) store m`.
    pub(super) fn transfer(
        &mut self,
        chip: &str,
        part: &DramPart,
        direction: Direction,
        span: Span,
    ) -> Result<Instruction> {
        let par = part.par.as_ref().map_or(Ok(1), |par| self.lanes(par))?;
        let from = self.integer(&part.from)?;
        let extent = Extent::Until(self.integer(&part.to)?);
        let found = self.name(chip);
        let chip = match found.binding {
            Binding::Fifo(..) => Chip::Fifo(self.fifo(chip, moved(direction), span)?.0),
            _ => Chip::Array(self.on_chip(chip, found, span)?.0),
        };
        let dram = self.dram(&part.dram);
        Ok(self.moving(Transfer { number: 0, par, dram, chip, direction, from, extent, span }))
    }

    /// `d stream_load_vec(base, len, f)` and `d stream_store_vec(base, f, len)`.
    pub(super) fn stream(
        &mut self,
        stream: &Stream,
        direction: Direction,
        span: Span,
    ) -> Result<Instruction> {
        let from = self.integer(&stream.base)?;
        let extent = Extent::Count(self.integer(&stream.len)?);
        let dram = self.dram(&stream.dram);
        let chip = Chip::Fifo(self.fifo(&stream.fifo, moved(direction), span)?.0);
        Ok(self.moving(Transfer { number: 0, par: STREAM_LANES, dram, chip, direction, from, extent, span }))
    }

    /// A transfer gets its number.
    fn moving(&mut self, transfer: Transfer) -> Instruction {
        let Transfer { par, span, .. } = transfer;
        let number = self.program.transfers.len();
        let dram = &self.program.arrays[transfer.dram.array];
        let (dram, element_bytes) = (dram.name.clone(), dram.element.bytes());
        let counts = TransferCounts::default();
        self.program.transfers.push(TransferReport { dram, element_bytes, span, par, counts });
        Instruction::Transfer(Box::new(Transfer { number, ..transfer }))
    }

    fn dram(&self, name: &str) -> ArrayUse {
        let found = self.name(name);
        match found.binding {
            Binding::Array(array, _, _) => self.place(array, found),
            _ => misread(name),
        }
    }

    /// `gen_bitvector(shift, max, len, crd, bv)`.
    pub(super) fn bit_vector(
        &mut self,
        [shift, max, len]: [&Expr; 3],
        [crd, bits]: [&str; 2],
        span: Span,
    ) -> Result<Instruction> {
        let (shift, max, len) = (self.integer(shift)?, self.integer(max)?, self.integer(len)?);
        let (crd, _) = self.fifo(crd, "dequeued from", span)?;
        let (bits, _) = self.fifo(bits, "enqueued to", span)?;
        let number = self.program.bit_vectors.len();
        self.program.bit_vectors.push(BitVectorReport { span, counts: BitVectorCounts::default() });
        Ok(Instruction::GenBits(Box::new(GenBits { number, shift, max, len, crd, bits, span })))
    }
}

/// What a transfer does with a FIFO.
fn moved(direction: Direction) -> &'static str {
    match direction {
        Direction::Load => "enqueued to",
        Direction::Store => "dequeued from",
    }
}
