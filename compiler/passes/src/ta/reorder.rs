//! `ta-reorder`: permutes the indices of sparse operands, so that entries that are used together lie
//! closer together, and all other tensors that have these indices the same.
//!
//! Before:
//! ```mlir
//! // given %i, %j : !ta.range
//! %A = ta.tensor_decl "A" [%i, %j] : tensor<?x?xf64, #ta.format<[D, CU]>>
//! %x = ta.tensor_decl "x" [%j] : tensor<?xf64>
//! %y = ta.tensor_decl "y" [%i] : tensor<?xf64>
//! ta.read %A from "env:0" {triangle = 1 : i64} : tensor<?x?xf64, #ta.format<[D, CU]>>
//! ta.fill %x with 1.0 : f64 : tensor<?xf64>
//! ta.tc ins(%A, %x : tensor<?x?xf64, #ta.format<[D, CU]>>, tensor<?xf64>) outs(%y : tensor<?xf64>) {
//!   alpha = 1.0 : f64, beta = 0.0 : f64,
//!   indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>]}
//! ta.print %y : tensor<?xf64>
//! ```
//! After:
//! ```mlir
//! %A = ta.tensor_decl "A" [%i, %j] : tensor<?x?xf64, #ta.format<[D, CU]>>
//! %x = ta.tensor_decl "x" [%j] : tensor<?xf64>
//! %y = ta.tensor_decl "y" [%i] : tensor<?xf64>
//! ta.read %A from "env:0" {triangle = 1 : i64} : tensor<?x?xf64, #ta.format<[D, CU]>>
//! %p:2 = ta.reorder %A by "lexi" {iterations = 3 : i64} : tensor<?x?xf64, #ta.format<[D, CU]>> -> !ta.permutation, !ta.permutation
//! %newA = ta.tensor_decl "A" [%i, %j] : tensor<?x?xf64, #ta.format<[D, CU]>>
//! ta.permute %A to %newA modes [0, 1] by [%p#0, %p#1] : tensor<?x?xf64, #ta.format<[D, CU]>>
//! %newx = ta.tensor_decl "x" [%j] : tensor<?xf64>
//! %newy = ta.tensor_decl "y" [%i] : tensor<?xf64>
//! ta.fill %newx with 1.0 : f64 : tensor<?xf64>
//! ta.tc ins(%newA, %newx : tensor<?x?xf64, #ta.format<[D, CU]>>, tensor<?xf64>) outs(%newy : tensor<?xf64>) {
//!   alpha = 1.0 : f64, beta = 0.0 : f64,
//!   indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>]}
//! ta.permute %newy to %y modes [0] by [%p#0] {undone} : tensor<?xf64>
//! ta.print %y : tensor<?xf64>
//! ta.release %newA : tensor<?x?xf64, #ta.format<[D, CU]>>
//! ta.release %newx : tensor<?xf64>
//! ta.release %newy : tensor<?xf64>
//! ta.release %p#0 : !ta.permutation
//! ta.release %p#1 : !ta.permutation
//! ```
//! The permutation is found once, behind the last operation that sets the entries of the sparse operand, and
//! holds from there to the end of the function: so no loop finds them again. Tensors get twins that have
//! them; what reads content from outside goes through the tensor itself to the twin, what shows content the
//! other way. Modes that statements have under one label have the same indices (`classes`), and get new
//! numbers together. Requires static labels (`ta-resolve-sizes`), and comes before anything that chooses
//! loops.

mod classes;
mod plan;
mod rewrite;
mod uses;

use crate::nest;
use classes::Classes;
use comet_abi::reorder::Method;
use comet_ir::pass::{self, OptionValues, Pass, PassOption};
use comet_ir::{Block, Op, Result, ta};
use comet_notation::distinct;
use melior::dialect::ods::func::FuncOperation;
use melior::ir::operation::OperationLike;
use plan::{Chosen, Plan, Refused};
use rewrite::Rewrite;
use uses::Body;

