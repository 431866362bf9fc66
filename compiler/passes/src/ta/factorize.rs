//! `ta-factorize`: multiplies some factors of a product first where one loop nest over all of them would do
//! far more work.
//!
//! Before:
//! ```mlir
//! // given %i, %j, %k, %l : !ta.range
//! %A = ta.tensor_decl "A" [%i, %j] : tensor<?x?xf64, #ta.format<[D, CU]>>
//! %B = ta.tensor_decl "B" [%j, %k] : tensor<?x?xf64>
//! %C = ta.tensor_decl "C" [%k, %l] : tensor<?x?xf64>
//! %D = ta.tensor_decl "D" [%i, %l] : tensor<?x?xf64>
//! ta.tc ins(%A, %B, %C : tensor<?x?xf64, #ta.format<[D, CU]>>, tensor<?x?xf64>, tensor<?x?xf64>) outs(%D : tensor<?x?xf64>) {
//!   alpha = 2.0 : f64, beta = 0.0 : f64,
//!   indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1)>, affine_map<(d0, d1, d2, d3) -> (d1, d2)>,
//!                    affine_map<(d0, d1, d2, d3) -> (d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3)>]}
//! ```
//! After:
//! ```mlir
//! %A = ta.tensor_decl "A" [%i, %j] : tensor<?x?xf64, #ta.format<[D, CU]>>
//! %B = ta.tensor_decl "B" [%j, %k] : tensor<?x?xf64>
//! %C = ta.tensor_decl "C" [%k, %l] : tensor<?x?xf64>
//! %D = ta.tensor_decl "D" [%i, %l] : tensor<?x?xf64>
//! %AB = ta.tensor_decl "A*B" [%i, %k] : tensor<?x?xf64, #ta.format<[CU, D]>>
//! ta.tc ins(%A, %B : tensor<?x?xf64, #ta.format<[D, CU]>>, tensor<?x?xf64>) outs(%AB : tensor<?x?xf64, #ta.format<[CU, D]>>) {
//!   alpha = 1.0 : f64, beta = 0.0 : f64,
//!   indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d1, d2)>,
//!                    affine_map<(d0, d1, d2) -> (d0, d2)>]}
//! ta.tc ins(%AB, %C : tensor<?x?xf64, #ta.format<[CU, D]>>, tensor<?x?xf64>) outs(%D : tensor<?x?xf64>) {
//!   alpha = 2.0 : f64, beta = 0.0 : f64,
//!   indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d1, d2)>,
//!                    affine_map<(d0, d1, d2) -> (d0, d2)>]}
//! ta.release %AB : tensor<?x?xf64, #ta.format<[CU, D]>>
//! ```
//! An intermediate result stores what the product of its factors stores, so that the result has the pattern
//! that the whole product defines. A schedule makes an assignment no `ta.tc`: `order(i, j, k, l)` keeps one
//! nest, separate statements make the factors that one wants.

mod tree;

use crate::nest;
use comet_dialects::ta::{TcOperation, TensorDeclOperation};
use comet_ir::indexing::IndexingMaps;
use comet_ir::pass::{self, Changed, OptionValues, Pass};
use comet_ir::{Builder, Op, Result, Ty, Val, format, types};
use comet_runtime::format::{Format, IndexWidth, Level, LevelExpr, LevelKind};
use melior::ir::ValueLike;
use tree::{Factor, Plan, Product, Tree};

/// From so many times as much work on, an intermediate result is worth its memory.
const WORTH: f64 = 1.5;
/// Below so many products, memory for an intermediate result costs more than it saves.
const SMALL: f64 = 10_000.0;

/// The pass.
pub const PASS: Pass = Pass {
    name: "ta-factorize",
    description: "Multiplies some factors of a product first where that is far less work",
    options: &[],
    dialects: &["ta"],
    run,
};

fn run<'c>(module: Op<'c>, _options: &OptionValues<'_>) -> Result<'c, Changed> {
    let mut changed = Changed::No;
    for op in module.descendants::<TcOperation>() {
        let Some(contraction) = Contraction::of(op)? else { continue };
        if let Some(plan) = contraction.better_plan() {
            contraction.rewrite(&plan)?;
            changed = Changed::Yes;
        }
    }
    Ok(changed)
}

/// A tensor with the label of each mode.
#[derive(Clone)]
struct Operand<'c> {
    tensor: Val<'c>,
    labels: Vec<usize>,
}

