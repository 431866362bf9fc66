//! `ta-factorize`: multiplies some factors of a product first where one loop nest over all of them would do
//! far more work.
//!
//! Before:
//! ```mlir
//! // given %i, %j, %k, %l : !ta.range
//! %A = ta.tensor_decl "A" [%i, %j] : tensor<500x500xf64, #ta.format<[D, CU]>>
//! %B = ta.tensor_decl "B" [%j, %k] : tensor<500x500xf64>
//! %C = ta.tensor_decl "C" [%k, %l] : tensor<500x500xf64>
//! %D = ta.tensor_decl "D" [%i, %l] : tensor<500x500xf64>
//! ta.tc ins(%A, %B, %C : tensor<500x500xf64, #ta.format<[D, CU]>>, tensor<500x500xf64>, tensor<500x500xf64>) outs(%D : tensor<500x500xf64>) {
//!   alpha = 2.0 : f64, beta = 0.0 : f64,
//!   indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1)>, affine_map<(d0, d1, d2, d3) -> (d1, d2)>,
//!                    affine_map<(d0, d1, d2, d3) -> (d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3)>],
//!   labels = ["i", "j", "k", "l"]}
//! ```
//! After:
//! ```mlir
//! %A = ta.tensor_decl "A" [%i, %j] : tensor<500x500xf64, #ta.format<[D, CU]>>
//! %B = ta.tensor_decl "B" [%j, %k] : tensor<500x500xf64>
//! %C = ta.tensor_decl "C" [%k, %l] : tensor<500x500xf64>
//! %D = ta.tensor_decl "D" [%i, %l] : tensor<500x500xf64>
//! %AB = ta.tensor_decl "A*B" [%i, %k] : tensor<500x500xf64, #ta.format<[CU, D]>>
//! ta.tc ins(%A, %B : tensor<500x500xf64, #ta.format<[D, CU]>>, tensor<500x500xf64>) outs(%AB : tensor<500x500xf64, #ta.format<[CU, D]>>) {
//!   alpha = 1.0 : f64, beta = 0.0 : f64,
//!   indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d1, d2)>,
//!                    affine_map<(d0, d1, d2) -> (d0, d2)>],
//!   labels = ["i", "j", "k"]}
//! ta.tc ins(%AB, %C : tensor<500x500xf64, #ta.format<[CU, D]>>, tensor<500x500xf64>) outs(%D : tensor<500x500xf64>) {
//!   alpha = 2.0 : f64, beta = 0.0 : f64,
//!   indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d1, d2)>,
//!                    affine_map<(d0, d1, d2) -> (d0, d2)>],
//!   labels = ["i", "k", "l"]}
//! ta.release %AB : tensor<500x500xf64, #ta.format<[CU, D]>>
//! ```
//! An intermediate result stores what the product of its factors stores, so that the result has the pattern
//! that the whole product defines. It has not many more positions than the largest operand or the result;
//! where files decide that, both ways are there, and an `scf.if` takes one when the extents are known. A
//! schedule makes an assignment no `ta.tc`: any command keeps one nest, separate statements make the factors
//! that one wants.

mod tree;

use super::contraction::{Contraction, undecided};
use super::operand::Operand;
use crate::nest;
use comet_format::{Format, IndexWidth, Level, LevelExpr, LevelKind};
use comet_ir::indexing::IndexingMaps;
use comet_ir::pass::{self, OptionValues, Pass};
use comet_ir::{Attr, Builder, Compare, Op, Result, Ty, Val, format, ta, types};
use tree::{Factor, Plan, Product, Tree};

/// From so many times as much work on, an intermediate result is worth its memory.
const WORTH: f64 = 1.5;
/// Below so many products, memory for an intermediate result costs more than it saves.
const SMALL: f64 = 10_000.0;

/// An intermediate result has no more positions than the largest operand or the result, so many times.
const MOST_POSITIONS: f64 = 4.0;

enum Demand {
    /// The labels that it has do not span too many positions.
    Fits(Vec<usize>),
    /// The label that it is summed over, and that no sparse factor has, has a value: of nothing there is no
    /// sum, but an intermediate result would store 0.
    HasValues(usize),
}

pub const PASS: Pass = Pass {
    name: "ta-factorize",
    description: "Multiplies some factors of a product first, into intermediate results, where that is far less work",
    options: &[],
    dialects: &["ta", "arith", "scf"],
    run,
};

