//! Values of dense levels that are brought on chip.

use super::Emitter;
use super::expr::{int, mux, name, plus, read, times};
use super::nest::{Access, Home};
use super::operand::part;
use super::plan::{Addresses, SliceMemory, SlicePlan};
use super::scope::Slice;
use crate::app::{Expr, MemoryKind, SparseVariant, Type};

impl Emitter<'_> {
    pub(super) fn load_slices(&mut self, plans: &[SlicePlan]) {
        for SlicePlan { access, first, memory } in plans {
            let is_off_chip = *memory == SliceMemory::OffChip;
            let memory = match memory {
                SliceMemory::Affine => self.load_levels(access, *first, Addresses::Affine),
                SliceMemory::Sparse => self.load_levels(access, *first, Addresses::Any),
                SliceMemory::OffChip => {
                    let element = self.element(access.tensor);
                    self.sparse_dram(&format!("{}_vals", self.nest.tensors[access.tensor].name), element)
                }
            };
            self.scope.slices.insert(access.clone(), Slice { memory, is_off_chip, first: *first });
        }
    }

    /// Brings the elements of the levels from one on to an SRAM: nothing where those above are not stored.
    pub(super) fn load_levels(&mut self, access: &Access, first: usize, addresses: Addresses) -> String {
        let label = self.label(access);
        let tensor = &self.nest.tensors[access.tensor];
        let (dram, element) = (format!("{}_vals_d", tensor.name), self.typed(tensor.element));
        let levels = first..tensor.levels.len();
        let size = levels.fold(int(1), |size, level| times(size, self.level_extent(access.tensor, level)));
        let parent = self.parent_position(access, first);
        let (from, to) = (times(parent.clone(), size.clone()), times(plus(parent, int(1)), size));
        let (from, to) = match self.scope.condition(&self.nest.stored_above(access, first)) {
            Some(condition) => {
                let from = mux(condition.clone(), from, int(0));
                let from = self.frames.val(&format!("{label}_from"), from);
                let to = self.frames.val(&format!("{label}_to"), mux(condition, to, int(0)));
                (name(from), name(to))
            }
            None => (from, to),
        };
        let memory = self.array(&format!("{label}_vals"), element, addresses);
        self.frames.load(&memory, part(dram, from, to, self.setting("ip")));
        memory
    }

    /// An SRAM for addresses of a kind.
    pub(super) fn array(&mut self, stem: &str, element: Type, addresses: Addresses) -> String {
        let size = name("nnz_accel_max");
        let kind = if addresses == Addresses::Affine {
            MemoryKind::Sram { size }
        } else {
            MemoryKind::SparseSram { variant: SparseVariant::Plain, size }
        };
        let memory = self.frames.memory(stem, element, kind);
        if addresses == Addresses::Any {
            self.sparse.insert(memory.clone());
        }
        memory
    }

    /// The value of an access whose values are dense and on chip.
    pub(super) fn slice_value(&mut self, access: &Access) -> Option<Expr> {
        let Slice { memory, is_off_chip, first } = self.scope.slices.get(access)?.clone();
        let index = match is_off_chip {
            true => {
                let last = access.indices.len() - 1;
                let (parent, extent) =
                    (self.parent_position(access, last), self.level_extent(access.tensor, last));
                plus(times(parent, extent), self.scope.coordinates[&self.nest.var_at(access, last)].clone())
            }
            false => self.index_from(access, first),
        };
        Some(read(&memory, index))
    }

    /// The address of the elements of levels from one on, among those of these levels.
    pub(super) fn index_from(&mut self, access: &Access, first: usize) -> Expr {
        (first..access.indices.len()).fold(int(0), |index, level| {
            let var = self.nest.var_at(access, level);
            let coordinate = self.scope.coordinates[&var].clone();
            if level == first {
                return coordinate;
            }
            let extent = self.extent_at(access, level);
            plus(times(index, extent), coordinate)
        })
    }

    pub(super) fn extent_at(&mut self, access: &Access, level: usize) -> Expr {
        match self.nest.tensors[access.tensor].home {
            Home::OffChip => self.level_extent(access.tensor, level),
            Home::OnChip | Home::Scalar => self.extent(self.nest.var_at(access, level)),
        }
    }
}
