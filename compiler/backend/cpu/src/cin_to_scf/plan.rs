//! What `cin-to-scf` generates for a compute, as plain data: which loop is over all coordinates, over stored
//! positions, located, intersected or merged over which lattice, drained, in lanes or in tasks, and how each
//! result is assembled. Nothing of MLIR is in it; `--explain` reports what it decides, and the emitter
//! (`emit.rs`) only writes it down.
//!
//! A plan has the shape of the code: where the code has a body several times, once for each case of the
//! operands that may be absent, so has the plan.

mod blocks;
mod lanes;
mod loops;
mod merge;
mod print;
mod results;
mod scope;
mod tasks;
mod walks;

use crate::instrument::Instrument;
use comet_abi::points;
use comet_format::{LevelGroup, ValueType};
use comet_notation::Operator;
use comet_notation::concrete::{Access, AssignId, Compute, LoopId, TensorId, ValueId, Var, WhereId};
use comet_notation::relations::Split;
use comet_passes::patterns::SharedPattern;
use comet_passes::sums::Sums;
use std::ops::Range;

pub(crate) use loops::{pads, repeats};
pub(crate) use print::Shown;
pub(crate) use scope::Bindings;
use scope::Scope;
pub(crate) use walks::walk_from;

/// What the analyses of the passes found out about a compute, by the numbers that its rows have.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts {
    pub(crate) assembly: Assembly,
    pub(crate) tensors: Vec<TensorFacts>,
    pub(crate) loops: Vec<LoopFacts>,
    /// The assignments that hand a whole hash or list workspace over to the tensor it becomes.
    pub(crate) packs: Vec<AssignId>,
}

/// How the schedule wants a sparse result assembled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Assembly {
    #[default]
    Unspecified,
    /// Counted first, then stored: `assemble(T, insert)`.
    Counted,
    /// Appended to, whatever its operands store: `assemble(T, append)`.
    Appended,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct TensorFacts {
    /// The levels that its coordinates are appended to, where the loops around the only assignment to it
    /// visit them in storage order.
    pub(crate) appended: Option<Vec<LevelGroup>>,
    /// For a workspace: the loops of a consumer that drains it.
    pub(crate) drained: Option<Drained>,
    /// For a hash or list workspace: the tensor that all of it becomes.
    pub(crate) packed_into: Option<TensorId>,
    /// For a hash or list workspace: its capacity.
    pub(crate) capacity: Option<u64>,
}

/// The loops that drain a workspace into a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Drained {
    pub(crate) vars: Vec<Var>,
    /// Which of them visit all coordinates, as loops over full levels do.
    pub(crate) visits_all: Vec<bool>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct LoopFacts {
    /// Whether its iterations cannot run at the same time.
    pub(crate) has_obstacle: bool,
    /// The dense tensor or scalar workspace that all of its iterations add to.
    pub(crate) shared_sum: Option<TensorId>,
    /// The scalar workspace that it can add to in the lanes of a vector.
    pub(crate) lane_sum: Option<TensorId>,
    /// Whether integers are divided in it, which may fail.
    pub(crate) divides_integers: bool,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Options {
    pub(crate) sums: Sums,
    pub(crate) instrument: Instrument,
}

/// How far down its levels an access has come: the positions of an outermost run of levels are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Depth {
    pub(crate) levels: usize,
    /// Whether the last level has left a range of positions that share its coordinate.
    pub(crate) is_range: bool,
    /// Whether only the running program knows if there is a position.
    pub(crate) is_uncertain: bool,
}

/// What a loop carries of a workspace that is kept in values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Slot {
    Value(TensorId),
    /// Whether anything has come to it.
    Reached(TensorId),
}

impl Slot {
    pub(crate) fn tensor(self) -> TensorId {
        match self {
            Self::Value(tensor) | Self::Reached(tensor) => tensor,
        }
    }
}

