//! Random schedules of accelerators, for applications of parallel patterns. What such a machine cannot do is
//! refused with a reason.

use super::kernel::{Operand, Value};
use super::rng::Rng;
use super::schedule::DrawnArgument::{self, Label, Labels, Target, Word, Workspace};
use super::schedule::{DrawnCommand, parts_of};
use super::source::LETTERS;

/// The labels of a statement, and what has been drawn.
struct Drawing<'a> {
    labels: Vec<String>,
    /// Those of loops that no command marks.
    unmarked: Vec<String>,
    of_target: Vec<String>,
    operands: &'a [Operand],
    value: &'a Value,
    workspaces: usize,
    commands: Vec<DrawnCommand>,
}

/// Some commands for a statement.
pub fn schedule(rng: &mut Rng, operands: &[Operand], sizes: &[usize], value: &Value) -> Vec<DrawnCommand> {
    let names = |labels: &[usize]| labels.iter().map(|label| LETTERS[*label].to_string()).collect::<Vec<_>>();
    let is_used = |label: &usize| {
        let mut operands = operands.iter().enumerate();
        operands
            .any(|(number, operand)| operand.labels.contains(label) && (number == 0 || value.uses(number)))
    };
    let used: Vec<usize> = (0..sizes.len()).filter(is_used).collect();
    let (labels, of_target) = (names(&used), names(&operands[0].labels));
    let mut drawing = Drawing {
        unmarked: labels.clone(),
        labels,
        of_target,
        operands,
        value,
        workspaces: 0,
        commands: Vec::new(),
    };
    if drawing.labels.is_empty() {
        return Vec::new();
    }
    if rng.percent(25) {
        let labels = rng.some(&drawing.labels, drawing.labels.len());
        drawing.push("order", labels.into_iter().map(Label).collect());
    }
    if rng.percent(30) {
        drawing.environment(rng);
    }
    for _ in 0..rng.between(0, 2) {
        drawing.precompute(rng);
    }
    for _ in 0..rng.between(0, 2) {
        drawing.parallel(rng);
    }
    if rng.percent(50) {
        drawing.push("scalar_promote", Vec::new());
        if rng.percent(40) {
            drawing.mapped(rng);
        }
    }
    if rng.percent(20) && !drawing.of_target.is_empty() {
        let label = rng.pick(&drawing.of_target);
        drawing.push("communicate", vec![Target, Label(label)]);
    }
    drawing.commands
}

impl Drawing<'_> {
    fn push(&mut self, name: &'static str, arguments: Vec<DrawnArgument>) {
        self.commands.push(DrawnCommand { name, arguments });
    }

    /// Settings that have a meaning, and one of the user's own.
    fn environment(&mut self, rng: &mut Rng) {
        let (name, values) = rng.pick(&[
            ("bp", ["1", "2", "3", "16"]),
            ("ip", ["1", "2", "8", "16"]),
            ("wide", ["2", "4", "5", "8"]),
        ]);
        self.push("environment", vec![word(name), word(rng.pick(&values))]);
    }

    fn number(rng: &mut Rng) -> DrawnArgument {
        word(rng.pick(&["1", "2", "3", "4", "8", "16"]))
    }

    fn parallel(&mut self, rng: &mut Rng) {
        let Some(label) = self.mark(rng, |_| true) else { return };
        let unit = word(rng.pick(&["spatial", "reduction"]));
        self.push("parallelize", vec![label, unit, Self::number(rng)]);
    }

    /// A loop that reduces.
    fn mapped(&mut self, rng: &mut Rng) {
        let of_target = self.of_target.clone();
        let Some(label) = self.mark(rng, |label| !of_target.contains(label)) else { return };
        let name = rng.pick(&["map", "accelerate"]);
        self.push(name, vec![label, word("spatial"), word("reduction"), Self::number(rng)]);
    }

    /// A label whose loop no other command marks.
    fn mark(&mut self, rng: &mut Rng, is_meant: impl Fn(&String) -> bool) -> Option<DrawnArgument> {
        let meant: Vec<String> = self.unmarked.iter().filter(|label| is_meant(label)).cloned().collect();
        let label = if meant.is_empty() { None } else { Some(rng.pick(&meant)) }?;
        self.unmarked.retain(|other| *other != label);
        Some(Label(label))
    }

    /// A part of the value into a scalar on chip, or into a tensor on chip or off, of dense and compressed
    /// levels.
    fn precompute(&mut self, rng: &mut Rng) {
        let is_scalar = rng.percent(35);
        let part =
            if is_scalar && rng.percent(80) { self.value.clone() } else { rng.pick(&parts_of(self.value)) };
        let has = |operand: usize, label: &String| {
            let place = LETTERS.iter().position(|letter| letter == label);
            self.operands[operand].labels.contains(&place.unwrap_or(usize::MAX))
        };
        let is_own = |label: &&String| {
            (1..self.operands.len()).any(|operand| part.uses(operand) && has(operand, label))
        };
        let own: Vec<String> = self.labels.iter().filter(is_own).cloned().collect();
        let count = if is_scalar { 0 } else { rng.between(1.min(own.len()), own.len().min(3)) };
        let labels = rng.some(&own, count);
        self.workspaces += 1;
        let region = rng.pick(&["onchip ", "onchip ", "offchip ", ""]);
        let kinds: Vec<&str> = labels.iter().map(|_| rng.pick(&["D", "D", "CU"])).collect();
        let format = match labels.is_empty() {
            true => "onchip scalar".to_owned(),
            false => format!("{region}{{{}}}", kinds.join(", ")),
        };
        let workspace = Workspace(format!("W{}", self.workspaces), format);
        let part = DrawnArgument::Value(part);
        self.push("precompute", vec![part, Labels(labels.clone()), Labels(labels), workspace]);
    }
}

fn word(text: &str) -> DrawnArgument {
    Word(text.to_owned())
}
