//! Statements of the accelerator.

use super::expression::{argument, barriers, expression, modify, parenthesized, spelled};
use super::lines::Lines;
use crate::app::{
    AppExpr, AppStatement, Block, Copies, Counter, Domain, DramPart, Kind, Mark, Memory, MemoryKind,
    Operator, Pattern, PatternResult, Schedule, SparseVariant,
};
use std::collections::BTreeSet;

/// Whether elements of a DRAM are used under another name.
pub(super) fn has_alias(block: &Block) -> bool {
    block.iter().any(|of| matches!(of.kind, Kind::Alias { .. }) || of.bodies().into_iter().any(has_alias))
}

pub(super) fn statements(block: &Block, lines: &mut Lines) {
    block.iter().for_each(|of| statement(of, lines));
}

/// The statements of a body, whose declarations end with it, and the value that it returns.
fn body(names: &[&str], block: &Block, value: Option<&AppExpr>, lines: &mut Lines) {
    let around = lines.registers.clone();
    lines.registers.retain(|register| !names.contains(&register.as_str()));
    statements(block, lines);
    if let Some(value) = value {
        lines.line(spelled(value, &lines.registers));
    }
    lines.registers = around;
}

fn statement(statement: &AppStatement, lines: &mut Lines) {
    match &statement.kind {
        Kind::Pattern(of) => pattern(of, lines),
        Kind::If { condition, then, otherwise } => {
            lines.open(format!("if ({}) {{", spelled(condition, &lines.registers)));
            body(&[], then, None, lines);
            if !otherwise.is_empty() {
                lines.close("} else {");
                lines.indent();
                body(&[], otherwise, None, lines);
            }
            lines.close("}");
        }
        simple => {
            let text = line(simple, &lines.registers);
            lines.line(text);
            declare(simple, lines);
        }
    }
}

fn pattern(pattern: &Pattern, lines: &mut Lines) {
    let Pattern { schedule, domain, body: of, result } = pattern;
    let prefix = prefix(*schedule);
    let (head, scan) = match result {
        PatternResult::None => ("Foreach ".to_owned(), "Scan"),
        PatternResult::Register { register, .. } => (format!("Reduce({register})"), "ScanRed"),
        PatternResult::Memory { is_fold, memory, par, .. } => {
            let word = if *is_fold { "MemFold" } else { "MemReduce" };
            (format!("{word}({memory} par {})", expression(par)), "ScanRed")
        }
    };
    let iterations = iterations(domain, scan);
    lines.open(format!("{prefix}{head}({iterations}) {{ {} =>", binders(domain)));
    body(&domain.binders(), of, pattern.value(), lines);
    match result {
        PatternResult::None => lines.close("}"),
        PatternResult::Register { with, .. } => lines.close(format!("}} {{ {} }}", combination(*with))),
        PatternResult::Memory { value, with, .. } => {
            lines.line(value);
            lines.close(format!("}} {{ {} }}", combination(*with)));
        }
    }
}

/// Keeps which names are registers.
fn declare(kind: &Kind, lines: &mut Lines) {
    match kind {
        Kind::Memory(Memory { name, kind: MemoryKind::Register { .. }, .. }) => {
            lines.registers.insert(name.clone());
        }
        Kind::Memory(Memory { name, .. }) | Kind::Val(name, _) => {
            lines.registers.remove(name);
        }
        _ => {}
    }
}

/// What stands in front of a pattern whose iterations do not overlap as usual.
fn prefix(schedule: Schedule) -> &'static str {
    match schedule {
        Schedule::Pipelined => "",
        Schedule::Sequential => "Sequential.",
        Schedule::Streaming => "Stream.",
    }
}

fn combination(with: Operator) -> String {
    let sign = with.word();
    if with.is_function() { format!("(a, b) => {sign}(a, b)") } else { format!("_ {sign} _") }
}

