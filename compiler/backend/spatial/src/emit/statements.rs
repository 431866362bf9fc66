//! What the host and the accelerator do.

use super::{AppWriter, alias};
use crate::words::SameWords;
use comet_ir::spatial::{self as ops, MemReduceArgs, ModifyArgs, Place};
use comet_ir::{Result, Ty, Val};
use comet_spatial::app::{
    BarrierUse, Copies, Counter, Domain, Expr, ExprKind, HostKind, Kind, Mark, Memory, MemoryKind, Modify,
    Part, Schedule, SparseVariant, Statement, Stream, Type,
};

impl<'a, 'c> AppWriter<'a, 'c> {
    /// Writes a statement of the host.
    pub(super) fn host(&mut self, kind: &'a HostKind) -> Result<'c, ()> {
        match kind {
            HostKind::ArgIn(name, element) => {
                let ty = self.place(Place::ArgIn(self.element(element)?));
                let op = ops::ArgIn::build(self.b, name, ty)?.set_alias(alias(element));
                self.names.push((name, op.result()));
            }
            HostKind::ArgOut(name, element) => {
                let ty = self.place(Place::ArgOut(self.element(element)?));
                let op = ops::ArgOut::build(self.b, name, ty)?.set_alias(alias(element));
                self.names.push((name, op.result()));
            }
            HostKind::Dram { name, element, size } => {
                let size = self.expr(size, self.int())?;
                let ty = self.place(Place::Dram(self.element(element)?));
                let op = ops::Dram::build(self.b, name, size, ty)?.set_alias(alias(element));
                self.names.push((name, op.result()));
            }
            HostKind::LoadCsv { name, element, file } => {
                let ty = self.place(Place::Array(self.element(element)?));
                let op = ops::LoadCsv::build(self.b, name, file, ty)?.set_alias(alias(element));
                self.names.push((name, op.result()));
            }
            HostKind::GetMem { name, dram } => {
                let (dram, element) = self.memory(dram)?;
                let op = ops::GetMem::build(self.b, name, dram, self.place(Place::Array(element)))?;
                self.names.push((name, op.result()));
            }
            HostKind::Val(name, expr) => self.val(name, expr)?,
            HostKind::SetArg(name, value) => {
                let (argument, element) = self.memory(name)?;
                let value = self.expr(value, element)?;
                ops::SetArg::build(self.b, argument, value)?;
            }
            HostKind::SetMem { dram, array } => {
                ops::SetMem::build(self.b, self.named(dram)?, self.named(array)?)?;
            }
            HostKind::WriteCsv { array, file } => {
                ops::WriteCsv::build(self.b, self.named(array)?, file)?;
            }
            HostKind::Print(value) => {
                let value = self.any_expr(value)?;
                ops::Print::build(self.b, value)?;
            }
            HostKind::PrintArray { array, title } => {
                ops::PrintArray::build(self.b, self.named(array)?)?.set_text(title.as_deref());
            }
            HostKind::Assert(condition) => {
                let condition = self.expr(condition, self.bit())?;
                ops::Assert::build(self.b, condition)?;
            }
        }
        Ok(())
    }

    /// Names a value, on either side; an array is computed under its name.
    fn val(&mut self, name: &'a str, expr: &'a Expr) -> Result<'c, ()> {
        if let ExprKind::Tabulate { element, size, binder, value } = &expr.kind {
            return self.tabulate(name, element.as_ref(), [size, value], binder);
        }
        let value = self.any_expr(expr)?;
        let op = ops::Val::build(self.b, name, value)?;
        self.names.push((name, op.result()));
        Ok(())
    }

    fn tabulate(
        &mut self,
        name: &'a str,
        element: Option<&Type>,
        [size, value]: [&'a Expr; 2],
        binder: &'a String,
    ) -> Result<'c, ()> {
        let size = self.expr(size, self.int())?;
        let element_type = match element {
            Some(element) => self.element(element)?,
            // A binder is of the type of sizes.
            None => {
                self.names.push((binder, size));
                let ty = self.type_of(value).unwrap_or_else(|| self.type_of_constant(value));
                self.names.pop();
                ty
            }
        };
        let binders = std::slice::from_ref(binder);
        let array = self.place(Place::Array(element_type));
        let op = ops::Tabulate::build(self.b, name, size, binders, array, &[self.int()])?
            .set_alias(element.and_then(alias))
            .set_inferred(element.is_none());
        self.inside(op.body(), &[binder.as_str()], |writer| {
            let value = writer.expr(value, element_type)?;
            ops::Yield::build(writer.b, value).map(drop)
        })?;
        self.names.push((name, op.result()));
        Ok(())
    }