/// Some of the values of a variable: those that a loop over a part of it completes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) whole: Var,
    /// The variable of the loop, which completes `whole`.
    pub(crate) var: Var,
    /// Whether every value between the first and the last is one of the part.
    pub(crate) is_contiguous: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct ComputePlan {
    /// The workspaces that are kept in tensors of their own, declared in front of the loops.
    pub(crate) kept: Vec<TensorId>,
    /// The sparse results that have an operand's coordinates, or keep their own.
    pub(crate) patterns: Vec<ResultPlan>,
    /// The sparse result that gets coordinates of its own.
    pub(crate) result: Option<ResultPlan>,
    /// The dense workspaces, made in front of the loops.
    pub(crate) dense_workspaces: Vec<DenseWorkspacePlan>,
    /// The loop whose tasks append to parts of the result.
    pub(crate) parts: Option<LoopId>,
    pub(crate) body: Vec<Step>,
    pub(crate) remarks: Vec<Remark>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DenseWorkspacePlan {
    pub(crate) tensor: TensorId,
    /// The variables that it is assigned under.
    pub(crate) vars: Vec<Var>,
    pub(crate) drained: Option<Drained>,
    /// What elements are stored as where those that nothing has come to are zero, since all that comes is
    /// added.
    pub(crate) adds: Option<ValueType>,
    /// Whether its values are those of a tensor of its own.
    pub(crate) is_kept: bool,
}

impl ComputePlan {
    /// Returns the operand whose coordinates a tensor gets before the loops run.
    pub(crate) fn pattern(&self, tensor: TensorId) -> Option<&SharedPattern> {
        self.patterns.iter().find_map(|result| match &result.strategy {
            Strategy::SamePattern(pattern) if result.access.tensor == tensor => Some(pattern),
            _ => None,
        })
    }
}

/// How a sparse tensor gets its coordinates and values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ResultPlan {
    pub(crate) assign: AssignId,
    pub(crate) access: Access,
    pub(crate) strategy: Strategy,
}

/// The ways in which a sparse tensor is assembled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Strategy {
    /// It stores what an operand stores in its outermost levels, which are copied as a whole.
    SamePattern(SharedPattern),
    /// It keeps its coordinates, and its values are overwritten.
    InPlace,
    /// Coordinates are appended in storage order.
    Append {
        groups: Vec<LevelGroup>,
        filling: Filling,
        /// The full levels below the last group, where elements may be left out that others are stored
        /// beside.
        gaps: Option<Range<usize>>,
    },
    /// Values are collected with their coordinates, in any order.
    Collect {
        kind: points::AccumulatorKind,
        capacity: Option<u64>,
        /// How values of one element combine; `None` overwrites.
        reduction: Option<Operator>,
        /// The tensor that reports name.
        reported_as: TensorId,
    },
}

/// How a result that is appended to gets its coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Filling {
    /// As they come, in arrays that grow.
    Grow,
    /// The loops run twice: they count the coordinates of the last level, then put each fiber in its place.
    CountAndPlace,
}

impl ResultPlan {
    pub(crate) fn is_appended(&self) -> bool {
        matches!(self.strategy, Strategy::Append { .. })
    }

    pub(crate) fn is_collected(&self) -> bool {
        matches!(self.strategy, Strategy::Collect { .. })
    }
}

