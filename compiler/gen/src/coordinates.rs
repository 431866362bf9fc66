use crate::{Error, set_position_values};

/// A tensor as a list of entries, one array a mode.
#[derive(Clone, Debug, PartialEq)]
pub struct Coordinates {
    /// The extents, one a mode.
    pub dims: Vec<u64>,
    /// `coords[m][e]` is the 0-based index of entry `e` along mode `m`.
    pub coords: Vec<Vec<u64>>,
    /// The values, one an entry.
    pub values: Vec<f64>,
}

impl Coordinates {
    /// The positions of a file, sorted and each once, with the values of
    /// [`position_value`](crate::position_value): `comet gen --values-for`.
    ///
    /// # Errors
    /// [`Error::Options`] where the extents have more than 2^128 positions; [`Error::Memory`].
    ///
    /// # Panics
    /// Where the columns differ in length or hold an index that is not below its extent: a reader checks
    /// both.
    pub fn of_pattern(dims: &[u64], coords: &[Vec<u64>]) -> Result<Self, Error> {
        let entries = coords.first().map_or(0, Vec::len);
        let fits = |(&dim, mode): (&u64, &Vec<u64>)| mode.len() == entries && mode.iter().all(|&i| i < dim);
        assert!(
            dims.len() == coords.len() && dims.iter().zip(coords).all(fits),
            "the indices lie in the extents"
        );
        positions(dims)?;

        let mut numbers = Vec::new();
        reserve(&mut numbers, entries as u128)?;
        let mut index = vec![0; dims.len()];
        for e in 0..entries {
            index.iter_mut().zip(coords).for_each(|(i, mode)| *i = mode[e]);
            numbers.push(number(dims, &index));
        }
        numbers.sort_unstable();
        numbers.dedup();
        let mut tensor = Self::at_positions(dims, &numbers)?;
        set_position_values(&mut tensor);
        Ok(tensor)
    }

    /// A tensor without entries, with room for so many.
    pub(crate) fn with_room(dims: &[u64], entries: u128) -> Result<Self, Error> {
        let room = |_| -> Result<Vec<u64>, Error> {
            let mut indices = Vec::new();
            reserve(&mut indices, entries)?;
            Ok(indices)
        };
        let coords = dims.iter().map(room).collect::<Result<_, _>>()?;
        let mut values = Vec::new();
        reserve(&mut values, entries)?;
        Ok(Coordinates { dims: dims.to_vec(), coords, values })
    }

    /// The entries at these positions, numbered as [`Positions`] does; values are still to come.
    pub(crate) fn at_positions(dims: &[u64], numbers: &[u128]) -> Result<Self, Error> {
        let mut tensor = Self::with_room(dims, numbers.len() as u128)?;
        let mut index = vec![0; dims.len()];
        for &number in numbers {
            position(dims, number, &mut index);
            tensor.push(&index);
        }
        Ok(tensor)
    }

    /// Appends a position whose value is set later.
    pub(crate) fn push(&mut self, index: &[u64]) {
        for (mode, &coordinate) in self.coords.iter_mut().zip(index) {
            mode.push(coordinate);
        }
    }

    pub fn rank(&self) -> usize {
        self.dims.len()
    }

    pub fn len(&self) -> usize {
        self.coords.first().map_or(self.values.len(), Vec::len)
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The index of entry `e`, mode by mode.
    pub fn index(&self, e: usize) -> impl Iterator<Item = u64> + '_ {
        self.coords.iter().map(move |mode| mode[e])
    }
}

/// Room for so many more elements.
pub(crate) fn reserve<T>(list: &mut Vec<T>, entries: u128) -> Result<(), Error> {
    let fits = usize::try_from(entries).is_ok_and(|entries| list.try_reserve_exact(entries).is_ok());
    if fits { Ok(()) } else { Err(Error::Memory { entries }) }
}

/// How many positions a tensor of these extents has.
pub(crate) fn positions(dims: &[u64]) -> Result<u128, Error> {
    if let Some(dim) = dims.iter().find(|&&dim| i64::try_from(dim).is_err()) {
        return Err(Error::Options(format!("the extent {dim} is too large, expected at most {}", i64::MAX)));
    }
    let product = dims.iter().try_fold(1u128, |product, &dim| product.checked_mul(u128::from(dim)));
    product.ok_or_else(|| Error::Options(format!("the extents {dims:?} have more than 2^128 positions")))
}

/// The row-major number of a position.
pub(crate) fn number(dims: &[u64], index: &[u64]) -> u128 {
    dims.iter().zip(index).fold(0, |number, (&dim, &i)| number * u128::from(dim) + u128::from(i))
}

/// The position with that row-major number.
pub(crate) fn position(dims: &[u64], mut number: u128, index: &mut [u64]) {
    for (&dim, i) in dims.iter().zip(index).rev() {
        // Dividing 64-bit numbers is several times faster, and nearly all numbers are.
        match u64::try_from(number) {
            Ok(small) => (*i, number) = (small % dim, u128::from(small / dim)),
            Err(_) => (*i, number) = ((number % u128::from(dim)) as u64, number / u128::from(dim)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_and_positions_are_inverse(cells in prop::collection::vec((1u64..1 << 40, any::<u64>()), 1..=3)) {
            let dims: Vec<u64> = cells.iter().map(|&(dim, _)| dim).collect();
            let index: Vec<u64> = cells.iter().map(|&(dim, i)| i % dim).collect();
            let mut back = vec![0; dims.len()];
            position(&dims, number(&dims, &index), &mut back);
            prop_assert_eq!(back, index);
        }
    }

    #[test]
    fn a_pattern_is_sorted_and_each_position_has_its_value_once() {
        let tensor = Coordinates::of_pattern(&[3, 4], &[vec![2, 0, 2, 0], vec![1, 3, 1, 0]]).expect("small");
        assert_eq!(tensor.coords, [[0, 0, 2], [0, 3, 1]]);
        assert_eq!(tensor.values, [1.0, 1.0 + 5.0 / 16.0, 1.0 + 10.0 / 16.0]);
    }

    #[test]
    fn extents_whose_product_overflows_are_refused() {
        assert!(positions(&[1 << 62, 1 << 62, 1 << 62]).is_err());
        assert!(positions(&[1 << 63]).is_err());
    }

    #[test]
    fn more_entries_than_memory_are_refused() {
        let error = Coordinates::with_room(&[10], 1 << 70).expect_err("2^70 entries");
        assert_eq!(error.to_string(), "1180591620717411303424 entries do not fit the memory");
    }
}
