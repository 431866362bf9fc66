//! Traffic as a formula (d2t2.txt sections 4.2 and 5.1): which quantities are multiplied, whoever knows their
//! values.

use crate::statement::{Nest, Pattern, Statement, Term, Var};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Quantity {
    /// What a tile of an access takes, in bytes, on average.
    SizeTile(usize),
    Count(Var),
    /// How many iterations a loop over tiles has that the loaded access has no index of: E(|i'|) of equation
    /// 18.
    Iterations(Var),
    /// How probable it is that an access has a tile at coordinates of the variables that are seen, for some
    /// coordinates of its others.
    Tile(LoadFactor),
    /// How much more often factors come together along variables than if they knew nothing of each other.
    Overlap(Overlap),
    /// How probable it is that factors have tiles at one coordinate of a variable that is not seen, if each
    /// has some.
    Meet(Meet),
    Side(Var),
    /// How probable an entry of an access is in a tile that is not empty.
    Entry(usize),
    /// The sum of an access's `Corrs` along a variable, up to how far a tile reaches.
    Corrs(usize, Var),
    /// What an entry of the result takes, in bytes, with what says where it is.
    ResultEntry,
}

/// Factors that share variables.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Overlap {
    /// Which several of them share; one of them has all.
    pub vars: Vec<Var>,
    /// All factors that have one of these.
    pub factors: Vec<LoadFactor>,
    /// The access whose tiles are loaded: what these take counts.
    pub loaded: Option<usize>,
}

/// Factors with a variable that is not seen.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Meet {
    pub var: Var,
    pub factors: Vec<LoadFactor>,
}

/// An access with those of its variables whose coordinates are given.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LoadFactor {
    pub access: usize,
    pub seen: Vec<Var>,
}

