//! `cin-vectorize`: keeps a block of the target's innermost dimension in vector registers while the loops
//! around it reduce.
//!
//! Before:
//! ```mlir
//! // given %A : tensor<?x?xf64, #ta.format<[D, CU]>>
//! // given %B, %C : tensor<?x?xf64>
//! // given %n, %m, %p : index
//! cin.compute {
//!   %i = cin.index_var "i" size %n
//!   %j = cin.index_var "j" size %m
//!   %k = cin.index_var "k" size %p
//!   cin.forall %i {
//!     cin.forall %j {
//!       cin.forall %k {
//!         %0 = cin.access %A[%i, %j] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
//!         %1 = cin.access %B[%j, %k] : tensor<?x?xf64> -> f64
//!         %2 = cin.combine mul %0, %1 : f64
//!         cin.assign %2 to %C[%i, %k] add : f64, tensor<?x?xf64>
//!       }
//!     }
//!   }
//! }
//! ```
//! After:
//! ```mlir
//! cin.compute {
//!   %i = cin.index_var "i" size %n
//!   %j = cin.index_var "j" size %m
//!   %k = cin.index_var "k" size %p
//!   %kb, %kv = cin.split %k by 32 names "kb", "kv"
//!   cin.forall %i {
//!     cin.forall %kb {
//!       %w = cin.temporary "w" registers : tensor<32xf64>
//!       cin.where {
//!         cin.forall %kv vectorize 32 {
//!           %3 = cin.access %w[%kv] : tensor<32xf64> -> f64
//!           cin.assign %3 to %C[%i, %k] add : f64, tensor<?x?xf64>
//!         }
//!       } producer {
//!         cin.forall %j {
//!           cin.forall %kv vectorize 32 {
//!             %0 = cin.access %A[%i, %j] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
//!             %1 = cin.access %B[%j, %k] : tensor<?x?xf64> -> f64
//!             %2 = cin.combine mul %0, %1 : f64
//!             cin.assign %2 to %w[%kv] add : f64, tensor<32xf64>
//!           }
//!         }
//!       }
//!     }
//!   }
//! }
//! ```
//! Applies where the innermost variable is dense, moves the target and is contiguous in every access that it
//! moves, and no integers are divided. Where no loop around it reduces, there is no workspace: the block is
//! loaded, added to and stored. A clearing statement before is absorbed as in `cin-scalar-promote`. With
//! `sums=ordered` there is none either where loops further out reduce the target as well.
//!
//! The loops around a sparse result that is appended to are those of its levels, and sums are inside. Where
//! the innermost level is dense, scalars that hold these sums become registers.

mod appended;

use super::change_each_compute;
use super::clear;
use crate::nest::{self, Chain, Relations, divides_integers, is_contiguous, point};
use crate::sums::{self, Sums};
use appended::Innermost;
use comet_ir::cin::Reduction;
use comet_ir::pass::{self, OptionValues, Pass, PassOption};
use comet_ir::{Builder, Op, Result, Val, cin, format, types};
use melior::ir::ValueLike;

pub const PASS: Pass = Pass {
    name: "cin-vectorize",
    description: "Keeps a block of the innermost dimension of a result in vector registers while the loops around it reduce",
    options: &[
        PassOption {
            name: "lanes",
            default: "32",
            description: "The number of elements in a block, a power of two from 1 to 1024",
        },
        REGISTERS,
        sums::OPTION,
    ],
    dialects: &["cin"],
    run,
};

/// How much the processor keeps in registers. Half of it is for blocks of complex values: what comes to them
/// is needed twice, once with the parts in the other order.
const REGISTERS: PassOption = PassOption {
    name: "registers",
    default: "16384",
    description: "The total size of the processor's vector registers in bits; by default that of AVX-512",
};

fn run<'c>(module: Op<'c>, options: &OptionValues<'_>) -> Result<'c, ()> {
    let limits = Limits { lanes: lanes(options)?, registers: options.number(REGISTERS.name)? };
    let sums = Sums::of(options)?;
    change_each_compute(module, |compute| vectorize(compute, limits, sums))
}

