//! `tile(auto, …)` on processors: looks at as little as shows that tiles cannot pay, and at a part of the
//! entries where they may.
//!
//! The header of the file comes first, then some of the entries, then a cache that some of them are gone
//! through with, then tiles of a sample. The file is read once: the program takes the entries that were read
//! here. What is not a product of a sparse operand with dense ones is left out without a look.

use super::auto::SEED;
use super::operands::{extents, too_large};
use super::statement::MOST_COORDINATES;
use crate::failure::Result;
use comet_diag::Source;
use comet_format::LevelExpr;
use comet_runtime::options::TnsForm;
use comet_runtime::read::{FileTensor, read_ahead, read_most_entries};
use comet_runtime::{CoordinateTensor, ReadOptions, source};
use comet_sema::program::{
    self, Access, Assign, Function, LabelId, ReadSource, Stmt, StmtKind, TensorExpr, TensorExprKind,
    TensorId, TensorOp, Triangle,
};
use comet_tiling::{
    Bounds, Machine, Observed, Points, Scheme, SparseProduct, Target, TiledOperands, Tiles, Var, Variable,
    conservative, distinct, thinned,
};
use itertools::Itertools as _;
use std::path::PathBuf;

/// How many times less tiles must be expected to move than a cache without them, for loops over tiles to be
/// faster on processors: they go through compressed operands once for each tile. Of products of sparse and
/// dense matrices, uniform, scale-free and of finite elements, those beyond became up to 1.9 times faster;
/// one with 15 times took 1.8 times as long, and those below 4 up to twelve times as long.
const WORTH: f64 = 20.0;

/// How many entries are looked at, about: for the number of different coordinates, and to choose tiles by.
/// Each look takes some milliseconds.
const COUNTED: usize = 1 << 17;
const SAMPLED: u64 = 1 << 16;

/// How many entries say which coordinates those in the middle have.
const STRIDES: usize = 1 << 13;

pub(super) enum Choice {
    /// These tiles, along variables with these names and extents, from the outermost loop in; how many bytes
    /// are expected to move, and how many with conservative tiles.
    Tiles {
        variables: Vec<Variable>,
        tiles: Tiles,
        expected: f64,
        conservative: f64,
    },
    LeftOut(String),
}

/// A program, and how the files that it reads are read.
pub(super) struct ProcessorTiles<'a> {
    function: &'a Function,
    source: &'a Source,
    tns: TnsForm,
}

struct Sparse<'a> {
    access: &'a Access,
    path: PathBuf,
    options: ReadOptions,
    /// Its modes in the order of its levels.
    modes: Vec<usize>,
}

impl<'a> ProcessorTiles<'a> {
    pub(super) fn new(function: &'a Function, source: &'a Source, tns: TnsForm) -> Self {
        Self { function, source, tns }
    }

    /// The tiles of a statement whose loops are in this order, or in that of the sparse operand's levels.
    pub(super) fn choose(&self, assign: &Assign, order: Option<&[String]>, buffer: u64) -> Result<Choice> {
        let other = "on processors tiles are looked at for products of one sparse operand, read whole from a file, \
                     with dense ones that it does not have all indices of";
        let Some((sparse, product)) = self.product(assign, order)? else {
            return Ok(Choice::LeftOut(other.to_owned()));
        };
        if let Some(most) = read_most_entries(&sparse.path)? {
            let bounds = product.before_reading(most, buffer);
            if cannot_pay(bounds) {
                return Ok(Choice::LeftOut(at_most("by the header of the file, ", bounds, buffer)));
            }
        }
        let file = read_ahead(&sparse.path, &sparse.options)?;
        let choice = self.look(&product, &sparse, &file, buffer);
        file.give_back(&sparse.path, &sparse.options);
        choice
    }