fn run<'c>(module: Op<'c>, _options: &OptionValues<'_>) -> Result<'c, ()> {
    for op in module.walk::<ta::Tc>() {
        let Some(contraction) = Contraction::of(op)?.filter(has_ways) else { continue };
        if contraction.inputs.len() > tree::MOST_FACTORS {
            contraction.report_limit();
            continue;
        }
        let Some(plan) = contraction.better_plan() else { continue };
        let demands = contraction.demands(&plan.tree);
        let Some(demands) = undecided(demands, |demand| contraction.holds(demand)) else { continue };
        contraction.report(&plan);
        contraction.rewrite_where(
            &demands,
            |b, demand| contraction.ask(b, demand),
            |b| contraction.multiply_in_turn(b, &plan),
        )?;
    }
    Ok(())
}

fn has_ways(contraction: &Contraction<'_>) -> bool {
    contraction.inputs.len() >= 3
}

impl<'c> Contraction<'c> {
    /// The way that is far cheaper than one nest over all factors.
    fn better_plan(&self) -> Option<Plan> {
        let product = self.product();
        let (fused, best) = (product.fused(), product.best());
        if fused.cost < SMALL || best.tree == fused.tree || best.cost * WORTH > fused.cost {
            return None;
        }
        Some(best)
    }

