//! The directives in the leading comments of a test program. `test/README.md` lists them.

/// What a test program asks for.
#[derive(Clone, Debug, PartialEq)]
pub struct Directives {
    /// The arguments of each run; one run without arguments where none are given.
    pub runs: Vec<Vec<String>>,
    /// Environment variables of all runs.
    pub variables: Vec<(String, String)>,
    /// Files that `comet gen` makes for all runs.
    pub generated: Vec<Generated>,
    /// The working folder.
    pub place: Place,
    /// What is expected.
    pub expected: Expected,
    /// By how much numbers may differ from the oracle's, relative.
    pub tolerance: f64,
    /// What becomes of it as dataflow graphs.
    pub on_graphs: OnMachine,
    /// What becomes of it as applications of parallel patterns.
    pub on_spatial: OnMachine,
}

/// The folder that a program runs in, and that its paths are relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// `test`.
    Tests,
    /// An empty one of its own: for what writes files, and for examples, which have no test data.
    Fresh,
}

/// An input that is made when it is needed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generated {
    /// What is in front of `=` in `--input`.
    pub input: String,
    /// The name of the file.
    pub file: String,
    /// The arguments of `comet gen`, without the file.
    pub args: Vec<String>,
}

/// What a run must come to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// The output of the oracle.
    Output,
    /// Any output.
    Success,
    /// The program is wrong: exit code 1 and this on standard error.
    Error(String),
    /// The compiler does not do it yet: exit code 1 and this on standard error.
    NotSupported(String),
}

/// What becomes of a program on another machine than the processor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OnMachine {
    /// What becomes of it in the other ways.
    Same,
    /// It is not run so.
    Left,
    /// It is not done yet: exit code 1 and this on standard error.
    Refused(String),
}

/// The directives of a program's text.
///
/// # Errors
/// A line that looks like a directive and is none.
pub fn parse(text: &str) -> Result<Directives, String> {
    let mut directives = Directives {
        runs: Vec::new(),
        variables: Vec::new(),
        generated: Vec::new(),
        place: Place::Tests,
        expected: Expected::Output,
        tolerance: 1e-9,
        on_graphs: OnMachine::Same,
        on_spatial: OnMachine::Same,
    };
    let comments = text.lines().map_while(|line| line.strip_prefix('#')).map(str::trim);
    for comment in comments {
        if let Some((name, rest)) = comment.split_once(':').filter(|(name, _)| is_directive(name)) {
            take(&mut directives, name, rest.trim())?;
        }
    }
    if directives.runs.is_empty() {
        directives.runs.push(Vec::new());
    }
    Ok(directives)
}

/// Capital letters and hyphens: everything that looks so must be known, so that a misspelt one is noticed.
fn is_directive(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|letter| letter.is_ascii_uppercase() || letter == '-')
}

fn take(directives: &mut Directives, name: &str, rest: &str) -> Result<(), String> {
    match name {
        "RUN-WITH" => directives.runs.push(words(rest)),
        "ENV" => {
            let (name, value) = rest.split_once('=').ok_or(format!("`ENV: {rest}` has no `=`"))?;
            directives.variables.push((name.to_string(), value.to_string()));
        }
        "FRESH-FOLDER" if !rest.is_empty() => directives.place = Place::Fresh,
        "GEN" => directives.generated.push(generated(rest)?),
        "TOLERANCE" => {
            directives.tolerance = rest.parse().map_err(|_| format!("`TOLERANCE: {rest}` is no number"))?;
        }
        "ERROR" => directives.expected = Expected::Error(rest.to_string()),
        "NOT-SUPPORTED" => directives.expected = Expected::NotSupported(rest.to_string()),
        "NOT-SIMULATED" if !rest.is_empty() => directives.on_graphs = OnMachine::Left,
        "NOT-SUPPORTED-ON-GRAPHS" => directives.on_graphs = OnMachine::Refused(rest.to_string()),
        "NOT-ON-SPATIAL" if !rest.is_empty() => directives.on_spatial = OnMachine::Left,
        "NOT-SUPPORTED-ON-SPATIAL" => directives.on_spatial = OnMachine::Refused(rest.to_string()),
        "NOT-COMPARED" if !rest.is_empty() => directives.expected = Expected::Success,
        _ => return Err(format!("unknown directive `{name}`")),
    }
    Ok(())
}

/// `0=a.mtx uniform --dims 6,5 --entries 12`.
fn generated(text: &str) -> Result<Generated, String> {
    let (input, rest) = text.split_once('=').ok_or(format!("`GEN: {text}` has no `=`"))?;
    let (file, args) = rest.split_once(' ').ok_or(format!("`GEN: {text}` says no kind"))?;
    Ok(Generated { input: input.to_string(), file: file.to_string(), args: words(args) })
}

/// Splits at spaces, except between double quotes.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut quoted = false;
    let parts = text.split(|letter: char| {
        quoted ^= letter == '"';
        letter.is_whitespace() && !quoted
    });
    words.extend(parts.filter(|word| !word.is_empty()).map(|word| word.replace('"', "")));
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_stand_in_the_leading_comments() {
        let text = "# A matrix: read twice.\n# RUN-WITH: --input 0=a.mtx\n# RUN-WITH: --schedule \"order(i, j)\"\n\
            # ENV: SPARSE_FILE_NAME=b.mtx\n# TOLERANCE: 1e-5\n# GEN: 1=b.mtx banded --dims 3,4\ndef main() {}\n# ERROR: not this\n";
        let directives = parse(text).unwrap();
        assert_eq!(directives.runs[0], ["--input", "0=a.mtx"]);
        assert_eq!(directives.runs[1], ["--schedule", "order(i, j)"]);
        assert_eq!(directives.variables, [("SPARSE_FILE_NAME".to_string(), "b.mtx".to_string())]);
        let generated = Generated {
            input: "1".into(),
            file: "b.mtx".into(),
            args: ["banded", "--dims", "3,4"].map(String::from).to_vec(),
        };
        assert_eq!(directives.generated, [generated]);
        assert_eq!((directives.expected, directives.tolerance), (Expected::Output, 1e-5));
    }

    #[test]
    fn a_misspelt_directive_is_noticed() {
        assert!(parse("# RUNWITH: x\n").is_err());
        assert!(parse("# GEN: uniform\n").is_err());
        assert!(parse("# NOT-COMPARED:\n").is_err());
        assert!(parse("# NOT-ON-SPATIAL:\n").is_err());
        assert_eq!(parse("# ERROR: no\n").unwrap().expected, Expected::Error("no".into()));
    }
}
