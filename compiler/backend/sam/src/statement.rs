//! A `cin.compute` as the lowering of graphs takes it: one expression, an order of its index variables, and
//! for each operand the format in which its levels come in that order.

mod loops;
mod names;
mod stored;
mod term;
mod walk;

use crate::cases;
use comet_format::{Format, LevelExpr};
use comet_ir::{IrError, Op, Result, Val, cin, format};
use comet_notation::free_name;
use comet_passes::nest::name;
use comet_sam::arithmetic::Operator;
use comet_sam::graph::{GraphLevel, Merge, TensorFormat};
use comet_sam::lower::{Choices, IndexAccess, IndexExpression, IndexStatement, Lowered, Refusal, lower_with};
use loops::{Loops, TileSplit};
use melior::ir::ValueLike;
use names::{ValueNames, for_files};
use std::collections::BTreeSet;
use stored::Wanted;
pub(crate) use stored::parts;
use term::ValueTerm;
use walk::{Assigned, Walked};

pub(crate) struct Computed<'c> {
    pub(crate) statement: IndexStatement,
    /// What is behind its tensors, in their order: the result first.
    pub(crate) sources: Vec<TensorSource<'c>>,
    pub(crate) extents: Vec<(String, VariableExtent<'c>)>,
    /// What the modes of the result are: those of its tensor, or the parts of one that is cut.
    pub(crate) parts: Vec<LevelExpr>,
    pub(crate) choices: Choices,
    pub(crate) in_words: Vec<String>,
    pub(crate) uncut: Vec<UnsplitVariable>,
}

pub(crate) struct UnsplitVariable {
    pub(crate) index: String,
    pub(crate) reason: String,
}

/// How many values an index variable has. The numbers are of type `index`.
#[derive(Clone, Copy)]
pub(crate) enum VariableExtent<'c> {
    Whole(Val<'c>),
    /// As many tiles of that size as that many coordinates need.
    Quotient(Val<'c>, u64),
    Remainder(u64),
}

/// Whether graphs have the variables that commands cut in their parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TileChoice {
    Split,
    Whole { reason: String },
}

/// What the target of a compute holds before.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum PriorTarget {
    /// Nothing: another compute clears it.
    Cleared,
    Kept,
}

impl Computed<'_> {
    pub(crate) fn lower(&self) -> std::result::Result<Lowered, Refusal> {
        lower_with(&self.statement, &self.choices)
    }

    pub(crate) fn is_part(&self, index: &str) -> bool {
        let is_part = |extent: &VariableExtent<'_>| !matches!(extent, VariableExtent::Whole(_));
        self.extents.iter().any(|(name, extent)| name == index && is_part(extent))
    }
}

