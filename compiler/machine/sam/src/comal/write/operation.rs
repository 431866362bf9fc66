//! A block as an operation, or what Comal lacks of it.

use super::streams::Streams;
use crate::comal::message::{
    Alu, AluOp, AluPorts, AluStreams, ArrayVals, Carried, CoordPair, FiberLookup, FiberWrite, JoinBundle,
    JoinType, Joiner, Locate, Op, Payload, Reduce, ReduceType, Repeat, RepeatInput, RepeatOutput, RepeatOver,
    SparseAccumulator, Stage, Stream, ValWrite,
};
use crate::dot::label::title;
use crate::graph::{
    self, Accumulate, BlockId, BlockKind, CoordinateForm, Dropped, Element, EmptyFiber, FiberNesting,
    Function, GraphBlock, GraphLevel, Join, Merge, NumberFunction, Operator, Port, Reduction, Scanner,
    StreamKind, ValuePlacement, WriteLevel, WriteValues,
};
use crate::named::Named as _;

/// The name of an operation and what it is; or what Comal lacks.
type Made = Result<(&'static str, Op), String>;

pub(super) fn of(block: &GraphBlock, id: BlockId, streams: &Streams<'_>) -> Made {
    if block.lanes != 1 {
        return Err("blocks that move several tokens a cycle".to_owned());
    }
    let ports = StreamNumbers { label: title(&block.kind), id, streams };
    match &block.kind {
        BlockKind::Scanner(scanner) => ports.scanner(scanner),
        BlockKind::Repeat(repeat) => ports.repeat(repeat),
        BlockKind::Join(join) => ports.join(join),
        BlockKind::Array { tensor, .. } => Ok(("arrayval", ports.array(tensor))),
        BlockKind::Locate(locate) => ports.locate(locate),
        BlockKind::Alu(alu) if alu.how != Merge::of(alu.operator) => {
            Err("operators that say what becomes of empty tokens".to_owned())
        }
        BlockKind::Alu(alu) => ports.alu(alu.element, operator(alu.operator), 0.0, 2),
        BlockKind::Apply(apply) => {
            let (op, scalar) = function(apply.function)?;
            ports.alu(apply.element, Ok(op), scalar, 1)
        }
        BlockKind::Reduce(reduce) => ports.reduce(reduce),
        BlockKind::Accumulate(accumulate) => ports.accumulate(accumulate),
        BlockKind::Drop { outer, inner, what: Dropped::EmptyFibers } => {
            Ok(("crddrop", Op::CoordDrop(ports.pair(outer, inner))))
        }
        BlockKind::Drop { .. } => Err("droppers of values".to_owned()),
        BlockKind::Hold { outer, inner } => Ok(("crdhold", Op::CoordHold(ports.pair(outer, inner)))),
        BlockKind::WriteLevel(write) => ports.write_level(write),
        BlockKind::WriteValues(write) => ports.write_values(write),
        BlockKind::RepeatSignal { .. } => unreachable!("repeaters have no signals in a file"),
        BlockKind::ToWords(_)
        | BlockKind::Parallelize(_)
        | BlockKind::Serialize(_)
        | BlockKind::Fetch(_)
        | BlockKind::Mask(_) => Err(format!("`{}` with this meaning", block.kind.type_name())),
    }
}

struct StreamNumbers<'s> {
    label: String,
    id: BlockId,
    streams: &'s Streams<'s>,
}

