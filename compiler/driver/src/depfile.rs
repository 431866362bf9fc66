//! `comet build --depfile`: which files the output was made of, as a rule for `make` and `ninja`.

use crate::arguments::BuildArguments;
use crate::command::output;
use crate::failure::Result;
use crate::{front, text};
use comet_runtime::destination::Destination;
use std::path::Path;

/// Writes a rule by which outputs depend on the program, and on the file with its schedule.
pub(crate) fn write<'p>(
    to: &Destination,
    arguments: &'p BuildArguments,
    outputs: impl Iterator<Item = &'p Path>,
) -> Result<()> {
    let program = &arguments.program;
    let source = Some(program.source.as_path()).filter(|path| !text::is_standard_input(path));
    let schedule = program.schedule.as_deref().and_then(front::schedule_file);
    let rule = rule(outputs, source.into_iter().chain(schedule));
    output::write(to, rule.as_bytes())
}

fn rule<'p>(outputs: impl Iterator<Item = &'p Path>, inputs: impl Iterator<Item = &'p Path>) -> String {
    let outputs: Vec<String> = outputs.map(escaped).collect();
    let inputs: String = inputs.map(|path| format!(" \\\n  {}", escaped(path))).collect();
    format!("{}:{inputs}\n", outputs.join(" "))
}

/// A path as makefiles write it.
fn escaped(path: &Path) -> String {
    let mut text = String::new();
    for character in path.to_string_lossy().chars() {
        match character {
            '$' => text.push('$'),
            ' ' | '#' | '\\' | ':' => text.push('\\'),
            _ => {}
        }
        text.push(character);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_have_outputs_and_inputs() {
        let [outputs, inputs] = [["b/k.o", "b/k.h"], ["a b/k.ta", "k$.sched"]];
        let text = rule(outputs.iter().map(Path::new), inputs.iter().map(Path::new));
        assert_eq!(text, "b/k.o b/k.h: \\\n  a\\ b/k.ta \\\n  k$$.sched\n");
    }
}
