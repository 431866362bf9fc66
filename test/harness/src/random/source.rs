//! Writes kernels as a `.ta` program with its files.

use std::fmt::Write;
use std::io;
use std::path::Path;

use super::complex::imaginary;
use super::kernel::{Content, Entry, FileKind, Kernel, Value};
use super::own_operators;
use super::part::DrawnPart;
use super::schedule::{DrawnArgument, DrawnCommand};

/// What labels are called, behind the prefix of their kernel.
pub(super) const LETTERS: [&str; 8] = ["i", "j", "k", "l", "m", "n", "o", "p"];

/// Writes `program.ta` and the files of its inputs into a folder; returns the program's text and its
/// arguments.
///
/// # Errors
/// Those of the file system.
pub fn write(folder: &Path, kernels: &[Kernel]) -> io::Result<(String, Vec<String>)> {
    let folder = folder.canonicalize()?;
    let mut writer = Writer { body: String::new(), arguments: Vec::new(), files: Vec::new() };
    kernels.iter().enumerate().for_each(|(number, kernel)| writer.kernel(number, kernel));
    for (name, text) in &writer.files {
        std::fs::write(folder.join(name), text)?;
    }
    let inputs = writer.files.iter().enumerate();
    let inputs = inputs.map(|(number, (name, _))| format!("{number}={}", folder.join(name).display()));
    writer.arguments = inputs.flat_map(|input| ["--input".to_string(), input]).collect();
    let directive = format!("# RUN-WITH: {}\n", writer.arguments.join(" "));
    let text = format!(
        "# A random program on which the compiler and the oracle differ.\n{directive}{}def main() {{\n{}}}\n",
        own_operators::definitions(&writer.body),
        writer.body
    );
    std::fs::write(folder.join("program.ta"), &text)?;
    Ok((text, writer.arguments))
}

struct Writer {
    body: String,
    arguments: Vec<String>,
    /// Names and texts; the position is the number of the input.
    files: Vec<(String, String)>,
}

impl Writer {
    fn line(&mut self, line: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.body, "    {line}");
    }

    fn kernel(&mut self, number: usize, kernel: &Kernel) {
        let names = Names { prefix: format!("k{number}"), kernel };
        for (label, info) in kernel.labels.iter().enumerate() {
            let range = if info.open { "?".to_string() } else { info.size.to_string() };
            self.line(&format!("IndexLabel [{}] = [{range}];", names.label(label)));
        }
        let used = (0..kernel.operands.len()).filter(|&operand| kernel.uses(operand)).collect::<Vec<_>>();
        used.iter().for_each(|&operand| self.line(&names.declaration(operand)));
        used.iter().for_each(|&operand| self.content(&names, operand));
        used.iter().for_each(|&operand| self.part(&names, operand));
        let sparse = used.iter().filter(|&&operand| !kernel.operands[operand].format.is_dense());
        for &operand in sparse.filter(|&&operand| kernel.prints_operands && operand != 0) {
            self.line(&format!("print({});", names.tensor(operand)));
        }
        let statement = |op: &str| {
            let value = names.value(&kernel.value, false);
            format!("{}{} {op} {value}{};", names.part_access(0), names.mask(), names.schedule())
        };
        match kernel.rounds {
            1 => self.line(&statement(kernel.op)),
            rounds => {
                self.line(&format!("for k{number}_r in range(0, {rounds}): {} end;", statement(kernel.op)))
            }
        }
        kernel.again.iter().for_each(|op| self.line(&statement(op)));
        if kernel.prints_entries && !kernel.operands[0].format.is_dense() {
            self.entries(&names);
        } else {
            self.line(&format!("print({});", names.part_tensor(0)));
        }
    }

    /// The tensor of which the statement accesses a part.
    fn part(&mut self, names: &Names<'_>, operand: usize) {
        let info = &names.kernel.operands[operand];
        if info.part.is_empty() {
            return;
        }
        let modes = names.modes(operand);
        let dims: Vec<String> = modes
            .iter()
            .map(|(part, label, size)| part.extent(*size).map_or(label.clone(), |extent| extent.to_string()))
            .collect();
        let whole: Vec<String> = modes.iter().map(|(part, label, size)| part.whole(label, *size)).collect();
        let (name, dims, format) = (names.part_tensor(operand), dims.join(", "), info.format.text());
        self.line(&format!("Tensor<{}> {name}([{dims}], {format});", info.element));
        self.line(&format!("{name}[{}] = {};", whole.join(", "), names.access(operand)));
    }

    /// Prints what a result has entries at, however it is stored.
    fn entries(&mut self, names: &Names<'_>) {
        let target = &names.kernel.operands[0];
        let labels = names.labels(&target.labels);
        let copy = names.prefixed("Z");
        self.line(&format!("Tensor<{}> {copy}([{labels}], COO);", target.element));
        self.line(&format!("{copy}[{labels}] = {};", names.access(0)));
        self.line(&format!("print({copy});"));
        self.line(&format!("print(\"entries\", {});", names.tensor(0)));
    }

    fn content(&mut self, names: &Names<'_>, operand: usize) {
        match &names.kernel.operands[operand].content {
            Content::Nothing => {}
            Content::File(FileKind::Array, entries) if !entries.iter().any(|(_, value)| value.is_nan()) => {
                let element = names.kernel.operands[operand].element;
                let array = array(&names.kernel.dims(operand), (element, &[]), entries);
                self.line(&format!("{} = {array};", names.access(operand)));
            }
            Content::Fill(value) => self.line(&format!("{} = {value:?};", names.access(operand))),
            Content::File(kind, entries) => {
                let extension =
                    if matches!(kind, FileKind::Market | FileKind::MarketArray) { "mtx" } else { "tns" };
                self.line(&format!("{} = comet_read({});", names.access(operand), self.files.len()));
                let element = names.kernel.operands[operand].element;
                let text = file((*kind, element), &names.kernel.dims(operand), entries);
                self.files.push((format!("{}.{extension}", names.tensor(operand)), text));
            }
        }
    }
}

