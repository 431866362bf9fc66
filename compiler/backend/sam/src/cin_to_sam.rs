//! `cin-to-sam`: every compute becomes one dataflow graph or several (sam.txt section 5).
//!
//! Before:
//! ```mlir
//! // given %n : index
//! // given %l : !ta.range
//! %b = ta.tensor_decl "b" [%l] : tensor<?xf64, #ta.format<[CU]>>
//! %x = ta.tensor_decl "x" [%l] : tensor<?xf64, #ta.format<[CU]>>
//! cin.compute {
//!   %i = cin.index_var "i" size %n
//!   cin.forall %i {
//!     %0 = cin.access %b[%i] : tensor<?xf64, #ta.format<[CU]>> -> f64
//!     %1 = cin.neg %0 : f64
//!     cin.assign %1 to %x[%i] set concordant : f64, tensor<?xf64, #ta.format<[CU]>>
//!   }
//! }
//! ```
//! After:
//! ```mlir
//! // given %n : index
//! // given %l : !ta.range
//! %b = ta.tensor_decl "b" [%l] : tensor<?xf64, #ta.format<[CU]>>
//! %x = ta.tensor_decl "x" [%l] : tensor<?xf64, #ta.format<[CU]>>
//! sam.graph of %x, %b as ["x", "b"] : tensor<?xf64, #ta.format<[CU]>>, tensor<?xf64, #ta.format<[CU]>> {
//!   "digraph SAM {"
//!   "    comment=\"x=s0,b=s0\""
//!   "    1 [comment=\"type=fiberlookup,index=i,tensor=b,mode=0,format=compressed,src=true,root=true\" label=\"FiberLookup i: b0\\ncompressed\" color=green4 shape=box style=filled type=\"fiberlookup\" index=\"i\" tensor=\"b\" mode=\"0\" format=\"compressed\" src=\"true\" root=\"true\"]"
//!   "    2 [comment=\"type=arrayvals,tensor=b\" label=\"Array Vals: b\" color=green2 shape=box style=filled type=\"arrayvals\" tensor=\"b\"]"
//!   "    3 [comment=\"type=neg\" label=\"Neg\" color=brown shape=box style=filled type=\"neg\"]"
//!   "    4 [comment=\"type=fiberwrite,index=i,tensor=x,mode=0,format=compressed,segsize=2,crdsize=b0_dim,sink=true\" label=\"FiberWrite i: x0\\ncompressed\" color=green3 shape=box style=filled type=\"fiberwrite\" index=\"i\" tensor=\"x\" mode=\"0\" format=\"compressed\" segsize=\"2\" crdsize=\"b0_dim\" sink=\"true\"]"
//!   "    0 [comment=\"type=fiberwrite,tensor=x,mode=vals,size=1*b0_dim,sink=true\" label=\"FiberWrite Vals: x\" color=green3 shape=box style=filled type=\"fiberwrite\" tensor=\"x\" mode=\"vals\" size=\"1*b0_dim\" sink=\"true\"]"
//!   "    1 -> 2 [label=\"ref\" style=bold type=\"ref\" comment=\"\"]"
//!   "    2 -> 3 [label=\"val\" type=\"val\"]"
//!   "    1 -> 4 [label=\"crd\" style=dashed type=\"crd\" comment=\"\"]"
//!   "    3 -> 0 [label=\"val\" type=\"val\"]"
//!   "}"
//! }
//! ```
//! The loops are those of whole statements (`terms=whole` of `ta-to-cin`), in the order of their schedules,
//! which is the dataflow order. Operands whose levels do not come in that order, or are none of graphs, are
//! copied first, and a result that is written in other levels than its tensor has is converted. Copies that
//! the program asks for are statements as well. With `zeros=drop`, droppers leave zeros out of results that
//! are not dense.

use crate::cases::{self, element_type};
use crate::effect;
use crate::statement::{self, Computed, PriorTarget, TensorSource, TileChoice, VariableExtent};
use crate::text::{self, TensorValues};
use comet_format::{Format, IndexWidth, Level, LevelExpr};
use comet_ir::pass::{self, OptionValues, Pass, PassOption};
use comet_ir::{Builder, IrError, Op, Result, Val, cin, format, ta, types};
use comet_passes::cin::clear;
use comet_passes::copies::of_program as copies_of_program;
use comet_passes::{copies, nest};
use comet_sam::graph::{Graph, GraphLevel, TensorFormat};
use comet_sam::lower::{Choices, Dialect, Lowered};
use melior::ir::ValueLike;

