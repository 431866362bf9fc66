//! Where an operand has entries: what tiles are made of. Values are of no interest to traffic.

/// Coordinates of entries, one column a mode, sorted by the first mode, then the second, and so on, each
/// point once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Points {
    extents: Vec<u64>,
    columns: Vec<Vec<u32>>,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PointsError {
    /// An extent is beyond what coordinates of tiles are kept in.
    #[error("mode {mode} has the extent {extent}, and tiles are made up to {}", u32::MAX)]
    TooLarge { mode: usize, extent: u64 },
    /// More points than positions in levels are kept in.
    #[error("there are {count} entries, and tiles are made of up to {}", u32::MAX)]
    TooMany { count: usize },
    #[error("the coordinate {coordinate} in mode {mode} is outside of the extent")]
    Outside { mode: usize, coordinate: i64 },
}

impl Points {
    /// Sorts entries and leaves out what is there twice. Column m holds the coordinates in mode m; all
    /// columns are of one length.
    ///
    /// # Errors
    /// Extents of 2³² and more, as many points, coordinates that are not below the extents.
    ///
    /// ```
    /// use comet_tiling::Points;
    /// let points = Points::new(&[3, 4], &[vec![2, 0, 2], vec![1, 3, 1]]).unwrap();
    /// assert_eq!(points.len(), 2);
    /// assert_eq!(points.column(1), [3, 1]);
    /// ```
    pub fn new(extents: &[u64], columns: &[Vec<i64>]) -> Result<Self, PointsError> {
        let count = columns.first().map_or(0, Vec::len);
        if count > u32::MAX as usize {
            return Err(PointsError::TooMany { count });
        }
        let mut narrow = Vec::with_capacity(columns.len());
        for (mode, (column, &extent)) in columns.iter().zip(extents).enumerate() {
            if extent > u64::from(u32::MAX) {
                return Err(PointsError::TooLarge { mode, extent });
            }
            let of = |&coordinate: &i64| match u32::try_from(coordinate) {
                Ok(own) if u64::from(own) < extent => Ok(own),
                _ => Err(PointsError::Outside { mode, coordinate }),
            };
            narrow.push(column.iter().map(of).collect::<Result<Vec<u32>, _>>()?);
        }
        Ok(Self::sorted(extents.to_vec(), narrow))
    }

    /// Sorts coordinates that are below their extents.
    pub(crate) fn sorted(extents: Vec<u64>, columns: Vec<Vec<u32>>) -> Self {
        let count = columns.first().map_or(0, Vec::len);
        let is_sorted =
            |place: usize| columns.iter().map(|of| of[place - 1]).lt(columns.iter().map(|of| of[place]));
        if (1..count).all(is_sorted) {
            return Self { extents, columns };
        }
        let mut order: Vec<u32> = (0..count as u32).collect();
        for (column, extent) in columns.iter().zip(&extents).rev() {
            order = stable_order(&order, *extent as usize, |entry| column[entry as usize] as usize);
        }
        let of = |place: u32| columns.iter().map(move |column| column[place as usize]);
        order.dedup_by(|later, earlier| of(*later).eq(of(*earlier)));
        let columns =
            columns.iter().map(|column| order.iter().map(|&place| column[place as usize]).collect());
        Self { columns: columns.collect(), extents }
    }

    /// The points with the modes in another order, or with some of them only, each point once: mode m of the
    /// result is mode `order[m]` of this.
    #[must_use]
    pub fn permuted(&self, order: &[usize]) -> Self {
        let extents = order.iter().map(|&mode| self.extents[mode]).collect();
        Self::sorted(extents, order.iter().map(|&mode| self.columns[mode].clone()).collect())
    }

    /// Those of the points that have one coordinate in both modes, without the second of these modes.
    #[must_use]
    pub fn diagonal(&self, first: usize, second: usize) -> Self {
        let stays: Vec<usize> = (0..self.len())
            .filter(|&place| self.columns[first][place] == self.columns[second][place])
            .collect();
        let kept = |mode: &usize| *mode != second;
        let column = |mode: usize| stays.iter().map(|&place| self.columns[mode][place]).collect();
        let columns = (0..self.rank()).filter(kept).map(column).collect();
        Self::sorted((0..self.rank()).filter(kept).map(|mode| self.extents[mode]).collect(), columns)
    }

