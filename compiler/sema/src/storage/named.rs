//! The shorthands of LANGUAGE.md, "Formats".

use comet_diag::{Diagnostic, Span};
use comet_syntax::ast::{Ident, Number};

use super::{Layout, Owner};
use crate::names::{counted, did_you_mean};
use crate::program::{Level, LevelExpr, LevelKind};

/// A shorthand: what it needs, and the levels it stands for.
struct Named {
    name: &'static str,
    ranks: Ranks,
    /// How many numbers stand between `<` and `>`.
    args: usize,
    levels: fn(rank: usize, args: &[u64]) -> Vec<Level>,
    /// What keeps `order` from being given as well.
    fixed: Option<&'static str>,
}

enum Ranks {
    AtLeast(usize),
    Exactly(usize),
}

const D: LevelKind = LevelKind::Dense;
const CU: LevelKind = LevelKind::CompressedUnique;
const CN: LevelKind = LevelKind::CompressedNonUnique;
const S: LevelKind = LevelKind::Singleton;

const FIXED_ORDER: Option<&str> = Some("this format has `order={1,0}` already");
const FIXED_MAP: Option<&str> = Some("this format is a map of block and offset levels");
const FIXED_SLOT: Option<&str> = Some("this format has a slot level, which stores no mode");

const NAMED: &[Named] = &[
    named("Dense", Ranks::AtLeast(0), |rank, _| whole(vec![D; rank])),
    named("scalar", Ranks::Exactly(0), |_, _| Vec::new()),
    named("CSR", Ranks::Exactly(2), |_, _| whole(vec![D, CU])),
    Named { fixed: FIXED_ORDER, ..named("CSC", Ranks::Exactly(2), |_, _| columns_first(D, CU)) },
    named("DCSR", Ranks::Exactly(2), |_, _| whole(vec![CU, CU])),
    Named { fixed: FIXED_ORDER, ..named("DCSC", Ranks::Exactly(2), |_, _| columns_first(CU, CU)) },
    named("COO", Ranks::AtLeast(1), |rank, _| whole(coordinates(rank))),
    named("CSF", Ranks::AtLeast(2), |rank, _| whole(vec![CU; rank])),
    Named { fixed: FIXED_SLOT, ..named("ELL", Ranks::Exactly(2), |_, _| ell()) },
    Named {
        args: 2,
        fixed: FIXED_MAP,
        ..named("BCSR", Ranks::Exactly(2), |_, block| blocks(block, [D, CU, D, D]))
    },
    Named {
        args: 2,
        fixed: FIXED_MAP,
        ..named("CSB", Ranks::Exactly(2), |_, block| blocks(block, [D, D, CN, S]))
    },
    named("ModeGeneric", Ranks::Exactly(3), |_, _| whole(vec![CN, S, D])),
    named("SparseVector", Ranks::Exactly(1), |_, _| whole(vec![CU])),
];

const fn named(name: &'static str, ranks: Ranks, levels: fn(usize, &[u64]) -> Vec<Level>) -> Named {
    Named { name, ranks, args: 0, levels, fixed: None }
}

