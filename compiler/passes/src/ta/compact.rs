//! `ta-compact`: zeros that blocks are padded with are no entries of what statements compute.
//!
//! Before:
//! ```mlir
//! // given %i, %j : !ta.range
//! %A = ta.tensor_decl "A" [%i, %j] : tensor<?x?xf64, #ta.format<[CU, D]>>
//! %d = ta.tensor_decl "d" [%j] : tensor<?xf64>
//! %e = ta.tensor_decl "e" [%i] : tensor<?xf64>
//! %0 = ta.labeled_tensor %A[%i, %j] : tensor<?x?xf64, #ta.format<[CU, D]>> -> !ta.labeled<f64>
//! %1 = ta.labeled_tensor %d[%j] : tensor<?xf64> -> !ta.labeled<f64>
//! %2 = ta.elementwise "add" %0, %1 : !ta.labeled<f64>
//! %3 = ta.reduce "min" %2 over [%j] : !ta.labeled<f64>
//! ta.set_op %3 to %e[%i] {beta = 0.0 : f64} : !ta.labeled<f64>, tensor<?xf64>
//! ```
//! After:
//! ```mlir
//! %A = ta.tensor_decl "A" [%i, %j] : tensor<?x?xf64, #ta.format<[CU, D]>>
//! %d = ta.tensor_decl "d" [%j] : tensor<?xf64>
//! %e = ta.tensor_decl "e" [%i] : tensor<?xf64>
//! %c = ta.tensor_decl "A" [%i, %j] {copy} : tensor<?x?xf64, #ta.format<[CU, CU]>>
//! ta.convert %A to %c permutation [0, 1] : tensor<?x?xf64, #ta.format<[CU, D]>> to tensor<?x?xf64, #ta.format<[CU, CU]>>
//! %0 = ta.labeled_tensor %c[%i, %j] : tensor<?x?xf64, #ta.format<[CU, CU]>> -> !ta.labeled<f64>
//! %1 = ta.labeled_tensor %d[%j] : tensor<?xf64> -> !ta.labeled<f64>
//! %2 = ta.elementwise "add" %0, %1 : !ta.labeled<f64>
//! %3 = ta.reduce "min" %2 over [%j] : !ta.labeled<f64>
//! ta.set_op %3 to %e[%i] {beta = 0.0 : f64} : !ta.labeled<f64>, tensor<?xf64>
//! ta.release %c : tensor<?x?xf64, #ta.format<[CU, CU]>>
//! ```
//! A format pads where dense levels lie below one that is not. In a dense result of sums of products such
//! zeros are no different from nothing, and the operand is read as it is; with `operands=all`, for back ends
//! that read no padded format, it is copied there as well. A sparse result that pads is computed in its
//! compact format, unless every position of its blocks is an entry in any case.

use crate::operator::{Operator, Reduction};
use crate::schedule::commands_before;
use crate::{copies, nest};
use comet_dialects::ta::{
    ElementwiseOperation, LabeledTensorOperation, MaskOperation, ReduceOperation, SetOperation, TcOperation,
};
use comet_ir::indexing::IndexingMaps;
use comet_ir::pass::{self, Changed, OptionValues, Pass, PassOption};
use comet_ir::{Builder, Op, Result, Val, format};
use comet_runtime::format::LevelExpr;
use melior::ir::ValueLike;
use melior::ir::attribute::StringAttribute;

/// The pass.
pub const PASS: Pass = Pass {
    name: "ta-compact",
    description: "Copies operands and results whose blocks are padded, where padding is not to count as entries",
    options: &[PassOption {
        name: "operands",
        default: "needed",
        description: "Copies operands where presence matters (`needed`), or `all` that pad",
    }],
    dialects: &["ta"],
    run,
};

/// Which operands are copied.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Operands {
    Needed,
    All,
}

