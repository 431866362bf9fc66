//! Names for values of the module that a Scala text can have, each different from all others.

use comet_ir::Val;
use comet_passes::nest;

/// Words that Scala or applications have for something else.
const TAKEN: [&str; 45] = [
    "T",
    "V",
    "abstract",
    "args",
    "bp",
    "case",
    "catch",
    "class",
    "def",
    "do",
    "else",
    "exp",
    "extends",
    "false",
    "final",
    "finally",
    "for",
    "if",
    "implicit",
    "import",
    "ip",
    "lazy",
    "main",
    "match",
    "max",
    "min",
    "mux",
    "new",
    "nnz_accel_max",
    "nnz_max",
    "null",
    "object",
    "override",
    "package",
    "private",
    "protected",
    "return",
    "super",
    "this",
    "throw",
    "trait",
    "true",
    "type",
    "val",
    "while",
];

/// The names given so far, in their order.
#[derive(Default)]
pub(super) struct Names<'c> {
    given: Vec<(Val<'c>, String)>,
}

impl<'c> Names<'c> {
    /// Its name, made from its own where it has none yet.
    pub(super) fn of(&mut self, value: Val<'c>) -> String {
        let place = self.place(value);
        self.given[place].1.clone()
    }

    /// Its number among those with names.
    pub(super) fn place(&mut self, value: Val<'c>) -> usize {
        if let Some(place) = self.given.iter().position(|(other, _)| *other == value) {
            return place;
        }
        let sign = |sign: char| if sign.is_ascii_alphanumeric() { sign } else { '_' };
        // What takes the place of a tensor when it is complete is called as that is.
        let own = nest::name(value);
        let wanted: String = own.trim_end_matches(".new").chars().map(sign).collect();
        let candidates =
            std::iter::once(wanted.clone()).chain((2..).map(|number| format!("{wanted}_{number}")));
        let is_free = |name: &String| {
            !TAKEN.contains(&name.as_str()) && self.given.iter().all(|(_, other)| other != name)
        };
        let name = candidates.into_iter().find(is_free).expect("there are more numbers than names");
        self.given.push((value, name));
        self.given.len() - 1
    }

    /// What has names, in their order.
    pub(super) fn values(&self) -> impl Iterator<Item = &Val<'c>> {
        self.given.iter().map(|(value, _)| value)
    }

    /// All of them.
    pub(super) fn given(self) -> Vec<String> {
        self.given.into_iter().map(|(_, name)| name).collect()
    }
}
