//! The one reader of `cin.compute`: concrete index notation as plain data, and which operations and values
//! its rows are.

use crate::nest::{self, Relations};
use comet_ir::cin::{self, Cin};
use comet_ir::{Block, Op, Val, format};
use comet_notation::concrete::{
    Access, Assign, AssignId, Compute, Forall, IndexVar, Kept, LoopId, LoopSchedule, Origin, Parallel, Stmt,
    TensorId, TensorVar, Value, ValueId, Var, Where, WhereId, WorkspaceKind,
};
use comet_notation::relations::{Bound, Fusion, PositionVar, Split};
use comet_notation::{Constant, Function, Operator};
use melior::ir::ValueLike;

/// What the rows of a [`Compute`] are in the module.
#[derive(Default)]
pub struct Handles<'c> {
    pub vars: Vec<Val<'c>>,
    pub tensors: Vec<Val<'c>>,
    pub values: Vec<Val<'c>>,
    pub loops: Vec<Op<'c>>,
    pub wheres: Vec<Op<'c>>,
    pub assigns: Vec<Op<'c>>,
}

impl<'c> Handles<'c> {
    pub fn var(&self, var: Val<'c>) -> Option<Var> {
        self.vars.iter().position(|other| *other == var).map(Var)
    }

    pub fn tensor(&self, tensor: Val<'c>) -> Option<TensorId> {
        self.tensors.iter().position(|other| *other == tensor).map(TensorId)
    }

    /// Returns the extent of a variable of the expression, of type `index`.
    pub fn extent(&self, var: Var) -> Val<'c> {
        let declaration = cin::IndexVar::defining(self.vars[var.0]);
        declaration.expect("it is a variable of the expression").size()
    }

    pub fn assign(&self, assign: Op<'c>) -> Option<AssignId> {
        self.assigns.iter().position(|other| *other == assign).map(AssignId)
    }
}

/// Reads a `cin.compute`. An operation that is no part of a statement is left out and returned.
pub fn read(compute: Op<'_>) -> (Compute, Handles<'_>, Vec<Op<'_>>) {
    let mut reader = Reader { compute: Compute::default(), handles: Handles::default(), others: Vec::new() };
    reader.relations(&nest::relations(compute));
    let body = reader.block(compute.body(0));
    reader.compute.body = body;
    (reader.compute, reader.handles, reader.others)
}

struct Reader<'c> {
    compute: Compute,
    handles: Handles<'c>,
    others: Vec<Op<'c>>,
}

impl<'c> Reader<'c> {
    fn relations(&mut self, relations: &Relations<'c>) {
        for split in &relations.splits {
            let [var, outer, inner] = [split.var, split.outer, split.inner].map(|var| self.var(var));
            self.compute.relations.splits.push(Split { var, blocks: split.blocks, outer, inner });
        }
        for fusion in &relations.fusions {
            let [outer, inner, fused] = [fusion.outer, fusion.inner, fusion.fused].map(|var| self.var(var));
            self.compute.relations.fusions.push(Fusion { outer, inner, fused });
        }
        for positions in &relations.positions {
            let [var, position] = [positions.var, positions.position].map(|var| self.var(var));
            let Access { tensor, indices } = self.access(positions.tensor, &positions.indices);
            let level = positions.level;
            self.compute.relations.positions.push(PositionVar { var, tensor, indices, level, position });
        }
        for bound in &relations.bounds {
            let [bounded, whole] = [bound.bounded, bound.whole].map(|var| self.var(var));
            self.compute.relations.bounds.push(Bound { bounded, whole });
        }
    }

    fn var(&mut self, var: Val<'c>) -> Var {
        self.handles.var(var).unwrap_or_else(|| {
            let is_declared = cin::IndexVar::defining(var).is_some();
            let origin = if is_declared { Origin::Expression } else { Origin::Derived };
            let extent = nest::constant_extent(var).and_then(|extent| u64::try_from(extent).ok());
            self.compute.vars.push(IndexVar { name: nest::name(var), extent, origin });
            self.handles.vars.push(var);
            Var(self.handles.vars.len() - 1)
        })
    }

    fn tensor(&mut self, tensor: Val<'c>) -> TensorId {
        self.handles.tensor(tensor).unwrap_or_else(|| {
            let ty = tensor.r#type();
            let workspace = cin::Temporary::defining(tensor).map(|declared| kind(declared.kind()));
            let (format, element) = (format::of_type(ty), format::value_type(ty));
            self.compute.tensors.push(TensorVar { name: nest::name(tensor), format, element, workspace });
            self.handles.tensors.push(tensor);
            TensorId(self.handles.tensors.len() - 1)
        })
    }

