//! A `cin.compute` as the lowering of applications takes it: loops over index variables and tiles of them,
//! and for each tensor the levels that it has on the way.

mod format;
mod names;
mod tensors;
mod tiles;
mod value;

use comet_format::Format;
use comet_ir::cin::{self as ops, Cin};
use comet_ir::{Block, IrError, Loc, Op, Result, Val, pass};
use comet_notation::Operator;
use comet_passes::cin;
use comet_passes::nest::{self, Relations};
use comet_passes::simulated;
use comet_spatial::app::{Role, Scalar};
use comet_spatial::lower::{Nest, NestAssign, NestStmt, NestTensor, Parallelism, Var};
use names::ScalaNames;
use tiles::{Tiled, TiledExtent};

/// What a compute is to the lowering.
pub(crate) struct Computed<'c> {
    pub(crate) nest: Nest,
    /// What is behind the tensors of the nest, in their order.
    pub(crate) sources: Vec<Source<'c>>,
    /// What is behind its numbers.
    pub(crate) numbers: Vec<Val<'c>>,
    /// Where commands stand that say how many iterations of loops run at once.
    pub(crate) said: Vec<(Var, Loc<'c>)>,
}

#[derive(Clone)]
pub(crate) enum Source<'c> {
    /// A tensor, and the format to copy it to first where its levels are not those that applications have.
    Operand(Val<'c>, Option<Format>),
    /// A tensor, and the format to write it in first.
    Result(Val<'c>, Option<Format>),
    /// Nothing: the statement makes it for itself.
    Temporary,
}

/// What elements of a dense target are before a compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TargetState {
    /// They have been filled with the identity of the reduction.
    Cleared,
    /// They are what the program has computed.
    Kept,
}

pub(crate) fn read<'c>(
    compute: ops::Compute<'c>,
    target: TargetState,
    name: &str,
) -> Result<'c, Computed<'c>> {
    let relations = nest::relations(*compute);
    let (tiled, undivided) = tiles::of(*compute, &relations);
    let environment: Vec<(String, i64)> =
        compute.walk::<ops::Environment<'_>>().iter().map(|op| (op.name().to_owned(), op.value())).collect();
    let settings = || environment.iter().map(|(name, _)| name.clone());
    let mut reader = ComputeReader {
        compute: *compute,
        relations,
        tiled,
        undivided,
        vars: ScalaNames::besides(settings()),
        bound: Vec::new(),
        tensors: Vec::new(),
        numbers: Vec::new(),
        said: Vec::new(),
        communicated: Vec::new(),
        of_parts: Vec::new(),
        names: ScalaNames::besides(settings()),
    };
    // Variables that the statement has come before those that commands have introduced.
    let loops = compute.walk::<ops::Forall<'_>>().into_iter();
    let looped: Vec<Val<'c>> = loops.flat_map(|forall| reader.looped(forall.var())).collect();
    for declaration in compute.walk::<ops::IndexVar<'_>>() {
        if looped.contains(&declaration.var()) {
            reader.vars.place(declaration.var());
        }
    }
    let body = reader.block(compute.body(), &Parallelism::Usual)?;
    let is_cleared = target == TargetState::Cleared;
    Ok(reader.computed(Nest { name: name.to_owned(), body, is_cleared, environment, ..Nest::default() }))
}

