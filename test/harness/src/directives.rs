//! The directives in the leading comments of a test program. `test/README.md` lists them.

/// What a test program asks for.
#[derive(Clone, Debug, PartialEq)]
pub struct Directives {
    /// The arguments of each run; one run without arguments where none are given.
    pub runs: Vec<Vec<String>>,
    /// Environment variables of all runs.
    pub variables: Vec<(String, String)>,
    /// What is expected.
    pub expected: Expected,
    /// By how much numbers may differ from the oracle's, relative.
    pub tolerance: f64,
}

/// What a run must come to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// The output of the oracle.
    Output,
    /// Exit code 1 and this on standard error.
    Refusal(String),
}

/// The directives of a program's text.
///
/// # Errors
/// A line that looks like a directive and is none.
pub fn parse(text: &str) -> Result<Directives, String> {
    let mut directives =
        Directives { runs: Vec::new(), variables: Vec::new(), expected: Expected::Output, tolerance: 1e-9 };
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
        "TOLERANCE" => {
            directives.tolerance = rest.parse().map_err(|_| format!("`TOLERANCE: {rest}` is no number"))?;
        }
        "ERROR" | "NOT-SUPPORTED" => directives.expected = Expected::Refusal(rest.to_string()),
        _ => return Err(format!("unknown directive `{name}`")),
    }
    Ok(())
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
            # ENV: SPARSE_FILE_NAME=b.mtx\n# TOLERANCE: 1e-5\ndef main() {}\n# ERROR: not this\n";
        let directives = parse(text).unwrap();
        assert_eq!(directives.runs[0], ["--input", "0=a.mtx"]);
        assert_eq!(directives.runs[1], ["--schedule", "order(i, j)"]);
        assert_eq!(directives.variables, [("SPARSE_FILE_NAME".to_string(), "b.mtx".to_string())]);
        assert_eq!((directives.expected, directives.tolerance), (Expected::Output, 1e-5));
    }

    #[test]
    fn a_misspelt_directive_is_noticed() {
        assert!(parse("# RUNWITH: x\n").is_err());
        assert_eq!(parse("# ERROR: no\n").unwrap().expected, Expected::Refusal("no".into()));
    }
}
