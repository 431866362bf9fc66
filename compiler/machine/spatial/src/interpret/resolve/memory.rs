//! Memories: their declarations and what is done with them.

use super::names::{Binding, Name};
use super::{Resolver, Result};
use crate::app::{DramPart, Expr, ExprKind, Memory, MemoryKind, SparseVariant, Stream, Type};
use crate::interpret::program::{
    Allocate, ArrayInfo, ArrayKind, ArrayUse, BitVectorInfo, Chip, Direction, Enqueue, Extent, FifoInfo,
    GenBits, Instruction, Node, Transfer, TransferInfo, Write,
};
use crate::interpret::scalar::Scalar;
use comet_diag::{Diagnostic, Span};

/// How many elements a stream moves at once: a vector.
const STREAM_LANES: u64 = 16;

impl Resolver<'_> {
    /// A memory with addresses gets its number.
    pub(super) fn array(&mut self, name: &str, kind: ArrayKind, of: &Type, span: Span) -> Result<usize> {
        let element = self.scalar(of, span)?;
        self.array_of(name, kind, element, span)
    }

    pub(super) fn array_of(&mut self, name: &str, kind: ArrayKind, of: Scalar, span: Span) -> Result<usize> {
        let array = self.program.arrays.len();
        self.declare(name, Binding::Array(array, kind, of), span)?;
        self.program.arrays.push(ArrayInfo {
            name: name.to_owned(),
            kind,
            element: of,
            span,
            sized_by: None,
        });
        Ok(array)
    }

    /// Notes the parameter that decides on a memory's size, for messages: the first that is in it.
    pub(super) fn note_size(&mut self, array: usize, size: &Expr) {
        let mut rest = vec![size];
        while let Some(value) = rest.pop() {
            match &value.kind {
                ExprKind::Name(name) if self.parameters.iter().any(|parameter| parameter.name == *name) => {
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
                let of = self.scalar(&memory.element, span)?;
                self.declare(&memory.name, Binding::Unaliased(of), span)?;
                Ok(None)
            }
            MemoryKind::Fifo { depth } => {
                self.check_depth(depth)?;
                let fifo = self.program.fifos.len();
                let of = self.scalar(&memory.element, span)?;
                self.declare(&memory.name, Binding::Fifo(fifo, of), span)?;
                self.program.fifos.push(FifoInfo { name: memory.name.clone(), span });
                fifos.push(fifo);
                Ok(None)
            }
            MemoryKind::Register { init } => {
                let of = self.scalar(&memory.element, span)?;
                let init = init.as_ref().map_or(Ok(Node::Constant(0)), |init| self.value(init, of))?;
                let slot = self.slot();
                self.declare(&memory.name, Binding::Register(slot, of), span)?;
                Ok(Some(Instruction::Assign { slot, value: init }))
            }
        }
    }

    /// `m.alias = d`: the elements of `m` are those of a DRAM, which all iterations share.
    pub(super) fn alias(&mut self, memory: &str, dram: &str, span: Span) -> Result<()> {
        let found = self.name(memory, span)?;
        let Binding::Unaliased(of) = found.binding else {
            let needed = "a `SparseDRAM` without elements of its own is needed here";
            return Err(self.is_no(memory, found, needed, span));
        };
        let of_dram = self.name(dram, span)?;
        let Binding::Array(array, ArrayKind::Dram, element) = of_dram.binding else {
            return Err(self.is_no(dram, of_dram, "a DRAM is needed here", span));
        };
        check_alike(memory, of, element, span)?;
        let binding = Binding::Array(array, ArrayKind::SparseDram, element);
        self.names.redefine(memory, Name { binding, span: found.span, ..of_dram });
        Ok(())
    }

    fn sram(&mut self, memory: &Memory, kind: ArrayKind, size: &Expr, span: Span) -> Result<Instruction> {
        let elements = self.integer(size)?;
        let array = self.array(&memory.name, kind, &memory.element, span)?;
        self.note_size(array, size);
        Ok(Instruction::Allocate(Box::new(Allocate { array, size: elements, span })))
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
        let needed = match found.binding {
            Binding::Array(array, ArrayKind::Sram, of) => return Ok((self.place(array, found), of)),
            Binding::Array(array, ArrayKind::SparseSram, of) => {
                self.check_copies(name, span)?;
                return Ok((self.place(array, found), of));
            }
            Binding::Array(_, ArrayKind::Dram, _) => "the accelerator writes it by transfers only",
            Binding::Array(_, ArrayKind::SparseDram, _) => "transfers are of memories on chip",
            Binding::Array(_, ArrayKind::Host, _) => "the accelerator cannot reach it",
            _ => "an SRAM is needed here",
        };
        Err(self.is_no(name, found, needed, span))
    }

    /// A memory whose single elements are read or written here, and their type.
    pub(super) fn elements(&mut self, name: &str, found: Name, span: Span) -> Result<(ArrayUse, Scalar)> {
        match found.binding {
            Binding::Array(array, ArrayKind::SparseDram, of) => Ok((self.place(array, found), of)),
            Binding::Unaliased(_) => {
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
        let found = self.name(name, span)?;
        let (place, of) = self.elements(name, found, span)?;
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
        Ok(Instruction::Enqueue(Box::new(Enqueue { fifo, value, enable })))
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
        let (dram, of) = self.dram(&part.dram, span)?;
        let chip = self.chip(chip, of, direction, span)?;
        let number = self.number_transfer(dram.array, par, span);
        Ok(Instruction::Transfer(Box::new(Transfer {
            number,
            par,
            dram,
            chip,
            direction,
            from,
            extent,
            span,
        })))
    }

    fn number_transfer(&mut self, dram: usize, par: u64, span: Span) -> usize {
        self.program.transfers.push(TransferInfo { dram, span, par });
        self.program.transfers.len() - 1
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
        let (dram, of) = self.dram(&stream.dram, span)?;
        let (fifo, found) = self.fifo(&stream.fifo, moved(direction), span)?;
        check_alike(&stream.fifo, found, of, span)?;
        let (number, chip) = (self.number_transfer(dram.array, STREAM_LANES, span), Chip::Fifo(fifo));
        let par = STREAM_LANES;
        Ok(Instruction::Transfer(Box::new(Transfer {
            number,
            par,
            dram,
            chip,
            direction,
            from,
            extent,
            span,
        })))
    }

    fn dram(&self, name: &str, span: Span) -> Result<(ArrayUse, Scalar)> {
        let found = self.name(name, span)?;
        match found.binding {
            Binding::Array(array, ArrayKind::Dram, of) => Ok((self.place(array, found), of)),
            _ => Err(self.is_no(name, found, "a DRAM is needed here", span)),
        }
    }

    fn chip(&mut self, name: &str, of: Scalar, direction: Direction, span: Span) -> Result<Chip> {
        let found = self.name(name, span)?;
        let (chip, element) = match found.binding {
            Binding::Fifo(..) => {
                let (fifo, element) = self.fifo(name, moved(direction), span)?;
                (Chip::Fifo(fifo), element)
            }
            _ => {
                let (place, element) = self.on_chip(name, found, span)?;
                (Chip::Array(place), element)
            }
        };
        check_alike(name, element, of, span)?;
        Ok(chip)
    }

    pub(super) fn bit_vector(&mut self, bits: BitVector<'_>, span: Span) -> Result<Instruction> {
        let BitVector { shift, max, len, crd, bits } = bits;
        let (shift, max, len) = (self.integer(shift)?, self.integer(max)?, self.integer(len)?);
        let (crd_fifo, of) = self.fifo(crd, "dequeued from", span)?;
        if !of.is_integer() {
            let error = format!("`{crd}` has elements of type `{}`, and coordinates are integers", of.name());
            return Err(Diagnostic::error(span, error).into());
        }
        let bits = self.words(bits, "enqueued to", span)?;
        let number = self.program.bit_vectors.len();
        self.program.bit_vectors.push(BitVectorInfo { span });
        Ok(Instruction::GenBits(Box::new(GenBits { number, shift, max, len, crd: crd_fifo, bits, span })))
    }

    /// A FIFO of words of bit vectors.
    pub(super) fn words(&mut self, name: &str, used: &str, span: Span) -> Result<usize> {
        match self.fifo(name, used, span)? {
            (fifo, Scalar::U32) => Ok(fifo),
            (_, of) => {
                let error = format!("`{name}` has elements of type `{}`", of.name());
                Err(Diagnostic::error(span, error).hint("bit vectors are words of type `U32`").into())
            }
        }
    }
}

/// `gen_bitvector(shift, max, len, crd, bv)`.
pub(super) struct BitVector<'a> {
    pub(super) shift: &'a Expr,
    pub(super) max: &'a Expr,
    pub(super) len: &'a Expr,
    pub(super) crd: &'a str,
    pub(super) bits: &'a str,
}

/// What a transfer does with a FIFO.
fn moved(direction: Direction) -> &'static str {
    match direction {
        Direction::Load => "enqueued to",
        Direction::Store => "dequeued from",
    }
}

/// Elements are moved as they are.
fn check_alike(name: &str, found: Scalar, of: Scalar, span: Span) -> Result<()> {
    if found == of {
        return Ok(());
    }
    let (found, of) = (found.name(), of.name());
    let error = format!("`{name}` has elements of type `{found}`, and those in DRAM are of type `{of}`");
    Err(Diagnostic::error(span, error).into())
}
