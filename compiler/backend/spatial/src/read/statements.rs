//! What the host and the accelerator do.

use super::spatial;
use super::values::{barriers, element, expr, name, tabulate};
use crate::words::SameWords;
use comet_diag::Span;
use comet_ir::spatial::Spatial;
use comet_ir::{Block, Op, Val};
use comet_spatial::app::{
    Copies, Counter, Domain, HostKind, Kind, Mark, Memory, MemoryKind, Modify, Part, Schedule, SparseVariant,
    Statement, Stream,
};

/// What a statement of the host is; none for what is a part of one.
pub(super) fn host(op: Spatial<'_>) -> Option<HostKind> {
    Some(match op {
        Spatial::ArgIn(op) => HostKind::ArgIn(op.name().to_owned(), element(op.alias(), op.result())),
        Spatial::ArgOut(op) => HostKind::ArgOut(op.name().to_owned(), element(op.alias(), op.result())),
        Spatial::Dram(op) => HostKind::Dram {
            name: op.name().to_owned(),
            element: element(op.alias(), op.result()),
            size: expr(op.size()),
        },
        Spatial::LoadCsv(op) => HostKind::LoadCsv {
            name: op.name().to_owned(),
            element: element(op.alias(), op.result()),
            file: op.file().to_owned(),
        },
        Spatial::GetMem(op) => HostKind::GetMem { name: op.name().to_owned(), dram: name(op.dram()) },
        Spatial::Val(op) => HostKind::Val(op.name().to_owned(), expr(op.value())),
        Spatial::Tabulate(op) => HostKind::Val(op.name().to_owned(), tabulate(op)),
        Spatial::SetArg(op) => HostKind::SetArg(name(op.argument()), expr(op.value())),
        Spatial::SetMem(op) => HostKind::SetMem { dram: name(op.dram()), array: name(op.array()) },
        Spatial::WriteCsv(op) => HostKind::WriteCsv { array: name(op.array()), file: op.file().to_owned() },
        Spatial::Print(op) => HostKind::Print(expr(op.value())),
        Spatial::PrintArray(op) => {
            HostKind::PrintArray { array: name(op.array()), title: op.text().map(str::to_owned) }
        }
        Spatial::Assert(op) => HostKind::Assert(expr(op.condition())),
        _ => return None,
    })
}

/// The statements of a block.
pub(super) fn block(block: Block<'_>) -> Vec<Statement> {
    let kinds = block.ops().into_iter().filter_map(kind);
    kinds.map(|kind| Statement { kind, span: Span::default() }).collect()
}

/// A declaration of a memory; `$marks` are its attributes that are marks.
macro_rules! memory {
    ($op:ident, $kind:expr, [$($mark:ident => $Mark:ident),*]) => {{
        let marks: [Option<Mark>; _] = [$($op.$mark().then_some(Mark::$Mark)),*];
        Kind::Memory(Memory {
            name: $op.name().to_owned(),
            kind: $kind,
            element: element($op.alias(), $op.result()),
            marks: marks.into_iter().flatten().collect(),
        })
    }};
}

macro_rules! part {
    ($op:ident) => {
        Part { dram: name($op.dram()), from: expr($op.from()), to: expr($op.to()), par: $op.par().map(expr) }
    };
}

macro_rules! stream {
    ($op:ident) => {
        Stream {
            dram: name($op.dram()),
            base: expr($op.base()),
            len: expr($op.len()),
            fifo: name($op.fifo()),
        }
    };
}

/// How the iterations of a pattern overlap.
macro_rules! schedule {
    ($op:ident) => {
        match ($op.sequential(), $op.streaming()) {
            (true, _) => Schedule::Sequential,
            (_, true) => Schedule::Streaming,
            _ => Schedule::Pipelined,
        }
    };
}