    fn product(&self) -> Product {
        let factor = |operand: &Operand<'c>| {
            let labels = operand.labels.clone();
            if operand.is_sparse() { Factor::sparse(labels, &self.extents) } else { Factor::dense(labels) }
        };
        let inputs = self.inputs.iter().map(factor).collect();
        Product::new(&self.extents, inputs, factor(&self.output))
    }

    fn report_limit(&self) {
        pass::decided(self.op.location(), || {
            let (found, most) = (self.inputs.len(), tree::MOST_FACTORS);
            format!(
                "multiplies in one loop nest: ways of more than {most} factors are not compared, and these are \
                 {found}; assign some of them to a tensor first"
            )
        });
    }

    fn report(&self, plan: &Plan) {
        pass::decided(self.op.location(), || {
            let (text, best, fused) = (self.text(&plan.tree), plan.cost, self.product().fused().cost);
            format!("multiplies as {text}: about {best:.1e} products, not {fused:.1e} in one loop nest")
        });
    }

    /// What has to hold for the intermediate results of a tree.
    fn demands(&self, tree: &Tree) -> Vec<Demand> {
        let Tree::Nest(parts) = tree else { return Vec::new() };
        let mut demands = Vec::new();
        for part in parts.iter().filter(|part| matches!(part, Tree::Nest(_))) {
            demands.extend(self.demands(part));
            let outside = self.outside(part);
            let factors: Vec<&Operand<'c>> =
                part.inputs().into_iter().map(|place| &self.inputs[place]).collect();
            let mut labels: Vec<usize> = factors.iter().flat_map(|factor| factor.labels.clone()).collect();
            labels.sort_unstable();
            labels.dedup();
            let (kept, summed): (Vec<usize>, Vec<usize>) =
                labels.into_iter().partition(|label| outside.contains(label));
            demands.push(Demand::Fits(kept));
            if self.distinguishes_zero_from_nothing() {
                let is_stored = |label: usize| {
                    factors.iter().any(|factor| factor.is_sparse() && factor.labels.contains(&label))
                };
                let dense = summed.into_iter().filter(|label| !is_stored(*label));
                demands.extend(dense.map(Demand::HasValues));
            }
        }
        demands
    }

    /// Whether a product with 0 is another result than no product: an entry, or NaN where a factor is.
    fn distinguishes_zero_from_nothing(&self) -> bool {
        !self.output.format().is_dense() || types::is_inexact(types::element_of(self.output.tensor))
    }

    /// Whether a demand holds, where that is known.
    fn holds(&self, demand: &Demand) -> Option<bool> {
        match demand {
            Demand::HasValues(label) => self.extents[*label].map(|extent| extent > 0),
            Demand::Fits(kept) => {
                let is_within =
                    |operand: &Operand<'c>| kept.iter().all(|label| operand.labels.contains(label));
                if self.operands().any(is_within) {
                    return Some(true);
                }
                let sizes = self.operands().map(|operand| self.known_size(&operand.labels));
                let largest = sizes.collect::<Option<Vec<f64>>>()?.into_iter().fold(0.0, f64::max);
                Some(self.known_size(kept)? <= MOST_POSITIONS * largest)
            }
        }
    }

    /// Asks whether a demand holds when the program runs.
    fn ask(&self, b: Builder<'c>, demand: &Demand) -> Result<'c, Val<'c>> {
        match demand {
            Demand::HasValues(label) => b.cmpi(Compare::Lt, b.index(0)?, self.extent(b, *label)?),
            Demand::Fits(kept) => {
                let needed = self.size(b, kept)?;
                let most = b.number(Ty::float64(b.context()), MOST_POSITIONS, 0)?;
                let mut fits = Vec::new();
                for operand in self.operands() {
                    let room = b.value_op("mul", most, self.size(b, &operand.labels)?)?;
                    fits.push(b.cmpf(Compare::Le, needed, room)?);
                }
                let (first, others) = fits.split_first().expect("there is an output");
                others.iter().try_fold(*first, |any, next| b.value_op("or", any, *next))
            }
        }
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

    fn multiply_in_turn(&self, b: Builder<'c>, plan: &Plan) -> Result<'c, ()> {
        let Tree::Nest(parts) = &plan.tree else { unreachable!("there are several factors") };
        let mut made = Vec::new();
        let factors = self.factors(b, parts, &mut made)?;
        self.multiply(b, &factors, &self.output, (self.op.alpha(), self.op.beta()))?;
        for temporary in made.iter().rev() {
            ta::Release::build(b, *temporary)?;
        }
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
                    let ty = types::part(types::element_of(product.tensor));
                    let one = b.number_attribute(ty, 1.0, 1);
                    self.multiply(b, &inner, &product, (one, 0.0))?;
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
        let ranges: Vec<Val<'c>> = labels.iter().map(|label| self.range(*label)).collect();
        let dims: Vec<Option<u64>> = labels.iter().map(|label| self.extents[*label]).collect();
        let encoding =
            format::to_attribute(b.context(), &self.stored(factors, &labels), format::Memory::Unspecified);
        let ty: Ty<'c> = types::tensor(&dims, types::element_of(factors[0].tensor), encoding);
        let name = name.strip_prefix('(').and_then(|name| name.strip_suffix(')')).unwrap_or(&name);
        Ok(Operand { tensor: ta::TensorDecl::build(b, name, &ranges, ty)?.tensor(), labels })
    }

    /// A format that stores exactly the positions of the product of some factors: the labels of sparse ones
    /// are compressed. The outermost level may be dense where a factor's is, above compressed ones.
    fn stored(&self, factors: &[Operand<'c>], labels: &[usize]) -> Format {
        let sparse: Vec<&Operand<'c>> = factors.iter().filter(|factor| factor.is_sparse()).collect();
        let is_sparse = |label: usize| sparse.iter().any(|factor| factor.labels.contains(&label));
        // A sparse factor that is summed over all its labels leaves everything or nothing.
        let is_whole = !sparse.is_empty() && !labels.iter().any(|label| is_sparse(*label));
        let kind = |(place, label): (usize, &usize)| {
            let fibers_follow = labels[place + 1..].iter().any(|label| is_sparse(*label));
            let has_all = sparse.iter().any(|factor| factor.stores_all_of(*label));
            let stores_all = place == 0 && fibers_follow && has_all;
            match (is_sparse(*label) && !stores_all) || (place == 0 && is_whole) {
                true => LevelKind::CompressedUnique,
                false => LevelKind::Dense,
            }
        };
        let kinds = labels.iter().enumerate().map(kind);
        let levels =
            kinds.enumerate().map(|(mode, kind)| Level { expr: LevelExpr::Mode(mode), kind }).collect();
        let is_wide = self.operands().any(|operand| operand.format().index_width == IndexWidth::I64);
        let index_width = if is_wide { IndexWidth::I64 } else { IndexWidth::I32 };
        Format { rank: labels.len(), levels, index_width }
    }

    /// `output = alpha * product of factors + beta * output`.
    fn multiply(
        &self,
        b: Builder<'c>,
        factors: &[Operand<'c>],
        output: &Operand<'c>,
        (alpha, beta): (Attr<'c>, f64),
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
        let maps = maps.to_attribute(b.context());
        let inputs: Vec<Val<'c>> = factors.iter().map(|factor| factor.tensor).collect();
        let product = ta::Tc::build(b, &inputs, output.tensor, alpha, beta, maps)?;
        if let Some(names) = &self.names {
            let names: Vec<String> = used.iter().map(|label| names[*label].clone()).collect();
            product.set_labels(Some(&names));
        }
        Ok(())
    }
}