pub(crate) enum TensorSource<'c> {
    /// A tensor, and the format to copy it to first where its levels cannot be scanned as they are.
    Tensor(Val<'c>, Option<Format>),
    Number(Val<'c>),
}

/// Reads a compute. Where it is not cleared, values that combine with those of a dense target come on top of
/// what that holds.
pub(crate) fn read<'c>(
    compute: Op<'c>,
    cleared: PriorTarget,
    tiles: &TileChoice,
) -> Result<'c, Computed<'c>> {
    let Walked { loops, result } = walk::walk(compute)?;
    let keeps = format::of_type(result.target.tensor.r#type()).is_dense() && repeats(&result.target);
    let (target, reduction) = (result.target.clone(), result.reduction);
    let value = value(compute, result, cleared)?;
    let (cuts, uncut) = Tiling { compute, loops: &loops, value: &value, keeps, tiles }.cuts();
    let mut writer = StatementWriter::new(loops, cuts);
    let result = writer.result(&target);
    let value = writer.expression(&value);
    let located = writer.named_as(&compute.typed::<comet_ir::cin::Compute>().located().unwrap_or_default());
    let fill = reduction.unwrap_or(Operator::Add);
    let statement = IndexStatement { tensors: Vec::new(), order: Vec::new(), result, value, fill, keeps };
    Ok(writer.finish(statement, located, uncut))
}

/// What becomes of the target's elements: what is assigned, on top of what they hold where it says so.
fn value<'c>(compute: Op<'c>, result: Assigned<'c>, cleared: PriorTarget) -> Result<'c, ValueTerm<'c>> {
    let is_dense = format::of_type(result.target.tensor.r#type()).is_dense();
    match result.reduction {
        None => Ok(result.value),
        _ if cleared == PriorTarget::Cleared || !is_dense => Ok(result.value),
        Some(Operator::Add) => {
            let before = ValueTerm::Access(result.target);
            Ok(term::combined(Merge::Union, Operator::Add, before, result.value))
        }
        Some(other) => {
            let what = format!("`{}=` on what a dense target holds, in a dataflow graph", other.name());
            Err(IrError::not_supported(compute.location(), what))
        }
    }
}

/// Which variables graphs have in two parts.
struct Tiling<'a, 'c> {
    compute: Op<'c>,
    loops: &'a Loops<'c>,
    value: &'a ValueTerm<'c>,
    /// Whether the elements of the target that are not named stay.
    keeps: bool,
    tiles: &'a TileChoice,
}

impl<'c> Tiling<'_, 'c> {
    fn cuts(&self) -> (Vec<TileSplit<'c>>, Vec<UnsplitVariable>) {
        let possible = self.loops.cuts(&|cut| is_stored(self.compute, cut));
        let mut cuts = possible.clone();
        cuts.retain(|cut| self.why_whole(cut).is_none());
        let reason = |var: Val<'c>| {
            let cut = possible.iter().find(|cut| cut.whole == var);
            cut.and_then(|cut| self.why_whole(cut)).unwrap_or_else(|| self.loops.why_whole(var))
        };
        let uncut = self.loops.uncut(&cuts).into_iter();
        let uncut =
            uncut.map(|var| UnsplitVariable { index: name(var), reason: reason(var).to_owned() }).collect();
        (cuts, uncut)
    }

    fn why_whole(&self, cut: &TileSplit<'c>) -> Option<&str> {
        match self.tiles {
            TileChoice::Whole { reason } => Some(reason),
            TileChoice::Split if self.keeps => {
                Some("the elements of its target that are not named stay as they are")
            }
            TileChoice::Split
                if !cut.is_even() && self.value.any(&|part| has_dense_mask(part, cut.whole)) =>
            {
                Some("a dense mask has it, and its last tile may not be full")
            }
            TileChoice::Split => None,
        }
    }
}

