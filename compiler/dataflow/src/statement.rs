//! A `cin.compute` as the lowering of graphs takes it: one expression, an order of its index variables, and
//! for each operand the format in which its levels come in that order.

mod names;
mod stored;
mod term;
mod walk;

use crate::element::of_type;
use comet_dialects::cin::IndexVarOperation;
use comet_ir::{IrError, Op, Result, Val, format};
use comet_passes::operator;
use comet_runtime::format::Format;
use comet_sam::arithmetic::Operator;
use comet_sam::graph::{How, TensorFormat};
use comet_sam::lower::{Access, Choices, Expression, Lowered, Refusal, Statement, lower_with};
use melior::ir::ValueLike;
use names::{Names, different};
use std::collections::BTreeSet;
use term::Term;
use walk::Walked;

/// What a compute is to the lowering.
pub(crate) struct Computed<'c> {
    /// The statement.
    pub(crate) statement: Statement,
    /// What is behind its tensors, in their order: the result first.
    pub(crate) sources: Vec<Source<'c>>,
    /// The index variables with their extents, of type `index`.
    pub(crate) extents: Vec<(String, Val<'c>)>,
    /// The operands that graphs look for coordinates in.
    located: BTreeSet<usize>,
}

impl Computed<'_> {
    /// Its graphs.
    pub(crate) fn lower(&self) -> std::result::Result<Lowered, Refusal> {
        lower_with(&self.statement, &Choices { located: self.located.clone(), ..Choices::default() })
    }
}