/// How a kernel's labels and tensors are called.
struct Names<'a> {
    prefix: String,
    kernel: &'a Kernel,
}

impl Names<'_> {
    fn label(&self, label: usize) -> String {
        self.prefixed(LETTERS[label])
    }

    fn prefixed(&self, name: &str) -> String {
        format!("{}_{name}", self.prefix)
    }

    fn schedule(&self) -> String {
        let commands = self.kernel.schedule.iter().map(|command| self.command(command)).collect::<Vec<_>>();
        if commands.is_empty() { String::new() } else { format!(" schedule {{ {} }}", commands.join(" ")) }
    }

    fn command(&self, command: &DrawnCommand) -> String {
        let arguments = command.arguments.iter().map(|argument| self.argument(argument));
        format!("{}({});", command.name, arguments.collect::<Vec<_>>().join(", "))
    }

    fn argument(&self, argument: &DrawnArgument) -> String {
        match argument {
            DrawnArgument::Label(label) => self.prefixed(label),
            DrawnArgument::Word(word) => word.clone(),
            DrawnArgument::Sized(label, size) => format!("{}: {size}", self.prefixed(label)),
            DrawnArgument::Access(operand) => self.access(*operand),
            DrawnArgument::Target => self.tensor(0),
            DrawnArgument::Value(value) => self.value(value, false),
            DrawnArgument::Labels(labels) => {
                let labels = labels.iter().map(|label| self.prefixed(label)).collect::<Vec<_>>();
                format!("{{{}}}", labels.join(", "))
            }
            DrawnArgument::Workspace(name, format) => format!("{} : {format}", self.prefixed(name)),
        }
    }

    fn tensor(&self, operand: usize) -> String {
        let letter = ["Y", "A", "B", "C", "E", "F", "G"][operand];
        format!("{}_{letter}", self.prefix)
    }

    fn labels(&self, labels: &[usize]) -> String {
        labels.iter().map(|&label| self.label(label)).collect::<Vec<_>>().join(", ")
    }

    fn access(&self, operand: usize) -> String {
        format!("{}[{}]", self.tensor(operand), self.labels(&self.kernel.operands[operand].labels))
    }

    /// The parts of an operand's modes, with their labels and the sizes of these.
    fn modes(&self, operand: usize) -> Vec<(DrawnPart, String, usize)> {
        let info = &self.kernel.operands[operand];
        let modes = info.part.iter().zip(&info.labels);
        modes.map(|(part, &label)| (*part, self.label(label), self.kernel.labels[label].size)).collect()
    }

    fn part_tensor(&self, operand: usize) -> String {
        let suffix = if self.kernel.operands[operand].part.is_empty() { "" } else { "p" };
        format!("{}{suffix}", self.tensor(operand))
    }

    /// The operand in the statement.
    fn part_access(&self, operand: usize) -> String {
        if self.kernel.operands[operand].part.is_empty() {
            return self.access(operand);
        }
        let modes = self.modes(operand);
        let indices: Vec<String> = modes.iter().map(|(part, label, size)| part.index(label, *size)).collect();
        format!("{}[{}]", self.part_tensor(operand), indices.join(", "))
    }

    fn mask(&self) -> String {
        let Some(mask) = self.kernel.mask else { return String::new() };
        format!("<{}{}{}>", mask.complement, self.tensor(mask.operand), mask.method)
    }

    fn declaration(&self, operand: usize) -> String {
        let info = &self.kernel.operands[operand];
        let (name, labels) = (self.tensor(operand), self.labels(&info.labels));
        format!("Tensor<{}> {name}([{labels}], {});", info.element, info.format.text())
    }

    fn value(&self, value: &Value, inside: bool) -> String {
        let text = match value {
            Value::Operand(operand) => return self.part_access(*operand),
            Value::Transposed(operand) => {
                let reversed =
                    self.kernel.operands[*operand].labels.iter().rev().copied().collect::<Vec<_>>();
                return format!("transpose({}, {{{}}})", self.access(*operand), self.labels(&reversed));
            }
            Value::Number(text) => return (*text).to_string(),
            Value::Neg(inner) => format!("-{}", self.value(inner, true)),
            Value::Call(function, arguments) => {
                let arguments: Vec<String> = arguments.iter().map(|value| self.value(value, false)).collect();
                return format!("{function}({})", arguments.join(", "));
            }
            Value::Binary(op, left, right) => {
                format!("{} {op} {}", self.value(left, true), self.value(right, true))
            }
        };
        if inside { format!("({text})") } else { text }
    }
}

