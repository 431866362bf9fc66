//! Loops over the coordinates that products have, over compressed sparse fibers of their operands: factors
//! are intersected, products united. Tiles are walked by it, and what is in them.

use crate::points::skipped;
use crate::statement::MOST;
use crate::tiled::FiberLevel;
use std::ops::Range;

/// A set of products, one bit each.
pub(crate) type Terms = u64;

#[derive(Clone, Debug, Default)]
pub(crate) struct Cursor {
    /// The coordinate of each loop.
    pub(crate) path: Vec<u32>,
    /// For each operand, the node of the last of its levels that has been entered.
    pub(crate) nodes: Vec<u32>,
}

pub(crate) trait Visitor {
    /// All coordinates are bound, and these products have a value there. Returns those that came of it.
    fn leaf(&mut self, terms: Terms, at: &Cursor) -> Terms;

    /// An iteration of the loop at a depth ends, in which these products have come to a leaf.
    fn leave(&mut self, _depth: usize, _reached: Terms, _at: &Cursor) {}

    /// Whether all has been seen that is to be known.
    fn is_done(&self) -> bool {
        false
    }
}

#[derive(Clone, Debug)]
pub(crate) struct JoinOperand<'a> {
    /// Its fibers; none has all coordinates.
    pub(crate) levels: Option<&'a [FiberLevel]>,
    /// The depth of the loop that each level belongs to, ascending.
    pub(crate) depths: Vec<usize>,
    pub(crate) terms: Terms,
}

#[derive(Clone, Debug)]
pub(crate) struct Join<'a> {
    operands: Vec<JoinOperand<'a>>,
    /// The operands with a level at each depth, and which one.
    at: Vec<Vec<(usize, usize)>>,
    /// How many coordinates each loop has at most.
    counts: Vec<u32>,
    /// The coordinates of a loop that products which have all of them go over; none stands for all.
    among: Vec<Option<Vec<u32>>>,
    /// The products with an operand that has a level at a depth; others have all coordinates there.
    with: Vec<Terms>,
    cursor: Cursor,
    /// For each depth, where its operands stand in their fibers.
    ranges: Vec<Vec<Range<u32>>>,
}

impl<'a> Join<'a> {
    /// Over loops that have so many coordinates each, from the outermost in.
    pub(crate) fn new(operands: Vec<JoinOperand<'a>>, counts: Vec<u32>) -> Self {
        let depths = counts.len();
        let mut at = vec![Vec::new(); depths];
        for (number, operand) in operands.iter().enumerate().filter(|(_, operand)| operand.levels.is_some()) {
            for (level, &depth) in operand.depths.iter().enumerate() {
                at[depth].push((number, level));
            }
        }
        let with = |depth: &Vec<(usize, usize)>| {
            depth.iter().fold(0, |terms, &(number, _)| terms | operands[number].terms)
        };
        let with = at.iter().map(with).collect();
        let ranges = at.iter().map(|depth| vec![0..0; depth.len()]).collect();
        let cursor = Cursor { path: vec![0; depths], nodes: vec![0; operands.len()] };
        let among = vec![None; depths];
        Self { operands, at, counts, among, with, cursor, ranges }
    }

    /// Sets another number of coordinates.
    pub(crate) fn limit(&mut self, depth: usize, count: u32) {
        self.counts[depth] = count;
    }

    /// Lets products that have all coordinates of a loop go over some of them only, in ascending order.
    pub(crate) fn among(&mut self, depth: usize, coordinates: Vec<u32>) {
        self.among[depth] = Some(coordinates);
    }

    /// Walks what is below a node of each operand; products without operands are among the terms as well.
    pub(crate) fn walk(
        &mut self,
        roots: impl IntoIterator<Item = u32>,
        terms: Terms,
        visitor: &mut impl Visitor,
    ) -> Terms {
        self.cursor.nodes.clear();
        self.cursor.nodes.extend(roots);
        self.step(0, terms, visitor)
    }

    fn step(&mut self, depth: usize, terms: Terms, visitor: &mut impl Visitor) -> Terms {
        if depth == self.counts.len() {
            return visitor.leaf(terms, &self.cursor);
        }
        for place in 0..self.at[depth].len() {
            let (number, level) = self.at[depth][place];
            let operand = &self.operands[number];
            let node = self.cursor.nodes[number] as usize;
            self.ranges[depth][place] = match operand.levels {
                Some(levels) if operand.terms & terms != 0 => {
                    levels[level].segments[node]..levels[level].segments[node + 1]
                }
                _ => 0..0,
            };
        }
        if terms & !self.with[depth] != 0 {
            self.everywhere(depth, terms, visitor)
        } else if terms.is_power_of_two() {
            self.intersect(depth, terms, visitor)
        } else {
            self.unite(depth, terms, visitor)
        }
    }

