//! The formats that have a name, and formats from a list of levels in storage order.

use crate::check::error;
use crate::{Format, FormatError, IndexWidth, Level, LevelExpr, LevelKind, TypedFormat, ValueType};
use LevelKind::{CompressedNonUnique as CN, CompressedUnique as CU, Dense as D, Singleton as S};

impl Format {
    /// Level l stores mode `order[l]`; an empty order is the order of the modes.
    pub fn from_levels(kinds: &[LevelKind], order: &[usize]) -> Result<Self, FormatError> {
        if !order.is_empty() && order.len() != kinds.len() {
            return error(format!("{} levels but an order of {}", kinds.len(), order.len()));
        }
        let mode_of = |level: usize| order.get(level).copied().unwrap_or(level);
        let levels = kinds
            .iter()
            .enumerate()
            .map(|(level, &kind)| Level { expr: LevelExpr::Mode(mode_of(level)), kind })
            .collect();
        Self { rank: kinds.len(), levels, index_width: IndexWidth::I32 }.checked()
    }

    /// Levels with any coordinates, of a tensor of that rank.
    pub fn from_map(rank: usize, levels: Vec<Level>) -> Result<Self, FormatError> {
        Self { rank, levels, index_width: IndexWidth::I32 }.checked()
    }

    /// D … D.
    pub fn dense(rank: usize) -> Self {
        in_order(&vec![D; rank])
    }

    /// D CU.
    pub fn csr() -> Self {
        in_order(&[D, CU])
    }

    /// D CU, columns first.
    pub fn csc() -> Self {
        ordered(&[D, CU], &[1, 0])
    }

    /// CU CU.
    pub fn dcsr() -> Self {
        in_order(&[CU, CU])
    }

    /// CU CU, columns first.
    pub fn dcsc() -> Self {
        ordered(&[CU, CU], &[1, 0])
    }

    /// CN S … S; no level where there are no modes.
    pub fn coo(rank: usize) -> Self {
        let mut kinds = vec![S; rank];
        kinds.iter_mut().take(1).for_each(|first| *first = CN);
        in_order(&kinds)
    }

    /// CU … CU.
    pub fn csf(rank: usize) -> Self {
        in_order(&vec![CU; rank])
    }

    /// Row D, slot D, column S.
    pub fn ell() -> Self {
        mapped(2, &[(LevelExpr::Mode(0), D), (LevelExpr::Slot, D), (LevelExpr::Mode(1), S)])
    }

    /// Blocks of r × c, the rows of blocks D and their columns CU.
    pub fn bcsr(rows: u64, columns: u64) -> Result<Self, FormatError> {
        mapped(2, &blocks(rows, columns, [D, CU, D, D])).checked()
    }

    /// A dense grid of blocks of r × c, each a list of coordinates.
    pub fn csb(rows: u64, columns: u64) -> Result<Self, FormatError> {
        mapped(2, &blocks(rows, columns, [D, D, CN, S])).checked()
    }

    /// CN S D.
    pub fn mode_generic() -> Self {
        in_order(&[CN, S, D])
    }

    /// CU.
    pub fn sparse_vector() -> Self {
        in_order(&[CU])
    }

    /// The same levels with arrays of another width.
    pub fn with_index_width(self, index_width: IndexWidth) -> Self {
        Self { index_width, ..self }
    }

    /// The format with a type of values.
    pub fn of(self, value: ValueType) -> TypedFormat {
        TypedFormat { value, format: self }
    }
}

fn in_order(kinds: &[LevelKind]) -> Format {
    let order: Vec<usize> = (0..kinds.len()).collect();
    ordered(kinds, &order)
}

fn ordered(kinds: &[LevelKind], order: &[usize]) -> Format {
    let levels: Vec<_> = order.iter().map(|&mode| LevelExpr::Mode(mode)).zip(kinds.iter().copied()).collect();
    mapped(kinds.len(), &levels)
}

fn mapped(rank: usize, levels: &[(LevelExpr, LevelKind)]) -> Format {
    let levels = levels.iter().map(|&(expr, kind)| Level { expr, kind }).collect();
    Format { rank, levels, index_width: IndexWidth::I32 }
}

fn blocks(rows: u64, columns: u64, kinds: [LevelKind; 4]) -> Vec<(LevelExpr, LevelKind)> {
    let exprs = [
        LevelExpr::Div(0, rows),
        LevelExpr::Div(1, columns),
        LevelExpr::Mod(0, rows),
        LevelExpr::Mod(1, columns),
    ];
    exprs.into_iter().zip(kinds).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_spell_the_levels_of_the_language_reference() {
        assert_eq!(Format::csc().to_string(), "i32 (1 : D, 0 : CU)");
        assert_eq!(Format::coo(3).to_string(), "i32 (0 : CN, 1 : S, 2 : S)");
        assert_eq!(Format::ell().to_string(), "i32 (0 : D, slot : D, 1 : S)");
        assert_eq!(Format::bcsr(2, 3).unwrap().to_string(), "i32 (0/2 : D, 1/3 : CU, 0%2 : D, 1%3 : D)");
        assert_eq!(Format::csb(2, 3).unwrap().to_string(), "i32 (0/2 : D, 1/3 : D, 0%2 : CN, 1%3 : S)");
        assert!(Format::bcsr(0, 3).is_err());
        assert!(Format::from_levels(&[D, CU], &[1, 1]).is_err());
    }
}
