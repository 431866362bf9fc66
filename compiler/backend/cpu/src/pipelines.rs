//! The named pipelines of the CPU path. Each begins at the ta module of the front end and goes one stage
//! further than the one before.

use crate::PASSES;
use crate::functions::Products;
use crate::instrument::{self, Instrument};
use crate::native::{Processes, VectorRegisters};
use crate::{expand_functions, jam_rows, stream_stores, strict_floats};
use comet_ir::pass::PassOption;
use comet_passes::cin::{self, vectorize_sums};
use comet_passes::sums;
pub use comet_passes::sums::Sums;
pub use comet_passes::ta::reorder::Reordering;
use comet_passes::ta::{distribute, factorize, reorder, ttgt};
use comet_runtime::distributed;

pub struct Pipeline {
    /// `comet-opt --<name>`.
    pub name: &'static str,
    /// What it ends with.
    pub description: &'static str,
    stages: usize,
}

impl Pipeline {
    pub fn text(&self) -> String {
        STAGES[..self.stages].concat().join(",")
    }

    /// The pipeline of that name, with what was chosen for its passes.
    pub fn named(name: &str, choices: Choices) -> Option<String> {
        let pipeline = PIPELINES.iter().find(|pipeline| pipeline.name == name)?;
        let mut passes = choices.passes(STAGES[..pipeline.stages].concat());
        if choices.sums == Sums::Ordered
            && let Some(place) = passes.iter().position(|text| text.starts_with(expand_functions::PASS.name))
        {
            passes.insert(place + 1, strict_floats::PASS.name.to_owned());
        }
        if choices.processes == Processes::Several {
            // What a product is made of may be divided by itself.
            let factorized = passes.iter().position(|text| text.starts_with(factorize::PASS.name));
            let place = factorized.map_or(1, |place| place + 1);
            passes.insert(place, choices.with_options(distribute::PASS.name));
        }
        if let Some(reordering) = choices.reordering {
            // Once extents are resolved, and in front of all that looks at the operands of an assignment.
            passes.insert(1, reorder::text(reordering));
        }
        Some(passes.join(","))
    }
}

/// What the command line decides about the passes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Choices {
    pub instrument: Instrument,
    /// How dense tensors are contracted.
    pub contractions: Contractions,
    /// In which order sums add up.
    pub sums: Sums,
    /// How indices get new numbers, where they do.
    pub reordering: Option<Reordering>,
    /// Whether statements are divided among processes.
    pub processes: Processes,
    /// The processor's, where they are known.
    pub registers: Option<VectorRegisters>,
}

impl Choices {
    /// Those that are run, with their options.
    fn passes(&self, names: Vec<&str>) -> Vec<String> {
        names.into_iter().filter(|name| self.want(name)).map(|name| self.with_options(name)).collect()
    }

    /// Whether a pass of the pipelines is run. In order, sums of products stay the sums that they are.
    fn want(&self, name: &str) -> bool {
        let changes_order = [factorize::PASS.name, ttgt::PASS.name, vectorize_sums::PASS.name];
        let is_off = name == ttgt::PASS.name && self.contractions == Contractions::Loops
            || changes_order.contains(&name) && self.sums == Sums::Ordered;
        !is_off
    }

    /// A pass with the options that it has of those which are chosen.
    fn with_options(&self, name: &str) -> String {
        let mut passes = PASSES.iter().chain(comet_passes::PASSES);
        let Some(pass) = passes.find(|pass| pass.name == name) else { return name.to_owned() };
        let counted = (instrument::OPTION, "workspace", self.instrument == Instrument::Workspaces);
        let ordered = (sums::OPTION, "ordered", self.sums == Sums::Ordered);
        let has = |option: PassOption| pass.options.iter().any(|other| other.name == option.name);
        let VectorRegisters { bits, count, products } = self.registers.unwrap_or_default();
        let [one, all] = [bits, count * bits].map(|bits| bits.to_string());
        let registers = (jam_rows::REGISTERS, all.as_str(), self.registers.is_some());
        let register = (stream_stores::REGISTER, one.as_str(), self.registers.is_some());
        let fused = (expand_functions::PRODUCTS, "fused", products == Products::Fused);
        let from = distributed::divided_from().to_string();
        let divided = (distribute::FROM, from.as_str(), from != distribute::FROM.default);
        let chosen: Vec<String> = [counted, ordered, registers, register, fused, divided]
            .into_iter()
            .filter(|(option, _, is_chosen)| *is_chosen && has(*option))
            .map(|(option, value, _)| format!("{}={value}", option.name))
            .collect();
        if chosen.is_empty() { name.to_owned() } else { format!("{name}{{{}}}", chosen.join(" ")) }
    }
}