    /// One iteration, at a coordinate, after the operands that have it.
    fn iteration(
        &mut self,
        depth: usize,
        coordinate: u32,
        terms: Terms,
        visitor: &mut impl Visitor,
    ) -> Terms {
        self.cursor.path[depth] = coordinate;
        let reached = self.step(depth + 1, terms, visitor);
        visitor.leave(depth, reached, &self.cursor);
        reached
    }

    fn coordinate(&self, depth: usize, place: usize) -> Option<u32> {
        let (number, level) = self.at[depth][place];
        let range = &self.ranges[depth][place];
        let levels = self.operands[number].levels?;
        (!range.is_empty()).then(|| levels[level].coordinates[range.start as usize])
    }

    /// One product, all of whose operands are in its fibers.
    fn intersect(&mut self, depth: usize, terms: Terms, visitor: &mut impl Visitor) -> Terms {
        let mut places = [0; MOST];
        let mut parents = [0; MOST];
        let mut count = 0;
        for place in 0..self.at[depth].len() {
            let number = self.at[depth][place].0;
            if self.operands[number].terms & terms != 0 {
                (places[count], parents[count]) = (place, self.cursor.nodes[number]);
                count += 1;
            }
        }
        let mut reached = 0;
        let mut wanted = 0;
        while !visitor.is_done() && self.agree(depth, &places[..count], &mut wanted) {
            for &place in &places[..count] {
                self.cursor.nodes[self.at[depth][place].0] = self.ranges[depth][place].start;
            }
            reached |= self.iteration(depth, wanted, terms, visitor);
            wanted += 1;
        }
        for (&place, parent) in places[..count].iter().zip(parents) {
            self.cursor.nodes[self.at[depth][place].0] = parent;
        }
        reached
    }

    /// Goes on to the first coordinate from one on that all operands have; whether there is one.
    fn agree(&mut self, depth: usize, places: &[usize], wanted: &mut u32) -> bool {
        let mut agreeing = 0;
        for &place in places.iter().cycle() {
            self.seek(depth, place, *wanted);
            let Some(found) = self.coordinate(depth, place) else { return false };
            agreeing = if found == *wanted { agreeing + 1 } else { 1 };
            *wanted = found;
            if agreeing >= places.len() {
                break;
            }
        }
        true
    }

    /// Goes on to the first coordinate that is not below one.
    fn seek(&mut self, depth: usize, place: usize, wanted: u32) {
        let (number, level) = self.at[depth][place];
        let Some(levels) = self.operands[number].levels else { return };
        let range = &mut self.ranges[depth][place];
        let coordinates = &levels[level].coordinates[range.start as usize..range.end as usize];
        range.start += skipped(coordinates, |at| at < wanted) as u32;
    }

    /// Several products: coordinates that one of them has.
    fn unite(&mut self, depth: usize, terms: Terms, visitor: &mut impl Visitor) -> Terms {
        let mut reached = 0;
        while !visitor.is_done() {
            let next = (0..self.at[depth].len()).filter_map(|place| self.coordinate(depth, place)).min();
            let Some(next) = next else { break };
            reached |= self.at_coordinate(depth, next, terms, visitor);
        }
        reached
    }

    /// A product has all coordinates.
    fn everywhere(&mut self, depth: usize, terms: Terms, visitor: &mut impl Visitor) -> Terms {
        let count = self.among[depth].as_ref().map_or(self.counts[depth] as usize, Vec::len);
        let mut reached = 0;
        for place in 0..count {
            if visitor.is_done() {
                break;
            }
            let next = self.among[depth].as_ref().map_or(place as u32, |among| among[place]);
            reached |= self.at_coordinate(depth, next, terms, visitor);
        }
        reached
    }

    /// The products all of whose operands have a coordinate, and goes on behind it.
    fn at_coordinate(&mut self, depth: usize, next: u32, terms: Terms, visitor: &mut impl Visitor) -> Terms {
        let mut left = terms;
        let mut entered = Vec::new();
        for place in 0..self.at[depth].len() {
            let number = self.at[depth][place].0;
            self.seek(depth, place, next);
            if self.coordinate(depth, place) == Some(next) {
                entered.push((number, self.cursor.nodes[number]));
                self.cursor.nodes[number] = self.ranges[depth][place].start;
                self.ranges[depth][place].start += 1;
            } else {
                left &= !self.operands[number].terms;
            }
        }
        let reached = if left == 0 { 0 } else { self.iteration(depth, next, left, visitor) };
        entered.into_iter().for_each(|(number, parent)| self.cursor.nodes[number] = parent);
        reached
    }
}