/// What a statement is; none for what is a part of one.
fn kind(op: Op<'_>) -> Option<Kind> {
    Some(match spatial(op) {
        Spatial::Val(op) => Kind::Val(op.name().to_owned(), expr(op.value())),
        Spatial::Sram(op) => {
            memory!(op, MemoryKind::Sram { size: expr(op.size()) }, [buffered => Buffer, shared => NonBuffer])
        }
        Spatial::SparseSram(op) => {
            let copies = op.par().map(|par| Copies { par: expr(par), has_barriers: op.guarded() });
            let variant = match copies {
                None => SparseVariant::Plain,
                Some(copies) if op.swizzled() => SparseVariant::ParSwizzle(copies),
                Some(copies) => SparseVariant::Par(copies),
            };
            let kind = MemoryKind::SparseSram { variant, size: expr(op.size()) };
            memory!(op, kind, [buffered => Buffer, shared => NonBuffer])
        }
        Spatial::SparseDram(op) => {
            memory!(op, MemoryKind::SparseDram { par: expr(op.par()), size: expr(op.size()) }, [])
        }
        Spatial::Bind(op) => Kind::Alias { memory: name(op.memory()), dram: name(op.dram()) },
        Spatial::Fifo(op) => {
            memory!(op, MemoryKind::Fifo { depth: expr(op.depth()) }, [retiming => Retiming])
        }
        Spatial::Reg(op) => memory!(
            op,
            MemoryKind::Register { init: op.init().map(expr) },
            [buffered => Buffer, shared => NonBuffer]
        ),
        Spatial::Barrier(op) => Kind::Barrier { name: op.name().to_owned(), init: expr(op.init()) },
        Spatial::Write(op) => {
            Kind::Write { memory: name(op.memory()), index: expr(op.index()), value: expr(op.value()) }
        }
        Spatial::BarrierWrite(op) => Kind::BarrierWrite {
            memory: name(op.memory()),
            index: expr(op.index()),
            value: expr(op.value()),
            barriers: barriers(&op.barriers(), op.actions()),
        },
        Spatial::Set(op) => Kind::Set { register: name(op.reg()), value: expr(op.value()) },
        Spatial::Enqueue(op) => {
            Kind::Enqueue { fifo: name(op.fifo()), value: expr(op.value()), enable: op.enable().map(expr) }
        }
        Spatial::Modify(op) => Kind::Modify(Modify {
            memory: name(op.memory()),
            index: expr(op.index()),
            value: expr(op.value()),
            with: op.with().same_word(),
            order: op.order().to_owned(),
            barriers: barriers(&op.barriers(), op.actions()),
        }),
        Spatial::Load(op) => Kind::Load { memory: name(op.memory()), part: part!(op) },
        Spatial::Store(op) => Kind::Store { memory: name(op.memory()), part: part!(op) },
        Spatial::StreamLoad(op) => Kind::StreamLoad(stream!(op)),
        Spatial::StreamStore(op) => Kind::StreamStore(stream!(op)),
        Spatial::GenBitvector(op) => Kind::GenBitVector {
            shift: expr(op.shift()),
            max: expr(op.max()),
            len: expr(op.len()),
            crd: name(op.crd()),
            bits: name(op.bits()),
        },
        Spatial::Foreach(op) => Kind::Foreach {
            schedule: schedule!(op),
            domain: domain(&op.domain(), op.binders()),
            body: block(op.body()),
        },
        Spatial::Reduce(op) => Kind::Reduce {
            schedule: schedule!(op),
            register: name(op.reg()),
            domain: domain(&op.domain(), op.binders()),
            body: block(op.body()),
            value: expr(yielded(op.body())),
            with: op.with().same_word(),
        },
        Spatial::MemReduce(op) => Kind::MemReduce {
            schedule: schedule!(op),
            is_fold: op.fold(),
            memory: name(op.memory()),
            par: expr(op.par()),
            domain: domain(&op.domain(), op.binders()),
            body: block(op.body()),
            value: name(yielded(op.body())),
            with: op.with().same_word(),
        },
        Spatial::If(op) => Kind::If {
            condition: expr(op.condition()),
            then: block(op.then()),
            otherwise: op.otherwise().map(block).unwrap_or_default(),
        },
        _ => return None,
    })
}

/// What an iteration computes.
fn yielded(body: Block<'_>) -> Val<'_> {
    match spatial(body.terminator()) {
        Spatial::Yield(op) => op.value(),
        _ => unreachable!("the verifier demands a value"),
    }
}

/// What a pattern iterates over: counters, or a scan.
fn domain(values: &[Val<'_>], binders: Vec<String>) -> Domain {
    let makers = values
        .iter()
        .map(|value| spatial(Op::defining(*value).expect("the verifier demands counters or a scan")));
    let makers: Vec<Spatial<'_>> = makers.collect();
    let counted = "the verifier counts the binders";
    match makers[..] {
        [Spatial::Scan(op)] => Domain::Scan {
            par: expr(op.par()),
            len: expr(op.len()),
            bits: name(op.bits()),
            binders: binders.try_into().expect(counted),
        },
        [Spatial::ScanTwo(op)] => Domain::ScanTwo {
            par: expr(op.par()),
            len: expr(op.len()),
            mode: op.mode().same_word(),
            bits: [op.first(), op.second()].map(name),
            binders: binders.try_into().expect(counted),
        },
        _ => {
            let counter = |(maker, binder)| match maker {
                Spatial::Counter(op) => Counter {
                    binder,
                    from: op.from().map(expr),
                    to: expr(op.to()),
                    step: expr(op.step()),
                    par: op.par().map(expr),
                },
                _ => unreachable!("the verifier demands counters or a scan"),
            };
            Domain::Counters(makers.into_iter().zip(binders).map(counter).collect())
        }
    }
}