/// Returns whether a value is masked by a dense tensor that has a variable. The mask lets through what is
/// not 0 in it, and has to stay dense, which it does not where the last tile is not full.
fn has_dense_mask<'c>(value: &ValueTerm<'c>, var: Val<'c>) -> bool {
    matches!(value, ValueTerm::Mask(_, _, mask)
        if format::of_type(mask.tensor.r#type()).is_dense() && mask.indices.contains(&var))
}

/// Whether something in a compute is stored in the parts of a variable that is cut, and can be scanned so.
fn is_stored(compute: Op<'_>, cut: &TileSplit<'_>) -> bool {
    let accesses = compute.descendants::<cin::Access<'_>>().into_iter();
    let points = accesses.chain(compute.descendants::<cin::Assign<'_>>()).map(comet_passes::nest::point);
    let is_cut = |format: &Format, indices: &[Val<'_>]| {
        let at = |expr: LevelExpr| expr.mode().is_some_and(|mode| indices[mode] == cut.whole);
        format
            .levels
            .iter()
            .any(|level| matches!(level.expr, LevelExpr::Mod(_, size) if size == cut.size && at(level.expr)))
    };
    let mut formats = points.map(|(tensor, indices)| (format::of_type(tensor.r#type()), indices));
    formats.any(|(format, indices)| is_cut(&format, &indices) && stored::levels(&format).is_some())
}

/// Whether a target names only some of its elements, and leaves the others as they are.
pub(crate) fn keeps_elements(assign: Op<'_>) -> bool {
    let (tensor, indices) = comet_passes::nest::point(assign);
    format::of_type(tensor.r#type()).is_dense() && repeats(&term::TermAccess { tensor, indices })
}

/// Whether graphs can scan the levels of a tensor, if they come in the order of the loops.
pub(crate) fn has_levels_of_graphs(tensor: Val<'_>) -> bool {
    let format = format::of_type(tensor.r#type());
    let is_whole = parts(&format).iter().all(|part| matches!(part, LevelExpr::Mode(_)));
    is_whole && stored::levels(&format).is_some()
}

fn repeats(target: &term::TermAccess<'_>) -> bool {
    target.indices.iter().enumerate().any(|(mode, index)| target.indices[..mode].contains(index))
}

struct StatementTensor<'c> {
    format: TensorFormat,
    source: TensorSource<'c>,
    parts: Vec<LevelExpr>,
}

struct StatementWriter<'c> {
    loops: Loops<'c>,
    cuts: Vec<TileSplit<'c>>,
    order: Vec<Val<'c>>,
    vars: ValueNames<'c>,
    operands: Vec<StatementTensor<'c>>,
}

impl<'c> StatementWriter<'c> {
    fn new(loops: Loops<'c>, cuts: Vec<TileSplit<'c>>) -> Self {
        let order = loops.order(&cuts);
        Self { loops, cuts, order, vars: ValueNames::default(), operands: Vec::new() }
    }

    fn finish(
        mut self,
        statement: IndexStatement,
        located: BTreeSet<usize>,
        uncut: Vec<UnsplitVariable>,
    ) -> Computed<'c> {
        let extents: Vec<(String, VariableExtent<'c>)> =
            self.order.clone().into_iter().map(|var| (self.vars.of(var), self.extent(var))).collect();
        let order = extents.iter().map(|(name, _)| name.clone()).collect();
        let choices = self.loops.choices(&self.order, &self.cuts, &mut self.vars);
        let in_words = self.loops.in_words(&self.order).into_iter().map(|var| self.vars.of(var)).collect();
        let parts = self.operands[0].parts.clone();
        let (tensors, sources) =
            self.operands.into_iter().map(|operand| (operand.format, operand.source)).unzip();
        Computed {
            statement: IndexStatement { tensors, order, ..statement },
            sources,
            extents,
            parts,
            choices: Choices { located, ..choices },
            in_words,
            uncut,
        }
    }

    fn extent(&self, var: Val<'c>) -> VariableExtent<'c> {
        let part = self.cuts.iter().find(|cut| cut.outer == var || cut.inner == var);
        match part {
            Some(cut) if cut.inner == var => VariableExtent::Remainder(cut.size),
            Some(cut) => VariableExtent::Quotient(extent(cut.whole), cut.size),
            None => VariableExtent::Whole(extent(var)),
        }
    }

    fn cut_of(&self, var: Val<'c>) -> Option<&TileSplit<'c>> {
        self.cuts.iter().find(|cut| cut.whole == var)
    }

    /// The levels that a tensor should have under these variables, in the order in which the loops come to
    /// them; none is outside of another one where both are over the same variable.
    fn wanted(&self, format: &Format, indices: &[Val<'c>]) -> Vec<Wanted> {
        let mut wanted: Vec<(Option<usize>, Wanted)> = Vec::new();
        for mode in stored::modes(format) {
            let mut add = |var: Val<'c>, expr: LevelExpr, is_even: bool| {
                let place = self.order.iter().position(|other| *other == var);
                let bits = self.loops.word_bits(&self.order, var);
                wanted.push((place, Wanted { expr, bits, is_even }));
            };
            match self.cut_of(indices[mode]) {
                Some(cut) => {
                    add(cut.outer, LevelExpr::Div(mode, cut.size), true);
                    add(cut.inner, LevelExpr::Mod(mode, cut.size), cut.is_even());
                }
                None => add(indices[mode], LevelExpr::Mode(mode), true),
            }
        }
        wanted.sort_by_key(|(place, _)| place.unwrap_or(usize::MAX));
        wanted.into_iter().map(|(_, wanted)| wanted).collect()
    }

    /// The target, in a format that graphs can write. What a plain dense one has no room for is not copied
    /// back to it.
    fn result(&mut self, target: &term::TermAccess<'c>) -> IndexAccess {
        let own = format::of_type(target.tensor.r#type());
        let mut wanted = self.wanted(&own, &target.indices);
        let is_cut = target.indices.iter().any(|index| self.cut_of(*index).is_some());
        if !is_cut {
            wanted.sort_by_key(|wanted| {
                own.levels.iter().position(|level| level.expr.mode() == wanted.expr.mode())
            });
        }
        if own.is_dense() && own.levels.len() == own.rank {
            wanted.iter_mut().for_each(|wanted| wanted.is_even = true);
        }
        wanted.iter_mut().for_each(|wanted| wanted.bits = None);
        let written = stored::written(&own, &wanted);
        self.add(target.tensor, &written, None);
        self.access(0, &target.indices)
    }

    /// Returns a term as an expression, where the reduction over a variable that is cut is over its parts.
    fn expression(&mut self, term: &ValueTerm<'c>) -> IndexExpression {
        let mut boxed = |term: &ValueTerm<'c>| Box::new(self.expression(term));
        match term {
            ValueTerm::Access(access) if access.is_number() => {
                IndexExpression::Access(self.number(access.tensor))
            }
            ValueTerm::Access(access) => IndexExpression::Access(self.operand(access)),
            ValueTerm::Apply(function, value) => IndexExpression::Apply(*function, boxed(value)),
            ValueTerm::Combine(how, operator, left, right) => {
                IndexExpression::Combine(*how, *operator, boxed(left), boxed(right))
            }
            ValueTerm::Reduce(reduction, var, body) => {
                let body = self.expression(body);
                let reduce = |body, var| IndexExpression::Reduce(*reduction, var, Box::new(body));
                self.split_names(&[*var]).into_iter().rfold(body, reduce)
            }
            ValueTerm::Mask(kept, value, mask) => {
                let value = boxed(value);
                IndexExpression::Mask(*kept, value, self.operand(mask))
            }
            ValueTerm::Drop(value, condition) => IndexExpression::Drop(boxed(value), boxed(condition)),
        }
    }

    fn operand(&mut self, access: &term::TermAccess<'c>) -> IndexAccess {
        let own = format::of_type(access.tensor.r#type());
        let copied = stored::copied(&own, &self.wanted(&own, &access.indices));
        let tensor = self.add(access.tensor, &copied.clone().unwrap_or(own), copied);
        self.access(tensor, &access.indices)
    }

    fn named_as(&self, names: &[String]) -> BTreeSet<usize> {
        let is_one = |operand: &StatementTensor<'c>| match operand.source {
            TensorSource::Tensor(tensor, _) => names.contains(&name(tensor)),
            TensorSource::Number(_) => false,
        };
        (1..self.operands.len()).filter(|place| is_one(&self.operands[*place])).collect()
    }

    fn number(&mut self, value: Val<'c>) -> IndexAccess {
        let is_it = |operand: &StatementTensor<'c>| matches!(operand.source, TensorSource::Number(other) if other == value);
        let tensor = self.operands.iter().position(is_it).unwrap_or_else(|| {
            let format = self.named("number", (Vec::new(), Vec::new()), value);
            self.push(StatementTensor { format, source: TensorSource::Number(value), parts: Vec::new() })
        });
        IndexAccess { tensor, indices: Vec::new() }
    }

    /// The place of a tensor in that format; the result is no operand.
    fn add(&mut self, tensor: Val<'c>, stored: &Format, copied: Option<Format>) -> usize {
        let is_it = |operand: &StatementTensor<'c>| matches!(&operand.source, TensorSource::Tensor(other, format) if *other == tensor && *format == copied);
        if let Some(found) = self.operands.iter().skip(1).position(is_it) {
            return found + 1;
        }
        let levels = stored::levels(stored).expect("the format was chosen for graphs");
        let format = self.named(&name(tensor), levels, tensor);
        let source = TensorSource::Tensor(tensor, copied);
        self.push(StatementTensor { format, source, parts: stored::parts(stored) })
    }

    fn push(&mut self, operand: StatementTensor<'c>) -> usize {
        self.operands.push(operand);
        self.operands.len() - 1
    }

    fn named(
        &self,
        name: &str,
        (levels, order): (Vec<GraphLevel>, Vec<usize>),
        value: Val<'c>,
    ) -> TensorFormat {
        let is_taken = |name: &str| self.operands.iter().any(|operand| operand.format.name == name);
        let name = free_name(&for_files(name), is_taken);
        TensorFormat { name, levels, order, element: cases::of_value(value) }
    }

    fn access(&mut self, tensor: usize, indices: &[Val<'c>]) -> IndexAccess {
        IndexAccess { tensor, indices: self.split_names(indices) }
    }

    /// Returns the names of variables, of those that are cut the names of both parts.
    fn split_names(&mut self, vars: &[Val<'c>]) -> Vec<String> {
        let parts = vars.iter().flat_map(|var| match self.cut_of(*var) {
            Some(cut) => vec![cut.outer, cut.inner],
            None => vec![*var],
        });
        parts.collect::<Vec<_>>().into_iter().map(|var| self.vars.of(var)).collect()
    }
}

fn extent(var: Val<'_>) -> Val<'_> {
    let declared = Op::defining(var).and_then(Op::cast::<cin::IndexVar<'_>>);
    declared.expect("all variables are made of those of the expression").size()
}
