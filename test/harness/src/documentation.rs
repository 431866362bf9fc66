//! The examples of the documentation, run through `comet-opt`: those of the dialects' `.td` files parse, and
//! every pass makes the *After* of its file from its *Before*.
//!
//! An example is a block of MLIR between fences. It is the body of a function whose arguments its first lines
//! name:
//!
//! ```mlir
//! // given %A : tensor<?x?xf64, #ta.format<[D, CU]>>
//! // given %i, %j : !ta.range
//! %0 = ta.labeled_tensor %A[%i, %j] : tensor<?x?xf64, #ta.format<[D, CU]>> -> !ta.labeled<f64>
//! ```
//!
//! A block with a function in it is taken as it is, and one that begins with `#` or `!` is one attribute or
//! type a line.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::compiler::{self, End};

/// Something that a `.td` file defines: an operation, an attribute or a type.
#[derive(Clone, Debug)]
pub struct Definition {
    /// As in IR: `ta.fill`.
    pub name: String,
    /// Whether it is an operation.
    pub is_op: bool,
    body: String,
}

/// What the `.td` files of a dialect define.
///
/// # Errors
/// The name of a file that cannot be read.
pub fn definitions(dialect: &str) -> Result<Vec<Definition>, String> {
    let mut found = Vec::new();
    for file in files(&source_folder().join("dialects").join(dialect), "td")? {
        let text = read(&file)?;
        found.extend(text.split("\ndef ").skip(1).filter_map(|text| definition(dialect, text)));
    }
    Ok(found)
}

/// `X : Class<"mnemonic"…> {`, up to the closing brace at the line's start; `None` for what is not named in
/// IR.
fn definition(dialect: &str, text: &str) -> Option<Definition> {
    let body = text.split_once("\n}\n")?.0;
    let (head, _) = body.split_once('\n')?;
    let class = head.split_once(" : ")?.1.split('<').next()?;
    let quoted: Vec<&str> = head.split('"').skip(1).step_by(2).collect();
    let mnemonic = match class.strip_suffix("Op") {
        Some(_) => quoted.first()?,
        None if class.ends_with("_Attr") || class.ends_with("_Type") => quoted.get(1)?,
        None => return None,
    };
    Some(Definition {
        name: format!("{dialect}.{mnemonic}"),
        is_op: class.ends_with("Op"),
        body: body.to_owned(),
    })
}

impl Definition {
    /// It has a summary, and examples that parse and name it; an operation is also in the test that prints
    /// and parses its dialect.
    ///
    /// # Errors
    /// What is missing, or why an example does not parse.
    pub fn check(&self) -> Result<(), String> {
        if !self.body.contains("let summary = \"") {
            return Err(format!("`{}` has no summary", self.name));
        }
        let examples = blocks(&self.body);
        if !examples.iter().any(|example| example.contains(&self.name)) {
            return Err(format!("the description of `{}` has no example with it", self.name));
        }
        for example in examples {
            opt(&[], &Example::of(&example).module(&example))?;
        }
        if self.is_op { self.check_round_trip() } else { Ok(()) }
    }

    fn check_round_trip(&self) -> Result<(), String> {
        let dialect = self.name.split('.').next().unwrap_or_default();
        let file = crate::test_folder().join("dialects").join(dialect).join("ops.mlir");
        // `ta.print` is not tested by a `ta.print_scalar`.
        let mut words = read(&file)?.split_whitespace().map(str::to_owned).collect::<Vec<_>>().into_iter();
        match words.any(|word| word == self.name) {
            true => Ok(()),
            false => Err(format!("`{}` does not test `{}`", file.display(), self.name)),
        }
    }
}

/// The examples of a dialect's README parse.
///
/// # Errors
/// Why one does not.
pub fn check_readme(dialect: &str) -> Result<(), String> {
    let text = read(&source_folder().join("dialects").join(dialect).join("README.md"))?;
    for example in blocks(&text) {
        opt(&[], &Example::of(&example).module(&example))?;
    }
    Ok(())
}

/// A pass with a *Before* and an *After* block in the documentation of its file.
#[derive(Clone, Debug)]
pub struct PassPage {
    /// The pass's name: what the documentation begins with.
    pub name: String,
    documentation: String,
}

/// Every file of the compiler that holds a pass.
///
/// # Errors
/// The name of a file that cannot be read, or whose documentation does not begin with the pass's name.
pub fn pass_pages() -> Result<Vec<PassPage>, String> {
    let mut pages = Vec::new();
    for file in files(&source_folder().join("compiler"), "rs")? {
        let text = read(&file)?;
        if text.contains("\npub const PASS: Pass = ") {
            let documentation: Vec<&str> = text.lines().map_while(|line| line.strip_prefix("//!")).collect();
            let documentation = documentation.join("\n");
            let name = documentation
                .split('`')
                .nth(1)
                .ok_or_else(|| format!("`{}` does not begin with its pass", file.display()))?;
            pages.push(PassPage { name: name.to_owned(), documentation: documentation.clone() });
        }
    }
    Ok(pages)
}

