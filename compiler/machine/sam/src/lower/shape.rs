//! How the coordinates of a variable come about, and what is known of their fibers.

use super::build::Out;
use super::node::Leaf;
use crate::graph::Merge;

pub(super) enum CoordinateMerge<'n> {
    /// Nothing has the variable: all coordinates.
    Absent,
    /// Those of a leaf, unless others are looked for in it.
    Located(&'n mut Leaf),
    /// Those of a leaf, whose references belong to them.
    One(Out, FiberShape, &'n mut Leaf),
    /// All coordinates, where they meet those of others.
    All(Out, Out),
    Join(Merge, Vec<CoordinateMerge<'n>>),
    /// Those of a product, over which the leaves of it are repeated that lack the variable.
    Repeated(Box<CoordinateMerge<'n>>, Vec<&'n mut Leaf>),
}

impl<'n> CoordinateMerge<'n> {
    /// Both. What joins in the same way is one joiner of more operands.
    pub(super) fn and(self, how: Merge, other: Self) -> Self {
        let mut operands: Vec<Self> = [self, other].into_iter().flat_map(|one| one.flat(how)).collect();
        if how == Merge::Union {
            operands.iter_mut().filter(|operand| !operand.shape().has_all()).for_each(Self::may_miss);
        }
        Self::Join(how, operands)
    }

    fn flat(self, how: Merge) -> Vec<CoordinateMerge<'n>> {
        match self {
            Self::Join(inner, operands) if inner == how => operands,
            other => vec![other],
        }
    }

    /// Others bring more coordinates than it has.
    fn may_miss(&mut self) {
        match self {
            Self::One(_, _, leaf) => leaf.may_miss = true,
            Self::Join(_, operands) => operands.iter_mut().for_each(Self::may_miss),
            Self::Repeated(own, leaves) => {
                own.may_miss();
                leaves.iter_mut().for_each(|leaf| leaf.may_miss = true);
            }
            Self::Absent | Self::Located(_) | Self::All(..) => {}
        }
    }

    pub(super) fn shape(&self) -> FiberShape {
        match self {
            Self::Absent | Self::Located(_) | Self::All(..) => FiberShape::ALL,
            Self::One(_, shape, _) => *shape,
            Self::Repeated(own, _) => own.shape(),
            Self::Join(how, operands) => {
                let shapes: Vec<FiberShape> = operands.iter().map(Self::shape).collect();
                if *how == Merge::Union && shapes.iter().any(|shape| shape.has_all()) {
                    return FiberShape::ALL;
                }
                let is_full = shapes.iter().all(|shape| shape.is_full);
                let lacking = shapes.iter().filter(|shape| !shape.has_all()).count();
                let may_be_empty = shapes.iter().any(|shape| shape.may_be_empty);
                let (intersects, is_there) = (*how == Merge::Intersect, |shape: &FiberShape| shape.is_there);
                FiberShape {
                    may_be_empty: may_be_empty || intersects && !is_full,
                    is_full,
                    may_lose_all: shapes.iter().any(|shape| shape.may_lose_all) || intersects && lacking > 1,
                    has_dense: shapes.iter().any(|shape| shape.has_dense),
                    is_there: if intersects {
                        shapes.iter().all(is_there)
                    } else {
                        shapes.iter().any(is_there)
                    },
                }
            }
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct FiberShape {
    pub(super) may_be_empty: bool,
    pub(super) is_full: bool,
    /// Whether a fiber of one operand may have none that the others have.
    pub(super) may_lose_all: bool,
    /// Whether the coordinates are also those of dense levels, of which there are none if the extent is 0.
    pub(super) has_dense: bool,
    /// Whether there is a fiber at all coordinates around, and not only where others have none.
    pub(super) is_there: bool,
}

impl FiberShape {
    pub(super) const ALL: Self =
        Self { may_be_empty: false, is_full: true, may_lose_all: false, has_dense: true, is_there: true };

    pub(super) fn has_all(self) -> bool {
        self.is_full && self.is_there && !self.may_be_empty
    }
}
