//! Loops to parallel patterns: memories, transfers, patterns (stardust.txt sections 6 and 8, Appendix B).
//!
//! One walk over the loops. In front of a loop, what it reads is brought on chip: positions one loop further
//! out than the coordinates that they are of, coordinates and values in front of the loop over their level.
//! The loop becomes a pattern by the set of coordinates that matter in it (Table 3). Inside, coordinates are
//! taken from their FIFOs, and values where their last level is bound. Behind it, what it computed is stored.

mod accumulate;
mod algebra;
mod certainty;
mod expr;
mod fuse;
mod host;
mod lanes;
mod nest;
mod operand;
mod partial;
mod pattern;
mod pattern_set;
mod pins;
mod placement;
mod presence;
mod reduce;
mod result;
mod room;
mod row;
mod scan;
mod scope;
mod slice;
mod text;
mod units;
mod value;
mod widen;

pub use algebra::{Operation, Reduction};
pub use nest::{Access, Assign, Factor, Home, How, Nest, Refusal, Stmt, Tensor, Tiles, Value, Var};

use crate::app::{App, Block, Division, Expr, Kind, LevelKind, Memory, MemoryKind, Type};
use crate::rules;
use crate::uses::{self, What};
use result::Output;
use scope::{Frames, Scope};
use std::collections::{BTreeMap, BTreeSet};

/// The type of positions and coordinates.
fn index_type() -> Type {
    Type::Named("T".to_owned())
}

/// What a statement becomes.
#[derive(Clone, Debug, PartialEq)]
pub struct Lowered {
    /// The application.
    pub app: App,
    /// What was decided, for people: what of the schedule is not done as it is said, and where arrays are.
    pub notes: Vec<String>,
}

/// Lowers a statement to an application.
///
/// # Errors
/// Levels of an operand do not come in the order of the loops, or the statement has what applications do not.
pub fn lower(nest: &Nest) -> Result<Lowered, Refusal> {
    host::check_environment(nest)?;
    let nest = accumulate::with_accumulators(&placement::with_placement(nest));
    let nest = fuse::with_rows(&nest);
    let mut lowering = Lowering::new(&nest);
    for stmt in nest.body.iter().flat_map(|stmt| units::of(&nest, stmt)) {
        lowering.unit(&stmt)?;
    }
    if let Some(refusal) = lowering.refusal {
        return Err(refusal);
    }
    let mut app = lowering.finish();
    drop_unread(&mut app.accel);
    let mut lowered = lanes::fit(&nest, app);
    rules::legalize(&mut lowered.app);
    room::check(&nest, &lowered.app)?;
    lowered.notes.extend(lanes::told(&nest));
    lowered.notes.push(pins::told(&lowered.app));
    lowered.notes.extend(pins::not_resident(&nest).chain(pins::not_communicated(&nest)));
    Ok(lowered)
}

/// Leaves out memories for single elements in DRAM that nothing uses, such as the values of a mask.
fn drop_unread(accel: &mut Block) {
    let mut used = BTreeSet::new();
    for statement in accel.iter() {
        uses::of_statement(statement, true, &mut |one| {
            if one.what != What::Declare {
                used.insert(one.name.to_owned());
            }
        });
    }
    accel.retain(|statement| match &statement.kind {
        Kind::Memory(Memory { name, kind: MemoryKind::SparseDram { .. }, .. })
        | Kind::Alias { memory: name, .. } => used.contains(name),
        _ => true,
    });
}

/// A lowering that is under way.
struct Lowering<'n> {
    nest: &'n Nest,
    frames: Frames,
    scope: Scope,
    /// The variables of the loops around, the outermost first.
    loops: Vec<Var>,
    /// What is known of temporaries that are computed.
    temporaries: BTreeMap<usize, Temporary>,
    /// The rows of temporaries that are on chip.
    rows: BTreeMap<usize, row::Row>,
    /// The tensors that are being computed.
    outputs: Vec<Output>,
    /// The names by which accesses are told apart.
    labels: Vec<(Access, String)>,
    /// What the schedule asks for that cannot be.
    refusal: Option<Refusal>,
    /// The results that are computed on top of what they hold.
    updated: BTreeSet<usize>,
    /// The memories by which elements of operands are read in DRAM, by the arrays.
    sparse_operands: BTreeMap<String, String>,
    /// The names of sparse SRAMs.
    sparse: BTreeSet<String>,
    /// The operands whose outermost level's number of coordinates is read on the accelerator.
    counts: BTreeSet<usize>,
    /// The levels whose extents are read on the accelerator.
    extents: BTreeSet<(usize, usize)>,
    /// The modes of tensors, divided into tiles, whose extents are read there.
    whole_extents: BTreeSet<(usize, usize)>,
}