#[derive(Clone, Debug)]
pub(crate) enum Step {
    Value(ValueId),
    Assign(AssignId, AssignTarget),
    Where(Box<WherePlan>),
    Loop(Box<LoopPlan>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AssignTarget {
    /// An array with marks.
    DenseWorkspace,
    /// A sparse tensor that is appended to.
    Appended,
    /// A sparse tensor whose values are collected.
    Collected,
    /// A sparse tensor that stores what an operand stores.
    SamePattern,
    /// A value that loops carry.
    Carried,
    /// A dense tensor.
    Dense,
}

#[derive(Clone, Debug)]
pub(crate) struct WherePlan {
    pub(crate) statement: WhereId,
    pub(crate) produced: Vec<Produced>,
    pub(crate) producer: Vec<Step>,
    /// `None` where the workspace becomes the target as it is.
    pub(crate) consumer: Option<Vec<Step>>,
}

/// A workspace that a where-statement computes.
#[derive(Clone, Debug)]
pub(crate) struct Produced {
    pub(crate) assign: AssignId,
    pub(crate) tensor: TensorId,
    pub(crate) as_: ProducedAs,
}

/// How a workspace is kept.
#[derive(Clone, Debug)]
pub(crate) enum ProducedAs {
    /// In the arrays that the compute has made.
    Dense,
    /// As tensors are stored.
    Stored(ResultPlan),
    /// In values that loops carry; whether anything has come is one of them where that matters.
    Carried(Slots),
}

/// Which slots a carried workspace has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slots {
    Value,
    ValueAndReached,
}

#[derive(Clone, Debug)]
pub(crate) struct LoopPlan {
    pub(crate) forall: LoopId,
    /// Its variable, without a range that the compiler was given.
    pub(crate) var: Var,
    pub(crate) kind: LoopKind,
}

/// How a loop is generated.
#[derive(Clone, Debug)]
pub(crate) enum LoopKind {
    /// Its values are the lanes of the vectors around it: the body comes once.
    Lanes(Vec<Step>),
    /// Blocks of lanes, whole ones first, then smaller ones.
    VectorBlocks { split: Split<Var>, lanes: u64, body: Vec<Step> },
    /// A sum in the lanes of a vector.
    VectorSum { sum: TensorId, lanes: u64, body: Vec<Step> },
    /// One value after another.
    Values {
        /// The tensors whose points come from a fixed number of blocks of its values, apart.
        block_collected: Vec<TensorId>,
        /// The group of a result's levels whose fibers it visits.
        fiber: Option<ResultLevel>,
        visit: Visit,
    },
}

/// A group of levels of a result that is appended to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ResultLevel {
    pub(crate) tensor: TensorId,
    pub(crate) group: usize,
}

/// How the coordinates of a loop's variable are visited, down to its body.
#[derive(Clone, Debug)]
pub(crate) struct Visit {
    /// The accesses that go down full levels whose coordinates are known by now.
    pub(crate) located: Vec<Access>,
    pub(crate) kind: VisitKind,
}

/// The ways to visit coordinates.
#[derive(Clone, Debug)]
pub(crate) enum VisitKind {
    /// Nothing is assigned.
    Nothing,
    /// Everything is known.
    Body(Box<BodyPlan>),
    /// The elements of a dense workspace that something has come to, in order.
    Drain { workspace: TensorId, number: usize, reserve: Option<ResultLevel>, body: Box<BodyPlan> },
    /// A loop has fixed a position, from which coordinates follow.
    AtPosition { position: usize, walk: Walk, then: Box<Visit> },
    /// The coordinate of an access's next level is known, and is looked for.
    Search { access: Access, presences: Presences },
    /// A loop over stored coordinates gives the parts of a variable.
    Halves { part: Part, halves: Vec<(Var, Half)>, then: Box<Visit> },
    /// The positions that one operand stores for the pairs of a fused variable.
    Pairs { walk: Walk, then: Box<Visit> },
    /// All coordinates.
    All {
        tasks: Option<Box<TaskPlan>>,
        /// The splits whose values may now be outside of their range.
        checked: Vec<Split<Var>>,
        /// Whether no loop is inside, so that vector code for its sums pays.
        is_innermost: bool,
        then: Box<Visit>,
    },
    /// What one operand stores, by position.
    Stored(Box<StoredPlan>),
    /// What several operands store, or all coordinates beside them.
    Merge(Box<MergePlan>),
}

/// The body of a loop at a coordinate.
#[derive(Clone, Debug)]
pub(crate) struct BodyPlan {
    pub(crate) forall: LoopId,
    /// The group of a result's levels that takes the coordinate if something is stored below it.
    pub(crate) appended: Option<ResultLevel>,
    /// Whether a coordinate has been reserved in front of the loop.
    pub(crate) room: Room,
    pub(crate) steps: Vec<Step>,
}

/// Whether arrays have room for what a loop appends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Room {
    Unknown,
    Reserved,
}

/// Some levels of an access that one variable counts the positions of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Walk {
    pub(crate) access: Access,
    pub(crate) levels: Range<usize>,
}

/// What a part of a variable is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Half {
    /// It is not known yet, and gets its value.
    Bound,
    /// It is known, and the coordinate is one of the loop's only where they agree.
    Compared,
    /// It is known, and agrees.
    Agrees,
}

