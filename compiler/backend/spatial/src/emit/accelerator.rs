//! What the accelerator does.

use super::{Attributes, Writer};
use comet_ir::{Attr, Result, Ty, Val, spatial::Place};
use comet_spatial::app::{
    BarrierUse, Copies, Expr, Kind, Mark, Memory, MemoryKind, Part, SparseVariant, Statement, Stream, Type,
};
use melior::ir::Region;
use melior::ir::attribute::DenseI32ArrayAttribute;

/// The attribute of a mark.
fn word(mark: Mark) -> &'static str {
    match mark {
        Mark::Buffer => "buffered",
        Mark::NonBuffer => "shared",
        Mark::Retiming => "retiming",
    }
}

impl<'a, 'c> Writer<'a, 'c> {
    /// Writes statements.
    pub(super) fn block(&mut self, block: &'a [Statement]) -> Result<'c, ()> {
        block.iter().try_for_each(|statement| self.accelerator(&statement.kind))
    }

    fn accelerator(&mut self, kind: &'a Kind) -> Result<'c, ()> {
        match kind {
            Kind::Val(name, value) => self.val(name, value),
            Kind::Memory(memory) => self.memory_of(memory),
            Kind::Alias { memory, dram } => {
                let operands = [self.named(memory)?, self.named(dram)?];
                self.statement("spatial.bind", &operands, Vec::new())
            }
            Kind::Barrier { name, init } => {
                let init = self.expr(init, self.int())?;
                let ty = self.place(Place::Barrier);
                self.declare("spatial.barrier", name, &[init], ty, Vec::new())
            }
            Kind::Write { memory, index, value } => self.write("spatial.write", memory, [index, value], &[]),
            Kind::BarrierWrite { memory, index, value, barriers } => {
                self.write("spatial.barrier_write", memory, [index, value], barriers)
            }
            Kind::Set { register, value } => self.set("spatial.set", register, value),
            Kind::Enqueue { fifo, value, enable } => self.enqueue(fifo, value, enable.as_ref()),
            Kind::Modify(modify) => {
                let (operands, attributes) = self.modify(modify)?;
                self.statement("spatial.modify", &operands, attributes)
            }
            Kind::Load { memory, part } => self.transfer("spatial.load", memory, part),
            Kind::Store { memory, part } => self.transfer("spatial.store", memory, part),
            Kind::StreamLoad(stream) => self.stream("spatial.stream_load", stream),
            Kind::StreamStore(stream) => self.stream("spatial.stream_store", stream),
            Kind::GenBitVector { shift, max, len, crd, bits } => {
                let mut operands = self.ints([shift, max, len])?;
                operands.extend([self.named(crd)?, self.named(bits)?]);
                self.statement("spatial.gen_bitvector", &operands, Vec::new())
            }
            Kind::Foreach { schedule, domain, body } => self.foreach(*schedule, domain, body),
            Kind::Reduce { schedule, register, domain, body, value, with } => {
                let attributes = self.reducing(*with, *schedule);
                self.reduce(register, domain, body, value, attributes)
            }
            Kind::MemReduce { schedule, is_fold, memory, par, domain, body, value, with } => {
                let par = self.expr(par, self.int())?;
                let mut attributes = self.reducing(*with, *schedule);
                attributes.extend(is_fold.then(|| ("fold", self.unit())));
                self.mem_reduce([memory, value], par, domain, body, attributes)
            }
            Kind::If { condition, then, otherwise } => self.branch(condition, then, otherwise),
        }
    }

    fn memory_of(&mut self, memory: &'a Memory) -> Result<'c, ()> {
        let Memory { name, kind, element, .. } = memory;
        let mut attributes = self.alias(element);
        attributes.extend(memory.marks.iter().map(|mark| (word(*mark), self.unit())));
        match kind {
            MemoryKind::Sram { size } => {
                let size = self.expr(size, self.int())?;
                let ty = self.place(Place::Sram(self.element(element)?));
                self.declare("spatial.sram", name, &[size], ty, attributes)
            }
            MemoryKind::SparseSram { variant, size } => {
                let ty = self.place(Place::SparseSram(self.element(element)?));
                self.sparse_sram(name, variant, size, ty, attributes)
            }
            MemoryKind::SparseDram { par, size } => {
                let operands = self.ints([par, size])?;
                let ty = self.place(Place::SparseDram(self.element(element)?));
                self.declare("spatial.sparse_dram", name, &operands, ty, attributes)
            }
            MemoryKind::Fifo { depth } => {
                let depth = self.expr(depth, self.int())?;
                // A FIFO of words is a bit vector.
                let of = self.element(element)?;
                let is_bits = of == self.element(&Type::U32)?;
                let ty = self.place(if is_bits { Place::Bits } else { Place::Fifo(of) });
                self.declare("spatial.fifo", name, &[depth], ty, attributes)
            }
            MemoryKind::Register { init } => {
                let ty = self.element(element)?;
                let init = init.iter().map(|init| self.expr(init, ty));
                let init: Vec<Val<'c>> = init.collect::<Result<'c, _>>()?;
                self.declare("spatial.reg", name, &init, self.place(Place::Reg(ty)), attributes)
            }
        }
    }

    fn sparse_sram(
        &mut self,
        name: &'a str,
        variant: &'a SparseVariant,
        size: &'a Expr,
        ty: Ty<'c>,
        mut attributes: Attributes<'c>,
    ) -> Result<'c, ()> {
        let copies = match variant {
            SparseVariant::Plain => None,
            SparseVariant::Par(copies) => Some(copies),
            SparseVariant::ParSwizzle(copies) => {
                attributes.push(("swizzled", self.unit()));
                Some(copies)
            }
        };
        if copies.is_some_and(|Copies { has_barriers, .. }| *has_barriers) {
            attributes.push(("guarded", self.unit()));
        }
        let operands = self.ints(copies.map(|copies| &copies.par).into_iter().chain([size]))?;
        self.declare("spatial.sparse_sram", name, &operands, ty, attributes)
    }

    fn write(
        &mut self,
        operation: &str,
        memory: &str,
        [index, value]: [&'a Expr; 2],
        barriers: &[BarrierUse],
    ) -> Result<'c, ()> {
        let (memory, element) = self.memory(memory)?;
        let mut operands = vec![memory, self.expr(index, self.int())?];
        operands.push(self.expr(value, element)?);
        let actions = self.barriers(barriers, &mut operands)?;
        self.statement(operation, &operands, actions)
    }

    /// Sets a register or an argument.
    pub(super) fn set(&mut self, operation: &str, register: &str, value: &'a Expr) -> Result<'c, ()> {
        let (register, element) = self.memory(register)?;
        let value = self.expr(value, element)?;
        self.statement(operation, &[register, value], Vec::new())
    }

    fn enqueue(&mut self, fifo: &str, value: &'a Expr, enable: Option<&'a Expr>) -> Result<'c, ()> {
        let (fifo, element) = self.memory(fifo)?;
        let mut operands = vec![fifo, self.expr(value, element)?];
        if let Some(enable) = enable {
            operands.push(self.expr(enable, self.bit())?);
        }
        self.statement("spatial.enqueue", &operands, Vec::new())
    }

    fn transfer(&mut self, operation: &str, memory: &str, part: &'a Part) -> Result<'c, ()> {
        let mut operands = vec![self.named(memory)?, self.named(&part.dram)?];
        operands.extend(self.ints([&part.from, &part.to].into_iter().chain(&part.par))?);
        self.statement(operation, &operands, Vec::new())
    }

    fn stream(&mut self, operation: &str, stream: &'a Stream) -> Result<'c, ()> {
        let mut operands = vec![self.named(&stream.fifo)?, self.named(&stream.dram)?];
        operands.extend(self.ints([&stream.base, &stream.len])?);
        self.statement(operation, &operands, Vec::new())
    }

    fn branch(
        &mut self,
        condition: &'a Expr,
        then: &'a [Statement],
        otherwise: &'a [Statement],
    ) -> Result<'c, ()> {
        let condition = self.expr(condition, self.bit())?;
        // Where there is nothing to do otherwise there is no block.
        let second = if otherwise.is_empty() { Region::new() } else { self.b.region(&[]) };
        let regions = vec![self.b.region(&[]), second];
        let op = self.b.op_with_regions("spatial.if", &[condition], &[], &[], regions)?;
        self.inside(op.body(0), &[], |writer| writer.block(then))?;
        if otherwise.is_empty() {
            return Ok(());
        }
        self.inside(op.body(1), &[], |writer| writer.block(otherwise))
    }

    /// Numbers that count or address.
    pub(super) fn ints(&mut self, exprs: impl IntoIterator<Item = &'a Expr>) -> Result<'c, Vec<Val<'c>>> {
        exprs.into_iter().map(|expr| self.expr(expr, self.int())).collect()
    }

    /// How many operands there are of each sort, where several of them may be missing.
    pub(super) fn segments(&self, sorts: &[usize]) -> (&'static str, Attr<'c>) {
        let sizes: Vec<i32> = sorts.iter().map(|sort| *sort as i32).collect();
        ("operandSegmentSizes", DenseI32ArrayAttribute::new(self.b.context(), &sizes).into())
    }
}