    /// Writes statements of the accelerator.
    pub(super) fn block(&mut self, block: &'a [Statement]) -> Result<'c, ()> {
        block.iter().try_for_each(|statement| self.accelerator(&statement.kind))
    }

    fn accelerator(&mut self, kind: &'a Kind) -> Result<'c, ()> {
        match kind {
            Kind::Val(name, value) => self.val(name, value)?,
            Kind::Memory(memory) => {
                let value = self.declare(memory)?;
                self.names.push((&memory.name, value));
            }
            Kind::Alias { memory, dram } => {
                ops::Bind::build(self.b, self.named(memory)?, self.named(dram)?)?;
            }
            Kind::Barrier { name, init } => {
                let init = self.expr(init, self.int())?;
                let op = ops::Barrier::build(self.b, name, init)?;
                self.names.push((name, op.result()));
            }
            Kind::Write { memory, index, value } => {
                let (memory, index, value) = self.element_of(memory, index, value)?;
                ops::Write::build(self.b, memory, index, value)?;
            }
            Kind::BarrierWrite { memory, index, value, barriers } => {
                let (memory, index, value) = self.element_of(memory, index, value)?;
                let (barriers, actions) = self.barriers(barriers)?;
                let op = ops::BarrierWrite::build(self.b, memory, index, value, &barriers)?;
                op.set_actions(actions.as_deref());
            }
            Kind::Set { register, value } => {
                let (register, element) = self.memory(register)?;
                let value = self.expr(value, element)?;
                ops::Set::build(self.b, register, value)?;
            }
            Kind::Enqueue { fifo, value, enable } => {
                let (fifo, element) = self.memory(fifo)?;
                let value = self.expr(value, element)?;
                let enable = enable.as_ref().map(|enable| self.expr(enable, self.bit())).transpose()?;
                ops::Enqueue::build(self.b, fifo, value, enable)?;
            }
            Kind::Modify(Modify { memory, index, value, with, order, barriers }) => {
                let (memory, index, value) = self.element_of(memory, index, value)?;
                let (barriers, actions) = self.barriers(barriers)?;
                let (barriers, with) = (&barriers[..], with.same_word());
                let args = ModifyArgs { memory, index, value, barriers, with, order };
                ops::Modify::build(self.b, args)?.set_actions(actions.as_deref());
            }
            Kind::Load { memory, part } => {
                let (memory, dram, from, to, par) = self.transfer(memory, part)?;
                ops::Load::build(self.b, memory, dram, from, to, par)?;
            }
            Kind::Store { memory, part } => {
                let (memory, dram, from, to, par) = self.transfer(memory, part)?;
                ops::Store::build(self.b, memory, dram, from, to, par)?;
            }
            Kind::StreamLoad(stream) => {
                let (fifo, dram, base, len) = self.stream(stream)?;
                ops::StreamLoad::build(self.b, fifo, dram, base, len)?;
            }
            Kind::StreamStore(stream) => {
                let (fifo, dram, base, len) = self.stream(stream)?;
                ops::StreamStore::build(self.b, fifo, dram, base, len)?;
            }
            Kind::GenBitVector { shift, max, len, crd, bits } => {
                let [shift, max, len] = self.ints([shift, max, len])?;
                ops::GenBitvector::build(self.b, shift, max, len, self.named(crd)?, self.named(bits)?)?;
            }
            Kind::Foreach { schedule, domain, body } => {
                let (values, binders) = self.domain(domain)?;
                let op = ops::Foreach::build(self.b, &values, &binders, &self.counters(&binders))?
                    .set_sequential(*schedule == Schedule::Sequential)
                    .set_streaming(*schedule == Schedule::Streaming);
                self.inside(op.body(), &domain.binders(), |writer| writer.block(body))?;
            }
            Kind::Reduce { schedule, register, domain, body, value, with } => {
                let (register, element) = self.memory(register)?;
                let (values, binders) = self.domain(domain)?;
                let counters = self.counters(&binders);
                let with = with.same_word();
                let op = ops::Reduce::build(self.b, with, register, &values, &binders, &counters)?
                    .set_sequential(*schedule == Schedule::Sequential)
                    .set_streaming(*schedule == Schedule::Streaming);
                self.inside(op.body(), &domain.binders(), |writer| {
                    writer.block(body)?;
                    let value = writer.expr(value, element)?;
                    ops::Yield::build(writer.b, value).map(drop)
                })?;
            }
            Kind::MemReduce { schedule, is_fold, memory, par, domain, body, value, with } => {
                let par = self.expr(par, self.int())?;
                let memory = self.named(memory)?;
                let (values, binders) = self.domain(domain)?;
                let args = MemReduceArgs {
                    with: with.same_word(),
                    memory,
                    par,
                    domain: &values,
                    binders: &binders,
                    body_arguments: &self.counters(&binders),
                };
                let op = ops::MemReduce::build(self.b, args)?
                    .set_fold(*is_fold)
                    .set_sequential(*schedule == Schedule::Sequential)
                    .set_streaming(*schedule == Schedule::Streaming);
                self.inside(op.body(), &domain.binders(), |writer| {
                    writer.block(body)?;
                    ops::Yield::build(writer.b, writer.named(value)?).map(drop)
                })?;
            }
            Kind::If { condition, then, otherwise } => {
                let condition = self.expr(condition, self.bit())?;
                let op = ops::If::build(self.b, condition)?;
                self.inside(op.then(), &[], |writer| writer.block(then))?;
                // Where there is nothing to do otherwise there is no block.
                if !otherwise.is_empty() {
                    self.inside(op.add_otherwise(), &[], |writer| writer.block(otherwise))?;
                }
            }
        }
        Ok(())
    }

    fn declare(&mut self, memory: &'a Memory) -> Result<'c, Val<'c>> {
        let Memory { name, kind, element, marks } = memory;
        let (has, alias) = (|mark| marks.contains(&mark), alias(element));
        let (buffered, shared) = (has(Mark::Buffer), has(Mark::NonBuffer));
        let of = self.element(element)?;
        Ok(match kind {
            MemoryKind::Sram { size } => {
                let size = self.expr(size, self.int())?;
                let op = ops::Sram::build(self.b, name, size, self.place(Place::Sram(of)))?;
                op.set_alias(alias).set_buffered(buffered).set_shared(shared).result()
            }
            MemoryKind::SparseSram { variant, size } => {
                let copies = match variant {
                    SparseVariant::Plain => None,
                    SparseVariant::Par(copies) | SparseVariant::ParSwizzle(copies) => Some(copies),
                };
                let par = copies.map(|copies| self.expr(&copies.par, self.int())).transpose()?;
                let size = self.expr(size, self.int())?;
                let op = ops::SparseSram::build(self.b, name, par, size, self.place(Place::SparseSram(of)))?;
                op.set_alias(alias)
                    .set_swizzled(matches!(variant, SparseVariant::ParSwizzle(_)))
                    .set_guarded(copies.is_some_and(|Copies { has_barriers, .. }| *has_barriers))
                    .set_buffered(buffered)
                    .set_shared(shared)
                    .result()
            }
            MemoryKind::SparseDram { par, size } => {
                let [par, size] = self.ints([par, size])?;
                let op = ops::SparseDram::build(self.b, name, par, size, self.place(Place::SparseDram(of)))?;
                op.set_alias(alias).result()
            }
            MemoryKind::Fifo { depth } => {
                let depth = self.expr(depth, self.int())?;
                // A FIFO of words is a bit vector.
                let is_bits = of == self.element(&Type::U32)?;
                let ty = self.place(if is_bits { Place::Bits } else { Place::Fifo(of) });
                let op = ops::Fifo::build(self.b, name, depth, ty)?;
                op.set_alias(alias).set_retiming(has(Mark::Retiming)).result()
            }
            MemoryKind::Register { init } => {
                let init = init.as_ref().map(|init| self.expr(init, of)).transpose()?;
                let op = ops::Reg::build(self.b, name, init, self.place(Place::Reg(of)))?;
                op.set_alias(alias).set_buffered(buffered).set_shared(shared).result()
            }
        })
    }

    /// A memory, an index, and a value of its elements.
    pub(super) fn element_of(
        &mut self,
        memory: &str,
        index: &'a Expr,
        value: &'a Expr,
    ) -> Result<'c, (Val<'c>, Val<'c>, Val<'c>)> {
        let (memory, element) = self.memory(memory)?;
        let index = self.expr(index, self.int())?;
        Ok((memory, index, self.expr(value, element)?))
    }

    /// The barriers of an access, and what it does with them.
    pub(super) fn barriers(
        &self,
        barriers: &[BarrierUse],
    ) -> Result<'c, (Vec<Val<'c>>, Option<Vec<String>>)> {
        let values = barriers.iter().map(|used| self.named(&used.barrier)).collect::<Result<'c, _>>()?;
        let actions: Vec<String> = barriers.iter().map(|used| used.action.word().to_owned()).collect();
        Ok((values, (!actions.is_empty()).then_some(actions)))
    }

