//! Random schedules: most commands can be carried out, some are refused with a reason.

use super::format::Format;
use super::kernel::{Operand, Value};
use super::rng::Rng;
use super::source::LETTERS;

/// A scheduling command.
#[derive(Clone, Debug)]
pub struct DrawnCommand {
    /// Its name.
    pub name: &'static str,
    /// Its arguments.
    pub arguments: Vec<DrawnArgument>,
}

/// An argument; labels and tensors are without the prefix that keeps the kernels of a program apart.
#[derive(Clone, Debug)]
pub enum DrawnArgument {
    /// A label.
    Label(String),
    /// A number, or a word of the language.
    Word(String),
    /// `i: 4`.
    Sized(String, usize),
    /// The access to an operand.
    Access(usize),
    /// The assigned tensor.
    Target,
    /// A part of the right-hand side.
    Value(Value),
    /// `{i, j}`.
    Labels(Vec<String>),
    /// A workspace and its format.
    Workspace(String, String),
}

use DrawnArgument::{Access, Label, Labels, Sized, Target, Word, Workspace};

/// The labels that commands may name by now.
struct Drawing<'a> {
    labels: Vec<String>,
    /// Those of the program that no command has replaced.
    whole: Vec<String>,
    operands: &'a [Operand],
    value: &'a Value,
    introduced: usize,
    commands: Vec<DrawnCommand>,
}

/// Up to five commands for a statement.
pub fn schedule(rng: &mut Rng, operands: &[Operand], sizes: &[usize], value: &Value) -> Vec<DrawnCommand> {
    let is_used = |label: &usize| {
        let uses = |(number, operand): (usize, &Operand)| {
            operand.labels.contains(label) && (number == 0 || value.uses(number))
        };
        operands.iter().enumerate().any(uses)
    };
    let labels: Vec<String> =
        (0..sizes.len()).filter(is_used).map(|label| LETTERS[label].to_string()).collect();
    let whole = labels.clone();
    let mut drawing = Drawing { labels, whole, operands, value, introduced: 0, commands: Vec::new() };
    if drawing.labels.is_empty() {
        return Vec::new();
    }
    if rng.percent(40) {
        drawing.any_order(rng);
    } else {
        for _ in 0..rng.between(1, 4) {
            drawing.command(rng, sizes);
        }
    }
    drawing.commands
}

