//! The shorthands of LANGUAGE.md, "Formats".

use comet_diag::{Diagnostic, Span, refuse};
use comet_format::{FormatError, LEVEL_FORMATS};
use comet_syntax::ast::{Ident, Number};

use super::{Owner, WrittenLevels};
use crate::names::{counted, did_you_mean};
use crate::program::{Format, Level};

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

const FIXED_ORDER: Option<&str> = Some("this format has `order={1,0}` already");
const FIXED_MAP: Option<&str> = Some("this format is a map of block and offset levels");
const FIXED_SLOT: Option<&str> = Some("this format has a slot level, which stores no mode");

const NAMED: &[Named] = &[
    named("Dense", Ranks::AtLeast(0), |rank, _| Format::dense(rank).levels),
    named("scalar", Ranks::Exactly(0), |_, _| Vec::new()),
    named("CSR", Ranks::Exactly(2), |_, _| Format::csr().levels),
    Named { fixed: FIXED_ORDER, ..named("CSC", Ranks::Exactly(2), |_, _| Format::csc().levels) },
    named("DCSR", Ranks::Exactly(2), |_, _| Format::dcsr().levels),
    Named { fixed: FIXED_ORDER, ..named("DCSC", Ranks::Exactly(2), |_, _| Format::dcsc().levels) },
    named("COO", Ranks::AtLeast(1), |rank, _| Format::coo(rank).levels),
    named("CSF", Ranks::AtLeast(2), |rank, _| Format::csf(rank).levels),
    Named { fixed: FIXED_SLOT, ..named("ELL", Ranks::Exactly(2), |_, _| Format::ell().levels) },
    Named {
        args: 2,
        fixed: FIXED_MAP,
        ..named("BCSR", Ranks::Exactly(2), |_, block| blocks(block, Format::bcsr))
    },
    Named {
        args: 2,
        fixed: FIXED_MAP,
        ..named("CSB", Ranks::Exactly(2), |_, block| blocks(block, Format::csb))
    },
    named("ModeGeneric", Ranks::Exactly(3), |_, _| Format::mode_generic().levels),
    named("SparseVector", Ranks::Exactly(1), |_, _| Format::sparse_vector().levels),
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
) -> Option<WrittenLevels> {
    let Some(named) = NAMED.iter().find(|named| named.name == name.name) else {
        return refuse(diagnostics, unknown(name));
    };
    let fits = check_rank(owner, named, name.span, diagnostics);
    let args = block_sizes(named, name.span, args, diagnostics)?;
    let levels = fits.then(|| (named.levels)(owner.rank, &args))?;
    Some(WrittenLevels { levels, fixed: named.fixed.map(str::to_owned) })
}

fn unknown(name: &Ident) -> Diagnostic {
    let message = format!("unknown format `{}`", name.name);
    if LEVEL_FORMATS.iter().any(|format| format.word == name.name) {
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
        return refuse(diagnostics, Diagnostic::error(span, message).hint(hint));
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

/// Blocks of the sizes between `<` and `>`, which have been checked.
fn blocks(sizes: &[u64], format: fn(u64, u64) -> Result<Format, FormatError>) -> Vec<Level> {
    let [rows, columns] = sizes else { return Vec::new() };
    format(*rows, *columns).map_or_else(|_| Vec::new(), |format| format.levels)
}