impl StreamNumbers<'_> {
    fn input(&self, port: Port) -> Option<Stream> {
        self.streams.input(self.id, port)
    }

    fn output(&self, port: Port) -> Option<Stream> {
        self.streams.output(self.id, port)
    }

    fn scanner(self, scanner: &Scanner) -> Made {
        if scanner.skips {
            return Err("scanners that skip".to_owned());
        }
        let lookup = FiberLookup {
            input_ref: self.input(Port::FIRST),
            output_ref: self.output(Port::SECOND),
            output_crd: self.output(Port::FIRST),
            index: scanner.index.clone(),
            tensor: scanner.tensor.clone(),
            mode: scanner.mode as u64,
            format: level(scanner.level)?,
            src: true,
            root: scanner.root,
            label: self.label,
        };
        Ok(("fiberlookup", Op::FiberLookup(lookup)))
    }

    fn repeat(self, repeat: &graph::Repeat) -> Made {
        let over = self.input(Port::SECOND);
        let over = over.ok_or("repeaters over coordinates that no references or values go with")?;
        let over_values = self.streams.reads_values(self.id, Port::SECOND);
        let (input, output) = (self.input(Port::FIRST), self.output(Port::FIRST));
        let is_ref = repeat.carries == StreamKind::Ref;
        let repeat = Repeat {
            input: input.map(if is_ref { RepeatInput::Ref } else { RepeatInput::Val }),
            output: output.map(if is_ref { RepeatOutput::Ref } else { RepeatOutput::Val }),
            over: Some(if over_values { RepeatOver::Val(over) } else { RepeatOver::Ref(over) }),
            label: self.label,
            index: repeat.index.clone(),
            root: repeat.root,
            tensor: repeat.tensor.clone(),
        };
        Ok(("repeat", Op::Repeat(repeat)))
    }

    fn join(self, join: &Join) -> Made {
        if join.width.is_some() || join.operands.iter().any(|operand| operand.skips) {
            return Err("joiners of bit vectors and joiners that signal what to skip".to_owned());
        }
        let carried = |operand: usize, stream: Option<Stream>| Payload {
            stream: stream.map(match join.operands[operand].carries {
                StreamKind::Val => Carried::Val,
                _ => Carried::Ref,
            }),
        };
        let pair = |operand: usize| JoinBundle {
            crd: self.input(Port::operand_crd(operand)),
            in_ref: Some(carried(operand, self.input(Port::operand_ref(operand)))),
        };
        let operands = 0..join.operands.len();
        let outputs = operands.clone().map(|at| carried(at, self.output(Port::joined_ref(at)))).collect();
        let join_type = match join.how {
            Merge::Intersect => JoinType::Intersect,
            Merge::Union => JoinType::Union,
        };
        let joiner = Joiner {
            join_type: join_type.into(),
            input_pairs: operands.map(pair).collect(),
            index: join.index.clone(),
            output_refs: outputs,
            output_crd: self.output(Port::FIRST),
            label: self.label,
        };
        Ok(("joiner", Op::Joiner(joiner)))
    }

    fn array(self, tensor: &str) -> Op {
        Op::Array(ArrayVals {
            tensor: tensor.to_owned(),
            input_ref: self.input(Port::FIRST),
            output_val: self.output(Port::FIRST),
            label: self.label,
            ..ArrayVals::default()
        })
    }

    fn locate(self, locate: &graph::Locate) -> Made {
        if !locate.root || !locate.level.is_dense() {
            return Err("locators in other levels than an outermost dense one".to_owned());
        }
        let along = self.input(Streams::ALONG);
        let along = along.ok_or("locators of coordinates that no references go with")?;
        let locate = Locate {
            input_crd: self.input(Port::FIRST),
            input_ref: Some(along),
            output_ref1: self.output(Port::SECOND),
            output_ref2: Some(Stream::new(0)),
            output_crd: self.output(Port::FIRST),
            label: self.label,
        };
        Ok(("locate", Op::Locate(locate)))
    }

    fn alu(self, element: Element, op: Result<AluOp, String>, scalar: f64, inputs: usize) -> Made {
        check_element(element)?;
        let op = op?;
        let vals = AluPorts {
            inputs: (0..inputs).filter_map(|input| self.input(Port(input))).collect(),
            output: self.output(Port::FIRST),
        };
        let stage = Stage { inputs: (0..inputs as u64).collect(), output: 0, op: op.into() };
        let alu = Alu {
            conn: Some(AluStreams::Vals(vals)),
            stages: vec![stage],
            label: self.label,
            scalar,
            ..Alu::default()
        };
        Ok((name(op), Op::Alu(alu)))
    }

    fn reduce(self, reduce: &graph::Reduce) -> Made {
        check_element(reduce.element)?;
        if reduce.empty != EmptyFiber::Zero {
            return Err("reducers that distinguish an empty fiber from none".to_owned());
        }
        let reduce_type = match reduce.reduction {
            _ if reduce.inputs != 1 => return Err("reducers of several inputs".to_owned()),
            Reduction::Add => ReduceType::Add,
            Reduction::Max => ReduceType::Max,
            other => return Err(format!("`{}` reductions", other.case_name())),
        };
        let reduce = Reduce {
            input_val: self.input(Port::FIRST),
            output_val: self.output(Port::FIRST),
            label: self.label,
            reduce_type: reduce_type.into(),
            ..Reduce::default()
        };
        Ok(("reduce", Op::Reduce(reduce)))
    }

    fn accumulate(self, accumulate: &Accumulate) -> Made {
        check_element(accumulate.element)?;
        if accumulate.inputs != 1 || accumulate.reduction != Reduction::Add {
            return Err("accumulators of several inputs, and others than sums".to_owned());
        }
        if accumulate.form != CoordinateForm::Levels || accumulate.empty != EmptyFiber::Absent {
            return Err("accumulators of points, and those that leave out empty fibers".to_owned());
        }
        let indices = accumulate.indices.len();
        let reduced = self.input(Streams::reduced(indices));
        let reduced = reduced.ok_or("accumulators that do not see what is reduced over")?;
        let outer = (1..indices).filter_map(|port| self.input(Port(port)));
        let accumulator = SparseAccumulator {
            input_inner_crd: self.input(Port::FIRST),
            output_inner_crd: self.output(Port::FIRST),
            input_outer_crds: outer.chain([reduced]).collect(),
            input_val: self.input(Port(indices)),
            output_val: self.output(Port(indices)),
            order: accumulate.order as u64,
            inner_crd: accumulate.indices[0].clone(),
            outer_crds: accumulate.indices[1..].to_vec(),
            output_outer_crds: (1..indices).filter_map(|port| self.output(Port(port))).collect(),
            label: self.label,
            ..SparseAccumulator::default()
        };
        Ok(("spacc", Op::SparseAccumulator(accumulator)))
    }

    fn pair(self, outer: &str, inner: &str) -> CoordPair {
        CoordPair {
            input_inner_crd: self.input(Port::SECOND),
            input_outer_crd: self.input(Port::FIRST),
            output_inner_crd: self.output(Port::SECOND),
            output_outer_crd: self.output(Port::FIRST),
            inner_crd: inner.to_owned(),
            outer_crd: outer.to_owned(),
            label: self.label,
        }
    }

    fn write_level(self, write: &WriteLevel) -> Made {
        if write.fibers == FiberNesting::Single {
            return Err("writers of single coordinates".to_owned());
        }
        let write = FiberWrite {
            input_crd: self.input(Port::FIRST),
            index: write.index.clone(),
            tensor: write.tensor.clone(),
            mode: write.mode.to_string(),
            format: level(write.level)?,
            sink: true,
            label: self.label,
            ..FiberWrite::default()
        };
        Ok(("fiberwrite", Op::FiberWrite(write)))
    }

    fn write_values(self, write: &WriteValues) -> Made {
        check_element(write.element)?;
        if write.places != ValuePlacement::InOrder || write.fill != Reduction::Add {
            return Err("writers to places, and of other results than sums".to_owned());
        }
        let write = ValWrite {
            input_val: self.input(Port::FIRST),
            tensor: write.tensor.clone(),
            sink: true,
            label: self.label,
            ..ValWrite::default()
        };
        Ok(("valwrite", Op::ValWrite(write)))
    }
}

