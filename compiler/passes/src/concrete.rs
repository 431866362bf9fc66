//! The one reader of `cin.compute`: concrete index notation as plain data, and which operations and values its
//! rows are.

use crate::nest::{self, Blocks, Relations, WorkspaceKind, optional_integer, point};
use crate::operator::{Operator as Combined, Reduction};
use crate::schedule::ParallelUnit;
use comet_dialects::cin::{
    AccessOperation, AddOperation, AssignOperation, CastOperation, CombineOperation, ForallOperation, IndexVarOperation,
    MaskOperation, NegOperation, SubOperation, TemporaryOperation, WhereOperation,
};
use comet_ir::{Block, Op, Val, format};
use comet_notation::Operator;
use comet_notation::concrete::{
    Access, Assign, AssignId, Compute, Forall, IndexVar, Kept, LoopId, LoopSchedule, Origin, Parallel, Stmt, TensorId,
    TensorVar, Value, ValueId, Var, Where, WhereId, WorkspaceKind as Kind,
};
use comet_notation::relations::{self, Bound, Fusion, PositionVar, Split};
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

    pub fn assign(&self, assign: Op<'c>) -> Option<AssignId> {
        self.assigns.iter().position(|other| *other == assign).map(AssignId)
    }
}

/// Reads a `cin.compute`. An operation that is no part of a statement is left out and returned.
pub fn read(compute: Op<'_>) -> (Compute, Handles<'_>, Vec<Op<'_>>) {
    let mut reader = Reader { compute: Compute::default(), handles: Handles::default(), others: Vec::new() };
    reader.relations(&Relations::of(compute));
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
        let blocks = |blocks| match blocks {
            Blocks::OfSize(size) => relations::Blocks::OfSize(size),
            Blocks::InNumber(number) => relations::Blocks::InNumber(number),
        };
        for split in relations.splits() {
            let [var, outer, inner] = [split.var, split.outer, split.inner].map(|var| self.var(var));
            self.compute.relations.splits.push(Split { var, blocks: blocks(split.blocks), outer, inner });
        }
        for fusion in relations.fusions() {
            let [outer, inner, fused] = [fusion.outer, fusion.inner, fusion.fused].map(|var| self.var(var));
            self.compute.relations.fusions.push(Fusion { outer, inner, fused });
        }
        for positions in relations.positions() {
            let [var, position] = [positions.var, positions.position].map(|var| self.var(var));
            let Access { tensor, indices } = self.access(positions.tensor, &positions.indices);
            let level = positions.level;
            self.compute.relations.positions.push(PositionVar { var, tensor, indices, level, position });
        }
        for (bounded, whole) in relations.bounds() {
            let [bounded, whole] = [*bounded, *whole].map(|var| self.var(var));
            self.compute.relations.bounds.push(Bound { bounded, whole });
        }
    }

    fn var(&mut self, var: Val<'c>) -> Var {
        self.handles.var(var).unwrap_or_else(|| {
            let is_declared = Op::defining(var).is_some_and(|op| op.is::<IndexVarOperation>());
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
            let workspace = nest::temporary(tensor).map(WorkspaceKind::of).map(|kind| match kind {
                WorkspaceKind::Scalar => Kind::Scalar,
                WorkspaceKind::Registers => Kind::Registers,
                WorkspaceKind::Dense => Kind::Dense,
                WorkspaceKind::Hash => Kind::Hash,
                WorkspaceKind::List => Kind::List,
                WorkspaceKind::Levels => Kind::Levels,
            });
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
        if op.is::<ForallOperation>() {
            return Some(Stmt::Forall(self.forall(op)));
        }
        if op.is::<WhereOperation>() {
            return Some(Stmt::Where(self.where_statement(op)));
        }
        if op.is::<AssignOperation>() {
            return Some(Stmt::Assign(self.assign(op)));
        }
        if op.is::<TemporaryOperation>() {
            return Some(Stmt::Workspace(self.tensor(op.result(0))));
        }
        if crate::schedule::is_value(op) {
            let value = self.expression(op);
            return Some(Stmt::Value(self.push_value(op.result(0), value)));
        }
        if op.is::<IndexVarOperation>() {
            self.var(op.result(0));
        } else if !is_relation(op) {
            self.others.push(op);
        }
        None
    }

    fn forall(&mut self, op: Op<'c>) -> LoopId {
        let number = |name| optional_integer(op, name).and_then(|number| u64::try_from(number).ok());
        let parallel = match optional_integer(op, "parallel") {
            None => Parallel::No,
            Some(unit) if unit == ParallelUnit::Cpu as i64 => Parallel::Processors,
            Some(_) => Parallel::Accelerator,
        };
        let schedule = LoopSchedule {
            parallel,
            tasks: number("tasks"),
            unroll: number("unroll"),
            vectorize: number("vectorize"),
        };
        let id = LoopId(self.compute.loops.len());
        let var = self.var(op.operand(0));
        self.compute.loops.push(Forall { var, schedule, body: Vec::new() });
        self.handles.loops.push(op);
        self.compute.loops[id.0].body = self.block(op.body(0));
        id
    }

    fn where_statement(&mut self, op: Op<'c>) -> WhereId {
        let id = WhereId(self.compute.wheres.len());
        let empty = Where { consumer: Vec::new(), producer: Vec::new(), produced: Vec::new() };
        self.compute.wheres.push(empty);
        self.handles.wheres.push(op);
        let (consumer, producer) = (self.block(op.body(0)), self.block(op.body(1)));
        let mut produced: Vec<AssignId> = Vec::new();
        for assign in self.compute.assigns_in(&producer) {
            let target = self.compute.assign(assign).target.tensor;
            let is_other = |other: &AssignId| self.compute.assign(*other).target.tensor != target;
            let temporary = nest::temporary(self.handles.tensors[target.0]);
            if temporary.is_some_and(|temporary| temporary.block() == op.block()) && produced.iter().all(is_other) {
                produced.push(assign);
            }
        }
        self.compute.wheres[id.0] = Where { consumer, producer, produced };
        id
    }

    fn assign(&mut self, op: Op<'c>) -> AssignId {
        let (tensor, indices) = point(op);
        let target = self.access(tensor, &indices);
        let reduction = match Reduction::of(op) {
            Reduction::Set => None,
            other => Some(Operator::named(other.name()).expect("reductions are operators")),
        };
        let value = self.value(op.operand(0));
        self.compute.assigns.push(Assign { target, reduction, value });
        self.handles.assigns.push(op);
        AssignId(self.handles.assigns.len() - 1)
    }

    /// A value that no operation of the block computes is from outside.
    fn value(&mut self, value: Val<'c>) -> ValueId {
        let known = self.handles.values.iter().position(|other| *other == value).map(ValueId);
        known.unwrap_or_else(|| self.push_value(value, Value::Outside))
    }

    fn push_value(&mut self, value: Val<'c>, row: Value) -> ValueId {
        self.compute.values.push(row);
        self.handles.values.push(value);
        ValueId(self.handles.values.len() - 1)
    }

    fn expression(&mut self, op: Op<'c>) -> Value {
        if op.is::<AccessOperation>() {
            let (tensor, indices) = point(op);
            return Value::Access(self.access(tensor, &indices));
        }
        let operands: Vec<ValueId> = op.operands().into_iter().map(|operand| self.value(operand)).collect();
        match operands[..] {
            [value] if op.is::<NegOperation>() => Value::Neg(value),
            [value] if op.is::<CastOperation>() => Value::Cast(value),
            [left, right] if op.is::<AddOperation>() => Value::Unite(Operator::Add, [left, right]),
            [left, right] if op.is::<SubOperation>() => Value::Unite(Operator::Sub, [left, right]),
            [left, right] if op.is::<CombineOperation>() => {
                let operator = Operator::named(Combined::of(op).name()).expect("operators have one table");
                Value::Intersect(operator, [left, right])
            }
            [value, mask] if op.is::<MaskOperation>() => {
                let is_complement = op.attribute("complement").is_some();
                let kept = if is_complement { Kept::Complement } else { Kept::Stored };
                Value::Mask { value, mask, kept }
            }
            _ => unreachable!("expressions have one or two operands"),
        }
    }
}

/// Returns whether an operation relates index variables.
fn is_relation(op: Op<'_>) -> bool {
    use comet_dialects::cin::{BoundOperation, DivideOperation, FuseOperation, PosOperation, SplitOperation};
    op.is::<SplitOperation>()
        || op.is::<DivideOperation>()
        || op.is::<FuseOperation>()
        || op.is::<PosOperation>()
        || op.is::<BoundOperation>()
}