/// A loop over the positions of an operand's next level.
#[derive(Clone, Debug)]
pub(crate) struct StoredPlan {
    pub(crate) var: Var,
    pub(crate) access: Access,
    /// The level that the access has come to, which may be a slot.
    pub(crate) level: usize,
    pub(crate) part: Option<Part>,
    pub(crate) positions: StoredPositions,
    /// Whether positions may hold no coordinate.
    pub(crate) may_be_empty: bool,
    /// Whether no loop is inside, so that vector code for its sums pays.
    pub(crate) is_innermost: bool,
    /// Whether one vector of its values at a time is enough work: most fibers are too short for more.
    pub(crate) has_long_vectors: bool,
    pub(crate) reserve: Option<ResultLevel>,
    pub(crate) tasks: Option<Box<TaskPlan>>,
    /// The reads of dense operands whose rows are prefetched.
    pub(crate) prefetched: Vec<Access>,
    pub(crate) then: Visit,
}

/// Which positions a loop visits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StoredPositions {
    /// Those of a segment that the level stores for each parent.
    Segment,
    /// Those that the level above has left together.
    Range,
    /// The only one under the parent.
    One,
}

/// A loop over the coordinates of several operands, with a cursor into each.
#[derive(Clone, Debug)]
pub(crate) struct MergePlan {
    pub(crate) var: Var,
    pub(crate) operands: Vec<Access>,
    pub(crate) part: Option<Part>,
    pub(crate) reserve: Option<ResultLevel>,
    pub(crate) kind: MergeKind,
}

/// How coordinates of several operands are merged.
#[derive(Clone, Debug)]
pub(crate) enum MergeKind {
    /// Every coordinate; each operand may have it or not.
    All(Presences),
    /// The coordinates that all operands store.
    Intersect(Visit),
    /// The coordinates that any operand stores; which have it is looked at one by one.
    Any(Visit),
    /// One loop for each point of the merge lattice.
    Lattice(Vec<LatticeLoop>),
}

/// How the presence of operands at a coordinate is distinguished.
#[derive(Clone, Debug)]
pub(crate) enum Presences {
    /// A body for each case.
    Cases(Cases),
    /// One body, in which operands are present or absent at run time.
    AtRunTime(Box<Visit>),
}

/// A loop that runs while all operands of a lattice point have coordinates left.
#[derive(Clone, Debug)]
pub(crate) struct LatticeLoop {
    /// The operands by their numbers.
    pub(crate) point: Vec<usize>,
    /// The operands that have none left.
    pub(crate) absent: Vec<Access>,
    pub(crate) cases: Cases,
}

/// The body for every case of some operands that may store a coordinate or not.
#[derive(Clone, Debug)]
pub(crate) enum Cases {
    /// No operand is left to look at.
    Visit(Box<Visit>),
    /// Nothing is assigned: cursors go past the coordinate.
    Dead,
    /// The first of the operands that are left stores it, or not.
    Test { present: Box<Cases>, absent: Box<Cases> },
}

/// The iterations of a loop as tasks of about equal work.
#[derive(Clone, Debug)]
pub(crate) struct TaskPlan {
    pub(crate) forall: LoopId,
    /// The operand whose positions are the iterations; `None` where coordinates are.
    pub(crate) driver: Option<Access>,
    /// The levels below an iteration, which say how much work it is.
    pub(crate) below: Vec<Below>,
    pub(crate) kind: TaskKind,
    /// The operands that have a fiber for each entry of others.
    pub(crate) fan_outs: Vec<FanOut>,
    /// The variables inside that visit all of their values.
    pub(crate) repeated: Vec<Var>,
    /// The loop that tasks share where an iteration is long.
    pub(crate) shared_loop: Option<LoopId>,
}

/// The next level of an operand, at the positions that iterations are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Below {
    pub(crate) tensor: TensorId,
    pub(crate) level: usize,
}

/// An operand with a dense level above a compressed one, whose fibers the entries of another operand name:
/// `B` in `A[i,k] * B[k,j]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FanOut {
    /// The operand that has the entries, and its next level at the positions that iterations are.
    pub(crate) entries: Below,
    pub(crate) fibers: TensorId,
}