/// How quantities make traffic.
#[derive(Clone, Debug, PartialEq)]
pub enum Formula {
    Quantity(Quantity),
    Product(Vec<Formula>),
    /// One divided by the others.
    Quotient(Box<Formula>, Vec<Formula>),
    /// The union of events that know nothing of each other, by what each is of a whole.
    Union {
        /// What would come if all of it happened.
        whole: Box<Formula>,
        parts: Vec<Formula>,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Assumption {
    /// They know nothing of each other, as the paper has it.
    Independent,
    /// It is known how often they come together.
    Joint,
}

impl Formula {
    pub fn value(&self, of: &dyn Fn(&Quantity) -> f64) -> f64 {
        match self {
            Self::Quantity(quantity) => of(quantity),
            Self::Product(factors) => factors.iter().map(|factor| factor.value(of)).product(),
            Self::Quotient(above, below) => {
                below.iter().fold(above.value(of), |value, by| value / by.value(of))
            }
            Self::Union { whole, parts } => {
                let whole = whole.value(of);
                let missed = |part: &Formula| 1.0 - (part.value(of) / whole).min(1.0);
                if whole > 0.0 { whole * (1.0 - parts.iter().map(missed).product::<f64>()) } else { 0.0 }
            }
        }
    }

    /// As the paper writes it: `SizeTile(A)·|i'|·|k'|·P(A[i',k'])·P(∃j' B[k',j'])`.
    pub fn text(&self, statement: &Statement) -> String {
        self.shown(statement, &|_| None)
    }

    /// The same with numbers in place of names.
    pub fn numbers(&self, statement: &Statement, of: &dyn Fn(&Quantity) -> f64) -> String {
        self.shown(statement, &|quantity| Some(number(of(quantity))))
    }

    fn shown(&self, statement: &Statement, of: &dyn Fn(&Quantity) -> Option<String>) -> String {
        let all = |parts: &[Formula], sign: &str| {
            parts.iter().map(|part| part.shown(statement, of)).collect::<Vec<_>>().join(sign)
        };
        match self {
            Self::Quantity(quantity) => of(quantity).unwrap_or_else(|| quantity.text(statement)),
            Self::Product(factors) => all(factors, " · "),
            Self::Quotient(above, below) => {
                format!("{} / ({})", above.shown(statement, of), all(below, " · "))
            }
            Self::Union { parts, .. } => format!("union of {}", all(parts, " and ")),
        }
    }
}

/// Four digits, and whole numbers as such.
fn number(value: f64) -> String {
    if value.fract() == 0.0 && value.abs() < 1e15 {
        return format!("{value:.0}");
    }
    let digits = (3.0 - value.abs().log10().floor()).clamp(0.0, 12.0) as usize;
    format!("{value:.digits$}")
}

impl Quantity {
    /// As the paper writes it.
    pub fn text(&self, statement: &Statement) -> String {
        let name = |access: &usize| &statement.accesses[*access].name;
        match self {
            Self::SizeTile(access) => format!("SizeTile({})", name(access)),
            Self::Count(var) => format!("|{}'|", statement.name(*var)),
            Self::Iterations(var) => format!("E|{}'|", statement.name(*var)),
            Self::Tile(factor) => format!("P({})", factor.text(statement)),
            Self::Overlap(Overlap { vars, factors, loaded }) => {
                let all =
                    factors.iter().map(|factor| name(&factor.access).clone()).collect::<Vec<_>>().join(", ");
                let size = if loaded.is_some() { "size of " } else { "" };
                let vars: Vec<String> = vars.iter().map(|&var| format!("{}'", statement.name(var))).collect();
                format!("Overlap({size}{all}; {})", vars.join(","))
            }
            Self::Meet(Meet { var, factors }) => {
                let tiles = factors.iter().map(|factor| {
                    let access = &statement.accesses[factor.access];
                    statement.indexed(&access.name, &access.indices, "'")
                });
                format!("P(∃{}' {})", statement.name(*var), tiles.collect::<Vec<_>>().join(" ∧ "))
            }
            Self::Side(var) => format!("T_{}", statement.name(*var)),
            Self::Entry(access) => format!("Pr({})", statement.access_name(*access)),
            Self::Corrs(access, var) => format!("ΣCorrs({})_{}", name(access), statement.name(*var)),
            Self::ResultEntry => format!("size of an entry of {}", statement.target.name),
        }
    }
}

impl LoadFactor {
    /// `∃j' B[k',j']`
    pub fn text(&self, statement: &Statement) -> String {
        let access = &statement.accesses[self.access];
        let hidden = access.indices.iter().filter(|var| !self.seen.contains(var));
        let hidden: Vec<String> = hidden.map(|&var| format!("{}'", statement.name(var))).collect();
        let tile = statement.indexed(&access.name, &access.indices, "'");
        if hidden.is_empty() { tile } else { format!("∃{} {tile}", hidden.join(",")) }
    }
}

/// The formulas of a nest of a statement, of which it is known along which variables there is one tile.
#[derive(Clone, Copy)]
pub struct Derivation<'a> {
    pub statement: &'a Statement,
    pub nest: &'a Nest,
    pub assumption: Assumption,
    /// Whether a variable has more than one tile: a loop of one iteration is none.
    pub is_loop: &'a dyn Fn(Var) -> bool,
}

impl Derivation<'_> {
    /// What an access moves, in bytes: equation 7, with the access constraint of equations 4 and 5.
    pub fn loads(&self, access: usize) -> Formula {
        let around = self.around(access);
        let size = Formula::Quantity(Quantity::SizeTile(access));
        let with = self.nest.terms.iter().filter(|term| term.contains(&access));
        let of_term = |term: &Term| {
            let others = term.iter().copied().filter(|&other| other != access);
            let factors =
                std::iter::once(access).chain(others).map(|other| self.factor(other, &around)).collect();
            self.sum(size.clone(), &around, factors, Some(access))
        };
        let parts: Vec<Formula> = with.map(of_term).collect();
        united(parts, self.sum(size, &around, vec![self.factor(access, &around)], Some(access)))
    }