/// A temporary.
#[derive(Clone, Debug)]
struct Temporary {
    /// Its register or SRAM.
    memory: String,
    /// The register or SRAM that says whether there is a value, where that matters.
    marks: Option<String>,
    /// When there is a value, but for the marks.
    formula: presence::Formula,
}

impl<'n> Lowering<'n> {
    fn new(nest: &'n Nest) -> Self {
        Self {
            nest,
            frames: Frames::new(host::declared(nest)),
            scope: Scope::new(),
            loops: Vec::new(),
            temporaries: BTreeMap::new(),
            rows: BTreeMap::new(),
            outputs: Vec::new(),
            labels: Vec::new(),
            refusal: None,
            updated: BTreeSet::new(),
            sparse_operands: BTreeMap::new(),
            sparse: BTreeSet::new(),
            counts: BTreeSet::new(),
            extents: BTreeSet::new(),
            whole_extents: BTreeSet::new(),
        }
    }

    /// A statement that no loop is around: what is on chip for all of it, what is computed, what is stored.
    fn unit(&mut self, stmt: &Stmt) -> Result<(), Refusal> {
        let scope = self.scope.clone();
        self.check_orders(stmt)?;
        self.begin_outputs(stmt)?;
        self.load_first_positions(stmt);
        self.load_slices_inside(std::slice::from_ref(stmt));
        self.stmt(stmt)?;
        self.end_outputs();
        self.scope = scope;
        Ok(())
    }

    fn block(&mut self, body: &[Stmt]) -> Result<(), Refusal> {
        body.iter().try_for_each(|stmt| self.stmt(stmt))
    }

    fn stmt(&mut self, stmt: &Stmt) -> Result<(), Refusal> {
        match stmt {
            Stmt::Forall { .. } => self.forall(stmt),
            Stmt::Where { consumer, producer, temporary } => {
                self.produce(*temporary, producer, consumer)?;
                self.block(consumer)
            }
            Stmt::Assign(assign) => self.assign(assign),
        }
    }

    /// The name by which an access is told from others of the same tensor.
    fn label(&mut self, access: &Access) -> String {
        if let Some((_, label)) = self.labels.iter().find(|(other, _)| other == access) {
            return label.clone();
        }
        let tensor = &self.nest.tensors[access.tensor].name;
        let others = self.labels.iter().filter(|(other, _)| other.tensor == access.tensor).count();
        let label = if others == 0 { tensor.clone() } else { format!("{tensor}_{}", others + 1) };
        self.labels.push((access.clone(), label.clone()));
        label
    }

    /// The extent of a level, as an argument.
    fn level_extent(&mut self, tensor: usize, level: usize) -> Expr {
        if self.nest.tensors[tensor].is_temporary {
            let mut assigns = self.nest.body.iter().flat_map(Stmt::assigns);
            let assign = assigns.find(|assign| assign.target.tensor == tensor);
            let target = &assign.expect("a temporary is assigned to").target;
            return self.extent(self.nest.var_at(target, level));
        }
        if let Division::Remainder(size) = self.nest.tensors[tensor].levels[level].division {
            return expr::int(size);
        }
        self.extents.insert((tensor, level));
        expr::name(host::extent_name(&self.nest.tensors[tensor].name, level))
    }

