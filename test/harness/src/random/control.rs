//! Random programs of control flow: loops and branches in each other, with `break`, `continue` and `return`,
//! over integers and the sum of a tensor. All loops end.

use std::fmt::Write;
use std::path::Path;

use crate::compiler;
use crate::oracle;
use crate::program::agrees;

use super::TOLERANCE;
use super::rng::Rng;

/// How deep loops and branches may be in each other.
const DEPTH: usize = 4;
/// The most iterations of a loop.
const ITERATIONS: usize = 4;
/// The scalars that statements read and write.
const SCALARS: [&str; 3] = ["a", "b", "c"];

/// Runs that program in all ways.
///
/// # Errors
/// The program, where an output is not that of the oracle, and what keeps the compiler from being run.
pub fn check(comet: &Path, seed: u64, number: u64) -> Result<(), String> {
    let text = program(&mut Rng::numbered(seed, number));
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    std::fs::write(folder.path().join("program.ta"), &text).map_err(|error| error.to_string())?;
    let expected = oracle::output(&text, &[], &[], folder.path())?;
    let level = if number.is_multiple_of(2) { "-O0" } else { "-O3" };
    let ways = [&["run", level][..], &["sim"], &["sim", "--target=spatial"]];
    // The simulators run control flow as code does.
    let ways = if number.is_multiple_of(10) { &ways[..] } else { &ways[..1] };
    ways.iter().try_for_each(|way| {
        let arguments = [way, &["program.ta", "--print=exact"][..]].concat();
        let finished = compiler::run(comet, &arguments, &[], folder.path());
        let finished = finished.map_err(|error| error.to_string())?;
        agrees(&finished, &expected, TOLERANCE).map_err(|report| {
            format!("case {number} of seed {seed}, comet {}:\n{text}{report}", way.join(" "))
        })
    })
}

/// The text of a program: a function with a result, which `main` calls.
fn program(rng: &mut Rng) -> String {
    let mut writer = ProgramWriter { rng, text: String::new(), indent: 1, loops: 0, names: 0, returns: true };
    writer.line("var b = 2;");
    writer.line("var c = 0 - 1;");
    writer.body(DEPTH - 1);
    writer.line("found += b;");
    let function = std::mem::take(&mut writer.text);
    writer.returns = false;
    writer.line("IndexLabel [i] = [2];");
    writer.line("Tensor<int> x([i], Dense);");
    writer.line("x[i] = [1, -2];");
    SCALARS.iter().enumerate().for_each(|(value, name)| writer.line(&format!("var {name} = {value};")));
    writer.body(DEPTH);
    writer.line("print(\"f\", f(a), f(b));");
    writer.line("print(\"end\", a, b, c, x);");
    let main = writer.text;
    format!("def f(int a) -> int found {{\n  found = a;\n{function}}}\n\ndef main() {{\n{main}}}\n")
}

struct ProgramWriter<'a> {
    rng: &'a mut Rng,
    text: String,
    indent: usize,
    /// How many loops are around the next statement.
    loops: usize,
    /// How many names of loops' own scalars there are.
    names: usize,
    /// Whether the function has a result, and no tensor.
    returns: bool,
}