pub const PASS: Pass = Pass {
    name: "cin-to-sam",
    description: "Turns each statement into a dataflow graph of scanners, joiners, repeaters, reducers and writers",
    options: &[
        PassOption {
            name: "zeros",
            default: "keep",
            description: "Whether to `keep` or to `drop` zeros of results that are not dense",
        },
        PassOption {
            name: "dialect",
            default: "comet",
            description: "The blocks that graphs may use: all of `comet`, those of `sam`'s own tools, or those of `comal`",
        },
    ],
    dialects: &["arith", "cin", "sam", "ta"],
    run,
};

fn run<'c>(module: Op<'c>, options: &OptionValues<'_>) -> Result<'c, ()> {
    let drops_zeros = match options.text("zeros") {
        "keep" => false,
        "drop" => true,
        _ => return Err(options.unexpected("zeros", "`keep` or `drop`")),
    };
    let dialect = Dialect::ALL.into_iter().find(|dialect| dialect.name() == options.text("dialect"));
    let dialect = dialect.ok_or_else(|| options.unexpected("dialect", "`comet`, `sam` or `comal`"))?;
    comet_passes::simulated::refuse_complex(module, "in a dataflow graph")?;
    copies_of_program::as_computes(module)?;
    let computes = module.descendants::<cin::Compute<'_>>();
    let clearing: Vec<Option<Op<'c>>> = computes.iter().map(|compute| clearing(*compute)).collect();
    for (compute, cleared) in computes.iter().zip(&clearing) {
        if !clearing.contains(&Some(*compute)) {
            graphs(StatementLowering {
                compute: *compute,
                target: if cleared.is_some() { PriorTarget::Cleared } else { PriorTarget::Kept },
                drops_zeros,
                dialect,
            })?;
        }
    }
    computes.into_iter().for_each(Op::erase);
    Ok(())
}

fn clearing<'c>(compute: Op<'c>) -> Option<Op<'c>> {
    let assigns = compute.descendants::<cin::Assign<'_>>().into_iter();
    let mut whole = assigns.filter(|assign| !statement::keeps_elements(*assign));
    whole.find_map(|assign| clear::cleared_by(compute.typed(), assign.typed()).map(|compute| *compute))
}

#[derive(Clone, Copy)]
struct StatementLowering<'c> {
    compute: Op<'c>,
    target: PriorTarget,
    drops_zeros: bool,
    dialect: Dialect,
}

fn graphs<'c>(statement: StatementLowering<'c>) -> Result<'c, ()> {
    let (computed, lowered) = lowered(statement)?;
    let compute = statement.compute;
    for uncut in &computed.uncut {
        pass::decided(compute.location(), || {
            format!("the graph has all of `{}` in one level: {}", uncut.index, uncut.reason)
        });
    }
    for ignored in effect::ignored(&computed, &lowered) {
        pass::decided(compute.location(), || ignored);
    }
    Graphs { b: Builder::before(compute), computed: &computed, values: TensorValues::new() }.all(lowered)
}

/// Lowers a compute. All coordinates of a variable are no level of tiles, the last of which may not be full.
fn lowered<'c>(statement: StatementLowering<'c>) -> Result<'c, (Computed<'c>, Lowered)> {
    let StatementLowering { compute, target, drops_zeros, dialect } = statement;
    let read = |tiles: TileChoice| {
        let computed = statement::read(compute, target, &tiles)?;
        let choices = Choices { drops_zeros, dialect, ..computed.choices };
        Ok::<_, IrError<'c>>(Computed { choices, ..computed })
    };
    let cut = read(TileChoice::Split)?;
    let reason = match cut.lower() {
        Ok(lowered) => match lowered.universes.iter().find(|universe| cut.is_part(&universe.index)) {
            None => return Ok((cut, lowered)),
            Some(universe) => {
                format!("all coordinates of `{}` are wanted, whose last tile may not be full", universe.index)
            }
        },
        Err(refusal) => format!("in tiles, {}", refusal.message),
    };
    let whole = read(TileChoice::Whole { reason })?;
    let lowered = whole.lower().map_err(|refusal| {
        let error = IrError::at(compute.location(), refusal.message);
        IrError { hint: refusal.hint, ..error }
    })?;
    Ok((whole, lowered))
}

struct Graphs<'a, 'c> {
    b: Builder<'c>,
    computed: &'a Computed<'c>,
    values: TensorValues<'c>,
}

