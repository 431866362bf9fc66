//! What is computed: a statement in index notation over operands of which the points are known.

use crate::join::Terms;
use crate::machine::Machine;
use crate::memory::Memory;
use crate::points::Points;
use itertools::Itertools as _;
use std::fmt;
use std::sync::Arc;

/// An index variable, by its place in the dataflow order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Var(pub usize);

/// Where a variable stands among others that have it.
pub(crate) fn position(vars: &[Var], var: Var) -> usize {
    vars.iter().position(|&other| other == var).expect("the variable is one of these")
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// As in the program.
    pub name: String,
    /// How many coordinates it has.
    pub extent: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// Everywhere; tiles are values without coordinates.
    Dense,
    /// At these points, whose modes are the access's indices.
    Points(Arc<Points>),
}

/// A tensor with its indices. One that is read twice is there twice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    pub name: String,
    /// In dataflow order, which is that of the levels of its tiles; each once.
    pub indices: Vec<Var>,
    pub pattern: Pattern,
}

/// What is assigned to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    pub name: String,
    pub indices: Vec<Var>,
    pub is_dense: bool,
}

/// Where a value is not zero, as far as that is known without the values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr {
    /// Where the access of that number has entries.
    Access(usize),
    Everywhere,
    /// Where all of these are: products, quotients.
    All(Vec<Expr>),
    /// Where one of these is: sums, differences.
    Any(Vec<Expr>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    pub variables: Vec<Variable>,
    pub accesses: Vec<Access>,
    pub target: Target,
    /// What it is given. Variables that the target does not have are reduced.
    pub value: Expr,
}

/// A product: the numbers of its accesses, ascending.
pub type Term = Vec<usize>;

/// Loops over some variables, and the products that are added up in them. Products over other variables have
/// loops of their own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nest {
    pub variables: Vec<Var>,
    pub terms: Vec<Term>,
}

impl Access {
    /// Returns where it has entries, if it is not dense.
    pub fn points(&self) -> Option<&Arc<Points>> {
        match &self.pattern {
            Pattern::Dense => None,
            Pattern::Points(points) => Some(points),
        }
    }

    /// Returns the pattern with other points, if it is not dense.
    pub(crate) fn with_points(&self, of: impl FnOnce(&Points) -> Points) -> Pattern {
        self.points().map_or(Pattern::Dense, |points| Pattern::Points(Arc::new(of(points))))
    }
}

impl Nest {
    /// Returns the products that an access is in.
    pub(crate) fn terms_with(&self, access: usize) -> Terms {
        self.terms_where(|term| term.contains(&access))
    }

    /// Returns the products of which something holds.
    pub(crate) fn terms_where(&self, holds: impl Fn(&Term) -> bool) -> Terms {
        let with = self.terms.iter().enumerate().filter(|(_, term)| holds(term));
        with.fold(0, |terms, (place, _)| terms | 1 << place)
    }

    pub fn reads(&self, access: usize) -> bool {
        self.terms.iter().any(|term| term.contains(&access))
    }
}

/// How many small tiles there are along a variable, about, at most.
const MOST_TILES: u64 = 1 << 22;

/// How many accesses a statement has at most, and how many products.
pub const MOST: usize = 32;

impl Statement {
    /// The value as a sum of products, those over the same variables together.
    pub fn nests(&self) -> Vec<Nest> {
        let mut nests: Vec<Nest> = Vec::new();
        for term in terms(&self.value) {
            let indices =
                term.iter().flat_map(|&access| &self.accesses[access].indices).chain(&self.target.indices);
            let variables: Vec<Var> = indices.copied().sorted_unstable().dedup().collect();
            match nests.iter_mut().find(|nest| nest.variables == variables) {
                Some(nest) => nest.terms.push(term),
                None => nests.push(Nest { variables, terms: vec![term] }),
            }
        }
        nests
    }

    /// How many products the value is a sum of, before equal ones are left out.
    pub fn products(&self) -> u64 {
        count(&self.value)
    }

    pub fn name(&self, var: Var) -> &str {
        &self.variables[var.0].name
    }

