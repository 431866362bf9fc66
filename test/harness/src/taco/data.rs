//! Random files for the operands of an expression.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use comet_syntax::ast::{
    AssignOp, DimKind, Element, Expr, ExprKind, FormatKind, FormatOptionKind, Ident, Index, LevelKind,
    Module, StmtKind, TensorDecl,
};

use crate::random::rng::Rng;

/// A way to make data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Few entries, with empty slices.
    Sparse,
    /// Many entries, of matrices in `.mtx` files, which also state the sizes.
    Filled,
    /// One operand is empty.
    EmptyOperand,
    /// All extents are 1.
    One,
    /// An extent is 0.
    NoExtent,
}

impl Kind {
    pub(super) const ALL: [Self; 5] =
        [Self::Sparse, Self::Filled, Self::EmptyOperand, Self::One, Self::NoExtent];

    /// How many of a hundred positions have entries.
    fn density(self) -> usize {
        match self {
            Self::Sparse => 25,
            Self::Filled => 70,
            Self::EmptyOperand => 50,
            Self::One | Self::NoExtent => 100,
        }
    }
}

/// Index spaces are not larger than this, for the oracle's sake.
const MOST_POINTS: usize = 20_000;

/// Writes files for the operands of a program into a folder; returns the flags that name them and state
/// sizes.
///
/// # Errors
/// Those of the file system.
pub(super) fn write(
    module: &Module,
    kind: Kind,
    rng: &mut Rng,
    folder: &Path,
) -> std::io::Result<Vec<String>> {
    let tensors = declarations(module);
    let sizes = sizes(module, &tensors, kind, rng);
    let tensors: Vec<SizedTensor<'_>> =
        tensors.into_iter().map(|tensor| SizedTensor::of(module, tensor, &sizes, rng)).collect();
    let operands: Vec<&SizedTensor<'_>> =
        tensors.iter().filter(|tensor| is_operand(module, tensor.decl)).collect();
    let empty = (kind == Kind::EmptyOperand).then(|| rng.below(operands.len()));
    let mut flags = Vec::new();
    let mut stated = Vec::new();
    for (number, SizedTensor { decl: tensor, dims, .. }) in operands.into_iter().enumerate() {
        let is_empty = empty == Some(number) && !dims.is_empty();
        let entries = if is_empty { Vec::new() } else { entries(tensor, dims, kind, rng) };
        let is_matrix = kind == Kind::Filled && dims.len() == 2;
        let path = folder.join(format!("{}.{}", tensor.name.name, if is_matrix { "mtx" } else { "tns" }));
        std::fs::write(&path, text(&entries, is_matrix.then_some(dims)))?;
        if is_matrix {
            stated.extend(labels(tensor));
        }
        flags.push(format!("-i={}:{}", written(&tensor.name.name), path.display()));
    }
    let fixed = windowed(module);
    let others = sizes.iter().filter(|(label, _)| !stated.contains(label) && !fixed.contains_key(**label));
    flags.extend(others.map(|(label, size)| format!("-d={}:{size}", written(label))));
    flags.extend(tensors.iter().filter(|tensor| tensor.has_own_sizes).map(SizedTensor::flag));
    Ok(flags)
}

/// A tensor with its extents.
struct SizedTensor<'a> {
    decl: &'a TensorDecl,
    dims: Vec<usize>,
    /// Whether labels do not determine all of them: a mode that only windows access.
    has_own_sizes: bool,
}

impl<'a> SizedTensor<'a> {
    /// A mode without a label is as large as its windows need, or a little larger.
    fn of(module: &Module, decl: &'a TensorDecl, sizes: &BTreeMap<&str, usize>, rng: &mut Rng) -> Self {
        let mut has_own_sizes = false;
        let dims = decl.dims.iter().enumerate().map(|(mode, dim)| match &dim.kind {
            DimKind::Label(label) => sizes[label.as_str()],
            _ => {
                has_own_sizes = true;
                windows_end(module, &decl.name.name, mode) + rng.below(3)
            }
        });
        let dims = dims.collect();
        Self { decl, dims, has_own_sizes }
    }

    /// `-d=A:5,6`.
    fn flag(&self) -> String {
        let dims: Vec<String> = self.dims.iter().map(usize::to_string).collect();
        format!("-d={}:{}", written(&self.decl.name.name), dims.join(","))
    }
}

