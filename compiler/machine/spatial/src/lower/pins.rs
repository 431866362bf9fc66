//! Which memory each array is in, for people: the kinds of stardust.txt, section 6.2, with the rule of each;
//! and what is asked of memories and does not come about.

use super::nest::{Nest, Var};
use crate::app::visit::each;
use crate::app::{App, HostKind, Kind, Memory, MemoryKind, Scalar};

/// The kinds, from the outermost to the innermost, and what is put there.
const KINDS: [(&str, &str); 7] = [
    ("dense DRAM", "moved in parts"),
    ("sparse DRAM", "read at any place, and too large for the chip"),
    ("dense SRAM", "at addresses that follow the loops"),
    ("sparse SRAM", "at any address, again and again"),
    ("bit vector", "coordinates that meet others"),
    ("FIFO", "once, in order"),
    ("register", "a scalar"),
];

/// A line that names the memories of an application by kind.
pub(super) fn remark(app: &App) -> String {
    let mut pinned: [Vec<&str>; KINDS.len()] = Default::default();
    for host in &app.before {
        if let HostKind::Dram { name, .. } = &host.kind {
            pinned[0].push(name);
        }
    }
    each(&app.accel, &mut |statement| {
        if let Kind::Memory(memory) = &statement.kind {
            pinned[kind(memory)].push(&memory.name);
        }
    });
    let kinds = KINDS.iter().zip(pinned).filter(|(_, names)| !names.is_empty());
    let kinds = kinds.map(|((kind, rule), mut names)| {
        names.dedup();
        format!("{kind} ({rule}): {}", names.join(", "))
    });
    format!("arrays are pinned to memories: {}", kinds.collect::<Vec<_>>().join("; "))
}

/// Tensors that are to be on chip as a whole and are not.
pub(super) fn not_resident(nest: &Nest) -> impl Iterator<Item = String> {
    let tensors =
        nest.tensors.iter().filter(|tensor| tensor.is_resident && tensor.last_compressed().is_some());
    tensors.map(|tensor| {
        let name = &tensor.name;
        format!("`{name}` is brought on chip in parts, as its segments are used: only dense tensors stay there as a whole")
    })
}

/// What `communicate` says of loops over variables that a result does not have.
pub(super) fn not_communicated(nest: &Nest) -> impl Iterator<Item = String> {
    let is_over = |tensor: usize, var: Var| {
        nest.assigns().any(|assign| assign.target.tensor == tensor && assign.target.indices.contains(&var))
    };
    let others = nest.communicated.iter().filter(move |(tensor, var)| !is_over(*tensor, *var));
    others.map(|(tensor, var)| {
        let (tensor, var) = (&nest.tensors[*tensor].name, &nest.vars[*var]);
        format!("`{tensor}` does not leave the chip behind the loop over `{var}`, as it has no such index, but behind its own")
    })
}

fn kind(memory: &Memory) -> usize {
    match memory.kind {
        MemoryKind::SparseDram { .. } => 1,
        MemoryKind::Sram { .. } => 2,
        MemoryKind::SparseSram { .. } => 3,
        MemoryKind::Fifo { .. } if memory.element == Scalar::U32.into() => 4,
        MemoryKind::Fifo { .. } => 5,
        MemoryKind::Register { .. } => 6,
    }
}
