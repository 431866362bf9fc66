//! Which combinations of sparse operands a loop has to visit: the points of its merge lattice (Kjolstad 2017,
//! section 5).

use super::Lowering;
use super::point::Point;
use super::workspace::is_temporary;
use comet_dialects::cin::{AccessOperation, AddOperation, AssignOperation, MaskOperation, SubOperation};
use comet_ir::{Op, Val};

/// A lattice point: the numbers of the operands that have coordinates left.
pub(super) type LatticePoint = Vec<usize>;

impl<'c> Lowering<'c> {
    /// Whether something is assigned in `op` although all the points are absent.
    pub(super) fn is_live_without(&self, op: Op<'c>, points: &[Point<'c>]) -> bool {
        let absent: Vec<Point<'c>> = self.absent.iter().chain(points).cloned().collect();
        assignments(op).into_iter().any(|value| !vanishes(op, value, &absent))
    }

    /// The lattice of some operands, larger points first. A point is left out where nothing is assigned
    /// with only its operands, and where one of its operands changes nothing without those that it lacks.
    pub(super) fn lattice(&self, op: Op<'c>, operands: &[Point<'c>]) -> Vec<LatticePoint> {
        let mut points: Vec<LatticePoint> = (1..1_usize << operands.len())
            .map(|set| (0..operands.len()).filter(|number| set & (1 << number) != 0).collect())
            .filter(|point: &LatticePoint| self.is_lattice_point(op, operands, point))
            .collect();
        points.sort_by_key(|point| std::cmp::Reverse(point.len()));
        points
    }

    fn is_lattice_point(&self, op: Op<'c>, operands: &[Point<'c>], point: &LatticePoint) -> bool {
        let is_lacking = |number: &usize| !point.contains(number);
        let lacking = (0..operands.len()).filter(is_lacking).map(|number| operands[number].clone());
        let absent: Vec<Point<'c>> = self.absent.iter().cloned().chain(lacking).collect();
        let counts = |number: &usize| {
            assignments(op).into_iter().any(|value| mentions(op, value, &operands[*number], &absent))
        };
        assignments(op).into_iter().any(|value| !vanishes(op, value, &absent)) && point.iter().all(counts)
    }
}

/// The values that are assigned in an operation.
fn assignments(op: Op<'_>) -> Vec<Val<'_>> {
    op.descendants::<AssignOperation>().into_iter().map(|assign| assign.operand(0)).collect()
}

/// Whether a value inside `scope` is absent, or a sum of nothing, where all the points are absent.
fn vanishes<'c>(scope: Op<'c>, value: Val<'c>, absent: &[Point<'c>]) -> bool {
    let Some(op) = Op::defining(value) else { return false };
    if op.is::<AccessOperation>() {
        let own = Point::of(op);
        return absent.contains(&own)
            || (is_temporary(own.tensor) && workspace_vanishes(scope, own.tensor, absent));
    }
    let mut operands = op.operands().into_iter().map(|operand| vanishes(scope, operand, absent));
    if op.is::<AddOperation>() || op.is::<SubOperation>() {
        return operands.all(|vanishes| vanishes);
    }
    if is_complement(op) {
        // Where the mask is stored the value is absent, too, but its coordinates have to be passed over.
        return operands.next().is_some_and(|vanishes| vanishes);
    }
    super::is_expression(op) && operands.any(|vanishes| vanishes)
}

/// Whether an operation is the complement of a mask.
fn is_complement(op: Op<'_>) -> bool {
    op.is::<MaskOperation>() && op.attribute("complement").is_some()
}

/// A workspace holds nothing where everything that is added to it vanishes.
fn workspace_vanishes<'c>(scope: Op<'c>, workspace: Val<'c>, absent: &[Point<'c>]) -> bool {
    let assignments = scope.descendants::<AssignOperation>();
    let mut own = assignments.into_iter().filter(|assign| assign.operand(1) == workspace).peekable();
    own.peek().is_some() && own.all(|assign| vanishes(scope, assign.operand(0), absent))
}

/// Whether a point has a part in a value where the others are absent.
fn mentions<'c>(scope: Op<'c>, value: Val<'c>, point: &Point<'c>, absent: &[Point<'c>]) -> bool {
    let Some(op) = Op::defining(value).filter(|op| super::is_expression(*op)) else { return false };
    if vanishes(scope, value, absent) {
        return false;
    }
    if op.is::<AccessOperation>() {
        return Point::of(op) == *point;
    }
    op.operands().into_iter().any(|operand| mentions(scope, operand, point, absent))
}