fn run<'c>(module: Op<'c>, options: &OptionValues<'_>) -> Result<'c, Changed> {
    let operands = match options.text("operands") {
        "needed" => Operands::Needed,
        "all" => Operands::All,
        _ => return Err(options.unexpected("operands", "`needed` or `all`")),
    };
    let mut assignments = Vec::new();
    module.for_each_inside(&mut |op| {
        if op.is::<SetOperation>() || op.is::<TcOperation>() {
            assignments.push(op);
        }
    });
    let mut changed = Changed::No;
    for assignment in assignments {
        if compact(assignment, operands)? {
            changed = Changed::Yes;
        }
    }
    Ok(changed)
}

/// An operand of an operation that reads a tensor under labels.
#[derive(Clone)]
struct Access<'c> {
    op: Op<'c>,
    operand: usize,
    labels: Vec<Label<'c>>,
    presence: Presence,
}

/// A label of a tree, or a dimension of a contraction.
#[derive(Clone, Copy, PartialEq)]
enum Label<'c> {
    Range(Val<'c>),
    Dimension(usize),
}

/// What presence means where an operand stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Presence {
    /// A zero is no different from nothing in a dense result.
    Linear,
    /// A zero is a value like others.
    Matters,
    /// The values themselves decide what is present.
    Mask,
}

impl<'c> Access<'c> {
    fn tensor(&self) -> Val<'c> {
        self.op.operand(self.operand)
    }

    fn pads(&self) -> bool {
        format::of_type(self.tensor().r#type()).pads()
    }
}

/// An assignment with all that it accesses.
struct Statement<'c> {
    op: Op<'c>,
    target: Access<'c>,
    operands: Vec<Access<'c>>,
    /// The operations of the tree.
    tree: Vec<Op<'c>>,
}

