//! Where the tensors of a program have entries: as reads, random numbers and copies decide it, and as
//! [`super::computed`] works it out.

use super::computed::{self, Unknown, Why};
use crate::failure::{Failure, Result};
use comet_diag::{Source, Span};
use comet_runtime::options::TnsForm;
use comet_runtime::random::random_doubles;
use comet_runtime::read::read_pattern;
use comet_runtime::size::SolvedSize;
use comet_runtime::{CoordinateTensor, ReadOptions, source};
use comet_sema::program::{
    self, Assign, AssignOp, Function, ReadSource, SizeId, SizeSource, Stmt, StmtKind, TensorExprKind,
    TensorId, Triangle,
};
use comet_tiling::{Points, PointsError};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// What is known of a tensor's entries at a place of the program.
#[derive(Clone, Debug)]
pub(crate) enum Content {
    /// These; the modes are those of the tensor.
    Entries(StoredEntries),
    Dense,
    Nothing,
    Computed(Unknown),
}

#[derive(Clone, Debug)]
pub(crate) struct StoredEntries {
    pub(crate) points: Arc<Points>,
    /// With their values, in any order; `None` where the program computes these.
    pub(crate) list: Option<Arc<CoordinateTensor>>,
}

impl Content {
    fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Entries(own), Self::Entries(other)) => Arc::ptr_eq(&own.points, &other.points),
            (Self::Dense, Self::Dense) | (Self::Nothing, Self::Nothing) => true,
            _ => false,
        }
    }
}

/// What is known of all tensors at a place of a program.
pub(crate) struct KnownContent(HashMap<TensorId, Content>);

pub(crate) struct Operands<'a> {
    function: &'a Function,
    source: &'a Source,
    tns: TnsForm,
    extents: HashMap<SizeId, u64>,
    content: HashMap<TensorId, Content>,
    /// Files are read once.
    files: HashMap<(TensorId, String, Triangle), StoredEntries>,
    /// The tensors whose entries are to be worked out where the program computes them.
    needed: HashSet<TensorId>,
}

impl StoredEntries {
    fn new(list: CoordinateTensor) -> Result<Self> {
        let extents: Vec<u64> = list.dims.iter().map(|extent| extent.unsigned_abs()).collect();
        let points = Points::new(&extents, &list.coords).map_err(too_large)?;
        Ok(Self { points: Arc::new(points), list: Some(Arc::new(list)) })
    }

    fn permuted(&self, order: &[usize]) -> Self {
        let permuted = |list: &Arc<CoordinateTensor>| CoordinateTensor::clone(list).permuted(order);
        let list = self.list.as_ref().map(|list| Arc::new(permuted(list)));
        Self { points: Arc::new(self.points.permuted(order)), list }
    }
}

impl<'a> Operands<'a> {
    pub(crate) fn new(function: &'a Function, source: &'a Source, tns: TnsForm) -> Result<Self> {
        let extents = extents(function, source)?;
        let (content, files) = (HashMap::new(), HashMap::new());
        let needed = HashSet::new();
        let mut operands = Self { function, source, tns, extents, content, files, needed };
        for statement in program::statements(&function.body) {
            if let StmtKind::Read { tensor, source, triangle } = &statement.kind {
                operands.read(*tensor, source, *triangle)?;
            }
        }
        Ok(operands)
    }

    fn read(&mut self, tensor: TensorId, source: &ReadSource, triangle: Triangle) -> Result<()> {
        let declared = &self.function.tensors[tensor.0];
        let key = source.text();
        if self.files.contains_key(&(tensor, key.clone(), triangle)) {
            return Ok(());
        }
        let path = source::resolve(&key, &declared.name)?;
        let options = ReadOptions {
            rank: Some(declared.dims.len()),
            triangle,
            tns: self.tns,
            ..ReadOptions::default()
        };
        // Statements with complex values are refused at their places; others may stand beside them.
        let entries = read_pattern(&path, &options)?;
        self.files.insert((tensor, key, triangle), StoredEntries::new(entries)?);
        Ok(())
    }

    pub(crate) fn extent(&self, size: SizeId) -> Option<u64> {
        self.extents.get(&size).copied()
    }

    /// Lets entries of these tensors be worked out where the program computes them.
    pub(crate) fn need(&mut self, tensors: HashSet<TensorId>) {
        self.needed = tensors;
    }

    pub(crate) fn content(&self, tensor: TensorId) -> Content {
        if self.function.tensors[tensor.0].format.is_dense() {
            return Content::Dense;
        }
        self.content.get(&tensor).cloned().unwrap_or(Content::Nothing)
    }

    pub(crate) fn step(&mut self, statement: &Stmt) -> Result<()> {
        match &statement.kind {
            StmtKind::Read { tensor, source, triangle } => {
                let entries = self.files[&(*tensor, source.text(), *triangle)].clone();
                self.content.insert(*tensor, Content::Entries(self.widened(*tensor, entries)));
            }
            StmtKind::Random { tensor, density, seed } => {
                let content = self.random(*tensor, *density, *seed)?;
                self.content.insert(*tensor, content);
            }
            StmtKind::Assign(assign) => {
                let content = self.assigned(assign, statement.span);
                self.content.insert(assign.target.tensor, content);
            }
            StmtKind::Call { result: Some(tensor), .. } => {
                self.content.insert(*tensor, unknown(statement.span, Why::Function));
            }
            _ => {}
        }
        Ok(())
    }