/// How contractions of two dense tensors are computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Contractions {
    /// As products of matrices, where that is worth it.
    #[default]
    Matrices,
    /// By loops, always.
    Loops,
}

/// All of them, from the shortest to the whole.
pub const PIPELINES: &[Pipeline] = &[
    Pipeline { name: "comet-ta", description: "to the ta dialect with all extents resolved", stages: 1 },
    Pipeline { name: "comet-cin", description: "to scheduled loops over index variables", stages: 2 },
    Pipeline {
        name: "comet-scf",
        description: "to structured loops over the arrays of the levels",
        stages: 3,
    },
    Pipeline { name: "comet-cpu", description: "to the LLVM dialect: the whole CPU path", stages: 4 },
];

/// To loops in the order that statements have, before workspaces add loops of their own, and others are cut
/// for vectors and threads.
pub fn ordered_loops(choices: Choices) -> String {
    let names = STAGES[..2].concat().into_iter();
    choices.passes(names.take_while(|name| *name != cin::workspace::PASS.name).collect()).join(",")
}

/// What is left to do for a program whose computes run elsewhere.
pub fn host() -> String {
    STAGES[2..].concat().join(",")
}

const STAGES: &[&[&str]] = &[
    // Extents first: every later stage reads them off static labels. Then the order in which products are
    // formed: what comes after looks at one loop nest, or two factors that are matrices. Compact copies when
    // all assignments are there.
    &["ta-resolve-sizes", "ta-factorize", "ta-ttgt", "ta-compact"],
    // Schedules first: they are about the loops of the statement. Then what these bring in which order is
    // said, for the reader and for the verifier. Then workspaces: they take what is
    // scattered into sparse results out of the way of the others. Blocks of vector registers before scalars:
    // both take the innermost loop, and the first wants it where it moves the target. Sums in vectors are
    // sums of scalars before. What replaces a tensor is written to it before statements share loops, since
    // between a statement and the next one nothing may be moved.
    // Parallel loops last, when it is seen what workspaces there are.
    &[
        "ta-to-cin",
        "cin-schedule",
        "cin-order",
        "cin-workspace",
        "cin-vectorize",
        "cin-scalar-promote",
        "cin-vectorize-sums",
        "cin-in-place",
        "cin-share-loops",
        "cin-parallelize",
    ],
    // Constants are in front of all loops before loads are hoisted, and each place is computed once.
    &["cin-to-scf", "canonicalize", "cse", "hoist-loads", "jam-rows", "stream-stores", "canonicalize", "cse"],
    &[
        "ta-to-runtime",
        "expand-functions",
        // Parallel loops become functions over ranges of their tasks, and coroutines that call these. Who
        // waits for them runs tasks meanwhile.
        "async-parallel-for{num-workers=-1 min-task-size=1}",
        "hoist-variables",
        "async-to-async-runtime",
        "async-runtime-ref-counting",
        "async-runtime-ref-counting-opt",
        "convert-vector-to-scf",
        "convert-scf-to-cf",
        "convert-vector-to-llvm",
        "expand-strided-metadata",
        "convert-async-to-llvm",
        "finalize-memref-to-llvm",
        "convert-complex-to-llvm",
        "arith-expand",
        "convert-arith-to-llvm",
        "convert-math-to-llvm",
        "convert-func-to-llvm",
        "convert-cf-to-llvm",
        "reconcile-unrealized-casts",
    ],
];
