//! Methods of reordering, which programs ask for and the run time carries out.

use std::fmt;

/// How a permutation is found. All methods are deterministic, and look at the positions of the entries only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Method {
    /// LexiOrder (J. Li, B. Uçar, Ü. V. Çatalyürek, J. Sun, K. Barker, R. Vuduc: Efficient and effective
    /// sparse tensor reordering, ICS 2019): the indices of one mode at a time are sorted lexicographically,
    /// the chosen modes in turn, and all of that as often as `iterations` says or until nothing changes.
    Lexi {
        /// The most iterations over the chosen modes.
        iterations: u32,
    },
    /// Reverse Cuthill–McKee on the graph of A + Aᵀ (E. Cuthill, J. McKee: Reducing the bandwidth of sparse
    /// symmetric matrices, 1969; reversed after A. George, 1971): one permutation for both modes of a square
    /// matrix.
    Rcm,
    /// The indices with the most entries first.
    Degree,
    /// Parts of the graph of A + Aᵀ one after the other, one for each process, which METIS finds (G. Karypis,
    /// V. Kumar: A fast and high quality multilevel scheme for partitioning irregular graphs, 1998): rows of
    /// a part have few entries in columns of others.
    Graph,
    /// The same, where that moves less than ranges of rows as they are.
    Auto,
}

impl Method {
    /// The default of the program of LexiOrder's authors.
    pub const ITERATIONS: u32 = 5;
    /// The iterations inside of programs, where time counts: later ones change little.
    pub const ITERATIONS_IN_PROGRAMS: u32 = 3;

    /// Returns the short name, without the iterations.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lexi { iterations } => write!(f, "LexiOrder in at most {iterations} iterations"),
            Self::Rcm => f.write_str("reverse Cuthill–McKee"),
            Self::Degree => f.write_str("the numbers of their entries"),
            Self::Graph => f.write_str("parts of METIS"),
            Self::Auto => f.write_str("parts of METIS, if these move fewer rows than ranges do"),
        }
    }
}