fn line(kind: &Kind, registers: &BTreeSet<String>) -> String {
    let spell = |of: &AppExpr| spelled(of, registers);
    match kind {
        // In Spatial, a `val` of a register alone is the register, not what it holds here.
        Kind::Val(name, value) => format!("val {name} = {}", argument(value, registers)),
        Kind::Memory(of) => memory(of),
        Kind::Alias { memory, dram } => format!("{memory}.alias = {dram}"),
        Kind::Barrier { name, init } => format!("val {name} = Barrier[Token]({})", expression(init)),
        Kind::Write { memory, index, value } => {
            format!("{memory}({}) = {}", spell(index), spell(value))
        }
        Kind::Set { register, value } => format!("{register} := {}", spell(value)),
        Kind::Enqueue { fifo, value, enable: None } => format!("{fifo}.enq({})", spell(value)),
        Kind::Enqueue { fifo, value, enable: Some(enable) } => {
            format!("{fifo}.enq({}, {})", spell(value), spell(enable))
        }
        Kind::BarrierWrite { memory, index, value, barriers: uses } => {
            format!("{memory}.barrierWrite({}, {}, {})", spell(index), spell(value), barriers(uses))
        }
        Kind::Modify(of) => modify(of, registers),
        Kind::Load { memory, part: of } => format!("{memory} load {}", part(of)),
        Kind::Store { memory, part: of } => format!("{} store {memory}", part(of)),
        Kind::StreamLoad(stream) => {
            let (base, len) = (expression(&stream.base), expression(&stream.len));
            format!("{} stream_load_vec({base}, {len}, {})", stream.dram, stream.fifo)
        }
        Kind::StreamStore(stream) => {
            let (base, len) = (expression(&stream.base), expression(&stream.len));
            format!("{} stream_store_vec({base}, {}, {len})", stream.dram, stream.fifo)
        }
        Kind::GenBitVector { shift, max, len, crd, bits } => {
            let [shift, max, len] = [shift, max, len].map(expression);
            format!("gen_bitvector({shift}, {max}, {len}, {crd}, {bits})")
        }
        Kind::Pattern(_) | Kind::If { .. } => unreachable!("these have blocks"),
    }
}

fn memory(memory: &Memory) -> String {
    let Memory { name, kind, element, marks } = memory;
    let element = element.name();
    let declared = match kind {
        MemoryKind::Sram { size } => format!("val {name} = SRAM[{element}]({})", expression(size)),
        MemoryKind::Fifo { depth } => format!("val {name} = FIFO[{element}]({})", expression(depth)),
        MemoryKind::Register { init: None } => format!("val {name} = Reg[{element}]"),
        MemoryKind::Register { init: Some(init) } => {
            format!("val {name} = Reg[{element}]({})", expression(init))
        }
        MemoryKind::SparseSram { variant: SparseVariant::Plain, size } => {
            format!("val {name} = SparseSRAM[{element}]({})", expression(size))
        }
        MemoryKind::SparseSram { variant: SparseVariant::Par(copies), size } => {
            format!("val {name} = SparseParSRAM[{element}]{}", copied(copies, size))
        }
        MemoryKind::SparseSram { variant: SparseVariant::ParSwizzle(copies), size } => {
            format!("val {name} = SparseParSRAMSwizzle[{element}]{}", copied(copies, size))
        }
        MemoryKind::SparseDram { par, size } => {
            format!("val {name} = SparseDRAM[{element}]({})({})", expression(par), expression(size))
        }
    };
    let marks = marks.iter().map(|mark| match mark {
        Mark::Buffer => ".buffer",
        Mark::NonBuffer => ".nonbuffer",
        Mark::Retiming => ".retiming",
    });
    declared + &marks.collect::<String>()
}

/// `(par)(n, true)`
fn copied(copies: &Copies, size: &AppExpr) -> String {
    format!("({})({}, {})", expression(&copies.par), expression(size), copies.has_barriers)
}

/// `d(a::b par p)`: sums stand in parentheses, which Scala would not need.
fn part(part: &DramPart) -> String {
    let DramPart { dram, from, to, par } = part;
    let (from, to) = (parenthesized(from), parenthesized(to));
    let par = par.as_ref().map_or_else(String::new, |par| format!(" par {}", expression(par)));
    format!("{dram}({from}::{to}{par})")
}

/// What stands between the parentheses of a pattern.
fn iterations(domain: &Domain, scan: &str) -> String {
    match domain {
        Domain::Counters(counters) => counters.iter().map(counter).collect::<Vec<_>>().join(", "),
        Domain::Scan { par, len, bits, .. } => {
            // Of one vector, either mode has all of its bits.
            format!("{scan}({}, {}, \"or\", {bits}.deq)", expression(par), expression(len))
        }
        Domain::ScanTwo { par, len, mode, bits: [first, second], .. } => {
            let mode = mode.word();
            let (par, len) = (expression(par), expression(len));
            format!("{scan}({par}, {len}, \"{mode}\", {first}.deq, {second}.deq)")
        }
    }
}

/// `from until to by step par p`
fn counter(counter: &Counter) -> String {
    let Counter { from, to, step, par, .. } = counter;
    let from = from.as_ref().map_or_else(String::new, |from| format!("{} until ", expression(from)));
    let par = par.as_ref().map_or_else(String::new, |par| format!(" par {}", expression(par)));
    format!("{from}{} by {}{par}", expression(to), expression(step))
}

/// What stands in front of `=>`.
fn binders(domain: &Domain) -> String {
    let names = domain.binders().join(", ");
    match domain {
        Domain::Counters(counters) if counters.len() == 1 => names,
        Domain::Counters(_) => format!("({names})"),
        Domain::Scan { .. } | Domain::ScanTwo { .. } => format!("case List({names})"),
    }
}
