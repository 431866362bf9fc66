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

    /// Returns the name in the language, where the format has one without arguments.
    pub fn name(&self) -> Option<&'static str> {
        let rank = self.rank;
        let named = |name, format: Self| (name, format.levels);
        let mut known = vec![named("Dense", Self::dense(rank))];
        match rank {
            0 => {}
            1 => known.push(named("SparseVector", Self::sparse_vector())),
            2 => known.extend([
                named("CSR", Self::csr()),
                named("CSC", Self::csc()),
                named("DCSR", Self::dcsr()),
                named("DCSC", Self::dcsc()),
                named("ELL", Self::ell()),
            ]),
            _ => known.push(named("CSF", Self::csf(rank))),
        }
        if rank > 0 {
            known.push(named("COO", Self::coo(rank)));
        }
        known.into_iter().find(|(_, levels)| *levels == self.levels).map(|(name, _)| name)
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

impl TypedFormat {
    /// Returns how messages call the format, in the language's words: `double in CSR`,
    /// `float in {D, CU} order={1,0} index=i64`.
    pub fn in_words(&self) -> String {
        let Format { levels, index_width, .. } = &self.format;
        let modes: Option<Vec<usize>> = levels
            .iter()
            .map(|level| match level.expr {
                LevelExpr::Mode(mode) => Some(mode),
                _ => None,
            })
            .collect();
        let index = match index_width {
            IndexWidth::I64 if !self.format.is_dense() => " index=i64",
            _ => "",
        };
        let levels = match (self.format.name(), modes) {
            (Some(name), _) => name.to_owned(),
            (None, Some(modes)) => {
                let kinds = levels.iter().map(|level| level.kind.to_string()).collect::<Vec<_>>();
                let order = modes.iter().map(usize::to_string).collect::<Vec<_>>();
                let order = match modes.is_sorted() {
                    true => String::new(),
                    false => format!(" order={{{}}}", order.join(",")),
                };
                format!("{{{}}}{order}", kinds.join(", "))
            }
            // Of blocks, what each level stores.
            (None, None) => return format!("{} in {}", self.value.row().word, self.format),
        };
        format!("{} in {levels}{index}", self.value.row().word)
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

    #[test]
    fn formats_in_words() {
        let words = |format: Format, value: ValueType| format.of(value).in_words();
        assert_eq!(words(Format::csc(), ValueType::F64), "double in CSC");
        assert_eq!(
            words(Format::csr().with_index_width(IndexWidth::I64), ValueType::F32),
            "float in CSR index=i64"
        );
        assert_eq!(words(Format::dense(2), ValueType::I64), "int in Dense");
        let columns = ordered(&[D, D], &[1, 0]);
        assert_eq!(words(columns, ValueType::F64), "double in {D, D} order={1,0}");
        assert!(words(Format::ell(), ValueType::F64).contains("ELL"));
    }
}
