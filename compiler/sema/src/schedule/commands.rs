//! The table of scheduling commands: LANGUAGE.md, "Schedules".

pub(super) struct Rule {
    pub(super) name: &'static str,
    /// How it is written, for hints.
    pub(super) usage: &'static str,
    pub(super) form: ArgumentForm,
}

#[derive(Clone, Copy)]
pub(super) enum ArgumentForm {
    /// One of these lists, by their number.
    Slots(&'static [&'static [Slot]]),
    /// The same, and the command is given once for the tensor that comes first.
    Once(&'static [&'static [Slot]]),
    /// Any number of labels.
    Order,
    /// `label: size` each, or `auto` with a buffer.
    Tile,
    /// An expression, its labels, the workspace's labels, the workspace.
    Precompute,
}

#[derive(Clone, Copy)]
pub(super) enum Slot {
    /// A label that exists.
    Label,
    /// A label that the command introduces.
    NewLabel,
    /// A number of at least 1.
    Count,
    /// The number of bits in a bit vector's word.
    Bits,
    /// A number of at least 1, or what `environment` defines.
    CountOrSetting,
    /// One of these words.
    Word(&'static [&'static str]),
    /// A word that only the back end knows.
    AnyWord,
    /// A word that the command defines.
    NewSetting,
    /// A tensor of the statement or a workspace.
    Tensor,
    /// A tensor, with or without labels, or a label.
    Operand,
    Access,
}

use Slot::{
    Access, AnyWord, Bits, Count, CountOrSetting, Label, NewLabel, NewSetting, Operand, Tensor, Word,
};

const TARGETS: Slot = Word(&["spatial", "cpu"]);
const SPLIT: ArgumentForm = ArgumentForm::Slots(&[&[Label, NewLabel, NewLabel, Count]]);
const BACKEND: ArgumentForm =
    ArgumentForm::Slots(&[&[Label, TARGETS, AnyWord, CountOrSetting], &[Label, TARGETS, AnyWord]]);

pub(super) const COMMANDS: &[Rule] = &[
    Rule { name: "order", usage: "order(i, k, j)", form: ArgumentForm::Order },
    Rule { name: "split", usage: "split(i, io, ii, n)", form: SPLIT },
    Rule { name: "divide", usage: "divide(i, io, ii, n)", form: SPLIT },
    Rule { name: "fuse", usage: "fuse(i, j, f)", form: ArgumentForm::Slots(&[&[Label, Label, NewLabel]]) },
    Rule {
        name: "pos",
        usage: "pos(k, kp, A[i,k])",
        form: ArgumentForm::Slots(&[&[Label, NewLabel, Access]]),
    },
    Rule { name: "bound", usage: "bound(i, ib, n)", form: ArgumentForm::Slots(&[&[Label, NewLabel, Count]]) },
    Rule { name: "unroll", usage: "unroll(k, n)", form: ArgumentForm::Slots(&[&[Label, Count]]) },
    Rule { name: "vectorize", usage: "vectorize(j, n)", form: ArgumentForm::Slots(&[&[Label, Count]]) },
    Rule {
        name: "tile",
        usage: "tile(i: 64, k: 32)` or `tile(auto, buffer = 128KiB)",
        form: ArgumentForm::Tile,
    },
    Rule {
        name: "precompute",
        usage: "precompute(expr, {i}, {iw}, W : format)",
        form: ArgumentForm::Precompute,
    },
    Rule {
        name: "workspace",
        usage: "workspace(T, dense)` or `workspace(T, hash, n)` or `workspace(T, list, n)",
        form: ArgumentForm::Once(&[&[Tensor, Word(&["dense"])], &[Tensor, Word(&["hash", "list"]), Count]]),
    },
    Rule {
        name: "assemble",
        usage: "assemble(T, append)` or `assemble(T, insert)",
        form: ArgumentForm::Once(&[&[Tensor, Word(&["append", "insert"])]]),
    },
    Rule {
        name: "parallelize",
        usage: "parallelize(i, cpu)`, `parallelize(i, spatial, n)` or `parallelize(k, reduction, n)",
        form: ArgumentForm::Slots(&[
            &[Label, Word(&["cpu", "reduction", "spatial"])],
            &[Label, Word(&["cpu", "reduction", "spatial"]), CountOrSetting],
        ]),
    },
    Rule { name: "distribute", usage: "distribute(i)", form: ArgumentForm::Slots(&[&[Label]]) },
    Rule { name: "replicate", usage: "replicate(T)", form: ArgumentForm::Slots(&[&[Tensor]]) },
    Rule { name: "locate", usage: "locate(x)", form: ArgumentForm::Slots(&[&[Operand]]) },
    Rule { name: "skip", usage: "skip(k)", form: ArgumentForm::Slots(&[&[Label]]) },
    Rule { name: "bitvector", usage: "bitvector(j, b)", form: ArgumentForm::Slots(&[&[Label, Bits]]) },
    Rule { name: "scalar_promote", usage: "scalar_promote()", form: ArgumentForm::Slots(&[&[]]) },
    Rule { name: "communicate", usage: "communicate(A, j)", form: ArgumentForm::Slots(&[&[Tensor, Label]]) },
    Rule { name: "accelerate", usage: "accelerate(k, spatial, reduction, n)", form: BACKEND },
    Rule { name: "map", usage: "map(k, spatial, reduction, n)", form: BACKEND },
    Rule {
        name: "environment",
        usage: "environment(name, n)",
        form: ArgumentForm::Slots(&[&[NewSetting, Count]]),
    },
];
