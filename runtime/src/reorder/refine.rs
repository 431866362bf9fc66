//! Partition refinement (R. Paige, R. E. Tarjan: Three partition refinement algorithms, 1987), as it sorts
//! the columns of a matrix of zeros and ones lexicographically (A. Lubiw: Doubly lexical orderings of
//! matrices, 1987).
//!
//! All indices begin in one class. Each set of members splits the classes that it meets: those of its
//! members come right before the rest. So the first set decides the order most, as the first letter of words
//! does, and where a set does not tell two indices apart, the next ones may.
//!
//! *Before*, *after* the set {1, 3, 4}, and *after* the set {0, 1} that follows:
//!
//! ```text
//!   {0 1 2 3 4}      {1 3 4} {0 2}      {1} {3 4} {0} {2}
//! ```
//!
//! One set takes time in its own members, however large the classes are.

/// Classes of `0..len`, one behind the other.
pub(super) struct Classes {
    /// The class of each index.
    class_of: Vec<usize>,
    classes: Vec<Class>,
    /// Room for the classes that a set meets.
    met: Vec<usize>,
}

#[derive(Clone, Copy)]
struct Class {
    /// How many indices are in the classes before.
    start: usize,
    size: usize,
    /// How many of its indices are in the set at hand.
    members: usize,
    /// The class that these move to: itself, where all of them are.
    target: usize,
}

impl Classes {
    /// One class of all indices.
    pub(super) fn new(len: usize) -> Self {
        let all = Class { start: 0, size: len, members: 0, target: 0 };
        Self { class_of: vec![0; len], classes: vec![all], met: Vec::new() }
    }

    /// Splits every class by a set, which has each member once.
    pub(super) fn refine(&mut self, members: impl Iterator<Item = usize> + Clone) {
        for member in members.clone() {
            let number = self.class_of[member];
            let class = &mut self.classes[number];
            if class.members == 0 {
                self.met.push(number);
            }
            class.members += 1;
        }
        while let Some(number) = self.met.pop() {
            self.split(number);
        }
        for member in members {
            let class = &mut self.class_of[member];
            *class = self.classes[*class].target;
        }
    }

    /// Puts a class for the members in front of the rest, where there is a rest.
    fn split(&mut self, number: usize) {
        let new = self.classes.len();
        let class = &mut self.classes[number];
        let Class { start, size, members, .. } = *class;
        class.members = 0;
        class.target = number;
        if members < size {
            class.start += members;
            class.size -= members;
            class.target = new;
            self.classes.push(Class { start, size: members, members: 0, target: new });
        }
    }

    /// The place of each index; those of one class stay in the order of their numbers.
    pub(super) fn places(self) -> Vec<usize> {
        let Self { class_of, mut classes, .. } = self;
        let mut place = |number: usize| {
            let next = &mut classes[number].start;
            *next += 1;
            *next - 1
        };
        class_of.into_iter().map(&mut place).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The module's example.
    #[test]
    fn sets_split_classes() {
        let mut classes = Classes::new(5);
        classes.refine([4, 1, 3].into_iter());
        classes.refine([0, 1].into_iter());
        assert_eq!(classes.places(), [3, 0, 4, 1, 2]);
    }

    #[test]
    fn a_set_of_all_and_an_empty_set_split_nothing() {
        let mut classes = Classes::new(3);
        classes.refine([2, 1, 0].into_iter());
        classes.refine(std::iter::empty());
        assert_eq!(classes.classes.len(), 1);
        assert_eq!(classes.places(), [0, 1, 2]);
    }
}
