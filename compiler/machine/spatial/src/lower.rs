//! Loops to parallel patterns: memories, transfers, patterns (stardust.txt sections 6 and 8, Appendix B).
//!
//! The statement is rewritten where patterns need another form (`placement`, `accumulate`, `fuse`, `units`).
//! Then it is planned, as plain data (`plan`), and the plan is emitted. Before a loop, what it reads is
//! brought on chip: positions one loop further out than the coordinates that they are of, coordinates and
//! values before the loop over their level. The loop becomes a pattern by the set of coordinates that matter
//! in it (Table 3). Inside, coordinates are taken from their FIFOs, and values where their last level is
//! bound. After it, what it computed is stored.

mod accumulate;
mod expr;
mod fold;
mod fuse;
mod host;
mod lanes;
mod nest;
mod operand;
mod pattern;
mod pattern_set;
mod pins;
mod placement;
mod plan;
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

pub use nest::{Access, Assign, Home, Nest, Parallelism, Refusal, Stmt, Tensor, Tiles, Value, Var};

use crate::app::visit::UseKind;
use crate::app::{App, Block, Expr, Kind, Memory, MemoryKind, Scalar, Statement, Type};
use crate::rules;
use comet_format::LevelExpr;
use comet_notation::Operator;
use plan::{ApplicationPlan, PlanStep, UnitPlan};
use result::Output;
use scope::{OpenBlocks, Scope};
use std::collections::{BTreeMap, BTreeSet};

fn index_type() -> Type {
    Type::Named("T".to_owned())
}

#[derive(Clone, Debug, PartialEq)]
pub struct Lowered {
    pub app: App,
    /// What was decided, for people: what of the schedule is not done as it is said, and where arrays are.
    pub notes: Vec<String>,
}

/// The statement as the plan takes it.
fn prepared(nest: &Nest) -> Result<Nest, Refusal> {
    host::check_environment(nest)?;
    let nest = accumulate::with_accumulators(&placement::with_placement(nest));
    Ok(fuse::with_rows(&nest))
}

/// Lowers a statement to an application.
///
/// # Errors
/// Levels of an operand do not come in the order of the loops, or the statement has what applications do not.
pub fn lower(nest: &Nest) -> Result<Lowered, Refusal> {
    let nest = prepared(nest)?;
    let mut app = Emitter::new(&nest, &plan::plan(&nest)?).application()?;
    drop_unread(&mut app.accel);
    let mut lowered = lanes::fit(&nest, app);
    rules::legalize(&mut lowered.app);
    room::check(&nest, &lowered.app)?;
    lowered.notes.extend(lanes::remark(&nest));
    lowered.notes.push(pins::remark(&lowered.app));
    lowered.notes.extend(pins::not_resident(&nest).chain(pins::not_communicated(&nest)));
    Ok(lowered)
}

/// Leaves out memories for single elements in DRAM that nothing uses, such as the values of a mask.
fn drop_unread(accel: &mut Block) {
    let uses = accel.iter().flat_map(Statement::uses_inside);
    let uses = uses.filter(|used| used.what != UseKind::Declare).map(|used| used.name.to_owned());
    let used: BTreeSet<String> = uses.collect();
    accel.retain(|statement| match &statement.kind {
        Kind::Memory(Memory { name, kind: MemoryKind::SparseDram { .. }, .. })
        | Kind::Alias { memory: name, .. } => used.contains(name),
        _ => true,
    });
}

struct Emitter<'p> {
    nest: &'p Nest,
    plan: &'p ApplicationPlan,
    frames: OpenBlocks,
    scope: Scope,
    loops: Vec<Var>,
    temporaries: BTreeMap<usize, Temporary>,
    /// The rows of temporaries that are on chip.
    rows: BTreeMap<usize, row::RowOnChip>,
    result: Option<Output<'p>>,
    /// The names that distinguish accesses.
    labels: Vec<(Access, String)>,
    /// What the schedule asks for that cannot be.
    refusal: Option<Refusal>,
    /// The memories by which elements of operands are read in DRAM, by the arrays.
    sparse_operands: BTreeMap<String, String>,
    /// The names of sparse SRAMs.
    sparse: BTreeSet<String>,
    needs: HostNeeds,
}