    fn access(&mut self, tensor: Val<'c>, indices: &[Val<'c>]) -> Access {
        Access { tensor: self.tensor(tensor), indices: indices.iter().map(|var| self.var(*var)).collect() }
    }

    fn block(&mut self, block: Block<'c>) -> Vec<Stmt> {
        block.ops().into_iter().filter_map(|op| self.statement(op)).collect()
    }

    fn statement(&mut self, op: Op<'c>) -> Option<Stmt> {
        let value = match Cin::of(op) {
            Some(Cin::Forall(forall)) => return Some(Stmt::Forall(self.forall(forall))),
            Some(Cin::Where(statement)) => return Some(Stmt::Where(self.where_statement(statement))),
            Some(Cin::Assign(assign)) => return Some(Stmt::Assign(self.assign(assign))),
            Some(Cin::Temporary(temporary)) => return Some(Stmt::Workspace(self.tensor(temporary.tensor()))),
            Some(Cin::IndexVar(var)) => {
                self.var(var.var());
                return None;
            }
            Some(Cin::Split(_) | Cin::Divide(_) | Cin::Fuse(_) | Cin::Pos(_) | Cin::Bound(_)) => return None,
            Some(Cin::Access(access)) => Value::Access(self.access(access.tensor(), &access.indices())),
            Some(Cin::Neg(neg)) => Value::Neg(self.value(neg.value())),
            Some(Cin::Cast(cast)) => Value::Cast(self.value(cast.value())),
            Some(Cin::Apply(apply)) => {
                let function = Function::named(apply.function().word());
                let function = function.expect("the dialect has the words of the table of functions");
                Value::Apply(function, self.value(apply.value()))
            }
            Some(Cin::Drop(drop)) => {
                let [value, condition] = self.values([drop.value(), drop.condition()]);
                Value::Drop { value, condition }
            }
            Some(Cin::Unite(unite)) => {
                Value::Unite(operator(unite.op().word()), self.values([unite.left(), unite.right()]))
            }
            Some(Cin::Combine(combine)) => Value::Intersect(
                operator(combine.op().word()),
                self.values([combine.left(), combine.right()]),
            ),
            Some(Cin::Mask(mask)) => {
                let kept = if mask.complement() { Kept::Complement } else { Kept::Stored };
                let [value, mask] = self.values([mask.value(), mask.mask()]);
                Value::Mask { value, mask, kept }
            }
            Some(Cin::Command(_) | Cin::Compute(_) | Cin::Environment(_) | Cin::Map(_)) | None => {
                self.others.push(op);
                return None;
            }
        };
        Some(Stmt::Value(self.push_value(op.result(0), value)))
    }

    fn forall(&mut self, op: cin::Forall<'c>) -> LoopId {
        let number = |number: Option<i64>| number.and_then(|number| u64::try_from(number).ok());
        let parallel = match op.parallel() {
            None => Parallel::No,
            Some(cin::ParallelUnit::Cpu) => Parallel::Processors,
            Some(cin::ParallelUnit::Spatial | cin::ParallelUnit::Reduction) => Parallel::Accelerator,
        };
        let schedule = LoopSchedule {
            parallel,
            tasks: number(op.tasks()),
            unroll: number(op.unroll()),
            vectorize: number(op.vectorize()),
        };
        let id = LoopId(self.compute.loops.len());
        let var = self.var(op.var());
        self.compute.loops.push(Forall { var, schedule, body: Vec::new() });
        self.handles.loops.push(op.into());
        self.compute.loops[id.0].body = self.block(op.body());
        id
    }

    fn where_statement(&mut self, op: cin::Where<'c>) -> WhereId {
        let id = WhereId(self.compute.wheres.len());
        let empty = Where { consumer: Vec::new(), producer: Vec::new(), produced: Vec::new() };
        self.compute.wheres.push(empty);
        self.handles.wheres.push(op.into());
        let (consumer, producer) = (self.block(op.consumer()), self.block(op.producer()));
        let mut produced: Vec<AssignId> = Vec::new();
        for assign in self.compute.assigns_in(&producer) {
            let target = self.compute.assign(assign).target.tensor;
            let is_other = |other: &AssignId| self.compute.assign(*other).target.tensor != target;
            let temporary = nest::temporary(self.handles.tensors[target.0]);
            if temporary.is_some_and(|temporary| temporary.block() == op.block())
                && produced.iter().all(is_other)
            {
                produced.push(assign);
            }
        }
        self.compute.wheres[id.0] = Where { consumer, producer, produced };
        id
    }

    fn assign(&mut self, op: cin::Assign<'c>) -> AssignId {
        let target = self.access(op.tensor(), &op.indices());
        let reduction = match op.reduction() {
            cin::Reduction::Set => None,
            other => Some(operator(other.word())),
        };
        let (in_place, value) = (op.in_place(), self.value(op.value()));
        self.compute.assigns.push(Assign { target, reduction, in_place, value });
        self.handles.assigns.push(op.into());
        AssignId(self.handles.assigns.len() - 1)
    }

    fn values(&mut self, values: [Val<'c>; 2]) -> [ValueId; 2] {
        values.map(|value| self.value(value))
    }

    /// A value that no operation of the compute computes is from outside.
    fn value(&mut self, value: Val<'c>) -> ValueId {
        let known = self.handles.values.iter().position(|other| *other == value).map(ValueId);
        known.unwrap_or_else(|| self.push_value(value, Value::Outside))
    }

    fn push_value(&mut self, value: Val<'c>, row: Value) -> ValueId {
        self.compute.values.push(row);
        self.handles.values.push(value);
        ValueId(self.handles.values.len() - 1)
    }
}

/// Returns what a target holds that nothing has come to; 0 where values replace each other.
pub(crate) fn identity(reduction: cin::Reduction) -> Constant {
    Operator::named(reduction.word()).and_then(Operator::identity).unwrap_or(Constant::ZERO)
}

fn operator(word: &str) -> Operator {
    Operator::named(word).expect("the dialect has the words of the table of operators")
}

fn kind(kind: cin::WorkspaceKind) -> WorkspaceKind {
    match kind {
        cin::WorkspaceKind::Scalar => WorkspaceKind::Scalar,
        cin::WorkspaceKind::Registers => WorkspaceKind::Registers,
        cin::WorkspaceKind::Dense => WorkspaceKind::Dense,
        cin::WorkspaceKind::Hash => WorkspaceKind::Hash,
        cin::WorkspaceKind::List => WorkspaceKind::List,
        cin::WorkspaceKind::Levels => WorkspaceKind::Levels,
    }
}