impl PassPage {
    /// The pass makes every After from the Before in front of it.
    ///
    /// # Errors
    /// Both, as the compiler prints them, where they differ.
    pub fn check(&self) -> Result<(), String> {
        let mut parts = self.documentation.split("Before:").skip(1).peekable();
        if parts.peek().is_none() {
            return Err(format!("the documentation of `{}` has no Before", self.name));
        }
        parts.try_for_each(|part| self.check_pair(part))
    }

    fn check_pair(&self, text: &str) -> Result<(), String> {
        let (before, after) = text
            .split_once("After:")
            .ok_or_else(|| format!("`{}` has a Before without an After", self.name))?;
        let first = |text: &str| {
            blocks(text).into_iter().next().ok_or_else(|| format!("`{}` lacks a block of MLIR", self.name))
        };
        let (before, after) = (first(before)?, first(after)?);
        let example = Example::of(&before);
        let made = opt(&[&format!("--{}", self.name)], &example.module(&before))?;
        let expected = opt(&[], &example.module(&after))?;
        let (made, expected) = (without_constants(&made), without_constants(&expected));
        match made == expected {
            true => Ok(()),
            false => Err(format!(
                "what `{}` makes of Before is not After:\n\n{made}\nAfter is:\n\n{expected}",
                self.name
            )),
        }
    }
}

/// The arguments of the function that an example is the body of.
struct Example {
    arguments: String,
}

impl Example {
    fn of(block: &str) -> Self {
        let mut arguments = Vec::new();
        for line in block.lines() {
            if let Some((names, ty)) =
                line.trim().strip_prefix("// given ").and_then(|line| line.split_once(" : "))
            {
                arguments.extend(names.split(", ").map(|name| format!("{name}: {ty}")));
            }
        }
        Self { arguments: arguments.join(", ") }
    }

    /// The module to parse.
    fn module(&self, block: &str) -> String {
        if block.contains("func.func") {
            return block.to_owned();
        }
        let declare: fn((usize, &str)) -> String = match block.trim_start().chars().next() {
            Some('#') => {
                |(number, line)| format!("func.func private @f{number}() attributes {{example = {line}\n}}\n")
            }
            Some('!') => |(number, line)| format!("func.func private @f{number}({line}\n)\n"),
            _ => return format!("func.func @example({}) {{\n{block}\nreturn\n}}\n", self.arguments),
        };
        block.lines().filter(|line| !line.trim().is_empty()).enumerate().map(declare).collect()
    }
}

/// What is between fences of `mlir`.
fn blocks(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some((_, behind)) = rest.split_once("```mlir\n") {
        let (block, next) = behind.split_once("```").unwrap_or((behind, ""));
        found.push(block.to_owned());
        rest = next;
    }
    found
}

/// The module as the compiler prints it after those passes.
fn opt(passes: &[&str], module: &str) -> Result<String, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let file = folder.path().join("example.mlir");
    fs::write(&file, module).map_err(|error| error.to_string())?;
    let mut arguments: Vec<&str> = passes.to_vec();
    let name = file.to_string_lossy();
    arguments.push(&name);
    let finished = compiler::run(&compiler::locate_opt()?, &arguments, &[], &crate::test_folder())
        .map_err(|error| error.to_string())?;
    match finished.end {
        End::Exit(0) => Ok(finished.stdout),
        _ => Err(format!("{}\nin\n\n{module}", finished.stderr)),
    }
}

/// Constants stand for their values, wherever they are: a pass may make one as often as it likes. All other
/// names are numbers, which the printer chooses.
fn without_constants(module: &str) -> String {
    let mut constants: HashMap<&str, String> = HashMap::new();
    let mut kept = String::new();
    for line in module.lines() {
        if let Some((name, value)) = line.trim_start().split_once(" = arith.constant ") {
            constants.insert(name, format!("({value})"));
            continue;
        }
        kept.push_str(&replace_names(line, &constants));
        kept.push('\n');
    }
    kept
}

fn replace_names(line: &str, constants: &HashMap<&str, String>) -> String {
    let mut pieces = line.split('%');
    let mut text = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let end = piece.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(piece.len());
        let name = format!("%{}", &piece[..end]);
        text.push_str(constants.get(name.as_str()).unwrap_or(&name));
        text.push_str(&piece[end..]);
    }
    text
}

/// All files below a folder whose names end in that, in the order of their names.
fn files(folder: &Path, extension: &str) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files(&path, extension)?);
        } else if path.extension().is_some_and(|other| other == extension) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

fn read(file: &Path) -> Result<String, String> {
    fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))
}

fn source_folder() -> PathBuf {
    crate::test_folder().join("..")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_replaced_by_their_values() {
        let text =
            "%c0 = arith.constant 0 : index\n%1 = f(%c0, %c0_1)\n%c0_1 = arith.constant 2 : index\ng(%c0_1)";
        assert_eq!(without_constants(text), "%1 = f((0 : index), %c0_1)\ng((2 : index))\n");
    }

    #[test]
    fn arguments_are_those_that_are_given() {
        let example = "// given %i, %j : !ta.range\n// given %n : index\n%0 = …";
        assert_eq!(Example::of(example).arguments, "%i: !ta.range, %j: !ta.range, %n: index");
    }
}