impl Drawing<'_> {
    fn command(&mut self, rng: &mut Rng, sizes: &[usize]) {
        match rng.below(18) {
            0 | 1 => self.order(rng),
            2 => self.split(rng, "split"),
            3 => self.split(rng, "divide"),
            4 | 5 => self.fuse(rng),
            6 | 7 => self.pos(rng),
            8 => self.bound(rng, sizes),
            9 => self.mark(rng),
            10 => self.tile(rng),
            11 | 12 => self.precompute(rng),
            13 => self.push("assemble", vec![Target, Word(rng.pick(&["append", "insert"]).to_owned())]),
            14 | 15 => self.iteration(rng),
            _ => self.workspace(rng),
        }
    }

    /// All loops in any order, with a workspace of any kind, or what the compiler puts there.
    fn any_order(&mut self, rng: &mut Rng) {
        let labels = rng.some(&self.labels, self.labels.len());
        self.push("order", labels.into_iter().map(Label).collect());
        if rng.percent(70) {
            self.workspace(rng);
        }
        if rng.percent(30) {
            self.mark(rng);
        }
        if rng.percent(30) {
            self.iteration(rng);
        }
    }

    /// One of each kind, small ones and one that has room for everything.
    fn workspace(&mut self, rng: &mut Rng) {
        let kind = rng.pick(&["dense", "hash", "list"]);
        let mut arguments = vec![Target, Word(kind.to_owned())];
        if kind != "dense" {
            arguments.push(Word(rng.pick(&["1", "2", "5", "16", "1000000"]).to_owned()));
        }
        self.push("workspace", arguments);
    }

    fn push(&mut self, name: &'static str, arguments: Vec<DrawnArgument>) {
        self.commands.push(DrawnCommand { name, arguments });
    }

    fn order(&mut self, rng: &mut Rng) {
        let count = rng.between(1, self.labels.len());
        let labels = rng.some(&self.labels, count);
        self.push("order", labels.into_iter().map(Label).collect());
    }

    fn new_label(&mut self, like: &str) -> String {
        self.introduced += 1;
        let label = format!("{}{}", &like[..1], self.introduced);
        self.labels.push(label.clone());
        label
    }

    fn take(&mut self, label: &str) {
        self.labels.retain(|other| other != label);
        self.whole.retain(|other| other != label);
    }

    fn split(&mut self, rng: &mut Rng, name: &'static str) {
        let label = rng.pick(&self.labels);
        self.take(&label);
        let (outer, inner) = (self.new_label(&label), self.new_label(&label));
        let number = Word(rng.between(1, 4).to_string());
        self.push(name, vec![Label(label), Label(outer), Label(inner), number]);
    }

    /// Two loops that are next to each other, mostly because they are put so first.
    fn fuse(&mut self, rng: &mut Rng) {
        if self.labels.len() < 2 {
            return;
        }
        let order = rng.some(&self.labels, self.labels.len());
        let at = rng.below(order.len() - 1);
        if rng.percent(85) {
            self.push("order", order.iter().cloned().map(Label).collect());
        }
        let (outer, inner) = (&order[at], &order[at + 1]);
        self.take(outer);
        self.take(inner);
        let fused = self.new_label("f");
        self.push("fuse", vec![Label(outer.clone()), Label(inner.clone()), Label(fused)]);
    }

    /// The positions of a level of a sparse operand.
    fn pos(&mut self, rng: &mut Rng) {
        let is_sparse =
            |operand: &usize| self.value.uses(*operand) && !self.operands[*operand].format.is_dense();
        let sparse: Vec<usize> = (1..self.operands.len()).filter(is_sparse).collect();
        if sparse.is_empty() {
            return;
        }
        let operand = rng.pick(&sparse);
        let own = self.operands[operand].labels.iter().map(|label| LETTERS[*label].to_string());
        let own: Vec<String> = own.filter(|label| self.whole.contains(label)).collect();
        let fused = self.labels.iter().find(|label| label.starts_with('f')).cloned();
        let Some(label) = fused.filter(|_| rng.percent(50)).or_else(|| own.first().map(|_| rng.pick(&own)))
        else {
            return;
        };
        self.take(&label);
        let position = self.new_label("p");
        self.push("pos", vec![Label(label), Label(position), Access(operand)]);
    }

    fn bound(&mut self, rng: &mut Rng, sizes: &[usize]) {
        if self.whole.is_empty() {
            return;
        }
        let label = rng.pick(&self.whole);
        let place = LETTERS.iter().position(|letter| *letter == label).expect("it is one of the program");
        let size = sizes[place].max(1) + rng.below(3);
        self.take(&label);
        let bounded = self.new_label(&label);
        self.push("bound", vec![Label(label), Label(bounded), Word(size.to_string())]);
    }

    fn mark(&mut self, rng: &mut Rng) {
        let label = Label(rng.pick(&self.labels));
        let number = Word(rng.pick(&["2", "4", "3"]).to_string());
        match rng.below(4) {
            0 => self.push("unroll", vec![label, number]),
            1 => self.push("vectorize", vec![label, number]),
            2 => self.push("parallelize", vec![label, Word("cpu".to_owned())]),
            _ => self.push("parallelize", vec![label, Word("cpu".to_owned()), number]),
        }
    }

    /// How graphs iterate, which code takes no notice of or refuses.
    fn iteration(&mut self, rng: &mut Rng) {
        let label = Label(rng.pick(&self.labels));
        let number = Word(rng.pick(&["1", "2", "3", "4"]).to_owned());
        match rng.below(4) {
            0 => self.push("skip", vec![label]),
            1 => self.push("bitvector", vec![label, Word(rng.pick(&["8", "16", "64"]).to_owned())]),
            2 => self.push("parallelize", vec![label, Word("spatial".to_owned()), number]),
            _ => self.push("parallelize", vec![label, Word("reduction".to_owned()), number]),
        }
    }

    fn tile(&mut self, rng: &mut Rng) {
        let count = rng.between(1, self.labels.len());
        let labels = rng.some(&self.labels, count);
        let sized = labels.into_iter().map(|label| Sized(label, rng.between(1, 4)));
        let sized = sized.collect();
        self.push("tile", sized);
    }

    /// A part of the value, into a workspace over some of its labels, or over parts of these.
    fn precompute(&mut self, rng: &mut Rng) {
        let mut part = self.value;
        while let Value::Binary(_, left, right) = part {
            if rng.percent(40) {
                break;
            }
            part = if rng.percent(50) { left } else { right };
        }
        // Later factors of a product, too, which are no part of the tree.
        let later = later_factors(part).filter(|_| rng.percent(50));
        let part = later.as_ref().unwrap_or(part);
        let uses = |label: &String| {
            let place = LETTERS.iter().position(|letter| *letter == &label[..1]);
            let has = |operand: &usize| self.operands[*operand].labels.contains(&place.unwrap_or(usize::MAX));
            (1..self.operands.len()).filter(|operand| part.uses(*operand)).any(|operand| has(&operand))
        };
        let named = if rng.percent(70) { &self.whole } else { &self.labels };
        let own: Vec<String> = named.iter().filter(|label| uses(label)).cloned().collect();
        let count = if rng.percent(60) { own.len() } else { rng.below(own.len() + 1) };
        let labels = rng.some(&own, count.min(3));
        let kinds: Vec<&str> = labels.iter().map(|_| rng.pick(&["D", "CU", "CU", "CN"])).collect();
        let format = match labels.is_empty() || rng.percent(40) {
            true => Format::Dense,
            false => Format::Levels { kinds, order: None },
        };
        let inner: Vec<String> = labels.iter().map(|_| self.new_label("w")).collect();
        let workspace = Workspace(format!("W{}", self.introduced), format.text());
        let part = DrawnArgument::Value(part.clone());
        self.push("precompute", vec![part, Labels(labels), Labels(inner), workspace]);
    }
}

/// A value, and the values that it is made of.
pub(super) fn parts_of(value: &Value) -> Vec<Value> {
    let inner = match value {
        Value::Binary(_, left, right) => [parts_of(left), parts_of(right)].concat(),
        Value::Neg(_) | Value::Call(..) | Value::Operand(_) | Value::Transposed(_) | Value::Number(_) => {
            Vec::new()
        }
    };
    std::iter::once(value.clone()).chain(later_factors(value)).chain(inner).collect()
}

/// The last two factors of a product of three.
fn later_factors(value: &Value) -> Option<Value> {
    let Value::Binary("*", left, right) = value else { return None };
    let Value::Binary("*", _, middle) = &**left else { return None };
    Some(Value::Binary("*", middle.clone(), right.clone()))
}
