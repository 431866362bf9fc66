//! Operations on values in stages. A stage reads registers, of which the first ones hold the inputs, and
//! writes one; each becomes a block, and what is in the register of the output goes out.

use super::declare::{ELEMENT, unknown};
use super::{ComalReader, End};
use crate::comal::ComalError;
use crate::comal::message::{Alu, AluOp, AluStreams, Stage, Stream};
use crate::graph::{self, Apply, BlockKind, Constant, Function, Merge, NumberFunction, Operator, Port};
use std::collections::BTreeMap;

#[derive(Clone)]
enum Register {
    Input(Stream),
    Result(End),
}

enum Stages {
    Operator(Operator),
    Function(Function),
}

impl ComalReader {
    pub(super) fn alu(&mut self, number: usize, alu: &Alu) -> Result<(), ComalError> {
        let Some(AluStreams::Vals(ports)) = &alu.conn else {
            let message = format!("operation {number} computes coordinates, which is not supported yet");
            return Err(ComalError::new(message, "compute values only"));
        };
        let inputs = ports.inputs.iter().cloned().map(Register::Input);
        let mut registers: BTreeMap<u64, Register> = (0..).zip(inputs).collect();
        for stage in &alu.stages {
            let result = self.stage((number, alu), stage, &registers)?;
            registers.insert(stage.output, Register::Result(result));
        }
        let Some(Register::Result((block, port))) = registers.get(&alu.output_val).cloned() else {
            let message = format!("no stage of operation {number} writes register {}", alu.output_val);
            return Err(ComalError::new(message, "`output_val` is the `output` of one of the `stages`"));
        };
        self.output(block, port, ports.output.as_ref());
        Ok(())
    }

    fn stage(
        &mut self,
        (number, alu): (usize, &Alu),
        stage: &Stage,
        registers: &BTreeMap<u64, Register>,
    ) -> Result<End, ComalError> {
        let op = AluOp::try_from(stage.op).map_err(|_| unknown(number, "stage", stage.op))?;
        let kind = match meaning(op, stage.inputs.len(), alu.scalar) {
            Some(Stages::Operator(operator)) => {
                BlockKind::Alu(graph::Alu { operator, element: ELEMENT, how: Merge::of(operator) })
            }
            Some(Stages::Function(function)) => BlockKind::Apply(Apply { function, element: ELEMENT }),
            None => {
                let inputs = stage.inputs.len();
                let message = format!("operation {number} has a stage `{op:?}` of {inputs} inputs");
                return Err(ComalError::new(
                    message,
                    "operators have two inputs, functions one, and no divisor is 0",
                ));
            }
        };
        let block = self.block(number, kind);
        for (port, register) in stage.inputs.iter().enumerate() {
            match registers.get(register) {
                Some(Register::Input(stream)) => {
                    self.want(block, Port(port), Some(stream));
                }
                Some(Register::Result(from)) => {
                    self.sources.insert((block, Port(port)), *from);
                }
                None => {
                    let message = format!("a stage of operation {number} reads register {register}");
                    return Err(ComalError::new(
                        message,
                        "registers hold the inputs, and what stages before wrote",
                    ));
                }
            }
        }
        Ok((block, Port::FIRST))
    }
}

/// What an operation of so many inputs does; nothing if it has others.
fn meaning(op: AluOp, inputs: usize, scalar: f64) -> Option<Stages> {
    let with = |operator| Stages::Function(Function::With(operator, Constant::new(scalar)));
    Some(match (op, inputs) {
        (AluOp::Add, 2) => Stages::Operator(Operator::Add),
        (AluOp::Sub, 2) => Stages::Operator(Operator::Sub),
        (AluOp::Mul | AluOp::ElemMul, 2) => Stages::Operator(Operator::Mul),
        (AluOp::Div, 2) => Stages::Operator(Operator::Div),
        (AluOp::Max, 2) => Stages::Operator(Operator::Max),
        (AluOp::Max, 1) if scalar == 0.0 => Stages::Function(Function::Of(NumberFunction::Relu)),
        (AluOp::Max, 1) => with(Operator::Max),
        (AluOp::Exp, 1) => Stages::Function(Function::Of(NumberFunction::Exp)),
        (AluOp::Sin, 1) => Stages::Function(Function::Of(NumberFunction::Sin)),
        (AluOp::Cos, 1) => Stages::Function(Function::Of(NumberFunction::Cos)),
        (AluOp::Rsqrt, 1) => Stages::Function(Function::Of(NumberFunction::Rsqrt)),
        (AluOp::Sigmoid, 1) => Stages::Function(Function::Of(NumberFunction::Sigmoid)),
        (AluOp::ScalarAdd, 1) => with(Operator::Add),
        (AluOp::ScalarMul, 1) => with(Operator::Mul),
        (AluOp::ScalarDiv, 1) if scalar != 0.0 => with(Operator::Div),
        _ => return None,
    })
}