/// What tasks write to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TaskKind {
    /// Elements of their own.
    Own,
    /// Parts of a sparse result.
    Parts,
    /// Copies of a scalar or register workspace, which are added up.
    Scalars(TensorId),
    /// Copies of a dense tensor, which are added up.
    Copies(TensorId),
}

/// Where a remark or an error points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Site {
    Compute,
    Loop(LoopId),
    Assign(AssignId),
    /// A workspace's declaration.
    Workspace(TensorId),
    /// The declaration of a variable over positions.
    Positions(Var),
}

/// Something that was decided, for `--explain`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Remark {
    pub(crate) site: Site,
    pub(crate) text: String,
}

/// Why there is no plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) site: Site,
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
    pub(crate) fault: Fault,
}

/// Whose mistake it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The program asks for what is not right.
    Program,
    /// The program asks for what the CPU back end does not support.
    Unsupported,
}

impl Refusal {
    fn unsupported(site: Site, what: impl Into<String>) -> Self {
        Self { site, message: what.into(), hint: None, fault: Fault::Unsupported }
    }

    fn program(site: Site, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { site, message: message.into(), hint: Some(hint.into()), fault: Fault::Program }
    }
}

type Result<T> = std::result::Result<T, Refusal>;

pub(crate) fn plan(compute: &Compute, facts: &Facts, options: Options) -> Result<ComputePlan> {
    let planner = |merges_in_cases| Planner {
        compute,
        facts,
        options,
        merges_in_cases,
        bodies: 0,
        parts: None,
        remarks: Vec::new(),
    };
    match planner(MergesInCases::Cases).compute()? {
        (_, bodies) if bodies > MOST_BODIES => Ok(planner(MergesInCases::AtRunTime).compute()?.0),
        (plan, _) => Ok(plan),
    }
}

/// The most bodies of loops that there is code for. A sum of three operands has 19 for one compressed level,
/// 80 for two, 207 for three; a product of two such sums, one inside of the other, would have 399.
const MOST_BODIES: usize = 256;

/// How the presence of operands is distinguished inside of a body that is for one of several cases.
#[derive(Clone, Copy, PartialEq, Eq)]
enum MergesInCases {
    /// By a body for each case again.
    Cases,
    AtRunTime,
}

struct Planner<'a> {
    compute: &'a Compute,
    facts: &'a Facts,
    options: Options,
    merges_in_cases: MergesInCases,
    /// How many bodies of loops have been planned.
    bodies: usize,
    /// The loop whose tasks append to parts of the result.
    parts: Option<LoopId>,
    remarks: Vec<Remark>,
}

impl<'a> Planner<'a> {
    /// Returns the plan, and the number of its bodies; those beyond [`MOST_BODIES`] are empty where there is
    /// another way.
    fn compute(mut self) -> Result<(ComputePlan, usize)> {
        let mut scope = Scope::new(self.compute);
        let body = &self.compute.body;
        let kept = self.kept_workspaces();
        let patterns = self.patterns();
        scope.results.extend(patterns.iter().cloned());
        self.parts = self.parts_loop(&scope)?;
        let result = self.sparse_result(&scope)?;
        scope.results.extend(result.clone());
        if self.facts.assembly == Assembly::Counted && !result.as_ref().is_some_and(ResultPlan::is_appended) {
            let text = "nothing is counted first: points that come in any order are packed into arrays of the right size";
            self.remark(Site::Compute, text);
        }
        let dense_workspaces = self.dense_workspaces(&kept);
        let body = self.block(&scope, body)?;
        let plan = ComputePlan {
            kept,
            patterns,
            result,
            dense_workspaces,
            parts: self.parts,
            body,
            remarks: self.remarks,
        };
        Ok((plan, self.bodies))
    }

    fn remark(&mut self, site: Site, text: impl Into<String>) {
        let remark = Remark { site, text: text.into() };
        if !self.remarks.contains(&remark) {
            self.remarks.push(remark);
        }
    }

    fn name(&self, var: Var) -> &'a str {
        &self.compute.var(var).name
    }

    fn tensor_name(&self, tensor: TensorId) -> &'a str {
        &self.compute.tensor(tensor).name
    }
}