impl<'c> Statement<'c> {
    fn of(op: Op<'c>) -> Result<'c, Self> {
        if op.is::<TcOperation>() { Self::of_contraction(op) } else { Ok(Self::of_tree(op)) }
    }

    fn of_contraction(op: Op<'c>) -> Result<'c, Self> {
        let maps = op.attribute("indexing_maps").expect("the verifier demands the attribute");
        let maps = IndexingMaps::of_attribute(maps)?.operands.into_iter().enumerate();
        let access = |(operand, labels): (usize, Vec<usize>)| {
            let labels = labels.into_iter().map(Label::Dimension).collect();
            Access { op, operand, labels, presence: Presence::Linear }
        };
        let mut operands: Vec<Access<'c>> = maps.map(access).collect();
        let target = operands.pop().expect("the verifier demands an output");
        Ok(Self { op, target, operands, tree: Vec::new() })
    }

    fn of_tree(op: Op<'c>) -> Self {
        let labels = op.operands()[2..].iter().copied().map(Label::Range).collect();
        let target = Access { op, operand: 1, labels, presence: Presence::Linear };
        let mut statement = Self { op, target, operands: Vec::new(), tree: Vec::new() };
        statement.visit(op.operand(0), Presence::Linear);
        statement
    }

    fn visit(&mut self, value: Val<'c>, presence: Presence) {
        let Some(op) = Op::defining(value) else { return };
        self.tree.push(op);
        if op.is::<LabeledTensorOperation>() {
            let labels = op.operands()[1..].iter().copied().map(Label::Range).collect();
            self.operands.push(Access { op, operand: 0, labels, presence });
            return;
        }
        if op.is::<MaskOperation>() {
            self.visit(op.operand(0), presence);
            self.visit(op.operand(1), Presence::Mask);
            return;
        }
        let below = if is_linear(op) { presence } else { presence.max_with(Presence::Matters) };
        let children = if op.is::<ReduceOperation>() { 1 } else { op.operands().len() };
        for child in 0..children {
            self.visit(op.operand(child), below);
        }
    }

    /// The operands that are copied.
    fn copied(&self, operands: Operands) -> Vec<&Access<'c>> {
        let is_dense = format::of_type(self.target.tensor().r#type()).is_dense();
        let matters = |access: &&Access<'c>| {
            !is_dense || operands == Operands::All || access.presence != Presence::Linear
        };
        self.operands.iter().filter(|access| access.pads()).filter(matters).collect()
    }

    /// Whether the target's blocks may get padding. They get none along labels that only dense operands
    /// have: what is present does not depend on these.
    fn target_is_padded(&self) -> bool {
        if !self.target.pads() {
            return false;
        }
        let labels = &self.target.labels;
        let repeats = labels.iter().enumerate().any(|(mode, label)| labels[..mode].contains(label));
        let decides = |access: &Access<'c>| {
            access.presence == Presence::Mask || !format::of_type(access.tensor().r#type()).is_dense()
        };
        let deciding: Vec<&Access<'c>> = self.operands.iter().filter(|access| decides(access)).collect();
        let format = format::of_type(self.target.tensor().r#type());
        let has_every = |level: usize| match format.levels[level].expr {
            LevelExpr::Mode(mode) => !deciding.iter().any(|access| access.labels.contains(&labels[mode])),
            _ => false,
        };
        repeats || !format.padded_levels().all(has_every)
    }

    /// The first operation of the statement, with the commands of its schedule.
    fn first(&self) -> Result<'c, Op<'c>> {
        let commands = commands_before(self.op)?;
        let own: Vec<Op<'c>> =
            self.tree.iter().copied().chain(commands.iter().map(|command| command.op)).collect();
        let ops = self.op.block().map_or(Vec::new(), |block| block.ops());
        Ok(ops.into_iter().find(|op| own.contains(op)).unwrap_or(self.op))
    }
}

impl Presence {
    fn max_with(self, other: Self) -> Self {
        if self == Self::Linear { other } else { self }
    }
}

/// Whether a zero below an operation comes to nothing in a sum.
fn is_linear(op: Op<'_>) -> bool {
    let named = |name: &str| {
        let text = op.attribute(name).and_then(|text| StringAttribute::try_from(text).ok());
        text.map(|text| text.value().to_owned()).expect("the verifier demands the attribute")
    };
    if op.is::<ElementwiseOperation>() {
        return Operator::named(&named("op")) == Some(Operator::Mul);
    }
    !op.is::<ReduceOperation>() || Reduction::named(&named("op")) == Some(Reduction::Add)
}

fn compact<'c>(op: Op<'c>, operands: Operands) -> Result<'c, bool> {
    let statement = Statement::of(op)?;
    let is_padded = statement.target_is_padded();
    let copied = statement.copied(operands);
    if copied.is_empty() && !is_padded {
        return Ok(false);
    }
    let before = Builder::before(statement.first()?).with_location(op.location());
    let mut copies: Vec<(Val<'c>, Val<'c>)> = Vec::new();
    for access in copied {
        let tensor = access.tensor();
        let copy = match copies.iter().find(|(original, _)| *original == tensor) {
            Some((_, copy)) => *copy,
            None => copy_of(before, tensor)?,
        };
        if !copies.contains(&(tensor, copy)) {
            copies.push((tensor, copy));
        }
        access.op.set_operand(access.operand, copy);
    }
    let after = match op.next() {
        Some(next) => Builder::before(next).with_location(op.location()),
        None => Builder::at_end(op.context(), before.block(), op.location()),
    };
    if is_padded {
        let target = statement.target.tensor();
        let computed = copies::declare(before, target, &format::of_type(target.r#type()).compact())?;
        pass::decided(op.location(), || format!("{} first: {REASON}", computed_in(target)));
        op.set_operand(statement.target.operand, computed);
        copies::convert(after, computed, target)?;
        after.op("ta.release", &[computed], &[], &[])?;
    }
    for (_, copy) in copies {
        after.op("ta.release", &[copy], &[], &[])?;
    }
    Ok(true)
}

const REASON: &str = "zeros that blocks are padded with are no entries";

fn computed_in(target: Val<'_>) -> String {
    let compact = format::of_type(target.r#type()).compact();
    format!("`{}` is computed as `{compact}`", nest::name(target))
}

fn copy_of<'c>(b: Builder<'c>, tensor: Val<'c>) -> Result<'c, Val<'c>> {
    let compact = format::of_type(tensor.r#type()).compact();
    let copy = copies::copy_of(b, tensor, &compact)?;
    let name = nest::name(tensor);
    pass::decided(b.location(), || format!("`{name}` is copied to `{compact}` first: {REASON}"));
    Ok(copy)
}