    #[allow(clippy::type_complexity, reason = "it is what two builders take")]
    fn transfer(
        &mut self,
        memory: &str,
        part: &'a Part,
    ) -> Result<'c, (Val<'c>, Val<'c>, Val<'c>, Val<'c>, Option<Val<'c>>)> {
        let (memory, dram) = (self.named(memory)?, self.named(&part.dram)?);
        let [from, to] = self.ints([&part.from, &part.to])?;
        let par = part.par.as_ref().map(|par| self.expr(par, self.int())).transpose()?;
        Ok((memory, dram, from, to, par))
    }

    fn stream(&mut self, stream: &'a Stream) -> Result<'c, (Val<'c>, Val<'c>, Val<'c>, Val<'c>)> {
        let (fifo, dram) = (self.named(&stream.fifo)?, self.named(&stream.dram)?);
        let [base, len] = self.ints([&stream.base, &stream.len])?;
        Ok((fifo, dram, base, len))
    }

    /// Writes what a pattern iterates over, and names what its body counts.
    fn domain(&mut self, domain: &'a Domain) -> Result<'c, (Vec<Val<'c>>, Vec<String>)> {
        let values = match domain {
            Domain::Counters(counters) => {
                counters.iter().map(|counter| self.counter(counter)).collect::<Result<'c, _>>()?
            }
            Domain::Scan { par, len, bits, .. } => {
                let [par, len] = self.ints([par, len])?;
                vec![ops::Scan::build(self.b, par, len, self.named(bits)?)?.result()]
            }
            Domain::ScanTwo { par, len, mode, bits: [first, second], .. } => {
                let [par, len] = self.ints([par, len])?;
                let (first, second) = (self.named(first)?, self.named(second)?);
                vec![ops::ScanTwo::build(self.b, par, len, mode.same_word(), first, second)?.result()]
            }
        };
        Ok((values, domain.binders().into_iter().map(str::to_owned).collect()))
    }

    fn counter(&mut self, counter: &'a Counter) -> Result<'c, Val<'c>> {
        let Counter { from, to, step, par, .. } = counter;
        let from = from.as_ref().map(|from| self.expr(from, self.int())).transpose()?;
        let [to, step] = self.ints([to, step])?;
        let par = par.as_ref().map(|par| self.expr(par, self.int())).transpose()?;
        Ok(ops::Counter::build(self.b, from, to, step, par)?.result())
    }

    /// The types of what a body counts.
    fn counters(&self, binders: &[String]) -> Vec<Ty<'c>> {
        vec![self.int(); binders.len()]
    }

    /// Numbers that count or address.
    fn ints<const COUNT: usize>(&mut self, exprs: [&'a Expr; COUNT]) -> Result<'c, [Val<'c>; COUNT]> {
        let values: Vec<Val<'c>> =
            exprs.into_iter().map(|expr| self.expr(expr, self.int())).collect::<Result<'c, _>>()?;
        Ok(values.try_into().expect("there is a value for each"))
    }
}