    /// Iterations in which all factors of a product have a tile.
    pub fn iterations(&self) -> Formula {
        let around = &self.nest.variables;
        let nothing = Formula::Product(Vec::new());
        let of_term = |term: &Term| {
            let factors = term.iter().map(|&access| self.factor(access, around)).collect();
            self.sum(nothing.clone(), around, factors, None)
        };
        let parts = self.nest.terms.iter().map(of_term).collect();
        united(parts, self.sum(nothing.clone(), around, Vec::new(), None))
    }

    /// What the result moves, from statistics of single operands: equations 19 and 20. Reduced indices are
    /// divided by the `Corrs` of the last access that has them.
    pub fn stores(&self) -> Formula {
        let target = &self.statement.target.indices;
        let of_term = |term: &Term| {
            let sides = self.nest.variables.iter().map(|&var| Quantity::Side(var));
            let entries = self.sparse(term).map(Quantity::Entry);
            let size = sides.chain(entries).map(Formula::Quantity);
            let size = Formula::Product(
                std::iter::once(Formula::Quantity(Quantity::ResultEntry)).chain(size).collect(),
            );
            let reduced = self.nest.variables.iter().filter(|var| !target.contains(var));
            let corrs = reduced.filter_map(|&var| {
                let has_it = |access: &usize| self.statement.accesses[*access].indices.contains(&var);
                self.sparse(term).filter(has_it).last().map(|access| Quantity::Corrs(access, var))
            });
            let corrs: Vec<Formula> = corrs.map(Formula::Quantity).collect();
            let size = if corrs.is_empty() { size } else { Formula::Quotient(Box::new(size), corrs) };
            let factors = term.iter().map(|&access| self.factor(access, &self.nest.variables)).collect();
            self.sum(size, &self.nest.variables, factors, None)
        };
        let parts: Vec<Formula> = self.nest.terms.iter().map(of_term).collect();
        // Additions add probabilities (section 5.1).
        match <[Formula; 1]>::try_from(parts) {
            Ok([only]) => only,
            Err(parts) => {
                let entry = Formula::Quantity(Quantity::ResultEntry);
                let sides =
                    self.nest.variables.iter().flat_map(|&var| [Quantity::Count(var), Quantity::Side(var)]);
                let whole = std::iter::once(entry).chain(sides.map(Formula::Quantity)).collect();
                united(parts, Formula::Product(whole))
            }
        }
    }

    /// `A[i',k'] ≠ 0 ∧ ∃j' B[k',j'] ≠ 0`: when a tile of an access is asked for.
    pub fn constraint(&self, access: usize) -> String {
        let around = self.around(access);
        let text = |other: usize| format!("{} ≠ 0", self.factor(other, &around).text(self.statement));
        let with = self.nest.terms.iter().filter(|term| term.contains(&access));
        let of_term = |term: &Term| {
            let others: Vec<String> =
                term.iter().filter(|&&other| other != access).map(|&other| text(other)).collect();
            others.join(" ∧ ")
        };
        let terms: Vec<String> = with.map(of_term).collect();
        if terms.iter().any(String::is_empty) {
            return text(access);
        }
        match &terms[..] {
            [only] => format!("{} ∧ {only}", text(access)),
            several => format!("{} ∧ ({})", text(access), several.join(" ∨ ")),
        }
    }

    /// The loops around the last index of an access that has several tiles.
    fn around(&self, access: usize) -> Vec<Var> {
        let indices = &self.statement.accesses[access].indices;
        let last = indices.iter().rev().find(|var| (self.is_loop)(**var));
        last.map_or_else(Vec::new, |last| {
            self.nest.variables.iter().copied().filter(|var| var <= last).collect()
        })
    }

    fn factor(&self, access: usize, around: &[Var]) -> LoadFactor {
        let indices = &self.statement.accesses[access].indices;
        LoadFactor { access, seen: indices.iter().copied().filter(|var| around.contains(var)).collect() }
    }

    fn sparse<'t>(&'t self, term: &'t Term) -> impl Iterator<Item = usize> + 't {
        term.iter().copied().filter(|&access| self.is_sparse(access))
    }