    /// The points of this that are not among others, whose extents are the same.
    #[must_use]
    pub fn without(&self, others: &Self) -> Self {
        let mut columns = vec![Vec::new(); self.rank()];
        let mut other = 0;
        for place in 0..self.len() {
            let at = |points: &Self, place: usize, mode: usize| points.columns[mode][place];
            let compared = |other: usize| {
                let each = (0..self.rank()).map(|mode| at(others, other, mode).cmp(&at(self, place, mode)));
                each.fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then)
            };
            while other < others.len() && compared(other).is_lt() {
                other += 1;
            }
            if other == others.len() || compared(other).is_gt() {
                columns.iter_mut().zip(&self.columns).for_each(|(own, all)| own.push(all[place]));
            }
        }
        Self { extents: self.extents.clone(), columns }
    }

    /// The points of both, whose extents are the same.
    #[must_use]
    pub fn united(&self, others: &Self) -> Self {
        let columns = self.columns.iter().zip(&others.columns).map(|(own, other)| [&own[..], other].concat());
        Self::sorted(self.extents.clone(), columns.collect())
    }

    /// With two modes in place of each: the numbers of tiles of these sizes along all of them, then the
    /// places inside of the tiles.
    #[must_use]
    pub fn cut(&self, sizes: &[u64]) -> Self {
        self.nested(std::slice::from_ref(&sizes.to_vec()))
    }

    /// The same with tiles inside of tiles: for each list of sizes, the outermost first, the numbers of its
    /// tiles inside of those before, and last the places inside of the innermost ones.
    #[must_use]
    pub(crate) fn nested(&self, sizes: &[Vec<u64>]) -> Self {
        let (mut extents, mut columns) = (Vec::new(), Vec::new());
        let (mut inside, mut within) = (self.columns.clone(), self.extents.clone());
        for sizes in sizes {
            for (mode, &size) in sizes.iter().enumerate() {
                let narrow = size.min(within[mode]).max(1) as u32;
                extents.push(within[mode].div_ceil(size));
                columns.push(inside[mode].iter().map(|at| at / narrow).collect());
                inside[mode].iter_mut().for_each(|at| *at %= narrow);
            }
            within.clone_from(sizes);
        }
        extents.extend(within);
        columns.extend(inside);
        Self::sorted(extents, columns)
    }

    #[must_use]
    pub fn within(&self, extents: &[u64]) -> Self {
        let extents = self.extents.iter().zip(extents).map(|(&own, &other)| own.max(other)).collect();
        Self { extents, columns: self.columns.clone() }
    }

    /// How many points have each coordinate of a mode.
    pub(crate) fn entries_along(&self, mode: usize) -> Vec<u32> {
        let mut counts = vec![0; self.extents[mode] as usize];
        self.columns[mode].iter().for_each(|&at| counts[at as usize] += 1);
        counts
    }

    /// The points all of whose coordinates are kept: one list for each mode, none keeps all.
    pub(crate) fn filtered(&self, kept: &[Option<&[bool]>]) -> Self {
        let mut columns = vec![Vec::new(); self.rank()];
        let mut look = |place: usize| {
            let is_kept = |(column, kept): (&Vec<u32>, &Option<&[bool]>)| {
                kept.is_none_or(|kept| kept[column[place] as usize])
            };
            if self.columns.iter().zip(kept).all(is_kept) {
                columns.iter_mut().zip(&self.columns).for_each(|(own, all)| own.push(all[place]));
            }
        };
        match kept.first().copied().flatten() {
            Some(first) => self.runs(first).for_each(|run| run.for_each(&mut look)),
            None => (0..self.len()).for_each(look),
        }
        Self { extents: self.extents.clone(), columns }
    }

    /// All points whose coordinates are kept, if there are not too many.
    pub(crate) fn all(extents: &[u64], kept: &[Option<&[bool]>], most: usize) -> Option<Self> {
        let listed = |(&extent, kept): (&u64, &Option<&[bool]>)| -> Vec<u32> {
            (0..extent as u32).filter(|&at| kept.is_none_or(|kept| kept[at as usize])).collect()
        };
        let too_many = extents.iter().any(|&extent| extent > most as u64 * 64);
        let lists: Vec<Vec<u32>> =
            if too_many { return None } else { extents.iter().zip(kept).map(listed).collect() };
        let count = lists.iter().try_fold(1usize, |count, list| count.checked_mul(list.len()))?;
        if count > most {
            return None;
        }
        let mut columns = vec![Vec::with_capacity(count); lists.len()];
        for place in 0..count {
            let mut rest = place;
            for (column, list) in columns.iter_mut().zip(&lists).rev() {
                column.push(list[rest % list.len()]);
                rest /= list.len();
            }
        }
        Some(Self { extents: extents.to_vec(), columns })
    }

    /// Where the points are whose first coordinates are kept: they are sorted by it.
    fn runs<'a>(&'a self, kept: &'a [bool]) -> impl Iterator<Item = std::ops::Range<usize>> + 'a {
        let column = &self.columns[0];
        let mut begin = 0;
        let wanted = (0..kept.len() as u32).filter(|&at| kept[at as usize]);
        wanted.map(move |at| {
            begin += skipped(&column[begin..], |other| other < at);
            let count = skipped(&column[begin..], |other| other <= at);
            begin += count;
            begin - count..begin
        })
    }

    pub fn rank(&self) -> usize {
        self.columns.len()
    }

    pub fn len(&self) -> usize {
        self.columns.first().map_or(0, Vec::len)
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn extents(&self) -> &[u64] {
        &self.extents
    }

    pub fn column(&self, mode: usize) -> &[u32] {
        &self.columns[mode]
    }
}