/// What is behind a tensor of a statement.
pub(crate) enum Source<'c> {
    /// A tensor, and the format to copy it to first where its levels cannot be scanned as they are.
    Tensor(Val<'c>, Option<Format>),
    /// A number.
    Number(Val<'c>),
}

/// Reads a compute. Where it is not cleared, values that combine with those of a dense target come on top of
/// what that holds.
pub(crate) fn read<'c>(compute: Op<'c>, is_cleared: bool) -> Result<'c, Computed<'c>> {
    let Walked { order, result } = walk::walk(compute)?;
    let is_dense = format::of_type(result.target.tensor.r#type()).is_dense();
    let reduction = match is_cleared {
        true => operator::Reduction::Set,
        false => result.reduction,
    };
    let value = match reduction {
        operator::Reduction::Add if is_dense => {
            let old = Term::Access(result.target.clone());
            Term::combine(How::Union, Operator::Add, old, result.value)
        }
        operator::Reduction::Set => result.value,
        _ if !is_dense => result.value,
        other => {
            let what = format!("`{}=` on what a dense target holds, in a dataflow graph", other.name());
            return Err(IrError::not_supported(compute.location(), what));
        }
    };
    let keeps = is_dense && repeats(&result.target);
    let mut writer = Writer::new(order);
    let access = writer.result(&result.target);
    let value = writer.expression(&value);
    let located = writer.named_as(&comet_passes::cin::located(compute));
    Ok(Computed { located, ..writer.finish(access, value, result.reduction, keeps) })
}

/// Whether a target names only some of its elements, and leaves the others as they are.
pub(crate) fn keeps_elements(assign: Op<'_>) -> bool {
    let (tensor, indices) = comet_passes::nest::point(assign);
    format::of_type(tensor.r#type()).is_dense() && repeats(&term::Access { tensor, indices })
}

/// Whether graphs can scan the levels of a tensor, if they come in the order of the loops.
pub(crate) fn has_levels_of_graphs(tensor: Val<'_>) -> bool {
    stored::levels(&format::of_type(tensor.r#type())).is_some()
}

fn repeats(target: &term::Access<'_>) -> bool {
    target.indices.iter().enumerate().any(|(mode, index)| target.indices[..mode].contains(index))
}

/// A tensor of the statement.
struct Operand<'c> {
    format: TensorFormat,
    source: Source<'c>,
}

/// Writes terms as expressions.
struct Writer<'c> {
    order: Vec<Val<'c>>,
    vars: Names<'c>,
    operands: Vec<Operand<'c>>,
}

impl<'c> Writer<'c> {
    fn new(order: Vec<Val<'c>>) -> Self {
        Self { order, vars: Names::default(), operands: Vec::new() }
    }

    fn finish(
        mut self,
        result: Access,
        value: Expression,
        reduction: operator::Reduction,
        keeps: bool,
    ) -> Computed<'c> {
        let extents: Vec<(String, Val<'c>)> =
            self.order.iter().map(|var| (self.vars.of(*var), extent(*var))).collect();
        let order = extents.iter().map(|(name, _)| name.clone()).collect();
        let (tensors, sources) =
            self.operands.into_iter().map(|operand| (operand.format, operand.source)).unzip();
        let fill = walk::reduction(reduction).unwrap_or_default();
        Computed {
            statement: Statement { tensors, order, result, value, fill, keeps },
            sources,
            extents,
            located: BTreeSet::new(),
        }
    }

    /// The target, in a format that graphs can write.
    fn result(&mut self, target: &term::Access<'c>) -> Access {
        let own = format::of_type(target.tensor.r#type());
        let levels = stored::levels(&own).or_else(|| stored::levels(&stored::plain(&own)));
        self.add(target.tensor, levels.expect("whole modes are levels of graphs"), None);
        self.access(0, &target.indices)
    }

    fn expression(&mut self, term: &Term<'c>) -> Expression {
        match term {
            Term::Access(access) => Expression::Access(self.operand(access)),
            Term::Scalar(value) => Expression::Access(self.number(*value)),
            Term::Apply(function, value) => Expression::Apply(*function, Box::new(self.expression(value))),
            Term::Combine(how, operator, left, right) => {
                let [left, right] = [left, right].map(|side| Box::new(self.expression(side)));
                Expression::Combine(*how, *operator, left, right)
            }
            Term::Reduce(reduction, var, body) => {
                Expression::Reduce(*reduction, self.vars.of(*var), Box::new(self.expression(body)))
            }
            Term::Mask { value, mask, complement } => {
                let (value, complement) = (Box::new(self.expression(value)), *complement);
                Expression::Mask { value, mask: self.operand(mask), complement }
            }
        }
    }

    fn operand(&mut self, access: &term::Access<'c>) -> Access {
        let own = format::of_type(access.tensor.r#type());
        let place = |mode: usize| {
            self.order.iter().position(|var| *var == access.indices[mode]).unwrap_or(usize::MAX)
        };
        let copied = stored::copied(&own, &place);
        let levels = stored::levels(copied.as_ref().unwrap_or(&own)).expect("copies have levels of graphs");
        let tensor = self.add(access.tensor, levels, copied);
        self.access(tensor, &access.indices)
    }

    /// The operands of these names, as the program has them.
    fn named_as(&self, names: &[String]) -> BTreeSet<usize> {
        let is_one = |operand: &Operand<'c>| match operand.source {
            Source::Tensor(tensor, _) => names.contains(&comet_passes::nest::name(tensor)),
            Source::Number(_) => false,
        };
        (1..self.operands.len()).filter(|place| is_one(&self.operands[*place])).collect()
    }

    fn number(&mut self, value: Val<'c>) -> Access {
        let is_it = |operand: &Operand<'c>| matches!(operand.source, Source::Number(other) if other == value);
        let tensor = self.operands.iter().position(is_it).unwrap_or_else(|| {
            let format = self.named("number", (Vec::new(), Vec::new()), value);
            self.push(format, Source::Number(value))
        });
        Access { tensor, indices: Vec::new() }
    }

    /// The place of a tensor in that format; the result is no operand.
    fn add(
        &mut self,
        tensor: Val<'c>,
        levels: (Vec<comet_sam::graph::Level>, Vec<usize>),
        copied: Option<Format>,
    ) -> usize {
        let is_it = |operand: &Operand<'c>| {
            matches!(operand.source, Source::Tensor(other, _) if other == tensor)
                && (&operand.format.levels, &operand.format.order) == (&levels.0, &levels.1)
        };
        if let Some(found) = self.operands.iter().skip(1).position(is_it) {
            return found + 1;
        }
        let format = self.named(&comet_passes::nest::name(tensor), levels, tensor);
        self.push(format, Source::Tensor(tensor, copied))
    }

    fn push(&mut self, format: TensorFormat, source: Source<'c>) -> usize {
        self.operands.push(Operand { format, source });
        self.operands.len() - 1
    }

    fn named(
        &self,
        name: &str,
        (levels, order): (Vec<comet_sam::graph::Level>, Vec<usize>),
        value: Val<'c>,
    ) -> TensorFormat {
        let name = different(&for_files(name), |name| {
            self.operands.iter().any(|operand| operand.format.name == name)
        });
        let ty = value.r#type();
        let element = of_type(if comet_ir::types::is_tensor(ty) { comet_ir::types::element(ty) } else { ty });
        TensorFormat { name, levels, order, element }
    }

    fn access(&mut self, tensor: usize, indices: &[Val<'c>]) -> Access {
        Access { tensor, indices: indices.iter().map(|var| self.vars.of(*var)).collect() }
    }
}

/// A name that files can have: those of variables that passes have made have other signs in them.
fn for_files(name: &str) -> String {
    name.chars().map(|sign| if sign.is_ascii_alphanumeric() { sign } else { '_' }).collect()
}

/// The extent of an index variable of the expression.
fn extent(var: Val<'_>) -> Val<'_> {
    let declared = Op::defining(var).filter(|op| op.is::<IndexVarOperation>());
    declared.expect("all variables are made of those of the expression").operand(0)
}
