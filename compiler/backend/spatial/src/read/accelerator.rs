//! What the accelerator does.

use super::attributes::{declared, name, text};
use super::expressions::{barriers, expr, modify, optional_expr};
use super::patterns::{foreach, mem_reduce, reduce};
use comet_diag::Span;
use comet_dialects::spatial::SpatialDialectOperation as Spatial;
use comet_ir::{Block, Op, view_spatial};
use comet_spatial::app::{Copies, Kind, Mark, Memory, MemoryKind, Part, SparseVariant, Statement, Stream};
use melior::ir::operation::OperationLike;

/// The statements of a block.
pub(super) fn block(block: Block<'_>) -> Vec<Statement> {
    let kinds = block.ops().into_iter().filter_map(kind);
    kinds.map(|kind| Statement { kind, span: Span::default() }).collect()
}

/// What a statement is; none for what is a part of one.
fn kind(op: Op<'_>) -> Option<Kind> {
    let view = view_spatial(op).expect("an application holds operations of spatial");
    Some(match &*view {
        Spatial::Val(_) => Kind::Val(text(op, "name"), expr(op.operand(0))),
        Spatial::Sram(_) => memory(op, MemoryKind::Sram { size: expr(op.operand(0)) }),
        Spatial::SparseSram(_) => memory(op, sparse_sram(op)),
        Spatial::SparseDram(_) => {
            memory(op, MemoryKind::SparseDram { par: expr(op.operand(0)), size: expr(op.operand(1)) })
        }
        Spatial::Bind(_) => Kind::Alias { memory: name(op.operand(0)), dram: name(op.operand(1)) },
        Spatial::Fifo(_) => memory(op, MemoryKind::Fifo { depth: expr(op.operand(0)) }),
        Spatial::Reg(_) => memory(op, MemoryKind::Register { init: optional_expr(op.operands().pop()) }),
        Spatial::Barrier(_) => Kind::Barrier { name: text(op, "name"), init: expr(op.operand(0)) },
        Spatial::Write(_) => Kind::Write {
            memory: name(op.operand(0)),
            index: expr(op.operand(1)),
            value: expr(op.operand(2)),
        },
        Spatial::BarrierWrite(_) => Kind::BarrierWrite {
            memory: name(op.operand(0)),
            index: expr(op.operand(1)),
            value: expr(op.operand(2)),
            barriers: barriers(op),
        },
        Spatial::Set(_) => Kind::Set { register: name(op.operand(0)), value: expr(op.operand(1)) },
        Spatial::Enqueue(_) => Kind::Enqueue {
            fifo: name(op.operand(0)),
            value: expr(op.operand(1)),
            enable: optional_expr(op.operands().get(2).copied()),
        },
        Spatial::Modify(_) => Kind::Modify(modify(op)),
        Spatial::Load(_) => Kind::Load { memory: name(op.operand(0)), part: part(op) },
        Spatial::Store(_) => Kind::Store { memory: name(op.operand(0)), part: part(op) },
        Spatial::StreamLoad(_) => Kind::StreamLoad(stream(op)),
        Spatial::StreamStore(_) => Kind::StreamStore(stream(op)),
        Spatial::GenBitvector(_) => gen_bitvector(op),
        Spatial::Foreach(_) => foreach(op),
        Spatial::Reduce(_) => reduce(op),
        Spatial::MemReduce(_) => mem_reduce(op),
        Spatial::If(_) => branch(op),
        _ => return None,
    })
}

fn memory(op: Op<'_>, kind: MemoryKind) -> Kind {
    let marks = [("buffered", Mark::Buffer), ("shared", Mark::NonBuffer), ("retiming", Mark::Retiming)];
    let marks = marks.into_iter().filter(|(name, _)| op.attribute(name).is_some());
    let marks = marks.map(|(_, mark)| mark).collect();
    Kind::Memory(Memory { name: text(op, "name"), kind, element: declared(op), marks })
}

fn sparse_sram(op: Op<'_>) -> MemoryKind {
    let mut operands = op.operands();
    let size = expr(operands.pop().expect("the verifier demands a size"));
    let has_barriers = op.attribute("guarded").is_some();
    let copies = optional_expr(operands.pop()).map(|par| Copies { par, has_barriers });
    let variant = match copies {
        None => SparseVariant::Plain,
        Some(copies) if op.attribute("swizzled").is_some() => SparseVariant::ParSwizzle(copies),
        Some(copies) => SparseVariant::Par(copies),
    };
    MemoryKind::SparseSram { variant, size }
}

fn part(op: Op<'_>) -> Part {
    Part {
        dram: name(op.operand(1)),
        from: expr(op.operand(2)),
        to: expr(op.operand(3)),
        par: optional_expr(op.operands().get(4).copied()),
    }
}

fn stream(op: Op<'_>) -> Stream {
    Stream {
        dram: name(op.operand(1)),
        base: expr(op.operand(2)),
        len: expr(op.operand(3)),
        fifo: name(op.operand(0)),
    }
}

fn gen_bitvector(op: Op<'_>) -> Kind {
    Kind::GenBitVector {
        shift: expr(op.operand(0)),
        max: expr(op.operand(1)),
        len: expr(op.operand(2)),
        crd: name(op.operand(3)),
        bits: name(op.operand(4)),
    }
}

fn branch(op: Op<'_>) -> Kind {
    let otherwise = op.as_ref().region(1).ok().and_then(Block::first_of);
    Kind::If {
        condition: expr(op.operand(0)),
        then: block(op.body(0)),
        otherwise: otherwise.map_or_else(Vec::new, block),
    }
}
