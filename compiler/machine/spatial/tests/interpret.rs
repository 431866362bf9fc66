//! Every text in `interpret/`, and every text in `texts/` that loads no files, is read and run. What comes of
//! it stands in `interpret/`; `COMET_BLESS=1` writes it there.
//!
//! A text begins with what it guards. Comments behind that say what it is run on: `// file x.csv: 1 2 3`,
//! `// parameter bp: 4`, `// arguments: 7 0.5`.

use comet_diag::{Source, render};
use comet_spatial::interpret::{Column, Inputs, run};
use comet_spatial::read::read;
use libtest_mimic::{Arguments, Failed, Trial};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

fn main() {
    let arguments = Arguments::from_args();
    let trials = texts().into_iter().map(|path| {
        let name = expected(&path).with_extension("").display().to_string();
        let name = name.rsplit("tests/interpret/").next().unwrap_or_default().to_owned();
        Trial::test(name, move || check(&path))
    });
    libtest_mimic::run(&arguments, trials.collect()).exit();
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name)
}

fn texts() -> Vec<PathBuf> {
    let entries = ["interpret", "texts"].map(|name| std::fs::read_dir(folder(name)).expect("it is there"));
    let paths = entries.into_iter().flatten().map(|entry| entry.expect("the folder can be read").path());
    let is_text = |path: &PathBuf| path.extension().is_some_and(|kind| kind == "scala");
    let mut texts: Vec<_> = paths.filter(|path| is_text(path) && !lacks_files(path)).collect();
    texts.sort();
    texts
}

/// Whether a text loads files, and none are given for it.
fn lacks_files(path: &Path) -> bool {
    let text = std::fs::read_to_string(path).expect("a text can be read");
    path.parent() == Some(&folder("texts")) && text.contains("loadCSV1D")
}

/// What is to come of a text: of one in `texts/` it stands in a folder of that name.
fn expected(path: &Path) -> PathBuf {
    let name = path.with_extension("out");
    let name = name.strip_prefix(folder("")).expect("it is in the tests' folder");
    folder("interpret").join(name.strip_prefix("interpret").unwrap_or(name))
}

fn check(path: &Path) -> Result<(), Failed> {
    let text = std::fs::read_to_string(path)?;
    let found = outcome(&text)?;
    let expected = expected(path);
    if std::env::var_os("COMET_BLESS").is_some_and(|value| value == "1") {
        return Ok(std::fs::write(expected, found)?);
    }
    match std::fs::read_to_string(&expected) {
        Ok(expected) if expected == found => Ok(()),
        _ => Err(format!("{} is to have other contents:\n{found}", expected.display()).into()),
    }
}

/// What comes of a text: files and counts, or what is wrong.
fn outcome(text: &str) -> Result<String, Failed> {
    let source = Source::new("app.scala", text);
    let app = match read(text) {
        Ok(app) => app,
        Err(diagnostics) => return Ok(shown(&diagnostics, &source)),
    };
    match run(&app, &inputs(text)?) {
        Err(diagnostic) => Ok(shown(&[diagnostic], &source)),
        Ok(outcome) => {
            let mut found = outcome.printed.clone();
            for (name, column) in &outcome.files {
                writeln!(found, "{name}: {}", column.text().trim_end().replace('\n', " "))?;
            }
            for argument in &outcome.arguments {
                writeln!(found, "{} = {}", argument.name, argument.value)?;
            }
            Ok(found + &outcome.text(&source))
        }
    }
}

fn shown(diagnostics: &[comet_diag::Diagnostic], source: &Source) -> String {
    diagnostics.iter().fold(String::new(), |shown, diagnostic| {
        shown + &render(diagnostic, source, comet_diag::Color::Never) + "\n"
    })
}

fn inputs(text: &str) -> Result<Inputs, Failed> {
    let mut inputs = Inputs::default();
    for line in text.lines().map_while(|line| line.strip_prefix("// ")) {
        let Some((what, given)) = line.split_once(": ").or_else(|| Some((line.strip_suffix(':')?, "")))
        else {
            continue;
        };
        match what.split_once(' ') {
            Some(("file", name)) => {
                inputs.files.insert(name.to_owned(), Column::read(&given.replace(' ', "\n"))?);
            }
            Some(("parameter", name)) => {
                inputs.parameters.insert(name.to_owned(), given.parse()?);
            }
            None if what == "arguments" => inputs.arguments = given.split(' ').map(str::to_owned).collect(),
            _ => {}
        }
    }
    Ok(inputs)
}
