//! Tiles that are sure to fit: what the search comes to is looked at with all entries, and made smaller until
//! every tile fits, in the buffer of its access or together with those of the others in a shared one.

use crate::cube::conservative_in;
use crate::observed::Observed;
use crate::optimize::is_far;
use crate::statement::{Tiles, Var};

impl Observed<'_> {
    /// The tiles of which the least traffic is expected among those that fit for sure: what single steps come
    /// to, larger by what is left of the buffer, and smaller where some tile turns out not to fit. Others are
    /// looked at only where the first ones do not fit.
    pub(crate) fn sure(&self) -> Tiles {
        let mut best = self.with_total(conservative_in(self.statement, &self.memory));
        for tiles in self.optima() {
            let tiles = self.resize(&tiles);
            let verified = self.verified(&tiles);
            let sure = self.with_total(self.filled(&verified));
            let is_first_choice = verified == tiles;
            if sure.1 < best.1 {
                best = sure;
            }
            if is_first_choice {
                break;
            }
        }
        best.0
    }

    /// Tiles of several shapes that fit for sure: the best ones, and the best of those that are some times as
    /// long or as short along a variable as all before.
    pub(crate) fn candidates(&self, most: usize) -> Vec<Tiles> {
        let mut found = vec![self.sure()];
        let starts = self.starts().into_iter().map(|(tiles, _)| tiles);
        for tiles in self.optima().into_iter().skip(1).chain(starts) {
            if found.len() < most && found.iter().all(|other| is_far(&tiles, other)) {
                found.push(self.verified(&tiles));
            }
        }
        found
    }

    /// What all entries say is left of the buffer goes to a variable as well, once.
    fn filled(&self, tiles: &Tiles) -> Tiles {
        let all: Vec<Var> = self.loops_inside().map(Var).collect();
        let expected = self.estimate(tiles).total();
        let is_better = |other: &Tiles| self.estimate(other).total() < expected;
        let larger = self.scaled(tiles, (&all, self.fullest_surely(tiles).recip()), &is_better);
        larger.filter(|larger| self.fullest_surely(larger) <= 1.0).unwrap_or_else(|| tiles.clone())
    }

    /// Tiles that are sure to fit: all entries are looked at, and tiles that were expected to fit and do not
    /// are made smaller along their indices.
    pub(crate) fn verified(&self, tiles: &Tiles) -> Tiles {
        let mut best = tiles.clone();
        if self.memory.is_shared() {
            while let Some(smaller) = self.smaller_together(&best) {
                best = smaller;
            }
            return best;
        }
        let mut is_sure = vec![false; self.statement.accesses.len()];
        while let Some(number) = is_sure.iter().position(|is_sure| !is_sure) {
            let access = &self.statement.accesses[number];
            loop {
                let share = self.beyond(number, &best);
                if share <= 1.0 {
                    is_sure[number] = true;
                    break;
                }
                // Shorter tiles begin elsewhere: what fit before is looked at again.
                is_sure.fill(false);
                let along = (&access.indices[..], share.recip() * 0.98);
                match self.scaled(&best, along, &|_| true) {
                    Some(smaller) => best = smaller,
                    None => return best,
                }
            }
        }
        best
    }

    /// Smaller tiles, where those of all accesses do not fit together: of the access whose fullest one takes
    /// most, or else of another one.
    fn smaller_together(&self, tiles: &Tiles) -> Option<Tiles> {
        let accesses = 0..self.statement.accesses.len();
        let mut shares: Vec<(usize, f64)> =
            accesses.map(|access| (access, self.sure_share(access, tiles))).collect();
        let beyond = shares.iter().map(|(_, share)| share).sum::<f64>() - 1.0;
        if beyond <= 0.0 {
            return None;
        }
        shares.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        let smaller = |(access, share): (usize, f64)| {
            let factor = ((share - beyond) / share * 0.98).clamp(0.5, 0.98);
            let along = (&self.statement.accesses[access].indices[..], factor);
            self.scaled(tiles, along, &|_| true)
        };
        shares.into_iter().filter(|(_, share)| *share > 0.0).find_map(smaller)
    }
}