pub const PASS: Pass = Pass {
    name: "ta-reorder",
    description: "On request, permutes the indices of sparse operands and of every tensor that shares them, and undoes it in output",
    options: &[
        PassOption {
            name: "method",
            default: "lexi",
            description: "The method that computes permutations: `lexi`, `rcm`, `degree`, or parts for processes, `graph` or `auto`",
        },
        PassOption {
            name: "iterations",
            default: "3",
            description: "The maximum number of iterations of `lexi` over the modes",
        },
        PassOption {
            name: "tell",
            default: "nothing",
            description: "What the program reports: whether reordering is expected to pay (`worth`), or `nothing`",
        },
    ],
    dialects: &["ta"],
    run,
};

/// New numbers for the indices of sparse operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reordering {
    pub method: Method,
    /// Whether the program reports if they are expected to pay.
    pub is_reported: bool,
}

pub fn text(Reordering { method, is_reported }: Reordering) -> String {
    let method = match method {
        Method::Lexi { iterations } => format!("method=lexi iterations={iterations}"),
        Method::Rcm => "method=rcm".to_owned(),
        Method::Degree => "method=degree".to_owned(),
        Method::Graph => "method=graph".to_owned(),
        Method::Auto => "method=auto".to_owned(),
    };
    format!("{}{{{method} tell={}}}", PASS.name, if is_reported { "worth" } else { "nothing" })
}

fn run<'c>(module: Op<'c>, options: &OptionValues<'_>) -> Result<'c, ()> {
    let iterations = u32::try_from(options.number("iterations")?).unwrap_or(u32::MAX);
    let method = match options.text("method") {
        "lexi" if iterations > 0 => Method::Lexi { iterations },
        "lexi" => return Err(options.unexpected("iterations", "1 or more")),
        "rcm" => Method::Rcm,
        "degree" => Method::Degree,
        "graph" => Method::Graph,
        "auto" => Method::Auto,
        _ => return Err(options.unexpected("method", "`lexi`, `rcm`, `degree`, `graph` or `auto`")),
    };
    let is_reported = options.choice("tell", &[("worth", true), ("nothing", false)])?;
    for function in module.descendants::<FuncOperation>() {
        reorder(function, Reordering { method, is_reported })?;
    }
    Ok(())
}

fn reorder<'c>(function: Op<'c>, reordering: Reordering) -> Result<'c, ()> {
    let Some(block) = function.as_ref().region(0).ok().and_then(Block::first_of) else {
        return Ok(());
    };
    let body = Body::of(block);
    let is_border = |variable: &ta::TensorDecl<'c>| variable.argument().is_some() || variable.returned();
    if body.variables().iter().any(is_border) {
        pass::decided(function.location(), || {
            "indices keep their numbers: a kernel would find new ones in each call".to_owned()
        });
        return Ok(());
    }
    let classes = Classes::of(function)?;
    let (plans, refused) = plan::plans(&body, &classes, reordering);
    for Refused { tensor, location, reason } in refused {
        pass::decided(location, || {
            format!("the indices of `{}` keep their numbers: {reason}", nest::name(tensor))
        });
    }
    for plan in &plans {
        for chosen in &plan.chosen {
            pass::decided(chosen.location, || remark(&body, &classes, plan, chosen));
        }
        Rewrite::run(&body, &classes, plan)?;
    }
    Ok(())
}

/// What gets new numbers together with a chosen tensor.
fn remark<'c>(body: &Body<'c>, classes: &Classes, plan: &Plan<'c>, chosen: &Chosen<'c>) -> String {
    let own = plan::classes_of(classes, chosen.tensor);
    let shares = |variable: &ta::TensorDecl<'c>| {
        let other = variable.tensor();
        other != chosen.tensor && plan::classes_of(classes, other).iter().any(|class| own.contains(class))
    };
    let sharing = body.variables().into_iter().filter(shares);
    let names = distinct(sharing.map(|variable| format!("`{}`", variable.name())));
    let others =
        if names.is_empty() { String::new() } else { format!(", and so do those of {}", names.join(", ")) };
    let name = nest::name(chosen.tensor);
    format!("the indices of `{name}` get new numbers by {}{others}", plan.reordering.method)
}