impl<'c> Graphs<'_, 'c> {
    fn all(mut self, lowered: Lowered) -> Result<'c, ()> {
        let b = self.b;
        let mut made = self.operands()?;
        for universe in &lowered.universes {
            let extent = self.extent(&universe.index)?;
            self.values.insert(universe.tensor.clone(), extent);
        }
        let count = lowered.graphs.len();
        for (number, graph) in lowered.graphs.into_iter().enumerate() {
            let is_last = number + 1 == count;
            let written = &graph.tensors[0];
            let result = if is_last { self.result(written)? } else { self.temporary(&graph)? };
            self.values.insert(written.name.clone(), result);
            text::write(b, &graph, &self.values)?;
            if !is_last {
                made.push(result);
                continue;
            }
            let TensorSource::Tensor(target, _) = self.computed.sources[0] else { continue };
            if target != result {
                copies::convert(b, result, target)?;
                pass::decided(b.location(), || {
                    let (name, format) = (nest::name(target), format::of_type(result.r#type()));
                    format!(
                        "`{name}` is written as `{format}`, as the graph brings it, and then copied to its own format"
                    )
                });
                made.push(result);
            }
        }
        made.into_iter().try_for_each(|tensor| ta::Release::build(b, tensor).map(|_| ()))
    }

    /// Binds the operands, the copies of some first, which are given back.
    fn operands(&mut self) -> Result<'c, Vec<Val<'c>>> {
        let mut copied = Vec::new();
        let operands = self.computed.statement.tensors.iter().zip(&self.computed.sources);
        for (tensor, source) in operands.skip(1) {
            let value = match source {
                TensorSource::Tensor(operand, None) => *operand,
                TensorSource::Tensor(operand, Some(format)) => {
                    let copy = copies::copy_of(self.b, *operand, format)?;
                    pass::decided(self.b.location(), || told_copy(*operand, format));
                    copied.push(copy);
                    copy
                }
                TensorSource::Number(value) => *value,
            };
            self.values.insert(tensor.name.clone(), value);
        }
        Ok(copied)
    }

    fn extent(&self, index: &str) -> Result<'c, Val<'c>> {
        let found = self.computed.extents.iter().find(|(name, _)| name == index);
        match found.expect("lowering makes no index variables").1 {
            VariableExtent::Whole(extent) => Ok(extent),
            VariableExtent::Quotient(extent, size) => {
                let last = self.b.addi(extent, self.b.index(size as i64 - 1)?)?;
                self.b.divi(last, self.b.index(size as i64)?)
            }
            VariableExtent::Remainder(size) => self.b.index(size as i64),
        }
    }

    /// What the last graph writes: the target, or a tensor stored in another way.
    fn result(&self, written: &TensorFormat) -> Result<'c, Val<'c>> {
        let TensorSource::Tensor(target, _) = &self.computed.sources[0] else {
            unreachable!("the target of a compute is a tensor")
        };
        let own = format::of_type(target.r#type());
        let format = stored(written, &self.computed.parts, &own);
        if format == own { Ok(*target) } else { copies::declare(self.b, *target, &format) }
    }

    fn temporary(&self, graph: &Graph) -> Result<'c, Val<'c>> {
        let b = self.b;
        let written = &graph.tensors[0];
        let mut labels = Vec::new();
        for mode in 0..written.order.len() {
            let index = graph.index(&written.name, mode).expect("a graph writes every mode of its result");
            let (start, end, step) = (b.index(0)?, self.extent(index)?, b.index(1)?);
            labels.push(ta::IndexLabelStatic::build(b, index, start, end, step)?.label());
        }
        let rank = written.order.len();
        let modes: Vec<LevelExpr> = (0..rank).map(LevelExpr::Mode).collect();
        let own = Format { rank, levels: Vec::new(), index_width: IndexWidth::I64 };
        let format = stored(written, &modes, &own);
        let encoding = format::to_attribute(b.context(), &format, format::Memory::Unspecified);
        let dims = vec![None; labels.len()];
        let ty = types::tensor(&dims, element_type(b.context(), written.element), encoding);
        Ok(ta::TensorDecl::build(b, &written.name, &labels, ty)?.set_temporary(true).tensor())
    }
}

fn told_copy(operand: Val<'_>, format: &Format) -> String {
    let has_words = format.levels.iter().any(|level| level.kind.word_bits().is_some());
    let is_cut = format.levels.iter().any(|level| matches!(level.expr, LevelExpr::Div(..)));
    let reason = if has_words {
        "its coordinates are wanted in words of bits"
    } else if is_cut {
        "the loops are over tiles, and what is in them"
    } else if statement::has_levels_of_graphs(operand) {
        "the order of its levels conflicts with that of the loops"
    } else {
        "graphs have dense and compressed levels of whole modes, and bit vectors, and it has others"
    };
    format!("`{}` is copied to `{format}` first: {reason}", nest::name(operand))
}

/// The format of a tensor as a graph stores it: what the modes of the graph's are to one of another format.
fn stored(tensor: &TensorFormat, parts: &[LevelExpr], own: &Format) -> Format {
    let level =
        |(level, mode): (&GraphLevel, &usize)| Level { expr: parts[*mode], kind: cases::to_kind(*level) };
    let levels = tensor.levels.iter().zip(&tensor.order).map(level).collect();
    Format { rank: own.rank, levels, index_width: own.index_width }
}