impl<'c> Operand<'c> {
    fn format(&self) -> Format {
        format::of_type(self.tensor.r#type())
    }

    fn mode_of(&self, label: usize) -> Option<usize> {
        self.labels.iter().position(|other| *other == label)
    }

    /// Whether it has a level that stores every coordinate of the label, under one parent or more.
    fn stores_all_of(&self, label: usize) -> bool {
        let is_its = |level: &Level| {
            level.kind == LevelKind::Dense
                && matches!(level.expr, LevelExpr::Mode(mode) if self.labels[mode] == label)
        };
        self.format().levels.iter().any(is_its)
    }
}

/// A product of three tensors or more.
struct Contraction<'c> {
    op: Op<'c>,
    inputs: Vec<Operand<'c>>,
    output: Operand<'c>,
    extents: Vec<Option<u64>>,
}

impl<'c> Contraction<'c> {
    /// That of a `ta.tc` between variables of the function.
    fn of(op: Op<'c>) -> Result<'c, Option<Self>> {
        let operands = op.operands();
        let count = operands.len() - 1;
        let is_variable =
            |value: &Val<'c>| Op::defining(*value).is_some_and(|op| op.is::<TensorDeclOperation>());
        if !(3..=tree::MOST_FACTORS).contains(&count) || !operands.iter().all(is_variable) {
            return Ok(None);
        }
        let attribute = op.attribute("indexing_maps").expect("the verifier demands the attribute");
        let maps = IndexingMaps::of_attribute(attribute)?;
        let labeled = operands.into_iter().zip(maps.operands);
        let mut inputs: Vec<Operand<'c>> =
            labeled.map(|(tensor, labels)| Operand { tensor, labels }).collect();
        let output = inputs.pop().expect("the verifier demands an output");
        let extent = |label| {
            let named = inputs.iter().chain([&output]).find_map(|operand| {
                Some(types::static_dim(operand.tensor.r#type(), operand.mode_of(label)?))
            });
            named.flatten()
        };
        let extents = (0..maps.labels).map(extent).collect();
        Ok(Some(Self { op, inputs, output, extents }))
    }

    /// The way that is far cheaper than one nest over all factors.
    fn better_plan(&self) -> Option<Plan> {
        let factor = |operand: &Operand<'c>| {
            Factor::operand(operand.labels.clone(), operand.format().is_dense(), &self.extents)
        };
        let inputs = self.inputs.iter().map(factor).collect();
        let product = Product::new(&self.extents, inputs, factor(&self.output));
        let (fused, best) = (product.fused(), product.best());
        if fused.cost < SMALL || best.tree == fused.tree || best.cost * WORTH > fused.cost {
            return None;
        }
        pass::decided(self.op.location(), || {
            let text = self.text(&best.tree);
            let (best, fused) = (best.cost, fused.cost);
            format!("multiplies as {text}: about {best:.1e} products, not {fused:.1e} in one loop nest")
        });
        Some(best)
    }

    fn text(&self, tree: &Tree) -> String {
        match tree {
            Tree::Input(place) => nest::name(self.inputs[*place].tensor),
            Tree::Nest(parts) => {
                let parts: Vec<String> = parts.iter().map(|part| self.text(part)).collect();
                format!("({})", parts.join("*"))
            }
        }
    }

    fn rewrite(&self, plan: &Plan) -> Result<'c, ()> {
        let b = Builder::before(self.op);
        let Tree::Nest(parts) = &plan.tree else { unreachable!("there are several factors") };
        let mut made = Vec::new();
        let factors = self.factors(b, parts, &mut made)?;
        let attribute = |name| self.op.attribute(name).expect("the verifier demands the attribute");
        multiply(b, &factors, &self.output, [attribute("alpha"), attribute("beta")])?;
        for temporary in made.iter().rev() {
            b.op("ta.release", &[*temporary], &[], &[])?;
        }
        self.op.erase();
        Ok(())
    }

    /// The operands that a nest over the parts reads; what has to be multiplied first is.
    fn factors(
        &self,
        b: Builder<'c>,
        parts: &[Tree],
        made: &mut Vec<Val<'c>>,
    ) -> Result<'c, Vec<Operand<'c>>> {
        let mut factors = Vec::new();
        for part in parts {
            factors.push(match part {
                Tree::Input(place) => self.inputs[*place].clone(),
                Tree::Nest(inner) => {
                    let inner = self.factors(b, inner, made)?;
                    let outside = self.outside(part);
                    let product = self.temporary(b, &inner, &outside, self.text(part))?;
                    let ty = types::element(product.tensor.r#type());
                    let one = b.number_attribute(ty, 1.0, 1);
                    multiply(b, &inner, &product, [one, b.f64_attribute(0.0)])?;
                    made.push(product.tensor);
                    product
                }
            });
        }
        // In the order of the text, which is what loop orders break ties by.
        factors.sort_by_key(|factor| factor.labels.iter().min().copied());
        Ok(factors)
    }

    /// The labels that something outside of a part has.
    fn outside(&self, part: &Tree) -> Vec<usize> {
        let inside = part.inputs();
        let others = (0..self.inputs.len()).filter(|place| !inside.contains(place));
        let others = others.map(|place| &self.inputs[place]).chain([&self.output]);
        others.flat_map(|operand| operand.labels.iter().copied()).collect()
    }

    /// A variable for the product of some factors over the labels that are wanted outside.
    fn temporary(
        &self,
        b: Builder<'c>,
        factors: &[Operand<'c>],
        outside: &[usize],
        name: String,
    ) -> Result<'c, Operand<'c>> {
        let mut labels: Vec<usize> = factors.iter().flat_map(|factor| factor.labels.clone()).collect();
        labels.retain(|label| outside.contains(label));
        labels.sort_unstable();
        labels.dedup();
        let mut ranges = Vec::new();
        for label in &labels {
            let holder = factors.iter().find_map(|factor| Some((factor.tensor, factor.mode_of(*label)?)));
            let (tensor, mode) = holder.expect("the label is that of a factor");
            ranges.push(Op::defining(tensor).expect("it is a variable").operand(mode));
        }
        let dims: Vec<Option<u64>> = labels.iter().map(|label| self.extents[*label]).collect();
        let encoding =
            format::to_attribute(b.context(), &stored(factors, &labels), format::Memory::Unspecified);
        let ty: Ty<'c> = types::tensor(&dims, types::element(factors[0].tensor.r#type()), encoding);
        let name = name.strip_prefix('(').and_then(|name| name.strip_suffix(')')).unwrap_or(&name);
        let tensor = b.op("ta.tensor_decl", &ranges, &[ty], &[("name", b.string_attribute(name))])?;
        Ok(Operand { tensor: tensor.result(0), labels })
    }
}

/// A format that stores exactly the positions of the product of some factors: the labels of sparse ones are
/// compressed. The outermost level may be dense where a factor's is, above compressed ones.
fn stored(factors: &[Operand<'_>], labels: &[usize]) -> Format {
    let sparse: Vec<&Operand<'_>> = factors.iter().filter(|factor| !factor.format().is_dense()).collect();
    let is_sparse = |label: usize| sparse.iter().any(|factor| factor.labels.contains(&label));
    let kind = |(place, label): (usize, &usize)| {
        let fibers_follow = labels[place + 1..].iter().any(|label| is_sparse(*label));
        let has_all = sparse.iter().any(|factor| factor.stores_all_of(*label));
        match is_sparse(*label) && !(place == 0 && fibers_follow && has_all) {
            true => LevelKind::CompressedUnique,
            false => LevelKind::Dense,
        }
    };
    let kinds = labels.iter().enumerate().map(kind);
    let levels = kinds.enumerate().map(|(mode, kind)| Level { expr: LevelExpr::Mode(mode), kind }).collect();
    let is_wide = factors.iter().any(|factor| factor.format().index_width == IndexWidth::I64);
    let index_width = if is_wide { IndexWidth::I64 } else { IndexWidth::I32 };
    Format { rank: labels.len(), levels, index_width }
}

/// `output = alpha * product of factors + beta * output`.
fn multiply<'c>(
    b: Builder<'c>,
    factors: &[Operand<'c>],
    output: &Operand<'c>,
    [alpha, beta]: [comet_ir::Attr<'c>; 2],
) -> Result<'c, ()> {
    let operands: Vec<&Operand<'c>> = factors.iter().chain([output]).collect();
    let mut used: Vec<usize> = operands.iter().flat_map(|operand| operand.labels.clone()).collect();
    used.sort_unstable();
    used.dedup();
    let place = |label: &usize| used.binary_search(label).expect("it is a label of an operand");
    let maps = IndexingMaps {
        labels: used.len(),
        operands: operands.iter().map(|operand| operand.labels.iter().map(place).collect()).collect(),
    };
    let attributes = [("alpha", alpha), ("beta", beta), ("indexing_maps", maps.to_attribute(b.context()))];
    let tensors: Vec<Val<'c>> = operands.iter().map(|operand| operand.tensor).collect();
    b.op("ta.tc", &tensors, &[], &attributes).map(|_| ())
}