impl ProgramWriter<'_> {
    fn line(&mut self, line: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "{:1$}{line}", "", 2 * self.indent);
    }

    fn body(&mut self, depth: usize) {
        for _ in 0..self.rng.between(1, 4) {
            self.statement(depth);
        }
    }

    fn inner(&mut self, depth: usize) {
        self.indent += 1;
        self.body(depth);
        self.indent -= 1;
    }

    fn statement(&mut self, depth: usize) {
        match self.rng.below(if depth > 0 { 10 } else { 5 }) {
            0 | 1 => self.update(),
            2 => self.print(),
            3 | 4 => self.jump(),
            5 | 6 => self.branches(depth - 1),
            7 | 8 => self.counted(depth - 1),
            _ => self.repeated(depth - 1),
        }
    }

    fn scalar(&mut self) -> &'static str {
        self.rng.pick(&SCALARS)
    }

    fn operand(&mut self) -> String {
        match self.rng.below(5) {
            0 | 1 => self.rng.between(1, 9).to_string(),
            2 if !self.returns => self.rng.pick(&["SUM(x[i])", "MAX(x[i])", "MIN(x[i])"]).to_owned(),
            _ => self.scalar().to_owned(),
        }
    }

    fn condition(&mut self) -> String {
        let (left, right) = (self.operand(), self.operand());
        let sign = self.rng.pick(&["<", ">=", "==", "!=", ">"]);
        if self.rng.percent(30) {
            format!("{left} / 2 * 2 {sign} {left}")
        } else {
            format!("{left} {sign} {right}")
        }
    }

    fn update(&mut self) {
        let (scalar, operand) = (self.scalar(), self.operand());
        match self.rng.below(6) {
            0 => self.line(&format!("{scalar} = {operand};")),
            1 => self.line(&format!("{scalar} -= {operand} - 1;")),
            2 => self.line(&format!("{scalar} *= {operand};")),
            3 => self.line(&format!("{scalar} /= 3;")),
            4 if !self.returns => self.line(&format!("x[i] += {scalar};")),
            _ => self.line(&format!("{scalar} += {operand};")),
        }
    }

    fn print(&mut self) {
        let (first, second) = (self.operand(), self.scalar());
        match self.rng.below(4) {
            0 => self.line(&format!("print({second});")),
            1 if !self.returns => self.line(&format!("print(\"x\", x, {first});")),
            2 => self.line(&format!("print({first}, {second});")),
            _ => self.line(&format!("print(\"at\", {second});")),
        }
    }

    /// A jump, mostly under a condition.
    fn jump(&mut self) {
        let word = match (self.rng.below(5), self.loops) {
            (0, _) if self.returns => format!("return {}", self.scalar()),
            (_, 0) => return self.update(),
            (1 | 2, _) => "continue".to_owned(),
            _ => "break".to_owned(),
        };
        if self.rng.percent(15) {
            return self.line(&format!("{word};"));
        }
        let condition = self.condition();
        self.line(&format!("if {condition}: {word}; end;"));
    }

    fn branches(&mut self, depth: usize) {
        let condition = self.condition();
        self.line(&format!("if {condition}:"));
        self.inner(depth);
        for _ in 0..self.rng.below(3) {
            let condition = self.condition();
            self.line(&format!("elif {condition}:"));
            self.inner(depth);
        }
        if self.rng.percent(50) {
            self.line("else:");
            self.inner(depth);
        }
        self.line("end;");
    }

    fn name(&mut self, letter: &str) -> String {
        self.names += 1;
        format!("{letter}{}", self.names)
    }

    fn counted(&mut self, depth: usize) {
        let (name, stop) = (self.name("n"), self.rng.below(ITERATIONS + 1));
        let range = if self.rng.percent(30) { format!("{stop}, 0, -1") } else { stop.to_string() };
        self.line(&format!("for {name} in range({range}):"));
        let scalar = self.scalar();
        self.indent += 1;
        self.line(&format!("{scalar} += {name};"));
        self.indent -= 1;
        self.looped(depth);
    }

    /// Its counter is the first to change, so that no `continue` keeps the loop from ending.
    fn repeated(&mut self, depth: usize) {
        let (name, stop) = (self.name("w"), self.rng.below(ITERATIONS + 1));
        self.line(&format!("var {name} = 0;"));
        let condition = self.condition();
        self.line(&format!("while {name} < {stop} & ({condition}):"));
        self.indent += 1;
        self.line(&format!("{name} += 1;"));
        self.indent -= 1;
        self.looped(depth);
    }

    fn looped(&mut self, depth: usize) {
        self.loops += 1;
        self.inner(depth);
        self.loops -= 1;
        self.line("end;");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Programs without a meaning would only test how they are refused.
    #[test]
    fn what_is_generated_has_a_meaning() {
        for number in 0..300 {
            let text = program(&mut Rng::numbered(11, number));
            let output = oracle::output(&text, &[], &[], &crate::test_folder());
            assert!(output.is_ok(), "{text}\n{output:?}");
        }
    }
}
