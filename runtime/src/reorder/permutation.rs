//! New numbers for the indices of one mode.

use crate::error::{Error, index_range};
use crate::memory::zeroed_vec;
use crate::tensor::ArrayName;

/// A bijection of `0..len`: each index and its new number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Permutation {
    new: Vec<i64>,
}

impl Permutation {
    /// The one that changes nothing.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn identity(len: usize) -> Result<Self, Error> {
        let mut new = zeroed_vec(len, &name())?;
        new.iter_mut().enumerate().for_each(|(index, new)| *new = index as i64);
        Ok(Self { new })
    }

    /// Makes the permutation that moves index i to `new[i]`.
    ///
    /// # Errors
    /// [`Error::Shape`] where a number of `0..new.len()` comes twice or not at all.
    pub fn from_numbers(new: Vec<i64>) -> Result<Self, Error> {
        let mut is_there = vec![false; new.len()];
        for &number in &new {
            let place = usize::try_from(number).ok().and_then(|number| is_there.get_mut(number));
            match place {
                Some(place) if !*place => *place = true,
                Some(_) => {
                    return Err(Error::Shape(format!("a permutation has the number {number} twice")));
                }
                None => {
                    return Err(Error::Shape(format!(
                        "a permutation of {} has the number {number}, expected {}",
                        if new.len() == 1 { "1 index".to_owned() } else { format!("{} indices", new.len()) },
                        index_range(0, new.len() as i64 - 1)
                    )));
                }
            }
        }
        Ok(Self { new })
    }

    /// The one that puts the indices into an order: `order[n]` is the index that becomes number n.
    pub(super) fn from_order(order: &[u32]) -> Result<Self, Error> {
        let mut new = zeroed_vec(order.len(), &name())?;
        order.iter().enumerate().for_each(|(number, &index)| new[index as usize] = number as i64);
        Ok(Self { new })
    }

    /// Makes the permutation that moves index i to `new[i]`, which are all indices below their count.
    pub(super) fn from_new(numbers: &[u32]) -> Result<Self, Error> {
        let mut new = zeroed_vec(numbers.len(), &name())?;
        new.iter_mut().zip(numbers).for_each(|(new, &number)| *new = i64::from(number));
        Ok(Self { new })
    }

    /// The number of indices.
    pub fn len(&self) -> usize {
        self.new.len()
    }

    /// Whether there is no index.
    pub fn is_empty(&self) -> bool {
        self.new.is_empty()
    }

    /// Whether every index keeps its number.
    pub fn is_identity(&self) -> bool {
        self.new.iter().enumerate().all(|(index, &new)| index as i64 == new)
    }

    /// The new number of each index.
    pub fn numbers(&self) -> &[i64] {
        &self.new
    }

    /// Replaces indices below [`len`](Self::len) by their new numbers.
    pub fn apply(&self, indices: &mut [i64]) {
        indices.iter_mut().for_each(|index| *index = self.new[*index as usize]);
    }

    /// The one that leads back.
    pub fn inverse(&self) -> Self {
        let mut old = vec![0; self.len()];
        self.new.iter().enumerate().for_each(|(index, &new)| old[new as usize] = index as i64);
        Self { new: old }
    }
}

fn name() -> ArrayName<'static> {
    ArrayName { tensor: "reorder", part: "a permutation" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_applied_is_undone() {
        let permutation = Permutation::from_numbers(vec![2, 0, 3, 1]).unwrap();
        let mut indices = [3, 3, 0, 1];
        permutation.apply(&mut indices);
        assert_eq!(indices, [1, 1, 2, 0]);
        permutation.inverse().apply(&mut indices);
        assert_eq!(indices, [3, 3, 0, 1]);
        assert_eq!(Permutation::from_order(&[1, 3, 0, 2]).unwrap(), permutation);
    }

    #[test]
    fn numbers_that_are_no_permutation_are_refused() {
        let message = |numbers: &[i64]| Permutation::from_numbers(numbers.to_vec()).unwrap_err().to_string();
        assert_eq!(message(&[0, 2, 2]), "a permutation has the number 2 twice");
        assert_eq!(message(&[0, 3, 1]), "a permutation of 3 indices has the number 3, expected 0 to 2");
        assert_eq!(message(&[-1]), "a permutation of 1 index has the number -1, expected 0");
    }
}
