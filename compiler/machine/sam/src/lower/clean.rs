//! What is left of the coordinates when the walk is over: droppers (sam.txt definition 3.9), and levels
//! that are filled.

use super::Dialect;
use super::build::Out;
use super::merge::Coordinates;
use super::node::ValueStream;
use super::walk::{Behind, Streams, VariableWalk, WalkScope, Walked};
use crate::graph::{BlockKind, Dropped};
use std::ops::Range;

impl VariableWalk<'_> {
    /// Leaves out coordinates under which there is nothing, unless values are scattered.
    pub(super) fn clean(&mut self, walked: Walked) -> Streams {
        let Walked { node, mut crds, outer, scope, behind } = walked;
        let is_there = node.is_there(behind.coverage);
        let mut value = self.value(node);
        let outermost = if scope == WalkScope::Statement { self.dense_ones(&crds) } else { 0 };
        let mut are_dense: Vec<bool> = (0..crds.len()).map(|level| level < outermost).collect();
        if scope == WalkScope::Statement && self.is_dense() {
            return Streams { crds, value, are_dense, may_be_absent: false };
        }
        if self.choices.dialect.makes_zeros() {
            self.clean_as_sam(&mut crds, &mut value, outermost, (scope, is_there));
            return Streams { crds, value, are_dense, may_be_absent: false };
        }
        // Behind a reduction nothing is empty.
        let outside = behind.outside.unwrap_or(crds.len());
        let may_be_absent = !is_there && outer > 0 && outside == outer;
        if let Some(innermost) = crds[..outside].last_mut()
            && !is_there
        {
            innermost.may_be_empty = true;
            // A reducer has no need for coordinates.
            if !may_be_absent && (outside > 1 || scope != (WalkScope::Sum { is_inside: false })) {
                self.drop_values(Dropped::Absent, innermost, &mut value.out);
            }
        }
        if scope == WalkScope::Statement && self.choices.drops_zeros {
            self.drop_zeros(&mut crds, &mut value, outermost, &behind);
        } else {
            if scope == WalkScope::Statement && outside == crds.len() && is_there && behind.below.is_none() {
                self.find_dense(&crds, &mut are_dense);
            }
            self.drop_empty(&mut crds[..outside], outermost.max(outer), behind.below, scope);
        }
        Streams { crds, value, are_dense, may_be_absent }
    }

    /// Leaves out coordinates of a variable that was dealt out, and of those around, when the copies are one:
    /// what these have left out inside is given, and what has been walked before them.
    pub(super) fn clean_behind(&mut self, streams: &mut Streams, walked: &Walked) {
        let (scope, behind) = (walked.scope, &walked.behind);
        if scope == WalkScope::Statement && self.is_dense() {
            return;
        }
        if std::mem::take(&mut streams.may_be_absent) {
            let innermost = streams.crds.last_mut().expect("a variable was dealt out");
            self.drop_values(Dropped::Absent, innermost, &mut streams.value.out);
        }
        let kept = if scope == WalkScope::Statement { self.dense_ones(&streams.crds) } else { 0 };
        let (kept, dealt) = (kept.max(walked.outer), walked.crds.len());
        match behind.outside {
            Some(outside) => {
                self.drop_empty(&mut streams.crds[..outside], kept, behind.below.clone(), scope);
            }
            None => {
                let below = streams.crds.get(dealt).and_then(|inner| empty(inner, scope));
                let inside = streams.crds.len().min(dealt + 1);
                self.drop_empty_around(&mut streams.crds[..inside], kept..dealt, below, scope);
            }
        }
    }

    pub(super) fn is_dense(&self) -> bool {
        self.statement.tensors[self.statement.result.tensor].is_dense()
    }

    /// Whether the level of a variable is to be dense, and can be: of one that the result repeats no more
    /// than one coordinate is there.
    fn is_asked_dense(&self, var: &str) -> bool {
        let result = &self.statement.result;
        let format = &self.statement.tensors[result.tensor];
        let mut levels =
            format.order.iter().zip(&format.levels).filter(|(mode, _)| result.indices[**mode] == var);
        levels.next().is_some_and(|(_, level)| level.is_dense()) && levels.next().is_none()
    }

    /// How many of the outermost coordinates are all there are and are to be written to dense levels, so that
    /// none is dropped.
    pub(super) fn dense_ones(&self, crds: &[Coordinates]) -> usize {
        let is_dense = |crd: &&Coordinates| crd.is_full && !crd.may_be_empty && self.is_asked_dense(&crd.var);
        crds.iter().take_while(is_dense).count()
    }

    /// Innermost coordinates that are all there are, unless there are none, have levels that are filled.
    fn find_dense(&self, crds: &[Coordinates], are_dense: &mut [bool]) {
        for level in (0..crds.len()).rev() {
            let crd = &crds[level];
            let is_outermost = level == 0 || are_dense[level - 1];
            if !crd.is_full || !self.is_asked_dense(&crd.var) || crd.may_be_empty && is_outermost {
                return;
            }
            are_dense[level] = true;
            if crd.may_be_empty {
                return;
            }
        }
    }

    /// Leaves out coordinates by the blocks of SAM's tools or of Comal: empty tokens have become zeros, and
    /// coordinates inside of a reduction stay, since its reducers and accumulators take them all. Comal has
    /// no droppers of values: zeros stay.
    fn clean_as_sam(
        &mut self,
        crds: &mut [Coordinates],
        value: &mut ValueStream,
        kept: usize,
        (scope, is_there): (WalkScope, bool),
    ) {
        if scope != WalkScope::Statement {
            self.makes_zeros |= !is_there;
        } else if self.choices.dialect == Dialect::Comal {
            if self.choices.drops_zeros {
                self.refuse("droppers of values");
            }
            self.drop_empty(crds, kept, None, scope);
        } else if self.makes_zeros || !is_there || self.choices.drops_zeros {
            self.drop_zeros(crds, value, kept, &Behind::default());
        } else {
            self.drop_empty(crds, kept, None, scope);
        }
    }

    /// Zeros go, and then all coordinates under which nothing is left. What a sum has left out goes before,
    /// since its reducer's coordinates belong to those that are left.
    fn drop_zeros(
        &mut self,
        crds: &mut [Coordinates],
        value: &mut ValueStream,
        kept: usize,
        behind: &Behind,
    ) {
        let outside = behind.outside.unwrap_or(crds.len());
        if let (Some(sum), true) = (&behind.below, outside > kept) {
            let outer = &mut crds[outside - 1];
            let kind = BlockKind::Drop {
                outer: outer.var.clone(),
                inner: sum.var.clone(),
                what: Dropped::EmptyFibers,
            };
            outer.crd = self.build.block(kind, &[Some(outer.crd), Some(sum.crd)])[0];
            outer.may_be_empty = true;
        }
        if let Some(innermost) = crds.last_mut() {
            innermost.may_be_empty = true;
            self.drop_values(Dropped::Zeros(value.element), innermost, &mut value.out);
        }
        self.drop_empty(crds, kept, None, WalkScope::Statement);
    }

    fn drop_values(&mut self, what: Dropped, innermost: &mut Coordinates, value: &mut Out) {
        let (outer, inner) = (innermost.var.clone(), "value".to_owned());
        let kind = BlockKind::Drop { outer, inner, what };
        let left = self.build.block(kind, &[Some(innermost.crd), Some(*value)]);
        innermost.crd = left[0];
        *value = left[1];
    }

    /// From the innermost coordinates whose fibers may be empty outwards to those that are kept, all lose
    /// those under which nothing is left (sam.txt definition 3.9). Those of a sum's variable are of use only
    /// to what is outside of it.
    fn drop_empty(
        &mut self,
        crds: &mut [Coordinates],
        kept: usize,
        below: Option<Coordinates>,
        scope: WalkScope,
    ) {
        let places = kept..crds.len();
        self.drop_empty_around(crds, places, below, scope);
    }

    /// The same for the coordinates at these places; those inside of them are what is `below`, if they may be
    /// none.
    fn drop_empty_around(
        &mut self,
        crds: &mut [Coordinates],
        places: Range<usize>,
        mut below: Option<Coordinates>,
        scope: WalkScope,
    ) {
        for outer in places.rev() {
            let is_used = outer > 0 || scope != (WalkScope::Sum { is_inside: false });
            if let Some(inner) = below.take() {
                crds[outer].may_be_empty = true;
                if is_used {
                    let kind = BlockKind::Drop {
                        outer: crds[outer].var.clone(),
                        inner: inner.var,
                        what: Dropped::EmptyFibers,
                    };
                    let cleaned = self.build.block(kind, &[Some(crds[outer].crd), Some(inner.crd)]);
                    crds[outer].crd = cleaned[0];
                    if let Some(inner) = crds.get_mut(outer + 1) {
                        inner.crd = cleaned[1];
                    }
                }
            }
            below = empty(&crds[outer], scope);
        }
    }
}

/// Coordinates whose fibers may have none. Nothing is reduced to nothing, and extents may be 0.
fn empty(crd: &Coordinates, scope: WalkScope) -> Option<Coordinates> {
    let is_reduced = scope != WalkScope::Statement;
    Some(crd).filter(|crd| crd.may_be_empty || is_reduced && crd.has_dense).cloned()
}
