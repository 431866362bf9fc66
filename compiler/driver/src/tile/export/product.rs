//! A statement that is one product, with names that models of accelerators take.

use crate::tile::report::{ComparedSchemes, Evaluated};
use comet_tiling::{Pattern, Tiles, Var};

pub(super) struct ExportedProduct<'a> {
    pub(super) own: &'a ComparedSchemes,
    pub(super) evaluated: &'a Evaluated,
    /// What is read, in the order of the accesses.
    pub(super) operands: Vec<ExportedOperand>,
    pub(super) result: ExportedOperand,
    /// One lower-case letter for each variable, in dataflow order.
    indices: Vec<String>,
}

pub(super) struct ExportedOperand {
    /// Letters and digits; no other tensor has it, whatever the case.
    pub(super) name: String,
    /// In dataflow order, which is that of its levels.
    pub(super) indices: Vec<Var>,
    pub(super) as_written: Vec<Var>,
    pub(super) is_dense: bool,
    /// How many bits a point of the tensor's extents takes in the tiles, on average: of operands in all
    /// tiles, of the result in what is expected to be written in an iteration.
    pub(super) bits: f64,
}

/// Names that mean something else in AccelForge's expressions.
const TAKEN: [&str; 10] = [
    "all",
    "tensors",
    "nothing",
    "inputs",
    "outputs",
    "intermediates",
    "shared",
    "persistent",
    "above",
    "total",
];

impl<'a> ExportedProduct<'a> {
    /// Of a statement, in the given tiles or else the chosen ones. An error says what it is instead.
    pub(super) fn new(own: &'a ComparedSchemes) -> Result<Self, String> {
        let statement = &own.statement;
        let nests = statement.nests();
        let [nest] = &nests[..] else { return Err(format!("sums over different loops, as `{}`", own.text)) };
        match &nest.terms[..] {
            [term] if term.len() == statement.accesses.len() => {}
            _ => return Err(format!("a sum, as `{}`", own.text)),
        }
        let indices = letters(own).ok_or("more than 26 index variables")?;
        let evaluated = own.written();
        let mut names = TAKEN.map(str::to_owned).to_vec();
        let target = &statement.target;
        let result = ExportedOperand {
            name: name(&target.name, &mut names),
            indices: target.indices.clone(),
            as_written: own.as_written[statement.accesses.len()].clone(),
            is_dense: target.is_dense,
            bits: result_bits(own, evaluated),
        };
        let operands = statement.accesses.iter().enumerate().map(|(number, access)| ExportedOperand {
            name: name(&access.name, &mut names),
            indices: access.indices.clone(),
            as_written: own.as_written[number].clone(),
            is_dense: access.pattern == Pattern::Dense,
            bits: own.bytes_in_tiles(number, &evaluated.tiles) * 8.0 / volume(own, &access.indices),
        });
        let operands = operands.collect();
        Ok(Self { own, evaluated, operands, result, indices })
    }

    /// All tensors, the result last.
    pub(super) fn tensors(&self) -> impl Iterator<Item = &ExportedOperand> {
        self.operands.iter().chain([&self.result])
    }

    pub(super) fn is_result(&self, tensor: &ExportedOperand) -> bool {
        std::ptr::eq(tensor, &raw const self.result)
    }

    pub(super) fn variables(&self) -> impl Iterator<Item = Var> + use<> {
        (0..self.indices.len()).map(Var)
    }

    /// `i`.
    pub(super) fn index(&self, var: Var) -> &str {
        &self.indices[var.0]
    }

    /// `I`, which is what models call an index of a tensor.
    pub(super) fn rank(&self, var: Var) -> String {
        self.indices[var.0].to_uppercase()
    }

    pub(super) fn extent(&self, var: Var) -> u64 {
        self.own.statement.extent(var)
    }

    pub(super) fn tile(&self, var: Var) -> u64 {
        self.evaluated.tiles.of(var)
    }