/// Random points with so many modes of up to so many coordinates, and a size of tiles along each mode.
#[cfg(test)]
pub(crate) fn drawn(
    random: &mut crate::random::Random,
    rank: usize,
    longest: usize,
    entries: usize,
) -> (Points, Vec<u64>) {
    let extents: Vec<u64> = (0..rank).map(|_| 1 + random.below(longest) as u64).collect();
    let column = |extent: &u64| (0..entries).map(|_| random.below(*extent as usize) as i64).collect();
    let columns: Vec<Vec<i64>> = extents.iter().map(column).collect();
    let sizes = extents.iter().map(|&extent| 1 + random.below(extent as usize) as u64).collect();
    (Points::new(&extents, &columns).expect("inside"), sizes)
}

/// How many coordinates of a sorted column come first: a few steps if these are few.
pub(crate) fn skipped(column: &[u32], comes_first: impl Fn(u32) -> bool) -> usize {
    let mut step = 1;
    while column.get(step).is_some_and(|&at| comes_first(at)) {
        step *= 2;
    }
    let low = step / 2;
    low + column[low..column.len().min(step + 1)].partition_point(|&at| comes_first(at))
}

/// Entries in the order of their keys, which are below `keys`; those of one key stay as they are. Linear in
/// the entries and the keys.
pub(crate) fn stable_order(entries: &[u32], keys: usize, key: impl Fn(u32) -> usize) -> Vec<u32> {
    if keys <= 1 {
        return entries.to_vec();
    }
    // Many keys of few entries would take longer to go over than the entries to sort.
    if keys / 16 > entries.len() {
        let mut sorted = entries.to_vec();
        sorted.sort_by_key(|&entry| key(entry));
        return sorted;
    }
    Buckets::new(entries, keys, key).order
}

/// Entries in the order of their keys; those of one key stay in the order in which they come.
#[derive(Clone, Debug)]
pub(crate) struct Buckets {
    order: Vec<u32>,
    starts: Vec<u32>,
}

impl Buckets {
    /// Sorts entries by keys below `keys`.
    pub(crate) fn new(entries: &[u32], keys: usize, key: impl Fn(u32) -> usize) -> Self {
        // While entries are put in their places, the next place of key k is that of number k + 1, so that
        // number k is where the entries of k begin when all are there.
        let mut starts = vec![0u32; keys + 2];
        for &entry in entries {
            starts[key(entry) + 2] += 1;
        }
        for place in 2..keys + 2 {
            starts[place] += starts[place - 1];
        }
        let mut order = vec![0u32; entries.len()];
        for &entry in entries {
            let place = &mut starts[key(entry) + 1];
            order[*place as usize] = entry;
            *place += 1;
        }
        Self { order, starts }
    }

    pub(crate) fn of(&self, key: usize) -> &[u32] {
        &self.order[self.start(key)..self.start(key + 1)]
    }

    /// Returns how many entries have smaller keys.
    pub(crate) fn start(&self, key: usize) -> usize {
        self.starts[key] as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Modes change places, and points stay sorted.
    #[test]
    fn permuted_points_are_sorted() {
        let points = Points::new(&[3, 4], &[vec![0, 1, 2], vec![3, 0, 1]]).expect("they are inside");
        let turned = points.permuted(&[1, 0]);
        assert_eq!((turned.column(0), turned.column(1)), (&[0, 1, 3][..], &[1, 2, 0][..]));
        assert_eq!(turned.extents(), [4, 3]);
    }

    /// `A[i,i]` has what stands on the diagonal.
    #[test]
    fn diagonals_lose_a_mode() {
        let points = Points::new(&[3, 3], &[vec![0, 1, 2], vec![0, 2, 2]]).expect("they are inside");
        assert_eq!(points.diagonal(0, 1).column(0), [0, 2]);
    }

    /// Coordinates beyond the extents are reported.
    #[test]
    fn coordinates_are_checked() {
        let report = Points::new(&[2], &[vec![2]]).expect_err("2 is outside");
        assert_eq!(report, PointsError::Outside { mode: 0, coordinate: 2 });
    }
}