    fn look(
        &self,
        product: &SparseProduct,
        sparse: &Sparse<'_>,
        file: &FileTensor,
        buffer: u64,
    ) -> Result<Choice> {
        let list = &file.entries;
        let entries = list.len() as u64;
        let step = list.len().div_ceil(COUNTED);
        let counts: Vec<u64> =
            sparse.modes.iter().map(|&mode| distinct(&list.coords[mode], step, list.dims[mode])).collect();
        let bounds = product.with_distinct(entries, &counts, buffer);
        if cannot_pay(bounds) {
            return Ok(Choice::LeftOut(at_most("", bounds, buffer)));
        }
        let window =
            points(product, sparse, list, &window(&list.coords[sparse.modes[0]], product.window(buffer)))?;
        let untiled = product.untiled(entries, &window, buffer);
        if cannot_pay(Bounds { untiled, ..bounds }) {
            return Ok(Choice::LeftOut(about(Bounds { untiled, ..bounds }, "at least ", buffer)));
        }
        let scale = product.scale(entries, SAMPLED);
        let machine = Machine::of_buffer(buffer / scale);
        let sample = points(product, sparse, list, &thinned(list.len(), scale, SEED).collect::<Vec<_>>())?;
        let statement = product.scaled(sample, scale);
        if !machine.has_room(statement.rank()) {
            return Ok(Choice::LeftOut(format!("a buffer of {buffer} bytes has no room for a tile")));
        }
        let cut = TiledOperands::small(&statement, &machine);
        let observed = Observed::new(&statement, machine, &cut, SEED);
        // A sample says nothing of tiles that it has few entries of, which the search would come to.
        let tiles = Scheme::Prescient.choose(&observed);
        let bytes = |tiles: &Tiles| observed.predict(tiles).total() * scale as f64;
        let expected = bytes(&tiles);
        if untiled < WORTH * expected {
            return Ok(Choice::LeftOut(about(Bounds { untiled, tiled: expected }, "", buffer)));
        }
        Ok(Choice::Tiles {
            variables: product.variables().to_vec(),
            tiles: product.unscaled(&tiles, scale),
            expected,
            conservative: bytes(&conservative(&statement, &machine)),
        })
    }

    /// The product that a statement is, if it is one that tiles can pay for, and its sparse operand.
    fn product<'e>(
        &self,
        assign: &'e Assign,
        order: Option<&[String]>,
    ) -> Result<Option<(Sparse<'e>, SparseProduct)>> {
        if assign.mask.is_some() || !is_product(&assign.value) {
            return Ok(None);
        }
        let is_dense = |access: &Access| self.function.tensors[access.tensor.0].format.is_dense();
        let (dense, sparse): (Vec<&Access>, Vec<&Access>) =
            assign.value.accesses().into_iter().partition(|own| is_dense(own));
        let ([sparse], true) =
            (&sparse[..], dense.iter().copied().chain(sparse.iter().copied()).all(is_plain))
        else {
            return Ok(None);
        };
        if dense.is_empty() || !is_plain(&assign.target) {
            return Ok(None);
        }
        let Some(sparse) = self.sparse(sparse)? else { return Ok(None) };
        let labels = self.labels(assign, &sparse, order);
        let Some(variables) = self.variables(&labels)? else { return Ok(None) };
        let var = |label: &LabelId| Var(labels.iter().position(|own| own == label).expect("all have a loop"));
        let named = |access: &Access, labels: Vec<LabelId>| {
            let name = self.function.tensors[access.tensor.0].name.clone();
            (name, labels.iter().map(var).collect::<Vec<Var>>())
        };
        let own_labels: Vec<LabelId> = sparse.modes.iter().map(|&mode| sparse.access.labels[mode]).collect();
        let (name, mut indices) = named(&assign.target, assign.target.labels.clone());
        indices.sort_unstable();
        let target = Target { name, indices, is_dense: is_dense(&assign.target) };
        let dense = dense.iter().map(|access| named(access, access.labels.clone())).collect();
        let product = SparseProduct::new(variables, named(sparse.access, own_labels), dense, target);
        Ok(product.map(|product| (sparse, product)))
    }

    /// Where a sparse operand is read from, if that is all that the program does to it.
    fn sparse<'e>(&self, access: &'e Access) -> Result<Option<Sparse<'e>>> {
        let declared = &self.function.tensors[access.tensor.0];
        let mut modes = Vec::new();
        for level in &declared.format.levels {
            match level.expr {
                LevelExpr::Mode(mode) => modes.push(mode),
                LevelExpr::Slot => {}
                LevelExpr::Div(..) | LevelExpr::Mod(..) => return Ok(None),
            }
        }
        let writes = writes(&self.function.body, access.tensor);
        let [Some((read, Triangle::All))] = &writes[..] else { return Ok(None) };
        let path = source::resolve(&read.text(), &declared.name)?;
        let value = declared.element;
        let options =
            ReadOptions { rank: Some(declared.dims.len()), value, tns: self.tns, ..ReadOptions::default() };
        Ok(Some(Sparse { access, path, options, modes }))
    }

    fn labels(&self, assign: &Assign, sparse: &Sparse<'_>, order: Option<&[String]>) -> Vec<LabelId> {
        let own = sparse.modes.iter().map(|&mode| sparse.access.labels[mode]);
        let mut labels: Vec<LabelId> = own.chain(assign.labels()).unique().collect();
        if let Some(order) = order {
            labels.sort_by_key(|label| {
                order.iter().position(|name| *name == self.function.labels[label.0].name)
            });
        }
        labels
    }

    /// With their extents, which the headers of files say.
    fn variables(&self, labels: &[LabelId]) -> Result<Option<Vec<Variable>>> {
        let extents = extents(self.function, self.source)?;
        let variable = |label: &LabelId| {
            let label = &self.function.labels[label.0];
            let extent = extents.get(&label.size).copied().filter(|&extent| extent <= MOST_COORDINATES);
            Some(Variable { name: label.name.clone(), extent: extent?.max(1) })
        };
        Ok(labels.iter().map(variable).collect())
    }
}