    fn is_sparse(&self, access: usize) -> bool {
        self.statement.accesses[access].pattern != Pattern::Dense
    }

    /// What an iteration moves, times the iterations, times how probable each factor is there.
    fn sum(
        &self,
        moved: Formula,
        around: &[Var],
        factors: Vec<LoadFactor>,
        loaded: Option<usize>,
    ) -> Formula {
        let factors: Vec<LoadFactor> =
            factors.into_iter().filter(|factor| self.is_sparse(factor.access)).collect();
        let is_own =
            |var: &Var| loaded.is_none_or(|access| self.statement.accesses[access].indices.contains(var));
        let counts = around
            .iter()
            .map(|var| if is_own(var) { Quantity::Count(*var) } else { Quantity::Iterations(*var) });
        let tiles = factors.iter().cloned().map(Quantity::Tile);
        let overlaps = self.overlaps(around, &factors, loaded);
        let all = counts.chain(tiles).chain(overlaps).chain(self.meets(around, &factors));
        let all = all.map(Formula::Quantity);
        Formula::Product(
            std::iter::once(moved)
                .filter(|moved| *moved != Formula::Product(Vec::new()))
                .chain(all)
                .collect(),
        )
    }

    /// Variables of loops further in that several factors have: one of their coordinates must have tiles of
    /// all of them.
    fn meets(&self, around: &[Var], factors: &[LoadFactor]) -> Vec<Quantity> {
        if self.assumption == Assumption::Independent {
            return Vec::new();
        }
        let inside = self.nest.variables.iter().filter(|var| !around.contains(var) && (self.is_loop)(**var));
        let meet = |&var: &Var| {
            let has_it = |factor: &&LoadFactor| self.statement.accesses[factor.access].indices.contains(&var);
            let factors: Vec<LoadFactor> = factors.iter().filter(has_it).cloned().collect();
            (factors.len() > 1).then_some(Quantity::Meet(Meet { var, factors }))
        };
        inside.filter_map(meet).collect()
    }

    /// Variables that the same factors share are looked at together: where both operands of `A[i,k] * B[i,k]`
    /// have tiles along i and along k says little of where they have the same ones.
    fn overlaps(&self, around: &[Var], factors: &[LoadFactor], loaded: Option<usize>) -> Vec<Quantity> {
        if self.assumption == Assumption::Independent {
            return Vec::new();
        }
        let mut shared: Vec<(Vec<LoadFactor>, Vec<Var>)> = Vec::new();
        for &var in around {
            let has_it = |factor: &&LoadFactor| factor.seen.contains(&var);
            let with: Vec<LoadFactor> = factors.iter().filter(has_it).cloned().collect();
            if with.len() < 2 {
                continue;
            }
            let is_part =
                |one: &[LoadFactor], other: &[LoadFactor]| one.iter().all(|factor| other.contains(factor));
            // Some factor has all of them, so that no more need be looked at than its tiles.
            let is_one = |(all, vars): &&mut (Vec<LoadFactor>, Vec<Var>)| {
                let has_all = |factor: &LoadFactor| {
                    factor.seen.contains(&var) && vars.iter().all(|own| factor.seen.contains(own))
                };
                (is_part(&with, all) || is_part(all, &with)) && all.iter().any(has_all)
            };
            match shared.iter_mut().find(is_one) {
                Some((all, vars)) => {
                    vars.push(var);
                    if with.len() > all.len() {
                        *all = with;
                    }
                }
                None => shared.push((with, vec![var])),
            }
        }
        shared
            .into_iter()
            .map(|(factors, vars)| Quantity::Overlap(Overlap { vars, factors, loaded }))
            .collect()
    }
}

fn united(parts: Vec<Formula>, whole: Formula) -> Formula {
    match <[Formula; 1]>::try_from(parts) {
        Ok([only]) => only,
        Err(parts) => Formula::Union { whole: Box::new(whole), parts },
    }
}