    /// The extent of a variable: that of a level that is over it, dense and of an operand if there is one.
    fn extent(&mut self, var: Var) -> Expr {
        let nest = self.nest;
        let assigns = nest.body.iter().flat_map(Stmt::assigns);
        let (mut targets, mut found) = (Vec::new(), Vec::new());
        for assign in assigns {
            found.extend(assign.value.accesses());
            targets.push(&assign.target);
        }
        found.extend(targets);
        let off_chip = found.into_iter().filter(|access| !nest.tensors[access.tensor].is_temporary);
        let is_as_large =
            |access: &Access, level: &usize| nest.extents[nest.var_at(access, *level)] == nest.extents[var];
        let levels = off_chip.filter_map(|access| {
            let mut levels = 0..access.indices.len();
            let own = nest.level_over(access, var);
            Some((access, own.or_else(|| levels.find(|level| is_as_large(access, level)))?))
        });
        let levels: Vec<(&Access, usize)> = levels.collect();
        let dense = levels.iter().find(|(access, level)| nest.kind_at(access, *level) == LevelKind::Dense);
        let (access, level) = dense.or(levels.first()).expect("an index variable is of a tensor");
        self.level_extent(access.tensor, *level)
    }

    fn name_of(&self, var: Var) -> &'n str {
        &self.nest.vars[var]
    }

    fn element(&self, tensor: usize) -> Type {
        self.typed(&self.nest.tensors[tensor].element)
    }

    /// The type of all values, if they have one.
    fn values_type(&self) -> Option<Type> {
        let mut types = self.nest.tensors.iter().map(|tensor| &tensor.element);
        let first = types.next()?;
        types.all(|other| other == first).then(|| first.clone())
    }

    /// What a reduction begins with.
    fn identity(&self, with: Reduction, element: &Type) -> Expr {
        with.identity(element, self.is_integer(element))
    }

    fn is_integer(&self, element: &Type) -> bool {
        let own =
            if *element == Type::Named("V".to_owned()) { self.values_type() } else { Some(element.clone()) };
        matches!(own, Some(Type::Int | Type::Long))
    }

    /// A type as it is written: `V` if it is that of all values.
    fn typed(&self, element: &Type) -> Type {
        if self.values_type().as_ref() == Some(element) {
            Type::Named("V".to_owned())
        } else {
            element.clone()
        }
    }

    /// Levels of operands and results that are not all dense are to come in the order of the loops.
    fn check_orders(&self, stmt: &Stmt) -> Result<(), Refusal> {
        walk_assigns(stmt, &mut Vec::new(), &mut |loops, assign| {
            let accesses = assign.value.accesses();
            accesses
                .into_iter()
                .chain([&assign.target])
                .try_for_each(|access| self.check_order(loops, access))
        })
    }

    fn check_order(&self, loops: &[Var], access: &Access) -> Result<(), Refusal> {
        let tensor = &self.nest.tensors[access.tensor];
        if tensor.last_compressed().is_none() {
            return Ok(());
        }
        let vars: Vec<Var> = (0..tensor.levels.len()).map(|level| self.nest.var_at(access, level)).collect();
        let places: Vec<Option<usize>> =
            vars.iter().map(|var| loops.iter().position(|other| other == var)).collect();
        if places.is_sorted_by(|a, b| a < b) {
            return Ok(());
        }
        let list = |vars: &[Var]| vars.iter().map(|var| self.name_of(*var)).collect::<Vec<_>>().join(", ");
        Err(Refusal::new(format!(
            "the levels of `{}` are over {}, and the loops over {}",
            tensor.name,
            list(&vars),
            list(loops)
        ))
        .hint(format!("store `{}` in the order of the loops, or change that by `order(…)`", tensor.name)))
    }
}

/// Calls a function with every assignment and the loops around it, producers first.
fn walk_assigns<'s, E>(
    stmt: &'s Stmt,
    loops: &mut Vec<Var>,
    visit: &mut impl FnMut(&[Var], &'s Assign) -> Result<(), E>,
) -> Result<(), E> {
    match stmt {
        Stmt::Forall { var, body, .. } => {
            loops.push(*var);
            body.iter().try_for_each(|stmt| walk_assigns(stmt, loops, visit))?;
            loops.pop();
            Ok(())
        }
        Stmt::Where { consumer, producer, .. } => {
            producer.iter().chain(consumer).try_for_each(|stmt| walk_assigns(stmt, loops, visit))
        }
        Stmt::Assign(assign) => visit(loops, assign),
    }
}