    pub fn extent(&self, var: Var) -> u64 {
        self.variables[var.0].extent
    }

    pub(crate) fn extents(&self, vars: &[Var]) -> Vec<u64> {
        vars.iter().map(|&var| self.extent(var)).collect()
    }

    pub fn rank(&self) -> usize {
        self.accesses.iter().map(|access| access.indices.len()).max().unwrap_or(0)
    }

    /// Returns the names of the variables, the outermost loop's first.
    pub fn names(&self) -> Vec<&str> {
        self.variables.iter().map(|variable| &variable.name[..]).collect()
    }

    /// Returns the variables that the target does not have.
    pub fn reduced(&self) -> Vec<Var> {
        let all = (0..self.variables.len()).map(Var);
        all.filter(|var| !self.target.indices.contains(var)).collect()
    }

    pub fn whole(&self) -> Tiles {
        Tiles(self.variables.iter().map(|variable| variable.extent).collect())
    }

    /// `A[i,k]`
    pub fn access_name(&self, access: usize) -> String {
        let Access { name, indices, .. } = &self.accesses[access];
        self.indexed(name, indices, "")
    }

    /// `C[i,j]`
    pub fn target_name(&self) -> String {
        self.indexed(&self.target.name, &self.target.indices, "")
    }

    /// `A[i',k']`, where `mark` is what stands behind each index.
    pub(crate) fn indexed(&self, name: &str, indices: &[Var], mark: &str) -> String {
        let indices: Vec<String> = indices.iter().map(|&var| format!("{}{mark}", self.name(var))).collect();
        format!("{name}[{}]", indices.join(","))
    }
}

/// The products of a sum, each once.
fn terms(expr: &Expr) -> Vec<Term> {
    products(expr).into_iter().sorted().dedup().collect()
}

fn count(expr: &Expr) -> u64 {
    match expr {
        Expr::Access(_) | Expr::Everywhere => 1,
        Expr::Any(parts) => parts.iter().fold(0, |all, part| count(part).saturating_add(all)),
        Expr::All(parts) => parts.iter().fold(1, |all, part| count(part).saturating_mul(all)),
    }
}

fn products(expr: &Expr) -> Vec<Term> {
    match expr {
        Expr::Access(access) => vec![vec![*access]],
        Expr::Everywhere => vec![Vec::new()],
        Expr::Any(parts) => parts.iter().flat_map(products).collect(),
        Expr::All(parts) => parts.iter().fold(vec![Vec::new()], |whole, part| {
            let part = products(part);
            whole.iter().flat_map(|one| part.iter().map(|other| merged(one, other))).collect()
        }),
    }
}

fn merged(one: &[usize], other: &[usize]) -> Term {
    one.iter().chain(other).copied().sorted_unstable().dedup().collect()
}

/// How far a tile reaches along each variable, in the order of the variables.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Tiles(pub Vec<u64>);

impl Tiles {
    pub fn of(&self, var: Var) -> u64 {
        self.0[var.0]
    }

    pub fn of_all(&self, vars: &[Var]) -> Vec<u64> {
        vars.iter().map(|&var| self.of(var)).collect()
    }

    /// The same size along all variables, or the extent where that is less.
    pub fn cube(statement: &Statement, side: u64) -> Self {
        Self(statement.variables.iter().map(|variable| side.min(variable.extent).max(1)).collect())
    }

    /// The tiles that statistics are made of: along each variable the shortest that
    /// [`crate::TiledOperands::small`] cuts an operand to.
    pub fn base(statement: &Statement, machine: &Machine) -> Self {
        Self::base_in(statement, &Memory::of(*machine, statement))
    }

    /// The same for a level of memory.
    pub(crate) fn base_in(statement: &Statement, memory: &Memory) -> Self {
        let along = |place: usize| {
            let has_it = |access: &usize| statement.accesses[*access].indices.contains(&Var(place));
            let with = (0..statement.accesses.len()).filter(has_it);
            let sizes = with.map(|access| Self::small(statement, memory, access).of(Var(place)));
            // Along what no operand has, a tile of one mode is as good as any.
            sizes.min().unwrap_or_else(|| Self::of_side(statement, memory.result.conservative(1)).0[place])
        };
        memory.around.with_single(Self((0..statement.variables.len()).map(along).collect()))
    }