/// What the accelerator reads that the host has to pass as arguments.
#[derive(Default)]
struct HostNeeds {
    /// The operands whose outermost level's number of coordinates is read.
    counts: BTreeSet<usize>,
    extents: BTreeSet<(usize, usize)>,
    /// The modes of tensors, divided into tiles, whose extents are read.
    whole_extents: BTreeSet<(usize, usize)>,
}

#[derive(Clone, Debug)]
struct Temporary {
    memory: String,
    /// The register or SRAM that says whether there is a value, where that matters.
    marks: Option<String>,
    /// When there is a value, except for the marks.
    formula: presence::Formula,
}

impl<'p> Emitter<'p> {
    fn new(nest: &'p Nest, plan: &'p ApplicationPlan) -> Self {
        Self {
            nest,
            plan,
            frames: OpenBlocks::new(host::declared(nest)),
            scope: Scope::new(),
            loops: Vec::new(),
            temporaries: BTreeMap::new(),
            rows: BTreeMap::new(),
            result: None,
            labels: Vec::new(),
            refusal: None,
            sparse_operands: BTreeMap::new(),
            sparse: BTreeSet::new(),
            needs: HostNeeds::default(),
        }
    }

    fn application(mut self) -> Result<App, Refusal> {
        self.plan.units.iter().try_for_each(|unit| self.unit(unit))?;
        match self.refusal {
            Some(refusal) => Err(refusal),
            None => Ok(self.finish()),
        }
    }

    /// Emits a statement that no loop is around: what is on chip for all of it, what is computed, what is
    /// stored.
    fn unit(&mut self, unit: &'p UnitPlan) -> Result<(), Refusal> {
        let scope = self.scope.clone();
        if let Some(result) = &unit.result {
            self.begin_result(result);
        }
        self.load_first_positions(&unit.operands);
        self.load_slices(&unit.slices);
        self.step(&unit.step)?;
        if unit.result.is_some() {
            self.end_result();
        }
        self.scope = scope;
        Ok(())
    }

    fn steps(&mut self, steps: &'p [PlanStep]) -> Result<(), Refusal> {
        steps.iter().try_for_each(|step| self.step(step))
    }

    fn step(&mut self, step: &'p PlanStep) -> Result<(), Refusal> {
        match step {
            PlanStep::Loop(plan) => self.forall(plan),
            PlanStep::Where { temporary, consumer } => {
                self.produce(temporary)?;
                self.steps(consumer)
            }
            PlanStep::Assign(assign) => self.assign(assign),
        }
    }

    /// The name that distinguishes an access from others of the same tensor.
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
            let assign = self.nest.assigns().find(|assign| assign.target.tensor == tensor);
            let target = &assign.expect("a temporary is assigned to").target;
            return self.extent(self.nest.var_at(target, level));
        }
        if let LevelExpr::Mod(_, size) = self.nest.tensors[tensor].levels[level].expr {
            return expr::int(size as i64);
        }
        self.needs.extents.insert((tensor, level));
        expr::name(host::extent_name(&self.nest.tensors[tensor].name, level))
    }

    /// The extent of a variable: that of a level that is over it, dense and of an operand if there is one.
    fn extent(&mut self, var: Var) -> Expr {
        let nest = self.nest;
        let assigns = nest.assigns();
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
        let dense = levels.iter().find(|(access, level)| nest.is_full_at(access, *level));
        let (access, level) = dense.or(levels.first()).expect("an index variable is of a tensor");
        self.level_extent(access.tensor, *level)
    }

    fn name_of(&self, var: Var) -> &'p str {
        &self.nest.vars[var]
    }

    fn element(&self, tensor: usize) -> Type {
        self.typed(self.nest.tensors[tensor].element)
    }

    /// The type that is written as `V`: that of all values.
    fn values_type(&self) -> Option<Scalar> {
        let mut types = self.nest.tensors.iter().map(|tensor| tensor.element);
        let first = types.next()?;
        types.all(|other| other == first).then_some(first)
    }

    fn identity(&self, with: Operator, element: &Type) -> Expr {
        expr::identity(with, element, self.meant(element))
    }

    fn meant(&self, element: &Type) -> Scalar {
        match element {
            Type::Scalar(scalar) => *scalar,
            Type::Named(_) => self.values_type().expect("`V` is the type of all values"),
        }
    }

    /// A type as it is written.
    fn typed(&self, element: Scalar) -> Type {
        if self.values_type() == Some(element) { Type::Named("V".to_owned()) } else { element.into() }
    }
}