/// Where the windows of a mode end.
fn windows_end(module: &Module, tensor: &str, mode: usize) -> usize {
    let accesses = accesses(module).into_iter().filter(|(name, _)| name.name == tensor);
    let bounds = accesses.filter_map(|(_, indices)| bounds(indices.get(mode)?));
    bounds.map(|[_, end, _]| end).max().unwrap_or_default()
}

/// First coordinate, end and step of a window.
fn bounds(index: &Index) -> Option<[usize; 3]> {
    let Index::Window(window) = index else { return None };
    let number = |bound: &Option<Expr>, absent| match bound.as_ref().map(|bound| &bound.kind) {
        Some(ExprKind::Number(number)) => number.integer.map(|number| number as usize),
        _ => Some(absent),
    };
    Some([number(&window.lo, 0)?, number(&window.hi, 0)?, number(&window.step, 1)?])
}

/// The labels of windows, whose lengths are their sizes.
fn windowed(module: &Module) -> BTreeMap<String, usize> {
    let indices = accesses(module).into_iter().flat_map(|(_, indices)| indices);
    let windows = indices.filter_map(|index| {
        let [start, end, step] = bounds(index)?;
        Some((index.label()?.name, end.checked_sub(start)?.div_ceil(step)))
    });
    windows.collect()
}

/// As in the expression: a keyword of the `.ta` language has a `_` behind it in the program.
fn written(name: &str) -> &str {
    name.trim_end_matches('_')
}

fn declarations(module: &Module) -> Vec<&TensorDecl> {
    let statements = module.functions.iter().flat_map(|function| &function.body);
    let declarations = statements.filter_map(|stmt| match &stmt.kind {
        StmtKind::Tensor(decl) => Some(decl),
        _ => None,
    });
    declarations.collect()
}

fn labels(tensor: &TensorDecl) -> impl Iterator<Item = &str> {
    tensor.dims.iter().filter_map(|dim| match &dim.kind {
        DimKind::Label(label) => Some(label.as_str()),
        _ => None,
    })
}

/// Whether the right-hand side of an assignment mentions the tensor, or the tensor is added to.
fn is_operand(module: &Module, tensor: &TensorDecl) -> bool {
    let mut statements = module.functions.iter().flat_map(|function| &function.body);
    statements.any(|stmt| match &stmt.kind {
        StmtKind::Assign(assign) => {
            let mut is_mentioned = assign.op != AssignOp::Set && assign.tensor.name == tensor.name.name;
            each_access(&assign.value, &mut |name, _| is_mentioned |= name.name == tensor.name.name);
            is_mentioned
        }
        _ => false,
    })
}

/// A size for each label; those that stand for one mode of a tensor have the same.
fn sizes<'a>(
    module: &'a Module,
    tensors: &[&'a TensorDecl],
    kind: Kind,
    rng: &mut Rng,
) -> BTreeMap<&'a str, usize> {
    let all: BTreeSet<&str> = tensors.iter().flat_map(|tensor| labels(tensor)).collect();
    let groups = groups(module);
    let all: BTreeSet<&str> = all.into_iter().chain(groups.iter().flatten().copied()).collect();
    let fits = |size: &usize| size.checked_pow(all.len() as u32).is_some_and(|points| points <= MOST_POINTS);
    let most = (2..=6).rev().find(fits).unwrap_or(2);
    let zero = rng.below(all.len());
    // What an index goes over whole may be what a window is of elsewhere.
    let windows = accesses(module).into_iter().flat_map(|(_, indices)| indices.iter().filter_map(bounds));
    let least = windows.map(|[_, end, _]| end).max().unwrap_or_default();
    let draw = |(at, label)| match kind {
        Kind::One => (label, least.max(1)),
        Kind::NoExtent if at == zero => (label, least),
        _ => (label, rng.between(2, most).max(least)),
    };
    let mut sizes: BTreeMap<&str, usize> = all.into_iter().enumerate().map(draw).collect();
    let windowed = windowed(module);
    let fixed = |label: &str| windowed.get(label).copied();
    sizes.iter_mut().for_each(|(label, size)| *size = fixed(label).unwrap_or(*size));
    // A size becomes the fixed one of its group, or shrinks, so this ends.
    loop {
        let before = sizes.clone();
        for group in &groups {
            let least = group.iter().map(|label| sizes[label]).min().unwrap_or_default();
            let size = group.iter().find_map(|label| fixed(label)).unwrap_or(least);
            sizes.extend(group.iter().map(|label| (*label, size)));
        }
        if sizes == before {
            return sizes;
        }
    }
}