fn cannot_pay(bounds: Bounds) -> bool {
    bounds.untiled < WORTH * bounds.tiled
}

fn at_most(how: &str, bounds: Bounds, buffer: u64) -> String {
    let Bounds { untiled, tiled } = bounds;
    format!(
        "{how}at most {untiled:.0} bytes move through a cache of {buffer} bytes without tiles, and at least {tiled:.0} \
         in tiles; on processors tiles pay where that is {WORTH} times as much"
    )
}

fn about(bounds: Bounds, least: &str, buffer: u64) -> String {
    let Bounds { untiled, tiled } = bounds;
    format!(
        "{least}{tiled:.0} bytes are expected to move in tiles, and {untiled:.0} through a cache of {buffer} bytes \
         without; on processors tiles pay where that is {WORTH} times as much"
    )
}

/// Entries at these places, with the modes in the order of the loops over them.
fn points(
    product: &SparseProduct,
    sparse: &Sparse<'_>,
    list: &CoordinateTensor,
    places: &[usize],
) -> Result<Points> {
    let column = |&mode: &usize| places.iter().map(|&place| list.coords[mode][place]).collect::<Vec<i64>>();
    let columns: Vec<Vec<i64>> = sparse.modes.iter().map(column).collect();
    product.points(&columns).map_err(too_large)
}

/// The places of about so many entries, which are looked at in a cache: all of some consecutive coordinates
/// of the outermost index, in the middle of the entries.
fn window(outermost: &[i64], entries: usize) -> Vec<usize> {
    let step = outermost.len().div_ceil(STRIDES).max(1);
    let mut sample: Vec<i64> = outermost.iter().copied().step_by(step).collect();
    sample.sort_unstable();
    let wanted = (entries / step).clamp(1, sample.len().max(1));
    let begin = (sample.len() - wanted.min(sample.len())) / 2;
    let Some((&first, &last)) = sample.get(begin).zip(sample.get((begin + wanted).saturating_sub(1))) else {
        return Vec::new();
    };
    let range = first..=last;
    let inside = outermost.iter().enumerate().filter(|(_, at)| range.contains(at));
    inside.map(|(place, _)| place).take(4 * entries).collect()
}

/// Whether an expression is a product, which may be reduced, of tensors, numbers and scalars.
fn is_product(expr: &TensorExpr) -> bool {
    let is_sum = matches!(expr.kind, TensorExprKind::Binary { op: TensorOp::Add | TensorOp::Sub, .. });
    !is_sum && expr.operands().into_iter().all(is_product)
}

/// Whether each index is that of one mode.
fn is_plain(access: &Access) -> bool {
    access.labels.iter().all_unique()
}

/// Returns what puts something into a tensor: a read, or `None` for anything else.
fn writes<'p>(body: &'p [Stmt], tensor: TensorId) -> Vec<Option<(&'p ReadSource, Triangle)>> {
    let writes = program::statements(body).into_iter().filter(|own| own.written() == Some(tensor));
    let read = |statement: &'p Stmt| match &statement.kind {
        StmtKind::Read { source, triangle, .. } => Some((source, *triangle)),
        _ => None,
    };
    writes.map(read).collect()
}