    pub(crate) fn small(statement: &Statement, memory: &Memory, access: usize) -> Self {
        let indices = &statement.accesses[access].indices;
        let rank = indices.len() - memory.around.outside(indices);
        memory.around.with_single(Self::of_side(statement, memory.side(access, rank)))
    }

    /// About a quarter of a side, a power of two.
    fn of_side(statement: &Statement, side: u64) -> Self {
        let quarter = (side as f64 / 4.0).max(1.0);
        let side = quarter.log2().round().exp2() as u64;
        let along = |variable: &Variable| {
            let least = variable.extent.div_ceil(MOST_TILES).next_power_of_two();
            side.max(least).clamp(1, variable.extent.max(1))
        };
        Self(statement.variables.iter().map(along).collect())
    }

    pub fn count(&self, statement: &Statement, var: Var) -> u64 {
        statement.extent(var).div_ceil(self.of(var))
    }

    /// `i: 128, k: 64`
    pub fn text(&self, statement: &Statement) -> String {
        self.named(statement.names())
    }

    /// The same with these names of the variables.
    pub fn named<'n>(&self, names: impl IntoIterator<Item = &'n str>) -> String {
        let sizes = names.into_iter().zip(&self.0).map(|(name, size)| format!("{name}: {size}"));
        sizes.collect::<Vec<_>>().join(", ")
    }
}

impl fmt::Display for Tiles {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sizes: Vec<String> = self.0.iter().map(u64::to_string).collect();
        formatter.write_str(&sizes.join(" x "))
    }
}

impl Statement {
    /// The statement with its loops in an order: its variables, the outermost one first. Operands have their
    /// levels in that order, too.
    ///
    /// # Panics
    /// If these are not all variables, each once.
    pub fn in_order(&self, order: &[Var]) -> Self {
        let all = (0..self.variables.len()).map(Var);
        assert!(order.iter().copied().sorted_unstable().eq(all), "an order has each variable once");
        Self {
            variables: order.iter().map(|var| self.variables[var.0].clone()).collect(),
            accesses: self.accesses.iter().map(|access| access.in_order(order)).collect(),
            target: Target { indices: sorted_in(order, &self.target.indices), ..self.target.clone() },
            value: self.value.clone(),
        }
    }
}

impl Access {
    fn in_order(&self, order: &[Var]) -> Self {
        let places: Vec<usize> = self.indices.iter().map(|&var| position(order, var)).collect();
        let mut modes: Vec<usize> = (0..places.len()).collect();
        modes.sort_by_key(|&mode| places[mode]);
        let pattern = match &self.pattern {
            Pattern::Points(points) if !modes.is_sorted() => {
                Pattern::Points(Arc::new(points.permuted(&modes)))
            }
            pattern => pattern.clone(),
        };
        Self { name: self.name.clone(), indices: sorted_in(order, &self.indices), pattern }
    }
}

fn sorted_in(order: &[Var], vars: &[Var]) -> Vec<Var> {
    vars.iter().map(|&var| Var(position(order, var))).sorted_unstable().collect()
}

/// Returns the variables in an order for loops: the first one, then those of factors that have a variable
/// before them, so that few coordinates are gone over for nothing; else as they come.
pub(crate) fn connected(variables: impl Iterator<Item = Var>, factors: &[&[Var]]) -> Vec<Var> {
    let mut left: Vec<Var> = variables.unique().collect();
    let mut order = Vec::new();
    while !left.is_empty() {
        let reaches = |of: &&[Var], var: &Var| of.contains(var) && of.iter().any(|own| order.contains(own));
        let is_next = |var: &Var| factors.iter().any(|of| reaches(of, var));
        order.push(left.remove(left.iter().position(is_next).unwrap_or(0)));
    }
    order
}