/// The labels that each mode of each tensor is accessed with, but for those of windows.
fn groups(module: &Module) -> Vec<Vec<&str>> {
    let mut groups: BTreeMap<(&str, usize), Vec<&str>> = BTreeMap::new();
    for (tensor, indices) in accesses(module) {
        for (mode, label) in
            indices.iter().enumerate().filter_map(|(mode, index)| Some((mode, whole(index)?)))
        {
            groups.entry((&tensor.name, mode)).or_default().push(label);
        }
    }
    groups.into_values().collect()
}

/// The label that goes over all of a mode, shifted or not.
fn whole(index: &Index) -> Option<&str> {
    match index {
        Index::Name(label) => Some(&label.name),
        Index::At(Expr { kind: ExprKind::Binary { left, .. }, .. }) => match &left.kind {
            ExprKind::Name(label) => Some(label),
            _ => None,
        },
        _ => None,
    }
}

/// All accesses, those of targets before those of values.
fn accesses(module: &Module) -> Vec<(&Ident, &[Index])> {
    let mut accesses = Vec::new();
    for stmt in module.functions.iter().flat_map(|function| &function.body) {
        if let StmtKind::Assign(assign) = &stmt.kind {
            accesses.push((&assign.tensor, &assign.indices[..]));
            each_access(&assign.value, &mut |tensor, indices| accesses.push((tensor, indices)));
        }
    }
    accesses
}

fn each_access<'a>(expr: &'a Expr, visit: &mut impl FnMut(&'a Ident, &'a [Index])) {
    match &expr.kind {
        ExprKind::Access { tensor, indices } => visit(tensor, indices),
        ExprKind::Neg(operand) => each_access(operand, visit),
        ExprKind::Binary { left, right, .. } => {
            each_access(left, visit);
            each_access(right, visit);
        }
        _ => {}
    }
}

type Entry = (Vec<usize>, f64);

/// Sorted entries that the tensor's format can hold. Values are small multiples of a quarter, so that sums
/// are exact.
fn entries(tensor: &TensorDecl, dims: &[usize], kind: Kind, rng: &mut Rng) -> Vec<Entry> {
    let mut all: Vec<Vec<usize>> = vec![Vec::new()];
    for &extent in dims {
        let longer =
            |at: &Vec<usize>| (0..extent).map(|next| [&at[..], &[next]].concat()).collect::<Vec<_>>();
        all = all.iter().flat_map(longer).collect();
    }
    if !dims.is_empty() {
        all.retain(|_| rng.percent(kind.density()));
    }
    if kind == Kind::Sparse {
        for (mode, &extent) in dims.iter().enumerate() {
            let empty = rng.below(extent);
            all.retain(|at| at[mode] != empty || extent == 1);
        }
    }
    let all = Storage::of(tensor).holdable(all);
    let is_integer = tensor.element == Element::I64;
    let mut value = || {
        let size = rng.between(1, 8) as f64 / if is_integer { 1.0 } else { 4.0 };
        if rng.percent(30) { -size } else { size }
    };
    all.into_iter().map(|at| (at, value())).collect()
}

/// What of a format matters for what it can hold.
struct Storage {
    levels: Vec<LevelKind>,
    /// The mode of each level.
    order: Vec<usize>,
}

impl Storage {
    fn of(tensor: &TensorDecl) -> Self {
        let levels = match &tensor.format.kind {
            FormatKind::Levels(levels) => levels.iter().map(|level| level.kind).collect(),
            _ => vec![LevelKind::Dense; tensor.dims.len()],
        };
        let order = tensor.options.iter().find_map(|option| match &option.kind {
            FormatOptionKind::Order(modes) => Some(modes.iter().map(|mode| mode.value as usize).collect()),
            _ => None,
        });
        Self { order: order.unwrap_or_else(|| (0..levels.len()).collect()), levels }
    }