    /// What is known at this place, to come back to.
    pub(crate) fn known(&self) -> KnownContent {
        KnownContent(self.content.clone())
    }

    /// Goes back to another place; what was known here.
    pub(crate) fn back(&mut self, to: KnownContent) -> KnownContent {
        KnownContent(std::mem::replace(&mut self.content, to.0))
    }

    /// Here or there: what differs is known no more, but that the statement there decides it.
    pub(crate) fn either(&mut self, there: KnownContent, span: Span) {
        let all: Vec<TensorId> = self.content.keys().chain(there.0.keys()).copied().collect();
        for tensor in all {
            let other = there.0.get(&tensor).unwrap_or(&Content::Nothing);
            let own = self.content.entry(tensor).or_insert(Content::Nothing);
            if !own.is_same(other) {
                *own = unknown(span, Why::Control);
            }
        }
    }

    /// Forgets the tensors that a loop's body computes: an earlier iteration may have computed them before.
    pub(crate) fn forget(&mut self, body: &[Stmt], span: Span) {
        for statement in program::statements(body) {
            self.content.extend(statement.written().map(|tensor| (tensor, unknown(span, Why::Control))));
        }
    }

    /// Points in the extents of the program, which may be larger than those of a file.
    fn widened(&self, tensor: TensorId, entries: StoredEntries) -> StoredEntries {
        let dims = &self.function.tensors[tensor.0].dims;
        let extents: Vec<u64> = dims.iter().map(|&size| self.extent(size).unwrap_or(0)).collect();
        if extents == entries.points.extents() {
            return entries;
        }
        StoredEntries { points: Arc::new(entries.points.within(&extents)), ..entries }
    }

    fn random(&self, tensor: TensorId, density: f64, seed: u64) -> Result<Content> {
        let declared = &self.function.tensors[tensor.0];
        if declared.format.is_dense() {
            return Ok(Content::Dense);
        }
        let dims: Option<Vec<i64>> =
            declared.dims.iter().map(|&size| self.extent(size).map(u64::cast_signed)).collect();
        let Some(dims) = dims else { return Ok(Content::Nothing) };
        let entries = random_doubles(&dims, &declared.name, density, seed)?;
        Ok(Content::Entries(StoredEntries::new(entries)?))
    }

    fn assigned(&self, assign: &Assign, span: Span) -> Content {
        let is_needed = self.needed.contains(&assign.target.tensor);
        let computed = || match is_needed {
            true => computed::content(self, assign, span),
            false => unknown(span, Why::Unused),
        };
        self.copied(assign).unwrap_or_else(computed)
    }

    /// What a copy holds, also one with the modes in another order.
    fn copied(&self, assign: &Assign) -> Option<Content> {
        let TensorExprKind::Access(read) = &assign.value.kind else { return None };
        if assign.op != AssignOp::Set || assign.mask.is_some() {
            return None;
        }
        let place = |label| read.labels.iter().position(|other| *other == label);
        let order: Vec<usize> =
            assign.target.labels.iter().map(|&label| place(label)).collect::<Option<_>>()?;
        let is_whole =
            (0..read.labels.len()).all(|mode| order.contains(&mode)) && order.len() == read.labels.len();
        match self.content(read.tensor) {
            Content::Entries(entries) if is_whole => Some(Content::Entries(entries.permuted(&order))),
            _ => None,
        }
    }

    pub(crate) fn source(&self) -> &'a Source {
        self.source
    }

    pub(crate) fn function(&self) -> &'a Function {
        self.function
    }
}

/// What coordinates of tiles have no room for.
pub(super) fn too_large(error: PointsError) -> Failure {
    Failure::plain(format!("not supported yet: {error}"))
}

fn unknown(span: Span, why: Why) -> Content {
    Content::Computed(Unknown { span, why })
}

/// The sizes of a function, as far as the text and files say them. What contradicts another is an error, as
/// it is where the program runs.
pub(super) fn extents(function: &Function, source: &Source) -> Result<HashMap<SizeId, u64>> {
    let place = |span: Span| {
        let (name, line, column) = source.place(span.start);
        format!("{name}:{line}:{column}")
    };
    let mut extents = HashMap::new();
    for (number, declared) in function.sizes.iter().enumerate() {
        let known = declared.known.map_or(-1, u64::cast_signed);
        let origin = format!("the text at {}", place(declared.span));
        let mut size = SolvedSize::new(&declared.name, known, &origin);
        for from in &declared.sources {
            if let SizeSource::Read { source, tensor, mode, span } = from {
                let tensor = &function.tensors[tensor.0];
                size.add_read(&source.text(), &tensor.name, (tensor.dims.len(), *mode), &place(*span))?;
            }
        }
        if let Ok(extent) = size.solved() {
            extents.insert(SizeId(number), extent.unsigned_abs());
        }
    }
    Ok(extents)
}

/// Returns whether it is known of all reads which files they read.
pub(crate) fn files_are_known(function: &Function) -> bool {
    program::statements(&function.body).into_iter().all(|statement| match &statement.kind {
        StmtKind::Read { tensor, source, .. } => {
            source::resolve(&source.text(), &function.tensors[tensor.0].name).is_ok()
        }
        _ => true,
    })
}