/// The levels of the shorthand `name`.
pub(super) fn layout(
    owner: Owner<'_>,
    name: &Ident,
    args: &[(Number, Span)],
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Layout> {
    let Some(named) = NAMED.iter().find(|named| named.name == name.name) else {
        diagnostics.push(unknown(name));
        return None;
    };
    let fits = check_rank(owner, named, name.span, diagnostics);
    let args = block_sizes(named, name.span, args, diagnostics)?;
    let levels = fits.then(|| (named.levels)(owner.rank, &args))?;
    Some(Layout { levels, fixed: named.fixed.map(str::to_owned) })
}

fn unknown(name: &Ident) -> Diagnostic {
    let message = format!("unknown format `{}`", name.name);
    if ["D", "CU", "CN", "S", "BV"].contains(&name.name.as_str()) {
        return Diagnostic::error(name.span, message)
            .hint(format!("`{0}` is a level; put it in braces, `{{{0}}}`", name.name));
    }
    let names: Vec<&str> = NAMED.iter().map(|named| named.name).collect();
    let otherwise = format!("the formats are `{}`, or levels such as `{{D, CU}}`", names.join("`, `"));
    Diagnostic::error(name.span, message).hint(did_you_mean(&name.name, names, otherwise))
}

fn check_rank(owner: Owner<'_>, named: &Named, span: Span, diagnostics: &mut Vec<Diagnostic>) -> bool {
    let (fits, expected) = match named.ranks {
        Ranks::AtLeast(least) => (owner.rank >= least, format!("at least {}", counted(least, "mode"))),
        Ranks::Exactly(rank) => (owner.rank == rank, counted(rank, "mode")),
    };
    if !fits {
        let message = format!("`{}` needs {expected}, but `{}` has {}", named.name, owner.name, owner.rank);
        diagnostics.push(
            Diagnostic::error(span, message)
                .also(owner.modes, counted(owner.rank, "mode"))
                .hint(format!("{}, or list the levels", fitting(owner.rank))),
        );
    }
    fits
}

fn fitting(rank: usize) -> &'static str {
    match rank {
        0 => "use `Dense`, the only format without modes",
        1 => "use `Dense` or `SparseVector`",
        2 => "use `CSR`, `CSC` or `COO`",
        _ => "use `CSF` or `COO`",
    }
}

fn block_sizes(
    named: &Named,
    span: Span,
    args: &[(Number, Span)],
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Vec<u64>> {
    if args.len() != named.args {
        let expected = counted(named.args, "number");
        let message = format!("`{}` takes {expected} in `<>`, found {}", named.name, args.len());
        let hint = if named.args == 0 {
            format!("write `{}`", named.name)
        } else {
            format!("give rows and columns of a block: `{}<4,4>`", named.name)
        };
        diagnostics.push(Diagnostic::error(span, message).hint(hint));
        return None;
    }
    let sizes: Vec<Option<u64>> =
        args.iter().map(|(size, span)| positive(*size, *span, diagnostics)).collect();
    sizes.into_iter().collect()
}

/// A block's extent.
pub(super) fn positive(number: Number, span: Span, diagnostics: &mut Vec<Diagnostic>) -> Option<u64> {
    let size = number.integer.and_then(|size| u64::try_from(size).ok()).filter(|&size| size > 0);
    if size.is_none() {
        let message = format!("a block's size is a whole number of at least 1, found {}", number.value);
        diagnostics.push(Diagnostic::error(span, message).hint("write for example `4`"));
    }
    size
}

fn whole(kinds: Vec<LevelKind>) -> Vec<Level> {
    kinds.into_iter().enumerate().map(|(mode, kind)| Level { expr: LevelExpr::Mode(mode), kind }).collect()
}

fn columns_first(outer: LevelKind, inner: LevelKind) -> Vec<Level> {
    vec![Level { expr: LevelExpr::Mode(1), kind: outer }, Level { expr: LevelExpr::Mode(0), kind: inner }]
}

fn coordinates(rank: usize) -> Vec<LevelKind> {
    std::iter::once(CN).chain(std::iter::repeat_n(S, rank.saturating_sub(1))).collect()
}

fn ell() -> Vec<Level> {
    vec![
        Level { expr: LevelExpr::Mode(0), kind: D },
        Level { expr: LevelExpr::Slot, kind: D },
        Level { expr: LevelExpr::Mode(1), kind: S },
    ]
}

fn blocks(block: &[u64], kinds: [LevelKind; 4]) -> Vec<Level> {
    let [rows, columns] = block else { return Vec::new() };
    let exprs = [
        LevelExpr::Div(0, *rows),
        LevelExpr::Div(1, *columns),
        LevelExpr::Mod(0, *rows),
        LevelExpr::Mod(1, *columns),
    ];
    exprs.into_iter().zip(kinds).map(|(expr, kind)| Level { expr, kind }).collect()
}
