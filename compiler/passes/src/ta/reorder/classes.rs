//! Which modes of which tensors have the same indices: those that a statement has under one label, and those
//! that are copied to one another. They get new numbers together or not at all.

use super::uses::{Use, uses};
use crate::nest;
use crate::ta::operand::Operand;
use comet_format::LevelExpr;
use comet_ir::ta::{self, Ta};
use comet_ir::{Op, Result, Val, format, types};
use comet_notation::Operator;
use melior::ir::ValueLike;
use std::collections::HashMap;

/// The modes of all variables of a function, those of the same indices in one class.
#[derive(Default)]
pub(super) struct Classes {
    /// The number of the first mode of each variable; the others follow.
    first: HashMap<usize, usize>,
    /// Of each mode another one of its class, or itself.
    parents: Vec<usize>,
    /// Modes whose indices keep their numbers, with the reason.
    fixed: Vec<(usize, String)>,
}

/// A class, as long as no more modes are brought together.
pub(super) type Class = usize;

impl Classes {
    pub(super) fn of<'c>(function: Op<'c>) -> Result<'c, Self> {
        let mut ops = Vec::new();
        function.for_each_inside(&mut |op| ops.push(op));
        let mut classes = Self::default();
        let declarations = ops.iter().filter_map(|op| op.cast::<ta::TensorDecl>());
        declarations.for_each(|declaration| classes.declare(declaration.tensor()));
        for op in ops {
            match Ta::of(op) {
                Some(Ta::Tc(contraction)) => classes.contraction(contraction)?,
                Some(Ta::Set(set)) => classes.statement(set),
                Some(Ta::Convert(copy)) => classes.copy(copy),
                Some(Ta::Move(moved)) => {
                    let modes = 0..types::rank(moved.source().r#type());
                    modes.for_each(|mode| classes.unite((moved.source(), mode), (moved.target(), mode)));
                }
                _ => {}
            }
            classes.unknown(op);
        }
        Ok(classes)
    }

    pub(super) fn class(&self, tensor: Val<'_>, mode: usize) -> Class {
        self.root(self.first[&key(tensor)] + mode)
    }

    pub(super) fn has(&self, tensor: Val<'_>) -> bool {
        self.first.contains_key(&key(tensor))
    }

    pub(super) fn reason(&self, class: Class) -> Option<&str> {
        let fixed = self.fixed.iter().find(|(mode, _)| self.root(*mode) == class);
        fixed.map(|(_, reason)| reason.as_str())
    }

    fn root(&self, mut mode: usize) -> usize {
        while self.parents[mode] != mode {
            mode = self.parents[mode];
        }
        mode
    }

    /// Blocks hold what is next to each other: with other numbers, they would hold other zeros.
    fn declare(&mut self, tensor: Val<'_>) {
        let first = self.parents.len();
        self.first.insert(key(tensor), first);
        let rank = types::rank(tensor.r#type());
        self.parents.extend(first..first + rank);
        for level in format::of(tensor).levels {
            if let LevelExpr::Div(mode, _) | LevelExpr::Mod(mode, _) = level.expr {
                self.fixed.push((first + mode, format!("`{}` is stored in blocks", nest::name(tensor))));
            }
        }
    }

    /// Values that are no variables, such as arguments of hand-written functions, have no classes.
    fn unite(&mut self, a: (Val<'_>, usize), b: (Val<'_>, usize)) {
        if self.has(a.0) && self.has(b.0) {
            let (a, b) = (self.class(a.0, a.1), self.class(b.0, b.1));
            self.parents[a] = b;
        } else {
            let known = [a, b].into_iter().find(|(tensor, _)| self.has(*tensor));
            known.into_iter().for_each(|(tensor, mode)| {
                self.fix(tensor, mode, "a tensor that is no variable of the function has the same indices");
            });
        }
    }

    fn fix(&mut self, tensor: Val<'_>, mode: usize, reason: &str) {
        let mode = self.class(tensor, mode);
        self.fixed.push((mode, reason.to_owned()));
    }

    fn contraction<'c>(&mut self, op: ta::Tc<'c>) -> Result<'c, ()> {
        let mut numbers = HashMap::new();
        for Operand { tensor, labels } in Operand::of_contraction(op)?.0 {
            labels
                .iter()
                .enumerate()
                .for_each(|(mode, label)| self.bind(&mut numbers, *label, (tensor, mode)));
        }
        Ok(())
    }

    fn bind<'c>(
        &mut self,
        labels: &mut HashMap<usize, (Val<'c>, usize)>,
        label: usize,
        mode: (Val<'c>, usize),
    ) {
        let same = *labels.entry(label).or_insert(mode);
        self.unite(mode, same);
    }

    /// `any` keeps the value that comes first: which one that is, the numbers decide. They decide the order
    /// of values as well, where that matters.
    fn statement(&mut self, set: ta::Set<'_>) {
        let (mut labels, mut first_wins) = (HashMap::new(), Vec::new());
        self.access(&mut labels, set.tensor(), &set.labels());
        let mut expressions = vec![set.value()];
        while let Some(op) = expressions.pop().and_then(Op::defining) {
            match Ta::of(op) {
                Some(Ta::LabeledTensor(access)) => {
                    self.access(&mut labels, access.tensor(), &access.labels());
                }
                Some(Ta::Reduce(reduce)) => {
                    expressions.push(reduce.value());
                    let why = match Operator::named(reduce.op()) {
                        Some(Operator::Any) => "`any` keeps the value that comes first",
                        Some(operator) if operator.keeps_order() => {
                            "an operator of the file reduces its values in the order of their coordinates"
                        }
                        _ => continue,
                    };
                    first_wins.extend(reduce.labels().into_iter().map(|label| (key(label), why)));
                }
                _ => expressions.extend(op.operands()),
            }
        }
        let decided = |(label, why): &(usize, &'static str)| labels.get(label).map(|mode| (*mode, *why));
        for ((tensor, mode), why) in first_wins.iter().filter_map(decided) {
            if self.has(tensor) {
                self.fix(tensor, mode, why);
            }
        }
    }

    fn access<'c>(
        &mut self,
        labels: &mut HashMap<usize, (Val<'c>, usize)>,
        tensor: Val<'c>,
        modes: &[Val<'c>],
    ) {
        modes.iter().enumerate().for_each(|(mode, label)| self.bind(labels, key(*label), (tensor, mode)));
    }

    fn copy(&mut self, copy: ta::Convert<'_>) {
        for (mode, other) in copy.permutation().into_iter().enumerate() {
            self.unite((copy.target(), mode), (copy.source(), other as usize));
        }
    }

    /// What an operation that is not known here does with a tensor may depend on its numbers.
    fn unknown(&mut self, op: Op<'_>) {
        for (_, tensor, _) in uses(op).into_iter().filter(|(_, _, found)| *found == Use::Other) {
            if self.has(tensor) {
                let modes = 0..types::rank(tensor.r#type());
                modes.for_each(|mode| self.fix(tensor, mode, "its storage is looked at"));
            }
        }
    }
}

pub(super) fn key(value: Val<'_>) -> usize {
    value.to_raw().ptr as usize
}
