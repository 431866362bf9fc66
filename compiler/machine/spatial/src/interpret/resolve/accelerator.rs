//! What the accelerator does.

use super::expression::Typed;
use super::names::{ArgumentSlot, Binding, misread};
use super::{Resolver, Result};
use crate::app::{self, Expr, Kind, Scalar, Statement};
use crate::interpret::program::{BlockSteps, Direction, Instruction};
use comet_diag::Span;

impl Resolver<'_> {
    pub(super) fn accelerator(&mut self, statements: &app::Block) -> Result<()> {
        self.is_accelerator = true;
        let block = self.block(statements)?;
        self.is_accelerator = false;
        self.program.block.steps.push(Instruction::Block(Box::new(block)));
        Ok(())
    }

    /// Statements with names of their own.
    pub(super) fn block(&mut self, statements: &app::Block) -> Result<BlockSteps> {
        self.block_with(statements, |_| Ok(())).map(|(block, ())| block)
    }

    /// The same, and what is resolved at its end, where its names can be used.
    pub(super) fn block_with<T>(
        &mut self,
        statements: &app::Block,
        end: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<(BlockSteps, T)> {
        self.names.enter();
        let mut block = BlockSteps::default();
        for statement in statements {
            if let Some(step) = self.statement(statement, &mut block.fifos)? {
                block.steps.push(step);
            }
        }
        let end = end(self)?;
        self.names.leave();
        Ok((block, end))
    }

    fn statement(&mut self, statement: &Statement, fifos: &mut Vec<usize>) -> Result<Option<Instruction>> {
        let span = statement.span;
        self.deeper(span, |resolver| match &statement.kind {
            Kind::Val(name, value) => resolver.val(name, value, span),
            Kind::Memory(memory) => resolver.memory(memory, fifos, span),
            Kind::Alias { memory, dram } => resolver.alias(memory, dram, span).map(|()| None),
            _ => resolver.action(statement).map(Some),
        })
    }

    fn action(&mut self, statement: &Statement) -> Result<Instruction> {
        let span = statement.span;
        match &statement.kind {
            Kind::Val(..) | Kind::Memory(_) | Kind::Alias { .. } => {
                unreachable!("declarations are resolved apart")
            }
            Kind::Write { memory, index, value } => self.write(memory, index, value, span),
            Kind::Set { register, value } => self.set(register, value, span),
            Kind::Enqueue { fifo, value, enable } => self.enqueue(fifo, value, enable.as_ref(), span),
            Kind::Modify(modify) => match self.modified(modify, span)? {
                Typed::Value(node, _) => Ok(Instruction::Evaluate(node)),
                Typed::Literal(_) => unreachable!("what is in a memory is no literal"),
            },
            Kind::Barrier { name, init } => self.barrier(name, init, span),
            Kind::BarrierWrite { memory, index, value, barriers } => {
                self.barrier_write(memory, [index, value], barriers, span)
            }
            Kind::Load { memory, part } => self.transfer(memory, part, Direction::Load, span),
            Kind::Store { memory, part } => self.transfer(memory, part, Direction::Store, span),
            Kind::StreamLoad(stream) => self.stream(stream, Direction::Load, span),
            Kind::StreamStore(stream) => self.stream(stream, Direction::Store, span),
            Kind::GenBitVector { shift, max, len, crd, bits } => {
                self.bit_vector([shift, max, len], [crd, bits], span)
            }
            Kind::Pattern(pattern) => self.pattern(pattern, span),
            Kind::If { condition, then, otherwise } => self.choice(condition, then, otherwise),
        }
    }

    fn set(&mut self, name: &str, value: &Expr, span: Span) -> Result<Instruction> {
        let (slot, of) = self.register(name, "set", span)?;
        Ok(Instruction::Assign { slot, value: self.value(value, of)? })
    }

    /// A register, or an argument for the host, that gets a value here.
    pub(super) fn register(&mut self, name: &str, used: &str, span: Span) -> Result<(usize, Scalar)> {
        let found = self.name(name);
        let register = match found.binding {
            Binding::Register(slot, of) => (slot, of),
            Binding::ArgOut(ArgumentSlot { slot, of, .. }) => {
                self.is_set(name);
                (slot, of)
            }
            _ => misread(name),
        };
        self.check_inside(name, found, used, span)?;
        Ok(register)
    }

    fn choice(&mut self, condition: &Expr, then: &app::Block, otherwise: &app::Block) -> Result<Instruction> {
        let condition = self.value(condition, Scalar::Bit)?;
        let (then, otherwise) = (self.block(then)?, self.block(otherwise)?);
        Ok(Instruction::If { condition, then, otherwise })
    }
}