/// The array of the positions that begin with some coordinates. Entries at the same position are added up.
fn array(dims: &[usize], (element, first): (&str, &[usize]), entries: &[Entry]) -> String {
    let Some((&extent, inner)) = dims.split_first() else {
        let here = entries.iter().filter(|(at, _)| at == first).map(|(_, value)| value);
        let value = here.fold(0.0, |sum, value| sum + value);
        return match element.starts_with("complex") {
            true => format!("complex({value}, {})", imaginary(value)),
            false => value.to_string(),
        };
    };
    let rows = (0..extent).map(|next| array(inner, (element, &[first, &[next]].concat()), entries));
    format!("[{}]", rows.collect::<Vec<_>>().join(", "))
}

fn file((kind, element): (FileKind, &str), dims: &[usize], entries: &[Entry]) -> String {
    let is_complex = element.starts_with("complex");
    let field = if is_complex { "complex" } else { "real" };
    let is_comet = kind == FileKind::Array || kind == FileKind::Frostt && begins_like_a_header(entries);
    let kind = if is_comet { FileKind::Comet } else { kind };
    let mut text = match (kind, dims) {
        (FileKind::Market, [rows, columns]) => {
            format!("%%MatrixMarket matrix coordinate {field} general\n{rows} {columns} {}\n", entries.len())
        }
        (FileKind::MarketArray, [rows, columns]) => {
            format!("%%MatrixMarket matrix array {field} general\n{rows} {columns}\n")
        }
        (FileKind::Comet, _) => format!("{} {}\n", joined(dims, 0), entries.len()),
        _ => String::new(),
    };
    let first = usize::from(kind != FileKind::Comet);
    for (at, value) in entries {
        let at = if kind == FileKind::MarketArray { String::new() } else { joined(at, first) };
        let has_two = is_complex && matches!(kind, FileKind::Market | FileKind::MarketArray);
        let imaginary = if has_two { format!(" {}", imaginary(*value)) } else { String::new() };
        text += format!("{at} {value}{imaginary}\n").trim_start();
    }
    text
}

/// Whether the first of these 1-based entries would be taken for the header of the others.
fn begins_like_a_header(entries: &[Entry]) -> bool {
    let Some(((first, value), rest)) = entries.split_first() else { return false };
    let below = |(at, _): &Entry| at.iter().zip(first).all(|(at, first)| at < first);
    !first.is_empty() && *value == rest.len() as f64 && rest.iter().all(below)
}

fn joined(numbers: &[usize], add: usize) -> String {
    numbers.iter().map(|number| (number + add).to_string()).collect::<Vec<_>>().join(" ")
}
