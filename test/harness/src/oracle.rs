//! What the oracle prints for a program with the arguments and variables of a run.

use std::path::Path;

use comet_diag::Source;
use comet_oracle::{Inputs, TnsForm};

/// The output of the oracle, exact. Paths are relative to `home`.
///
/// # Errors
/// Why it has none.
pub fn output(
    text: &str,
    args: &[String],
    variables: &[(String, String)],
    home: &Path,
) -> Result<String, String> {
    let source = Source::new("<program>", text);
    let module = comet_syntax::parse(&source).map_err(|errors| {
        let errors = errors
            .iter()
            .map(|error| comet_diag::render(error, &source, comet_diag::Color::Never))
            .collect::<Vec<_>>();
        format!("the oracle cannot parse the program:\n{}", errors.join("\n"))
    })?;
    let outcome = comet_oracle::run(&module, &inputs(args, variables, home)?);
    outcome.map(|outcome| outcome.text).map_err(|error| {
        let place = error.span.map(|span| source.line_column(span.start));
        let place = place.map_or(String::new(), |(line, column)| format!("{line}:{column}: "));
        format!("the oracle refuses the program: {place}{}", error.message)
    })
}

/// The inputs that a run names; `--input` wins over the environment.
fn inputs(args: &[String], variables: &[(String, String)], home: &Path) -> Result<Inputs, String> {
    let mut inputs = Inputs { folder: home.to_owned(), ..Inputs::default() };
    for (name, path) in variables {
        if let Some(key) = name.strip_prefix("SPARSE_FILE_NAME") {
            inputs.files.insert(key.to_string(), home.join(path));
        }
    }
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        let (flag, value) = arg.split_once('=').unwrap_or((arg, ""));
        match flag {
            "--input" => {
                let input = if value.is_empty() { args.next().map_or("", String::as_str) } else { value };
                let (key, path) = input.split_once('=').ok_or(format!("`--input {input}` has no `=`"))?;
                inputs.files.insert(key.to_string(), home.join(path));
            }
            "--tns" if value == "frostt" => inputs.tns = TnsForm::Frostt,
            "--tns" if value == "comet" => inputs.tns = TnsForm::Comet,
            _ => {}
        }
    }
    Ok(inputs)
}