/// What limits the lanes of a block.
#[derive(Clone, Copy)]
struct Limits {
    lanes: u64,
    /// The bits of all vector registers.
    registers: u64,
}

impl Limits {
    /// The number of lanes of blocks of a tensor along a variable, without a command. Columns that a fixed
    /// number of are there come in as few blocks as registers allow: each goes through the rows of the other
    /// operand once more. Of any number, the last ones come in small blocks.
    fn lanes_for(self, var: Val<'_>, tensor: Val<'_>) -> u64 {
        let element = types::element_of(tensor);
        let (open, fixed) = match types::is_complex(element) {
            true => {
                let value = u64::from(types::width(types::part(element))) * 2;
                let lanes = self.lanes.min(floor_to_power_of_two(self.registers / 2 / value));
                (lanes, lanes)
            }
            false => (self.lanes, FIXED * self.lanes),
        };
        fixed_extent(var).map_or(open, |extent| floor_to_power_of_two(extent).min(fixed))
    }
}

/// Longer blocks than any processor's registers hold only make the code long: no loop runs in blocks of more.
pub const MOST_LANES: u64 = 1024;

/// How many times as long blocks are where the extent is fixed: 64 values of 64 bits fill eight registers of
/// 512 bits, or sixteen of 256. SpMM with 64 columns, Zen 5, five matrices: 0.5 to 0.9 of the time of two
/// blocks of 32.
const FIXED: u64 = 2;

fn lanes<'c>(options: &OptionValues<'_>) -> Result<'c, u64> {
    match options.number("lanes")? {
        lanes if lanes.is_power_of_two() && (1..=MOST_LANES).contains(&lanes) => Ok(lanes),
        _ => Err(options.unexpected("lanes", &format!("a power of two from 1 to {MOST_LANES}"))),
    }
}

fn vectorize<'c>(compute: cin::Compute<'c>, limits: Limits, sums: Sums) -> Result<'c, ()> {
    let relations = nest::relations(compute);
    drop_outer_marks(compute, &relations);
    vectorize_innermost(compute, &relations, limits, sums)
}

/// Loops with others inside of them are no vectors' unless they go through the lanes of a block: the mark
/// of a command would only be in the way of tasks.
fn drop_outer_marks<'c>(compute: cin::Compute<'c>, relations: &Relations<'c>) {
    let is_marked = |forall: &cin::Forall<'c>| forall.vectorize().is_some();
    let has_loops = |forall: &cin::Forall<'c>| !forall.walk::<cin::Forall>().is_empty();
    let is_lane = |forall: &cin::Forall<'c>| relations.remainder_of(forall.var()).is_some();
    let mut loops = compute.walk::<cin::Forall>();
    loops.retain(|forall| is_marked(forall) && has_loops(forall) && !is_lane(forall));
    for forall in &loops {
        report_obstacle(
            *compute,
            forall.var(),
            "other loops are inside of it, and `vectorize` is for innermost ones",
        );
        forall.set_vectorize(None);
    }
}

fn vectorize_innermost<'c>(
    compute: cin::Compute<'c>,
    relations: &Relations<'c>,
    limits: Limits,
    sums: Sums,
) -> Result<'c, ()> {
    if let Some(innermost) = Innermost::of(compute, relations) {
        return innermost.vectorize(relations, limits);
    }
    let Some(chain) = Chain::of(compute) else { return Ok(()) };
    let Some(forall) = chain.loops.last().copied() else { return Ok(()) };
    let var = forall.var();
    if let Some(obstacle) = obstacle(&chain, relations, forall) {
        // Nobody asks about the loops that only clear a result.
        if !forall.walk::<cin::Access>().is_empty() {
            report_obstacle(*compute, var, &obstacle);
        }
        return Ok(());
    }
    let lanes = limits.lanes_for(var, chain.assign.tensor());
    let Some(lanes) = lanes_of(*compute, forall, lanes) else { return Ok(()) };
    let (block, lane) = split(var, lanes)?;
    let outer = count_outer(&chain, relations);
    let plan = Plan { chain, block, lane, lanes, outer };
    let adds_sums = sums.keeps_order(plan.chain.assign) && plan.chain.reduces(outer, relations);
    if outer + 1 == plan.chain.loops.len() || adds_sums {
        plan.without_workspace(forall)
    } else {
        let reduction =
            clear::absorb(compute, &plan.chain, plan.outer..plan.chain.loops.len() - 1, relations);
        plan.with_workspace(forall, reduction)
    }
}

