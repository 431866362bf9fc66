//! The command line of `comet sim` with `{NAME}` in place of values, and what says that a run is the same as
//! one of an earlier sweep.

use super::axis::{Axis, is_name};
use crate::failure::{Failure, Result};
use blake3::Hasher;
use comet_runtime::error::reason;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// How many hexadecimal digits stand for a run.
const DIGITS: usize = 16;

#[derive(Debug)]
pub(crate) struct Template {
    source: PathBuf,
    arguments: Vec<String>,
    names: Vec<String>,
    /// What files hold, as far as it was asked for.
    files: BTreeMap<PathBuf, Hash>,
}

type Hash = [u8; 32];

impl Template {
    /// # Errors
    /// A name in braces that is no axis, and an axis that is nowhere.
    pub(crate) fn new(source: PathBuf, arguments: Vec<String>, axes: &[Axis]) -> Result<Self> {
        let names: Vec<String> = axes.iter().map(|axis| axis.name.clone()).collect();
        let used: Vec<&str> = arguments.iter().flat_map(|argument| places(argument)).collect();
        if let Some(unknown) = used.iter().find(|name| !names.iter().any(|known| known == *name)) {
            let hint = format!("give its values by `--axis '{unknown}=V1|V2|…'`");
            return Err(Failure::hinted(format!("`{{{unknown}}}` is no axis"), hint));
        }
        if let Some(unused) = names.iter().find(|name| !used.contains(&name.as_str())) {
            let hint = format!(
                "write `{{{unused}}}` in `--schedule` or another flag of the simulator, or leave the axis out"
            );
            return Err(Failure::hinted(format!("nothing uses the axis `{unused}`"), hint));
        }
        Ok(Self { source, arguments, names, files: BTreeMap::new() })
    }

    /// The command line of a run, without the program's name.
    pub(crate) fn command(&self, point: &[String]) -> Vec<String> {
        self.arguments.iter().map(|argument| self.filled(argument, point)).collect()
    }

    fn filled(&self, argument: &str, point: &[String]) -> String {
        let mut text = String::new();
        let mut rest = argument;
        while let Some((before, name, behind)) = next_place(rest) {
            let place = self.names.iter().position(|known| known == name).expect("names were checked");
            text += before;
            text += &point[place];
            rest = behind;
        }
        text + rest
    }

    /// What a run follows from: this version, the command line as it was given, and what the files hold that
    /// it names, the program among them. Points that differ in nothing but their values differ in the table
    /// by these.
    pub(crate) fn identity(&mut self, point: &[String]) -> Result<String> {
        let mut hasher = Hasher::new();
        let mut add = |text: &[u8]| {
            hasher.update(&(text.len() as u64).to_le_bytes());
            hasher.update(text);
        };
        add(crate::arguments::version().as_bytes());
        self.names.iter().chain(&self.arguments).for_each(|text| add(text.as_bytes()));
        let source = self.source.clone();
        add(&self.content(&source)?);
        for argument in self.command(point) {
            for path in paths(&argument) {
                add(&self.content(&path)?);
            }
        }
        Ok(hasher.finalize().to_hex()[..DIGITS].to_owned())
    }

    /// Of a file, or of the files of a folder.
    fn content(&mut self, path: &Path) -> Result<Hash> {
        if let Some(hash) = self.files.get(path) {
            return Ok(*hash);
        }
        let mut hasher = Hasher::new();
        for file in files(path).map_err(|error| Failure::file("read", path, reason(&error)))? {
            let read = File::open(&file).and_then(|mut content| io::copy(&mut content, &mut hasher));
            read.map_err(|error| Failure::file("read", &file, reason(&error)))?;
        }
        let hash = hasher.finalize().into();
        self.files.insert(path.to_owned(), hash);
        Ok(hash)
    }
}

/// The files that an argument such as `--input=A=a.mtx` names.
fn paths(argument: &str) -> impl Iterator<Item = PathBuf> {
    let behind = argument.match_indices('=').map(|(place, _)| &argument[place + 1..]);
    std::iter::once(argument).chain(behind).map(PathBuf::from).filter(|path| path.exists())
}

fn files(path: &Path) -> io::Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let entries = fs::read_dir(path)?.map(|entry| entry.map(|entry| entry.path()));
    let mut files = entries.collect::<io::Result<Vec<PathBuf>>>()?;
    files.retain(|file| file.is_file());
    files.sort();
    Ok(files)
}

fn places(mut text: &str) -> Vec<&str> {
    let mut names = Vec::new();
    while let Some((_, name, behind)) = next_place(text) {
        names.push(name);
        text = behind;
    }
    names
}

/// What is before the first name in braces, the name, and what is behind. Other braces stand for themselves.
fn next_place(text: &str) -> Option<(&str, &str, &str)> {
    text.match_indices('{').find_map(|(open, _)| {
        let (name, behind) = text[open + 1..].split_once('}')?;
        is_name(name).then_some((&text[..open], name, behind))
    })
}

#[cfg(test)]
mod tests {
    use super::super::axis::parse;
    use super::*;

    fn template(arguments: &[&str], axes: &[&str]) -> Result<Template> {
        let axes: Vec<Axis> = axes.iter().map(|axis| parse(axis).unwrap()).collect();
        let arguments = arguments.iter().map(|argument| (*argument).to_owned()).collect();
        Template::new("program.ta".into(), arguments, &axes)
    }

    #[test]
    fn names_in_braces_are_replaced() {
        let schedule = "--schedule=C { order({o}); tile(i: {t}, j: {t}) }";
        let template = template(&[schedule, "--queue-depth={d}"], &["o=i,j", "t=4|8", "d=2"]).unwrap();
        let point = ["i, j", "8", "2"].map(str::to_owned);
        let expected = ["--schedule=C { order(i, j); tile(i: 8, j: 8) }", "--queue-depth=2"];
        assert_eq!(template.command(&point), expected);
    }

    #[test]
    fn names_and_axes_belong_together() {
        let unknown = template(&["--schedule=order({o})"], &["n=1"]).unwrap_err();
        assert_eq!(unknown.first_message(), "`{o}` is no axis");
        let unused = template(&["--schedule=order(i, j)"], &["n=1"]).unwrap_err();
        assert_eq!(unused.first_message(), "nothing uses the axis `n`");
    }
}