    /// Under each position of a level that is no `CN`, the singletons right below have one tuple of
    /// coordinates: the first one stays.
    fn holdable(&self, entries: Vec<Vec<usize>>) -> Vec<Vec<usize>> {
        let mut kept = entries;
        for root in 0..self.levels.len() {
            let singletons =
                self.levels[root + 1..].iter().take_while(|level| **level == LevelKind::Singleton).count();
            let shares = matches!(self.levels[root], LevelKind::CompressedNonUnique | LevelKind::Singleton);
            if singletons == 0 || shares {
                continue;
            }
            let coordinates = |at: &[usize], levels: std::ops::Range<usize>| -> Vec<usize> {
                levels.map(|level| at[self.order[level]]).collect()
            };
            let mut first: BTreeMap<Vec<usize>, Vec<usize>> = BTreeMap::new();
            kept.retain(|at| {
                let tuple = coordinates(at, root + 1..root + 1 + singletons);
                *first.entry(coordinates(at, 0..root + 1)).or_insert_with(|| tuple.clone()) == tuple
            });
        }
        kept
    }
}

/// FROSTT's form, or Matrix Market's where there are dimensions to state.
fn text(entries: &[Entry], dims: Option<&Vec<usize>>) -> String {
    let mut text = String::new();
    if let Some(dims) = dims {
        let _ = writeln!(
            text,
            "%%MatrixMarket matrix coordinate real general\n{} {} {}",
            dims[0],
            dims[1],
            entries.len()
        );
    }
    for (at, value) in entries {
        at.iter().for_each(|index| text += &format!("{} ", index + 1));
        let _ = writeln!(text, "{value}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::line::Line;
    use super::*;

    fn made(line: &str, kind: Kind) -> (Vec<String>, BTreeMap<String, String>) {
        let module = comet_taco::translate(&Line::new(line).command_line(&[])).unwrap().module;
        let folder = tempfile::tempdir().unwrap();
        let flags = write(&module, kind, &mut Rng::new(3), folder.path()).unwrap();
        let files = folder.path().read_dir().unwrap().map(|entry| {
            let entry = entry.unwrap();
            let name = entry.file_name().to_string_lossy().into_owned();
            (name, std::fs::read_to_string(entry.path()).unwrap())
        });
        let files = files.collect();
        (flags, files)
    }

    /// Each kind of data is what its name says.
    #[test]
    fn kinds_differ() {
        let line = r#""y(i)=A(i,j,k)*x(j)*int" -f=A:sss"#;
        let sizes = |flags: &[String]| -> Vec<usize> {
            let stated = flags.iter().filter_map(|flag| flag.strip_prefix("-d=")?.split_once(':'));
            stated.map(|(_, size)| size.parse().unwrap()).collect()
        };
        let (flags, files) = made(line, Kind::Filled);
        assert!(
            sizes(&flags).iter().all(|size| *size >= 2)
                && flags.iter().any(|flag| flag.starts_with("-i=int:"))
        );
        assert!(files.values().all(|text| !text.is_empty()), "{files:?}");
        assert_eq!(sizes(&made(line, Kind::One).0), [1, 1, 1]);
        assert_eq!(sizes(&made(line, Kind::NoExtent).0).iter().filter(|size| **size == 0).count(), 1);
        let empty = made(line, Kind::EmptyOperand).1.values().filter(|text| text.is_empty()).count();
        assert!(empty <= 1);
    }

    /// A singleton holds one coordinate under each position, and the diagonals of one matrix have one size.
    #[test]
    fn data_fits_formats_and_sizes() {
        let (_, files) = made(r#""y(i)=A(i,j)*x(j)" -f=A:sq"#, Kind::Filled);
        let rows: Vec<&str> = files["A.mtx"].lines().skip(2).map(|line| &line[..1]).collect();
        assert_eq!(rows.iter().collect::<BTreeSet<_>>().len(), rows.len());
        let (flags, _) = made(r#""y(i)=A(i,j)+A(j,k)""#, Kind::Sparse);
        let sizes: BTreeSet<&str> =
            flags.iter().filter(|flag| flag.starts_with("-d=")).map(|flag| &flag[5..]).collect();
        assert_eq!(sizes.len(), 1, "{flags:?}");
    }
}
