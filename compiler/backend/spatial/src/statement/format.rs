//! Formats that applications have: dense and compressed levels of modes, or of tiles of them, in the order of
//! the loops.

use comet_format::{Format, Level, LevelExpr, LevelKind};
use comet_ir::Op;
use comet_ir::cin::{self, Operator, Reduction};
use comet_notation::Function;
use comet_spatial::app::{LEVEL_KINDS, whole};

/// The levels as applications know them, each with its number among the parts of modes that indices have.
///
/// # Panics
/// One of them is of another part; `in_order` returns formats that have none.
pub(super) fn levels(format: &Format, parts: &[LevelExpr]) -> Vec<Level> {
    if format.levels.is_empty() {
        return (0..format.rank).map(|mode| whole(mode, LevelKind::Dense)).collect();
    }
    let level = |level: &Level| {
        let number =
            parts.iter().position(|part| *part == level.expr).expect("a level is of an index's part");
        Level { expr: level.expr.with_mode(number), ..*level }
    };
    format.levels.iter().map(level).collect()
}

/// Whether applications have a level.
fn is_known(level: &Level) -> bool {
    LEVEL_KINDS.contains(&level.kind) && !level.is_slot()
}

/// The format to copy a tensor to, or from, if its levels are not what applications have in the order of the
/// loops. `places` says where the loops come to the part of each mode.
pub(super) fn in_order(format: &Format, places: &[(LevelExpr, usize)]) -> Option<Format> {
    let place = |level: &Level| places.iter().find(|(part, _)| *part == level.expr).map(|(_, place)| *place);
    let own: Option<Vec<usize>> =
        format.levels.iter().map(|level| place(level).filter(|_| is_known(level))).collect();
    let is_divided = places.iter().any(|(part, _)| !matches!(part, LevelExpr::Mode(_)));
    let is_known = own.is_some_and(|own| {
        let is_dense_in_any_order = format.is_dense() && !is_divided;
        is_dense_in_any_order || own.is_sorted_by(|one, other| one < other)
    });
    (!is_known).then(|| copy(format, places))
}

/// A format of levels in the order of the loops. All are dense where all were. Otherwise they are of the
/// kinds that they were, if they come in their order, and if not compressed, but for an outermost level that
/// stays dense if another one is below it. Tiles are dense, but below compressed levels.
fn copy(format: &Format, places: &[(LevelExpr, usize)]) -> Format {
    let mut places = places.to_vec();
    places.sort_by_key(|(_, place)| *place);
    let own = |mode: usize| {
        format.levels.iter().position(|level| level.expr == LevelExpr::Mode(mode) && is_known(level))
    };
    let kept = places.iter().filter(|(part, _)| !matches!(part, LevelExpr::Div(..)));
    let kept: Option<Vec<usize>> = kept.map(|(part, _)| own(part.mode()?)).collect();
    let is_in_order = kept.is_some_and(|kept| kept.is_sorted_by(|one, other| one < other));
    let is_outer_dense = format.rank > 1 && format.levels.first().is_some_and(|level| level.kind.is_full());
    let (mut levels, mut is_first) = (Vec::<Level>::new(), true);
    for (part, _) in places {
        let is_all_dense = levels.iter().all(|level| level.kind.is_full());
        let is_tile = matches!(part, LevelExpr::Div(..));
        let own = part.mode().and_then(own).filter(|_| is_in_order);
        let kind = match own {
            _ if format.is_dense() => LevelKind::Dense,
            _ if is_tile && is_all_dense => LevelKind::Dense,
            _ if is_tile => LevelKind::CompressedUnique,
            Some(own) => format.levels[own].kind,
            None if is_first && is_outer_dense => LevelKind::Dense,
            None => LevelKind::CompressedUnique,
        };
        is_first &= is_tile;
        levels.push(Level { expr: part, kind });
    }
    Format { rank: format.rank, levels, index_width: format.index_width }
}

/// Whether there is a value only where all operands are stored.
pub(super) fn is_product(compute: Op<'_>) -> bool {
    is_arithmetic(compute) && compute.walk::<cin::Unite<'_>>().is_empty()
}

/// Whether what is not stored counts as 0 and nothing else: sums and products, added up.
pub(super) fn is_arithmetic(compute: Op<'_>) -> bool {
    let has_masks = !compute.descendants::<cin::Mask>().is_empty();
    let mut unites = compute.walk::<cin::Unite>().into_iter();
    let mut functions = compute.walk::<cin::Apply>().into_iter();
    let keeps_zero =
        |apply: cin::Apply<'_>| Function::named(apply.function().word()).is_some_and(Function::keeps_zero);
    let mut combines = compute.walk::<cin::Combine>().into_iter();
    let mut assigns = compute.walk::<cin::Assign>().into_iter();
    !has_masks
        && unites.all(|unite| matches!(unite.op(), Operator::Add | Operator::Sub))
        && functions.all(keeps_zero)
        && combines.all(|combine| combine.op() == Operator::Mul)
        && assigns.all(|assign| matches!(assign.reduction(), Reduction::Set | Reduction::Add))
}
