//! Memories on chip that are too small, as far as extents are known before anything runs.
//!
//! Whole slices, positions of dense levels and dense results come to as many elements as extents say, also
//! where they lie at another place in each iteration. What depends on the data is found when it runs.

use super::host;
use super::nest::{Assign, Nest, Refusal};
use crate::app::{App, Block, Domain, DramPart, Expr, Kind, MemoryKind};
use std::collections::{BTreeMap, BTreeSet};

/// Refuses an application with a memory that is too small.
pub(super) fn check(nest: &Nest, app: &App) -> Result<(), Refusal> {
    let mut room = Capacity { known: known(nest, app), sizes: BTreeMap::new() };
    match room.lacking(&app.accel) {
        Some(lacking) => Err(lacking.refusal(nest)),
        None => Ok(()),
    }
}

/// The settings and the extents that are known.
fn known(nest: &Nest, app: &App) -> BTreeMap<String, i64> {
    let settings = app.parameters.iter().map(|parameter| (parameter.name.clone(), parameter.value));
    let extents = nest.assigns().flat_map(Assign::accesses).flat_map(|access| {
        let tensor = &nest.tensors[access.tensor];
        let levels = 0..tensor.levels.len();
        levels.filter_map(move |level| {
            let size = nest.sizes[nest.var_at(access, level)]?;
            Some((host::extent_name(&tensor.name, level), size))
        })
    });
    settings.chain(extents).collect()
}

struct Lacking {
    memory: String,
    has: i64,
    needs: i64,
}

impl Lacking {
    fn refusal(&self, nest: &Nest) -> Refusal {
        let Self { memory, has, needs } = self;
        let refusal = Refusal::new(format!("`{memory}` has {has} elements on chip, and {needs} go there"))
            .hint(format!("make it larger with `environment(nnz_accel_max, {needs})`"));
        let tensor = nest.tensors.iter().position(|tensor| *memory == format!("{}_vals", tensor.name));
        Refusal { tensor, ..refusal }
    }
}

struct Capacity {
    /// Names with their values; the largest ones of counters.
    known: BTreeMap<String, i64>,
    /// The memories, and how many elements they have.
    sizes: BTreeMap<String, i64>,
}

impl Capacity {
    /// The first memory of a block that is too small.
    fn lacking(&mut self, block: &Block) -> Option<Lacking> {
        for statement in block {
            let found = match &statement.kind {
                Kind::Memory(memory) => {
                    if let MemoryKind::Sram { size } | MemoryKind::SparseSram { size, .. } = &memory.kind
                        && let Some(size) = self.value(size)
                    {
                        self.sizes.insert(memory.name.clone(), size);
                    }
                    None
                }
                Kind::Val(name, value) => {
                    self.note(name, self.value(value));
                    None
                }
                Kind::Load { memory, part } | Kind::Store { memory, part } => {
                    self.too_small(memory, self.length(part))
                }
                Kind::Write { memory, index, .. } => {
                    self.too_small(memory, self.value(index).map(|index| index.saturating_add(1)))
                }
                Kind::Pattern(pattern) => {
                    self.enter(&pattern.domain);
                    None
                }
                _ => None,
            };
            let inner = || statement.bodies().into_iter().find_map(|body| self.lacking(body));
            if let Some(lacking) = found.or_else(inner) {
                return Some(lacking);
            }
        }
        None
    }

    fn too_small(&self, memory: &str, needs: Option<i64>) -> Option<Lacking> {
        let (has, needs) = (*self.sizes.get(memory)?, needs?);
        (needs > has).then(|| Lacking { memory: memory.to_owned(), has, needs })
    }

    /// Counters have their last values.
    fn enter(&mut self, domain: &Domain) {
        for binder in domain.binders() {
            self.known.remove(binder);
        }
        let Domain::Counters(counters) = domain else { return };
        for counter in counters {
            let last = self.value(&counter.to).and_then(|to| to.checked_sub(1));
            self.note(&counter.binder, last);
        }
    }

    fn note(&mut self, name: &str, value: Option<i64>) {
        match value {
            Some(value) => self.known.insert(name.to_owned(), value),
            None => self.known.remove(name),
        };
    }

    /// How many elements a transfer moves. What is not known does not matter where both ends have it.
    fn length(&self, part: &DramPart) -> Option<i64> {
        let names =
            |value: &Expr| value.uses().into_iter().map(|used| used.name.to_owned()).collect::<BTreeSet<_>>();
        let (from, to) = (names(&part.from), names(&part.to));
        let both = &from & &to;
        let value = |name: &str| {
            let known = self.known.get(name).copied();
            known.or_else(|| both.contains(name).then_some(0))
        };
        part.to.constant(&value)?.checked_sub(part.from.constant(&value)?)
    }

    fn value(&self, value: &Expr) -> Option<i64> {
        value.constant(&|name| self.known.get(name).copied())
    }
}