fn extent(var: Val<'_>) -> Val<'_> {
    let declaration = Op::defining(var).and_then(|op| op.cast::<ops::IndexVar<'_>>());
    declaration.expect("a variable of the expression is declared").size()
}

struct Entry<'c> {
    value: Val<'c>,
    tensor: NestTensor,
    source: Source<'c>,
}

struct ComputeReader<'c> {
    compute: Op<'c>,
    relations: Relations<'c>,
    /// The variables that are divided into tiles, and why others that commands divide are not.
    tiled: Vec<Tiled<'c>>,
    undivided: Vec<(Val<'c>, &'static str)>,
    vars: ScalaNames<'c>,
    /// Those that the loops around have.
    bound: Vec<Val<'c>>,
    /// How many iterations at once are asked for of loops over parts of variables inside of others.
    of_parts: Vec<(Vec<Val<'c>>, Parallelism)>,
    tensors: Vec<Entry<'c>>,
    numbers: Vec<(String, Scalar, Val<'c>)>,
    said: Vec<(Var, Loc<'c>)>,
    /// Names of results, and the loops that they are stored behind.
    communicated: Vec<(String, Var)>,
    names: ScalaNames<'c>,
}

impl<'c> ComputeReader<'c> {
    /// The whole, with a nest that has the statements and what is said of all of them.
    fn computed(mut self, nest: Nest) -> Computed<'c> {
        let tiles = self.tiles();
        let place = |name: &String| self.tensors.iter().position(|entry| nest::name(entry.value) == *name);
        let communicated = self.communicated.iter().filter_map(|(name, var)| Some((place(name)?, *var)));
        let communicated = communicated.collect();
        let sizes = self.vars.values().map(|var| self.size_of(*var)).collect();
        let extents: Vec<TiledExtent<'c>> = self.vars.values().map(|var| self.extent_of(*var)).collect();
        let first =
            |own: &TiledExtent<'c>| extents.iter().position(|other| other == own).expect("it is one of them");
        let extents = extents.iter().map(first).collect();
        let (sources, tensors) = self.tensors.into_iter().map(|entry| (entry.source, entry.tensor)).unzip();
        let (names, values) =
            self.numbers.into_iter().map(|(name, element, value)| ((name, element), value)).unzip();
        let vars = self.vars.given();
        let nest = Nest { tensors, vars, extents, sizes, tiles, numbers: names, communicated, ..nest };
        Computed { nest, sources, numbers: values, said: self.said }
    }

    fn block(&mut self, block: Block<'c>, factor: &Parallelism) -> Result<'c, Vec<NestStmt>> {
        let mut statements = Vec::new();
        for op in block.ops() {
            statements.extend(self.op(op, factor)?);
        }
        Ok(statements)
    }

    fn op(&mut self, op: Op<'c>, factor: &Parallelism) -> Result<'c, Vec<NestStmt>> {
        match Cin::of(op) {
            Some(Cin::Forall(forall)) => self.forall(forall, factor),
            Some(Cin::Map(map)) => {
                let factor = cin::setting(op).map_or(Parallelism::Number(map.factor()), Parallelism::Setting);
                for forall in map.body().ops().into_iter().filter_map(|op| op.cast::<ops::Forall<'_>>()) {
                    self.note_place(forall, op);
                }
                self.block(map.body(), &factor)
            }
            Some(Cin::Where(statement)) => {
                let producer = self.block(statement.producer(), factor)?;
                let consumer = self.block(statement.consumer(), factor)?;
                let temporary = self.temporary_of(statement)?;
                Ok(vec![NestStmt::Where { consumer, producer, temporary }])
            }
            Some(Cin::Assign(assign)) => Ok(vec![NestStmt::Assign(self.assign(assign)?)]),
            _ => Ok(Vec::new()),
        }
    }

    /// A loop over a part of a variable, or over several, is one over each of them that no loop around has.
    fn forall(&mut self, op: ops::Forall<'c>, factor: &Parallelism) -> Result<'c, Vec<NestStmt>> {
        let roots = self.looped(op.var());
        let mut new: Vec<Val<'c>> = Vec::new();
        for root in &roots {
            if !self.bound.contains(root) {
                self.bound.push(*root);
                new.push(*root);
            }
        }
        self.report_whole(op, &new);
        if new.is_empty()
            && let Some(factor) = own_factor(op)
        {
            self.of_parts.push((roots, factor));
        }
        let mut body = self.block(op.body(), &Parallelism::Usual)?;
        self.bound.truncate(self.bound.len() - new.len());
        let is_of_part =
            |(roots, _): &(Vec<Val<'c>>, Parallelism)| new.iter().any(|root| roots.contains(root));
        let of_part =
            self.of_parts.iter().position(is_of_part).map(|place| self.of_parts.swap_remove(place).1);
        let par = own_factor(op).or(of_part).unwrap_or_else(|| factor.clone());
        self.note_place(op, *op);
        if let Some(name) = op.communicated().map(str::to_owned) {
            let vars: Vec<Var> = new.iter().map(|root| self.var(*root)).collect();
            self.communicated.extend(vars.into_iter().map(|var| (name.clone(), var)));
        }
        // Of loops that were fused, the outermost has as many iterations at once as the one that they were.
        for (place, root) in new.into_iter().enumerate().rev() {
            let par = if place == 0 { par.clone() } else { Parallelism::Usual };
            body = vec![NestStmt::Forall { var: self.var(root), par, body }];
        }
        Ok(body)
    }

    /// Reports that a loop over a part of a variable, or over several, is one over all of these.
    fn report_whole(&self, forall: ops::Forall<'c>, whole: &[Val<'c>]) {
        let own = self.relations.unbounded(forall.var());
        if whole.iter().all(|root| *root == own) {
            return;
        }
        pass::decided(self.compute.location(), || {
            let names: Vec<String> = whole.iter().map(|root| format!("`{}`", nest::name(*root))).collect();
            let (name, names) = (nest::name(own), names.join(" and "));
            let split = self.relations.split_into(own);
            let undivided = split.and_then(|split| self.undivided.iter().find(|(var, _)| *var == split.var));
            let why =
                undivided.map_or("applications have no loops over parts of such variables", |(_, why)| why);
            format!("the loop over `{name}` goes over all of {names}: {why}")
        });
    }

    /// Keeps where a command stands that is about a loop.
    fn note_place(&mut self, forall: ops::Forall<'c>, marked: Op<'c>) {
        let Some(place) = cin::said_at(marked) else { return };
        for root in self.looped(forall.var()) {
            let var = self.var(root);
            self.said.push((var, place));
        }
    }

    fn var(&mut self, var: Val<'c>) -> Var {
        self.vars.place(var)
    }

    fn assign(&mut self, op: ops::Assign<'c>) -> Result<'c, NestAssign> {
        let target = self.access(*op, Role::Result)?;
        let reduction = reduction(op)?;
        let value = self.value(op.value())?;
        Ok(NestAssign { target, reduction, value })
    }

    /// The temporary that the producer of a where-statement computes for the consumer.
    fn temporary_of(&mut self, op: ops::Where<'c>) -> Result<'c, usize> {
        let is_inside = |inner: Op<'c>, block: Block<'c>| {
            let mut around = std::iter::once(inner).chain(inner.ancestors());
            around.any(|around| around.block() == Some(block))
        };
        let assigns = op.walk::<ops::Assign<'c>>().into_iter();
        let assigns = assigns.filter(|assign| is_inside(**assign, op.producer()));
        let targets: Vec<Val<'c>> = assigns.map(|assign| assign.tensor()).collect();
        let reads = op.walk::<ops::Access<'c>>().into_iter();
        let reads = reads.filter(|access| is_inside(**access, op.consumer()));
        let mut read = reads.map(|access| access.tensor());
        let found = read.find(|tensor| nest::is_temporary(*tensor) && targets.contains(tensor));
        let found = found.ok_or_else(|| {
            IrError::not_supported(op.location(), "a where-statement without a temporary, as a pattern")
        })?;
        let place = self.tensors.iter().position(|entry| entry.value == found);
        Ok(place.expect("a temporary that is read has an entry"))
    }
}

/// How many iterations of a loop its marks say that run at once.
fn own_factor(forall: ops::Forall<'_>) -> Option<Parallelism> {
    let is_cpu = forall.parallel() == Some(ops::ParallelUnit::Cpu);
    let tasks = forall.tasks().filter(|_| !is_cpu);
    if let (Some(_), Some(setting)) = (tasks, cin::setting(*forall)) {
        return Some(Parallelism::Setting(setting));
    }
    tasks.map(Parallelism::Number)
}

fn reduction<'c>(assign: ops::Assign<'c>) -> Result<'c, Option<Operator>> {
    match assign.reduction() {
        ops::Reduction::Set => Ok(None),
        ops::Reduction::Own(own) => {
            Err(simulated::own_reduction(assign, own, "in an application of parallel patterns"))
        }
        reduction => Ok(Some(value::named(reduction.word()))),
    }
}
