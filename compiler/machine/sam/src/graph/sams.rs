//! Graphs of the blocks that SAM's own tools have: those of its `parse_dot` and of its simulator in Python.

use super::{
    BlockKind, CoordinateForm, Dropped, Element, EmptyFiber, FiberNesting, Function, Graph, GraphBlock,
    GraphLevel, Join, Merge, Operator, Reduction, StreamKind, ValuePlacement,
};
use crate::arithmetic::block_type;
use crate::dot::label::title;
use crate::lower::Dialect;
use crate::named::Named as _;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{tools} no {what}: `{block}`")]
pub struct Foreign {
    /// The tools, as the beginning of a sentence.
    tools: &'static str,
    block: String,
    what: String,
}

impl Foreign {
    /// What tools, such as `Comal has` or `SAM's own tools have`, lack of a block.
    pub(crate) fn new(tools: &'static str, block: &GraphBlock, what: String) -> Self {
        Self { tools, block: title(&block.kind).replace('\n', " "), what }
    }
}

impl Graph {
    /// The same graph for the tools of a dialect. For those of SAM and for Comal joiners have two operands,
    /// and operators make of empty tokens what they make of zeros, since arrays load them as such.
    ///
    /// # Errors
    /// The first block that these tools do not have.
    pub fn in_dialect(&self, dialect: Dialect) -> Result<Self, Foreign> {
        if dialect == Dialect::Comet {
            return Ok(self.clone());
        }
        let mut graph = self.with_binary_joiners();
        for block in &mut graph.blocks {
            if let BlockKind::Alu(alu) = &mut block.kind
                && matches!(alu.operator, Operator::Mul | Operator::Add | Operator::Sub)
            {
                alu.how = Merge::of(alu.operator);
            }
        }
        match dialect {
            Dialect::Comal => drop(crate::comal::write(&graph)?),
            _ => graph.check_for_sam()?,
        }
        Ok(graph)
    }

    /// Whether SAM's own tools have all blocks of the graph.
    ///
    /// # Errors
    /// The first block that these tools do not have.
    pub fn check_for_sam(&self) -> Result<(), Foreign> {
        let lacking = |block: &GraphBlock| match block.lanes {
            1 => lacking(&block.kind),
            _ => Some("blocks that move several tokens a cycle".to_owned()),
        };
        let foreign =
            |block: &GraphBlock| lacking(block).map(|what| Foreign::new("SAM's own tools have", block, what));
        self.blocks.iter().find_map(foreign).map_or(Ok(()), Err)
    }
}

fn lacking(kind: &BlockKind) -> Option<String> {
    let named = |what: &str| Some(what.to_owned());
    match kind {
        BlockKind::Scanner(scanner) if scanner.skips => named("scanners that skip"),
        BlockKind::Scanner(scanner) => of_level(scanner.level),
        BlockKind::Repeat(repeat) if repeat.carries != StreamKind::Ref => named("repeaters of values"),
        BlockKind::Join(join) => of_join(join),
        BlockKind::Array { root: true, .. } => named("arrays that begin with the root"),
        BlockKind::Alu(alu) => match alu.operator {
            Operator::Mul | Operator::Add | Operator::Sub if alu.how != Merge::of(alu.operator) => {
                named("operators that say what becomes of empty tokens")
            }
            Operator::Mul | Operator::Add | Operator::Sub => of_element(alu.element),
            _ => Some(format!("operator `{}`", block_type(alu.operator))),
        },
        BlockKind::Reduce(reduce) if reduce.empty != EmptyFiber::Zero => {
            named("reducers that distinguish an empty fiber from none")
        }
        BlockKind::Reduce(reduce) => of_reduction(reduce.reduction, reduce.inputs),
        BlockKind::Accumulate(accumulate) if accumulate.form == CoordinateForm::Levels => {
            named("accumulators that take levels")
        }
        BlockKind::Accumulate(accumulate) if accumulate.order > 2 => {
            named("accumulators of an order above 2")
        }
        BlockKind::Accumulate(accumulate) => of_reduction(accumulate.reduction, accumulate.inputs),
        BlockKind::WriteLevel(write) if write.fibers == FiberNesting::Single => {
            named("writers of single coordinates")
        }
        BlockKind::WriteLevel(write) => of_level(write.level),
        BlockKind::WriteValues(write) if write.places != ValuePlacement::InOrder => {
            named("writers to places")
        }
        BlockKind::ToWords(_)
        | BlockKind::Parallelize(_)
        | BlockKind::Serialize(_)
        | BlockKind::Fetch(_)
        | BlockKind::Locate(_)
        | BlockKind::Mask(_) => Some(format!("`{}`", kind.type_name())),
        BlockKind::Drop { what: Dropped::Absent, .. } => named("droppers of empty tokens alone"),
        BlockKind::Apply(apply) => match apply.function {
            Function::With(Operator::Mul | Operator::Add | Operator::Sub, _) => of_element(apply.element),
            function => Some(format!("function `{}`", function.name())),
        },
        BlockKind::Repeat(_)
        | BlockKind::RepeatSignal { .. }
        | BlockKind::Array { .. }
        | BlockKind::Drop { .. }
        | BlockKind::Hold { .. }
        | BlockKind::WriteValues(_) => None,
    }
}

/// Its numbers have no types, and are as wide as doubles.
fn of_element(element: Element) -> Option<String> {
    (element == Element::F32).then(|| "values of 32 bits".to_owned())
}

fn of_level(level: GraphLevel) -> Option<String> {
    level.width().is_some().then(|| "levels of bit vectors".to_owned())
}

fn of_join(join: &Join) -> Option<String> {
    let carries_values = join.operands.iter().any(|operand| operand.carries != StreamKind::Ref);
    carries_values.then(|| "joiners of values".to_owned())
}

fn of_reduction(reduction: Reduction, inputs: usize) -> Option<String> {
    match reduction {
        Reduction::Add if inputs == 1 => None,
        Reduction::Add => Some("reducers of several inputs".to_owned()),
        other => Some(format!("`{}` reductions", other.case_name())),
    }
}