    /// Whether there are several tiles along a variable: otherwise there is no loop over them.
    pub(super) fn is_tiled(&self, var: Var) -> bool {
        self.evaluated.tiles.count(&self.own.statement, var) > 1
    }

    /// The loop over tiles in which tiles of a tensor come and go: that of the last index. The result is
    /// written in the innermost one. `None` where there is one tile.
    pub(super) fn moves_in(&self, tensor: &ExportedOperand) -> Option<Var> {
        if self.is_result(tensor) {
            return self.variables().filter(|&var| self.is_tiled(var)).last();
        }
        tensor.indices.iter().copied().rfind(|&var| self.is_tiled(var))
    }

    /// `C[i, j] = A[i, k] * B[k, j]`.
    pub(super) fn expression(&self) -> String {
        let access = |tensor: &ExportedOperand| {
            let indices: Vec<&str> = tensor.as_written.iter().map(|&var| self.index(var)).collect();
            format!("{}[{}]", tensor.name, indices.join(", "))
        };
        let factors: Vec<String> = self.operands.iter().map(access).collect();
        format!("{} = {}", access(&self.result), factors.join(" * "))
    }

    /// What the file is, and what is called otherwise in it than in the program.
    pub(super) fn comment(&self) -> String {
        let statement = &self.own.statement;
        let mut text = format!(
            "# {}\n# Tiles of {} ({}), a buffer of {} bytes for each tensor.\n",
            self.own.text,
            self.evaluated.tiles.text(statement),
            self.evaluated.name,
            self.own.machine.buffer
        );
        let variables = self.variables().map(|var| (statement.name(var), self.index(var)));
        let accesses = statement.accesses.iter().map(|access| &access.name[..]);
        let tensors =
            accesses.chain([&statement.target.name[..]]).zip(self.tensors().map(|own| &own.name[..]));
        let renamed = variables.chain(tensors).filter(|(one, other)| one != other);
        let renamed: Vec<String> = renamed.map(|(one, other)| format!("`{one}` is {other}")).collect();
        if !renamed.is_empty() {
            text += &format!("# {}.\n", renamed.join(", "));
        }
        text
    }
}

/// The names of the variables, if all are one lower-case letter, or else letters from a on.
fn letters(own: &ComparedSchemes) -> Option<Vec<String>> {
    let names: Vec<String> = own.statement.variables.iter().map(|variable| variable.name.clone()).collect();
    let is_letter = |name: &String| name.len() == 1 && name.as_bytes()[0].is_ascii_lowercase();
    if names.iter().all(is_letter) {
        return Some(names);
    }
    let letters: Vec<String> = ('a'..='z').take(names.len()).map(String::from).collect();
    (letters.len() == names.len()).then_some(letters)
}

/// A name of letters and digits that begins with a capital one and is not taken.
fn name(name: &str, taken: &mut Vec<String>) -> String {
    let mut plain: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
    if !plain.starts_with(|first: char| first.is_ascii_alphabetic()) {
        plain.insert(0, 'T');
    }
    plain[..1].make_ascii_uppercase();
    let others = (2..).map(|number| format!("{plain}{number}"));
    let mut names = std::iter::once(plain.clone()).chain(others);
    let free = names.find(|name| !taken.contains(&name.to_lowercase())).expect("there are more numbers");
    taken.push(free.to_lowercase());
    free
}

fn volume(own: &ComparedSchemes, indices: &[Var]) -> f64 {
    indices.iter().map(|&var| own.statement.extent(var) as f64).product()
}

/// What is expected to be written in all iterations, over the points of the result's tiles in all iterations.
fn result_bits(own: &ComparedSchemes, evaluated: &Evaluated) -> f64 {
    let statement = &own.statement;
    let iterations: f64 =
        statement.reduced().into_iter().map(|var| count(own, &evaluated.tiles, var)).product();
    evaluated.predicted.output * 8.0 / (iterations * volume(own, &statement.target.indices))
}

fn count(own: &ComparedSchemes, tiles: &Tiles, var: Var) -> f64 {
    tiles.count(&own.statement, var) as f64
}
