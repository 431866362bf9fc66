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
//! One set takes time in its own members, however large the classes are. Most of the time is that of memory:
//! so indices take 32 bits, and those that are alone in their class are only looked at.

/// What is added to the class of an index that is alone in it: nothing more happens to it.
const SETTLED: u32 = 1 << 31;

/// Classes of `0..len`, one behind the other.
pub(super) struct IndexClasses {
    /// The class of each index.
    class_of: Vec<u32>,
    classes: Vec<IndexClass>,
    /// Room for the classes that a set meets.
    met: Vec<u32>,
}

#[derive(Clone, Copy)]
struct IndexClass {
    /// How many indices are in the classes before.
    start: u32,
    size: u32,
    /// How many of its indices are in the set at hand.
    members: u32,
    /// The class that these move to: itself, where all of them are.
    target: u32,
}

impl IndexClasses {
    /// One class of all indices, of which there are fewer than 2³¹.
    pub(super) fn new(len: usize) -> Self {
        let all = IndexClass { start: 0, size: len as u32, members: 0, target: 0 };
        Self { class_of: vec![0; len], classes: vec![all], met: Vec::new() }
    }

    /// Splits every class by a set, which has each member once.
    pub(super) fn refine(&mut self, members: &[u32]) {
        for &member in members {
            let number = &mut self.class_of[member as usize];
            if *number >= SETTLED {
                continue;
            }
            let class = &mut self.classes[*number as usize];
            if class.size == 1 {
                *number |= SETTLED;
                continue;
            }
            if class.members == 0 {
                self.met.push(*number);
            }
            class.members += 1;
        }
        let mut splits = false;
        while let Some(number) = self.met.pop() {
            splits |= self.split(number);
        }
        if splits {
            self.move_members(members);
        }
    }

    /// Puts a class for the members in front of the rest, where there is a rest.
    fn split(&mut self, number: u32) -> bool {
        let new = self.classes.len() as u32;
        let class = &mut self.classes[number as usize];
        let IndexClass { start, size, members, .. } = *class;
        class.members = 0;
        class.target = number;
        if members == size {
            return false;
        }
        class.start += members;
        class.size -= members;
        class.target = new;
        self.classes.push(IndexClass { start, size: members, members: 0, target: new });
        true
    }

    fn move_members(&mut self, members: &[u32]) {
        for &member in members {
            let number = &mut self.class_of[member as usize];
            if *number < SETTLED {
                *number = self.classes[*number as usize].target;
            }
        }
    }

    /// All indices, class by class; those of one class stay in the order that they are given in.
    pub(super) fn ordered(mut self, given: &[u32]) -> Vec<u32> {
        let mut ordered = vec![0; given.len()];
        for &index in given {
            let number = self.class_of[index as usize] & !SETTLED;
            let next = &mut self.classes[number as usize].start;
            ordered[*next as usize] = index;
            *next += 1;
        }
        ordered
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The module's example; a set that comes again changes nothing.
    #[test]
    fn sets_split_classes() {
        let mut classes = IndexClasses::new(5);
        classes.refine(&[4, 1, 3]);
        classes.refine(&[0, 1]);
        classes.refine(&[1, 0]);
        assert_eq!(classes.ordered(&[0, 1, 2, 4, 3]), [1, 4, 3, 0, 2]);
    }

    #[test]
    fn a_set_of_all_and_an_empty_set_split_nothing() {
        let mut classes = IndexClasses::new(3);
        classes.refine(&[2, 1, 0]);
        classes.refine(&[]);
        assert_eq!(classes.classes.len(), 1);
        assert_eq!(classes.ordered(&[0, 1, 2]), [0, 1, 2]);
    }
}