fn level(level: GraphLevel) -> Result<String, String> {
    match level {
        GraphLevel::Dense | GraphLevel::Compressed => Ok(level.name().to_owned()),
        GraphLevel::BitVector(_) => Err("levels of bit vectors".to_owned()),
    }
}

/// Its values are of floating point.
fn check_element(element: Element) -> Result<(), String> {
    if element == Element::I64 { Err("integers".to_owned()) } else { Ok(()) }
}

fn operator(operator: Operator) -> Result<AluOp, String> {
    match operator {
        Operator::Add => Ok(AluOp::Add),
        Operator::Sub => Ok(AluOp::Sub),
        Operator::Mul => Ok(AluOp::Mul),
        Operator::Div => Ok(AluOp::Div),
        Operator::Max => Ok(AluOp::Max),
        other => Err(format!("operator `{}`", other.case_name())),
    }
}

fn function(function: Function) -> Result<(AluOp, f64), String> {
    match function {
        Function::Of(NumberFunction::Relu) => Ok((AluOp::Max, 0.0)),
        Function::Of(NumberFunction::Exp) => Ok((AluOp::Exp, 0.0)),
        Function::Of(NumberFunction::Sin) => Ok((AluOp::Sin, 0.0)),
        Function::Of(NumberFunction::Cos) => Ok((AluOp::Cos, 0.0)),
        Function::Of(NumberFunction::Rsqrt) => Ok((AluOp::Rsqrt, 0.0)),
        Function::Of(NumberFunction::Sigmoid) => Ok((AluOp::Sigmoid, 0.0)),
        Function::Negate => Ok((AluOp::ScalarMul, -1.0)),
        Function::With(Operator::Add, number) => Ok((AluOp::ScalarAdd, number.number())),
        Function::With(Operator::Sub, number) => Ok((AluOp::ScalarAdd, -number.number())),
        Function::With(Operator::Mul, number) => Ok((AluOp::ScalarMul, number.number())),
        Function::With(Operator::Div, number) if number.number() != 0.0 => {
            Ok((AluOp::ScalarDiv, number.number()))
        }
        Function::With(Operator::Max, number) => Ok((AluOp::Max, number.number())),
        other => Err(format!("function `{}`", other.name())),
    }
}

fn name(op: AluOp) -> &'static str {
    match op {
        AluOp::Add => "add",
        AluOp::Sub => "sub",
        AluOp::Mul | AluOp::ElemMul => "mul",
        AluOp::Div => "div",
        AluOp::Exp => "exp",
        AluOp::Sin => "sin",
        AluOp::Cos => "cos",
        AluOp::Max => "max",
        AluOp::ScalarAdd => "scalarAdd",
        AluOp::ScalarMul => "scalarMul",
        AluOp::ScalarDiv => "scalarDiv",
        AluOp::Rsqrt => "rsqrt",
        AluOp::Sigmoid => "sigmoid",
    }
}