/// The number of lanes of a loop's blocks: as `vectorize` says, or as many as registers hold. The remark is
/// on `op`. `None` where `vectorize` says one.
fn lanes_of<'c>(op: Op<'c>, forall: cin::Forall<'c>, lanes: u64) -> Option<u64> {
    let var = forall.var();
    let commanded = forall.vectorize().and_then(|lanes| u64::try_from(lanes).ok());
    let lanes = match commanded {
        Some(lanes) => floor_to_power_of_two(lanes.min(fixed_extent(var).unwrap_or(lanes)).min(MOST_LANES)),
        None => lanes,
    };
    let name = nest::name(var);
    match commanded {
        None => pass::decided(op.location(), || {
            format!(
                "blocks of {lanes} along `{name}` in vectors: it is innermost, and contiguous where it is used"
            )
        }),
        Some(commanded) if commanded != lanes => pass::decided(op.location(), || {
            format!(
                "blocks of {lanes} along `{name}`, not of {commanded}: the power of two that fits its extent"
            )
        }),
        Some(_) => {}
    }
    (commanded.is_none() || lanes > 1).then_some(lanes)
}

fn fixed_extent(var: Val<'_>) -> Option<u64> {
    nest::constant_extent(var).and_then(|extent| u64::try_from(extent).ok())
}

fn report_obstacle(op: Op<'_>, var: Val<'_>, obstacle: &str) {
    pass::decided(op.location(), || format!("no vectors along `{}`: {obstacle}", nest::name(var)));
}

/// Why the innermost variable is no vector's: it is to be dense, to move the target, and to be contiguous
/// wherever it is used.
fn obstacle<'c>(chain: &Chain<'c>, relations: &Relations<'c>, forall: cin::Forall<'c>) -> Option<String> {
    let (target, indices) = point(chain.assign);
    if chain.assign.reduction() != Reduction::Add {
        return Some("nothing is added up".to_owned());
    }
    if chain.reads_target() {
        return Some("the value reads the result".to_owned());
    }
    if !format::of(target).is_dense() {
        return Some("the result is sparse".to_owned());
    }
    if !chain.moves_target(forall, relations) {
        return Some("it is reduced and moves no element of the result".to_owned());
    }
    if !indices.contains(&forall.var()) {
        return Some("a command has made it of a loop that moves the result".to_owned());
    }
    obstacle_along(relations, forall, &[chain.assign])
}

/// Why what is in a loop cannot be computed for several values of its variable at once.
fn obstacle_along<'c>(
    relations: &Relations<'c>,
    forall: cin::Forall<'c>,
    assigns: &[cin::Assign<'c>],
) -> Option<String> {
    let var = forall.var();
    if !forall.walk::<cin::Mask>().is_empty() {
        return Some("a mask leaves values out".to_owned());
    }
    if !forall.walk::<cin::Drop>().is_empty() {
        return Some("a condition leaves values out".to_owned());
    }
    if divides_integers(forall) {
        return Some("the division of integers stops at a zero".to_owned());
    }
    if relations.splits_of(var).next().is_some() || relations.roots(var) != [var] {
        return Some("it is split".to_owned());
    }
    let accesses = forall.walk::<cin::Access>().into_iter().map(Op::from);
    let accesses = assigns.iter().map(|assign| **assign).chain(accesses);
    let strided = { accesses }.find(|access| !is_contiguous(*access, var))?;
    Some(format!("it is not contiguous in `{}`", nest::name(point(strided).0)))
}

/// The number of loops down to the innermost one, other than the last, that moves the target's element.
fn count_outer<'c>(chain: &Chain<'c>, relations: &Relations<'c>) -> usize {
    let around = &chain.loops[..chain.loops.len() - 1];
    let moves = |forall: &cin::Forall<'c>| chain.moves_target(*forall, relations);
    around.iter().rposition(moves).map_or(0, |last| last + 1)
}

