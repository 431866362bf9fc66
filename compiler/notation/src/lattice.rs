//! Which combinations of operands a loop has to visit: the points of its merge lattice (Kjolstad 2017,
//! section 5).

use crate::concrete::{Access, Compute, Kept, Stmt, TensorId, Value, ValueId};

/// A lattice point: the operands, by their numbers, that have coordinates left.
pub type LatticePoint = Vec<usize>;

/// The iterations of a block, as far as the operands that are absent decide them.
pub struct Lattice<'a> {
    compute: &'a Compute,
    block: &'a [Stmt],
    /// The accesses whose coordinates are known not to be stored.
    absent: &'a [Access],
}

impl<'a> Lattice<'a> {
    /// Looks at a block where some accesses are absent.
    pub fn of(compute: &'a Compute, block: &'a [Stmt], absent: &'a [Access]) -> Self {
        Self { compute, block, absent }
    }

    /// Returns whether something is assigned in the block although `lacking` are absent, too.
    pub fn is_live_without(&self, lacking: &[Access]) -> bool {
        let absent = self.absent_with(lacking.iter());
        self.assigned().any(|value| !self.vanishes(value, &absent))
    }

    /// Returns the lattice points of some operands, larger ones first. A point is left out where nothing is
    /// assigned with only its operands, and where one of its operands changes nothing without those that it
    /// lacks.
    pub fn points(&self, operands: &[Access]) -> Vec<LatticePoint> {
        let sets = (1..1_usize << operands.len())
            .map(|set| (0..operands.len()).filter(|number| set & (1 << number) != 0).collect());
        let mut points: Vec<LatticePoint> = sets.filter(|point| self.is_point(operands, point)).collect();
        points.sort_by_key(|point| std::cmp::Reverse(point.len()));
        points
    }

    fn is_point(&self, operands: &[Access], point: &LatticePoint) -> bool {
        let lacking = (0..operands.len()).filter(|number| !point.contains(number));
        let absent = self.absent_with(lacking.map(|number| &operands[number]));
        let counts =
            |number: &usize| self.assigned().any(|value| self.mentions(value, &operands[*number], &absent));
        self.assigned().any(|value| !self.vanishes(value, &absent)) && point.iter().all(counts)
    }

    fn absent_with<'b>(&'b self, lacking: impl Iterator<Item = &'b Access>) -> Vec<&'b Access> {
        self.absent.iter().chain(lacking).collect()
    }

    fn assigned(&self) -> impl Iterator<Item = ValueId> {
        self.compute.assigns_in(self.block).into_iter().map(|assign| self.compute.assign(assign).value)
    }

    /// Returns whether a value is absent, or a sum of nothing, where `absent` are.
    fn vanishes(&self, value: ValueId, absent: &[&Access]) -> bool {
        let vanishes = |value: &ValueId| self.vanishes(*value, absent);
        match self.compute.value(value) {
            Value::Outside => false,
            Value::Access(access) => {
                absent.contains(&access)
                    || (self.compute.tensor(access.tensor).workspace.is_some()
                        && self.workspace_vanishes(access.tensor, absent))
            }
            Value::Neg(value) | Value::Cast(value) | Value::Apply(_, value) => vanishes(value),
            Value::Drop { value, .. } => vanishes(value),
            Value::Unite(_, operands) => operands.iter().all(vanishes),
            Value::Intersect(_, operands) => operands.iter().any(vanishes),
            // Where the mask is stored the value is absent, too, but its coordinates have to be passed over.
            Value::Mask { value, kept: Kept::Complement, .. } => vanishes(value),
            Value::Mask { value, mask, kept: Kept::Stored } => vanishes(value) || vanishes(mask),
        }
    }

    /// A workspace holds nothing where everything that is assigned to it vanishes.
    fn workspace_vanishes(&self, workspace: TensorId, absent: &[&Access]) -> bool {
        let assigns = self.compute.assigns_in(self.block).into_iter();
        let mut own = assigns
            .map(|assign| self.compute.assign(assign))
            .filter(|assign| assign.target.tensor == workspace)
            .peekable();
        own.peek().is_some() && own.all(|assign| self.vanishes(assign.value, absent))
    }

    /// Returns whether an access has a part in a value where `absent` are.
    fn mentions(&self, value: ValueId, access: &Access, absent: &[&Access]) -> bool {
        if self.vanishes(value, absent) {
            return false;
        }
        match self.compute.value(value) {
            Value::Access(own) => own == access,
            other => other.operands().into_iter().any(|operand| self.mentions(operand, access, absent)),
        }
    }
}