fn floor_to_power_of_two(number: u64) -> u64 {
    1 << number.max(1).ilog2()
}

/// Blocks are shared by tasks as their elements were to be. What is to be unrolled goes through registers,
/// with a remark.
fn hand_on_marks<'c>(forall: cin::Forall<'c>, blocks: cin::Forall<'c>) {
    blocks.set_parallel(forall.parallel()).set_tasks(forall.tasks());
    if forall.unroll().is_some() {
        pass::decided(forall.location(), || {
            let name = nest::name(forall.var());
            format!("nothing is left to unroll along `{name}`: its values go through vector registers")
        });
    }
}

/// Declares the two halves of the variable right behind it.
fn split<'c>(var: Val<'c>, lanes: u64) -> Result<'c, (Val<'c>, Val<'c>)> {
    let declaration = Op::defining(var).expect("an index variable is declared by an operation");
    let next = declaration.next().expect("loops follow the declarations");
    let b = Builder::before(next);
    let name = nest::name(var);
    let split = cin::Split::build(b, var, lanes as i64, &format!("{name}b"), &format!("{name}v"))?;
    Ok((split.outer(), split.inner()))
}

struct Plan<'c> {
    chain: Chain<'c>,
    block: Val<'c>,
    lane: Val<'c>,
    lanes: u64,
    /// The number of loops that stay around the block.
    outer: usize,
}

impl<'c> Plan<'c> {
    /// `forall k { … }` becomes `forall kb { forall kv vectorize { … } }`.
    fn without_workspace(&self, forall: cin::Forall<'c>) -> Result<'c, ()> {
        let b = Builder::before(forall);
        let blocks = over(b, self.block, None)?;
        hand_on_marks(forall, blocks);
        let lanes = over(b.inside(blocks.body()), self.lane, Some(self.lanes))?;
        for op in forall.body().ops() {
            op.move_to_end(lanes.body());
        }
        forall.erase();
        Ok(())
    }

    /// The loops that reduce move into the producer of a workspace of one block.
    fn with_workspace(&self, forall: cin::Forall<'c>, reduction: Reduction) -> Result<'c, ()> {
        let first = self.chain.loops[self.outer];
        let b = Builder::before(first);
        let blocks = over(b, self.block, None)?;
        hand_on_marks(forall, blocks);
        let inside = b.inside(blocks.body());
        let value = self.chain.assign.value();
        let ty = types::tensor(&[Some(self.lanes)], value.r#type(), None);
        let (workspace, where_op) = cin::temporary(inside, "w", cin::WorkspaceKind::Registers, ty)?;
        self.consume(inside.inside(where_op.consumer()), workspace, reduction)?;
        self.produce(forall, workspace)?;
        first.move_to_end(where_op.producer());
        Ok(())
    }

    fn consume(&self, b: Builder<'c>, workspace: Val<'c>, reduction: Reduction) -> Result<'c, ()> {
        let lanes = over(b, self.lane, Some(self.lanes))?;
        let inside = b.inside(lanes.body());
        let value = cin::access(inside, workspace, &[self.lane])?;
        let (target, indices) = point(self.chain.assign);
        cin::Assign::build(inside, value, target, &indices, reduction).map(|_| ())
    }

    /// The innermost loop becomes one over the lanes, and assigns to the workspace.
    fn produce(&self, forall: cin::Forall<'c>, workspace: Val<'c>) -> Result<'c, ()> {
        let b = Builder::before(forall);
        let lanes = over(b, self.lane, Some(self.lanes))?;
        for op in forall.body().ops() {
            op.move_to_end(lanes.body());
        }
        forall.erase();
        let assign = self.chain.assign;
        let at_assign = Builder::before(assign);
        cin::Assign::build(at_assign, assign.value(), workspace, &[self.lane], Reduction::Add)?;
        assign.erase();
        Ok(())
    }
}

/// A loop over the blocks of a variable, or over the lanes of one.
fn over<'c>(b: Builder<'c>, var: Val<'c>, lanes: Option<u64>) -> Result<'c, cin::Forall<'c>> {
    Ok(cin::Forall::build(b, var)?.set_vectorize(lanes.map(|lanes| lanes as i64)))
}
